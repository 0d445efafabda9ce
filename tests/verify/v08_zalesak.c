/* V-08, mesh row: Zalesak's slotted disc, extruded, turned once. A rigid motion: whatever changes, the
 * tracker's improvement changed it. */
#include "verify/tracker_case.h"

#include <math.h>

enum { ARC = 56, OUTLINE = ARC + 2 };
static const double RADIUS = 15, DEPTH = 8, EDGE = 2;
static const rill_vec3 CENTER = {50, 75, 0};

/* Counter-clockwise: the arc from the slot's right foot to its left one, and the slot. */
static void outline(rill_vec3 p[OUTLINE])
{
    const double half = asin(2.5 / RADIUS), foot = RADIUS * cos(half);
    for (int i = 0; i < ARC; i++) {
        const double a = -M_PI / 2 + half + (2 * M_PI - 2 * half) * i / (ARC - 1);
        p[i] = v3_madd(CENTER, RADIUS, v3(cos(a), sin(a), 0));
    }
    p[0] = v3_add(CENTER, v3(2.5, -foot, 0));
    p[ARC - 1] = v3_add(CENTER, v3(-2.5, -foot, 0));
    p[ARC] = v3(CENTER.x - 2.5, 85, 0);
    p[ARC + 1] = v3(CENTER.x + 2.5, 85, 0);
}

static double turn_of(rill_vec3 a, rill_vec3 b, rill_vec3 c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* The polygon's triangles by cutting ears. */
static int cut_ears(const rill_vec3 *p, int n, uint32_t (*out)[3])
{
    uint32_t left[OUTLINE];
    int triangles = 0;
    for (int i = 0; i < n; i++) left[i] = (uint32_t)i;
    while (n > 3) {
        int best = -1;
        double roundest = -1; /* the ear with the best shape */
        for (int i = 0; i < n; i++) {
            const uint32_t a = left[(i + n - 1) % n], b = left[i], c = left[(i + 1) % n];
            const double turn = turn_of(p[a], p[b], p[c]);
            if (!(turn > 1e-9)) continue;
            bool clear = true;
            for (int k = 0; k < n && clear; k++) {
                const uint32_t q = left[k];
                if (q == a || q == b || q == c) continue;
                clear = turn_of(p[a], p[b], p[q]) < 0 || turn_of(p[b], p[c], p[q]) < 0 ||
                        turn_of(p[c], p[a], p[q]) < 0;
            }
            const double l = v3_distance(p[a], p[b]) + v3_distance(p[b], p[c]) + v3_distance(p[c], p[a]);
            if (clear && turn / (l * l) > roundest) roundest = turn / (l * l), best = i;
        }
        if (best < 0) return 0;
        out[triangles][0] = left[(best + n - 1) % n];
        out[triangles][1] = left[best];
        out[triangles++][2] = left[(best + 1) % n];
        for (int i = best; i + 1 < n; i++) left[i] = left[i + 1];
        n--;
    }
    for (int k = 0; k < 3; k++) out[triangles][k] = left[k];
    return triangles + 1;
}

static rill_status slotted_disc(rill_ctx *ctx, trimesh *out)
{
    enum { N = OUTLINE };
    rill_vec3 p[OUTLINE];
    uint32_t cap[OUTLINE][3];
    outline(p);
    const int caps = cut_ears(p, N, cap);
    trimesh m = {0};
    rill_status st = MEM_NEW(ctx, m.position, 2 * N);
    if (!st) st = MEM_NEW(ctx, m.triangle, 2 * (size_t)caps + 2 * N);
    for (uint32_t i = 0; !st && i < N; i++) {
        m.position[i] = p[i];
        m.position[N + i] = v3_add(p[i], v3(0, 0, DEPTH));
    }
    for (int i = 0; !st && i < caps; i++) {
        uint32_t *low = m.triangle[m.triangle_count++], *high = m.triangle[m.triangle_count++];
        low[0] = cap[i][0], low[1] = cap[i][2], low[2] = cap[i][1];
        high[0] = N + cap[i][0], high[1] = N + cap[i][1], high[2] = N + cap[i][2];
    }
    for (uint32_t i = 0; !st && i < N; i++) {
        const uint32_t j = (i + 1) % N;
        uint32_t *a = m.triangle[m.triangle_count++], *b = m.triangle[m.triangle_count++];
        a[0] = i, a[1] = j, a[2] = N + j;
        b[0] = i, b[1] = N + j, b[2] = N + i;
    }
    m.vertex_count = 2 * N;
    if (!st) *out = trimesh_take(&m);
    trimesh_clear(ctx, &m);
    return st;
}

static rill_status turning(void *user, double time, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    (void)user, (void)time;
    for (size_t i = 0; i < n; i++) u[i] = v3(M_PI / 314 * (50 - x[i].y), M_PI / 314 * (x[i].x - 50), 0);
    return RILL_OK;
}

/* How far the nearest vertex is from each corner of the slot; the largest. */
static double corner_error(const tracker *t)
{
    const trimesh mesh = tracker_view(t);
    rill_vec3 p[OUTLINE];
    outline(p);
    double worst = 0;
    for (int k = 0; k < 8; k++) {
        rill_vec3 c = p[(int[]){0, ARC - 1, ARC, ARC + 1}[k % 4]];
        c.z = k < 4 ? 0 : DEPTH;
        double nearest = INFINITY;
        for (size_t i = 0; i < mesh.vertex_count; i++)
            nearest = fmin(nearest, v3_distance(mesh.position[i], c));
        worst = fmax(worst, nearest);
    }
    return worst;
}

static rill_status zalesak(verify *v)
{
    tracker_def def = tracker_def_default();
    def.edge = EDGE;
    trimesh mesh = {0};
    TRY(slotted_disc(v->ctx, &mesh));
    tracker_run r;
    rill_status st = tracker_run_start(v, &def, &mesh, &r);
    if (!st) st = tracker_run_to(v, &r, 628, 6.28, 1, turning, NULL);
    if (!st) {
        verify_figure(v, "area of the disc at the start", r.volume / DEPTH, REPORT, 0);
        verify_figure(v, "volume change at any time", r.worst, AT_MOST, 5e-4);
        verify_figure(v, "corners of the slot after a turn, edges", corner_error(r.t) / EDGE, AT_MOST, 0.2);
        verify_figure(v, "triangles", (double)tracker_view(r.t).triangle_count, REPORT, 0);
        verify_figure(v, "intersections and other faults, all steps", (double)r.faults, AT_MOST, 0);
    }
    tracker_run_end(&r);
    return st;
}

const verify_case v08_zalesak = {"V-08-mesh", "Zalesak's disc, extruded, surface tracker", NULL, zalesak};
