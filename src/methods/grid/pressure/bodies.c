#include "grid/pressure/bodies.h"

#include "grid/pressure/sweep.h"
#include "linalg/dense.h"

#include <math.h>

enum { WIDTH = LOW_RANK_WIDTH, MOST_COLUMNS = 60, MOST_PARTS = 32 };

/* ---- rows ---- */

/* Index of the level of each of the caller's tiles; NO_NODE: it has no liquid. */
static rill_status invert_tiles(solve *s, uint32_t tiles, uint32_t **out)
{
    const level *l = &s->grid->level[0];
    uint32_t *at;
    TRY(ARENA_NEW(s->scratch, at, tiles));
    for (uint32_t t = 0; t < tiles; t++) at[t] = NO_NODE;
    for (uint32_t t = 0; t < l->tiles; t++) at[l->source[t]] = t;
    *out = at;
    return RILL_OK;
}

/* The preconditioner's rows give up their sums over closed parts, each an equal share. */
static rill_status balance(solve *s, uint32_t body)
{
    const solve_bodies *b = s->bodies;
    double(*sum)[WIDTH];
    uint32_t *count;
    if (!s->labels) return RILL_OK;
    TRY(ARENA_NEW(s->scratch, sum, s->labels));
    TRY(ARENA_NEW(s->scratch, count, s->labels));
    memset(sum, 0, s->labels * sizeof *sum);
    memset(count, 0, s->labels * sizeof *count);
    for (uint32_t k = b->start[body]; k < b->start[body + 1]; k++) {
        const uint32_t label = s->label[b->row[k].row];
        if (label == NO_NODE) continue;
        count[label]++;
        for (int c = 0; c < WIDTH; c++) sum[label][c] += b->row[k].free[c];
    }
    for (uint32_t k = b->start[body]; k < b->start[body + 1]; k++) {
        const uint32_t label = s->label[b->row[k].row];
        for (int c = 0; c < WIDTH && label != NO_NODE; c++) b->row[k].free[c] -= sum[label][c] / count[label];
    }
    return RILL_OK;
}

/* ---- closed parts ---- */

/* What closed parts forbid the bodies: T, by Gram-Schmidt from the sums of the rows over each part. */
static rill_status find_forbidden(solve *s)
{
    solve_bodies *b = s->bodies;
    const size_t n = (size_t)b->count * WIDTH;
    double *size;
    if (!s->labels) return RILL_OK;
    b->parts = s->labels < MOST_PARTS ? s->labels : MOST_PARTS;
    TRY(ARENA_NEW(s->memory, b->held, b->parts * n));
    TRY(ARENA_NEW(s->memory, b->lower, (size_t)b->parts * b->parts));
    TRY(ARENA_NEW(s->memory, b->impulse, b->parts));
    TRY(ARENA_NEW(s->scratch, size, b->parts));
    memset(b->held, 0, b->parts * n * sizeof *b->held);
    memset(b->lower, 0, (size_t)b->parts * b->parts * sizeof *b->lower);
    memset(size, 0, b->parts * sizeof *size);
    for (uint32_t k = 0; k < b->count; k++)
        for (uint32_t i = b->start[k]; i < b->start[k + 1]; i++) {
            const uint32_t part = s->label[b->row[i].row];
            for (int c = 0; c < WIDTH && part < b->parts; c++) {
                b->held[part * n + (size_t)k * WIDTH + (size_t)c] += b->row[i].v[c];
                size[part] += b->row[i].v[c] * b->row[i].v[c];
            }
        }
    for (uint32_t p = 0; p < b->parts; p++) {
        double *t = b->held + p * n, own = 0;
        for (uint32_t q = 0; q < p; q++) {
            const double *u = b->held + q * n;
            double dot = 0;
            for (size_t i = 0; i < n; i++) dot += t[i] * u[i];
            for (size_t i = 0; i < n; i++) t[i] -= dot * u[i];
            b->lower[p * b->parts + q] = dot;
        }
        for (size_t i = 0; i < n; i++) own += t[i] * t[i];
        /* bodies in the middle of the liquid have nothing but rounding here */
        const double length = own > 1e-8 * size[p] ? sqrt(own) : 0;
        for (size_t i = 0; i < n; i++) t[i] = length > 0 ? t[i] / length : 0;
        b->lower[p * b->parts + p] = length;
    }
    return RILL_OK;
}

/* y, six of each body, without what closed parts forbid. */
static void allow(const solve_bodies *b, double *y)
{
    const size_t n = (size_t)b->count * WIDTH;
    for (uint32_t p = 0; p < b->parts; p++) {
        const double *t = b->held + p * n;
        double dot = 0;
        for (size_t i = 0; i < n; i++) dot += t[i] * y[i];
        for (size_t i = 0; i < n; i++) y[i] -= dot * t[i];
    }
}

/* The right side gets -J V*, and what closed parts do to V* at once: then its sum over each part is nothing.
 * The constant of the pressure in a part is what holds the bodies there (solve_bodies_constants). */
static void add_motion(solve *s, const pressure_bodies *from)
{
    solve_bodies *b = s->bodies;
    const size_t n = (size_t)b->count * WIDTH;
    double part[MOST_PARTS] = {0};
    for (uint32_t k = 0; k < b->count; k++)
        for (uint32_t i = b->start[k]; i < b->start[k + 1]; i++) {
            const uint32_t label = s->labels ? s->label[b->row[i].row] : NO_NODE;
            double sum = 0;
            for (int c = 0; c < WIDTH; c++) sum += b->row[i].free[c] * from->motion[k][c]; /* still J */
            s->b[b->row[i].row] -= sum;
            if (label < b->parts) part[label] -= sum;
        }
    for (uint32_t p = 0; p < b->parts; p++) {
        const double own = b->lower[p * b->parts + p];
        double left = part[p];
        for (uint32_t q = 0; q < p; q++) left -= b->lower[p * b->parts + q] * b->impulse[q];
        b->impulse[p] = own > 0 ? left / own : 0;
    }
    for (uint32_t k = 0; k < b->count && b->parts; k++)
        for (uint32_t i = b->start[k]; i < b->start[k + 1]; i++)
            for (uint32_t p = 0; p < b->parts; p++)
                for (size_t c = 0; c < WIDTH; c++)
                    s->b[b->row[i].row] -=
                        b->row[i].v[c] * b->held[p * n + (size_t)k * WIDTH + c] * b->impulse[p];
}

void solve_bodies_constants(const solve *s, double *x)
{
    const solve_bodies *b = s->bodies;
    if (!b || b->parts == 0) return;
    const level *l = &s->grid->level[0];
    const size_t n = (size_t)b->count * WIDTH, cells = (size_t)l->tiles * l->cells;
    double constant[MOST_PARTS] = {0};
    for (uint32_t k = 0; k < b->count; k++) {
        double *sum = b->sums + (size_t)k * WIDTH;
        memset(sum, 0, WIDTH * sizeof *sum);
        for (uint32_t i = b->start[k]; i < b->start[k + 1]; i++)
            for (int c = 0; c < WIDTH; c++) sum[c] += b->row[i].v[c] * x[b->row[i].row];
    }
    for (uint32_t p = b->parts; p-- > 0;) {
        const double own = b->lower[p * b->parts + p];
        double left = b->impulse[p];
        for (size_t i = 0; i < n; i++) left -= b->held[p * n + i] * b->sums[i];
        for (uint32_t q = p + 1; q < b->parts; q++) left -= b->lower[q * b->parts + p] * constant[q];
        constant[p] = own > 0 ? left / own : 0;
    }
    for (size_t i = 0; i < cells; i++)
        if (s->label[i] < b->parts) x[i] += constant[s->label[i]];
}

static void times_root(const double root[WIDTH][WIDTH], double v[WIDTH])
{
    double u[WIDTH] = {0};
    for (int c = 0; c < WIDTH; c++)
        for (int r = 0; r < WIDTH; r++) u[c] += root[r][c] * v[r];
    memcpy(v, u, sizeof u);
}

/* Columns of light bodies, as long as they are few. */
static rill_status choose_columns(solve *s, const pressure_bodies *from)
{
    solve_bodies *b = s->bodies;
    TRY(ARENA_NEW(s->memory, b->column, MOST_COLUMNS));
    TRY(ARENA_NEW(s->memory, b->shifts, MOST_COLUMNS));
    for (uint32_t k = 0; k < b->count; k++)
        for (uint32_t c = 0; c < WIDTH && from->light[k]; c++) {
            double shift = 0, turn = 0;
            for (int r = 0; r < 3; r++) {
                shift += fabs(from->root[k][r][c]);
                turn += fabs(from->root[k][3 + r][c]);
            }
            if (!(shift + turn > 0) || b->columns == MOST_COLUMNS) continue;
            b->shifts[b->columns] = turn == 0;
            b->column[b->columns++] = WIDTH * k + c;
        }
    return RILL_OK;
}

/* The rows of the caller that are in the liquid; J itself in `free` for now. */
static rill_status take_rows(solve *s, const pressure_system *system)
{
    const pressure_bodies *from = system->bodies;
    const level *l = &s->grid->level[0];
    solve_bodies *b = s->bodies;
    uint32_t *at, total = 0;
    TRY(invert_tiles(s, system->tiles, &at));
    for (uint32_t k = 0; k < b->count; k++) {
        b->start[k] = total;
        for (uint32_t i = from->start[k]; i < from->end[k]; i++) {
            const uint32_t tile = at[from->entry[i].row / l->cells], c = from->entry[i].row % l->cells;
            if (tile == NO_NODE || !system->active[from->entry[i].row]) continue;
            solve_row *r = &b->row[total++];
            r->row = level_index(l, tile, (int)(c % 8), (int)(c / 8 % 8), (int)(c / 64));
            memcpy(r->free, from->entry[i].v, sizeof r->free);
            memcpy(r->v, from->entry[i].v, sizeof r->v);
            times_root((const double(*)[WIDTH])from->root[k], r->v);
        }
        b->start[k + 1] = total;
    }
    return RILL_OK;
}

/* Rows of the preconditioner: without what closed parts forbid the body by itself, and without sums. */
static rill_status free_rows(solve *s)
{
    solve_bodies *b = s->bodies;
    const size_t n = (size_t)b->count * WIDTH;
    for (uint32_t k = 0; k < b->count; k++) {
        double allowed[WIDTH][WIDTH] = {{0}};
        for (int r = 0; r < WIDTH; r++) allowed[r][r] = 1;
        for (uint32_t p = 0; p < b->parts; p++) {
            const double *t = b->held + p * n + (size_t)k * WIDTH;
            for (int r = 0; r < WIDTH; r++)
                for (int c = 0; c < WIDTH; c++) allowed[r][c] -= t[r] * t[c];
        }
        for (uint32_t i = b->start[k]; i < b->start[k + 1]; i++) {
            memcpy(b->row[i].free, b->row[i].v, sizeof b->row[i].free);
            times_root((const double(*)[WIDTH])allowed, b->row[i].free);
        }
        TRY(balance(s, k));
    }
    return RILL_OK;
}

rill_status solve_bodies_make(solve *s, const pressure_system *system)
{
    const pressure_bodies *from = system->bodies;
    const level *l = &s->grid->level[0];
    solve_bodies *b;
    if (!from || from->count == 0) return RILL_OK;
    TRY(ARENA_NEW(s->memory, b, 1));
    *b = (solve_bodies){.count = from->count, .heavier = from->heavier};
    for (uint32_t k = 0; k < b->count; k++) b->heavier[k] = 1;
    TRY(ARENA_NEW(s->memory, b->start, (size_t)b->count + 1));
    TRY(ARENA_NEW(s->memory, b->row, from->start[from->count]));
    TRY(ARENA_NEW(s->memory, b->sums, (size_t)b->count * WIDTH));
    s->bodies = b;
    TRY(take_rows(s, system));
    TRY(find_forbidden(s));
    add_motion(s, from);
    TRY(free_rows(s));
    s->norm = s->report->norm = sqrt(double_dot(s->ctx, l, s->b, s->b));
    return choose_columns(s, from);
}

/* ---- the matrix ---- */

void solve_bodies_apply(const solve *s, const double *x, double factor, double *y)
{
    const solve_bodies *b = s->bodies;
    for (uint32_t k = 0; b && k < b->count; k++) {
        double sum[WIDTH] = {0};
        for (uint32_t i = b->start[k]; i < b->start[k + 1]; i++)
            for (int c = 0; c < WIDTH; c++) sum[c] += b->row[i].v[c] * x[b->row[i].row];
        memcpy(b->sums + (size_t)k * WIDTH, sum, sizeof sum);
    }
    if (b) allow(b, b->sums);
    for (uint32_t k = 0; b && k < b->count; k++) /* x may be y */
        for (uint32_t i = b->start[k]; i < b->start[k + 1]; i++) {
            double sum = 0;
            for (int c = 0; c < WIDTH; c++) sum += b->row[i].v[c] * b->sums[(size_t)k * WIDTH + (size_t)c];
            y[b->row[i].row] += factor * sum;
        }
}

double solve_bodies_apply_single(const solve *s, const float *x, float *y)
{
    const solve_bodies *b = s->bodies;
    double all = 0;
    if (!b) return 0;
    for (uint32_t k = 0; k < b->count; k++) {
        double *sum = b->sums + (size_t)k * WIDTH;
        memset(sum, 0, WIDTH * sizeof *sum);
        for (uint32_t i = b->start[k]; i < b->start[k + 1]; i++)
            for (int c = 0; c < WIDTH; c++) sum[c] += b->row[i].v[c] * (double)x[b->row[i].row];
    }
    allow(b, b->sums);
    for (uint32_t k = 0; k < b->count; k++) {
        const double *sum = b->sums + (size_t)k * WIDTH;
        for (uint32_t i = b->start[k]; i < b->start[k + 1]; i++) {
            double add = 0;
            for (int c = 0; c < WIDTH; c++) add += b->row[i].v[c] * sum[c];
            float *at = &y[b->row[i].row];
            *at = (float)((double)*at + add);
        }
        for (int c = 0; c < WIDTH; c++) all += sum[c] * sum[c];
    }
    return all;
}

/* ---- the preconditioner ---- */

typedef struct {
    const level *l;
    const float *const *z;
    const float *r;
    uint32_t columns;
    double *partial; /* columns per block of TILE_GRAIN tiles */
} dots_job;

static void dots_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const dots_job *j = arg;
    double *out = j->partial + begin / TILE_GRAIN * j->columns;
    for (uint32_t k = 0; k < j->columns; k++) {
        double sum[4] = {0};
        for (size_t i = begin * j->l->cells; i < end * j->l->cells; i += 4)
            for (size_t m = 0; m < 4; m++) sum[m] += (double)j->z[k][i + m] * (double)j->r[i + m];
        out[k] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}

/* out = Z^T r. */
static void columns_dot(const solve *s, const float *r, double *out)
{
    const solve_bodies *b = s->bodies;
    const level *l = &s->grid->level[0];
    const size_t blocks = ((size_t)l->tiles + TILE_GRAIN - 1) / TILE_GRAIN;
    dots_job j = {l, (const float *const *)b->z, r, b->columns, b->partial};
    level_for(s->ctx, l, dots_block, &j);
    for (uint32_t k = 0; k < b->columns; k++) {
        out[k] = 0;
        for (size_t i = 0; i < blocks; i++) out[k] += b->partial[i * b->columns + k];
    }
}

static const solve_row *column_rows(const solve_bodies *b, uint32_t k, uint32_t *count)
{
    const uint32_t body = b->column[k] / WIDTH;
    *count = b->start[body + 1] - b->start[body];
    return b->row + b->start[body];
}

static rill_status make_room(solve *s)
{
    solve_bodies *b = s->bodies;
    const level *l = &s->grid->level[0];
    const size_t blocks = ((size_t)l->tiles + TILE_GRAIN - 1) / TILE_GRAIN;
    TRY(ARENA_NEW(s->memory, b->z, b->columns));
    for (uint32_t k = 0; k < b->columns; k++) TRY(level_vector(s->memory, l, &b->z[k]));
    TRY(ARENA_NEW(s->memory, b->small, (size_t)b->columns * b->columns));
    TRY(ARENA_NEW(s->memory, b->y, b->columns));
    TRY(ARENA_NEW(s->memory, b->kept, b->start[b->count]));
    return ARENA_NEW(s->memory, b->partial, blocks * b->columns);
}

/* Takes the mean over each closed part off: the cycle leaves any constant there. */
static rill_status remove_means_single(const solve *s, float *v)
{
    if (!s->labels) return RILL_OK;
    const level *l = &s->grid->level[0];
    double *wide;
    TRY(double_vector(s->scratch, l, true, &wide));
    const size_t n = (size_t)l->tiles * l->cells;
    for (size_t i = 0; i < n; i++) wide[i] = v[i];
    TRY(solve_remove_means(s, wide, NULL));
    for (size_t i = 0; i < n; i++) v[i] = (float)wide[i];
    return RILL_OK;
}

rill_status solve_bodies_columns(solve *s, float *z, float *r)
{
    solve_bodies *b = s->bodies;
    const level *l = &s->grid->level[0];
    const size_t n = (size_t)l->tiles * l->cells;
    if (!b || b->columns == 0) return RILL_OK;
    if (!b->z) TRY(make_room(s));
    for (uint32_t k = 0; k < b->columns; k++) {
        uint32_t count;
        const solve_row *row = column_rows(b, k, &count);
        memset(r, 0, n * sizeof *r);
        for (uint32_t i = 0; i < count; i++) r[row[i].row] = (float)row[i].free[b->column[k] % WIDTH];
        sweep_first(s->ctx, l, z, r);
        multigrid_cycle(s->grid, z, r, NULL, NULL);
        memcpy(b->z[k], z, n * sizeof *z);
        TRY(remove_means_single(s, b->z[k]));
    }
    for (uint32_t i = 0; i < b->columns; i++) {
        uint32_t count;
        const solve_row *row = column_rows(b, i, &count);
        for (uint32_t k = 0; k < b->columns; k++) {
            double sum = 0;
            for (uint32_t m = 0; m < count; m++)
                sum += row[m].free[b->column[i] % WIDTH] * (double)b->z[k][row[m].row];
            b->small[(size_t)i * b->columns + k] = sum;
        }
    }
    for (uint32_t i = 0; i < b->columns; i++)
        for (uint32_t k = 0; k <= i; k++) {
            double *low = &b->small[(size_t)i * b->columns + k],
                   *high = &b->small[(size_t)k * b->columns + i];
            *low = *high = 0.5 * (*low + *high) + (i == k);
        }
    for (uint32_t i = 0; i < b->columns; i++) {
        double *heavier = &b->heavier[b->column[i] / WIDTH];
        const double own = b->small[(size_t)i * b->columns + i];
        if (b->shifts[i] && (*heavier == 1 || own < *heavier)) *heavier = own;
    }
    dense_factor(b->columns, b->small, 1e-12);
    return RILL_OK;
}

/* Rows of one body come tile by tile. */
static void sweep_rows(const solve *s, float *z, const float *r)
{
    const solve_bodies *b = s->bodies;
    const level *l = &s->grid->level[0];
    for (uint32_t k = 0; k < b->columns; k++) {
        if (k && b->column[k] / WIDTH == b->column[k - 1] / WIDTH) continue;
        uint32_t count, last = NO_NODE;
        const solve_row *row = column_rows(b, k, &count);
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t tile = row[i].row / l->cells;
            if (tile != last) sweep_first_tile(l, tile, z, r);
            last = tile;
        }
    }
}

void solve_bodies_take(const solve *s, float *z, float *r)
{
    const solve_bodies *b = s->bodies;
    if (!b || b->columns == 0) return;
    columns_dot(s, r, b->y);
    dense_solve(b->columns, b->small, b->y);
    for (uint32_t i = 0; i < b->start[b->count]; i++) b->kept[i] = r[b->row[i].row];
    for (uint32_t k = 0; k < b->columns; k++) {
        uint32_t count;
        const solve_row *row = column_rows(b, k, &count);
        for (uint32_t i = 0; i < count; i++)
            r[row[i].row] = (float)((double)r[row[i].row] - b->y[k] * row[i].free[b->column[k] % WIDTH]);
    }
    sweep_rows(s, z, r);
}

double solve_bodies_put_back(const solve *s, const float *z, float *r)
{
    const solve_bodies *b = s->bodies;
    double lacks = 0;
    if (!b || b->columns == 0) return 0;
    for (uint32_t i = 0; i < b->start[b->count]; i++) {
        const uint32_t at = b->row[i].row;
        lacks += ((double)b->kept[i] - (double)r[at]) * (double)z[at];
        r[at] = b->kept[i]; /* a row of two bodies has the same value kept twice */
    }
    return lacks;
}
