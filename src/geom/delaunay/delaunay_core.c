/* Memory of a core and its works, the walk to a point, and the conflict test. */
#include "geom/delaunay/delaunay_core.h"

#include <string.h>

/* ---- memory ---- */

void core_init(delaunay_core *core, rill_ctx *ctx)
{
    *core = (delaunay_core){.ctx = ctx, .chunk = 64};
}

void core_clear(delaunay_core *core)
{
    mem_free(core->ctx, core->tet);
    mem_free(core->ctx, core->mark);
    mem_free(core->ctx, core->local);
    core_init(core, core->ctx);
}

rill_status core_reserve(delaunay_core *core, size_t tets, size_t vertices)
{
    if (tets > (size_t)UINT32_MAX / 4)
        return rill_fail(core->ctx, RILL_NO_MEMORY,
                         "%zu tetrahedra do not fit 32-bit neighbours; use fewer sites", tets);
    if (tets > core->capacity) {
        delaunay_tet *tet = NULL;
        uint8_t *mark = NULL;
        rill_status st = MEM_NEW(core->ctx, tet, tets);
        if (!st) st = MEM_NEW_ZERO(core->ctx, mark, tets);
        if (st) {
            mem_free(core->ctx, tet);
            return st;
        }
        if (core->tet) memcpy(tet, core->tet, core->used * sizeof *tet);
        mem_free(core->ctx, core->tet);
        mem_free(core->ctx, core->mark); /* all zero between insertions */
        core->tet = tet;
        core->mark = mark;
        core->capacity = tets;
    }
    if (vertices > core->local_capacity) { /* contents are only ever guesses */
        uint32_t *local;
        TRY(MEM_NEW_ZERO(core->ctx, local, vertices));
        mem_free(core->ctx, core->local);
        core->local = local;
        core->local_capacity = vertices;
    }
    return RILL_OK;
}

void work_init(core_work *work, rill_ctx *ctx)
{
    *work = (core_work){.ctx = ctx};
}

void work_clear(core_work *work)
{
    mem_free(work->ctx, work->cavity.at);
    mem_free(work->ctx, work->outside.at);
    mem_free(work->ctx, work->vertex.at);
    mem_free(work->ctx, work->free.at);
    mem_free(work->ctx, work->table.at);
    mem_free(work->ctx, work->facet);
    work_init(work, work->ctx);
}

/* Without a message: works run in parallel. */
static bool grow(rill_ctx *ctx, void *array, size_t size, size_t *capacity, size_t used, size_t need)
{
    const size_t wanted = need + need / 2 + 64;
    void *fresh = mem_alloc(ctx, wanted, size), *old;
    if (!fresh) return false;
    memcpy(&old, array, sizeof old);
    if (used) memcpy(fresh, old, used * size);
    mem_free(ctx, old);
    memcpy(array, &fresh, sizeof fresh);
    *capacity = wanted;
    return true;
}

bool list_reserve(rill_ctx *ctx, core_list *list, size_t count)
{
    return count <= list->capacity ||
           grow(ctx, &list->at, sizeof *list->at, &list->capacity, list->count, count);
}

bool work_reserve_facets(core_work *work, size_t count)
{
    return count <= work->facet_capacity ||
           grow(work->ctx, &work->facet, sizeof *work->facet, &work->facet_capacity, work->facets, count);
}

core_result core_slots(delaunay_core *core, core_work *work, size_t count)
{
    const size_t chunk = core->chunk;
    while (work->free.count < count) {
        if (!list_reserve(work->ctx, &work->free, work->free.count + chunk)) return CORE_NO_MEMORY;
        size_t used = core->used;
        do {
            if (used + chunk > core->capacity) return CORE_FULL;
        } while (!atomic_compare_exchange_weak(&core->used, &used, used + chunk));
        for (size_t k = chunk; k-- > 0;) { /* lowest on top */
            core->tet[used + k].v[0] = DELAUNAY_DEAD;
            work->free.at[work->free.count++] = (uint32_t)(used + k);
        }
    }
    return CORE_DONE;
}

/* ---- location ---- */

static inline rows4 rows_of(const delaunay_core *core, const delaunay_tet *t, const grid_site *p)
{
    const grid_site *s = core->site;
    return rows4_make(&s[t->v[0]], &s[t->v[1]], &s[t->v[2]], &s[t->v[3]], p);
}

/* The first face of those in `unsure` that has p strictly beyond it, or -1. */
static int exact_side(const delaunay_core *core, const delaunay_tet *t, const grid_site *p, int unsure)
{
    for (int i = 0; i < 4; i++) {
        if (!(unsure >> i & 1)) continue;
        const grid_site *v[4];
        for (int k = 0; k < 4; k++) v[k] = k == i ? p : &core->site[t->v[k]];
        if (orient_sign(v[0], v[1], v[2], v[3]) < 0) return i;
    }
    return -1;
}

core_result core_walk(const delaunay_core *core, core_work *work, const grid_site *p, uint32_t *found)
{
    uint32_t at = work->hint;
    if (core->tet[at].v[3] == DELAUNAY_INFINITE) {
        at = core->tet[at].neighbour[3] >> 2;
        if (!core_is_own(&work->own, &core->tet[at])) return CORE_LOST;
    }
    for (;;) { /* ends: no cycles in a Delaunay triangulation, Edelsbrunner 1989 */
        const delaunay_tet *t = &core->tet[at];
        const rows4 rows = rows_of(core, t, p);
        __m256d value;
        int negative, unsure;
        rows4_sides(&rows, &value, &negative, &unsure);
        negative &= ~unsure;
        work->steps++;
        int face = negative ? __builtin_ctz((unsigned)negative) : -1;
        if (!negative && unsure) {
            const int zero = _mm256_movemask_pd(_mm256_cmp_pd(rows.w, _mm256_setzero_pd(), _CMP_EQ_OQ));
            if (zero) {
                work->twin = t->v[__builtin_ctz((unsigned)zero)];
                work->hint = *found = at;
                return CORE_TWIN;
            }
            face = exact_side(core, t, p, unsure);
        }
        if (face < 0) {
            work->hint = *found = at;
            return CORE_DONE;
        }
        const uint32_t next = t->neighbour[face] >> 2;
        if (!core_is_own(&work->own, &core->tet[next])) {
            work->hint = at;
            return CORE_LOST;
        }
        if (core->tet[next].v[3] == DELAUNAY_INFINITE) {
            work->hint = *found = next;
            return CORE_DONE;
        }
        at = next;
    }
}

/* ---- conflict ---- */

static __attribute__((noinline)) bool conflict_exact(const delaunay_core *core, const delaunay_tet *t,
                                                     const grid_site *p, uint32_t e)
{
    const grid_site *tet[4];
    uint32_t name[4];
    for (int i = 0; i < 4; i++) {
        tet[i] = &core->site[t->v[i]];
        name[i] = core_name(core, t->v[i]);
    }
    return insphere_tie(tet, name, p, e);
}

static inline bool conflict_finite(const delaunay_core *core, const delaunay_tet *t, const grid_site *p,
                                   uint32_t e)
{
    const rows4 rows = rows_of(core, t, p);
    bool certain;
    const double s = rows4_insphere(&rows, &certain);
    return __builtin_expect(certain, 1) ? s > 0 : conflict_exact(core, t, p, e);
}

/* A point in the plane of a hull face is in conflict with its outside exactly when it
 * is with its inside: the sphere cuts the plane in the circle that matters there. */
static __attribute__((noinline)) bool conflict_infinite(const delaunay_core *core, const delaunay_tet *t,
                                                        const grid_site *p, uint32_t e)
{
    const int side = orient_sign(&core->site[t->v[0]], &core->site[t->v[1]], &core->site[t->v[2]], p);
    return side != 0 ? side > 0 : conflict_finite(core, &core->tet[t->neighbour[3] >> 2], p, e);
}

bool core_conflict(const delaunay_core *core, const delaunay_tet *t, const grid_site *p, uint32_t e)
{
    return t->v[3] == DELAUNAY_INFINITE ? conflict_infinite(core, t, p, e) : conflict_finite(core, t, p, e);
}
