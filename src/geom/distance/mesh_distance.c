#include "geom/distance/mesh_distance_parts.h"

#include "geom/mesh/mesh_close.h"
#include "geom/mesh/triangle.h"

#include <string.h>

enum { MAX_RESOLUTION = 2048 };

mesh_distance_def mesh_distance_def_default(void)
{
    return (mesh_distance_def){.resolution = 128};
}

/* --- the mesh --- */

static rill_status check_def(rill_ctx *ctx, const mesh_distance_def *def)
{
    if (!(def->shell >= 0) || !isfinite(def->shell))
        return rill_fail(ctx, RILL_USAGE, "a shell of thickness %g m: it must be positive", def->shell);
    if (def->resolution < 0 || def->resolution > MAX_RESOLUTION)
        return rill_fail(ctx, RILL_USAGE, "a resolution of %d cells along a mesh: 0 to %d are possible",
                         def->resolution, MAX_RESOLUTION);
    return RILL_OK;
}

static rill_status check_mesh(rill_ctx *ctx, const trimesh *m)
{
    if (m->triangle_count == 0 || m->vertex_count == 0)
        return rill_fail(ctx, RILL_BAD_FILE, "the mesh has no triangles");
    if (m->triangle_count > UINT32_MAX / 8 || m->vertex_count > UINT32_MAX / 8)
        return rill_fail(ctx, RILL_BAD_FILE, "a mesh of %zu triangles is too large; reduce it below 2^29",
                         m->triangle_count);
    for (size_t i = 0; i < m->vertex_count; i++)
        if (!v3_finite(m->position[i]) || !(v3_length(m->position[i]) < 1e15))
            return rill_fail(ctx, RILL_BAD_FILE, "vertex %zu of the mesh is at (%g, %g, %g)", i,
                             m->position[i].x, m->position[i].y, m->position[i].z);
    for (size_t i = 0; i < m->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            if (m->triangle[i][k] >= m->vertex_count)
                return rill_fail(ctx, RILL_BAD_FILE, "triangle %zu of the mesh names vertex %u of %zu", i,
                                 m->triangle[i][k], m->vertex_count);
    return RILL_OK;
}

static rill_status copy_mesh(rill_ctx *ctx, const trimesh *from, trimesh *to)
{
    TRY(MEM_NEW(ctx, to->position, from->vertex_count));
    TRY(MEM_NEW(ctx, to->triangle, from->triangle_count));
    if (from->normal) {
        TRY(MEM_NEW(ctx, to->normal, from->vertex_count));
        memcpy(to->normal, from->normal, from->vertex_count * sizeof *to->normal);
    }
    memcpy(to->position, from->position, from->vertex_count * sizeof *to->position);
    memcpy(to->triangle, from->triangle, from->triangle_count * sizeof *to->triangle);
    to->vertex_count = from->vertex_count;
    to->triangle_count = from->triangle_count;
    return RILL_OK;
}

static rill_status refuse_open(rill_ctx *ctx, const trimesh *m, const mesh_rim *rim, bool holes)
{
    if (rim->turned > 0)
        return rill_fail(
            ctx, RILL_BAD_FILE,
            "the triangles on the two sides of %zu edges face opposite ways, the first near (%g, %g, "
            "%g); turn them all outward, or make the surface a wall with \"shell\": its thickness",
            rim->turned, rim->turned_at.x, rim->turned_at.y, rim->turned_at.z);
    if (holes || rim->count == 0) return RILL_OK;
    const rill_vec3 at = v3_scale(v3_add(m->position[rim->side[0].from], m->position[rim->side[0].to]), 0.5);
    return rill_fail(ctx, RILL_BAD_FILE,
                     "the mesh is open at %zu edges, the first near (%g, %g, %g); make the surface a wall "
                     "with \"shell\": its thickness, close it, or accept small holes with \"holes\": true",
                     rim->count, at.x, at.y, at.z);
}

static double signed_volume(const trimesh *m, rill_vec3 middle)
{
    double volume = 0;
    for (size_t i = 0; i < m->triangle_count; i++) {
        const uint32_t *c = m->triangle[i];
        volume += v3_dot(v3_sub(m->position[c[0]], middle),
                         v3_cross(v3_sub(m->position[c[1]], middle), v3_sub(m->position[c[2]], middle)));
    }
    return volume / 6;
}

/* Whether the vertices' normals are on the side that the triangles face. */
static bool normals_agree(const trimesh *m)
{
    double sum = 0;
    for (size_t i = 0; i < m->triangle_count; i++) {
        const uint32_t *c = m->triangle[i];
        const float *n = m->normal[c[0]];
        sum += v3_dot(v3(n[0], n[1], n[2]), v3_cross(v3_sub(m->position[c[1]], m->position[c[0]]),
                                                     v3_sub(m->position[c[2]], m->position[c[0]])));
    }
    return sum >= 0;
}

/* An inside-out mesh is meant the other way. */
static void turn_outward(trimesh *m, rill_vec3 middle)
{
    if (!(signed_volume(m, middle) < 0)) return;
    const bool turn_normals = m->normal && normals_agree(m);
    for (size_t i = 0; i < m->triangle_count; i++) {
        const uint32_t c = m->triangle[i][1];
        m->triangle[i][1] = m->triangle[i][2];
        m->triangle[i][2] = c;
    }
    for (size_t i = 0; turn_normals && i < m->vertex_count; i++)
        for (int k = 0; k < 3; k++) m->normal[i][k] = -m->normal[i][k];
}

static rill_status close_mesh(rill_ctx *ctx, mesh_distance *m, const mesh_distance_def *def)
{
    mesh_rim rim;
    TRY(mesh_rim_build(ctx, &m->mesh, &rim));
    rill_status st = refuse_open(ctx, &m->mesh, &rim, def->holes);
    if (!st) st = mesh_close(ctx, &m->mesh, &rim);
    mesh_rim_clear(ctx, &rim);
    if (!st) turn_outward(&m->mesh, box_center(m->bounds));
    return st;
}

/* --- exact queries --- */

static rill_vec3 face_normal(const mesh_distance *m, double share, uint32_t triangle)
{
    const rill_vec3 a = mesh_corner_at(m, share, triangle, 0);
    return v3_cross(v3_sub(mesh_corner_at(m, share, triangle, 1), a),
                    v3_sub(mesh_corner_at(m, share, triangle, 2), a));
}

typedef struct {
    const mesh_distance *m;
    double share;
    rill_vec3 sum;
} touching;

static void add_touching(void *user, const rays_near *n)
{
    touching *t = user;
    rill_vec3 p[3];
    for (int k = 0; k < 3; k++) p[k] = mesh_corner_at(t->m, t->share, n->triangle, k);
    const double angle = triangle_angle_at(n->weight, p[0], p[1], p[2]);
    t->sum = v3_madd(t->sum, angle, v3_unit(face_normal(t->m, t->share, n->triangle)));
}

/* Of the triangles that meet at x, each counting with its angle there (Baerentzen and
 * Aanaes 2005). */
static rill_vec3 surface_normal(const mesh_distance *m, double share, rill_vec3 x, const rays_near *n)
{
    touching t = {.m = m, .share = share};
    rays_within_at(m->rays, share, x, 2 * m->touching, add_touching, &t);
    if (!(v3_length(t.sum) > 1e-6)) t.sum = face_normal(m, share, n->triangle);
    return v3_length(t.sum) > 0 ? v3_unit(t.sum) : v3(0, 1, 0);
}

bool mesh_inside_at(const mesh_distance *m, double share, rill_vec3 x)
{
    return box_contains(m->bounds, x) && winding_moving_at(m->winding, share, x) > 0.5;
}

static bool inside(const void *user, rill_vec3 x)
{
    return mesh_inside_at(user, 0, x);
}

/* The side of a point whose closest point is known. The cache gives most sides for a tenth of the price of a
 * winding number: next to the surface that of a point farther away from it, when nothing can be between the
 * two. */
static bool inside_beside(const mesh_distance *m, double share, rill_vec3 x, const rays_near *n)
{
    if (!m->grid) return mesh_inside_at(m, share, x);
    int side = distance_grid_side_at(m->grid, x, n->distance);
    if (side == 0 && n->distance > m->touching) {
        const double away = 3 * distance_grid_error(m->grid, 0);
        const rill_vec3 from = mesh_point_at(m, share, n->triangle, n->weight),
                        y = v3_madd(x, away / n->distance, v3_sub(x, from));
        rays_near far;
        if (rays_closest_at(m->rays, share, y, INFINITY, n->triangle, &far) &&
            away < (n->distance + far.distance) * (1 - 1e-9))
            side = distance_grid_side_at(m->grid, y, far.distance);
    }
    return side ? side < 0 : mesh_inside_at(m, share, x);
}

/* side: of x, or 0 where it is not known. */
static double exact_at(const mesh_distance *m, double share, rill_vec3 x, int side, rill_vec3 *normal)
{
    rays_near n;
    if (!rays_closest_at(m->rays, share, x, INFINITY, RAYS_NO_HINT, &n)) { /* x is not finite */
        if (normal) *normal = v3(0, 1, 0);
        return INFINITY;
    }
    const bool within = m->winding && (side ? side < 0 : inside_beside(m, share, x, &n));
    const double sign = within ? -1 : 1;
    if (normal) {
        if (n.distance > m->touching)
            *normal = v3_unit(v3_scale(v3_sub(x, mesh_point_at(m, share, n.triangle, n.weight)), sign));
        else
            *normal = surface_normal(m, share, x, &n);
    }
    return sign * n.distance - m->half;
}

double mesh_distance_exact_at(const mesh_distance *m, double share, rill_vec3 x, rill_vec3 *normal)
{
    return exact_at(m, share, x, 0, normal);
}

static double exact(const void *user, rill_vec3 x, int side, rill_vec3 *normal)
{
    return exact_at(user, 0, x, side, normal);
}

double mesh_distance_exact(const mesh_distance *m, rill_vec3 x, rill_vec3 *normal)
{
    return exact(m, x, 0, normal);
}

double mesh_distance_exact_beside(const mesh_distance *m, rill_vec3 x, double cached, rill_vec3 *normal)
{
    return exact(m, x, m->grid ? distance_grid_side(m->grid, cached) : 0, normal);
}

double mesh_distance_at(const mesh_distance *m, rill_vec3 x, rill_vec3 *normal)
{
    return m->grid ? distance_grid_at(m->grid, x, normal) : exact(m, x, 0, normal);
}

double mesh_distance_error(const mesh_distance *m, double distance)
{
    return m->grid ? distance_grid_error(m->grid, distance) : m->touching;
}

mesh_closest mesh_distance_closest_at(const mesh_distance *m, double share, rill_vec3 x)
{
    return mesh_distance_closest_from(m, share, x, RAYS_NO_HINT);
}

mesh_closest mesh_distance_closest_from(const mesh_distance *m, double share, rill_vec3 x, uint32_t hint)
{
    rays_near n = {.distance = INFINITY, .weight = {1, 0, 0}};
    if (!rays_closest_at(m->rays, share, x, INFINITY, hint, &n)) n.triangle = 0;
    mesh_closest c = {.point = mesh_point_at(m, share, n.triangle, n.weight),
                      .distance = n.distance,
                      .triangle = n.triangle};
    memcpy(c.weight, n.weight, sizeof c.weight);
    return c;
}

mesh_closest mesh_distance_closest(const mesh_distance *m, rill_vec3 x)
{
    return mesh_distance_closest_at(m, 0, x);
}

/* --- what is free --- */

typedef struct {
    const mesh_distance *m;
    rill_vec3 x, direction;
    double margin, length;
} freeing;

/* A triangle, and a wall around it, is convex: it lies behind the plane through its nearest
 * point. */
static void free_along(void *user, const rays_near *n)
{
    freeing *f = user;
    const double d = n->distance - f->m->half;
    if (!(d > 0)) {
        f->length = 0;
        return;
    }
    const rill_vec3 to = v3_sub(mesh_point_at(f->m, 0, n->triangle, n->weight), f->x);
    const double approach = v3_dot(f->direction, to) / n->distance, clearance = d - fmin(f->margin, 0.5 * d);
    if (approach * f->length > clearance) f->length = clearance / approach;
}

double mesh_distance_free(const mesh_distance *m, rill_vec3 x, rill_vec3 direction, double margin,
                          double most)
{
    /* A fine mesh has many far triangles: the search radius is a bounded multiple of the distance. */
    enum { FAR = 32 };
    rays_near n;
    if (!rays_closest(m->rays, x, INFINITY, RAYS_NO_HINT, &n)) return INFINITY;
    if (m->winding && inside_beside(m, 0, x, &n)) return 0;
    const double d = n.distance - m->half;
    if (!(d > 0)) return 0;
    const double clearance = d - fmin(margin, 0.5 * d);
    if (clearance >= most || n.distance <= m->touching) return clearance;
    freeing f = {m, x, direction, margin, fmin(most, FAR * d)};
    rays_within(m->rays, x, m->half + f.length + margin, free_along, &f);
    return f.length;
}

bool mesh_distance_is_shell(const mesh_distance *m)
{
    return m->half > 0;
}

rill_box mesh_distance_bounds(const mesh_distance *m)
{
    return box_grown(m->bounds, m->half);
}

const trimesh *mesh_distance_surface(const mesh_distance *m)
{
    return &m->mesh;
}

const rays *mesh_distance_rays(const mesh_distance *m)
{
    return m->rays;
}

/* --- the cache --- */

static double surface_distance(const void *user, rill_vec3 x, uint32_t *hint, int *side)
{
    const mesh_distance *m = user;
    rays_near n = {0};
    if (!rays_closest(m->rays, x, INFINITY, *hint, &n)) return INFINITY;
    *hint = n.triangle;
    const rill_vec3 away = v3_sub(x, mesh_corner_at(m, 0, n.triangle, 0));
    *side = m->winding || v3_dot(away, face_normal(m, 0, n.triangle)) >= 0 ? 1 : -1;
    return n.distance;
}

static double longest_side(rill_box b)
{
    const rill_vec3 size = box_size(b);
    return fmax(size.x, fmax(size.y, size.z));
}

rill_box mesh_distance_cached(rill_box bounds, const rill_box *wanted, bool *part)
{
    *part = false;
    if (!wanted) return bounds;
    const rill_box both = {v3_max(bounds.min, wanted->min), v3_min(bounds.max, wanted->max)};
    const rill_vec3 size = box_size(both);
    if (!(size.x >= 0 && size.y >= 0 && size.z >= 0)) return bounds;
    *part = 4 * longest_side(both) < longest_side(bounds);
    return *part ? both : bounds;
}

static rill_status build_grid(rill_ctx *ctx, mesh_distance *m, const mesh_distance_def *mesh)
{
    bool part;
    const rill_box cached = mesh_distance_cached(mesh_distance_bounds(m), mesh->wanted, &part);
    const double longest = part ? longest_side(cached) : longest_side(m->bounds);
    if (!(longest > 0)) return RILL_OK; /* a point, or nothing of it is wanted: exact is as fast */
    const distance_grid_def def = {
        .bounds = cached,
        .cell = longest / mesh->resolution,
        .margin = 0.25 * longest,
        .part = part,
        .wanted = mesh->wanted,
        .source = {m, surface_distance, m->winding ? inside : NULL, exact, m->half},
    };
    return distance_grid_create(ctx, &def, &m->grid);
}

/* Box and scale of the corners that triangles have: not of vertices without. */
static void measure(mesh_distance *m, double shell)
{
    m->bounds = box_empty();
    for (size_t i = 0; i < m->mesh.triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            m->bounds = box_with(m->bounds, mesh_corner_at(m, 0, (uint32_t)i, k));
            if (m->end) m->bounds = box_with(m->bounds, m->end[m->mesh.triangle[i][k]]);
        }
    m->half = shell / 2;
    const rill_vec3 size = box_size(m->bounds);
    m->touching = 1e-9 * fmax(size.x, fmax(size.y, size.z)) +
                  1e-14 * fmax(v3_length(m->bounds.min), v3_length(m->bounds.max));
}

static rill_status build_queries(rill_ctx *ctx, mesh_distance *m, bool shell)
{
    const rays_def def = {.origin = box_center(m->bounds), .mesh = &m->mesh, .end = m->end, .closest = true};
    TRY(rays_create(ctx, &def, &m->rays));
    return shell ? RILL_OK : winding_create_moving(ctx, &m->mesh, m->end, &m->winding);
}

static rill_status build(rill_ctx *ctx, mesh_distance *m, const trimesh *mesh, const mesh_distance_def *def)
{
    TRY(check_def(ctx, def));
    TRY(check_mesh(ctx, mesh));
    TRY(copy_mesh(ctx, mesh, &m->mesh));
    measure(m, def->shell);
    if (def->shell == 0) TRY(close_mesh(ctx, m, def));
    TRY(build_queries(ctx, m, def->shell > 0));
    return def->resolution > 0 ? build_grid(ctx, m, def) : RILL_OK;
}

static rill_status build_moving(rill_ctx *ctx, mesh_distance *m, const trimesh *mesh, const rill_vec3 *end,
                                double shell)
{
    TRY(copy_mesh(ctx, mesh, &m->mesh));
    if (end) {
        TRY(MEM_NEW(ctx, m->end, mesh->vertex_count));
        memcpy(m->end, end, mesh->vertex_count * sizeof *m->end);
    }
    measure(m, shell);
    return build_queries(ctx, m, shell > 0);
}

static rill_status finish(rill_ctx *ctx, rill_status st, mesh_distance *m, mesh_distance **out)
{
    if (st)
        mesh_distance_destroy(ctx, m);
    else
        *out = m;
    return st;
}

rill_status mesh_distance_create(rill_ctx *ctx, const trimesh *mesh, const mesh_distance_def *def,
                                 mesh_distance **out)
{
    mesh_distance *m;
    TRY(MEM_NEW_ZERO(ctx, m, 1));
    return finish(ctx, build(ctx, m, mesh, def), m, out);
}

rill_status mesh_distance_create_moving(rill_ctx *ctx, const trimesh *mesh, const rill_vec3 *end,
                                        double shell, mesh_distance **out)
{
    mesh_distance *m;
    TRY(MEM_NEW_ZERO(ctx, m, 1));
    return finish(ctx, build_moving(ctx, m, mesh, end, shell), m, out);
}

void mesh_distance_destroy(rill_ctx *ctx, mesh_distance *m)
{
    if (!m) return;
    distance_grid_destroy(ctx, m->grid);
    winding_destroy(ctx, m->winding);
    rays_destroy(ctx, m->rays);
    mem_free(ctx, m->end);
    trimesh_clear(ctx, &m->mesh);
    mem_free(ctx, m);
}
