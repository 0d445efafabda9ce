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
#include "grid/state.h"

#include <string.h>

static const float reach = 1.5f; /* of the weights, cells: the neighbours of a cell */

static double weight(double s)
{
    const double a = 1 - s * s;
    return a > 0 ? a * a * a : 0;
}

/* Depth of the mean below a point at distance d from a half space. */
static double mean_depth(double d, double r)
{
    enum { N = 400 };
    double sum = 0, all = 0;
    const double from = fmax(d, -r), step = (r - from) / N;
    for (int i = 0; i < N; i++) {
        const double t = from + (i + 0.5) * step, w = weight(t / r);
        sum += w * t;
        all += w;
    }
    return all > 0 ? sum / all : r;
}

void grid_level_init(grid *s)
{
    const int n = (int)(sizeof s->distance / sizeof *s->distance) - 1;
    for (int i = 0; i <= n; i++) {
        const double f = reach * (double)i / n;
        double lo = -reach, hi = reach;
        for (int k = 0; k < 40; k++) {
            const double mid = (lo + hi) / 2;
            if (mean_depth(mid, reach) < f)
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
    const float at = f / reach * (float)n;
    if (!(at < (float)n)) return reach;
    const int i = (int)at;
    return s->distance[i] + (at - (float)i) * (s->distance[i + 1] - s->distance[i]);
}

/* The sides of the domain as a tile sees them, in cells from its corner. */
typedef struct {
    float lo[3], hi[3]; /* infinite where open */
} sides;

static sides sides_of(const grid *s, uint32_t tile)
{
    const scene_domain *d = &s->sim.scene->domain;
    const rill_vec3 corner = grid_tile_corner(&s->tiles, tile);
    sides out;
    for (int a = 0; a < 3; a++) {
        const bool low = a < s->tiles.dimensions && !(d->open & 1u << (2 * a)),
                   high = a < s->tiles.dimensions && !(d->open & 2u << (2 * a));
        out.lo[a] = low ? (float)((v3_axis(d->min, a) - v3_axis(corner, a)) / s->h) : -INFINITY;
        out.hi[a] = high ? (float)((v3_axis(d->max, a) - v3_axis(corner, a)) / s->h) : INFINITY;
    }
    return out;
}

/* Sums of weights and weighted offsets of the particles in the cells around a cell. */
static void add_around(const grid *s, uint32_t tile, int x, int y, int z, rill_vec3 center, float sum[4])
{
    const float scale = (float)(1 / s->h), inverse = 1 / reach;
    const int deep = s->tiles.layers == 1 ? 0 : 1;
    for (int dz = -deep; dz <= deep; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                const int cx = x + dx, cy = y + dy, cz = z + dz;
                const uint32_t near =
                    s->tiles.near[tile][grid_near_index(cx >> 3, cy >> 3, deep ? cz >> 3 : 0)];
                if (near == GRID_NONE || s->core_of[near] == GRID_NONE) continue;
                const uint32_t *first = s->first + (size_t)s->core_of[near] * (size_t)s->tiles.cells +
                                        (((deep ? cz & 7 : 0) * 8 + (cy & 7)) * 8 + (cx & 7));
                for (uint32_t i = first[0]; i < first[1]; i++) {
                    const rill_vec3 p = s->particles.position[s->order ? s->order[i] : i];
                    const float fx = (float)(p.x - center.x) * scale, fy = (float)(p.y - center.y) * scale,
                                fz = deep ? (float)(p.z - center.z) * scale : 0;
                    const float ax = 1 - fx * inverse * fx * inverse, ay = 1 - fy * inverse * fy * inverse,
                                az = 1 - fz * inverse * fz * inverse;
                    if (ax <= 0 || ay <= 0 || az <= 0) continue;
                    const float a = ax * ay * az, w = a * a * a;
                    sum[0] += w;
                    sum[1] += w * fx;
                    sum[2] += w * fy;
                    sum[3] += w * fz;
                }
            }
}

static float distance_at(const grid *s, uint32_t tile, int x, int y, int z, const sides *domain, double t)
{
    const int at[3] = {x, y, z};
    const rill_vec3 corner = grid_tile_corner(&s->tiles, tile);
    const rill_vec3 center = v3_madd(corner, s->h, v3(x + 0.5, y + 0.5, s->tiles.layers == 1 ? 0 : z + 0.5));
    float sum[4] = {0};
    add_around(s, tile, x, y, z, center, sum);
    if (!(sum[0] > 0)) return reach;
    float d[3]; /* from the mean to the point */
    for (int a = 0; a < 3; a++) d[a] = -sum[a + 1] / sum[0];
    for (int a = 0; a < s->tiles.dimensions; a++) {
        const float c = (float)at[a] + 0.5f;
        if (d[a] < 0 && c - domain->lo[a] < reach) d[a] = 0;
        if (d[a] > 0 && domain->hi[a] - c < reach) d[a] = 0;
    }
    if (s->walled[tile] & 2) {
        solid_contact c;
        if (solids_distance(&s->sim.solids, center, t, &c) < (double)reach * s->h && c.solid < SOLID_DOMAIN) {
            const float n[3] = {(float)c.normal.x, (float)c.normal.y, (float)c.normal.z};
            const float into = d[0] * n[0] + d[1] * n[1] + d[2] * n[2];
            for (int a = 0; a < 3 && into < 0; a++) d[a] -= into * n[a];
        }
    }
    return look_up(s, sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
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

static void level_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    grid *s = arg;
    enum { N = GRID_SIDE + 2 };
    uint8_t full[N * N * N];
    const float full_cell = s->tiles.layers == 1 ? 4 : 8;
    const int deep = s->tiles.layers == 1 ? 0 : 1, size = grid_block_size(&s->tiles, 1);
    for (size_t t = begin; t < end; t++) {
        float *phi = s->phi + t * (size_t)s->tiles.cells;
        bool any = false;
        for (int k = 0; k < GRID_NEAR; k++) {
            const uint32_t near = s->tiles.near[t][k];
            any |= near != GRID_NONE && s->core_of[near] != GRID_NONE;
        }
        for (int c = 0; c < s->tiles.cells; c++) phi[c] = reach;
        if (!any) continue;
        const sides domain = sides_of(s, (uint32_t)t);
        grid_block_load_u8(&s->tiles, (uint32_t)t, s->crowd, 1, 0, full);
        /* bit 0: has particles; bit 1: full, or behind a wall */
        for (int i = 0; i < size; i++) full[i] = (uint8_t)((full[i] > 0) | (full[i] > 1) << 1);
        for (int z = -deep, i = 0; z < s->tiles.layers + deep; z++)
            for (int y = -1; y <= GRID_SIDE; y++)
                for (int x = -1; x <= GRID_SIDE; x++, i++) {
                    const int at[3] = {x, y, z};
                    for (int a = 0; a < s->tiles.dimensions; a++)
                        if ((float)at[a] + 0.5f < domain.lo[a] || (float)at[a] + 0.5f > domain.hi[a])
                            full[i] |= 2;
                }
        for (int z = 0; z < s->tiles.layers; z++)
            for (int y = 0; y < GRID_SIDE; y++)
                for (int x = 0; x < GRID_SIDE; x++) {
                    const int where = surrounded(&full[((z + deep) * N + y + 1) * N + x + 1], deep);
                    if (where == 0) continue;
                    const int c = (z * 8 + y) * 8 + x;
                    phi[c] = where == 2 ? -reach : distance_at(s, (uint32_t)t, x, y, z, &domain, s->sim.time);
                    /* As many as fill a cell are liquid wherever they are in it: a sheet pressed
                     * against a wall would be air, and go on being pressed. */
                    const float held = (float)s->crowd[t * (size_t)s->tiles.cells + (size_t)c] / full_cell;
                    if (held >= 1 && phi[c] > -0.25f) phi[c] = -0.25f;
                }
    }
}

rill_status grid_level(grid *s)
{
    TRY(ARENA_NEW(&s->scratch, s->phi, grid_cell_count(&s->tiles)));
    parallel_for(s->sim.ctx, s->tiles.count, 4, level_tiles, s);
    return RILL_OK;
}
