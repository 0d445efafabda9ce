/* Relaxation of new liquid: particles shift along their pressure forces until these vanish. */
#pragma once

#include "sph/core/operations.h"

/* Shifts the particles with ids from `from` on along step.force, which holds their accelerations by pressure
 * alone, by at most a twentieth of their spacing. */
void relax_shift(sph *s, uint64_t from);
