/* Levels, their particles in order, and lists; see levels.h. */
#include "sph/levels.h"

#include "sph/simd.h"

#include <math.h>
#include <string.h>

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
    TRY(particles_add_column(ctx, &s->particles, "level"));
    TRY(particles_add_column(ctx, &s->particles, "spacing"));
    TRY(particles_add_column(ctx, &s->particles, "surface_distance"));
    return particles_add_column(ctx, &s->particles, "excess");
}

void levels_destroy(sph *s)
{
    if (!s->levels) return;
    sized_lists_clear(&s->levels->lists);
    arena_clear(&s->levels->sampling);
    mem_free(s->sim.ctx, s->levels);
    s->levels = NULL;
}

typedef struct {
    sph *s;
    rill_vec3 origin;
    double per_unit;
} copy_job;

static void copy_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const copy_job *j = arg;
    sph *s = j->s;
    struct levels *a = s->levels;
    const rill_vec3 *x = s->particles.position, *v = s->particles.velocity;
    for (size_t i = begin; i < end; i++) {
        const int l = a->size[i];
        a->place[i][0] = (int32_t)lrint((x[i].x - j->origin.x) * j->per_unit);
        a->place[i][1] = (int32_t)lrint((x[i].y - j->origin.y) * j->per_unit);
        a->place[i][2] = (int32_t)lrint((x[i].z - j->origin.z) * j->per_unit);
        a->place[i][3] = 0;
        const kernel8 k = kernel8_make(&a->level[l].kernel);
        const float m = (float)a->level[l].mass;
        a->kind[i] = (level_kind){(float)(1 / a->level[l].kernel.support), m * k.w_scale, m * k.g_scale, m};
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

/* Nobody sees through a plate: pairs with a thin solid between them leave the lists. */
static void part_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = arg;
    struct levels *a = s->levels;
    const uint32_t nobody = (uint32_t)s->particles.count;
    const double widest = sph_widest(s);
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 x = s->particles.position[i];
        bool near = false;
        for (uint32_t k = 0; k < s->sim.solids.count && !near; k++)
            near = s->thin[k] && solids_room(&s->sim.solids, k, x, s->sim.time, widest) < widest;
        if (!near) continue;
        uint32_t *e = a->lists.pool + (size_t)a->lists.first[i] * SIZED_LANES;
        uint32_t *const last = e + ((size_t)a->lists.same[i] + a->lists.other[i]) * SIZED_LANES;
        for (; e < last; e++)
            if (*e != nobody && *e != i && sph_parted(s, x, s->particles.position[*e])) *e = nobody;
    }
}

rill_status levels_sort(sph *s)
{
    rill_ctx *ctx = s->sim.ctx;
    struct levels *a = s->levels;
    particles *p = &s->particles;
    const size_t n = p->count;
    arena_reset(&s->scratch);
    know_new_ones(s);
    TRY(ARENA_NEW(&s->scratch, a->size, n + 1));
    for (size_t i = 0; i < n; i++) a->size[i] = (uint8_t)a->number[i];
    double reach[SIZED_MOST];
    for (int l = 0; l < a->count; l++) reach[l] = a->level[l].kernel.support;
    TRY(sized_points_build(ctx, &s->scratch, p->position, a->size, n, reach, a->count, &a->points));
    a->size = a->points.size;
    TRY(particles_permute(ctx, p, a->points.order));
    sph_columns(s);
    TRY(ARENA_NEW(&s->scratch, a->place, n + 1));
    TRY(ARENA_NEW(&s->scratch, a->kind, n + 1));
    TRY(ARENA_NEW(&s->scratch, s->velocity, n + 1));
    TRY(ARENA_NEW(&s->scratch, s->force, n + 1));
    TRY(ARENA_NEW(&s->scratch, s->wall, n + 1));
    TRY(ARENA_NEW(&s->scratch, s->near_wall, (size_t)a->points.leaves + 1));
    TRY(ARENA_NEW(&s->scratch, s->figures, (size_t)a->points.leaves + 1));
    s->weight = s->force;
    s->drag = NULL;
    s->rub = NULL;
    if (s->wall_drag) TRY(ARENA_NEW(&s->scratch, s->drag, n + 1));
    if (s->wall_friction) TRY(ARENA_NEW(&s->scratch, s->rub, n + 1));
    TRY(sized_lists_build(&a->lists, &a->points, p->position));
    if (s->thin) parallel_for(ctx, n, 64, part_block, s);
    const rill_vec3 across = v3_sub(a->points.bounds.max, a->points.bounds.min);
    const double extent = fmax(fmax(across.x, across.y), fmax(across.z, reach[a->count - 1]));
    a->unit = extent * 0x1p-29;
    copy_job j = {s, a->points.bounds.min, 1 / a->unit};
    parallel_for(ctx, n, 4096, copy_block, &j);
    /* nobody: so far away that no kernel reaches, and without mass */
    for (int k = 0; k < 4; k++) a->place[n][k] = k < 3 ? -(1 << 30) : 0;
    a->kind[n] = (level_kind){1, 0, 0, 0};
    memset(s->velocity[n], 0, sizeof s->velocity[n]);
    return RILL_OK;
}
