/* Bodies for a host: where they are, how they move, what pushes them. */
#include "api/api.h"
#include "flow/host.h"

uint32_t rill_sim_body_count(const rill_sim *sim)
{
    return sim ? sim->bodies.count : 0;
}

const char *rill_sim_body_name(const rill_sim *sim, uint32_t body)
{
    if (body >= rill_sim_body_count(sim)) return NULL;
    return sim->scene->solids[sim->bodies.solid[body]].name;
}

static rill_status check_body(const rill_sim *sim, const char *call, uint32_t body)
{
    if (body < sim->bodies.count) return RILL_OK;
    return rill_fail(sim->ctx, RILL_USAGE, "%s: there is no body %u; the scene has %u", call, body,
                     sim->bodies.count);
}

rill_status rill_sim_body_pose(const rill_sim *sim, uint32_t body, rill_pose *out)
{
    static const struct solid_pose unturned = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}, 1};
    TRY(api_may_read(sim, "rill_sim_body_pose"));
    TRY(check_body(sim, "rill_sim_body_pose", body));
    if (!out) return rill_fail(sim->ctx, RILL_USAGE, "rill_sim_body_pose: the output is NULL");
    const struct solid_pose *pose = world_pose(&sim->bodies.world, body);
    const quaternion q = quaternion_turn(solid_pose_turn(&unturned, pose));
    *out = (rill_pose){.position = pose->translate,
                       .rotation = {q.w, q.x, q.y, q.z},
                       .scale = pose->scale,
                       .center = sim->bodies.world.state[body].center};
    return RILL_OK;
}

rill_status rill_sim_body_velocity(const rill_sim *sim, uint32_t body, rill_vec3 *velocity, rill_vec3 *spin)
{
    TRY(api_may_read(sim, "rill_sim_body_velocity"));
    TRY(check_body(sim, "rill_sim_body_velocity", body));
    if (velocity) *velocity = sim->bodies.world.state[body].velocity;
    if (spin) *spin = sim->bodies.world.state[body].spin;
    return RILL_OK;
}

rill_status rill_sim_body_force(const rill_sim *sim, uint32_t body, rill_vec3 *force, rill_vec3 *torque)
{
    TRY(api_may_read(sim, "rill_sim_body_force"));
    TRY(check_body(sim, "rill_sim_body_force", body));
    if (force) *force = sim->bodies.force[body];
    if (torque) *torque = sim->bodies.torque[body];
    return RILL_OK;
}

rill_status rill_sim_body_apply(rill_sim *sim, uint32_t body, rill_vec3 force, rill_vec3 torque)
{
    TRY(api_may_steer(sim, "rill_sim_body_apply"));
    TRY(check_body(sim, "rill_sim_body_apply", body));
    if (!v3_finite(force) || !v3_finite(torque))
        return rill_fail(sim->ctx, RILL_USAGE, "rill_sim_body_apply: the force or the torque is not finite");
    host_push_body(sim, body, force, torque);
    return RILL_OK;
}
