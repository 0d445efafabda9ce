#include "grid/pressure/cells.h"

#include "base/parallel.h"

#include <math.h>
#include <string.h>

/* The level set of all cells of the box, each asked for once. */
typedef struct box {
    const pressure_cells_def *d;
    double *phi;
} box;

static void phi_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const box *b = arg;
    const int *n = b->d->n;
    for (size_t row = begin; row < end; row++)
        for (int i = 0; i < n[0]; i++)
            b->phi[row * (size_t)n[0] + (size_t)i] =
                b->d->phi(b->d->user, i, (int)(row % (size_t)n[1]), (int)(row / (size_t)n[1]));
}

static double phi_at(const box *b, int i, int j, int k)
{
    const int *n = b->d->n;
    if (i < 0 || j < 0 || k < 0 || i >= n[0] || j >= n[1] || k >= n[2]) return 1;
    return b->phi[((size_t)k * (size_t)n[1] + (size_t)j) * (size_t)n[0] + (size_t)i];
}

static double open_at(const pressure_cells_def *d, int axis, int i, int j, int k)
{
    const int at[3] = {i, j, k};
    if (at[axis] <= 0 || at[axis] >= d->n[axis]) return 0;
    return d->open ? d->open(d->user, axis, i, j, k) : 1;
}

static bool has_liquid(const box *b, int x, int y, int z)
{
    for (int k = z * 8; k < z * 8 + (b->d->dimensions == 2 ? 1 : 8); k++)
        for (int j = y * 8; j < y * 8 + 8; j++)
            for (int i = x * 8; i < x * 8 + 8; i++)
                if (phi_at(b, i, j, k) < 0) return true;
    return false;
}

static size_t tile_cells(const pressure_cells_def *d)
{
    return d->dimensions == 2 ? 64 : 512;
}

void pressure_cells_place(const pressure_cells *c, size_t index, int place[3])
{
    const size_t t = index / tile_cells(&c->def), k = index % tile_cells(&c->def);
    place[0] = c->tile[t][0] * 8 + (int)(k & 7);
    place[1] = c->tile[t][1] * 8 + (int)(k >> 3 & 7);
    place[2] = c->def.dimensions == 2 ? 0 : c->tile[t][2] * 8 + (int)(k >> 6);
}

size_t pressure_cells_index(const pressure_cells *c, int i, int j, int k)
{
    const bool flat = c->def.dimensions == 2;
    if (i < 0 || j < 0 || k < 0) return SIZE_MAX;
    const int32_t at[3] = {i >> 3, j >> 3, flat ? 0 : k >> 3};
    size_t low = 0, high = c->system.tiles;
    while (low < high) {
        const size_t mid = (low + high) / 2;
        const int32_t *t = c->tile[mid];
        const bool before = t[2] != at[2] ? t[2] < at[2] : t[1] != at[1] ? t[1] < at[1] : t[0] < at[0];
        if (before)
            low = mid + 1;
        else
            high = mid;
    }
    if (low == c->system.tiles || memcmp(c->tile[low], at, sizeof at)) return SIZE_MAX;
    return low * tile_cells(&c->def) + (size_t)(((flat ? 0 : k & 7) * 8 + (j & 7)) * 8 + (i & 7));
}

typedef struct assembly {
    pressure_cells *c;
    const box *box;
} assembly;

static void assemble_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const assembly *a = arg;
    pressure_cells *c = a->c;
    const pressure_cells_def *d = &c->def;
    const int axes = d->dimensions == 2 ? 2 : 3;
    for (size_t index = begin; index < end; index++) {
        int at[3];
        pressure_cells_place(c, index, at);
        const double phi = phi_at(a->box, at[0], at[1], at[2]);
        if (!(phi < 0)) continue;
        double e = 0, all = 0;
        for (int axis = 0; axis < axes; axis++)
            for (int up = 0; up < 2; up++) {
                int face[3] = {at[0], at[1], at[2]}, next[3] = {at[0], at[1], at[2]};
                face[axis] += up;
                next[axis] += up ? 1 : -1;
                const double w = open_at(d, axis, face[0], face[1], face[2]);
                const double beyond = phi_at(a->box, next[0], next[1], next[2]);
                all += w;
                if (beyond < 0) {
                    if (up) c->a[axis][index] = (float)w;
                    continue;
                }
                const double theta = d->stairs ? 1 : phi / (phi - beyond);
                e += w / fmax(theta, d->least > 0 ? d->least : 0.01);
            }
        c->active[index] = all > 0; /* else it is inside a solid */
        c->e[index] = (float)e;
    }
}

rill_status pressure_cells_make(rill_ctx *ctx, const pressure_cells_def *def, pressure_cells *out)
{
    pressure_cells c = {.ctx = ctx, .def = *def};
    const int side[3] = {(def->n[0] + 7) / 8, (def->n[1] + 7) / 8,
                         def->dimensions == 2 ? 1 : (def->n[2] + 7) / 8};
    box b = {def, NULL};
    rill_status st = MEM_NEW(ctx, b.phi, (size_t)def->n[0] * (size_t)def->n[1] * (size_t)def->n[2]);
    if (!st) {
        parallel_for(ctx, (size_t)def->n[1] * (size_t)def->n[2], 16, phi_block, &b);
        st = MEM_NEW(ctx, c.tile, (size_t)side[0] * (size_t)side[1] * (size_t)side[2]);
    }
    uint32_t tiles = 0;
    for (int z = 0; !st && z < side[2]; z++)
        for (int y = 0; y < side[1]; y++)
            for (int x = 0; x < side[0]; x++)
                if (has_liquid(&b, x, y, z)) {
                    c.tile[tiles][0] = x;
                    c.tile[tiles][1] = y;
                    c.tile[tiles++][2] = z;
                }
    c.count = tiles * tile_cells(def);
    if (!st) st = MEM_NEW_ZERO(ctx, c.active, c.count);
    for (int axis = 0; axis < 3; axis++)
        if (!st) st = MEM_NEW_ZERO(ctx, c.a[axis], c.count);
    if (!st) st = MEM_NEW_ZERO(ctx, c.e, c.count);
    if (!st) st = MEM_NEW_ZERO(ctx, c.b, c.count);
    if (!st) st = MEM_NEW_ZERO(ctx, c.p, c.count);
    if (st) {
        mem_free(ctx, b.phi);
        pressure_cells_clear(&c);
        return st;
    }
    c.system = (pressure_system){.dimensions = def->dimensions,
                                 .tiles = tiles,
                                 .tile = (const int32_t(*)[3])c.tile,
                                 .active = c.active,
                                 .ax = c.a[0],
                                 .ay = c.a[1],
                                 .az = c.a[2],
                                 .e = c.e,
                                 .b = c.b};
    assembly work = {&c, &b};
    parallel_for(ctx, c.count, 4096, assemble_block, &work);
    mem_free(ctx, b.phi);
    *out = c;
    return RILL_OK;
}

void pressure_cells_clear(pressure_cells *c)
{
    mem_free(c->ctx, c->tile);
    mem_free(c->ctx, c->active);
    for (int axis = 0; axis < 3; axis++) mem_free(c->ctx, c->a[axis]);
    mem_free(c->ctx, c->e);
    mem_free(c->ctx, c->b);
    mem_free(c->ctx, c->p);
    *c = (pressure_cells){0};
}
