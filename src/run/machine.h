/* The machine a run is on: processor, memory, disk. Sizes in bytes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void machine_cpu(char *out, size_t capacity); /* the processor's name; "unknown" */
uint64_t machine_memory(void);                /* all there is; UINT64_MAX when the system does not say */
uint64_t machine_free_memory(void);           /* likewise */
uint64_t machine_free_disk(const char *path); /* where path is or would be; likewise */

/* Whether the ffmpeg program is there, and can encode with x264. Runs it. */
typedef struct machine_video {
    bool ffmpeg, x264;
} machine_video;
machine_video machine_ffmpeg(void);

/* "3.4 GB": for people. */
void bytes_text(double bytes, char *out, size_t capacity);
/* Resident bytes of this process; 0: unknown. */
double machine_own_memory(void);
