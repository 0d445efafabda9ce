/* The projection, on a box of cells that are made here: what it must hold on any mesh. */
#include "support.h"

#include "base/random.h"
#include "flow/projection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 8 }; /* cells a side */
static const double h = 0.125;

static double uniform(uint64_t seed, uint64_t i)
{
    const random4 r = random_at(seed, i, 0, 0);
    return random_unit(r.v[0], r.v[1]) - 0.5;
}

/* ---- a box with a block cut out of it ---- */

typedef struct {
    bool open_top;
    bool body;    /* the block is a body; otherwise its sides are walls */
    bool cracked; /* some faces are open in part */
} tank;

static bool in_block(int x, int y, int z)
{
    return x >= 3 && x < 5 && y >= 2 && y < 5 && z >= 3 && z < 6;
}

typedef struct {
    fv_mesh *m;
    uint32_t inner, boundary;
    bool fill; /* counting first */
} maker;

static void put_face(maker *k, tank t, uint32_t a, uint32_t b, rill_vec3 middle, rill_vec3 direction,
                     fv_kind kind)
{
    const bool inner = b != FV_NONE;
    const uint32_t at = inner ? k->inner++ : k->boundary++;
    if (!k->fill) return;
    const bool outward_b = inner && b < a;
    fv_face f = {.a = outward_b ? b : a,
                 .b = outward_b ? a : b,
                 .area = v3_scale(direction, outward_b ? -h * h : h * h),
                 .centroid = v3_madd(middle, 0.5 * h, direction),
                 .distance = inner ? h : 0.5 * h,
                 .open = 1,
                 .ghost = 1};
    if (kind == FV_SURFACE && !inner) {
        f.distance = h; /* to the next cell's middle; the surface lies at 0.3 of it */
        f.ghost = 0.3f;
    }
    if (t.cracked && inner && at % 5 == 0) f.open = at % 3 ? 0.25f : 0;
    k->m->face[inner ? at : k->m->inner_count + at] = f;
    if (!inner) k->m->boundary[at] = (fv_boundary){.kind = kind};
}

static void make_faces(maker *k, tank t, const uint32_t *cell)
{
    static const int step[6][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    k->inner = k->boundary = 0;
    for (int z = 0, i = 0; z < N; z++)
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++, i++) {
                if (cell[i] == FV_NONE) continue;
                const rill_vec3 middle = v3((x + 0.5) * h, (y + 0.5) * h, (z + 0.5) * h);
                for (int d = 0; d < 6; d++) {
                    const int X = x + step[d][0], Y = y + step[d][1], Z = z + step[d][2];
                    const bool outside = X < 0 || Y < 0 || Z < 0 || X >= N || Y >= N || Z >= N;
                    const rill_vec3 n = v3(step[d][0], step[d][1], step[d][2]);
                    const uint32_t other = outside ? FV_NONE : cell[(Z * N + Y) * N + X];
                    if (other != FV_NONE && d >= 3) continue;
                    const fv_kind kind = outside  ? (Y == N && t.open_top ? FV_SURFACE : FV_WALL)
                                         : t.body ? FV_BODY
                                                  : FV_WALL;
                    put_face(k, t, cell[i], other, middle, n, kind);
                }
            }
}

static fv_mesh make_mesh(rill_ctx *ctx, tank t)
{
    fv_mesh m;
    uint32_t cell[N * N * N], cells = 0;
    fv_mesh_init(&m, ctx);
    for (int z = 0, i = 0; z < N; z++)
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++, i++) cell[i] = in_block(x, y, z) ? FV_NONE : cells++;
    maker k = {.m = &m};
    make_faces(&k, t, cell);
    assert_ok(ctx, fv_mesh_resize(&m, cells, k.inner, k.boundary));
    for (int z = 0, i = 0; z < N; z++)
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++, i++)
                if (cell[i] != FV_NONE) {
                    m.volume[cell[i]] = h * h * h;
                    m.site[cell[i]] = v3((x + 0.5) * h, (y + 0.5) * h, (z + 0.5) * h);
                }
    k.fill = true;
    make_faces(&k, t, cell);
    assert_ok(ctx, fv_mesh_check(&m, 1e-14));
    return m;
}

static rigid_body make_body(double mass, body_constraint constraint)
{
    rigid_body b = {.mass = mass, .center = {4 * h, 3.5 * h, 4.5 * h}, .constraint = constraint};
    const double j = mass * h * h;
    const double inertia[3][3] = {
        {1.5 * j, 0.2 * j, 0}, {0.2 * j, 1.1 * j, -0.1 * j}, {0, -0.1 * j, 1.1 * j}};
    memcpy(b.inertia, inertia, sizeof inertia);
    b.point = v3(0.2, 0.7, 0.4);
    b.axis = v3_unit(v3(1, 0.3, -0.2));
    const double motion[6] = {0.3, -0.5, 0.2, 1, -2, 0.7};
    rigid_body_set_motion(&b, motion);
    return b;
}

static projection *make_projection(rill_ctx *ctx, const fv_mesh *m, rigid_body *b, double tolerance)
{
    projection_def def = projection_def_default();
    projection *p;
    def.solver.tolerance = tolerance;
    assert_ok(ctx, projection_create(ctx, &def, &p));
    assert_ok(ctx, projection_prepare(p, m, b, b ? 1 : 0, false));
    return p;
}

static double *numbers(size_t n)
{
    double *x = calloc(n, sizeof *x);
    assert_non_null(x);
    return x;
}

static double *random_flux(projection *p, const fv_mesh *m, uint64_t seed)
{
    double *flux = numbers(m->face_count);
    for (uint32_t k = 0; k < m->face_count; k++) flux[k] = m->face[k].open * uniform(seed, k) * h * h;
    projection_boundary_flux(p, flux);
    return flux;
}

static double largest(const double *x, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* ---- what a projection is ---- */

/* The product of two states in the metric of kinetic energy: flux^2 / weight in the fluid (a face
 * of weight w is area x distance of fluid), mass and inertia of the body. */
static double product(const projection *p, const fv_mesh *m, const double *f, const double *g,
                      const rigid_body *a, const rigid_body *b)
{
    const float *w = projection_weights(p);
    double sum = 0;
    for (uint32_t k = 0; k < m->face_count; k++)
        if (w[k] > 0) sum += 1000 * f[k] * g[k] / w[k];
    for (uint32_t k = m->inner_count; k < m->face_count; k++) /* the layer between site and body */
        if (m->boundary[k - m->inner_count].kind == FV_BODY) sum += 1000 * f[k] * g[k] * 0.5 * h / (h * h);
    if (!a) return sum;
    sum += a->mass * v3_dot(a->velocity, b->velocity);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) sum += a->inertia[i][j] * v3_axis(a->spin, i) * v3_axis(b->spin, j);
    return sum;
}

/* Divergence-free after, nothing new the second time, and what was taken away is
 * orthogonal to what is left: that is the orthogonal projection and no other. */
static void check_projection(rill_ctx *ctx, tank t, rigid_body *body, double tolerance)
{
    fv_mesh m = make_mesh(ctx, t);
    projection *p = make_projection(ctx, &m, body, tolerance);
    double *flux = random_flux(p, &m, 5), *before = numbers(m.face_count), *q = numbers(m.cell_count),
           *div = numbers(m.cell_count), *again = numbers(m.face_count);
    const rigid_body start = body ? *body : (rigid_body){0};
    solver_report report;
    memcpy(before, flux, m.face_count * sizeof *flux);
    if (!t.cracked) assert_int_equal(projection_closed_count(p), t.open_top ? 0 : 1);
    projection_solve(p, flux, 0.01, q, &report);
    assert_int_equal(report.outcome, SOLVER_CONVERGED);
    assert_true(report.imbalance < 1e-9);
    projection_update(p, q, 0.01, flux, NULL);
    projection_divergence(p, flux, div);
    const double size = largest(before, m.face_count);
    assert_true(largest(div, m.cell_count) < 100 * tolerance * size);

    double *taken = numbers(m.face_count);
    rigid_body change = start;
    for (uint32_t k = 0; k < m.face_count; k++) taken[k] = before[k] - flux[k];
    if (body) {
        change.velocity = v3_sub(start.velocity, body->velocity);
        change.spin = v3_sub(start.spin, body->spin);
    }
    const rigid_body *b = body;
    const double left = product(p, &m, flux, flux, b, b),
                 removed = product(p, &m, taken, taken, b ? &change : NULL, b ? &change : NULL),
                 cross = product(p, &m, flux, taken, b, b ? &change : NULL),
                 whole = product(p, &m, before, before, b ? &start : NULL, b ? &start : NULL);
    assert_true(fabs(cross) < 1000 * tolerance * sqrt(left * removed));
    assert_true(left < whole);
    assert_true(fabs(left + removed - whole) < 1000 * tolerance * whole);

    memcpy(again, flux, m.face_count * sizeof *flux);
    memset(q, 0, m.cell_count * sizeof *q);
    if (body) {
        rigid_body moved = *body;
        projection_boundary_flux(p, again);
        projection_solve(p, again, 0.01, q, &report);
        projection_update(p, q, 0.01, again, NULL);
        assert_true(v3_distance(moved.velocity, body->velocity) < 1e4 * tolerance);
        assert_true(v3_distance(moved.spin, body->spin) < 1e5 * tolerance);
    } else {
        projection_solve(p, again, 0.01, q, &report);
        projection_update(p, q, 0.01, again, NULL);
    }
    for (uint32_t k = 0; k < m.face_count; k++)
        assert_true(fabs(again[k] - flux[k]) < 1000 * tolerance * size);

    free(flux);
    free(before);
    free(q);
    free(div);
    free(again);
    free(taken);
    projection_destroy(p);
    fv_mesh_clear(&m);
}

static void fluid_alone(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int open = 0; open < 2; open++)
        for (int cracked = 0; cracked < 2; cracked++)
            check_projection(ctx, (tank){.open_top = open, .cracked = cracked}, NULL, 1e-12);
    rill_ctx_destroy(ctx);
}

static void bodies_of_every_kind_and_mass(void **state)
{
    (void)state;
    static const double mass[] = {1e-4, 1, 20, 1e5}; /* the block of fluid would have 35 kg */
    rill_ctx *ctx = test_ctx(2);
    for (int open = 0; open < 2; open++)
        for (int constraint = BODY_FREE; constraint <= BODY_PINNED; constraint++)
            for (size_t k = 0; k < sizeof mass / sizeof *mass; k++) {
                rigid_body b = make_body(mass[k], (body_constraint)constraint);
                check_projection(ctx, (tank){.open_top = open, .body = true}, &b,
                                 mass[k] < 1e-2 ? 1e-10 : 1e-12); /* the lighter, the larger the matrix */
            }
    rill_ctx_destroy(ctx);
}

/* What a body and the fluid that touches it have of momentum is theirs together afterwards. */
static void layer_and_body_keep_their_momentum(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rigid_body b = make_body(20, BODY_FREE);
    fv_mesh m = make_mesh(ctx, (tank){.body = true});
    projection *p = make_projection(ctx, &m, &b, 1e-8);
    double *flux = numbers(m.face_count), momentum[2] = {0};
    for (uint32_t k = 0; k < m.face_count; k++) flux[k] = uniform(3, k) * h * h;
    for (int after = 0; after < 2; after++) {
        if (after) projection_boundary_flux(p, flux);
        momentum[after] = b.mass * b.velocity.y;
        for (uint32_t k = m.inner_count; k < m.face_count;
             k++) /* half a cell's depth of fluid at each face */
            if (m.boundary[k - m.inner_count].kind == FV_BODY)
                momentum[after] += 1000 * 0.5 * h * flux[k] * m.face[k].area.y / (h * h);
    }
    assert_true(fabs(momentum[1] - momentum[0]) < 1e-12 * fabs(momentum[0]));
    const rigid_body once = b;
    projection_boundary_flux(p, flux);
    assert_true(v3_distance(once.velocity, b.velocity) < 1e-13 && v3_distance(once.spin, b.spin) < 1e-12);
    free(flux);
    projection_destroy(p);
    fv_mesh_clear(&m);
    rill_ctx_destroy(ctx);
}

/* In a tank at rest pressure is that of the depth, to rounding. */
static void water_at_rest(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    const double dt = 0.02, g = -9.81, air = 3000;
    fv_mesh m = make_mesh(ctx, (tank){.open_top = true});
    for (uint32_t k = 0; k < m.face_count - m.inner_count; k++) m.boundary[k].pressure = air;
    projection *p = make_projection(ctx, &m, NULL, 1e-12);
    double *flux = numbers(m.face_count), *q = numbers(m.cell_count);
    for (uint32_t k = 0; k < m.face_count; k++) flux[k] = g * dt * m.face[k].area.y;
    projection_boundary_flux(p, flux);
    solver_report report;
    projection_solve(p, flux, dt, q, &report);
    projection_update(p, q, dt, flux, NULL);
    assert_true(largest(flux, m.face_count) < 1e-9 * dt * fabs(g) * h * h);
    /* h to the next middle, at 0.3 of it from the last one: the surface is at 0.2 h below the top */
    const double top = 1 - 0.5 * h + 0.3 * h;
    for (uint32_t i = 0; i < m.cell_count; i++) {
        const double pressure = q[i] * 1000 / dt, depth = top - m.site[i].y;
        assert_true(fabs(pressure - air - 1000 * 9.81 * depth) < 1e-4); /* ghost is a float */
    }
    free(flux);
    free(q);
    projection_destroy(p);
    fv_mesh_clear(&m);
    rill_ctx_destroy(ctx);
}

/* A change that is the same everywhere is the same for every cell: Perot's form is exact
 * for it on closed cells. */
static void cells_get_a_constant_change_exactly(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    fv_mesh m = make_mesh(ctx, (tank){.open_top = true});
    projection *p = make_projection(ctx, &m, NULL, 1e-6);
    const rill_vec3 c = {0.3, -0.7, 0.2};
    double *change = numbers(m.face_count);
    rill_vec3 *u = calloc(m.cell_count, sizeof *u);
    for (uint32_t k = 0; k < m.face_count; k++) change[k] = v3_dot(c, m.face[k].area);
    projection_cells(p, change, u);
    for (uint32_t i = 0; i < m.cell_count; i++) assert_true(v3_distance(u[i], c) < 1e-13);
    free(change);
    free(u);
    projection_destroy(p);
    fv_mesh_clear(&m);
    rill_ctx_destroy(ctx);
}

static void a_wall_that_pushes_into_a_closed_tank_is_told(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    fv_mesh m = make_mesh(ctx, (tank){0});
    m.boundary[0].velocity = v3_scale(v3_unit(m.face[m.inner_count].area), -1);
    projection *p = make_projection(ctx, &m, NULL, 1e-8);
    double *flux = numbers(m.face_count), *q = numbers(m.cell_count);
    solver_report report;
    projection_boundary_flux(p, flux);
    projection_solve(p, flux, 0.01, q, &report);
    assert_int_equal(report.outcome, SOLVER_CONVERGED);
    assert_true(report.imbalance > 0.03);
    free(flux);
    free(q);
    projection_destroy(p);
    fv_mesh_clear(&m);
    rill_ctx_destroy(ctx);
}

static void bad_meshes_are_named(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    for (int fault = 0; fault < 9; fault++) {
        static const char *const says[] = {"cell 7 has a volume of 0", "cell 7 has a volume of nan",
                                           "face 3 of cell",           "face 3 of cell",
                                           "face 3 of cell",           "body 0 of 0",
                                           "body 0 has a mass of 0",   "joins cells",
                                           "boundary at face"};
        fv_mesh m = make_mesh(ctx, (tank){.body = fault == 5 || fault == 6});
        rigid_body b = make_body(fault == 6 ? 0 : 1, BODY_FREE);
        switch (fault) {
        case 0: m.volume[7] = 0; break;
        case 1: m.volume[7] = NAN; break;
        case 2: m.face[3].distance = 0; break;
        case 3: m.face[3].area.y = INFINITY; break;
        case 4: m.face[3].open = -0.1f; break;
        case 7: m.face[3].b = m.cell_count; break;
        case 8: m.boundary[2].velocity.x = NAN; break;
        default: break;
        }
        projection_def def = projection_def_default();
        projection *p;
        assert_ok(ctx, projection_create(ctx, &def, &p));
        const rill_status st = projection_prepare(p, &m, &b, fault == 6, false);
        assert_int_equal(st, fault == 6 ? RILL_USAGE : RILL_BLEW_UP);
        if (!strstr(rill_ctx_message(ctx), says[fault])) fail_msg("%d: %s", fault, rill_ctx_message(ctx));
        projection_destroy(p);
        fv_mesh_clear(&m);
    }
    rill_ctx_destroy(ctx);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    double *first = NULL;
    for (int threads = 1; threads <= 3; threads++) {
        rill_ctx *ctx = test_ctx(threads);
        fv_mesh m = make_mesh(ctx, (tank){.open_top = true, .body = true, .cracked = true});
        rigid_body b = make_body(3, BODY_PINNED);
        projection *p = make_projection(ctx, &m, &b, 1e-7);
        double *flux = random_flux(p, &m, 9), *q = numbers(m.cell_count);
        solver_report report;
        projection_solve(p, flux, 0.01, q, &report);
        projection_update(p, q, 0.01, flux, NULL);
        if (first)
            assert_memory_equal(first, flux, m.face_count * sizeof *flux);
        else
            first = flux;
        if (first != flux) free(flux);
        free(q);
        projection_destroy(p);
        fv_mesh_clear(&m);
        rill_ctx_destroy(ctx);
    }
    free(first);
}

static void failed_allocations_leave_nothing(void **state)
{
    (void)state;
    rill_status st = RILL_NO_MEMORY;
    for (uint64_t n = 1; st; n++) {
        failing_allocator f = {.fail_at = 0};
        rill_ctx *ctx = test_ctx_failing(2, &f);
        fv_mesh m = make_mesh(ctx, (tank){.open_top = true, .body = true});
        rigid_body b = make_body(3, BODY_FREE);
        projection_def def = projection_def_default();
        projection *p = NULL;
        const uint64_t live = f.live;
        f.fail_at = f.calls + n;
        st = projection_create(ctx, &def, &p);
        if (!st) st = projection_prepare(p, &m, &b, 1, false);
        if (st) assert_int_equal(st, RILL_NO_MEMORY);
        projection_destroy(p);
        assert_int_equal(f.live, live);
        f.fail_at = 0;
        fv_mesh_clear(&m);
        rill_ctx_destroy(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fluid_alone),
        cmocka_unit_test(bodies_of_every_kind_and_mass),
        cmocka_unit_test(layer_and_body_keep_their_momentum),
        cmocka_unit_test(water_at_rest),
        cmocka_unit_test(cells_get_a_constant_change_exactly),
        cmocka_unit_test(a_wall_that_pushes_into_a_closed_tank_is_told),
        cmocka_unit_test(bad_meshes_are_named),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(failed_allocations_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
