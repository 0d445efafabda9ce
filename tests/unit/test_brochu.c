/* The voronoi method below its interface: samples, cells, the interpolant, and what is refused. */
#include "method_scenes.h"
#include "support.h"

#include "io/scene_file.h"
#include "voronoi/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char pool_text[] =
    "{ \"rill\": 1, \"name\": \"pool\", \"method\": \"voronoi\", \"spacing\": 0.1, %s\n"
    "  \"domain\": { \"min\": [0,0,0], \"max\": [1,1,1] }, \"time\": { \"frames\": 2, \"fps\": 30 },\n"
    "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": [1,0.53,1] } } } %s ] }";

/* In the middle of the air. */
static const char cube_text[] =
    "{ \"rill\": 1, \"name\": \"cube\", \"method\": \"voronoi\", \"spacing\": 0.1,\n"
    "  \"domain\": { \"min\": [0,0,0], \"max\": [2,2,2] }, \"voronoi\": { \"jitter\": 0.25 },\n"
    "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0.6,0.6,0.6], \"max\": [1.3,1.3,1.3] } } } ] }";

static rill_status read_pool(rill_ctx *ctx, const char *block, const char *more, rill_scene *out)
{
    char s[2048];
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wformat-nonliteral\"");
    snprintf(s, sizeof s, pool_text, block, more);
    _Pragma("GCC diagnostic pop");
    return scene_parse(ctx, "pool", s, strlen(s), rill_methods, rill_method_count, NULL, out);
}

static brochu *make_pool(rill_ctx *ctx, const char *block, rill_scene *scene)
{
    assert_ok(ctx, read_pool(ctx, block, "", scene));
    return brochu_of(method_create(ctx, scene));
}

/* 5.1: every vertex of the free surface has a liquid sample below and an air sample above, and the Delaunay
 * edge between them runs through it. */
static void samples_match_the_surface(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene;
    brochu *s = make_pool(ctx, "\"voronoi\": { \"jitter\": 0.25 },", &scene);
    const brochu_diagram *d = brochu_now(s);
    size_t free = 0, matched = 0;
    for (size_t v = 0; v < s->view.vertex_count; v++) {
        if (!(s->surface.area[v] > 0)) continue;
        free++;
        const rill_vec3 x = s->view.position[v];
        bool found = false;
        for (uint32_t e = 0; e < d->faces.count && !found; e++) {
            const uint32_t a = d->faces.site[e][0], b = d->faces.site[e][1];
            if (!d->faces.valid[e] || d->sites.liquid[a] == d->sites.liquid[b]) continue;
            const double t = v3_dot(v3_sub(x, d->sites.x[a]), d->faces.normal[e]);
            found = t > 0 && t < d->faces.length[e] &&
                    v3_distance(x, v3_madd(d->sites.x[a], t, d->faces.normal[e])) < 1e-5;
        }
        matched += found;
    }
    assert_true(free > 100);
    assert_true(matched >= 0.98 * free); /* some samples are too near to those of another vertex */
    for (uint32_t i = 0; i < d->sites.real; i++)
        assert_true(d->sites.liquid[i] == (d->sites.x[i].y < 0.53)); /* what is liquid is below */
    s->sim.method->destroy(&s->sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

/* V-01: area vectors of a cell add up to zero, walls of the box included; those of sites in a wall do along
 * it. */
static void cells_are_closed(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene;
    brochu *s = make_pool(ctx, "\"voronoi\": { \"jitter\": 0.25 },", &scene);
    const brochu_diagram *d = brochu_now(s);
    uint32_t in_wall = 0;
    for (uint32_t i = 0; i < d->sites.real; i++) {
        if (!d->sites.liquid[i]) continue;
        rill_vec3 sum = {0};
        double all = 0;
        for (uint32_t k = d->first[i]; k < d->first[i + 1]; k++) {
            const uint32_t e = d->link[k];
            if (d->sites.wall[i] && !(site_real(d, d->faces.site[e][0]) && site_real(d, d->faces.site[e][1])))
                continue; /* beyond the wall */
            sum = v3_madd(sum, d->faces.site[e][0] == i ? d->faces.area[e] : -d->faces.area[e],
                          d->faces.normal[e]);
            all += d->faces.area[e];
        }
        for (int side = 0; side < SIDE_COUNT; side++)
            if (d->sites.wall[i] >> side & 1) v3_set_axis(&sum, side_axis(side), 0);
        in_wall += d->sites.wall[i] != 0;
        assert_true(v3_length(sum) < 1e-6 * all);
    }
    assert_true(in_wall > 20); /* E-R10 */
    s->sim.method->destroy(&s->sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

static rill_vec3 linear(rill_vec3 x)
{
    return v3(0.3 + 5 * (x.x - 0.5), -0.2 + 2 * (x.z - 0.5), -5 * (x.z - 0.5));
}

/* Mean error of the interpolant at points well inside, in units of gradient times spacing, for a field
 * that is given on the faces. */
static double field_error(brochu *s, int interpolant, bool constant)
{
    brochu_diagram *d = brochu_now(s);
    rill_ctx *ctx = s->sim.ctx;
    s->def.interpolant = interpolant;
    for (uint32_t e = 0; e < d->faces.count; e++)
        d->faces.speed[e] = v3_dot(constant ? v3(1, 2, 3) : linear(d->faces.centroid[e]), d->faces.normal[e]);
    assert_ok(ctx, brochu_fit(s, d));
    assert_ok(ctx, brochu_extrapolate(s, d));
    double sum = 0;
    for (int i = 0; i < 500; i++) {
        const double k = i + 0.5;
        const rill_vec3 x =
            v3(0.8 + 0.3 * fmod(k * 0.8191725133961645, 1), 0.8 + 0.3 * fmod(k * 0.6710436067037893, 1),
               0.8 + 0.3 * fmod(k * 0.5497004779019703, 1));
        uint32_t hint = SITE_NONE;
        const rill_vec3 u = brochu_look(s, d, x, &hint);
        sum += v3_distance(u, constant ? v3(1, 2, 3) : linear(x)) / (5 * s->h) / 500;
        if (i % 7 == 0) { /* the walk against the search that cannot be wrong */
            uint32_t nearest = 0;
            for (uint32_t j = 1; j < d->sites.real; j++)
                if (v3_distance(x, d->sites.x[j]) < v3_distance(x, d->sites.x[nearest])) nearest = j;
            assert_int_equal(hint, nearest);
        }
    }
    return sum;
}

/* E-R9: constants come back from every interpolant, linear fields nearly from ours and not from the paper's.
 */
static void fields_come_back(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    rill_scene scene;
    assert_ok(ctx, scene_parse(ctx, "cube", cube_text, strlen(cube_text), rill_methods, rill_method_count,
                               NULL, &scene));
    brochu *s = brochu_of(method_create(ctx, &scene));
    for (int k = BROCHU_LINEAR; k <= BROCHU_GENERALISED; k++) assert_true(field_error(s, k, true) < 1e-6);
    const double ours = field_error(s, BROCHU_LINEAR, false), paper = field_error(s, BROCHU_PAPER, false);
    print_message("error of a linear field, in gradient times spacing: %.3g, the paper's %.3g\n", ours,
                  paper);
    assert_true(ours < 0.02);
    assert_true(paper > 10 * ours);
    s->sim.method->destroy(&s->sim);
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

static void refused(const char *block, const char *more, const char *words)
{
    rill_ctx *ctx = test_ctx(1);
    rill_scene scene = {0};
    rill_status st = read_pool(ctx, block, more, &scene);
    rill_sim *sim = NULL;
    if (!st) st = scene.method->create(ctx, &scene, &sim);
    assert_int_not_equal(st, RILL_OK);
    assert_null(sim);
    if (!strstr(rill_ctx_message(ctx), words)) fail_msg("\"%s\" is not in: %s", words, rill_ctx_message(ctx));
    scene_clear(ctx, &scene);
    rill_ctx_destroy(ctx);
}

static void bad_scenes_are_refused(void **state)
{
    (void)state;
    refused("\"fluid\": { \"surface_tension\": 1000, \"density\": 1e-6 },", "", "make the spacing larger");
    refused("\"solids\": [ { \"shape\": { \"box\": { \"min\": [-1,-1,-1], \"max\": [2,0.8,2] } } } ],", "",
            "move it out of them");
    refused("\"voronoi\": { \"reflection\": true }, \"solids\": [ { \"shape\": { \"sphere\": { \"center\": "
            "[0.5,0.8,0.5], \"radius\": 0.1 } }, \"body\": { \"density\": 500 } } ],",
            "", "do not go with \"reflection\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_match_the_surface),
        cmocka_unit_test(cells_are_closed),
        cmocka_unit_test(fields_come_back),
        cmocka_unit_test(bad_scenes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
