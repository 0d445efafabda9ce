/* V-11 (c): a dumbbell shrinks with half the sum of its curvatures until t = 0.025. Its handle goes first,
 * and two drops are left. The exact motion is one of revolution: a level set in two dimensions, finer than
 * the mesh, is what it is compared with. */
#include "geom/mesh/geodesic.h"
#include "verify/tracker_case.h"

#include <math.h>
#include <string.h>

static const double BALL = 0.3, APART = 0.5, HANDLE = 0.1, END = 0.025, DT = 1e-4;

/* ---- the reference: half of the plane through the axis, x and r from 0, mirrored there ---- */

enum { NX = 144, NR = 60 };
static const double H = 1.0 / 160;

typedef struct {
    double now[NX][NR], next[NX][NR];
    double pinched; /* when the handle broke; 0: not yet */
} level;

static double start_distance(double x, double r)
{
    const double ball = hypot(x - APART, r) - BALL;
    return x < APART ? fmin(ball, r - HANDLE) : ball;
}

static double at(const level *f, int i, int j)
{
    i = i < 0 ? -1 - i : i >= NX ? NX - 1 : i;
    j = j < 0 ? -1 - j : j >= NR ? NR - 1 : j;
    return f->now[i][j];
}

/* Half of |grad f| div(grad f / |grad f|), the second curvature through f_r / r. */
static double speed_at(const level *f, int i, int j)
{
    const double c = at(f, i, j), w = at(f, i - 1, j), e = at(f, i + 1, j), s = at(f, i, j - 1),
                 n = at(f, i, j + 1);
    const double fx = (e - w) / (2 * H), fr = (n - s) / (2 * H), fxx = (e - 2 * c + w) / (H * H),
                 frr = (n - 2 * c + s) / (H * H);
    const double fxr =
        (at(f, i + 1, j + 1) - at(f, i + 1, j - 1) - at(f, i - 1, j + 1) + at(f, i - 1, j - 1)) / (4 * H * H);
    const double square = fx * fx + fr * fr + 1e-6;
    return 0.5 * ((fxx * fr * fr - 2 * fx * fr * fxr + frr * fx * fx) / square + fr / ((j + 0.5) * H));
}

static void level_run(level *f)
{
    const int steps = (int)ceil(END / (0.2 * H * H));
    f->pinched = 0;
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NR; j++) f->now[i][j] = start_distance((i + 0.5) * H, (j + 0.5) * H);
    for (int k = 0; k < steps; k++) {
        for (int i = 0; i < NX; i++)
            for (int j = 0; j < NR; j++) f->next[i][j] = f->now[i][j] + END / steps * speed_at(f, i, j);
        memcpy(f->now, f->next, sizeof f->now);
        if (f->pinched == 0 && f->now[0][0] > 0) f->pinched = END * (k + 1) / steps;
    }
}

/* Distance to the zero of f: its value over its slope, both between samples. */
static double level_distance(const level *f, rill_vec3 p)
{
    const double x = fabs(p.x) / H - 0.5, r = hypot(p.y, p.z) / H - 0.5;
    const int i = (int)floor(x), j = (int)floor(r);
    const double a = x - i, b = r - j, sw = at(f, i, j), se = at(f, i + 1, j), nw = at(f, i, j + 1),
                 ne = at(f, i + 1, j + 1);
    const double value = (1 - b) * ((1 - a) * sw + a * se) + b * ((1 - a) * nw + a * ne);
    return value * H / hypot((1 - b) * (se - sw) + b * (ne - nw), (1 - a) * (nw - sw) + a * (ne - se));
}

/* ---- the mesh ---- */

/* A sphere's vertices go to the outline by their angle from the axis, as shares of its length. */
static rill_status dumbbell(verify *v, uint32_t cuts, trimesh *out)
{
    const double foot = APART - sqrt(BALL * BALL - HANDLE * HANDLE), turn = M_PI - asin(HANDLE / BALL);
    const double half = BALL * turn + foot;
    TRY(geodesic_sphere(v->ctx, v3(0, 0, 0), 1, cuts, out));
    for (size_t i = 0; i < out->vertex_count; i++) {
        const rill_vec3 p = out->position[i];
        const double angle = acos(fmax(-1, fmin(1, fabs(p.x)))), side = p.x < 0 ? -1 : 1;
        const double s = half * angle / (M_PI / 2), arc = s / BALL, off = hypot(p.y, p.z);
        const double x = arc < turn ? APART + BALL * cos(arc) : half - s,
                     r = arc < turn ? BALL * sin(arc) : HANDLE;
        out->position[i] = off > 0 ? v3(side * x, r * p.y / off, r * p.z / off) : v3(side * x, 0, 0);
    }
    return RILL_OK;
}

typedef struct {
    rill_ctx *ctx;
    double limit; /* of a vertex's way in a step */
} shrinking;

/* Along the Laplacian of the place, by cotangents over the area around each vertex: minus twice the mean
 * curvature along the normal, halved. */
static rill_status shrink(void *user, const trimesh *m, double dt, rill_vec3 *x)
{
    const shrinking *s = user;
    rill_vec3 *sum = NULL;
    double *area = NULL;
    rill_status st = MEM_NEW_ZERO(s->ctx, sum, m->vertex_count);
    if (!st) st = MEM_NEW_ZERO(s->ctx, area, m->vertex_count);
    for (size_t i = 0; !st && i < m->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            const uint32_t o = m->triangle[i][k], a = m->triangle[i][(k + 1) % 3],
                           b = m->triangle[i][(k + 2) % 3];
            const rill_vec3 u = v3_sub(m->position[a], m->position[o]),
                            w = v3_sub(m->position[b], m->position[o]),
                            ab = v3_sub(m->position[b], m->position[a]);
            const double twice = v3_length(v3_cross(u, w)), half_cotangent = 0.5 * v3_dot(u, w) / twice;
            sum[a] = v3_madd(sum[a], half_cotangent, ab);
            sum[b] = v3_madd(sum[b], -half_cotangent, ab);
            area[o] += twice / 6;
        }
    for (size_t i = 0; !st && i < m->vertex_count; i++) {
        const rill_vec3 d = v3_scale(sum[i], 0.5 * dt / area[i]);
        const double length = v3_length(d);
        x[i] = v3_madd(x[i], length > s->limit ? s->limit / length : 1, d);
    }
    mem_free(s->ctx, sum);
    mem_free(s->ctx, area);
    return st;
}

static rill_status follow(verify *v, tracker_run *r, level *reference)
{
    shrinking s = {.ctx = v->ctx, .limit = 0.1 * tracker_edge(r->t)};
    double pinched = 0, mean = 0, largest = 0;
    const tracker_part *part;
    size_t parts, faults = 0;
    for (int i = 0; i < (int)lround(END / DT); i++) {
        tracker_report report;
        TRY(tracker_advance_to(r->t, DT, shrink, &s, NULL));
        const trimesh view = tracker_view(r->t);
        TRY(tracker_report_build(v->ctx, &view, &report));
        faults += report.crossings + report.mesh.nonmanifold_edges + report.mesh.open_edges;
        tracker_parts(r->t, &part, &parts);
        if (pinched == 0 && parts > 1) pinched = DT * (i + 1);
    }
    level_run(reference);
    const trimesh view = tracker_view(r->t);
    for (size_t i = 0; i < view.vertex_count; i++) {
        const double d = fabs(level_distance(reference, view.position[i]));
        mean += d / (double)view.vertex_count;
        largest = fmax(largest, d);
    }
    verify_figure(v, "curvature: the reference breaks at", reference->pinched, REPORT, 0);
    verify_figure(v, "curvature: breaks that much earlier or later",
                  pinched > 0 ? fabs(pinched - reference->pinched) : NAN, AT_MOST, 0.001);
    verify_figure(v, "curvature: parts, off by", fabs((double)parts - 2), AT_MOST, 0);
    verify_figure(v, "curvature: genus", part[0].genus + part[parts - 1].genus, AT_MOST, 0);
    verify_figure(v, "curvature: mean distance, edges", mean / tracker_edge(r->t), AT_MOST, 0.05);
    verify_figure(v, "curvature: largest distance, edges", largest / tracker_edge(r->t), AT_MOST, 0.5);
    verify_figure(v, "curvature: faults, all steps", (double)faults, AT_MOST, 0);
    return RILL_OK;
}

static rill_status curvature(verify *v)
{
    tracker_def def = tracker_def_default();
    def.edge = 0.04;
    trimesh mesh = {0};
    tracker_run r = {0};
    level *reference = NULL;
    rill_status st = dumbbell(v, 14, &mesh);
    if (!st) st = tracker_run_start(v, &def, &mesh, &r);
    if (!st) st = MEM_NEW(v->ctx, reference, 1);
    if (!st) st = follow(v, &r, reference);
    mem_free(v->ctx, reference);
    tracker_run_end(&r);
    return st;
}

const verify_case v11_curvature = {
    "V-11-curvature", "A dumbbell shrinking with its curvature, surface tracker", NULL, curvature};
