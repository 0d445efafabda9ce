/* Channels of integers, packed as wire.h says. */
#pragma once

#include "base/memory.h"

/* Bytes that grow; a failed allocation is kept in `failed`, and later writes do nothing. */
typedef struct packer {
    rill_ctx *ctx;
    uint8_t *data; /* owned */
    size_t length, capacity;
    bool failed;
} packer;

void packer_init(packer *p, rill_ctx *ctx);
void packer_clear(packer *p);
void packer_bytes(packer *p, const void *bytes, size_t count);
void packer_u32(packer *p, uint32_t value);
void packer_f32(packer *p, double value);
void packer_f64(packer *p, double value);

/* A channel is written through a chunk of values at a time. `fill` puts the values
 * [begin, end) into out; it may be called once per chunk, in order. */
typedef void packer_fill(void *arg, size_t begin, size_t end, int32_t *out);
void packer_channel(packer *p, size_t count, packer_fill *fill, void *arg);
