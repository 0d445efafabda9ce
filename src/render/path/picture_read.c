/* Radiance .hdr and .pfm files: texts of a header, then numbers; PNG files. */
#include "base/plain.h"
#include "io/file.h"
#include "render/path/picture.h"
#include "render/render.h"
#include "render/shade.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 32768 }; /* pixels along a side */
static const uint64_t most_bytes = (uint64_t)1 << 32;

typedef struct {
    rill_ctx *ctx;
    const char *path;
    const uint8_t *at, *end;
    path_picture picture;
} input;

static rill_status bad(const input *in, const char *cause)
{
    return rill_fail(in->ctx, RILL_BAD_FILE, "%s: %s", in->path, cause);
}

/* The next line of the header, without its end; at most `size` - 1 characters of it. */
static bool next_line(input *in, char *line, size_t size)
{
    const uint8_t *end = memchr(in->at, '\n', (size_t)(in->end - in->at));
    if (!end) return false;
    const size_t length = (size_t)(end - in->at), kept = length < size ? length : size - 1;
    memcpy(line, in->at, kept);
    line[kept] = 0;
    in->at = end + 1;
    return true;
}

/* row: bytes that a row has at least, so that no memory is taken for what the file cannot hold. */
static rill_status begin(input *in, long width, long height, size_t row)
{
    if (width < 1 || height < 1 || width > LARGEST || height > LARGEST)
        return bad(in, "each side of the image must have 1 to 32768 pixels");
    if ((size_t)(in->end - in->at) / row < (size_t)height) return bad(in, "the file ends too early");
    return picture_create(in->ctx, (int)width, (int)height, &in->picture);
}

static float sound(float x)
{
    return x > 0 && x <= 3e38f ? x : 0;
}

/* ---- .pfm: "PF" or "Pf", width and height, a scale whose sign tells the order of bytes; rows from below */

static rill_status read_pfm(input *in)
{
    char line[128], *rest = NULL;
    const int channels = in->at[1] == 'F' ? 3 : 1;
    if (!next_line(in, line, sizeof line) || !next_line(in, line, sizeof line))
        return bad(in, "the header of the .pfm file is not complete");
    const long width = strtol(line, &rest, 10), height = strtol(rest, NULL, 10);
    if (!next_line(in, line, sizeof line)) return bad(in, "the header of the .pfm file is not complete");
    const locale_t before = plain_begin();
    const bool little = strtod(line, NULL) < 0;
    plain_end(before);
    TRY(begin(in, width, height, 4 * (size_t)channels * (size_t)(width > 0 ? width : 1)));
    for (long y = height - 1; y >= 0; y--)
        for (long x = 0; x < width; x++)
            for (int k = 0; k < 3; k++) {
                const uint8_t *b = in->at + 4 * (channels == 3 ? k : 0);
                uint32_t bits =
                    little
                        ? (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24
                        : (uint32_t)b[3] | (uint32_t)b[2] << 8 | (uint32_t)b[1] << 16 | (uint32_t)b[0] << 24;
                float value;
                memcpy(&value, &bits, 4);
                in->picture.rgb[3 * (y * width + x) + k] = sound(value);
                if (k == 2) in->at += 4 * channels;
            }
    return RILL_OK;
}

/* ---- .hdr: colours with a common exponent, lines packed by repetition ---- */

/* One line of 4 x width bytes, by components or, in old files, plain. */
static bool unpack(input *in, uint8_t *line, size_t width)
{
    if (in->end - in->at < 4) return false;
    const bool packed = width >= 8 && width < 32768 && in->at[0] == 2 && in->at[1] == 2 &&
                        (size_t)(in->at[2] << 8 | in->at[3]) == width;
    if (!packed) {
        if ((size_t)(in->end - in->at) < 4 * width) return false;
        for (size_t x = 0; x < width; x++)
            for (int k = 0; k < 4; k++) line[(size_t)k * width + x] = *in->at++;
        return true;
    }
    in->at += 4;
    for (size_t x = 0; x < 4 * width;) {
        const size_t part_end = (x / width + 1) * width;
        if (in->end - in->at < 2) return false;
        const size_t code = *in->at++, count = code > 128 ? code - 128 : code;
        if (count == 0 || x + count > part_end) return false;
        if (code > 128) {
            memset(line + x, *in->at++, count);
        } else {
            if ((size_t)(in->end - in->at) < count) return false;
            memcpy(line + x, in->at, count);
            in->at += count;
        }
        x += count;
    }
    return true;
}

static rill_status read_hdr(input *in)
{
    char line[256];
    do {
        if (!next_line(in, line, sizeof line)) return bad(in, "the header of the .hdr file is not complete");
    } while (line[0]);
    if (!next_line(in, line, sizeof line)) return bad(in, "the header of the .hdr file is not complete");
    if (strncmp(line, "-Y ", 3) != 0)
        return bad(in, "only .hdr images whose rows go from the top down and left to right can be read");
    char *rest = NULL;
    const long height = strtol(line + 3, &rest, 10);
    if (strncmp(rest, " +X ", 4) != 0)
        return bad(in, "only .hdr images whose rows go from the top down and left to right can be read");
    const long width = strtol(rest + 4, NULL, 10);
    TRY(begin(in, width, height, 4 + 8 * (size_t)(width > 8 ? width / 128 : 0)));
    uint8_t *row = NULL;
    TRY(MEM_NEW(in->ctx, row, 4 * (size_t)width));
    rill_status st = RILL_OK;
    for (long y = 0; y < height && !st; y++) {
        if (!unpack(in, row, (size_t)width)) {
            st = bad(in, "the .hdr file is damaged or ends too early");
            break;
        }
        for (long x = 0; x < width; x++) {
            const int exponent = row[3 * width + x];
            for (int k = 0; k < 3; k++)
                in->picture.rgb[3 * (y * width + x) + k] =
                    exponent ? ldexpf((float)row[k * width + x] + 0.5f, exponent - 136) : 0;
        }
    }
    mem_free(in->ctx, row);
    return st;
}

/* ---- PNG: bytes of sRGB */

static rill_status read_png(input *in)
{
    image bytes = {0};
    TRY(image_decode_png(in->ctx, in->path, in->at, (size_t)(in->end - in->at), &bytes));
    const rill_status st = picture_create(in->ctx, bytes.width, bytes.height, &in->picture);
    for (size_t i = 0; !st && i < (size_t)bytes.width * (size_t)bytes.height; i++) {
        const rill_vec3 c = color_from_srgb(&bytes.rgb[3 * i]);
        in->picture.rgb[3 * i] = (float)c.x;
        in->picture.rgb[3 * i + 1] = (float)c.y;
        in->picture.rgb[3 * i + 2] = (float)c.z;
    }
    image_clear(in->ctx, &bytes);
    return st;
}

rill_status picture_read(rill_ctx *ctx, const char *path, path_picture *out)
{
    char *data = NULL;
    size_t length = 0;
    TRY(file_read_all(ctx, path, most_bytes, &data, &length));
    input in = {.ctx = ctx, .path = path, .at = (const uint8_t *)data, .end = (const uint8_t *)data + length};
    rill_status st;
    if (length > 2 && data[0] == 'P' && (data[1] == 'F' || data[1] == 'f'))
        st = read_pfm(&in);
    else if (length > 2 && data[0] == '#' && data[1] == '?')
        st = read_hdr(&in);
    else if (length > 8 && (uint8_t)data[0] == 0x89 && data[1] == 'P')
        st = read_png(&in);
    else
        st = bad(&in, "this is no Radiance .hdr, .pfm or PNG file");
    mem_free(ctx, data);
    if (st)
        picture_clear(ctx, &in.picture);
    else
        *out = in.picture;
    return st;
}
