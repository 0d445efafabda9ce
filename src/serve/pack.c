#include "serve/pack.h"

#include "serve/wire.h"

#include <string.h>

void packer_init(packer *p, rill_ctx *ctx)
{
    *p = (packer){.ctx = ctx};
}

void packer_clear(packer *p)
{
    mem_free(p->ctx, p->data);
    *p = (packer){.ctx = p->ctx};
}

/* Capacity for `count` more bytes; NULL when there is none. */
static uint8_t *reserve(packer *p, size_t count)
{
    if (p->failed) return NULL;
    if (mem_grow(p->ctx, &p->data, 1, &p->capacity, p->length + count)) {
        p->failed = true;
        return NULL;
    }
    return p->data + p->length;
}

void packer_bytes(packer *p, const void *bytes, size_t count)
{
    uint8_t *at = reserve(p, count);
    if (!at) return;
    memcpy(at, bytes, count);
    p->length += count;
}

void packer_u32(packer *p, uint32_t value)
{
    packer_bytes(p, &value, sizeof value);
}

void packer_f32(packer *p, double value)
{
    const float narrow = (float)value;
    packer_bytes(p, &narrow, sizeof narrow);
}

void packer_f64(packer *p, double value)
{
    packer_bytes(p, &value, sizeof value);
}

static uint32_t bits_of(uint32_t range)
{
    return range ? 32 - (uint32_t)__builtin_clz(range) : 0;
}

/* One chunk: its base, its bits, and the differences. */
static void pack_chunk(packer *p, const int32_t value[WIRE_CHUNK], size_t count)
{
    int32_t low = value[0], high = value[0];
    for (size_t k = 1; k < count; k++) {
        low = value[k] < low ? value[k] : low;
        high = value[k] > high ? value[k] : high;
    }
    const uint32_t bits = bits_of((uint32_t)high - (uint32_t)low);
    uint32_t words[2 + WIRE_CHUNK + 1];
    words[0] = (uint32_t)low;
    words[1] = bits;
    uint64_t held = 0;
    uint32_t held_bits = 0;
    size_t at = 2;
    for (size_t k = 0; k < count && bits; k++) {
        held |= (uint64_t)((uint32_t)value[k] - (uint32_t)low) << held_bits;
        held_bits += bits;
        if (held_bits >= 32) {
            words[at++] = (uint32_t)held;
            held >>= 32;
            held_bits -= 32;
        }
    }
    const size_t all = 2 + WIRE_CHUNK / 32 * (size_t)bits;
    if (at < all) words[at++] = (uint32_t)held;
    while (at < all) words[at++] = 0;
    packer_bytes(p, words, all * sizeof *words);
}

void packer_channel(packer *p, size_t count, packer_fill *fill, void *arg)
{
    int32_t value[WIRE_CHUNK];
    for (size_t begin = 0; begin < count && !p->failed; begin += WIRE_CHUNK) {
        const size_t end = begin + WIRE_CHUNK < count ? begin + WIRE_CHUNK : count;
        fill(arg, begin, end, value);
        pack_chunk(p, value, end - begin);
    }
}
