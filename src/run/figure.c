#include "run/figure.h"

#include "flow/gauges.h"
#include "io/file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- reading ---- */

void run_tables_clear(run_tables *t)
{
    table_clear(&t->stats);
    table_clear(&t->gauges);
    table_clear(&t->bodies);
    *t = (run_tables){0};
}

rill_status run_tables_read(rill_ctx *ctx, const char *folder, const char *name, run_tables *out)
{
    run_tables t = {.name = name};
    char *stats = path_join(ctx, folder, "stats.jsonl"), *gauges = path_join(ctx, folder, "gauges.csv"),
         *bodies = path_join(ctx, folder, "bodies.csv");
    rill_status st = stats && gauges && bodies ? RILL_OK : mem_failed(ctx, strlen(folder), 1);
    if (!st) st = table_read_jsonl(ctx, stats, &t.stats);
    if (!st && file_exists(gauges)) st = table_read_csv(ctx, gauges, &t.gauges);
    if (!st && file_exists(bodies)) st = table_read_csv(ctx, bodies, &t.bodies);
    if (!st && t.stats.rows == 0)
        st = rill_fail(ctx, RILL_BAD_FILE, "%s: no steps to plot (stats.jsonl has no whole line)", folder);
    mem_free(ctx, stats);
    mem_free(ctx, gauges);
    mem_free(ctx, bodies);
    if (st) {
        run_tables_clear(&t);
        return st;
    }
    *out = t;
    return RILL_OK;
}

/* ---- panels ---- */

enum { MAX_PANELS = 96, MAX_SERIES = 24 };

typedef struct {
    rill_arena *arena;
    uint32_t runs;
    const run_tables *run;
    plot_panel *panel;
    char (*key)[TABLE_NAME]; /* what the panel shows, as figure_data names it */
    uint32_t count;
} builder;

/* A statistic of its own panel; several columns in one when only one run is shown. */
typedef struct {
    const char *key, *title;
    const char *column[3]; /* "+": the sum of the ones before */
    bool from_zero;
} quantity;

static const quantity quantities[] = {
    {"energy", "energy, J", {"kinetic", "potential", "+"}, false},
    {"volume", "volume, m3", {"volume"}, false},
    {"particles", "particles", {"particles"}, false},
    {"cells", "cells", {"cells"}, false},
    {"max_speed", "largest speed, m/s", {"max_speed"}, true},
    {"dt", "step, s", {"dt"}, true},
    {"compression", "compression", {"compression"}, true},
    {"div_max", "largest divergence, 1/s", {"div_max"}, true},
    {"div_rms", "divergence, rms, 1/s", {"div_rms"}, true},
    {"solve_iterations", "iterations of the solver", {"solve_iterations"}, true},
};

static rill_status sum_columns(builder *b, const table *t, const double *x, const double *y,
                               const double **out)
{
    double *sum;
    TRY(ARENA_NEW(b->arena, sum, t->rows));
    for (size_t i = 0; i < t->rows; i++) sum[i] = x[i] + y[i];
    *out = sum;
    return RILL_OK;
}

static rill_status legend(builder *b, const char *run, const char *what, const char **out)
{
    char *name;
    const size_t capacity = strlen(run) + strlen(what) + 3;
    TRY(ARENA_NEW(b->arena, name, capacity));
    snprintf(name, capacity, "%s%s%s", run, *run && *what ? ": " : "", what);
    *out = name;
    return RILL_OK;
}

static rill_status add_panel(builder *b, const char *key, const char *title, const plot_series *series,
                             uint32_t count, bool from_zero)
{
    plot_series *kept;
    char *shown;
    if (count == 0 || b->count == MAX_PANELS) return RILL_OK;
    TRY(ARENA_NEW(b->arena, kept, count));
    memcpy(kept, series, count * sizeof *kept);
    TRY(ARENA_NEW(b->arena, shown, strlen(title) + 1));
    strcpy(shown, title);
    snprintf(b->key[b->count], TABLE_NAME, "%s", key);
    b->panel[b->count++] = (plot_panel){shown, "t, s", count, kept, from_zero};
    return RILL_OK;
}

static rill_status quantity_panel(builder *b, const quantity *q)
{
    plot_series series[MAX_SERIES];
    uint32_t n = 0;
    for (uint32_t r = 0; r < b->runs; r++) {
        const table *t = &b->run[r].stats;
        const double *x = table_find(t, "t"), *part[2] = {NULL, NULL};
        for (int k = 0; x && k < 3 && q->column[k] && n < MAX_SERIES; k++) {
            const bool sum = q->column[k][0] == '+';
            const double *y = sum ? NULL : table_find(t, q->column[k]);
            if (sum && part[0] && part[1]) TRY(sum_columns(b, t, part[0], part[1], &y));
            if (k < 2) part[k] = y;
            if (!y || (b->runs > 1 && q->column[1] && !sum)) continue; /* of several runs, the sum alone */
            const char *name;
            TRY(legend(b, b->runs > 1 ? b->run[r].name : "",
                       b->runs > 1 ? ""
                       : sum       ? "total"
                                   : q->column[k],
                       &name));
            series[n++] = (plot_series){name, t->rows, x, y, false, b->runs > 1 ? r + 1 : 0};
        }
    }
    return add_panel(b, q->key, q->title, series, n, q->from_zero);
}

/* Seconds of wall clock by frame: a column of the steps summed over each frame. */
static rill_status by_frame(builder *b, const table *t, const double *value, plot_series *out)
{
    const double *frame = table_find(t, "frame"), *time = table_find(t, "t");
    double *x, *y;
    size_t n = 0;
    *out = (plot_series){0};
    if (!frame || !time || !value) return RILL_OK;
    TRY(ARENA_NEW(b->arena, x, t->rows));
    TRY(ARENA_NEW(b->arena, y, t->rows));
    for (size_t i = 0; i < t->rows; i++) {
        if (i == 0 || frame[i] != frame[i - 1]) y[n++] = 0;
        x[n - 1] = time[i];
        if (isfinite(value[i])) y[n - 1] += value[i];
    }
    *out = (plot_series){.count = n, .x = x, .y = y};
    return RILL_OK;
}

static rill_status time_panel(builder *b)
{
    plot_series series[MAX_SERIES];
    uint32_t n = 0;
    for (uint32_t r = 0; r < b->runs; r++) {
        const table *t = &b->run[r].stats;
        for (uint32_t k = 0; k < t->column_count && n < MAX_SERIES; k++) {
            const bool stage = strncmp(t->column[k].name, "stage_s.", 8) == 0;
            if (b->runs > 1 ? strcmp(t->column[k].name, "wall_s") != 0 : !stage) continue;
            TRY(by_frame(b, t, t->column[k].value, &series[n]));
            if (!series[n].count) continue;
            TRY(legend(b, b->runs > 1 ? b->run[r].name : "", stage ? t->column[k].name + 8 : "",
                       &series[n].name));
            series[n++].color = b->runs > 1 ? r + 1 : 0;
        }
    }
    return add_panel(b, "seconds", b->runs > 1 ? "seconds a frame took" : "seconds a frame took, by stage",
                     series, n, true);
}

/* What a column of gauges.csv measures. */
static const char *column_unit(const rill_scene *scene, const char *name)
{
    static const char *const units[GAUGE_KINDS] = {": pressure, Pa", ": height, m", ": velocity, m/s",
                                                   ": flow, m3/s", ": force, N"};
    for (uint32_t k = 0; k < scene->gauge_count; k++) {
        const scene_gauge *g = &scene->gauges[k];
        const size_t length = strlen(g->name);
        if (strncmp(g->name, name, length) != 0) continue;
        for (uint32_t c = 0; c < gauge_columns(scene, g); c++) {
            const char *ending = gauge_column_ending(scene, g, c);
            if (strcmp(name + length, ending) != 0) continue;
            return g->kind == GAUGE_FORCE && ending[1] == 't' ? ": torque, N m" : units[g->kind];
        }
    }
    return NULL;
}

static const char *gauge_unit(const builder *b, const char *name)
{
    for (uint32_t r = 0; r < b->runs; r++) {
        const char *unit = b->run[r].scene ? column_unit(b->run[r].scene, name) : NULL;
        if (unit) return unit;
    }
    return "";
}

static rill_status gauge_panel(builder *b, const char *name)
{
    plot_series series[MAX_SERIES];
    uint32_t n = 0;
    for (uint32_t k = 0; k < b->count; k++)
        if (strcmp(b->key[k], name) == 0) return RILL_OK; /* another run had it too */
    for (uint32_t r = 0; r < b->runs && n < MAX_SERIES; r++) {
        const table *t = &b->run[r].gauges;
        const double *x = t->rows ? table_find(t, "t") : NULL, *y = x ? table_find(t, name) : NULL;
        if (y) series[n++] = (plot_series){b->run[r].name, t->rows, x, y, false, b->runs > 1 ? r + 1 : 0};
    }
    char title[TABLE_NAME + 32];
    snprintf(title, sizeof title, "gauge %s%s", name, gauge_unit(b, name));
    return add_panel(b, name, title, series, n, false);
}

/* ---- bodies ---- */

/* A column of one body's rows. */
static rill_status body_series(builder *b, const table *t, uint32_t body, const char *column,
                               plot_series *out)
{
    const double *which = table_find(t, "body"), *time = table_find(t, "t"), *value = table_find(t, column);
    double *x, *y;
    size_t n = 0;
    *out = (plot_series){0};
    if (!which || !time || !value) return RILL_OK;
    TRY(ARENA_NEW(b->arena, x, t->rows));
    TRY(ARENA_NEW(b->arena, y, t->rows));
    for (size_t i = 0; i < t->rows; i++) {
        if (which[i] != body) continue;
        x[n] = time[i];
        y[n++] = value[i];
    }
    *out = (plot_series){.count = n, .x = x, .y = y};
    return RILL_OK;
}

static void body_name(const builder *b, uint32_t body, char *out, size_t capacity)
{
    const rill_scene *s = b->run[0].scene;
    uint32_t n = 0;
    snprintf(out, capacity, "body %u", body);
    for (uint32_t i = 0; s && i < s->solid_count; i++)
        if (s->solids[i].is_body && n++ == body && s->solids[i].name[0])
            snprintf(out, capacity, "%s", s->solids[i].name);
}

/* Three columns of a body in a panel; of several runs the vertical one alone. */
static rill_status body_panel(builder *b, uint32_t body, const char *const column[3], const char *what)
{
    plot_series series[MAX_SERIES];
    uint32_t n = 0;
    for (uint32_t r = 0; r < b->runs; r++)
        for (int k = 0; k < 3 && n < MAX_SERIES; k++) {
            if (b->runs > 1 && k != 1) continue;
            TRY(body_series(b, &b->run[r].bodies, body, column[k], &series[n]));
            if (!series[n].count) continue;
            series[n].name = b->runs > 1 ? b->run[r].name : column[k];
            series[n++].color = b->runs > 1 ? r + 1 : 0;
        }
    char name[TABLE_NAME], title[TABLE_NAME + 48], key[TABLE_NAME + 48];
    body_name(b, body, name, sizeof name);
    snprintf(title, sizeof title, "%s: %s%s", name, b->runs > 1 ? "vertical " : "", what);
    snprintf(key, sizeof key, "%s.%s", name, column[1]);
    return add_panel(b, key, title, series, n, false);
}

/* Paths and forces of the first few. */
static rill_status body_panels(builder *b)
{
    static const char *const place[3] = {"x", "y", "z"}, *const force[3] = {"fx", "fy", "fz"};
    enum { SHOWN = 8 };
    uint32_t bodies = 0;
    for (uint32_t r = 0; r < b->runs; r++) {
        const table *t = &b->run[r].bodies;
        const double *which = t->rows ? table_find(t, "body") : NULL;
        for (size_t i = 0; which && i < t->rows; i++)
            if (which[i] >= bodies && which[i] < SHOWN) bodies = (uint32_t)which[i] + 1;
    }
    for (uint32_t k = 0; k < bodies; k++) {
        TRY(body_panel(b, k, place, "place, m"));
        TRY(body_panel(b, k, force, "force of the fluid, N"));
    }
    return RILL_OK;
}

/* place: among the curves, for its colour. */
static rill_status lay_over(builder *b, const figure_data *d, uint32_t place)
{
    for (uint32_t k = 0; k < b->count; k++) {
        plot_panel *p = &b->panel[k];
        if (strcmp(b->key[k], d->panel) != 0) continue;
        plot_series *series;
        TRY(ARENA_NEW(b->arena, series, p->series_count + 1));
        memcpy(series, p->series, p->series_count * sizeof *series);
        series[p->series_count++] =
            (plot_series){d->name, d->count, d->x, d->y, true, b->runs > 1 ? b->runs + 1 + place : 0};
        p->series = series;
        return RILL_OK;
    }
    char known[512] = "";
    size_t used = 0;
    for (uint32_t k = 0; k < b->count && used < sizeof known; k++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", k ? ", " : "", b->key[k]);
    return rill_fail(b->arena->ctx, RILL_USAGE,
                     "there is no plot of \"%s\" to lay the data over; there are %s", d->panel, known);
}

rill_status figure_build(rill_arena *arena, uint32_t runs, const run_tables *run, uint32_t data_count,
                         const figure_data *data, plot_def *def)
{
    builder b = {.arena = arena, .runs = runs, .run = run};
    TRY(ARENA_NEW(arena, b.panel, MAX_PANELS));
    TRY(ARENA_NEW(arena, b.key, MAX_PANELS));
    for (size_t k = 0; k < sizeof quantities / sizeof *quantities; k++)
        TRY(quantity_panel(&b, &quantities[k]));
    TRY(time_panel(&b));
    for (uint32_t r = 0; r < runs; r++)
        for (uint32_t k = 0; k < run[r].gauges.column_count; k++)
            if (strcmp(run[r].gauges.column[k].name, "t") != 0)
                TRY(gauge_panel(&b, run[r].gauges.column[k].name));
    TRY(body_panels(&b));
    for (uint32_t k = 0; k < data_count; k++) TRY(lay_over(&b, &data[k], k));
    def->panel = b.panel;
    def->panel_count = b.count;
    return RILL_OK;
}
