/* Particles that emitters give and drains take, and emitters that are full.
 *
 * An emitter gives its flow whatever is in front of it; in a box that is full the liquid would only
 * get denser. When the domain has no room left, or there is much more liquid around an emitter than
 * fits there, it gives nothing in the step, and the log says so once. */
#include "base/parallel.h"
#include "flow/capacity.h"
#include "grid/state.h"

static const double fullest = 6; /* times what fits: a jet that leaves a wall starts several times as dense */
static const double domain_full = 1.01;
static const double around = 1.5; /* cells around an emitter that count */

typedef struct {
    const particles *p;
    rill_box box;
} count_job;

static void count_terms(void *arg, size_t begin, size_t end, double *out)
{
    const count_job *j = arg;
    for (size_t i = begin; i < end; i++) out[0] += box_contains(j->box, j->p->position[i]);
}

static double box_volume(const grid *s, rill_box box)
{
    const rill_vec3 size = box_size(box);
    return size.x * size.y * (s->tiles.dimensions == 2 ? 1 : size.z);
}

void grid_measure_domain(grid *s)
{
    s->capacity = capacity_of_domain(s->sim.scene, &s->sim.solids, -s->sim.scene->time.preroll);
}

static rill_box box_around(const grid *s, uint32_t emitter)
{
    const rill_scene *scene = s->sim.scene;
    rill_box b = box_grown(shape_bounds(&scene->emitters[emitter].shape), around * s->h);
    for (int a = 0; a < 3; a++) {
        const double lo = v3_axis(scene->domain.min, a), hi = v3_axis(scene->domain.max, a);
        v3_set_axis(&b.min, a, fmax(v3_axis(b.min, a), lo));
        v3_set_axis(&b.max, a, fmin(v3_axis(b.max, a), hi));
    }
    if (s->tiles.dimensions == 2) b.min.z = -1, b.max.z = 1;
    return b;
}

static bool blocked(const grid *s, rill_box box, double t)
{
    enum { SIDE = 10 };
    count_job j = {&s->particles, box};
    double count[1] = {0};
    if ((double)s->particles.count * s->volume > domain_full * s->capacity) return true;
    parallel_sums(s->sim.ctx, s->particles.count, count_terms, &j, 1, count);
    const double held = count[0] * s->volume, most = fullest * box_volume(s, box);
    return held > 0.1 * most && held > most * capacity_open_part(s->sim.scene, &s->sim.solids, box, t, SIDE);
}

static void tell(grid *s, uint32_t emitter, rill_box box)
{
    const uint64_t bit = 1ull << emitter % 64;
    if (s->blocked & bit) return;
    s->blocked |= bit;
    const rill_vec3 x = box_center(box);
    rill_log(
        s->sim.ctx, RILL_LOG_WARNING,
        "emitters[%u] near (%.3g, %.3g, %.3g) is blocked at t = %.3g s: the space in front of it is full; "
        "it gives nothing while that is so",
        emitter, x.x, x.y, x.z, s->sim.time);
}

rill_status grid_sources(grid *s, double t, double dt)
{
    rill_sim *sim = &s->sim;
    const rill_scene *scene = sim->scene;
    const uint64_t born = s->particles.next_id;
    bool *full = NULL, any = false;
    rill_box *box = NULL;
    uint8_t *stays = NULL;
    rill_status st = RILL_OK;
    if (scene->emitter_count) {
        st = MEM_NEW_ZERO(sim->ctx, full, scene->emitter_count);
        if (!st) st = MEM_NEW(sim->ctx, box, scene->emitter_count);
    }
    for (uint32_t i = 0; !st && i < scene->emitter_count; i++) {
        box[i] = box_around(s, i);
        full[i] = blocked(s, box[i], t);
        any |= full[i];
    }
    if (!st) st = sources_apply(sim->ctx, &sim->sources, &sim->solids, t, dt, &s->particles);
    if (!st && any) st = MEM_NEW(sim->ctx, stays, s->particles.count);
    for (size_t i = 0; !st && any && i < s->particles.count; i++) {
        stays[i] = 1;
        for (uint32_t k = 0; k < scene->emitter_count && s->particles.id[i] >= born; k++)
            if (full[k] && box_contains(box_grown(box[k], s->h), s->particles.position[i])) stays[i] = 0;
        sim->sources.merged += !stays[i];
    }
    for (uint32_t k = 0; !st && k < scene->emitter_count; k++)
        if (full[k]) tell(s, k, box[k]);
    if (!st && any) particles_keep(&s->particles, stays);
    mem_free(sim->ctx, full);
    mem_free(sim->ctx, box);
    mem_free(sim->ctx, stays);
    return st;
}
