/* Flicker of surfaces of liquid at rest: [Sin09] section 4 finds that Williams's mesh has it, and draws
 * figure 6 with a variation by level set instead.
 *
 * A block of 24 x 8 x 24 particles, each shaken anew in every frame by up to 0.05 spacings (the quiver of a
 * simulation at rest). Rays from above find its top: how much its height and its normal, which is what a
 * reflection shows, change from frame to frame, as root mean squares away from the sides. */
#include "base/random.h"
#include "geom/mesh/rays.h"
#include "surface/surface.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>

enum { SIDE = 24, HIGH = 8, COUNT = SIDE * SIDE * HIGH, ALONG = 64, FRAMES = 6 };

typedef struct {
    double height[ALONG * ALONG];
    rill_vec3 normal[ALONG * ALONG];
} top;

static void shake(particles *p, uint32_t frame)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        const random4 r = random_at(7, i, frame, 0);
        const double a = 0.1;
        p->position[i] = v3(i % SIDE + 0.5 + a * (r.v[0] * 0x1p-32 - 0.5),
                            i / SIDE % HIGH + 0.5 + a * (r.v[1] * 0x1p-32 - 0.5),
                            i / SIDE / HIGH + 0.5 + a * (r.v[2] * 0x1p-32 - 0.5));
    }
}

static rill_status look_from_above(rill_ctx *ctx, const trimesh *m, top *out)
{
    rays *e = NULL;
    const rays_def def = {.origin = v3(SIDE / 2, HIGH / 2, SIDE / 2), .mesh = m};
    TRY(rays_create(ctx, &def, &e));
    rill_status st = RILL_OK;
    for (int i = 0; i < ALONG * ALONG && !st; i++) {
        const double edge = 4, step = (SIDE - 2 * edge) / ALONG;
        const rill_vec3 from = v3(edge + step * (i % ALONG + 0.5), 2 * HIGH, edge + step * (i / ALONG + 0.5));
        rays_hit h;
        if (!rays_intersect(e, from, v3(0, -1, 0), 0, 3 * HIGH, &h))
            st = rill_fail(ctx, RILL_BLEW_UP, "the surface has a hole at (%g, %g)", from.x, from.z);
        if (st) break;
        const uint32_t *c = m->triangle[h.element];
        const double w[3] = {1 - (double)h.u - (double)h.v, h.u, h.v};
        rill_vec3 n = {0, 0, 0};
        for (int k = 0; k < 3; k++)
            n = v3_madd(n, w[k], v3(m->normal[c[k]][0], m->normal[c[k]][1], m->normal[c[k]][2]));
        out->height[i] = from.y - h.t;
        out->normal[i] = v3_unit(n);
    }
    rays_destroy(ctx, e);
    return st;
}

/* Changes from frame to frame: spacings, and degrees. */
static rill_status flicker_of(rill_ctx *ctx, particles *p, int definition, top *now, top *before,
                              double *height, double *angle)
{
    surface_def def = surface_def_default();
    def.definition = definition;
    double squares = 0, turns = 0;
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        trimesh m = {0};
        shake(p, frame);
        rill_status st = surface_from_particles(ctx, p, &def, &m);
        if (!st) st = look_from_above(ctx, &m, now);
        trimesh_clear(ctx, &m);
        TRY(st);
        for (int i = 0; i < ALONG * ALONG && frame > 0; i++) {
            const double d = now->height[i] - before->height[i];
            const double turn = acos(fmin(v3_dot(now->normal[i], before->normal[i]), 1)) * 180 / M_PI;
            squares += d * d;
            turns += turn * turn;
        }
        *before = *now;
    }
    const double count = (double)ALONG * ALONG * (FRAMES - 1);
    *height = sqrt(squares / count);
    *angle = sqrt(turns / count);
    return RILL_OK;
}

static rill_status run(verify *v)
{
    particles p = {0};
    top *now = NULL, *before = NULL;
    double height[SURFACE_DEFINITIONS], angle[SURFACE_DEFINITIONS];
    rill_status st = particles_reserve(v->ctx, &p, COUNT);
    if (!st) st = MEM_NEW(v->ctx, now, 1);
    if (!st) st = MEM_NEW(v->ctx, before, 1);
    if (!st) {
        p.count = COUNT;
        for (uint32_t i = 0; i < COUNT; i++) p.id[i] = i, p.velocity[i] = v3(0, 0, 0);
    }
    for (int k = 0; k < SURFACE_DEFINITIONS && !st; k++) {
        char name[64];
        st = flicker_of(v->ctx, &p, k, now, before, &height[k], &angle[k]);
        if (st) break;
        snprintf(name, sizeof name, "%s: height, spacings", scene_surface_words[k]);
        verify_figure(v, name, height[k], REPORT, NAN);
        snprintf(name, sizeof name, "%s: normals, degrees", scene_surface_words[k]);
        verify_figure(v, name, angle[k], REPORT, NAN);
    }
    if (!st) {
        verify_figure(v, "filtered, normals", angle[SURFACE_FILTERED], AT_MOST, 1);
        verify_figure(v, "williams_level against williams, normals",
                      angle[SURFACE_WILLIAMS_LEVEL] / angle[SURFACE_WILLIAMS], AT_MOST, 0.5);
        verify_figure(v, "williams_level against metaballs, normals",
                      angle[SURFACE_WILLIAMS_LEVEL] / angle[SURFACE_METABALLS], AT_MOST, 0.5);
        verify_figure(v, "williams_level, height", height[SURFACE_WILLIAMS_LEVEL], AT_MOST, 0.02);
    }
    particles_clear(v->ctx, &p);
    mem_free(v->ctx, now);
    mem_free(v->ctx, before);
    return st;
}

const verify_case surface_flicker = {"surface-flicker", "Surfaces of liquid at rest, from frame to frame",
                                     NULL, run};
