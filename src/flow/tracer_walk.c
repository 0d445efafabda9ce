/* The way of tracers in a step: the midpoint rule, walls, sides and drains.
 *
 * Each depends on itself alone. Solids, sides and drains are drift.h's. */
#include "base/parallel.h"
#include "flow/drift.h"
#include "flow/method.h"

enum {
    BLOCK = 512,    /* tracers that are near each other once they are sorted */
    CHUNK = 1 << 20 /* are asked about at once: what bounds the scratch */
};

typedef struct {
    const rill_sim *sim;
    tracers *t;
    double time, dt;
    const tracers_new *born;
    size_t first;          /* of the chunk */
    rill_vec3 *middle, *u; /* of the chunk */
    uint32_t *part;        /* likewise */
    uint8_t *fate;         /* of all */
    drift way;
} walk;

static double own_dt(const walk *w, size_t i)
{
    return i < w->born->first ? w->dt : w->dt * (double)w->born->left[i - w->born->first];
}

static void to_middle(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const walk *w = arg;
    const rill_vec3 g = scene_gravity(w->sim->scene, w->time);
    for (size_t j = begin; j < end; j++) {
        const size_t i = w->first + j;
        const double dt = own_dt(w, i);
        rill_vec3 *v = &w->t->dots.velocity[i];
        if (w->part[j] != TRACE_NOWHERE && !v3_finite(w->u[j])) w->part[j] = TRACE_NOWHERE;
        *v = w->part[j] == TRACE_NOWHERE ? v3_madd(*v, dt, g) : w->u[j]; /* or nothing carries it */
        w->middle[j] = v3_madd(w->t->dots.position[i], 0.5 * dt, *v);
    }
}

static void arrive(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const walk *w = arg;
    particles *p = &w->t->dots;
    const rill_scene *scene = w->sim->scene;
    for (size_t j = begin; j < end; j++) { /* middle becomes where each is heading */
        const size_t i = w->first + j;
        const double dt = own_dt(w, i);
        rill_vec3 *v = &p->velocity[i];
        if (w->part[j] != TRACE_NOWHERE && v3_finite(w->u[j])) *v = w->u[j];
        w->middle[j] = v3_madd(p->position[i], dt, *v);
    }
    const bool near = drift_near(&w->way, end - begin, p->position + w->first + begin, w->middle + begin);
    for (size_t j = begin; j < end; j++) {
        const size_t i = w->first + j;
        const double dt = own_dt(w, i);
        uint8_t fate = drift_point(&w->way, near, dt, w->middle[j], &p->position[i], &p->velocity[i]);
        float *age = &p->column[TRACER_AGE].value[i];
        *age += (float)dt;
        const uint32_t source = (uint32_t)p->column[TRACER_SOURCE].value[i];
        if (fate == FATE_STAYS && *age >= scene_tracer_source(scene, source).life) fate = FATE_ENDED;
        w->fate[i] = fate;
    }
}

static rill_status ask(const rill_sim *sim, size_t n, const rill_vec3 *x, uint32_t *part, rill_vec3 *u)
{
    const rill_method *m = sim->method;
    if (m->trace) return m->trace(sim, n, x, part, u);
    if (m->velocity) return m->velocity(sim, n, x, u);
    for (size_t j = 0; j < n; j++) part[j] = TRACE_NOWHERE;
    return RILL_OK;
}

static rill_status walk_chunk(rill_ctx *ctx, const walk *w, size_t n)
{
    for (size_t j = 0; j < n; j++) w->part[j] = TRACE_NEAREST;
    TRY(ask(w->sim, n, w->t->dots.position + w->first, w->part, w->u));
    parallel_for(ctx, n, BLOCK, to_middle, (void *)w);
    TRY(ask(w->sim, n, w->middle, w->part, w->u));
    parallel_for(ctx, n, BLOCK, arrive, (void *)w);
    return RILL_OK;
}

rill_status tracers_walk(rill_sim *sim, double time, double dt, const tracers_new *born, uint8_t *fate)
{
    const rill_scene *scene = sim->scene;
    tracers *t = &sim->tracers;
    walk w = {.sim = sim, .t = t, .time = time, .dt = dt, .born = born, .fate = fate};
    const size_t count = t->dots.count, most = count < CHUNK ? count : CHUNK;
    TRY(ARENA_NEW(&t->scratch, w.middle, most));
    TRY(ARENA_NEW(&t->scratch, w.u, most));
    TRY(ARENA_NEW(&t->scratch, w.part, most));
    TRY(drift_init(&t->scratch, scene, &sim->solids, time, dt, &w.way));
    for (; w.first < count; w.first += CHUNK)
        TRY(walk_chunk(sim->ctx, &w, count - w.first < CHUNK ? count - w.first : CHUNK));
    return RILL_OK;
}
