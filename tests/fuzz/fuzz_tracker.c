/* Meshes from bytes, moved by the surface tracker. Whatever the mesh, it is refused with a status or taken;
 * once taken, the surface is sound after every step, also one that failed (the checker shares nothing with
 * the tracker), and nothing is held in the end.
 *
 * The first byte chooses: bits 0 and 1 the mesh (an octahedron, a cube, two tetrahedra, or triangles as they
 * come), 2 coordinates as doubles, 3 repair, 4 keep_volume, 5 midpoint, 6 merge from afar. The second is the
 * speed. Then a byte (or a double) for each coordinate: how far it is off, or where it is; then the
 * triangles. */
#include "fuzz.h"
#include "tracker/tracker.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VERTICES = 24, TRIANGLES = 48, STEPS = 2 };

typedef struct {
    const uint8_t *data;
    size_t left;
} bytes;

static uint8_t next(bytes *b)
{
    if (!b->left) return 0;
    b->left--;
    return *b->data++;
}

static double next_number(bytes *b, bool wide)
{
    double x = 0;
    if (!wide) return (next(b) - 128) / 128.0;
    if (b->left >= sizeof x) {
        memcpy(&x, b->data, sizeof x);
        b->data += sizeof x;
        b->left -= sizeof x;
    }
    return x;
}

typedef struct {
    rill_vec3 position[VERTICES];
    uint32_t triangle[TRIANGLES][3];
} storage;

static const rill_vec3 octahedron[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
static const uint32_t octahedron_sides[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                                {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
static const uint32_t cube_sides[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                           {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
static const uint32_t tetrahedron_sides[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

static trimesh read_mesh(bytes *b, int kind, bool wide, storage *s)
{
    trimesh m = {.position = s->position, .triangle = s->triangle};
    if (kind == 0) {
        m.vertex_count = 6, m.triangle_count = 8;
        memcpy(s->position, octahedron, sizeof octahedron);
        memcpy(s->triangle, octahedron_sides, sizeof octahedron_sides);
    } else if (kind == 1) {
        m.vertex_count = 8, m.triangle_count = 12;
        for (int i = 0; i < 8; i++) s->position[i] = v3(i & 1, i >> 1 & 1, i >> 2);
        memcpy(s->triangle, cube_sides, sizeof cube_sides);
    } else if (kind == 2) {
        m.vertex_count = 8, m.triangle_count = 8;
        for (uint32_t i = 0; i < 8; i++) {
            s->position[i] = v3(i % 4 == 1, i % 4 == 2, (i % 4 == 3) + 1.02 * (i / 4));
            memcpy(s->triangle[i], tetrahedron_sides[i % 4], sizeof s->triangle[i]);
            for (int k = 0; k < 3; k++) s->triangle[i][k] += 4 * (i / 4);
        }
    } else {
        m.vertex_count = next(b) % (VERTICES + 1);
        m.triangle_count = next(b) % (TRIANGLES + 1);
        for (size_t i = 0; i < m.vertex_count; i++) s->position[i] = v3(0, 0, 0);
    }
    for (size_t i = 0; i < m.vertex_count; i++) {
        const double x = next_number(b, wide), y = next_number(b, wide), z = next_number(b, wide);
        s->position[i] = v3_add(s->position[i], v3(x, y, z));
    }
    for (size_t i = 0; kind == 3 && i < m.triangle_count; i++)
        for (int k = 0; k < 3; k++) s->triangle[i][k] = next(b) % (VERTICES + 1);
    return m;
}

/* A field with shear, turning and convergence, as fast as was asked for. */
static rill_status flow(void *user, double time, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    const double speed = *(const double *)user;
    for (size_t i = 0; i < n; i++)
        u[i] = v3_scale(v3(sin(3 * x[i].y + time) - 0.3 * x[i].x, cos(4 * x[i].z) - 0.3 * x[i].y,
                           sin(5 * x[i].x) - 0.3 * x[i].z),
                        speed);
    return RILL_OK;
}

static void use(rill_ctx *ctx, tracker *t, double speed)
{
    for (int i = 0; i < STEPS; i++) {
        const rill_status st = tracker_advance(t, 0.1, flow, &speed, NULL);
        fuzz_require(st == RILL_OK || st == RILL_BLEW_UP || st == RILL_NO_MEMORY);
        const trimesh view = tracker_view(t);
        const rill_status sound = tracker_check(ctx, "after a step", &view);
        if (sound) fprintf(stderr, "%s\n", rill_ctx_message(ctx));
        fuzz_require(sound == RILL_OK || sound == RILL_NO_MEMORY);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes b = {data, size};
    storage s;
    const uint8_t choice = next(&b);
    const double speed = next(&b) / 128.0;
    const trimesh mesh = read_mesh(&b, choice & 3, choice & 4, &s);
    measured_allocator memory = {.limit = 64 << 20};
    rill_ctx *ctx = fuzz_ctx(&memory);
    const size_t before = memory.held;
    tracker_def def = tracker_def_default();
    def.repair = choice & 8;
    def.keep_volume = choice & 16;
    def.midpoint = choice & 32;
    if (choice & 64) def.merge = 0.6;
    const rill_vec3 extent = box_size(trimesh_bounds(&mesh));
    const double widest = fmax(extent.x, fmax(extent.y, extent.z));
    if (mesh.vertex_count && isfinite(widest)) def.edge = widest / 4; /* some hundred triangles */
    tracker *t = NULL;
    const rill_status st = tracker_create(ctx, &def, &mesh, &t);
    fuzz_require(st == RILL_OK || st == RILL_BAD_FILE || st == RILL_USAGE || st == RILL_NO_MEMORY);
    fuzz_require((st == RILL_OK) == (t != NULL));
    if (!st) use(ctx, t, speed);
    tracker_destroy(t);
    fuzz_require(memory.held == before);
    rill_ctx_destroy(ctx);
    return 0;
}
