/* Values of cubes on the samples of a grid, linearly between their middles.
 *
 * Sites that are the middles of cubes of one size need no search: a table says which site a cube has. It is
 * kept in blocks of 8 x 8 x 8 cubes where there are any. Cubes that are not there (in solids) do not count.
 */
#include "volume/lattice.h"

#include "base/parallel.h"

#include <string.h>

enum { SIDE = 8, CUBES = 512, NEAR = 3 /* blocks along each axis that samples of a block mostly need */ };

typedef struct {
    const lattice_def *def;
    block_map map;
    uint32_t *site; /* per block and cube; UINT32_MAX: none */
    const volume *where;
    volume *out;
} lattice;

/* ---- the table ---- */

static bool cube_of(const lattice_def *d, rill_vec3 x, int32_t at[3])
{
    for (int a = 0; a < 3; a++) {
        const double y = a < d->dimensions ? (v3_axis(x, a) - v3_axis(d->origin, a)) / d->cube : 0;
        if (!(fabs(y) < 0x1p28)) return false;
        at[a] = (int32_t)floor(y);
    }
    return true;
}

static size_t cube_index(const int32_t at[3])
{
    return (size_t)(((at[2] & 7) * SIDE + (at[1] & 7)) * SIDE + (at[0] & 7));
}

/* The block of each site in turn: most are in that of the one before. */
static uint32_t block_of(const lattice *l, const int32_t at[3], uint32_t last)
{
    const int32_t b[3] = {at[0] >> 3, at[1] >> 3, at[2] >> 3};
    if (last != BLOCK_NONE && memcmp(l->map.block[last], b, sizeof b) == 0) return last;
    return block_map_find(&l->map, b[0], b[1], b[2]);
}

static rill_status lattice_build(rill_ctx *ctx, rill_arena *arena, lattice *l)
{
    const particles *p = l->def->sites;
    uint32_t last = BLOCK_NONE;
    int32_t at[3];
    for (size_t i = 0; i < p->count; i++) {
        if (!cube_of(l->def, p->position[i], at)) continue;
        last = block_of(l, at, last);
        if (last != BLOCK_NONE) continue;
        last = (uint32_t)l->map.count;
        TRY(block_map_add(ctx, &l->map, at[0] >> 3, at[1] >> 3, at[2] >> 3));
    }
    TRY(ARENA_NEW(arena, l->site, l->map.count * CUBES));
    memset(l->site, 0xff, l->map.count * CUBES * sizeof *l->site);
    last = BLOCK_NONE;
    for (size_t i = 0; i < p->count; i++) {
        if (!cube_of(l->def, p->position[i], at)) continue;
        last = block_of(l, at, last);
        l->site[(size_t)last * CUBES + cube_index(at)] = (uint32_t)i;
    }
    return RILL_OK;
}

/* ---- samples ---- */

/* Blocks of cubes from a first one on, found once for all samples of a block. */
typedef struct {
    int32_t first[3];
    uint32_t id[NEAR][NEAR][NEAR];
} vicinity;

static void look_around(const lattice *l, rill_vec3 lowest, vicinity *v)
{
    int32_t at[3] = {0};
    for (int a = 0; a < l->def->dimensions; a++)
        at[a] = (int32_t)floor((v3_axis(lowest, a) - v3_axis(l->def->origin, a)) / l->def->cube - 0.5);
    for (int a = 0; a < 3; a++) v->first[a] = at[a] >> 3;
    for (int z = 0; z < NEAR; z++)
        for (int y = 0; y < NEAR; y++)
            for (int x = 0; x < NEAR; x++)
                v->id[z][y][x] = block_map_find(&l->map, v->first[0] + x, v->first[1] + y, v->first[2] + z);
}

static uint32_t site_at(const lattice *l, const vicinity *v, const int32_t at[3])
{
    const int32_t x = (at[0] >> 3) - v->first[0], y = (at[1] >> 3) - v->first[1],
                  z = (at[2] >> 3) - v->first[2];
    const bool near = x >= 0 && x < NEAR && y >= 0 && y < NEAR && z >= 0 && z < NEAR;
    const uint32_t b = near ? v->id[z][y][x] : block_map_find(&l->map, at[0] >> 3, at[1] >> 3, at[2] >> 3);
    return b == BLOCK_NONE ? UINT32_MAX : l->site[(size_t)b * CUBES + cube_index(at)];
}

static rill_vec3 value_at(const lattice *l, const vicinity *v, rill_vec3 x)
{
    const lattice_def *d = l->def;
    int32_t low[3] = {0};
    double f[3] = {0}, all = 0;
    rill_vec3 sum = {0, 0, 0};
    for (int a = 0; a < d->dimensions; a++) {
        const double y = (v3_axis(x, a) - v3_axis(d->origin, a)) / d->cube - 0.5;
        low[a] = (int32_t)floor(y);
        f[a] = y - low[a];
    }
    for (int k = 0; k < 1 << d->dimensions; k++) {
        const int32_t at[3] = {low[0] + (k & 1), low[1] + (k >> 1 & 1), low[2] + (k >> 2)};
        double w = 1;
        for (int a = 0; a < d->dimensions; a++) w *= k >> a & 1 ? f[a] : 1 - f[a];
        const uint32_t site = w > 0 ? site_at(l, v, at) : UINT32_MAX;
        if (site == UINT32_MAX) continue;
        all += w;
        sum = v3_madd(sum, w, d->column ? v3((double)d->column[site], 0, 0) : d->sites->velocity[site]);
    }
    if (all > 0) sum = v3_scale(sum, 1 / all);
    sum.x += d->offset;
    return sum;
}

static void fill_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const lattice *l = arg;
    volume *out = l->out;
    for (size_t b = begin; b < end; b++) {
        vicinity v;
        look_around(l, volume_place(out, (uint32_t)b, 0), &v);
        for (int k = 0; k < (out->dimensions == 2 ? 64 : VOLUME_SAMPLES); k++) {
            const size_t s = b * VOLUME_SAMPLES + (size_t)k;
            if (l->where && l->where->value[s] == 0) continue;
            const rill_vec3 value = value_at(l, &v, volume_place(out, (uint32_t)b, k));
            for (int a = 0; a < out->width; a++)
                out->value[s * (size_t)out->width + (size_t)a] = (float)v3_axis(value, a);
        }
    }
}

rill_status lattice_fill(rill_ctx *ctx, const lattice_def *def, const volume *where, volume *out)
{
    lattice l = {.def = def, .where = where, .out = out};
    rill_arena arena;
    arena_init(&arena, ctx);
    const rill_status st = lattice_build(ctx, &arena, &l);
    if (!st) parallel_for(ctx, out->map.count, 8, fill_blocks, &l);
    block_map_clear(ctx, &l.map);
    arena_clear(&arena);
    return st;
}
