#include "cli/commands.h"

#include <stdio.h>

static int version_main(rill_ctx *ctx, const command *self, int argc, char **argv)
{
    int count;
    const rill_status st = options_parse(ctx, self, NULL, argc, argv, &count);
    if (st) return cli_report(ctx, st);
    puts(rill_build());
    return 0;
}

const command cmd_version = {"version",   "", "Prints the version and what it was built with.", NULL, 0, 0,
                             version_main};
