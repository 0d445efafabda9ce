/* Surfaces at walls and the filter of the default: blur, images, borders, sheets, sizes. */
#include "support.h"

#include "base/random.h"
#include "flow/solids.h"
#include "surface/blur.h"
#include "surface/borders.h"
#include "surface/mirror.h"
#include "surface/surface.h"

#include <math.h>
#include <string.h>

static double uniform(uint64_t i, uint64_t which)
{
    const random4 r = random_at(11, i, which, 0);
    return random_unit(r.v[0], r.v[1]);
}

/* A box of 12 x 9 x 7 spacings, a pillar in it where `pillar`; open above. */
static void make_box(rill_ctx *ctx, bool pillar, rill_scene *scene, solids *walls)
{
    *scene = (rill_scene){.dimensions = 3, .spacing = 1, .domain = {.max = {12, 9, 7}}};
    scene->domain.open = 1u << 3; /* +y */
    if (pillar) {
        scene_solid *solid;
        assert_ok(ctx, scene_add_solid(ctx, scene, &solid));
        solid->shape = (shape){.kind = SHAPE_CYLINDER, .rod = {v3(6, -1, 3.5), v3(6, 20, 3.5), 1.7}};
    }
    assert_ok(ctx, solids_create(ctx, scene, walls));
}

static particles fill_box(rill_ctx *ctx, const solids *walls, int high)
{
    particles p = {0};
    for (int i = 0; i < 12 * high * 7; i++) {
        const uint64_t k = (uint64_t)i;
        const rill_vec3 x =
            v3(i % 12 + 0.5 + 0.15 * uniform(k, 0), i / 12 % high + 0.5 + 0.15 * uniform(k, 1),
               i / 12 / high + 0.5 + 0.15 * uniform(k, 2));
        if (solids_distance(walls, x, 0, NULL) > 0.2) assert_ok(ctx, particles_append(ctx, &p, 1, &x, NULL));
    }
    return p;
}

/* One sample of a grid of values, wherever it is. */
static double sample_at(const level_grid *g, const float *value, const int at[3])
{
    const uint32_t id = block_map_find(&g->map, at[0] >> 3, at[1] >> 3, at[2] >> 3);
    const uint32_t slot = id == BLOCK_NONE ? LEVEL_OUTSIDE : g->slot[id];
    if (slot == LEVEL_OUTSIDE) return (double)g->outside;
    if (slot == LEVEL_INSIDE) return (double)g->inside;
    const size_t i = (size_t)((at[2] & 7) * 64 + (at[1] & 7) * 8 + (at[0] & 7));
    return (double)value[slot * LEVEL_AREA * (size_t)g->layers + i];
}

/* Axis after axis, sample by sample. */
static void blur_plainly(const level_grid *g, double width, float *value, float *scratch)
{
    const int taps = (int)ceil(2.8 * width);
    double all = 0;
    for (int t = -taps; t <= taps; t++) all += exp(-0.5 * t * t / (width * width));
    for (int axis = 0; axis < (g->layers == 1 ? 2 : 3); axis++) {
        for (size_t b = 0; b < g->map.count; b++)
            for (int i = 0; i < LEVEL_AREA * g->layers && g->slot[b] < LEVEL_INSIDE; i++) {
                double sum = 0;
                for (int t = -taps; t <= taps; t++) {
                    int at[3] = {8 * g->map.block[b][0] + i % 8, 8 * g->map.block[b][1] + i / 8 % 8,
                                 8 * g->map.block[b][2] + i / 64};
                    at[axis] += t;
                    sum += exp(-0.5 * t * t / (width * width)) * sample_at(g, value, at);
                }
                scratch[g->slot[b] * LEVEL_AREA * (size_t)g->layers + (size_t)i] = (float)(sum / all);
            }
        memcpy(value, scratch, level_kept(g) * sizeof *value);
    }
}

/* On blocks with holes between them, some inside. */
static void blur_matches_its_plain_twin(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (int layers = 1; layers <= 8; layers += 7) {
        level_grid g = {.cell = 1, .layers = layers, .outside = -0.5f, .inside = 2};
        static const int32_t place[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 1, 0}, {1, 1, 0}};
        assert_ok(ctx, MEM_NEW(ctx, g.slot, 5));
        for (uint32_t b = 0; b < 5; b++) {
            assert_ok(ctx, block_map_add(ctx, &g.map, place[b][0], place[b][1], place[b][2]));
            g.slot[b] = b == 4 ? LEVEL_INSIDE : b;
        }
        const size_t n = level_kept(&g);
        assert_int_equal(n, 4 * 64 * (size_t)layers);
        float *from, *to, *scratch, *want;
        assert_ok(ctx, MEM_NEW(ctx, from, n));
        assert_ok(ctx, MEM_NEW(ctx, to, n));
        assert_ok(ctx, MEM_NEW(ctx, scratch, n));
        assert_ok(ctx, MEM_NEW(ctx, want, n));
        for (size_t i = 0; i < n; i++) want[i] = from[i] = (float)uniform(i, 3);
        const blur how = {.grid = &g, .width = 1.3};
        blur_samples(ctx, &how, from, to, scratch);
        blur_plainly(&g, how.width, want, scratch);
        for (size_t i = 0; i < n; i++) assert_true(fabsf(to[i] - want[i]) < 1e-5f);
        blur_samples(ctx, &how, from, from, scratch); /* in place: the same */
        assert_memory_equal(from, to, n * sizeof *to);
        mem_free(ctx, from);
        mem_free(ctx, to);
        mem_free(ctx, scratch);
        mem_free(ctx, want);
        level_grid_clear(ctx, &g);
    }
    rill_ctx_destroy(ctx);
}

/* In a corner of the box a particle has seven images, each as far behind the walls as it is before them. */
static void images_lie_behind_walls(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene;
    solids walls;
    make_box(ctx, false, &scene, &walls);
    const rill_vec3 x[3] = {v3(0.4, 0.7, 0.9), v3(6, 0.25, 3.5), v3(6, 4.5, 3.5)};
    static const size_t images[3] = {7, 1, 0};
    for (int k = 0; k < 3; k++) {
        particles p = {0}, all = {0};
        assert_ok(ctx, particles_add_column(ctx, &p, "spacing"));
        assert_ok(ctx, particles_append(ctx, &p, 1, &x[k], NULL));
        p.column[0].value[0] = 1;
        p.velocity[0] = v3(1, 2, 3);
        const mirror_def def = {.from = &p, .walls = &walls, .spacing = 1, .reach = 2};
        mirror_image *open = NULL;
        assert_ok(ctx, mirror_particles(ctx, &def, &all, &open));
        assert_null(open);
        assert_int_equal(all.count, 1 + images[k]);
        for (size_t i = 1; i < all.count; i++) {
            for (int a = 0; a < 3; a++)
                assert_true(fabs(fabs(v3_axis(all.position[i], a)) - v3_axis(x[k], a)) < 1e-12);
            assert_true(solids_distance(&walls, all.position[i], 0, NULL) < 0);
            assert_true(all.velocity[i].z == 3 && all.column[0].value[i] == 1);
        }
        particles_clear(ctx, &all);
        particles_clear(ctx, &p);
    }
    solids_clear(ctx, &walls);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

/* Behind a plate thinner than it reaches a particle has an image in the open, which is marked; beside the
 * plate's edge, where nothing is between, it has none. Liquid on both sides of the plate keeps its volumes.
 */
static void images_behind_a_plate_are_marked(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = {.dimensions = 3, .spacing = 1};
    scene_solid plate = {.shape = {.kind = SHAPE_BOX, .box = {{-8, -0.4, -8}, {8, 0.4, 8}}},
                         .transform = {.scale = 1}};
    solids walls;
    scene.domain.min = v3(-20, -20, -20);
    scene.domain.max = v3(20, 20, 20);
    scene.solids = &plate;
    scene.solid_count = 1;
    assert_ok(ctx, solids_create(ctx, &scene, &walls));
    const rill_vec3 x[3] = {v3(0, 1.5, 0), v3(0, 0.6, 0), v3(10.9, 1.5, 0)};
    static const size_t images[3] = {1, 1, 0};
    for (int k = 0; k < 3; k++) {
        particles p = {0}, all = {0};
        mirror_image *open = NULL;
        assert_ok(ctx, particles_append(ctx, &p, 1, &x[k], NULL));
        const mirror_def def = {.from = &p, .walls = &walls, .spacing = 1, .reach = 2.4};
        assert_ok(ctx, mirror_particles(ctx, &def, &all, &open));
        assert_int_equal(all.count, 1 + images[k]);
        assert_true((open != NULL) == (k == 0) && (!open || (open[0].open && open[0].particle == 0)));
        mem_free(ctx, open);
        particles_clear(ctx, &all);
        particles_clear(ctx, &p);
    }
    /* a drop below the plate, first with a pool on it: the pool adds nothing to the drop */
    double below[2] = {0, 0};
    for (int alone = 0; alone < 2; alone++) {
        particles p = {0};
        trimesh m = {0};
        const rill_vec3 drop = v3(0, -1.1, 0);
        surface_def def = surface_def_default();
        def.walls = &walls;
        assert_ok(ctx, particles_append(ctx, &p, 1, &drop, NULL));
        for (int i = 0; i < 13 * 5 * 13 && !alone; i++) {
            const rill_vec3 at = v3(i % 13 - 6, 0.9 + i / 13 % 5, i / 65 - 6);
            assert_ok(ctx, particles_append(ctx, &p, 1, &at, NULL));
        }
        assert_ok(ctx, surface_from_particles(ctx, &p, &def, &m));
        for (size_t t = 0; t < m.triangle_count; t++) {
            const rill_vec3 a = m.position[m.triangle[t][0]], b = m.position[m.triangle[t][1]],
                            c = m.position[m.triangle[t][2]];
            if (a.y > 0) continue;
            assert_true(b.y < 0 && c.y < 0);
            below[alone] += v3_dot(v3_sub(a, drop), v3_cross(v3_sub(b, drop), v3_sub(c, drop))) / 6;
        }
        trimesh_clear(ctx, &m);
        particles_clear(ctx, &p);
    }
    print_message("a drop below a plate: %.2f of its volume with a pool on the plate, %.2f without\n",
                  below[0], below[1]);
    assert_true(below[0] > 0.7 && below[0] < 1.2 * below[1]);
    solids_clear(ctx, &walls);
    rill_ctx_destroy(ctx);
}

/* Sampled by halves as one by one. */
static void borders_match_every_sample(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene;
    solids walls;
    make_box(ctx, true, &scene, &walls);
    const borders b = {.walls = &walls, .box = {v3(-1, -1, -1), v3(9.3, 7, 6)}, .dimensions = 3};
    for (int k = 0; k < 60; k++) {
        const uint64_t i = (uint64_t)k;
        const rill_vec3 corner = v3(7 + 7 * uniform(i, 0), 4 + 6 * uniform(i, 1), 3 + 5 * uniform(i, 2));
        float d[LEVEL_SAMPLES];
        borders_sample(&b, corner, 0.3, 8, d);
        const border_side side = borders_side(&b, corner, 0.3, 8);
        for (int s = 0; s < LEVEL_SAMPLES; s++) {
            const rill_vec3 x = v3_madd(corner, 0.3, v3(s % 8, s / 8 % 8, s / 64));
            const double want = borders_distance(&b, x) / 0.3;
            assert_true((want > 0.01) <= (d[s] > 0) && (want < -0.01) <= (d[s] < 0));
            if (fabs(want) < 1) assert_true(fabs((double)d[s] - want) < 0.01);
            if (side == BORDER_INSIDE) assert_true(want > 0);
            if (side == BORDER_OUTSIDE) assert_true(want < 0);
        }
    }
    solids_clear(ctx, &walls);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

/* Liquid in the box, around the pillar: ends at both, encloses what it should, and has a level top. */
static void liquid_fills_its_box(void **state)
{
    (void)state;
    for (int pillar = 0; pillar < 2; pillar++)
        for (int d = 0; d < SURFACE_WILLIAMS; d++) {
            trimesh m[2] = {{0}, {0}};
            rill_ctx *ctx[2];
            for (int t = 0; t < 2; t++) { /* one thread and three: the same */
                ctx[t] = test_ctx(1 + 2 * t);
                rill_scene scene;
                solids walls;
                make_box(ctx[t], pillar, &scene, &walls);
                particles p = fill_box(ctx[t], &walls, 6);
                surface_def def = surface_def_default();
                def.definition = d;
                def.walls = &walls;
                assert_ok(ctx[t], surface_from_particles(ctx[t], &p, &def, &m[t]));
                trimesh_report r;
                assert_ok(ctx[t], trimesh_check(ctx[t], &m[t], &r));
                assert_int_equal(r.open_edges + r.nonmanifold_edges + r.misoriented_edges, 0);
                double off = 0;
                const rill_box b = trimesh_bounds(&m[t]);
                for (size_t v = 0; v < m[t].vertex_count; v++)
                    off = fmax(off, -solids_distance(&walls, m[t].position[v], 0, NULL));
                assert_true(off < 1e-6);
                assert_true(b.min.x == 0 && b.min.y == 0 && b.min.z == 0 && b.max.x == 12 && b.max.z == 7);
                const double want = pillar ? (12 * 7 - M_PI * 1.7 * 1.7) * 6 : 12 * 7 * 6;
                if (!pillar) assert_true(fabs(r.volume / want - 1) < 0.03);
                if (pillar)
                    assert_true(fabs(r.volume / want - 1) < 0.08); /* a lattice does not fit around it */
                particles_clear(ctx[t], &p);
                solids_clear(ctx[t], &walls);
                scene_clear(ctx[t], &scene);
            }
            assert_int_equal(m[0].vertex_count, m[1].vertex_count);
            assert_memory_equal(m[0].position, m[1].position, m[0].vertex_count * sizeof *m[0].position);
            assert_memory_equal(m[0].normal, m[1].normal, m[0].vertex_count * sizeof *m[0].normal);
            for (int t = 0; t < 2; t++) {
                trimesh_clear(ctx[t], &m[t]);
                rill_ctx_destroy(ctx[t]);
            }
        }
}

/* Vertices of the part that the first vertex belongs to. */
static size_t hang_together(rill_ctx *ctx, const trimesh *m)
{
    uint8_t *seen;
    assert_ok(ctx, MEM_NEW_ZERO(ctx, seen, m->vertex_count));
    seen[0] = 1;
    size_t count = 1;
    for (bool more = true; more;) {
        more = false;
        for (size_t t = 0; t < m->triangle_count; t++) {
            const uint32_t *c = m->triangle[t];
            if (!seen[c[0]] && !seen[c[1]] && !seen[c[2]]) continue;
            for (int k = 0; k < 3; k++)
                if (!seen[c[k]] && (seen[c[(k + 1) % 3]] || seen[c[(k + 2) % 3]])) {
                    seen[c[k]] = 1;
                    count++;
                    more = true;
                }
        }
    }
    mem_free(ctx, seen);
    return count;
}

/* One particle thick and stretched: one part. */
static void sheets_hold(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    for (double apart = 1; apart < 1.45; apart += 0.2) {
        particles p = {0};
        for (int i = 0; i < 20 * 20; i++) {
            const uint64_t k = (uint64_t)i;
            const rill_vec3 x =
                v3(apart * (i % 20) + 0.1 * uniform(k, 0), 0.1 * uniform(k, 1) + 0.3 * (i % 20),
                   apart * (i / 20) + 0.1 * uniform(k, 2));
            assert_ok(ctx, particles_append(ctx, &p, 1, &x, NULL));
        }
        const surface_def def = surface_def_default();
        trimesh m = {0};
        assert_ok(ctx, surface_from_particles(ctx, &p, &def, &m));
        const size_t count = hang_together(ctx, &m);
        print_message("%.1f spacings apart: %zu of %zu vertices hang together\n", apart, count,
                      m.vertex_count);
        assert_true(count > 0.95 * (double)m.vertex_count);
        trimesh_clear(ctx, &m);
        particles_clear(ctx, &p);
    }
    rill_ctx_destroy(ctx);
}

/* Particles that have come apart to 0.72 of the liquid's density, between walls: the surface moves in as far
 * as it may, by 0.45 spacings, without hollows below it and without air at the walls. */
static void loose_liquid_has_no_hollows(void **state)
{
    (void)state;
    enum { WIDE = 12, HIGH = 6, DEEP = 7 };
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene;
    solids walls;
    make_box(ctx, false, &scene, &walls);
    particles p = {0};
    const double loose = 1 / 0.72; /* one layer has as many particles as it would, and is so much thicker */
    for (int i = 0; i < WIDE * HIGH * DEEP; i++) {
        const uint64_t k = (uint64_t)i;
        const rill_vec3 x = v3(i % WIDE + 0.5 + 0.4 * (uniform(k, 0) - 0.5),
                               loose * (i / WIDE % HIGH + 0.5 + 0.3 * (uniform(k, 1) - 0.5)),
                               i / WIDE / HIGH + 0.5 + 0.4 * (uniform(k, 2) - 0.5));
        assert_ok(ctx, particles_append(ctx, &p, 1, &x, NULL));
    }
    surface_def def = surface_def_default();
    def.walls = &walls;
    trimesh m = {0};
    trimesh_report report;
    assert_ok(ctx, surface_from_particles(ctx, &p, &def, &m));
    assert_ok(ctx, trimesh_check(ctx, &m, &report));
    const double area = scene.domain.max.x * scene.domain.max.z, top = report.volume / area;
    print_message("top at %.3f spacings, particles for %d, thickness %.3f\n", top, HIGH, loose * HIGH);
    assert_true(top < loose * HIGH - 0.3 && top > loose * (HIGH - 0.5) - 0.35);
    assert_int_equal(hang_together(ctx, &m), m.vertex_count);
    assert_int_equal(report.open_edges + report.nonmanifold_edges, 0);
    size_t floor = 0;
    for (size_t v = 0; v < m.vertex_count; v++) floor += m.position[v].y < 1e-9;
    assert_true(floor > 0.97 * (2 * WIDE - 1) * (2 * DEEP - 1)); /* samples of cells of half a spacing */
    trimesh_clear(ctx, &m);
    particles_clear(ctx, &p);
    solids_clear(ctx, &walls);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

/* Particles where none should be: on and behind walls, in a solid, outside of the domain, on top of each
 * other, far away. Whatever they are, the mesh is closed and finite, and nothing of it lies in the solid. */
static void awkward_particles(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene;
    solids walls;
    make_box(ctx, true, &scene, &walls);
    const rill_vec3 at[] = {{0, 0, 0},     {12, 0, 7},   {-0.01, 4, 3}, {-3, 4, 3},
                            {6, 2, 3.5},   {6, 2, 3.5},  {4.3, 2, 3.5}, {4.3, 2.4, 3.5},
                            {11.99, 1, 1}, {20, -5, 30}, {3, 40, 3},    {2e4, 50, 3},
                            {3, 1, 3},     {3, 1, 3},    {3, 1, 3},     {3.2, 1, 3}};
    enum { COUNT = sizeof at / sizeof *at };
    for (int d = 0; d < SURFACE_DEFINITIONS; d++)
        for (int first = 0; first < COUNT; first++)
            for (int count = 1; first + count <= COUNT; count += first ? 5 : COUNT - 1) {
                particles p = {0};
                trimesh m = {0};
                trimesh_report r;
                surface_def def = surface_def_default();
                def.definition = d;
                def.walls = &walls;
                assert_ok(ctx, particles_append(ctx, &p, (size_t)count, at + first, NULL));
                assert_ok(ctx, surface_from_particles(ctx, &p, &def, &m));
                assert_ok(ctx, trimesh_check(ctx, &m, &r));
                assert_int_equal(r.open_edges + r.nonmanifold_edges + r.misoriented_edges, 0);
                for (size_t v = 0; v < m.vertex_count; v++) {
                    assert_true(v3_finite(m.position[v]));
                    assert_true(solids_distance(&walls, m.position[v], 0, NULL) > -0.05);
                }
                trimesh_clear(ctx, &m);
                particles_clear(ctx, &p);
            }
    solids_clear(ctx, &walls);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

/* Fine liquid beside liquid of twice and four times its size: as smooth in its own spacings. */
static void sizes_are_smoothed_alike(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    double bumps[3] = {0};
    for (int level = 0; level < 3; level++) {
        particles p = {0};
        const double h = 1 << level;
        assert_ok(ctx, particles_add_column(ctx, &p, "spacing"));
        for (int i = 0; i < 16 * 6 * 16; i++) {
            const uint64_t k = (uint64_t)i;
            const rill_vec3 x = v3_scale(v3(i % 16 + 0.3 * uniform(k, 0), i / 16 % 6 + 0.3 * uniform(k, 1),
                                            i / 96 + 0.3 * uniform(k, 2)),
                                         h);
            assert_ok(ctx, particles_append(ctx, &p, 1, &x, NULL));
            p.column[0].value[i] = (float)h;
        }
        surface_def def = surface_def_default();
        trimesh m = {0};
        assert_ok(ctx, surface_from_particles(ctx, &p, &def, &m));
        size_t count = 0;
        for (size_t v = 0; v < m.vertex_count; v++) {
            const rill_vec3 x = v3_scale(m.position[v], 1 / h);
            if (x.x < 4 || x.x > 11 || x.z < 4 || x.z > 11 || x.y < 3) continue;
            bumps[level] += pow(acos(fmin((double)m.normal[v][1], 1)), 2);
            count++;
        }
        bumps[level] = sqrt(bumps[level] / (double)count);
        trimesh_clear(ctx, &m);
        particles_clear(ctx, &p);
    }
    print_message("normals off by %.3f, %.3f and %.3f radians\n", bumps[0], bumps[1], bumps[2]);
    for (int level = 0; level < 3; level++) assert_true(bumps[level] < 0.06);
    rill_ctx_destroy(ctx);
}

typedef struct {
    const particles *p;
    const solids *walls;
} allocating;

static rill_status make_one(rill_ctx *ctx, void *user)
{
    const allocating *a = user;
    surface_def def = surface_def_default();
    def.walls = a->walls;
    def.cell = 0.9;
    trimesh m = {0};
    const rill_status st = surface_from_particles(ctx, a->p, &def, &m);
    trimesh_clear(ctx, &m);
    return st;
}

static void any_allocation_may_fail(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene;
    solids walls;
    make_box(ctx, true, &scene, &walls);
    particles p = fill_box(ctx, &walls, 2);
    allocating a = {&p, &walls};
    assert_true(every_allocation_fails(2, make_one, &a) > 30);
    particles_clear(ctx, &p);
    solids_clear(ctx, &walls);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blur_matches_its_plain_twin),
        cmocka_unit_test(images_lie_behind_walls),
        cmocka_unit_test(images_behind_a_plate_are_marked),
        cmocka_unit_test(borders_match_every_sample),
        cmocka_unit_test(liquid_fills_its_box),
        cmocka_unit_test(sheets_hold),
        cmocka_unit_test(loose_liquid_has_no_hollows),
        cmocka_unit_test(awkward_particles),
        cmocka_unit_test(sizes_are_smoothed_alike),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
