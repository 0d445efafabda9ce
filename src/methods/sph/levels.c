/* Levels, their particles in order, and lists; see levels.h. */
#include "sph/levels.h"

#include "sph/pairs.h"
#include "sph/simd.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A kernel of so large a radius between particles of two levels. */
static void pair_with(level_pair *p, int o, const kernel *mine, double reach, double mass)
{
    const kernel between = kernel_make(mine->kind, mine->dimensions, reach);
    const kernel8 k = kernel8_make(&between);
    p->per_reach[o] = (float)(1 / reach);
    p->w[o] = (float)(mass * (double)k.w_scale);
    p->g[o] = (float)(mass * (double)k.g_scale);
}

static void pair_levels(struct levels *a)
{
    for (int l = 0; l < a->count; l++) {
        const kernel *mine = &a->level[l].kernel;
        a->half_reach[l] = (float)(mine->support / 2);
        for (int o = 0; o < a->count; o++) {
            const double theirs = a->level[o].kernel.support, wider = fmax(mine->support, theirs);
            pair_with(&a->pair[l], o, mine, 0.5 * (mine->support + theirs), a->level[o].mass);
            pair_with(&a->own[l], o, mine, mine->support, a->level[o].mass);
            a->pair[l].wider2[o] = a->own[l].wider2[o] = (float)(wider * wider);
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
    pair_levels(a);
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

/* -- lists -------------------------------------------------------------------------------- */

void levels_void(sph *s)
{
    s->levels->listed_count = 0;
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
    s->drag = NULL;
    s->rub = NULL;
    if (s->wall_drag) TRY(ARENA_NEW(arena, s->drag, n + 1));
    if (s->wall_friction) TRY(ARENA_NEW(arena, s->rub, n + 1));
    if (s->def.solver == SPH_DFSPH) {
        TRY(ARENA_NEW(arena, a->step.first, n + 1));
        TRY(ARENA_NEW(arena, a->pull, n + 1));
        TRY(ARENA_NEW(arena, s->weight, n + 1));
        TRY(ARENA_NEW(arena, s->k, n + 1));
        TRY(ARENA_NEW(arena, s->fix[0], n + 1));
        TRY(ARENA_NEW(arena, s->fix[1], n + 1));
        TRY(pairs_make_columns(s, arena, n + 1, a->points.leaves));
        TRY(ARENA_NEW(arena, a->slope[0], n + 1));
        a->slope[1] = s->fix[1]; /* which have served their turn by then */
        a->slope[2] = s->weight;
    }
    /* nobody: so far away that no kernel reaches, and without mass */
    for (int k = 0; k < 4; k++) a->place[n][k] = k < 3 ? -(1 << 30) : 0;
    memset(s->velocity[n], 0, sizeof s->velocity[n]);
    a->roomy = true;
    return RILL_OK;
}

/* Order and lists of all particles. */
static rill_status make_lists(sph *s)
{
    rill_ctx *ctx = s->sim.ctx;
    struct levels *a = s->levels;
    particles *p = &s->particles;
    TRY(list_places(s));
    const size_t n = p->count;
    arena_reset(&s->scratch);
    if (!a->roomy) arena_clear(&a->sampling); /* resampling takes more than steps do */
    a->roomy = false;
    TRY(ARENA_NEW(&s->scratch, a->size, n + 1));
    for (size_t i = 0; i < n; i++) a->size[i] = (uint8_t)a->number[i];
    double reach[SIZED_MOST];
    for (int l = 0; l < a->count; l++) reach[l] = (1 + LEVELS_SKIN) * a->level[l].kernel.support;
    TRY(sized_points_build(ctx, &s->scratch, a->listed, a->size, n, reach, a->count, &a->points));
    a->size = a->points.size;
    TRY(ARENA_NEW(&s->scratch, s->near_wall, (size_t)a->points.leaves + 1));
    TRY(ARENA_NEW(&s->scratch, s->figures, (size_t)a->points.leaves + 1));
    TRY(particles_permute(ctx, p, a->points.order));
    particles_free_spares(ctx, p);
    sph_columns(s);
    if (n) memcpy(a->listed, p->position, n * sizeof *a->listed);
    a->lists.slack = s->thin ? 1 : 0.5; /* where plates are asked for, all lists are four times as dear */
    TRY(sized_lists_build(&a->lists, &a->points, a->listed));
    TRY(levels_find_near(s));
    TRY(levels_part(s));
    TRY(levels_find_room(s));
    const rill_vec3 across = v3_sub(a->points.bounds.max, a->points.bounds.min);
    const double extent = fmax(fmax(across.x, across.y), fmax(across.z, reach[a->count - 1]));
    a->unit = extent * 0x1p-29;
    a->origin = a->points.bounds.min;
    return RILL_OK;
}

/* Lists of some leaves anew, as far as they can be kept: true in *kept when they could. Where half of them
 * are stale, the order of particles is, too. Leaves whose lists have no place for who joins them come after.
 */
static rill_status keep_lists(sph *s, bool *kept)
{
    enum { ROUNDS = 8 };
    struct levels *a = s->levels;
    size_t stale = levels_stale(s);
    *kept = true;
    if (stale > 0 || a->strays > 0) sized_points_refit(s->sim.ctx, &a->points, s->particles.position);
    for (int round = 0; round < ROUNDS && *kept && (stale > 0 || (round == 0 && a->strays > 0)); round++) {
        *kept = stale <= a->points.leaves / 2;
        if (*kept && stale > 0) TRY(levels_renew(s, stale, kept));
        if (*kept) stale = levels_join(s, stale, round == 0);
    }
    *kept = *kept && stale == 0;
    return RILL_OK;
}

static rill_status renew_lists(sph *s)
{
    struct levels *a = s->levels;
    const double frame = levels_frame(s, s->sim.time);
    bool kept = levels_listed(s);
    a->moved =
        kept ? s->def.support * levels_way(s) : a->moved + s->dt * s->max_speed / s->sim.scene->spacing;
    kept = kept && !a->saved && frame == a->listed_frame;
    if (kept) TRY(keep_lists(s, &kept));
    if (kept) return RILL_OK;
    a->listed_frame = frame;
    a->saved = false;
    a->round = 0;
    return make_lists(s);
}

rill_status levels_sort(sph *s)
{
    struct levels *a = s->levels;
    rill_status st = renew_lists(s);
    if (!st && !a->roomy) st = make_room(s);
    if (st) {
        levels_void(s);
        return st;
    }
    if (!a->room) sized_points_refit(s->sim.ctx, &a->points, s->particles.position); /* walls move */
    levels_part_again(s);
    parallel_for(s->sim.ctx, s->particles.count, 4096, place_block, s);
    return RILL_OK;
}

/* -- saving ------------------------------------------------------------------------------- */

rill_status levels_save(const sph *s, rill_writer *w)
{
    struct levels *a = s->levels;
    const double scalars[3] = {a->moved, a->gone, a->anchored};
    /* What is done with the state, files and pictures, needs memory; all are listed again then. */
    sized_lists_clear(&a->lists);
    arena_clear(&a->sampling);
    a->roomy = false;
    a->saved = true;
    return save_chunk(w, "sph levels", SAVE_F64, 3, scalars);
}

rill_status levels_load(sph *s, rill_reader *r)
{
    struct levels *a = s->levels;
    double scalars[3];
    levels_void(s);
    for (size_t i = 0; i < s->particles.count; i++)
        if (!(a->number[i] >= 0 && a->number[i] < (float)a->count))
            return rill_fail(s->sim.ctx, RILL_BAD_FILE, "particle %zu is of level %g; there are %d", i,
                             (double)a->number[i], a->count);
    TRY(load_chunk(r, "sph levels", SAVE_F64, 3, scalars));
    a->moved = scalars[0];
    a->gone = scalars[1];
    a->anchored = scalars[2];
    return RILL_OK;
}
