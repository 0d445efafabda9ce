#include "grid/pressure/multigrid_parts.h"

#include "base/union_find.h"

/* Union-find over the nodes of a tile: its cells in the caller's order, then its loose ones. */
typedef struct forest {
    uint32_t *up;     /* towards the root, which is the lowest of its part */
    uint32_t *size;   /* of a root's part */
    uint32_t *number; /* of a root's part in its block */
} forest;

typedef struct job {
    level *l;
    parts *p;
    forest *worker; /* one each */
} job;

/* s of [multigrid.h]: the link out of the block against those inside it. */
static float series_of(float out, float in, float in_all)
{
    const float base = in > 0 ? in : in_all;
    const float s = base > 0 ? 0.5f * out / base : 0;
    return s > 1 ? 1 : s;
}

static void series_tile(const job *w, uint32_t tile, const tile_faces *f)
{
    const level *l = w->l;
    const size_t at = (size_t)l->mixed_at[tile] * l->cells;
    float *s[3] = {w->p->series[0] + at, w->p->series[1] + at, w->p->series[2] + at};
    for (uint32_t i = 0; i < l->cells; i++) {
        const uint32_t odd[3] = {i & 1, i >> 3 & 1, i >> 6 & 1};
        float in[3], out[3], all = 0;
        for (int d = 0; d < 3; d++) {
            in[d] = odd[d] ? f->minus[d][i] : f->plus[d][i];
            out[d] = odd[d] ? f->plus[d][i] : f->minus[d][i];
            all += in[d];
        }
        for (int d = 0; d < 3; d++) s[d][i] = series_of(out[d], in[d], all);
    }
}

/* Nodes with links besides the faces of their cell. */
static void series_row(const job *w, uint32_t row, const tile_faces *f)
{
    const level *l = w->l;
    const link_rows *k = &l->links;
    const uint32_t node = k->node[row];
    const place p = level_place(l, node);
    float in[3] = {0}, out[3] = {0}, all = 0;
    const uint32_t i = cell_of(p);
    if (!is_loose(l, node)) {
        const uint32_t odd[3] = {i & 1, i >> 3 & 1, i >> 6 & 1};
        for (int d = 0; d < 3; d++) {
            in[d] = odd[d] ? f->minus[d][i] : f->plus[d][i];
            out[d] = odd[d] ? f->plus[d][i] : f->minus[d][i];
        }
    }
    for (uint32_t t = k->begin[row]; t < k->begin[row + 1]; t++) {
        bool same;
        const int d = link_axis(l, p, level_place(l, k->to[t]), &same);
        (same ? in : out)[d] += k->a[t];
    }
    for (int d = 0; d < 3; d++) all += in[d];
    for (int d = 0; d < 3; d++) {
        const float s = series_of(out[d], in[d], all);
        if (is_loose(l, node))
            w->p->loose_series[node - loose_base(l)][d] = s;
        else
            w->p->series[d][(size_t)l->mixed_at[p.tile] * l->cells + i] = s;
    }
}

/* Unites what hangs together inside blocks; up = NO_NODE for nodes without links. */
static void unite_tile(const job *w, uint32_t tile, const tile_faces *f, const forest *tree)
{
    const level *l = w->l;
    const link_rows *k = &l->links;
    const uint8_t *active = l->active + (size_t)l->source[tile] * l->cells;
    const float *e = l->e + (size_t)l->source[tile] * l->cells;
    const uint32_t first = l->loose_begin ? l->loose_begin[tile] : 0;
    const uint32_t loose = l->loose_begin ? l->loose_begin[tile + 1] - first : 0;
    bool linked = false, singular = false;
    for (uint32_t i = 0; i < l->cells + loose; i++) {
        float sum = 0;
        uint32_t row = NO_NODE;
        if (i < l->cells) {
            if (!active[i]) {
                tree->up[i] = NO_NODE;
                continue;
            }
            for (int d = 0; d < 3; d++) sum += f->minus[d][i] + f->plus[d][i];
            const place p = place_of_cell(tile, i);
            if (k->row_of) row = k->row_of[level_index(l, tile, p.x, p.y, p.z)];
        } else
            row = k->row_of[loose_base(l) + first + i - l->cells];
        if (row != NO_NODE) sum += (float)(k->begin[row + 1] - k->begin[row]);
        tree->up[i] = sum > 0 ? i : NO_NODE;
        if (sum > 0)
            linked = true;
        else
            singular |= (i < l->cells ? e[i] : l->loose_e[first + i - l->cells]) == 0;
        if (row != NO_NODE) series_row(w, row, f);
    }
    w->p->linked[tile] = linked;
    w->p->singular[tile] = singular;
    for (int d = 0; d < 3; d++) {
        const uint32_t s = d == 0 ? 1 : d == 1 ? 8 : 64;
        for (uint32_t i = 0; i < l->cells; i++)
            if (!(i & s) && f->plus[d][i] > 0) union_find_join(tree->up, i, i + s);
    }
    if (!k->row_of) return;
    for (uint32_t i = 0; i < l->cells + loose; i++) { /* links to nodes of the same block */
        if (tree->up[i] == NO_NODE) continue;
        const place p =
            i < l->cells ? place_of_cell(tile, i) : level_place(l, loose_base(l) + first + i - l->cells);
        const uint32_t row = k->row_of[i < l->cells ? level_index(l, tile, p.x, p.y, p.z)
                                                    : loose_base(l) + first + i - l->cells];
        if (row == NO_NODE) continue;
        for (uint32_t t = k->begin[row]; t < k->begin[row + 1]; t++) {
            bool same;
            const place q = level_place(l, k->to[t]);
            (void)link_axis(l, p, q, &same);
            if (same)
                union_find_join(tree->up, i,
                                is_loose(l, k->to[t]) ? l->cells + k->to[t] - loose_base(l) - first
                                                      : cell_of(q));
        }
    }
}

/* Numbers the parts of each block, the largest 0 and the others by their lowest node. */
static void number_tile(const job *w, uint32_t tile, const forest *tree)
{
    level *l = w->l;
    const uint8_t *active = l->active + (size_t)l->source[tile] * l->cells;
    const uint32_t first = l->loose_begin ? l->loose_begin[tile] : 0;
    const uint32_t loose = l->loose_begin ? l->loose_begin[tile + 1] - first : 0;
    const uint32_t n = l->cells + loose;
    uint32_t largest[64], others[64] = {0};
    for (int b = 0; b < 64; b++) largest[b] = NO_NODE;
    memset(tree->size, 0, n * sizeof *tree->size);
    for (uint32_t i = 0; i < n; i++)
        if (tree->up[i] != NO_NODE) tree->size[union_find_root(tree->up, i)]++;
    bool simple = loose == 0;
    for (uint32_t i = 0; i < n; i++) {
        if (tree->size[i] == 0) continue;
        const place p =
            i < l->cells ? place_of_cell(tile, i) : level_place(l, loose_base(l) + first + i - l->cells);
        uint32_t *best = &largest[block_of(p)];
        if (*best != NO_NODE) simple = false;
        if (*best == NO_NODE || tree->size[i] > tree->size[*best]) *best = i;
    }
    for (uint32_t i = 0; i < l->cells && simple; i++) simple = !active[i] || tree->up[i] != NO_NODE;
    l->simple[tile] = simple;
    w->p->extra[tile] = 0;
    if (simple) return;
    for (uint32_t i = 0; i < n; i++) {
        if (tree->size[i] == 0) continue;
        const place p =
            i < l->cells ? place_of_cell(tile, i) : level_place(l, loose_base(l) + first + i - l->cells);
        const uint32_t b = block_of(p);
        tree->number[i] = i == largest[b] ? 0 : ++others[b];
        w->p->extra[tile] += i != largest[b];
    }
    uint32_t *parent = l->parent + (size_t)l->mixed_at[tile] * l->cells;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t part = tree->up[i] == NO_NODE ? NO_NODE : tree->number[union_find_root(tree->up, i)];
        if (i < l->cells)
            parent[i] = part;
        else
            l->loose_parent[first + i - l->cells] = part;
    }
}

/* Whether the cells of a set (bit k: at (k & 1, k >> 1 & 1, k >> 2)) hang together; plus[d] has
 * the bits of cells with a link to the next in +d. */
static bool one_part(uint32_t set, const uint32_t plus[3])
{
    uint32_t part = set & (0 - set), before;
    do {
        before = part;
        for (int d = 0; d < 3; d++) part |= (part & plus[d]) << (1 << d) | (part >> (1 << d) & plus[d]);
    } while (part != before);
    return part == set;
}

/* The case of most tiles, without a forest: every block is one part and no cell without link. */
static bool quickly_simple(const job *w, uint32_t tile, const tile_faces *f)
{
    const level *l = w->l;
    const uint8_t *active = l->active + (size_t)l->source[tile] * l->cells;
    if (l->links.row_of) return false;
    for (int z = 0; z < l->planes; z += 2)
        for (int y = 0; y < 8; y += 2)
            for (int x = 0; x < 8; x += 2) {
                uint32_t set = 0, plus[3] = {0};
                for (uint32_t k = 0; k < (l->planes == 1 ? 4 : 8); k++) {
                    const int i = ((z + (int)(k >> 2)) * 8 + y + (int)(k >> 1 & 1)) * 8 + x + (int)(k & 1);
                    set |= (uint32_t)(active[i] != 0) << k;
                    for (int d = 0; d < 3; d++)
                        plus[d] |= (uint32_t)(!(k >> d & 1) && f->plus[d][i] > 0) << k;
                }
                if (!one_part(set, plus)) return false;
                if (set & (set - 1) || !set) continue; /* several that hang together have links */
                for (uint32_t k = 0; k < 8; k++) {     /* one alone: does it have any? */
                    if (!(set >> k & 1)) continue;
                    const int i = ((z + (int)(k >> 2)) * 8 + y + (int)(k >> 1 & 1)) * 8 + x + (int)(k & 1);
                    float sum = 0;
                    for (int d = 0; d < 3; d++) sum += f->minus[d][i] + f->plus[d][i];
                    if (!(sum > 0)) return false;
                }
            }
    return true;
}

static void parts_block(void *arg, size_t begin, size_t end, int worker)
{
    const job *w = arg;
    for (size_t t = begin; t < end; t++) {
        const uint32_t tile = (uint32_t)t;
        if (w->l->kind[t] == TILE_UNIFORM) {
            w->l->simple[t] = 1;
            w->p->extra[t] = 0;
            w->p->linked[t] = 1;
            w->p->singular[t] = 0;
            continue;
        }
        tile_faces f;
        level_faces(w->l, tile, &f);
        series_tile(w, tile, &f);
        if (quickly_simple(w, tile, &f)) {
            w->l->simple[t] = 1;
            w->p->extra[t] = 0;
            w->p->linked[t] = 1;
            w->p->singular[t] = 0;
            continue;
        }
        unite_tile(w, tile, &f, &w->worker[worker]);
        number_tile(w, tile, &w->worker[worker]);
    }
}

rill_status parts_build(rill_arena *memory, rill_arena *scratch, level *l, parts *out)
{
    const int workers = parallel_workers(scratch->ctx);
    const size_t mixed = (size_t)l->mixed * l->cells;
    parts p;
    job w = {l, &p, NULL};
    uint32_t most = 0;
    for (uint32_t t = 0; t < l->tiles && l->loose_begin; t++)
        if (l->loose_begin[t + 1] - l->loose_begin[t] > most)
            most = l->loose_begin[t + 1] - l->loose_begin[t];
    TRY(ARENA_NEW(memory, l->simple, l->tiles));
    TRY(ARENA_NEW(memory, l->parent, mixed));
    TRY(ARENA_NEW(memory, l->loose_parent, l->loose));
    for (int d = 0; d < 3; d++) TRY(ARENA_NEW(scratch, p.series[d], mixed));
    TRY(ARENA_NEW(scratch, p.loose_series, l->loose));
    TRY(ARENA_NEW(scratch, p.extra, l->tiles));
    TRY(ARENA_NEW(scratch, p.linked, l->tiles));
    TRY(ARENA_NEW(scratch, p.singular, l->tiles));
    TRY(ARENA_NEW(scratch, w.worker, (size_t)workers));
    for (int i = 0; i < workers; i++) {
        TRY(ARENA_NEW(scratch, w.worker[i].up, 512 + most));
        TRY(ARENA_NEW(scratch, w.worker[i].size, 512 + most));
        TRY(ARENA_NEW(scratch, w.worker[i].number, 512 + most));
    }
    level_for(scratch->ctx, l, parts_block, &w);
    l->linked = l->singular = false;
    for (uint32_t t = 0; t < l->tiles; t++) {
        l->linked |= p.linked[t];
        l->singular |= p.singular[t];
    }
    *out = p;
    return RILL_OK;
}
