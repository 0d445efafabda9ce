/* The surface as triangles: the level set of the particles where they are now, smoothed
 * once, cut at the walls, through the shared isosurface. */
#include "geom/isosurface.h"
#include "grid/state.h"

#include <string.h>

enum { N = GRID_SIDE + 2 };

typedef struct {
    grid *s;
    float *smooth;
    level_grid *out;
    const trimesh *mesh;
    float *velocity;
} mesh_job;

/* Signed distance, in cells, of the wall nearest to a cell's centre: positive outside. */
static float wall_distance(const grid *s, uint32_t tile, int c)
{
    const rill_vec3 x = v3_madd(grid_tile_corner(&s->tiles, tile), s->h,
                                v3(c % 8 + 0.5, c / 8 % 8 + 0.5, s->tiles.layers == 1 ? 0 : c / 64 + 0.5));
    return (float)fmin(solids_distance(&s->sim.solids, x, s->sim.time, NULL) / s->h, 3);
}

static void smooth_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const mesh_job *j = arg;
    const grid *s = j->s;
    const int cells = s->tiles.cells, d = s->tiles.dimensions;
    const int stride[3] = {1, N, N * N};
    float phi[N * N * N];
    for (size_t t = begin; t < end; t++) {
        float *to = j->smooth + t * (size_t)cells;
        grid_block_load(&s->tiles, (uint32_t)t, s->phi, 1, 1.5f, phi);
        for (int c = 0; c < cells; c++) {
            const int i = grid_block_first(&s->tiles, 1) + (c / 64 * N + c / 8 % 8) * N + c % 8;
            float sum = 0;
            for (int a = 0; a < d; a++) sum += phi[i - stride[a]] + phi[i + stride[a]];
            to[c] = 0.5f * phi[i] + 0.5f * sum / (float)(2 * d);
        }
        for (int c = 0; c < cells && s->walled[t]; c++) {
            if (!(to[c] < 1.5f)) continue;
            const float inside = -wall_distance(s, (uint32_t)t, c);
            if (inside > to[c]) to[c] = inside;
        }
    }
}

/* A tile is stored when it is not all one far side. */
static void pick_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const mesh_job *j = arg;
    const size_t cells = (size_t)j->s->tiles.cells;
    for (size_t t = begin; t < end; t++) {
        bool outside = true, inside = true;
        for (size_t i = t * cells; i < (t + 1) * cells; i++) {
            outside &= j->smooth[i] >= 1.49f;
            inside &= j->smooth[i] <= -1.49f;
        }
        j->out->slot[t] = outside ? LEVEL_OUTSIDE : inside ? LEVEL_INSIDE : 0;
    }
}

static void copy_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const mesh_job *j = arg;
    const size_t cells = (size_t)j->s->tiles.cells;
    for (size_t t = begin; t < end; t++) {
        const uint32_t slot = j->out->slot[t];
        if (slot == LEVEL_OUTSIDE || slot == LEVEL_INSIDE) continue;
        for (size_t i = 0; i < cells; i++) j->out->value[slot * cells + i] = -j->smooth[t * cells + i];
    }
}

static rill_status make_level_grid(mesh_job *j, level_grid *out)
{
    grid *s = j->s;
    rill_ctx *ctx = s->sim.ctx;
    const double half = 0.5 * s->h;
    *out = (level_grid){.origin = v3_add(s->tiles.origin, v3(half, half, s->tiles.layers == 1 ? 0 : half)),
                        .cell = s->h,
                        .layers = s->tiles.layers,
                        .outside = -1.5f,
                        .inside = 1.5f};
    j->out = out;
    TRY(block_map_reserve(ctx, &out->map, s->tiles.count));
    for (uint32_t t = 0; t < s->tiles.count; t++) {
        const int32_t *b = s->tiles.map.block[t];
        TRY(block_map_add(ctx, &out->map, b[0], b[1], b[2]));
    }
    TRY(MEM_NEW(ctx, out->slot, s->tiles.count));
    parallel_for(ctx, s->tiles.count, 32, pick_tiles, j);
    uint32_t stored = 0;
    for (uint32_t t = 0; t < s->tiles.count; t++)
        if (out->slot[t] == 0) out->slot[t] = stored++;
    TRY(MEM_NEW(ctx, out->value, (size_t)stored * (size_t)s->tiles.cells));
    parallel_for(ctx, s->tiles.count, 32, copy_tiles, j);
    return RILL_OK;
}

/* --- normals and velocities --- */

/* The mean velocity of the particles in the cells around a vertex. */
static void dress_vertices(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const mesh_job *j = arg;
    const grid *s = j->s;
    const int deep = s->tiles.layers == 1 ? 0 : 1;
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 x = j->mesh->position[i];
        float *v = j->velocity + 3 * i;
        double sum[4] = {0};
        int32_t c[3];
        grid_cell_at(&s->tiles, x, c);
        const uint32_t tile = block_map_find(&s->tiles.map, c[0] >> 3, c[1] >> 3, c[2] >> 3);
        for (int k = 0; k < GRID_NEAR && tile != GRID_NONE; k++) {
            if (!deep && k / 9 != 1) continue;
            const int at[3] = {(c[0] & 7) + k % 3 - 1, (c[1] & 7) + k / 3 % 3 - 1,
                               deep ? (c[2] & 7) + k / 9 - 1 : 0};
            const uint32_t near =
                s->tiles.near[tile][grid_near_index(at[0] >> 3, at[1] >> 3, deep ? at[2] >> 3 : 0)];
            if (near == GRID_NONE || s->core_of[near] == GRID_NONE) continue;
            const uint32_t *first = s->first + (size_t)s->core_of[near] * (size_t)s->tiles.cells +
                                    (((deep ? at[2] & 7 : 0) * 8 + (at[1] & 7)) * 8 + (at[0] & 7));
            for (uint32_t q = first[0]; q < first[1]; q++) {
                const rill_vec3 y = s->particles.position[(s->order ? s->order[q] : q)],
                                u = s->particles.velocity[(s->order ? s->order[q] : q)];
                const rill_vec3 apart = v3(y.x - x.x, y.y - x.y, deep ? y.z - x.z : 0);
                const double w = fmax(1 - v3_dot(apart, apart) / (2.25 * s->h * s->h), 1e-6);
                sum[0] += w;
                sum[1] += w * u.x, sum[2] += w * u.y, sum[3] += w * u.z;
            }
        }
        for (int a = 0; a < 3; a++) v[a] = sum[0] > 0 ? (float)(sum[a + 1] / sum[0]) : 0;
    }
}

/* Normals of the triangles added up at their corners; in two dimensions caps and sides do
 * not share theirs. */
static rill_status add_normals(rill_ctx *ctx, const level_patches *patches, int dimensions, trimesh *m)
{
    uint8_t *cap = NULL;
    TRY(MEM_NEW_ZERO(ctx, cap, m->vertex_count));
    const rill_status st = MEM_NEW_ZERO(ctx, m->normal, m->vertex_count);
    for (size_t k = 0; !st && dimensions == 2 && k < patches->count; k++)
        memset(cap + patches->patch[k].first, 1, patches->patch[k].flat);
    for (size_t t = 0; !st && t < m->triangle_count; t++) {
        const uint32_t *v = m->triangle[t];
        const rill_vec3 a = m->position[v[0]],
                        n = v3_cross(v3_sub(m->position[v[1]], a), v3_sub(m->position[v[2]], a));
        const bool flat = dimensions == 2 && fabs(n.z) > fabs(n.x) + fabs(n.y);
        for (int k = 0; k < 3; k++) {
            if (dimensions == 2 && (cap[v[k]] != 0) != flat) continue;
            float *to = m->normal[v[k]];
            to[0] += (float)(n.x * 1e6), to[1] += (float)(n.y * 1e6), to[2] += (float)(n.z * 1e6);
        }
    }
    for (size_t i = 0; !st && i < m->vertex_count; i++) {
        float *n = m->normal[i];
        const rill_vec3 u = v3_unit(v3(n[0], n[1], n[2]));
        n[0] = (float)u.x, n[1] = (float)u.y, n[2] = (float)u.z;
        if (u.x == 0 && u.y == 0 && u.z == 0) n[1] = 1;
    }
    mem_free(ctx, cap);
    return st;
}

static rill_status dress(mesh_job *j, const level_patches *patches, trimesh *m)
{
    rill_ctx *ctx = j->s->sim.ctx;
    TRY(add_normals(ctx, patches, j->s->tiles.dimensions, m));
    TRY(MEM_NEW(ctx, j->velocity, 3 * m->vertex_count));
    m->column[0] = (trimesh_column){.name = "velocity", .width = 3, .value = j->velocity};
    m->column_count = 1;
    j->mesh = m;
    parallel_for(ctx, m->vertex_count, 1024, dress_vertices, j);
    return RILL_OK;
}

rill_status grid_mesh(const grid *from, trimesh *out)
{
    rill_ctx *ctx = from->sim.ctx;
    trimesh mesh = {0};
    level_grid level = {0};
    level_patches patches = {0};
    if (from->particles.count == 0) {
        *out = mesh;
        return RILL_OK;
    }
    grid s = *from; /* its particles, bins and fields of its own */
    mesh_job j = {.s = &s};
    const bool carried = from->def.surface == GRID_LEVEL_SET || from->def.surface == GRID_PARTICLE_SET;
    s.core = (block_map){0};
    arena_init(&s.scratch, ctx);
    arena_init(&s.sorting, ctx);
    rill_status st = RILL_OK;
    if (!carried) {
        grid_tiles_init(&s.tiles, from->tiles.dimensions, from->h, from->tiles.origin);
        st = grid_bin(&s, NULL, 0, 3, false);
    }
    if (!st) st = grid_walls(&s, s.sim.time);
    if (!st && !carried) st = grid_level(&s);
    if (!st) st = ARENA_NEW(&s.scratch, j.smooth, grid_cell_count(&s.tiles));
    if (!st) {
        parallel_for(ctx, s.tiles.count, 8, smooth_tiles, &j);
        st = make_level_grid(&j, &level);
    }
    if (!st)
        st = s.tiles.dimensions == 2 ? isocontour_build(ctx, &level, s.h, &mesh, &patches)
                                     : isosurface_build(ctx, &level, &mesh, &patches);
    if (!st) st = dress(&j, &patches, &mesh);
    if (!st) *out = trimesh_take(&mesh);

    trimesh_clear(ctx, &mesh);
    mem_free(ctx, patches.patch);
    level_grid_clear(ctx, &level);
    arena_clear(&s.scratch);
    arena_clear(&s.sorting);
    block_map_clear(ctx, &s.core);
    if (!carried) grid_tiles_clear(ctx, &s.tiles);
    return st;
}
