/* Projection of particles that are sorted under a tree (geom/search/sized_lists.h), leaf by leaf; see
 * distances.h.
 *
 * Who may matter is gathered in three turns, each from what the one before found: for a leaf, for eight
 * particles of it, which lie next to each other along the curve, and for one (project.h); for where the eight
 * are, and when it is known which way they go, for their ways. Positions are
 * floats from the middle of their leaf, so that only their difference is added between leaves. */
#include "surface/distances.h"
#include "surface/field.h"
#include "surface/project.h"

#include <string.h>

enum { TURN = 8, SETS = 3 };

typedef struct {
    sampler_near set[SETS]; /* of a leaf, of eight of it, of one */
    float *memory;
    size_t capacity;
} leaf_scratch;

typedef struct {
    rill_ctx *ctx;
    const particles *from;
    const distances_tree *tree;
    projector projector;
    rill_vec3 *middle;    /* per leaf */
    float *x, *y, *z;     /* per particle, from there */
    float *reach, *value; /* m */
    float *distance;
    rill_vec3 *at;
    float (*normal)[4]; /* and the radius */
    leaf_scratch *worker;
    atomic_int failed;
} leaves_job;

/* A box, by its middle and half its width. */
typedef struct {
    float at[3], half[3];
} small_box;

static bool make_room(leaves_job *j, leaf_scratch *w, size_t need)
{
    if (need <= w->capacity) return true;
    const size_t capacity = (2 * need + 7) & ~(size_t)7;
    float *fresh = mem_alloc(j->ctx, SETS * 5 * capacity, sizeof *fresh);
    if (!fresh) {
        atomic_store(&j->failed, 1);
        return false;
    }
    for (int k = 0; k < SETS; k++) {
        sampler_near *n = &w->set[k];
        float *const column[5] = {n->x, n->y, n->z, n->reach, n->value[0]};
        float *to = fresh + (size_t)k * 5 * capacity;
        for (int c = 0; c < 5 && n->count; c++)
            memcpy(to + (size_t)c * capacity, column[c], n->count * sizeof *to);
        n->x = to;
        n->y = to + capacity;
        n->z = to + 2 * capacity;
        n->reach = to + 3 * capacity;
        n->value[0] = to + 4 * capacity;
    }
    mem_free(j->ctx, w->memory);
    w->memory = fresh;
    w->capacity = capacity;
    return true;
}

static __m256 beyond8(__m256 x, float at, float half)
{
    const __m256 sign = _mm256_set1_ps(-0.0f);
    const __m256 away = _mm256_andnot_ps(sign, _mm256_sub_ps(x, _mm256_set1_ps(at)));
    return _mm256_max_ps(_mm256_sub_ps(away, _mm256_set1_ps(half)), _mm256_setzero_ps());
}

/* Appends those of `count`, moved by shift, that come within `margin` of the box. */
static void pick(const compress8 *c, const float *const column[5], size_t count, const float shift[3],
                 const small_box *box, float margin, sampler_near *to)
{
    float *const out[5] = {to->x, to->y, to->z, to->reach, to->value[0]};
    size_t n = to->count;
    for (size_t i = 0; i < count; i += 8) {
        const __m256 x = _mm256_add_ps(_mm256_loadu_ps(column[0] + i), _mm256_set1_ps(shift[0]));
        const __m256 y = _mm256_add_ps(_mm256_loadu_ps(column[1] + i), _mm256_set1_ps(shift[1]));
        const __m256 z = _mm256_add_ps(_mm256_loadu_ps(column[2] + i), _mm256_set1_ps(shift[2]));
        const __m256 reach = _mm256_loadu_ps(column[3] + i), r = _mm256_add_ps(reach, _mm256_set1_ps(margin));
        const __m256 dx = beyond8(x, box->at[0], box->half[0]), dy = beyond8(y, box->at[1], box->half[1]),
                     dz = beyond8(z, box->at[2], box->half[2]);
        const __m256 d2 = _mm256_fmadd_ps(dx, dx, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dz, dz)));
        unsigned mask = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(d2, _mm256_mul_ps(r, r), _CMP_LT_OQ));
        if (count - i < 8) mask &= (1u << (count - i)) - 1;
        if (!mask) continue;
        const __m256i front = compress8_front(c, mask);
        const __m256 v = _mm256_loadu_ps(column[4] + i), all[5] = {x, y, z, reach, v};
        for (int k = 0; k < 5; k++) _mm256_storeu_ps(out[k] + n, _mm256_permutevar8x32_ps(all[k], front));
        n += (size_t)__builtin_popcount(mask);
    }
    to->count = n;
}

static void pad(sampler_near *near)
{
    for (size_t i = near->count; i & 7; i++) {
        near->x[i] = near->y[i] = near->z[i] = 1e9f;
        near->reach[i] = 1;
        near->value[0][i] = 0;
    }
}

static float gap(double low, double high, double other_low, double other_high)
{
    const double below = other_low - high, above = low - other_high, most = below > above ? below : above;
    return most > 0 ? (float)most : 0;
}

/* Everyone who comes within `margin` of the box around some of leaf k. */
static bool gather_leaf(leaves_job *j, leaf_scratch *w, size_t k, const small_box *box, float margin)
{
    const sized_points *p = j->tree->points;
    const rill_vec3 middle = j->middle[k], at = v3_add(middle, v3(box->at[0], box->at[1], box->at[2])),
                    half = v3(box->half[0], box->half[1], box->half[2]);
    const rill_box home = {v3_sub(at, half), v3_add(at, half)};
    sampler_near *to = &w->set[0];
    to->count = 0;
    for (uint32_t e = 0; e < p->nodes;) {
        const sized_node *n = &p->node[e];
        const float far = (float)(n->reach * j->tree->wide) * (1 + 1e-5f) + margin;
        const float dx = gap(home.min.x, home.max.x, n->box.min.x, n->box.max.x),
                    dy = gap(home.min.y, home.max.y, n->box.min.y, n->box.max.y),
                    dz = gap(home.min.z, home.max.z, n->box.min.z, n->box.max.z);
        if (dx * dx + dy * dy + dz * dz > far * far) {
            e = n->next;
            continue;
        }
        e++;
        if (!n->leaf) continue;
        const size_t begin = n->begin, count = n->end - begin;
        if (!make_room(j, w, to->count + count + 16)) return false;
        const rill_vec3 d = v3_sub(j->middle[n->number], middle);
        const float shift[3] = {(float)d.x, (float)d.y, (float)d.z};
        const float *const column[5] = {j->x + begin, j->y + begin, j->z + begin, j->reach + begin,
                                        j->value + begin};
        pick(&j->projector.compress, column, count, shift, box, margin, to);
    }
    pad(to);
    return true;
}

static small_box box_of(const float low[3], const float high[3])
{
    small_box b;
    for (int k = 0; k < 3; k++) {
        b.at[k] = 0.5f * (low[k] + high[k]);
        b.half[k] = 0.5f * (high[k] - low[k]) * (1 + 1e-5f);
    }
    return b;
}

/* The box around some particles, and the longest of their ways. */
static small_box around(const leaves_job *j, const uint32_t *who, size_t count, float *margin)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    *margin = 0;
    for (size_t n = 0; n < count; n++) {
        const uint32_t i = who[n];
        const float x[3] = {j->x[i], j->y[i], j->z[i]};
        for (int k = 0; k < 3; k++) {
            low[k] = fminf(low[k], x[k]);
            high[k] = fmaxf(high[k], x[k]);
        }
        *margin = fmaxf(*margin, projector_way(&j->projector, j->reach[i], j->value[i]));
    }
    return box_of(low, high);
}

/* The box around their ways. */
static small_box around_ways(const projection *p, size_t count)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t n = 0; n < count; n++)
        for (int k = 0; k < 3; k++) {
            const float to = p[n].x[k] + p[n].length * p[n].way[k];
            low[k] = fminf(low[k], fminf(p[n].x[k], to));
            high[k] = fmaxf(high[k], fmaxf(p[n].x[k], to));
        }
    return box_of(low, high);
}

/* Of those near the leaf, those that reach the box. */
static const sampler_near *pick_some(const leaves_job *j, leaf_scratch *w, small_box box)
{
    const sampler_near *all = &w->set[0];
    const float *const column[5] = {all->x, all->y, all->z, all->reach, all->value[0]};
    const float still[3] = {0, 0, 0};
    w->set[1].count = 0;
    pick(&j->projector.compress, column, all->count, still, &box, 0, &w->set[1]);
    pad(&w->set[1]);
    return &w->set[1];
}

/* A few of leaf k at a time: first their ways, then where these end. */
static void project_some(leaves_job *j, leaf_scratch *w, size_t k, const uint32_t *who, size_t count)
{
    projection way[TURN];
    float margin;
    const sampler_near *near = pick_some(j, w, around(j, who, count, &margin));
    for (size_t n = 0; n < count; n++) {
        const uint32_t i = who[n];
        const float x[3] = {j->x[i], j->y[i], j->z[i]};
        project_begin(&j->projector, near, &w->set[2], x, j->reach[i], j->value[i], &way[n]);
    }
    near = pick_some(j, w, around_ways(way, count));
    for (size_t n = 0; n < count; n++) {
        const uint32_t i = who[n];
        foot_disk d;
        float distance;
        if (!project_end(&j->projector, near, &w->set[2], &way[n], &d, &distance)) continue;
        j->distance[i] = distance;
        j->at[i] = v3_add(j->middle[k], v3(d.at[0], d.at[1], d.at[2]));
        memcpy(j->normal[i], d.normal, 3 * sizeof(float));
        j->normal[i][3] = d.radius;
    }
}

/* Those of a leaf that are near the surface, some at a time: a leaf of coinciding points has no end. */
static void project_leaf(leaves_job *j, leaf_scratch *w, size_t k)
{
    enum { MOST = 4 * SIZED_LEAF };
    const sized_node *leaf = sized_leaf(j->tree->points, k);
    for (uint32_t i = leaf->begin; i < leaf->end;) {
        uint32_t who[MOST], count = 0;
        for (; i < leaf->end && count < MOST; i++) {
            j->distance[i] = INFINITY;
            if (j->value[i] < j->reach[i]) who[count++] = i;
        }
        if (count == 0) continue;
        float margin;
        const small_box box = around(j, who, count, &margin);
        if (!gather_leaf(j, w, k, &box, margin)) return;
        for (uint32_t n = 0; n < count; n += TURN)
            project_some(j, w, k, who + n, count - n < TURN ? count - n : TURN);
    }
}

static void project_block(void *arg, size_t begin, size_t end, int worker)
{
    leaves_job *j = arg;
    for (size_t k = begin; k < end && !atomic_load(&j->failed); k++) project_leaf(j, &j->worker[worker], k);
}

static void copy_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    leaves_job *j = arg;
    const rill_vec3 *x = j->from->position;
    for (size_t k = begin; k < end; k++) {
        const sized_node *leaf = sized_leaf(j->tree->points, k);
        j->middle[k] = box_center(leaf->box);
        for (uint32_t i = leaf->begin; i < leaf->end; i++) {
            const rill_vec3 d = v3_sub(x[i], j->middle[k]);
            j->x[i] = (float)d.x;
            j->y[i] = (float)d.y;
            j->z[i] = (float)d.z;
        }
    }
}

rill_status distances_project(rill_ctx *ctx, const particles *p, const surface_def *given,
                              const distances_tree *tree, rill_arena *arena, const float *carried,
                              float *distance, rill_vec3 *at, float (*normal)[4])
{
    const size_t n = p->count;
    if (n == 0) return RILL_OK;
    surface_def def = *given;
    if (def.radius == 0) def.radius = surface_radius_default(SURFACE_DISTANCE);
    const float *spacing = particles_column(p, "spacing");
    const float flat = (float)averages_distance(def.radius, def.dimensions);
    leaves_job j = {.ctx = ctx, .from = p, .tree = tree, .distance = distance, .at = at, .normal = normal};
    projector_init(&j.projector, &def, true);
    const arena_mark mark = arena_mark_of(arena);
    TRY(ARENA_NEW(arena, j.middle, (size_t)tree->points->leaves + 1));
    TRY(ARENA_NEW(arena, j.x, n + 8)); /* read by whole eights */
    TRY(ARENA_NEW(arena, j.y, n + 8));
    TRY(ARENA_NEW(arena, j.z, n + 8));
    TRY(ARENA_NEW(arena, j.reach, n + 8));
    TRY(ARENA_NEW(arena, j.value, n + 8));
    for (size_t i = 0; i < 8; i++) j.x[n + i] = j.y[n + i] = j.z[n + i] = j.reach[n + i] = j.value[n + i] = 0;
    for (size_t i = 0; i < n; i++) {
        const float wide = spacing ? spacing[i] : (float)def.spacing;
        j.reach[i] = j.projector.radius * wide;
        j.value[i] = carried[i] > 0 ? carried[i] : flat * wide;
    }
    parallel_for(ctx, tree->points->leaves, 16, copy_block, &j);
    TRY(MEM_NEW_ZERO(ctx, j.worker, (size_t)parallel_workers(ctx)));
    parallel_for(ctx, tree->points->leaves, 4, project_block, &j);
    for (int w = 0; w < parallel_workers(ctx); w++) mem_free(ctx, j.worker[w].memory);
    mem_free(ctx, j.worker);
    arena_back(arena, mark);
    if (!atomic_load(&j.failed)) return RILL_OK;
    return rill_fail(ctx, RILL_NO_MEMORY, "out of memory for distances from the surface");
}

double surface_disk_distance(const surface_disk *d, rill_vec3 x, rill_vec3 *at)
{
    const rill_vec3 away = v3_sub(x, d->at);
    const double high = v3_dot(away, d->normal);
    const rill_vec3 along = v3_madd(away, -high, d->normal);
    const double flat = v3_length(along), over = fmax(flat - d->radius, 0);
    if (at) *at = v3_madd(d->at, flat > 0 ? (flat - over) / flat : 0, along);
    return sqrt(high * high + over * over);
}
