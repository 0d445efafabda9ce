/* V-03 on the MAC grid: random velocities on the faces of a tilted liquid with a sphere in it
 * that cuts faces, made free of divergence by the pressure solver. What is left of the
 * divergence is the solver's tolerance; a second projection changes nothing; and since the
 * projection is orthogonal in the norm sum w theta u^2 (w open part of a face, theta the
 * part of the way that is liquid), energy does not grow. */
#include "base/random.h"
#include "grid/pressure/cells.h"
#include "verify/verify.h"

#include <math.h>

typedef struct {
    int n;
} liquid;

static double phi(const void *user, int i, int j, int k)
{
    const int n = ((const liquid *)user)->n;
    return (j + 0.5 - 0.5 * n) + 0.25 * (i + 0.5 - 0.5 * n) + 0.15 * (k + 0.5 - 0.5 * n);
}

static double open_part(const void *user, int axis, int i, int j, int k)
{
    const int n = ((const liquid *)user)->n;
    const double x = i + 0.5 * (axis != 0) - 0.45 * n, y = j + 0.5 * (axis != 1) - 0.3 * n,
                 z = k + 0.5 * (axis != 2) - 0.55 * n, away = sqrt(x * x + y * y + z * z) - 0.15 * n;
    return fmin(fmax(0.5 * (away + 1), 0), 1);
}

/* One face of a cell: its weight, how much of the way across is liquid, the cell beyond. */
typedef struct {
    double w, theta;
    size_t beyond; /* SIZE_MAX: air */
    size_t slot;   /* of its velocity */
} face;

/* Faces of the cell at `at`; velocities are kept in an array over the whole box. */
static int faces_of(const pressure_cells *c, const liquid *q, const int at[3], face *out)
{
    int count = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int up = 0; up < 2; up++) {
            int f[3] = {at[0], at[1], at[2]}, next[3] = {at[0], at[1], at[2]};
            f[axis] += up;
            next[axis] += up ? 1 : -1;
            const double w =
                f[axis] == 0 || f[axis] == q->n ? 0 : (float)open_part(q, axis, f[0], f[1], f[2]);
            const double here = phi(q, at[0], at[1], at[2]), there = phi(q, next[0], next[1], next[2]);
            const size_t side = (size_t)q->n + 1;
            out[count++] =
                (face){w, there < 0 ? 1 : fmax(here / (here - there), 0.01),
                       there < 0 ? pressure_cells_index(c, next[0], next[1], next[2]) : SIZE_MAX,
                       ((((size_t)axis * side) + (size_t)f[2]) * side + (size_t)f[1]) * side + (size_t)f[0]};
        }
    /* The solver keeps the sum of w / theta in single precision: that is the discretisation. */
    const size_t i = pressure_cells_index(c, at[0], at[1], at[2]);
    double sum = 0;
    for (int k = 0; k < count; k++)
        if (out[k].beyond == SIZE_MAX) sum += out[k].w / out[k].theta;
    for (int k = 0; k < count; k++)
        if (out[k].beyond == SIZE_MAX && sum > 0) out[k].theta *= sum / c->e[i];
    return count;
}

typedef struct {
    double divergence; /* largest, over the speed and the cell's sides */
    double energy, change;
} outcome;

/* Takes the divergence out of u. */
static rill_status project(verify *v, pressure_cells *c, const liquid *q, double *u, double tolerance,
                           outcome *out)
{
    for (size_t i = 0; i < c->count; i++) {
        int at[3];
        face f[6];
        if (!c->active[i]) continue;
        pressure_cells_place(c, i, at);
        c->b[i] = 0;
        for (int k = faces_of(c, q, at, f); k-- > 0;) c->b[i] -= (k & 1 ? 1 : -1) * f[k].w * u[f[k].slot];
    }
    pressure_solver solver;
    pressure_report report;
    pressure_def how = pressure_def_default();
    how.tolerance = tolerance;
    pressure_solver_init(&solver, v->ctx);
    rill_status st = pressure_solve(&solver, &c->system, &how, c->p, &report);
    pressure_solver_clear(&solver);
    TRY(st);
    *out = (outcome){0};
    double fastest = 0;
    for (int pass = 0; pass < 2; pass++) /* first the velocities, then what is left */
        for (size_t i = 0; i < c->count; i++) {
            int at[3];
            face f[6];
            double sum = 0;
            if (!c->active[i]) continue;
            pressure_cells_place(c, i, at);
            for (int k = faces_of(c, q, at, f); k-- > 0;) {
                if (f[k].w <= 0) continue;
                const bool inner = f[k].beyond != SIZE_MAX;
                if (pass == 0 && (!inner || k & 1)) { /* the lower cell moves a face between two */
                    const double step =
                        (k & 1 ? 1 : -1) * ((inner ? c->p[f[k].beyond] : 0) - c->p[i]) / f[k].theta;
                    u[f[k].slot] -= step;
                    out->change = fmax(out->change, fabs(step));
                    fastest = fmax(fastest, fabs(u[f[k].slot]));
                    out->energy += f[k].w * f[k].theta * u[f[k].slot] * u[f[k].slot];
                }
                sum += (k & 1 ? 1 : -1) * f[k].w * u[f[k].slot];
            }
            if (pass == 1) out->divergence = fmax(out->divergence, fabs(sum) / 6 / fastest);
        }
    return RILL_OK;
}

static double energy_of(const pressure_cells *c, const liquid *q, const double *u)
{
    double sum = 0;
    for (size_t i = 0; i < c->count; i++) {
        int at[3];
        face f[6];
        if (!c->active[i]) continue;
        pressure_cells_place(c, i, at);
        for (int k = faces_of(c, q, at, f); k-- > 0;)
            if (f[k].w > 0 && (f[k].beyond == SIZE_MAX || k & 1))
                sum += f[k].w * f[k].theta * u[f[k].slot] * u[f[k].slot];
    }
    return sum;
}

static rill_status projection(verify *v)
{
    const double tolerance = 1e-10;
    const liquid q = {v->full ? 64 : 32};
    const pressure_cells_def def = {
        .dimensions = 3, .n = {q.n, q.n, q.n}, .phi = phi, .open = open_part, .user = &q};
    const size_t faces = 3 * (size_t)(q.n + 1) * (size_t)(q.n + 1) * (size_t)(q.n + 1);
    pressure_cells c;
    double *u, before = 0;
    outcome first, second;
    TRY(pressure_cells_make(v->ctx, &def, &c));
    rill_status st = MEM_NEW(v->ctx, u, faces);
    if (!st) {
        for (size_t i = 0; i < faces; i++) {
            const random4 r = random_at(3, i, 0, 0);
            u[i] = 2 * random_unit(r.v[0], r.v[1]) - 1;
        }
        before = energy_of(&c, &q, u);
        st = project(v, &c, &q, u, tolerance, &first);
    }
    if (!st) st = project(v, &c, &q, u, tolerance, &second);
    if (!st) {
        verify_figure(v, "largest divergence over tolerance", first.divergence / tolerance, AT_MOST, 10);
        verify_figure(v, "change by a second projection", second.change, AT_MOST, 1e-8);
        verify_figure(v, "energy after over before", first.energy / before, AT_MOST, 1);
        verify_figure(v, "energy after the second over after the first", second.energy / first.energy - 1,
                      AT_MOST, 1e-12);
    }
    mem_free(v->ctx, u);
    pressure_cells_clear(&c);
    return st;
}

const verify_case v03_grid = {"V-03-grid", "Projection on the MAC grid", NULL, projection};
