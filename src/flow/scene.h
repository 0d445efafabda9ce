/* A scene: everything a run starts from, checked and with defaults filled in.
 *
 * Read from a file by io, or built in C (scene_default, then the add functions) by
 * tests and verification cases. SI units, y up; in two dimensions z is 0 everywhere
 * and the domain is one spacing thick around it.
 *
 * Owns its lists and texts; scene_clear frees them. */
#pragma once

#include "base/memory.h"
#include "base/vec.h"
#include "flow/keyframes.h"
#include "flow/param.h"
#include "geom/shape/shape.h"

/* Sides of the domain, as bits: -x +x -y +y -z +z. */
enum { SIDE_COUNT = 6 };
static inline int side_axis(int side)
{
    return side / 2;
}

/* What happens where solids meet: the pair takes the geometric mean of the two frictions and the larger
 * restitution. */
typedef struct scene_contact {
    double friction, restitution;
} scene_contact;

typedef struct scene_domain {
    rill_vec3 min, max;
    uint32_t open;                /* bit per side: liquid may leave */
    int slip;                     /* of the closed sides; index into "free", "none" */
    double friction;              /* of the closed sides */
    struct scene_contact contact; /* where solids meet them */
} scene_domain;

typedef struct scene_time {
    int32_t frames; /* after the initial state, which is frame 0 */
    double fps;
    double preroll; /* s simulated before frame 0, without output: a run starts at t = -preroll */
} scene_time;

typedef struct scene_fluid {
    double density, viscosity, surface_tension; /* viscosity: dynamic, Pa s */
} scene_fluid;

/* A velocity at a point: constant, one of the named fields, or by callback. */
typedef rill_vec3 velocity_function(void *user, rill_vec3 x);
typedef struct velocity_field {
    int named;                   /* 0: constant; else index into velocity_field_names */
    rill_vec3 value;             /* constant; rotation: angular velocity (rad/s) */
    rill_vec3 center;            /* rotation */
    velocity_function *function; /* wins when not NULL */
    void *user;
} velocity_field;
extern const char *const velocity_field_names[]; /* "constant", "rotation", "taylor-green", NULL */
rill_vec3 velocity_field_at(const velocity_field *field, const scene_domain *domain, rill_vec3 x);

/* A mesh file that shapes of the scene use; the shapes borrow its distance. */
typedef struct scene_mesh {
    char *file;          /* absolute once it is read */
    bool holes, z_up;    /* accept small holes; the file has z up */
    double shell, scale; /* thickness of an open surface made solid, 0: none; metres per unit of the file */
    char *hash;          /* of the file's bytes; empty: not read yet */
    double longest;      /* side of its box, m */
    int32_t resolution;  /* of the distance, cells along the longest side */
    rill_box wanted;     /* where that holds, in the mesh's own coordinates */
    struct mesh_distance *distance; /* owned */
} scene_mesh;

/* A deforming solid: numbered mesh files; the shape borrows its frames. */
typedef struct scene_sequence {
    char *files;         /* "flag_%04d.obj"; absolute once they are read */
    int32_t first, last; /* numbers of the files */
    double fps, start;   /* files per second, 0: as many as the scene has frames; time of the first, s */
    bool holes, z_up;    /* as of scene_mesh */
    double shell, scale;
    char *hash;                   /* of the bytes of all files; empty: not read yet */
    struct mesh_sequence *frames; /* owned */
} scene_sequence;
enum { SCENE_MAX_FILES = 10000 }; /* of a sequence */

typedef struct scene_liquid {
    shape shape;
    velocity_field velocity;
    bool colored;    /* color is given */
    rill_vec3 color; /* linear light; its particles carry it (colors.h) */
    double start;    /* s: when it joins; 0: it is there from the beginning */
} scene_liquid;

typedef struct scene_emitter {
    shape shape;         /* a disc emits along its normal, other shapes along `direction` */
    rill_vec3 direction; /* zero: the disc's normal */
    double speed;        /* m/s; with keyframes the first of them */
    keyframes speed_keys;
    double start, end; /* s; SCENE_FOREVER: it never closes */
    bool colored;      /* as of scene_liquid */
    rill_vec3 color;
} scene_emitter;
#define SCENE_FOREVER 1e9

typedef struct scene_drain {
    shape shape;
} scene_drain;

/* A source of tracers (tracers.h). */
typedef struct scene_tracers {
    shape shape;
    int32_t count; /* at the start of the run */
    int32_t most;  /* of its own at once */
    double rate;   /* 1/s; with keyframes the first of them */
    keyframes rate_keys;
    double start, end; /* s: when it gives */
    double life;       /* s */
} scene_tracers;

/* A source of smoke: gas with soot and heat, and tracers that show it. */
typedef struct scene_smoke {
    shape shape;
    velocity_field velocity; /* of the gas in it; zero: it is left as it is */
    double density;          /* of the soot, kg/m3; with keyframes the first of them: ask smoke_density */
    double temperature;      /* K; likewise: ask smoke_temperature */
    keyframes density_keys, temperature_keys;
    double rate;       /* 1/s: how fast the gas in it takes on both; 0: at once */
    double tracers;    /* 1/s */
    double start, end; /* s: when it gives */
} scene_smoke;
#define SCENE_AMBIENT 293.15 /* K: temperature of the gas around smoke */

/* What becomes of soot and heat by themselves, exponentially. */
typedef struct scene_gas {
    double cooling, dissipation; /* 1/s: of heat, of soot */
} scene_gas;

/* Spray, foam and bubbles that the liquid gives (src/whitewater). Rates are of a cube of the
 * spacing whose potential is full. */
typedef struct scene_whitewater {
    double trapped_air, wave_crests; /* 1/s */
    double air_range[2];             /* m/s: thresholds of the potentials; both 0: fitted to the scene */
    double crest_range[2];
    double speed_range[2]; /* m/s */
    double buoyancy;       /* of bubbles, in gravities */
    double drag, air_drag; /* 1/s: of bubbles in liquid, of spray in air */
    double life_min, life_max;
    int32_t most, seed;
} scene_whitewater;

typedef struct scene_transform {
    rill_vec3 translate, rotate; /* degrees about x, then y, then z */
    double scale;
} scene_transform;

/* On top of the transform: the placed solid is turned about the pivot, then shifted. Angles
 * are interpolated, not directions: from 0 to 720 degrees are two turns. */
typedef struct scene_motion_key {
    double t;
    rill_vec3 translate, rotate; /* m; degrees about x, then y, then z */
} scene_motion_key;

typedef struct scene_motion {
    scene_motion_key *key; /* owned; times strictly ascending */
    uint32_t count;        /* 0: does not move */
    bool smooth;
    rill_vec3 pivot; /* in the shape's own coordinates */
} scene_motion;

/* A solid that the fluid moves. Points and axes are in the coordinates of its shape, before the transform. */
typedef struct scene_body {
    double density, mass; /* kg/m^3; kg, in two dimensions per metre; 0: not given */
    rill_vec3 inertia;    /* kg m^2 about the axes of its shape through its centre; zeros: from its shape */
    rill_vec3 velocity, spin;     /* m/s; rad/s */
    bool hinged, pinned, sliding; /* which of the following is given */
    struct scene_hinge {
        rill_vec3 point, axis;
        double limits[2]; /* degrees from where it starts; both 0: none */
    } hinge;
    struct scene_pin {
        rill_vec3 point;
    } pin;
    struct scene_slide {
        rill_vec3 axis;
        double limits[2]; /* m from where it starts; both 0: none */
    } slide;
} scene_body;

/* What a surface looks like in final quality. Colours are linear light, red, green, blue. */
typedef struct scene_material {
    int kind;                /* MATERIAL_DIFFUSE, ... */
    rill_vec3 color, second; /* share of light that is reflected; second: of every other square */
    double checker;          /* side of the squares, m; 0: none */
    double roughness, index; /* of plastic and metal; of glass and plastic */
    double frost;            /* roughness of glass */
    rill_vec3 absorption;    /* of glass, 1/m */
    rill_vec3 emission;      /* radiance of its own */
    int32_t priority;        /* of glass where it overlaps with another: the higher one is there */
    char *texture;           /* image file, absolute once it is read; NULL or empty: none */
    double texture_size;     /* width of the image on the surface, m */
    bool hidden, has_cut;    /* of solids: not drawn; cut is given */
    struct scene_cut {
        rill_vec3 point, normal; /* the part of the solid on the normal's side is not drawn */
    } cut;
} scene_material;
enum { MATERIAL_DIFFUSE, MATERIAL_PLASTIC, MATERIAL_METAL, MATERIAL_GLASS };

typedef struct scene_solid {
    char *name; /* may be empty */
    shape shape;
    scene_transform transform;
    scene_motion motion;
    int slip; /* index into "free", "none" */
    double friction;
    bool refine; /* methods whose elements have several sizes: small ones near it */
    scene_contact contact;
    bool is_body; /* body is given */
    scene_body body;
    scene_material material;
} scene_solid;
enum { SLIP_FREE, SLIP_NONE };

typedef enum gauge_kind {
    GAUGE_PRESSURE,
    GAUGE_HEIGHT,
    GAUGE_VELOCITY,
    GAUGE_FLOW,
    GAUGE_FORCE,
    GAUGE_KINDS
} gauge_kind;

typedef struct scene_gauge {
    char *name;
    gauge_kind kind;
    rill_vec3 point;  /* height: the column through x and z; flow: the middle of the disc */
    rill_vec3 normal; /* flow: the way that counts as positive, of any length */
    double radius;    /* flow */
    char *solid;      /* force: the name of the solid it acts on; owned */
    char *with;       /* the name of a solid it moves along with; empty: it stands still */
} scene_gauge;

typedef struct scene_camera {
    rill_vec3 eye, target;
    double fov; /* degrees, vertical; 0: fitted to the domain, and eye and target are the same point */
    double aperture, focus; /* diameter of the lens, m; distance of what is sharp, 0: of the target */
    keyframes eye_keys, target_keys, fov_keys; /* with them the values above are the first keys': ask
                                                * scene_camera_at */
} scene_camera;

/* A round lamp that shines to the side of its normal; with radius 0 a point that shines everywhere. */
typedef struct scene_lamp {
    rill_vec3 center, normal, color;
    double radius, power; /* power: flux in units of the picture's light times m^2 */
} scene_lamp;

/* Light from far away: an image, or a clear sky with its sun. */
typedef struct scene_sky {
    char *environment; /* a file, absolute once it is read; empty: the sky */
    double turbidity, strength;
    rill_vec3 sun;                 /* where it shines from; zero: there is none */
    double sun_size, sun_strength; /* degrees across */
} scene_sky;

/* How smoke scatters light. */
typedef struct scene_haze {
    rill_vec3 color; /* share of the light that a collision scatters; the rest is absorbed */
    double forward;  /* mean cosine of the scattering angle */
} scene_haze;

/* How pictures of final quality are made. */
typedef struct scene_render {
    int quality; /* QUALITY_PREVIEW, QUALITY_FINAL */
    int32_t samples, bounces;
    double noise, exposure, shutter; /* standard error; stops; share of a frame */
    bool denoise, edges;
    int caustics; /* CAUSTICS_STRAIGHT, ... */
    scene_sky sky;
    scene_lamp *lamps;
    uint32_t lamp_count;
    scene_material liquid, ground;
    scene_haze smoke; /* of tracers with the look "volume" */
    double bead;      /* diameter of white water drawn as spheres, in spacings; 0: drawn as a mist */
} scene_render;
enum { QUALITY_PREVIEW, QUALITY_FINAL };
enum { CAUSTICS_NONE, CAUSTICS_STRAIGHT, CAUSTICS_PHOTONS };

typedef struct scene_output {
    bool particles, surface, tracers, whitewater, cells, volume, images, video;
    uint32_t formats;      /* bit 0: ply, 1: vtk */
    int32_t width, height; /* of images, pixels */
    int32_t checkpoint;    /* frames between checkpoints */
    bool draft;            /* small, flat, quick images */
    int look;              /* index into "surface", "particles", "tracers", "volume" */
    int color;             /* index into "speed", "density", "pressure": the particles' column */
} scene_output;
enum { LOOK_SURFACE, LOOK_PARTICLES, LOOK_TRACERS, LOOK_VOLUME };

/* Fields sampled on a sparse grid (src/volume): files for other programs, and smoke in pictures. */
typedef struct scene_volume {
    double cell;      /* in spacings */
    uint32_t fields;  /* bits by VOLUME_DENSITY, ... */
    double thickness; /* of smoke in pictures; 1: as dense as the tracers' mist */
} scene_volume;
enum { VOLUME_DENSITY, VOLUME_TEMPERATURE, VOLUME_VELOCITY, VOLUME_LEVEL_SET, VOLUME_FIELDS };
extern const char *const scene_volume_words[]; /* by these numbers, NULL at the end */

/* What a surface of particles is: src/surface has a row for each. */
enum {
    SURFACE_FILTERED,
    SURFACE_METABALLS,
    SURFACE_ZHU_BRIDSON,
    SURFACE_DISTANCE,
    SURFACE_ANISOTROPIC,
    SURFACE_WILLIAMS,
    SURFACE_WILLIAMS_LEVEL,
    SURFACE_DEFINITIONS
};
extern const char *const scene_surface_words[]; /* by these numbers, NULL at the end */

typedef struct scene_surface {
    int definition;  /* SURFACE_FILTERED, ... */
    double cell;     /* in spacings */
    double radius;   /* reach of a particle, in spacings; 0: the definition's own */
    char *columns;   /* owned: columns of the particles that vertices get, besides the velocity */
    int32_t smooth;  /* rounds of smoothing, weighted by neighbourhood */
    double smallest; /* parts of less volume are left out, in particles */
    double slivers;  /* edges below it are collapsed, in cells */
    rill_vec3 clip_min, clip_max; /* the surface outside of it is left out; max <= min: none */
} scene_surface;

/* The parameters of one method, as its table fills them. */
typedef struct scene_method_def {
    const struct rill_method *method; /* borrowed */
    void *def;                        /* owned, method->def_size bytes */
} scene_method_def;

typedef struct rill_scene {
    int32_t version;
    char *name;
    int32_t dimensions;
    scene_domain domain;
    rill_vec3 gravity; /* with keyframes the first of them: ask scene_gravity */
    keyframes gravity_keys;
    scene_time time;
    scene_fluid fluid;
    const struct rill_method *method; /* the chosen one */
    double spacing;
    scene_method_def *methods; /* every registered method, in registry order */
    uint32_t method_count;
    scene_liquid *liquid;
    uint32_t liquid_count;
    scene_emitter *emitters;
    uint32_t emitter_count;
    scene_drain *drains;
    uint32_t drain_count;
    scene_tracers *tracers;
    uint32_t tracers_count;
    bool fill; /* the fluid fills the domain: there is no free surface */
    scene_smoke *smoke;
    uint32_t smoke_count;
    scene_gas gas;
    bool has_whitewater; /* whitewater is given */
    scene_whitewater whitewater;
    scene_solid *solids;
    uint32_t solid_count;
    scene_gauge *gauges;
    uint32_t gauge_count;
    scene_camera camera;
    scene_output output;
    scene_surface surface;
    scene_volume volume;
    scene_render render;
    scene_mesh *meshes; /* every file once; capacity for all that are named */
    uint32_t mesh_count;
    scene_sequence *sequences; /* likewise */
    uint32_t sequence_count;
    uint64_t hash; /* of the scene as printed, files without their folders */
} rill_scene;

/* Defaults of every table, and the parameters of `count` methods, the first chosen. */
RILL_CHECKED rill_status scene_default(rill_ctx *ctx, const struct rill_method *const *methods,
                                       uint32_t count, rill_scene *out);
void scene_clear(rill_ctx *ctx, rill_scene *scene);

/* Each adds an element with defaults and hands it out to be filled in. */
RILL_CHECKED rill_status scene_add_liquid(rill_ctx *ctx, rill_scene *scene, scene_liquid **out);
RILL_CHECKED rill_status scene_add_emitter(rill_ctx *ctx, rill_scene *scene, scene_emitter **out);
RILL_CHECKED rill_status scene_add_drain(rill_ctx *ctx, rill_scene *scene, scene_drain **out);
RILL_CHECKED rill_status scene_add_tracers(rill_ctx *ctx, rill_scene *scene, scene_tracers **out);
RILL_CHECKED rill_status scene_add_smoke(rill_ctx *ctx, rill_scene *scene, scene_smoke **out);
RILL_CHECKED rill_status scene_add_solid(rill_ctx *ctx, rill_scene *scene, scene_solid **out);
RILL_CHECKED rill_status scene_add_gauge(rill_ctx *ctx, rill_scene *scene, scene_gauge **out);

/* Sources of tracers: those of the scene, then its sources of smoke. What is returned borrows the shape. */
uint32_t scene_tracer_sources(const rill_scene *scene);
scene_tracers scene_tracer_source(const rill_scene *scene, uint32_t k);

/* Distance of particles when they are made: the spacing, or the part of it that the chosen
 * method wants (rill_method.per_axis). */
double scene_particle_spacing(const rill_scene *scene);

/* The solid of that name; UINT32_MAX: there is none. */
uint32_t scene_find_solid(const rill_scene *scene, const char *name);

/* The parameters of a method in this scene, or NULL when it is not registered. */
void *scene_method_def_of(const rill_scene *scene, const char *method);

/* Whether any liquid or emitter gives its particles a colour. */
bool scene_has_colors(const rill_scene *scene);

/* Values that may vary, at a time, and how large they get. */
static inline scene_camera scene_camera_at(const scene_camera *camera, double t)
{
    scene_camera c = *camera;
    if (c.eye_keys.count) c.eye = keyframes_at(&c.eye_keys, t);
    if (c.target_keys.count) c.target = keyframes_at(&c.target_keys, t);
    if (c.fov_keys.count) c.fov = keyframes_at(&c.fov_keys, t).x;
    return c;
}
static inline rill_vec3 scene_gravity(const rill_scene *scene, double t)
{
    return scene->gravity_keys.count ? keyframes_at(&scene->gravity_keys, t) : scene->gravity;
}
static inline double scene_gravity_most(const rill_scene *scene)
{
    return scene->gravity_keys.count ? keyframes_longest(&scene->gravity_keys) : v3_length(scene->gravity);
}
static inline double emitter_speed(const scene_emitter *e, double t)
{
    return e->speed_keys.count ? keyframes_at(&e->speed_keys, t).x : e->speed;
}
static inline double emitter_speed_most(const scene_emitter *e)
{
    return e->speed_keys.count ? keyframes_longest(&e->speed_keys) : e->speed;
}
/* Metres that come out between the two times, whether it is open or not. */
static inline double emitter_way(const scene_emitter *e, double from, double to)
{
    return e->speed_keys.count ? keyframes_integral(&e->speed_keys, from, to).x : (to - from) * e->speed;
}

static inline double smoke_density(const scene_smoke *m, double t)
{
    return m->density_keys.count ? keyframes_at(&m->density_keys, t).x : m->density;
}
static inline double smoke_temperature(const scene_smoke *m, double t)
{
    return m->temperature_keys.count ? keyframes_at(&m->temperature_keys, t).x : m->temperature;
}
static inline bool smoke_gives(const scene_smoke *m, double t)
{
    return t >= m->start && t < m->end;
}
/* The part of the way to the source's density and temperature that its gas goes in dt. */
static inline double smoke_share(const scene_smoke *m, double dt)
{
    return m->rate > 0 ? -expm1(-m->rate * dt) : 1;
}
/* Whether the gas in it has a velocity of its own. */
static inline bool smoke_blows(const scene_smoke *m)
{
    return m->velocity.named || m->velocity.function || v3_length(m->velocity.value) > 0;
}

/* Fills a struct with the defaults of its table. Texts are copied through ctx. */
RILL_CHECKED rill_status params_default(rill_ctx *ctx, const rill_param *table, void *block);
/* Frees the texts, shapes and lists a table put into a struct. */
void params_clear(rill_ctx *ctx, const rill_param *table, void *block);

/* The tables. scene_params is the top level: everything but the methods' own blocks. */
extern const rill_param scene_params[], scene_domain_params[], scene_time_params[], scene_fluid_params[],
    scene_liquid_params[], scene_emitter_params[], scene_drain_params[], scene_tracers_params[],
    scene_smoke_params[], scene_gas_params[], scene_whitewater_params[], scene_transform_params[],
    scene_motion_params[], scene_motion_key_params[], scene_solid_params[], scene_contact_params[],
    scene_body_params[], scene_hinge_params[], scene_pin_params[], scene_slide_params[], scene_gauge_params[],
    scene_flow_params[], scene_camera_params[], scene_output_params[], scene_surface_params[],
    scene_volume_params[], scene_mesh_params[], scene_sequence_params[], scene_material_params[],
    scene_cut_params[], scene_render_params[];
/* The keys of each shape, by shape_kind; NULL for those that are not written in files.
 * Combinations hold a list of shapes instead. */
extern const char *const shape_names[SHAPE_KINDS];
extern const rill_param *const shape_params[SHAPE_KINDS];
extern const char *const gauge_names[GAUGE_KINDS + 1], *const gauge_helps[GAUGE_KINDS];
/* The keys of each named velocity field, by index into velocity_field_names; NULL for
 * the constant, which is written as a vector. */
enum { VELOCITY_KINDS = 3 };
extern const rill_param *const velocity_params[VELOCITY_KINDS];
