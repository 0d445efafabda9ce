#include "flow/gauges.h"

#include "base/parallel.h"

/* The highest particle of a column. */
typedef struct {
    const particles *p;
    rill_vec3 at;
    double half;
    bool flat; /* two dimensions: z plays no part */
} column;

static double highest(void *arg, size_t begin, size_t end)
{
    const column *c = arg;
    double top = -INFINITY;
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 x = c->p->position[i];
        if (!(fabs(x.x - c->at.x) <= c->half)) continue;
        if (!c->flat && !(fabs(x.z - c->at.z) <= c->half)) continue;
        if (x.y > top) top = x.y;
    }
    return top;
}

static double height(const rill_sim *sim, const particles *p, rill_vec3 at)
{
    const rill_scene *scene = sim->scene;
    column c = {p, at, 0.5 * scene->spacing, scene->dimensions == 2};
    const double top = p ? parallel_max(sim->ctx, p->count, highest, &c) : -INFINITY;
    return isinf(top) ? 0 : top + 0.5 * scene_particle_spacing(scene) - scene->domain.min.y;
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

rill_status gauges_read(const rill_sim *sim, double *out)
{
    const rill_scene *scene = sim->scene;
    if (scene->gauge_count == 0) return RILL_OK;
    rill_vec3 *point = NULL;
    double *value = NULL;
    rill_status st = MEM_NEW(sim->ctx, point, scene->gauge_count);
    if (!st) st = MEM_NEW(sim->ctx, value, scene->gauge_count);
    if (!st) st = pressures(sim, point, value);
    if (!st) {
        rill_view view = {0};
        sim->method->view(sim, &view);
        for (uint32_t i = 0, n = 0; i < scene->gauge_count; i++)
            out[i] = scene->gauges[i].kind == GAUGE_PRESSURE
                         ? value[n++]
                         : height(sim, view.particles, scene->gauges[i].point);
    }
    mem_free(sim->ctx, point);
    mem_free(sim->ctx, value);
    return st;
}
