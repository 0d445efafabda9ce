/* Changes of topology: two spheres that touch at a point, a bridge that is drawn out until it breaks, two
 * spheres pressed into a film. The last two fields are free of divergence, so the volume should stay. */
#include "geom/mesh/geodesic.h"
#include "verify/tracker_case.h"

#include <math.h>
#include <stdio.h>

static rill_status toward_each_other(void *user, double time, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    (void)user, (void)time;
    for (size_t i = 0; i < n; i++) u[i] = v3(x[i].x > 0 ? -1 : 1, 0, 0);
    return RILL_OK;
}

static rill_status drawing_out(void *user, double time, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    const double k = 4, w = 0.25;
    (void)user, (void)time;
    for (size_t i = 0; i < n; i++) {
        const double e = exp(-x[i].x * x[i].x / (w * w));
        u[i] = v3(k * w * sqrt(M_PI) / 2 * erf(x[i].x / w), -0.5 * k * e * x[i].y, -0.5 * k * e * x[i].z);
    }
    return RILL_OK;
}

static rill_status pressing(void *user, double time, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    (void)user, (void)time;
    for (size_t i = 0; i < n; i++) {
        const double s = 1 / cosh(x[i].x / 0.1);
        u[i] = v3(-0.2 * tanh(x[i].x / 0.1), s * s * x[i].y, s * s * x[i].z);
    }
    return RILL_OK;
}

static rill_status two_spheres(verify *v, double apart, uint32_t cuts, trimesh *out)
{
    trimesh a = {0}, b = {0};
    rill_status st = geodesic_sphere(v->ctx, v3(-apart, 0, 0), 0.2, cuts, &a);
    if (!st) st = geodesic_sphere(v->ctx, v3(apart, 0.003, 0.002), 0.2, cuts, &b);
    if (!st) st = trimesh_append(v->ctx, &a, &b);
    if (!st) *out = trimesh_take(&a);
    trimesh_clear(v->ctx, &a);
    trimesh_clear(v->ctx, &b);
    return st;
}

static void say(verify *v, const char *what, const tracker_run *r, double parts_wanted)
{
    const tracker_part *part;
    size_t parts;
    char name[80];
    tracker_parts(r->t, &part, &parts);
    snprintf(name, sizeof name, "%s: parts, off by", what);
    verify_figure(v, name, fabs((double)parts - parts_wanted), AT_MOST, 0);
    snprintf(name, sizeof name, "%s: genus at any time", what);
    verify_figure(v, name, r->most_genus, AT_MOST, 0);
    snprintf(name, sizeof name, "%s: faults, all steps", what);
    verify_figure(v, name, (double)r->faults, AT_MOST, 0);
}

static rill_status point_contact(verify *v)
{
    const tracker_def def = tracker_def_default();
    trimesh mesh = {0};
    tracker_run r = {0};
    TRY(two_spheres(v, 0.21, 10, &mesh));
    rill_status st = tracker_run_start(v, &def, &mesh, &r);
    for (int i = 1; !st && i < 30 && r.merges == 0; i++)
        st = tracker_run_to(v, &r, 0.001 * i, 0.001, 1, toward_each_other, NULL);
    if (!st) {
        say(v, "point contact", &r, 1);
        verify_figure(v, "point contact: volume change", r.worst, AT_MOST, 0.005);
    }
    tracker_run_end(&r);
    return st;
}

static rill_status bridge(verify *v)
{
    const tracker_def def = tracker_def_default();
    trimesh mesh = {0};
    tracker_run r = {0};
    TRY(geodesic_sphere(v->ctx, v3(0, 0, 0), 1, 12, &mesh));
    for (size_t i = 0; i < mesh.vertex_count; i++) {
        const rill_vec3 x = mesh.position[i];
        mesh.position[i] = v3(0.4 * x.x, 0.2 * x.y, 0.2 * x.z);
    }
    rill_status st = tracker_run_start(v, &def, &mesh, &r);
    if (!st) st = tracker_run_to(v, &r, 2, 0.02, 1, drawing_out, NULL);
    if (!st) {
        say(v, "bridge", &r, 2);
        verify_figure(v, "bridge: volume change", r.worst, AT_MOST, 0.005);
    }
    tracker_run_end(&r);
    return st;
}

/* The film breaks at a point and goes from there: no tunnel at any time, one part in the end, and what is
 * gained is at most the air that was within the distance. */
static rill_status film(verify *v, double merge, uint32_t cuts, double until)
{
    tracker_def def = tracker_def_default();
    def.merge = merge;
    trimesh mesh = {0};
    tracker_run r = {0};
    TRY(two_spheres(v, 0.25, cuts, &mesh));
    rill_status st = tracker_run_start(v, &def, &mesh, &r);
    if (!st) st = tracker_run_to(v, &r, until, 0.01, 1, pressing, NULL);
    if (!st) {
        /* A disc as wide as the merged body at its middle. */
        const trimesh view = tracker_view(r.t);
        double square = 0;
        for (size_t i = 0; i < view.vertex_count; i++) {
            const rill_vec3 x = view.position[i];
            if (fabs(x.x) < 0.05) square = fmax(square, x.y * x.y + x.z * x.z);
        }
        const tracker_part *part;
        size_t parts;
        double volume = 0;
        char what[40], name[80];
        tracker_parts(r.t, &part, &parts);
        for (size_t i = 0; i < parts; i++) volume += part[i].volume;
        snprintf(what, sizeof what, "film at %g edges", merge);
        say(v, what, &r, 1);
        snprintf(name, sizeof name, "%s: gain over area times distance", what);
        verify_figure(v, name, (volume - r.volume) / (M_PI * square * merge * tracker_edge(r.t)), AT_MOST, 1);
        snprintf(name, sizeof name, "%s: volume change", what);
        verify_figure(v, name, r.worst, REPORT, 0);
    }
    tracker_run_end(&r);
    return st;
}

static rill_status topology(verify *v)
{
    TRY(point_contact(v));
    TRY(bridge(v));
    TRY(film(v, 0.2, 6, 2.2));
    return film(v, 0.4, 8, 1.8);
}

const verify_case tracker_topology = {"tracker-topology", "Surfaces that merge, break and press into a film",
                                      NULL, topology};
