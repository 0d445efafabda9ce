#include "run/about.h"

#include "io/file.h"
#include "io/json.h"

#include <string.h>

rill_status run_about_check(rill_ctx *ctx, const char *folder, bool matters)
{
    char *path = path_join(ctx, folder, "run.json"), *bytes = NULL;
    size_t length = 0;
    json_value *about = NULL;
    rill_arena arena;
    arena_init(&arena, ctx);
    rill_status st =
        path ? file_read_all(ctx, path, JSON_MAX_BYTES, &bytes, &length) : mem_failed(ctx, strlen(folder), 1);
    if (!st) st = json_parse(ctx, &arena, path, bytes, length, &about);
    const json_value *version = about ? json_find(about, "rill") : NULL;
    const bool unsaid = st || !version || version->kind != JSON_STRING;
    if (unsaid && matters && st != RILL_NO_MEMORY)
        rill_log(ctx, RILL_LOG_WARNING, "%s: run.json is missing or damaged; the folder may be half copied",
                 folder);
    else if (!unsaid && strcmp(version->string, RILL_VERSION) != 0)
        rill_log(ctx, RILL_LOG_WARNING,
                 "%s: this run is by rill %s and this is rill %s; what is known of it is read", folder,
                 json_show(version->string).text, RILL_VERSION);
    mem_free(ctx, bytes);
    mem_free(ctx, path);
    arena_clear(&arena);
    return st == RILL_NO_MEMORY ? st : RILL_OK;
}
