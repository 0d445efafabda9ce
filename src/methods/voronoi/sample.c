/* Pressure samples around the surface: [Brochu10] 5.1.
 *
 * Every vertex of the free surface gets a sample inward at a quarter and one outward at half of d, where d is
 * the spacing, or the distance to whatever is in the way if that is less: the surface (figure 7), a side of
 * the box, a solid.
 *
 * DEVIATES: at contact lines the pair lies in the wall, along the normal projected into it (E-R10). A pair
 * displaced off the wall does not feel its vertex, and bumps there freeze. */
#include "base/parallel.h"
#include "voronoi/emit.h"
#include "voronoi/near.h"

static const double INWARD = 0.25, OUTWARD = 0.5; /* of d: the paper's */
static const double SAME = 0.25;                  /* spacings: least distance of samples of one kind */
static const double OTHER = 0.05;                 /* of d: of two kinds, or thin layers would lose a side */
static const double OPPOSITE = 0.2;  /* spacings: the same for liquid opposite to air in a wedge */
static const double COLLIDED = 0.05; /* spacings: no air sample in a narrower gap */
static const double IN_SOLID = 0.25; /* spacings: samples may lie so deep, where contact lines are */

rill_status brochu_site_add(rill_ctx *ctx, brochu_sites *s, rill_vec3 x, bool liquid, double reach)
{
    const size_t n = (size_t)s->count + 1;
    TRY(mem_grow(ctx, &s->x, sizeof *s->x, &s->x_room, n));
    TRY(mem_grow(ctx, &s->of, sizeof *s->of, &s->of_room, n));
    TRY(mem_grow(ctx, &s->turned, sizeof *s->turned, &s->turned_room, n));
    TRY(mem_grow(ctx, &s->liquid, sizeof *s->liquid, &s->liquid_room, n));
    TRY(mem_grow(ctx, &s->wall, sizeof *s->wall, &s->wall_room, n));
    TRY(mem_grow(ctx, &s->reach, sizeof *s->reach, &s->reach_room, n));
    const uint32_t i = s->count++;
    s->x[i] = x;
    s->of[i] = i;
    s->turned[i] = s->wall[i] = 0;
    s->liquid[i] = liquid;
    s->reach[i] = (float)reach;
    return RILL_OK;
}

/* ---- where a vertex's samples go ---- */

typedef struct {
    rill_vec3 x;
    double gap; /* d; negative: no sample */
    bool liquid;
} proposal;

typedef struct {
    brochu *s;
    double t;
    proposal *proposal; /* [2 vertex]: inward, outward */
} job;

/* The distance to the surface, a side of the box or a solid, at most a spacing. */
static double gap_along(const brochu *s, double t, rill_vec3 from, uint8_t walls, rill_vec3 direction)
{
    const double skip = (walls ? 0.05 : 1e-4) * s->h; /* the vertex's own triangles */
    double d = s->h;
    rays_hit hit;
    if (rays_intersect(s->surface.rays, v3_madd(from, skip, direction), direction, 0, d, &hit))
        d = fmin(d, hit.t + skip);
    for (int side = 0; side < SIDE_COUNT; side++) {
        const double toward = v3_axis(direction, side_axis(side)) * (side & 1 ? 1 : -1);
        if (toward > 1e-3) d = fmin(d, brochu_wall_distance(s, from, side) / toward);
    }
    if (s->walls.count && solids_distance(&s->walls, from, t, NULL) > 0)
        d = fmin(d, fmax(solids_free(&s->walls, from, t, direction, 1e-3 * s->h, s->h), 1e-3 * s->h));
    return d;
}

/* Samples of a vertex at a solid: none deep inside, and no air between liquid and the wall it touches. */
static bool solid_refuses(const brochu *s, double t, rill_vec3 vertex, rill_vec3 normal, const proposal *p)
{
    if (!s->cut) return false;
    solid_contact c;
    if (brochu_room(s, p->x, t, &c) < -IN_SOLID * s->h) return true;
    const double room = brochu_room(s, vertex, t, &c);
    return !p->liquid && room < COLLIDED * s->h && v3_dot(normal, c.normal) < -0.5;
}

static proposal propose(const brochu *s, double t, size_t v, bool inward)
{
    const brochu_surface *u = &s->surface;
    const rill_vec3 n = u->normal[v], along = inward ? v3_neg(n) : n, x = u->mesh.position[v];
    proposal p = {.gap = -1, .liquid = inward};
    if (!(u->area[v] > 0) || v3_length(n) < 0.5) return p;
    const double d = gap_along(s, t, brochu_off_walls(s, x, u->wall[v], 0.02 * s->h), u->wall[v], along);
    if (!inward && d < COLLIDED * s->h) return p;
    p.x = brochu_snap(s, v3_madd(x, (inward ? INWARD : OUTWARD) * d, along));
    for (int side = 0; side < SIDE_COUNT; side++)
        if (!(u->wall[v] >> side & 1) && brochu_wall_distance(s, p.x, side) < 1e-3 * s->h) return p;
    if (solid_refuses(s, t, x, n, &p)) return p;
    /* In a wall the distance is that to the wall: the kind is that of the construction. */
    if (!u->wall[v]) p.liquid = mesh_distance_exact(u->distance, p.x, NULL) < 0;
    p.gap = d;
    return p;
}

static void propose_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    for (size_t v = begin; v < end; v++)
        for (int out = 0; out < 2; out++) j->proposal[2 * v + (size_t)out] = propose(j->s, j->t, v, !out);
}

/* ---- */

/* Next to a contact line at a flat angle, the air sample lies in a narrow wedge below the surface, whose next
 * vertices are a spacing away: without a liquid sample across the surface its cell would reach up to a
 * spacing into the liquid. */
static rill_status add_opposite(brochu *s, brochu_diagram *d, brochu_near *near, size_t v,
                                const proposal *air)
{
    const rill_vec3 x = brochu_off_walls(s, air->x, s->surface.wall[v], 1e-3 * s->h);
    rill_vec3 up;
    const double gap = mesh_distance_exact(s->surface.distance, x, &up);
    if (gap <= 0 || gap > 0.5 * OUTWARD * air->gap) return RILL_OK;
    const rill_vec3 to = brochu_snap(s, brochu_clamp(s, v3_madd(x, -2 * gap, up)));
    if (mesh_distance_exact(s->surface.distance, to, NULL) >= 0 ||
        brochu_near_any(near, &d->sites, to, true, OPPOSITE * s->h, 1e-3 * s->h))
        return RILL_OK;
    TRY(brochu_site_add(s->sim.ctx, &d->sites, to, true, s->h));
    brochu_near_add(near, &d->sites, d->sites.count - 1);
    return RILL_OK;
}

static rill_status add_pairs(brochu *s, brochu_diagram *d, double t, brochu_near *near)
{
    const size_t n = s->surface.mesh.vertex_count;
    job j = {.s = s, .t = t};
    TRY(ARENA_NEW(&s->scratch, j.proposal, 2 * n));
    parallel_for(s->sim.ctx, n, BROCHU_BLOCK, propose_block, &j);
    for (size_t out = 0; out < 2; out++)
        for (size_t v = 0; v < n; v++) {
            const proposal *p = &j.proposal[2 * v + out];
            if (p->gap < 0 ||
                brochu_near_any(near, &d->sites, p->x, p->liquid, SAME * s->h, OTHER * fmin(p->gap, s->h)))
                continue;
            TRY(brochu_site_add(s->sim.ctx, &d->sites, p->x, p->liquid, s->h));
            brochu_near_add(near, &d->sites, d->sites.count - 1);
        }
    for (size_t v = 0; v < n; v++)
        if (s->surface.wall[v] && j.proposal[2 * v + 1].gap >= 0)
            TRY(add_opposite(s, d, near, v, &j.proposal[2 * v + 1]));
    return RILL_OK;
}

static rill_status add_plugs(brochu *s, brochu_diagram *d, brochu_near *near, const rill_vec3 *x,
                             uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (brochu_near_any(near, &d->sites, x[i], false, SAME * s->h, SAME * s->h)) continue;
        TRY(brochu_site_add(s->sim.ctx, &d->sites, x[i], false, s->h));
        brochu_near_add(near, &d->sites, d->sites.count - 1);
    }
    return RILL_OK;
}

/* Lattice candidates come as sites of their own list, and join when there is room for them. */
static rill_status add_lattice(brochu *s, brochu_diagram *d, brochu_sites *lattice, brochu_near *near)
{
    const double least = 0.7 * s->h;
    for (uint32_t i = 0; i < lattice->count; i++) {
        if (brochu_near_any(near, &d->sites, lattice->x[i], lattice->liquid[i], least, least)) continue;
        TRY(brochu_site_add(s->sim.ctx, &d->sites, lattice->x[i], lattice->liquid[i], lattice->reach[i]));
        brochu_near_add(near, &d->sites, d->sites.count - 1);
    }
    return RILL_OK;
}

static void sites_clear(rill_ctx *ctx, brochu_sites *s)
{
    mem_free(ctx, s->x);
    mem_free(ctx, s->of);
    mem_free(ctx, s->turned);
    mem_free(ctx, s->liquid);
    mem_free(ctx, s->wall);
    mem_free(ctx, s->reach);
}

rill_status brochu_sample(brochu *s, brochu_diagram *d, double t)
{
    d->sites.count = d->sites.real = d->sites.liquids = 0;
    if (!s->surface.mesh.triangle_count) return RILL_OK;
    const arena_mark mark = arena_mark_of(&s->scratch);
    brochu_sites lattice = {0};
    brochu_near near;
    rill_status st = brochu_lattice(s, &lattice, t);
    rill_vec3 *plug;
    uint32_t plugs = 0;
    if (!st) st = brochu_plug_sites(s, &plug, &plugs);
    const size_t most = 3 * s->surface.mesh.vertex_count + plugs + lattice.count;
    if (!st) st = brochu_near_init(&s->scratch, s->h, (uint32_t)most, &near);
    if (!st && s->def.sampling == BROCHU_MATCHED && s->surface.rays) st = add_pairs(s, d, t, &near);
    if (!st) st = add_plugs(s, d, &near, plug, plugs);
    if (!st) st = add_lattice(s, d, &lattice, &near);
    sites_clear(s->sim.ctx, &lattice);
    arena_back(&s->scratch, mark);
    d->sites.real = d->sites.count;
    for (uint32_t i = 0; !st && i < d->sites.real; i++) {
        d->sites.wall[i] = brochu_walls_at(s, d->sites.x[i]);
        d->sites.liquids += d->sites.liquid[i];
    }
    return st;
}
