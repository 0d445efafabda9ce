#include "path_sets.h"

#include "support.h"

set set_make(rill_ctx *ctx)
{
    set s = {0};
    assert_ok(ctx, scene_default(ctx, NULL, 0, &s.scene));
    s.scene.domain.max = v3(2, 1, 1);
    s.scene.spacing = 0.05;
    s.scene.render.caustics = CAUSTICS_STRAIGHT; /* photons take seconds */
    s.scene.camera = (scene_camera){.eye = {2.9, 1.4, 3}, .target = {1, 0.3, 0.5}, .fov = 35};
    s.view = (rill_view){.spacing = 0.05, .dimensions = 3, .domain = {{0, 0, 0}, {2, 1, 1}}};
    return s;
}

scene_solid *set_solid(rill_ctx *ctx, set *s, shape form, int kind)
{
    scene_solid *solid = NULL;
    assert_ok(ctx, scene_add_solid(ctx, &s->scene, &solid));
    solid->shape = form;
    solid->material.kind = kind;
    solid->material.color = v3(1, 1, 1);
    return solid;
}

shape ball(double x, double y, double z, double radius)
{
    return (shape){.kind = SHAPE_SPHERE, .sphere = {{x, y, z}, radius}};
}

shape block(rill_vec3 min, rill_vec3 max)
{
    return (shape){.kind = SHAPE_BOX, .box = {min, max}};
}

void set_clear(rill_ctx *ctx, set *s)
{
    trimesh_clear(ctx, &s->surface);
    scene_clear(ctx, &s->scene);
}

rill_vec3 mean_along(const tracer *t, rill_vec3 origin, rill_vec3 toward, double spread, int count)
{
    rill_vec3 sum = v3(0, 0, 0);
    for (int k = 0; k < count; k++) {
        dice d = dice_of(77, (uint32_t)k, 5);
        double at[2];
        trace_guide guide;
        dice_throw(&d, at);
        const rill_vec3 aim = v3_add(toward, v3(spread * (at[0] - 0.5), spread * (at[1] - 0.5), 0));
        sum = v3_add(sum, trace_path(t, origin, v3_unit(v3_sub(aim, origin)), 0.5, &d, &guide));
    }
    return v3_scale(sum, 1.0 / count);
}

path_def tiny(int width, int height, int samples)
{
    return (path_def){
        .width = width, .height = height, .samples = samples, .denoise = true, .column = "speed"};
}
