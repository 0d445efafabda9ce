/* Levels, their particles in order, and lists; see levels.h. */
#include "sph/levels.h"

#include "sph/pairs.h"
#include "sph/simd.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Kernels between particles of two levels. Where dfsph settles before the start (adaptive.c), the densities
 * are those of its own sums, level_pairs.c. */
static void pair_levels(struct levels *a, bool single)
{
    for (int l = 0; l < a->count; l++) {
        a->half_reach[l] = (float)(a->level[l].kernel.support / 2);
        for (int o = 0; o < a->count; o++) {
            const kernel *mine = &a->level[l].kernel;
            const double reach = single ? mine->support : 0.5 * (mine->support + a->level[o].kernel.support),
                         mass = a->level[o].mass;
            const kernel between = kernel_make(mine->kind, mine->dimensions, reach);
            const kernel8 k = kernel8_make(&between);
            a->pair[l].per_reach[o] = (float)(1 / reach);
            a->pair[l].w[o] = (float)(mass * (double)k.w_scale);
            a->pair[l].g[o] = (float)(mass * (double)k.g_scale);
        }
    }
}

rill_status levels_create(sph *s)
{
    rill_ctx *ctx = s->sim.ctx;
    const rill_scene *scene = s->sim.scene;
    TRY(MEM_NEW_ZERO(ctx, s->levels, 1));
    struct levels *a = s->levels;
    a->count = s->def.levels + 1;
    sized_lists_init(&a->lists, ctx);
    arena_init(&a->sampling, ctx);
    for (int l = 0; l < a->count; l++) {
        level *e = &a->level[l];
        e->spacing = scene->spacing * pow(2, l / (double)scene->dimensions);
        e->volume = ldexp(s->volume, l);
        e->mass = ldexp(s->mass, l);
        e->kernel = kernel_make((sph_kernel)s->def.kernel, scene->dimensions, s->def.support * e->spacing);
        walls_make(&e->kernel, e->spacing, &e->walls);
    }
    pair_levels(a, s->def.solver == SPH_DFSPH);
    TRY(particles_add_column(ctx, &s->particles, "level"));
    TRY(particles_add_column(ctx, &s->particles, "spacing"));
    TRY(particles_add_column(ctx, &s->particles, "surface_distance"));
    return particles_add_column(ctx, &s->particles, "excess");
}

void levels_give_back(sph *s)
{
    struct levels *a = s->levels;
    levels_void(s);
    a->roomy = false;
    a->gone = a->moved = 0;
    arena_clear(&s->scratch);
    arena_clear(&a->sampling);
    sized_lists_clear(&a->lists);
    mem_free(s->sim.ctx, a->listed);
    a->listed = NULL;
    a->listed_capacity = 0;
}

void levels_destroy(sph *s)
{
    if (!s->levels) return;
    sized_lists_clear(&s->levels->lists);
    arena_clear(&s->levels->sampling);
    mem_free(s->sim.ctx, s->levels->listed);
    mem_free(s->sim.ctx, s->levels);
    s->levels = NULL;
}

/* -- copies ------------------------------------------------------------------------------- */

static void place_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = arg;
    const struct levels *a = s->levels;
    const rill_vec3 *x = s->particles.position, *v = s->particles.velocity, origin = a->origin;
    const double per_unit = 1 / a->unit;
    for (size_t i = begin; i < end; i++) {
        a->place[i][0] = (int32_t)lrint((x[i].x - origin.x) * per_unit);
        a->place[i][1] = (int32_t)lrint((x[i].y - origin.y) * per_unit);
        a->place[i][2] = (int32_t)lrint((x[i].z - origin.z) * per_unit);
        a->place[i][3] = 0;
        s->velocity[i][0] = (float)v[i].x;
        s->velocity[i][1] = (float)v[i].y;
        s->velocity[i][2] = (float)v[i].z;
        s->velocity[i][3] = 0;
    }
}

static void kind_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = arg;
    struct levels *a = s->levels;
    level_kind kind[SIZED_MOST];
    for (int l = 0; l < a->count; l++) {
        const kernel8 k = kernel8_make(&a->level[l].kernel);
        const float m = (float)a->level[l].mass;
        kind[l] = (level_kind){(float)(1 / a->level[l].kernel.support), m * k.w_scale, m * k.g_scale, m};
    }
    for (size_t i = begin; i < end; i++) a->kind[i] = kind[a->size[i]];
}

/* New particles come from sources without a level. */
static void know_new_ones(sph *s)
{
    struct levels *a = s->levels;
    for (size_t i = 0; i < s->particles.count; i++) {
        if (a->spacing[i] > 0) continue;
        a->number[i] = 0;
        a->spacing[i] = (float)a->level[0].spacing;
        a->distance[i] = (float)(0.5 * a->level[0].spacing);
    }
}

typedef struct {
    sph *s;
    const rill_vec3 *x; /* where particles are */
    float *room;
    double margin;
} part_job;

static double room_at(const sph *s, rill_vec3 x, double most)
{
    double room = most;
    for (uint32_t k = 0; k < s->sim.solids.count; k++)
        if (s->thin[k]) room = fmin(room, solids_room(&s->sim.solids, k, x, s->sim.time, most));
    return room;
}

/* Those of a leaf whose middle is far away are, too. */
static void room_leaves(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const part_job *j = arg;
    const sph *s = j->s;
    const double widest = (1 + LEVELS_SKIN) * sph_widest(s);
    for (size_t k = begin; k < end; k++) {
        const sized_node *c = sized_leaf(&s->levels->points, k);
        const rill_vec3 middle = box_center(c->box);
        const double half = 0.5 * v3_distance(c->box.min, c->box.max);
        const bool near = room_at(s, middle, widest + half) < widest + half;
        for (uint32_t i = c->begin; i < c->end; i++)
            j->room[i] = (float)(near ? room_at(s, j->x[i], widest) : widest);
    }
}

/* Whether a thin solid is between two particles. */
static bool parted(const part_job *j, size_t i, size_t k)
{
    const sph *s = j->s;
    const solids *all = &s->sim.solids;
    const rill_vec3 x = j->x[i], y = j->x[k];
    for (uint32_t n = 0; n < all->count; n++)
        if (s->thin[n] &&
            !solids_surely_free(all, n, x, (double)j->room[i], y, (double)j->room[k], s->sim.time, j->margin))
            return sph_parted(s, x, y);
    return false;
}

/* Nobody sees through a plate: pairs with a thin solid between them leave the lists.
 * The distances of the two from the plate then add up to no more than theirs from each other. */
static void part_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const part_job *j = arg;
    const sph *s = j->s;
    const struct levels *a = s->levels;
    const uint32_t nobody = (uint32_t)s->particles.count;
    const float widest = (float)((1 + LEVELS_SKIN) * sph_widest(s));
    for (size_t i = begin; i < end; i++) {
        if (!(j->room[i] < widest)) continue;
        const rill_vec3 x = j->x[i];
        uint32_t *e = a->lists.pool + (size_t)a->lists.first[i] * SIZED_LANES;
        uint32_t *const last = e + ((size_t)a->lists.same[i] + a->lists.other[i]) * SIZED_LANES;
        for (; e < last; e++) {
            if (*e == nobody || *e == i) continue;
            const rill_vec3 y = j->x[*e];
            const double near = (double)(j->room[i] + j->room[*e]);
            if (near < 1.0001 * v3_distance(x, y) && parted(j, i, *e)) *e = nobody;
        }
    }
}

static void part(sph *s, const rill_vec3 *x)
{
    part_job j = {s, x, s->levels->plate_room, sph_plate_margin(s)};
    parallel_for(s->sim.ctx, s->levels->points.leaves, 4, room_leaves, &j);
    parallel_for(s->sim.ctx, s->particles.count, 64, part_block, &j);
}

/* Plates that stand still part pairs once, as these were listed; those that move in every step. */
static rill_status begin_parting(sph *s)
{
    struct levels *a = s->levels;
    a->whole = NULL;
    if (!s->thin) return RILL_OK;
    TRY(ARENA_NEW(&s->scratch, a->plate_room, s->particles.count + 1));
    if (!s->sim.solids.moving) {
        part(s, a->listed);
        return RILL_OK;
    }
    TRY(ARENA_NEW(&s->scratch, a->whole, (size_t)a->lists.used + 1));
    if (a->lists.used) memcpy(a->whole, a->lists.pool, (size_t)a->lists.used * sizeof *a->whole);
    return RILL_OK;
}

static void part_again(sph *s)
{
    struct levels *a = s->levels;
    if (!a->whole) return;
    if (a->lists.used) memcpy(a->lists.pool, a->whole, (size_t)a->lists.used * sizeof *a->whole);
    part(s, s->particles.position);
}

/* -- lists -------------------------------------------------------------------------------- */

void levels_void(sph *s)
{
    s->levels->listed_count = 0;
    s->levels->built = false;
}

/* Remembers where the particles are, for lists to be made. */
static rill_status list_places(sph *s)
{
    struct levels *a = s->levels;
    const particles *p = &s->particles;
    levels_void(s);
    a->gone += a->moved;
    a->moved = 0;
    TRY(mem_grow(s->sim.ctx, &a->listed, sizeof *a->listed, &a->listed_capacity, p->count));
    know_new_ones(s);
    if (p->count) memcpy(a->listed, p->position, p->count * sizeof *a->listed);
    a->listed_count = p->count;
    a->listed_id = p->next_id;
    return RILL_OK;
}

/* What a step needs, in memory that resampling uses in between. */
static rill_status make_room(sph *s)
{
    struct levels *a = s->levels;
    rill_arena *arena = &a->sampling;
    const size_t n = s->particles.count;
    arena_reset(arena);
    TRY(ARENA_NEW(arena, a->place, n + 1));
    TRY(ARENA_NEW(arena, s->velocity, n + 1));
    TRY(ARENA_NEW(arena, s->force, n + 1));
    TRY(ARENA_NEW(arena, s->wall, n + 1));
    TRY(ARENA_NEW(arena, a->left, n + 1));
    s->weight = s->force;
    a->corner = s->wall;
    a->image = NULL;
    if (s->def.solver != SPH_DFSPH) {
        TRY(ARENA_NEW(arena, a->image, n + 1));
        TRY(ARENA_NEW(arena, a->corner, n + 1));
        TRY(ARENA_NEW(arena, a->alone, n + 1));
        TRY(ARENA_NEW(arena, a->depth, n + 1));
        a->depth[n] = 0;
    }
    s->drag = NULL;
    s->rub = NULL;
    if (s->wall_drag) TRY(ARENA_NEW(arena, s->drag, n + 1));
    if (s->wall_friction) TRY(ARENA_NEW(arena, s->rub, n + 1));
    if (s->def.solver == SPH_DFSPH) {
        TRY(ARENA_NEW(arena, a->kind, n + 1));
        TRY(ARENA_NEW(arena, s->weight, n + 1));
        TRY(ARENA_NEW(arena, s->k, n + 1));
        TRY(ARENA_NEW(arena, s->fix[0], n + 1));
        TRY(ARENA_NEW(arena, s->fix[1], n + 1));
        TRY(pairs_make_columns(s, arena, n + 1, a->points.leaves));
        TRY(ARENA_NEW(arena, a->slope[0], n + 1));
        a->slope[1] = s->fix[1]; /* which have served their turn by then */
        a->slope[2] = s->weight;
        parallel_for(s->sim.ctx, n, 4096, kind_block, s);
        a->kind[n] = (level_kind){1, 0, 0, 0};
    }
    /* nobody: so far away that no kernel reaches, and without mass */
    for (int k = 0; k < 4; k++) a->place[n][k] = k < 3 ? -(1 << 30) : 0;
    memset(s->velocity[n], 0, sizeof s->velocity[n]);
    a->roomy = true;
    return RILL_OK;
}

static bool in_order(const uint32_t *order, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (order[i] != i) return false;
    return true;
}

/* Order and lists of the particles where they were listed. Those of a resumed run are in that order already,
 * since sorting is stable. */
static rill_status make_lists(sph *s, bool resumed)
{
    rill_ctx *ctx = s->sim.ctx;
    struct levels *a = s->levels;
    particles *p = &s->particles;
    const size_t n = p->count;
    arena_reset(&s->scratch);
    a->roomy = false;
    TRY(ARENA_NEW(&s->scratch, a->size, n + 1));
    for (size_t i = 0; i < n; i++) a->size[i] = (uint8_t)a->number[i];
    double reach[SIZED_MOST];
    for (int l = 0; l < a->count; l++) reach[l] = (1 + LEVELS_SKIN) * a->level[l].kernel.support;
    TRY(sized_points_build(ctx, &s->scratch, a->listed, a->size, n, reach, a->count, &a->points));
    a->size = a->points.size;
    TRY(ARENA_NEW(&s->scratch, s->near_wall, (size_t)a->points.leaves + 1));
    TRY(ARENA_NEW(&s->scratch, s->figures, (size_t)a->points.leaves + 1));
    if (!resumed) {
        TRY(particles_permute(ctx, p, a->points.order));
        sph_columns(s);
        if (n) memcpy(a->listed, p->position, n * sizeof *a->listed);
    } else if (!in_order(a->points.order, n)) {
        return rill_fail(ctx, RILL_BAD_FILE, "the saved particles are not in the order of their lists");
    }
    TRY(sized_lists_build(&a->lists, &a->points, a->listed));
    TRY(levels_find_near(s));
    TRY(begin_parting(s));
    TRY(levels_find_room(s));
    const rill_vec3 across = v3_sub(a->points.bounds.max, a->points.bounds.min);
    const double extent = fmax(fmax(across.x, across.y), fmax(across.z, reach[a->count - 1]));
    a->unit = extent * 0x1p-29;
    a->origin = a->points.bounds.min;
    a->built = true;
    return RILL_OK;
}

rill_status levels_sort(sph *s)
{
    struct levels *a = s->levels;
    rill_status st = RILL_OK;
    const bool listed = levels_listed(s);
    a->moved =
        listed ? s->def.support * levels_way(s) : a->moved + s->dt * s->max_speed / s->sim.scene->spacing;
    if (listed && !a->built) st = make_lists(s, true); /* resumed */
    if (!st && !(listed && levels_serve(s))) {
        st = list_places(s);
        if (!st) st = make_lists(s, false);
    }
    if (!st && !a->roomy) st = make_room(s);
    if (!st && !a->room) sized_points_refit(s->sim.ctx, &a->points, s->particles.position); /* walls move */
    if (st) {
        levels_void(s);
        return st;
    }
    part_again(s);
    parallel_for(s->sim.ctx, s->particles.count, 4096, place_block, s);
    return RILL_OK;
}

/* -- saving ------------------------------------------------------------------------------- */

rill_status levels_save(const sph *s, rill_writer *w)
{
    const struct levels *a = s->levels;
    const double scalars[3] = {a->moved, a->gone, a->anchored};
    TRY(save_chunk(w, "sph levels", SAVE_F64, 3, scalars));
    return save_chunk(w, "sph listed", SAVE_F64, levels_listed(s) ? 3 * a->listed_count : 0, a->listed);
}

rill_status levels_load(sph *s, rill_reader *r)
{
    rill_ctx *ctx = s->sim.ctx;
    struct levels *a = s->levels;
    uint64_t count;
    double scalars[3];
    levels_void(s);
    for (size_t i = 0; i < s->particles.count; i++)
        if (!(a->number[i] >= 0 && a->number[i] < (float)a->count))
            return rill_fail(ctx, RILL_BAD_FILE, "particle %zu is of level %g; there are %d", i,
                             (double)a->number[i], a->count);
    TRY(load_chunk(r, "sph levels", SAVE_F64, 3, scalars));
    TRY(load_count(r, "sph listed", SAVE_F64, &count));
    if (count != 0 && count != 3 * (uint64_t)s->particles.count)
        return rill_fail(ctx, RILL_BAD_FILE, "%" PRIu64 " coordinates of %zu particles were listed", count,
                         s->particles.count);
    TRY(mem_grow(ctx, &a->listed, sizeof *a->listed, &a->listed_capacity, (size_t)count / 3 + 1));
    TRY(load_chunk(r, "sph listed", SAVE_F64, count, a->listed));
    a->moved = scalars[0];
    a->gone = scalars[1];
    a->anchored = scalars[2];
    a->listed_count = (size_t)count / 3;
    a->listed_id = s->particles.next_id;
    return RILL_OK;
}
