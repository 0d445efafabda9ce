/* Velocities, positions, collisions, and the figures of the step. */
#include "sph/levels.h"

#include <math.h>

typedef struct {
    sph *s;
    double kick, drift, shift, since, t;
    rill_vec3 gravity;
} move_job;

/* The velocity along a wall that does not slip, relative to it, taken implicitly: the drag
 * may be stiff. */
static rill_vec3 slowed(const sph *s, rill_vec3 x, rill_vec3 v, double t, float drag, const float *wall,
                        double dt)
{
    const rill_vec3 n = v3_unit(v3(wall[0], wall[1], wall[2]));
    solid_contact c = {0};
    if (s->sim.solids.moving) solids_distance(&s->sim.solids, x, t, &c);
    const rill_vec3 past = v3_sub(v, c.velocity), along = v3_madd(past, -v3_dot(past, n), n);
    const double keep = 1 / (1 + dt * s->kinematic * drag);
    return v3_madd(v, keep - 1, along);
}

/* Friction of what the walls push with in the step; where they stop a particle themselves,
 * solids_push_out has its own. */
static rill_vec3 rubbed(const sph *s, uint32_t i, rill_vec3 x, rill_vec3 v, double t)
{
    const float *wall = s->wall[i];
    const double rest = s->sim.scene->fluid.density;
    solid_contact c = {.normal = v3_unit(v3(wall[0], wall[1], wall[2]))};
    if (s->sim.solids.moving) {
        solid_contact nearest;
        solids_distance(&s->sim.solids, x, t, &nearest);
        c.velocity = nearest.velocity;
    }
    const double inverse = s->velocity[i][3]; /* 1 / rho */
    const double push =
        s->def.solver == SPH_DFSPH
            ? (double)s->kept_rate[i]
            : s->dt * rest *
                  (s->levels ? (double)levels_push(s, i) : (double)s->pressure[i] * inverse * inverse);
    return solid_rubbed(&c, v, s->rub[i][0] * push + s->rub[i][1] * s->dt);
}

/* Some particles, near a wall or not. */
static tile_figures move_some(const move_job *j, uint32_t begin, uint32_t end, bool near)
{
    sph *s = j->s;
    const rill_vec3 g = j->gravity, down = scene_gravity(s->sim.scene, j->t);
    const double rest = s->sim.scene->fluid.density;
    rill_vec3 *x = s->particles.position, *v = s->particles.velocity;
    tile_figures f = {0};
    for (uint32_t i = begin; i < end; i++) {
        const int size = s->levels ? s->levels->size[i] : 0;
        const double mass = (double)(1u << size); /* in particles of the finest */
        const double clearance = 0.05 * (s->levels ? s->levels->level[size].spacing : s->sim.scene->spacing);
        const float *a = s->force[i];
        const rill_vec3 from = x[i];
        v[i] = v3_madd(v[i], j->kick, v3(g.x + (double)a[0], g.y + (double)a[1], g.z + (double)a[2]));
        if (s->drag && s->drag[i] > 0)
            v[i] = slowed(s, from, v[i], j->since, s->drag[i], s->wall[i], s->implicit ? 0 : s->dt);
        if (s->rub && s->rub[i][0] > 0) v[i] = rubbed(s, i, from, v[i], j->since);
        x[i] = v3_madd(from, j->drift, v[i]);
        if (j->shift > 0) x[i] = v3_madd(x[i], j->shift, v3((double)a[0], (double)a[1], (double)a[2]));
        const rill_vec3 way = v3_sub(x[i], from);
        if (near && !(s->levels && levels_clear(s, i, clearance, v3_dot(way, way))))
            solids_push_out(&s->sim.solids, j->since, j->t, clearance, from, &x[i], &v[i]);

        const double speed2 = v3_dot(v[i], v[i]);
        const double a2 = (double)a[0] * a[0] + (double)a[1] * a[1] + (double)a[2] * a[2];
        const double squeeze = s->density[i] / rest - 1;
        f.mass += mass;
        f.kinetic += mass * speed2;
        f.potential -= mass * v3_dot(down, x[i]);
        f.compression += squeeze > 0 ? mass * squeeze : 0;
        f.speed2 = speed2 > f.speed2 ? speed2 : f.speed2;
        f.acceleration2 = a2 > f.acceleration2 ? a2 : f.acceleration2;
    }
    return f;
}

static void move_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const move_job *j = arg;
    sph *s = j->s;
    for (size_t k = begin; k < end; k++) {
        const tile *t = &s->tiles.tile[k];
        s->figures[k] = move_some(j, t->begin, t->end, s->near_wall[k]);
    }
}

static void move_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const move_job *j = arg;
    sph *s = j->s;
    for (size_t k = begin; k < end; k++) {
        const sized_node *n = sized_leaf(&s->levels->points, k);
        s->figures[k] = move_some(j, n->begin, n->end, s->near_wall[k]);
    }
}

void sph_move(sph *s, double kick, rill_vec3 gravity, double drift, double shift, double since, double t)
{
    move_job j = {s, kick, drift, shift, since, t, gravity};
    s->figure_count = s->levels ? s->levels->points.leaves : s->tiles.count;
    parallel_for(s->sim.ctx, s->figure_count, 8, s->levels ? move_leaves : move_tiles, &j);
}

typedef struct {
    sph *s;
    double dt, since, t;
} drift_job;

static void drift_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const drift_job *j = arg;
    rill_vec3 *x = j->s->particles.position, *v = j->s->particles.velocity;
    const double clearance = 0.05 * j->s->sim.scene->spacing;
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 from = x[i];
        x[i] = v3_madd(from, j->dt, v[i]);
        solids_push_out(&j->s->sim.solids, j->since, j->t, clearance, from, &x[i], &v[i]);
    }
}

void sph_drift(sph *s, double dt, double since, double t)
{
    drift_job j = {s, dt, since, t};
    parallel_for(s->sim.ctx, s->particles.count, 1024, drift_block, &j);
}
