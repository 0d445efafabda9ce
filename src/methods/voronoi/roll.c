/* Contact lines roll: where the surface meets a side of the box at a flat angle, the line advances because
 * the surface above the wedge of air comes down on the wall, faster than any liquid moves along the wall. A
 * vertex of the line that goes with the liquid next to it is too slow, and a vertex that would pass the side
 * stops there: both lose the volume that flows through the triangles in between, 4 percent of a ball that
 * meets the floor.
 *
 * Here the volume that the triangles at the sides sweep over is compared with the flux of the velocity
 * through them, and the difference moves their vertices, along the sides. It is local, and knows nothing of
 * the volume that a part should have. */
#include "base/parallel.h"
#include "voronoi/state.h"

enum { CUTS = 4, ROUNDS = 8 };
static const double MOST = 0.25; /* spacings: of a vertex in a step */

typedef struct {
    brochu *s;
    const trimesh *mesh;
    double dt;
    const uint8_t *held; /* [vertex] in a nozzle */
    const rill_vec3 *x;  /* [vertex] where it goes */
    uint8_t *wall;       /* [vertex] the sides that it is in, at the end */
    const uint32_t *list;
    double *lacks; /* [of the list] volume */
} job;

static rill_vec3 area_of(rill_vec3 a, rill_vec3 b, rill_vec3 c)
{
    return v3_scale(v3_cross(v3_sub(b, a), v3_sub(c, a)), 0.5);
}

/* The mean velocity over a triangle. */
static rill_vec3 flow_through(const brochu *s, const rill_vec3 corner[3])
{
    rill_vec3 sum = {0};
    uint32_t hint = SITE_NONE;
    for (int a = 0; a < CUTS; a++)
        for (int b = 0; a + b < CUTS; b++)
            for (int up = 0; up < 2 && a + b + 2 * up <= CUTS; up++) {
                const double p = (a + (up ? 2 : 1) / 3.0) / CUTS, q = (b + (up ? 2 : 1) / 3.0) / CUTS;
                const rill_vec3 x = v3_add(v3_scale(corner[0], 1 - p - q),
                                           v3_add(v3_scale(corner[1], p), v3_scale(corner[2], q)));
                sum = v3_add(sum, brochu_look(s, &s->diagram[s->now], x, &hint));
            }
    return v3_scale(sum, 1.0 / (CUTS * CUTS));
}

/* The volume that flows through a triangle, where it is at the start, less the one it sweeps over. Farther on
 * velocities are extrapolated, and lose volume themselves. */
static double lack_of(const job *j, const uint32_t *v)
{
    rill_vec3 from[3], mid[3], to[3], mean = {0};
    for (int i = 0; i < 3; i++) {
        from[i] = j->mesh->position[v[i]];
        to[i] = j->x[v[i]];
        mid[i] = v3_scale(v3_add(from[i], to[i]), 0.5);
        mean = v3_madd(mean, 1.0 / 3, v3_sub(to[i], from[i]));
    }
    const rill_vec3 first = area_of(from[0], from[1], from[2]), middle = area_of(mid[0], mid[1], mid[2]),
                    last = area_of(to[0], to[1], to[2]),
                    area = v3_scale(v3_add(v3_madd(first, 4, middle), last), 1.0 / 6);
    return j->dt * v3_dot(flow_through(j->s, from), first) - v3_dot(mean, area);
}

static void lack_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    for (size_t k = begin; k < end; k++) j->lacks[k] = lack_of(j, j->mesh->triangle[j->list[k]]);
}

/* Sides that count: not those of a slab in two dimensions, where the surface goes on as its image. */
static uint8_t sides(const brochu *s)
{
    return s->flat ? 0xf : 0x3f;
}

static bool shares_side(const uint8_t *wall, const uint32_t *v)
{
    return (wall[v[0]] & wall[v[1]] & wall[v[2]]) != 0;
}

/* In a nozzle liquid flows through the surface, and at a solid it ends within a triangle. */
static bool open_there(const job *j, const uint32_t *v)
{
    for (int i = 0; i < 3; i++)
        if (j->held[v[i]] || (j->s->cut && brochu_room(j->s, j->mesh->position[v[i]], j->s->motion.time,
                                                       NULL) < 0.25 * j->s->h))
            return false;
    return true;
}

/* The triangles at the sides, before or after, that are not in one from the start. */
static uint32_t list_triangles(const job *j, uint32_t *list)
{
    const uint8_t *before = j->s->surface.wall, mask = sides(j->s);
    uint32_t n = 0;
    for (uint32_t t = 0; t < j->mesh->triangle_count; t++) {
        const uint32_t *v = j->mesh->triangle[t];
        uint8_t any = 0;
        for (int i = 0; i < 3; i++) any |= before[v[i]] | j->wall[v[i]];
        if (any & mask && !shares_side(before, v) && open_there(j, v)) list[n++] = t;
    }
    return n;
}

/* Where a vertex can go: across the free triangles around it as they end, along the sides that it is in. The
 * length is the volume that the surface gains by a unit of it. */
static void find_ways(const job *j, rill_vec3 *way)
{
    for (size_t v = 0; v < j->mesh->vertex_count; v++) way[v] = v3(0, 0, 0);
    for (size_t t = 0; t < j->mesh->triangle_count; t++) {
        const uint32_t *v = j->mesh->triangle[t];
        if (shares_side(j->wall, v)) continue;
        const rill_vec3 third = v3_scale(area_of(j->x[v[0]], j->x[v[1]], j->x[v[2]]), 1.0 / 3);
        for (int i = 0; i < 3; i++) way[v[i]] = v3_add(way[v[i]], third);
    }
    for (size_t v = 0; v < j->mesh->vertex_count; v++) {
        if (j->held[v]) way[v] = v3(0, 0, 0);
        for (int side = 0; side < SIDE_COUNT; side++)
            if (j->wall[v] >> side & 1) v3_set_axis(&way[v], side_axis(side), 0);
    }
}

/* How much of what is to be given out a vertex takes: the smallest displacements for the volume. */
static double takes(const job *j, rill_vec3 way)
{
    const double h2 = j->s->h * j->s->h;
    return v3_dot(way, way) + 1e-6 * h2 * h2;
}

/* The volume that a vertex cannot take in a step. */
static double rest_of(const job *j, rill_vec3 way, double lack)
{
    const double most = MOST * j->s->h * v3_length(way);
    return lack - fmax(-most, fmin(most, lack));
}

/* What vertices cannot take goes to their neighbours. False: there was none. */
static bool pass_on(const job *j, const rill_vec3 *way, const double *from, double *to, double *weight)
{
    bool any = false;
    for (size_t v = 0; v < j->mesh->vertex_count; v++) {
        const double rest = rest_of(j, way[v], from[v]);
        any |= rest != 0;
        to[v] = from[v] - rest;
        weight[v] = 0;
    }
    if (!any) return false;
    for (int pass = 0; pass < 2; pass++)
        for (size_t t = 0; t < j->mesh->triangle_count; t++)
            for (int i = 0; i < 3; i++) {
                const uint32_t a = j->mesh->triangle[t][i], b = j->mesh->triangle[t][(i + 1) % 3];
                const double rest = rest_of(j, way[a], from[a]);
                if (rest == 0) continue;
                if (pass)
                    to[b] += rest * takes(j, way[b]) / weight[a];
                else
                    weight[a] += takes(j, way[b]);
            }
    return true;
}

/* Moves the vertices by what they lack, with the rest that the last round left. */
static void move_vertices(const job *j, const rill_vec3 *way, const double *lack, rill_vec3 *x)
{
    const double most = MOST * j->s->h;
    for (size_t v = 0; v < j->mesh->vertex_count; v++) {
        const double gain = v3_length(way[v]);
        if (lack[v] == 0 || !(gain > 0)) continue;
        const double by = fmax(-most, fmin(most, lack[v] / gain));
        x[v] = brochu_clamp(j->s, v3_madd(x[v], by / gain, way[v]));
    }
}

/* The lists are in the scratch arena. */
static rill_status find_lacks(job *j, uint32_t *list, uint32_t listed, const rill_vec3 *way, double *lack)
{
    const trimesh *mesh = j->mesh;
    j->list = list;
    TRY(ARENA_NEW(&j->s->scratch, j->lacks, listed));
    parallel_for(j->s->sim.ctx, listed, 64, lack_block, j);
    for (size_t v = 0; v < mesh->vertex_count; v++) lack[v] = 0;
    for (uint32_t k = 0; k < listed; k++) {
        const uint32_t *v = mesh->triangle[list[k]];
        const double all = takes(j, way[v[0]]) + takes(j, way[v[1]]) + takes(j, way[v[2]]);
        for (int i = 0; i < 3; i++) lack[v[i]] += j->lacks[k] * takes(j, way[v[i]]) / all;
    }
    return RILL_OK;
}

static rill_status roll(job *j, rill_vec3 *x)
{
    const size_t n = j->mesh->vertex_count;
    rill_arena *arena = &j->s->scratch;
    uint32_t *list;
    double *lack[2], *weight;
    rill_vec3 *way;
    TRY(ARENA_NEW(arena, j->wall, n + 1));
    TRY(ARENA_NEW(arena, list, j->mesh->triangle_count + 1));
    for (size_t v = 0; v < n; v++) j->wall[v] = brochu_walls_at(j->s, x[v]);
    const uint32_t listed = list_triangles(j, list);
    if (!listed) return RILL_OK;
    TRY(ARENA_NEW(arena, way, n));
    TRY(ARENA_NEW(arena, weight, n));
    for (int k = 0; k < 2; k++) TRY(ARENA_NEW(arena, lack[k], n));
    find_ways(j, way);
    TRY(find_lacks(j, list, listed, way, lack[0]));
    int now = 0;
    for (int round = 0; round < ROUNDS && pass_on(j, way, lack[now], lack[1 - now], weight); round++)
        now = 1 - now;
    move_vertices(j, way, lack[now], x);
    return RILL_OK;
}

rill_status brochu_roll(brochu *s, const trimesh *mesh, double dt, const uint8_t *held, rill_vec3 *x)
{
    const arena_mark mark = arena_mark_of(&s->scratch);
    job j = {.s = s, .mesh = mesh, .dt = dt, .held = held, .x = x};
    const rill_status st = roll(&j, x);
    arena_back(&s->scratch, mark);
    return st;
}
