/* Contents of lattice cells, and the cells that get a particle. */
#include "flow/fill_plan.h"

#include "base/parallel.h"
#include "flow/cover.h"

#include <stdlib.h>

static const double most = 2147483648.0;
/* A cell is full, or empty, but for rounding and what scenes are written with. */
static const double tolerance = 2e-3;
/* Liquid that fills no cell more than this is too thin for the spacing. */
static const float thinnest = 0.1f;

fill_lattice fill_lattice_of(const rill_scene *scene, const solids *walls)
{
    const double spacing = scene_particle_spacing(scene), h = 0.5 * spacing;
    fill_lattice l = {.scene = scene,
                      .walls = walls,
                      .origin = v3_add(scene->domain.min, v3(h, h, h)),
                      .spacing = spacing,
                      .time = -scene->time.preroll,
                      .after = -INFINITY};
    if (scene->dimensions == 2) l.origin.z = 0;
    if (walls) l.inner = *walls;
    l.inner.domain.open = ~0u;
    return l;
}

rill_vec3 fill_place(const fill_lattice *l, int64_t i, int64_t j, int64_t k)
{
    return v3(l->origin.x + (double)i * l->spacing, l->origin.y + (double)j * l->spacing,
              l->origin.z + (double)k * l->spacing);
}

bool fill_range_of(const fill_lattice *l, uint32_t liquid, fill_range *out, double *count)
{
    const rill_box b = shape_bounds(&l->scene->liquid[liquid].shape);
    const scene_domain *domain = &l->scene->domain;
    double first[3], last[3];
    *count = 1;
    for (int a = 0; a < 3; a++) {
        first[a] = last[a] = 0;
        if (a == 2 && l->scene->dimensions == 2) continue;
        const double lo = fmax(v3_axis(b.min, a), v3_axis(domain->min, a)),
                     hi = fmin(v3_axis(b.max, a), v3_axis(domain->max, a)), corner = v3_axis(domain->min, a);
        if (!(lo < hi)) return false;
        first[a] = floor((lo - corner) / l->spacing + 1e-6);
        last[a] = ceil((hi - corner) / l->spacing - 1e-6) - 1;
        if (!(first[a] <= last[a])) return false;
        *count *= last[a] - first[a] + 1;
    }
    if (*count > most) return true; /* the caller refuses; the range might not fit */
    for (int a = 0; a < 3; a++) {
        out->begin[a] = (int64_t)first[a];
        out->end[a] = (int64_t)last[a] + 1;
    }
    return true;
}

rill_status fill_check_size(rill_ctx *ctx, const fill_lattice *l)
{
    const rill_scene *scene = l->scene;
    double all = 0, count;
    fill_range range;
    for (uint32_t i = 0; i < scene->liquid_count; i++)
        if (fill_range_of(l, i, &range, &count)) all += count;
    if (all <= most) return RILL_OK;
    const double factor = pow(all / most, scene->dimensions == 2 ? 0.5 : 1.0 / 3);
    return rill_fail(ctx, RILL_BAD_SCENE,
                     "spacing %g gives up to %.3g particles, more than the %.3g that can be run; spacing "
                     "%.3g would do",
                     scene->spacing, all, most, 1.02 * factor * scene->spacing);
}

/* ---- cells by the distances at their middles ---- */

/* Half a diagonal: no farther from its middle is any point of a cell. */
static double half_diagonal(const fill_lattice *l)
{
    return 0.5 * (1 + 1e-9) * sqrt((double)l->scene->dimensions) * l->spacing;
}

/* Boxes along the axes exactly, so that those on the lattice cost nothing. */
static fill_kind kind_in_box(const fill_lattice *l, const shape_box *b, rill_vec3 x)
{
    const double half = 0.5 * l->spacing, slack = 1e-6 * l->spacing;
    fill_kind kind = FILL_FULL;
    for (int a = 0; a < l->scene->dimensions; a++) {
        const double low = v3_axis(x, a) - half, high = v3_axis(x, a) + half;
        if (high < v3_axis(b->min, a) + slack || low > v3_axis(b->max, a) - slack) return FILL_NONE;
        if (low < v3_axis(b->min, a) - slack || high > v3_axis(b->max, a) + slack) kind = FILL_PERHAPS;
    }
    return kind;
}

static bool counts(const fill_lattice *l, uint32_t liquid)
{
    const double start = l->scene->liquid[liquid].start;
    return start > l->after && start <= l->until;
}

static fill_kind kind_in_liquid(const fill_lattice *l, uint32_t liquid, rill_vec3 x)
{
    const shape *s = &l->scene->liquid[liquid].shape;
    if (!counts(l, liquid)) return FILL_NONE;
    if (s->kind == SHAPE_BOX) return kind_in_box(l, &s->box, x);
    const double d = shape_distance(s, x, NULL), far = half_diagonal(l);
    return d <= -far ? FILL_FULL : d < far ? FILL_PERHAPS : FILL_NONE;
}

fill_kind fill_kind_of(const fill_lattice *l, uint32_t liquid, rill_vec3 x)
{
    const rill_scene *scene = l->scene;
    fill_kind kind = kind_in_liquid(l, liquid, x);
    if (kind == FILL_NONE) return FILL_NONE;
    for (uint32_t k = 0; k < liquid; k++) { /* what an earlier liquid fills is its own */
        const fill_kind other = kind_in_liquid(l, k, x);
        if (other == FILL_FULL) return FILL_NONE;
        if (other == FILL_PERHAPS) kind = FILL_PERHAPS;
    }
    const shape_box domain = {scene->domain.min, scene->domain.max};
    if (kind_in_box(l, &domain, x) != FILL_FULL) kind = FILL_PERHAPS;
    if (l->inner.count == 0) return kind;
    const double d = solids_distance(&l->inner, x, l->time, NULL), far = half_diagonal(l);
    return d <= -far ? FILL_NONE : d < far ? FILL_PERHAPS : kind;
}

bool fill_is_full(const fill_lattice *l, rill_vec3 x)
{
    for (uint32_t q = 0; q < l->scene->liquid_count; q++)
        if (fill_kind_of(l, q, x) == FILL_FULL) return true;
    return false;
}

/* ---- contents ---- */

typedef struct {
    const fill_lattice *lattice;
    uint32_t liquid;
    fill_range range;
    uint32_t *full, *cut; /* per row: how many */
    uint64_t *first;      /* per row: of its cut cells */
    fill_cut *out;
    double *shares; /* per worker and liquid */
} job;

static rill_vec3 row_start(const job *j, size_t row, int64_t at[3])
{
    const size_t across = (size_t)(j->range.end[1] - j->range.begin[1]);
    at[0] = j->range.begin[0];
    at[1] = j->range.begin[1] + (int64_t)(row % across);
    at[2] = j->range.begin[2] + (int64_t)(row / across);
    return fill_place(j->lattice, at[0], at[1], at[2]);
}

static void count_rows(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    for (size_t row = begin; row < end; row++) {
        int64_t at[3];
        row_start(j, row, at);
        j->full[row] = j->cut[row] = 0;
        for (; at[0] < j->range.end[0]; at[0]++) {
            const fill_kind kind =
                fill_kind_of(j->lattice, j->liquid, fill_place(j->lattice, at[0], at[1], at[2]));
            j->full[row] += kind == FILL_FULL;
            j->cut[row] += kind == FILL_PERHAPS;
        }
    }
}

static void list_rows(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    const size_t length = fill_length(&j->range);
    for (size_t row = begin; row < end; row++) {
        int64_t at[3];
        uint64_t to = j->first[row];
        row_start(j, row, at);
        for (size_t i = 0; i < length && to < j->first[row + 1]; i++) {
            const rill_vec3 x = fill_place(j->lattice, at[0] + (int64_t)i, at[1], at[2]);
            if (fill_kind_of(j->lattice, j->liquid, x) == FILL_PERHAPS)
                j->out[to++] = (fill_cut){.place = (uint64_t)row * length + i};
        }
    }
}

/* Liquid in a small cube, and which liquid has how much of it; of[q] < 0: not near. */
static double sample(const job *j, rill_vec3 x, double side, bool walled, double *of)
{
    const fill_lattice *l = j->lattice;
    cover liquid = {0, {0, 1, 0}};
    for (uint32_t q = 0; q < l->scene->liquid_count; q++) {
        if (of[q] < 0) continue;
        const cover c = cover_of_shape(&l->scene->liquid[q].shape, x, side);
        of[q] += c.share;
        liquid = cover_union(liquid, c);
    }
    if (liquid.share <= 0 || !walled) return liquid.share;
    const cover walls = cover_of_walls(&l->inner, x, l->time, side);
    return cover_intersection(liquid, cover_outside(walls)).share;
}

/* The liquid that fills most of the cell, of equals the first. */
static bool owns(const double *of, uint32_t liquids, uint32_t liquid)
{
    double share = 0;
    for (uint32_t q = 0; q < liquids; q++) share = fmax(share, of[q]);
    for (uint32_t q = 0; q < liquids; q++)
        if (of[q] >= share - 1e-4) return q == liquid;
    return false;
}

/* Solids or a side of the domain may cut the cell. */
static bool near_walls(const fill_lattice *l, rill_vec3 x)
{
    const shape_box domain = {l->scene->domain.min, l->scene->domain.max};
    return kind_in_box(l, &domain, x) != FILL_FULL ||
           (l->inner.count && solids_distance(&l->inner, x, l->time, NULL) < half_diagonal(l));
}

static void measure(const job *j, rill_vec3 x, double *of, fill_cut *cut)
{
    const fill_lattice *l = j->lattice;
    const bool flat = l->scene->dimensions == 2, walled = near_walls(l, x);
    const int n = flat ? 8 : 4, layers = flat ? 1 : n;
    const uint32_t liquids = l->scene->liquid_count;
    const double side = 1.0 / n, all = (double)n * n * layers;
    double content = 0;
    rill_vec3 wet = {0, 0, 0}, dry = {0, 0, 0};
    for (uint32_t q = 0; q < liquids; q++) of[q] = kind_in_liquid(l, q, x) == FILL_NONE ? -1 : 0;
    for (int k = 0; k < n * n * layers; k++) {
        const rill_vec3 d = v3((k % n + 0.5) * side - 0.5, (k / n % n + 0.5) * side - 0.5,
                               flat ? 0 : (k / n / n + 0.5) * side - 0.5);
        const double share = sample(j, v3_madd(x, l->spacing, d), side * l->spacing, walled, of);
        content += share;
        wet = v3_madd(wet, share, d);
        dry = v3_madd(dry, 1 - share, d);
    }
    for (int a = 0; a < 3; a++) {
        cut->wet[a] = content > 0 ? (float)(v3_axis(wet, a) / content) : 0;
        cut->dry[a] = content < all ? (float)(v3_axis(dry, a) / (all - content)) : 0;
    }
    cut->content = (float)(content / all);
    if (cut->content > 1 - tolerance) cut->content = 1;
    if (cut->content < tolerance || !owns(of, liquids, j->liquid)) cut->content = 0;
}

static void measure_block(void *arg, size_t begin, size_t end, int worker)
{
    const job *j = arg;
    for (size_t k = begin; k < end; k++) {
        int64_t at[3];
        fill_cell(&j->range, j->out[k].place, at);
        measure(j, fill_place(j->lattice, at[0], at[1], at[2]),
                j->shares + (size_t)worker * j->lattice->scene->liquid_count, &j->out[k]);
    }
}

static rill_status count_and_list(rill_ctx *ctx, job *j, fill_part *part)
{
    const size_t rows = fill_rows(&part->range);
    rill_status st = MEM_NEW(ctx, j->full, rows);
    if (!st) st = MEM_NEW(ctx, j->cut, rows);
    if (!st) st = MEM_NEW(ctx, j->first, rows + 1);
    if (!st) {
        parallel_for(ctx, rows, 16, count_rows, j);
        for (size_t row = 0; row < rows; row++) part->full += j->full[row];
        scan_u32(ctx, j->cut, rows, j->first);
        part->cuts = (size_t)j->first[rows];
        st = MEM_NEW(ctx, part->cut, part->cuts);
    }
    if (!st) {
        j->out = part->cut;
        parallel_for(ctx, rows, 16, list_rows, j);
    }
    mem_free(ctx, j->first);
    mem_free(ctx, j->cut);
    mem_free(ctx, j->full);
    return st;
}

static rill_status look_at_liquid(rill_ctx *ctx, fill_plan *p, uint32_t q, double *shares)
{
    fill_part *part = &p->part[q];
    job j = {.lattice = &p->lattice, .liquid = q, .shares = shares};
    double size;
    if (!counts(&p->lattice, q) || !fill_range_of(&p->lattice, q, &part->range, &size)) return RILL_OK;
    j.range = part->range;
    TRY(count_and_list(ctx, &j, part));
    parallel_for(ctx, part->cuts, 64, measure_block, &j);
    size_t kept = 0;
    float thickest = part->full ? 1 : 0;
    for (size_t k = 0; k < part->cuts; k++) {
        thickest = fmaxf(thickest, part->cut[k].content);
        if (part->cut[k].content == 0) continue;
        part->content += part->cut[k].content;
        part->cut[kept++] = part->cut[k];
    }
    part->cuts = kept;
    if (thickest < thinnest) { /* particles far apart would not be a film */
        part->cuts = 0;
        part->content = 0;
    }
    return RILL_OK;
}

/* ---- choice ---- */

/* From 0 to 1, spread evenly over any lattice row, plane or block: an additive recurrence in the inverse
 * powers of the root of x^(d + 1) = x + 1. */
static double threshold(const int64_t at[3], int dimensions)
{
    static const double step[2][3] = {{0.7548776662466927, 0.5698402909980532, 0},
                                      {0.8191725133961645, 0.6710436067037893, 0.5497004779019703}};
    const double *a = step[dimensions == 2 ? 0 : 1];
    const double x = 0.5 + a[0] * (double)at[0] + a[1] * (double)at[1] + a[2] * (double)at[2];
    return x - floor(x);
}

typedef struct {
    double score;
    fill_cut *cut;
} candidate;

static int by_score(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->score != y->score) return x->score > y->score ? -1 : 1;
    return x->cut < y->cut ? -1 : x->cut > y->cut;
}

/* As many of the cut cells as their contents add up to. */
static rill_status choose(rill_ctx *ctx, fill_plan *p)
{
    size_t count = 0, cuts = 0;
    double content = 0;
    candidate *list;
    for (uint32_t q = 0; q < p->count; q++) cuts += p->part[q].cuts;
    TRY(MEM_NEW(ctx, list, cuts));
    for (uint32_t q = 0; q < p->count; q++)
        for (size_t k = 0; k < p->part[q].cuts; k++) {
            fill_cut *cut = &p->part[q].cut[k];
            int64_t at[3];
            cut->taken = cut->content >= 1;
            if (cut->taken) continue;
            fill_cell(&p->part[q].range, cut->place, at);
            list[count++] = (candidate){cut->content - threshold(at, p->lattice.scene->dimensions), cut};
            content += cut->content;
        }
    qsort(list, count, sizeof *list, by_score);
    const double wanted = fmin(rint(content), (double)count);
    for (size_t k = 0; k < (size_t)wanted; k++) list[k].cut->taken = true;
    for (uint32_t q = 0; q < p->count; q++)
        for (size_t k = 0; k < p->part[q].cuts; k++) p->part[q].taken += p->part[q].cut[k].taken;
    mem_free(ctx, list);
    return RILL_OK;
}

rill_status fill_plan_build(rill_ctx *ctx, const fill_lattice *l, fill_plan *out)
{
    fill_plan p = {.lattice = *l, .count = l->scene->liquid_count};
    double *shares = NULL;
    TRY(fill_check_size(ctx, &p.lattice));
    rill_status st = MEM_NEW_ZERO(ctx, p.part, p.count);
    if (!st) st = MEM_NEW(ctx, shares, (size_t)parallel_workers(ctx) * p.count);
    for (uint32_t q = 0; !st && q < p.count; q++) st = look_at_liquid(ctx, &p, q, shares);
    if (!st) st = choose(ctx, &p);
    mem_free(ctx, shares);
    if (st)
        fill_plan_clear(ctx, &p);
    else
        *out = p;
    return st;
}

void fill_plan_clear(rill_ctx *ctx, fill_plan *p)
{
    for (uint32_t q = 0; p->part && q < p->count; q++) mem_free(ctx, p->part[q].cut);
    mem_free(ctx, p->part);
    *p = (fill_plan){0};
}

uint64_t fill_plan_count(const fill_plan *p)
{
    uint64_t count = 0;
    for (uint32_t q = 0; q < p->count; q++) count += p->part[q].full + p->part[q].taken;
    return count;
}

double fill_plan_volume(const fill_plan *p)
{
    double volume = 0;
    for (uint32_t q = 0; q < p->count; q++) volume += (double)p->part[q].full + p->part[q].content;
    return volume;
}
