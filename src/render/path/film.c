#include "render/path/film.h"

#include "base/parallel.h"

enum { TILE = 16, SEED = 1 };
static const double dark = 0.02; /* brightness below which noise is not seen */

typedef struct {
    const film_def *def;
    film *film;
    uint8_t *wanted; /* per pixel: it gets the next round */
    int first, last; /* samples of the round */
    int columns;
} exposing;

static void lens_ray(const film_def *def, const film *f, double x, double y, const double spot[2],
                     rill_vec3 *o, rill_vec3 *d)
{
    const camera *c = def->camera;
    camera_ray(c, f->width, f->height, x, y, o, d);
    if (!(def->aperture > 0) || c->flat) return;
    const rill_vec3 sharp = v3_madd(*o, def->focus / v3_dot(*d, c->forward), *d);
    const rill_vec3 at = optics_cosine(spot[0], spot[1]); /* even over the disc */
    *o = v3_madd(v3_madd(*o, def->aperture / 2 * at.x, c->right), def->aperture / 2 * at.y, c->up);
    *d = v3_unit(v3_sub(sharp, *o));
}

static void add3(float *sum, rill_vec3 v)
{
    sum[0] += (float)v.x, sum[1] += (float)v.y, sum[2] += (float)v.z;
}

/* The half of the samples that sample k belongs to. */
static int half_of(const film_def *def, int k)
{
    return (def->samples < 2 * FILM_BLOCK ? k : k / FILM_BLOCK) & 1;
}

static void expose_pixel(const exposing *e, int x, int y)
{
    const film *f = e->film;
    const size_t id = (size_t)y * (size_t)f->width + (size_t)x;
    film_pixel *p = &f->pixel[id];
    for (int k = e->first; k < e->last; k++) {
        dice d = dice_of(id, (uint32_t)k, SEED);
        double at[2], spot[2];
        dice_throw(&d, at);
        dice_throw(&d, spot);
        const double share = dice_one(&d);
        rill_vec3 o, way;
        trace_guide guide;
        lens_ray(e->def, f, x + at[0], y + at[1], spot, &o, &way);
        const rill_vec3 c = trace_path(e->def->tracer, o, way, share, &d, &guide);
        const int half = half_of(e->def, k);
        add3(p->sum[half], c);
        add3(p->square, v3_times(c, c));
        add3(p->normal, guide.normal);
        add3(p->albedo, guide.albedo);
        p->count[half]++;
    }
}

static void measure(film_pixel *p)
{
    const double n = film_count(p);
    rill_vec3 mean, spread;
    double m[3], v[3];
    for (int k = 0; k < 3; k++) {
        m[k] = ((double)p->sum[0][k] + (double)p->sum[1][k]) / n;
        v[k] = fmax(0, (double)p->square[k] / n - m[k] * m[k]) / fmax(n - 1, 1);
    }
    mean = v3(m[0], m[1], m[2]), spread = v3(sqrt(v[0]), sqrt(v[1]), sqrt(v[2]));
    p->error = (float)(v3_luminance(spread) / (v3_luminance(mean) + dark));
}

static void expose_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const exposing *e = arg;
    const film *f = e->film;
    (void)worker;
    for (size_t tile = begin; tile < end; tile++) {
        const int x0 = (int)(tile % (size_t)e->columns) * TILE, y0 = (int)(tile / (size_t)e->columns) * TILE;
        for (int y = y0; y < y0 + TILE && y < f->height; y++)
            for (int x = x0; x < x0 + TILE && x < f->width; x++) {
                const size_t id = (size_t)y * (size_t)f->width + (size_t)x;
                if (!e->wanted[id]) continue;
                expose_pixel(e, x, y);
                measure(&f->pixel[id]);
            }
    }
}

/* Which pixels need another round; their number. A pixel that left one out does not come back, so that the
 * numbers of its samples follow each other. */
static size_t choose(const exposing *e)
{
    const film *f = e->film;
    size_t count = 0;
    for (int y = 0; y < f->height; y++)
        for (int x = 0; x < f->width; x++) {
            const size_t id = (size_t)y * (size_t)f->width + (size_t)x;
            if (!e->wanted[id]) continue;
            bool more = !(e->def->noise > 0);
            for (int j = y - 1; j <= y + 1 && !more; j++)
                for (int i = x - 1; i <= x + 1 && !more; i++)
                    if (i >= 0 && j >= 0 && i < f->width && j < f->height)
                        more =
                            (double)f->pixel[(size_t)j * (size_t)f->width + (size_t)i].error > e->def->noise;
            e->wanted[id] = more;
            count += more;
        }
    return count;
}

static rill_status expose(rill_ctx *ctx, exposing *e)
{
    const film *f = e->film;
    const size_t pixels = (size_t)f->width * (size_t)f->height;
    const size_t tiles = (size_t)e->columns * (size_t)((f->height + TILE - 1) / TILE);
    for (size_t i = 0; i < pixels; i++) e->wanted[i] = 1;
    for (e->first = 0; e->first < e->def->samples; e->first = e->last) {
        e->last = e->first + FILM_ROUND < e->def->samples ? e->first + FILM_ROUND : e->def->samples;
        if (rill_cancelled(ctx)) return rill_fail(ctx, RILL_CANCELLED, "stopped while a picture was made");
        parallel_for(ctx, tiles, 1, expose_tiles, e);
        if (choose(e) == 0) break;
    }
    return RILL_OK;
}

rill_status film_expose(rill_ctx *ctx, const film_def *def, int width, int height, film *out)
{
    film f = {.width = width, .height = height};
    exposing e = {.def = def, .film = &f, .columns = (width + TILE - 1) / TILE};
    const size_t pixels = (size_t)width * (size_t)height;
    rill_status st = MEM_NEW_ZERO(ctx, f.pixel, pixels);
    if (!st) st = MEM_NEW(ctx, e.wanted, pixels);
    if (!st) st = expose(ctx, &e);
    mem_free(ctx, e.wanted);
    if (st)
        film_clear(ctx, &f);
    else
        *out = f;
    return st;
}

void film_clear(rill_ctx *ctx, film *f)
{
    mem_free(ctx, f->pixel);
    *f = (film){0};
}

rill_status film_picture(rill_ctx *ctx, const film *f, path_picture *out)
{
    path_picture p = {0};
    TRY(picture_create(ctx, f->width, f->height, &p));
    for (size_t i = 0; i < (size_t)f->width * (size_t)f->height; i++)
        for (int k = 0; k < 3; k++)
            p.rgb[3 * i + (size_t)k] =
                (f->pixel[i].sum[0][k] + f->pixel[i].sum[1][k]) / (float)film_count(&f->pixel[i]);
    *out = p;
    return RILL_OK;
}
