/* Which liquid a part of the surface bounds. Parts are closed; one whose volume is negative is a cavity, and
 * bounds the liquid around it: that of the cells next to it, which are those of another part as well. */
#include "base/union_find.h"
#include "voronoi/state.h"

rill_status brochu_bodies(brochu_diagram *d)
{
    const uint32_t n = d->sites.real;
    TRY(ARENA_NEW(&d->arena, d->body, n + 1));
    union_find_init(d->body, n);
    for (uint32_t e = 0; e < d->faces.count; e++) {
        const uint32_t a = d->faces.site[e][0], b = d->faces.site[e][1];
        if (d->faces.valid[e] && d->sites.liquid[a] && d->sites.liquid[b])
            (void)union_find_join(d->body, a, b);
    }
    (void)union_find_number(d->body, n);
    for (uint32_t i = 0; i < n; i++)
        if (!d->sites.liquid[i]) d->body[i] = SITE_NONE;
    return RILL_OK;
}

/* Which connected liquid is nearest to x, of the cells as they were before the motion. */
static uint32_t body_at(const brochu *s, const brochu_diagram *d, rill_vec3 x)
{
    const uint32_t at = brochu_nearest(s, d, brochu_clamp(s, x), SITE_NONE);
    if (d->body[at] != SITE_NONE) return d->body[at];
    uint32_t best = SITE_NONE;
    double least = INFINITY;
    for (uint32_t k = d->first[at]; k < d->first[at + 1]; k++) {
        const uint32_t *v = d->faces.site[d->link[k]], b = d->sites.of[v[0] == at ? v[1] : v[0]];
        if (!site_real(d, b) || d->body[b] == SITE_NONE || !(v3_distance(x, d->sites.x[b]) < least)) continue;
        least = v3_distance(x, d->sites.x[b]);
        best = d->body[b];
    }
    return best;
}

rill_status brochu_bubbles(brochu *s, const trimesh *mesh, const uint8_t **bubble)
{
    const rill_scene *scene = s->sim.scene;
    const uint32_t *part = tracker_vertex_parts(s->tracker);
    const tracker_part *known;
    size_t count;
    uint8_t *out;
    tracker_parts(s->tracker, &known, &count);
    TRY(ARENA_NEW(&s->scratch, out, count + 1));
    for (size_t p = 0; p < count; p++) out[p] = s->def.bubbles && known[p].volume < 0;
    if (s->def.bubbles && (scene->drain_count || scene->domain.open))
        for (size_t v = 0; v < mesh->vertex_count; v++)
            if (brochu_sink(s, mesh->position[v], NULL) < 0.05 * s->h) out[part[v]] = 0;
    *bubble = out;
    return RILL_OK;
}

rill_status brochu_groups(brochu *s, const trimesh *mesh, const uint32_t **group)
{
    const brochu_diagram *d = &s->diagram[s->now];
    const uint32_t *part = tracker_vertex_parts(s->tracker);
    const tracker_part *known;
    size_t count, cavities = 0;
    tracker_parts(s->tracker, &known, &count);
    uint32_t *out, *body;
    const uint8_t *bubble;
    TRY(brochu_bubbles(s, mesh, &bubble));
    TRY(ARENA_NEW(&s->scratch, out, count + 1));
    TRY(ARENA_NEW(&s->scratch, body, count + 1));
    for (size_t p = 0; p < count; p++) {
        out[p] = (uint32_t)p;
        body[p] = SITE_NONE;
        cavities += known[p].volume < 0;
    }
    *group = out;
    if (!cavities || !d->body || !d->sites.real) return RILL_OK;
    for (size_t v = 0; v < mesh->vertex_count; v++) /* the first vertex that has cells by it decides */
        if (body[part[v]] == SITE_NONE) body[part[v]] = body_at(s, d, mesh->position[v]);
    for (size_t p = 0; p < count; p++) {
        if (!(known[p].volume < 0) || bubble[p] || body[p] == SITE_NONE) continue;
        for (size_t q = 0; q < count; q++)
            if (known[q].volume > -known[p].volume && body[q] == body[p] &&
                (out[p] == p || known[q].volume > known[out[p]].volume))
                out[p] = (uint32_t)q;
    }
    return RILL_OK;
}
