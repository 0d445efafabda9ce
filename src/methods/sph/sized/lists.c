/* Size classes, the order of their particles, and their lists; see sized.h. */
#include "sph/sized/sized.h"

#include "sph/core/simd.h"
#include "sph/dfsph/pairs.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The kernel of the given radius between particles of two classes. */
static void pair_with(class_pair *p, int o, const kernel *mine, double reach, double mass)
{
    const kernel between = kernel_make(mine->kind, mine->dimensions, reach);
    const kernel8 k = kernel8_make(&between);
    p->per_reach[o] = (float)(1 / reach);
    p->w[o] = (float)(mass * (double)k.w_scale);
    p->g[o] = (float)(mass * (double)k.g_scale);
}

static void pair_classes(sized_state *a)
{
    for (int l = 0; l < a->class_count; l++) {
        const kernel *mine = &a->size_class[l].kernel;
        a->half_reach[l] = (float)(mine->support / 2);
        for (int o = 0; o < a->class_count; o++) {
            const double theirs = a->size_class[o].kernel.support, wider = fmax(mine->support, theirs);
            pair_with(&a->pair[l], o, mine, 0.5 * (mine->support + theirs), a->size_class[o].mass);
            pair_with(&a->own[l], o, mine, mine->support, a->size_class[o].mass);
            a->pair[l].wider2[o] = a->own[l].wider2[o] = (float)(wider * wider);
        }
    }
}

rill_status sized_create(sph *s)
{
    rill_ctx *ctx = s->sim.ctx;
    const rill_scene *scene = s->sim.scene;
    TRY(MEM_NEW_ZERO(ctx, s->sized, 1));
    sized_state *a = s->sized;
    a->class_count = s->def.levels + 1;
    sized_lists_init(&a->lists, ctx);
    arena_init(&a->arena, ctx);
    for (int l = 0; l < a->class_count; l++) {
        size_class *e = &a->size_class[l];
        e->spacing = scene->spacing * pow(2, l / (double)scene->dimensions);
        e->volume = ldexp(s->model.volume, l);
        e->mass = ldexp(s->model.mass, l);
        e->kernel = kernel_make((sph_kernel)s->def.kernel, scene->dimensions, s->def.support * e->spacing);
        a->kernel[l] = e->kernel;
        a->class_walls[l] = &e->walls;
        walls_make(&e->kernel, e->spacing, &e->walls);
    }
    s->model.widest = a->kernel[a->class_count - 1].support;
    pair_classes(a);
    TRY(particles_add_column(ctx, &s->particles, "level"));
    TRY(particles_add_column(ctx, &s->particles, "spacing"));
    TRY(particles_add_column(ctx, &s->particles, "surface_distance"));
    return particles_add_column(ctx, &s->particles, "excess");
}

void sized_release(sph *s)
{
    sized_state *a = s->sized;
    sized_invalidate(s);
    a->step_in_arena = false;
    a->moved_before = a->moved = 0;
    arena_clear(&s->step.arena);
    arena_clear(&a->arena);
    sized_lists_clear(&a->lists);
    mem_free(s->sim.ctx, a->kept.position);
    a->kept.position = NULL;
    a->kept.capacity = 0;
}

void sized_columns(sph *s)
{
    s->sized->class_number = particles_column(&s->particles, "level");
    s->sized->spacing = particles_column(&s->particles, "spacing");
    s->sized->distance = particles_column(&s->particles, "surface_distance");
    s->sized->excess = particles_column(&s->particles, "excess");
}

rill_status sized_carry_distances(sph *s)
{
    (void)s;
    return RILL_OK;
}

particle_sizes sized_sizes(const sph *s)
{
    return (particle_sizes){s->sized->class_number, s->sized->kernel, s->sized->class_walls};
}

void sized_destroy(sph *s)
{
    if (!s->sized) return;
    sized_lists_clear(&s->sized->lists);
    arena_clear(&s->sized->arena);
    mem_free(s->sim.ctx, s->sized->kept.position);
    mem_free(s->sim.ctx, s->sized);
    s->sized = NULL;
}

/* -- copies ------------------------------------------------------------------------------- */

static void place_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = arg;
    const sized_state *a = s->sized;
    const rill_vec3 *x = s->particles.position, *v = s->particles.velocity, origin = a->step.origin;
    const double per_unit = 1 / a->step.unit;
    for (size_t i = begin; i < end; i++) {
        a->step.place[i][0] = (int32_t)lrint((x[i].x - origin.x) * per_unit);
        a->step.place[i][1] = (int32_t)lrint((x[i].y - origin.y) * per_unit);
        a->step.place[i][2] = (int32_t)lrint((x[i].z - origin.z) * per_unit);
        a->step.place[i][3] = 0;
        s->step.velocity[i][0] = (float)v[i].x;
        s->step.velocity[i][1] = (float)v[i].y;
        s->step.velocity[i][2] = (float)v[i].z;
        s->step.velocity[i][3] = 0;
    }
}

/* New particles come from sources without a class: they get the finest. */
static void classify_new_particles(sph *s)
{
    sized_state *a = s->sized;
    for (size_t i = 0; i < s->particles.count; i++) {
        if (a->spacing[i] > 0) continue;
        a->class_number[i] = 0;
        a->spacing[i] = (float)a->size_class[0].spacing;
        a->distance[i] = (float)(0.5 * a->size_class[0].spacing);
    }
}

/* -- lists -------------------------------------------------------------------------------- */

void sized_invalidate(sph *s)
{
    s->sized->kept.count = 0;
}

/* Stores the positions for which lists are built. */
static rill_status store_positions(sph *s)
{
    sized_state *a = s->sized;
    const particles *p = &s->particles;
    sized_invalidate(s);
    a->moved_before += a->moved;
    a->moved = 0;
    TRY(mem_grow(s->sim.ctx, &a->kept.position, sizeof *a->kept.position, &a->kept.capacity, p->count));
    classify_new_particles(s);
    if (p->count) memcpy(a->kept.position, p->position, p->count * sizeof *a->kept.position);
    a->kept.count = p->count;
    a->kept.next_id = p->next_id;
    return RILL_OK;
}

/* Arrays of the steps, in the memory that resampling uses in between. */
static rill_status allocate_step(sph *s)
{
    sized_state *a = s->sized;
    rill_arena *arena = &a->arena;
    const size_t n = s->particles.count;
    arena_reset(arena);
    TRY(ARENA_NEW(arena, a->step.place, n + 1));
    TRY(ARENA_NEW(arena, s->step.velocity, n + 1));
    TRY(ARENA_NEW(arena, s->step.force, n + 1));
    TRY(ARENA_NEW(arena, s->step.wall, n + 1));
    TRY(ARENA_NEW(arena, a->walls.clearance_now, n + 1));
    s->step.weight = s->step.force;
    s->step.drag = NULL;
    s->step.friction = NULL;
    if (s->model.wall_drag) TRY(ARENA_NEW(arena, s->step.drag, n + 1));
    if (s->model.wall_friction) TRY(ARENA_NEW(arena, s->step.friction, n + 1));
    if (s->def.solver == SPH_DFSPH) {
        TRY(ARENA_NEW(arena, a->step.pairs.first, n + 1));
        TRY(ARENA_NEW(arena, a->step.pull, n + 1));
        TRY(ARENA_NEW(arena, s->step.weight, n + 1));
        TRY(ARENA_NEW(arena, s->solve.k, n + 1));
        TRY(ARENA_NEW(arena, s->solve.correction[0], n + 1));
        TRY(ARENA_NEW(arena, s->solve.correction[1], n + 1));
        TRY(pairs_allocate(s, arena, n + 1, a->points.leaves));
        TRY(ARENA_NEW(arena, a->step.slope[0], n + 1));
        a->step.slope[1] = s->solve.correction[1]; /* not needed any more by then */
        a->step.slope[2] = s->step.weight;
    }
    /* the padding particle */
    for (int k = 0; k < 4; k++) a->step.place[n][k] = k < 3 ? -(1 << 30) : 0;
    memset(s->step.velocity[n], 0, sizeof s->step.velocity[n]);
    a->step_in_arena = true;
    return RILL_OK;
}

/* Order and lists of all particles. */
static rill_status build_lists(sph *s)
{
    rill_ctx *ctx = s->sim.ctx;
    sized_state *a = s->sized;
    particles *p = &s->particles;
    TRY(store_positions(s));
    const size_t n = p->count;
    arena_reset(&s->step.arena);
    if (!a->step_in_arena) arena_clear(&a->arena); /* resampling needs more memory than steps */
    a->step_in_arena = false;
    TRY(ARENA_NEW(&s->step.arena, a->size, n + 1));
    for (size_t i = 0; i < n; i++) a->size[i] = (uint8_t)a->class_number[i];
    double reach[SIZED_MOST];
    for (int l = 0; l < a->class_count; l++) reach[l] = (1 + LIST_SKIN) * a->size_class[l].kernel.support;
    TRY(sized_points_build(ctx, &s->step.arena, a->kept.position, a->size, n, reach, a->class_count,
                           &a->points));
    a->size = a->points.size;
    TRY(ARENA_NEW(&s->step.arena, s->step.near_wall, (size_t)a->points.leaves + 1));
    TRY(ARENA_NEW(&s->step.arena, s->step.figures, (size_t)a->points.leaves + 1));
    TRY(particles_permute(ctx, p, a->points.order));
    particles_free_spares(ctx, p);
    sph_columns(s);
    if (n) memcpy(a->kept.position, p->position, n * sizeof *a->kept.position);
    a->lists.slack =
        s->model.thin ? 1 : 0.5; /* where plates are tested, building all lists is four times as expensive */
    TRY(sized_lists_build(&a->lists, &a->points, a->kept.position));
    TRY(sized_find_near_leaves(s));
    TRY(sized_hide_pairs(s));
    TRY(sized_measure_clearance(s));
    const rill_vec3 across = v3_sub(a->points.bounds.max, a->points.bounds.min);
    const double extent = fmax(fmax(across.x, across.y), fmax(across.z, reach[a->class_count - 1]));
    a->step.unit = extent * 0x1p-29;
    a->step.origin = a->points.bounds.min;
    return RILL_OK;
}

/* Rebuilds the lists of stale leaves; *kept false: all lists must be rebuilt. Where half of the leaves are
 * stale, the order of the particles is, too. Leaves whose lists have no capacity for joining particles follow
 * in further rounds. */
static rill_status keep_lists(sph *s, bool *kept)
{
    enum { ROUNDS = 8 };
    sized_state *a = s->sized;
    size_t stale = sized_find_stale(s);
    *kept = true;
    if (stale > 0 || a->strays.count > 0) sized_points_refit(s->sim.ctx, &a->points, s->particles.position);
    for (int round = 0; round < ROUNDS && *kept && (stale > 0 || (round == 0 && a->strays.count > 0));
         round++) {
        *kept = stale <= a->points.leaves / 2;
        if (*kept && stale > 0) TRY(sized_rebuild_leaves(s, stale, kept));
        if (*kept) stale = sized_join_lists(s, stale, round == 0);
    }
    *kept = *kept && stale == 0;
    return RILL_OK;
}

static rill_status update_lists(sph *s)
{
    sized_state *a = s->sized;
    const double frame = frame_at(s, s->sim.time);
    bool kept = sized_lists_current(s);
    if (kept)
        a->moved = s->def.support * sized_travel(s);
    else if (!a->moved_known)
        a->moved += s->step.dt * s->max_speed / s->sim.scene->spacing;
    a->moved_known = false;
    kept = kept && !a->kept.saved && frame == a->kept.frame;
    if (kept) TRY(keep_lists(s, &kept));
    if (kept) return RILL_OK;
    a->kept.frame = frame;
    a->kept.saved = false;
    a->kept.round = 0;
    return build_lists(s);
}

rill_status sized_sort(sph *s)
{
    sized_state *a = s->sized;
    rill_status st = update_lists(s);
    if (!st && !a->step_in_arena) st = allocate_step(s);
    if (st) {
        sized_invalidate(s);
        return st;
    }
    if (!a->walls.clearance)
        sized_points_refit(s->sim.ctx, &a->points, s->particles.position); /* walls move */
    sized_hide_pairs_again(s);
    parallel_for(s->sim.ctx, s->particles.count, 4096, place_block, s);
    return RILL_OK;
}

/* -- saving ------------------------------------------------------------------------------- */

rill_status sized_save(const sph *s, rill_writer *w)
{
    sized_state *a = s->sized;
    /* A resumed run has no lists to measure it from, and would take a guess where this run does not. */
    a->moved_known = sized_lists_current(s);
    if (a->moved_known) a->moved = s->def.support * sized_travel((sph *)s);
    const double scalars[4] = {a->moved, a->moved_before, a->anchored, a->moved_known};
    /* Writing files and rendering need memory: lists are freed, and rebuilt afterwards. */
    sized_lists_clear(&a->lists);
    arena_clear(&a->arena);
    a->step_in_arena = false;
    a->kept.saved = true;
    return save_chunk(w, "sph levels", SAVE_F64, 4, scalars);
}

rill_status sized_load(sph *s, rill_reader *r)
{
    sized_state *a = s->sized;
    double scalars[4];
    sized_invalidate(s);
    for (size_t i = 0; i < s->particles.count; i++)
        if (!(a->class_number[i] >= 0 && a->class_number[i] < (float)a->class_count))
            return rill_fail(s->sim.ctx, RILL_BAD_FILE, "particle %zu has level %g; there are %d levels", i,
                             (double)a->class_number[i], a->class_count);
    TRY(load_chunk(r, "sph levels", SAVE_F64, 4, scalars));
    a->started = true;
    a->moved = scalars[0];
    a->moved_before = scalars[1];
    a->anchored = scalars[2];
    a->moved_known = scalars[3] > 0;
    return RILL_OK;
}
