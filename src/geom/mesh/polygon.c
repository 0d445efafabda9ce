#include "geom/mesh/polygon.h"

enum { NONE = UINT32_MAX };

struct polygon_corner {
    double x, y; /* in the polygon's plane, counter-clockwise */
    uint32_t vertex;
    uint32_t before, after;
    uint32_t reflex;    /* entry k of the list of reflex corners: its corner */
    uint32_t reflex_at; /* its place among the reflex ones; NONE: convex, or clipped */
};
typedef struct polygon_corner corner_t;

/* The polygon being cut. */
typedef struct {
    polygon_cutter *cutter;
    corner_t *corner;
    uint32_t left;   /* corners not clipped */
    uint32_t reflex; /* of them */
    double noise;    /* distances below it mean nothing: rounding of single-precision files */
} cutting;

void polygon_cutter_init(polygon_cutter *c, rill_ctx *ctx, uint64_t steps)
{
    *c = (polygon_cutter){.ctx = ctx, .steps_left = steps};
}

void polygon_cutter_clear(polygon_cutter *c)
{
    mem_free(c->ctx, c->corner);
    *c = (polygon_cutter){.ctx = c->ctx};
}

/* Twice the signed area of a, b, c. */
static double turn(const corner_t *a, const corner_t *b, const corner_t *c)
{
    return (b->x - a->x) * (c->y - b->y) - (b->y - a->y) * (c->x - b->x);
}

static double turn_at(const cutting *p, uint32_t i)
{
    const corner_t *c = &p->corner[i];
    return turn(&p->corner[c->before], c, &p->corner[c->after]);
}

static double span(const corner_t *a, const corner_t *b)
{
    return fabs(a->x - b->x) + fabs(a->y - b->y);
}

static void emit(const cutting *p, uint32_t a, uint32_t b, uint32_t c, uint32_t (*out)[3], uint32_t *count)
{
    uint32_t *t = out[(*count)++];
    t[0] = p->corner[a].vertex;
    t[1] = p->corner[b].vertex;
    t[2] = p->corner[c].vertex;
}

/* Corners that differ from the one before, linked in a ring. */
static uint32_t link_corners(cutting *p, const uint32_t *vertex, uint32_t count)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++)
        if (n == 0 || vertex[i] != p->corner[n - 1].vertex) p->corner[n++].vertex = vertex[i];
    while (n > 1 && p->corner[n - 1].vertex == p->corner[0].vertex) n--;
    for (uint32_t i = 0; i < n; i++) {
        p->corner[i].before = i ? i - 1 : n - 1;
        p->corner[i].after = i + 1 < n ? i + 1 : 0;
        p->corner[i].reflex_at = NONE;
    }
    return n;
}

/* Drops the axis in which the Newell normal is largest. */
static void flatten(cutting *p, const rill_vec3 *position)
{
    const rill_vec3 origin = position[p->corner[0].vertex];
    rill_vec3 normal = v3(0, 0, 0);
    rill_box box = box_empty();
    for (uint32_t i = 0; i < p->left; i++) {
        const rill_vec3 a = v3_sub(position[p->corner[i].vertex], origin);
        const rill_vec3 b = v3_sub(position[p->corner[p->corner[i].after].vertex], origin);
        normal = v3_add(normal, v3_cross(a, b));
        box = box_with(box, a);
    }
    const double x = fabs(normal.x), y = fabs(normal.y), z = fabs(normal.z);
    const int axis = z >= x && z >= y ? 2 : x >= y ? 0 : 1;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double side = v3_axis(normal, axis) < 0 ? -1 : 1;
    for (uint32_t i = 0; i < p->left; i++) {
        const rill_vec3 a = v3_sub(position[p->corner[i].vertex], origin);
        p->corner[i].x = v3_axis(a, u);
        p->corner[i].y = side * v3_axis(a, v);
    }
    p->noise = 4e-7 * v3_length(box_size(box));
}

/* Convex but for noise: a dent that small does no harm in a fan. */
static bool convex(const cutting *p)
{
    for (uint32_t i = 0; i < p->left; i++) {
        const corner_t *c = &p->corner[i], *a = &p->corner[c->before], *b = &p->corner[c->after];
        if (turn(a, c, b) < -p->noise * (span(a, c) + span(c, b))) return false;
    }
    return true;
}

static void set_reflex(cutting *p, uint32_t i, bool reflex)
{
    corner_t *c = &p->corner[i];
    if (reflex == (c->reflex_at != NONE)) return;
    if (reflex) {
        c->reflex_at = p->reflex;
        p->corner[p->reflex++].reflex = i;
    } else { /* the last takes its place */
        const uint32_t last = p->corner[--p->reflex].reflex;
        p->corner[c->reflex_at].reflex = last;
        p->corner[last].reflex_at = c->reflex_at;
        c->reflex_at = NONE;
    }
}

static bool same_place(const corner_t *a, const corner_t *b)
{
    return a->x == b->x && a->y == b->y;
}

/* An ear: convex, and no reflex corner in the triangle with its neighbours. */
static bool is_ear(cutting *p, uint32_t i)
{
    const corner_t *c = &p->corner[i], *a = &p->corner[c->before], *b = &p->corner[c->after];
    uint32_t k = 0;
    if (c->reflex_at != NONE) {
        p->cutter->steps_left--;
        return false;
    }
    for (; k < p->reflex; k++) {
        const corner_t *q = &p->corner[p->corner[k].reflex];
        if (q == a || q == b || same_place(q, a) || same_place(q, b) || same_place(q, c)) continue;
        if (turn(a, c, q) >= 0 && turn(c, b, q) >= 0 && turn(b, a, q) >= 0) break;
    }
    const uint64_t steps = (uint64_t)k + 1;
    p->cutter->steps_left -= steps < p->cutter->steps_left ? steps : p->cutter->steps_left;
    return k == p->reflex;
}

static void clip(cutting *p, uint32_t i)
{
    const uint32_t a = p->corner[i].before, b = p->corner[i].after;
    p->corner[a].after = b;
    p->corner[b].before = a;
    set_reflex(p, i, false);
    p->left--;
    set_reflex(p, a, turn_at(p, a) <= 0);
    set_reflex(p, b, turn_at(p, b) <= 0);
}

/* Clips until three corners are left or no ear is; the first corner left. Clipping one ear may
 * free any other, so a round looks at all that are left, and at neighbours of what it clips. */
static rill_status clip_ears(cutting *p, uint32_t total, uint32_t (*out)[3], uint32_t *count, uint32_t *first)
{
    uint32_t start = 0, clipped = 1;
    for (uint32_t i = 0; i < total; i++) set_reflex(p, i, turn_at(p, i) <= 0);
    while (p->left > 3 && clipped) {
        clipped = 0;
        uint32_t i = start;
        for (uint32_t rest = p->left; rest > 0 && p->left > 3; rest--) {
            if (p->cutter->steps_left == 0)
                return rill_fail(p->cutter->ctx, RILL_BAD_FILE,
                                 "the face of %u corners is too jagged to cut into triangles; "
                                 "cut it into smaller faces",
                                 total);
            const uint32_t after = p->corner[i].after;
            if (is_ear(p, i)) {
                emit(p, p->corner[i].before, i, after, out, count);
                clip(p, i);
                clipped++;
                start = after;
                /* Leaving the neighbour out keeps the triangles from fanning about one corner. */
                i = p->corner[after].after;
            } else {
                i = after;
            }
        }
        if (!clipped) start = i;
    }
    *first = start;
    return RILL_OK;
}

static void fan(const cutting *p, uint32_t first, uint32_t (*out)[3], uint32_t *count)
{
    uint32_t b = p->corner[first].after, c = p->corner[b].after;
    for (; c != first; b = c, c = p->corner[c].after) emit(p, first, b, c, out, count);
}

rill_status polygon_cut(polygon_cutter *c, const rill_vec3 *position, const uint32_t *corner, uint32_t count,
                        uint32_t (*out)[3], uint32_t *triangles)
{
    TRY(mem_grow(c->ctx, &c->corner, sizeof *c->corner, &c->capacity, count));
    cutting p = {.cutter = c, .corner = c->corner};
    uint32_t made = 0, first = 0;
    p.left = link_corners(&p, corner, count);
    if (p.left > 3) {
        const uint32_t total = p.left;
        flatten(&p, position);
        if (!convex(&p)) TRY(clip_ears(&p, total, out, &made, &first));
    }
    if (p.left >= 3) fan(&p, first, out, &made);
    *triangles = made;
    return RILL_OK;
}
