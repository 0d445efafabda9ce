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

rill_status range_colors(rill_ctx *ctx, const particles *p, const render_def *def, uint8_t (*rgb)[3])
{
    const float *column = NULL;
    if (def->column && strcmp(def->column, "speed") != 0) {
        column = particles_column(p, def->column);
        if (!column) return no_column(ctx, p, def->column);
    }
    double low = def->low, high = def->high;
    if (low == high) fit(p, column, &low, &high);
    for (size_t i = 0; i < p->count; i++)
        color_map(high > low ? (value_at(p, column, i) - low) / (high - low) : 0, rgb[i]);
    return RILL_OK;
}
