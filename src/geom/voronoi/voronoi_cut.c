#include "geom/voronoi/voronoi_cut.h"

#include <math.h>

enum { STEPS = 256, ROOT_ROUNDS = 24 };
#define CONTACT        1e-6  /* of an edge: nearer than that is on the solid */
#define ROOT_TOLERANCE 1e-12 /* of the larger end's value */

uint32_t cut_scratch_corners(uint32_t most)
{
    return 2 * most + 4; /* a point inside a solid on every edge */
}

static double value_at(const voronoi_clip_def *def, uint32_t cell, rill_vec3 x)
{
    double v;
    def->value(def->user, &cell, &x, 1, &v);
    return v;
}

/* How far from p towards q nothing solid is met: marching by the distance from it, until that
 * is next to nothing. At least `most` when there is nothing. */
static double march(const voronoi_clip_def *def, uint32_t cell, rill_vec3 p, double dp, rill_vec3 q,
                    double most)
{
    const double length = v3_distance(p, q);
    double t = dp;
    for (int i = 0; i < STEPS && t < most; i++) {
        const double d = value_at(def, cell, v3_madd(p, t / length, v3_sub(q, p)));
        if (!(d > CONTACT * length)) return t;
        t += d;
    }
    return t;
}

/* A point inside the solid between two with distances dp, dq from it that add up to less than
 * their own: half way between where it is met from both sides, however thin it is. */
static bool find_inside(const voronoi_clip_def *def, uint32_t cell, rill_vec3 p, double dp, rill_vec3 q,
                        double dq, cut_corner *out)
{
    const double length = v3_distance(p, q);
    const double from = march(def, cell, p, dp, q, length - dq);
    if (from >= length - dq) return false;
    const double to = length - march(def, cell, q, dq, p, length - from);
    const rill_vec3 x = v3_madd(p, 0.5 * (from + fmax(to, from)) / length, v3_sub(q, p));
    *out = (cut_corner){x, fmin(value_at(def, cell, x), -CONTACT * length), UINT32_MAX};
    return true;
}

bool cut_sees(const voronoi_clip_def *def, uint32_t cell, rill_vec3 x)
{
    const rill_vec3 site = def->site[cell];
    const double length = v3_distance(site, x) * (1 - 1e-3); /* x may be on the solid */
    const double d = value_at(def, cell, site);
    if (!(d > 0)) return false; /* a site inside a thin solid must not join its sides */
    return march(def, cell, site, d, x, length) >= length;
}

/* Root between p (kept) and q (not), from the end with the smaller place, so that it does
 * not depend on which way round a face is walked: regula falsi, Illinois variant. */
static rill_vec3 root(const voronoi_clip_def *def, uint32_t cell, cut_corner p, cut_corner q)
{
    const bool swap = p.id > q.id;
    const cut_corner a = swap ? q : p, b = swap ? p : q;
    double s = 0, t = 1, fs = a.value, ft = b.value;
    const double enough = ROOT_TOLERANCE * fmax(fabs(fs), fabs(ft));
    double u = fs / (fs - ft);
    int side = 0;
    for (int i = 0; i < ROOT_ROUNDS; i++) {
        const double f = value_at(def, cell, v3_madd(a.x, u, v3_sub(b.x, a.x)));
        if (!(fabs(f) > enough)) break;
        if ((f > 0) == (fs > 0)) {
            s = u, fs = f;
            if (side == 1) ft *= 0.5;
            side = 1;
        } else {
            t = u, ft = f;
            if (side == 2) fs *= 0.5;
            side = 2;
        }
        u = s + (t - s) * (fs / (fs - ft));
    }
    return v3_madd(a.x, u, v3_sub(b.x, a.x));
}

static uint32_t gather(const voronoi *v, const voronoi_clip_def *def, const double *value,
                       const voronoi_face *f, cut_corner *corner, bool *thin)
{
    uint32_t n = 0;
    for (uint32_t e = 0; e < f->count; e++) {
        const uint32_t p = v->corner[f->first + e], q = v->corner[f->first + (e + 1 == f->count ? 0 : e + 1)];
        corner[n++] = (cut_corner){v->vertex[p], value[p], p};
        if (!def->distance || !(value[p] > 0 && value[q] > 0) ||
            value[p] + value[q] >= v3_distance(v->vertex[p], v->vertex[q]))
            continue;
        const uint32_t a = p < q ? p : q, b = p < q ? q : p;
        if (find_inside(def, f->a, v->vertex[a], value[a], v->vertex[b], value[b], &corner[n])) {
            *thin = true;
            n++;
        }
    }
    return n;
}

/* Whether what is kept of a face with several runs hangs together in its middle. The question is put
 * to what cuts it: is it there between its crossings? A wall is, what cuts opposite corners off is not. */
static bool joined(const voronoi_clip_def *def, const voronoi_face *f, const cut_corner *c, uint32_t n)
{
    rill_vec3 sum = {0, 0, 0};
    double size = 0;
    uint32_t gone = 0;
    for (uint32_t i = 0; i < n; i++) {
        size = fmax(size, v3_distance(c[i].x, f->centroid));
        if (c[i].value > 0) continue;
        sum = v3_add(sum, c[i].x);
        gone++;
    }
    return value_at(def, f->a, v3_scale(sum, 1.0 / gone)) > CONTACT * size;
}

cut_kind cut_face(const voronoi *v, const voronoi_clip_def *def, const double *value, uint32_t face,
                  bool roots, cut_scratch *scratch, bool *thin)
{
    const voronoi_face *f = &v->face[face];
    *thin = false;
    scratch->runs = 0;
    const uint32_t n = scratch->corners = gather(v, def, value, f, scratch->corner, thin);
    if (n == 0) return CUT_NOTHING; /* a boundary without an outline */
    const cut_corner *c = scratch->corner;
    uint32_t start = 0; /* a kept corner after one that is not */
    while (start < n && !(c[start].value > 0 && !(c[start == 0 ? n - 1 : start - 1].value > 0))) start++;
    if (start == n) return c[0].value > 0 ? CUT_NOTHING : CUT_ALL;
    for (uint32_t i = 0; i < n;) {
        const uint32_t at = (start + i) % n;
        cut_run r = {.first = at};
        while (i < n && c[(start + i) % n].value > 0) i++, r.count++;
        const uint32_t last = (at + r.count - 1) % n;
        if (roots) {
            r.entry = root(def, f->a, c[at], c[(at + n - 1) % n]);
            r.leave = root(def, f->a, c[last], c[(last + 1) % n]);
        }
        scratch->run[scratch->runs++] = r;
        while (i < n && !(c[(start + i) % n].value > 0)) i++;
    }
    if (scratch->runs == 1) return CUT_PIECES;
    return joined(def, f, c, n) ? CUT_BAND : CUT_PIECES;
}
