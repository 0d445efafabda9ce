/* Splitting and merging, [Adams] sections 4.2 and 4.3.
 *
 * Where the liquid's feature size is below alpha kernel radii a particle is split in two of the next finer
 * class, above beta two are merged to one of the next coarser. Mass and linear momentum are kept to
 * rounding; merging loses the energy of the pair's relative motion. New particles stay out of the lists
 * until the next step: they are found through those they replace.
 *
 * DEVIATES: alpha is 2.25 and beta 3.4 by default; the paper has 2 and 3, for feature sizes that are up to a
 * kernel radius smaller (feature.c). The positions of a split are found by trying directions in random order
 * instead of Boolean operations on caps of a sphere. The tangent plane at a particle's footpoint decides
 * whether a position is in the liquid. With dfsph the two particles of a split differ in velocity by the
 * liquid's gradient: momentum is the same, and eddies do not lose the velocity difference across a particle
 * at every split (of a standing wave's damping, 12 percent a period, 2). With an equation of state
 * velocities are too noisy for that: the noise grew. */
#include "sph/resample/resample.h"
#include "base/random.h"
#include "base/text.h"
#include "flow/colors.h"
#include "surface/distances.h"

#include <math.h>

enum { TRIES = 24, LESS = 4, NEAREST = 8 };

typedef struct {
    rill_vec3 x, v;
    float distance, density, pressure;
    float kept_density, kept_rate; /* dfsph */
    float color[3];                /* where particles have colours */
    int size_class;
} fresh_particle;

typedef enum { STAYS, TO_SPLIT, TO_MERGE, GONE } fate;

typedef struct {
    sph *s;
    const rill_vec3 *foot;
    const float *elfs;
    criteria criteria;
    uint8_t *fate;
    uint32_t *child; /* of a replaced particle: its first in `fresh`; a split has two */
    uint8_t *children;
    fresh_particle *fresh;
    uint32_t fresh_count;
    double t;
    uint32_t step;
    uint64_t from;   /* particles with smaller ids stay as they are */
    float *color[3]; /* NULL: particles have no colours */
} resampling;

static void decide_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    resampling *r = arg;
    const sph *s = r->s;
    for (size_t i = begin; i < end; i++) {
        const double reach = size_class_of(s, i)->kernel.support;
        const double size = criteria_size(&r->criteria, i, (double)r->elfs[i]);
        const int l = s->sized->size[i];
        r->fate[i] = STAYS;
        if (s->particles.id[i] < r->from) continue;
        if (l > 0 && size < s->def.split * reach) r->fate[i] = TO_SPLIT;
        if (l + 1 < s->sized->class_count && size > merge_ratio(s) * reach) r->fate[i] = TO_MERGE;
    }
}

/* -- positions ------------------------------------------------------------------------------- */

/* Below the tangent plane at the footpoint of particle i, and clear of solids. */
static bool inside_liquid(const resampling *r, size_t i, rill_vec3 x, double clear)
{
    const rill_vec3 out = v3_sub(r->foot[i], r->s->particles.position[i]);
    if (v3_dot(v3_sub(r->foot[i], x), out) < 0) return false;
    return solids_distance(&r->s->sim.solids, x, r->t, NULL) > clear;
}

/* No particle but the two within d of x, among the neighbours of i and their replacements. */
static bool free_place(const resampling *r, size_t i, size_t but, rill_vec3 x, double d)
{
    const rill_vec3 *at = r->s->particles.position;
    const sized_list l = sized_list_of(&r->s->sized->lists, i);
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
    return (fresh_particle){.x = x,
                            .v = s->particles.velocity[i],
                            .distance = fmaxf(s->sized->distance[i] + (float)deeper,
                                              0.25f * (float)s->sized->size_class[l].spacing),
                            .density = s->density[i],
                            .pressure = s->pressure[i],
                            .kept_density = s->kept_density ? s->kept_density[i] : 0,
                            .kept_rate = s->kept_rate ? s->kept_rate[i] : 0,
                            .color = {r->color[0] ? r->color[0][i] : 0, r->color[1] ? r->color[1][i] : 0,
                                      r->color[2] ? r->color[2][i] : 0},
                            .size_class = l};
}

/* Weight of neighbour j for particle i: 1 beside it, 0 a kernel radius away, times mass. */
static double weight_of(const sph *s, size_t i, size_t j, rill_vec3 d)
{
    const double reach = size_class_of(s, i)->kernel.support, near = 1 - v3_dot(d, d) / (reach * reach);
    return j != i && near > 0 ? near * size_class_of(s, j)->mass / s->model.mass : 0;
}

/* Difference of the liquid's velocity at `way` from particle i, by its neighbours to first order:
 *     sum_j w (v_j - v_i) (d_j . y),   (sum_j w d_j d_j^T) y = way,
 * at most the difference to any of them; 0 where they are on one side or in a row. */
static rill_vec3 faster_at(const resampling *r, size_t i, rill_vec3 way)
{
    const sph *s = r->s;
    const rill_vec3 *x = s->particles.position, *v = s->particles.velocity, none = {0, 0, 0};
    const double reach = size_class_of(s, i)->kernel.support;
    const sized_list l = sized_list_of(&s->sized->lists, i);
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
    const int l = s->sized->size[i] - 1;
    const double d = 0.5 * s->sized->size_class[l].spacing; /* r_j / (2h) */
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

/* The nearest candidates for merging of the same class, nearest first. */
static int partners(const resampling *r, size_t i, uint32_t *partner)
{
    const rill_vec3 *x = r->s->particles.position;
    const uint8_t *size = r->s->sized->size;
    double d2[NEAREST];
    int n = 0;
    const sized_list l = sized_list_of(&r->s->sized->lists, i);
    for (sized_walk w = sized_walk_over(l.at, l.end); sized_walk_on(&w);) {
        if (w.id == i || r->fate[w.id] != TO_MERGE || size[w.id] != size[i]) continue;
        const rill_vec3 d = v3_sub(x[w.id], x[i]);
        const double far = v3_dot(d, d);
        int k = n < NEAREST ? n++ : NEAREST;
        for (; k > 0 && d2[k - 1] > far; k--)
            if (k < NEAREST) {
                d2[k] = d2[k - 1];
                partner[k] = partner[k - 1];
            }
        if (k < NEAREST) {
            d2[k] = far;
            partner[k] = w.id;
        }
    }
    return n;
}

static void merge(resampling *r, size_t i)
{
    const sph *s = r->s;
    const rill_vec3 *x = s->particles.position, *v = s->particles.velocity;
    const int l = s->sized->size[i] + 1;
    const double d = 0.5 * s->sized->size_class[l].spacing;
    uint32_t partner[NEAREST];
    const int n = partners(r, i, partner);
    for (int k = 0; k < n; k++) {
        const size_t j = partner[k];
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
        for (int c = 0; c < 3; c++) p.color[c] = 0.5f * (p.color[c] + q.color[c]);
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
    const uint64_t steps = s->sim.step + 1; /* the start has resampled */
    if (s->def.resample > 0) return steps % (uint64_t)s->def.resample == 0;
    const double gone = s->sized->moved_before + s->sized->moved;
    return gone >= 1 || (gone >= 0.5 && steps % STEPS == 0);
}

/* -- resampling ---------------------------------------------------------------------------- */

/* Removes replaced particles and adds the new ones. */
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
    colors_columns(&s->particles, r->color); /* the arrays have moved */
    for (uint32_t k = 0; k < r->fresh_count; k++) {
        const fresh_particle *p = &r->fresh[k];
        keep[n + k] = 1;
        s->density[n + k] = p->density;
        s->pressure[n + k] = p->pressure;
        if (s->kept_density) s->kept_density[n + k] = p->kept_density;
        if (s->kept_rate) s->kept_rate[n + k] = p->kept_rate;
        s->sized->class_number[n + k] = (float)p->size_class;
        s->sized->spacing[n + k] = (float)s->sized->size_class[p->size_class].spacing;
        s->sized->distance[n + k] = p->distance;
        for (int c = 0; c < 3 && r->color[0]; c++) r->color[c][n + k] = p->color[c];
    }
    s->sim.sources.merged += particles_keep(&s->particles, keep);
    s->resampled = true;
    sized_invalidate(s);
    return RILL_OK;
}

/* errata E-A5: the first distances of a frame are held to the liquid's volume. That takes as much memory as
 * the lists, which are not needed any more. */
static rill_status anchor(sph *s, double t)
{
    sized_state *a = s->sized;
    const double frame = frame_at(s, t);
    if (frame <= a->anchored) return RILL_OK;
    sized_invalidate(s);
    sized_lists_clear(&a->lists);
    arena_clear(&a->arena);
    surface_def def = sph_distance_surface(s);
    def.radius = 0; /* the same surface as in resample() */
    TRY(sph_anchor_distances(s, &def));
    a->anchored = frame;
    return RILL_OK;
}

rill_status resample(sph *s, rill_step_stats *stats)
{
    return resample_from(s, 0, stats);
}

rill_status resample_from(sph *s, uint64_t from, rill_step_stats *stats)
{
    rill_ctx *ctx = s->sim.ctx;
    sized_state *a = s->sized;
    const size_t n = s->particles.count;
    a->moved_before = -a->moved; /* lists may continue */
    if (n == 0) return RILL_OK;
    arena_clear(&a->arena); /* not reset: the arrays of steps have other sizes */
    a->step_in_arena = false;
    const surface_def def = {.spacing = s->sim.scene->spacing, .dimensions = s->sim.scene->dimensions};
    resampling r = {.s = s, .t = s->sim.time + s->step.dt, .step = (uint32_t)s->sim.step, .from = from};
    colors_columns(&s->particles, r.color);
    rill_vec3 *foot;
    uint32_t *source;
    float *elfs;
    double clock;
    TRY(ARENA_NEW(&a->arena, foot, n));
    TRY(ARENA_NEW(&a->arena, source, n));
    TRY(a->started ? redistance(s, &def, foot, source, stats)
                   : distances_start(ctx, &s->particles, &def, a->distance, foot));
    clock = clock_seconds();
    const uint32_t *nearest = a->started ? source : NULL;
    a->started = true;
    TRY(ARENA_NEW(&a->arena, elfs, n));
    TRY(criteria_begin(s, &a->arena, &r.criteria));
    TRY(feature_sizes(s, foot, nearest, &r.criteria,
                      merge_ratio(s) * a->size_class[a->class_count - 1].kernel.support, elfs, NULL));
    if (stats) step_stats_stage(stats, "feature_size", &clock);
    TRY(ARENA_NEW(&a->arena, r.fate, n));
    TRY(ARENA_NEW(&a->arena, r.child, n));
    TRY(ARENA_NEW(&a->arena, r.children, n));
    r.foot = foot;
    r.elfs = elfs;
    parallel_for(ctx, n, 4096, decide_block, &r);
    size_t most = 0; /* two per split, one per merge candidate */
    for (size_t i = 0; i < n; i++) most += r.fate[i] == TO_SPLIT ? 2 : r.fate[i] == TO_MERGE;
    TRY(ARENA_NEW(&a->arena, r.fresh, most));
    for (size_t i = 0; i < n; i++) {
        if (r.fate[i] == TO_SPLIT) split(&r, i);
        if (r.fate[i] == TO_MERGE) merge(&r, i);
    }
    if (r.fresh_count) TRY(replace(&r, &a->arena));
    if (stats) step_stats_stage(stats, "resampling", &clock);
    TRY(anchor(s, r.t));
    if (stats) step_stats_stage(stats, stage_redistancing, &clock);
    return RILL_OK;
}
