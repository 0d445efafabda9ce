/* What cases share: scenes in C, running a simulation, and curves. */
#include "base/parallel.h"
#include "run/registry.h"
#include "verify/verify.h"

#include <math.h>
#include <string.h>

rill_status verify_scene(verify *v, int dimensions, rill_box domain, double spacing, rill_scene *out)
{
    const rill_method *method = rill_method_find(v->method);
    if (!method) return rill_fail(v->ctx, RILL_USAGE, "there is no method \"%s\"", v->method);
    rill_scene scene;
    TRY(scene_default(v->ctx, rill_methods, rill_method_count, &scene));
    scene.method = method;
    scene.dimensions = dimensions;
    scene.spacing = spacing;
    if (dimensions == 2) {
        domain.min.z = -spacing / 2;
        domain.max.z = spacing / 2;
    }
    scene.domain.min = domain.min;
    scene.domain.max = domain.max;
    *out = scene;
    return RILL_OK;
}

rill_status verify_add_box(verify *v, rill_scene *scene, rill_box box, velocity_field velocity)
{
    scene_liquid *liquid;
    TRY(scene_add_liquid(v->ctx, scene, &liquid));
    if (scene->dimensions == 2) {
        box.min.z = scene->domain.min.z - 1;
        box.max.z = scene->domain.max.z + 1;
    }
    liquid->shape = (shape){.kind = SHAPE_BOX, .box = {box.min, box.max}};
    liquid->velocity = velocity;
    return RILL_OK;
}

void verify_param(rill_scene *scene, const char *name, double value)
{
    char *def = scene_method_def_of(scene, scene->method->name);
    for (const rill_param *row = scene->method->params; def && row->kind; row++)
        if (row->kind == PARAM_NUMBER && strcmp(row->name, name) == 0) *(double *)(def + row->offset) = value;
}

rill_status verify_create(verify *v, const rill_scene *scene, rill_sim **out)
{
    const rill_method *m = scene->fill && scene->method->filled ? scene->method->filled : scene->method;
    if (!m->create) return rill_fail(v->ctx, RILL_USAGE, "method \"%s\" cannot be run", m->name);
    if (m->check) TRY(m->check(v->ctx, scene));
    return m->create(v->ctx, scene, out);
}

void verify_destroy(rill_sim *sim)
{
    if (sim) sim->method->destroy(sim);
}

rill_status verify_step(rill_sim *sim, double dt, rill_step_stats *stats)
{
    if (rill_cancelled(sim->ctx)) return rill_fail(sim->ctx, RILL_CANCELLED, "stopped on request");
    *stats = step_stats_none();
    TRY(bodies_begin(&sim->bodies, &sim->solids, sim->scene, sim->time, dt));
    TRY(solids_prepare(sim->ctx, &sim->solids, sim->time, dt));
    TRY(sim->method->step(sim, dt, stats));
    TRY(bodies_end(&sim->bodies, sim->scene, sim->time + dt, dt));
    sim->time += dt;
    sim->step++;
    return RILL_OK;
}

rill_status verify_run(rill_sim *sim, double until, verify_each *each, void *user)
{
    while (sim->time < until) {
        const double left = until - sim->time;
        double dt = sim->method->max_dt(sim);
        if (!(dt > 0) || !isfinite(dt) || dt < 1e-9 * until)
            return rill_fail(sim->ctx, RILL_BLEW_UP, "the time step became %g s at t = %g s", dt, sim->time);
        const bool last = dt >= left;
        if (last)
            dt = left;
        else if (dt > left / 2)
            dt = left / 2; /* two equal steps instead of one and a sliver */
        rill_step_stats stats;
        TRY(verify_step(sim, dt, &stats));
        if (last) sim->time = until;
        if (each) TRY(each(user, sim, &stats));
    }
    return RILL_OK;
}

const particles *verify_particles(const rill_sim *sim)
{
    rill_view view = {0};
    sim_view(sim, &view);
    return view.particles;
}

double verify_shares(const particles *p)
{
    const float *level = particles_column(p, "level");
    double sum = 0;
    for (size_t i = 0; i < p->count; i++) sum += verify_share(level, i);
    return sum;
}

typedef struct {
    const rill_vec3 *x;
    const float *level;
} mean_job;

static void mean_terms(void *arg, size_t begin, size_t end, double *out)
{
    const mean_job *j = arg;
    for (size_t i = begin; i < end; i++) {
        const double share = verify_share(j->level, i);
        out[0] += share * j->x[i].x;
        out[1] += share * j->x[i].y;
        out[2] += share * j->x[i].z;
        out[3] += share;
    }
}

rill_vec3 verify_mean(rill_ctx *ctx, const particles *p, const rill_vec3 *x)
{
    double sum[4];
    mean_job j = {x, particles_column(p, "level")};
    parallel_sums(ctx, p->count, mean_terms, &j, 4, sum);
    return v3_scale(v3(sum[0], sum[1], sum[2]), 1 / sum[3]);
}

double verify_order(const double *h, const double *error, size_t n)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (size_t i = 0; i < n; i++) {
        const double x = log(h[i]), y = log(error[i]);
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    const double count = (double)n;
    return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

double verify_curve(const verify_point *curve, size_t n, double x)
{
    for (size_t i = 1; i < n; i++)
        if (x >= curve[i - 1].x && x <= curve[i].x) {
            const double width = curve[i].x - curve[i - 1].x;
            const double f = width > 0 ? (x - curve[i - 1].x) / width : 0;
            return curve[i - 1].y + f * (curve[i].y - curve[i - 1].y);
        }
    return NAN;
}
