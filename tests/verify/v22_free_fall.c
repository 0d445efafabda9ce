/* V-22: free fall and Galilean invariance, in two and three dimensions.
 *
 * A falling block gains velocity g t to 1e-10 before contact, whatever it does inside.
 * A block that is being sheared and stretched in zero gravity, seen from a moving
 * frame, does the same: positions differ by the shift alone, to 1e-3 spacings. Both
 * blocks take the same steps, since a step chosen from the largest speed would differ; solves go
 * on to 1e-6, because where they end within their tolerance hangs on rounding (by default: 5e-3 spacings).
 * A grid does not move along, and a velocity is frozen on it while particles cross a cell:
 * there the limit is for a start that lies some whole cells aside, and the figure of the
 * moving frame, by one cell a step, is reported.
 *
 * What the grid does about uneven particles pushes them apart, not quite without a push
 * on the whole: the limit is for the liquid alone, the figure with it is reported. */
#include "verify/sph_cases.h"
#include "verify/voronoi_cases.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const methods[] = {"sph", "grid", "points", "voronoi", NULL}, *const sph_alone[] = {"sph",
                                                                                                       NULL};

/* Elements along the block's side: enough for levels, where there are some. */
static int per_side(variant by)
{
    return variant_sized(by) ? 20 : 12;
}
static const double side = 1, gravity = 9.81;

static rill_box block_at(rill_vec3 corner)
{
    return (rill_box){corner, v3_add(corner, v3(side, side, side))};
}

static void named_figure(verify *v, int dimensions, variant by, const char *what, double value, double limit)
{
    char name[80];
    snprintf(name, sizeof name, "%s, %dD%s", what, dimensions, variant_name(by));
    verify_figure(v, name, value, AT_MOST, limit);
}

static void least_figure(verify *v, int dimensions, variant by, const char *what, double value, double least)
{
    char name[80];
    snprintf(name, sizeof name, "%s, %dD%s", what, dimensions, variant_name(by));
    verify_figure(v, name, value, AT_LEAST, least);
}

/* --- free fall --- */

static bool on_grid(const verify *v)
{
    return strcmp(v->method, "grid") == 0;
}

static rill_status fall(verify *v, int dimensions, variant by, bool pack)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    const double until = 0.5; /* falls 1.23 m of 2 */

    rill_status st =
        verify_scene(v, dimensions, (rill_box){{0, 0, 0}, {3, 4, 3}}, side / per_side(by), &scene);
    if (!st) variant_choose(&scene, by);
    if (!st) {
        scene.gravity = v3(0, -gravity, 0);
        if (!pack) verify_param(&scene, "pack", 0);
        st = verify_add_box(v, &scene, block_at(v3(1, 2, 1)), (velocity_field){0});
    }
    if (!st) st = verify_create(v, &scene, &sim);
    if (!st) {
        const particles *p = verify_particles(sim);
        const rill_vec3 before = verify_mean(v->ctx, p, p->velocity);
        st = verify_run(sim, until, NULL, NULL);
        if (!st) {
            p = verify_particles(sim);
            const rill_vec3 after = verify_mean(v->ctx, p, p->velocity);
            const rill_vec3 gained = v3_scale(v3_sub(after, before), 1 / until);
            const double error = v3_distance(gained, v3(0, -gravity, 0)) / gravity;
            if (pack)
                verify_figure(v, "free fall, the same with the density corrected", error, REPORT, 0);
            else
                named_figure(v, dimensions, by, "free fall, error of the acceleration", error, 1e-10);
            if (variant_sized(by))
                least_figure(v, dimensions, by, "free fall, liquid a particle",
                             verify_shares(p) / (double)p->count, 1.1);
        }
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

/* --- Galilean invariance --- */

typedef struct {
    rill_vec3 center, drift;
    rill_vec3 aside; /* of the start */
} stretching;

/* Stretched along x, pressed along y, and sheared; free of divergence. */
static rill_vec3 stretch(void *user, rill_vec3 x)
{
    const stretching *s = user;
    const rill_vec3 d = v3_sub(x, s->center);
    return v3_add(s->drift, v3(0.5 * d.x + 0.3 * d.y, -0.5 * d.y, 0));
}

static rill_status block_create(verify *v, int dimensions, variant by, int resample, stretching *s,
                                rill_scene *scene, rill_sim **sim)
{
    TRY(verify_scene(v, dimensions, (rill_box){{0, 0, 0}, {4, 4, 4}}, side / per_side(by), scene));
    variant_choose(scene, by);
    if (variant_sized(by)) ((sph_def *)scene_method_def_of(scene, "sph"))->resample = resample;
    scene->gravity = v3(0, 0, 0);
    scene->domain.open = (1u << SIDE_COUNT) - 1;
    if (dimensions == 2) scene->domain.open &= 0xf;
    verify_param(scene, "compression", 1e-6); /* what solves leave is not what this is about */
    verify_param(scene, "divergence", 1e-6);
    verify_param(scene, "sound_speed", 10); /* else taken from the largest speed, drift included */
    s->center = v3_add(s->aside, v3(1.5, 1.5, dimensions == 3 ? 1.5 : 0));
    TRY(verify_add_box(v, scene, block_at(v3_add(s->aside, v3(1, 1, 1))),
                       (velocity_field){.function = stretch, .user = s}));
    return verify_create(v, scene, sim);
}

/* dt 0: as long as both allow. */
static rill_status run_together(rill_sim *a, rill_sim *b, double fixed, double until)
{
    while (a->time < until) {
        double dt = fixed > 0 ? fixed : fmin(a->method->max_dt(a), b->method->max_dt(b));
        if (!(dt > 1e-9)) return rill_fail(a->ctx, RILL_BLEW_UP, "the time step became %g s", dt);
        if (dt > until - a->time || until - a->time - dt < 1e-9) dt = until - a->time;
        rill_step_stats stats;
        TRY(verify_step(a, dt, &stats));
        TRY(verify_step(b, dt, &stats));
    }
    return RILL_OK;
}

/* The largest distance between where a particle of b is and where that of a would be
 * after the drift, in spacings. Methods sort their particles: partners by id. */
static rill_status largest_difference(rill_ctx *ctx, const rill_sim *a, const rill_sim *b, rill_vec3 shift,
                                      double *out)
{
    const particles *p = verify_particles(a), *q = verify_particles(b);
    if (p->count != q->count) {
        *out = INFINITY;
        return RILL_OK;
    }
    rill_vec3 *place;
    TRY(MEM_NEW_ZERO(ctx, place, p->next_id));
    for (size_t i = 0; i < p->count; i++) place[p->id[i]] = v3_add(p->position[i], shift);
    double most = 0;
    for (size_t i = 0; i < q->count; i++) {
        const double d = q->id[i] < p->next_id ? v3_distance(place[q->id[i]], q->position[i]) : INFINITY;
        if (!(d <= most)) most = d;
    }
    mem_free(ctx, place);
    *out = most / a->scene->spacing;
    return RILL_OK;
}

static rill_status drift(verify *v, int dimensions, variant by, bool aside)
{
    const double until = 0.6, fixed = on_grid(v) ? 0.05 : 0;
    stretching still = {0}, moving = {.drift = {1.3, 0.7, dimensions == 3 ? 0.4 : 0}};
    const double cell = side / per_side(by);
    if (on_grid(v)) moving.drift = v3_scale(v3(1, 1, dimensions == 3 ? 1 : 0), cell / fixed);
    if (aside) {
        moving.drift = v3(0, 0, 0);
        moving.aside = v3(3 * cell, 5 * cell, dimensions == 3 ? cell : 0);
    }
    rill_scene scene_a = {0}, scene_b = {0};
    rill_sim *a = NULL, *b = NULL;
    double difference = NAN;

    rill_status st = block_create(v, dimensions, by, 0, &still, &scene_a, &a);
    if (!st) st = block_create(v, dimensions, by, 0, &moving, &scene_b, &b);
    if (!st) st = run_together(a, b, fixed, until);
    const rill_vec3 shift = v3_madd(moving.aside, until, moving.drift);
    if (!st) st = largest_difference(v->ctx, a, b, shift, &difference);
    if (!st && on_grid(v) && !aside)
        verify_figure(v, "moving frame, largest difference in spacings", difference, REPORT, 0);
    else if (!st)
        named_figure(v, dimensions, by,
                     aside ? "start aside, largest difference in spacings"
                           : "moving frame, largest difference in spacings",
                     difference, 1e-3);
    verify_destroy(a);
    verify_destroy(b);
    scene_clear(v->ctx, &scene_a);
    scene_clear(v->ctx, &scene_b);
    return st;
}

static rill_status run(verify *v)
{
    if (strcmp(v->method, "voronoi") == 0) return v22_voronoi(v);
    const int last = strcmp(v->method, "sph") == 0 ? BY_TAIT : BY_DEFAULT;
    for (int by = BY_DEFAULT; by <= last; by++)
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            TRY(fall(v, dimensions, (variant)by, false));
            if (on_grid(v)) TRY(fall(v, dimensions, BY_DEFAULT, true));
            TRY(drift(v, dimensions, (variant)by, false));
            if (on_grid(v)) TRY(drift(v, dimensions, BY_DEFAULT, true));
        }
    return RILL_OK;
}

/* --- particles of several sizes --- */

/* The liquid's middle and its widths (the standard deviations of its places). */
static void outline(rill_ctx *ctx, const particles *p, rill_vec3 *middle, rill_vec3 *width)
{
    *middle = verify_mean(ctx, p, p->position);
    const float *level = particles_column(p, "level");
    rill_vec3 sum = v3(0, 0, 0);
    for (size_t i = 0; i < p->count; i++) {
        const rill_vec3 d = v3_sub(p->position[i], *middle);
        sum = v3_madd(sum, verify_share(level, i), v3(d.x * d.x, d.y * d.y, d.z * d.z));
    }
    sum = v3_scale(sum, 1 / verify_shares(p));
    *width = v3(sqrt(sum.x), sqrt(sum.y), sqrt(sum.z));
}

/* Which particles are split and merged is decided by thresholds, and near one by rounding, which is another
 * one far from the origin: single particles can be compared as long as they stay the same, the liquid always.
 */
static rill_status drift_levels(verify *v, int dimensions, variant by, bool resampled)
{
    /* Rounding grows as particles of several sizes change places, most where pressure holds each. */
    const double until = resampled ? 0.6 : by == BY_LEVELS ? 0.2 : 0.3;
    stretching still = {0}, moving = {.drift = {1.3, 0.7, dimensions == 3 ? 0.4 : 0}};
    rill_scene scene[2] = {0};
    rill_sim *a = NULL, *b = NULL;
    rill_status st = block_create(v, dimensions, by, resampled ? 0 : 1000, &still, &scene[0], &a);
    if (!st) st = block_create(v, dimensions, by, resampled ? 0 : 1000, &moving, &scene[1], &b);
    if (!st && !resampled) a->step = b->step = 1; /* the next time is not reached */
    if (!st) st = run_together(a, b, 0, until);
    const rill_vec3 shift = v3_scale(moving.drift, until);
    if (!st && resampled) {
        rill_vec3 middle[2], width[2];
        outline(v->ctx, verify_particles(a), &middle[0], &width[0]);
        outline(v->ctx, verify_particles(b), &middle[1], &width[1]);
        const double cell = side / per_side(by);
        named_figure(v, dimensions, by, "moving frame, difference of the middle in spacings",
                     v3_distance(v3_add(middle[0], shift), middle[1]) / cell, 1e-3);
        named_figure(v, dimensions, by, "moving frame, difference of the widths, relative",
                     v3_distance(width[0], width[1]) / v3_length(width[0]), 1e-3);
    } else if (!st) {
        double difference;
        st = largest_difference(v->ctx, a, b, shift, &difference);
        if (!st)
            named_figure(v, dimensions, by, "moving frame, not resampled, difference in spacings", difference,
                         1e-3);
    }
    verify_destroy(a);
    verify_destroy(b);
    for (int k = 0; k < 2; k++) scene_clear(v->ctx, &scene[k]);
    return st;
}

static rill_status run_levels(verify *v)
{
    const variant both[2] = {BY_LEVELS, BY_TAIT_LEVELS};
    for (int k = 0; k < 2; k++) {
        for (int dimensions = 2; dimensions <= 3; dimensions++) {
            TRY(fall(v, dimensions, both[k], false));
            TRY(drift_levels(v, dimensions, both[k], false));
        }
        TRY(drift_levels(v, 2, both[k], true));
    }
    return RILL_OK;
}

const verify_case v22_levels = {"V-22-levels", "Free fall and Galilean invariance with several sizes",
                                sph_alone, run_levels};
const verify_case v22_free_fall = {"V-22", "Free fall and Galilean invariance", methods, run};
