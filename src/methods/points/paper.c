/* The scheme as it was published ([Sin09] 3.3 and 3.4): divergence from averaged velocities at the faces'
 * centroids, velocities updated by gradients fitted to the pressures, points moved by averaged
 * velocities. Kept for comparison: it does not hold its volume (errata E-S4).
 *
 * Air counts with eq. 11's factor of two: at the facets of the clipped cells (3.2), or, with exact balls, a
 * radius away from a point along its patch. */
#include "base/parallel.h"
#include "geom/search/nearest.h"
#include "points/fit.h"
#include "points/state.h"

enum { CHUNK = 32768 }; /* averages at a time: their neighbours take memory */

/* Averages of eq. 12 at places that belong to the components of cells. */
typedef struct {
    points *s;
    const rill_vec3 *x;
    const uint32_t *near;
    rill_vec3 *out;
} average_job;

static void average_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const average_job *j = arg;
    const points *s = j->s;
    for (size_t i = begin; i < end; i++) {
        const uint32_t *near = j->near + i * s->average.most;
        double far2 = 0, all = 0;
        rill_vec3 sum = {0, 0, 0};
        uint32_t n = 0;
        for (; n < s->average.most && near[n] != UINT32_MAX; n++) {
            const rill_vec3 d = v3_sub(s->particles.position[near[n]], j->x[i]);
            far2 = fmax(far2, v3_dot(d, d));
        }
        const double scale = far2 > 0 ? 1 / (1.08 * sqrt(far2)) : 0;
        for (uint32_t k = 0; k < n; k++) {
            const double d = v3_distance(s->particles.position[near[k]], j->x[i]);
            const double w = points_weight(s->def.kernel, scale * d);
            sum = v3_madd(sum, w, s->particles.velocity[near[k]]);
            all += w;
        }
        j->out[i] = all > 0 ? v3_scale(sum, 1 / all) : v3(0, 0, 0);
    }
}

static rill_status averages(points *s, size_t n, const rill_vec3 *x, const uint32_t *label_of,
                            const uint32_t *label, uint32_t *near, rill_vec3 *out)
{
    rill_ctx *ctx = s->sim.ctx;
    for (size_t k = 0; k < n; k += CHUNK) {
        const size_t some = n - k < CHUNK ? n - k : CHUNK;
        const nearest_query q = {.points = &s->average.bins,
                                 .x = x + k,
                                 .count = some,
                                 .k = s->average.most,
                                 .within = s->def.reach * s->sizes.of[1].radius,
                                 .label = label,
                                 .label_of = label_of + k};
        TRY(nearest_find(ctx, &q, near, NULL, NULL));
        average_job j = {s, x + k, near, out + k};
        parallel_for(ctx, some, POINTS_BLOCK, average_block, &j);
    }
    return RILL_OK;
}

/* eq. 7. */
rill_status points_paper_divergence(points *s, double t, double *out)
{
    const size_t n = s->particles.count, inner = s->mesh.inner_count, all = inner + n;
    rill_vec3 *x, *u;
    uint32_t *label, *label_of, *near;
    TRY(ARENA_NEW(&s->scratch, x, all));
    TRY(ARENA_NEW(&s->scratch, u, all));
    TRY(ARENA_NEW(&s->scratch, label, n));
    TRY(ARENA_NEW(&s->scratch, label_of, all));
    TRY(ARENA_NEW(&s->scratch, near, (size_t)CHUNK * s->average.most));
    for (size_t i = 0; i < n; i++) label[i] = (uint32_t)s->component[i];
    for (size_t k = 0; k < inner; k++) {
        x[k] = points_shape(s, &s->mesh.face[k])->centroid;
        label_of[k] = label[s->mesh.face[k].a];
    }
    for (size_t i = 0; i < n; i++) { /* the middle of the patch */
        x[inner + i] = s->mesh.cell[i].air > 0 ? s->mesh.cell[i].air_middle : s->particles.position[i];
        label_of[inner + i] = label[i];
    }
    TRY(averages(s, all, x, label_of, label, near, u));
    for (uint32_t k = 0; k < s->mesh.face_count; k++) {
        rill_vec3 velocity;
        if (k >= inner) points_wall_holds(s, &s->mesh.face[k], t, &velocity);
        s->mesh.face[k].flux = v3_dot(points_shape(s, &s->mesh.face[k])->area, k < inner ? u[k] : velocity);
    }
    for (size_t i = 0; i < n; i++) {
        const points_cell *c = &s->mesh.cell[i];
        out[i] = v3_dot(c->air_area, u[inner + i]);
        for (uint32_t e = c->begin; e < c->end; e++) {
            const points_face *f = &s->mesh.face[s->mesh.link[e]];
            out[i] += f->a == i ? f->flux : -f->flux;
        }
    }
    return RILL_OK;
}

/* eq. 8 to 10: minus the gradient of q. */
typedef struct {
    const points *s;
    rill_vec3 *out;
} gradient_job;

static void gradient_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const gradient_job *j = arg;
    const points *s = j->s;
    const rill_vec3 *x = s->particles.position;
    for (size_t i = begin; i < end; i++) {
        const uint32_t *near = s->average.near + i * s->average.most;
        points_fit fit = points_fit_none();
        double far2 = 0;
        rill_vec3 gradient;
        for (uint32_t k = 0; k < s->average.most; k++) {
            const rill_vec3 d = v3_sub(x[near[k]], x[i]);
            far2 = fmax(far2, v3_dot(d, d));
        }
        const double scale = far2 > 0 ? 1 / (1.08 * sqrt(far2)) : 0;
        for (uint32_t k = 0; k < s->average.most; k++) {
            if (k > 0 && near[k] == i) continue; /* filled up with itself */
            const rill_vec3 d = v3_sub(x[near[k]], x[i]);
            points_fit_add(&fit, points_weight(s->def.kernel, scale * v3_length(d)), v3_scale(d, 1 / s->h),
                           s->q[near[k]]);
        }
        points_fit_solve(&fit, &gradient);
        j->out[i] = v3_scale(gradient, -1 / s->h);
    }
}

void points_paper_gradient(points *s, rill_vec3 *out)
{
    gradient_job j = {s, out};
    parallel_for(s->sim.ctx, s->particles.count, POINTS_BLOCK, gradient_block, &j);
}

/* 3.4: second-order through the field of averages; its velocity is the point's no more than before. */
rill_vec3 points_paper_way(const points *s, uint32_t i, double dt)
{
    const rill_vec3 *v = s->particles.velocity, x = s->particles.position[i];
    const rill_vec3 middle = v3_madd(x, dt / 2, points_average_at(s, v, i, x));
    return v3_scale(points_average_at(s, v, i, middle), dt);
}
