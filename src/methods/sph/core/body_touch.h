/* What particles do to bodies when they are moved: collisions, friction and drag.
 *
 * Moving a particle changes its velocity where it meets a solid (core/move.c, solids_push_out), as if the
 * solid went on unmoved. Where that is a body, the change D of the particle is shared with it: with d = D /
 * |D|, w = root^T (d, r x d) and the part b of the relative velocity along d that the change took away (1 in
 * collisions, less by friction and drag), the body's motion changes by root z,
 *     (1 + sum m b w w^T) z = -sum m |D| w,
 * and the particle by b d (w . z) besides. Momentum and angular momentum are kept, whatever the mass of the
 * body is; added as a force alone, collisions with light bodies would diverge. */
#pragma once

#include "sph/core/state.h"

/* Before ops->move or a drift; `kick`: how long gravity and step.force will accelerate in it. */
RILL_CHECKED rill_status body_touch_before(sph *s);
/* Afterwards; the particles are where they are at t. */
RILL_CHECKED rill_status body_touch_after(sph *s, double kick, rill_vec3 gravity, double t);
