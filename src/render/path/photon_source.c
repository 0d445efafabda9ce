#include "render/path/photon_source.h"

/* The cone from a point around the ball; from inside the ball, all directions. */
typedef struct {
    rill_vec3 axis;
    double cosine; /* of its half angle */
} cone;

static cone cone_at(const photon_sources *s, rill_vec3 from)
{
    const rill_vec3 way = v3_sub(s->center, from);
    const double d2 = v3_dot(way, way), r2 = s->radius * s->radius;
    if (d2 <= r2 * (1 + 1e-9)) return (cone){v3(0, 1, 0), -1};
    return (cone){v3_unit(way), sqrt(1 - r2 / d2)};
}

static double cone_angle(const cone *c)
{
    return 2 * OPTICS_PI * (1 - c->cosine);
}

static const scene_lamp *lamp_of(const photon_sources *s, const photon_source *from)
{
    return &s->w->lamp[from->lamp];
}

/* Light of a source at the ball, roughly: what its photons are shared out by. */
static double light_of(const photon_sources *s, const photon_source *from)
{
    if (from->lamp == PHOTON_SUN) return v3_luminance(s->k->sun_light) * OPTICS_PI * s->radius * s->radius;
    const scene_lamp *l = lamp_of(s, from);
    const cone c = cone_at(s, l->center);
    const double all = l->power * v3_luminance(l->color);
    if (c.cosine < 0) return all;
    if (!studio_is_disc(s->w, l)) return all * cone_angle(&c) / (4 * OPTICS_PI);
    /* the whole ball may be behind the lamp's plane */
    const double ahead = v3_dot(c.axis, v3_unit(l->normal)), angle = sqrt(1 - c.cosine * c.cosine);
    return ahead + angle > 0 ? all * cone_angle(&c) / OPTICS_PI * fmax(ahead, 0.1 * angle) : 0;
}

static void share_out(photon_sources *s, size_t count)
{
    double sum = 0, before = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->count; i++) sum += light_of(s, &s->source[i]);
    if (!(sum > 0)) s->count = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        photon_source from = s->source[i];
        const double light = light_of(s, &from);
        from.begin = (size_t)((double)count * (before / sum));
        before += light;
        from.count = (size_t)((double)count * (before / sum)) - from.begin;
        if (light > 0 && from.count > 0) s->source[kept++] = from;
    }
    s->count = kept;
    if (kept > 0) s->source[kept - 1].count = count - s->source[kept - 1].begin;
}

rill_status photon_sources_create(rill_ctx *ctx, const studio *w, const sky *k, rill_vec3 center,
                                  double radius, size_t count, photon_sources *out)
{
    photon_sources s = {.center = center, .radius = radius, .w = w, .k = k};
    TRY(MEM_NEW(ctx, s.source, (size_t)w->lamp_count + 1));
    if (sky_has_sun(k)) s.source[s.count++] = (photon_source){.lamp = PHOTON_SUN};
    for (uint32_t i = 0; i < w->lamp_count; i++)
        s.source[s.count++] = (photon_source){.lamp = i, .start = studio_media_at(w, w->lamp[i].center)};
    share_out(&s, count);
    *out = s;
    return RILL_OK;
}

void photon_sources_clear(rill_ctx *ctx, photon_sources *s)
{
    mem_free(ctx, s->source);
    *s = (photon_sources){0};
}

const photon_source *photon_source_of(const photon_sources *s, size_t i)
{
    uint32_t k = s->count - 1;
    while (k > 0 && s->source[k].begin > i) k--;
    return &s->source[k];
}

/* Parallel light through the disc that the ball shows to the sun. */
static void start_at_sun(const photon_sources *s, const double random[4], studio_ray *ray, rill_vec3 *flux)
{
    const rill_vec3 sun = sky_sun_sample(s->k, random[2], random[3]),
                    at = optics_cosine(random[0], random[1]);
    const optics_frame f = optics_frame_of(sun);
    const rill_vec3 from = v3_madd(v3_madd(s->center, s->radius * at.x, f.x), s->radius * at.y, f.y);
    ray->origin = v3_madd(from, 4 * s->w->size, sun);
    ray->direction = v3_neg(sun);
    *flux = v3_scale(s->k->sun_light, OPTICS_PI * s->radius * s->radius);
}

static bool start_at_lamp(const photon_sources *s, const photon_source *from, const double random[4],
                          studio_ray *ray, rill_vec3 *flux)
{
    const scene_lamp *l = lamp_of(s, from);
    const rill_vec3 normal = v3_unit(l->normal), spot = optics_cosine(random[0], random[1]);
    const optics_frame f = optics_frame_of(normal);
    const rill_vec3 at = v3_madd(v3_madd(l->center, l->radius * spot.x, f.x), l->radius * spot.y, f.y);
    const bool disc = studio_is_disc(s->w, l);
    const cone c = cone_at(s, at);
    const optics_frame around = optics_frame_of(c.axis);
    ray->direction = optics_world(&around, optics_cone(c.cosine, random[2], random[3]));
    ray->origin = v3_madd(at, disc ? s->w->skin : 0, normal);
    double share = cone_angle(&c) / (4 * OPTICS_PI);
    if (disc && c.cosine < 0) { /* inside the ball: by the cosine, as it shines */
        ray->direction = optics_world(&f, optics_cosine(random[2], random[3]));
        share = 1;
    } else if (disc) /* radiance power / (pi area), as studio_emission, times area and cosine */
        share *= 4 * v3_dot(ray->direction, normal);
    *flux = v3_scale(l->color, l->power * share);
    return share > 0;
}

bool photon_start(const photon_sources *s, const photon_source *from, const double random[4], studio_ray *ray,
                  rill_vec3 *flux)
{
    bool any = true;
    if (from->lamp == PHOTON_SUN)
        start_at_sun(s, random, ray, flux);
    else
        any = start_at_lamp(s, from, random, ray, flux);
    *flux = v3_scale(*flux, 1 / (double)from->count);
    return any && v3_finite(*flux) && v3_finite(ray->direction);
}
