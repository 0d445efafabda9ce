/* How opaque surfaces scatter light: diffuse, plastic, metal; and what glass has.
 *
 * Plastic is a rough clear coat over a diffuse base, coupled so that no light is lost (Kelemen and
 * Szirmay-Kalos 2001); what GGX loses by scattering once only is given back (Kulla and Conty 2017). A white
 * surface in white light is white whatever its roughness: both need the directional albedo of the
 * coat or the bare metal, kept as a table. Directions are in the frame of the surface, away from it. */
#pragma once

#include "flow/scene.h"
#include "render/path/optics.h"
#include "render/path/picture.h"

enum { MATERIAL_ALBEDOS = 64 };

typedef struct material {
    scene_material look;
    double alpha;                        /* of GGX */
    double albedo[MATERIAL_ALBEDOS + 1]; /* of the coat or the metal, by cosine from 0 to 1 */
    double mean_albedo;                  /* cosine-weighted */
    const path_picture *texture;         /* borrowed; NULL: none */
} material;

material material_of(const scene_material *look);
static inline bool material_is_glass(const material *m)
{
    return m->look.kind == MATERIAL_GLASS;
}
/* Its colour at a point, in the coordinates that its pattern lies in, with the normal there: of one of two
 * squares, times the texture. */
rill_vec3 material_color(const material *m, rill_vec3 point, rill_vec3 normal);

/* Share of light from all sides that it spreads evenly, seen under a cosine. */
rill_vec3 material_diffuse(const material *m, rill_vec3 color, double cosine);

/* What is reflected from `in` to `out`, times the cosine of `in`. */
rill_vec3 material_eval(const material *m, rill_vec3 color, rill_vec3 out, rill_vec3 in);
double material_pdf(const material *m, rill_vec3 color, rill_vec3 out, rill_vec3 in); /* of sample, 1/sr */
/* A direction and eval / pdf there; false: the light ends here. random: three numbers. */
bool material_sample(const material *m, rill_vec3 color, rill_vec3 out, const double random[3], rill_vec3 *in,
                     rill_vec3 *weight, double *pdf);
