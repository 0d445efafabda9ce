/* Distances of mesh solids against analytic ones and the exact against the cached. */
#include "meshes.h"

#include "base/parallel.h"
#include "base/text.h"
#include "geom/distance/mesh_distance_parts.h"
#include "geom/shape/shape.h"

#include <stdlib.h>

static const rill_box unit_box = {{0, 0, 0}, {1, 1, 1}};

static mesh_distance *make(rill_ctx *ctx, const trimesh *m, int resolution, double shell, bool holes)
{
    mesh_distance *d = NULL;
    const mesh_distance_def def = {.shell = shell, .holes = holes, .resolution = resolution};
    assert_ok(ctx, mesh_distance_create(ctx, m, &def, &d));
    return d;
}

static mesh_distance *make_and_clear(rill_ctx *ctx, trimesh m, int resolution, double shell, bool holes)
{
    mesh_distance *d = make(ctx, &m, resolution, shell, holes);
    trimesh_clear(ctx, &m); /* it was copied */
    return d;
}

/* A box, exactly, inside and out; normals by differences of the distance. */
static void box_is_exact(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int n = 1; n <= 7; n += 3) {
        mesh_distance *d = make_and_clear(ctx, mesh_of_box(ctx, unit_box, n, 63), 0, 0, false);
        const shape box = {.kind = SHAPE_BOX, .box = {unit_box.min, unit_box.max}};
        for (uint64_t i = 0; i < 4000; i++) {
            const rill_vec3 x = random_point(box_grown(unit_box, 0.5), 1, i);
            rill_vec3 normal, want_normal;
            const double want = shape_distance(&box, x, &want_normal);
            assert_float_equal(mesh_distance_exact(d, x, &normal), want, 1e-14);
            assert_true(v3_distance(normal, want_normal) < 1e-9 || want < -0.2); /* apart from ties inside */
            assert_true(mesh_distance_at(d, x, NULL) == mesh_distance_exact(d, x, NULL));
        }
        rill_vec3 normal;
        mesh_distance_exact(d, v3(1, 0.3, 0.4), &normal); /* on a face, an edge and a corner */
        assert_true(v3_distance(normal, v3(1, 0, 0)) < 1e-12);
        mesh_distance_exact(d, v3(1, 1, 0.4), &normal);
        assert_true(v3_distance(normal, v3_unit(v3(1, 1, 0))) < 1e-12);
        mesh_distance_exact(d, v3(1, 1, 1), &normal);
        assert_true(v3_distance(normal, v3_unit(v3(1, 1, 1))) < 1e-12);
        const rill_box b = mesh_distance_bounds(d);
        assert_memory_equal(&b, &unit_box, sizeof b);
        mesh_distance_destroy(ctx, d);
    }
    rill_ctx_destroy(ctx);
}

/* Sphere and torus: as near as their facets are, second order in the facets' size. */
static void curved_solids(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    double sphere_error[2] = {0}, torus_error[2] = {0};
    for (int k = 0; k < 2; k++) {
        mesh_distance *s = make_and_clear(ctx, mesh_of_sphere(ctx, v3(0, 0, 0), 1, 0, 24 << k), 0, 0, false);
        mesh_distance *t = make_and_clear(ctx, mesh_of_torus(ctx, 1, 0.3, 60 << k, 24 << k), 0, 0, false);
        for (uint64_t i = 0; i < 4000; i++) {
            const rill_vec3 x = random_point((rill_box){{-1.5, -1.5, -1.5}, {1.5, 1.5, 1.5}}, 2, i);
            sphere_error[k] =
                fmax(sphere_error[k], fabs(mesh_distance_exact(s, x, NULL) - (v3_length(x) - 1)));
            const double ring = sqrt(x.x * x.x + x.z * x.z) - 1;
            const double want = sqrt(ring * ring + x.y * x.y) - 0.3;
            torus_error[k] = fmax(torus_error[k], fabs(mesh_distance_exact(t, x, NULL) - want));
        }
        mesh_distance_destroy(ctx, s);
        mesh_distance_destroy(ctx, t);
    }
    assert_true(sphere_error[0] < 0.009 && sphere_error[0] > 3.5 * sphere_error[1]);
    assert_true(torus_error[0] < 0.009 && torus_error[0] > 3.5 * torus_error[1]);
    rill_ctx_destroy(ctx);
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Cached against exact at random points of the grid's box, and close to the surface. */
static void judge_cache(const char *name, const mesh_distance *d, double h, double limit_percentile)
{
    enum { POINTS = 40000 };
    static double near_error[POINTS], near_angle[POINTS];
    const trimesh *m = mesh_distance_surface(d);
    const rill_box bounds = mesh_distance_bounds(d),
                   box = box_grown(bounds, 0.2 * v3_length(box_size(bounds)) / 2);
    double worst_far = 0;
    size_t told = 0; /* sides that the corners of a cell tell */
    for (uint64_t i = 0; i < POINTS; i++) {
        rill_vec3 x = random_point(box, 3, i);
        const double far = mesh_distance_exact(d, x, NULL), got_far = mesh_distance_at(d, x, NULL);
        if (fabs(got_far - far) > mesh_distance_error(d, far))
            fail_msg("%s: %g instead of %g at %g %g %g", name, got_far, far, x.x, x.y, x.z);
        worst_far = fmax(worst_far, fabs(got_far - far) / (h + fabs(far)));

        const uint32_t *c = m->triangle[i * 7919 % m->triangle_count]; /* within two cells of a triangle */
        const rill_vec3 w = random_point(unit_box, 4, i), off = random_point(unit_box, 5, i);
        const double sum = w.x + w.y + w.z;
        x = v3_add(v3_add(v3_scale(m->position[c[0]], w.x / sum), v3_scale(m->position[c[1]], w.y / sum)),
                   v3_scale(m->position[c[2]], w.z / sum));
        x = v3_madd(x, 4 * h, v3_sub(off, v3(0.5, 0.5, 0.5)));
        rill_vec3 n, want_n;
        const double want = mesh_distance_exact(d, x, &want_n), got = mesh_distance_at(d, x, &n);
        if (fabs(got - want) > mesh_distance_error(d, want))
            fail_msg("%s: %g instead of %g near the surface, h %g, at %g %g %g", name, got, want, h, x.x, x.y,
                     x.z);
        const int side = distance_grid_side_at(d->grid, x, fabs(want));
        const bool within = d->winding ? mesh_inside_at(d, 0, x) : want < 0;
        if (within != (want < 0) || (side && side != (within ? -1 : 1)))
            fail_msg("%s: side %d at distance %g, %g %g %g", name, side, want, x.x, x.y, x.z);
        told += side != 0;
        near_error[i] = fabs(got - want) / h;
        near_angle[i] = v3_distance(n, want_n);
        assert_float_equal(v3_length(n), 1, 1e-9);
    }
    assert_true(mesh_distance_is_shell(d) ? told == 0 : told > POINTS / 3);
    qsort(near_error, POINTS, sizeof *near_error, compare_doubles);
    qsort(near_angle, POINTS, sizeof *near_angle, compare_doubles);
    print_message("%s: near the surface median %.4f, 99.9%% %.3f, largest %.3f h; normals 99%% %.3f; far "
                  "%.3f; sides %zu\n",
                  name, near_error[POINTS / 2], near_error[POINTS - POINTS / 1000], near_error[POINTS - 1],
                  near_angle[POINTS - POINTS / 100], worst_far, told);
    assert_true(near_error[POINTS - POINTS / 1000] <= limit_percentile);
}

static void cache_keeps_its_error(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    mesh_distance *d = make_and_clear(ctx, mesh_of_sphere(ctx, v3(3, 4, 5), 1, 0.06, 60), 64, 0, false);
    judge_cache("bumpy sphere", d, 2.0 / 64, 0.1);
    mesh_distance_destroy(ctx, d);

    d = make_and_clear(ctx, mesh_of_torus(ctx, 1, 0.3, 100, 40), 48, 0, false);
    judge_cache("torus", d, 2.6 / 48, 0.25);
    mesh_distance_destroy(ctx, d);

    d = make_and_clear(ctx, mesh_of_box(ctx, unit_box, 3, 63), 50, 0, false);
    judge_cache("box", d, 1.0 / 50, 0.25);
    mesh_distance_destroy(ctx, d);

    const rill_box plate = {{0, 0, 0}, {1, 0.01, 1}}; /* thinner than a cell */
    d = make_and_clear(ctx, mesh_of_box(ctx, plate, 3, 63), 32, 0, false);
    judge_cache("thin plate", d, 1.0 / 32, 0.1);
    assert_true(mesh_distance_at(d, v3(0.5, 0.005, 0.5), NULL) < -0.004);
    mesh_distance_destroy(ctx, d);

    d = make_and_clear(ctx, mesh_of_sphere(ctx, v3(0, 0, 0), 1, 0.06, 40), 64, 0.02, false);
    judge_cache("shell of a sphere", d, 2.0 / 64, 0.1);
    mesh_distance_destroy(ctx, d);

    d = make_and_clear(ctx, mesh_of_box(ctx, unit_box, 4, 63 - 8), 40, 0.01, false);
    judge_cache("open box as a shell", d, 1.0 / 40, 0.25);
    mesh_distance_destroy(ctx, d);

    d = make_and_clear(ctx, mesh_of_box(ctx, unit_box, 4, 63 - 8), 40, 0, true);
    judge_cache("open box, closed", d, 1.0 / 40, 0.25);
    mesh_distance_destroy(ctx, d);
    rill_ctx_destroy(ctx);
}

/* A cache that is wanted in a box alone: there it gives the same bits as one of everything, elsewhere it
 * keeps its error all the same. */
static void cache_of_a_part(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    const rill_box part = {{-0.2, 0.3, -0.4}, {0.5, 0.8, 0.1}};
    for (int shell = 0; shell < 2; shell++) {
        trimesh m = mesh_of_sphere(ctx, v3(0, 0, 0), 1, 0.06, 60);
        mesh_distance_def def = {.resolution = 64, .shell = 0.02 * shell};
        mesh_distance *whole = NULL, *some = NULL, *none = NULL;
        assert_ok(ctx, mesh_distance_create(ctx, &m, &def, &whole));
        def.wanted = &part;
        assert_ok(ctx, mesh_distance_create(ctx, &m, &def, &some));
        const rill_box nowhere = {{9, 9, 9}, {10, 10, 10}};
        def.wanted = &nowhere;
        assert_ok(ctx, mesh_distance_create(ctx, &m, &def, &none));
        for (uint64_t i = 0; i < 20000; i++) {
            const rill_vec3 x = random_point(part, 7, i);
            rill_vec3 a, b;
            assert_true(mesh_distance_at(whole, x, &a) == mesh_distance_at(some, x, &b));
            assert_memory_equal(&a, &b, sizeof a);
        }
        judge_cache("of a part", some, 2.0 / 64, 0.1);
        judge_cache("of nothing", none, 2.0 / 64, 0.1);
        const distance_grid_stats of_all = distance_grid_measure(whole->grid),
                                  of_some = distance_grid_measure(some->grid),
                                  of_none = distance_grid_measure(none->grid);
        assert_true(3 * of_some.bytes < of_all.bytes && of_some.exact > of_all.exact);
        assert_true(of_none.nodes[0] + of_none.nodes[1] + of_none.nodes[2] == 0);
        mesh_distance_destroy(ctx, whole);
        mesh_distance_destroy(ctx, some);
        mesh_distance_destroy(ctx, none);
        trimesh_clear(ctx, &m);
    }
    rill_ctx_destroy(ctx);
}

/* A mesh of which a small part is wanted: there the cache is fine, and beyond it right. */
static void cache_of_a_corner(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    const rill_box corner = {{0.9, -0.05, -0.05}, {1.05, 0.05, 0.05}}, around = {{-2, -2, -2}, {2, 2, 2}};
    for (int shell = 0; shell < 2; shell++) {
        trimesh m = mesh_of_sphere(ctx, v3(0, 0, 0), 1, 0.01, 120);
        const mesh_distance_def def = {.resolution = 64, .shell = 0.02 * shell, .wanted = &corner};
        mesh_distance *d = NULL;
        assert_ok(ctx, mesh_distance_create(ctx, &m, &def, &d));
        assert_true(mesh_distance_error(d, 0) < 0.15 / 64);
        for (uint64_t i = 0; i < 8000; i++) {
            const rill_vec3 x = random_point(i % 2 ? corner : around, 7, i);
            const double exact = mesh_distance_exact(d, x, NULL);
            assert_true(fabs(mesh_distance_at(d, x, NULL) - exact) <= mesh_distance_error(d, exact));
        }
        mesh_distance_destroy(ctx, d);
        trimesh_clear(ctx, &m);
    }
    rill_ctx_destroy(ctx);
}

/* Beyond the cache: a lower bound, and no worse than the right angle allows. */
static void far_away_is_a_lower_bound(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    mesh_distance *d = make_and_clear(ctx, mesh_of_torus(ctx, 1, 0.3, 60, 24), 32, 0, false);
    for (uint64_t i = 0; i < 5000; i++) {
        const rill_vec3 x = random_point((rill_box){{-20, -20, -20}, {20, 20, 20}}, 7, i);
        rill_vec3 n, want_n;
        const double want = mesh_distance_exact(d, x, &want_n), got = mesh_distance_at(d, x, &n);
        assert_true(got <= want + mesh_distance_error(d, want) * (fabs(want) < 1));
        assert_true(got >= 0.5 * want - mesh_distance_error(d, want));
        if (want > 2) assert_true(v3_dot(n, want_n) > 0.8);
    }
    rill_vec3 n;
    assert_true(mesh_distance_at(d, v3(NAN, 0, 0), &n) == INFINITY);
    assert_true(mesh_distance_exact(d, v3(0, INFINITY, 0), &n) == INFINITY);
    assert_true(mesh_distance_at(d, v3(1e300, 0, 0), &n) > 1e299);
    mesh_distance_destroy(ctx, d);
    rill_ctx_destroy(ctx);
}

typedef struct {
    const mesh_distance *d;
    double *out;
} sampling;

static void sample_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sampling *s = arg;
    for (size_t i = begin; i < end; i++) {
        rill_vec3 n;
        const rill_vec3 x = random_point(box_grown(mesh_distance_bounds(s->d), 0.3), 8, i);
        s->out[4 * i] = mesh_distance_at(s->d, x, &n);
        s->out[4 * i + 1] = n.x, s->out[4 * i + 2] = n.y;
        s->out[4 * i + 3] = mesh_distance_exact(s->d, x, NULL);
    }
}

static void same_for_any_threads(void **state)
{
    (void)state;
    enum { POINTS = 5000 };
    static double first[4 * POINTS], out[4 * POINTS];
    const int threads[] = {1, 2, 3, 8};
    for (int shell = 0; shell < 2; shell++)
        for (int k = 0; k < 4; k++) {
            rill_ctx *ctx = test_ctx(threads[k]);
            mesh_distance *d =
                make_and_clear(ctx, mesh_of_sphere(ctx, v3(0, 0, 0), 1, 0.06, 30), 48, 0.05 * shell, false);
            sampling s = {d, k == 0 ? first : out};
            parallel_for(ctx, POINTS, 100, sample_block, &s);
            if (k > 0) assert_memory_equal(first, out, sizeof out);
            mesh_distance_destroy(ctx, d);
            rill_ctx_destroy(ctx);
        }
}

static void refused(rill_ctx *ctx, const trimesh *m, mesh_distance_def def, rill_status status,
                    const char *says)
{
    mesh_distance *none = NULL;
    assert_int_equal(mesh_distance_create(ctx, m, &def, &none), status);
    assert_null(none);
    if (!strstr(rill_ctx_message(ctx), says)) fail_msg("\"%s\" is not in: %s", says, rill_ctx_message(ctx));
}

static void bad_meshes_are_refused(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    mesh_distance_def def = mesh_distance_def_default();
    refused(ctx, &(trimesh){0}, def, RILL_BAD_FILE, "no triangles");
    trimesh m = mesh_of_box(ctx, unit_box, 2, 63 - 8);
    refused(ctx, &m, def, RILL_BAD_FILE, "open at 8 edges, the first near (");
    def.resolution = -1;
    refused(ctx, &m, def, RILL_USAGE, "resolution");
    def = mesh_distance_def_default();
    def.shell = NAN;
    refused(ctx, &m, def, RILL_USAGE, "shell");
    def.shell = 0;
    m.triangle[3][1] = 1000;
    refused(ctx, &m, def, RILL_BAD_FILE, "triangle 3 of the mesh names vertex 1000 of 45");
    m.triangle[3][1] = 0;
    m.position[7].y = NAN;
    refused(ctx, &m, def, RILL_BAD_FILE, "vertex 7 of the mesh is at");
    trimesh_clear(ctx, &m);
    m = mesh_of_box(ctx, unit_box, 2, 63);
    const uint32_t swap = m.triangle[0][0];
    m.triangle[0][0] = m.triangle[0][1], m.triangle[0][1] = swap;
    def.holes = true;
    refused(ctx, &m, def, RILL_BAD_FILE, "face opposite ways");
    trimesh_clear(ctx, &m);
    rill_ctx_destroy(ctx);
}

static void odd_meshes(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    /* inside out */
    trimesh m = mesh_of_box(ctx, unit_box, 2, 63);
    for (size_t i = 0; i < m.triangle_count; i++) {
        const uint32_t swap = m.triangle[i][0];
        m.triangle[i][0] = m.triangle[i][1], m.triangle[i][1] = swap;
    }
    mesh_distance *d = make_and_clear(ctx, m, 16, 0, false);
    assert_float_equal(mesh_distance_exact(d, v3(0.5, 0.5, 0.9), NULL), -0.1, 1e-14);
    assert_float_equal(mesh_distance_at(d, v3(0.5, 0.5, 0.9), NULL), -0.1, 0.01);
    mesh_distance_destroy(ctx, d);

    /* one triangle, as a wall, with a needle and a point that are none */
    m = mesh_room(ctx, 4, 3);
    mesh_vertex(&m, v3(0, 0, 0)), mesh_vertex(&m, v3(1, 0, 0)), mesh_vertex(&m, v3(0, 1, 0));
    mesh_triangle(&m, 0, 1, 2);
    mesh_triangle(&m, 0, 1, 1);
    mesh_triangle(&m, 2, 2, 2);
    d = make_and_clear(ctx, m, 32, 0.1, false);
    for (int cached = 0; cached < 2; cached++) {
        double (*at)(const mesh_distance *, rill_vec3, rill_vec3 *) =
            cached ? mesh_distance_at : mesh_distance_exact;
        rill_vec3 n;
        assert_float_equal(at(d, v3(0.2, 0.2, 0), &n), -0.05, 1e-3);
        assert_float_equal(fabs(n.z), 1, 1e-6);
        assert_float_equal(at(d, v3(0.2, 0.2, 0.04), &n), -0.01, 1e-3);
        assert_float_equal(n.z, 1, 1e-6);
        assert_float_equal(at(d, v3(0.2, 0.2, -0.2), &n), 0.15, 0.01);
        assert_float_equal(at(d, v3(-0.2, -0.2, 0), NULL), 0.2 * sqrt(2.0) - 0.05, 0.01);
    }
    mesh_distance_destroy(ctx, d);

    /* all in one point, all in one line */
    for (int line = 0; line < 2; line++) {
        m = mesh_room(ctx, 3, 1);
        for (int k = 0; k < 3; k++) mesh_vertex(&m, v3(2 + line * k, 3, 4));
        mesh_triangle(&m, 0, 1, 2);
        d = make_and_clear(ctx, m, 16, 0.5, false);
        assert_float_equal(mesh_distance_at(d, v3(2, 4, 4), NULL), 0.75, 0.05);
        mesh_distance_destroy(ctx, d);
    }

    /* a box without its lid, closed on request: a solid box */
    d = make_and_clear(ctx, mesh_of_box(ctx, unit_box, 3, 63 - 8), 32, 0, true);
    const shape box = {.kind = SHAPE_BOX, .box = {unit_box.min, unit_box.max}};
    for (uint64_t i = 0; i < 2000; i++) {
        const rill_vec3 x = random_point(box_grown(unit_box, 0.2), 1, i);
        assert_float_equal(mesh_distance_exact(d, x, NULL), shape_distance(&box, x, NULL), 1e-14);
    }
    mesh_distance_destroy(ctx, d);

    /* two boxes that overlap are one solid: no surface between them from outside */
    m = mesh_room(ctx, 2 * 6 * 9, 2 * 12 * 4);
    mesh_box_sides(&m, 2, unit_box, 63);
    mesh_box_sides(&m, 2, (rill_box){{0.5, 0.2, 0.2}, {1.5, 0.8, 0.8}}, 63);
    d = make_and_clear(ctx, m, 32, 0, false);
    for (uint64_t i = 0; i < 2000; i++) {
        const rill_vec3 x = random_point((rill_box){{0.05, 0.25, 0.25}, {1.45, 0.75, 0.75}}, 1, i);
        assert_true(mesh_distance_exact(d, x, NULL) <= 0);
        assert_true(mesh_distance_at(d, x, NULL) <= 0.1 / 32);
    }
    mesh_distance_destroy(ctx, d);
    rill_ctx_destroy(ctx);
}

static void failing_allocations(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(2, &f);
    trimesh m = mesh_of_box(ctx, unit_box, 4, 63 - 8);
    const mesh_distance_def def = {.holes = true, .resolution = 16};
    const uint64_t live = f.live;
    uint64_t failures = 0;
    for (;; failures++) {
        mesh_distance *d = NULL;
        f.calls = 0;
        f.fail_at = failures + 1;
        const rill_status st = mesh_distance_create(ctx, &m, &def, &d);
        if (st == RILL_OK) {
            f.fail_at = 0;
            mesh_distance_destroy(ctx, d);
            break;
        }
        assert_int_equal(st, RILL_NO_MEMORY);
        assert_null(d);
        assert_int_equal(f.live, live);
    }
    assert_true(failures > 20);
    assert_int_equal(f.live, live);
    f.fail_at = 0;
    trimesh_clear(ctx, &m);
    rill_ctx_destroy(ctx);
}

/* A corner seen from inside a hollow box shows the faces it is made of. */
static void concave_corners(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int shell = 0; shell < 2; shell++)
        for (int cached = 0; cached < 2; cached++) {
            const rill_box outer = {{-0.3, -0.3, -0.3}, {1.3, 1.3, 1.3}}, wall = box_grown(unit_box, 0.01);
            shape s = {.kind = SHAPE_MESH};
            s.mesh.owned =
                shell
                    ? make_and_clear(ctx, mesh_of_box(ctx, wall, 3, 63), 64 * cached, 0.02, false)
                    : make_and_clear(ctx, mesh_of_container(ctx, outer, unit_box, 3), 64 * cached, 0, false);
            shape_plane plane[SHAPE_MAX_PLANES];
            const double reach = 0.1, slack = cached ? 0.005 : 1e-9;
            for (uint64_t i = 0; i < 300; i++) {
                const rill_vec3 x = random_point((rill_box){{0.01, 0.01, 0.01}, {0.07, 0.07, 0.07}}, 1, i);
                const int count = shape_planes(&s, x, reach, plane);
                assert_int_equal(count, 3);
                unsigned seen = 0;
                for (int k = 0; k < 3; k++)
                    for (int a = 0; a < 3; a++)
                        if (v3_axis(plane[k].normal, a) > 0.99) {
                            assert_float_equal(plane[k].distance, v3_axis(x, a), slack);
                            seen |= 1u << a;
                        }
                assert_int_equal(seen, 7);
                /* along an edge two, at a face one */
                assert_int_equal(shape_planes(&s, v3(x.x, x.y, 0.5), reach, plane), 2);
                assert_int_equal(shape_planes(&s, v3(x.x, 0.5, 0.5), reach, plane), 1);
                assert_float_equal(plane[0].distance, x.x, slack);
                assert_int_equal(shape_planes(&s, v3(0.5, 0.5, 0.5), reach, plane), 0);
            }
            /* from outside, edges are convex: one */
            const double out = shell ? -0.02 : -0.3;
            for (uint64_t i = 0; i < 300; i++) {
                const rill_vec3 x = random_point((rill_box){{0.01, 0.01, 0.01}, {0.07, 0.07, 0.07}}, 1, i);
                assert_int_equal(shape_planes(&s, v3(out - x.x, 0.5, out - 0.8 * x.y), reach, plane), 1);
                assert_int_equal(shape_planes(&s, v3(out - x.x, 0.5, out + x.y), reach, plane), 1);
            }
            const rill_box b = shape_bounds(&s);
            assert_float_equal(b.min.x, shell ? -0.02 : -0.3, 1e-12);
            /* what is free, is free */
            for (uint64_t i = 0; i < 300; i++) {
                const rill_vec3 x = random_point(unit_box, 2, i);
                const rill_vec3 dir = v3_unit(v3_sub(random_point(unit_box, 3, i), v3(0.5, 0.5, 0.5)));
                const double far = mesh_distance_exact(s.mesh.owned, x, NULL), half = fmin(0.01, 0.5 * far);
                const double go = shape_free(&s, x, dir, 0.01, 0.4);
                assert_true(go >= fmin(far - half, 0.4) * (1 - 1e-9));
                for (int k = 1; k <= 8; k++) {
                    const rill_vec3 at = v3_madd(x, fmin(go, 0.4) * k / 8, dir);
                    assert_true(mesh_distance_exact(s.mesh.owned, at, NULL) > half * (1 - 1e-6));
                }
            }
            shape_clear(ctx, &s);
        }
    shape none = {.kind = SHAPE_MESH};
    assert_true(shape_distance(&none, v3(0, 0, 0), NULL) == INFINITY);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_is_exact),
        cmocka_unit_test(curved_solids),
        cmocka_unit_test(cache_keeps_its_error),
        cmocka_unit_test(cache_of_a_part),
        cmocka_unit_test(cache_of_a_corner),
        cmocka_unit_test(far_away_is_a_lower_bound),
        cmocka_unit_test(same_for_any_threads),
        cmocka_unit_test(bad_meshes_are_refused),
        cmocka_unit_test(odd_meshes),
        cmocka_unit_test(failing_allocations),
        cmocka_unit_test(concave_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
