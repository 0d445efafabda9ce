/* The mesher of tets around solids that lie on each other, fill each other, or move by many edges in a step.
 */
#include "support.h"

#include "tets_walls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define H 0.11

typedef struct {
    const char *name;
    uint32_t count;
    wall at[3];
    double volume; /* of the fluid */
    double slack;  /* of that volume */
} pile;

static const rill_vec3 z = {0, 0, 1};
static const rill_box unit_box = {{0, 0, 0}, {1, 1, 1}};

static wall box_of(double x0, double y0, double z0, double x1, double y1, double z1)
{
    return box_wall(v3(0.5 * (x1 - x0), 0.5 * (y1 - y0), 0.5 * (z1 - z0)),
                    v3(0.5 * (x0 + x1), 0.5 * (y0 + y1), 0.5 * (z0 + z1)), z, 0);
}

/* Distances of walls as tests place them are asked everywhere: with bounds they are as in a scene. */
static void bound(wall *a)
{
    const rill_box b = shape_bounds(&a->form);
    rill_box out = box_empty();
    for (int c = 0; c < 8; c++)
        out = box_with(out,
                       solid_to_world(&a->place.pose, v3(c & 1 ? b.max.x : b.min.x, c & 2 ? b.max.y : b.min.y,
                                                         c & 4 ? b.max.z : b.min.z)));
    a->place.bounds = out;
}

static rill_status begin(rill_ctx *ctx, const walls *w, mesher *m, tet_mesh *mesh)
{
    mesher_def def = mesher_def_default();
    def.size = (size_def){.finest = H};
    def.rounds = 4;
    mesh_init(mesh, ctx);
    return mesher_create(ctx, &def, w, m);
}

static void mesh_pile(const pile *p)
{
    rill_ctx *ctx = test_ctx(1);
    wall at[3];
    memcpy(at, p->at, sizeof at);
    for (uint32_t k = 0; k < p->count; k++) bound(&at[k]);
    const walls w = {.box = unit_box, .count = p->count, .at = at};
    mesher m;
    tet_mesh mesh;
    mesh_quality q;
    assert_ok(ctx, begin(ctx, &w, &m, &mesh));
    assert_ok(ctx, mesher_first(&m, &w, &mesh));
    assert_ok(ctx, fv_mesh_check(&mesh.fv, 1e-9));
    assert_ok(ctx, mesh_measure(&mesh, &w, &m.size, &q));
    if (getenv("TETS_TELL"))
        print_message("%-28s %5u tets, volume %.5f of %.5f, off %.3f, below 5: %.3f %%, crossing %.1e, "
                      "removed %u left %u\n",
                      p->name, q.tets, q.volume, p->volume, q.off_most, 100 * q.below_5, q.crossing,
                      m.removed, m.left);
    else {
        assert_true(q.crossing == 0);
        assert_int_equal(m.left, 0);
        assert_true(fabs(q.volume - p->volume) <= p->slack);
        assert_true(q.off_most < 0.65); /* where less than a size is between solids */
    }
    mesh_clear(&mesh);
    mesher_clear(&m);
    rill_ctx_destroy(ctx);
}

static void piles_are_followed(void **state)
{
    (void)state;
    const double t = 0.2 * H, s = 0.02 * H, area = 0.6 * 0.6;
    const pile all[] = {
        {"two plates",
         2,
         {box_of(0.2, 0.5, 0.2, 0.8, 0.5 + t, 0.8), box_of(0.2, 0.5 + t, 0.2, 0.8, 0.5 + 2 * t, 0.8)},
         1 - 2 * t * area,
         2e-3},
        {"two plates of 0.02",
         2,
         {box_of(0.2, 0.5, 0.2, 0.8, 0.5 + s, 0.8), box_of(0.2, 0.5 + s, 0.2, 0.8, 0.5 + 2 * s, 0.8)},
         1 - 2 * s * area,
         2e-3},
        {"three plates",
         3,
         {box_of(0.2, 0.5, 0.2, 0.8, 0.5 + t, 0.8), box_of(0.2, 0.5 + t, 0.2, 0.8, 0.5 + 2 * t, 0.8),
          box_of(0.2, 0.5 + 2 * t, 0.2, 0.8, 0.5 + 3 * t, 0.8)},
         1 - 3 * t * area,
         2e-3},
        {"plates set off",
         2,
         {box_of(0.1, 0.5, 0.2, 0.6, 0.5 + t, 0.8), box_of(0.4, 0.5 + t, 0.2, 0.9, 0.5 + 2 * t, 0.8)},
         1 - 2 * t * 0.3,
         2e-3},
        {"small plate on a large one",
         2,
         {box_of(0.1, 0.5, 0.1, 0.9, 0.5 + t, 0.9), box_of(0.3, 0.5 + t, 0.3, 0.7, 0.5 + 2 * t, 0.7)},
         1 - t * 0.64 - t * 0.16,
         2e-3},
        {"plates that overlap",
         2,
         {box_of(0.2, 0.5, 0.2, 0.8, 0.5 + t, 0.8), box_of(0.2, 0.5 + 0.5 * t, 0.2, 0.8, 0.5 + 1.5 * t, 0.8)},
         1 - 1.5 * t * area,
         2e-3},
        {"plate on a block",
         2,
         {box_of(0.2, 0.2, 0.2, 0.8, 0.5, 0.8), box_of(0.2, 0.5, 0.2, 0.8, 0.5 + t, 0.8)},
         1 - (0.3 + t) * area,
         2e-3},
        {"one solid twice",
         2,
         {box_of(0.3, 0.3, 0.3, 0.7, 0.7, 0.7), box_of(0.3, 0.3, 0.3, 0.7, 0.7, 0.7)},
         1 - 0.064,
         1e-3},
        {"one ball twice",
         2,
         {ball_wall(0.25, v3(0.5, 0.5, 0.5)), ball_wall(0.25, v3(0.5, 0.5, 0.5))},
         1 - 0.0654,
         7e-3},
        {"box on a box",
         2,
         {box_of(0.2, 0, 0.2, 0.8, 0.4, 0.8), box_of(0.35, 0.4, 0.35, 0.65, 0.7, 0.65)},
         1 - 0.4 * area - 0.3 * 0.09,
         1e-3},
        {"cubes at a corner",
         2,
         {box_of(0.2, 0.2, 0.2, 0.5, 0.5, 0.5), box_of(0.5, 0.5, 0.5, 0.8, 0.8, 0.8)},
         1 - 2 * 0.027,
         1e-3},
        {"cubes at an edge",
         2,
         {box_of(0.2, 0.2, 0.2, 0.5, 0.5, 0.8), box_of(0.5, 0.5, 0.2, 0.8, 0.8, 0.8)},
         1 - 2 * 0.054,
         2e-3},
        {"block in a corner", 1, {box_of(0, 0, 0, 0.4, 0.4, 0.4)}, 1 - 0.064, 1e-3},
        {"plate across", 1, {box_of(0, 0.5, 0, 1, 0.5 + t, 1)}, 1 - t, 2e-3},
        {"two plates across",
         2,
         {box_of(0, 0.5, 0, 1, 0.5 + t, 1), box_of(0, 0.5 + t, 0, 1, 0.5 + 2 * t, 1)},
         1 - 2 * t,
         8e-3},
        {"plates in a cross",
         2,
         {box_of(0.5, 0.2, 0.2, 0.5 + t, 0.8, 0.8), box_of(0.2, 0.5, 0.2, 0.8, 0.5 + t, 0.8)},
         1 - 2 * t * area + 0.6 * t * t,
         2e-3},
        {"plates in a T",
         2,
         {box_of(0.5, 0.5 + t, 0.2, 0.5 + t, 0.8, 0.8), box_of(0.2, 0.5, 0.2, 0.8, 0.5 + t, 0.8)},
         1 - t * area - t * (0.3 - t) * 0.6,
         2e-3},
        {"ball on a plate",
         2,
         {ball_wall(0.2, v3(0.5, 0.7 + t, 0.5)), box_of(0.2, 0.5, 0.2, 0.8, 0.5 + t, 0.8)},
         1 - 0.0335 - t * area,
         5e-3},
        {"ball on the floor", 1, {ball_wall(0.25, v3(0.5, 0.25, 0.5))}, 1 - 0.0654, 7e-3},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) mesh_pile(&all[k]);
}

/* A hollow ball with a ball in it: fluid outside, and between the two. */
static void voids_in_solids_are_filled(void **state)
{
    (void)state;
    shape part[2] = {{.kind = SHAPE_SPHERE, .sphere = {.radius = 0.42}},
                     {.kind = SHAPE_SPHERE, .sphere = {.radius = 0.34}}};
    wall hollow = ball_wall(0.42, v3(0.5, 0.5, 0.5));
    hollow.form = (shape){.kind = SHAPE_DIFFERENCE, .parts = {.part = part, .count = 2}};
    const double ball = 4 * M_PI / 3;
    const pile p = {"voids",
                    2,
                    {hollow, ball_wall(0.15, v3(0.5, 0.5, 0.5))},
                    1 - ball * (pow(0.42, 3) - pow(0.34, 3) + pow(0.15, 3)),
                    1.2e-2};
    mesh_pile(&p);
}

/* The rim of the plate goes four edges in a step. */
static void fast_plates_leave_nothing_behind(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    wall at[] = {box_wall(v3(0.42, 0.1 * H, 0.3), v3(0.5, 0.5, 0.5), z, 0)};
    at[0].moves = true;
    const walls w = {.box = unit_box, .count = 1, .at = at};
    mesher m;
    tet_mesh mesh[2];
    mesh_quality q;
    assert_ok(ctx, begin(ctx, &w, &m, &mesh[0]));
    mesh_init(&mesh[1], ctx);
    assert_ok(ctx, mesher_first(&m, &w, &mesh[0]));
    assert_ok(ctx, mesh_measure(&mesh[0], &w, &m.size, &q));
    const uint32_t first = q.tets;
    for (int step = 1; step <= 6; step++) {
        at[0].place = placed(v3(0.5, 0.5, 0.5), z, 1.1 * step);
        assert_ok(ctx, mesher_next(&m, &w, &mesh[(step + 1) % 2], &mesh[step % 2]));
        assert_ok(ctx, mesh_measure(&mesh[step % 2], &w, &m.size, &q));
        if (getenv("TETS_TELL"))
            print_message("fast plate: %u tets of %u, volume %.5f, crossing %.1e, off %.3f, left %u\n",
                          q.tets, first, q.volume, q.crossing, q.off_most, m.left);
        assert_true(q.crossing == 0 && m.left == 0 && q.off_most < 0.2);
        assert_true(fabs(q.tets - (double)first) < 0.1 * first);
        assert_true(fabs(q.volume - (1 - 0.84 * 0.6 * 0.2 * H)) < 1e-3);
    }
    mesh_clear(&mesh[0]);
    mesh_clear(&mesh[1]);
    mesher_clear(&m);
    rill_ctx_destroy(ctx);
}

static void full_domains_are_refused(void **state)
{
    (void)state;
    wall full[][2] = {{box_of(0, 0, 0, 1, 1, 1), box_of(0, 0, 0, 1, 1, 1)},
                      {box_of(0, 0, 0, 0.5, 1, 1), box_of(0.5, 0, 0, 1, 1, 1)},
                      {box_of(-1, -1, -1, 2, 2, 2), ball_wall(0.2, v3(0.5, 0.5, 0.5))}};
    for (int k = 0; k < 3; k++) {
        rill_ctx *ctx = test_ctx(1);
        const walls w = {.box = unit_box, .count = 2, .at = full[k]};
        mesher m;
        tet_mesh mesh;
        assert_ok(ctx, begin(ctx, &w, &m, &mesh));
        assert_int_equal(mesher_first(&m, &w, &mesh), RILL_BAD_SCENE);
        mesh_clear(&mesh);
        mesher_clear(&m);
        rill_ctx_destroy(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(piles_are_followed),
        cmocka_unit_test(voids_in_solids_are_filled),
        cmocka_unit_test(fast_plates_leave_nothing_behind),
        cmocka_unit_test(full_domains_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
