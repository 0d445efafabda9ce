#include "fake.h"

#include <math.h>
#include <signal.h>
#include <unistd.h>

struct fake_fault fake_fault;

typedef struct fake {
    rill_sim sim;
    particles particles;
} fake;

static rill_status fake_check(rill_ctx *ctx, const rill_scene *scene)
{
    (void)ctx, (void)scene;
    return RILL_OK;
}

static void fake_destroy(rill_sim *sim)
{
    if (!sim) return;
    fake *f = (fake *)sim;
    rill_ctx *ctx = sim->ctx;
    particles_clear(ctx, &f->particles);
    sim_clear(sim);
    mem_free(ctx, f);
}

static rill_status fake_create(rill_ctx *ctx, const rill_scene *scene, rill_sim **out)
{
    fake *f;
    TRY(MEM_NEW_ZERO(ctx, f, 1));
    f->sim.ctx = ctx;
    rill_status st = sim_init(ctx, &fake_method, scene, &f->sim);
    if (!st) st = particles_add_column(ctx, &f->particles, "age");
    if (!st) st = sources_fill(ctx, &f->sim.sources, &f->sim.solids, &f->particles);
    if (st)
        fake_destroy(&f->sim);
    else
        *out = &f->sim;
    return st;
}

static double fake_max_dt(const rill_sim *sim)
{
    return 0.0123 / (1 + sim->time);
}

static void bounce(double *x, double *v, double min, double max)
{
    if (*x < min) *x = 2 * min - *x, *v = fabs(*v);
    if (*x > max) *x = 2 * max - *x, *v = -fabs(*v);
}

static void go_wrong(fake *f, double dt, rill_status *st)
{
    rill_sim *sim = &f->sim;
    if (!(sim->time >= fake_fault.fragile_from && sim->time < fake_fault.fragile_to &&
          dt > fake_fault.fragile_dt))
        return;
    const size_t last = f->particles.count - 1;
    if (fake_fault.way == 0) f->particles.position[last].y = NAN;
    if (fake_fault.way == 1) f->particles.velocity[last].x = 1e6;
    if (fake_fault.way == 2) *st = rill_fail(sim->ctx, RILL_BLEW_UP, "the fake says so");
    if (fake_fault.way == 3) f->particles.count--;
}

static rill_status fake_step(rill_sim *sim, double dt, rill_step_stats *stats)
{
    fake *f = (fake *)sim;
    particles *p = &f->particles;
    if (fake_fault.kill_at && sim->step + 1 == fake_fault.kill_at) raise(SIGKILL);
    if (fake_fault.cancel_at && sim->step + 1 == fake_fault.cancel_at) {
        rill_ctx_cancel(sim->ctx);
        for (int k = 0; fake_fault.until && k < 2000 && !atomic_load(fake_fault.until); k++) usleep(10000);
    }
    TRY(sources_apply(sim->ctx, &sim->sources, &sim->solids, sim->time, dt, p));
    const rill_box b = {sim->scene->domain.min, sim->scene->domain.max};
    stats->max_speed = 0;
    for (size_t i = 0; i < p->count; i++) {
        rill_vec3 *x = &p->position[i], *v = &p->velocity[i];
        *v = v3_madd(*v, dt, scene_gravity(sim->scene, sim->time));
        v->x += 0.3 * sin((double)p->id[i] + sim->time);
        *x = v3_madd(*x, dt, *v);
        bounce(&x->x, &v->x, b.min.x, b.max.x);
        bounce(&x->y, &v->y, b.min.y, b.max.y);
        bounce(&x->z, &v->z, b.min.z, b.max.z);
        p->column[0].value[i] += (float)dt;
        stats->max_speed = fmax(stats->max_speed, v3_length(*v));
    }
    for (uint32_t k = 0; k < sim->bodies.count; k++) { /* a fluid that carries half of every body */
        const double half = -0.5 * sim->bodies.world.body[k].mass * dt;
        bodies_push(&sim->bodies, k, v3_scale(scene_gravity(sim->scene, sim->time), half),
                    v3(0, 0, 1e-3 * half * sin(sim->time)), dt);
    }
    stats->elements = p->count;
    double since = 0;
    step_stats_stage(stats, "fly", &since);
    rill_status st = RILL_OK;
    go_wrong(f, dt, &st);
    return st;
}

static void fake_view(const rill_sim *sim, rill_view *out)
{
    out->particles = &((const fake *)sim)->particles;
}

static rill_status fake_save(const rill_sim *sim, rill_writer *w)
{
    TRY(particles_save(&((const fake *)sim)->particles, "fake", w));
    return sources_save(&sim->sources, w);
}

static rill_status fake_load(rill_sim *sim, rill_reader *r)
{
    TRY(particles_load(sim->ctx, &((fake *)sim)->particles, "fake", r));
    return sources_load(&sim->sources, r);
}

static const rill_param fake_params[] = {{0}};

const rill_method fake_method = {.name = "fake",
                                 .paper = "none",
                                 .can = CAN_FREE_SURFACE | CAN_TWO_DIMENSIONS,
                                 .params = fake_params,
                                 .def_size = 8,
                                 .has_particles = true,
                                 .check = fake_check,
                                 .create = fake_create,
                                 .max_dt = fake_max_dt,
                                 .step = fake_step,
                                 .view = fake_view,
                                 .save = fake_save,
                                 .load = fake_load,
                                 .destroy = fake_destroy};
