/* White water as a whole: its step, its state, and the liquid it is given. */
#include "whitewater/whitewater.h"

/* ---- the liquid ---- */

bool whitewater_of_cells(const rill_scene *scene)
{
    const rill_method *m = scene->method;
    return m->in_particles ? !m->in_particles(scene) : !m->has_particles;
}

liquid_samples whitewater_samples_of(const rill_scene *scene, const particles *p, bool cells)
{
    return (liquid_samples){.count = p->count,
                            .position = p->position,
                            .velocity = p->velocity,
                            .id = p->id,
                            .size = cells ? NULL : particles_column(p, "spacing"),
                            .level = cells ? particles_column(p, "level") : NULL,
                            .spacing = cells ? scene->spacing : scene_particle_spacing(scene),
                            .dimensions = scene->dimensions};
}

rill_status whitewater_samples(const rill_sim *sim, particles *cells, liquid_samples *out)
{
    const bool of_cells = whitewater_of_cells(sim->scene);
    rill_view view = {0};
    sim_view(sim, &view);
    if (of_cells && sim->method->cells) TRY(sim->method->cells(sim, cells));
    *out = whitewater_samples_of(sim->scene, of_cells || !view.particles ? cells : view.particles, of_cells);
    return RILL_OK;
}

/* ---- state ---- */

static rill_status save(const sim_rider *rider, rill_writer *to)
{
    const whitewater *w = (const whitewater *)rider;
    const uint64_t counts[5] = {w->steps, w->made, w->ended, w->drained, w->left};
    TRY(save_chunk(to, "whitewater.counts", SAVE_U64, 5, counts));
    TRY(save_chunk(to, "whitewater.time", SAVE_F64, 1, &w->time));
    return particles_save(&w->dots, "whitewater", to);
}

static bool sound(const whitewater *w, size_t i)
{
    const scene_domain *d = &w->scene->domain;
    const rill_vec3 x = w->dots.position[i];
    const float kind = w->dots.column[WHITEWATER_TYPE].value[i],
                life = w->dots.column[WHITEWATER_LIFE].value[i];
    for (int a = 0; a < w->scene->dimensions; a++)
        if (!(v3_axis(x, a) > v3_axis(d->min, a) - w->scene->spacing &&
              v3_axis(x, a) < v3_axis(d->max, a) + w->scene->spacing))
            return false;
    return v3_finite(x) && v3_finite(w->dots.velocity[i]) && kind >= 0 && kind < WATER_KINDS && life > 0;
}

static rill_status load(rill_ctx *ctx, sim_rider *rider, rill_reader *from)
{
    whitewater *w = (whitewater *)rider;
    uint64_t counts[5];
    double time;
    TRY(load_chunk(from, "whitewater.counts", SAVE_U64, 5, counts));
    TRY(load_chunk(from, "whitewater.time", SAVE_F64, 1, &time));
    TRY(particles_load(ctx, &w->dots, "whitewater", from));
    for (size_t i = 0; i < w->dots.count; i++)
        if (!sound(w, i))
            return rill_fail(ctx, RILL_BAD_FILE,
                             "saved state: particle %zu of the white water is not one of this scene; it is "
                             "damaged",
                             i);
    if (!isfinite(time)) return rill_fail(ctx, RILL_BAD_FILE, "saved state: white water of no time");
    w->time = time;
    w->steps = counts[0], w->made = counts[1], w->ended = counts[2];
    w->drained = counts[3], w->left = counts[4];
    return RILL_OK;
}

static void destroy(rill_ctx *ctx, sim_rider *rider)
{
    whitewater_destroy(ctx, (whitewater *)rider);
}

void whitewater_destroy(rill_ctx *ctx, whitewater *w)
{
    if (!w) return;
    particles_clear(ctx, &w->dots);
    arena_clear(&w->scratch);
    mem_free(ctx, w);
}

rill_status whitewater_create(rill_ctx *ctx, const rill_scene *scene, double time, whitewater **out)
{
    static const char *const column[WHITEWATER_COLUMNS] = {"type", "life"};
    whitewater *w = NULL;
    TRY(MEM_NEW_ZERO(ctx, w, 1));
    w->scene = scene;
    w->time = time;
    w->rider = (sim_rider){.dots = &w->dots, .save = save, .load = load, .destroy = destroy};
    arena_init(&w->scratch, ctx);
    rill_status st = RILL_OK;
    for (int c = 0; c < WHITEWATER_COLUMNS && !st; c++) st = particles_add_column(ctx, &w->dots, column[c]);
    if (st)
        whitewater_destroy(ctx, w);
    else
        *out = w;
    return st;
}

/* ---- a step ---- */

static void remove_ended(whitewater *w, uint8_t *fate)
{
    uint64_t number[FATES] = {0};
    for (size_t i = 0; i < w->dots.count; i++) {
        number[fate[i]]++;
        fate[i] = fate[i] == FATE_STAYS;
    }
    w->ended += number[FATE_ENDED];
    w->drained += number[FATE_DRAINED];
    w->left += number[FATE_LEFT];
    if (number[FATE_STAYS] < w->dots.count) particles_keep(&w->dots, fate);
}

rill_status whitewater_step(rill_ctx *ctx, whitewater *w, const liquid_samples *liquid, const solids *walls,
                            double dt)
{
    sample_cells cells = {0};
    drift way;
    size_t first_new = 0;
    uint8_t *fate = NULL;
    arena_reset(&w->scratch);
    rill_status st = drift_init(&w->scratch, w->scene, walls, w->time, dt, &way);
    if (!st) st = sample_cells_build(ctx, &w->scratch, liquid, w->scene->domain.min, &cells);
    if (!st) st = whitewater_spawn(ctx, w, &cells, &way, &first_new);
    if (!st) st = ARENA_NEW(&w->scratch, fate, w->dots.count);
    if (!st) st = whitewater_carry(ctx, w, &cells, &way, first_new, fate);
    if (!st) {
        remove_ended(w, fate);
        w->time += dt;
        w->steps++;
    }
    sample_cells_clear(ctx, &cells);
    return st;
}

static double fastest(void *arg, size_t begin, size_t end)
{
    const liquid_samples *liquid = arg;
    double most = 0;
    for (size_t i = begin; i < end; i++) most = fmax(most, v3_dot(liquid->velocity[i], liquid->velocity[i]));
    return most;
}

rill_status whitewater_follow(rill_sim *sim, bool now)
{
    whitewater *w = (whitewater *)sim->whitewater;
    const double dt = sim->time - w->time;
    particles cells = {0};
    liquid_samples liquid;
    if (!(dt > 0)) return RILL_OK;
    /* Solids that move are followed through their own steps. */
    if (!now && !sim->solids.moving) {
        const rill_method *m = sim->method;
        rill_view view = {0};
        rill_vec3 where;
        double speed2 = INFINITY;
        sim_view(sim, &view);
        if (view.particles) {
            liquid = whitewater_samples_of(sim->scene, view.particles, false);
            speed2 = parallel_max(sim->ctx, liquid.count, fastest, &liquid);
        } else if (m->max_speed) {
            speed2 = m->max_speed(sim, &where);
            speed2 *= speed2;
        }
        const double way = scene_particle_spacing(sim->scene) / dt;
        if (speed2 < way * way) return RILL_OK;
    }
    rill_status st = whitewater_samples(sim, &cells, &liquid);
    if (!st) st = whitewater_step(sim->ctx, w, &liquid, &sim->solids, dt);
    if (!st) w->time = sim->time;
    particles_clear(sim->ctx, &cells);
    return st;
}
