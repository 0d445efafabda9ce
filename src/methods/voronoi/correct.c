/* MacCormack's correction of semi-Lagrangian advection, Selle, Fedkiw, Kim, Liu and Rossignac 2008: the
 * carried speeds are carried back; half of what does not come back is the error of one way, and is added
 * where it was carried from. Faces toward air have none: the surface's own motion is not touched.
 *
 * DEVIATES: the corrected speed is not clamped to the values around its origin, but the correction to half of
 * the largest difference between the cell there and its neighbours. */
#include "voronoi/correct.h"
#include "base/parallel.h"

static const double MOST_SHARE = 0.5;

typedef struct {
    const brochu *s;
    const brochu_diagram *old, *error_of; /* error_of: the old mesh with the error's velocities */
    const double *carried;                /* [old face] speeds */
    brochu_diagram *d;
    const brochu_origin *origin; /* [face of d] */
    double *error;               /* [old face] */
    double dt;
} job;

static bool inner(const brochu_diagram *d, uint32_t e)
{
    const uint32_t *v = d->faces.site[e];
    return d->faces.valid[e] && d->sites.liquid[v[0]] && d->sites.liquid[v[1]];
}

static void error_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    const brochu_diagram *old = j->old;
    uint32_t last = SITE_NONE, there = SITE_NONE; /* nearest to the face before: old, new */
    for (uint32_t e = (uint32_t)begin; e < end; e++) {
        j->error[e] = 0;
        if (!inner(old, e)) continue;
        const rill_vec3 x = brochu_clamp(j->s, old->faces.centroid[e]);
        rill_vec3 u = brochu_look(j->s, old, x, &last);
        uint32_t hint = last;
        u = brochu_look(j->s, old, v3_madd(x, 0.5 * j->dt, u), &hint);
        u = brochu_look(j->s, j->d, v3_madd(x, j->dt, u), &there);
        if (there == SITE_NONE || !j->d->sites.liquid[there]) continue;
        j->error[e] = 0.5 * (j->carried[e] - v3_dot(u, old->faces.normal[e]));
    }
}

/* Between a liquid cell and its liquid neighbours. */
static double largest_difference(const brochu_diagram *d, uint32_t i)
{
    double most = 0;
    for (uint32_t k = d->first[i]; k < d->first[i + 1]; k++) {
        const uint32_t *v = d->faces.site[d->link[k]], b = v[0] == i ? v[1] : v[0];
        if (site_real(d, b) && d->sites.liquid[b])
            most = fmax(most, v3_distance(d->field.fit[b], d->field.fit[i]));
    }
    return most;
}

static void correct_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    brochu_diagram *d = j->d;
    for (uint32_t e = (uint32_t)begin; e < end; e++) {
        if (!inner(d, e) || !j->old->sites.liquid[j->origin[e].site]) continue;
        uint32_t hint = j->origin[e].site;
        const double most = MOST_SHARE * largest_difference(j->old, hint),
                     change =
                         v3_dot(brochu_look(j->s, j->error_of, j->origin[e].x, &hint), d->faces.normal[e]);
        d->faces.speed[e] += fmax(-most, fmin(most, change));
    }
}

rill_status brochu_field_of(brochu *s, brochu_diagram *d, double *speed, bool at_rest, brochu_field *out)
{
    const brochu_field own = d->field;
    double *own_speed = d->faces.speed;
    rill_vec3 *own_velocity = d->solid_velocity, *still = own_velocity;
    if (at_rest && d->solid_area) {
        TRY(ARENA_NEW(&d->arena, still, d->sites.real + 1));
        for (uint32_t i = 0; i < d->sites.real; i++) still[i] = v3(0, 0, 0);
    }
    d->faces.speed = speed;
    d->solid_velocity = still;
    rill_status st = brochu_fit(s, d);
    if (!st) st = brochu_extrapolate(s, d);
    if (!st) *out = d->field;
    d->field = own;
    d->faces.speed = own_speed;
    d->solid_velocity = own_velocity;
    return st;
}

/* Both meshes' arenas give back what the two extra reconstructions took. */
static rill_status correct(job *j, brochu *s, brochu_diagram *old)
{
    rill_ctx *ctx = s->sim.ctx;
    brochu_diagram error_of = *old;
    TRY(ARENA_NEW(&old->arena, j->error, old->faces.count + 1));
    TRY(brochu_fit(s, j->d));
    TRY(brochu_extrapolate(s, j->d));
    parallel_for(ctx, old->faces.count, 512, error_block, j);
    TRY(brochu_field_of(s, old, j->error, true, &error_of.field));
    j->error_of = &error_of;
    parallel_for(ctx, j->d->faces.count, 512, correct_block, j);
    return RILL_OK;
}

rill_status brochu_correct(brochu *s, brochu_diagram *old, const brochu_origin *origin, brochu_diagram *d,
                           double dt)
{
    const arena_mark before = arena_mark_of(&old->arena), after = arena_mark_of(&d->arena);
    job j = {.s = s,
             .old = old,
             .carried = old->mirror ? old->mirrored : old->faces.speed,
             .d = d,
             .origin = origin,
             .dt = dt};
    const rill_status st = correct(&j, s, old);
    arena_back(&old->arena, before);
    arena_back(&d->arena, after);
    d->field = (brochu_field){0};
    return st;
}
