/* The state of a simulation with a matched Voronoi mesh, and the passes of its step.
 *
 * Sites are pressure samples: real ones, then the mirror images of those near the walls of the box, then
 * eight far corners that close the hull. A face is a Delaunay edge; its polygon is the ring of tetrahedra
 * around the edge, whose circumcentres are the Voronoi vertices. All lengths of the method are in spacings,
 * h. */
#pragma once

#include "flow/projection.h"
#include "geom/delaunay/delaunay.h"
#include "geom/distance/mesh_distance.h"
#include "tracker/tracker.h"
#include "voronoi/voronoi.h"

#define SITE_NONE UINT32_MAX

enum {
    BROCHU_BLOCK = 256,
    BROCHU_LEVELS = 3, /* of the graded lattice above the finest */
    BROCHU_BEYOND = 2  /* spacings: liquid leaves so far beyond an open side */
};

/* Pressure samples. Lists grow together. */
typedef struct brochu_sites {
    uint32_t count, real, liquids;
    size_t x_room, of_room, turned_room, liquid_room, wall_room, reach_room;
    rill_vec3 *x;
    uint32_t *of;    /* of an image: the real site; of others: itself */
    uint8_t *turned; /* of an image: bit per axis that is mirrored */
    uint8_t *liquid; /* of a real one */
    uint8_t *wall;   /* of a real one: bit per side of the box that it lies in */
    float *reach;    /* size of the lattice there */
} brochu_sites;

/* Voronoi faces with a real site. */
typedef struct brochu_faces {
    uint32_t count;
    uint32_t (*site)[2];
    uint32_t *ring_first, *ring; /* tetrahedra around face f: ring[ring_first[f] .. ring_first[f + 1]) */
    rill_vec3 *normal;           /* unit, from site 0 to site 1 */
    rill_vec3 *centroid;         /* of the open part */
    double *length;              /* between the sites */
    double *area;                /* that liquid can pass, inside the box */
    double *speed;               /* along the normal, m/s */
    uint8_t *closed;             /* the ring has no gap (the hull) */
    uint8_t *valid;              /* speed is that of liquid */
} brochu_faces;

/* Full velocities, for the interpolant. */
typedef struct brochu_field {
    rill_vec3 *fit;           /* [real] the liquid cell's own */
    rill_vec3 (*gradient)[3]; /* [real] rows: of each component */
    rill_vec3 *site;          /* [real] */
    rill_vec3 *vertex;        /* [tetrahedron] at its circumcentre */
    rill_vec3 *face;          /* [face] at its centroid */
    uint8_t *known;           /* [tetrahedron] */
} brochu_field;

/* Where walks to the nearest site begin. */
typedef struct brochu_seeds {
    int32_t size[3];
    double cell;
    uint32_t *site; /* [cell] SITE_NONE: there is none */
    uint32_t any;   /* a site that has faces: merged twins have none */
} brochu_seeds;

/* One mesh of cells with the velocity on it. Arrays but the sites' are in the arena. */
typedef struct brochu_diagram {
    rill_arena arena;
    brochu_sites sites;
    delaunay tets;
    uint32_t tet_count;
    rill_vec3 *centre;       /* [tetrahedron] */
    uint32_t (*tet_face)[6]; /* [tetrahedron] by edge; SITE_NONE: of no real site. Of this step alone
                              * without correction and reflection */
    brochu_faces faces;
    uint32_t *first, *link;                  /* [real] its faces: link[first[i] .. first[i + 1]) */
    rill_vec3 *solid_area;                   /* [real] of solids in the cell, outward; NULL: no solids */
    rill_vec3 *solid_velocity, *solid_point; /* there; where the cell touches it */
    uint32_t *solid_body;                    /* the body that it is, or BODY_NONE */
    brochu_field field;
    brochu_field *mirror; /* in the middle of a reflected step: what is carried on; NULL: field */
    double *mirrored;     /* its speeds at faces */
    double *moving;       /* [real] Pa: the pressure in that middle without that of forces */
    brochu_seeds seeds;
    double *pressure; /* [real] Pa */
    double *inside;   /* [real] volume of the cell that is liquid, about */
    uint32_t *body;   /* [real] which connected liquid the cell is of; SITE_NONE: air */
} brochu_diagram;

/* The tracker's mesh as the solver sees it. */
typedef struct brochu_surface {
    trimesh mesh; /* borrowed from the tracker */
    size_t room[5];
    rill_vec3
        *normal;   /* of the free triangles, weighted by angle, along the walls at contact lines; 0: none */
    uint8_t *wall; /* bit per side of the box */
    double *area;  /* of the free triangles' thirds; 0: not at the free surface */
    double *curvature; /* kappa_1 + kappa_2; convex liquid: positive */
    trimesh open;      /* the free triangles; positions are the mesh's */
    rays *rays;        /* of these */
    mesh_distance *distance;
} brochu_surface;

/* The motion of a step, which the tracker may make in parts. A part that it gives up is asked for again in
 * halves: what a part changed is taken over when the next one is not shorter. */
typedef struct brochu_motion {
    double time, dt; /* of the step */
    double done;     /* s, of the parts taken over */
    double pending;  /* s, of the last part; 0: none */
    size_t room[2];
    double *gain, *maybe; /* [part] m3 that came in or left: taken over; by the last part */
} brochu_motion;

typedef struct brochu {
    rill_sim sim; /* first: a rill_sim is one of these */
    brochu_def def;
    double h;
    double quantum;               /* site coordinates are multiples of it: mirror images are exact */
    rill_box box;                 /* the domain, on that grid */
    rill_box hull;                /* holds every site */
    bool flat;                    /* two dimensions: a slab of liquid between two walls */
    bool cut;                     /* solids or nozzles may cut cells */
    struct brochu_nozzle *nozzle; /* per emitter: emit.h */
    solids walls;                 /* the scene's solids without the domain's sides */
    bool rubs;                    /* some solids or the sides of the domain have friction */
    struct brochu_probe *probe;   /* per solid, when some move: displaced.h */
    double displaced;             /* m3 of these inside the surface */
    double max_speed;             /* at the end of the last step */
    double volume;
    tracker *tracker;
    tracker_stats track;
    brochu_surface surface;
    brochu_diagram diagram[2];
    int now; /* which of them is that of the last step */
    projection *projection;
    fv_mesh mesh;
    rill_arena scratch;
    brochu_motion motion;
    trimesh view; /* of the surface, borrowed */
} brochu;

static inline brochu *brochu_of(rill_sim *sim)
{
    return (brochu *)sim;
}
static inline const brochu *brochu_view_of(const rill_sim *sim)
{
    return (const brochu *)sim;
}
static inline brochu_diagram *brochu_now(brochu *s)
{
    return &s->diagram[s->now];
}
static inline bool site_real(const brochu_diagram *d, uint32_t i)
{
    return i < d->sites.real;
}

/* ---- walls.c: the sides of the box, and solids ---- */

double brochu_wall_distance(const brochu *s, rill_vec3 x, int side);
uint8_t brochu_walls_at(const brochu *s, rill_vec3 x);
rill_vec3 brochu_clamp(const brochu *s, rill_vec3 x);
/* x moved away from the sides it lies in. */
rill_vec3 brochu_off_walls(const brochu *s, rill_vec3 x, uint8_t walls, double by);
/* On the grid of sites. */
rill_vec3 brochu_snap(const brochu *s, rill_vec3 x);
/* Distance from solids and nozzles; INFINITY without any. */
double brochu_room(const brochu *s, rill_vec3 x, double t, solid_contact *contact);
/* Whether a site at that distance from solids only closes the cells of the liquid next to the solid. Without
 * such sites these cells reach through the solid, and are open where it ends. */
static inline bool brochu_buried(const brochu *s, double room)
{
    return room < -s->h;
}
/* Whether solids with these normals are the two sides of a plate, by the cosine between them. */
static inline bool brochu_faces_away(rill_vec3 a, rill_vec3 b)
{
    return v3_dot(a, b) < -0.3;
}
tracker_place brochu_place;

/* ---- sinks.c: drains, and what is beyond open sides ---- */

/* Distance from them, negative inside, and the direction out of them (may be NULL); INFINITY: there are none.
 */
double brochu_sink(const brochu *s, rill_vec3 x, rill_vec3 *normal);
/* Parts that lie flat on a sink are gone. */
RILL_CHECKED rill_status brochu_drop_drained(brochu *s);

/* ---- start.c: the liquid's first surface ---- */

RILL_CHECKED rill_status brochu_first_mesh(brochu *s, trimesh *out);
RILL_CHECKED rill_status brochu_copy_mesh(brochu *s, const trimesh *from, trimesh *out); /* *out is empty */

/* The tracker's, for this scene. */
tracker_def brochu_tracker_def(brochu *s);

/* ---- surface.c ---- */

RILL_CHECKED rill_status brochu_surface_measure(brochu *s, const trimesh *mesh);
RILL_CHECKED rill_status brochu_surface_index(brochu *s); /* rays, distance */
void brochu_surface_forget(brochu *s);                    /* these */
void brochu_surface_clear(rill_ctx *ctx, brochu_surface *u);

/* ---- groups.c: connected liquid ---- */

RILL_CHECKED rill_status brochu_bodies(brochu_diagram *d); /* fills in d->body */
/* [part] whether it is a bubble: a cavity that no sink reaches, where enclosed air keeps its volume. In the
 * scratch arena. */
RILL_CHECKED rill_status brochu_bubbles(brochu *s, const trimesh *mesh, const uint8_t **bubble);
/* For each part of the tracked mesh the one whose liquid it bounds: of a cavity the part around it, of others
 * themselves. In the scratch arena. */
RILL_CHECKED rill_status brochu_groups(brochu *s, const trimesh *mesh, const uint32_t **group);

/* ---- the step, in its order ---- */

RILL_CHECKED rill_status brochu_track(brochu *s, double t, double dt); /* stage 1 */
/* Contact lines at the sides of the box go as far as the volume that flows through the surface there: x,
 * where the vertices go, is changed. */
RILL_CHECKED rill_status brochu_roll(brochu *s, const trimesh *mesh, double dt, const uint8_t *held,
                                     rill_vec3 *x);
RILL_CHECKED rill_status brochu_sample(brochu *s, brochu_diagram *d, double t);  /* 5.1 */
RILL_CHECKED rill_status brochu_lattice(brochu *s, brochu_sites *out, double t); /* 5.1: candidates */
RILL_CHECKED rill_status brochu_diagram_build(brochu *s, brochu_diagram *d);     /* stage 2 */
RILL_CHECKED rill_status brochu_measure(brochu *s, brochu_diagram *d, double t); /* 4 */
RILL_CHECKED rill_status brochu_advect(brochu *s, brochu_diagram *from, brochu_diagram *d, double dt);
/* Stages 4 and 5. forces: gravity and tension are added; otherwise pressure alone. */
RILL_CHECKED rill_status brochu_project(brochu *s, brochu_diagram *d, double t, double dt, bool forces,
                                        rill_step_stats *stats);
/* The same in the middle of a reflected step: keeps what the second half carries (reflect.c). */
RILL_CHECKED rill_status brochu_project_mirrored(brochu *s, brochu_diagram *d, double t, double dt,
                                                 rill_step_stats *stats);
RILL_CHECKED rill_status brochu_mirror(brochu *s, brochu_diagram *d); /* its full velocities */
/* After the second half: the flow's own pressure was in the first, whose change of velocity counts twice. */
void brochu_mirror_pressure(brochu *s);
RILL_CHECKED rill_status brochu_fit(brochu *s, brochu_diagram *d);
RILL_CHECKED rill_status brochu_extrapolate(brochu *s, brochu_diagram *d);

/* ---- parts of these ---- */

RILL_CHECKED rill_status brochu_site_add(rill_ctx *ctx, brochu_sites *s, rill_vec3 x, bool liquid,
                                         double reach);
RILL_CHECKED rill_status brochu_images(brochu *s, brochu_diagram *d);
/* The velocity at x; *hint: a site near it, or SITE_NONE, and on return the nearest. */
rill_vec3 brochu_look(const brochu *s, const brochu_diagram *d, rill_vec3 x, uint32_t *hint);
uint32_t brochu_nearest(const brochu *s, const brochu_diagram *d, rill_vec3 x, uint32_t hint);
uint32_t brochu_find_face(const brochu_diagram *d, uint32_t a, uint32_t b);
/* The site of a box wall's face: between a real site and its own image. */
bool brochu_wall_face(const brochu_diagram *d, uint32_t face);
