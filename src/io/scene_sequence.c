/* Sequences of mesh files: deforming solids.
 *
 * The files are numbered by one %d or %0Nd in the name, read here and never handed to
 * printf. The folder's path is taken as it is, whatever it has in it. */
#include "base/hash.h"
#include "geom/distance/mesh_sequence.h"
#include "geom/mesh/mesh_solid.h"
#include "io/file.h"
#include "io/mesh_file.h"
#include "io/scene_reader.h"

#include <stdio.h>
#include <string.h>

/* A name with a number in it. */
typedef struct {
    int before;        /* bytes before the number */
    int digits;        /* minimum number of digits; 0: no leading zeros */
    const char *after; /* what follows */
} pattern;

static const char *name_in(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool read_pattern(const char *name, pattern *out)
{
    const char *p = strchr(name, '%');
    if (!p) return false;
    out->before = (int)(p - name);
    out->digits = 0;
    p++;
    if (p[0] == '0' && p[1] >= '1' && p[1] <= '9') {
        out->digits = p[1] - '0';
        p += 2;
    }
    out->after = p + 1;
    return p[0] == 'd' && !strchr(p, '%');
}

rill_status scene_check_sequence(scene_reader *r, const json_value *body, const char *label)
{
    scene_sequence q = {0};
    pattern p;
    rill_status st = params_default(r->ctx, scene_sequence_params, &q);
    if (!st) st = scene_read_block(r, scene_sequence_params, label, body, &q);
    if (!st && !read_pattern(name_in(q.files), &p))
        st = scene_fail(r, json_find(body, "files"),
                        "\"files\" must have one %%d in the name, where the number goes, as in "
                        "\"flag_%%04d.obj\"");
    if (!st && q.last < q.first)
        st = scene_fail(r, json_find(body, "last"), "\"last\" must not be before \"first\": %d is before %d",
                        (int)q.last, (int)q.first);
    if (!st && q.last - q.first >= SCENE_MAX_FILES)
        st = scene_fail(r, json_find(body, "last"), "a sequence has at most %d files, not %lld",
                        SCENE_MAX_FILES, (long long)q.last - q.first + 1);
    params_clear(r->ctx, scene_sequence_params, &q);
    return st;
}

typedef struct {
    scene_reader *r;
    const char *label;
    const json_value *body;
    scene_sequence *q;
    pattern p;
    char *path; /* of one file */
    size_t capacity;
    trimesh mesh;
    uint64_t hash;
} loading;

/* The folder made absolute. */
static rill_status find_folder(loading *l)
{
    rill_ctx *ctx = l->r->ctx;
    const char *name = name_in(l->q->files);
    char *folder = NULL, *files = NULL;
    text t; /* the folder as given: "flags/." */
    text_init(&t, ctx);
    text_print(&t, "%.*s.", (int)(name - l->q->files), l->q->files);
    rill_status st = text_check(&t);
    if (!st) st = scene_find_path(l->r, l->label, l->body, "files", t.data, &folder);
    if (!st) files = path_join(ctx, folder, name);
    if (!st && !files) st = mem_failed(ctx, strlen(folder) + strlen(name) + 2, 1);
    if (!st) {
        mem_free(ctx, l->q->files);
        l->q->files = files;
    }
    mem_free(ctx, folder);
    text_clear(&t);
    return st;
}

static const char *path_of(loading *l, int32_t number)
{
    const char *name = name_in(l->q->files);
    snprintf(l->path, l->capacity, "%.*s%.*s%0*d%s", (int)(name - l->q->files), l->q->files, l->p.before,
             name, l->p.digits, (int)number, l->p.after);
    return l->path;
}

/* Says which are missing, before the first is read. */
static rill_status find_files(loading *l)
{
    int missing = 0;
    int32_t first = 0;
    for (int32_t n = l->q->first; n <= l->q->last; n++) {
        if (file_exists(path_of(l, n))) continue;
        if (missing++ == 0) first = n;
    }
    if (missing == 0) return RILL_OK;
    const int all = (int)(l->q->last - l->q->first + 1);
    return scene_fail_as(l->r, RILL_BAD_FILE, scene_at(l->body, "files"),
                         "%s: %d of the %d files %s missing, the first is %s", l->label, missing, all,
                         missing == 1 ? "is" : "are", json_show(path_of(l, first)).text);
}

/* One file: its mesh, and its part of the hash. The first must be a solid. */
static rill_status read_file(loading *l, int32_t number)
{
    rill_ctx *ctx = l->r->ctx;
    const char *path = path_of(l, number), *name = name_in(path);
    char *bytes = NULL;
    size_t length = 0;
    mesh_read_def def = mesh_read_def_default();
    def.z_up = l->q->z_up;
    def.scale = l->q->scale;
    TRY(scene_explain(l->r, file_read_all(ctx, path, SCENE_LARGEST_MESH, &bytes, &length), l->label, l->body,
                      "files", ""));
    l->hash = hash_bytes(bytes, length, l->hash);
    rill_status st = RILL_OK;
    if (number == l->q->first) {
        st = mesh_parse(ctx, name, bytes, length, &def, &l->mesh, NULL);
        if (!st) st = mesh_check_solid(ctx, name, &l->mesh, l->q->holes, l->q->shell);
    }
    def.merge = false; /* the same vertices in every file */
    if (!st) st = mesh_parse(ctx, name, bytes, length, &def, &l->mesh, NULL);
    mem_free(ctx, bytes);
    return scene_explain(l->r, st, l->label, l->body, "files", "");
}

static rill_status load(loading *l)
{
    scene_sequence *q = l->q;
    rill_ctx *ctx = l->r->ctx;
    if (q->fps == 0) q->fps = l->r->scene->time.fps;
    l->capacity = strlen(q->files) + 16;
    TRY(MEM_NEW(ctx, l->path, l->capacity));
    TRY(find_files(l));
    TRY(mesh_sequence_create(ctx, &(mesh_sequence_def){.shell = q->shell, .holes = q->holes}, &q->frames));
    for (int32_t n = q->first; n <= q->last; n++) {
        if (rill_cancelled(ctx)) return rill_fail(ctx, RILL_CANCELLED, "stopped on request");
        TRY(read_file(l, n));
        const double time = q->start + (n - q->first) / q->fps;
        const rill_status st = mesh_sequence_add(ctx, q->frames, &l->mesh, time);
        TRY(scene_explain(l->r, st, l->label, l->body, "files", name_in(path_of(l, n))));
    }
    return scene_set_hash(l->r, l->label, l->body, q->files, l->hash, &q->hash);
}

/* One that was read before, for another solid. */
static scene_sequence *find_like(const rill_scene *scene, const scene_sequence *q)
{
    for (uint32_t k = 0; k < scene->sequence_count; k++) {
        scene_sequence *a = &scene->sequences[k];
        if (strcmp(a->files, q->files) == 0 && a->first == q->first && a->last == q->last &&
            a->fps == (q->fps == 0 ? scene->time.fps : q->fps) && a->start == q->start &&
            a->holes == q->holes && a->z_up == q->z_up && a->shell == q->shell && a->scale == q->scale &&
            (!q->hash[0] || strcmp(a->hash, q->hash) == 0))
            return a;
    }
    return NULL;
}

rill_status scene_load_sequence(scene_reader *r, const char *label, const json_value *body, shape *s)
{
    scene_sequence q = {0}, *like = NULL;
    loading l = {.r = r, .label = label, .body = body, .q = &q};
    rill_status st = params_default(r->ctx, scene_sequence_params, &q);
    if (!st) st = scene_read_block(r, scene_sequence_params, "the sequence", body, &q);
    if (!st) st = find_folder(&l);
    if (!st && !read_pattern(name_in(q.files), &l.p)) st = RILL_BAD_SCENE; /* was checked */
    if (!st) like = find_like(r->scene, &q);
    if (!st && !like) {
        st = load(&l);
        if (!st) {
            like = &r->scene->sequences[r->scene->sequence_count++];
            *like = q;
            q = (scene_sequence){0};
        }
    }
    if (!st) s->sequence.frames = like->frames;
    mem_free(r->ctx, l.path);
    trimesh_clear(r->ctx, &l.mesh);
    mesh_sequence_destroy(r->ctx, q.frames);
    params_clear(r->ctx, scene_sequence_params, &q);
    return st;
}
