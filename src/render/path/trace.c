#include "render/path/trace.h"

#include "render/path/gather.h"

enum { ROULETTE_FROM = 4 }; /* bounces before paths may end by chance */

static void set_albedo(path *p, rill_vec3 color)
{
    if (!p->has_albedo) p->guide->albedo = color;
    p->has_albedo = true;
}

static void miss(path *p)
{
    const sky *k = p->t->sky;
    const rill_vec3 d = p->ray.direction;
    const studio *w = p->t->studio;
    p->weight = v3_times(p->weight, studio_through(w, &p->media, gather_endless(w)));
    gather_add(p, sky_radiance(k, d), p->pdf > 0 ? gather_balance(p->pdf, sky_pdf(k, d)) : 1);
    /* through glass to an opaque surface: gathered there in another way */
    if (!(p->scattered && p->pdf == 0))
        gather_add(p, sky_sun_radiance(k, d), p->pdf > 0 ? gather_balance(p->pdf, sky_sun_pdf(k)) : 1);
    set_albedo(p, v3(1, 1, 1));
}

static void see_emission(path *p, const studio_hit *h, bool outside)
{
    const studio *w = p->t->studio;
    const rill_vec3 e = studio_emission(w, h->thing);
    if (!outside || gather_is_dark(e)) return;
    const double other = gather_pdf(p->t, h, p->ray.direction);
    /* a lamp behind glass: photons carried its light to diffuse surfaces */
    const bool mapped = p->t->photons && p->scattered && p->pdf == 0 && studio_is_lamp(w, h->thing);
    gather_add(p, mapped ? v3_times(e, p->unmapped) : e,
               p->pdf > 0 && other > 0 ? gather_balance(p->pdf, other) : 1);
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
    double random[3] = {dice_one(p->dice), 0, 0};
    rill_vec3 d = p->ray.direction;
    if (p->t->studio->material[h->thing].look.frost > 0) dice_throw(p->dice, random + 1);
    if (studio_cross(p->t->studio, h, random, &p->media, &d, &p->weight)) p->pdf = 0;
    leave(p, h->point, h->face, d);
}

/* Of light from `in` that a surface reflects: the share that its diffuse part does not. */
static rill_vec3 undiffused(const place *s, rill_vec3 in)
{
    if (s->material->look.kind == MATERIAL_DIFFUSE) return v3(0, 0, 0);
    if (s->material->look.kind == MATERIAL_METAL) return v3(1, 1, 1);
    const rill_vec3 all = material_eval(s->material, s->color, s->out, in),
                    even = v3_scale(material_diffuse(s->material, s->color, s->out.z), in.z / OPTICS_PI);
    double share[3];
    for (int k = 0; k < 3; k++) share[k] = fmax(0, 1 - v3_axis(even, k) / fmax(v3_axis(all, k), 1e-30));
    return v3(share[0], share[1], share[2]);
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

    gather_light(p, &s);
    if (p->t->photons)
        gather_add(p,
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
    if (p->t->photons) p->unmapped = undiffused(&s, in);
    leave(p, h->point, h->face, v3_unit(d));
    return true;
}

/* A collision in smoke at t: light is gathered there, and the path goes on in another direction. */
static void collide(path *p, double t)
{
    const haze *h = p->t->haze;
    const rill_vec3 d = p->ray.direction;
    const place s = {.color = h->look.color, .out = d, .origin = v3_madd(p->ray.origin, t, d)};
    p->weight = v3_times(p->weight, studio_through(p->t->studio, &p->media, t));
    if (!p->has_normal) p->guide->normal = v3_neg(d);
    p->has_normal = true;
    set_albedo(p, s.color);
    gather_light(p, &s);

    double random[2];
    dice_throw(p->dice, random);
    p->ray.direction = haze_scatter(h, d, random);
    p->ray.origin = s.origin;
    p->ray.to = INFINITY;
    p->pdf = haze_phase(h, v3_dot(d, p->ray.direction));
    p->weight = v3_times(p->weight, s.color);
    p->scattered = true;
    p->unmapped = v3(1, 1, 1);
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

/* What the ray meets first: smoke, a surface, or nothing. False: the path ends here. */
static bool meet(path *p)
{
    const studio *w = p->t->studio;
    studio_hit h;
    double t;
    p->ray.fade = dice_one(p->dice);
    const bool any = studio_intersect(w, &p->ray, &h);
    if (p->t->haze &&
        haze_collide(p->t->haze, p->ray.origin, p->ray.direction, any ? h.t : INFINITY, p->dice, &t)) {
        collide(p, t);
        return true;
    }
    if (!any) {
        miss(p);
        return false;
    }
    studio_see_tint(w, &h, &p->media);
    p->weight = v3_times(p->weight, studio_through(w, &p->media, h.t));
    const bool outside = v3_dot(h.face, p->ray.direction) < 0;
    if (!p->has_normal) p->guide->normal = v3_scale(h.normal, outside ? 1 : -1);
    p->has_normal = true;
    see_emission(p, &h, outside);
    if (studio_is_lamp(w, h.thing)) return false;
    if (!studio_is_glass(w, h.thing)) return scatter(p, &h);
    cross_glass(p, &h);
    return true;
}

static void follow(path *p)
{
    for (int bounce = 0; bounce < p->t->bounces && meet(p) && goes_on(p, bounce); bounce++) {
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
