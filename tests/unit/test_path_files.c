/* Files of the path tracer: EXR as another program reads it, .hdr and .pfm whole, cut and damaged; and what
 * of a scene's look is part of what a checkpoint is checked against. */
#include "folders.h"
#include "support.h"

#include "base/text.h"
#include "io/file.h"
#include "io/scene_file.h"
#include "render/path/optics.h"
#include "render/path/path.h"
#include "render/path/sky.h"
#include "run/driver.h"
#include "run/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { W = 20, H = 11 };

static path_picture gradient(rill_ctx *ctx)
{
    path_picture p = {0};
    assert_ok(ctx, picture_create(ctx, W, H, &p));
    for (int i = 0; i < W * H; i++) {
        p.rgb[3 * i] = (float)(i % W) / 7;
        p.rgb[3 * i + 1] = (float)(i / W) * 3;
        p.rgb[3 * i + 2] = 1e-3f * (float)i;
    }
    return p;
}

static void halves_round_to_nearest(void **state)
{
    (void)state;
    static const struct {
        float x;
        uint16_t half;
    } known[] = {{0, 0},
                 {1, 0x3c00},
                 {-2, 0xc000},
                 {65504, 0x7bff},
                 {1e9f, 0x7bff},
                 {0x1p-24f, 1},
                 {0x1p-14f, 0x0400},
                 {0.333251953125f, 0x3555},
                 {1.0005f, 0x3c01},
                 {0x1p-26f, 0},
                 {NAN, 0},
                 {2049, 0x6800}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_int_equal(picture_half(known[i].x), known[i].half);
}

/* ffmpeg gives planes of floats: green, blue, red. */
static void another_program_reads_exr(void **state)
{
    (void)state;
    if (system("command -v ffmpeg > /dev/null 2>&1") != 0) skip();
    rill_ctx *ctx = test_ctx(1);
    path_picture p = gradient(ctx);
    for (int half = 0; half < 2; half++) {
        const char *path = in_own_folder("picture.exr"), *raw = in_own_folder("picture.raw");
        char command[512], *bytes = NULL;
        size_t length = 0;
        assert_ok(ctx, picture_write_exr(ctx, path, &p, half));
        snprintf(command, sizeof command,
                 "ffmpeg -v error -y -i %s -f rawvideo -pix_fmt gbrpf32le %s > /dev/null 2>&1", path, raw);
        assert_int_equal(system(command), 0);
        assert_ok(ctx, file_read_all(ctx, raw, 1 << 20, &bytes, &length));
        assert_int_equal(length, 3 * 4 * W * H);
        static const int channel[3] = {1, 2, 0};
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < W * H; i++) {
                float got;
                memcpy(&got, bytes + 4 * (k * W * H + i), 4);
                const float want = p.rgb[3 * i + channel[k]];
                assert_true(fabsf(got - want) <= (half ? 1e-3f * want + 1e-7f : 0));
            }
        mem_free(ctx, bytes);
    }
    picture_clear(ctx, &p);
    rill_ctx_destroy(ctx);
}

static size_t put_pfm(char *out, const path_picture *p)
{
    size_t n = (size_t)sprintf(out, "PF\n%d %d\n-1.0\n", W, H);
    for (int y = H - 1; y >= 0; y--) {
        memcpy(out + n, &p->rgb[3 * y * W], 12 * W);
        n += 12 * W;
    }
    return n;
}

/* Lines packed as runs and as they are, in turn. */
static size_t put_hdr(char *out)
{
    size_t n = (size_t)sprintf(out, "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n", H, W);
    for (int y = 0; y < H; y++) {
        const char head[4] = {2, 2, 0, W};
        memcpy(out + n, head, 4);
        n += 4;
        for (int k = 0; k < 4; k++) {
            const char value = (char)(k == 3 ? 129 : 64 * k + y);
            if (y % 2) {
                out[n++] = (char)(128 + W);
                out[n++] = value;
            } else {
                out[n++] = W;
                memset(out + n, value, W);
                n += W;
            }
        }
    }
    return n;
}

static void environments_are_read_or_refused(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    path_picture p = gradient(ctx), read = {0};
    static char bytes[8192];
    for (int hdr = 0; hdr < 2; hdr++) {
        const char *path = in_own_folder(hdr ? "sky.hdr" : "sky.pfm");
        const size_t length = hdr ? put_hdr(bytes) : put_pfm(bytes, &p);
        assert_ok(ctx, file_write_all(ctx, path, bytes, length));
        assert_ok(ctx, picture_read(ctx, path, &read));
        assert_true(read.width == W && read.height == H);
        for (int i = 0; i < W * H; i++)
            for (int k = 0; k < 3; k++) {
                const float want =
                    hdr ? ((float)(64 * k + i / W) + 0.5f) / 128 : p.rgb[3 * i + k]; /* 2^(129 - 136) */
                assert_true(read.rgb[3 * i + k] == want);
            }
        picture_clear(ctx, &read);
        for (size_t cut = 0; cut < length; cut += cut < 80 ? 1 : 97) {
            assert_ok(ctx, file_write_all(ctx, path, bytes, cut));
            assert_int_equal(picture_read(ctx, path, &read), RILL_BAD_FILE);
            assert_null(read.rgb);
        }
    }
    assert_int_equal(picture_read(ctx, in_own_folder("missing.hdr"), &read), RILL_BAD_FILE);
    picture_clear(ctx, &p);
    rill_ctx_destroy(ctx);
}

/* Values that are no light, NaN, infinite or below 0, count as darkness: pixels are numbers. */
static void skies_of_bad_values(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    static char bytes[8192];
    static const float bad[] = {NAN, INFINITY, -INFINITY, -1, 1e38f};
    for (int k = 0; k < 5; k++)
        for (int some = 0; some < 2; some++) {
            path_picture p = gradient(ctx);
            for (int i = 0; i < 3 * W * H; i++)
                if (!some || i % 5 == 0) p.rgb[i] = bad[k];
            char path[256];
            snprintf(path, sizeof path, "%s", in_own_folder("bad.pfm"));
            assert_ok(ctx, file_write_all(ctx, path, bytes, put_pfm(bytes, &p)));
            const scene_sky def = {.environment = path, .strength = 1};
            sky s = {0};
            assert_ok(ctx, sky_create(ctx, &def, &s));
            assert_true(s.dark == (!some && k < 4));
            for (int i = 0; i < 200; i++) {
                double pdf = 1;
                const double u = (i + 0.5) / 200, v = fmod(i * 0.618, 1);
                const rill_vec3 d = s.dark ? v3_unit(v3(u - 0.5, v - 0.5, 0.3)) : sky_sample(&s, u, v, &pdf);
                const rill_vec3 c = sky_radiance(&s, d);
                assert_true(v3_finite(d) && v3_finite(c) && c.x >= 0 && c.y >= 0 && c.z >= 0 &&
                            isfinite(pdf));
            }
            sky_clear(ctx, &s);
            picture_clear(ctx, &p);
        }
    rill_ctx_destroy(ctx);
}

/* Directions drawn from a sky have the density it says, and its light is what they find. */
static void sky_is_sampled_by_its_light(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const scene_sky def = {.environment = NULL,
                           .turbidity = 3,
                           .strength = 1,
                           .sun = {0.5, 0.5, 0.2},
                           .sun_size = 1,
                           .sun_strength = 1};
    sky s = {0};
    assert_ok(ctx, sky_create(ctx, &def, &s));
    double whole = 0, light = 0, drawn = 0;
    enum { SIDE = 400 };
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            const double u = (i + 0.5) / SIDE, v = (j + 0.5) / SIDE, z = 1 - 2 * u, r = sqrt(1 - z * z);
            const rill_vec3 d = v3(r * cos(2 * OPTICS_PI * v), z, r * sin(2 * OPTICS_PI * v));
            double pdf;
            whole += sky_pdf(&s, d) * 4 * OPTICS_PI / (SIDE * SIDE);
            light += v3_luminance(sky_radiance(&s, d)) * 4 * OPTICS_PI / (SIDE * SIDE);
            const rill_vec3 to = sky_sample(&s, u, v, &pdf);
            assert_true(fabs(v3_length(to) - 1) < 1e-9 && fabs(sky_pdf(&s, to) / pdf - 1) < 1e-6);
            drawn += v3_luminance(sky_radiance(&s, to)) / pdf / (SIDE * SIDE);
        }
    assert_true(fabs(whole - 1) < 0.01 && fabs(drawn / light - 1) < 0.01);
    assert_true(sky_has_sun(&s) && v3_luminance(s.sun_light) > 1);
    const rill_vec3 zenith = sky_radiance(&s, v3(0, 1, 0));
    assert_true(zenith.z > zenith.y && zenith.y > zenith.x); /* blue */
    sky_clear(ctx, &s);
    rill_ctx_destroy(ctx);
}

/* ---- what a checkpoint is checked against ---- */

static uint64_t hash_with(rill_ctx *ctx, const char *set, const char *more)
{
    static const char described[] =
        "{ \"rill\": 1, \"method\": \"sph\", \"spacing\": 0.1,\n"
        "  \"domain\": { \"min\": [0,0,0], \"max\": [1,1,1] },\n"
        "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": [0.5,0.5,1] } } } ],\n"
        "  \"solids\": [ { \"shape\": { \"sphere\": { \"center\": [0.7,0.2,0.5], \"radius\": 0.1 } } } ] }";
    const char *sets[2] = {set, more};
    const scene_changes changes = {.set = sets, .set_count = more ? 2 : set ? 1 : 0};
    rill_scene scene = {0};
    uint64_t hash = 0;
    assert_ok(ctx, scene_parse(ctx, "look.json", described, strlen(described), rill_methods,
                               rill_method_count, &changes, &scene));
    assert_ok(ctx, run_scene_hash(ctx, &scene, &hash));
    scene_clear(ctx, &scene);
    return hash;
}

static void looks_may_change_during_a_run(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    const uint64_t usual = hash_with(ctx, NULL, NULL);
    assert_true(hash_with(ctx, "render.samples=7", NULL) == usual);
    assert_true(hash_with(ctx, "solids[0].material.kind=glass", NULL) == usual);
    assert_true(hash_with(ctx, "camera.eye=[3,3,3]", NULL) == usual);
    assert_true(hash_with(ctx, "camera.eye={\"keyframes\":[{\"t\":0,\"value\":[3,3,3]}]}", NULL) == usual);
    assert_true(hash_with(ctx, "render.smoke.forward=0.5", "render.whitewater_size=1") == usual);
    assert_true(hash_with(ctx, "solids[0].material.cut={\"point\":[0,0,0],\"normal\":[0,0,1]}",
                          "solids[0].material.hidden=true") == usual);
    assert_true(hash_with(ctx, "output.draft=true", NULL) == usual);
    assert_true(hash_with(ctx, "liquid[0].color=[1,0,0]", NULL) != usual); /* particles carry it */
    assert_true(hash_with(ctx, "fluid.density=900", NULL) != usual);
    assert_true(hash_with(ctx, "solids[0].friction=1", NULL) != usual);
    /* A key at its default is as one that is not there; other methods have no say. */
    assert_true(hash_with(ctx, "fluid.density=1000", "sph.levels=0") == usual);
    assert_true(hash_with(ctx, "grid.cfl=2", NULL) == usual);
    assert_true(hash_with(ctx, "sph.levels=2", NULL) != usual);
    const char *by_view = "sph.view_dependent=true";
    assert_true(hash_with(ctx, by_view, "camera.eye=[3,3,3]") !=
                hash_with(ctx, by_view, "camera.eye=[3,3,4]"));
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_round_to_nearest),          cmocka_unit_test(another_program_reads_exr),
        cmocka_unit_test(environments_are_read_or_refused), cmocka_unit_test(sky_is_sampled_by_its_light),
        cmocka_unit_test(looks_may_change_during_a_run),    cmocka_unit_test(skies_of_bad_values),
    };
    return cmocka_run_group_tests(tests, own_folder_make, own_folder_remove);
}
