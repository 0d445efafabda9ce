/* Solids thinner than the kernel: what is behind them is not there.
 *
 * A pair whose connecting line crosses such a solid is taken out of both neighbour lists,
 * so that no sum of the step sees it: densities, pressures, viscosity and tension of the
 * liquid on one side are what they would be without the other side. The wall itself gives
 * its full share however thin it is (walls.h). Thicker solids need none of this: no kernel
 * reaches through them, only around an edge.
 *
 * Only particles near the solid are asked: a line of length r that crosses it has ends
 * whose distances from it add up to no more than r. Both ends give the same answer, to the
 * bit: the line is followed in the same direction. Lists keep their length; what is left of them stays in
 * front. */
#include "sph/uniform/pass.h"

#include <math.h>

typedef struct {
    sph *s;
    uint32_t solid;
    double t;
} plate_job;

/* Distances of the particles that could be in a pair across the solid; infinite for others. */
static void measure_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const plate_job *j = arg;
    sph *s = j->s;
    const tiles *ts = &s->uniform->tiles;
    const rill_vec3 half = tile_half(ts);
    const double reach = v3_length(half) * 1.0001 + s->model.kernel.support;
    for (size_t k = begin; k < end; k++) {
        const tile *t = &ts->tile[k];
        const rill_vec3 middle = v3_add(tile_corner(ts, t), half);
        s->uniform->near_plate[k] = solids_room(&s->sim.solids, j->solid, middle, j->t, reach) < reach;
        for (uint32_t i = t->begin; i < t->end; i++)
            s->uniform->plate_distance[i] =
                s->uniform->near_plate[k]
                    ? (float)solids_room(&s->sim.solids, j->solid, s->particles.position[i], j->t,
                                         s->model.kernel.support)
                    : INFINITY;
    }
}

/* The sorted index of a local id. */
static uint32_t index_of(halo_view h, uint32_t local)
{
    uint32_t first = 1;
    for (int r = 0; r < h.run_count; r++) {
        if (local < first + h.run[r].count) return h.run[r].begin + (local - first);
        first += h.run[r].count;
    }
    return 0;
}

static bool before(rill_vec3 a, rill_vec3 b)
{
    if (a.x != b.x) return a.x < b.x;
    return a.y != b.y ? a.y < b.y : a.z < b.z;
}

/* room: the distances of a and b from the solid, or less. */
static bool between(const plate_job *j, rill_vec3 a, rill_vec3 b, const float room[2])
{
    const solids *all = &j->s->sim.solids;
    const bool turned = before(b, a);
    const rill_vec3 from = turned ? b : a, to = turned ? a : b;
    const double margin = plates_margin(j->s);
    return !solids_surely_free(all, j->solid, from, (double)room[turned], to, (double)room[!turned], j->t,
                               margin) &&
           solids_between(all, j->solid, from, to, j->t, margin);
}

/* Takes what is behind the solid out of the list of i. */
static void part_list(const plate_job *j, halo_view h, const halo_copy *copy, uint32_t i, uint16_t *list)
{
    sph *s = j->s;
    const rill_vec3 *x = s->particles.position;
    const uint32_t count = s->uniform->lists.count[i];
    uint32_t kept = 0;
    for (uint32_t n = 0; n < count && list[n] != 0; n++) {
        const uint32_t local = list[n];
        const float *a = s->uniform->position[i], *b = copy->position[local];
        const float dx = a[0] - b[0], dy = a[1] - b[1], dz = a[2] - b[2];
        const float room[2] = {s->uniform->plate_distance[i], copy->value[local]}, near = room[0] + room[1];
        const bool doubtful = near * near < 1.0001f * (dx * dx + dy * dy + dz * dz);
        if (doubtful && between(j, x[i], x[index_of(h, local)], room)) continue;
        list[kept++] = (uint16_t)local;
    }
    while (kept < count && list[kept] != 0) list[kept++] = 0;
}

static void part_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const plate_job *j = arg;
    sph *s = j->s;
    const halo_copy *copy = &s->uniform->copy[worker];
    for (size_t k = begin; k < end; k++) {
        if (!s->uniform->near_plate[k]) continue;
        const halo_view h = halos_of(&s->uniform->halos, (uint32_t)k);
        halo_gather_positions(h, (const float(*)[4])s->uniform->position, copy->position);
        halo_gather_values(h, s->uniform->plate_distance, copy->value);
        uint16_t *list = s->uniform->lists.pool + s->uniform->lists.segment[k];
        for (uint32_t i = s->uniform->tiles.tile[k].begin; i < s->uniform->tiles.tile[k].end; i++) {
            if (s->uniform->plate_distance[i] < (float)s->model.kernel.support)
                part_list(j, h, copy, i, list);
            list += s->uniform->lists.count[i];
        }
    }
}

void uniform_hide_pairs(sph *s, double t)
{
    if (!s->model.thin) return;
    for (uint32_t i = 0; i < s->sim.solids.count; i++) {
        if (!s->model.thin[i]) continue;
        plate_job j = {s, i, t};
        parallel_for(s->sim.ctx, s->uniform->tiles.count, 8, measure_tiles, &j);
        parallel_for(s->sim.ctx, s->uniform->tiles.count, 4, part_tiles, &j);
    }
}
