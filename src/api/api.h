/* What every call of a host goes through first. */
#pragma once

#include "flow/method.h"

/* RILL_USAGE in a process that did not create the context: after a fork its threads are not there. */
RILL_CHECKED rill_status api_enter(rill_ctx *ctx, const char *call);

/* A simulation that a call is changing, in rill_sim.busy. Callbacks come while it is; what they may do: */
enum {
    SIM_IDLE,     /* everything */
    SIM_STEPPING, /* from the log: nothing, the state may be half made */
    SIM_SHOWN,    /* from the progress: read */
    SIM_STEERED   /* from the step callback: read, and change what the next step goes by */
};

/* RILL_USAGE for a simulation whose step broke off: its state may be anything. */
RILL_CHECKED rill_status api_check_sound(const rill_sim *sim, const char *call);

/* RILL_USAGE when a callback asks to change, or to read, what cannot be. */
RILL_CHECKED rill_status api_may_change(const rill_sim *sim, const char *call);
/* From the step callback what the next step goes by may be changed (rill.h, "while it runs"). */
RILL_CHECKED rill_status api_may_steer(const rill_sim *sim, const char *call);
RILL_CHECKED rill_status api_may_read(const rill_sim *sim, const char *call);
