/* The fluid's force on a solid: pressure over its surface. */
#include "flow/gauge_parts.h"

/* Half a spacing in the world, as a length of the shape's coordinates. */
static double cell_of(const rill_scene *scene, const scene_solid *solid)
{
    return 0.5 * scene->spacing / (solid->transform.scale > 0 ? solid->transform.scale : 1);
}

static rill_status make_samples(rill_ctx *ctx, const rill_scene *scene, uint32_t solid, const shape *form,
                                surface_samples *out)
{
    const scene_solid *s = &scene->solids[solid];
    return surface_samples_make(ctx, form, solid_domain(scene, &s->transform, scene->spacing),
                                scene->dimensions == 2 ? 2 : 3, cell_of(scene, s), out);
}

rill_status gauges_create(rill_ctx *ctx, const rill_scene *scene, gauge_samples **out)
{
    gauge_samples *g = NULL;
    bool wanted = false;
    for (uint32_t k = 0; k < scene->gauge_count; k++) wanted |= scene->gauges[k].kind == GAUGE_FORCE;
    if (!wanted) {
        *out = NULL;
        return RILL_OK;
    }
    TRY(MEM_NEW_ZERO(ctx, g, 1));
    rill_status st = MEM_NEW_ZERO(ctx, g->of, scene->gauge_count);
    if (!st) st = MEM_NEW_ZERO(ctx, g->measured, scene->gauge_count);
    for (uint32_t k = 0; !st && k < scene->gauge_count; k++) {
        const uint32_t i = scene_find_solid(scene, scene->gauges[k].solid);
        if (scene->gauges[k].kind != GAUGE_FORCE || i == UINT32_MAX || scene->solids[i].is_body) continue;
        if (scene->solids[i].shape.kind == SHAPE_SEQUENCE) continue; /* another at every reading */
        st = make_samples(ctx, scene, i, &scene->solids[i].shape, &g->of[k]);
    }
    if (st) {
        gauges_clear(ctx, scene, g);
        return st;
    }
    *out = g;
    return RILL_OK;
}

void gauges_clear(rill_ctx *ctx, const rill_scene *scene, gauge_samples *g)
{
    if (!g) return;
    for (uint32_t k = 0; g->of && k < scene->gauge_count; k++) surface_samples_clear(ctx, &g->of[k]);
    mem_free(ctx, g->of);
    mem_free(ctx, g->measured);
    mem_free(ctx, g);
}

/* ---- forces that the method knows ---- */

static bool shows_force(const rill_sim *sim, uint32_t k, uint32_t solid)
{
    const scene_gauge *g = &sim->scene->gauges[k];
    return g->kind == GAUGE_FORCE && scene_find_solid(sim->scene, g->solid) == solid;
}

bool gauges_wants_force(const rill_sim *sim, uint32_t solid)
{
    if (!sim->gauges || sim->scene->solids[solid].is_body) return false;
    for (uint32_t k = 0; k < sim->scene->gauge_count; k++)
        if (shows_force(sim, k, solid)) return true;
    return false;
}

void gauges_set_force(const rill_sim *sim, uint32_t solid, rill_vec3 force, rill_vec3 torque)
{
    for (uint32_t k = 0; sim->gauges && k < sim->scene->gauge_count; k++)
        if (shows_force(sim, k, solid)) sim->gauges->measured[k] = (measured_force){true, force, torque};
}

void gauges_forget(const rill_sim *sim)
{
    for (uint32_t k = 0; sim->gauges && k < sim->scene->gauge_count; k++)
        sim->gauges->measured[k] = (measured_force){0};
}

static void put(rill_vec3 force, rill_vec3 torque, double out[6])
{
    for (int a = 0; a < 3; a++) {
        out[a] = v3_axis(force, a);
        out[3 + a] = v3_axis(torque, a);
    }
}

/* A piece of the surface in the world, and where its pressure is asked for: just outside. */
typedef struct piece {
    rill_vec3 x, area;
} piece;

/* Pieces that the fluid may touch; returns how many. */
static size_t place_pieces(const rill_sim *sim, uint32_t solid, const surface_samples *s,
                           const struct solid_pose *pose, piece *out, rill_vec3 *ask)
{
    const bool flat = sim->scene->dimensions == 2;
    const double near = 1e-3 * sim->scene->spacing, scale = flat ? pose->scale : pose->scale * pose->scale;
    const rill_box domain = {sim->scene->domain.min, sim->scene->domain.max};
    size_t n = 0;
    for (size_t i = 0; i < s->count; i++) {
        const rill_vec3 area = v3_scale(solid_turned_back(pose, s->area[i]), scale);
        const rill_vec3 x = solid_to_world(pose, s->x[i]), y = v3_madd(x, near / v3_length(area), area);
        bool inside = v3_finite(y);
        for (int a = 0; a < (flat ? 2 : 3); a++)
            inside &= v3_axis(y, a) >= v3_axis(domain.min, a) && v3_axis(y, a) <= v3_axis(domain.max, a);
        solid_contact c; /* corners are rounded: y may be inside the solid itself, but in no other */
        if (!inside || (solids_distance(&sim->solids, y, sim->time, &c) < 0 && c.solid != solid)) continue;
        out[n] = (piece){x, area};
        ask[n++] = y;
    }
    return n;
}

/* Where torque is about: the pivot of the solid's motion, now. */
static rill_vec3 pivot_of(const rill_sim *sim, uint32_t solid)
{
    solid_place storage;
    return solid_to_world(&solids_place_at(&sim->solids, solid, sim->time, &storage)->pose,
                          sim->scene->solids[solid].motion.pivot);
}

static rill_status sampled_force(const rill_sim *sim, uint32_t solid, const surface_samples *s, double out[6])
{
    solid_place storage;
    const struct solid_pose *pose = &solids_place_at(&sim->solids, solid, sim->time, &storage)->pose;
    const rill_vec3 pivot = pivot_of(sim, solid);
    rill_vec3 force = {0, 0, 0}, torque = {0, 0, 0}, *ask = NULL;
    piece *pieces = NULL;
    double *p = NULL;
    rill_status st = MEM_NEW(sim->ctx, pieces, s->count);
    if (!st) st = MEM_NEW(sim->ctx, ask, s->count);
    if (!st) st = MEM_NEW(sim->ctx, p, s->count);
    if (!st) {
        const size_t n = place_pieces(sim, solid, s, pose, pieces, ask);
        st = sim->method->pressure(sim, n, ask, p);
        for (size_t i = 0; !st && i < n; i++) {
            const rill_vec3 f = v3_scale(pieces[i].area, -p[i]);
            force = v3_add(force, f);
            torque = v3_add(torque, v3_cross(v3_sub(pieces[i].x, pivot), f));
        }
    }
    mem_free(sim->ctx, pieces);
    mem_free(sim->ctx, ask);
    mem_free(sim->ctx, p);
    if (!st) put(force, torque, out);
    return st;
}

rill_status gauge_force(const rill_sim *sim, uint32_t k, double out[6])
{
    const rill_scene *scene = sim->scene;
    const uint32_t solid = scene_find_solid(scene, scene->gauges[k].solid);
    for (int a = 0; a < 6; a++) out[a] = NAN;
    if (solid == UINT32_MAX) return RILL_OK;
    if (sim->bodies.count && sim->bodies.of_solid[solid] != BODY_NONE) {
        const uint32_t b = sim->bodies.of_solid[solid];
        put(sim->bodies.force[b], sim->bodies.torque[b], out);
        return RILL_OK;
    }
    if (!sim->gauges) return RILL_OK;
    if (sim->gauges->measured[k].known) {
        const measured_force *m = &sim->gauges->measured[k];
        put(m->force, v3_sub(m->torque, v3_cross(pivot_of(sim, solid), m->force)), out);
        return RILL_OK;
    }
    if (!sim->method->pressure) return RILL_OK;
    if (scene->solids[solid].shape.kind != SHAPE_SEQUENCE)
        return sampled_force(sim, solid, &sim->gauges->of[k], out);
    shape storage;
    surface_samples now = {0};
    TRY(make_samples(sim->ctx, scene, solid, solids_form_at(&sim->solids, solid, sim->time, &storage), &now));
    const rill_status st = sampled_force(sim, solid, &now, out);
    surface_samples_clear(sim->ctx, &now);
    return st;
}
