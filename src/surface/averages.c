/* The field of averages: rows of samples, values at points, and the two definitions; see averages.h. */
#include "surface/averages.h"

#include "surface/distances.h"
#include "surface/spray.h"

#include <string.h>

static const double spray_reach = 1.05;         /* from lone particles, in spacings, where f is 0 */
static const float whole = 0.75f, none = 0.64f; /* 1 - s^2 of the nearest particle where f is 1, and 0 */

double averages_ball(int dimensions)
{
    return dimensions == 2 ? sqrt(1 / M_PI) : cbrt(3 / (4 * M_PI));
}

double averages_distance(double radius, int dimensions)
{
    enum { POINTS = 16 };
    const int reach = (int)ceil(radius), deep = dimensions == 2 ? 0 : reach;
    const int points_z = dimensions == 2 ? 1 : POINTS;
    double mean = 0;
    for (int q = 0; q < points_z; q++)
        for (int p = 0; p < POINTS; p++) {
            const double x = (p + 0.5) / POINTS, z = dimensions == 2 ? 0 : (q + 0.5) / POINTS;
            double w = 0;
            rill_vec3 sum = {0};
            for (int layer = 0; layer < reach; layer++)
                for (int c = -deep; c <= (deep ? deep + 1 : 0); c++)
                    for (int a = -reach; a <= reach + 1; a++) {
                        const rill_vec3 d = v3(x - a, layer + 0.5, dimensions == 2 ? 0 : z - c);
                        const double t = 1 - v3_dot(d, d) / (radius * radius);
                        if (t <= 0) continue;
                        w += t * t * t;
                        sum = v3_madd(sum, t * t * t, d);
                    }
            mean += w > 0 ? v3_length(sum) / w : 0.5;
        }
    return mean / (POINTS * points_z);
}

/* How little liquid each particle sees: 0 of a body, 1 alone. */
static rill_status lacks(rill_ctx *ctx, const surface_def *def, const sampler *s, float *out)
{
    const spray_weights w = spray_weights_make(def->radius, 1, def->dimensions);
    TRY(spray_seen(ctx, s, w.body, out));
    for (size_t i = 0; i < s->from->count; i++) {
        const float lack = (w.body - out[i]) / (w.body - w.alone);
        out[i] = lack > 0 ? lack < 1 ? lack : 1 : 0;
    }
    return RILL_OK;
}

rill_status averages_fixed(rill_ctx *ctx, const surface_def *def, const sampler *s, float *out)
{
    const double whole_d = averages_distance(def->radius, def->dimensions),
                 ball = averages_ball(def->dimensions);
    float *lack; /* not into out, which may be one of the values that gathering copies */
    TRY(MEM_NEW(ctx, lack, s->from->count));
    const rill_status st = lacks(ctx, def, s, lack);
    for (size_t i = 0; i < s->from->count && !st; i++)
        out[i] = s->reach[i] / (float)def->radius * ((float)whole_d + lack[i] * (float)(ball - whole_d));
    mem_free(ctx, lack);
    return st;
}

/* ---- at a point ---- */

static float faded(float nearest)
{
    const float lack = (whole - nearest) / (whole - none); /* 1 - g */
    return lack > 0 ? fmaxf(1 - lack * lack * lack, -1) : 1;
}

float averages_at(const sampler_near *near, float x, float y, float z, rill_vec3 *gradient)
{
    const f8 *px = (const f8 *)near->x, *py = (const f8 *)near->y, *pz = (const f8 *)near->z;
    const f8 *reach = (const f8 *)near->reach, *distance = (const f8 *)near->value[0];
    const size_t eights = (near->count + 7) / 8;
    f8 w = {0}, ax = {0}, ay = {0}, az = {0}, d = {0}, nearest = {0};
    for (size_t i = 0; i < eights; i++) {
        const f8 dx = px[i] - x, dy = py[i] - y, dz = pz[i] - z;
        const f8 scale = 1 / (reach[i] * reach[i]);
        const f8 t = f8_positive(1 - (dx * dx + dy * dy + dz * dz) * scale), k = t * t * t / reach[i];
        nearest = f8_max(nearest, t);
        w += k;
        ax += k * dx;
        ay += k * dy;
        az += k * dz;
        d += k * distance[i];
    }
    if (gradient) *gradient = v3(0, 0, 0);
    const float total = f8_sum(w);
    if (!(total > 0)) return -1;
    float most = 0;
    for (int i = 0; i < 8; i++) most = fmaxf(most, nearest[i]);
    const float f = faded(most), mean = f8_sum(d) / total;
    const float mx = f8_sum(ax) / total, my = f8_sum(ay) / total, mz = f8_sum(az) / total; /* a - x */
    const float away = sqrtf(mx * mx + my * my + mz * mz);
    if (!gradient) return mean * f - away;

    /* With u = (a - x) / |a - x|: grad phi = u + sum grad w_i ((d_i - d) f - (x_i - a) . u) / W, and
     * grad w_i = 6 t^2 (x_i - x) / r_i^3; that of f is left out. */
    const float back = away > 0 ? 1 / away : 0, ux = mx * back, uy = my * back, uz = mz * back;
    f8 gx = {0}, gy = {0}, gz = {0};
    for (size_t i = 0; i < eights; i++) {
        const f8 dx = px[i] - x, dy = py[i] - y, dz = pz[i] - z, scale = 1 / (reach[i] * reach[i]);
        const f8 t = f8_positive(1 - (dx * dx + dy * dy + dz * dz) * scale);
        const f8 part = (distance[i] - mean) * f - ((dx - mx) * ux + (dy - my) * uy + (dz - mz) * uz);
        const f8 k = t * t * scale / reach[i] * part;
        gx += k * dx;
        gy += k * dy;
        gz += k * dz;
    }
    const float six = 6 / total;
    *gradient = v3(ux + six * f8_sum(gx), uy + six * f8_sum(gy), uz + six * f8_sum(gz));
    return mean * f - away;
}

/* ---- rows of samples ---- */

typedef struct {
    f8 w, x, y, z, d, nearest;
} sums;

static void add_particle(int layers, const sampler_near *near, size_t i, sums *row)
{
    const f8 place = {0, 1, 2, 3, 4, 5, 6, 7};
    const float x = near->x[i], y = near->y[i], z = near->z[i], r = near->reach[i], d = near->value[0][i];
    const float scale = 1 / (r * r), narrow = near->value[1] ? near->value[1][i] : 1; /* of spray */
    const f8 dx = place - x, along = dx * dx * scale;
    const sampler_rows rows = sampler_rows_within(layers, y, z, r);
    for (int k = rows.k0; k <= rows.k1; k++) {
        const float dz = layers > 1 ? (float)k - z : 0, rest_z = 1 - dz * dz * scale;
        for (int j = rows.j0; j <= rows.j1; j++) {
            const float dy = (float)j - y, rest = rest_z - dy * dy * scale;
            if (rest <= 0) continue;
            const f8 t = f8_positive(rest - along), weight = t * t * t * (1 / r);
            sums *to = &row[8 * k + j];
            to->w += weight;
            to->x += weight * x;
            to->y += weight * y;
            to->z += weight * z;
            to->d += weight * d;
            to->nearest = f8_max(to->nearest, 1 - (1 - t) * narrow);
        }
    }
}

static f8 value_of(const sums *s, float outside, int j, int k)
{
    const f8 place = {0, 1, 2, 3, 4, 5, 6, 7}, one = {1, 1, 1, 1, 1, 1, 1, 1};
    const i8 there = s->w > 0;
    const f8 w = f8_pick(there, s->w, one);
    const f8 dx = s->x / w - place, dy = s->y / w - (float)j, dz = s->z / w - (float)k;
    const f8 away = f8_root(dx * dx + dy * dy + dz * dz);
    const f8 lack = f8_positive((whole - s->nearest) * (1 / (whole - none))), f = 1 - lack * lack * lack;
    const f8 phi = s->d / w * f8_max(f, -one) - away;
    return f8_pick(there, phi, outside * one);
}

static void sample_rows(const field *f, const sampler_near *near, f8 *row)
{
    const int layers = f->s->layers;
    sums sum[LEVEL_AREA];
    memset(sum, 0, (size_t)layers * LEVEL_BLOCK * sizeof *sum);
    for (size_t i = 0; i < near->count; i++) add_particle(layers, near, i, sum);
    for (int k = 0; k < layers; k++)
        for (int j = 0; j < LEVEL_BLOCK; j++) row[8 * k + j] = value_of(&sum[8 * k + j], f->outside, j, k);
}

/* The ball of radius d_i around a particle is liquid: a block within one is inside. */
static field_side known_side(const field *f, const sampler_near *near)
{
    const float end = LEVEL_BLOCK - 1;
    for (size_t i = 0; i < near->count; i++) {
        const float x = near->x[i], y = near->y[i], z = near->z[i], d = 0.9f * near->value[0][i] - f->most;
        const float dx = fmaxf(end - x, x), dy = fmaxf(end - y, y),
                    dz = f->s->layers == 1 ? 0 : fmaxf(end - z, z);
        if (d > 0 && dx * dx + dy * dy + dz * dz < d * d) return SIDE_INSIDE;
    }
    return near->count ? SIDE_BOTH : SIDE_OUTSIDE;
}

static rill_vec3 slope_at(const field *f, const sampler_near *near, rill_vec3 at)
{
    (void)f;
    rill_vec3 gradient;
    averages_at(near, (float)at.x, (float)at.y, (float)at.z, &gradient);
    return v3_neg(gradient);
}

/* ---- the definitions ---- */

static void fill_in(const surface_def *def, const sampler *s, field *out)
{
    *out = (field){.s = s,
                   .level = 0,
                   .outside = -1 - 0.5f * s->radius /
                                       (float)def->radius, /* beyond where anchor.h may move the level */
                   .inside = 1,
                   .steep = 1,
                   .rows = sample_rows,
                   .slope = slope_at};
}

rill_status zhu_bridson_prepare(rill_ctx *ctx, const surface_def *def, sampler *s, field *out)
{
    TRY(sampler_add_value(ctx, s));
    TRY(averages_fixed(ctx, def, s, s->value[0]));
    fill_in(def, s, out);
    return RILL_OK;
}

rill_status distance_prepare_with(rill_ctx *ctx, const surface_def *def, sampler *s, const float *distance,
                                  field *out)
{
    TRY(sampler_add_value(ctx, s));
    const float flat = (float)(averages_distance(def->radius, def->dimensions) / def->radius);
    for (size_t i = 0; i < s->from->count; i++) {
        const float d = distance[s->particle[i]];
        s->value[0][i] = d > 0 ? (float)(d / s->cell) : flat * s->reach[i]; /* 0: not known yet */
    }
    fill_in(def, s, out);
    out->side = known_side;
    out->most = 1 + 0.25f * s->radius / (float)def->radius; /* the level may be moved (anchor.h) */
    return RILL_OK;
}

/* Spray: its balls are small, and what is between them is air; see averages.h. */
static rill_status narrow_spray(rill_ctx *ctx, const surface_def *def, sampler *s)
{
    TRY(sampler_add_value(ctx, s));
    float *lack;
    TRY(MEM_NEW(ctx, lack, s->from->count));
    const rill_status st = lacks(ctx, def, s, lack);
    const float ball = (float)(averages_ball(def->dimensions) / def->radius);
    const float most = (float)fmax(pow(0.6 * def->radius / spray_reach, 2), 1);
    for (size_t i = 0; i < s->from->count && !st; i++) {
        const float share = fminf(2 * lack[i], 1);
        float *d = &s->value[0][i];
        *d += share * (fminf(*d, ball * s->reach[i]) - *d);
        s->value[1][i] = 1 + share * (most - 1);
    }
    mem_free(ctx, lack);
    return st;
}

rill_status distance_prepare(rill_ctx *ctx, const surface_def *def, sampler *s, field *out)
{
    const float *carried = particles_column(s->from, "surface_distance");
    float *made = NULL;
    rill_status st = RILL_OK;
    if (!carried) {
        st = MEM_NEW(ctx, made, s->from->count);
        if (!st) st = distances_start(ctx, s->from, def, made, NULL);
    }
    if (!st) st = distance_prepare_with(ctx, def, s, carried ? carried : made, out);
    if (!st) st = narrow_spray(ctx, def, s);
    mem_free(ctx, made);
    return st;
}
