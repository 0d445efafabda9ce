/* Walking through blocks and cells, and the root in a cell; lengths in cells, see level_rays.h. */
#include "geom/iso/level_rays.h"

#include <string.h>

enum { SIDE = LEVEL_BRICK_SIDE };

/* ---- the field ---- */

static double mix(double a, double b, double t)
{
    return a + (b - a) * t;
}

/* Trilinear in a cell, whose lowest corner is c[0], at (x, y, z) from there. */
static double in_cell(const float *c, double x, double y, double z)
{
    const float *d = c + SIDE * SIDE;
    return mix(mix(mix(c[0], c[1], x), mix(c[SIDE], c[SIDE + 1], x), y),
               mix(mix(d[0], d[1], x), mix(d[SIDE], d[SIDE + 1], x), y), z);
}

/* Samples anywhere: those of the grid, the last block remembered. */
typedef struct {
    const level_rays *r;
    int32_t at[3];
    uint32_t id;
} sample_reader;

static double sample(sample_reader *s, int32_t x, int32_t y, int32_t z)
{
    const int32_t b[3] = {x >> 3, y >> 3, z >> 3}; /* arithmetic: floors */
    if (memcmp(b, s->at, sizeof b) != 0) {
        memcpy(s->at, b, sizeof b);
        s->id = block_map_find(&s->r->map, b[0], b[1], b[2]);
    }
    return level_value(s->r->grid, s->id, (x & 7) + 8 * (y & 7) + LEVEL_AREA * (z & 7));
}

static double field_at(sample_reader *s, const double p[3])
{
    const int32_t i[3] = {(int32_t)floor(p[0]), (int32_t)floor(p[1]), (int32_t)floor(p[2])};
    const double f[3] = {p[0] - i[0], p[1] - i[1], p[2] - i[2]};
    double layer[2] = {0, 0};
    const int layers = s->r->thickness > 0 ? 1 : 2;
    for (int k = 0; k < layers; k++) {
        const double a = mix(sample(s, i[0], i[1], i[2] + k), sample(s, i[0] + 1, i[1], i[2] + k), f[0]);
        const double b =
            mix(sample(s, i[0], i[1] + 1, i[2] + k), sample(s, i[0] + 1, i[1] + 1, i[2] + k), f[0]);
        layer[k] = mix(a, b, f[1]);
    }
    return layers == 1 ? layer[0] : mix(layer[0], layer[1], f[2]);
}

static rill_vec3 slope(const level_rays *r, const double at[3])
{
    sample_reader s = {.r = r, .at = {INT32_MIN, 0, 0}};
    double g[3] = {0, 0, 0};
    for (int axis = 0; axis < (r->thickness > 0 ? 2 : 3); axis++) {
        double p[3] = {at[0], at[1], r->thickness > 0 ? 0 : at[2]};
        p[axis] = at[axis] - 1;
        g[axis] = field_at(&s, p);
        p[axis] = at[axis] + 1;
        g[axis] -= field_at(&s, p);
    }
    const rill_vec3 n = v3_unit(v3(g[0], g[1], g[2]));
    return v3_dot(n, n) > 0.5 ? n : v3(0, 1, 0); /* a level field has no slope: any direction will do */
}

/* ---- along a ray ---- */

/* The ray in cells: x(t) = o + t d, d as long as t makes it. */
typedef struct {
    double o[3], d[3], inverse[3];
    /* Where it was last: two cells may see the point between them, by rounding, on two sides of the level,
     * and neither a root. */
    enum { SIDE_UNKNOWN, SIDE_OUT, SIDE_IN } side;
} cell_ray;

/* Whether the ray gets to the other side here. */
static bool changes_side(cell_ray *ray, bool inside)
{
    const bool changed = ray->side == (inside ? SIDE_OUT : SIDE_IN);
    ray->side = inside ? SIDE_IN : SIDE_OUT;
    return changed;
}

/* Through cubes of the given size: where it is, and when it leaves. */
typedef struct {
    int32_t at[3];
    double t, next[3];
} walk;

static double leaves_at(const cell_ray *r, const walk *w, int axis, double size)
{
    if (r->d[axis] == 0) return INFINITY;
    return ((w->at[axis] + (r->d[axis] > 0)) * size - r->o[axis]) * r->inverse[axis];
}

static walk walk_from(const cell_ray *r, double t, double size)
{
    walk w = {.t = t};
    for (int axis = 0; axis < 3; axis++) {
        w.at[axis] = (int32_t)floor((r->o[axis] + t * r->d[axis]) / size);
        w.next[axis] = leaves_at(r, &w, axis, size);
    }
    return w;
}

static int walk_axis(const walk *w)
{
    const int xy = w->next[0] <= w->next[1] ? 0 : 1;
    return w->next[xy] <= w->next[2] ? xy : 2;
}

static void walk_on(const cell_ray *r, walk *w, double size)
{
    const int axis = walk_axis(w);
    w->t = fmax(w->t, w->next[axis]);
    w->at[axis] += r->d[axis] > 0 ? 1 : -1;
    w->next[axis] = leaves_at(r, w, axis, size);
}

static double cubic(const double c[4], double t)
{
    return c[0] + t * (c[1] + t * (c[2] + t * c[3]));
}

/* The root between a and b, where the signs differ: regula falsi (Illinois) on a function without
 * extrema in between. */
static double root_between(const double c[4], double a, double b)
{
    double fa = cubic(c, a), fb = cubic(c, b);
    for (int i = 0; i < 24 && fa != fb; i++) {
        const double t = a + (b - a) * fa / (fa - fb), f = cubic(c, t);
        if (!(fabs(b - a) > 1e-9) || f == 0) return t;
        if ((f < 0) == (fb < 0)) {
            fa *= 0.5;
        } else {
            a = b;
            fa = fb;
        }
        b = t;
        fb = f;
    }
    return b;
}

/* First root in (0, 1); the intervals between extrema in turn. */
static bool first_root(const double c[4], double *root)
{
    double at[4] = {0};
    int n = 1;
    const double q = c[2] * c[2] - 3 * c[1] * c[3];
    if (q >= 0) {
        const double s = -(c[2] + copysign(sqrt(q), c[2])); /* without cancellation */
        double e[2] = {c[3] != 0 ? s / (3 * c[3]) : 2, s != 0 ? c[1] / s : 2};
        if (e[0] > e[1]) {
            const double kept = e[0];
            e[0] = e[1];
            e[1] = kept;
        }
        for (int i = 0; i < 2; i++)
            if (e[i] > 0 && e[i] < 1) at[n++] = e[i];
    }
    at[n] = 1;
    double before = cubic(c, 0);
    for (int i = 1; i <= n; i++) {
        const double now = cubic(c, at[i]);
        if ((before < 0) != (now < 0)) {
            *root = root_between(c, at[i - 1], at[i]);
            return true;
        }
        before = now;
    }
    return false;
}

/* Where the level is crossed in the cell between t0 and t1. The field along the ray is a cubic,
 * and four values give it. */
static bool cross_cell(const level_rays *r, cell_ray *ray, const float *corner, const int32_t cell[3],
                       double t0, double t1, double *t)
{
    double f[4], c[4], root;
    for (int i = 0; i < 4; i++) {
        const double at = t0 + (t1 - t0) * i / 3;
        double p[3];
        for (int a = 0; a < 3; a++) {
            const double x = ray->o[a] + at * ray->d[a] - cell[a];
            p[a] = x < 0 ? 0 : x > 1 ? 1 : x;
        }
        if (r->thickness > 0) p[2] = 0;
        f[i] = in_cell(corner, p[0], p[1], p[2]) - r->grid->level;
    }
    *t = t0;
    if (changes_side(ray, f[0] >= 0)) return true;
    c[0] = f[0];
    c[1] = (-11 * f[0] + 18 * f[1] - 9 * f[2] + 2 * f[3]) / 2;
    c[2] = (18 * f[0] - 45 * f[1] + 36 * f[2] - 9 * f[3]) / 2;
    c[3] = (-9 * f[0] + 27 * f[1] - 27 * f[2] + 9 * f[3]) / 2;
    if (!first_root(c, &root)) return false;
    *t = t0 + (t1 - t0) * root;
    return true;
}

static bool cross_brick(const level_rays *r, cell_ray *ray, uint32_t id, double from, double to, double *t)
{
    const level_brick *b = &r->brick[r->slot[id]];
    const int32_t *block = r->map.block[id];
    walk w = walk_from(ray, from, 1);
    int32_t inner[3];
    for (int guard = 0; guard < 3 * LEVEL_BLOCK + 3 && w.t < to; guard++) {
        bool here = true;
        for (int a = 0; a < 3; a++) {
            inner[a] = w.at[a] - LEVEL_BLOCK * block[a];
            here &= inner[a] >= 0 && inner[a] < LEVEL_BLOCK;
        }
        const double end = fmin(to, w.next[walk_axis(&w)]);
        if (here && end > w.t) {
            const float *corner = &b->corner[(inner[2] * SIDE + inner[1]) * SIDE + inner[0]];
            const bool mixed = b->mixed[inner[2]] >> (8 * inner[1] + inner[0]) & 1;
            *t = w.t;
            if (mixed ? cross_cell(r, ray, corner, w.at, w.t, end, t)
                      : changes_side(ray, *corner >= r->grid->level))
                return true;
        }
        walk_on(ray, &w, 1);
    }
    return false;
}

/* Through the blocks between from and to. */
static bool cross_blocks(const level_rays *r, cell_ray *ray, double from, double to, double *t)
{
    walk w = walk_from(ray, from, LEVEL_BLOCK);
    while (w.t < to) {
        const uint32_t id = block_map_find(&r->map, w.at[0], w.at[1], w.at[2]);
        const uint32_t slot = id == BLOCK_NONE ? LEVEL_OUTSIDE : r->slot[id];
        const double end = fmin(to, w.next[walk_axis(&w)]);
        const bool whole = slot == LEVEL_OUTSIDE || slot == LEVEL_INSIDE;
        *t = w.t;
        if (end > w.t &&
            (whole ? changes_side(ray, slot == LEVEL_INSIDE) : cross_brick(r, ray, id, w.t, end, t)))
            return true;
        walk_on(ray, &w, LEVEL_BLOCK);
    }
    return false;
}

/* Cuts from and to to where the ray is between low and high along the axis. */
static bool cut(const cell_ray *ray, int axis, double low, double high, double *from, double *to)
{
    if (ray->d[axis] == 0) return ray->o[axis] >= low && ray->o[axis] <= high;
    const double a = (low - ray->o[axis]) * ray->inverse[axis],
                 b = (high - ray->o[axis]) * ray->inverse[axis];
    *from = fmax(*from, fmin(a, b));
    *to = fmin(*to, fmax(a, b));
    return *from < *to;
}

static bool inside_at(const level_rays *r, const cell_ray *ray, double t)
{
    sample_reader s = {.r = r, .at = {INT32_MIN, 0, 0}};
    const double p[3] = {ray->o[0] + t * ray->d[0], ray->o[1] + t * ray->d[1], 0};
    return field_at(&s, p) >= r->grid->level;
}

/* A prism: its caps, and between them the walk in the plane. *cap: whether that was it. */
static bool cross_prism(const level_rays *r, cell_ray *ray, double from, double to, double *t, bool *cap)
{
    double in = from, out = to;
    *cap = false;
    if (!cut(ray, 2, -r->thickness / 2, r->thickness / 2, &in, &out)) return false;
    const double way = ray->d[2];
    if (in > from && inside_at(r, ray, in)) {
        *cap = true;
        *t = in;
        return true;
    }
    ray->o[2] = ray->d[2] = 0;
    const bool side = cross_blocks(r, ray, in, out, t);
    if (!side && out < to && way != 0 && inside_at(r, ray, out)) {
        *cap = true;
        *t = out;
    }
    ray->d[2] = way;
    return side || *cap;
}

static bool cross(const level_rays *r, rill_vec3 origin, rill_vec3 direction, double from, double to,
                  level_hit *hit)
{
    if (r->map.count == 0) return false;
    const rill_vec3 o = v3_scale(v3_sub(origin, r->grid->origin), 1 / r->grid->cell),
                    d = v3_scale(direction, 1 / r->grid->cell);
    cell_ray ray = {{o.x, o.y, o.z}, {d.x, d.y, d.z}, {1 / d.x, 1 / d.y, 1 / d.z}, SIDE_UNKNOWN};
    bool cap = false;
    double t = 0;
    for (int axis = 0; axis < (r->thickness > 0 ? 2 : 3); axis++)
        if (!cut(&ray, axis, r->low[axis], r->high[axis], &from, &to)) return false;
    if (r->thickness > 0 ? !cross_prism(r, &ray, from, to, &t, &cap) : !cross_blocks(r, &ray, from, to, &t))
        return false;
    if (!hit) return true;
    hit->t = t;
    const double z = o.z + t * d.z, at[3] = {o.x + t * d.x, o.y + t * d.y, z};
    hit->normal = cap ? v3(0, 0, z > 0 ? 1 : -1) : slope(r, at);
    return true;
}

bool level_rays_intersect(const level_rays *r, rill_vec3 origin, rill_vec3 direction, double from, double to,
                          level_hit *hit)
{
    return cross(r, origin, direction, from, to, hit);
}

bool level_rays_occluded(const level_rays *r, rill_vec3 origin, rill_vec3 direction, double from, double to)
{
    return cross(r, origin, direction, from, to, NULL);
}
