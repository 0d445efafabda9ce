/* Gas that fills the domain: the grid method of scenes with "fill".
 *
 * A step is sources, buoyancy, vorticity confinement, semi-Lagrangian advection and projection of the
 * velocity, then soot and heat by limited fluxes: docs/smoke.md. The rest of the program sees grid_gas_method
 * (grid/grid.h); tests of single passes see state.h. */
#pragma once

#include "grid/grid.h"
