/* One step of the surface tracker in Enright's field: improvement, topology, motion with collision tests. A
 * sphere of about n triangles, ten steps under way; a step is as long as the fastest point needs for an edge,
 * so that it does the same per triangle whatever n. */
#include "bench/bench.h"
#include "geom/mesh/geodesic.h"
#include "tracker/tracker.h"

#include <math.h>

typedef struct {
    tracker *t;
    double dt;
} tracking;

static rill_status enright(void *user, double time, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    const double pi = 3.14159265358979323846, c = cos(pi * time / 3);
    (void)user;
    for (size_t i = 0; i < n; i++) {
        const double sx = sin(pi * x[i].x), sy = sin(pi * x[i].y), sz = sin(pi * x[i].z);
        const double dx = sin(2 * pi * x[i].x), dy = sin(2 * pi * x[i].y), dz = sin(2 * pi * x[i].z);
        u[i] = v3(2 * c * sx * sx * dy * dz, -c * dx * sy * sy * dz, -c * dx * dy * sz * sz);
    }
    return RILL_OK;
}

static rill_status tracker_body(void *arg)
{
    tracking *k = arg;
    return tracker_advance(k->t, k->dt, enright, NULL, NULL);
}

static rill_status tracker_run(bench_run *b)
{
    tracking k = {0};
    trimesh mesh = {0};
    const tracker_def def = tracker_def_default();
    rill_status st = geodesic_sphere(b->ctx, v3(0.35, 0.35, 0.35), 0.15, geodesic_cuts(b->n), &mesh);
    if (!st) st = tracker_create(b->ctx, &def, &mesh, &k.t);
    if (!st) k.dt = tracker_edge(k.t); /* speeds are up to 1: 0.01 at 6500 triangles, as in the test */
    for (int i = 0; !st && i < 10; i++) st = tracker_body(&k);
    if (!st) st = bench_time(b, NULL, tracker_body, &k);
    if (!st) {
        const size_t n = tracker_view(k.t).triangle_count;
        bench_rate(b, 1e-3 * (double)n, "k triangles/s");
        bench_number(b, "triangles", (double)n);
        bench_number(b, "us_per_triangle", 1e6 * b->seconds / (double)n);
    }
    tracker_destroy(k.t);
    trimesh_clear(b->ctx, &mesh);
    return st;
}

const bench_case bench_tracker = {"tracker", 25000, "surface tracker, a step in Enright's field, n triangles",
                                  tracker_run};
