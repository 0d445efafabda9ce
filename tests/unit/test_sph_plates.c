/* Plates thinner than the kernel: nobody sees through them, and nothing leaks. */
#include "mesh_makers.h"
#include "sph_sims.h"

#include "base/random.h"

#include <string.h>

static const double D = 0.1; /* spacing */

static void make_tank(rill_ctx *ctx, int dimensions, double width, double height, rill_scene *scene)
{
    assert_ok(ctx, scene_default(ctx, rill_methods, rill_method_count, scene));
    scene->dimensions = dimensions;
    scene->spacing = D;
    scene->domain.min = v3(0, 0, dimensions == 2 ? -D / 2 : 0);
    scene->domain.max = v3(width, height, dimensions == 2 ? D / 2 : width);
}

static scene_solid *add_solid(rill_ctx *ctx, rill_scene *scene, shape form)
{
    scene_solid *solid;
    assert_ok(ctx, scene_add_solid(ctx, scene, &solid));
    solid->shape = form;
    return solid;
}

static void add_liquid(rill_ctx *ctx, rill_scene *scene, double left, double right, double height)
{
    scene_liquid *liquid;
    assert_ok(ctx, scene_add_liquid(ctx, scene, &liquid));
    liquid->shape = (shape){.kind = SHAPE_BOX, .box = {{left, 0, -9}, {right, height, 9}}};
}

/* -- lists against sampled lines ------------------------------------------------------ */

static shape box_of(double x0, double y0, double z0, double x1, double y1, double z1)
{
    return (shape){.kind = SHAPE_BOX, .box = {{x0, y0, z0}, {x1, y1, z1}}};
}

/* A square of side 2, in the plane x = 0, as a shell. */
static shape square_shell(rill_ctx *ctx, double thickness)
{
    rill_vec3 corner[4] = {{0, -1, -1}, {0, 1, -1}, {0, 1, 1}, {0, -1, 1}};
    uint32_t triangle[2][3] = {{0, 1, 2}, {0, 2, 3}};
    const trimesh m = {.position = corner, .vertex_count = 4, .triangle = triangle, .triangle_count = 2};
    mesh_distance_def def = mesh_distance_def_default();
    def.shell = thickness;
    shape s = {.kind = SHAPE_MESH};
    assert_ok(ctx, mesh_distance_create(ctx, &m, &def, &s.mesh.owned));
    return s;
}

/* A tumbler: a cylinder with a smaller one taken out from above. */
static shape tumbler(rill_ctx *ctx, double wall)
{
    shape s = {.kind = SHAPE_DIFFERENCE, .parts = {.count = 2}};
    assert_ok(ctx, MEM_NEW_ZERO(ctx, s.parts.part, 2));
    s.parts.part[0] = (shape){.kind = SHAPE_CYLINDER, .rod = {{0, -0.5, 0}, {0, 0.5, 0}, 0.5}};
    s.parts.part[1] = (shape){.kind = SHAPE_CYLINDER, .rod = {{0, -0.5 + wall, 0}, {0, 1, 0}, 0.5 - wall}};
    return s;
}

enum { KINDS = 6 };
static shape thin_shape(rill_ctx *ctx, int kind)
{
    switch (kind) {
    case 0: return box_of(-0.01, -1, -1, 0.01, 1, 1);
    case 1: return box_of(-0.05, -0.3, -0.3, 0.05, 0.3, 0.3); /* with edges inside the liquid */
    case 2: return (shape){.kind = SHAPE_CAPSULE, .rod = {{0, -0.5, 0}, {0, 0.5, 0}, 0.08}};
    case 3: return (shape){.kind = SHAPE_CYLINDER, .rod = {{0, -0.02, 0}, {0, 0.02, 0}, 0.4}};
    case 4: return square_shell(ctx, 0.02);
    default: return tumbler(ctx, 0.03);
    }
}

/* Random particles around the middle, as near to the solid as a step leaves them. */
static void scatter(sph *s, int dimensions)
{
    const double width = dimensions == 2 ? 0.8 : 1.2;
    for (size_t i = 0; i < s->particles.count; i++)
        for (uint32_t k = 0;; k++) {
            const random4 a = random_at(7, i, k, 0), b = random_at(7, i, k, 1);
            const rill_vec3 u = v3(random_unit(a.v[0], a.v[1]) - 0.5, random_unit(a.v[2], a.v[3]) - 0.5,
                                   random_unit(b.v[0], b.v[1]) - 0.5);
            const rill_vec3 middle = v3(1, 1, dimensions == 2 ? 0 : 1);
            const rill_vec3 x = v3_madd(middle, width, dimensions == 2 ? v3(u.x, u.y, 0) : u);
            s->particles.position[i] = x;
            if (solids_distance(&s->sim.solids, x, s->sim.time, NULL) > 0.05 * D) break;
        }
}

/* The least distance from the solids along a line, by sampling. */
static double least_on_line(const sph *s, rill_vec3 a, rill_vec3 b)
{
    enum { SAMPLES = 120 };
    double least = fmin(solids_distance(&s->sim.solids, a, s->sim.time, NULL),
                        solids_distance(&s->sim.solids, b, s->sim.time, NULL));
    if (2 * least > v3_distance(a, b) + 0.02 * D) return least; /* it is not reached on the way */
    for (int k = 0; k <= SAMPLES; k++) {
        const rill_vec3 x = v3_madd(a, k / (double)SAMPLES, v3_sub(b, a));
        least = fmin(least, solids_distance(&s->sim.solids, x, s->sim.time, NULL));
    }
    return least;
}

/* near[i * count + j]: j is in the list of i. */
static void read_lists(const sph *s, uint8_t *near)
{
    const size_t count = s->particles.count;
    for (uint32_t k = 0; k < s->uniform->tiles.count; k++) {
        halo h;
        halo_build(&s->uniform->tiles, k, &h);
        const uint16_t *list = s->uniform->lists.pool + s->uniform->lists.segment[k];
        for (uint32_t i = s->uniform->tiles.tile[k].begin; i < s->uniform->tiles.tile[k].end;
             list += s->uniform->lists.count[i], i++) {
            bool ended = false;
            for (uint32_t n = 0; n < s->uniform->lists.count[i]; n++) {
                ended |= list[n] == 0;
                assert_true(!ended || list[n] == 0); /* padding is at the end */
                uint32_t local = list[n], first = 1;
                for (int r = 0; r < h.run_count && local > 0; first += h.run[r].count, r++)
                    if (local >= first && local < first + h.run[r].count) {
                        uint8_t *seen = &near[i * count + h.run[r].begin + local - first];
                        assert_int_equal(*seen, 0);
                        *seen = 1;
                    }
            }
        }
    }
}

static void lists_end_at_plates(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int kind = 0; kind < KINDS; kind++)
        for (int dimensions = kind < 2 ? 2 : 3; dimensions <= 3; dimensions++)
            for (int moving = 0; moving < 2; moving++) {
                rill_scene scene = {0};
                make_tank(ctx, dimensions, 2, 2, &scene);
                scene_solid *solid = add_solid(ctx, &scene, thin_shape(ctx, kind));
                solid->transform.translate = v3(1, 1, dimensions == 2 ? 0 : 1);
                solid->transform.rotate = dimensions == 2 ? v3(0, 0, 25) : v3(10, 20, 30);
                scene_motion_key key[2] = {{.t = 0}, {.t = 1, .translate = {1, 0, 0}, .rotate = {0, 0, 90}}};
                if (moving) {
                    assert_ok(ctx, MEM_NEW_ZERO(ctx, solid->motion.key, 2));
                    memcpy(solid->motion.key, key, sizeof key);
                    solid->motion.count = 2;
                }
                add_liquid(ctx, &scene, 0, 0.9, dimensions == 2 ? 1.5 : 0.5);
                sph *s = make_sim(ctx, &scene);
                s->sim.time = moving ? 0.15 : 0;
                scatter(s, dimensions);
                assert_ok(ctx, uniform_sort(s));
                uniform_walls(s, s->sim.time, 0);

                const size_t count = s->particles.count;
                uint8_t *near;
                assert_ok(ctx, MEM_NEW_ZERO(ctx, near, count * count));
                read_lists(s, near);
                size_t cut = 0, kept = 0;
                for (size_t i = 0; i < count; i++)
                    for (size_t j = 0; j <= i; j++) {
                        const rill_vec3 a = s->particles.position[i], b = s->particles.position[j];
                        const double r = v3_distance(a, b);
                        assert_int_equal(near[i * count + j], near[j * count + i]);
                        if (r > s->model.kernel.support * (1 - 1e-5)) continue;
                        const double least = least_on_line(s, a, b);
                        if (least < -0.005 * D) {
                            assert_int_equal(near[i * count + j], 0);
                            cut++;
                        } else if (least > 0.01 * D) {
                            assert_int_equal(near[i * count + j], 1);
                            kept += i != j;
                        }
                    }
                if (cut < 3 || kept < 200)
                    fail_msg("too few pairs to be a test: %zu cut, %zu kept (%d)", cut, kept, kind);
                mem_free(ctx, near);
                sph_method.destroy(&s->sim);
                scene_clear(ctx, &scene);
            }
    rill_ctx_destroy(ctx);
}

/* Which solids need to be asked at all. */
static void thin_is_told_from_thick(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    shape shell = square_shell(ctx, 0.1), glass = tumbler(ctx, 0.03);
    assert_true(shape_thinner(&shell, 0.2));
    assert_true(shape_thinner(&glass, 0.2));
    shape_clear(ctx, &shell);
    shape_clear(ctx, &glass);
    const shape plate = box_of(0, 0, 0, 1, 1, 0.1), flat = box_of(0, 0, 0, 1, 0.3, 0);
    assert_true(shape_thinner(&plate, 0.11));
    assert_false(shape_thinner(&plate, 0.09));
    assert_true(shape_thinner(&flat, 0.31)); /* without end along z */
    assert_false(shape_thinner(&flat, 0.29));
    shape cut[2] = {box_of(0, 0, 0, 1, 1, 0), box_of(0.1, 0.2, 0, 0.8, 2, 0)}; /* a trough */
    const shape trough = {.kind = SHAPE_DIFFERENCE, .parts = {.part = cut, .count = 2}};
    assert_true(shape_thinner(&trough, 0.11));
    assert_false(shape_thinner(&trough, 0.09));
    cut[1] = (shape){.kind = SHAPE_SPHERE, .sphere = {{0.5, 0.5, 0}, 0.1}};
    assert_true(shape_thinner(&trough, 0.09)); /* not known */

    trimesh cube = make_cube(ctx, 0.5), ball = make_icosphere(ctx, 0.5, 3);
    mesh_distance_def def = mesh_distance_def_default();
    for (int k = 0; k < 2; k++) {
        shape s = {.kind = SHAPE_MESH};
        assert_ok(ctx, mesh_distance_create(ctx, k ? &ball : &cube, &def, &s.mesh.owned));
        assert_true(shape_thinner(&s, 1.4));
        assert_false(shape_thinner(&s, 0.9));
        shape_clear(ctx, &s);
    }
    trimesh_clear(ctx, &cube);
    trimesh_clear(ctx, &ball);
    rill_ctx_destroy(ctx);
}

/* -- forces as if the other side were not there --------------------------------------- */

enum { PLATE_CELL = 8 };

/* Liquid left of a plate of the given thickness, and right of it when `both`. */
static sph *make_sides(rill_ctx *ctx, int dimensions, int solver, double thickness, bool both,
                       rill_scene *scene)
{
    const double at = PLATE_CELL * D;
    make_tank(ctx, dimensions, dimensions == 2 ? 2 : 1.6, 2, scene);
    sph_def *def = scene_method_def_of(scene, "sph");
    def->solver = solver;
    scene->fluid.viscosity = 5;
    scene->fluid.surface_tension = 2;
    add_solid(ctx, scene, box_of(at, -1, -9, at + thickness, 9, 9));
    add_liquid(ctx, scene, 0, at, 0.8);
    if (both) add_liquid(ctx, scene, at + ceil(thickness / D) * D, 9, 1.2); /* cells behind the plate's */
    sph *s = make_sim(ctx, scene);
    for (size_t i = 0; i < s->particles.count; i++) {
        rill_vec3 *x = &s->particles.position[i];
        if (x->x > at) x->x -= D - thickness; /* its first layer to half a spacing from the plate */
        s->particles.velocity[i] = v3(0.1 * sin(9 * x->y), x->x > at ? -1 : 0.1 * cos(7 * x->x), 0);
    }
    return s;
}

/* The whole of what a step works out from pairs. */
static void work_out(rill_ctx *ctx, sph *s)
{
    assert_ok(ctx, uniform_sort(s));
    uniform_walls(s, 0, 0);
    if (s->def.solver == SPH_DFSPH) {
        assert_ok(ctx, pairs_prepare(s));
        pairs_correct(s);
        pairs_job rate = {.s = s, .use = PAIRS_RATE, .vector = (const float(*)[4])s->step.velocity};
        pairs_divergence(&rate);
        for (size_t i = 0; i < s->particles.count; i++) {
            s->uniform->position[i][3] = 0;
            s->step.velocity[i][3] = 1 / s->density[i];
        }
    } else {
        uniform_density(s);
        uniform_pressure(s);
    }
    assert_ok(ctx, viscous_pairs_prepare(s));
    uniform_pair_forces(s);
    assert_ok(ctx, uniform_tension(s));
}

/* The relaxation of an equation of state's start ends in the same places but for rounding, to which pressures
 * are sensitive: the particles that both have get the same bits. */
static void same_places(const sph *one, sph *both)
{
    for (size_t j = 0; j < both->particles.count; j++)
        for (size_t i = 0; i < one->particles.count; i++) {
            const rill_vec3 a = one->particles.position[i];
            if (v3_distance(a, both->particles.position[j]) < 1e-6 * D) both->particles.position[j] = a;
        }
}

static void other_side_is_not_there(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int solver = SPH_DFSPH; solver <= SPH_TAIT; solver++)
            for (int k = 0; k < 3; k++) {
                const double thickness = (const double[]){0.1, 0.5, 1.5}[k] * D;
                rill_scene one_scene = {0}, both_scene = {0};
                sph *one = make_sides(ctx, dimensions, solver, thickness, false, &one_scene),
                    *both = make_sides(ctx, dimensions, solver, thickness, true, &both_scene);
                both->model.sound_speed = one->model.sound_speed; /* they depend on what there is */
                both->model.damping_speed = one->model.damping_speed;
                same_places(one, both);
                work_out(ctx, one);
                work_out(ctx, both);
                size_t met = 0;
                for (size_t j = 0; j < both->particles.count; j++)
                    for (size_t i = 0; i < one->particles.count; i++) {
                        const rill_vec3 a = one->particles.position[i], b = both->particles.position[j];
                        if (v3_distance(a, b) > 1e-9) continue;
                        met++;
                        assert_float_equal(one->density[i], both->density[j], 1e-3);
                        if (solver == SPH_DFSPH)
                            assert_float_equal(one->solve.target[i], both->solve.target[j], 2e-4);
                        else
                            assert_float_equal(one->pressure[i], both->pressure[j], 1);
                        for (int c = 0; c < 3; c++)
                            assert_float_equal(one->step.force[i][c], both->step.force[j][c],
                                               1e-4 * (1 + fabs(one->step.force[i][c])));
                    }
                assert_true(met == one->particles.count && both->particles.count > 2 * met);
                sph_method.destroy(&one->sim);
                sph_method.destroy(&both->sim);
                scene_clear(ctx, &one_scene);
                scene_clear(ctx, &both_scene);
            }
    rill_ctx_destroy(ctx);
}

/* -- at rest, for long ---------------------------------------------------------------- */

/* Mean pressure along a line, over two seconds, per rho g D. */
static double line_pressure(rill_ctx *ctx, sph *s, double x, double y)
{
    enum { POINTS = 8, TIMES = 100 };
    double sum = 0;
    for (int k = 0; k < TIMES; k++) {
        rill_vec3 at[POINTS];
        double p[POINTS];
        for (int i = 0; i < POINTS; i++) at[i] = v3(x + (i + 0.5) * D / 2, y, 0);
        run_until(ctx, s, s->sim.time + 0.02);
        assert_ok(ctx, sph_method.pressure(&s->sim, POINTS, at, p));
        for (int i = 0; i < POINTS; i++) sum += p[i];
    }
    return sum / (POINTS * TIMES) / (1000 * 9.81 * D);
}

/* Liquid beside a plate of a fifth of a spacing for five seconds, 0.6 m high on the left
 * (sides & 1) and 1.2 m on the right (sides & 2): nobody crosses. Pressures of each side at
 * 0.15 m. `kind` 0: a box; 1: a turned box; 2: one that is shaken at first. */
static void beside_a_plate(rill_ctx *ctx, int kind, int sides, double *left, double *right)
{
    rill_scene scene = {0};
    make_tank(ctx, 2, 2, 2, &scene);
    const double at = 1, thick = 0.2 * D;
    scene_solid *solid;
    if (kind == 1) {
        solid = add_solid(ctx, &scene, box_of(-9, -thick / 2, 0, 9, thick / 2, 0));
        solid->transform.translate = v3(at + thick / 2, 0, 0);
        solid->transform.rotate = v3(0, 0, 90);
    } else
        solid = add_solid(ctx, &scene, box_of(at, -9, 0, at + thick, 9, 0));
    if (kind == 2) {
        assert_ok(ctx, MEM_NEW_ZERO(ctx, solid->motion.key, 4));
        solid->motion.count = 4;
        solid->motion.smooth = true;
        for (int k = 0; k < 4; k++) {
            solid->motion.key[k].t = 0.3 * k;
            solid->motion.key[k].translate.x = (const double[]){0, 0.1, -0.1, 0}[k];
        }
    }
    scene.fluid.viscosity = 20; /* or it would slosh for long */
    if (sides & 1) add_liquid(ctx, &scene, 0, at, 0.6);
    if (sides & 2) add_liquid(ctx, &scene, at, 2, 1.2);
    sph *s = make_sim(ctx, &scene);
    const size_t count = s->particles.count;
    uint8_t side[1024] = {0};
    assert_true(count < 1024);
    for (size_t i = 0; i < count; i++) side[s->particles.id[i]] = s->particles.position[i].x < at;
    run_until(ctx, s, 5);
    if (sides & 1) *left = line_pressure(ctx, s, 0.3, 0.15);
    if (sides & 2) *right = line_pressure(ctx, s, 1.3, 0.15);
    assert_int_equal(s->particles.count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(side[s->particles.id[i]], s->particles.position[i].x < at + thick / 2);
    sph_method.destroy(&s->sim);
    scene_clear(ctx, &scene);
}

static void plates_hold_two_heights(void **state)
{
    (void)state;
    if (unless_sanitized(0, 1)) skip(); /* thousands of steps of what the others see in a few */
    rill_ctx *ctx = test_ctx(1);
    double alone[2], both[2];
    for (int kind = 0; kind < 3; kind++) {
        if (kind != 1) { /* turned or not, it is the same plate */
            beside_a_plate(ctx, kind, 1, &alone[0], NULL);
            beside_a_plate(ctx, kind, 2, NULL, &alone[1]);
        }
        beside_a_plate(ctx, kind, 3, &both[0], &both[1]);
        for (int k = 0; k < 2; k++) assert_float_equal(both[k], alone[k], 0.05 * alone[k]);
    }
    rill_ctx_destroy(ctx);
}

/* A thin shell of triangles with liquid on one side and air on the other. */
static void shells_are_tight(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene = {0};
    make_tank(ctx, 3, 1.2, 1.2, &scene);
    scene_solid *solid = add_solid(ctx, &scene, square_shell(ctx, 0.2 * D));
    solid->transform.translate = v3(0.6, 0.6, 0.6);
    add_liquid(ctx, &scene, 0, 0.6, 0.8);
    sph *s = make_sim(ctx, &scene);
    const size_t count = s->particles.count;
    run_until(ctx, s, 5);
    assert_int_equal(s->particles.count, count);
    for (size_t i = 0; i < count; i++) assert_true(s->particles.position[i].x < 0.6);
    throw_away(ctx, &scene, s);
}

/* A gauge at a plate sees its own side, on the plate's face too. */
static void gauges_see_one_side(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = {0};
    sph *s = make_sides(ctx, 2, SPH_DFSPH, 0.1 * D, true, &scene);
    const double at = PLATE_CELL * D;
    enum { MANY = 40 };
    rill_vec3 x[MANY];
    double p[MANY], few[3], other[2][MANY];
    for (int k = 0; k < MANY; k++) x[k] = v3(k % 2 ? at : at + 0.1 * D, 0.1 + 0.01 * k, 0);
    for (int side = 0; side < 2; side++) { /* what is on the other side does not matter, however much it is */
        for (size_t i = 0; i < s->particles.count; i++)
            s->pressure[i] = (s->particles.position[i].x < at) == (side == 0) ? 1e6f : side ? 100 : 300;
        assert_ok(ctx, sph_method.pressure(&s->sim, MANY, x, other[side]));
    }
    for (size_t i = 0; i < s->particles.count; i++)
        s->pressure[i] = s->particles.position[i].x < at ? 100 : 300;
    assert_ok(ctx, sph_method.pressure(&s->sim, MANY, x, p));
    assert_ok(ctx, sph_method.pressure(&s->sim, 3, x, few));
    for (int k = 0; k < MANY; k++) assert_float_equal(p[k], other[k % 2][k], 1e-3);
    /* of the right side: what the plate bears there, by its particles as they lie */
    for (int k = 0; k < MANY; k++) assert_float_equal(p[k], (k % 2 ? 100 : 300), (k % 2 ? 10 : 30));
    for (int k = 0; k < 3; k++) assert_float_equal(few[k], p[k], 1e-9);
    throw_away(ctx, &scene, s);
}

/* -- densities at walls --------------------------------------------------------------- */

/* Of a lattice that fills a closed tank, over rest density: the table of docs/walls.md. */
static void walls_complete_a_lattice(void **state)
{
    (void)state;
    static const char *const names[] = {"gaussian", "cubic", "mueller", "wendland"};
    /* What the cubic kernel gives is what sph starts from; the others may be farther off. */
    static const double most[SPH_KERNELS] = {0.015, 0.008, 0.0125, 0.0065};
    rill_ctx *ctx = test_ctx(1);
    for (int kind = 0; kind < SPH_KERNELS; kind++)
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            rill_scene scene = {0};
            make_tank(ctx, dimensions, 0.9, 0.9, &scene);
            sph_def *def = scene_method_def_of(&scene, "sph");
            def->kernel = kind;
            def->solver = SPH_DFSPH; /* an equation of state would relax the lattice before the start */
            add_liquid(ctx, &scene, 0, 0.9, 0.9);
            sph *s = make_sim(ctx, &scene);
            assert_ok(ctx, uniform_sort(s));
            uniform_walls(s, 0, 0);
            uniform_density(s);
            double error[4] = {0}; /* by the number of walls next to it */
            for (size_t i = 0; i < s->particles.count; i++) {
                int beside = 0;
                for (int k = 0; k < dimensions; k++)
                    beside += fabs(v3_axis(s->particles.position[i], k) - 0.45) > 0.39;
                const double e = s->density[i] / 1000.0 - 1;
                if (fabs(e) > fabs(error[beside])) error[beside] = e;
            }
            print_message("%-8s %dD: inside %+.4f, face %+.4f, edge %+.4f, corner %+.4f\n", names[kind],
                          dimensions, error[0], error[1], error[2], error[3]);
            /* The gaussian jumps where it is cut, at two spacings, and rounding decides on which side. */
            assert_true(fabs(error[0]) < (kind == SPH_GAUSSIAN ? 0.03 : 1e-4));
            for (int k = 1; k <= dimensions; k++) assert_true(fabs(error[k]) < most[kind]);
            sph_method.destroy(&s->sim);
            scene_clear(ctx, &scene);
        }
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_end_at_plates),      cmocka_unit_test(thin_is_told_from_thick),
        cmocka_unit_test(other_side_is_not_there),  cmocka_unit_test(plates_hold_two_heights),
        cmocka_unit_test(shells_are_tight),         cmocka_unit_test(gauges_see_one_side),
        cmocka_unit_test(walls_complete_a_lattice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
