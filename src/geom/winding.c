/* The triangles in an order that keeps neighbours together, eight to a group; the groups
 * eight to a group of the next level, and so on to one. A group holds its members as
 * arrays of eight, so that one pass of vector code tells how near each is and what the
 * far ones add. Coordinates are relative to the middle of the mesh, in units of its
 * size, so that single precision holds for any mesh. */
#include "geom/winding.h"

#include "base/parallel.h"
#include "geom/triangle.h"

#include <string.h>

enum { WIDE = 8, MAX_LEVELS = 12, STACK = MAX_LEVELS * WIDE };

static const double two_pi = 2 * 3.14159265358979323846;
static const float opening = 2; /* radii away that count as far */

typedef struct {
    float px[WIDE], py[WIDE], pz[WIDE]; /* middle, weighted by area */
    float far2[WIDE];                   /* square of the distance that is far enough; negative: no member */
    float nx[WIDE], ny[WIDE], nz[WIDE]; /* sum of area vectors over 4 pi */
    float xx[WIDE], yy[WIDE], zz[WIDE]; /* first moments of them about the middle, symmetric part */
    float xy[WIDE], yz[WIDE], zx[WIDE]; /* (twice, off the diagonal) */
} group;

struct winding {
    const trimesh *mesh; /* borrowed */
    rill_vec3 middle;
    double scale;
    uint32_t *order;                               /* of the triangles */
    group *group;                                  /* level after level, the triangles' groups first */
    size_t first[MAX_LEVELS], members[MAX_LEVELS]; /* of each level: its groups, how many members they have */
    int levels;
};

/* What is known of a member while the tree is built, in units of the mesh. */
typedef struct {
    rill_vec3 middle, area_vector;
    double area, radius;
    double moment[6]; /* xx yy zz xy yz zx, as in group */
} cluster;

static void corners_of(const winding *w, uint32_t triangle, rill_vec3 p[3])
{
    for (int k = 0; k < 3; k++)
        p[k] = v3_scale(v3_sub(w->mesh->position[w->mesh->triangle[triangle][k]], w->middle), w->scale);
}

static cluster cluster_of_triangle(const winding *w, uint32_t triangle)
{
    rill_vec3 p[3];
    corners_of(w, triangle, p);
    cluster c = {.middle = v3_scale(v3_add(v3_add(p[0], p[1]), p[2]), 1.0 / 3)};
    c.area_vector = v3_scale(v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0])), 0.5);
    c.area = v3_length(c.area_vector);
    for (int k = 0; k < 3; k++) c.radius = fmax(c.radius, v3_distance(c.middle, p[k]));
    return c;
}

/* Moves a member's moments to another middle and adds them up. */
static void add_moments(cluster *sum, const cluster *c)
{
    const rill_vec3 n = c->area_vector, d = v3_sub(c->middle, sum->middle);
    const double shift[6] = {
        n.x * d.x, n.y * d.y, n.z * d.z, n.x * d.y + n.y * d.x, n.y * d.z + n.z * d.y, n.z * d.x + n.x * d.z};
    for (int k = 0; k < 6; k++) sum->moment[k] += c->moment[k] + shift[k];
    sum->area_vector = v3_add(sum->area_vector, n);
    sum->radius = fmax(sum->radius, v3_length(d) + c->radius);
}

static cluster cluster_of_members(const cluster *member, size_t count)
{
    cluster sum = {0};
    rill_vec3 plain = {0};
    for (size_t i = 0; i < count; i++) {
        sum.middle = v3_madd(sum.middle, member[i].area, member[i].middle);
        sum.area += member[i].area;
        plain = v3_add(plain, member[i].middle);
    }
    sum.middle = sum.area > 0 ? v3_scale(sum.middle, 1 / sum.area) : v3_scale(plain, 1.0 / (double)count);
    for (size_t i = 0; i < count; i++) add_moments(&sum, &member[i]);
    return sum;
}

static void store(group *g, int k, const cluster *c)
{
    const double share = 1 / (2 * two_pi);
    g->px[k] = (float)c->middle.x, g->py[k] = (float)c->middle.y, g->pz[k] = (float)c->middle.z;
    const float far = opening * (float)c->radius;
    g->far2[k] = far * far;
    g->nx[k] = (float)(share * c->area_vector.x);
    g->ny[k] = (float)(share * c->area_vector.y);
    g->nz[k] = (float)(share * c->area_vector.z);
    float *moment[6] = {g->xx, g->yy, g->zz, g->xy, g->yz, g->zx};
    for (int m = 0; m < 6; m++) moment[m][k] = (float)(share * c->moment[m]);
}

typedef struct {
    winding *w;
    int level;
    cluster *member;    /* of this level: written for the triangles, else read */
    cluster *above;     /* one a group: the members of the next level */
    float (*middle)[3]; /* of the triangles */
} building;

static void group_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const building *b = arg;
    winding *w = b->w;
    for (size_t i = begin; i < end; i++) {
        group *g = &w->group[w->first[b->level] + i];
        const size_t low = WIDE * i, left = w->members[b->level] - low;
        const size_t count = left < WIDE ? left : WIDE;
        memset(g, 0, sizeof *g);
        for (size_t k = 0; k < WIDE; k++) g->far2[k] = -1;
        for (size_t k = 0; k < count; k++) {
            if (b->level == 0) b->member[low + k] = cluster_of_triangle(w, w->order[low + k]);
            store(g, (int)k, &b->member[low + k]);
        }
        b->above[i] = cluster_of_members(&b->member[low], count);
    }
}

/* --- the order of the triangles --- */

typedef struct {
    float (*middle)[3]; /* of the triangles */
    uint32_t *order;
} ordering;

static void middle_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const building *b = arg;
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 m = cluster_of_triangle(b->w, (uint32_t)i).middle;
        b->middle[i][0] = (float)m.x, b->middle[i][1] = (float)m.y, b->middle[i][2] = (float)m.z;
        b->w->order[i] = (uint32_t)i;
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

static rill_status order_triangles(rill_ctx *ctx, winding *w)
{
    const size_t n = w->mesh->triangle_count;
    building b = {.w = w};
    TRY(MEM_NEW(ctx, b.middle, n));
    parallel_for(ctx, n, 4096, middle_block, &b);
    const ordering o = {b.middle, w->order};
    arrange(&o, 0, n);
    mem_free(ctx, b.middle);
    return RILL_OK;
}

static rill_status build(rill_ctx *ctx, winding *w)
{
    const size_t n = w->mesh->triangle_count;
    const rill_box box = trimesh_bounds(w->mesh);
    const rill_vec3 size = box_size(box);
    const double longest = fmax(size.x, fmax(size.y, size.z));
    w->middle = box_center(box);
    w->scale = longest > 0 ? 1 / longest : 1;
    TRY(MEM_NEW(ctx, w->order, n));
    TRY(order_triangles(ctx, w));

    size_t groups = 0;
    for (size_t members = n; w->levels == 0 || members > 1; w->levels++) {
        w->first[w->levels] = groups;
        w->members[w->levels] = members;
        members = (members + WIDE - 1) / WIDE;
        groups += members;
    }
    TRY(MEM_NEW(ctx, w->group, groups));
    cluster *member = NULL, *above = NULL;
    rill_status st = MEM_NEW(ctx, member, n);
    if (!st) st = MEM_NEW(ctx, above, n / WIDE + 1);
    for (int level = 0; !st && level < w->levels; level++) {
        building b = {.w = w, .level = level, .member = member, .above = above};
        parallel_for(ctx, (w->members[level] + WIDE - 1) / WIDE, 256, group_block, &b);
        cluster *swap = member; /* the larger array is only needed once */
        member = above, above = swap;
    }
    mem_free(ctx, member);
    mem_free(ctx, above);
    return st;
}

rill_status winding_create(rill_ctx *ctx, const trimesh *mesh, winding **out)
{
    winding *w = NULL;
    rill_status st = MEM_NEW_ZERO(ctx, w, 1);
    if (!st) {
        w->mesh = mesh;
        if (mesh->triangle_count > 0) st = build(ctx, w);
    }
    if (st)
        winding_destroy(ctx, w);
    else
        *out = w;
    return st;
}

void winding_destroy(rill_ctx *ctx, winding *w)
{
    if (!w) return;
    mem_free(ctx, w->order);
    mem_free(ctx, w->group);
    mem_free(ctx, w);
}

static double solid_angle(const trimesh *m, uint32_t triangle, rill_vec3 x)
{
    const uint32_t *c = m->triangle[triangle];
    return triangle_solid_angle(v3_sub(m->position[c[0]], x), v3_sub(m->position[c[1]], x),
                                v3_sub(m->position[c[2]], x));
}

/* What the far members add up to; the near ones as bits. */
static float far_members(const group *g, float x, float y, float z, unsigned *near)
{
    float part[WIDE];
    int is_near[WIDE];
    for (int k = 0; k < WIDE; k++) {
        const float dx = g->px[k] - x, dy = g->py[k] - y, dz = g->pz[k] - z;
        const float r2 = dx * dx + dy * dy + dz * dz;
        const float safe2 = r2 > 1e-30f ? r2 : 1e-30f;
        const float dipole = g->nx[k] * dx + g->ny[k] * dy + g->nz[k] * dz;
        const float square = g->xx[k] * dx * dx + g->yy[k] * dy * dy + g->zz[k] * dz * dz +
                             g->xy[k] * dx * dy + g->yz[k] * dy * dz + g->zx[k] * dz * dx;
        const float trace = g->xx[k] + g->yy[k] + g->zz[k];
        const float value = (dipole + trace - 3 * square / safe2) / (safe2 * sqrtf(safe2));
        is_near[k] = r2 <= g->far2[k];
        part[k] = r2 > g->far2[k] ? value : 0;
    }
    float sum = 0;
    unsigned bits = 0;
    for (int k = 0; k < WIDE; k++) sum += part[k], bits |= (unsigned)is_near[k] << k;
    *near = bits;
    return sum;
}

double winding_at(const winding *w, rill_vec3 x)
{
    if (w->levels == 0 || !v3_finite(x)) return 0;
    const rill_vec3 p = v3_scale(v3_sub(x, w->middle), w->scale);
    if (!(v3_length(p) < 1e6)) return 0; /* as good as */
    struct {
        uint32_t group;
        int level;
    } stack[STACK];
    int top = 0;
    stack[top].group = 0, stack[top++].level = w->levels - 1;
    double sum = 0, angle = 0;
    while (top > 0) {
        const int level = stack[--top].level;
        const uint32_t at = stack[top].group;
        unsigned near;
        sum +=
            (double)far_members(&w->group[w->first[level] + at], (float)p.x, (float)p.y, (float)p.z, &near);
        for (; near; near &= near - 1) {
            const uint32_t member = WIDE * at + (uint32_t)__builtin_ctz(near);
            if (level == 0)
                angle += solid_angle(w->mesh, w->order[member], x);
            else
                stack[top].group = member, stack[top++].level = level - 1;
        }
    }
    return sum + angle / (2 * two_pi);
}

double winding_exact(const trimesh *mesh, rill_vec3 x)
{
    double angle = 0;
    for (size_t i = 0; i < mesh->triangle_count; i++) angle += solid_angle(mesh, (uint32_t)i, x);
    return angle / (2 * two_pi);
}
