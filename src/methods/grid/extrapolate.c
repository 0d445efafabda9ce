/* Velocities beyond the liquid: [Braley] leaves them out (METHODS.md E-B10).
 *
 * Layer by layer away from the faces the equations determine, each face takes the mean of
 * its neighbours in the layers before. Faces that particles reach keep their own velocity
 * from the third layer on: spray flies on, but what is next to the liquid moves with it.
 * Last, faces that walls close get the wall's velocity along its normal. */
#include "grid/state.h"

#include <string.h>

enum { N = GRID_SIDE + 2, OWN_LAYER = 3 };

typedef struct {
    grid *s;
    float *const *u;
    uint8_t *next; /* the axis's layers after this one */
    int axis, layer;
} layer_job;

/* The face's value from its known neighbours; false when there are none. */
static bool mean_of_known(const grid *s, const float *u, uint32_t tile, const uint8_t *known, int x, int y,
                          int z, float *mean)
{
    const int stride[3] = {1, N, N * N};
    float sum = 0;
    int count = 0;
    for (int b = 0; b < 2 * s->tiles.dimensions; b++) {
        const int step = b % 2 ? 1 : -1;
        if (known[step * stride[b / 2]] == GRID_UNKNOWN) continue;
        int at[3] = {x, y, z};
        at[b / 2] += step;
        sum += u[grid_cell_near(&s->tiles, tile, at[0], at[1], at[2])];
        count++;
    }
    if (count == 0) return false;
    *mean = sum / (float)count;
    return true;
}

static void layer_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const layer_job *j = arg;
    const grid *s = j->s;
    const int cells = s->tiles.cells;
    float *u = j->u[j->axis];
    uint8_t known[N * N * N];
    for (size_t t = begin; t < end; t++) {
        const uint8_t *now = s->known[j->axis] + t * (size_t)cells;
        uint8_t *next = j->next + t * (size_t)cells;
        memcpy(next, now, (size_t)cells);
        if (!memchr(now, GRID_UNKNOWN, (size_t)cells)) continue;
        grid_block_load_u8(&s->tiles, (uint32_t)t, s->known[j->axis], 1, GRID_UNKNOWN, known);
        for (int c = 0; c < cells; c++) {
            if (now[c] != GRID_UNKNOWN) continue;
            const int x = c % 8, y = c / 8 % 8, z = c / 64;
            const size_t i = t * (size_t)cells + (size_t)c;
            float mean;
            if (!mean_of_known(s, u, (uint32_t)t,
                               known + grid_block_first(&s->tiles, 1) + (z * N + y) * N + x, x, y, z, &mean))
                continue;
            next[c] = (uint8_t)j->layer;
            if (j->layer < OWN_LAYER || !s->weighed || !(s->weighed[i] & 1u << j->axis)) u[i] = mean;
        }
    }
}

/* What no layer reached and no particle either is at rest. */
static void rest_cells(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const layer_job *j = arg;
    const grid *s = j->s;
    for (size_t i = begin; i < end; i++)
        if (s->known[j->axis][i] == GRID_UNKNOWN && !(s->weighed && s->weighed[i] & 1u << j->axis))
            j->u[j->axis][i] = 0;
}

rill_status grid_extrapolate(grid *s, float *const u[3])
{
    const size_t n = grid_cell_count(&s->tiles);
    layer_job j = {.s = s, .u = u};
    TRY(ARENA_NEW(&s->scratch, j.next, n));
    for (j.axis = 0; j.axis < s->tiles.dimensions; j.axis++) {
        for (j.layer = 1; j.layer <= s->band; j.layer++) {
            parallel_for(s->sim.ctx, s->tiles.count, 16, layer_tiles, &j);
            uint8_t *now = s->known[j.axis];
            s->known[j.axis] = j.next;
            j.next = now;
        }
        parallel_for(s->sim.ctx, n, 16384, rest_cells, &j);
    }
    return RILL_OK;
}

/* The same faces from the same layers, for the velocities before the forces. */
rill_status grid_extrapolate_before(grid *s)
{
    const size_t n = grid_cell_count(&s->tiles);
    uint8_t *layer[3] = {s->known[0], s->known[1], s->known[2]};
    for (int a = 0; a < s->tiles.dimensions; a++) {
        TRY(ARENA_NEW(&s->scratch, s->known[a], n));
        for (size_t i = 0; i < n; i++) s->known[a][i] = layer[a][i] == 0 ? 0 : GRID_UNKNOWN;
    }
    return grid_extrapolate(s, s->before);
}

typedef struct {
    grid *s;
    float *const *kept;
} reflect_job;

static void reflect_cells(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const reflect_job *j = arg;
    for (int a = 0; a < j->s->tiles.dimensions; a++)
        for (size_t i = begin; i < end; i++) j->kept[a][i] = 2 * j->s->u[a][i] - j->kept[a][i];
}

rill_status grid_reflect(grid *s, float *const kept[3])
{
    const size_t n = grid_cell_count(&s->tiles);
    reflect_job j = {s, kept};
    uint8_t *known[3] = {s->known[0], s->known[1], s->known[2]};
    parallel_for(s->sim.ctx, n, 8192, reflect_cells, &j);
    for (int a = 0; a < s->tiles.dimensions; a++) { /* the velocity itself still needs them */
        TRY(ARENA_NEW(&s->scratch, s->known[a], n));
        memcpy(s->known[a], known[a], n);
    }
    const rill_status st = grid_extrapolate(s, kept);
    for (int a = 0; a < s->tiles.dimensions; a++) s->known[a] = known[a];
    return st;
}

/* --- closed faces --- */

/* The velocity at a face: its own component and the means of the others around it. */
static rill_vec3 velocity_at_face(const grid *s, uint32_t tile, int axis, const int at[3])
{
    rill_vec3 v = {0};
    for (int b = 0; b < s->tiles.dimensions; b++) {
        float sum = 0;
        int count = 0;
        for (int k = 0; k < (b == axis ? 1 : 4); k++) {
            int c[3] = {at[0], at[1], at[2]};
            if (b != axis) {
                c[b] += k & 1;
                c[axis] -= k >> 1;
            }
            const size_t i = grid_cell_near(&s->tiles, tile, c[0], c[1], c[2]);
            if (i == SIZE_MAX) continue;
            sum += s->u[b][i];
            count++;
        }
        v3_set_axis(&v, b, count ? sum / (float)count : 0);
    }
    return v;
}

typedef struct {
    grid *s;
    float *wall[3]; /* new values of closed faces, or NAN: left as they are */
    solids within;
} constrain_job;

static float wall_velocity(const constrain_job *j, uint32_t tile, int axis, int x, int y, int z)
{
    const grid *s = j->s;
    const scene_domain *d = &s->sim.scene->domain;
    const int at[3] = {x, y, z};
    const rill_vec3 corner = grid_tile_corner(&s->tiles, tile);
    const double face = v3_axis(corner, axis) + at[axis] * s->h, slack = 1e-6 * s->h;
    if ((!(d->open & 1u << (2 * axis)) && face <= v3_axis(d->min, axis) + slack) ||
        (!(d->open & 2u << (2 * axis)) && face >= v3_axis(d->max, axis) - slack))
        return -(float)v3_axis(s->frame, axis);
    if (!(s->walled[tile] & 2)) return NAN;
    rill_vec3 p = v3_madd(corner, s->h, v3(x + 0.5, y + 0.5, s->tiles.layers == 1 ? 0 : z + 0.5));
    v3_set_axis(&p, axis, face);
    solid_contact c;
    if (solids_distance(&j->within, p, s->sim.time, &c) > s->h) return NAN;
    c.velocity = v3_sub(c.velocity, s->frame);
    if (c.slip == SLIP_NONE) return (float)v3_axis(c.velocity, axis);
    const rill_vec3 v = velocity_at_face(s, tile, axis, at);
    const double into = v3_dot(v3_sub(v, c.velocity), c.normal);
    return (float)(v3_axis(v, axis) - into * v3_axis(c.normal, axis));
}

static void find_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const constrain_job *j = arg;
    const grid *s = j->s;
    const int cells = s->tiles.cells;
    for (size_t t = begin; t < end; t++)
        for (int a = 0; a < s->tiles.dimensions && s->walled[t]; a++)
            for (int c = 0; c < cells; c++) {
                const size_t i = t * (size_t)cells + (size_t)c;
                j->wall[a][i] =
                    s->open[a][i] > 0 ? NAN : wall_velocity(j, (uint32_t)t, a, c % 8, c / 8 % 8, c / 64);
            }
}

static void set_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const constrain_job *j = arg;
    grid *s = j->s;
    const size_t cells = (size_t)s->tiles.cells;
    for (size_t t = begin; t < end; t++)
        for (int a = 0; a < s->tiles.dimensions && s->walled[t]; a++)
            for (size_t i = t * cells; i < (t + 1) * cells; i++)
                if (!isnan(j->wall[a][i])) {
                    s->u[a][i] = j->wall[a][i];
                    /* reflection must not turn the wall's velocity round */
                    if (s->affine[0] && s->before[a]) s->before[a][i] = j->wall[a][i];
                }
}

rill_status grid_constrain(grid *s)
{
    constrain_job j = {.s = s, .within = s->sim.solids};
    j.within.domain.open = (1u << SIDE_COUNT) - 1;
    for (int a = 0; a < s->tiles.dimensions; a++)
        TRY(ARENA_NEW(&s->scratch, j.wall[a], grid_cell_count(&s->tiles)));
    parallel_for(s->sim.ctx, s->tiles.count, 8, find_tiles, &j);
    parallel_for(s->sim.ctx, s->tiles.count, 8, set_tiles, &j);
    return RILL_OK;
}
