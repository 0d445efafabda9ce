/* What rill run and rill resume say at their end. */
#pragma once

#include "run/driver.h"

void summary_print(const char *folder, const run_result *result, bool json); /* on stdout */
