#include "render/slice.h"

#include "base/arena.h"
#include "base/parallel.h"
#include "base/plain.h"
#include "flow/body_poses.h"
#include "render/canvas.h"
#include "render/plot.h"
#include "render/shade.h"
#include "render/slice_find.h"

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
    const particles *sites; /* drawn as cells or discs */
    range_column column;
    double low, high;
    bool lines;        /* between elements: while they are wide enough */
    uint32_t *element; /* by pixel; UINT32_MAX: none */
    float *value;      /* by pixel that has an element */
    image im;
} picture;

static rgb color_of(const picture *p, double value)
{
    uint8_t c[3];
    color_map(p->high > p->low ? (value - p->low) / (p->high - p->low) : 0, c);
    return (rgb){c[0], c[1], c[2]};
}

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
            const uint32_t n = p->element ? p->element[i] : UINT32_MAX;
            if (n == UINT32_MAX) continue;
            /* darker where the next pixel belongs to another cell */
            const bool line =
                p->lines && ((x + 1 < p->im.width && p->element[i + 1] != n) ||
                             (y + 1 < (size_t)p->im.height && p->element[i + (size_t)p->im.width] != n));
            const rgb c = color_of(p, p->value[i]);
            to[0] = line ? c.r * 3 / 5 : c.r;
            to[1] = line ? c.g * 3 / 5 : c.g;
            to[2] = line ? c.b * 3 / 5 : c.b;
        }
}

/* The cell or tetrahedron of each pixel. */
static rill_status find_elements(rill_ctx *ctx, picture *p, rill_arena *arena, const slice_sites *sites)
{
    const size_t pixels = (size_t)p->im.width * (size_t)p->im.height;
    uint32_t *found, *pixel;
    rill_vec3 *place;
    float *value;
    size_t n = 0;
    TRY(ARENA_NEW(arena, p->element, pixels));
    TRY(ARENA_NEW(arena, p->value, pixels));
    TRY(ARENA_NEW(arena, place, pixels));
    TRY(ARENA_NEW(arena, pixel, pixels));
    TRY(ARENA_NEW(arena, found, pixels));
    TRY(ARENA_NEW(arena, value, pixels));
    memset(p->element, 0xFF, pixels * sizeof *p->element);
    for (size_t i = 0; i < pixels; i++) {
        rill_vec3 at = v3(0, 0, 0);
        if (!point_at(&p->frame, (int)(i % (size_t)p->im.width), (int)(i / (size_t)p->im.width), &at))
            continue;
        place[n] = at;
        pixel[n++] = (uint32_t)i;
    }
    TRY(slice_find(ctx, arena, sites, n, place, found, value));
    for (size_t k = 0; k < n; k++) {
        p->element[pixel[k]] = found[k];
        p->value[pixel[k]] = value[k];
    }
    return RILL_OK;
}

static void draw_discs(picture *p, double spacing)
{
    const particles *dots = p->sites;
    const slice_def *def = p->frame.def;
    const float *own = particles_column(dots, "spacing"); /* of particles of several sizes */
    for (size_t i = 0; i < dots->count; i++) {
        const double size = own ? (double)own[i] : spacing;
        double x, y;
        if (fabs(v3_axis(dots->position[i], def->axis) - def->at) > 0.5 * size) continue;
        pixel_of(&p->frame, dots->position[i], &x, &y);
        canvas_disc(&p->im, x, y, fmax(1, 0.4 * size * p->frame.scale),
                    color_of(p, range_value(&p->column, i)));
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

static const char *unit_of(const char *column)
{
    static const char *const units[][2] = {{"speed", "m/s"}, {"vx", "m/s"},      {"vy", "m/s"},
                                           {"vz", "m/s"},    {"pressure", "Pa"}, {"density", "kg/m3"},
                                           {"level", "m"}};
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        if (strcmp(units[k][0], column) == 0) return units[k][1];
    return "";
}

/* What is drawn of the view. */
static rill_status choose_sites(rill_ctx *ctx, const rill_scene *scene, const rill_view *view,
                                const slice_def *def, slice_sites *out)
{
    const bool own =
        view->cells && (def->kind == SLICE_CELLS || (def->kind == SLICE_TETS && view->shape == VIEW_TETS));
    const double spacing = scene_particle_spacing(scene);
    slice_sites s = {.dimensions = view->dimensions, .spacing = spacing > 0 ? spacing : view->spacing};
    s.sites = own ? view->cells : view->particles;
    s.shape = own ? view->shape : def->kind == SLICE_TETS ? VIEW_TETS : VIEW_VORONOI;
    if (own) s.spacing = view->spacing;
    if (!s.sites) return rill_fail(ctx, RILL_USAGE, "there are no particles in this frame to make a cut of");
    if (own && s.shape == VIEW_TETS) s.level = particles_column(s.sites, "level");
    const rill_status st = range_find(ctx, s.sites, def->column, &s.column);
    if (st && !own && def->kind == SLICE_CELLS && scene->method && scene->method->cells)
        return rill_fail_prefix(
            ctx, st,
            "the run has not written its cells (--set output.cells=true does), and of its "
            "particles: ");
    if (st) return st;
    *out = s;
    return RILL_OK;
}

/* The colour bar with ticks, and what and where it is. */
static void draw_legend(picture *p, const char *name)
{
    const int x = p->im.width - LEGEND, top = MARGIN + 20, height = p->im.height - 2 * MARGIN - 40;
    char label[96];
    for (int y = 0; y < height; y++) {
        uint8_t c[3];
        color_map(1 - (double)y / fmax(1, height - 1), c);
        canvas_fill(&p->im, x, top + y, BAR, 1, (rgb){c[0], c[1], c[2]});
    }
    const double span = p->high - p->low, step = span > 0 ? plot_round_down(span / 4) : 1;
    for (double v = ceil(p->low / step - 1e-9) * step; v <= p->high + 1e-9 * step; v += step) {
        const int y = top + (int)((height - 1) * (span > 0 ? (p->high - v) / span : 1) + 0.5);
        snprintf(label, sizeof label, "%.4g", fabs(v) < 1e-9 * step ? 0 : v);
        canvas_fill(&p->im, x + BAR, y, 3, 1, ink);
        canvas_text(&p->im, x + BAR + 6, y - 3, 1, ink, label);
    }
    /* a level set is in metres, the sizes of particles have numbers */
    const char *unit =
        particles_column(p->sites, "spacing") && strcmp(name, "level") == 0 ? "" : unit_of(name);
    snprintf(label, sizeof label, "%.20s%s%s", name, *unit ? ", " : "", unit);
    canvas_text(&p->im, x, top - 16, 1, ink, label);
    snprintf(label, sizeof label, "%c = %.4g m, t = %.4g s", "xyz"[p->frame.def->axis], p -> frame.def->at,
             p->view->time);
    canvas_text(&p->im, MARGIN, p->im.height - 14, 1, ink, label);
}

static rill_status draw(rill_ctx *ctx, picture *p, rill_arena *arena, const slice_sites *sites)
{
    const slice_def *def = p->frame.def;
    p->sites = sites->sites;
    p->column = sites->column;
    p->low = def->low, p->high = def->high;
    if (p->low == p->high) range_fit(&p->column, &p->low, &p->high);
    p->lines = sites->spacing * p->frame.scale > (sites->shape == VIEW_TETS ? 12 : 5);
    if (def->kind != SLICE_DISCS) TRY(find_elements(ctx, p, arena, sites));
    parallel_for(ctx, (size_t)p->im.height, 8, fill_rows, p);
    if (def->kind == SLICE_DISCS) draw_discs(p, sites->spacing);
    draw_edges(p);
    draw_legend(p, def->column ? def->column : "speed");
    return RILL_OK;
}

rill_status slice_draw(rill_ctx *ctx, const rill_scene *scene, const rill_view *view, const slice_def *def,
                       image *out)
{
    rill_arena arena;
    solids walls = {0};
    slice_sites sites;
    picture p = {.frame = frame_of(def, view->domain), .view = view, .solids = &walls};
    TRY(choose_sites(ctx, scene, view, def, &sites));
    TRY(canvas_create(ctx, def->width, def->height, paper, &p.im));
    arena_init(&arena, ctx);
    rill_status st = solids_create(ctx, scene, &walls);
    if (!st) solids_follow(&walls, view->rides);
    if (!st) st = solids_prepare(ctx, &walls, view->time, 0);
    if (!st) st = draw(ctx, &p, &arena, &sites);
    solids_clear(ctx, &walls);
    arena_clear(&arena);
    if (st) {
        image_clear(ctx, &p.im);
        return st;
    }
    *out = p.im;
    return RILL_OK;
}
