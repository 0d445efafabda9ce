/* rill doctor: what the machine has, what is missing and what helps, and whether a run of
 * given size fits. One line each; those that begin with "!" want attention. */
#include "base/cpu.h"
#include "base/parallel.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "io/scene_file.h"
#include "io/vdb.h"
#include "run/estimate.h"
#include "run/registry.h"
#include "serve/serve.h"

#include <math.h>
#include <stdio.h>

typedef struct doctor_values {
    int64_t particles, frames;
    const char *out, *method;
} doctor_values;

static const option doctor_table[] = {
    {"--particles", OPTION_INTEGER, offsetof(doctor_values, particles), "N",
     "whether a run of N particles would fit (a tank a third full)", 1, 2000000000},
    {"--frames", OPTION_INTEGER, offsetof(doctor_values, frames), "N", "number of frames of that run", 1,
     1000000},
    {"--method", OPTION_TEXT, offsetof(doctor_values, method), "M", "with this method", 0, 0},
    {"--out", OPTION_TEXT, offsetof(doctor_values, out), "DIR", "where it would write (default: here)", 0, 0},
    {0},
};

/* Little enough to be in the way of any run. */
static const double little_memory = 500e6, little_disk = 1e9;

typedef struct doctor {
    rill_ctx *ctx;
    const doctor_values *values;
    const char *out;
    int troubles;
} doctor;

static void line(doctor *d, bool well, const char *what, const char *format, ...) RILL_FORMAT(4, 5);
static void line(doctor *d, bool well, const char *what, const char *format, ...)
{
    printf("%s %-10s ", well ? " " : "!", what);
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    printf("\n");
    d->troubles += !well;
}

static void look_at_processor(doctor *d)
{
    char name[256], missing[128], has[128];
    machine_cpu(name, sizeof name);
    cpu_feature list[CPU_FEATURES];
    cpu_features(list);
    cpu_missing(list, missing, sizeof missing);
    size_t used = 0;
    has[0] = 0;
    for (int k = 0; list[k].name && k < 3; k++)
        if (list[k].there) used += (size_t)snprintf(has + used, sizeof has - used, ", %s", list[k].name);
    if (missing[0])
        line(d, false, "processor", "%s lacks %s; this build needs an x86-64-v3 processor", name, missing);
    else
        line(d, true, "processor", "%s, %d threads%s", name, parallel_machine_threads(), has);
}

static void look_at_memory(doctor *d)
{
    char all[32], left[32];
    const uint64_t memory = machine_memory(), available = machine_free_memory();
    if (available == UINT64_MAX) {
        line(d, true, "memory", "the system does not say how much there is");
        return;
    }
    bytes_text((double)memory, all, sizeof all);
    bytes_text((double)available, left, sizeof left);
    const bool well = (double)available >= little_memory;
    line(d, well, "memory", "%s, %s free%s", all, left, well ? "" : "; end other programs before a run");
}

static void look_at_disk(doctor *d)
{
    char left[32];
    const uint64_t disk = machine_free_disk(d->out);
    if (disk == UINT64_MAX) {
        line(d, true, "disk", "the system does not say how much is free in %s", d->out);
        return;
    }
    bytes_text((double)disk, left, sizeof left);
    const bool well = (double)disk >= little_disk;
    line(d, well, "disk", "%s free in %s%s", left, d->out,
         well ? "" : "; make room, or write to another disk with rill run --out DIR");
}

static void look_at_ffmpeg(doctor *d)
{
    const machine_video v = machine_ffmpeg();
    if (!v.ffmpeg)
        line(d, false, "video",
             "the ffmpeg program is missing: runs make images, but no video; install the package "
             "\"ffmpeg\" (apt-get install ffmpeg)");
    else if (!v.x264)
        line(d, false, "video",
             "this ffmpeg has no x264 encoder: videos are larger (mpeg4); install one with libx264, as the "
             "package \"ffmpeg\" has");
    else
        line(d, true, "video", "ffmpeg with x264");
}

/* Not a trouble: runs need no viewer, and plain ./run does not install one. */
static void look_at_viewer(doctor *d)
{
    if (serve_available())
        line(d, true, "viewer", "rill view, with libmicrohttpd %s", serve_library());
    else
        line(d, true, "viewer",
             "left out of this build; for rill view install the package \"libmicrohttpd-dev\" and build "
             "again");
}

/* Nor is this one. */
static void look_at_volumes(doctor *d)
{
    if (vdb_available())
        line(d, true, "volumes", ".vdb files, with %s", vdb_library());
    else
        line(d, true, "volumes",
             "no .vdb files with this build; for \"volume\" of a scene's \"output\" " VDB_REMEDY);
}

static void look_at_methods(doctor *d)
{
    char names[256] = "";
    size_t used = 0;
    for (uint32_t k = 0; k < rill_method_count && used < sizeof names; k++)
        used +=
            (size_t)snprintf(names + used, sizeof names - used, "%s%s", k ? ", " : "", rill_methods[k]->name);
    line(d, true, "methods", "%s", names);
}

/* A tank of a cubic metre, a third full, with this number of particles. */
static rill_status some_scene(const doctor *d, rill_scene *scene)
{
    const rill_method *method = d->values->method ? rill_method_find(d->values->method) : rill_methods[0];
    if (!method) return rill_fail(d->ctx, RILL_USAGE, "doctor: there is no method \"%s\"", d->values->method);
    TRY(scene_default(d->ctx, rill_methods, rill_method_count, scene));
    scene->method = method;
    scene->spacing = cbrt(1.0 / 3 / (double)d->values->particles);
    if (d->values->frames) scene->time.frames = (int32_t)d->values->frames;
    return RILL_OK;
}

static double particles_that_fit(const doctor *d, const run_estimate *e)
{
    const double n = (double)d->values->particles;
    return fmin(n * (double)machine_free_memory() / e->memory,
                n * (double)machine_free_disk(d->out) / e->disk);
}

static rill_status look_at_run(doctor *d, const char *file)
{
    rill_scene scene = {0};
    run_estimate e = {0};
    const scene_changes changes = {.method = d->values->method, .frames = d->values->frames};
    rill_status st = file ? scene_read(d->ctx, file, rill_methods, rill_method_count, &changes, &scene)
                          : some_scene(d, &scene);
    if (!st && file) st = run_estimate_make(d->ctx, &scene, &e);
    if (!st && !file) e = run_estimate_of(&scene, (uint64_t)d->values->particles, 0);
    if (!st) {
        char memory[32], disk[32], time[32] = "an unknown time";
        bytes_text(e.memory, memory, sizeof memory);
        bytes_text(e.disk, disk, sizeof disk);
        if (isfinite(e.seconds)) seconds_text(e.seconds, time, sizeof time);
        const run_options options = {.out = d->out};
        st = run_estimate_check(d->ctx, &scene, &e, &options);
        line(d, !st, "run", "%s, %s%llu %s, %d frames: %s of memory, %s of disk, about %s: %s",
             file ? file : scene.method->name, e.at_most ? "at most " : "",
             (unsigned long long)(e.elements + e.emitted), method_elements_word(scene.method),
             (int)scene.time.frames, memory, disk, time, st ? "does not fit" : "fits");
        if (st) printf("             %s\n", rill_ctx_message(d->ctx));
        if (st && !file) printf("             about %.2g particles would fit\n", particles_that_fit(d, &e));
    } else {
        cli_report(d->ctx, st);
    }
    scene_clear(d->ctx, &scene);
    return st;
}

static int doctor_main(rill_ctx *ctx, const command *self, int argc, char **argv)
{
    doctor_values v = {0};
    int count;
    rill_status st = options_parse(ctx, self, &v, argc, argv, &count);
    if (!st && count > 0 && v.particles)
        st = rill_fail(ctx, RILL_USAGE, "doctor: a scene and --particles exclude each other");
    if (st) return cli_report(ctx, st);

    doctor d = {.ctx = ctx, .values = &v, .out = v.out ? v.out : "."};
    line(&d, true, "rill", "%s", RILL_VERSION);
    look_at_processor(&d);
    look_at_memory(&d);
    look_at_disk(&d);
    look_at_ffmpeg(&d);
    look_at_viewer(&d);
    look_at_volumes(&d);
    look_at_methods(&d);
    if (count > 0 || v.particles) {
        st = look_at_run(&d, count > 0 ? argv[0] : NULL);
        if (st) return (int)st;
    }
    printf(d.troubles ? "%d of these want attention\n" : "all is well\n", d.troubles);
    return d.troubles ? 1 : 0;
}

const command cmd_doctor = {
    "doctor",     "[SCENE]", "Checks the machine: what it has, what is missing, and whether a run fits.",
    doctor_table, 0,         1,
    doctor_main};
