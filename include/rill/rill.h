/* Rill, a fluid animation system: the public interface. docs/api.md shows it at work.
 *
 *     context -> scene -> simulation -> particles, surface, velocity, pressure
 *
 * Errors: every call that can fail returns a rill_status; on failure its outputs are
 * untouched and rill_ctx_message tells what happened, where and what helps. Nothing in
 * a scene or a file, no full disk and no failed allocation ends the process.
 *
 * Ownership: what a _create, _read, _parse or _surface function hands out is destroyed by
 * the caller, simulations before their scene, and all before the context. Pointers to
 * const that a call fills in are borrowed, and valid until the next call that changes
 * the simulation they came from. NULL may be destroyed, and is RILL_USAGE or ignored elsewhere.
 *
 * Threads: there is no global state. Contexts are independent. A context, and all made with it, is used by
 * one thread at a time; inside, it works with as many threads as it was given, and results do not depend on
 * how many. rill_ctx_cancel alone may be called from any thread or signal handler. Callbacks may read what
 * they come from, not change it, but for what "while it runs" says. After a fork a child creates a context of
 * its own.
 *
 * Units are SI: metres, seconds, kilograms; y is up. In two dimensions z is 0.
 */
#ifndef RILL_RILL_H
#define RILL_RILL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RILL_VERSION "0.2.0"

#if defined(__GNUC__)
#define RILL_CHECKED      __attribute__((warn_unused_result))
#define RILL_FORMAT(a, b) __attribute__((format(printf, a, b)))
#define RILL_API          __attribute__((visibility("default")))
#else
#define RILL_CHECKED
#define RILL_FORMAT(a, b)
#define RILL_API
#endif

/* The values are the exit codes of the rill program. */
typedef enum rill_status {
    RILL_OK = 0,
    RILL_USAGE = 2,      /* a call or a command line that makes no sense */
    RILL_BAD_SCENE = 3,  /* the scene description */
    RILL_BAD_FILE = 4,   /* an input file: missing, damaged, of another kind */
    RILL_DISK = 5,       /* writing failed */
    RILL_NO_MEMORY = 6,  /* an allocation failed, or a run would not fit */
    RILL_BLEW_UP = 7,    /* the simulation left the range of sense */
    RILL_CANCELLED = 130 /* stopped on request; resumable */
} rill_status;

typedef struct rill_ctx rill_ctx;

typedef struct rill_vec3 {
    double x, y, z;
} rill_vec3;

typedef struct rill_box {
    rill_vec3 min, max;
} rill_box;

/* Both functions may be called from several threads at once. */
typedef struct rill_allocator {
    void *(*allocate)(void *user, size_t bytes, size_t alignment); /* NULL when there is none */
    void (*release)(void *user, void *memory);                     /* NULL is allowed */
    void *user;
} rill_allocator;

typedef enum rill_log_level {
    RILL_LOG_DEBUG,
    RILL_LOG_INFO,
    RILL_LOG_WARNING,
    RILL_LOG_ERROR
} rill_log_level;

typedef struct rill_progress {
    uint32_t frame, frames; /* the frame being worked on, and how many there will be */
    uint64_t step;          /* since the start of the run */
    uint64_t elements;      /* particles or cells */
    double time;            /* simulated seconds */
    double dt;              /* of the last step */
    double seconds_left;    /* wall clock; negative while unknown */
} rill_progress;

typedef void rill_log_fn(void *user, rill_log_level level, const char *message);
typedef void rill_progress_fn(void *user, const rill_progress *progress);

typedef struct rill_ctx_def {
    rill_allocator allocator;   /* default: the C library's */
    rill_log_fn *log;           /* NULL: silent */
    rill_progress_fn *progress; /* NULL: silent */
    void *user;                 /* handed to log and progress */
    int threads;                /* 0: as many as the machine has */
} rill_ctx_def;

RILL_API rill_ctx_def rill_ctx_def_default(void);
RILL_API RILL_CHECKED rill_status rill_ctx_create(const rill_ctx_def *def, rill_ctx **out);
RILL_API void rill_ctx_destroy(rill_ctx *ctx);

/* The message of the last failure; never NULL, empty when there was none. Borrowed until
 * the next call in this context. */
RILL_API const char *rill_ctx_message(const rill_ctx *ctx);

/* Asks whatever runs in this context to stop at the next safe point. The step that
 * finds the request, now or later, returns RILL_CANCELLED and has then dealt with it. */
RILL_API void rill_ctx_cancel(rill_ctx *ctx);

/* The library's version, where RILL_VERSION is the header's. */
RILL_API const char *rill_version(void);
/* What it was built with, in one line: "rill 0.2.0, gcc 12.2.0, x86-64-v3, Release, embree 3.13.5". Never
 * NULL. */
RILL_API const char *rill_build(void);
/* A few words on a status: "the scene description". Never NULL. */
RILL_API const char *rill_status_text(rill_status status);

/* ---- scenes ---- */

/* What a simulation starts from: checked, with every default filled in. It is never
 * changed by a simulation and may serve several, of the same context. */
typedef struct rill_scene rill_scene;

RILL_API RILL_CHECKED rill_status rill_scene_read(rill_ctx *ctx, const char *path, rill_scene **out);
/* From memory. `name` is what messages call it; files that the scene mentions are looked
 * for next to it, as if it were the path. */
RILL_API RILL_CHECKED rill_status rill_scene_parse(rill_ctx *ctx, const char *name, const char *json,
                                                   size_t length, rill_scene **out);
/* What a caller changes in the text of a scene before it is checked, as the options of `rill run` do. */
typedef struct rill_overrides {
    const char *method; /* --method; NULL: as the scene says */
    int64_t frames;     /* --frames; 0: as the scene says */
    const char *const
        *set; /* --set: texts "spacing=0.01", "sph.solver=dfsph", "liquid[0].velocity=[1,0,0]" */
    size_t set_count;
} rill_overrides;
/* The same two with changes; NULL: none. */
RILL_API RILL_CHECKED rill_status rill_scene_read_with(rill_ctx *ctx, const char *path,
                                                       const rill_overrides *overrides, rill_scene **out);
RILL_API RILL_CHECKED rill_status rill_scene_parse_with(rill_ctx *ctx, const char *name, const char *json,
                                                        size_t length, const rill_overrides *overrides,
                                                        rill_scene **out);
RILL_API void rill_scene_destroy(rill_scene *scene);

/* The scene as a file, every default written out. As snprintf: writes what fits in
 * `room` bytes, always terminated when room is not 0; *length is that of the whole,
 * without the terminator. buffer may be NULL when room is 0. */
RILL_API RILL_CHECKED rill_status rill_scene_print(const rill_scene *scene, char *buffer, size_t room,
                                                   size_t *length);

RILL_API const char *rill_scene_name(const rill_scene *scene);   /* borrowed from the scene */
RILL_API const char *rill_scene_method(const rill_scene *scene); /* "sph" */
RILL_API int rill_scene_dimensions(const rill_scene *scene);     /* 2 or 3 */
RILL_API int rill_scene_frames(const rill_scene *scene);         /* after frame 0, the initial state */
RILL_API double rill_scene_fps(const rill_scene *scene);         /* frame k is at k / fps seconds */
RILL_API double rill_scene_spacing(const rill_scene *scene);     /* size of the finest element */
RILL_API rill_box rill_scene_domain(const rill_scene *scene);
/* Its gauges, solids and emitters are known by their index; names are borrowed, "" where there is none. A
 * gauge of several values (a velocity, a force) counts as several: "F.x", "F.y", ... as in gauges.csv. */
RILL_API uint32_t rill_scene_gauge_count(const rill_scene *scene);
RILL_API const char *rill_scene_gauge_name(const rill_scene *scene, uint32_t gauge);
RILL_API uint32_t rill_scene_solid_count(const rill_scene *scene);
RILL_API const char *rill_scene_solid_name(const rill_scene *scene, uint32_t solid);
RILL_API uint32_t rill_scene_emitter_count(const rill_scene *scene);

/* ---- simulations ---- */

typedef struct rill_sim rill_sim;

/* At its initial state: at time 0, or before it when the scene has a pre-roll, of which
 * rill_sim_advance to 0 makes frame 0. The scene is borrowed and must outlive the
 * simulation. */
RILL_API RILL_CHECKED rill_status rill_sim_create(rill_ctx *ctx, const rill_scene *scene, rill_sim **out);
RILL_API void rill_sim_destroy(rill_sim *sim);

RILL_API double rill_sim_time(const rill_sim *sim);    /* simulated seconds */
RILL_API uint64_t rill_sim_steps(const rill_sim *sim); /* taken since the start */
/* Particles, or cells of a method that has no particles. */
RILL_API uint64_t rill_sim_elements(const rill_sim *sim);

/* To the time `until`, in as many steps as it takes, the progress told after each. When they fail their
 * checks it begins again with half the step, at most four times, as `rill run` does for a frame: going from
 * frame to frame gives the same bits as that. On failure, RILL_CANCELLED too, the simulation is where it was
 * before the call. */
RILL_API RILL_CHECKED rill_status rill_sim_advance(rill_sim *sim, double until);

/* One step, as long as the method allows but not longer than max_dt, which may be
 * INFINITY; *taken (NULL: not wanted) is how long it was. Nothing is kept to go back to:
 * after a failure inside the step the simulation can only be viewed, loaded or
 * destroyed, and every other call says so. RILL_USAGE, and a request to stop that is
 * found before the step, change nothing. */
RILL_API RILL_CHECKED rill_status rill_sim_step(rill_sim *sim, double max_dt, double *taken);

/* What the last step has to say; what a method does not have, and all of it before the first step, is NAN. */
typedef struct rill_stats {
    double dt, seconds;                /* simulated; by the clock */
    uint64_t elements;                 /* particles or cells */
    double volume, kinetic, potential; /* m^3, J, J (in two dimensions: per metre) */
    double max_speed;
    double compression; /* mean of max(density/rest - 1, 0) */
    double div_max, div_rms;
    uint32_t solve_iterations, viscous_iterations;
    double solve_residual, viscous_residual;
    uint32_t stage_count; /* parts of the step and the seconds they took */
    const char *stage_name[16];
    double stage_seconds[16];
} rill_stats;
RILL_API void rill_sim_stats(const rill_sim *sim, rill_stats *out);

/* Called after each step of rill_sim_advance and rill_sim_step, on the calling thread. It may read the
 * simulation and change what "while it runs" below lists; the next step goes by it. When it returns anything
 * but RILL_OK, the call ends with that status: rill_sim_advance then goes back to where it began, and
 * rill_sim_step keeps the step. When rill_sim_advance begins again with half the step, changes made since it
 * began are undone, and the callback comes again, with an earlier time. NULL: none any more. */
typedef rill_status rill_step_fn(void *user, rill_sim *sim);
RILL_API RILL_CHECKED rill_status rill_sim_on_step(rill_sim *sim, rill_step_fn *fn, void *user);

/* The state as a file, written under its name only when complete and verified. */
RILL_API RILL_CHECKED rill_status rill_sim_save(const rill_sim *sim, const char *path);
/* The state of a file that rill_sim_save wrote for the same scene, or a checkpoint of
 * its run folder. Going on from it gives the same bits as if it had never stopped. */
RILL_API RILL_CHECKED rill_status rill_sim_load(rill_sim *sim, const char *path);

/* ---- while it runs ---- */

/* Each change holds from the next step on, and is part of what rill_sim_save writes and rill_sim_load and a
 * retry of rill_sim_advance bring back: going on from a saved state gives the same bits. The scene is not
 * changed, nor other simulations of it. Arguments that make no sense are RILL_USAGE, and nothing has changed
 * then. */

/* Gravity, in place of the scene's and its keyframes. */
RILL_API RILL_CHECKED rill_status rill_sim_set_gravity(rill_sim *sim, rill_vec3 gravity);

/* An acceleration (m/s^2) of the liquid in a ball, times (1 - (r / radius)^2)^2. */
typedef struct rill_force {
    rill_vec3 center, acceleration;
    double radius;
} rill_force;
#define RILL_FORCES 16
/* One of RILL_FORCES at a time, until it is set to another or, with NULL, taken away. RILL_USAGE for methods
 * whose liquid is not carried by particles. */
RILL_API RILL_CHECKED rill_status rill_sim_set_force(rill_sim *sim, uint32_t slot, const rill_force *force);

/* An emitter's speed (m/s) from now on, in place of the scene's and its start and end; 0 closes it. */
RILL_API RILL_CHECKED rill_status rill_sim_set_emitter(rill_sim *sim, uint32_t emitter, double speed);

/* Liquid, as an entry of the scene's "liquid": {"shape": {...}, "velocity": [x, y, z]}, but for meshes.
 * Particles come where they are half a spacing from walls and 0.9 spacings from all others; *added (NULL: not
 * wanted) is how many. RILL_USAGE for methods whose liquid is not carried by particles. */
RILL_API RILL_CHECKED rill_status rill_sim_add_liquid(rill_sim *sim, const char *json, size_t length,
                                                      uint64_t *added);

/* On top of a solid's transform: shifted (m), and turned about its pivot (degrees about x, then y, then z),
 * as a keyframe of its motion. */
typedef struct rill_offset {
    rill_vec3 translate, rotate;
} rill_offset;
/* Where a solid that has a "motion" in the scene is now; zeros for one that has none. */
RILL_API RILL_CHECKED rill_status rill_sim_pose(const rill_sim *sim, uint32_t solid, rill_offset *out);
/* The solid goes evenly from where it is to the pose, is there at the time `until`, and stays: its keyframes
 * count no more. RILL_USAGE for a solid without a "motion" (one keyframe is enough), and for bodies. */
RILL_API RILL_CHECKED rill_status rill_sim_set_pose(rill_sim *sim, uint32_t solid, const rill_offset *pose,
                                                    double until);

/* ---- looking at it ---- */

/* Values of the scene's gauges now, in its order; NAN for what the method does not have. `count` is
 * rill_scene_gauge_count. */
RILL_API RILL_CHECKED rill_status rill_sim_gauges(const rill_sim *sim, uint32_t count, double *value);

/* Borrowed, `count` elements each. The order changes from step to step, ids do not. */
typedef struct rill_particles {
    size_t count;
    const rill_vec3 *position, *velocity;
    const uint64_t *id;
    uint32_t column_count; /* see rill_sim_column */
} rill_particles;

/* No particles (count 0) for a method that has none. */
RILL_API void rill_sim_view(const rill_sim *sim, rill_particles *out);
/* A column by name, as "density" and "pressure" in sph; NULL when there is none. */
RILL_API const float *rill_sim_column(const rill_sim *sim, const char *name);
/* The names there are, by index; NULL at the end. */
RILL_API const char *rill_sim_column_name(const rill_sim *sim, uint32_t index);

/* The scene's tracers (smoke, dye), which every method carries; none (count 0) without. Their columns
 * are their own. */
RILL_API void rill_sim_tracers(const rill_sim *sim, rill_particles *out);
RILL_API const float *rill_sim_tracer_column(const rill_sim *sim, const char *name);
RILL_API const char *rill_sim_tracer_column_name(const rill_sim *sim, uint32_t index);

/* White water (spray, foam and bubbles) of a scene that asks for it; none (count 0) without. Their columns
 * are their own. */
RILL_API void rill_sim_whitewater(const rill_sim *sim, rill_particles *out);
RILL_API const float *rill_sim_whitewater_column(const rill_sim *sim, const char *name);
RILL_API const char *rill_sim_whitewater_column_name(const rill_sim *sim, uint32_t index);

/* Sites of a method's cells with what they hold. `column_count` names and arrays of `count` values. */
typedef struct rill_cells {
    size_t count;
    const rill_vec3 *site, *velocity;
    uint32_t column_count;
    const char *const *column_name;
    const float *const *column;
} rill_cells;

/* The cells now; the caller's. RILL_USAGE for a method that has none. */
RILL_API RILL_CHECKED rill_status rill_sim_cells(const rill_sim *sim, rill_cells **out);
RILL_API void rill_cells_destroy(rill_cells *cells);

/* A field on a sparse grid, in blocks of 8 x 8 x 8 samples where there is anything. Sample (i, j, k) of block
 * (a, b, c) is at origin + cell * (8a + i, 8b + j, 8c + k); its `width` numbers start at
 * value[width * (512 * block + 64k + 8j + i)]. Two dimensions use the layer k = 0 of blocks with c = 0. */
typedef struct rill_volume {
    const char *name; /* "density", "temperature", "velocity", "level_set", ... */
    rill_vec3 origin;
    double cell;
    uint32_t width;   /* numbers to a sample: 1 or 3 */
    float background; /* outside of the blocks; of a level set its negative inside of the liquid */
    size_t block_count;
    const int32_t (*block)[3];
    const float *value;
} rill_volume;
typedef struct rill_volumes {
    uint32_t count;
    const rill_volume *volume;
} rill_volumes;

/* The fields that the scene's "volume" asks for and that there are now, as `rill volume` writes them; the
 * caller's. No OpenVDB is needed for it. */
RILL_API RILL_CHECKED rill_status rill_sim_volumes(const rill_sim *sim, rill_volumes **out);
RILL_API void rill_volumes_destroy(rill_volumes *volumes);

/* ---- bodies ---- */

/* The scene's solids that are bodies, in its order. */
RILL_API uint32_t rill_sim_body_count(const rill_sim *sim);
/* The name of its solid, borrowed from the scene; empty when it has none, NULL when there is no such body. */
RILL_API const char *rill_sim_body_name(const rill_sim *sim, uint32_t body);

/* Where a body is. A point x of its shape, or of its mesh file, is at position + scale * (rotation of x). */
typedef struct rill_pose {
    rill_vec3 position;
    double rotation[4]; /* unit quaternion: w, x, y, z */
    double scale;
    rill_vec3 center; /* of mass, in the world */
} rill_pose;

/* RILL_USAGE when there is no such body. Either output of the two below may be NULL. */
RILL_API RILL_CHECKED rill_status rill_sim_body_pose(const rill_sim *sim, uint32_t body, rill_pose *out);
/* Of the centre of mass (m/s), and the spin (rad/s). */
RILL_API RILL_CHECKED rill_status rill_sim_body_velocity(const rill_sim *sim, uint32_t body,
                                                         rill_vec3 *velocity, rill_vec3 *spin);
/* What the fluid did to it in the last step: force (N) and torque about its centre of mass (N m), in two
 * dimensions per metre. */
RILL_API RILL_CHECKED rill_status rill_sim_body_force(const rill_sim *sim, uint32_t body, rill_vec3 *force,
                                                      rill_vec3 *torque);
/* A force (N) at its centre of mass and a torque (N m) that act in every step from now on, in place of those
 * given before, until others are: a change as those of "while it runs", part of what is saved. */
RILL_API RILL_CHECKED rill_status rill_sim_body_apply(rill_sim *sim, uint32_t body, rill_vec3 force,
                                                      rill_vec3 torque);

/* ---- at points ---- */

/* At n points anywhere; zero where there is no fluid. RILL_USAGE for a method that does
 * not have it. */
RILL_API RILL_CHECKED rill_status rill_sim_velocity(const rill_sim *sim, size_t n, const rill_vec3 *point,
                                                    rill_vec3 *velocity);
RILL_API RILL_CHECKED rill_status rill_sim_pressure(const rill_sim *sim, size_t n, const rill_vec3 *point,
                                                    double *pressure);

/* A closed triangle mesh, counter-clockwise seen from outside. */
typedef struct rill_mesh {
    size_t vertex_count, triangle_count;
    const rill_vec3 *position;
    const float (*normal)[3];   /* unit, outward; NULL when there are none */
    const float (*velocity)[3]; /* of the fluid at the vertex; NULL when there is none */
    const uint32_t (*triangle)[3];
    uint32_t column_count; /* values at the vertices, such as those the scene's "surface.columns" names */
    const char *const *column_name;
    const float *const *column;   /* column_width of them to a vertex: 1 or 3 */
    const uint32_t *column_width; /* these are NULL when there are none */
    const void *owner;            /* the library's: NULL in a view and in a mesh of the host's own */
} rill_mesh;

/* The liquid's surface now, made as the scene's "surface" says. It is the caller's, and
 * stays as it is when the simulation goes on. RILL_USAGE for a method without a surface. */
RILL_API RILL_CHECKED rill_status rill_sim_surface(const rill_sim *sim, rill_mesh **out);
/* Of what rill_sim_surface handed out. A view, a copy of the struct and a mesh of the host's own are left
 * alone. */
RILL_API void rill_mesh_destroy(rill_mesh *mesh);

/* ---- memory that is kept ---- */

/* An allocator for hosts that collect garbage: arrays of rill_sim_view, _tracers and _column that are held
 * stay readable, whatever the simulation does and when it, its scene and the context are destroyed. What is
 * in them is defined only until the simulation changes. A keeper serves one context or several and is
 * destroyed after them and after the last hold. It may be used from any thread. */
typedef struct rill_keeper rill_keeper;

RILL_API rill_keeper *rill_keeper_create(void); /* NULL: no memory */
RILL_API void rill_keeper_destroy(rill_keeper *keeper);
RILL_API rill_allocator rill_keeper_allocator(rill_keeper *keeper); /* for rill_ctx_def */
/* Holds are counted; `memory` is the start of a borrowed array. */
RILL_API RILL_CHECKED rill_status rill_keeper_hold(rill_keeper *keeper, const void *memory);
RILL_API void rill_keeper_drop(rill_keeper *keeper, const void *memory);

/* ---- tracking a surface ---- */

/* A closed triangle mesh that moves with a velocity field, stays well shaped, merges and breaks, and never
 * intersects itself (Brochu and Bridson 2009). Independent of simulations. */
typedef struct rill_tracker rill_tracker;

typedef struct rill_tracker_def {
    double edge;     /* length that edges are kept near, metres; 0: the mean of the mesh */
    double shortest; /* edges are collapsed below, in edges: 0.5 */
    double longest;  /* and split above: 1.5 */
    double merge;    /* surfaces with air between them join when nearer than this, in edges: 0.2; 0: never */
    double neck;     /* necks are cut when no edge around them is longer, in edges: 1; 0: never */
    double drop;     /* parts of less volume are removed, in cubic edges: 0.05; 0: none */
    int midpoint; /* not 0: splits put the vertex in the middle of the edge, not where the surface bends: 0 */
    int keep_volume; /* not 0: each part is led back to the volume it began with: 0 */
    int repair;      /* not 0: a mesh that is open or crosses itself is made anew from its shape: 0 */
} rill_tracker_def;

typedef struct rill_tracker_stats {
    uint32_t steps; /* that the motion was made in: 1, more when vertices got in each other's way */
    uint32_t splits, flips, collapses, merges, cuts, drops;
    uint32_t contacts; /* met on the way */
    uint32_t held;     /* vertices that could not go where the field sent them */
    double volume;     /* after the step */
} rill_tracker_stats;

/* A connected part of the surface; a cavity's volume is negative. */
typedef struct rill_tracker_part {
    double volume, area;
    double target; /* the volume keep_volume leads it to */
    size_t triangle_count;
    int genus; /* tunnels through it */
} rill_tracker_part;

/* Velocities at n points at a time. What it returns when it fails is what the step returns. */
typedef rill_status rill_velocity_fn(void *user, double time, size_t n, const rill_vec3 *point,
                                     rill_vec3 *velocity);

RILL_API rill_tracker_def rill_tracker_def_default(void);
/* Copies the mesh, with its velocity column but not its normals. RILL_BAD_FILE for one that is open, not
 * manifold, not consistently oriented or crosses itself: the message names the first place. */
RILL_API RILL_CHECKED rill_status rill_tracker_create(rill_ctx *ctx, const rill_tracker_def *def,
                                                      const rill_mesh *mesh, rill_tracker **out);
RILL_API void rill_tracker_destroy(rill_tracker *tracker);

/* One step of length dt: the mesh is improved, merged and cut, and moved. stats may be NULL. After a failure
 * the surface is sound, though it may be improved already, and at rill_tracker_time. */
RILL_API RILL_CHECKED rill_status rill_tracker_advance(rill_tracker *tracker, double dt,
                                                       rill_velocity_fn *velocity, void *user,
                                                       rill_tracker_stats *stats);
RILL_API double rill_tracker_time(const rill_tracker *tracker);

/* The surface now, without normals; borrowed until the next step, and not to be destroyed. */
RILL_API void rill_tracker_view(const rill_tracker *tracker, rill_mesh *out);
RILL_API size_t rill_tracker_part_count(const rill_tracker *tracker);
/* The index-th part; RILL_USAGE when there is none. */
RILL_API RILL_CHECKED rill_status rill_tracker_part_at(const rill_tracker *tracker, size_t index,
                                                       rill_tracker_part *out);

#ifdef __cplusplus
}
#endif
#endif
