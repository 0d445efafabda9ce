/* Solids thinner than the kernel: particles on one side must not see those on the other. The pairs are
 * removed from the lists by uniform/plates.c and sized/plates.c. */
#include "sph/core/state.h"

/* Collisions keep particles farther away from solids than this (move.h). */
double plates_margin(const sph *s)
{
    return 1e-3 * s->sim.scene->spacing;
}

rill_status plates_find(sph *s)
{
    const solids *all = &s->sim.solids;
    uint32_t count = 0;
    uint8_t *thin;
    TRY(MEM_NEW_ZERO(s->sim.ctx, thin, (size_t)all->count + 1));
    for (uint32_t i = 0; i < all->count; i++) {
        const double support = s->model.widest / all->rest[i].pose.scale; /* in the shape's own units */
        thin[i] = shape_thinner(&s->sim.scene->solids[i].shape, support);
        count += thin[i];
    }
    if (count)
        s->model.thin = thin;
    else
        mem_free(s->sim.ctx, thin);
    return RILL_OK;
}

bool plates_between(const sph *s, rill_vec3 particle, rill_vec3 point)
{
    for (uint32_t i = 0; s->model.thin && i < s->sim.solids.count; i++)
        if (s->model.thin[i] &&
            solids_between(&s->sim.solids, i, particle, point, s->sim.time, plates_margin(s)))
            return true;
    return false;
}
