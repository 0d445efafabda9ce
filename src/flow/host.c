#include "flow/host.h"

#include "base/parallel.h"

#include <string.h>

rill_status host_create(rill_ctx *ctx, const rill_scene *scene, host **out)
{
    host *h;
    TRY(MEM_NEW_ZERO(ctx, h, 1));
    h->ctx = ctx;
    h->given = scene;
    h->stats = step_stats_none();
    h->dt = h->wall_s = NAN;
    h->scene = *scene;
    h->scene.emitters = NULL;
    rill_status st = MEM_NEW(ctx, h->scene.emitters, scene->emitter_count);
    if (!st) st = MEM_NEW_ZERO(ctx, h->emitter_set, scene->emitter_count);
    if (!st) st = MEM_NEW_ZERO(ctx, h->pose, scene->solid_count);
    if (st) {
        host_destroy(h);
        return st;
    }
    if (scene->emitter_count)
        memcpy(h->scene.emitters, scene->emitters, scene->emitter_count * sizeof *scene->emitters);
    *out = h;
    return RILL_OK;
}

/* A solid moves as the scene says again. */
static void put_back(host_pose *p, struct solid_track *track)
{
    if (p->set) *track = p->keyed;
    p->set = false;
}

void host_let_go(host *h, solids *walls)
{
    for (uint32_t i = 0; h && walls->track && i < walls->count; i++) put_back(&h->pose[i], &walls->track[i]);
}

void host_destroy(host *h)
{
    if (!h) return;
    particles_clear(h->ctx, &h->liquid);
    mem_free(h->ctx, h->scene.emitters);
    mem_free(h->ctx, h->emitter_set);
    mem_free(h->ctx, h->pose);
    mem_free(h->ctx, h);
}

/* ---- changes ---- */

void host_set_gravity(rill_sim *sim, rill_vec3 gravity)
{
    host *h = sim->host;
    if (sim->scene->dimensions == 2) gravity.z = 0;
    h->changed = h->gravity_set = true;
    h->scene.gravity = gravity;
    h->scene.gravity_keys = (keyframes){0};
}

void host_set_force(rill_sim *sim, uint32_t slot, const host_force *force)
{
    host *h = sim->host;
    h->changed = true;
    h->force[slot] = force ? *force : (host_force){.radius = 0};
    if (sim->scene->dimensions == 2) h->force[slot].center.z = h->force[slot].acceleration.z = 0;
}

void host_push_body(rill_sim *sim, uint32_t body, rill_vec3 force, rill_vec3 torque)
{
    sim->host->changed = true;
    sim->bodies.host_force[body] = force;
    sim->bodies.host_torque[body] = torque;
}

/* An emitter's way is its speed times the time since its start (sources.c), and layers follow the way. A new
 * speed therefore moves the start to where the way so far would have begun with it. */
void host_set_emitter(rill_sim *sim, uint32_t emitter, double speed)
{
    host *h = sim->host;
    scene_emitter *e = &h->scene.emitters[emitter];
    const double now = sim->time, until = fmin(now, e->end);
    const double way = until > e->start ? emitter_way(e, e->start, until) : 0;
    h->changed = h->emitter_set[emitter] = true;
    if (speed > 0) {
        e->speed_keys = (keyframes){0};
        e->speed = speed;
        e->start = now - way / speed;
        e->end = SCENE_FOREVER;
    } else if (until > e->start) {
        e->end = until;
    } else { /* it has not begun, and will not */
        e->start = e->end = SCENE_FOREVER;
    }
}

static void take_pose(host_pose *p, struct solid_track *track)
{
    if (!p->set) p->keyed = *track;
    p->set = true;
    track->translate = (keyframes){.key = p->translate, .count = 2};
    track->rotate = (keyframes){.key = p->rotate, .count = 2};
}

void host_pose_at(const rill_sim *sim, uint32_t solid, double t, rill_vec3 *translate, rill_vec3 *rotate)
{
    const struct solid_track *track = &sim->solids.track[solid];
    *translate = keyframes_at(&track->translate, t);
    *rotate = keyframes_at(&track->rotate, t);
}

void host_set_pose(rill_sim *sim, uint32_t solid, rill_vec3 translate, rill_vec3 rotate, double until)
{
    host_pose *p = &sim->host->pose[solid];
    const double now = sim->time;
    rill_vec3 x, angles;
    host_pose_at(sim, solid, now, &x, &angles);
    if (sim->scene->dimensions == 2) {
        translate.z = 0;
        rotate = v3(0, 0, rotate.z);
    }
    sim->host->changed = true;
    take_pose(p, &sim->solids.track[solid]);
    p->translate[0] = (keyframe){now, x};
    p->translate[1] = (keyframe){until, translate};
    p->rotate[0] = (keyframe){now, angles};
    p->rotate[1] = (keyframe){until, rotate};
}

/* ---- forces ---- */

typedef struct {
    const host_force *force;
    particles *p;
    double dt;
} push_job;

static void push_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const push_job *j = arg;
    const host_force *f = j->force;
    const double reach = 1 / (f->radius * f->radius);
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 d = v3_sub(j->p->position[i], f->center);
        const double w = 1 - v3_dot(d, d) * reach;
        if (w > 0) j->p->velocity[i] = v3_madd(j->p->velocity[i], j->dt * w * w, f->acceleration);
    }
}

void host_push(rill_sim *sim, double dt)
{
    enum { BLOCK = 4096 };
    const host *h = sim->host;
    if (!h || !h->changed) return;
    rill_view view = {0};
    sim_view(sim, &view);
    for (uint32_t k = 0; view.particles && k < HOST_FORCES; k++) {
        if (!(h->force[k].radius > 0)) continue;
        push_job j = {.force = &h->force[k], .p = (particles *)(uintptr_t)view.particles, .dt = dt};
        parallel_for(sim->ctx, j.p->count, BLOCK, push_block, &j);
    }
}

/* ---- state ---- */

enum { EMITTER_VALUES = 4, POSE_VALUES = 15, FORCE_VALUES = 7, BODY_VALUES = 6 };
/* An emitter: as given; closed, its keyframes as given; at a speed of the host's, perhaps closed since. */
enum { KEEPS_ALL, KEEPS_KEYS, HAS_SPEED };

static void pack_vec(double *out, rill_vec3 v)
{
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}
static rill_vec3 unpack_vec(const double *in)
{
    return v3(in[0], in[1], in[2]);
}

static void pack_pose(double *out, const host_pose *p)
{
    memset(out, 0, POSE_VALUES * sizeof *out);
    if (!p->set) return;
    out[0] = 1;
    out[1] = p->translate[0].t;
    out[2] = p->translate[1].t;
    for (int k = 0; k < 2; k++) {
        pack_vec(out + 3 + 6 * k, p->translate[k].value);
        pack_vec(out + 6 + 6 * k, p->rotate[k].value);
    }
}

static void unpack_pose(const double *in, host_pose *p)
{
    for (int k = 0; k < 2; k++) {
        p->translate[k] = (keyframe){in[1 + k], unpack_vec(in + 3 + 6 * k)};
        p->rotate[k] = (keyframe){in[1 + k], unpack_vec(in + 6 + 6 * k)};
    }
}

static rill_status save_lists(const rill_sim *sim, rill_writer *w, double *value)
{
    const host *h = sim->host;
    const uint32_t emitters = h->scene.emitter_count, solid_count = h->scene.solid_count;
    for (uint32_t i = 0; i < emitters; i++) {
        const scene_emitter *e = &h->scene.emitters[i];
        const double kind = !h->emitter_set[i] ? KEEPS_ALL : e->speed_keys.count ? KEEPS_KEYS : HAS_SPEED;
        const double v[EMITTER_VALUES] = {kind, e->start, e->end, e->speed};
        memcpy(value + (size_t)i * EMITTER_VALUES, v, sizeof v);
    }
    TRY(save_chunk(w, "host.emitters", SAVE_F64, (uint64_t)emitters * EMITTER_VALUES, value));
    for (uint32_t i = 0; i < solid_count; i++) pack_pose(value + (size_t)i * POSE_VALUES, &h->pose[i]);
    TRY(save_chunk(w, "host.poses", SAVE_F64, (uint64_t)solid_count * POSE_VALUES, value));
    for (uint32_t i = 0; i < HOST_FORCES; i++) {
        double *v = value + (size_t)i * FORCE_VALUES;
        pack_vec(v, h->force[i].center);
        pack_vec(v + 3, h->force[i].acceleration);
        v[6] = h->force[i].radius;
    }
    TRY(save_chunk(w, "host.forces", SAVE_F64, HOST_FORCES * FORCE_VALUES, value));
    for (uint32_t i = 0; i < sim->bodies.count; i++) {
        pack_vec(value + (size_t)i * BODY_VALUES, sim->bodies.host_force[i]);
        pack_vec(value + (size_t)i * BODY_VALUES + 3, sim->bodies.host_torque[i]);
    }
    return save_chunk(w, "host.bodies", SAVE_F64, (uint64_t)sim->bodies.count * BODY_VALUES, value);
}

/* Memory for the largest of the lists. */
static size_t list_values(const host *h)
{
    const size_t e = (size_t)h->scene.emitter_count * EMITTER_VALUES,
                 s = (size_t)h->scene.solid_count * POSE_VALUES, f = HOST_FORCES * FORCE_VALUES;
    return e > s ? (e > f ? e : f) : (s > f ? s : f);
}

rill_status host_save(const rill_sim *sim, rill_writer *w)
{
    const host *h = sim->host;
    if (!h || !h->changed) return RILL_OK;
    double *value = NULL;
    rill_status st = MEM_NEW(sim->ctx, value, list_values(h));
    const double head[6] = {sim->speed_limit,   h->gravity_set,     h->scene.gravity.x,
                            h->scene.gravity.y, h->scene.gravity.z, (double)h->added};
    if (!st) st = save_chunk(w, "host", SAVE_F64, 6, head);
    if (!st) st = save_lists(sim, w, value);
    if (!st) st = particles_save(&h->liquid, "host.liquid", w);
    mem_free(sim->ctx, value);
    return st;
}

/* The scene as it was given. */
static void forget(rill_sim *sim)
{
    host *h = sim->host;
    if (!h->changed) return;
    h->scene.gravity = h->given->gravity;
    h->scene.gravity_keys = h->given->gravity_keys;
    h->gravity_set = false;
    for (uint32_t i = 0; i < h->scene.emitter_count; i++) {
        h->scene.emitters[i] = h->given->emitters[i];
        h->emitter_set[i] = false;
    }
    for (uint32_t i = 0; i < h->scene.solid_count; i++) put_back(&h->pose[i], &sim->solids.track[i]);
    memset(h->force, 0, sizeof h->force);
    for (uint32_t i = 0; i < sim->bodies.count; i++)
        sim->bodies.host_force[i] = sim->bodies.host_torque[i] = (rill_vec3){0, 0, 0};
    h->liquid.count = 0;
    h->added = 0;
    h->changed = false;
    sim->speed_limit = h->limit;
}

static rill_status damaged(const rill_sim *sim, const char *what)
{
    return rill_fail(sim->ctx, RILL_BAD_FILE, "saved state: %s that a host set cannot be; it is damaged",
                     what);
}

static rill_status load_bodies(rill_sim *sim, rill_reader *r, double *value)
{
    body_set *b = &sim->bodies;
    TRY(load_chunk(r, "host.bodies", SAVE_F64, (uint64_t)b->count * BODY_VALUES, value));
    for (uint32_t i = 0; i < b->count; i++) {
        b->host_force[i] = unpack_vec(value + (size_t)i * BODY_VALUES);
        b->host_torque[i] = unpack_vec(value + (size_t)i * BODY_VALUES + 3);
        if (!v3_finite(b->host_force[i]) || !v3_finite(b->host_torque[i]))
            return damaged(sim, "the force on a body");
    }
    return RILL_OK;
}

static rill_status load_lists(rill_sim *sim, rill_reader *r, double *value)
{
    host *h = sim->host;
    const uint32_t emitters = h->scene.emitter_count, solid_count = h->scene.solid_count;
    TRY(load_chunk(r, "host.emitters", SAVE_F64, (uint64_t)emitters * EMITTER_VALUES, value));
    for (uint32_t i = 0; i < emitters; i++) {
        const double *v = value + (size_t)i * EMITTER_VALUES;
        if (v[0] == KEEPS_ALL) continue;
        if (!isfinite(v[1]) || !isfinite(v[2]) || !(v[3] >= 0) || isinf(v[3]))
            return damaged(sim, "an emitter");
        scene_emitter *e = &h->scene.emitters[i];
        if (v[0] == HAS_SPEED) e->speed_keys = (keyframes){0};
        h->emitter_set[i] = true;
        e->start = v[1], e->end = v[2], e->speed = v[3];
    }
    TRY(load_chunk(r, "host.poses", SAVE_F64, (uint64_t)solid_count * POSE_VALUES, value));
    for (uint32_t i = 0; i < solid_count; i++) {
        const double *v = value + (size_t)i * POSE_VALUES;
        if (!(v[0] == 1)) continue;
        for (int k = 1; k < POSE_VALUES; k++)
            if (!isfinite(v[k])) return damaged(sim, "a pose");
        if (!(v[2] > v[1]) || sim->solids.track[i].translate.count == 0) return damaged(sim, "a pose");
        take_pose(&h->pose[i], &sim->solids.track[i]);
        unpack_pose(v, &h->pose[i]);
    }
    TRY(load_chunk(r, "host.forces", SAVE_F64, HOST_FORCES * FORCE_VALUES, value));
    for (uint32_t i = 0; i < HOST_FORCES; i++) {
        const double *v = value + (size_t)i * FORCE_VALUES;
        const host_force f = {unpack_vec(v), unpack_vec(v + 3), v[6]};
        if (!v3_finite(f.center) || !v3_finite(f.acceleration) || !(f.radius >= 0) || isinf(f.radius))
            return damaged(sim, "a force");
        h->force[i] = f;
    }
    return load_bodies(sim, r, value);
}

static rill_status load_head(rill_sim *sim, rill_reader *r)
{
    host *h = sim->host;
    double head[6];
    TRY(load_chunk(r, "host", SAVE_F64, 6, head));
    const rill_vec3 gravity = unpack_vec(head + 2);
    if (!(head[0] > 0) || !v3_finite(gravity) || !(head[5] >= 0 && head[5] < 1e15))
        return damaged(sim, "gravity or a limit");
    sim->speed_limit = head[0];
    if (head[1] == 1) host_set_gravity(sim, gravity);
    h->added = (uint64_t)head[5];
    return RILL_OK;
}

rill_status host_load(rill_sim *sim, rill_reader *r)
{
    host *h = sim->host;
    uint64_t count = 0;
    char message[sizeof sim->ctx->message];
    memcpy(message, sim->ctx->message, sizeof message);
    const bool there = load_count(r, "host", SAVE_F64, &count) == RILL_OK;
    if (!there) memcpy(sim->ctx->message, message, sizeof message); /* its absence is no failure */
    if (!h)                                                         /* not started by sim_start */
        return there ? rill_fail(sim->ctx, RILL_USAGE, "saved state: a host changed this simulation")
                     : RILL_OK;
    forget(sim);
    if (!there) return RILL_OK;
    h->changed = true;
    double *value = NULL;
    rill_status st = MEM_NEW(sim->ctx, value, list_values(h));
    if (!st) st = load_head(sim, r);
    if (!st) st = load_lists(sim, r, value);
    if (!st) st = particles_load(sim->ctx, &h->liquid, "host.liquid", r);
    mem_free(sim->ctx, value);
    return st;
}
