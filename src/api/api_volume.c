/* Fields on sparse grids for a host: what rill volume writes, in memory. */
#include "api/api.h"
#include "geom/mesh/trimesh.h"
#include "run/driver.h"
#include "volume/fields.h"

typedef struct api_volumes {
    rill_volumes volumes; /* first: the host's pointer is to it */
    rill_ctx *ctx;
    volume_set inside; /* what `volumes` points into */
    rill_volume shown[VOLUME_SET_MOST];
} api_volumes;

/* The surface and the cells, where the fields that the scene asks for need them. */
static rill_status build(const rill_sim *sim, volume_set *out)
{
    rill_view view = {0};
    trimesh surface = {0};
    particles cells = {0};
    const rill_scene *scene = sim->scene;
    const bool level_set = scene->volume.fields >> VOLUME_LEVEL_SET & 1 && !scene->fill &&
                           scene->dimensions == 3 && method_has_surface(sim->method);
    rill_status st = RILL_OK;
    sim_view(sim, &view);
    if (level_set) st = run_surface(sim, &view, &surface);
    if (!st && volume_needs_cells(scene)) {
        st = sim->method->cells(sim, &cells);
        view.cells = &cells;
    }
    if (!st) st = volume_set_build(sim->ctx, scene, &view, level_set ? &surface : NULL, out);
    particles_clear(sim->ctx, &cells);
    trimesh_clear(sim->ctx, &surface);
    return st;
}

rill_status rill_sim_volumes(const rill_sim *sim, rill_volumes **out)
{
    TRY(api_may_read(sim, "rill_sim_volumes"));
    TRY(api_check_sound(sim, "rill_sim_volumes"));
    if (!out) return rill_fail(sim->ctx, RILL_USAGE, "rill_sim_volumes: the output is NULL");
    api_volumes *a;
    TRY(MEM_NEW_ZERO(sim->ctx, a, 1));
    a->ctx = sim->ctx;
    const rill_status st = build(sim, &a->inside);
    if (st) {
        mem_free(sim->ctx, a);
        return st;
    }
    for (int k = 0; k < a->inside.count; k++) {
        const volume *v = &a->inside.field[k];
        a->shown[k] = (rill_volume){.name = v->name,
                                    .origin = v->origin,
                                    .cell = v->cell,
                                    .width = (uint32_t)v->width,
                                    .background = v->background,
                                    .block_count = v->map.count,
                                    .block = (const int32_t(*)[3])v->map.block,
                                    .value = v->value};
    }
    a->volumes = (rill_volumes){(uint32_t)a->inside.count, a->shown};
    *out = &a->volumes;
    return RILL_OK;
}

void rill_volumes_destroy(rill_volumes *volumes)
{
    if (!volumes) return;
    api_volumes *a = (api_volumes *)volumes;
    rill_ctx *ctx = a->ctx;
    volume_set_clear(ctx, &a->inside);
    mem_free(ctx, a);
}
