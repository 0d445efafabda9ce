/* Verification: physics cases, each figure beside its target.
 *
 * A case is a small file exporting one verify_case, named in the list of verify.c. Its
 * function is called once per method it applies to, builds a scene in C, runs it and
 * states its figures. Cases know a simulation only through flow/method.h, so a new
 * method joins a case by adding its name, and its limits where they differ. */
#pragma once

#include <math.h>

#include "flow/method.h"

/* WANTED: a target (at most) that is not met yet. It is printed beside the figure, and whether it is still
 * open, and does not fail. */
typedef enum verify_kind { AT_MOST, AT_LEAST, REPORT, WANTED } verify_kind;

/* One figure, as it is handed to whoever prints it. */
typedef struct verify_line {
    const char *id, *method; /* method: NULL for a case without one */
    const char *figure;
    double value, target; /* target: NAN for REPORT */
    verify_kind kind;
    bool pass;
} verify_line;

typedef void verify_sink(void *user, const verify_line *line);

/* What a case is given. */
typedef struct verify {
    rill_ctx *ctx;
    const char *method; /* its name; NULL for a case without methods */
    bool full;          /* false: shorter or coarser where the case allows it */
    const char *plots;  /* folder for the curves of cases that have some; NULL: none are drawn */

    const struct verify_case *current;
    verify_sink *sink;
    void *user;
    uint32_t passed, failed; /* figures so far; reports that are finite pass */
} verify;

typedef struct verify_case {
    const char *id;             /* "V-17" */
    const char *title;          /* "Dam break, front" */
    const char *const *methods; /* names, ends with NULL; NULL: called once, without a method */
    rill_status (*run)(verify *v);
} verify_case;

extern const verify_case *const verify_cases[];      /* ends with NULL */
extern const verify_case *const verify_long_cases[]; /* take minutes: run when named; ends with NULL */
const verify_case *verify_find(const char *id);      /* letter case does not matter */
bool verify_applies(const verify_case *c, const char *method);

/* States a figure. NAN never passes. */
void verify_figure(verify *v, const char *name, double value, verify_kind kind, double target);

/* Draws a case's curves as PLOTS/ID.svg and .png, where that is asked for. */
struct plot_def; /* render/plot.h */
RILL_CHECKED rill_status verify_plot(const verify *v, const struct plot_def *def);

/* Runs one case for one method (NULL: none). A failure of the case itself is a failed
 * figure, "completes", and a message in the context; only RILL_CANCELLED is returned. */
RILL_CHECKED rill_status verify_run_case(verify *v, const verify_case *c, const char *method);

/* --- for cases --- */

/* An empty scene for the method of v: default fluid, the given box, gravity as by
 * default. The caller clears it after the simulation. */
RILL_CHECKED rill_status verify_scene(verify *v, int dimensions, rill_box domain, double spacing,
                                      rill_scene *out);
/* A box of liquid. */
RILL_CHECKED rill_status verify_add_box(verify *v, rill_scene *scene, rill_box box, velocity_field velocity);
/* Sets a number of the chosen method's own block; a method without that key keeps its ways. */
void verify_param(rill_scene *scene, const char *name, double value);
/* The simulation of a scene: the method's check, then create. */
RILL_CHECKED rill_status verify_create(verify *v, const rill_scene *scene, rill_sim **out);
void verify_destroy(rill_sim *sim); /* NULL is allowed */

/* One step of length dt, and the time with it. */
RILL_CHECKED rill_status verify_step(rill_sim *sim, double dt, rill_step_stats *stats);
typedef rill_status verify_each(void *user, const rill_sim *sim, const rill_step_stats *stats);
/* Steps of the method's own length until exactly `until`; `each` (may be NULL) after every one. */
RILL_CHECKED rill_status verify_run(rill_sim *sim, double until, verify_each *each, void *user);

/* The particles, or NULL. */
const particles *verify_particles(const rill_sim *sim);
/* How much liquid a particle stands for, in units of the finest, by the column "level", its log2; without
 * one, 1. */
static inline double verify_share(const float *level, size_t i)
{
    return level ? round(exp2((double)level[i])) : 1;
}
double verify_shares(const particles *p); /* their sum: the mass, whatever was split or merged */
/* Mean over the liquid of x, one of each particle. */
rill_vec3 verify_mean(rill_ctx *ctx, const particles *p, const rill_vec3 *x);

/* Order of convergence: the slope of log error over log h by least squares. */
double verify_order(const double *h, const double *error, size_t n);

typedef struct verify_point {
    double x, y;
} verify_point;
/* A tabulated curve at x, linear between its points; NAN outside. x increases. */
double verify_curve(const verify_point *curve, size_t n, double x);
