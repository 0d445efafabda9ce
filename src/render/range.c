#include "render/range.h"

#include "base/text.h"
#include "render/shade.h"

#include <string.h>

enum { BINS = 1024 };

static double value_at(const particles *p, const float *column, size_t i)
{
    return column ? column[i] : v3_length(p->velocity[i]);
}

static void fit(const particles *p, const float *column, double *low, double *high)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < p->count; i++) {
        const double v = value_at(p, column, i);
        if (!isfinite(v)) continue;
        least = fmin(least, v);
        most = fmax(most, v);
    }
    if (!column) least = 0;
    *low = least;
    *high = most;
    if (!(most > least)) return;

    size_t bin[BINS] = {0}, counted = 0;
    for (size_t i = 0; i < p->count; i++) {
        const double v = value_at(p, column, i);
        if (!isfinite(v)) continue;
        const int b = (int)((v - least) / (most - least) * BINS);
        bin[b < BINS ? b : BINS - 1]++;
        counted++;
    }
    size_t below = 0;
    for (int b = 0; b < BINS; b++) {
        below += bin[b];
        if ((double)below >= 0.995 * (double)counted) {
            *high = least + (b + 1) * (most - least) / BINS;
            return;
        }
    }
}

static rill_status no_column(rill_ctx *ctx, const particles *p, const char *name)
{
    text list;
    text_init(&list, ctx);
    text_add(&list, "speed");
    for (uint32_t k = 0; k < p->column_count; k++) text_print(&list, ", %s", p->column[k].name);
    const rill_status st =
        rill_fail(ctx, RILL_USAGE, "particles have no column \"%s\" to colour them by; there are %s", name,
                  list.failed ? "others" : list.data);
    text_clear(&list);
    return st;
}

/* *column NULL: the speed. */
static rill_status find_column(rill_ctx *ctx, const particles *p, const render_def *def, const float **column)
{
    *column = NULL;
    if (!def->column || strcmp(def->column, "speed") == 0) return RILL_OK;
    *column = particles_column(p, def->column);
    return *column ? RILL_OK : no_column(ctx, p, def->column);
}

rill_status range_fit(rill_ctx *ctx, const particles *p, render_def *def)
{
    const float *column;
    TRY(find_column(ctx, p, def, &column));
    if (def->low == def->high) fit(p, column, &def->low, &def->high);
    return RILL_OK;
}

rill_status range_colors(rill_ctx *ctx, const particles *p, const render_def *def, uint8_t (*rgb)[3])
{
    render_def fitted = *def;
    const float *column;
    TRY(range_fit(ctx, p, &fitted));
    TRY(find_column(ctx, p, def, &column));
    const double low = fitted.low, high = fitted.high;
    for (size_t i = 0; i < p->count; i++)
        color_map(high > low ? (value_at(p, column, i) - low) / (high - low) : 0, rgb[i]);
    return RILL_OK;
}
