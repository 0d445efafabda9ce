/* Which points can cut a cell: the search, for either kind of cell.
 *
 * A point cuts off a vertex when it is nearer to it than the site is: when it is inside
 * the ball around the vertex through the site (with weights: a ball enlarged by what the
 * heaviest point could gain). First come the points of the 27 bins around, nearest first:
 * few later ones then cut at all. Then rings of bins, as far as the bounding box of the
 * balls reaches, each row of bins only if some ball meets it. Inside a refined bin its own
 * grid is searched alike, and from a refined bin the search goes on to the grid around.
 *
 * The cell starts as a cube of a few bins around the site: vertices at the far end of the
 * domain would leave their rounding errors behind. When one of its sides is still there
 * at the end, and is not the domain's, the cell is made again from a larger cube.
 *
 * Included after CELL, and cell_begin, cell_cut, cell_finish for it. CELL has x, y, z,
 * count and most2 (largest squared distance of a vertex), arrays padded to LANES with
 * copies of vertex 0. */
#include "geom/voronoi/lanes.h"

/* fmax and fmin are calls, for the sake of NaN. */
static inline double larger(double a, double b)
{
    return a > b ? a : b;
}
static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

typedef struct {
    const voronoi_space *s;
    const bins *b;
    CELL *c;
    uint32_t k;
    double x, y, z;
    double gain;   /* most_weight - weight of the site */
    double weight; /* of the site */
    double reach2; /* points beyond cannot cut */
} search;

static void search_reach(search *q)
{
    const double r2 = q->c->most2;
    if (q->gain == 0)
        q->reach2 = 4 * r2;
    else {
        const double r = sqrt(r2) + sqrt(r2 + q->gain);
        q->reach2 = r * r;
    }
}

/* Whether a plate is between the site and point i: their walls are back to back. */
static inline bool search_parted(const search *q, uint32_t i, double nx, double ny, double nz)
{
    const rill_vec3 a = q->s->away[q->k], b = q->s->away[i], d = v3(nx, ny, nz);
    return v3_dot(a, b) < -0.5 && v3_dot(a, d) < 0 && v3_dot(b, d) > 0;
}

/* The plane between the site and point i at (nx, ny, nz) from it. */
static inline cell_state search_cut(search *q, uint32_t i, double nx, double ny, double nz, double d2)
{
    if (q->s->away && search_parted(q, i, nx, ny, nz)) return CELL_OK;
    double d = 0.5 * d2;
    if (q->s->weight) d += 0.5 * (q->weight - q->s->weight[i]);
    const double tolerance = CELL_TOLERANCE * 0.5 * d2 + CELL_ROUNDING * sqrt(d2 * q->c->most2);
    const cell_state st = cell_cut(q->c, nx, ny, nz, d, tolerance, i);
    if (st == CELL_OK) search_reach(q);
    return st;
}

static cell_state search_points(search *q, uint32_t begin, uint32_t end)
{
    for (uint32_t i = begin; i < end; i++) {
        const double nx = q->b->x[i] - q->x, ny = q->b->y[i] - q->y, nz = q->b->z[i] - q->z;
        const double d2 = nx * nx + ny * ny + nz * nz;
        if (d2 >= q->reach2 || i == q->k) continue;
        const cell_state st = search_cut(q, i, nx, ny, nz, d2);
        if (st > CELL_OK) return st;
    }
    return CELL_OK;
}

/* Whether a ball meets the box given relative to the site. */
static inline bool balls_meet(const search *q, const double lo[3], const double hi[3])
{
    const CELL *c = q->c;
    const lanes lx = lanes_all(lo[0]), hx = lanes_all(hi[0]), ly = lanes_all(lo[1]), hy = lanes_all(hi[1]),
                lz = lanes_all(lo[2]), hz = lanes_all(hi[2]), zero = lanes_all(0), gain = lanes_all(q->gain);
    for (uint32_t i = 0; i < c->count; i += LANES) {
        const lanes x = lanes_load(c->x + i), y = lanes_load(c->y + i), z = lanes_load(c->z + i);
        const lanes dx = lanes_max(zero, lanes_max(lanes_sub(lx, x), lanes_sub(x, hx)));
        const lanes dy = lanes_max(zero, lanes_max(lanes_sub(ly, y), lanes_sub(y, hy)));
        const lanes dz = lanes_max(zero, lanes_max(lanes_sub(lz, z), lanes_sub(z, hz)));
        const lanes d2 = lanes_madd(dx, dx, lanes_madd(dy, dy, lanes_mul(dz, dz)));
        const lanes r2 = lanes_madd(x, x, lanes_madd(y, y, lanes_madd(z, z, gain)));
        if (lanes_below(d2, r2)) return true;
    }
    return false;
}

/* The bounding box of the balls, relative to the site. */
static void balls_box(const search *q, double lo[3], double hi[3])
{
    const CELL *c = q->c;
    const lanes gain = lanes_all(q->gain);
    lanes l[3], h[3];
    for (int a = 0; a < 3; a++) l[a] = lanes_all(INFINITY), h[a] = lanes_all(-INFINITY);
    for (uint32_t i = 0; i < c->count; i += LANES) {
        const lanes x = lanes_load(c->x + i), y = lanes_load(c->y + i), z = lanes_load(c->z + i);
        const lanes r = lanes_root(lanes_madd(x, x, lanes_madd(y, y, lanes_madd(z, z, gain))));
        l[0] = lanes_min(l[0], lanes_sub(x, r)), h[0] = lanes_max(h[0], lanes_add(x, r));
        l[1] = lanes_min(l[1], lanes_sub(y, r)), h[1] = lanes_max(h[1], lanes_add(y, r));
        l[2] = lanes_min(l[2], lanes_sub(z, r)), h[2] = lanes_max(h[2], lanes_add(z, r));
    }
    for (int a = 0; a < 3; a++) lo[a] = lanes_smallest(l[a]), hi[a] = lanes_largest(h[a]);
}

/* The bins the balls reach. */
static void balls_bins(const search *q, const bins_grid *g, uint32_t lo[3], uint32_t hi[3])
{
    double from[3], to[3];
    const double site[3] = {q->x, q->y, q->z};
    balls_box(q, from, to);
    for (int a = 0; a < 3; a++) {
        lo[a] = bins_along(g, a, site[a] + from[a]);
        hi[a] = bins_along(g, a, site[a] + to[a]);
    }
}

static cell_state search_child(search *q, const bins_grid *g);

/* Bins a0 .. a1 of one row. */
static cell_state search_row(search *q, const bins_grid *g, uint32_t a0, uint32_t a1, uint32_t j, uint32_t k)
{
    const uint32_t row = bins_index(g, 0, j, k);
    if (g->start[row + a0] == g->start[row + a1 + 1]) return CELL_OK;
    const double site[3] = {q->x, q->y, q->z};
    const uint32_t from[3] = {a0, j, k}, to[3] = {a1 + 1, j + 1, k + 1};
    double lo[3], hi[3];
    for (int a = 0; a < 3; a++) {
        lo[a] = g->origin[a] + from[a] * g->width[a] - site[a];
        hi[a] = g->origin[a] + to[a] * g->width[a] - site[a];
    }
    if (!balls_meet(q, lo, hi)) return CELL_OK;
    if (!g->child) return search_points(q, g->start[row + a0], g->start[row + a1 + 1]);
    for (uint32_t i = a0; i <= a1; i++) {
        const uint32_t child = g->child[row + i];
        const cell_state st = child ? search_child(q, q->b->grid + child)
                                    : search_points(q, g->start[row + i], g->start[row + i + 1]);
        if (st > CELL_OK) return st;
    }
    return CELL_OK;
}

/* Bins lo .. hi without those of skip_lo .. skip_hi, which are among them (or none). */
static cell_state search_range(search *q, const bins_grid *g, const uint32_t lo[3], const uint32_t hi[3],
                               const uint32_t skip_lo[3], const uint32_t skip_hi[3], bool skip)
{
    for (uint32_t k = lo[2]; k <= hi[2]; k++)
        for (uint32_t j = lo[1]; j <= hi[1]; j++) {
            cell_state st = CELL_OK;
            if (skip && k >= skip_lo[2] && k <= skip_hi[2] && j >= skip_lo[1] && j <= skip_hi[1]) {
                if (lo[0] < skip_lo[0]) st = search_row(q, g, lo[0], skip_lo[0] - 1, j, k);
                if (st <= CELL_OK && hi[0] > skip_hi[0]) st = search_row(q, g, skip_hi[0] + 1, hi[0], j, k);
            } else
                st = search_row(q, g, lo[0], hi[0], j, k);
            if (st > CELL_OK) return st;
        }
    return CELL_OK;
}

/* A grid the site is not in: first the bin nearest to it. */
static cell_state search_child(search *q, const bins_grid *g)
{
    const uint32_t at[3] = {bins_along(g, 0, q->x), bins_along(g, 1, q->y), bins_along(g, 2, q->z)};
    const cell_state st = search_range(q, g, at, at, at, at, false);
    if (st > CELL_OK) return st;
    uint32_t lo[3], hi[3];
    balls_bins(q, g, lo, hi);
    bool inside = true;
    for (int a = 0; a < 3; a++) inside = inside && lo[a] <= at[a] && hi[a] >= at[a];
    return search_range(q, g, lo, hi, at, at, inside);
}

/* Rings around what has been searched, until the balls are inside. */
static cell_state search_rings(search *q, const bins_grid *g, uint32_t lo[3], uint32_t hi[3])
{
    for (;;) {
        uint32_t from[3], to[3];
        balls_bins(q, g, from, to);
        bool more = false;
        for (int a = 0; a < 3; a++) {
            from[a] = from[a] < lo[a] ? lo[a] - 1 : lo[a];
            to[a] = to[a] > hi[a] ? hi[a] + 1 : hi[a];
            more = more || from[a] < lo[a] || to[a] > hi[a];
        }
        if (!more) return CELL_OK;
        const cell_state st = search_range(q, g, from, to, lo, hi, true);
        if (st > CELL_OK) return st;
        for (int a = 0; a < 3; a++) lo[a] = from[a], hi[a] = to[a];
    }
}

/* -- the 27 bins around ---------------------------------------------------------------- */

static void near_gather(voronoi_near *near, const bins *b, const bins_grid *g, const uint32_t lo[3],
                        const uint32_t hi[3])
{
    uint32_t n = 0;
    near->refined = false;
    for (uint32_t k = lo[2]; k <= hi[2]; k++)
        for (uint32_t j = lo[1]; j <= hi[1]; j++)
            for (uint32_t i = lo[0]; i <= hi[0]; i++) {
                const uint32_t bin = bins_index(g, i, j, k);
                if (g->child && g->child[bin]) {
                    near->refined = true;
                    continue;
                }
                const uint32_t from = g->start[bin];
                const uint32_t last = g->child ? i : hi[0], to = g->start[bin + last - i + 1];
                for (uint32_t p = from; p < to; p++, n++) {
                    near->x[n] = b->x[p];
                    near->y[n] = b->y[p];
                    near->z[n] = b->z[p];
                    near->index[n] = p;
                }
                i = last;
            }
    near->count = n;
    for (uint32_t p = 0; p < 8; p++) near->x[n + p] = near->y[n + p] = near->z[n + p] = INFINITY;
}

enum { BUCKETS = 32 };

/* In order of distance, by buckets of `width` (of squared distance); the last has the rest. */
static void near_sort(voronoi_near *near, const search *q, double width)
{
    uint32_t count[BUCKETS + 1] = {0};
    const lanes x = lanes_all(q->x), y = lanes_all(q->y), z = lanes_all(q->z), per = lanes_all(1 / width),
                last = lanes_all(BUCKETS - 1);
    for (uint32_t i = 0; i < near->count; i += LANES) {
        const lanes dx = lanes_sub(lanes_load(near->x + i), x), dy = lanes_sub(lanes_load(near->y + i), y),
                    dz = lanes_sub(lanes_load(near->z + i), z);
        const lanes d2 = lanes_add(lanes_add(lanes_mul(dx, dx), lanes_mul(dy, dy)), lanes_mul(dz, dz));
        lanes_store(near->d2 + i, d2);
        lanes_bytes(near->bucket + i, lanes_min(lanes_mul(d2, per), last));
    }
    for (uint32_t i = 0; i < near->count; i++) count[near->bucket[i] + 1]++;
    for (int i = 1; i <= BUCKETS; i++) count[i] += count[i - 1];
    for (uint32_t i = 0; i < near->count; i++) near->order[count[near->bucket[i]]++] = (uint16_t)i;
}

static cell_state search_near(search *q, voronoi_near *near, double width)
{
    near_sort(near, q, width);
    for (uint32_t w = 0; w < near->count; w++) {
        const uint32_t i = near->order[w];
        const double d2 = near->d2[i];
        if (d2 >= q->reach2) {
            if (d2 - width >= q->reach2 && near->bucket[i] < BUCKETS - 1) break;
            continue;
        }
        if (near->index[i] == q->k) continue;
        const cell_state st =
            search_cut(q, near->index[i], near->x[i] - q->x, near->y[i] - q->y, near->z[i] - q->z, d2);
        if (st > CELL_OK) return st;
    }
    return CELL_OK;
}

static cell_state search_around(search *q, voronoi_near *near, const bins_grid *g, const uint32_t at[3])
{
    uint32_t lo[3], hi[3];
    double width = 0;
    for (int a = 0; a < 3; a++) {
        lo[a] = at[a] > 0 ? at[a] - 1 : 0;
        hi[a] = at[a] + 1 < g->n[a] ? at[a] + 1 : g->n[a] - 1;
        if (g->n[a] > 1 || g->width[a] > width) width = larger(width, g->width[a]);
    }
    if (near->grid != g || near->at[0] != at[0] || near->at[1] != at[1] || near->at[2] != at[2]) {
        near_gather(near, q->b, g, lo, hi);
        near->grid = g;
        for (int a = 0; a < 3; a++) near->at[a] = at[a];
    }
    cell_state st = search_near(q, near, width > 0 ? 4 * width * width / BUCKETS : 1);
    if (st <= CELL_OK && near->refined)
        for (uint32_t k = lo[2]; k <= hi[2]; k++)
            for (uint32_t j = lo[1]; j <= hi[1]; j++)
                for (uint32_t i = lo[0]; i <= hi[0] && st <= CELL_OK; i++)
                    if (g->child[bins_index(g, i, j, k)]) st = search_row(q, g, i, i, j, k);
    for (; st <= CELL_OK; g = q->b->grid + g->parent) {
        st = search_rings(q, g, lo, hi);
        if (g == q->b->grid) break;
        for (int a = 0; a < 3; a++) lo[a] = hi[a] = g->slot[a];
    }
    return st;
}

/* -- the cell -------------------------------------------------------------------------- */

/* Half the width of the first cube: about five times the distance between points. */
static double first_width(const bins_grid *g, rill_box box)
{
    double width = 0;
    for (int a = 0; a < 3; a++)
        if (g->n[a] > 1) width = larger(width, g->width[a]);
    return width > 0 ? 3 * width : v3_length(box_size(box));
}

static bool has_cap(const voronoi_poly *p)
{
    for (uint32_t f = 0; f < p->faces; f++)
        if (voronoi_is_cap(p->id[f])) return true;
    return false;
}

static cell_state search_cell(const voronoi_space *s, voronoi_worker *w, CELL *c, uint32_t k,
                              voronoi_poly *out)
{
    const bins *b = s->b;
    search q = {.s = s, .b = b, .c = c, .k = k, .x = b->x[k], .y = b->y[k], .z = b->z[k]};
    if (s->weight) {
        q.weight = s->weight[k];
        q.gain = s->most_weight - q.weight;
    }
    uint32_t at[3];
    const bins_grid *g = bins_at(b, q.x, q.y, q.z, at);
    const double site[3] = {q.x, q.y, q.z};
    const double low[3] = {s->box.min.x, s->box.min.y, s->box.min.z};
    const double high[3] = {s->box.max.x, s->box.max.y, s->box.max.z};
    for (double half = first_width(g, s->box);; half *= 16) {
        const bool last = s->cap > 0 && half >= s->cap;
        if (last) half = s->cap;
        double lo[3], hi[3];
        uint32_t id[6];
        bool open = false; /* some side is not the domain's */
        for (int a = 0; a < 3; a++) {
            lo[a] = larger(low[a] - site[a], -half);
            hi[a] = smaller(high[a] - site[a], half);
            id[2 * a] = (low[a] - site[a] < -half ? VORONOI_CAP : VORONOI_WALL) + (uint32_t)(2 * a);
            id[2 * a + 1] = (high[a] - site[a] > half ? VORONOI_CAP : VORONOI_WALL) + (uint32_t)(2 * a + 1);
            open = open || low[a] - site[a] < -half || high[a] - site[a] > half;
        }
        cell_begin(c, lo, hi, id);
        search_reach(&q);
        const cell_state st = search_around(&q, &w->near, g, at);
        if (st == CELL_EMPTY && open && !last) continue; /* a cell elsewhere, by its weight */
        if (st > CELL_OK) return st;
        const cell_state done = cell_finish(c, out);
        if (done == CELL_OK && open && !last && has_cap(out)) continue;
        return done;
    }
}
