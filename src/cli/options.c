#include "cli/options.h"

#include "base/words.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option *find(const command *c, const char *name, size_t length)
{
    for (const option *o = c->options; o && o->kind; o++)
        if (strlen(o->name) == length && strncmp(o->name, name, length) == 0) return o;
    return NULL;
}

static rill_status unknown(rill_ctx *ctx, const command *c, const char *name, size_t length)
{
    const char *names[64] = {0};
    size_t n = 0;
    for (const option *o = c->options; o && o->kind && n < 63; o++) names[n++] = o->name;
    char given[64];
    snprintf(given, sizeof given, "%.*s", (int)(length < 63 ? length : 63), name);
    const char *near = words_nearest(names, given);
    return rill_fail(ctx, RILL_USAGE, "%s: unknown option \"%s\"%s%s%s; see rill %s --help", c->name, given,
                     near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "", c->name);
}

static rill_status store(rill_ctx *ctx, const command *c, const option *o, const char *value, void *values)
{
    char *at = (char *)values + o->offset;
    if (o->kind == OPTION_TEXT) {
        *(const char **)at = value;
    } else if (o->kind == OPTION_TEXTS) {
        option_texts *t = (option_texts *)at;
        if (t->count == OPTION_MAX_TEXTS)
            return rill_fail(ctx, RILL_USAGE, "%s: %s given more than %d times", c->name, o->name,
                             OPTION_MAX_TEXTS);
        t->text[t->count++] = value;
    } else {
        char *end;
        errno = 0;
        const long long v = strtoll(value, &end, 10);
        if (*value == 0 || *end != 0 || errno || v < o->min || v > o->max)
            return rill_fail(ctx, RILL_USAGE, "%s: %s takes a whole number from %lld to %lld, not \"%s\"",
                             c->name, o->name, (long long)o->min, (long long)o->max, value);
        *(int64_t *)at = v;
    }
    return RILL_OK;
}

rill_status options_parse(rill_ctx *ctx, const command *c, void *values, int argc, char **argv, int *count)
{
    int n = 0;
    bool only_arguments = false;
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        if (only_arguments || a[0] != '-' || a[1] == 0) {
            argv[n++] = argv[i];
            continue;
        }
        if (strcmp(a, "--") == 0) {
            only_arguments = true;
            continue;
        }
        const char *equals = strchr(a, '=');
        const size_t length = equals ? (size_t)(equals - a) : strlen(a);
        const option *o = find(c, a, length);
        if (!o) return unknown(ctx, c, a, length);
        if (o->kind == OPTION_FLAG) {
            if (equals) return rill_fail(ctx, RILL_USAGE, "%s: %s takes no value", c->name, o->name);
            *(bool *)((char *)values + o->offset) = true;
            continue;
        }
        const char *value = equals ? equals + 1 : i + 1 < argc ? argv[++i] : NULL;
        if (!value)
            return rill_fail(ctx, RILL_USAGE, "%s: %s needs a value (%s)", c->name, o->name, o->value);
        TRY(store(ctx, c, o, value, values));
    }
    if (n < c->min_arguments)
        return rill_fail(ctx, RILL_USAGE, "%s: %s is missing; usage: rill %s %s", c->name, c->arguments,
                         c->name, c->arguments);
    if (n > c->max_arguments)
        return rill_fail(ctx, RILL_USAGE, "%s: \"%s\" is one argument too many; usage: rill %s %s", c->name,
                         argv[c->max_arguments], c->name, c->arguments);
    *count = n;
    return RILL_OK;
}

void options_help(const command *c)
{
    printf("rill %s %s%s\n\n%s\n", c->name, c->arguments, c->options && c->options->kind ? " [options]" : "",
           c->help);
    if (c->options && c->options->kind) printf("\n");
    for (const option *o = c->options; o && o->kind; o++) {
        char left[48];
        snprintf(left, sizeof left, "%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
        printf("  %-22s %s\n", left, o->help);
    }
}

int cli_report(rill_ctx *ctx, rill_status status)
{
    if (status != RILL_OK) fprintf(stderr, "rill: %s\n", rill_ctx_message(ctx));
    return (int)status;
}
