/* Redistancing: projection, disks, and handing them on; see distances.h.
 *
 * Lengths in cells of a sampler of its own, whose home blocks are as wide as particles reach.
 *
 * DEVIATES, from 5.2 (and see project.h):
 * - Projected particles keep their own distance. Taking the least over all disks around, as written, makes
 * each distance the least of some sixty noisy ones, and the surface sinks at every call.
 * - The queue is replaced by rounds: in each, particles look at the disks their neighbours got in the
 *   round before. It ends with the same kind of answer, every particle having the nearest of its neighbours'
 * disks, and rounds run in parallel with the same bits. */
#include "surface/distances.h"

#include "base/parallel.h"
#include "surface/project.h"

#include <limits.h>
#include <string.h>

#define NO_DISK UINT32_MAX

/* Rounds when distances alone are wanted: two radii beyond those projected. Deeper ones do not reach the
 * surface, and keep what they carry. */
enum { BAND = 2 };

typedef struct {
    const surface_def *def;
    sampler s;
    projector projector;
    float *distance;            /* new, by place; INFINITY: not known yet */
    float *before;              /* of the last round */
    uint32_t *source;           /* place of the particle whose disk it is; NO_DISK */
    uint32_t *settled;          /* likewise, of the last round */
    uint8_t *changed, *changes; /* in the last round, in this one */
    uint8_t *stirred, *stirs;   /* home blocks where anything changed, likewise */
    foot_disk *foot;            /* by place, of projected particles */
    sampler_near some_near[PARALLEL_MAX_THREADS];
} redistancing;

/* Where the corner of the home block lies, in cells from the origin. */
static void corner_of(const sampler_work *w, float out[3])
{
    const int32_t *home = w->s->group[w->group].home.block[w->home];
    for (int axis = 0; axis < 3; axis++) out[axis] = (float)(home[axis] * (LEVEL_BLOCK << w->group));
}

static void append(const sampler_near *from, size_t i, sampler_near *to)
{
    const size_t n = to->count++;
    to->x[n] = from->x[i];
    to->y[n] = from->y[i];
    to->z[n] = from->z[i];
    to->reach[n] = from->reach[i];
    to->value[0][n] = from->value[0][i];
    to->place[n] = from->place[i];
}

static void pad(sampler_near *near)
{
    for (size_t i = near->count; i & 7; i++) {
        near->x[i] = near->y[i] = near->z[i] = 1e9f;
        near->reach[i] = 1;
        near->value[0][i] = 0;
    }
}

static void project_home(void *arg, sampler_work *work)
{
    redistancing *a = arg;
    const sampler *s = &a->s;
    float corner[3];
    bool gathered = false;
    a->stirs[work->index] = 0;
    float farthest = 0; /* how far out of the block the ways may go */
    for (uint32_t i = work->begin; i < work->end; i++)
        farthest = fmaxf(farthest, projector_way(&a->projector, s->reach[i], s->value[0][i]));
    corner_of(work, corner);
    for (uint32_t i = work->begin; i < work->end; i++) {
        a->distance[i] = INFINITY;
        a->source[i] = NO_DISK;
        a->changes[i] = 0;
        if (!(s->value[0][i] < s->reach[i])) continue;
        if (!gathered) sampler_work_gather_wide(work, farthest);
        gathered = true;
        const float x[3] = {s->x[i], s->y[i], s->z[i]};
        sampler_near *near = &a->some_near[work->worker];
        projection way;
        project_begin(&a->projector, work->near, near, x, s->reach[i], s->value[0][i], &way);
        if (!project_end(&a->projector, work->near, near, &way, &a->foot[i], &a->distance[i])) continue;
        for (int k = 0; k < 3; k++) a->foot[i].at[k] += corner[k];
        a->source[i] = i;
        a->changes[i] = a->stirs[work->index] = 1;
    }
}

/* The nearest point of a disk. */
static float disk_distance(const foot_disk *d, const float x[3], float at[3])
{
    float away[3], high = 0, flat2 = 0;
    for (int k = 0; k < 3; k++) away[k] = x[k] - d->at[k];
    for (int k = 0; k < 3; k++) high += away[k] * d->normal[k];
    for (int k = 0; k < 3; k++) away[k] -= high * d->normal[k], flat2 += away[k] * away[k];
    const float flat = sqrtf(flat2), over = flat > d->radius ? flat - d->radius : 0,
                in = flat > 0 ? (flat - over) / flat : 0;
    for (int k = 0; k < 3; k++) at[k] = d->at[k] + in * away[k];
    return sqrtf(high * high + over * over);
}

/* Its distance, or anything beyond `best` when it is not nearer than that. */
static inline float disk_nearer(const foot_disk *d, const float x[3], float best)
{
    const float dx = x[0] - d->at[0], dy = x[1] - d->at[1], dz = x[2] - d->at[2];
    const float high = dx * d->normal[0] + dy * d->normal[1] + dz * d->normal[2];
    if (fabsf(high) >= best) return INFINITY; /* its plane is not nearer */
    const float flat2 = dx * dx + dy * dy + dz * dz - high * high;
    if (flat2 <= d->radius * d->radius) return fabsf(high);
    const float over = sqrtf(flat2) - d->radius;
    return sqrtf(high * high + over * over);
}

/* One round for one home block: the disks that those around got in the last. */
static void hand_on(void *arg, sampler_work *work)
{
    redistancing *a = arg;
    const sampler *s = &a->s;
    float corner[3];
    sampler_near *news = &a->some_near[work->worker];
    corner_of(work, corner);
    bool asked = false;
    for (uint32_t i = work->begin; i < work->end; i++) {
        a->distance[i] = a->before[i];
        a->source[i] = a->settled[i];
        a->changes[i] = 0;
        asked |= a->source[i] != i;
    }
    a->stirs[work->index] = 0;
    if (!asked || !sampler_work_any(work, a->stirred)) return;
    sampler_work_gather(work);
    news->count = 0;
    for (size_t k = 0; k < work->near->count; k++)
        if (a->changed[work->near->place[k]]) append(work->near, k, news);
    pad(news);
    const f8 *px = (const f8 *)news->x, *py = (const f8 *)news->y, *pz = (const f8 *)news->z,
             *r = (const f8 *)news->reach;
    for (uint32_t i = work->begin; i < work->end && news->count; i++) {
        if (a->settled[i] == i) continue; /* projected */
        const float x = s->x[i], y = s->y[i], z = s->z[i],
                    place[3] = {corner[0] + x, corner[1] + y, corner[2] + z};
        float best = a->distance[i];
        const float enough = 1e-3f * s->reach[i];
        for (size_t e = 0; e < (news->count + 7) / 8; e++) {
            const f8 dx = px[e] - x, dy = py[e] - y, dz = pz[e] - z;
            for (unsigned mask = f8_mask(dx * dx + dy * dy + dz * dz < r[e] * r[e]); mask; mask &= mask - 1) {
                const uint32_t from = a->settled[news->place[8 * e + (size_t)__builtin_ctz(mask)]];
                if (from == a->source[i]) continue;
                const float d = disk_nearer(&a->foot[from], place, best);
                if (!(d < best - enough)) continue;
                best = d;
                a->source[i] = from;
                a->changes[i] = a->stirs[work->index] = 1;
            }
        }
        a->distance[i] = best;
    }
}

static rill_status propagate(rill_ctx *ctx, redistancing *a, int rounds)
{
    rill_status st = RILL_OK;
    for (int k = 0; k < rounds && !st && memchr(a->stirs, 1, sampler_homes(&a->s)); k++) {
        float *distance = a->before;
        a->before = a->distance, a->distance = distance;
        uint32_t *source = a->settled;
        a->settled = a->source, a->source = source;
        uint8_t *changes = a->changed;
        a->changed = a->changes, a->changes = changes;
        uint8_t *stirs = a->stirred;
        a->stirred = a->stirs, a->stirs = stirs;
        st = sampler_each(ctx, &a->s, hand_on, a);
    }
    return st;
}

/* What came out, by particle. */
static void hand_out(const redistancing *a, float *distance, rill_vec3 *foot)
{
    const sampler *s = &a->s;
    for (int g = 0; g < s->groups; g++)
        for (uint32_t h = 0; h < s->group[g].home.count; h++) {
            const sampler_work home = {.s = s, .group = g, .home = h};
            float corner[3];
            corner_of(&home, corner);
            for (uint32_t i = s->group[g].first[h]; i < s->group[g].first[h + 1]; i++) {
                const float x[3] = {corner[0] + s->x[i], corner[1] + s->y[i], corner[2] + s->z[i]};
                const uint32_t from = a->source[i], p = s->particle[i];
                float at[3] = {x[0], x[1], x[2]}, d = a->distance[i];
                if (from == i)
                    memcpy(at, a->foot[i].at, sizeof at);
                else if (from != NO_DISK)
                    disk_distance(&a->foot[from], x, at);
                else if (a->projector.carried && a->s.value[0][i] >= s->reach[i]) /* deep inside */
                    d = a->s.value[0][i];
                else /* no surface among all it can hear of: a particle on its own */
                    d = a->projector.ball * s->reach[i] / (float)a->def->radius;
                distance[p] = (float)(d * s->cell);
                if (foot) foot[p] = v3_madd(s->origin, s->cell, v3(at[0], at[1], at[2]));
            }
        }
}

static rill_status start_with(rill_ctx *ctx, const particles *p, const surface_def *def, redistancing *a)
{
    const float *spacing = particles_column(p, "spacing");
    float *reach = NULL;
    sampler_def bins = {.from = p,
                        .cell = def->radius * def->spacing / LEVEL_BLOCK,
                        .radius = def->radius * def->spacing,
                        .dimensions = def->dimensions};
    if (spacing) {
        TRY(MEM_NEW(ctx, reach, p->count));
        for (size_t i = 0; i < p->count; i++) reach[i] = (float)def->radius * spacing[i];
        bins.reach = reach;
    }
    rill_status st = sampler_build(ctx, &bins, &a->s);
    mem_free(ctx, reach);
    if (!st) st = sampler_add_value(ctx, &a->s);
    if (!st) st = MEM_NEW(ctx, a->distance, p->count);
    if (!st) st = MEM_NEW(ctx, a->before, p->count);
    if (!st) st = MEM_NEW(ctx, a->source, p->count);
    if (!st) st = MEM_NEW(ctx, a->settled, p->count);
    if (!st) st = MEM_NEW(ctx, a->changed, p->count);
    if (!st) st = MEM_NEW(ctx, a->changes, p->count);
    if (!st) st = MEM_NEW(ctx, a->stirred, sampler_homes(&a->s));
    if (!st) st = MEM_NEW(ctx, a->stirs, sampler_homes(&a->s));
    if (!st) st = MEM_NEW(ctx, a->foot, p->count);
    for (int w = 0; w < parallel_workers(ctx) && !st; w++) {
        st = sampler_near_init(ctx, &a->s, &a->some_near[w]);
    }
    return st;
}

static void end_with(rill_ctx *ctx, redistancing *a)
{
    for (int w = 0; w < parallel_workers(ctx); w++) {
        sampler_near_clear(ctx, &a->some_near[w]);
    }
    mem_free(ctx, a->distance);
    mem_free(ctx, a->before);
    mem_free(ctx, a->source);
    mem_free(ctx, a->settled);
    mem_free(ctx, a->changed);
    mem_free(ctx, a->changes);
    mem_free(ctx, a->stirred);
    mem_free(ctx, a->stirs);
    mem_free(ctx, a->foot);
    sampler_clear(ctx, &a->s);
}

/* With the distances as carried; NULL: from nothing. */
static rill_status begin_with(rill_ctx *ctx, const particles *p, const surface_def *def, const float *carried,
                              redistancing *a)
{
    *a = (redistancing){.def = def};
    projector_init(&a->projector, def, carried != NULL);
    const rill_status st = start_with(ctx, p, def, a);
    const float flat = (float)(averages_distance(def->radius, def->dimensions) / def->radius);
    for (size_t i = 0; i < p->count && !st; i++) {
        const float d = carried ? carried[a->s.particle[i]] : 0;
        a->s.value[0][i] = d > 0 ? (float)(d / a->s.cell) : flat * a->s.reach[i];
    }
    return st;
}

/* `calls` times the update; carried NULL: from nothing. */
static rill_status redistance(rill_ctx *ctx, const particles *p, const surface_def *given,
                              const float *carried, int calls, float *distance, rill_vec3 *foot)
{
    if (p->count == 0) return RILL_OK;
    surface_def def = *given;
    if (def.radius == 0) def.radius = surface_radius_default(SURFACE_DISTANCE);
    redistancing a;
    rill_status st = begin_with(ctx, p, &def, carried, &a);
    for (int k = 0; k < calls && !st; k++) {
        st = sampler_each(ctx, &a.s, project_home, &a);
        if (!st) st = propagate(ctx, &a, foot || !carried ? INT_MAX : BAND);
        for (size_t i = 0; i < p->count && !st && k + 1 < calls; i++)
            a.s.value[0][i] = isfinite(a.distance[i]) ? a.distance[i] : a.s.reach[i];
    }
    if (!st) hand_out(&a, distance, foot);
    end_with(ctx, &a);
    return st;
}

rill_status distances_update(rill_ctx *ctx, const particles *p, const surface_def *def, float *distance,
                             rill_vec3 *foot)
{
    return redistance(ctx, p, def, distance, 1, distance, foot);
}

rill_status distances_start(rill_ctx *ctx, const particles *p, const surface_def *def, float *distance,
                            rill_vec3 *foot)
{
    enum { CALLS = 3 };
    return redistance(ctx, p, def, NULL, CALLS, distance, foot);
}
