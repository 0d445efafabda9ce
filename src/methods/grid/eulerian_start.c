/* The first fields of a liquid that the grid carries: its level set and its velocity.
 *
 * A liquid that ends at a wall has no surface there. Boxes are continued behind the domain's sides
 * and solids that cover one of their faces; which cells near solids are liquid is asked at the
 * points that stand for them (walls.h), outside of the solids; and the distances are made anew
 * without looking through walls. */
#include "grid/eulerian.h"
#include "grid/guards.h"
#include "grid/redistance.h"
#include "grid/walls.h"

static const float least =
    0.01f; /* distance of a cell that is known to be liquid, or air, by its side alone */

typedef struct {
    grid *s;
    const rill_scene *scene;
    solids within; /* without the domain's sides */
    shape *whole;  /* per liquid: as the scene has it */
    shape *behind; /* and continued behind walls */
    double t;
} start_job;

/* Whether solids cover a face of a box, as far as it is in the domain. */
static bool covered(const start_job *j, const shape_box *b, int axis, double at)
{
    enum { SAMPLES = 17 };
    const scene_domain *d = &j->scene->domain;
    const int rows = j->scene->dimensions == 2 ? 1 : SAMPLES;
    for (int k = 0; k < SAMPLES * rows; k++) {
        const double part[2] = {(k % SAMPLES + 0.5) / SAMPLES, (k / SAMPLES + 0.5) / rows};
        rill_vec3 x = {0};
        for (int a = 0, n = 0; a < j->scene->dimensions; a++) {
            if (a == axis) continue;
            const double lo = fmax(v3_axis(b->min, a), v3_axis(d->min, a)),
                         hi = fmin(v3_axis(b->max, a), v3_axis(d->max, a));
            v3_set_axis(&x, a, lo + part[n++] * (hi - lo));
        }
        v3_set_axis(&x, axis, at);
        if (solids_distance(&j->within, x, j->t, NULL) > 0.01 * j->scene->spacing) return false;
    }
    return true;
}

/* A box that ends at a wall has no surface there: its distance is that of one that goes on behind
 * the wall. */
static shape without_walls(const start_job *j, shape part, bool solids_too)
{
    const scene_domain *d = &j->scene->domain;
    const double slack = 0.01 * j->scene->spacing, far = 64 * j->scene->spacing;
    const shape_box was = part.box;
    for (int a = 0; a < j->scene->dimensions && part.kind == SHAPE_BOX; a++) {
        if ((!(d->open & 1u << (2 * a)) && v3_axis(was.min, a) < v3_axis(d->min, a) + slack) ||
            (solids_too && covered(j, &was, a, v3_axis(was.min, a))))
            v3_set_axis(&part.box.min, a, v3_axis(was.min, a) - far);
        if ((!(d->open & 2u << (2 * a)) && v3_axis(was.max, a) > v3_axis(d->max, a) - slack) ||
            (solids_too && covered(j, &was, a, v3_axis(was.max, a))))
            v3_set_axis(&part.box.max, a, v3_axis(was.max, a) + far);
    }
    return part;
}

/* The nearest liquid of the scene at a point: its distance. */
static double nearest_liquid(const start_job *j, const shape *liquid, rill_vec3 x, uint32_t *which)
{
    double least_distance = INFINITY;
    for (uint32_t i = 0; i < j->scene->liquid_count; i++) {
        const double d = shape_distance(&liquid[i], x, NULL);
        if (d < least_distance) least_distance = d, *which = i;
    }
    return least_distance;
}

/* The level set at the centre of a cell, in cells; near: solids may be near. */
static float level_at(const start_job *j, rill_vec3 x, bool near)
{
    uint32_t which;
    const double h = j->s->h, plain = nearest_liquid(j, j->whole, x, &which) / h;
    if (!near) return (float)plain;
    const rill_vec3 side = walls_side(j->s, &j->within, j->t, x);
    const double behind = nearest_liquid(j, j->behind, x, &which) / h;
    if (nearest_liquid(j, j->whole, side, &which) < 0) return (float)fmin(behind, -(double)least);
    return (float)(behind > 0 ? behind : fmax(plain, (double)least));
}

static void start_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const start_job *j = arg;
    grid *s = j->s;
    const size_t cells = (size_t)s->tiles.cells;
    const int d = s->tiles.dimensions;
    const float band = EULERIAN_BAND;
    for (size_t t = begin; t < end; t++) {
        const rill_vec3 corner = grid_tile_corner(&s->tiles, (uint32_t)t);
        for (size_t c = 0; c < cells; c++) {
            const size_t i = t * cells + c;
            const rill_vec3 low =
                v3_madd(corner, s->h, v3((double)(c % 8), (double)(c / 8 % 8), (double)(c / 64)));
            const rill_vec3 half = v3_scale(v3(1, 1, d == 3 ? 1 : 0), 0.5 * s->h);
            uint32_t which = 0;
            s->field.phi[i] =
                fminf(fmaxf(level_at(j, v3_add(low, half), s->field.walled[t] & 2), -band), band);
            for (int a = 0; a < d; a++) {
                rill_vec3 x = v3_add(low, half);
                v3_set_axis(&x, a, v3_axis(low, a));
                nearest_liquid(j, j->whole, x, &which);
                s->field.u[a][i] = (float)v3_axis(
                    velocity_field_at(&j->scene->liquid[which].velocity, &j->scene->domain, x), a);
            }
        }
    }
}

rill_status grid_eulerian_start(grid *s)
{
    const rill_scene *scene = s->sim.scene;
    start_job j = {.s = s, .scene = scene, .within = s->sim.solids, .t = -scene->time.preroll};
    j.within.domain.open = (1u << SIDE_COUNT) - 1;
    arena_reset(&s->scratch);
    s->tiles.count = 0;
    TRY(grid_bin(s, NULL, 0, EULERIAN_TILES, false));
    TRY(grid_take_order(s));
    TRY(grid_eulerian_fields(s));
    TRY(ARENA_NEW(&s->scratch, s->field.phi, grid_cell_count(&s->tiles)));
    TRY(ARENA_NEW(&s->scratch, j.whole, scene->liquid_count));
    TRY(ARENA_NEW(&s->scratch, j.behind, scene->liquid_count));
    TRY(grid_walls(s, j.t));
    for (uint32_t i = 0; i < scene->liquid_count; i++) {
        j.whole[i] = without_walls(&j, scene->liquid[i].shape, false);
        j.behind[i] = without_walls(&j, scene->liquid[i].shape, true);
    }
    parallel_for(s->sim.ctx, s->tiles.count, 8, start_tiles, &j);
    if (s->sim.solids.count)
        TRY(grid_redistance_field(&s->tiles, &s->scratch, s->def.redistance, EULERIAN_BAND, s->field.room,
                                  s->field.parted, s->field.phi));
    grid_eulerian_extend(s);
    return s->def.surface == GRID_PARTICLE_SET ? grid_guards_start(s) : RILL_OK;
}
