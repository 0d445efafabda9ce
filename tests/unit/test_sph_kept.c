/* What is kept between steps of particles of several sizes: lists, which hold all neighbours as long as they
 * are said to serve, and a turn of all does not end; the room to walls, which changes no share of theirs. */
#include "mesh_makers.h"
#include "sph_sims.h"

#include "base/random.h"
#include "sph/sized/sized.h"

#include <math.h>
#include <string.h>

static const double D = 0.1; /* spacing */

static rill_scene pool_scene(rill_ctx *ctx, int dimensions)
{
    return sized_scene(ctx, dimensions, D, (rill_box){{0, 0, 0}, {2, 2, 1}},
                       box_shaped(v3(0, 0, -9), v3(dimensions == 2 ? 2 : 1.2, 1, 9)), 4);
}

/* -- lists -------------------------------------------------------------------------------- */

static bool near_now(const sph *s, size_t i, size_t j)
{
    return v3_distance(s->particles.position[i], s->particles.position[j]) <
           fmax(size_class_of(s, i)->kernel.support, size_class_of(s, j)->kernel.support);
}

static bool all_listed(const sph *s)
{
    for (uint32_t i = 0; i < s->particles.count; i++) {
        size_t have = 0, need = 0;
        const sized_list l = sized_list_of(&s->sized->lists, i);
        for (uint32_t j = 0; j < s->particles.count; j++) need += near_now(s, i, j);
        for (sized_walk w = sized_walk_over(l.at, l.end); sized_walk_on(&w);) have += near_now(s, i, w.id);
        if (have != need) return false;
    }
    return true;
}

/* Where particles were listed, turned by an angle (small), stretched, and each somewhere else by `noise`. */
static void move_all(sph *s, double angle, double stretch, double noise, uint32_t trial)
{
    const rill_vec3 middle = v3(0.6, 0.5, 0);
    for (size_t i = 0; i < s->particles.count; i++) {
        const random4 a = random_at(3, s->particles.id[i], trial, 0), b = random_at(3, i, trial, 1);
        const rill_vec3 r = v3_sub(s->sized->kept.position[i], middle);
        const rill_vec3 way = v3(stretch * r.x - angle * r.y, angle * r.x - stretch * r.y, 0);
        const rill_vec3 off = v3(random_unit(a.v[0], a.v[1]) - 0.5, random_unit(a.v[2], a.v[3]) - 0.5,
                                 s->sim.scene->dimensions == 2 ? 0 : random_unit(b.v[0], b.v[1]) - 0.5);
        s->particles.position[i] = v3_madd(v3_add(s->sized->kept.position[i], way), noise, off);
    }
    s->sized->moved = s->def.support * sized_travel(s);
}

static void lists_that_serve(void **state)
{
    (void)state;
    enum { TRIALS = 60 };
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene = pool_scene(ctx, dimensions);
        sph *s = make_sim(ctx, &scene);
        disturb(s, 0.3 * D, dimensions); /* on a lattice nobody is just out of reach */
        sized_invalidate(s);
        assert_ok(ctx, sized_sort(s));
        int serve = 0;
        for (uint32_t k = 0; k < TRIALS; k++) {
            const random4 a = random_at(8, k, 0, 0);
            move_all(s, 0.1 * random_unit(a.v[0], a.v[1]), 0.01 * random_unit(a.v[2], a.v[3]),
                     k % 3 ? 0.003 * (k % 10) : 0, k);
            if (sized_find_stale(s)) continue;
            serve++;
            assert_true(all_listed(s));
        }
        assert_true(serve > TRIALS / 10 && serve < TRIALS);
        /* leaves are some spacings wide, and a turn by a sixteenth moves their ends 0.1 D and more */
        move_all(s, 1.0 / 16, 0, 0, 0);
        assert_true(sized_find_stale(s) == 0 && all_listed(s));
        move_all(s, 0, 1.0 / 16, 0, 0);
        assert_true(sized_find_stale(s) > 0);
        throw_away(ctx, &scene, s);
    }
}

/* Steps in which some particles go their own way: all neighbours are listed in each, and most lists are as
 * they were. Turning and stretching, so that leaves which are listed alone have others beside them that
 * count from long ago. */
static void some_lists_anew(void **state)
{
    (void)state;
    enum { STEPS = 40 };
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene = pool_scene(ctx, dimensions);
        const double d = scene.spacing = dimensions == 2 ? 0.03 : 0.06;
        if (dimensions == 2) scene.domain.min.z = -d / 2, scene.domain.max.z = d / 2;
        sph *s = make_sim(ctx, &scene);
        disturb(s, 0.3 * d, dimensions);
        sized_invalidate(s);
        assert_ok(ctx, sized_sort(s));
        size_t some = 0, leaves = 0, rounds = 0, strays = 0;
        for (uint32_t k = 0; k < STEPS; k++) {
            for (size_t i = 0; i < s->particles.count; i++) {
                rill_vec3 *x = &s->particles.position[i];
                const random4 a = random_at(5, s->particles.id[i], k, 0);
                const double jet = fmax(1 - fabs(x->x - 0.5) / 0.2, 0);
                const rill_vec3 turn = v3(-0.004 * (x->y - 0.5), 0.004 * (x->x - 1), 0);
                const double alone = s->particles.id[i] % 97 == 0 ? 0.2 * d : 0; /* one that goes astray */
                const rill_vec3 way = v3(turn.x + alone, turn.y - 0.05 * d * jet, 0);
                const rill_vec3 off =
                    v3(random_unit(a.v[0], a.v[1]) - 0.5, random_unit(a.v[2], a.v[3]) - 0.5, 0);
                *x = v3_madd(v3_add(*x, way), 0.002 * d, off);
            }
            const uint32_t round = s->sized->kept.round;
            assert_ok(ctx, sized_sort(s));
            assert_true(all_listed(s));
            strays += s->sized->strays.count;
            if (s->sized->kept.round <= round) continue; /* none, or all */
            rounds++;
            leaves += s->sized->points.leaves;
            for (size_t l = 0; l < s->sized->points.leaves; l++)
                some += s->sized->kept.history[l].round > round;
        }
        assert_true(rounds > STEPS / 4);
        assert_true(strays > STEPS);
        assert_true(some > rounds && 2 * some < leaves);
        throw_away(ctx, &scene, s);
    }
}

/* -- walls -------------------------------------------------------------------------------- */

typedef enum { BALL, MESH, MOVING, KINDS } solid_kind;

static void add_obstacle(rill_ctx *ctx, rill_scene *scene, solid_kind kind)
{
    scene_solid *solid;
    assert_ok(ctx, scene_add_solid(ctx, scene, &solid));
    solid->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {{0, 0, 0}, 0.3}};
    if (kind == MESH) {
        trimesh m = make_icosphere(ctx, 0.3, 2);
        const mesh_distance_def def = mesh_distance_def_default();
        solid->shape = (shape){.kind = SHAPE_MESH};
        assert_ok(ctx, mesh_distance_create(ctx, &m, &def, &solid->shape.mesh.owned));
        trimesh_clear(ctx, &m);
    }
    solid->transform.translate = v3(0.7, 0.4, 0.5);
    if (kind != MOVING) return;
    assert_ok(ctx, MEM_NEW_ZERO(ctx, solid->motion.key, 2));
    solid->motion.count = 2;
    solid->motion.key[1].t = 1;
    solid->motion.key[1].translate = v3(0.5, 0, 0);
}

/* What every particle would get that is asked, and whether it may be left alone. */
static void compare_walls(sph *s, double most)
{
    const rill_vec3 g = scene_gravity(s->sim.scene, s->sim.time), *x = s->particles.position;
    size_t far = 0, touched = 0;
    for (size_t i = 0; i < s->particles.count; i++) {
        const wall_share w = walls_at(&size_class_of(s, i)->walls, &s->sim.solids, g, x[i],
                                      s->particles.velocity[i], 0, s->sim.time);
        assert_true(fabs(s->step.wall[i][3] - w.density) <= most);
        assert_true(v3_length(v3_sub(v3(s->step.wall[i][0], s->step.wall[i][1], s->step.wall[i][2]),
                                     w.gradient)) <= most / D);
        touched += w.density > 0;
        const random4 a = random_at(4, i, 0, 0);
        const rill_vec3 way = v3(0.4 * D * (random_unit(a.v[0], a.v[1]) - 0.5),
                                 0.4 * D * (random_unit(a.v[2], a.v[3]) - 0.5), 0);
        rill_vec3 to = v3_add(x[i], way), v = s->particles.velocity[i];
        if (!sized_clear_of_walls(s, i, 0.05 * D, v3_dot(way, way))) continue;
        far++;
        assert_false(solids_push_out(&s->sim.solids, s->sim.time, s->sim.time, 0.05 * D, x[i], &to, &v));
    }
    assert_true(touched > s->particles.count / 20);
    assert_true(far > s->particles.count / 20 || s->sim.solids.moving);
}

static void walls_of_all(void **state)
{
    (void)state;
    for (solid_kind kind = BALL; kind < KINDS; kind++) {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene = pool_scene(ctx, 3);
        add_obstacle(ctx, &scene, kind);
        sph *s = make_sim(ctx, &scene);
        for (int k = 0; k < 8; k++) {
            assert_ok(ctx, sized_sort(s));
            sized_walls(s, s->sim.time, 0);
            compare_walls(s, kind == MESH ? 1e-3 : 1e-6);
            step_by(ctx, s, sph_method.max_dt(&s->sim));
        }
        throw_away(ctx, &scene, s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_that_serve),
        cmocka_unit_test(some_lists_anew),
        cmocka_unit_test(walls_of_all),
    };
    return cmocka_run_group_tests_name("what particles of several sizes keep", tests, NULL, NULL);
}
