/* A run that the server has started: a process of its own, in a session of its own, so that
 * neither the end of the server nor Ctrl-C at its terminal reaches it. What it says on stderr
 * comes through a pipe that never blocks it. May be used by several threads at once. */
#pragma once

#include "base/memory.h"

#include <pthread.h>
#include <sys/types.h>

enum { CHILD_SAID = 4096 };

typedef struct child {
    pthread_mutex_t lock;
    /* Under the lock: */
    pid_t pid;   /* 0: none is running */
    int said_fd; /* -1: none */
    bool echo;   /* what it says goes on to our stderr */
    bool ever;   /* one was started */
    bool asked;  /* to stop */
    int code;    /* exit code of the last one */
    char said[CHILD_SAID];
    size_t said_length; /* of the newest words, terminated */
} child;

typedef enum child_state { CHILD_NONE, CHILD_RUNNING, CHILD_ENDED } child_state;

void child_init(child *c, bool echo);
void child_clear(child *c); /* leaves a running process alone */

/* argv[0] is ignored: the program is this one. RILL_USAGE when one is running already, RILL_DISK when there
 * can be none. */
RILL_CHECKED rill_status child_start(rill_ctx *ctx, child *c, const char *const *argv);
/* Asks it to stop as Ctrl-C does: within a step, with a checkpoint. False: none is running. */
bool child_stop(child *c);
/* What became of it; `said`: its last words, of CHILD_SAID bytes; both may be NULL. */
child_state child_look(child *c, int *code, char *said);
pid_t child_pid(child *c);
