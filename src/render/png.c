/* PNG files through libpng.
 *
 * The file is made in memory and then written whole, so that libpng's jumps never
 * cross an open file. Memory comes from the context. Light compression: a picture
 * takes milliseconds, and the same picture always gives the same bytes. */
#include "io/file.h"
#include "render/render.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static const char note_key[] = "Rill"; /* of the chunk of a note */

typedef struct encoder {
    rill_ctx *ctx;
    uint8_t *data;
    size_t length, capacity;
    rill_status status;
} encoder;

static void *take(png_structp png, png_alloc_size_t bytes)
{
    encoder *e = png_get_mem_ptr(png);
    void *p = mem_alloc(e->ctx, bytes, 1);
    if (!p) e->status = mem_failed(e->ctx, bytes, 1);
    return p;
}

static void give_back(png_structp png, png_voidp memory)
{
    const encoder *e = png_get_mem_ptr(png);
    mem_free(e->ctx, memory);
}

static void on_error(png_structp png, png_const_charp message)
{
    encoder *e = png_get_error_ptr(png);
    if (e->status == RILL_OK)
        e->status = rill_fail(e->ctx, RILL_DISK, "the picture cannot be written as PNG: %s", message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png, (void)message;
}

static void on_bytes(png_structp png, png_bytep bytes, size_t count)
{
    encoder *e = png_get_io_ptr(png);
    const rill_status st = mem_grow(e->ctx, &e->data, 1, &e->capacity, e->length + count);
    if (st) {
        e->status = st;
        png_error(png, "out of memory");
    }
    memcpy(e->data + e->length, bytes, count);
    e->length += count;
}

static void on_flush(png_structp png)
{
    (void)png;
}

/* Between setjmp and the end nothing but e is changed, and e is the caller's. */
static void encode(encoder *e, png_structp png, png_infop info, const image *im, const char *note)
{
    if (setjmp(png_jmpbuf(png))) return;
    png_set_write_fn(png, e, on_bytes, on_flush);
    png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
    png_set_IHDR(png, info, (png_uint_32)im->width, (png_uint_32)im->height, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    if (note) {
        png_text said = {.compression = PNG_TEXT_COMPRESSION_NONE,
                         .key = (char *)(uintptr_t)note_key,
                         .text = (char *)(uintptr_t)note};
        png_set_text(png, info, &said, 1);
    }
    png_set_compression_level(png, 2);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
    png_write_info(png, info);
    for (int y = 0; y < im->height; y++) png_write_row(png, im->rgb + 3 * (size_t)im->width * (size_t)y);
    png_write_end(png, info);
}

rill_status image_write_png(rill_ctx *ctx, const char *path, const image *im)
{
    return image_write_noted(ctx, path, im, NULL);
}

rill_status image_write_noted(rill_ctx *ctx, const char *path, const image *im, const char *note)
{
    encoder e = {.ctx = ctx};
    png_structp png =
        png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &e, on_error, on_warning, &e, take, give_back);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (info)
        encode(&e, png, info, im, note);
    else if (!e.status)
        e.status = mem_failed(ctx, 1, 1024);
    if (png) png_destroy_write_struct(&png, &info);
    if (!e.status) e.status = file_write_all(ctx, path, e.data, e.length);
    mem_free(ctx, e.data);
    return e.status;
}

/* ---- reading ---- */

typedef struct decoder {
    encoder common; /* memory and errors; first, as they know it */
    const char *name;
    const uint8_t *at, *end;
    image picture;
    png_bytep *row; /* owned */
} decoder;

static void on_bad_file(png_structp png, png_const_charp message)
{
    decoder *d = png_get_error_ptr(png);
    if (d->common.status == RILL_OK)
        d->common.status = rill_fail(d->common.ctx, RILL_BAD_FILE, "%s: %s", d->name, message);
    png_longjmp(png, 1);
}

static void on_wanted(png_structp png, png_bytep out, size_t count)
{
    decoder *d = png_get_io_ptr(png);
    if ((size_t)(d->end - d->at) < count) png_error(png, "the file ends too early");
    memcpy(out, d->at, count);
    d->at += count;
}

/* To three bytes a pixel; all that it allocates is d's. */
static void decode(decoder *d, png_structp png, png_infop info)
{
    enum { LARGEST = 32768 };
    if (setjmp(png_jmpbuf(png))) return;
    png_set_read_fn(png, d, on_wanted);
    png_set_user_limits(png, LARGEST, LARGEST);
    png_read_info(png, info);
    png_set_expand(png);
    png_set_strip_16(png);
    png_set_strip_alpha(png);
    png_set_gray_to_rgb(png);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    const size_t width = png_get_image_width(png, info), height = png_get_image_height(png, info);
    /* no memory for what such a file cannot hold: deflate packs at most 1032 to 1 */
    if (width * height > 1200 * (size_t)(d->end - d->at) + 4096) png_error(png, "the file ends too early");
    if (png_get_rowbytes(png, info) != 3 * width) png_error(png, "not a picture of red, green and blue");
    d->picture = (image){(int)width, (int)height, mem_alloc(d->common.ctx, 3 * width, height)};
    d->row = mem_alloc(d->common.ctx, height, sizeof *d->row);
    if (!d->picture.rgb || !d->row) {
        d->common.status = mem_failed(d->common.ctx, 3 * width, height);
        png_error(png, "out of memory");
    }
    for (size_t y = 0; y < height; y++) d->row[y] = d->picture.rgb + 3 * width * y;
    png_read_image(png, d->row);
    png_read_end(png, NULL);
}

rill_status image_decode_png(rill_ctx *ctx, const char *name, const uint8_t *bytes, size_t length, image *out)
{
    decoder d = {.common = {.ctx = ctx}, .name = name, .at = bytes, .end = bytes + length};
    png_structp png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &d, on_bad_file, on_warning, &d.common,
                                               take, give_back);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (info)
        decode(&d, png, info);
    else if (!d.common.status)
        d.common.status = mem_failed(ctx, 1, 1024);
    if (png) png_destroy_read_struct(&png, info ? &info : NULL, NULL);
    mem_free(ctx, d.row);
    if (d.common.status)
        image_clear(ctx, &d.picture);
    else
        *out = d.picture;
    return d.common.status;
}

/* ---- notes ---- */

static uint32_t big_endian(const uint8_t *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

bool image_note(const char *path, char *out, size_t capacity)
{
    enum { HEAD = 8, LARGEST = 4096 };
    static const uint8_t signature[HEAD] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    uint8_t head[HEAD], data[LARGEST];
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    bool found = false, good = fread(head, 1, HEAD, file) == HEAD && memcmp(head, signature, HEAD) == 0;
    while (good && !found) { /* chunks up to the picture itself: length, kind, data, checksum */
        good = fread(head, 1, HEAD, file) == HEAD && memcmp(head + 4, "IDAT", 4) != 0;
        const size_t length = good ? big_endian(head) : 0;
        good = good && length <= LARGEST && fread(data, 1, length, file) == length &&
               fseek(file, 4, SEEK_CUR) == 0;
        const size_t key = sizeof note_key;
        if (!good || memcmp(head + 4, "tEXt", 4) != 0 || length < key || memcmp(data, note_key, key) != 0 ||
            length - key >= capacity)
            continue;
        memcpy(out, data + key, length - key);
        out[length - key] = 0;
        found = true;
    }
    fclose(file);
    return found;
}
