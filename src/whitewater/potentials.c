#include "whitewater/potentials.h"

#include <immintrin.h>

enum { BLOCK = 256 };
static const float at_surface = 0.25f; /* length of a normal, over the sum of weights */
static const double along_normal = 0.6;

typedef struct {
    const rill_scene *scene;
    const sample_cells *liquid;
    potential_ranges range;
    near_samples near[PARALLEL_MAX_THREADS];
    potentials p;
} job;

potential_ranges potential_ranges_of(const rill_scene *scene)
{
    const scene_whitewater *w = &scene->whitewater;
    const double height = scene->domain.max.y - scene->domain.min.y;
    double fall = sqrt(2 * scene_gravity_most(scene) * height);
    if (!(fall > 0)) fall = 1; /* nothing falls: any speed is as good */
    potential_ranges r = {.trapped = {w->air_range[0], w->air_range[1]},
                          .crest = {w->crest_range[0], w->crest_range[1]},
                          .speed = {w->speed_range[0], w->speed_range[1]}};
    if (r.trapped[1] == 0) r.trapped[0] = 0.5 * fall, r.trapped[1] = 3 * fall;
    if (r.crest[1] == 0) r.crest[0] = 0.5, r.crest[1] = 2;
    if (r.speed[1] == 0) r.speed[0] = 0.15 * fall, r.speed[1] = 0.6 * fall;
    return r;
}

static f8 f8_sqrt(f8 v)
{
    return (f8)_mm256_sqrt_ps((__m256)v);
}

static f8 f8_where(f8 v, i8 mask)
{
    return (f8)((i8)v & mask);
}

/* Weights of eight neighbours, the unit vectors from them to the place, and which of them count. */
typedef struct {
    f8 weight, x, y, z;
} eight;

static eight eight_at(const near_samples *n, size_t i, const float at[3])
{
    eight e = {.x = at[0] - f8_at(n->x + i), .y = at[1] - f8_at(n->y + i), .z = at[2] - f8_at(n->z + i)};
    const f8 d2 = e.x * e.x + e.y * e.y + e.z * e.z, share = 1 - f8_sqrt(d2 * f8_at(n->inverse2 + i));
    e.weight = f8_where(share, (share > 0) & (d2 > 0)); /* the sample itself has no direction */
    const f8 inverse = f8_where(1 / f8_sqrt(d2), d2 > 0);
    e.x *= inverse, e.y *= inverse, e.z *= inverse;
    return e;
}

/* Eq. 2, the sum of unit vectors, and that of the weights. */
static void add_first(const near_samples *n, const float at[3], const float v[3], float out[5])
{
    f8 trapped = {0}, nx = {0}, ny = {0}, nz = {0}, all = {0};
    for (size_t i = 0; i < n->padded; i += 8) {
        const eight e = eight_at(n, i, at);
        const f8 u = v[0] - f8_at(n->u + i), w = v[1] - f8_at(n->v + i), s = v[2] - f8_at(n->w + i);
        trapped += (f8_sqrt(u * u + w * w + s * s) - (u * e.x + w * e.y + s * e.z)) * e.weight;
        nx += e.weight * e.x;
        ny += e.weight * e.y;
        nz += e.weight * e.z;
        all += e.weight;
    }
    out[0] = f8_sum(trapped), out[1] = f8_sum(nx), out[2] = f8_sum(ny), out[3] = f8_sum(nz);
    out[4] = f8_sum(all);
}

/* Eq. 4 to 6: neighbours with a normal, below the tangent plane. */
static float add_crest(const near_samples *n, const float at[3], const float m[3])
{
    f8 sum = {0};
    for (size_t i = 0; i < n->padded; i += 8) {
        const eight e = eight_at(n, i, at);
        const f8 x = f8_at(n->nx + i), y = f8_at(n->ny + i), z = f8_at(n->nz + i);
        const f8 above = m[0] * e.x + m[1] * e.y + m[2] * e.z; /* of the place over the neighbour */
        const f8 term = (1 - (m[0] * x + m[1] * y + m[2] * z)) * e.weight;
        sum += f8_where(term, (above > 0) & (x * x + y * y + z * z > 0.5f));
    }
    return f8_sum(sum);
}

/* The normal of a sample with what walls took of its neighbours taken back; zero inside of the liquid. */
static void finish_normal(const job *j, rill_vec3 x, float reach, const float sum[5], float out[3])
{
    const scene_domain *d = &j->scene->domain;
    float n[3] = {sum[1], sum[2], sum[3]}, length2 = 0;
    for (int a = 0; a < 3; a++) {
        const bool low = !(d->open >> (2 * a) & 1) && v3_axis(x, a) - v3_axis(d->min, a) < (double)reach,
                   high = !(d->open >> (2 * a + 1) & 1) && v3_axis(d->max, a) - v3_axis(x, a) < (double)reach;
        if ((low && n[a] < 0) || (high && n[a] > 0) || a >= j->scene->dimensions) n[a] = 0;
        length2 += n[a] * n[a];
    }
    const float length = sqrtf(length2);
    const bool surface = length > at_surface * sum[4] && length > 0;
    for (int a = 0; a < 3; a++) out[a] = surface ? n[a] / length : 0;
}

static void first_pass(void *arg, size_t begin, size_t end, int worker)
{
    const job *j = arg;
    const sample_cells *c = j->liquid;
    near_samples *near = (near_samples *)&j->near[worker];
    int32_t last[3] = {INT32_MIN, 0, 0}, cell[3] = {0};
    for (size_t i = begin; i < end; i++) {
        sample_cell_at(c, c->position[i], cell);
        if (cell[0] != last[0] || cell[1] != last[1] || cell[2] != last[2]) {
            near_samples_gather(c, cell, NULL, near);
            for (int a = 0; a < 3; a++) last[a] = cell[a];
        }
        float at[3], sum[5];
        const rill_vec3 u = c->velocity[i];
        const float v[3] = {(float)u.x, (float)u.y, (float)u.z};
        near_samples_place(c, cell, c->position[i], at);
        add_first(near, at, v, sum);
        j->p.trapped[i] = sum[0];
        finish_normal(j, c->position[i], SAMPLE_REACH * c->spacing[i], sum, j->p.normal[i]);
    }
}

static bool crest_possible(const job *j, size_t i)
{
    const float *n = j->p.normal[i];
    const rill_vec3 v = j->liquid->velocity[i];
    const double speed = v3_length(v);
    return speed > j->range.speed[0] && n[0] * n[0] + n[1] * n[1] + n[2] * n[2] > 0.5f &&
           v.x * (double)n[0] + v.y * (double)n[1] + v.z * (double)n[2] >= along_normal * speed; /* eq. 7 */
}

static void second_pass(void *arg, size_t begin, size_t end, int worker)
{
    const job *j = arg;
    const sample_cells *c = j->liquid;
    const scene_whitewater *w = &j->scene->whitewater;
    near_samples *near = (near_samples *)&j->near[worker];
    const double energy[2] = {0.5 * j->range.speed[0] * j->range.speed[0],
                              0.5 * j->range.speed[1] * j->range.speed[1]};
    int32_t last[3] = {INT32_MIN, 0, 0}, cell[3] = {0};
    for (size_t i = begin; i < end; i++) {
        j->p.crest[i] = 0;
        if (crest_possible(j, i)) {
            sample_cell_at(c, c->position[i], cell);
            if (cell[0] != last[0] || cell[1] != last[1] || cell[2] != last[2]) {
                near_samples_gather(c, cell, (const float(*)[3])j->p.normal, near);
                for (int a = 0; a < 3; a++) last[a] = cell[a];
            }
            float at[3];
            near_samples_place(c, cell, c->position[i], at);
            j->p.crest[i] = add_crest(near, at, j->p.normal[i]);
        }
        const double v2 = v3_dot(c->velocity[i], c->velocity[i]);
        const double air = potential_clamp((double)j->p.trapped[i], j->range.trapped),
                     crest = potential_clamp((double)j->p.crest[i], j->range.crest);
        const double volume = pow((double)c->spacing[i] / j->scene->spacing, j->scene->dimensions);
        j->p.rate[i] = (float)(volume * potential_clamp(0.5 * v2, energy) *
                               (w->trapped_air * air + w->wave_crests * crest)); /* eq. 8 */
    }
}

rill_status potentials_build(rill_ctx *ctx, rill_arena *arena, const rill_scene *scene,
                             const sample_cells *liquid, potentials *out)
{
    job j = {.scene = scene, .liquid = liquid, .range = potential_ranges_of(scene)};
    TRY(ARENA_NEW(arena, j.p.trapped, liquid->count));
    TRY(ARENA_NEW(arena, j.p.crest, liquid->count));
    TRY(ARENA_NEW(arena, j.p.normal, liquid->count));
    TRY(ARENA_NEW(arena, j.p.rate, liquid->count));
    for (int k = 0; k < parallel_workers(ctx); k++) TRY(near_samples_init(arena, liquid, &j.near[k]));
    parallel_for(ctx, liquid->count, BLOCK, first_pass, &j);
    parallel_for(ctx, liquid->count, BLOCK, second_pass, &j);
    *out = j.p;
    return RILL_OK;
}
