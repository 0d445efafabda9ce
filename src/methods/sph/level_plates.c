/* Thin solids between particles of several sizes: plates.c says why pairs across them leave the lists.
 *
 * Plates that stand still part pairs when these are listed: all when all are, and when some lists are made
 * anew, those that were not in them, and those of strays. Plates that move part pairs in every step, for
 * which the lists are kept whole as well. */
#include "sph/levels.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct {
    const sph *s;
    const rill_vec3 *x; /* where particles are */
    double margin;
} part_job;

static double widest_list(const sph *s)
{
    return (1 + LEVELS_SKIN) * sph_widest(s);
}

static double room_at(const sph *s, rill_vec3 x, double most)
{
    double room = most;
    for (uint32_t k = 0; k < s->sim.solids.count; k++)
        if (s->thin[k]) room = fmin(room, solids_room(&s->sim.solids, k, x, s->sim.time, most));
    return room;
}

static double exact_room_at(const sph *s, rill_vec3 x, rill_vec3 *away)
{
    double nearest = INFINITY;
    for (uint32_t k = 0; k < s->sim.solids.count; k++) {
        rill_vec3 direction;
        if (!s->thin[k]) continue;
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

/* A ball that holds nothing thin and many of a leaf's particles: its centre is some way off, away from what
 * is thin there, and the wider it is the flatter it lies along a plate. */
static void find_clearing(const part_job *j, const sized_node *leaf, rill_vec3 middle, float best[4])
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

/* Those of a leaf whose middle is far away are, too. */
static void room_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const part_job *j = arg;
    const sph *s = j->s;
    struct levels *a = s->levels;
    const double widest = widest_list(s);
    for (size_t k = begin; k < end; k++) {
        const sized_node *c = sized_leaf(&a->points, k);
        const rill_vec3 middle = box_center(c->box);
        const double half = 0.5 * v3_distance(c->box.min, c->box.max);
        const bool near = room_at(s, middle, widest + half) < widest + half;
        for (uint32_t i = c->begin; i < c->end; i++)
            a->plate_room[i] = (float)(near ? room_at(s, j->x[i], widest) : widest);
        a->near_plate[k] = near;
        if (near) find_clearing(j, c, middle, a->clearing[k]);
    }
}

/* A lower bound of the room of a particle, which may have gone since it was asked. */
static double room_of(const part_job *j, size_t k)
{
    const struct levels *a = j->s->levels;
    const double room = (double)a->plate_room[k];
    return a->whole ? room : fmax(room - v3_distance(j->x[k], a->listed[k]), 0);
}

/* Whether a thin solid is between two particles. The distances of two from a plate between them add up to no
 * more than theirs from each other. */
static bool parted(const part_job *j, size_t i, size_t k, const float *ball)
{
    const sph *s = j->s;
    const solids *all = &s->sim.solids;
    const rill_vec3 x = j->x[i], y = j->x[k];
    const double room = room_of(j, i), other = room_of(j, k);
    if (room + other > 1.0001 * v3_distance(x, y)) return false;
    if (ball && in_clearing(ball, y)) return false;
    for (uint32_t n = 0; n < all->count; n++)
        if (s->thin[n] && !solids_surely_free(all, n, x, room, y, other, s->sim.time, j->margin))
            return sph_parted(s, x, y);
    return false;
}

typedef struct {
    const part_job *j;
    const float *ball;
} see_job;

static bool sees(const void *arg, uint32_t i, uint32_t k, bool known)
{
    (void)known;
    const see_job *see = arg;
    const struct levels *a = see->j->s->levels;
    const double reach = a->points.reach[a->size[i] > a->size[k] ? a->size[i] : a->size[k]];
    /* Most are far from plates: they are no farther apart than lists reach, or do not matter now. */
    if ((double)(a->plate_room[i] + a->plate_room[k]) > 1.0001 * reach) return true;
    return !parted(see->j, i, k, see->ball);
}

static void part_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const part_job *j = arg;
    const sph *s = j->s;
    struct levels *a = s->levels;
    const float widest = (float)widest_list(s);
    for (size_t k = begin; k < end; k++) {
        const sized_node *c = sized_leaf(&a->points, k);
        for (uint32_t i = c->begin; a->near_plate[k] && i < c->end; i++) {
            if (!(a->plate_room[i] < widest)) continue;
            const see_job see = {j, in_clearing(a->clearing[k], j->x[i]) ? a->clearing[k] : NULL};
            sized_lists_part(&a->lists, i, sees, &see);
        }
    }
}

static void part(sph *s)
{
    const size_t leaves = s->levels->points.leaves;
    part_job j = {s, s->particles.position, sph_plate_margin(s)};
    parallel_for(s->sim.ctx, leaves, 4, room_leaves, &j);
    parallel_for(s->sim.ctx, leaves, 1, part_leaves, &j);
}

rill_status levels_part(sph *s)
{
    struct levels *a = s->levels;
    const size_t leaves = a->points.leaves;
    a->whole = NULL;
    if (!s->thin) return RILL_OK;
    TRY(ARENA_NEW(&s->scratch, a->plate_room, s->particles.count + 1));
    TRY(ARENA_NEW(&s->scratch, a->clearing, leaves + 1));
    TRY(ARENA_NEW(&s->scratch, a->near_plate, leaves + 1));
    if (s->sim.solids.moving) {
        TRY(ARENA_NEW(&s->scratch, a->whole, (size_t)a->lists.most + 1));
        TRY(ARENA_NEW(&s->scratch, a->whole_same, s->particles.count + 1));
        levels_keep_whole(s, (leaf_choice){NULL, leaves});
    } else {
        part(s);
    }
    return RILL_OK;
}

void levels_keep_whole(sph *s, leaf_choice some)
{
    struct levels *a = s->levels;
    for (size_t k = 0; a->whole && k < some.count; k++) {
        const size_t leaf = leaf_chosen(&some, k), at = a->lists.home[leaf];
        const sized_node *c = sized_leaf(&a->points, leaf);
        for (uint32_t i = c->begin; i < c->end; i++) a->whole_same[i] = a->lists.same[i];
        memcpy(a->whole + at, a->lists.pool + at, a->lists.room[leaf] * sizeof *a->whole);
    }
}

void levels_part_again(sph *s)
{
    struct levels *a = s->levels;
    if (!a->whole) return;
    if (a->lists.used) memcpy(a->lists.pool, a->whole, (size_t)a->lists.used * sizeof *a->whole);
    for (size_t i = 0; i < s->particles.count; i++) a->lists.same[i] = a->whole_same[i];
    part(s);
}

void levels_plates_gone(sph *s, size_t begin, size_t end)
{
    struct levels *a = s->levels;
    const part_job j = {s, s->particles.position, 0};
    for (size_t i = begin; s->thin && !a->whole && i < end; i++) a->plate_room[i] = (float)room_of(&j, i);
}

bool levels_see(const void *of, uint32_t i, uint32_t k, bool known)
{
    const sph *s = of;
    const struct levels *a = s->levels;
    const part_job j = {s, s->particles.position, sph_plate_margin(s)};
    if (known && !a->astray[i] && !a->astray[k]) return true;
    return !parted(&j, i, k, NULL);
}
