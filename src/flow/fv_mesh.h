/* Cells and the faces between them: the mesh of a pressure projection.
 *
 * Three methods are one projection on three such meshes: clipped Voronoi cells of moving
 * points ([Sin09]), Voronoi cells of placed samples with embedded boundaries ([Brochu10]),
 * tetrahedra with circumcentric pressures ([Klingner06]). A face is stored once; those
 * between two cells come first, in [0, inner_count), those of the boundary after them.
 *
 * Holds (fv_mesh_check): volumes and distances are positive, the area vectors of a cell add
 * up to zero (V-01), everything is finite.
 *
 * Units: metres. Memory: 80 bytes a face, 48 more on the boundary, 32 a cell. */
#pragma once

#include "base/memory.h"
#include "base/vec.h"

#define FV_NONE UINT32_MAX

typedef struct fv_face {
    uint32_t a, b;      /* cells, a < b; b = FV_NONE on the boundary */
    rill_vec3 area;     /* of the whole face, from a to b, on the boundary outward */
    rill_vec3 centroid; /* of the open part */
    double distance;    /* between the two pressure sites, along the normal; on a surface to where its
                         * pressure is given when ghost is 1 */
    float open;         /* the fraction of the area that fluid can pass, 0 to 1 */
    float ghost;        /* of a surface: the fraction of the distance that is fluid (ghost fluid); else 1 */
} fv_face;

typedef enum fv_kind {
    FV_WALL,    /* a wall that moves with a given velocity */
    FV_SURFACE, /* has a given pressure behind it: air, an open side */
    FV_BODY     /* moves with a rigid body that the fluid moves */
} fv_kind;

typedef struct fv_boundary {
    rill_vec3 velocity; /* of a wall; also of what closes a face in part */
    double pressure;    /* behind a surface, Pa: that of the air, and surface tension's */
    uint32_t body;      /* index of a body */
    fv_kind kind;
} fv_boundary;

typedef struct fv_mesh {
    rill_ctx *ctx;
    uint32_t cell_count, face_count, inner_count;
    double *volume;
    rill_vec3 *site;       /* where a cell's pressure is */
    fv_face *face;         /* inner ones first */
    fv_boundary *boundary; /* of face inner_count + k */
    size_t cell_capacity, face_capacity, boundary_capacity, site_capacity;
} fv_mesh;

void fv_mesh_init(fv_mesh *m, rill_ctx *ctx);
void fv_mesh_clear(fv_mesh *m);
/* Sets the counts and makes sure that the arrays hold as many elements, with undefined contents. Memory is
 * kept from call to call. */
RILL_CHECKED rill_status fv_mesh_resize(fv_mesh *m, uint32_t cells, uint32_t inner, uint32_t boundary);

/* RILL_BLEW_UP with the cell or face that is wrong. tolerance: of a cell's surface for the sum of
 * its area vectors. */
RILL_CHECKED rill_status fv_mesh_check(const fv_mesh *m, double tolerance);

static inline const fv_boundary *fv_boundary_of(const fv_mesh *m, uint32_t face)
{
    return face < m->inner_count ? NULL : &m->boundary[face - m->inner_count];
}
