/* The small cell: everything in fixed arrays, a set of vertices is one word of bits.
 *
 * A cut tests the plane against all vertices at once, collects the edges that cross it
 * (from a vertex that goes to one that stays) without branches, and puts a new vertex on
 * each in the places of the removed ones. The collected edges must form one ring in which
 * each plane occurs once; when rounding makes something else of them, the cell is given
 * up and made by the big one. */
#include "geom/voronoi_parts.h"

#include "geom/lanes.h"

#include <string.h>

enum { PLANES = 64 };

struct small_cell {
    _Alignas(64) double x[SMALL_VERTICES + 8];
    double y[SMALL_VERTICES + 8], z[SMALL_VERTICES + 8], s[SMALL_VERTICES + 8];
    double v[SMALL_VERTICES][4];      /* the same once more, to be had in one piece; and 0 */
    uint8_t plane[SMALL_VERTICES][4]; /* the three, and their exclusive or */
    double normal[PLANES][4];         /* the fourth is 0 */
    uint32_t id[PLANES];
    uint64_t used; /* planes taken, some perhaps without a face by now */
    uint32_t count;
    double most2;
    uint8_t across[PLANES * PLANES]; /* directed pair of planes: its vertex */
    /* The finished cell. */
    uint32_t face_id[PLANES], first[PLANES + 1], corner[3 * SMALL_VERTICES + 8];
    double face_normal[PLANES][4];
};

#define CELL struct small_cell

static inline void set_vertex(CELL *c, uint32_t i, uint32_t a, uint32_t b, uint32_t d)
{
    const uint32_t word = a | b << 8 | d << 16 | (a ^ b ^ d) << 24;
    memcpy(c->plane[i], &word, sizeof word);
    c->across[a * PLANES + b] = (uint8_t)i;
    c->across[b * PLANES + d] = (uint8_t)i;
    c->across[d * PLANES + a] = (uint8_t)i;
}

static inline void set_position(CELL *c, uint32_t i, __m256d v)
{
    _mm256_store_pd(c->v[i], v);
    const __m128d xy = _mm256_castpd256_pd128(v);
    _mm_storel_pd(c->x + i, xy);
    _mm_storeh_pd(c->y + i, xy);
    _mm_storel_pd(c->z + i, _mm256_extractf128_pd(v, 1));
}

/* Copies of vertex 0 up to a whole number of lanes, and the farthest vertex. */
static inline void cell_settle(CELL *c)
{
    lanes_store(c->x + c->count, lanes_all(c->x[0]));
    lanes_store(c->y + c->count, lanes_all(c->y[0]));
    lanes_store(c->z + c->count, lanes_all(c->z[0]));
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
            set_vertex(c, i, x, 2 + y, 4 + z);
        else
            set_vertex(c, i, x, 4 + z, 2 + y);
    }
    cell_settle(c);
}

static uint64_t planes_used(const CELL *c)
{
    uint64_t used = 0;
    for (uint32_t i = 0; i < c->count; i++)
        used |= 1ull << c->plane[i][0] | 1ull << c->plane[i][1] | 1ull << c->plane[i][2];
    return used;
}

/* An edge that crosses the plane: from a vertex that stays, on planes a and b. */
typedef struct {
    uint8_t stays, goes, a, b;
} crossing;

static cell_state cut_off(CELL *c, uint64_t gone, double nx, double ny, double nz, uint32_t id)
{
    crossing ring[3 * SMALL_VERTICES];
    uint8_t place[SMALL_VERTICES];
    uint32_t n = 0, removed = 0;
    uint64_t from = 0, to = 0;
    for (uint64_t left = gone; left; left &= left - 1) {
        const uint32_t t = (uint32_t)__builtin_ctzll(left);
        place[removed++] = (uint8_t)t;
        const uint8_t *p = c->plane[t];
        for (int e = 0; e < 3; e++) {
            const uint32_t a = p[e], b = p[e == 2 ? 0 : e + 1], u = c->across[b * PLANES + a];
            const uint64_t stays = ~gone >> u & 1;
            ring[n] = (crossing){(uint8_t)u, (uint8_t)t, (uint8_t)a, (uint8_t)b};
            from |= stays << a;
            to |= stays << b;
            n += (uint32_t)stays;
        }
    }
    if (removed == c->count) return CELL_EMPTY;
    const uint32_t after = c->count - removed + n;
    if (n < 3 || from != to || (uint32_t)__builtin_popcountll(from) != n || after > SMALL_VERTICES)
        return CELL_OVERFLOW;
    if (c->used == ~0ull && (c->used = planes_used(c)) == ~0ull) return CELL_OVERFLOW;
    const uint32_t p = (uint32_t)__builtin_ctzll(~c->used);
    c->used |= 1ull << p;
    _mm256_store_pd(c->normal[p], _mm256_set_pd(0, nz, ny, nx));
    c->id[p] = id;

    __m256d fresh[SMALL_VERTICES]; /* all of them before the removed ones are written over */
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t u = ring[i].stays, t = ring[i].goes;
        const double su = c->s[u] > 0 ? c->s[u] : 0, f = su / (su - c->s[t]);
        const __m256d vu = _mm256_load_pd(c->v[u]), vt = _mm256_load_pd(c->v[t]);
        fresh[i] = _mm256_fmadd_pd(_mm256_set1_pd(f), _mm256_sub_pd(vt, vu), vu);
    }
    uint32_t count = c->count;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t j = i < removed ? place[i] : count++;
        set_position(c, j, fresh[i]);
        set_vertex(c, j, ring[i].a, ring[i].b, p);
    }
    for (uint32_t i = removed; i-- > n;) { /* fewer than before: the last ones fill the places */
        const uint32_t j = place[i];
        if (j == --count) continue;
        set_position(c, j, _mm256_load_pd(c->v[count]));
        set_vertex(c, j, c->plane[count][0], c->plane[count][1], c->plane[count][2]);
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
    uint64_t gone = 0;
    for (uint32_t i = 0; i < c->count; i += LANES) {
        lanes s = lanes_nmadd(x, lanes_load(c->x + i), at);
        s = lanes_nmadd(y, lanes_load(c->y + i), s);
        s = lanes_nmadd(z, lanes_load(c->z + i), s);
        lanes_store(c->s + i, s);
        gone |= (uint64_t)lanes_below(s, limit) << i;
    }
    if (!gone) return CELL_SAME;
    gone &= ~0ull >> (64 - c->count);
    return cut_off(c, gone, nx, ny, nz, id);
}

static bool cell_has_cap(const CELL *c)
{
    const uint64_t used = planes_used(c) & 63;
    for (uint64_t left = used; left; left &= left - 1) {
        const uint32_t id = c->id[__builtin_ctzll(left)];
        if (voronoi_is_cap(id)) return true;
    }
    return false;
}

/* Faces with their corners, by walking around each plane from any of its vertices. */
static cell_state cell_finish(CELL *c, voronoi_poly *out)
{
    uint8_t head[PLANES], before[PLANES];
    uint64_t used = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const uint32_t p = c->plane[i][0], q = c->plane[i][1], r = c->plane[i][2];
        used |= 1ull << p | 1ull << q | 1ull << r;
        head[p] = head[q] = head[r] = (uint8_t)i;
        before[p] = (uint8_t)r;
        before[q] = (uint8_t)p;
        before[r] = (uint8_t)q;
    }
    uint32_t n = 0, corners = 0;
    for (uint64_t left = used; left; left &= left - 1, n++) {
        const uint32_t a = (uint32_t)__builtin_ctzll(left), start = head[a];
        c->first[n] = corners;
        c->face_id[n] = c->id[a];
        _mm256_store_pd(c->face_normal[n], _mm256_load_pd(c->normal[a]));
        uint32_t u = start, b = before[a];
        do {
            c->corner[corners++] = u;
            u = c->across[a * PLANES + b];
            b = c->plane[u][3] ^ a ^ b;
            if (b >= PLANES) return CELL_OVERFLOW;
        } while (u != start && corners < 3 * c->count);
    }
    c->first[n] = corners;
    if (corners != 3 * c->count || c->count + 4 != 2 * n) return CELL_OVERFLOW; /* Euler */
    *out = (voronoi_poly){
        c->count,   n,        c->most2, (const double(*)[4])c->v, (const double(*)[4])c->face_normal,
        c->face_id, c->first, c->corner};
    return CELL_OK;
}

#include "geom/voronoi_search.h"

size_t small_cell_bytes(void)
{
    return sizeof(struct small_cell);
}

cell_state voronoi_cell_small(const voronoi_space *s, voronoi_worker *w, uint32_t k, voronoi_poly *out)
{
    return search_cell(s, w, w->small, k, out);
}
