/* The liquid's signed distance from the particles, at cell centres, in cells.
 *
 * [Zhu05] section 5: the distance of a point from the weighted mean of the particles near
 * it. DEVIATES: their |x - mean| - radius is a distance only far outside; here the
 * distance is looked up: a half space evenly full of particles puts the mean at a known
 * depth for every distance of the point from its surface, and that relation is inverted.
 * Weights are products over the axes, so that a wall that cuts the neighbourhood shifts
 * the mean square to the wall alone, and that part is left out.
 *
 * Cells among full cells are deep and need no sums. */
#include "grid/level.h"
#include "grid/walls.h"

#include <string.h>

static double weight(double s)
{
    const double a = 1 - s * s;
    return a > 0 ? a * a * a : 0;
}

/* Depth of the mean below a point at distance d from a half space, in reaches. */
static double mean_depth(double d)
{
    enum { N = 400 };
    double sum = 0, all = 0;
    const double from = fmax(d, -1), step = (1 - from) / N;
    for (int i = 0; i < N; i++) {
        const double t = from + (i + 0.5) * step, w = weight(t);
        sum += w * t;
        all += w;
    }
    return all > 0 ? sum / all : 1;
}

void grid_level_init(grid *s)
{
    const int n = (int)(sizeof s->distance / sizeof *s->distance) - 1;
    for (int i = 0; i <= n; i++) {
        const double f = (double)i / n;
        double lo = -1, hi = 1;
        for (int k = 0; k < 40; k++) {
            const double mid = (lo + hi) / 2;
            if (mean_depth(mid) < f)
                lo = mid;
            else
                hi = mid;
        }
        s->distance[i] = (float)lo;
    }
}

static float look_up(const grid *s, float f)
{
    const int n = (int)(sizeof s->distance / sizeof *s->distance) - 1;
    const float at = f * (float)n;
    if (!(at < (float)n)) return 1;
    const int i = (int)at;
    return s->distance[i] + (at - (float)i) * (s->distance[i + 1] - s->distance[i]);
}

level_place level_place_of(const grid *s, uint32_t tile)
{
    const scene_domain *d = &s->sim.scene->domain;
    level_place out = {.tile = tile, .corner = grid_tile_corner(&s->tiles, tile)};
    for (int a = 0; a < 3; a++) {
        const bool low = a < s->tiles.dimensions && !(d->open & 1u << (2 * a)),
                   high = a < s->tiles.dimensions && !(d->open & 2u << (2 * a));
        out.lo[a] = low ? (float)((v3_axis(d->min, a) - v3_axis(out.corner, a)) / s->h) : -INFINITY;
        out.hi[a] = high ? (float)((v3_axis(d->max, a) - v3_axis(out.corner, a)) / s->h) : INFINITY;
    }
    return out;
}

/* Whether a wall this far from a point, in cells, is why the mean of the particles lies a distance d
 * on the other side of the point: then the liquid goes up to the wall, by no less than a share of a
 * cell. Liquid that ends before it has its surface there, however near the wall is. */
static bool up_to_wall(const grid *s, float d, float wall, float reach)
{
    const float slack = 0.6f;
    return wall < reach && -reach * look_up(s, d / reach) > wall - slack;
}

float level_distance(const grid *s, const swarm *w, const level_place *p, const int cell[3],
                     const float at[3], float reach, double t)
{
    float sum[4];
    swarm_sum(w, cell, at, reach, s->tiles.layers == 1, sum);
    if (!(sum[0] > 0)) return reach;
    float d[3]; /* from the mean to the point */
    for (int a = 0; a < 3; a++) d[a] = -sum[a + 1] / sum[0];
    for (int a = 0; a < s->tiles.dimensions; a++) {
        if (d[a] < 0 && up_to_wall(s, -d[a], at[a] - p->lo[a], reach)) d[a] = 0;
        if (d[a] > 0 && up_to_wall(s, d[a], p->hi[a] - at[a], reach)) d[a] = 0;
    }
    if (s->field.walled[p->tile] & 2) {
        const rill_vec3 x =
            v3_madd(p->corner, s->h, v3(at[0], at[1], s->tiles.layers == 1 ? 0 : (double)at[2]));
        solid_contact c;
        if (solids_distance(&s->sim.solids, x, t, &c) < (double)reach * s->h && c.solid < SOLID_DOMAIN) {
            const float n[3] = {(float)c.normal.x, (float)c.normal.y, (float)c.normal.z};
            const float into = d[0] * n[0] + d[1] * n[1] + d[2] * n[2];
            const bool wall = into < 0 && up_to_wall(s, -into, (float)(c.distance / s->h), reach);
            for (int a = 0; a < 3 && wall; a++) d[a] -= into * n[a];
        }
    }
    return reach * look_up(s, sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / reach);
}

/* 0: nothing near, 2: full all around (walls count as full), 1: neither. */
static int surrounded(const uint8_t *full, int deep)
{
    enum { N = GRID_SIDE + 2 };
    int any = 0, all = 1;
    for (int z = -deep; z <= deep; z++)
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++) {
                const uint8_t f = full[(z * N + y) * N + x];
                any |= f & 1;
                all &= f >> 1;
            }
    return !any ? 0 : all ? 2 : 1;
}

typedef struct {
    grid *s;
    swarm *around; /* per worker */
} level_job;

/* Particles of a cell on the side of a thin wall that the cell is on. */
static int crowd_aside(const grid *s, uint32_t tile, int c, double t)
{
    const rill_vec3 middle =
        v3_madd(grid_tile_corner(&s->tiles, tile), s->h,
                v3(c % 8 + 0.5, c / 8 % 8 + 0.5, s->tiles.layers == 1 ? 0 : c / 64 + 0.5));
    const rill_vec3 side = walls_side(s, &s->sim.solids, t, middle);
    const uint32_t *first = s->bin.first + (size_t)s->bin.core_of[tile] * (size_t)s->tiles.cells + c;
    int count = 0;
    for (uint32_t q = first[0]; q < first[1] && count < 255; q++)
        count += !walls_between(s, &s->sim.solids, t, side,
                                s->particles.position[s->bin.order ? s->bin.order[q] : q]);
    return count;
}

/* As many as fill the open part of a cell are liquid wherever they are in it: a sheet pressed
 * against a wall would be air, and go on being pressed. */
static bool filled_by_crowd(const grid *s, uint32_t tile, int c)
{
    const size_t i = (size_t)tile * (size_t)s->tiles.cells + (size_t)c;
    const float full = s->tiles.layers == 1 ? 4 : 8;
    const float most = full * (s->field.buried[i] ? fmaxf(s->field.room[i], 0.25f) : 1);
    if (!((float)s->field.crowd[i] >= most)) return false;
    if (!s->field.buried[i] || !s->walls.thin || s->bin.core_of[tile] == GRID_NONE) return true;
    return (float)crowd_aside(s, tile, c, s->sim.time) >= most;
}

static void level_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const level_job *j = arg;
    grid *s = j->s;
    swarm *around = &j->around[worker];
    enum { N = GRID_SIDE + 2 };
    uint8_t full[N * N * N], fill[N * N * N];
    const int deep = s->tiles.layers == 1 ? 0 : 1, size = grid_block_size(&s->tiles, 1);
    for (size_t t = begin; t < end; t++) {
        float *phi = s->field.phi + t * (size_t)s->tiles.cells;
        bool any = false;
        for (int k = 0; k < GRID_NEAR; k++) {
            const uint32_t near = s->tiles.near[t][k];
            any |= near != GRID_NONE &&
                   (s->bin.core_of[near] != GRID_NONE || (s->narrow.fill && s->narrow.filled[near]));
        }
        for (int c = 0; c < s->tiles.cells; c++) phi[c] = LEVEL_REACH;
        if (!any) continue;
        const level_place place = level_place_of(s, (uint32_t)t);
        bool loaded = false;
        grid_block_load_u8(&s->tiles, (uint32_t)t, s->field.crowd, 1, 0, full);
        /* bit 0: has particles; bit 1: full, or behind a wall */
        for (int i = 0; i < size; i++) full[i] = (uint8_t)((full[i] > 0) | (full[i] > 1) << 1);
        if (s->narrow.fill) grid_block_load_u8(&s->tiles, (uint32_t)t, s->narrow.fill, 1, 0, fill);
        for (int i = 0; i < size && s->narrow.fill; i++) full[i] |= fill[i] ? 3 : 0;
        for (int z = -deep, i = 0; z < s->tiles.layers + deep; z++)
            for (int y = -1; y <= GRID_SIDE; y++)
                for (int x = -1; x <= GRID_SIDE; x++, i++) {
                    const int at[3] = {x, y, z};
                    for (int a = 0; a < s->tiles.dimensions; a++)
                        if ((float)at[a] + 0.5f < place.lo[a] || (float)at[a] + 0.5f > place.hi[a])
                            full[i] |= 2;
                }
        for (int z = 0; z < s->tiles.layers; z++)
            for (int y = 0; y < GRID_SIDE; y++)
                for (int x = 0; x < GRID_SIDE; x++) {
                    const int where = surrounded(&full[((z + deep) * N + y + 1) * N + x + 1], deep);
                    if (where == 0) continue;
                    const int c = (z * 8 + y) * 8 + x;
                    if (s->field.buried[t * (size_t)s->tiles.cells + (size_t)c]) continue;
                    if (where == 1 && !loaded) {
                        swarm_load(s, (uint32_t)t, around);
                        loaded = true;
                    }
                    const int cell[3] = {x, y, z};
                    const float at[3] = {(float)x + 0.5f, (float)y + 0.5f, (float)z + 0.5f};
                    phi[c] = where == 2
                                 ? -LEVEL_REACH
                                 : level_distance(s, around, &place, cell, at, LEVEL_REACH, s->sim.time);
                    if (phi[c] > -0.25f && filled_by_crowd(s, (uint32_t)t, c)) phi[c] = -0.25f;
                }
    }
}

/* --- cells in walls --- */

/* The level of a buried cell: that of the cells across its open faces that are not (first), or
 * have got theirs (done), each as much as the face is open. */
static float level_across(const grid *s, uint32_t tile, int c, const uint8_t *done)
{
    const size_t here = (size_t)tile * (size_t)s->tiles.cells + (size_t)c;
    float sum = 0, all = 0;
    for (int b = 0; b < 2 * s->tiles.dimensions; b++) {
        int at[3] = {c % 8, c / 8 % 8, c / 64};
        const int a = b / 2, step = b % 2 ? 1 : -1;
        at[a] += step;
        const size_t i = grid_cell_near(&s->tiles, tile, at[0], at[1], at[2]);
        if (i == SIZE_MAX || s->field.buried[i] > *done) continue;
        const float open = s->field.open[a][step < 0 ? here : i];
        sum += open * s->field.phi[i];
        all += open;
    }
    return all > 0 ? sum / all : NAN;
}

typedef struct {
    grid *s;
    float *found; /* per cell, in walled tiles: a level, or NAN */
    uint8_t round;
} buried_job;

static void look_across(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const buried_job *j = arg;
    const grid *s = j->s;
    const size_t cells = (size_t)s->tiles.cells;
    for (size_t t = begin; t < end; t++)
        for (size_t c = 0; c < cells && s->field.walled[t] & 2; c++)
            if (s->field.buried[t * cells + c] > j->round)
                j->found[t * cells + c] = level_across(s, (uint32_t)t, (int)c, &j->round);
}

static void take_across(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const buried_job *j = arg;
    grid *s = j->s;
    const size_t cells = (size_t)s->tiles.cells;
    for (size_t t = begin; t < end; t++)
        for (size_t i = t * cells; i < (t + 1) * cells && s->field.walled[t] & 2; i++) {
            if (s->field.buried[i] <= j->round) continue;
            if (isnan(j->found[i])) {
                s->field.buried[i] = (uint8_t)(j->round + 2); /* not yet, or never: then it stays air, */
                /* but for a film that a body presses on: without pressure it would be trapped there */
                if (s->coupling.body && s->coupling.near[t] &&
                    filled_by_crowd(s, (uint32_t)t, (int)(i - t * cells)))
                    s->field.phi[i] = -0.25f;
                continue;
            }
            const bool full = j->found[i] > -0.25f && filled_by_crowd(s, (uint32_t)t, (int)(i - t * cells));
            s->field.phi[i] = full ? -0.25f : j->found[i];
            s->field.buried[i] = (uint8_t)(j->round + 1);
        }
}

/* Corners of two or three walls are as many cells away from one that is not buried. */
static rill_status level_buried(grid *s)
{
    buried_job j = {.s = s};
    if (s->sim.solids.count == 0) return RILL_OK;
    TRY(ARENA_NEW(&s->scratch, j.found, grid_cell_count(&s->tiles)));
    for (j.round = 0; j.round < 3; j.round++) {
        parallel_for(s->sim.ctx, s->tiles.count, 16, look_across, &j);
        parallel_for(s->sim.ctx, s->tiles.count, 16, take_across, &j);
    }
    return RILL_OK;
}

/* --- spray --- */

/* Markers that are too few to be liquid: the grid carries their velocity only as far as liquid is
 * around, and a cell that is liquid in one step and not in the next would stop them in mid-air.
 * They fly instead (move.c), and their cells are air. */
static void spray_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    grid *s = arg;
    enum { N = GRID_SIDE + 2 };
    uint8_t crowd[N * N * N];
    const int deep = s->tiles.layers == 1 ? 0 : 1, least = deep ? 36 : 6; /* a sixth of what fits */
    for (size_t t = begin; t < end; t++) {
        float *phi = s->field.phi + t * (size_t)s->tiles.cells;
        bool loaded = false;
        for (int c = 0; c < s->tiles.cells; c++) {
            if (phi[c] >= LEVEL_REACH || s->field.buried[t * (size_t)s->tiles.cells + (size_t)c]) continue;
            if (!loaded) grid_block_load_u8(&s->tiles, (uint32_t)t, s->field.crowd, 1, 0, crowd);
            loaded = true;
            const uint8_t *own = &crowd[((c / 64 + deep) * N + c / 8 % 8 + 1) * N + c % 8 + 1];
            int count = 0;
            for (int z = -deep; z <= deep; z++)
                for (int y = -1; y <= 1; y++)
                    for (int x = -1; x <= 1; x++) count += own[(z * N + y) * N + x];
            if (count < least) phi[c] = LEVEL_REACH;
        }
    }
}

/* --- holes --- */

/* A cell of air that liquid encloses on every side is a gap between particles: it would be a
 * bubble without air in it, with no pressure to hold it, and be seen. */
typedef struct {
    grid *s;
    uint64_t *hole; /* a word per layer of a tile, bit 8 y + x */
} hole_job;

static bool enclosed(const grid *s, uint32_t tile, int c)
{
    for (int b = 0; b < 2 * s->tiles.dimensions; b++) {
        int at[3] = {c % 8, c / 8 % 8, c / 64};
        at[b / 2] += b % 2 ? 1 : -1;
        const size_t i = grid_cell_near(&s->tiles, tile, at[0], at[1], at[2]);
        if (i == SIZE_MAX || (s->field.phi[i] >= 0 && s->field.room[i] > 0)) return false;
    }
    return true;
}

static void find_holes(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const hole_job *j = arg;
    const grid *s = j->s;
    const size_t cells = (size_t)s->tiles.cells, layers = (size_t)s->tiles.layers;
    for (size_t t = begin; t < end; t++) {
        const float *phi = s->field.phi + t * cells;
        memset(j->hole + t * layers, 0, layers * sizeof *j->hole);
        /* the cells before and after along x first: most are no holes by them */
        for (size_t c = 0; c < cells; c++) {
            if (phi[c] < 0 || phi[c] >= LEVEL_REACH) continue;
            if ((c % 8 > 0 && phi[c - 1] >= LEVEL_REACH) || (c % 8 < 7 && phi[c + 1] >= LEVEL_REACH))
                continue;
            if (enclosed(s, (uint32_t)t, (int)c)) j->hole[t * layers + c / 64] |= (uint64_t)1 << c % 64;
        }
    }
}

static void close_holes(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const hole_job *j = arg;
    grid *s = j->s;
    const size_t cells = (size_t)s->tiles.cells, layers = (size_t)s->tiles.layers;
    for (size_t word = begin * layers; word < end * layers; word++)
        for (uint64_t left = j->hole[word]; left; left &= left - 1)
            s->field.phi[word / layers * cells + word % layers * 64 + (size_t)__builtin_ctzll(left)] = -0.25f;
}

/* Tiles with liquid, or after one: their faces have liquid beside them. */
static void find_wet(grid *s)
{
    const size_t cells = (size_t)s->tiles.cells;
    for (size_t t = 0; t < s->tiles.count; t++) {
        s->field.wet[t] = 0;
        for (size_t i = t * cells; i < (t + 1) * cells && !s->field.wet[t]; i++)
            s->field.wet[t] = s->field.phi[i] < 0;
    }
    for (size_t t = 0; t < s->tiles.count; t++)
        for (int a = 0; a < s->tiles.dimensions; a++) {
            const uint32_t below = s->tiles.near[t][grid_near_index(-(a == 0), -(a == 1), -(a == 2))];
            if (below != GRID_NONE && s->field.wet[below] == 1 && !s->field.wet[t]) s->field.wet[t] = 2;
        }
}

rill_status grid_level(grid *s)
{
    level_job j = {.s = s};
    TRY(ARENA_NEW(&s->scratch, s->field.phi, grid_cell_count(&s->tiles)));
    TRY(swarm_make(s, &j.around));
    TRY(ARENA_NEW(&s->scratch, s->field.wet, s->tiles.count));
    hole_job h = {.s = s};
    TRY(ARENA_NEW(&s->scratch, h.hole, s->tiles.count * (size_t)s->tiles.layers));
    parallel_for(s->sim.ctx, s->tiles.count, 4, level_tiles, &j);
    if (s->def.surface == GRID_MARKERS) parallel_for(s->sim.ctx, s->tiles.count, 16, spray_tiles, s);
    TRY(level_buried(s));
    parallel_for(s->sim.ctx, s->tiles.count, 32, find_holes, &h);
    parallel_for(s->sim.ctx, s->tiles.count, 256, close_holes, &h);
    find_wet(s);
    return RILL_OK;
}
