/* Liquid continued into its walls.
 *
 * At a wall the field of the particles falls off as at a free surface, because there are none behind it: the
 * surface would bend away from the wall, and where it is cut at the wall, be cut at a wrong place. Each
 * particle near a wall therefore gets images: reflected at the planes of the faces around it, at pairs of
 * them and at all three in a corner. The field is then even about the wall and meets it at a right angle.
 *
 * Images behind a plate thinner than the particles reach are in open space. They are marked: seen from there
 * they are none (support.h). Images in the open that no plate parts from their particle are left out. */
#pragma once

#include "flow/particles.h"
#include "flow/solids.h"

typedef struct mirror_def {
    const particles *from; /* with a column "spacing": of different sizes */
    const solids *walls;   /* prepared for `time` */
    double time;
    double spacing, reach; /* metres; spacings: particles nearer to a wall than that have images */
} mirror_def;

typedef struct mirror_image {
    uint32_t particle; /* that it is an image of */
    bool open;         /* in open space behind a plate */
} mirror_image;

/* The particles and after them their images, with the velocities and columns of those they are images of;
 * without ids. *images (the caller's to free): what each image is; NULL: none is in the open. */
RILL_CHECKED rill_status mirror_particles(rill_ctx *ctx, const mirror_def *def, particles *out,
                                          mirror_image **images);
