/* How much flows through a disc; in two dimensions through a line. */
#include "flow/gauge_parts.h"

#include "base/parallel.h"

/* ---- by particles: what those near the disc carry across it ----
 *
 * A particle counts by the share of its volume at the disc, a hat function as wide as two of its spacings: on
 * a lattice these shares add up to one wherever the disc is. */

typedef struct slab {
    const particles *p;
    const float *spacing; /* per particle; NULL: `usual` */
    double usual;
    int dimensions;
    const gauge_disc *disc;
} slab;

static rill_vec3 disc_velocity(const gauge_disc *d, rill_vec3 x)
{
    return v3_add(d->velocity, v3_cross(d->spin, v3_sub(x, d->center)));
}

static double carried(void *arg, size_t begin, size_t end)
{
    const slab *s = arg;
    const gauge_disc *d = s->disc;
    double sum = 0;
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 r = v3_sub(s->p->position[i], d->center);
        const double across = v3_dot(r, d->normal), h = s->spacing ? s->spacing[i] : s->usual;
        if (!(fabs(across) < h) || v3_dot(r, r) - across * across > d->radius * d->radius) continue;
        const double area = (s->dimensions == 2 ? h : h * h) * (1 - fabs(across) / h);
        const rill_vec3 u = v3_sub(s->p->velocity[i], disc_velocity(d, s->p->position[i]));
        sum += area * v3_dot(u, d->normal);
    }
    return sum;
}

/* ---- by the velocity at places of the disc ---- */

enum { RINGS_MOST = 32, PLACES_MOST = 4 * RINGS_MOST * RINGS_MOST };

/* Equal areas: rings with 4 (2 k + 1) places each; in two dimensions a row. */
static size_t disc_places(const rill_scene *scene, const gauge_disc *d, rill_vec3 *x)
{
    double wanted = ceil(2 * d->radius / scene->spacing);
    const int rings = (int)fmin(fmax(wanted, 3), RINGS_MOST);
    size_t n = 0;
    if (scene->dimensions == 2) {
        const rill_vec3 along = {-d->normal.y, d->normal.x, 0};
        for (int k = 0; k < 4 * rings; k++)
            x[n++] = v3_madd(d->center, d->radius * ((k + 0.5) / (2 * rings) - 1), along);
        return n;
    }
    const rill_vec3 other = fabs(d->normal.x) < 0.7 ? v3(1, 0, 0) : v3(0, 1, 0);
    const rill_vec3 u = v3_unit(v3_cross(d->normal, other)), v = v3_cross(d->normal, u);
    for (int k = 0; k < rings; k++)
        for (int j = 0; j < 4 * (2 * k + 1); j++) {
            const double angle = 2 * 3.14159265358979323846 * (j + 0.5) / (4 * (2 * k + 1));
            const double r = d->radius * (k + 0.5) / rings;
            x[n++] = v3_madd(v3_madd(d->center, r * cos(angle), u), r * sin(angle), v);
        }
    return n;
}

/* Whether x is inside a closed surface: how often a line straight up crosses it. */
static bool is_within(const trimesh *m, rill_vec3 x, const uint32_t *triangle, size_t count)
{
    bool within = false;
    for (size_t i = 0; i < count; i++) {
        const uint32_t *t = m->triangle[triangle[i]];
        const rill_vec3 p = m->position[t[0]], q = m->position[t[1]], r = m->position[t[2]];
        const double u = (q.z - x.z) * (r.x - x.x) - (q.x - x.x) * (r.z - x.z),
                     v = (r.z - x.z) * (p.x - x.x) - (r.x - x.x) * (p.z - x.z),
                     w = (p.z - x.z) * (q.x - x.x) - (p.x - x.x) * (q.z - x.z), sum = u + v + w;
        if (!((u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0))) continue;
        within ^= (u * p.y + v * q.y + w * r.y) / sum > x.y;
    }
    return within;
}

/* Triangles that are above or below the disc. */
static rill_status columns_of(rill_ctx *ctx, const trimesh *m, const gauge_disc *d, uint32_t **out,
                              size_t *count)
{
    uint32_t *kept;
    TRY(MEM_NEW(ctx, kept, m->triangle_count));
    size_t n = 0;
    for (size_t i = 0; i < m->triangle_count; i++) {
        rill_box b = box_empty();
        for (int k = 0; k < 3; k++) b = box_with(b, m->position[m->triangle[i][k]]);
        if (b.max.x < d->center.x - d->radius || b.min.x > d->center.x + d->radius ||
            b.max.z < d->center.z - d->radius || b.min.z > d->center.z + d->radius)
            continue;
        kept[n++] = (uint32_t)i;
    }
    *out = kept;
    *count = n;
    return RILL_OK;
}

/* Places in the fluid come first; returns how many. Places are moved by a ten thousandth of a spacing, so
 * that lines up do not run along edges of a mesh. */
static size_t keep_wet(const rill_sim *sim, const trimesh *surface, const uint32_t *triangle,
                       size_t triangles, rill_vec3 *x, size_t n)
{
    const double nudge = 1e-4 * sim->scene->spacing;
    size_t wet = 0;
    for (size_t i = 0; i < n; i++) {
        const rill_vec3 y = v3_add(x[i], v3(0.57 * nudge, 0, 0.31 * nudge));
        if (solids_distance(&sim->solids, x[i], sim->time, NULL) < 0) continue;
        if (surface && !is_within(surface, y, triangle, triangles)) continue;
        x[wet++] = x[i];
    }
    return wet;
}

static rill_status by_velocity(const rill_sim *sim, const gauge_disc *d, const trimesh *surface, double *out)
{
    rill_vec3 *x = NULL, *u = NULL;
    uint32_t *triangle = NULL;
    size_t triangles = 0;
    double sum = 0;
    rill_status st = MEM_NEW(sim->ctx, x, PLACES_MOST);
    if (!st) st = MEM_NEW(sim->ctx, u, PLACES_MOST);
    if (!st && surface) st = columns_of(sim->ctx, surface, d, &triangle, &triangles);
    if (!st) {
        const size_t all = disc_places(sim->scene, d, x),
                     n = keep_wet(sim, surface, triangle, triangles, x, all);
        const double area =
            sim->scene->dimensions == 2 ? 2 * d->radius : 3.14159265358979323846 * d->radius * d->radius;
        st = sim->method->velocity(sim, n, x, u);
        for (size_t i = 0; !st && i < n; i++) sum += v3_dot(v3_sub(u[i], disc_velocity(d, x[i])), d->normal);
        if (!st) *out = sum * area / (double)all;
    }
    mem_free(sim->ctx, x);
    mem_free(sim->ctx, u);
    mem_free(sim->ctx, triangle);
    return st;
}

rill_status gauge_flow(const rill_sim *sim, const gauge_disc *disc, const trimesh *surface, double *out)
{
    rill_view view = {0};
    sim_view(sim, &view);
    if (surface || sim->scene->fill || !view.particles) return by_velocity(sim, disc, surface, out);
    slab s = {.p = view.particles,
              .spacing = particles_column(view.particles, "spacing"),
              .usual = scene_particle_spacing(sim->scene),
              .dimensions = sim->scene->dimensions,
              .disc = disc};
    *out = parallel_sum(sim->ctx, view.particles->count, carried, &s);
    return RILL_OK;
}
