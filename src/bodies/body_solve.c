#include "bodies/body_solve.h"

#include <string.h>

typedef double six[BODY_FREEDOMS];

/* One direction of a contact: the motions it feels, and what a unit impulse along it does. */
typedef struct row {
    six ja, jb; /* speed along it = ja . motion of a - jb . motion of b */
    six wa, wb; /* change of the motions by a unit impulse; zero for obstacles */
    double response;
} row;

typedef struct joint {
    body_contact *c;
    uint32_t a, b;   /* bodies; CONTACT_FIXED: an obstacle */
    row along[3];    /* normal, two tangents */
    double wanted;   /* speed along the normal, at least */
    double drift[3]; /* speed of the obstacle along the rows */
    double first;    /* push at the start */
    bool met;        /* they come together in this step: no push that lasts */
} joint;

typedef struct solving {
    const rigid_body *body;
    six *motion;                                  /* per body */
    double (*root)[BODY_FREEDOMS][BODY_FREEDOMS]; /* per body */
    joint *joint;
    uint32_t joints;
} solving;

static double dot6(const six a, const six b)
{
    double sum = 0;
    for (int k = 0; k < BODY_FREEDOMS; k++) sum += a[k] * b[k];
    return sum;
}

static void add6(six a, double s, const six b)
{
    for (int k = 0; k < BODY_FREEDOMS; k++) a[k] += s * b[k];
}

/* w = root root^T j. */
static void respond(const solving *s, uint32_t body, const six j, six w)
{
    memset(w, 0, sizeof(six));
    for (int c = 0; c < BODY_FREEDOMS; c++) {
        double along = 0;
        for (int r = 0; r < BODY_FREEDOMS; r++) along += s->root[body][r][c] * j[r];
        for (int r = 0; r < BODY_FREEDOMS; r++) w[r] += s->root[body][r][c] * along;
    }
}

static void half_row(const solving *s, uint32_t body, rill_vec3 x, rill_vec3 direction, six j, six w)
{
    memset(j, 0, sizeof(six));
    memset(w, 0, sizeof(six));
    if (body == CONTACT_FIXED) return;
    const rill_vec3 turning = v3_cross(v3_sub(x, s->body[body].center), direction);
    const six is = {direction.x, direction.y, direction.z, turning.x, turning.y, turning.z};
    memcpy(j, is, sizeof is);
    respond(s, body, j, w);
}

static void make_row(const solving *s, const joint *t, rill_vec3 direction, row *out)
{
    half_row(s, t->a, t->c->x, direction, out->ja, out->wa);
    half_row(s, t->b, t->c->x, direction, out->jb, out->wb);
    out->response = dot6(out->ja, out->wa) + dot6(out->jb, out->wb);
    /* At a hinge's axis a response is rounding, and an impulse that divides by it without bound. */
    const double loose = (t->a == CONTACT_FIXED ? 0 : 1 / s->body[t->a].mass) +
                         (t->b == CONTACT_FIXED ? 0 : 1 / s->body[t->b].mass);
    if (out->response < 1e-9 * loose) out->response = 0;
}

static double speed_along(const solving *s, const joint *t, int k)
{
    double speed = -t->drift[k];
    if (t->a != CONTACT_FIXED) speed += dot6(t->along[k].ja, s->motion[t->a]);
    if (t->b != CONTACT_FIXED) speed -= dot6(t->along[k].jb, s->motion[t->b]);
    return speed;
}

static void push(const solving *s, const joint *t, int k, double impulse)
{
    if (t->a != CONTACT_FIXED) add6(s->motion[t->a], impulse, t->along[k].wa);
    if (t->b != CONTACT_FIXED) add6(s->motion[t->b], -impulse, t->along[k].wb);
}

static void make_joint(const solving *s, const body_piece *piece, body_contact *c, joint *out)
{
    const rill_vec3 n = c->normal, other = fabs(n.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0);
    const rill_vec3 u = v3_unit(v3_cross(n, other)), direction[3] = {n, u, v3_cross(n, u)};
    *out = (joint){.c = c, .a = piece[c->a].body, .b = piece[c->b].body};
    const rill_vec3 carried = out->b == CONTACT_FIXED ? piece_velocity(&piece[c->b], c->x) : v3(0, 0, 0);
    for (int k = 0; k < 3; k++) {
        out->drift[k] = v3_dot(carried, direction[k]);
        make_row(s, out, direction[k], &out->along[k]);
    }
}

/* ---- one sweep; returns the largest change of a speed ---- */

static double solve_normal(const solving *s, joint *t)
{
    const double response = t->along[0].response;
    if (!(response > 0)) return 0;
    const double before = t->c->impulse[0];
    const double after = fmax(0, before + (t->wanted - speed_along(s, t, 0)) / response);
    t->c->impulse[0] = after;
    push(s, t, 0, after - before);
    return fabs(after - before) * response;
}

static double solve_friction(const solving *s, joint *t)
{
    const double before[2] = {t->c->impulse[1], t->c->impulse[2]}, most = t->c->friction * t->c->impulse[0];
    double after[2], change = 0;
    for (int k = 0; k < 2; k++) {
        const double response = t->along[1 + k].response;
        after[k] = before[k] - (response > 0 ? speed_along(s, t, 1 + k) / response : 0);
    }
    const double size = sqrt(after[0] * after[0] + after[1] * after[1]);
    for (int k = 0; k < 2; k++) {
        if (size > most) after[k] *= most / size;
        t->c->impulse[1 + k] = after[k];
        push(s, t, 1 + k, after[k] - before[k]);
        change = fmax(change, fabs(after[k] - before[k]) * t->along[1 + k].response);
    }
    return change;
}

/* The freedom that limits act along, and what a unit impulse along it does; false: there are no limits. */
static bool limit_row(const solving *s, uint32_t i, const body_limits *l, six j, six w)
{
    const rigid_body *b = &s->body[i];
    const bool sliding = b->constraint == BODY_SLIDING;
    if (l->lower > l->upper || (!sliding && b->constraint != BODY_HINGED)) return false;
    memset(j, 0, sizeof(six));
    for (int k = 0; k < 3; k++) j[(sliding ? 0 : 3) + k] = v3_axis(b->axis, k);
    respond(s, i, j, w);
    return true;
}

/* The limits of hinges and slides, as contacts along their one freedom. */
static double solve_limit(const solving *s, uint32_t i, body_limits *l, double dt)
{
    six j, w;
    if (!limit_row(s, i, l, j, w)) return 0;
    const double response = dot6(j, w), speed = dot6(j, s->motion[i]);
    if (!(response > 0)) return 0;
    const double before = l->impulse;
    const double low = fmax(0, before + ((l->lower - l->at) / dt - speed) / response);
    const double high = fmin(0, before + ((l->upper - l->at) / dt - speed) / response);
    const double after = low > 0 ? low : high;
    l->impulse = after;
    add6(s->motion[i], after - before, w);
    return fabs(after - before) * response;
}

static rill_status prepare(rill_ctx *ctx, const body_piece *piece, const contact_list *list,
                           const rigid_body *body, uint32_t bodies, solving *s)
{
    *s = (solving){.body = body, .joints = list->count};
    TRY(MEM_NEW(ctx, s->motion, bodies));
    TRY(MEM_NEW(ctx, s->root, bodies));
    TRY(MEM_NEW(ctx, s->joint, list->count));
    for (uint32_t i = 0; i < bodies; i++) {
        double mass[BODY_FREEDOMS][BODY_FREEDOMS];
        rigid_body_mass(&body[i], mass);
        if (!rigid_body_root(&body[i], mass, s->root[i])) memset(s->root[i], 0, sizeof s->root[i]);
        rigid_body_motion(&body[i], s->motion[i]);
    }
    for (uint32_t k = 0; k < list->count; k++) make_joint(s, piece, &list->contact[k], &s->joint[k]);
    return RILL_OK;
}

static void release(rill_ctx *ctx, solving *s)
{
    mem_free(ctx, s->motion);
    mem_free(ctx, s->root);
    mem_free(ctx, s->joint);
}

/* Speeds wanted, from those before any impulse; then the impulses of the step before. */
static void begin(const solving *s, body_limits *limits, uint32_t bodies, const impulse_def *def)
{
    for (uint32_t k = 0; k < s->joints; k++) {
        joint *t = &s->joint[k];
        const double speed = speed_along(s, t, 0);
        t->first = t->c->impulse[0];
        t->wanted = t->c->gap > 0 ? -t->c->gap / def->dt : 0;
        /* a light body is pressed on by the fluid that it stops, faster than anything falls */
        const bool old = def->leaning && t->first > 0;
        t->met = speed < -def->threshold && speed < t->wanted && !old;
        if (t->met) t->wanted = -t->c->restitution * speed;
    }
    if (def->leaning) return;
    for (uint32_t k = 0; k < s->joints; k++)
        for (int d = 0; d < 3; d++) push(s, &s->joint[k], d, s->joint[k].c->impulse[d]);
    for (uint32_t i = 0; i < bodies; i++) limits[i].impulse = 0;
}

/* The guess for the next step: the changes of the pushes, as many times as large as the masses that they have
 * to stop. */
static void keep_guess(const solving *s, body_limits *limits, const double *limit_first, uint32_t bodies,
                       const double *heavier)
{
    for (uint32_t k = 0; k < s->joints; k++) {
        joint *t = &s->joint[k];
        double factor = t->a == CONTACT_FIXED ? INFINITY : heavier[t->a];
        if (t->b != CONTACT_FIXED) factor = fmin(factor, heavier[t->b]);
        double *const along = &t->c->impulse[0];
        for (int d = 0; d < 3 && t->met; d++) t->c->impulse[d] *= 1e-6; /* a trace: it is no longer new */
        if (!t->met) *along = fmax(0, *along + (factor - 1) * (*along - t->first));
    }
    for (uint32_t i = 0; i < bodies; i++)
        limits[i].impulse += (heavier[i] - 1) * (limits[i].impulse - limit_first[i]);
}

rill_status body_contacts_solve(rill_ctx *ctx, const body_piece *piece, contact_list *list, rigid_body *body,
                                body_limits *limits, uint32_t bodies, const impulse_def *def,
                                impulse_report *report)
{
    solving s;
    double *limit_first = NULL;
    rill_status st = prepare(ctx, piece, list, body, bodies, &s);
    if (!st) st = MEM_NEW(ctx, limit_first, bodies);
    *report = (impulse_report){0};
    if (!st) {
        for (uint32_t i = 0; i < bodies; i++) limit_first[i] = limits[i].impulse;
        begin(&s, limits, bodies, def);
        do {
            report->change = 0;
            for (uint32_t n = 0; n < s.joints; n++) { /* to and fro, so that no side is favoured */
                joint *t = &s.joint[report->sweeps % 2 ? s.joints - 1 - n : n];
                report->change = fmax(report->change, solve_normal(&s, t));
                report->change = fmax(report->change, solve_friction(&s, t));
            }
            for (uint32_t i = 0; i < bodies; i++)
                report->change = fmax(report->change, solve_limit(&s, i, &limits[i], def->dt));
        } while (++report->sweeps < def->sweeps && report->change > def->tolerance);
        for (uint32_t i = 0; i < bodies; i++) rigid_body_set_motion(&body[i], s.motion[i]);
        if (def->heavier) keep_guess(&s, limits, limit_first, bodies, def->heavier);
    }
    mem_free(ctx, limit_first);
    release(ctx, &s);
    return st;
}

rill_status body_contacts_lean(rill_ctx *ctx, const body_piece *piece, contact_list *list, rigid_body *body,
                               body_limits *limits, uint32_t bodies, double factor)
{
    solving s;
    const double before = factor < 0 ? 1 : factor, after = factor < 0 ? -1 / factor : 1,
                 sign = factor < 0 ? -1 : 1;
    const rill_status st = prepare(ctx, piece, list, body, bodies, &s);
    if (!st) {
        for (uint32_t k = 0; k < s.joints; k++)
            for (int d = 0; d < 3; d++) {
                double *const impulse = &s.joint[k].c->impulse[d];
                *impulse *= before;
                push(&s, &s.joint[k], d, sign * *impulse);
                *impulse *= after;
            }
        for (uint32_t i = 0; i < bodies; i++) {
            six j, w;
            limits[i].impulse *= before;
            if (limit_row(&s, i, &limits[i], j, w)) add6(s.motion[i], sign * limits[i].impulse, w);
            limits[i].impulse *= after;
            rigid_body_set_motion(&body[i], s.motion[i]);
        }
    }
    release(ctx, &s);
    return st;
}

/* The same along normals alone, with moves in place of motions: from no move, until the overlap is gone. */
rill_status body_contacts_part(rill_ctx *ctx, const body_piece *piece, const contact_list *list,
                               const rigid_body *body, uint32_t bodies, double allowed, double share,
                               double (*move)[BODY_FREEDOMS])
{
    enum { SWEEPS = 10 };
    solving s;
    const rill_status st = prepare(ctx, piece, list, body, bodies, &s);
    if (!st) {
        for (uint32_t i = 0; i < bodies; i++) memset(s.motion[i], 0, sizeof(six));
        for (uint32_t k = 0; k < s.joints; k++) {
            joint *t = &s.joint[k];
            t->drift[0] = 0;
            t->wanted = share * fmax(0, -t->c->gap - allowed);
        }
        for (int sweep = 0; sweep < SWEEPS; sweep++)
            for (uint32_t k = 0; k < s.joints; k++) {
                const joint *t = &s.joint[k];
                const double lack = t->wanted - speed_along(&s, t, 0);
                if (t->wanted > 0 && lack > 0 && t->along[0].response > 0)
                    push(&s, t, 0, lack / t->along[0].response);
            }
        memcpy(move, s.motion, bodies * sizeof(six));
    }
    release(ctx, &s);
    return st;
}
