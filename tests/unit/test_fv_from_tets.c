/* Finite-volume mesh of tetrahedra: identities, and the Poisson equation on it. */
#include "support.h"

#include "flow/fv_from_tets.h"
#include "linalg/solver.h"
#include "site_sets.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    rill_ctx *ctx;
    rill_arena arena;
    delaunay d;
    fv_mesh mesh;
    fv_tets tets;
    rill_vec3 *x;
} fixture;

static void begin(fixture *f, int threads, size_t n)
{
    *f = (fixture){.ctx = test_ctx(threads)};
    arena_init(&f->arena, f->ctx);
    delaunay_init(&f->d, f->ctx);
    fv_mesh_init(&f->mesh, f->ctx);
    assert_ok(f->ctx, MEM_NEW(f->ctx, f->x, n));
}

static void end(fixture *f)
{
    mem_free(f->ctx, f->x);
    fv_mesh_clear(&f->mesh);
    delaunay_clear(&f->d);
    arena_clear(&f->arena);
    rill_ctx_destroy(f->ctx);
}

/* Closed cells, positive distances, volumes that add up; with merged cells and without, all fluid and
 * half of it. */
static void cells_are_closed(void **state)
{
    (void)state;
    enum { N = 3000 };
    fixture f;
    begin(&f, 2, N);
    for (point_set set = 0; set <= POINTS_CLUSTERED; set++)
        for (int mode = 0; mode < 4; mode++) {
            for (size_t i = 0; i < N; i++) f.x[i] = point_of(set, i, N);
            assert_ok(f.ctx, delaunay_build(&f.d, &(delaunay_def){.position = f.x, .count = N}, NULL));
            arena_reset(&f.arena);
            uint8_t *fluid;
            assert_ok(f.ctx, ARENA_NEW(&f.arena, fluid, f.d.finite));
            double volume = 0;
            for (uint32_t k = 0; k < f.d.finite; k++) {
                fluid[k] = mode < 2 || k % 2;
                if (fluid[k]) volume += delaunay_volume(&f.d, k);
            }
            fv_tets_def def = fv_tets_def_default();
            def.mesh = &f.d;
            def.merge = mode % 2;
            def.fluid = mode < 2 ? NULL : fluid;
            assert_ok(f.ctx, fv_mesh_from_tets(&f.arena, &def, &f.mesh, &f.tets));
            assert_ok(f.ctx, fv_mesh_check(&f.mesh, 1e-12));
            double sum = 0;
            for (uint32_t c = 0; c < f.mesh.cell_count; c++) sum += f.mesh.volume[c];
            assert_true(fabs(sum - volume) < 1e-12 * volume);
            if (!def.merge && !def.fluid) {
                assert_int_equal(f.mesh.cell_count, f.d.finite);
                assert_int_equal(f.mesh.face_count - f.mesh.inner_count, f.d.tets - f.d.finite);
                assert_int_equal(4 * f.d.finite, f.mesh.inner_count + f.mesh.face_count);
            }
            if (def.merge && set == POINTS_CUBIC && !def.fluid) /* one cell for each cube of the lattice */
                assert_true(f.mesh.cell_count < f.d.finite / 4);
            for (uint32_t k = 0; k < f.mesh.face_count; k++) {
                const fv_face *face = &f.mesh.face[k];
                const uint32_t t = f.tets.face[k] >> 2, n = f.d.tet[t].neighbour[f.tets.face[k] & 3] >> 2;
                assert_int_equal(f.tets.cell[t], face->a);
                assert_int_equal(n < f.d.finite ? f.tets.cell[n] : FV_NONE, face->b);
            }
        }
    end(&f);
}

/* A linear pressure has its exact normal gradient at every face, and the line between two centres goes
 * through the face's circle. */
static void linear_pressures_are_exact(void **state)
{
    (void)state;
    enum { N = 4000 };
    fixture f;
    begin(&f, 1, N);
    const rill_vec3 g = v3(0.3, -1.2, 0.7);
    for (size_t i = 0; i < N; i++) f.x[i] = point_of(POINTS_RANDOM, i, N);
    assert_ok(f.ctx, delaunay_build(&f.d, &(delaunay_def){.position = f.x, .count = N}, NULL));
    fv_tets_def def = fv_tets_def_default();
    def.mesh = &f.d;
    def.merge = false;
    assert_ok(f.ctx, fv_mesh_from_tets(&f.arena, &def, &f.mesh, &f.tets));
    uint32_t tested = 0;
    for (uint32_t k = 0; k < f.mesh.inner_count; k++) {
        const fv_face *face = &f.mesh.face[k];
        const rill_vec3 a = f.mesh.site[face->a], b = f.mesh.site[face->b], n = v3_unit(face->area);
        double ra, rb;
        delaunay_circumcentre(&f.d, face->a, &ra);
        delaunay_circumcentre(&f.d, face->b, &rb);
        if (face->distance <= 1e-3 * fmin(ra, rb) || fmax(ra, rb) > 0.3)
            continue; /* raised, or flat at the hull */
        const double slope = (v3_dot(g, b) - v3_dot(g, a)) / face->distance;
        const double rounding = 1e-10 * fmax(ra, rb) / face->distance;
        assert_true(fabs(slope - v3_dot(g, n)) < rounding + 1e-12);
        const rill_vec3 c = fv_tet_face_centre(&f.d, f.tets.face[k] >> 2, f.tets.face[k] & 3);
        assert_true(v3_length(v3_cross(v3_sub(c, a), n)) < 1e-9 * (1 + ra));
        tested++;
    }
    assert_true(tested > f.mesh.inner_count / 2);
    end(&f);
}

/* Sites of a BCC lattice that fills the unit box, faces included; those inside jittered. */
static size_t box_sites(rill_vec3 *x, uint32_t side, double jitter)
{
    const double h = 1.0 / side;
    size_t n = 0;
    for (uint32_t c = 0; c < 2; c++)
        for (uint32_t i = 0; i <= side - c; i++)
            for (uint32_t j = 0; j <= side - c; j++)
                for (uint32_t k = 0; k <= side - c; k++) {
                    rill_vec3 p = v3(h * (i + 0.5 * c), h * (j + 0.5 * c), h * (k + 0.5 * c));
                    const bool wall =
                        !c && (i == 0 || j == 0 || k == 0 || i == side || j == side || k == side);
                    if (!wall) p = v3_madd(p, jitter * h, v3_sub(point_random(21, n), v3(0.5, 0.5, 0.5)));
                    x[n++] = p;
                }
    return n;
}

static rill_vec3 barycentre(const delaunay *d, uint32_t t)
{
    rill_vec3 sum = v3(0, 0, 0);
    for (int i = 0; i < 4; i++) sum = v3_madd(sum, 0.25, delaunay_site(d, d->tet[t].v[i]));
    return sum;
}

static double exact(rill_vec3 p)
{
    const double w = 2 * 3.14159265358979323846;
    return cos(w * p.x) * cos(w * p.y) * cos(w * p.z);
}

/* L2 error of V-02 (a) with walls around; pressures at circumcentres, or at barycentres. */
static double poisson_error(uint32_t side, bool circumcentric)
{
    fixture f;
    const size_t room = 2 * (size_t)(side + 1) * (side + 1) * (side + 1);
    begin(&f, 2, room);
    const size_t n = box_sites(f.x, side, 0.15);
    assert_ok(f.ctx, delaunay_build(&f.d, &(delaunay_def){.position = f.x, .count = n}, NULL));
    fv_tets_def def = fv_tets_def_default();
    def.mesh = &f.d;
    def.merge = circumcentric;
    assert_ok(f.ctx, fv_mesh_from_tets(&f.arena, &def, &f.mesh, &f.tets));
    const uint32_t cells = f.mesh.cell_count, inner = f.mesh.inner_count;

    laplacian_edge *edge;
    double *right, *p;
    laplacian a = {0};
    solver *s;
    solver_report report;
    assert_ok(f.ctx, MEM_NEW(f.ctx, edge, inner));
    assert_ok(f.ctx, MEM_NEW_ZERO(f.ctx, right, cells));
    assert_ok(f.ctx, MEM_NEW_ZERO(f.ctx, p, cells));
    if (!circumcentric) /* cells are tetrahedra then */
        for (uint32_t k = 0; k < cells; k++) f.mesh.site[k] = barycentre(&f.d, k);
    for (uint32_t k = 0; k < inner; k++) {
        const fv_face *face = &f.mesh.face[k];
        double distance = face->distance;
        if (!circumcentric)
            distance = v3_dot(v3_sub(f.mesh.site[face->b], f.mesh.site[face->a]), v3_unit(face->area));
        edge[k] = (laplacian_edge){face->a, face->b, (float)(v3_length(face->area) / distance)};
    }
    const double w = 2 * 3.14159265358979323846;
    for (uint32_t t = 0; t < f.d.finite; t++)
        right[f.tets.cell[t]] += 3 * w * w * exact(barycentre(&f.d, t)) * delaunay_volume(&f.d, t);
    solver_def sd = solver_def_default();
    sd.tolerance = 1e-9;
    assert_ok(f.ctx, laplacian_build(f.ctx, cells, inner, edge, NULL, &a));
    assert_ok(f.ctx, solver_create(f.ctx, &sd, &s));
    assert_ok(f.ctx, solver_prepare(s, &a, NULL, false));
    solver_solve(s, right, p, &report);
    assert_true(report.residual < 1e-7);

    double mean = 0, error = 0, volume = 0;
    for (uint32_t c = 0; c < cells; c++) mean += f.mesh.volume[c] * (p[c] - exact(f.mesh.site[c]));
    for (uint32_t c = 0; c < cells; c++) {
        const double e = p[c] - exact(f.mesh.site[c]) - mean;
        error += f.mesh.volume[c] * e * e;
        volume += f.mesh.volume[c];
    }
    assert_true(fabs(volume - 1) < 1e-9); /* conforming: the hull is the box */
    solver_destroy(s);
    laplacian_clear(f.ctx, &a);
    mem_free(f.ctx, edge);
    mem_free(f.ctx, right);
    mem_free(f.ctx, p);
    end(&f);
    return sqrt(error);
}

/* V-02, TET: second order with circumcentres; barycentres are visibly worse. */
static void poisson_converges(void **state)
{
    (void)state;
    double circum[3], bary[3];
    for (uint32_t k = 0; k < 3; k++) {
        circum[k] = poisson_error(6u << k, true);
        bary[k] = poisson_error(6u << k, false);
    }
    print_message("circumcentres %.3e %.3e %.3e, order %.2f; barycentres %.3e %.3e %.3e, order %.2f\n",
                  circum[0], circum[1], circum[2], log2(circum[1] / circum[2]), bary[0], bary[1], bary[2],
                  log2(bary[1] / bary[2]));
    assert_true(log2(circum[1] / circum[2]) >= 1.8);
    assert_true(bary[2] > 1.5 * circum[2]);
}

static void same_bits_for_any_threads(void **state)
{
    (void)state;
    enum { N = 20000 };
    fv_face *kept = NULL;
    for (int threads = 1; threads <= 3; threads++) {
        fixture f;
        begin(&f, threads, N);
        for (size_t i = 0; i < N; i++) f.x[i] = point_of(POINTS_BCC, i, N);
        assert_ok(f.ctx, delaunay_build(&f.d, &(delaunay_def){.position = f.x, .count = N}, NULL));
        fv_tets_def def = fv_tets_def_default();
        def.mesh = &f.d;
        assert_ok(f.ctx, fv_mesh_from_tets(&f.arena, &def, &f.mesh, &f.tets));
        const size_t bytes = f.mesh.face_count * sizeof *kept;
        if (!kept) {
            kept = malloc(bytes);
            assert_non_null(kept);
            memcpy(kept, f.mesh.face, bytes);
        }
        assert_memory_equal(f.mesh.face, kept, bytes);
        end(&f);
    }
    free(kept);
}

static void failures_leave_the_mesh(void **state)
{
    (void)state;
    enum { N = 500 };
    failing_allocator fa = {.sticky = true};
    rill_ctx *ctx = test_ctx_failing(1, &fa);
    rill_vec3 x[N];
    for (size_t i = 0; i < N; i++) x[i] = point_of(POINTS_RANDOM, i, N);
    delaunay d;
    delaunay_init(&d, ctx);
    assert_ok(ctx, delaunay_build(&d, &(delaunay_def){.position = x, .count = N}, NULL));
    const uint64_t live = fa.live;
    fv_tets_def def = fv_tets_def_default();
    def.mesh = &d;
    uint64_t fails = 0;
    for (uint64_t at = 1;; at++) {
        rill_arena arena;
        fv_mesh mesh;
        fv_tets tets = {0};
        arena_init(&arena, ctx);
        fv_mesh_init(&mesh, ctx);
        fa.calls = 0;
        fa.fail_at = at;
        const rill_status st = fv_mesh_from_tets(&arena, &def, &mesh, &tets);
        fa.fail_at = 0;
        if (st) {
            fails++;
            assert_int_equal(st, RILL_NO_MEMORY);
            assert_true(mesh.cell_count == 0 && mesh.face_count == 0 && !tets.cell && !tets.face);
        }
        fv_mesh_clear(&mesh);
        arena_clear(&arena);
        assert_int_equal(fa.live, live);
        if (!st) break;
    }
    assert_true(fails >= 4);
    /* nothing fluid, and not tidy */
    rill_arena arena;
    fv_mesh mesh;
    fv_tets tets;
    arena_init(&arena, ctx);
    fv_mesh_init(&mesh, ctx);
    uint8_t *none = calloc(d.finite, 1);
    assert_non_null(none);
    def.fluid = none;
    assert_int_equal(fv_mesh_from_tets(&arena, &def, &mesh, &tets), RILL_BLEW_UP);
    def.fluid = NULL;
    assert_ok(ctx, delaunay_remove(&d, 3, NULL));
    assert_int_equal(fv_mesh_from_tets(&arena, &def, &mesh, &tets), RILL_USAGE);
    free(none);
    fv_mesh_clear(&mesh);
    arena_clear(&arena);
    delaunay_clear(&d);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_closed), cmocka_unit_test(linear_pressures_are_exact),
        cmocka_unit_test(poisson_converges), cmocka_unit_test(same_bits_for_any_threads),
        cmocka_unit_test(failures_leave_the_mesh)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
