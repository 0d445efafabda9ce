/* rill verify: runs physics cases and prints each figure beside its target. The exit
 * code is 0 only when every figure passes. */
#include "base/parallel.h"
#include "base/text.h"
#include "base/words.h"
#include "cli/commands.h"
#include "run/registry.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const char *method, *plots;
    bool json, list, quick;
    int64_t threads;
} verify_options;

static const option options[] = {
    {"--method", OPTION_TEXT, offsetof(verify_options, method), "M", "this method alone", 0, 0},
    {"--quick", OPTION_FLAG, offsetof(verify_options, quick), NULL, "shorter runs where a case allows it", 0,
     0},
    {"--plots", OPTION_TEXT, offsetof(verify_options, plots), "DIR",
     "draws the curves of cases that have some there, as SVG and PNG", 0, 0},
    {"--threads", OPTION_INTEGER, offsetof(verify_options, threads), "N",
     "threads; all of the machine's if not given", 1, PARALLEL_MAX_THREADS},
    {"--json", OPTION_FLAG, offsetof(verify_options, json), NULL, "one JSON object per line", 0, 0},
    {"--list", OPTION_FLAG, offsetof(verify_options, list), NULL, "what there is, and stop", 0, 0},
    {0},
};

static void print_list(const verify_case *const *c, const char *note)
{
    for (; *c; c++) {
        printf("%-6s %-40s", (*c)->id, (*c)->title);
        for (const char *const *m = (*c)->methods; m && *m; m++) printf(" %s", *m);
        printf("%s\n", note);
    }
}

static rill_status unknown(rill_ctx *ctx, const char *kind, const char *name, const char *const *known)
{
    const char *near = words_nearest(known, name);
    if (near)
        return rill_fail(ctx, RILL_USAGE, "verify: there is no %s \"%s\"; did you mean \"%s\"?", kind, name,
                         near);
    return rill_fail(ctx, RILL_USAGE, "verify: there is no %s \"%s\"; rill verify --list names them", kind,
                     name);
}

static rill_status check_words(rill_ctx *ctx, const verify_options *o, int count, char **id)
{
    const char *known[64] = {0};
    size_t n = 0;
    for (size_t i = 0; verify_cases[i] && n < 63; i++) known[n++] = verify_cases[i]->id;
    for (size_t i = 0; verify_long_cases[i] && n < 63; i++) known[n++] = verify_long_cases[i]->id;
    for (int i = 0; i < count; i++)
        if (!verify_find(id[i])) return unknown(ctx, "case", id[i], known);
    memset(known, 0, sizeof known);
    for (size_t i = 0; i < rill_method_count && i < 63; i++) known[i] = rill_methods[i]->name;
    if (o->method && !rill_method_find(o->method)) return unknown(ctx, "method", o->method, known);
    return RILL_OK;
}

typedef struct {
    rill_ctx *ctx;
    bool json;
} printer;

static const char *const kind_words[] = {"at most", "at least", "report", "wanted at most"};

static void print_json(rill_ctx *ctx, const verify_line *l)
{
    text t;
    text_init(&t, ctx);
    text_add(&t, "{\"case\":");
    text_quoted(&t, l->id);
    text_add(&t, ",\"method\":");
    if (l->method)
        text_quoted(&t, l->method);
    else
        text_add(&t, "null");
    text_add(&t, ",\"figure\":");
    text_quoted(&t, l->figure);
    text_add(&t, ",\"value\":");
    text_number(&t, l->value);
    text_print(&t, ",\"kind\":\"%s\",\"target\":", kind_words[l->kind]);
    text_number(&t, l->target);
    text_print(&t, ",\"pass\":%s}", l->pass ? "true" : "false");
    puts(t.failed ? "{}" : t.data); /* the run itself reports the lack of memory */
    text_clear(&t);
}

static void print_line(void *user, const verify_line *l)
{
    const printer *p = user;
    if (p->json) {
        print_json(p->ctx, l);
    } else if (l->kind == REPORT) {
        printf("  %-52s %12.4g   (reported)%s\n", l->figure, l->value, l->pass ? "" : "   FAIL");
    } else if (l->kind == WANTED) {
        printf("  %-52s %12.4g   wanted: at most %.4g, %s%s\n", l->figure, l->value, l->target,
               l->value <= l->target ? "met" : "open", l->pass ? "" : "   FAIL");
    } else {
        printf("  %-52s %12.4g   %s %-9.4g %s\n", l->figure, l->value, kind_words[l->kind], l->target,
               l->pass ? "pass" : "FAIL");
    }
    fflush(stdout);
}

static rill_status run_case(verify *v, const verify_case *c, const char *method, bool json)
{
    if (!json) printf("%s %s%s%s\n", c->id, c->title, method ? ": " : "", method ? method : "");
    v->ctx->message[0] = 0;
    TRY(verify_run_case(v, c, method));
    if (v->ctx->message[0]) fprintf(stderr, "rill: %s\n", rill_ctx_message(v->ctx));
    return RILL_OK;
}

static rill_status run_all(verify *v, const verify_options *o, int count, char **id)
{
    for (size_t i = 0; count ? i < (size_t)count : verify_cases[i] != NULL; i++) {
        const verify_case *c = count ? verify_find(id[i]) : verify_cases[i];
        if (!c->methods && !o->method) TRY(run_case(v, c, NULL, o->json));
        for (const char *const *m = c->methods; m && *m; m++)
            if (!o->method || strcmp(o->method, *m) == 0) TRY(run_case(v, c, *m, o->json));
    }
    if (v->passed + v->failed == 0)
        return rill_fail(v->ctx, RILL_USAGE, "verify: no case applies; rill verify --list shows which do");
    if (ferror(stdout) || fflush(stdout) != 0)
        return rill_fail(v->ctx, RILL_DISK, "verify: writing the results failed");
    return RILL_OK;
}

static int verify_main(rill_ctx *ctx, const command *self, int argc, char **argv)
{
    verify_options o = {0};
    int count;
    rill_status st = options_parse(ctx, self, &o, argc, argv, &count);
    if (!st) st = check_words(ctx, &o, count, argv);
    if (st) return cli_report(ctx, st);
    if (o.list) {
        print_list(verify_cases, "");
        print_list(verify_long_cases, " (minutes: only when named)");
        return 0;
    }
    if (o.threads) ctx->def.threads = (int)o.threads;
    printer p = {ctx, o.json};
    verify v = {.ctx = ctx, .full = !o.quick, .plots = o.plots, .sink = print_line, .user = &p};
    st = run_all(&v, &o, count, argv);
    if (st) return cli_report(ctx, st);
    if (!o.json) printf("%u figures pass, %u fail\n", v.passed, v.failed);
    return v.failed ? 1 : 0;
}

const command cmd_verify = {"verify",   "[CASE...]", "Runs physics cases: each figure beside its target.",
                            options,    0,           256,
                            verify_main};
