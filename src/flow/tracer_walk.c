/* The way of tracers in a step: the midpoint rule, walls, sides and drains.
 *
 * Each depends on itself alone. Whether solids have to be asked is found out for a block of
 * tracers at once, which is a matter of time only: solids_push_out leaves alone what met
 * none. */
#include "base/parallel.h"
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
    size_t first;             /* of the chunk */
    rill_vec3 *middle, *u;    /* of the chunk */
    uint32_t *part;           /* likewise */
    uint8_t *fate;            /* of all */
    const rill_box *drain;    /* bounds, per drain */
    double clearance, wander; /* how far solids get in a step */
    double farthest;          /* way of a step that makes sense, m */
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

/* Whether any of a block can meet a solid on its way. */
static bool near_solids(const walk *w, size_t begin, size_t end)
{
    const solids *walls = &w->sim->solids;
    if (walls->count == 0) return false;
    rill_box b = {v3(INFINITY, INFINITY, INFINITY), v3(-INFINITY, -INFINITY, -INFINITY)};
    double longest = 0;
    for (size_t j = begin; j < end; j++) {
        const rill_vec3 x = w->t->dots.position[w->first + j];
        b.min = v3_min(b.min, x);
        b.max = v3_max(b.max, x);
        longest = fmax(longest, v3_distance(x, w->middle[j]));
    }
    const rill_vec3 center = box_center(b);
    const double reach = v3_distance(center, b.max) + longest + w->wander + w->clearance;
    for (uint32_t k = 0; k < walls->count; k++)
        if (!(solids_room(walls, k, center, w->time + w->dt, 2 * reach) > reach)) return true;
    return false;
}

/* The closed sides of the domain: a convex box needs no following of the way. */
static void keep_inside(const walk *w, rill_vec3 *x, rill_vec3 *v)
{
    const scene_domain *domain = &w->sim->scene->domain;
    for (int a = 0; a < w->sim->scene->dimensions; a++) {
        const double low = v3_axis(domain->min, a) + w->clearance,
                     high = v3_axis(domain->max, a) - w->clearance;
        const double at = v3_axis(*x, a), speed = v3_axis(*v, a);
        if (at < low && !(domain->open & 1u << (2 * a))) {
            v3_set_axis(x, a, low);
            if (speed < 0) v3_set_axis(v, a, 0);
        } else if (at > high && !(domain->open & 1u << (2 * a + 1))) {
            v3_set_axis(x, a, high);
            if (speed > 0) v3_set_axis(v, a, 0);
        }
    }
}

static uint8_t fate_of(const walk *w, rill_vec3 x)
{
    const rill_scene *scene = w->sim->scene;
    const scene_domain *domain = &scene->domain;
    for (int a = 0; a < scene->dimensions; a++) {
        const double low = v3_axis(domain->min, a), high = v3_axis(domain->max, a), at = v3_axis(x, a);
        if (!(at >= low && at <= high))
            return FATE_LEFT; /* through an open side; from the others it is kept */
    }
    for (uint32_t k = 0; k < scene->drain_count; k++)
        if (box_contains(w->drain[k], x) && shape_distance(&scene->drains[k].shape, x, NULL) < 0)
            return FATE_DRAINED;
    return FATE_STAYS;
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
    const bool near = near_solids(w, begin, end);
    for (size_t j = begin; j < end; j++) {
        const size_t i = w->first + j;
        rill_vec3 x = w->middle[j], *v = &p->velocity[i];
        const double dt = own_dt(w, i);
        uint8_t fate = FATE_ENDED;
        if (v3_distance(x, p->position[i]) < w->farthest) { /* what is thrown farther has no place */
            if (near)
                solids_push_out(&w->sim->solids, w->time + w->dt - dt, w->time + w->dt, w->clearance,
                                p->position[i], &x, v);
            else
                keep_inside(w, &x, v);
            fate = fate_of(w, x);
            p->position[i] = x;
        }
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
    rill_box *drain;
    TRY(ARENA_NEW(&t->scratch, w.middle, most));
    TRY(ARENA_NEW(&t->scratch, w.u, most));
    TRY(ARENA_NEW(&t->scratch, w.part, most));
    TRY(ARENA_NEW(&t->scratch, drain, scene->drain_count));
    for (uint32_t k = 0; k < scene->drain_count; k++) drain[k] = shape_bounds(&scene->drains[k].shape);
    w.drain = drain;
    w.clearance = tracers_clearance(scene);
    w.farthest = 100 * v3_distance(scene->domain.min, scene->domain.max);
    w.wander = sim->solids.moving ? dt * solids_max_speed(&sim->solids, time, time + dt) : 0;
    for (; w.first < count; w.first += CHUNK)
        TRY(walk_chunk(sim->ctx, &w, count - w.first < CHUNK ? count - w.first : CHUNK));
    return RILL_OK;
}
