/* Thin solids between particles of several sizes; core/plates.c explains why pairs across them leave the
 * lists.
 *
 * Plates at rest separate pairs when lists are built: all pairs when all lists are built, and new pairs and
 * those of strays when some are rebuilt. Plates that move separate pairs in every step; the complete lists
 * are kept as well. */
#include "sph/sized/sized.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct {
    const sph *s;
    const rill_vec3 *x; /* positions of the particles */
    double margin;
} plate_job;

static double widest_list(const sph *s)
{
    return (1 + LIST_SKIN) * s->model.widest;
}

static double room_at(const sph *s, rill_vec3 x, double most)
{
    double room = most;
    for (uint32_t k = 0; k < s->sim.solids.count; k++)
        if (s->model.thin[k]) room = fmin(room, solids_room(&s->sim.solids, k, x, s->sim.time, most));
    return room;
}

static double exact_room_at(const sph *s, rill_vec3 x, rill_vec3 *away)
{
    double nearest = INFINITY;
    for (uint32_t k = 0; k < s->sim.solids.count; k++) {
        rill_vec3 direction;
        if (!s->model.thin[k]) continue;
        const double room = solids_room_away(&s->sim.solids, k, x, s->sim.time, &direction);
        if (!(room < nearest)) continue;
        nearest = room;
        *away = direction;
    }
    return nearest;
}

static bool in_clearing(const float ball[4], rill_vec3 x)
{
    const double r = (double)ball[3];
    const rill_vec3 d = v3_sub(x, v3((double)ball[0], (double)ball[1], (double)ball[2]));
    return v3_dot(d, d) < r * r;
}

/* A ball without thin solids that contains many of a leaf's particles: its centre is some distance away from
 * the plate, and the larger it is the flatter it lies along the plate. */
static void find_clearing(const plate_job *j, const sized_node *leaf, rill_vec3 middle, float best[4])
{
    const sph *s = j->s;
    const double widest = widest_list(s);
    rill_vec3 away = v3(0, 0, 0), aside = away;
    size_t most = 0;
    exact_room_at(s, middle, &away);
    best[3] = 0;
    for (double way = 4 * widest; way > 0.2 * widest && 4 * most < 3 * (size_t)(leaf->end - leaf->begin);
         way *= 0.5) {
        const rill_vec3 c = v3_madd(middle, way, away);
        const double r = exact_room_at(s, c, &aside) - 2 * j->margin;
        const float ball[4] = {(float)c.x, (float)c.y, (float)c.z, (float)fmax(fmin(r, FLT_MAX), 0)};
        size_t in = 0;
        for (uint32_t i = leaf->begin; i < leaf->end; i++) in += in_clearing(ball, j->x[i]);
        if (in <= most) continue;
        most = in;
        memcpy(best, ball, sizeof ball);
    }
}

/* If the middle of a leaf is far from plates, its particles are. */
static void measure_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const plate_job *j = arg;
    const sph *s = j->s;
    sized_state *a = s->sized;
    const double widest = widest_list(s);
    for (size_t k = begin; k < end; k++) {
        const sized_node *c = sized_leaf(&a->points, k);
        const rill_vec3 middle = box_center(c->box);
        const double half = 0.5 * v3_distance(c->box.min, c->box.max);
        const bool near = room_at(s, middle, widest + half) < widest + half;
        for (uint32_t i = c->begin; i < c->end; i++)
            a->plates.clearance[i] = (float)(near ? room_at(s, j->x[i], widest) : widest);
        a->plates.near[k] = near;
        if (near) find_clearing(j, c, middle, a->plates.clear_ball[k]);
    }
}

/* A lower bound of the clearance of a particle, which may have moved since it was measured. */
static double clearance_of(const plate_job *j, size_t k)
{
    const sized_state *a = j->s->sized;
    const double room = (double)a->plates.clearance[k];
    return a->plates.whole ? room : fmax(room - v3_distance(j->x[k], a->kept.position[k]), 0);
}

/* Whether a thin solid separates two particles. Their distances from a plate between them add up to no more
 * than their distance from each other. */
static bool separated(const plate_job *j, size_t i, size_t k, const float *ball)
{
    const sph *s = j->s;
    const solids *all = &s->sim.solids;
    const rill_vec3 x = j->x[i], y = j->x[k];
    const double room = clearance_of(j, i), other = clearance_of(j, k);
    if (room + other > 1.0001 * v3_distance(x, y)) return false;
    if (ball && in_clearing(ball, y)) return false;
    for (uint32_t n = 0; n < all->count; n++)
        if (s->model.thin[n] && !solids_surely_free(all, n, x, room, y, other, s->sim.time, j->margin))
            return plates_between(s, x, y);
    return false;
}

typedef struct {
    const plate_job *j;
    const float *ball;
} see_job;

static bool sees(const void *arg, uint32_t i, uint32_t k, bool known)
{
    (void)known;
    const see_job *see = arg;
    const sized_state *a = see->j->s->sized;
    const double reach = a->points.reach[a->size[i] > a->size[k] ? a->size[i] : a->size[k]];
    /* Most are far from plates: pairs farther apart than lists reach do not matter. */
    if ((double)(a->plates.clearance[i] + a->plates.clearance[k]) > 1.0001 * reach) return true;
    return !separated(see->j, i, k, see->ball);
}

static void separate_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const plate_job *j = arg;
    const sph *s = j->s;
    sized_state *a = s->sized;
    const float widest = (float)widest_list(s);
    for (size_t k = begin; k < end; k++) {
        const sized_node *c = sized_leaf(&a->points, k);
        for (uint32_t i = c->begin; a->plates.near[k] && i < c->end; i++) {
            if (!(a->plates.clearance[i] < widest)) continue;
            const see_job see = {j, in_clearing(a->plates.clear_ball[k], j->x[i]) ? a->plates.clear_ball[k]
                                                                                  : NULL};
            sized_lists_part(&a->lists, i, sees, &see);
        }
    }
}

static void separate(sph *s)
{
    const size_t leaves = s->sized->points.leaves;
    plate_job j = {s, s->particles.position, plates_margin(s)};
    parallel_for(s->sim.ctx, leaves, 4, measure_leaves, &j);
    parallel_for(s->sim.ctx, leaves, 1, separate_leaves, &j);
}

rill_status sized_hide_pairs(sph *s)
{
    sized_state *a = s->sized;
    const size_t leaves = a->points.leaves;
    a->plates.whole = NULL;
    if (!s->model.thin) return RILL_OK;
    TRY(ARENA_NEW(&s->step.arena, a->plates.clearance, s->particles.count + 1));
    TRY(ARENA_NEW(&s->step.arena, a->plates.clear_ball, leaves + 1));
    TRY(ARENA_NEW(&s->step.arena, a->plates.near, leaves + 1));
    if (s->sim.solids.moving) {
        TRY(ARENA_NEW(&s->step.arena, a->plates.whole, (size_t)a->lists.most + 1));
        TRY(ARENA_NEW(&s->step.arena, a->plates.whole_same, s->particles.count + 1));
        sized_keep_whole_lists(s, (leaf_set){NULL, leaves});
    } else {
        separate(s);
    }
    return RILL_OK;
}

void sized_keep_whole_lists(sph *s, leaf_set some)
{
    sized_state *a = s->sized;
    for (size_t k = 0; a->plates.whole && k < some.count; k++) {
        const size_t leaf = leaf_at(&some, k), at = a->lists.home[leaf];
        const sized_node *c = sized_leaf(&a->points, leaf);
        for (uint32_t i = c->begin; i < c->end; i++) a->plates.whole_same[i] = a->lists.same[i];
        memcpy(a->plates.whole + at, a->lists.pool + at, a->lists.reserved[leaf] * sizeof *a->plates.whole);
    }
}

void sized_hide_pairs_again(sph *s)
{
    sized_state *a = s->sized;
    if (!a->plates.whole) return;
    if (a->lists.used)
        memcpy(a->lists.pool, a->plates.whole, (size_t)a->lists.used * sizeof *a->plates.whole);
    for (size_t i = 0; i < s->particles.count; i++) a->lists.same[i] = a->plates.whole_same[i];
    separate(s);
}

void sized_leave_plates(sph *s, size_t begin, size_t end)
{
    sized_state *a = s->sized;
    const plate_job j = {s, s->particles.position, 0};
    for (size_t i = begin; s->model.thin && !a->plates.whole && i < end; i++)
        a->plates.clearance[i] = (float)clearance_of(&j, i);
}

bool sized_visible(const void *of, uint32_t i, uint32_t k, bool known)
{
    const sph *s = of;
    const sized_state *a = s->sized;
    const plate_job j = {s, s->particles.position, plates_margin(s)};
    if (known && !a->strays.is_stray[i] && !a->strays.is_stray[k]) return true;
    return !separated(&j, i, k, NULL);
}
