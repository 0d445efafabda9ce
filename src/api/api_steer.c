/* What a host changes while a simulation runs, and the callback after a step. */
#include "api/api.h"
#include "flow/host.h"
#include "io/scene_file.h"
#include "run/stepper.h"

/* Far beyond any tank, and far from where numbers end. */
static const double most_acceleration = 1e6, most_speed = 1e4, most_way = 1e6;

/* What is faster than before is no sign of a failure. Never lowered: liquid that is fast stays so for a
 * while. */
static void raise_limit(rill_sim *sim)
{
    double pushed = 0;
    for (uint32_t k = 0; k < HOST_FORCES; k++) {
        const host_force *f = &sim->host->force[k];
        pushed += sqrt(4 * v3_length(f->acceleration) * f->radius); /* through the whole ball */
    }
    sim->speed_limit = fmax(sim->speed_limit, run_speed_limit(sim) + 100 * pushed);
}

static bool sensible(rill_vec3 v, double most)
{
    return v3_finite(v) && v3_length(v) <= most;
}

rill_status rill_sim_set_gravity(rill_sim *sim, rill_vec3 gravity)
{
    TRY(api_may_steer(sim, "rill_sim_set_gravity"));
    if (!sensible(gravity, most_acceleration))
        return rill_fail(sim->ctx, RILL_USAGE,
                         "rill_sim_set_gravity: (%g, %g, %g) m/s^2; it must be finite and at most %g",
                         gravity.x, gravity.y, gravity.z, most_acceleration);
    host_set_gravity(sim, gravity);
    raise_limit(sim);
    return RILL_OK;
}

static rill_status check_carried(const rill_sim *sim, const char *call)
{
    if (method_carried(sim->scene)) return RILL_OK;
    return rill_fail(sim->ctx, RILL_USAGE,
                     "%s: particles do not carry the liquid of this simulation (method \"%s\")", call,
                     sim->method->name);
}

rill_status rill_sim_set_force(rill_sim *sim, uint32_t slot, const rill_force *force)
{
    TRY(api_may_steer(sim, "rill_sim_set_force"));
    TRY(check_carried(sim, "rill_sim_set_force"));
    if (slot >= RILL_FORCES)
        return rill_fail(sim->ctx, RILL_USAGE, "rill_sim_set_force: force %u of %d", slot, RILL_FORCES);
    if (!force) {
        host_set_force(sim, slot, NULL);
        return RILL_OK;
    }
    if (!sensible(force->acceleration, most_acceleration) || !sensible(force->center, most_way) ||
        !(force->radius > 0 && force->radius <= most_way))
        return rill_fail(
            sim->ctx, RILL_USAGE,
            "rill_sim_set_force: a force needs a finite place and acceleration and a radius above 0");
    host_set_force(sim, slot, &(host_force){force->center, force->acceleration, force->radius});
    raise_limit(sim);
    return RILL_OK;
}

rill_status rill_sim_set_emitter(rill_sim *sim, uint32_t emitter, double speed)
{
    TRY(api_may_steer(sim, "rill_sim_set_emitter"));
    if (emitter >= sim->scene->emitter_count)
        return rill_fail(sim->ctx, RILL_USAGE, "rill_sim_set_emitter: emitter %u of %u", emitter,
                         sim->scene->emitter_count);
    if (!(speed >= 0 && speed <= most_speed))
        return rill_fail(sim->ctx, RILL_USAGE,
                         "rill_sim_set_emitter: a speed of %g m/s; it must be from 0 to %g", speed,
                         most_speed);
    host_set_emitter(sim, emitter, speed);
    raise_limit(sim);
    return RILL_OK;
}

rill_status rill_sim_add_liquid(rill_sim *sim, const char *json, size_t length, uint64_t *added)
{
    TRY(api_may_steer(sim, "rill_sim_add_liquid"));
    TRY(check_carried(sim, "rill_sim_add_liquid"));
    if (!json) return rill_fail(sim->ctx, RILL_USAGE, "rill_sim_add_liquid: the text is NULL");
    if (sim->scene->fill)
        return rill_fail(sim->ctx, RILL_USAGE, "rill_sim_add_liquid: the fluid fills the domain already");
    scene_liquid liquid = {0};
    uint64_t count = 0;
    TRY(scene_parse_liquid(sim->ctx, "added liquid", json, length, sim->scene->dimensions, &liquid));
    const rill_status st = host_add_liquid(sim, &liquid, &count);
    params_clear(sim->ctx, scene_liquid_params, &liquid);
    if (st) return st;
    for (size_t i = 0; i < sim->host->liquid.count; i++) /* as if it had been there at the start */
        sim->speed_limit = fmax(sim->speed_limit, 100 * v3_length(sim->host->liquid.velocity[i]));
    if (added) *added = count;
    return RILL_OK;
}

static rill_status check_solid(const rill_sim *sim, const char *call, uint32_t solid, const void *pose)
{
    if (!pose) return rill_fail(sim->ctx, RILL_USAGE, "%s: the pose is NULL", call);
    if (solid < sim->scene->solid_count) return RILL_OK;
    return rill_fail(sim->ctx, RILL_USAGE, "%s: solid %u of %u", call, solid, sim->scene->solid_count);
}

rill_status rill_sim_pose(const rill_sim *sim, uint32_t solid, rill_offset *out)
{
    TRY(api_may_read(sim, "rill_sim_pose"));
    TRY(check_solid(sim, "rill_sim_pose", solid, out));
    host_pose_at(sim, solid, sim->time, &out->translate, &out->rotate);
    return RILL_OK;
}

rill_status rill_sim_set_pose(rill_sim *sim, uint32_t solid, const rill_offset *pose, double until)
{
    TRY(api_may_steer(sim, "rill_sim_set_pose"));
    TRY(check_solid(sim, "rill_sim_set_pose", solid, pose));
    const scene_solid *s = &sim->scene->solids[solid];
    if (s->motion.count == 0 || s->is_body)
        return rill_fail(
            sim->ctx, RILL_USAGE,
            "rill_sim_set_pose: solid %u (\"%s\") is not animated; give it a \"motion\" with one "
            "keyframe in the scene",
            solid, s->name ? s->name : "");
    if (!sensible(pose->translate, most_way) || !sensible(pose->rotate, most_way) || !isfinite(until) ||
        !(sim->time + 1e-9 < until))
        return rill_fail(sim->ctx, RILL_USAGE,
                         "rill_sim_set_pose: the pose must be finite, and its time after t = %.6g s",
                         sim->time);
    if (sim->scene->dimensions == 2 && (pose->rotate.x != 0 || pose->rotate.y != 0))
        return rill_fail(sim->ctx, RILL_USAGE,
                         "rill_sim_set_pose: in two dimensions solids turn about z alone");
    host_set_pose(sim, solid, pose->translate, pose->rotate, until);
    raise_limit(sim);
    return RILL_OK;
}

/* ---- after a step ---- */

rill_status rill_sim_on_step(rill_sim *sim, rill_step_fn *fn, void *user)
{
    TRY(api_may_steer(sim, "rill_sim_on_step"));
    sim->host->stepped = fn;
    sim->host->user = user;
    return RILL_OK;
}

void rill_sim_stats(const rill_sim *sim, rill_stats *out)
{
    if (!out) return;
    const rill_step_stats none = step_stats_none(), *s = sim ? &sim->host->stats : &none;
    *out = (rill_stats){.dt = sim ? sim->host->dt : NAN,
                        .seconds = sim ? sim->host->wall_s : NAN,
                        .elements = s->elements,
                        .volume = s->volume,
                        .kinetic = s->kinetic,
                        .potential = s->potential,
                        .max_speed = s->max_speed,
                        .compression = s->compression,
                        .div_max = s->div_max,
                        .div_rms = s->div_rms,
                        .solve_iterations = s->solve_iterations,
                        .viscous_iterations = s->viscous_iterations,
                        .solve_residual = s->solve_residual,
                        .viscous_residual = s->viscous_residual,
                        .stage_count = s->stage_count};
    _Static_assert(STEP_MAX_STAGES <= 16, "rill_stats has room for every stage");
    for (uint32_t k = 0; k < s->stage_count; k++) {
        out->stage_name[k] = s->stage[k].name;
        out->stage_seconds[k] = s->stage[k].seconds;
    }
}
