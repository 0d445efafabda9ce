/* Steps of tets: a paddle that turns in a tank, as in figure 1 of [Klingner06] (their frames took 64.8
 * s, 13.2 of it for the mesh). n counts tetrahedra, about. Beside the time of a step: of its mesh, of the
 * first mesh, and memory. */
#include "base/text.h"
#include "bench/bench.h"
#include "run/registry.h"
#include "tets/state.h"

#include <math.h>
#include <string.h>
#include <sys/resource.h>

enum { STEPS = 3 };

typedef struct {
    rill_ctx *ctx;
    rill_scene scene;
    rill_sim *sim;
    double first, mesh, best; /* seconds */
    double before;            /* bytes of the process without a simulation */
} stirring;

static rill_status make_scene(rill_ctx *ctx, size_t n, rill_scene *scene)
{
    TRY(scene_default(ctx, rill_methods, rill_method_count, scene));
    scene->method = &tets_method;
    scene->fill = true;
    scene->spacing = cbrt(7.5 / 0.804 / (double)n);
    scene->domain.min = v3(0, 0, 0);
    scene->domain.max = v3(1, 1, 1);
    const double thick = 0.2 * scene->spacing;
    scene_solid *solid;
    TRY(scene_add_solid(ctx, scene, &solid));
    solid->shape =
        (shape){.kind = SHAPE_BOX, .box = {{0.2, 0.5 - thick / 2, 0.2}, {0.8, 0.5 + thick / 2, 0.8}}};
    solid->motion.pivot = v3(0.5, 0.5, 0.5);
    TRY(MEM_NEW_ZERO(ctx, solid->motion.key, 2));
    solid->motion.count = 2;
    solid->motion.key[1] = (scene_motion_key){.t = 1, .rotate = {0, 0, 360}};
    return RILL_OK;
}

static rill_status begin(void *arg)
{
    stirring *d = arg;
    if (d->sim) return RILL_OK; /* steps go on from where they are */
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    d->before = 1024.0 * (double)use.ru_maxrss;
    const double start = clock_seconds();
    TRY(tets_method.create(d->ctx, &d->scene, &d->sim));
    d->first = clock_seconds() - start;
    return RILL_OK;
}

static rill_status take_steps(void *arg)
{
    stirring *d = arg;
    double all = 0, mesh = 0;
    for (int k = 0; k < STEPS; k++) {
        rill_step_stats stats = step_stats_none();
        const double dt = 0.8 * d->scene.spacing / (2 * M_PI * 0.3); /* its rim goes 0.8 spacings */
        TRY(solids_prepare(d->ctx, &d->sim->solids, d->sim->time, dt));
        TRY(tets_method.step(d->sim, dt, &stats));
        d->sim->time += dt;
        d->sim->step++;
        for (uint32_t s = 0; s < stats.stage_count; s++) {
            all += stats.stage[s].seconds;
            if (strcmp(stats.stage[s].name, "remeshing") == 0) mesh += stats.stage[s].seconds;
        }
    }
    if (!(all >= d->best)) {
        d->best = all;
        d->mesh = mesh;
    }
    return RILL_OK;
}

static rill_status run(bench_run *b)
{
    stirring d = {.ctx = b->ctx, .best = NAN};
    rill_status st = make_scene(b->ctx, b->n, &d.scene);
    if (!st) st = bench_time(b, begin, take_steps, &d);
    if (!st) {
        struct rusage use;
        getrusage(RUSAGE_SELF, &use);
        const double count = tets_now(tets_of(d.sim))->mesh.fv.cell_count;
        bench_rate(b, count * STEPS, "tetrahedra/s");
        bench_number(b, "tetrahedra", count);
        bench_number(b, "step_s", b->seconds / STEPS);
        bench_number(b, "mesh_s", d.mesh / STEPS);
        bench_number(b, "first_mesh_s", d.first);
        bench_number(b, "bytes_per_tetrahedron", (1024.0 * (double)use.ru_maxrss - d.before) / count);
        bench_number(b, "program_bytes", d.before);
    }
    tets_method.destroy(d.sim);
    scene_clear(b->ctx, &d.scene);
    return st;
}

const bench_case bench_tets = {"tets", 100000, "steps of tets around a paddle that turns; n: tetrahedra",
                               run};
