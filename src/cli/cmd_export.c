/* rill export: the frames of a run for other programs. */
#include "cli/commands.h"
#include "flow/body_poses.h"
#include "io/bobj.h"
#include "io/file.h"
#include "run/frames.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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

typedef struct {
    rill_ctx *ctx;
    const char *from, *to;
    const rill_scene *scene;
    frame_list frames;
    double *time;   /* of the frames, as the files say */
    uint8_t *parts; /* of the frames, bits by frame_part */
    uint32_t done;  /* frames written; as many first elements of frames, time and parts belong to them */
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

typedef rill_status write_frame(export_job *j, uint32_t k, frame_data *data);

static rill_status no_path(const export_job *j)
{
    return mem_failed(j->ctx, strlen(j->to), 1);
}

/* Blender counts frames from 1: frame 0 becomes 1. */
static rill_status write_mantaflow(export_job *j, uint32_t k, frame_data *data)
{
    if (!frame_has(data, FRAME_SURFACE))
        return rill_fail(j->ctx, RILL_BAD_FILE,
                         "%s: frame %u has no surface, which is all a mesh cache holds", j->from,
                         j->frames.frame[k]);
    char name[64];
    snprintf(name, sizeof name, "mesh/fluid_mesh_%04u.bobj.gz", j->frames.frame[k] + 1);
    char *path = path_join(j->ctx, j->to, name);
    const rill_status st = path ? bobj_write(j->ctx, path, &data->surface,
                                             (rill_box){j->scene->domain.min, j->scene->domain.max})
                                : no_path(j);
    mem_free(j->ctx, path);
    return st;
}

static rill_status write_parts(export_job *j, uint32_t k, frame_data *data, uint32_t formats)
{
    const frame_file f = {j->to, j->frames.frame[k], data->time, formats};
    if (j->z_up) {
        turn_mesh(&data->surface);
        for (int part = 0; part < FRAME_PARTS; part++) turn_particles(&data->points[part]);
        body_poses_turn_up(&data->points[FRAME_BODIES]);
    }
    for (int part = 0; part < FRAME_PARTS; part++) {
        if (!frame_has(data, (frame_part)part)) continue;
        TRY(part == FRAME_SURFACE ? frame_write_surface(j->ctx, &f, &data->surface)
                                  : frame_write_points(j->ctx, &f, (frame_part)part, &data->points[part]));
    }
    return RILL_OK;
}

static rill_status write_vtk(export_job *j, uint32_t k, frame_data *data)
{
    return write_parts(j, k, data, FRAME_VTK);
}

static rill_status write_ply(export_job *j, uint32_t k, frame_data *data)
{
    return write_parts(j, k, data, FRAME_PLY);
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
static rill_status write_index(export_job *j, frame_part part)
{
    uint32_t *frame = NULL, count = 0;
    double *time = NULL;
    rill_status st = MEM_NEW(j->ctx, frame, j->done);
    if (!st) st = MEM_NEW(j->ctx, time, j->done);
    for (uint32_t k = 0; !st && k < j->done; k++) {
        frame[count] = j->frames.frame[k];
        time[count] = j->time[k];
        count += j->parts[k] >> part & 1;
    }
    if (!st && count) st = frame_write_index(j->ctx, j->to, part, count, frame, time);
    mem_free(j->ctx, frame);
    mem_free(j->ctx, time);
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
            j->parts[j->done] = (uint8_t)data.parts;
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
    for (int part = 0; part < FRAME_PARTS; part++) TRY(write_index(j, (frame_part)part));
    return RILL_OK;
}

/* The run's own frames are read, not written: turned or cut off, they would be lost. */
static rill_status check_target(const export_job *j)
{
    struct stat to, frames;
    char *own = path_join(j->ctx, j->from, "frames");
    if (!own) return no_path(j);
    const bool same = stat(j->to, &to) == 0 && stat(own, &frames) == 0 && to.st_dev == frames.st_dev &&
                      to.st_ino == frames.st_ino;
    mem_free(j->ctx, own);
    if (!same) return RILL_OK;
    return rill_fail(j->ctx, RILL_USAGE,
                     "export: %s holds the frames of the run itself; choose another folder with --out",
                     j->to);
}

static rill_status export_run(export_job *j, const struct export_format *format)
{
    char *inner = format->folder ? path_join(j->ctx, j->to, format->folder) : mem_text(j->ctx, j->to);
    rill_status st = inner ? frames_list(j->ctx, j->from, &j->frames) : no_path(j);
    if (!st) st = folder_create(j->ctx, inner);
    mem_free(j->ctx, inner);
    if (!st) st = check_target(j);
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
        scene.time.fps = 24; /* for files without a time */
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
