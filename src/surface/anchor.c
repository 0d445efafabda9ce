#include "surface/anchor.h"

#include "base/parallel.h"

typedef struct {
    const particles *p;
    const float *spacing;
    const surface_def *def;
    const trimesh *mesh;
} measuring;

/* Volume, and that times the spacing. */
static void volume_of(void *arg, size_t begin, size_t end, double *out)
{
    const measuring *a = arg;
    out[0] = out[1] = 0;
    for (size_t i = begin; i < end; i++) {
        const double h = a->spacing ? a->spacing[i] : a->def->spacing;
        const double volume = a->def->dimensions == 2 ? h * h * a->def->spacing : h * h * h;
        out[0] += volume;
        out[1] += volume * h;
    }
}

/* Volume and area; in two dimensions caps do not move. */
static void measure(void *arg, size_t begin, size_t end, double *out)
{
    const measuring *a = arg;
    const trimesh *m = a->mesh;
    const rill_vec3 o = m->position[0];
    double volume = 0, area = 0;
    for (size_t i = begin; i < end; i++) {
        const uint32_t *t = m->triangle[i];
        const rill_vec3 p = v3_sub(m->position[t[0]], o), q = v3_sub(m->position[t[1]], o),
                        r = v3_sub(m->position[t[2]], o), n = v3_cross(v3_sub(q, p), v3_sub(r, p));
        volume += v3_dot(p, n) / 6;
        const bool cap = a->def->dimensions == 2 && fabs(n.z) > 0.5 * v3_length(n);
        if (!cap) area += v3_length(n) / 2;
    }
    out[0] = volume;
    out[1] = area;
}

static rill_status cut(rill_ctx *ctx, const surface_def *def, const level_grid *grid, trimesh *mesh,
                       level_patches *patches)
{
    return def->dimensions == 2 ? isocontour_build(ctx, grid, def->spacing, mesh, patches)
                                : isosurface_build(ctx, grid, mesh, patches);
}

rill_status anchor_mesh(rill_ctx *ctx, const particles *p, const surface_def *def, double steep,
                        level_grid *grid, trimesh *mesh, level_patches *patches, double *by)
{
    enum { ROUNDS = 4 };
    trimesh m = {0};
    level_patches runs = {0};
    measuring a = {.p = p, .spacing = particles_column(p, "spacing"), .def = def, .mesh = &m};
    double volume[2], before = 0, moved = 0, step = 0, rate = 0;
    parallel_sums(ctx, p->count, volume_of, &a, 2, volume);
    double want = volume[0];
    const double farthest = 0.25 * volume[1] / volume[0] / grid->cell; /* cells */
    const float level = grid->level;
    rill_status st = cut(ctx, def, grid, &m, &runs);
    for (int round = 0; round < ROUNDS && !st && m.triangle_count; round++) {
        double found[2]; /* volume, area */
        parallel_sums(ctx, m.triangle_count, measure, &a, 2, found);
        const double cell = found[1] * grid->cell, most = farthest * cell;
        if (round == 0) {
            want = fmin(fmax(want, found[0] - most), found[0] + most);
            rate = cell;
        } else if (fabs(step) > 0) { /* what a step in the level really did; steep is rough */
            rate = fmin(fmax((found[0] - before) / step, 0.2 * cell), 5 * cell);
        }
        before = found[0];
        step = rate > 0 ? (want - found[0]) / rate : 0;
        if (!(fabs(want - found[0]) > 1e-3 * cell)) break;
        step = fmin(fmax(step, -farthest - moved), farthest - moved);
        moved += step;
        grid->level = level - (float)(steep * moved);
        trimesh_clear(ctx, &m);
        mem_free(ctx, runs.patch);
        runs = (level_patches){0};
        st = cut(ctx, def, grid, &m, &runs);
    }
    if (!st) {
        *mesh = trimesh_take(&m);
        *patches = runs;
        *by = moved;
    } else {
        mem_free(ctx, runs.patch);
    }
    trimesh_clear(ctx, &m);
    return st;
}
