#include "grid/pressure/sweep.h"

#include "grid/pressure/stencil.h"

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

void sweep_first_tile(const level *l, uint32_t tile, float *x, const float *b)
{
    const f8 over = all8(uniform_inverse(l));
    x += (size_t)tile * l->cells;
    b += (size_t)tile * l->cells;
    for (int line = 0; line < 4 * l->planes; line++) {
        if (!line_bit(l->lines[tile], line)) continue;
        const f8 inverse =
            line_bit(l->plain[tile], line) ? over : load8(line_coef(l, tile, 0, line) + C_INV * LINE);
        store8(x + line * LINE, load8(b + line * LINE) * inverse);
    }
}

static void first_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *w = arg;
    for (size_t t = begin; t < end; t++) sweep_first_tile(w->l, (uint32_t)t, w->x, w->b);
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

static inline void sweep_tile(const job *w, uint32_t tile)
{
    const level *l = w->l;
    const halves h = halves_of(l, w->x, tile, 1 - w->colour);
    float *x = w->x + (size_t)tile * l->cells + (size_t)w->colour * l->half;
    const float *b = w->b + (size_t)tile * l->cells + (size_t)w->colour * l->half;
    const uint32_t lines = l->lines[tile], plain = l->plain[tile];
    const f8 unit = all8(l->unit), over = all8(w->over);
    for (int z = 0; z < l->planes; z++)
        for (int j = 0; j < 4; j++) {
            const int line = z * 4 + j;
            if (!line_bit(lines, line)) continue;
            const six s = six_at(&h, l->planes, z, j, row_first(w->colour, 0, z));
            const f8 right = load8(b + line * LINE);
            if (line_bit(plain, line)) {
                store8(x + line * LINE, (right + unit * six_sum(&s)) * over);
                continue;
            }
            const float *c = line_coef(l, tile, w->colour, line);
            store8(x + line * LINE, (right + six_weighted(&s, c)) * load8(c + C_INV * LINE));
        }
}

static void dots_tile(const job *w, uint32_t tile, double *sum)
{
    const level *l = w->l;
    const float *x = w->x + (size_t)tile * l->cells, *b = w->b + (size_t)tile * l->cells;
    const float *q = w->q + (size_t)tile * l->cells;
    d4 xb = {0}, xq = {0};
    for (uint32_t i = 0; i < l->cells; i += LINE) {
        const f8 v = load8(x + i);
        xb += product8(v, load8(b + i));
        xq += product8(v, load8(q + i));
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
        if (t + 1 < end) {
            fetch_stencil(w->l, w->x, (uint32_t)t + 1, 1 - w->colour);
            fetch_half(w->l, w->b, (uint32_t)t + 1, w->colour);
            fetch_coef(w->l, (uint32_t)t + 1, w->colour);
        }
        sweep_tile(w, (uint32_t)t);
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
            w->x[node] += sum * cell_coef(l, node)[C_INV * LINE];
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

static inline f8 residual_line(const transfer *w, uint32_t tile, const halves *h, int line)
{
    const level *l = w->l;
    const six s = six_at(h, l->planes, line >> 2, line & 3, row_first(0, 0, line >> 2));
    const float *coef = line_bit(l->plain[tile], line) ? NULL : line_coef(l, tile, 0, line);
    if (w->fresh) return coef ? six_weighted(&s, coef) : all8(l->unit) * six_sum(&s);
    const f8 x = load8(w->x + (size_t)tile * l->cells + line * LINE);
    const f8 b = load8(w->b + (size_t)tile * l->cells + line * LINE);
    return b - (coef ? six_apply(&s, coef, x) : all8(l->unit) * six_apply_plain(&s, l->planes, x));
}

static void restrict_simple(const transfer *w, uint32_t tile, const halves *h)
{
    const level *l = w->l;
    for (int K = 0; K < (l->planes + 1) / 2; K++)
        for (int J = 0; J < 4; J++) {
            int even;
            float *at = w->c->b + row_above(l, w->c, tile, J, K, &even);
            float *a = at + (size_t)even * l->half, *o = at + (size_t)(1 - even) * l->half;
            f8 sum = {0};
            for (int z = 2 * K; z < 2 * K + 2 && z < l->planes; z++)
                if (line_bit(l->lines[tile], z * 4 + J)) sum += residual_line(w, tile, h, z * 4 + J);
            const f4 both = low4(sum) + high4(sum);
            a[0] = both[0];
            o[0] = both[1];
            a[1] = both[2];
            o[1] = both[3];
        }
}

/* Cell of lane m of a red line, in the caller's order. */
static inline uint32_t lane_cell(int line, int m)
{
    const int y = (line & 3) * 2 + m / ROW, z = line >> 2;
    return (uint32_t)((z * 8 + y) * 8 + 2 * (m % ROW) + row_first(0, y, z));
}

static void restrict_split(const transfer *w, uint32_t tile, const halves *h)
{
    const level *l = w->l;
    float *cb = w->c->b;
    for (int K = 0; K < (l->planes + 1) / 2; K++)
        for (int J = 0; J < 4; J++) {
            int even;
            float *at = cb + row_above(l, w->c, tile, J, K, &even);
            at[0] = at[1] = at[l->half] = at[l->half + 1] = 0;
        }
    const uint32_t *parent = l->parent + (size_t)l->mixed_at[tile] * l->cells;
    for (int line = 0; line < 4 * l->planes; line++) {
        if (!line_bit(l->lines[tile], line)) continue;
        const f8 r = residual_line(w, tile, h, line);
        for (int m = 0; m < LINE; m++) {
            const uint32_t up = parent[lane_cell(line, m)];
            if (up != NO_NODE) cb[up] += r[m];
        }
    }
}

static void restrict_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const transfer *w = arg;
    for (size_t t = begin; t < end; t++) {
        if (w->l->up_tile[t] == NO_NODE) continue;
        if (t + 1 < end) {
            fetch_stencil(w->l, w->x, (uint32_t)t + 1, 1);
            fetch_coef(w->l, (uint32_t)t + 1, 0);
        }
        const halves h = halves_of(w->l, w->x, (uint32_t)t, 1);
        (w->l->simple[t] ? restrict_simple : restrict_split)(w, (uint32_t)t, &h);
    }
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
    if (!l->simple[tile]) {
        const uint32_t *parent = l->parent + (size_t)l->mixed_at[tile] * l->cells;
        for (int line = 0; line < 4 * l->planes; line++)
            for (int m = 0; m < LINE; m++) {
                const uint32_t up = parent[lane_cell(line, m)];
                if (up != NO_NODE) x[line * LINE + m] += cx[up];
            }
        return;
    }
    for (int K = 0; K < (l->planes + 1) / 2; K++)
        for (int J = 0; J < 4; J++) {
            int even;
            const float *at = cx + row_above(l, w->c, tile, J, K, &even);
            const float *a = at + (size_t)even * l->half, *o = at + (size_t)(1 - even) * l->half;
            const f8 c = {a[0], o[0], a[1], o[1], a[0], o[0], a[1], o[1]};
            for (int z = 2 * K; z < 2 * K + 2 && z < l->planes; z++) {
                float *line = x + (z * 4 + J) * LINE;
                if (line_bit(l->lines[tile], z * 4 + J)) store8(line, load8(line) + c);
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
            for (int line = 0; line < 4 * l->planes; line++) {
                if (!line_bit(l->lines[t], line)) continue;
                const six s = six_at(&h, l->planes, line >> 2, line & 3, row_first(colour, 0, line >> 2));
                const f8 x = load8(w->x + at + line * LINE);
                store8(w->y + at + line * LINE,
                       line_bit(l->plain[t], line)
                           ? all8(l->unit) * six_apply_plain(&s, l->planes, x)
                           : six_apply(&s, line_coef(l, (uint32_t)t, colour, line), x));
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
