/* Modified incomplete Cholesky with no fill, MIC(0): Bridson 2008, figures 4.2 and 4.3, tau
 * 0.97, sigma 0.25. A cell comes after its neighbours at -x, -y, -z; in order of tiles and
 * of cells in a tile that holds as it does in order of the whole grid, so the factor is the
 * same. One thread: each cell waits for three others. */
#include "grid/pressure/solve.h"

#include <math.h>

struct mic {
    const level *l;
    float *a[3];         /* coefficient to +x, +y, +z, in the caller's order within our tiles */
    double *pivot;       /* 1 / root of the pivot, likewise; one more tile, of zeros */
    double *work;        /* likewise */
    uint16_t place[512]; /* of a cell in our order of a tile */
};

/* Neighbour at -axis (up: +axis) of cell k of tile t; in the tile of zeros when there is none. */
static inline size_t beside(const level *l, uint32_t t, uint32_t k, int axis, bool up)
{
    const uint32_t s = axis == 0   ? 1
                       : axis == 1 ? 8
                                   : 64,
                   side = axis == 2 ? (uint32_t)l->planes : 8, at = k / s % 8;
    if (up && at + 1 < side) return (size_t)t * l->cells + k + s;
    if (!up && at > 0) return (size_t)t * l->cells + k - s;
    const size_t tile = l->near[t][2 * axis + up];
    return up ? tile * l->cells + k - (side - 1) * s : tile * l->cells + k + (side - 1) * s;
}

rill_status mic_build(rill_arena *memory, const level *l, mic **out)
{
    const double tau = 0.97, sigma = 0.25;
    mic *m;
    const size_t n = (size_t)(l->tiles + 1) * l->cells;
    TRY(ARENA_NEW(memory, m, 1));
    m->l = l;
    for (int d = 0; d < 3; d++) {
        TRY(ARENA_NEW(memory, m->a[d], n));
        memset(m->a[d], 0, n * sizeof(float));
    }
    TRY(ARENA_NEW(memory, m->pivot, n));
    TRY(ARENA_NEW(memory, m->work, n));
    memset(m->pivot, 0, n * sizeof *m->pivot);
    memset(m->work, 0, n * sizeof *m->work);
    for (uint32_t k = 0; k < l->cells; k++)
        m->place[k] = (uint16_t)level_index(l, 0, (int)(k & 7), (int)(k >> 3 & 7), (int)(k >> 6));
    for (uint32_t t = 0; t < l->tiles; t++) {
        tile_faces f;
        level_faces(l, t, &f);
        for (int d = 0; d < 3; d++)
            memcpy(m->a[d] + (size_t)t * l->cells, f.plus[d], l->cells * sizeof(float));
        for (uint32_t k = 0; k < l->cells; k++) {
            const size_t given = (size_t)l->source[t] * l->cells + k;
            if (!l->active[given]) continue;
            double diagonal = l->e[given];
            for (int d = 0; d < 3; d++) diagonal += (double)f.minus[d][k] + f.plus[d][k];
            if (!(diagonal > 0)) continue;
            double pivot = diagonal;
            for (int d = 0; d < 3; d++) {
                const size_t j = beside(l, t, k, d, false);
                const double a = m->a[d][j], v = a * m->pivot[j];
                const double rest = (double)m->a[(d + 1) % 3][j] + m->a[(d + 2) % 3][j];
                pivot -= v * v + tau * a * rest * m->pivot[j] * m->pivot[j];
            }
            if (pivot < sigma * diagonal) pivot = diagonal;
            m->pivot[(size_t)t * l->cells + k] = 1 / sqrt(pivot);
        }
    }
    *out = m;
    return RILL_OK;
}

void mic_apply(const mic *m, const double *r, double *z)
{
    const level *l = m->l;
    double *w = m->work;
    for (uint32_t t = 0; t < l->tiles; t++)
        for (uint32_t k = 0; k < l->cells; k++) {
            const size_t i = (size_t)t * l->cells + k;
            double sum = r[(size_t)t * l->cells + m->place[k]];
            for (int d = 0; d < 3; d++) {
                const size_t j = beside(l, t, k, d, false);
                sum += m->a[d][j] * m->pivot[j] * w[j];
            }
            w[i] = sum * m->pivot[i];
        }
    for (uint32_t t = l->tiles; t-- > 0;)
        for (uint32_t k = l->cells; k-- > 0;) {
            const size_t i = (size_t)t * l->cells + k;
            double sum = w[i];
            for (int d = 0; d < 3; d++) sum += m->a[d][i] * m->pivot[i] * w[beside(l, t, k, d, true)];
            w[i] = sum * m->pivot[i];
            z[(size_t)t * l->cells + m->place[k]] = w[i];
        }
}
