/* What may be seen of a simulation: its nodes as corners of cells, velocity and pressure at places. */
#include "base/parallel.h"
#include "tets/state.h"

void tets_view(const rill_sim *sim, rill_view *out)
{
    const tets *s = tets_view_of(sim);
    out->elements = s->state[s->now].mesh.fv.cell_count;
}

double tets_max_speed(const rill_sim *sim, rill_vec3 *where)
{
    const tets *s = tets_view_of(sim);
    const tets_state *a = &s->state[s->now];
    double most = -1;
    for (uint32_t i = 0; i < a->mesh.count; i++) { /* those of flat cells are noise that nothing follows */
        const double u2 = v3_dot(a->u.node[i], a->u.node[i]);
        if (u2 <= most) continue;
        most = u2;
        *where = a->mesh.x[i];
        if (!isfinite(u2)) break;
    }
    return sqrt(fmax(most, 0)) + (isfinite(most) ? 0 : most);
}

/* Corners of the tetrahedra. Those on solids count as outside by their column "level", so that
 * tetrahedra in solids, which have no others, are left out of pictures. */
rill_status tets_cells(const rill_sim *sim, particles *out)
{
    const tets *s = tets_view_of(sim);
    const tets_state *a = &s->state[s->now];
    const tet_mesh *m = &a->mesh;
    TRY(particles_append(sim->ctx, out, m->count, m->x, a->u.node));
    TRY(particles_add_column(sim->ctx, out, "level"));
    TRY(particles_add_column(sim->ctx, out, "size"));
    TRY(particles_add_column(sim->ctx, out, "pressure"));
    if (s->smoky) {
        TRY(particles_add_column(sim->ctx, out, "soot"));
        TRY(particles_add_column(sim->ctx, out, "heat"));
    }
    float *level = particles_column(out, "level"), *size = particles_column(out, "size"),
          *pressure = particles_column(out, "pressure");
    for (uint32_t i = 0; i < m->count; i++) {
        double sum = 0, volume = 0;
        for (uint32_t k = m->first[i]; k < m->first[i + 1]; k++) {
            sum += m->volume[m->star[k]] * a->pressure[m->map.cell[m->star[k]]];
            volume += m->volume[m->star[k]];
        }
        level[i] = m->kind[i] == NODE_INSIDE || m->owner[i] == WALL_BOX ? -1.0f : 0.0f;
        size[i] = (float)size_at(&s->mesher.size, m->x[i]);
        pressure[i] = volume > 0 ? (float)(sum / volume) : 0;
    }
    for (uint32_t i = 0; s->smoky && i < m->count; i++) {
        particles_column(out, "soot")[i] = (float)a->soot[i];
        particles_column(out, "heat")[i] = (float)a->heat[i];
    }
    return RILL_OK;
}

/* ---- at places ---- */

typedef struct {
    const tets *s;
    const tets_state *a;
    const rill_vec3 *x;
    const uint32_t *tet;
    rill_vec3 *u;
    double *p;
    uint32_t *part;
    rill_vec3 gravity, top;
} asking;

static void velocity_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const asking *q = arg;
    for (size_t i = begin; i < end; i++) {
        if (q->part && q->part[i] == TRACE_NOWHERE) continue;
        rill_vec3 x = q->x[i], u = {0, 0, 0};
        if (q->s->flat) x.z = 0;
        const uint32_t t = tets_enter(q->s, q->a, &q->s->walls, q->tet[i], &x);
        if (t != DELAUNAY_INFINITE)
            u = tets_velocity_in(q->s, q->a, &q->a->u, t, x);
        else if (q->part) { /* deep in a wall: it moves with that, if at all */
            uint32_t owner;
            (void)walls_distance(&q->s->walls, x, NULL, &owner);
            u = walls_velocity(&q->s->walls, owner, x);
        }
        if (q->s->flat) u.z = 0;
        q->u[i] = u;
        if (q->part) q->part[i] = 0;
    }
}

static void pressure_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const asking *q = arg;
    const double density = q->s->sim.scene->fluid.density;
    for (size_t i = begin; i < end; i++) {
        rill_vec3 x = q->x[i];
        if (q->s->flat) x.z = 0;
        const uint32_t t = tets_enter(q->s, q->a, &q->s->walls, q->tet[i], &x);
        const double reduced = t == DELAUNAY_INFINITE ? 0 : q->a->pressure[q->a->mesh.map.cell[t]];
        q->p[i] = reduced + density * v3_dot(q->gravity, v3_sub(q->x[i], q->top));
    }
}

/* Places in the order of the mesh are found faster by walking; delaunay_locate sees to that. */
static rill_status ask(asking *q, size_t n, parallel_body *body)
{
    rill_ctx *ctx = q->s->sim.ctx;
    const walls *w = &q->s->walls;
    rill_vec3 *at = NULL;
    uint32_t *tet = NULL;
    rill_status st = MEM_NEW(ctx, at, n);
    if (!st) st = MEM_NEW(ctx, tet, n);
    for (size_t i = 0; !st && i < n; i++) {
        rill_vec3 x = q->s->flat ? v3(q->x[i].x, q->x[i].y, 0) : q->x[i];
        if (!v3_finite(x)) x = w->box.min;
        at[i] = x;
    }
    if (!st) st = delaunay_locate(&q->a->mesh.d, at, n, tet);
    if (!st) {
        q->tet = tet;
        q->x = at;
        parallel_for(ctx, n, TETS_BLOCK, body, q);
    }
    mem_free(ctx, at);
    mem_free(ctx, tet);
    return st;
}

rill_status tets_velocity(const rill_sim *sim, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    const tets *s = tets_view_of(sim);
    asking q = {.s = s, .a = &s->state[s->now], .x = x, .u = u};
    return ask(&q, n, velocity_block);
}

rill_status tets_trace(const rill_sim *sim, size_t n, const rill_vec3 *x, uint32_t *part, rill_vec3 *u)
{
    const tets *s = tets_view_of(sim);
    asking q = {.s = s, .a = &s->state[s->now], .x = x, .u = u, .part = part};
    return ask(&q, n, velocity_block);
}

rill_status tets_pressure(const rill_sim *sim, size_t n, const rill_vec3 *x, double *p)
{
    const tets *s = tets_view_of(sim);
    const rill_vec3 g = scene_gravity(sim->scene, sim->time);
    rill_vec3 top = s->walls.box.min; /* the corner where the weight of the fluid begins */
    for (int a = 0; a < 3; a++)
        if (v3_axis(g, a) < 0) v3_set_axis(&top, a, v3_axis(s->walls.box.max, a));
    asking q = {.s = s, .a = &s->state[s->now], .x = x, .p = p, .gravity = g, .top = top};
    return ask(&q, n, pressure_block);
}
