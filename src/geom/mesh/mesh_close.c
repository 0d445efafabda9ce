#include "geom/mesh/mesh_close.h"

#include "base/hash.h"
#include "base/parallel.h"
#include "base/union_find.h"

#include <float.h>
#include <string.h>

/* Arrays to sort with. */
typedef struct {
    uint64_t *key, *spare_key;
    uint32_t *value, *spare_value;
} sorter;

static rill_status sorter_init(rill_ctx *ctx, sorter *s, size_t n)
{
    *s = (sorter){0};
    TRY(MEM_NEW(ctx, s->key, n));
    TRY(MEM_NEW(ctx, s->spare_key, n));
    TRY(MEM_NEW(ctx, s->value, n));
    return MEM_NEW(ctx, s->spare_value, n);
}

static void sorter_clear(rill_ctx *ctx, sorter *s)
{
    mem_free(ctx, s->key);
    mem_free(ctx, s->spare_key);
    mem_free(ctx, s->value);
    mem_free(ctx, s->spare_value);
}

static bool same_place(rill_vec3 a, rill_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* place[v] = the first vertex at the same place as v. */
static rill_status find_places(rill_ctx *ctx, const trimesh *m, uint32_t *place)
{
    sorter s;
    rill_status st = sorter_init(ctx, &s, m->vertex_count);
    if (!st) {
        for (size_t i = 0; i < m->vertex_count; i++) {
            const rill_vec3 p = v3_add(m->position[i], v3(0, 0, 0)); /* -0 becomes 0 */
            s.key[i] = hash_bytes(&p, sizeof p, 0);
            s.value[i] = (uint32_t)i;
        }
        st = sort_by_key(ctx, m->vertex_count, 64, s.key, s.value, s.spare_key, s.spare_value);
    }
    for (size_t i = 0; !st && i < m->vertex_count; i++) {
        const uint32_t v = s.value[i]; /* stable: the lowest of a place first */
        const bool again =
            i > 0 && s.key[i] == s.key[i - 1] && same_place(m->position[v], m->position[s.value[i - 1]]);
        place[v] = again ? place[s.value[i - 1]] : v;
    }
    sorter_clear(ctx, &s);
    return st;
}

static size_t collect_sides(const trimesh *m, const uint32_t *place, sorter *s)
{
    size_t count = 0;
    for (size_t i = 0; i < m->triangle_count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            const uint64_t a = place[m->triangle[i][k]], b = place[m->triangle[i][(k + 1) % 3]];
            if (a == b) continue;
            s->key[count] = a < b ? a << 32 | b : b << 32 | a;
            s->value[count++] = (uint32_t)(3 * i) + k;
        }
    return count;
}

static mesh_rim_side side_at(const trimesh *m, const uint32_t *place, uint32_t corner)
{
    const uint32_t i = corner / 3, k = corner % 3;
    return (mesh_rim_side){place[m->triangle[i][k]], place[m->triangle[i][(k + 1) % 3]], i};
}

/* One edge: the sides that find no partner, which all run the same way. */
static void judge_edge(const trimesh *m, const uint32_t *place, const uint32_t *corner, size_t count,
                       mesh_rim *rim)
{
    size_t up = 0;
    for (size_t i = 0; i < count; i++) {
        const mesh_rim_side s = side_at(m, place, corner[i]);
        up += s.from < s.to;
    }
    const size_t down = count - up;
    if (up == down) return;
    if (count == 2) {
        const mesh_rim_side s = side_at(m, place, corner[0]);
        if (rim->turned++ == 0)
            rim->turned_at = v3_scale(v3_add(m->position[s.from], m->position[s.to]), 0.5);
        return;
    }
    size_t left = up > down ? up - down : down - up;
    for (size_t i = 0; i < count && left > 0; i++) {
        const mesh_rim_side s = side_at(m, place, corner[i]);
        if ((s.from < s.to) != (up > down)) continue;
        rim->side[rim->count++] = s;
        left--;
    }
}

rill_status mesh_rim_build(rill_ctx *ctx, const trimesh *mesh, mesh_rim *out)
{
    mesh_rim rim = {0};
    sorter s = {0};
    uint32_t *place = NULL;
    const size_t n = 3 * mesh->triangle_count;
    rill_status st = MEM_NEW(ctx, place, mesh->vertex_count);
    if (!st) st = find_places(ctx, mesh, place);
    if (!st) st = sorter_init(ctx, &s, n);
    size_t count = 0;
    if (!st) {
        count = collect_sides(mesh, place, &s);
        st = sort_by_key(ctx, count, 64, s.key, s.value, s.spare_key, s.spare_value);
    }
    if (!st) st = MEM_NEW(ctx, rim.side, count);
    for (size_t begin = 0, end; !st && begin < count; begin = end) {
        for (end = begin + 1; end < count && s.key[end] == s.key[begin];) end++;
        judge_edge(mesh, place, &s.value[begin], end - begin, &rim);
    }
    if (st)
        mesh_rim_clear(ctx, &rim);
    else
        *out = rim;
    sorter_clear(ctx, &s);
    mem_free(ctx, place);
    return st;
}

void mesh_rim_clear(rill_ctx *ctx, mesh_rim *rim)
{
    mem_free(ctx, rim->side);
    *rim = (mesh_rim){0};
}

/* --- closing --- */

/* The mesh as it will be, until nothing can fail any more. */
typedef struct {
    rill_vec3 *position;
    float (*normal)[3];
    uint32_t (*triangle)[3];
    double *length; /* of the rims */
} closed_mesh;

static rill_status copy_grown(rill_ctx *ctx, const trimesh *m, size_t holes, size_t sides, closed_mesh *c)
{
    TRY(MEM_NEW(ctx, c->position, m->vertex_count + holes));
    TRY(MEM_NEW(ctx, c->triangle, m->triangle_count + sides));
    TRY(MEM_NEW_ZERO(ctx, c->length, holes));
    memcpy(c->position, m->position, m->vertex_count * sizeof *c->position);
    memcpy(c->triangle, m->triangle, m->triangle_count * sizeof *c->triangle);
    if (!m->normal) return RILL_OK;
    TRY(MEM_NEW_ZERO(ctx, c->normal, m->vertex_count + holes)); /* no normal in a hole's middle */
    memcpy(c->normal, m->normal, m->vertex_count * sizeof *c->normal);
    return RILL_OK;
}

/* middle[v]: the new vertex in the middle of the rim that v, the root of its tree, is on.
 * Returns how many there are. */
static size_t number_holes(const trimesh *m, const mesh_rim *rim, uint32_t *parent, uint32_t *middle)
{
    size_t holes = 0;
    union_find_init(parent, (uint32_t)m->vertex_count);
    for (size_t i = 0; i < m->vertex_count; i++) middle[i] = UINT32_MAX;
    for (size_t i = 0; i < rim->count; i++) union_find_join(parent, rim->side[i].from, rim->side[i].to);
    for (size_t i = 0; i < rim->count; i++) {
        uint32_t *at = &middle[union_find_root(parent, rim->side[i].from)];
        if (*at == UINT32_MAX) *at = (uint32_t)(m->vertex_count + holes++);
    }
    return holes;
}

/* The middles of the rims, by length, and the fans. */
static void fill_holes(const trimesh *m, const mesh_rim *rim, uint32_t *parent, const uint32_t *middle,
                       size_t holes, closed_mesh *c)
{
    rill_vec3 *center = c->position + m->vertex_count;
    for (size_t h = 0; h < holes; h++) center[h] = v3(0, 0, 0);
    for (size_t i = 0; i < rim->count; i++) {
        const mesh_rim_side *s = &rim->side[i];
        const uint32_t v = middle[union_find_root(parent, s->from)];
        const size_t h = v - m->vertex_count;
        const double length = v3_distance(c->position[s->from], c->position[s->to]) + DBL_MIN;
        center[h] = v3_madd(center[h], length / 2, v3_add(c->position[s->from], c->position[s->to]));
        c->length[h] += length;
        const uint32_t t[3] = {s->to, s->from, v};
        memcpy(c->triangle[m->triangle_count + i], t, sizeof t);
    }
    for (size_t h = 0; h < holes; h++)
        center[h] = v3(center[h].x / c->length[h], center[h].y / c->length[h], center[h].z / c->length[h]);
}

rill_status mesh_close(rill_ctx *ctx, trimesh *mesh, const mesh_rim *rim)
{
    if (rim->count == 0) return RILL_OK;
    uint32_t *parent = NULL, *middle = NULL;
    closed_mesh c = {0};
    size_t holes = 0;
    rill_status st = MEM_NEW(ctx, parent, mesh->vertex_count);
    if (!st) st = MEM_NEW(ctx, middle, mesh->vertex_count);
    if (!st) {
        holes = number_holes(mesh, rim, parent, middle);
        st = copy_grown(ctx, mesh, holes, rim->count, &c);
    }
    if (!st) {
        fill_holes(mesh, rim, parent, middle, holes, &c);
        const trimesh old = *mesh;
        mesh->position = c.position, mesh->normal = c.normal, mesh->triangle = c.triangle;
        mesh->vertex_count += holes;
        mesh->triangle_count += rim->count;
        c.position = old.position, c.normal = old.normal, c.triangle = old.triangle;
    }
    mem_free(ctx, c.position);
    mem_free(ctx, c.normal);
    mem_free(ctx, c.triangle);
    mem_free(ctx, c.length);
    mem_free(ctx, parent);
    mem_free(ctx, middle);
    return st;
}
