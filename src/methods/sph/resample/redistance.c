/* Distances of particles of several sizes from the surface, and their nearest surface points, [Adams]
 * section 5.2: particles near the surface are projected, leaf by leaf, and their disks spread through the
 * lists. A particle that no disk reaches keeps its distance. In metres. */
#include "base/text.h"
#include "geom/search/spread.h"
#include "sph/core/simd.h"
#include "sph/resample/resample.h"
#include "surface/distances.h"

#include <math.h>

const char stage_redistancing[] = "redistancing";

/* Particles and disks in floats, relative to the centre of the liquid: sufficient to find the nearest. */
typedef struct {
    float (*place)[4], (*at)[4], (*normal)[4]; /* the fourth of `normal`: the radius of the disk */
} disks_near;

/* surface_disk_distance of eight particles, each with a disk. */
static void disk_worth(const void *arg, const uint32_t *point, const uint32_t *source, float *worth)
{
    const disks_near *n = arg;
    const vec8 x = fetch8(n->place, point), at = fetch8(n->at, source), normal = fetch8(n->normal, source);
    const __m256 dx = _mm256_sub_ps(x.x, at.x), dy = _mm256_sub_ps(x.y, at.y), dz = _mm256_sub_ps(x.z, at.z);
    const __m256 above =
        _mm256_fmadd_ps(dx, normal.x, _mm256_fmadd_ps(dy, normal.y, _mm256_mul_ps(dz, normal.z)));
    const __m256 d2 = _mm256_fmadd_ps(dx, dx, _mm256_fmadd_ps(dy, dy, _mm256_mul_ps(dz, dz)));
    const __m256 aside = _mm256_sqrt_ps(positive8(_mm256_fnmadd_ps(above, above, d2)));
    const __m256 beyond = positive8(_mm256_sub_ps(aside, normal.w));
    const __m256 all = _mm256_fmadd_ps(above, above, _mm256_mul_ps(beyond, beyond));
    _mm256_storeu_ps(worth, _mm256_sqrt_ps(all));
}

rill_status redistance(sph *s, const surface_def *def, rill_vec3 *foot, uint32_t *source,
                       rill_step_stats *stats)
{
    double clock = clock_seconds();
    sized_state *a = s->sized;
    rill_arena *arena = &a->arena;
    const size_t n = s->particles.count;
    disks_near near;
    float *found, *enough;
    uint8_t *projected;
    const arena_mark mark = arena_mark_of(arena);
    TRY(ARENA_NEW(arena, near.normal, n));
    TRY(ARENA_NEW(arena, found, n));
    sized_points_refit(s->sim.ctx, &a->points, s->particles.position); /* particles have moved */
    const distances_tree tree = {&a->points,
                                 surface_radius_default(SURFACE_DISTANCE) / s->def.support / (1 + LIST_SKIN)};
    TRY(distances_project(s->sim.ctx, &s->particles, def, &tree, arena, a->distance, found, foot,
                          near.normal));
    if (stats) step_stats_stage(stats, "projection", &clock);
    const rill_vec3 middle = box_center(a->points.bounds);
    TRY(ARENA_NEW(arena, enough, n));
    TRY(ARENA_NEW(arena, projected, n));
    TRY(ARENA_NEW(arena, near.place, n));
    TRY(ARENA_NEW(arena, near.at, n));
    for (size_t i = 0; i < n; i++) {
        projected[i] = isfinite(found[i]);
        row_store(near.place[i], v3_sub(s->particles.position[i], middle), 0);
        if (projected[i]) row_store(near.at[i], v3_sub(foot[i], middle), 0);
        source[i] = projected[i] ? (uint32_t)i : SPREAD_NONE;
        enough[i] = 1e-2f * a->spacing[i];
    }
    const spread_def def_near = {.near = &a->lists,
                                 .count = n,
                                 .worth = disk_worth,
                                 .arg = &near,
                                 .most = INFINITY,
                                 .enough = enough,
                                 .fixed = projected};
    TRY(spread(s->sim.ctx, arena, &def_near, found, source));
    for (size_t i = 0; i < n; i++) {
        const uint32_t from = source[i];
        if (projected[i]) a->distance[i] = found[i];
        if (projected[i]) continue;
        foot[i] = s->particles.position[i];
        if (from == SPREAD_NONE) continue;
        const float *normal = near.normal[from];
        const surface_disk disk = {foot[from], row_vec(normal), (double)normal[3]};
        a->distance[i] = (float)surface_disk_distance(&disk, s->particles.position[i], &foot[i]);
    }
    arena_back(arena, mark);
    if (stats) step_stats_stage(stats, stage_redistancing, &clock);
    return RILL_OK;
}
