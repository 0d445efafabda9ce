/* Colour spaces, the tone curve and the colour map. */
#include "render/shade.h"

static double decode(double v)
{
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static uint8_t encode(double v)
{
    v = !(v > 0) ? 0 : v > 1 ? 1 : v; /* not a number: black */
    v = v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055;
    return (uint8_t)(v * 255 + 0.5);
}

/* The filmic curve fitted by Narkowicz 2015. */
static double film(double x)
{
    x = fmax(x, 0);
    return x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14);
}

rill_vec3 color_from_srgb(const uint8_t rgb[3])
{
    return v3(decode(rgb[0] / 255.0), decode(rgb[1] / 255.0), decode(rgb[2] / 255.0));
}

void color_to_srgb(rill_vec3 c, bool tone, uint8_t rgb[3])
{
    if (tone) c = v3(film(c.x), film(c.y), film(c.z));
    rgb[0] = encode(c.x);
    rgb[1] = encode(c.y);
    rgb[2] = encode(c.z);
}

void color_map(double x, uint8_t rgb[3])
{
    static const uint8_t table[][3] = {{68, 1, 84},    {72, 40, 120},  {62, 73, 137},  {49, 104, 142},
                                       {38, 130, 142}, {31, 158, 137}, {53, 183, 121}, {110, 206, 88},
                                       {181, 222, 43}, {253, 231, 37}};
    enum { LAST = sizeof table / sizeof *table - 1 };
    const double at = !(x > 0) ? 0 : x > 1 ? LAST : x * LAST;
    const int i = at < LAST ? (int)at : LAST - 1;
    for (int k = 0; k < 3; k++)
        rgb[k] = (uint8_t)(table[i][k] + (at - i) * (table[i + 1][k] - table[i][k]) + 0.5);
}
