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

bool anchor_again(rill_ctx *ctx, const surface_def *def, const trimesh *mesh, double tolerance,
                  anchor_end *end)
{
    measuring a = {.def = def, .mesh = mesh};
    double found[2] = {0, 0};
    if (mesh->triangle_count) parallel_sums(ctx, mesh->triangle_count, measure, &a, 2, found);
    const double off = end->volume - found[0];
    if (!(fabs(off) > tolerance * end->volume) || !(end->rate > 0)) return false;
    const double to = fmin(fmax(end->moved + off / end->rate, -end->inward), end->outward);
    const bool moves = fabs(to - end->moved) > 1e-3;
    end->moved = to;
    return moves;
}

rill_status anchor_mesh(rill_ctx *ctx, const particles *p, const surface_def *def, double inward,
                        anchor_cut *cut, void *user, trimesh *mesh, anchor_end *end)
{
    enum { ROUNDS = 4 };
    trimesh m = {0};
    measuring a = {.p = p, .spacing = particles_column(p, "spacing"), .def = def, .mesh = &m};
    double volume[2], before = 0, moved = 0, step = 0, rate = 0;
    parallel_sums(ctx, p->count, volume_of, &a, 2, volume);
    const double length = def->cell * def->spacing;
    double want = volume[0];
    const double size = volume[1] / volume[0] / length; /* of the particles, in cells */
    const double out = anchor_most * size, in = inward * size;
    rill_status st = cut(user, 0, &m);
    for (int round = 0; round < ROUNDS && !st; round++) {
        double found[2] = {0, 0}; /* volume, area */
        if (m.triangle_count) parallel_sums(ctx, m.triangle_count, measure, &a, 2, found);
        const double cell = found[1] * length;
        if (round == 0) {
            want = fmin(fmax(want, found[0] - in * cell), found[0] + out * cell);
            rate = def->walls ? 0.35 * cell : cell; /* what lies on walls does not move */
        } else if (found[0] < 0.5 * before) {       /* drops that went away as a whole: not so far */
            trimesh_clear(ctx, &m);
            moved -= round < ROUNDS - 1 ? 0.75 * step : step;
            step *= 0.25;
            st = cut(user, moved, &m);
            continue;
        } else if (fabs(step) > 0) { /* what a step really did */
            rate = fmin(fmax((found[0] - before) / step, 0.05 * cell), 5 * cell);
        }
        if (!(fabs(want - found[0]) > 3e-3 * cell)) break;
        before = found[0];
        step = fmin(fmax((want - found[0]) / rate, -in - moved), out - moved);
        moved += step;
        trimesh_clear(ctx, &m);
        st = cut(user, moved, &m);
    }
    if (!st) *mesh = trimesh_take(&m);
    *end = (anchor_end){volume[0], rate, out, in, moved};
    trimesh_clear(ctx, &m);
    return st;
}
