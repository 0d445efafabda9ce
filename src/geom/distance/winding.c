/* The tree of winding_tree.h. A group holds its members as arrays of eight, so that one
 * pass of vector code computes the distances and the contribution of the far members.
 *
 * Of a mesh that moves, every group is kept at four shares of the way. Corners are linear
 * in the share, so area vectors are of second degree, and their first moments about a
 * middle that goes straight of third: what the four give by interpolation is exact at any
 * share. A radius is largest at one of the ends. */
#include "geom/distance/winding.h"

#include "base/parallel.h"
#include "geom/distance/winding_tree.h"
#include "geom/mesh/triangle.h"

#include <string.h>

typedef struct {                        /* floats alone, without gaps */
    float px[WIDE], py[WIDE], pz[WIDE]; /* middle, weighted by area */
    float far2[WIDE];                   /* square of the distance that is far enough; negative: no member */
    float nx[WIDE], ny[WIDE], nz[WIDE]; /* sum of area vectors over 4 pi */
    float xx[WIDE], yy[WIDE], zz[WIDE]; /* first moments of them about the middle, symmetric part */
    float xy[WIDE], yz[WIDE], zx[WIDE]; /* (twice, off the diagonal) */
} group;

enum { NODES = 4 };
static const double node_share[NODES] = {0, 1.0 / 3, 2.0 / 3, 1};

struct winding {
    const trimesh *mesh;  /* borrowed */
    const rill_vec3 *end; /* borrowed; NULL: it stands still */
    winding_tree tree;
    int nodes;    /* 1, or NODES */
    group *group; /* nodes of each, level after level, the triangles' groups first */
};

static rill_vec3 corner_of(const winding *w, uint32_t triangle, int k, double share)
{
    const uint32_t v = w->mesh->triangle[triangle][k];
    return w->end ? v3_mix(w->mesh->position[v], w->end[v], share) : w->mesh->position[v];
}

static void store(group *g, int k, const winding_cluster *c, double radius)
{
    const double share = winding_share;
    g->px[k] = (float)c->middle.x, g->py[k] = (float)c->middle.y, g->pz[k] = (float)c->middle.z;
    const float far = winding_opening * (float)radius;
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
    const winding_cluster *member; /* of this level, at each node; not for the triangles */
    winding_cluster *above;        /* one a group and node: the members of the next level */
} building;

static winding_cluster cluster_of_triangle(const winding *w, uint32_t triangle, int node)
{
    rill_vec3 p[3];
    for (int k = 0; k < 3; k++) p[k] = winding_local(&w->tree, corner_of(w, triangle, k, node_share[node]));
    return winding_cluster_of(p);
}

/* One group, at every node, and what it is in the level above. */
static void make_group(const building *b, size_t i)
{
    winding *w = b->w;
    const int nodes = w->nodes;
    size_t low;
    const size_t count = winding_tree_group(&w->tree, b->level, i, &low);
    group *g = &w->group[(w->tree.first[b->level] + i) * (size_t)nodes];
    winding_cluster member[NODES][WIDE];
    memset(g, 0, (size_t)nodes * sizeof *g);
    for (size_t k = 0; k < count; k++) {
        double radius = 0;
        for (int n = 0; n < nodes; n++) {
            member[n][k] = b->level == 0 ? cluster_of_triangle(w, w->tree.order[low + k], n)
                                         : b->member[(low + k) * (size_t)nodes + (size_t)n];
            radius = fmax(radius, member[n][k].radius);
        }
        for (int n = 0; n < nodes; n++) store(&g[n], (int)k, &member[n][k], radius);
    }
    for (int n = 0; n < nodes; n++)
        for (size_t k = count; k < WIDE; k++) g[n].far2[k] = -1;
    const rill_vec3 first = winding_middle(member[0], count), last = winding_middle(member[nodes - 1], count);
    for (int n = 0; n < nodes; n++)
        b->above[i * (size_t)nodes + (size_t)n] =
            winding_cluster_sum(member[n], count, nodes == 1 ? first : v3_mix(first, last, node_share[n]));
}

static void group_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t i = begin; i < end; i++) make_group(arg, i);
}

static rill_status build(rill_ctx *ctx, winding *w)
{
    TRY(winding_tree_build(ctx, w->mesh, &w->tree));
    TRY(MEM_NEW(ctx, w->group, w->tree.groups * (size_t)w->nodes));
    winding_cluster *member = NULL, *above = NULL;
    const size_t most = (w->mesh->triangle_count / WIDE + 1) * (size_t)w->nodes;
    rill_status st = MEM_NEW(ctx, member, most);
    if (!st) st = MEM_NEW(ctx, above, most);
    for (int level = 0; !st && level < w->tree.levels; level++) {
        building b = {.w = w, .level = level, .member = member, .above = above};
        parallel_for(ctx, (w->tree.members[level] + WIDE - 1) / WIDE, 256, group_block, &b);
        winding_cluster *swap = member;
        member = above, above = swap;
    }
    mem_free(ctx, member);
    mem_free(ctx, above);
    return st;
}

rill_status winding_create_moving(rill_ctx *ctx, const trimesh *mesh, const rill_vec3 *end, winding **out)
{
    winding *w = NULL;
    rill_status st = MEM_NEW_ZERO(ctx, w, 1);
    if (!st) {
        w->mesh = mesh;
        w->end = end;
        w->nodes = end ? NODES : 1;
        if (mesh->triangle_count > 0) st = build(ctx, w);
    }
    if (st)
        winding_destroy(ctx, w);
    else
        *out = w;
    return st;
}

rill_status winding_create(rill_ctx *ctx, const trimesh *mesh, winding **out)
{
    return winding_create_moving(ctx, mesh, NULL, out);
}

void winding_destroy(rill_ctx *ctx, winding *w)
{
    if (!w) return;
    winding_tree_clear(ctx, &w->tree);
    mem_free(ctx, w->group);
    mem_free(ctx, w);
}

static double solid_angle(const winding *w, uint32_t triangle, double share, rill_vec3 x)
{
    return triangle_solid_angle(v3_sub(corner_of(w, triangle, 0, share), x),
                                v3_sub(corner_of(w, triangle, 1, share), x),
                                v3_sub(corner_of(w, triangle, 2, share), x));
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

/* What each node counts for at a share: Lagrange's polynomials. */
static void node_weights(double share, float weight[NODES])
{
    for (int n = 0; n < NODES; n++) {
        double product = 1;
        for (int k = 0; k < NODES; k++)
            if (k != n) product *= (share - node_share[k]) / (node_share[n] - node_share[k]);
        weight[n] = (float)product;
    }
}

/* The group at a share; far2 is the same in all four. */
static void blend(const group *at, const float weight[NODES], group *out)
{
    enum { FLOATS = sizeof(group) / sizeof(float) };
    const float *a = (const void *)&at[0], *b = (const void *)&at[1], *c = (const void *)&at[2],
                *d = (const void *)&at[3];
    float *to = (void *)out;
    for (int k = 0; k < FLOATS; k++)
        to[k] = weight[0] * a[k] + weight[1] * b[k] + weight[2] * c[k] + weight[3] * d[k];
    memcpy(out->far2, at[0].far2, sizeof out->far2);
}

double winding_moving_at(const winding *w, double share, rill_vec3 x)
{
    if (w->tree.levels == 0 || !v3_finite(x)) return 0;
    const rill_vec3 p = winding_local(&w->tree, x);
    if (!(v3_length(p) < 1e6)) return 0; /* as good as */
    float weight[NODES];
    if (w->nodes > 1) node_weights(share, weight);
    struct {
        uint32_t group;
        int level;
    } stack[STACK];
    int top = 0;
    stack[top].group = 0, stack[top++].level = w->tree.levels - 1;
    double sum = 0, angle = 0;
    while (top > 0) {
        const int level = stack[--top].level;
        const uint32_t at = stack[top].group;
        const group *g = &w->group[(w->tree.first[level] + at) * (size_t)w->nodes];
        group mixed;
        if (w->nodes > 1) {
            blend(g, weight, &mixed);
            g = &mixed;
        }
        unsigned near;
        sum += (double)far_members(g, (float)p.x, (float)p.y, (float)p.z, &near);
        for (; near; near &= near - 1) {
            const uint32_t member = WIDE * at + (uint32_t)__builtin_ctz(near);
            if (level == 0)
                angle += solid_angle(w, w->tree.order[member], share, x);
            else
                stack[top].group = member, stack[top++].level = level - 1;
        }
    }
    return sum + angle * winding_share;
}

double winding_at(const winding *w, rill_vec3 x)
{
    return winding_moving_at(w, 0, x);
}

double winding_exact(const trimesh *mesh, rill_vec3 x)
{
    const winding all = {.mesh = mesh};
    double angle = 0;
    for (size_t i = 0; i < mesh->triangle_count; i++) angle += solid_angle(&all, (uint32_t)i, 0, x);
    return angle * winding_share;
}
