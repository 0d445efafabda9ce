/* What the tests of the tracker share. The checker, which shares nothing with the tracker, looks at its mesh.
 */
#pragma once

#include "mesh_makers.h"
#include "support.h"

#include "tracker/tracker.h"

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
