/* rill info: what is in a run folder, a mesh or particle file, or a checkpoint. */
#include "base/text.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "geom/mesh/mesh_solid.h"
#include "io/checkpoint.h"
#include "io/file.h"
#include "io/mesh_file.h"
#include "io/ply.h"
#include "io/table.h"
#include "run/estimate.h"
#include "run/folder.h"
#include "run/frames.h"
#include "run/glance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static void ply_range(const ply_property *p)
{
    if (p->list)
        printf("  %-12s list of %s\n", p->name, ply_type_word(p->type));
    else if (p->min <= p->max)
        printf("  %-12s %-7s %.6g to %.6g\n", p->name, ply_type_word(p->type), p->min, p->max);
    else
        printf("  %-12s %s\n", p->name, ply_type_word(p->type));
    if (p->not_finite) printf("  %-12s %llu values are not finite\n", "", (unsigned long long)p->not_finite);
}

/* x, y and z of the vertices, as one line. */
static void ply_bounds(const ply_element *e)
{
    const ply_property *axis[3] = {NULL, NULL, NULL};
    for (uint32_t k = 0; k < e->property_count; k++) {
        const char *name = e->property[k].name;
        if (name[0] >= 'x' && name[0] <= 'z' && name[1] == 0) axis[name[0] - 'x'] = &e->property[k];
    }
    if (!axis[0] || !axis[1] || !axis[2] || !(axis[0]->min <= axis[0]->max)) return;
    printf("bounds (%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g)\n", axis[0]->min, axis[1]->min, axis[2]->min,
           axis[0]->max, axis[1]->max, axis[2]->max);
}

/* Whether the mesh could be a solid, as one line. */
static void print_soundness(const trimesh_report *r)
{
    char fault[256];
    trimesh_describe(r, fault, sizeof fault);
    printf("the mesh %s", fault);
    if (r->volume < 0 && !r->misoriented_edges) printf(", inside out");
    printf("; area %.6g m2", r->area);
    if (!r->open_edges && !r->misoriented_edges) printf(", volume %.6g m3", fabs(r->volume));
    printf("\n");
}

typedef struct {
    mesh_kind kind;
    size_t vertices, triangles;
    rill_box bounds;
    trimesh_report report;
} mesh_summary;

static rill_status mesh_summarise(rill_ctx *ctx, const char *path, mesh_summary *out)
{
    char *bytes;
    size_t length;
    trimesh m = {0};
    TRY(file_read_all(ctx, path, PLY_LARGEST, &bytes, &length));
    rill_status st = mesh_parse(ctx, path, bytes, length, NULL, &m, &out->kind);
    mem_free(ctx, bytes);
    if (!st) st = trimesh_check(ctx, &m, &out->report);
    out->vertices = m.vertex_count;
    out->triangles = m.triangle_count;
    out->bounds = trimesh_bounds(&m);
    trimesh_clear(ctx, &m);
    return st;
}

static rill_status mesh_info(rill_ctx *ctx, const char *path)
{
    mesh_summary s;
    TRY(mesh_summarise(ctx, path, &s));
    const rill_vec3 a = s.bounds.min, b = s.bounds.max;
    printf("%s: %s\n%zu vertices\n%zu triangles\n", path, mesh_kind_word(s.kind), s.vertices, s.triangles);
    printf("bounds (%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g)\n", a.x, a.y, a.z, b.x, b.y, b.z);
    print_soundness(&s.report);
    return RILL_OK;
}

static bool has_faces(const ply_header *h)
{
    for (uint32_t k = 0; k < h->element_count; k++)
        if (strcmp(h->element[k].name, "face") == 0 && h->element[k].count) return true;
    return false;
}

static rill_status ply_info(rill_ctx *ctx, const char *path)
{
    ply_header *h;
    mesh_summary s;
    TRY(MEM_NEW(ctx, h, 1));
    rill_status st = ply_inspect(ctx, path, h);
    if (!st && has_faces(h)) st = mesh_summarise(ctx, path, &s);
    if (!st) {
        printf("%s: PLY%s%s", path, h->version[0] ? " by " : "", h->version);
        if (h->frame >= 0) printf(", frame %lld", (long long)h->frame);
        if (h->time == h->time) printf(", t %.6g s", h->time);
        printf("\n");
        for (uint32_t k = 0; k < h->element_count; k++) {
            const ply_element *e = &h->element[k];
            printf("%llu %s\n", (unsigned long long)e->count, e->name);
            for (uint32_t p = 0; p < e->property_count; p++) ply_range(&e->property[p]);
            if (strcmp(e->name, "vertex") == 0) ply_bounds(e);
        }
    }
    if (!st && has_faces(h)) print_soundness(&s.report);
    mem_free(ctx, h);
    return st;
}

static rill_status checkpoint_info(rill_ctx *ctx, const char *path)
{
    checkpoint_head head;
    snapshot state;
    snapshot_init(&state, ctx);
    static const char *const words[] = {"u8", "i32", "u32", "u64", "f32", "f64"};
    const rill_status st = checkpoint_read(ctx, path, &head, &state);
    if (!st) {
        printf("%s: sound checkpoint of method %s, frame %u, t %.6g s, step %llu\n", path, head.method,
               head.frame, head.time, (unsigned long long)head.step);
        for (size_t k = 0; k < state.count; k++)
            printf("  %-24s %s x %llu\n", state.chunk[k].name, words[state.chunk[k].type],
                   (unsigned long long)state.chunk[k].count);
    }
    snapshot_clear(&state);
    return st;
}

/* The last whole line of stats.jsonl, its numbers in a row. */
static rill_status last_stats(rill_ctx *ctx, const char *folder)
{
    table t = {0};
    char *path = path_join(ctx, folder, "stats.jsonl");
    rill_status st = path ? RILL_OK : mem_failed(ctx, strlen(folder), 1);
    if (!st && file_length(path) > 0) st = table_read_jsonl(ctx, path, &t);
    mem_free(ctx, path);
    if (st) return st;
    if (t.damaged) printf("damaged   %s\n", t.damage);
    printf(t.rows ? "last step" : "no steps yet");
    for (uint32_t k = 0; t.rows && k < t.column_count; k++) {
        const double v = t.column[k].value[t.rows - 1];
        if (!strchr(t.column[k].name, '.') && isfinite(v)) printf("  %s %.6g", t.column[k].name, v);
    }
    printf("\n");
    table_clear(&t);
    return RILL_OK;
}

/* The newest sound checkpoint: its frame, or -1. */
static int64_t newest_checkpoint(rill_ctx *ctx, const char *folder)
{
    uint32_t frame[RUN_MAX_CHECKPOINTS];
    const uint32_t count = run_folder_checkpoints(ctx, folder, frame, RUN_MAX_CHECKPOINTS);
    for (uint32_t k = 0; k < count; k++) {
        char *path = run_file_path(ctx, folder, RUN_CHECKPOINTS, frame[k]);
        checkpoint_head head;
        const bool sound = path && checkpoint_read(ctx, path, &head, NULL) == RILL_OK;
        if (path && !sound) printf("damaged   %s\n", path);
        mem_free(ctx, path);
        if (sound) return frame[k];
    }
    return -1;
}

/* The frames that have files, and what is missing between them. */
static rill_status frame_files(rill_ctx *ctx, const char *folder)
{
    frame_list list;
    const rill_status st = frames_list(ctx, folder, &list);
    if (st == RILL_BAD_FILE) printf("files     none of any frame\n");
    if (st) return st == RILL_BAD_FILE ? RILL_OK : st;
    printf("files     of %u frames, %u to %u", list.count, list.frame[0], list.frame[list.count - 1]);
    if (list.missing) printf(", %u missing", list.missing);
    printf("\n");
    frames_clear(ctx, &list);
    return RILL_OK;
}

static bool has_stats(rill_ctx *ctx, const char *folder)
{
    char *path = path_join(ctx, folder, "stats.jsonl");
    const bool there = path && file_length(path) > 0;
    mem_free(ctx, path);
    return there;
}

static rill_status run_info(rill_ctx *ctx, const char *folder)
{
    rill_scene scene = {0};
    rill_status st = frames_scene(ctx, folder, &scene);
    const bool known = !st;
    if ((st == RILL_BAD_FILE || st == RILL_BAD_SCENE) && has_stats(ctx, folder)) {
        rill_log(ctx, RILL_LOG_WARNING, "%s", rill_ctx_message(ctx));
        printf("run       %s, whose scene cannot be read\n", folder);
        st = RILL_OK;
    }
    if (known) {
        const int64_t newest = newest_checkpoint(ctx, folder), frame = newest - run_preroll_frames(&scene);
        printf("run       %s%s%s\nmethod    %s, spacing %.6g m, %d dimensions\n", folder,
               scene.name[0] ? ": " : "", scene.name, scene.method->name, scene.spacing, scene.dimensions);
        printf("frames    %d at %.6g per second\n", scene.time.frames, scene.time.fps);
        if (frame >= scene.time.frames)
            printf("state     complete\n");
        else if (newest >= 0)
            printf("state     resumable from frame %lld: rill resume %s\n", (long long)frame, folder);
        else
            printf("state     no checkpoint yet; rill resume %s begins again\n", folder);
    }
    if (!st) st = frame_files(ctx, folder);
    if (!st) st = last_stats(ctx, folder);
    scene_clear(ctx, &scene);
    return st;
}

static rill_status file_info(rill_ctx *ctx, const char *path)
{
    struct stat kind;
    if (stat(path, &kind) == 0 && !S_ISREG(kind.st_mode)) /* reading a pipe would block */
        return rill_fail(ctx, RILL_BAD_FILE, "%s: a device or pipe, not a file", path);
    FILE *f = fopen(path, "rb");
    char start[8] = {0};
    const size_t n = f ? fread(start, 1, sizeof start, f) : 0;
    if (f) fclose(f);
    if (!f)
        return rill_fail(ctx, RILL_BAD_FILE, "%s: cannot read; no such run, mesh file or checkpoint", path);
    if (n >= 4 && memcmp(start, "ply", 3) == 0 && start[3] <= ' ') return ply_info(ctx, path);
    if (n >= 7 && memcmp(start, "RILLCKP", 7) == 0) return checkpoint_info(ctx, path);
    const char *extension = strrchr(path, '.');
    if (extension && strcasecmp(extension, ".json") == 0)
        return rill_fail(ctx, RILL_BAD_FILE,
                         "%s: neither a mesh file nor a checkpoint; rill validate looks at scenes", path);
    return mesh_info(ctx, path);
}

typedef struct {
    bool plot;
} info_options;

static const option options[] = {
    {"--plot", OPTION_FLAG, offsetof(info_options, plot), NULL,
     "of a run: writes DIR/plot.svg, DIR/plot.png and a contact sheet, DIR/sheet.png", 0, 0},
    {0},
};

static int info_main(rill_ctx *ctx, const command *self, int argc, char **argv)
{
    int count;
    info_options given = {0};
    rill_status st = options_parse(ctx, self, &given, argc, argv, &count);
    struct stat s;
    if (st) return cli_report(ctx, st);
    const bool folder = stat(argv[0], &s) == 0 && S_ISDIR(s.st_mode);
    if (given.plot && !folder)
        st = rill_fail(ctx, RILL_USAGE, "info: --plot is for run folders; \"%s\" is none", argv[0]);
    if (!st) st = folder ? run_info(ctx, argv[0]) : file_info(ctx, argv[0]);
    if (!st && given.plot) st = glance_write(ctx, argv[0]);
    return cli_report(ctx, st);
}

const command cmd_info = {
    "info", "DIR|FILE", "Shows what is in a run, a mesh file or a checkpoint.", options, 1, 1, info_main};
