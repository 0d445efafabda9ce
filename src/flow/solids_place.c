/* Where the scene's solids are, and how fast.
 *
 * A solid is its shape, scaled evenly, turned about x, then y, then z, and moved; its
 * motion turns that about the pivot, in the same order of axes, and shifts it. With
 * R = Rz Ry Rx and the angles' rates a, b, c about x, y, z, the angular velocity is
 *     c z + Rz (b y + Ry (a x)),
 * exact at every moment, whatever the angles. */
#include "flow/solids.h"

typedef struct solid_pose solid_pose;

static const double degree = 3.14159265358979323846 / 180;

/* Sine and cosine of degrees, exact for quarter turns. */
static void turn(double degrees, double *s, double *c)
{
    const double quarter = fmod(degrees, 360) / 90;
    if (quarter == rint(quarter)) {
        static const double sine[] = {0, 1, 0, -1};
        const int q = ((int)quarter + 4) % 4;
        *s = sine[q];
        *c = sine[(q + 1) % 4];
        return;
    }
    const double angle = degrees * degree;
    *s = sin(angle);
    *c = cos(angle);
}

static rill_vec3 about_x(double degrees, rill_vec3 a)
{
    double s, c;
    turn(degrees, &s, &c);
    return v3(a.x, c * a.y - s * a.z, s * a.y + c * a.z);
}

static rill_vec3 about_y(double degrees, rill_vec3 a)
{
    double s, c;
    turn(degrees, &s, &c);
    return v3(c * a.x + s * a.z, a.y, c * a.z - s * a.x);
}

static rill_vec3 about_z(double degrees, rill_vec3 a)
{
    double s, c;
    turn(degrees, &s, &c);
    return v3(c * a.x - s * a.y, s * a.x + c * a.y, a.z);
}

/* Where the rotation takes a. */
static rill_vec3 rotated(rill_vec3 degrees, rill_vec3 a)
{
    return about_z(degrees.z, about_y(degrees.y, about_x(degrees.x, a)));
}

static rill_vec3 spin_of(rill_vec3 degrees, rill_vec3 rate)
{
    const rill_vec3 x = about_y(degrees.y, v3(rate.x, 0, 0));
    return v3_scale(v3_add(v3(0, 0, rate.z), about_z(degrees.z, v3_add(v3(0, rate.y, 0), x))), degree);
}

/* In two dimensions everything turns about z and stays in the plane. */
static rill_vec3 angles(const solids *s, rill_vec3 degrees)
{
    return s->dimensions == 2 ? v3(0, 0, degrees.z) : degrees;
}
static rill_vec3 shift(const solids *s, rill_vec3 by)
{
    return s->dimensions == 2 ? v3(by.x, by.y, 0) : by;
}

static solid_pose pose_of(const solids *s, const scene_transform *t)
{
    const rill_vec3 degrees = angles(s, t->rotate);
    return (solid_pose){
        .row = {rotated(degrees, v3(1, 0, 0)), rotated(degrees, v3(0, 1, 0)), rotated(degrees, v3(0, 0, 1))},
        .translate = shift(s, t->translate),
        .scale = t->scale > 0 ? t->scale : 1,
    };
}

rill_box solid_domain(const rill_scene *scene, const scene_transform *transform, double margin)
{
    const solids s = {.dimensions = scene->dimensions == 2 ? 2 : 3};
    const solid_pose p = pose_of(&s, transform);
    const rill_box d = box_grown((rill_box){scene->domain.min, scene->domain.max}, margin);
    rill_box out = box_empty();
    for (int k = 0; k < 8; k++) {
        const rill_vec3 corner =
            v3(k & 1 ? d.max.x : d.min.x, k & 2 ? d.max.y : d.min.y, k & 4 ? d.max.z : d.min.z);
        out = box_with(out, solid_to_local(&p, corner));
    }
    if (s.dimensions == 2) out.min.z = -INFINITY, out.max.z = INFINITY;
    return out;
}

/* A box around the placed shape: the turned box's own where that is finite. */
static rill_box world_bounds(const solid_pose *p, rill_box b, int dimensions)
{
    for (int k = 0; k < 3; k++)
        if (v3_axis(b.min, k) > v3_axis(b.max, k)) return box_empty();
    rill_box out;
    for (int k = 0; k < 3; k++) {
        double lo = v3_axis(p->translate, k), hi = lo;
        for (int j = 0; j < 3; j++) {
            const double r = v3_axis(p->row[j], k) * p->scale;
            if (r == 0) continue; /* without it 0 times infinity */
            const double a = r * v3_axis(b.min, j), c = r * v3_axis(b.max, j);
            lo += fmin(a, c);
            hi += fmax(a, c);
        }
        v3_set_axis(&out.min, k, lo);
        v3_set_axis(&out.max, k, hi);
    }
    if (dimensions == 2) out.min.z = -INFINITY, out.max.z = INFINITY;
    return out;
}

static solid_place place_at(const solids *s, uint32_t i, double t)
{
    const struct solid_track *track = &s->track[i];
    solid_place p = s->rest[i];
    const rill_vec3 degrees = angles(s, keyframes_at(&track->rotate, t));
    const rill_vec3 rate = angles(s, keyframes_rate(&track->rotate, t));
    p.center = v3_add(track->pivot, shift(s, keyframes_at(&track->translate, t)));
    p.velocity = shift(s, keyframes_rate(&track->translate, t));
    p.spin = spin_of(degrees, rate);
    for (int k = 0; k < 3; k++) p.pose.row[k] = rotated(degrees, p.pose.row[k]);
    p.pose.translate = v3_add(p.center, rotated(degrees, v3_sub(p.pose.translate, track->pivot)));
    p.bounds = world_bounds(&p.pose, shape_bounds(&s->scene->solids[i].shape), s->dimensions);
    return p;
}

solid_place solids_keyed_place(const solids *s, uint32_t i, double t)
{
    return s->track[i].translate.count ? place_at(s, i, t) : s->rest[i];
}

static solid_place ride_at(const solids *s, uint32_t i, double t)
{
    const struct solid_ride *r = &s->ride[i];
    const double share = r->length > 0 ? fmin(fmax((t - r->from) / r->length, 0), 1) : 0;
    solid_place p = {.velocity = r->velocity, .spin = r->spin, .center = v3_madd(r->center, share, r->way)};
    p.pose = share < 1 ? solid_pose_moved(&r->pose, quaternion_turn(v3_scale(r->turning, share)), r->center,
                                          p.center)
                       : r->last; /* to the last digit: a run that is resumed has nothing else */
    p.bounds = world_bounds(&p.pose, shape_bounds(&s->scene->solids[i].shape), s->dimensions);
    return p;
}

const solid_place *solids_place_at(const solids *s, uint32_t i, double t, solid_place *storage)
{
    const bool riding = s->ride[i].riding;
    if (s->track[i].translate.count == 0 && !riding) return &s->rest[i];
    for (int k = 0; k < SOLIDS_TIMES; k++)
        if (s->time[k] == t) return &s->place[k][i];
    *storage = riding ? ride_at(s, i, t) : place_at(s, i, t);
    return storage;
}

const shape *solids_form_at(const solids *s, uint32_t i, double t, shape *storage)
{
    const shape *form = &s->scene->solids[i].shape;
    if (!solid_deforms(s, i)) return form;
    *storage = *form;
    storage->sequence.now = mesh_morph_at(&s->morph[i], t);
    return storage;
}

rill_vec3 solids_velocity(const solids *s, uint32_t i, double t, rill_vec3 x)
{
    solid_place storage;
    const solid_place *p = solids_place_at(s, i, t, &storage);
    rill_vec3 v = solid_velocity(p, x);
    if (solid_deforms(s, i)) {
        const mesh_moment now = mesh_morph_at(&s->morph[i], t);
        const rill_vec3 own = mesh_moment_velocity(now, solid_to_local(&p->pose, x));
        v = v3_add(v, shift(s, solid_turned_back(&p->pose, v3_scale(own, p->pose.scale))));
    }
    return v;
}

rill_status solids_prepare(rill_ctx *ctx, solids *s, double t, double dt)
{
    if (s->moving == 0) return RILL_OK;
    for (uint32_t i = 0; i < s->count; i++)
        if (solid_deforms(s, i)) TRY(mesh_morph_prepare(ctx, &s->morph[i], t, t + dt));
    const double time[SOLIDS_TIMES] = {t, t + dt / 2, t + dt};
    for (int k = 0; k < SOLIDS_TIMES; k++) {
        s->time[k] = time[k];
        for (uint32_t i = 0; i < s->count; i++)
            if (s->ride[i].riding)
                s->place[k][i] = ride_at(s, i, time[k]);
            else if (s->track[i].translate.count)
                s->place[k][i] = place_at(s, i, time[k]);
    }
    return RILL_OK;
}

/* How far from a point the solid reaches, as far as it is in the domain. */
static double reach_from(const solids *s, uint32_t i, rill_vec3 local, rill_vec3 center)
{
    const rill_box b = shape_bounds(&s->scene->solids[i].shape);
    double own = 0, domain = 0;
    for (int k = 0; k < 8; k++) {
        rill_vec3 corner =
            v3(k & 1 ? b.max.x : b.min.x, k & 2 ? b.max.y : b.min.y, k & 4 ? b.max.z : b.min.z);
        if (s->dimensions == 2) corner.z = local.z;
        own = fmax(own, v3_distance(corner, local) * s->rest[i].pose.scale);
        corner = v3(k & 1 ? s->domain.max.x : s->domain.min.x, k & 2 ? s->domain.max.y : s->domain.min.y,
                    k & 4 ? s->domain.max.z : s->domain.min.z);
        domain = fmax(domain, v3_distance(corner, center));
    }
    return fmin(own, domain);
}

static double ride_speed(const solids *s, uint32_t i)
{
    const struct solid_ride *r = &s->ride[i];
    const double reach = reach_from(s, i, solid_to_local(&r->pose, r->center), r->center);
    return v3_length(r->velocity) + v3_length(r->spin) * reach;
}

static double driven_speed(const solids *s, uint32_t i, double from, double to)
{
    const struct solid_track *track = &s->track[i];
    double speed = 0;
    if (solid_deforms(s, i))
        speed = s->rest[i].pose.scale * mesh_sequence_max_speed(s->morph[i].frames, from, to);
    const rill_vec3 turning = angles(s, keyframes_fastest(&track->rotate, from, to));
    const double spin = (turning.x + turning.y + turning.z) * degree;
    speed += v3_length(shift(s, keyframes_fastest(&track->translate, from, to)));
    if (!(spin > 0)) return speed;
    double reach = 0; /* the domain as seen from where it is farthest */
    for (uint32_t k = 0; k < track->translate.count; k++)
        reach = fmax(reach, reach_from(s, i, s->scene->solids[i].motion.pivot,
                                       v3_add(track->pivot, track->translate.key[k].value)));
    return speed + spin * reach;
}

double solids_driven_speed(const solids *s, double from, double to)
{
    double most = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if (solid_moves(s, i) && !s->ride[i].riding && !(s->without && s->without[i]))
            most = fmax(most, driven_speed(s, i, from, to));
    return most;
}

double solids_max_speed(const solids *s, double from, double to)
{
    double most = solids_driven_speed(s, from, to);
    for (uint32_t i = 0; i < s->count; i++)
        if (s->ride[i].riding && !(s->without && s->without[i])) most = fmax(most, ride_speed(s, i));
    return most;
}

/* The two curves of a motion. */
static rill_status make_track(rill_ctx *ctx, const solids *s, uint32_t i, struct solid_track *out)
{
    const scene_motion *m = &s->scene->solids[i].motion;
    if (m->count == 0) return RILL_OK;
    struct solid_track t = {.translate = {.smooth = m->smooth}, .rotate = {.smooth = m->smooth}};
    TRY(MEM_NEW(ctx, t.translate.key, m->count));
    if (MEM_NEW(ctx, t.rotate.key, m->count) != RILL_OK) {
        mem_free(ctx, t.translate.key);
        return RILL_NO_MEMORY;
    }
    for (uint32_t k = 0; k < m->count; k++) {
        t.translate.key[k] = (keyframe){m->key[k].t, m->key[k].translate};
        t.rotate.key[k] = (keyframe){m->key[k].t, m->key[k].rotate};
    }
    t.translate.count = t.rotate.count = m->count;
    t.pivot = solid_to_world(&s->rest[i].pose, shift(s, m->pivot));
    *out = t;
    return RILL_OK;
}

rill_status solids_create(rill_ctx *ctx, const rill_scene *scene, solids *out)
{
    solids s = {
        .scene = scene,
        .domain = scene->domain,
        .dimensions = scene->dimensions == 2 ? 2 : 3,
        .count = scene->solid_count,
        .time = {NAN, NAN, NAN}, /* equal to nothing */
    };
    rill_status st = MEM_NEW_ZERO(ctx, s.rest, s.count);
    if (!st) st = MEM_NEW_ZERO(ctx, s.track, s.count);
    if (!st) st = MEM_NEW_ZERO(ctx, s.morph, s.count);
    if (!st) st = MEM_NEW_ZERO(ctx, s.ride, s.count);
    for (uint32_t i = 0; !st && i < s.count; i++) {
        s.rest[i].pose = pose_of(&s, &scene->solids[i].transform);
        s.rest[i].bounds = world_bounds(&s.rest[i].pose, shape_bounds(&scene->solids[i].shape), s.dimensions);
        st = make_track(ctx, &s, i, &s.track[i]);
        if (scene->solids[i].shape.kind == SHAPE_SEQUENCE)
            s.morph[i].frames = scene->solids[i].shape.sequence.frames;
        s.moving += solid_moves(&s, i) || scene->solids[i].is_body;
    }
    for (int k = 0; !st && s.moving && k < SOLIDS_TIMES; k++) st = MEM_NEW_ZERO(ctx, s.place[k], s.count);
    if (!st) st = solids_prepare(ctx, &s, -scene->time.preroll, 0);
    if (st)
        solids_clear(ctx, &s);
    else
        *out = s;
    return st;
}

void solids_clear(rill_ctx *ctx, solids *s)
{
    for (uint32_t i = 0; s->track && i < s->count; i++) {
        mem_free(ctx, s->track[i].translate.key);
        mem_free(ctx, s->track[i].rotate.key);
    }
    for (uint32_t i = 0; s->morph && i < s->count; i++) mesh_morph_clear(ctx, &s->morph[i]);
    for (int k = 0; k < SOLIDS_TIMES; k++) mem_free(ctx, s->place[k]);
    mem_free(ctx, s->rest);
    mem_free(ctx, s->track);
    mem_free(ctx, s->morph);
    mem_free(ctx, s->ride);
    *s = (solids){0};
}
