#include "render/smoke.h"

#include "base/parallel.h"
#include "base/random.h"
#include "render/shade.h"

enum { COARSE = 96 /* cells along the longest side */ };
static const double forward = 0.25; /* g of the phase function */
static const double opaque = 12;    /* optical depth from which nothing behind is seen */
static const double unseen = 1e-6;  /* optical depth that changes no pixel */
static const rill_vec3 sky_light = {0.30, 0.34, 0.41}, sun_light = {0.95, 0.89, 0.80},
                       tint = {0.86, 0.87, 0.90};

void smoke_clear(rill_ctx *ctx, smoke *s)
{
    volume_clear(ctx, &s->density);
    mem_free(ctx, s->thick);
    mem_free(ctx, s->light);
    mem_free(ctx, s->open);
    *s = (smoke){0};
}

/* ---- the coarse grid ---- */

static size_t coarse_index(const smoke *s, const int at[3])
{
    return ((size_t)at[2] * (size_t)s->n[1] + (size_t)at[1]) * (size_t)s->n[0] + (size_t)at[0];
}

static rill_box coarse_box(const smoke *s)
{
    return (rill_box){s->origin, v3_madd(s->origin, s->cell, v3(s->n[0], s->n[1], s->n[2]))};
}

/* The cell of a place; false: outside. */
static bool coarse_at(const smoke *s, rill_vec3 x, int at[3])
{
    for (int a = 0; a < 3; a++) {
        const double y = (v3_axis(x, a) - v3_axis(s->origin, a)) / s->cell;
        if (!(y >= 0 && y < s->n[a])) return false;
        at[a] = (int)y;
    }
    return true;
}

static void thicken(smoke *s)
{
    const volume *v = &s->density;
    const double share = pow(v->cell / s->cell, 3);
    for (uint32_t b = 0; b < v->map.count; b++)
        for (int k = 0; k < VOLUME_SAMPLES; k++) {
            const float value = v->value[(size_t)b * VOLUME_SAMPLES + (size_t)k];
            int at[3];
            if (value > 0 && coarse_at(s, volume_place(v, b, k), at))
                s->thick[coarse_index(s, at)] += (float)(share * (double)value);
        }
}

static rill_status coarse_init(rill_ctx *ctx, smoke *s)
{
    const volume *v = &s->density;
    rill_box b = box_empty();
    for (uint32_t k = 0; k < v->map.count; k++) {
        b = box_with(b, volume_place(v, k, 0));
        b = box_with(b, volume_place(v, k, VOLUME_SAMPLES - 1));
    }
    if (v->map.count == 0) return RILL_OK;
    b = box_grown(b, 0.5 * v->cell); /* no sample on the border of two cells */
    const rill_vec3 size = box_size(b);
    s->cell = fmax(2 * v->cell, fmax(size.x, fmax(size.y, size.z)) / COARSE);
    s->origin = b.min;
    size_t cells = 1;
    for (int a = 0; a < 3; a++) {
        s->n[a] = (int)ceil(v3_axis(size, a) / s->cell);
        cells *= (size_t)s->n[a];
    }
    TRY(MEM_NEW_ZERO(ctx, s->thick, cells));
    TRY(MEM_NEW_ZERO(ctx, s->light, cells));
    TRY(MEM_NEW_ZERO(ctx, s->open, cells));
    thicken(s);
    return RILL_OK;
}

/* The part of a ray in the coarse grid. */
static bool clip(const smoke *s, rill_vec3 o, rill_vec3 d, double *from, double *to)
{
    const rill_box b = coarse_box(s);
    if (!s->thick) return false;
    for (int a = 0; a < 3; a++) {
        const double x = v3_axis(o, a), v = v3_axis(d, a), low = v3_axis(b.min, a), high = v3_axis(b.max, a);
        if (v == 0) {
            if (x < low || x > high) return false;
            continue;
        }
        *from = fmax(*from, ((v > 0 ? low : high) - x) / v);
        *to = fmin(*to, ((v > 0 ? high : low) - x) / v);
    }
    return *from < *to;
}

double smoke_shadow(const smoke *s, rill_vec3 origin, rill_vec3 direction)
{
    double from = 0, to = INFINITY, depth = 0;
    if (!clip(s, origin, direction, &from, &to)) return 1;
    for (double t = from + 0.5 * s->cell; t < to && depth < opaque; t += s->cell) {
        int at[3];
        if (coarse_at(s, v3_madd(origin, t, direction), at))
            depth +=
                (double)s->thick[coarse_index(s, at)] * s->extinction * fmin(s->cell, to - t + 0.5 * s->cell);
    }
    return exp(-depth);
}

typedef struct {
    const smoke *s;
    const stage *set;
    const camera *eye;
    int width, height;
    mist_pixel *out;
} job;

/* Whether any coarse cell around has smoke: a sample's reach goes one fine cell beyond its own. */
static bool empty_around(const smoke *s, const int at[3])
{
    for (int z = -1; z <= 1; z++)
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++) {
                const int c[3] = {at[0] + x, at[1] + y, at[2] + z};
                if (c[0] < 0 || c[1] < 0 || c[2] < 0 || c[0] >= s->n[0] || c[1] >= s->n[1] || c[2] >= s->n[2])
                    continue;
                if (s->thick[coarse_index(s, c)] > 0) return false;
            }
    return true;
}

/* The share of the sky's light: five directions, each as far as smoke goes. */
static double open_at(const smoke *s, rill_vec3 x)
{
    static const rill_vec3 up[5] = {{0, 1, 0}, {0.8, 0.6, 0}, {-0.8, 0.6, 0}, {0, 0.6, 0.8}, {0, 0.6, -0.8}};
    double sum = 0;
    for (int k = 0; k < 5; k++) sum += smoke_shadow(s, x, up[k]);
    return sum / 5;
}

static void light_cells(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    const smoke *s = j->s;
    const size_t nx = (size_t)s->n[0], ny = (size_t)s->n[1];
    for (size_t c = begin; c < end; c++) {
        const rill_vec3 x =
            v3_madd(s->origin, s->cell,
                    v3((double)(c % nx) + 0.5, (double)(c / nx % ny) + 0.5, (double)(c / nx / ny) + 0.5));
        const bool dark = stage_solid_blocks(j->set, x, shade_sun, 0, 4 * j->set->size);
        s->light[c] = dark ? 0 : (float)smoke_shadow(s, x, shade_sun);
        s->open[c] = (float)open_at(s, x);
    }
}

/* Both kinds of light between the middles of the coarse cells. */
static void light_at(const smoke *s, rill_vec3 x, double *sun, double *sky)
{
    const rill_vec3 y = v3_scale(v3_sub(x, s->origin), 1 / s->cell);
    int low[3];
    double f[3];
    for (int a = 0; a < 3; a++) {
        const double at = fmin(fmax(v3_axis(y, a) - 0.5, 0), s->n[a] - 1);
        low[a] = (int)at;
        f[a] = at - low[a];
    }
    *sun = *sky = 0;
    for (int corner = 0; corner < 8; corner++) {
        int at[3];
        double w = 1;
        for (int a = 0; a < 3; a++) {
            at[a] = low[a] + (corner >> a & 1);
            w *= corner >> a & 1 ? f[a] : 1 - f[a];
        }
        if (!(w > 0)) continue; /* beyond the last cell, among others */
        *sun += w * (double)s->light[coarse_index(s, at)];
        *sky += w * (double)s->open[coarse_index(s, at)];
    }
}

bool smoke_possible(const rill_view *view)
{
    return view->tracers || (view->cells && particles_column(view->cells, "soot"));
}

/* The densest soot that any source gives at the time, or ever gave. */
static double densest(const rill_scene *scene, double t)
{
    double most = 0;
    for (uint32_t k = 0; k < scene->smoke_count; k++)
        most = fmax(most, fmax(scene->smoke[k].density, smoke_density(&scene->smoke[k], t)));
    return most;
}

rill_status smoke_field(rill_ctx *ctx, const rill_scene *scene, const rill_view *view, rill_box domain,
                        volume *density, double *extinction)
{
    const bool soot = view->cells && particles_column(view->cells, "soot");
    if (view->tracers && (!soot || volume_has_tracers(scene))) {
        const stage set = {.domain = domain}; /* all that the thickness of mist asks for */
        *extinction = mist_of_tracers(scene, view->tracers, &set).area * scene->volume.thickness;
        return volume_of_tracers(ctx, scene, view->tracers, density);
    }
    const rill_vec3 size = box_size(domain);
    const double most = densest(scene, view->time) * fmax(size.x, fmax(size.y, size.z));
    *extinction = most > 0 ? 10 * scene->volume.thickness / most : 0;
    return volume_of_soot(ctx, scene, view->cells, density);
}

rill_status smoke_create(rill_ctx *ctx, const rill_scene *scene, const rill_view *view, const stage *set,
                         smoke *out)
{
    smoke s = {0};
    rill_status st = smoke_field(ctx, scene, view, set->domain, &s.density, &s.extinction);
    if (!st) st = coarse_init(ctx, &s);
    if (st) {
        smoke_clear(ctx, &s);
        return st;
    }
    const job j = {.s = &s, .set = set};
    if (s.light)
        parallel_for(ctx, (size_t)s.n[0] * (size_t)s.n[1] * (size_t)s.n[2], 512, light_cells, (void *)&j);
    *out = s;
    return RILL_OK;
}

/* ---- rays ---- */

/* How far it is from t to where the ray leaves the coarse cell at x. */
static double way_out(const smoke *s, const int at[3], rill_vec3 x, rill_vec3 d)
{
    double way = INFINITY;
    for (int a = 0; a < 3; a++) {
        const double v = v3_axis(d, a), side = v3_axis(s->origin, a) + (at[a] + (v > 0)) * s->cell;
        if (v != 0) way = fmin(way, (side - v3_axis(x, a)) / v);
    }
    return fmax(way, 0);
}

static mist_pixel march(const smoke *s, rill_vec3 o, rill_vec3 d, double far, double start)
{
    double from = 0, to = far, depth = 0;
    mist_pixel p = {0};
    if (!clip(s, o, d, &from, &to)) return p;
    const double step = 0.7 * s->density.cell;
    const double facing = v3_dot(d, shade_sun), g = forward;
    const double phase = (1 - g * g) / pow(1 + g * g - 2 * g * facing, 1.5);
    rill_vec3 sum = v3(0, 0, 0);
    for (double t = from + start * step; t < to && depth < opaque; t += step) {
        const rill_vec3 x = v3_madd(o, t, d);
        int at[3];
        if (!coarse_at(s, x, at)) continue;
        if (empty_around(s, at)) { /* whole steps, so that samples stay where they are */
            t += step * floor(way_out(s, at, x, d) / step);
            continue;
        }
        float density;
        volume_at(&s->density, x, &density);
        if (!(density > 0)) continue;
        const double own = (double)density * s->extinction * fmin(step, to - t);
        const double seen = exp(-depth) * -expm1(-own);
        double sun, sky;
        light_at(s, x, &sun, &sky);
        sum = v3_madd(sum, seen, v3_madd(v3_scale(sky_light, sky), phase * sun, sun_light));
        depth += own;
    }
    if (!(depth > unseen)) return p;
    const double cover = -expm1(-depth);
    p.depth = (float)depth;
    p.color[0] = (float)(sum.x * tint.x / cover);
    p.color[1] = (float)(sum.y * tint.y / cover);
    p.color[2] = (float)(sum.z * tint.z / cover);
    return p;
}

static void draw_pixels(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    for (size_t i = begin; i < end; i++) {
        rill_vec3 o, d;
        camera_ray(j->eye, j->width, j->height, (double)(i % (size_t)j->width) + 0.5,
                   (double)(i / (size_t)j->width) + 0.5, &o, &d);
        const random4 r = random_at(0x736d6f6b, i, 0, 0); /* where steps begin: noise instead of bands */
        j->out[i] = march(j->s, o, d, stage_solid_way(j->set, o, d), r.v[0] * 0x1p-32);
    }
}

rill_status smoke_draw(rill_ctx *ctx, const smoke *s, const stage *set, const camera *eye, int width,
                       int height, mist_pixel *out)
{
    const job j = {.s = s, .set = set, .eye = eye, .width = width, .height = height, .out = out};
    parallel_for(ctx, (size_t)width * (size_t)height, 256, draw_pixels, (void *)&j);
    return RILL_OK;
}
