#include "render/slice.h"

#include "base/arena.h"
#include "base/parallel.h"
#include "base/plain.h"
#include "flow/solids.h"
#include "geom/nearest.h"
#include "render/canvas.h"
#include "render/range.h"
#include "render/shade.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MARGIN = 24, LEGEND = 96, BAR = 16 };
static const rgb paper = {250, 250, 250}, ink = {30, 30, 30}, solid_fill = {170, 170, 170},
                 solid_edge = {90, 90, 90};

/* Where the plane's points are in the picture. */
typedef struct {
    int across, up;          /* axes of the world */
    double left, top, scale; /* pixels of the domain's corner, and a metre */
    rill_box domain;
    const slice_def *def;
} frame;

/* x looks along -x (z to the left becomes right: z across), y from above (z down), z from the front. */
static frame frame_of(const slice_def *def, rill_box domain)
{
    static const int across[3] = {2, 0, 0}, up[3] = {1, 2, 1};
    frame f = {.across = across[def->axis], .up = up[def->axis], .domain = domain, .def = def};
    const rill_vec3 size = box_size(domain);
    const double w = v3_axis(size, f.across), h = v3_axis(size, f.up);
    const double room_x = fmax(16, def->width - 2 * MARGIN - LEGEND),
                 room_y = fmax(16, def->height - 2 * MARGIN);
    f.scale = fmin(room_x / w, room_y / h);
    f.left = MARGIN + 0.5 * (room_x - w * f.scale);
    f.top = MARGIN + 0.5 * (room_y - h * f.scale);
    return f;
}

/* The point of the plane at the middle of a pixel; false outside the domain. */
static bool point_at(const frame *f, int x, int y, rill_vec3 *out)
{
    const double a = (x + 0.5 - f->left) / f->scale, b = (y + 0.5 - f->top) / f->scale;
    const rill_vec3 size = box_size(f->domain);
    if (a < 0 || b < 0 || a > v3_axis(size, f->across) || b > v3_axis(size, f->up)) return false;
    v3_set_axis(out, f->def->axis, f->def->at);
    v3_set_axis(out, f->across, v3_axis(f->domain.min, f->across) + a);
    /* y is up; seen from above, z comes towards the viewer */
    v3_set_axis(out, f->up, f->up == 1 ? f->domain.max.y - b : v3_axis(f->domain.min, f->up) + b);
    return true;
}

static void pixel_of(const frame *f, rill_vec3 p, double *x, double *y)
{
    *x = f->left + (v3_axis(p, f->across) - v3_axis(f->domain.min, f->across)) * f->scale;
    *y = f->top +
         (f->up == 1 ? f->domain.max.y - p.y : v3_axis(p, f->up) - v3_axis(f->domain.min, f->up)) * f->scale;
}

rill_status slice_parse(rill_ctx *ctx, const char *given, rill_box domain, slice_def *out)
{
    const int axis = given[0] - 'x';
    double at = axis >= 0 && axis < 3 ? v3_axis(box_center(domain), axis) : 0;
    bool good = axis >= 0 && axis < 3;
    if (good && given[1]) {
        char *end = NULL;
        const locale_t before = plain_begin();
        good = given[1] == '=';
        if (good) at = strtod(given + 2, &end);
        good = good && end != given + 2 && *end == 0 && isfinite(at);
        plain_end(before);
    }
    if (!good)
        return rill_fail(ctx, RILL_USAGE, "--slice takes a plane as x=0.5, y=0.1 or z, not \"%s\"", given);
    if (at < v3_axis(domain.min, axis) || at > v3_axis(domain.max, axis))
        return rill_fail(ctx, RILL_USAGE, "--slice %s is outside the domain, which has %c from %g to %g",
                         given, given[0], v3_axis(domain.min, axis), v3_axis(domain.max, axis));
    out->axis = axis;
    out->at = at;
    return RILL_OK;
}

/* ---- what the plane meets ---- */

typedef struct {
    frame frame;
    const rill_view *view;
    const solids *solids;
    const uint8_t (*color)[3];
    uint32_t *nearest; /* by pixel; UINT32_MAX: none */
    rill_vec3 *place;  /* by pixel inside the domain, packed */
    uint32_t *pixel;   /* of that place */
    image im;
} picture;

static void fill_rows(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    picture *p = arg;
    for (size_t y = begin; y < end; y++)
        for (int x = 0; x < p->im.width; x++) {
            rill_vec3 at = v3(0, 0, 0);
            if (!point_at(&p->frame, x, (int)y, &at)) continue;
            const size_t i = y * (size_t)p->im.width + (size_t)x;
            uint8_t *to = p->im.rgb + 3 * i;
            const double d = p->solids->count ? solids_distance(p->solids, at, p->view->time, NULL) : 1;
            const bool in_solid = d <= 0 && box_contains(box_grown(p->frame.domain, -1e-9), at);
            if (in_solid) {
                const rgb c = -d * p->frame.scale < 1.5 ? solid_edge : solid_fill;
                to[0] = c.r, to[1] = c.g, to[2] = c.b;
                continue;
            }
            const uint32_t n = p->nearest ? p->nearest[i] : UINT32_MAX;
            if (n == UINT32_MAX) continue;
            /* darker where the next pixel belongs to another cell */
            const bool line = (x + 1 < p->im.width && p->nearest[i + 1] != n) ||
                              (y + 1 < (size_t)p->im.height && p->nearest[i + (size_t)p->im.width] != n);
            for (int k = 0; k < 3; k++) to[k] = (uint8_t)(line ? p->color[n][k] * 0.6 : p->color[n][k]);
        }
}

/* The particle nearest to each pixel, up to a spacing away. */
static rill_status find_cells(rill_ctx *ctx, picture *p, rill_arena *arena)
{
    const particles *dots = p->view->particles;
    const size_t pixels = (size_t)p->im.width * (size_t)p->im.height;
    bins sorted;
    uint32_t *found;
    size_t n = 0;
    TRY(ARENA_NEW(arena, p->nearest, pixels));
    memset(p->nearest, 0xFF, pixels * sizeof *p->nearest);
    if (dots->count == 0) return RILL_OK;
    TRY(ARENA_NEW(arena, p->place, pixels));
    TRY(ARENA_NEW(arena, p->pixel, pixels));
    TRY(ARENA_NEW(arena, found, pixels));
    TRY(bins_build(ctx, arena, dots->position, (uint32_t)dots->count, &sorted));
    for (size_t i = 0; i < pixels; i++) {
        rill_vec3 at = v3(0, 0, 0);
        if (!point_at(&p->frame, (int)(i % (size_t)p->im.width), (int)(i / (size_t)p->im.width), &at))
            continue;
        p->place[n] = at;
        p->pixel[n++] = (uint32_t)i;
    }
    const nearest_query q = {
        .points = &sorted, .x = p->place, .count = n, .k = 1, .within = p->view->spacing};
    TRY(nearest_find(ctx, &q, found, NULL, NULL));
    for (size_t k = 0; k < n; k++) p->nearest[p->pixel[k]] = found[k];
    return RILL_OK;
}

static void draw_discs(picture *p)
{
    const particles *dots = p->view->particles;
    const slice_def *def = p->frame.def;
    for (size_t i = 0; i < dots->count; i++) {
        double x, y;
        if (fabs(v3_axis(dots->position[i], def->axis) - def->at) > 0.5 * p->view->spacing) continue;
        pixel_of(&p->frame, dots->position[i], &x, &y);
        const uint8_t *c = p->color[i];
        canvas_disc(&p->im, x, y, fmax(1, 0.4 * p->view->spacing * p->frame.scale), (rgb){c[0], c[1], c[2]});
    }
}

static void draw_edges(picture *p)
{
    const frame *f = &p->frame;
    const rill_vec3 size = box_size(f->domain);
    const double x0 = f->left, y0 = f->top, x1 = x0 + v3_axis(size, f->across) * f->scale,
                 y1 = y0 + v3_axis(size, f->up) * f->scale;
    canvas_line(&p->im, x0, y0, x1, y0, 1, ink);
    canvas_line(&p->im, x0, y1, x1, y1, 1, ink);
    canvas_line(&p->im, x0, y0, x0, y1, 1, ink);
    canvas_line(&p->im, x1, y0, x1, y1, 1, ink);
}

/* The colour bar with its ends, and what and where it is. */
static void draw_legend(picture *p, const render_def *colors)
{
    const int x = p->im.width - LEGEND, top = MARGIN + 20, height = p->im.height - 2 * MARGIN - 40;
    char label[64];
    for (int y = 0; y < height; y++) {
        uint8_t c[3];
        color_map(1 - (double)y / fmax(1, height - 1), c);
        canvas_fill(&p->im, x, top + y, BAR, 1, (rgb){c[0], c[1], c[2]});
    }
    snprintf(label, sizeof label, "%.4g", colors->high);
    canvas_text(&p->im, x + BAR + 4, top - 3, 1, ink, label);
    snprintf(label, sizeof label, "%.4g", colors->low);
    canvas_text(&p->im, x + BAR + 4, top + height - 5, 1, ink, label);
    canvas_text(&p->im, x, top - 16, 1, ink, colors->column);
    snprintf(label, sizeof label, "%c = %.4g m, t = %.4g s", "xyz"[p->frame.def->axis], p -> frame.def->at,
             p->view->time);
    canvas_text(&p->im, MARGIN, p->im.height - 14, 1, ink, label);
}

static rill_status draw(rill_ctx *ctx, picture *p, rill_arena *arena, const slice_def *def)
{
    const particles *dots = p->view->particles;
    render_def colors = {.column = def->column, .low = def->low, .high = def->high};
    uint8_t(*color)[3];
    TRY(ARENA_NEW(arena, color, dots->count));
    if (!colors.column) colors.column = "speed";
    TRY(range_fit(ctx, dots, &colors));
    TRY(range_colors(ctx, dots, &colors, color));
    p->color = (const uint8_t(*)[3])color;
    if (def->cells) TRY(find_cells(ctx, p, arena));
    parallel_for(ctx, (size_t)p->im.height, 8, fill_rows, p);
    if (!def->cells) draw_discs(p);
    draw_edges(p);
    draw_legend(p, &colors);
    return RILL_OK;
}

rill_status slice_draw(rill_ctx *ctx, const rill_scene *scene, const rill_view *view, const slice_def *def,
                       image *out)
{
    rill_arena arena;
    solids walls = {0};
    picture p = {.frame = frame_of(def, view->domain), .view = view, .solids = &walls};
    if (!view->particles)
        return rill_fail(ctx, RILL_USAGE, "a slice is made of particles, and this frame has none");
    TRY(canvas_create(ctx, def->width, def->height, paper, &p.im));
    arena_init(&arena, ctx);
    rill_status st = solids_create(ctx, scene, &walls);
    if (!st) st = solids_prepare(ctx, &walls, view->time, 0);
    if (!st) st = draw(ctx, &p, &arena, def);
    solids_clear(ctx, &walls);
    arena_clear(&arena);
    if (st) {
        image_clear(ctx, &p.im);
        return st;
    }
    *out = p.im;
    return RILL_OK;
}
