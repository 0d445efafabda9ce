#include "run/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

void machine_cpu(char *out, size_t capacity)
{
    snprintf(out, capacity, "unknown");
    FILE *f = fopen("/proc/cpuinfo", "r");
    char line[512];
    while (f && fgets(line, sizeof line, f)) {
        if (strncmp(line, "model name", 10) != 0) continue;
        const char *colon = strchr(line, ':');
        line[strcspn(line, "\n")] = 0;
        if (colon) snprintf(out, capacity, "%s", colon + 1 + strspn(colon + 1, " \t"));
        break;
    }
    if (f) fclose(f);
}

/* A line of /proc/meminfo: "NAME: kilobytes kB". */
static uint64_t memory_line(const char *name)
{
    FILE *f = fopen("/proc/meminfo", "r");
    char line[256];
    const size_t n = strlen(name);
    unsigned long long kilobytes = 0;
    bool found = false;
    while (f && !found && fgets(line, sizeof line, f))
        found = strncmp(line, name, n) == 0 && sscanf(line + n, ": %llu", &kilobytes) == 1;
    if (f) fclose(f);
    return found ? (uint64_t)kilobytes * 1024 : UINT64_MAX;
}

uint64_t machine_memory(void)
{
    return memory_line("MemTotal");
}

uint64_t machine_free_memory(void)
{
    return memory_line("MemAvailable");
}

uint64_t machine_free_disk(const char *path)
{
    char folder[4096];
    if (strlen(path) >= sizeof folder) return UINT64_MAX;
    strcpy(folder, path);
    struct statvfs s;
    while (statvfs(folder, &s) != 0) { /* the nearest folder above that exists */
        char *slash = strrchr(folder, '/');
        if (!slash) {
            if (statvfs(".", &s) != 0) return UINT64_MAX;
            break;
        }
        if (slash == folder) slash++;
        if (!*slash) return UINT64_MAX;
        *slash = 0;
    }
    return (uint64_t)s.f_bavail * s.f_frsize;
}

machine_video machine_ffmpeg(void)
{
    machine_video v = {0};
    FILE *f = popen("ffmpeg -hide_banner -encoders 2>/dev/null", "r");
    if (!f) return v;
    char line[512];
    while (fgets(line, sizeof line, f)) v.x264 |= strstr(line, " libx264 ") != NULL;
    const int code = pclose(f);
    v.ffmpeg = WIFEXITED(code) && WEXITSTATUS(code) == 0;
    v.x264 &= v.ffmpeg;
    return v;
}

void bytes_text(double bytes, char *out, size_t capacity)
{
    static const char *const unit[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
    int k = 0;
    while (bytes >= 999.5 && k < 5) {
        bytes /= 1000;
        k++;
    }
    snprintf(out, capacity, "%.*f %s", k && bytes < 99.95 ? 1 : 0, bytes, unit[k]);
}

double machine_own_memory(void)
{
    FILE *f = fopen("/proc/self/statm", "r");
    unsigned long all = 0, resident = 0;
    const bool known = f && fscanf(f, "%lu %lu", &all, &resident) == 2;
    if (f) fclose(f);
    return known ? (double)resident * (double)sysconf(_SC_PAGESIZE) : 0;
}
