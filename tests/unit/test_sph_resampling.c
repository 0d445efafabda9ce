/* Splitting and merging, one call at a time: who replaces whom, where, and what is kept; that sizes do not go
 * back and forth; distances held to the volume; and what is out of view. */
#include "sph_sims.h"

#include "sph/sized/sized.h"
#include "surface/distances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static rill_scene block_scene(rill_ctx *ctx, int dimensions, double spacing)
{
    rill_scene scene = sized_scene(ctx, dimensions, spacing, (rill_box){{-1, -1, -1}, {2, 2, 2}},
                                   box_shaped(v3(0, 0, dimensions == 2 ? -1 : 0), v3(1, 1, 1)), 5);
    scene.gravity = v3(0, 0, 0);
    def_of(&scene)->sound_speed = 20;
    return scene;
}

static void give_speeds(sph *s)
{
    for (size_t i = 0; i < s->particles.count; i++) {
        const rill_vec3 x = s->particles.position[i];
        const bool flat = s->sim.scene->dimensions == 2;
        s->particles.velocity[i] =
            v3(1 + sin(11 * x.y), cos(7 * x.x) - x.y, flat ? 0 : 0.5 + sin(9 * x.x + 5 * x.z));
    }
}

/* What there was before a call. */
typedef struct {
    size_t count;
    uint64_t next_id;
    uint64_t *id;
    rill_vec3 *x, *v;
    int *level;
    uint8_t *stays;
} earlier;

static earlier remember(const sph *s)
{
    const particles *p = &s->particles;
    earlier e = {.count = p->count, .next_id = p->next_id};
    e.id = malloc(p->count * sizeof *e.id);
    e.x = malloc(p->count * sizeof *e.x);
    e.v = malloc(p->count * sizeof *e.v);
    e.level = malloc(p->count * sizeof *e.level);
    e.stays = calloc(p->count, 1);
    memcpy(e.id, p->id, p->count * sizeof *e.id);
    memcpy(e.x, p->position, p->count * sizeof *e.x);
    memcpy(e.v, p->velocity, p->count * sizeof *e.v);
    for (size_t i = 0; i < p->count; i++) e.level[i] = (int)s->sized->class_number[i];
    return e;
}

static void forget(earlier *e)
{
    free(e->id);
    free(e->x);
    free(e->v);
    free(e->level);
    free(e->stays);
}

/* Who stayed is as it was. */
static void find_who_stays(earlier *e, const sph *s)
{
    for (size_t j = 0; j < s->particles.count; j++) {
        if (s->particles.id[j] >= e->next_id) continue;
        size_t i = 0;
        while (i < e->count && e->id[i] != s->particles.id[j]) i++;
        assert_true(i < e->count && !e->stays[i]);
        assert_memory_equal(&e->x[i], &s->particles.position[j], sizeof *e->x);
        assert_memory_equal(&e->v[i], &s->particles.velocity[j], sizeof *e->v);
        assert_int_equal(e->level[i], (int)s->sized->class_number[j]);
        e->stays[i] = 1;
    }
}

static size_t find_new(const sph *s, uint64_t id)
{
    for (size_t j = 0; j < s->particles.count; j++)
        if (s->particles.id[j] == id) return j;
    return SIZE_MAX;
}

/* One that is gone, half way between two places; count if none is. */
static size_t gone_at(const earlier *e, rill_vec3 x)
{
    for (size_t i = 0; i < e->count; i++)
        if (!e->stays[i] && v3_distance(e->x[i], x) < 1e-12) return i;
    return e->count;
}

/* Nobody nearer than `least` to x, but those who are. */
static double nearest_other(const sph *s, size_t a, size_t b)
{
    double least = INFINITY;
    for (size_t k = 0; k < s->particles.count; k++)
        if (k != a && k != b)
            least = fmin(least, v3_distance(s->particles.position[k], s->particles.position[a]));
    return least;
}

/* The same over half the smaller of both spacings: a finer one may be placed later, by its own. */
static double room_around(const sph *s, size_t a)
{
    double least = INFINITY;
    for (size_t k = 0; k < s->particles.count; k++)
        if (k != a)
            least = fmin(least, v3_distance(s->particles.position[k], s->particles.position[a]) /
                                    (0.5 * (double)fminf(s->sized->spacing[a], s->sized->spacing[k])));
    return least;
}

/* Mass, momentum and centre of mass of what is there, old or new. */
typedef struct {
    double mass;
    rill_vec3 momentum, middle;
} totals;

static totals totals_of(const sph *s)
{
    totals t = {0};
    for (size_t i = 0; i < s->particles.count; i++) {
        const double m = s->sized->size_class[(int)s->sized->class_number[i]].mass;
        t.mass += m;
        t.momentum = v3_madd(t.momentum, m, s->particles.velocity[i]);
        t.middle = v3_madd(t.middle, m, s->particles.position[i]);
    }
    return t;
}

static void assert_kept(const totals *a, const totals *b)
{
    assert_true(fabs(a->mass / b->mass - 1) < 1e-12);
    assert_true(v3_distance(a->momentum, b->momentum) < 1e-12 * v3_length(a->momentum));
    assert_true(v3_distance(a->middle, b->middle) < 1e-12 * v3_length(a->middle));
}

/* Every new pair lies opposite to each other about one that is gone, a finer spacing apart, inside the
 * liquid and clear of everybody else; with its velocity on average, one level finer, and nothing else is new.
 */
static void pairs_replace(const sph *s, earlier *e)
{
    find_who_stays(e, s);
    size_t pairs = 0, gone = 0;
    for (size_t i = 0; i < e->count; i++) gone += !e->stays[i];
    for (uint64_t id = e->next_id; id < s->particles.next_id; id += 2, pairs++) {
        const size_t a = find_new(s, id), b = find_new(s, id + 1);
        assert_true(a != SIZE_MAX && b != SIZE_MAX);
        const rill_vec3 xa = s->particles.position[a], xb = s->particles.position[b];
        const size_t i = gone_at(e, v3_scale(v3_add(xa, xb), 0.5));
        assert_true(i < e->count);
        const size_class *fine = &s->sized->size_class[e->level[i] - 1];
        assert_int_equal((int)s->sized->class_number[a], e->level[i] - 1);
        assert_int_equal((int)s->sized->class_number[b], e->level[i] - 1);
        assert_true(fabs(v3_distance(xa, xb) / fine->spacing - 1) < 1e-9);
        const rill_vec3 mean =
            v3_scale(v3_add(s->particles.velocity[a], s->particles.velocity[b]), 0.5); /* momentum */
        assert_true(v3_distance(e->v[i], mean) < 1e-14 * (1 + v3_length(e->v[i])));
        const double least = 0.42 * 0.5 * fine->spacing; /* 0.75^3 of d */
        assert_true(nearest_other(s, a, b) > least && nearest_other(s, b, a) > least);
        assert_true(s->sized->distance[a] > 0 && s->sized->distance[b] > 0);
    }
    assert_int_equal(pairs, gone);
    assert_true(pairs > e->count / 4);
}

/* Every new one is half way between two of one level that are gone, with the mean of their velocities and
 * room around it. Their relative motion is what energy is lost. */
static void mergers_replace(const sph *s, earlier *e)
{
    find_who_stays(e, s);
    size_t mergers = 0, gone = 0;
    for (size_t i = 0; i < e->count; i++) gone += !e->stays[i];
    for (uint64_t id = e->next_id; id < s->particles.next_id; id++, mergers++) {
        const size_t a = find_new(s, id);
        assert_true(a != SIZE_MAX);
        const rill_vec3 x = s->particles.position[a], v = s->particles.velocity[a];
        const int l = (int)s->sized->class_number[a] - 1;
        size_t found = 0;
        for (size_t i = 0; i < e->count && !found; i++) {
            if (e->stays[i] || e->level[i] != l) continue;
            const size_t j = gone_at(e, v3_sub(v3_scale(x, 2), e->x[i]));
            if (j == e->count || j == i || e->level[j] != l) continue;
            found = v3_distance(v, v3_scale(v3_add(e->v[i], e->v[j]), 0.5)) < 1e-12;
        }
        assert_true(found);
        assert_true(room_around(s, a) > 1 - 1e-6);
    }
    assert_int_equal(2 * mergers, gone);
    assert_true(mergers > e->count / 20);
}

/* Each particle has one place in one call: who was just made is not made anew, since it is in no list. */
static void one_at_a_time(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene = block_scene(ctx, dimensions, dimensions == 2 ? 0.025 : 0.07);
        def_of(&scene)->split = 1e-6;
        def_of(&scene)->merge = 0.4;
        sph *s = make_sim(ctx, &scene); /* as coarse as can be */
        for (int k = 0; k < 3; k++) {
            s->def.split = k < 2 ? 200 : 1e-6; /* finer twice, then coarser */
            s->def.merge = k < 2 ? 300 : 0.4;
            give_speeds(s);
            assert_ok(ctx, sized_sort(s));
            earlier e = remember(s);
            const totals before = totals_of(s);
            assert_ok(ctx, resample(s, NULL));
            assert_int_equal(s->sized->kept.count, 0); /* lists are void until they are made anew */
            const totals after = totals_of(s);
            assert_kept(&before, &after);
            if (k < 2)
                pairs_replace(s, &e);
            else
                mergers_replace(s, &e);
            forget(&e);
        }
        throw_away(ctx, &scene, s);
    }
}

/* Fine liquid at rest becomes coarse in some calls and is then left alone; nobody is split who was merged the
 * call before, nor the other way round. */
static void no_back_and_forth(void **state)
{
    (void)state;
    enum { CALLS = 16 };
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene = block_scene(ctx, 2, 0.02);
    sph *s = make_sim(ctx, &scene);
    s->particles.count = 0;
    assert_ok(ctx, sources_fill(ctx, &s->sim.sources, &s->sim.solids, &s->particles));
    sph_columns(s);
    sized_invalidate(s);
    s->sized->started = false;
    assert_true(s->particles.count > 2450);
    uint64_t made_from = s->particles.next_id;
    int *level_made = calloc(100000, sizeof *level_made);
    size_t undone = 0, all = 0, last = 0;
    for (int k = 0; k < CALLS; k++) {
        assert_ok(ctx, sized_sort(s));
        earlier e = remember(s);
        assert_ok(ctx, resample(s, NULL));
        find_who_stays(&e, s);
        last = 0;
        for (size_t i = 0; i < e.count; i++) last += !e.stays[i];
        for (size_t i = 0; i < e.count; i++)
            if (e.id[i] >= made_from && !e.stays[i]) {
                /* made in the call before and gone again: onwards or back? */
                double nearest = INFINITY;
                int now = 0;
                for (size_t j = 0; j < s->particles.count; j++)
                    if (s->particles.id[j] >= e.next_id &&
                        v3_distance(s->particles.position[j], e.x[i]) < nearest) {
                        nearest = v3_distance(s->particles.position[j], e.x[i]);
                        now = (int)s->sized->class_number[j];
                    }
                undone += (now > e.level[i]) != (level_made[e.id[i] - made_from] > 0);
            }
        all += last;
        made_from = e.next_id;
        const bool merging = s->particles.count < e.count;
        for (uint64_t id = e.next_id; id < s->particles.next_id; id++)
            level_made[id - made_from] = merging ? 1 : -1;
        forget(&e);
    }
    print_message("replaced in %d calls: %zu, in the last %zu; undone %zu of %zu particles\n", CALLS, all,
                  last, undone, s->particles.count);
    assert_true(last < s->particles.count / 50);
    assert_true(undone <= s->particles.count / 100);
    free(level_made);
    throw_away(ctx, &scene, s);
}

/* A pool that has come to rest is left alone: feature sizes do not swing with the particles that move a
 * little in it. */
static void at_rest(void **state)
{
    (void)state;
    enum { CALLS = 12, STEPS = 60 };
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene = sized_scene(ctx, 2, 0.0125, (rill_box){{0, 0, 0}, {1, 1, 0}},
                                   box_shaped(v3(0, 0, -1), v3(1, 0.5, 1)), 4);
    scene.gravity = v3(0, -9.81, 0);
    sph *s = make_sim(ctx, &scene);
    run_until(ctx, s, 1);
    s->def.resample = INT32_MAX;
    size_t gone = 0, all = 0;
    for (int k = 0; k < CALLS; k++) {
        take_steps(ctx, s, STEPS);
        assert_ok(ctx, sized_sort(s));
        earlier e = remember(s);
        assert_ok(ctx, resample(s, NULL));
        find_who_stays(&e, s);
        for (size_t i = 0; i < e.count; i++) gone += !e.stays[i];
        all += e.count;
        forget(&e);
    }
    print_message("%.2f percent of %d are split or merged each time\n", 100 * (double)gone / (double)all,
                  (int)(all / CALLS));
    assert_true((double)gone < 0.005 * (double)all);
    throw_away(ctx, &scene, s);
}

/* errata E-A5: what is projected again and again drifts, by what distances lack of the volume; held once a
 * frame it does not. */
static void held_to_the_volume(void **state)
{
    (void)state;
    double lacks[2];
    for (int free_running = 0; free_running < 2; free_running++) {
        rill_ctx *ctx = test_ctx(2);
        rill_scene scene = block_scene(ctx, 3, 0.07);
        scene.time.fps = 100;
        sph *s = make_sim(ctx, &scene);
        for (int k = 0; k < 40; k++) {
            s->sim.time = 0.005 * k; /* a frame is two of these */
            if (free_running) s->sized->anchored = INFINITY;
            assert_ok(ctx, sized_sort(s));
            assert_ok(ctx, resample(s, NULL));
        }
        const surface_def def = {
            .spacing = scene.spacing, .cell = 0.5, .dimensions = 3, .definition = SURFACE_DISTANCE};
        assert_ok(ctx, distances_anchor(ctx, &s->particles, &def, s->sized->distance, &lacks[free_running]));
        lacks[free_running] /= scene.spacing;
        throw_away(ctx, &scene, s);
    }
    print_message("distances lack %.3f spacings after 20 frames, %.3f when not held\n", lacks[0], lacks[1]);
    assert_true(fabs(lacks[0]) < 0.06 && fabs(lacks[1]) > 3 * fabs(lacks[0]));
}

/* What the camera sees keeps its feature size; beside a face of its pyramid the distance from that is added,
 * behind the eye that from it. */
static void out_of_view(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = block_scene(ctx, 3, 0.1);
    def_of(&scene)->view_dependent = true;
    scene.camera = (scene_camera){.eye = {0.5, 0.5, 5}, .target = {0.5, 0.5, 0}, .fov = 90};
    scene.output.width = 200;
    scene.output.height = 100;
    sph *s = make_sim(ctx, &scene);
    criteria c;
    assert_ok(ctx, criteria_begin(s, &s->sized->arena, &c));
    const struct {
        rill_vec3 x;
        double out;
    } asked[] = {
        {{0.5, 0.5, 0.5}, 0},
        {{0.5, 4.9, 0.5}, 0},             /* just in view: 45 degrees up */
        {{0.5, 5.5, 0.5}, 0.5 / sqrt(2)}, /* above it by half a metre */
        {{9.4, 0.5, 0.5}, 0},             /* twice as wide as high */
        {{10, 0.5, 0.5}, 0.5 / sqrt(5)},  /* 9.5 m aside where 9 are seen */
        {{0.5, 0.5, 5.25}, 0.25},         /* behind the eye */
    };
    for (size_t k = 0; k < sizeof asked / sizeof asked[0]; k++) {
        s->particles.position[0] = asked[k].x;
        assert_true(fabs(criteria_size(&c, 0, 0.3) - 0.3 - asked[k].out) < 1e-12);
    }
    scene.camera.fov = 0; /* fitted to the domain: sees all */
    assert_true(fabs(criteria_size(&c, 0, 0.3) - 0.3) < 1e-12);
    throw_away(ctx, &scene, s);
}

/* A tap above a still pool. Its liquid is resampled while more of it comes: sums grow from those of a surface
 * to those of a body, and an excess from before would make pressure of it (10 m/s). */
static void taps_run(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    const double reach = 0.06;
    rill_scene scene = sized_scene(ctx, 3, 0.004, (rill_box){{-reach, 0.08, -reach}, {reach, 0.3, reach}},
                                   box_shaped(v3(-reach, 0.08, -reach), v3(reach, 0.1, reach)), 6);
    scene.domain.open = 8; /* +y */
    def_of(&scene)->sound_speed = 28;
    scene_emitter *tap;
    assert_ok(ctx, scene_add_emitter(ctx, &scene, &tap));
    tap->shape = (shape){.kind = SHAPE_DISC, .flat = {{-0.011, 0.18, 0}, {0, -1, 0}, 0.02}};
    tap->speed = 1.2;
    sph *s = make_sim(ctx, &scene);
    run_until(ctx, s, 1.0 / 30);
    double fastest = 0;
    for (size_t i = 0; i < s->particles.count; i++)
        fastest = fmax(fastest, v3_length(s->particles.velocity[i]));
    print_message("a tap of 1.2 m/s: %.2f m/s after 1/30 s\n", fastest);
    assert_true(fastest > 1.4 && fastest < 1.7); /* falling: 1.53 */
    throw_away(ctx, &scene, s);
}

/* A ball that joins while a pool is at rest falls in one piece, and inside of it particles are large from the
 * start. Joined as a lattice and merged by the steps, the same ball flies apart. */
static void joining_liquid_stays_whole(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    const double radius = 0.2, h = 0.02, start = 0.01, end = 0.06;
    const rill_vec3 center = {0, 1.2, 0};
    rill_scene scene = sized_scene(ctx, 3, h, (rill_box){{-0.3, 0, -0.3}, {0.3, 2, 0.3}},
                                   box_shaped(v3(-0.3, 0, -0.3), v3(0.3, 0.1, 0.3)), 6);
    def_of(&scene)->sound_speed = 30;
    scene_liquid *ball;
    assert_ok(ctx, scene_add_liquid(ctx, &scene, &ball));
    ball->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {center, radius}};
    ball->velocity.value = v3(0, -1, 0);
    ball->start = start;
    sph *s = make_sim(ctx, &scene);
    run_until(ctx, s, end);
    rill_vec3 middle = v3(0, 0, 0), mean = v3(0, 0, 0);
    double mass = 0, off = 0, farthest = 0, largest = 0;
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < s->particles.count; i++) {
            const rill_vec3 x = s->particles.position[i], v = s->particles.velocity[i];
            const double m = ldexp(1, (int)s->sized->class_number[i]);
            if (x.y < 0.5) continue; /* the pool */
            if (round == 0) {
                mass += m;
                middle = v3_madd(middle, m, x);
                mean = v3_madd(mean, m, v);
                largest = fmax(largest, (double)s->sized->class_number[i]);
            } else {
                const rill_vec3 d = v3_sub(v, mean);
                off += m * v3_dot(d, d) / mass;
                farthest = fmax(farthest, v3_distance(x, middle));
            }
        }
        if (round == 0) middle = v3_scale(middle, 1 / mass), mean = v3_scale(mean, 1 / mass);
    }
    const double whole = 4 * M_PI / 3 * pow(radius / h, 3);
    print_message("ball after %.2f s: %.3f of its mass, falls at %.3f m/s, %.4f m/s about it, reaches %.2f "
                  "radii, classes up to %g\n",
                  end - start, mass / whole, -mean.y, sqrt(off), farthest / radius, largest);
    assert_true(fabs(mass / whole - 1) < 0.02);
    assert_true(fabs(-mean.y - 1 - 9.81 * (end - start)) < 0.02);
    assert_true(sqrt(off) < 0.1 && farthest < 1.15 * radius && largest >= 2);
    throw_away(ctx, &scene, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_at_a_time),
        cmocka_unit_test(no_back_and_forth),
        cmocka_unit_test(at_rest),
        cmocka_unit_test(held_to_the_volume),
        cmocka_unit_test(out_of_view),
        cmocka_unit_test(taps_run),
        cmocka_unit_test(joining_liquid_stays_whole),
    };
    return cmocka_run_group_tests_name("sph, splitting and merging", tests, NULL, NULL);
}
