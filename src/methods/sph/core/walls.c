#include "sph/core/walls.h"

#include <math.h>
#include <string.h>

/* Composite Gauss-Legendre, 5 points: exact for the polynomial kernels on each piece. */
static double integrate(double (*f)(const void *, double), const void *arg, double from, double to)
{
    static const double node[3] = {0, 0.5384693101056831, 0.9061798459386640};
    static const double weight[3] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
    enum { PIECES = 32 };
    double sum = 0;
    for (int i = 0; i < PIECES; i++) {
        const double a = from + (to - from) * i / PIECES, b = from + (to - from) * (i + 1) / PIECES;
        const double mid = (a + b) / 2, half = (b - a) / 2;
        double s = weight[0] * f(arg, mid);
        for (int k = 1; k < 3; k++)
            s += weight[k] * (f(arg, mid - half * node[k]) + f(arg, mid + half * node[k]));
        sum += s * half;
    }
    return sum;
}

typedef struct {
    const kernel *k;
    bool pressure; /* the pressure kernel, not the density kernel */
    double z;
} plane_job;

static double w_of(const plane_job *j, double r)
{
    return j->pressure ? kernel_pressure_w(j->k, r) : kernel_w(j->k, r);
}

static double ring(const void *arg, double r)
{
    return 2 * M_PI * r * w_of(arg, r);
}

static double on_line(const void *arg, double s)
{
    const plane_job *j = arg;
    return 2 * w_of(j, sqrt(j->z * j->z + s * s));
}

static double slope_on_line(const void *arg, double s)
{
    const plane_job *j = arg;
    const double r = sqrt(j->z * j->z + s * s);
    return 2 * kernel_dw_over_r(j->k, r); /* times z: d/dz of W(sqrt(z^2 + s^2)) */
}

/* w1(z): the kernel's integral over a plane (in two dimensions a line). */
static double plane_w(const kernel *k, bool pressure, double z)
{
    const plane_job j = {k, pressure, z};
    const double R = k->support;
    if (z >= R) return 0;
    if (k->dimensions == 2) return integrate(on_line, &j, 0, sqrt(R * R - z * z));
    if (z < R / 2)
        return integrate(ring, &j, z, R / 2) + integrate(ring, &j, R / 2, R); /* the cubic's knot */
    return integrate(ring, &j, z, R);
}

/* w1'(z) / z, with the derivative of the kernel that w1 belongs to. In two dimensions
 * kernel_dw is the pressure kernel's, so poly6 differs and is done by differences. */
static double plane_slope_over_z(const kernel *k, bool pressure, double z)
{
    const double R = k->support;
    if (z >= R) return 0;
    const plane_job j = {k, pressure, z};
    if (k->dimensions == 3) return -2 * M_PI * w_of(&j, z);
    if (pressure || k->kind != SPH_MUELLER) {
        double edge = 0;
        if (k->kind == SPH_GAUSSIAN) /* the cut moves with z */
            edge = -2 * kernel_w(k, R * (1 - 1e-12)) / sqrt(R * R - z * z);
        return integrate(slope_on_line, &j, 0, sqrt(R * R - z * z)) + edge;
    }
    const double h = 1e-4 * R, at = z > h ? z : h;
    return (plane_w(k, false, at + h) - plane_w(k, false, at - h)) / (2 * h * at);
}

void walls_make(const kernel *k, double spacing, walls *out)
{
    memset(out, 0, sizeof *out);
    out->reach = k->support / 2;
    out->straight = 0.02 * spacing;
    out->scale = WALL_CELLS / out->reach;
    for (int i = 0; i <= WALL_CELLS; i++) {
        const double d = i / out->scale;
        for (double z = 2 * d; z < k->support; z += spacing) {
            out->value[i] += spacing * plane_w(k, false, z);
            out->slope[i] += 2 * spacing * z * plane_slope_over_z(k, false, z);
            out->push[i] += 2 * spacing * z * plane_slope_over_z(k, true, z);
            out->drag[i] -= 4 * spacing * plane_slope_over_z(k, true, z);
        }
    }
}

/* Cubic Hermite between the nodes; the slope is the interpolant's own derivative. */
double walls_value(const walls *w, double distance, double *slope)
{
    if (distance >= w->reach) {
        if (slope) *slope = 0;
        return 0;
    }
    const double d = distance > w->straight ? distance : w->straight;
    const double at = d * w->scale;
    const int i = at < WALL_CELLS - 1 ? (int)at : WALL_CELLS - 1;
    const double t = at - i, cell = 1 / w->scale;
    const double v0 = w->value[i], v1 = w->value[i + 1], s0 = w->slope[i] * cell, s1 = w->slope[i + 1] * cell;
    const double c2 = 3 * (v1 - v0) - 2 * s0 - s1, c3 = 2 * (v0 - v1) + s0 + s1;
    const double value = v0 + t * (s0 + t * (c2 + t * c3));
    const double own = (s0 + t * (2 * c2 + t * 3 * c3)) * w->scale;
    if (slope) {
        /* mueller presses with its spiky kernel; for the others the two are one. */
        const double push = w->push[i] + t * (w->push[i + 1] - w->push[i]);
        const double density = w->slope[i] + t * (w->slope[i + 1] - w->slope[i]);
        *slope = own + (push - density);
    }
    return value + own * (distance - d);
}

/* Second derivative of B: the interpolant's own. */
static double bend_of(const walls *w, double distance)
{
    if (distance >= w->reach || distance <= w->straight) return 0;
    const double at = distance * w->scale;
    const int i = at < WALL_CELLS - 1 ? (int)at : WALL_CELLS - 1;
    return (w->slope[i + 1] - w->slope[i]) * w->scale;
}

/* The steeper of the slope at d and the secant to d + way (way < 0). */
static double approach_slope(const walls *w, double d, double value, double slope, double way)
{
    if (way > -w->straight) return slope;
    const double to = fmax(d + way, -0.5 * w->reach);
    if (!(to < d)) return slope;
    return fmin(slope, (walls_value(w, to, NULL) - value) / (to - d));
}

/* The parts of bodies, gathered while the share is summed. */
typedef struct {
    const uint32_t *body; /* of each solid */
    wall_part *part;
    int count;
} part_list;

/* Adds a face whose gradient is f n. */
static void add_part(part_list *list, const solid_contact *c, double f, double pressed)
{
    const uint32_t body = c->solid < SOLID_DOMAIN ? list->body[c->solid] : UINT32_MAX;
    if (body == UINT32_MAX) return;
    int k = 0;
    while (k < list->count && list->part[k].body != body) k++;
    if (k == WALL_MOST_PARTS) return;
    if (k == list->count) list->part[list->count++] = (wall_part){.body = body};
    wall_part *p = &list->part[k];
    p->gradient = v3_madd(p->gradient, f, c->normal);
    p->weight = v3_madd(p->weight, pressed * f, c->normal);
    p->closing += f * v3_dot(c->normal, c->velocity);
}

static wall_share share_at(const walls *w, const solids *s, rill_vec3 gravity, rill_vec3 x, rill_vec3 v,
                           double dt, double t, part_list *list)
{
    solid_contact c[SOLID_MAX_CONTACTS];
    wall_share out = {0};
    const int n = solids_contacts(s, x, t, w->reach, c);
    double value[SOLID_MAX_CONTACTS], slope[SOLID_MAX_CONTACTS], bend[SOLID_MAX_CONTACTS];
    double open = 1;
    for (int i = 0; i < n; i++) {
        double weight = 1;
        for (int j = 0; j < i; j++) {
            const double apart = 1 - v3_dot(c[i].normal, c[j].normal);
            weight = fmin(weight, sqrt(fmax(apart, 0)));
        }
        const double alone = walls_value(w, c[i].distance, &slope[i]), full = weight * alone;
        slope[i] = approach_slope(w, c[i].distance, alone, slope[i],
                                  dt * v3_dot(v3_sub(v, c[i].velocity), c[i].normal));
        slope[i] *= weight;
        bend[i] = weight * bend_of(w, c[i].distance);
        value[i] = fmin(full, 0.95); /* one wall cannot shut out the others */
        out.density += full - value[i];
        open *= 1 - value[i];
        if (c[i].slip == SLIP_NONE && out.drag == 0 && c[i].distance < w->reach) {
            const double at = fmin(fmax(c[i].distance, 0) * w->scale, WALL_CELLS);
            out.drag = w->drag[(int)at];
            out.normal = c[i].normal;
        }
    }
    for (int i = 0; i < n; i++) {
        double f = slope[i];
        for (int j = 0; j < n; j++)
            if (j != i) f *= 1 - value[j];
        const double pressed = fmax(-v3_dot(gravity, c[i].normal), 0) * fmax(c[i].distance, 0);
        if (list) add_part(list, &c[i], f, pressed);
        out.gradient = v3_madd(out.gradient, f, c[i].normal);
        out.closing += f * v3_dot(c[i].normal, c[i].velocity);
        out.weight = v3_madd(out.weight, pressed * f, c[i].normal);
        out.friction -= c[i].friction * f;
        out.rubbing -= c[i].friction * pressed * f;
        const rill_vec3 m = c[i].normal;
        const double reach = f * fmax(c[i].distance, 0);
        const double nn[6] = {m.x * m.x, m.y * m.y, m.z * m.z, m.x * m.y, m.y * m.z, m.z * m.x};
        for (int a = 0; a < 6; a++) out.spread[a] += reach * nn[a];
    }
    out.density += 1 - open;
    const double square = v3_dot(out.gradient, out.gradient);
    for (int i = 0; i < n && square > 0; i++) { /* without what planes take from each other: too much */
        double f = bend[i];
        for (int j = 0; j < n; j++)
            if (j != i) f *= 1 - value[j];
        out.bend += f * pow(v3_dot(out.gradient, c[i].normal) / square, 2);
    }
    return out;
}

wall_share walls_at(const walls *w, const solids *s, rill_vec3 gravity, rill_vec3 x, rill_vec3 v, double dt,
                    double t)
{
    return share_at(w, s, gravity, x, v, dt, t, NULL);
}

int wall_parts_at(const walls *w, const solids *s, const uint32_t *body, rill_vec3 gravity, rill_vec3 x,
                  rill_vec3 v, double dt, double t, wall_part out[WALL_MOST_PARTS])
{
    part_list list = {.body = body, .part = out};
    (void)share_at(w, s, gravity, x, v, dt, t, &list);
    return list.count;
}
