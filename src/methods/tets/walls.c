#include "tets/walls.h"

static rill_vec3 flattened(const walls *w, rill_vec3 x)
{
    return w->flat ? v3(x.x, x.y, 0) : x;
}

rill_vec3 wall_local(const walls *w, uint32_t k, rill_vec3 x)
{
    return solid_to_local(&w->at[k].place.pose, x);
}

rill_vec3 wall_world(const walls *w, uint32_t k, rill_vec3 x)
{
    return solid_to_world(&w->at[k].place.pose, x);
}

double wall_distance(const walls *w, uint32_t k, rill_vec3 x, rill_vec3 *normal)
{
    const struct solid_pose *pose = &w->at[k].place.pose;
    const side_grid *sides = w->at[k].sides;
    const rill_vec3 local = solid_to_local(pose, flattened(w, x));
    rill_vec3 n;
    const double d = pose->scale * (sides ? side_grid_distance(sides, local, normal ? &n : NULL)
                                          : shape_distance(&w->at[k].form, local, normal ? &n : NULL));
    if (normal) {
        n = solid_turned_back(pose, n);
        *normal = w->flat && n.z != 0 ? shape_unit(v3(n.x, n.y, 0)) : n;
    }
    return d;
}

/* Whether it is surely farther away from x, in the fluid, than that. */
static bool surely_beyond(const walls *w, uint32_t k, rill_vec3 x, double most)
{
    const wall *a = &w->at[k];
    return a->sides && a->place.pose.scale * side_grid_bound(a->sides, wall_local(w, k, x)) > most;
}

double walls_nearest_side(const walls *w, rill_vec3 x, int *side)
{
    const double d[SIDE_COUNT] = {x.x - w->box.min.x, w->box.max.x - x.x, x.y - w->box.min.y,
                                  w->box.max.y - x.y, x.z - w->box.min.z, w->box.max.z - x.z};
    double nearest = INFINITY;
    for (int k = 0; k < SIDE_COUNT; k++)
        if (d[k] < nearest) {
            nearest = d[k];
            *side = k;
        }
    return nearest;
}

/* Whether nothing of the box around a wall is within reach of x. */
static bool out_of_reach(const rill_box *b, rill_vec3 x, double reach)
{
    const double dx = x.x < b->min.x ? b->min.x - x.x : x.x > b->max.x ? x.x - b->max.x : 0;
    const double dy = x.y < b->min.y ? b->min.y - x.y : x.y > b->max.y ? x.y - b->max.y : 0;
    const double dz = x.z < b->min.z ? b->min.z - x.z : x.z > b->max.z ? x.z - b->max.z : 0;
    return reach >= 0 && dx * dx + dy * dy + dz * dz > reach * reach;
}

/* The solid nearest to x, when nearer than `most`: its index, or WALL_NONE. */
static uint32_t nearest_solid(const walls *w, rill_vec3 x, double *most, rill_vec3 *normal)
{
    uint32_t owner = WALL_NONE;
    for (uint32_t k = 0; k < w->count; k++) {
        const double reach = fmax(*most, 0);
        if (out_of_reach(&w->at[k].place.bounds, x, reach) || surely_beyond(w, k, x, reach)) continue;
        rill_vec3 m;
        const double d = wall_distance(w, k, x, normal ? &m : NULL);
        if (!(d < *most)) continue;
        *most = d;
        owner = k;
        if (normal) *normal = m;
    }
    return owner;
}

double walls_distance(const walls *w, rill_vec3 x, rill_vec3 *normal, uint32_t *owner)
{
    int side = 0;
    double nearest = walls_nearest_side(w, x, &side);
    if (normal) {
        *normal = v3(0, 0, 0);
        v3_set_axis(normal, side_axis(side), side % 2 == 0 ? 1 : -1);
    }
    const uint32_t solid = nearest_solid(w, x, &nearest, normal);
    if (owner) *owner = solid != WALL_NONE ? solid : (uint32_t)(WALL_SIDE + side);
    return nearest;
}

double walls_solid_distance(const walls *w, rill_vec3 x, double most, rill_vec3 *normal)
{
    *normal = v3(0, 0, 0);
    (void)nearest_solid(w, x, &most, normal);
    return most;
}

/* The nearest of all solids but `except` and of what is at `nearest`; beyond `most` nothing matters. */
static double nearer_solid(const walls *w, rill_vec3 x, double nearest, double most, uint32_t except)
{
    for (uint32_t k = 0; k < w->count; k++) {
        const double limit = nearest < most ? nearest : most, reach = limit > 0 ? limit : 0;
        if (k == except || out_of_reach(&w->at[k].place.bounds, x, reach) || surely_beyond(w, k, x, reach))
            continue;
        const double d = wall_distance(w, k, x, NULL);
        if (d < nearest) nearest = d;
    }
    return nearest;
}

double walls_near_solids(const walls *w, rill_vec3 x, double most, uint32_t except)
{
    return nearer_solid(w, x, INFINITY, most, except);
}

double walls_near(const walls *w, rill_vec3 x, double most)
{
    int side;
    return nearer_solid(w, x, walls_nearest_side(w, x, &side), most, WALL_NONE);
}

double wall_within(const walls *w, uint32_t k, rill_vec3 x, double most)
{
    if (out_of_reach(&w->at[k].place.bounds, x, most) || surely_beyond(w, k, x, most)) return INFINITY;
    return wall_distance(w, k, x, NULL);
}

uint32_t walls_around(const walls *w, rill_vec3 x, double reach, wall_near out[WALLS_AROUND])
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < w->count && count < WALLS_AROUND; k++) {
        if (!(wall_within(w, k, x, reach) < reach)) continue;
        wall_near *a = &out[count++];
        a->owner = k;
        a->d = wall_distance(w, k, x, &a->normal);
    }
    for (int side = 0; side < SIDE_COUNT && count < WALLS_AROUND; side++) {
        const int axis = side_axis(side);
        const double d = side % 2 == 0 ? v3_axis(x, axis) - v3_axis(w->box.min, axis)
                                       : v3_axis(w->box.max, axis) - v3_axis(x, axis);
        if (!(d < reach)) continue;
        wall_near *a = &out[count++];
        *a = (wall_near){.d = d, .owner = (uint32_t)(WALL_SIDE + side)};
        v3_set_axis(&a->normal, axis, side % 2 == 0 ? 1 : -1);
    }
    return count;
}

double wall_free_way(const walls *w, uint32_t k, rill_vec3 a, rill_vec3 b)
{
    const double length = v3_distance(a, b), least = length / 256;
    double clear = 0, before = -INFINITY;
    for (double at = 0; at < length;) {
        const double d = wall_distance(w, k, v3_mix(a, b, at / length), NULL);
        if (d < -1e-9 * length && d < before) return clear / length; /* deeper in than before */
        clear = at;
        before = d;
        at += fmax(fabs(d), least);
    }
    return wall_distance(w, k, b, NULL) < fmin(before, -1e-9 * length) ? clear / length : 1;
}

/* A mesh gives the closest point of its triangles; its distance may come from a cache. */
static bool closest_on_mesh(const walls *w, uint32_t k, rill_vec3 *x, rill_vec3 *normal)
{
    const wall *a = &w->at[k];
    if (w->flat || a->form.kind != SHAPE_MESH || !a->form.mesh.owned) return false;
    const rill_vec3 from = wall_local(w, k, *x);
    const mesh_closest c = mesh_distance_closest(a->form.mesh.owned, from);
    rill_vec3 n;
    if (fabs(mesh_distance_exact(a->form.mesh.owned, c.point, &n)) > 1e-6 * (1 + c.distance)) return false;
    *x = wall_world(w, k, c.point);
    *normal = solid_turned_back(&a->place.pose, n);
    return true;
}

bool wall_project(const walls *w, uint32_t k, rill_vec3 *x, rill_vec3 *normal)
{
    if (closest_on_mesh(w, k, x, normal)) return true;
    const double scale = w->at[k].place.pose.scale;
    rill_vec3 at = *x, n = {0, 1, 0};
    double d = wall_distance(w, k, at, &n);
    for (int step = 0; step < 8 && fabs(d) > 1e-12 * scale; step++) {
        at = v3_madd(at, -d, n);
        d = wall_distance(w, k, at, &n);
    }
    if (!(fabs(d) < 1e-7 * scale)) return false;
    *x = at;
    *normal = n;
    return true;
}

rill_vec3 walls_velocity(const walls *w, uint32_t owner, rill_vec3 x)
{
    if (owner >= w->count || !w->at[owner].moves) return v3(0, 0, 0);
    const wall *a = &w->at[owner];
    rill_vec3 u = solid_velocity(&a->place, x);
    if (a->deforms) {
        const rill_vec3 own = mesh_moment_velocity(a->form.sequence.now, wall_local(w, owner, x));
        u = v3_madd(u, a->place.pose.scale, solid_turned_back(&a->place.pose, own));
    }
    return u;
}
