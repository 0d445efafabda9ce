/* rill validate: checks a scene, prints it with its defaults, and prints the documents
 * made from the tables. */
#include "cli/commands.h"
#include "io/scene_file.h"
#include "run/registry.h"

#include <errno.h>
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

static rill_status check_scene(rill_ctx *ctx, const validate_options *o, const char *path)
{
    const scene_changes changes = {.method = o->method, .set = o->set.text, .set_count = o->set.count};
    rill_scene scene;
    TRY(scene_read(ctx, path, rill_methods, rill_method_count, &changes, &scene));
    text t;
    text_init(&t, ctx);
    if (o->print)
        scene_print(&scene, &t);
    else
        text_print(&t, "%s: ok\n", path);
    const rill_status st = put(ctx, &t);
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
