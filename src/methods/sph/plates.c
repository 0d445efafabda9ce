/* Solids thinner than the kernel: what is behind them is not there.
 *
 * A pair whose connecting line crosses such a solid is taken out of both neighbour lists,
 * so that no sum of the step sees it: densities, pressures, viscosity and tension of the
 * liquid on one side are what they would be without the other side. The wall itself gives
 * its full share however thin it is (walls.h). Thicker solids need none of this: nobody
 * reaches through them, but around an edge.
 *
 * Only particles near the solid are asked: a line of length r that crosses it has ends
 * whose distances from it add up to no more than r. Both ends give the same answer, to the
 * bit: the line is followed in the same direction. Lists keep their length; what is left of them stays in
 * front. */
#include "sph/levels.h"

#include <math.h>

typedef struct {
    sph *s;
    uint32_t solid;
    double t;
} plate_job;

/* Particles do not come so near to a solid (move.c). */
double sph_plate_margin(const sph *s)
{
    return 1e-3 * s->sim.scene->spacing;
}

rill_status sph_find_plates(sph *s)
{
    const solids *all = &s->sim.solids;
    uint32_t count = 0;
    uint8_t *thin;
    TRY(MEM_NEW_ZERO(s->sim.ctx, thin, (size_t)all->count + 1));
    for (uint32_t i = 0; i < all->count; i++) {
        const double support = sph_widest(s) / all->rest[i].pose.scale; /* in the shape's own units */
        thin[i] = shape_thinner(&s->sim.scene->solids[i].shape, support);
        count += thin[i];
    }
    if (count)
        s->thin = thin;
    else
        mem_free(s->sim.ctx, thin);
    return RILL_OK;
}

/* Distances of the particles that could be in a pair across the solid; infinite for others. */
static void measure_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const plate_job *j = arg;
    sph *s = j->s;
    const tiles *ts = &s->tiles;
    const rill_vec3 half = tile_half(ts);
    const double reach = v3_length(half) * 1.0001 + s->kernel.support;
    for (size_t k = begin; k < end; k++) {
        const tile *t = &ts->tile[k];
        const rill_vec3 middle = v3_add(tile_corner(ts, t), half);
        s->near_plate[k] = solids_room(&s->sim.solids, j->solid, middle, j->t, reach) < reach;
        for (uint32_t i = t->begin; i < t->end; i++)
            s->plate[i] = s->near_plate[k]
                              ? (float)solids_room(&s->sim.solids, j->solid, s->particles.position[i], j->t,
                                                   s->kernel.support)
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

static bool between(const plate_job *j, rill_vec3 a, rill_vec3 b)
{
    const bool turned = before(b, a);
    return solids_between(&j->s->sim.solids, j->solid, turned ? b : a, turned ? a : b, j->t,
                          sph_plate_margin(j->s));
}

/* Takes what is behind the solid out of the list of i. */
static void part_list(const plate_job *j, halo_view h, const halo_copy *copy, uint32_t i, uint16_t *list)
{
    sph *s = j->s;
    const rill_vec3 *x = s->particles.position;
    const uint32_t count = s->lists.count[i];
    uint32_t kept = 0;
    for (uint32_t n = 0; n < count && list[n] != 0; n++) {
        const uint32_t local = list[n];
        const float *a = s->position[i], *b = copy->position[local];
        const float dx = a[0] - b[0], dy = a[1] - b[1], dz = a[2] - b[2];
        const float near = s->plate[i] + copy->value[local];
        const bool doubtful = near * near < 1.0001f * (dx * dx + dy * dy + dz * dz);
        if (doubtful && between(j, x[i], x[index_of(h, local)])) continue;
        list[kept++] = (uint16_t)local;
    }
    while (kept < count && list[kept] != 0) list[kept++] = 0;
}

static void part_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const plate_job *j = arg;
    sph *s = j->s;
    const halo_copy *copy = &s->copy[worker];
    for (size_t k = begin; k < end; k++) {
        if (!s->near_plate[k]) continue;
        const halo_view h = halos_of(&s->halos, (uint32_t)k);
        halo_gather_positions(h, (const float(*)[4])s->position, copy->position);
        halo_gather_values(h, s->plate, copy->value);
        uint16_t *list = s->lists.pool + s->lists.segment[k];
        for (uint32_t i = s->tiles.tile[k].begin; i < s->tiles.tile[k].end; i++) {
            if (s->plate[i] < (float)s->kernel.support) part_list(j, h, copy, i, list);
            list += s->lists.count[i];
        }
    }
}

void sph_plates(sph *s, double t)
{
    if (!s->thin) return;
    for (uint32_t i = 0; i < s->sim.solids.count; i++) {
        if (!s->thin[i]) continue;
        plate_job j = {s, i, t};
        parallel_for(s->sim.ctx, s->tiles.count, 8, measure_tiles, &j);
        parallel_for(s->sim.ctx, s->tiles.count, 4, part_tiles, &j);
    }
}

bool sph_parted(const sph *s, rill_vec3 particle, rill_vec3 point)
{
    for (uint32_t i = 0; s->thin && i < s->sim.solids.count; i++)
        if (s->thin[i] &&
            solids_between(&s->sim.solids, i, particle, point, s->sim.time, sph_plate_margin(s)))
            return true;
    return false;
}
