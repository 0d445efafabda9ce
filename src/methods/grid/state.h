/* What a grid simulation keeps, and the stages of its step in their order. */
#pragma once

#include "base/parallel.h"
#include "grid/grid.h"
#include "grid/pressure/pressure.h"
#include "grid/tiles.h"

enum { GRID_MOST_HALO = 8 };

/* What a tile reports after the particles moved. */
typedef struct grid_figures {
    double kinetic, potential, speed2; /* sums of v^2 and of -g.x; largest v^2 */
} grid_figures;

/* Where the liquid was and how it moved, by the grid: fields on tiles, and since when. */
typedef struct grid_past {
    const grid_tiles *tiles; /* NULL: nothing is known */
    const float *u[3], *phi;
    rill_vec3 frame;
    double dt;
} grid_past;

/* Walls of tiles, kept while no solid moves: wall_cache.h. */
typedef struct wall_cache {
    block_map seen;   /* tiles that were asked for */
    uint32_t *record; /* per tile seen: its record in `data`; UINT32_MAX: no solid is near */
    uint8_t *data;
    size_t record_capacity, data_capacity, count; /* records */
    bool lent;                                    /* a copy's: nothing is added */
    /* Of the step under way: */
    uint32_t *of;   /* per tile: among those seen, or BLOCK_NONE; NULL: nothing is kept */
    uint8_t *fresh; /* per tile: its record is to be made */
} wall_cache;

/* Faces that bodies close: bodies.h. */
typedef struct grid_coupling {
    uint8_t *body; /* owned; per solid: it is a body; NULL: none is */
    /* Of the step under way: */
    float *shut[3];     /* part of the minus faces that bodies close */
    uint32_t *owner[3]; /* the body, where there is such a part */
    uint8_t *near;      /* per tile: it has such faces, or cells in bodies */
} grid_coupling;

/* Walls, as the solids alone make them: walls.h. */
typedef struct grid_solids {
    double soft; /* m: half of what the walls of every solid are thicker than, where meshes are among them
                    and nothing moves; 0: not known */
    wall_cache cache;
    uint8_t *thin; /* owned; per solid: it has walls that may fit between corners of cells; NULL: none has */
} grid_solids;

/* The particles by tile and cell: sort.c. */
typedef struct grid_bins {
    block_map core; /* tiles that hold particles, in order */
    /* Of the step under way: */
    uint32_t *first;   /* per cell of the cores and one more: its particles, in order */
    uint32_t *order;   /* place k in that order has particle order[k]; NULL: particle k */
    uint32_t *core_of; /* per tile: index of its core, or GRID_NONE */
    uint32_t *tile_of; /* per core */
} grid_bins;

/* Particles near the surface alone: narrow.c, reseed.c. */
typedef struct grid_band {
    grid_past past;           /* of the step before, or of a state that was loaded */
    double since;             /* s: how far the particles moved on from the fields */
    double deep, deep_wanted; /* volume of liquid, m^3: now, and as it should be */
    grid_figures deep_figures;
    /* Of the step under way: */
    uint8_t *fill;     /* per cell: liquid without particles, by the grid; or NULL */
    uint8_t *filled;   /* per tile: it has any */
    uint64_t *near[2]; /* cells where particles are kept up, and one layer more, as bits */
    uint8_t *stays;    /* per particle: 0, it is to go */
    uint32_t *seed;    /* per tile and one more: its new particles, from `seeds` on */
    size_t seeds;      /* the first of them */
} grid_band;

/* Fields on the tiles, of the step under way. */
typedef struct grid_fields {
    float *u[3];      /* velocity through the minus faces, m/s */
    float *before[3]; /* the same before forces and pressure (flip) */
    float *shift[3];  /* m/s: what moves particles besides u to put their density right; NULL: nothing does */
    uint64_t *known[3]; /* faces the equations determine: a word per layer of a tile, bit 8 y + x */
    uint8_t *weighed;   /* per cell: bit a, face of axis a has the velocity of particles */
    uint8_t *crowd;     /* per cell: particles, at most 255 */
    float *phi;         /* signed distance at cell centres in cells, negative inside */
    uint8_t *wet;       /* per tile, of particles: some of it is liquid, or of a tile before it */
    float *open[3];     /* open part of the minus faces, 0 to 1 */
    float (*moving)[3]; /* velocity of solids at cell centres; NULL while none moves */
    float *room;        /* per cell: the part that walls leave */
    uint8_t *parted; /* per cell, level sets: bit a, a thin wall separates it from the cell before it along a;
                        NULL: no such walls */
    uint8_t
        *buried; /* per cell: its centre is in a solid, or nearly: its level is its neighbours' (level.c) */
    uint8_t *walled; /* per tile: a wall is near enough to matter to its particles */
    uint8_t *active; /* per cell: liquid, with a pressure */
    float *q;        /* pressure * dt / (density * h), m/s */
    float *bend;     /* per cell near the surface: q of the surface's pressure, else NAN; NULL: none */
} grid_fields;

/* Numbers of the step under way. */
typedef struct grid_stage {
    const uint8_t *only;   /* gas, per tile: advection is for these alone; NULL: for all */
    bool reflecting;       /* what pressure changes is given twice */
    rill_vec3 gain;        /* what the frame gained by forces in the step */
    double q_scale;        /* pressure of q = 1; 0: no step has found pressures */
    grid_figures *figures; /* per core */
} grid_stage;

typedef struct grid {
    rill_sim sim; /* first */
    grid_def def;
    double h;           /* cell */
    double volume;      /* of a particle, m^3 (two dimensions: m^2) */
    int band;           /* cells around the liquid that have tiles and velocities */
    float distance[65]; /* level.c: the liquid's signed distance by that from the mean particle, in reaches */
    double capacity;    /* m^3 that the domain holds; infinite where liquid may leave it */
    grid_solids walls;
    grid_coupling coupling;
    pressure_solver solver;

    /* What is saved: */
    particles particles;
    float *affine[9]; /* columns: velocity gradients times h; [3 a + b] is du_a / dx_b; NULL but for apic */
    particles guards; /* of a particle level set: guards.h */
    double max_speed; /* of any particle */
    double pace;      /* m/s: of all but a thousandth, at least half of that: what steps go by */
    bool halved;      /* the next step is half as long as that allows: particles are packed */
    double packed;    /* of all particles: those in cells that were packed when the last step began */
    double wanted, seen; /* level sets: volume at the start, and at the last look */
    uint64_t blocked;    /* emitters, by their number modulo 64, that the log has called blocked */
    rill_vec3 frame;     /* m/s: velocities of the grid are seen from here, which falls freely */

    grid_tiles tiles;
    grid_bins bin;
    grid_band narrow;
    grid_tiles old_tiles; /* those of the step before, while a step is under way (eulerian.c, narrow.c) */
    rill_arena spare;     /* and what was on them */
    rill_arena sorting; /* of one stage at a time: order of the particles, momentum, the pressure's system */
    rill_arena scratch; /* of the step under way, until the next one: */
    grid_fields field;
    grid_stage step;
} grid;

static inline grid *grid_of(rill_sim *sim)
{
    return (grid *)sim;
}
static inline const grid *grid_view_of(const rill_sim *sim)
{
    return (const grid *)sim;
}

/* The cell of a position. */
static inline void grid_cell_at(const grid_tiles *t, rill_vec3 x, int32_t cell[3])
{
    const double inverse = 1 / t->h;
    cell[0] = (int32_t)floor((x.x - t->origin.x) * inverse);
    cell[1] = (int32_t)floor((x.y - t->origin.y) * inverse);
    cell[2] = t->dimensions == 2 ? 0 : (int32_t)floor((x.z - t->origin.z) * inverse);
}
/* Particles of a core: first[c * cells] up to first[(c + 1) * cells]. */
static inline uint32_t grid_core_begin(const grid *s, uint32_t core)
{
    return s->bin.first[(size_t)core * (size_t)s->tiles.cells];
}

/* In the order of the step: */
/* What emitters give between t and t + dt, but for those that are full, and what drains take. */
RILL_CHECKED rill_status grid_sources(grid *s, double t, double dt);
void grid_measure_domain(grid *s);                  /* fills capacity, for grid_sources */
RILL_CHECKED rill_status grid_sort(grid *s);        /* particles by tile and cell; tiles; fields */
RILL_CHECKED rill_status grid_transfer_in(grid *s); /* particles to faces */
RILL_CHECKED rill_status grid_walls(grid *s, double t);
/* RILL_BLEW_UP when moving solids leave the liquid no room; stats->lost until then. After the walls. */
RILL_CHECKED rill_status grid_crushed(grid *s, rill_step_stats *stats);
RILL_CHECKED rill_status grid_level(grid *s); /* signed distance from the particles */
void grid_forces(grid *s, rill_vec3 gravity, double dt);
/* also: fields that change with u, or NULL. */
bool grid_viscous(const grid *s);
RILL_CHECKED rill_status grid_viscosity(grid *s, double t, double dt, float *const also[3],
                                        rill_step_stats *stats);
void grid_detach(grid *s); /* ceilings let go */
RILL_CHECKED rill_status grid_tension(grid *s, double dt);
double grid_tension_max_dt(const grid *s);
/* Viscous liquid is projected before viscosity as well: what gravity does to liquid at rest is
 * the pressure's to hold, not the walls'. */
typedef enum grid_pass { GRID_ONLY, GRID_FIRST, GRID_SECOND } grid_pass;
RILL_CHECKED rill_status grid_project(grid *s, double dt, grid_pass pass, rill_step_stats *stats);
RILL_CHECKED rill_status grid_extrapolate(grid *s, float *const u[3]);
RILL_CHECKED rill_status grid_constrain(grid *s); /* normal velocity at closed faces */
/* reflected: what the pressure changed is given to the particles twice. */
RILL_CHECKED rill_status grid_move(grid *s, double dt, bool reflected,
                                   rill_step_stats *stats); /* faces to particles; they move */

void grid_disorder(grid *s);       /* takes the first particles off their lattice */
void grid_start_velocity(grid *s); /* gives them the scene's velocity, and its gradients */
void grid_level_init(grid *s);     /* fills distance */
/* The order of the particles, without moving one, and the tiles within `band` cells of them
 * and of `more`, or of those only. */
RILL_CHECKED rill_status grid_bin(grid *s, const grid_core *more, size_t count, int band, bool only);
RILL_CHECKED rill_status grid_take_order(grid *s); /* puts the particles in that order */
/* No component of the velocity is above it. */
double grid_fastest(grid *s, const float *const u[3]);
double grid_fastest_of(grid *s, const grid_tiles *t, const float *const u[3], rill_vec3 frame);
/* kept, the velocity before pressure, becomes the reflected one: 2 u - kept, extrapolated. */
RILL_CHECKED rill_status grid_reflect(grid *s, float *const kept[3]);
void grid_columns(grid *s); /* finds the particles' columns again after they moved */

/* Velocity (u) or pressure (p) at points, the other NULL. */
RILL_CHECKED rill_status grid_sample(const grid *s, size_t n, const rill_vec3 *x, rill_vec3 *u, double *p);
/* As rill_method.trace. */
RILL_CHECKED rill_status grid_trace(const grid *s, size_t n, const rill_vec3 *x, uint32_t *part,
                                    rill_vec3 *u);
RILL_CHECKED rill_status grid_mesh(const grid *s, struct trimesh *out);
/* Of other particles at another time; RILL_USAGE when the grid holds liquid without particles. */
RILL_CHECKED rill_status grid_mesh_of(grid *s, const particles *p, double time, struct trimesh *out);
/* Centres of the cells that hold liquid, with velocity, "pressure" (Pa) and "level" (m, below 0 inside). */
RILL_CHECKED rill_status grid_cells(const rill_sim *sim, particles *out);
