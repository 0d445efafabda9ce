/* The state of a simulation with tetrahedra, and the passes of its step.
 *
 * A tets_state is the fluid at one moment on the mesh of that moment. Two of them alternate: a step meshes
 * the other one and carries what flows over to it. Arrays of a state live in its mesh's arena. */
#pragma once

#include "flow/projection.h"
#include "tets/mesher.h"
#include "tets/tets.h"

#define TETS_SIZE     0.93 /* size over spacing: edges come out at 1.1 sizes, so at about a spacing */
#define TETS_SLAB     4.2  /* thickness of two dimensions, spacings */
#define TETS_AMBIENT  SCENE_AMBIENT
#define TETS_CORRECTS 0.9  /* share of the correction of node velocities */
#define TETS_LONG     0.08 /* less of it in mirrored fluxes, for each CFL number above 1 */

/* Velocities everywhere, from fluxes. */
typedef struct tets_field {
    rill_vec3 *cell; /* by tetrahedron */
    rill_vec3 *node;
} tets_field;

typedef struct tets_state {
    tet_mesh mesh;
    uint8_t *weak;       /* by node: all tetrahedra around it are flat */
    double *flux;        /* by face */
    tets_field u;        /* from these fluxes */
    double *pressure;    /* by cell, Pa, without the weight of the fluid (reduced) */
    double *soot, *heat; /* by node: kg/m3, and K above the ambient; NULL without smoke */
    double *spare[2];    /* of as many numbers, when the mesh is kept */
    double *advected;    /* by face, with reflection: before the projection, then mirrored */
    tets_field mirror;   /* with reflection: from the mirrored fluxes */
} tets_state;

/* The bodies of the scene (sim.bodies) as the projection sees them. */
typedef struct tets_bodies {
    rigid_body *body, *start;     /* as they are moved; as they were before the projection */
    rill_vec3 *impulse, *turning; /* of the fluid in the last projection: N s, N m s about the centre */
    double *volume;               /* of their shapes, m3; in two dimensions m2 */
    bool still;                   /* nothing moves them: the first projection */
    bool by_turns;                /* for tests: body and fluid are not solved for at once */
} tets_bodies;

typedef struct tets {
    rill_sim sim; /* first: a rill_sim is one of these */
    tets_def def;
    double h; /* spacing */
    bool flat, smoky;
    double thick;            /* of the slab in two dimensions, m; else 1 */
    walls walls, past;       /* now and before the step */
    side_grid *sides;        /* by wall: of meshes, as they are now */
    side_grid *sides_before; /* of meshes that deform, before the step */
    double sides_time;       /* of those that deform in sides */
    mesher mesher;
    tets_state state[2];
    int now; /* which of the states is the present one */
    projection *projection;
    tets_bodies bodies;
    double max_speed;
    rill_arena scratch;
    bool told_leak, told_flux; /* warnings are given once */
} tets;

static inline tets *tets_of(rill_sim *sim)
{
    return (tets *)sim;
}
static inline const tets *tets_view_of(const rill_sim *sim)
{
    return (const tets *)sim;
}
static inline tets_state *tets_now(tets *s)
{
    return &s->state[s->now];
}
static inline tets_state *tets_next(tets *s)
{
    return &s->state[1 - s->now];
}

/* ---- surroundings.c: walls of the scene, sizes ---- */

RILL_CHECKED rill_status tets_walls_create(tets *s);
void tets_walls_clear(tets *s);
/* s->past to t and s->walls to t + dt, ready to be asked often. */
RILL_CHECKED rill_status tets_walls_go(tets *s, double t, double dt);
RILL_CHECKED rill_status tets_gather_sizes(tets *s, const tets_state *from); /* smoke, vorticity of eq. 5 */
double tets_curl_in(const tets_state *a, uint32_t tet);                      /* size of the vorticity, 1/s */

/* ---- fields.c ---- */

/* The arrays of a state whose mesh is finished; fluxes and scalars are zero. */
RILL_CHECKED rill_status tets_state_arrays(tets *s, tets_state *a);
/* Velocities of cells and nodes from fluxes, section 3.1; share: of the correction, TETS_CORRECTS. */
RILL_CHECKED rill_status tets_recover(tets *s, tets_state *a, const double *flux, double share,
                                      tets_field *out);
/* At x in a fluid tetrahedron. */
rill_vec3 tets_velocity_in(const tets *s, const tets_state *a, const tets_field *u, uint32_t tet,
                           rill_vec3 x);
double tets_scalar_in(const tets_state *a, const double *value, uint32_t tet, rill_vec3 x);

/* ---- trace.c ---- */

/* Section 3.2: fluxes and scalars of `to` from where its faces and nodes were dt before. carried: what is
 * transported, by the velocity of `from`. */
RILL_CHECKED rill_status tets_transport(tets *s, const tets_state *from, const tets_field *carried,
                                        tets_state *to, double dt);
/* A fluid tetrahedron for x, moved into the fluid when it is not there; DELAUNAY_INFINITE: none is near.
 * tet: where x is. */
uint32_t tets_enter(const tets *s, const tets_state *a, const walls *w, uint32_t tet, rill_vec3 *x);

/* ---- smoke.c ---- */

/* Cooling and dissipation of dt, then smoke and velocity in sources. */
void tets_add_sources(tets *s, tets_state *a, double t, double dt);
void tets_buoyancy(tets *s, tets_state *a, double t, double dt);

/* ---- project.c ---- */

/* What each face of the boundary is: wall, open side, inflow, body. */
void tets_boundary(tets *s, tets_state *a, double t);
/* Section 3.4: fluxes free of divergence at t, the end of a step of dt, bodies and all. */
RILL_CHECKED rill_status tets_project(tets *s, tets_state *a, double t, double dt, rill_step_stats *stats);

/* ---- bodies.c ---- */

RILL_CHECKED rill_status tets_bodies_create(tets *s);
void tets_bodies_clear(tets *s);
void tets_bodies_weigh(tets *s, double dt); /* their weight for dt, or with -dt without it */
void tets_bodies_lift(tets *s, double dt);  /* buoyancy */
/* For one projection: the scene's bodies into s->bodies.body; after it, contacts and limits at t, which may
 * stop some: then *again is set and it is solved again with these held; at last, what the fluid did. */
void tets_bodies_take(tets *s);
RILL_CHECKED rill_status tets_bodies_stop(tets *s, double t, double dt, bool *again);
void tets_bodies_finish(tets *s, double dt);

/* ---- view.c ---- */

void tets_view(const rill_sim *sim, rill_view *out);
double tets_max_speed(const rill_sim *sim, rill_vec3 *where);
rill_status tets_cells(const rill_sim *sim, particles *out);
rill_status tets_velocity(const rill_sim *sim, size_t n, const rill_vec3 *x, rill_vec3 *u);
rill_status tets_trace(const rill_sim *sim, size_t n, const rill_vec3 *x, uint32_t *part, rill_vec3 *u);
rill_status tets_pressure(const rill_sim *sim, size_t n, const rill_vec3 *x, double *p);

/* ---- save.c ---- */

rill_status tets_save(const rill_sim *sim, rill_writer *w);
rill_status tets_load(rill_sim *sim, rill_reader *r);
