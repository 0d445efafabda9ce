/* Sources of smoke: soot, heat and velocity of the gas in their shapes. */
#include "grid/gas/state.h"

typedef struct {
    gas *s;
    double t, dt;
} source_job;

static double distance(const gas *s, const scene_smoke *m, rill_vec3 x)
{
    if (s->grid.tiles.layers == 1) x.z = 0;
    return shape_distance(&m->shape, x, NULL);
}

/* The part of a cell that the source covers, as if its surface were a plane across an axis. */
static double covered(const gas *s, const scene_smoke *m, rill_vec3 centre)
{
    return fmin(fmax(0.5 - distance(s, m, centre) / s->grid.h, 0), 1);
}

/* Whether a source may reach into a tile or a cell around it. */
static bool reaches(const gas *s, const scene_smoke *m, uint32_t tile)
{
    const grid_tiles *t = &s->grid.tiles;
    const rill_vec3 corner = grid_tile_corner(t, tile);
    const rill_box b = shape_bounds(&m->shape);
    for (int a = 0; a < t->dimensions; a++)
        if (!(v3_axis(b.min, a) <= v3_axis(corner, a) + (GRID_SIDE + 1) * t->h &&
              v3_axis(b.max, a) >= v3_axis(corner, a) - t->h))
            return false;
    return true;
}

/* ---- velocity ---- */

/* Whether a face lies in a closed side of the domain. */
static bool in_closed_side(const gas *s, uint32_t tile, int c, int axis)
{
    const grid_tiles *t = &s->grid.tiles;
    const uint32_t open = s->grid.sim.scene->domain.open;
    const int at[3] = {c % 8, c / 8 % 8, c / 64};
    for (int a = 0; a < t->dimensions; a++) { /* beside the domain there is nothing to enter */
        const int32_t k = t->map.block[tile][a] * GRID_SIDE + at[a];
        if (k < t->first[a] || k > t->last[a] + (a == axis)) return false;
    }
    const int32_t k = t->map.block[tile][axis] * GRID_SIDE + at[axis];
    return (k == t->first[axis] && !(open & 1u << (2 * axis))) ||
           (k == t->last[axis] + 1 && !(open & 2u << (2 * axis)));
}

/* Faces in the source have its velocity before the pressure changes it. Those in closed sides keep it: gas
 * comes in through them, where it can leave elsewhere. */
static void blow_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const source_job *j = arg;
    gas *s = j->s;
    grid *g = &s->grid;
    const rill_scene *scene = g->sim.scene;
    for (size_t tile = begin; tile < end; tile++)
        for (uint32_t k = 0; k < scene->smoke_count; k++) {
            const scene_smoke *m = &scene->smoke[k];
            if (!smoke_gives(m, j->t) || !smoke_blows(m) || !reaches(s, m, (uint32_t)tile)) continue;
            for (int c = 0; c < g->tiles.cells; c++)
                for (int a = 0; a < g->tiles.dimensions; a++) {
                    const rill_vec3 x = gas_place(&g->tiles, (uint32_t)tile, c, a);
                    if (distance(s, m, x) > 0) continue;
                    const size_t i = tile * (size_t)g->tiles.cells + (size_t)c;
                    const double u = v3_axis(velocity_field_at(&m->velocity, &scene->domain, x), a);
                    if (!in_closed_side(s, (uint32_t)tile, c, a))
                        g->field.u[a][i] = (float)u;
                    else if (scene->domain.open) {
                        g->field.u[a][i] = (float)u;
                        g->field.open[a][i] = 1;
                    }
                }
        }
}

void gas_blow(gas *s, double t)
{
    source_job j = {.s = s, .t = t};
    parallel_for(s->grid.sim.ctx, s->grid.tiles.count, 8, blow_tiles, &j);
}

/* ---- soot and heat ---- */

static void smoke_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const source_job *j = arg;
    gas *s = j->s;
    const grid_tiles *t = &s->grid.tiles;
    const rill_scene *scene = s->grid.sim.scene;
    const size_t cells = (size_t)t->cells;
    const float soot_left = (float)exp(-scene->gas.dissipation * j->dt),
                heat_left = (float)exp(-scene->gas.cooling * j->dt);
    for (size_t tile = begin; tile < end; tile++) {
        if (soot_left < 1 || heat_left < 1)
            for (size_t i = tile * cells; i < (tile + 1) * cells; i++) {
                s->soot[i] *= soot_left;
                s->heat[i] *= heat_left;
            }
        for (uint32_t k = 0; k < scene->smoke_count; k++) {
            const scene_smoke *m = &scene->smoke[k];
            if (!smoke_gives(m, j->t) || !reaches(s, m, (uint32_t)tile)) continue;
            const double share = smoke_share(m, j->dt), soot = smoke_density(m, j->t),
                         heat = smoke_temperature(m, j->t) - SCENE_AMBIENT;
            for (size_t c = 0; c < cells; c++) {
                const size_t i = tile * cells + c;
                if (!s->grid.field.active[i]) continue;
                const double part = share * covered(s, m, gas_place(t, (uint32_t)tile, (int)c, -1));
                if (!(part > 0)) continue;
                s->soot[i] = (float)((1 - part) * (double)s->soot[i] + part * soot);
                s->heat[i] = (float)((1 - part) * (double)s->heat[i] + part * heat);
            }
        }
    }
}

void gas_smoke(gas *s, double t, double dt)
{
    source_job j = {.s = s, .t = t, .dt = dt};
    parallel_for(s->grid.sim.ctx, s->grid.tiles.count, 8, smoke_tiles, &j);
}
