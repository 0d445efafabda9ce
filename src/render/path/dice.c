#include "render/path/dice.h"

static uint32_t reversed(uint32_t x)
{
    x = (x >> 16) | (x << 16);
    x = (x & 0x00ff00ffu) << 8 | (x & 0xff00ff00u) >> 8;
    x = (x & 0x0f0f0f0fu) << 4 | (x & 0xf0f0f0f0u) >> 4;
    x = (x & 0x33333333u) << 2 | (x & 0xccccccccu) >> 2;
    return (x & 0x55555555u) << 1 | (x & 0xaaaaaaaau) >> 1;
}

/* Every bit is flipped by a hash of the bits below it, Laine and Karras 2011 with the constants of Burley. */
static uint32_t flipped(uint32_t x, uint32_t seed)
{
    x ^= x * 0x3d20adeau;
    x += seed;
    x *= (seed >> 16) | 1;
    x ^= x * 0x05526c56u;
    x ^= x * 0x53a22864u;
    return x;
}

/* Owen's scrambling: every bit depends on those above it. */
static uint32_t scrambled(uint32_t x, uint32_t seed)
{
    return reversed(flipped(reversed(x), seed));
}

/* The second dimension of Sobol's sequence; the first is the index with its bits reversed. */
static uint32_t sobol_second(uint32_t index)
{
    uint32_t x = 0;
    for (uint32_t v = 0x80000000u; index; index >>= 1, v ^= v >> 1)
        if (index & 1) x ^= v;
    return x;
}

void dice_throw(dice *d, double out[2])
{
    const random4 key = random_at(0x7061746800000000u | d->seed, d->pixel, d->dimension++, 7);
    const uint32_t index = scrambled(d->sample, key.v[0]);
    out[0] = scrambled(reversed(index), key.v[1]) * 0x1p-32;
    out[1] = scrambled(sobol_second(index), key.v[2]) * 0x1p-32;
}
