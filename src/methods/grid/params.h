#pragma once

#include "grid/grid.h"

extern const rill_param grid_params[];
