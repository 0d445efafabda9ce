/* A video by the ffmpeg program, started directly (no shell), fed with the PNG files
 * through its standard input.
 *
 * The input is a socket rather than a pipe so that a program that died early is an
 * error of the write and not a SIGPIPE. What it prints goes to a file in memory, its
 * last line into the message. H.264 where the encoder is there, MPEG-4 otherwise. A fixed number
 * of encoder threads and no dates: the same pictures give the same file. */
#include "io/file.h"
#include "render/render.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { REPORT = 4096, MAX_PICTURE = 1 << 30 };

typedef struct encoder_run {
    char report[REPORT]; /* the end of what it printed */
    int exit_status;     /* as waitpid gives it */
    bool fed;            /* all pictures were taken */
} encoder_run;

static rill_status start(rill_ctx *ctx, char *const *argv, int input, int report, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    int error = posix_spawn_file_actions_init(&files);
    if (error) return rill_fail(ctx, RILL_NO_MEMORY, "ffmpeg: %s", strerror(error));
    error = posix_spawnattr_init(&attributes);
    if (error) {
        posix_spawn_file_actions_destroy(&files);
        return rill_fail(ctx, RILL_NO_MEMORY, "ffmpeg: %s", strerror(error));
    }
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    error = posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    if (!error) error = posix_spawn_file_actions_adddup2(&files, report, STDERR_FILENO);
    if (!error) error = posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (!error) error = posix_spawnattr_setsigdefault(&attributes, &defaults);
    if (!error) error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    if (!error) error = posix_spawnp(pid, argv[0], &files, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    if (error == ENOENT)
        return rill_fail(ctx, RILL_DISK,
                         "no video: the ffmpeg program is not installed; install the package \"ffmpeg\" "
                         "and call rill render --video");
    return error ? rill_fail(ctx, RILL_DISK, "no video: ffmpeg cannot be started: %s", strerror(error))
                 : RILL_OK;
}

static bool send_all(int to, const char *data, size_t bytes)
{
    while (bytes > 0) {
        const ssize_t n = send(to, data, bytes, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        data += n;
        bytes -= (size_t)n;
    }
    return true;
}

/* *fed stays false when the program stopped reading: its exit status says why. */
static rill_status feed(rill_ctx *ctx, const char *folder, uint32_t first, uint32_t count, int to, bool *fed)
{
    for (uint32_t i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "%04u.png", first + i);
        char *path = path_join(ctx, folder, name), *data = NULL;
        if (!path) return mem_failed(ctx, strlen(folder) + sizeof name, 1);
        size_t bytes;
        rill_status st = rill_cancelled(ctx)
                             ? rill_fail(ctx, RILL_CANCELLED, "stopped while making the video")
                             : file_read_all(ctx, path, MAX_PICTURE, &data, &bytes);
        mem_free(ctx, path);
        if (st) return st;
        const bool sent = send_all(to, data, bytes);
        mem_free(ctx, data);
        if (!sent) return RILL_OK;
    }
    *fed = true;
    return RILL_OK;
}

static void read_report(int from, char report[REPORT])
{
    const off_t end = lseek(from, 0, SEEK_END);
    const off_t begin = end > REPORT - 1 ? end - (REPORT - 1) : 0;
    const ssize_t n = end > 0 ? pread(from, report, REPORT - 1, begin) : 0;
    report[n > 0 ? n : 0] = 0;
}

static rill_status run_encoder(rill_ctx *ctx, char *const *argv, const char *folder, uint32_t first,
                               uint32_t count, encoder_run *run)
{
    int pair[2] = {-1, -1};
    pid_t pid = -1;
    const int report = memfd_create("ffmpeg", MFD_CLOEXEC);
    rill_status st = RILL_OK;
    if (report < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        st = rill_fail(ctx, RILL_DISK, "no video: ffmpeg cannot be started: %s", strerror(errno));
    if (!st) st = start(ctx, argv, pair[0], report, &pid);
    if (pair[0] >= 0) close(pair[0]); /* the program has its own */
    if (!st) st = feed(ctx, folder, first, count, pair[1], &run->fed);
    if (pid > 0 && st) kill(pid, SIGKILL); /* half a video is of no use */
    if (pair[1] >= 0) close(pair[1]);
    if (pid > 0) {
        while (waitpid(pid, &run->exit_status, 0) < 0 && errno == EINTR) continue;
        read_report(report, run->report);
    }
    if (report >= 0) close(report);
    return st;
}

/* The last line that says something, cut off in place. */
static const char *last_line(char *report)
{
    size_t n = strlen(report);
    while (n > 0 && (report[n - 1] == '\n' || report[n - 1] == '\r' || report[n - 1] == ' ')) report[--n] = 0;
    char *line = strrchr(report, '\n');
    return line ? line + 1 : report;
}

static rill_status encode(rill_ctx *ctx, const char *folder, uint32_t first, uint32_t count, double fps,
                          const char *temporary, const char *path)
{
    char rate[32], output[4096];
    snprintf(rate, sizeof rate, "%.9g", fps);
    if (snprintf(output, sizeof output, "file:%s", temporary) >= (int)sizeof output)
        return rill_fail(ctx, RILL_DISK, "%s: the path is too long for a video", path);
    static const char *const codecs[][3] = {{"libx264", "-crf", "18"}, {"mpeg4", "-q:v", "3"}};

    for (int k = 0;; k++) {
        const char *argv[48] = {"ffmpeg",
                                "-hide_banner",
                                "-loglevel",
                                "error",
                                "-nostdin",
                                "-y",
                                "-f",
                                "image2pipe",
                                "-framerate",
                                rate,
                                "-c:v",
                                "png",
                                "-i",
                                "pipe:0",
                                "-vf",
                                "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv",
                                "-pix_fmt",
                                "yuv420p",
                                "-colorspace",
                                "bt709",
                                "-color_primaries",
                                "bt709",
                                "-color_trc",
                                "bt709",
                                "-threads",
                                "2",
                                "-c:v",
                                codecs[k][0],
                                codecs[k][1],
                                codecs[k][2],
                                "-map_metadata",
                                "-1",
                                "-fflags",
                                "+bitexact",
                                "-flags:v",
                                "+bitexact",
                                "-movflags",
                                "+faststart",
                                "-f",
                                "mp4",
                                output,
                                NULL};
        encoder_run run = {.exit_status = -1};
        TRY(run_encoder(ctx, (char *const *)(uintptr_t)argv, folder, first, count, &run));
        const bool good = WIFEXITED(run.exit_status) && WEXITSTATUS(run.exit_status) == 0;
        if (good && run.fed) return RILL_OK;
        if (rill_cancelled(ctx)) return rill_fail(ctx, RILL_CANCELLED, "stopped while making the video");
        if (k == 0 && strstr(run.report, "Unknown encoder")) continue;
        const char *said = last_line(run.report);
        return rill_fail(ctx, RILL_DISK, "%s: ffmpeg failed: %s", path, *said ? said : "it said nothing");
    }
}

rill_status video_write(rill_ctx *ctx, const char *image_folder, uint32_t first, uint32_t count, double fps,
                        const char *path)
{
    if (count == 0) return rill_fail(ctx, RILL_USAGE, "%s: a video needs at least one picture", path);
    out_file f; /* ffmpeg writes into the temporary file, which is ours and has a name nobody can guess */
    TRY(file_begin(ctx, path, &f));
    rill_status st = encode(ctx, image_folder, first, count, fps, f.temporary, path);
    if (!st) st = file_commit(&f);
    file_abandon(&f);
    return st;
}
