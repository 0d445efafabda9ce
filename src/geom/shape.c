#include "geom/shape.h"

void shape_clear(rill_ctx *ctx, shape *s)
{
    if (s->kind == SHAPE_UNION || s->kind == SHAPE_INTERSECTION || s->kind == SHAPE_DIFFERENCE) {
        for (uint32_t i = 0; i < s->parts.count; i++) shape_clear(ctx, &s->parts.part[i]);
        mem_free(ctx, s->parts.part);
    }
    *s = (shape){0};
}
