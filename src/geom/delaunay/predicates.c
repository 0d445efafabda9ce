#include "geom/delaunay/predicates.h"

typedef __int128 wide;

site_grid site_grid_of(rill_box box)
{
    const rill_vec3 size = box_size(box);
    const double extent = fmax(size.x, fmax(size.y, size.z));
    const rill_vec3 far = v3_max(v3(fabs(box.min.x), fabs(box.min.y), fabs(box.min.z)),
                                 v3(fabs(box.max.x), fabs(box.max.y), fabs(box.max.z)));
    const double largest = fmax(far.x, fmax(far.y, far.z));

    /* step >= extent / 2^24, and not below the spacing of doubles at the far corner */
    int e = -1000, finest;
    if (extent > 0) {
        if (frexp(extent, &e) == 0.5) e--;
        e -= 24;
    }
    if (largest > 0) {
        (void)frexp(largest, &finest);
        if (e < finest - 53) e = finest - 53;
    }
    if (e < -1000) e = -1000;
    for (;; e++) {
        const double step = ldexp(1, e);
        const site_grid g = {v3(floor(box.min.x / step) * step, floor(box.min.y / step) * step,
                                floor(box.min.z / step) * step),
                             step};
        const rill_vec3 most = v3_scale(v3_sub(box.max, g.origin), 1 / step);
        if (most.x <= SITE_MOST && most.y <= SITE_MOST && most.z <= SITE_MOST) return g;
    }
}

static int sign_of(wide v)
{
    return (v > 0) - (v < 0);
}

typedef struct row {
    int64_t x, y, z;
} row;

static row row_of(const grid_site *a, const grid_site *from)
{
    return (row){(int64_t)(a->x - from->x), (int64_t)(a->y - from->y), (int64_t)(a->z - from->z)};
}

static wide det3(row a, row b, row c)
{
    return (wide)(a.x * b.y - b.x * a.y) * c.z + (wide)(b.x * c.y - c.x * b.y) * a.z +
           (wide)(c.x * a.y - a.x * c.y) * b.z;
}

int orient_sign(const grid_site *a, const grid_site *b, const grid_site *c, const grid_site *d)
{
    const double bx = b->x - a->x, by = b->y - a->y, bz = b->z - a->z;
    const double cx = c->x - a->x, cy = c->y - a->y, cz = c->z - a->z;
    const double dx = d->x - a->x, dy = d->y - a->y, dz = d->z - a->z;
    const double p = (bx * cy - cx * by) * dz, q = (cx * dy - dx * cy) * bz, r = (dx * by - bx * dy) * cz;
    const double det = p + q + r, bound = 0x1p-50 * (fabs(p) + fabs(q) + fabs(r));
    if (det > bound) return 1;
    if (det < -bound) return -1;
    return sign_of(det3(row_of(b, a), row_of(c, a), row_of(d, a)));
}

bool sites_in_line(const grid_site *a, const grid_site *b, const grid_site *c)
{
    const double bx = b->x - a->x, by = b->y - a->y, bz = b->z - a->z;
    const double cx = c->x - a->x, cy = c->y - a->y, cz = c->z - a->z; /* products of 25 bits: exact */
    return by * cz == bz * cy && bz * cx == bx * cz && bx * cy == by * cx;
}

int insphere_sign(const grid_site *const tet[4], const grid_site *e)
{
    const rows4 rows = rows4_make(tet[0], tet[1], tet[2], tet[3], e);
    bool certain;
    const double s = rows4_insphere(&rows, &certain);
    if (certain) return s > 0 ? 1 : -1;

    const row a = row_of(tet[0], e), b = row_of(tet[1], e), c = row_of(tet[2], e), d = row_of(tet[3], e);
    const int64_t wa = a.x * a.x + a.y * a.y + a.z * a.z, wb = b.x * b.x + b.y * b.y + b.z * b.z;
    const int64_t wc = c.x * c.x + c.y * c.y + c.z * c.z, wd = d.x * d.x + d.y * d.y + d.z * d.z;
    const int64_t ab = a.x * b.y - b.x * a.y, ac = a.x * c.y - c.x * a.y, ad = a.x * d.y - d.x * a.y;
    const int64_t bc = b.x * c.y - c.x * b.y, bd = b.x * d.y - d.x * b.y, cd = c.x * d.y - d.x * c.y;
    const wide ma = (wide)b.z * cd - (wide)c.z * bd + (wide)d.z * bc;
    const wide mb = (wide)a.z * cd - (wide)c.z * ad + (wide)d.z * ac;
    const wide mc = (wide)a.z * bd - (wide)b.z * ad + (wide)d.z * ab;
    const wide md = (wide)a.z * bc - (wide)b.z * ac + (wide)c.z * ab;
    return sign_of(ma * wa - mb * wb + mc * wc - md * wd);
}

bool insphere_tie(const grid_site *const tet[4], const uint32_t index[4], const grid_site *e,
                  uint32_t e_index)
{
    const int s = insphere_sign(tet, e);
    if (s != 0) return s > 0;

    /* Raising e puts it outside. Raising vertex i raises the hyperplane through the
     * lifted vertices at e by the barycentric coordinate i of e. */
    unsigned left = 0xF;
    for (;;) {
        int top = -1;
        for (int i = 0; i < 4; i++)
            if (left >> i & 1 && (top < 0 || index[i] > index[top])) top = i;
        if (top < 0 || e_index > index[top]) return false;
        const grid_site *v[4] = {tet[0], tet[1], tet[2], tet[3]};
        v[top] = e;
        const int side = orient_sign(v[0], v[1], v[2], v[3]);
        if (side != 0) return side > 0;
        left &= ~(1u << top);
    }
}
