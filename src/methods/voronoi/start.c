/* The liquid's first surface. Boxes become one mesh together, on a grid that has their faces as planes, so
 * that they may touch and overlap and keep their edges; balls and meshes that touch nothing are parts of
 * their own. Everything else is the contour of the level set of all shapes together, without the drains. */
#include "base/random.h"
#include "geom/mesh/trimesh.h"
#include "voronoi/contour.h"

#include <stdlib.h>

enum { MOST_PLANES = 1 << 14 };

/* ---- boxes ---- */

typedef struct {
    double *plane[3]; /* coordinates of grid planes, ascending */
    uint32_t cells[3];
    uint8_t *inside; /* [cell] */
    uint32_t *id;    /* [grid point] of its vertex, or SITE_NONE */
    trimesh *out;
    size_t vertex_room, triangle_room;
} blocks;

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A face of a box in a side of the domain is exactly there. */
static rill_box box_in_domain(const brochu *s, const shape_box *b)
{
    const scene_domain *d = &s->sim.scene->domain;
    rill_box r = {v3_max(b->min, d->min), v3_min(b->max, d->max)};
    if (s->flat || b->min.z == b->max.z) {
        r.min.z = s->box.min.z;
        r.max.z = s->box.max.z;
    }
    for (int k = 0; k < 3; k++) {
        const double near = 1e-3 * s->h;
        if (v3_axis(r.min, k) - v3_axis(s->box.min, k) < near) v3_set_axis(&r.min, k, v3_axis(s->box.min, k));
        if (v3_axis(s->box.max, k) - v3_axis(r.max, k) < near) v3_set_axis(&r.max, k, v3_axis(s->box.max, k));
    }
    return r;
}

static bool empty(rill_box b)
{
    const rill_vec3 size = box_size(b);
    return !(size.x > 0 && size.y > 0 && size.z > 0);
}

/* Planes of an axis: faces of the boxes, and between them about a spacing apart. */
static rill_status find_planes(brochu *s, blocks *b, int axis)
{
    const rill_scene *scene = s->sim.scene;
    double *face;
    uint32_t n = 0, count = 0;
    TRY(ARENA_NEW(&s->scratch, face, 2 * scene->liquid_count + 1));
    TRY(ARENA_NEW(&s->scratch, b->plane[axis], MOST_PLANES));
    for (uint32_t i = 0; i < scene->liquid_count; i++) {
        if (scene->liquid[i].shape.kind != SHAPE_BOX) continue;
        const rill_box box = box_in_domain(s, &scene->liquid[i].shape.box);
        if (empty(box)) continue;
        face[n++] = v3_axis(box.min, axis);
        face[n++] = v3_axis(box.max, axis);
    }
    qsort(face, n, sizeof *face, by_value);
    for (uint32_t i = 0; i < n; i++) {
        const double last = count ? b->plane[axis][count - 1] : face[i];
        if (count && face[i] - last < 1e-3 * s->h) continue;
        const uint32_t parts =
            count ? (uint32_t)fmax(1, fmin(rint((face[i] - last) / s->h), MOST_PLANES)) : 1;
        if (count + parts >= MOST_PLANES)
            return rill_fail(s->sim.ctx, RILL_BAD_SCENE,
                             "\"spacing\": %g m is too fine for liquid of this size; make it larger", s->h);
        for (uint32_t k = 1; k < parts; k++) b->plane[axis][count++] = last + (face[i] - last) * k / parts;
        b->plane[axis][count++] = face[i];
    }
    b->cells[axis] = count ? count - 1 : 0;
    return RILL_OK;
}

static size_t cell_at(const blocks *b, uint32_t i, uint32_t j, uint32_t k)
{
    return ((size_t)k * b->cells[1] + j) * b->cells[0] + i;
}

static void fill_cells(const brochu *s, blocks *b)
{
    const rill_scene *scene = s->sim.scene;
    for (uint32_t k = 0; k < b->cells[2]; k++)
        for (uint32_t j = 0; j < b->cells[1]; j++)
            for (uint32_t i = 0; i < b->cells[0]; i++) {
                const rill_vec3 x = v3(0.5 * (b->plane[0][i] + b->plane[0][i + 1]),
                                       0.5 * (b->plane[1][j] + b->plane[1][j + 1]),
                                       0.5 * (b->plane[2][k] + b->plane[2][k + 1]));
                uint8_t in = 0;
                for (uint32_t n = 0; n < scene->liquid_count; n++)
                    in |= scene->liquid[n].shape.kind == SHAPE_BOX &&
                          box_contains(box_in_domain(s, &scene->liquid[n].shape.box), x);
                b->inside[cell_at(b, i, j, k)] = in;
            }
}

static rill_status vertex_of(brochu *s, blocks *b, const uint32_t at[3], uint32_t *out)
{
    uint32_t *id = &b->id[((size_t)at[2] * (b->cells[1] + 1) + at[1]) * (b->cells[0] + 1) + at[0]];
    if (*id == SITE_NONE) {
        TRY(mem_grow(s->sim.ctx, &b->out->position, sizeof *b->out->position, &b->vertex_room,
                     b->out->vertex_count + 1));
        *id = (uint32_t)b->out->vertex_count++;
        b->out->position[*id] = v3(b->plane[0][at[0]], b->plane[1][at[1]], b->plane[2][at[2]]);
    }
    *out = *id;
    return RILL_OK;
}

/* The side of a cell along an axis, as two triangles that face outward. */
static rill_status add_side(brochu *s, blocks *b, const uint32_t cell[3], int axis, bool upper)
{
    const int p = (axis + 1) % 3, q = (axis + 2) % 3;
    uint32_t v[4];
    for (int r = 0; r < 4; r++) {
        uint32_t at[3];
        at[axis] = cell[axis] + upper;
        at[p] = cell[p] + (r == 1 || r == 2);
        at[q] = cell[q] + (r >= 2);
        TRY(vertex_of(s, b, at, &v[r]));
    }
    const bool other = (cell[p] + cell[q]) & 1; /* diagonals alternate */
    const uint32_t t[2][3] = {{v[0], v[1], v[other ? 3 : 2]}, {v[other ? 1 : 0], v[2], v[3]}};
    TRY(mem_grow(s->sim.ctx, &b->out->triangle, sizeof *b->out->triangle, &b->triangle_room,
                 b->out->triangle_count + 2));
    for (int k = 0; k < 2; k++) {
        uint32_t *o = b->out->triangle[b->out->triangle_count++];
        o[0] = t[k][0];
        o[1] = t[k][upper ? 1 : 2];
        o[2] = t[k][upper ? 2 : 1];
    }
    return RILL_OK;
}

static rill_status add_sides(brochu *s, blocks *b)
{
    uint32_t c[3];
    for (c[2] = 0; c[2] < b->cells[2]; c[2]++)
        for (c[1] = 0; c[1] < b->cells[1]; c[1]++)
            for (c[0] = 0; c[0] < b->cells[0]; c[0]++) {
                if (!b->inside[cell_at(b, c[0], c[1], c[2])]) continue;
                for (int side = 0; side < SIDE_COUNT; side++) {
                    const int axis = side_axis(side);
                    uint32_t n[3] = {c[0], c[1], c[2]};
                    const bool edge = side & 1 ? c[axis] + 1 == b->cells[axis] : c[axis] == 0;
                    n[axis] = side & 1 ? c[axis] + 1 : c[axis] - 1;
                    if (edge || !b->inside[cell_at(b, n[0], n[1], n[2])])
                        TRY(add_side(s, b, c, axis, side & 1));
                }
            }
    return RILL_OK;
}

static rill_status add_boxes(brochu *s, trimesh *out)
{
    blocks b = {.out = out};
    for (int axis = 0; axis < 3; axis++) TRY(find_planes(s, &b, axis));
    const size_t cells = (size_t)b.cells[0] * b.cells[1] * b.cells[2],
                 points = (size_t)(b.cells[0] + 1) * (b.cells[1] + 1) * (b.cells[2] + 1);
    if (!cells) return RILL_OK;
    TRY(ARENA_NEW(&s->scratch, b.inside, cells));
    TRY(ARENA_NEW(&s->scratch, b.id, points));
    for (size_t i = 0; i < points; i++) b.id[i] = SITE_NONE;
    fill_cells(s, &b);
    return add_sides(s, &b);
}

/* ---- balls and meshes ---- */

/* A cube's faces, bent onto the ball. */
static rill_status ball_mesh(brochu *s, const shape_sphere *ball, trimesh *out)
{
    blocks b = {.out = out};
    const uint32_t n = (uint32_t)fmax(2, fmin(rint(1.57 * ball->radius / s->h), 1000));
    for (int axis = 0; axis < 3; axis++) {
        TRY(ARENA_NEW(&s->scratch, b.plane[axis], n + 1));
        for (uint32_t k = 0; k <= n; k++) b.plane[axis][k] = tan(M_PI / 4 * (2.0 * k / n - 1));
        b.cells[axis] = n;
    }
    const size_t cells = (size_t)n * n * n, points = (size_t)(n + 1) * (n + 1) * (n + 1);
    TRY(ARENA_NEW(&s->scratch, b.inside, cells));
    TRY(ARENA_NEW(&s->scratch, b.id, points));
    for (size_t i = 0; i < points; i++) b.id[i] = SITE_NONE;
    for (size_t i = 0; i < cells; i++) b.inside[i] = 1;
    TRY(add_sides(s, &b));
    for (size_t v = 0; v < out->vertex_count; v++)
        out->position[v] = v3_madd(ball->center, ball->radius, v3_unit(out->position[v]));
    return RILL_OK;
}

rill_status brochu_copy_mesh(brochu *s, const trimesh *from, trimesh *out)
{
    TRY(MEM_NEW(s->sim.ctx, out->position, from->vertex_count));
    out->vertex_count = from->vertex_count;
    TRY(MEM_NEW(s->sim.ctx, out->triangle, from->triangle_count));
    out->triangle_count = from->triangle_count;
    for (size_t v = 0; v < from->vertex_count; v++) out->position[v] = from->position[v];
    for (size_t t = 0; t < from->triangle_count; t++)
        for (int i = 0; i < 3; i++) out->triangle[t][i] = from->triangle[t][i];
    return RILL_OK;
}

/* Whether a mesh can be a part of its own: inside the box, and clear of the other liquid. */
static bool apart(const brochu *s, uint32_t index, const trimesh *part)
{
    const rill_scene *scene = s->sim.scene;
    const double clear = fmax(s->def.merge, 0.1) * s->h;
    for (size_t v = 0; v < part->vertex_count; v++) {
        const rill_vec3 x = part->position[v];
        for (int side = 0; side < SIDE_COUNT; side++)
            if (!(brochu_wall_distance(s, x, side) > 0.05 * s->h)) return false;
        if (brochu_sink(s, x, NULL) < 0.05 * s->h) return false;
        for (uint32_t k = 0; k < scene->liquid_count; k++)
            if (k != index && shape_distance(&scene->liquid[k].shape, x, NULL) < clear) return false;
    }
    return true;
}

/* *done: false when the shape needs the contour. */
static rill_status add_part(brochu *s, uint32_t index, trimesh *out, bool *done)
{
    const shape *form = &s->sim.scene->liquid[index].shape;
    trimesh part = {0};
    rill_status st = RILL_OK;
    *done = false;
    if (form->kind == SHAPE_SPHERE && !s->flat)
        st = ball_mesh(s, &form->sphere, &part);
    else if (form->kind == SHAPE_MESH && form->mesh.owned && !s->flat && !s->def.repair)
        st = brochu_copy_mesh(s, mesh_distance_surface(form->mesh.owned), &part);
    else
        return RILL_OK;
    *done = !st && apart(s, index, &part);
    if (*done) return trimesh_append(s->sim.ctx, out, &part);
    trimesh_clear(s->sim.ctx, &part);
    return st;
}

/* ---- the contour of all ---- */

static double liquid_level(const void *user, rill_vec3 x)
{
    const brochu *s = user;
    const rill_scene *scene = s->sim.scene;
    const double out = -brochu_sink(s, x, NULL);
    double phi = INFINITY;
    if (s->flat) x.z = 0;
    for (uint32_t i = 0; i < scene->liquid_count; i++)
        phi = fmin(phi, shape_distance(&scene->liquid[i].shape, x, NULL));
    for (int side = 0; side < SIDE_COUNT; side++) { /* beyond an open side there is none */
        if (!(scene->domain.open >> side & 1)) continue;
        const double lo = v3_axis(scene->domain.min, side_axis(side)),
                     hi = v3_axis(scene->domain.max, side_axis(side)), at = v3_axis(x, side_axis(side));
        phi = fmax(phi, side & 1 ? at - hi : lo - at);
    }
    return fmax(phi, out);
}

static rill_status contour_all(brochu *s, trimesh *mesh)
{
    const rill_scene *scene = s->sim.scene;
    rill_box where = {v3(INFINITY, INFINITY, INFINITY), v3(-INFINITY, -INFINITY, -INFINITY)};
    for (uint32_t i = 0; i < scene->liquid_count; i++) {
        const rill_box b = shape_bounds(&scene->liquid[i].shape);
        where.min = v3_min(where.min, b.min);
        where.max = v3_max(where.max, b.max);
    }
    where.min = v3_max(where.min, s->box.min);
    where.max = v3_min(where.max, s->box.max);
    if (s->flat) {
        where.min.z = s->box.min.z;
        where.max.z = s->box.max.z;
    }
    if (empty(where)) return RILL_OK;
    const brochu_frame frame = brochu_box_frame(s, where);
    TRY(brochu_contour(s, &frame, liquid_level, s, mesh));
    return mesh->triangle_count ? brochu_fit_level(s, liquid_level, s, mesh) : RILL_OK;
}

/* Vertices of flat parts leave their lattice: along the face by `jitter`, across it by `noise`. */
static rill_status disorder(brochu *s, trimesh *m)
{
    if (!(s->def.jitter > 0 || s->def.noise > 0)) return RILL_OK;
    double *most; /* of a spacing: less where triangles are low, or they would cross */
    TRY(ARENA_NEW(&s->scratch, most, m->vertex_count + 1));
    for (size_t v = 0; v < m->vertex_count; v++) most[v] = 1;
    for (size_t t = 0; t < m->triangle_count; t++) {
        const uint32_t *v = m->triangle[t];
        const rill_vec3 a = v3_sub(m->position[v[1]], m->position[v[0]]),
                        b = v3_sub(m->position[v[2]], m->position[v[0]]);
        const double longest =
            fmax(v3_distance(m->position[v[1]], m->position[v[2]]), fmax(v3_length(a), v3_length(b)));
        const double low = v3_length(v3_cross(a, b)) / longest / (0.7 * s->h); /* 1 in a lattice */
        for (int i = 0; i < 3; i++) most[v[i]] = fmin(most[v[i]], low);
    }
    for (size_t v = 0; v < m->vertex_count; v++) {
        const rill_vec3 n = s->surface.normal[v];
        if (!(s->surface.area[v] > 0) || s->surface.wall[v]) continue;
        const random4 a = random_at((uint64_t)s->def.seed, v, 0, 0),
                      b = random_at((uint64_t)s->def.seed, v, 0, 1);
        const rill_vec3 r = v3(2 * random_unit(a.v[0], a.v[1]) - 1, 2 * random_unit(a.v[2], a.v[3]) - 1,
                               2 * random_unit(b.v[0], b.v[1]) - 1);
        const double across = v3_dot(r, n);
        rill_vec3 x = v3_madd(m->position[v], most[v] * s->def.jitter * s->h, v3_madd(r, -across, n));
        x = v3_madd(x, most[v] * s->def.noise * s->h * (2 * random_unit(b.v[2], b.v[3]) - 1), n);
        m->position[v] = brochu_clamp(s, x);
    }
    return RILL_OK;
}

rill_status brochu_first_mesh(brochu *s, trimesh *out)
{
    const rill_scene *scene = s->sim.scene;
    const arena_mark mark = arena_mark_of(&s->scratch);
    trimesh mesh = {0};
    bool done = scene->drain_count == 0;
    rill_status st = done ? add_boxes(s, &mesh) : RILL_OK;
    for (uint32_t i = 0; !st && done && i < scene->liquid_count; i++)
        if (scene->liquid[i].shape.kind != SHAPE_BOX) st = add_part(s, i, &mesh, &done);
    if (!st && !done) {
        trimesh_clear(s->sim.ctx, &mesh);
        st = contour_all(s, &mesh);
    }
    if (!st) st = brochu_surface_measure(s, &mesh);
    if (!st) st = disorder(s, &mesh);
    arena_back(&s->scratch, mark);
    if (!st) *out = trimesh_take(&mesh);
    trimesh_clear(s->sim.ctx, &mesh);
    return st;
}
