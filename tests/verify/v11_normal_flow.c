/* V-11 (a): two spheres grow along their normals until they are one body, then shrink as long. The exact
 * solution is the union of the grown spheres, eroded: its surface lies as deep under that of the union as it
 * has shrunk. The public El Topo at edges of 0.055: mean distance 0.07 edges, largest 0.65. */
#include "geom/mesh/geodesic.h"
#include "verify/tracker_case.h"

#include <math.h>
#include <string.h>

static const double SPEED = 0.2, APART = 0.25, GROWN = 0.4;

typedef struct {
    rill_ctx *ctx;
    double speed;
} flow;

/* Normals weighted by area, and the sum of vectors to neighbours: which way the surface bends. */
typedef struct {
    rill_vec3 normal, bend;
    double facing; /* of the unit normal: mean cosine to the triangles' */
    double area;
} vertex_sums;

static void gather(const trimesh *m, vertex_sums *s)
{
    memset(s, 0, m->vertex_count * sizeof *s);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < m->triangle_count; i++) {
            const uint32_t *v = m->triangle[i];
            const rill_vec3 x[3] = {m->position[v[0]], m->position[v[1]], m->position[v[2]]};
            const rill_vec3 n = v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0]));
            for (int k = 0; k < 3; k++) {
                vertex_sums *a = &s[v[k]];
                if (pass == 0) {
                    a->normal = v3_add(a->normal, n);
                    a->area += v3_length(n);
                    a->bend = v3_add(a->bend, v3_sub(x[(k + 1) % 3], x[k]));
                } else {
                    a->facing += v3_dot(a->normal, n) / a->area;
                }
            }
        }
        for (size_t i = 0; pass == 0 && i < m->vertex_count; i++) s[i].normal = v3_unit(s[i].normal);
    }
}

/* Where the motion drives faces together they stay planes, and their edge moves faster; where it drives them
 * apart, the edge moves as fast as they do, and rounds: the entropy solution. */
static rill_status offset(void *user, const trimesh *m, double dt, rill_vec3 *x)
{
    const flow *f = user;
    vertex_sums *s;
    TRY(MEM_NEW(f->ctx, s, m->vertex_count));
    gather(m, s);
    for (size_t i = 0; i < m->vertex_count; i++) {
        const bool together = v3_dot(s[i].bend, s[i].normal) * f->speed > 0;
        const double stretch = together ? 1 / fmax(s[i].facing, 0.3) : 1;
        x[i] = v3_madd(x[i], f->speed * dt * stretch, s[i].normal);
    }
    mem_free(f->ctx, s);
    return RILL_OK;
}

/* Distance to the surface of the union of the grown spheres, from inside it. */
static double depth_in_union(rill_vec3 p)
{
    const double r = sqrt(p.y * p.y + p.z * p.z), ring = sqrt(GROWN * GROWN - APART * APART);
    double best = hypot(fabs(p.x), r - ring); /* the circle where they meet */
    for (int side = -1; side <= 1; side += 2) {
        const rill_vec3 d = v3_sub(p, v3(side * APART, 0, 0));
        const double l = v3_length(d);
        if (l == 0 || (side * APART + GROWN * d.x / l) * side < 0)
            continue; /* nearest inside the other one */
        best = fmin(best, fabs(GROWN - l));
    }
    return best;
}

static double to_union(rill_vec3 p)
{
    const double l = v3_distance(p, v3(-APART, 0, 0)), r = v3_distance(p, v3(APART, 0, 0));
    return fmin(l, r) - GROWN;
}

static double to_eroded(rill_vec3 p)
{
    return depth_in_union(p) - SPEED;
}

static rill_status flow_errors(verify *v, uint32_t cuts, double *edge, double mean[2], double largest[2],
                               size_t *faults)
{
    tracker_def def = tracker_def_default();
    def.merge = 0.6; /* a step closes a gap by half an edge */
    trimesh a = {0}, b = {0};
    rill_status st = geodesic_sphere(v->ctx, v3(-APART, 0, 0), 0.2, cuts, &a);
    if (!st) st = geodesic_sphere(v->ctx, v3(APART, 0, 0), 0.2, cuts, &b);
    if (!st) st = trimesh_append(v->ctx, &a, &b);
    tracker_run r = {0};
    if (!st) st = tracker_run_start(v, &def, &a, &r);
    *edge = st ? 0 : tracker_edge(r.t);
    flow f = {.ctx = v->ctx};
    const int steps = st ? 0 : (int)ceil(1 / (0.25 * *edge / SPEED));
    for (int i = 0; !st && i < 2 * steps; i++) {
        f.speed = i < steps ? SPEED : -SPEED;
        st = tracker_advance_to(r.t, 1.0 / steps, offset, &f, NULL);
        const trimesh view = tracker_view(r.t);
        tracker_report report = {0};
        if (!st) st = tracker_report_build(v->ctx, &view, &report);
        *faults += report.crossings + report.mesh.nonmanifold_edges + report.mesh.open_edges;
        if (i == steps - 1) tracker_error(r.t, to_union, &mean[0], &largest[0]);
        if (i == 2 * steps - 1) tracker_error(r.t, to_eroded, &mean[1], &largest[1]);
    }
    tracker_run_end(&r);
    trimesh_clear(v->ctx, &a);
    return st;
}

static rill_status normal_flow(verify *v)
{
    static const uint32_t cuts[3] = {4, 6, 9};
    double edge[3], mean[3], largest[3], grown[3];
    size_t faults = 0;
    for (int k = 0; k < 3; k++) {
        double m[2] = {0}, l[2] = {0};
        TRY(flow_errors(v, cuts[k], &edge[k], m, l, &faults));
        grown[k] = m[0];
        mean[k] = m[1];
        largest[k] = l[1];
    }
    verify_figure(v, "grown: mean distance, finest, edges", grown[2] / edge[2], REPORT, 0);
    verify_figure(v, "mean distance, coarsest, edges", mean[0] / edge[0], REPORT, 0);
    verify_figure(v, "mean distance, finest, edges", mean[2] / edge[2], AT_MOST, 0.05);
    verify_figure(v, "largest distance, finest, edges", largest[2] / edge[2], REPORT, 0);
    verify_figure(v, "order of the mean", verify_order(edge, mean, 3), AT_LEAST, 1);
    verify_figure(v, "faults, all steps", (double)faults, AT_MOST, 0);
    return RILL_OK;
}

const verify_case v11_normal_flow = {"V-11", "Normal flow of two spheres, surface tracker", NULL,
                                     normal_flow};
