/* The layout is made once, for a pen; one pen writes SVG, the other draws. */
#include "render/plot.h"

#include "base/plain.h"
#include "base/text.h"
#include "io/file.h"
#include "render/canvas.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum { ALIGN_LEFT, ALIGN_MIDDLE, ALIGN_RIGHT } align;

typedef struct pen {
    void (*line)(void *to, double x0, double y0, double x1, double y1, double width, rgb c);
    void (*curve)(void *to, size_t n, const double (*p)[2], rgb c);
    void (*mark)(void *to, double x, double y, rgb c);
    void (*word)(void *to, double x, double y, align a, bool bold, rgb c, const char *string);
    void *to;
} pen;

static const rgb ink = {40, 40, 40}, faint = {225, 225, 225}, paper = {255, 255, 255};
/* Okabe and Ito's colours, which everybody can tell apart; after them, the same darker. */
static const rgb palette[] = {{0, 114, 178}, {213, 94, 0},   {0, 158, 115},  {204, 121, 167},
                              {230, 159, 0}, {86, 180, 233}, {90, 90, 90},   {0, 60, 110},
                              {130, 50, 0},  {0, 90, 60},    {120, 60, 100}, {140, 100, 0}};
enum { COLORS = sizeof palette / sizeof *palette };
enum { LEFT = 66, RIGHT = 14, TOP = 26, BOTTOM = 34, HEAD = 34, LEGEND_LINE = 13 };

plot_def plot_def_default(void)
{
    return (plot_def){.title = "", .panel_width = 480, .height = 260};
}

double plot_round_down(double x)
{
    const double ten = pow(10, floor(log10(x))), f = x / ten;
    return ten * (f >= 5 ? 5 : f >= 2 ? 2 : 1);
}

/* ---- axes ---- */

typedef struct {
    double low, high; /* of the data */
    double step;      /* between ticks */
    double from, to;  /* pixels */
} axis;

static double place(const axis *a, double v)
{
    return a->from + (v - a->low) / (a->high - a->low) * (a->to - a->from);
}

static void widen(axis *a, double v)
{
    a->low = fmin(a->low, v);
    a->high = fmax(a->high, v);
}

static void finish_axis(axis *a, int ticks, double margin)
{
    if (!(a->low <= a->high)) a->low = 0, a->high = 1; /* no data */
    if (a->high - a->low <= 1e-12 * fmax(fabs(a->low), fabs(a->high)) || a->high == a->low) {
        const double by = a->low != 0 ? 0.05 * fabs(a->low) : 1;
        a->low -= by;
        a->high += by;
    }
    const double by = margin * (a->high - a->low);
    if (a->low != 0) a->low -= by;
    a->high += by;
    a->step = plot_round_down((a->high - a->low) / ticks);
}

/* As many digits as the step needs. */
static void tick_text(double v, double step, char *out, size_t room)
{
    if (fabs(v) < 1e-9 * step) v = 0;
    const int decimals = (int)fmax(0, -floor(log10(step) + 1e-9));
    const double size = fmax(fabs(v), step);
    if (size >= 1e5 || decimals > 4) {
        const int exponent_digits =
            v == 0 ? 0 : (int)fmax(0, floor(log10(fabs(v)) + 1e-9) - floor(log10(step) + 1e-9));
        snprintf(out, room, "%.*e", exponent_digits, v);
    } else {
        snprintf(out, room, "%.*f", decimals, v);
    }
}

static void draw_axes(const pen *p, const axis *x, const axis *y, const char *x_label)
{
    char label[40];
    for (double v = ceil(x->low / x->step) * x->step; v <= x->high + 1e-9 * x->step; v += x->step) {
        p->line(p->to, place(x, v), y->from, place(x, v), y->to, 1, faint);
        tick_text(v, x->step, label, sizeof label);
        p->word(p->to, place(x, v), y->from + 14, ALIGN_MIDDLE, false, ink, label);
    }
    for (double v = ceil(y->low / y->step) * y->step; v <= y->high + 1e-9 * y->step; v += y->step) {
        p->line(p->to, x->from, place(y, v), x->to, place(y, v), 1, faint);
        tick_text(v, y->step, label, sizeof label);
        p->word(p->to, x->from - 6, place(y, v) + 4, ALIGN_RIGHT, false, ink, label);
    }
    p->line(p->to, x->from, y->from, x->to, y->from, 1, ink);
    p->line(p->to, x->from, y->from, x->from, y->to, 1, ink);
    p->word(p->to, x->to, y->from + 28, ALIGN_RIGHT, false, ink, x_label);
}

/* ---- curves ---- */

enum { CURVE_ROOM = 8192 };

typedef struct {
    double first[2], low[2], high[2], last[2];
    double column;
    bool any;
} thinner;

typedef struct {
    double point[CURVE_ROOM][2];
    size_t count;
} curve;

static void curve_flush(const pen *p, curve *c, rgb color)
{
    if (c->count > 1) p->curve(p->to, c->count, (const double(*)[2])c->point, color);
    if (c->count == 1) p->mark(p->to, c->point[0][0], c->point[0][1], color);
    c->count = 0;
}

static void curve_add(const pen *p, curve *c, const double at[2], rgb color)
{
    if (c->count && c->point[c->count - 1][0] == at[0] && c->point[c->count - 1][1] == at[1]) return;
    if (c->count == CURVE_ROOM) {
        const double last[2] = {c->point[CURVE_ROOM - 1][0], c->point[CURVE_ROOM - 1][1]};
        curve_flush(p, c, color);
        memcpy(c->point[c->count++], last, sizeof last);
    }
    memcpy(c->point[c->count++], at, 2 * sizeof *at);
}

static void thin_flush(const pen *p, thinner *t, curve *c, rgb color)
{
    if (!t->any) return;
    curve_add(p, c, t->first, color);
    curve_add(p, c, t->low[0] <= t->high[0] ? t->low : t->high, color);
    curve_add(p, c, t->low[0] <= t->high[0] ? t->high : t->low, color);
    curve_add(p, c, t->last, color);
    t->any = false;
}

static void thin_add(const pen *p, thinner *t, curve *c, const double at[2], rgb color)
{
    if (t->any && floor(at[0]) != t->column) thin_flush(p, t, c, color);
    if (!t->any) {
        t->any = true;
        t->column = floor(at[0]);
        memcpy(t->first, at, sizeof t->first);
        memcpy(t->low, at, sizeof t->low);
        memcpy(t->high, at, sizeof t->high);
    }
    if (at[1] < t->low[1]) memcpy(t->low, at, sizeof t->low);
    if (at[1] > t->high[1]) memcpy(t->high, at, sizeof t->high);
    memcpy(t->last, at, sizeof t->last);
}

static void draw_series(const pen *p, const plot_series *s, const axis *x, const axis *y, rgb color, curve *c)
{
    thinner t = {.any = false};
    c->count = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (!isfinite(s->x[i]) || !isfinite(s->y[i])) {
            thin_flush(p, &t, c, color);
            curve_flush(p, c, color);
            continue;
        }
        const double at[2] = {place(x, s->x[i]), place(y, s->y[i])};
        if (s->dots)
            p->mark(p->to, at[0], at[1], color);
        else
            thin_add(p, &t, c, at, color);
    }
    thin_flush(p, &t, c, color);
    curve_flush(p, c, color);
}

static bool has_legend(const plot_panel *panel)
{
    return panel->series_count > 1 || (panel->series_count == 1 && panel->series[0].color);
}

static rgb color_of(const plot_panel *panel, uint32_t k)
{
    const uint32_t given = panel->series[k].color;
    return palette[(given ? given - 1 : k) % COLORS];
}

static void draw_legend(const pen *p, const plot_panel *panel, const axis *x, const axis *y)
{
    if (!has_legend(panel)) return;
    double at = y->to + 12;
    for (uint32_t k = 0; k < panel->series_count; k++, at += LEGEND_LINE) {
        const rgb c = color_of(panel, k);
        if (panel->series[k].dots)
            p->mark(p->to, x->from + 16, at - 4, c);
        else
            p->line(p->to, x->from + 8, at - 4, x->from + 24, at - 4, 2, c);
        p->word(p->to, x->from + 30, at, ALIGN_LEFT, false, ink, panel->series[k].name);
    }
}

static void draw_panel(const pen *p, const plot_panel *panel, double left, double top, const plot_def *def,
                       curve *c)
{
    axis x = {INFINITY, -INFINITY, 0, left + LEFT, left + def->panel_width - RIGHT};
    axis y = {INFINITY, -INFINITY, 0, top + def->height - BOTTOM, top + TOP};
    for (uint32_t k = 0; k < panel->series_count; k++) {
        const plot_series *s = &panel->series[k];
        for (size_t i = 0; i < s->count; i++)
            if (isfinite(s->x[i]) && isfinite(s->y[i])) {
                widen(&x, s->x[i]);
                widen(&y, s->y[i]);
            }
    }
    if (panel->from_zero) widen(&y, 0);
    finish_axis(&x, 6, 0);
    finish_axis(&y, 5, 0.04);
    if (has_legend(panel)) { /* the legend stands above the curves */
        const double room = y.from - y.to, legend = fmin(LEGEND_LINE * panel->series_count + 4, 0.7 * room);
        y.high += (y.high - y.low) * legend / (room - legend);
        y.step = plot_round_down((y.high - y.low) / 5);
    }
    p->word(p->to, left + LEFT, top + 16, ALIGN_LEFT, true, ink, panel->title);
    draw_axes(p, &x, &y, panel->x_label);
    for (uint32_t k = 0; k < panel->series_count; k++)
        draw_series(p, &panel->series[k], &x, &y, color_of(panel, k), c);
    draw_legend(p, panel, &x, &y);
}

typedef struct {
    int columns, rows, width, height;
} layout;

static layout layout_of(const plot_def *def)
{
    layout l = {.columns = def->columns};
    const int n = def->panel_count > 0 ? (int)def->panel_count : 1;
    if (l.columns <= 0) l.columns = n <= 2 ? 1 : n <= 6 ? 2 : 3;
    l.rows = (n + l.columns - 1) / l.columns;
    l.width = l.columns * def->panel_width;
    l.height = HEAD + l.rows * def->height;
    return l;
}

static rill_status draw_all(rill_ctx *ctx, const pen *p, const plot_def *def)
{
    const layout l = layout_of(def);
    curve *c;
    TRY(MEM_NEW(ctx, c, 1));
    const locale_t before = plain_begin();
    p->word(p->to, 12, 22, ALIGN_LEFT, true, ink, def->title);
    for (int k = 0; k < (int)def->panel_count; k++)
        draw_panel(p, &def->panel[k], (double)(k % l.columns) * def->panel_width,
                   HEAD + (double)(k / l.columns) * def->height, def, c);
    plain_end(before);
    mem_free(ctx, c);
    return RILL_OK;
}

/* ---- SVG ---- */

static void svg_line(void *to, double x0, double y0, double x1, double y1, double width, rgb c)
{
    text_print(to,
               "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#%02x%02x%02x\" "
               "stroke-width=\"%.1f\"/>\n",
               x0, y0, x1, y1, c.r, c.g, c.b, width);
}

static void svg_curve(void *to, size_t n, const double (*p)[2], rgb c)
{
    text_print(to,
               "<polyline fill=\"none\" stroke=\"#%02x%02x%02x\" stroke-width=\"1.5\" "
               "stroke-linejoin=\"round\" points=\"",
               c.r, c.g, c.b);
    for (size_t i = 0; i < n; i++) text_print(to, "%s%.1f,%.1f", i ? " " : "", p[i][0], p[i][1]);
    text_add(to, "\"/>\n");
}

static void svg_mark(void *to, double x, double y, rgb c)
{
    text_print(to,
               "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"white\" stroke=\"#%02x%02x%02x\" "
               "stroke-width=\"1.5\"/>\n",
               x, y, c.r, c.g, c.b);
}

static void svg_word(void *to, double x, double y, align a, bool bold, rgb c, const char *string)
{
    static const char *const anchor[] = {"start", "middle", "end"};
    text_print(to, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s fill=\"#%02x%02x%02x\">", x, y,
               anchor[a], bold ? " font-weight=\"bold\"" : "", c.r, c.g, c.b);
    for (const char *s = string; *s; s++) switch (*s) {
        case '<': text_add(to, "&lt;"); break;
        case '>': text_add(to, "&gt;"); break;
        case '&': text_add(to, "&amp;"); break;
        default: text_bytes(to, s, (unsigned char)*s >= ' ' ? 1 : 0);
        }
    text_add(to, "</text>\n");
}

rill_status plot_write_svg(rill_ctx *ctx, const char *path, const plot_def *def)
{
    const layout l = layout_of(def);
    text t;
    text_init(&t, ctx);
    text_print(&t,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
               "font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" "
               "fill=\"white\"/>\n",
               l.width, l.height, l.width, l.height);
    const pen p = {svg_line, svg_curve, svg_mark, svg_word, &t};
    rill_status st = draw_all(ctx, &p, def);
    text_add(&t, "</svg>\n");
    if (!st) st = text_check(&t);
    if (!st) st = file_write_all(ctx, path, t.data, t.length);
    text_clear(&t);
    return st;
}

/* ---- picture ---- */

static void png_line(void *to, double x0, double y0, double x1, double y1, double width, rgb c)
{
    /* on whole pixels where it can be, so that grid lines are crisp */
    canvas_line(to, floor(x0) + 0.5, floor(y0) + 0.5, floor(x1) + 0.5, floor(y1) + 0.5, width, c);
}

static void png_curve(void *to, size_t n, const double (*p)[2], rgb c)
{
    for (size_t i = 0; i + 1 < n; i++) canvas_line(to, p[i][0], p[i][1], p[i + 1][0], p[i + 1][1], 1.5, c);
}

static void png_mark(void *to, double x, double y, rgb c)
{
    canvas_disc(to, x, y, 3.5, c);
    canvas_disc(to, x, y, 2, paper);
}

static void png_word(void *to, double x, double y, align a, bool bold, rgb c, const char *string)
{
    const int width = canvas_text_width(string, 1);
    const int left = (int)(x - (a == ALIGN_LEFT ? 0 : a == ALIGN_MIDDLE ? width / 2 : width));
    canvas_text(to, left, (int)y - 8, 1, c, string);
    if (bold) canvas_text(to, left + 1, (int)y - 8, 1, c, string);
}

rill_status plot_draw(rill_ctx *ctx, const plot_def *def, image *out)
{
    const layout l = layout_of(def);
    image im;
    TRY(canvas_create(ctx, l.width, l.height, paper, &im));
    const pen p = {png_line, png_curve, png_mark, png_word, &im};
    const rill_status st = draw_all(ctx, &p, def);
    if (st) {
        image_clear(ctx, &im);
        return st;
    }
    *out = im;
    return RILL_OK;
}
