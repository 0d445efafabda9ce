/* Corners and creases: of boxes, cylinders and meshes by what they are, and curves where walls meet. */
#include "tets/samples.h"

#include <stdlib.h>

typedef struct {
    rill_ctx *ctx;
    const walls *w;
    uint32_t k;
    const size_field *size;
    spots *found;
} creasing;

static const rill_vec3 no_normal = {0, 0, 0};

static rill_vec3 to_world(const creasing *c, rill_vec3 x)
{
    return c->k == WALL_BOX ? x : wall_world(c->w, c->k, x);
}

/* A point in the world, unless there is one within `apart` sizes already or another part covers it. */
static rill_status add(creasing *c, rill_vec3 x, double apart)
{
    const double h = size_at(c->size, x);
    if (!box_contains(box_grown(c->w->box, 1e-9 * h), x)) return RILL_OK;
    if (c->k != WALL_BOX && fabs(wall_distance(c->w, c->k, x, NULL)) > 0.02 * h) return RILL_OK;
    if (spots_nearest(c->found, x, apart * h, no_normal, -2) != SPOT_NONE) return RILL_OK;
    return spots_add(c->found, x, no_normal);
}

/* The inside of a straight crease, divided by the integral of ds / size. */
static rill_status divide(creasing *c, rill_vec3 from, rill_vec3 to)
{
    const double length = v3_distance(from, to);
    const int pieces = (int)fmin(ceil(8 * length / c->size->def.finest) + 1, 1e6);
    double whole = 0;
    for (int i = 0; i < pieces; i++)
        whole += length / pieces / size_at(c->size, v3_mix(from, to, (i + 0.5) / pieces));
    const int parts = (int)fmax(rint(whole), 1);
    double sum = 0;
    for (int i = 0, next = 1; i < pieces && next < parts; i++) {
        const double piece = length / pieces / size_at(c->size, v3_mix(from, to, (i + 0.5) / pieces));
        sum += piece;
        for (; next < parts && sum >= whole * next / parts; next++)
            TRY(add(c, v3_mix(from, to, (i + 1 - (sum - whole * next / parts) / piece) / pieces), 1e-3));
    }
    return RILL_OK;
}

static rill_vec3 corner_of(rill_vec3 low, rill_vec3 high, int k)
{
    return v3(k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z);
}

static rill_status box_creases(creasing *c, rill_vec3 low, rill_vec3 high)
{
    for (int k = 0; k < 8; k++) TRY(add(c, to_world(c, corner_of(low, high, k)), 0));
    for (int k = 0; k < 8; k++)
        for (int bit = 1; bit < 8; bit *= 2)
            if (!(k & bit))
                TRY(divide(c, to_world(c, corner_of(low, high, k)),
                           to_world(c, corner_of(low, high, k | bit))));
    return RILL_OK;
}

static rill_status rim(creasing *c, rill_vec3 center, rill_vec3 axis, double radius)
{
    const rill_vec3 u = v3_unit(v3_cross(axis, fabs(axis.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0)));
    const rill_vec3 v = v3_cross(axis, u);
    const double h = size_at(c->size, to_world(c, v3_madd(center, radius, u)));
    const double scale = c->w->at[c->k].place.pose.scale;
    const int n = (int)fmin(fmax(rint(2 * M_PI * radius * scale / h), 6), 1e6);
    for (int i = 0; i < n; i++) {
        const double a = 2 * M_PI * i / n;
        const rill_vec3 d = v3_add(v3_scale(u, cos(a)), v3_scale(v, sin(a)));
        TRY(add(c, to_world(c, v3_madd(center, radius, d)), 0.3));
    }
    return RILL_OK;
}

/* ---- meshes ---- */

typedef struct {
    uint32_t a, b, triangle;
} mesh_edge;

static int edge_order(const void *p, const void *q)
{
    const mesh_edge *a = p, *b = q;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    if (a->b != b->b) return a->b < b->b ? -1 : 1;
    return a->triangle < b->triangle ? -1 : a->triangle > b->triangle;
}

/* A mesh at one moment. */
typedef struct {
    const uint32_t (*triangle)[3];
    const rill_vec3 *position;
    size_t triangle_count, vertex_count;
} still_mesh;

static rill_vec3 triangle_normal(const still_mesh *t, uint32_t k)
{
    const uint32_t *v = t->triangle[k];
    return v3_unit(
        v3_cross(v3_sub(t->position[v[1]], t->position[v[0]]), v3_sub(t->position[v[2]], t->position[v[0]])));
}

/* Keeps the edges that turn by more than 40 degrees; returns how many. */
static size_t sharp_edges(const still_mesh *t, mesh_edge *edge, size_t count)
{
    static const double turn = 0.76604444; /* cos 40 degrees */
    size_t kept = 0;
    qsort(edge, count, sizeof *edge, edge_order);
    for (size_t k = 0; k + 1 < count; k++)
        if (edge[k].a == edge[k + 1].a && edge[k].b == edge[k + 1].b &&
            v3_dot(triangle_normal(t, edge[k].triangle), triangle_normal(t, edge[k + 1].triangle)) < turn)
            edge[kept++] = edge[k];
    return kept;
}

/* Corners are where creases end, branch or bend; the rest of their vertices is thinned out. */
static rill_status mesh_creases_of(creasing *c, const still_mesh *t, mesh_edge *edge, uint8_t *degree,
                                   rill_vec3 *bend)
{
    size_t count = 0;
    for (size_t k = 0; k < t->triangle_count; k++)
        for (int i = 0; i < 3; i++) {
            const uint32_t a = t->triangle[k][i], b = t->triangle[k][(i + 1) % 3];
            edge[count++] = (mesh_edge){a < b ? a : b, a < b ? b : a, (uint32_t)k};
        }
    count = sharp_edges(t, edge, count);
    for (size_t k = 0; k < count; k++) {
        const uint32_t a = edge[k].a, b = edge[k].b;
        const rill_vec3 d = v3_unit(v3_sub(t->position[b], t->position[a]));
        degree[a] = (uint8_t)(degree[a] + (degree[a] < 255)),
        degree[b] = (uint8_t)(degree[b] + (degree[b] < 255));
        bend[a] = v3_add(bend[a], d), bend[b] = v3_sub(bend[b], d);
    }
    for (size_t v = 0; v < t->vertex_count; v++)
        if (degree[v] && (degree[v] != 2 || v3_length(bend[v]) > 0.77))
            TRY(add(c, to_world(c, t->position[v]), 0.15));
    for (size_t k = 0; k < count; k++) {
        const rill_vec3 a = to_world(c, t->position[edge[k].a]), b = to_world(c, t->position[edge[k].b]);
        TRY(divide(c, a, b));
        TRY(add(c, a, 0.6));
        TRY(add(c, b, 0.6));
    }
    return RILL_OK;
}

static rill_status mesh_creases(creasing *c, const still_mesh *t)
{
    mesh_edge *edge = NULL;
    uint8_t *degree = NULL;
    rill_vec3 *bend = NULL;
    rill_status st = MEM_NEW(c->ctx, edge, 3 * t->triangle_count);
    if (!st) st = MEM_NEW_ZERO(c->ctx, degree, t->vertex_count);
    if (!st) st = MEM_NEW_ZERO(c->ctx, bend, t->vertex_count);
    if (!st) st = mesh_creases_of(c, t, edge, degree, bend);
    mem_free(c->ctx, edge);
    mem_free(c->ctx, degree);
    mem_free(c->ctx, bend);
    return st;
}

static rill_status rigid_creases(creasing *c, const mesh_distance *m)
{
    const trimesh *t = mesh_distance_surface(m);
    return mesh_creases(
        c, &(still_mesh){(const uint32_t(*)[3])t->triangle, t->position, t->triangle_count, t->vertex_count});
}

typedef struct {
    rill_vec3 x;
    uint32_t vertex;
} placed_vertex;

static int place_order(const void *p, const void *q)
{
    const placed_vertex *a = p, *b = q;
    for (int k = 0; k < 3; k++) {
        const double x = v3_axis(a->x, k), y = v3_axis(b->x, k);
        if (x != y) return x < y ? -1 : 1;
    }
    return a->vertex < b->vertex ? -1 : a->vertex > b->vertex;
}

/* Of a mesh that deforms, where its vertices are now. Those in one place count as one: its triangles may not
 * share them. */
static rill_status moment_creases(creasing *c, mesh_moment now)
{
    const trimesh *t = mesh_distance_surface(now.span);
    rill_vec3 *x = NULL;
    placed_vertex *sorted = NULL;
    uint32_t *same = NULL, (*triangle)[3] = NULL;
    rill_status st = MEM_NEW_ZERO(c->ctx, x, t->vertex_count);
    if (!st) st = MEM_NEW(c->ctx, sorted, t->vertex_count);
    if (!st) st = MEM_NEW(c->ctx, same, t->vertex_count);
    if (!st) st = MEM_NEW(c->ctx, triangle, t->triangle_count);
    for (size_t k = 0; !st && k < t->triangle_count; k++)
        for (int i = 0; i < 3; i++) {
            mesh_closest corner = {.triangle = (uint32_t)k};
            corner.weight[i] = 1;
            x[t->triangle[k][i]] = mesh_distance_point_at(now.span, now.share, &corner);
        }
    for (uint32_t v = 0; !st && v < t->vertex_count; v++) sorted[v] = (placed_vertex){x[v], v};
    if (!st) qsort(sorted, t->vertex_count, sizeof *sorted, place_order);
    for (size_t i = 0; !st && i < t->vertex_count; i++) {
        const bool first = i == 0 || v3_distance(sorted[i].x, sorted[i - 1].x) > 0;
        same[sorted[i].vertex] = first ? sorted[i].vertex : same[sorted[i - 1].vertex];
    }
    for (size_t k = 0; !st && k < t->triangle_count; k++)
        for (int i = 0; i < 3; i++) triangle[k][i] = same[t->triangle[k][i]];
    if (!st)
        st = mesh_creases(
            c, &(still_mesh){(const uint32_t(*)[3])triangle, x, t->triangle_count, t->vertex_count});
    mem_free(c->ctx, x);
    mem_free(c->ctx, sorted);
    mem_free(c->ctx, same);
    mem_free(c->ctx, triangle);
    return st;
}

/* ---- shapes ---- */

static rill_status shape_creases(creasing *c, const shape *s)
{
    switch (s->kind) {
    case SHAPE_BOX: {
        const rill_box b = c->w->box;
        rill_vec3 low = s->box.min, high = s->box.max;
        if (c->w->flat || low.z == high.z) {
            const double at = c->w->at[c->k].place.pose.translate.z;
            const double scale = c->w->at[c->k].place.pose.scale;
            low.z = (b.min.z - at) / scale, high.z = (b.max.z - at) / scale;
        }
        return v3_finite(low) && v3_finite(high) ? box_creases(c, low, high) : RILL_OK;
    }
    case SHAPE_CYLINDER:
        if (c->w->flat) return RILL_OK;
        TRY(rim(c, s->rod.from, v3_unit(v3_sub(s->rod.to, s->rod.from)), s->rod.radius));
        return rim(c, s->rod.to, v3_unit(v3_sub(s->rod.to, s->rod.from)), s->rod.radius);
    case SHAPE_MESH: return s->mesh.owned && !c->w->flat ? rigid_creases(c, s->mesh.owned) : RILL_OK;
    case SHAPE_SEQUENCE:
        return s->sequence.now.span && !c->w->flat ? moment_creases(c, s->sequence.now) : RILL_OK;
    case SHAPE_UNION:
    case SHAPE_INTERSECTION:
    case SHAPE_DIFFERENCE:
        for (uint32_t i = 0; i < s->parts.count; i++) TRY(shape_creases(c, &s->parts.part[i]));
        return RILL_OK;
    default: return RILL_OK;
    }
}

static rill_status part_curves(creasing *c)
{
    walls parts = {0};
    TRY(walls_parts(c->ctx, c->w, c->k, &parts));
    rill_status st = RILL_OK;
    for (uint32_t a = 0; !st && a + 1 < parts.count; a++) {
        candidates of_a = {0};
        st = candidates_make(c->ctx, &parts, a, c->size, CANDIDATES_PER_SAMPLE, &of_a);
        const walls whole = {.box = c->w->box, .flat = c->w->flat, .count = 1, .at = &c->w->at[c->k]};
        for (uint32_t b = a + 1; !st && b < parts.count; b++)
            st = creases_meet(c->ctx, &parts, a, b, &whole, c->size, &of_a, c->found);
        candidates_clear(c->ctx, &of_a);
    }
    mem_free(c->ctx, parts.at);
    return st;
}

rill_status creases_add(rill_ctx *ctx, const walls *w, uint32_t k, const size_field *size, spots *found)
{
    creasing c = {.ctx = ctx, .w = w, .k = k, .size = size, .found = found};
    if (k == WALL_BOX) return box_creases(&c, w->box.min, w->box.max);
    TRY(shape_creases(&c, &w->at[k].form));
    return part_curves(&c);
}

/* ---- where walls meet ---- */

static double distance_of(const walls *w, uint32_t k, rill_vec3 x, rill_vec3 *n)
{
    if (k < w->count) return wall_distance(w, k, x, n);
    const int side = (int)(k - WALL_SIDE), axis = side_axis(side);
    *n = v3(0, 0, 0);
    v3_set_axis(n, axis, side % 2 == 0 ? 1 : -1);
    return side % 2 == 0 ? v3_axis(x, axis) - v3_axis(w->box.min, axis)
                         : v3_axis(w->box.max, axis) - v3_axis(x, axis);
}

/* The nearest point with both distances zero: the shortest step that makes both vanish to first order. */
static bool meet_at(const walls *w, uint32_t a, uint32_t b, rill_vec3 *x, double h)
{
    rill_vec3 at = *x;
    for (int step = 0; step < 12; step++) {
        rill_vec3 n, m;
        const double d = distance_of(w, a, at, &n), e = distance_of(w, b, at, &m), c = v3_dot(n, m);
        if (fabs(d) < 1e-10 * h && fabs(e) < 1e-10 * h) {
            if (1 - fabs(c) < 0.02) return false; /* they touch without crossing */
            *x = at;
            return true;
        }
        const double det = 1 - c * c;
        if (det < 1e-3) return false;
        at = v3_madd(v3_madd(at, (c * e - d) / det, n), (c * d - e) / det, m);
        if (v3_distance(at, *x) > 2 * h) return false;
    }
    return false;
}

/* Exactly in the plane of a side, when that is one of the two. */
static rill_vec3 in_plane(const walls *w, uint32_t b, rill_vec3 x)
{
    if (b < WALL_SIDE) return x;
    const int side = (int)(b - WALL_SIDE), axis = side_axis(side);
    v3_set_axis(&x, axis, v3_axis(side % 2 ? w->box.max : w->box.min, axis));
    return x;
}

/* The point of the curve straight behind x through a thin wall a: both of its sides need one, or tetrahedra
 * reach around its edge. */
static rill_status add_behind(const walls *w, uint32_t a, uint32_t b, rill_vec3 x, rill_vec3 normal, double h,
                              spots *found)
{
    const double most = SAMPLES_THIN * h, least = 1e-3 * h;
    double depth = least;
    while (depth < most) {
        const double d = wall_distance(w, a, v3_madd(x, -depth, normal), NULL);
        if (d > 0) break;
        depth += fmax(-d, least);
    }
    rill_vec3 behind = v3_madd(x, -depth, normal);
    if (!(depth < most) || !meet_at(w, a, b, &behind, h)) return RILL_OK;
    if (v3_distance(behind, x) < 0.5 * depth) return RILL_OK; /* back where it came from */
    return spots_add(found, in_plane(w, b, behind), no_normal);
}

typedef struct {
    rill_vec3 x, normal;
} curve_point;

rill_status creases_meet(rill_ctx *ctx, const walls *parts, uint32_t a, uint32_t b, const walls *whole,
                         const size_field *size, const candidates *of_a, spots *found)
{
    static const double radius[] = {0.98, 0.9, 0.82, 0.72};
    curve_point *curve = NULL;
    size_t count = 0;
    TRY(MEM_NEW(ctx, curve, of_a->count));
    for (size_t i = 0; i < of_a->count; i++) {
        const double h = size_at(size, of_a->x[i]);
        rill_vec3 x = of_a->x[i], n;
        if (b < parts->count && wall_within(parts, b, x, 0.4 * h) > 0.4 * h) continue; /* costs less */
        if (!(fabs(distance_of(parts, b, x, &n)) < 0.4 * h) || !meet_at(parts, a, b, &x, h)) continue;
        if (!(fabs(walls_distance(whole, x, NULL, NULL)) < 1e-5 * h)) continue;
        curve[count++] = (curve_point){in_plane(parts, b, x), of_a->normal[i]};
    }
    rill_status st = RILL_OK;
    for (int r = 0; r < 4; r++)
        for (size_t i = 0; !st && i < count; i++) {
            const double h = size_at(size, curve[i].x);
            if (spots_nearest(found, curve[i].x, radius[r] * h, no_normal, -2) != SPOT_NONE) continue;
            st = spots_add(found, curve[i].x, no_normal);
            if (!st) st = add_behind(parts, a, b, curve[i].x, curve[i].normal, h, found);
        }
    mem_free(ctx, curve);
    return st;
}

/* ---- where edges end in walls ---- */

typedef struct {
    const walls *w;
    const size_field *size;
    spots *found;
} piercing;

/* A point of an edge that lies in wall b, unless other walls cover it or one is there already. */
static rill_status add_pierced(const piercing *p, uint32_t b, rill_vec3 x)
{
    const double h = size_at(p->size, x);
    if (!box_contains(box_grown(p->w->box, 1e-9 * h), x)) return RILL_OK;
    if (!(fabs(walls_distance(p->w, x, NULL, NULL)) < 1e-6 * h)) return RILL_OK;
    if (spots_nearest(p->found, x, 1e-3 * h, no_normal, -2) != SPOT_NONE) return RILL_OK;
    return spots_add(p->found, in_plane(p->w, b, x), no_normal);
}

/* Where the straight edge passes through wall b, or ends on it. */
static rill_status pierce_edge(const piercing *p, rill_vec3 from, rill_vec3 to, uint32_t b)
{
    const double length = v3_distance(from, to), h = p->size->def.finest, least = 0.05 * h;
    rill_vec3 n;
    double at = 0, d = distance_of(p->w, b, from, &n);
    if (!(length > 0 && length < 1e6 * h)) return RILL_OK;
    if (fabs(d) < 1e-9 * h) TRY(add_pierced(p, b, from));
    while (at < length) {
        const double next = fmin(at + fmax(fabs(d), least), length);
        const double e = distance_of(p->w, b, v3_mix(from, to, next / length), &n);
        if (d * e < 0) {
            double low = at, high = next;
            for (int k = 0; k < 60; k++) {
                const double middle = 0.5 * (low + high);
                const double m = distance_of(p->w, b, v3_mix(from, to, middle / length), &n);
                *(m * d > 0 ? &low : &high) = middle;
            }
            TRY(add_pierced(p, b, v3_mix(from, to, high / length)));
        }
        at = next;
        d = e;
    }
    return fabs(d) < 1e-9 * h ? add_pierced(p, b, to) : RILL_OK;
}

static rill_status pierce_edges(const piercing *p, const rill_vec3 corner[8], uint32_t b)
{
    for (int k = 0; k < 8; k++)
        for (int bit = 1; bit < 8; bit *= 2)
            if (!(k & bit)) TRY(pierce_edge(p, corner[k], corner[k | bit], b));
    return RILL_OK;
}

rill_status creases_pierce(const walls *w, const size_field *size, bool moving, spots *found)
{
    const piercing p = {w, size, found};
    rill_vec3 corner[8];
    for (int i = 0; i < 8; i++) corner[i] = corner_of(w->box.min, w->box.max, i);
    for (uint32_t b = 0; b < w->count; b++)
        if (w->at[b].moves == moving) TRY(pierce_edges(&p, corner, b));
    for (uint32_t a = 0; a < w->count; a++) {
        const shape *s = &w->at[a].form;
        if (s->kind != SHAPE_BOX || w->flat || !v3_finite(s->box.min) || !v3_finite(s->box.max)) continue;
        for (int i = 0; i < 8; i++) corner[i] = wall_world(w, a, corner_of(s->box.min, s->box.max, i));
        for (uint32_t j = 0; j < w->count + SIDE_COUNT; j++) {
            const uint32_t b = j < w->count ? j : WALL_SIDE + (j - w->count);
            const bool moves = w->at[a].moves || (j < w->count && w->at[j].moves);
            if (b != a && moves == moving) TRY(pierce_edges(&p, corner, b));
        }
    }
    return RILL_OK;
}
