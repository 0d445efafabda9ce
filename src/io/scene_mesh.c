/* Mesh files of a scene: found, read, made into distances.
 *
 * A file that several shapes name with the same keys is read once. Paths become absolute,
 * so that a printed scene and the one in a run folder find their files from anywhere; what
 * identifies a mesh is the hash of its contents. The distance is kept on a grid of half a
 * spacing as the solid stands in the scene, which errs by at most a sixteenth of one at
 * the surface; of what does not move, only where it is in the domain. */
#include "base/hash.h"
#include "flow/solids.h"
#include "geom/distance/mesh_distance.h"
#include "geom/mesh/mesh_solid.h"
#include "io/file.h"
#include "io/mesh_file.h"
#include "io/scene_reader.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COARSEST = 16, FINEST = 512 }; /* cells along the longest side */
enum { MARGIN = 4 };                  /* spacings around the domain where methods may still ask */

typedef struct mesh_user {
    const json_value *root; /* of the scene */
    const char *label;      /* as messages call it: solid "rock" */
    const json_value *body; /* of the shape */
    double scale;           /* of the transform */
    rill_box wanted;        /* where it will be asked, in its own coordinates */
} mesh_user;

static const rill_box everywhere = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};

/* Counts the meshes among a shape's parts, and what else has files. */
static uint32_t count_in(const shape *s)
{
    if (s->kind == SHAPE_MESH || s->kind == SHAPE_SEQUENCE) return 1;
    uint32_t n = 0;
    if (s->kind == SHAPE_UNION || s->kind == SHAPE_INTERSECTION || s->kind == SHAPE_DIFFERENCE)
        for (uint32_t i = 0; i < s->parts.count; i++) n += count_in(&s->parts.part[i]);
    return n;
}

rill_status scene_find_path(scene_reader *r, const char *label, const json_value *body, const char *key,
                            const char *given, char **absolute)
{
    const char *slash = strrchr(r->name, '/');
    char path[PATH_MAX], found[PATH_MAX];
    int length;
    if (given[0] == '/' || !slash)
        length = snprintf(path, sizeof path, "%s", given);
    else
        length = snprintf(path, sizeof path, "%.*s/%s", (int)(slash - r->name), r->name, given);
    if (length >= (int)sizeof path) errno = ENAMETOOLONG;
    if (length >= (int)sizeof path || !realpath(path, found))
        return scene_fail_as(r, RILL_BAD_FILE, scene_at(body, key), "%s: cannot read %s: %s", label,
                             json_show(given).text, strerror(errno));
    *absolute = mem_text(r->ctx, found);
    return *absolute ? RILL_OK : mem_failed(r->ctx, strlen(found) + 1, 1);
}

rill_status scene_explain(scene_reader *r, rill_status st, const char *label, const json_value *body,
                          const char *key, const char *name)
{
    char cause[1024];
    if (st != RILL_BAD_FILE) return st;
    snprintf(cause, sizeof cause, "%s", rill_ctx_message(r->ctx));
    return scene_fail_as(r, st, scene_at(body, key), "%s: %s%s%s", label, name, name[0] ? ": " : "", cause);
}

rill_status scene_set_hash(scene_reader *r, const char *label, const json_value *body, const char *files,
                           uint64_t value, char **hash)
{
    char fresh[24];
    snprintf(fresh, sizeof fresh, "%016llx", (unsigned long long)value);
    if (*hash[0] && strcmp(*hash, fresh) != 0)
        return scene_fail_as(
            r, RILL_BAD_FILE, scene_at(body, "hash"),
            "%s: %s has changed since this was written (its hash is %s now); put the old file "
            "back, or begin a new run",
            label, files, fresh);
    char *copy = mem_text(r->ctx, fresh);
    if (!copy) return mem_failed(r->ctx, strlen(fresh) + 1, 1);
    mem_free(r->ctx, *hash);
    *hash = copy;
    return RILL_OK;
}

/* The path made absolute, in place of the one given. */
static rill_status find_file(scene_reader *r, const mesh_user *u, scene_mesh *m)
{
    char *path = NULL;
    TRY(scene_find_path(r, u->label, u->body, "file", m->file, &path));
    mem_free(r->ctx, m->file);
    m->file = path;
    return RILL_OK;
}

static rill_status explain(scene_reader *r, const mesh_user *u, rill_status st, const char *name)
{
    return scene_explain(r, st, u->label, u->body, "file", name);
}

static int32_t resolution_for(const rill_scene *scene, double longest, double scale)
{
    const double cells = ceil(2 * scale * longest / scene->spacing);
    return cells >= FINEST ? FINEST : cells > COARSEST ? (int32_t)cells : COARSEST;
}

/* A mesh that was read before and serves as well. */
static scene_mesh *find_like(const scene_reader *r, const mesh_user *u, const scene_mesh *m)
{
    for (uint32_t k = 0; k < r->scene->mesh_count; k++) {
        scene_mesh *a = &r->scene->meshes[k];
        if (strcmp(a->file, m->file) == 0 && a->holes == m->holes && a->z_up == m->z_up &&
            a->shell == m->shell && a->scale == m->scale && (!m->hash[0] || strcmp(a->hash, m->hash) == 0) &&
            a->resolution >= resolution_for(r->scene, a->longest, u->scale) &&
            box_contains(a->wanted, u->wanted.min) && box_contains(a->wanted, u->wanted.max))
            return a;
    }
    return NULL;
}

static rill_status load(scene_reader *r, const mesh_user *u, scene_mesh *m)
{
    rill_ctx *ctx = r->ctx;
    char *bytes = NULL;
    size_t length = 0;
    trimesh mesh = {0};
    const char *slash = strrchr(m->file, '/'), *name = slash ? slash + 1 : m->file;
    rill_status st = explain(r, u, file_read_all(ctx, m->file, SCENE_LARGEST_MESH, &bytes, &length), "");
    if (!st) st = scene_set_hash(r, u->label, u->body, m->file, hash_bytes(bytes, length, 0), &m->hash);
    if (!st) {
        mesh_read_def def = mesh_read_def_default();
        def.z_up = m->z_up;
        def.scale = m->scale;
        st = explain(r, u, mesh_parse(ctx, name, bytes, length, &def, &mesh, NULL), "");
    }
    mem_free(ctx, bytes);
    if (!st) st = explain(r, u, mesh_check_solid(ctx, name, &mesh, m->holes, m->shell), "");
    if (!st) {
        bool part;
        const rill_box bounds = trimesh_bounds(&mesh);
        const rill_vec3 size = box_size(mesh_distance_cached(bounds, &u->wanted, &part));
        m->longest = fmax(size.x, fmax(size.y, size.z));
        m->resolution = resolution_for(r->scene, m->longest, u->scale);
        /* A mesh that is all there can serve others wherever they put it. */
        m->wanted = box_contains(u->wanted, bounds.min) && box_contains(u->wanted, bounds.max) ? everywhere
                                                                                               : u->wanted;
        mesh_distance_def def = mesh_distance_def_default();
        def.shell = m->shell;
        def.holes = m->holes;
        def.resolution = m->resolution;
        def.wanted = &m->wanted;
        st = explain(r, u, mesh_distance_create(ctx, &mesh, &def, &m->distance), name);
    }
    trimesh_clear(ctx, &mesh);
    return st;
}

/* How many shapes in v name the file. */
static uint32_t times_named(const json_value *v, const char *file)
{
    uint32_t n = v->key && strcmp(v->key, "file") == 0 && v->string && strcmp(v->string, file) == 0;
    for (const json_value *c = v->child; c; c = c->next) n += times_named(c, file);
    return n;
}

static rill_status load_mesh(scene_reader *r, mesh_user *u, shape *s)
{
    scene_mesh m = {0}, *like = NULL;
    rill_status st = params_default(r->ctx, scene_mesh_params, &m);
    if (!st) st = scene_read_block(r, scene_mesh_params, "the mesh", u->body, &m);
    if (!st && times_named(u->root, m.file) > 1) u->wanted = everywhere; /* for all of them */
    if (!st) st = find_file(r, u, &m);
    if (!st) like = find_like(r, u, &m);
    if (!st && !like) {
        st = load(r, u, &m);
        if (!st) { /* the capacity was reserved */
            like = &r->scene->meshes[r->scene->mesh_count++];
            *like = m;
            m = (scene_mesh){0};
        }
    }
    if (!st) {
        s->mesh.owned = like->distance;
        s->mesh.lent = true;
    }
    params_clear(r->ctx, scene_mesh_params, &m);
    return st;
}

static rill_status load_shape(scene_reader *r, mesh_user u, const json_value *v, shape *s)
{
    u.body = v->child;
    if (s->kind == SHAPE_MESH) return load_mesh(r, &u, s);
    if (s->kind == SHAPE_SEQUENCE) return scene_load_sequence(r, u.label, u.body, s);
    if (count_in(s) == 0) return RILL_OK;
    const json_value *part = u.body->child;
    for (uint32_t i = 0; i < s->parts.count; i++, part = part->next)
        TRY(load_shape(r, u, part, &s->parts.part[i]));
    return RILL_OK;
}

static rill_status refuse_sequence(scene_reader *r, const json_value *form)
{
    return scene_fail(r, form, "a sequence of meshes can be the shape of a solid alone; take a mesh");
}

/* The shapes in a method's own block. */
static shape *next_shape(const scene_method_def *m, const rill_param **row)
{
    while ((*row)->kind && (*row)->kind != PARAM_SHAPE) (*row)++;
    return (*row)->kind ? (shape *)((char *)m->def + (*row)->offset) : NULL;
}

static uint32_t count_in_method(const scene_method_def *m)
{
    uint32_t n = 0;
    const rill_param *row = m->method->params;
    for (const shape *s; (s = next_shape(m, &row)); row++) n += count_in(s);
    return n;
}

static rill_status load_method(scene_reader *r, const json_value *root, const scene_method_def *m)
{
    const rill_param *row = m->method->params;
    for (shape *s; (s = next_shape(m, &row)); row++) {
        if (count_in(s) == 0) continue;
        const json_value *form = json_find(json_find(root, m->method->name), row->name);
        if (s->kind == SHAPE_SEQUENCE) return refuse_sequence(r, form);
        char label[64];
        snprintf(label, sizeof label, "%s of %s", row->name, m->method->name);
        TRY(load_shape(r, (mesh_user){root, label, NULL, 1, everywhere}, form, s));
    }
    return RILL_OK;
}

/* One list of the scene: its shapes are `stride` bytes apart. */
static rill_status load_list(scene_reader *r, const json_value *root, const char *list, const char *what,
                             void *first, uint32_t count, size_t stride)
{
    const json_value *entry = scene_first(root, list);
    char *at = first;
    for (uint32_t i = 0; i < count; i++, entry = entry->next, at += stride) {
        shape *s = (shape *)at;
        if (count_in(s) == 0) continue;
        const json_value *name = json_find(entry, "name");
        const bool solid = strcmp(list, "solids") == 0;
        const json_value *form = json_find(entry, "shape");
        if (s->kind == SHAPE_SEQUENCE && !solid) return refuse_sequence(r, form);
        char label[128];
        if (name && name->string[0])
            snprintf(label, sizeof label, "%s \"%s\"", what, json_show(name->string).text);
        else
            snprintf(label, sizeof label, "%s %u", what, i + 1);
        mesh_user u = {root, label, NULL, 1, everywhere};
        if (!solid)
            u.wanted =
                box_grown((rill_box){r->scene->domain.min, r->scene->domain.max}, MARGIN * r->scene->spacing);
        if (solid) {
            const scene_solid *one = &r->scene->solids[i];
            u.scale = one->transform.scale;
            if (one->motion.count == 0)
                u.wanted = solid_domain(r->scene, &one->transform, MARGIN * r->scene->spacing);
        }
        TRY(load_shape(r, u, form, s));
    }
    return RILL_OK;
}

rill_status scene_load_meshes(scene_reader *r, const json_value *root)
{
    rill_scene *s = r->scene;
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->liquid_count; i++) count += count_in(&s->liquid[i].shape);
    for (uint32_t i = 0; i < s->emitter_count; i++) count += count_in(&s->emitters[i].shape);
    for (uint32_t i = 0; i < s->drain_count; i++) count += count_in(&s->drains[i].shape);
    for (uint32_t i = 0; i < s->tracers_count; i++) count += count_in(&s->tracers[i].shape);
    for (uint32_t i = 0; i < s->smoke_count; i++) count += count_in(&s->smoke[i].shape);
    for (uint32_t i = 0; i < s->solid_count; i++) count += count_in(&s->solids[i].shape);
    for (uint32_t i = 0; i < s->method_count; i++) count += count_in_method(&s->methods[i]);
    if (count == 0) return RILL_OK;
    TRY(MEM_NEW_ZERO(r->ctx, s->meshes, count));
    TRY(MEM_NEW_ZERO(r->ctx, s->sequences, count));
    TRY(load_list(r, root, "liquid", "liquid", s->liquid_count ? &s->liquid->shape : NULL, s->liquid_count,
                  sizeof *s->liquid));
    TRY(load_list(r, root, "emitters", "emitter", s->emitter_count ? &s->emitters->shape : NULL,
                  s->emitter_count, sizeof *s->emitters));
    TRY(load_list(r, root, "drains", "drain", s->drain_count ? &s->drains->shape : NULL, s->drain_count,
                  sizeof *s->drains));
    TRY(load_list(r, root, "tracers", "source of tracers", s->tracers_count ? &s->tracers->shape : NULL,
                  s->tracers_count, sizeof *s->tracers));
    TRY(load_list(r, root, "smoke", "source of smoke", s->smoke_count ? &s->smoke->shape : NULL,
                  s->smoke_count, sizeof *s->smoke));
    for (uint32_t i = 0; i < s->method_count; i++) TRY(load_method(r, root, &s->methods[i]));
    return load_list(r, root, "solids", "solid", s->solid_count ? &s->solids->shape : NULL, s->solid_count,
                     sizeof *s->solids);
}
