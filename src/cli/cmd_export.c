/* rill export: the frames of a run for other programs. */
#include "cli/commands.h"
#include "io/bobj.h"
#include "io/file.h"
#include "io/ply.h"
#include "io/vtk.h"
#include "run/frames.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    const char *out;
    bool z_up;
} export_options;

static const option options[] = {
    {"--out", OPTION_TEXT, offsetof(export_options, out), "DIR",
     "where to write; DIR/export of the run if not given", 0, 0},
    {"--z-up", OPTION_FLAG, offsetof(export_options, z_up), NULL, "z up instead of y (mantaflow: always)", 0,
     0},
    {0},
};

enum { PART_SURFACE = 1, PART_PARTICLES = 2, PART_CELLS = 4 };

typedef struct {
    rill_ctx *ctx;
    const char *from, *to;
    const rill_scene *scene;
    frame_list frames;
    double *time;   /* of the frames, as the files say */
    uint8_t *parts; /* of the frames, bits */
    uint32_t done;  /* frames written; the first so many of frames, time and parts are theirs */
    bool z_up;
} export_job;

static void turn(rill_vec3 *v)
{
    *v = v3(v->x, -v->z, v->y);
}

static void turn_floats(float v[3])
{
    const float y = v[1];
    v[1] = -v[2];
    v[2] = y;
}

static void turn_mesh(trimesh *m)
{
    for (size_t i = 0; i < m->vertex_count; i++) {
        turn(&m->position[i]);
        if (m->normal) turn_floats(m->normal[i]);
    }
    for (uint32_t k = 0; k < m->column_count; k++)
        for (size_t i = 0; m->column[k].width == 3 && i < m->vertex_count; i++)
            turn_floats(m->column[k].value + 3 * i);
}

static void turn_particles(particles *p)
{
    for (size_t i = 0; i < p->count; i++) {
        turn(&p->position[i]);
        turn(&p->velocity[i]);
    }
}

static char *target(const export_job *j, const char *format, uint32_t frame)
{
    char name[64];
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wformat-nonliteral\"");
    snprintf(name, sizeof name, format, frame);
    _Pragma("GCC diagnostic pop");
    return path_join(j->ctx, j->to, name);
}

typedef rill_status write_frame(export_job *j, uint32_t k, frame_data *data);

static rill_status no_path(const export_job *j)
{
    return mem_failed(j->ctx, strlen(j->to), 1);
}

/* Blender counts frames from 1: frame 0 becomes 1. */
static rill_status write_mantaflow(export_job *j, uint32_t k, frame_data *data)
{
    if (!data->has_surface)
        return rill_fail(j->ctx, RILL_BAD_FILE,
                         "%s: frame %u has no surface, which is all a mesh cache holds", j->from,
                         j->frames.frame[k]);
    char *path = target(j, "mesh/fluid_mesh_%04u.bobj.gz", j->frames.frame[k] + 1);
    const rill_status st = path ? bobj_write(j->ctx, path, &data->surface,
                                             (rill_box){j->scene->domain.min, j->scene->domain.max})
                                : no_path(j);
    mem_free(j->ctx, path);
    return st;
}

static rill_status write_vtk(export_job *j, uint32_t k, frame_data *data)
{
    const uint32_t frame = j->frames.frame[k];
    char *surface = target(j, "surface_%04u.vtp", frame), *dots = target(j, "particles_%04u.vtp", frame),
         *cells = target(j, "cells_%04u.vtp", frame);
    rill_status st = surface && dots && cells ? RILL_OK : no_path(j);
    if (!st && data->has_surface) st = vtk_write_mesh(j->ctx, surface, &data->surface, data->time, j->z_up);
    if (!st && data->has_particles) st = vtk_write_particles(j->ctx, dots, &data->dots, data->time, j->z_up);
    if (!st && data->has_cells) st = vtk_write_particles(j->ctx, cells, &data->cells, data->time, j->z_up);
    mem_free(j->ctx, surface);
    mem_free(j->ctx, dots);
    mem_free(j->ctx, cells);
    return st;
}

static rill_status write_ply(export_job *j, uint32_t k, frame_data *data)
{
    const uint32_t frame = j->frames.frame[k];
    char *surface = target(j, "surface_%04u.ply", frame), *dots = target(j, "particles_%04u.ply", frame),
         *cells = target(j, "cells_%04u.ply", frame);
    rill_status st = surface && dots && cells ? RILL_OK : no_path(j);
    if (j->z_up) {
        turn_mesh(&data->surface);
        turn_particles(&data->dots);
        turn_particles(&data->cells);
    }
    if (!st && data->has_surface) st = ply_write_mesh(j->ctx, surface, &data->surface, data->time, frame);
    if (!st && data->has_particles) st = ply_write_particles(j->ctx, dots, &data->dots, data->time, frame);
    if (!st && data->has_cells) st = ply_write_particles(j->ctx, cells, &data->cells, data->time, frame);
    mem_free(j->ctx, surface);
    mem_free(j->ctx, dots);
    mem_free(j->ctx, cells);
    return st;
}

static const struct export_format {
    const char *name;
    write_frame *write;
    const char *folder; /* inside the target */
} formats[] = {{"mantaflow", write_mantaflow, "mesh"}, {"vtk", write_vtk, NULL}, {"ply", write_ply, NULL}};

static const struct export_format *find_format(const char *name)
{
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
        if (strcmp(formats[k].name, name) == 0) return &formats[k];
    return NULL;
}

/* Of the frames written, those that have this part. */
static rill_status write_index(export_job *j, const char *index, const char *name, uint8_t part)
{
    uint32_t *frame = NULL, count = 0;
    double *time = NULL;
    char *path = path_join(j->ctx, j->to, index);
    rill_status st = path ? MEM_NEW(j->ctx, frame, j->done) : no_path(j);
    if (!st) st = MEM_NEW(j->ctx, time, j->done);
    for (uint32_t k = 0; !st && k < j->done; k++) {
        frame[count] = j->frames.frame[k];
        time[count] = j->time[k];
        count += (j->parts[k] & part) != 0;
    }
    if (!st && count) st = vtk_write_index(j->ctx, path, name, count, frame, time);
    mem_free(j->ctx, frame);
    mem_free(j->ctx, time);
    mem_free(j->ctx, path);
    return st;
}

static rill_status write_all(export_job *j, const struct export_format *format)
{
    for (uint32_t k = 0; k < j->frames.count; k++) {
        frame_data data;
        if (rill_cancelled(j->ctx))
            return rill_fail(j->ctx, RILL_CANCELLED, "stopped before frame %u", j->frames.frame[k]);
        rill_status st = frame_read(j->ctx, j->from, j->scene, j->frames.frame[k], &data);
        if (!st) {
            j->frames.frame[j->done] = j->frames.frame[k]; /* of those that are written, for the index */
            j->time[j->done] = data.time;
            j->parts[j->done] =
                (uint8_t)((data.has_surface ? PART_SURFACE : 0) | (data.has_particles ? PART_PARTICLES : 0) |
                          (data.has_cells ? PART_CELLS : 0));
            st = format->write(j, j->done, &data);
            frame_data_clear(j->ctx, &data);
            j->done += !st;
        }
        if (st == RILL_BAD_FILE) { /* the others may be sound */
            rill_log(j->ctx, RILL_LOG_WARNING, "%s; not exported", rill_ctx_message(j->ctx));
            st = RILL_OK;
        }
        if (st) return st;
    }
    if (j->done == 0) return rill_fail(j->ctx, RILL_BAD_FILE, "%s: no frame can be exported", j->from);
    if (format->write != write_vtk) return RILL_OK;
    TRY(write_index(j, "surface.pvd", "surface_%04u.vtp", PART_SURFACE));
    TRY(write_index(j, "particles.pvd", "particles_%04u.vtp", PART_PARTICLES));
    return write_index(j, "cells.pvd", "cells_%04u.vtp", PART_CELLS);
}

static rill_status export_run(export_job *j, const struct export_format *format)
{
    char *inner = format->folder ? path_join(j->ctx, j->to, format->folder) : mem_text(j->ctx, j->to);
    rill_status st = inner ? frames_list(j->ctx, j->from, &j->frames) : no_path(j);
    if (!st) st = folder_create(j->ctx, inner);
    mem_free(j->ctx, inner);
    if (!st) st = MEM_NEW(j->ctx, j->time, j->frames.count);
    if (!st) st = MEM_NEW(j->ctx, j->parts, j->frames.count);
    if (!st) st = write_all(j, format);
    if (!st) printf("%u frames in %s\n", j->done, j->to);
    mem_free(j->ctx, j->time);
    mem_free(j->ctx, j->parts);
    frames_clear(j->ctx, &j->frames);
    return st;
}

static int export_main(rill_ctx *ctx, const command *self, int argc, char **argv)
{
    export_options given = {0};
    int count = 0;
    rill_scene scene = {0};
    rill_status st = options_parse(ctx, self, &given, argc, argv, &count);
    if (st) return cli_report(ctx, st);
    const struct export_format *format = find_format(argv[1]);
    if (!format)
        return cli_report(
            ctx, rill_fail(ctx, RILL_USAGE, "export: \"%s\" is none of mantaflow, vtk, ply", argv[1]));
    char *to = given.out ? mem_text(ctx, given.out) : path_join(ctx, argv[0], "export");
    export_job j = {.ctx = ctx, .from = argv[0], .to = to, .scene = &scene, .z_up = given.z_up};
    st = to ? frames_scene(ctx, argv[0], &scene) : mem_failed(ctx, strlen(argv[0]), 1);
    if ((st == RILL_BAD_FILE || st == RILL_BAD_SCENE) && format->write != write_mantaflow) {
        rill_log(ctx, RILL_LOG_WARNING, "%s; the frames are taken as they are", rill_ctx_message(ctx));
        scene.time.fps = 24; /* for files that do not tell their time */
        st = RILL_OK;
    }
    if (!st) st = export_run(&j, format);
    scene_clear(ctx, &scene);
    mem_free(ctx, to);
    return cli_report(ctx, st);
}

const command cmd_export = {
    "export",   "DIR mantaflow|vtk|ply", "Frames for Blender, ParaView and others.", options, 2, 2,
    export_main};
