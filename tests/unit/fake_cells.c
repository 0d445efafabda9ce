#include "fake_cells.h"
#include "fake.h"

#include "geom/mesh/trimesh.h"

#include <math.h>
#include <signal.h>

typedef struct slosh {
    rill_sim sim;
    double phase, blast; /* blast: added to the speed by a fault, m/s */
} slosh;

static const double rate = 5, amplitude = 0.1; /* rad/s; of the domain's height */

static const slosh *slosh_of(const rill_sim *sim)
{
    return (const slosh *)sim;
}

static bool is_gas(const rill_sim *sim)
{
    return sim->method == &breeze_method;
}

static double wave_number(const rill_sim *sim)
{
    return M_PI / (sim->scene->domain.max.x - sim->scene->domain.min.x);
}

double slosh_height(const rill_sim *sim, double x)
{
    const scene_domain *d = &sim->scene->domain;
    const double side = d->max.y - d->min.y;
    return side / 2 + amplitude * side * cos(wave_number(sim) * (x - d->min.x)) * cos(slosh_of(sim)->phase);
}

static bool in_fluid(const rill_sim *sim, rill_vec3 x)
{
    const scene_domain *d = &sim->scene->domain;
    return x.x >= d->min.x && x.x <= d->max.x && x.y >= d->min.y && x.z >= d->min.z && x.z <= d->max.z &&
           x.y <= (is_gas(sim) ? d->max.y : d->min.y + slosh_height(sim, x.x));
}

/* Without divergence: the surface goes up and down, and the liquid from side to side. */
static rill_vec3 velocity_at(const rill_sim *sim, rill_vec3 x)
{
    const scene_domain *d = &sim->scene->domain;
    if (!in_fluid(sim, x)) return v3(0, 0, 0);
    const double k = wave_number(sim), s = sin(slosh_of(sim)->phase), speed = 2 * amplitude * rate * s,
                 along = k * (x.x - d->min.x);
    return v3(speed / k * sin(along) + slosh_of(sim)->blast, -speed * (x.y - d->min.y) * cos(along), 0);
}

static void slosh_destroy(rill_sim *sim)
{
    if (!sim) return;
    rill_ctx *ctx = sim->ctx;
    sim_clear(sim);
    mem_free(ctx, sim);
}

static rill_status make(rill_ctx *ctx, const rill_scene *scene, const rill_method *method, rill_sim **out)
{
    slosh *s;
    TRY(MEM_NEW_ZERO(ctx, s, 1));
    const rill_status st = sim_init(ctx, method, scene, &s->sim);
    if (st)
        mem_free(ctx, s);
    else
        *out = &s->sim;
    return st;
}

static rill_status slosh_create(rill_ctx *ctx, const rill_scene *scene, rill_sim **out)
{
    return make(ctx, scene, &slosh_method, out);
}

static rill_status breeze_create(rill_ctx *ctx, const rill_scene *scene, rill_sim **out)
{
    return make(ctx, scene, &breeze_method, out);
}

static double slosh_max_dt(const rill_sim *sim)
{
    return 0.0123 / (1 + fabs(sim->time));
}

/* Columns of cells along an axis. */
static uint32_t cells_along(const rill_scene *scene, int axis)
{
    if (axis == 2 && scene->dimensions == 2) return 1;
    const double side = v3_axis(scene->domain.max, axis) - v3_axis(scene->domain.min, axis);
    return (uint32_t)fmax(round(side / scene->spacing), 1);
}

static double slosh_elements(const rill_scene *scene)
{
    return (double)cells_along(scene, 0) * cells_along(scene, 1) * cells_along(scene, 2);
}

static rill_vec3 cell_site(const rill_scene *scene, uint32_t i, uint32_t j, uint32_t k)
{
    const rill_vec3 x = v3_madd(scene->domain.min, scene->spacing, v3(i + 0.5, j + 0.5, k + 0.5));
    return scene->dimensions == 2 ? v3(x.x, x.y, 0) : x;
}

static rill_status slosh_pressure(const rill_sim *sim, size_t n, const rill_vec3 *x, double *p)
{
    const rill_scene *scene = sim->scene;
    for (size_t i = 0; i < n; i++)
        p[i] = in_fluid(sim, x[i]) && !is_gas(sim)
                   ? scene->fluid.density * scene_gravity_most(scene) *
                         (scene->domain.min.y + slosh_height(sim, x[i].x) - x[i].y)
                   : 0;
    return RILL_OK;
}

static rill_status slosh_velocity(const rill_sim *sim, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    for (size_t i = 0; i < n; i++) u[i] = velocity_at(sim, x[i]);
    return RILL_OK;
}

static rill_status slosh_cells(const rill_sim *sim, particles *out)
{
    const rill_scene *scene = sim->scene;
    TRY(particles_add_column(sim->ctx, out, "pressure"));
    for (uint32_t k = 0; k < cells_along(scene, 2); k++)
        for (uint32_t j = 0; j < cells_along(scene, 1); j++)
            for (uint32_t i = 0; i < cells_along(scene, 0); i++) {
                const rill_vec3 x = cell_site(scene, i, j, k), u = velocity_at(sim, x);
                double p = 0;
                if (!in_fluid(sim, x)) continue;
                TRY(slosh_pressure(sim, 1, &x, &p));
                TRY(particles_append(sim->ctx, out, 1, &x, &u));
                out->column[0].value[out->count - 1] = (float)p;
            }
    return RILL_OK;
}

static double slosh_max_speed(const rill_sim *sim, rill_vec3 *where)
{
    const rill_scene *scene = sim->scene;
    double most = isfinite(slosh_of(sim)->phase) ? 0 : INFINITY;
    for (uint32_t j = 0; j < cells_along(scene, 1); j++)
        for (uint32_t i = 0; i < cells_along(scene, 0); i++) {
            const rill_vec3 x = cell_site(scene, i, j, 0);
            const double speed = v3_length(velocity_at(sim, x));
            if (speed > most) most = speed, *where = x;
        }
    return most;
}

static void slosh_view(const rill_sim *sim, rill_view *out)
{
    const rill_scene *scene = sim->scene;
    for (uint32_t j = 0; j < cells_along(scene, 1); j++)
        for (uint32_t i = 0; i < cells_along(scene, 0); i++)
            out->elements += in_fluid(sim, cell_site(scene, i, j, 0));
    out->elements *= cells_along(scene, 2);
}

/* ---- the surface: a box with a wavy lid ---- */

typedef struct lid {
    const rill_sim *sim;
    uint32_t nx, nz; /* quads along each axis */
} lid;

static uint32_t lid_vertex(const lid *l, uint32_t i, uint32_t k, bool top)
{
    return (k * (l->nx + 1) + i) * 2 + top;
}

static void add_quad(trimesh *m, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const uint32_t t[2][3] = {{a, b, c}, {a, c, d}};
    for (int i = 0; i < 2; i++, m->triangle_count++)
        for (int j = 0; j < 3; j++) m->triangle[m->triangle_count][j] = t[i][j];
}

static void lid_quads(const lid *l, trimesh *m)
{
    const uint32_t nx = l->nx, nz = l->nz;
#define TOP(i, k)    lid_vertex(l, i, k, true)
#define BOTTOM(i, k) lid_vertex(l, i, k, false)
    for (uint32_t k = 0; k < nz; k++)
        for (uint32_t i = 0; i < nx; i++) {
            add_quad(m, TOP(i, k), TOP(i, k + 1), TOP(i + 1, k + 1), TOP(i + 1, k));
            add_quad(m, BOTTOM(i, k), BOTTOM(i + 1, k), BOTTOM(i + 1, k + 1), BOTTOM(i, k + 1));
        }
    for (uint32_t i = 0; i < nx; i++) {
        add_quad(m, BOTTOM(i, 0), TOP(i, 0), TOP(i + 1, 0), BOTTOM(i + 1, 0));
        add_quad(m, BOTTOM(i + 1, nz), TOP(i + 1, nz), TOP(i, nz), BOTTOM(i, nz));
    }
    for (uint32_t k = 0; k < nz; k++) {
        add_quad(m, BOTTOM(0, k + 1), TOP(0, k + 1), TOP(0, k), BOTTOM(0, k));
        add_quad(m, BOTTOM(nx, k), TOP(nx, k), TOP(nx, k + 1), BOTTOM(nx, k + 1));
    }
#undef TOP
#undef BOTTOM
}

static rill_status slosh_surface(const rill_sim *sim, struct trimesh *out)
{
    const scene_domain *d = &sim->scene->domain;
    const lid l = {sim, 2 * cells_along(sim->scene, 0), 2 * cells_along(sim->scene, 2)};
    const rill_vec3 size = v3_sub(d->max, d->min);
    trimesh m = {.vertex_count = 2 * (size_t)(l.nx + 1) * (l.nz + 1)};
    rill_status st = MEM_NEW(sim->ctx, m.position, m.vertex_count);
    if (!st) st = MEM_NEW(sim->ctx, m.triangle, 4 * (size_t)(l.nx * l.nz + l.nx + l.nz));
    if (!st) {
        for (uint32_t k = 0; k <= l.nz; k++)
            for (uint32_t i = 0; i <= l.nx; i++) {
                const double x = d->min.x + size.x * i / l.nx, z = d->min.z + size.z * k / l.nz;
                m.position[lid_vertex(&l, i, k, false)] = v3(x, d->min.y, z);
                m.position[lid_vertex(&l, i, k, true)] = v3(x, d->min.y + slosh_height(sim, x), z);
            }
        lid_quads(&l, &m);
        *out = trimesh_take(&m);
    }
    trimesh_clear(sim->ctx, &m);
    return st;
}

/* ---- time ---- */

static rill_status slosh_step(rill_sim *sim, double dt, rill_step_stats *stats)
{
    slosh *s = (slosh *)sim;
    const struct fake_fault *f = &fake_fault;
    if (f->kill_at && sim->step + 1 == f->kill_at) raise(SIGKILL);
    if (f->cancel_at && sim->step + 1 == f->cancel_at) rill_ctx_cancel(sim->ctx);
    s->phase += rate * dt;
    rill_vec3 where;
    rill_view view = {0};
    slosh_view(sim, &view);
    stats->elements = view.elements;
    stats->max_speed = slosh_max_speed(sim, &where);
    double since = 0;
    step_stats_stage(stats, "sway", &since);
    if (!(sim->time >= f->fragile_from && sim->time < f->fragile_to && dt > f->fragile_dt)) return RILL_OK;
    if (f->way == 0) s->phase = NAN;
    if (f->way == 1) s->blast = 1e6;
    return f->way == 2 ? rill_fail(sim->ctx, RILL_BLEW_UP, "the fake says so") : RILL_OK;
}

static rill_status slosh_save(const rill_sim *sim, rill_writer *w)
{
    return save_chunk(w, "phase", SAVE_F64, 1, &slosh_of(sim)->phase);
}

static rill_status slosh_load(rill_sim *sim, rill_reader *r)
{
    slosh *s = (slosh *)sim;
    TRY(load_chunk(r, "phase", SAVE_F64, 1, &s->phase));
    s->blast = 0;
    return RILL_OK;
}

static const rill_param no_params[] = {{0}};

const rill_method slosh_method = {.name = "slosh",
                                  .paper = "none",
                                  .can = CAN_FREE_SURFACE | CAN_TWO_DIMENSIONS,
                                  .params = no_params,
                                  .def_size = 8,
                                  .create = slosh_create,
                                  .max_dt = slosh_max_dt,
                                  .step = slosh_step,
                                  .view = slosh_view,
                                  .surface = slosh_surface,
                                  .cells = slosh_cells,
                                  .cell_shape = VIEW_CUBES,
                                  .max_speed = slosh_max_speed,
                                  .velocity = slosh_velocity,
                                  .pressure = slosh_pressure,
                                  .save = slosh_save,
                                  .load = slosh_load,
                                  .destroy = slosh_destroy,
                                  .elements = slosh_elements};

const rill_method breeze_method = {.name = "breeze",
                                   .paper = "none",
                                   .can = CAN_TWO_DIMENSIONS | CAN_SMOKE,
                                   .params = no_params,
                                   .def_size = 8,
                                   .create = breeze_create,
                                   .max_dt = slosh_max_dt,
                                   .step = slosh_step,
                                   .view = slosh_view,
                                   .cells = slosh_cells,
                                   .cell_shape = VIEW_CUBES,
                                   .max_speed = slosh_max_speed,
                                   .velocity = slosh_velocity,
                                   .pressure = slosh_pressure,
                                   .save = slosh_save,
                                   .load = slosh_load,
                                   .destroy = slosh_destroy,
                                   .elements = slosh_elements};
