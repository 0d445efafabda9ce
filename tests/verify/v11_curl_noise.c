/* V-11 (d) and (e): a sphere in a random field free of divergence, to t = 10, without changes of topology.
 * The volume stays within one percent and nothing ever intersects; the same without collision tests tangles.
 */
#include "base/random.h"
#include "geom/mesh/geodesic.h"
#include "verify/tracker_case.h"

#include <math.h>

enum { MODES = 24 };

typedef struct {
    rill_vec3 wave[MODES], direction[MODES];
    double phase[MODES], rate[MODES];
} noise;

/* Plane waves across their own direction: each is free of divergence. */
static noise make_noise(void)
{
    noise f;
    for (uint32_t i = 0; i < MODES; i++) {
        const random4 r = random_at(2, i, 0, 0), q = random_at(2, i, 1, 0);
        const rill_vec3 k = v3_unit(
            v3(random_unit(r.v[0], 0) - 0.5, random_unit(r.v[1], 0) - 0.5, random_unit(r.v[2], 0) - 0.5));
        const rill_vec3 a =
            v3(random_unit(q.v[0], 0) - 0.5, random_unit(q.v[1], 0) - 0.5, random_unit(q.v[2], 0) - 0.5);
        const double length = 1.5 + 2.5 * random_unit(r.v[3], 0);
        f.wave[i] = v3_scale(k, length);
        f.direction[i] = v3_scale(v3_unit(v3_cross(k, a)), 0.17 / sqrt(length));
        f.phase[i] = 2 * M_PI * random_unit(q.v[3], 0);
        f.rate[i] = 0.5 * (double)(i % 3);
    }
    return f;
}

static rill_status noise_field(void *user, double time, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    const noise *f = user;
    for (size_t i = 0; i < n; i++) {
        u[i] = v3(0, 0, 0);
        for (int k = 0; k < MODES; k++)
            u[i] = v3_madd(u[i], sin(v3_dot(f->wave[k], x[i]) + f->phase[k] + f->rate[k] * time),
                           f->direction[k]);
    }
    return RILL_OK;
}

static rill_status noise_run(verify *v, bool collisions, double until, tracker_run *r)
{
    tracker_def def = tracker_def_default();
    def.merge = def.neck = def.drop = 0;
    def.collisions = collisions;
    noise f = make_noise();
    trimesh mesh = {0};
    TRY(geodesic_sphere(v->ctx, v3(0, 0, 0), 1, 10, &mesh));
    TRY(tracker_run_start(v, &def, &mesh, r));
    return tracker_run_to(v, r, until, 0.05, 1, noise_field, &f);
}

static rill_status curl_noise(verify *v)
{
    tracker_run safe = {0}, tangled = {0};
    const double until = v->full ? 10 : 4;
    rill_status st = noise_run(v, true, until, &safe);
    if (!st) {
        verify_figure(v, "time", until, REPORT, 0);
        verify_figure(v, "triangles at the most", (double)safe.most_triangles, REPORT, 0);
        verify_figure(v, "contacts met", safe.contacts, REPORT, 0);
        verify_figure(v, "vertices held back", safe.held, REPORT, 0);
        verify_figure(v, "volume change at any time", safe.worst, AT_MOST, 0.01);
        verify_figure(v, "intersections and other faults, all steps", (double)safe.faults, AT_MOST, 0);
    }
    tracker_run_end(&safe);
    if (!st) st = noise_run(v, false, until, &tangled);
    if (!st)
        verify_figure(v, "without collision tests: intersections", (double)tangled.faults,
                      v->full ? AT_LEAST : REPORT, 1);
    tracker_run_end(&tangled);
    return st;
}

const verify_case v11_curl_noise = {
    "V-11-noise", "Curl noise to t = 10, and its tangled control, surface tracker", NULL, curl_noise};
