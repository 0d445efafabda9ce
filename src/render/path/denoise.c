/* Noise is smoothed away by averaging each pixel with those around it that show the same: non-local means
 * with the variance taken out of the differences (Rousselle et al. 2012), guided by normals and colours of
 * what is seen, which have little noise (2013). Each half of the samples is averaged with the weights of the
 * other, so that the noise does not choose what it is averaged with. Single pixels far too bright are
 * taken down before. */
#include "render/path/film.h"

#include "base/parallel.h"

enum { REACH = 6, PATCH = 1, BLOCK = 4 /* rows */ };
static const double damping = 0.5;                            /* of the differences of colour, their k */
static const double normal_scale = 0.12, albedo_scale = 0.06; /* differences that count */
static const double tiny = 1e-6;

/* What a pixel is compared by, per half: colour, and the variance of it. */
typedef struct {
    float color[2][3], variance[2][3], guide[6];
} seen;

typedef struct {
    const film *film;
    seen *seen;
    float *out;
} smoothing;

static void see_rows(void *arg, size_t begin, size_t end, int worker)
{
    const smoothing *s = arg;
    const size_t width = (size_t)s->film->width;
    (void)worker;
    for (size_t i = begin * width; i < end * width; i++) {
        const film_pixel *p = &s->film->pixel[i];
        seen *q = &s->seen[i];
        const float n = (float)p->count, odd = (float)(p->count / 2), even = n - odd;
        for (int k = 0; k < 3; k++) {
            const float mean = (p->sum[0][k] + p->sum[1][k]) / n, spread = p->square[k] / n - mean * mean;
            const float variance = spread > 0 ? spread / (n > 1 ? n - 1 : 1) : 0;
            q->color[0][k] = p->sum[0][k] / even;
            q->color[1][k] = odd > 0 ? p->sum[1][k] / odd : q->color[0][k];
            q->variance[0][k] = q->variance[1][k] = 2 * variance;
            q->guide[k] = p->normal[k] / n;
            q->guide[3 + k] = p->albedo[k] / n;
        }
    }
}

static double brightness(const film_pixel *p)
{
    const rill_vec3 all =
        v3(p->sum[0][0] + p->sum[1][0], p->sum[0][1] + p->sum[1][1], p->sum[0][2] + p->sum[1][2]);
    return v3_luminance(all) / p->count;
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

/* A pixel far brighter than nearly all around it has met a path of great weight: one that would show as a
 * patch, as wide as what is averaged, of light that is not there. It is taken down to what they have. */
static void tame_rows(void *arg, size_t begin, size_t end, int worker)
{
    const smoothing *s = arg;
    (void)worker;
    for (size_t y = begin; y < end; y++)
        for (int x = 0; x < s->film->width; x++) {
            seen *q = &s->seen[y * (size_t)s->film->width + (size_t)x];
            const double most = 3 * bright_around(s->film, x, (int)y) + 0.05;
            for (int half = 0; half < 2; half++) {
                const float *c = q->color[half];
                const double b = v3_luminance(v3(c[0], c[1], c[2]));
                const float less = b > most ? (float)(most / b) : 1;
                for (int k = 0; k < 3; k++) q->color[half][k] *= less, q->variance[half][k] *= less * less;
            }
        }
}

/* Squared difference of two pixels in one half, less what noise explains, over the noise. */
static double difference(const seen *a, const seen *b, int half)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        const double d = (double)a->color[half][k] - (double)b->color[half][k], va = a->variance[half][k],
                     vb = b->variance[half][k];
        sum += (d * d - (va + fmin(va, vb))) / (tiny + damping * damping * (va + vb));
    }
    return sum / 3;
}

static double guided(const seen *a, const seen *b)
{
    double n = 0, c = 0;
    for (int k = 0; k < 3; k++) {
        const double dn = (double)a->guide[k] - (double)b->guide[k],
                     dc = (double)a->guide[3 + k] - (double)b->guide[3 + k];
        n += dn * dn, c += dc * dc;
    }
    return exp(-n / (2 * normal_scale * normal_scale) - c / (2 * albedo_scale * albedo_scale));
}

/* Of the patches around two pixels; what is outside of the picture is left out. */
static double patch_weight(const smoothing *s, int x, int y, int dx, int dy, int half)
{
    const int w = s->film->width, h = s->film->height;
    double sum = 0;
    int count = 0;
    for (int j = y - PATCH; j <= y + PATCH; j++)
        for (int i = x - PATCH; i <= x + PATCH; i++) {
            if (i < 0 || j < 0 || i >= w || j >= h || i + dx < 0 || j + dy < 0 || i + dx >= w || j + dy >= h)
                continue;
            sum += difference(&s->seen[(size_t)j * (size_t)w + (size_t)i],
                              &s->seen[(size_t)(j + dy) * (size_t)w + (size_t)(i + dx)], half);
            count++;
        }
    return exp(-fmax(0, sum / count));
}

static void smooth_pixel(const smoothing *s, int x, int y)
{
    const int w = s->film->width, h = s->film->height;
    const seen *a = &s->seen[(size_t)y * (size_t)w + (size_t)x];
    double sum[2][3] = {{0}}, weight[2] = {0};
    for (int dy = -REACH; dy <= REACH; dy++)
        for (int dx = -REACH; dx <= REACH; dx++) {
            if (x + dx < 0 || y + dy < 0 || x + dx >= w || y + dy >= h) continue;
            const seen *b = &s->seen[(size_t)(y + dy) * (size_t)w + (size_t)(x + dx)];
            const double alike = guided(a, b);
            if (alike < 1e-3) continue;
            for (int half = 0; half < 2; half++) {
                const double c = fmin(alike, patch_weight(s, x, y, dx, dy, 1 - half));
                weight[half] += c;
                for (int k = 0; k < 3; k++) sum[half][k] += c * (double)b->color[half][k];
            }
        }
    for (int k = 0; k < 3; k++)
        s->out[3 * ((size_t)y * (size_t)w + (size_t)x) + (size_t)k] =
            (float)((sum[0][k] / weight[0] + sum[1][k] / weight[1]) / 2);
}

static void smooth_rows(void *arg, size_t begin, size_t end, int worker)
{
    const smoothing *s = arg;
    (void)worker;
    for (size_t y = begin; y < end; y++)
        for (int x = 0; x < s->film->width; x++) smooth_pixel(s, x, (int)y);
}

rill_status film_denoised(rill_ctx *ctx, const film *f, path_picture *out)
{
    path_picture p = {0};
    smoothing s = {.film = f};
    rill_status st = picture_create(ctx, f->width, f->height, &p);
    if (!st) st = MEM_NEW(ctx, s.seen, (size_t)f->width * (size_t)f->height);
    if (!st) {
        s.out = p.rgb;
        parallel_for(ctx, (size_t)f->height, BLOCK, see_rows, &s);
        parallel_for(ctx, (size_t)f->height, BLOCK, tame_rows, &s);
        parallel_for(ctx, (size_t)f->height, BLOCK, smooth_rows, &s);
    }
    mem_free(ctx, s.seen);
    if (st)
        picture_clear(ctx, &p);
    else
        *out = p;
    return st;
}
