/* The strain of cells, and the energy it takes.
 *
 * A cell's velocity gradient G is fitted to the differences to its neighbours by least squares, weights
 * a/l; it is exact for linear fields. Viscosity takes
 *
 *     E = 1/2 nu dt sum_i [ V_i 2 e_i:e_i + 1/2 sum_j a/l |u_j - u_i - G_i d|^2 ],   e = (G + G^T) / 2
 *
 * in a step. The first term is the dissipation of a viscous liquid: nothing for what moves or turns as a
 * whole, and no stress at the surface. The second is what the gradients do not see: on a lattice both add
 * up to the two-point Laplacian, where the first alone would be one of twice the spacing, blind to a field
 * that changes its sign from cell to cell.
 *
 * A wall is a neighbour at the foot of the point on it, that has the wall's velocity, or where it slips
 * the point's own along the wall. */
#include "points/viscous.h"

#include "base/parallel.h"

#include <string.h>

/* ---- links ---- */

/* Distance of a point from a wall, and not less than a tenth of a spacing: where points are kept. */
static double distance_from(const points *s, uint32_t i, const ball_face *b, rill_vec3 normal)
{
    return fmax(v3_dot(v3_sub(b->centroid, s->particles.position[i]), normal), 0.1 * s->h);
}

/* A wall counts in the fit as the cell mirrored at it would, twice as far away: without that the order at
 * walls is the first. */
static double fit_weight(const viscous_link *l)
{
    return l->other == UINT32_MAX ? 2 * l->weight : l->weight;
}

static void invert(viscous_matrix *a)
{
    double(*m)[3] = a->m, r[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double trace = m[0][0] + m[1][1] + m[2][2];
    if (!(trace > 0)) {
        memset(a, 0, sizeof *a);
        return;
    }
    /* Where the neighbours do not span all directions the gradient is flat in the others. */
    for (int k = 0; k < 3; k++) m[k][k] += 1e-3 * trace;
    for (int p = 0; p < 3; p++) {
        const double f = 1 / m[p][p];
        for (int c = 0; c < 3; c++) {
            m[p][c] *= f;
            r[p][c] *= f;
        }
        for (int k = 0; k < 3; k++) {
            if (k == p) continue;
            const double g = m[k][p];
            for (int c = 0; c < 3; c++) {
                m[k][c] -= g * m[p][c];
                r[k][c] -= g * r[p][c];
            }
        }
    }
    memcpy(m, r, sizeof r);
}

/* How far x is in front of an emitter's plane, beside one of the places of its layers; INFINITY: not in
 * front of it. */
static double in_front(const points *s, uint32_t emitter, rill_vec3 x, rill_vec3 normal)
{
    const source_layer *layer = &s->sim.sources.layer[emitter];
    double nearest = s->h, front = INFINITY;
    for (uint32_t p = 0; p < layer->count; p++) {
        const rill_vec3 off = v3_sub(x, layer->point[p]);
        const double d = v3_dot(off, normal), aside = v3_length(v3_madd(off, -d, normal));
        if (!(aside < nearest)) continue;
        nearest = aside;
        front = d;
    }
    return front > 0.1 * s->h ? front : INFINITY;
}

/* The liquid inside a nozzle pulls at the layer that came out last: a link to the emitter's plane, which
 * moves at its speed, for points less than a layer and a half in front of it. Without it a thick jet tears
 * off the nozzle again and again. */
static bool nozzle_link(const points *s, rill_vec3 x, double t, viscous_link *link, rill_vec3 *velocity)
{
    const rill_scene *scene = s->sim.scene;
    for (uint32_t k = 0; k < scene->emitter_count; k++) {
        const scene_emitter *e = &scene->emitters[k];
        const source_layer *layer = &s->sim.sources.layer[k];
        if (t < e->start || t > e->end) continue;
        rill_vec3 normal = layer->direction;
        if (e->shape.kind == SHAPE_DISC) normal = v3_unit(e->shape.flat.normal);
        if (v3_dot(normal, layer->direction) < 0) normal = v3_neg(normal);
        const double d = in_front(s, k, x, normal);
        if (!(d < 1.45 * layer->thickness)) continue;
        *velocity = v3_scale(layer->direction, emitter_speed(e, t));
        *link = (viscous_link){.other = UINT32_MAX, .weight = s->h * s->h / d, .d = v3_scale(normal, -d)};
        return true;
    }
    return false;
}

/* Walls that slip are linked to thick liquid alone: in a thin one pressure holds what meets the wall, and the
 * link's own error would be dissipation. */
static viscous_link link_of(const viscous *v, uint32_t i, uint32_t face, double t, rill_vec3 *velocity)
{
    const points *s = v->s;
    const points_face *f = &s->mesh.face[face];
    const ball_face *side = points_shape(s, f);
    const rill_vec3 *x = s->particles.position;
    viscous_link l = {.other = UINT32_MAX};
    *velocity = v3(0, 0, 0);
    if (face < s->mesh.inner_count) {
        l.other = f->a == i ? f->b : f->a;
        l.d = v3_sub(x[l.other], x[i]);
        l.weight = f->weight;
    } else if (!points_is_open(s, face)) {
        const rill_vec3 normal = v3_unit(side->area);
        const double d = distance_from(s, i, side, normal);
        l.slips = !points_wall_holds(s, f, t, velocity);
        l.d = v3_scale(normal, d);
        l.weight = l.slips && !points_thick(s, v->rate) ? 0 : v3_length(side->area) / d;
    }
    return l;
}

typedef struct {
    viscous *v;
    double t;
} build_job;

static void count_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const build_job *j = arg;
    const points *s = j->v->s;
    for (size_t i = begin; i < end; i++) {
        viscous_link l;
        rill_vec3 u;
        j->v->start[i + 1] = s->mesh.cell[i].end - s->mesh.cell[i].begin +
                             nozzle_link(s, s->particles.position[i], j->t, &l, &u);
    }
}

static void build_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const build_job *j = arg;
    const viscous *v = j->v;
    const points *s = v->s;
    const rill_vec3 *x = s->particles.position;
    for (size_t i = begin; i < end; i++) {
        const points_cell *c = &s->mesh.cell[i];
        viscous_matrix m = {{{0}}};
        uint32_t e = v->start[i];
        for (uint32_t k = c->begin; k < c->end; k++, e++)
            v->link[e] = link_of(v, (uint32_t)i, s->mesh.link[k], j->t, &v->wall[e]);
        if (e < v->start[i + 1]) nozzle_link(s, x[i], j->t, &v->link[e], &v->wall[e]);
        for (e = v->start[i]; e < v->start[i + 1]; e++) {
            const viscous_link *l = &v->link[e];
            const double d[3] = {l->d.x, l->d.y, l->d.z};
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++) m.m[a][b] += fit_weight(l) * d[a] * d[b];
        }
        invert(&m);
        v->inverse[i] = m;
        v->inertia[i] = fmax(c->volume, 0.1 * points_size_of(s, i)->whole) / v->rate;
    }
}

rill_status points_viscous_build(points *s, double t, double rate, viscous *out)
{
    const size_t n = s->particles.count;
    viscous v = {.s = s, .rate = rate};
    build_job j = {&v, t};
    TRY(ARENA_NEW(&s->scratch, v.start, n + 1));
    v.start[0] = 0;
    parallel_for(s->sim.ctx, n, POINTS_BLOCK, count_block, &j);
    for (size_t i = 0; i < n; i++) v.start[i + 1] += v.start[i];
    const uint32_t links = v.start[n];
    TRY(ARENA_NEW(&s->scratch, v.inertia, n));
    TRY(ARENA_NEW(&s->scratch, v.link, links));
    TRY(ARENA_NEW(&s->scratch, v.wall, links));
    TRY(ARENA_NEW(&s->scratch, v.inverse, n));
    TRY(ARENA_NEW(&s->scratch, v.gradient, n));
    TRY(ARENA_NEW(&s->scratch, v.stress, n));
    parallel_for(s->sim.ctx, n, POINTS_BLOCK, build_block, &j);
    *out = v;
    return RILL_OK;
}

/* ---- the operator ---- */

typedef struct {
    viscous *v;
    const rill_vec3 *u;
    rill_vec3 *out;
} apply_job;

static rill_vec3 turned(const viscous_matrix *g, rill_vec3 d)
{
    const double(*m)[3] = g->m;
    return v3(m[0][0] * d.x + m[0][1] * d.y + m[0][2] * d.z, m[1][0] * d.x + m[1][1] * d.y + m[1][2] * d.z,
              m[2][0] * d.x + m[2][1] * d.y + m[2][2] * d.z);
}

/* g += w a b^T. */
static void add_outer(viscous_matrix *g, double w, rill_vec3 a, rill_vec3 b)
{
    const double left[3] = {w * a.x, w * a.y, w * a.z}, right[3] = {b.x, b.y, b.z};
    for (int k = 0; k < 3; k++)
        for (int n = 0; n < 3; n++) g->m[k][n] += left[k] * right[n];
}

/* a = a b. */
static void times(viscous_matrix *a, const viscous_matrix *b)
{
    for (int k = 0; k < 3; k++) {
        const double row[3] = {a->m[k][0], a->m[k][1], a->m[k][2]};
        for (int n = 0; n < 3; n++)
            a->m[k][n] = row[0] * b->m[0][n] + row[1] * b->m[1][n] + row[2] * b->m[2][n];
    }
}

/* What a slipping wall sees of a velocity: the part along its normal. */
static rill_vec3 seen(const viscous_link *l, rill_vec3 u)
{
    return l->slips ? v3_scale(l->d, v3_dot(l->d, u) / v3_dot(l->d, l->d)) : u;
}

/* The neighbour's velocity less the cell's. */
static rill_vec3 difference(const apply_job *j, uint32_t i, uint32_t e)
{
    const viscous_link *l = &j->v->link[e];
    if (l->other != UINT32_MAX) return v3_sub(j->u[l->other], j->u[i]);
    const rill_vec3 wall = j->v->moved ? j->v->wall[e] : v3(0, 0, 0);
    return seen(l, v3_sub(wall, j->u[i]));
}

/* What the mean of both cells' gradients leaves of it. */
static rill_vec3 remainder_of(const apply_job *j, uint32_t i, uint32_t e, rill_vec3 du)
{
    const viscous_link *l = &j->v->link[e];
    const rill_vec3 own = turned(&j->v->gradient[i], l->d);
    if (l->other == UINT32_MAX) return v3_sub(du, seen(l, own));
    return v3_sub(du, v3_mix(own, turned(&j->v->gradient[l->other], l->d), 0.5));
}

static void gradient_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const apply_job *j = arg;
    const viscous *v = j->v;
    for (size_t i = begin; i < end; i++) {
        viscous_matrix g = {{{0}}};
        for (uint32_t e = v->start[i]; e < v->start[i + 1]; e++)
            add_outer(&g, fit_weight(&v->link[e]), difference(j, (uint32_t)i, e), v->link[e].d);
        times(&g, &v->inverse[i]);
        v->gradient[i] = g;
    }
}

/* The derivative of E by a cell's gradient, times the inverse of its fit. */
static void stress_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const apply_job *j = arg;
    const viscous *v = j->v;
    for (size_t i = begin; i < end; i++) {
        const points_cell *c = &v->s->mesh.cell[i];
        const viscous_matrix *g = &v->gradient[i];
        viscous_matrix t;
        for (int k = 0; k < 3; k++)
            for (int n = 0; n < 3; n++) t.m[k][n] = c->volume * (g->m[k][n] + g->m[n][k]);
        for (uint32_t e = v->start[i]; e < v->start[i + 1]; e++) {
            const viscous_link *l = &v->link[e];
            const rill_vec3 own = turned(g, l->d), fitted = l->other == UINT32_MAX ? seen(l, own) : own;
            add_outer(&t, -0.5 * fit_weight(l), v3_sub(difference(j, (uint32_t)i, e), fitted), l->d);
        }
        times(&t, &v->inverse[i]);
        v->stress[i] = t;
    }
}

static rill_vec3 pull(const apply_job *j, uint32_t i, uint32_t e)
{
    const viscous *v = j->v;
    const viscous_link *l = &v->link[e];
    const rill_vec3 rest = remainder_of(j, i, e, difference(j, i, e));
    rill_vec3 turn = turned(&v->stress[i], l->d);
    turn = l->other == UINT32_MAX ? seen(l, turn) : v3_add(turn, turned(&v->stress[l->other], l->d));
    return v3_madd(v3_scale(rest, l->weight), fit_weight(l), turn);
}

static void force_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const apply_job *j = arg;
    const viscous *v = j->v;
    for (size_t i = begin; i < end; i++) {
        rill_vec3 sum = v3_scale(j->u[i], v->inertia[i]);
        for (uint32_t e = v->start[i]; e < v->start[i + 1]; e++) sum = v3_sub(sum, pull(j, (uint32_t)i, e));
        if (v->s->dimensions == 2) sum.z = 0;
        j->out[i] = sum;
    }
}

static void strain(apply_job *j)
{
    const points *s = j->v->s;
    parallel_for(s->sim.ctx, s->particles.count, POINTS_BLOCK, gradient_block, j);
    parallel_for(s->sim.ctx, s->particles.count, POINTS_BLOCK, stress_block, j);
}

void points_viscous_apply(viscous *v, const rill_vec3 *u, rill_vec3 *out)
{
    apply_job j = {v, u, out};
    strain(&j);
    parallel_for(v->s->sim.ctx, v->s->particles.count, POINTS_BLOCK, force_block, &j);
}

void points_viscous_strain(viscous *v, const rill_vec3 *u)
{
    apply_job j = {.v = v, .u = u};
    v->moved = true;
    strain(&j);
}

rill_vec3 points_viscous_pull(viscous *v, const rill_vec3 *u, uint32_t cell, uint32_t link)
{
    const apply_job j = {.v = v, .u = u};
    return pull(&j, cell, link);
}
