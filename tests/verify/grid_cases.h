/* Cases whose way with the grid method has a file of its own. */
#pragma once

#include "verify/verify.h"

RILL_CHECKED rill_status v12_grid(verify *v);
RILL_CHECKED rill_status v13_grid(verify *v);
