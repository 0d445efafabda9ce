/* The denoiser on films whose truth is known: it removes noise where neighbours show the same, keeps detail
 * that guides do not know, real highlights and edges, removes single bright samples, and gives the same bits
 * for any number of threads. */
#include "support.h"

#include "base/random.h"
#include "render/path/film.h"

#include <math.h>
#include <string.h>

enum { W = 48, H = 40, SAMPLES = 64 };

/* A gradient on the left; squares of a pixel, which no guide shows, on the right; an edge of the albedo
 * across. */
static double truth(int x, int y)
{
    if (x >= W / 2) return (x + y) % 2 ? 0.8 : 0.2;
    return (y < H / 2 ? 0.3 : 0.9) + 0.1 * x / W;
}

static film make_film(rill_ctx *ctx, double noise)
{
    film f = {.width = W, .height = H};
    assert_ok(ctx, MEM_NEW_ZERO(ctx, f.pixel, (size_t)W * H));
    for (int i = 0; i < W * H; i++) {
        film_pixel *p = &f.pixel[i];
        const double mean = truth(i % W, i / W);
        for (uint32_t k = 0; k < SAMPLES; k++) {
            const random4 a = random_at(11, (uint64_t)i, k, 0);
            const int half = (int)(k / FILM_BLOCK) & 1;
            const double u = random_unit(a.v[0], a.v[1]), c = mean * (1 + noise * sqrt(12) * (u - 0.5));
            for (int d = 0; d < 3; d++) {
                p->sum[half][d] += (float)c;
                p->square[d] += (float)(c * c);
                p->albedo[d] += i / W < H / 2 ? 0.3f : 0.9f;
            }
            p->normal[1] += 1;
            p->count[half]++;
        }
    }
    return f;
}

/* Mean squared error from column x0 to x1. */
static double error_of(const path_picture *p, int x0, int x1)
{
    double sum = 0;
    for (int y = 0; y < H; y++)
        for (int x = x0; x < x1; x++) {
            const double d = p->rgb[3 * (y * W + x)] - truth(x, y);
            sum += d * d / (H * (x1 - x0));
        }
    return sum;
}

static void noise_falls_and_detail_stays(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(2);
    film f = make_film(ctx, 1);
    path_picture raw = {0}, smooth = {0};
    assert_ok(ctx, film_picture(ctx, &f, &raw));
    assert_ok(ctx, film_denoised(ctx, &f, &smooth));
    const double flat = error_of(&smooth, 0, W / 2 - 8) / error_of(&raw, 0, W / 2 - 8),
                 fine = error_of(&smooth, W / 2 + 8, W) / error_of(&raw, W / 2 + 8, W);
    print_message("squared error left: %.3f where it is flat, %.3f in squares of a pixel\n", flat, fine);
    assert_true(flat < 0.1);
    assert_true(fine < 0.7); /* squares of the same colour are averaged; a blur would have 40 */
    picture_clear(ctx, &raw);
    picture_clear(ctx, &smooth);
    film_clear(ctx, &f);
    rill_ctx_destroy(ctx);
}

/* One sample of great weight is noise; a pixel that is bright in both halves is not. */
static void bright_pixels(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    film f = make_film(ctx, 0.5);
    film_pixel *noisy = &f.pixel[10 * W + 10], *glint = &f.pixel[30 * W + 10];
    for (int d = 0; d < 3; d++) {
        noisy->sum[0][d] += 2000;
        noisy->square[d] += 2000.f * 2000.f;
        for (int half = 0; half < 2; half++) glint->sum[half][d] = 20 * SAMPLES / 2;
        glint->square[d] = 400 * SAMPLES;
    }
    path_picture p = {0};
    assert_ok(ctx, film_denoised(ctx, &f, &p));
    print_message("pixel with one sample of 2000: %.3f; glint of 20: %.2f\n",
                  (double)p.rgb[3 * (10 * W + 10)], (double)p.rgb[3 * (30 * W + 10)]);
    assert_true(p.rgb[3 * (10 * W + 10)] < 1.5);
    assert_true(fabs(p.rgb[3 * (30 * W + 10)] - 20) < 1);
    assert_true(fabs(p.rgb[3 * (30 * W + 12)] - truth(12, 30)) < 0.2); /* and does not spread */
    picture_clear(ctx, &p);
    film_clear(ctx, &f);
    rill_ctx_destroy(ctx);
}

static void same_bits_for_any_number_of_threads(void **state)
{
    (void)state;
    float first[3 * W * H];
    for (int threads = 1; threads <= 3; threads++) {
        rill_ctx *ctx = test_ctx(threads);
        film f = make_film(ctx, 1);
        path_picture p = {0};
        assert_ok(ctx, film_denoised(ctx, &f, &p));
        if (threads == 1) memcpy(first, p.rgb, sizeof first);
        assert_memory_equal(first, p.rgb, sizeof first);
        picture_clear(ctx, &p);
        film_clear(ctx, &f);
        rill_ctx_destroy(ctx);
    }
}

/* A row, a column, one pixel; one sample, two. */
static void small_films(void **state)
{
    (void)state;
    static const int sides[][2] = {{1, 1}, {1, 9}, {9, 1}, {2, 2}, {5, 20}};
    rill_ctx *ctx = test_ctx(2);
    for (size_t k = 0; k < sizeof sides / sizeof *sides; k++)
        for (uint32_t samples = 1; samples <= 2; samples++) {
            film f = {.width = sides[k][0], .height = sides[k][1]};
            const size_t pixels = (size_t)f.width * (size_t)f.height;
            assert_ok(ctx, MEM_NEW_ZERO(ctx, f.pixel, pixels));
            for (size_t i = 0; i < pixels; i++)
                for (uint32_t n = 0; n < samples; n++) {
                    for (int d = 0; d < 3; d++) f.pixel[i].sum[n][d] = 0.5f, f.pixel[i].square[d] += 0.25f;
                    f.pixel[i].count[n] = 1;
                }
            path_picture p = {0};
            assert_ok(ctx, film_denoised(ctx, &f, &p));
            for (size_t i = 0; i < 3 * pixels; i++) assert_true(fabsf(p.rgb[i] - 0.5f) < 1e-5f);
            picture_clear(ctx, &p);
            film_clear(ctx, &f);
        }
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_falls_and_detail_stays),
        cmocka_unit_test(bright_pixels),
        cmocka_unit_test(same_bits_for_any_number_of_threads),
        cmocka_unit_test(small_films),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
