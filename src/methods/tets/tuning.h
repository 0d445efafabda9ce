/* Lengths of the mesher in units of the local size, as measured in docs/tets.md. */
#pragma once

#define TETS_WALL_GAP 0.6  /* of nodes inside from walls */
#define TETS_SHORT    0.62 /* edges below lose a node */
#define TETS_LARGE    0.88 /* circumradii above gain one; at 0.95 the mesh lost 15 percent in 100 steps */
#define TETS_FLAT     0.02 /* tetrahedra of wall nodes alone: fluid when their middle is farther out */
#define TETS_BULGE    0.08 /* boundary faces farther off get a sample */

#define TETS_POCKET 20   /* tetrahedra: smaller parts of the fluid are dropped */
#define TETS_WEAK   0.02 /* volume of a star over the cubes of its circumradii; 0.51 of regular tetrahedra */
