/* Which cells keep particles, and how many: deep ones give theirs up, and cells that rise
 * towards the surface get new ones ([Ferstl16] section 4.3).
 *
 * Depth is counted in layers from the cells that see the surface (level.c), as sets of bits.
 * What deep cells hold is known without counting; what the liquid has in all is compared
 * with what it had, and the difference made good slowly (project.c). */
#include "grid/narrow.h"

#include "base/random.h"
#include "flow/colors.h"
#include "grid/bits.h"

#include <string.h>

typedef struct {
    grid *s;
    const uint64_t *now;
    uint64_t *next;
    rill_vec3 *seed; /* positions of new particles */
    grid_figures *figures;
    double *missing; /* per tile: particles that deep cells have no need of */
} narrow_job;

static inline bool in_set(const uint64_t *set, const grid_tiles *t, size_t tile, int c)
{
    return set[tile * (size_t)t->layers + (size_t)(c / 64)] >> c % 64 & 1;
}

/* Particles that fit into cell i. */
static inline int capacity(const grid *s, size_t i)
{
    return (int)((s->tiles.layers == 1 ? 4 : 8) * s->field.room[i] + 0.5f);
}

/* --- layers --- */

/* Cells that are not among full cells only. */
static void surface_cells(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const narrow_job *j = arg;
    const grid *s = j->s;
    for (size_t word = begin; word < end; word++) {
        uint64_t w = 0;
        for (size_t k = 0; k < 64; k++)
            w |= (uint64_t)(s->field.phi[word * 64 + k] > -1.45f && s->field.room[word * 64 + k] > 0) << k;
        j->next[word] = w;
    }
}

static void grow_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const narrow_job *j = arg;
    const grid_tiles *t = &j->s->tiles;
    for (size_t tile = begin; tile < end; tile++) {
        const bits_near r = bits_around(t, j->now, (uint32_t)tile);
        for (int z = 0; z < t->layers; z++) {
            uint64_t w = r.own[z];
            for (int side = 0; side < 2 * t->dimensions; side++) w |= bits_moved(t, &r, z, side);
            j->next[tile * (size_t)t->layers + (size_t)z] = w;
        }
    }
}

/* Counts the particles that deep cells would hold but do not, per tile. */
static void count_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const narrow_job *j = arg;
    grid *s = j->s;
    const int cells = s->tiles.cells;
    for (size_t t = begin; t < end; t++) {
        double missing = 0;
        for (int c = 0; c < cells && s->narrow.filled[t]; c++) {
            const size_t i = t * (size_t)cells + (size_t)c;
            const int full = capacity(s, i);
            if (!s->narrow.fill[i] || s->field.crowd[i] >= full ||
                in_set(s->narrow.near[0], &s->tiles, t, c)) {
                s->narrow.fill[i] = 0;
                continue;
            }
            const int few = full - s->field.crowd[i];
            missing += few;
            s->field.crowd[i] = (uint8_t)full;
            s->narrow.fill[i] = (uint8_t)few;
        }
        j->missing[t] = missing;
    }
}

rill_status narrow_layers(grid *s)
{
    rill_ctx *ctx = s->sim.ctx;
    const size_t words = (size_t)s->tiles.count * (size_t)s->tiles.layers;
    narrow_job j = {.s = s};
    uint64_t *set[3];
    for (int k = 0; k < 3; k++) TRY(ARENA_NEW(&s->scratch, set[k], words));
    TRY(ARENA_NEW(&s->scratch, j.missing, s->tiles.count));
    j.next = set[0];
    parallel_for(ctx, words, 256, surface_cells, &j);
    /* the cells of the surface are two deep */
    const int layers = s->def.narrow > 3 ? (int)ceil(s->def.narrow) - 1 : 2;
    int at = 0;
    for (int k = 0; k <= layers; k++) {
        j.now = set[at];
        j.next = set[(at + 1) % 3];
        parallel_for(ctx, s->tiles.count, 32, grow_tiles, &j);
        at = (at + 1) % 3;
    }
    s->narrow.near[1] = set[at];
    s->narrow.near[0] = set[(at + 2) % 3];
    parallel_for(ctx, s->tiles.count, 32, count_tiles, &j);
    double all = (double)s->particles.count;
    for (uint32_t t = 0; t < s->tiles.count; t++) all += j.missing[t];
    s->narrow.deep = all * s->volume;
    /* with sources, drains or open sides the wanted volume is not known: none is restored */
    const rill_scene *scene = s->sim.scene;
    if (!(s->narrow.deep_wanted > 0) || scene->emitter_count || scene->drain_count || scene->domain.open ||
        sources_later(scene))
        s->narrow.deep_wanted = s->narrow.deep;
    return RILL_OK;
}

/* --- new particles, and those that go --- */

/* The eighths (in two dimensions quarters) of a cell that hold particles. */
static unsigned parts_taken(const grid *s, size_t tile, int c, rill_vec3 low)
{
    unsigned taken = 0;
    if (s->bin.core_of[tile] == GRID_NONE) return 0;
    const uint32_t *first = s->bin.first + (size_t)s->bin.core_of[tile] * (size_t)s->tiles.cells + c;
    for (uint32_t i = first[0]; i < first[1]; i++) {
        const rill_vec3 x = v3_sub(s->particles.position[i], low);
        const double half = 0.5 * s->h;
        taken |= 1u << ((x.x >= half) + 2 * (x.y >= half) + (s->tiles.layers == 1 ? 0 : 4 * (x.z >= half)));
    }
    return taken;
}

/* Whether a cell gets new particles: liquid by the grid, or by what is around it, not at the
 * surface, with less than half of what fits. */
static bool wanting(const grid *s, size_t tile, int c)
{
    const size_t i = tile * (size_t)s->tiles.cells + (size_t)c;
    return 2 * s->field.crowd[i] < capacity(s, i) && s->field.phi[i] < -1 &&
           in_set(s->narrow.near[0], &s->tiles, tile, c);
}

/* The new particles of a tile: their number, and where they are unless `to` is NULL. */
static uint32_t seed_tile(const grid *s, size_t tile, rill_vec3 *to)
{
    const int d = s->tiles.dimensions;
    const rill_vec3 corner = grid_tile_corner(&s->tiles, (uint32_t)tile);
    uint32_t n = 0;
    for (int c = 0; c < s->tiles.cells; c++) {
        if (!wanting(s, tile, c)) continue;
        const rill_vec3 low = v3_madd(corner, s->h, v3(c % 8, c / 8 % 8, d == 2 ? 0 : c / 64));
        const unsigned taken = parts_taken(s, tile, c, low);
        const int32_t *b = s->tiles.map.block[tile];
        const uint64_t key = (uint64_t)(uint32_t)(b[0] * 8 + c % 8) << 42 ^
                             (uint64_t)(uint32_t)(b[1] * 8 + c / 8 % 8) << 21 ^
                             (uint64_t)(uint32_t)(b[2] * 8 + c / 64);
        for (int k = 0; k < 1 << d; k++) {
            if (taken >> k & 1) continue;
            const random4 r = random_at(3, key, (uint32_t)s->sim.step, (uint32_t)(2 * k)),
                          q = random_at(3, key, (uint32_t)s->sim.step, (uint32_t)(2 * k + 1));
            const rill_vec3 part = v3(0.5 * ((k & 1) + random_unit(r.v[0], r.v[1])),
                                      0.5 * ((k >> 1 & 1) + random_unit(r.v[2], r.v[3])),
                                      d == 2 ? 0 : 0.5 * ((k >> 2) + random_unit(q.v[0], q.v[1])));
            const rill_vec3 x = v3_madd(low, s->h, part);
            if (s->field.walled[tile] && solids_distance(&s->sim.solids, x, s->sim.time, NULL) < 0.05 * s->h)
                continue;
            if (to) to[n] = x;
            n++;
        }
    }
    return n;
}

static void count_seeds(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const narrow_job *j = arg;
    for (size_t t = begin; t < end; t++) j->s->narrow.seed[t] = seed_tile(j->s, t, NULL);
}

static void place_seeds(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const narrow_job *j = arg;
    for (size_t t = begin; t < end; t++)
        if (j->s->narrow.seed[t + 1] > j->s->narrow.seed[t])
            seed_tile(j->s, t, j->seed + j->s->narrow.seed[t]);
}

/* Particles two layers beyond those that keep them go; their number, per core. */
static void mark_cores(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const narrow_job *j = arg;
    grid *s = j->s;
    const size_t cells = (size_t)s->tiles.cells;
    for (size_t core = begin; core < end; core++) {
        const uint32_t tile = s->bin.tile_of[core], *first = s->bin.first + core * cells;
        for (size_t c = 0; c < cells; c++) {
            const bool stays =
                s->field.phi[tile * cells + c] > -1.45f || in_set(s->narrow.near[1], &s->tiles, tile, (int)c);
            memset(s->narrow.stays + first[c], stays, first[c + 1] - first[c]);
        }
    }
}

static rill_status mark(grid *s)
{
    narrow_job j = {.s = s};
    TRY(ARENA_NEW(&s->scratch, s->narrow.stays, s->particles.count));
    parallel_for(s->sim.ctx, s->bin.core.count, 16, mark_cores, &j);
    return RILL_OK;
}

/* How deep cells move: a cell counts as the particles it has no need of. */
static void deep_terms(void *arg, size_t begin, size_t end, double *out)
{
    const grid *s = arg;
    const size_t cells = (size_t)s->tiles.cells;
    const rill_vec3 g = scene_gravity(s->sim.scene, s->sim.time);
    for (size_t t = begin; t < end; t++) {
        if (!s->narrow.filled[t]) continue;
        const rill_vec3 corner = grid_tile_corner(&s->tiles, (uint32_t)t);
        for (size_t c = 0; c < cells; c++) {
            const size_t i = t * cells + c;
            if (!s->narrow.fill[i]) continue;
            rill_vec3 v = s->frame;
            for (int a = 0; a < s->tiles.dimensions; a++)
                v3_set_axis(&v, a, v3_axis(v, a) + (double)s->field.u[a][i]);
            const double n = s->narrow.fill[i];
            out[0] += n * v3_dot(v, v);
            out[1] -= n * v3_dot(g, v3_madd(corner, s->h,
                                            v3((double)(c % 8) + 0.5, (double)(c / 8 % 8) + 0.5,
                                               s->tiles.layers == 1 ? 0 : (double)(c / 64) + 0.5)));
        }
    }
}

/* New particles get the mean colour of those in their tile. */
static void color_seeds(grid *s)
{
    float *color[3];
    const size_t cells = (size_t)s->tiles.cells;
    if (!colors_columns(&s->particles, color)) return;
    colors_set(&s->particles, s->narrow.seeds, colors_default());
    for (size_t core = 0; core < s->bin.core.count; core++) {
        const uint32_t tile = s->bin.tile_of[core], begin = s->bin.first[core * cells],
                       end = s->bin.first[(core + 1) * cells];
        for (int c = 0; c < 3 && end > begin; c++) {
            double sum = 0;
            for (uint32_t i = begin; i < end; i++) sum += (double)color[c][i];
            for (uint32_t k = s->narrow.seed[tile]; k < s->narrow.seed[tile + 1]; k++)
                color[c][s->narrow.seeds + k] = (float)(sum / (end - begin));
        }
    }
}

rill_status narrow_reseed(grid *s)
{
    rill_ctx *ctx = s->sim.ctx;
    narrow_job j = {.s = s};
    double sum[2];
    parallel_sums(ctx, s->tiles.count, deep_terms, s, 2, sum);
    s->narrow.deep_figures = (grid_figures){.kinetic = sum[0], .potential = sum[1]};
    TRY(ARENA_NEW(&s->scratch, s->narrow.seed, s->tiles.count + (size_t)1));
    parallel_for(ctx, s->tiles.count, 8, count_seeds, &j);
    uint32_t n = 0;
    for (uint32_t t = 0; t < s->tiles.count; t++) {
        const uint32_t own = s->narrow.seed[t];
        s->narrow.seed[t] = n;
        n += own;
    }
    s->narrow.seed[s->tiles.count] = n;
    TRY(ARENA_NEW(&s->scratch, j.seed, n));
    parallel_for(ctx, s->tiles.count, 8, place_seeds, &j);
    TRY(mark(s));
    s->narrow.seeds = s->particles.count;
    TRY(particles_append(ctx, &s->particles, n, j.seed, NULL));
    grid_columns(s);
    color_seeds(s);
    return RILL_OK;
}

void narrow_absorb(grid *s)
{
    const size_t all = s->particles.count, old = s->narrow.seeds;
    /* new ones stay: they are put where the first to go was, by hand, for they have no mark */
    s->particles.count = old;
    const size_t gone = particles_keep(&s->particles, s->narrow.stays), kept = old - gone;
    particles *p = &s->particles;
    if (gone) {
        memmove(p->position + kept, p->position + old, (all - old) * sizeof *p->position);
        memmove(p->velocity + kept, p->velocity + old, (all - old) * sizeof *p->velocity);
        memmove(p->id + kept, p->id + old, (all - old) * sizeof *p->id);
        for (uint32_t c = 0; c < p->column_count; c++)
            memmove(p->column[c].value + kept, p->column[c].value + old, (all - old) * sizeof(float));
    }
    p->count = all - gone;
    s->sim.sources.merged += gone;
}

/* --- the start, and saving --- */

rill_status narrow_start(grid *s)
{
    TRY(grid_sort(s));
    TRY(grid_walls(s, -s->sim.scene->time.preroll));
    const grid_past none = {0};
    TRY(narrow_fill(s, &none, NULL));
    TRY(grid_transfer_in(s));
    TRY(grid_level(s));
    TRY(narrow_layers(s));
    TRY(mark(s));
    TRY(ARENA_NEW(&s->scratch, s->field.active, grid_cell_count(&s->tiles))); /* no pressure yet */
    memset(s->field.active, 0, grid_cell_count(&s->tiles));
    memset(s->field.q, 0, grid_cell_count(&s->tiles) * sizeof *s->field.q);
    s->narrow.seeds = s->particles.count;
    narrow_absorb(s);
    s->narrow.since = 0;
    s->bin.core.count = 0; /* the order is no longer theirs */
    TRY(particles_fit(s->sim.ctx, &s->particles));
    grid_columns(s);
    return RILL_OK;
}

static const char *const names[4] = {"deep velocity x", "deep velocity y", "deep velocity z",
                                     "deep distance"};

rill_status narrow_save(const grid *s, rill_writer *w)
{
    const grid_past past = narrow_past(s);
    const double scalars[6] = {past.frame.x, past.frame.y,          past.frame.z,
                               past.dt,      s->narrow.deep_wanted, s->narrow.deep};
    const uint32_t tiles = past.tiles ? past.tiles->count : 0;
    const size_t n = past.tiles ? grid_cell_count(past.tiles) : 0;
    TRY(save_chunk(w, "deep", SAVE_F64, 6, scalars));
    TRY(save_chunk(w, "deep tiles", SAVE_I32, 3 * (uint64_t)tiles,
                   past.tiles ? past.tiles->map.block : NULL));
    for (int k = 0; k < 4; k++)
        if (k != 2 || s->tiles.dimensions == 3)
            TRY(save_chunk(w, names[k], SAVE_F32, n, k < 3 ? past.u[k] : past.phi));
    return RILL_OK;
}

rill_status narrow_load(grid *s, rill_reader *r)
{
    rill_ctx *ctx = s->sim.ctx;
    double scalars[6];
    uint64_t count;
    int32_t(*place)[3];
    grid_core *core;
    s->tiles.count = 0;
    s->narrow.past = (grid_past){0};
    arena_reset(&s->scratch);
    arena_reset(&s->spare);
    TRY(load_chunk(r, "deep", SAVE_F64, 6, scalars));
    TRY(load_count(r, "deep tiles", SAVE_I32, &count));
    if (count % 3 || count / 3 > UINT32_MAX / 1024)
        return rill_fail(ctx, RILL_BAD_FILE, "the state's list of tiles is broken");
    TRY(ARENA_NEW(&s->scratch, place, count / 3));
    TRY(ARENA_NEW(&s->scratch, core, count / 3));
    TRY(load_chunk(r, "deep tiles", SAVE_I32, count, place));
    for (uint64_t i = 0; i < count / 3; i++) {
        core[i] = (grid_core){.hi = {7, 7, 7}};
        memcpy(core[i].tile, place[i], sizeof core[i].tile);
        for (int a = 0; a < 3; a++)
            if (place[i][a] < -(1 << 25) || place[i][a] > 1 << 25)
                return rill_fail(ctx, RILL_BAD_FILE, "the state has a tile that is nowhere");
    }
    TRY(grid_tiles_build(ctx, &s->old_tiles, core, count / 3, 0));
    if (s->old_tiles.count != count / 3) return rill_fail(ctx, RILL_BAD_FILE, "the state has a tile twice");
    float *field[4] = {0};
    const size_t n = grid_cell_count(&s->old_tiles);
    for (int k = 0; k < 4; k++) {
        if (k == 2 && s->tiles.dimensions == 2) continue;
        TRY(ARENA_NEW(&s->spare, field[k], n));
        TRY(load_chunk(r, names[k], SAVE_F32, n, field[k]));
    }
    s->narrow.deep_wanted = scalars[4];
    s->narrow.deep = scalars[5];
    s->narrow.past = (grid_past){&s->old_tiles,
                                 {field[0], field[1], field[2]},
                                 field[3],
                                 v3(scalars[0], scalars[1], scalars[2]),
                                 scalars[3]};
    if (count == 0) s->narrow.past.tiles = NULL;
    return RILL_OK;
}
