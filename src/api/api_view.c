/* Looking at a simulation: particles, tracers, cells, velocity and pressure at points, the surface. */
#include "api/api.h"
#include "flow/gauges.h"
#include "geom/mesh/trimesh.h"
#include "run/driver.h"

#include <string.h>

/* Nothing of no simulation, and nothing in the middle of a step. */
static rill_view view_of(const rill_sim *sim)
{
    rill_view view = {0};
    if (sim && sim->busy != SIM_STEPPING) sim_view(sim, &view);
    return view;
}

static const particles *particles_of(const rill_sim *sim)
{
    return view_of(sim).particles;
}

static rill_particles show_particles(const particles *p)
{
    if (!p) return (rill_particles){0};
    return (rill_particles){p->count, p->position, p->velocity, p->id, p->column_count};
}

void rill_sim_view(const rill_sim *sim, rill_particles *out)
{
    if (out) *out = show_particles(particles_of(sim));
}

void rill_sim_tracers(const rill_sim *sim, rill_particles *out)
{
    if (out) *out = show_particles(view_of(sim).tracers);
}

uint64_t rill_sim_elements(const rill_sim *sim)
{
    return view_of(sim).elements;
}

const float *rill_sim_column(const rill_sim *sim, const char *name)
{
    const particles *p = particles_of(sim);
    return p && name ? particles_column(p, name) : NULL;
}

const char *rill_sim_column_name(const rill_sim *sim, uint32_t index)
{
    const particles *p = particles_of(sim);
    return p && index < p->column_count ? p->column[index].name : NULL;
}

static const particles *tracers_of(const rill_sim *sim)
{
    return view_of(sim).tracers;
}

const float *rill_sim_tracer_column(const rill_sim *sim, const char *name)
{
    const particles *p = tracers_of(sim);
    return p && name ? particles_column(p, name) : NULL;
}

const char *rill_sim_tracer_column_name(const rill_sim *sim, uint32_t index)
{
    const particles *p = tracers_of(sim);
    return p && index < p->column_count ? p->column[index].name : NULL;
}

static const particles *whitewater_of(const rill_sim *sim)
{
    return view_of(sim).whitewater;
}

void rill_sim_whitewater(const rill_sim *sim, rill_particles *out)
{
    if (out) *out = show_particles(whitewater_of(sim));
}

const float *rill_sim_whitewater_column(const rill_sim *sim, const char *name)
{
    const particles *p = whitewater_of(sim);
    return p && name ? particles_column(p, name) : NULL;
}

const char *rill_sim_whitewater_column_name(const rill_sim *sim, uint32_t index)
{
    const particles *p = whitewater_of(sim);
    return p && index < p->column_count ? p->column[index].name : NULL;
}

/* ---- at points ---- */

static rill_status check_ask(const rill_sim *sim, const char *call, bool has, bool pointers)
{
    if (!has)
        return rill_fail(sim->ctx, RILL_USAGE, "%s: the method \"%s\" does not have it", call,
                         sim->method->name);
    if (!pointers) return rill_fail(sim->ctx, RILL_USAGE, "%s: the points or the output are NULL", call);
    if (sim->failed)
        return rill_fail(sim->ctx, RILL_USAGE,
                         "%s: a step of this simulation broke off; load a saved state or destroy it", call);
    return RILL_OK;
}

/* Outputs are untouched on failure: they are filled from here. */
static rill_status sample(const rill_sim *sim, size_t n, const rill_vec3 *point, size_t size, void *out,
                          rill_status (*ask)(const rill_sim *, size_t, const rill_vec3 *, void *))
{
    for (size_t i = 0; i < n; i++)
        if (!v3_finite(point[i]))
            return rill_fail(sim->ctx, RILL_USAGE, "point %zu is not a finite position", i);
    void *value = mem_alloc(sim->ctx, n, size);
    if (!value) return mem_failed(sim->ctx, n, size);
    const rill_status st = ask(sim, n, point, value);
    if (!st) memcpy(out, value, n * size);
    mem_free(sim->ctx, value);
    return st;
}

static rill_status ask_velocity(const rill_sim *sim, size_t n, const rill_vec3 *point, void *out)
{
    return sim->method->velocity(sim, n, point, out);
}

static rill_status ask_pressure(const rill_sim *sim, size_t n, const rill_vec3 *point, void *out)
{
    return sim->method->pressure(sim, n, point, out);
}

rill_status rill_sim_velocity(const rill_sim *sim, size_t n, const rill_vec3 *point, rill_vec3 *velocity)
{
    TRY(api_may_read(sim, "rill_sim_velocity"));
    TRY(check_ask(sim, "rill_sim_velocity", sim->method->velocity, n == 0 || (point && velocity)));
    return n ? sample(sim, n, point, sizeof *velocity, velocity, ask_velocity) : RILL_OK;
}

rill_status rill_sim_pressure(const rill_sim *sim, size_t n, const rill_vec3 *point, double *pressure)
{
    TRY(api_may_read(sim, "rill_sim_pressure"));
    TRY(check_ask(sim, "rill_sim_pressure", sim->method->pressure, n == 0 || (point && pressure)));
    return n ? sample(sim, n, point, sizeof *pressure, pressure, ask_pressure) : RILL_OK;
}

rill_status rill_sim_gauges(const rill_sim *sim, uint32_t count, double *value)
{
    TRY(api_may_read(sim, "rill_sim_gauges"));
    TRY(check_ask(sim, "rill_sim_gauges", true, count == 0 || value));
    if (count != gauges_columns(sim->scene))
        return rill_fail(sim->ctx, RILL_USAGE,
                         "rill_sim_gauges: room for %u values, the scene's gauges have %u", count,
                         gauges_columns(sim->scene));
    if (count == 0) return RILL_OK;
    double *read = NULL; /* outputs are untouched on failure */
    TRY(MEM_NEW(sim->ctx, read, count));
    const rill_status st = gauges_read(sim, read);
    if (!st) memcpy(value, read, count * sizeof *value);
    mem_free(sim->ctx, read);
    return st;
}

/* ---- cells ---- */

typedef struct api_cells {
    rill_cells cells; /* first: the host's pointer is to it */
    rill_ctx *ctx;
    particles inside; /* what `cells` points into */
    const char *name[PARTICLE_MAX_COLUMNS];
    const float *column[PARTICLE_MAX_COLUMNS];
} api_cells;

rill_status rill_sim_cells(const rill_sim *sim, rill_cells **out)
{
    TRY(api_may_read(sim, "rill_sim_cells"));
    TRY(check_ask(sim, "rill_sim_cells", sim->method->cells, out));
    api_cells *c;
    TRY(MEM_NEW_ZERO(sim->ctx, c, 1));
    c->ctx = sim->ctx;
    const rill_status st = sim->method->cells(sim, &c->inside);
    if (st) {
        rill_cells_destroy(&c->cells);
        return st;
    }
    const particles *p = &c->inside;
    for (uint32_t k = 0; k < p->column_count; k++) {
        c->name[k] = p->column[k].name;
        c->column[k] = p->column[k].value;
    }
    c->cells = (rill_cells){p->count, p->position, p->velocity, p->column_count, c->name, c->column};
    *out = &c->cells;
    return RILL_OK;
}

void rill_cells_destroy(rill_cells *cells)
{
    if (!cells) return;
    api_cells *c = (api_cells *)cells;
    particles_clear(c->ctx, &c->inside);
    mem_free(c->ctx, c);
}

/* ---- the surface ---- */

/* Every mesh that rill_sim_surface hands out is one of these, and its `owner` is itself. */
typedef struct api_mesh {
    rill_mesh mesh; /* first: the host's pointer is to it */
    rill_ctx *ctx;
    trimesh inside; /* what `mesh` points into */
    const char *name[TRIMESH_MAX_COLUMNS];
    const float *column[TRIMESH_MAX_COLUMNS];
    uint32_t width[TRIMESH_MAX_COLUMNS];
} api_mesh;

static rill_mesh mesh_of(api_mesh *a)
{
    const trimesh *t = &a->inside;
    rill_mesh m = {.vertex_count = t->vertex_count,
                   .triangle_count = t->triangle_count,
                   .position = t->position,
                   .normal = (const float(*)[3])t->normal,
                   .triangle = (const uint32_t(*)[3])t->triangle,
                   .column_count = t->column_count,
                   .column_name = a->name,
                   .column = a->column,
                   .column_width = a->width,
                   .owner = a};
    for (uint32_t c = 0; c < t->column_count; c++) {
        a->name[c] = t->column[c].name;
        a->column[c] = t->column[c].value;
        a->width[c] = (uint32_t)t->column[c].width;
        if (t->column[c].width == 3 && strcmp(t->column[c].name, "velocity") == 0)
            m.velocity = (const float(*)[3])(const void *)t->column[c].value;
    }
    return m;
}

rill_status rill_sim_surface(const rill_sim *sim, rill_mesh **out)
{
    TRY(api_may_read(sim, "rill_sim_surface"));
    rill_view view = {0};
    sim_view(sim, &view);
    TRY(check_ask(sim, "rill_sim_surface", method_has_surface(sim->method), out));
    api_mesh *m;
    TRY(MEM_NEW_ZERO(sim->ctx, m, 1));
    m->ctx = sim->ctx;
    const rill_status st = run_surface(sim, &view, &m->inside);
    if (st) {
        mem_free(sim->ctx, m);
        return st;
    }
    m->mesh = mesh_of(m);
    *out = &m->mesh;
    return RILL_OK;
}

void rill_mesh_destroy(rill_mesh *mesh)
{
    if (!mesh || mesh->owner != mesh) return; /* a view, a copy, or a mesh of the host's */
    api_mesh *m = (api_mesh *)mesh;
    rill_ctx *ctx = m->ctx;
    trimesh_clear(ctx, &m->inside);
    mem_free(ctx, m);
}
