#include "render/path/gather.h"

/* The share of light that arrives along a straight way. glass: whether it goes through, dimmed; as everywhere
 * on a path, over the squared index of what it arrives in. */
static rill_vec3 visible(const path *p, rill_vec3 from, rill_vec3 direction, double length, bool glass)
{
    const studio *w = p->t->studio;
    studio_ray r = p->ray;
    media m = p->media;
    rill_vec3 share = v3(1, 1, 1);
    r.origin = from, r.direction = direction, r.to = length;
    for (int i = 0; i < 64; i++) {
        studio_hit h;
        if (!studio_intersect(w, &r, &h)) {
            share = v3_times(share, studio_through(w, &m, fmin(r.to, gather_endless(w))));
            return p->t->haze ? v3_scale(share, haze_through(p->t->haze, from, direction, length, p->dice))
                              : share;
        }
        if (!glass || !studio_is_glass(w, h.thing)) return v3(0, 0, 0);
        studio_see_tint(w, &h, &m);
        share = v3_times(share, studio_through(w, &m, h.t));
        const double cosine = v3_dot(h.normal, direction);
        const media_border b = studio_border(w, &m, h.thing, v3_dot(h.face, direction) < 0);
        if (b.from != b.to) {
            /* straight through: the denser side's angle, so that nothing is reflected totally */
            const double index = studio_index(w, b.to) / studio_index(w, b.from);
            const double f = optics_fresnel(cosine, fmax(index, 1 / index));
            share = v3_scale(v3_times(share, w->material[h.thing].look.color), (1 - f) * index * index);
        }
        m = b.after;
        r.origin = v3_madd(h.point, w->skin, direction);
        r.to -= h.t + w->skin;
        if (!(r.to > 0)) return share;
    }
    return v3(0, 0, 0);
}

/* What the place sends along the path of light from a direction, and the density of the path's own sampling
 * there. */
static rill_vec3 reflected(const path *p, const place *s, rill_vec3 direction, double *pdf)
{
    *pdf = 0;
    if (!s->material) {
        const double phase = haze_phase(p->t->haze, v3_dot(s->out, direction));
        *pdf = phase;
        return v3_scale(s->color, phase);
    }
    if (!(v3_dot(direction, s->face) > 0)) return v3(0, 0, 0);
    const rill_vec3 in = optics_local(&s->frame, direction);
    *pdf = material_pdf(s->material, s->color, s->out, in);
    return material_eval(s->material, s->color, s->out, in);
}

static void gather_sky(path *p, const place *s)
{
    const sky *k = p->t->sky;
    double two[2], pdf, own;
    dice_throw(p->dice, two);
    if (k->dark) return;
    const rill_vec3 d = sky_sample(k, two[0], two[1], &pdf);
    const rill_vec3 f = reflected(p, s, d, &own);
    if (!(pdf > 0) || gather_is_dark(f)) return;
    const rill_vec3 seen = visible(p, s->origin, d, INFINITY, false);
    gather_add(p, v3_times(v3_times(f, seen), sky_radiance(k, d)), gather_balance(pdf, own) / pdf);
}

static void gather_sun(path *p, const place *s)
{
    const sky *k = p->t->sky;
    double two[2], own;
    dice_throw(p->dice, two);
    if (!sky_has_sun(k)) return;
    const rill_vec3 d = sky_sun_sample(k, two[0], two[1]);
    const rill_vec3 f = reflected(p, s, d, &own);
    if (gather_is_dark(f)) return;
    const rill_vec3 seen = visible(p, s->origin, d, INFINITY, p->t->caustics == CAUSTICS_STRAIGHT);
    const double pdf = sky_sun_pdf(k);
    gather_add(p, v3_times(v3_times(f, seen), k->sun_light), pdf > 0 ? gather_balance(pdf, own) : 1);
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
    const rill_vec3 bsdf = reflected(p, s, d, &own);
    if (gather_is_dark(bsdf) || !(distance > 0)) return;
    const bool straight =
        !studio_is_disc(w, l) && !(p->t->photons && s->material); /* nothing else finds a point */
    const rill_vec3 seen = visible(p, s->origin, d, distance - p->t->studio->skin, straight);
    if (studio_is_disc(w, l)) {
        const double pdf = lamp_pdf(w, k, d, distance);
        if (pdf > 0)
            gather_add(p, v3_times(v3_times(bsdf, seen), studio_emission(w, studio_lamps(w) + k)),
                       gather_balance(pdf, own) / pdf);
    } else { /* a point: its power over all directions */
        const double least = w->skin * w->skin;
        gather_add(p, v3_times(v3_times(bsdf, seen), l->color),
                   l->power * w->lamp_count / (4 * OPTICS_PI * fmax(distance * distance, least)));
    }
}

/* Solids that shine: a point on one of them. */
static void gather_glow(path *p, const place *s)
{
    const tracer *t = p->t;
    double random[4], own;
    glow_point at;
    if (!t->glow || t->glow->count == 0) return;
    dice_throw(p->dice, random);
    dice_throw(p->dice, random + 2);
    if (!glow_sample(t->glow, t->studio, p->ray.share, random, &at)) return;
    const rill_vec3 way = v3_sub(at.point, s->origin), d = v3_unit(way);
    const double distance = v3_length(way), cosine = -v3_dot(d, at.normal);
    if (!(cosine > 0) || !(distance > t->studio->skin)) return;
    const rill_vec3 f = reflected(p, s, d, &own);
    if (gather_is_dark(f)) return;
    const double pdf = at.pdf * distance * distance / cosine;
    /* not as far as the point itself: a triangle is not exactly where its corners say */
    const rill_vec3 seen =
        visible(p, s->origin, d, distance - 4 * t->studio->skin / fmax(cosine, 0.05), false);
    gather_add(p, v3_times(v3_times(f, seen), studio_emission(t->studio, at.thing)),
               gather_balance(pdf, own) / pdf);
}

void gather_light(path *p, const place *s)
{
    gather_sky(p, s);
    gather_sun(p, s);
    gather_lamps(p, s);
    gather_glow(p, s);
}

double gather_pdf(const tracer *t, const studio_hit *h, rill_vec3 direction)
{
    const studio *w = t->studio;
    if (studio_is_lamp(w, h->thing)) return lamp_pdf(w, h->thing - studio_lamps(w), direction, h->t);
    const double area = t->glow ? glow_pdf(t->glow, h->thing) : 0, cosine = -v3_dot(direction, h->face);
    return area > 0 && cosine > 0 ? area * h->t * h->t / cosine : 0;
}
