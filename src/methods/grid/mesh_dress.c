/* Normals and velocities of the vertices of a mesh.
 *
 * A normal is the level set's slope where the vertex is, and a velocity the mean of the
 * particles in the cells around it, those nearer counting more. */
#include "flow/colors.h"
#include "grid/mesh_field.h"
#include "surface/window.h"

#include <string.h>

typedef struct {
    const grid *s;
    const level_grid *level;
    const level_patches *patches;
    float (*sum)[4];     /* per cell: particles, and the sum of their velocities, or of a column */
    const float *column; /* of the particles; NULL: their velocities */
    float *weight;       /* per vertex: how much it may be smoothed; NULL: not wanted */
    trimesh *mesh;
    float *to; /* of the mesh's column */
    int width;
} dress_job;

/* --- velocities --- */

static void sum_cores(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const dress_job *j = arg;
    const grid *s = j->s;
    const size_t cells = (size_t)s->tiles.cells;
    for (size_t t = begin; t < end; t++) {
        float(*sum)[4] = j->sum + t * cells;
        memset(sum, 0, cells * sizeof *sum);
        if (s->bin.core_of[t] == GRID_NONE) continue;
        const uint32_t *first = s->bin.first + s->bin.core_of[t] * cells;
        for (size_t c = 0; c < cells; c++)
            for (uint32_t i = first[c]; i < first[c + 1]; i++) {
                const uint32_t k = s->bin.order ? s->bin.order[i] : i;
                sum[c][0] += 1;
                if (j->column) {
                    sum[c][1] += j->column[k];
                    continue;
                }
                const rill_vec3 v = s->particles.velocity[k];
                sum[c][1] += (float)v.x, sum[c][2] += (float)v.y, sum[c][3] += (float)v.z;
            }
    }
}

/* The mean over the cells around x, linear between their centres; with `wide`, over all
 * neighbours of its cell alike. Returns how many particles that is of, 0: none. */
static float mean_around(const dress_job *j, rill_vec3 x, bool wide, float v[3])
{
    const grid *s = j->s;
    const int d = s->tiles.dimensions;
    const rill_vec3 y = v3_scale(v3_sub(x, s->tiles.origin), 1 / s->h);
    int32_t low[3] = {0};
    float part[3] = {0}, sum[4] = {0};
    for (int a = 0; a < d; a++) {
        const double at = v3_axis(y, a) - (wide ? 1 : 0.5);
        low[a] = (int32_t)floor(at);
        part[a] = (float)(at - low[a]);
    }
    const uint32_t tile = block_map_find(&s->tiles.map, low[0] >> 3, low[1] >> 3, low[2] >> 3);
    if (tile == GRID_NONE) return 0;
    const int n = wide ? 3 : 2;
    for (int k = 0; k < (d == 2 ? n * n : n * n * n); k++) {
        const int step[3] = {k % n, k / n % n, k / (n * n)};
        const size_t c = grid_cell_near(&s->tiles, tile, (low[0] & 7) + step[0], (low[1] & 7) + step[1],
                                        d == 2 ? 0 : (low[2] & 7) + step[2]);
        if (c == SIZE_MAX) continue;
        float w = 1;
        for (int a = 0; a < d && !wide; a++) w *= step[a] ? part[a] : 1 - part[a];
        for (int a = 0; a < 4; a++) sum[a] += w * j->sum[c][a];
    }
    if (!(sum[0] > 1e-3f)) return 0;
    for (int a = 0; a < 3; a++) v[a] = sum[a + 1] / sum[0];
    return sum[0];
}

static void dress_vertices(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const dress_job *j = arg;
    for (size_t i = begin; i < end; i++) {
        float v[3] = {0, 0, 0};
        const float seen = mean_around(j, j->mesh->position[i], false, v);
        if (!(seen > 0)) mean_around(j, j->mesh->position[i], true, v);
        if (j->weight) { /* a flat surface sees half a cell's worth, a drop next to none */
            const float t = fminf(4 * seen / (float)(1 << j->s->tiles.dimensions) - 0.5f, 1);
            j->weight[i] = t > 0 ? t * t * (3 - 2 * t) : 0;
        }
        memcpy(j->to + (size_t)j->width * i, v, (size_t)j->width * sizeof *v);
    }
}

/* --- normals --- */

static void slope_patches(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const dress_job *j = arg;
    const level_grid *g = j->level;
    level_window w;
    for (size_t k = begin; k < end; k++) {
        const level_patch *patch = &j->patches->patch[k];
        const rill_vec3 corner = v3(patch->block[0], patch->block[1], patch->block[2]);
        level_window_load(g, patch->block, &w);
        for (uint32_t i = patch->first; i < patch->first + patch->count; i++) {
            const rill_vec3 y = v3_scale(v3_sub(j->mesh->position[i], g->origin), 1 / g->cell);
            const rill_vec3 n = v3_unit(level_window_slope(&w, v3_madd(y, -LEVEL_BLOCK, corner)));
            float *to = j->mesh->normal[i];
            to[0] = (float)n.x, to[1] = (float)n.y, to[2] = (float)n.z;
            if (n.x == 0 && n.y == 0 && n.z == 0) to[1] = 1;
        }
    }
}

/* In the plane: normals of the triangles added up at their corners; caps and sides do not
 * share theirs. */
static rill_status add_flat_normals(rill_ctx *ctx, const level_patches *patches, trimesh *m)
{
    uint8_t *cap = NULL;
    TRY(MEM_NEW_ZERO(ctx, cap, m->vertex_count));
    for (size_t k = 0; k < patches->count; k++)
        memset(cap + patches->patch[k].first, 1, patches->patch[k].flat);
    memset(m->normal, 0, m->vertex_count * sizeof *m->normal);
    for (size_t t = 0; t < m->triangle_count; t++) {
        const uint32_t *v = m->triangle[t];
        const rill_vec3 a = m->position[v[0]],
                        n = v3_cross(v3_sub(m->position[v[1]], a), v3_sub(m->position[v[2]], a));
        const bool flat = fabs(n.z) > fabs(n.x) + fabs(n.y);
        for (int k = 0; k < 3; k++) {
            if ((cap[v[k]] != 0) != flat) continue;
            float *to = m->normal[v[k]];
            to[0] += (float)(n.x * 1e6), to[1] += (float)(n.y * 1e6), to[2] += (float)(n.z * 1e6);
        }
    }
    for (size_t i = 0; i < m->vertex_count; i++) {
        float *n = m->normal[i];
        const rill_vec3 u = v3_unit(v3(n[0], n[1], n[2]));
        n[0] = (float)u.x, n[1] = (float)u.y, n[2] = (float)u.z;
        if (u.x == 0 && u.y == 0 && u.z == 0) n[1] = 1;
    }
    mem_free(ctx, cap);
    return RILL_OK;
}

/* One column of the mesh: the particles' velocity, or one of their columns. */
static rill_status add_column(rill_ctx *ctx, dress_job *j, const char *name, size_t length, const float *from)
{
    trimesh *m = j->mesh;
    trimesh_column *c = &m->column[m->column_count];
    j->column = from;
    j->width = from ? 1 : 3;
    TRY(MEM_NEW(ctx, j->to, (size_t)j->width * m->vertex_count));
    *c = (trimesh_column){.width = j->width, .value = j->to};
    memcpy(c->name, name, length);
    m->column_count++;
    parallel_for(ctx, j->s->tiles.count, 8, sum_cores, j);
    parallel_for(ctx, m->vertex_count, 1024, dress_vertices, j);
    return RILL_OK;
}

/* The columns that are named, each once, as field_dress has them. */
static rill_status add_named(rill_ctx *ctx, dress_job *j, const char *names)
{
    static const char between[] = " ,";
    for (const char *at = names + strspn(names, between); *at; at += strspn(at, between)) {
        const size_t length = strcspn(at, between);
        char name[PARTICLE_NAME] = {0};
        if (length < sizeof name) memcpy(name, at, length);
        bool there = false;
        for (uint32_t c = 0; c < j->mesh->column_count; c++) there |= !strcmp(j->mesh->column[c].name, name);
        const float *from = particles_column(&j->s->particles, name);
        if (!there && !from)
            return rill_fail(ctx, RILL_USAGE,
                             "surface: the particles have no column \"%.*s\" to interpolate; rill info tells "
                             "what they have",
                             (int)length, at);
        if (!there && j->mesh->column_count == TRIMESH_MAX_COLUMNS)
            return rill_fail(ctx, RILL_USAGE, "surface: a mesh has room for %d columns; name fewer of them",
                             TRIMESH_MAX_COLUMNS);
        if (!there) TRY(add_column(ctx, j, name, length, from));
        at += length;
    }
    return RILL_OK;
}

rill_status grid_dress(grid *s, const level_grid *level, const level_patches *patches, const char *names,
                       trimesh *mesh, float **weight)
{
    rill_ctx *ctx = s->sim.ctx;
    dress_job j = {.s = s, .level = level, .patches = patches, .mesh = mesh};
    TRY(MEM_NEW(ctx, mesh->normal, mesh->vertex_count));
    if (s->tiles.layers == 1)
        TRY(add_flat_normals(ctx, patches, mesh));
    else
        parallel_for(ctx, patches->count, 8, slope_patches, &j);
    TRY(ARENA_NEW(&s->scratch, j.sum, grid_cell_count(&s->tiles)));
    if (weight) TRY(ARENA_NEW(&s->scratch, j.weight, mesh->vertex_count));
    TRY(add_column(ctx, &j, "velocity", 8, NULL));
    if (weight) *weight = j.weight;
    j.weight = NULL;
    if (names) TRY(add_named(ctx, &j, names));
    float *color[3];
    const bool colored = s->def.surface == GRID_PARTICLES && colors_columns(&s->particles, color);
    return colored ? add_named(ctx, &j, COLORS_COLUMNS) : RILL_OK;
}
