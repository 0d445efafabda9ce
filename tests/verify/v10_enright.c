/* V-10: the deformation field of LeVeque and Enright. A sphere is drawn out to a film thinner than an edge
 * and back; the volume at every time, the shape at the end, and no intersection at any step. The public El
 * Topo from 6588 triangles: 0.26 percent at t = 1.5, 0.18 at the end, mean distance 0.025 edges; from 1482:
 * 0.47 percent. */
#include "geom/mesh/geodesic.h"
#include "verify/tracker_case.h"

#include <math.h>

static double to_sphere(rill_vec3 x)
{
    return v3_distance(x, v3(0.35, 0.35, 0.35)) - 0.15;
}

/* What a resolution has to keep to: volume at any time, at t = 1.5 and in the end; the mean distance in
 * edges. */
typedef struct {
    double always, middle, end, mean;
} limits;

static rill_status enright(verify *v, uint32_t cuts, limits limit)
{
    tracker_def def = tracker_def_default();
    def.merge = def.neck = def.drop = 0; /* the exact motion has no change of topology */
    trimesh mesh = {0};
    TRY(geodesic_sphere(v->ctx, v3(0.35, 0.35, 0.35), 0.15, cuts, &mesh));
    const double triangles = (double)mesh.triangle_count;
    tracker_run r;
    rill_status st = tracker_run_start(v, &def, &mesh, &r);
    double middle = 0, end = 0, mean = 0, largest = 0;
    if (!st) st = tracker_run_to(v, &r, 1.5, 0.01, 1, enright_field, NULL);
    if (!st) middle = r.worst;
    if (!st) st = tracker_run_to(v, &r, 3, 0.01, 1, enright_field, NULL);
    if (!st) {
        tracker_stats s = {0};
        st = tracker_improve(r.t, &s);
        const tracker_part *part;
        size_t parts;
        tracker_parts(r.t, &part, &parts);
        end = fabs(part[0].volume / r.volume - 1);
        tracker_error(r.t, to_sphere, &mean, &largest);
        verify_figure(v, "triangles at the start", triangles, REPORT, 0);
        verify_figure(v, "triangles at the most", (double)r.most_triangles, REPORT, 0);
        verify_figure(v, "volume change to t = 1.5, largest", middle, AT_MOST, limit.middle);
        verify_figure(v, "volume change at any time", r.worst, AT_MOST, limit.always);
        verify_figure(v, "volume change at t = 3", end, AT_MOST, limit.end);
        verify_figure(v, "distance to the sphere, mean, edges", mean / tracker_edge(r.t), AT_MOST,
                      limit.mean);
        verify_figure(v, "distance to the sphere, largest, edges", largest / tracker_edge(r.t), AT_MOST, 0.5);
        verify_figure(v, "intersections and other faults, all steps", (double)r.faults, AT_MOST, 0);
    }
    tracker_run_end(&r);
    return st;
}

static rill_status coarse(verify *v)
{
    return enright(v, 9, (limits){0.006, 0.0047, 0.0028, 0.05});
}

static rill_status fine(verify *v)
{
    return enright(v, 18, (limits){0.0035, 0.0026, 0.0018, 0.025});
}

const verify_case v10_enright = {"V-10", "Enright's field, surface tracker from 1620 triangles", NULL,
                                 coarse};
const verify_case v10_enright_fine = {"V-10-fine", "Enright's field, surface tracker from 6480 triangles",
                                      NULL, fine};
