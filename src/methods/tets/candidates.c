/* Random points of surfaces, by the kind of shape: uniform in area, thinned by the size. */
#include "base/random.h"
#include "tets/samples.h"

#include <math.h>

enum { SEED = 7, STREAM_PLACE = 0, STREAM_PICK = 1 };

typedef struct {
    rill_ctx *ctx;
    const walls *w;
    uint32_t k; /* the wall that is sampled */
    const size_field *size;
    double per;
    bool combined; /* of several parts */
    candidates *out;
    uint64_t id;
    double carry;
} making;

static bool is_combined(const shape *s)
{
    return s->kind == SHAPE_UNION || s->kind == SHAPE_INTERSECTION || s->kind == SHAPE_DIFFERENCE;
}

void candidates_clear(rill_ctx *ctx, candidates *c)
{
    mem_free(ctx, c->x);
    mem_free(ctx, c->normal);
    *c = (candidates){0};
}

static rill_status append(making *m, rill_vec3 x, rill_vec3 normal)
{
    candidates *c = m->out;
    const size_t need = c->count + 1;
    if (need > c->capacity) TRY(mem_grow(m->ctx, &c->x, sizeof *c->x, &c->capacity, need));
    if (need > c->normal_capacity)
        TRY(mem_grow(m->ctx, &c->normal, sizeof *c->normal, &c->normal_capacity, need));
    c->x[c->count] = x;
    c->normal[c->count++] = normal;
    return RILL_OK;
}

/* Four numbers from 0 to 1 of the next candidate. */
static void next_random(making *m, double r[4])
{
    const uint64_t id = m->id++;
    const random4 a = random_at(SEED, id, m->k, STREAM_PLACE), b = random_at(SEED, id, m->k, STREAM_PICK);
    r[0] = random_unit(a.v[0], a.v[1]);
    r[1] = random_unit(a.v[2], a.v[3]);
    r[2] = random_unit(b.v[0], b.v[1]);
    r[3] = random_unit(b.v[2], b.v[3]);
}

/* How many candidates an area of the world gets before they are thinned. */
static size_t wanted(making *m, double area)
{
    const double h = m->size->def.finest, want = area / (h * h) * m->per + m->carry;
    const double whole = fmin(floor(want), 1e9);
    m->carry = want - whole;
    return (size_t)whole;
}

/* Whether a place is in the box and kept where the size is coarse; pick: random, from 0 to 1. */
static bool kept(const making *m, rill_vec3 x, double pick)
{
    const double h = m->size->def.finest;
    if (!box_contains(box_grown(m->w->box, 1e-6 * h), x)) return false;
    const double f = h / size_at(m->size, x);
    return !(pick > f * f);
}

/* Takes a point of the surface unless another part covers it. */
static rill_status offer(making *m, rill_vec3 x, rill_vec3 normal, double pick)
{
    if (!kept(m, x, pick)) return RILL_OK;
    if (m->combined && fabs(wall_distance(m->w, m->k, x, NULL)) > 1e-6 * m->size->def.finest) return RILL_OK;
    return append(m, x, normal);
}

static rill_status offer_local(making *m, rill_vec3 x, rill_vec3 normal, double pick)
{
    const struct solid_pose *pose = &m->w->at[m->k].place.pose;
    return offer(m, solid_to_world(pose, x), solid_turned_back(pose, normal), pick);
}

/* ---- by shape ---- */

/* within: faces are cut to it. */
static rill_status box_points(making *m, rill_vec3 low, rill_vec3 high, rill_box within, double sign,
                              bool local)
{
    const double scale = local ? m->w->at[m->k].place.pose.scale : 1;
    const rill_vec3 least = low, most = high;
    low = v3_max(low, within.min);
    high = v3_min(high, within.max);
    for (int side = 0; side < SIDE_COUNT; side++) {
        const int axis = side_axis(side), u = (axis + 1) % 3, v = (axis + 2) % 3;
        if (side % 2 ? v3_axis(most, axis) > v3_axis(high, axis) : v3_axis(least, axis) < v3_axis(low, axis))
            continue;
        const double du = v3_axis(high, u) - v3_axis(low, u), dv = v3_axis(high, v) - v3_axis(low, v);
        for (size_t n = du > 0 && dv > 0 ? wanted(m, du * dv * scale * scale) : 0; n > 0; n--) {
            double r[4];
            next_random(m, r);
            rill_vec3 x = low, normal = {0, 0, 0};
            v3_set_axis(&x, axis, v3_axis(side % 2 ? high : low, axis));
            v3_set_axis(&x, u, v3_axis(low, u) + r[0] * du);
            v3_set_axis(&x, v, v3_axis(low, v) + r[1] * dv);
            v3_set_axis(&normal, axis, side % 2 ? sign : -sign);
            TRY(local ? offer_local(m, x, normal, r[2]) : offer(m, x, normal, r[2]));
        }
    }
    return RILL_OK;
}

static rill_vec3 on_unit_sphere(const double r[2])
{
    const double z = 2 * r[0] - 1, a = 2 * M_PI * r[1], s = sqrt(fmax(0, 1 - z * z));
    return v3(s * cos(a), s * sin(a), z);
}

static rill_status sphere_points(making *m, const shape_sphere *s, double scale)
{
    for (size_t n = wanted(m, 4 * M_PI * s->radius * s->radius * scale * scale); n > 0; n--) {
        double r[4];
        next_random(m, r);
        const rill_vec3 d = on_unit_sphere(r);
        TRY(offer_local(m, v3_madd(s->center, s->radius, d), d, r[2]));
    }
    return RILL_OK;
}

/* The round side of a cylinder or capsule, and its caps or halves of balls. */
static rill_status rod_points(making *m, const shape_rod *s, bool round, double scale)
{
    const rill_vec3 way = v3_sub(s->to, s->from), axis = v3_unit(way);
    const rill_vec3 u = v3_unit(v3_cross(axis, fabs(axis.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0)));
    const rill_vec3 v = v3_cross(axis, u);
    const double s2 = scale * scale;
    double r[4];
    for (size_t n = wanted(m, 2 * M_PI * s->radius * v3_length(way) * s2); n > 0; n--) {
        next_random(m, r);
        const double a = 2 * M_PI * r[0];
        const rill_vec3 d = v3_add(v3_scale(u, cos(a)), v3_scale(v, sin(a)));
        TRY(offer_local(m, v3_madd(v3_madd(s->from, r[1], way), s->radius, d), d, r[2]));
    }
    const double ends = (round ? 4 : 2) * M_PI * s->radius * s->radius * s2;
    for (size_t n = wanted(m, ends); n > 0; n--) {
        next_random(m, r);
        rill_vec3 d, x;
        if (round) {
            d = on_unit_sphere(r);
            x = v3_madd(v3_dot(d, axis) > 0 ? s->to : s->from, s->radius, d);
        } else {
            const double a = 2 * M_PI * r[0], b = s->radius * sqrt(r[1]);
            d = r[3] < 0.5 ? axis : v3_neg(axis);
            x = v3_add(r[3] < 0.5 ? s->to : s->from,
                       v3_add(v3_scale(u, b * cos(a)), v3_scale(v, b * sin(a))));
        }
        TRY(offer_local(m, x, d, r[2]));
    }
    return RILL_OK;
}

static rill_status mesh_points(making *m, const mesh_distance *of, double share, bool moving, double scale)
{
    const trimesh *t = mesh_distance_surface(of);
    const bool shell = mesh_distance_is_shell(of);
    const side_grid *sides = m->w->at[m->k].sides;
    const bool simple = sides && sides->clean && !shell; /* all of its surface bounds it */
    for (size_t k = 0; k < t->triangle_count; k++) {
        const uint32_t *c = t->triangle[k];
        mesh_closest at = {.triangle = (uint32_t)k};
        rill_vec3 p[3];
        for (int i = 0; i < 3; i++) {
            at.weight[0] = i == 0, at.weight[1] = i == 1, at.weight[2] = i == 2;
            p[i] = moving ? mesh_distance_point_at(of, share, &at) : t->position[c[i]];
        }
        const rill_vec3 area = v3_scale(v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0])), 0.5);
        const rill_vec3 normal = v3_unit(area);
        for (size_t n = wanted(m, v3_length(area) * scale * scale); n > 0; n--) {
            double r[4];
            next_random(m, r);
            if (r[0] + r[1] > 1) r[0] = 1 - r[0], r[1] = 1 - r[1];
            const rill_vec3 x =
                v3_add(p[0], v3_add(v3_scale(v3_sub(p[1], p[0]), r[0]), v3_scale(v3_sub(p[2], p[0]), r[1])));
            if (!shell && !kept(m, wall_world(m->w, m->k, x), r[2])) continue; /* distances are dear */
            /* The middle of a shell's wall is inside it: both of its sides have points. */
            const double d = simple   ? 0
                             : moving ? mesh_distance_exact_at(of, share, x, NULL)
                                      : mesh_distance_exact(of, x, NULL);
            const double wall_side = r[3] < 0.5 ? 1 : -1;
            if (d < -1e-3 * m->size->def.finest / scale)
                TRY(offer_local(m, v3_madd(x, -d * wall_side, normal), v3_scale(normal, wall_side), r[2]));
            else
                TRY(offer_local(m, x, normal, r[2]));
        }
    }
    return RILL_OK;
}

/* Whatever has a distance: points of a thin layer around the surface, moved onto it. */
static rill_status layer_points(making *m)
{
    const walls *w = m->w;
    const double h = m->size->def.finest, layer = 0.1 * h;
    rill_box b = box_grown(w->at[m->k].place.bounds, layer);
    b.min = v3_max(b.min, w->box.min);
    b.max = v3_min(b.max, w->box.max);
    const rill_vec3 size = box_size(b);
    if (!(size.x > 0 && size.y > 0 && size.z > 0)) return RILL_OK;
    const double volume = size.x * size.y * size.z;
    for (size_t n = wanted(m, volume / (2 * layer)); n > 0; n--) {
        double r[4];
        next_random(m, r);
        rill_vec3 x = v3(b.min.x + r[0] * size.x, b.min.y + r[1] * size.y, b.min.z + r[2] * size.z), normal;
        if (!(fabs(wall_distance(w, m->k, x, NULL)) < layer)) continue;
        if (wall_project(w, m->k, &x, &normal)) TRY(offer(m, x, normal, r[3]));
    }
    return RILL_OK;
}

/* The domain in the coordinates of a wall: what is infinite ends there. */
static rill_box local_box(const making *m)
{
    const rill_box b = m->w->box;
    rill_box out = box_empty();
    for (int k = 0; k < 8; k++)
        out = box_with(out, wall_local(m->w, m->k,
                                       v3(k & 1 ? b.max.x : b.min.x, k & 2 ? b.max.y : b.min.y,
                                          k & 4 ? b.max.z : b.min.z)));
    return out;
}

static rill_status plane_points(making *m, const shape_flat *s, double scale)
{
    const rill_box b = local_box(m);
    const rill_vec3 n = shape_unit(s->normal), c = box_center(b);
    const rill_vec3 middle = v3_madd(c, v3_dot(v3_sub(s->point, c), n), n);
    const rill_vec3 u = v3_unit(v3_cross(n, fabs(n.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0))), v = v3_cross(n, u);
    const double half = v3_distance(b.min, b.max) / 2;
    for (size_t k = wanted(m, 4 * half * half * scale * scale); k > 0; k--) {
        double r[4];
        next_random(m, r);
        const rill_vec3 x = v3_madd(v3_madd(middle, (2 * r[0] - 1) * half, u), (2 * r[1] - 1) * half, v);
        TRY(offer_local(m, x, n, r[2]));
    }
    return RILL_OK;
}

static rill_status shape_points(making *m, const shape *s)
{
    const double scale = m->w->at[m->k].place.pose.scale;
    if (is_combined(s)) {
        m->combined = true;
        for (uint32_t i = 0; i < s->parts.count; i++) TRY(shape_points(m, &s->parts.part[i]));
        return RILL_OK;
    }
    if (s->kind == SHAPE_BOX) {
        const rill_box b = local_box(m);
        rill_vec3 low = s->box.min, high = s->box.max;
        if (m->w->flat || s->box.min.z == s->box.max.z) low.z = b.min.z, high.z = b.max.z;
        return box_points(m, low, high, box_grown(b, 1e-6 * m->size->def.finest), 1, true);
    }
    if (m->w->flat) return layer_points(m);
    switch (s->kind) {
    case SHAPE_SPHERE: return sphere_points(m, &s->sphere, scale);
    case SHAPE_CYLINDER: return rod_points(m, &s->rod, false, scale);
    case SHAPE_CAPSULE: return rod_points(m, &s->rod, true, scale);
    case SHAPE_PLANE: return plane_points(m, &s->flat, scale);
    case SHAPE_MESH: return s->mesh.owned ? mesh_points(m, s->mesh.owned, 0, false, scale) : RILL_OK;
    case SHAPE_SEQUENCE:
        return s->sequence.now.span ? mesh_points(m, s->sequence.now.span, s->sequence.now.share, true, scale)
                                    : RILL_OK;
    case SHAPE_FUNCTION: return layer_points(m);
    default: return RILL_OK; /* a disc has no inside */
    }
}

/* Normals point into the fluid: those of the inner surface of a difference are turned. */
static void turn_normals(making *m)
{
    for (size_t i = 0; i < m->out->count && m->k != WALL_BOX; i++) {
        rill_vec3 n;
        (void)wall_distance(m->w, m->k, v3_madd(m->out->x[i], 1e-3 * m->size->def.finest, m->out->normal[i]),
                            &n);
        if (v3_dot(n, m->out->normal[i]) < 0) m->out->normal[i] = v3_neg(m->out->normal[i]);
    }
}

rill_status candidates_make(rill_ctx *ctx, const walls *w, uint32_t k, const size_field *size, int per,
                            candidates *out)
{
    making m = {.ctx = ctx, .w = w, .k = k, .size = size, .per = per, .out = out, .id = 1};
    rill_status st = k == WALL_BOX ? box_points(&m, w->box.min, w->box.max, w->box, -1, false)
                                   : shape_points(&m, &w->at[k].form);
    if (!st)
        turn_normals(&m);
    else
        candidates_clear(ctx, out);
    return st;
}

static void count_parts(const shape *s, uint32_t *count, wall *out, const wall *like)
{
    if (is_combined(s)) {
        for (uint32_t i = 0; i < s->parts.count; i++) count_parts(&s->parts.part[i], count, out, like);
        return;
    }
    if (out) {
        out[*count] = *like;
        out[*count].form = *s;
    }
    ++*count;
}

rill_status walls_parts(rill_ctx *ctx, const walls *w, uint32_t k, walls *out)
{
    walls parts = {.box = w->box, .flat = w->flat};
    count_parts(&w->at[k].form, &parts.count, NULL, NULL);
    TRY(MEM_NEW(ctx, parts.at, parts.count));
    parts.count = 0;
    count_parts(&w->at[k].form, &parts.count, parts.at, &w->at[k]);
    *out = parts;
    return RILL_OK;
}
