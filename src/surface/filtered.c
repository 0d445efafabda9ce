#include "surface/filtered.h"

#include "base/parallel.h"
#include "surface/averages.h"
#include "surface/blur.h"
#include "surface/metaballs.h"
#include "surface/spray.h"

#include <string.h>

static const double spread_of_all = 1.73; /* variance of kernel and G together, in spacings squared */
static const filter_gates gates = {
    .noise = 0.12f, .detail = 0.22f, .inner = 0.10f, .outer = 0.18f, .whole = 0.45f, .sheet = 0.39f};

static float smooth_step(float t)
{
    const float u = t > 0 ? t < 1 ? t : 1 : 0;
    return u * u * (3 - 2 * u);
}

/* ---- weights of particles that see little ---- */

typedef struct {
    const surface_def *def;
    double level;
    float sheet, some; /* S_1, S_2 */
} lifting;

/* S_0 of a particle. Balls are cut from the grid with less volume than they have: vertices are on a sphere
 * and triangles inside, and the field is convex between samples. What makes up for it was measured, at
 * cells of 0.25 to 0.75 of the particle's spacing. */
static float lone_lift(const lifting *l, double cell)
{
    const double r = l->def->radius, ball = averages_ball(l->def->dimensions) *
                                            (1 + (l->def->dimensions == 2 ? 0.42 : 0.56) * cell * cell);
    const double t = fmax(1 - ball * ball / (r * r), 0.1);
    return (float)(l->level / (t * t * t));
}

static float weight_of(const lifting *l, float lone, float seen)
{
    const float share = fminf(fmaxf((seen - 1) / (l->some - 1), 0), 1);
    const float want = lone + share * (l->sheet - lone);
    return seen < want ? want / seen : 1;
}

/* The first value of the sampler's particles: weights, as cube roots. *most: the largest they can be. */
static rill_status lift(rill_ctx *ctx, const lifting *l, sampler *s, float *most)
{
    const float *spacing = particles_column(s->from, "spacing");
    float *root = NULL, lone = lone_lift(l, l->def->cell);
    TRY(MEM_NEW(ctx, root, s->from->count));
    const rill_status st = spray_seen(ctx, s, fmaxf(l->sheet, l->some), root);
    for (size_t i = 0; i < s->from->count && !st; i++) {
        if (spacing && root[i] < l->some)
            lone = lone_lift(l, l->def->cell * l->def->spacing / (double)spacing[s->particle[i]]);
        const float w = weight_of(l, lone, root[i]);
        root[i] = w > 1 ? cbrtf(w) : 1;
    }
    if (st)
        mem_free(ctx, root);
    else
        s->value[s->values++] = root;
    *most = fmaxf(lone_lift(l, l->def->cell), 1);
    return st;
}

/* One more value where sizes differ: what makes weights times log2 of the size, as cube roots. */
static rill_status add_sizes(rill_ctx *ctx, const surface_def *def, sampler *s)
{
    const float *spacing = particles_column(s->from, "spacing");
    if (!spacing) return RILL_OK;
    TRY(sampler_add_value(ctx, s));
    for (size_t i = 0; i < s->from->count; i++) {
        const float size = log2f(spacing[s->particle[i]] / (float)def->spacing);
        s->value[1][i] = s->value[0][i] * cbrtf(fmaxf(size, 0));
    }
    return RILL_OK;
}

rill_status filtered_prepare(rill_ctx *ctx, const surface_def *def, sampler *s, field *out)
{
    const double level = metaballs_level(def->radius, def->dimensions);
    const lifting l = {def, level, (float)(1.2 * level), (float)fmax(0.6 * level, 1.01)};
    float most;
    TRY(lift(ctx, &l, s, &most));
    TRY(add_sizes(ctx, def, s));
    metaballs_field(def, s, most, out);
    out->slope = NULL; /* that of the samples, which are another field's after filtering */
    out->steep *= 0.6f;
    return RILL_OK;
}

/* ---- the filter ---- */

typedef struct {
    const sampler *s;
    const level_grid *grid;
    float *size; /* per sample: the mean log2 of sizes */
    sampler_near near[PARALLEL_MAX_THREADS];
} sizing;

static void find_sizes(void *arg, size_t begin, size_t end, int worker)
{
    sizing *a = arg;
    const level_grid *g = a->grid;
    const size_t samples = LEVEL_AREA * (size_t)g->layers;
    f8 row[LEVEL_AREA];
    for (size_t b = begin; b < end; b++) {
        if (g->slot[b] >= LEVEL_INSIDE) continue;
        sampler_gather(a->s, g->map.block[b], &a->near[worker]);
        metaballs_rows(g->layers, &a->near[worker], a->near[worker].value[1], row);
        const float *sum = (const float *)row, *all = g->value + g->slot[b] * samples;
        for (size_t i = 0; i < samples; i++)
            a->size[g->slot[b] * samples + i] = all[i] > 0 ? sum[i] / all[i] : 0;
    }
}

/* How coarse the liquid is at each sample; left NULL when all particles have one size. */
static rill_status make_sizes(rill_ctx *ctx, const sampler *s, const level_grid *grid, size_t n, float **out)
{
    if (s->values < 2) return RILL_OK;
    sizing a = {.s = s, .grid = grid};
    rill_status st = MEM_NEW(ctx, a.size, n);
    for (int w = 0; w < parallel_workers(ctx) && !st; w++) st = sampler_near_init(ctx, s, &a.near[w]);
    if (!st) parallel_for(ctx, grid->map.count, 8, find_sizes, &a);
    for (int w = 0; w < parallel_workers(ctx); w++) sampler_near_clear(ctx, &a.near[w]);
    if (st)
        mem_free(ctx, a.size);
    else
        *out = a.size;
    return st;
}

/* Blurs by a variance, in cells squared; `to` may be `from`. A kernel wide enough needs none. */
static void spread(rill_ctx *ctx, const level_grid *grid, double variance, const float *share,
                   const float *from, float *to, float *scratch)
{
    const int rounds = (int)ceil(variance / (BLUR_WIDEST * BLUR_WIDEST));
    if (rounds == 0 && to != from) memcpy(to, from, level_kept(grid) * sizeof *to);
    if (rounds == 0) return;
    const blur b = {.grid = grid, .width = sqrt(variance / rounds), .share = share};
    for (int k = 0; k < rounds; k++) blur_samples(ctx, &b, k ? to : from, to, scratch);
}

typedef struct {
    rill_ctx *ctx;
    const level_grid *grid;
    double variance;        /* of G where the liquid is finest, in cells squared */
    const float *size;      /* NULL: finest everywhere */
    float coarsest;         /* of the sizes */
    float *share, *scratch; /* share: NULL without sizes */
} smoothing;

/* G. Liquid of 2^j times the finest size gets the blurs 0 to j, which add up to 4^j times the variance. */
static void smooth(const smoothing *a, const float *from, float *to)
{
    const size_t n = level_kept(a->grid);
    spread(a->ctx, a->grid, a->variance, NULL, from, to, a->scratch);
    for (int j = 1; a->size && (float)j < a->coarsest + 1; j++) {
        for (size_t i = 0; i < n; i++) a->share[i] = fminf(fmaxf(a->size[i] - (float)(j - 1), 0), 1);
        spread(a->ctx, a->grid, a->variance * 0.75 * pow(4, j), a->share, to, to, a->scratch);
    }
}

typedef struct {
    const filter_gates *g;
    float level;          /* of the surface, in units */
    float *value, *share; /* share: NULL, not wanted */
    const float *once, *twice;
    float unit;
} filtering;

static void combine(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const filtering *a = arg;
    const filter_gates *g = a->g;
    const float per = 1 / a->unit;
    for (size_t i = begin; i < end; i++) {
        const float c = a->value[i] * per, b = (2 * a->once[i] - a->twice[i]) * per, t = c - b;
        const float large = smooth_step((fabsf(t) - g->noise) / (g->detail - g->noise)),
                    off = smooth_step((fabsf(b - a->level) - g->inner) / (g->outer - g->inner)),
                    thin = t > 0 ? smooth_step((g->whole - a->once[i] * per) / (g->whole - g->sheet)) : 0;
        a->value[i] = a->unit * (b + t * (1 - (1 - large) * (1 - off) * (1 - thin)));
        if (a->share) a->share[i] = smooth_step((a->once[i] * per - 0.30f) / 0.08f);
    }
}

void filter_samples(rill_ctx *ctx, const level_grid *grid, double width, const filter_gates *g, float *value,
                    float *scratch)
{
    const size_t n = level_kept(grid);
    float *once = scratch, *twice = scratch + n, *other = scratch + 2 * n;
    spread(ctx, grid, width * width, NULL, value, once, other);
    spread(ctx, grid, width * width, NULL, once, twice, other);
    filtering f = {.g = g, .level = grid->level, .value = value, .once = once, .twice = twice, .unit = 1};
    parallel_for(ctx, n, 8192, combine, &f);
}

static float most_of(const float *value, size_t n)
{
    float most = 0;
    for (size_t i = 0; value && i < n; i++) most = fmaxf(most, value[i]);
    return most;
}

rill_status filtered_samples(rill_ctx *ctx, const surface_def *def, const sampler *s, level_grid *grid,
                             float **share)
{
    const size_t n = level_kept(grid);
    float *once = NULL, *twice = NULL, *other = NULL, *size = NULL, *part = NULL;
    rill_status st = make_sizes(ctx, s, grid, n, &size);
    if (!st) st = MEM_NEW(ctx, once, n);
    if (!st) st = MEM_NEW(ctx, twice, n);
    if (!st) st = MEM_NEW(ctx, other, n); /* scratch, then the shares */
    if (!st && size) st = MEM_NEW(ctx, part, n);
    if (!st) {
        const double kernel = def->radius * def->radius / (def->dimensions == 2 ? 10 : 11);
        const double variance = fmax(spread_of_all - kernel, 0) / (def->cell * def->cell);
        const float rough = (float)fmax(pow(fmax(spread_of_all - kernel, 0) / 1.2, 2), 1e-3);
        const smoothing a = {ctx, grid, variance, size, most_of(size, n), part, other};
        smooth(&a, grid->value, once);
        smooth(&a, once, twice);
        const filter_gates wide = {rough * gates.noise, rough * gates.detail, gates.inner,
                                   gates.outer,         gates.whole,          gates.sheet};
        filtering f = {&wide, 0.5f, grid->value, other, once, twice, grid->inside};
        parallel_for(ctx, n, 8192, combine, &f);
        *share = other;
    } else {
        mem_free(ctx, other);
    }
    mem_free(ctx, once);
    mem_free(ctx, twice);
    mem_free(ctx, size);
    mem_free(ctx, part);
    return st;
}
