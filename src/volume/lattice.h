/* Values at the middles of cubes of one size, sampled linearly: what a grid's cells are. */
#pragma once

#include "volume/volume.h"

typedef struct lattice_def {
    const particles *sites; /* each somewhere in its cube; cubes have a corner at origin */
    rill_vec3 origin;
    double cube;
    int dimensions;
    const float *column; /* of the sites; NULL: the velocity */
    double offset;       /* added to the value */
} lattice_def;

/* The values of all samples of out (where: of those with a value other than 0 there). A sample without a cube
 * around it gets the offset alone. */
RILL_CHECKED rill_status lattice_fill(rill_ctx *ctx, const lattice_def *def, const volume *where,
                                      volume *out);
