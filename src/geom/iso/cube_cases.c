/* Generates the cases of cube_cases.h: link the crossings of a cell into loops, cut the loops. */
#include "geom/iso/cube_cases.h"

#include <string.h>

enum { EDGE_CODES = 24, MAX_LOOP = 12, NO_EDGE = 255 };

static uint8_t edge_between(int a, int b)
{
    const int axis = (a ^ b) == 1 ? 0 : (a ^ b) == 2 ? 1 : 2;
    return (uint8_t)(axis << 3 | (a & b));
}

/* Whether two edges lie on a common face: they agree in a coordinate neither runs along. */
static bool on_one_face(int e, int f)
{
    for (int axis = 0; axis < 3; axis++)
        if (axis != e >> 3 && axis != f >> 3 && (e >> axis & 1) == (f >> axis & 1)) return true;
    return false;
}

/* Follows each run of inside corners round each face, counter-clockwise seen from
 * outside the cell: next[edge where the run begins] = edge where it ends. With this
 * direction the loops run counter-clockwise seen from outside the surface. */
static void link_edges(int pattern, uint8_t next[EDGE_CODES])
{
    memset(next, NO_EDGE, EDGE_CODES);
    for (int face = 0; face < 6; face++) {
        const int axis = face >> 1, side = face & 1;
        const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = side << axis;
        const int up[4] = {base, base | u, base | u | v, base | v};
        const int down[4] = {base, base | v, base | u | v, base | u};
        const int *ring = side ? up : down;
        for (int k = 0; k < 4; k++) {
            const int after = ring[(k + 1) & 3];
            if (!(pattern >> ring[k] & 1) || pattern >> after & 1) continue;
            int j = k;
            while (pattern >> ring[(j + 3) & 3] & 1) j = (j + 3) & 3;
            next[edge_between(ring[(j + 3) & 3], ring[j])] = edge_between(ring[k], after);
        }
    }
}

static bool may_join(const uint8_t *loop, int length, int i, int j)
{
    const bool neighbours = j - i == 1 || j - i == length - 1;
    return neighbours || !on_one_face(loop[i], loop[j]);
}

/* Cuts the part of a loop from place i to place j (their chord being its last side);
 * the first cut that works, in the order of the places. */
static bool cut(const uint8_t *loop, int length, int i, int j, cube_cases *out, int pattern)
{
    if (j - i < 2) return true;
    const uint8_t before = out->count[pattern];
    for (int k = i + 1; k < j; k++) {
        if (!may_join(loop, length, i, k) || !may_join(loop, length, k, j)) continue;
        if (before < CUBE_MAX_TRIANGLES) {
            const uint8_t triangle[3] = {loop[i], loop[k], loop[j]};
            memcpy(out->edge[pattern][before], triangle, 3);
            out->count[pattern]++;
            if (cut(loop, length, i, k, out, pattern) && cut(loop, length, k, j, out, pattern)) return true;
        }
        out->count[pattern] = before;
    }
    return false;
}

bool cube_cases_build(cube_cases *out)
{
    memset(out, 0, sizeof *out);
    bool whole = true;
    for (int pattern = 0; pattern < 256; pattern++) {
        uint8_t next[EDGE_CODES];
        link_edges(pattern, next);
        for (int first = 0; first < EDGE_CODES; first++) {
            uint8_t loop[MAX_LOOP];
            int length = 0;
            for (uint8_t e = (uint8_t)first; next[e] != NO_EDGE && length < MAX_LOOP;) {
                const uint8_t to = next[e];
                loop[length++] = e;
                next[e] = NO_EDGE;
                e = to;
            }
            if (length) whole = cut(loop, length, 0, length - 1, out, pattern) && whole;
        }
    }
    return whole;
}
