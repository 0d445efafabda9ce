/* Emitters, drains, open sides.
 *
 * An emitter gives one layer each time the integral of its speed has gone one layer's thickness
 * farther: the slab that is then complete in front of its plane, with its particles in the slab's
 * middle. How far it has gone is a function of time, not a sum of steps, so that counts
 * do not depend on the steps, however the speed varies.
 *
 * A lattice of one spacing does not fill a circle: its places are moved apart, or together,
 * until their squares make up the whole cross-section, and layers are as much thinner, or
 * thicker. Each particle then has its volume, and the flow is speed times cross-section. */
#include "flow/sources.h"

#include "base/parallel.h"
#include "flow/colors.h"
#include "geom/search/nearest.h"

enum { BLOCK = 4096 };
enum { STAYS, DRAINED, LEFT };

/* --- layers --- */

void span_plane(rill_vec3 d, int dimensions, rill_vec3 *u, rill_vec3 *v)
{
    if (dimensions == 2) {
        *u = v3(-d.y, d.x, 0);
        *v = v3(0, 0, 0);
        return;
    }
    const double ax = fabs(d.x), ay = fabs(d.y), az = fabs(d.z);
    const rill_vec3 e = ay <= ax && ay <= az ? v3(0, 1, 0) : ax <= az ? v3(1, 0, 0) : v3(0, 0, 1);
    *u = shape_unit(v3_madd(e, -v3_dot(e, d), d));
    *v = v3_cross(d, *u);
}

/* Half the width of a box along a direction. */
static double half_width(rill_box b, rill_vec3 u)
{
    const rill_vec3 h = v3_scale(box_size(b), 0.5);
    return fabs(u.x) * h.x + fabs(u.y) * h.y + fabs(u.z) * h.z;
}

static bool emits_at(const scene_emitter *e, rill_vec3 x, rill_vec3 center, double spacing)
{
    if (e->shape.kind == SHAPE_DISC) return v3_distance(x, center) <= e->shape.flat.radius + 1e-9 * spacing;
    return shape_distance(&e->shape, x, NULL) <= 1e-9 * spacing;
}

/* Area of the cross-section, in two dimensions its length: of a disc exactly, of other shapes
 * by samples (exact for boxes along the axes). */
static double cross_section(const scene_emitter *e, int dimensions, rill_vec3 center, rill_vec3 u,
                            double wide, rill_vec3 v, double high)
{
    const int across = dimensions == 2 ? 4096 : 256, rows = dimensions == 2 ? 1 : 256;
    const double radius = e->shape.flat.radius;
    if (e->shape.kind == SHAPE_DISC) return dimensions == 2 ? 2 * radius : M_PI * radius * radius;
    double inside = 0;
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < across; i++) {
            const rill_vec3 x = v3_madd(v3_madd(center, wide * ((2 * i + 1.0) / across - 1), u),
                                        high * ((2 * j + 1.0) / rows - 1), v);
            inside += shape_distance(&e->shape, x, NULL) <= 0;
        }
    const double whole = dimensions == 2 ? 2 * wide : 4 * wide * high;
    return whole * inside / ((double)across * rows);
}

/* Moves the places from their lattice so that they make up the cross-section. */
static void fill_section(source_layer *layer, double area, double h, int dimensions, rill_vec3 center)
{
    const double places = layer->count * (dimensions == 2 ? h : h * h);
    layer->thickness = h;
    if (!(area > 0) || fabs(area / places - 1) < 1e-9) return;
    const double apart = dimensions == 2 ? area / places : sqrt(area / places);
    for (uint32_t i = 0; i < layer->count; i++)
        layer->point[i] = v3_madd(center, apart, v3_sub(layer->point[i], center));
    layer->thickness = h * places / area;
}

/* The middle of an emitter and the box around it, cut to the domain where it has no end. */
static rill_box emitter_box(const rill_scene *scene, const scene_emitter *e)
{
    const scene_domain *domain = &scene->domain;
    rill_box b = shape_bounds(&e->shape);
    for (int k = 0; k < 3; k++) {
        if (isinf(v3_axis(b.min, k))) v3_set_axis(&b.min, k, v3_axis(domain->min, k));
        if (isinf(v3_axis(b.max, k))) v3_set_axis(&b.max, k, v3_axis(domain->max, k));
    }
    if (scene->dimensions == 2) b.min.z = b.max.z = 0;
    return b;
}

static rill_status make_layer(rill_ctx *ctx, const rill_scene *scene, uint32_t index, source_layer *out)
{
    const scene_emitter *e = &scene->emitters[index];
    const double h = scene_particle_spacing(scene);
    const bool disc = e->shape.kind == SHAPE_DISC;
    rill_vec3 direction = e->direction;
    if (scene->dimensions == 2) direction.z = 0;
    if (v3_length(direction) == 0 && disc) direction = shape_unit(e->shape.flat.normal);
    if (v3_length(direction) == 0)
        return rill_fail(ctx, RILL_BAD_SCENE,
                         "emitters[%u] has no direction; a disc has its normal, other shapes need "
                         "\"direction\"",
                         index);
    direction = shape_unit(direction);

    const rill_vec3 normal = disc ? shape_unit(e->shape.flat.normal) : direction;
    const double slant = fabs(v3_dot(normal, direction));
    if (slant < 0.05)
        return rill_fail(ctx, RILL_BAD_SCENE,
                         "emitters[%u]: the direction lies in the plane of the disc; turn one of them",
                         index);

    rill_vec3 u, v;
    span_plane(normal, scene->dimensions, &u, &v);
    const rill_box b = emitter_box(scene, e);
    const rill_vec3 center = disc ? e->shape.flat.point : box_center(b);
    const double wide = disc ? e->shape.flat.radius : half_width(b, u),
                 high = disc ? e->shape.flat.radius : half_width(b, v);
    const double columns = fmax(floor(2 * wide / h + 1e-6), 1),
                 rows = scene->dimensions == 2 ? 1 : fmax(floor(2 * high / h + 1e-6), 1);
    if (!(columns * rows <= 1e8))
        return rill_fail(ctx, RILL_BAD_SCENE,
                         "emitters[%u] would give %.3g particles at a time; make it smaller or the spacing "
                         "larger",
                         index, columns * rows);

    source_layer layer = {.direction = direction, .slant = slant};
    TRY(MEM_NEW(ctx, layer.point, (size_t)(columns * rows)));
    for (double j = 0; j < rows; j++)
        for (double i = 0; i < columns; i++) {
            const rill_vec3 x =
                v3_madd(v3_madd(center, (i - 0.5 * (columns - 1)) * h, u), (j - 0.5 * (rows - 1)) * h, v);
            if (emits_at(e, x, center, h)) layer.point[layer.count++] = x;
        }
    if (layer.count == 0) {
        mem_free(ctx, layer.point);
        return rill_fail(ctx, RILL_BAD_SCENE,
                         "emitters[%u]: no particle of spacing %g fits in the cross-section through its "
                         "middle; make it larger or the spacing smaller",
                         index, h);
    }
    const double area = cross_section(e, scene->dimensions, center, u, wide, v, high);
    fill_section(&layer, area, h, scene->dimensions, center);
    *out = layer;
    return RILL_OK;
}

rill_status sources_create(rill_ctx *ctx, const rill_scene *scene, sources *out)
{
    sources s = {.scene = scene};
    rill_status st = MEM_NEW_ZERO(ctx, s.travelled, scene->emitter_count);
    if (!st) st = MEM_NEW_ZERO(ctx, s.layer, scene->emitter_count);
    for (uint32_t i = 0; !st && i < scene->emitter_count; i++) st = make_layer(ctx, scene, i, &s.layer[i]);
    if (st) {
        sources_clear(ctx, &s);
        return st;
    }
    *out = s;
    return RILL_OK;
}

void sources_clear(rill_ctx *ctx, sources *s)
{
    for (uint32_t i = 0; s->layer && i < s->scene->emitter_count; i++) mem_free(ctx, s->layer[i].point);
    mem_free(ctx, s->layer);
    mem_free(ctx, s->travelled);
    *s = (sources){0};
}

/* --- emission --- */

/* How far an emitter has gone by the time t, square to its layers. */
static double gone_by(const sources *s, uint32_t index, double t)
{
    const scene_emitter *e = &s->scene->emitters[index];
    const double until = fmin(t, e->end);
    return until > e->start ? emitter_way(e, e->start, until) * s->layer[index].slant : 0;
}

/* Complete layers; what is short of one by round-off is complete. */
static double layers_in(double travelled, const source_layer *layer)
{
    return floor(travelled / layer->thickness + 1e-9);
}

double sources_gap(const sources *s, uint32_t emitter, const solids *walls, double t)
{
    const source_layer *layer = &s->layer[emitter];
    const double h = s->scene->spacing,
                 facing = 0.3; /* cosine of the least angle that is in front of a wall */
    double gap = 0;
    for (uint32_t i = 0; i < layer->count; i++) {
        solid_contact c;
        const double d = solids_distance(walls, layer->point[i], t, &c);
        if (!(d > -0.5 * h && d < h)) continue;
        const double along = v3_dot(c.normal, layer->direction);
        if (along > facing) gap = fmax(gap, (h - d) / along);
    }
    return gap;
}

/* A layer may reach a wall within the step in which it comes out: its particle is then put somewhere on the
 * free part of its way, so that the flow is not less. False: the way begins in a wall. */
static bool before_wall(const sources *s, const source_layer *layer, const solids *walls, double t,
                        double gap, double way, uint32_t i, double number, rill_vec3 *x)
{
    const double h = scene_particle_spacing(s->scene), golden = 0.6180339887498949;
    const rill_vec3 from = v3_madd(layer->point[i], gap, layer->direction);
    double clear = 0;
    for (int k = 0; k < 64 && clear < way; k++) {
        const double d = solids_distance(walls, v3_madd(from, clear, layer->direction), t, NULL);
        if (!(d > 0.1 * h)) break;
        clear += d;
    }
    if (!(clear > 0)) return false;
    *x = v3_madd(from, fmin(clear, way) * fmod(golden * number, 1), layer->direction);
    return solids_distance(walls, *x, t, NULL) >= 0;
}

static rill_status emit(rill_ctx *ctx, const sources *s, uint32_t index, const solids *walls, double gone,
                        double t, particles *p)
{
    const scene_emitter *e = &s->scene->emitters[index];
    const source_layer *layer = &s->layer[index];
    const double h = layer->thickness, last = layers_in(gone, layer);
    const double until = fmin(t, e->end), speed = emitter_speed(e, until);
    /* Liquid that has come out flows on after the end. */
    const double front = (emitter_way(e, e->start, until) + (t - until) * speed) * layer->slant;
    const double first = layers_in(s->travelled[index], layer),
                 gap = first < last ? sources_gap(s, index, walls, t) : 0;
    for (double k = first; k < last; k++)
        for (uint32_t i = 0; i < layer->count; i++) {
            const double way = (front - (k + 0.5) * h) / layer->slant, age = speed > 0 ? way / speed : 0;
            const rill_vec3 v = v3_madd(v3_scale(layer->direction, speed), age, s->fall);
            rill_vec3 x =
                v3_madd(v3_madd(layer->point[i], way + gap, layer->direction), 0.5 * age * age, s->fall);
            if (solids_distance(walls, x, t, NULL) < 0 &&
                !before_wall(s, layer, walls, t, gap, way, i, k * layer->count + i, &x))
                continue;
            TRY(particles_append(ctx, p, 1, &x, &v));
        }
    return RILL_OK;
}

/* --- liquid that joins later --- */

bool sources_later(const rill_scene *scene)
{
    for (uint32_t i = 0; i < scene->liquid_count; i++)
        if (scene->liquid[i].start > 0) return true;
    return false;
}

static bool joins_between(const scene_liquid *l, double after, double until)
{
    return l->start > fmax(after, 0) && l->start <= until;
}

bool sources_join_between(const rill_scene *scene, double after, double until)
{
    for (uint32_t i = 0; i < scene->liquid_count; i++)
        if (joins_between(&scene->liquid[i], after, until)) return true;
    return false;
}

double sources_joining_speed(const rill_scene *scene, double after, double until)
{
    double most = 0;
    for (uint32_t i = 0; i < scene->liquid_count; i++) {
        const scene_liquid *l = &scene->liquid[i];
        if (!joins_between(l, after, until)) continue;
        rill_box b = shape_bounds(&l->shape);
        b.min = v3_max(b.min, scene->domain.min);
        b.max = v3_min(b.max, scene->domain.max);
        for (int k = 0; k < 9; k++) {
            const rill_vec3 x =
                k == 8 ? box_center(b)
                       : v3(k & 1 ? b.max.x : b.min.x, k & 2 ? b.max.y : b.min.y, k & 4 ? b.max.z : b.min.z);
            most = fmax(most, v3_length(velocity_field_at(&l->velocity, &scene->domain, x)));
        }
    }
    return most;
}

static const double apart = 0.9; /* spacings between a particle that joins and any that is there */

/* Drops joining particles where there is other liquid. */
static rill_status leave_out(rill_ctx *ctx, const sources *s, const particles *there, particles *joining)
{
    const double least = apart * scene_particle_spacing(s->scene);
    const size_t count = joining->count;
    uint32_t *near = NULL;
    uint8_t *stays = NULL;
    bins all;
    rill_arena arena;
    arena_init(&arena, ctx);
    rill_status st = MEM_NEW(ctx, near, count);
    if (!st) st = MEM_NEW(ctx, stays, count);
    if (!st) st = bins_build(ctx, &arena, there->position, (uint32_t)there->count, &all);
    const nearest_query q = {.points = &all, .x = joining->position, .count = count, .k = 1, .within = least};
    if (!st) st = nearest_find(ctx, &q, near, NULL, NULL);
    for (size_t i = 0; i < count && !st; i++) stays[i] = near[i] == UINT32_MAX;
    if (!st) particles_keep(joining, stays);
    if (!st && joining->count < count)
        rill_log(ctx, RILL_LOG_WARNING,
                 "%zu of the %zu particles that join are left out: there is liquid in their places",
                 count - joining->count, count);
    mem_free(ctx, near);
    mem_free(ctx, stays);
    arena_clear(&arena);
    return st;
}

/* The particles that join in a step, in a list of their own. */
static rill_status join(rill_ctx *ctx, const sources *s, const solids *walls, double t, double until,
                        const particles *there, particles *out)
{
    if (!sources_join_between(s->scene, t, until)) return RILL_OK;
    TRY(sources_fill_later(ctx, s, walls, t, until, out));
    return there->count && out->count ? leave_out(ctx, s, there, out) : RILL_OK;
}

/* Reserves capacity for all particles that may come, so that appending cannot fail. */
static rill_status reserve(rill_ctx *ctx, const sources *s, double until, size_t joining, particles *p)
{
    double extra = (double)joining + (s->given ? (double)s->given->count : 0);
    for (uint32_t i = 0; i < s->scene->emitter_count; i++) {
        const source_layer *layer = &s->layer[i];
        extra += fmax(layers_in(gone_by(s, i, until), layer) - layers_in(s->travelled[i], layer), 0) *
                 layer->count;
    }
    if (extra == 0) return RILL_OK;
    const double need = (double)p->count + extra;
    if (need <= (double)p->capacity) return RILL_OK;
    const double wanted = fmin(fmax(need, 1.5 * (double)p->capacity), (double)(UINT32_MAX - 1));
    return particles_reserve(ctx, p, need < (double)UINT32_MAX ? (size_t)wanted : UINT32_MAX);
}

/* --- removal --- */

typedef struct {
    const rill_scene *scene;
    const rill_box *drain; /* bounds */
    const rill_vec3 *position;
    uint8_t *fate;
} removal;

static uint8_t fate_of(const removal *r, rill_vec3 x)
{
    const scene_domain *domain = &r->scene->domain;
    const double margin = 2 * r->scene->spacing;
    for (int side = 0; side < 2 * (r->scene->dimensions == 2 ? 2 : 3); side++) {
        if (!(domain->open & 1u << side)) continue;
        const int a = side_axis(side);
        const double out =
            side % 2 == 0 ? v3_axis(domain->min, a) - v3_axis(x, a) : v3_axis(x, a) - v3_axis(domain->max, a);
        if (out > margin) return LEFT;
    }
    for (uint32_t i = 0; i < r->scene->drain_count; i++)
        if (box_contains(r->drain[i], x) && shape_distance(&r->scene->drains[i].shape, x, NULL) < 0)
            return DRAINED;
    return STAYS;
}

static void decide(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const removal *r = arg;
    for (size_t i = begin; i < end; i++)
        r->fate[i] = v3_finite(r->position[i]) ? fate_of(r, r->position[i]) : STAYS;
}

/* Converts fates to the flags that particles_keep takes, and counts them. */
static void settle(sources *s, uint8_t *fate, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        s->drained += fate[i] == DRAINED;
        s->left += fate[i] == LEFT;
        fate[i] = fate[i] == STAYS;
    }
}

rill_status sources_apply(rill_ctx *ctx, sources *s, const solids *walls, double t, double dt, particles *p)
{
    const rill_scene *scene = s->scene;
    removal r = {.scene = scene};
    rill_box *drain = NULL;
    particles joining = {0};
    rill_status st = join(ctx, s, walls, t, t + dt, p, &joining);
    if (!st) st = reserve(ctx, s, t + dt, joining.count, p);
    if (!st && (scene->drain_count || scene->domain.open)) st = MEM_NEW(ctx, r.fate, p->capacity);
    if (!st) st = MEM_NEW(ctx, drain, scene->drain_count);

    for (uint32_t i = 0; !st && i < scene->emitter_count; i++) {
        const double gone = fmax(gone_by(s, i, t + dt), s->travelled[i]);
        const size_t before = p->count;
        st = emit(ctx, s, i, walls, gone, t + dt, p); /* cannot fail: the capacity was reserved */
        if (!st) s->travelled[i] = gone;
        if (p->count > before) colors_set(p, before, colors_of_emitter(&scene->emitters[i]));
    }
    if (!st && joining.count) {
        const size_t before = p->count;
        st = particles_append(ctx, p, joining.count, joining.position, joining.velocity);
        if (!st) colors_copy(&joining, p, before);
    }
    if (!st && s->given) {
        const size_t before = p->count;
        st = particles_append(ctx, p, s->given->count, s->given->position, s->given->velocity);
        if (!st) s->given->count = 0;
        colors_set(p, before, colors_default());
    }
    if (!st && r.fate) {
        for (uint32_t i = 0; i < scene->drain_count; i++) drain[i] = shape_bounds(&scene->drains[i].shape);
        r.drain = drain;
        r.position = p->position;
        parallel_for(ctx, p->count, BLOCK, decide, &r);
        settle(s, r.fate, p->count);
        particles_keep(p, r.fate);
    }
    particles_clear(ctx, &joining);
    mem_free(ctx, r.fate);
    mem_free(ctx, drain);
    return st;
}

/* --- state --- */

rill_status sources_save(const sources *s, rill_writer *w)
{
    const uint64_t removed[2] = {s->drained, s->left};
    TRY(save_chunk(w, "sources.removed", SAVE_U64, 2, removed));
    return save_chunk(w, "sources.travelled", SAVE_F64, s->scene->emitter_count, s->travelled);
}

rill_status sources_load(sources *s, rill_reader *r)
{
    uint64_t removed[2];
    TRY(load_chunk(r, "sources.removed", SAVE_U64, 2, removed));
    TRY(load_chunk(r, "sources.travelled", SAVE_F64, s->scene->emitter_count, s->travelled));
    /* Reject a negative distance: the next step would emit layers without end. */
    for (uint32_t i = 0; i < s->scene->emitter_count; i++) s->travelled[i] = fmax(s->travelled[i], 0);
    s->drained = removed[0];
    s->left = removed[1];
    return RILL_OK;
}
