/* What stands in a picture of final quality, and what a ray meets of it.
 *
 * Things are numbered: the solids of the scene, then the liquid's surface, the ground, particles as
 * spheres, and the lamps. Every hit tells the outward normal of its thing, from inside as well, so that
 * light can go through glass. Solids are cut at the sides of the domain, as in previews.
 *
 * Where the liquid touches a solid or the floor, its surface is moved a little into it (studio_liquid.c):
 * there is no layer of air between the two, and priorities tell which of them is there.
 *
 * With a shutter, `share` of a ray is when it goes, 0 to 1: the liquid moves by its velocity, the
 * solids by their own motion. */
#pragma once

#include "flow/method.h"
#include "flow/solids.h"
#include "geom/mesh/rays.h"
#include "geom/mesh/trimesh.h"
#include "render/path/material.h"

typedef struct studio_hit {
    double t;
    rill_vec3 point;
    rill_vec3 face, normal; /* unit, outward: geometric; smooth, on the same side */
    uint32_t thing, element;
    float u, v;         /* of a triangle of the liquid */
    rill_vec3 at, side; /* point and normal where the pattern of its material lies: the solid's own
                         * coordinates, so that it moves with it */
} studio_hit;

typedef struct studio_ray {
    rill_vec3 origin, direction; /* unit */
    double to;
    double share; /* of the time the shutter is open */
    double fade;  /* random, 0 to 1: whether a part of the ground that fades is there */
} studio_ray;

typedef struct studio {
    solids solids;    /* owned */
    rays *rays;       /* owned: of the liquid or the particles */
    trimesh liquid;   /* owned copy; empty: there is none */
    float (*tint)[3]; /* owned: colour of its vertices; NULL: it has none */
    rill_vec3 *end;   /* owned: where its vertices are when the shutter closes; NULL: they rest */
    const uint8_t (*particle_color)[3]; /* borrowed, sRGB */
    uint32_t particle_count;            /* spheres from there on are white water */
    path_picture *texture;              /* owned */
    uint32_t texture_count;
    const rill_scene *scene; /* borrowed */
    const scene_lamp *lamp;  /* borrowed */
    uint32_t lamp_count;
    material *material; /* owned, by thing but for lamps */
    rill_box domain;
    double time, shutter; /* s; shutter: how long it is open, around `time` */
    double size, skin;    /* diagonal of the domain; rays leave surfaces by `skin` */
    double ground;        /* its height */
    bool has_ground;
    uint32_t around; /* a solid that is left out because the eye is inside; UINT32_MAX: none */
} studio;

static inline uint32_t studio_liquid(const studio *w)
{
    return w->solids.count;
}
static inline uint32_t studio_ground(const studio *w)
{
    return w->solids.count + 1;
}
static inline uint32_t studio_particles(const studio *w)
{
    return w->solids.count + 2;
}
static inline uint32_t studio_lamps(const studio *w)
{
    return w->solids.count + 3;
}
static inline bool studio_is_lamp(const studio *w, uint32_t thing)
{
    return thing >= studio_lamps(w);
}
static inline bool studio_is_glass(const studio *w, uint32_t thing)
{
    return !studio_is_lamp(w, thing) && material_is_glass(&w->material[thing]);
}

/* Lamps smaller than the distance that rays leave surfaces by are points. */
static inline bool studio_is_disc(const studio *w, const scene_lamp *l)
{
    return l->radius > w->skin;
}

static inline bool studio_is_hidden(const studio *w, uint32_t solid)
{
    return w->scene->solids[solid].material.hidden || solid == w->around;
}
/* Leaves out the first opaque solid that a point is inside of: nothing but its inner side would be seen from
 * there. */
void studio_step_out(studio *w, rill_vec3 eye);
/* Whether the domain or a plane cuts a solid, which is then drawn by its distance alone. */
bool studio_solid_is_cut(const studio *w, uint32_t solid, const solid_place *place);

/* surface: NULL for particles. White water of the view is drawn as spheres, as the scene has them. The scene
 * outlives the studio. */
RILL_CHECKED rill_status studio_create(rill_ctx *ctx, const rill_scene *scene, const rill_view *view,
                                       const trimesh *surface, const uint8_t (*particle_color)[3],
                                       studio *out);
void studio_clear(rill_ctx *ctx, studio *w);

/* The copy of the surface, in touch with solids and floor, and its motion. */
RILL_CHECKED rill_status studio_take_liquid(rill_ctx *ctx, studio *w, const trimesh *surface, double spacing);

bool studio_intersect(const studio *w, const studio_ray *ray, studio_hit *hit);
/* Of one solid; part of the above. */
bool studio_meet_solid(const studio *w, uint32_t k, const studio_ray *ray, double to, studio_hit *hit);
/* Whether a point is inside the liquid, by counting surfaces; inside a solid. */
bool studio_in_liquid(const studio *w, rill_vec3 x);
bool studio_in_solid(const studio *w, uint32_t k, rill_vec3 x);

/* The colour of what was hit: of its material or its particle. */
rill_vec3 studio_color(const studio *w, const studio_hit *hit);
/* Radiance that a thing gives off itself, to the side of its normal. */
rill_vec3 studio_emission(const studio *w, uint32_t thing);

/* ---- what a point is inside of ---- */

enum { MEDIA_MOST = 12, MEDIA_AIR = UINT32_MAX };
typedef struct media {
    uint32_t thing[MEDIA_MOST], count; /* in the order they were entered */
    bool tinted;                       /* liquid with a colour of its own was entered: */
    rill_vec3 tint;                    /* what that absorbs, 1/m */
} media;

media studio_media_at(const studio *w, rill_vec3 x);
uint32_t studio_medium(const studio *w, const media *m); /* of the highest priority, MEDIA_AIR: none */
double studio_index(const studio *w, uint32_t medium);
/* The share of light left after a way of `length` in the medium. */
rill_vec3 studio_through(const studio *w, const media *m, double length);
/* A ray meets the surface of liquid with colours: what absorbs from there on, or, from inside, the mean with
 * where it came in. */
void studio_see_tint(const studio *w, const studio_hit *h, media *m);

/* Crossing the surface of glass (Schmidt and Budge 2002). */
typedef struct media_border {
    media after;
    uint32_t from, to; /* media on both sides; the same: there is nothing to see here */
} media_border;
media_border studio_border(const studio *w, const media *m, uint32_t thing, bool enters);
/* A ray along *direction at glass: reflected or refracted by chance (random[0]), with the media it is in and
 * its weight; by a rough surface at one of its facets (random[1], random[2]). False: nothing is to be seen
 * there, and it goes straight on. */
bool studio_cross(const studio *w, const studio_hit *h, const double random[3], media *m,
                  rill_vec3 *direction, rill_vec3 *weight);
