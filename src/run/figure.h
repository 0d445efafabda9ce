/* A run at one glance: its statistics, gauges and bodies as plots, one run or several over each
 * other. */
#pragma once

#include "base/arena.h"
#include "flow/scene.h"
#include "io/table.h"
#include "render/plot.h"

typedef struct run_tables {
    const char *name;        /* in legends; borrowed */
    const rill_scene *scene; /* says what the gauges measure; borrowed, NULL: not known */
    table stats;
    table gauges, bodies; /* without rows when the run has none */
} run_tables;

/* Reads what there is: RILL_BAD_FILE only when there are no statistics at all. */
RILL_CHECKED rill_status run_tables_read(rill_ctx *ctx, const char *folder, const char *name,
                                         run_tables *out);
void run_tables_clear(run_tables *t);

/* A measured curve to lay over the panel of a gauge or a statistic. */
typedef struct figure_data {
    const char *panel; /* "H1", "kinetic" */
    const char *name;  /* in the legend */
    size_t count;
    const double *x, *y;
} figure_data;

/* Panels for all that the tables have; def->panel lives in the arena and points into the
 * tables and data. RILL_USAGE when data names a panel that is not there. */
RILL_CHECKED rill_status figure_build(rill_arena *arena, uint32_t runs, const run_tables *run,
                                      uint32_t data_count, const figure_data *data, plot_def *def);
