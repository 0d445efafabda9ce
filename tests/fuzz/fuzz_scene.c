/* A scene from bytes in memory: read with its place named, or refused; and what is read
 * prints as a scene that reads back as the same. */
#include "fuzz.h"

#include "io/scene_file.h"
#include "run/registry.h"

#include <stdio.h>
#include <string.h>

static void require_place(const char *message)
{
    int line = 0, column = 0;
    fuzz_require(sscanf(message, "fuzz.json:%d:%d: ", &line, &column) == 2);
    fuzz_require(line > 0 && column > 0);
    fuzz_require(!strchr(message, '\n'));
}

static void print_and_read(rill_ctx *ctx, const rill_scene *scene)
{
    text t;
    text_init(&t, ctx);
    scene_print(scene, &t);
    fuzz_require(text_check(&t) == RILL_OK);
    rill_scene again = {0};
    fuzz_require(scene_parse(ctx, "again.json", t.data, t.length, rill_methods, rill_method_count, NULL,
                             &again) == RILL_OK);
    fuzz_require(again.hash == scene->hash);
    scene_clear(ctx, &again);
    text_clear(&t);
}

/* With what is not understood left out. */
static void read_what_can_be(rill_ctx *ctx, const uint8_t *data, size_t size)
{
    const scene_changes tolerant = {.tolerant = true};
    rill_scene scene = {0};
    const rill_status st = scene_parse(ctx, "fuzz.json", (const char *)data, size, rill_methods,
                                       rill_method_count, &tolerant, &scene);
    fuzz_require(st == RILL_OK || st == RILL_BAD_SCENE || st == RILL_BAD_FILE);
    if (st) require_place(rill_ctx_message(ctx));
    scene_clear(ctx, &scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    measured_allocator memory = {0};
    rill_ctx *ctx = fuzz_ctx(&memory);
    const size_t before = memory.held;
    rill_scene scene = {0};
    const rill_status st = scene_parse(ctx, "fuzz.json", (const char *)data, size, rill_methods,
                                       rill_method_count, NULL, &scene);
    /* A list of [1,1,1... has a value for every two bytes. */
    fuzz_require(memory.most <= before + 300 * size + (4 << 20));
    if (st == RILL_OK)
        print_and_read(ctx, &scene);
    else
        fuzz_require(st == RILL_BAD_SCENE || st == RILL_BAD_FILE); /* meshes that are not there */
    if (st) require_place(rill_ctx_message(ctx));
    if (st) read_what_can_be(ctx, data, size);
    scene_clear(ctx, &scene);
    fuzz_require(memory.held == before);
    rill_ctx_destroy(ctx);
    return 0;
}
