/* What the cases of the surface tracker share: meshes, fields, and a step after which the mesh is checked. */
#pragma once

#include "tracker/tracker.h"
#include "verify/verify.h"

/* What has been seen since the start. */
typedef struct tracker_run {
    tracker *t;
    double volume; /* at the start */
    double worst;  /* largest relative change of it */
    size_t faults; /* crossings, open and non-manifold places, all steps */
    size_t most_triangles;
    int most_genus; /* of all parts together, at any time */
    uint32_t merges, cuts, contacts, held;
    double dropped;
} tracker_run;

/* Takes the mesh. */
RILL_CHECKED rill_status tracker_run_start(verify *v, const tracker_def *def, trimesh *mesh,
                                           tracker_run *out);
void tracker_run_end(tracker_run *r);
/* Steps of length dt until `until`, each followed by a full check (check: every so many steps). */
RILL_CHECKED rill_status tracker_run_to(verify *v, tracker_run *r, double until, double dt, int check,
                                        tracker_velocity *velocity, void *user);

rill_status enright_field(void *user, double time, size_t n, const rill_vec3 *x, rill_vec3 *u);

/* Mean and largest of |distance| over the vertices. */
typedef double tracker_distance(rill_vec3 x);
void tracker_error(const tracker *t, tracker_distance *distance, double *mean, double *largest);
