/* The mesher of tets: meshes that follow walls, with few bad angles, whatever is in the box. */
#include "support.h"

#include "tets_walls.h"

#include "geom/distance/mesh_distance.h"
#include "io/mesh_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const rill_box unit_box = {{0, 0, 0}, {1, 1, 1}};

typedef struct {
    rill_ctx *ctx;
    walls w;
    mesher m;
    tet_mesh mesh;
    mesh_quality q;
} fixture;

static void tell(const char *name, const fixture *f)
{
    if (!getenv("TETS_TELL")) return;
    print_message("%-22s %6u tets, edge/size %.3f | %5u faces, off 99 %% %.4f, worst %.4f | angles %.2f to "
                  "%.1f, below 5: %.4f %%, 10: %.3f %% | spheres small %.3f %% large %.3f %% | crossing %.2e "
                  "volume %.6f | removed %u repaired %u left %u\n",
                  name, f->q.tets, f->q.edge, f->q.faces, f->q.off_99, f->q.off_most, f->q.smallest,
                  f->q.largest, 100 * f->q.below_5, 100 * f->q.below_10, 100 * f->q.small_sphere,
                  100 * f->q.large_sphere, f->q.crossing, f->q.volume, f->m.removed, f->m.repaired,
                  f->m.left);
}

static void begin(fixture *f, int threads, uint32_t count, wall *at, size_def size)
{
    *f = (fixture){.ctx = test_ctx(threads), .w = {.box = unit_box, .count = count, .at = at}};
    mesher_def def = mesher_def_default();
    def.size = size;
    mesh_init(&f->mesh, f->ctx);
    assert_ok(f->ctx, mesher_create(f->ctx, &def, &f->w, &f->m));
}

static void end(fixture *f)
{
    mesh_clear(&f->mesh);
    mesher_clear(&f->m);
    rill_ctx_destroy(f->ctx);
}

/* flat: share of tetrahedra that may have an angle below 5 degrees. */
static void first_mesh(const char *name, fixture *f, double flat)
{
    assert_ok(f->ctx, mesher_first(&f->m, &f->w, &f->mesh));
    assert_ok(f->ctx, fv_mesh_check(&f->mesh.fv, 1e-9));
    assert_ok(f->ctx, mesh_measure(&f->mesh, &f->w, &f->m.size, &f->q));
    tell(name, f);
    assert_true(f->q.below_5 <= flat);
    assert_int_equal(f->m.left, 0);
}

static size_def uniform(double h)
{
    return (size_def){.finest = h};
}

static void an_empty_box_is_filled(void **state)
{
    (void)state;
    fixture f;
    begin(&f, 2, 0, NULL, uniform(0.08));
    first_mesh("empty box", &f, 1e-3);
    assert_true(f.q.off_most < 1e-6);
    assert_true(fabs(f.q.volume - 1) < 1e-5);
    end(&f);
}

/* Chords are h^2 / 6R from the sphere: 0.05 edges at 0.28 radii. */
static void a_ball_is_followed(void **state)
{
    (void)state;
    fixture f;
    wall at[] = {ball_wall(0.25, v3(0.5, 0.52, 0.48))};
    begin(&f, 2, 1, at, uniform(0.07));
    first_mesh("ball", &f, 1e-3);
    assert_true(f.q.off_99 < 0.07 && f.q.off_most < 0.1);
    assert_true(f.q.crossing == 0);
    end(&f);
}

static void a_turned_box_is_followed_exactly(void **state)
{
    (void)state;
    fixture f;
    wall at[] = {box_wall(v3(0.25, 0.15, 0.2), v3(0.5, 0.5, 0.5), v3(1, 2, 3), 0.7)};
    begin(&f, 2, 1, at, uniform(0.07));
    first_mesh("turned box", &f, 1e-3);
    assert_true(f.q.off_most < 1e-5);
    assert_true(fabs(f.q.volume - (1 - 0.5 * 0.3 * 0.4)) < 1e-5);
    end(&f);
}

/* A plate much thinner than an edge: no tetrahedron reaches through it. */
static void thin_plates_part_the_fluid(void **state)
{
    (void)state;
    static const double thickness[] = {0.2, 0.02};
    for (int k = 0; k < 2; k++) {
        fixture f;
        const double h = 0.06, t = thickness[k] * h;
        wall at[] = {box_wall(v3(0.3, 0.2, t / 2), v3(0.5, 0.5, 0.5), v3(1, 2, 3), 0.7)};
        begin(&f, 2, 1, at, uniform(h));
        first_mesh("plate", &f, k ? 5e-3 : 1e-3); /* tetrahedra at the rim are as flat as the plate is thin */
        assert_true(f.q.off_most < 0.12);
        assert_true(fabs(f.q.volume - (1 - 0.6 * 0.4 * t)) < 0.02 * 0.6 * 0.4 * h);
        end(&f);
    }
}

static void a_rock_is_followed(void **state)
{
    (void)state;
    fixture f;
    rill_ctx *ctx = test_ctx(2);
    trimesh rock = {0};
    mesh_distance *distance = NULL;
    const mesh_distance_def def = mesh_distance_def_default();
    const mesh_read_def read = mesh_read_def_default();
    assert_ok(ctx, mesh_read(ctx, RILL_SCENES "/meshes/rock.obj", &read, &rock));
    for (size_t i = 0; i < rock.vertex_count; i++) rock.position[i] = v3_scale(rock.position[i], 0.5);
    assert_ok(ctx, mesh_distance_create(ctx, &rock, &def, &distance));
    wall at[] = {{.form = {.kind = SHAPE_MESH, .mesh = {.owned = distance, .lent = true}},
                  .place = placed(v3(0.5, 0.5, 0.5), v3(0, 0, 1), 0),
                  .refined = true,
                  .body = UINT32_MAX}};
    begin(&f, 2, 1, at, uniform(0.06));
    first_mesh("rock", &f, 1e-3);
    assert_true(f.q.off_99 < 0.13 && f.q.off_most < 0.25);
    end(&f);
    trimesh_clear(ctx, &rock);
    mesh_distance_destroy(ctx, distance);
    rill_ctx_destroy(ctx);
}

static void touching_and_sunk_balls_are_followed(void **state)
{
    (void)state;
    const double h = 0.07;
    const double height[] = {0.25 + 0.1 * h, 0.12};
    for (int k = 0; k < 2; k++) {
        fixture f;
        wall at[] = {ball_wall(0.25, v3(0.5, height[k], 0.48))};
        begin(&f, 2, 1, at, uniform(h));
        first_mesh(k ? "ball sunk in floor" : "ball above floor", &f, 1e-3);
        assert_true(f.q.off_99 < 0.1 && f.q.off_most < 0.25);
        end(&f);
    }
}

static void sizes_are_followed(void **state)
{
    (void)state;
    fixture f;
    wall at[] = {ball_wall(0.2, v3(0.5, 0.52, 0.48))};
    begin(&f, 2, 1, at, (size_def){.finest = 0.03, .coarsest = 0.1, .distance = 0.3});
    first_mesh("graded", &f, 1e-3);
    assert_true(f.q.small_sphere < 0.01 && f.q.large_sphere < 0.01);
    assert_true(f.q.off_99 < 0.05);
    end(&f);
}

/* Walls that ask for no refinement by their distance: elements are small in the gap between two, as long as a
 * wall is thick, and coarse elsewhere. */
static void gaps_and_thickness_count(void **state)
{
    (void)state;
    fixture f;
    const double h = 0.025, gap = 0.08, thick = 0.1;
    wall at[] = {box_wall(v3(0.2, 0.175, 0.2), v3(0.5, 0.125, 0.3), v3(0, 0, 1), 0),
                 box_wall(v3(0.2, 0.15, 0.2), v3(0.5, 0.45 + gap, 0.3), v3(0, 0, 1), 0),
                 box_wall(v3(0.2, 0.5 * thick, 0.05), v3(0.5, 0.6, 0.8), v3(0, 0, 1), 0)};
    for (int k = 0; k < 3; k++) at[k].refined = false;
    begin(&f, 2, 3, at, (size_def){.finest = h, .coarsest = 5 * h, .distance = 0.3});
    first_mesh("gap", &f, 2e-3);
    const double in_gap = size_at(&f.m.size, v3(0.5, 0.3 + 0.5 * gap, 0.3)),
                 at_plate = size_at(&f.m.size, v3(0.5, 0.6 + 0.5 * thick, 0.8)),
                 far_off = size_at(&f.m.size, v3(0.95, 0.5, 0.95));
    assert_true(in_gap < 0.6 * gap && at_plate < 1.05 * thick && at_plate > 0.4 * thick);
    assert_true(far_off > 3 * h);
    assert_true(f.q.crossing == 0 && f.q.off_99 < 0.05 && f.q.off_most < 0.25);
    end(&f);
}

/* A plate that turns, a mesh a step: as good as the first one all along. */
static void meshes_follow_a_turning_plate(void **state)
{
    (void)state;
    fixture f;
    const double h = 0.07;
    wall at[] = {box_wall(v3(0.35, 0.1 * h, 0.3), v3(0.5, 0.5, 0.5), v3(0, 0, 1), 0)};
    at[0].moves = true;
    begin(&f, 2, 1, at, uniform(h));
    first_mesh("paddle", &f, 1e-3);
    tet_mesh other;
    mesh_init(&other, f.ctx);
    const uint32_t tets = f.q.tets;
    for (int step = 1; step <= 20; step++) {
        at[0].place = placed(v3(0.5, 0.5, 0.5), v3(0, 0, 1), 0.15 * step);
        assert_ok(f.ctx, mesher_next(&f.m, &f.w, &f.mesh, &other));
        const tet_mesh swap = f.mesh;
        f.mesh = other;
        other = swap;
        assert_ok(f.ctx, mesh_measure(&f.mesh, &f.w, &f.m.size, &f.q));
        if (step % 5 == 0) tell("paddle turned", &f);
        assert_true(f.q.below_5 <= 2e-3 && f.m.left == 0);
        assert_true(f.q.off_most < 0.15 && f.q.crossing == 0);
    }
    assert_true(f.q.tets > 0.93 * tets && f.q.tets < 1.07 * tets);
    mesh_clear(&other);
    end(&f);
}

/* Whatever stands in whatever way: boxes that share a face or an edge, a ball on a ball,
 * plates 0.3 sizes apart, a plate on the floor and one on two sides, a rod of 0.1 sizes through a plate. The
 * tetrahedra at a rod are as flat as it is thin. */
static void awkward_walls_are_parted(void **state)
{
    (void)state;
    const double h = 0.11;
    const rill_vec3 z = {0, 0, 1}, cube = {0.15, 0.15, 0.15}, plate = {0.3, 0.1 * h, 0.3};
    wall at[][2] = {
        {box_wall(cube, v3(0.35, 0.5, 0.5), z, 0), box_wall(cube, v3(0.65, 0.5, 0.5), z, 0)},
        {box_wall(cube, v3(0.35, 0.35, 0.5), z, 0), box_wall(cube, v3(0.65, 0.65, 0.5), z, 0)},
        {ball_wall(0.2, v3(0.5, 0.2, 0.5)), ball_wall(0.2, v3(0.5, 0.6, 0.5))},
        {box_wall(plate, v3(0.5, 0.5, 0.5), z, 0), box_wall(plate, v3(0.5, 0.5 + 0.5 * h, 0.5), z, 0)},
        {box_wall(plate, v3(0.5, 0.1 * h, 0.5), z, 0), box_wall(plate, v3(0.3, 0.6, 0.3), z, 0)},
        {box_wall(v3(0.05 * h, 0.3, 0.05 * h), v3(0.5, 0.5, 0.5), v3(1, 2, 0), 0.5),
         box_wall(plate, v3(0.5, 0.2, 0.5), z, 0.4)},
    };
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
        fixture f;
        char name[40];
        begin(&f, 2, 2, at[k], uniform(h));
        snprintf(name, sizeof name, "awkward %zu", k);
        assert_ok(f.ctx, mesher_first(&f.m, &f.w, &f.mesh));
        assert_ok(f.ctx, fv_mesh_check(&f.mesh.fv, 1e-9));
        assert_ok(f.ctx, mesh_measure(&f.mesh, &f.w, &f.m.size, &f.q));
        tell(name, &f);
        assert_true(f.q.crossing == 0 && f.q.below_5 < 2e-2 && f.q.volume > 0.93);
        end(&f);
    }
}

/* Lengths of a millimetre's hundredth or of a hundred kilometres: the same mesh. */
static void scale_does_not_matter(void **state)
{
    (void)state;
    static const double scale[] = {1, 1e-5, 1e5};
    uint32_t tets = 0;
    for (int k = 0; k < 3; k++) {
        fixture f;
        wall at[] = {ball_wall(0.3 * scale[k], v3(0.5 * scale[k], 0.5 * scale[k], 0.5 * scale[k]))};
        f = (fixture){.ctx = test_ctx(2), .w = {.count = 1, .at = at}};
        f.w.box.max = v3(scale[k], scale[k], scale[k]);
        mesher_def def = mesher_def_default();
        def.size = uniform(0.12 * scale[k]);
        mesh_init(&f.mesh, f.ctx);
        assert_ok(f.ctx, mesher_create(f.ctx, &def, &f.w, &f.m));
        assert_ok(f.ctx, mesher_first(&f.m, &f.w, &f.mesh));
        assert_ok(f.ctx, mesh_measure(&f.mesh, &f.w, &f.m.size, &f.q));
        tell("scale", &f);
        if (k == 0) tets = f.q.tets;
        assert_true(fabs((double)f.q.tets / tets - 1) < 0.03 && f.q.off_99 < 0.12);
        end(&f);
    }
}

static void threads_do_not_change_the_mesh(void **state)
{
    (void)state;
    tet_mesh mesh[3];
    fixture f[3];
    for (int k = 0; k < 3; k++) {
        static wall at[3][1];
        at[k][0] = ball_wall(0.25, v3(0.5, 0.52, 0.48));
        at[k][0].moves = true;
        begin(&f[k], k + 1, 1, at[k], (size_def){.finest = 0.07, .coarsest = 0.14, .distance = 0.3});
        assert_ok(f[k].ctx, mesher_first(&f[k].m, &f[k].w, &f[k].mesh));
        at[k][0].place = placed(v3(0.53, 0.5, 0.48), v3(0, 0, 1), 0);
        mesh_init(&mesh[k], f[k].ctx);
        assert_ok(f[k].ctx, mesher_next(&f[k].m, &f[k].w, &f[k].mesh, &mesh[k]));
        assert_int_equal(mesh[k].count, mesh[0].count);
        assert_memory_equal(mesh[k].x, mesh[0].x, mesh[0].count * sizeof *mesh[0].x);
        assert_int_equal(mesh[k].d.finite, mesh[0].d.finite);
        assert_memory_equal(mesh[k].fluid, mesh[0].fluid, mesh[0].d.finite);
    }
    for (int k = 0; k < 3; k++) {
        mesh_clear(&mesh[k]);
        end(&f[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_box_is_filled),
        cmocka_unit_test(a_ball_is_followed),
        cmocka_unit_test(a_turned_box_is_followed_exactly),
        cmocka_unit_test(thin_plates_part_the_fluid),
        cmocka_unit_test(a_rock_is_followed),
        cmocka_unit_test(touching_and_sunk_balls_are_followed),
        cmocka_unit_test(sizes_are_followed),
        cmocka_unit_test(gaps_and_thickness_count),
        cmocka_unit_test(meshes_follow_a_turning_plate),
        cmocka_unit_test(awkward_walls_are_parted),
        cmocka_unit_test(scale_does_not_matter),
        cmocka_unit_test(threads_do_not_change_the_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
