/* Walls on the grid: the open part of every face, and how fast solids move.
 *
 * The sides of the domain are exact: what lies beyond a closed side is closed. Solids are
 * cut from their distance at the corners of the faces ([Batty07]: face fractions of the
 * variational form), linear in between. */
#include "grid/state.h"

/* Faces open by less than this are closed: what passes through is no use to a solver. */
static const float least_open = 0.01f;

typedef struct {
    grid *s;
    double t;
    solids within; /* without the domain's sides */
} walls_job;

/* The part of a triangle where a value, linear in between, is positive. */
static float triangle_open(float a, float b, float c)
{
    const int n = (a >= 0) + (b >= 0) + (c >= 0);
    if (n == 3) return 1;
    if (n == 0) return 0;
    const bool one = n == 1;
    /* the corner that is alone */
    const float p = (a >= 0) == one ? a : (b >= 0) == one ? b : c;
    const float q = (a >= 0) == one ? b : a, r = (a >= 0) == one || (b >= 0) == one ? c : b;
    const float cut = p / (p - q) * (p / (p - r));
    return one ? cut : 1 - cut;
}

static float square_open(float a, float b, float c, float d) /* around the square */
{
    const float m = (a + b + c + d) / 4;
    return (triangle_open(a, b, m) + triangle_open(b, c, m) + triangle_open(c, d, m) +
            triangle_open(d, a, m)) /
           4;
}

static float edge_open(float a, float b)
{
    if (a >= 0 && b >= 0) return 1;
    if (a < 0 && b < 0) return 0;
    return a >= 0 ? a / (a - b) : b / (b - a);
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

/* Cuts the tile's faces by the solids; whether any was cut. */
static bool cut_faces(const walls_job *j, uint32_t tile, rill_vec3 corner)
{
    enum { N = GRID_SIDE + 1 };
    grid *s = j->s;
    const bool flat = s->tiles.layers == 1;
    const double half = 0.5 * GRID_SIDE * s->h;
    const rill_vec3 middle = v3_add(corner, v3(half, half, flat ? 0 : half));
    if (solids_distance(&j->within, middle, j->t, NULL) > half * (flat ? 1.5 : 1.8)) return false;
    float node[N * N * N];
    for (int z = 0, i = 0; z < (flat ? 1 : N); z++)
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++, i++)
                node[i] =
                    (float)(solids_distance(&j->within, v3_madd(corner, s->h, v3(x, y, z)), j->t, NULL) /
                            s->h);
    bool cut = false;
    for (int z = 0; z < s->tiles.layers; z++)
        for (int y = 0; y < 8; y++)
            for (int x = 0; x < 8; x++) {
                const float *n = &node[(z * N + y) * N + x];
                float open[3];
                if (flat) {
                    open[0] = edge_open(n[0], n[N]);
                    open[1] = edge_open(n[0], n[1]);
                    open[2] = 1;
                } else {
                    open[0] = square_open(n[0], n[N], n[N + N * N], n[N * N]);
                    open[1] = square_open(n[0], n[1], n[1 + N * N], n[N * N]);
                    open[2] = square_open(n[0], n[1], n[1 + N], n[N]);
                }
                const size_t c = (size_t)tile * (size_t)s->tiles.cells + (size_t)((z * 8 + y) * 8 + x);
                float inside = 0;
                for (int k = 0; k < (flat ? 4 : 8); k++) {
                    const float v = 0.5f + n[(k & 1) + (k >> 1 & 1) * N + (k >> 2) * N * N];
                    inside += v < 0 ? 0 : v > 1 ? 1 : v;
                }
                s->room[c] *= inside / (flat ? 4 : 8);
                for (int a = 0; a < s->tiles.dimensions; a++) {
                    cut |= open[a] < 1;
                    s->open[a][c] *= open[a];
                    if (s->open[a][c] < least_open) s->open[a][c] = 0;
                }
            }
    return cut;
}

static void solid_speeds(const walls_job *j, uint32_t tile, rill_vec3 corner, bool near)
{
    grid *s = j->s;
    for (int c = 0; c < s->tiles.cells; c++) {
        float *v = s->moving[(size_t)tile * (size_t)s->tiles.cells + (size_t)c];
        v[0] = v[1] = v[2] = 0;
        if (!near) continue;
        const rill_vec3 x =
            v3_madd(corner, s->h, v3(c % 8 + 0.5, c / 8 % 8 + 0.5, s->tiles.layers == 1 ? 0 : c / 64 + 0.5));
        solid_contact contact;
        if (solids_distance(&j->within, x, j->t, &contact) > 2 * s->h) continue;
        v[0] = (float)contact.velocity.x, v[1] = (float)contact.velocity.y, v[2] = (float)contact.velocity.z;
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
                    s->room[c] = cell[0][x] * cell[1][y] * deep;
                    s->open[0][c] = face[0][x] * cell[1][y] * deep;
                    s->open[1][c] = face[1][y] * cell[0][x] * deep;
                    if (d == 3) s->open[2][c] = face[2][z] * cell[0][x] * cell[1][y];
                }
        const bool cut = j->within.count && cut_faces(j, (uint32_t)t, corner);
        if (s->moving) solid_speeds(j, (uint32_t)t, corner, cut);
        const rill_vec3 middle = v3_add(corner, v3(half, half, d == 2 ? 0 : half));
        const double reach = half * (d == 2 ? 1.5 : 1.8) + (s->def.cfl + 1) * s->h;
        s->walled[t] = (uint8_t)((solids_distance(&s->sim.solids, middle, j->t, NULL) < reach) | cut << 1);
    }
}

rill_status grid_walls(grid *s, double t)
{
    walls_job j = {s, t, s->sim.solids};
    j.within.domain.open = (1u << SIDE_COUNT) - 1;
    const size_t n = grid_cell_count(&s->tiles);
    for (int a = 0; a < s->tiles.dimensions; a++) TRY(ARENA_NEW(&s->scratch, s->open[a], n));
    TRY(ARENA_NEW(&s->scratch, s->walled, s->tiles.count));
    TRY(ARENA_NEW(&s->scratch, s->room, n));
    s->moving = NULL;
    if (s->sim.solids.moving) TRY(ARENA_NEW(&s->scratch, s->moving, n));
    parallel_for(s->sim.ctx, s->tiles.count, 8, wall_tiles, &j);
    return RILL_OK;
}
