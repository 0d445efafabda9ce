/* Parts, smoothing and normals of a surface mesh; see finish.h. */
#include "surface/finish.h"

#include "base/parallel.h"
#include "base/union_find.h"
#include "surface/settle.h"

#include <string.h>

/* ---- parts ---- */

void finish_keep(trimesh *m, const uint8_t *keep, uint32_t *place)
{
    memset(place, 0xff, m->vertex_count * sizeof *place);
    for (size_t t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3 && keep[t]; k++) place[m->triangle[t][k]] = 0;
    uint32_t vertices = 0;
    for (size_t v = 0; v < m->vertex_count; v++) {
        if (place[v]) continue;
        m->position[vertices] = m->position[v];
        if (m->normal) memmove(m->normal[vertices], m->normal[v], sizeof *m->normal);
        for (uint32_t c = 0; c < m->column_count; c++) {
            const size_t width = (size_t)m->column[c].width;
            memmove(m->column[c].value + width * vertices, m->column[c].value + width * v,
                    width * sizeof(float));
        }
        place[v] = vertices++;
    }
    size_t triangles = 0;
    for (size_t t = 0; t < m->triangle_count; t++) {
        if (!keep[t]) continue;
        for (int k = 0; k < 3; k++) m->triangle[triangles][k] = place[m->triangle[t][k]];
        triangles++;
    }
    m->vertex_count = vertices;
    m->triangle_count = triangles;
}

rill_status finish_components(rill_ctx *ctx, trimesh *m, double volume)
{
    uint32_t *parent = NULL;
    double *encloses = NULL;
    uint8_t *keep = NULL;
    rill_status st = MEM_NEW(ctx, parent, m->vertex_count);
    if (!st) st = MEM_NEW_ZERO(ctx, encloses, m->vertex_count);
    if (!st) st = MEM_NEW(ctx, keep, m->triangle_count);
    if (!st) union_find_init(parent, (uint32_t)m->vertex_count);
    for (size_t t = 0; t < m->triangle_count && !st; t++)
        for (int k = 1; k < 3; k++) union_find_join(parent, m->triangle[t][0], m->triangle[t][k]);
    for (size_t t = 0; t < m->triangle_count && !st; t++) {
        const uint32_t root = union_find_root(parent, m->triangle[t][0]);
        const rill_vec3 o = m->position[root]; /* near: no digits are lost far from the origin */
        const rill_vec3 a = v3_sub(m->position[m->triangle[t][0]], o),
                        b = v3_sub(m->position[m->triangle[t][1]], o),
                        c = v3_sub(m->position[m->triangle[t][2]], o);
        encloses[root] += v3_dot(a, v3_cross(b, c)) / 6;
    }
    for (size_t t = 0; t < m->triangle_count && !st; t++)
        keep[t] = fabs(encloses[union_find_root(parent, m->triangle[t][0])]) >= volume;
    if (!st) finish_keep(m, keep, parent);
    mem_free(ctx, parent);
    mem_free(ctx, encloses);
    mem_free(ctx, keep);
    return st;
}

/* ---- smoothing ---- */

typedef struct {
    const trimesh *m;
    uint32_t *first, *next; /* per vertex and one more; its neighbours */
    const float *weight;
    uint8_t *still; /* planar: on a cap, within the contour; otherwise NULL */
    double step;
    rill_vec3 *to;
} smoothing;

static bool wall(const trimesh *m, const uint32_t t[3])
{
    return m->position[t[0]].z != m->position[t[1]].z || m->position[t[1]].z != m->position[t[2]].z;
}

/* Whether the side from corner k of a triangle to the next makes these neighbours: of a closed mesh every
 * side, once each way. Of an extruded one, for a vertex of the contour the sides along it, which are in one
 * triangle of the wall each and so count both ways; for those within, every side of a cap. */
static bool counts(const smoothing *s, const uint32_t t[3], int k, bool back)
{
    const trimesh *m = s->m;
    const uint32_t a = t[k], b = t[(k + 1) % 3];
    if (!s->still) return !back;
    if (wall(m, t)) return m->position[a].z == m->position[b].z;
    return !back && s->still[a];
}

static rill_status find_neighbours(rill_ctx *ctx, smoothing *s, bool planar)
{
    const trimesh *m = s->m;
    if (planar) {
        TRY(MEM_NEW(ctx, s->still, m->vertex_count));
        memset(s->still, 1, m->vertex_count);
        for (size_t t = 0; t < m->triangle_count; t++)
            for (int k = 0; k < 3 && wall(m, m->triangle[t]); k++) s->still[m->triangle[t][k]] = 0;
    }
    TRY(MEM_NEW_ZERO(ctx, s->first, m->vertex_count + 2));
    for (int pass = 0; pass < 2; pass++) {
        for (size_t t = 0; t < m->triangle_count; t++)
            for (int k = 0; k < 3; k++) {
                const uint32_t a = m->triangle[t][k], b = m->triangle[t][(k + 1) % 3];
                for (int back = 0; back < 2; back++) {
                    if (!counts(s, m->triangle[t], k, back)) continue;
                    const uint32_t from = back ? b : a, to = back ? a : b;
                    if (pass == 0)
                        s->first[from + 2]++;
                    else
                        s->next[s->first[from + 1]++] = to;
                }
            }
        if (pass == 1) break;
        for (size_t v = 0; v < m->vertex_count; v++) s->first[v + 2] += s->first[v + 1];
        TRY(MEM_NEW(ctx, s->next, s->first[m->vertex_count + 1]));
    }
    return RILL_OK;
}

static void smooth_vertices(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const smoothing *s = arg;
    for (size_t v = begin; v < end; v++) {
        const uint32_t from = s->first[v], to = s->first[v + 1];
        rill_vec3 mean = {0}, x = s->m->position[v];
        for (uint32_t k = from; k < to; k++) mean = v3_add(mean, v3_sub(s->m->position[s->next[k]], x));
        const double step = s->still && s->still[v] ? 0.5 : s->step * s->weight[v];
        s->to[v] = to > from ? v3_madd(x, step / (to - from), mean) : x;
    }
}

rill_status finish_smooth(rill_ctx *ctx, trimesh *m, int rounds, const float *weight, bool planar)
{
    smoothing s = {.m = m, .weight = weight};
    rill_status st = find_neighbours(ctx, &s, planar);
    if (!st) st = MEM_NEW(ctx, s.to, m->vertex_count);
    for (int k = 0; k < 2 * rounds && !st; k++) {
        s.step = k % 2 ? -0.53 : 0.5;
        parallel_for(ctx, m->vertex_count, 4096, smooth_vertices, &s);
        rill_vec3 *before = m->position;
        m->position = s.to;
        s.to = before;
    }
    if (!st) finish_normals(m);
    mem_free(ctx, s.still);
    mem_free(ctx, s.to);
    mem_free(ctx, s.first);
    mem_free(ctx, s.next);
    return st;
}

void finish_normals(trimesh *m)
{
    if (!m->normal) return;
    memset(m->normal, 0, m->vertex_count * sizeof *m->normal);
    for (size_t t = 0; t < m->triangle_count; t++) {
        const uint32_t *v = m->triangle[t];
        const rill_vec3 n = v3_cross(v3_sub(m->position[v[1]], m->position[v[0]]),
                                     v3_sub(m->position[v[2]], m->position[v[0]]));
        for (int k = 0; k < 3; k++) {
            m->normal[v[k]][0] += (float)n.x;
            m->normal[v[k]][1] += (float)n.y;
            m->normal[v[k]][2] += (float)n.z;
        }
    }
    for (size_t i = 0; i < m->vertex_count; i++) {
        float *n = m->normal[i];
        const float l = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int k = 0; k < 3; k++) n[k] = l > 0 ? n[k] / l : (float)(k == 1);
    }
}

/* ---- all of it ---- */

rill_status finish_mesh(rill_ctx *ctx, const finish_def *def, trimesh *m)
{
    const surface_def *how = def->surface;
    const double h = how->spacing;
    if (def->on) TRY(settle_normals(ctx, def->ends, def->on, m));
    if (how->smooth) {
        for (size_t v = 0; v < m->vertex_count && def->on; v++)
            if (def->on[v]) def->weight[v] = 0;
        TRY(finish_smooth(ctx, m, how->smooth, def->weight, how->dimensions == 2));
    }
    if (def->on && (how->smooth || def->moved)) TRY(settle_back(ctx, def->ends, def->cell, m));
    if (how->smallest > 0) TRY(finish_components(ctx, m, how->smallest * h * h * h));
    if (how->slivers > 0 && how->dimensions == 3) TRY(finish_slivers(ctx, m, how->slivers * def->cell));
    return RILL_OK;
}
