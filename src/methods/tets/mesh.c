#include "tets/mesh.h"

#include "tets/tuning.h"

#include "base/parallel.h"

#include <stdlib.h>
#include <string.h>

const uint8_t tet_face_corners[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

void mesh_init(tet_mesh *m, rill_ctx *ctx)
{
    *m = (tet_mesh){.ctx = ctx};
    delaunay_init(&m->d, ctx);
    fv_mesh_init(&m->fv, ctx);
    arena_init(&m->arena, ctx);
}

void mesh_clear(tet_mesh *m)
{
    rill_ctx *ctx = m->ctx;
    if (!ctx) return;
    mem_free(ctx, m->x);
    mem_free(ctx, m->kind);
    mem_free(ctx, m->owner);
    mem_free(ctx, m->gap);
    mem_free(ctx, m->fresh);
    mem_free(ctx, m->pierced.key);
    mem_free(ctx, m->fluid);
    mem_free(ctx, m->volume);
    mem_free(ctx, m->first);
    mem_free(ctx, m->star);
    delaunay_clear(&m->d);
    fv_mesh_clear(&m->fv);
    arena_clear(&m->arena);
    *m = (tet_mesh){0};
}

/* ---- nodes ---- */

/* An array of another length with the first `kept` elements of the old one. */
static rill_status resize(rill_ctx *ctx, void *array, size_t size, size_t count, size_t kept)
{
    void *old, *new;
    memcpy(&old, array, sizeof old);
    new = mem_alloc(ctx, count, size);
    if (!new) return mem_failed(ctx, count, size);
    if (kept) memcpy(new, old, kept * size);
    mem_free(ctx, old);
    memcpy(array, &new, sizeof new);
    return RILL_OK;
}

rill_status mesh_reserve(tet_mesh *m, size_t nodes)
{
    if (nodes <= m->capacity) return RILL_OK;
    if (nodes > DELAUNAY_MOST)
        return rill_fail(m->ctx, RILL_NO_MEMORY,
                         "the mesh would need more than %d nodes; make \"spacing\" larger",
                         (int)DELAUNAY_MOST);
    const size_t n = nodes + nodes / 4 + 1000;
    TRY(resize(m->ctx, &m->x, sizeof *m->x, n, m->count));
    TRY(resize(m->ctx, &m->kind, sizeof *m->kind, n, m->count));
    TRY(resize(m->ctx, &m->owner, sizeof *m->owner, n, m->count));
    TRY(resize(m->ctx, &m->gap, sizeof *m->gap, n, m->count));
    TRY(resize(m->ctx, &m->fresh, sizeof *m->fresh, n, m->count));
    m->capacity = n;
    return RILL_OK;
}

rill_status mesh_add_node(tet_mesh *m, rill_vec3 x, uint8_t kind, uint32_t owner)
{
    TRY(mesh_reserve(m, (size_t)m->count + 1));
    m->x[m->count] = x;
    m->kind[m->count] = kind;
    m->owner[m->count] = (uint16_t)owner;
    m->fresh[m->count] = NODE_NEW;
    m->gap[m->count++] = -1;
    return RILL_OK;
}

/* Where a node goes all new tetrahedra are of nodes beside it, or of one that was merged with another. */
static void freshen(tet_mesh *m, const uint8_t *dead)
{
    for (uint32_t t = 0; t < m->d.finite; t++) {
        const uint32_t *v = m->d.tet[t].v;
        if (dead[v[0]] || dead[v[1]] || dead[v[2]] || dead[v[3]])
            for (int i = 0; i < 4; i++) m->fresh[v[i]] |= NODE_BESIDE;
    }
    for (uint32_t i = 0; i < m->count && i < m->d.sites; i++)
        if (m->d.twin[i] != i) m->fresh[i] = NODE_NEW;
}

uint32_t mesh_remove_nodes(tet_mesh *m, const uint8_t *dead)
{
    uint32_t kept = 0;
    freshen(m, dead);
    for (uint32_t i = 0; i < m->count; i++) {
        if (dead[i]) continue;
        m->x[kept] = m->x[i];
        m->kind[kept] = m->kind[i];
        m->owner[kept] = m->owner[i];
        m->fresh[kept] = m->fresh[i];
        m->gap[kept++] = m->gap[i];
    }
    const uint32_t gone = m->count - kept;
    m->count = kept;
    return gone;
}

/* ---- tetrahedra ---- */

static rill_status reserve_tets(tet_mesh *m, size_t count)
{
    if (count <= m->tet_capacity) return RILL_OK;
    const size_t n = count + count / 16;
    TRY(resize(m->ctx, &m->fluid, sizeof *m->fluid, n, 0));
    TRY(resize(m->ctx, &m->volume, sizeof *m->volume, n, 0));
    m->tet_capacity = n;
    return RILL_OK;
}

static void node_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    tet_mesh *m = arg;
    for (size_t i = begin; i < end; i++) m->x[i] = delaunay_site(&m->d, (uint32_t)i);
}

static void tet_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    tet_mesh *m = arg;
    for (size_t t = begin; t < end; t++) m->volume[t] = delaunay_volume(&m->d, (uint32_t)t);
}

rill_status mesh_build(tet_mesh *m, const walls *w, const size_field *size, bool rough)
{
    delaunay_fault fault;
    const delaunay_def def = {.position = m->x, .count = m->count, .box = w->box, .merge = true};
    TRY(delaunay_build(&m->d, &def, &fault));
    TRY(reserve_tets(m, m->d.finite));
    parallel_for(m->ctx, m->count, TETS_BLOCK, node_block, m);
    parallel_for(m->ctx, m->d.finite, TETS_BLOCK, tet_block, m);
    return mesh_carve(m, w, size, rough);
}

rill_status mesh_stars(tet_mesh *m)
{
    const uint32_t n = m->count;
    if ((size_t)n + 2 > m->first_capacity) {
        TRY(resize(m->ctx, &m->first, sizeof *m->first, (size_t)n + n / 4 + 2, 0));
        m->first_capacity = (size_t)n + n / 4 + 2;
    }
    /* Counts go two places up, so that filling leaves the starts in place. */
    memset(m->first, 0, ((size_t)n + 2) * sizeof *m->first);
    for (uint32_t t = 0; t < m->d.finite; t++)
        for (int i = 0; i < 4 && m->fluid[t]; i++) m->first[m->d.tet[t].v[i] + 2]++;
    for (uint32_t i = 1; i <= n; i++) m->first[i + 1] += m->first[i];
    const size_t all = m->first[n + 1];
    if (all > m->star_capacity) {
        TRY(resize(m->ctx, &m->star, sizeof *m->star, all + all / 16, 0));
        m->star_capacity = all + all / 16;
    }
    for (uint32_t t = 0; t < m->d.finite; t++)
        for (int i = 0; i < 4 && m->fluid[t]; i++) m->star[m->first[m->d.tet[t].v[i] + 1]++] = t;
    return RILL_OK;
}

/* ---- finite volumes ---- */

typedef struct {
    tet_mesh *m;
    const walls *w;
} finishing;

/* Faces of tetrahedra, from both sides. */
static void face_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    tet_mesh *m = ((finishing *)arg)->m;
    for (size_t k = begin; k < end; k++) {
        const uint32_t from = m->map.face[k];
        m->face[from] = (uint32_t)k;
        if (k < m->fv.inner_count) m->face[m->d.tet[from >> 2].neighbour[from & 3]] = (uint32_t)k;
    }
}

static void wall_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const finishing *f = arg;
    tet_mesh *m = f->m;
    for (size_t k = begin; k < end; k++) {
        uint32_t owner;
        const rill_vec3 at = m->fv.face[m->fv.inner_count + k].centroid;
        (void)walls_distance(f->w, at, NULL, &owner);
        m->wall[k] = (uint16_t)owner;
        m->fv.boundary[k] = (fv_boundary){.kind = FV_WALL, .velocity = walls_velocity(f->w, owner, at)};
    }
}

static int ascending(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static rill_status find_shared(tet_mesh *m)
{
    uint8_t *many;
    const uint32_t cells = m->fv.cell_count;
    TRY(ARENA_NEW(&m->arena, many, cells));
    memset(many, 0, cells);
    uint32_t count = 0;
    for (uint32_t t = 0; t < m->d.finite; t++)
        if (m->fluid[t] && many[m->map.cell[t]] < 2) many[m->map.cell[t]]++;
    for (uint32_t t = 0; t < m->d.finite; t++) count += m->fluid[t] && many[m->map.cell[t]] == 2;
    TRY(ARENA_NEW(&m->arena, m->shared, count));
    m->shared_count = 0;
    for (uint32_t t = 0; t < m->d.finite; t++)
        if (m->fluid[t] && many[m->map.cell[t]] == 2)
            m->shared[m->shared_count++] = (uint64_t)m->map.cell[t] << 32 | t;
    qsort(m->shared, count, sizeof *m->shared, ascending);
    return RILL_OK;
}

rill_status mesh_finish(tet_mesh *m, const walls *w)
{
    finishing f = {m, w};
    arena_reset(&m->arena);
    fv_tets_def def = fv_tets_def_default();
    def.mesh = &m->d;
    def.fluid = m->fluid;
    def.least = 1e-9; /* errata E-K3: at 1e-3 rest is broken by 4e-3 sqrt(g H) */
    TRY(fv_mesh_from_tets(&m->arena, &def, &m->fv, &m->map));
    const size_t tets = m->d.finite, boundary = m->fv.face_count - m->fv.inner_count;
    TRY(ARENA_NEW(&m->arena, m->face, 4 * tets));
    TRY(ARENA_NEW(&m->arena, m->wall, boundary));
    memset(m->face, 0xff, 4 * tets * sizeof *m->face);
    parallel_for(m->ctx, m->fv.face_count, TETS_BLOCK, face_block, &f);
    parallel_for(m->ctx, boundary, TETS_BLOCK, wall_block, &f);
    TRY(find_shared(m));
    return mesh_stars(m);
}
