/* What the tests of the tracker share. The checker, which shares nothing with the tracker, looks at its mesh.
 */
#pragma once

#include "mesh_makers.h"
#include "support.h"

#include "tracker/tracker.h"

#include <math.h>

static inline void assert_sound(rill_ctx *ctx, const tracker *t)
{
    const trimesh view = tracker_view(t);
    assert_ok(ctx, tracker_check(ctx, "after a step", &view));
}

static inline tracker *make(rill_ctx *ctx, const tracker_def *def, trimesh *mesh)
{
    tracker *t;
    assert_ok(ctx, tracker_create(ctx, def, mesh, &t));
    trimesh_clear(ctx, mesh);
    return t;
}

/* ---- motions ---- */

static inline rill_status turning(void *user, double time, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    (void)user, (void)time;
    for (size_t i = 0; i < n; i++) u[i] = v3(-x[i].y, x[i].x, 0);
    return RILL_OK;
}

static inline rill_status together(void *user, double time, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    (void)user, (void)time;
    for (size_t i = 0; i < n; i++) u[i] = v3(x[i].x > 0 ? -1 : 1, 0, 0);
    return RILL_OK;
}

/* Divergence-free: a neck at the origin is drawn out. */
static inline rill_status pinching(void *user, double time, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    (void)user, (void)time;
    const double k = 4, w = 0.25;
    for (size_t i = 0; i < n; i++) {
        const double e = exp(-x[i].x * x[i].x / (w * w));
        u[i] = v3(k * w * 0.8862269254527580 * erf(x[i].x / w), -0.5 * k * e * x[i].y, -0.5 * k * e * x[i].z);
    }
    return RILL_OK;
}

/* Two balls grow from their centres. */
static inline rill_status growing(void *user, const trimesh *mesh, double dt, rill_vec3 *x)
{
    (void)user;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const rill_vec3 c = v3(x[i].x > 0 ? 0.31 : -0.31, 0, 0);
        x[i] = v3_madd(x[i], dt, v3_unit(v3_sub(x[i], c)));
    }
    return RILL_OK;
}
