/* Nested glass, by priorities: of several media at a point, the one with the highest is there. */
#include "render/path/studio.h"

static media with(const media *m, uint32_t thing)
{
    media out = *m;
    if (out.count < MEDIA_MOST) out.thing[out.count++] = thing;
    return out;
}

/* Without the one of this thing that was entered last. */
static media without(const media *m, uint32_t thing)
{
    media out = *m;
    uint32_t at = m->count;
    while (at > 0 && m->thing[at - 1] != thing) at--;
    if (at == 0) return out;
    for (uint32_t i = at; i < m->count; i++) out.thing[i - 1] = m->thing[i];
    out.count--;
    return out;
}

uint32_t studio_medium(const studio *w, const media *m)
{
    uint32_t best = MEDIA_AIR;
    for (uint32_t i = 0; i < m->count; i++)
        if (best == MEDIA_AIR || w->material[m->thing[i]].look.priority >= w->material[best].look.priority)
            best = m->thing[i];
    return best;
}

double studio_index(const studio *w, uint32_t medium)
{
    return medium == MEDIA_AIR ? 1 : w->material[medium].look.index;
}

rill_vec3 studio_through(const studio *w, const media *m, double length)
{
    const uint32_t medium = studio_medium(w, m);
    if (medium == MEDIA_AIR) return v3(1, 1, 1);
    const rill_vec3 a =
        m->tinted && medium == studio_liquid(w) ? m->tint : w->material[medium].look.absorption;
    return v3(a.x > 0 ? exp(-a.x * length) : 1, a.y > 0 ? exp(-a.y * length) : 1,
              a.z > 0 ? exp(-a.z * length) : 1);
}

/* A layer of a third of the domain's diagonal has the colour itself. */
static double absorbed(const studio *w, float color)
{
    return -3 * log(fmin(fmax((double)color, 2e-3), 1)) / w->size;
}

void studio_see_tint(const studio *w, const studio_hit *h, media *m)
{
    if (!w->tint || h->thing != studio_liquid(w)) return;
    const uint32_t *corner = w->liquid.triangle[h->element];
    const float share[3] = {1 - h->u - h->v, h->u, h->v};
    float c[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) c[k] += share[i] * w->tint[corner[i]][k];
    const rill_vec3 here = v3(absorbed(w, c[0]), absorbed(w, c[1]), absorbed(w, c[2]));
    const bool inside = m->tinted && studio_medium(w, m) == studio_liquid(w);
    m->tint = inside ? v3_mix(m->tint, here, 0.5) : here;
    m->tinted = true;
}

media_border studio_border(const studio *w, const media *m, uint32_t thing, bool enters)
{
    if (enters) {
        const media after = with(m, thing);
        return (media_border){after, studio_medium(w, m), studio_medium(w, &after)};
    }
    /* A path that leaves what it never entered has been inside: of a mesh with holes, or a folded one. */
    bool known = false;
    for (uint32_t i = 0; i < m->count; i++) known |= m->thing[i] == thing;
    const media before = known ? *m : with(m, thing), after = without(&before, thing);
    return (media_border){after, studio_medium(w, &before), studio_medium(w, &after)};
}

media studio_media_at(const studio *w, rill_vec3 x)
{
    media m = {.count = 0};
    if (studio_is_glass(w, studio_liquid(w)) && studio_in_liquid(w, x)) m = with(&m, studio_liquid(w));
    for (uint32_t k = 0; k < w->solids.count; k++)
        if (studio_is_glass(w, k) && studio_in_solid(w, k, x)) m = with(&m, k);
    return m;
}

/* The normal of the facet that a ray meets: the surface's own, or one of its roughness seen from the ray. */
static rill_vec3 facet(const studio *w, uint32_t thing, rill_vec3 n, rill_vec3 d, const double random[2])
{
    const double frost = w->material[thing].look.frost;
    if (!(frost > 0)) return n;
    const optics_frame f = optics_frame_of(n);
    const rill_vec3 out = optics_local(&f, v3_neg(d));
    if (!(out.z > 1e-4)) return n;
    return v3_unit(optics_world(
        &f, optics_ggx_sample(out, fmax(frost * frost, OPTICS_SMOOTHEST), random[0], random[1])));
}

/* DEVIATES: Walter et al. 2007 lose the light that facets hide from each other; here none is lost, so that
 * frosted glass in a furnace is as bright as clear glass. */
bool studio_cross(const studio *w, const studio_hit *h, const double random[3], media *m,
                  rill_vec3 *direction, rill_vec3 *weight)
{
    const rill_vec3 d = *direction;
    const bool enters = v3_dot(h->face, d) < 0;
    const media_border b = studio_border(w, m, h->thing, enters);
    if (b.from == b.to) {
        *m = b.after;
        return false;
    }
    const double index = studio_index(w, b.to) / studio_index(w, b.from), side = enters ? 1 : -1;
    const rill_vec3 face = v3_scale(h->face, side);
    rill_vec3 n = v3_scale(h->normal, side), through = d;
    if (!(v3_dot(n, d) < 0)) n = face;
    n = facet(w, h->thing, n, d, random + 1);
    if (random[0] >= optics_fresnel(fmin(1, -v3_dot(n, d)), index) && optics_refract(d, n, index, &through)) {
        /* A smooth or rough normal may send light to the wrong side of the triangle. */
        if (!(v3_dot(through, face) < 0) && !optics_refract(d, face, index, &through)) through = d;
        *m = b.after;
        *weight = v3_times(*weight, w->material[h->thing].look.color);
        *direction = through;
    } else {
        *direction = optics_reflect(d, n);
        if (!(v3_dot(*direction, face) > 0)) *direction = optics_reflect(d, face);
    }
    return true;
}
