/* Rigid bodies in the projection, through the cells' wall faces (Klingner et al. 2006, section 4; Batty et
 * al. 2007).
 *
 * With N = (a n, r x a n) of a face on a body and V = (velocity, spin), what the body moves through the face
 * is N.V. Pressure pushes it by density q N; q is that of the cell's point, x. The layer between the point
 * and the wall, d = (f - x).n thick, moves along the normal with the wall, N' where that normal meets it, and
 * its momentum is exchanged with the body; gravity, g dt of the velocity u of a step, presses on the wall by
 * the height of f above x:
 *
 *     body      M (V' - V) = density (J^T q + b) - K V',    K = density sum d / a N' N'^T
 *               b = sum N g dt.(f - x) + N' d / a a n.(u - g dt)
 *     liquid    d n (N'.V' - a n.(u - g dt)) - (f - x) a n.g dt, in place of the walls' part in project.c
 *     both      (A + density J (M + K)^-1 J^T) q = -(D u + J V~),   V~ = V + (M + K)^-1 (density b - K V)
 *
 * V is the motion with the weight of the step. K is symmetric and no force is along a wall, so that bodies of
 * hardly any mass are not thrown by a single cell. Joints leave (M + K)^-1 the freedoms they have. Momentum
 * of body and liquid is kept to rounding but for the gravity of the layers, sum a [n (f - x).g - (f - x)
 * n.g], which is that of a surface that is nearly closed. */
#include "points/bodies.h"

#include "points/viscous.h"

#include <stdlib.h>
#include <string.h>

typedef double matrix6[BODY_FREEDOMS][BODY_FREEDOMS];

struct points_bodies {
    uint32_t count;
    uint32_t *owner;               /* per wall face: its body, or BODY_NONE */
    rill_vec3 fall;                /* g dt, where it is in the velocities */
    double *layer;                 /* per wall face: d / a, m^-1; 0 where the point is behind the face */
    double (*push)[BODY_FREEDOMS]; /* b */
    matrix6 *root, *with;          /* of (M + K)^-1; K */
    low_rank rows, coupling;       /* J; and sqrt(density) J root */
};

/* Of a metre in two dimensions, whose cells are slabs. */
static double density_of(const points *s)
{
    return s->sim.scene->fluid.density / (s->dimensions == 2 ? s->h : 1);
}

static void six(rill_vec3 r, rill_vec3 along, double out[BODY_FREEDOMS])
{
    const rill_vec3 about = v3_cross(r, along);
    for (int k = 0; k < 3; k++) {
        out[k] = v3_axis(along, k);
        out[3 + k] = v3_axis(about, k);
    }
}

/* From the centre of its body to the middle of a face. */
static rill_vec3 arm(const points *s, const rigid_body *b, const points_face *f)
{
    rill_vec3 r = v3_sub(points_shape(s, f)->centroid, b->center);
    if (b->planar) r.z = 0;
    return r;
}

static double dot6(const double a[BODY_FREEDOMS], const double b[BODY_FREEDOMS])
{
    double sum = 0;
    for (int k = 0; k < BODY_FREEDOMS; k++) sum += a[k] * b[k];
    return sum;
}

/* ---- making ---- */

static void find_owners(const points *s, double t, struct points_bodies *c)
{
    solids without = s->sim.solids;
    without.domain.open = ~0u;
    for (uint32_t k = s->mesh.inner_count; k < s->mesh.face_count; k++) {
        const points_face *f = &s->mesh.face[k];
        const uint32_t w = k - s->mesh.inner_count;
        solid_contact at;
        c->owner[w] = BODY_NONE;
        c->layer[w] = 0;
        if (f->b != VORONOI_SOLID) continue;
        if (solids_distance(&without, points_shape(s, f)->centroid, t, &at) == INFINITY) continue;
        if (at.solid < without.count) c->owner[w] = s->sim.bodies.of_solid[at.solid];
        const rill_vec3 area = points_shape(s, f)->area,
                        off = v3_sub(points_shape(s, f)->centroid, s->particles.position[f->a]);
        c->layer[w] = fmax(0, v3_dot(off, area)) / v3_dot(area, area);
    }
}

/* N of a wall face for its layer, which moves where the normal through the cell's point meets the wall:
 * acting there on the body and at the point on the liquid, it turns neither. */
static void foot_motion(const points *s, const struct points_bodies *c, uint32_t w, const rigid_body *b,
                        double out[BODY_FREEDOMS])
{
    const points_face *f = &s->mesh.face[s->mesh.inner_count + w];
    const rill_vec3 area = points_shape(s, f)->area;
    rill_vec3 r = v3_sub(v3_madd(s->particles.position[f->a], c->layer[w], area), b->center);
    if (b->planar) r.z = 0;
    six(r, area, out);
}

static int by_row(const void *a, const void *b)
{
    const low_rank_entry *x = a, *y = b;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* Rows of one body: a cell's faces become one entry. Faces come in order, so the sums are always the same. */
static uint32_t body_rows(const points *s, struct points_bodies *c, uint32_t body, low_rank_entry *out)
{
    const rigid_body *b = &s->sim.bodies.world.body[body];
    uint32_t n = 0, kept = 0;
    memset(c->with[body], 0, sizeof c->with[body]);
    for (uint32_t w = 0; w < s->mesh.face_count - s->mesh.inner_count; w++) {
        if (c->owner[w] != body) continue;
        const points_face *f = &s->mesh.face[s->mesh.inner_count + w];
        low_rank_entry e = {.row = f->a};
        double at_foot[BODY_FREEDOMS];
        six(arm(s, b, f), points_shape(s, f)->area, e.v);
        foot_motion(s, c, w, b, at_foot);
        for (int r = 0; r < BODY_FREEDOMS; r++)
            for (int k = 0; k < BODY_FREEDOMS; k++)
                c->with[body][r][k] += density_of(s) * c->layer[w] * at_foot[r] * at_foot[k];
        out[n++] = e;
    }
    qsort(out, n, sizeof *out, by_row);
    for (uint32_t k = 0; k < n; k++) {
        if (kept && out[kept - 1].row == out[k].row)
            for (int m = 0; m < BODY_FREEDOMS; m++) out[kept - 1].v[m] += out[k].v[m];
        else
            out[kept++] = out[k];
    }
    return kept;
}

/* The rows times the root of the inverse mass with the layer. */
static void couple(const points *s, struct points_bodies *c, uint32_t body, const low_rank_entry *rows,
                   uint32_t count, low_rank_entry *out)
{
    const rigid_body *b = &s->sim.bodies.world.body[body];
    const double scale = sqrt(density_of(s));
    matrix6 mass;
    rigid_body_mass(b, mass);
    for (int r = 0; r < BODY_FREEDOMS; r++)
        for (int k = 0; k < BODY_FREEDOMS; k++) mass[r][k] += c->with[body][r][k];
    if (!rigid_body_root(b, (const double(*)[BODY_FREEDOMS])mass, c->root[body]))
        memset(c->root[body], 0, sizeof c->root[body]); /* as a wall: it cannot be moved */
    for (uint32_t e = 0; e < count; e++) {
        out[e] = (low_rank_entry){.row = rows[e].row};
        for (int k = 0; k < BODY_FREEDOMS; k++)
            for (int r = 0; r < BODY_FREEDOMS; r++) out[e].v[k] += scale * c->root[body][r][k] * rows[e].v[r];
    }
}

/* Liquid that bodies and walls enclose without air, down to a single cell: its pressure is the bodies' to
 * find, and the multigrid, which does not know of them, has no inverse for it. It gives way a little: by a
 * ten thousandth of what a neighbour would. Says whether there is any. */
static rill_status soften_pockets(points *s, const struct points_bodies *c, bool *found)
{
    const uint32_t rows = s->matrix.rows, n = c->rows.start[c->count];
    bool *airy;
    *found = false;
    if (s->def.filled) return RILL_OK; /* one pocket of everything, which closed bodies leave as it is */
    TRY(ARENA_NEW(&s->scratch, airy, (size_t)rows + 1));
    memset(airy, 0, ((size_t)rows + 1) * sizeof *airy);
    for (uint32_t i = 0; i < rows; i++) airy[(size_t)s->component[i]] |= s->matrix.extra[i] > 0;
    for (uint32_t e = 0; e < n; e++) {
        const uint32_t i = c->rows.entry[e].row;
        if (airy[(size_t)s->component[i]]) continue;
        s->matrix.extra[i] += 1e-4 * s->h; /* weights are areas over distances */
        s->matrix.diagonal[i] += 1e-4 * s->h;
        *found = true;
    }
    return RILL_OK;
}

rill_status points_bodies_join(points *s, double t)
{
    const uint32_t count = s->sim.bodies.count, walls = s->mesh.face_count - s->mesh.inner_count;
    s->coupled = NULL;
    if (count == 0) return RILL_OK;
    struct points_bodies *c;
    low_rank_entry *rows, *coupling;
    uint32_t *start;
    TRY(ARENA_NEW(&s->scratch, c, 1));
    *c = (struct points_bodies){.count = count};
    TRY(ARENA_NEW(&s->scratch, c->owner, walls));
    TRY(ARENA_NEW(&s->scratch, c->layer, walls));
    TRY(ARENA_NEW(&s->scratch, c->push, count));
    TRY(ARENA_NEW(&s->scratch, c->root, count));
    TRY(ARENA_NEW(&s->scratch, c->with, count));
    TRY(ARENA_NEW(&s->scratch, rows, walls));
    TRY(ARENA_NEW(&s->scratch, coupling, walls));
    TRY(ARENA_NEW(&s->scratch, start, (size_t)count + 1));
    find_owners(s, t, c);
    start[0] = 0;
    for (uint32_t b = 0; b < count; b++) {
        const uint32_t n = body_rows(s, c, b, rows + start[b]);
        couple(s, c, b, rows + start[b], n, coupling + start[b]);
        start[b + 1] = start[b] + n;
    }
    c->rows = (low_rank){count, start, rows};
    c->coupling = (low_rank){count, start, coupling};
    s->coupled = c;
    bool pockets;
    TRY(soften_pockets(s, c, &pockets));
    return solver_prepare(s->solver, &s->matrix, &c->coupling, !pockets);
}

rill_status points_bodies_part(points *s)
{
    return s->coupled ? solver_prepare(s->solver, &s->matrix, NULL, true) : RILL_OK;
}

/* ---- in a projection ---- */

/* Adds (M + K)^-1 times an impulse to a motion. */
static void add_pushed(const struct points_bodies *c, uint32_t body, const double push[BODY_FREEDOMS],
                       double motion[BODY_FREEDOMS])
{
    for (int k = 0; k < BODY_FREEDOMS; k++) {
        double along = 0;
        for (int r = 0; r < BODY_FREEDOMS; r++) along += c->root[body][r][k] * push[r];
        for (int r = 0; r < BODY_FREEDOMS; r++) motion[r] += c->root[body][r][k] * along;
    }
}

/* density b. */
static void layer_push(const points *s, struct points_bodies *c)
{
    memset(c->push, 0, c->count * sizeof *c->push);
    for (uint32_t w = 0; w < s->mesh.face_count - s->mesh.inner_count; w++) {
        if (c->owner[w] == BODY_NONE) continue;
        const points_face *f = &s->mesh.face[s->mesh.inner_count + w];
        const rigid_body *b = &s->sim.bodies.world.body[c->owner[w]];
        const rill_vec3 area = points_shape(s, f)->area,
                        off = v3_sub(points_shape(s, f)->centroid, s->particles.position[f->a]),
                        u = v3_sub(s->particles.velocity[f->a], c->fall);
        double through[BODY_FREEDOMS], at_foot[BODY_FREEDOMS];
        six(arm(s, b, f), area, through);
        foot_motion(s, c, w, b, at_foot);
        const double high = density_of(s) * v3_dot(c->fall, off),
                     moves = density_of(s) * c->layer[w] * v3_dot(area, u);
        for (int k = 0; k < BODY_FREEDOMS; k++)
            c->push[c->owner[w]][k] += high * through[k] + moves * at_foot[k];
    }
}

void points_bodies_begin(points *s, double t, double dt, bool again)
{
    struct points_bodies *c = s->coupled;
    if (!c) return;
    c->fall = again ? v3(0, 0, 0) : v3_scale(scene_gravity(s->sim.scene, t + dt / 2), dt);
    layer_push(s, c);
    for (uint32_t b = 0; b < c->count; b++) {
        rigid_body *body = &s->sim.bodies.world.body[b];
        double push[BODY_FREEDOMS], motion[BODY_FREEDOMS];
        rigid_body_motion(body, motion);
        for (int r = 0; r < BODY_FREEDOMS; r++) push[r] = c->push[b][r] - dot6(c->with[b][r], motion);
        add_pushed(c, b, push, motion);
        rigid_body_set_motion(body, motion);
    }
}

void points_bodies_press(points *s, const double *q, double dt)
{
    struct points_bodies *c = s->coupled;
    body_set *set = &s->sim.bodies;
    if (!c) return;
    for (uint32_t b = 0; b < c->count; b++) {
        double push[BODY_FREEDOMS] = {0}, motion[BODY_FREEDOMS], all[BODY_FREEDOMS];
        for (uint32_t e = c->rows.start[b]; e < c->rows.start[b + 1]; e++)
            for (int k = 0; k < BODY_FREEDOMS; k++)
                push[k] += c->rows.entry[e].v[k] * q[c->rows.entry[e].row];
        for (int k = 0; k < BODY_FREEDOMS; k++) push[k] *= density_of(s);
        rigid_body_motion(&set->world.body[b], motion);
        add_pushed(c, b, push, motion);
        rigid_body_set_motion(&set->world.body[b], motion);
        rigid_body_motion(&set->world.body[b], motion);
        for (int r = 0; r < BODY_FREEDOMS; r++)
            all[r] = push[r] + c->push[b][r] - dot6(c->with[b][r], motion);
        set->force[b] = v3_madd(set->force[b], 1 / dt, v3(all[0], all[1], all[2]));
        set->torque[b] = v3_madd(set->torque[b], 1 / dt, v3(all[3], all[4], all[5]));
    }
    for (uint32_t w = 0; w < s->mesh.face_count - s->mesh.inner_count; w++) {
        if (c->owner[w] == BODY_NONE) continue;
        points_face *f = &s->mesh.face[s->mesh.inner_count + w];
        const rigid_body *body = &set->world.body[c->owner[w]];
        double through[BODY_FREEDOMS], motion[BODY_FREEDOMS];
        six(arm(s, body, f), points_shape(s, f)->area, through);
        rigid_body_motion(body, motion);
        f->flux = dot6(through, motion);
    }
}

rill_vec3 points_bodies_layer(const points *s, uint32_t face, rill_vec3 u, rill_vec3 off)
{
    const struct points_bodies *c = s->coupled;
    const uint32_t w = face - s->mesh.inner_count;
    const points_face *f = &s->mesh.face[face];
    const rill_vec3 area = points_shape(s, f)->area;
    if (!c || c->owner[w] == BODY_NONE) return v3_scale(off, f->flux - v3_dot(area, u));
    const rigid_body *body = &s->sim.bodies.world.body[c->owner[w]];
    double at_foot[BODY_FREEDOMS], motion[BODY_FREEDOMS];
    foot_motion(s, c, w, body, at_foot);
    rigid_body_motion(body, motion);
    const double out = dot6(at_foot, motion) - v3_dot(area, v3_sub(u, c->fall));
    return v3_madd(v3_scale(area, c->layer[w] * out), -v3_dot(area, c->fall), off);
}

/* ---- drag ---- */

/* What viscosity does to a body: its impulse, and how it grows with the body's motion. */
typedef struct drag {
    double impulse[BODY_FREEDOMS];
    matrix6 with;
} drag;

static void add_drag(const points *s, viscous *v, uint32_t i, uint32_t e, const rigid_body *b, drag *d)
{
    const viscous_link *l = &v->link[e];
    const double scale = density_of(s) * v->rate;
    const rill_vec3 pull = points_viscous_pull(v, s->particles.velocity, i, e);
    rill_vec3 r = v3_sub(v3_add(s->particles.position[i], l->d), b->center);
    double all[BODY_FREEDOMS];
    if (b->planar) r.z = 0;
    six(r, v3_scale(pull, -scale), all);
    for (int k = 0; k < BODY_FREEDOMS; k++) d->impulse[k] += all[k];
    for (int axis = 0; axis < 3; axis++) {
        double along[BODY_FREEDOMS];
        rill_vec3 unit = {axis == 0, axis == 1, axis == 2};
        if (l->slips) unit = v3_scale(l->d, v3_axis(l->d, axis) / v3_dot(l->d, l->d));
        six(r, unit, along);
        for (int a = 0; a < BODY_FREEDOMS; a++)
            for (int c = 0; c < BODY_FREEDOMS; c++)
                d->with[a][c] += 2 * scale * l->weight * along[a] * along[c];
    }
}

/* M dV = impulse - K dV, which then is the impulse. A body that cannot be moved feels all of it. */
static void take_along(rigid_body *body, drag *d)
{
    matrix6 mass, root;
    double motion[BODY_FREEDOMS], more[BODY_FREEDOMS] = {0};
    rigid_body_mass(body, mass);
    for (int r = 0; r < BODY_FREEDOMS; r++)
        for (int k = 0; k < BODY_FREEDOMS; k++) mass[r][k] += d->with[r][k];
    if (!rigid_body_root(body, (const double(*)[BODY_FREEDOMS])mass, root)) return;
    for (int r = 0; r < BODY_FREEDOMS; r++)
        for (int k = 0; k < BODY_FREEDOMS; k++)
            for (int m = 0; m < BODY_FREEDOMS; m++) more[r] += root[r][m] * root[k][m] * d->impulse[k];
    rigid_body_motion(body, motion);
    for (int r = 0; r < BODY_FREEDOMS; r++) {
        motion[r] += more[r];
        d->impulse[r] -= dot6(d->with[r], more);
    }
    rigid_body_set_motion(body, motion);
}

/* The liquid was solved for with the body's motion as it was. The body's is implicit in what it does itself
 * to the drag, so that one of hardly any mass goes with the liquid and is not thrown; what that leaves out is
 * the next step's. */
void points_bodies_drag(points *s, viscous *v, double dt)
{
    const struct points_bodies *c = s->coupled;
    body_set *set = &s->sim.bodies;
    if (!c) return;
    points_viscous_strain(v, s->particles.velocity);
    for (uint32_t b = 0; b < c->count; b++) {
        rigid_body *body = &set->world.body[b];
        drag d = {0};
        for (uint32_t w = 0; w < s->mesh.face_count - s->mesh.inner_count; w++) {
            if (c->owner[w] != b) continue;
            const uint32_t i = s->mesh.face[s->mesh.inner_count + w].a;
            const points_cell *cell = &s->mesh.cell[i];
            for (uint32_t e = cell->begin; e < cell->end; e++)
                if (s->mesh.link[e] == s->mesh.inner_count + w)
                    add_drag(s, v, i, v->start[i] + e - cell->begin, body, &d);
        }
        take_along(body, &d);
        set->force[b] = v3_madd(set->force[b], 1 / dt, v3(d.impulse[0], d.impulse[1], d.impulse[2]));
        set->torque[b] = v3_madd(set->torque[b], 1 / dt, v3(d.impulse[3], d.impulse[4], d.impulse[5]));
    }
}

uint32_t points_bodies_owner(const points *s, uint32_t face)
{
    return s->coupled ? s->coupled->owner[face - s->mesh.inner_count] : BODY_NONE;
}

/* ---- in a step ---- */

rill_status points_bodies_await(points *s, double dt)
{
    return s->sim.bodies.count ? bodies_lean(&s->sim.bodies, dt, 1) : RILL_OK;
}

rill_status points_bodies_release(points *s, double t, double dt)
{
    rill_sim *sim = &s->sim;
    if (sim->bodies.count == 0) return RILL_OK;
    TRY(bodies_lean(&sim->bodies, dt, -1));
    TRY(bodies_move(&sim->bodies, &sim->solids, sim->scene, t, dt));
    return solids_prepare(sim->ctx, &sim->solids, t, dt);
}
