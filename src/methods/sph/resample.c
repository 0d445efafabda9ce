/* Splitting and merging, [Adams] sections 4.2 and 4.3.
 *
 * Where the liquid's feature size is below alpha kernel radii a particle is split in two of the next finer
 * level, above beta two are merged to one of the next coarser. Mass and linear momentum are kept to rounding;
 * merging takes the energy of the pair's relative motion. New particles stay out of the lists until the next
 * step: they are found through those they replace.
 *
 * DEVIATES: the places of a split are found by trying directions in a random order instead of Boolean
 * operations on caps of a sphere. A particle is asked for its depth below the surface by its footpoint's
 * tangent plane. With dfsph the two of a split do not both inherit the velocity, but differ by the liquid's
 * gradient: momentum is the same, and eddies do not lose at every split what they had across a particle (of a
 * standing wave's damping, 12 percent a period, 2). With an equation of state velocities are too rough for
 * that: what was noise grew. */
#include "base/random.h"
#include "geom/spread.h"
#include "sph/levels.h"
#include "sph/simd.h"
#include "surface/distances.h"

#include <math.h>

enum { TRIES = 24, LESS = 4, NEAREST = 8 };

typedef struct {
    rill_vec3 x, v;
    float distance, density, pressure;
    float kept_density, kept_rate; /* dfsph */
    int level;
} fresh_particle;

typedef enum { STAYS, TO_SPLIT, TO_MERGE, GONE } fate;

typedef struct {
    sph *s;
    const rill_vec3 *foot;
    const float *elfs;
    criteria criteria;
    uint8_t *fate;
    uint32_t *child; /* of one that is gone: its first in fresh; a split one has two */
    uint8_t *children;
    fresh_particle *fresh;
    uint32_t fresh_count;
    double t;
    uint32_t step;
} resampling;

static void decide_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    resampling *r = arg;
    const sph *s = r->s;
    for (size_t i = begin; i < end; i++) {
        const double reach = level_of(s, i)->kernel.support;
        const double size = criteria_size(&r->criteria, i, (double)r->elfs[i]);
        const int l = s->levels->size[i];
        r->fate[i] = STAYS;
        if (l > 0 && size < s->def.split * reach) r->fate[i] = TO_SPLIT;
        if (l + 1 < s->levels->count && size > levels_merge(s) * reach) r->fate[i] = TO_MERGE;
    }
}

/* -- places ------------------------------------------------------------------------------- */

/* Below the tangent plane at the footpoint of particle i, and clear of solids. */
static bool inside_liquid(const resampling *r, size_t i, rill_vec3 x, double clear)
{
    const rill_vec3 out = v3_sub(r->foot[i], r->s->particles.position[i]);
    if (v3_dot(v3_sub(r->foot[i], x), out) < 0) return false;
    return solids_distance(&r->s->sim.solids, x, r->t, NULL) > clear;
}

/* Nobody but the two within d of x, among those that particle i knows and those that replace them. */
static bool free_place(const resampling *r, size_t i, size_t but, rill_vec3 x, double d)
{
    const rill_vec3 *at = r->s->particles.position;
    const sized_list l = sized_list_of(&r->s->levels->lists, i);
    for (sized_walk w = sized_walk_over(l.at, l.end); sized_walk_on(&w);) {
        if (w.id == i || w.id == but) continue;
        if (r->fate[w.id] != GONE) {
            if (v3_distance(at[w.id], x) < d) return false;
            continue;
        }
        for (int k = 0; k < r->children[w.id]; k++)
            if (v3_distance(r->fresh[r->child[w.id] + (uint32_t)k].x, x) < d) return false;
    }
    return true;
}

static rill_vec3 direction_at(const resampling *r, size_t i, uint32_t k)
{
    const random4 a = random_at(0x5eed, r->s->particles.id[i], r->step, k);
    const double turn = 2 * M_PI * random_unit(a.v[0], a.v[1]), z = 2 * random_unit(a.v[2], a.v[3]) - 1;
    if (r->s->sim.scene->dimensions == 2) return v3(cos(turn), sin(turn), 0);
    const double rim = sqrt(fmax(1 - z * z, 0));
    return v3(rim * cos(turn), rim * sin(turn), z);
}

/* -- operations --------------------------------------------------------------------------- */

static fresh_particle child_of(const resampling *r, size_t i, rill_vec3 x, int l)
{
    const sph *s = r->s;
    const rill_vec3 in = v3_unit(v3_sub(s->particles.position[i], r->foot[i]));
    const double deeper = v3_dot(v3_sub(x, s->particles.position[i]), in);
    return (fresh_particle){
        .x = x,
        .v = s->particles.velocity[i],
        .distance = fmaxf(s->levels->distance[i] + (float)deeper, 0.25f * (float)s->levels->level[l].spacing),
        .density = s->density[i],
        .pressure = s->pressure[i],
        .kept_density = s->kept_density ? s->kept_density[i] : 0,
        .kept_rate = s->kept_rate ? s->kept_rate[i] : 0,
        .level = l};
}

/* What particle i sees of neighbour j: 1 beside it, 0 a kernel radius away, by mass. */
static double weight_of(const sph *s, size_t i, size_t j, rill_vec3 d)
{
    const double reach = level_of(s, i)->kernel.support, near = 1 - v3_dot(d, d) / (reach * reach);
    return j != i && near > 0 ? near * level_of(s, j)->mass / s->mass : 0;
}

/* How much faster the liquid is `way` from particle i, by its neighbours to first order:
 *     sum_j w (v_j - v_i) (d_j . y),   (sum_j w d_j d_j^T) y = way,
 * and no more than it is at any of them. Nothing where they are on one side or in a row. */
static rill_vec3 faster_at(const resampling *r, size_t i, rill_vec3 way)
{
    const sph *s = r->s;
    const rill_vec3 *x = s->particles.position, *v = s->particles.velocity, none = {0, 0, 0};
    const double reach = level_of(s, i)->kernel.support;
    const sized_list l = sized_list_of(&s->levels->lists, i);
    rill_vec3 row[3] = {none, none, none}, sum = none;
    double most = 0, all = 0;
    for (sized_walk to = sized_walk_over(l.at, l.end); sized_walk_on(&to);) {
        const rill_vec3 d = v3_sub(x[to.id], x[i]);
        const double w = weight_of(s, i, to.id, d);
        all += w;
        row[0] = v3_madd(row[0], w * d.x, d);
        row[1] = v3_madd(row[1], w * d.y, d);
        row[2] = v3_madd(row[2], w * d.z, d);
        if (w > 0) most = fmax(most, v3_distance(v[to.id], v[i]));
    }
    const double size = all * reach * reach;
    if (s->sim.scene->dimensions == 2) row[2] = v3(0, 0, size);
    const rill_vec3 across[3] = {v3_cross(row[1], row[2]), v3_cross(row[2], row[0]),
                                 v3_cross(row[0], row[1])};
    const double det = v3_dot(row[0], across[0]);
    if (!(det > 1e-5 * size * size * size)) return none;
    rill_vec3 y = v3_scale(across[0], way.x / det); /* Cramer's rule */
    y = v3_madd(v3_madd(y, way.y / det, across[1]), way.z / det, across[2]);
    for (sized_walk to = sized_walk_over(l.at, l.end); sized_walk_on(&to);) {
        const rill_vec3 d = v3_sub(x[to.id], x[i]);
        const double w = weight_of(s, i, to.id, d);
        if (w > 0) sum = v3_madd(sum, w * v3_dot(d, y), v3_sub(v[to.id], v[i]));
    }
    return v3_length(sum) > most ? v3_scale(v3_unit(sum), most) : sum;
}

static void split(resampling *r, size_t i)
{
    const sph *s = r->s;
    const int l = s->levels->size[i] - 1;
    const double d = 0.5 * s->levels->level[l].spacing; /* r_j / (2h) */
    double apart = d;
    for (int less = 0; less < LESS; less++, apart *= 0.75)
        for (uint32_t k = 0; k < TRIES; k++) {
            const rill_vec3 way = v3_scale(direction_at(r, i, TRIES * (uint32_t)less + k), d);
            const rill_vec3 a = v3_add(s->particles.position[i], way),
                            b = v3_sub(s->particles.position[i], way);
            if (!free_place(r, i, i, a, apart) || !free_place(r, i, i, b, apart)) continue;
            if (!inside_liquid(r, i, a, 0.1 * d) || !inside_liquid(r, i, b, 0.1 * d)) continue;
            r->fate[i] = GONE;
            r->child[i] = r->fresh_count;
            r->children[i] = 2;
            const rill_vec3 faster = s->def.solver == SPH_DFSPH ? faster_at(r, i, way) : v3(0, 0, 0);
            fresh_particle *two = &r->fresh[r->fresh_count];
            two[0] = child_of(r, i, a, l);
            two[1] = child_of(r, i, b, l);
            two[0].v = v3_add(two[0].v, faster);
            two[1].v = v3_sub(two[1].v, faster);
            r->fresh_count += 2;
            return;
        }
}

/* The nearest of its level that are to be merged, too, nearest first. */
static int partners(const resampling *r, size_t i, uint32_t *who)
{
    const rill_vec3 *x = r->s->particles.position;
    const uint8_t *size = r->s->levels->size;
    double d2[NEAREST];
    int n = 0;
    const sized_list l = sized_list_of(&r->s->levels->lists, i);
    for (sized_walk w = sized_walk_over(l.at, l.end); sized_walk_on(&w);) {
        if (w.id == i || r->fate[w.id] != TO_MERGE || size[w.id] != size[i]) continue;
        const rill_vec3 d = v3_sub(x[w.id], x[i]);
        const double far = v3_dot(d, d);
        int k = n < NEAREST ? n++ : NEAREST;
        for (; k > 0 && d2[k - 1] > far; k--)
            if (k < NEAREST) {
                d2[k] = d2[k - 1];
                who[k] = who[k - 1];
            }
        if (k < NEAREST) {
            d2[k] = far;
            who[k] = w.id;
        }
    }
    return n;
}

static void merge(resampling *r, size_t i)
{
    const sph *s = r->s;
    const rill_vec3 *x = s->particles.position, *v = s->particles.velocity;
    const int l = s->levels->size[i] + 1;
    const double d = 0.5 * s->levels->level[l].spacing;
    uint32_t who[NEAREST];
    const int n = partners(r, i, who);
    for (int k = 0; k < n; k++) {
        const size_t j = who[k];
        const rill_vec3 middle = v3_scale(v3_add(x[i], x[j]), 0.5);
        if (!inside_liquid(r, i, middle, 0.5 * d) || !inside_liquid(r, j, middle, 0.5 * d)) continue;
        if (!free_place(r, i, j, middle, d) || !free_place(r, j, i, middle, d)) continue;
        fresh_particle p = child_of(r, i, middle, l);
        const fresh_particle q = child_of(r, j, middle, l);
        p.v = v3_scale(v3_add(v[i], v[j]), 0.5);
        p.distance = 0.5f * (p.distance + q.distance);
        p.density = 0.5f * (p.density + q.density);
        p.pressure = 0.5f * (p.pressure + q.pressure);
        p.kept_density = 0.5f * (p.kept_density + q.kept_density);
        p.kept_rate = 0.5f * (p.kept_rate + q.kept_rate);
        r->fate[i] = r->fate[j] = GONE;
        r->child[i] = r->child[j] = r->fresh_count;
        r->children[i] = r->children[j] = 1;
        r->fresh[r->fresh_count++] = p;
        return;
    }
}

bool resampling_due(const sph *s)
{
    enum { STEPS = 100 };
    const uint64_t steps = s->sim.step + 1; /* the start has done it */
    if (s->def.resample > 0) return steps % (uint64_t)s->def.resample == 0;
    const double gone = s->levels->gone + s->levels->moved;
    return gone >= 1 || (gone >= 0.5 && steps % STEPS == 0);
}

/* -- the whole ---------------------------------------------------------------------------- */

/* Old ones out, new ones in. */
static rill_status replace(resampling *r, rill_arena *arena)
{
    sph *s = r->s;
    const size_t n = s->particles.count;
    rill_vec3 *x, *v;
    TRY(ARENA_NEW(arena, x, (size_t)r->fresh_count + 1));
    TRY(ARENA_NEW(arena, v, (size_t)r->fresh_count + 1));
    for (uint32_t k = 0; k < r->fresh_count; k++) {
        x[k] = r->fresh[k].x;
        v[k] = r->fresh[k].v;
    }
    uint8_t *keep;
    TRY(ARENA_NEW(arena, keep, n + r->fresh_count));
    for (size_t i = 0; i < n; i++) keep[i] = r->fate[i] != GONE;
    TRY(particles_append(s->sim.ctx, &s->particles, r->fresh_count, x, v));
    sph_columns(s);
    for (uint32_t k = 0; k < r->fresh_count; k++) {
        const fresh_particle *p = &r->fresh[k];
        keep[n + k] = 1;
        s->density[n + k] = p->density;
        s->pressure[n + k] = p->pressure;
        if (s->kept_density) s->kept_density[n + k] = p->kept_density;
        if (s->kept_rate) s->kept_rate[n + k] = p->kept_rate;
        s->levels->number[n + k] = (float)p->level;
        s->levels->spacing[n + k] = (float)s->levels->level[p->level].spacing;
        s->levels->distance[n + k] = p->distance;
    }
    s->sim.sources.merged += particles_keep(&s->particles, keep);
    s->levels->resampled = true;
    levels_void(s);
    return RILL_OK;
}

/* Particles and disks as single numbers, from the middle of the liquid: to tell which is nearest. */
typedef struct {
    float (*place)[4], (*at)[4], (*normal)[4]; /* the fourth: nothing; nothing; radius */
} disks_near;

/* surface_disk_distance of eight particles, each with a disk. */
static void disk_worth(const void *arg, const uint32_t *point, const uint32_t *source, float *worth)
{
    const disks_near *n = arg;
    const vec8 x = fetch8(n->place, point), at = fetch8(n->at, source), normal = fetch8(n->normal, source);
    const __m256 dx = _mm256_sub_ps(x.x, at.x), dy = _mm256_sub_ps(x.y, at.y), dz = _mm256_sub_ps(x.z, at.z);
    const __m256 above =
        _mm256_fmadd_ps(dx, normal.x, _mm256_fmadd_ps(dy, normal.y, _mm256_mul_ps(dz, normal.z)));
    const __m256 d2 = _mm256_fmadd_ps(dx, dx, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dz, dz)));
    const __m256 aside = _mm256_sqrt_ps(positive8(_mm256_fnmadd_ps(above, above, d2)));
    const __m256 beyond = positive8(_mm256_sub_ps(aside, normal.w));
    const __m256 all = _mm256_fmadd_ps(above, above, _mm256_mul_ps(beyond, beyond));
    _mm256_storeu_ps(worth, _mm256_sqrt_ps(all));
}

/* Distances and nearest surface points, [Adams] 5.2: those near the surface are projected, and their disks
 * handed on through the lists. Who hears of none keeps the distance it has. */
static rill_status redistance(sph *s, const surface_def *def, rill_vec3 *foot, uint32_t *source)
{
    struct levels *a = s->levels;
    rill_arena *arena = &a->sampling;
    const size_t n = s->particles.count;
    disks_near near;
    float *found, *enough;
    uint8_t *projected;
    const arena_mark mark = arena_mark_of(arena);
    TRY(ARENA_NEW(arena, near.normal, n));
    TRY(ARENA_NEW(arena, found, n));
    sized_points_refit(s->sim.ctx, &a->points, s->particles.position); /* they have moved */
    const distances_tree tree = {&a->points, surface_radius_default(SURFACE_DISTANCE) / s->def.support /
                                                 (1 + LEVELS_SKIN)};
    TRY(distances_project(s->sim.ctx, &s->particles, def, &tree, arena, a->distance, found, foot,
                          near.normal));
    const rill_vec3 middle = box_center(a->points.bounds);
    TRY(ARENA_NEW(arena, enough, n));
    TRY(ARENA_NEW(arena, projected, n));
    TRY(ARENA_NEW(arena, near.place, n));
    TRY(ARENA_NEW(arena, near.at, n));
    for (size_t i = 0; i < n; i++) {
        projected[i] = isfinite(found[i]);
        row_store(near.place[i], v3_sub(s->particles.position[i], middle), 0);
        if (projected[i]) row_store(near.at[i], v3_sub(foot[i], middle), 0);
        source[i] = projected[i] ? (uint32_t)i : SPREAD_NONE;
        enough[i] = 1e-2f * a->spacing[i];
    }
    const spread_def def_near = {.near = &a->lists,
                                 .count = n,
                                 .worth = disk_worth,
                                 .arg = &near,
                                 .most = INFINITY,
                                 .enough = enough,
                                 .fixed = projected};
    TRY(spread(s->sim.ctx, arena, &def_near, found, source));
    for (size_t i = 0; i < n; i++) {
        const uint32_t from = source[i];
        if (projected[i]) a->distance[i] = found[i];
        if (projected[i]) continue;
        foot[i] = s->particles.position[i];
        if (from == SPREAD_NONE) continue;
        const float *normal = near.normal[from];
        const surface_disk disk = {foot[from], v3((double)normal[0], (double)normal[1], (double)normal[2]),
                                   (double)normal[3]};
        a->distance[i] = (float)surface_disk_distance(&disk, s->particles.position[i], &foot[i]);
    }
    arena_back(arena, mark);
    return RILL_OK;
}

/* errata E-A5: the first distances of a frame are held to the liquid's volume. That takes as much memory as
 * the lists, which have served their turn by now. */
static rill_status anchor(sph *s, double t)
{
    struct levels *a = s->levels;
    const double frame = floor(t * s->sim.scene->time.fps);
    if (frame <= a->anchored) return RILL_OK;
    levels_void(s);
    sized_lists_clear(&a->lists);
    arena_clear(&a->sampling);
    TRY(sph_anchor_distances(s));
    a->anchored = frame;
    return RILL_OK;
}

rill_status resample(sph *s)
{
    rill_ctx *ctx = s->sim.ctx;
    struct levels *a = s->levels;
    const size_t n = s->particles.count;
    a->gone = -a->moved; /* lists may go on */
    if (n == 0) return RILL_OK;
    arena_clear(&a->sampling); /* not reset: what steps had in it is of other sizes */
    a->roomy = false;
    const surface_def def = {.spacing = s->sim.scene->spacing, .dimensions = s->sim.scene->dimensions};
    resampling r = {.s = s, .t = s->sim.time + s->dt, .step = (uint32_t)s->sim.step};
    rill_vec3 *foot;
    uint32_t *source;
    float *elfs;
    TRY(ARENA_NEW(&a->sampling, foot, n));
    TRY(ARENA_NEW(&a->sampling, source, n));
    TRY(a->started ? redistance(s, &def, foot, source)
                   : distances_start(ctx, &s->particles, &def, a->distance, foot));
    const uint32_t *nearest = a->started ? source : NULL;
    a->started = true;
    TRY(ARENA_NEW(&a->sampling, elfs, n));
    TRY(criteria_begin(s, &a->sampling, &r.criteria));
    TRY(feature_sizes(s, foot, nearest, &r.criteria, levels_merge(s) * a->level[a->count - 1].kernel.support,
                      elfs, NULL));
    TRY(ARENA_NEW(&a->sampling, r.fate, n));
    TRY(ARENA_NEW(&a->sampling, r.child, n));
    TRY(ARENA_NEW(&a->sampling, r.children, n));
    r.foot = foot;
    r.elfs = elfs;
    parallel_for(ctx, n, 4096, decide_block, &r);
    size_t most = 0; /* two of each that is split, one of two that are merged */
    for (size_t i = 0; i < n; i++) most += r.fate[i] == TO_SPLIT ? 2 : r.fate[i] == TO_MERGE;
    TRY(ARENA_NEW(&a->sampling, r.fresh, most));
    for (size_t i = 0; i < n; i++) {
        if (r.fate[i] == TO_SPLIT) split(&r, i);
        if (r.fate[i] == TO_MERGE) merge(&r, i);
    }
    if (r.fresh_count) TRY(replace(&r, &a->sampling));
    return anchor(s, r.t);
}
