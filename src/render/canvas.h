/* Drawing on an image: lines, boxes, letters, other images. Coordinates are pixels, the
 * origin the top left corner. Everything is cut at the edges. */
#pragma once

#include "render/render.h"

typedef struct rgb {
    uint8_t r, g, b;
} rgb;

RILL_CHECKED rill_status canvas_create(rill_ctx *ctx, int width, int height, rgb paper, image *out);

void canvas_fill(image *im, int x, int y, int width, int height, rgb color);
/* A line of the given width with soft edges. */
void canvas_line(image *im, double x0, double y0, double x1, double y1, double width, rgb color);
void canvas_disc(image *im, double x, double y, double radius, rgb color);

/* Letters of 5 x 7 dots, `scale` pixels a dot. Printable ASCII; others become '?'. */
enum { CANVAS_LETTER_WIDTH = 6, CANVAS_LETTER_HEIGHT = 9 }; /* with their gaps, in dots */
int canvas_text_width(const char *string, int scale);
void canvas_text(image *im, int x, int y, int scale, rgb color, const char *string);

/* `from`, shrunk or enlarged to width x height, each pixel the mean of what it covers. */
void canvas_image(image *im, int x, int y, int width, int height, const image *from);
