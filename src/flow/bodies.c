#include "flow/bodies.h"

#include "bodies/body_mass.h"

#include <string.h>

static const double degree = 3.14159265358979323846 / 180;

/* ---- from the scene ---- */

/* The solid's mass in its own coordinates to the world: out = rows^T m rows, scaled. */
static void world_inertia(const struct solid_pose *p, const double m[3][3], double factor, double out[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++) sum += v3_axis(p->row[k], i) * m[k][l] * v3_axis(p->row[l], j);
            out[i][j] = factor * sum;
        }
}

bool bodies_mass(const rill_scene *scene, const solids *walls, uint32_t solid, world_body_def *out)
{
    const scene_solid *s = &scene->solids[solid];
    solid_place storage;
    const struct solid_pose *pose = &solids_place_at(walls, solid, -scene->time.preroll, &storage)->pose;
    mass_moments m;
    if (!mass_of_shape(&s->shape, walls->dimensions, &m)) return false;
    const double volume = m.volume * pow(pose->scale, walls->dimensions);
    const double mass = s->body.mass > 0 ? s->body.mass : s->body.density * volume;
    *out = (world_body_def){.shape = &s->shape,
                            .pose = *pose,
                            .mass = mass,
                            .center = solid_to_world(pose, m.center),
                            .friction = s->contact.friction,
                            .restitution = s->contact.restitution,
                            .lower = 1,
                            .upper = -1};
    const rill_vec3 given = s->body.inertia;
    if (given.x > 0 || given.y > 0 || given.z > 0) {
        const double own[3][3] = {{given.x, 0, 0}, {0, given.y, 0}, {0, 0, given.z}};
        world_inertia(pose, own, 1, out->inertia);
    } else {
        world_inertia(pose, (const double(*)[3])m.inertia, mass / m.volume * pose->scale * pose->scale,
                      out->inertia);
    }
    return true;
}

static void set_limits(world_body_def *d, const double limits[2], double unit)
{
    if (limits[0] == 0 && limits[1] == 0) return;
    d->lower = limits[0] * unit;
    d->upper = limits[1] * unit;
}

/* Joint and motion at the start, world. */
static void set_joint(const scene_body *b, int dimensions, world_body_def *d)
{
    d->velocity = b->velocity;
    d->spin = dimensions == 2 ? v3(0, 0, b->spin.z) : b->spin;
    if (b->hinged) {
        const rill_vec3 axis = dimensions == 2 ? v3(0, 0, 1) : b->hinge.axis;
        d->constraint = BODY_HINGED;
        d->point = solid_to_world(&d->pose, b->hinge.point);
        d->axis = v3_unit(solid_turned_back(&d->pose, axis));
        set_limits(d, b->hinge.limits, degree);
    } else if (b->pinned) {
        d->constraint = BODY_PINNED;
        d->point = solid_to_world(&d->pose, b->pin.point);
    } else if (b->sliding) {
        d->constraint = BODY_SLIDING;
        d->axis = v3_unit(solid_turned_back(&d->pose, b->slide.axis));
        set_limits(d, b->slide.limits, 1);
    }
    rigid_body r = {.constraint = d->constraint,
                    .point = d->point,
                    .axis = d->axis,
                    .center = d->center,
                    .planar = dimensions == 2};
    const double motion[BODY_FREEDOMS] = {d->velocity.x, d->velocity.y, d->velocity.z,
                                          d->spin.x,     d->spin.y,     d->spin.z};
    rigid_body_set_motion(&r, motion);
    d->velocity = r.velocity;
    d->spin = r.spin;
}

static void place_obstacle(const void *user, uint32_t k, double t, body_piece *piece)
{
    const body_set *b = user;
    const uint32_t i = b->obstacle[k];
    if (i >= SOLID_DOMAIN || !solid_moves(b->solids, i)) return;
    solid_place storage;
    const solid_place *p = solids_place_at(b->solids, i, t, &storage);
    piece->pose = p->pose;
    piece->velocity = p->velocity;
    piece->spin = p->spin;
    piece->center = p->center;
}

static rill_status count_pieces(rill_ctx *ctx, const rill_scene *scene, body_set *b)
{
    const uint32_t most = scene->solid_count + SIDE_COUNT;
    for (uint32_t i = 0; i < scene->solid_count; i++) b->count += scene->solids[i].is_body;
    TRY(MEM_NEW(ctx, b->of_solid, scene->solid_count));
    TRY(MEM_NEW(ctx, b->solid, b->count));
    TRY(MEM_NEW(ctx, b->obstacle, most));
    TRY(MEM_NEW_ZERO(ctx, b->side, SIDE_COUNT));
    TRY(MEM_NEW_ZERO(ctx, b->before, b->count));
    TRY(MEM_NEW_ZERO(ctx, b->force, b->count));
    TRY(MEM_NEW_ZERO(ctx, b->host_force, b->count));
    TRY(MEM_NEW_ZERO(ctx, b->host_torque, b->count));
    return MEM_NEW_ZERO(ctx, b->torque, b->count);
}

static rill_status make_bodies(const rill_scene *scene, const solids *walls, body_set *b, world_body_def *def)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < scene->solid_count; i++) {
        b->of_solid[i] = BODY_NONE;
        if (!scene->solids[i].is_body) continue;
        if (!bodies_mass(scene, walls, i, &def[n]))
            return rill_fail(b->world.ctx, RILL_BAD_SCENE, "the body \"%s\" has no volume",
                             scene->solids[i].name);
        set_joint(&scene->solids[i].body, walls->dimensions, &def[n]);
        b->of_solid[i] = n;
        b->solid[n++] = i;
    }
    return RILL_OK;
}

/* Sides of the domain as half spaces, then the solids that are no bodies; returns how many. */
static uint32_t make_obstacles(const rill_scene *scene, const solids *walls, body_set *b,
                               world_obstacle_def *def)
{
    static const struct solid_pose unturned = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}, 1};
    uint32_t n = 0;
    for (int side = 0; side < SIDE_COUNT; side++) {
        const int axis = side_axis(side);
        if (scene->domain.open & 1u << side || axis >= walls->dimensions) continue;
        rill_vec3 normal = {0, 0, 0};
        v3_set_axis(&normal, axis, side % 2 ? -1 : 1);
        b->side[side] = (shape){.kind = SHAPE_PLANE,
                                .flat = {side % 2 ? scene->domain.max : scene->domain.min, normal, 0}};
        b->obstacle[n] = (uint32_t)(SOLID_DOMAIN + side);
        def[n++] = (world_obstacle_def){&b->side[side], unturned, scene->domain.contact.friction,
                                        scene->domain.contact.restitution};
    }
    for (uint32_t i = 0; i < scene->solid_count; i++) {
        if (scene->solids[i].is_body) continue;
        b->obstacle[n] = i;
        def[n++] =
            (world_obstacle_def){&scene->solids[i].shape, walls->rest[i].pose,
                                 scene->solids[i].contact.friction, scene->solids[i].contact.restitution};
    }
    return n;
}

/* Where bodies are during the step of dt that began at t; dt 0: where they stand. */
static void tell_solids(const body_set *b, solids *walls, const world_state *before, double t, double dt)
{
    const body_world *w = &b->world;
    for (uint32_t k = 0; k < b->count; k++) {
        const world_state *from = &before[k], *to = &w->state[k];
        const quaternion back = {from->turn.w, -from->turn.x, -from->turn.y, -from->turn.z};
        struct solid_ride r = {.riding = true, .from = t, .length = dt, .center = from->center};
        r.pose = solid_pose_moved(&w->rest[k], from->turn, w->rest_center[k], from->center);
        r.last = w->piece[k].pose;
        r.way = v3_sub(to->center, from->center);
        r.turning = quaternion_vector(quaternion_times(to->turn, back));
        r.velocity = dt > 0 ? v3_scale(r.way, 1 / dt) : to->velocity;
        r.spin = dt > 0 ? v3_scale(r.turning, 1 / dt) : to->spin;
        walls->ride[b->solid[k]] = r;
    }
}

rill_status bodies_create(rill_ctx *ctx, const rill_scene *scene, solids *walls, body_set *out)
{
    body_set b = {.solids = walls, .world = {.ctx = ctx}};
    world_body_def *def = NULL;
    world_obstacle_def *obstacle = NULL;
    rill_status st = count_pieces(ctx, scene, &b);
    if (!st && b.count == 0) { /* nothing to keep */
        bodies_clear(ctx, &b);
        *out = (body_set){0};
        return RILL_OK;
    }
    if (!st) st = MEM_NEW(ctx, def, b.count);
    if (!st) st = MEM_NEW(ctx, obstacle, (size_t)scene->solid_count + SIDE_COUNT);
    if (!st) st = make_bodies(scene, walls, &b, def);
    if (!st) {
        const uint32_t obstacles = make_obstacles(scene, walls, &b, obstacle);
        st = world_create(ctx, walls->dimensions, def, b.count, obstacle, obstacles, place_obstacle, NULL,
                          &b.world);
    }
    mem_free(ctx, def);
    mem_free(ctx, obstacle);
    if (st) {
        bodies_clear(ctx, &b);
        return st;
    }
    *out = b;
    tell_solids(out, walls, out->world.state, -scene->time.preroll, 0);
    return solids_prepare(ctx, walls, -scene->time.preroll, 0);
}

void bodies_clear(rill_ctx *ctx, body_set *b)
{
    world_clear(&b->world);
    mem_free(ctx, b->solid);
    mem_free(ctx, b->of_solid);
    mem_free(ctx, b->obstacle);
    mem_free(ctx, b->side);
    mem_free(ctx, b->before);
    mem_free(ctx, b->force);
    mem_free(ctx, b->torque);
    mem_free(ctx, b->host_force);
    mem_free(ctx, b->host_torque);
    *b = (body_set){0};
}

/* ---- a step ---- */

/* A body whose motion is written goes as that says until its last key: held, with the motion that takes it
 * there by the end of the step; on a joint, as far as the joint lets it. */
static void carry(body_set *b, const solids *walls, const rill_scene *scene, uint32_t k, double t, double dt)
{
    body_world *w = &b->world;
    const scene_motion *m = &scene->solids[b->solid[k]].motion;
    w->body[k].held = m->count && t < m->key[m->count - 1].t;
    if (!w->body[k].held) return;
    const solid_place to = solids_keyed_place(walls, b->solid[k], t + dt);
    const rill_vec3 center = solid_to_world(&to.pose, solid_to_local(&w->rest[k], w->rest_center[k]));
    world_state s = w->state[k];
    s.velocity = v3_scale(v3_sub(center, s.center), 1 / dt);
    s.spin = v3_scale(solid_pose_turn(world_pose(w, k), &to.pose), 1 / dt);
    if (w->body[k].constraint !=
        BODY_FREE) { /* what the joint does not allow would be asked for again and more */
        rigid_body jointed = w->body[k];
        jointed.held = false;
        rigid_body_set_motion(&jointed,
                              (const double[BODY_FREEDOMS]){s.velocity.x, s.velocity.y, s.velocity.z,
                                                            s.spin.x, s.spin.y, s.spin.z});
        s.velocity = jointed.velocity;
        s.spin = jointed.spin;
    }
    world_set(w, k, &s);
}

rill_status bodies_begin(body_set *b, solids *walls, const rill_scene *scene, double t, double dt)
{
    if (b->count == 0) return RILL_OK;
    b->world.user = b; /* it may have been moved in memory */
    for (uint32_t k = 0; k < b->count; k++) carry(b, walls, scene, k, t, dt);
    memcpy(b->before, b->world.state, b->count * sizeof *b->before);
    TRY(b->late ? world_touch(&b->world, t) : world_move(&b->world, t, dt));
    tell_solids(b, walls, b->before, t, b->late ? 0 : dt);
    world_push(&b->world, scene_gravity(scene, t), b->host_force, b->host_torque, dt);
    memset(b->force, 0, b->count * sizeof *b->force);
    memset(b->torque, 0, b->count * sizeof *b->torque);
    for (uint32_t k = 0; k < b->count; k++) b->world.heavier[k] = 1;
    b->world.leaning = false;
    return RILL_OK;
}

void bodies_push(body_set *b, uint32_t i, rill_vec3 impulse, rill_vec3 torque, double dt)
{
    rigid_body *r = &b->world.body[i];
    double mass[BODY_FREEDOMS][BODY_FREEDOMS], root[BODY_FREEDOMS][BODY_FREEDOMS];
    b->force[i] = v3_madd(b->force[i], 1 / dt, impulse);
    b->torque[i] = v3_madd(b->torque[i], 1 / dt, torque);
    rigid_body_mass(r, mass);
    if (rigid_body_root(r, (const double(*)[BODY_FREEDOMS])mass, root))
        rigid_body_push(r, (const double(*)[BODY_FREEDOMS])root, impulse, r->center, torque);
}

rill_status bodies_end(body_set *b, const rill_scene *scene, double t, double dt)
{
    if (b->count == 0 || b->late) return RILL_OK;
    b->world.user = b;
    b->settled = dt;
    return world_settle(&b->world, t, dt, v3_length(scene_gravity(scene, t)));
}

rill_status bodies_move(body_set *b, solids *walls, const rill_scene *scene, double t, double dt)
{
    if (b->count == 0) return RILL_OK;
    b->settled = dt;
    TRY(world_settle(&b->world, t, dt, v3_length(scene_gravity(scene, t))));
    memcpy(b->before, b->world.state, b->count * sizeof *b->before);
    TRY(world_move(&b->world, t, dt));
    tell_solids(b, walls, b->before, t, dt);
    return RILL_OK;
}

void bodies_stand(body_set *b, solids *walls, double t)
{
    for (uint32_t k = 0; k < b->count; k++) {
        b->world.state[k].velocity = b->world.body[k].velocity;
        b->world.state[k].spin = b->world.body[k].spin;
    }
    tell_solids(b, walls, b->world.state, t, 0);
}

rill_status bodies_lean(body_set *b, double dt, double sign)
{
    if (!(b->settled > 0)) return RILL_OK;
    return world_lean(&b->world, sign * dt / b->settled);
}

/* ---- saving ---- */

enum { STATE_NUMBERS = 14, CONTACT_NUMBERS = 3, CONTACT_WORDS = 3 };

/* The impulses of limits, and the length of the step they held for. */
static rill_status save_limits(const body_set *b, rill_writer *w)
{
    double *held;
    TRY(MEM_NEW(b->world.ctx, held, (size_t)b->count + 1));
    held[0] = b->settled;
    for (uint32_t i = 0; i < b->count; i++) held[1 + i] = b->world.limits[i].impulse;
    const rill_status st = save_chunk(w, "bodies/limits", SAVE_F64, (uint64_t)b->count + 1, held);
    mem_free(b->world.ctx, held);
    return st;
}

static rill_status load_limits(rill_ctx *ctx, body_set *b, rill_reader *r)
{
    double *held;
    bool sound = true;
    TRY(MEM_NEW(ctx, held, (size_t)b->count + 1));
    rill_status st = load_chunk(r, "bodies/limits", SAVE_F64, (uint64_t)b->count + 1, held);
    for (uint32_t i = 0; !st && i <= b->count; i++) sound &= isfinite(held[i]);
    if (!st && !(sound && held[0] >= 0))
        st = rill_fail(ctx, RILL_BAD_FILE, "the impulses of the bodies' limits are not finite");
    if (!st) b->settled = held[0];
    for (uint32_t i = 0; !st && i < b->count; i++) b->world.limits[i].impulse = held[1 + i];
    mem_free(ctx, held);
    return st;
}

rill_status bodies_save(const body_set *b, rill_writer *w)
{
    if (b->count == 0) return RILL_OK;
    const contact_list *c = &b->world.contacts;
    _Static_assert(sizeof(world_state) == STATE_NUMBERS * sizeof(double), "saved as numbers");
    TRY(save_chunk(w, "bodies/state", SAVE_F64, (uint64_t)b->count * STATE_NUMBERS, b->world.state));
    TRY(save_limits(b, w));
    double *impulse = mem_alloc(b->world.ctx, (size_t)c->count * CONTACT_NUMBERS, sizeof *impulse);
    uint32_t *which = mem_alloc(b->world.ctx, (size_t)c->count * CONTACT_WORDS, sizeof *which);
    rill_status st = impulse && which ? RILL_OK : mem_failed(b->world.ctx, c->count, sizeof *impulse);
    for (uint32_t k = 0; !st && k < c->count; k++) {
        memcpy(impulse + (size_t)k * CONTACT_NUMBERS, c->contact[k].impulse, sizeof c->contact[k].impulse);
        which[k * CONTACT_WORDS] = c->contact[k].a;
        which[k * CONTACT_WORDS + 1] = c->contact[k].b;
        which[k * CONTACT_WORDS + 2] = c->contact[k].key;
    }
    if (!st) st = save_chunk(w, "bodies/contacts", SAVE_U32, (uint64_t)c->count * CONTACT_WORDS, which);
    if (!st) st = save_chunk(w, "bodies/impulses", SAVE_F64, (uint64_t)c->count * CONTACT_NUMBERS, impulse);
    mem_free(b->world.ctx, impulse);
    mem_free(b->world.ctx, which);
    return st;
}

static bool state_sound(const double *n)
{
    for (int k = 0; k < STATE_NUMBERS; k++)
        if (!isfinite(n[k])) return false;
    return fabs(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] + n[3] * n[3] - 1) < 1e-6;
}

static rill_status load_contacts(rill_ctx *ctx, body_set *b, rill_reader *r)
{
    uint64_t words = 0, numbers = 0;
    uint32_t *which = NULL;
    double *impulse = NULL;
    contact_list *list = &b->world.contacts;
    TRY(load_count(r, "bodies/contacts", SAVE_U32, &words));
    TRY(load_count(r, "bodies/impulses", SAVE_F64, &numbers));
    const uint64_t count = words / CONTACT_WORDS;
    if (words != count * CONTACT_WORDS || numbers != count * CONTACT_NUMBERS || count > UINT32_MAX / 8)
        return rill_fail(ctx, RILL_BAD_FILE, "the contacts of the bodies are of different lengths");
    rill_status st = MEM_NEW(ctx, which, words);
    if (!st) st = MEM_NEW(ctx, impulse, numbers);
    if (!st) st = load_chunk(r, "bodies/contacts", SAVE_U32, words, which);
    if (!st) st = load_chunk(r, "bodies/impulses", SAVE_F64, numbers, impulse);
    if (!st) st = mem_grow(ctx, &list->contact, sizeof *list->contact, &list->capacity, (size_t)count);
    for (uint32_t k = 0; !st && k < count; k++) {
        body_contact *c = &list->contact[k];
        *c = (body_contact){.a = which[k * CONTACT_WORDS],
                            .b = which[k * CONTACT_WORDS + 1],
                            .key = which[k * CONTACT_WORDS + 2]};
        memcpy(c->impulse, impulse + (size_t)k * CONTACT_NUMBERS, sizeof c->impulse);
    }
    if (!st) list->count = (uint32_t)count;
    mem_free(ctx, which);
    mem_free(ctx, impulse);
    return st;
}

rill_status bodies_load(rill_ctx *ctx, body_set *b, solids *walls, double t, rill_reader *r)
{
    if (b->count == 0) return RILL_OK;
    uint64_t numbers = 0;
    double *state = NULL;
    TRY(load_count(r, "bodies/state", SAVE_F64, &numbers));
    if (numbers != (uint64_t)b->count * STATE_NUMBERS)
        return rill_fail(ctx, RILL_BAD_FILE, "the state is of another number of bodies");
    TRY(MEM_NEW(ctx, state, numbers));
    rill_status st = load_chunk(r, "bodies/state", SAVE_F64, numbers, state);
    for (uint32_t i = 0; !st && i < b->count; i++)
        if (!state_sound(state + (size_t)i * STATE_NUMBERS))
            st = rill_fail(ctx, RILL_BAD_FILE, "the state of body %u is not finite", i);
    if (!st) st = load_limits(ctx, b, r);
    if (!st) st = load_contacts(ctx, b, r);
    for (uint32_t i = 0; !st && i < b->count; i++) {
        world_state s;
        memcpy(&s, state + (size_t)i * STATE_NUMBERS, sizeof s);
        world_set(&b->world, i, &s);
    }
    if (!st) tell_solids(b, walls, b->world.state, t, 0);
    mem_free(ctx, state);
    return st ? st : solids_prepare(ctx, walls, t, 0);
}
