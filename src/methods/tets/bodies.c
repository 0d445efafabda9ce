/* The bodies of the scene in the fluid, [Klingner06] 3.4: what acts on them besides pressure, and how the
 * projection and contacts take turns.
 *
 * Weight comes with the step (flow/bodies.h). Pressures are without the weight of the fluid (errata E-K8), so
 * that a body gets the buoyancy of the volume of its shape here: a body as heavy as the fluid stays where it
 * is. Masses are those of the mesh: in two dimensions the slab's thickness times those of the scene.
 *
 * The projection moves bodies freely; contacts and limits then stop some. Those are held at the motion that
 * contacts gave them, and the projection is solved again, so that no fluid is pushed by what rests. */
#include "bodies/body_mass.h"
#include "tets/state.h"

rill_status tets_bodies_create(tets *s)
{
    rill_ctx *ctx = s->sim.ctx;
    const body_set *all = &s->sim.bodies;
    tets_bodies *b = &s->bodies;
    TRY(MEM_NEW_ZERO(ctx, b->body, all->count));
    TRY(MEM_NEW_ZERO(ctx, b->start, all->count));
    TRY(MEM_NEW_ZERO(ctx, b->impulse, all->count));
    TRY(MEM_NEW_ZERO(ctx, b->turning, all->count));
    TRY(MEM_NEW_ZERO(ctx, b->volume, all->count));
    for (uint32_t k = 0; k < all->count; k++) {
        const int dimensions = s->flat ? 2 : 3;
        mass_moments m;
        if (mass_of_shape(&s->sim.scene->solids[all->solid[k]].shape, dimensions, &m))
            b->volume[k] = m.volume * pow(all->world.rest[k].scale, dimensions);
    }
    return RILL_OK;
}

void tets_bodies_clear(tets *s)
{
    rill_ctx *ctx = s->sim.ctx;
    mem_free(ctx, s->bodies.body);
    mem_free(ctx, s->bodies.start);
    mem_free(ctx, s->bodies.impulse);
    mem_free(ctx, s->bodies.turning);
    mem_free(ctx, s->bodies.volume);
    s->bodies = (tets_bodies){0};
}

void tets_bodies_weigh(tets *s, double dt)
{
    if (s->sim.bodies.count)
        world_push(&s->sim.bodies.world, scene_gravity(s->sim.scene, s->sim.time), NULL, NULL, dt);
}

void tets_bodies_lift(tets *s, double dt)
{
    const rill_vec3 g = scene_gravity(s->sim.scene, s->sim.time); /* that of bodies_begin: they may cancel */
    for (uint32_t k = 0; k < s->sim.bodies.count; k++)
        bodies_push(&s->sim.bodies, k, v3_scale(g, -s->sim.scene->fluid.density * s->bodies.volume[k] * dt),
                    v3(0, 0, 0), dt);
}

/* ---- around the projection ---- */

void tets_bodies_take(tets *s)
{
    tets_bodies *b = &s->bodies;
    for (uint32_t k = 0; k < s->sim.bodies.count; k++) {
        rigid_body *a = &b->body[k];
        *a = b->start[k] = s->sim.bodies.world.body[k];
        a->mass *= s->thick;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) a->inertia[i][j] *= s->thick;
        a->held |= b->still || b->by_turns;
    }
}

/* Back to the scene's bodies. */
static void give_back(tets *s)
{
    for (uint32_t k = 0; k < s->sim.bodies.count; k++) {
        rigid_body *a = &s->sim.bodies.world.body[k];
        a->velocity = s->bodies.body[k].velocity;
        a->spin = s->bodies.body[k].spin;
    }
}

/* Largest change of the motion at a body's surface. */
static double changed(const tets *s, uint32_t k)
{
    const rigid_body *now = &s->sim.bodies.world.body[k], *before = &s->bodies.body[k];
    return v3_distance(now->velocity, before->velocity) +
           v3_distance(now->spin, before->spin) * s->sim.bodies.world.piece[k].reach;
}

/* Pressures of the step before push bodies that moved without them: light ones oscillate and grow. Kept to
 * show that. */
static void push_by_turns(tets *s)
{
    for (uint32_t k = 0; k < s->sim.bodies.count; k++) {
        rigid_body *a = &s->sim.bodies.world.body[k];
        double mass[BODY_FREEDOMS][BODY_FREEDOMS], root[BODY_FREEDOMS][BODY_FREEDOMS];
        rigid_body_mass(a, mass);
        if (rigid_body_root(a, (const double(*)[BODY_FREEDOMS])mass, root))
            rigid_body_push(a, (const double(*)[BODY_FREEDOMS])root,
                            v3_scale(s->bodies.impulse[k], 1 / s->thick), a->center,
                            v3_scale(s->bodies.turning[k], 1 / s->thick));
    }
}

rill_status tets_bodies_stop(tets *s, double t, double dt, bool *again)
{
    const uint32_t count = s->sim.bodies.count;
    tets_bodies *b = &s->bodies;
    *again = false;
    if (!count || b->still || b->by_turns) return RILL_OK;
    give_back(s);
    TRY(bodies_end(&s->sim.bodies, s->sim.scene, t, dt));
    for (uint32_t k = 0; k < count; k++) {
        const rigid_body *now = &s->sim.bodies.world.body[k];
        if (b->body[k].held || !(changed(s, k) > 1e-6 * s->h / dt)) continue;
        b->body[k].velocity = now->velocity;
        b->body[k].spin = now->spin;
        b->body[k].held = *again = true;
    }
    for (uint32_t k = 0; k < count && *again; k++) {
        if (b->body[k].held) continue;
        b->body[k].velocity = b->start[k].velocity;
        b->body[k].spin = b->start[k].spin;
    }
    return RILL_OK;
}

void tets_bodies_finish(tets *s, double dt)
{
    body_set *all = &s->sim.bodies;
    for (uint32_t k = 0; k < all->count && !s->bodies.still; k++) {
        all->force[k] = v3_madd(all->force[k], 1 / (s->thick * dt), s->bodies.impulse[k]);
        all->torque[k] = v3_madd(all->torque[k], 1 / (s->thick * dt), s->bodies.turning[k]);
    }
    if (s->bodies.by_turns) push_by_turns(s);
}
