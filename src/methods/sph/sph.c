#include "sph/sph.h"

#include "sph/params.h"

const rill_method sph_method = {
    .name = "sph",
    .paper = "Braley and Sandu, Fluid Simulation for Computer Graphics, section 5",
    .can = CAN_FREE_SURFACE | CAN_TWO_DIMENSIONS | CAN_VISCOSITY,
    .params = sph_params,
    .def_size = sizeof(sph_def),
};
