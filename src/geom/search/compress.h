/* Lanes that a mask picks, moved to the front: how lists are made of those of eight that are near. A store of
 * all eight follows, and the next one begins where the picked ones end. */
#pragma once

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

typedef struct compress8 {
    int32_t front[256][8];
} compress8;

static inline void compress8_make(compress8 *c)
{
    for (int mask = 0; mask < 256; mask++) {
        int at = 0;
        for (int lane = 0; lane < 8; lane++)
            if (mask >> lane & 1) c->front[mask][at++] = lane;
        while (at < 8) c->front[mask][at++] = 0;
    }
}

/* The picked ones of eight at `from` to `to`; all of to[0..8) is written. */
static inline void compress8_move(__m256i front, const void *from, void *to)
{
    const __m256i all = _mm256_loadu_si256((const __m256i *)from);
    _mm256_storeu_si256((__m256i *)to, _mm256_permutevar8x32_epi32(all, front));
}

static inline __m256i compress8_front(const compress8 *c, unsigned mask)
{
    return _mm256_loadu_si256((const __m256i *)c->front[mask]);
}
