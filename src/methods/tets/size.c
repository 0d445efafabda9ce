#include "tets/size.h"

#include "base/parallel.h"

#include <string.h>

enum { SIZE_MOST = 1 << 24, BLOCK = 1 };

static size_t points_of(const size_field *f)
{
    return (size_t)f->n[0] * f->n[1] * f->n[2];
}

static rill_vec3 place_of(const size_field *f, uint32_t i, uint32_t j, uint32_t k)
{
    return v3(f->origin.x + i * f->cell, f->origin.y + j * f->cell, f->origin.z + k * f->cell);
}

rill_status size_init(rill_ctx *ctx, size_field *f, const size_def *def, const walls *w)
{
    *f = (size_field){.ctx = ctx, .def = *def, .origin = w->box.min};
    f->def.coarsest = fmax(def->coarsest, def->finest);
    if (!(def->coarsest > def->finest * (1 + 1e-9))) return RILL_OK;
    f->cell = 2 * def->finest;
    const rill_vec3 size = box_size(w->box);
    while (size.x / f->cell * (size.y / f->cell) * (size.z / f->cell) > SIZE_MOST) f->cell *= 1.25;
    for (int a = 0; a < 3; a++) f->n[a] = (uint32_t)ceil(v3_axis(size, a) / f->cell - 1e-9) + 2;
    const size_t n = points_of(f);
    rill_status st = MEM_NEW_ZERO(ctx, f->value, n);
    if (!st) st = MEM_NEW_ZERO(ctx, f->smoke, n);
    if (!st) st = MEM_NEW_ZERO(ctx, f->curl, n);
    if (st) {
        size_clear(f);
        return st;
    }
    return RILL_OK;
}

void size_clear(size_field *f)
{
    if (!f->ctx) return;
    mem_free(f->ctx, f->value);
    mem_free(f->ctx, f->smoke);
    mem_free(f->ctx, f->curl);
    *f = (size_field){0};
}

/* ---- eq. 5 ---- */

typedef struct {
    size_field *f;
    const walls *w;
} job;

/* Distance to walls that ask for refinement. */
static double refined_distance(const walls *w, rill_vec3 x, double most)
{
    double nearest = most;
    for (uint32_t k = 0; k < w->count; k++) {
        if (!w->at[k].refined) continue;
        const rill_box b = box_grown(w->at[k].place.bounds, nearest);
        if (box_contains(b, x)) nearest = fmin(nearest, fabs(wall_distance(w, k, x, NULL)));
    }
    return nearest;
}

/* Radius of curvature of a wall at x, which is d away from it along n, by how the normal turns. */
static double wall_radius(const walls *w, uint32_t k, rill_vec3 x, double d, rill_vec3 n, double reach)
{
    rill_vec3 m;
    const rill_vec3 p = v3_madd(x, -d + 0.05 * reach, n);
    const rill_vec3 side = v3_unit(v3_cross(n, fabs(n.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0)));
    const rill_vec3 other = v3_cross(n, side);
    const double step = 0.25 * reach;
    double turn = 0;
    for (int q = 0; q < 4; q++) {
        (void)wall_distance(w, k, v3_madd(p, q & 1 ? step : -step, q & 2 ? side : other), &m);
        turn = fmax(turn, v3_length(v3_sub(m, n)));
    }
    return turn > 0.8 ? INFINITY : step / fmax(turn, 1e-9); /* beyond that it is a crease, sampled as such */
}

/* From the surface point p into wall k: how thick it is; infinite beyond `most`. */
static double wall_thickness(const walls *w, uint32_t k, rill_vec3 p, rill_vec3 n, double least, double most)
{
    for (double depth = least; depth < most;) {
        const double d = wall_distance(w, k, v3_madd(p, -depth, n), NULL);
        if (d > 0) return depth;
        depth += fmax(-d, least);
    }
    return INFINITY;
}

/* From the surface point p of wall k away from it: how far it is to the next wall or side; infinite beyond
 * `most`, and where they touch: there is no gap. */
static double wall_gap(const walls *w, uint32_t k, rill_vec3 p, rill_vec3 n, double least, double most)
{
    for (double way = least; way < most;) {
        const rill_vec3 x = v3_madd(p, way, n);
        int side;
        const double d = fmin(walls_nearest_side(w, x, &side), walls_near_solids(w, x, most, k));
        if (d < 0.1 * least) return way > least ? way : INFINITY;
        way += fmax(d, least);
    }
    return INFINITY;
}

/* What a wall asks for whose distance does not refine, at a place at most `reach` away from it: elements
 * follow its curves, are no longer than it is thick, and two fit into a gap before it. Walls thinner than the
 * finest size are followed by pairs of samples and ask for nothing. */
static double feature_size(const size_def *def, const walls *w, uint32_t k, rill_vec3 x, double reach)
{
    rill_vec3 n;
    const double d = wall_distance(w, k, x, &n), least = 0.1 * def->finest;
    if (fabs(d) > reach) return INFINITY;
    const rill_vec3 p = v3_madd(x, -d, n);
    const double curved = SIZE_CURVED * wall_radius(w, k, x, d, n, reach),
                 thick = wall_thickness(w, k, p, n, least, def->coarsest),
                 gap = SIZE_GAP * wall_gap(w, k, p, n, least, def->coarsest / SIZE_GAP);
    return fmin(fmin(curved, gap), thick < def->finest ? INFINITY : thick);
}

/* Distances count from 0.6 cells on: between grid points the size at a wall then is the finest, not the mean
 * of those around it. */
static float size_here(const size_field *f, const walls *w, size_t at, rill_vec3 x)
{
    const size_def *def = &f->def;
    double more = def->coarsest - def->finest;
    if (def->distance > 0)
        more = fmin(more, def->distance * fmax(0, refined_distance(w, x, more / def->distance + f->cell) -
                                                      0.6 * f->cell));
    if (def->smoke > 0) more = fmin(more, def->smoke * (1 - fmin(f->smoke[at], 1)));
    if (def->vorticity > 0) more = fmin(more, def->vorticity * (1 - fmin(f->curl[at], 1)));
    double size = def->finest + more;
    for (uint32_t k = 0; k < w->count; k++)
        if (!(w->at[k].refined && def->distance > 0) && size > def->finest &&
            box_contains(box_grown(w->at[k].place.bounds, f->cell), x))
            size = fmin(size, fmax(def->finest, feature_size(def, w, k, x, f->cell)));
    return (float)size;
}

static void fill_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    size_field *f = j->f;
    for (size_t k = begin; k < end; k++)
        for (uint32_t b = 0; b < f->n[1]; b++)
            for (uint32_t a = 0; a < f->n[0]; a++) {
                const size_t at = (k * f->n[1] + b) * f->n[0] + a;
                f->value[at] = size_here(f, j->w, at, place_of(f, a, b, (uint32_t)k));
            }
}

/* One sweep of a chamfer distance transform: size(x) = min over y of size(y) + growth |x - y|. */
static void sweep(size_field *f, bool back)
{
    const int64_t nx = f->n[0], ny = f->n[1], nz = f->n[2];
    float rise[13];
    int64_t off[13][3];
    for (int c = 0; c < 13; c++) {
        off[c][0] = c % 3 - 1, off[c][1] = c / 3 % 3 - 1, off[c][2] = c / 9 - 1;
        rise[c] =
            (float)(SIZE_GROWTH * f->cell *
                    sqrt((double)(off[c][0] * off[c][0] + off[c][1] * off[c][1] + off[c][2] * off[c][2])));
    }
    for (int64_t kk = 0; kk < nz; kk++)
        for (int64_t jj = 0; jj < ny; jj++)
            for (int64_t ii = 0; ii < nx; ii++) {
                const int64_t i = back ? nx - 1 - ii : ii, j = back ? ny - 1 - jj : jj,
                              k = back ? nz - 1 - kk : kk;
                float *here = &f->value[(k * ny + j) * nx + i];
                for (int c = 0; c < 13; c++) {
                    const int64_t a = back ? i - off[c][0] : i + off[c][0],
                                  b = back ? j - off[c][1] : j + off[c][1],
                                  e = back ? k - off[c][2] : k + off[c][2];
                    if (a < 0 || b < 0 || e < 0 || a >= nx || b >= ny || e >= nz) continue;
                    const float there = f->value[(e * ny + b) * nx + a] + rise[c];
                    if (there < *here) *here = there;
                }
            }
}

void size_update(size_field *f, const walls *w)
{
    if (size_uniform(f)) return;
    job j = {f, w};
    parallel_for(f->ctx, f->n[2], BLOCK, fill_block, &j);
    sweep(f, false);
    sweep(f, true);
}

/* ---- what refines ---- */

void size_forget(size_field *f)
{
    if (size_uniform(f)) return;
    memset(f->smoke, 0, points_of(f) * sizeof *f->smoke);
    memset(f->curl, 0, points_of(f) * sizeof *f->curl);
}

static size_t nearest_point(const size_field *f, rill_vec3 x)
{
    size_t at = 0;
    for (int a = 2; a >= 0; a--) {
        const double t = rint((v3_axis(x, a) - v3_axis(f->origin, a)) / f->cell);
        at = at * f->n[a] + (size_t)fmin(fmax(t, 0), f->n[a] - 1.0);
    }
    return at;
}

void size_add_smoke(size_field *f, rill_vec3 x, double s)
{
    if (size_uniform(f)) return;
    float *here = &f->smoke[nearest_point(f, x)];
    *here = fmaxf(*here, (float)s);
}

void size_add_curl(size_field *f, rill_vec3 x, double w)
{
    if (size_uniform(f)) return;
    float *here = &f->curl[nearest_point(f, x)];
    *here = fmaxf(*here, (float)w);
}

/* ---- queries ---- */

double size_at(const size_field *f, rill_vec3 x)
{
    if (size_uniform(f)) return f->def.finest;
    double share[3];
    size_t at[3];
    for (int a = 0; a < 3; a++) {
        const double t = fmin(fmax((v3_axis(x, a) - v3_axis(f->origin, a)) / f->cell, 0), f->n[a] - 1.0001);
        at[a] = (size_t)t;
        share[a] = t - (double)at[a];
    }
    const size_t row = f->n[0], layer = row * f->n[1];
    const float *v = f->value + at[2] * layer + at[1] * row + at[0];
    const double a = v[0] + share[0] * (v[1] - v[0]), b = v[row] + share[0] * (v[row + 1] - v[row]),
                 c = v[layer] + share[0] * (v[layer + 1] - v[layer]),
                 d = v[layer + row] + share[0] * (v[layer + row + 1] - v[layer + row]);
    const double low = a + share[1] * (b - a), high = c + share[1] * (d - c);
    return low + share[2] * (high - low);
}

double size_nodes(const size_field *f, const walls *w)
{
    const rill_vec3 b = box_size(w->box);
    const double h = f->def.finest;
    if (size_uniform(f)) return b.x * b.y * b.z / (h * h * h);
    double sum = 0;
    for (size_t k = 0; k < points_of(f); k++) sum += pow(f->cell / f->value[k], 3);
    return sum;
}
