/* surface-popping: how far the default surface jumps when particles are replaced in an instant.
 *
 * A drop falls into a pool of particles of several sizes. Every few steps the surface is made before and
 * after a resampling, in which no time passes: what differs is popping. And from a block at rest one particle
 * of the uppermost layer is taken away, as a drain does. Distances are from each vertex of the later surface
 * to the earlier one, in the finest spacings. */
#include "geom/mesh/rays.h"
#include "surface/surface.h"
#include "verify/sph_cases.h"

#include "sph/resample/resample.h"

#include <math.h>

static rill_status distances(rill_ctx *ctx, const trimesh *before, const trimesh *after, double spacing,
                             double *most, double *mean)
{
    rays *e = NULL;
    const rays_def def = {.mesh = before, .closest = true};
    double sum = 0, far = 0;
    TRY(rays_create(ctx, &def, &e));
    for (size_t i = 0; i < after->vertex_count; i++) {
        rays_near near;
        const bool there = rays_closest(e, after->position[i], 100 * spacing, RAYS_NO_HINT, &near);
        const double d = there ? near.distance / spacing : 100;
        far = fmax(far, d);
        sum += d * d;
    }
    rays_destroy(ctx, e);
    *most = far;
    *mean = after->vertex_count ? sqrt(sum / (double)after->vertex_count) : 0;
    return RILL_OK;
}

static rill_status surface_now(const rill_sim *sim, trimesh *out)
{
    surface_def def = surface_def_of_scene(sim->scene);
    def.walls = &sim->solids;
    def.time = sim->time;
    return surface_from_particles(sim->ctx, verify_particles(sim), &def, out);
}

typedef struct {
    double most, mean, replaced, volume; /* the worst of all resamplings; particles that were replaced, all */
} popping;

/* The surface on both sides of one resampling. */
static rill_status resample_once(verify *v, rill_sim *sim, popping *p)
{
    sph *s = sph_of(sim);
    trimesh before = {0}, after = {0};
    trimesh_report a = {0}, b = {0};
    double most = 0, mean = 0;
    TRY(sized_sort(s));
    const uint64_t born = s->particles.next_id;
    rill_status st = surface_now(sim, &before);
    if (!st) st = resample(s, NULL);
    if (!st) st = surface_now(sim, &after);
    if (!st) st = distances(v->ctx, &before, &after, sim->scene->spacing, &most, &mean);
    if (!st) st = trimesh_check(v->ctx, &before, &a);
    if (!st) st = trimesh_check(v->ctx, &after, &b);
    p->replaced += (double)(s->particles.next_id - born);
    p->most = fmax(p->most, most);
    p->mean = fmax(p->mean, mean);
    if (!st) p->volume = fmax(p->volume, fabs(b.volume / a.volume - 1));
    trimesh_clear(v->ctx, &before);
    trimesh_clear(v->ctx, &after);
    return st;
}

static rill_status resampled(verify *v)
{
    const double spacing = v->full ? 0.025 : 0.04;
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    scene_liquid *drop;
    popping p = {0};
    rill_status st = verify_scene(v, 3, (rill_box){v3(0, 0, 0), v3(1, 1, 1)}, spacing, &scene);
    if (!st) st = verify_add_box(v, &scene, (rill_box){v3(0, 0, 0), v3(1, 0.4, 1)}, (velocity_field){0});
    if (!st) st = scene_add_liquid(v->ctx, &scene, &drop);
    if (!st) {
        drop->shape = (shape){.kind = SHAPE_SPHERE, .sphere = {{0.5, 0.62, 0.5}, 0.18}};
        drop->velocity.value = v3(0, -3, 0);
        variant_choose(&scene, BY_LEVELS);
        st = verify_create(v, &scene, &sim);
    }
    for (int k = 1; k <= 8 && !st; k++) {
        st = verify_run(sim, 0.02 * k, NULL, NULL);
        if (!st) st = resample_once(v, sim, &p);
    }
    if (!st) {
        verify_figure(v, "particles that replaced others", p.replaced, AT_LEAST, 50);
        /* 0.246 while feature sizes were up to a kernel radius too small: larger particles pop more */
        verify_figure(v, "a resampling moves the surface by at most, spacings", p.most, WANTED, 0.25);
        verify_figure(v, "the same, guarded", p.most, AT_MOST, 0.4);
        verify_figure(v, "the same, rms", p.mean, AT_MOST, 0.05);
        verify_figure(v, "its volume by at most", p.volume, AT_MOST, 0.005);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

/* One particle of the top of a block of 16 x 6 x 16, in its middle. */
static rill_status one_leaves(verify *v)
{
    enum { SIDE = 16, HIGH = 6 };
    const surface_def def = surface_def_default();
    particles p = {0};
    trimesh mesh[2] = {{0}, {0}};
    double most = 0, mean = 0;
    rill_status st = RILL_OK;
    for (int i = 0; i < SIDE * SIDE * HIGH && !st; i++) {
        const rill_vec3 x = v3(i % SIDE, i / SIDE % HIGH, i / SIDE / HIGH);
        st = particles_append(v->ctx, &p, 1, &x, NULL);
    }
    for (int k = 0; k < 2 && !st; k++) {
        st = surface_from_particles(v->ctx, &p, &def, &mesh[k]);
        const size_t gone = SIDE / 2 + SIDE * (HIGH - 1 + HIGH * (SIDE / 2));
        if (!st) p.position[gone] = p.position[--p.count];
    }
    if (!st) st = distances(v->ctx, &mesh[0], &mesh[1], 1, &most, &mean);
    if (!st) verify_figure(v, "a particle that leaves a surface moves it by, spacings", most, AT_MOST, 0.25);
    trimesh_clear(v->ctx, &mesh[0]);
    trimesh_clear(v->ctx, &mesh[1]);
    particles_clear(v->ctx, &p);
    return st;
}

static rill_status run(verify *v)
{
    TRY(one_leaves(v));
    return resampled(v);
}

static const char *const methods[] = {"sph", NULL};
const verify_case surface_popping = {"surface-popping", "Surfaces when particles are replaced", methods, run};
