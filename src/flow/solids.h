/* What stops the liquid: the closed sides of the domain and the solids of the scene.
 *
 * Distances are positive on the liquid's side; normals point into the liquid. In two
 * dimensions z plays no part. Time enters when solids move (later): every query takes
 * it already. */
#pragma once

#include "base/memory.h"
#include "flow/scene.h"
#include "geom/shape.h"

typedef struct solid_contact {
    double distance;
    rill_vec3 normal;
    rill_vec3 velocity; /* of the solid there */
    uint32_t solid;     /* index into the scene's solids; SOLID_DOMAIN + side for the domain */
    int slip;
} solid_contact;

enum { SOLID_DOMAIN = 0x7fffff00, SOLID_MAX_CONTACTS = 24 };

typedef struct solids {
    const rill_scene *scene; /* borrowed */
    scene_domain domain;
    int dimensions;
    /* per solid: world to local, x_local = rotation^T (x - translate) / scale */
    struct solid_pose {
        rill_vec3 row[3], translate;
        double scale;
    } * pose;
    rill_box *bounds; /* per solid, world, for early rejection */
    uint32_t count;
} solids;

RILL_CHECKED rill_status solids_create(rill_ctx *ctx, const rill_scene *scene, solids *out);
void solids_clear(rill_ctx *ctx, solids *s);

/* Nearest surface: distance (INFINITY: nothing solid at all), contact when not NULL. */
double solids_distance(const solids *s, rill_vec3 x, double t, solid_contact *contact);

/* Every face within reach, nearest first (see shape_planes); returns their number. */
int solids_contacts(const solids *s, rill_vec3 x, double t, double reach, solid_contact *out);

/* How far one can go from x, outside, in a unit direction and stay `margin` away from
 * every solid (or half the distance of x, when that is less): a lower bound, and not
 * more than `most`. */
double solids_free(const solids *s, rill_vec3 x, double t, rill_vec3 direction, double margin, double most);

/* Moves x out to `clearance` (positive) from every solid, when it is nearer or inside,
 * and takes the inward part out of the velocity relative to the solids that stopped it;
 * all of it where they have no slip. From `from`, where the
 * particle was, the way is followed, so that a wall thinner than the step is not
 * jumped. Where solids leave less room than that, x stays between them. What is not
 * finite is left alone. Returns whether anything changed. */
bool solids_push_out(const solids *s, double t, double clearance, rill_vec3 from, rill_vec3 *x, rill_vec3 *v);
