/* How much liquid fits into a domain without outflow. Emitters stop when the domain is full: more would
 * only make the liquid denser. */
#pragma once

#include "flow/solids.h"

/* The fraction of a box that is outside solids at a time, by `side` samples along each axis. */
double capacity_open_part(const rill_scene *scene, const solids *walls, rill_box box, double t, int side);
/* Volume of the domain outside solids, m3, or m2 in two dimensions; INFINITY with open sides or drains, and
 * without emitters. */
double capacity_of_domain(const rill_scene *scene, const solids *walls, double t);
