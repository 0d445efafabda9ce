#include "serve/shown.h"

#include <string.h>

const char *const shown_part_names[PARTS + 1] = {"surface", "particles", "tracers", "whitewater",
                                                 "cells",   "volume",    NULL};

rill_status shown_init(shown *s, rill_ctx *ctx, blobs *cache, int id, const char *folder, bool echo)
{
    *s = (shown){.ctx = ctx, .id = id, .blobs = cache, .folder = mem_text(ctx, folder)};
    if (!s->folder) return mem_failed(ctx, strlen(folder) + 1, 1);
    child_init(&s->process, echo);
    pthread_mutex_init(&s->lock, NULL);
    pthread_mutex_init(&s->solids.lock, NULL);
    return RILL_OK;
}

void shown_clear(shown *s)
{
    if (!s->folder) return;
    shown_solids_clear(s);
    child_clear(&s->process);
    pthread_mutex_destroy(&s->lock);
    pthread_mutex_destroy(&s->solids.lock);
    for (int part = 0; part < PARTS; part++) mem_free(s->ctx, s->columns[part]);
    mem_free(s->ctx, s->index);
    mem_free(s->ctx, s->folder);
    *s = (shown){0};
}

rill_status shown_stop(rill_ctx *ctx, shown *s)
{
    if (child_stop(&s->process)) return RILL_OK;
    return rill_fail(ctx, RILL_USAGE, "no run that was started here is going on");
}

rill_status shown_resume(rill_ctx *ctx, shown *s)
{
    if (!shown_can_resume(ctx, s))
        return rill_fail(ctx, RILL_USAGE, "the run is finished, or going on, or cannot be read");
    const char *const argv[] = {"rill", "resume", "--quiet", "--", s->folder, NULL};
    return child_start(ctx, &s->process, argv);
}
