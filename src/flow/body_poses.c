#include "flow/body_poses.h"

enum { QW, QX, QY, QZ, SCALE, WX, WY, WZ, COLUMNS };
static const char *const names[COLUMNS] = {"qw", "qx", "qy", "qz", "scale", "wx", "wy", "wz"};
static const struct solid_pose unturned = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}, 1};

rill_status body_poses_make(rill_ctx *ctx, const body_set *b, particles *out)
{
    particles p = {0};
    rill_status st = RILL_OK;
    for (int k = 0; k < COLUMNS && !st; k++) st = particles_add_column(ctx, &p, names[k]);
    for (uint32_t i = 0; i < b->count && !st; i++) {
        const struct solid_pose *pose = world_pose(&b->world, i);
        const world_state *s = &b->world.state[i];
        const rill_vec3 velocity = v3_add(s->velocity, v3_cross(s->spin, v3_sub(pose->translate, s->center)));
        const quaternion q = quaternion_turn(solid_pose_turn(&unturned, pose));
        const double value[COLUMNS] = {q.w, q.x, q.y, q.z, pose->scale, s->spin.x, s->spin.y, s->spin.z};
        st = particles_append(ctx, &p, 1, &pose->translate, &velocity);
        if (st) break;
        p.id[i] = b->solid[i];
        for (int k = 0; k < COLUMNS; k++) p.column[k].value[i] = (float)value[k];
    }
    if (st) {
        particles_clear(ctx, &p);
        return st;
    }
    *out = p;
    return RILL_OK;
}

/* False when the element cannot be the pose of a body. */
static bool ride_of(const particles *p, size_t i, float *const column[COLUMNS], struct solid_ride *out)
{
    double v[COLUMNS];
    for (int k = 0; k < COLUMNS; k++) {
        v[k] = column[k][i];
        if (!isfinite(v[k])) return false;
    }
    const quaternion q = {v[QW], v[QX], v[QY], v[QZ]};
    const double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(length > 0.9 && length < 1.1 && v[SCALE] > 0) || !v3_finite(p->position[i]) ||
        !v3_finite(p->velocity[i]))
        return false;
    *out = (struct solid_ride){
        .riding = true,
        .pose = solid_pose_moved(&unturned, quaternion_unit(q), v3(0, 0, 0), p->position[i]),
        .center = p->position[i],
        .velocity = p->velocity[i],
        .spin = v3(v[WX], v[WY], v[WZ])};
    out->pose.scale = v[SCALE];
    return true;
}

rill_status body_poses_rides(rill_ctx *ctx, const rill_scene *scene, const particles *poses,
                             struct solid_ride **out)
{
    float *column[COLUMNS];
    struct solid_ride *rides;
    TRY(MEM_NEW_ZERO(ctx, rides, scene->solid_count));
    bool whole = true;
    for (int k = 0; k < COLUMNS; k++) {
        column[k] = particles_column(poses, names[k]);
        whole &= column[k] != NULL;
    }
    for (size_t i = 0; whole && i < poses->count; i++) {
        const uint64_t solid = poses->id[i];
        if (solid >= scene->solid_count || !scene->solids[solid].is_body) continue;
        struct solid_ride ride;
        if (ride_of(poses, i, column, &ride)) rides[solid] = ride;
    }
    *out = rides;
    return RILL_OK;
}

void solids_follow(solids *walls, const struct solid_ride *rides)
{
    for (uint32_t i = 0; rides && i < walls->count; i++)
        if (rides[i].riding) walls->ride[i] = rides[i];
}

void body_poses_turn_up(particles *poses)
{
    static const quaternion up = {0.70710678118654752, 0.70710678118654752, 0, 0};
    float *column[COLUMNS];
    for (int k = 0; k < COLUMNS; k++) {
        column[k] = particles_column(poses, names[k]);
        if (!column[k]) return;
    }
    for (size_t i = 0; i < poses->count; i++) {
        const quaternion q =
            quaternion_times(up, (quaternion){column[QW][i], column[QX][i], column[QY][i], column[QZ][i]});
        const double value[] = {q.w, q.x, q.y, q.z};
        for (int k = 0; k < 4; k++) column[k][i] = (float)value[k];
        const float y = column[WY][i];
        column[WY][i] = -column[WZ][i];
        column[WZ][i] = y;
    }
}
