/* Whether two features that move linearly touch: a vertex and a triangle, or two edges.
 *
 * Time alone is bisected. In the middle of an interval the direction between the closest points is taken,
 * then the common normal; along a fixed direction the gap between any point of one feature and any of the
 * other is linear in time, so gaps above the rounding bound at both ends of the interval prove it free.
 * A distance of at most `touch` is a contact, so is what 4096 intervals do not settle.
 *
 * "No" is a proof, whatever the numbers: there is no root to miss. "Yes" may be wrong by `touch`. All
 * arithmetic is relative to the first point, so that the distance from the origin costs nothing. */
#pragma once

#include "base/vec.h"

typedef struct gap_query {
    rill_vec3 from[4], to[4]; /* vertex, then triangle; or edge 0 1, then edge 2 3 */
    bool edges;
} gap_query;

/* Whether they touch at a time in [0, 1]; *safe (may be NULL) is a time before which they do not, 1 when
 * they do not at all. */
bool gap_contact(const gap_query *q, double touch, double *safe);

/* From the second feature to the first at their closest points; weight: of the four points (vertex or edge
 * positive, the other side negative, each side adds up to 1 in size). Returns the squared distance. */
double gap_closest(const rill_vec3 x[4], bool edges, rill_vec3 *between, double weight[4]);
