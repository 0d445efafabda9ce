/* What must hold after every step: positions and velocities are finite, nothing is
 * faster than anything in the scene could make it, and no particle is gone that was not
 * drained and did not leave. */
#include "base/parallel.h"
#include "run/run.h"

#include <math.h>

/* A hundred times the speed of what the scene holds, gives or drops through the whole
 * domain, at least 10 m/s: far above any splash, and reached within a few steps by
 * anything that is diverging. */
double run_speed_limit(const rill_sim *sim)
{
    const rill_scene *scene = sim->scene;
    const double fall = v3_distance(scene->domain.min, scene->domain.max) * scene_gravity_most(scene);
    double speed = sqrt(2 * fall), largest = 0;
    rill_view view = {0};
    sim->method->view(sim, &view);
    for (size_t i = 0; view.particles && i < view.particles->count; i++)
        largest = fmax(largest, v3_length(view.particles->velocity[i]));
    for (uint32_t i = 0; i < scene->emitter_count; i++)
        largest = fmax(largest, emitter_speed_most(&scene->emitters[i]));
    largest = fmax(largest, solids_max_speed(&sim->solids, -INFINITY, INFINITY));
    return fmax(100 * (speed + largest), 10);
}

static uint64_t gone(const rill_sim *sim)
{
    return sim->sources.drained + sim->sources.left + sim->sources.merged;
}

run_before check_before(const rill_sim *sim)
{
    rill_view view = {0};
    sim->method->view(sim, &view);
    if (!view.particles) return (run_before){0};
    return (run_before){view.particles->count, gone(sim), view.particles->next_id};
}

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

static rill_status tell_worst(const rill_sim *sim, const particles *p, double limit)
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

rill_status check_after(const rill_sim *sim, const run_before *before, double limit)
{
    rill_view view = {0};
    sim->method->view(sim, &view);
    const particles *p = view.particles;
    if (!p) return RILL_OK;
    if (parallel_max(sim->ctx, p->count, worst, (void *)p) > limit * limit) return tell_worst(sim, p, limit);

    const uint64_t expected = before->count + (p->next_id - before->born) - (gone(sim) - before->gone);
    if (p->count < expected)
        return rill_fail(sim->ctx, RILL_BLEW_UP, "%llu of %llu particles were lost",
                         (unsigned long long)(expected - p->count), (unsigned long long)expected);
    return RILL_OK;
}
