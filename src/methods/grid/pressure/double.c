#include "grid/pressure/double.h"

#include "grid/pressure/stencil.h"

static inline d4 load4d(const double *p)
{
    d4 v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline void store4d(double *p, d4 v)
{
    memcpy(p, &v, sizeof v);
}

typedef struct sixd {
    d4 v[6];
} sixd;

/* six_at of stencil.h, in double. */
static inline sixd sixd_at(const level *l, const double *x, uint32_t tile, int colour, int z, int y)
{
    const double *base = x + (size_t)(1 - colour) * l->half;
    const uint32_t *near = l->near[tile];
    const int r = (z * 8 + y) * ROW;
    const double *row = base + (size_t)tile * l->cells + r;
    sixd s;
    s.v[C_BESIDE] = load4d(row);
    if (row_first(colour, y, z) == 0) {
        s.v[C_BEYOND] = load4d(row - 1);
        s.v[C_BEYOND][0] = base[(size_t)near[0] * l->cells + (size_t)r + 3];
    } else {
        s.v[C_BEYOND] = load4d(row + 1);
        s.v[C_BEYOND][3] = base[(size_t)near[1] * l->cells + (size_t)r];
    }
    s.v[C_YM] = load4d(y > 0 ? row - ROW : base + (size_t)near[2] * l->cells + (z * 8 + 7) * ROW);
    s.v[C_YP] = load4d(y < 7 ? row + ROW : base + (size_t)near[3] * l->cells + z * 8 * ROW);
    s.v[C_ZM] =
        load4d(z > 0 ? row - 8 * ROW : base + (size_t)near[4] * l->cells + ((l->planes - 1) * 8 + y) * ROW);
    s.v[C_ZP] = load4d(z < l->planes - 1 ? row + 8 * ROW : base + (size_t)near[5] * l->cells + y * ROW);
    return s;
}

static inline d4 row_apply(const level *l, uint32_t tile, int colour, int z, int y, const double *x)
{
    const int r = (z * 8 + y) * ROW;
    const sixd s = sixd_at(l, x, tile, colour, z, y);
    const d4 own = load4d(x + (size_t)tile * l->cells + (size_t)colour * l->half + r);
    const int line = z * 4 + (y >> 1);
    if (!line_bit(l->lines[tile], line)) return (d4){0};
    if (line_bit(l->plain[tile], line)) {
        const double n = l->planes == 1 ? 4 : 6;
        return (d4){n, n, n, n} * own - (((s.v[0] + s.v[1]) + (s.v[2] + s.v[3])) + (s.v[4] + s.v[5]));
    }
    const float *c = line_coef(l, tile, colour, line) + (y & 1) * ROW;
    d4 sum = wide4(load4(c + C_E * LINE)) * own;
    for (int k = 0; k < 6; k++) sum += wide4(load4(c + k * LINE)) * (own - s.v[k]);
    return sum;
}

typedef struct job {
    const level *l;
    const double *x, *b;
    double *y;
    float *r;
    int colour;
    double omega;
} job;

static void zero_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *w = arg;
    memset(w->y + begin * w->l->cells, 0, (end - begin) * w->l->cells * sizeof *w->y);
}

rill_status double_vector(rill_arena *memory, const level *l, bool raw, double **out)
{
    double *v;
    const size_t n = (size_t)l->tiles * l->cells;
    TRY(ARENA_NEW(memory, v, n + l->cells + 2 * LEVEL_PAD));
    memset(v, 0, LEVEL_PAD * sizeof *v);
    v += LEVEL_PAD;
    memset(v + n, 0, (l->cells + LEVEL_PAD) * sizeof *v);
    job w = {.l = l, .y = v};
    if (!raw) level_for(memory->ctx, l, zero_block, &w);
    *out = v;
    return RILL_OK;
}

static void apply_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *w = arg;
    const level *l = w->l;
    d4 sum = {0};
    for (size_t t = begin; t < end; t++)
        for (int colour = 0; colour < 2; colour++)
            for (int row = 0; row < 8 * l->planes; row++) {
                const size_t at = t * l->cells + (size_t)colour * l->half + (size_t)row * ROW;
                const d4 y = row_apply(l, (uint32_t)t, colour, row >> 3, row & 7, w->x);
                store4d(w->y + at, y);
                sum += y * load4d(w->x + at);
            }
    l->sums[begin / TILE_GRAIN] = add4(sum);
}

double double_apply(rill_ctx *ctx, const level *l, const double *x, double *y)
{
    job w = {.l = l, .x = x, .y = y};
    double sum;
    level_for(ctx, l, apply_block, &w);
    level_sums(l, 1, &sum);
    return sum;
}

static void residual_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *w = arg;
    const level *l = w->l;
    d4 sum = {0};
    const d4 scale = {w->omega, w->omega, w->omega, w->omega};
    for (size_t t = begin; t < end; t++)
        for (int colour = 0; colour < 2; colour++)
            for (int row = 0; row < 8 * l->planes; row++) {
                const size_t at = t * l->cells + (size_t)colour * l->half + (size_t)row * ROW;
                d4 r = load4d(w->b + at);
                if (w->x) r -= row_apply(l, (uint32_t)t, colour, row >> 3, row & 7, w->x);
                if (w->r) {
                    const f4 single = narrow4(r * scale);
                    memcpy(w->r + at, &single, sizeof single);
                }
                sum += r * r;
            }
    l->sums[begin / TILE_GRAIN] = add4(sum);
}

double double_residual(rill_ctx *ctx, const level *l, const double *x, const double *b, double scale,
                       float *r)
{
    job w = {.l = l, .x = x, .b = b, .r = r, .omega = scale};
    double sum;
    level_for(ctx, l, residual_block, &w);
    level_sums(l, 1, &sum);
    return sum;
}

static inline d4 row_inverse(const level *l, uint32_t tile, int colour, int row)
{
    const double n = 1.0 / (l->planes == 1 ? 4 : 6);
    if (line_bit(l->plain[tile], row >> 1)) return (d4){n, n, n, n};
    if (!line_bit(l->lines[tile], row >> 1)) return (d4){0};
    return wide4(load4(line_coef(l, tile, colour, row >> 1) + (row & 1) * ROW + C_INV * LINE));
}

static void relax_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *w = arg;
    const level *l = w->l;
    const d4 omega = {w->omega, w->omega, w->omega, w->omega};
    for (size_t t = begin; t < end; t++)
        for (int row = 0; row < 8 * l->planes; row++) {
            const size_t at = t * l->cells + (size_t)w->colour * l->half + (size_t)row * ROW;
            const d4 r = load4d(w->b + at) - row_apply(l, (uint32_t)t, w->colour, row >> 3, row & 7, w->y);
            store4d(w->y + at, load4d(w->y + at) + omega * r * row_inverse(l, (uint32_t)t, w->colour, row));
        }
}

void double_relax(rill_ctx *ctx, const level *l, int colour, double omega, double *x, const double *b)
{
    job w = {.l = l, .y = x, .b = b, .colour = colour, .omega = omega};
    level_for(ctx, l, relax_block, &w);
}

static void jacobi_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *w = arg;
    const level *l = w->l;
    const d4 omega = {w->omega, w->omega, w->omega, w->omega};
    for (size_t t = begin; t < end; t++)
        for (int colour = 0; colour < 2; colour++)
            for (int row = 0; row < 8 * l->planes; row++) {
                const size_t at = t * l->cells + (size_t)colour * l->half + (size_t)row * ROW;
                const d4 r = load4d(w->b + at) - row_apply(l, (uint32_t)t, colour, row >> 3, row & 7, w->x);
                store4d(w->y + at, load4d(w->x + at) + omega * r * row_inverse(l, (uint32_t)t, colour, row));
            }
}

void double_jacobi(rill_ctx *ctx, const level *l, double omega, const double *x, const double *b, double *to)
{
    job w = {.l = l, .x = x, .b = b, .y = to, .omega = omega};
    level_for(ctx, l, jacobi_block, &w);
}

static void dot_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *w = arg;
    d4 sum = {0};
    for (size_t i = begin * w->l->cells; i < end * w->l->cells; i += 4)
        sum += load4d(w->x + i) * load4d(w->b + i);
    w->l->sums[begin / TILE_GRAIN] = add4(sum);
}

double double_dot(rill_ctx *ctx, const level *l, const double *u, const double *v)
{
    job w = {.l = l, .x = u, .b = v};
    double sum;
    level_for(ctx, l, dot_block, &w);
    level_sums(l, 1, &sum);
    return sum;
}

static void gather_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *w = arg;
    const level *l = w->l;
    for (size_t t = begin; t < end; t++) {
        const double *cells = w->b + (size_t)l->source[t] * l->cells;
        const uint8_t *active = l->active + (size_t)l->source[t] * l->cells;
        for (int colour = 0; colour < 2; colour++)
            for (int row = 0; row < 8 * l->planes; row++) {
                double *out = w->y + t * l->cells + (size_t)colour * l->half + (size_t)row * ROW;
                const int first = row * 8 + row_first(colour, row & 7, row >> 3);
                for (int m = 0; m < ROW; m++) out[m] = active[first + 2 * m] ? cells[first + 2 * m] : 0;
            }
    }
}

void double_gather(rill_ctx *ctx, const level *l, const double *cells, double *v)
{
    job w = {.l = l, .b = cells, .y = v};
    level_for(ctx, l, gather_block, &w);
}

static void scatter_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *w = arg;
    const level *l = w->l;
    for (size_t t = begin; t < end; t++) {
        double *cells = w->y + (size_t)l->source[t] * l->cells;
        const uint8_t *active = l->active + (size_t)l->source[t] * l->cells;
        for (int colour = 0; colour < 2; colour++)
            for (int row = 0; row < 8 * l->planes; row++) {
                const double *in = w->x + t * l->cells + (size_t)colour * l->half + (size_t)row * ROW;
                const int first = row * 8 + row_first(colour, row & 7, row >> 3);
                for (int m = 0; m < ROW; m++) cells[first + 2 * m] = active[first + 2 * m] ? in[m] : 0;
            }
    }
}

void double_scatter(rill_ctx *ctx, const level *l, const double *v, double *cells)
{
    job w = {.l = l, .x = v, .y = cells};
    level_for(ctx, l, scatter_block, &w);
}
