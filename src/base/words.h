/* "Did you mean": the nearest of a list of words. */
#pragma once

#include <stddef.h>

/* The word with the smallest edit distance (insert, delete, replace, swap of
 * neighbours; letter case free) to `given`, when that is at most 2 and less than half
 * its length; otherwise NULL. words ends with NULL. */
const char *words_nearest(const char *const *words, const char *given);
