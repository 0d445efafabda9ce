/* Removes the noise that is left in a picture.
 *
 * Two filters average each pixel with pixels around it that look the same: non-local means with the variance
 * subtracted from the differences (Rousselle et al. 2012), guided by normals and colours of the surfaces,
 * which have little noise (2013). One filter is weak, the other strong. Each half of the samples is averaged
 * with weights from the other half, so that noise does not choose its own weights.
 *
 * The halves also tell the error of both filters without a reference: for filtered halves f0 and f1 of the
 * noisy halves h0 and h1, (f0 - h1)(f1 - h0) is the squared bias less the share of the pixel's own noise in
 * f0 and f1, which is known, and (f0 - f1)^2 / 4 is the variance of their mean. Every pixel takes the filter
 * with the least error around it, or stays as it is: detail that no neighbour shares is kept.
 *
 * Single pixels far too bright in one half are darkened before. */
#include "render/path/film.h"

#include "base/parallel.h"

#include <stdlib.h>
#include <string.h>

enum { REACH = 6, PATCH = 1, BAND = 16 /* rows */, FILTERS = 2, CALIBRATION = 4, WINDOW = 3 };
static const float strength[FILTERS] = {0.5f, 1};              /* of the filters: allowed differences */
static const float normal_scale = 0.12f, albedo_scale = 0.06f; /* differences that count */
static const float tiny = 1e-6f;

/* Planes of the whole picture. */
typedef struct {
    const film *film;
    float *memory;      /* owned: all planes */
    float *color[2][3]; /* means of the halves */
    float *variance[3]; /* of the mean of a half */
    float *raw[3];      /* scratch: the variance before it is smoothed */
    float *guide[6];    /* normal, albedo */
    float *filtered[FILTERS][3];
    float *error[FILTERS + 1]; /* relative squared error; the last: without a filter */
    float *bands;              /* owned: scratch of the workers */
    uint8_t *choice;           /* owned: which filter; FILTERS: none */
    float *out;
} smoothing;

/* Rows y0 to y1 of a picture, accumulated over all offsets. */
typedef struct {
    int y0, y1;
    float *gap[2]; /* BAND + 2 PATCH rows: differences of the pixels at one offset, per half */
    float *weight[FILTERS][2], *own[FILTERS][2], *sum[FILTERS][2][3]; /* BAND rows */
} band;
enum { BAND_ROWS = 2 * (BAND + 2 * PATCH) + BAND * FILTERS * 2 * 5 };

static float square(float x)
{
    return x * x;
}

static void see_rows(void *arg, size_t begin, size_t end, int worker)
{
    const smoothing *s = arg;
    const size_t width = (size_t)s->film->width;
    (void)worker;
    for (size_t i = begin * width; i < end * width; i++) {
        const film_pixel *p = &s->film->pixel[i];
        const float first = (float)p->count[0], second = (float)p->count[1], n = first + second;
        for (int k = 0; k < 3; k++) {
            const float mean = (p->sum[0][k] + p->sum[1][k]) / n,
                        spread = fmaxf(p->square[k] / n - square(mean), 0);
            s->raw[k][i] = 2 * spread / fmaxf(n - 1, 1);
            s->color[0][k][i] = p->sum[0][k] / first;
            s->color[1][k][i] = second > 0 ? p->sum[1][k] / second : s->color[0][k][i];
            s->guide[k][i] = p->normal[k] / n;
            s->guide[3 + k][i] = p->albedo[k] / n;
        }
    }
}

static double brightness(const film_pixel *p)
{
    const rill_vec3 all =
        v3(p->sum[0][0] + p->sum[1][0], p->sum[0][1] + p->sum[1][1], p->sum[0][2] + p->sum[1][2]);
    return v3_luminance(all) / film_count(p);
}

/* The third brightest of the pixels around one. */
static double bright_around(const film *f, int x, int y)
{
    double most[3] = {0, 0, 0};
    for (int j = y - 1; j <= y + 1; j++)
        for (int i = x - 1; i <= x + 1; i++) {
            if (i < 0 || j < 0 || i >= f->width || j >= f->height || (i == x && j == y)) continue;
            double b = brightness(&f->pixel[(size_t)j * (size_t)f->width + (size_t)i]);
            for (int k = 0; k < 3; k++)
                if (b > most[k]) {
                    const double less = most[k];
                    most[k] = b, b = less;
                }
        }
    return most[2];
}

/* A pixel far brighter than nearly all around it, in one half only, has a path of great weight, which would
 * become a bright patch as wide as the filters. It is darkened to what the other half or its surroundings
 * explain. */
static void darken_rows(void *arg, size_t begin, size_t end, int worker)
{
    const smoothing *s = arg;
    const size_t width = (size_t)s->film->width;
    (void)worker;
    for (size_t i = begin * width; i < end * width; i++) {
        double b[2];
        for (int half = 0; half < 2; half++)
            b[half] = v3_luminance(v3(s->color[half][0][i], s->color[half][1][i], s->color[half][2][i]));
        const double around = bright_around(s->film, (int)(i % width), (int)(i / width)),
                     most = fmax(3 * around + 0.05, 1.5 * fmin(b[0], b[1]));
        for (int half = 0; half < 2; half++) {
            if (!(b[half] > most)) continue;
            const float less = (float)(most / b[half]);
            for (int k = 0; k < 3; k++) {
                s->color[half][k][i] *= less;
                s->raw[k][i] *= less;
            }
        }
    }
}

/* Variances of stratified samples are smaller than the samples' spread says: they are scaled to the
 * differences of the halves around a pixel, and smoothed. */
static void calibrate_rows(void *arg, size_t begin, size_t end, int worker)
{
    const smoothing *s = arg;
    const int w = s->film->width, h = s->film->height;
    (void)worker;
    for (int y = (int)begin; y < (int)end; y++)
        for (int x = 0; x < w; x++) {
            float between = 0, spread = 0, near[3] = {0};
            int count = 0;
            for (int j = y - CALIBRATION; j <= y + CALIBRATION; j++)
                for (int i = x - CALIBRATION; i <= x + CALIBRATION; i++) {
                    if (i < 0 || j < 0 || i >= w || j >= h) continue;
                    const size_t at = (size_t)j * (size_t)w + (size_t)i;
                    const bool beside = abs(i - x) <= 1 && abs(j - y) <= 1;
                    count += beside;
                    for (int k = 0; k < 3; k++) {
                        const float v = s->raw[k][at], scale = 1 / (1e-4f + v);
                        between += square(s->color[0][k][at] - s->color[1][k][at]) / 2 * scale;
                        spread += v * scale;
                        if (beside) near[k] += v;
                    }
                }
            const float ratio = spread > 0 ? fminf(fmaxf(between / spread, 0.02f), 1) : 1;
            for (int k = 0; k < 3; k++)
                s->variance[k][(size_t)y * (size_t)w + (size_t)x] = ratio * near[k] / (float)count;
        }
}

/* ---- the filters ---- */

/* exp(-x), nearly, for x >= 0. */
static float falloff(float x)
{
    const float t = 1 - x / 8, u = t > 0 ? t : 0, u2 = u * u, u4 = u2 * u2;
    return u4 * u4;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

/* Differences of pixels at one offset, less the part that noise explains, over the noise. */
static void gap_rows(const smoothing *s, const band *b, int dx, int dy)
{
    const int w = s->film->width, h = s->film->height;
    const int x0 = most(0, -dx), x1 = least(w, w - dx);
    for (int y = most(b->y0 - PATCH, most(0, -dy)); y < least(b->y1 + PATCH, least(h, h - dy)); y++) {
        const size_t row = (size_t)y * (size_t)w;
        const ptrdiff_t to = (ptrdiff_t)dy * w + dx;
        for (int half = 0; half < 2; half++) {
            float *gap = b->gap[half] + (size_t)(y - b->y0 + PATCH) * (size_t)w;
            memset(gap, 0, (size_t)w * sizeof *gap);
            for (int k = 0; k < 3; k++) {
                const float *c = s->color[half][k] + row, *v = s->variance[k] + row;
                for (int x = x0; x < x1; x++) {
                    const float va = v[x], vb = v[x + to], d = c[x] - c[x + to];
                    gap[x] += (d * d - (va + (va < vb ? va : vb))) / (3 * (tiny + va + vb));
                }
            }
        }
    }
}

static float guided(const smoothing *s, size_t a, size_t b)
{
    float n = 0, c = 0;
    for (int k = 0; k < 3; k++) {
        n += square(s->guide[k][a] - s->guide[k][b]);
        c += square(s->guide[3 + k][a] - s->guide[3 + k][b]);
    }
    return falloff(n / (2 * normal_scale * normal_scale) + c / (2 * albedo_scale * albedo_scale));
}

/* The number of places from x - PATCH to x + PATCH that have a partner at the offset. */
static int partners(int x, int offset, int size)
{
    return least(x + PATCH, least(size - 1, size - 1 - offset)) - most(x - PATCH, most(0, -offset)) + 1;
}

/* Adds the pixels at one offset to those of the band, by the likeness of the patches around both. */
static void add_offset(const smoothing *s, const band *b, int dx, int dy)
{
    const int w = s->film->width, h = s->film->height;
    gap_rows(s, b, dx, dy);
    for (int y = most(b->y0, -dy); y < least(b->y1, h - dy); y++)
        for (int x = most(0, -dx); x < least(w, w - dx); x++) {
            const size_t i = (size_t)y * (size_t)w + (size_t)x,
                         j = (size_t)(y + dy) * (size_t)w + (size_t)(x + dx),
                         at = (size_t)(y - b->y0) * (size_t)w + (size_t)x;
            const float alike = guided(s, i, j);
            if (!(alike > 1e-3f)) continue;
            const float count = (float)(partners(x, dx, w) * partners(y, dy, h));
            for (int half = 0; half < 2; half++) {
                float gap = 0;
                for (int v = most(y - PATCH, most(0, -dy)); v <= least(y + PATCH, least(h, h - dy) - 1); v++)
                    for (int u = most(x - PATCH, most(0, -dx)); u <= least(x + PATCH, least(w, w - dx) - 1);
                         u++)
                        gap += b->gap[1 - half][(size_t)(v - b->y0 + PATCH) * (size_t)w + (size_t)u];
                gap = fmaxf(gap / count, 0);
                for (int f = 0; f < FILTERS; f++) {
                    const float weight = fminf(alike, falloff(gap / square(strength[f])));
                    b->weight[f][half][at] += weight;
                    if (dx == 0 && dy == 0) b->own[f][half][at] = weight;
                    for (int k = 0; k < 3; k++) b->sum[f][half][k][at] += weight * s->color[half][k][j];
                }
            }
        }
}

/* The filtered pixels and the estimates of their errors. */
static void finish_pixel(const smoothing *s, const band *b, size_t at, size_t i)
{
    float bright = 0, variance = 0;
    for (int k = 0; k < 3; k++) {
        bright += (s->color[0][k][i] + s->color[1][k][i]) / 6;
        variance += s->variance[k][i];
    }
    const float scale = 1 / (square(bright) + 1e-2f);
    s->error[FILTERS][i] = variance / 2 * scale;
    for (int f = 0; f < FILTERS; f++) {
        const float own = b->own[f][0][at] / b->weight[f][0][at] + b->own[f][1][at] / b->weight[f][1][at];
        float error = own * variance;
        for (int k = 0; k < 3; k++) {
            const float a = b->sum[f][0][k][at] / b->weight[f][0][at],
                        c = b->sum[f][1][k][at] / b->weight[f][1][at];
            error += (a - s->color[1][k][i]) * (c - s->color[0][k][i]) + square(a - c) / 4;
            s->filtered[f][k][i] = (a + c) / 2;
        }
        s->error[f][i] = error * scale;
    }
}

static band band_of(const smoothing *s, int worker)
{
    const size_t w = (size_t)s->film->width;
    float *next = s->bands + (size_t)worker * BAND_ROWS * w;
    band b = {0};
    for (int half = 0; half < 2; half++, next += (BAND + 2 * PATCH) * w) b.gap[half] = next;
    for (int f = 0; f < FILTERS; f++)
        for (int half = 0; half < 2; half++) {
            b.weight[f][half] = next, next += BAND * w;
            b.own[f][half] = next, next += BAND * w;
            for (int k = 0; k < 3; k++, next += BAND * w) b.sum[f][half][k] = next;
        }
    return b;
}

static void filter_rows(void *arg, size_t begin, size_t end, int worker)
{
    const smoothing *s = arg;
    const size_t w = (size_t)s->film->width;
    band b = band_of(s, worker);
    b.y0 = (int)begin, b.y1 = (int)end;
    memset(b.gap[0], 0, BAND_ROWS * w * sizeof(float));
    for (int dy = -REACH; dy <= REACH; dy++)
        for (int dx = -REACH; dx <= REACH; dx++)
            if (abs(dx) < s->film->width) add_offset(s, &b, dx, dy);
    for (size_t at = 0; at < (end - begin) * w; at++) finish_pixel(s, &b, at, begin * w + at);
}

/* ---- the choice ---- */

static void choose_rows(void *arg, size_t begin, size_t end, int worker)
{
    const smoothing *s = arg;
    const int w = s->film->width, h = s->film->height;
    (void)worker;
    for (int y = (int)begin; y < (int)end; y++)
        for (int x = 0; x < w; x++) {
            float error[FILTERS + 1] = {0};
            for (int j = most(y - WINDOW, 0); j <= least(y + WINDOW, h - 1); j++)
                for (int i = most(x - WINDOW, 0); i <= least(x + WINDOW, w - 1); i++)
                    for (int f = 0; f <= FILTERS; f++)
                        error[f] += s->error[f][(size_t)j * (size_t)w + (size_t)i];
            int best = FILTERS;
            for (int f = 0; f < FILTERS; f++)
                if (error[f] < error[best]) best = f;
            s->choice[(size_t)y * (size_t)w + (size_t)x] = (uint8_t)best;
        }
}

static float unfiltered(const smoothing *s, int k, size_t i)
{
    const film_pixel *p = &s->film->pixel[i];
    const float first = (float)p->count[0], second = (float)p->count[1];
    return (first * s->color[0][k][i] + second * s->color[1][k][i]) / (first + second);
}

/* The chosen filters, mixed where neighbouring pixels choose differently. */
static void mix_rows(void *arg, size_t begin, size_t end, int worker)
{
    const smoothing *s = arg;
    const int w = s->film->width, h = s->film->height;
    (void)worker;
    for (int y = (int)begin; y < (int)end; y++)
        for (int x = 0; x < w; x++) {
            const size_t at = (size_t)y * (size_t)w + (size_t)x;
            float votes[FILTERS + 1] = {0}, all = 0;
            for (int j = most(y - 1, 0); j <= least(y + 1, h - 1); j++)
                for (int i = most(x - 1, 0); i <= least(x + 1, w - 1); i++, all++)
                    votes[s->choice[(size_t)j * (size_t)w + (size_t)i]]++;
            for (int k = 0; k < 3; k++) {
                float c = votes[FILTERS] * unfiltered(s, k, at);
                for (int f = 0; f < FILTERS; f++) c += votes[f] * s->filtered[f][k][at];
                s->out[3 * at + (size_t)k] = c / all;
            }
        }
}

static rill_status make_planes(rill_ctx *ctx, smoothing *s)
{
    enum { PLANES = 6 + 3 + 3 + 6 + 3 * FILTERS + FILTERS + 1 };
    const size_t pixels = (size_t)s->film->width * (size_t)s->film->height;
    TRY(MEM_NEW(ctx, s->memory, PLANES * pixels));
    TRY(MEM_NEW(ctx, s->choice, pixels));
    TRY(MEM_NEW(ctx, s->bands, (size_t)parallel_workers(ctx) * BAND_ROWS * (size_t)s->film->width));
    float *next = s->memory;
    for (int k = 0; k < 3; k++) {
        for (int half = 0; half < 2; half++, next += pixels) s->color[half][k] = next;
        for (int f = 0; f < FILTERS; f++, next += pixels) s->filtered[f][k] = next;
        s->variance[k] = next, next += pixels;
        s->raw[k] = next, next += pixels;
        s->guide[k] = next, next += pixels;
        s->guide[3 + k] = next, next += pixels;
    }
    for (int f = 0; f <= FILTERS; f++, next += pixels) s->error[f] = next;
    return RILL_OK;
}

rill_status film_denoised(rill_ctx *ctx, const film *f, path_picture *out)
{
    path_picture p = {0};
    smoothing s = {.film = f};
    const size_t rows = (size_t)f->height;
    rill_status st = picture_create(ctx, f->width, f->height, &p);
    if (!st) st = make_planes(ctx, &s);
    if (!st) {
        s.out = p.rgb;
        parallel_for(ctx, rows, BAND, see_rows, &s);
        parallel_for(ctx, rows, BAND, darken_rows, &s);
        parallel_for(ctx, rows, BAND, calibrate_rows, &s);
        parallel_for(ctx, rows, BAND, filter_rows, &s);
        parallel_for(ctx, rows, BAND, choose_rows, &s);
        parallel_for(ctx, rows, BAND, mix_rows, &s);
    }
    mem_free(ctx, s.memory);
    mem_free(ctx, s.choice);
    mem_free(ctx, s.bands);
    if (st)
        picture_clear(ctx, &p);
    else
        *out = p;
    return st;
}
