/* Density and pressure.
 *
 * rho_i = rho_0 C (V sum_j W_ij + B_i): [Braley] eq. 36 with the particle itself
 * (errata E-B12) and the walls' share. C makes the lattice that liquid starts from
 * exactly of rest density: the sum misses the integral by up to a few percent (wendland
 * at two spacings: 1.034), and the liquid would pop. The equation of state is missing there
 * (E-B13): Tait, P = rho_0 c^2 / 7 ((rho / rho_0)^7 - 1), or linear,
 * P = c^2 (rho - rho_0). Tension is cut off: the free surface would clump. */
#include "sph/uniform/pass.h"

#include <string.h>

/* -- the walls' share ----------------------------------------------------------------- */

typedef struct {
    sph *s;
    double t, dt;
} walls_job;

/* What the walls give one particle. */
static void take_share(sph *s, uint32_t i, const wall_share *w)
{
    s->step.wall[i][0] = (float)w->gradient.x;
    s->step.wall[i][1] = (float)w->gradient.y;
    s->step.wall[i][2] = (float)w->gradient.z;
    s->step.wall[i][3] = (float)w->density;
    s->step.weight[i][0] = (float)(-s->model.calibration * w->weight.x);
    s->step.weight[i][1] = (float)(-s->model.calibration * w->weight.y);
    s->step.weight[i][2] = (float)(-s->model.calibration * w->weight.z);
    s->step.weight[i][3] = (float)w->closing;
    if (s->step.drag) s->step.drag[i] = (float)w->drag;
    if (s->step.friction) {
        s->step.friction[i][0] = (float)(s->model.calibration * w->friction);
        s->step.friction[i][1] = (float)(s->model.calibration * w->rubbing);
    }
    for (int a = 0; s->solve.correction[0] && a < 6; a++)
        s->solve.correction[a / 3][i][a % 3] = (float)w->spread[a];
}

static void wall_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const walls_job *j = arg;
    sph *s = j->s;
    const tiles *ts = &s->uniform->tiles;
    const rill_vec3 half = tile_half(ts);
    const double radius = v3_length(half) * 1.0001;
    const rill_vec3 g = scene_gravity(s->sim.scene, j->t);
    for (size_t k = begin; k < end; k++) {
        const tile *t = &ts->tile[k];
        const size_t n = t->end - t->begin;
        /* A distance changes no faster than the point moves: one query rules out the tile. A step
         * moves particles less than a cell. */
        const double d = solids_distance(&s->sim.solids, v3_add(tile_corner(ts, t), half), j->t, NULL);
        s->step.near_wall[k] = d < radius + s->model.walls.reach + ts->cell;
        memset(s->step.wall + t->begin, 0, n * sizeof *s->step.wall);
        memset(s->step.weight + t->begin, 0, n * sizeof *s->step.weight);
        if (s->step.drag) memset(s->step.drag + t->begin, 0, n * sizeof *s->step.drag);
        if (s->step.friction) memset(s->step.friction + t->begin, 0, n * sizeof *s->step.friction);
        if (s->solve.correction[0])
            memset(s->solve.correction[0] + t->begin, 0, n * sizeof *s->solve.correction[0]);
        if (s->solve.correction[1])
            memset(s->solve.correction[1] + t->begin, 0, n * sizeof *s->solve.correction[1]);
        if (!s->step.near_wall[k]) continue;
        for (int c = 0; c < TILE_CELLS; c++) {
            const uint32_t *start = ts->start + k * TILE_STARTS + c;
            if (start[1] == start[0]) continue;
            const rill_vec3 center = tile_cell_center(ts, (uint32_t)k, c);
            const double far = solids_distance(&s->sim.solids, center, j->t, NULL);
            s->uniform->cell_distance[k * TILE_CELLS + (size_t)c] = (float)far;
            for (uint32_t i = start[0]; i < start[1]; i++) {
                if (walls_out_of_reach(&s->model.walls, far, center, s->particles.position[i])) continue;
                const wall_share w = walls_at(&s->model.walls, &s->sim.solids, g, s->particles.position[i],
                                              s->particles.velocity[i], j->dt, j->t);
                take_share(s, i, &w);
            }
        }
    }
}

void uniform_walls(sph *s, double t, double dt)
{
    walls_job j = {s, t, dt};
    parallel_for(s->sim.ctx, s->uniform->tiles.count, 4, wall_tiles, &j);
    uniform_hide_pairs(s, t);
}

/* -- density -------------------------------------------------------------------------- */

SPH_INLINE void density_tile(void *arg, uint32_t index, const halo_copy *copy, sph_kernel kind)
{
    sph *s = arg;
    const kernel8 k = kernel8_make(&s->model.kernel);
    const float scale = (float)(s->model.calibration * s->model.mass * k.w_scale);
    const float rest = (float)(s->model.calibration * s->sim.scene->fluid.density);
    const float(*x)[4] = (const float(*)[4])copy->position;
    for (own o = own_first(s, index); o.i < o.last; own_next(s, &o)) {
        const vec8 at = same8(s->uniform->position[o.i]);
        __m256 sum = _mm256_setzero_ps();
        for (const uint16_t *l = o.list; l < o.end; l += NEIGHBOUR_LANES)
            sum = _mm256_add_ps(sum, kernel8_w(kind, &k, pair_of(at, load8(x, l)).d2));
        s->density[o.i] = scale * sum8(sum) + rest * s->step.wall[o.i][3];
    }
}

static void density_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const sph *s = arg;
    pass_kernel_tiles(s, (pass_from){.position = (const float(*)[4])s->uniform->position}, begin, end, worker,
                      density_tile, arg);
}

void uniform_density(sph *s)
{
    parallel_for(s->sim.ctx, s->uniform->tiles.count, 4, density_tiles, s);
}

/* -- pressure ------------------------------------------------------------------------- */

static void pressure_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = arg;
    const float rest = (float)s->sim.scene->fluid.density;
    const float stiff = (float)(s->sim.scene->fluid.density * s->model.sound_speed * s->model.sound_speed);
    for (size_t i = begin; i < end; i++) {
        const float inverse = 1 / s->density[i];
        s->pressure[i] = sph_state(s, stiff, s->density[i] / rest);
        s->uniform->position[i][3] = s->pressure[i] * inverse * inverse;
        s->step.velocity[i][3] = inverse;
    }
}

void uniform_pressure(sph *s)
{
    parallel_for(s->sim.ctx, s->particles.count, 8192, pressure_block, s);
}

static void no_pressure_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = arg;
    for (size_t i = begin; i < end; i++) {
        s->uniform->position[i][3] = 0;
        s->step.velocity[i][3] = 1 / s->density[i]; /* for viscosity */
    }
}

void uniform_no_pressure(sph *s)
{
    parallel_for(s->sim.ctx, s->particles.count, 8192, no_pressure_block, s);
}
