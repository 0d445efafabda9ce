/* The tetrahedra of one moment: nodes, which of their Delaunay tetrahedra are fluid, and the
 * finite-volume mesh of these.
 *
 * Holds after mesh_finish: node positions are those of the Delaunay
 * sites; fv has a wall at every face that has fluid on one side only. */
#pragma once

#include "base/arena.h"
#include "flow/fv_from_tets.h"
#include "tets/samples.h"

enum { NODE_BESIDE = 1, NODE_NEW = 2 };
enum { TET_PIERCES = 2 }; /* in `fluid`, while it is carved */

/* Tetrahedra by their corners' positions, ascending. */
typedef struct tet_keys {
    uint64_t *key;
    size_t count, capacity;
} tet_keys;

typedef struct tet_mesh {
    rill_ctx *ctx;
    /* nodes */
    uint32_t count;
    size_t capacity;
    rill_vec3 *x;
    uint8_t *kind;   /* NODE_INSIDE, ... */
    uint16_t *owner; /* of a node on a wall: the wall, WALL_BOX, or WALL_NONE where several meet */
    double *gap;     /* distance from solids but its own, negative: not known; scratch of the mesher */
    uint8_t *fresh;  /* since nodes_in_the_way looked: NODE_NEW, NODE_BESIDE one that was removed, or 0 */
    /* tetrahedra */
    delaunay d;
    size_t tet_capacity;
    uint8_t *fluid;
    tet_keys pierced; /* of wall nodes alone, through a wall */
    double *volume;
    /* fluid tetrahedra around node i: star[first[i]] .. star[first[i + 1] - 1] */
    size_t first_capacity, star_capacity;
    uint32_t *first, *star;
    /* finite volumes */
    fv_mesh fv;
    fv_tets map;    /* in the arena */
    uint32_t *face; /* by tetrahedron times 4 and the vertex opposite: its face, FV_NONE inside a merged cell
                     * and where there is no fluid; in the arena */
    uint16_t *wall; /* by boundary face: the wall, or WALL_SIDE + side; in the arena */
    uint64_t *shared; /* fluid tetrahedra that share their cell with others: 2^32 cell + tetrahedron,
                       * ascending; in the arena */
    uint32_t shared_count;
    rill_arena arena;
} tet_mesh;

enum { TETS_BLOCK = 512 };

/* The vertices opposite `place`, turned so that their normal points outward. */
extern const uint8_t tet_face_corners[4][3];

void mesh_init(tet_mesh *m, rill_ctx *ctx);
void mesh_clear(tet_mesh *m);
RILL_CHECKED rill_status mesh_reserve(tet_mesh *m, size_t nodes);
RILL_CHECKED rill_status mesh_add_node(tet_mesh *m, rill_vec3 x, uint8_t kind, uint32_t owner);
/* Takes out the nodes with dead[i] != 0 and keeps the order; returns how many. The tetrahedra are those of
 * the nodes, but for nodes added since. */
uint32_t mesh_remove_nodes(tet_mesh *m, const uint8_t *dead);

/* Delaunay tetrahedra of the nodes, carved (carve.c); rough: those of wall nodes alone may reach through a
 * wall. */
RILL_CHECKED rill_status mesh_build(tet_mesh *m, const walls *w, const size_field *size, bool rough);
RILL_CHECKED rill_status mesh_stars(tet_mesh *m);
/* The finite-volume mesh, walls at its boundary. */
RILL_CHECKED rill_status mesh_finish(tet_mesh *m, const walls *w);

static inline bool mesh_is_fluid(const tet_mesh *m, uint32_t tet)
{
    return tet < m->d.finite && m->fluid[tet];
}

static inline rill_vec3 mesh_middle(const tet_mesh *m, uint32_t t)
{
    const uint32_t *v = m->d.tet[t].v;
    return v3_scale(v3_add(v3_add(m->x[v[0]], m->x[v[1]]), v3_add(m->x[v[2]], m->x[v[3]])), 0.25);
}

/* The circumcentre and, unless NULL, the radius; of the nodes as they were when the tetrahedra were built. */
static inline rill_vec3 mesh_centre(const tet_mesh *m, uint32_t t, double *radius)
{
    return delaunay_circumcentre(&m->d, t, radius);
}

/* Whether nodes_in_the_way has not seen the edge: Delaunay edges away from changes stay as they are. */
static inline bool mesh_new_edge(const tet_mesh *m, size_t a, size_t b)
{
    return (m->fresh[a] && m->fresh[b]) || ((m->fresh[a] | m->fresh[b]) & NODE_NEW);
}

/* Barycentric coordinates of x in a finite tetrahedron; negative outside. */
static inline void mesh_barycentric(const tet_mesh *m, uint32_t t, rill_vec3 x, double out[4])
{
    const uint32_t *v = m->d.tet[t].v;
    const rill_vec3 o = m->x[v[0]], a = v3_sub(m->x[v[1]], o), b = v3_sub(m->x[v[2]], o);
    const rill_vec3 c = v3_sub(m->x[v[3]], o), d = v3_sub(x, o), bc = v3_cross(b, c);
    const double per = 1 / v3_dot(a, bc);
    out[1] = v3_dot(d, bc) * per;
    out[2] = v3_dot(a, v3_cross(d, c)) * per;
    out[3] = v3_dot(a, v3_cross(b, d)) * per;
    out[0] = 1 - out[1] - out[2] - out[3];
}

/* ---- nodes.c ---- */

/* Nodes inside for a first mesh: Poisson discs by the size. */
RILL_CHECKED rill_status nodes_scatter(tet_mesh *m, const walls *w, const size_field *size);
/* Out: nodes too near to walls and to other nodes. In: circumcentres of spheres that are too large. The
 * tetrahedra are then out of date. */
RILL_CHECKED rill_status nodes_correct(tet_mesh *m, rill_arena *scratch, const walls *w,
                                       const size_field *size, bool insert);

/* ---- relax.c ---- */

/* One round of variational meshing (Alliez et al. 2005): every node inside goes to the mean of the
 * barycentres, or circumcentres, of its tetrahedra; needs stars. The tetrahedra are then out of date. */
RILL_CHECKED rill_status nodes_relax(tet_mesh *m, rill_arena *scratch, const walls *w, const size_field *size,
                                     bool circumcentres);

/* ---- carve.c ---- */

RILL_CHECKED rill_status mesh_carve(tet_mesh *m, const walls *w, const size_field *size, bool rough);
/* Fluid of fewer tetrahedra than that, cut off from the rest, becomes solid: such are left where solids
 * nearly touch, and would lock bodies that bound them, since their volume cannot change. */
RILL_CHECKED rill_status mesh_drop_pockets(tet_mesh *m, rill_arena *scratch, uint32_t least);
/* Marks nodes with an edge of fluid tetrahedra that passes through a wall; returns how many; needs stars.
 * Only edges that are new since it was called are followed: the caller removes the nodes it marks, or says
 * that this is the last time before others are moved, added or removed. */
uint32_t nodes_in_the_way(tet_mesh *m, const walls *w, const size_field *size, bool last, uint8_t *dead);
/* What is left of them at last: tetrahedra with such an edge become solid, so that nothing flows through the
 * wall. dead: as nodes_in_the_way marked them; stars are then out of date. */
void mesh_seal_nodes(tet_mesh *m, const walls *w, const size_field *size, const uint8_t *dead);
/* Points of walls that the mesh is farther from than `off` sizes: appended to found, in the world, with
 * their normals. */
RILL_CHECKED rill_status mesh_bulges(const tet_mesh *m, rill_arena *scratch, const walls *w,
                                     const size_field *size, double off, spots *found);

/* ---- pierce.c ---- */

/* Whether a tetrahedron of wall nodes alone has an edge that comes out of a wall on the other side. */
bool mesh_pierces(const tet_mesh *m, const walls *w, uint32_t t);
/* Tetrahedra carved as TET_PIERCES become solid and are kept for the next mesh. */
RILL_CHECKED rill_status mesh_keep_pierced(tet_mesh *m);

/* ---- quality.c ---- */

enum { QUALITY_BINS = 18 }; /* of ten degrees each, of all dihedral angles */

typedef struct mesh_quality {
    uint32_t tets, faces;
    double smallest, largest;       /* dihedral angle, degrees */
    double below_5, below_10;       /* shares of the tetrahedra whose smallest angle is below */
    double histogram[QUALITY_BINS]; /* shares of all dihedral angles */
    double off_99, off_most;        /* boundary faces from the walls, in edges: at 99 percent; the worst */
    double crossing;                /* area of faces between fluid tetrahedra inside a wall, m2 */
    double volume;
    double edge;                       /* mean edge over size */
    double small_sphere, large_sphere; /* shares with a circumradius below 0.6 or above 1.6 of 0.64 sizes */
} mesh_quality;

RILL_CHECKED rill_status mesh_measure(const tet_mesh *m, const walls *w, const size_field *size,
                                      mesh_quality *out);
