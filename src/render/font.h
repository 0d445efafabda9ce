/* Letters of 5 x 7 dots. */
#pragma once

#include <stdint.h>

enum { FONT_COLUMNS = 5, FONT_ROWS = 7 };

/* Column by column, the lowest bit on top. Printable ASCII; others give '?'. */
const uint8_t *font_glyph(unsigned char letter);
