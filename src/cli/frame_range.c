#include "cli/frame_range.h"

#include "run/frames.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MAX_FRAME = 1000000000 };

/* A number at *at, which moves behind it; `otherwise` when there is none. */
static bool read_frame(const char **at, uint32_t otherwise, uint32_t *out)
{
    if (**at < '0' || **at > '9') {
        *out = otherwise;
        return true;
    }
    char *end;
    errno = 0;
    const unsigned long v = strtoul(*at, &end, 10);
    *at = end;
    *out = (uint32_t)v;
    return errno == 0 && v <= MAX_FRAME;
}

rill_status frame_range_parse(rill_ctx *ctx, const char *command, const char *given, uint32_t last,
                              uint32_t *from, uint32_t *to)
{
    const char *at = given;
    bool good = *at != 0 && read_frame(&at, 0, from);
    if (good && *at == ':') {
        at++;
        good = read_frame(&at, last, to);
    } else { /* up to that one, as of rill run */
        *to = *from;
        *from = 0;
    }
    if (!good || *at != 0 || *from > *to || (at == given))
        return rill_fail(ctx, RILL_USAGE,
                         "%s: --frames takes N, the last frame, or A:B, the first and the last; not \"%s\"",
                         command, given);
    if (*to > last)
        return rill_fail(ctx, RILL_USAGE, "%s: there is no frame %u; the folder has 0 to %u", command, *to,
                         last);
    return RILL_OK;
}

rill_status frame_range_of_run(rill_ctx *ctx, const char *command, const char *folder, const char *given,
                               uint32_t *from, uint32_t *last)
{
    frame_list list = {0};
    TRY(frames_list(ctx, folder, &list));
    *from = list.frame[0];
    *last = list.frame[list.count - 1];
    frames_clear(ctx, &list);
    return given ? frame_range_parse(ctx, command, given, *last, from, last) : RILL_OK;
}

void frame_progress(uint32_t frame, uint32_t last)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\rframe %u of %u%s", frame, last, frame == last ? "\n" : "");
    else
        fprintf(stderr, "frame %u of %u\n", frame, last);
}
