#include "serve/answer.h"

#include <stdio.h>
#include <string.h>

static const char json_type[] = "application/json; charset=utf-8", binary_type[] = "application/octet-stream";

/* What a pattern of the table found in an address. */
typedef struct match {
    shown *run;
    uint32_t number[3];
    int numbers;
    shown_part part;
    char word[64]; /* empty: none */
} match;

typedef rill_status route_answer(rill_ctx *ctx, server *s, const match *m, reply *out);

static rill_status give_blob(rill_status st, reply *out)
{
    out->type = binary_type;
    return st;
}

static rill_status runs_json(rill_ctx *ctx, server *s, const match *m, reply *out)
{
    (void)ctx, (void)m;
    text_print(&out->body, "{\"format\":1,\"rill\":\"%s\",\"runs\":[", RILL_VERSION);
    for (int k = 0; k < s->runs; k++) {
        text_print(&out->body, "%s{\"id\":%d,\"folder\":", k ? "," : "", k);
        text_quoted(&out->body, s->run[k].folder);
        text_add(&out->body, "}");
    }
    text_add(&out->body, "]}");
    return text_check(&out->body);
}

static rill_status index_json(rill_ctx *ctx, server *s, const match *m, reply *out)
{
    (void)s;
    return shown_index(ctx, m->run, &out->body);
}

static rill_status scene_json(rill_ctx *ctx, server *s, const match *m, reply *out)
{
    (void)s;
    return shown_scene(ctx, m->run, &out->body);
}

static rill_status frame(rill_ctx *ctx, server *s, const match *m, reply *out)
{
    (void)s;
    return give_blob(shown_frame(ctx, m->run, m->part, m->number[0], m->word, &out->blob), out);
}

static rill_status pick(rill_ctx *ctx, server *s, const match *m, reply *out)
{
    (void)s;
    return shown_pick(ctx, m->run, m->part, m->number[0], m->number[1], &out->body);
}

static rill_status stats(rill_ctx *ctx, server *s, const match *m, reply *out)
{
    (void)s;
    return give_blob(shown_table(ctx, m->run, false, m->number[0], &out->blob), out);
}

static rill_status gauges(rill_ctx *ctx, server *s, const match *m, reply *out)
{
    (void)s;
    return give_blob(shown_table(ctx, m->run, true, m->number[0], &out->blob), out);
}

static rill_status solids_json(rill_ctx *ctx, server *s, const match *m, reply *out)
{
    (void)s;
    return shown_solid_list(ctx, m->run, &out->body);
}

static rill_status solid(rill_ctx *ctx, server *s, const match *m, reply *out)
{
    (void)s;
    return give_blob(shown_solid_mesh(ctx, m->run, m->number[0], m->number[1], &out->blob), out);
}

static rill_status poses(rill_ctx *ctx, server *s, const match *m, reply *out)
{
    (void)s;
    return give_blob(shown_poses(ctx, m->run, &out->blob), out);
}

static rill_status stop(rill_ctx *ctx, server *s, const match *m, reply *out)
{
    (void)s;
    text_add(&out->body, "{}");
    return shown_stop(ctx, m->run);
}

static rill_status resume(rill_ctx *ctx, server *s, const match *m, reply *out)
{
    (void)s;
    text_add(&out->body, "{}");
    return shown_resume(ctx, m->run);
}

/* #: a number; @: a part of a frame; *: a word, of letters, digits, "_" and "."; R: the number of a run. */
static const struct route {
    const char *method, *pattern;
    route_answer *answer;
} routes[] = {
    {"GET", "runs.json", runs_json},
    {"GET", "run/R/index.json", index_json},
    {"GET", "run/R/scene.json", scene_json},
    {"GET", "run/R/frame/@/#", frame},
    {"GET", "run/R/frame/@/#/*", frame},
    {"GET", "run/R/pick/@/#/#", pick},
    {"GET", "run/R/stats/#", stats},
    {"GET", "run/R/gauges/#", gauges},
    {"GET", "run/R/solids.json", solids_json},
    {"GET", "run/R/solid/#/#", solid},
    {"GET", "run/R/poses", poses},
    {"POST", "run/R/stop", stop},
    {"POST", "run/R/resume", resume},
};

/* ---- addresses ---- */

static bool read_number(const char *at, size_t length, uint32_t *out)
{
    uint32_t value = 0;
    if (length == 0 || length > 9) return false;
    for (size_t k = 0; k < length; k++) {
        if (at[k] < '0' || at[k] > '9') return false;
        value = 10 * value + (uint32_t)(at[k] - '0');
    }
    *out = value;
    return true;
}

static bool read_word(const char *at, size_t length, char out[64])
{
    if (length == 0 || length >= 64) return false;
    for (size_t k = 0; k < length; k++) {
        const char c = at[k];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
              c == '.'))
            return false;
    }
    memcpy(out, at, length);
    out[length] = 0;
    return true;
}

static bool read_part(const char *at, size_t length, shown_part *out)
{
    for (int k = 0; k < PARTS; k++)
        if (strlen(shown_part_names[k]) == length && strncmp(shown_part_names[k], at, length) == 0) {
            *out = (shown_part)k;
            return true;
        }
    return false;
}

/* One piece of an address against one of a pattern. */
static bool read_piece(server *s, const char *want, size_t want_length, const char *at, size_t length,
                       match *m)
{
    uint32_t number;
    if (want_length == 1) switch (want[0]) {
        case '#': return m->numbers < 3 && read_number(at, length, &m->number[m->numbers++]);
        case '*': return read_word(at, length, m->word);
        case '@': return read_part(at, length, &m->part);
        case 'R':
            if (!read_number(at, length, &number) || number >= (uint32_t)s->runs) return false;
            m->run = &s->run[number];
            return true;
        default: break;
        }
    return want_length == length && strncmp(want, at, length) == 0;
}

static bool matches(server *s, const char *pattern, const char *path, match *m)
{
    *m = (match){0};
    for (;;) {
        const size_t want = strcspn(pattern, "/"), have = strcspn(path, "/");
        if (!read_piece(s, pattern, want, path, have, m)) return false;
        pattern += want;
        path += have;
        if (!*pattern || !*path) return *pattern == *path;
        pattern++;
        path++;
    }
}

/* In time that does not depend on where they differ. */
static bool same_token(const char *a, const char *b)
{
    unsigned char difference = 0;
    for (int k = 0; k < SERVE_TOKEN; k++) difference |= (unsigned char)(a[k] ^ b[k]);
    return difference == 0;
}

/* What follows the token; NULL: it is not there, or not ours. */
static const char *after_token(const server *s, const char *path)
{
    if (path[0] != '/' || strlen(path) < SERVE_TOKEN + 2) return NULL;
    if (!same_token(path + 1, s->token) || path[SERVE_TOKEN + 1] != '/') return NULL;
    return path + SERVE_TOKEN + 2;
}

/* "127.0.0.1:PORT" or "localhost:PORT", after "http://" when it is an origin. */
static bool is_here(const server *s, const char *given, const char *before)
{
    static const char *const names[] = {"127.0.0.1", "localhost"};
    const size_t n = strlen(before);
    if (strncmp(given, before, n) != 0) return false;
    for (int k = 0; k < 2; k++) {
        char mine[64];
        snprintf(mine, sizeof mine, "%s:%u", names[k], s->port);
        if (strcmp(given + n, mine) == 0) return true;
    }
    return false;
}

/* ---- replies ---- */

static void refuse(reply *out, int code, const char *message)
{
    text_clear(&out->body);
    blob_release(out->blob);
    out->blob = NULL;
    out->code = code;
    out->type = json_type;
    text_add(&out->body, "{\"error\":");
    text_quoted(&out->body, message);
    text_add(&out->body, "}");
}

static int code_of(rill_status st)
{
    switch (st) {
    case RILL_OK: return 200;
    case RILL_USAGE: return 409;
    case RILL_NO_MEMORY: return 503;
    case RILL_BAD_FILE:
    case RILL_BAD_SCENE: return 404;
    default: return 500;
    }
}

static void dispatch(rill_ctx *ctx, server *s, const request *r, const char *path, reply *out)
{
    if (strcmp(r->method, "GET") == 0 && page_find(path, &out->file)) {
        out->type = out->file.type;
        return;
    }
    bool known = false;
    for (size_t k = 0; k < sizeof routes / sizeof *routes; k++) {
        match m;
        if (!matches(s, routes[k].pattern, path, &m)) continue;
        known = true;
        if (strcmp(routes[k].method, r->method) != 0) continue;
        const rill_status st = routes[k].answer(ctx, s, &m, out);
        if (st) refuse(out, code_of(st), rill_ctx_message(ctx));
        return;
    }
    refuse(out, known ? 405 : 404, known ? "not this way" : "no such address");
}

void answer(rill_ctx *ctx, server *s, const request *r, reply *out)
{
    *out = (reply){.code = 200, .type = json_type};
    text_init(&out->body, ctx);
    const bool post = strcmp(r->method, "POST") == 0;
    const char *path = after_token(s, r->path);
    if (!r->host || !is_here(s, r->host, ""))
        refuse(out, 403, "this server answers to 127.0.0.1 alone");
    else if (r->origin ? !is_here(s, r->origin, "http://") : post)
        refuse(out, 403, "other pages may not ask");
    else if (!path)
        refuse(out, 404, "no such address");
    else
        dispatch(ctx, s, r, path, out);
}

void reply_clear(reply *r)
{
    text_clear(&r->body);
    blob_release(r->blob);
    *r = (reply){0};
}
