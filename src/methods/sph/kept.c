/* How long lists serve, and which of them: levels.h.
 *
 * Lists hold all pairs that were nearer than (1 + skin) times the larger kernel radius R when they were made.
 * A pair that was not can become neighbours only when one goes skin R towards the other. What counts is the
 * way of particles against those around them, which in a liquid is much shorter than their way: so it is
 * bounded leaf by leaf. Of each leaf the mean way m, its turn w about its middle c, and the farthest e from
 * both are known, and which other leaves are nearer to it than twice its reach. A common turn takes nobody
 * nearer to anybody: with r the way from one particle to the other when they were listed, |r + w x r| >= |r|
 * for any w. So for two leaves with turns w, w' and any two particles of them
 *     e + e' + |m - m' - (w + w')/2 x (c - c')| + |w - w'|/2 (f + f')
 * bounds what they may have come nearer, f being how far particles are from the middle of their leaf. Pairs
 * of leaves farther apart are safe while no particle has gone R / 2 against the mean of all.
 *
 * Where a pair of leaves may have come too near, the lists of one of them are made anew, and its particles
 * put into the lists of those they find and who have not got them (joins.c): a jet that falls into a pool
 * leaves the pool's lists alone. The leaf then begins to count its ways anew, and pairs with it do; of the
 * other leaf of a pair its mean way until then is known, and how far it was off, which counts once more:
 * turns are as bad as other ways there, e + f |w|. Particles that leave those around them are left out of all
 * this (strays.c). */
#include "sph/levels.h"

#include <math.h>
#include <string.h>

/* -- which leaves are near each other ------------------------------------------------------- */

typedef struct {
    sph *s;
    uint32_t *count;
    const uint64_t *first; /* NULL: count them */
} near_job;

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Those after it, in their order. */
static void near_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const near_job *j = arg;
    struct levels *a = j->s->levels;
    const sized_points *p = &a->points;
    for (size_t k = begin; k < end; k++) {
        const sized_node *home = sized_leaf(p, k);
        uint32_t found = 0;
        for (uint32_t e = p->leaf[k] + 1; e < p->nodes;) {
            const sized_node *n = &p->node[e];
            const double reach = larger(n->reach, home->reach), gap2 = sized_gap2(&n->box, &home->box);
            if (gap2 > 4 * reach * reach) {
                e = n->next;
                continue;
            }
            e++;
            if (!n->leaf) continue;
            if (j->first)
                a->near_leaf[j->first[k] + found] =
                    (near_leaf){.leaf = n->number, .apart = (float)(sqrt(gap2) - reach / (1 + LEVELS_SKIN))};
            found++;
        }
        j->count[k] = found;
    }
}

static void sum_places(void *arg, size_t begin, size_t end, double *out)
{
    const sph *s = arg;
    out[0] = out[1] = out[2] = 0;
    for (size_t i = begin; i < end; i++) {
        out[0] += s->particles.position[i].x;
        out[1] += s->particles.position[i].y;
        out[2] += s->particles.position[i].z;
    }
}

/* -- leaves as they were listed -------------------------------------------------------------- */

/* Inverse of sum |r|^2 - r r^T, which has none for points on a line: a little is added to it. */
static void invert(double m[6], double out[6])
{
    const double trace = m[0] + m[1] + m[2];
    for (int k = 0; k < 3; k++) m[k] += 1e-6 * trace;
    const double xx = m[1] * m[2] - m[4] * m[4], yy = m[0] * m[2] - m[5] * m[5],
                 zz = m[0] * m[1] - m[3] * m[3], xy = m[4] * m[5] - m[3] * m[2],
                 yz = m[3] * m[5] - m[4] * m[0], zx = m[3] * m[4] - m[1] * m[5];
    const double det = m[0] * xx + m[3] * xy + m[5] * zx, per = det > 0 ? 1 / det : 0;
    const double all[6] = {xx, yy, zz, xy, yz, zx};
    for (int k = 0; k < 6; k++) out[k] = isfinite(per) ? per * all[k] : 0;
}

typedef struct {
    const sph *s;
    leaf_choice some;
} form_job;

static void form_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const form_job *j = arg;
    struct levels *a = j->s->levels;
    for (size_t m = begin; m < end; m++) {
        const size_t k = leaf_chosen(&j->some, m);
        const sized_node *n = sized_leaf(&a->points, k);
        leaf_form f = {0};
        int least = SIZED_MOST;
        for (uint32_t i = n->begin; i < n->end; i++) {
            f.middle = v3_add(f.middle, a->listed[i]);
            least = a->size[i] < least ? a->size[i] : least;
        }
        f.middle = v3_scale(f.middle, 1.0 / (n->end - n->begin));
        double far2 = 0, spread[6] = {0};
        for (uint32_t i = n->begin; i < n->end; i++) {
            const rill_vec3 r = v3_sub(a->listed[i], f.middle);
            far2 = larger(far2, v3_dot(r, r));
            spread[0] += r.y * r.y + r.z * r.z;
            spread[1] += r.x * r.x + r.z * r.z;
            spread[2] += r.x * r.x + r.y * r.y;
            spread[3] -= r.x * r.y;
            spread[4] -= r.y * r.z;
            spread[5] -= r.z * r.x;
        }
        f.far = sqrt(far2);
        f.radius = a->level[least].kernel.support;
        invert(spread, f.turns);
        a->leaf_form[k] = f;
    }
}

rill_status levels_find_near(sph *s)
{
    rill_ctx *ctx = s->sim.ctx;
    struct levels *a = s->levels;
    const size_t leaves = a->points.leaves;
    near_job j = {.s = s};
    form_job form = {s, {NULL, leaves}};
    TRY(ARENA_NEW(&s->scratch, j.count, leaves + 1));
    TRY(ARENA_NEW(&s->scratch, a->near_first, leaves + 1));
    TRY(ARENA_NEW(&s->scratch, a->leaf_form, leaves + 1));
    TRY(ARENA_NEW(&s->scratch, a->leaf_way, leaves + 1));
    TRY(ARENA_NEW(&s->scratch, a->leaf_past, leaves + 1));
    memset(a->leaf_past, 0, (leaves + 1) * sizeof *a->leaf_past);
    TRY(ARENA_NEW(&s->scratch, a->stale_leaf, leaves + 1));
    TRY(levels_begin_strays(s));
    TRY(levels_begin_joins(s));
    parallel_for(ctx, leaves, 16, form_leaves, &form);
    parallel_for(ctx, leaves, 16, near_leaves, &j);
    scan_u32(ctx, j.count, leaves, a->near_first);
    TRY(ARENA_NEW(&s->scratch, a->near_leaf, (size_t)a->near_first[leaves] + 1));
    j.first = a->near_first;
    parallel_for(ctx, leaves, 16, near_leaves, &j);
    double sum[3];
    parallel_sums(ctx, s->particles.count, sum_places, s, 3, sum);
    a->listed_sum = v3(sum[0], sum[1], sum[2]);
    return RILL_OK;
}

/* -- ways ----------------------------------------------------------------------------------- */

/* The mean way of all since all were listed. */
static rill_vec3 drift_of_all(sph *s)
{
    const double n = (double)s->particles.count;
    double sum[3];
    parallel_sums(s->sim.ctx, s->particles.count, sum_places, s, 3, sum);
    return v3_scale(v3_sub(v3(sum[0], sum[1], sum[2]), s->levels->listed_sum), 1 / n);
}

typedef struct {
    const sph *s;
    rill_vec3 drift; /* mean way of all */
} ways_job;

/* The farthest that any of a leaf but strays has gone since it was listed, against the mean of all, over its
 * kernel radius. */
static double way_of_leaf(const ways_job *j, size_t k)
{
    const struct levels *a = j->s->levels;
    const sized_node *n = sized_leaf(&a->points, k);
    const rill_vec3 drift = v3_sub(j->drift, a->leaf_past[k].drift);
    double most[SIZED_MOST] = {0}, all = 0;
    for (uint32_t i = n->begin; i < n->end; i++) {
        if (a->astray[i]) continue;
        const rill_vec3 d = v3_sub(v3_sub(j->s->particles.position[i], a->listed[i]), drift);
        const double d2 = v3_dot(d, d);
        double *of_size = &most[a->size[i]];
        if (!(d2 <= *of_size)) *of_size = d2; /* keeps what is not a number */
    }
    for (int l = 0; l < a->count; l++) {
        const double radius = a->level[l].kernel.support, d2 = most[l] / (radius * radius);
        if (!(d2 <= all)) all = d2;
    }
    return sqrt(all);
}

static double way_gone(void *arg, size_t begin, size_t end)
{
    const ways_job *j = arg;
    double most = 0;
    for (size_t k = begin; k < end; k++) {
        const double way = j->s->levels->leaf_past[k].way + way_of_leaf(j, k);
        if (!(way <= most)) most = way;
    }
    return most;
}

static void way_of_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = arg;
    struct levels *a = s->levels;
    const rill_vec3 *x = s->particles.position;
    for (size_t k = begin; k < end; k++) {
        const sized_node *n = sized_leaf(&a->points, k);
        const leaf_form *f = &a->leaf_form[k];
        rill_vec3 mean = {0, 0, 0}, turned = {0, 0, 0}; /* sums of ways, and of r x way */
        for (uint32_t i = n->begin; i < n->end; i++) {
            const rill_vec3 way = v3_sub(x[i], a->listed[i]);
            mean = v3_add(mean, way);
            turned = v3_add(turned, v3_cross(v3_sub(a->listed[i], f->middle), way));
        }
        mean = v3_scale(mean, 1.0 / (n->end - n->begin));
        const double *t = f->turns;
        const rill_vec3 turn = v3(t[0] * turned.x + t[3] * turned.y + t[5] * turned.z,
                                  t[3] * turned.x + t[1] * turned.y + t[4] * turned.z,
                                  t[5] * turned.x + t[4] * turned.y + t[2] * turned.z);
        a->leaf_way[k] = (leaf_way){.mean = mean, .turn = turn};
        levels_off(s, k);
    }
}

/* Of two leaves that were listed together and not since. */
static double come_nearer(const leaf_form *f, const leaf_way *w, const leaf_form *g, const leaf_way *o)
{
    const rill_vec3 together = v3_cross(f->far > g->far ? w->turn : o->turn, v3_sub(f->middle, g->middle));
    return w->off + o->off + v3_distance(v3_sub(w->mean, o->mean), together) +
           v3_distance(w->turn, o->turn) * (f->far < g->far ? f->far : g->far);
}

/* What any particle of a leaf may have gone against its mean since the leaf was listed. */
static double off_since(const struct levels *a, size_t k)
{
    return a->leaf_way[k].off + v3_length(a->leaf_way[k].turn) * a->leaf_form[k].far;
}
/* The leaf's mean way since all were listed. */
static rill_vec3 way_since(const struct levels *a, size_t k)
{
    return v3_add(a->leaf_past[k].mean, a->leaf_way[k].mean);
}

/* Whether any particles of both may have become neighbours who are not listed. */
static bool pair_stale(const struct levels *a, size_t k, const near_leaf *e)
{
    const leaf_form *f = &a->leaf_form[k], *g = &a->leaf_form[e->leaf];
    const uint32_t round = e->round;
    const double may = larger(LEVELS_SKIN * larger(f->radius, g->radius), (double)e->apart);
    double way;
    if (a->leaf_past[k].round == round && a->leaf_past[e->leaf].round == round) {
        way = come_nearer(f, &a->leaf_way[k], g, &a->leaf_way[e->leaf]);
    } else {
        const rill_vec3 mean = v3_sub(way_since(a, k), way_since(a, e->leaf));
        const rill_vec3 from = v3((double)e->mean[0], (double)e->mean[1], (double)e->mean[2]);
        way = v3_distance(mean, from) + off_since(a, k) + off_since(a, e->leaf) + (double)e->off;
    }
    return !(way < may);
}

static void stale_pairs(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sph *s = arg;
    const struct levels *a = s->levels;
    for (size_t k = begin; k < end; k++)
        for (uint64_t e = a->near_first[k]; e < a->near_first[k + 1]; e++)
            a->near_leaf[e].stale = pair_stale(a, k, &a->near_leaf[e]);
}

bool levels_listed(const sph *s)
{
    const struct levels *a = s->levels;
    return a->listed_count > 0 && a->listed_count == s->particles.count &&
           a->listed_id == s->particles.next_id;
}

double levels_way(sph *s)
{
    ways_job j = {s, drift_of_all(s)};
    return parallel_max(s->sim.ctx, s->levels->points.leaves, way_gone, &j);
}

size_t levels_choose_stale(sph *s)
{
    struct levels *a = s->levels;
    size_t count = 0;
    for (size_t k = 0; k < a->points.leaves; k++)
        if (a->leaf_past[k].stale) a->stale_leaf[count++] = (uint32_t)k;
    return count;
}

size_t levels_stale(sph *s)
{
    struct levels *a = s->levels;
    const size_t leaves = a->points.leaves;
    if (!(s->def.support > 0 && a->moved < 0.5 * s->def.support)) return leaves;
    parallel_for(s->sim.ctx, leaves, 16, way_of_leaves, s);
    levels_admit_strays(s);
    parallel_for(s->sim.ctx, leaves, 16, stale_pairs, s);
    for (size_t k = 0; k < leaves; k++)
        a->leaf_past[k].stale = !(2 * a->leaf_way[k].off < LEVELS_SKIN * a->leaf_form[k].radius);
    for (size_t k = 0; k < leaves; k++)
        for (uint64_t e = a->near_first[k]; e < a->near_first[k + 1]; e++) {
            const uint32_t other = a->near_leaf[e].leaf;
            if (!a->near_leaf[e].stale || a->leaf_past[k].stale || a->leaf_past[other].stale) continue;
            a->leaf_past[off_since(a, other) > off_since(a, k) ? other : k].stale = true;
        }
    return levels_choose_stale(s);
}

/* -- some leaves anew -------------------------------------------------------------------------- */

/* They begin to count again. */
static void end_stretch(sph *s, size_t count)
{
    struct levels *a = s->levels;
    const ways_job j = {s, drift_of_all(s)};
    a->round++;
    for (size_t n = 0; n < count; n++) {
        const size_t k = a->stale_leaf[n];
        leaf_past *past = &a->leaf_past[k];
        past->way += way_of_leaf(&j, k);
        past->mean = way_since(a, k);
        past->drift = j.drift;
        past->round = a->round;
        a->leaf_way[k] = (leaf_way){0};
        const sized_node *c = sized_leaf(&a->points, k);
        levels_plates_gone(s, c->begin, c->end);
        for (uint32_t i = c->begin; i < c->end; i++) a->listed[i] = s->particles.position[i];
    }
}

/* Pairs with leaves that are listed now count from here. */
static void begin_pairs(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sph *s = arg;
    const struct levels *a = s->levels;
    for (size_t k = begin; k < end; k++) {
        const sized_node *home = sized_leaf(&a->points, k);
        for (uint64_t m = a->near_first[k]; m < a->near_first[k + 1]; m++) {
            near_leaf *e = &a->near_leaf[m];
            if (!a->leaf_past[k].stale && !a->leaf_past[e->leaf].stale) continue;
            const sized_node *other = sized_leaf(&a->points, e->leaf);
            const double reach = larger(home->reach, other->reach) / (1 + LEVELS_SKIN);
            const rill_vec3 mean = v3_sub(way_since(a, k), way_since(a, e->leaf));
            e->apart = (float)(sqrt(sized_gap2(&home->box, &other->box)) - reach);
            e->mean[0] = (float)mean.x;
            e->mean[1] = (float)mean.y;
            e->mean[2] = (float)mean.z;
            e->off = (float)(off_since(a, k) + off_since(a, e->leaf));
            e->round = a->round;
        }
    }
}

rill_status levels_renew(sph *s, size_t count, bool *fits)
{
    rill_ctx *ctx = s->sim.ctx;
    struct levels *a = s->levels;
    const leaf_choice some = {a->stale_leaf, count};
    form_job form = {s, some};
    end_stretch(s, count);
    parallel_for(ctx, count, 8, form_leaves, &form);
    parallel_for(ctx, a->points.leaves, 64, begin_pairs, s);
    TRY(sized_lists_renew(&a->lists, &a->points, s->particles.position, a->stale_leaf, count,
                          s->thin && !a->whole ? levels_see : NULL, s, fits));
    if (!*fits) return RILL_OK;
    levels_release_strays(s, some);
    levels_keep_whole(s, some);
    levels_find_room_some(s, some);
    return RILL_OK;
}
