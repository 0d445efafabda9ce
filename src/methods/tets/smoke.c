/* Sources of smoke, and what it weighs.
 *
 * Smoke is two numbers at every node: soot (kg/m3), which makes the gas heavier, and heat (K above the
 * ambient), which makes it lighter. Boussinesq: the density counts in the weight alone, as an acceleration g
 * (soot / density - heat / ambient). Gravity itself is in the pressure (errata E-K3, E-K8: without it rest is
 * exact, and so is the buoyancy of bodies). */
#include "base/parallel.h"
#include "tets/state.h"

typedef struct {
    const tets *s;
    tets_state *a;
    double t, dt;
    rill_vec3 gravity;
} job;

static bool inside(const tets *s, const scene_smoke *m, rill_vec3 x)
{
    if (s->flat) x.z = 0;
    return shape_distance(&m->shape, x, NULL) <= 0;
}

static void node_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    const rill_scene *scene = j->s->sim.scene;
    const double soot_left = exp(-scene->gas.dissipation * j->dt),
                 heat_left = exp(-scene->gas.cooling * j->dt);
    for (size_t i = begin; i < end; i++) {
        double *soot = &j->a->soot[i], *heat = &j->a->heat[i];
        *soot *= soot_left;
        *heat *= heat_left;
        for (uint32_t k = 0; k < scene->smoke_count; k++) {
            const scene_smoke *m = &scene->smoke[k];
            if (!smoke_gives(m, j->t) || !inside(j->s, m, j->a->mesh.x[i])) continue;
            const double share = smoke_share(m, j->dt);
            *soot = (1 - share) * *soot + share * smoke_density(m, j->t);
            *heat = (1 - share) * *heat + share * (smoke_temperature(m, j->t) - TETS_AMBIENT);
        }
    }
}

static void face_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    const rill_scene *scene = j->s->sim.scene;
    for (size_t f = begin; f < end; f++)
        for (uint32_t k = 0; k < scene->smoke_count; k++) {
            const scene_smoke *m = &scene->smoke[k];
            const fv_face *face = &j->a->mesh.fv.face[f];
            if (!smoke_gives(m, j->t) || !smoke_blows(m) || !inside(j->s, m, face->centroid)) continue;
            j->a->flux[f] =
                v3_dot(velocity_field_at(&m->velocity, &scene->domain, face->centroid), face->area);
        }
}

void tets_add_sources(tets *s, tets_state *a, double t, double dt)
{
    if (!s->smoky) return;
    job j = {.s = s, .a = a, .t = t, .dt = dt};
    parallel_for(s->sim.ctx, a->mesh.count, TETS_BLOCK, node_block, &j);
    parallel_for(s->sim.ctx, a->mesh.fv.inner_count, TETS_BLOCK, face_block, &j);
}

static void weight_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    const tet_mesh *m = &j->a->mesh;
    const double per_soot = 1 / j->s->sim.scene->fluid.density, per_heat = 1 / TETS_AMBIENT;
    for (size_t k = begin; k < end; k++) {
        const uint32_t from = m->map.face[k], *v = m->d.tet[from >> 2].v;
        const uint8_t *f = tet_face_corners[from & 3];
        double heavier = 0;
        for (int i = 0; i < 3; i++)
            heavier += (j->a->soot[v[f[i]]] * per_soot - j->a->heat[v[f[i]]] * per_heat) / 3;
        j->a->flux[k] += j->dt * heavier * v3_dot(j->gravity, m->fv.face[k].area);
    }
}

void tets_buoyancy(tets *s, tets_state *a, double t, double dt)
{
    if (!s->smoky) return;
    job j = {.s = s, .a = a, .dt = dt, .gravity = scene_gravity(s->sim.scene, t + dt / 2)};
    parallel_for(s->sim.ctx, a->mesh.fv.inner_count, TETS_BLOCK, weight_block, &j);
}
