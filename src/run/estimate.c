/* What a run will take, from counts and a few measured bytes per element. */
#include "run/estimate.h"

#include <math.h>
#include <stdio.h>

/* Bytes of a particle in a state (kept, or in a checkpoint) and in a frame's file:
 * position and velocity double or float, id, a few columns. */
static const double state_bytes = 56 + 4 * 4, file_bytes = 24 + 12 + 8 + 4 * 4;
/* Of a method without figures of its own. */
static const double method_bytes = 250;
/* Of a tracer: its arrays, the kept frame, what sorting needs; and in a checkpoint and a file. */
static const double tracer_bytes = 64 + 64 + 60, tracer_state = 64, tracer_file = 24 + 12 + 8 + 2 * 4;
/* Of a place when particles of several sizes are laid: what their start needs for certain. */
static const double place_bytes = 8;
/* Of a particle's affine velocity in a file, where a method has several particles to a spacing. */
static const double affine_file = 20;
/* Of one surface vertex with its two triangles, in memory and as a file. */
static const double vertex_bytes = 200, vertex_file = 36 + 2 * 13;
/* A pixel of a PNG file, and of a video frame, in bytes. */
static const double png_bytes = 0.42, video_bytes = 0.02;
/* Seconds on two cores: a pixel of a picture, what solids add to it, a pixel of the video and of its PNG
 * file; an element's part of the surface; a byte of a file. */
static const double pixel_seconds = 1.2e-6, solid_pixel_seconds = 0.8e-6, video_seconds = 5e-8,
                    png_seconds = 1e-7, surface_seconds = 1.0e-6, byte_seconds = 2e-9;

/* The area an emitter's layers have (in two dimensions: their length). */
static double emitter_area(const rill_scene *scene, const scene_emitter *e)
{
    if (e->shape.kind == SHAPE_DISC)
        return scene->dimensions == 2 ? 2 * e->shape.flat.radius
                                      : M_PI * e->shape.flat.radius * e->shape.flat.radius;
    const rill_box domain = {scene->domain.min, scene->domain.max}, own = shape_bounds(&e->shape);
    const rill_vec3 size = box_size((rill_box){v3_max(domain.min, own.min), v3_min(domain.max, own.max)});
    const rill_vec3 s = v3_max(size, v3(0, 0, 0)), d = v3_unit(e->direction);
    return scene->dimensions == 2 ? fabs(d.x) * s.y + fabs(d.y) * s.x
                                  : fabs(d.x) * s.y * s.z + fabs(d.y) * s.x * s.z + fabs(d.z) * s.x * s.y;
}

static double emitted_particles(const rill_scene *scene, double duration)
{
    double sum = 0;
    for (uint32_t k = 0; k < scene->emitter_count; k++) {
        const scene_emitter *e = &scene->emitters[k];
        const double to = fmin(e->end, duration), from = fmax(e->start, -scene->time.preroll);
        if (to > from)
            sum += emitter_area(scene, e) * emitter_way(e, from, to) /
                   pow(scene_particle_spacing(scene), scene->dimensions);
    }
    return fmin(ceil(sum), 1e15);
}

/* Vertices of the surface of n elements: a compact body of them, and half as much again for what splashes. */
static double surface_vertices(const rill_scene *scene, double n)
{
    const double per_cell = 1 / (scene->surface.cell * scene->surface.cell),
                 spacings = n * pow(scene_particle_spacing(scene) / scene->spacing, scene->dimensions);
    const double outer = scene->dimensions == 2 ? 2 * spacings : 6 * pow(spacings, 2.0 / 3);
    return fmin(1.5 * outer, 6 * spacings) * per_cell;
}

/* What a frame takes beside its steps: the surface, the picture, the files. */
static double frame_seconds(const rill_scene *scene, double n, double pixels, double bytes)
{
    const scene_output *o = &scene->output;
    const bool surface =
        method_has_surface(scene->method) && (o->surface || (o->images && o->look == LOOK_SURFACE));
    const double sampled = /* a method's own surface follows its cells, not its particles */
        scene->method->surface ? n * pow(scene_particle_spacing(scene) / scene->spacing, scene->dimensions)
                               : n;
    const double pixel =
        (scene->dimensions == 2 ? 0.45 : 1) * pixel_seconds; /* flat: no shadows, no ground */
    return (surface ? sampled * surface_seconds : 0) + pixels * (pixel + (o->video ? video_seconds : 0)) +
           (scene->solid_count ? pixels * solid_pixel_seconds : 0) + bytes * byte_seconds;
}

run_estimate run_estimate_of(const rill_scene *scene, uint64_t count, uint64_t emitted)
{
    const scene_output *o = &scene->output;
    const double duration = scene->time.frames / scene->time.fps, n = (double)count + (double)emitted;
    const rill_method *method = scene->method;
    run_estimate e = {.elements = count, .emitted = emitted, .steps = NAN, .seconds = NAN};
    e.at_most = method->fewer && method->fewer(scene);

    double bytes = n * method_bytes, step_seconds = NAN, dt = NAN;
    if (method->estimate) method->estimate(scene, (uint64_t)n, &bytes, &step_seconds, &dt);
    const double vertices =
        (o->surface || o->images) && method_has_surface(method) ? surface_vertices(scene, n) : 0;
    const double pixels = o->images ? (double)o->width * o->height : 0;
    /* White water is about as much as the liquid, where there is much of it. */
    const double white = scene->has_whitewater ? fmin(n, scene->whitewater.most) : 0;
    const double dots = tracers_most(scene) + white;
    e.memory = bytes + n * state_bytes + dots * tracer_bytes + vertices * vertex_bytes + pixels * 16 + 64e6;
    if (scene->mesh_count || scene->sequence_count)
        e.memory += machine_own_memory(); /* they have been read */
    const double dot_bytes = file_bytes + (method->per_axis > 1 ? affine_file : 0);
    e.frame_disk = (o->particles && method->has_particles ? n * dot_bytes : 0) +
                   ((o->tracers ? dots - white : 0) + (o->whitewater ? white : 0)) * tracer_file +
                   (o->surface ? vertices * vertex_file : 0) +
                   pixels * (png_bytes + (o->video ? video_bytes : 0));
    e.disk = e.frame_disk * (scene->time.frames + 1) + 2 * (n * state_bytes + dots * tracer_state);
    e.steps = ceil((duration + scene->time.preroll) / dt);
    e.frame_seconds = frame_seconds(scene, n, pixels, e.frame_disk);
    e.file_seconds = e.frame_disk * byte_seconds + pixels * (png_seconds + (o->video ? video_seconds : 0));
    e.step_seconds = step_seconds;
    e.seconds = e.steps * step_seconds + e.frame_seconds * (scene->time.frames + 1);
    return e;
}

rill_status run_estimate_make(rill_ctx *ctx, const rill_scene *scene, run_estimate *out)
{
    if (scene->method->elements) { /* emitters included */
        *out = run_estimate_of(scene, (uint64_t)fmin(ceil(scene->method->elements(scene)), 1e15), 0);
        return RILL_OK;
    }
    uint64_t count = 0;
    TRY(sources_count(ctx, scene, &count));
    const double emitted = emitted_particles(scene, scene->time.frames / scene->time.fps);
    *out = run_estimate_of(scene, count, (uint64_t)emitted);
    return RILL_OK;
}

/* The least spacing of two digits with which the run needs no more memory (or, with `disk`,
 * disk) than there is; NAN when none of a hundred times this one does. */
static double fitting_spacing(const rill_scene *scene, const run_estimate *e, bool disk, double available)
{
    const double need = disk ? e->disk : e->memory, d = scene->dimensions;
    double spacing = scene->spacing * pow(need / fmax(available, 1), 1 / d); /* were all of it particles */
    while (spacing < 100 * scene->spacing) {
        const double digit = pow(10, floor(log10(spacing)) - 1);
        spacing = ceil(spacing / digit * (1 - 1e-12)) * digit;
        const double fewer = pow(scene->spacing / spacing, d);
        rill_scene coarser = *scene; /* shallow, only to be asked */
        coarser.spacing = spacing;
        const run_estimate then =
            run_estimate_of(&coarser, (uint64_t)ceil((double)e->elements * fewer * 1.02),
                            (uint64_t)ceil((double)e->emitted * fewer * 1.02));
        if ((disk ? then.disk : then.memory) <= available) return spacing;
        spacing *= 1.02;
    }
    return NAN;
}

static void describe_fitting(const rill_scene *scene, double spacing, char *out, size_t capacity)
{
    if (isnan(spacing) && scene->tracers_count > 0)
        snprintf(out, capacity, "no spacing near this one would fit; take fewer tracers");
    else if (isnan(spacing))
        snprintf(out, capacity, "no spacing near this one would fit");
    else
        snprintf(out, capacity, "spacing %.3g would fit", spacing);
}

rill_status run_estimate_check(rill_ctx *ctx, const rill_scene *scene, const run_estimate *e,
                               const run_options *options)
{
    char need[32], available[32], fits[64];
    const uint64_t memory = options->free_memory ? options->free_memory : machine_free_memory();
    if (e->at_most && (double)e->elements * place_bytes <= (double)memory) return RILL_OK; /* may well fit */
    if (e->memory > (double)memory) {
        bytes_text(e->memory, need, sizeof need);
        bytes_text((double)memory, available, sizeof available);
        describe_fitting(scene, fitting_spacing(scene, e, false, (double)memory), fits, sizeof fits);
        return rill_fail(ctx, RILL_NO_MEMORY, "%llu %s need %s of memory and %s are free; %s",
                         (unsigned long long)(e->elements + e->emitted), method_elements_word(scene->method),
                         need, available, fits);
    }
    const uint64_t disk = options->free_disk ? options->free_disk : machine_free_disk(options->out);
    if (e->disk > (double)disk) {
        bytes_text(e->disk, need, sizeof need);
        bytes_text((double)disk, available, sizeof available);
        describe_fitting(scene, fitting_spacing(scene, e, true, (double)disk), fits, sizeof fits);
        return rill_fail(ctx, RILL_DISK,
                         "%s: %d frames of %llu %s take %s and %s are free; %s, so would "
                         "fewer outputs or another disk (--out)",
                         options->out, scene->time.frames, (unsigned long long)(e->elements + e->emitted),
                         method_elements_word(scene->method), need, available, fits);
    }
    return RILL_OK;
}
