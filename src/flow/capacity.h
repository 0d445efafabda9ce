/* How much liquid fits into a domain that none of it leaves. Emitters stop when that is there: more would
 * only make the liquid denser. */
#pragma once

#include "flow/solids.h"

/* The part of a box that solids leave at a time, by `side` samples along each axis. */
double capacity_open_part(const rill_scene *scene, const solids *walls, rill_box box, double t, int side);
/* What solids leave of the domain, m3, or m2 in two dimensions; INFINITY where sides are open or drains are,
 * and where there are no emitters. */
double capacity_of_domain(const rill_scene *scene, const solids *walls, double t);
