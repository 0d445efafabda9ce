/* Velocities beyond the liquid: [Braley] leaves them out (docs/grid.md E-B10).
 *
 * Layer by layer away from the faces the equations determine, each face takes the mean of
 * its neighbours in the layers before. Faces that particles reach keep their own velocity
 * from the third layer on: spray flies on, but what is next to the liquid moves with it.
 * Faces that walls close, in the first two layers, continue the liquid's velocity linearly
 * instead: particles at a wall would be slowed where it turns with the wall (V-15: half a
 * percent a turn). Last, they get the wall's velocity along its normal. */
#include "grid/bits.h"
#include "grid/state.h"

enum { OWN_LAYER = 3, LAST_LINEAR = 2 };

/* Faces as bits: a word for each layer of 8 x 8 cells of a tile, bit 8 y + x. */
typedef struct {
    grid *s;
    float *u;
    const uint64_t *now; /* faces that have a value */
    uint64_t *next;      /* and after this layer */
    int axis, layer;
} layer_job;

static bool has_value(const layer_job *j, size_t cell)
{
    const grid_tiles *t = &j->s->tiles;
    if (cell == SIZE_MAX) return false;
    const size_t word = cell / (size_t)t->cells * (size_t)t->layers + cell % (size_t)t->cells / GRID_AREA;
    return j->now[word] >> cell % GRID_AREA & 1;
}

/* The mean of what lines through two faces with values say; `otherwise` where there is none. */
static float continued(const layer_job *j, uint32_t tile, const int at[3], float otherwise)
{
    const grid_tiles *t = &j->s->tiles;
    float sum = 0;
    int count = 0;
    for (int b = 0; b < 2 * t->dimensions; b++) {
        int one[3] = {at[0], at[1], at[2]}, two[3] = {at[0], at[1], at[2]};
        const int step = b % 2 ? 1 : -1;
        one[b / 2] += step;
        two[b / 2] += 2 * step;
        const size_t near = grid_cell_near(t, tile, one[0], one[1], one[2]),
                     far = grid_cell_near(t, tile, two[0], two[1], two[2]);
        if (!has_value(j, near) || !has_value(j, far)) continue;
        sum += 2 * j->u[near] - j->u[far];
        count++;
    }
    return count ? sum / (float)count : otherwise;
}

static void layer_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const layer_job *j = arg;
    const grid *s = j->s;
    const grid_tiles *t = &s->tiles;
    static const int step[6] = {-1, 1, -8, 8, -64, 64}, across[6] = {7, -7, 56, -56, 448, -448};
    for (size_t tile = begin; tile < end; tile++) {
        const bits_near r = bits_around(t, j->now, (uint32_t)tile);
        for (int z = 0; z < t->layers; z++) {
            uint64_t from[6], found = 0;
            for (int b = 0; b < 6; b++) found |= from[b] = bits_moved(t, &r, z, b);
            found &= ~r.own[z];
            j->next[tile * (size_t)t->layers + (size_t)z] = r.own[z] | found;
            for (uint64_t left = found; left; left &= left - 1) {
                const int bit = __builtin_ctzll(left), at[3] = {bit % 8, bit / 8, z};
                const size_t i = tile * (size_t)t->cells + (size_t)(z * 64 + bit);
                if (j->layer >= OWN_LAYER && s->field.weighed && s->field.weighed[i] & 1u << j->axis)
                    continue;
                float sum = 0;
                int count = 0;
                for (int b = 0; b < 6; b++) {
                    if (!(from[b] >> bit & 1)) continue;
                    const int edge = b % 2 ? (b / 2 == 2 ? t->layers : 8) - 1 : 0;
                    sum +=
                        at[b / 2] != edge
                            ? j->u[i + (size_t)step[b]]
                            : j->u[(size_t)r.tile[b] * (size_t)t->cells + (size_t)(z * 64 + bit + across[b])];
                    count++;
                }
                const float mean = sum / (float)count;
                j->u[i] =
                    j->layer <= LAST_LINEAR && s->field.walled[tile] & 2 && !(s->field.open[j->axis][i] > 0)
                        ? continued(j, (uint32_t)tile, at, mean)
                        : mean;
            }
        }
    }
}

/* What no layer reached and no particle either is at rest. */
static void rest_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const layer_job *j = arg;
    const grid *s = j->s;
    const size_t cells = (size_t)s->tiles.cells;
    for (size_t word = begin; word < end; word++)
        for (uint64_t left = ~j->now[word]; left; left &= left - 1) {
            const size_t i = word / (size_t)s->tiles.layers * cells + word % (size_t)s->tiles.layers * 64 +
                             (size_t)__builtin_ctzll(left);
            if (!(s->field.weighed && s->field.weighed[i] & 1u << j->axis)) j->u[i] = 0;
        }
}

rill_status grid_extrapolate(grid *s, float *const u[3])
{
    const size_t words = (size_t)s->tiles.count * (size_t)s->tiles.layers;
    uint64_t *set[2];
    TRY(ARENA_NEW(&s->scratch, set[0], words));
    TRY(ARENA_NEW(&s->scratch, set[1], words));
    for (int a = 0; a < s->tiles.dimensions; a++) {
        layer_job j = {.s = s, .u = u[a], .now = s->field.known[a], .next = set[0], .axis = a};
        for (j.layer = 1; j.layer <= s->band; j.layer++) {
            parallel_for(s->sim.ctx, s->tiles.count, 32, layer_tiles, &j);
            j.now = j.next;
            j.next = j.next == set[0] ? set[1] : set[0];
        }
        parallel_for(s->sim.ctx, words, 1024, rest_tiles, &j);
    }
    return RILL_OK;
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
        for (size_t i = begin; i < end; i++) j->kept[a][i] = 2 * j->s->field.u[a][i] - j->kept[a][i];
}

rill_status grid_reflect(grid *s, float *const kept[3])
{
    reflect_job j = {s, kept};
    parallel_for(s->sim.ctx, grid_cell_count(&s->tiles), 8192, reflect_cells, &j);
    return grid_extrapolate(s, kept);
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
            sum += s->field.u[b][i];
            count++;
        }
        v3_set_axis(&v, b, count ? sum / (float)count : 0);
    }
    return v;
}

typedef struct {
    grid *s;
    float *wall[3]; /* new values of closed faces, or NAN: left as they are */
    bool sticks;    /* viscous liquid at a wall has its velocity */
    solids within;
} constrain_job;

/* A component at a point within a tile or a cell around it, linear. */
static double component_at(const grid *s, uint32_t tile, int axis, rill_vec3 x)
{
    const rill_vec3 corner = grid_tile_corner(&s->tiles, tile);
    int base[3] = {0};
    double part[3] = {0}, sum = 0;
    for (int a = 0; a < s->tiles.dimensions; a++) {
        const double y = (v3_axis(x, a) - v3_axis(corner, a)) / s->h - (a == axis ? 0 : 0.5);
        base[a] = (int)floor(y);
        part[a] = y - base[a];
    }
    for (int k = 0; k < 1 << s->tiles.dimensions; k++) {
        const int d[3] = {k & 1, k >> 1 & 1, k >> 2};
        const size_t i = grid_cell_near(&s->tiles, tile, base[0] + d[0], base[1] + d[1], base[2] + d[2]);
        double w = 1;
        for (int a = 0; a < s->tiles.dimensions; a++) w *= d[a] ? part[a] : 1 - part[a];
        if (i != SIZE_MAX) sum += w * s->field.u[axis][i];
    }
    return sum;
}

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
    const bool side = j->sticks && d->slip == SLIP_NONE;
    if (!(s->field.walled[tile] & 2) && !side) return NAN;
    rill_vec3 p = v3_madd(corner, s->h, v3(x + 0.5, y + 0.5, s->tiles.layers == 1 ? 0 : z + 0.5));
    v3_set_axis(&p, axis, face);
    solid_contact c;
    if (solids_distance(&j->within, p, s->sim.time, &c) > s->h) return NAN;
    c.velocity = v3_sub(c.velocity, s->frame);
    if (c.slip == SLIP_NONE) { /* so that halfway to the point mirrored at the wall it is the wall's */
        const double wall = v3_axis(c.velocity, axis);
        if (!j->sticks || c.distance < -s->h) return (float)wall;
        const double beyond = component_at(s, tile, axis, v3_madd(p, -2 * c.distance, c.normal));
        return (float)(2 * wall - beyond);
    }
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
        for (int a = 0; a < s->tiles.dimensions && s->field.walled[t]; a++)
            for (int c = 0; c < cells; c++) {
                const size_t i = t * (size_t)cells + (size_t)c;
                j->wall[a][i] = s->field.open[a][i] > 0
                                    ? NAN
                                    : wall_velocity(j, (uint32_t)t, a, c % 8, c / 8 % 8, c / 64);
            }
}

static void set_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const constrain_job *j = arg;
    grid *s = j->s;
    const size_t cells = (size_t)s->tiles.cells;
    for (size_t t = begin; t < end; t++)
        for (int a = 0; a < s->tiles.dimensions && s->field.walled[t]; a++)
            for (size_t i = t * cells; i < (t + 1) * cells; i++)
                if (!isnan(j->wall[a][i])) {
                    s->field.u[a][i] = j->wall[a][i];
                    /* reflection must not turn the wall's velocity round */
                    if (s->affine[0] && s->field.before[a]) s->field.before[a][i] = j->wall[a][i];
                }
}

rill_status grid_constrain(grid *s)
{
    constrain_job j = {.s = s, .sticks = grid_viscous(s), .within = s->sim.solids};
    if (!j.sticks || s->sim.scene->domain.slip == SLIP_FREE) j.within.domain.open = (1u << SIDE_COUNT) - 1;
    arena_reset(&s->sorting);
    for (int a = 0; a < s->tiles.dimensions; a++)
        TRY(ARENA_NEW(&s->sorting, j.wall[a], grid_cell_count(&s->tiles)));
    parallel_for(s->sim.ctx, s->tiles.count, 8, find_tiles, &j);
    parallel_for(s->sim.ctx, s->tiles.count, 8, set_tiles, &j);
    return RILL_OK;
}
