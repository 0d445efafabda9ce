#include "verify/tracker_case.h"

#include <math.h>
#include <stdlib.h>

rill_status tracker_run_start(verify *v, const tracker_def *def, trimesh *mesh, tracker_run *out)
{
    *out = (tracker_run){0};
    trimesh_report report = {0};
    rill_status st = trimesh_check(v->ctx, mesh, &report);
    if (!st) st = tracker_create(v->ctx, def, mesh, &out->t);
    out->volume = report.volume;
    trimesh_clear(v->ctx, mesh);
    return st;
}

void tracker_run_end(tracker_run *r)
{
    tracker_destroy(r->t);
    r->t = NULL;
}

static int genus_of(const tracker *t)
{
    const tracker_part *part;
    size_t parts;
    int genus = 0;
    tracker_parts(t, &part, &parts);
    for (size_t i = 0; i < parts; i++) genus += abs(part[i].genus);
    return genus;
}

static rill_status look(verify *v, tracker_run *r)
{
    const trimesh mesh = tracker_view(r->t);
    tracker_report report;
    TRY(tracker_report_build(v->ctx, &mesh, &report));
    r->faults += report.crossings + report.flat_triangles + report.not_finite + report.mesh.open_edges +
                 report.mesh.nonmanifold_edges + report.mesh.nonmanifold_vertices +
                 report.mesh.misoriented_edges;
    return RILL_OK;
}

rill_status tracker_run_to(verify *v, tracker_run *r, double until, double dt, int check,
                           tracker_velocity *velocity, void *user)
{
    const double begin = tracker_time(r->t);
    const int steps = (int)lround((until - begin) / dt);
    for (int i = 0; i < steps; i++) {
        if (rill_cancelled(v->ctx)) return RILL_CANCELLED;
        tracker_stats s;
        TRY(tracker_advance(r->t, dt, velocity, user, &s));
        const size_t triangles = tracker_view(r->t).triangle_count;
        r->worst = fmax(r->worst, fabs(s.volume / r->volume - 1));
        r->most_triangles = triangles > r->most_triangles ? triangles : r->most_triangles;
        const int genus = genus_of(r->t);
        r->most_genus = genus > r->most_genus ? genus : r->most_genus;
        r->merges += s.merges;
        r->cuts += s.cuts;
        r->contacts += s.contacts;
        r->held += s.held;
        r->dropped += s.dropped_volume;
        if (i % check == check - 1 || i == steps - 1) TRY(look(v, r));
    }
    return RILL_OK;
}

rill_status enright_field(void *user, double time, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    const double c = cos(M_PI * time / 3);
    (void)user;
    for (size_t i = 0; i < n; i++) {
        const double sx = sin(M_PI * x[i].x), sy = sin(M_PI * x[i].y), sz = sin(M_PI * x[i].z);
        const double dx = sin(2 * M_PI * x[i].x), dy = sin(2 * M_PI * x[i].y), dz = sin(2 * M_PI * x[i].z);
        u[i] = v3(2 * c * sx * sx * dy * dz, -c * dx * sy * sy * dz, -c * dx * dy * sz * sz);
    }
    return RILL_OK;
}

void tracker_error(const tracker *t, tracker_distance *distance, double *mean, double *largest)
{
    const trimesh mesh = tracker_view(t);
    *mean = *largest = 0;
    for (size_t i = 0; i < mesh.vertex_count; i++) {
        const double d = fabs(distance(mesh.position[i]));
        *mean += d / (double)mesh.vertex_count;
        *largest = fmax(*largest, d);
    }
}
