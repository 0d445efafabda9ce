#include "grid/pressure_sweep.h"

#include "grid/pressure_stencil.h"

typedef struct job {
    const level *l;
    int colour;
    float *x;
    const float *b, *q;
    float over; /* 1 / diagonal of a uniform tile */
} job;

static float uniform_inverse(const level *l)
{
    return 1 / ((l->planes == 1 ? 4 : 6) * l->unit);
}

static void first_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *w = arg;
    const level *l = w->l;
    for (size_t t = begin; t < end; t++) {
        float *restrict x = w->x + t * l->cells;
        const float *restrict b = w->b + t * l->cells;
        if (l->kind[t] == TILE_UNIFORM) {
            for (uint32_t i = 0; i < l->half; i++) x[i] = b[i] * w->over;
        } else {
            const float *restrict inverse = tile_coef(l, (uint32_t)t, 0) + C_INV * l->half;
            for (uint32_t i = 0; i < l->half; i++) x[i] = b[i] * inverse[i];
        }
    }
}

void sweep_first(rill_ctx *ctx, const level *l, float *x, const float *b)
{
    job w = {l, 0, x, b, NULL, uniform_inverse(l)};
    level_for(ctx, l, first_block, &w);
    for (uint32_t r = 0; r < l->links.count[0]; r++) {
        const uint32_t node = l->links.node[r];
        if (is_loose(l, node)) x[node] = b[node] * l->loose_inv[node - loose_base(l)];
    }
}

static inline void sweep_uniform(const job *w, uint32_t tile)
{
    const level *l = w->l;
    const halves h = halves_of(l, w->x, tile, 1 - w->colour);
    float *x = w->x + (size_t)tile * l->cells + (size_t)w->colour * l->half;
    const float *b = w->b + (size_t)tile * l->cells + (size_t)w->colour * l->half;
    const f4 unit = all4(l->unit), over = all4(w->over);
    for (int z = 0; z < l->planes; z++)
        for (int y = 0; y < 8; y++) {
            const six s = six_at(&h, l->planes, z, y, row_first(w->colour, y, z));
            const int r = (z * 8 + y) * ROW;
            store4(x + r, (load4(b + r) + unit * six_sum(&s)) * over);
        }
}

static inline void sweep_mixed(const job *w, uint32_t tile)
{
    const level *l = w->l;
    const halves h = halves_of(l, w->x, tile, 1 - w->colour);
    float *x = w->x + (size_t)tile * l->cells + (size_t)w->colour * l->half;
    const float *b = w->b + (size_t)tile * l->cells + (size_t)w->colour * l->half;
    const float *c = tile_coef(l, tile, w->colour);
    const uint64_t rows = l->rows[tile];
    for (int z = 0; z < l->planes; z++)
        for (int y = 0; y < 8; y++) {
            if (!(rows >> (z * 8 + y) & 1)) continue;
            const six s = six_at(&h, l->planes, z, y, row_first(w->colour, y, z));
            const int r = (z * 8 + y) * ROW;
            store4(x + r, (load4(b + r) + six_weighted(&s, c + r, l->half)) * load4(c + C_INV * l->half + r));
        }
}

static void dots_tile(const job *w, uint32_t tile, double *sum)
{
    const level *l = w->l;
    const float *x = w->x + (size_t)tile * l->cells, *b = w->b + (size_t)tile * l->cells;
    const float *q = w->q + (size_t)tile * l->cells;
    d4 xb = {0}, xq = {0};
    for (uint32_t i = 0; i < l->cells; i += 4) {
        const d4 v = wide4(load4(x + i));
        xb += v * wide4(load4(b + i));
        xq += v * wide4(load4(q + i));
    }
    sum[0] += add4(xb);
    sum[1] += add4(xq);
}

static void sweep_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *w = arg;
    double sum[2] = {0};
    for (size_t t = begin; t < end; t++) {
        if (w->l->kind[t] == TILE_UNIFORM)
            sweep_uniform(w, (uint32_t)t);
        else
            sweep_mixed(w, (uint32_t)t);
        if (w->q) dots_tile(w, (uint32_t)t, sum);
    }
    if (w->q) memcpy(w->l->sums + begin / TILE_GRAIN * 2, sum, sizeof sum);
}

static void rows_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *w = arg;
    const level *l = w->l;
    const link_rows *k = &l->links;
    const uint32_t first = w->colour ? k->count[0] : 0;
    for (size_t r = first + begin; r < first + end; r++) {
        const uint32_t node = k->node[r];
        float sum = 0;
        for (uint32_t t = k->begin[r]; t < k->begin[r + 1]; t++) sum += k->a[t] * w->x[k->to[t]];
        if (is_loose(l, node))
            w->x[node] = (w->b[node] + sum) * l->loose_inv[node - loose_base(l)];
        else
            w->x[node] += sum * tile_coef(l, node / l->cells, w->colour)[C_INV * l->half + node % l->half];
    }
}

static void for_rows(rill_ctx *ctx, size_t rows, parallel_body *body, void *arg)
{
    if (rows > 2 * ROW_GRAIN)
        parallel_for(ctx, rows, ROW_GRAIN, body, arg);
    else if (rows)
        body(arg, 0, rows, 0);
}

void sweep(rill_ctx *ctx, const level *l, int colour, float *x, const float *b, const float *q, double *dots)
{
    job w = {l, colour, x, b, q, uniform_inverse(l)};
    level_for(ctx, l, sweep_block, &w);
    if (q) level_sums(l, 2, dots);
    for_rows(ctx, l->links.count[colour], rows_block, &w);
}

/* --- to the coarser level --- */

typedef struct transfer {
    const level *l, *c;
    const float *b;
    float *x;
    bool fresh;
} transfer;

/* Place of a coarse row over rows (2J, 2J+1) x (2K, 2K+1) of a tile: of its four cells the
 * first and third have colour `even`, the others the other; *at is that of the first. */
static inline size_t row_above(const level *l, const level *c, uint32_t tile, int J, int K, int *even)
{
    const int32_t *t = l->tile[tile];
    const int y = (t[1] & 1) * 4 + J, z = l->planes == 1 ? 0 : (t[2] & 1) * 4 + K;
    *even = (y + z) & 1;
    return (size_t)l->up_tile[tile] * c->cells + (size_t)((z * 8 + y) * ROW + (t[0] & 1) * 2);
}

static inline f4 residual_row(const transfer *w, uint32_t tile, const halves *h, const float *coef, int z,
                              int y)
{
    const level *l = w->l;
    const int r = (z * 8 + y) * ROW;
    const six s = six_at(h, l->planes, z, y, (y + z) & 1);
    if (w->fresh) return coef ? six_weighted(&s, coef + r, l->half) : all4(l->unit) * six_sum(&s);
    const f4 x = load4(w->x + (size_t)tile * l->cells + r), b = load4(w->b + (size_t)tile * l->cells + r);
    if (coef) return b - six_apply(&s, coef + r, l->half, x);
    return b - all4(l->unit) * (all4(l->planes == 1 ? 4 : 6) * x - six_sum(&s));
}

static void restrict_tile(const transfer *w, uint32_t tile)
{
    const level *l = w->l;
    const halves h = halves_of(l, w->x, tile, 1);
    const float *coef = l->kind[tile] == TILE_UNIFORM ? NULL : tile_coef(l, tile, 0);
    const uint64_t rows = l->rows[tile];
    float *cb = w->c->b;
    const bool simple = l->simple[tile];
    for (int K = 0; K < (l->planes + 1) / 2; K++)
        for (int J = 0; J < 4; J++) {
            int even;
            float *at = cb + row_above(l, w->c, tile, J, K, &even);
            float *a = at + (size_t)even * l->half, *o = at + (size_t)(1 - even) * l->half;
            f4 sum = {0};
            if (!simple) {
                a[0] = o[0] = a[1] = o[1] = 0;
                continue;
            }
            for (int k = 0; k < 4; k++) {
                const int y = 2 * J + (k & 1), z = 2 * K + (k >> 1);
                if (z >= l->planes || !(rows >> (z * 8 + y) & 1)) continue;
                sum += residual_row(w, tile, &h, coef, z, y);
            }
            a[0] = sum[0];
            o[0] = sum[1];
            a[1] = sum[2];
            o[1] = sum[3];
        }
    if (simple) return;
    const uint32_t *parent = l->parent + (size_t)l->mixed_at[tile] * l->cells;
    for (int z = 0; z < l->planes; z++)
        for (int y = 0; y < 8; y++) {
            if (!(rows >> (z * 8 + y) & 1)) continue;
            const f4 r = residual_row(w, tile, &h, coef, z, y);
            for (int m = 0; m < ROW; m++) {
                const uint32_t up = parent[(z * 8 + y) * 8 + 2 * m + ((y + z) & 1)];
                if (up != NO_NODE) cb[up] += r[m];
            }
        }
}

static void restrict_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const transfer *w = arg;
    for (size_t t = begin; t < end; t++)
        if (w->l->up_tile[t] != NO_NODE) restrict_tile(w, (uint32_t)t);
}

void restrict_red(rill_ctx *ctx, const level *l, const level *coarse, const float *x, const float *b,
                  bool fresh)
{
    transfer w = {l, coarse, b, (float *)x, fresh};
    memset(coarse->b + loose_base(coarse), 0, coarse->loose * sizeof *coarse->b);
    level_for(ctx, l, restrict_block, &w);
    const link_rows *k = &l->links;
    for (uint32_t r = 0; r < k->count[0]; r++) { /* several may have one parent: in order */
        const uint32_t node = k->node[r], up = multigrid_parent(l, coarse, node);
        if (up == NO_NODE) continue;
        float sum = is_loose(l, node) ? b[node] - l->loose_e[node - loose_base(l)] * x[node] : 0;
        for (uint32_t t = k->begin[r]; t < k->begin[r + 1]; t++) sum += k->a[t] * (x[k->to[t]] - x[node]);
        coarse->b[up] += sum;
    }
}

static void prolong_tile(const transfer *w, uint32_t tile)
{
    const level *l = w->l;
    const float *cx = w->c->x;
    float *x = w->x + (size_t)tile * l->cells;
    const uint64_t rows = l->rows[tile];
    if (!l->simple[tile]) {
        const uint32_t *parent = l->parent + (size_t)l->mixed_at[tile] * l->cells;
        for (int z = 0; z < l->planes; z++)
            for (int y = 0; y < 8; y++)
                for (int m = 0; m < ROW; m++) {
                    const uint32_t up = parent[(z * 8 + y) * 8 + 2 * m + ((y + z) & 1)];
                    if (up != NO_NODE) x[(z * 8 + y) * ROW + m] += cx[up];
                }
        return;
    }
    for (int K = 0; K < (l->planes + 1) / 2; K++)
        for (int J = 0; J < 4; J++) {
            int even;
            const float *at = cx + row_above(l, w->c, tile, J, K, &even);
            const float *a = at + (size_t)even * l->half, *o = at + (size_t)(1 - even) * l->half;
            const f4 c = {a[0], o[0], a[1], o[1]};
            for (int k = 0; k < 4; k++) {
                const int y = 2 * J + (k & 1), z = 2 * K + (k >> 1);
                if (z >= l->planes || !(rows >> (z * 8 + y) & 1)) continue;
                store4(x + (z * 8 + y) * ROW, load4(x + (z * 8 + y) * ROW) + c);
            }
        }
}

static void prolong_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const transfer *w = arg;
    for (size_t t = begin; t < end; t++)
        if (w->l->up_tile[t] != NO_NODE) prolong_tile(w, (uint32_t)t);
}

void prolong_red(rill_ctx *ctx, const level *l, const level *coarse, float *x)
{
    transfer w = {l, coarse, NULL, x, false};
    level_for(ctx, l, prolong_block, &w);
    for (uint32_t r = 0; r < l->links.count[0]; r++) {
        const uint32_t node = l->links.node[r];
        if (!is_loose(l, node)) continue;
        const uint32_t up = l->loose_parent[node - loose_base(l)];
        if (up != NO_NODE) x[node] += coarse->x[up];
    }
}

/* --- y = A x --- */

typedef struct product {
    const level *l;
    const float *x;
    float *y;
} product;

static void product_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const product *w = arg;
    const level *l = w->l;
    for (size_t t = begin; t < end; t++)
        for (int colour = 0; colour < 2; colour++) {
            const halves h = halves_of(l, w->x, (uint32_t)t, 1 - colour);
            const size_t at = t * l->cells + (size_t)colour * l->half;
            const float *c = l->kind[t] == TILE_UNIFORM ? NULL : tile_coef(l, (uint32_t)t, colour);
            for (int z = 0; z < l->planes; z++)
                for (int y = 0; y < 8; y++) {
                    const int r = (z * 8 + y) * ROW;
                    if (!(l->rows[t] >> (z * 8 + y) & 1)) continue;
                    const six s = six_at(&h, l->planes, z, y, row_first(colour, y, z));
                    const f4 x = load4(w->x + at + r);
                    store4(w->y + at + r,
                           c ? six_apply(&s, c + r, l->half, x)
                             : all4(l->unit) * (all4(l->planes == 1 ? 4 : 6) * x - six_sum(&s)));
                }
        }
}

static void product_rows(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const product *w = arg;
    const level *l = w->l;
    const link_rows *k = &l->links;
    for (size_t r = begin; r < end; r++) {
        const uint32_t node = k->node[r];
        const float x = w->x[node];
        float sum = is_loose(l, node) ? l->loose_e[node - loose_base(l)] * x : w->y[node];
        for (uint32_t t = k->begin[r]; t < k->begin[r + 1]; t++) sum += k->a[t] * (x - w->x[k->to[t]]);
        w->y[node] = sum;
    }
}

void apply_single(rill_ctx *ctx, const level *l, const float *x, float *y)
{
    product w = {l, x, y};
    level_for(ctx, l, product_block, &w);
    for_rows(ctx, l->links.count[0] + l->links.count[1], product_rows, &w);
}
