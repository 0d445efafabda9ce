/* The files of the page, part of the program: web/dist, as esbuild made it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct page_file {
    const char *type; /* of its contents, as HTTP says it */
    const uint8_t *data;
    size_t length;
} page_file;

/* By its name in the address, after the token; empty: the page itself. False: there is none. */
bool page_find(const char *name, page_file *out);
