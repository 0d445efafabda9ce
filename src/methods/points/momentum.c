/* Momentum of liquid that flies: a component that touches nothing but air and bodies keeps what it has.
 *
 * A projection exchanges momentum with bodies to rounding, cells counting by their volume. Points count by
 * theirs at rest, and what keeps them a good sampling (shift.c) and out of solids (move.c) minds neither. So
 * each such component is asked before a step what it has, and afterwards gets what it lacks as the motion of
 * a rigid body: before + weight - what it gave the bodies it touches. */
#include "points/bodies.h"

#include <string.h>

/* Of the points of a component; the finest have mass one. */
typedef struct points_group {
    bool held; /* by a wall */
    double mass;
    rill_vec3 linear, angular; /* about the origin */
} points_group;

static void add(points_group *g, double mass, rill_vec3 x, rill_vec3 u)
{
    g->linear = v3_madd(g->linear, mass, u);
    g->angular = v3_madd(g->angular, mass, v3_cross(x, u));
}

static bool is_held(const points *s, uint32_t i)
{
    const points_cell *c = &s->mesh.cell[i];
    if (c->air == 0 && !c->hole && v3_length(c->air_area) > 0) return true; /* slits at walls */
    for (uint32_t e = c->begin; e < c->end; e++) {
        if (s->mesh.link[e] >= s->mesh.inner_count && points_bodies_owner(s, s->mesh.link[e]) == BODY_NONE)
            return true;
    }
    return false;
}

static points_group *group_of(const points *s, size_t i)
{
    return &s->group[(size_t)s->component[i]];
}

rill_status points_momentum_take(points *s)
{
    const uint32_t n = (uint32_t)s->particles.count;
    s->group = NULL;
    if (s->def.filled || s->def.scheme == POINTS_PAPER) return RILL_OK;
    TRY(ARENA_NEW(&s->scratch, s->group, (size_t)n + 1));
    memset(s->group, 0, ((size_t)n + 1) * sizeof *s->group);
    for (uint32_t i = 0; i < n; i++) {
        points_group *g = group_of(s, i);
        g->held = g->held || is_held(s, i);
        const double mass = points_size_of(s, i)->share;
        g->mass += mass;
        add(g, mass, s->particles.position[i], s->particles.velocity[i]);
    }
    return RILL_OK;
}

/* The momentum that a body received came from the component around it; where several touch it, their shares
 * are not known. */
static void owe_body(points *s, uint32_t body, double dt)
{
    const body_set *set = &s->sim.bodies;
    const double one = s->sim.scene->fluid.density * s->sizes.of[1].whole / (s->dimensions == 2 ? s->h : 1);
    size_t from = SIZE_MAX;
    for (uint32_t k = s->mesh.inner_count; k < s->mesh.face_count; k++) {
        if (points_bodies_owner(s, k) != body) continue;
        const size_t component = (size_t)s->component[s->mesh.face[k].a];
        if (from != SIZE_MAX && from != component) s->group[from].held = s->group[component].held = true;
        from = component;
    }
    if (from == SIZE_MAX) return;
    points_group *g = &s->group[from];
    const rill_vec3 push = v3_scale(set->force[body], dt / one), turn = v3_scale(set->torque[body], dt / one);
    g->linear = v3_sub(g->linear, push);
    g->angular = v3_sub(g->angular, v3_add(turn, v3_cross(set->world.body[body].center, push)));
}

void points_momentum_owe(points *s, double t, double dt)
{
    const rill_vec3 fall = v3_scale(scene_gravity(s->sim.scene, t + dt / 2), dt);
    if (!s->group) return;
    for (size_t i = 0; i < s->particles.count; i++)
        add(group_of(s, i), points_size_of(s, i)->share, s->particles.position[i], fall);
    for (uint32_t b = 0; b < s->sim.bodies.count; b++) owe_body(s, b, dt);
}

/* What a group still lacks, and how hard it is to turn. */
typedef struct debt {
    points_group lack;
    rill_vec3 middle;
    double inertia[3][3];
    rill_vec3 speed, spin; /* what makes it up */
} debt;

static void add_inertia(debt *d, double mass, rill_vec3 r)
{
    const double v[3] = {r.x, r.y, r.z}, r2 = v3_dot(r, r);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) d->inertia[a][b] += mass * ((a == b ? r2 : 0) - v[a] * v[b]);
}

/* Of points in a row nothing is known about turns along it: they are left alone. */
static void solve(debt *d, int dimensions)
{
    const points_group *g = &d->lack;
    d->speed = v3_scale(g->linear, 1 / g->mass);
    const rill_vec3 turn = v3_sub(g->angular, v3_cross(d->middle, g->linear));
    double(*m)[3] = d->inertia;
    const double trace = m[0][0] + m[1][1] + m[2][2];
    if (dimensions == 2) {
        if (m[2][2] > 0) d->spin = v3(0, 0, turn.z / m[2][2]);
        return;
    }
    const rill_vec3 a = {m[0][0], m[0][1], m[0][2]}, b = {m[1][0], m[1][1], m[1][2]},
                    c = {m[2][0], m[2][1], m[2][2]};
    const double whole = v3_dot(a, v3_cross(b, c));
    if (!(whole > 1e-6 * trace * trace * trace)) return;
    const rill_vec3 sum = v3_add(v3_add(v3_scale(v3_cross(b, c), turn.x), v3_scale(v3_cross(c, a), turn.y)),
                                 v3_scale(v3_cross(a, b), turn.z));
    d->spin = v3_scale(sum, 1 / whole);
}

rill_status points_momentum_give(points *s)
{
    const size_t n = s->particles.count;
    const rill_vec3 *x = s->particles.position;
    rill_vec3 *u = s->particles.velocity;
    debt *all;
    if (!s->group) return RILL_OK;
    TRY(ARENA_NEW(&s->scratch, all, n + 1));
    memset(all, 0, (n + 1) * sizeof *all);
    for (size_t i = 0; i <= n; i++) all[i].lack = s->group[i];
    for (size_t i = 0; i < n; i++) {
        debt *d = &all[(size_t)s->component[i]];
        if (d->lack.held) continue;
        const double mass = points_size_of(s, i)->share;
        add(&d->lack, -mass, x[i], u[i]);
        d->middle = v3_madd(d->middle, mass / d->lack.mass, x[i]);
    }
    for (size_t i = 0; i < n; i++) {
        debt *d = &all[(size_t)s->component[i]];
        if (!d->lack.held) add_inertia(d, points_size_of(s, i)->share, v3_sub(x[i], d->middle));
    }
    for (size_t i = 0; i <= n; i++)
        if (all[i].lack.mass > 1 && !all[i].lack.held) solve(&all[i], s->dimensions);
    for (size_t i = 0; i < n; i++) {
        const debt *d = &all[(size_t)s->component[i]];
        if (d->lack.mass > 1 && !d->lack.held)
            u[i] = v3_add(u[i], v3_add(d->speed, v3_cross(d->spin, v3_sub(x[i], d->middle))));
        if (s->dimensions == 2) u[i].z = 0;
    }
    return RILL_OK;
}
