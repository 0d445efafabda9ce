#include "serve/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void child_init(child *c, bool echo)
{
    memset(c, 0, sizeof *c);
    pthread_mutex_init(&c->lock, NULL);
    c->said_fd = -1;
    c->echo = echo;
}

void child_clear(child *c)
{
    if (c->said_fd >= 0) close(c->said_fd);
    pthread_mutex_destroy(&c->lock);
}

/* Between fork and exec, in a program with threads: system calls alone. */
static void become(int pipe_end, bool echo, const char *const *argv)
{
    setsid();
    const int nothing = open("/dev/null", O_RDWR);
    if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(pipe_end, 2) < 0) _exit(127);
    if (!echo && dup2(nothing, 1) < 0) _exit(127);
    close_range(3, ~0u, 0);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    /* exec takes pointers to char for the sake of old programs; it does not write to them. */
    execv("/proc/self/exe", (char *const *)(uintptr_t)argv);
    _exit(127);
}

rill_status child_start(rill_ctx *ctx, child *c, const char *const *argv)
{
    int ends[2];
    rill_status st = RILL_OK;
    pthread_mutex_lock(&c->lock);
    if (c->pid) {
        st = rill_fail(ctx, RILL_USAGE, "the run is going on already");
    } else if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
        st = rill_fail(ctx, RILL_DISK, "cannot make a pipe: %s", strerror(errno));
    } else {
        const pid_t pid = fork();
        if (pid == 0) become(ends[1], c->echo, argv);
        close(ends[1]);
        if (pid < 0) {
            close(ends[0]);
            st = rill_fail(ctx, RILL_DISK, "cannot start a process: %s", strerror(errno));
        } else {
            if (c->said_fd >= 0) close(c->said_fd);
            c->pid = pid;
            c->said_fd = ends[0];
            c->ever = true;
            c->asked = false;
            c->code = 0;
            c->said_length = 0;
            c->said[0] = 0;
        }
    }
    pthread_mutex_unlock(&c->lock);
    return st;
}

/* Adds to the last words, the oldest of which go. */
static void remember(child *c, const char *bytes, size_t count)
{
    const size_t most = CHILD_SAID / 2;
    if (c->said_length + count >= CHILD_SAID) {
        const size_t keep = c->said_length < most ? c->said_length : most;
        memmove(c->said, c->said + c->said_length - keep, keep);
        c->said_length = keep;
    }
    memcpy(c->said + c->said_length, bytes, count);
    c->said_length += count;
    c->said[c->said_length] = 0;
}

static void listen_to(child *c)
{
    char bytes[CHILD_SAID / 4];
    while (c->said_fd >= 0) {
        const ssize_t n = read(c->said_fd, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            if (n == 0) {
                close(c->said_fd);
                c->said_fd = -1;
            }
            break;
        }
        remember(c, bytes, (size_t)n);
        if (c->echo) fwrite(bytes, 1, (size_t)n, stderr);
    }
}

bool child_stop(child *c)
{
    pthread_mutex_lock(&c->lock);
    /* A second signal would end it at once, without its checkpoint. */
    const bool running = c->pid != 0;
    if (running && !c->asked) kill(c->pid, SIGINT);
    if (running) c->asked = true;
    pthread_mutex_unlock(&c->lock);
    return running;
}

child_state child_look(child *c, int *code, char *said)
{
    pthread_mutex_lock(&c->lock);
    int status;
    listen_to(c);
    if (c->pid && waitpid(c->pid, &status, WNOHANG) == c->pid) {
        c->pid = 0;
        c->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        listen_to(c);
    }
    const child_state state = c->pid ? CHILD_RUNNING : c->ever ? CHILD_ENDED : CHILD_NONE;
    if (code) *code = c->code;
    if (said) memcpy(said, c->said, c->said_length + 1);
    pthread_mutex_unlock(&c->lock);
    return state;
}

pid_t child_pid(child *c)
{
    pthread_mutex_lock(&c->lock);
    const pid_t pid = c->pid;
    pthread_mutex_unlock(&c->lock);
    return pid;
}
