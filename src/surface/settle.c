#include "surface/settle.h"

#include "base/parallel.h"
#include "surface/window.h"

#include <math.h>
#include <string.h>

static const double near = 0.12; /* cells: what is nearer than that to a border lies on it */
static const double film = 0.6;  /* cells: triangles that face a border lie on it when they are that near */
static const double reach = 1.2; /* cells: vertices may be off by the borders that near */
static const double deep = 0.02; /* cells: triangles may cut that deep into a solid */
enum { ROUNDS = 6 };

typedef struct {
    const borders *b;
    trimesh *m;
    double cell;
    const level_grid *field;
    const level_patches *patches;
    uint8_t *on;     /* per vertex: on a border */
    uint8_t *beside; /* per vertex: within `film` of a border, not on it */
    uint8_t *line;   /* per vertex: on a border, with a neighbour that is not */
    rill_vec3 *push; /* per triangle: out of the border, of its deepest point */
} settling;

/* The distance of x from the nearest border and the direction away from it. */
static double nearest_border(const borders *b, rill_vec3 x, rill_vec3 *normal)
{
    double least = INFINITY;
    *normal = v3(0, 1, 0);
    if (b->walls) {
        solid_contact c;
        least = solids_distance(b->walls, x, b->time, &c);
        if (least < INFINITY) *normal = c.normal;
    }
    for (int axis = 0; axis < b->dimensions && borders_boxed(b); axis++)
        for (int side = 0; side < 2; side++) {
            const double at = v3_axis(x, axis),
                         d = side ? v3_axis(b->box.max, axis) - at : at - v3_axis(b->box.min, axis);
            if (d >= least) continue;
            least = d;
            *normal = v3(0, 0, 0);
            v3_set_axis(normal, axis, side ? -1 : 1);
        }
    return least;
}

/* Onto the border; in a corner the second face counts after the first. */
static rill_vec3 onto_border(const settling *a, rill_vec3 x)
{
    for (int k = 0; k < 3; k++) {
        rill_vec3 n;
        const double d = nearest_border(a->b, x, &n);
        if (k > 0 && d > -1e-9 * a->cell) break;
        x = v3_madd(x, -d, n);
    }
    return x;
}

static rill_vec3 in_block(const settling *a, const level_patch *patch, rill_vec3 x)
{
    const rill_vec3 corner = v3(patch->block[0], patch->block[1], patch->block[2]);
    return v3_madd(v3_scale(v3_sub(x, a->field->origin), 1 / a->cell), -LEVEL_BLOCK, corner);
}

/* Whether the field alone would have no vertex at `at`, on an edge of the grid: it is inside at both ends. */
static bool border_alone(const settling *a, const level_window *w, rill_vec3 at)
{
    for (int axis = 0; axis < a->b->dimensions; axis++) {
        const double x = v3_axis(at, axis), low = floor(x + 0.005);
        if (fabs(x - low) < 0.005) continue; /* vertices keep off the ends of their edge */
        rill_vec3 from = at, to = at;
        for (int k = 0; k < 3; k++) v3_set_axis(&from, k, floor(v3_axis(at, k) + 0.005));
        to = from;
        v3_set_axis(&to, axis, low + 1);
        return level_window_value(w, from) >= a->field->level && level_window_value(w, to) >= a->field->level;
    }
    return false;
}

static void settle_vertex(const settling *a, const level_patch *patch, const level_window *w, uint32_t v)
{
    rill_vec3 *x = &a->m->position[v], n;
    const double d = nearest_border(a->b, *x, &n) / a->cell;
    const rill_vec3 at = in_block(a, patch, *x), slope = level_window_slope(w, at);
    const double steep = v3_length(slope);
    a->on[v] = d < near || border_alone(a, w, at);
    if (a->on[v]) *x = onto_border(a, *x);
    const double depth = steep > 0 ? (double)(level_window_value(w, at) - a->field->level) / steep : 0;
    if (a->on[v] || depth < 0.05 || depth > reach) return;
    a->on[v] = d < depth;
    *x = d < depth ? onto_border(a, *x) : v3_madd(*x, depth * a->cell / steep, slope);
}

static void settle_patches(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const settling *a = arg;
    level_window w;
    for (size_t k = begin; k < end; k++) {
        const level_patch *patch = &a->patches->patch[k];
        bool loaded = false;
        for (uint32_t v = patch->first; v < patch->first + patch->count; v++) {
            a->on[v] = a->beside[v] = 0;
            if (borders_distance(a->b, a->m->position[v]) > reach * a->cell) continue;
            if (!loaded) level_window_load(a->field, patch->block, &w);
            loaded = true;
            settle_vertex(a, patch, &w, v);
            a->beside[v] = !a->on[v] && borders_distance(a->b, a->m->position[v]) < film * a->cell;
        }
    }
}

/* At the rim of a film all corners of a triangle next to the border may have gone to the level: it would
 * leave air between itself and the border that it faces. */
static void close_films(settling *a)
{
    trimesh *m = a->m;
    for (size_t t = 0; t < m->triangle_count; t++) {
        const uint32_t *c = m->triangle[t];
        if (!(a->beside[c[0]] | a->beside[c[1]] | a->beside[c[2]])) continue;
        bool near_all = true;
        for (int k = 0; k < 3; k++) near_all &= a->beside[c[k]] || a->on[c[k]];
        if (!near_all) continue;
        const rill_vec3 x = m->position[c[0]], y = m->position[c[1]], z = m->position[c[2]];
        rill_vec3 n;
        nearest_border(a->b, v3_scale(v3_add(v3_add(x, y), z), 1.0 / 3), &n);
        if (v3_dot(v3_unit(v3_cross(v3_sub(y, x), v3_sub(z, x))), n) > -0.8) continue;
        for (int k = 0; k < 3; k++)
            if (a->beside[c[k]]) a->beside[c[k]] = 2; /* moved when all triangles have been looked at */
    }
    for (size_t v = 0; v < m->vertex_count; v++)
        if (a->beside[v] > 1) {
            m->position[v] = onto_border(a, m->position[v]);
            a->on[v] = 1;
        }
}

/* Along the border to where the field is at its level. */
static void settle_line(const settling *a, const level_patch *patch, const level_window *w, rill_vec3 *x)
{
    for (int k = 0; k < 4; k++) {
        rill_vec3 n;
        nearest_border(a->b, *x, &n);
        const rill_vec3 at = in_block(a, patch, *x), slope = level_window_slope(w, at);
        const rill_vec3 along = v3_madd(slope, -v3_dot(slope, n), n);
        const double steep = v3_length(along);
        if (!(steep > 0.4 * v3_length(slope))) return; /* it does not cross the border here */
        double off = (double)(level_window_value(w, at) - a->field->level) / steep;
        if (k == 0 && fabs(off) > 3 * reach) return;
        off = fmin(fmax(off, -0.7), 0.7); /* the field is flat deep inside */
        *x = onto_border(a, v3_madd(*x, off * a->cell / steep, along));
    }
}

static void settle_lines(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const settling *a = arg;
    level_window w;
    for (size_t k = begin; k < end; k++) {
        const level_patch *patch = &a->patches->patch[k];
        bool loaded = false;
        for (uint32_t v = patch->first; v < patch->first + patch->count; v++) {
            if (!a->line[v]) continue;
            if (!loaded) level_window_load(a->field, patch->block, &w);
            loaded = true;
            settle_line(a, patch, &w, &a->m->position[v]);
        }
    }
}

static void find_line(const trimesh *m, const uint8_t *on, uint8_t *line)
{
    memset(line, 0, m->vertex_count);
    for (size_t t = 0; t < m->triangle_count; t++) {
        const uint32_t *c = m->triangle[t];
        if (on[c[0]] && on[c[1]] && on[c[2]]) continue;
        for (int k = 0; k < 3; k++) line[c[k]] |= on[c[k]];
    }
}

static void settle_beyond(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const settling *a = arg;
    for (size_t v = begin; v < end; v++)
        for (int k = 0; k < 3; k++) {
            rill_vec3 n;
            const double d = nearest_border(a->b, a->m->position[v], &n);
            if (!(d < 0)) break;
            a->m->position[v] = v3_madd(a->m->position[v], -d, n);
        }
}

static void find_pushes(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const settling *a = arg;
    for (size_t t = begin; t < end; t++) {
        a->push[t] = v3(0, 0, 0);
        const uint32_t *c = a->m->triangle[t];
        if (a->on && !a->on[c[0]] && !a->on[c[1]] && !a->on[c[2]]) continue;
        const rill_vec3 x = a->m->position[c[0]], y = a->m->position[c[1]], z = a->m->position[c[2]];
        const rill_vec3 at[4] = {v3_scale(v3_add(v3_add(x, y), z), 1.0 / 3), v3_scale(v3_add(x, y), 0.5),
                                 v3_scale(v3_add(y, z), 0.5), v3_scale(v3_add(z, x), 0.5)};
        double deepest = deep * a->cell;
        for (int k = 0; k < 4; k++) {
            rill_vec3 n;
            const double d = nearest_border(a->b, at[k], &n);
            if (!(-d > deepest)) continue;
            deepest = -d;
            a->push[t] = v3_scale(n, -d);
        }
    }
}

/* Triangles that cut across a solid's edge: their corners go out by as much as they are in. */
static rill_status push_triangles(rill_ctx *ctx, settling *a)
{
    if (!a->b->walls || a->b->walls->count == 0)
        return RILL_OK; /* a box has no such edges, seen from inside */
    rill_vec3 *sum = NULL;
    rill_status st = MEM_NEW(ctx, a->push, a->m->triangle_count);
    if (!st) st = MEM_NEW(ctx, sum, a->m->vertex_count);
    bool any = true;
    for (int round = 0; round < ROUNDS && any && !st; round++) {
        parallel_for(ctx, a->m->triangle_count, 1024, find_pushes, a);
        any = false;
        for (size_t v = 0; v < a->m->vertex_count; v++) sum[v] = v3(0, 0, 0);
        for (size_t t = 0; t < a->m->triangle_count; t++) {
            const double by = v3_dot(a->push[t], a->push[t]);
            if (by == 0) continue;
            any = true;
            for (int k = 0; k < 3; k++) { /* of several, the farthest */
                rill_vec3 *to = &sum[a->m->triangle[t][k]];
                if (by > v3_dot(*to, *to)) *to = a->push[t];
            }
        }
        if (!any) break;
        for (size_t v = 0; v < a->m->vertex_count; v++) a->m->position[v] = v3_add(a->m->position[v], sum[v]);
        parallel_for(ctx, a->m->vertex_count, 1024, settle_beyond, a); /* not from one solid into another */
    }
    mem_free(ctx, a->push);
    mem_free(ctx, sum);
    return st;
}

rill_status settle_vertices(rill_ctx *ctx, const borders *b, const level_grid *field,
                            const level_patches *patches, trimesh *m, uint8_t **on)
{
    settling a = {.b = b, .m = m, .cell = field->cell, .field = field, .patches = patches};
    rill_status st = MEM_NEW(ctx, a.on, m->vertex_count);
    if (!st) st = MEM_NEW(ctx, a.line, m->vertex_count);
    if (!st) st = MEM_NEW(ctx, a.beside, m->vertex_count);
    if (!st) {
        parallel_for(ctx, patches->count, 8, settle_patches, &a);
        close_films(&a);
        find_line(m, a.on, a.line);
        parallel_for(ctx, patches->count, 8, settle_lines, &a);
        st = push_triangles(ctx, &a);
    }
    mem_free(ctx, a.line);
    mem_free(ctx, a.beside);
    if (st)
        mem_free(ctx, a.on);
    else
        *on = a.on;
    return st;
}

rill_status settle_back(rill_ctx *ctx, const borders *b, double cell, trimesh *m)
{
    settling a = {.b = b, .m = m, .cell = cell};
    parallel_for(ctx, m->vertex_count, 1024, settle_beyond, &a);
    return push_triangles(ctx, &a);
}

rill_status settle_normals(rill_ctx *ctx, const borders *b, const uint8_t *on, trimesh *m)
{
    uint8_t *line = NULL;
    TRY(MEM_NEW(ctx, line, m->vertex_count));
    find_line(m, on, line);
    for (size_t v = 0; v < m->vertex_count; v++) {
        rill_vec3 n;
        if (!on[v] || line[v] || !(nearest_border(b, m->position[v], &n) < INFINITY)) continue;
        m->normal[v][0] = (float)-n.x, m->normal[v][1] = (float)-n.y, m->normal[v][2] = (float)-n.z;
    }
    mem_free(ctx, line);
    return RILL_OK;
}
