#include "base/words.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST = 63 };

/* Optimal string alignment distance (Damerau 1964, restricted). */
static size_t distance(const char *a, const char *b)
{
    const size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST) return LONGEST;
    size_t d[3][LONGEST + 2];
    for (size_t j = 0; j <= m; j++) d[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *row = d[i % 3];
        const size_t *above = d[(i + 2) % 3], *two_above = d[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            const int ca = tolower((unsigned char)a[i - 1]), cb = tolower((unsigned char)b[j - 1]);
            size_t best = above[j - 1] + (ca != cb);
            if (above[j] + 1 < best) best = above[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            if (i > 1 && j > 1 && ca == tolower((unsigned char)b[j - 2]) &&
                cb == tolower((unsigned char)a[i - 2]) && two_above[j - 2] + 1 < best)
                best = two_above[j - 2] + 1;
            row[j] = best;
        }
    }
    return d[n % 3][m];
}

const char *words_nearest(const char *const *words, const char *given)
{
    const char *best = NULL;
    size_t best_distance = 3;
    for (; *words; words++) {
        const size_t d = distance(*words, given);
        if (d < best_distance && 2 * d < strlen(given) + 1) {
            best = *words;
            best_distance = d;
        }
    }
    return best;
}
