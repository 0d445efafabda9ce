/* Open sides of a filled domain, and sides through which smoke is blown in.
 *
 * Cells end at the sides. Beyond an open one is the same fluid at rest: its pressure is that of its weight.
 * What is blown in comes with the velocity of the smoke whose shape covers the face, as from a wall that
 * moves. In both cases the cell grows by what comes in, and a point that crosses an open side goes. A point
 * is a whole volume, and so there are to be as many as the cells have volumes: what is missing comes into the
 * largest cells at the sides, a spacing behind their own points. Nothing of it has to be kept. */
#include "points/state.h"

#include <stdlib.h>

points_side points_side_of(const points *s, const points_face *f, double t, const scene_smoke **smoke)
{
    const rill_scene *scene = s->sim.scene;
    if (!s->gas.open || f->b < VORONOI_WALL || f->b >= VORONOI_CAP) return SIDE_WALL;
    rill_vec3 x = points_shape(s, f)->centroid;
    if (s->dimensions == 2) x.z = 0;
    for (uint32_t k = scene->smoke_count; k-- > 0;) { /* where they overlap the last counts, as in smoke.c */
        const scene_smoke *m = &scene->smoke[k];
        if (!points_smoke_moves(m, t) || shape_distance(&m->shape, x, NULL) > 1e-6 * s->h) continue;
        if (smoke) *smoke = m;
        return SIDE_INFLOW;
    }
    return scene->domain.open >> (f->b - VORONOI_WALL) & 1 ? SIDE_OPEN : SIDE_WALL;
}

/* No pressure at the top, which is where gravity comes from. */
static rill_vec3 top_of(const points *s)
{
    const scene_domain *d = &s->sim.scene->domain;
    const rill_vec3 g = s->gas.fall;
    return v3(g.x > 0 ? d->min.x : d->max.x, g.y > 0 ? d->min.y : d->max.y, g.z > 0 ? d->min.z : d->max.z);
}

double points_outside(const points *s, const points_face *f)
{
    const rill_vec3 at = v3_madd(s->particles.position[f->a], f->reach, v3_unit(points_shape(s, f)->area));
    return v3_dot(s->gas.fall, v3_sub(at, top_of(s)));
}

void points_sides_press(points *s, rill_vec3 fall, double *right)
{
    s->gas.fall = fall;
    if (!s->gas.open) return;
    for (uint32_t k = s->mesh.inner_count; k < s->mesh.face_count; k++)
        if (points_is_open(s, k))
            right[s->mesh.face[k].a] += s->mesh.face[k].weight * points_outside(s, &s->mesh.face[k]);
}

/* ---- points that come ---- */

/* What comes into a cell through its sides: volume a second, and the middle of where it does. */
typedef struct {
    double flow, area;
    rill_vec3 middle, inward; /* inward: a unit vector, of nothing zero */
    const scene_smoke *smoke; /* NULL: from outside of an open side */
} inlet;

static inlet inlet_of(const points *s, uint32_t i, double t)
{
    const points_cell *c = &s->mesh.cell[i];
    inlet in = {0};
    for (uint32_t e = c->begin; e < c->end; e++) {
        const points_face *f = &s->mesh.face[s->mesh.link[e]];
        const rill_vec3 area = points_shape(s, f)->area;
        if (s->mesh.link[e] < s->mesh.inner_count) continue;
        const points_side side = points_side_of(s, f, t, &in.smoke);
        if (side == SIDE_WALL) continue;
        rill_vec3 velocity = s->particles.velocity[i];
        if (side == SIDE_INFLOW)
            velocity =
                velocity_field_at(&in.smoke->velocity, &s->sim.scene->domain, points_shape(s, f)->centroid);
        in.flow -= v3_dot(area, velocity);
        in.area += v3_length(area);
        in.middle = v3_madd(in.middle, v3_length(area), points_shape(s, f)->centroid);
        in.inward = v3_sub(in.inward, area);
    }
    if (in.area > 0) in.middle = v3_scale(in.middle, 1 / in.area);
    if (v3_length(in.inward) > 0) in.inward = v3_unit(in.inward);
    return in;
}

/* Where points are. */
static rill_box inside_of(const points *s)
{
    rill_box box = {s->sim.scene->domain.min, s->sim.scene->domain.max};
    if (s->dimensions == 2) box.min.z = -INFINITY, box.max.z = INFINITY;
    return box;
}

enum { AT_ONCE = 4 }; /* points that come into a cell in one step */

static void add_point(points *s, uint32_t i, const inlet *in, double away, double t)
{
    points_gas *g = &s->gas;
    const rill_scene *scene = s->sim.scene;
    rill_vec3 x = v3_madd(in->middle, away * s->h, in->inward);
    if (s->dimensions == 2) x.z = 0;
    rill_vec3 u = in->smoke ? velocity_field_at(&in->smoke->velocity, &scene->domain, x)
                            : points_average_at(s, s->particles.velocity, i, x);
    const rill_vec3 from = x;
    solids_push_out(&s->sim.solids, t, t, 0.1 * s->h, from, &x, &u);
    if (v3_distance(x, s->particles.position[i]) < 0.4 * s->h) return;
    if (!box_contains(inside_of(s), x)) return;
    g->new_soot[g->come] = in->smoke ? (float)smoke_density(in->smoke, t) : 0;
    g->new_heat[g->come] = in->smoke ? (float)(smoke_temperature(in->smoke, t) - SCENE_AMBIENT) : 0;
    g->x[g->come] = x;
    g->u[g->come++] = u;
}

/* A cell with room for another point. */
typedef struct {
    double volumes; /* how many times that of a point it has at the end of the step */
    uint32_t cell;
} room;

static int roomiest_first(const void *a, const void *b)
{
    const room *x = a, *y = b;
    if (x->volumes != y->volumes) return x->volumes > y->volumes ? -1 : 1;
    return x->cell < y->cell ? -1 : x->cell > y->cell;
}

/* How many points are missing: with those that stay there would be one for each volume. */
static double missing(const points *s)
{
    const rill_box box = inside_of(s);
    double sum = 0;
    for (size_t i = 0; i < s->particles.count; i++)
        sum += s->mesh.cell[i].volume / s->sizes.of[1].whole - box_contains(box, s->particles.position[i]);
    return floor(sum + 0.5);
}

rill_status points_sides_plan(points *s, double t, double dt)
{
    static const double enough = 1.5, leaving = 2, much = 2.5; /* volumes */
    points_gas *g = &s->gas;
    const uint32_t n = (uint32_t)s->particles.count;
    size_t edges = 0, rooms = 0;
    room *found;
    g->come = 0;
    if (!g->open) return RILL_OK;
    for (uint32_t i = 0; i < n; i++) edges += s->mesh.cell[i].edge;
    TRY(ARENA_NEW(&s->scratch, found, edges));
    TRY(ARENA_NEW(&s->scratch, g->x, AT_ONCE * edges));
    TRY(ARENA_NEW(&s->scratch, g->u, AT_ONCE * edges));
    TRY(ARENA_NEW(&s->scratch, g->new_soot, AT_ONCE * edges));
    TRY(ARENA_NEW(&s->scratch, g->new_heat, AT_ONCE * edges));
    for (uint32_t i = 0; i < n; i++) {
        if (!s->mesh.cell[i].edge) continue;
        const inlet in = inlet_of(s, i, t);
        const double volumes = (s->mesh.cell[i].volume + dt * in.flow) / s->sizes.of[1].whole;
        /* Where fluid leaves, cells are up to one and a half all the time. */
        if (volumes > (in.flow > 0 ? enough : leaving)) found[rooms++] = (room){volumes, i};
    }
    qsort(found, rooms, sizeof *found, roomiest_first);
    const double wanted = missing(s);
    for (size_t r = 0; r < rooms; r++) {
        double volumes = found[r].volumes;
        const inlet in = inlet_of(s, found[r].cell, t);
        for (int k = 0; k < AT_ONCE && volumes > (g->come < wanted ? enough : much); k++, volumes--)
            add_point(s, found[r].cell, &in, fmin(fmax(volumes - 1.5, 0.15), 2), t + dt);
    }
    return RILL_OK;
}

rill_status points_sides_renew(points *s)
{
    points_gas *g = &s->gas;
    particles *p = &s->particles;
    const rill_box box = inside_of(s);
    uint8_t *keep;
    if (!g->open) return RILL_OK;
    TRY(ARENA_NEW(&s->scratch, keep, p->count));
    TRY(particles_reserve(s->sim.ctx, p, p->count + g->come));
    for (size_t i = 0; i < p->count; i++) /* what is not finite is for the driver's check to find */
        keep[i] = !v3_finite(p->position[i]) || box_contains(box, p->position[i]);
    s->sim.sources.left += particles_keep(p, keep);
    const size_t first = p->count;
    TRY(particles_append(s->sim.ctx, p, g->come, g->x, g->u)); /* cannot fail: there is room */
    points_columns(s);
    for (uint32_t k = 0; g->smoky && k < g->come; k++) {
        g->soot[first + k] = g->new_soot[k];
        g->heat[first + k] = g->new_heat[k];
    }
    return RILL_OK;
}
