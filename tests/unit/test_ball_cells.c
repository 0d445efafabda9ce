/* Cells cut to balls: known volumes, closed cells, and the derivative of volumes. */
#include "support.h"

#include "base/random.h"
#include "geom/search/nearest.h"
#include "geom/voronoi/ball_cells.h"
#include "geom/voronoi/voronoi_clip.h"
#include "point_sets.h"

#include <stdlib.h>

static const rill_box unit = {{0, 0, 0}, {1, 1, 1}};

typedef struct {
    rill_ctx *ctx;
    rill_vec3 *x;
    uint32_t n;
    rill_box box;
    bool flat;
    voronoi cells;
    ball_cells balls;
} drops;

static drops make(uint32_t n, rill_box box, bool flat, int threads)
{
    drops d = {
        .ctx = test_ctx(threads), .x = malloc((n + 1) * sizeof *d.x), .n = n, .box = box, .flat = flat};
    voronoi_init(&d.cells, d.ctx);
    ball_cells_init(&d.balls, d.ctx);
    return d;
}

static void build(drops *d, double r)
{
    voronoi_def def = voronoi_def_default(d->box);
    def.vertices = true;
    assert_ok(d->ctx, voronoi_build(&d->cells, &def, d->x, d->n));
    assert_ok(d->ctx, ball_cells_build(&d->balls, &d->cells, d->x, r, d->flat));
}

/* Balls of several radii, on the power diagram of these. */
static void build_sized(drops *d, const double *r)
{
    double *weight = malloc(d->n * sizeof *weight);
    for (uint32_t i = 0; i < d->n; i++) weight[i] = r[i] * r[i];
    voronoi_def def = voronoi_def_default(d->box);
    def.vertices = true;
    def.weight = weight;
    assert_ok(d->ctx, voronoi_build(&d->cells, &def, d->x, d->n));
    assert_ok(d->ctx, ball_cells_build_sized(&d->balls, &d->cells, d->x, r, NULL, d->flat));
    free(weight);
}

static void unmake(drops *d)
{
    voronoi_clear(&d->cells);
    ball_cells_clear(&d->balls);
    free(d->x);
    rill_ctx_destroy(d->ctx);
}

static double total(const drops *d)
{
    double sum = 0;
    for (uint32_t i = 0; i < d->n; i++) sum += d->balls.cell[i].volume;
    return sum;
}

/* One ball; two that overlap, by the volume of their caps; one cut by walls. */
static void known_volumes(void **state)
{
    (void)state;
    drops d = make(2, unit, false, 1);
    const double r = 0.2;
    d.n = 1;
    d.x[0] = v3(0.5, 0.5, 0.5);
    build(&d, r);
    assert_true(fabs(total(&d) - 4.0 / 3 * M_PI * r * r * r) < 1e-14);
    assert_true(fabs(d.balls.cell[0].air - 4 * M_PI * r * r) < 1e-13);
    assert_true(v3_length(d.balls.cell[0].air_area) < 1e-15);
    d.x[0] = v3(0.5, 0.0, 0.0); /* a quarter, on an edge of the box */
    build(&d, r);
    assert_true(fabs(total(&d) - M_PI * r * r * r / 3) < 1e-8 * r * r * r); /* seen from a little inside */
    assert_true(v3_distance(d.balls.cell[0].centroid, v3(0.5, 0.375 * r, 0.375 * r)) < 1e-9);
    d.n = 2;
    d.x[0] = v3(0.4, 0.5, 0.5);
    d.x[1] = v3_madd(d.x[0], 0.15, v3_unit(v3(1, 2, -2)));
    build(&d, r);
    const double h = r - 0.075, cap = M_PI * h * h * (3 * r - h) / 3;
    assert_true(fabs(total(&d) - 2 * (4.0 / 3 * M_PI * r * r * r - cap)) < 1e-14);
    for (int i = 0; i < 2; i++)
        assert_true(fabs(d.balls.cell[i].air - (4 * M_PI * r * r - 2 * M_PI * r * h)) < 1e-13);
    const double disc = M_PI * (r * r - 0.075 * 0.075);
    for (uint32_t f = 0; f < d.balls.face_count; f++)
        if (d.cells.face[f].b == 1) assert_true(fabs(v3_length(d.balls.face[f].area) - disc) < 1e-14);
    unmake(&d);
}

/* Against counting: which of many places are nearer than r to a point. */
static void union_by_counting(void **state)
{
    (void)state;
    for (int flat = 0; flat < 2; flat++) {
        enum { N = 300, M = 120000 };
        drops d = make(N, (rill_box){{0, 0, 0}, {1, 1, flat ? 0.05 : 1}}, flat, 2);
        point_set_make(SET_RANDOM, N, 5, d.x);
        for (uint32_t i = 0; i < N; i++) d.x[i].y *= 0.6;
        for (uint32_t i = 0; i < N && flat; i++) d.x[i].z = 0.025;
        const double r = flat ? 0.035 : 0.09;
        build(&d, r);
        rill_arena arena;
        arena_init(&arena, d.ctx);
        bins b;
        assert_ok(d.ctx, bins_build(d.ctx, &arena, d.x, N, &b));
        rill_vec3 *place = malloc(M * sizeof *place);
        uint32_t *near = malloc(M * sizeof *near);
        point_set_make(SET_RANDOM, M, 77, place);
        for (uint32_t i = 0; i < M && flat; i++) place[i].z = 0.025;
        const nearest_query q = {.points = &b, .x = place, .count = M, .k = 1, .within = r};
        assert_ok(d.ctx, nearest_find(d.ctx, &q, near, NULL, NULL));
        double share = 0;
        for (uint32_t i = 0; i < M; i++) share += near[i] != UINT32_MAX;
        share /= M;
        const double whole = flat ? 0.05 : 1;
        assert_true(fabs(total(&d) / whole - share) < 4 * sqrt(share * (1 - share) / M));
        free(place);
        free(near);
        arena_clear(&arena);
        unmake(&d);
    }
}

static void cells_are_closed(void **state)
{
    (void)state;
    for (int set = 0; set < SETS; set++) {
        drops d = make(1200, unit, false, 2);
        d.n = point_set_make((point_set)set, 1200, 6, d.x);
        build(&d, 0.08);
        uint32_t airy = 0;
        for (uint32_t i = 0; i < d.n; i++) {
            const ball_cell *c = &d.balls.cell[i];
            rill_vec3 sum = c->air_area;
            double area = c->air;
            for (uint32_t e = 0; e < d.cells.cell[i].faces; e++) {
                const uint32_t k = d.cells.link[d.cells.cell[i].begin + e];
                sum = v3_madd(sum, d.cells.face[k].a == i ? 1 : -1, d.balls.face[k].area);
                area += v3_length(d.balls.face[k].area);
            }
            airy += c->air > 0;
            if (c->air > 0) assert_true(v3_length(sum) <= 1e-14 * area); /* a whole one is the diagram's */
            if (!(c->volume >= 0 &&
                  c->volume <= d.cells.cell[i].volume * (1 + (set == SET_PAIRS ? 1e-5 : 1e-9)) + 1e-14))
                fail_msg("%s, cell %u: %g of %g", point_set_names[set], i, c->volume, d.cells.cell[i].volume);
            assert_true(c->air >= v3_length(c->air_area) * (1 - 1e-9) - (set == SET_WALLS ? 1e-10 : 1e-12));
        }
        if (set == SET_PLANE || set == SET_LINE) assert_true(airy == d.n);
        unmake(&d);
    }
}

/* A size for each point, ratios up to 2; random places are near enough that some sites leave their cells. */
static void random_radii(double *r, uint32_t n, double least)
{
    for (uint32_t i = 0; i < n; i++) r[i] = least * (1 + random_unit(random_at(4, i, 0, 0).v[0], 0));
}

/* The divergence of a velocity is the rate at which volumes change: D of the header against
 * difference quotients. */
static void divergence_is_the_derivative(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) { /* of one size, of several */
        enum { N = 250 };
        const bool flat = kind & 1, sized = kind & 2;
        const double thick = 0.06, r = flat ? 0.05 : 0.11, step = 1e-6;
        drops d = make(N, (rill_box){{0, 0, 0}, {1, 1, flat ? thick : 1}}, flat, 2);
        point_set_make(SET_RANDOM, N, 5, d.x);
        rill_vec3 u[N], x0[N];
        double rate[N], volume[N] = {0}, radii[N];
        random_radii(radii, N, 0.7 * r);
        for (uint32_t i = 0; i < N; i++) {
            d.x[i] =
                v3(0.02 + 0.96 * d.x[i].x, 0.02 + 0.5 * d.x[i].y, flat ? thick / 2 : 0.02 + 0.96 * d.x[i].z);
            const random4 q = random_at(9, i, 0, 0);
            u[i] = v3(random_unit(q.v[0], 0) - 0.5, random_unit(q.v[1], 0) - 0.5,
                      flat ? 0 : random_unit(q.v[2], 0) - 0.5);
            x0[i] = d.x[i];
        }
        if (sized)
            build_sized(&d, radii);
        else
            build(&d, r);
        for (uint32_t i = 0; i < N; i++) rate[i] = v3_dot(d.balls.cell[i].air_area, u[i]);
        for (uint32_t k = 0; k < d.cells.face_count; k++) {
            const voronoi_face *f = &d.cells.face[k];
            if (!voronoi_is_cell(f->b)) continue;
            const ball_face *b = &d.balls.face[k];
            const double per = v3_length(b->area) / v3_distance(x0[f->a], x0[f->b]);
            const double flux = per * (v3_dot(v3_sub(b->centroid, x0[f->a]), u[f->a]) -
                                       v3_dot(v3_sub(b->centroid, x0[f->b]), u[f->b]));
            rate[f->a] += flux;
            rate[f->b] -= flux;
        }
        for (int side = -1; side <= 1; side += 2) {
            for (uint32_t i = 0; i < N; i++) d.x[i] = v3_madd(x0[i], side * step, u[i]);
            if (sized)
                build_sized(&d, radii);
            else
                build(&d, r);
            for (uint32_t i = 0; i < N; i++) volume[i] += side * d.balls.cell[i].volume / (2 * step);
        }
        double error = 0, scale = 0;
        for (uint32_t i = 0; i < N; i++) {
            error = fmax(error, fabs(volume[i] - rate[i]));
            scale = fmax(scale, fabs(rate[i]));
        }
        if (!(error < 1e-6 * scale))
            fail_msg("flat %d, several sizes %d: error %g of %g", flat, sized, error, scale);
        unmake(&d);
    }
}

/* Solids first: a ball at a plane is the rest of it. */
static void below(void *user, const uint32_t *cell, const rill_vec3 *x, size_t n, double *value)
{
    (void)user, (void)cell;
    for (size_t i = 0; i < n; i++) value[i] = x[i].y - 0.45;
}

static void after_a_solid(void **state)
{
    (void)state;
    drops d = make(1, unit, false, 1);
    d.x[0] = v3(0.5, 0.5, 0.5);
    build(&d, 0.2);
    voronoi cut;
    voronoi_init(&cut, d.ctx);
    const voronoi_clip_def clip = {.value = below, .kind = VORONOI_SOLID, .distance = true, .site = d.x};
    assert_ok(d.ctx, voronoi_clip(&d.cells, &clip, &cut));
    assert_ok(d.ctx, ball_cells_build(&d.balls, &cut, d.x, 0.2, false));
    const double r = 0.2, h = 0.15;
    assert_true(fabs(d.balls.cell[0].volume - (4.0 / 3 * M_PI * r * r * r - M_PI * h * h * (3 * r - h) / 3)) <
                1e-13);
    voronoi_clear(&cut);
    assert_int_equal(ball_cells_build(&d.balls, &d.cells, d.x, 0, false), RILL_USAGE);
    unmake(&d);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    drops d[2];
    for (int t = 0; t < 2; t++) {
        d[t] = make(2000, unit, false, 1 + 2 * t);
        d[t].n = point_set_make(SET_RANDOM, 2000, 6, d[t].x);
        build(&d[t], 0.06);
    }
    for (uint32_t i = 0; i < d[0].n; i++)
        assert_memory_equal(&d[0].balls.cell[i], &d[1].balls.cell[i], sizeof *d[0].balls.cell);
    for (int t = 0; t < 2; t++) unmake(&d[t]);
}

/* Two balls, one twice as large, at all distances: the small one's site inside of its cell, outside of it,
 * and the whole ball swallowed. */
static void unequal_balls(void **state)
{
    (void)state;
    const double r[2] = {0.2, 0.1};
    for (int flat = 0; flat < 2; flat++) {
        const double thick = 0.05, l[6] = {0.35, 0.25, 0.18, 0.15, 0.12, 0.05};
        drops d = make(2, (rill_box){{0, 0, 0}, {1, 1, flat ? thick : 1}}, flat, 1);
        for (int k = 0; k < 6; k++) {
            d.x[0] = v3(0.5, 0.5, flat ? thick / 2 : 0.5);
            d.x[1] = v3_madd(d.x[0], l[k], v3_unit(v3(1, 2, flat ? 0 : -2)));
            build_sized(&d, r);
            for (int i = 0; i < 2; i++) {
                double volume = flat ? M_PI * r[i] * r[i] * thick : 4.0 / 3 * M_PI * pow(r[i], 3);
                const double away = (l[k] * l[k] + r[i] * r[i] - r[!i] * r[!i]) / (2 * l[k]);
                const double height = fmax(0, fmin(2 * r[i], r[i] - away)), c = r[i] - height;
                volume -= flat ? thick * (r[i] * r[i] * acos(c / r[i]) - c * sqrt(r[i] * r[i] - c * c))
                               : M_PI * height * height * (3 * r[i] - height) / 3;
                if (!(fabs(d.balls.cell[i].volume - volume) < 1e-13))
                    fail_msg("flat %d, distance %g, ball %d: %g, not %g", flat, l[k], i,
                             d.balls.cell[i].volume, volume);
            }
        }
        unmake(&d);
    }
}

/* The union of balls of all sizes, against counting. */
static void unequal_union_by_counting(void **state)
{
    (void)state;
    for (int flat = 0; flat < 2; flat++) {
        enum { N = 200, M = 60000 };
        drops d = make(N, (rill_box){{0, 0, 0}, {1, 1, flat ? 0.05 : 1}}, flat, 2);
        double r[N], share = 0;
        rill_vec3 *place = malloc(M * sizeof *place);
        random_radii(r, N, flat ? 0.03 : 0.07);
        point_set_make(SET_RANDOM, N, 5, d.x);
        point_set_make(SET_RANDOM, M, 77, place);
        for (uint32_t i = 0; i < N; i++) d.x[i] = v3(d.x[i].x, 0.6 * d.x[i].y, flat ? 0.025 : d.x[i].z);
        build_sized(&d, r);
        for (uint32_t k = 0; k < M; k++) {
            bool in = false;
            if (flat) place[k].z = 0.025;
            for (uint32_t i = 0; i < N; i++) in |= v3_distance(place[k], d.x[i]) < r[i];
            share += in;
        }
        share /= M;
        const double found = total(&d) / (flat ? 0.05 : 1);
        if (!(fabs(found - share) < 4 * sqrt(share * (1 - share) / M)))
            fail_msg("flat %d: %g, not %g", flat, found, share);
        free(place);
        unmake(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_volumes),    cmocka_unit_test(union_by_counting),
        cmocka_unit_test(cells_are_closed), cmocka_unit_test(divergence_is_the_derivative),
        cmocka_unit_test(after_a_solid),    cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(unequal_balls),    cmocka_unit_test(unequal_union_by_counting),
    };
    return cmocka_run_group_tests_name("ball_cells", tests, NULL, NULL);
}
