#include "tracker/candidates.h"

#include "base/parallel.h"

#include <string.h>

void edges_clear(rill_ctx *ctx, edge_list *l)
{
    mem_free(ctx, l->edge);
    mem_free(ctx, l->key);
    mem_free(ctx, l->spare_key);
    mem_free(ctx, l->value);
    mem_free(ctx, l->spare_value);
    mem_free(ctx, l->found);
    *l = (edge_list){0};
}

static bool wanted(double length, double below, double above)
{
    return length < below || length > above;
}

rill_status edges_by_length(const tracker *t, double below, double above, edge_list *out)
{
    const tmesh *m = &t->mesh;
    rill_ctx *ctx = t->ctx;
    edge_list l = {0};
    size_t n = 0;
    for (uint32_t c = 0; c < 3 * m->triangles; c++)
        if (tmesh_triangle_live(m, c / 3) && corner_owns_edge(m, c))
            n += wanted(tmesh_edge_length(m, c), below, above);
    rill_status st = MEM_NEW(ctx, l.edge, n);
    if (!st) st = MEM_NEW(ctx, l.found, n);
    if (!st) st = MEM_NEW(ctx, l.key, n);
    if (!st) st = MEM_NEW(ctx, l.spare_key, n);
    if (!st) st = MEM_NEW(ctx, l.value, n);
    if (!st) st = MEM_NEW(ctx, l.spare_value, n);
    for (uint32_t c = 0; !st && c < 3 * m->triangles; c++) {
        if (!tmesh_triangle_live(m, c / 3) || !corner_owns_edge(m, c)) continue;
        const double length = tmesh_edge_length(m, c);
        if (!wanted(length, below, above)) continue;
        const size_t i = l.count++;
        l.found[i][0] = corner_vertex(m, corner_next(c));
        l.found[i][1] = corner_vertex(m, corner_prev(c));
        memcpy(&l.key[i], &length, sizeof length); /* positive doubles sort as integers */
        if (above < INFINITY) l.key[i] = ~l.key[i];
        l.value[i] = (uint32_t)i;
    }
    if (!st && n) st = sort_by_key(ctx, n, 64, l.key, l.value, l.spare_key, l.spare_value);
    if (st) {
        edges_clear(ctx, &l);
        return st;
    }
    for (size_t i = 0; i < n; i++) memcpy(l.edge[i], l.found[l.value[i]], sizeof l.edge[i]);
    *out = l;
    return RILL_OK;
}
