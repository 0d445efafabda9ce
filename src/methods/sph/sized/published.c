/* [Adams] eq. 1, the pressure between particles of several sizes as the paper has it, instead of that of
 * passes.c:
 *     f_ij = -V_i V_j (P_i + P_j) / 2 (grad W(x_ij, r_i) + grad W(x_ij, r_j)) / 2,
 * with densities that gather by each particle's own radius. "adams" has the gradient with respect to x_i and
 * the mean of both pressures (errata E-A1). "adams_printed" is the formula as it is printed: x_ij = x_j - x_i
 * and P_i + P_j without the half, which attracts, and twice as strongly. Both are antisymmetric and keep
 * momentum; neither is the derivative of the density. For comparison: one pair at a time, in double. */
#include "sph/sized/pass.h"

static double pressure_of(const sph *s, size_t i)
{
    const double density = s->density[i];
    return (double)sized_pressure_term(s, i) * density * density;
}

/* (W'(r_i) + W'(r_j)) / 2 over the distance: the mean of both gradients is this times x_i - x_j. */
static double mean_gradient(const sized_state *a, int i, int j, double distance)
{
    const kernel *ki = &a->kernel[i], *kj = &a->kernel[j];
    double sum = 0;
    if (distance < ki->support) sum += kernel_dw_over_r(ki, distance);
    if (distance < kj->support) sum += kernel_dw_over_r(kj, distance);
    return 0.5 * sum;
}

static void published_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = arg;
    const sized_state *a = s->sized;
    /* over both pressures: -1/2 put right, +1 as printed */
    const double factor = s->def.pair_pressure == SPH_ADAMS_PRINTED ? 1 : -0.5;
    for (size_t i = begin; i < end; i++) {
        const double mine = pressure_of(s, i), share = factor * s->model.calibration / (double)s->density[i];
        const sized_list l = sized_list_of(&a->lists, i);
        rill_vec3 sum = {0, 0, 0};
        for (sized_walk w = sized_walk_over(l.at, l.end); sized_walk_on(&w);) {
            const uint32_t j = w.id;
            if (j == i) continue;
            const rill_vec3 x = v3_sub(s->particles.position[i], s->particles.position[j]);
            const double distance = v3_length(x);
            if (!(distance > 0)) continue;
            const double volume = a->size_class[a->size[j]].mass / (double)s->density[j];
            sum = v3_madd(
                sum, volume * (mine + pressure_of(s, j)) * mean_gradient(a, a->size[i], a->size[j], distance),
                x);
        }
        s->step.force[i][0] += (float)(share * sum.x);
        s->step.force[i][1] += (float)(share * sum.y);
        s->step.force[i][2] += (float)(share * sum.z);
    }
}

void sized_published_pressure(sph *s)
{
    parallel_for(s->sim.ctx, s->particles.count, 256, published_block, s);
}
