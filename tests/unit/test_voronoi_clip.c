/* Clipped cells: volumes that are known, closed cells, loops, thin walls, components. */
#include "support.h"

#include "base/random.h"
#include "geom/voronoi/voronoi_clip.h"
#include "point_sets.h"

#include <stdlib.h>
#include <string.h>

static const rill_box unit = {{0, 0, 0}, {1, 1, 1}};

/* -- functions to clip by ---------------------------------------------------------------- */

typedef struct {
    double (*at)(rill_vec3 x);
} field;

static void field_value(void *user, const uint32_t *cell, const rill_vec3 *x, size_t n, double *value)
{
    (void)cell;
    const field *f = user;
    for (size_t i = 0; i < n; i++) value[i] = f->at(x[i]);
}

static double below(rill_vec3 x)
{
    return 0.43 - x.y + 0.2 * (x.x - 0.5);
}
static double out_of_ball(rill_vec3 x)
{
    return v3_distance(x, v3(0.5, 0.5, 0.5)) - 0.3;
}
static double out_of_plate(rill_vec3 x)
{
    return fabs(x.x - 0.503) - 1e-4;
}
static double away_from_corners(rill_vec3 x)
{
    return fmin(v3_length(x), v3_distance(x, v3(1, 1, 1))) - 0.4;
}
static double out_of_tube(rill_vec3 x)
{
    return hypot(x.x - 0.95, x.y - 0.95) - 0.3;
}
static double nowhere(rill_vec3 x)
{
    return x.x < 2 ? NAN : 1;
}

typedef struct {
    rill_ctx *ctx;
    voronoi whole, cut, twice;
    rill_vec3 *x;
    uint32_t n;
} diagram;

static diagram make(point_set set, uint32_t count, double cap, int threads)
{
    diagram d = {.ctx = test_ctx(threads), .x = malloc(count * sizeof *d.x)};
    voronoi_init(&d.whole, d.ctx);
    voronoi_init(&d.cut, d.ctx);
    voronoi_init(&d.twice, d.ctx);
    d.n = point_set_make(set, count, 4, d.x);
    voronoi_def def = voronoi_def_default(unit);
    def.vertices = true;
    def.cap = cap;
    assert_ok(d.ctx, voronoi_build(&d.whole, &def, d.x, d.n));
    return d;
}

static void unmake(diagram *d)
{
    voronoi_clear(&d->whole);
    voronoi_clear(&d->cut);
    voronoi_clear(&d->twice);
    free(d->x);
    rill_ctx_destroy(d->ctx);
}

static void clip_by(diagram *d, double (*at)(rill_vec3), bool distance, uint32_t kind)
{
    field f = {at};
    const voronoi_clip_def def = {
        .value = field_value, .user = &f, .kind = kind, .distance = distance, .site = d->x};
    assert_ok(d->ctx, voronoi_clip(&d->whole, &def, &d->cut));
    assert_ok(d->ctx, voronoi_check(d->ctx, &d->cut, d->x, 1e-12));
}

static double volume_of(const voronoi *v)
{
    double sum = 0;
    for (uint32_t i = 0; i < v->count; i++) sum += v->cell[i].volume;
    return sum;
}

/* The volume a cell's triangles enclose (divergence theorem), and their vector sum. */
static double mesh_volume(rill_ctx *ctx, const voronoi *v, uint32_t i, double *open)
{
    trimesh m = {0};
    assert_ok(ctx, voronoi_mesh(ctx, v, i, 0, 0, &m));
    double volume = 0;
    rill_vec3 sum = {0, 0, 0};
    for (size_t t = 0; t < m.triangle_count; t++) {
        const rill_vec3 o = v->cell[i].centroid;
        const rill_vec3 a = v3_sub(m.position[m.triangle[t][0]], o),
                        b = v3_sub(m.position[m.triangle[t][1]], o),
                        c = v3_sub(m.position[m.triangle[t][2]], o);
        volume += v3_dot(a, v3_cross(b, c)) / 6;
        sum = v3_madd(sum, 0.5, v3_cross(v3_sub(b, a), v3_sub(c, a)));
    }
    *open = v3_length(sum);
    trimesh_clear(ctx, &m);
    return volume;
}

/* A plane is cut exactly: volumes, faces and the boundary itself. */
static void plane_is_exact(void **state)
{
    (void)state;
    for (int set = SET_RANDOM; set <= SET_CLUSTERED; set++) {
        diagram d = make((point_set)set, 1500, 0, 2);
        clip_by(&d, below, false, VORONOI_AIR);
        assert_true(fabs(volume_of(&d.cut) - 0.43) < 1e-12);
        rill_vec3 air = {0, 0, 0};
        uint32_t cut = 0;
        for (uint32_t f = 0; f < d.cut.face_count; f++)
            if (d.cut.face[f].b == VORONOI_AIR) {
                air = v3_add(air, d.cut.face[f].area);
                assert_true(fabs(below(d.cut.face[f].centroid)) < 1e-12);
                cut++;
            }
        assert_true(cut > 50);
        assert_true(v3_distance(air, v3(-0.2, 1, 0)) < 1e-11);
        for (uint32_t i = 0; i < d.n; i++) {
            double open;
            const double volume = mesh_volume(d.ctx, &d.cut, i, &open);
            assert_true(fabs(volume - d.cut.cell[i].volume) < 1e-14);
            assert_true(open < 1e-13);
        }
        unmake(&d);
    }
}

/* A ball in the middle: second order in the spacing, and everything closed. */
static void ball_converges(void **state)
{
    (void)state;
    const double exact = 1 - 4.0 / 3 * M_PI * 0.027;
    double error[2];
    for (int k = 0; k < 2; k++) {
        diagram d = make(SET_RANDOM, k ? 8 * 2000 : 2000, 0, 2);
        clip_by(&d, out_of_ball, true, VORONOI_SOLID);
        error[k] = fabs(volume_of(&d.cut) - exact);
        double surface = 0;
        for (uint32_t f = 0; f < d.cut.face_count; f++)
            if (d.cut.face[f].b == VORONOI_SOLID) surface += v3_length(d.cut.face[f].area);
        assert_true(fabs(surface / (4 * M_PI * 0.09) - 1) < (k ? 0.03 : 0.1));
        unmake(&d);
    }
    assert_true(error[0] < 0.005);
    assert_true(error[1] < error[0] / 3);
}

/* Solids first, then the surface: both kinds of boundary on one cell, and it is closed. */
static void solid_then_surface(void **state)
{
    (void)state;
    diagram d = make(SET_BCC, 4000, 0, 2);
    clip_by(&d, out_of_ball, true, VORONOI_SOLID);
    field f = {below};
    const voronoi_clip_def def = {.value = field_value, .user = &f, .kind = VORONOI_AIR, .site = d.x};
    assert_ok(d.ctx, voronoi_clip(&d.cut, &def, &d.twice));
    assert_ok(d.ctx, voronoi_check(d.ctx, &d.twice, d.x, 1e-12));
    uint32_t both = 0;
    for (uint32_t i = 0; i < d.n; i++) {
        bool solid = false, air = false;
        const voronoi_cell *c = &d.twice.cell[i];
        for (uint32_t e = 0; e < c->faces; e++) {
            solid |= d.twice.face[d.twice.link[c->begin + e]].b == VORONOI_SOLID;
            air |= d.twice.face[d.twice.link[c->begin + e]].b == VORONOI_AIR;
        }
        both += solid && air;
        assert_true(c->volume <= d.cut.cell[i].volume + 1e-15);
    }
    assert_true(both > 10);
    /* Of the box below the plane, without the part of the ball there: by small cubes. */
    double share = 0;
    enum { M = 100 };
    for (int k = 0; k < M * M * M; k++) {
        const rill_vec3 x = v3((k % M + 0.5) / M, (k / M % M + 0.5) / M, (k / M / M + 0.5) / M);
        share += below(x) > 0 && out_of_ball(x) > 0;
    }
    assert_true(fabs(volume_of(&d.twice) - share / M / M / M) < 3e-3);
    unmake(&d);
}

/* Cells inside the union of balls keep everything; two drops are two components. */
static void balls_and_components(void **state)
{
    (void)state;
    enum { N = 12 };
    diagram d = {.ctx = test_ctx(2), .x = malloc(2 * N * N * N * sizeof *d.x)};
    voronoi_init(&d.whole, d.ctx);
    voronoi_init(&d.cut, d.ctx);
    voronoi_init(&d.twice, d.ctx);
    const double h = 0.4 / N;
    for (uint32_t i = 0; i < 2 * N * N * N; i++) { /* two cubes, far apart, and one point alone */
        const rill_vec3 at = v3((i % N + 0.5) * h, (i / N % N + 0.5) * h, (i / N / N % N + 0.5) * h);
        d.x[d.n++] = v3_add(at, i < N * N * N ? v3(0.05, 0.05, 0.05) : v3(0.55, 0.3, 0.5));
    }
    d.x[d.n - 1] = v3(0.9, 0.1, 0.1);
    voronoi_def def = voronoi_def_default(unit);
    def.vertices = true;
    def.cap = 1.5 * h;
    assert_ok(d.ctx, voronoi_build(&d.whole, &def, d.x, d.n));
    voronoi_balls balls = {d.x, 0.95 * h};
    const voronoi_clip_def clip = {
        .value = voronoi_balls_value, .user = &balls, .kind = VORONOI_AIR, .site = d.x};
    assert_ok(d.ctx, voronoi_clip(&d.whole, &clip, &d.cut));
    assert_ok(d.ctx, voronoi_check(d.ctx, &d.cut, d.x, 1e-12));
    uint32_t inner = 0;
    for (uint32_t i = 0; i < N * N * N; i++) {
        const uint32_t c[3] = {i % N, i / N % N, i / N / N};
        bool inside = true;
        for (int a = 0; a < 3; a++) inside = inside && c[a] > 0 && c[a] < N - 1;
        if (!inside) continue;
        inner++;
        assert_true(fabs(d.cut.cell[i].volume / (h * h * h) - 1) < 1e-11);
    }
    assert_int_equal(inner, (N - 2) * (N - 2) * (N - 2));
    /* A lone point has no vertex in its ball: nothing is left of its cell (the method lets it fly). */
    assert_int_equal(d.cut.cell[d.n - 1].faces, 0);
    uint32_t *label = malloc(d.n * sizeof *label);
    assert_int_equal(voronoi_components(&d.cut, label), 2);
    for (uint32_t i = 0; i + 1 < d.n; i++) assert_int_equal(label[i], i < N * N * N ? 0 : N * N * N);
    assert_int_equal(label[d.n - 1], UINT32_MAX);
    assert_int_equal(voronoi_components(&d.whole, label), 3);
    free(label);
    unmake(&d);
}

/* A plate far thinner than a cell, between the vertices of most of them. */
static void thin_plate_divides(void **state)
{
    (void)state;
    for (int set = SET_RANDOM; set <= SET_FCC; set++) {
        diagram d = make((point_set)set, 1000, 0, 2);
        clip_by(&d, out_of_plate, false, VORONOI_SOLID);
        uint32_t *label = malloc(d.n * sizeof *label);
        const uint32_t missed = voronoi_components(&d.cut, label);
        clip_by(&d, out_of_plate, true, VORONOI_SOLID);
        assert_int_equal(missed, 1); /* looking at vertices alone, as the paper does */
        assert_int_equal(voronoi_components(&d.cut, label), 2);
        for (uint32_t i = 0; i < d.n; i++)
            for (uint32_t j = 0; j < d.n; j += 37) {
                if (out_of_plate(d.x[i]) <= 0 || out_of_plate(d.x[j]) <= 0)
                    continue; /* sites in it lose their cells */
                assert_int_equal(label[i] == label[j], (d.x[i].x < 0.503) == (d.x[j].x < 0.503));
            }
        /* What a cell has beyond the plate is given up: about a quarter of a cell's width. */
        const double volume = volume_of(&d.cut);
        assert_true(volume < 1 && volume > 0.9);
        for (uint32_t f = 0; f < d.cut.face_count; f++)
            if (voronoi_is_cell(d.cut.face[f].b))
                assert_true((d.x[d.cut.face[f].a].x < 0.503) == (d.x[d.cut.face[f].b].x < 0.503));
        free(label);
        unmake(&d);
    }
}

/* One cell, the box: cut at opposite corners, and through by a tube: two loops each. */
static void one_loop_per_component(void **state)
{
    (void)state;
    diagram d = make(SET_CUBIC, 1, 0, 1);
    clip_by(&d, away_from_corners, false, VORONOI_SOLID);
    const double corner = 0.4 * 0.4 * 0.4 / 6; /* flat triangles, bent to their average vertex */
    assert_int_equal(d.cut.cell[0].faces, 6 + 2);
    assert_true(fabs(d.cut.cell[0].volume - (1 - 2 * corner)) < 1e-12);
    for (uint32_t f = 0; f < d.cut.face_count; f++)
        if (d.cut.face[f].b == VORONOI_SOLID) {
            assert_int_equal(d.cut.face[f].count, 3);
            const double s = d.cut.face[f].centroid.x < 0.5 ? 0.4 / 3 : 1 - 0.4 / 3;
            assert_true(v3_distance(d.cut.face[f].centroid, v3(s, s, s)) < 1e-12);
        }
    clip_by(&d, out_of_tube, false, VORONOI_SOLID); /* takes one edge: one loop of four */
    assert_int_equal(d.cut.cell[0].faces, 6 + 1);
    clip_by(&d, nowhere, false, VORONOI_SOLID);
    assert_int_equal(d.cut.cell[0].faces, 0);
    assert_true(d.cut.cell[0].volume == 0);
    unmake(&d);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    diagram d[3];
    for (int t = 0; t < 3; t++) {
        d[t] = make(SET_RANDOM, 3000, 0, t + 1);
        clip_by(&d[t], out_of_ball, true, VORONOI_SOLID);
    }
    for (int t = 1; t < 3; t++) {
        const voronoi *a = &d[0].cut, *b = &d[t].cut;
        assert_int_equal(a->face_count, b->face_count);
        assert_int_equal(a->vertex_count, b->vertex_count);
        assert_memory_equal(a->cell, b->cell, a->count * sizeof *a->cell);
        assert_memory_equal(a->face, b->face, a->face_count * sizeof *a->face);
        assert_memory_equal(a->link, b->link, a->link_count * sizeof *a->link);
        assert_memory_equal(a->vertex, b->vertex, a->vertex_count * sizeof *a->vertex);
    }
    for (int t = 0; t < 3; t++) unmake(&d[t]);
}

typedef struct whole_cells {
    const voronoi *cells;
    const rill_vec3 *site;
} whole_cells;

static rill_status cut_and_mesh(rill_ctx *ctx, void *user)
{
    const whole_cells *whole = user;
    voronoi cut;
    voronoi_init(&cut, ctx);
    field ball = {out_of_ball};
    const voronoi_clip_def clip = {
        .value = field_value, .user = &ball, .kind = VORONOI_SOLID, .distance = true, .site = whole->site};
    rill_status st = voronoi_clip(whole->cells, &clip, &cut);
    if (st) assert_int_equal(cut.count, 0);
    trimesh m = {0};
    if (!st) st = voronoi_mesh(ctx, &cut, UINT32_MAX, VORONOI_SOLID, VORONOI_SOLID, &m);
    trimesh_clear(ctx, &m);
    voronoi_clear(&cut);
    return st;
}

static void failing_allocations_are_told(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_vec3 x[60];
    const uint32_t n = point_set_make(SET_RANDOM, 60, 5, x);
    voronoi whole;
    voronoi_init(&whole, ctx);
    voronoi_def def = voronoi_def_default(unit);
    def.vertices = true;
    assert_ok(ctx, voronoi_build(&whole, &def, x, n));
    every_allocation_fails(1, cut_and_mesh, &(whole_cells){&whole, x});
    voronoi_clear(&whole);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plane_is_exact),        cmocka_unit_test(ball_converges),
        cmocka_unit_test(solid_then_surface),    cmocka_unit_test(balls_and_components),
        cmocka_unit_test(thin_plate_divides),    cmocka_unit_test(one_loop_per_component),
        cmocka_unit_test(threads_do_not_matter), cmocka_unit_test(failing_allocations_are_told),
    };
    return cmocka_run_group_tests_name("voronoi_clip", tests, NULL, NULL);
}
