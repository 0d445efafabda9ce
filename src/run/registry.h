/* Every method of the program, by name. What loops over this list tests a new method
 * the day it is added. */
#pragma once

#include "flow/method.h"

extern const rill_method *const rill_methods[]; /* rill_method_count of them, then NULL */
extern const uint32_t rill_method_count;
const rill_method *rill_method_find(const char *name); /* NULL: there is none */
