/* Parts of cases that are about points alone. */
#pragma once

#include "verify/verify.h"

rill_status v12_points(verify *v);
rill_status v13_points(verify *v);
