#include "bodies/world.h"

#include <string.h>

/* Of the smallest piece's thickness. */
#define TOUCHING 0.01  /* nearer pieces are in contact */
#define ALLOWED  0.002 /* overlaps that are left alone, so that what rests keeps its contacts */

enum { MOST_SUBSTEPS = 500, MOST_TRIES = 12, MOST_SWEEPS = 100 };

/* ---- places ---- */

/* out = turn m turn^T. */
static void turned_inertia(quaternion turn, const double m[3][3], double out[3][3])
{
    double r[3][3], half[3][3];
    for (int c = 0; c < 3; c++) {
        const rill_vec3 e = quaternion_rotate(turn, v3(c == 0, c == 1, c == 2));
        for (int k = 0; k < 3; k++) r[k][c] = v3_axis(e, k);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            half[i][j] = 0;
            for (int k = 0; k < 3; k++) half[i][j] += r[i][k] * m[k][j];
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            out[i][j] = 0;
            for (int k = 0; k < 3; k++) out[i][j] += half[i][k] * r[j][k];
        }
}

/* The body and its piece as its state says. */
static void apply_state(body_world *w, uint32_t i)
{
    const world_state *s = &w->state[i];
    rigid_body *b = &w->body[i];
    body_piece *p = &w->piece[i];
    b->center = s->center;
    b->velocity = s->velocity;
    b->spin = s->spin;
    turned_inertia(s->turn, (const double(*)[3])w->rest_inertia[i], b->inertia);
    w->limits[i].at = s->limit_at;
    p->pose = solid_pose_moved(&w->rest[i], s->turn, w->rest_center[i], s->center);
    p->center = s->center;
    p->velocity = s->velocity;
    p->spin = s->spin;
    piece_measure(p, w->dimensions);
}

/* Motions that impulses have changed. */
static void read_motions(body_world *w)
{
    for (uint32_t i = 0; i < w->bodies; i++) {
        w->state[i].velocity = w->piece[i].velocity = w->body[i].velocity;
        w->state[i].spin = w->piece[i].spin = w->body[i].spin;
    }
}

void world_set(body_world *w, uint32_t i, const world_state *state)
{
    w->state[i] = *state;
    apply_state(w, i);
}

const struct solid_pose *world_pose(const body_world *w, uint32_t i)
{
    return &w->piece[i].pose;
}

static void place_obstacles(body_world *w, double t)
{
    for (uint32_t k = 0; w->place && k < w->obstacles; k++) {
        body_piece *p = &w->piece[w->bodies + k];
        w->place(w->user, k, t, p);
        piece_measure(p, w->dimensions);
    }
}

/* ---- motion ---- */

/* x for (m) x = b, m symmetric and positive. */
static rill_vec3 solve3(const double m[3][3], rill_vec3 b)
{
    const rill_vec3 r0 = v3(m[0][0], m[0][1], m[0][2]), r1 = v3(m[1][0], m[1][1], m[1][2]),
                    r2 = v3(m[2][0], m[2][1], m[2][2]);
    const rill_vec3 c0 = v3_cross(r1, r2), c1 = v3_cross(r2, r0), c2 = v3_cross(r0, r1);
    const double det = v3_dot(r0, c0);
    if (!(det > 0)) return v3(0, 0, 0);
    return v3_scale(v3_add(v3_add(v3_scale(c0, b.x), v3_scale(c1, b.y)), v3_scale(c2, b.z)), 1 / det);
}

static rill_vec3 times3(const double m[3][3], rill_vec3 a)
{
    return v3(m[0][0] * a.x + m[0][1] * a.y + m[0][2] * a.z, m[1][0] * a.x + m[1][1] * a.y + m[1][2] * a.z,
              m[2][0] * a.x + m[2][1] * a.y + m[2][2] * a.z);
}

/* A displacement and a turn (rad), exact on hinges, pins and slides. */
static void displace(body_world *w, uint32_t i, rill_vec3 way, rill_vec3 turn)
{
    const rigid_body *b = &w->body[i];
    world_state *s = &w->state[i];
    const quaternion q = quaternion_turn(turn);
    if (b->constraint == BODY_HINGED) s->limit_at += v3_dot(turn, b->axis);
    if (b->constraint == BODY_SLIDING) s->limit_at += v3_dot(way, b->axis);
    if (b->constraint == BODY_HINGED || b->constraint == BODY_PINNED)
        s->center = v3_add(b->point, quaternion_rotate(q, v3_sub(s->center, b->point)));
    else
        s->center = v3_add(s->center, way);
    s->turn = quaternion_unit(quaternion_times(q, s->turn));
}

/* Free motion for h seconds. What turns freely keeps its angular momentum (about the pin, if there is one).
 */
static void fly(body_world *w, uint32_t i, double h)
{
    const rigid_body b = w->body[i];
    world_state *s = &w->state[i];
    displace(w, i, v3_scale(s->velocity, h), v3_scale(s->spin, h));
    if (b.constraint == BODY_FREE && !b.planar) {
        double inertia[3][3];
        turned_inertia(s->turn, (const double(*)[3])w->rest_inertia[i], inertia);
        s->spin = solve3((const double(*)[3])inertia, times3(b.inertia, s->spin));
    }
    if (b.constraint == BODY_HINGED || b.constraint == BODY_PINNED)
        s->velocity = v3_cross(s->spin, v3_sub(s->center, b.point));
    apply_state(w, i);
}

/* Takes apart what overlaps, a share of it, before the step begins. */
static rill_status part(body_world *w)
{
    bool deep = false;
    for (uint32_t k = 0; k < w->contacts.count; k++) deep |= w->contacts.contact[k].gap < -ALLOWED * w->size;
    if (!deep) return RILL_OK;
    double(*move)[BODY_FREEDOMS];
    TRY(MEM_NEW(w->ctx, move, w->bodies));
    const rill_status st =
        body_contacts_part(w->ctx, w->piece, &w->contacts, w->body, w->bodies, ALLOWED * w->size, 0.3, move);
    for (uint32_t i = 0; !st && i < w->bodies; i++) {
        displace(w, i, v3(move[i][0], move[i][1], move[i][2]), v3(move[i][3], move[i][4], move[i][5]));
        apply_state(w, i);
    }
    mem_free(w->ctx, move);
    return st;
}

static rill_status find(body_world *w)
{
    return body_contacts_find(w->ctx, w->piece, w->bodies + w->obstacles, w->dimensions, TOUCHING * w->size,
                              &w->contacts);
}

/* All bodies h seconds on from `from`, obstacles to the time after. */
static rill_status step_from(body_world *w, const world_state *from, double t, double h)
{
    memcpy(w->state, from, w->bodies * sizeof *from);
    for (uint32_t i = 0; i < w->bodies; i++) apply_state(w, i);
    for (uint32_t i = 0; i < w->bodies; i++) fly(w, i, h);
    place_obstacles(w, t + h);
    return find(w);
}

/* One substep of at most h, cut where pieces that were apart begin to overlap; returns its length in *h. */
static rill_status step_to_contact(body_world *w, world_state *from, double t, double *h)
{
    memcpy(from, w->state, w->bodies * sizeof *from);
    const double deepest = fmin(w->contacts.nearest, 0) - ALLOWED * w->size;
    const double before = fmin(w->contacts.nearest, TOUCHING * w->size);
    TRY(step_from(w, from, t, *h));
    for (int tries = 0; tries < MOST_TRIES && w->contacts.nearest < deepest; tries++) {
        /* where the gap, taken as linear, is half of what is allowed below that before */
        const double goal = fmin(before, 0) - 0.5 * ALLOWED * w->size;
        const double share = (before - goal) / (before - w->contacts.nearest);
        *h *= fmin(fmax(share, 0.1), 0.9);
        TRY(step_from(w, from, t, *h));
    }
    return RILL_OK;
}

static bool approaching(const body_world *w, double slower)
{
    for (uint32_t k = 0; k < w->contacts.count; k++) {
        const body_contact *c = &w->contacts.contact[k];
        const rill_vec3 u =
            v3_sub(piece_velocity(&w->piece[c->a], c->x), piece_velocity(&w->piece[c->b], c->x));
        if (v3_dot(u, c->normal) < -slower) return true;
    }
    return false;
}

/* leaning: the motions have the impulses of the guess already. */
static rill_status solve(body_world *w, double dt, double threshold, double tolerance, const double *heavier,
                         bool leaning)
{
    const impulse_def def = {.dt = dt,
                             .threshold = threshold,
                             .sweeps = MOST_SWEEPS,
                             .tolerance = tolerance,
                             .leaning = leaning,
                             .heavier = heavier};
    impulse_report report;
    TRY(body_contacts_solve(w->ctx, w->piece, &w->contacts, w->body, w->limits, w->bodies, &def, &report));
    read_motions(w);
    return RILL_OK;
}

static void forget_impulses(body_world *w)
{
    for (uint32_t k = 0; k < w->contacts.count; k++)
        memset(w->contacts.contact[k].impulse, 0, sizeof w->contacts.contact[k].impulse);
}

/* Collisions within a step. Their impulses are no first guess for resting contacts. */
static rill_status bounce(body_world *w, double dt, double slow)
{
    forget_impulses(w);
    TRY(solve(w, dt, slow, 1e-3 * slow, NULL, false));
    forget_impulses(w);
    return RILL_OK;
}

rill_status world_move(body_world *w, double t, double dt)
{
    w->substeps = 0;
    if (w->bodies == 0) return RILL_OK;
    world_state *from;
    TRY(world_touch(w, t));
    TRY(part(w));
    TRY(MEM_NEW(w->ctx, from, w->bodies));
    rill_status st = RILL_OK;
    const double touching = TOUCHING * w->size, slow = ALLOWED * w->size / dt;
    for (double gone = 0; !st && gone < dt; w->substeps++) {
        double h = dt - gone;
        if (w->substeps < MOST_SUBSTEPS)
            st = body_contacts_safe_time(w->ctx, w->piece, w->bodies + w->obstacles, w->dimensions, touching,
                                         h, &w->contacts, &h);
        const bool last = h >= dt - gone;
        const double wanted = h;
        if (!st) st = step_to_contact(w, from, t + gone, &h);
        if (!st && approaching(w, slow)) st = bounce(w, dt, slow);
        gone = last && h == wanted ? dt : gone + h;
    }
    mem_free(w->ctx, from);
    w->overlap = fmax(0, -w->contacts.nearest);
    return st;
}

void world_push(body_world *w, rill_vec3 gravity, const rill_vec3 *force, const rill_vec3 *torque, double dt)
{
    for (uint32_t i = 0; i < w->bodies; i++) {
        rigid_body *b = &w->body[i];
        double mass[BODY_FREEDOMS][BODY_FREEDOMS], root[BODY_FREEDOMS][BODY_FREEDOMS];
        rigid_body_mass(b, mass);
        if (!rigid_body_root(b, (const double(*)[BODY_FREEDOMS])mass, root)) continue;
        rill_vec3 impulse = v3_scale(gravity, b->mass * dt), turning = {0, 0, 0};
        if (force) impulse = v3_madd(impulse, dt, force[i]);
        if (torque) turning = v3_scale(torque[i], dt);
        rigid_body_push(b, (const double(*)[BODY_FREEDOMS])root, impulse, b->center, turning);
    }
    read_motions(w);
}

rill_status world_settle(body_world *w, double t, double dt, double gravity)
{
    if (w->bodies == 0) return RILL_OK;
    read_motions(w); /* the fluid changed the bodies */
    TRY(world_touch(w, t));
    const double fall = gravity * dt;
    const rill_status st = solve(w, dt, 2 * fall + ALLOWED * w->size / dt, 1e-5 * fall + 1e-9 * w->size / dt,
                                 w->heavier, w->leaning);
    w->leaning = false;
    return st;
}

rill_status world_touch(body_world *w, double t)
{
    place_obstacles(w, t);
    return find(w);
}

rill_status world_lean(body_world *w, double factor)
{
    w->leaning = factor > 0;
    return body_contacts_lean(w->ctx, w->piece, &w->contacts, w->body, w->limits, w->bodies, factor);
}

double world_max_speed(const body_world *w)
{
    double most = 0;
    for (uint32_t i = 0; i < w->bodies; i++)
        most = fmax(most, v3_length(w->body[i].velocity) + v3_length(w->body[i].spin) * w->piece[i].reach);
    return most;
}

/* ---- making ---- */

static rill_status allocate(body_world *w)
{
    rill_ctx *ctx = w->ctx;
    TRY(MEM_NEW_ZERO(ctx, w->body, w->bodies));
    TRY(MEM_NEW_ZERO(ctx, w->state, w->bodies));
    TRY(MEM_NEW_ZERO(ctx, w->limits, w->bodies));
    TRY(MEM_NEW(ctx, w->heavier, w->bodies));
    for (uint32_t i = 0; i < w->bodies; i++) w->heavier[i] = 1;
    TRY(MEM_NEW_ZERO(ctx, w->rest, w->bodies));
    TRY(MEM_NEW_ZERO(ctx, w->rest_center, w->bodies));
    TRY(MEM_NEW_ZERO(ctx, w->rest_inertia, w->bodies));
    return MEM_NEW_ZERO(ctx, w->piece, (size_t)w->bodies + w->obstacles);
}

static rill_status add_body(body_world *w, uint32_t i, const world_body_def *d)
{
    body_piece *p = &w->piece[i];
    *p = (body_piece){.shape = d->shape, .body = i, .friction = d->friction, .restitution = d->restitution};
    w->body[i] = (rigid_body){.mass = d->mass,
                              .constraint = d->constraint,
                              .point = d->point,
                              .axis = d->axis,
                              .planar = w->dimensions == 2};
    w->rest[i] = d->pose;
    w->rest_center[i] = d->center;
    memcpy(w->rest_inertia[i], d->inertia, sizeof d->inertia);
    w->limits[i] = (body_limits){.lower = d->lower, .upper = d->upper};
    w->state[i] = (world_state){quaternion_none(), d->center, d->velocity, d->spin, 0};
    TRY(body_samples_of(w->ctx, d->shape, w->dimensions, &p->samples));
    apply_state(w, i);
    w->size = fmin(w->size, p->thickness);
    return RILL_OK;
}

static rill_status add_obstacle(body_world *w, uint32_t k, const world_obstacle_def *d)
{
    body_piece *p = &w->piece[w->bodies + k];
    *p = (body_piece){.shape = d->shape,
                      .pose = d->pose,
                      .body = CONTACT_FIXED,
                      .friction = d->friction,
                      .restitution = d->restitution,
                      .center = d->pose.translate};
    TRY(body_samples_of(w->ctx, d->shape, w->dimensions, &p->samples));
    piece_measure(p, w->dimensions);
    w->size = fmin(w->size, p->thickness);
    return RILL_OK;
}

rill_status world_create(rill_ctx *ctx, int dimensions, const world_body_def *body, uint32_t bodies,
                         const world_obstacle_def *obstacle, uint32_t obstacles, world_place *place,
                         const void *user, body_world *out)
{
    body_world w = {.ctx = ctx,
                    .dimensions = dimensions,
                    .bodies = bodies,
                    .obstacles = obstacles,
                    .place = place,
                    .user = user,
                    .size = INFINITY,
                    .contacts = {.nearest = INFINITY}};
    rill_status st = allocate(&w);
    for (uint32_t i = 0; !st && i < bodies; i++) st = add_body(&w, i, &body[i]);
    for (uint32_t k = 0; !st && k < obstacles; k++) st = add_obstacle(&w, k, &obstacle[k]);
    if (!isfinite(w.size)) w.size = 1;
    if (st)
        world_clear(&w);
    else
        *out = w;
    return st;
}

void world_clear(body_world *w)
{
    if (!w->ctx) return;
    for (uint32_t i = 0; w->piece && i < w->bodies + w->obstacles; i++)
        body_samples_clear(w->ctx, &w->piece[i].samples);
    body_contacts_clear(w->ctx, &w->contacts);
    mem_free(w->ctx, w->body);
    mem_free(w->ctx, w->state);
    mem_free(w->ctx, w->limits);
    mem_free(w->ctx, w->heavier);
    mem_free(w->ctx, w->rest);
    mem_free(w->ctx, w->rest_center);
    mem_free(w->ctx, w->rest_inertia);
    mem_free(w->ctx, w->piece);
    *w = (body_world){0};
}
