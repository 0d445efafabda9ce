/* The interpolant: [Brochu10] section 6, step 5, and the others of figure 11. */
#include "voronoi/fit.h"
#include "voronoi/state.h"

static uint32_t seed(const brochu *s, const brochu_diagram *d, rill_vec3 x)
{
    const brochu_seeds *g = &d->seeds;
    size_t at = 0;
    for (int k = 2; k >= 0; k--) {
        const double c = (v3_axis(x, k) - v3_axis(s->box.min, k)) / g->cell;
        at = at * (size_t)g->size[k] + (size_t)fmin(fmax(c, 0), g->size[k] - 1);
    }
    return g->site[at] == SITE_NONE ? g->any : g->site[at];
}

/* By walking over Delaunay edges, downhill. An image is never nearer than its original to what is inside. */
uint32_t brochu_nearest(const brochu *s, const brochu_diagram *d, rill_vec3 x, uint32_t hint)
{
    uint32_t at = hint == SITE_NONE ? seed(s, d, x) : hint;
    rill_vec3 way = v3_sub(d->sites.x[at], x);
    double best = v3_dot(way, way);
    for (;;) {
        uint32_t to = at;
        for (uint32_t k = d->first[at]; k < d->first[at + 1]; k++) {
            const uint32_t *v = d->faces.site[d->link[k]];
            const uint32_t b = d->sites.of[v[0] == at ? v[1] : v[0]];
            if (!site_real(d, b)) continue;
            way = v3_sub(d->sites.x[b], x);
            const double square = v3_dot(way, way);
            if (square < best) {
                best = square;
                to = b;
            }
        }
        if (to == at) return at;
        at = to;
    }
}

/* The nearest site by the same walk, from *site on, and the face through which the ray from there through x
 * leaves its cell: x lies at *share of the way to that face's plane. Where that is beyond the face, the
 * neighbour is nearer. SITE_NONE: x is the site, or the cell is open there. */
static uint32_t face_toward(const brochu *s, const brochu_diagram *d, rill_vec3 x, uint32_t *site,
                            double *share)
{
    const brochu_faces *f = &d->faces;
    uint32_t at = *site == SITE_NONE ? seed(s, d, x) : *site;
    rill_vec3 r = v3_sub(x, d->sites.x[at]);
    for (;;) {
        uint32_t best = SITE_NONE;
        *share = 0;
        for (uint32_t k = d->first[at]; k < d->first[at + 1]; k++) {
            const uint32_t e = d->link[k];
            const double along = v3_dot(r, f->normal[e]);
            const double t = 2 * (f->site[e][0] == at ? along : -along) / f->length[e];
            if (!(t > *share) || !(f->ring_first[e + 1] - f->ring_first[e] > 2)) continue;
            *share = t;
            best = e;
        }
        *site = at;
        if (best == SITE_NONE) return SITE_NONE;
        if (*share > 1) {
            const uint32_t to = d->sites.of[f->site[best][f->site[best][0] == at]];
            const rill_vec3 from_there = site_real(d, to) ? v3_sub(x, d->sites.x[to]) : r;
            if (v3_dot(from_there, from_there) < v3_dot(r, r)) {
                at = to;
                r = from_there;
                continue;
            }
        }
        return f->closed[best] ? best : SITE_NONE;
    }
}

/* At a point of a face: in the triangle of centroid and two corners that holds it, or nearly does. */
static rill_vec3 in_face(const brochu *s, const brochu_diagram *d, uint32_t e, rill_vec3 y)
{
    const brochu_faces *f = &d->faces;
    const uint32_t *ring = f->ring + f->ring_first[e], n = f->ring_first[e + 1] - f->ring_first[e];
    const rill_vec3 c = f->centroid[e], at = v3_sub(y, c), normal = f->normal[e], mine = d->field.face[e];
    rill_vec3 u = mine;
    double best = -INFINITY;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t p = ring[i], q = ring[i + 1 < n ? i + 1 : 0];
        const rill_vec3 a = v3_sub(d->centre[p], c), b = v3_sub(d->centre[q], c);
        const double det = v3_dot(v3_cross(a, b), normal);
        if (fabs(det) < 1e-14 * s->h * s->h) continue;
        const double wa = v3_dot(v3_cross(at, b), normal) / det, wb = v3_dot(v3_cross(a, at), normal) / det;
        const double least = fmin(fmin(wa, wb), 1 - wa - wb);
        if (!(least > best)) continue;
        best = least;
        const double k0 = fmax(0, 1 - wa - wb), k1 = fmax(0, wa), k2 = fmax(0, wb), sum = k0 + k1 + k2;
        const rill_vec3 up = d->field.known[p] == 1 ? d->field.vertex[p] : mine,
                        uq = d->field.known[q] == 1 ? d->field.vertex[q] : mine;
        u = v3_scale(v3_add(v3_scale(mine, k0), v3_add(v3_scale(up, k1), v3_scale(uq, k2))), 1 / sum);
        if (least >= 0) break;
    }
    return u;
}

static rill_vec3 look_refined(const brochu *s, const brochu_diagram *d, rill_vec3 x, uint32_t *site)
{
    double share;
    const uint32_t e = face_toward(s, d, x, site, &share);
    const rill_vec3 from = d->sites.x[*site], u = d->field.site[*site];
    if (e == SITE_NONE) return u;
    const rill_vec3 y = v3_madd(from, 1 / share, v3_sub(x, from));
    return v3_mix(u, in_face(s, d, e, y), fmin(share, 1));
}

/* Barycentric weights of x; returns the least of them. */
static double weights_in(const brochu_diagram *d, const uint32_t *v, rill_vec3 x, double w[4])
{
    const rill_vec3 o = d->sites.x[v[0]], a = v3_sub(d->sites.x[v[1]], o), b = v3_sub(d->sites.x[v[2]], o),
                    c = v3_sub(d->sites.x[v[3]], o), p = v3_sub(x, o);
    const double det = v3_dot(a, v3_cross(b, c));
    w[1] = v3_dot(p, v3_cross(b, c)) / det;
    w[2] = v3_dot(a, v3_cross(p, c)) / det;
    w[3] = v3_dot(a, v3_cross(b, p)) / det;
    w[0] = 1 - w[1] - w[2] - w[3];
    return fmin(fmin(w[0], w[1]), fmin(w[2], w[3]));
}

/* Over the Delaunay tetrahedron that holds x: one around the nearest site, nearly always. */
static rill_vec3 look_naive(const brochu_diagram *d, uint32_t site, rill_vec3 x)
{
    const brochu_faces *f = &d->faces;
    for (uint32_t k = d->first[site]; k < d->first[site + 1]; k++)
        for (uint32_t r = f->ring_first[d->link[k]]; r < f->ring_first[d->link[k] + 1]; r++) {
            const uint32_t *v = d->tets.tet[f->ring[r]].v;
            double w[4];
            if (weights_in(d, v, x, w) < -1e-7) continue;
            rill_vec3 u = {0};
            for (int i = 0; i < 4; i++) {
                const uint32_t real = d->sites.of[v[i]];
                if (!site_real(d, real)) return d->field.site[site];
                u = v3_madd(u, w[i], turned(d->field.site[real], d->sites.turned[v[i]]));
            }
            return u;
        }
    return d->field.site[site];
}

/* Warren 1996 for the cell, whose corners are simple: the weight of one is the volume of its three normals
 * over the distances of x from its three faces. */
static rill_vec3 look_generalised(const brochu *s, const brochu_diagram *d, uint32_t site, rill_vec3 x)
{
    const brochu_faces *f = &d->faces;
    rill_vec3 sum = {0};
    double all = 0;
    for (uint32_t k = d->first[site]; k < d->first[site + 1]; k++)
        for (uint32_t r = f->ring_first[d->link[k]]; r < f->ring_first[d->link[k] + 1]; r++) {
            const uint32_t t = f->ring[r], *v = d->tets.tet[t].v;
            rill_vec3 n[3];
            double w = 1;
            int m = 0;
            for (int i = 0; i < 4; i++) {
                if (v[i] == site) continue;
                const rill_vec3 way = v3_sub(d->sites.x[v[i]], d->sites.x[site]);
                const double length = v3_length(way);
                n[m] = v3_scale(way, 1 / length);
                w /= fmax(length / 2 - v3_dot(n[m], v3_sub(x, d->sites.x[site])), 1e-6 * s->h);
                m++;
            }
            if (d->field.known[t] != 1) continue;
            w *= fabs(v3_dot(n[0], v3_cross(n[1], n[2])));
            sum = v3_madd(sum, w, d->field.vertex[t]);
            all += w;
        }
    return all > 0 ? v3_scale(sum, 1 / all) : d->field.site[site];
}

rill_vec3 brochu_look(const brochu *s, const brochu_diagram *d, rill_vec3 x, uint32_t *hint)
{
    if (!d->sites.real) return v3(0, 0, 0);
    x = brochu_clamp(s, x);
    if (s->def.interpolant == BROCHU_LINEAR || s->def.interpolant == BROCHU_PAPER)
        return look_refined(s, d, x, hint);
    *hint = brochu_nearest(s, d, x, *hint);
    return s->def.interpolant == BROCHU_NAIVE ? look_naive(d, *hint, x) : look_generalised(s, d, *hint, x);
}
