/* Waves of blocks of cells: a block's cells are made by one worker into the block's own
 * buffers; when the wave is done the places are known, and the blocks are copied to them.
 * So the order of the result depends on the points alone, and little more memory than the
 * result is held. Then each face is found among those of its other cell (voronoi_join.c). */
#include "geom/voronoi/voronoi.h"

#include "geom/voronoi/voronoi_emit.h"
#include "geom/voronoi/voronoi_join.h"

#include <string.h>

#define LEAST_EXTENT 1e-60 /* of a box: products of six lengths must be numbers */

enum { BLOCK = 32, WAVE_BLOCKS = 128, WAVE = BLOCK * WAVE_BLOCKS };

voronoi_def voronoi_def_default(rill_box box)
{
    return (voronoi_def){.box = box};
}

void voronoi_init(voronoi *v, rill_ctx *ctx)
{
    *v = (voronoi){.ctx = ctx};
    arena_init(&v->scratch, ctx);
}

void voronoi_forget_corners(voronoi *v)
{
    mem_free(v->ctx, v->vertex);
    mem_free(v->ctx, v->corner);
    mem_free(v->ctx, v->owner);
    v->vertex = NULL;
    v->corner = v->owner = NULL;
    v->capacity.vertex = v->capacity.corner = v->capacity.owner = 0;
    v->vertex_count = v->corner_count = 0;
    v->vertices = false;
    if (v->scratch.used > 1 << 20) arena_clear(&v->scratch);
}

void voronoi_forget(voronoi *v)
{
    voronoi_forget_corners(v);
    mem_free(v->ctx, v->cell);
    mem_free(v->ctx, v->face);
    mem_free(v->ctx, v->link);
    v->cell = NULL;
    v->face = NULL;
    v->link = NULL;
    v->capacity.cell = v->capacity.face = v->capacity.link = 0;
    v->count = v->face_count = v->link_count = 0;
}

void voronoi_clear(voronoi *v)
{
    mem_free(v->ctx, v->cell);
    mem_free(v->ctx, v->face);
    mem_free(v->ctx, v->link);
    mem_free(v->ctx, v->corner);
    mem_free(v->ctx, v->vertex);
    mem_free(v->ctx, v->owner);
    for (int i = 0; v->out && i < WAVE_BLOCKS; i++) voronoi_out_clear(v->ctx, &v->out[i]);
    mem_free(v->ctx, v->out);
    arena_clear(&v->scratch);
    voronoi_init(v, v->ctx);
}

/* -- what comes in --------------------------------------------------------------------- */

typedef struct {
    const rill_vec3 *x;
    const double *weight;
    rill_box box;
} input;

/* Minus the first index of a point that is wrong, so that the largest is the first. */
static double first_wrong(void *arg, size_t begin, size_t end)
{
    const input *in = arg;
    for (size_t i = begin; i < end; i++)
        if (!box_contains(in->box, in->x[i]) || (in->weight && !isfinite(in->weight[i]))) return -(double)i;
    return -INFINITY;
}

static double largest_weight(void *arg, size_t begin, size_t end)
{
    const input *in = arg;
    double most = in->weight[begin];
    for (size_t i = begin; i < end; i++) most = fmax(most, in->weight[i]);
    return most;
}

static rill_status check_input(rill_ctx *ctx, const voronoi_def *def, const rill_vec3 *x, uint32_t count)
{
    const rill_vec3 size = box_size(def->box);
    const double least = fmin(size.x, fmin(size.y, size.z)), most = fmax(size.x, fmax(size.y, size.z));
    if (!(least >= LEAST_EXTENT && most <= 1 / LEAST_EXTENT) || !v3_finite(def->box.min))
        return rill_fail(ctx, RILL_USAGE, "Voronoi cells need a box with extents from %g to %g", LEAST_EXTENT,
                         1 / LEAST_EXTENT);
    if (!(def->cap >= 0 && isfinite(def->cap)))
        return rill_fail(ctx, RILL_USAGE, "the cap of Voronoi cells must not be negative");
    if (count > VORONOI_MOST)
        return rill_fail(ctx, RILL_USAGE, "%u points are too many for Voronoi cells, %d are possible", count,
                         VORONOI_MOST);
    input in = {x, def->weight, def->box};
    const double wrong = count ? parallel_max(ctx, count, first_wrong, &in) : -INFINITY;
    if (wrong == -INFINITY) return RILL_OK;
    const uint32_t i = (uint32_t)-wrong;
    if (!v3_finite(x[i]))
        return rill_fail(ctx, RILL_BLEW_UP, "point %u is not finite: (%g, %g, %g)", i, x[i].x, x[i].y,
                         x[i].z);
    if (!box_contains(def->box, x[i]))
        return rill_fail(ctx, RILL_BLEW_UP,
                         "point %u at (%g, %g, %g) is outside of the box (%g, %g, %g) to (%g, %g, %g)", i,
                         x[i].x, x[i].y, x[i].z, def->box.min.x, def->box.min.y, def->box.min.z,
                         def->box.max.x, def->box.max.y, def->box.max.z);
    return rill_fail(ctx, RILL_BLEW_UP, "the weight of point %u is not finite", i);
}

/* Coordinates near zero can differ by so little that the square of it is nothing. They are
 * rounded to 2^-60 of the box, so that points are in one place or apart. */
static double rounded(double x, double scale)
{
    return fabs(x) < 0.5 * scale ? (x + scale) - scale : x;
}

static void round_points(bins *b, rill_box box)
{
    const rill_vec3 size = box_size(box);
    const double scale = ldexp(1, ilogb(fmax(size.x, fmax(size.y, size.z))) - 8);
    for (uint32_t k = 0; k < b->count; k++) {
        b->x[k] = rounded(b->x[k], scale);
        b->y[k] = rounded(b->y[k], scale);
        b->z[k] = rounded(b->z[k], scale);
    }
}

/* -- points in one place ----------------------------------------------------------------- */

typedef struct {
    const bins *b;
    uint8_t *drop;
} twin_job;

/* Equal points are in the same bin, in order of their ids: all but the first are marked. */
static void mark_twins(const bins *b, uint32_t begin, uint32_t end, uint8_t *drop)
{
    const bool crowd = end - begin > BINS_MOST; /* then all are in one place (bins.h) */
    for (uint32_t k = begin; k < end; k++) {
        drop[k] = crowd && k > begin;
        for (uint32_t i = begin; i < k && !crowd; i++)
            drop[k] |= b->x[i] == b->x[k] && b->y[i] == b->y[k] && b->z[i] == b->z[k];
    }
}

static void twin_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const twin_job *j = arg;
    for (size_t g = 0; g < j->b->grid_count; g++) {
        const bins_grid *grid = &j->b->grid[g];
        const size_t total = (size_t)grid->n[0] * grid->n[1] * grid->n[2];
        if (g > 0 && begin > 0) break; /* refined ones: with the first block */
        const size_t from = g ? 0 : begin, to = g ? total : end;
        for (size_t i = from; i < to; i++)
            if (!grid->child || !grid->child[i])
                mark_twins(j->b, grid->start[i], grid->start[i + 1], j->drop);
    }
}

static rill_status handle_twins(voronoi *v, const voronoi_def *def, bins *b, uint32_t *merged)
{
    twin_job j = {.b = b};
    TRY(ARENA_NEW(&v->scratch, j.drop, b->count));
    const bins_grid *root = b->grid;
    parallel_for(v->ctx, (size_t)root->n[0] * root->n[1] * root->n[2], 1 << 14, twin_block, &j);
    uint32_t twins = 0, first = UINT32_MAX;
    for (uint32_t k = 0; k < b->count; k++)
        if (j.drop[k]) {
            twins++;
            if (b->order[k] < first) first = b->order[k];
        }
    *merged = twins;
    if (twins == 0) return RILL_OK;
    if (!def->merge) {
        uint32_t k = 0, other = UINT32_MAX;
        while (b->order[k] != first) k++;
        for (uint32_t i = 0; i < b->count; i++)
            if (i != k && b->x[i] == b->x[k] && b->y[i] == b->y[k] && b->z[i] == b->z[k] &&
                b->order[i] < other)
                other = b->order[i];
        return rill_fail(
            v->ctx, RILL_BLEW_UP,
            "points %u and %u are both at (%g, %g, %g), and %u more share their place with another; "
            "merge or move them apart",
            other, first, b->x[k], b->y[k], b->z[k], twins - 1);
    }
    uint32_t *scratch;
    TRY(ARENA_NEW(&v->scratch, scratch, (size_t)b->count + 1));
    bins_drop(b, j.drop, scratch);
    return RILL_OK;
}

/* -- cells ------------------------------------------------------------------------------- */

typedef struct {
    voronoi *v;
    const voronoi_def *def;
    voronoi_space space;
    voronoi_worker *worker;
    voronoi_place *place; /* per point in sorted order */
    voronoi_cell *cell;   /* in sorted order: scattered once all are made */
    voronoi_out *out;     /* per block of a wave */
    uint32_t wave;        /* first cell of the wave, in sorted order */
    uint32_t end;         /* of the wave */
} build;

static void make_block(void *arg, size_t begin, size_t end, int worker)
{
    const build *j = arg;
    const bins *b = j->space.b;
    voronoi_worker *w = &j->worker[worker];
    voronoi_out *o = &j->out[begin / BLOCK];
    o->faces = o->links = o->corners = o->vertices = o->big = 0;
    o->failed = false;
    for (size_t i = begin; i < end && !o->failed; i++) {
        const uint32_t k = j->wave + (uint32_t)i;
        voronoi_poly p;
        cell_state st = voronoi_cell_small(&j->space, w, k, &p);
        if (st == CELL_OVERFLOW) {
            o->big++;
            st = voronoi_cell_big(&j->space, w, k, &p);
        }
        if (st == CELL_OK)
            j->place[k].owned = voronoi_emit(j->v->ctx, b, k, &p, j->def->vertices, o, &j->cell[k]);
        else if (st == CELL_NO_MEMORY)
            o->failed = true;
        else {
            j->place[k].owned = 0;
            j->cell[k] = (voronoi_cell){.centroid = v3(b->x[k], b->y[k], b->z[k]), .begin = o->links};
        }
    }
}

typedef struct {
    const build *j;
    uint32_t face[WAVE_BLOCKS], link[WAVE_BLOCKS], corner[WAVE_BLOCKS],
        vertex[WAVE_BLOCKS]; /* first of each */
} places;

static void copy_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const places *p = arg;
    const build *j = p->j;
    voronoi *v = j->v;
    const size_t block = begin / BLOCK;
    const voronoi_out *o = &j->out[block];
    uint32_t face = p->face[block];
    for (size_t i = begin; i < end; i++) {
        const uint32_t k = j->wave + (uint32_t)i;
        j->cell[k].begin += p->link[block];
        j->place[k].begin = j->cell[k].begin;
        j->place[k].faces = j->cell[k].faces;
        j->place[k].face = face;
        face += j->place[k].owned;
    }
    voronoi_face *to = v->face + p->face[block];
    for (uint32_t f = 0; f < o->faces; f++) {
        to[f] = o->face[f];
        to[f].first += p->corner[block];
    }
    if (o->links) memcpy(v->link + p->link[block], o->link, o->links * sizeof *o->link);
    for (uint32_t c = 0; c < o->corners; c++)
        v->corner[p->corner[block] + c] = o->corner[c] + p->vertex[block];
    if (o->vertices) memcpy(v->vertex + p->vertex[block], o->vertex, o->vertices * sizeof *o->vertex);
    if (o->vertices) memcpy(v->owner + p->vertex[block], o->owner, o->vertices * sizeof *o->owner);
}

/* As much as all cells will need if they are like those so far, or like those of the last build when that is
 * more: growing later would hold an array twice, and what is not used costs nothing. */
static size_t expected(const build *j, uint32_t used, double before)
{
    const double all = j->space.b->count, share = all / j->end;
    return (size_t)fmax(used * (share > 1 ? share * 1.02 : 1), 1.02 * before * all) + 64;
}

#define WANT(v, name, used, j)                                                                             \
    ((used) <= (v)->capacity.name ? RILL_OK                                                                \
                                  : mem_grow((v)->ctx, &(v)->name, sizeof *(v)->name, &(v)->capacity.name, \
                                             expected((j), (used), (v)->per_cell.name)))

static rill_status place_wave(build *j)
{
    voronoi *v = j->v;
    places p = {.j = j};
    const uint32_t n = j->end - j->wave;
    for (uint32_t i = 0; i * BLOCK < n; i++) {
        const voronoi_out *o = &j->out[i];
        if (o->failed) return rill_fail(v->ctx, RILL_NO_MEMORY, "out of memory for Voronoi cells");
        p.face[i] = v->face_count;
        p.link[i] = v->link_count;
        p.corner[i] = v->corner_count;
        p.vertex[i] = v->vertex_count;
        v->face_count += o->faces;
        v->link_count += o->links;
        v->corner_count += o->corners;
        v->vertex_count += o->vertices;
        v->big += o->big;
    }
    TRY(WANT(v, face, v->face_count, j));
    TRY(WANT(v, link, v->link_count, j));
    TRY(WANT(v, corner, v->corner_count, j));
    TRY(WANT(v, vertex, v->vertex_count, j));
    TRY(WANT(v, owner, v->vertex_count, j));
    parallel_for(v->ctx, n, BLOCK, copy_block, &p);
    return RILL_OK;
}

static void remember(voronoi *v, uint32_t cells)
{
    v->per_cell.face = (double)v->face_count / cells;
    v->per_cell.link = (double)v->link_count / cells;
    v->per_cell.corner = (double)v->corner_count / cells;
    v->per_cell.vertex = v->per_cell.owner = (double)v->vertex_count / cells;
}

static void scatter_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const build *j = arg;
    for (size_t k = begin; k < end; k++) j->v->cell[j->space.b->order[k]] = j->cell[k];
}

static rill_status make_cells(build *j)
{
    voronoi *v = j->v;
    const uint32_t count = j->space.b->count;
    for (j->wave = 0; j->wave < count; j->wave = j->end) {
        if (rill_cancelled(v->ctx)) return rill_fail(v->ctx, RILL_CANCELLED, "stopped on request");
        j->end = count - j->wave < WAVE ? count : j->wave + WAVE;
        parallel_for(v->ctx, j->end - j->wave, BLOCK, make_block, j);
        TRY(place_wave(j));
    }
    parallel_for(v->ctx, count, WAVE, scatter_block, j);
    remember(v, count);
    return voronoi_join(v, j->space.b, j->place);
}

static rill_status make_workers(build *j)
{
    rill_arena *a = &j->v->scratch;
    const int workers = parallel_workers(j->v->ctx);
    TRY(ARENA_NEW(a, j->worker, (size_t)workers));
    for (int i = 0; i < workers; i++) j->worker[i] = (voronoi_worker){.ctx = j->v->ctx};
    if (!j->v->out) TRY(MEM_NEW_ZERO(j->v->ctx, j->v->out, WAVE_BLOCKS));
    j->out = j->v->out;
    for (int i = 0; i < workers; i++) {
        j->worker[i].small = arena_alloc(a, small_cell_bytes(), 1);
        if (!j->worker[i].small) return mem_failed(j->v->ctx, 1, small_cell_bytes());
        memset(j->worker[i].small, 0, small_cell_bytes());
    }
    return RILL_OK;
}

static rill_status sort_weights(build *j, const bins *b)
{
    if (!j->def->weight) return RILL_OK;
    double *w;
    TRY(ARENA_NEW(&j->v->scratch, w, (size_t)b->count + 1));
    for (uint32_t k = 0; k < b->count; k++) w[k] = j->def->weight[b->order[k]];
    j->space.weight = w;
    return RILL_OK;
}

static rill_status sort_walls(build *j, const bins *b)
{
    if (!j->def->away) return RILL_OK;
    rill_vec3 *w;
    TRY(ARENA_NEW(&j->v->scratch, w, (size_t)b->count + 1));
    for (uint32_t k = 0; k < b->count; k++) w[k] = j->def->away[b->order[k]];
    j->space.away = w;
    return RILL_OK;
}

static rill_status build_all(build *j, bins *b, const rill_vec3 *x, uint32_t count)
{
    voronoi *v = j->v;
    TRY(mem_grow(v->ctx, &v->cell, sizeof *v->cell, &v->capacity.cell, count));
    TRY(ARENA_NEW(&v->scratch, j->place, count));
    TRY(ARENA_NEW(&v->scratch, j->cell, count));
    TRY(sort_weights(j, b));
    TRY(sort_walls(j, b));
    rill_status st = make_workers(j);
    v->count = count;
    for (uint32_t i = 0; i < count && v->merged; i++) v->cell[i] = (voronoi_cell){.centroid = x[i]};
    if (!st && b->count) st = make_cells(j);
    for (int i = 0; j->worker && i < parallel_workers(v->ctx); i++)
        big_cell_destroy(v->ctx, j->worker[i].big);
    return st;
}

rill_status voronoi_build(voronoi *v, const voronoi_def *def, const rill_vec3 *x, uint32_t count)
{
    TRY(check_input(v->ctx, def, x, count));
    arena_reset(&v->scratch);
    bins b;
    uint32_t merged = 0;
    TRY(bins_build(v->ctx, &v->scratch, x, count, &b));
    round_points(&b, def->box);
    TRY(handle_twins(v, def, &b, &merged));

    build j = {.v = v, .def = def, .space = {.b = &b, .box = def->box, .cap = def->cap}};
    input in = {x, def->weight, def->box};
    if (def->weight && count) j.space.most_weight = parallel_max(v->ctx, count, largest_weight, &in);
    v->count = v->face_count = v->link_count = v->corner_count = v->vertex_count = 0;
    v->box = def->box;
    v->cap = def->cap;
    v->vertices = def->vertices;
    v->clipped = false;
    v->merged = merged;
    v->one_sided = v->big = 0;
    v->one_sided_area = 0;
    const rill_status st = build_all(&j, &b, x, count);
    if (st) v->count = v->face_count = v->link_count = v->corner_count = v->vertex_count = 0;
    return st;
}
