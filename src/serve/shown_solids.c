/* The solids of a run: their triangles, and where they are at every frame. */
#include "serve/encode.h"
#include "serve/shown.h"
#include "serve/solid_mesh.h"
#include "serve/wire.h"

#include "flow/body_poses.h"
#include "io/file.h"
#include "io/ply.h"
#include "run/folder.h"
#include "run/frames.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { POSES_MOST = 20000 }; /* frames whose poses are sent */

static void forget(shown_solids *v)
{
    if (v->ready) {
        solids_clear(v->ctx, &v->solids);
        scene_clear(v->ctx, &v->scene);
    }
    v->ready = false;
}

void shown_solids_clear(shown *s)
{
    shown_solids *v = &s->solids;
    forget(v);
    rill_ctx_destroy(v->ctx);
    v->ctx = NULL;
}

/* Under the lock: the scene's solids, of the run that is in the folder now. */
static rill_status get_ready(rill_ctx *ctx, shown *s)
{
    shown_solids *v = &s->solids;
    const uint64_t generation = shown_generation(s);
    if (v->ready && v->generation == generation) return RILL_OK;
    forget(v);
    if (!v->ctx) {
        rill_ctx_def def = rill_ctx_def_default();
        def.allocator = ctx->def.allocator;
        def.threads = 1;
        if (rill_ctx_create(&def, &v->ctx)) return rill_fail(ctx, RILL_NO_MEMORY, "out of memory");
    }
    rill_scene scene = {0};
    rill_status st = frames_scene(v->ctx, s->folder, &scene);
    if (!st) {
        v->scene = scene; /* the solids borrow it from where it stays */
        st = solids_create(v->ctx, &v->scene, &v->solids);
        if (st) scene_clear(v->ctx, &v->scene);
    }
    if (st) return rill_fail(ctx, st == RILL_NO_MEMORY ? st : RILL_BAD_FILE, "%s", rill_ctx_message(v->ctx));
    v->ready = true;
    v->generation = generation;
    return RILL_OK;
}

static void put_solid(const shown_solids *v, uint32_t i, text *out)
{
    const scene_solid *solid = &v->scene.solids[i];
    char number[32];
    snprintf(number, sizeof number, "solid %u", i + 1);
    text_print(out, "%s{\"name\":", i ? "," : "");
    text_quoted(out, solid->name && solid->name[0] ? solid->name : number);
    text_print(out, ",\"moves\":%s,\"deforms\":%s}",
               solid->is_body || solid_moves(&v->solids, i) ? "true" : "false",
               solid_deforms(&v->solids, i) ? "true" : "false");
}

rill_status shown_solid_list(rill_ctx *ctx, shown *s, text *out)
{
    shown_solids *v = &s->solids;
    pthread_mutex_lock(&v->lock);
    const rill_status st = get_ready(ctx, s);
    if (!st) {
        text_add(out, "{\"solids\":[");
        for (uint32_t i = 0; i < v->scene.solid_count; i++) put_solid(v, i, out);
        text_add(out, "]}");
    }
    pthread_mutex_unlock(&v->lock);
    return st ? st : text_check(out);
}

/* The domain and a little more, in the solid's own coordinates: unbounded shapes end there. Solids that turn
 * or move get the whole of what could be in the domain. */
static rill_box local_bounds(const shown_solids *v, uint32_t i)
{
    const scene_domain *d = &v->scene.domain;
    const scene_solid *solid = &v->scene.solids[i];
    const bool still =
        !solid->is_body && !solid_moves(&v->solids, i) && v3_length(solid->transform.rotate) == 0;
    const rill_vec3 size = v3_sub(d->max, d->min);
    const double thin = v->scene.dimensions == 2 ? 0 : 1e-3 * v->scene.spacing;
    const rill_box box = solid_domain(&v->scene, &solid->transform, still ? thin : v3_length(size));
    return box;
}

static rill_status make_mesh(rill_ctx *ctx, shown *s, uint32_t solid, uint32_t frame, packer *out)
{
    shown_solids *v = &s->solids;
    TRY(get_ready(ctx, s));
    if (solid >= v->scene.solid_count) return rill_fail(ctx, RILL_BAD_FILE, "there is no such solid");
    const double time = frame / v->scene.time.fps;
    rill_status st = solid_deforms(&v->solids, solid) ? solids_prepare(v->ctx, &v->solids, time, 0) : RILL_OK;
    shape room;
    trimesh mesh = {0};
    if (!st)
        st =
            solid_mesh(v->ctx, solids_form_at(&v->solids, solid, time, &room), local_bounds(v, solid), &mesh);
    if (!st) {
        /* The quantum is of the world; shapes may be scaled. */
        const double scale = v->scene.solids[solid].transform.scale;
        const encode_def def = {.name = "solid",
                                .origin = v->scene.domain.min,
                                .quantum = v->scene.spacing / 1000 / (scale > 0 ? scale : 1)};
        st = encode_mesh(ctx, &def, &mesh, out);
    } else {
        st = rill_fail(ctx, st, "%s", rill_ctx_message(v->ctx));
    }
    trimesh_clear(v->ctx, &mesh);
    return st;
}

static rill_status take(rill_ctx *ctx, shown *s, packer *made, blob **out)
{
    *out = blob_take(s->blobs, made->data, made->length);
    return *out ? RILL_OK : rill_fail(ctx, RILL_NO_MEMORY, "too much is being sent at once; ask again");
}

rill_status shown_solid_mesh(rill_ctx *ctx, shown *s, uint32_t solid, uint32_t frame, blob **out)
{
    packer made;
    packer_init(&made, ctx);
    pthread_mutex_lock(&s->solids.lock);
    const rill_status st = make_mesh(ctx, s, solid, frame, &made);
    pthread_mutex_unlock(&s->solids.lock);
    return st ? st : take(ctx, s, &made, out);
}

static void put_pose(packer *p, const struct solid_pose *pose)
{
    const double place[3] = {pose->translate.x, pose->translate.y, pose->translate.z};
    for (int row = 0; row < 3; row++) {
        for (int k = 0; k < 3; k++) packer_f32(p, pose->scale * v3_axis(pose->row[k], row));
        packer_f32(p, place[row]);
    }
}

/* Bodies where the files of a frame have them; frames without a file leave them where they are. */
static rill_status follow_bodies(const shown *s, shown_solids *v, uint32_t frame)
{
    particles poses = {0};
    struct solid_ride *rides = NULL;
    char *path = run_file_path(v->ctx, s->folder, RUN_BODIES, frame);
    if (!path) return mem_failed(v->ctx, strlen(s->folder), 1);
    rill_status st = RILL_OK;
    if (file_exists(path)) {
        st = ply_read_particles(v->ctx, path, &poses, NULL);
        if (!st) st = body_poses_rides(v->ctx, &v->scene, &poses, &rides);
        if (!st) solids_follow(&v->solids, rides);
        if (st == RILL_BAD_FILE) st = RILL_OK; /* damaged, or gone by now */
    }
    mem_free(v->ctx, rides);
    particles_clear(v->ctx, &poses);
    mem_free(v->ctx, path);
    return st;
}

/* Poses of the bodies by frame, then solid; NULL: the scene has none. */
static rill_status body_poses_of(const shown *s, shown_solids *v, uint32_t frames, struct solid_pose **out)
{
    const uint32_t count = v->scene.solid_count;
    bool any = false;
    *out = NULL;
    for (uint32_t i = 0; i < count; i++) any |= v->scene.solids[i].is_body;
    if (!any) return RILL_OK;
    struct solid_pose *pose;
    TRY(MEM_NEW(v->ctx, pose, (size_t)frames * count));
    rill_status st = RILL_OK;
    for (uint32_t k = 0; k < frames && !st; k++) {
        st = follow_bodies(s, v, k);
        if (!st) st = solids_prepare(v->ctx, &v->solids, k / v->scene.time.fps, 0);
        for (uint32_t i = 0; i < count && !st; i++) {
            solid_place room;
            pose[(size_t)k * count + i] = solids_place_at(&v->solids, i, k / v->scene.time.fps, &room)->pose;
        }
    }
    if (st) {
        mem_free(v->ctx, pose);
        return st;
    }
    *out = pose;
    return RILL_OK;
}

static rill_status make_poses(rill_ctx *ctx, shown *s, packer *p)
{
    shown_solids *v = &s->solids;
    TRY(get_ready(ctx, s));
    const int32_t wanted = v->scene.time.frames;
    const uint32_t frames = (uint32_t)(wanted < 0 ? 1 : wanted > POSES_MOST ? POSES_MOST : wanted + 1);
    struct solid_pose *bodies = NULL;
    const rill_status st = body_poses_of(s, v, frames, &bodies);
    if (st) return rill_fail(ctx, st, "%s", rill_ctx_message(v->ctx));
    packer_u32(p, POSES_MAGIC);
    packer_u32(p, v->scene.solid_count);
    packer_u32(p, frames);
    packer_f32(p, v->scene.time.fps);
    for (uint32_t i = 0; i < v->scene.solid_count; i++)
        for (uint32_t k = 0; k < frames && !p->failed; k++) {
            solid_place room;
            put_pose(p, bodies ? &bodies[(size_t)k * v->scene.solid_count + i]
                               : &solids_place_at(&v->solids, i, k / v->scene.time.fps, &room)->pose);
        }
    mem_free(v->ctx, bodies);
    return p->failed ? mem_failed(ctx, p->length, 1) : RILL_OK;
}

rill_status shown_poses(rill_ctx *ctx, shown *s, blob **out)
{
    packer made;
    packer_init(&made, ctx);
    pthread_mutex_lock(&s->solids.lock);
    const rill_status st = make_poses(ctx, s, &made);
    pthread_mutex_unlock(&s->solids.lock);
    if (st) packer_clear(&made);
    return st ? st : take(ctx, s, &made, out);
}
