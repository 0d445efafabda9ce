/* Smoothed particle hydrodynamics: [Braley] section 5 with an equation of state, or
 * incompressible by a pressure solver (DFSPH, Bender and Koschier 2015). The door of the method:
 * the rooms below this folder are seen only by the method, its tests and benchmarks. */
#pragma once

#include "flow/method.h"

extern const rill_method sph_method;
