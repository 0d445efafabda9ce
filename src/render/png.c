/* PNG files through libpng.
 *
 * The file is made in memory and then written whole, so that libpng's jumps never
 * cross an open file. Memory comes from the context. Light compression: a picture
 * takes milliseconds, and the same picture always gives the same bytes. */
#include "io/file.h"
#include "render/render.h"

#include <png.h>
#include <setjmp.h>
#include <string.h>

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
static void encode(encoder *e, png_structp png, png_infop info, const image *im)
{
    if (setjmp(png_jmpbuf(png))) return;
    png_set_write_fn(png, e, on_bytes, on_flush);
    png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
    png_set_IHDR(png, info, (png_uint_32)im->width, (png_uint_32)im->height, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_set_compression_level(png, 2);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
    png_write_info(png, info);
    for (int y = 0; y < im->height; y++) png_write_row(png, im->rgb + 3 * (size_t)im->width * (size_t)y);
    png_write_end(png, info);
}

rill_status image_write_png(rill_ctx *ctx, const char *path, const image *im)
{
    encoder e = {.ctx = ctx};
    png_structp png =
        png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &e, on_error, on_warning, &e, take, give_back);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (info)
        encode(&e, png, info, im);
    else if (!e.status)
        e.status = mem_failed(ctx, 1, 1024);
    if (png) png_destroy_write_struct(&png, &info);
    if (!e.status) e.status = file_write_all(ctx, path, e.data, e.length);
    mem_free(ctx, e.data);
    return e.status;
}
