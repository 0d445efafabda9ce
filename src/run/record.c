/* stats.jsonl and gauges.csv: one line per step, flushed frame by frame. */
#include "run/record.h"

#include "flow/gauges.h"
#include "io/file.h"

#include <math.h>
#include <string.h>

rill_status record_init(run_record *r, rill_ctx *ctx, const rill_scene *scene)
{
    *r = (run_record){.ctx = ctx, .scene = scene};
    text_init(&r->stats, ctx);
    text_init(&r->gauges, ctx);
    return MEM_NEW(ctx, r->value, scene->gauge_count);
}

void record_clear(run_record *r)
{
    text_clear(&r->stats);
    text_clear(&r->gauges);
    mem_free(r->ctx, r->value);
    r->value = NULL;
}

static rill_status append(const run_folder *folder, const char *name, uint64_t offset, const text *t)
{
    char *path = run_folder_path(folder, name);
    if (!path) return mem_failed(folder->ctx, strlen(name), 1);
    const rill_status st = file_append(folder->ctx, path, offset, t ? t->data : NULL, t ? t->length : 0);
    mem_free(folder->ctx, path);
    return st;
}

rill_status record_begin(run_record *r, const run_folder *folder)
{
    record_discard(r);
    r->stats_bytes = r->gauges_bytes = 0;
    if (r->scene->gauge_count) {
        text_add(&r->gauges, "t");
        for (uint32_t k = 0; k < r->scene->gauge_count; k++) {
            text_add(&r->gauges, ",");
            text_add(&r->gauges,
                     r->scene->gauges[k].name); /* without commas: the scene's reader sees to it */
        }
        text_add(&r->gauges, "\n");
    }
    return record_flush(r, folder);
}

rill_status record_continue(run_record *r, const run_folder *folder, uint64_t stats_bytes,
                            uint64_t gauges_bytes)
{
    record_discard(r);
    r->stats_bytes = stats_bytes;
    r->gauges_bytes = gauges_bytes;
    return record_flush(r, folder);
}

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

rill_status record_step(run_record *r, const rill_sim *sim, int64_t frame, double dt, double wall_s,
                        const rill_step_stats *stats)
{
    stats_line(&r->stats, sim, frame, dt, wall_s, stats);
    if (r->scene->gauge_count) {
        TRY(gauges_read(sim, r->value));
        text_number(&r->gauges, sim->time);
        for (uint32_t k = 0; k < r->scene->gauge_count; k++) {
            text_add(&r->gauges, ",");
            if (isfinite(r->value[k])) text_number(&r->gauges, r->value[k]);
        }
        text_add(&r->gauges, "\n");
    }
    TRY(text_check(&r->stats));
    return text_check(&r->gauges);
}

static void forget(text *t)
{
    t->length = 0;
    t->failed = false;
}

void record_discard(run_record *r)
{
    forget(&r->stats);
    forget(&r->gauges);
}

rill_status record_flush(run_record *r, const run_folder *folder)
{
    TRY(text_check(&r->stats));
    TRY(text_check(&r->gauges));
    TRY(append(folder, "stats.jsonl", r->stats_bytes, &r->stats));
    if (r->scene->gauge_count) TRY(append(folder, "gauges.csv", r->gauges_bytes, &r->gauges));
    r->stats_bytes += r->stats.length;
    r->gauges_bytes += r->gauges.length;
    record_discard(r);
    return RILL_OK;
}

rill_status record_sync(const run_record *r, const run_folder *folder)
{
    char *stats = run_folder_path(folder, "stats.jsonl"), *gauges = run_folder_path(folder, "gauges.csv");
    rill_status st = stats && gauges ? RILL_OK : mem_failed(r->ctx, strlen(folder->path), 1);
    if (!st) st = file_sync(r->ctx, stats);
    if (!st && r->scene->gauge_count) st = file_sync(r->ctx, gauges);
    mem_free(r->ctx, stats);
    mem_free(r->ctx, gauges);
    return st;
}
