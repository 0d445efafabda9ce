#include "flow/gauges.h"

#include "base/parallel.h"
#include "geom/mesh/trimesh.h"

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

/* All pressure gauges at once, in their order. NAN for a method without pressure. */
static rill_status pressures(const rill_sim *sim, rill_vec3 *point, double *value)
{
    const rill_scene *scene = sim->scene;
    size_t n = 0;
    for (uint32_t i = 0; i < scene->gauge_count; i++)
        if (scene->gauges[i].kind == GAUGE_PRESSURE) {
            value[n] = NAN;
            point[n++] = scene->gauges[i].point;
        }
    if (n == 0 || !sim->method->pressure) return RILL_OK;
    return sim->method->pressure(sim, n, point, value);
}

static rill_status liquid_top_init(const rill_sim *sim, liquid_top *out)
{
    const rill_scene *scene = sim->scene;
    rill_view view = {0};
    bool wanted = false;
    for (uint32_t i = 0; i < scene->gauge_count; i++) wanted |= scene->gauges[i].kind == GAUGE_HEIGHT;
    sim_view(sim, &view);
    out->p = view.particles;
    out->half = 0.5 * scene->spacing;
    out->flat = scene->dimensions == 2;
    return wanted && !out->p && sim->method->surface ? sim->method->surface(sim, &out->surface) : RILL_OK;
}

rill_status gauges_read(const rill_sim *sim, double *out)
{
    const rill_scene *scene = sim->scene;
    if (scene->gauge_count == 0) return RILL_OK;
    rill_vec3 *point = NULL;
    double *value = NULL;
    liquid_top top = {0};
    rill_status st = MEM_NEW(sim->ctx, point, scene->gauge_count);
    if (!st) st = MEM_NEW(sim->ctx, value, scene->gauge_count);
    if (!st) st = pressures(sim, point, value);
    if (!st) st = liquid_top_init(sim, &top);
    for (uint32_t i = 0, n = 0; !st && i < scene->gauge_count; i++)
        out[i] =
            scene->gauges[i].kind == GAUGE_PRESSURE ? value[n++] : height(sim, &top, scene->gauges[i].point);
    trimesh_clear(sim->ctx, &top.surface);
    mem_free(sim->ctx, point);
    mem_free(sim->ctx, value);
    return st;
}
