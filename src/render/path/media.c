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

rill_vec3 studio_through(const studio *w, uint32_t medium, double length)
{
    if (medium == MEDIA_AIR) return v3(1, 1, 1);
    const rill_vec3 a = w->material[medium].look.absorption;
    return v3(a.x > 0 ? exp(-a.x * length) : 1, a.y > 0 ? exp(-a.y * length) : 1,
              a.z > 0 ? exp(-a.z * length) : 1);
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

bool studio_cross(const studio *w, const studio_hit *h, double chance, media *m, rill_vec3 *direction,
                  rill_vec3 *weight)
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
    if (chance >= optics_fresnel(v3_dot(n, d), index) && optics_refract(d, n, index, &through)) {
        /* A smooth normal may send light to the wrong side of the triangle. */
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
