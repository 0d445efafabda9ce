/* Walls and weights of the viscous system (viscosity.h).
 *
 * A face whose centre lies in a wall that does not slip has the wall's velocity; one that a
 * slipping wall closes has its velocity where it faces the wall squarely, and no stress else. The liquid
 * part of a place is taken from the mean distance of the cells around it that are not wall;
 * nothing is done about the surface besides: no stress is what minimises.
 * DEVIATES: [Batty08] puts a wall at the next face; here the way to the wall counts, which
 * is what second order needs along walls. */
#include "grid/viscosity.h"

#include <string.h>

enum { N = VISCOUS_N };
static const float least_way = 0.1f; /* to a wall, cells */

/* --- walls --- */

static void find_wall(const viscous *v, uint32_t tile, int a, int c)
{
    const grid *s = v->s;
    const size_t i = (size_t)tile * (size_t)s->tiles.cells + (size_t)c;
    const rill_vec3 corner = grid_tile_corner(&s->tiles, tile);
    rill_vec3 x =
        v3_madd(corner, s->h, v3(c % 8 + 0.5, c / 8 % 8 + 0.5, s->tiles.layers == 1 ? 0 : c / 64 + 0.5));
    v3_set_axis(&x, a, v3_axis(corner, a) + (a == 0 ? c % 8 : a == 1 ? c / 8 % 8 : c / 64) * s->h);
    solid_contact contact;
    const double away = solids_distance(&v->walls, x, v->t, &contact) / s->h;
    if (!(away < 2)) return;
    const bool closed = s->field.open[a][i] == 0;
    v->away[a][i] = (float)away;
    if (contact.slip == SLIP_NONE ? away <= 1e-4 || closed : closed) {
        v->hold[a][i] = contact.slip == SLIP_NONE ? FACE_HELD : FACE_SLIPS;
        v->across[a][i] = fabs(v3_axis(contact.normal, a)) > 0.999;
        v->u[a][i] = (float)(v3_axis(contact.velocity, a) - v3_axis(s->frame, a));
        const uint32_t body = v->owner[a] && contact.solid < s->sim.scene->solid_count
                                  ? s->sim.bodies.of_solid[contact.solid]
                                  : BODY_NONE;
        if (body != BODY_NONE) { /* as it moves now: the solids know what it did at the start of the step */
            v->owner[a][i] = body;
            v->u[a][i] = grid_drag_speed(s, body, tile, c, a);
        }
    }
}

static void wall_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const viscous *v = arg;
    const grid *s = v->s;
    const size_t cells = (size_t)s->tiles.cells;
    for (size_t t = begin; t < end; t++)
        for (int a = 0; a < s->tiles.dimensions; a++) {
            const size_t base = t * cells;
            memset(v->hold[a] + base, FACE_FREE, cells);
            memcpy(v->u[a] + base, s->field.u[a] + base, cells * sizeof(float));
            for (size_t c = 0; c < cells; c++) v->away[a][base + c] = 2;
            for (size_t c = 0; c < cells && s->field.walled[t]; c++) find_wall(v, (uint32_t)t, a, (int)c);
            for (size_t c = 0; c < cells; c++) {
                const int at[3] = {(int)(c % 8) - (a == 0), (int)(c / 8 % 8) - (a == 1),
                                   (int)(c / 64) - (a == 2)};
                const size_t m = grid_cell_near(&s->tiles, (uint32_t)t, at[0], at[1], at[2]);
                v->wet[a][base + c] = s->field.open[a][base + c] > 0 &&
                                      (s->field.phi[base + c] < 0 || (m != SIZE_MAX && s->field.phi[m] < 0));
            }
        }
}

/* --- weights --- */

/* What a tile's weights are made from, with one cell around. */
typedef struct {
    float phi[VISCOUS_BLOCK], room[VISCOUS_BLOCK], away[3][VISCOUS_BLOCK];
    uint8_t hold[3][VISCOUS_BLOCK], across[3][VISCOUS_BLOCK];
} surroundings;

static const int stride[3] = {1, N, N *N};

/* How much of a place is liquid, by the mean distance of the cells i - sum of `down`. */
static float liquid_part(const surroundings *k, int i, const int *down, int count)
{
    float sum = 0;
    int n = 0;
    for (int m = 0; m < 1 << count; m++) {
        const int c = i - (m & 1 ? down[0] : 0) - (m & 2 ? down[1] : 0);
        if (!(k->room[c] > 0)) continue;
        sum += k->phi[c];
        n++;
    }
    if (n == 0) return 0;
    const float f = 0.5f - sum / (float)n;
    return f < 0 ? 0 : f > 1 ? 1 : f;
}

/* The way between two neighbours of a component, or from one to the wall the other is in.
 * *known becomes false where only a part of the wall's velocity is. */
static float way(const surroundings *k, int a, int i, int j, bool *known)
{
    const bool hi = k->hold[a][i] != FACE_FREE, hj = k->hold[a][j] != FACE_FREE;
    if (hi == hj) return 1; /* both: the wall's own difference */
    const int in = hi ? j : i, out = hi ? i : j;
    if (k->hold[a][out] == FACE_SLIPS && !k->across[a][out]) *known = false;
    const float from = k->away[a][in], to = k->away[a][out];
    const float l = from - to > 1e-6f ? from / (from - to) : 1;
    return l < least_way ? least_way : l > 1 ? 1 : l;
}

/* Whether a slipping wall has one of the four faces around edge i. */
static bool any_slips(const surroundings *k, int a, int b, int i)
{
    return k->hold[a][i] == FACE_SLIPS || k->hold[a][i - stride[b]] == FACE_SLIPS ||
           k->hold[b][i] == FACE_SLIPS || k->hold[b][i - stride[a]] == FACE_SLIPS;
}

static void load_surroundings(const viscous *v, uint32_t t, surroundings *k)
{
    const grid *s = v->s;
    grid_block_load(&s->tiles, t, s->field.phi, 1, 2, k->phi);
    grid_block_load(&s->tiles, t, s->field.room, 1, 0, k->room);
    for (int a = 0; a < s->tiles.dimensions; a++) {
        grid_block_load(&s->tiles, t, v->away[a], 1, 2, k->away[a]);
        grid_block_load_u8(&s->tiles, t, v->across[a], 1, 0, k->across[a]);
        grid_block_load_u8(&s->tiles, t, v->hold[a], 1, FACE_FREE, k->hold[a]);
    }
}

static void weigh_cell(const viscous *v, const surroundings *k, int i, size_t out)
{
    const grid *s = v->s;
    const int d = s->tiles.dimensions;
    for (int a = 0; a < d; a++) {
        bool known = true;
        const int down[1] = {stride[a]};
        const float l = way(k, a, i, i + stride[a], &known);
        v->cell[a][out] = known ? liquid_part(k, i, down, 0) / l : 0;
        const float room = 0.5f * (k->room[i] + k->room[i - stride[a]]);
        v->mass[a][out] = v->wet[a][out] ? liquid_part(k, i, down, 1) * (room > 0.1f ? room : 0.1f) : 0;
    }
    for (int c = edge_first(s); c < 3; c++) {
        const int a = edge_a(c), b = edge_b(c), sa = stride[a], sb = stride[b];
        const int down[2] = {sa, sb};
        bool known = true;
        const float la = way(k, b, i, i - sa, &known), lb = way(k, a, i, i - sb, &known);
        float w = 0;
        if (!any_slips(k, a, b, i)) w = sqrtf(liquid_part(k, i, down, 2) * la * lb);
        v->edge[c][0][out] = w / lb;
        v->edge[c][1][out] = w / la;
    }
}

/* Far from the surface and from walls everything is one. */
static bool is_plain(const viscous *v, uint32_t t)
{
    const grid *s = v->s;
    float phi[VISCOUS_BLOCK];
    if (s->field.walled[t]) return false;
    grid_block_load(&s->tiles, t, s->field.phi, 1, 2, phi);
    for (int i = 0; i < grid_block_size(&s->tiles, 1); i++)
        if (phi[i] > -0.5f) return false;
    return true;
}

static void weigh_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const viscous *v = arg;
    const grid *s = v->s;
    const size_t cells = (size_t)s->tiles.cells;
    surroundings k;
    for (size_t t = begin; t < end; t++) {
        const size_t base = t * cells;
        v->plain[t] = is_plain(v, (uint32_t)t);
        if (!v->plain[t]) load_surroundings(v, (uint32_t)t, &k);
        for (size_t c = 0; c < cells; c++) {
            const int i =
                grid_block_first(&s->tiles, 1) + (int)((c / 64 * (size_t)N + c / 8 % 8) * (size_t)N + c % 8);
            if (!v->plain[t]) {
                weigh_cell(v, &k, i, base + c);
                continue;
            }
            for (int a = 0; a < s->tiles.dimensions; a++) v->cell[a][base + c] = v->mass[a][base + c] = 1;
            for (int e = edge_first(s); e < 3; e++) v->edge[e][0][base + c] = v->edge[e][1][base + c] = 1;
        }
    }
}

/* --- the diagonal, the unknowns, and what they start from --- */

/* Beyond the liquid: the mean of what is wet around. */
static float guess(const viscous *v, uint32_t tile, int a, int c)
{
    const grid *s = v->s;
    float sum = 0;
    int count = 0;
    for (int b = 0; b < 2 * s->tiles.dimensions; b++) {
        int at[3] = {c % 8, c / 8 % 8, c / 64};
        at[b / 2] += b % 2 ? 1 : -1;
        const size_t n = grid_cell_near(&s->tiles, tile, at[0], at[1], at[2]);
        if (n == SIZE_MAX || !v->wet[a][n]) continue;
        sum += s->field.u[a][n];
        count++;
    }
    return count ? sum / (float)count : 0;
}

static void diagonal_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const viscous *v = arg;
    const grid *s = v->s;
    const int cells = s->tiles.cells;
    for (size_t t = begin; t < end; t++)
        for (int c = 0; c < cells; c++) {
            const size_t i = t * (size_t)cells + (size_t)c;
            const int at[3] = {c % 8, c / 8 % 8, c / 64};
            for (int a = 0; a < s->tiles.dimensions; a++) {
                const size_t m = grid_cell_near(&s->tiles, (uint32_t)t, at[0] - (a == 0), at[1] - (a == 1),
                                                at[2] - (a == 2));
                float sum = 2 * (v->cell[a][i] + (m == SIZE_MAX ? 0 : v->cell[a][m]));
                for (int e = edge_first(s); e < 3; e++) {
                    if (e == a) continue;
                    const int b = 3 - a - e;
                    const float *w = v->edge[e][a == edge_a(e) ? 0 : 1];
                    const size_t n = grid_cell_near(&s->tiles, (uint32_t)t, at[0] + (b == 0),
                                                    at[1] + (b == 1), at[2] + (b == 2));
                    sum += w[i] * w[i] + (n == SIZE_MAX ? 0 : w[n] * w[n]);
                }
                const float all = v->mass[a][i] + v->k * sum;
                v->unknown[a][i] = v->hold[a][i] == FACE_FREE && all > 1e-6f;
                const bool owned = v->owner[a] && v->hold[a][i] == FACE_HELD && v->owner[a][i] != BODY_NONE;
                v->diagonal[a][i] = v->unknown[a][i] ? all : owned ? fmaxf(v->k * sum, 1e-6f) : 1;
                if (v->hold[a][i] == FACE_FREE && all > 0 && !v->wet[a][i])
                    v->u[a][i] = guess(v, (uint32_t)t, a, c);
            }
        }
}

rill_status viscous_build(viscous *v)
{
    grid *s = v->s;
    rill_arena *arena = &s->sorting;
    const size_t n = grid_cell_count(&s->tiles);
    const int d = s->tiles.dimensions;
    for (int a = 0; a < d; a++) {
        TRY(ARENA_NEW(arena, v->hold[a], n));
        TRY(ARENA_NEW(arena, v->wet[a], n));
        TRY(ARENA_NEW(arena, v->unknown[a], n));
        TRY(ARENA_NEW(arena, v->away[a], n));
        TRY(ARENA_NEW(arena, v->across[a], n));
        TRY(ARENA_NEW(arena, v->mass[a], n));
        TRY(ARENA_NEW(arena, v->u[a], n));
        TRY(ARENA_NEW(arena, v->cell[a], n));
        TRY(ARENA_NEW(arena, v->diagonal[a], n));
        memset(v->across[a], 0, n);
        if (s->sim.bodies.count == 0) continue;
        TRY(ARENA_NEW(arena, v->owner[a], n));
        memset(v->owner[a], 0xff, n * sizeof *v->owner[a]); /* BODY_NONE */
    }
    for (int e = edge_first(s); e < 3; e++)
        for (int k = 0; k < 2; k++) TRY(ARENA_NEW(arena, v->edge[e][k], n));
    TRY(ARENA_NEW(arena, v->plain, s->tiles.count));
    parallel_for(s->sim.ctx, s->tiles.count, 8, wall_tiles, v);
    parallel_for(s->sim.ctx, s->tiles.count, 8, weigh_tiles, v);
    parallel_for(s->sim.ctx, s->tiles.count, 8, diagonal_tiles, v);
    return RILL_OK;
}
