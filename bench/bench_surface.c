/* The metaball surface of a block of n jittered lattice particles: a cell of half a
 * spacing, a radius of two, normals and velocities included. A block that is as deep as
 * wide is the worst shape for the sampler, which has to look at all of its inside, and
 * a fair one for the mesher. */
#include "base/random.h"
#include "bench/bench.h"
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
    for (size_t i = 0; i < n; i++) {
        const random4 r = random_at(1, i, 0, 0);
        p->position[i] = v3((double)(i % side) + 0.2 * random_unit(r.v[0], r.v[1]),
                            (double)(i / side % side) + 0.2 * random_unit(r.v[2], r.v[3]),
                            (double)(i / side / side) + 0.2 * random_unit(r.v[1], r.v[2]));
        p->velocity[i] = v3(0, -1, 0);
        p->id[i] = i;
    }
    p->count = n;
}

static rill_status surface_body(void *arg)
{
    surfacing *s = arg;
    trimesh_clear(s->ctx, &s->mesh);
    return surface_from_particles(s->ctx, &s->liquid, &s->def, &s->mesh);
}

static rill_status surface_run(bench_run *b)
{
    surfacing s = {.ctx = b->ctx, .def = surface_def_default()};
    rill_status st = particles_reserve(b->ctx, &s.liquid, b->n);
    if (!st) {
        fill_block(&s.liquid, b->n);
        st = bench_time(b, NULL, surface_body, &s);
    }
    trimesh_report report = {0};
    if (!st) st = trimesh_check(b->ctx, &s.mesh, &report);
    if (!st) {
        bench_rate(b, 1e-6 * (double)b->n, "M particles/s");
        bench_number(b, "triangles", (double)s.mesh.triangle_count);
        bench_number(b, "volume_per_particle", report.volume / (double)b->n); /* spacing 1: about 1 */
        bench_number(b, "open_edges", (double)report.open_edges);
    }
    trimesh_clear(b->ctx, &s.mesh);
    particles_clear(b->ctx, &s.liquid);
    return st;
}

const bench_case bench_surface = {
    "surface", 100000, "metaball surface of n particles, cell half a spacing, radius two", surface_run};
