/* A polygon in a disc: each edge gives the triangle between its part inside and the disc's
 * centre, and sectors where it is outside. */
#include "geom/voronoi/ball_cells.h"

#include "base/parallel.h"

#include <math.h>

enum { BLOCK = 256 };

void ball_cells_init(ball_cells *b, rill_ctx *ctx)
{
    *b = (ball_cells){.ctx = ctx};
}

void ball_cells_clear(ball_cells *b)
{
    mem_free(b->ctx, b->cell);
    mem_free(b->ctx, b->face);
    mem_free(b->ctx, b->cut);
    ball_cells_init(b, b->ctx);
}

typedef struct {
    ball_cells *out;
    const voronoi *v;
    const rill_vec3 *site;
    double radius;
    const double *radii;   /* per cell; NULL: radius for all */
    const uint8_t *closed; /* per cell: not cut where it meets others; NULL: none is */
    bool flat;
    uint8_t *cut; /* per cell: something of it is outside of its ball */
} job;

static inline double radius_of(const job *j, uint32_t cell)
{
    return j->radii ? j->radii[cell] : j->radius;
}

/* Sums over the pieces of one flat polygon. */
typedef struct {
    double area;      /* signed by the normal */
    rill_vec3 moment; /* area times place, relative to the disc's centre */
    double angle;     /* solid, from the ball's centre */
} disc_sum;

typedef struct {
    rill_vec3 normal; /* unit */
    double d;         /* distance of the plane from the ball's centre, towards the normal */
    double r, rho2;   /* of the ball; of the disc, squared */
} disc;

static double turn(const disc *k, rill_vec3 p, rill_vec3 q)
{
    return atan2(v3_dot(k->normal, v3_cross(p, q)), v3_dot(p, q));
}

static void add_triangle(const disc *k, rill_vec3 p, rill_vec3 q, disc_sum *s)
{
    const double twice = v3_dot(k->normal, v3_cross(p, q)), pq = v3_dot(p, q), d = k->d;
    const double pp = v3_dot(p, p), qq = v3_dot(q, q), lp = sqrt(pp + d * d), lq = sqrt(qq + d * d);
    s->area += 0.5 * twice;
    s->moment = v3_madd(s->moment, twice / 6, v3_add(p, q));
    /* [van Oosterom & Strackee 1983] with the first corner at the foot of the ball's centre,
     * divided by d; the sum that cancels, lp lq + p.q + d d, in a form that does not. */
    const double small = pq < 0 ? (twice * twice + d * d * (pp + qq + d * d)) / (lp * lq - pq) : lp * lq + pq;
    s->angle += 2 * atan2(twice, small + d * (lp + lq + d));
}

static void add_sector(const disc *k, rill_vec3 p, rill_vec3 q, disc_sum *s)
{
    const double angle = turn(k, p, q);
    s->area += 0.5 * k->rho2 * angle;
    const rill_vec3 d = v3_sub(v3_unit(q), v3_unit(p));
    s->moment = v3_madd(s->moment, k->rho2 * sqrt(k->rho2) / 3, v3_cross(d, k->normal));
    s->angle += angle * (1 - k->d / k->r);
}

static void add_edge(const disc *k, rill_vec3 p, rill_vec3 q, disc_sum *s)
{
    const rill_vec3 e = v3_sub(q, p);
    const double pp = v3_dot(p, p), qq = v3_dot(q, q);
    if (pp <= k->rho2 && qq <= k->rho2) {
        add_triangle(k, p, q, s);
        return;
    }
    /* |p + t e|^2 = rho^2 */
    const double a = v3_dot(e, e), b = v3_dot(p, e), root2 = b * b - a * (pp - k->rho2);
    double from = 1, to = 0;
    if (a > 0 && root2 > 0) {
        const double root = sqrt(root2);
        from = fmax(0, (-b - root) / a);
        to = fmin(1, (-b + root) / a);
    }
    if (from >= to) {
        add_sector(k, p, q, s);
        return;
    }
    const rill_vec3 in = v3_madd(p, from, e), out = v3_madd(p, to, e);
    if (from > 0) add_sector(k, p, in, s);
    add_triangle(k, in, out, s);
    if (to < 1) add_sector(k, out, q, s);
}

/* One flat polygon. */
static void cut_polygon(rill_vec3 site, double r, rill_vec3 normal, const rill_vec3 *x, uint32_t n,
                        ball_face *to)
{
    disc k = {.normal = v3_unit(normal), .r = r};
    k.d = v3_dot(k.normal, v3_sub(x[0], site));
    k.rho2 = r * r - k.d * k.d;
    if (!(v3_dot(normal, normal) > 0) || !(k.rho2 > 0)) return;
    const rill_vec3 foot = v3_madd(site, k.d, k.normal);
    disc_sum s = {0};
    for (uint32_t i = 0; i < n; i++)
        add_edge(&k, v3_sub(x[i], foot), v3_sub(x[i + 1 == n ? 0 : i + 1], foot), &s);
    if (!(s.area > 0)) return;
    to->area = v3_madd(to->area, s.area, k.normal);
    to->centroid = v3_add(to->centroid, v3_madd(s.moment, s.area, v3_sub(foot, site)));
    to->angle += s.angle;
    to->cone += s.area * k.d;
}

/* A rectangle beside the axis of a cylinder: along the wall, from u to w. out: its area away from the site.
 */
static void cut_rectangle(const job *j, rill_vec3 site, double r, const voronoi_face *f, rill_vec3 out,
                          ball_face *to)
{
    const voronoi *v = j->v;
    const double thick = box_size(v->box).z;
    const rill_vec3 normal = v3_unit(v3(out.x, out.y, 0)), along = v3(-normal.y, normal.x, 0);
    const double d = v3_dot(normal, v3_sub(v->vertex[v->corner[f->first]], site)), rho2 = r * r - d * d;
    double u = INFINITY, w = -INFINITY;
    for (uint32_t e = 0; e < f->count; e++) {
        const double t = v3_dot(along, v3_sub(v->vertex[v->corner[f->first + e]], site));
        u = fmin(u, t);
        w = fmax(w, t);
    }
    if (!(rho2 > 0)) return;
    const double rho = sqrt(rho2), from = fmax(u, -rho), until = fmin(w, rho);
    if (from >= until) return;
    const double area = (until - from) * thick;
    to->area = v3_scale(normal, area);
    to->centroid = v3_scale(v3_madd(v3_scale(along, 0.5 * (from + until)), d, normal), area);
    to->angle = atan2(until, d) - atan2(from, d);
    to->cone = area * d;
}

/* A site on a wall sees it edge on, and one on an edge of the box sees neither of its walls in
 * all directions they take: it is looked at from a little inside. */
static rill_vec3 eye(const job *j, uint32_t cell)
{
    const double off = 1e-9 * radius_of(j, cell);
    const rill_box box = box_grown(j->v->box, -off);
    return v3_max(box.min, v3_min(box.max, j->site[cell]));
}

static bool lies_flat(const voronoi_face *f)
{
    return fabs(f->area.z) > 0.5 * v3_length(f->area);
}

/* As a fan around the centroid, each triangle in its own plane. */
static void cut_fan(const job *j, const voronoi_face *f, ball_face *to)
{
    const voronoi *v = j->v;
    for (uint32_t e = 0; e < f->count; e++) {
        const rill_vec3 x[3] = {f->centroid, v->vertex[v->corner[f->first + e]],
                                v->vertex[v->corner[f->first + (e + 1 == f->count ? 0 : e + 1)]]};
        const rill_vec3 area = v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0]));
        cut_polygon(eye(j, f->a), radius_of(j, f->a), area, x, 3, to);
    }
}

/* Seen from one of its cells. Planes behind the site have distances below zero: what their angles add up to
 * is then right but for whole turns (open_angle). */
static void cut_face(const job *j, const voronoi_face *f, uint32_t cell, ball_face *to)
{
    enum { FEW = 64 };
    const voronoi *v = j->v;
    rill_vec3 x[FEW];
    if (f->count == 0) return;           /* clipped to nothing */
    if (voronoi_is_cap(f->b)) return;    /* beyond the ball */
    if (j->flat && lies_flat(f)) return; /* what the others enclose: flat_block */
    if (!j->flat && (f->b == VORONOI_SOLID || f->b == VORONOI_AIR || f->count > FEW)) {
        cut_fan(j, f, to);
        return;
    }
    const rill_vec3 site = eye(j, cell);
    const double r = radius_of(j, cell);
    const bool own = cell == f->a;
    if (j->flat) {
        cut_rectangle(j, site, r, f, own ? f->area : v3_neg(f->area), to);
        return;
    }
    for (uint32_t e = 0; e < f->count; e++)
        x[e] = v->vertex[v->corner[own ? f->first + e : f->first + f->count - 1 - e]];
    /* Of a tiny face the sites know the normal better than its area does. */
    const rill_vec3 normal =
        voronoi_is_cell(f->b) ? v3_sub(j->site[own ? f->b : f->a], j->site[cell]) : f->area;
    cut_polygon(site, r, normal, x, f->count, to);
}

/* Whether all corners are in the ball: most faces are, and cells of such faces alone need no
 * angles. */
static bool is_whole(const job *j, const voronoi_face *f)
{
    if (f->b >= VORONOI_CAP && f->b < VORONOI_SOLID) return false;
    if (j->closed && j->closed[f->a] && (!voronoi_is_cell(f->b) || j->closed[f->b])) return true;
    const rill_vec3 site = j->site[f->a];
    const double r = radius_of(j, f->a);
    for (uint32_t e = 0; e < f->count; e++) {
        rill_vec3 d = v3_sub(j->v->vertex[j->v->corner[f->first + e]], site);
        if (j->flat) d.z = 0;
        if (v3_dot(d, d) > r * r) return false;
    }
    return true;
}

static void whole_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    for (size_t k = begin; k < end; k++) {
        const voronoi_face *f = &j->v->face[k];
        j->out->face[k] = (ball_face){.area = f->area, .centroid = f->centroid, .whole = is_whole(j, f)};
        j->out->face[k].cone = v3_dot(f->area, v3_sub(f->centroid, j->site[f->a]));
    }
}

static void cut_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    for (size_t i = begin; i < end; i++) {
        const voronoi_cell *c = &j->v->cell[i];
        j->cut[i] = 0;
        for (uint32_t e = 0; e < c->faces; e++) j->cut[i] |= !j->out->face[j->v->link[c->begin + e]].whole;
    }
}

static void face_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    for (size_t k = begin; k < end; k++) {
        const voronoi_face *f = &j->v->face[k];
        ball_face *out = &j->out->face[k];
        if (!j->cut[f->a] && !(voronoi_is_cell(f->b) && j->cut[f->b])) continue;
        ball_face to = {0}, back = {0};
        cut_face(j, f, f->a, &to);
        out->angle = out->angle_b = to.angle;
        if (j->radii && voronoi_is_cell(f->b)) {
            cut_face(j, f, f->b, &back);
            out->angle_b = back.angle;
        }
        out->cone = to.cone;
        if (out->whole) continue; /* as it was, to the last bit */
        const double area = v3_length(to.area);
        out->area = to.area;
        out->centroid = area > 0 ? v3_madd(eye(j, f->a), 1 / area, to.centroid) : f->centroid;
    }
}

/* Whether a face between cells has its cell beyond it, seen from the cell's site. */
static bool is_behind(const job *j, const voronoi_face *f, uint32_t cell)
{
    const uint32_t other = f->a == cell ? f->b : f->a;
    return v3_dot(v3_sub(f->centroid, j->site[cell]), v3_sub(j->site[other], j->site[cell])) < 0;
}

/* What faces leave of all directions; outside: the site is not in its cell, whose nearer faces then count
 * against the farther ones. */
static double open_angle(double full, double angle, bool outside)
{
    if (!outside) return full - angle;
    double left = fmod(-angle, full);
    if (left < 0) left += full;
    return left < 0.5 * full ? left : 0; /* less than half of them is seen from outside: rounding */
}

static void cell_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    const voronoi *v = j->v;
    const double thick = box_size(v->box).z, full = j->flat ? 2 * M_PI : 4 * M_PI;
    for (size_t i = begin; i < end; i++) {
        const voronoi_cell *c = &v->cell[i];
        const rill_vec3 x = j->site[i];
        const double r = radius_of(j, (uint32_t)i);
        rill_vec3 sum = {0, 0, 0}, moment = {0, 0, 0};
        double angle = 0, cones = 0;
        bool outside = false;
        for (uint32_t e = 0; e < c->faces; e++) {
            const uint32_t k = v->link[c->begin + e];
            const voronoi_face *f = &v->face[k];
            const ball_face *b = &j->out->face[k];
            const double sign = f->a == i ? 1 : -1;
            angle += f->a == i ? b->angle : b->angle_b;
            if (j->flat && lies_flat(f)) continue;
            const double cone = j->radii && f->b == i ? v3_dot(b->area, v3_sub(x, b->centroid)) : b->cone;
            outside |= j->radii && voronoi_is_cell(f->b) && is_behind(j, f, (uint32_t)i);
            sum = v3_madd(sum, sign, b->area);
            cones += cone;
            moment = v3_madd(moment, cone, v3_sub(b->centroid, x));
        }
        ball_cell to = {.volume = c->volume, .centroid = c->centroid};
        if (j->cut[i]) {
            to.air_area = v3_neg(sum);
            if (j->flat) {
                to.air = fmax(0, r * thick * open_angle(full, angle, outside));
                to.volume = (cones + r * to.air) / 2;
                moment = v3_madd(v3_scale(moment, 1.0 / 3), r * r / 3, to.air_area);
            } else {
                to.air = fmax(0, r * r * open_angle(full, angle, outside));
                to.volume = (cones + r * to.air) / 3;
                moment = v3_madd(v3_scale(moment, 0.25), r * r / 4, to.air_area);
            }
            to.centroid = to.volume > 0 ? v3_madd(x, 1 / to.volume, moment) : x;
        }
        j->out->cell[i] = to;
    }
}

/* Top and bottom of flat cells. */
static void flat_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    const double thick = box_size(j->v->box).z;
    for (size_t k = begin; k < end; k++) {
        ball_face *to = &j->out->face[k];
        const voronoi_face *f = &j->v->face[k];
        if (!lies_flat(f)) continue;
        const ball_cell *c = &j->out->cell[f->a];
        to->area = v3(0, 0, copysign(c->volume / thick, f->area.z));
        to->centroid = v3(c->centroid.x, c->centroid.y, f->centroid.z);
        to->cone = 0.5 * c->volume;
    }
}

static rill_status build(ball_cells *b, const voronoi *v, const job *base)
{
    TRY(mem_grow(b->ctx, &b->cell, sizeof *b->cell, &b->cell_capacity, v->count));
    /* A little more than needed: a diagram of moving points has some faces more at every step. */
    const size_t capacity = (size_t)v->face_count + v->face_count / 32;
    if (b->face_capacity < v->face_count)
        TRY(mem_grow(b->ctx, &b->face, sizeof *b->face, &b->face_capacity, capacity));
    TRY(mem_grow(b->ctx, &b->cut, 1, &b->cut_capacity, v->count));
    b->count = v->count;
    b->face_count = v->face_count;
    job j = *base;
    j.out = b;
    j.v = v;
    j.cut = b->cut;
    parallel_for(b->ctx, v->face_count, BLOCK, whole_block, &j);
    parallel_for(b->ctx, v->count, BLOCK, cut_block, &j);
    parallel_for(b->ctx, v->face_count, BLOCK, face_block, &j);
    parallel_for(b->ctx, v->count, BLOCK, cell_block, &j);
    if (j.flat) parallel_for(b->ctx, v->face_count, BLOCK, flat_block, &j);
    return RILL_OK;
}

static rill_status refuse(const ball_cells *b)
{
    return rill_fail(b->ctx, RILL_USAGE,
                     "balls need positive radii, and Voronoi cells with vertices, not capped below them");
}

rill_status ball_cells_build(ball_cells *b, const voronoi *v, const rill_vec3 *site, double radius, bool flat)
{
    if (!(radius > 0) || !v->vertices || (v->cap > 0 && v->cap < radius)) return refuse(b);
    return build(b, v, &(job){.site = site, .radius = radius, .flat = flat});
}

rill_status ball_cells_build_sized(ball_cells *b, const voronoi *v, const rill_vec3 *site,
                                   const double *radii, const uint8_t *closed, bool flat)
{
    if (!v->vertices) return refuse(b);
    for (uint32_t i = 0; i < v->count; i++)
        if (!(radii[i] > 0) || (v->cap > 0 && v->cap < radii[i])) return refuse(b);
    return build(b, v, &(job){.site = site, .radii = radii, .closed = closed, .flat = flat});
}
