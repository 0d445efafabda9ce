/* A method that is easy to predict and goes wrong on request: particles that fly and
 * bounce in the box. For tests of what surrounds a method. */
#pragma once

#include "flow/method.h"

#include <stdatomic.h>

extern const rill_method fake_method;

/* What it does wrong, and when. All zero: nothing. */
extern struct fake_fault {
    uint64_t cancel_at, kill_at; /* step; 0: never */
    atomic_bool *until; /* the cancelled step goes on until this is set, at most 20 s; NULL: at once */
    double fragile_from, fragile_to; /* s: steps that begin there blow up... */
    double fragile_dt;               /* ...when longer than this */
    int way;                         /* 0: NaN, 1: too fast, 2: the step says so, 3: particles vanish */
} fake_fault;
