#include "grid/pressure/multigrid_parts.h"

typedef struct job {
    level *l, *c;
    const parts *p;
    uint8_t *active; /* of c */
    float *plus[3], *e;
} job;

/* The coarse cell over a cell. */
static place place_above(const level *l, place p)
{
    const int32_t *t = l->tile[p.tile];
    return (place){l->up_tile[p.tile], (t[0] & 1) * 4 + (p.x >> 1), (t[1] & 1) * 4 + (p.y >> 1),
                   l->planes == 1 ? 0 : (t[2] & 1) * 4 + (p.z >> 1)};
}

uint32_t multigrid_parent(const level *l, const level *coarse, uint32_t index)
{
    if (is_loose(l, index)) return l->loose_parent[index - loose_base(l)];
    const place p = level_place(l, index);
    if (!l->simple[p.tile]) return l->parent[(size_t)l->mixed_at[p.tile] * l->cells + cell_of(p)];
    const place q = place_above(l, p);
    return level_index(coarse, q.tile, q.x, q.y, q.z);
}

/* The coarse tiles: places of linked tiles halved, in order, once each. */
static rill_status make_tiles(rill_arena *memory, rill_arena *scratch, job *w)
{
    level *l = w->l, *c = w->c;
    uint64_t *key, *spare_key;
    uint32_t *from, *spare;
    TRY(ARENA_NEW(memory, l->up_tile, l->tiles));
    TRY(ARENA_NEW(scratch, key, l->tiles));
    TRY(ARENA_NEW(scratch, spare_key, l->tiles));
    TRY(ARENA_NEW(scratch, from, l->tiles));
    TRY(ARENA_NEW(scratch, spare, l->tiles));
    uint32_t n = 0;
    for (uint32_t t = 0; t < l->tiles; t++) {
        l->up_tile[t] = NO_NODE;
        if (!w->p->linked[t]) continue;
        const int32_t half[3] = {l->tile[t][0] >> 1, l->tile[t][1] >> 1, l->tile[t][2] >> 1};
        key[n] = level_tile_key(half);
        from[n++] = t;
    }
    TRY(sort_by_key(scratch->ctx, n, 64, key, from, spare_key, spare));
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || key[i] != key[i - 1]) c->tiles++;
        l->up_tile[from[i]] = c->tiles - 1;
    }
    TRY(ARENA_NEW(memory, c->tile, c->tiles));
    TRY(ARENA_NEW(memory, c->near, c->tiles));
    TRY(ARENA_NEW(memory, c->source, c->tiles));
    for (uint32_t t = 0; t < l->tiles; t++)
        if (l->up_tile[t] != NO_NODE)
            for (int k = 0; k < 3; k++) c->tile[l->up_tile[t]][k] = l->tile[t][k] >> 1;
    for (uint32_t t = 0; t < c->tiles; t++) c->source[t] = t;
    level_link_tiles(c);
    return RILL_OK;
}

/* Parts beyond the first of their block become loose nodes, in order of tile and cell; then
 * the numbers of parts in l->parent become indices of coarse nodes. */
static rill_status make_loose(rill_arena *memory, rill_arena *scratch, job *w)
{
    level *l = w->l, *c = w->c;
    for (uint32_t t = 0; t < l->tiles; t++) c->loose += w->p->extra[t];
    uint64_t *key, *spare_key;
    uint32_t *from, *spare, *final;
    TRY(ARENA_NEW(scratch, key, c->loose));
    TRY(ARENA_NEW(scratch, spare_key, c->loose));
    TRY(ARENA_NEW(scratch, from, c->loose));
    TRY(ARENA_NEW(scratch, spare, c->loose));
    TRY(ARENA_NEW(scratch, final, c->loose));
    TRY(ARENA_NEW(memory, c->loose_at, c->loose));
    TRY(ARENA_NEW(memory, c->loose_e, c->loose));
    TRY(ARENA_NEW(memory, c->loose_begin, c->tiles + 1));

    /* Twice over the tiles that are not simple: first the places, then the numbers. */
    for (int pass = 0; pass < 2; pass++) {
        uint32_t next = 0;
        for (uint32_t t = 0; t < l->tiles; t++) {
            if (l->simple[t] || l->up_tile[t] == NO_NODE) continue;
            uint32_t *parent = l->parent + (size_t)l->mixed_at[t] * l->cells;
            const uint32_t first = l->loose_begin ? l->loose_begin[t] : 0;
            const uint32_t loose = l->loose_begin ? l->loose_begin[t + 1] - first : 0;
            uint32_t others[64] = {0}, start[64];
            for (uint32_t i = 0; i < l->cells + loose; i++) {
                const uint32_t part = i < l->cells ? parent[i] : l->loose_parent[first + i - l->cells];
                if (part == NO_NODE) continue;
                const place p =
                    i < l->cells ? place_of_cell(t, i) : level_place(l, loose_base(l) + first + i - l->cells);
                if (part > others[block_of(p)]) others[block_of(p)] = part;
            }
            for (uint32_t b = 0; b < 64; b++) {
                start[b] = next;
                const place q =
                    place_above(l, (place){t, (int)(b & 3) * 2, (int)(b >> 2 & 3) * 2, (int)(b >> 4) * 2});
                for (uint32_t k = 0; k < others[b]; k++, next++)
                    if (pass == 0) {
                        key[next] = (uint64_t)q.tile * c->cells + cell_of(q);
                        from[next] = next;
                    }
            }
            for (uint32_t i = 0; pass == 1 && i < l->cells + loose; i++) {
                uint32_t *part = i < l->cells ? &parent[i] : &l->loose_parent[first + i - l->cells];
                if (*part == NO_NODE) continue;
                const place p =
                    i < l->cells ? place_of_cell(t, i) : level_place(l, loose_base(l) + first + i - l->cells);
                const place q = place_above(l, p);
                *part = *part ? loose_base(c) + final[start[block_of(p)] + *part - 1]
                              : level_index(c, q.tile, q.x, q.y, q.z);
            }
        }
        if (pass == 1) break;
        TRY(sort_by_key(scratch->ctx, c->loose, 64, key, from, spare_key, spare));
        uint32_t tile = 0;
        for (uint32_t i = 0; i < c->loose; i++) {
            const place q = place_of_cell((uint32_t)(key[i] / c->cells), (uint32_t)(key[i] % c->cells));
            final[from[i]] = i;
            c->loose_at[i] = level_index(c, q.tile, q.x, q.y, q.z);
            c->loose_e[i] = 0;
            while (tile <= q.tile) c->loose_begin[tile++] = i;
        }
        while (tile <= c->tiles) c->loose_begin[tile++] = c->loose;
    }
    return RILL_OK;
}

/* --- coefficients --- */

static uint32_t parent_of_cell(const job *w, uint32_t tile, uint32_t cell)
{
    const level *l = w->l;
    if (!l->simple[tile]) return l->parent[(size_t)l->mixed_at[tile] * l->cells + cell];
    const place q = place_above(l, place_of_cell(tile, cell));
    return level_index(w->c, q.tile, q.x, q.y, q.z);
}

static float series_of_cell(const job *w, uint32_t tile, uint32_t cell, int axis)
{
    const level *l = w->l;
    return l->kind[tile] == TILE_UNIFORM ? 0.5f
                                         : w->p->series[axis][(size_t)l->mixed_at[tile] * l->cells + cell];
}

/* The link of a cell to the next block in +axis: its other end, and what it counts there. */
typedef struct crossing {
    uint32_t tile, cell; /* other end */
    float a;
} crossing;

static crossing crossing_of(const job *w, uint32_t tile, uint32_t cell, int axis, float a)
{
    const uint32_t s = axis == 0 ? 1 : axis == 1 ? 8 : 64;
    const bool leaves = (cell / s & 7) == 7;
    crossing x = {leaves ? w->l->near[tile][2 * axis + 1] : tile, leaves ? cell - 7 * s : cell + s, 0};
    x.a = a / (1 + (series_of_cell(w, tile, cell, axis) + series_of_cell(w, x.tile, x.cell, axis)));
    return x;
}

static void fill_tile(const job *w, uint32_t tile, const tile_faces *f)
{
    const level *l = w->l;
    const float *e = l->e + (size_t)l->source[tile] * l->cells;
    const uint8_t *active = l->active + (size_t)l->source[tile] * l->cells;
    for (uint32_t i = 0; i < l->cells; i++) {
        if (!active[i]) continue;
        const uint32_t up = parent_of_cell(w, tile, i);
        if (up == NO_NODE) continue;
        const place q = place_above(l, place_of_cell(tile, i));
        const size_t at = (size_t)q.tile * w->c->cells + cell_of(q);
        if (is_loose(w->c, up)) {
            w->c->loose_e[up - loose_base(w->c)] += 0.5f * e[i];
            continue;
        }
        w->active[at] = 1;
        w->e[at] += 0.5f * e[i];
        for (int axis = 0; axis < 3; axis++) {
            const uint32_t s = axis == 0 ? 1 : axis == 1 ? 8 : 64;
            if (!(i & s) || f->plus[axis][i] <= 0) continue;
            const crossing x = crossing_of(w, tile, i, axis, f->plus[axis][i]);
            if (!is_loose(w->c, parent_of_cell(w, x.tile, x.cell))) w->plus[axis][at] += x.a;
        }
    }
}

/* Block of each cell of a tile, in the caller's order. */
static inline uint32_t block_of_cell(uint32_t cell)
{
    return (cell >> 1 & 3) + 4 * (cell >> 4 & 3) + 16 * (cell >> 7);
}

/* The same as fill_tile for a tile that, like those at its plus sides, is simple: all sums are
 * made on the spot. */
static void fill_simple(const job *w, uint32_t tile, const tile_faces *f)
{
    const level *l = w->l, *c = w->c;
    const uint8_t *active = l->active + (size_t)l->source[tile] * l->cells;
    const float *e_in = l->e + (size_t)l->source[tile] * l->cells;
    float half[512], e[64] = {0}, plus[3][64] = {{0}};
    uint8_t any[64] = {0};
    for (int i = 0; i < 512; i++) half[i] = 0.5f;
    for (uint32_t i = 0; i < l->cells; i++) {
        const uint32_t b = block_of_cell(i);
        any[b] |= active[i];
        e[b] += active[i] ? 0.5f * e_in[i] : 0;
    }
    for (int axis = 0; axis < (l->planes == 1 ? 2 : 3); axis++) {
        const uint32_t s = axis == 0 ? 1 : axis == 1 ? 8 : 64, above = l->near[tile][2 * axis + 1];
        const float *own =
            l->kind[tile] == TILE_UNIFORM ? half : w->p->series[axis] + (size_t)l->mixed_at[tile] * l->cells;
        const float *next = above == l->tiles || l->kind[above] == TILE_UNIFORM
                                ? half
                                : w->p->series[axis] + (size_t)l->mixed_at[above] * l->cells;
        for (uint32_t i = 0; i < l->cells; i++) {
            if (!(i & s) || f->plus[axis][i] <= 0) continue;
            const float other = (i / s & 7) == 7 ? next[i - 7 * s] : own[i + s];
            plus[axis][block_of_cell(i)] += f->plus[axis][i] / (1 + (own[i] + other));
        }
    }
    for (uint32_t b = 0; b < (l->planes == 1 ? 16u : 64u); b++) {
        if (!any[b]) continue;
        const place q =
            place_above(l, (place){tile, (int)(b & 3) * 2, (int)(b >> 2 & 3) * 2, (int)(b >> 4) * 2});
        const size_t at = (size_t)q.tile * c->cells + cell_of(q);
        w->active[at] = 1;
        w->e[at] = e[b];
        for (int axis = 0; axis < 3; axis++) w->plus[axis][at] = plus[axis][b];
    }
}

static void fill_uniform(const job *w, uint32_t tile)
{
    const level *l = w->l, *c = w->c;
    for (int z = 0; z < l->planes; z += 2)
        for (int y = 0; y < 8; y += 2)
            for (int x = 0; x < 8; x += 2) {
                const place q = place_above(l, (place){tile, x, y, z});
                const size_t at = (size_t)q.tile * c->cells + cell_of(q);
                w->active[at] = 1;
                for (int axis = 0; axis < (l->planes == 1 ? 2 : 3); axis++) w->plus[axis][at] = c->unit;
            }
}

static void fill_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *w = arg;
    const level *l = w->l;
    for (size_t t = begin; t < end; t++) {
        if (l->up_tile[t] == NO_NODE) continue;
        bool plain = l->kind[t] == TILE_UNIFORM, simple = l->simple[t];
        for (int axis = 0; axis < (l->planes == 1 ? 2 : 3); axis++) {
            const uint32_t above = l->near[t][2 * axis + 1];
            plain = plain && l->kind[above] == TILE_UNIFORM;
            simple = simple && (above == l->tiles || l->simple[above]);
        }
        if (plain) {
            fill_uniform(w, (uint32_t)t);
            continue;
        }
        tile_faces f;
        level_faces(l, (uint32_t)t, &f);
        (simple ? fill_simple : fill_tile)(w, (uint32_t)t, &f);
    }
}

/* --- links with a loose end --- */

typedef struct link_list {
    rill_ctx *ctx;
    link *link;
    size_t count, capacity;
} link_list;

static rill_status add_link(link_list *list, uint32_t i, uint32_t j, float a)
{
    TRY(mem_grow(list->ctx, &list->link, sizeof *list->link, &list->capacity, list->count + 1));
    list->link[list->count++] = (link){i, j, a};
    return RILL_OK;
}

/* Faces of cells in tiles that are not simple, or at the sides of such tiles. */
static rill_status links_of_faces(const job *w, link_list *list)
{
    const level *l = w->l;
    for (uint32_t t = 0; t < l->tiles; t++) {
        if (l->up_tile[t] == NO_NODE) continue;
        bool look[3], some = false;
        for (int axis = 0; axis < 3; axis++) {
            const uint32_t near = l->near[t][2 * axis + 1];
            look[axis] = !l->simple[t] || (near != l->tiles && !l->simple[near]);
            some |= look[axis];
        }
        if (!some) continue;
        tile_faces f;
        level_faces(l, t, &f);
        for (int axis = 0; axis < 3; axis++) {
            const uint32_t s = axis == 0 ? 1 : axis == 1 ? 8 : 64;
            for (uint32_t i = 0; look[axis] && i < l->cells; i++) {
                const bool side = (i / s & 7) == 7;
                if (!(i & s) || f.plus[axis][i] <= 0 || (l->simple[t] && !side)) continue;
                const uint32_t a = parent_of_cell(w, t, i);
                const uint32_t b = side ? parent_of_cell(w, l->near[t][2 * axis + 1], i - 7 * s)
                                        : parent_of_cell(w, t, i + s);
                if (!is_loose(w->c, a) && !is_loose(w->c, b)) continue;
                TRY(add_link(list, a, b, crossing_of(w, t, i, axis, f.plus[axis][i]).a));
            }
        }
    }
    return RILL_OK;
}

/* Links of the finer level's rows; between two nodes that are not loose they add to faces. */
static rill_status links_of_rows(const job *w, link_list *list)
{
    const level *l = w->l;
    const link_rows *k = &l->links;
    for (uint32_t r = 0; r < k->count[0] + k->count[1]; r++)
        for (uint32_t t = k->begin[r]; t < k->begin[r + 1]; t++) {
            const uint32_t i = k->node[r], j = k->to[t];
            bool same;
            if (i > j) continue; /* its other row */
            const place p = level_place(l, i), q = level_place(l, j);
            const int axis = link_axis(l, p, q, &same);
            if (same) continue;
            float s[2];
            for (int end = 0; end < 2; end++) {
                const uint32_t node = end ? j : i;
                const place at = end ? q : p;
                s[end] = is_loose(l, node) ? w->p->loose_series[node - loose_base(l)][axis]
                                           : series_of_cell(w, at.tile, cell_of(at), axis);
            }
            const float a = k->a[t] / (1 + (s[0] + s[1]));
            const uint32_t up = multigrid_parent(l, w->c, i), vp = multigrid_parent(l, w->c, j);
            if (is_loose(w->c, up) || is_loose(w->c, vp)) {
                TRY(add_link(list, up, vp, a));
                continue;
            }
            const place lower = level_place(w->c, up), upper = level_place(w->c, vp);
            const int32_t *lo = w->c->tile[lower.tile], *hi = w->c->tile[upper.tile];
            const int at_lo[3] = {lo[0] * 8 + lower.x, lo[1] * 8 + lower.y, lo[2] * 8 + lower.z};
            const int at_hi[3] = {hi[0] * 8 + upper.x, hi[1] * 8 + upper.y, hi[2] * 8 + upper.z};
            const place own = at_lo[axis] < at_hi[axis] ? lower : upper;
            w->plus[axis][(size_t)own.tile * w->c->cells + cell_of(own)] += a;
        }
    return RILL_OK;
}

rill_status multigrid_coarsen(rill_arena *memory, rill_arena *scratch, level *l, level *out, bool *more)
{
    parts p;
    TRY(parts_build(memory, scratch, l, &p));
    *more = l->linked;
    if (!l->linked) return RILL_OK;
    level c = {.planes = l->planes, .cells = l->cells, .half = l->half};
    c.unit = l->planes == 1 ? l->unit : 2 * l->unit;
    job w = {.l = l, .c = &c, .p = &p};
    TRY(make_tiles(memory, scratch, &w));
    TRY(make_loose(memory, scratch, &w));

    const size_t n = (size_t)c.tiles * c.cells;
    TRY(ARENA_NEW(memory, w.active, n));
    TRY(ARENA_NEW(memory, w.e, n));
    memset(w.active, 0, n);
    memset(w.e, 0, n * sizeof *w.e);
    for (int axis = 0; axis < 3; axis++) {
        TRY(ARENA_NEW(memory, w.plus[axis], n));
        memset(w.plus[axis], 0, n * sizeof(float));
        c.plus[axis] = w.plus[axis];
    }
    c.active = w.active;
    c.e = w.e;
    level_for(scratch->ctx, l, fill_block, &w);
    for (uint32_t i = 0; i < l->loose; i++) { /* air at loose nodes */
        const uint32_t up = l->loose_parent[i];
        if (up == NO_NODE) continue;
        const place q = level_place(&c, up);
        if (is_loose(&c, up))
            c.loose_e[up - loose_base(&c)] += 0.5f * l->loose_e[i];
        else {
            w.active[(size_t)q.tile * c.cells + cell_of(q)] = 1;
            w.e[(size_t)q.tile * c.cells + cell_of(q)] += 0.5f * l->loose_e[i];
        }
    }
    link_list list = {.ctx = scratch->ctx};
    rill_status st = links_of_faces(&w, &list);
    if (!st) st = links_of_rows(&w, &list);
    if (!st) st = link_rows_build(memory, scratch, &c, list.link, list.count, &c.links);
    mem_free(scratch->ctx, list.link);
    TRY(st);
    TRY(level_build(memory, &c));
    TRY(level_vector(memory, &c, &c.x));
    TRY(level_vector(memory, &c, &c.b));
    *out = c;
    return RILL_OK;
}
