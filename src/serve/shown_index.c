/* What a run folder holds, and what goes on in it. */
#include "serve/beneath.h"
#include "serve/encode.h"
#include "serve/shown.h"

#include "base/hash.h"
#include "io/json.h"
#include "run/folder.h"

#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static const double index_life = 0.1; /* s: who asks at the same moment gets the same */

/* ---- the scene ---- */

/* scene.json, parsed; bytes and arena are the caller's to clear. */
static rill_status read_scene(rill_ctx *ctx, const shown *s, rill_arena *arena, char **bytes, size_t *length,
                              json_value **root)
{
    TRY(beneath_read(ctx, s->folder, NULL, "scene.json", JSON_MAX_BYTES, false, bytes, length));
    const rill_status st = json_parse(ctx, arena, "scene.json", *bytes, *length, root);
    return st == RILL_BAD_SCENE ? RILL_BAD_FILE : st;
}

rill_status shown_scene(rill_ctx *ctx, shown *s, text *out)
{
    rill_arena arena;
    char *bytes = NULL;
    size_t length = 0;
    json_value *root;
    arena_init(&arena, ctx);
    rill_status st = read_scene(ctx, s, &arena, &bytes, &length, &root);
    if (!st) text_bytes(out, bytes, length);
    if (!st) st = text_check(out);
    arena_clear(&arena);
    mem_free(ctx, bytes);
    return st;
}

static double number(const json_value *object, const char *key, double otherwise)
{
    const json_value *v = object ? json_find(object, key) : NULL;
    return v && v->kind == JSON_NUMBER ? v->number : otherwise;
}

static rill_vec3 vector(const json_value *object, const char *key)
{
    const json_value *v = object ? json_find(object, key) : NULL;
    rill_vec3 x = {0, 0, 0};
    int axis = 0;
    for (const json_value *k = v && v->kind == JSON_ARRAY ? v->child : NULL; k && axis < 3;
         k = k->next, axis++)
        if (k->kind == JSON_NUMBER) v3_set_axis(&x, axis, k->number);
    return x;
}

rill_status shown_read_facts(rill_ctx *ctx, shown *s, shown_facts *out)
{
    rill_arena arena;
    char *bytes = NULL;
    size_t length = 0;
    json_value *root = NULL;
    arena_init(&arena, ctx);
    const rill_status st = read_scene(ctx, s, &arena, &bytes, &length, &root);
    if (!st) {
        const json_value *time = json_find(root, "time"), *domain = json_find(root, "domain");
        shown_facts f = {.spacing = number(root, "spacing", 0),
                         .fps = number(time, "fps", 30),
                         .dimensions = number(root, "dimensions", 3) < 3 ? 2 : 3,
                         .origin = vector(domain, "min")};
        const double frames = number(time, "frames", 0);
        f.frames = frames > 0 && frames < 1e9 ? (uint32_t)frames : 0;
        if (!(f.spacing > 1e-12)) f.spacing = 0.01;
        if (!(f.fps > 0)) f.fps = 30;
        *out = f;
    }
    arena_clear(&arena);
    mem_free(ctx, bytes);
    return st;
}

uint64_t shown_generation(const shown *s)
{
    struct stat state;
    int fd = beneath_open(s->folder, NULL, "run.json", &state);
    if (fd < 0) fd = beneath_open(s->folder, NULL, "scene.json", &state);
    if (fd < 0) return 0;
    close(fd);
    const uint64_t what[3] = {(uint64_t)state.st_ino, (uint64_t)state.st_mtim.tv_sec,
                              (uint64_t)state.st_mtim.tv_nsec};
    return hash_bytes(what, sizeof what, 1) | 1;
}

/* ---- who writes it ---- */

/* Whether a process holds the lock of the run. Trying the lock could make a rill that starts just now
 * believe that another is there; the kernel's list disturbs nobody. */
static bool locked(const shown *s)
{
    struct stat state;
    const int fd = beneath_open(s->folder, NULL, "run.lock", &state);
    if (fd < 0) return false;
    close(fd);
    FILE *list = fopen("/proc/locks", "re");
    if (!list) return false;
    char line[256];
    bool found = false;
    while (!found && fgets(line, sizeof line, list)) {
        unsigned long long inode;
        /* "1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF"; some file systems give another device there. */
        if (sscanf(line, "%*d: FLOCK %*s WRITE %*d %*x:%*x:%llu", &inode) == 1)
            found = inode == (unsigned long long)state.st_ino;
    }
    fclose(list);
    return found;
}

/* The last line said, without "rill: " before it. */
static const char *last_line(char *said)
{
    size_t n = strlen(said);
    while (n && (said[n - 1] == '\n' || said[n - 1] == ' ')) said[--n] = 0;
    const char *line = strrchr(said, '\n');
    line = line ? line + 1 : said;
    return strncmp(line, "rill: ", 6) == 0 ? line + 6 : line;
}

/* What the run does now, and which of stop and resume make sense. */
typedef struct run_state {
    const char *word;
    bool started_here, can_stop, can_resume;
    char said[CHILD_SAID];
} run_state;

static void find_state(shown *s, uint64_t generation, const shown_facts *facts, uint32_t newest, bool any,
                       run_state *out)
{
    int code = 0;
    out->said[0] = 0;
    const child_state process = child_look(&s->process, &code, out->said);
    const bool ours = process == CHILD_RUNNING, other = !ours && generation && locked(s);
    const bool done = any && newest >= facts->frames;
    out->word = "stopped";
    if (ours || other)
        out->word = any ? "running" : "starting";
    else if (process == CHILD_ENDED && code != 0 && code != RILL_CANCELLED)
        out->word = "failed";
    else if (!generation)
        out->word = "missing";
    else if (done)
        out->word = "finished";
    out->started_here = process != CHILD_NONE;
    out->can_stop = ours;
    out->can_resume = !ours && !other && generation && !done;
}

static const char *true_or_false(bool value)
{
    return value ? "true" : "false";
}

static void put_state(run_state *state, text *out)
{
    text_print(out, "\"status\":\"%s\",\"started_here\":%s,\"can_stop\":%s,\"can_resume\":%s,\"message\":",
               state->word, true_or_false(state->started_here), true_or_false(state->can_stop),
               true_or_false(state->can_resume));
    text_quoted(out, strcmp(state->word, "failed") == 0 ? last_line(state->said) : "");
}

/* ---- frames ---- */

static const uint32_t part_bits[PARTS] = {RUN_SURFACES,   RUN_PARTICLES, RUN_TRACERS,
                                          RUN_WHITEWATER, RUN_CELLS,     0};

/* Runs of numbers that follow each other: [[0,57],[60,61]]. */
static void put_ranges(const uint32_t *number, uint32_t count, text *out)
{
    text_add(out, "[");
    for (uint32_t k = 0; k < count;) {
        uint32_t last = k;
        while (last + 1 < count && number[last + 1] == number[last] + 1) last++;
        text_print(out, "%s[%u,%u]", k ? "," : "", number[k], number[last]);
        k = last + 1;
    }
    text_add(out, "]");
}

/* Of the part's first frame, read once: its header alone, which the file's length is held against. */
static rill_status read_columns(rill_ctx *ctx, const shown *s, shown_part part, uint32_t frame, text *out)
{
    char name[64];
    char *bytes = NULL, *head = NULL;
    size_t length = 0;
    ply_header *h = NULL;
    struct stat state = {0};
    snprintf(name, sizeof name, "%s_%04u.ply", shown_part_names[part], frame);
    const int fd = beneath_open(s->folder, "frames", name, &state);
    if (fd >= 0) close(fd);
    rill_status st = beneath_read(ctx, s->folder, "frames", name, PLY_MAX_HEADER, true, &bytes, &length);
    if (!st) st = MEM_NEW(ctx, h, 1);
    if (!st) st = MEM_NEW_ZERO(ctx, head, PLY_MAX_HEADER); /* as much as is looked at, whatever was read */
    if (!st) {
        memcpy(head, bytes, length);
        st = ply_parse_header(ctx, name, head, (size_t)state.st_size, h);
    }
    if (!st)
        encode_columns(h, out);
    else if (st == RILL_BAD_FILE)
        text_add(out, "[]");
    mem_free(ctx, head);
    mem_free(ctx, h);
    mem_free(ctx, bytes);
    return st && st != RILL_BAD_FILE ? st : text_check(out);
}

static rill_status put_columns(rill_ctx *ctx, shown *s, shown_part part, uint32_t frame, text *out)
{
    if (!s->columns[part]) {
        text made;
        text_init(&made, ctx);
        const rill_status st = read_columns(ctx, s, part, frame, &made);
        if (st) {
            text_clear(&made);
            return st;
        }
        s->columns[part] = made.data;
    }
    text_add(out, s->columns[part]);
    return RILL_OK;
}

/* What the files of a part are; of the volume, after those it may be made of: 0 where there is no smoke. */
static uint32_t bits_of(const shown *s, int part, int dimensions)
{
    if (part != PART_VOLUME) return part_bits[part];
    if (dimensions < 3) return 0;
    if (s->columns[PART_TRACERS]) return RUN_TRACERS;
    return s->columns[PART_CELLS] && strstr(s->columns[PART_CELLS], "\"soot\"") ? RUN_CELLS : 0;
}

static rill_status put_parts(rill_ctx *ctx, shown *s, int dimensions, uint32_t *newest, bool *any, text *out)
{
    bool first = true;
    text_add(out, "\"parts\":{");
    for (int part = 0; part < PARTS; part++) {
        uint32_t *list = NULL, count = 0;
        const uint32_t bits = bits_of(s, part, dimensions);
        if (bits) TRY(run_folder_numbers(ctx, s->folder, bits, &list, &count));
        rill_status st = RILL_OK;
        if (count) {
            text_print(out, "%s\"%s\":{\"frames\":", first ? "" : ",", shown_part_names[part]);
            put_ranges(list, count, out);
            text_add(out, ",\"columns\":");
            if (part == PART_VOLUME)
                text_add(out, "[]");
            else
                st = put_columns(ctx, s, (shown_part)part, list[0], out);
            text_add(out, "}");
            if (!*any || list[count - 1] > *newest) *newest = list[count - 1];
            *any = true;
            first = false;
        }
        mem_free(ctx, list);
        TRY(st);
    }
    text_add(out, "},");
    return RILL_OK;
}

static rill_status make_index(rill_ctx *ctx, shown *s, text *out)
{
    uint64_t generation = shown_generation(s);
    shown_facts facts = {.fps = 30, .spacing = 0.01};
    uint32_t newest = 0;
    bool any = false;
    for (int part = 0; generation != s->columns_generation && part < PARTS; part++) {
        mem_free(s->ctx, s->columns[part]);
        s->columns[part] = NULL;
    }
    s->columns_generation = generation;
    if (generation) {
        const rill_status st = shown_read_facts(ctx, s, &facts);
        if (st == RILL_BAD_FILE) generation = 0;
        if (st && st != RILL_BAD_FILE) return st;
    }
    text_print(out, "{\"format\":1,\"rill\":\"%s\",\"id\":%d,\"folder\":", RILL_VERSION, s->id);
    text_quoted(out, s->folder);
    text_print(out, ",\"generation\":\"%016llx\",\"wanted\":%u,\"fps\":", (unsigned long long)generation,
               facts.frames);
    text_number(out, facts.fps);
    text_add(out, ",");
    if (generation)
        TRY(put_parts(ctx, s, facts.dimensions, &newest, &any, out));
    else
        text_add(out, "\"parts\":{},");
    run_state state;
    find_state(s, generation, &facts, newest, any, &state);
    put_state(&state, out);
    text_add(out, "}");
    return text_check(out);
}

rill_status shown_index(rill_ctx *ctx, shown *s, text *out)
{
    const double now = clock_seconds();
    rill_status st = RILL_OK;
    pthread_mutex_lock(&s->lock);
    if (!s->index || now - s->index_time > index_life) {
        text made;
        text_init(&made, ctx);
        st = make_index(ctx, s, &made);
        if (!st) {
            mem_free(s->ctx, s->index);
            s->index = made.data;
            s->index_length = made.length;
            s->index_time = now;
        } else {
            text_clear(&made);
        }
    }
    if (!st) text_bytes(out, s->index, s->index_length);
    pthread_mutex_unlock(&s->lock);
    return st ? st : text_check(out);
}

bool shown_can_resume(rill_ctx *ctx, shown *s)
{
    const uint32_t every = RUN_SURFACES | RUN_PARTICLES | RUN_TRACERS | RUN_CELLS;
    shown_facts facts;
    run_state state;
    uint32_t *list = NULL, count = 0;
    if (shown_read_facts(ctx, s, &facts) || run_folder_numbers(ctx, s->folder, every, &list, &count))
        return false;
    find_state(s, shown_generation(s), &facts, count ? list[count - 1] : 0, count > 0, &state);
    mem_free(ctx, list);
    return state.can_resume;
}
