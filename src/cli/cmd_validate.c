/* rill validate: checks a scene, prints it with its defaults, and prints the documents
 * made from the tables. */
#include "cli/commands.h"
#include "flow/bodies.h"
#include "flow/sources.h"
#include "io/scene_file.h"
#include "run/registry.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct validate_options {
    bool print, schema, reference;
    const char *method;
    option_texts set;
} validate_options;

static const option options[] = {
    {"--print", OPTION_FLAG, offsetof(validate_options, print), NULL, "print the scene with every default", 0,
     0},
    {"--method", OPTION_TEXT, offsetof(validate_options, method), "M", "check it for this method instead", 0,
     0},
    {"--set", OPTION_TEXTS, offsetof(validate_options, set), "PATH=VALUE",
     "change a value, as in sph.kernel=wendland (may be repeated)", 0, 0},
    {"--schema", OPTION_FLAG, offsetof(validate_options, schema), NULL,
     "print the JSON Schema of scene files; needs no scene", 0, 0},
    {"--reference", OPTION_FLAG, offsetof(validate_options, reference), NULL,
     "print the reference of scene files; needs no scene", 0, 0},
    {0},
};

static rill_status put(rill_ctx *ctx, const text *t)
{
    TRY(text_check(t));
    if (fwrite(t->data, 1, t->length, stdout) != t->length || fflush(stdout) != 0)
        return rill_fail(ctx, RILL_DISK, "writing to the standard output failed: %s", strerror(errno));
    return RILL_OK;
}

static rill_status print_documents(rill_ctx *ctx, const validate_options *o)
{
    text t;
    text_init(&t, ctx);
    if (o->schema) scene_schema(rill_methods, rill_method_count, &t);
    if (o->reference) scene_reference(rill_methods, rill_method_count, &t);
    const rill_status st = put(ctx, &t);
    text_clear(&t);
    return st;
}

/* How many elements the scene starts with: particles counted, or only bounded when counting would take
 * long; cells as the method bounds them. */
static rill_status print_summary(rill_ctx *ctx, const rill_scene *scene, const char *path, text *out)
{
    if (scene->method->elements) {
        text_print(out, "%s: ok, up to %.0f %s\n", path, scene->method->elements(scene),
                   method_elements_word(scene->method));
        return RILL_OK;
    }
    const double cell = pow(scene_particle_spacing(scene), scene->dimensions);
    const rill_vec3 low = scene->domain.min, high = scene->domain.max;
    double most = 0;
    for (uint32_t i = 0; i < scene->liquid_count; i++) {
        const rill_box b = shape_bounds(&scene->liquid[i].shape);
        const rill_vec3 size = v3_sub(v3_min(b.max, high), v3_max(b.min, low));
        most += fmax(size.x, 0) * fmax(size.y, 0) * (scene->dimensions == 2 ? 1 : fmax(size.z, 0)) / cell;
    }
    uint64_t count = 0;
    const bool counted = most < 2e7;
    if (counted) TRY(sources_count(ctx, scene, &count));
    const bool fewer = scene->method->fewer && scene->method->fewer(scene);
    text_print(out, "%s: ok, %s%.*g particles%s%s\n", path,
               !counted ? "up to about "
               : fewer  ? "up to "
                        : "",
               counted ? 17 : 3, counted ? (double)count : most, fewer ? ", fewer where they are larger" : "",
               scene->emitter_count ? " at the start, more from emitters" : "");
    return RILL_OK;
}

/* What the bodies weigh, where their centres are, and how hard they are to turn. */
static rill_status print_bodies(rill_ctx *ctx, const rill_scene *scene, text *out)
{
    solids walls;
    TRY(solids_create(ctx, scene, &walls));
    for (uint32_t i = 0; i < scene->solid_count; i++) {
        world_body_def b;
        if (!scene->solids[i].is_body || !bodies_mass(scene, &walls, i, &b)) continue;
        char number[32];
        snprintf(number, sizeof number, "number %u", i + 1);
        const bool flat = scene->dimensions == 2;
        text_print(out, "body %s: mass %.6g kg%s, centre (%.6g, %.6g, %.6g) m, ",
                   scene->solids[i].name[0] ? scene->solids[i].name : number, b.mass, flat ? " a metre" : "",
                   b.center.x, b.center.y, b.center.z);
        if (flat)
            text_print(out, "inertia %.6g kg m a metre\n", b.inertia[2][2]);
        else
            text_print(out, "inertia xx %.6g, yy %.6g, zz %.6g, xy %.6g, xz %.6g, yz %.6g kg m2\n",
                       b.inertia[0][0], b.inertia[1][1], b.inertia[2][2], b.inertia[0][1], b.inertia[0][2],
                       b.inertia[1][2]);
    }
    solids_clear(ctx, &walls);
    return RILL_OK;
}

/* To the standard error: a printed scene is a scene file. */
static rill_status tell_bodies(rill_ctx *ctx, const rill_scene *scene)
{
    text t;
    text_init(&t, ctx);
    rill_status st = print_bodies(ctx, scene, &t);
    if (!st) st = text_check(&t);
    if (!st && t.length) fputs(t.data, stderr);
    text_clear(&t);
    return st;
}

static rill_status check_scene(rill_ctx *ctx, const validate_options *o, const char *path)
{
    const scene_changes changes = {.method = o->method, .set = o->set.text, .set_count = o->set.count};
    rill_scene scene;
    TRY(scene_read(ctx, path, rill_methods, rill_method_count, &changes, &scene));
    text t;
    text_init(&t, ctx);
    rill_status st = RILL_OK;
    if (o->print) {
        scene_print(&scene, &t);
        st = tell_bodies(ctx, &scene);
    } else {
        st = print_summary(ctx, &scene, path, &t);
        if (!st) st = print_bodies(ctx, &scene, &t);
    }
    if (!st) st = put(ctx, &t);
    text_clear(&t);
    scene_clear(ctx, &scene);
    return st;
}

static int validate_main(rill_ctx *ctx, const command *self, int argc, char **argv)
{
    validate_options o = {0};
    int count;
    rill_status st = options_parse(ctx, self, &o, argc, argv, &count);
    if (!st && (o.schema || o.reference))
        st = print_documents(ctx, &o);
    else if (!st && count == 0)
        st = rill_fail(ctx, RILL_USAGE, "validate: SCENE is missing; usage: rill validate SCENE");
    else if (!st)
        st = check_scene(ctx, &o, argv[0]);
    return cli_report(ctx, st);
}

const command cmd_validate = {"validate", "SCENE", "Checks a scene.", options, 0, 1, validate_main};
