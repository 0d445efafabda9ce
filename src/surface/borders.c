#include "surface/borders.h"

#include <math.h>

bool borders_boxed(const borders *b)
{
    bool wide = true;
    for (int axis = 0; axis < b->dimensions; axis++)
        wide &= v3_axis(b->box.max, axis) > v3_axis(b->box.min, axis);
    return wide;
}

bool borders_any(const borders *b)
{
    return b->walls || borders_boxed(b);
}

double borders_distance(const borders *b, rill_vec3 x)
{
    double least = b->walls ? solids_distance(b->walls, x, b->time, NULL) : INFINITY;
    if (!borders_boxed(b)) return least;
    for (int axis = 0; axis < b->dimensions; axis++) {
        const double at = v3_axis(x, axis);
        least = fmin(least, fmin(at - v3_axis(b->box.min, axis), v3_axis(b->box.max, axis) - at));
    }
    return least;
}

/* Samples first .. first + size - 1 along each axis. */
static float middle_of(const borders *b, rill_vec3 corner, double cell, int layers, const int first[3],
                       int size, float *reach)
{
    const double half = 0.5 * (size - 1);
    const rill_vec3 x =
        v3_madd(corner, cell, v3(first[0] + half, first[1] + half, layers == 1 ? 0 : first[2] + half));
    *reach = (float)(half * (layers == 1 ? M_SQRT2 : 1.7320508075688772)) + 1.1f;
    const double d = borders_distance(b, x) / cell - 1e-3; /* on a border is beyond it: two may touch there */
    return d < 1e6 ? (float)d : 1e6f;
}

border_side borders_side(const borders *b, rill_vec3 corner, double cell, int layers)
{
    const int first[3] = {0, 0, 0};
    float reach;
    const float d = middle_of(b, corner, cell, layers, first, LEVEL_BLOCK, &reach);
    return d > reach ? BORDER_INSIDE : d < -reach ? BORDER_OUTSIDE : BORDER_BOTH;
}

/* By halves: a cube of samples that is farther from the border than it is wide needs no more questions. */
static void sample_cube(const borders *b, rill_vec3 corner, double cell, int layers, const int first[3],
                        int size, float *out)
{
    float reach;
    const float d = middle_of(b, corner, cell, layers, first, size, &reach);
    const int deep = layers == 1 ? 1 : size;
    if (size == 1 || fabsf(d) > reach) {
        for (int k = 0; k < deep; k++)
            for (int j = 0; j < size; j++)
                for (int i = 0; i < size; i++)
                    out[((first[2] + k) * LEVEL_BLOCK + first[1] + j) * LEVEL_BLOCK + first[0] + i] = d;
        return;
    }
    const int half = size / 2;
    for (int part = 0; part < (layers == 1 ? 4 : 8); part++) {
        const int at[3] = {first[0] + half * (part & 1), first[1] + half * (part >> 1 & 1),
                           first[2] + half * (part >> 2)};
        sample_cube(b, corner, cell, layers, at, half, out);
    }
}

void borders_sample(const borders *b, rill_vec3 corner, double cell, int layers, float *out)
{
    const int first[3] = {0, 0, 0};
    sample_cube(b, corner, cell, layers, first, LEVEL_BLOCK, out);
}
