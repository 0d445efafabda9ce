/* A finished or running run at one glance. */
#pragma once

#include "base/context.h"

/* Writes DIR/plot.svg, DIR/plot.png and DIR/sheet.png and prints their names on stdout,
 * and what could not be read on stderr. A run without frames gets its plots all the same. */
RILL_CHECKED rill_status glance_write(rill_ctx *ctx, const char *folder);

/* The plots alone, under this title, without a word. */
RILL_CHECKED rill_status glance_plot(rill_ctx *ctx, const char *folder, const char *title);
