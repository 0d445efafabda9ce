/* The liquid's first surface. Boxes become one mesh together, on a grid that has their faces as planes, so
 * that they may touch and overlap and keep their edges; balls and meshes are parts of their own, which must
 * not touch others. */
#include "base/random.h"
#include "geom/mesh/trimesh.h"
#include "voronoi/state.h"

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
    rill_box r = {v3_max(b->min, s->box.min), v3_min(b->max, s->box.max)};
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

static rill_status copy_mesh(brochu *s, const trimesh *from, trimesh *out)
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

/* A part of its own: inside the box, and clear of the other liquid. */
static rill_status check_part(brochu *s, uint32_t index, const trimesh *part)
{
    const rill_scene *scene = s->sim.scene;
    const double clear = fmax(s->def.merge, 0.1) * s->h;
    for (size_t v = 0; v < part->vertex_count; v++) {
        const rill_vec3 x = part->position[v];
        for (int side = 0; side < SIDE_COUNT; side++)
            if (!(brochu_wall_distance(s, x, side) > 0.05 * s->h))
                return rill_fail(
                    s->sim.ctx, RILL_BAD_SCENE,
                    "liquid %u reaches a side of the domain near (%.4g, %.4g, %.4g); of voronoi's "
                    "liquid only boxes may: move it away, or make the domain larger",
                    index + 1, x.x, x.y, x.z);
        for (uint32_t k = 0; k < scene->liquid_count; k++)
            if (k != index && shape_distance(&scene->liquid[k].shape, x, NULL) < clear)
                return rill_fail(
                    s->sim.ctx, RILL_BAD_SCENE,
                    "liquid %u touches liquid %u near (%.4g, %.4g, %.4g); of voronoi's liquid only "
                    "boxes may touch: leave a gap of %g m",
                    index + 1, k + 1, x.x, x.y, x.z, clear);
    }
    return RILL_OK;
}

static rill_status add_part(brochu *s, uint32_t index, trimesh *out)
{
    const shape *form = &s->sim.scene->liquid[index].shape;
    trimesh part = {0};
    rill_status st;
    if (form->kind == SHAPE_SPHERE)
        st = ball_mesh(s, &form->sphere, &part);
    else if (form->kind == SHAPE_MESH && form->mesh.owned)
        st = copy_mesh(s, mesh_distance_surface(form->mesh.owned), &part);
    else
        st = rill_fail(
            s->sim.ctx, RILL_BAD_SCENE,
            "liquid %u: voronoi starts from boxes, spheres and meshes; write this shape as one of them",
            index + 1);
    if (!st) st = check_part(s, index, &part);
    if (!st) return trimesh_append(s->sim.ctx, out, &part);
    trimesh_clear(s->sim.ctx, &part);
    return st;
}

/* Vertices of flat parts leave their lattice: along the face by `jitter`, across it by `noise`. */
static void disorder(brochu *s, trimesh *m)
{
    if (!(s->def.jitter > 0 || s->def.noise > 0)) return;
    for (size_t v = 0; v < m->vertex_count; v++) {
        const rill_vec3 n = s->surface.normal[v];
        if (!(s->surface.area[v] > 0) || s->surface.wall[v]) continue;
        const random4 a = random_at((uint64_t)s->def.seed, v, 0, 0),
                      b = random_at((uint64_t)s->def.seed, v, 0, 1);
        const rill_vec3 r = v3(2 * random_unit(a.v[0], a.v[1]) - 1, 2 * random_unit(a.v[2], a.v[3]) - 1,
                               2 * random_unit(b.v[0], b.v[1]) - 1);
        const double across = v3_dot(r, n);
        rill_vec3 x = v3_madd(m->position[v], s->def.jitter * s->h, v3_madd(r, -across, n));
        x = v3_madd(x, s->def.noise * s->h * (2 * random_unit(b.v[2], b.v[3]) - 1), n);
        m->position[v] = brochu_clamp(s, x);
    }
}

rill_status brochu_first_mesh(brochu *s, trimesh *out)
{
    const rill_scene *scene = s->sim.scene;
    const arena_mark mark = arena_mark_of(&s->scratch);
    trimesh mesh = {0};
    rill_status st = add_boxes(s, &mesh);
    for (uint32_t i = 0; !st && i < scene->liquid_count; i++)
        if (scene->liquid[i].shape.kind != SHAPE_BOX) st = add_part(s, i, &mesh);
    arena_back(&s->scratch, mark);
    if (!st) st = brochu_surface_measure(s, &mesh);
    if (!st) {
        disorder(s, &mesh);
        *out = trimesh_take(&mesh);
    }
    trimesh_clear(s->sim.ctx, &mesh);
    return st;
}
