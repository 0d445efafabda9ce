#include "grid/pressure_bodies.h"

#include "grid/pressure_sweep.h"
#include "linalg/dense.h"

#include <math.h>

enum { WIDTH = LOW_RANK_WIDTH, MOST_COLUMNS = 60 };

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

/* Closed parts cannot change their volume: a body that reaches into a wall does, by moving. Its rows there
 * give up their sum, each an equal share. */
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
        for (int c = 0; c < WIDTH; c++) sum[label][c] += b->row[k].v[c];
    }
    for (uint32_t k = b->start[body]; k < b->start[body + 1]; k++) {
        const uint32_t label = s->label[b->row[k].row];
        for (int c = 0; c < WIDTH && label != NO_NODE; c++) b->row[k].v[c] -= sum[label][c] / count[label];
    }
    return RILL_OK;
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
    for (uint32_t k = 0; k < b->count; k++)
        for (uint32_t c = 0; c < WIDTH && from->light[k]; c++) {
            double size = 0;
            for (int r = 0; r < WIDTH; r++) size += fabs(from->root[k][r][c]);
            if (size > 0 && b->columns < MOST_COLUMNS) b->column[b->columns++] = WIDTH * k + c;
        }
    return RILL_OK;
}

rill_status solve_bodies_make(solve *s, const pressure_system *system)
{
    const pressure_bodies *from = system->bodies;
    const level *l = &s->grid->level[0];
    solve_bodies *b;
    uint32_t *at, total = 0;
    if (!from || from->count == 0) return RILL_OK;
    TRY(ARENA_NEW(s->memory, b, 1));
    *b = (solve_bodies){.count = from->count};
    TRY(ARENA_NEW(s->memory, b->start, (size_t)b->count + 1));
    TRY(ARENA_NEW(s->memory, b->row, from->start[from->count]));
    TRY(ARENA_NEW(s->memory, b->sums, (size_t)b->count * WIDTH));
    TRY(invert_tiles(s, system->tiles, &at));
    s->bodies = b;
    for (uint32_t k = 0; k < b->count; k++) {
        b->start[k] = total;
        for (uint32_t i = from->start[k]; i < from->end[k]; i++) {
            const uint32_t tile = at[from->entry[i].row / l->cells], c = from->entry[i].row % l->cells;
            if (tile == NO_NODE || !system->active[from->entry[i].row]) continue;
            solve_row *r = &b->row[total++];
            r->row = level_index(l, tile, (int)(c % 8), (int)(c / 8 % 8), (int)(c / 64));
            memcpy(r->v, from->entry[i].v, sizeof r->v);
        }
        b->start[k + 1] = total;
        TRY(balance(s, k));
        for (uint32_t i = b->start[k]; i < total; i++)
            times_root((const double(*)[WIDTH])from->root[k], b->row[i].v);
    }
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
    for (uint32_t k = 0; b && k < b->count; k++) {
        double sum[WIDTH] = {0};
        for (uint32_t i = b->start[k]; i < b->start[k + 1]; i++)
            for (int c = 0; c < WIDTH; c++) sum[c] += b->row[i].v[c] * (double)x[b->row[i].row];
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
        for (uint32_t i = 0; i < count; i++) r[row[i].row] = (float)row[i].v[b->column[k] % WIDTH];
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
                sum += row[m].v[b->column[i] % WIDTH] * (double)b->z[k][row[m].row];
            b->small[(size_t)i * b->columns + k] = sum;
        }
    }
    for (uint32_t i = 0; i < b->columns; i++)
        for (uint32_t k = 0; k <= i; k++) {
            double *low = &b->small[(size_t)i * b->columns + k],
                   *high = &b->small[(size_t)k * b->columns + i];
            *low = *high = 0.5 * (*low + *high) + (i == k);
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
            r[row[i].row] = (float)((double)r[row[i].row] - b->y[k] * row[i].v[b->column[k] % WIDTH]);
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
