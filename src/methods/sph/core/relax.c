#include "sph/core/relax.h"

#include "base/parallel.h"

typedef struct {
    sph *s;
    particle_sizes sizes;
    uint64_t from;
} relaxing;

static void shift_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const relaxing *r = arg;
    sph *s = r->s;
    for (size_t i = begin; i < end; i++) {
        if (s->particles.id[i] < r->from) continue;
        const int class = r->sizes.class_number ? (int)r->sizes.class_number[i] : 0;
        const double spacing = r->sizes.kernel[class].support / s->def.support;
        const double way = 0.2 * spacing * spacing / (s->model.sound_speed * s->model.sound_speed);
        rill_vec3 shift = v3_scale(
            v3((double)s->step.force[i][0], (double)s->step.force[i][1], (double)s->step.force[i][2]), way);
        const double length = v3_length(shift), most = 0.05 * spacing;
        if (length > most) shift = v3_scale(shift, most / length);
        const rill_vec3 from = s->particles.position[i];
        rill_vec3 v = s->particles.velocity[i];
        s->particles.position[i] = v3_add(from, shift);
        solids_push_out(&s->sim.solids, s->sim.time, s->sim.time, 0.05 * spacing, from,
                        &s->particles.position[i], &v);
    }
}

void relax_shift(sph *s, uint64_t from)
{
    relaxing r = {s, s->ops->sizes(s), from};
    parallel_for(s->sim.ctx, s->particles.count, 256, shift_block, &r);
}
