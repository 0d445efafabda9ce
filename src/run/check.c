/* What must hold after every step: the state of fluid and bodies is finite, nothing is faster than anything
 * in the scene could make it, and no particle is gone that was not drained and did not leave. */
#include "base/parallel.h"
#include "run/run.h"

#include <math.h>

/* The largest squared speed; infinite where anything is not finite. */
static double worst(void *arg, size_t begin, size_t end)
{
    const particles *p = arg;
    double most = 0;
    for (size_t i = begin; i < end; i++) {
        const double v = v3_dot(p->velocity[i], p->velocity[i]);
        if (!(v3_finite(p->position[i]) && v < INFINITY)) return INFINITY;
        most = v > most ? v : most;
    }
    return most;
}

/* The largest speed of the fluid, by the method's own count or of its particles; where: only by the
 * method's. Not finite when the state is not. */
static double fluid_speed(const rill_sim *sim, const particles *p, rill_vec3 *where)
{
    if (sim->method->max_speed) return sim->method->max_speed(sim, where);
    return p && p->count ? sqrt(parallel_max(sim->ctx, p->count, worst, (void *)p)) : 0;
}

/* A hundred times the speed of what the scene holds, gives or drops through the whole
 * domain, at least 10 m/s: far above any splash, and reached within a few steps by
 * anything that is diverging. */
double run_speed_limit(const rill_sim *sim)
{
    const rill_scene *scene = sim->scene;
    const double fall = v3_distance(scene->domain.min, scene->domain.max) * scene_gravity_most(scene);
    rill_view view = {0};
    sim_view(sim, &view);
    rill_vec3 where = {0, 0, 0};
    const double speed = sqrt(2 * fall);
    double largest = fluid_speed(sim, view.particles, &where);
    if (!isfinite(largest)) largest = 0; /* the first check reports it */
    for (uint32_t i = 0; i < scene->emitter_count; i++)
        largest = fmax(largest, emitter_speed_most(&scene->emitters[i]));
    largest = fmax(largest, sources_joining_speed(scene, 0, INFINITY));
    largest = fmax(largest, solids_max_speed(&sim->solids, -INFINITY, INFINITY));
    for (uint32_t i = 0; i < sim->bodies.count; i++)
        largest = fmax(largest, v3_length(sim->bodies.world.state[i].velocity));
    return fmax(100 * (speed + largest), 10);
}

static uint64_t gone(const rill_sim *sim)
{
    return sim->sources.drained + sim->sources.left + sim->sources.merged;
}

run_before check_before(const rill_sim *sim)
{
    rill_view view = {0};
    sim_view(sim, &view);
    if (!view.particles) return (run_before){0};
    return (run_before){view.particles->count, gone(sim), view.particles->next_id};
}

static rill_status tell_worst_particle(const rill_sim *sim, const particles *p, double limit)
{
    for (size_t i = 0; i < p->count; i++) {
        const rill_vec3 x = p->position[i];
        const double v = v3_length(p->velocity[i]);
        if (!v3_finite(x) || !isfinite(v))
            return rill_fail(sim->ctx, RILL_BLEW_UP,
                             "particle %llu has no finite position or velocity any more",
                             (unsigned long long)p->id[i]);
        if (v > limit)
            return rill_fail(
                sim->ctx, RILL_BLEW_UP,
                "particle %llu near (%.3g, %.3g, %.3g) moves at %.3g m/s, beyond the %.3g m/s this "
                "scene could explain",
                (unsigned long long)p->id[i], x.x, x.y, x.z, v, limit);
    }
    return rill_fail(sim->ctx, RILL_BLEW_UP, "a particle is beyond the range of numbers");
}

static rill_status tell_worst(const rill_sim *sim, double speed, rill_vec3 x, double limit)
{
    if (!isfinite(speed))
        return rill_fail(sim->ctx, RILL_BLEW_UP, "the state near (%.3g, %.3g, %.3g) is not finite any more",
                         x.x, x.y, x.z);
    return rill_fail(sim->ctx, RILL_BLEW_UP,
                     "the fluid near (%.3g, %.3g, %.3g) moves at %.3g m/s, beyond the %.3g m/s this scene "
                     "could explain",
                     x.x, x.y, x.z, speed, limit);
}

/* Bodies that have left the domain may fall as fast as they like. */
static rill_status check_bodies(const rill_sim *sim, double limit)
{
    const scene_domain *d = &sim->scene->domain;
    for (uint32_t i = 0; i < sim->bodies.count; i++) {
        const world_state *b = &sim->bodies.world.state[i];
        const char *name = sim->scene->solids[sim->bodies.solid[i]].name;
        const double v = v3_length(b->velocity);
        if (!v3_finite(b->center) || !isfinite(v) || !v3_finite(b->spin) || !isfinite(b->turn.w))
            return rill_fail(sim->ctx, RILL_BLEW_UP,
                             "body %u \"%s\" has no finite place or velocity any more", i, name);
        if (v > limit && box_contains((rill_box){d->min, d->max}, b->center))
            return rill_fail(sim->ctx, RILL_BLEW_UP,
                             "body %u \"%s\" near (%.3g, %.3g, %.3g) moves at %.3g m/s, beyond the %.3g m/s "
                             "this scene could explain",
                             i, name, b->center.x, b->center.y, b->center.z, v, limit);
    }
    return RILL_OK;
}

rill_status check_after(const rill_sim *sim, const run_before *before, double limit)
{
    TRY(check_bodies(sim, limit));
    rill_view view = {0};
    sim_view(sim, &view);
    const particles *p = view.particles;
    rill_vec3 where = {0, 0, 0};
    const double speed = fluid_speed(sim, p, &where);
    if (!(speed <= limit))
        return sim->method->max_speed ? tell_worst(sim, speed, where, limit)
                                      : tell_worst_particle(sim, p, limit);
    if (!p) return RILL_OK;

    const uint64_t expected = before->count + (p->next_id - before->born) - (gone(sim) - before->gone);
    if (p->count < expected)
        return rill_fail(sim->ctx, RILL_BLEW_UP, "%llu of %llu particles were lost",
                         (unsigned long long)(expected - p->count), (unsigned long long)expected);
    return RILL_OK;
}
