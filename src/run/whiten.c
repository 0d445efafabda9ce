#include "run/whiten.h"

#include "io/file.h"
#include "io/ply.h"
#include "run/folder.h"
#include "run/frames.h"
#include "whitewater/whitewater.h"

#include <string.h>

typedef struct {
    rill_ctx *ctx;
    const rill_scene *scene;
    const whiten_def *def;
    whitewater *w;
    solids walls;
    bool of_cells;
    particles now, next; /* the liquid of two frames */
    uint32_t *match;     /* per particle of `next`: that of `now` with the same id, or NO_MATCH */
    particles between;   /* the liquid of a step */
    char *from, *to;     /* owned */
    uint32_t *frame;     /* owned: those that were made, and their times */
    double *time;
    whiten_report report;
} whitening;
#define NO_MATCH UINT32_MAX

static rill_status no_path(const whitening *w)
{
    return mem_failed(w->ctx, strlen(w->def->folder) + 64, 1);
}

static rill_status read_frame(whitening *w, uint32_t frame, particles *out, double *time)
{
    const frame_part part = w->of_cells ? FRAME_CELLS : FRAME_PARTICLES;
    ply_header header = {.time = 0};
    char *path = frame_file_path(w->ctx, w->from, part, frame, "ply");
    if (!path) return no_path(w);
    rill_status st =
        file_exists(path)
            ? ply_read_particles(w->ctx, path, out, &header)
            : rill_fail(w->ctx, RILL_BAD_FILE,
                        "%s: frame %u has no %s to make white water from; run the scene with \"%s\": true in "
                        "\"output\" and \"ply\" among its \"formats\", or with a \"whitewater\" block",
                        w->def->folder, frame, frame_part_words[part], frame_part_words[part]);
    if (!st) *time = header.time == header.time ? header.time : frame / w->scene->time.fps;
    mem_free(w->ctx, path);
    return st;
}

/* ---- between frames ---- */

/* Indices in the order of ids. */
static rill_status sort_ids(rill_ctx *ctx, rill_arena *arena, const particles *p, uint64_t **key,
                            uint32_t **order)
{
    uint64_t *spare_key;
    uint32_t *spare_order;
    TRY(ARENA_NEW(arena, *key, p->count));
    TRY(ARENA_NEW(arena, *order, p->count));
    TRY(ARENA_NEW(arena, spare_key, p->count));
    TRY(ARENA_NEW(arena, spare_order, p->count));
    for (size_t i = 0; i < p->count; i++) {
        (*key)[i] = p->id[i];
        (*order)[i] = (uint32_t)i;
    }
    return sort_by_key(ctx, p->count, 64, *key, *order, spare_key, spare_order);
}

static rill_status match_ids(whitening *w)
{
    rill_arena arena;
    uint64_t *a, *b;
    uint32_t *order_a, *order_b;
    mem_free(w->ctx, w->match);
    w->match = NULL;
    TRY(MEM_NEW(w->ctx, w->match, w->next.count));
    arena_init(&arena, w->ctx);
    rill_status st = sort_ids(w->ctx, &arena, &w->now, &a, &order_a);
    if (!st) st = sort_ids(w->ctx, &arena, &w->next, &b, &order_b);
    for (size_t k = 0, m = 0; !st && k < w->next.count; k++) {
        while (m < w->now.count && a[m] < b[k]) m++;
        w->match[order_b[k]] = m < w->now.count && a[m] == b[k] ? order_a[m] : NO_MATCH;
    }
    arena_clear(&arena);
    return st;
}

/* The cubic with these places and velocities at 0 and dt, at a share of dt. */
static rill_vec3 cubic(rill_vec3 x0, rill_vec3 v0, rill_vec3 x1, rill_vec3 v1, double dt, double s)
{
    const double s2 = s * s, s3 = s2 * s;
    rill_vec3 x = v3_scale(x0, 2 * s3 - 3 * s2 + 1);
    x = v3_madd(x, (s3 - 2 * s2 + s) * dt, v0);
    x = v3_madd(x, 3 * s2 - 2 * s3, x1);
    return v3_madd(x, (s3 - s2) * dt, v1);
}

/* The liquid at a share of the way from one frame to the next; particles that are in the later frame alone
 * come in half-way. */
static rill_status liquid_between(whitening *w, double dt, double share, liquid_samples *out)
{
    particles *p = &w->between;
    if (w->of_cells || share == 1) {
        *out = whitewater_samples_of(w->scene, share < 0.5 ? &w->now : &w->next, w->of_cells);
        return RILL_OK;
    }
    const float *size = particles_column(&w->next, "spacing");
    float *own = particles_column(p, "spacing");
    TRY(particles_reserve(w->ctx, p, w->next.count));
    if (size && !own) TRY(particles_add_column(w->ctx, p, "spacing"));
    own = particles_column(p, "spacing");
    p->count = 0;
    for (size_t i = 0; i < w->next.count; i++) {
        const uint32_t m = w->match[i];
        if (m == NO_MATCH && share < 0.5) continue;
        const size_t k = p->count++;
        const rill_vec3 x = w->next.position[i], v = w->next.velocity[i];
        p->id[k] = w->next.id[i];
        p->position[k] = m == NO_MATCH ? v3_madd(x, (share - 1) * dt, v)
                                       : cubic(w->now.position[m], w->now.velocity[m], x, v, dt, share);
        p->velocity[k] = m == NO_MATCH ? v : v3_mix(w->now.velocity[m], v, share);
        if (size) own[k] = size[i];
    }
    *out = whitewater_samples_of(w->scene, p, false);
    return RILL_OK;
}

static uint32_t steps_of(const whitening *w, double dt)
{
    double most = 0;
    for (size_t i = 0; i < w->next.count; i++)
        if (v3_finite(w->next.velocity[i])) most = fmax(most, v3_length(w->next.velocity[i]));
    const double spacing = w->of_cells ? w->scene->spacing : scene_particle_spacing(w->scene);
    return (uint32_t)fmin(fmax(ceil(most * dt / (2 * spacing)), 1), w->def->steps);
}

static rill_status advance(whitening *w, double until)
{
    const double start = w->w->time, dt = until - start;
    if (!(dt > 0))
        return rill_fail(w->ctx, RILL_BAD_FILE, "%s: the times of its frames do not go on", w->def->folder);
    if (!w->of_cells) TRY(match_ids(w));
    const uint32_t steps = steps_of(w, dt);
    for (uint32_t k = 1; k <= steps; k++) {
        liquid_samples liquid;
        TRY(liquid_between(w, dt, (double)k / steps, &liquid));
        TRY(solids_prepare(w->ctx, &w->walls, w->w->time, dt / steps));
        TRY(whitewater_step(w->ctx, w->w, &liquid, &w->walls, dt / steps));
    }
    w->w->time = until;
    return RILL_OK;
}

/* ---- frames ---- */

static rill_status one_frame(whitening *w, uint32_t frame)
{
    double time = 0;
    particles read = {0};
    TRY(read_frame(w, frame, &read, &time));
    particles_clear(w->ctx, &w->now);
    w->now = w->next;
    w->next = read;
    if (w->report.done == 0)
        w->w->time = time;
    else
        TRY(advance(w, time));
    const frame_file f = {w->to, frame, time,
                          w->scene->output.formats ? w->scene->output.formats : FRAME_PLY};
    TRY(frame_write_points(w->ctx, &f, FRAME_WHITEWATER, &w->w->dots));
    w->frame[w->report.done] = frame;
    w->time[w->report.done++] = time;
    return RILL_OK;
}

static rill_status all_frames(whitening *w, const frame_list *list)
{
    for (uint32_t k = 0; k < list->count; k++) {
        const uint32_t frame = list->frame[k];
        if (frame < w->def->from || frame > w->def->last) continue;
        if (rill_cancelled(w->ctx))
            return rill_fail(w->ctx, RILL_CANCELLED, "stopped before frame %u", frame);
        TRY(one_frame(w, frame));
        if (w->def->report) w->def->report(frame, w->def->last);
    }
    if (w->report.done == 0)
        return rill_fail(w->ctx, RILL_BAD_FILE, "%s: there are no frames from %u to %u", w->def->folder,
                         w->def->from, w->def->last);
    if (!(w->scene->output.formats & FRAME_VTK)) return RILL_OK;
    return frame_write_index(w->ctx, w->to, FRAME_WHITEWATER, w->report.done, w->frame, w->time);
}

static void count_kinds(whitening *w)
{
    const particles *p = &w->w->dots;
    w->report.made = w->w->made;
    for (size_t i = 0; i < p->count; i++) w->report.kind[(int)p->column[WHITEWATER_TYPE].value[i]]++;
}

rill_status whiten(rill_ctx *ctx, const rill_scene *scene, const whiten_def *def, whiten_report *out)
{
    if (scene->fill || !(scene->method->can & CAN_FREE_SURFACE))
        return rill_fail(ctx, RILL_USAGE,
                         "%s: white water comes from the surface of a liquid, and this run has none",
                         def->folder);
    whitening w = {.ctx = ctx, .scene = scene, .def = def, .of_cells = whitewater_of_cells(scene)};
    run_folder folder = {.ctx = ctx, .lock = -1};
    frame_list list = {0};
    w.from = path_join(ctx, def->folder, "frames");
    w.to = def->to ? mem_text(ctx, def->to) : path_join(ctx, def->folder, "frames");
    rill_status st = w.from && w.to ? frames_list(ctx, def->folder, &list) : no_path(&w);
    if (!st && !def->to) st = run_folder_open(ctx, def->folder, &folder);
    if (!st && def->to) st = folder_create(ctx, def->to);
    if (!st) st = MEM_NEW(ctx, w.frame, list.count);
    if (!st) st = MEM_NEW(ctx, w.time, list.count);
    if (!st) st = solids_create(ctx, scene, &w.walls);
    if (!st) st = whitewater_create(ctx, scene, 0, &w.w);
    if (!st) st = all_frames(&w, &list);
    if (w.w) count_kinds(&w);
    *out = w.report;
    if (folder.path) run_folder_close(&folder);
    frames_clear(ctx, &list);
    solids_clear(ctx, &w.walls);
    whitewater_destroy(ctx, w.w);
    particles_clear(ctx, &w.now);
    particles_clear(ctx, &w.next);
    particles_clear(ctx, &w.between);
    mem_free(ctx, w.match);
    mem_free(ctx, w.frame);
    mem_free(ctx, w.time);
    mem_free(ctx, w.from);
    mem_free(ctx, w.to);
    return st;
}
