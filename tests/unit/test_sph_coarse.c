/* The coarse correction of dfsph: Poisson's equation on cells, and solves that do not depend on size. */
#include "sph_sims.h"

#include "base/random.h"
#include "sph/dfsph/multigrid.h"

#include <string.h>

/* Cells of a box with random holes, whose faces are air on one side of the box and walls elsewhere. */
typedef struct {
    uint32_t count, (*at)[3], (*beside)[CELL_FACES];
    uint8_t *state;
    float *right;
} cells;

static uint32_t *number_of(uint32_t *number, const uint32_t size[3], const uint32_t at[3])
{
    return &number[(at[2] * size[1] + at[1]) * size[0] + at[0]];
}

static cells make_cells(rill_arena *arena, uint32_t side, uint32_t depth)
{
    const uint32_t size[3] = {side, side, depth};
    const size_t all = (size_t)side * side * depth;
    cells c = {0};
    uint32_t *number;
    assert_int_equal(ARENA_NEW(arena, number, all), RILL_OK);
    assert_int_equal(ARENA_NEW(arena, c.at, all), RILL_OK);
    assert_int_equal(ARENA_NEW(arena, c.beside, all), RILL_OK);
    assert_int_equal(ARENA_NEW(arena, c.state, all), RILL_OK);
    assert_int_equal(ARENA_NEW(arena, c.right, all), RILL_OK);
    for (uint32_t n = 0; n < all; n++) {
        const random4 a = random_at(7, n, side, 0);
        const double chance = random_unit(a.v[0], a.v[1]);
        const uint32_t at[3] = {n % side, n / side % side, n / (side * side)};
        number[n] = chance < 0.03 ? CELL_AIR : c.count;
        if (chance < 0.03) continue;
        memcpy(c.at[c.count], at, sizeof at);
        c.state[c.count] = chance < 0.05 ? CELL_FIXED : CELL_FREE;
        c.right[c.count++] = (float)(random_unit(a.v[2], a.v[3]) - 0.3);
    }
    for (uint32_t n = 0; n < c.count; n++)
        for (int f = 0; f < CELL_FACES; f++) {
            uint32_t at[3] = {c.at[n][0], c.at[n][1], c.at[n][2]};
            const int axis = f / 2;
            at[axis] += f % 2 ? 1u : UINT32_MAX;
            const bool out = at[axis] >= size[axis];
            c.beside[n][f] = !out ? *number_of(number, size, at) : axis == 1 && f % 2 ? CELL_AIR : CELL_WALL;
        }
    return c;
}

static int iterations_for(rill_ctx *ctx, uint32_t side, uint32_t depth, double tolerance, double *worst)
{
    const float shift = 1e-6f;
    rill_arena arena;
    arena_init(&arena, ctx);
    cells c = make_cells(&arena, side, depth);
    cell_multigrid m;
    assert_ok(ctx, cell_multigrid_build(ctx, &arena, (const uint32_t(*)[3])c.at,
                                        (const uint32_t(*)[CELL_FACES])c.beside, c.count, &m));
    cell_multigrid_set(&m, c.state, shift);
    float *e, *r;
    assert_int_equal(ARENA_NEW(&arena, e, c.count), RILL_OK);
    assert_int_equal(ARENA_NEW(&arena, r, c.count), RILL_OK);
    for (uint32_t n = 0; n < c.count; n++) {
        e[n] = 0;
        r[n] = c.state[n] == CELL_FREE ? c.right[n] : 0;
    }
    const int iterations = cell_multigrid_solve(&m, e, r, tolerance, 100);
    double left = 0, all = 0;
    for (uint32_t n = 0; n < c.count; n++) { /* by the operator itself, not by what the solver says is left */
        if (c.state[n] != CELL_FREE) {
            assert_true(e[n] == 0);
            continue;
        }
        const double d = (double)c.right[n] - (double)cell_multigrid_apply(&m, c.state, shift, e, n);
        left += d * d;
        all += (double)c.right[n] * (double)c.right[n];
    }
    *worst = sqrt(left / all);
    arena_clear(&arena);
    return iterations;
}

static void cells_are_solved_at_any_size(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    double worst;
    const int small = iterations_for(ctx, 12, 12, 1e-3, &worst);
    assert_true(worst < 1.1e-3);
    const int large = iterations_for(ctx, 40, 40, 1e-3, &worst);
    assert_true(worst < 1.1e-3);
    const int flat = iterations_for(ctx, 100, 1, 1e-3, &worst);
    assert_true(worst < 1.1e-3);
    assert_true(small <= 15 && large <= 20 && flat <= 25);
    rill_ctx_destroy(ctx);
}

/* A column of 120 layers comes to rest under its weight in every step. Before, waves of more than 30 cells
 * were not seen, steps were too long for the pressure at its foot, and no step reached its tolerance. */
static void tall_columns_are_solved(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene = sized_scene(ctx, 2, 0.005, (rill_box){{0, 0, 0}, {0.8, 0.8, 0}},
                                   box_shaped(v3(0, 0, -1), v3(0.2, 0.6, 1)), 0);
    def_of(&scene)->solver = SPH_DFSPH;
    sph *s = make_sim(ctx, &scene);
    uint32_t iterations = 0, most = 0;
    int above = 0;
    enum { STEPS = 40 };
    for (int n = 0; n < STEPS; n++) {
        rill_step_stats stats = step_stats_none();
        const double dt = sph_method.max_dt(&s->sim);
        assert_ok(ctx, sph_method.step(&s->sim, dt, &stats));
        s->sim.time += dt;
        s->sim.step++;
        iterations += stats.solve_iterations;
        most = stats.solve_iterations > most ? stats.solve_iterations : most;
        above += stats.solve_residual > s->def.compression;
    }
    assert_true(above == 0);
    assert_true(most <= 40);
    assert_true(iterations <= 15 * STEPS);
    throw_away(ctx, &scene, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_solved_at_any_size),
        cmocka_unit_test(tall_columns_are_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
