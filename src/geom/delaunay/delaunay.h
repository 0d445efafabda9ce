/* Delaunay tetrahedra of points.
 *
 * Sites are snapped to a grid of 2^24 steps along the longest side of the box
 * (predicates.h); the snapped positions are the sites everywhere, ask delaunay_site.
 * Predicates on them are exact and ties go by index, so that the tetrahedra are a
 * function of the sites alone: lattices and points on a sphere are as valid as random
 * ones, and the result has the same bits for any number of threads, or whether a site was
 * there from the start or inserted (after delaunay_tidy).
 *
 * Around the hull lie infinite tetrahedra, one per hull face, whose last vertex is
 * DELAUNAY_INFINITE: every face has two sides, and neighbour lists have no holes.
 *
 * Holds (delaunay_check): finite tetrahedra are positively oriented (det of the edges
 * from vertex 0 to 1, 2, 3 is positive); neighbours point at each other; no site is inside
 * the sphere of a tetrahedron. When tidy: the first `finite` tetrahedra are the finite
 * ones, then the infinite ones, no slot is dead, and both follow the Hilbert curve.
 *
 * Memory belongs to the structure and is reused by the next build. */
#pragma once

#include "base/arena.h"
#include "geom/delaunay/predicates.h"

#define DELAUNAY_INFINITE UINT32_MAX /* as a vertex: at infinity. As a tetrahedron: none */
#define DELAUNAY_DEAD     (UINT32_MAX - 1)

enum { DELAUNAY_MOST = 120000000 }; /* sites: packed neighbours fit 32 bits */

/* neighbour[i] is across the face opposite v[i]: tetrahedron * 4 + the place of the face there. */
typedef struct delaunay_tet {
    _Alignas(32) uint32_t v[4];
    uint32_t neighbour[4];
} delaunay_tet;

typedef struct delaunay_core delaunay_core;
typedef struct core_work core_work;
typedef struct delaunay_hole delaunay_hole;

typedef struct delaunay {
    rill_ctx *ctx;
    site_grid grid;
    grid_site *site;      /* by index, snapped */
    uint32_t *vertex_tet; /* by index: a tetrahedron it is in, or DELAUNAY_INFINITE: merged or removed */
    uint32_t *twin;       /* by index: the lowest index at the same place (its own if alone) */
    uint32_t sites;       /* indices there are */
    uint32_t vertices;    /* of these in tetrahedra */
    delaunay_tet *tet;
    uint32_t tets;   /* slots; dead ones have v[0] == DELAUNAY_DEAD */
    uint32_t finite; /* finite tetrahedra */
    bool tidy;
    bool merge; /* of the definition it was built with */
    /* Private from here on. */
    size_t site_capacity, spare_capacity;
    delaunay_tet *spare; /* the array the next ordering writes into */
    delaunay_core *core;
    core_work *work;
    int works;
    delaunay_hole *hole;
    rill_arena scratch;
} delaunay;

typedef struct delaunay_def {
    const rill_vec3 *position; /* borrowed, count of them */
    size_t count;
    rill_box box; /* holds every site, also those inserted later; min == max: that of the positions */
    bool merge;   /* sites that fall on the same grid point become one; otherwise that is a failure */
} delaunay_def;

/* What is wrong with the sites, for the calling code; the context's message says it in words. */
typedef enum delaunay_problem {
    DELAUNAY_FINE,
    DELAUNAY_NOT_FINITE, /* site: has a coordinate that is NaN or infinite */
    DELAUNAY_OUTSIDE,    /* site: not in the box */
    DELAUNAY_TWINS,      /* site and other: on the same grid point */
    DELAUNAY_FLAT        /* fewer than four sites, or all in one plane, line or point */
} delaunay_problem;

typedef struct delaunay_fault {
    delaunay_problem problem;
    uint32_t site, other; /* the lowest such index, and its partner */
} delaunay_fault;

void delaunay_init(delaunay *d, rill_ctx *ctx);
void delaunay_clear(delaunay *d);

/* Builds, or builds again from moved points: what was there before is replaced. Bad
 * sites are RILL_BLEW_UP with the fault filled in (fault may be NULL); on any failure the
 * structure is empty (no sites, no tetrahedra), and can be built again. */
RILL_CHECKED rill_status delaunay_build(delaunay *d, const delaunay_def *def, delaunay_fault *fault);

/* Adds one site, with index d->sites, in microseconds: when more than about a fifth of
 * the sites change, a build is faster. It must be inside the box of the definition. With
 * merge, a twin gets its index and no tetrahedra. On failure nothing changes. */
RILL_CHECKED rill_status delaunay_insert(delaunay *d, rill_vec3 position, delaunay_fault *fault);

/* Takes a site out of the tetrahedra, and the twins merged with it; its index stays,
 * dead. RILL_USAGE for an index that is not a vertex, RILL_BLEW_UP (DELAUNAY_FLAT) when
 * the others lie in a plane. On failure nothing changes. */
RILL_CHECKED rill_status delaunay_remove(delaunay *d, uint32_t site, delaunay_fault *fault);

/* After insertions and removals: no dead slots, the order a build gives. */
RILL_CHECKED rill_status delaunay_tidy(delaunay *d);

/* Checks the invariants exactly; the message names the first that fails. */
RILL_CHECKED rill_status delaunay_check(const delaunay *d);

/* The tetrahedron that holds each point (in its closure, the point taken to the nearest
 * grid point), or DELAUNAY_INFINITE outside the hull. By walking from one to the next;
 * points in no spatial order are put in one first. RILL_BLEW_UP when a point is not finite; on failure tet
 * is untouched. */
RILL_CHECKED rill_status delaunay_locate(const delaunay *d, const rill_vec3 *point, size_t count,
                                         uint32_t *tet);

static inline bool delaunay_is_finite(const delaunay_tet *t)
{
    return t->v[3] != DELAUNAY_INFINITE && t->v[0] != DELAUNAY_DEAD;
}

static inline rill_vec3 delaunay_site(const delaunay *d, uint32_t i)
{
    return site_position(&d->grid, &d->site[i]);
}

/* The centre of the sphere through the four sites of a finite tetrahedron, and its
 * radius (may be NULL). Flat tetrahedra have theirs far away. */
rill_vec3 delaunay_circumcentre(const delaunay *d, uint32_t tet, double *radius);
double delaunay_volume(const delaunay *d, uint32_t tet);
