/* How long lists serve: levels.h.
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
 * of leaves farther apart are safe while no particle has gone R / 2 against the mean of all. */
#include "sph/levels.h"

#include <math.h>

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

static double apart(double low, double high, double other_low, double other_high)
{
    return larger(larger(other_low - high, low - other_high), 0);
}

static double boxes_apart2(const rill_box *a, const rill_box *b)
{
    const double x = apart(a->min.x, a->max.x, b->min.x, b->max.x);
    const double y = apart(a->min.y, a->max.y, b->min.y, b->max.y);
    const double z = apart(a->min.z, a->max.z, b->min.z, b->max.z);
    return x * x + y * y + z * z;
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
            const double reach = larger(n->reach, home->reach), gap2 = boxes_apart2(&n->box, &home->box);
            if (gap2 > 4 * reach * reach) {
                e = n->next;
                continue;
            }
            e++;
            if (!n->leaf) continue;
            if (j->first)
                a->near_leaf[j->first[k] + found] =
                    (near_leaf){n->number, (float)(sqrt(gap2) - reach / (1 + LEVELS_SKIN))};
            found++;
        }
        j->count[k] = found;
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

static void form_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sph *s = arg;
    struct levels *a = s->levels;
    for (size_t k = begin; k < end; k++) {
        const sized_node *n = sized_leaf(&a->points, k);
        leaf_form f = {0};
        int least = SIZED_MOST;
        for (uint32_t i = n->begin; i < n->end; i++) {
            f.middle = v3_add(f.middle, a->listed[i]);
            least = a->size[i] < least ? a->size[i] : least;
        }
        f.middle = v3_scale(f.middle, 1.0 / (n->end - n->begin));
        double far2 = 0, m[6] = {0};
        for (uint32_t i = n->begin; i < n->end; i++) {
            const rill_vec3 r = v3_sub(a->listed[i], f.middle);
            far2 = larger(far2, v3_dot(r, r));
            m[0] += r.y * r.y + r.z * r.z;
            m[1] += r.x * r.x + r.z * r.z;
            m[2] += r.x * r.x + r.y * r.y;
            m[3] -= r.x * r.y;
            m[4] -= r.y * r.z;
            m[5] -= r.z * r.x;
        }
        f.far = sqrt(far2);
        f.radius = a->level[least].kernel.support;
        invert(m, f.turns);
        a->leaf_form[k] = f;
    }
}

rill_status levels_find_near(sph *s)
{
    rill_ctx *ctx = s->sim.ctx;
    struct levels *a = s->levels;
    const size_t leaves = a->points.leaves;
    near_job j = {.s = s};
    TRY(ARENA_NEW(&s->scratch, j.count, leaves + 1));
    TRY(ARENA_NEW(&s->scratch, a->near_first, leaves + 1));
    TRY(ARENA_NEW(&s->scratch, a->leaf_form, leaves + 1));
    TRY(ARENA_NEW(&s->scratch, a->leaf_way, leaves + 1));
    parallel_for(ctx, leaves, 16, form_leaves, s);
    parallel_for(ctx, leaves, 16, near_leaves, &j);
    scan_u32(ctx, j.count, leaves, a->near_first);
    TRY(ARENA_NEW(&s->scratch, a->near_leaf, (size_t)a->near_first[leaves] + 1));
    j.first = a->near_first;
    parallel_for(ctx, leaves, 16, near_leaves, &j);
    return RILL_OK;
}

/* -- ways ----------------------------------------------------------------------------------- */

static void sum_ways(void *arg, size_t begin, size_t end, double *out)
{
    const sph *s = arg;
    out[0] = out[1] = out[2] = 0;
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 d = v3_sub(s->particles.position[i], s->levels->listed[i]);
        out[0] += d.x;
        out[1] += d.y;
        out[2] += d.z;
    }
}

typedef struct {
    const sph *s;
    rill_vec3 drift; /* mean way of all */
} ways_job;

/* The farthest that any of a block has gone, against the mean of all, over its kernel radius; squared. */
static double way_gone(void *arg, size_t begin, size_t end)
{
    const ways_job *j = arg;
    const struct levels *a = j->s->levels;
    double most[SIZED_MOST] = {0}, all = 0;
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 d = v3_sub(v3_sub(j->s->particles.position[i], a->listed[i]), j->drift);
        const double d2 = v3_dot(d, d);
        double *of_size = &most[(int)a->number[i]];
        if (!(d2 <= *of_size)) *of_size = d2; /* keeps what is not a number */
    }
    for (int l = 0; l < a->count; l++) {
        const double radius = a->level[l].kernel.support, d2 = most[l] / (radius * radius);
        if (!(d2 <= all)) all = d2;
    }
    return all;
}

static void way_of_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sph *s = arg;
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
        double most = 0;
        for (uint32_t i = n->begin; i < n->end; i++) {
            const rill_vec3 way = v3_sub(v3_sub(x[i], a->listed[i]), mean);
            const rill_vec3 e = v3_sub(way, v3_cross(turn, v3_sub(a->listed[i], f->middle)));
            most = larger(most, v3_dot(e, e));
        }
        a->leaf_way[k] = (leaf_way){mean, turn, sqrt(most)};
    }
}

/* The farthest that any pair may have come nearer, over what it may. */
static double way_of_pairs(void *arg, size_t begin, size_t end)
{
    const sph *s = arg;
    const struct levels *a = s->levels;
    double most = 0;
    for (size_t k = begin; k < end; k++) {
        const leaf_way *w = &a->leaf_way[k];
        const leaf_form *f = &a->leaf_form[k];
        most = larger(most, 2 * w->off / (LEVELS_SKIN * f->radius));
        for (uint64_t e = a->near_first[k]; e < a->near_first[k + 1]; e++) {
            const uint32_t other = a->near_leaf[e].leaf;
            const leaf_way *o = &a->leaf_way[other];
            const leaf_form *g = &a->leaf_form[other];
            const rill_vec3 together =
                v3_cross(f->far > g->far ? w->turn : o->turn, v3_sub(f->middle, g->middle));
            const double way = w->off + o->off + v3_distance(v3_sub(w->mean, o->mean), together) +
                               v3_distance(w->turn, o->turn) * (f->far < g->far ? f->far : g->far);
            const double may = LEVELS_SKIN * larger(f->radius, g->radius);
            most = larger(most, way / larger(may, (double)a->near_leaf[e].apart));
        }
    }
    return most;
}

bool levels_listed(const sph *s)
{
    const struct levels *a = s->levels;
    return a->listed_count > 0 && a->listed_count == s->particles.count &&
           a->listed_id == s->particles.next_id;
}

double levels_way(sph *s)
{
    const size_t n = s->particles.count;
    double sum[3];
    parallel_sums(s->sim.ctx, n, sum_ways, s, 3, sum);
    ways_job j = {s, v3(sum[0] / (double)n, sum[1] / (double)n, sum[2] / (double)n)};
    return sqrt(parallel_max(s->sim.ctx, n, way_gone, &j));
}

bool levels_serve(sph *s)
{
    struct levels *a = s->levels;
    if (!(s->def.support > 0 && a->moved < 0.5 * s->def.support)) return false;
    parallel_for(s->sim.ctx, a->points.leaves, 16, way_of_leaves, s);
    return parallel_max(s->sim.ctx, a->points.leaves, way_of_pairs, s) < 1;
}
