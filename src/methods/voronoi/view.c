#include "voronoi/view.h"

#include "base/parallel.h"
#include "voronoi/fit.h"
#include "voronoi/state.h"

void brochu_view(const rill_sim *sim, rill_view *out)
{
    const brochu *s = brochu_view_of(sim);
    out->elements = s->diagram[s->now].sites.real;
}

double brochu_max_speed(const rill_sim *sim, rill_vec3 *where)
{
    const brochu *s = brochu_view_of(sim);
    const brochu_diagram *d = &s->diagram[s->now];
    const trimesh m = tracker_view(s->tracker);
    double most = 0;
    for (uint32_t i = 0; i < d->sites.real; i++) {
        const double u2 = v3_dot(d->field.site[i], d->field.site[i]);
        if (u2 <= most) continue;
        most = u2;
        *where = d->sites.x[i];
        if (!isfinite(most)) return most;
    }
    for (size_t v = 0; v < m.vertex_count; v++)
        if (!v3_finite(m.position[v])) {
            *where = m.position[v];
            return NAN;
        }
    return sqrt(most);
}

/* ---- the surface, with normals and velocities ---- */

/* Weighted by angle, so that edges of the box look straight whatever the triangles are. */
static void add_normals(const trimesh *m, rill_vec3 *normal)
{
    for (size_t v = 0; v < m->vertex_count; v++) normal[v] = v3(0, 0, 0);
    for (size_t t = 0; t < m->triangle_count; t++) {
        const uint32_t *v = m->triangle[t];
        const rill_vec3 n = v3_unit(v3_cross(v3_sub(m->position[v[1]], m->position[v[0]]),
                                             v3_sub(m->position[v[2]], m->position[v[0]])));
        for (int i = 0; i < 3; i++) {
            const rill_vec3 x = m->position[v[i]], p = v3_sub(m->position[v[(i + 1) % 3]], x),
                            q = v3_sub(m->position[v[(i + 2) % 3]], x);
            const double angle = atan2(v3_length(v3_cross(p, q)), v3_dot(p, q));
            normal[v[i]] = v3_madd(normal[v[i]], angle, n);
        }
    }
}

static rill_status fill_surface(const brochu *s, trimesh *m)
{
    rill_ctx *ctx = s->sim.ctx;
    const trimesh from = tracker_view(s->tracker);
    const size_t n = from.vertex_count;
    rill_vec3 *normal = NULL;
    TRY(MEM_NEW(ctx, m->position, n));
    TRY(MEM_NEW(ctx, m->triangle, from.triangle_count));
    TRY(MEM_NEW(ctx, m->normal, n));
    m->column[0] = (trimesh_column){.name = "velocity", .width = 3};
    TRY(MEM_NEW(ctx, m->column[0].value, 3 * n));
    m->column_count = 1;
    TRY(MEM_NEW(ctx, normal, n));
    m->vertex_count = n;
    m->triangle_count = from.triangle_count;
    add_normals(&from, normal);
    for (size_t t = 0; t < m->triangle_count; t++)
        for (int i = 0; i < 3; i++) m->triangle[t][i] = from.triangle[t][i];
    for (size_t v = 0; v < n; v++) {
        uint32_t hint = SITE_NONE;
        const rill_vec3 u = brochu_look(s, &s->diagram[s->now], from.position[v], &hint),
                        d = v3_unit(normal[v]);
        m->position[v] = from.position[v];
        if (s->flat) m->position[v].z *= s->h / box_size(s->box).z; /* as thick as a cell, as of others */
        for (int k = 0; k < 3; k++) {
            m->normal[v][k] = (float)v3_axis(d, k);
            m->column[0].value[3 * v + (size_t)k] = (float)v3_axis(u, k);
        }
    }
    mem_free(ctx, normal);
    return RILL_OK;
}

rill_status brochu_surface_copy(const rill_sim *sim, struct trimesh *out)
{
    trimesh m = {0};
    const rill_status st = fill_surface(brochu_view_of(sim), &m);
    if (!st) *out = trimesh_take(&m);
    trimesh_clear(sim->ctx, &m);
    return st;
}

/* ---- cells ---- */

/* Of a slab the cells around its middle. */
static bool shown(const brochu *s, rill_box domain, rill_vec3 x)
{
    if (!s->flat) return box_contains(domain, x);
    return fabs(x.z) < 0.6 * s->h && x.x >= domain.min.x && x.x <= domain.max.x && x.y >= domain.min.y &&
           x.y <= domain.max.y;
}

/* Linear from the nearest liquid site, with the slope that its neighbours show; 0 outside of the liquid. */
static double pressure_at(const brochu *s, rill_vec3 x)
{
    const brochu_diagram *d = &s->diagram[s->now];
    if (!d->sites.real || !s->surface.distance) return 0;
    uint32_t at = brochu_nearest(s, d, brochu_clamp(s, x), SITE_NONE), best = SITE_NONE;
    const bool own = d->sites.liquid[at] && v3_distance(x, d->sites.x[at]) < 1e-9 * s->h;
    if (!own && mesh_distance_exact(s->surface.distance, x, NULL) > 1e-3 * s->h) return 0;
    double least = INFINITY;
    for (uint32_t k = d->first[at]; k < d->first[at + 1] && !d->sites.liquid[at]; k++) {
        const uint32_t *v = d->faces.site[d->link[k]], b = v[0] == at ? v[1] : v[0];
        if (!site_real(d, b) || !d->sites.liquid[b] || !(v3_distance(x, d->sites.x[b]) < least)) continue;
        least = v3_distance(x, d->sites.x[b]);
        best = b;
    }
    if (!d->sites.liquid[at]) at = best;
    if (at == SITE_NONE) return 0;
    brochu_rows r = {0};
    for (uint32_t k = d->first[at]; k < d->first[at + 1]; k++) {
        const uint32_t *v = d->faces.site[d->link[k]], b = v[0] == at ? v[1] : v[0];
        if (!site_real(d, b) || !d->sites.liquid[b] || !d->faces.valid[d->link[k]]) continue;
        const rill_vec3 way = v3_sub(d->sites.x[b], d->sites.x[at]);
        rows_add(&r, way, d->faces.area[d->link[k]] / v3_dot(way, way), d->pressure[b] - d->pressure[at]);
    }
    const rill_vec3 weight = v3_scale(scene_gravity(s->sim.scene, s->sim.time), s->sim.scene->fluid.density);
    rows_toward(&r, 1e-6 * rows_mean(&r) + 1e-300, weight); /* thin parts: as at rest */
    rill_vec3 slope;
    if (!rows_solve(&r, r.right, &slope)) slope = weight;
    return d->pressure[at] + v3_dot(slope, v3_sub(x, d->sites.x[at]));
}

rill_status brochu_cells(const rill_sim *sim, particles *out)
{
    const brochu *s = brochu_view_of(sim);
    const brochu_diagram *d = &s->diagram[s->now];
    /* samples of air go on beyond an open top: those in the domain are its cells */
    const rill_box domain = {sim->scene->domain.min, sim->scene->domain.max};
    for (uint32_t i = 0; i < d->sites.real; i++) {
        rill_vec3 x = d->sites.x[i];
        if (!shown(s, domain, x)) continue;
        if (s->flat) x.z = 0;
        TRY(particles_append(sim->ctx, out, 1, &x, &d->field.site[i]));
    }
    TRY(particles_add_column(sim->ctx, out, "pressure"));
    TRY(particles_add_column(sim->ctx, out, "level"));
    float *pressure = particles_column(out, "pressure"), *level = particles_column(out, "level");
    for (uint32_t i = 0, n = 0; i < d->sites.real; i++) {
        rill_vec3 x = d->sites.x[i];
        if (!shown(s, domain, x)) continue;
        if (s->flat) x.z = 0; /* cells are seen in the middle of the slab */
        pressure[n] = (float)(s->flat ? pressure_at(s, x) : d->pressure[i]);
        level[n] = s->surface.distance ? (float)fabs(mesh_distance_exact(s->surface.distance, x, NULL)) : 0;
        if (d->sites.liquid[i]) level[n] = -fmaxf(level[n], 1e-30f);
        n++;
    }
    return RILL_OK;
}

/* ---- values at points ---- */

typedef struct {
    const brochu *s;
    const rill_vec3 *x;
    rill_vec3 *u;
    double *p;
} job;

static void point_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    for (size_t i = begin; i < end; i++) {
        uint32_t hint = SITE_NONE;
        if (j->u) j->u[i] = brochu_look(j->s, &j->s->diagram[j->s->now], j->x[i], &hint);
        if (j->u && j->s->flat) j->u[i].z = 0;
        if (j->p) j->p[i] = pressure_at(j->s, j->x[i]);
    }
}

static rill_status ask(const rill_sim *sim, size_t n, const rill_vec3 *x, rill_vec3 *u, double *p)
{
    for (size_t i = 0; i < n; i++)
        if (!v3_finite(x[i])) return rill_fail(sim->ctx, RILL_USAGE, "point %zu is not a finite position", i);
    job j = {brochu_view_of(sim), x, u, p};
    parallel_for(sim->ctx, n, 64, point_block, &j);
    return RILL_OK;
}

rill_status brochu_velocity(const rill_sim *sim, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    return ask(sim, n, x, u, NULL);
}

rill_status brochu_pressure(const rill_sim *sim, size_t n, const rill_vec3 *x, double *p)
{
    return ask(sim, n, x, NULL, p);
}
