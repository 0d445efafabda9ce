/* Faces to particles, and the particles' way: velocity and, for [Jiang15], its gradient
 * where the particle is; then its path through the velocity by one of the integrators of
 * [Braley] 4.1 (eq. 16-19), and out of the walls.
 *
 * A tile copies the velocities as far around it as anything can go in the step. */
#include "base/random.h"
#include "grid/state.h"
#include "grid/trace.h"

typedef struct {
    grid *s;
    bool reflected;
    double dt, clearance;
    int halo;
    float *copy; /* per worker: velocity blocks, and those of before */
    size_t copy_size;
} move_job;

static inline void gradients_at(const velocity_block *b, const float x[3], float v[3], float c[9])
{
    for (int a = 0; a < b->d; a++) {
        float y[3];
        for (int k = 0; k < 3; k++) y[k] = k == a ? x[k] : x[k] - 0.5f;
        v[a] = b->d == 3 ? linear3_gradient(b->u[a], b->n, y, &c[3 * a])
                         : linear2_gradient(b->u[a], b->n, y, &c[3 * a]);
    }
}

static void load_velocity(const move_job *j, uint32_t tile, float *const field[3], float *to,
                          velocity_block *b)
{
    const grid_tiles *t = &j->s->tiles;
    b->n = grid_block_side(j->halo);
    b->d = t->dimensions;
    b->top = (float)b->n - 1.001f;
    for (int a = 0; a < 3; a++) b->frame[a] = 0;
    for (int a = 0; a < b->d; a++) {
        grid_block_load(t, tile, field[a], j->halo, 0, to);
        b->u[a] = to;
        to += grid_block_size(t, j->halo);
    }
}

/* Out of the walls, when one is near. What went too far comes back as far: setting it on
 * the wall would thin the liquid and pile up where the velocity ends. */
static void collide(const move_job *j, uint8_t walled, rill_vec3 from, rill_vec3 *x, rill_vec3 *v)
{
    const grid *s = j->s;
    if (!walled) return;
    const double m = j->clearance, t = s->sim.time + j->dt;
    if (s->sim.solids.count == 0) { /* the domain alone: nothing to do but at its sides */
        const scene_domain *d = &s->sim.scene->domain;
        if (x->x > d->min.x + m && x->x < d->max.x - m && x->y > d->min.y + m && x->y < d->max.y - m &&
            (s->tiles.dimensions == 2 || (x->z > d->min.z + m && x->z < d->max.z - m)))
            return;
    }
    const rill_vec3 to = *x;
    if (!solids_push_out(&s->sim.solids, s->sim.time, t, m, from, x, v)) return;
    const rill_vec3 back = v3_sub(*x, to);
    const double length = v3_length(back), most = 0.5 * s->h;
    const rill_vec3 inside = *x;
    rill_vec3 mirrored = v3_madd(*x, length > most ? most / length : 1, back), rest = *v;
    solids_push_out(&s->sim.solids, t, t, m, inside, &mirrored, &rest);
    *x = mirrored;
}

/* Particles that came to lie on each other move as one for ever: in cells that hold twice
 * what they can, each is put a little aside, by its own random numbers. */
static rill_vec3 spread(const grid *s, uint32_t i, uint8_t crowd, rill_vec3 x)
{
    const bool flat = s->tiles.layers == 1;
    if (crowd <= (flat ? 8 : 16)) return x;
    const random4 r = random_at(2, s->particles.id[i], (uint32_t)s->sim.step, 0),
                  q = random_at(2, s->particles.id[i], (uint32_t)s->sim.step, 1);
    const double most = 0.5 * s->h;
    return v3_madd(x, most,
                   v3(random_unit(r.v[0], r.v[1]) - 0.5, random_unit(r.v[2], r.v[3]) - 0.5,
                      flat ? 0 : random_unit(q.v[0], q.v[1]) - 0.5));
}

static void move_cores(void *arg, size_t begin, size_t end, int worker)
{
    const move_job *j = arg;
    grid *s = j->s;
    particles *p = &s->particles;
    const bool affine = s->affine[0] != NULL, flip = s->def.transfer == GRID_FLIP && s->before[0];
    const float times = j->reflected ? 2 : 1;
    const int d = s->tiles.dimensions;
    const double inverse = 1 / s->h;
    const float step = (float)(j->dt / s->h), shift = (float)j->halo, deep = d == 2 ? 0 : shift;
    const rill_vec3 down = scene_gravity(s->sim.scene, s->sim.time + j->dt);
    float *copy = j->copy + (size_t)worker * j->copy_size;
    for (size_t core = begin; core < end; core++) {
        const uint32_t tile = s->tile_of[core];
        const rill_vec3 corner = grid_tile_corner(&s->tiles, tile);
        velocity_block now, before = {0};
        grid_figures f = {0};
        load_velocity(j, tile, s->u, copy, &now);
        const float frame[3] = {(float)s->frame.x, (float)s->frame.y, d == 2 ? 0 : (float)s->frame.z};
        if (flip || j->reflected) load_velocity(j, tile, s->before, copy + j->copy_size / 2, &before);
        const uint32_t last = grid_core_begin(s, (uint32_t)core + 1);
        for (uint32_t i = grid_core_begin(s, (uint32_t)core); i < last; i++) {
            const rill_vec3 from = p->position[i], y = v3_scale(v3_sub(from, corner), inverse);
            const float x[3] = {(float)y.x + shift, (float)y.y + shift, d == 2 ? 0 : (float)y.z + shift};
            float u[3] = {0}, mean[3];
            rill_vec3 v;
            if (affine) {
                float c[9] = {0};
                gradients_at(&now, x, u, c);
                float given[3] = {u[0], u[1], u[2]};
                if (j->reflected) {
                    float old[3] = {0}, c_old[9] = {0};
                    gradients_at(&before, x, old, c_old);
                    for (int a = 0; a < 3; a++) given[a] = 2 * u[a] - old[a];
                    for (int a = 0; a < 9; a++) c[a] = 2 * c[a] - c_old[a];
                }
                for (int a = 0; a < d; a++)
                    for (int b = 0; b < d; b++) s->affine[3 * a + b][i] = c[3 * a + b];
                v = v3_add(s->frame, v3(given[0], given[1], given[2]));
            } else if (!flip) { /* a marker */
                velocity_at(&now, x, u);
                v = v3_add(s->frame, v3(u[0], u[1], u[2]));
            } else {
                float old[3];
                velocity_at(&now, x, u);
                velocity_at(&before, x, old);
                const double k = s->def.flip;
                v = p->velocity[i];
                const float d0 = times * (u[0] - old[0]), d1 = times * (u[1] - old[1]),
                            d2 = times * (u[2] - old[2]);
                const rill_vec3 change = v3_add(s->gain, v3(d0, d1, d2)),
                                full = v3_add(s->frame, v3(old[0] + d0, old[1] + d1, old[2] + d2));
                v = v3_add(v3_scale(v3_add(v, change), k), v3_scale(full, 1 - k));
            }
            for (int a = 0; a < 3; a++) now.frame[a] = frame[a], u[a] += frame[a];
            trace(&now, s->def.integrator, x, step, u, mean);
            for (int a = 0; a < 3; a++) now.frame[a] = 0;
            rill_vec3 to = v3_madd(from, j->dt, v3(mean[0], mean[1], mean[2]));
            const size_t cell = (size_t)tile * (size_t)s->tiles.cells +
                                (size_t)((((int)(x[2] - deep) & 7) * 8 + ((int)(x[1] - shift) & 7)) * 8 +
                                         ((int)(x[0] - shift) & 7));
            to = spread(s, i, s->crowd[cell], to);
            collide(j, s->walled[tile], from, &to, &v);
            p->position[i] = to;
            p->velocity[i] = v;
            const double speed2 = v3_dot(v, v);
            f.kinetic += speed2;
            f.potential -= v3_dot(down, to);
            f.speed2 = speed2 > f.speed2 ? speed2 : f.speed2;
        }
        s->figures[core] = f;
    }
}

typedef struct {
    const float *u;
} fastest_arg;

static double fastest(void *arg, size_t begin, size_t end)
{
    const float *u = ((const fastest_arg *)arg)->u;
    float most = 0;
    for (size_t i = begin; i < end; i++) {
        const float v = fabsf(u[i]);
        most = v > most ? v : most;
    }
    return most;
}

double grid_fastest(grid *s, const float *const u[3])
{
    double most = 0;
    for (int a = 0; a < s->tiles.dimensions; a++) {
        fastest_arg arg = {u[a]};
        const double seen = parallel_max(s->sim.ctx, grid_cell_count(&s->tiles), fastest, &arg);
        most = fmax(most, seen + fabs(v3_axis(s->frame, a)));
    }
    return most;
}

/* Cells around a tile that anything in it can see in the step. */
static int halo_needed(grid *s, double dt)
{
    const float *const u[3] = {s->u[0], s->u[1], s->u[2]};
    const double cells = ceil(grid_fastest(s, u) * dt / s->h) + 2;
    return cells < GRID_MOST_HALO ? (int)cells : GRID_MOST_HALO;
}

static void sum_up(grid *s, rill_step_stats *stats)
{
    grid_figures all = {0};
    for (size_t c = 0; c < s->core.count; c++) {
        all.kinetic += s->figures[c].kinetic;
        all.potential += s->figures[c].potential;
        all.speed2 = fmax(all.speed2, s->figures[c].speed2);
    }
    const double mass = s->volume * s->sim.scene->fluid.density;
    /* a sum keeps a NaN that a maximum loses */
    s->max_speed = isfinite(all.kinetic) ? sqrt(all.speed2) : all.kinetic;
    stats->kinetic = 0.5 * mass * all.kinetic;
    stats->potential = mass * all.potential;
    stats->max_speed = s->max_speed;
}

rill_status grid_move(grid *s, double dt, bool reflected, rill_step_stats *stats)
{
    move_job j = {
        .s = s, .reflected = reflected, .dt = dt, .clearance = 0.05 * s->h, .halo = halo_needed(s, dt)};
    const size_t block = (size_t)(s->tiles.dimensions * grid_block_size(&s->tiles, j.halo));
    j.copy_size = 2 * ((block + 31) / 16 * 16);
    TRY(ARENA_NEW(&s->scratch, j.copy, j.copy_size * (size_t)parallel_workers(s->sim.ctx)));
    parallel_for(s->sim.ctx, s->core.count, 4, move_cores, &j);
    sum_up(s, stats);
    return RILL_OK;
}
