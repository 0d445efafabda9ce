/* How light meets smooth and rough surfaces: Fresnel, Snell, the GGX distribution.
 *
 * Directions are of unit length. `index` is that of the far side over that of the near one. The
 * functions of cosines and GGX work in the frame of the surface, its normal along z. */
#pragma once

#include "base/vec.h"

#define OPTICS_PI 3.14159265358979323846

static inline rill_vec3 v3_times(rill_vec3 a, rill_vec3 b)
{
    return v3(a.x * b.x, a.y * b.y, a.z * b.z);
}
/* Brightness, by the weights of Rec. 709. */
static inline double v3_luminance(rill_vec3 c)
{
    return 0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z;
}

/* A frame around a unit normal, Duff et al. 2017. */
typedef struct optics_frame {
    rill_vec3 x, y, z;
} optics_frame;
optics_frame optics_frame_of(rill_vec3 normal);
static inline rill_vec3 optics_local(const optics_frame *f, rill_vec3 a)
{
    return v3(v3_dot(f->x, a), v3_dot(f->y, a), v3_dot(f->z, a));
}
static inline rill_vec3 optics_world(const optics_frame *f, rill_vec3 a)
{
    return v3_madd(v3_madd(v3_scale(f->x, a.x), a.y, f->y), a.z, f->z);
}

/* Unpolarised reflectance for the cosine of the angle of incidence, 0 to 1; 1: total reflection. */
double optics_fresnel(double cosine, double index);
/* Schlick's reflectance of a metal whose reflectance straight on is `color`. */
rill_vec3 optics_metal(double cosine, rill_vec3 color);

/* d goes towards the surface, n is on the side it comes from. */
rill_vec3 optics_reflect(rill_vec3 d, rill_vec3 n);
/* False: total reflection, *out is left alone. */
bool optics_refract(rill_vec3 d, rill_vec3 n, double index, rill_vec3 *out);

/* GGX with Smith's masking, Walter et al. 2007; alpha = roughness^2, at least OPTICS_SMOOTHEST. */
#define OPTICS_SMOOTHEST 1e-3
double optics_ggx(rill_vec3 half, double alpha);                   /* density of normals, 1/sr */
double optics_ggx_lit(rill_vec3 out, double alpha);                /* masking of one direction, G1 */
double optics_ggx_both(rill_vec3 out, rill_vec3 in, double alpha); /* of two, correlated by height */
/* A normal among those visible from `out`, Heitz 2018; its density is G1 max(0, out.half) D / out.z. */
rill_vec3 optics_ggx_sample(rill_vec3 out, double alpha, double u, double v);

/* Around z: cosine-weighted over the hemisphere; uniform in the cone of the cosine given. */
rill_vec3 optics_cosine(double u, double v);
rill_vec3 optics_cone(double cosine, double u, double v);
