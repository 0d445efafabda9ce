#include "render/path/haze.h"

#include "render/smoke.h"
#include "volume/fields.h"

enum { COARSE = 64 /* cells along the longest side, at most */, MOST_EVENTS = 1 << 20 };

void haze_clear(rill_ctx *ctx, haze *h)
{
    volume_clear(ctx, &h->density);
    mem_free(ctx, h->most);
    *h = (haze){0};
}

/* ---- the coarse grid ---- */

/* The cell of a place along one axis, or the nearest one. */
static int place_in(const haze *h, double x, int axis)
{
    const double at = (x - v3_axis(h->origin, axis)) / h->cell;
    return !(at > 0) ? 0 : at < h->n[axis] ? (int)at : h->n[axis] - 1;
}

/* Between two samples the density is at most the larger one: a sample counts in every cell that the samples
 * around it may be in. */
static void spread(const haze *h, rill_vec3 x, float value)
{
    int low[3], high[3];
    for (int a = 0; a < 3; a++) {
        low[a] = place_in(h, v3_axis(x, a) - 1.001 * h->density.cell, a);
        high[a] = place_in(h, v3_axis(x, a) + 1.001 * h->density.cell, a);
    }
    for (int k = low[2]; k <= high[2]; k++)
        for (int j = low[1]; j <= high[1]; j++)
            for (int i = low[0]; i <= high[0]; i++) {
                float *most =
                    &h->most[((size_t)k * (size_t)h->n[1] + (size_t)j) * (size_t)h->n[0] + (size_t)i];
                if (value > *most) *most = value;
            }
}

static rill_status coarse_init(rill_ctx *ctx, haze *h)
{
    const volume *v = &h->density;
    rill_box b = box_empty();
    for (uint32_t k = 0; k < v->map.count; k++) {
        b = box_with(b, volume_place(v, k, 0));
        b = box_with(b, volume_place(v, k, VOLUME_SAMPLES - 1));
    }
    if (v->map.count == 0) return RILL_OK;
    b = box_grown(b, 1.01 * v->cell); /* as far as the outermost samples reach */
    const rill_vec3 size = box_size(b);
    h->cell = fmax(2 * v->cell, fmax(size.x, fmax(size.y, size.z)) / COARSE);
    h->origin = b.min;
    size_t cells = 1;
    for (int a = 0; a < 3; a++) {
        h->n[a] = (int)fmax(ceil(v3_axis(size, a) / h->cell), 1);
        cells *= (size_t)h->n[a];
    }
    TRY(MEM_NEW_ZERO(ctx, h->most, cells));
    for (uint32_t k = 0; k < v->map.count; k++)
        for (int i = 0; i < VOLUME_SAMPLES; i++) {
            const float value = v->value[(size_t)k * VOLUME_SAMPLES + (size_t)i];
            if (value > 0) spread(h, volume_place(v, k, i), value);
        }
    return RILL_OK;
}

rill_status haze_of_volume(rill_ctx *ctx, volume *density, double extinction, const scene_haze *look,
                           haze *out)
{
    haze h = {.density = *density, .extinction = extinction, .look = *look};
    *density = (volume){0};
    const rill_status st = coarse_init(ctx, &h);
    if (st)
        haze_clear(ctx, &h);
    else
        *out = h;
    return st;
}

rill_status haze_create(rill_ctx *ctx, const rill_scene *scene, const rill_view *view, haze *out)
{
    volume density = {0};
    double extinction = 0;
    TRY(smoke_field(ctx, scene, view, view->domain, &density, &extinction));
    return haze_of_volume(ctx, &density, extinction, &scene->render.smoke, out);
}

/* ---- along a ray ---- */

/* A ray through the coarse grid, one cell after the other. */
typedef struct {
    const haze *h;
    rill_vec3 origin, direction;
    double t, end, to; /* where it is; where it leaves its cell; where it leaves the grid */
    double most;       /* extinction in the cell, at most, 1/m */
} walk;

static void enter_cell(walk *w)
{
    const haze *h = w->h;
    const rill_vec3 x = v3_madd(w->origin, w->t + 1e-7 * h->cell, w->direction);
    int at[3];
    w->end = w->to;
    for (int a = 0; a < 3; a++) {
        at[a] = place_in(h, v3_axis(x, a), a);
        const double v = v3_axis(w->direction, a);
        const double side = v3_axis(h->origin, a) + (at[a] + (v > 0)) * h->cell;
        if (v != 0) w->end = fmin(w->end, (side - v3_axis(w->origin, a)) / v);
    }
    w->end = fmax(w->end, w->t + 1e-6 * h->cell); /* on, whatever rounding says */
    const size_t cell = ((size_t)at[2] * (size_t)h->n[1] + (size_t)at[1]) * (size_t)h->n[0] + (size_t)at[0];
    w->most = (double)h->most[cell] * h->extinction;
}

/* False: the ray does not meet the grid. */
static bool walk_begin(const haze *h, rill_vec3 o, rill_vec3 d, double to, walk *w)
{
    double from = 0;
    if (!h->most) return false;
    for (int a = 0; a < 3; a++) {
        const double x = v3_axis(o, a), v = v3_axis(d, a), low = v3_axis(h->origin, a),
                     high = low + h->n[a] * h->cell;
        if (v == 0) {
            if (x < low || x > high) return false;
            continue;
        }
        from = fmax(from, ((v > 0 ? low : high) - x) / v);
        to = fmin(to, ((v > 0 ? high : low) - x) / v);
    }
    if (!(from < to)) return false;
    *w = (walk){.h = h, .origin = o, .direction = d, .t = from, .to = to};
    enter_cell(w);
    return true;
}

/* To the next collision with a medium of the largest density; false: there is none before the end. */
static bool walk_on(walk *w, dice *d)
{
    for (int i = 0; i < MOST_EVENTS; i++) {
        if (w->most > 0) {
            w->t += -log1p(-dice_one(d)) / w->most;
            if (w->t < w->end) return w->t < w->to;
        }
        w->t = w->end; /* nothing is remembered of the way so far */
        if (!(w->t < w->to)) return false;
        enter_cell(w);
    }
    return false;
}

/* The share of such a collision that is a real one. */
static double real_share(const walk *w)
{
    float density;
    volume_at(&w->h->density, v3_madd(w->origin, w->t, w->direction), &density);
    return fmin(1, (double)density * w->h->extinction / w->most);
}

bool haze_collide(const haze *h, rill_vec3 origin, rill_vec3 direction, double to, dice *d, double *t)
{
    walk w;
    if (!walk_begin(h, origin, direction, to, &w)) return false;
    for (int i = 0; i < MOST_EVENTS && walk_on(&w, d); i++)
        if (dice_one(d) < real_share(&w)) {
            *t = w.t;
            return true;
        }
    return false;
}

double haze_through(const haze *h, rill_vec3 origin, rill_vec3 direction, double to, dice *d)
{
    walk w;
    double share = 1;
    if (!walk_begin(h, origin, direction, to, &w)) return 1;
    for (int i = 0; i < MOST_EVENTS && walk_on(&w, d); i++) {
        share *= 1 - real_share(&w);
        if (share < 0.05) { /* Russian roulette */
            if (dice_one(d) >= 0.5) return 0;
            share *= 2;
        }
    }
    return share;
}

/* ---- directions ---- */

double haze_phase(const haze *h, double cosine)
{
    const double g = h->look.forward, k = 1 + g * g - 2 * g * cosine;
    return (1 - g * g) / (4 * OPTICS_PI * k * sqrt(k));
}

rill_vec3 haze_scatter(const haze *h, rill_vec3 direction, const double random[2])
{
    const double g = h->look.forward, turn = 2 * OPTICS_PI * random[1];
    double c = 1 - 2 * random[0];
    if (fabs(g) > 1e-3) {
        const double k = (1 - g * g) / (1 - g + 2 * g * random[0]);
        c = (1 + g * g - k * k) / (2 * g);
    }
    c = fmin(fmax(c, -1), 1);
    const double s = sqrt(1 - c * c);
    const optics_frame f = optics_frame_of(direction);
    return v3_unit(optics_world(&f, v3(s * cos(turn), s * sin(turn), c)));
}
