#include "render/range.h"

#include "base/text.h"
#include "flow/colors.h"
#include "render/shade.h"

#include <string.h>

enum { BINS = 1024 };

static rill_status no_column(rill_ctx *ctx, const particles *p, const char *name)
{
    text list;
    text_init(&list, ctx);
    text_add(&list, "speed, vx, vy, vz");
    for (uint32_t k = 0; k < p->column_count; k++) text_print(&list, ", %s", p->column[k].name);
    const rill_status st = rill_fail(ctx, RILL_USAGE, "there is no column \"%s\" to colour by; there are %s",
                                     name, list.failed ? "others" : list.data);
    text_clear(&list);
    return st;
}

rill_status range_find(rill_ctx *ctx, const particles *p, const char *name, range_column *out)
{
    range_column c = {.of = p, .axis = 3};
    if (name && name[0] == 'v' && name[1] >= 'x' && name[1] <= 'z' && !name[2])
        c.axis = name[1] - 'x';
    else if (name && strcmp(name, "speed") != 0 && !(c.value = particles_column(p, name)))
        return no_column(ctx, p, name);
    *out = c;
    return RILL_OK;
}

void range_fit(const range_column *c, double *low, double *high)
{
    const size_t count = c->of->count;
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        const double v = range_value(c, i);
        if (!isfinite(v)) continue;
        least = fmin(least, v);
        most = fmax(most, v);
    }
    if (!c->value && c->axis == 3) least = 0;
    *low = least;
    *high = most;
    if (!(most > least)) return;

    size_t bin[BINS] = {0}, counted = 0;
    for (size_t i = 0; i < count; i++) {
        const double v = range_value(c, i);
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

rill_status range_colors(rill_ctx *ctx, const particles *p, const render_def *def, uint8_t (*rgb)[3])
{
    range_column c;
    float *own[3];
    if (def->own && colors_columns(p, own)) {
        for (size_t i = 0; i < p->count; i++)
            color_to_srgb(v3(own[0][i], own[1][i], own[2][i]), false, rgb[i]);
        return RILL_OK;
    }
    double low = def->low, high = def->high;
    TRY(range_find(ctx, p, def->column, &c));
    if (low == high) range_fit(&c, &low, &high);
    for (size_t i = 0; i < p->count; i++)
        color_map(high > low ? (range_value(&c, i) - low) / (high - low) : 0, rgb[i]);
    return RILL_OK;
}
