/* The finite-volume mesh of Voronoi cells: the diagram's numbers, closed, and linear fields. */
#include "support.h"

#include "flow/cells_solids.h"
#include "geom/voronoi/voronoi_clip.h"
#include "point_sets.h"

#include <stdlib.h>

static const rill_box unit = {{0, 0, 0}, {1, 1, 1}};

static void below(void *user, const uint32_t *cell, const rill_vec3 *x, size_t n, double *value)
{
    (void)cell;
    for (size_t i = 0; i < n; i++) value[i] = *(const double *)user - x[i].y;
}

typedef struct {
    rill_ctx *ctx;
    rill_arena arena;
    rill_vec3 *x;
    uint32_t n;
    voronoi whole, cut;
    fv_mesh mesh;
    fv_cells map;
} setup;

static setup make(point_set set, double level, uint32_t open, int threads)
{
    setup s = {.ctx = test_ctx(threads), .x = malloc(3000 * sizeof *s.x)};
    arena_init(&s.arena, s.ctx);
    voronoi_init(&s.whole, s.ctx);
    voronoi_init(&s.cut, s.ctx);
    fv_mesh_init(&s.mesh, s.ctx);
    s.n = point_set_make(set, 3000, 8, s.x);
    voronoi_def def = voronoi_def_default(unit);
    def.vertices = true;
    assert_ok(s.ctx, voronoi_build(&s.whole, &def, s.x, s.n));
    const voronoi_clip_def clip = {.value = below, .user = &level, .kind = VORONOI_AIR, .site = s.x};
    assert_ok(s.ctx, voronoi_clip(&s.whole, &clip, &s.cut));
    const fv_cells_def fv = {.cells = &s.cut, .site = s.x, .least = 1e-3, .open = open};
    assert_ok(s.ctx, fv_mesh_from_cells(&s.arena, &fv, &s.mesh, &s.map));
    assert_ok(s.ctx, fv_mesh_check(&s.mesh, 1e-12));
    return s;
}

static void unmake(setup *s)
{
    voronoi_clear(&s->whole);
    voronoi_clear(&s->cut);
    fv_mesh_clear(&s->mesh);
    arena_clear(&s->arena);
    free(s->x);
    rill_ctx_destroy(s->ctx);
}

static void mesh_is_the_diagram(void **state)
{
    (void)state;
    static const point_set sets[] = {SET_RANDOM, SET_CUBIC, SET_BCC, SET_CLUSTERED, SET_WALLS};
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        setup s = make(sets[k], 0.61, 1u << 1, 2);
        double volume = 0;
        uint32_t surfaces = 0;
        for (uint32_t c = 0; c < s.mesh.cell_count; c++) {
            volume += s.mesh.volume[c];
            assert_int_equal(s.map.cell[s.map.point[c]], c);
        }
        assert_true(fabs(volume - 0.61) < 1e-12);
        for (uint32_t f = 0; f < s.mesh.face_count; f++) {
            const fv_face *m = &s.mesh.face[f];
            const voronoi_face *v = &s.cut.face[s.map.face[f]];
            const fv_boundary *b = fv_boundary_of(&s.mesh, f);
            const bool air = v->b == VORONOI_AIR || v->b == VORONOI_WALL + 1;
            if (b) assert_int_equal(b->kind, air ? FV_SURFACE : FV_WALL);
            if (b && air) {
                surfaces++;
                if (v->b == VORONOI_WALL + 1)
                    assert_true(fabs(m->distance - fmax(1e-3, 1 - s.mesh.site[m->a].x)) < 1e-12);
            }
            if (b) continue;
            /* Normal to the line between the sites: a linear pressure's gradient is exact. */
            const rill_vec3 d = v3_sub(s.mesh.site[m->b], s.mesh.site[m->a]);
            assert_true(v3_length(v3_cross(d, m->area)) <=
                        v3_length(d) * (1e-12 * v3_length(m->area) + 1e-16));
            assert_true(fabs(m->distance - v3_length(d)) < 1e-15);
        }
        assert_true(surfaces > 100);
        unmake(&s);
    }
}

/* A cell without volume between others: its neighbours have walls there. */
static void empty_cells_are_left_out(void **state)
{
    (void)state;
    setup s = make(SET_RANDOM, 2, 0, 1);
    assert_int_equal(s.mesh.cell_count, s.n);
    s.cut.cell[17].volume = 0;
    const fv_cells_def fv = {.cells = &s.cut, .site = s.x, .least = 1e-3};
    const uint32_t walls = s.mesh.face_count - s.mesh.inner_count;
    assert_ok(s.ctx, fv_mesh_from_cells(&s.arena, &fv, &s.mesh, &s.map));
    assert_ok(s.ctx, fv_mesh_check(&s.mesh, 1e-12));
    assert_int_equal(s.mesh.cell_count, s.n - 1);
    assert_int_equal(s.map.cell[17], FV_NONE);
    assert_true(s.mesh.face_count - s.mesh.inner_count > walls);
    const fv_cells_def wrong = {.cells = &s.cut, .site = s.x};
    assert_int_equal(fv_mesh_from_cells(&s.arena, &wrong, &s.mesh, &s.map), RILL_USAGE);
    unmake(&s);
}

/* A ball that moves through the domain: its volume is missing, its faces have its velocity, and
 * the domain's sides are walls at rest as before. */
static void solids_clip_and_move(void **state)
{
    (void)state;
    scene_motion_key key[] = {{0, {0, 0, 0}, {0, 0, 0}}, {1, {0.2, 0.1, 0}, {0, 0, 0}}};
    scene_solid solid = {.shape = {.kind = SHAPE_SPHERE, .sphere = {{0, 0, 0}, 0.25}},
                         .transform = {.translate = {0.4, 0.45, 0.5}, .scale = 1},
                         .motion = {key, 2, false, {0, 0, 0}}};
    rill_scene scene = {.dimensions = 3, .domain = {.min = {0, 0, 0}, .max = {1, 1, 1}}, .spacing = 0.05};
    scene.solids = &solid;
    scene.solid_count = 1;
    setup s = make(SET_RANDOM, 2, 0, 2);
    solids all;
    assert_ok(s.ctx, solids_create(s.ctx, &scene, &all));
    assert_ok(s.ctx, cells_clip_solids(&s.whole, &all, 0.5, s.x, NULL, &s.cut));
    assert_ok(s.ctx, voronoi_check(s.ctx, &s.cut, s.x, 1e-12));
    const fv_cells_def fv = {.cells = &s.cut, .site = s.x, .least = 1e-3};
    assert_ok(s.ctx, fv_mesh_from_cells(&s.arena, &fv, &s.mesh, &s.map));
    assert_ok(s.ctx, fv_mesh_check(&s.mesh, 1e-12));
    uint32_t *owner = malloc((s.mesh.face_count - s.mesh.inner_count) * sizeof *owner);
    cells_move_walls(&s.cut, &all, 0.5, &s.map, &s.mesh, owner);
    double volume = 0;
    uint32_t moving = 0, resting = 0;
    for (uint32_t c = 0; c < s.mesh.cell_count; c++) volume += s.mesh.volume[c];
    /* Corners of cells are cut flat: 3 percent of the ball at this spacing. */
    assert_true(fabs(volume - (1 - 4.0 / 3 * M_PI * 0.25 * 0.25 * 0.25)) < 4e-3);
    for (uint32_t k = 0; k < s.mesh.face_count - s.mesh.inner_count; k++) {
        const bool ball = s.cut.face[s.map.face[s.mesh.inner_count + k]].b == VORONOI_SOLID;
        assert_int_equal(owner[k], ball ? 0 : FV_NONE);
        assert_true(v3_distance(s.mesh.boundary[k].velocity, ball ? v3(0.2, 0.1, 0) : v3(0, 0, 0)) < 1e-12);
        if (ball) /* near where the ball is at that time */
            assert_true(fabs(v3_distance(s.mesh.face[s.mesh.inner_count + k].centroid, v3(0.5, 0.5, 0.5)) -
                             0.25) < 0.05);
        moving += ball;
        resting += !ball;
    }
    assert_true(moving > 50 && resting > 500);
    free(owner);
    solids_clear(s.ctx, &all);
    unmake(&s);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    setup a = make(SET_RANDOM, 0.5, 0, 1), b = make(SET_RANDOM, 0.5, 0, 3);
    assert_int_equal(a.mesh.face_count, b.mesh.face_count);
    assert_memory_equal(a.mesh.face, b.mesh.face, a.mesh.face_count * sizeof *a.mesh.face);
    assert_memory_equal(a.mesh.volume, b.mesh.volume, a.mesh.cell_count * sizeof *a.mesh.volume);
    unmake(&a);
    unmake(&b);
}

typedef struct cells_of {
    const voronoi *cells;
    const rill_vec3 *site;
} cells_of;

static rill_status make_mesh(rill_ctx *ctx, void *user)
{
    const cells_of *from = user;
    rill_arena arena;
    arena_init(&arena, ctx);
    fv_mesh m;
    fv_mesh_init(&m, ctx);
    fv_cells map = {0};
    const fv_cells_def fv = {.cells = from->cells, .site = from->site, .least = 1e-3};
    const rill_status st = fv_mesh_from_cells(&arena, &fv, &m, &map);
    if (st) assert_true(m.cell_count == 0 && map.cell == NULL);
    fv_mesh_clear(&m);
    arena_clear(&arena);
    return st;
}

static void failing_allocations_are_told(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_vec3 x[50];
    const uint32_t n = point_set_make(SET_RANDOM, 50, 5, x);
    voronoi v;
    voronoi_init(&v, ctx);
    const voronoi_def def = voronoi_def_default(unit);
    assert_ok(ctx, voronoi_build(&v, &def, x, n));
    every_allocation_fails(1, make_mesh, &(cells_of){&v, x});
    voronoi_clear(&v);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mesh_is_the_diagram),          cmocka_unit_test(empty_cells_are_left_out),
        cmocka_unit_test(solids_clip_and_move),         cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(failing_allocations_are_told),
    };
    return cmocka_run_group_tests_name("fv_cells", tests, NULL, NULL);
}
