/* Metaballs: rows of samples, the slope and the level; see metaballs.h. */
#include "surface/metaballs.h"

#include "surface/spray.h"

#include <string.h>

double metaballs_level(double radius, int dimensions)
{
    return metaballs_above(radius, dimensions, 0.5);
}

double metaballs_above(double radius, int dimensions, double height)
{
    enum { POINTS = 32 };
    const int reach = (int)ceil(radius), deep = dimensions == 2 ? 0 : reach;
    const int points_z = dimensions == 2 ? 1 : POINTS;
    double sum = 0;
    for (int q = 0; q < points_z; q++)
        for (int p = 0; p < POINTS; p++) {
            const double x = (p + 0.5) / POINTS, z = dimensions == 2 ? 0 : (q + 0.5) / POINTS;
            for (int layer = 0; layer < reach; layer++)
                for (int c = -deep; c <= deep + 1; c++)
                    for (int a = -reach; a <= reach + 1; a++) {
                        const double dy = layer + height, dx = x - a, dz = dimensions == 2 ? 0 : z - c;
                        const double t = 1 - (dx * dx + dy * dy + dz * dz) / (radius * radius);
                        if (t > 0 && (dimensions == 3 || c == 0)) sum += t * t * t;
                    }
        }
    return sum / (POINTS * points_z);
}

/* Adds one particle to the rows of a block it reaches. Its weight, as a cube root, goes into what is cubed.
 */
static inline void add_particle(int layers, float x, float y, float z, float r, float root, f8 *row)
{
    const f8 place = {0, 1, 2, 3, 4, 5, 6, 7};
    const float scale = 1 / (r * r);
    const f8 dx = place - x, along = dx * dx * (scale * root);
    const sampler_rows rows = sampler_rows_within(layers, y, z, r);
    for (int k = rows.k0; k <= rows.k1; k++) {
        const float dz = layers > 1 ? (float)k - z : 0, rest_z = 1 - dz * dz * scale;
        for (int j = rows.j0; j <= rows.j1; j++) {
            const float dy = (float)j - y, rest = root * (rest_z - dy * dy * scale);
            if (rest <= 0) continue;
            const f8 t = f8_positive(rest - along);
            row[8 * k + j] += t * t * t;
        }
    }
}

void metaballs_rows(int layers, const sampler_near *near, const float *root, f8 *row)
{
    memset(row, 0, (size_t)layers * LEVEL_AREA * sizeof(float));
    for (size_t i = 0; i < near->count; i++)
        add_particle(layers, near->x[i], near->y[i], near->z[i], near->reach[i], root[i], row);
}

static void sample_rows(const field *f, const sampler_near *near, f8 *row)
{
    metaballs_rows(f->s->layers, near, near->value[0], row);
}

/* Every second sample along each axis: a row has those of the rows j = 1 and 3, the next those of 5 and 7. */
static int sample_some(const field *f, const sampler_near *near, f8 *row)
{
    const f8 place = {1, 3, 5, 7, 1, 3, 5, 7}, low = {1, 1, 1, 1, 3, 3, 3, 3}, high = low + 4;
    const int layers = f->s->layers, step = layers > 1 ? 2 : 1, count = layers > 1 ? layers : 2;
    memset(row, 0, (size_t)count * sizeof *row);
    for (size_t i = 0; i < near->count; i++) {
        const float x = near->x[i], y = near->y[i], z = near->z[i], r = near->reach[i],
                    root = near->value[0][i];
        const float scale = 1 / (r * r);
        const f8 dx = place - x, dy[2] = {low - y, high - y}, along = dx * dx * (scale * root);
        const f8 off[2] = {along + dy[0] * dy[0] * (scale * root), along + dy[1] * dy[1] * (scale * root)};
        const sampler_rows rows = sampler_rows_within(layers, y, z, r);
        for (int k = layers > 1 ? rows.k0 | 1 : 0; k <= rows.k1; k += step) {
            const float dz = layers > 1 ? (float)k - z : 0, rest = root * (1 - dz * dz * scale);
            for (int half = 0; half < 2; half++) {
                const f8 t = f8_positive(rest - off[half]);
                row[k / step * 2 + half] += t * t * t;
            }
        }
    }
    return count;
}

/* k <= 1: too few do not get to the level. */
static field_side known_side(const field *f, const sampler_near *near)
{
    return (float)near->count * f->most < f->level ? SIDE_OUTSIDE : SIDE_BOTH;
}

/* -grad F is along sum w_i 3 t^2 (x - x_i) / h_i^2, t = 1 - s^2; that of w_i is left out. */
static rill_vec3 slope_at(const field *f, const sampler_near *near, rill_vec3 at)
{
    (void)f;
    const f8 *px = (const f8 *)near->x, *py = (const f8 *)near->y, *pz = (const f8 *)near->z;
    const f8 *reach = (const f8 *)near->reach, *root = (const f8 *)near->value[0];
    const float x = (float)at.x, y = (float)at.y, z = (float)at.z;
    f8 gx = {0}, gy = {0}, gz = {0};
    for (size_t i = 0; i < (near->count + 7) / 8; i++) {
        const f8 dx = x - px[i], dy = y - py[i], dz = z - pz[i], scale = 1 / (reach[i] * reach[i]);
        const f8 t = f8_positive(1 - (dx * dx + dy * dy + dz * dz) * scale);
        const f8 t2 = t * t * scale * (root[i] * root[i] * root[i]);
        gx += t2 * dx;
        gy += t2 * dy;
        gz += t2 * dz;
    }
    return v3(f8_sum(gx), f8_sum(gy), f8_sum(gz));
}

/* How many particles reach a block deep inside. */
static double around_block(const surface_def *def)
{
    const double w = (LEVEL_BLOCK - 1) * def->cell, r = def->radius;
    if (def->dimensions == 2) return w * w + 4 * w * r + M_PI * r * r;
    return w * w * w + 6 * w * w * r + 3 * M_PI * w * r * r + 4 * M_PI / 3 * r * r * r;
}

void metaballs_field(const surface_def *def, const sampler *s, float most, field *out)
{
    const float level = (float)metaballs_level(def->radius, def->dimensions);
    *out = (field){.s = s,
                   .level = level,
                   .outside = 0,
                   .steep = level * (float)def->cell,
                   .inside = 2 * level, /* about what it is deep inside */
                   .most = most,
                   .rows = sample_rows,
                   .side = known_side,
                   .slope = slope_at};
    if (def->cell <= 0.5) { /* no cavity is hidden between samples that are no more than a spacing apart */
        out->some_rows = sample_some;
        out->deep = 1.7f * level;
        out->crowd = particles_column(s->from, "spacing") ? 0 : (size_t)(0.85 * around_block(def));
    }
}

rill_status metaballs_prepare(rill_ctx *ctx, const surface_def *def, sampler *s, field *out)
{
    const double level = metaballs_level(def->radius, def->dimensions);
    const spray_weights spray = spray_weights_make(def->radius, level, def->dimensions);
    TRY(spray_weigh(ctx, s, &spray));
    metaballs_field(def, s, spray.most, out);
    return RILL_OK;
}
