#include "grid/guards.h"

#include "base/random.h"

#include <string.h>

static const float widest = 0.5f, least = 0.01f; /* radii, cells */
static const float stray = 1.5f; /* in the liquid by more than this, cells, air has been carried there */
static const float side = 3;     /* of the surface: how far they are, cells */
enum { EVERY = 40, STREAM = 7 }; /* steps between looks for gaps */

static int wanted(const grid *s)
{
    return s->tiles.dimensions == 2 ? 16 : 32; /* to a cell */
}

/* --- where a guard is --- */

/* The tile of a point and the point in cells from its corner; GRID_NONE: none is there. */
static uint32_t tile_of_point(const grid *s, rill_vec3 x, double at[3])
{
    int32_t c[3];
    grid_cell_at(&s->tiles, x, c);
    const uint32_t tile = block_map_find(&s->tiles.map, c[0] >> 3, c[1] >> 3, c[2] >> 3);
    if (tile == GRID_NONE) return tile;
    const rill_vec3 corner = grid_tile_corner(&s->tiles, tile);
    for (int a = 0; a < 3; a++) at[a] = (v3_axis(x, a) - v3_axis(corner, a)) / s->h;
    return tile;
}

/* The cells around a point of a lattice shifted by half a cell where axis is not `axis`, and
 * the part of the way to the next ones. */
static void lattice(const grid *s, const double at[3], int axis, int base[3], double part[3])
{
    base[2] = 0;
    part[2] = 0;
    for (int a = 0; a < s->tiles.dimensions; a++) {
        double y = at[a] - (a == axis ? 0 : 0.5);
        y = y < -7 ? -7 : y > 13.999 ? 13.999 : y;
        base[a] = (int)floor(y);
        part[a] = y - base[a];
    }
}

static double value_at(const grid *s, uint32_t tile, const double at[3], int axis, const float *field,
                       double absent)
{
    int base[3];
    double part[3], sum = 0;
    lattice(s, at, axis, base, part);
    for (int k = 0; k < 1 << s->tiles.dimensions; k++) {
        const int d[3] = {k & 1, k >> 1 & 1, k >> 2};
        const size_t i = grid_cell_near(&s->tiles, tile, base[0] + d[0], base[1] + d[1], base[2] + d[2]);
        double w = 1;
        for (int a = 0; a < s->tiles.dimensions; a++) w *= d[a] ? part[a] : 1 - part[a];
        sum += w * (i == SIZE_MAX ? absent : (double)field[i]);
    }
    return sum;
}

/* --- motion --- */

typedef struct {
    grid *s;
    uint8_t *flag;
    double dt;
    float *radius;
} guard_job;

static void velocity_at(const grid *s, uint32_t tile, const double x[3], const double from[3], double step,
                        double v[3])
{
    double y[3];
    for (int a = 0; a < 3; a++) y[a] = x[a] + step * from[a];
    for (int a = 0; a < 3; a++)
        v[a] = a < s->tiles.dimensions ? value_at(s, tile, y, a, s->field.u[a], 0) + v3_axis(s->frame, a) : 0;
}

/* [Braley] eq. 16-19. */
static void move_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const guard_job *j = arg;
    const grid *s = j->s;
    const double step = j->dt / s->h, none[3] = {0};
    for (size_t i = begin; i < end; i++) {
        double x[3], k1[3], k2[3], k3[3];
        rill_vec3 *p = &j->s->guards.position[i];
        const uint32_t tile = tile_of_point(s, *p, x);
        j->flag[i] = tile != GRID_NONE;
        if (tile == GRID_NONE) continue;
        velocity_at(s, tile, x, none, 0, k1);
        velocity_at(s, tile, x, k1, 0.5 * step, k2);
        velocity_at(s, tile, x, k2, 0.75 * step, k3);
        for (int a = 0; a < s->tiles.dimensions; a++)
            v3_set_axis(p, a, v3_axis(*p, a) + j->dt * (2 * k1[a] + 3 * k2[a] + 4 * k3[a]) / 9);
    }
}

rill_status grid_guards_move(grid *s, double dt)
{
    guard_job j = {.s = s, .dt = dt};
    TRY(ARENA_NEW(&s->scratch, j.flag, s->guards.count));
    parallel_for(s->sim.ctx, s->guards.count, 1024, move_block, &j);
    particles_keep(&s->guards, j.flag);
    return RILL_OK;
}

/* --- correction --- */

static void escape_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const guard_job *j = arg;
    for (size_t i = begin; i < end; i++) {
        double x[3];
        const uint32_t tile = tile_of_point(j->s, j->s->guards.position[i], x);
        j->flag[i] = 0;
        if (tile == GRID_NONE) continue;
        const double phi = value_at(j->s, tile, x, -1, j->s->field.phi, j->radius[i] < 0 ? -8 : 8);
        j->flag[i] = j->radius[i] < 0 ? phi > -(double)j->radius[i]
                                      : phi < -(double)j->radius[i] && phi > -(double)stray;
    }
}

/* The ball of one that escaped, at the cells around it. */
static void give_back(const grid *s, rill_vec3 p, double radius, float *plus, float *minus)
{
    double x[3], part[3];
    int base[3];
    const uint32_t tile = tile_of_point(s, p, x);
    lattice(s, x, -1, base, part);
    for (int k = 0; k < 1 << s->tiles.dimensions; k++) {
        const int d[3] = {k & 1, k >> 1 & 1, k >> 2};
        const size_t i = grid_cell_near(&s->tiles, tile, base[0] + d[0], base[1] + d[1], base[2] + d[2]);
        if (i == SIZE_MAX || s->field.room[i] == 0) continue;
        double far2 = 0;
        for (int a = 0; a < s->tiles.dimensions; a++) far2 += (d[a] - part[a]) * (d[a] - part[a]);
        const float inside = (float)(fabs(radius) - sqrt(far2));
        if (radius > 0 && inside > plus[i]) plus[i] = inside;
        if (radius < 0 && -inside < minus[i]) minus[i] = -inside;
    }
}

static void choose_cells(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    float *const *f = arg; /* phi, plus, minus */
    for (size_t i = begin; i < end; i++) f[0][i] = fabsf(f[1][i]) <= fabsf(f[2][i]) ? f[1][i] : f[2][i];
}

rill_status grid_guards_correct(grid *s)
{
    const size_t n = grid_cell_count(&s->tiles);
    guard_job j = {.s = s, .radius = particles_column(&s->guards, "radius")};
    float *f[3] = {s->field.phi};
    TRY(ARENA_NEW(&s->scratch, j.flag, s->guards.count));
    for (int k = 1; k < 3; k++) {
        TRY(ARENA_NEW(&s->scratch, f[k], n));
        memcpy(f[k], s->field.phi, n * sizeof(float));
    }
    parallel_for(s->sim.ctx, s->guards.count, 1024, escape_block, &j);
    for (size_t i = 0; i < s->guards.count; i++) /* few */
        if (j.flag[i]) give_back(s, s->guards.position[i], j.radius[i], f[1], f[2]);
    parallel_for(s->sim.ctx, n, 8192, choose_cells, f);
    return RILL_OK;
}

/* --- radii, and new guards --- */

/* flag: those that are near the surface, or escaped. */
static void radius_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const guard_job *j = arg;
    for (size_t i = begin; i < end; i++) {
        double x[3];
        const uint32_t tile = tile_of_point(j->s, j->s->guards.position[i], x);
        const float sign = j->radius[i] < 0 ? -1 : 1;
        j->flag[i] = tile != GRID_NONE;
        if (tile == GRID_NONE) continue;
        const float away = sign * (float)value_at(j->s, tile, x, -1, j->s->field.phi, sign < 0 ? -8 : 8);
        j->radius[i] = sign * (away < least ? least : away > widest ? widest : away);
        j->flag[i] = away < side + 1 && !(sign > 0 && away < -stray);
    }
}

static void count_guards(const grid *s, uint8_t *count)
{
    for (size_t i = 0; i < s->guards.count; i++) {
        double x[3];
        const uint32_t tile = tile_of_point(s, s->guards.position[i], x);
        if (tile == GRID_NONE) continue;
        const size_t c = (size_t)tile * (size_t)s->tiles.cells +
                         (size_t)(((s->tiles.layers == 1 ? 0 : (int)x[2]) * 8 + (int)x[1]) * 8 + (int)x[0]);
        if (count[c] < 255) count[c]++;
    }
}

/* Fills cells near the surface up to what is wanted. */
static rill_status seed(grid *s)
{
    const size_t cells = (size_t)s->tiles.cells, n = grid_cell_count(&s->tiles);
    const int most = wanted(s);
    uint8_t *count;
    TRY(ARENA_NEW(&s->scratch, count, n));
    memset(count, 0, n);
    count_guards(s, count);
    for (size_t i = 0; i < n; i++) {
        if (!(fabsf(s->field.phi[i]) < side) || s->field.room[i] == 0 || count[i] > most / 2) continue;
        const uint32_t tile = (uint32_t)(i / cells);
        const rill_vec3 corner = grid_tile_corner(&s->tiles, tile);
        for (int k = count[i]; k < most; k++) {
            const random4 r = random_at(STREAM, s->guards.next_id, (uint32_t)s->sim.step, 0),
                          q = random_at(STREAM, s->guards.next_id, (uint32_t)s->sim.step, 1);
            const double at[3] = {
                (double)(i % 8) + random_unit(r.v[0], r.v[1]),
                (double)(i % cells / 8 % 8) + random_unit(r.v[2], r.v[3]),
                s->tiles.layers == 1 ? 0 : (double)(i % cells / 64) + random_unit(q.v[0], q.v[1])};
            const rill_vec3 x = v3_madd(corner, s->h, v3(at[0], at[1], at[2]));
            const float phi = (float)value_at(s, tile, at, -1, s->field.phi, 8), away = fabsf(phi);
            if (away > side) continue;
            TRY(particles_append(s->sim.ctx, &s->guards, 1, &x, NULL));
            const float r0 = away < least ? least : away > widest ? widest : away;
            particles_column(&s->guards, "radius")[s->guards.count - 1] = phi < 0 ? -r0 : r0;
        }
    }
    return RILL_OK;
}

rill_status grid_guards_start(grid *s)
{
    if (!particles_column(&s->guards, "radius")) TRY(particles_add_column(s->sim.ctx, &s->guards, "radius"));
    return seed(s);
}

rill_status grid_guards_renew(grid *s)
{
    guard_job j = {.s = s, .radius = particles_column(&s->guards, "radius")};
    TRY(ARENA_NEW(&s->scratch, j.flag, s->guards.count));
    parallel_for(s->sim.ctx, s->guards.count, 1024, radius_block, &j);
    if (s->sim.step % EVERY != EVERY - 1) return RILL_OK;
    particles_keep(&s->guards, j.flag);
    return seed(s);
}
