/* surface-sizes: calm liquid of particles of several sizes, by the default.
 *
 * A trough 112 finest spacings long, 24 deep and 64 wide: particles of size 1 up to x = 24, of size 2 up to
 * 48, of size 4 beyond, on lattices whose points are shaken by up to a tenth of their size. How much normals
 * bend on top of each part, in radians per own spacing, and where sizes meet, per finest spacing; and the
 * volume. */
#include "base/random.h"
#include "surface/surface.h"
#include "verify/surface_measure.h"
#include "verify/verify.h"

#include <math.h>

typedef struct {
    const char *name;
    double from, to, spacing;
} stretch;

static const stretch stretches[] = {
    {"size 1: bend of normals, radians a spacing", 5, 20, 1},
    {"size 2: bend of normals, radians a spacing", 28, 44, 2},
    {"size 4: bend of normals, radians a spacing", 64, 96, 4},
    {"where sizes meet: bend of normals, radians a finest spacing", 20, 64, 1},
};

static rill_status fill(rill_ctx *ctx, double from, double to, double h, particles *p)
{
    const int nx = (int)((to - from) / h), ny = (int)(24 / h), nz = (int)(64 / h);
    for (int i = 0; i < nx * ny * nz; i++) {
        const random4 r = random_at(5, (uint64_t)i, (uint64_t)from, 0);
        const double a = 0.2;
        const rill_vec3 x = v3(from + h * (i % nx + 0.5 + a * (r.v[0] * 0x1p-32 - 0.5)),
                               h * (i / nx % ny + 0.5 + a * (r.v[1] * 0x1p-32 - 0.5)),
                               h * (i / nx / ny + 0.5 + a * (r.v[2] * 0x1p-32 - 0.5)));
        TRY(particles_append(ctx, p, 1, &x, NULL));
        p->column[0].value[p->count - 1] = (float)h;
    }
    return RILL_OK;
}

static rill_status run(verify *v)
{
    particles p = {0};
    trimesh m = {0};
    trimesh_report report = {0};
    const surface_def def = surface_def_default();
    rill_status st = particles_add_column(v->ctx, &p, "spacing");
    if (!st) st = fill(v->ctx, 0, 24, 1, &p);
    if (!st) st = fill(v->ctx, 24, 48, 2, &p);
    if (!st) st = fill(v->ctx, 48, 112, 4, &p);
    if (!st) st = surface_from_particles(v->ctx, &p, &def, &m);
    for (size_t k = 0; k < sizeof stretches / sizeof *stretches && !st; k++) {
        const stretch *s = &stretches[k];
        const rill_box on_top = {v3(s->from, 18, 20), v3(s->to, 30, 44)};
        double bend;
        st = surface_bend(v->ctx, &m, s->spacing, on_top, 0.8, false, &bend);
        if (!st) verify_figure(v, s->name, bend, AT_MOST, 0.04);
    }
    if (!st) st = trimesh_check(v->ctx, &m, &report);
    if (!st) {
        verify_figure(v, "volume, off by", fabs(report.volume / (112.0 * 24 * 64) - 1), AT_MOST, 0.02);
        verify_figure(v, "open or non-manifold edges", (double)(report.open_edges + report.nonmanifold_edges),
                      AT_MOST, 0);
    }
    trimesh_clear(v->ctx, &m);
    particles_clear(v->ctx, &p);
    return st;
}

const verify_case surface_sizes = {"surface-sizes", "Surfaces of particles of several sizes", NULL, run};
