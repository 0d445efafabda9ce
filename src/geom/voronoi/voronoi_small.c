/* The small cell: everything in fixed arrays, a set of vertices is one word of bits.
 *
 * A cut tests the plane against all vertices at once, collects the edges that cross it
 * (from a vertex that goes to one that stays) without branches, and puts a new vertex on
 * each in the places of the removed ones. The collected edges must form one ring in which
 * each plane occurs once; when rounding makes something else of them, the cell is given
 * up and made by the big one. */
#include "geom/voronoi/voronoi_parts.h"

#include "geom/voronoi/lanes.h"

#include <string.h>

enum { PLANES = 64, PLANE_BITS = 8 };

struct small_cell {
    _Alignas(64) double x[SMALL_VERTICES + 8];
    double y[SMALL_VERTICES + 8], z[SMALL_VERTICES + 8], s[SMALL_VERTICES + 8];
    double v[SMALL_VERTICES][4];    /* the same as one vector each; the fourth is 0 */
    uint32_t plane[SMALL_VERTICES]; /* a byte for each of the three, and the first again */
    double normal[PLANES][4];       /* the fourth is 0 */
    uint32_t id[PLANES];
    uint64_t used; /* planes taken, some perhaps without a face by now */
    uint32_t count;
    double most2;
    /* The vertex on the other side of an edge: by its pair of planes, as in plane[] >> 8 k. */
    uint8_t across[PLANES << PLANE_BITS];
    /* The finished cell. */
    uint32_t face_id[PLANES], first[PLANES + 1], corner[3 * SMALL_VERTICES + 8];
    double face_normal[PLANES][4];
};

#define CELL struct small_cell

/* Vertex i on planes a, b (pair: a | b << 8) and c. Seen from its neighbours it is across
 * the edges (b, a), (c, b) and (a, c). */
static inline void set_vertex(CELL *c, uint32_t i, uint32_t pair, uint32_t third)
{
    const uint32_t a = pair & 0xff, b = pair >> 8;
    c->plane[i] = pair | third << 16 | a << 24;
    c->across[b | a << 8] = (uint8_t)i;
    c->across[third | b << 8] = (uint8_t)i;
    c->across[a | third << 8] = (uint8_t)i;
}

static inline void set_position(CELL *c, uint32_t i, __m256d v)
{
    _mm256_store_pd(c->v[i], v);
    const __m128d xy = _mm256_castpd256_pd128(v);
    _mm_storel_pd(c->x + i, xy);
    _mm_storeh_pd(c->y + i, xy);
    _mm_storel_pd(c->z + i, _mm256_extractf128_pd(v, 1));
}

/* Copies of vertex 0 up to a whole number of pairs of lanes, and the farthest vertex. */
static inline void cell_settle(CELL *c)
{
    const lanes x0 = lanes_all(c->x[0]), y0 = lanes_all(c->y[0]), z0 = lanes_all(c->z[0]);
    lanes_store(c->x + c->count, x0), lanes_store(c->x + c->count + LANES, x0);
    lanes_store(c->y + c->count, y0), lanes_store(c->y + c->count + LANES, y0);
    lanes_store(c->z + c->count, z0), lanes_store(c->z + c->count + LANES, z0);
    lanes most = lanes_all(0);
    for (uint32_t i = 0; i < c->count; i += LANES) {
        const lanes x = lanes_load(c->x + i), y = lanes_load(c->y + i), z = lanes_load(c->z + i);
        most = lanes_max(most, lanes_madd(x, x, lanes_madd(y, y, lanes_mul(z, z))));
    }
    c->most2 = lanes_largest(most);
}

static void cell_begin(CELL *c, const double lo[3], const double hi[3], const uint32_t id[6])
{
    for (int side = 0; side < 6; side++) {
        _mm256_store_pd(c->normal[side], _mm256_setzero_pd());
        c->normal[side][side / 2] = side & 1 ? 1 : -1;
        c->id[side] = id[side];
    }
    c->used = 63;
    c->count = 8;
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t x = i & 1, y = i >> 1 & 1, z = i >> 2;
        set_position(c, i, _mm256_set_pd(0, z ? hi[2] : lo[2], y ? hi[1] : lo[1], x ? hi[0] : lo[0]));
        if ((x + y + z) & 1)
            set_vertex(c, i, x | (2 + y) << 8, 4 + z);
        else
            set_vertex(c, i, x | (4 + z) << 8, 2 + y);
    }
    cell_settle(c);
}

static uint64_t planes_used(const CELL *c)
{
    uint64_t used = 0;
    for (uint32_t i = 0; i < c->count; i++)
        used |=
            1ull << (c->plane[i] & 63) | 1ull << (c->plane[i] >> 8 & 63) | 1ull << (c->plane[i] >> 16 & 63);
    return used;
}

static cell_state cut_off(CELL *c, uint64_t gone, double nx, double ny, double nz, uint32_t id)
{
    /* Edges that cross: the vertex that stays, the one that goes << 8, the planes << 16. */
    uint32_t ring[3 * SMALL_VERTICES], n = 0;
    const uint64_t alive = ~gone;
    uint64_t left = gone;
    do {
        const uint32_t t = (uint32_t)__builtin_ctzll(left), w = c->plane[t], goes = t << 8;
        left &= left - 1;
        const uint32_t u = c->across[w & 0xffff], v = c->across[w >> 8 & 0xffff], q = c->across[w >> 16];
        ring[n] = w << 16 | goes | u;
        n += alive >> u & 1;
        ring[n] = (w << 8 & 0xffff0000) | goes | v;
        n += alive >> v & 1;
        ring[n] = (w & 0xffff0000) | goes | q;
        n += alive >> q & 1;
    } while (left);
    const uint32_t removed = (uint32_t)__builtin_popcountll(gone);
    if (removed == c->count) return CELL_EMPTY;
    if (n < 3 || c->count - removed + n > SMALL_VERTICES) return CELL_OVERFLOW;
    uint64_t from = 0, to = 0;
    __m256d fresh[SMALL_VERTICES]; /* all of them before the removed ones are written over */
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t r = ring[i], u = r & 0xff, t = r >> 8 & 0xff;
        from |= 1ull << (r >> 16 & 63);
        to |= 1ull << (r >> 24);
        const double su = c->s[u] > 0 ? c->s[u] : 0, f = su / (su - c->s[t]);
        const __m256d vu = _mm256_load_pd(c->v[u]), vt = _mm256_load_pd(c->v[t]);
        fresh[i] = _mm256_fmadd_pd(_mm256_set1_pd(f), _mm256_sub_pd(vt, vu), vu);
    }
    if (from != to || (uint32_t)__builtin_popcountll(from) != n) return CELL_OVERFLOW;
    if (c->used == ~0ull && (c->used = planes_used(c)) == ~0ull) return CELL_OVERFLOW;
    const uint32_t p = (uint32_t)__builtin_ctzll(~c->used);
    c->used |= 1ull << p;
    _mm256_store_pd(c->normal[p], _mm256_set_pd(0, nz, ny, nx));
    c->id[p] = id;

    uint32_t count = c->count, i = 0;
    left = gone;
    do { /* into the places of the removed ones */
        const uint32_t j = (uint32_t)__builtin_ctzll(left);
        left &= left - 1;
        set_position(c, j, fresh[i]);
        set_vertex(c, j, ring[i] >> 16, p);
    } while (++i < n && left);
    for (; i < n; i++, count++) {
        set_position(c, count, fresh[i]);
        set_vertex(c, count, ring[i] >> 16, p);
    }
    while (left) { /* fewer than before: the last ones fill the places, from the highest */
        const uint32_t j = 63 - (uint32_t)__builtin_clzll(left);
        left &= ~(1ull << j);
        if (j == --count) continue;
        set_position(c, j, _mm256_load_pd(c->v[count]));
        set_vertex(c, j, c->plane[count] & 0xffff, c->plane[count] >> 16 & 0xff);
    }
    c->count = count;
    cell_settle(c);
    return CELL_OK;
}

static inline cell_state cell_cut(CELL *c, double nx, double ny, double nz, double d, double tolerance,
                                  uint32_t id)
{
    const lanes x = lanes_all(nx), y = lanes_all(ny), z = lanes_all(nz), at = lanes_all(d),
                limit = lanes_all(-tolerance);
    lanes least = lanes_all(INFINITY);
    for (uint32_t i = 0; i < c->count; i += 2 * LANES) {
        lanes s = lanes_nmadd(x, lanes_load(c->x + i), at),
              t = lanes_nmadd(x, lanes_load(c->x + i + LANES), at);
        s = lanes_nmadd(y, lanes_load(c->y + i), s);
        t = lanes_nmadd(y, lanes_load(c->y + i + LANES), t);
        s = lanes_nmadd(z, lanes_load(c->z + i), s);
        t = lanes_nmadd(z, lanes_load(c->z + i + LANES), t);
        lanes_store(c->s + i, s);
        lanes_store(c->s + i + LANES, t);
        least = lanes_min(least, lanes_min(s, t));
    }
    if (!lanes_below(least, limit)) return CELL_SAME;
    uint64_t gone = 0;
    for (uint32_t i = 0; i < c->count; i += 2 * LANES)
        gone |= (uint64_t)(lanes_below(lanes_load(c->s + i), limit) |
                           lanes_below(lanes_load(c->s + i + LANES), limit) << LANES)
                << i;
    gone &= ~0ull >> (64 - c->count);
    return cut_off(c, gone, nx, ny, nz, id);
}

/* Faces with their corners, by walking around each plane from any of its vertices. */
static cell_state cell_finish(CELL *c, voronoi_poly *out)
{
    uint8_t head[PLANES], before[PLANES], sum[SMALL_VERTICES]; /* sum: exclusive or of the planes */
    uint64_t used = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const uint32_t w = c->plane[i], p = w & 63, q = w >> 8 & 63, r = w >> 16 & 63;
        used |= 1ull << p | 1ull << q | 1ull << r;
        sum[i] = (uint8_t)(p ^ q ^ r);
        head[p] = head[q] = head[r] = (uint8_t)i;
        before[p] = (uint8_t)r;
        before[q] = (uint8_t)p;
        before[r] = (uint8_t)q;
    }
    uint32_t n = 0, corners = 0;
    const uint32_t most = 3 * c->count;
    for (uint64_t left = used; left; left &= left - 1, n++) {
        const uint32_t a = (uint32_t)__builtin_ctzll(left), start = head[a];
        c->first[n] = corners;
        c->face_id[n] = c->id[a];
        _mm256_store_pd(c->face_normal[n], _mm256_load_pd(c->normal[a]));
        uint32_t u = start, b = before[a];
        do {
            c->corner[corners++] = u;
            u = c->across[b | a << 8];
            b = (sum[u] ^ a ^ b) & 63;
        } while (u != start && corners < most);
    }
    c->first[n] = corners;
    if (corners != 3 * c->count || c->count + 4 != 2 * n) return CELL_OVERFLOW; /* Euler */
    *out = (voronoi_poly){
        c->count,   n,        c->most2, (const double(*)[4])c->v, (const double(*)[4])c->face_normal,
        c->face_id, c->first, c->corner};
    return CELL_OK;
}

#include "geom/voronoi/voronoi_search.h"

size_t small_cell_bytes(void)
{
    return sizeof(struct small_cell);
}

cell_state voronoi_cell_small(const voronoi_space *s, voronoi_worker *w, uint32_t k, voronoi_poly *out)
{
    return search_cell(s, w, w->small, k, out);
}
