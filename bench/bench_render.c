/* Pictures of a wavy block of water with a ball in it: previews of 960 x 540 and 640 x 360 pixels, 4 samples
 * each; and how much the denoiser of final quality gains. */
#include "bench/bench.h"
#include "render/path/path.h"
#include "render/render.h"
#include "run/registry.h"

#include <math.h>

typedef struct {
    rill_ctx *ctx;
    rill_scene scene;
    rill_view view;
    trimesh surface;
    render_def def;
} render_work;

static double height(double x, double z)
{
    return 0.12 + 0.42 / (1 + exp(9 * (x - 0.75 - 0.08 * sin(5 * z)))) + 0.018 * sin(14 * x + 3 * z) +
           0.012 * sin(9 * z - 6 * x);
}

/* Over [0, 2] x [0, 1] a sheet of m x m quads, its outermost row folded down to the
 * floor. */
static rill_status make_block(rill_ctx *ctx, size_t triangles, trimesh *out)
{
    const uint32_t m = (uint32_t)sqrt((double)triangles / 2) + 8;
    trimesh mesh = {.vertex_count = (size_t)(m + 1) * (m + 1)};
    rill_status st = MEM_NEW(ctx, mesh.position, mesh.vertex_count);
    if (!st) st = MEM_NEW(ctx, mesh.triangle, 2 * (size_t)m * m);
    for (uint32_t i = 0; !st && i <= m; i++)
        for (uint32_t j = 0; j <= m; j++) {
            const double x = 2.0 * (i < 1 ? 0 : i > m - 1 ? m - 2 : i - 1) / (m - 2);
            const double z = (j < 1 ? 0.0 : j > m - 1 ? m - 2 : j - 1) / (m - 2);
            const bool top = i > 0 && i < m && j > 0 && j < m;
            mesh.position[(size_t)i * (m + 1) + j] = v3(x, top ? height(x, z) : 0, z);
        }
    for (uint32_t i = 0; !st && i < m; i++)
        for (uint32_t j = 0; j < m; j++) {
            const uint32_t a = i * (m + 1) + j, b = a + 1, c = a + m + 1, d = c + 1;
            uint32_t(*t)[3] = &mesh.triangle[mesh.triangle_count];
            t[0][0] = a, t[0][1] = b, t[0][2] = c;
            t[1][0] = b, t[1][1] = d, t[1][2] = c;
            mesh.triangle_count += 2;
        }
    if (!st) *out = trimesh_take(&mesh);
    trimesh_clear(ctx, &mesh);
    return st;
}

static rill_status render_body(void *arg)
{
    const render_work *w = arg;
    image im = {0};
    const rill_status st = render_view(w->ctx, &w->scene, &w->view, &w->surface, &w->def, &im);
    image_clear(w->ctx, &im);
    return st;
}

static const scene_solid ball = {.shape = {.kind = SHAPE_SPHERE, .sphere = {{1.45, 0.17, 0.6}, 0.16}},
                                 .transform.scale = 1};

static rill_status draw(bench_run *b, int width, int height)
{
    render_work w = {.ctx = b->ctx, .def = render_def_default()};
    scene_solid solid = ball;
    w.def.width = width;
    w.def.height = height;
    w.scene = (rill_scene){.dimensions = 3, .solids = &solid, .solid_count = 1, .spacing = 0.02};
    w.scene.domain = (scene_domain){.min = {0, 0, 0}, .max = {2, 1, 1}};
    w.scene.gravity = v3(0, -9.81, 0);
    w.view = (rill_view){.spacing = 0.02, .dimensions = 3, .domain = {{0, 0, 0}, {2, 1, 1}}};
    rill_status st = make_block(b->ctx, b->n, &w.surface);
    if (!st) st = bench_time(b, NULL, render_body, &w);
    if (!st) bench_rate(b, 1e-6 * width * height * w.def.samples, "million samples/s");
    trimesh_clear(b->ctx, &w.surface);
    return st;
}

static rill_status render_run(bench_run *b)
{
    return draw(b, 960, 540);
}

static rill_status preview_run(bench_run *b)
{
    return draw(b, 640, 360);
}

/* ---- denoiser ---- */

enum { NOISY = 64, MANY = 4096, TRIANGLES = 40000 };

typedef struct {
    rill_ctx *ctx;
    rill_scene scene;
    rill_view view;
    trimesh surface;
    path_def def;
    path_picture picture;
} final_work;

static rill_status final_body(void *arg)
{
    final_work *w = arg;
    picture_clear(w->ctx, &w->picture);
    return path_draw(w->ctx, &w->scene, &w->view, &w->surface, &w->def, &w->picture);
}

static rill_status make_final(bench_run *b, final_work *w)
{
    scene_solid *solid;
    TRY(scene_default(b->ctx, rill_methods, rill_method_count, &w->scene));
    TRY(scene_add_solid(b->ctx, &w->scene, &solid));
    solid->shape = ball.shape;
    w->scene.spacing = 0.02;
    w->scene.domain.max = v3(2, 1, 1);
    w->view = (rill_view){.spacing = 0.02, .dimensions = 3, .domain = {{0, 0, 0}, {2, 1, 1}}};
    w->def = path_def_of_scene(&w->scene);
    w->def.width = (int)b->n;
    w->def.height = (int)b->n * 9 / 16;
    w->def.noise = 0;
    return make_block(b->ctx, TRIANGLES, &w->surface);
}

/* Signal to noise of what one sees: sRGB bytes after the tone curve. */
static rill_status decibels(rill_ctx *ctx, const path_picture *p, const path_picture *truth, double *out)
{
    image a = {0}, t = {0};
    double error = 0;
    const size_t count = 3 * (size_t)p->width * (size_t)p->height;
    rill_status st = path_develop(ctx, p, 0, &a);
    if (!st) st = path_develop(ctx, truth, 0, &t);
    for (size_t i = 0; !st && i < count; i++) {
        const double d = (double)a.rgb[i] - (double)t.rgb[i];
        error += d * d / (255.0 * 255.0 * (double)count);
    }
    if (!st) *out = -10 * log10(fmax(error, 1e-12));
    image_clear(ctx, &a);
    image_clear(ctx, &t);
    return st;
}

static rill_status denoise_run(bench_run *b)
{
    final_work w = {.ctx = b->ctx};
    path_picture truth = {0};
    double plain = 0, smooth = 0;
    rill_status st = make_final(b, &w);
    w.def.samples = MANY;
    w.def.denoise = false;
    if (!st) st = final_body(&w);
    if (!st) {
        truth = w.picture;
        w.picture = (path_picture){0};
        w.def.samples = NOISY;
        st = final_body(&w);
    }
    if (!st) st = decibels(b->ctx, &w.picture, &truth, &plain);
    w.def.denoise = true;
    if (!st) st = bench_time(b, NULL, final_body, &w);
    if (!st) st = decibels(b->ctx, &w.picture, &truth, &smooth);
    if (!st) {
        bench_rate(b, 1e-6 * w.def.width * w.def.height * NOISY, "million samples/s");
        bench_number(b, "noisy_db", plain);
        bench_number(b, "denoised_db", smooth);
    }
    picture_clear(b->ctx, &truth);
    picture_clear(b->ctx, &w.picture);
    trimesh_clear(b->ctx, &w.surface);
    scene_clear(b->ctx, &w.scene);
    return st;
}

const bench_case bench_denoise = {
    "denoise", 160, "final quality, 64 samples denoised against 4096; n: width of the picture", denoise_run};
const bench_case bench_preview = {"preview", 500000,
                                  "a picture of 640 x 360 pixels; n: triangles of the water", preview_run};
const bench_case bench_render = {"render", 100000, "a picture of 960 x 540 pixels; n: triangles of the water",
                                 render_run};
