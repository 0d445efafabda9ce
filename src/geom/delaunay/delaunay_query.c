/* Questions to the tetrahedra: location, spheres, volumes. */
#include "geom/delaunay/delaunay_core.h"
#include "geom/delaunay/hilbert.h"

enum { BLOCK = 1 << 10, SAMPLES = 64 };

typedef struct {
    const delaunay *d;
    const rill_vec3 *point;
    const uint32_t *order; /* of the walk; NULL: as they come */
    grid_site *snapped;    /* for the order */
    uint32_t *tet;
    _Atomic uint32_t bad;
} locating;

/* Nearest grid point; beyond the grid, one just outside it, where no site is. */
static double clamped(double v)
{
    return v < 0 ? -1 : v > SITE_MOST ? SITE_MOST + 1 : v;
}

static grid_site snapped(const delaunay *d, rill_vec3 x)
{
    const grid_site s = site_snap(&d->grid, x);
    return (grid_site){clamped(s.x), clamped(s.y), clamped(s.z), 0};
}

uint32_t delaunay_near(const delaunay *d, const grid_site *p, uint32_t hint)
{
    double best = INFINITY;
    uint32_t found = 0;
    const uint32_t stride = d->tets / SAMPLES + 1;
    for (uint32_t n = 0; n <= SAMPLES; n++) {
        const uint32_t k = n == SAMPLES ? hint : n * stride;
        if (k >= d->tets || !delaunay_is_finite(&d->tet[k])) continue;
        const grid_site *s = &d->site[d->tet[k].v[0]];
        const double x = s->x - p->x, y = s->y - p->y, z = s->z - p->z, r = x * x + y * y + z * z;
        if (r < best) best = r, found = k;
    }
    while (!delaunay_is_finite(&d->tet[found])) found++; /* there is one */
    return found;
}

static void survey_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    locating *l = arg;
    for (size_t i = begin; i < end; i++) {
        if (v3_finite(l->point[i])) continue;
        uint32_t now = l->bad;
        while ((uint32_t)i < now && !atomic_compare_exchange_weak(&l->bad, &now, (uint32_t)i)) {
        }
    }
}

static void snap_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const locating *l = arg;
    for (size_t i = begin; i < end; i++) {
        const grid_site s = snapped(l->d, l->point[i]);
        l->snapped[i] = (grid_site){fmax(s.x, 0), fmax(s.y, 0), fmax(s.z, 0), 0};
    }
}

static void locate_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const locating *l = arg;
    const delaunay *d = l->d;
    const delaunay_core core = {.ctx = d->ctx, .site = d->site, .tet = d->tet};
    core_work work = {.ctx = d->ctx};
    work.own = range_of(0, d->sites, d->sites);
    for (size_t k = begin; k < end; k++) {
        const size_t i = l->order ? l->order[k] : k;
        const grid_site p = snapped(d, l->point[i]);
        if (k == begin) work.hint = delaunay_near(d, &p, 0);
        uint32_t found = 0;
        (void)core_walk(&core, &work, &p, &found); /* on a site is in the closure too */
        l->tet[i] = delaunay_is_finite(&d->tet[found]) ? found : DELAUNAY_INFINITE;
    }
}

/* Whether one point is far from the next, in spacings of the sites, by a sample. */
static bool are_scattered(const delaunay *d, const rill_vec3 *point, size_t count)
{
    const size_t stride = count / SAMPLES + 1;
    double sum = 0;
    size_t pairs = 0;
    for (size_t i = 0; i + 1 < count; i += stride, pairs++) {
        const grid_site a = snapped(d, point[i]), b = snapped(d, point[i + 1]);
        sum += v3_length(v3(a.x - b.x, a.y - b.y, a.z - b.z));
    }
    return sum >
           3 * (double)pairs * SITE_MOST / cbrt((double)d->vertices); /* sites fill half the grid or more */
}

rill_status delaunay_locate(const delaunay *d, const rill_vec3 *point, size_t count, uint32_t *tet)
{
    if (!d->tets)
        return rill_fail(d->ctx, RILL_USAGE, "points cannot be located: there are no tetrahedra yet");
    if (count >= UINT32_MAX) return rill_fail(d->ctx, RILL_USAGE, "%zu points to locate are too many", count);
    locating l = {.d = d, .point = point, .tet = tet};
    l.bad = UINT32_MAX;
    parallel_for(d->ctx, count, BLOCK, survey_block, &l);
    if (l.bad != UINT32_MAX) {
        const rill_vec3 p = point[l.bad];
        return rill_fail(d->ctx, RILL_BLEW_UP, "point %u to locate is at (%g, %g, %g), which is no place",
                         (uint32_t)l.bad, p.x, p.y, p.z);
    }
    rill_arena arena;
    rill_status st = RILL_OK;
    arena_init(&arena, d->ctx);
    if (are_scattered(d, point, count)) {
        uint32_t *order = NULL;
        size_t ordered;
        st = ARENA_NEW(&arena, l.snapped, count);
        if (!st) st = ARENA_NEW(&arena, order, count);
        if (!st) {
            parallel_for(d->ctx, count, BLOCK, snap_block, &l);
            st = hilbert_order(d->ctx, &arena, l.snapped, count, NULL, order, &ordered);
        }
        l.order = order;
    }
    if (!st) parallel_for(d->ctx, count, BLOCK, locate_block, &l);
    arena_clear(&arena);
    return st;
}

/* Edges from vertex 0: exact, being differences on the grid. */
static void edges_of(const delaunay *d, uint32_t tet, rill_vec3 e[3])
{
    const uint32_t *v = d->tet[tet].v;
    const grid_site *o = &d->site[v[0]];
    for (int i = 0; i < 3; i++) {
        const grid_site *s = &d->site[v[i + 1]];
        e[i] = v3(s->x - o->x, s->y - o->y, s->z - o->z);
    }
}

rill_vec3 delaunay_circumcentre(const delaunay *d, uint32_t tet, double *radius)
{
    rill_vec3 e[3];
    edges_of(d, tet, e);
    const rill_vec3 bc = v3_cross(e[1], e[2]), ca = v3_cross(e[2], e[0]), ab = v3_cross(e[0], e[1]);
    const double det =
        v3_dot(e[0], bc); /* not zero: the orientation is exactly positive and errors are smaller */
    rill_vec3 c = v3_scale(bc, v3_dot(e[0], e[0]));
    c = v3_madd(c, v3_dot(e[1], e[1]), ca);
    c = v3_madd(c, v3_dot(e[2], e[2]), ab);
    c = v3_scale(c, 0.5 / det);
    if (radius) *radius = v3_length(c) * d->grid.step;
    return v3_madd(delaunay_site(d, d->tet[tet].v[0]), d->grid.step, c);
}

double delaunay_volume(const delaunay *d, uint32_t tet)
{
    rill_vec3 e[3];
    edges_of(d, tet, e);
    const double step = d->grid.step;
    return v3_dot(e[0], v3_cross(e[1], e[2])) / 6 * step * step * step;
}
