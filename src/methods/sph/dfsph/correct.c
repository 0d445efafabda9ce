/* Gradients that see the divergence of a flow, not of a lattice.
 *
 * D = sum_j (v_i - v_j) . grad W is the rate of the density that the kernel gives, and that
 * depends on the arrangement: the lattice that liquid starts from, stretched by 1.2 and 1.4 at
 * equal volume, has 0.7 and 4.3 percent more of it (cubic, R = 2 spacings). Who holds D at zero
 * holds the lattice: it is stiff, and a shear flow through it loses its energy. The
 * correction of Bonet and Lok 1999 (section 3.3) makes D exact for linear velocities,
 *     g_ij = L_i grad W_ij,   L_i = (sum_j (x_j - x_i) grad W_ij^T + d n grad B^T)^-1,
 * the last term for a wall at distance d, along which liquid slips. DEVIATES: L is the
 * mean of both ends', so that g_ij = -g_ji, momentum is kept, the force is D's transpose and a pass
 * over pairs costs what it did. D is then nearly exact.
 *
 * Such forces have no potential, and liquid at rest would be stirred by them, most at
 * walls and at the surface, where the correction is large: it goes to zero as a particle
 * loses neighbours, and is small in the first layer at a wall. Next to bodies it is not: what it leaves out
 * there makes the liquid that moves with a body too heavy (added mass of a disc: 13 and 24 percent too much,
 * rising and sinking; with all of it 6.5 and 15). */
#include "base/parallel.h"
#include "sph/core/operations.h"
#include "sph/dfsph/pairs.h"

#include <math.h>
#include <string.h>

/* By density ratio: none below, all above. */
static const float bare = 0.85f, covered = 0.95f;
static const float wall_share_off = 0.65f;    /* what half a spacing from a wall takes off */
static const float least_determinant = 0.05f; /* of the moments: neighbours on all sides */

typedef struct {
    sph *s;
    const float *whole;        /* per particle: 1 next to a body, else 0; NULL: there are none */
    float per_rest, per_usual; /* 1 / rest density; 1 / wall share at half a spacing */
} fix_job;

/* The inverse of the moments, in place; xx yy zz and xy yz zx. */
static void fix_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const fix_job *j = arg;
    sph *s = j->s;
    for (size_t i = begin; i < end; i++) {
        float *m = s->solve.correction[0][i], *o = s->solve.correction[1][i];
        const float xx = m[1] * m[2] - o[1] * o[1], xy = o[1] * o[2] - o[0] * m[2],
                    zx = o[0] * o[1] - m[1] * o[2];
        const float yy = m[0] * m[2] - o[2] * o[2], zz = m[0] * m[1] - o[0] * o[0],
                    yz = o[0] * o[2] - m[0] * o[1];
        const float det = m[0] * xx + o[0] * xy + o[2] * zx;
        float share = (s->density[i] * j->per_rest - bare) / (covered - bare);
        const float off = j->whole && j->whole[i] > 0 ? 0 : wall_share_off;
        share = fminf(share, 1) * (1 - off * s->step.wall[i][3] * j->per_usual);
        if (!(share > 0 && det > least_determinant)) share = 0;
        const float scale = share > 0 ? share / det : 0, rest = 1 - share;
        m[0] = rest + scale * xx;
        m[1] = rest + scale * yy;
        m[2] = rest + scale * zz;
        o[0] = scale * xy;
        o[1] = scale * yz;
        o[2] = scale * zx;
        m[3] = o[3] = 0;
    }
}

void pairs_correct(sph *s)
{
    const double usual = walls_value(&s->model.walls, s->sim.scene->spacing / 2, NULL);
    fix_job j = {.s = s,
                 .per_rest = (float)(1 / s->sim.scene->fluid.density),
                 .per_usual = (float)(usual > 0 ? 1 / usual : 0)};
    if (s->bodies.count) { /* the right sides are not needed yet */
        memset(s->solve.target, 0, s->particles.count * sizeof *s->solve.target);
        for (size_t n = 0; n < s->bodies.count; n++) s->solve.target[s->bodies.row[n].particle] = 1;
        j.whole = s->solve.target;
    }
    parallel_for(s->sim.ctx, s->particles.count, 8192, fix_block, &j);
    s->ops->correct(s);
}
