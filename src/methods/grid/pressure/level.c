#include "grid/pressure/level.h"

/* Tiles ascend, and so do their neighbours in one direction: one walk finds them all. */
void level_link_tiles(level *l)
{
    static const uint64_t step[3] = {1, 1ull << 22, 1ull << 44};
    for (uint32_t t = 0; t < l->tiles; t++)
        for (int d = 0; d < 6; d++) l->near[t][d] = l->tiles;
    for (int axis = 0; axis < (l->planes == 1 ? 2 : 3); axis++)
        for (uint32_t t = 0, j = 0; t < l->tiles; t++) {
            const uint64_t wanted = level_tile_key(l->tile[t]) + step[axis];
            while (j < l->tiles && level_tile_key(l->tile[j]) < wanted) j++;
            if (j == l->tiles || level_tile_key(l->tile[j]) != wanted) continue;
            l->near[t][2 * axis + 1] = j;
            l->near[j][2 * axis] = t;
        }
}

typedef struct zeroing {
    const level *l;
    float *v;
} zeroing;

static void zero_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const zeroing *w = arg;
    memset(w->v + begin * w->l->cells, 0, (end - begin) * w->l->cells * sizeof *w->v);
}

rill_status level_vector(rill_arena *memory, const level *l, float **out)
{
    float *v;
    const size_t n = (size_t)l->tiles * l->cells;
    TRY(ARENA_NEW(memory, v, l->length + 2 * LEVEL_PAD));
    memset(v, 0, LEVEL_PAD * sizeof *v);
    v += LEVEL_PAD;
    memset(v + n, 0, (l->length - n + LEVEL_PAD) * sizeof *v);
    zeroing w = {l, v};
    level_for(memory->ctx, l, zero_block, &w);
    *out = v;
    return RILL_OK;
}

void level_for(rill_ctx *ctx, const level *l, parallel_body *body, void *arg)
{
    if (l->tiles >= SERIAL_TILES) {
        parallel_for(ctx, l->tiles, TILE_GRAIN, body, arg);
        return;
    }
    for (uint32_t t = 0; t < l->tiles; t += TILE_GRAIN)
        body(arg, t, t + TILE_GRAIN < l->tiles ? t + TILE_GRAIN : l->tiles, 0);
}

void level_sums(const level *l, int width, double *out)
{
    for (int k = 0; k < width; k++) out[k] = 0;
    const uint32_t blocks = (l->tiles + TILE_GRAIN - 1) / TILE_GRAIN;
    for (uint32_t i = 0; i < blocks; i++)
        for (int k = 0; k < width; k++) out[k] += l->sums[i * (uint32_t)width + (uint32_t)k];
}

static bool any_active(const uint8_t *active, uint32_t n)
{
    uint8_t any = 0;
    for (uint32_t i = 0; i < n; i++) any |= active[i];
    return any != 0;
}

rill_status level_from_system(rill_arena *memory, const pressure_system *system, level *out)
{
    level l = {.planes = system->dimensions == 2 ? 1 : 8, .unit = 1};
    l.cells = 64u * (uint32_t)l.planes;
    l.half = l.cells / 2;
    l.active = system->active;
    l.plus[0] = system->ax;
    l.plus[1] = system->ay;
    l.plus[2] = system->az;
    l.e = system->e;
    TRY(ARENA_NEW(memory, l.source, system->tiles));
    for (uint32_t t = 0; t < system->tiles; t++)
        if (any_active(system->active + (size_t)t * l.cells, l.cells)) l.source[l.tiles++] = t;
    TRY(ARENA_NEW(memory, l.tile, l.tiles));
    TRY(ARENA_NEW(memory, l.near, l.tiles));
    /* Counted from the lowest: halving must bring all places together at 0. */
    int32_t lowest[3] = {INT32_MAX, INT32_MAX, INT32_MAX};
    for (uint32_t t = 0; t < l.tiles; t++)
        for (int k = 0; k < 3; k++) {
            const int32_t at = system->tile[l.source[t]][k];
            if (at < lowest[k]) lowest[k] = at;
        }
    for (uint32_t t = 0; t < l.tiles; t++)
        for (int k = 0; k < 3; k++) l.tile[t][k] = system->tile[l.source[t]][k] - lowest[k];
    level_link_tiles(&l);
    *out = l;
    return RILL_OK;
}

void level_faces(const level *l, uint32_t tile, tile_faces *out)
{
    const uint32_t n = l->cells;
    const size_t at = (size_t)l->source[tile] * n;
    float self[512];
    for (uint32_t i = 0; i < n; i++) self[i] = l->active[at + i] != 0;
    if (l->planes == 1) {
        memset(out->minus[2], 0, n * sizeof(float));
        memset(out->plus[2], 0, n * sizeof(float));
    }
    for (int axis = 0; axis < (l->planes == 1 ? 2 : 3); axis++) {
        const uint32_t s = axis == 0 ? 1 : axis == 1 ? 8 : 64;
        const float *a = l->plus[axis] + at;
        float *restrict plus = out->plus[axis], *restrict minus = out->minus[axis];
        for (uint32_t i = 0; i < n - s; i++) plus[i] = a[i] * self[i] * self[i + s];
        for (uint32_t i = s; i < n; i++) minus[i] = plus[i - s];
        /* What these loops took across the tile's sides is put right. */
        const uint32_t below = l->near[tile][2 * axis], above = l->near[tile][2 * axis + 1];
        const size_t at_below = below == l->tiles ? 0 : (size_t)l->source[below] * n;
        const size_t at_above = above == l->tiles ? 0 : (size_t)l->source[above] * n;
        for (uint32_t k = 0; k < n / 8; k++) {
            const uint32_t first = axis == 0   ? k * 8
                                   : axis == 1 ? k / 8 * 64 + k % 8
                                               : k,
                           last = first + 7 * s;
            plus[last] =
                above == l->tiles ? 0 : a[last] * self[last] * (float)(l->active[at_above + first] != 0);
            minus[first] = below == l->tiles ? 0
                                             : l->plus[axis][at_below + last] *
                                                   (float)(l->active[at_below + last] != 0) * self[first];
        }
    }
}

/* --- kinds --- */

static bool all_equal(const float *v, uint32_t n, float value)
{
    int other = 0;
    for (uint32_t i = 0; i < n; i++) other |= v[i] != value;
    return !other;
}

static bool side_full(const level *l, uint32_t tile, int axis, bool above)
{
    const uint32_t near = l->near[tile][2 * axis + above];
    if (near == l->tiles) return false;
    const size_t at = (size_t)l->source[near] * l->cells;
    for (uint32_t k = 0; k < l->cells / 8; k++) {
        const uint32_t s = axis == 0 ? 1 : axis == 1 ? 8 : 64;
        const uint32_t first = axis == 0 ? k * 8 : axis == 1 ? k / 8 * 64 + k % 8 : k;
        const size_t i = at + (above ? first : first + 7 * s);
        if (!l->active[i] || (!above && l->plus[axis][i] != l->unit)) return false;
    }
    return true;
}

static bool is_uniform(const level *l, uint32_t tile)
{
    const int axes = l->planes == 1 ? 2 : 3;
    for (int d = 0; d < 2 * axes; d++)
        if (l->near[tile][d] == l->tiles) return false;
    const size_t at = (size_t)l->source[tile] * l->cells;
    if (!all_equal(l->e + at, l->cells, 0)) return false;
    for (int axis = 0; axis < axes; axis++)
        if (!all_equal(l->plus[axis] + at, l->cells, l->unit)) return false;
    uint8_t all = 1;
    for (uint32_t i = 0; i < l->cells; i++) all &= l->active[at + i] != 0;
    if (!all) return false;
    for (int d = 0; d < 2 * axes; d++)
        if (!side_full(l, tile, d / 2, d & 1)) return false;
    return true;
}

static void kind_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const level *l = arg;
    for (size_t t = begin; t < end; t++)
        if (l->kind[t] == TILE_UNIFORM && !is_uniform(l, (uint32_t)t)) l->kind[t] = TILE_MIXED;
}

/* --- coefficients of mixed tiles --- */

/* Every other cell of two rows of cells, the first from x = first, the second from the other. */
static void pick(const float *cells, int first, float *out)
{
    for (int m = 0; m < ROW; m++) out[m] = cells[first + 2 * m];
    for (int m = 0; m < ROW; m++) out[ROW + m] = cells[8 + 1 - first + 2 * m];
}

/* Two neighbours in x: one at the same place of the row, one beyond. */
static void pick_x(const float *minus, const float *plus, int first, float *beside, float *beyond)
{
    for (int row = 0; row < 2; row++) {
        const int f = row ? 1 - first : first;
        for (int m = 0; m < ROW; m++) {
            const int at = row * 8 + f + 2 * m;
            beside[row * ROW + m] = f ? minus[at] : plus[at];
            beyond[row * ROW + m] = f ? plus[at] : minus[at];
        }
    }
}

static void coef_line(const level *l, uint32_t tile, int line, const tile_faces *f, const float *e)
{
    float inverse[16];
    const int at = line * 16;
    for (int i = 0; i < 16; i++) {
        const float d =
            e[i] + ((f->minus[0][at + i] + f->plus[0][at + i]) + (f->minus[1][at + i] + f->plus[1][at + i]) +
                    (f->minus[2][at + i] + f->plus[2][at + i]));
        inverse[i] = d > 0 ? 1 / d : 0;
    }
    for (int colour = 0; colour < 2; colour++) {
        float *c = line_coef(l, tile, colour, line);
        const int first = row_first(colour, 0, line >> 2);
        pick_x(f->minus[0] + at, f->plus[0] + at, first, c + C_BESIDE * LINE, c + C_BEYOND * LINE);
        pick(f->minus[1] + at, first, c + C_YM * LINE);
        pick(f->plus[1] + at, first, c + C_YP * LINE);
        pick(f->minus[2] + at, first, c + C_ZM * LINE);
        pick(f->plus[2] + at, first, c + C_ZP * LINE);
        pick(e, first, c + C_E * LINE);
        pick(inverse, first, c + C_INV * LINE);
    }
}

static bool line_is_plain(const level *l, int line, const tile_faces *f, const float *e)
{
    int other = 0;
    for (int axis = 0; axis < (l->planes == 1 ? 2 : 3); axis++)
        for (int i = line * 16; i < line * 16 + 16; i++)
            other |= (f->minus[axis][i] != l->unit) | (f->plus[axis][i] != l->unit);
    for (int i = 0; i < 16; i++) other |= e[i] != 0;
    return !other;
}

/* Links of a node come on top of its faces. */
static bool line_has_links(const level *l, uint32_t tile, int line)
{
    uint32_t none = NO_NODE;
    if (!l->links.row_of) return false;
    for (uint32_t colour = 0; colour < 2; colour++)
        for (uint32_t i = 0; i < LINE; i++)
            none &= l->links.row_of[tile * l->cells + colour * l->half + (uint32_t)line * LINE + i];
    return none != NO_NODE;
}

static void coef_tile(const level *l, uint32_t tile)
{
    tile_faces f;
    const uint8_t *active = l->active + (size_t)l->source[tile] * l->cells;
    const float *e_in = l->e + (size_t)l->source[tile] * l->cells;
    level_faces(l, tile, &f);
    float e[512];
    uint32_t lines = 0, plain = 0;
    for (int line = 0; line < 4 * l->planes; line++) {
        int any = 0;
        for (int i = line * 16; i < line * 16 + 16; i++) {
            any |= active[i];
            e[i] = active[i] ? e_in[i] : 0;
        }
        if (!any) continue;
        lines |= 1u << line;
        if (line_is_plain(l, line, &f, e + line * 16) && !line_has_links(l, tile, line)) plain |= 1u << line;
    }
    l->lines[tile] = lines;
    l->plain[tile] = plain;
    for (int line = 0; line < 4 * l->planes; line++)
        if (line_bit(lines & ~plain, line)) coef_line(l, tile, line, &f, e + line * 16);
}

static void coef_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const level *l = arg;
    for (size_t t = begin; t < end; t++) {
        if (l->kind[t] == TILE_MIXED)
            coef_tile(l, (uint32_t)t);
        else
            l->lines[t] = l->plain[t] = l->planes == 1 ? 0xf : ~0u;
    }
}

/* Links add to the diagonal of the nodes they meet. */
static void link_diagonals(level *l)
{
    const link_rows *k = &l->links;
    for (uint32_t r = 0; r < k->count[0] + k->count[1]; r++) {
        const uint32_t node = k->node[r];
        float sum = 0;
        for (uint32_t i = k->begin[r]; i < k->begin[r + 1]; i++) sum += k->a[i];
        if (is_loose(l, node)) {
            const uint32_t i = node - loose_base(l);
            const float d = l->loose_e[i] + sum;
            l->loose_inv[i] = d > 0 ? 1 / d : 0;
            continue;
        }
        float *c = cell_coef(l, node);
        for (int i = 0; i < C_INV; i++) sum += c[i * LINE];
        c[C_INV * LINE] = 1 / sum;
    }
}

rill_status level_build(rill_arena *memory, level *l)
{
    TRY(ARENA_NEW(memory, l->kind, l->tiles));
    TRY(ARENA_NEW(memory, l->lines, l->tiles));
    TRY(ARENA_NEW(memory, l->plain, l->tiles));
    TRY(ARENA_NEW(memory, l->mixed_at, l->tiles));
    TRY(ARENA_NEW(memory, l->sums, ((size_t)l->tiles / TILE_GRAIN + 1) * 4));
    for (uint32_t t = 0; t < l->tiles; t++) l->kind[t] = TILE_UNIFORM;
    for (uint32_t r = 0; r < l->links.count[0] + l->links.count[1]; r++)
        l->kind[level_place(l, l->links.node[r]).tile] = TILE_MIXED;
    level_for(memory->ctx, l, kind_block, l);
    l->mixed = 0;
    for (uint32_t t = 0; t < l->tiles; t++)
        l->mixed_at[t] = l->kind[t] == TILE_MIXED ? l->mixed++ : UINT32_MAX;
    TRY(ARENA_NEW(memory, l->coef, (size_t)l->mixed * 2 * C_KINDS * l->half));
    TRY(ARENA_NEW(memory, l->loose_inv, l->loose));
    level_for(memory->ctx, l, coef_block, l);
    link_diagonals(l);
    l->length = (size_t)(l->tiles + 1) * l->cells + l->loose;
    return RILL_OK;
}
