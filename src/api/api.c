#include "api/api.h"

#include <unistd.h>

rill_status api_enter(rill_ctx *ctx, const char *call)
{
    if (!ctx) return RILL_USAGE;
    if (ctx->process == (long)getpid()) return RILL_OK;
    return rill_fail(
        ctx, RILL_USAGE,
        "%s: the context was created before a fork, by another process; create one in this process", call);
}

rill_status api_may_change(const rill_sim *sim, const char *call)
{
    if (!sim) return RILL_USAGE;
    TRY(api_enter(sim->ctx, call));
    if (sim->busy == SIM_IDLE) return RILL_OK;
    return rill_fail(
        sim->ctx, RILL_USAGE,
        "%s: the simulation is being changed by the call this callback comes from; wait for its return",
        call);
}

rill_status api_check_sound(const rill_sim *sim, const char *call)
{
    if (!sim->failed) return RILL_OK;
    return rill_fail(
        sim->ctx, RILL_USAGE,
        "%s: a step of this simulation broke off at t = %.6g s; load a saved state or destroy it", call,
        sim->time);
}

rill_status api_may_steer(const rill_sim *sim, const char *call)
{
    if (!sim) return RILL_USAGE;
    TRY(api_enter(sim->ctx, call));
    TRY(api_check_sound(sim, call));
    if (sim->busy == SIM_IDLE || sim->busy == SIM_STEERED) return RILL_OK;
    return rill_fail(sim->ctx, RILL_USAGE,
                     "%s: the simulation is being stepped; change it in the step callback or after the call",
                     call);
}

rill_status api_may_read(const rill_sim *sim, const char *call)
{
    if (!sim) return RILL_USAGE;
    TRY(api_enter(sim->ctx, call));
    if (sim->busy != SIM_STEPPING) return RILL_OK;
    return rill_fail(sim->ctx, RILL_USAGE,
                     "%s: the simulation is in the middle of a step; read it in the progress "
                     "callback or after the call",
                     call);
}
