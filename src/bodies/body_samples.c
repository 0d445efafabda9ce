#include "bodies/body_samples.h"

#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct maker {
    rill_ctx *ctx;
    int dimensions;
    contact_samples *out;
} maker;

static rill_status add(maker *m, rill_vec3 x, double radius)
{
    contact_samples *s = m->out;
    if (m->dimensions == 2) x.z = 0;
    TRY(mem_grow(m->ctx, &s->sample, sizeof *s->sample, &s->capacity, s->count + 1u));
    s->sample[s->count++] = (contact_sample){.x = x, .radius = radius};
    return RILL_OK;
}

/* ---- boxes: a lattice on the surface, corners included, about as wide as the shortest side ---- */

static int box_points(double side, double shortest)
{
    const int n = (int)ceil(side / shortest) + 1;
    return n < 3 ? 3 : n > 9 ? 9 : n;
}

static rill_status box_samples(maker *m, const shape_box *b)
{
    const rill_vec3 size = v3_sub(b->max, b->min);
    const bool flat = m->dimensions == 2;
    const double shortest = fmin(size.x, flat ? size.y : fmin(size.y, size.z));
    if (!(shortest > 0) || !isfinite(size.x + size.y + (flat ? 0 : size.z))) return RILL_OK;
    const int n[3] = {box_points(size.x, shortest), box_points(size.y, shortest),
                      flat ? 1 : box_points(size.z, shortest)};
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++) {
                const bool inner =
                    i > 0 && i < n[0] - 1 && j > 0 && j < n[1] - 1 && (flat || (k > 0 && k < n[2] - 1));
                if (inner) continue;
                const rill_vec3 share = v3(i / (n[0] - 1.0), j / (n[1] - 1.0), flat ? 0 : k / (n[2] - 1.0));
                TRY(add(m,
                        v3(b->min.x + share.x * size.x, b->min.y + share.y * size.y,
                           flat ? 0 : b->min.z + share.z * size.z),
                        0));
            }
    return RILL_OK;
}

/* ---- rods ---- */

/* Balls of the rod's radius along its axis, from `inset` behind one end to as much before the other. */
static rill_status row_of_balls(maker *m, const shape_rod *r, double inset)
{
    const rill_vec3 axis = v3_sub(r->to, r->from);
    const double length = v3_length(axis), free = length - 2 * inset;
    const int n = free > 0 ? (int)fmin(ceil(free / r->radius), 16) + 1 : 1;
    for (int k = 0; k < n; k++) {
        const double at = n == 1 ? 0.5 : (inset + free * k / (n - 1)) / length;
        TRY(add(m, v3_madd(r->from, at, axis), r->radius));
    }
    return RILL_OK;
}

static rill_status rim(maker *m, rill_vec3 center, rill_vec3 axis, double radius)
{
    enum { POINTS = 32 };
    const rill_vec3 other = fabs(axis.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0);
    const rill_vec3 u = v3_unit(v3_cross(axis, other)), v = v3_cross(axis, u);
    for (int k = 0; k < POINTS; k++) {
        const double a = 2 * pi * k / POINTS;
        TRY(add(m, v3_madd(v3_madd(center, radius * cos(a), u), radius * sin(a), v), 0));
    }
    return add(m, center, 0);
}

static rill_status cylinder_samples(maker *m, const shape_rod *r)
{
    const rill_vec3 axis = v3_unit(v3_sub(r->to, r->from));
    if (m->dimensions == 2 && fabs(axis.z) > 0.5) return add(m, r->from, r->radius); /* a disc in the plane */
    if (m->dimensions == 2) {
        const rill_vec3 side = v3_scale(v3(-axis.y, axis.x, 0), r->radius);
        for (int k = 0; k <= 8; k++) {
            const rill_vec3 x = v3_mix(r->from, r->to, k / 8.0);
            TRY(add(m, v3_add(x, side), 0));
            TRY(add(m, v3_sub(x, side), 0));
        }
        return RILL_OK;
    }
    TRY(rim(m, r->from, axis, r->radius));
    TRY(rim(m, r->to, axis, r->radius));
    /* the side rolls on balls where they fit between the caps */
    return v3_distance(r->from, r->to) >= 2 * r->radius ? row_of_balls(m, r, r->radius) : RILL_OK;
}

/* ---- meshes: corners, thinned out evenly, and the middles of large triangles ---- */

static rill_status mesh_samples(maker *m, const trimesh *mesh)
{
    const size_t every = mesh->vertex_count / SAMPLES_MOST + 1;
    for (size_t v = 0; v < mesh->vertex_count; v += every) TRY(add(m, mesh->position[v], 0));
    if (mesh->triangle_count > SAMPLES_MOST) return RILL_OK;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const rill_vec3 a = mesh->position[mesh->triangle[t][0]], b = mesh->position[mesh->triangle[t][1]],
                        c = mesh->position[mesh->triangle[t][2]];
        TRY(add(m, v3_scale(v3_add(a, v3_add(b, c)), 1.0 / 3), 0));
        TRY(add(m, v3_mix(a, b, 0.5), 0)); /* the other two sides belong to its neighbours */
    }
    return RILL_OK;
}

/* ---- combinations: the samples of their parts that are on the surface of the whole ---- */

static rill_status parts_samples(maker *m, const shape *s);

static rill_status make(maker *m, const shape *s)
{
    switch (s->kind) {
    case SHAPE_BOX: return box_samples(m, &s->box);
    case SHAPE_SPHERE: return add(m, s->sphere.center, s->sphere.radius);
    case SHAPE_CAPSULE: return row_of_balls(m, &s->rod, 0);
    case SHAPE_CYLINDER: return cylinder_samples(m, &s->rod);
    case SHAPE_MESH: return s->mesh.owned ? mesh_samples(m, mesh_distance_surface(s->mesh.owned)) : RILL_OK;
    case SHAPE_UNION:
    case SHAPE_INTERSECTION:
    case SHAPE_DIFFERENCE: return parts_samples(m, s);
    default: return RILL_OK;
    }
}

static rill_status parts_samples(maker *m, const shape *s)
{
    contact_samples *all = m->out;
    const uint32_t first = all->count;
    for (uint32_t k = 0; k < s->parts.count; k++) TRY(make(m, &s->parts.part[k]));
    const rill_box b = shape_bounds(s);
    const double near = 1e-6 * v3_length(box_size(b));
    uint32_t kept = first;
    for (uint32_t i = first; i < all->count; i++) {
        const contact_sample c = all->sample[i];
        /* on the surface, or a ball that lies in the whole and touches its surface */
        if (fabs(shape_distance(s, c.x, NULL) + c.radius) <= near) all->sample[kept++] = c;
    }
    all->count = kept;
    return RILL_OK;
}

/* Down the distance over a stretch that sees all faces of a corner. */
static void find_inward(const shape *s, int dimensions, double stretch, contact_sample *c)
{
    if (c->radius > 0) return;
    rill_vec3 g = {0, 0, 0};
    for (int k = 0; k < dimensions; k++) {
        const rill_vec3 e = v3(k == 0 ? stretch : 0, k == 1 ? stretch : 0, k == 2 ? stretch : 0);
        v3_set_axis(&g, k,
                    shape_distance(s, v3_sub(c->x, e), NULL) - shape_distance(s, v3_add(c->x, e), NULL));
    }
    c->inward = v3_unit(g);
}

rill_status body_samples_of(rill_ctx *ctx, const shape *s, int dimensions, contact_samples *out)
{
    contact_samples made = {0};
    maker m = {ctx, dimensions, &made};
    const rill_status st = make(&m, s);
    const rill_vec3 size = box_size(shape_bounds(s));
    const double thickness = fmin(size.x, dimensions == 2 ? size.y : fmin(size.y, size.z));
    for (uint32_t k = 0; !st && k < made.count; k++)
        find_inward(s, dimensions, 0.1 * thickness, &made.sample[k]);
    if (st)
        body_samples_clear(ctx, &made);
    else
        *out = made;
    return st;
}

void body_samples_clear(rill_ctx *ctx, contact_samples *s)
{
    mem_free(ctx, s->sample);
    *s = (contact_samples){0};
}
