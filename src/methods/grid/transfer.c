/* Particles to faces: momentum and weight, trilinear, [Jiang15] for the affine part.
 *
 * Each core adds its particles into a block of its own, one cell larger on every side;
 * then each tile adds up its own and its neighbours' blocks in a fixed order. A node keeps
 * momentum and weight side by side, so that two nodes along x are one vector. */
#include "grid/interpolate.h"
#include "grid/state.h"

#include <string.h>

enum { SIDE = GRID_SIDE + 2, NODES = SIDE * SIDE * SIDE };

typedef struct {
    grid *s;
    float (*block)[2]; /* per core: dimensions x nodes */
    int nodes;         /* of a block: SIDE^d */
} transfer_job;

/* Adds momentum and weight of two nodes along x. */
static inline void add_pair(float (*node)[2], __m128 value)
{
    float *p = node[0];
    _mm_storeu_ps(p, _mm_add_ps(_mm_loadu_ps(p), value));
}

/* One particle. at: in cells from the block's first node, which is one below the tile's. v:
 * velocity; c: its gradients, per cell. */
static inline void scatter3(float (*block)[2], __m128 at, const float v[3], const float c[9])
{
    nodes_weights w;
    nodes_find(at, &w);
    for (int a = 0; a < 3; a++) {
        const __m256 wx = w.x[a != 0], wy = w.y[a != 1], wz = w.z[a != 2];
        const __m256 weight = _mm256_mul_ps(_mm256_mul_ps(wx, wy), wz);
        /* the way to a node along an axis is its sign times one less its weight */
        const __m256 one = _mm256_set1_ps(1);
        __m256 m = _mm256_set1_ps(v[a]);
        m = _mm256_fmadd_ps(_mm256_mul_ps(_mm256_sub_ps(one, wx), NODES_X_SIGN), _mm256_set1_ps(c[3 * a]), m);
        m = _mm256_fmadd_ps(_mm256_mul_ps(_mm256_sub_ps(one, wy), NODES_Y_SIGN), _mm256_set1_ps(c[3 * a + 1]),
                            m);
        m = _mm256_fmadd_ps(_mm256_mul_ps(_mm256_sub_ps(one, wz), NODES_Z_SIGN), _mm256_set1_ps(c[3 * a + 2]),
                            m);
        m = _mm256_mul_ps(m, weight);
        const __m256 low = _mm256_unpacklo_ps(m, weight), high = _mm256_unpackhi_ps(m, weight);
        float(*node)[2] = block + a * NODES + nodes_first(&w, a, SIDE);
        add_pair(node, _mm256_castps256_ps128(low));
        add_pair(node + SIDE, _mm256_castps256_ps128(high));
        add_pair(node + SIDE * SIDE, _mm256_extractf128_ps(low, 1));
        add_pair(node + SIDE * SIDE + SIDE, _mm256_extractf128_ps(high, 1));
    }
}

/* One component in the plane. x: on the component's own lattice. */
static inline void scatter2(float (*node)[2], const float x[2], float v, const float *c)
{
    const int i = (int)x[0], j = (int)x[1];
    const float fx = x[0] - (float)i, fy = x[1] - (float)j;
    const float m = v - c[0] * fx - c[1] * fy; /* at the lowest node */
    node += j * SIDE + i;
    for (int dy = 0; dy < 2; dy++) {
        const float w = dy ? fy : 1 - fy, n = m + (dy ? c[1] : 0);
        const __m128 value = _mm_setr_ps(n, 1, n + c[0], 1), wx = _mm_setr_ps(1 - fx, 1 - fx, fx, fx);
        add_pair(node + dy * SIDE, _mm_mul_ps(_mm_mul_ps(value, wx), _mm_set1_ps(w)));
    }
}

static void scatter_cores(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const transfer_job *j = arg;
    const grid *s = j->s;
    const particles *p = &s->particles;
    const int d = s->tiles.dimensions;
    const double inverse = 1 / s->h;
    for (size_t core = begin; core < end; core++) {
        float(*block)[2] = j->block + core * (size_t)(d * j->nodes);
        memset(block, 0, (size_t)(d * j->nodes) * sizeof *block);
        const rill_vec3 corner = grid_tile_corner(&s->tiles, s->bin.tile_of[core]);
        const uint32_t last = grid_core_begin(s, (uint32_t)core + 1);
        for (uint32_t i = grid_core_begin(s, (uint32_t)core); i < last; i++) {
            const rill_vec3 y = v3_scale(v3_sub(p->position[i], corner), inverse);
            /* rounding must not put it into the next tile: its block has no room for that */
            const float at[3] = {fminf((float)y.x, 7.99999f), fminf((float)y.y, 7.99999f),
                                 fminf((float)y.z, 7.99999f)};
            const rill_vec3 seen = v3_sub(p->velocity[i], s->frame);
            const float v[3] = {(float)seen.x, (float)seen.y, (float)seen.z};
            float c[9] = {0};
            for (int k = 0; k < 9 && s->affine[0]; k++) c[k] = s->affine[k] ? s->affine[k][i] : 0;
            if (d == 3) {
                scatter3(block, _mm_setr_ps(at[0] + 1, at[1] + 1, at[2] + 1, 1), v, c);
                continue;
            }
            for (int a = 0; a < 2; a++) {
                const float x[2] = {at[0] + (a == 0 ? 1 : 0.5f), at[1] + (a == 1 ? 1 : 0.5f)};
                scatter2(block + a * j->nodes, x, v[a], &c[3 * a]);
            }
        }
    }
}

/* The part of a neighbour's block that lies in this tile, along one axis: our first cell
 * and how many; theirs are `shift` farther. */
static void overlap(int step, int *from, int *count, int *shift)
{
    *from = step <= 0 ? 0 : GRID_SIDE - 1;
    *count = step == 0 ? GRID_SIDE : 1;
    *shift = 1 - GRID_SIDE * step; /* in the block, whose first node is -1 */
}

static void add_block(const grid *s, const float (*block)[2], const int step[3], float (*sum)[2])
{
    int from[3], count[3], shift[3];
    for (int a = 0; a < 3; a++) overlap(step[a], &from[a], &count[a], &shift[a]);
    if (s->tiles.layers == 1) from[2] = 0, count[2] = 1, shift[2] = 0;
    for (int z = from[2]; z < from[2] + count[2]; z++)
        for (int y = from[1]; y < from[1] + count[1]; y++) {
            const float(*b)[2] = block + ((z + shift[2]) * SIDE + y + shift[1]) * SIDE + from[0] + shift[0];
            float(*to)[2] = sum + (z * GRID_SIDE + y) * GRID_SIDE + from[0];
            for (int x = 0; x < count[0]; x++) to[x][0] += b[x][0], to[x][1] += b[x][1];
        }
}

static void gather_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const transfer_job *j = arg;
    grid *s = j->s;
    const int d = s->tiles.dimensions, cells = s->tiles.cells;
    float sum[GRID_CELLS][2];
    for (size_t t = begin; t < end; t++) {
        const uint8_t *fill = s->narrow.fill ? s->narrow.fill + t * (size_t)cells : NULL;
        uint8_t *weighed = s->field.weighed + t * (size_t)cells;
        memset(weighed, 0, (size_t)cells);
        for (int a = 0; a < d; a++) {
            memset(sum, 0, (size_t)cells * sizeof *sum);
            for (int k = 0; k < GRID_NEAR; k++) {
                const uint32_t near = s->tiles.near[t][k];
                if (near == GRID_NONE || s->bin.core_of[near] == GRID_NONE) continue;
                const int step[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
                const float(*block)[2] =
                    (const float(*)[2])j->block +
                    ((size_t)s->bin.core_of[near] * (size_t)d + (size_t)a) * (size_t)j->nodes;
                add_block(s, block, step, sum);
            }
            float *u = s->field.u[a] + t * (size_t)cells;
            for (int c = 0; c < cells; c++) {
                /* faces of full cells are the grid's (narrow.c) where particles are few */
                const bool has = sum[c][1] > (fill && fill[c] ? 2 : 1e-5f);
                u[c] = has ? sum[c][0] / sum[c][1] : 0;
                weighed[c] |= (uint8_t)(has << a);
            }
        }
    }
}

static void velocity_terms(void *arg, size_t begin, size_t end, double *out)
{
    const particles *p = arg;
    for (size_t i = begin; i < end; i++) {
        out[0] += p->velocity[i].x;
        out[1] += p->velocity[i].y;
        out[2] += p->velocity[i].z;
    }
}

/* The frame moves with the liquid's mean: what it does as a whole is kept in double. */
static rill_vec3 mean_velocity(grid *s)
{
    double sum[3] = {0};
    const double n = (double)s->particles.count;
    parallel_sums(s->sim.ctx, s->particles.count, velocity_terms, &s->particles, 3, sum);
    return n > 0 ? v3(sum[0] / n, sum[1] / n, sum[2] / n) : v3(0, 0, 0);
}

rill_status grid_transfer_in(grid *s)
{
    s->frame = mean_velocity(s);
    transfer_job j = {.s = s, .nodes = s->tiles.layers == 1 ? SIDE * SIDE : NODES};
    /* two nodes are read at once: one beyond the last */
    arena_reset(&s->sorting);
    TRY(ARENA_NEW(&s->sorting, j.block, s->bin.core.count * (size_t)(s->tiles.dimensions * j.nodes) + 1));
    parallel_for(s->sim.ctx, s->bin.core.count, 4, scatter_cores, &j);
    parallel_for(s->sim.ctx, s->tiles.count, 16, gather_tiles, &j);
    return RILL_OK;
}
