/* The two tables of operations: particles of one size, and of several. */
#pragma once

#include "sph/core/operations.h"

extern const sph_operations uniform_operations, sized_operations;
