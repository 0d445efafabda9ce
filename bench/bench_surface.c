/* The surface of a block of n jittered lattice particles, normals and velocities included: the default at a
 * cell of half a spacing, and every definition at 0.75, where splashsurf publishes 0.39 million particles a
 * second and core. A block that is as deep as wide is the worst shape for the sampler, which has to look at
 * all of its inside, and a fair one for the mesher. The distance-based one takes the distances that particles
 * carry; bringing those up to date is a case of its own. */
#include "base/random.h"
#include "bench/bench.h"
#include "surface/distances.h"
#include "surface/surface.h"

#include <math.h>

typedef struct {
    rill_ctx *ctx;
    particles liquid;
    surface_def def;
    trimesh mesh;
} surfacing;

static void fill_block(particles *p, size_t n)
{
    const size_t side = (size_t)ceil(cbrt((double)n));
    float *distance = particles_column(p, "surface_distance");
    for (size_t i = 0; i < n; i++) {
        const random4 r = random_at(1, i, 0, 0);
        const rill_vec3 x = v3((double)(i % side) + 0.2 * random_unit(r.v[0], r.v[1]),
                               (double)(i / side % side) + 0.2 * random_unit(r.v[2], r.v[3]),
                               (double)(i / side / side) + 0.2 * random_unit(r.v[1], r.v[2]));
        const double low = fmin(x.x, fmin(x.y, x.z)), high = fmax(x.x, fmax(x.y, x.z));
        p->position[i] = x;
        p->velocity[i] = v3(0, -1, 0);
        p->id[i] = i;
        distance[i] = (float)fmax(0.3, fmin(low + 0.5, (double)side - 0.5 - high));
    }
    p->count = n;
}

static rill_status surface_body(void *arg)
{
    surfacing *s = arg;
    trimesh_clear(s->ctx, &s->mesh);
    return surface_from_particles(s->ctx, &s->liquid, &s->def, &s->mesh);
}

static rill_status update_body(void *arg)
{
    surfacing *s = arg;
    return distances_update(s->ctx, &s->liquid, &s->def, particles_column(&s->liquid, "surface_distance"),
                            NULL);
}

static rill_status prepare(bench_run *b, int definition, double cell, surfacing *s)
{
    *s = (surfacing){.ctx = b->ctx, .def = surface_def_default()};
    s->def.definition = definition;
    s->def.cell = cell;
    TRY(particles_add_column(b->ctx, &s->liquid, "surface_distance"));
    TRY(particles_reserve(b->ctx, &s->liquid, b->n));
    fill_block(&s->liquid, b->n);
    return RILL_OK;
}

static rill_status measure(bench_run *b, int definition, double cell)
{
    surfacing s = {0};
    trimesh_report report = {0};
    rill_status st = prepare(b, definition, cell, &s);
    if (!st) st = bench_time(b, NULL, surface_body, &s);
    if (!st) st = trimesh_check(b->ctx, &s.mesh, &report);
    if (!st) {
        bench_rate(b, 1e-6 * (double)b->n, "M particles/s");
        bench_number(b, "triangles", (double)s.mesh.triangle_count);
        bench_number(b, "volume_per_particle", report.volume / (double)b->n); /* spacing 1: about 1 */
        bench_number(b, "open_edges", (double)report.open_edges);
        bench_number(b, "nonmanifold_edges", (double)report.nonmanifold_edges);
    }
    trimesh_clear(b->ctx, &s.mesh);
    particles_clear(b->ctx, &s.liquid);
    return st;
}

static rill_status fine_run(bench_run *b)
{
    return measure(b, SURFACE_FILTERED, 0.5);
}
static rill_status metaballs_run(bench_run *b)
{
    return measure(b, SURFACE_METABALLS, 0.75);
}
static rill_status zhu_bridson_run(bench_run *b)
{
    return measure(b, SURFACE_ZHU_BRIDSON, 0.75);
}
static rill_status distance_run(bench_run *b)
{
    return measure(b, SURFACE_DISTANCE, 0.75);
}
static rill_status anisotropic_run(bench_run *b)
{
    return measure(b, SURFACE_ANISOTROPIC, 0.75);
}

static rill_status redistance_run(bench_run *b)
{
    surfacing s = {0};
    rill_status st = prepare(b, SURFACE_DISTANCE, 0.75, &s);
    if (!st) st = bench_time(b, NULL, update_body, &s);
    if (!st) bench_rate(b, 1e-6 * (double)b->n, "M particles/s");
    particles_clear(b->ctx, &s.liquid);
    return st;
}

const bench_case bench_surface = {"surface", 100000, "default surface of n particles, cell half a spacing",
                                  fine_run};
const bench_case bench_metaballs = {"surface-metaballs", 100000, "metaballs at a cell of 0.75 spacings",
                                    metaballs_run};
const bench_case bench_zhu_bridson = {"surface-zhu_bridson", 100000, "Zhu and Bridson's at 0.75",
                                      zhu_bridson_run};
const bench_case bench_distances = {"surface-distance", 100000, "by carried distances at 0.75", distance_run};
const bench_case bench_anisotropic = {"surface-anisotropic", 100000, "anisotropic kernels at 0.75",
                                      anisotropic_run};
const bench_case bench_redistance = {
    "redistance", 100000, "distances of n particles from the surface brought up to date", redistance_run};
