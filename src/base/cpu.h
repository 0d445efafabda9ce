/* Checks whether the processor has the features this build needs (x86-64-v3). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Names of the features, and whether they are there; ends with a row without a name. Compiled
 * for any x86-64 processor, as are context.c and the program's main.c: no other code may run
 * before this check. */
typedef struct cpu_feature {
    const char *name;
    bool there;
} cpu_feature;
enum { CPU_FEATURES = 8 };
void cpu_features(cpu_feature list[CPU_FEATURES]);

bool cpu_suffices(const cpu_feature *list); /* all are there */
/* The names of those that are missing, with commas; empty: none. */
void cpu_missing(const cpu_feature *list, char *out, size_t capacity);
