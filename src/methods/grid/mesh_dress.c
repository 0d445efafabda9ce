/* Normals and velocities of the vertices of a mesh.
 *
 * A normal is the level set's slope where the vertex is, and a velocity the mean of the
 * particles in the cells around it, those nearer counting more. */
#include "grid/mesh_field.h"

#include <string.h>

typedef struct {
    const grid *s;
    const level_grid *level;
    const level_patches *patches;
    float (*sum)[4]; /* per cell: particles, and the sum of their velocities */
    trimesh *mesh;
    float *velocity;
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
        if (s->core_of[t] == GRID_NONE) continue;
        const uint32_t *first = s->first + s->core_of[t] * cells;
        for (size_t c = 0; c < cells; c++)
            for (uint32_t i = first[c]; i < first[c + 1]; i++) {
                const rill_vec3 v = s->particles.velocity[s->order ? s->order[i] : i];
                sum[c][0] += 1;
                sum[c][1] += (float)v.x, sum[c][2] += (float)v.y, sum[c][3] += (float)v.z;
            }
    }
}

/* The mean over the cells around x, linear between their centres; with `wide`, over all
 * neighbours of its cell alike. */
static bool mean_around(const dress_job *j, rill_vec3 x, bool wide, float v[3])
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
    if (tile == GRID_NONE) return false;
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
    if (!(sum[0] > 1e-3f)) return false;
    for (int a = 0; a < 3; a++) v[a] = sum[a + 1] / sum[0];
    return true;
}

static void dress_vertices(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const dress_job *j = arg;
    for (size_t i = begin; i < end; i++) {
        float *v = j->velocity + 3 * i;
        if (mean_around(j, j->mesh->position[i], false, v)) continue;
        if (!mean_around(j, j->mesh->position[i], true, v)) v[0] = v[1] = v[2] = 0;
    }
}

/* --- normals --- */

enum { M = LEVEL_BLOCK + 4 };

/* A block of samples with two around it. */
static void load_samples(const level_grid *g, const int32_t block[3], float *out)
{
    uint32_t id[27];
    for (int k = 0; k < 27; k++)
        id[k] = block_map_find(&g->map, block[0] + k % 3 - 1, block[1] + k / 3 % 3 - 1, block[2] + k / 9 - 1);
    for (int z = -2; z < LEVEL_BLOCK + 2; z++)
        for (int y = -2; y < LEVEL_BLOCK + 2; y++)
            for (int x = -2; x < LEVEL_BLOCK + 2; x++) {
                const uint32_t at = id[((z >> 3) + 1) * 9 + ((y >> 3) + 1) * 3 + (x >> 3) + 1];
                *out++ = level_value(g, at, ((z & 7) * 8 + (y & 7)) * 8 + (x & 7));
            }
}

static void slope_patches(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const dress_job *j = arg;
    const level_grid *g = j->level;
    static const int stride[3] = {1, M, M * M};
    float value[M * M * M];
    for (size_t k = begin; k < end; k++) {
        const level_patch *patch = &j->patches->patch[k];
        load_samples(g, patch->block, value);
        for (uint32_t i = patch->first; i < patch->first + patch->count; i++) {
            const rill_vec3 y = v3_scale(v3_sub(j->mesh->position[i], g->origin), 1 / g->cell);
            float part[3], slope[3] = {0}; /* of the way from the lower sample, along the edge's axis alone */
            int at = 0;
            for (int a = 0; a < 3; a++) {
                const double from = v3_axis(y, a) - 8.0 * patch->block[a];
                int low = (int)floor(from + 0.005); /* vertices keep off the ends of their edges */
                low = low < 0 ? 0 : low > LEVEL_BLOCK - 1 ? LEVEL_BLOCK - 1 : low;
                part[a] = (float)(from - low);
                at += (low + 2) * stride[a];
            }
            const int axis = part[0] > 0.005f ? 0 : part[1] > 0.005f ? 1 : 2;
            for (int a = 0; a < 3; a++) {
                const float *v = value + at;
                const float here = v[stride[a]] - v[-stride[a]],
                            there = v[stride[axis] + stride[a]] - v[stride[axis] - stride[a]];
                slope[a] = here + part[axis] * (there - here);
            }
            const rill_vec3 n = v3_unit(v3(-slope[0], -slope[1], -slope[2]));
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

rill_status grid_dress(grid *s, const level_grid *level, const level_patches *patches, trimesh *mesh)
{
    rill_ctx *ctx = s->sim.ctx;
    dress_job j = {.s = s, .level = level, .patches = patches, .mesh = mesh};
    TRY(MEM_NEW(ctx, mesh->normal, mesh->vertex_count));
    TRY(MEM_NEW(ctx, j.velocity, 3 * mesh->vertex_count));
    mesh->column[0] = (trimesh_column){.name = "velocity", .width = 3, .value = j.velocity};
    mesh->column_count = 1;
    if (s->tiles.layers == 1)
        TRY(add_flat_normals(ctx, patches, mesh));
    else
        parallel_for(ctx, patches->count, 8, slope_patches, &j);
    TRY(ARENA_NEW(&s->scratch, j.sum, grid_cell_count(&s->tiles)));
    parallel_for(ctx, s->tiles.count, 8, sum_cores, &j);
    parallel_for(ctx, mesh->vertex_count, 1024, dress_vertices, &j);
    return RILL_OK;
}
