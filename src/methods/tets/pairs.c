#include "tets/pairs.h"

enum { MOST_NORMALS = 6 };

rill_status pairs_init(rill_ctx *ctx, double finest, pairs *out)
{
    *out = (pairs){0};
    rill_status st = spots_init(ctx, &out->taken, 2 * finest, 1000);
    if (!st) st = spots_init(ctx, &out->behind, 2 * finest, 1000);
    if (st) pairs_clear(out);
    return st;
}

void pairs_clear(pairs *p)
{
    spots_clear(&p->taken);
    spots_clear(&p->behind);
}

/* Whether two or more solids are within reach of x. */
static bool among_solids(const walls *w, rill_vec3 x, double reach)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < w->count && count < 2; k++) count += wall_within(w, k, x, reach) < reach;
    return count > 1;
}

/* Whether the normal of the solids at p is that of a face: next to an edge it turns from place to place. */
static bool flat_at(const walls *w, rill_vec3 p, rill_vec3 n, double step, double reach)
{
    const rill_vec3 u = v3_unit(v3_cross(n, fabs(n.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0))), v = v3_cross(n, u);
    for (int q = 0; q < 4; q++) {
        rill_vec3 m;
        (void)walls_solid_distance(w, v3_madd(p, q & 1 ? step : -step, q & 2 ? u : v), reach, &m);
        if (!(v3_dot(m, n) > 0.99)) return false;
    }
    return true;
}

/* Normals of the faces of solids that meet at x; returns how many. */
static int normals_at(const walls *w, rill_vec3 x, double h, rill_vec3 out[MOST_NORMALS])
{
    const double away = 5e-3 * h;
    int count = 0;
    for (int k = 0; k < 27 && count < MOST_NORMALS; k++) {
        if (k == 13) continue;
        const rill_vec3 way = v3_unit(v3(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1)), p = v3_madd(x, away, way);
        rill_vec3 n;
        const double d = walls_solid_distance(w, p, h, &n);
        bool known = !(d > 1e-2 * away && d < 2 * away) || !(v3_dot(way, n) > 0.1);
        for (int i = 0; i < count && !known; i++) known = v3_dot(n, out[i]) > 0.9;
        if (!known && flat_at(w, p, n, 0.3 * away, h)) out[count++] = n;
    }
    return count;
}

/* Where the way from x against the normal comes out of all solids again; false beyond SAMPLES_THIN sizes. */
static bool way_out(const walls *w, rill_vec3 x, rill_vec3 normal, double h, rill_vec3 *out,
                    rill_vec3 *its_normal, uint32_t *owner)
{
    const double most = SAMPLES_THIN * h, least = 1e-3 * h;
    double depth = least, d = 0;
    rill_vec3 n = {0, 0, 0};
    for (; depth < most; depth += fmax(-d, least)) {
        d = walls_solid_distance(w, v3_madd(x, -depth, normal), h, &n);
        if (d > 1e-7 * h) break;
        if (depth == least && d > -1e-7 * h) return false; /* not into a solid */
    }
    if (!(depth < most) || !(v3_dot(n, normal) < -0.5)) return false;
    rill_vec3 y = v3_madd(x, -depth, normal);
    uint32_t k;
    (void)walls_distance(w, y, NULL, &k);
    if (k >= w->count || !wall_project(w, k, &y, &n) || !box_contains(w->box, y)) return false;
    *out = y;
    *its_normal = n;
    *owner = k;
    return true;
}

static rill_status place_behind(pairs *p, const walls *w, rill_vec3 x, rill_vec3 normal, uint8_t kind,
                                double h, tet_mesh *out)
{
    rill_vec3 y, n;
    uint32_t owner;
    if (!way_out(w, x, normal, h, &y, &n, &owner)) return RILL_OK;
    const double near = fmin(0.3 * h, 0.45 * v3_distance(x, y));
    if (spots_nearest(&p->taken, y, near, n, -0.2) != SPOT_NONE) return RILL_OK;
    TRY(spots_add(&p->taken, y, n));
    TRY(spots_add(&p->behind, y, n));
    return mesh_add_node(out, y, kind, owner);
}

bool pairs_concern(const walls *w, rill_vec3 x, uint32_t owner, double h)
{
    return w->count > 1 && owner != WALL_BOX && among_solids(w, x, SAMPLES_THIN * h);
}

rill_status pairs_take(pairs *p, rill_vec3 x)
{
    return spots_add(&p->taken, x, v3(0, 0, 0));
}

rill_status pairs_complete(pairs *p, const walls *w, rill_vec3 x, uint8_t kind, double h, tet_mesh *out)
{
    rill_vec3 n[MOST_NORMALS];
    const int count = normals_at(w, x, h, n);
    for (int i = 0; i < count; i++) TRY(place_behind(p, w, x, n[i], kind, h, out));
    return RILL_OK;
}

rill_status pairs_place(pairs *p, const walls *w, rill_vec3 x, uint8_t kind, uint32_t owner, double h,
                        tet_mesh *out)
{
    rill_vec3 n[MOST_NORMALS];
    if (!pairs_concern(w, x, owner, h)) return mesh_add_node(out, x, kind, owner);
    const int count = normals_at(w, x, h, n);
    const rill_vec3 face = count == 1 ? n[0] : v3(0, 0, 0);
    if (spots_nearest(&p->behind, x, 0.5 * h, face, count == 1 ? 0.2 : -2) != SPOT_NONE) return RILL_OK;
    /* its edges run along the other solids, or through them next to the rim: it is not in the way */
    kind = NODE_CREASE;
    TRY(mesh_add_node(out, x, kind, owner));
    TRY(spots_add(&p->taken, x, face));
    for (int i = 0; i < count; i++) TRY(place_behind(p, w, x, n[i], kind, h, out));
    return RILL_OK;
}
