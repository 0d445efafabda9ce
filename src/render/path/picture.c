#include "render/path/picture.h"

#include "io/file.h"

#include <string.h>

void picture_clear(rill_ctx *ctx, path_picture *p)
{
    mem_free(ctx, p->rgb);
    *p = (path_picture){0};
}

rill_status picture_create(rill_ctx *ctx, int width, int height, path_picture *out)
{
    float *rgb = NULL;
    TRY(MEM_NEW_ZERO(ctx, rgb, 3 * (size_t)width * (size_t)height));
    *out = (path_picture){width, height, rgb};
    return RILL_OK;
}

uint16_t picture_half(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, 4);
    const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    const float size = fabsf(x);
    if (!(size == size)) return 0;
    if (size > 65504) return sign | 0x7bff; /* the largest */
    bits &= 0x7fffffff;
    if (bits < 0x38800000) /* below 2^-14: whole multiples of 2^-24 */
        return sign | (uint16_t)lrintf(size * 0x1p24f);
    const uint32_t odd = bits >> 13 & 1;
    return sign | (uint16_t)((bits - 0x38000000 + 0xfff + odd) >> 13);
}

/* ---- OpenEXR: a header of attributes, the places of the lines, the lines ---- */

typedef struct {
    uint8_t *data;
    size_t length;
} bytes;

static void put(bytes *b, const void *from, size_t count)
{
    memcpy(b->data + b->length, from, count);
    b->length += count;
}

/* Numbers are little-endian in the file as they are in memory (x86-64). */
static void put_int(bytes *b, int32_t value)
{
    put(b, &value, 4);
}

static void put_text(bytes *b, const char *text)
{
    put(b, text, strlen(text) + 1);
}

static void put_attribute(bytes *b, const char *name, const char *type, int32_t size)
{
    put_text(b, name);
    put_text(b, type);
    put_int(b, size);
}

static void put_header(bytes *b, const path_picture *p, bool half)
{
    static const uint8_t magic[8] = {0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0}, zero[12] = {0};
    const float one = 1;
    const int32_t window[4] = {0, 0, p->width - 1, p->height - 1};
    put(b, magic, sizeof magic);
    put_attribute(b, "channels", "chlist", 3 * 18 + 1);
    for (int k = 0; k < 3; k++) { /* in alphabetical order */
        const char name[2] = {"BGR"[k], 0};
        put_text(b, name);
        put_int(b, half ? 1 : 2);
        put(b, zero, 4);
        put_int(b, 1), put_int(b, 1);
    }
    put(b, zero, 1);
    put_attribute(b, "compression", "compression", 1), put(b, zero, 1);
    put_attribute(b, "dataWindow", "box2i", 16), put(b, window, 16);
    put_attribute(b, "displayWindow", "box2i", 16), put(b, window, 16);
    put_attribute(b, "lineOrder", "lineOrder", 1), put(b, zero, 1);
    put_attribute(b, "pixelAspectRatio", "float", 4), put(b, &one, 4);
    put_attribute(b, "screenWindowCenter", "v2f", 8), put(b, zero, 8);
    put_attribute(b, "screenWindowWidth", "float", 4), put(b, &one, 4);
    put(b, zero, 1);
}

static void put_line(bytes *b, const path_picture *p, int y, bool half)
{
    const float *line = &p->rgb[3 * (size_t)y * (size_t)p->width];
    put_int(b, y);
    put_int(b, 3 * p->width * (half ? 2 : 4));
    for (int k = 2; k >= 0; k--)
        for (int x = 0; x < p->width; x++) {
            const float value = line[3 * x + k];
            const uint16_t short_value = picture_half(value);
            put(b, half ? (const void *)&short_value : (const void *)&value, half ? 2 : 4);
        }
}

rill_status picture_write_exr(rill_ctx *ctx, const char *path, const path_picture *p, bool half)
{
    enum { HEADER = 1024 };
    const size_t line = 8 + 3 * (size_t)p->width * (half ? 2 : 4), lines = (size_t)p->height;
    bytes b = {0};
    TRY(MEM_NEW(ctx, b.data, HEADER + lines * (8 + line)));
    put_header(&b, p, half);
    const size_t first = b.length + 8 * lines;
    for (size_t y = 0; y < lines; y++) {
        const uint64_t place = first + y * line;
        put(&b, &place, 8);
    }
    for (int y = 0; y < p->height; y++) put_line(&b, p, y, half);
    const rill_status st = file_write_all(ctx, path, b.data, b.length);
    mem_free(ctx, b.data);
    return st;
}
