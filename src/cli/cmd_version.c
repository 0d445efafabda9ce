#include "cli/commands.h"

#include <stdio.h>

static int version_main(rill_ctx *ctx, const command *self, int argc, char **argv)
{
    int count;
    const rill_status st = options_parse(ctx, self, NULL, argc, argv, &count);
    if (st) return cli_report(ctx, st);
    printf("rill %s\n", RILL_VERSION);
    return 0;
}

const command cmd_version = {"version", "", "Prints the version.", NULL, 0, 0, version_main};
