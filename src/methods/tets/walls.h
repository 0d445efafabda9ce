/* What bounds the fluid, as the mesher sees it: a box, and solids in it at one moment.
 *
 * Distances are positive in the fluid, normals point into the fluid. All six sides of the box
 * bound the mesh, whether fluid may pass them or not. In two dimensions the box is a slab,
 * and solids are prisms along z.
 *
 * Shapes are borrowed; whoever fills a wall in keeps them. */
#pragma once

#include "flow/solids.h"
#include "tets/sides.h"

enum {
    WALL_SIDE = 0xff00, /* owner: a side of the box, plus the side */
    WALL_BOX = 0xfffe,  /* as the index of a wall: the box */
    WALL_NONE = 0xffff
};

typedef struct wall {
    shape form;        /* at this moment, in its own coordinates; parts and meshes borrowed */
    solid_place place; /* where it is at this moment, and how it moves */
    bool moves;
    bool deforms;           /* samples do not stay where they are in the wall's own coordinates */
    bool refined;           /* eq. 5: elements are small near it */
    const side_grid *sides; /* borrowed; of a mesh, to ask faster; NULL: none */
    uint32_t body;          /* of a body that the fluid moves: its index; UINT32_MAX: none */
} wall;

typedef struct walls {
    rill_box box;
    bool flat; /* two dimensions */
    uint32_t count;
    wall *at;
} walls;

/* Where x is in the wall's own coordinates, and back. */
rill_vec3 wall_local(const walls *w, uint32_t k, rill_vec3 x);
rill_vec3 wall_world(const walls *w, uint32_t k, rill_vec3 x);

/* Distance of one wall; normal may be NULL. */
double wall_distance(const walls *w, uint32_t k, rill_vec3 x, rill_vec3 *normal);
/* Distance of the nearest side of the box: negative outside. */
double walls_nearest_side(const walls *w, rill_vec3 x, int *side);
/* Of everything; normal and owner may be NULL. owner: a wall's index, or WALL_SIDE + side. */
double walls_distance(const walls *w, rill_vec3 x, rill_vec3 *normal, uint32_t *owner);
/* Of solids alone, when nearer than `most`; otherwise `most`, and the normal is zero. */
double walls_solid_distance(const walls *w, rill_vec3 x, double most, rill_vec3 *normal);
/* Of everything when nothing beyond `most` matters: then some value beyond it. */
double walls_near(const walls *w, rill_vec3 x, double most);

/* The same of solids alone, without the one of index `except`; infinite when none is near. */
double walls_near_solids(const walls *w, rill_vec3 x, double most, uint32_t except);

/* A wall next to a place: distance and normal. */
typedef struct wall_near {
    double d;
    rill_vec3 normal;
    uint32_t owner; /* as of walls_distance */
} wall_near;

enum { WALLS_AROUND = 6 };

/* Walls and sides nearer to x than reach, at most WALLS_AROUND, the first in order; returns how many. */
uint32_t walls_around(const walls *w, rill_vec3 x, double reach, wall_near out[WALLS_AROUND]);
/* Distance of wall k when it is nearer than `most`; otherwise some value beyond it. */
double wall_within(const walls *w, uint32_t k, rill_vec3 x, double most);
/* How far one comes from a straight to b, of 1, before wall k, by its distance; 1: all the way. What begins
 * in the wall may come out of it. */
double wall_free_way(const walls *w, uint32_t k, rill_vec3 a, rill_vec3 b);

/* The point of wall k's surface near x, by Newton's method on its distance; false when that fails. */
bool wall_project(const walls *w, uint32_t k, rill_vec3 *x, rill_vec3 *normal);

/* How fast the owner's surface moves at x. */
rill_vec3 walls_velocity(const walls *w, uint32_t owner, rill_vec3 x);
