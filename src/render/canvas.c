#include "render/canvas.h"

#include "render/font.h"

#include <math.h>
#include <string.h>

rill_status canvas_create(rill_ctx *ctx, int width, int height, rgb paper, image *out)
{
    image im = {width, height, NULL};
    TRY(MEM_NEW(ctx, im.rgb, (size_t)width * (size_t)height * 3));
    canvas_fill(&im, 0, 0, width, height, paper);
    *out = im;
    return RILL_OK;
}

static uint8_t *pixel_at(const image *im, int x, int y)
{
    return im->rgb + 3 * ((size_t)y * (size_t)im->width + (size_t)x);
}

static int clamp(int v, int low, int high)
{
    return v < low ? low : v > high ? high : v;
}

static void blend(image *im, int x, int y, rgb c, double cover)
{
    if (x < 0 || y < 0 || x >= im->width || y >= im->height || !(cover > 0)) return;
    if (cover > 1) cover = 1;
    uint8_t *p = pixel_at(im, x, y);
    p[0] = (uint8_t)(p[0] + cover * (c.r - p[0]) + 0.5);
    p[1] = (uint8_t)(p[1] + cover * (c.g - p[1]) + 0.5);
    p[2] = (uint8_t)(p[2] + cover * (c.b - p[2]) + 0.5);
}

void canvas_fill(image *im, int x, int y, int width, int height, rgb color)
{
    const int x1 = clamp(x + width, 0, im->width), y1 = clamp(y + height, 0, im->height);
    for (int j = clamp(y, 0, im->height); j < y1; j++)
        for (int i = clamp(x, 0, im->width); i < x1; i++) {
            uint8_t *p = pixel_at(im, i, j);
            p[0] = color.r, p[1] = color.g, p[2] = color.b;
        }
}

/* Pixels of the box around the segment, by their distance to it. Long lines are cut into
 * short ones first, so that a slanted one does not visit a whole square. */
static void short_line(image *im, double x0, double y0, double x1, double y1, double width, rgb color,
                       bool begins, bool ends)
{
    const double reach = 0.5 * width + 1, dx = x1 - x0, dy = y1 - y0, squared = dx * dx + dy * dy;
    const int left = clamp((int)floor(fmin(x0, x1) - reach), 0, im->width),
              right = clamp((int)ceil(fmax(x0, x1) + reach), 0, im->width),
              top = clamp((int)floor(fmin(y0, y1) - reach), 0, im->height),
              bottom = clamp((int)ceil(fmax(y0, y1) + reach), 0, im->height);
    for (int j = top; j < bottom; j++)
        for (int i = left; i < right; i++) {
            const double px = i + 0.5 - x0, py = j + 0.5 - y0;
            double t = squared > 0 ? (px * dx + py * dy) / squared : 0;
            if ((t < 0 && !begins) || (t >= 1 && !ends)) continue; /* the next part's */
            t = t < 0 ? 0 : t > 1 ? 1 : t;
            const double off = hypot(px - t * dx, py - t * dy);
            blend(im, i, j, color, 0.5 * width + 0.5 - off);
        }
}

void canvas_line(image *im, double x0, double y0, double x1, double y1, double width, rgb color)
{
    if (!isfinite(x0) || !isfinite(y0) || !isfinite(x1) || !isfinite(y1)) return;
    const double length = hypot(x1 - x0, y1 - y0);
    const int parts = length > 1e5 ? 1 : (int)(length / 16) + 1;
    for (int k = 0; k < parts; k++) {
        const double a = (double)k / parts, b = (double)(k + 1) / parts;
        short_line(im, x0 + a * (x1 - x0), y0 + a * (y1 - y0), x0 + b * (x1 - x0), y0 + b * (y1 - y0), width,
                   color, k == 0, k == parts - 1);
    }
}

void canvas_disc(image *im, double x, double y, double radius, rgb color)
{
    if (!isfinite(x) || !isfinite(y)) return;
    const int left = clamp((int)floor(x - radius - 1), 0, im->width),
              right = clamp((int)ceil(x + radius + 1), 0, im->width),
              top = clamp((int)floor(y - radius - 1), 0, im->height),
              bottom = clamp((int)ceil(y + radius + 1), 0, im->height);
    for (int j = top; j < bottom; j++)
        for (int i = left; i < right; i++)
            blend(im, i, j, color, radius + 0.5 - hypot(i + 0.5 - x, j + 0.5 - y));
}

int canvas_text_width(const char *string, int scale)
{
    return (int)strlen(string) * CANVAS_LETTER_WIDTH * scale;
}

void canvas_text(image *im, int x, int y, int scale, rgb color, const char *string)
{
    for (int n = 0; string[n]; n++) {
        const uint8_t *glyph = font_glyph((unsigned char)string[n]);
        for (int column = 0; column < FONT_COLUMNS; column++)
            for (int row = 0; row < FONT_ROWS; row++) {
                if (!(glyph[column] >> row & 1)) continue;
                canvas_fill(im, x + (n * CANVAS_LETTER_WIDTH + column) * scale, y + row * scale, scale, scale,
                            color);
            }
    }
}

/* The mean of the source over [x0, x1) x [y0, y1), whole pixels of it. */
static rgb mean_of(const image *from, int x0, int y0, int x1, int y1)
{
    uint64_t sum[3] = {0}, count = 0;
    for (int j = y0; j < y1; j++)
        for (int i = x0; i < x1; i++, count++) {
            const uint8_t *p = pixel_at(from, i, j);
            for (int k = 0; k < 3; k++) sum[k] += p[k];
        }
    return (rgb){(uint8_t)(sum[0] / count), (uint8_t)(sum[1] / count), (uint8_t)(sum[2] / count)};
}

void canvas_image(image *im, int x, int y, int width, int height, const image *from)
{
    for (int j = 0; j < height; j++)
        for (int i = 0; i < width; i++) {
            const int x0 = (int)((int64_t)i * from->width / width),
                      x1 = (int)((int64_t)(i + 1) * from->width / width),
                      y0 = (int)((int64_t)j * from->height / height),
                      y1 = (int)((int64_t)(j + 1) * from->height / height);
            if (x + i < 0 || y + j < 0 || x + i >= im->width || y + j >= im->height) continue;
            const rgb c = mean_of(from, x0, y0, x1 > x0 ? x1 : x0 + 1, y1 > y0 ? y1 : y0 + 1);
            uint8_t *p = pixel_at(im, x + i, y + j);
            p[0] = c.r, p[1] = c.g, p[2] = c.b;
        }
}
