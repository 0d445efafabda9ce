/* The inside of the Delaunay tetrahedra: one insertion, by Bowyer 1981 and Watson 1981.
 *
 * A core is tetrahedra over vertices that the caller owns. The space outside the hull is
 * filled with tetrahedra that have the vertex at infinity, so that the faces of every
 * tetrahedron have two sides and the hull is a case of the same code.
 *
 * Holds between insertions: vertices of a finite tetrahedron have positive orientation;
 * the infinite vertex is the last of its four, and the other three see it as if it were
 * far outside; neighbours point at each other; each face is Delaunay under the ties of
 * predicates.h. Freed slots have DELAUNAY_DEAD as first vertex and are listed in
 * the work that freed them.
 *
 * Several works may insert at the same time, each with an own range of vertices: a work
 * reads the tetrahedra whose vertices are all its own or infinite, changes only these,
 * and gives up a point (CORE_POSTPONED) as soon as another would have to change. A
 * neighbour of a tetrahedron of its own has three vertices of its own: it either belongs
 * to the same work or has vertices of several works, and those do not change. So no locks
 * are needed; the idea is from Marot, Pellerin and Remacle 2019. */
#pragma once

#include "base/parallel.h"
#include "geom/delaunay/delaunay.h"

typedef enum core_result {
    CORE_DONE,
    CORE_POSTPONED, /* a tetrahedron of another work would have to change */
    CORE_LOST,      /* the same, but on the way to the point: another hint may do */
    CORE_TWIN,      /* work->twin is a vertex at the same place */
    CORE_FULL,      /* no slot left: core_reserve, then again */
    CORE_NO_MEMORY
} core_result;

typedef struct delaunay_core {
    rill_ctx *ctx;
    const grid_site *site; /* borrowed, by vertex */
    const uint32_t *name;  /* borrowed: the index that breaks ties, by vertex; NULL: the vertex */
    delaunay_tet *tet;
    uint8_t *mark; /* by tetrahedron: 0 between insertions */
    size_t capacity;
    _Atomic size_t used; /* slots handed out */
    uint32_t *local;     /* by vertex: its number in a cavity, true only if the cavity agrees */
    size_t local_capacity;
    uint32_t *vertex_tet; /* borrowed: a tetrahedron of each vertex, kept up to date; NULL: not kept */
    size_t chunk;         /* slots a work takes at a time */
    bool edited;          /* works keep finite_change up to date */
} delaunay_core;

typedef struct cavity_facet {
    uint32_t v[4];  /* the new tetrahedron */
    uint32_t outer; /* neighbour outside, packed */
    uint32_t place; /* of the new vertex in v */
} cavity_facet;

typedef struct core_list {
    uint32_t *at;
    size_t count, capacity;
} core_list;

/* Vertices first .. first + most, two such ranges. */
typedef struct core_range {
    uint32_t first[2], most[2];
} core_range;

typedef struct core_work {
    rill_ctx *ctx;
    core_range own;
    uint32_t hint; /* a tetrahedron of its own to walk from */
    uint32_t twin;
    core_list cavity, outside, vertex, free; /* vertex[0] is the infinite one */
    core_list table;                         /* of faces by edge of the cavity */
    cavity_facet *facet;
    size_t facets, facet_capacity;
    int64_t finite_change; /* finite tetrahedra the last insertion added, when edited */
    uint64_t steps, tests; /* of walks; in-sphere tests */
} core_work;

void core_init(delaunay_core *core, rill_ctx *ctx);
void core_clear(delaunay_core *core);
/* Makes the capacity at least this many tetrahedra and vertices; contents kept. */
RILL_CHECKED rill_status core_reserve(delaunay_core *core, size_t tets, size_t vertices);

void work_init(core_work *work, rill_ctx *ctx);
void work_clear(core_work *work);
RILL_CHECKED bool work_reserve_facets(core_work *work, size_t count);         /* false: no memory */
RILL_CHECKED bool list_reserve(rill_ctx *ctx, core_list *list, size_t count); /* false: no memory */

/* The first tetrahedron and the four around it; the core is empty, a, b, c, d have
 * positive orientation and belong to the work. */
core_result core_first(delaunay_core *core, core_work *work, const uint32_t v[4]);
core_result core_insert(delaunay_core *core, core_work *work, uint32_t vertex);

/* Walks from the work's hint to a tetrahedron that has p in its closure, or an infinite
 * one that p sees from outside. twin is set to a vertex at the same place, or to
 * DELAUNAY_INFINITE. */
core_result core_walk(const delaunay_core *core, core_work *work, const grid_site *p, uint32_t *found);

/* At least count free slots in the work's list. */
core_result core_slots(delaunay_core *core, core_work *work, size_t count);

/* Own vertices are first .. first + count - 1, count > 0, those beyond `all` being 0 .. again. */
static inline core_range range_of(uint32_t first, uint32_t count, uint32_t all)
{
    const bool wraps = first + count > all;
    const uint32_t most = (wraps ? all - first : count) - 1;
    return wraps ? (core_range){{first, 0}, {most, first + count - all - 1}}
                 : (core_range){{first, first}, {most, most}};
}

static inline bool core_is_own(const core_range *own, const delaunay_tet *t)
{
    const __m128i v = _mm_load_si128((const __m128i *)t->v);
    const __m128i a = _mm_sub_epi32(v, _mm_set1_epi32((int)own->first[0]));
    const __m128i b = _mm_sub_epi32(v, _mm_set1_epi32((int)own->first[1]));
    const __m128i in_a = _mm_cmpeq_epi32(_mm_min_epu32(a, _mm_set1_epi32((int)own->most[0])), a);
    const __m128i in_b = _mm_cmpeq_epi32(_mm_min_epu32(b, _mm_set1_epi32((int)own->most[1])), b);
    const __m128i infinite = _mm_cmpeq_epi32(v, _mm_set1_epi32(-1));
    const __m128i in = _mm_or_si128(_mm_or_si128(in_a, in_b), infinite);
    return _mm_movemask_ps(_mm_castsi128_ps(in)) == 15;
}

static inline bool core_is_own_vertex(const core_range *own, uint32_t v)
{
    return v - own->first[0] <= own->most[0] || v - own->first[1] <= own->most[1];
}

static inline uint32_t core_name(const delaunay_core *core, uint32_t v)
{
    return core->name ? core->name[v] : v;
}

/* The number of a vertex in work->vertex, where it is put if it is not there yet. */
static inline uint32_t core_local(const delaunay_core *core, core_work *work, uint32_t v)
{
    if (v == DELAUNAY_INFINITE) return 0;
    const uint32_t guess = core->local[v];
    if (guess < work->vertex.count && work->vertex.at[guess] == v) return guess;
    core->local[v] = (uint32_t)work->vertex.count;
    work->vertex.at[work->vertex.count] = v;
    return (uint32_t)work->vertex.count++;
}

/* Whether vertex p (named e) is in conflict with tetrahedron t. */
bool core_conflict(const delaunay_core *core, const delaunay_tet *t, const grid_site *p, uint32_t e);

/* Stages of a build, and what they share. */
rill_status delaunay_blame(rill_ctx *ctx, delaunay_fault *fault, delaunay_fault found, const char *format,
                           ...) RILL_FORMAT(4, 5); /* RILL_BLEW_UP; fault may be NULL */
RILL_CHECKED rill_status delaunay_take_sites(delaunay *d, const delaunay_def *def, delaunay_fault *fault);
/* Twins are next to each other in the order, the lowest index first: that one stays. */
RILL_CHECKED rill_status delaunay_drop_twins(delaunay *d, uint32_t *order, size_t *count,
                                             delaunay_fault *fault);
/* order and site by rank along the curve; the tetrahedra in d->core are of ranks. */
RILL_CHECKED rill_status delaunay_insert_all(delaunay *d, rill_arena *arena, const uint32_t *order,
                                             const grid_site *site, size_t count, delaunay_fault *fault);
RILL_CHECKED rill_status delaunay_reserve_sites(delaunay *d, size_t sites);
void delaunay_hole_destroy(delaunay_hole *hole);
/* A finite tetrahedron to walk from: the given one or one of a sample, whichever has a
 * vertex nearer to p. */
uint32_t delaunay_near(const delaunay *d, const grid_site *p, uint32_t hint);
