/* Frames as the page receives them: compact, and cheap to decode.
 *
 * Everything is little endian. A frame file is a header and then channels of integers,
 * one after the other:
 *
 *     offset  type   what
 *          0  u32    WIRE_MAGIC, "RILW"
 *          4  u32    version, 1
 *          8  u32    flags: WIRE_NORMALS, WIRE_COLUMN, WIRE_COLORS, WIRE_SIZES
 *         12  u32    count of points or vertices
 *         16  u32    count of triangles; 0 for points
 *         20  f32    quantum: metres a unit of the positions
 *         24  f64    time, s
 *         32  f64x3  origin of the positions
 *         56  f32x2  low, high: values of the column's levels 0 and WIRE_LEVELS
 *         64  f32x2  2nd and 98th percentile of the column, from samples
 *         72  u32x2  0
 *         80         channels: x, y, z; with WIRE_NORMALS two octahedral coordinates of
 *                    WIRE_NORMAL_LEVELS; with WIRE_COLUMN its levels; with WIRE_COLORS red,
 *                    green and blue, each the square root of linear light in
 *                    WIRE_COLOR_LEVELS; with WIRE_SIZES the points' own spacings over the
 *                    scene's, as WIRE_OCTAVE times their base-2 logarithm, within
 *                    WIRE_SIZE_MOST; with triangles their 3 * triangles vertex numbers
 *
 * A channel is cut into chunks of WIRE_CHUNK values. A chunk is an i32 base, a u32 number
 * of bits b (0 to 32), and WIRE_CHUNK * b / 32 words that hold the differences from the
 * base, b bits each from the lowest bit up; the last chunk is padded with zeros. Elements
 * keep the order of the run's file, where methods have sorted them in space: neighbours
 * in a chunk are neighbours in the liquid, and need few bits.
 *
 * A position is origin + quantum * value; the quantum is a thousandth of the spacing. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    WIRE_MAGIC = 0x574c4952,
    WIRE_VERSION = 1,
    WIRE_NORMALS = 1,
    WIRE_COLUMN = 2,
    WIRE_COLORS = 4,
    WIRE_SIZES = 8,
    WIRE_HEADER = 80,
    WIRE_CHUNK = 256,
    WIRE_LEVELS = 4095,
    WIRE_NORMAL_LEVELS = 2047,
    WIRE_COLOR_LEVELS = 255,
    WIRE_OCTAVE = 24,
    WIRE_SIZE_MOST = 8 * WIRE_OCTAVE
};

/* A table of numbers (statistics, gauges): u32 TABLE_MAGIC "RILT", u32 first row sent, u32 rows
 * sent, u32 columns, u32 rows of the whole table, u32 0; then the names, 64 bytes each; then the
 * values, column after column, f32, NaN where a row has none. */
enum { TABLE_MAGIC = 0x544c4952, TABLE_HEADER = 24 };

/* The poses of the solids: u32 POSES_MAGIC "RILP", u32 solids, u32 frames, f32 frames per second;
 * then for every solid, for every frame, 12 f32: the 3 x 4 matrix from the shape's own
 * coordinates to the world, row by row. */
enum { POSES_MAGIC = 0x504c4952, POSES_HEADER = 16 };

/* Smoke: u32 SMOKE_MAGIC "RILV", u32 version, u32x3 samples along x, y, z, f32 density of level SMOKE_LEVELS,
 * f64 time, f64x3 place of the first sample, f64 cell, f32 density that 98 of 100 samples with smoke are
 * below, u32 0; then one channel of levels, x fastest: the square root of the density's share. */
enum { SMOKE_MAGIC = 0x564c4952, SMOKE_HEADER = 72, SMOKE_LEVELS = 255 };
