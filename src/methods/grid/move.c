/* Faces to particles, and the particles' way: velocity and, for [Jiang15], its gradient
 * where the particle is; then its path through the velocity by one of the integrators of
 * [Braley] 4.1 (eq. 16-19), and out of the walls.
 *
 * A tile copies the velocities as far around it as anything can go in the step. */
#include "base/random.h"
#include "grid/narrow.h"
#include "grid/pack.h"
#include "grid/trace.h"

typedef struct {
    grid *s;
    bool reflected;
    double dt, clearance;
    rill_vec3 down;    /* gravity */
    int halo, crowded; /* particles a cell holds before they are spread */
    float *copy;       /* per worker: velocity blocks, and those of before */
    size_t copy_size;
} move_job;

/* Velocity and its gradients, [3 a + b] that of component a along b. */
static inline point gradients_at(const velocity_block *b, point x, float c[12])
{
    if (b->d == 3) {
        point all[3];
        nodes_gradients(b->u, b->n, x, all);
        /* value and three slopes of each component; a value is written over by the next slopes */
        for (int a = 0; a < 3; a++)
            _mm_storeu_ps(c + 3 * a, _mm_shuffle_ps(all[a], all[a], _MM_SHUFFLE(0, 3, 2, 1)));
        const point xy = _mm_unpacklo_ps(all[0], all[1]);
        return _mm_movelh_ps(xy, _mm_and_ps(all[2], _mm_castsi128_ps(_mm_setr_epi32(-1, 0, 0, 0))));
    }
    float y[4], v[2];
    _mm_storeu_ps(y, x);
    for (int a = 0; a < 2; a++) {
        const float at[3] = {a == 0 ? y[0] : y[0] - 0.5f, a == 1 ? y[1] : y[1] - 0.5f, 0};
        v[a] = linear2_gradient(b->u[a], b->n, at, &c[3 * a]);
    }
    return point_of(v[0], v[1], 0);
}

static void load_velocity(const move_job *j, uint32_t tile, float *const field[3], float *to,
                          velocity_block *b)
{
    const grid_tiles *t = &j->s->tiles;
    b->n = grid_block_side(j->halo);
    b->d = t->dimensions;
    b->top = (float)b->n - 1.001f;
    b->frame = _mm_setzero_ps();
    for (int a = 0; a < b->d; a++) {
        grid_block_load(t, tile, field[a], j->halo, 0, to);
        b->u[a] = to;
        to += grid_block_size(t, j->halo);
    }
}

/* Sets a point that is a little inside of a solid out to the clearance, along the normals of the
 * nearest faces, and takes the inward part out of the velocity and of the rest of the way. False: it
 * is not that simple. */
static bool set_out(const grid *s, double t, double clearance, rill_vec3 *x, rill_vec3 *v, rill_vec3 *rest,
                    bool *moved)
{
    enum { ROUNDS = 4 };
    for (int round = 0; round < ROUNDS; round++) {
        solid_contact c;
        if (solids_distance(&s->sim.solids, *x, t, NULL) >= clearance * (1 - 1e-6)) return true;
        const double d = solids_distance(&s->sim.solids, *x, t, &c); /* the normal of a mesh is dear */
        if (!(d > -s->walls.soft) || c.slip == SLIP_NONE || c.friction > 0) return false;
        *x = v3_madd(*x, clearance - d, c.normal);
        *moved = true;
        const double inward = v3_dot(*v, c.normal), ahead = v3_dot(*rest, c.normal);
        if (inward < 0) *v = v3_madd(*v, -inward, c.normal);
        if (ahead < 0) *rest = v3_madd(*rest, -ahead, c.normal);
    }
    return false;
}

/* Follows a particle's way in pieces that cannot cross a wall: none is thinner than twice a piece
 * (s->soft), so that what is inside of one came in through the nearest face. solids_push_out needs no
 * such promise, and asks the triangles of a mesh again and again for it. */
static bool follow_softly(const grid *s, double t, double clearance, rill_vec3 from, rill_vec3 *x,
                          rill_vec3 *v, bool *moved)
{
    enum { MOST = 32 };
    const double way = v3_distance(from, *x), pieces = fmax(ceil(way / s->walls.soft), 1);
    if (!(pieces <= MOST)) return false;
    *moved = false;
    const double end = solids_distance(&s->sim.solids, *x, t, NULL);
    if (end >= clearance && way <= end) return true; /* the common case */
    rill_vec3 at = from, rest = v3_sub(*x, from), speed = *v;
    for (int k = 0; k < (int)pieces; k++) {
        const rill_vec3 step = v3_scale(rest, 1 / (pieces - k));
        rest = v3_sub(rest, step);
        at = v3_add(at, step);
        if (!set_out(s, t, clearance, &at, &speed, &rest, moved)) return false;
    }
    if (!*moved) return true; /* where it was going */
    *x = at;
    *v = speed;
    return true;
}

/* As solids_push_out from `from` at the step's start, or, with from == *x, at its end. */
static bool push_out(const grid *s, double since, double t, double clearance, rill_vec3 from, rill_vec3 *x,
                     rill_vec3 *v)
{
    bool moved;
    if (s->walls.soft > 0 && follow_softly(s, t, clearance, from, x, v, &moved)) return moved;
    return solids_push_out(&s->sim.solids, since, t, clearance, from, x, v);
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
    if (!push_out(s, s->sim.time, t, m, from, x, v)) return;
    const rill_vec3 back = v3_sub(*x, to);
    const double length = v3_length(back), most = 0.5 * s->h;
    const rill_vec3 inside = *x;
    rill_vec3 mirrored = v3_madd(*x, length > most ? most / length : 1, back), rest = *v;
    push_out(s, t, t, m, inside, &mirrored, &rest);
    *x = mirrored;
}

/* Particles that came to lie on each other move as one for ever: in cells that hold twice
 * what they can, each is put a little aside, by its own random numbers. */
static rill_vec3 spread(const grid *s, uint32_t i, rill_vec3 x)
{
    const bool flat = s->tiles.layers == 1;
    const random4 r = random_at(2, s->particles.id[i], (uint32_t)s->sim.step, 0),
                  q = random_at(2, s->particles.id[i], (uint32_t)s->sim.step, 1);
    const double most = 0.5 * s->h;
    return v3_madd(x, most,
                   v3(random_unit(r.v[0], r.v[1]) - 0.5, random_unit(r.v[2], r.v[3]) - 0.5,
                      flat ? 0 : random_unit(q.v[0], q.v[1]) - 0.5));
}

static inline rill_vec3 vec3_of(point p)
{
    float v[4];
    _mm_storeu_ps(v, p);
    return v3(v[0], v[1], v[2]);
}

/* What a tile's particles see. */
typedef struct {
    velocity_block now, before; /* without the frame */
    velocity_block seen;        /* from where nothing moves */
    bool affine, flip;
} tile_view;

/* The velocity particle i gets at x, and, in *u, that of the grid there: [Jiang15]'s with its
 * gradients, [Zhu05]'s change, or the grid's own. */
static inline rill_vec3 velocity_given(const move_job *j, const tile_view *k, uint32_t i, point x, point *u)
{
    grid *s = j->s;
    const int d = s->tiles.dimensions;
    if (k->affine) {
        float c[12] = {0};
        point given = *u = gradients_at(&k->now, x, c);
        if (j->reflected) {
            float old[12] = {0};
            given = 2 * given - gradients_at(&k->before, x, old);
            for (int a = 0; a < 9; a++) c[a] = 2 * c[a] - old[a];
        }
        for (int a = 0; a < d; a++)
            for (int b = 0; b < d; b++) s->affine[3 * a + b][i] = c[3 * a + b];
        return v3_add(s->frame, vec3_of(given));
    }
    *u = velocity_at(&k->now, x);
    if (!k->flip) return v3_add(s->frame, vec3_of(*u)); /* a marker */
    const point old = velocity_at(&k->before, x), change = (j->reflected ? 2.0f : 1.0f) * (*u - old);
    const rill_vec3 moved = v3_add(s->particles.velocity[i], v3_add(s->step.gain, vec3_of(change))),
                    full = v3_add(s->frame, vec3_of(old + change));
    return v3_add(v3_scale(moved, s->def.flip), v3_scale(full, 1 - s->def.flip));
}

/* What a cell means to its particles. */
typedef enum cell_state {
    CELL_PLAIN,
    CELL_CROWDED, /* it has too many */
    CELL_SPRAY    /* markers: there is no liquid that would carry them */
} cell_state;

/* Markers away from the liquid: the velocity there is that of the nearest liquid, continued, and
 * would hold them up. They fly. */
static bool away_from_liquid(const grid *s, uint32_t tile, int c)
{
    if (s->field.phi[(size_t)tile * (size_t)s->tiles.cells + (size_t)c] < 0) return false;
    for (int b = 0; b < 2 * s->tiles.dimensions; b++) {
        int at[3] = {c % 8, c / 8 % 8, c / 64};
        at[b / 2] += b % 2 ? 1 : -1;
        const size_t i = grid_cell_near(&s->tiles, tile, at[0], at[1], at[2]);
        if (i != SIZE_MAX && s->field.phi[i] < 0) return false;
    }
    return true;
}

static cell_state state_of(const move_job *j, uint32_t tile, int c)
{
    const grid *s = j->s;
    const uint8_t crowd = s->field.crowd[(size_t)tile * (size_t)s->tiles.cells + (size_t)c];
    if (crowd && s->def.surface != GRID_PARTICLES && away_from_liquid(s, tile, c)) return CELL_SPRAY;
    return crowd > j->crowded ? CELL_CROWDED : CELL_PLAIN;
}

/* The particles of a cell or tile from `begin` to `end`. */
static inline void move_run(const move_job *j, const tile_view *k, uint32_t tile, uint32_t begin,
                            uint32_t end, cell_state state, grid_figures *f)
{
    grid *s = j->s;
    particles *p = &s->particles;
    const int d = s->tiles.dimensions;
    const rill_vec3 corner = grid_tile_corner(&s->tiles, tile);
    const double inverse = 1 / s->h;
    const float step = (float)(j->dt / s->h), shift = (float)j->halo;
    const uint8_t walled = s->field.walled[tile];
    for (uint32_t i = begin; i < end; i++) {
        const rill_vec3 from = p->position[i], y = v3_scale(v3_sub(from, corner), inverse);
        const point x = point_of((float)y.x + shift, (float)y.y + shift, d == 2 ? 0 : (float)y.z + shift);
        point u;
        rill_vec3 v, to;
        if (state == CELL_SPRAY) {
            v = v3_madd(p->velocity[i], j->dt, j->down);
            to = v3_madd(from, 0.5 * j->dt, v3_add(p->velocity[i], v));
        } else {
            v = velocity_given(j, k, i, x, &u);
            if (s->field.shift[0])
                u = velocity_at(&k->seen, x);
            else
                u += k->seen.frame;
            const point mean = trace(&k->seen, s->def.integrator, x, step, u);
            to = v3_madd(from, j->dt, vec3_of(mean));
            if (state == CELL_CROWDED) to = spread(s, i, to);
        }
        collide(j, walled, from, &to, &v);
        p->position[i] = to;
        p->velocity[i] = v;
        const double speed2 = v3_dot(v, v);
        f->kinetic += speed2;
        f->potential -= v3_dot(j->down, to);
        f->speed2 = speed2 > f->speed2 ? speed2 : f->speed2;
    }
}

static tile_view view_tile(const move_job *j, uint32_t tile, int worker)
{
    const grid *s = j->s;
    float *copy = j->copy + (size_t)worker * j->copy_size;
    tile_view k = {.affine = s->affine[0] != NULL,
                   .flip = s->def.transfer == GRID_FLIP && s->field.before[0]};
    load_velocity(j, tile, s->field.u, copy, &k.now);
    if (k.flip || j->reflected) load_velocity(j, tile, s->field.before, copy + j->copy_size / 3, &k.before);
    k.seen = k.now;
    if (s->field.shift[0]) {
        float *to = copy + j->copy_size * 2 / 3;
        load_velocity(j, tile, s->field.shift, to, &k.seen);
        const size_t size = (size_t)(k.seen.d * grid_block_size(&s->tiles, j->halo));
        for (size_t i = 0; i < size; i++) to[i] += copy[i];
    }
    k.seen.frame =
        point_of((float)s->frame.x, (float)s->frame.y, s->tiles.dimensions == 2 ? 0 : (float)s->frame.z);
    return k;
}

static void move_cores(void *arg, size_t begin, size_t end, int worker)
{
    const move_job *j = arg;
    const grid *s = j->s;
    const size_t cells = (size_t)s->tiles.cells;
    for (size_t core = begin; core < end; core++) {
        const uint32_t tile = s->bin.tile_of[core], *first = s->bin.first + core * cells;
        const tile_view k = view_tile(j, tile, worker);
        grid_figures f = {0};
        for (size_t c = 0; c < cells; c++)
            move_run(j, &k, tile, first[c], first[c + 1], state_of(j, tile, (int)c), &f);
        s->step.figures[core] = f;
    }
}

/* New particles (reseed.c) have no velocity yet: they take the grid's. */
static void move_seeds(void *arg, size_t begin, size_t end, int worker)
{
    const move_job *j = arg;
    const grid *s = j->s;
    for (size_t t = begin; t < end; t++) {
        const uint32_t first = (uint32_t)s->narrow.seeds;
        if (s->narrow.seed[t + 1] == s->narrow.seed[t]) continue;
        tile_view k = view_tile(j, (uint32_t)t, worker);
        grid_figures f = {0}; /* their cells have been counted */
        k.flip = false;
        move_run(j, &k, (uint32_t)t, first + s->narrow.seed[t], first + s->narrow.seed[t + 1], CELL_PLAIN,
                 &f);
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

double grid_fastest_of(grid *s, const grid_tiles *t, const float *const u[3], rill_vec3 frame)
{
    double most = 0;
    for (int a = 0; a < t->dimensions; a++) {
        fastest_arg arg = {u[a]};
        const double seen = parallel_max(s->sim.ctx, grid_cell_count(t), fastest, &arg);
        most = fmax(most, seen + fabs(v3_axis(frame, a)));
    }
    return most;
}

double grid_fastest(grid *s, const float *const u[3])
{
    return grid_fastest_of(s, &s->tiles, u, s->frame);
}

/* Cells around a tile that anything in it can see in the step. */
static int halo_needed(grid *s, double dt)
{
    const float *const u[3] = {s->field.u[0], s->field.u[1], s->field.u[2]};
    double speed = grid_fastest(s, u);
    if (s->field.shift[0]) {
        const float *const more[3] = {s->field.shift[0], s->field.shift[1], s->field.shift[2]};
        speed += grid_fastest_of(s, &s->tiles, more, v3(0, 0, 0));
    }
    const double cells = ceil(speed * dt / s->h) + 2;
    return cells < GRID_MOST_HALO ? (int)cells : GRID_MOST_HALO;
}

/* Steps need not be so short that the last drop of spray crosses no more cells than it should:
 * the speed that no tile exceeds but such as have a thousandth of the particles together, or
 * half the largest, so that nothing goes farther than tiles are copied. */
static double pace_of(const grid *s, uint32_t *order)
{
    const size_t n = s->bin.core.count;
    for (size_t c = 0; c < n; c++) order[c] = (uint32_t)c;
    size_t left = s->particles.count / 1000;
    double pace = 0;
    /* the fastest first, a few: they are found one by one */
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t c = k + 1; c < n; c++)
            if (s->step.figures[order[c]].speed2 > s->step.figures[order[best]].speed2) best = c;
        const uint32_t core = order[best];
        order[best] = order[k];
        order[k] = core;
        pace = sqrt(s->step.figures[core].speed2);
        const size_t own = grid_core_begin(s, core + 1) - grid_core_begin(s, core);
        if (own > left || k > 200) break;
        left -= own;
    }
    return fmax(pace, 0.5 * s->max_speed);
}

static void sum_up(grid *s, uint32_t *order, rill_step_stats *stats)
{
    grid_figures all = s->narrow.deep_figures;
    for (size_t c = 0; c < s->bin.core.count; c++) {
        all.kinetic += s->step.figures[c].kinetic;
        all.potential += s->step.figures[c].potential;
        all.speed2 = fmax(all.speed2, s->step.figures[c].speed2);
    }
    const double mass = s->volume * s->sim.scene->fluid.density;
    /* a sum keeps a NaN that a maximum loses */
    s->max_speed = isfinite(all.kinetic) ? sqrt(all.speed2) : all.kinetic;
    const bool steady = isfinite(s->max_speed) && s->def.surface == GRID_PARTICLES;
    s->pace = steady ? pace_of(s, order) : s->max_speed;
    s->halved = steady && grid_is_packed(s);
    stats->kinetic = 0.5 * mass * all.kinetic;
    stats->potential = mass * all.potential;
    stats->max_speed = s->max_speed;
}

rill_status grid_move(grid *s, double dt, bool reflected, rill_step_stats *stats)
{
    move_job j = {.s = s,
                  .reflected = reflected,
                  .dt = dt,
                  .clearance = 0.05 * s->h,
                  .down = scene_gravity(s->sim.scene, s->sim.time + dt),
                  .halo = halo_needed(s, dt),
                  .crowded = s->tiles.layers == 1 ? 8 : 16};
    const size_t block = (size_t)(s->tiles.dimensions * grid_block_size(&s->tiles, j.halo));
    j.copy_size = 3 * ((block + 31) / 16 * 16);
    uint32_t *order;
    TRY(ARENA_NEW(&s->scratch, order, s->bin.core.count));
    TRY(ARENA_NEW(&s->scratch, j.copy, j.copy_size * (size_t)parallel_workers(s->sim.ctx)));
    parallel_for(s->sim.ctx, s->bin.core.count, 4, move_cores, &j);
    if (grid_narrow(s)) parallel_for(s->sim.ctx, s->tiles.count, 8, move_seeds, &j);
    sum_up(s, order, stats);
    return RILL_OK;
}
