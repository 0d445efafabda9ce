/* A method, to the rest of the program, and what the program may see of it.
 *
 * A simulation is created from a scene, stepped, viewed, saved and destroyed through
 * these functions only. The driver owns time; the method owns physics: its state and
 * its step. */
#pragma once

#include "flow/bodies.h"
#include "flow/particles.h"
#include "flow/save.h"
#include "flow/scene.h"
#include "flow/solids.h"
#include "flow/sources.h"
#include "flow/tracers.h"

struct trimesh; /* geom/mesh/trimesh.h */

/* What a method can do: bits, and a table of words for documents and messages. */
enum {
    CAN_FREE_SURFACE = 1 << 0,
    CAN_TWO_DIMENSIONS = 1 << 1,
    CAN_VISCOSITY = 1 << 2,
    CAN_SURFACE_TENSION = 1 << 3,
    CAN_BODIES = 1 << 4,
    CAN_SMOKE = 1 << 5,
    CAN_FILL = 1 << 6,
    CAN_REFINE = 1 << 7
};
extern const char *const can_words[]; /* by bit, NULL at the end */

enum { STEP_MAX_STAGES = 16 };

/* The figures of a step. Values that a method does not have stay NAN. */
typedef struct rill_step_stats {
    uint64_t elements;                 /* particles or cells */
    double volume, kinetic, potential; /* m^3, J, J (in two dimensions: per metre) */
    double max_speed;
    double lost;             /* m^3: liquid crushed by moving solids, which no space was left for */
    double compression;      /* mean of max(density/rest - 1, 0) */
    double div_max, div_rms; /* 1/s */
    uint32_t solve_iterations;
    double solve_residual;
    uint32_t viscous_iterations; /* of the viscous solve; 0: there was none */
    double viscous_residual;
    struct {
        const char *name;
        double seconds;
    } stage[STEP_MAX_STAGES];
    uint32_t stage_count;
} rill_step_stats;

rill_step_stats step_stats_none(void);
/* Ends a stage that began at *since: adds it and sets *since to now. */
void step_stats_stage(rill_step_stats *stats, const char *name, double *since);

struct rill_sim;

/* Particles that go along with a simulation and are part of neither its physics nor this layer: white water.
 * Its creator embeds it as the first member of its own struct and hands it over. */
typedef struct sim_rider {
    const particles *dots; /* what the view shows */
    rill_status (*save)(const struct sim_rider *rider, rill_writer *w);
    rill_status (*load)(rill_ctx *ctx, struct sim_rider *rider, rill_reader *r);
    void (*destroy)(rill_ctx *ctx, struct sim_rider *rider);
} sim_rider;

/* The part of a simulation every method has, first in its own struct. */
typedef struct rill_sim {
    rill_ctx *ctx;
    const struct rill_method *method;
    const rill_scene *scene; /* borrowed; outlives the simulation */
    double time;             /* at the start of the step; set by the driver */
    uint64_t step;           /* steps taken; set by the driver */
    double speed_limit;      /* m/s: beyond it something has blown up; set by the driver */
    bool failed;             /* a step broke off and the state may be anything; set by the library */
    int busy;                /* a call of a host is changing it (api/api.h); set by the library */
    solids solids;
    body_set bodies;
    sources sources;
    tracers tracers;
    struct gauge_samples *gauges; /* what gauges need to be read: gauges.h */
    sim_rider *whitewater;        /* owned; NULL: there is none */
    struct host *host; /* what a host of the library changes (host.h); NULL: not made by sim_start */
} rill_sim;

/* What a method's cells are, for pictures of a cut: their sites are given, their shape follows. */
typedef enum view_shape {
    VIEW_NO_CELLS,
    VIEW_CUBES,   /* as wide as the spacing, around their sites */
    VIEW_VORONOI, /* nearest to their sites */
    VIEW_TETS /* Delaunay tetrahedra, the sites their corners; with a column "level", where that is below 0 */
} view_shape;

/* What output, pictures and the API may read. Any of particles, tracers and cells may be missing,
 * and nothing outside a method assumes which. Borrowed: valid until the next step. */
typedef struct rill_view {
    double time, spacing;
    int dimensions;
    rill_box domain;
    uint64_t elements;              /* of the simulation: particles, or cells */
    const particles *particles;     /* NULL: the method has none */
    const particles *tracers;       /* NULL: the scene has none */
    const particles *whitewater;    /* NULL: there is none */
    const particles *cells;         /* sites of the method's cells with their values; NULL: not asked for */
    view_shape shape;               /* of these */
    const struct solid_ride *rides; /* per solid of the scene: where bodies are; NULL: it has none */
} rill_view;

typedef struct rill_method {
    const char *name;  /* as in the scene file */
    const char *paper; /* what it implements */
    uint32_t can;
    const rill_param *params; /* the method's block of the scene */
    size_t def_size;          /* of the struct they fill */
    bool has_particles;       /* in its view */
    /* What it is in a domain that fluid fills, of the same name and with the same parameters; NULL: itself. A
     * scene with "fill" has it for its method. */
    const struct rill_method *filled;
    /* Keys of the scene that mean nothing to it, as "surface.radius", and a NULL; a scene that gives them
     * anything but their default is refused. NULL: there are none. */
    const char *const *unused;
    int per_axis; /* particles to a spacing along each axis; 0 means 1 */
    /* Whether its particles alone carry the liquid and its velocity, and sources_apply feeds them; NULL: as
     * has_particles says. */
    bool (*carried)(const rill_scene *scene);

    /* Says what the scene asks that the method cannot do, or values that do not go
     * together, with the key in the message. */
    rill_status (*check)(rill_ctx *ctx, const rill_scene *scene);
    rill_status (*create)(rill_ctx *ctx, const rill_scene *scene, rill_sim **out);
    double (*max_dt)(const rill_sim *sim);
    rill_status (*step)(rill_sim *sim, double dt, rill_step_stats *stats);
    /* Adds what the method has to *out: its particles, or else the number of its elements. Called by
     * sim_view, which fills in the rest. */
    void (*view)(const rill_sim *sim, rill_view *out);
    /* The method's own surface, made when it is asked for; out is empty before. NULL: made from the
     * particles, or, without these, there is no surface. */
    rill_status (*surface)(const rill_sim *sim, struct trimesh *out);
    /* The same of these particles at this time in place of its own, as a frame of a run has them; RILL_USAGE
     * where its liquid is not in the particles alone. There where `surface` is. */
    rill_status (*surface_of)(rill_sim *sim, const particles *p, double time, struct trimesh *out);
    /* The method's cells, made when they are asked for: sites, velocities and values by name.
     * NULL: it has none. out is empty before. */
    rill_status (*cells)(const rill_sim *sim, particles *out);
    view_shape cell_shape;
    /* The largest speed of the fluid (m/s) and a place that has it; not finite when any value of the
     * state is not. NULL: that of the particles. */
    double (*max_speed)(const rill_sim *sim, rill_vec3 *where);
    rill_status (*velocity)(const rill_sim *sim, size_t n, const rill_vec3 *x, rill_vec3 *u);
    /* The same for tracers, many of them: part[i] is the part of the fluid that is asked, whose
     * samples alone count, TRACE_NOWHERE (nothing is asked), or TRACE_NEAREST, which is replaced by
     * that of the sample nearest to x[i], or by TRACE_NOWHERE when none is in reach; a part that is
     * out of reach becomes TRACE_NOWHERE too. There u[i] is left alone. Methods without parts say 0.
     * NULL: velocity, which is everywhere. */
    rill_status (*trace)(const rill_sim *sim, size_t n, const rill_vec3 *x, uint32_t *part, rill_vec3 *u);
    rill_status (*pressure)(const rill_sim *sim, size_t n, const rill_vec3 *x, double *p);
    rill_status (*save)(const rill_sim *sim, rill_writer *w);
    rill_status (*load)(rill_sim *sim, rill_reader *r);
    void (*destroy)(rill_sim *sim); /* NULL is allowed */
    /* How many elements a simulation of the scene will have at most; NULL: the particles that fit into
     * its liquid and those of its emitters. */
    double (*elements)(const rill_scene *scene);
    /* Bytes of memory and seconds per step for n elements, from measured figures. */
    void (*estimate)(const rill_scene *scene, uint64_t n, double *bytes, double *step_seconds, double *dt);
    /* Whether all of the liquid is in the particles, and not in the cells as well; NULL: in the particles,
     * when it has some. */
    bool (*in_particles)(const rill_scene *scene);
    /* Whether it begins with fewer particles than the scene has places for; NULL: never. */
    bool (*fewer)(const rill_scene *scene);
} rill_method;

/* Fills and frees the shared part. */
RILL_CHECKED rill_status sim_init(rill_ctx *ctx, const rill_method *method, const rill_scene *scene,
                                  rill_sim *sim);
void sim_clear(rill_sim *sim);
void sim_view(const rill_sim *sim, rill_view *out);
/* Whether there is a surface: the method's own, or one of its particles. */
bool method_has_surface(const rill_method *method);
/* Whether particles carry the liquid of the scene, so that more can be added and forces act on them. */
bool method_carried(const rill_scene *scene);
/* What its elements are called: "particles" or "cells". */
const char *method_elements_word(const rill_method *method);
/* The whole state: the method's, and the tracers. */
RILL_CHECKED rill_status sim_save(const rill_sim *sim, rill_writer *writer);
/* Restores a state that was saved at this time, after this number of steps. */
RILL_CHECKED rill_status sim_load(rill_sim *sim, double time, uint64_t step, rill_reader *reader);
