#include "render/slice_find.h"

#include "base/parallel.h"
#include "geom/delaunay/delaunay.h"
#include "geom/search/nearest.h"

#include <string.h>

/* ---- cells around sites ---- */

/* The nearest site is the cell's own, of cubes on a grid too; how far a cell reaches is another matter. */
static rill_status find_cells(rill_ctx *ctx, rill_arena *arena, const slice_sites *s, size_t count,
                              const rill_vec3 *x, uint32_t *element, float *value)
{
    const particles *p = s->sites;
    const bool cubes = s->shape == VIEW_CUBES;
    bins sorted;
    TRY(bins_build(ctx, arena, p->position, (uint32_t)p->count, &sorted));
    const nearest_query q = {.points = &sorted, .x = x, .count = count, .k = 1, .within = s->spacing};
    TRY(nearest_find(ctx, &q, element, NULL, NULL));
    for (size_t i = 0; i < count; i++) {
        if (element[i] == UINT32_MAX) continue;
        const rill_vec3 d = v3_sub(x[i], p->position[element[i]]);
        const double most = fmax(fabs(d.x), fmax(fabs(d.y), s->dimensions == 2 ? 0 : fabs(d.z)));
        if (cubes && most > 0.5001 * s->spacing)
            element[i] = UINT32_MAX;
        else
            value[i] = (float)range_value(&s->column, element[i]);
    }
    return RILL_OK;
}

/* ---- tetrahedra ---- */

typedef struct {
    const slice_sites *s;
    const delaunay *d;
    const rill_vec3 *x;
    const float *level; /* of the sites: tetrahedra count where it is below 0; NULL: where they are small */
    uint32_t *element;
    float *value;
} tets_arg;

/* Barycentric weights of x; of a point on the plane of two dimensions the last is almost 0. */
static void weights_at(const tets_arg *a, const delaunay_tet *t, rill_vec3 x, double w[4])
{
    rill_vec3 e[4];
    for (int k = 0; k < 4; k++) e[k] = v3_sub(delaunay_site(a->d, t->v[k]), x);
    for (int k = 0; k < 4; k++) {
        const rill_vec3 p = e[(k + 1) & 3], q = e[(k + 2) & 3], r = e[(k + 3) & 3];
        w[k] = fabs(v3_dot(p, v3_cross(q, r)));
    }
    const double sum = w[0] + w[1] + w[2] + w[3];
    for (int k = 0; k < 4; k++) w[k] = sum > 0 ? w[k] / sum : 0.25;
}

/* Of a triangle: the radius of the circle through its corners. */
static double circle(rill_vec3 a, rill_vec3 b, rill_vec3 c)
{
    const double x = v3_distance(a, b), y = v3_distance(b, c), z = v3_distance(c, a);
    return x * y * z / (2 * v3_length(v3_cross(v3_sub(b, a), v3_sub(c, a))));
}

/* Whether liquid is in the tetrahedron: those across bays of the surface are long. */
static bool is_filled(const tets_arg *a, uint32_t tet)
{
    const delaunay_tet *t = &a->d->tet[tet];
    const uint32_t real = (uint32_t)a->s->sites->count;
    double level = 0, radius = 0;
    rill_vec3 corner[4];
    int n = 0;
    for (int k = 0; k < 4; k++) {
        if (t->v[k] >= real) continue; /* an apex above the plane */
        corner[n++] = delaunay_site(a->d, t->v[k]);
        if (a->level) level += a->level[t->v[k]];
    }
    if (n < 3) return false;
    if (a->level) return level < 0;
    if (n == 4)
        delaunay_circumcentre(a->d, tet, &radius);
    else
        radius = circle(corner[0], corner[1], corner[2]);
    return radius <= 1.25 * a->s->spacing;
}

static void fill_points(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const tets_arg *a = arg;
    for (size_t i = begin; i < end; i++) {
        if (a->element[i] == DELAUNAY_INFINITE) continue;
        if (!is_filled(a, a->element[i])) {
            a->element[i] = UINT32_MAX;
            continue;
        }
        const delaunay_tet *t = &a->d->tet[a->element[i]];
        double w[4], sum = 0, whole = 0;
        weights_at(a, t, a->x[i], w);
        for (int k = 0; k < 4; k++) {
            if (t->v[k] >= a->s->sites->count) continue;
            sum += w[k] * range_value(&a->s->column, t->v[k]);
            whole += w[k];
        }
        a->value[i] = (float)(whole > 0 ? sum / whole : 0);
    }
}

static rill_box bounds_of(const rill_vec3 *x, size_t count)
{
    rill_box b = box_empty();
    for (size_t i = 0; i < count; i++) b = box_with(b, x[i]);
    return b;
}

/* In two dimensions the triangles of the plane: any sphere through three of its points cuts it in
 * their circle, so that with an apex above and one below tetrahedra stand on Delaunay's triangles. */
static rill_status find_tets(rill_ctx *ctx, rill_arena *arena, const slice_sites *s, size_t count,
                             const rill_vec3 *x, uint32_t *element, float *value)
{
    const particles *p = s->sites;
    const bool flat = s->dimensions == 2;
    rill_vec3 *site, *at;
    TRY(ARENA_NEW(arena, site, p->count + 2));
    TRY(ARENA_NEW(arena, at, count));
    memcpy(site, p->position, p->count * sizeof *site);
    memcpy(at, x, count * sizeof *at);
    if (flat) {
        for (size_t i = 0; i < p->count; i++) site[i].z = 0;
        for (size_t i = 0; i < count; i++) at[i].z = 0.01 * s->spacing; /* in the upper ones */
        const rill_box b = bounds_of(site, p->count);
        const double up = fmax(b.max.x - b.min.x, b.max.y - b.min.y) + s->spacing;
        site[p->count] = v3_add(box_center(b), v3(0, 0, up));
        site[p->count + 1] = v3_add(box_center(b), v3(0, 0, -up));
    }
    delaunay d;
    delaunay_init(&d, ctx);
    const delaunay_def def = {.position = site, .count = p->count + (flat ? 2 : 0), .merge = true};
    tets_arg a = {s, &d, at, s->level, element, value};
    rill_status st = delaunay_build(&d, &def, NULL);
    if (!st) st = delaunay_locate(&d, at, count, element);
    if (!st) parallel_for(ctx, count, 1024, fill_points, &a);
    delaunay_clear(&d);
    return st;
}

rill_status slice_find(rill_ctx *ctx, rill_arena *arena, const slice_sites *s, size_t count,
                       const rill_vec3 *x, uint32_t *element, float *value)
{
    if (s->sites->count == 0) {
        memset(element, 0xFF, count * sizeof *element);
        return RILL_OK;
    }
    return (s->shape == VIEW_TETS ? find_tets : find_cells)(ctx, arena, s, count, x, element, value);
}
