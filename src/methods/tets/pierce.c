/* Tetrahedra of wall nodes that reach through a wall.
 *
 * Following their edges through the walls costs more than all else in a mesh, and a mesh is built several
 * times with few nodes removed or added. Delaunay tetrahedra away from these stay as they are, so that only
 * new ones are followed, and those found before are known by a key of their corners' positions. */
#include "base/hash.h"
#include "tets/mesh.h"

#include <stdlib.h>

/* Whether the way from a to b, both on walls, comes out on the other side of a wall than it went in: the
 * normals of the surface next to its first and its last point in the wall oppose each other. A chord under
 * the surface of a curved wall has nearly the same normal all along. */
static bool pierces(const walls *w, rill_vec3 a, rill_vec3 b)
{
    enum { STEPS = 64 };
    const double length = v3_distance(a, b), least = length / STEPS;
    rill_vec3 first = {0, 0, 0}, last = {0, 0, 0}, before = {0, 0, 0};
    bool in = false;
    for (double at = 0.5 * least; at < length;) {
        rill_vec3 n;
        const double d = walls_solid_distance(w, v3_mix(a, b, at / length), length, &n);
        const bool inside = d < -1e-6 * length;
        if (inside && !in && v3_dot(first, first) == 0) first = v3_dot(before, before) > 0 ? before : n;
        if (inside || in) last = n; /* also of the first point outside: a step may be as wide as the wall */
        if (in && !inside && v3_dot(first, last) < -0.2) return true;
        in = inside;
        before = n;
        at += fmax(fabs(d), least);
    }
    return v3_dot(first, last) < -0.2;
}

/* The same for every order of the vertices, and for every numbering of them. */
static uint64_t key_of(const tet_mesh *m, uint32_t t)
{
    uint64_t sum = 0;
    for (int i = 0; i < 4; i++) {
        const rill_vec3 *x = &m->x[m->d.tet[t].v[i]];
        sum += hash_bytes(x, sizeof *x, 1);
    }
    return sum;
}

static int ascending(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Whether the tetrahedron was not there when the last mesh was carved: it has a new node, or all of its
 * nodes were next to one that was removed. */
static bool is_new(const tet_mesh *m, const uint32_t *v)
{
    const uint8_t a = m->fresh[v[0]], b = m->fresh[v[1]], c = m->fresh[v[2]], d = m->fresh[v[3]];
    return (a && b && c && d) || ((a | b | c | d) & NODE_NEW);
}

bool mesh_pierces(const tet_mesh *m, const walls *w, uint32_t t)
{
    const uint32_t *v = m->d.tet[t].v;
    if (!is_new(m, v)) {
        const uint64_t key = key_of(m, t);
        return m->pierced.count && bsearch(&key, m->pierced.key, m->pierced.count, sizeof key, ascending);
    }
    for (int i = 0; i < 4; i++)
        for (int j = i + 1; j < 4; j++)
            if (pierces(w, m->x[v[i]], m->x[v[j]])) return true;
    return false;
}

rill_status mesh_keep_pierced(tet_mesh *m)
{
    tet_keys *p = &m->pierced;
    uint32_t count = 0;
    for (uint32_t t = 0; t < m->d.finite; t++) count += m->fluid[t] == TET_PIERCES;
    if (count > p->capacity) TRY(mem_grow(m->ctx, &p->key, sizeof *p->key, &p->capacity, count));
    p->count = 0;
    for (uint32_t t = 0; t < m->d.finite; t++) {
        if (m->fluid[t] != TET_PIERCES) continue;
        m->fluid[t] = 0;
        p->key[p->count++] = key_of(m, t);
    }
    if (count) qsort(p->key, count, sizeof *p->key, ascending);
    return RILL_OK;
}
