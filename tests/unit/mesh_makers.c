#include "mesh_makers.h"

#include <math.h>
#include <string.h>

const char *const mesh_form_name[MESH_FORMS] = {"a.obj",       "a_ascii.stl", "a.stl",
                                                "a_ascii.ply", "a.ply",       "a_big.ply"};

/* Through memory: GCC 12 with SLP vectorisation drops the rounding of (double)(float)v. */
static double single(double v)
{
    volatile float f = (float)v;
    return f;
}

static rill_vec3 single3(double x, double y, double z)
{
    return v3(single(x), single(y), single(z));
}

static trimesh room(rill_ctx *ctx, size_t vertices, size_t triangles)
{
    trimesh m = {0};
    assert_ok(ctx, MEM_NEW(ctx, m.position, vertices));
    assert_ok(ctx, MEM_NEW(ctx, m.triangle, triangles));
    return m;
}

static void add(trimesh *m, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *t = m->triangle[m->triangle_count++];
    t[0] = a, t[1] = b, t[2] = c;
}

trimesh make_cube(rill_ctx *ctx, double half)
{
    static const uint8_t quad[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    trimesh m = room(ctx, 8, 12);
    for (int i = 0; i < 8; i++)
        m.position[m.vertex_count++] =
            single3(i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half);
    for (int i = 0; i < 6; i++) {
        add(&m, quad[i][0], quad[i][1], quad[i][2]);
        add(&m, quad[i][0], quad[i][2], quad[i][3]);
    }
    return m;
}

static uint32_t middle(trimesh *m, uint32_t a, uint32_t b, double radius, size_t first)
{
    const rill_vec3 x = v3_scale(v3_unit(v3_add(m->position[a], m->position[b])), radius);
    const rill_vec3 s = single3(x.x, x.y, x.z);
    for (size_t i = first; i < m->vertex_count; i++)
        if (memcmp(&m->position[i], &s, sizeof s) == 0) return (uint32_t)i;
    m->position[m->vertex_count] = s;
    return (uint32_t)m->vertex_count++;
}

trimesh make_icosphere(rill_ctx *ctx, double radius, int levels)
{
    static const uint8_t face[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                        {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                        {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                        {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    const double g = (1 + sqrt(5)) / 2;
    const rill_vec3 corner[12] = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                                  {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    const size_t most = (size_t)20 << (2 * levels);
    trimesh m = room(ctx, most / 2 + 2, most);
    for (int i = 0; i < 12; i++) {
        const rill_vec3 x = v3_scale(v3_unit(corner[i]), radius);
        m.position[m.vertex_count++] = single3(x.x, x.y, x.z);
    }
    for (int i = 0; i < 20; i++) add(&m, face[i][0], face[i][1], face[i][2]);
    for (int level = 0; level < levels; level++) {
        const size_t coarse = m.triangle_count, first = m.vertex_count;
        for (size_t i = 0; i < coarse; i++) {
            uint32_t t[3], e[3];
            memcpy(t, m.triangle[i], sizeof t);
            for (int k = 0; k < 3; k++) e[k] = middle(&m, t[k], t[(k + 1) % 3], radius, first);
            memcpy(m.triangle[i], e, sizeof e);
            for (int k = 0; k < 3; k++) add(&m, t[k], e[k], e[(k + 2) % 3]);
        }
    }
    return m;
}

trimesh make_torus(rill_ctx *ctx, double major, double minor, uint32_t around, uint32_t tube)
{
    trimesh m = room(ctx, (size_t)around * tube, (size_t)2 * around * tube);
    const double pi = acos(-1);
    for (uint32_t i = 0; i < around; i++)
        for (uint32_t j = 0; j < tube; j++) {
            const double a = 2 * pi * i / around, b = 2 * pi * j / tube, r = major + minor * cos(b);
            m.position[m.vertex_count++] = single3(r * cos(a), minor * sin(b), r * sin(a));
            const uint32_t p = i * tube + j, q = i * tube + (j + 1) % tube;
            const uint32_t s = (i + 1) % around * tube + j, t = (i + 1) % around * tube + (j + 1) % tube;
            add(&m, p, q, t);
            add(&m, p, t, s);
        }
    return m;
}

trimesh make_bowl(rill_ctx *ctx, double radius, uint32_t around, uint32_t rings)
{
    trimesh m = room(ctx, (size_t)around * rings + 1, (size_t)2 * around * rings);
    const double pi = acos(-1);
    m.position[m.vertex_count++] = single3(0, -radius, 0);
    for (uint32_t i = 0; i < rings; i++)
        for (uint32_t j = 0; j < around; j++) {
            const double up = pi / 2 * (i + 1) / rings, a = 2 * pi * j / around;
            m.position[m.vertex_count++] = single3(
                radius * sin(up) * cos(a), i + 1 == rings ? 0 : -radius * cos(up), radius * sin(up) * sin(a));
            const uint32_t n = (j + 1) % around, p = 1 + i * around + j, q = 1 + i * around + n;
            if (i == 0) {
                add(&m, 0, p, q);
            } else {
                add(&m, p - around, p, q);
                add(&m, p - around, q, q - around);
            }
        }
    return m;
}

/* ---- writers ---- */

static void put_big(text *t, const void *value, size_t size, bool big)
{
    char b[8];
    memcpy(b, value, size);
    for (size_t k = 0; big && k < size / 2; k++) {
        const char kept = b[k];
        b[k] = b[size - 1 - k];
        b[size - 1 - k] = kept;
    }
    text_bytes(t, b, size);
}

static void put_point(text *t, rill_vec3 x, bool big)
{
    const float f[3] = {(float)x.x, (float)x.y, (float)x.z};
    for (int k = 0; k < 3; k++) put_big(t, &f[k], 4, big);
}

static void write_obj(text *t, const trimesh *m)
{
    text_add(t, "# made by a test\no shape\n");
    for (size_t i = 0; i < m->vertex_count; i++)
        text_print(t, "v %.17g %.17g %.17g\n", m->position[i].x, m->position[i].y, m->position[i].z);
    for (size_t i = 0; i < m->triangle_count; i++)
        text_print(t, "f %u %u %u\n", m->triangle[i][0] + 1, m->triangle[i][1] + 1, m->triangle[i][2] + 1);
}

static void write_stl(text *t, const trimesh *m, bool ascii)
{
    static const char head[80] = "solid, as many binary files say, with spaces up to the end       ";
    const uint32_t count = (uint32_t)m->triangle_count;
    if (ascii) {
        text_add(t, "solid shape of a test\n");
    } else {
        text_bytes(t, head, sizeof head);
        text_bytes(t, (const char *)&count, 4);
    }
    for (size_t i = 0; i < m->triangle_count; i++) {
        if (ascii) text_add(t, "  facet normal 0 0 0\n    outer loop\n");
        if (!ascii) put_point(t, v3(0, 0, 0), false);
        for (int k = 0; k < 3; k++) {
            const rill_vec3 x = m->position[m->triangle[i][k]];
            if (ascii)
                text_print(t, "      vertex %.16e %.16e %.16e\n", x.x, x.y, x.z);
            else
                put_point(t, x, false);
        }
        if (ascii)
            text_add(t, "    endloop\n  endfacet\n");
        else
            text_bytes(t, "\0\0", 2);
    }
    if (ascii) text_add(t, "endsolid shape of a test\n");
}

static void write_ply(text *t, const trimesh *m, const char *format)
{
    const bool ascii = strcmp(format, "ascii") == 0, big = strcmp(format, "binary_big_endian") == 0;
    text_print(t, "ply\nformat %s 1.0\nelement vertex %zu\n", format, m->vertex_count);
    text_add(t, "property float x\nproperty float y\nproperty float z\n");
    text_print(t, "element face %zu\nproperty list uchar int vertex_indices\nend_header\n",
               m->triangle_count);
    for (size_t i = 0; i < m->vertex_count; i++) {
        const rill_vec3 x = m->position[i];
        if (ascii)
            text_print(t, "%.9g %.9g %.9g\n", x.x, x.y, x.z);
        else
            put_point(t, x, big);
    }
    for (size_t i = 0; i < m->triangle_count; i++) {
        const uint32_t *v = m->triangle[i];
        if (ascii) {
            text_print(t, "3 %u %u %u\n", v[0], v[1], v[2]);
        } else {
            text_bytes(t, "\3", 1);
            for (int k = 0; k < 3; k++) put_big(t, &v[k], 4, big);
        }
    }
}

void write_mesh(text *t, const trimesh *m, mesh_form form)
{
    switch (form) {
    case AS_OBJ: write_obj(t, m); break;
    case AS_STL_ASCII: write_stl(t, m, true); break;
    case AS_STL: write_stl(t, m, false); break;
    case AS_PLY_ASCII: write_ply(t, m, "ascii"); break;
    case AS_PLY: write_ply(t, m, "binary_little_endian"); break;
    default: write_ply(t, m, "binary_big_endian"); break;
    }
}

trimesh make_moved(trimesh m, rill_vec3 by, rill_vec3 scale)
{
    for (size_t i = 0; i < m.vertex_count; i++)
        m.position[i] =
            v3_add(by, v3(scale.x * m.position[i].x, scale.y * m.position[i].y, scale.z * m.position[i].z));
    return m;
}

trimesh make_joined(rill_ctx *ctx, trimesh a, trimesh b)
{
    assert_ok(ctx, trimesh_append(ctx, &a, &b));
    return a;
}

void assert_sound_mesh(rill_ctx *ctx, const trimesh *m, trimesh_report *r)
{
    assert_ok(ctx, trimesh_check(ctx, m, r));
    assert_int_equal(r->open_edges, 0);
    assert_int_equal(r->nonmanifold_edges, 0);
    assert_int_equal(r->misoriented_edges, 0);
    assert_int_equal(r->nonmanifold_vertices, 0);
    assert_int_equal(r->degenerate_triangles, 0);
}
