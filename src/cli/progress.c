/* Progress for people: the bar, the lines, and the log between them. */
#include "cli/progress.h"
#include "cli/interrupt.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void seconds_text(double seconds, char *out, size_t capacity)
{
    const double s = seconds < 0 ? 0 : seconds;
    if (s < 9.95)
        snprintf(out, capacity, "%.1fs", s);
    else if (s < 59.5)
        snprintf(out, capacity, "%.0fs", s);
    else if (s < 3600)
        snprintf(out, capacity, "%dm%02ds", (int)(s / 60), (int)s % 60);
    else
        snprintf(out, capacity, "%.0fh%02dm", floor(s / 3600), (int)fmod(s / 60, 60));
}

static void draw_bar(cli_progress *p, const rill_progress *now, const char *left)
{
    enum { WIDTH = 24 };
    char bar[WIDTH + 1];
    /* dt is 0 at the end of a frame; before that the frame is being worked on */
    const double done = now->frames ? (now->frame - (now->dt > 0)) / (double)now->frames : 0;
    const int full = (int)(done * WIDTH);
    for (int i = 0; i < WIDTH; i++) bar[i] = i < full ? '#' : '.';
    bar[WIDTH] = 0;
    fprintf(stderr, "\r%s[%s]%s frame %u/%u  step %llu  %llu elements  %s\x1b[K", p->color ? "\x1b[36m" : "",
            bar, p->color ? "\x1b[0m" : "", now->frame, now->frames, (unsigned long long)now->step,
            (unsigned long long)now->elements, left);
    fflush(stderr);
    p->open = true;
}

static void show(void *user, const rill_progress *now)
{
    cli_progress *p = user;
    interrupt_waits(); /* there are frames, and what they end with is to be saved */
    if (p->quiet) return;
    char left[48] = "";
    if (now->seconds_left >= 0) {
        char time[32];
        seconds_text(now->seconds_left, time, sizeof time);
        snprintf(left, sizeof left, "%s left", time);
    }
    if (p->bar)
        draw_bar(p, now, left);
    else if (now->dt == 0)
        fprintf(stderr, "frame %u/%u  t %.4g s  step %llu  %llu elements  %s\n", now->frame, now->frames,
                now->time, (unsigned long long)now->step, (unsigned long long)now->elements, left);
}

static void end_line(cli_progress *p)
{
    if (p->open) fprintf(stderr, "\n");
    p->open = false;
}

static void say(void *user, rill_log_level level, const char *message)
{
    static const char *const words[] = {"", "", "warning: ", "error: "};
    cli_progress *p = user;
    if (level < RILL_LOG_INFO || (p->quiet && level < RILL_LOG_WARNING)) return;
    end_line(p);
    fprintf(stderr, "rill: %s%s\n", words[level], message);
}

void progress_attach(rill_ctx *ctx, cli_progress *p, bool quiet)
{
    const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
    *p = (cli_progress){.quiet = quiet};
    p->bar = isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
    p->color = p->bar && !(no_color && *no_color);
    ctx->def.log = say;
    ctx->def.progress = show;
    ctx->def.user = p;
}

void progress_detach(rill_ctx *ctx, cli_progress *p)
{
    end_line(p);
    ctx->def.log = NULL;
    ctx->def.progress = NULL;
    ctx->def.user = NULL;
}
