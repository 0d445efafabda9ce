#include "flow/gauges.h"

#include "base/parallel.h"
#include "flow/gauge_parts.h"

/* What height gauges look at: particles, or else the method's surface. */
typedef struct liquid_top {
    const particles *p; /* NULL: the surface */
    trimesh surface;    /* owned */
    rill_vec3 at;
    double half;
    bool flat; /* two dimensions: z plays no part */
} liquid_top;

/* The highest particle of a column. */
static double highest_particle(void *arg, size_t begin, size_t end)
{
    const liquid_top *c = arg;
    double top = -INFINITY;
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 x = c->p->position[i];
        if (!(fabs(x.x - c->at.x) <= c->half)) continue;
        if (!c->flat && !(fabs(x.z - c->at.z) <= c->half)) continue;
        if (x.y > top) top = x.y;
    }
    return top;
}

/* Twice the signed area, seen from above, of the triangle with the gauge's line as third corner. */
static double area_with(const liquid_top *c, rill_vec3 a, rill_vec3 b)
{
    return (a.z - c->at.z) * (b.x - c->at.x) - (a.x - c->at.x) * (b.z - c->at.z);
}

/* The highest crossing of the surface and a vertical line. */
static double highest_crossing(void *arg, size_t begin, size_t end)
{
    const liquid_top *c = arg;
    double top = -INFINITY;
    for (size_t i = begin; i < end; i++) {
        const uint32_t *t = c->surface.triangle[i];
        const rill_vec3 p = c->surface.position[t[0]], q = c->surface.position[t[1]],
                        r = c->surface.position[t[2]];
        const double u = area_with(c, q, r), v = area_with(c, r, p), w = area_with(c, p, q), sum = u + v + w;
        const bool inside = (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
        if (!inside || sum == 0) continue; /* an upright triangle has neighbours that are not */
        top = fmax(top, (u * p.y + v * q.y + w * r.y) / sum);
    }
    return top;
}

static double height(const rill_sim *sim, liquid_top *c, rill_vec3 at)
{
    const double floor_y = sim->scene->domain.min.y;
    c->at = at;
    if (c->flat) c->at.z = 0;
    if (!c->p && !sim->method->surface) return NAN;
    const double top = c->p ? parallel_max(sim->ctx, c->p->count, highest_particle, c)
                            : parallel_max(sim->ctx, c->surface.triangle_count, highest_crossing, c);
    if (isinf(top)) return 0;
    return c->p ? top + 0.5 * scene_particle_spacing(sim->scene) - floor_y : top - floor_y;
}

/* ---- columns ---- */

uint32_t gauge_columns(const rill_scene *scene, const scene_gauge *g)
{
    const bool flat = scene->dimensions == 2;
    if (g->kind == GAUGE_VELOCITY) return flat ? 2 : 3;
    if (g->kind == GAUGE_FORCE) return flat ? 3 : 6;
    return 1;
}

uint32_t gauges_columns(const rill_scene *scene)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < scene->gauge_count; k++) n += gauge_columns(scene, &scene->gauges[k]);
    return n;
}

const char *gauge_column_ending(const rill_scene *scene, const scene_gauge *g, uint32_t column)
{
    static const char *const endings[] = {".x", ".y", ".z", ".tx", ".ty", ".tz"};
    if (gauge_columns(scene, g) == 1) return "";
    return endings[g->kind == GAUGE_FORCE && scene->dimensions == 2 && column == 2 ? 5 : column];
}

/* ---- places ---- */

/* The solid that a gauge moves with: at the start and now. False: it stands still. */
static bool carrier(const rill_sim *sim, const scene_gauge *g, struct solid_pose *from, solid_place *to)
{
    const uint32_t i = scene_find_solid(sim->scene, g->with);
    if (i == UINT32_MAX) return false;
    const uint32_t body = sim->bodies.count ? sim->bodies.of_solid[i] : BODY_NONE;
    solid_place storage;
    *to = *solids_place_at(&sim->solids, i, sim->time, &storage);
    *from = body != BODY_NONE ? sim->bodies.world.rest[body]
                              : solids_keyed_place(&sim->solids, i, -sim->scene->time.preroll).pose;
    return true;
}

static rill_vec3 place_of(const rill_sim *sim, const scene_gauge *g)
{
    struct solid_pose from;
    solid_place to;
    return carrier(sim, g, &from, &to) ? solid_to_world(&to.pose, solid_to_local(&from, g->point)) : g->point;
}

static gauge_disc disc_of(const rill_sim *sim, const scene_gauge *g)
{
    struct solid_pose from;
    solid_place to;
    gauge_disc d = {.center = g->point, .normal = v3_unit(g->normal), .radius = g->radius};
    if (!carrier(sim, g, &from, &to)) return d;
    d.center = solid_to_world(&to.pose, solid_to_local(&from, g->point));
    d.normal = solid_turned_back(&to.pose, solid_turned(&from, d.normal));
    d.velocity = solid_velocity(&to, d.center);
    d.spin = to.spin;
    return d;
}

/* ---- reading ---- */

/* Of all gauges of a kind at once, in their order: pressures, or velocities; NAN for a method without. */
typedef struct asked {
    rill_vec3 *point, *velocity;
    double *pressure;
    size_t points, velocities; /* the next to be handed out */
} asked;

static size_t points_of(const rill_sim *sim, gauge_kind kind, rill_vec3 *point)
{
    size_t n = 0;
    for (uint32_t i = 0; i < sim->scene->gauge_count; i++)
        if (sim->scene->gauges[i].kind == kind) point[n++] = place_of(sim, &sim->scene->gauges[i]);
    return n;
}

static rill_status ask(const rill_sim *sim, asked *a)
{
    const uint32_t count = sim->scene->gauge_count;
    TRY(MEM_NEW(sim->ctx, a->point, count));
    TRY(MEM_NEW(sim->ctx, a->velocity, count));
    TRY(MEM_NEW(sim->ctx, a->pressure, count));
    for (uint32_t i = 0; i < count; i++) {
        a->pressure[i] = NAN;
        a->velocity[i] = v3(NAN, NAN, NAN);
    }
    const size_t pressures = points_of(sim, GAUGE_PRESSURE, a->point);
    if (pressures && sim->method->pressure) TRY(sim->method->pressure(sim, pressures, a->point, a->pressure));
    const size_t velocities = points_of(sim, GAUGE_VELOCITY, a->point);
    if (velocities && sim->method->velocity)
        TRY(sim->method->velocity(sim, velocities, a->point, a->velocity));
    return RILL_OK;
}

static rill_status liquid_top_init(const rill_sim *sim, liquid_top *out)
{
    const rill_scene *scene = sim->scene;
    rill_view view = {0};
    bool wanted = false;
    sim_view(sim, &view);
    for (uint32_t i = 0; i < scene->gauge_count; i++)
        wanted |=
            (scene->gauges[i].kind == GAUGE_HEIGHT && !view.particles) || scene->gauges[i].kind == GAUGE_FLOW;
    out->p = view.particles;
    out->half = 0.5 * scene->spacing;
    out->flat = scene->dimensions == 2;
    return wanted && sim->method->surface && !scene->fill ? sim->method->surface(sim, &out->surface)
                                                          : RILL_OK;
}

/* Gauge k into its columns. */
static rill_status read_one(const rill_sim *sim, uint32_t k, asked *a, liquid_top *top, double *out)
{
    const scene_gauge *g = &sim->scene->gauges[k];
    double six[6] = {NAN, NAN, NAN, NAN, NAN, NAN};
    switch (g->kind) {
    case GAUGE_PRESSURE: six[0] = a->pressure[a->points++]; break;
    case GAUGE_HEIGHT: six[0] = height(sim, top, place_of(sim, g)); break;
    case GAUGE_VELOCITY:
        for (int c = 0; c < 3; c++) six[c] = v3_axis(a->velocity[a->velocities], c);
        a->velocities++;
        break;
    case GAUGE_FLOW:
        if (sim->method->velocity) {
            const gauge_disc disc = disc_of(sim, g);
            const bool own = sim->method->surface && !sim->scene->fill;
            TRY(gauge_flow(sim, &disc, own ? &top->surface : NULL, six));
        }
        break;
    case GAUGE_FORCE: TRY(gauge_force(sim, k, six)); break;
    case GAUGE_KINDS: break;
    }
    if (g->kind == GAUGE_FORCE && sim->scene->dimensions == 2) six[2] = six[5];
    for (uint32_t c = 0; c < gauge_columns(sim->scene, g); c++) out[c] = six[c];
    return RILL_OK;
}

rill_status gauges_read(const rill_sim *sim, double *out)
{
    const rill_scene *scene = sim->scene;
    if (scene->gauge_count == 0) return RILL_OK;
    asked a = {0};
    liquid_top top = {0};
    rill_status st = ask(sim, &a);
    if (!st) st = liquid_top_init(sim, &top);
    for (uint32_t i = 0, n = 0; !st && i < scene->gauge_count; i++) {
        st = read_one(sim, i, &a, &top, out + n);
        n += gauge_columns(scene, &scene->gauges[i]);
    }
    trimesh_clear(sim->ctx, &top.surface);
    mem_free(sim->ctx, a.point);
    mem_free(sim->ctx, a.velocity);
    mem_free(sim->ctx, a.pressure);
    return st;
}
