/* Density and pressure.
 *
 * rho_i = rho_0 C (V sum_j W_ij + B_i): [Braley] eq. 36 with the particle itself
 * (errata E-B12) and the walls' share. C makes the lattice that liquid starts from
 * exactly of rest density: the sum misses the integral by up to a few percent (wendland
 * at two spacings: 1.034), and the liquid would pop. The equation of state is missing there
 * (E-B13): Tait, P = rho_0 c^2 / 7 ((rho / rho_0)^7 - 1), or linear,
 * P = c^2 (rho - rho_0). Tension is cut off: the free surface would clump. */
#include "sph/pass.h"

#include <string.h>

/* -- the walls' share ----------------------------------------------------------------- */

typedef struct {
    sph *s;
    double t, dt;
} walls_job;

/* What the walls give one particle. */
static void take_share(sph *s, uint32_t i, const wall_share *w)
{
    s->wall[i][0] = (float)w->gradient.x;
    s->wall[i][1] = (float)w->gradient.y;
    s->wall[i][2] = (float)w->gradient.z;
    s->wall[i][3] = (float)w->density;
    s->weight[i][0] = (float)(-s->calibration * w->weight.x);
    s->weight[i][1] = (float)(-s->calibration * w->weight.y);
    s->weight[i][2] = (float)(-s->calibration * w->weight.z);
    s->weight[i][3] = (float)w->closing;
    if (s->drag) s->drag[i] = (float)w->drag;
    if (s->rub) {
        s->rub[i][0] = (float)(s->calibration * w->friction);
        s->rub[i][1] = (float)(s->calibration * w->rubbing);
    }
    for (int a = 0; s->fix[0] && a < 6; a++) s->fix[a / 3][i][a % 3] = (float)w->spread[a];
}

static void wall_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const walls_job *j = arg;
    sph *s = j->s;
    const tiles *ts = &s->tiles;
    const rill_vec3 half = tile_half(ts);
    const double radius = v3_length(half) * 1.0001;
    const rill_vec3 g = scene_gravity(s->sim.scene, j->t);
    for (size_t k = begin; k < end; k++) {
        const tile *t = &ts->tile[k];
        const size_t n = t->end - t->begin;
        /* A distance changes no faster than the point moves: one query rules out the tile. A step
         * moves particles less than a cell. */
        const double d = solids_distance(&s->sim.solids, v3_add(tile_corner(ts, t), half), j->t, NULL);
        s->near_wall[k] = d < radius + s->walls.reach + ts->cell;
        memset(s->wall + t->begin, 0, n * sizeof *s->wall);
        memset(s->weight + t->begin, 0, n * sizeof *s->weight);
        if (s->drag) memset(s->drag + t->begin, 0, n * sizeof *s->drag);
        if (s->rub) memset(s->rub + t->begin, 0, n * sizeof *s->rub);
        if (s->fix[0]) memset(s->fix[0] + t->begin, 0, n * sizeof *s->fix[0]);
        if (s->fix[1]) memset(s->fix[1] + t->begin, 0, n * sizeof *s->fix[1]);
        if (!s->near_wall[k]) continue;
        for (int c = 0; c < TILE_CELLS; c++) {
            const uint32_t *start = ts->start + k * TILE_STARTS + c;
            if (start[1] == start[0]) continue;
            const rill_vec3 center = tile_cell_center(ts, (uint32_t)k, c);
            const double far = solids_distance(&s->sim.solids, center, j->t, NULL);
            s->cell_distance[k * TILE_CELLS + (size_t)c] = (float)far;
            for (uint32_t i = start[0]; i < start[1]; i++) {
                if (walls_out_of_reach(&s->walls, far, center, s->particles.position[i])) continue;
                const wall_share w = walls_at(&s->walls, &s->sim.solids, g, s->particles.position[i],
                                              s->particles.velocity[i], j->dt, j->t);
                take_share(s, i, &w);
            }
        }
    }
}

void sph_walls(sph *s, double t, double dt)
{
    walls_job j = {s, t, dt};
    parallel_for(s->sim.ctx, s->tiles.count, 4, wall_tiles, &j);
    sph_plates(s, t);
}

/* -- density -------------------------------------------------------------------------- */

SPH_INLINE void density_tile(void *arg, uint32_t index, const halo_copy *copy, sph_kernel kind)
{
    sph *s = arg;
    const kernel8 k = kernel8_make(&s->kernel);
    const float scale = (float)(s->calibration * s->mass * k.w_scale);
    const float rest = (float)(s->calibration * s->sim.scene->fluid.density);
    const float(*x)[4] = (const float(*)[4])copy->position;
    for (own o = own_first(s, index); o.i < o.last; own_next(s, &o)) {
        const vec8 at = same8(s->position[o.i]);
        __m256 sum = _mm256_setzero_ps();
        for (const uint16_t *l = o.list; l < o.end; l += NEIGHBOUR_LANES)
            sum = _mm256_add_ps(sum, kernel8_w(kind, &k, pair_of(at, load8(x, l)).d2));
        s->density[o.i] = scale * sum8(sum) + rest * s->wall[o.i][3];
    }
}

static void density_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const sph *s = arg;
    pass_kernel_tiles(s, (pass_from){.position = (const float(*)[4])s->position}, begin, end, worker,
                      density_tile, arg);
}

void sph_density(sph *s)
{
    parallel_for(s->sim.ctx, s->tiles.count, 4, density_tiles, s);
}

/* -- pressure ------------------------------------------------------------------------- */

static void pressure_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    sph *s = arg;
    const float rest = (float)s->sim.scene->fluid.density;
    const float stiff = (float)(s->sim.scene->fluid.density * s->sound_speed * s->sound_speed);
    for (size_t i = begin; i < end; i++) {
        const float inverse = 1 / s->density[i];
        s->pressure[i] = sph_state(s, stiff, s->density[i] / rest);
        s->position[i][3] = s->pressure[i] * inverse * inverse;
        s->velocity[i][3] = inverse;
    }
}

void sph_pressure(sph *s)
{
    parallel_for(s->sim.ctx, s->particles.count, 8192, pressure_block, s);
}
