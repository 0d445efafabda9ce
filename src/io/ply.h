/* PLY files: particles and triangle meshes, as Blender, Houdini,
 * MeshLab and the Python readers open them.
 *
 * Written as binary little endian; ascii and both binary orders are read.
 *
 * Particles: element "vertex" with double x y z, float vx vy vz, one float per named
 * column, and the 64-bit id as uint id_low id_high (PLY has no wider integer).
 * Meshes: element "vertex" with float x y z, nx ny nz when there are normals, columns
 * (one of width 3 as NAME_x NAME_y NAME_z, "velocity" as vx vy vz), and element "face"
 * with "list uchar int vertex_indices". Comments give version, time and frame.
 *
 * Reading takes any order and any scalar types, skips elements and properties it does
 * not know, cuts polygons into triangles (geom/mesh/polygon.h), and trusts nothing: counts are checked
 * against the length of the file before anything is allocated, indices against the vertices, and values that
 * are not finite are refused. Failures are RILL_BAD_FILE, with the line of the header or of an ascii file, or
 * the byte of a binary one. */
#pragma once

#include "flow/particles.h"
#include "geom/mesh/trimesh.h"

typedef enum ply_type {
    PLY_I8,
    PLY_U8,
    PLY_I16,
    PLY_U16,
    PLY_I32,
    PLY_U32,
    PLY_F32,
    PLY_F64,
    PLY_TYPES
} ply_type;

typedef enum ply_format { PLY_LITTLE_ENDIAN, PLY_BIG_ENDIAN, PLY_ASCII } ply_format;

#define PLY_LARGEST ((uint64_t)1 << 36) /* bytes of a file */
enum { PLY_NAME = 48, PLY_MAX_ELEMENTS = 8, PLY_MAX_PROPERTIES = 40, PLY_MAX_HEADER = 1 << 16 };

typedef struct ply_property {
    char name[PLY_NAME];
    ply_type type;
    bool list;
    ply_type count_type; /* of a list */
    double min, max;     /* by ply_inspect, of a scalar; min > max: no element, or none finite */
    uint64_t not_finite; /* by ply_inspect: how many values */
} ply_property;

typedef struct ply_element {
    char name[PLY_NAME];
    uint64_t count;
    ply_property property[PLY_MAX_PROPERTIES];
    uint32_t property_count;
    size_t record; /* bytes of one in binary; with lists the least there can be */
    bool lists;
    int line; /* of the header */
} ply_element;

typedef struct ply_header {
    ply_element element[PLY_MAX_ELEMENTS];
    uint32_t element_count;
    ply_format format;
    char version[PLY_NAME]; /* "rill 0.2.0"; empty when another program wrote it */
    double time;            /* NAN when the file does not say */
    int64_t frame;          /* -1 likewise */
    size_t bytes;           /* of the header */
    int lines;              /* likewise */
} ply_header;

RILL_CHECKED rill_status ply_write_particles(rill_ctx *ctx, const char *path, const particles *p, double time,
                                             int64_t frame);
RILL_CHECKED rill_status ply_write_mesh(rill_ctx *ctx, const char *path, const trimesh *m, double time,
                                        int64_t frame);

/* out is replaced (what it held is freed); header may be NULL. */
RILL_CHECKED rill_status ply_read_particles(rill_ctx *ctx, const char *path, particles *out,
                                            ply_header *header);
RILL_CHECKED rill_status ply_read_mesh(rill_ctx *ctx, const char *path, trimesh *out, ply_header *header);
/* What is in a file: elements, properties and their ranges. */
RILL_CHECKED rill_status ply_inspect(rill_ctx *ctx, const char *path, ply_header *out);

/* The words of a type, for messages: "float". */
const char *ply_type_word(ply_type type);

/* Used by the readers; tests and fuzzers call them on bytes in memory. `name` is what
 * messages call the file. */
RILL_CHECKED rill_status ply_parse_header(rill_ctx *ctx, const char *name, const char *bytes, size_t length,
                                          ply_header *out);
RILL_CHECKED rill_status ply_parse_particles(rill_ctx *ctx, const char *name, const char *bytes,
                                             size_t length, particles *out, ply_header *header);
RILL_CHECKED rill_status ply_parse_mesh(rill_ctx *ctx, const char *name, const char *bytes, size_t length,
                                        trimesh *out, ply_header *header);
size_t ply_type_size(ply_type type);
double ply_value(const uint8_t *at, ply_type type);
