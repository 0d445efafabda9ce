/* A checkpoint file as bytes, known without io's help: for tests that damage one, and make
 * the damage look sound. */
#pragma once

#include "base/context.h"

enum { CKPT_HEAD = 104, CKPT_CHUNK = 80, CKPT_BLOCK = 8, CKPT_END = 24 };

/* Where things are: offsets into the head and into the head of a chunk. */
enum { HEAD_VERSION = 8, HEAD_CHUNKS = 12, HEAD_METHOD = 16, HEAD_FRAME = 64, HEAD_HASH = 96 };
enum {
    CHUNK_NAME = 0,
    CHUNK_TYPE = 48,
    CHUNK_ZERO = 52,
    CHUNK_COUNT = 56,
    CHUNK_DATA_HASH = 64,
    CHUNK_HASH = 72
};

/* Makes every hash and the length right, as far as the file can be followed. */
void checkpoint_repair(uint8_t *data, size_t size);
/* The offsets at which chunks begin, and the end; returns how many chunks there are. */
size_t checkpoint_chunks(const uint8_t *data, size_t size, size_t *offset, size_t room);
