/* Corrects the gradients of pairs of one size in place (dfsph/correct.c). */
#include "sph/dfsph/correct.h"
#include "sph/uniform/pass.h"

/* Gradients in place, and what follows from them: the solver's factor and the walls' push. */
static void correct_tile(sph *s, uint32_t index, const halo_copy *copy)
{
    const float(*diagonal)[4] = (const float(*)[4])copy->position,
          (*other)[4] = (const float(*)[4])copy->vector;
    for (own o = own_first(s, index); o.i < o.last; own_next(s, &o)) {
        const vec8 own_d = same8(s->solve.correction[0][o.i]), own_m = same8(s->solve.correction[1][o.i]);
        uint16_t *g = s->solve.gradient + 3 * o.at;
        vec8 sum = zero8();
        __m256 square = _mm256_setzero_ps();
        for (const uint16_t *l = o.list; l < o.end; l += NEIGHBOUR_LANES, g += 3 * NEIGHBOUR_LANES) {
            const vec8 c = correct8(g, own_d, own_m, load8(diagonal, l), load8(other, l));
            add8(&sum, _mm256_set1_ps(1), c.x, c.y, c.z);
            square = _mm256_fmadd_ps(c.x, c.x, _mm256_fmadd_ps(c.y, c.y, _mm256_fmadd_ps(c.z, c.z, square)));
        }
        correct_wall(s, o.i);
        s->solve.factor[o.i] = correct_factor(s, o.i, sums8(sum), sum8(square));
    }
}

static void correct_tiles(void *arg, size_t begin, size_t end, int worker)
{
    sph *s = arg;
    float(*padding)[4] = s->uniform->copy[worker].position; /* must stay finite here */
    for (int c = 0; c < 3; c++) padding[0][c] = 0;
    const halo_copy *copy = &s->uniform->copy[worker];
    for (uint32_t k = (uint32_t)begin; k < end; k++) {
        halo_gather(halos_of(&s->uniform->halos, k), (const float(*)[4])s->solve.correction[0],
                    copy->position);
        halo_gather(halos_of(&s->uniform->halos, k), (const float(*)[4])s->solve.correction[1], copy->vector);
        correct_tile(s, k, copy);
    }
    for (int c = 0; c < 3; c++) padding[0][c] = 1e15f;
}

void uniform_pairs_correct(sph *s)
{
    parallel_for(s->sim.ctx, s->uniform->tiles.count, 2, correct_tiles, s);
}
