/* What a simulation of gas keeps, and the passes of its step in their order.
 *
 * Gas fills the domain: there is no surface, every cell that walls leave open has a pressure. Tiles, walls,
 * extrapolation, advection, bodies and the pressure solve are the liquid grid's, called with a `grid` that
 * has no particles and no level set. Smoke is two numbers at the centre of every cell: soot (kg/m^3), which
 * makes the gas heavier, and heat (K above the ambient), which makes it lighter.
 *
 * Fields live from step to step and are saved; walls and scratch are those of one step. */
#pragma once

#include "grid/state.h"

typedef struct gas {
    grid grid; /* first; its u and q are the fields below */

    /* Fields on the tiles, owned: */
    float *u[3];
    float *soot, *heat;
    float *hold;     /* cells: volume of the gas in a cell by what flowed in and out, about 1 (transport.c) */
    float *q;        /* pressure * dt / (density * h), m/s: also the first guess of the next solve */
    size_t capacity; /* cells they have room for */

    double dt;           /* s: of the step that made q; 0: none */
    double max_speed;    /* m/s */
    double push;         /* m/s^2: the largest acceleration by buoyancy, at gravity 1 */
    double *body_volume; /* owned; per body, m^3 */
    uint64_t active;     /* cells with a pressure */

    /* far.c, where tiles follow the smoke: */
    struct gas *far; /* owned; the whole domain, coarser; NULL: tiles are everywhere, and all core */
    uint8_t *core;   /* owned; per tile: its cells have pressures; else it repeats what far says */
    uint32_t core_count;
} gas;

static inline gas *gas_of(rill_sim *sim)
{
    return (gas *)sim;
}
static inline const gas *gas_view_of(const rill_sim *sim)
{
    return (const gas *)sim;
}

/* Centre of a cell, or of its minus face of an axis (-1: the cell). */
static inline rill_vec3 gas_place(const grid_tiles *t, uint32_t tile, int c, int axis)
{
    const double half = 0.5;
    return v3_madd(grid_tile_corner(t, tile), t->h,
                   v3(c % 8 + (axis == 0 ? 0 : half), c / 8 % 8 + (axis == 1 ? 0 : half),
                      t->layers == 1 ? 0 : c / 64 + (axis == 2 ? 0 : half)));
}
/* Whether a cell of a tile lies in the domain. */
static inline bool gas_inside(const grid_tiles *t, uint32_t tile, int c)
{
    const int at[3] = {c % 8, c / 8 % 8, c / 64};
    for (int a = 0; a < t->dimensions; a++) {
        const int32_t k = t->map.block[tile][a] * GRID_SIDE + at[a];
        if (k < t->first[a] || k > t->last[a]) return false;
    }
    return true;
}
/* Whether all cells of a tile do. */
bool gas_tile_inside(const grid_tiles *t, uint32_t tile);

/* ---- tiles.c ---- */

/* The tiles of the domain, and fields on them: gas at rest without smoke. */
RILL_CHECKED rill_status gas_tiles_make(gas *s);
RILL_CHECKED rill_status gas_fields_reserve(gas *s);
void gas_fields_clear(gas *s);

void gas_find_range(gas *s); /* cells and tiles of the domain */

/* ---- far.c ---- */

/* Whether a scene of so many cells has fine tiles only near smoke. */
bool gas_follows(const rill_scene *scene, double cells);
RILL_CHECKED rill_status gas_far_create(gas *s);
void gas_far_destroy(gas *s);
/* Tiles where the smoke and the sources are at t, fields moved over. Does nothing without `far`, as the
 * following. */
RILL_CHECKED rill_status gas_follow(gas *s, double t);
/* Before the pressure: projects the coarse gas, with the walls of t; then the q of surrounding tiles are
 * known. kept (NULL: not asked for) becomes the coarse velocity before it, in the coarse gas's scratch. */
RILL_CHECKED rill_status gas_far_project(gas *s, double t, double dt, float **kept);
/* After it: velocities of the surrounding tiles, and of the coarse faces in the core. */
void gas_far_finish(gas *s);
/* Between the halves of a step with reflection: counts what the pressure changed in the coarse gas twice. */
void gas_far_reflect(gas *s, float *const kept[3]);

/* ---- gas.c ---- */

RILL_CHECKED rill_status gas_reserve_marks(gas *s); /* what passes of a step leave for the next look */
/* kept, the velocity before the pressure, becomes that after it with the pressure's change counted twice. */
void gas_mirror(gas *s, float *const kept[3]);
/* Velocities in solids and beyond open sides, for paths that look there; along walls at closed faces. */
RILL_CHECKED rill_status gas_continue_velocity(gas *s, double t);

/* ---- in the order of the step ---- */

/* Velocity by itself: u becomes what `carried` (NULL: u) brings along u in dt. advect.c
 * With gas_corrects the walls are those of the start of dt. */
bool gas_corrects(const gas *s); /* whether MacCormack has to know what solids close */
RILL_CHECKED rill_status gas_carry(gas *s, double dt, float *const carried[3]);
/* Velocity of the gas in sources, and through closed sides that they cover; after the walls. sources.c */
void gas_blow(gas *s, double t);
/* Vorticity confinement. forces.c */
RILL_CHECKED rill_status gas_confine(gas *s, double dt);
void gas_buoyancy(gas *s, double t, double dt);
/* Pressure; the velocity is free of divergence after it. project.c */
RILL_CHECKED rill_status gas_project(gas *s, double dt, rill_step_stats *stats);
void gas_mark(gas *s); /* which cells have a pressure: part of it */
/* Soot and heat by fluxes. transport.c */
RILL_CHECKED rill_status gas_transport(gas *s, double dt);
/* Cooling and dissipation of dt, then soot and heat in sources, at t. sources.c */
void gas_smoke(gas *s, double t, double dt);

/* Finds the cells with a pressure again, of the fields as they are now: walls and marks. */
RILL_CHECKED rill_status gas_marks(gas *s);

/* ---- view.c, save.c ---- */

void gas_view(const rill_sim *sim, rill_view *out);
rill_status gas_cells(const rill_sim *sim, particles *out);
double gas_max_speed(const rill_sim *sim, rill_vec3 *where);
rill_status gas_velocity(const rill_sim *sim, size_t n, const rill_vec3 *x, rill_vec3 *u);
rill_status gas_trace(const rill_sim *sim, size_t n, const rill_vec3 *x, uint32_t *part, rill_vec3 *u);
rill_status gas_pressure(const rill_sim *sim, size_t n, const rill_vec3 *x, double *p);
rill_status gas_save(const rill_sim *sim, rill_writer *w);
rill_status gas_load(rill_sim *sim, rill_reader *r);
rill_status gas_check(rill_ctx *ctx, const rill_scene *scene);
