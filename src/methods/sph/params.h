#pragma once

#include "sph/sph.h"

extern const rill_param sph_params[];
