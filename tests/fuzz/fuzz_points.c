/* Points from bytes: Voronoi cells, clipped, their mesh and nearest points. Whatever the
 * points, the answer is a result whose parts fit together or a status.
 *
 * The first byte chooses: bit 0 merge, 1 vertices, 2 cap, 3 weights, 4 and 5 the coordinates:
 * bytes on a lattice, 16 bits, lattice with tiny offsets, or doubles as they come. */
#include "flow/fv_from_cells.h"
#include "fuzz.h"
#include "geom/search/nearest.h"
#include "geom/voronoi/voronoi_clip.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 200 };
#define ANY 1e100 /* tolerance: how well cells of such points are closed is not asked */

static bool holds(rill_ctx *ctx, const voronoi *v, const rill_vec3 *x, double tolerance)
{
    const bool ok = voronoi_check(ctx, v, x, tolerance) == RILL_OK;
    if (!ok) fprintf(stderr, "%s\n", rill_ctx_message(ctx));
    return ok;
}

static uint32_t read_points(int form, const uint8_t *data, size_t size, rill_vec3 *x)
{
    const size_t each = form == 0 ? 3 : form == 1 ? 6 : form == 2 ? 4 : 24;
    uint32_t n = 0;
    for (; n < MOST && (n + 1) * each <= size; n++) {
        const uint8_t *p = data + n * each;
        if (form == 3) {
            memcpy(&x[n], p, sizeof x[n]);
            continue;
        }
        uint16_t wide[3];
        memcpy(wide, p, form == 1 ? sizeof wide : 0);
        if (form == 1)
            x[n] = v3(wide[0] / 65535.0, wide[1] / 65535.0, wide[2] / 65535.0);
        else
            x[n] = v3((p[0] & 15) / 15.0, (p[1] & 15) / 15.0, (p[2] & 15) / 15.0);
        if (form == 2)
            x[n] = v3_min(v3(1, 1, 1),
                          v3_madd(x[n], ldexp(1, -(p[3] & 63)), v3(p[0] >> 4, p[1] >> 4, p[2] >> 4)));
    }
    return n;
}

static void out_of_ball(void *user, const uint32_t *cell, const rill_vec3 *x, size_t n, double *value)
{
    (void)user, (void)cell;
    for (size_t i = 0; i < n; i++) value[i] = v3_distance(x[i], v3(0.5, 0.5, 0.5)) - 0.3;
}

static void use_cells(rill_ctx *ctx, const voronoi *v, const rill_vec3 *x)
{
    voronoi cut;
    voronoi_init(&cut, ctx);
    const voronoi_clip_def def = {.value = out_of_ball, .kind = VORONOI_SOLID, .distance = true, .site = x};
    fuzz_require(voronoi_clip(v, &def, &cut) == RILL_OK);
    fuzz_require(holds(ctx, &cut, x, ANY));
    rill_arena arena;
    arena_init(&arena, ctx);
    fv_mesh mesh;
    fv_mesh_init(&mesh, ctx);
    fv_cells map;
    const fv_cells_def fv = {.cells = &cut, .site = x, .least = 1e-3};
    fuzz_require(fv_mesh_from_cells(&arena, &fv, &mesh, &map) == RILL_OK);
    uint32_t label[MOST];
    (void)voronoi_components(&cut, label);
    fv_mesh_clear(&mesh);
    arena_clear(&arena);
    voronoi_clear(&cut);
}

static void find_nearest(rill_ctx *ctx, const rill_vec3 *x, uint32_t n)
{
    rill_arena arena;
    arena_init(&arena, ctx);
    bins b;
    uint32_t out[MOST];
    double d2[MOST];
    fuzz_require(bins_build(ctx, &arena, x, n, &b) == RILL_OK);
    const nearest_query q = {.points = &b, .x = x, .count = n, .k = 1, .within = INFINITY};
    fuzz_require(nearest_find(ctx, &q, out, NULL, d2) == RILL_OK);
    for (uint32_t i = 0; i < n; i++) fuzz_require(out[i] < n && d2[i] == 0); /* itself, or a twin */
    arena_clear(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1) return 0;
    rill_vec3 x[MOST];
    double weight[MOST];
    const int form = data[0] >> 4 & 3;
    const uint32_t n = read_points(form, data + 1, size - 1, x);
    measured_allocator m = {0};
    rill_ctx *ctx = fuzz_ctx(&m);
    const size_t before = m.held;
    voronoi_def def = voronoi_def_default((rill_box){{0, 0, 0}, {1, 1, 1}});
    def.merge = data[0] & 1;
    def.vertices = data[0] >> 1 & 1;
    def.cap = data[0] & 4 ? 0.2 : 0;
    for (uint32_t i = 0; i < n; i++) weight[i] = (double)(data[1 + i % (size - 1)] & 7) / 512;
    if (data[0] & 8 && n) def.weight = weight;
    voronoi v;
    voronoi_init(&v, ctx);
    const rill_status st = voronoi_build(&v, &def, x, n);
    fuzz_require(st == RILL_OK || st == RILL_BLEW_UP);
    if (!st) {
        fuzz_require(v.count == n);
        /* A cap cuts the two cells of a face apart: such cells are closed by clipping them to less. */
        fuzz_require(holds(ctx, &v, x, form == 0 && !def.cap ? 1e-11 : ANY));
        if (def.vertices) use_cells(ctx, &v, x);
        find_nearest(ctx, x, n);
    }
    voronoi_clear(&v);
    fuzz_require(m.held == before);
    rill_ctx_destroy(ctx);
    return 0;
}
