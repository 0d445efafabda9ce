#include "geom/search/nearest.h"

enum { BLOCK = 64 };

typedef struct {
    const nearest_query *q;
    uint32_t *out, *found;
    double *d2;
} job;

/* One place and what was found for it so far, nearest first. */
typedef struct {
    const nearest_query *q;
    rill_vec3 x;
    uint32_t label, n;
    double limit; /* squared: what is not nearer does not count */
    double d2[NEAREST_MOST];
    uint32_t id[NEAREST_MOST];
} search;

static void take(search *s, uint32_t id, double d2)
{
    const uint32_t k = s->q->k;
    if (s->n == k && d2 == s->d2[k - 1] && id > s->id[k - 1]) return;
    uint32_t i = s->n < k ? s->n++ : k - 1;
    for (; i > 0 && (s->d2[i - 1] > d2 || (s->d2[i - 1] == d2 && s->id[i - 1] > id)); i--) {
        s->d2[i] = s->d2[i - 1];
        s->id[i] = s->id[i - 1];
    }
    s->d2[i] = d2;
    s->id[i] = id;
    /* One at the same distance with a smaller id is still wanted. */
    if (s->n == k) s->limit = nextafter(s->d2[k - 1], INFINITY);
}

static void search_points(search *s, uint32_t begin, uint32_t end)
{
    const bins *b = s->q->points;
    for (uint32_t i = begin; i < end; i++) {
        const double dx = b->x[i] - s->x.x, dy = b->y[i] - s->x.y, dz = b->z[i] - s->x.z;
        const double d2 = dx * dx + dy * dy + dz * dz;
        if (!(d2 < s->limit)) continue;
        if (s->q->label && s->q->label[b->order[i]] != s->label) continue;
        take(s, b->order[i], d2);
    }
}

static double outside(double lo, double hi, double x)
{
    return x < lo ? lo - x : x > hi ? x - hi : 0;
}

static void search_range(search *s, const bins_grid *g, const uint32_t lo[3], const uint32_t hi[3],
                         const uint32_t skip_lo[3], const uint32_t skip_hi[3], bool skip);

/* A grid the place is not in: first the bin nearest to it, then as far as that leaves. */
static void search_child(search *s, const bins_grid *g)
{
    const double x[3] = {s->x.x, s->x.y, s->x.z};
    uint32_t at[3], lo[3], hi[3];
    for (int a = 0; a < 3; a++) at[a] = bins_along(g, a, x[a]);
    search_range(s, g, at, at, at, at, false);
    const double r = sqrt(s->limit) * (1 + 1e-12);
    bool inside = true;
    for (int a = 0; a < 3; a++) {
        lo[a] = bins_along(g, a, x[a] - r);
        hi[a] = bins_along(g, a, x[a] + r);
        inside = inside && lo[a] <= at[a] && at[a] <= hi[a];
    }
    search_range(s, g, lo, hi, at, at, inside);
}

static void search_row(search *s, const bins_grid *g, uint32_t a0, uint32_t a1, uint32_t j, uint32_t k)
{
    const uint32_t row = bins_index(g, 0, j, k);
    if (g->start[row + a0] == g->start[row + a1 + 1]) return;
    const double *o = g->origin, *w = g->width;
    const double dx = outside(o[0] + a0 * w[0], o[0] + (a1 + 1) * w[0], s->x.x);
    const double dy = outside(o[1] + j * w[1], o[1] + (j + 1) * w[1], s->x.y);
    const double dz = outside(o[2] + k * w[2], o[2] + (k + 1) * w[2], s->x.z);
    /* Bins are where rounding puts their sides: a little more than the distance. */
    if ((dx * dx + dy * dy + dz * dz) * (1 - 1e-12) >= s->limit) return;
    if (!g->child) {
        search_points(s, g->start[row + a0], g->start[row + a1 + 1]);
        return;
    }
    for (uint32_t i = a0; i <= a1; i++) {
        if (!g->child[row + i]) {
            search_points(s, g->start[row + i], g->start[row + i + 1]);
            continue;
        }
        search_child(s, s->q->points->grid + g->child[row + i]);
    }
}

static void search_range(search *s, const bins_grid *g, const uint32_t lo[3], const uint32_t hi[3],
                         const uint32_t skip_lo[3], const uint32_t skip_hi[3], bool skip)
{
    for (uint32_t k = lo[2]; k <= hi[2]; k++)
        for (uint32_t j = lo[1]; j <= hi[1]; j++) {
            if (skip && k >= skip_lo[2] && k <= skip_hi[2] && j >= skip_lo[1] && j <= skip_hi[1]) {
                if (lo[0] < skip_lo[0]) search_row(s, g, lo[0], skip_lo[0] - 1, j, k);
                if (hi[0] > skip_hi[0]) search_row(s, g, skip_hi[0] + 1, hi[0], j, k);
            } else
                search_row(s, g, lo[0], hi[0], j, k);
        }
}

/* Rings around lo .. hi, which are done, as far as anything nearer may be. */
static void search_rings(search *s, const bins_grid *g, uint32_t lo[3], uint32_t hi[3])
{
    for (;;) {
        const double r = sqrt(s->limit) * (1 + 1e-12);
        const double x[3] = {s->x.x, s->x.y, s->x.z};
        uint32_t from[3], to[3];
        bool more = false;
        for (int a = 0; a < 3; a++) {
            from[a] = bins_along(g, a, x[a] - r) < lo[a] ? lo[a] - 1 : lo[a];
            to[a] = bins_along(g, a, x[a] + r) > hi[a] ? hi[a] + 1 : hi[a];
            more = more || from[a] < lo[a] || to[a] > hi[a];
        }
        if (!more) return;
        search_range(s, g, from, to, lo, hi, true);
        for (int a = 0; a < 3; a++) lo[a] = from[a], hi[a] = to[a];
    }
}

static void find_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    const nearest_query *q = j->q;
    const bins *b = q->points;
    search s = {.q = q};
    for (size_t i = begin; i < end; i++) {
        s.x = q->x[i];
        s.label = q->label ? q->label_of[i] : 0;
        s.n = 0;
        s.limit = q->within * q->within;
        uint32_t lo[3], hi[3];
        const bins_grid *g = bins_at(b, s.x.x, s.x.y, s.x.z, lo);
        for (int a = 0; a < 3; a++) hi[a] = lo[a];
        const uint32_t bin = bins_index(g, lo[0], lo[1], lo[2]);
        search_points(&s, g->start[bin], g->start[bin + 1]);
        for (;; g = b->grid + g->parent) {
            search_rings(&s, g, lo, hi);
            if (g == b->grid) break;
            for (int a = 0; a < 3; a++) lo[a] = hi[a] = g->slot[a];
        }
        for (uint32_t k = 0; k < q->k; k++) {
            j->out[i * q->k + k] = k < s.n ? s.id[k] : UINT32_MAX;
            if (j->d2) j->d2[i * q->k + k] = k < s.n ? s.d2[k] : INFINITY;
        }
        if (j->found) j->found[i] = s.n;
    }
}

/* Minus the first index of a place that is not finite. */
static double first_wrong(void *arg, size_t begin, size_t end)
{
    const nearest_query *q = arg;
    for (size_t i = begin; i < end; i++)
        if (!v3_finite(q->x[i])) return -(double)i;
    return -INFINITY;
}

rill_status nearest_find(rill_ctx *ctx, const nearest_query *q, uint32_t *out, uint32_t *found, double *d2)
{
    if (q->k < 1 || q->k > NEAREST_MOST || !(q->within >= 0))
        return rill_fail(ctx, RILL_USAGE, "from 1 to %d nearest points can be asked for, not %u",
                         NEAREST_MOST, q->k);
    if (q->count == 0) return RILL_OK;
    nearest_query copy = *q;
    const double wrong = parallel_max(ctx, q->count, first_wrong, &copy);
    if (wrong != -INFINITY) return rill_fail(ctx, RILL_BLEW_UP, "place %.0f is not finite", -wrong);
    job j = {q, out, found, d2};
    parallel_for(ctx, q->count, BLOCK, find_block, &j);
    return RILL_OK;
}
