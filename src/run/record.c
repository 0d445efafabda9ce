/* stats.jsonl, gauges.csv and bodies.csv: lines per step, flushed frame by frame. */
#include "run/record.h"

#include "flow/gauges.h"
#include "io/file.h"

#include <math.h>
#include <string.h>

const char *const record_names[RECORD_FILES] = {"stats.jsonl", "gauges.csv", "bodies.csv"};

static bool has_bodies(const rill_scene *scene)
{
    for (uint32_t i = 0; i < scene->solid_count; i++)
        if (scene->solids[i].is_body) return true;
    return false;
}

rill_status record_init(run_record *r, rill_ctx *ctx, const rill_scene *scene)
{
    *r =
        (run_record){.ctx = ctx, .scene = scene, .wanted = {true, scene->gauge_count > 0, has_bodies(scene)}};
    for (int k = 0; k < RECORD_FILES; k++) text_init(&r->lines[k], ctx);
    r->columns = gauges_columns(scene);
    return MEM_NEW(ctx, r->value, r->columns);
}

void record_clear(run_record *r)
{
    for (int k = 0; k < RECORD_FILES; k++) text_clear(&r->lines[k]);
    mem_free(r->ctx, r->value);
    r->value = NULL;
}

/* ---- heads ---- */

static void gauges_head(const rill_scene *scene, text *t)
{
    text_add(t, "t");
    for (uint32_t k = 0; k < scene->gauge_count; k++)
        for (uint32_t c = 0; c < gauge_columns(scene, &scene->gauges[k]); c++) /* names have no commas: the */
            text_print(t, ",%s%s", scene->gauges[k].name,                      /* scene's reader sees to it */
                       gauge_column_ending(scene, &scene->gauges[k], c));
    text_add(t, "\n");
}

/* The name comes last: it may contain anything. */
static const char bodies_head[] = "t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,fx,fy,fz,tx,ty,tz,name\n";

rill_status record_begin(run_record *r, const run_folder *folder)
{
    record_discard(r);
    for (int k = 0; k < RECORD_FILES; k++) r->bytes[k] = 0;
    if (r->wanted[RECORD_GAUGES]) gauges_head(r->scene, &r->lines[RECORD_GAUGES]);
    if (r->wanted[RECORD_BODIES]) text_add(&r->lines[RECORD_BODIES], bodies_head);
    return record_flush(r, folder);
}

rill_status record_continue(run_record *r, const run_folder *folder, const uint64_t bytes[RECORD_FILES])
{
    record_discard(r);
    for (int k = 0; k < RECORD_FILES; k++) r->bytes[k] = bytes[k];
    return record_flush(r, folder);
}

/* ---- lines ---- */

static void number(text *t, const char *name, double value)
{
    if (isnan(value)) return; /* the method does not have it */
    text_print(t, ",\"%s\":", name);
    text_number(t, value);
}

static void stats_line(text *t, const rill_sim *sim, int64_t frame, double dt, double wall_s,
                       const rill_step_stats *s)
{
    text_print(t, "{\"frame\":%lld,\"step\":%llu", (long long)frame, (unsigned long long)sim->step);
    number(t, "t", sim->time);
    number(t, "dt", dt);
    text_print(t, ",\"wall_s\":%.6f", wall_s);
    text_print(t, ",\"%s\":%llu", method_elements_word(sim->method), (unsigned long long)s->elements);
    if (scene_tracer_sources(sim->scene))
        text_print(t, ",\"tracers\":%llu", (unsigned long long)sim->tracers.dots.count);
    number(t, "volume", s->volume);
    number(t, "kinetic", s->kinetic);
    number(t, "potential", s->potential);
    number(t, "max_speed", s->max_speed);
    number(t, "lost", s->lost);
    number(t, "compression", s->compression);
    number(t, "div_max", s->div_max);
    number(t, "div_rms", s->div_rms);
    if (s->solve_iterations) text_print(t, ",\"solve_iterations\":%u", s->solve_iterations);
    number(t, "solve_residual", s->solve_residual);
    if (s->viscous_iterations) text_print(t, ",\"viscous_iterations\":%u", s->viscous_iterations);
    number(t, "viscous_residual", s->viscous_residual);
    text_add(t, ",\"stage_s\":{");
    for (uint32_t k = 0; k < s->stage_count; k++) {
        text_add(t, k ? "," : "");
        text_quoted(t, s->stage[k].name);
        text_print(t, ":%.6f", s->stage[k].seconds);
    }
    text_add(t, "}}\n");
}

static rill_status gauges_line(run_record *r, const rill_sim *sim)
{
    text *t = &r->lines[RECORD_GAUGES];
    TRY(gauges_read(sim, r->value));
    text_number(t, sim->time);
    for (uint32_t k = 0; k < r->columns; k++) {
        text_add(t, ",");
        if (isfinite(r->value[k])) text_number(t, r->value[k]);
    }
    text_add(t, "\n");
    return RILL_OK;
}

/* A name as CSV quotes it; the scene's reader lets no control characters through. */
static void csv_name(text *t, const char *name)
{
    text_add(t, ",\"");
    for (const char *c = name; *c; c++) {
        if (*c == '"') text_add(t, "\"");
        text_bytes(t, c, 1);
    }
    text_add(t, "\"\n");
}

static void bodies_lines(text *t, const rill_sim *sim)
{
    const body_set *b = &sim->bodies;
    for (uint32_t i = 0; i < b->count; i++) {
        const world_state *s = &b->world.state[i];
        const double value[] = {s->center.x,   s->center.y,    s->center.z,    s->turn.w,     s->turn.x,
                                s->turn.y,     s->turn.z,      s->velocity.x,  s->velocity.y, s->velocity.z,
                                s->spin.x,     s->spin.y,      s->spin.z,      b->force[i].x, b->force[i].y,
                                b->force[i].z, b->torque[i].x, b->torque[i].y, b->torque[i].z};
        text_number(t, sim->time);
        text_print(t, ",%u", i);
        for (size_t k = 0; k < sizeof value / sizeof *value; k++) {
            text_add(t, ",");
            if (isfinite(value[k])) text_number(t, value[k]);
        }
        csv_name(t, sim->scene->solids[b->solid[i]].name);
    }
}

rill_status record_step(run_record *r, const rill_sim *sim, int64_t frame, double dt, double wall_s,
                        const rill_step_stats *stats)
{
    stats_line(&r->lines[RECORD_STATS], sim, frame, dt, wall_s, stats);
    if (r->wanted[RECORD_GAUGES]) TRY(gauges_line(r, sim));
    if (r->wanted[RECORD_BODIES]) bodies_lines(&r->lines[RECORD_BODIES], sim);
    for (int k = 0; k < RECORD_FILES; k++) TRY(text_check(&r->lines[k]));
    return RILL_OK;
}

void record_discard(run_record *r)
{
    for (int k = 0; k < RECORD_FILES; k++) {
        r->lines[k].length = 0;
        r->lines[k].failed = false;
    }
}

/* ---- files ---- */

static rill_status append(const run_folder *folder, const char *name, uint64_t offset, const text *t)
{
    char *path = run_folder_path(folder, name);
    if (!path) return mem_failed(folder->ctx, strlen(name), 1);
    const rill_status st = file_append(folder->ctx, path, offset, t->data, t->length);
    mem_free(folder->ctx, path);
    return st;
}

rill_status record_flush(run_record *r, const run_folder *folder)
{
    for (int k = 0; k < RECORD_FILES; k++) TRY(text_check(&r->lines[k]));
    for (int k = 0; k < RECORD_FILES; k++)
        if (r->wanted[k]) TRY(append(folder, record_names[k], r->bytes[k], &r->lines[k]));
    for (int k = 0; k < RECORD_FILES; k++) r->bytes[k] += r->lines[k].length;
    record_discard(r);
    return RILL_OK;
}

rill_status record_sync(const run_record *r, const run_folder *folder)
{
    for (int k = 0; k < RECORD_FILES; k++) {
        if (!r->wanted[k]) continue;
        char *path = run_folder_path(folder, record_names[k]);
        const rill_status st = path ? file_sync(r->ctx, path) : mem_failed(r->ctx, strlen(folder->path), 1);
        mem_free(r->ctx, path);
        TRY(st);
    }
    return RILL_OK;
}

bool record_reaches(const run_record *r, const run_folder *folder, const uint64_t bytes[RECORD_FILES])
{
    bool ok = true;
    for (int k = 0; k < RECORD_FILES && ok; k++) {
        if (!r->wanted[k]) continue;
        char *path = run_folder_path(folder, record_names[k]);
        ok = path && file_length(path) >= bytes[k];
        mem_free(r->ctx, path);
    }
    return ok;
}
