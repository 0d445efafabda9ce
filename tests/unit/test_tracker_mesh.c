/* The tracker's mesh under random edits, its grid of boxes against all pairs, and compaction. */
#include "mesh_makers.h"
#include "support.h"

#include "base/random.h"
#include "tracker/boxes.h"
#include "tracker/tmesh.h"

#include <math.h>
#include <string.h>

/* A column whose value is a linear function of the place: blends of two ends keep it. */
static float mark(rill_vec3 x)
{
    return (float)(x.x + 2 * x.y - 3 * x.z);
}

static void add_column(rill_ctx *ctx, trimesh *m)
{
    trimesh_column *c = &m->column[m->column_count++];
    strcpy(c->name, "mark");
    c->width = 1;
    assert_ok(ctx, MEM_NEW(ctx, c->value, m->vertex_count));
    for (size_t i = 0; i < m->vertex_count; i++) c->value[i] = mark(m->position[i]);
}

static void assert_columns(const tmesh *m)
{
    for (uint32_t v = 0; v < m->vertices; v++)
        if (tmesh_vertex_live(m, v)) assert_true(fabsf(m->column[0].value[v] - mark(m->x[v])) < 1e-4f);
}

static uint32_t pick_corner(const tmesh *m, uint64_t i)
{
    const random4 r = random_at(7, i, 0, 0);
    uint32_t t = r.v[0] % m->triangles;
    while (!tmesh_triangle_live(m, t)) t = (t + 1) % m->triangles;
    return 3 * t + r.v[1] % 3;
}

/* One random edit; the Euler characteristic never changes. */
static void edit(rill_ctx *ctx, tmesh *m, uint64_t i)
{
    const random4 r = random_at(8, i, 0, 0);
    const uint32_t c = pick_corner(m, i), a = corner_vertex(m, corner_next(c)),
                   b = corner_vertex(m, corner_prev(c));
    if (r.v[0] % 3 == 0) {
        uint32_t added[2];
        assert_ok(ctx, tmesh_reserve(m, 1, 2));
        tmesh_split(m, c, v3_scale(v3_add(m->x[a], m->x[b]), 0.5), added);
    } else if (r.v[0] % 3 == 1) {
        if (tmesh_can_collapse(m, c, NULL))
            tmesh_collapse(m, c, v3_scale(v3_add(m->x[a], m->x[b]), 0.5), 0.5);
    } else {
        const uint32_t o = m->opposite[c];
        if (tmesh_find_edge(m, corner_vertex(m, c), corner_vertex(m, o)) == TMESH_NONE &&
            tmesh_valence(m, a) > 3 && tmesh_valence(m, b) > 3)
            tmesh_flip(m, c);
    }
}

static void edits_keep_the_mesh(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    trimesh from = make_torus(ctx, 1, 0.4, 24, 12);
    add_column(ctx, &from);
    tmesh m;
    assert_ok(ctx, tmesh_build(ctx, &from, &m));
    for (uint64_t i = 0; i < 20000; i++) {
        edit(ctx, &m, i);
        if (i % 97 == 0) assert_ok(ctx, tmesh_check(&m));
        if (i % 1999 == 0) {
            uint32_t *map;
            const uint32_t before = m.vertices;
            assert_ok(ctx, MEM_NEW(ctx, map, before));
            const double volume = tmesh_volume(&m), edge = tmesh_mean_edge(&m);
            assert_ok(ctx, tmesh_compact(&m, i % 2 == 0, map));
            assert_ok(ctx, tmesh_check(&m));
            assert_int_equal(m.vertices, m.live_vertices);
            uint32_t mapped = 0;
            for (uint32_t v = 0; v < before; v++) mapped += map[v] != TMESH_NONE;
            assert_int_equal(mapped, m.vertices);
            assert_true(fabs(tmesh_volume(&m) - volume) < 1e-9);
            assert_true(fabs(tmesh_mean_edge(&m) - edge) < 1e-9);
            mem_free(ctx, map);
        }
    }
    assert_ok(ctx, tmesh_check(&m));
    assert_columns(&m);
    assert_int_equal((int)m.live_vertices - (int)m.live_triangles / 2, 0); /* a torus still */
    assert_ok(ctx, tmesh_compact(&m, true, NULL));
    trimesh view = tmesh_view(&m);
    trimesh_report report;
    assert_ok(ctx, trimesh_check(ctx, &view, &report));
    assert_int_equal(report.open_edges + report.nonmanifold_edges + report.misoriented_edges +
                         report.nonmanifold_vertices,
                     0);
    tmesh_clear(&m);
    trimesh_clear(ctx, &from);
    rill_ctx_destroy(ctx);
}

/* A collapse that would pinch is refused, and the third vertex named. */
static void link_condition(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    trimesh from =
        make_torus(ctx, 1, 0.1, 24, 3); /* three around the tube: every way around is such a loop */
    tmesh m;
    assert_ok(ctx, tmesh_build(ctx, &from, &m));
    uint32_t refused = 0;
    for (uint32_t c = 0; c < 3 * m.triangles; c++) {
        uint32_t extra;
        if (tmesh_can_collapse(&m, c, &extra)) continue;
        assert_int_not_equal(extra, TMESH_NONE);
        assert_int_not_equal(tmesh_find_edge(&m, extra, corner_vertex(&m, corner_next(c))), TMESH_NONE);
        assert_int_not_equal(tmesh_find_edge(&m, extra, corner_vertex(&m, corner_prev(c))), TMESH_NONE);
        refused++;
    }
    assert_true(refused >= 24 * 3 * 2);
    tmesh_clear(&m);
    trimesh_clear(ctx, &from);

    from = make_icosphere(ctx, 1, 0);
    assert_ok(ctx, tmesh_build(ctx, &from, &m));
    for (uint64_t i = 0; i < 1000; i++) { /* down to a tetrahedron and no further */
        const uint32_t c = pick_corner(&m, i);
        if (tmesh_can_collapse(&m, c, NULL)) tmesh_collapse(&m, c, m.x[corner_vertex(&m, corner_next(c))], 0);
        assert_ok(ctx, tmesh_check(&m));
    }
    assert_int_equal(m.live_triangles, 4);
    tmesh_clear(&m);
    trimesh_clear(ctx, &from);
    rill_ctx_destroy(ctx);
}

/* ---- boxes ---- */

enum { BOXES = 300 };

typedef struct {
    uint32_t count[BOXES];
} found;

static void count_one(void *arg, uint32_t t)
{
    ((found *)arg)->count[t]++;
}

static boxes_range random_range(const boxes *b, uint64_t i, double size)
{
    const random4 r = random_at(3, i, 0, 0), q = random_at(3, i, 1, 0);
    const rill_vec3 lo = v3(4 * random_unit(r.v[0], 0) - 2 + 1e3, 4 * random_unit(r.v[1], 0) - 2,
                            4 * random_unit(r.v[2], 0) - 2);
    const rill_vec3 s =
        v3(size * random_unit(q.v[0], 0), size * random_unit(q.v[1], 0), size * random_unit(q.v[2], 0));
    return boxes_range_of(b, lo, v3_add(lo, s));
}

static void boxes_match_all_pairs(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    boxes b = {0};
    for (int round = 0; round < 4; round++) {
        assert_ok(ctx, boxes_reset(&b, ctx, v3(1e3, 0, 0), (double[]){0.05, 0.3, 1, 20}[round], BOXES));
        bool in[BOXES] = {false};
        for (uint64_t i = 0; i < 3000; i++) {
            const uint32_t t = random_at(4, i, (uint32_t)round, 0).v[0] % BOXES;
            boxes_remove(&b, t);
            in[t] = i % 3 != 0;
            if (in[t]) assert_ok(ctx, boxes_insert(&b, t, random_range(&b, i, i % 50 == 0 ? 2 : 0.4)));
            if (i % 10) continue;
            const boxes_range q = random_range(&b, 100000 + i, i % 100 == 0 ? 3 : 0.5);
            found f = {{0}};
            boxes_query(&b, &q, count_one, &f);
            for (uint32_t k = 0; k < BOXES; k++)
                assert_int_equal(f.count[k], in[k] && boxes_meet(&q, &b.range[k]) ? 1 : 0);
        }
    }
    boxes_clear(&b);
    rill_ctx_destroy(ctx);
}

/* What is put in single precision contains what it stands for. */
static void ranges_contain(void **state)
{
    (void)state;
    boxes b = {.origin = {1e6 + 0.1, -3, 1e-9}, .inverse_cell = 1};
    for (uint64_t i = 0; i < 20000; i++) {
        const random4 r = random_at(5, i, 0, 0);
        const double x = (random_unit(r.v[0], r.v[1]) - 0.5) * pow(10, (double)(r.v[2] % 12) - 9);
        const rill_vec3 p = v3_add(b.origin, v3(x, 2 * x, -x));
        const boxes_range q = boxes_range_of(&b, p, p);
        const double o[3] = {b.origin.x, b.origin.y, b.origin.z}, e[3] = {p.x, p.y, p.z};
        for (int k = 0; k < 3; k++) {
            const long double exact = (long double)e[k] - (long double)o[k];
            assert_true((long double)q.lo[k] <= exact && exact <= (long double)q.hi[k]);
        }
    }
}

static void failing_allocations(void **state)
{
    (void)state;
    rill_ctx *plain = test_ctx(1);
    trimesh from = make_icosphere(plain, 1, 1);
    add_column(plain, &from);
    for (uint64_t n = 1;; n++) {
        failing_allocator f = {0};
        rill_ctx *ctx = test_ctx_failing(1, &f);
        f.fail_at = f.calls + n;
        tmesh m = {0};
        rill_status st = tmesh_build(ctx, &from, &m);
        if (!st) st = tmesh_compact(&m, true, NULL);
        if (st) assert_int_equal(st, RILL_NO_MEMORY);
        if (m.ctx) assert_ok(ctx, tmesh_check(&m));
        tmesh_clear(&m);
        rill_ctx_destroy(ctx);
        assert_int_equal(f.live, 0);
        if (!st) break;
    }
    trimesh_clear(plain, &from);
    rill_ctx_destroy(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_keep_the_mesh),   cmocka_unit_test(link_condition),
        cmocka_unit_test(boxes_match_all_pairs), cmocka_unit_test(ranges_contain),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
