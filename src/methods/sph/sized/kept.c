/* How long lists remain valid: sized.h.
 *
 * Lists hold all pairs that were nearer than (1 + skin) times the larger kernel radius R when they were
 * built. Any other pair becomes neighbours only when the two approach each other by skin R. Only the
 * displacement relative to the particles around matters, which in a liquid is much shorter than the
 * displacement itself: it is bounded leaf by leaf. Known of each leaf are the mean displacement m, the
 * rotation w about its middle c, the largest deviation e from both, and the leaves nearer to it than twice
 * its reach. A common rotation brings no two particles nearer: with r the vector between them when the lists
 * were built, |r + w x r| >= |r| for any w. For two leaves with rotations w, w' the approach of any two of
 * their particles is therefore bounded by
 *     e + e' + |m - m' - (w + w')/2 x (c - c')| + |w - w'|/2 (f + f'),
 * f being the largest distance of a particle from the middle of its leaf. Pairs of leaves farther apart are
 * safe while no particle has moved R / 2 against the mean of all.
 *
 * Where two leaves may have come too near, the lists of one of them are rebuilt, and its particles are added
 * to the lists of neighbours that lack them (joins.c): a jet that falls into a pool leaves the pool's lists
 * alone. The displacements of the rebuilt leaf, and of pairs with it, count from then on; of the other leaf
 * of a pair the mean displacement until then is known, and its deviation, which counts once more: rotations
 * are as bad as other displacements there, e + f |w|. Strays are left out of all this (strays.c). */
#include "sph/sized/sized.h"

#include <math.h>
#include <string.h>

/* -- which leaves are near each other ------------------------------------------------------- */

typedef struct {
    sph *s;
    uint32_t *count;
    const uint64_t *first; /* NULL: only count */
} near_job;

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* The near leaves that come later in the order. */
static void near_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const near_job *j = arg;
    sized_state *a = j->s->sized;
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
                a->kept.near_leaf[j->first[k] + found] =
                    (near_leaf){.leaf = n->number, .apart = (float)(sqrt(gap2) - reach / (1 + LIST_SKIN))};
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

/* -- leaves when their lists were built ------------------------------------------------------ */

/* Inverse of sum |r|^2 - r r^T; the matrix is singular for points on a line, so a small diagonal is added. */
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
    leaf_set some;
} form_job;

static void form_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const form_job *j = arg;
    sized_state *a = j->s->sized;
    for (size_t m = begin; m < end; m++) {
        const size_t k = leaf_at(&j->some, m);
        const sized_node *n = sized_leaf(&a->points, k);
        leaf_shape f = {0};
        int least = SIZED_MOST;
        for (uint32_t i = n->begin; i < n->end; i++) {
            f.middle = v3_add(f.middle, a->kept.position[i]);
            least = a->size[i] < least ? a->size[i] : least;
        }
        f.middle = v3_scale(f.middle, 1.0 / (n->end - n->begin));
        double far2 = 0, spread[6] = {0};
        for (uint32_t i = n->begin; i < n->end; i++) {
            const rill_vec3 r = v3_sub(a->kept.position[i], f.middle);
            far2 = larger(far2, v3_dot(r, r));
            spread[0] += r.y * r.y + r.z * r.z;
            spread[1] += r.x * r.x + r.z * r.z;
            spread[2] += r.x * r.x + r.y * r.y;
            spread[3] -= r.x * r.y;
            spread[4] -= r.y * r.z;
            spread[5] -= r.z * r.x;
        }
        f.far = sqrt(far2);
        f.radius = a->size_class[least].kernel.support;
        invert(spread, f.turns);
        a->kept.shape[k] = f;
    }
}

rill_status sized_find_near_leaves(sph *s)
{
    rill_ctx *ctx = s->sim.ctx;
    sized_state *a = s->sized;
    const size_t leaves = a->points.leaves;
    near_job j = {.s = s};
    form_job form = {s, {NULL, leaves}};
    TRY(ARENA_NEW(&s->step.arena, j.count, leaves + 1));
    TRY(ARENA_NEW(&s->step.arena, a->kept.near_first, leaves + 1));
    TRY(ARENA_NEW(&s->step.arena, a->kept.shape, leaves + 1));
    TRY(ARENA_NEW(&s->step.arena, a->kept.motion, leaves + 1));
    TRY(ARENA_NEW(&s->step.arena, a->kept.history, leaves + 1));
    memset(a->kept.history, 0, (leaves + 1) * sizeof *a->kept.history);
    TRY(ARENA_NEW(&s->step.arena, a->kept.stale_leaf, leaves + 1));
    TRY(sized_begin_strays(s));
    TRY(sized_begin_joins(s));
    parallel_for(ctx, leaves, 16, form_leaves, &form);
    parallel_for(ctx, leaves, 16, near_leaves, &j);
    scan_u32(ctx, j.count, leaves, a->kept.near_first);
    TRY(ARENA_NEW(&s->step.arena, a->kept.near_leaf, (size_t)a->kept.near_first[leaves] + 1));
    j.first = a->kept.near_first;
    parallel_for(ctx, leaves, 16, near_leaves, &j);
    double sum[3];
    parallel_sums(ctx, s->particles.count, sum_places, s, 3, sum);
    a->kept.sum = v3(sum[0], sum[1], sum[2]);
    return RILL_OK;
}

/* -- displacements ----------------------------------------------------------------------------------- */

/* The mean displacement of all particles since all lists were built. */
static rill_vec3 drift_of_all(sph *s)
{
    const double n = (double)s->particles.count;
    double sum[3];
    parallel_sums(s->sim.ctx, s->particles.count, sum_places, s, 3, sum);
    return v3_scale(v3_sub(v3(sum[0], sum[1], sum[2]), s->sized->kept.sum), 1 / n);
}

typedef struct {
    const sph *s;
    rill_vec3 drift; /* mean displacement of all particles */
} ways_job;

/* The farthest that any of a leaf but strays has gone since it was listed, against the mean of all, over its
 * kernel radius. */
static double way_of_leaf(const ways_job *j, size_t k)
{
    const sized_state *a = j->s->sized;
    const sized_node *n = sized_leaf(&a->points, k);
    const rill_vec3 drift = v3_sub(j->drift, a->kept.history[k].drift);
    double most[SIZED_MOST] = {0}, all = 0;
    for (uint32_t i = n->begin; i < n->end; i++) {
        if (a->strays.is_stray[i]) continue;
        const rill_vec3 d = v3_sub(v3_sub(j->s->particles.position[i], a->kept.position[i]), drift);
        const double d2 = v3_dot(d, d);
        double *of_size = &most[a->size[i]];
        if (!(d2 <= *of_size)) *of_size = d2; /* keeps NaN */
    }
    for (int l = 0; l < a->class_count; l++) {
        const double radius = a->size_class[l].kernel.support, d2 = most[l] / (radius * radius);
        if (!(d2 <= all)) all = d2;
    }
    return sqrt(all);
}

static double way_gone(void *arg, size_t begin, size_t end)
{
    const ways_job *j = arg;
    double most = 0;
    for (size_t k = begin; k < end; k++) {
        const double way = j->s->sized->kept.history[k].way + way_of_leaf(j, k);
        if (!(way <= most)) most = way;
    }
    return most;
}

static void way_of_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = arg;
    sized_state *a = s->sized;
    const rill_vec3 *x = s->particles.position;
    for (size_t k = begin; k < end; k++) {
        const sized_node *n = sized_leaf(&a->points, k);
        const leaf_shape *f = &a->kept.shape[k];
        rill_vec3 mean = {0, 0, 0}, turned = {0, 0, 0}; /* sums of displacements, and of r x displacement */
        for (uint32_t i = n->begin; i < n->end; i++) {
            const rill_vec3 way = v3_sub(x[i], a->kept.position[i]);
            mean = v3_add(mean, way);
            turned = v3_add(turned, v3_cross(v3_sub(a->kept.position[i], f->middle), way));
        }
        mean = v3_scale(mean, 1.0 / (n->end - n->begin));
        const double *t = f->turns;
        const rill_vec3 turn = v3(t[0] * turned.x + t[3] * turned.y + t[5] * turned.z,
                                  t[3] * turned.x + t[1] * turned.y + t[4] * turned.z,
                                  t[5] * turned.x + t[4] * turned.y + t[2] * turned.z);
        a->kept.motion[k] = (leaf_motion){.mean = mean, .turn = turn};
        sized_leaf_spread(s, k);
    }
}

/* Bound of the approach of two leaves whose lists were last built together. */
static double come_nearer(const leaf_shape *f, const leaf_motion *w, const leaf_shape *g,
                          const leaf_motion *o)
{
    const rill_vec3 together = v3_cross(f->far > g->far ? w->turn : o->turn, v3_sub(f->middle, g->middle));
    return w->off + o->off + v3_distance(v3_sub(w->mean, o->mean), together) +
           v3_distance(w->turn, o->turn) * (f->far < g->far ? f->far : g->far);
}

/* Largest displacement within a leaf against its mean since its lists were built. */
static double off_since(const sized_state *a, size_t k)
{
    return a->kept.motion[k].off + v3_length(a->kept.motion[k].turn) * a->kept.shape[k].far;
}
/* The leaf's mean displacement since all lists were built. */
static rill_vec3 way_since(const sized_state *a, size_t k)
{
    return v3_add(a->kept.history[k].mean, a->kept.motion[k].mean);
}

/* Whether the lists may lack pairs between the two leaves. */
static bool pair_stale(const sized_state *a, size_t k, const near_leaf *e)
{
    const leaf_shape *f = &a->kept.shape[k], *g = &a->kept.shape[e->leaf];
    const uint32_t round = e->round;
    const double may = larger(LIST_SKIN * larger(f->radius, g->radius), (double)e->apart);
    double way;
    if (a->kept.history[k].round == round && a->kept.history[e->leaf].round == round) {
        way = come_nearer(f, &a->kept.motion[k], g, &a->kept.motion[e->leaf]);
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
    const sized_state *a = s->sized;
    for (size_t k = begin; k < end; k++)
        for (uint64_t e = a->kept.near_first[k]; e < a->kept.near_first[k + 1]; e++)
            a->kept.near_leaf[e].stale = pair_stale(a, k, &a->kept.near_leaf[e]);
}

bool sized_lists_current(const sph *s)
{
    const sized_state *a = s->sized;
    return a->kept.count > 0 && a->kept.count == s->particles.count &&
           a->kept.next_id == s->particles.next_id;
}

double sized_travel(sph *s)
{
    ways_job j = {s, drift_of_all(s)};
    return parallel_max(s->sim.ctx, s->sized->points.leaves, way_gone, &j);
}

size_t sized_collect_stale(sph *s)
{
    sized_state *a = s->sized;
    size_t count = 0;
    for (size_t k = 0; k < a->points.leaves; k++)
        if (a->kept.history[k].stale) a->kept.stale_leaf[count++] = (uint32_t)k;
    return count;
}

size_t sized_find_stale(sph *s)
{
    sized_state *a = s->sized;
    const size_t leaves = a->points.leaves;
    if (!(s->def.support > 0 && a->moved < 0.5 * s->def.support)) return leaves;
    parallel_for(s->sim.ctx, leaves, 16, way_of_leaves, s);
    sized_admit_strays(s);
    parallel_for(s->sim.ctx, leaves, 16, stale_pairs, s);
    for (size_t k = 0; k < leaves; k++)
        a->kept.history[k].stale = !(2 * a->kept.motion[k].off < LIST_SKIN * a->kept.shape[k].radius);
    for (size_t k = 0; k < leaves; k++)
        for (uint64_t e = a->kept.near_first[k]; e < a->kept.near_first[k + 1]; e++) {
            const uint32_t other = a->kept.near_leaf[e].leaf;
            if (!a->kept.near_leaf[e].stale || a->kept.history[k].stale || a->kept.history[other].stale)
                continue;
            a->kept.history[off_since(a, other) > off_since(a, k) ? other : k].stale = true;
        }
    return sized_collect_stale(s);
}

/* -- rebuilding some leaves -------------------------------------------------------------------------- */

/* Displacements of the rebuilt leaves count from here. */
static void end_stretch(sph *s, size_t count)
{
    sized_state *a = s->sized;
    const ways_job j = {s, drift_of_all(s)};
    a->kept.round++;
    for (size_t n = 0; n < count; n++) {
        const size_t k = a->kept.stale_leaf[n];
        leaf_history *past = &a->kept.history[k];
        past->way += way_of_leaf(&j, k);
        past->mean = way_since(a, k);
        past->drift = j.drift;
        past->round = a->kept.round;
        a->kept.motion[k] = (leaf_motion){0};
        const sized_node *c = sized_leaf(&a->points, k);
        sized_leave_plates(s, c->begin, c->end);
        for (uint32_t i = c->begin; i < c->end; i++) a->kept.position[i] = s->particles.position[i];
    }
}

/* Displacements of pairs with a rebuilt leaf count from here. */
static void begin_pairs(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sph *s = arg;
    const sized_state *a = s->sized;
    for (size_t k = begin; k < end; k++) {
        const sized_node *home = sized_leaf(&a->points, k);
        for (uint64_t m = a->kept.near_first[k]; m < a->kept.near_first[k + 1]; m++) {
            near_leaf *e = &a->kept.near_leaf[m];
            if (!a->kept.history[k].stale && !a->kept.history[e->leaf].stale) continue;
            const sized_node *other = sized_leaf(&a->points, e->leaf);
            const double reach = larger(home->reach, other->reach) / (1 + LIST_SKIN);
            const rill_vec3 mean = v3_sub(way_since(a, k), way_since(a, e->leaf));
            e->apart = (float)(sqrt(sized_gap2(&home->box, &other->box)) - reach);
            e->mean[0] = (float)mean.x;
            e->mean[1] = (float)mean.y;
            e->mean[2] = (float)mean.z;
            e->off = (float)(off_since(a, k) + off_since(a, e->leaf));
            e->round = a->kept.round;
        }
    }
}

rill_status sized_rebuild_leaves(sph *s, size_t count, bool *fits)
{
    rill_ctx *ctx = s->sim.ctx;
    sized_state *a = s->sized;
    const leaf_set some = {a->kept.stale_leaf, count};
    form_job form = {s, some};
    end_stretch(s, count);
    parallel_for(ctx, count, 8, form_leaves, &form);
    parallel_for(ctx, a->points.leaves, 64, begin_pairs, s);
    TRY(sized_lists_renew(&a->lists, &a->points, s->particles.position, a->kept.stale_leaf, count,
                          s->model.thin && !a->plates.whole ? sized_visible : NULL, s, fits));
    if (!*fits) return RILL_OK;
    sized_release_strays(s, some);
    sized_keep_whole_lists(s, some);
    sized_measure_clearance_of(s, some);
    return RILL_OK;
}
