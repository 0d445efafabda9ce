/* Emitters, by operations on the surface.
 *
 * An open emitter is a nozzle: a plug behind its plane that is solid to the liquid and through whose front it
 * comes, with the emitter's velocity, by the boundary condition of the pressure solve. The surface is held in
 * the plane; the sides of the jet stretch away from there and are split by the tracker. What has come out
 * is added to the volume that the liquid at the nozzle is led to, so that the flow is that of the scene.
 * When there is no liquid at the nozzle, what is owed gathers until it is a slab a spacing thick, which
 * becomes a part of its own. Inside of liquid a nozzle blows into it. */
#pragma once

#include "voronoi/state.h"

typedef struct brochu_nozzle {
    rill_vec3 center, normal, direction; /* of the plane, into the domain; of the velocity */
    rill_vec3 u, v;                      /* span the plane */
    double wide, high;                   /* half the cross-section's extent along them */
    double area;                         /* m2 */
    double speed;                        /* m/s, in this step */
    double owed;                         /* m3 that are not in the surface yet */
    double reach;                        /* velocity is the emitter's so far from the plane */
    bool open, wet;                      /* in this step; there is liquid before it */
    bool fresh;                          /* its first slab is of this step */
} brochu_nozzle;

RILL_CHECKED rill_status brochu_nozzles_create(brochu *s);
void brochu_nozzles_clear(brochu *s);
/* For the step from t: which are open, and what each owes at its end. Slabs that are complete join the
 * surface. */
RILL_CHECKED rill_status brochu_emit(brochu *s, double t, double dt);
/* The part that takes what nozzle i owes; SITE_NONE: none touches it. */
uint32_t brochu_nozzle_part(const brochu *s, uint32_t i, const trimesh *mesh, const uint32_t *part);
/* Distance from the plugs of open nozzles; contact as of solids_distance. INFINITY: there is none. */
double brochu_nozzle_room(const brochu *s, rill_vec3 x, solid_contact *contact);
/* Sites in the plugs of open nozzles, a little behind their planes: without them the cells before a nozzle
 * reach through its plug, and are open behind it. In the scratch arena. */
RILL_CHECKED rill_status brochu_plug_sites(brochu *s, rill_vec3 **x, uint32_t *count);
/* Whether a site at x is one of these. */
bool brochu_in_plug(const brochu *s, rill_vec3 x);
/* Whether x lies in the front of an open nozzle, where the surface is held; *onto: its nozzle. */
bool brochu_in_nozzle(const brochu *s, rill_vec3 x, const brochu_nozzle **onto);
/* Replaces the velocity just before a nozzle by the nozzle's. */
rill_vec3 brochu_blown(const brochu *s, rill_vec3 x, rill_vec3 u);
