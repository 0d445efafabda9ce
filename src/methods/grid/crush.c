/* Liquid that moving solids crush: reported before it is lost.
 *
 * Cells that solids close have no pressure, so that nothing holds particles between two walls that
 * meet. A cell is crushed where the cells around it hold several times what fits into them; splashes
 * stay well below that. */
#include "grid/narrow.h"

static const double most_crowded = 3;   /* times what fits into a cell and its neighbours */
static const double least_share = 0.01; /* of the liquid: less may be spray that a closing gap catches */

/* Cells this far from every driven solid are not crushed by one: particles may also gather where a splash
 * runs into a wedge between solids at rest. */
static const double near_driven = 4; /* cells */

typedef struct {
    grid *s;
    solids driven; /* those that move by themselves */
    double *lost;  /* per tile: particles that have no room */
    int *worst;    /* per tile: the cell with most of them */
} crush_job;

/* What the cells within `reach` of one hold, over what fits into them; *room: their open part. */
static double crowding(const grid *s, uint32_t tile, int c, int reach, double *room)
{
    const int deep = s->tiles.layers == 1 ? 0 : reach;
    double held = 0, open = 0, cells = 0;
    for (int z = -deep; z <= deep; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++) {
                const size_t i = grid_cell_near(&s->tiles, tile, c % 8 + x, c / 8 % 8 + y, c / 64 + z);
                cells++;
                if (i == SIZE_MAX) continue;
                held += s->field.crowd[i];
                open += (double)s->field.room[i];
            }
    *room = open / cells;
    return held / ((s->tiles.layers == 1 ? 4 : 8) * fmax(open, 1e-9));
}

/* In a gap that closes, or in a space that gets smaller as a whole. A single cell may be crowded for
 * a moment where a splash meets a wall. */
static bool crushed(const grid *s, uint32_t tile, int c)
{
    double room;
    if (crowding(s, tile, c, 1, &room) > most_crowded && room < 0.5) return true;
    return crowding(s, tile, c, 2, &room) > most_crowded;
}

static rill_vec3 cell_middle(const grid *s, uint32_t tile, int c)
{
    return v3_madd(grid_tile_corner(&s->tiles, tile), s->h,
                   v3(c % 8 + 0.5, c / 8 % 8 + 0.5, s->tiles.layers == 1 ? 0 : c / 64 + 0.5));
}

static void crush_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const crush_job *j = arg;
    const grid *s = j->s;
    const size_t cells = (size_t)s->tiles.cells;
    const double full = s->tiles.layers == 1 ? 4 : 8;
    for (size_t t = begin; t < end; t++) {
        double sum = 0, most = 0;
        j->worst[t] = 0;
        for (size_t c = 0; c < cells && s->field.walled[t] & 2; c++) {
            const double held = s->field.crowd[t * cells + c],
                         fits = full * (double)s->field.room[t * cells + c];
            if (!(held > 2 * fits) || !crushed(s, (uint32_t)t, (int)c)) continue;
            if (solids_distance(&j->driven, cell_middle(s, (uint32_t)t, (int)c), s->sim.time, NULL) >
                near_driven * s->h)
                continue;
            sum += held - fits;
            if (held - fits > most) most = held - fits, j->worst[t] = (int)c;
        }
        j->lost[t] = sum;
    }
}

/* The volume that the domain's closed sides and the solids leave at a time, by samples that count by their
 * distance: INFINITY where liquid may leave. */
static double space_left(const grid *s, double t)
{
    const scene_domain *d = &s->sim.scene->domain;
    const int flat = s->tiles.layers == 1, side = flat ? 96 : 32, deep = flat ? 1 : side;
    const rill_vec3 size = v3_sub(d->max, d->min);
    if (d->open & (flat ? 0xfu : 0x3fu)) return INFINITY;
    const double step[3] = {size.x / side, size.y / side, size.z / side},
                 width = flat ? sqrt(step[0] * step[1]) : cbrt(step[0] * step[1] * step[2]);
    solids within = s->sim.solids;
    within.domain.open = (1u << SIDE_COUNT) - 1;
    double open = 0;
    for (int k = 0; k < side * side * deep; k++) {
        const rill_vec3 x =
            v3(d->min.x + (k % side + 0.5) * step[0], d->min.y + (k / side % side + 0.5) * step[1],
               flat ? 0 : d->min.z + (k / (side * side) + 0.5) * step[2]);
        open += fmin(fmax(0.5 + solids_distance(&within, x, t, NULL) / width, 0), 1);
    }
    return open * step[0] * step[1] * (flat ? 1 : step[2]);
}

/* Whether a hundredth of the liquid has no room in the whole domain: its particles are then packed evenly,
 * and nowhere crowded enough for crushed(). Checked every EVERY steps. */
static rill_status check_space(grid *s, double liquid, rill_step_stats *stats)
{
    enum { EVERY = 16 };
    if (s->sim.step % EVERY) return RILL_OK;
    const double space = space_left(s, s->sim.time);
    if (!(liquid > (1 + least_share) * space)) return RILL_OK;
    size_t worst = 0;
    for (size_t i = 1; i < grid_cell_count(&s->tiles); i++)
        if (s->field.crowd[i] > s->field.crowd[worst]) worst = i;
    const size_t cells = (size_t)s->tiles.cells;
    const rill_vec3 x = cell_middle(s, (uint32_t)(worst / cells), (int)(worst % cells));
    stats->lost = fmax(stats->lost, liquid - space);
    return rill_fail(
        s->sim.ctx, RILL_BLEW_UP,
        "moving solids crush the liquid near (%.3g, %.3g, %.3g): they leave %.3g %s of the domain to %.3g of "
        "liquid; leave a way out, or let them stop earlier",
        x.x, x.y, x.z, space, s->tiles.layers == 1 ? "m^2" : "m^3", liquid);
}

/* Whether a solid moves by itself: by its motion, or as a body that is held. Bodies that are free give way:
 * what one traps for a while comes free again. */
static bool is_driven(const grid *s, uint32_t solid)
{
    const body_set *b = &s->sim.bodies;
    const uint32_t body = b->count ? b->of_solid[solid] : BODY_NONE;
    return body == BODY_NONE ? solid_moves(&s->sim.solids, solid) : b->world.body[body].held;
}

rill_status grid_crushed(grid *s, rill_step_stats *stats)
{
    crush_job j = {.s = s, .driven = s->sim.solids};
    bool driven = false;
    uint8_t *others;
    if (s->sim.solids.moving == 0) return RILL_OK;
    TRY(ARENA_NEW(&s->scratch, others, s->sim.solids.count));
    for (uint32_t i = 0; i < s->sim.solids.count; i++) {
        others[i] = !is_driven(s, i);
        driven |= !others[i];
    }
    j.driven.without = others;
    j.driven.domain.open = (1u << SIDE_COUNT) - 1;
    TRY(ARENA_NEW(&s->scratch, j.lost, s->tiles.count));
    TRY(ARENA_NEW(&s->scratch, j.worst, s->tiles.count));
    parallel_for(s->sim.ctx, s->tiles.count, 16, crush_tiles, &j);
    double sum = 0;
    uint32_t worst = 0;
    for (uint32_t t = 0; t < s->tiles.count; t++) {
        sum += j.lost[t];
        if (j.lost[t] > j.lost[worst]) worst = t;
    }
    /* Markers may gather where the liquid is not denser: only what is missing of its volume is lost. */
    const bool carried = s->def.surface == GRID_LEVEL_SET || s->def.surface == GRID_PARTICLE_SET;
    const double liquid = carried ? s->wanted : (double)s->particles.count * s->volume,
                 missing = liquid - s->seen;
    stats->lost = fmin(sum * s->volume, fmax(missing, 0));
    if (!driven) return RILL_OK;
    if (!grid_narrow(s)) TRY(check_space(s, liquid, stats));
    if (stats->lost < 0.5 * sum * s->volume) return RILL_OK;
    const double cell = s->tiles.layers == 1 ? 4 : 8, all = (double)s->particles.count;
    if (!(sum > fmax(least_share * all, cell))) return RILL_OK;
    const rill_vec3 x = cell_middle(s, worst, j.worst[worst]);
    return rill_fail(
        s->sim.ctx, RILL_BLEW_UP,
        "moving solids crush the liquid near (%.3g, %.3g, %.3g): %.3g of %.3g %s have no room left; "
        "leave a way out between them, or let them stop earlier",
        x.x, x.y, x.z, stats->lost, all * s->volume, s->tiles.layers == 1 ? "m^2" : "m^3");
}
