/* Signed distance of a closed mesh of about n triangles, a bumpy sphere: building the
 * cache with 128 cells along it (the figure), and queries with normals at random points
 * near the surface, cached and exact. */
#include "base/parallel.h"
#include "base/random.h"
#include "base/text.h"
#include "bench/bench.h"
#include "geom/distance/mesh_distance.h"

#include <math.h>
#include <string.h>

enum { CACHED = 4000000, EXACT = 200000, BLOCK = 4096 };

typedef struct {
    rill_ctx *ctx;
    trimesh mesh;
    mesh_distance *distance;
    rill_vec3 *point;
    double *result;
} distances;

static double radius_at(rill_vec3 n)
{
    return 1 + 0.06 * sin(7 * n.x) * sin(8 * n.y) * sin(9 * n.z);
}

/* Rings of quadrilaterals between two poles. */
static rill_status make_sphere(rill_ctx *ctx, size_t n, trimesh *m)
{
    const size_t rings = (size_t)fmax(sqrt((double)n / 4), 2), around = 2 * rings;
    m->vertex_count = (rings - 1) * around + 2;
    TRY(MEM_NEW(ctx, m->position, m->vertex_count));
    TRY(MEM_NEW(ctx, m->triangle, 2 * (rings - 1) * around));
    const double pi = 3.14159265358979323846;
    for (size_t i = 1; i < rings; i++)
        for (size_t j = 0; j < around; j++) {
            const double a = pi * (double)i / (double)rings, b = 2 * pi * (double)j / (double)around;
            const rill_vec3 d = v3(sin(a) * cos(b), cos(a), -sin(a) * sin(b));
            m->position[(i - 1) * around + j] = v3_scale(d, radius_at(d));
        }
    const uint32_t top = (uint32_t)((rings - 1) * around), bottom = top + 1;
    m->position[top] = v3(0, radius_at(v3(0, 1, 0)), 0);
    m->position[bottom] = v3(0, -radius_at(v3(0, -1, 0)), 0);
    for (size_t i = 0; i < rings; i++)
        for (size_t j = 0; j < around; j++) {
            const uint32_t low = (uint32_t)(i * around),
                           high = low - (uint32_t)around; /* the rings below, above */
            const uint32_t a = (uint32_t)j, b = (uint32_t)((j + 1) % around);
            if (i + 1 < rings)
                memcpy(m->triangle[m->triangle_count++],
                       (uint32_t[]){i > 0 ? high + a : top, low + a, low + b}, 12);
            if (i > 0)
                memcpy(m->triangle[m->triangle_count++],
                       (uint32_t[]){high + b, high + a, i + 1 < rings ? low + b : bottom}, 12);
        }
    return RILL_OK;
}

static rill_status build_body(void *arg)
{
    distances *d = arg;
    mesh_distance_destroy(d->ctx, d->distance);
    d->distance = NULL;
    const mesh_distance_def def = mesh_distance_def_default();
    return mesh_distance_create(d->ctx, &d->mesh, &def, &d->distance);
}

static void cached_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const distances *d = arg;
    for (size_t i = begin; i < end; i++) {
        rill_vec3 normal;
        d->result[i] = mesh_distance_at(d->distance, d->point[i], &normal) + normal.x;
    }
}

static void exact_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const distances *d = arg;
    for (size_t i = begin; i < end; i++) {
        rill_vec3 normal;
        d->result[i] = mesh_distance_exact(d->distance, d->point[i], &normal) + normal.x;
    }
}

/* Million queries a second, the best of the repetitions. */
static double query_rate(bench_run *b, distances *d, size_t count, parallel_body *body)
{
    double best = INFINITY;
    for (int i = 0; i <= b->repeat; i++) {
        const double start = clock_seconds();
        parallel_for(b->ctx, count, BLOCK, body, d);
        best = fmin(best, clock_seconds() - start);
    }
    return 1e-6 * (double)count / best;
}

static rill_status distance_run(bench_run *b)
{
    distances d = {.ctx = b->ctx};
    rill_status st = make_sphere(b->ctx, b->n, &d.mesh);
    if (!st) st = MEM_NEW(b->ctx, d.point, CACHED);
    if (!st) st = MEM_NEW(b->ctx, d.result, CACHED);
    if (!st) st = bench_time(b, NULL, build_body, &d);
    if (!st) {
        for (size_t i = 0; i < CACHED; i++) { /* within two cells of the surface */
            const random4 r = random_at(1, i, 0, 0);
            const double z = 2 * random_unit(r.v[0], 0) - 1, a = 6.283185307179586 * random_unit(r.v[1], 0);
            const rill_vec3 n = v3(sqrt(1 - z * z) * cos(a), z, sqrt(1 - z * z) * sin(a));
            d.point[i] = v3_scale(n, radius_at(n) + (2 * random_unit(r.v[2], 0) - 1) / 32);
        }
        bench_rate(b, 1e-6 * (double)d.mesh.triangle_count, "M triangles/s");
        bench_number(b, "triangles", (double)d.mesh.triangle_count);
        bench_number(b, "cached_million_per_s", query_rate(b, &d, CACHED, cached_block));
        bench_number(b, "exact_million_per_s", query_rate(b, &d, EXACT, exact_block));
    }
    mesh_distance_destroy(b->ctx, d.distance);
    trimesh_clear(b->ctx, &d.mesh);
    mem_free(b->ctx, d.point);
    mem_free(b->ctx, d.result);
    return st;
}

const bench_case bench_distance = {
    "distance", 80000, "distance of a mesh of n triangles, cached with 128 cells along it", distance_run};
