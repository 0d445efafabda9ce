/* Command-line options from a table: parsing, checks and --help from the same rows. */
#pragma once

#include "base/context.h"

typedef enum option_kind {
    OPTION_END,
    OPTION_FLAG,    /* bool */
    OPTION_INTEGER, /* int64_t, in [min, max] */
    OPTION_TEXT,    /* const char *, borrowed from argv */
    OPTION_TEXTS    /* option_texts: may be given several times */
} option_kind;

enum { OPTION_MAX_TEXTS = 64 };
typedef struct option_texts {
    const char *text[OPTION_MAX_TEXTS];
    int count;
} option_texts;

typedef struct option {
    const char *name; /* "--threads" */
    option_kind kind;
    size_t offset;     /* into the command's struct */
    const char *value; /* what the value is called in --help: "N" */
    const char *help;
    int64_t min, max; /* INTEGER */
} option;

typedef struct command {
    const char *name;      /* "run" */
    const char *arguments; /* "SCENE" */
    const char *help;      /* one line */
    const option *options; /* ends with a row of zeros; NULL: none */
    int min_arguments, max_arguments;
    int (*main)(rill_ctx *ctx, const struct command *self, int argc, char **argv);
} command;

/* Fills `values` from argv (argv[0] is the command's name) and moves the positional
 * arguments to the front: argv[0 .. *count - 1]. "--name=value" and "--name value" are
 * the same, "--" ends options. RILL_USAGE with a message otherwise. */
RILL_CHECKED rill_status options_parse(rill_ctx *ctx, const command *c, void *values, int argc, char **argv,
                                       int *count);
void options_help(const command *c); /* on stdout */

/* Prints the context's message on stderr as "rill: ..." and returns the exit code. */
int cli_report(rill_ctx *ctx, rill_status status);
