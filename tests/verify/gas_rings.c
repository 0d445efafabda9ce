/* Two vortex rings that go through each other: how long eddies live in the gas of the grid.
 *
 * Coaxial rings with cores of Gaussian vorticity move along x. The rear one shrinks, goes through the other
 * and grows, again and again, until numerical viscosity has made one ring of the two. Rings and domain are
 * symmetric about two planes through the axis, so that a quarter of the domain with free-slip walls in these
 * planes is enough. */
#include "grid/grid.h"
#include "verify/verify.h"

#include <math.h>

static const char *const methods[] = {"grid", NULL};

typedef struct {
    double radius, core, circulation, place[2];
} ring_pair;

/* By the law of Biot and Savart over the rings' circles, of pieces with Gaussian vorticity that overlap: the
 * vorticity across a core is proportional to exp(-(distance / core)^2). */
static rill_vec3 ring_velocity(void *user, rill_vec3 x)
{
    enum { PIECES = 128 };
    const ring_pair *p = user;
    rill_vec3 u = {0, 0, 0};
    for (int ring = 0; ring < 2; ring++)
        for (int k = 0; k < PIECES; k++) {
            const double angle = 2 * M_PI * (k + 0.5) / PIECES, length = 2 * M_PI * p->radius / PIECES;
            const rill_vec3 out = {0, cos(angle), sin(angle)}, along = {0, -sin(angle), cos(angle)};
            const rill_vec3 r = v3_sub(x, v3_madd(v3(p->place[ring], 0, 0), p->radius, out));
            const double r2 = v3_dot(r, r), far = sqrt(r2) / p->core;
            if (!(far > 1e-3)) continue;
            const double within = far < 6 ? erf(far) - 2 / sqrt(M_PI) * far * exp(-far * far) : 1;
            u = v3_madd(u, within * p->circulation * length / (4 * M_PI * r2 * sqrt(r2)), v3_cross(along, r));
        }
    return u;
}

/* A core in the plane through the axis: where its vorticity is strongest. */
typedef struct {
    double x, r, strength;
} ring_core;

/* The strongest extreme of w (nx by nr nodes of spacing h), at least `apart` from `other` (NULL: anywhere).
 */
static ring_core strongest(const double *w, int nx, int nr, double h, const ring_core *other, double apart)
{
    ring_core c = {0, 0, 0};
    for (int j = 1; j + 1 < nr; j++)
        for (int i = 1; i + 1 < nx; i++) {
            const double *at = w + j * nx + i;
            const double x = (i + 0.5) * h, r = (j + 0.5) * h;
            if (other && hypot(x - other->x, r - other->r) < apart) continue;
            if (*at > c.strength && *at >= at[-1] && *at >= at[1] && *at >= at[-nx] && *at >= at[nx])
                c = (ring_core){x, r, *at};
        }
    return c;
}

/* Azimuthal vorticity in the plane, from velocities half a cell to each side. */
static rill_status plane_vorticity(const rill_sim *sim, int nx, int nr, double h, double *w)
{
    static const double side[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    const size_t n = (size_t)nx * (size_t)nr;
    rill_vec3 *x = NULL, *u = NULL;
    rill_status st = MEM_NEW(sim->ctx, x, 4 * n);
    if (!st) st = MEM_NEW(sim->ctx, u, 4 * n);
    for (size_t k = 0; k < 4 * n && !st; k++) {
        const double *d = side[k % 4];
        const int i = (int)(k / 4) % nx, j = (int)(k / 4) / nx;
        x[k] = v3((i + 0.5 + 0.5 * d[0]) * h, (j + 0.5 + 0.5 * d[1]) * h, 0.5 * h);
    }
    if (!st) st = sim->method->velocity(sim, 4 * n, x, u);
    for (size_t k = 0; k < n && !st; k++)
        w[k] = ((u[4 * k + 1].y - u[4 * k].y) - (u[4 * k + 3].x - u[4 * k + 2].x)) / h;
    mem_free(sim->ctx, x);
    mem_free(sim->ctx, u);
    return st;
}

/* The least of w on the way from one core to the other, at the nearest nodes. */
static double valley(const double *w, int nx, double h, const ring_core *a, const ring_core *b)
{
    enum { STEPS = 24 };
    double least = INFINITY;
    for (int k = 0; k <= STEPS; k++) {
        const double part = (double)k / STEPS;
        const int i = (int)((a->x + part * (b->x - a->x)) / h), j = (int)((a->r + part * (b->r - a->r)) / h);
        least = fmin(least, w[j * nx + i]);
    }
    return least;
}

/* The cores, the one nearer to the axis first; false: there is one ring only. */
static rill_status find_cores(const rill_sim *sim, const ring_pair *p, int nx, int nr, double h,
                              ring_core out[2], bool *two)
{
    double *w = NULL;
    rill_status st = MEM_NEW(sim->ctx, w, (size_t)nx * (size_t)nr);
    if (!st) st = plane_vorticity(sim, nx, nr, h, w);
    if (!st) {
        const ring_core a = strongest(w, nx, nr, h, NULL, 0),
                        b = strongest(w, nx, nr, h, &a, 0.3 * p->radius);
        out[0] = a.r < b.r ? a : b;
        out[1] = a.r < b.r ? b : a;
        *two = b.strength > 0.4 * a.strength && valley(w, nx, h, &a, &b) < 0.5 * b.strength;
    }
    mem_free(sim->ctx, w);
    return st;
}

typedef struct {
    int cells_a_radius;
    double core, gap; /* radii */
    double width, length,
        time; /* of the whole domain, radii; s: a ring alone crosses a radius in about one */
    double cfl;
    bool reflection;
} ring_setup;

typedef struct {
    int passes;  /* how often the inner ring came out in front of the outer one */
    double kept; /* kinetic energy at the end, over that after the first step */
} ring_result;

static rill_status count_passes(rill_sim *sim, const ring_pair *p, const ring_setup *def, ring_result *out)
{
    const double h = 1.0 / def->cells_a_radius, clear = 0.1;
    const int nx = (int)(def->length / h), nr = (int)(1.8 / h);
    bool behind = false; /* the inner ring was clearly behind the outer one */
    double first = NAN, energy = NAN;
    int passes = 0;
    while (sim->time < def->time) {
        rill_step_stats stats;
        ring_core core[2];
        bool two = false;
        TRY(verify_step(sim, fmin(sim->method->max_dt(sim), 2 * h), &stats));
        TRY(find_cores(sim, p, nx, nr, h, core, &two));
        const double ahead = core[0].x - core[1].x;
        if (two && ahead > clear && behind) passes++, behind = false;
        if (two && ahead < -clear) behind = true;
        energy = stats.kinetic;
        if (sim->step == 1) first = energy;
    }
    *out = (ring_result){passes, energy / first};
    return RILL_OK;
}

static rill_status run_pair(verify *v, const ring_setup *def, ring_result *out)
{
    ring_pair p = {1, def->core, 4 * M_PI / 3, {1.5, 1.5 + def->gap}};
    const rill_box box = {{0, 0, 0}, {def->length, def->width / 2, def->width / 2}};
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    TRY(verify_scene(v, 3, box, 1.0 / def->cells_a_radius, &scene));
    grid_def *grid = scene_method_def_of(&scene, "grid");
    scene.fill = true;
    scene.fluid.density = 1.2;
    scene.gravity = v3(0, 0, 0);
    grid->advection = GRID_MACCORMACK;
    grid->reflection = def->reflection;
    grid->cfl = def->cfl;
    rill_status st = verify_add_box(v, &scene, box, (velocity_field){.function = ring_velocity, .user = &p});
    if (!st) st = verify_create(v, &scene, &sim);
    if (!st) st = count_passes(sim, &p, def, out);
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

/* Coarse rings with thick cores: what is left of the energy. */
static rill_status run_rings(verify *v)
{
    ring_setup def = {v->full ? 8 : 5, 0.2, 0.8, 5, 9, 5, 4, true};
    ring_result with, without;
    TRY(run_pair(v, &def, &with));
    def.reflection = false;
    TRY(run_pair(v, &def, &without));
    verify_figure(v, "energy kept with reflection", with.kept, AT_LEAST, 0.8);
    verify_figure(v, "energy kept with reflection, over that without", with.kept / without.kept, AT_LEAST, 2);
    return RILL_OK;
}

/* 16 cells a radius, cores of 1.6; in full a quarter of 128^3. */
static rill_status run_rings_fine(verify *v)
{
    ring_setup def = {16, 0.1, 0.8, v->full ? 8 : 4, v->full ? 8 : 6, 2, 2, true};
    ring_result with, without;
    TRY(run_pair(v, &def, &with));
    def.reflection = false;
    TRY(run_pair(v, &def, &without));
    verify_figure(v, "16 cells a radius: passes with reflection", with.passes, AT_LEAST, 2);
    verify_figure(v, "passes without", without.passes, REPORT, NAN);
    verify_figure(v, "passes with reflection, less those without", with.passes - without.passes, AT_LEAST, 1);
    verify_figure(v, "energy kept with reflection", with.kept, AT_LEAST, 0.93);
    verify_figure(v, "energy kept without", without.kept, REPORT, NAN);
    return RILL_OK;
}

const verify_case gas_rings = {"gas-rings", "Two vortex rings that become one", methods, run_rings};
const verify_case gas_rings_fine = {"gas-rings-fine", "Two vortex rings that leapfrog", methods,
                                    run_rings_fine};
