#include "render/path/trace.h"

enum { ROULETTE_FROM = 4 };        /* bounces before paths may end by chance */
static const double endless = 1e3; /* a way through liquid without an end, in sizes of the domain */

typedef struct {
    const tracer *t;
    studio_ray ray;
    dice *dice;
    media media;
    rill_vec3 light, weight; /* gathered so far; of what is still to come */
    double pdf;              /* of the direction, at the last opaque surface; 0: the eye or glass was last */
    bool scattered;          /* there was an opaque surface */
    trace_guide *guide;
    bool has_normal, has_albedo;
} path;

static double balance(double mine, double other)
{
    return mine * mine / (mine * mine + other * other);
}

static void add(path *p, rill_vec3 light, double share)
{
    p->light = v3_add(p->light, v3_scale(v3_times(p->weight, light), share));
}

static void set_albedo(path *p, rill_vec3 color)
{
    if (!p->has_albedo) p->guide->albedo = color;
    p->has_albedo = true;
}

/* ---- from a surface to a light ---- */

/* The share of light that arrives along a straight way. glass: whether it goes through, dimmed. */
static rill_vec3 visible(const path *p, rill_vec3 from, rill_vec3 direction, double length, bool glass)
{
    const studio *w = p->t->studio;
    studio_ray r = p->ray;
    media m = p->media;
    rill_vec3 share = v3(1, 1, 1);
    r.origin = from, r.direction = direction, r.to = length;
    for (int i = 0; i < 64; i++) {
        studio_hit h;
        const uint32_t medium = studio_medium(w, &m);
        if (!studio_intersect(w, &r, &h))
            return v3_times(share, studio_through(w, medium, fmin(r.to, endless * w->size)));
        if (!glass || !studio_is_glass(w, h.thing)) return v3(0, 0, 0);
        share = v3_times(share, studio_through(w, medium, h.t));
        const double cosine = v3_dot(h.normal, direction);
        const media_border b = studio_border(w, &m, h.thing, v3_dot(h.face, direction) < 0);
        if (b.from != b.to) {
            /* straight through: the denser side's angle, so that nothing is reflected totally */
            const double index = studio_index(w, b.to) / studio_index(w, b.from);
            const double f = optics_fresnel(cosine, fmax(index, 1 / index));
            share = v3_scale(v3_times(share, w->material[h.thing].look.color), 1 - f);
        }
        m = b.after;
        r.origin = v3_madd(h.point, w->skin, direction);
        r.to -= h.t + w->skin;
        if (!(r.to > 0)) return share;
    }
    return v3(0, 0, 0);
}

/* An opaque surface as light is gathered at it. */
typedef struct {
    const material *material;
    rill_vec3 color, out, origin; /* out: in the frame */
    optics_frame frame;
    rill_vec3 face; /* to the side the path comes from */
} place;

static rill_vec3 reflected(const place *s, rill_vec3 direction, double *pdf)
{
    *pdf = 0;
    if (!(v3_dot(direction, s->face) > 0)) return v3(0, 0, 0);
    const rill_vec3 in = optics_local(&s->frame, direction);
    *pdf = material_pdf(s->material, s->color, s->out, in);
    return material_eval(s->material, s->color, s->out, in);
}

static bool is_dark(rill_vec3 c)
{
    return !(c.x > 0 || c.y > 0 || c.z > 0);
}

static void gather_sky(path *p, const place *s)
{
    const sky *k = p->t->sky;
    double two[2], pdf, own;
    dice_throw(p->dice, two);
    if (k->dark) return;
    const rill_vec3 d = sky_sample(k, two[0], two[1], &pdf);
    const rill_vec3 f = reflected(s, d, &own);
    if (!(pdf > 0) || is_dark(f)) return;
    const rill_vec3 seen = visible(p, s->origin, d, INFINITY, false);
    add(p, v3_times(v3_times(f, seen), sky_radiance(k, d)), balance(pdf, own) / pdf);
}

static void gather_sun(path *p, const place *s)
{
    const sky *k = p->t->sky;
    double two[2], own;
    dice_throw(p->dice, two);
    if (!sky_has_sun(k)) return;
    const rill_vec3 d = sky_sun_sample(k, two[0], two[1]);
    const rill_vec3 f = reflected(s, d, &own);
    if (is_dark(f)) return;
    const rill_vec3 seen = visible(p, s->origin, d, INFINITY, p->t->caustics == CAUSTICS_STRAIGHT);
    const double pdf = sky_sun_pdf(k);
    add(p, v3_times(v3_times(f, seen), k->sun_light), pdf > 0 ? balance(pdf, own) : 1);
}

/* Density, by solid angle, of sampling a lamp there. */
static double lamp_pdf(const studio *w, uint32_t k, rill_vec3 direction, double distance)
{
    const scene_lamp *l = &w->lamp[k];
    const double cosine = -v3_dot(direction, v3_unit(l->normal));
    if (!(cosine > 0)) return 0;
    return distance * distance / (cosine * OPTICS_PI * l->radius * l->radius * w->lamp_count);
}

static void gather_lamps(path *p, const place *s)
{
    const studio *w = p->t->studio;
    if (w->lamp_count == 0) return;
    double two[2], own;
    const uint32_t pick = (uint32_t)(dice_one(p->dice) * w->lamp_count);
    const uint32_t k = pick < w->lamp_count ? pick : w->lamp_count - 1;
    const scene_lamp *l = &w->lamp[k];
    dice_throw(p->dice, two);
    const optics_frame f = optics_frame_of(v3_unit(l->normal));
    const rill_vec3 spot = optics_cosine(two[0], two[1]);
    const rill_vec3 at = v3_madd(v3_madd(l->center, l->radius * spot.x, f.x), l->radius * spot.y, f.y);
    const rill_vec3 way = v3_sub(at, s->origin), d = v3_unit(way);
    const double distance = v3_length(way);
    const rill_vec3 bsdf = reflected(s, d, &own);
    if (is_dark(bsdf) || !(distance > 0)) return;
    const rill_vec3 seen = visible(p, s->origin, d, distance - p->t->studio->skin, l->radius <= 0);
    if (l->radius > 0) {
        const double pdf = lamp_pdf(w, k, d, distance);
        if (pdf > 0)
            add(p, v3_times(v3_times(bsdf, seen), studio_emission(w, studio_lamps(w) + k)),
                balance(pdf, own) / pdf);
    } else { /* a point: its power over all directions */
        const double least = w->skin * w->skin;
        add(p, v3_times(v3_times(bsdf, seen), l->color),
            l->power * w->lamp_count / (4 * OPTICS_PI * fmax(distance * distance, least)));
    }
}

/* ---- the steps of a path ---- */

static void miss(path *p)
{
    const sky *k = p->t->sky;
    const rill_vec3 d = p->ray.direction;
    const studio *w = p->t->studio;
    p->weight = v3_times(p->weight, studio_through(w, studio_medium(w, &p->media), endless * w->size));
    add(p, sky_radiance(k, d), p->pdf > 0 ? balance(p->pdf, sky_pdf(k, d)) : 1);
    /* through glass to an opaque surface: gathered there in another way */
    if (!(p->scattered && p->pdf == 0))
        add(p, sky_sun_radiance(k, d), p->pdf > 0 ? balance(p->pdf, sky_sun_pdf(k)) : 1);
    set_albedo(p, v3(1, 1, 1));
}

static void see_emission(path *p, const studio_hit *h, bool outside)
{
    const studio *w = p->t->studio;
    const rill_vec3 e = studio_emission(w, h->thing);
    if (!outside || is_dark(e)) return;
    const double other =
        studio_is_lamp(w, h->thing) ? lamp_pdf(w, h->thing - studio_lamps(w), p->ray.direction, h->t) : 0;
    add(p, e, p->pdf > 0 && other > 0 ? balance(p->pdf, other) : 1);
}

static void leave(path *p, rill_vec3 point, rill_vec3 face, rill_vec3 direction)
{
    const double side = v3_dot(face, direction) > 0 ? 1 : -1;
    p->ray.origin = v3_madd(point, side * p->t->studio->skin, face);
    p->ray.direction = direction;
    p->ray.to = INFINITY;
}

static void cross_glass(path *p, const studio_hit *h)
{
    const double chance = dice_one(p->dice);
    rill_vec3 d = p->ray.direction;
    if (studio_cross(p->t->studio, h, chance, &p->media, &d, &p->weight)) p->pdf = 0;
    leave(p, h->point, h->face, d);
}

/* False: the path ends here. */
static bool scatter(path *p, const studio_hit *h)
{
    const studio *w = p->t->studio;
    const double side = v3_dot(h->face, p->ray.direction) < 0 ? 1 : -1; /* both sides are the same */
    place s = {.material = &w->material[h->thing],
               .color = studio_color(w, h),
               .face = v3_scale(h->face, side),
               .origin = v3_madd(h->point, side * w->skin, h->face)};
    rill_vec3 n = v3_scale(h->normal, side);
    if (!(v3_dot(n, p->ray.direction) < -1e-3)) n = s.face;
    s.frame = optics_frame_of(n);
    s.out = optics_local(&s.frame, v3_neg(p->ray.direction));
    set_albedo(p, s.color);

    gather_sky(p, &s);
    gather_sun(p, &s);
    gather_lamps(p, &s);
    if (p->t->photons)
        add(p,
            v3_times(material_diffuse(s.material, s.color, s.out.z),
                     photon_map_light(p->t->photons, h->point, s.face)),
            1 / OPTICS_PI);

    double random[4];
    dice_throw(p->dice, random);
    dice_throw(p->dice, random + 2);
    rill_vec3 in, weight;
    if (!material_sample(s.material, s.color, s.out, random, &in, &weight, &p->pdf)) return false;
    const rill_vec3 d = optics_world(&s.frame, in);
    if (!(v3_dot(d, s.face) > 0)) return false;
    p->weight = v3_times(p->weight, weight);
    p->scattered = true;
    leave(p, h->point, h->face, v3_unit(d));
    return true;
}

static bool goes_on(path *p, int bounce)
{
    const double most = fmax(p->weight.x, fmax(p->weight.y, p->weight.z));
    if (!(most > 0)) return false;
    const double chance = dice_one(p->dice);
    if (bounce < ROULETTE_FROM || most >= 1) return true;
    const double keep = fmax(most, 0.05);
    if (chance >= keep) return false;
    p->weight = v3_scale(p->weight, 1 / keep);
    return true;
}

static void follow(path *p)
{
    const studio *w = p->t->studio;
    for (int bounce = 0; bounce < p->t->bounces; bounce++) {
        studio_hit h;
        p->ray.fade = dice_one(p->dice);
        if (!studio_intersect(w, &p->ray, &h)) {
            miss(p);
            return;
        }
        p->weight = v3_times(p->weight, studio_through(w, studio_medium(w, &p->media), h.t));
        const bool outside = v3_dot(h.face, p->ray.direction) < 0;
        if (!p->has_normal) p->guide->normal = v3_scale(h.normal, outside ? 1 : -1);
        p->has_normal = true;
        see_emission(p, &h, outside);
        if (studio_is_lamp(w, h.thing)) return;
        if (studio_is_glass(w, h.thing))
            cross_glass(p, &h);
        else if (!scatter(p, &h))
            return;
        if (!goes_on(p, bounce)) return;
    }
}

rill_vec3 trace_path(const tracer *t, rill_vec3 origin, rill_vec3 direction, double share, dice *d,
                     trace_guide *guide)
{
    path p = {.t = t,
              .ray = {.origin = origin, .direction = direction, .to = INFINITY, .share = share},
              .dice = d,
              .media = t->start,
              .weight = {1, 1, 1},
              .guide = guide};
    *guide = (trace_guide){0};
    follow(&p);
    return v3_finite(p.light) ? v3_max(p.light, v3(0, 0, 0)) : v3(0, 0, 0);
}
