/* The density and velocity of n tracers on a sparse grid, dense in 128^3 cells, and the .vdb file of it. */
#include "base/random.h"
#include "base/text.h"
#include "bench/bench.h"
#include "io/vdb.h"
#include "volume/volume.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    rill_ctx *ctx;
    particles dots;
    char path[64];
    volume field[2];
} job;

static rill_status splat(void *arg)
{
    job *j = arg;
    for (int k = 0; k < 2; k++) volume_clear(j->ctx, &j->field[k]);
    return volume_of_dots(j->ctx, &j->dots, v3(0, 0, 0), 1.0 / 128, 3, &j->field[0], &j->field[1]);
}

static rill_status volume_run(bench_run *b)
{
    job j = {.ctx = b->ctx};
    snprintf(j.path, sizeof j.path, "/tmp/rill-bench-%ld.vdb", (long)getpid());
    rill_status st = particles_reserve(b->ctx, &j.dots, b->n);
    for (size_t i = 0; i < b->n && !st; i++) {
        const random4 r = random_at(1, i, 0, 0);
        const rill_vec3 x = v3(r.v[0] * 0x1p-32, r.v[1] * 0x1p-32, r.v[2] * 0x1p-32), v = v3(x.y, -x.x, 1);
        st = particles_append(b->ctx, &j.dots, 1, &x, &v);
    }
    if (!st) st = bench_time(b, NULL, splat, &j);
    if (!st) {
        bench_rate(b, 1e-6 * (double)b->n, "M tracers/s");
        bench_number(b, "blocks", (double)j.field[0].map.count);
    }
    if (!st && vdb_available()) {
        for (int both = 0; both < 2 && !st; both++) {
            const double since = clock_seconds();
            const clock_t work = clock();
            st = vdb_write(b->ctx, j.path, j.field, both ? 2 : 1, 0);
            bench_number(b, both ? "density_and_velocity_file_seconds" : "density_file_seconds",
                         clock_seconds() - since);
            bench_number(b, both ? "density_and_velocity_processor_s" : "density_processor_s",
                         (double)(clock() - work) / CLOCKS_PER_SEC);
        }
        unlink(j.path);
    }
    for (int k = 0; k < 2; k++) volume_clear(b->ctx, &j.field[k]);
    particles_clear(b->ctx, &j.dots);
    return st;
}

const bench_case bench_volume = {
    "volume", 4000000, "density of tracers on 128^3 cells, and its .vdb file; n: tracers", volume_run};
