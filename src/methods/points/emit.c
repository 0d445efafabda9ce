/* What emitters give and drains take, and emitters into a domain that is full: there an emitter gives
 * nothing, and the log says so once. */
#include "flow/capacity.h"
#include "points/state.h"

static const double full =
    1.01; /* times what fits: points at rest are not exactly as dense as at the start */

/* The liquid's volume, m3, or m2 in two dimensions. */
static double held(const points *s)
{
    double finest = (double)s->particles.count;
    if (s->sizes.grains) {
        finest = 0;
        for (size_t i = 0; i < s->particles.count; i++) finest += points_size_of(s, i)->share;
    }
    return finest * pow(s->h, s->dimensions);
}

/* The first emitter that the new point i came out of; emitter_count: none, it is other liquid. */
static uint32_t emitter_of(const points *s, size_t i)
{
    const rill_scene *scene = s->sim.scene;
    uint32_t k = 0;
    for (; k < scene->emitter_count; k++) {
        rill_box b = box_grown(shape_bounds(&scene->emitters[k].shape), 2 * s->h);
        if (s->dimensions == 2) b.min.z = -1, b.max.z = 1;
        if (box_contains(b, s->particles.position[i])) break;
    }
    return k;
}

static void tell(points *s, uint32_t emitter, rill_vec3 x)
{
    if (s->told_full) return;
    s->told_full = true;
    rill_log(s->sim.ctx, RILL_LOG_WARNING,
             "emitters[%u] near (%.3g, %.3g, %.3g) is blocked at t = %.3g s: the domain is full; it gives "
             "nothing while that is so",
             emitter, x.x, x.y, x.z, s->sim.time);
}

rill_status points_sources(points *s, double t, double dt)
{
    rill_sim *sim = &s->sim;
    particles *p = &s->particles;
    const uint64_t born = p->next_id;
    TRY(sources_apply(sim->ctx, &sim->sources, &sim->solids, t, dt, p));
    points_columns(s);
    if (p->next_id == born || !(held(s) > full * s->capacity)) return RILL_OK;
    uint8_t *keep;
    TRY(MEM_NEW(sim->ctx, keep, p->count));
    for (size_t i = 0; i < p->count; i++) {
        const uint32_t from = p->id[i] >= born ? emitter_of(s, i) : sim->scene->emitter_count;
        keep[i] = from == sim->scene->emitter_count;
        if (!keep[i]) tell(s, from, p->position[i]);
    }
    sim->sources.merged += particles_keep(p, keep);
    mem_free(sim->ctx, keep);
    return RILL_OK;
}
