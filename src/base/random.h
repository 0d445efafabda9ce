/* Random numbers by counter: a function of seed, id, step and stream, so that they do
 * not depend on the order in which threads ask. Philox 4x32-10, Salmon et al. 2011. */
#pragma once

#include <stdint.h>

typedef struct random4 {
    uint32_t v[4];
} random4;

static inline random4 random_at(uint64_t seed, uint64_t id, uint32_t step, uint32_t stream)
{
    uint32_t c0 = (uint32_t)id, c1 = (uint32_t)(id >> 32), c2 = step, c3 = stream;
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
    for (int round = 0; round < 10; round++) {
        const uint64_t p0 = 0xD2511F53ull * c0, p1 = 0xCD9E8D57ull * c2;
        const uint32_t n0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0, n2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
        c0 = n0;
        c2 = n2;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return (random4){{c0, c1, c2, c3}};
}

/* In [0, 1), 53 bits from two words. */
static inline double random_unit(uint32_t high, uint32_t low)
{
    return (double)(((uint64_t)high << 32 | low) >> 11) * 0x1p-53;
}
