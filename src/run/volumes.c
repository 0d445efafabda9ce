#include "run/volumes.h"

#include "io/file.h"
#include "io/vdb.h"
#include "run/folder.h"
#include "run/frames.h"
#include "volume/fields.h"

#include <stdio.h>
#include <string.h>

rill_status volumes_write(rill_ctx *ctx, const rill_scene *scene, const rill_view *view,
                          const trimesh *surface, const char *folder, uint32_t frame)
{
    char name[64];
    volume_set set = {0};
    snprintf(name, sizeof name, "volume_%04u.vdb", frame);
    char *path = path_join(ctx, folder, name);
    rill_status st = path ? volume_set_build(ctx, scene, view, surface, &set)
                          : mem_failed(ctx, strlen(folder) + sizeof name, 1);
    if (!st) st = vdb_write(ctx, path, set.field, set.count, view->time);
    volume_set_clear(ctx, &set);
    mem_free(ctx, path);
    return st;
}

static rill_status one_frame(rill_ctx *ctx, const rill_scene *scene, const volumes_def *def, const char *to,
                             uint32_t frame)
{
    frame_data data;
    TRY(frame_read(ctx, def->folder, scene, frame, &data));
    const rill_view view = frame_view(scene, &data);
    const rill_status st =
        volumes_write(ctx, scene, &view, frame_has(&data, FRAME_SURFACE) ? &data.surface : NULL, to, frame);
    frame_data_clear(ctx, &data);
    return st;
}

rill_status volumes_of_run(rill_ctx *ctx, const rill_scene *scene, const volumes_def *def, uint32_t *done)
{
    run_folder folder = {.ctx = ctx, .lock = -1};
    frame_list list = {0};
    *done = 0;
    if (!vdb_available())
        return rill_fail(ctx, RILL_USAGE,
                         "%s: volumes are .vdb files, and this build has no OpenVDB; " VDB_REMEDY,
                         def->folder);
    char *to = def->to ? mem_text(ctx, def->to) : path_join(ctx, def->folder, "frames");
    rill_status st = to ? frames_list(ctx, def->folder, &list) : mem_failed(ctx, strlen(def->folder) + 64, 1);
    if (!st && !def->to) st = run_folder_open(ctx, def->folder, &folder);
    if (!st && def->to) st = folder_create(ctx, def->to);
    for (uint32_t k = 0; k < list.count && !st; k++) {
        const uint32_t frame = list.frame[k];
        if (frame < def->from || frame > def->last) continue;
        st = rill_cancelled(ctx) ? rill_fail(ctx, RILL_CANCELLED, "stopped before frame %u", frame)
                                 : one_frame(ctx, scene, def, to, frame);
        if (!st) ++*done;
        if (!st && def->report) def->report(frame, def->last);
    }
    if (folder.path) run_folder_close(&folder);
    frames_clear(ctx, &list);
    mem_free(ctx, to);
    return st;
}
