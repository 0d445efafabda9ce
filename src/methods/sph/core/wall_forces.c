#include "sph/core/wall_forces.h"

#include "base/parallel.h"
#include "flow/gauges.h"
#include "sph/core/move.h"
#include "sph/core/operations.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 512, NUMBERS = 6 };

rill_status wall_forces_create(sph *s)
{
    wall_forces *f = &s->forces;
    const uint32_t all = s->sim.scene->solid_count;
    TRY(MEM_NEW(s->sim.ctx, f->slot, (size_t)all + 1));
    for (uint32_t i = 0; i < all; i++) f->slot[i] = gauges_wants_force(&s->sim, i) ? f->count++ : BODY_NONE;
    return MEM_NEW_ZERO(s->sim.ctx, f->impulse, (size_t)f->count + 1);
}

void wall_forces_destroy(sph *s)
{
    mem_free(s->sim.ctx, s->forces.slot);
    mem_free(s->sim.ctx, s->forces.impulse);
    arena_clear(&s->forces.arena);
}

typedef struct {
    sph *s;
    particle_sizes sizes;
    double t, dt;
    wall_part (*part)[WALL_MOST_PARTS]; /* per particle that feels a wall */
    uint32_t *near;                     /* these particles */
    uint8_t *parts;
    const float *k;
    double kick;
    rill_vec3 gravity;
    uint32_t slot; /* the solid at hand */
} force_job;

static double mass_of(const force_job *j, uint32_t i)
{
    return ldexp(j->s->model.mass, j->sizes.class_number ? (int)j->sizes.class_number[i] : 0);
}

/* An impulse at x. */
static void add_impulse(rill_vec3 x, rill_vec3 impulse, double *out)
{
    const rill_vec3 turn = v3_cross(x, impulse);
    const double all[NUMBERS] = {impulse.x, impulse.y, impulse.z, turn.x, turn.y, turn.z};
    for (int c = 0; c < NUMBERS; c++) out[c] += all[c];
}

/* Adds the sums over `count` terms of each solid. */
static void add_up(force_job *j, size_t count, void (*terms)(void *, size_t, size_t, double *))
{
    wall_forces *f = &j->s->forces;
    for (j->slot = 0; j->slot < f->count; j->slot++) {
        double sum[NUMBERS];
        parallel_sums(j->s->sim.ctx, count, terms, j, NUMBERS, sum);
        for (int c = 0; c < NUMBERS; c++) f->impulse[j->slot][c] += sum[c];
    }
}

/* -- rows --------------------------------------------------------------------------------- */

static void parts_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const force_job *j = arg;
    const sph *s = j->s;
    const rill_vec3 g = scene_gravity(s->sim.scene, j->t);
    for (size_t n = begin; n < end; n++) {
        const uint32_t i = j->near[n];
        const int class = j->sizes.class_number ? (int)j->sizes.class_number[i] : 0;
        j->parts[n] = (uint8_t)wall_parts_at(j->sizes.walls[class], &s->sim.solids, s->forces.slot, g,
                                             s->particles.position[i], s->particles.velocity[i], j->dt, j->t,
                                             j->part[n]);
    }
}

static rill_status take_rows(const force_job *j, size_t count)
{
    wall_forces *f = &j->s->forces;
    const double C = j->s->model.calibration;
    size_t rows = 0;
    for (size_t n = 0; n < count; n++) rows += j->parts[n];
    TRY(ARENA_NEW(&f->arena, f->row, rows + 1));
    TRY(ARENA_NEW(&f->arena, f->of, rows + 1));
    for (size_t n = 0; n < count; n++)
        for (int k = 0; k < j->parts[n]; k++) {
            const wall_part *p = &j->part[n][k];
            const rill_vec3 g = p->gradient, w = v3_scale(p->weight, -C);
            f->of[f->rows] = p->body;
            f->row[f->rows++] = (body_row){.particle = j->near[n],
                                           .mass = (float)mass_of(j, j->near[n]),
                                           .gradient = {(float)g.x, (float)g.y, (float)g.z},
                                           .weight = {(float)w.x, (float)w.y, (float)w.z}};
        }
    return RILL_OK;
}

void wall_forces_begin(sph *s)
{
    if (s->forces.count == 0) return;
    memset(s->forces.impulse, 0, s->forces.count * sizeof *s->forces.impulse);
    arena_reset(&s->forces.arena);
}

rill_status wall_forces_collect(sph *s, double t, double dt)
{
    wall_forces *f = &s->forces;
    if (f->count == 0) return RILL_OK;
    force_job j = {.s = s, .sizes = s->ops->sizes(s), .t = t, .dt = dt};
    size_t count = 0;
    f->rows = 0;
    for (size_t i = 0; i < s->particles.count; i++) count += s->step.wall[i][3] != 0;
    TRY(ARENA_NEW(&f->arena, j.near, count + 1));
    TRY(ARENA_NEW(&f->arena, j.part, count + 1));
    TRY(ARENA_NEW(&f->arena, j.parts, count + 1));
    count = 0;
    for (size_t i = 0; i < s->particles.count; i++)
        if (s->step.wall[i][3] != 0) j.near[count++] = (uint32_t)i;
    parallel_for(s->sim.ctx, count, BLOCK, parts_block, &j);
    return take_rows(&j, count);
}

void wall_forces_correct(sph *s)
{
    for (size_t n = 0; s->forces.count && n < s->forces.rows; n++) {
        body_row *r = &s->forces.row[n];
        const float *d = s->solve.correction[0][r->particle], *m = s->solve.correction[1][r->particle];
        const float b[3] = {r->gradient[0], r->gradient[1], r->gradient[2]};
        r->gradient[0] = d[0] * b[0] + m[0] * b[1] + m[2] * b[2];
        r->gradient[1] = m[0] * b[0] + d[1] * b[1] + m[1] * b[2];
        r->gradient[2] = m[2] * b[0] + m[1] * b[1] + d[2] * b[2];
    }
}

/* -- pressure ------------------------------------------------------------------------------- */

/* P / rho_0 of the equation of state, times (rho_0 / rho)^2: what walls push with. */
static double state_k(const sph *s, uint32_t i)
{
    const double rest = s->sim.scene->fluid.density, c = s->model.sound_speed, rho = (double)s->density[i];
    return rest * (double)sph_state(s, (float)(rest * c * c), (float)(rho / rest)) / (rho * rho);
}

static void press_terms(void *arg, size_t begin, size_t end, double *out)
{
    const force_job *j = arg;
    const sph *s = j->s;
    for (size_t n = begin; n < end; n++) {
        const body_row *r = &s->forces.row[n];
        if (s->forces.of[n] != j->slot) continue;
        const double k = s->model.calibration * (j->k ? (double)j->k[r->particle] : state_k(s, r->particle));
        double push[3];
        for (int c = 0; c < 3; c++)
            push[c] = j->dt * (double)r->mass * (k * (double)r->gradient[c] - (double)r->weight[c]);
        add_impulse(s->particles.position[r->particle], v3(push[0], push[1], push[2]), out);
    }
}

void wall_forces_press(sph *s, const float *k, double dt)
{
    force_job j = {.s = s, .k = k, .dt = dt};
    if (s->forces.count) add_up(&j, s->forces.rows, press_terms);
}

/* -- drag, friction and collisions ------------------------------------------------------------ */

/* Whether the solid at hand is the nearest to a particle. */
static bool is_nearest(const force_job *j, rill_vec3 x, double t, solid_contact *c)
{
    const sph *s = j->s;
    return isfinite(solids_distance(&s->sim.solids, x, t, c)) && c->solid < SOLID_DOMAIN &&
           s->forces.slot[c->solid] == j->slot;
}

static void drag_terms(void *arg, size_t begin, size_t end, double *out)
{
    const force_job *j = arg;
    const sph *s = j->s;
    for (size_t n = begin; n < end; n++) {
        const uint32_t i = s->forces.row[n].particle;
        const rill_vec3 x = s->particles.position[i];
        solid_contact c;
        if (s->forces.of[n] != j->slot || !(s->step.drag[i] > 0)) continue;
        if (!is_nearest(j, x, s->sim.time, &c)) continue;
        const rill_vec3 m = v3_unit(v3(s->step.wall[i][0], s->step.wall[i][1], s->step.wall[i][2]));
        const rill_vec3 past = v3_sub(s->particles.velocity[i], move_wall_velocity(s, &c, x, s->sim.time));
        const double rate = j->dt * s->model.kinematic * (double)s->step.drag[i] * mass_of(j, i);
        add_impulse(x, v3_scale(v3_madd(past, -v3_dot(past, m), m), rate), out);
    }
}

void wall_forces_drag(sph *s, double dt)
{
    if (s->forces.count == 0 || !s->step.drag) return;
    force_job j = {.s = s, .sizes = s->ops->sizes(s), .dt = dt};
    add_up(&j, s->forces.rows, drag_terms);
}

rill_status wall_forces_before(sph *s)
{
    wall_forces *f = &s->forces;
    const size_t n = s->particles.count;
    if (f->count == 0) return RILL_OK;
    TRY(ARENA_NEW(&f->arena, f->velocity, n + 1));
    memcpy(f->velocity, s->particles.velocity, n * sizeof *f->velocity);
    return RILL_OK;
}

static void touch_terms(void *arg, size_t begin, size_t end, double *out)
{
    const force_job *j = arg;
    const sph *s = j->s;
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 d = move_wall_change(s, i, s->forces.velocity[i], j->kick, j->gravity),
                        v = s->particles.velocity[i];
        solid_contact c;
        if (!(v3_dot(d, d) > 1e-20 * v3_dot(v, v) + 1e-30)) continue; /* rounding */
        if (!is_nearest(j, s->particles.position[i], j->t, &c)) continue;
        add_impulse(s->particles.position[i], v3_scale(d, -mass_of(j, (uint32_t)i)), out);
    }
}

void wall_forces_after(sph *s, double kick, rill_vec3 gravity, double t)
{
    if (s->forces.count == 0) return;
    force_job j = {.s = s, .sizes = s->ops->sizes(s), .kick = kick, .gravity = gravity, .t = t};
    add_up(&j, s->particles.count, touch_terms);
}

void wall_forces_show(sph *s, double dt)
{
    for (uint32_t i = 0; s->forces.count && i < s->sim.scene->solid_count; i++) {
        if (s->forces.slot[i] == BODY_NONE) continue;
        const double *m = s->forces.impulse[s->forces.slot[i]], per = 1 / dt;
        gauges_set_force(&s->sim, i, v3(per * m[0], per * m[1], per * m[2]),
                         v3(per * m[3], per * m[4], per * m[5]));
    }
}
