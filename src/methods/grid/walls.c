/* Walls on the grid: the open part of every face and cell, and how fast solids move.
 *
 * The sides of the domain are exact: what lies beyond a closed side is closed. Solids are
 * cut from their distance at the corners of the faces ([Batty07]: face fractions of the
 * variational form), linear in between; walls thinner than a cell are closed between the cells
 * on their two sides (walls_thin.c). */
#include "grid/walls.h"

#include "grid/bodies.h"
#include "grid/wall_cache.h"

#include <string.h>

/* Faces open by less than this are closed: what passes through is no use to a solver. */
static const float least_open = 0.001f;
/* In cells with less room than this a single open face is closed: where a wall cuts a corner off a cell, one
 * face may be open by a little more than least_open and the other by a little less. The solver would stop the
 * liquid at the open one, beside liquid that slides along the wall (V-15 lost 10 times as much at 128 cells).
 */
static const float least_room = 0.01f;
/* Distances below this are zero, in cells: a face that lies in the surface of a solid is closed,
 * whatever rounding makes of the distances at its corners. */
static const float on_surface = 1e-4f;

typedef struct {
    grid *s;
    double t;
    solids within; /* without the domain's sides */
    uint8_t *ends; /* per cell: faces to be closed, a bit per axis */
} walls_job;

/* The part of a triangle where a value, linear in between, is positive. */
static float triangle_open(float a, float b, float c)
{
    const int n = (a > 0) + (b > 0) + (c > 0);
    if (n == 3) return 1;
    if (n == 0) return 0;
    const bool one = n == 1;
    /* the corner that is alone */
    const float p = (a > 0) == one ? a : (b > 0) == one ? b : c;
    const float q = (a > 0) == one ? b : a, r = (a > 0) == one || (b > 0) == one ? c : b;
    const float cut = p / (p - q) * (p / (p - r));
    return one ? cut : 1 - cut;
}

static float square_open(float a, float b, float c, float d, float middle) /* around the square */
{
    return (triangle_open(a, b, middle) + triangle_open(b, c, middle) + triangle_open(c, d, middle) +
            triangle_open(d, a, middle)) /
           4;
}

static float edge_open(float a, float b)
{
    if (a > 0 && b > 0) return 1;
    if (a <= 0 && b <= 0) return 0;
    return a > 0 ? a / (a - b) : b / (b - a);
}

/* What the domain leaves open along one axis: of each cell, and of each minus face 0 or 1. */
static void domain_open(const grid *s, rill_vec3 corner, int axis, float cell[8], float face[8])
{
    const scene_domain *d = &s->sim.scene->domain;
    const double lo = d->open & 1u << (2 * axis) ? -INFINITY
                                                 : (v3_axis(d->min, axis) - v3_axis(corner, axis)) / s->h,
                 hi = d->open & 2u << (2 * axis) ? INFINITY
                                                 : (v3_axis(d->max, axis) - v3_axis(corner, axis)) / s->h;
    for (int i = 0; i < 8; i++) {
        const double part = fmin(i + 1, hi) - fmax(i, lo);
        cell[i] = part > 1 - 1e-6 ? 1 : part > 1e-6 ? (float)part : 0;
        face[i] = i > lo + 1e-6 && i < hi - 1e-6;
    }
}

/* Distances at the corners of a tile's cells, in cells. */
enum { N = GRID_SIDE + 1 };
typedef struct {
    float node[N * N * N];
    rill_vec3 corner;
    bool flat;
} corner_distances;

static float distance_at(const walls_job *j, rill_vec3 x)
{
    const float d = (float)(solids_distance(&j->within, x, j->t, NULL) / j->s->h);
    return fabsf(d) < on_surface ? 0 : d;
}

/* The open part of a face between four corners (two dimensions: the first two). A gap between two
 * surfaces one cell apart has distance zero at every corner and is open in the middle. */
static float face_open(const walls_job *j, bool flat, const float *n, int along, int across, rill_vec3 middle)
{
    if (flat) {
        if (n[0] == 0 && n[along] == 0) {
            const float m = distance_at(j, middle);
            return m > 0 ? 1 : 0;
        }
        return edge_open(n[0], n[along]);
    }
    const float a = n[0], b = n[along], c = n[along + across], d = n[across];
    float m = (a + b + c + d) / 4;
    if (m <= 0 && fmaxf(fmaxf(a, b), fmaxf(c, d)) == 0) m = distance_at(j, middle);
    return square_open(a, b, c, d, m);
}

/* The open part of a cell: exact for planes in two dimensions; in three by Simpson's rule over its
 * lowest, middle and highest layer. */
static float cell_open(bool flat, const float *n)
{
    float layer[3];
    for (int k = 0; k < (flat ? 1 : 3); k++) {
        float v[4];
        static const int corner[4] = {0, 1, N + 1, N};
        for (int i = 0; i < 4; i++) {
            const float low = n[corner[i]], high = flat ? low : n[corner[i] + N * N];
            v[i] = k == 0 ? low : k == 2 ? high : (low + high) / 2;
        }
        layer[k] = square_open(v[0], v[1], v[2], v[3], (v[0] + v[1] + v[2] + v[3]) / 4);
    }
    return flat ? layer[0] : (layer[0] + 4 * layer[1] + layer[2]) / 6;
}

/* Cuts one cell's minus faces and its volume. */
static void cut_cell(const walls_job *j, const corner_distances *k, size_t c, int x, int y, int z)
{
    grid *s = j->s;
    const float *n = &k->node[(z * N + y) * N + x];
    static const int along[3] = {N, 1, 1}, across[3] = {N * N, N * N, N};
    for (int a = 0; a < s->tiles.dimensions; a++) {
        const rill_vec3 middle =
            v3_madd(k->corner, s->h,
                    v3(x + (a == 0 ? 0 : 0.5), y + (a == 1 ? 0 : 0.5), k->flat ? 0 : z + (a == 2 ? 0 : 0.5)));
        s->field.open[a][c] *= face_open(j, k->flat, n, along[a], across[a], middle);
        if (s->field.open[a][c] < least_open) s->field.open[a][c] = 0;
    }
    float sum = 0, most = -INFINITY;
    const int corners = k->flat ? 4 : 8;
    for (int i = 0; i < corners; i++) {
        const float v = n[(i & 1) + (i >> 1 & 1) * N + (i >> 2) * N * N];
        sum += v;
        most = fmaxf(most, v);
    }
    if (most == 0) { /* in a wall, or between two surfaces */
        const bool open =
            distance_at(j, v3_madd(k->corner, s->h, v3(x + 0.5, y + 0.5, k->flat ? 0 : z + 0.5))) > 0;
        s->field.room[c] *= open;
        s->field.buried[c] = !open;
        return;
    }
    s->field.room[c] *= cell_open(k->flat, n);
    s->field.buried[c] = sum < WALLS_BURIED * (float)corners;
}

/* Cuts the tile's faces and cells by the solids; whether a solid is among them. */
static bool cut_faces(const walls_job *j, uint32_t tile, rill_vec3 corner)
{
    grid *s = j->s;
    const bool flat = s->tiles.layers == 1;
    const double half = 0.5 * GRID_SIDE * s->h;
    const rill_vec3 middle = v3_add(corner, v3(half, half, flat ? 0 : half));
    if (solids_distance(&j->within, middle, j->t, NULL) > half * (flat ? 1.5 : 1.8)) return false;
    corner_distances k = {.corner = corner, .flat = flat};
    bool cut = false;
    for (int z = 0, i = 0; z < (flat ? 1 : N); z++)
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++, i++) {
                k.node[i] = distance_at(j, v3_madd(corner, s->h, v3(x, y, z)));
                cut |= k.node[i] <= 0;
            }
    const size_t base = (size_t)tile * (size_t)s->tiles.cells;
    for (int c = 0; cut && c < s->tiles.cells; c++)
        cut_cell(j, &k, base + (size_t)c, c % 8, c / 8 % 8, c / 64);
    if (s->walls.thin) cut |= walls_part(s, &j->within, j->t, tile, corner);
    return cut;
}

static void solid_speeds(const walls_job *j, uint32_t tile, rill_vec3 corner, bool near)
{
    grid *s = j->s;
    for (int c = 0; c < s->tiles.cells; c++) {
        float *v = s->field.moving[(size_t)tile * (size_t)s->tiles.cells + (size_t)c];
        v[0] = v[1] = v[2] = 0;
        if (!near) continue;
        const rill_vec3 x =
            v3_madd(corner, s->h, v3(c % 8 + 0.5, c / 8 % 8 + 0.5, s->tiles.layers == 1 ? 0 : c / 64 + 0.5));
        solid_contact contact;
        if (solids_distance(&j->within, x, j->t, &contact) > 2 * s->h) continue;
        v[0] = (float)contact.velocity.x, v[1] = (float)contact.velocity.y, v[2] = (float)contact.velocity.z;
        /* what the domain closes rests, whatever slides past it */
        const scene_domain *d = &s->sim.scene->domain;
        for (int a = 0; a < s->tiles.dimensions; a++) {
            const double at = v3_axis(x, a), half = (0.5 + 1e-6) * s->h;
            if ((!(d->open & 1u << (2 * a)) && at - half <= v3_axis(d->min, a)) ||
                (!(d->open & 2u << (2 * a)) && at + half >= v3_axis(d->max, a)))
                v[a] = 0;
        }
    }
}

static void wall_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const walls_job *j = arg;
    grid *s = j->s;
    const int d = s->tiles.dimensions;
    const double half = 0.5 * GRID_SIDE * s->h;
    for (size_t t = begin; t < end; t++) {
        const rill_vec3 corner = grid_tile_corner(&s->tiles, (uint32_t)t);
        float cell[3][8], face[3][8];
        for (int a = 0; a < 3; a++)
            if (a < d) domain_open(s, corner, a, cell[a], face[a]);
        for (int z = 0; z < s->tiles.layers; z++)
            for (int y = 0; y < 8; y++)
                for (int x = 0; x < 8; x++) {
                    const size_t c = t * (size_t)s->tiles.cells + (size_t)((z * 8 + y) * 8 + x);
                    const float deep = d == 3 ? cell[2][z] : 1;
                    s->field.room[c] = cell[0][x] * cell[1][y] * deep;
                    s->field.open[0][c] = face[0][x] * cell[1][y] * deep;
                    s->field.open[1][c] = face[1][y] * cell[0][x] * deep;
                    if (d == 3) s->field.open[2][c] = face[2][z] * cell[0][x] * cell[1][y];
                }
        memset(s->field.buried + t * (size_t)s->tiles.cells, 0, (size_t)s->tiles.cells);
        if (s->field.parted) memset(s->field.parted + t * (size_t)s->tiles.cells, 0, (size_t)s->tiles.cells);
        const wall_record record = j->within.count ? wall_cache_state(s, (uint32_t)t) : WALLS_FAR;
        if (record == WALLS_KEPT) {
            wall_cache_take(s, (uint32_t)t);
            continue;
        }
        const bool cut = record != WALLS_FAR && cut_faces(j, (uint32_t)t, corner);
        if (s->field.moving) solid_speeds(j, (uint32_t)t, corner, cut);
        const rill_vec3 middle = v3_add(corner, v3(half, half, d == 2 ? 0 : half));
        const double reach = half * (d == 2 ? 1.5 : 1.8) + (s->def.cfl + 1) * s->h;
        s->field.walled[t] =
            (uint8_t)((solids_distance(&s->sim.solids, middle, j->t, NULL) < reach) | cut << 1);
        if (record == WALLS_FRESH) wall_cache_put(s, (uint32_t)t);
    }
}

/* Whether a cell has hardly any room and a single open face. */
static bool dead_end(const grid *s, uint32_t tile, const int at[3])
{
    const size_t c = grid_cell_near(&s->tiles, tile, at[0], at[1], at[2]);
    if (c == SIZE_MAX || s->field.room[c] >= least_room) return false;
    int open = 0;
    for (int a = 0; a < s->tiles.dimensions; a++) {
        const size_t above =
            grid_cell_near(&s->tiles, tile, at[0] + (a == 0), at[1] + (a == 1), at[2] + (a == 2));
        open += (s->field.open[a][c] > 0) + (above != SIZE_MAX && s->field.open[a][above] > 0);
    }
    return open == 1;
}

/* Finds faces that end in cells with hardly any room: marks them in `ends`, a bit per axis. */
static void find_ends(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const walls_job *j = arg;
    const grid *s = j->s;
    const size_t cells = (size_t)s->tiles.cells;
    for (size_t t = begin; t < end; t++)
        for (size_t c = 0; c < cells; c++) {
            uint8_t *ends = &j->ends[t * cells + c];
            *ends = 0;
            for (int a = 0; s->field.walled[t] && a < s->tiles.dimensions; a++) {
                if (!(s->field.open[a][t * cells + c] > 0)) continue;
                const int own[3] = {(int)c % 8, (int)c / 8 % 8, (int)c / 64},
                          below[3] = {own[0] - (a == 0), own[1] - (a == 1), own[2] - (a == 2)};
                if (dead_end(s, (uint32_t)t, own) || dead_end(s, (uint32_t)t, below)) *ends |= 1u << a;
            }
        }
}

static void close_ends(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const walls_job *j = arg;
    for (size_t i = begin; i < end; i++)
        for (int a = 0; j->ends[i] >> a; a++)
            if (j->ends[i] >> a & 1) j->s->field.open[a][i] = 0;
}

rill_status grid_walls(grid *s, double t)
{
    walls_job j = {.s = s, .t = t, .within = s->sim.solids};
    j.within.domain.open = (1u << SIDE_COUNT) - 1;
    j.within.without = s->coupling.body;
    const size_t n = grid_cell_count(&s->tiles);
    for (int a = 0; a < s->tiles.dimensions; a++) TRY(ARENA_NEW(&s->scratch, s->field.open[a], n));
    TRY(ARENA_NEW(&s->scratch, s->field.walled, s->tiles.count));
    TRY(ARENA_NEW(&s->scratch, s->field.room, n));
    TRY(ARENA_NEW(&s->scratch, s->field.buried, n));
    s->field.parted = NULL;
    if (s->walls.thin && (s->def.surface == GRID_LEVEL_SET || s->def.surface == GRID_PARTICLE_SET))
        TRY(ARENA_NEW(&s->scratch, s->field.parted, n));
    s->field.moving = NULL;
    if (s->sim.solids.moving) TRY(ARENA_NEW(&s->scratch, s->field.moving, n));
    if (j.within.count) TRY(wall_cache_prepare(s, &j.within, t));
    parallel_for(s->sim.ctx, s->tiles.count, 8, wall_tiles, &j);
    if (j.within.count) {
        TRY(ARENA_NEW(&s->scratch, j.ends, n));
        parallel_for(s->sim.ctx, s->tiles.count, 32, find_ends, &j);
        parallel_for(s->sim.ctx, n, 4096, close_ends, &j);
    }
    return grid_bodies_close(s, t);
}
