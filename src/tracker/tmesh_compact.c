/* Closing the gaps that edits leave, and sorting in space. */
#include "base/parallel.h"
#include "tracker/tmesh.h"

#include <string.h>

/* Bits of x at every third place. */
static uint64_t spread(uint64_t x)
{
    x &= 0x1fffff;
    x = (x | x << 32) & 0x1f00000000ffffull;
    x = (x | x << 16) & 0x1f0000ff0000ffull;
    x = (x | x << 8) & 0x100f00f00f00f00full;
    x = (x | x << 4) & 0x10c30c30c30c30c3ull;
    return (x | x << 2) & 0x1249249249249249ull;
}

static uint64_t morton(rill_vec3 x, rill_box box, double scale)
{
    const rill_vec3 d = v3_scale(v3_sub(x, box.min), scale);
    return spread((uint64_t)d.x) | spread((uint64_t)d.y) << 1 | spread((uint64_t)d.z) << 2;
}

typedef struct {
    uint64_t *key, *spare_key;
    uint32_t *spare_value;
    uint32_t *vertex_order, *triangle_order; /* new to old */
    uint32_t *vertex, *triangle;             /* old to new */
    void *copy;                              /* as large as the largest array */
} scratch;

static rill_status scratch_init(const tmesh *m, bool sorted, scratch *s)
{
    const size_t n = m->vertices > m->triangles ? m->vertices : m->triangles;
    size_t bytes = m->triangles * 3 * sizeof(uint32_t);
    if (m->vertices * sizeof(rill_vec3) > bytes) bytes = m->vertices * sizeof(rill_vec3);
    rill_status st = MEM_NEW(m->ctx, s->vertex, m->vertices);
    if (!st) st = MEM_NEW(m->ctx, s->triangle, m->triangles);
    if (!st) st = (s->copy = mem_alloc(m->ctx, bytes, 1)) ? RILL_OK : mem_failed(m->ctx, bytes, 1);
    if (!st) st = MEM_NEW(m->ctx, s->vertex_order, m->vertices);
    if (!st) st = MEM_NEW(m->ctx, s->triangle_order, m->triangles);
    if (!st && sorted) st = MEM_NEW(m->ctx, s->key, n);
    if (!st && sorted) st = MEM_NEW(m->ctx, s->spare_key, n);
    if (!st && sorted) st = MEM_NEW(m->ctx, s->spare_value, n);
    return st;
}

static void scratch_clear(rill_ctx *ctx, scratch *s)
{
    mem_free(ctx, s->key);
    mem_free(ctx, s->spare_key);
    mem_free(ctx, s->vertex_order);
    mem_free(ctx, s->triangle_order);
    mem_free(ctx, s->spare_value);
    mem_free(ctx, s->vertex);
    mem_free(ctx, s->triangle);
    mem_free(ctx, s->copy);
}

static void gather(void *array, const uint32_t *from, size_t count, size_t size, void *copy)
{
    char *out = copy;
    for (size_t i = 0; i < count; i++) memcpy(out + i * size, (char *)array + from[i] * size, size);
    memcpy(array, copy, count * size);
}

/* The live slots in their new order, and the map. */
static rill_status order_vertices(tmesh *m, bool sorted, scratch *s)
{
    size_t n = 0;
    rill_box box = box_empty();
    for (uint32_t v = 0; v < m->vertices; v++) {
        s->vertex[v] = TMESH_NONE;
        if (!tmesh_vertex_live(m, v)) continue;
        s->vertex_order[n++] = v;
        box = box_with(box, m->x[v]);
    }
    if (sorted && n) {
        const rill_vec3 size = box_size(box);
        const double most = fmax(size.x, fmax(size.y, size.z));
        const double scale = most > 0 ? 2097151 / most : 0;
        for (size_t i = 0; i < n; i++) s->key[i] = morton(m->x[s->vertex_order[i]], box, scale);
        TRY(sort_by_key(m->ctx, n, 63, s->key, s->vertex_order, s->spare_key, s->spare_value));
    }
    for (size_t i = 0; i < n; i++) s->vertex[s->vertex_order[i]] = (uint32_t)i;
    return RILL_OK;
}

static rill_status order_triangles(tmesh *m, bool sorted, scratch *s)
{
    size_t n = 0;
    for (uint32_t t = 0; t < m->triangles; t++) {
        s->triangle[t] = TMESH_NONE;
        if (!tmesh_triangle_live(m, t)) continue;
        if (sorted) { /* by the first of its vertices in the new order */
            uint32_t least = TMESH_NONE;
            for (int i = 0; i < 3; i++)
                if (s->vertex[m->triangle[t][i]] < least) least = s->vertex[m->triangle[t][i]];
            s->key[n] = least;
        }
        s->triangle_order[n++] = t;
    }
    if (sorted) TRY(sort_by_key(m->ctx, n, 32, s->key, s->triangle_order, s->spare_key, s->spare_value));
    for (size_t i = 0; i < n; i++) s->triangle[s->triangle_order[i]] = (uint32_t)i;
    return RILL_OK;
}

static void move_vertices(tmesh *m, scratch *s)
{
    const size_t n = m->live_vertices;
    gather(m->x, s->vertex_order, n, sizeof *m->x, s->copy);
    gather(m->corner, s->vertex_order, n, sizeof *m->corner, s->copy);
    gather(m->part, s->vertex_order, n, sizeof *m->part, s->copy);
    for (uint32_t k = 0; k < m->column_count; k++)
        gather(m->column[k].value, s->vertex_order, n, (size_t)m->column[k].width * sizeof(float), s->copy);
    m->vertices = (uint32_t)n;
    m->free_vertex = TMESH_NONE;
}

static uint32_t map_corner(const scratch *s, uint32_t c)
{
    return 3 * s->triangle[c / 3] + c % 3;
}

static void move_triangles(tmesh *m, scratch *s)
{
    const size_t n = m->live_triangles;
    gather(m->triangle, s->triangle_order, n, sizeof *m->triangle, s->copy);
    gather(m->opposite, s->triangle_order, n, 3 * sizeof *m->opposite, s->copy);
    m->triangles = (uint32_t)n;
    m->free_triangle = TMESH_NONE;
    for (size_t c = 0; c < 3 * n; c++) {
        uint32_t *v = &(&m->triangle[0][0])[c];
        *v = s->vertex[*v];
        m->opposite[c] = map_corner(s, m->opposite[c]);
    }
}

rill_status tmesh_compact(tmesh *m, bool sorted, uint32_t *map)
{
    if (!sorted && m->vertices == m->live_vertices && m->triangles == m->live_triangles) {
        for (uint32_t v = 0; map && v < m->vertices; v++) map[v] = v;
        return RILL_OK;
    }
    scratch s = {0};
    rill_status st = scratch_init(m, sorted, &s);
    if (!st) st = order_vertices(m, sorted, &s);
    if (!st) st = order_triangles(m, sorted, &s);
    if (!st) { /* nothing fails from here on */
        if (map) memcpy(map, s.vertex, m->vertices * sizeof *map);
        move_triangles(m, &s);
        move_vertices(m, &s);
        for (uint32_t v = 0; v < m->vertices; v++) m->corner[v] = map_corner(&s, m->corner[v]);
    }
    scratch_clear(m->ctx, &s);
    return st;
}

void tmesh_settle_corners(tmesh *m)
{
    for (uint32_t c = 0; c < 3 * m->triangles; c++) m->corner[corner_vertex(m, c)] = c;
}
