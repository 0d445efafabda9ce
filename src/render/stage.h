/* What stands in a picture, and what a ray meets of it: the liquid's surface or the
 * particles (through Embree), or the level of a sampled field; the solids (meshes by their triangles; other
 * shapes by sphere tracing of their distance functions, Hart 1996), the ground, the edges of the domain.
 *
 * Solids are drawn inside the domain only, cut at its sides and by the plane that their material has. Hidden
 * ones are not there, glass is met by stage_glass alone. In two dimensions they
 * are prisms as thick as the domain. The ground is the plane of the domain's floor,
 * there only in three dimensions. */
#pragma once

#include "flow/method.h"
#include "geom/iso/level_rays.h"
#include "geom/mesh/rays.h"
#include "geom/mesh/trimesh.h"

typedef enum hit_kind { HIT_NOTHING, HIT_GROUND, HIT_SOLID, HIT_LIQUID, HIT_PARTICLE } hit_kind;

typedef struct stage_hit {
    hit_kind kind;
    double t;
    rill_vec3 point;
    rill_vec3 normal; /* unit, outward; of the liquid: interpolated from the vertices */
    rill_vec3 face;   /* unit, outward; geometric */
    uint32_t element; /* triangle, particle, or index of the solid */
    float u, v;
} stage_hit;

typedef struct stage {
    rays *rays;              /* owned */
    level_rays *field;       /* owned; NULL: a surface or particles are drawn */
    solids solids;           /* owned */
    const scene_solid *look; /* borrowed, per solid: its material */
    const trimesh *surface;  /* borrowed; NULL: particles or a field are drawn */
    const float *color[3];   /* its columns, per vertex; NULL: there are none */
    rill_box domain;
    int dimensions;
    double spacing, time;
    double size;  /* diagonal of the domain: lengths of the picture are fractions of it */
    double nudge; /* rays leave a surface by this much */
} stage;

/* surface or field may be NULL, and with both the particles are drawn. */
RILL_CHECKED rill_status stage_create(rill_ctx *ctx, const rill_scene *scene, const rill_view *view,
                                      const trimesh *surface, const level_grid *field, stage *out);
void stage_clear(rill_ctx *ctx, stage *s);

/* The nearest thing at from < t < to; HIT_NOTHING: the sky. direction is unit. */
stage_hit stage_intersect(const stage *s, rill_vec3 origin, rill_vec3 direction, double from, double to);
/* The next surface of glass that the ray enters in from < t < to; false: none. *out: where it leaves the
 * glass again. */
bool stage_glass(const stage *s, rill_vec3 origin, rill_vec3 direction, double from, double to,
                 stage_hit *hit, double *out);
/* The liquid's colour at a hit, mixed from its corners; false: it has none. */
bool stage_color(const stage *s, const stage_hit *hit, rill_vec3 *color);
/* The way to the nearest solid or the ground, whatever liquid is before it; INFINITY: neither. */
double stage_solid_way(const stage *s, rill_vec3 origin, rill_vec3 direction);
/* Whether liquid or a particle is in the way; whether what is in the way lets light through. */
bool stage_liquid_blocks(const stage *s, rill_vec3 origin, rill_vec3 direction, double from, double to);
static inline bool stage_is_clear(const stage *s)
{
    return s->surface || s->field;
}
bool stage_solid_blocks(const stage *s, rill_vec3 origin, rill_vec3 direction, double from, double to);

/* How much of a pixel the nearest edge of the domain before `to` covers: 0 to 1.
 * width: of a pixel at distance t it is width * t, or width alone when flat. */
double stage_edges(const stage *s, rill_vec3 origin, rill_vec3 direction, double to, double width, bool flat);
