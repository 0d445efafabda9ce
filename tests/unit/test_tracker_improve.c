/* The tracker's operations on the mesh one by one: where splits put their vertex, what smoothing, flips and
 * collapses leave alone, and what becomes of columns. */
#include "tracker_support.h"

#include "base/random.h"
#include "tracker/quality.h"
#include "tracker/state.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static double shortest_of(const trimesh *m, double *longest)
{
    double least = INFINITY;
    *longest = 0;
    for (size_t i = 0; i < m->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            const double l =
                v3_distance(m->position[m->triangle[i][k]], m->position[m->triangle[i][(k + 1) % 3]]);
            least = fmin(least, l);
            *longest = fmax(*longest, l);
        }
    return least;
}

static void add_column(rill_ctx *ctx, trimesh *m, int width)
{
    trimesh_column *c = &m->column[m->column_count++];
    strcpy(c->name, "mark");
    c->width = width;
    assert_ok(ctx, MEM_NEW_ZERO(ctx, c->value, (size_t)width * m->vertex_count));
}

/* A cube of side 1 with edges near `edge`. */
static tracker *fine_cube(rill_ctx *ctx, double edge)
{
    trimesh m = make_cube(ctx, 0.5);
    tracker_def def = tracker_def_default();
    def.edge = edge;
    tracker *t = make(ctx, &def, &m);
    tracker_stats s = {0};
    for (int i = 0; i < 8; i++) {
        assert_ok(ctx, tracker_improve(t, &s));
        assert_sound(ctx, t);
    }
    assert_true(s.splits > 100);
    return t;
}

/* How many coordinates are those of a face: 1 on a face, 2 on a ridge, 3 at a corner; 0 is an error. */
static int on_faces(rill_vec3 x)
{
    return (fabs(fabs(x.x) - 0.5) < 1e-12) + (fabs(fabs(x.y) - 0.5) < 1e-12) +
           (fabs(fabs(x.z) - 0.5) < 1e-12);
}

static int corners_of_cube(const tracker *t)
{
    const trimesh v = tracker_view(t);
    int corners = 0;
    for (size_t i = 0; i < v.vertex_count; i++) {
        const int faces = on_faces(v.position[i]);
        assert_true(faces > 0);
        corners += faces == 3;
    }
    return corners;
}

/* From 12 triangles to a fine mesh and back to a coarse one, it is a cube: ridges and corners are kept. */
static void cubes_stay_cubes(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    tracker *t = fine_cube(ctx, 0.1);
    trimesh v = tracker_view(t);
    double longest;
    (void)shortest_of(&v, &longest);
    assert_true(longest < 0.16);
    assert_int_equal(corners_of_cube(t), 8);
    assert_true(fabs(tmesh_volume(&t->mesh) - 1) < 1e-12);

    tracker_def def = tracker_def_default();
    def.edge = 0.3;
    tracker *coarse;
    assert_ok(ctx, tracker_create(ctx, &def, &v, &coarse));
    tracker_stats s = {0};
    for (int i = 0; i < 4; i++) assert_ok(ctx, tracker_improve(coarse, &s));
    assert_sound(ctx, coarse);
    assert_true(s.collapses > 300);
    assert_int_equal(corners_of_cube(coarse), 8);
    assert_true(fabs(tmesh_volume(&coarse->mesh) - 1) < 1e-12);
    tracker_destroy(coarse);
    tracker_destroy(t);
    rill_ctx_destroy(ctx);
}

/* A sphere's edges end up in the range asked for, finer or coarser, and its volume stays. */
static void edges_in_range(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int k = 0; k < 2; k++) {
        trimesh m = make_icosphere(ctx, 0.5, 3);
        tracker_def def = tracker_def_default();
        def.edge = k ? 0.03 : 0.18; /* it has 0.076 */
        tracker *t = make(ctx, &def, &m);
        tracker_stats s = {0};
        for (int i = 0; i < 6; i++) assert_ok(ctx, tracker_improve(t, &s));
        assert_sound(ctx, t);
        assert_true(k ? s.splits > 1000 : s.collapses > 300);
        const trimesh v = tracker_view(t);
        double longest;
        const double shortest = shortest_of(&v, &longest);
        assert_true(longest < 1.55 * def.edge && shortest > 0.45 * def.edge);
        assert_true(fabs(tmesh_volume(&t->mesh) / (4 * PI / 3 * 0.125) - 1) < 0.01);
        tracker_destroy(t);
    }
    rill_ctx_destroy(ctx);
}

/* The middle of an edge leaves the surface what it is; the butterfly's point goes to where the sphere is. */
static void where_splits_go(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    double under[2] = {0}; /* the sphere, at the most */
    for (int midpoint = 0; midpoint < 2; midpoint++) {
        trimesh m = make_icosphere(ctx, 1, 3);
        tracker_def def = tracker_def_default();
        double longest;
        (void)shortest_of(&m, &longest);
        def.edge = 0.999 * longest / def.longest; /* a few edges, far from each other */
        def.midpoint = midpoint;
        tracker *t = make(ctx, &def, &m);
        const double before = tmesh_volume(&t->mesh);
        tracker_stats s = {0};
        assert_ok(ctx, tracker_fill_boxes(t, NULL, 0));
        assert_ok(ctx, improve_split(t, &s));
        assert_true(s.splits >= 10 && s.splits < 200);
        assert_sound(ctx, t);
        for (uint32_t v = 0; v < t->mesh.vertices; v++)
            under[midpoint] = fmax(under[midpoint], fabs(1 - v3_length(t->mesh.x[v])));
        if (midpoint) assert_true(fabs(tmesh_volume(&t->mesh) - before) < 1e-12);
        tracker_destroy(t);
    }
    assert_true(under[1] > 0.0025 && under[1] < 0.004); /* an eighth of the length's square */
    assert_true(under[0] < 0.25 * under[1]);
    rill_ctx_destroy(ctx);
}

/* Mean square of the way from a vertex to the middle of its neighbours. */
static double unevenness(const tmesh *m)
{
    double sum = 0;
    for (uint32_t v = 0; v < m->vertices; v++) {
        if (on_faces(m->x[v]) != 1) continue;
        rill_vec3 middle = {0};
        uint32_t c = m->corner[v], n = 0;
        do {
            middle = v3_add(middle, m->x[corner_vertex(m, corner_next(c))]);
            n++;
            c = corner_swing(m, c);
        } while (c != m->corner[v]);
        const rill_vec3 d = v3_sub(v3_scale(middle, 1.0 / n), m->x[v]);
        sum += v3_dot(d, d);
    }
    return sum / m->vertices;
}

/* Vertices shaken within their faces and along their ridges: smoothing evens them out again, within their
 * faces and along their ridges. */
static void smoothing_keeps_ridges(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    tracker *t = fine_cube(ctx, 0.15);
    tmesh *m = &t->mesh;
    for (uint32_t v = 0; v < m->vertices; v++) {
        const random4 r = random_at(3, v, 0, 0);
        const rill_vec3 x = m->x[v],
                        d = v3_scale(v3(random_unit(r.v[0], 0) - 0.5, random_unit(r.v[1], 0) - 0.5,
                                        random_unit(r.v[2], 0) - 0.5),
                                     0.04);
        const bool face[3] = {on_faces(v3(x.x, 0, 0)) > 0, on_faces(v3(0, x.y, 0)) > 0,
                              on_faces(v3(0, 0, x.z)) > 0};
        m->x[v] = v3(x.x + (face[0] ? 0 : d.x), x.y + (face[1] ? 0 : d.y), x.z + (face[2] ? 0 : d.z));
    }
    assert_sound(ctx, t);
    int ridge = 0;
    for (uint32_t v = 0; v < m->vertices; v++) {
        const vertex_space s = quality_space(m, v);
        assert_int_equal(s.rank, on_faces(m->x[v]));
        ridge += s.rank == 2;
    }
    assert_true(ridge > 40);
    const double before = unevenness(m);
    rill_vec3 *kept;
    assert_ok(ctx, MEM_NEW(ctx, kept, m->vertices));
    memcpy(kept, m->x, m->vertices * sizeof *kept);
    tracker_stats s = {0};
    for (int i = 0; i < 5; i++) assert_ok(ctx, improve_smooth(t, &s));
    assert_sound(ctx, t);
    assert_true(unevenness(m) < 0.1 * before);
    int moved[4] = {0};
    for (uint32_t v = 0; v < m->vertices; v++) {
        const int faces = on_faces(kept[v]);
        assert_int_equal(on_faces(m->x[v]), faces);
        moved[faces] += v3_distance(kept[v], m->x[v]) > 1e-4;
    }
    assert_true(moved[1] > 100 && moved[2] > 20 && moved[3] == 0);
    assert_true(fabs(tmesh_volume(m) - 1) < 1e-12);
    mem_free(ctx, kept);
    tracker_destroy(t);
    rill_ctx_destroy(ctx);
}

/* Two paraboloids of radius 1 and height 0.1 with a common rim, of 23 degrees: two bowls, made flat. */
static trimesh make_lens(rill_ctx *ctx, uint32_t around, uint32_t rings)
{
    const uint32_t one = around * rings + 1, inner = around * (rings - 1) + 1;
    trimesh bowl = make_bowl(ctx, 1, around, rings), m = {0};
    assert_ok(ctx, MEM_NEW(ctx, m.position, one + inner));
    assert_ok(ctx, MEM_NEW(ctx, m.triangle, 2 * bowl.triangle_count));
    for (uint32_t v = 0; v < one; v++) {
        const rill_vec3 x = bowl.position[v];
        const double wide = hypot(x.x, x.z), r = acos(fmax(-x.y, 0)) / (PI / 2),
                     scale = wide > 0 ? r / wide : 0;
        m.position[v] = v3(scale * x.x, -0.1 * (1 - r * r), scale * x.z);
        if (v < inner) m.position[one + v] = v3(scale * x.x, 0.1 * (1 - r * r), scale * x.z);
    }
    for (size_t t = 0; t < bowl.triangle_count; t++) {
        const uint32_t *v = bowl.triangle[t];
        memcpy(m.triangle[t], v, sizeof *m.triangle);
        for (int k = 0; k < 3; k++)
            m.triangle[bowl.triangle_count + t][k] = v[2 - k] < inner ? one + v[2 - k] : v[2 - k];
    }
    m.vertex_count = one + inner;
    m.triangle_count = 2 * bowl.triangle_count;
    trimesh_clear(ctx, &bowl);
    return m;
}

/* At the rim of a lens the normals of the two sides are nearly opposite: it is a ridge all the same, and does
 * not draw back. */
static void rims_stay(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    enum { AROUND = 48, STEPS = 20 };
    trimesh mesh = make_lens(ctx, AROUND, 6);
    tracker_def def = tracker_def_default();
    def.edge = 0.15;
    tracker *t = make(ctx, &def, &mesh);
    const double before = tmesh_volume(&t->mesh);
    tracker_stats s = {0};
    int rim = 0;
    for (uint32_t v = 0; v < t->mesh.vertices; v++)
        if (fabs(t->mesh.x[v].y) < 1e-9) {
            assert_int_equal(quality_space(&t->mesh, v).rank, 2);
            rim++;
        }
    assert_int_equal(rim, AROUND);
    for (int i = 0; i < STEPS; i++) assert_ok(ctx, tracker_improve(t, &s));
    assert_sound(ctx, t);
    double widest = 0;
    for (uint32_t v = 0; v < t->mesh.vertices; v++)
        if (tmesh_vertex_live(&t->mesh, v)) widest = fmax(widest, hypot(t->mesh.x[v].x, t->mesh.x[v].z));
    print_message("lens after %d improvements: radius %.4f, volume %+.3g\n", STEPS, widest,
                  tmesh_volume(&t->mesh) / before - 1);
    assert_true(widest > 0.99 && fabs(tmesh_volume(&t->mesh) / before - 1) < 0.02);
    tracker_destroy(t);
    rill_ctx_destroy(ctx);
}

/* Edges whose two opposite angles add up to more than half a turn. */
static int bad_edges(const tmesh *m)
{
    int bad = 0;
    for (uint32_t c = 0; c < 3 * m->triangles; c++) {
        if (!corner_owns_edge(m, c)) continue;
        double angle = 0;
        for (int side = 0; side < 2; side++) {
            const uint32_t k = side ? m->opposite[c] : c;
            const rill_vec3 o = m->x[corner_vertex(m, k)],
                            a = v3_sub(m->x[corner_vertex(m, corner_next(k))], o),
                            b = v3_sub(m->x[corner_vertex(m, corner_prev(k))], o);
            angle += atan2(v3_length(v3_cross(a, b)), v3_dot(a, b));
        }
        bad += angle > PI + 0.01;
    }
    return bad;
}

/* A torus of sheared quadrilaterals: flips make Delaunay's triangles of them, each within its volume. */
static void flips_make_better_angles(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    for (int limited = 0; limited < 2; limited++) {
        trimesh m = make_torus(ctx, 1, 0.4, 60, 24);
        for (size_t i = 0; i < m.vertex_count; i++) { /* turned around the axis more, the higher up */
            const rill_vec3 x = m.position[i];
            const double a = atan2(x.z, x.x) + 0.5 * x.y, r = sqrt(x.x * x.x + x.z * x.z);
            m.position[i] = v3(r * cos(a), x.y, r * sin(a));
        }
        tracker_def def = tracker_def_default();
        def.flip_volume = limited ? 1e-9 : 0.1;
        tracker *t = make(ctx, &def, &m);
        const int before = bad_edges(&t->mesh);
        const double volume = tmesh_volume(&t->mesh), limit = def.flip_volume * pow(t->edge, 3);
        tracker_stats s = {0};
        assert_ok(ctx, tracker_fill_boxes(t, NULL, 0));
        assert_ok(ctx, improve_flip(t, &s));
        assert_sound(ctx, t);
        assert_true(before > 300);
        assert_true(limited ? s.flips == 0 : bad_edges(&t->mesh) < before / 5);
        assert_true(fabs(tmesh_volume(&t->mesh) - volume) <= s.flips * limit + 1e-12);
        tracker_destroy(t);
    }
    rill_ctx_destroy(ctx);
}

/* One ball marked 1 and one marked 2 merge: far from the seam the marks are what they were, near it between.
 * A column of ones stays one through every operation. */
static void columns_through_merges(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    tracker_def def = tracker_def_default();
    def.edge = 0.06; /* splits and collapses, too: the edges are about 0.09 and 0.045 long */
    trimesh m = make_joined(ctx, make_moved(make_icosphere(ctx, 0.3, 2), v3(-0.31, 0, 0), v3(1, 1, 1)),
                            make_moved(make_icosphere(ctx, 0.3, 3), v3(0.31, 0.003, 0.002), v3(1, 1, 1)));
    add_column(ctx, &m, 3);
    for (size_t i = 0; i < m.vertex_count; i++) {
        m.column[0].value[3 * i] = 1;
        m.column[0].value[3 * i + 1] = m.position[i].x > 0 ? 2 : 1;
        m.column[0].value[3 * i + 2] = (float)i;
    }
    tracker *t = make(ctx, &def, &m);
    uint32_t merged = 0, splits = 0, collapses = 0;
    for (int i = 0; i < 20; i++) {
        tracker_stats s;
        assert_ok(ctx, tracker_advance(t, 0.002, together, NULL, &s));
        merged += s.merges, splits += s.splits, collapses += s.collapses;
    }
    assert_true(merged == 1 && splits > 0 && collapses > 0);
    const trimesh v = tracker_view(t);
    assert_int_equal(v.column_count, 1);
    assert_string_equal(v.column[0].name, "mark");
    for (size_t i = 0; i < v.vertex_count; i++) {
        const float *mark = &v.column[0].value[3 * i], side = v.position[i].x > 0 ? 2 : 1;
        assert_true(mark[0] == 1 && mark[1] >= 1 && mark[1] <= 2);
        if (fabs(v.position[i].x) > 0.1) assert_true(mark[1] == side);
    }
    tracker_destroy(t);
    rill_ctx_destroy(ctx);
}

/* Where along the body a point was 2 seconds before. */
static double where_from(rill_vec3 x)
{
    for (int i = 0; i < 400; i++) {
        rill_vec3 u, half;
        (void)pinching(NULL, 0, 1, &x, &u);
        half = v3_madd(x, -0.0025, u);
        (void)pinching(NULL, 0, 1, &half, &u);
        x = v3_madd(x, -0.005, u);
    }
    return x.x;
}

/* A body cut in two: the marks still tell where along it a vertex was, but for how far smoothing slides it.
 */
static void columns_through_cuts(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    const tracker_def def = tracker_def_default();
    trimesh m = make_moved(make_icosphere(ctx, 1, 3), v3(0, 0, 0), v3(0.4, 0.2, 0.2));
    add_column(ctx, &m, 1);
    for (size_t i = 0; i < m.vertex_count; i++) m.column[0].value[i] = (float)m.position[i].x;
    tracker *t = make(ctx, &def, &m);
    uint32_t cuts = 0;
    for (int i = 0; i < 80; i++) {
        tracker_stats s;
        assert_ok(ctx, tracker_advance(t, 0.025, pinching, NULL, &s));
        cuts += s.cuts;
    }
    assert_true(cuts >= 1);
    const trimesh v = tracker_view(t);
    for (size_t i = 0; i < v.vertex_count; i++) {
        assert_true(fabs(v.column[0].value[i] - where_from(v.position[i])) < 1.5 * tracker_edge(t));
    }
    tracker_destroy(t);
    rill_ctx_destroy(ctx);
}

int main(int argc, char **argv) /* a pattern of test names, to run those alone */
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cubes_stay_cubes),         cmocka_unit_test(edges_in_range),
        cmocka_unit_test(where_splits_go),          cmocka_unit_test(smoothing_keeps_ridges),
        cmocka_unit_test(flips_make_better_angles), cmocka_unit_test(columns_through_merges),
        cmocka_unit_test(columns_through_cuts),     cmocka_unit_test(rims_stay),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
