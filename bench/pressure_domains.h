/* Liquids to solve the pressure of: a flat box, and six that are hard for some reason. */
#pragma once

#include "grid/pressure/cells.h"

typedef enum pressure_domain {
    DOMAIN_FLAT,    /* lower half of a box */
    DOMAIN_TILTED,  /* the same with a tilted surface */
    DOMAIN_SPHERES, /* and twenty spheres in it that cut faces */
    DOMAIN_SPLASH,  /* a rough surface, 200 droplets, eight sheets one cell thick */
    DOMAIN_MAZE,    /* rooms of six cells with one-cell walls, doors of 3 x 3, no two ways to a room */
    DOMAIN_CLOSED,  /* a full box with spheres and a hollow shell: two parts without a free surface */
    DOMAIN_RANDOM,  /* three cells of four, at random, with faces open by 1e-3 to 1 */
    DOMAIN_FULL,    /* a full closed box */
    DOMAINS
} pressure_domain;

extern const char *const pressure_domain_words[DOMAINS + 1];

/* n cells a side, with a right side of smooth modes and noise, free of net flux in the
 * parts without a surface for nobody: the solver sees to that. */
RILL_CHECKED rill_status pressure_domain_make(rill_ctx *ctx, pressure_domain domain, int dimensions, int n,
                                              pressure_cells *out);
