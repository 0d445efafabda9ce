/* The tracker's mesh as the solver sees it: the free surface is the triangles that lie in no side of the box.
 * Curvature: Meyer et al. 2002, cotangents and mixed areas, as section 4.1 has it. Their operator gives
 * kappa_1 + kappa_2, which is what Young and Laplace's law needs (E-R1). At a contact line the sum runs over
 * the free triangles alone and is taken along the wall: the surface goes on as its mirror image, which is a
 * contact angle of 90 degrees. For another angle the wall pulls at the contact line with cos(angle) times the
 * tension: the energy is that of the free area less cos(angle) times the wetted one. */
#include "voronoi/emit.h"

#include <string.h>

static bool in_wall(const brochu_surface *u, const uint32_t *v)
{
    return (u->wall[v[0]] & u->wall[v[1]] & u->wall[v[2]]) != 0;
}

typedef struct {
    rill_vec3 corner[3];
    rill_vec3 area;
    double size;         /* of the area */
    double cotangent[3]; /* at each corner */
    double square[3];    /* of the edge across from it */
    int obtuse;          /* the corner that is, or -1 */
} measured;

static measured measure(const trimesh *m, const uint32_t *v)
{
    measured t = {.obtuse = -1};
    for (int i = 0; i < 3; i++) t.corner[i] = m->position[v[i]];
    t.area = v3_scale(v3_cross(v3_sub(t.corner[1], t.corner[0]), v3_sub(t.corner[2], t.corner[0])), 0.5);
    t.size = v3_length(t.area);
    for (int i = 0; i < 3; i++) {
        const rill_vec3 a = v3_sub(t.corner[(i + 1) % 3], t.corner[i]),
                        b = v3_sub(t.corner[(i + 2) % 3], t.corner[i]), across = v3_sub(a, b);
        const double dot = v3_dot(a, b);
        t.cotangent[i] = dot / (2 * t.size + 1e-300);
        t.square[i] = v3_dot(across, across);
        if (dot < 0) t.obtuse = i;
    }
    return t;
}

static double mixed_area(const measured *t, int i)
{
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    if (t->obtuse >= 0) return t->obtuse == i ? t->size / 2 : t->size / 4;
    return (t->square[j] * t->cotangent[j] + t->square[k] * t->cotangent[k]) / 8;
}

static rill_status reserve(rill_ctx *ctx, brochu_surface *u, size_t n)
{
    TRY(mem_grow(ctx, &u->normal, sizeof *u->normal, &u->room[0], n));
    TRY(mem_grow(ctx, &u->wall, sizeof *u->wall, &u->room[1], n));
    TRY(mem_grow(ctx, &u->area, sizeof *u->area, &u->room[2], n));
    return mem_grow(ctx, &u->curvature, sizeof *u->curvature, &u->room[3], n);
}

/* bend: the integral of the curvature normal; share: mixed areas. */
static void add_triangle(brochu_surface *u, const uint32_t *v, const measured *t, rill_vec3 *bend,
                         double *share, double *line)
{
    for (int i = 0; i < 3; i++) {
        const uint32_t a = v[i], b = v[(i + 1) % 3];
        if (!(u->wall[a] & u->wall[b])) continue; /* the contact line */
        const double half = v3_distance(t->corner[i], t->corner[(i + 1) % 3]) / 2;
        line[a] += half;
        line[b] += half;
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const rill_vec3 a = v3_sub(t->corner[j], t->corner[i]), b = v3_sub(t->corner[k], t->corner[i]);
        const double angle = atan2(2 * t->size, v3_dot(a, b));
        u->normal[v[i]] = v3_madd(u->normal[v[i]], angle / (t->size + 1e-300), t->area);
        u->area[v[i]] += t->size / 3;
        const rill_vec3 edge = v3_sub(t->corner[j], t->corner[k]);
        bend[v[j]] = v3_madd(bend[v[j]], t->cotangent[i] / 2, edge);
        bend[v[k]] = v3_madd(bend[v[k]], -t->cotangent[i] / 2, edge);
        share[v[i]] += mixed_area(t, i);
    }
}

/* Edges that sinks and nozzles make are none of the liquid's. */
static bool made_edge(const brochu *s, rill_vec3 x)
{
    const brochu_nozzle *nozzle;
    return brochu_sink(s, x, NULL) < 0.05 * s->h || (s->nozzle && brochu_in_nozzle(s, x, &nozzle));
}

rill_status brochu_surface_measure(brochu *s, const trimesh *mesh)
{
    brochu_surface *u = &s->surface;
    const size_t n = mesh->vertex_count;
    const arena_mark mark = arena_mark_of(&s->scratch);
    rill_vec3 *bend;
    double *share, *line;
    const double wets = cos(s->def.contact_angle * M_PI / 180);
    TRY(reserve(s->sim.ctx, u, n));
    TRY(ARENA_NEW(&s->scratch, bend, n));
    TRY(ARENA_NEW(&s->scratch, share, n));
    TRY(ARENA_NEW(&s->scratch, line, n));
    u->mesh = *mesh;
    for (size_t v = 0; v < n; v++) {
        u->normal[v] = bend[v] = v3(0, 0, 0);
        u->area[v] = share[v] = line[v] = 0;
        u->wall[v] = brochu_walls_at(s, mesh->position[v]);
    }
    for (size_t k = 0; k < mesh->triangle_count; k++) {
        const uint32_t *v = mesh->triangle[k];
        if (in_wall(u, v)) continue;
        const measured t = measure(mesh, v);
        add_triangle(u, v, &t, bend, share, line);
    }
    for (size_t v = 0; v < n; v++) {
        for (int side = 0; side < SIDE_COUNT; side++)
            if (u->wall[v] >> side & 1) v3_set_axis(&u->normal[v], side_axis(side), 0);
        u->normal[v] = v3_unit(u->normal[v]);
        u->curvature[v] = share[v] > 0 ? (v3_dot(bend[v], u->normal[v]) - wets * line[v]) / share[v] : 0;
        if (made_edge(s, mesh->position[v])) u->curvature[v] = 0;
    }
    arena_back(&s->scratch, mark);
    return RILL_OK;
}

rill_status brochu_surface_index(brochu *s)
{
    rill_ctx *ctx = s->sim.ctx;
    brochu_surface *u = &s->surface;
    brochu_surface_forget(s);
    TRY(mem_grow(ctx, &u->open.triangle, sizeof *u->open.triangle, &u->room[4], u->mesh.triangle_count));
    u->open.triangle_count = 0;
    u->open.vertex_count = u->mesh.vertex_count;
    u->open.position = u->mesh.position;
    for (size_t k = 0; k < u->mesh.triangle_count; k++)
        if (!in_wall(u, u->mesh.triangle[k]))
            memcpy(u->open.triangle[u->open.triangle_count++], u->mesh.triangle[k], sizeof *u->mesh.triangle);
    if (u->open.triangle_count) {
        const rays_def def = {.origin = box_center(s->box), .mesh = &u->open};
        TRY(rays_create(ctx, &def, &u->rays));
    }
    const mesh_distance_def def = {.resolution = 0};
    return u->mesh.triangle_count ? mesh_distance_create(ctx, &u->mesh, &def, &u->distance) : RILL_OK;
}

void brochu_surface_forget(brochu *s)
{
    brochu_surface *u = &s->surface;
    rays_destroy(s->sim.ctx, u->rays);
    mesh_distance_destroy(s->sim.ctx, u->distance);
    u->rays = NULL;
    u->distance = NULL;
}

void brochu_surface_clear(rill_ctx *ctx, brochu_surface *u)
{
    rays_destroy(ctx, u->rays);
    mesh_distance_destroy(ctx, u->distance);
    mem_free(ctx, u->normal);
    mem_free(ctx, u->wall);
    mem_free(ctx, u->area);
    mem_free(ctx, u->curvature);
    mem_free(ctx, u->open.triangle);
    *u = (brochu_surface){0};
}
