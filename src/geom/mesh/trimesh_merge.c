/* Vertices are sorted by place (three stable sorts by the bits of the coordinates): no input
 * makes this slow, as one could make a hash table. */
#include "geom/mesh/trimesh_merge.h"

#include "base/parallel.h"

#include <string.h>

typedef struct {
    uint64_t *key, *spare_key;
    uint32_t *order, *spare_order; /* vertices, sorted by place; later: the vertex each becomes */
} merging;

static uint64_t bits_of(double x)
{
    x += 0.0; /* -0 becomes 0 */
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Coordinates of single precision differ in the upper bits alone: those below need no sorting. */
static int unused_bits(uint64_t used)
{
    return used ? __builtin_ctzll(used) : 64;
}

static rill_status sort_by_place(rill_ctx *ctx, const trimesh *m, merging *w)
{
    for (size_t i = 0; i < m->vertex_count; i++) w->order[i] = (uint32_t)i;
    for (int axis = 0; axis < 3; axis++) {
        uint64_t used = 0;
        for (size_t i = 0; i < m->vertex_count; i++) {
            w->key[i] = bits_of(v3_axis(m->position[w->order[i]], axis));
            used |= w->key[i];
        }
        const int unused = unused_bits(used);
        if (unused == 64) continue;
        for (size_t i = 0; i < m->vertex_count; i++) w->key[i] >>= unused;
        TRY(sort_by_key(ctx, m->vertex_count, 64 - unused, w->key, w->order, w->spare_key, w->spare_order));
    }
    return RILL_OK;
}

static bool same_place(rill_vec3 a, rill_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void move_vertex(trimesh *m, size_t from, size_t to)
{
    if (from == to) return;
    m->position[to] = m->position[from];
    if (m->normal) memcpy(m->normal[to], m->normal[from], sizeof m->normal[to]);
    for (uint32_t c = 0; c < m->column_count; c++) {
        const size_t width = (size_t)m->column[c].width;
        memcpy(m->column[c].value + to * width, m->column[c].value + from * width, width * sizeof(float));
    }
}

/* The sort is stable: the first of a run has the lowest number. */
static void merge_runs(trimesh *m, merging *w)
{
    uint32_t *first = w->spare_order;
    for (size_t begin = 0, i = 0; i < m->vertex_count; i++) {
        if (!same_place(m->position[w->order[i]], m->position[w->order[begin]])) begin = i;
        first[w->order[i]] = w->order[begin];
    }
    size_t kept = 0;
    for (size_t i = 0; i < m->vertex_count; i++) {
        if (first[i] == i) {
            move_vertex(m, i, kept);
            first[i] = (uint32_t)kept++;
        } else {
            first[i] = first[first[i]]; /* lower, so settled */
        }
    }
    m->vertex_count = kept;
    for (size_t i = 0; i < m->triangle_count; i++)
        for (int k = 0; k < 3; k++) m->triangle[i][k] = first[m->triangle[i][k]];
}

rill_status trimesh_merge(rill_ctx *ctx, trimesh *m)
{
    merging w = {0};
    const size_t n = m->vertex_count;
    rill_status st = MEM_NEW(ctx, w.key, n);
    if (!st) st = MEM_NEW(ctx, w.spare_key, n);
    if (!st) st = MEM_NEW(ctx, w.order, n);
    if (!st) st = MEM_NEW(ctx, w.spare_order, n);
    if (!st) st = sort_by_place(ctx, m, &w);
    if (!st) merge_runs(m, &w);
    mem_free(ctx, w.key);
    mem_free(ctx, w.spare_key);
    mem_free(ctx, w.order);
    mem_free(ctx, w.spare_order);
    return st;
}

size_t trimesh_drop_degenerate(trimesh *m)
{
    size_t kept = 0;
    for (size_t i = 0; i < m->triangle_count; i++) {
        const uint32_t a = m->triangle[i][0], b = m->triangle[i][1], c = m->triangle[i][2];
        if (a == b || b == c || c == a) continue;
        m->triangle[kept][0] = a;
        m->triangle[kept][1] = b;
        m->triangle[kept++][2] = c;
    }
    const size_t dropped = m->triangle_count - kept;
    m->triangle_count = kept;
    return dropped;
}
