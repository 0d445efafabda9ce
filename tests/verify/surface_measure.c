/* See surface_measure.h. */
#include "verify/surface_measure.h"

#include "geom/search/block_map.h"

#include <math.h>
#include <string.h>

/* ---- roughness ---- */

static rill_vec3 normal_of(const trimesh *m, const uint32_t t[3])
{
    const rill_vec3 a = m->position[t[0]];
    return v3_cross(v3_sub(m->position[t[1]], a), v3_sub(m->position[t[2]], a));
}

rill_status surface_bend(rill_ctx *ctx, const trimesh *m, double spacing, rill_box box, double up,
                         bool of_triangles, double *out)
{
    rill_vec3 *normal = NULL;
    TRY(MEM_NEW_ZERO(ctx, normal, m->vertex_count));
    for (size_t t = 0; t < m->triangle_count && of_triangles; t++)
        for (int k = 0; k < 3; k++)
            normal[m->triangle[t][k]] = v3_add(normal[m->triangle[t][k]], normal_of(m, m->triangle[t]));
    for (size_t v = 0; v < m->vertex_count; v++)
        normal[v] = v3_unit(of_triangles ? normal[v] : v3(m->normal[v][0], m->normal[v][1], m->normal[v][2]));
    double turns = 0, lengths = 0;
    for (size_t t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const uint32_t a = m->triangle[t][k], b = m->triangle[t][(k + 1) % 3];
            const rill_vec3 x = m->position[a], y = m->position[b];
            if (a > b || !box_contains(box, x) || !box_contains(box, y)) continue;
            if (normal[a].y < up || normal[b].y < up) continue;
            const double turn =
                atan2(v3_length(v3_cross(normal[a], normal[b])), v3_dot(normal[a], normal[b]));
            turns += turn * turn;
            lengths += v3_dot(v3_sub(x, y), v3_sub(x, y)) / (spacing * spacing);
        }
    mem_free(ctx, normal);
    *out = lengths > 0 ? sqrt(turns / lengths) : NAN;
    return RILL_OK;
}

/* ---- particles by place ---- */

typedef struct {
    const particles *p;
    double cell;
    block_map map;
    uint32_t *head, *next;
} bins;

static void cell_of(const bins *b, rill_vec3 x, int32_t at[3])
{
    for (int k = 0; k < 3; k++) at[k] = (int32_t)floor(v3_axis(x, k) / b->cell);
}

static void bins_clear(rill_ctx *ctx, bins *b)
{
    block_map_clear(ctx, &b->map);
    mem_free(ctx, b->head);
    mem_free(ctx, b->next);
}

static rill_status bins_make(rill_ctx *ctx, const particles *p, double cell, bins *out)
{
    bins b = {.p = p, .cell = cell};
    rill_status st = MEM_NEW(ctx, b.next, p->count + 1);
    if (!st) st = MEM_NEW(ctx, b.head, p->count + 1);
    for (uint32_t i = 0; i < p->count && !st; i++) {
        int32_t at[3];
        cell_of(&b, p->position[i], at);
        uint32_t id = block_map_find(&b.map, at[0], at[1], at[2]);
        if (id == BLOCK_NONE) {
            id = (uint32_t)b.map.count;
            st = block_map_add(ctx, &b.map, at[0], at[1], at[2]);
            b.head[id] = UINT32_MAX;
        }
        b.next[i] = b.head[id];
        b.head[id] = i;
    }
    if (st)
        bins_clear(ctx, &b);
    else
        *out = b;
    return st;
}

/* The nearest particle to x within a cell, but for `without`; UINT32_MAX: none. */
static uint32_t nearest_to(const bins *b, rill_vec3 x, uint32_t without, double *distance)
{
    int32_t at[3];
    uint32_t best = UINT32_MAX;
    double least = b->cell;
    cell_of(b, x, at);
    for (int k = 0; k < 27; k++) {
        const uint32_t id =
            block_map_find(&b->map, at[0] + k % 3 - 1, at[1] + k / 3 % 3 - 1, at[2] + k / 9 - 1);
        for (uint32_t i = id == BLOCK_NONE ? UINT32_MAX : b->head[id]; i != UINT32_MAX; i = b->next[i]) {
            const double d = v3_length(v3_sub(b->p->position[i], x));
            if (i == without || d >= least) continue;
            least = d;
            best = i;
        }
    }
    *distance = least;
    return best;
}

/* ---- walls ---- */

rill_status surface_walls(rill_ctx *ctx, const trimesh *m, const particles *p, const solids *walls,
                          double time, double spacing, surface_at_walls *out)
{
    bins b = {0};
    surface_at_walls w = {0, 0};
    TRY(bins_make(ctx, p, spacing, &b));
    for (size_t t = 0; t < m->triangle_count; t++) {
        const rill_vec3 x[3] = {m->position[m->triangle[t][0]], m->position[m->triangle[t][1]],
                                m->position[m->triangle[t][2]]},
                        middle = v3_scale(v3_add(v3_add(x[0], x[1]), x[2]), 1.0 / 3);
        solid_contact c;
        const double d = solids_distance(walls, middle, time, &c) / spacing;
        if (!(d < 2)) continue;
        w.overshoot = fmax(w.overshoot, -d);
        double gap = d;
        for (int k = 0; k < 3; k++) {
            const double corner = solids_distance(walls, x[k], time, NULL) / spacing;
            const rill_vec3 half = v3_scale(v3_add(x[k], x[(k + 1) % 3]), 0.5);
            w.overshoot = fmax(w.overshoot, -corner);
            gap = fmin(gap, corner);
            w.overshoot = fmax(w.overshoot, -solids_distance(walls, half, time, NULL) / spacing);
        }
        const rill_vec3 n = v3_unit(normal_of(m, m->triangle[t]));
        if (gap <= w.gap || d > 0.6 || v3_dot(n, c.normal) > -0.9) continue;
        double away;
        const uint32_t i = nearest_to(&b, middle, UINT32_MAX, &away);
        if (i == UINT32_MAX || away > 0.6 * spacing) continue;
        const rill_vec3 from = v3_scale(v3_sub(p->position[i], middle), 1 / spacing);
        const double above = v3_dot(from, c.normal), beside = sqrt(v3_dot(from, from) - above * above);
        if (above > 0 && above + d < 0.6 && beside < 0.4) w.gap = gap;
    }
    bins_clear(ctx, &b);
    *out = w;
    return RILL_OK;
}

/* ---- parts ---- */

static uint32_t root_of(uint32_t *parent, uint32_t v)
{
    for (; parent[v] != v; v = parent[v]) parent[v] = parent[parent[v]];
    return v;
}

/* Volume and middle (of the vertices) of the part at each root. */
static void measure_parts(const trimesh *m, uint32_t *parent, double *volume, rill_vec3 *middle,
                          double *count)
{
    for (uint32_t v = 0; v < m->vertex_count; v++) parent[v] = v;
    for (size_t t = 0; t < m->triangle_count; t++)
        for (int k = 1; k < 3; k++) {
            const uint32_t a = root_of(parent, m->triangle[t][0]), c = root_of(parent, m->triangle[t][k]);
            parent[a > c ? a : c] = a > c ? c : a;
        }
    for (size_t t = 0; t < m->triangle_count; t++) {
        const uint32_t r = root_of(parent, m->triangle[t][0]);
        const rill_vec3 o = m->position[r];
        volume[r] += v3_dot(v3_sub(m->position[m->triangle[t][0]], o), normal_of(m, m->triangle[t])) / 6;
    }
    for (uint32_t v = 0; v < m->vertex_count; v++) {
        const uint32_t r = root_of(parent, v);
        middle[r] = v3_add(middle[r], m->position[v]);
        count[r] += 1;
    }
}

static double all_volume(const particles *p, double spacing)
{
    const float *size = particles_column(p, "spacing");
    double sum = 0;
    for (size_t i = 0; i < p->count; i++) sum += size ? pow((double)size[i], 3) : spacing * spacing * spacing;
    return sum;
}

rill_status surface_measure_parts(rill_ctx *ctx, const trimesh *m, const particles *p, const solids *walls,
                                  double time, double spacing, surface_parts *out)
{
    bins b = {0};
    uint32_t *parent = NULL;
    double *volume = NULL, *count = NULL;
    rill_vec3 *middle = NULL;
    surface_parts s = {0};
    const double one = spacing * spacing * spacing;
    rill_status st = bins_make(ctx, p, 3 * spacing, &b);
    if (!st) st = MEM_NEW(ctx, parent, m->vertex_count + 1);
    if (!st) st = MEM_NEW_ZERO(ctx, volume, m->vertex_count + 1);
    if (!st) st = MEM_NEW_ZERO(ctx, count, m->vertex_count + 1);
    if (!st) st = MEM_NEW_ZERO(ctx, middle, m->vertex_count + 1);
    if (!st) measure_parts(m, parent, volume, middle, count);
    for (uint32_t v = 0; v < m->vertex_count && !st; v++) {
        double from;
        nearest_to(&b, m->position[v], UINT32_MAX, &from);
        s.farthest = fmax(s.farthest, from / spacing);
        if (parent[v] != v) continue;
        s.volume += volume[v];
        if (volume[v] <= 0 || volume[v] > 1.6 * one) continue;
        double away;
        const rill_vec3 at = v3_scale(middle[v], 1 / count[v]);
        const uint32_t i = nearest_to(&b, at, UINT32_MAX, &away);
        if (i == UINT32_MAX || away > 0.3 * spacing) continue;
        s.singles++;
        nearest_to(&b, p->position[i], i, &away);
        s.beads += away < 1.5 * spacing;
        if (away < 2.99 * spacing || solids_distance(walls, p->position[i], time, NULL) < spacing) continue;
        s.drops++;
        s.drop += volume[v] / one;
    }
    if (!st) {
        s.volume /= all_volume(p, spacing);
        if (s.drops) s.drop /= s.drops;
        *out = s;
    }
    bins_clear(ctx, &b);
    mem_free(ctx, parent);
    mem_free(ctx, volume);
    mem_free(ctx, count);
    mem_free(ctx, middle);
    return st;
}
