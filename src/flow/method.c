#include "flow/method.h"

#include "base/text.h"

const char *const can_words[] = {
    "free surface", "two dimensions", "viscosity",      "surface tension",
    "bodies",       "smoke",          "periodic sides", NULL,
};

rill_step_stats step_stats_none(void)
{
    return (rill_step_stats){
        .volume = NAN,
        .kinetic = NAN,
        .potential = NAN,
        .max_speed = NAN,
        .compression = NAN,
        .div_max = NAN,
        .div_rms = NAN,
        .solve_residual = NAN,
    };
}

void step_stats_stage(rill_step_stats *stats, const char *name, double *since)
{
    const double now = clock_seconds();
    const double seconds = now - *since;
    *since = now;
    for (uint32_t i = 0; i < stats->stage_count; i++)
        if (stats->stage[i].name == name) { /* a stage entered twice in a step */
            stats->stage[i].seconds += seconds;
            return;
        }
    if (stats->stage_count == STEP_MAX_STAGES) return;
    stats->stage[stats->stage_count].name = name;
    stats->stage[stats->stage_count++].seconds = seconds;
}
