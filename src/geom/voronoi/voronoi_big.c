/* The cell that grows: any number of vertices and planes, and never a broken topology.
 *
 * Vertices know their three planes (counter-clockwise from outside) and the vertex across
 * each of the edges (0,1), (1,2), (2,0). A cut whose edges do not form one ring, because
 * rounding puts vertices of a small face on the wrong sides, is tried again with a larger
 * tolerance, and left out when that does not help: what it would have cut off is smaller
 * than that tolerance. */
#include "geom/voronoi/voronoi_parts.h"

#include "geom/voronoi/lanes.h"

#include <string.h>

struct big_cell {
    rill_ctx *ctx;
    double *x, *y, *z, *s;
    uint32_t (*plane)[3], (*across)[3];
    uint8_t *gone;
    uint32_t count;
    double most2;

    double *nx, *ny, *nz;
    uint32_t *id, *mark; /* mark: per plane, the crossing that starts on it */
    uint32_t planes;

    struct crossing {
        uint32_t stays, goes, a, b;
    } * ring;

    double (*v)[4], (*face_normal)[4]; /* the finished cell */
    uint32_t *face_id, *first, *corner;

    struct {
        size_t x, y, z, s, plane, across, gone, nx, ny, nz, id, mark, ring, v, face_normal, face_id, first,
            corner;
    } capacity; /* elements of the arrays above */
};

#define CELL struct big_cell

/* As mem_grow, but without a message: cells are made in parallel. */
static bool grow(rill_ctx *ctx, void *array, size_t size, size_t *capacity, size_t need)
{
    if (need <= *capacity) return true;
    const size_t wanted = need + need / 2 + 64;
    void *fresh = mem_alloc(ctx, wanted, size), *old;
    if (!fresh) return false;
    memcpy(&old, array, sizeof old);
    if (old && *capacity) memcpy(fresh, old, *capacity * size);
    mem_free(ctx, old);
    memcpy(array, &fresh, sizeof fresh);
    *capacity = wanted;
    return true;
}
#define GROW(c, name, need) grow((c)->ctx, &(c)->name, sizeof *(c)->name, &(c)->capacity.name, (need))

static bool reserve_vertices(CELL *c, size_t n)
{
    n += 8; /* padding */
    return GROW(c, x, n) && GROW(c, y, n) && GROW(c, z, n) && GROW(c, s, n) && GROW(c, plane, n) &&
           GROW(c, across, n) && GROW(c, gone, n) && GROW(c, ring, 3 * n);
}

static bool reserve_planes(CELL *c, size_t n)
{
    return GROW(c, nx, n) && GROW(c, ny, n) && GROW(c, nz, n) && GROW(c, id, n) && GROW(c, mark, n);
}

void big_cell_destroy(rill_ctx *ctx, CELL *c)
{
    if (!c) return;
    void *all[] = {c->x,  c->y,  c->z,    c->s,    c->plane, c->across,      c->gone,    c->nx,    c->ny,
                   c->nz, c->id, c->mark, c->ring, c->v,     c->face_normal, c->face_id, c->first, c->corner};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) mem_free(ctx, all[i]);
    mem_free(ctx, c);
}

static void cell_settle(CELL *c)
{
    double most = 0;
    for (uint32_t i = c->count; i < c->count + 8; i++) {
        c->x[i] = c->x[0];
        c->y[i] = c->y[0];
        c->z[i] = c->z[0];
    }
    for (uint32_t i = 0; i < c->count; i++)
        most = fmax(most, fma(c->x[i], c->x[i], fma(c->y[i], c->y[i], c->z[i] * c->z[i])));
    c->most2 = most;
}

/* The arrays hold at least eight vertices and six planes. */
static void cell_begin(CELL *c, const double lo[3], const double hi[3], const uint32_t id[6])
{
    for (int side = 0; side < 6; side++) {
        const double sign = side & 1 ? 1 : -1;
        c->nx[side] = side / 2 == 0 ? sign : 0;
        c->ny[side] = side / 2 == 1 ? sign : 0;
        c->nz[side] = side / 2 == 2 ? sign : 0;
        c->id[side] = id[side];
    }
    c->planes = 6;
    c->count = 8;
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t x = i & 1, y = i >> 1 & 1, z = i >> 2;
        c->x[i] = x ? hi[0] : lo[0];
        c->y[i] = y ? hi[1] : lo[1];
        c->z[i] = z ? hi[2] : lo[2];
        /* The edge between two planes leads to the other end of the third axis. */
        const bool odd = (x + y + z) & 1;
        const uint32_t p[3] = {x, odd ? 2 + y : 4 + z, odd ? 4 + z : 2 + y};
        for (int e = 0; e < 3; e++) {
            c->plane[i][e] = p[e];
            c->across[i][e] = i ^ 1u << p[(e + 2) % 3] / 2;
        }
    }
    cell_settle(c);
}

/* The edges across the plane, as a ring: crossing k + 1 starts on the plane where k ends. */
static uint32_t find_ring(CELL *c, double tolerance, uint32_t *removed)
{
    uint32_t n = 0, gone = 0;
    for (uint32_t i = 0; i < c->count; i++) gone += c->gone[i] = c->s[i] < -tolerance;
    *removed = gone;
    if (gone == 0 || gone == c->count) return 0;
    for (uint32_t t = 0; t < c->count; t++) {
        if (!c->gone[t]) continue;
        for (int e = 0; e < 3; e++) {
            const uint32_t u = c->across[t][e];
            if (!c->gone[u]) c->ring[n++] = (struct crossing){u, t, c->plane[t][e], c->plane[t][(e + 1) % 3]};
        }
    }
    for (uint32_t i = 0; i < n; i++) c->mark[c->ring[i].a] = UINT32_MAX, c->mark[c->ring[i].b] = UINT32_MAX;
    for (uint32_t i = 0; i < n; i++) {
        if (c->mark[c->ring[i].a] != UINT32_MAX) return 0; /* a plane twice */
        c->mark[c->ring[i].a] = i;
    }
    uint32_t length = 0;
    for (uint32_t i = 0; length < n;) {
        i = c->mark[c->ring[i].b];
        if (i == UINT32_MAX) return 0;
        length++;
        if (i == 0) break;
    }
    return length == n && n >= 3 ? n : 0;
}

static void relink(CELL *c, uint32_t vertex, uint32_t from, uint32_t to)
{
    for (int e = 0; e < 3; e++)
        if (c->across[vertex][e] == from) {
            c->across[vertex][e] = to;
            return;
        }
}

static void remove_gone(CELL *c)
{
    for (uint32_t i = c->count; i-- > 0;) {
        if (!c->gone[i]) continue;
        const uint32_t last = --c->count;
        if (i == last) continue;
        c->x[i] = c->x[last];
        c->y[i] = c->y[last];
        c->z[i] = c->z[last];
        memcpy(c->plane[i], c->plane[last], sizeof c->plane[i]);
        memcpy(c->across[i], c->across[last], sizeof c->across[i]);
        for (int e = 0; e < 3; e++) relink(c, c->across[i][e], last, i);
    }
}

static cell_state cell_cut(CELL *c, double nx, double ny, double nz, double d, double tolerance, uint32_t id)
{
    bool any = false;
    for (uint32_t i = 0; i < c->count; i++) {
        c->s[i] = fma(-nz, c->z[i], fma(-ny, c->y[i], fma(-nx, c->x[i], d)));
        any = any || c->s[i] < -tolerance;
    }
    if (!any) return CELL_SAME;
    uint32_t n = 0, removed = 1;
    for (int tries = 0; n == 0 && removed > 0 && tries < 16; tries++, tolerance *= 4) {
        n = find_ring(c, tolerance, &removed);
        if (removed == c->count) return CELL_EMPTY;
    }
    if (n == 0) return CELL_SAME;
    if (!reserve_planes(c, (size_t)c->planes + 1) || !reserve_vertices(c, (size_t)c->count + n))
        return CELL_NO_MEMORY;
    const uint32_t p = c->planes++, base = c->count;
    c->nx[p] = nx;
    c->ny[p] = ny;
    c->nz[p] = nz;
    c->id[p] = id;
    for (uint32_t i = 0; i < n; i++) {
        const struct crossing r = c->ring[i];
        const uint32_t v = base + i;
        const double su = c->s[r.stays] > 0 ? c->s[r.stays] : 0, f = su / (su - c->s[r.goes]);
        c->x[v] = c->x[r.stays] + f * (c->x[r.goes] - c->x[r.stays]);
        c->y[v] = c->y[r.stays] + f * (c->y[r.goes] - c->y[r.stays]);
        c->z[v] = c->z[r.stays] + f * (c->z[r.goes] - c->z[r.stays]);
        c->gone[v] = 0;
        c->plane[v][0] = r.a;
        c->plane[v][1] = r.b;
        c->plane[v][2] = p;
        c->across[v][0] = r.stays;
        c->across[v][1] = base + c->mark[r.b];
        c->across[base + c->mark[r.b]][2] = v;
    }
    for (uint32_t i = 0; i < n; i++) { /* a vertex that stays may have lost two neighbours */
        const struct crossing r = c->ring[i];
        for (int e = 0; e < 3; e++)
            if (c->across[r.stays][e] == r.goes && c->plane[r.stays][e] == r.b)
                c->across[r.stays][e] = base + i;
    }
    c->count += n;
    remove_gone(c);
    cell_settle(c);
    return CELL_OK;
}

static int slot_of(const CELL *c, uint32_t vertex, uint32_t plane)
{
    return c->plane[vertex][0] == plane ? 0 : c->plane[vertex][1] == plane ? 1 : 2;
}

static cell_state cell_finish(CELL *c, voronoi_poly *out)
{
    const size_t corners = 3 * (size_t)c->count;
    if (!(GROW(c, corner, corners) && GROW(c, first, (size_t)c->planes + 1) && GROW(c, face_id, c->planes) &&
          GROW(c, face_normal, c->planes) && GROW(c, v, c->count)))
        return CELL_NO_MEMORY;
    for (uint32_t p = 0; p < c->planes; p++) c->mark[p] = UINT32_MAX;
    for (uint32_t i = 0; i < c->count; i++)
        for (int e = 0; e < 3; e++) c->mark[c->plane[i][e]] = i;
    uint32_t n = 0, used = 0;
    for (uint32_t p = 0; p < c->planes; p++) {
        if (c->mark[p] == UINT32_MAX) continue;
        c->first[n] = used;
        c->face_id[n] = c->id[p];
        const double normal[4] = {c->nx[p], c->ny[p], c->nz[p], 0};
        memcpy(c->face_normal[n++], normal, sizeof normal);
        uint32_t u = c->mark[p];
        do {
            c->corner[used++] = u;
            u = c->across[u][(slot_of(c, u, p) + 2) % 3];
        } while (u != c->mark[p] && used < corners);
    }
    c->first[n] = used;
    for (uint32_t i = 0; i < c->count; i++) {
        const double v[4] = {c->x[i], c->y[i], c->z[i], 0};
        memcpy(c->v[i], v, sizeof v);
    }
    *out = (voronoi_poly){
        c->count,   n,        c->most2, (const double(*)[4])c->v, (const double(*)[4])c->face_normal,
        c->face_id, c->first, c->corner};
    return CELL_OK;
}

#include "geom/voronoi/voronoi_search.h"

cell_state voronoi_cell_big(const voronoi_space *s, voronoi_worker *w, uint32_t k, voronoi_poly *out)
{
    if (!w->big) {
        w->big = mem_zero(w->ctx, 1, sizeof *w->big);
        if (!w->big) return CELL_NO_MEMORY;
        w->big->ctx = w->ctx;
    }
    if (!reserve_vertices(w->big, 64) || !reserve_planes(w->big, 64)) return CELL_NO_MEMORY;
    return search_cell(s, w, w->big, k, out);
}
