#include "geom/distance/winding_tree.h"

#include "base/parallel.h"

winding_cluster winding_cluster_of(const rill_vec3 p[3])
{
    winding_cluster c = {.middle = v3_scale(v3_add(v3_add(p[0], p[1]), p[2]), 1.0 / 3)};
    c.area_vector = v3_scale(v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0])), 0.5);
    c.area = v3_length(c.area_vector);
    for (int k = 0; k < 3; k++) c.radius = fmax(c.radius, v3_distance(c.middle, p[k]));
    return c;
}

/* Moves a member's moments to another middle and adds them up. */
static void add_moments(winding_cluster *sum, const winding_cluster *c)
{
    const rill_vec3 n = c->area_vector, d = v3_sub(c->middle, sum->middle);
    const double shift[6] = {
        n.x * d.x, n.y * d.y, n.z * d.z, n.x * d.y + n.y * d.x, n.y * d.z + n.z * d.y, n.z * d.x + n.x * d.z};
    for (int k = 0; k < 6; k++) sum->moment[k] += c->moment[k] + shift[k];
    sum->area += c->area;
    sum->area_vector = v3_add(sum->area_vector, n);
    sum->radius = fmax(sum->radius, v3_length(d) + c->radius);
}

rill_vec3 winding_middle(const winding_cluster *member, size_t count)
{
    rill_vec3 sum = {0}, plain = {0};
    double area = 0;
    for (size_t i = 0; i < count; i++) {
        sum = v3_madd(sum, member[i].area, member[i].middle);
        area += member[i].area;
        plain = v3_add(plain, member[i].middle);
    }
    return area > 0 ? v3_scale(sum, 1 / area) : v3_scale(plain, 1.0 / (double)count);
}

winding_cluster winding_cluster_sum(const winding_cluster *member, size_t count, rill_vec3 middle)
{
    winding_cluster sum = {.middle = middle};
    for (size_t i = 0; i < count; i++) add_moments(&sum, &member[i]);
    return sum;
}

/* --- the order of the triangles --- */

typedef struct {
    float (*middle)[3]; /* of the triangles */
    uint32_t *order;
} ordering;

typedef struct {
    const trimesh *mesh;
    const winding_tree *tree;
    float (*middle)[3];
} placing;

static void middle_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const placing *b = arg;
    for (size_t i = begin; i < end; i++) {
        rill_vec3 sum = {0};
        for (int k = 0; k < 3; k++)
            sum = v3_add(sum, winding_local(b->tree, b->mesh->position[b->mesh->triangle[i][k]]));
        const rill_vec3 m = v3_scale(sum, 1.0 / 3);
        b->middle[i][0] = (float)m.x, b->middle[i][1] = (float)m.y, b->middle[i][2] = (float)m.z;
        b->tree->order[i] = (uint32_t)i;
    }
}

static bool before(const ordering *o, int axis, uint32_t a, uint32_t b)
{
    const float x = o->middle[a][axis], y = o->middle[b][axis];
    return x < y || (x == y && a < b);
}

/* Puts the triangles that come first along the axis into [begin, at), the others into
 * [at, end): Hoare's selection, with pivots by chance (the same chance every time), so
 * that no order of the input is a bad one. */
static void divide(const ordering *o, int axis, size_t begin, size_t end, size_t at)
{
    uint32_t *t = o->order;
    ptrdiff_t low = (ptrdiff_t)begin, high = (ptrdiff_t)end - 1;
    uint64_t seed = begin ^ end << 20;
    while (low < high) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const uint32_t pivot = t[low + (ptrdiff_t)((seed >> 33) % (uint64_t)(high - low + 1))];
        ptrdiff_t i = low, j = high;
        while (i <= j) {
            while (before(o, axis, t[i], pivot)) i++;
            while (before(o, axis, pivot, t[j])) j--;
            if (i > j) break;
            const uint32_t swap = t[i];
            t[i++] = t[j];
            t[j--] = swap;
        }
        if ((ptrdiff_t)at <= j)
            high = j;
        else if ((ptrdiff_t)at >= i)
            low = i;
        else
            return;
    }
}

static int longest_axis(const ordering *o, size_t begin, size_t end)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = begin; i < end; i++)
        for (int a = 0; a < 3; a++) {
            low[a] = fminf(low[a], o->middle[o->order[i]][a]);
            high[a] = fmaxf(high[a], o->middle[o->order[i]][a]);
        }
    int axis = high[1] - low[1] > high[0] - low[0] ? 1 : 0;
    if (high[2] - low[2] > high[axis] - low[axis]) axis = 2;
    return axis;
}
/* Halves the range across its longest side, where groups of the highest level that fits
 * begin, until it is one group. */
static void arrange(const ordering *o, size_t begin, size_t end)
{
    if (end - begin <= WIDE) return;
    size_t whole = WIDE;
    while (WIDE * whole < end - begin) whole *= WIDE;
    const size_t groups = (end - begin + whole - 1) / whole, at = begin + groups / 2 * whole;
    divide(o, longest_axis(o, begin, end), begin, end, at);
    arrange(o, begin, at);
    arrange(o, at, end);
}

static rill_status order_triangles(rill_ctx *ctx, const trimesh *mesh, const winding_tree *t)
{
    const size_t n = mesh->triangle_count;
    placing b = {.mesh = mesh, .tree = t};
    TRY(MEM_NEW(ctx, b.middle, n));
    parallel_for(ctx, n, 4096, middle_block, &b);
    const ordering o = {b.middle, t->order};
    arrange(&o, 0, n);
    mem_free(ctx, b.middle);
    return RILL_OK;
}

rill_status winding_tree_build(rill_ctx *ctx, const trimesh *mesh, winding_tree *out)
{
    const size_t n = mesh->triangle_count;
    const rill_box box = trimesh_bounds(mesh);
    const rill_vec3 size = box_size(box);
    const double longest = fmax(size.x, fmax(size.y, size.z));
    winding_tree t = {.middle = box_center(box), .scale = longest > 0 ? 1 / longest : 1};
    TRY(MEM_NEW(ctx, t.order, n));
    const rill_status st = order_triangles(ctx, mesh, &t);
    if (st) {
        mem_free(ctx, t.order);
        return st;
    }
    for (size_t members = n; t.levels == 0 || members > 1; t.levels++) {
        t.first[t.levels] = t.groups;
        t.members[t.levels] = members;
        members = (members + WIDE - 1) / WIDE;
        t.groups += members;
    }
    *out = t;
    return RILL_OK;
}

void winding_tree_clear(rill_ctx *ctx, winding_tree *t)
{
    mem_free(ctx, t->order);
    *t = (winding_tree){0};
}
