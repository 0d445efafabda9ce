/* Pictures: the same for any number of threads, in a file what is in memory, and an
 * answer instead of a crash when memory, disk or input are bad. */
#include "support.h"

#include "base/memory.h"
#include "geom/mesh/rays.h"
#include "geom/mesh/trimesh.h"
#include "io/file.h"
#include "render/camera.h"
#include "render/render.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const double pi = 3.14159265358979323846;

/* A sphere of 2 * rings * around triangles. */
static trimesh make_sphere(rill_ctx *ctx, rill_vec3 center, double radius, int rings, int around)
{
    trimesh m = {0};
    m.vertex_count = (size_t)(rings + 1) * (size_t)around;
    assert_ok(ctx, MEM_NEW(ctx, m.position, m.vertex_count));
    assert_ok(ctx, MEM_NEW(ctx, m.normal, m.vertex_count));
    assert_ok(ctx, MEM_NEW(ctx, m.triangle, 2 * (size_t)rings * (size_t)around));
    for (int i = 0; i <= rings; i++)
        for (int j = 0; j < around; j++) {
            const double a = pi * i / rings, b = 2 * pi * j / around;
            const rill_vec3 n = v3(sin(a) * cos(b), cos(a), sin(a) * sin(b));
            const size_t k = (size_t)(i * around + j);
            m.position[k] = v3_madd(center, radius, n);
            m.normal[k][0] = (float)n.x, m.normal[k][1] = (float)n.y, m.normal[k][2] = (float)n.z;
        }
    for (int i = 0; i < rings; i++)
        for (int j = 0; j < around; j++) {
            const uint32_t a = (uint32_t)(i * around + j), b = (uint32_t)(i * around + (j + 1) % around);
            const uint32_t c = a + (uint32_t)around, d = b + (uint32_t)around;
            memcpy(m.triangle[m.triangle_count++], (uint32_t[]){a, b, c}, 12);
            memcpy(m.triangle[m.triangle_count++], (uint32_t[]){b, d, c}, 12);
        }
    return m;
}

/* A tank with a ball of water, a block of particles and two solids. */
typedef struct tank {
    rill_scene scene;
    scene_solid solid[2];
    scene_tracers source;
    trimesh surface;
    particles particles;
    rill_view view;
} tank;

static void tank_init(rill_ctx *ctx, tank *t)
{
    *t = (tank){0};
    t->solid[0].shape.kind = SHAPE_SPHERE;
    t->solid[0].shape.sphere = (shape_sphere){{1.5, 0.2, 0.5}, 0.2};
    t->solid[0].transform.scale = 1;
    t->solid[1].shape.kind = SHAPE_BOX;
    t->solid[1].shape.box = (shape_box){{-0.1, 0, -0.1}, {0.1, 0.5, 0.1}};
    t->solid[1].transform = (scene_transform){{1.1, 0, 0.2}, {0, 30, 0}, 1};
    for (int k = 0; k < 2; k++)
        t->solid[k].material =
            (scene_material){.kind = MATERIAL_PLASTIC, .color = {0.46, 0.24, 0.14}, .index = 1.5};
    t->scene.solids = t->solid;
    t->scene.solid_count = 2;
    t->scene.dimensions = 3;
    t->scene.domain = (scene_domain){.max = {2, 1, 1}};
    t->scene.gravity = v3(0, -9.81, 0);
    t->scene.spacing = 0.05;
    t->scene.time = (scene_time){1, 30, 0};
    t->source = (scene_tracers){.count = 8000, .most = 8000, .life = SCENE_FOREVER};
    t->scene.tracers = &t->source;
    t->scene.tracers_count = 1;
    t->surface = make_sphere(ctx, v3(0.6, 0.45, 0.5), 0.4, 70, 143);
    assert_true(t->surface.triangle_count > 20000);
    assert_ok(ctx, particles_add_column(ctx, &t->particles, "density"));
    for (int i = 0; i < 8000; i++) {
        const rill_vec3 x =
            v3(0.025 + 0.05 * (i % 20), 0.025 + 0.05 * (i / 20 % 20), 0.025 + 0.05 * (i / 400));
        const rill_vec3 v = v3(x.y, 0, x.z);
        assert_ok(ctx, particles_append(ctx, &t->particles, 1, &x, &v));
    }
    for (size_t i = 0; i < t->particles.count; i++) t->particles.column[0].value[i] = (float)i;
    t->view = (rill_view){
        .spacing = 0.05, .dimensions = 3, .domain = {{0, 0, 0}, {2, 1, 1}}, .particles = &t->particles};
}

static void tank_clear(rill_ctx *ctx, tank *t)
{
    trimesh_clear(ctx, &t->surface);
    particles_clear(ctx, &t->particles);
}

static render_def small(int look)
{
    render_def def = render_def_default();
    def.width = 160, def.height = 90;
    def.look = look;
    return def;
}

static void same_for_any_threads(void **state)
{
    (void)state;
    for (int look = LOOK_SURFACE; look <= LOOK_TRACERS; look++) {
        image first = {0};
        rill_ctx *keep = test_ctx(1);
        for (int threads = 1; threads <= 3; threads++) {
            rill_ctx *ctx = test_ctx(threads);
            tank t;
            tank_init(ctx, &t);
            const render_def def = small(look);
            if (look != LOOK_PARTICLES) t.view.tracers = &t.particles;
            image im = {0};
            assert_ok(ctx, render_view(ctx, &t.scene, &t.view, &t.surface, &def, &im));
            assert_int_equal(im.width, 160);
            assert_int_equal(im.height, 90);
            if (threads == 1) {
                first = im;
                assert_ok(keep, MEM_NEW(keep, first.rgb, 3u * 160 * 90));
                memcpy(first.rgb, im.rgb, 3u * 160 * 90);
            }
            assert_memory_equal(first.rgb, im.rgb, 3u * 160 * 90);
            image_clear(ctx, &im);
            tank_clear(ctx, &t);
            rill_ctx_destroy(ctx);
        }
        image_clear(keep, &first);
        rill_ctx_destroy(keep);
    }
}

/* Colour of the pixel where a point of the scene is seen. */
static const uint8_t *pixel_at(const tank *t, const image *im, rill_vec3 point)
{
    const camera c = camera_make(&t->scene.camera, t->view.domain, t->view.dimensions, im->width, im->height);
    double x, y;
    assert_true(camera_project(&c, im->width, im->height, point, &x, &y));
    assert_true(x >= 0 && y >= 0 && x < im->width && y < im->height);
    return im->rgb + 3 * ((size_t)y * (size_t)im->width + (size_t)x);
}

static int brightness(const uint8_t *rgb)
{
    return rgb[0] + rgb[1] + rgb[2];
}

/* Water is blue, a solid is not, its shadow is darker than the ground in the sun, and
 * the fastest particle has the last colour of the map. */
static void shows_what_is_there(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    tank t;
    tank_init(ctx, &t);
    render_def def = small(LOOK_SURFACE);
    image im = {0};
    assert_ok(ctx, render_view(ctx, &t.scene, &t.view, &t.surface, &def, &im));
    const uint8_t *water = pixel_at(&t, &im, v3(0.6, 0.45, 0.9));
    assert_true(water[2] > water[0] + 20);
    const uint8_t *ball = pixel_at(&t, &im, v3(1.5, 0.25, 0.69));
    assert_true(ball[0] > ball[2] + 20);
    /* The sun comes from the left and the front: the ball's shadow is to its right. */
    const uint8_t *shadow = pixel_at(&t, &im, v3(1.78, 0, 0.38)), *lit = pixel_at(&t, &im, v3(1.4, 0, 0.95));
    assert_true(brightness(shadow) + 60 < brightness(lit));
    image_clear(ctx, &im);

    def.look = LOOK_PARTICLES;
    def.column = "density";
    def.low = 0, def.high = 1; /* all but the first are above: the map's yellow */
    assert_ok(ctx, render_view(ctx, &t.scene, &t.view, &t.surface, &def, &im));
    const uint8_t *yellow = pixel_at(&t, &im, v3(0.475, 0.475, 1.0));
    assert_true(yellow[0] > 150 && yellow[1] > 130 && yellow[2] < 100);
    image_clear(ctx, &im);
    tank_clear(ctx, &t);
    rill_ctx_destroy(ctx);
}

/* Tracers veil what is behind them and not what is before; without any the picture is that of an
 * empty tank. */
static void tracers_veil(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    tank t;
    tank_init(ctx, &t);
    const render_def def = small(LOOK_TRACERS);
    particles none = {0};
    image bare = {0}, veiled = {0};
    t.view.tracers = &none;
    assert_ok(ctx, render_view(ctx, &t.scene, &t.view, &t.surface, &def, &bare));
    t.view.tracers = &t.particles;
    assert_ok(ctx, render_view(ctx, &t.scene, &t.view, &t.surface, &def, &veiled));
    const rill_vec3 through = v3(0.5, 0.7, 0.5), beside = v3(1.7, 0.8, 0.5), before = v3(1.5, 0.25, 0.69);
    assert_true(brightness(pixel_at(&t, &bare, through)) < 650);
    assert_true(abs(brightness(pixel_at(&t, &veiled, through)) - brightness(pixel_at(&t, &bare, through))) >
                20);
    assert_memory_equal(pixel_at(&t, &veiled, beside), pixel_at(&t, &bare, beside), 3);
    assert_memory_equal(pixel_at(&t, &veiled, before), pixel_at(&t, &bare, before), 3);
    image_clear(ctx, &bare);
    image_clear(ctx, &veiled);

    t.solid[1].shape.box = (shape_box){{0, 0, 0.9}, {2, 1, 0.95}}; /* a wall before all of them */
    t.solid[1].transform = (scene_transform){.scale = 1};
    t.view.tracers = &none;
    assert_ok(ctx, render_view(ctx, &t.scene, &t.view, &t.surface, &def, &bare));
    t.view.tracers = &t.particles;
    for (size_t i = 0; i < t.particles.count; i++) t.particles.position[i].z *= 0.5;
    assert_ok(ctx, render_view(ctx, &t.scene, &t.view, &t.surface, &def, &veiled));
    assert_memory_equal(pixel_at(&t, &veiled, v3(1.1, 0.4, 0.9)), pixel_at(&t, &bare, v3(1.1, 0.4, 0.9)), 3);
    image_clear(ctx, &bare);
    image_clear(ctx, &veiled);
    tank_clear(ctx, &t);
    rill_ctx_destroy(ctx);
}

/* A drop behind another is as clear as the one in front: what is seen through both is what is seen through
 * one. */
static void drops_behind_drops(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    tank t;
    tank_init(ctx, &t);
    t.scene.solid_count = 0;
    t.scene.camera = (scene_camera){.eye = {1, 0.5, 3}, .target = {1, 0.5, 0.5}, .fov = 30};
    const rill_vec3 front = v3(1, 0.5, 1);
    trimesh drop = make_sphere(ctx, front, 0.05, 30, 61);
    trimesh two = {.vertex_count = 2 * drop.vertex_count, .triangle_count = 2 * drop.triangle_count};
    assert_ok(ctx, MEM_NEW(ctx, two.position, two.vertex_count));
    assert_ok(ctx, MEM_NEW(ctx, two.normal, two.vertex_count));
    assert_ok(ctx, MEM_NEW(ctx, two.triangle, two.triangle_count));
    for (size_t i = 0; i < two.vertex_count; i++) {
        const bool behind = i >= drop.vertex_count;
        const size_t from = behind ? i - drop.vertex_count : i;
        two.position[i] = v3_sub(drop.position[from], v3(0, 0, behind ? 0.7 : 0));
        memcpy(two.normal[i], drop.normal[from], sizeof *two.normal);
    }
    for (size_t i = 0; i < two.triangle_count; i++)
        for (int c = 0; c < 3; c++)
            two.triangle[i][c] = drop.triangle[i % drop.triangle_count][c] +
                                 (uint32_t)(i < drop.triangle_count ? 0 : drop.vertex_count);
    const render_def def = small(LOOK_SURFACE);
    image first = {0}, second = {0};
    assert_ok(ctx, render_view(ctx, &t.scene, &t.view, &drop, &def, &first));
    assert_ok(ctx, render_view(ctx, &t.scene, &t.view, &two, &def, &second));
    const uint8_t *through_one = pixel_at(&t, &first, front), *through_both = pixel_at(&t, &second, front);
    for (int c = 0; c < 3; c++) assert_true(abs(through_one[c] - through_both[c]) < 15);
    image_clear(ctx, &first);
    image_clear(ctx, &second);
    trimesh_clear(ctx, &drop);
    trimesh_clear(ctx, &two);
    tank_clear(ctx, &t);
    rill_ctx_destroy(ctx);
}

static void flat_scene(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    tank t;
    tank_init(ctx, &t);
    t.scene.dimensions = t.view.dimensions = 2;
    t.view.domain = (rill_box){{0, 0, -0.025}, {2, 1, 0.025}};
    t.solid[0].shape.sphere.center.z = 0;
    for (size_t i = 0; i < t.particles.count; i++) t.particles.position[i].z = 0;
    const render_def def = small(LOOK_PARTICLES);
    image im = {0};
    assert_ok(ctx, render_view(ctx, &t.scene, &t.view, NULL, &def, &im));
    const uint8_t *ball = pixel_at(&t, &im, v3(1.5, 0.2, 0)), *paper = pixel_at(&t, &im, v3(1.5, 0.8, 0));
    assert_true(ball[0] > ball[2] + 20);
    assert_true(brightness(paper) > 3 * 200);
    image_clear(ctx, &im);
    tank_clear(ctx, &t);
    rill_ctx_destroy(ctx);
}

/* Every corner inside the frame, and the fit is tight: one at the margin. */
static void camera_fits_domain(void **state)
{
    (void)state;
    const rill_box boxes[] = {{{0, 0, 0}, {2, 1, 1}}, {{-5, 3, 7}, {-4, 9, 8}}, {{0, 0, 0}, {0.1, 0.1, 4}}};
    for (size_t b = 0; b < 3; b++)
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            const scene_camera none = {0};
            const camera c = camera_make(&none, boxes[b], dimensions, 320, 180);
            double margin = INFINITY;
            for (int k = 0; k < 8; k++) {
                double x, y;
                const rill_box q = boxes[b];
                const rill_vec3 p =
                    v3(k & 1 ? q.max.x : q.min.x, k & 2 ? q.max.y : q.min.y, k & 4 ? q.max.z : q.min.z);
                assert_true(camera_project(&c, 320, 180, p, &x, &y));
                margin = fmin(margin, fmin(fmin(x, 320 - x) / 320, fmin(y, 180 - y) / 180));
                /* The ray through that pixel goes through that point. */
                rill_vec3 o, d;
                camera_ray(&c, 320, 180, x, y, &o, &d);
                const double t = v3_dot(v3_sub(p, o), d);
                assert_true(v3_distance(v3_madd(o, t, d), p) < 1e-9 * t);
            }
            assert_true(fabs(margin - 0.06) < 1e-9);
        }
}

/* Embree's rays against the sphere's equation and all triangles one by one. */
static void rays_match_analytic(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const rill_vec3 center = v3(100.5, -20, 3);
    trimesh m = make_sphere(ctx, center, 0.4, 60, 120);
    const rill_vec3 at = v3_add(center, v3(2, 0, 0));
    const rays_def def = {.origin = center, .mesh = &m, .position = &at, .count = 1, .radius = 0.25};
    rays *e = NULL;
    assert_ok(ctx, rays_create(ctx, &def, &e));
    for (int i = 0; i < 200; i++) {
        const double a = 0.1 * i, b = 0.05 * i;
        const rill_vec3 d = v3(sin(b) * cos(a), cos(b), sin(b) * sin(a));
        rays_hit h;
        assert_true(rays_intersect(e, v3_madd(center, -1, d), d, 0, 10, &h));
        assert_false(h.sphere);
        assert_true(fabs(h.t - 0.6) < 2e-3); /* facets are inside the sphere */
        assert_true(v3_dot(h.normal, d) < -0.99);
        assert_true(rays_occluded(e, v3_madd(center, -1, d), d, 0, 10));
        assert_false(rays_occluded(e, v3_madd(center, -1, d), d, 0, 0.59));
        assert_false(rays_occluded(e, v3_madd(center, -1, d), v3_neg(d), 0, 0.5));
        assert_true(rays_intersect(e, v3_madd(at, -1, d), d, 0.3, 10, &h) && h.sphere);
        assert_true(fabs(h.t - 0.75) < 1e-5);
    }
    rays_destroy(ctx, e);

    /* Embree out of memory is a status. */
    rays *none = NULL;
    rays_def poor = def;
    poor.limit = 10000;
    assert_int_equal(rays_create(ctx, &poor, &none), RILL_NO_MEMORY);
    assert_null(none);
    m.triangle[7][1] = (uint32_t)m.vertex_count;
    assert_int_equal(rays_create(ctx, &def, &none), RILL_BAD_FILE);
    m.triangle[7][1] = 0;
    trimesh_clear(ctx, &m);
    rill_ctx_destroy(ctx);
}

static void bad_definitions(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    tank t;
    tank_init(ctx, &t);
    image im = {0};
    render_def def = small(LOOK_PARTICLES);
    def.column = "colour";
    assert_int_equal(render_view(ctx, &t.scene, &t.view, NULL, &def, &im), RILL_USAGE);
    assert_non_null(strstr(rill_ctx_message(ctx), "speed, vx, vy, vz, density"));
    def = small(LOOK_SURFACE);
    def.samples = 5;
    assert_int_equal(render_view(ctx, &t.scene, &t.view, NULL, &def, &im), RILL_USAGE);
    def = small(LOOK_SURFACE);
    def.height = 0;
    assert_int_equal(render_view(ctx, &t.scene, &t.view, NULL, &def, &im), RILL_USAGE);
    assert_null(im.rgb);
    tank_clear(ctx, &t);
    rill_ctx_destroy(ctx);
}

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/rill_render_XXXXXX");
    return mkdtemp(folder) ? 0 : 1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder); /* fails when something was left in it */
}

static void in_folder(char out[128], const char *name)
{
    snprintf(out, 128, "%s/%s", folder, name);
}

static image make_pattern(rill_ctx *ctx, int width, int height, int shift)
{
    image im = {width, height, NULL};
    assert_ok(ctx, MEM_NEW(ctx, im.rgb, 3u * (size_t)width * (size_t)height));
    for (int i = 0; i < 3 * width * height; i++) im.rgb[i] = (uint8_t)(i * i / 7 + shift);
    return im;
}

static void png_reads_back(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    image im = make_pattern(ctx, 161, 91, 3);
    char path[128];
    in_folder(path, "a.png");
    assert_ok(ctx, image_write_png(ctx, path, &im));

    png_image png = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&png, path));
    assert_int_equal(png.width, 161);
    assert_int_equal(png.height, 91);
    png.format = PNG_FORMAT_RGB;
    uint8_t *back = mem_alloc(ctx, PNG_IMAGE_SIZE(png), 1);
    assert_true(png_image_finish_read(&png, NULL, back, 0, NULL));
    assert_memory_equal(back, im.rgb, 3u * 161 * 91);
    mem_free(ctx, back);
    unlink(path);

    in_folder(path, "missing/a.png");
    assert_int_equal(image_write_png(ctx, path, &im), RILL_DISK);
    assert_non_null(strstr(rill_ctx_message(ctx), path));
    image_clear(ctx, &im);
    rill_ctx_destroy(ctx);
}

/* Any one allocation may fail: a status, nothing made, nothing kept. */
static void failing_allocations(void **state)
{
    (void)state;
    failing_allocator f = {0};
    rill_ctx *ctx = test_ctx_failing(1, &f);
    tank t;
    tank_init(ctx, &t);
    t.view.tracers = &t.particles;
    render_def def = small(LOOK_PARTICLES);
    def.width = 16, def.height = 9, def.samples = 1;
    char path[128];
    in_folder(path, "f.png");
    const uint64_t live = f.live;
    rill_status st = RILL_NO_MEMORY;
    for (uint64_t n = 1; st; n++) {
        image im = {0};
        f.calls = 0;
        f.fail_at = n;
        st = render_view(ctx, &t.scene, &t.view, NULL, &def, &im);
        assert_true(st == RILL_OK || (st == RILL_NO_MEMORY && !im.rgb));
        if (!st) st = image_write_png(ctx, path, &im);
        assert_true(st == RILL_OK || st == RILL_NO_MEMORY);
        unlink(path); /* a whole file, when only the folder could not be synced */
        f.fail_at = 0;
        image_clear(ctx, &im);
        assert_int_equal(f.live, live);
        assert_true(n < 200);
    }
    tank_clear(ctx, &t);
    rill_ctx_destroy(ctx);
}

static void videos(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    char path[128], video[128];
    in_folder(video, "v.mp4");
    for (int i = 0; i < 4; i++) {
        char name[32];
        snprintf(name, sizeof name, "%04d.png", 7 + i);
        in_folder(path, name);
        image im = make_pattern(ctx, 65, 33, i); /* odd sizes */
        assert_ok(ctx, image_write_png(ctx, path, &im));
        image_clear(ctx, &im);
    }
    /* A picture that is missing, one that is none, and a folder that is not there. */
    assert_int_equal(video_write(ctx, folder, 6, 3, 30, video), RILL_BAD_FILE);
    assert_non_null(strstr(rill_ctx_message(ctx), "0006.png"));
    in_folder(path, "missing/v.mp4");
    assert_int_equal(video_write(ctx, folder, 7, 4, 30, path), RILL_DISK);
    assert_non_null(strstr(rill_ctx_message(ctx), "missing/v.mp4"));
    in_folder(path, "0011.png");
    assert_ok(ctx, file_write_all(ctx, path, "no picture", 10));
    assert_int_equal(video_write(ctx, folder, 11, 1, 30, video), RILL_DISK);
    assert_int_not_equal(access(video, F_OK), 0);

    assert_ok(ctx, video_write(ctx, folder, 7, 4, 30, video));
    char *bytes;
    size_t length;
    assert_ok(ctx, file_read_all(ctx, video, 1 << 20, &bytes, &length));
    assert_true(length > 500 && memcmp(bytes + 4, "ftyp", 4) == 0);
    mem_free(ctx, bytes);

    /* Without the program: what to install. */
    char *old = strdup(getenv("PATH"));
    setenv("PATH", folder, 1);
    assert_int_equal(video_write(ctx, folder, 7, 4, 30, path), RILL_DISK);
    assert_non_null(strstr(rill_ctx_message(ctx), "package \"ffmpeg\""));
    setenv("PATH", old, 1);
    free(old);

    unlink(video);
    for (int i = 7; i <= 11; i++) {
        char name[32];
        snprintf(name, sizeof name, "%04d.png", i);
        in_folder(path, name);
        unlink(path);
    }
    rill_ctx_destroy(ctx);
}

static void draw_tank(rill_ctx *ctx, tank *t, image *im)
{
    const render_def def = small(LOOK_PARTICLES);
    assert_ok(ctx, render_view(ctx, &t->scene, &t->view, NULL, &def, im));
}

/* A mesh of a sphere, moved, turned and scaled, looks like the sphere; cut by the side of
 * the domain, too. */
static void mesh_solids(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    trimesh ball = make_sphere(ctx, v3(0, 0, 0), 0.5, 60, 120);
    mesh_distance_def mesh_def = mesh_distance_def_default();
    mesh_def.resolution = 32;
    mesh_def.holes = true; /* sin(pi) is not 0: a pole is a hole of 1e-16 */
    mesh_distance *distance = NULL;
    assert_ok(ctx, mesh_distance_create(ctx, &ball, &mesh_def, &distance));
    const rill_vec3 centers[] = {{1.3, 0.4, 0.5}, {1.9, 0.3, 0.9}};
    for (int k = 0; k < 2; k++) {
        tank t;
        tank_init(ctx, &t);
        t.view.particles = NULL;
        image plain = {0}, mesh = {0};
        t.solid[0].shape.sphere = (shape_sphere){centers[k], 0.25};
        draw_tank(ctx, &t, &plain);
        t.solid[0].shape = (shape){.kind = SHAPE_MESH};
        t.solid[0].shape.mesh.owned = distance;
        t.solid[0].transform = (scene_transform){centers[k], {20, 40, 60}, 0.5};
        draw_tank(ctx, &t, &mesh);
        double sum = 0;
        for (int i = 0; i < 3 * 160 * 90; i++) sum += abs(plain.rgb[i] - mesh.rgb[i]);
        const double mean = sum / (3.0 * 160 * 90);
        if (!(mean < 1)) fail_msg("the mesh looks different by %g of 255", mean);
        image_clear(ctx, &plain);
        image_clear(ctx, &mesh);
        tank_clear(ctx, &t);
    }
    mesh_distance_destroy(ctx, distance);
    trimesh_clear(ctx, &ball);
    rill_ctx_destroy(ctx);
}

/* Drafts are small and the same for any number of threads; a solid that is hidden, cut away there or of glass
 * shows what is behind it; its material has a colour. */
static void looks_of_solids_and_drafts(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    tank t;
    tank_init(ctx, &t);
    const render_def def = small(LOOK_SURFACE);
    const rill_vec3 at = v3(1.5, 0.25, 0.69);
    image none = {0}, hidden = {0}, clear = {0}, cut = {0}, green = {0}, draft = {0}, again = {0};
    t.scene.solid_count = 0;
    assert_ok(ctx, render_view(ctx, &t.scene, &t.view, &t.surface, &def, &none));
    t.scene.solid_count = 2;
    t.solid[0].material.hidden = t.solid[1].material.hidden = true;
    assert_ok(ctx, render_view(ctx, &t.scene, &t.view, &t.surface, &def, &hidden));
    assert_memory_equal(none.rgb, hidden.rgb, 3u * 160 * 90);
    t.solid[1].material.hidden = false; /* what is behind the ball, from here on */
    image_clear(ctx, &none);
    assert_ok(ctx, render_view(ctx, &t.scene, &t.view, &t.surface, &def, &none));
    t.solid[0].material.hidden = false;
    t.solid[0].material.kind = MATERIAL_GLASS;
    assert_ok(ctx, render_view(ctx, &t.scene, &t.view, &t.surface, &def, &clear));
    assert_true(abs(brightness(pixel_at(&t, &clear, at)) - brightness(pixel_at(&t, &none, at))) < 150);
    t.solid[0].material = (scene_material){.color = {0.46, 0.24, 0.14},
                                           .has_cut = true,
                                           .cut = {{1.5, 0.2, 0.2}, {0, 0, 1}}}; /* all of it is beyond */
    assert_ok(ctx, render_view(ctx, &t.scene, &t.view, &t.surface, &def, &cut));
    const uint8_t *past = pixel_at(&t, &cut, at), *bare = pixel_at(&t, &none, at);
    assert_true(abs(brightness(past) - brightness(bare)) < 60);
    t.solid[0].material = (scene_material){.color = {0.05, 0.6, 0.05}};
    assert_ok(ctx, render_view(ctx, &t.scene, &t.view, &t.surface, &def, &green));
    const uint8_t *leaf = pixel_at(&t, &green, at);
    assert_true(leaf[1] > leaf[0] + 30 && leaf[1] > leaf[2] + 30);

    t.scene.output.width = 961, t.scene.output.height = 541;
    t.scene.output.draft = true;
    render_def small_one = render_def_of_scene(&t.scene);
    assert_true(small_one.width == 320 && small_one.height % 2 == 0 && small_one.samples == 1);
    rill_ctx *alone = test_ctx(1);
    assert_ok(ctx, render_view(ctx, &t.scene, &t.view, &t.surface, &small_one, &draft));
    assert_ok(alone, render_view(alone, &t.scene, &t.view, &t.surface, &small_one, &again));
    assert_memory_equal(draft.rgb, again.rgb, 3u * 320 * (size_t)small_one.height);
    const uint8_t *water = pixel_at(&t, &draft, v3(0.6, 0.45, 0.9));
    assert_true(water[2] > water[0] + 20);
    image_clear(alone, &again);
    rill_ctx_destroy(alone);
    image *all[] = {&none, &hidden, &clear, &cut, &green, &draft};
    for (int k = 0; k < 6; k++) image_clear(ctx, all[k]);
    tank_clear(ctx, &t);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_for_any_threads),
        cmocka_unit_test(looks_of_solids_and_drafts),
        cmocka_unit_test(shows_what_is_there),
        cmocka_unit_test(tracers_veil),
        cmocka_unit_test(drops_behind_drops),
        cmocka_unit_test(flat_scene),
        cmocka_unit_test(camera_fits_domain),
        cmocka_unit_test(rays_match_analytic),
        cmocka_unit_test(mesh_solids),
        cmocka_unit_test(bad_definitions),
        cmocka_unit_test_setup_teardown(png_reads_back, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(failing_allocations, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(videos, make_folder, remove_folder),
    };
    return cmocka_run_group_tests_name("render", tests, NULL, NULL);
}
