/* Inside the documents made from the tables: what schema and reference share. */
#pragma once

#include "io/scene_file.h"

/* The row of a gauge's kinds as that of one of them. */
rill_param docs_gauge(const rill_param *row, int word);

/* A default as JSON: of any row that has one. */
void docs_default(const rill_param *row, const rill_method *const *methods, uint32_t method_count, text *out);
bool docs_has_default(const rill_param *row);
static inline bool docs_has_unit(const rill_param *row)
{
    return row->unit && row->unit[0];
}
