#include "geom/voronoi_emit.h"

#include <string.h>

static void *grown(rill_ctx *ctx, void *old, uint32_t *room, uint32_t used, uint32_t more, size_t size,
                   bool *failed)
{
    if (*room - used >= more) return old;
    const uint32_t wanted = (*room + more) * 2;
    void *fresh = mem_alloc(ctx, wanted, size);
    if (!fresh) {
        *failed = true;
        return old;
    }
    if (used) memcpy(fresh, old, used * size);
    mem_free(ctx, old);
    *room = wanted;
    return fresh;
}

static bool reserve(rill_ctx *ctx, voronoi_out *o, const voronoi_poly *p, bool vertices)
{
    o->face = grown(ctx, o->face, &o->face_room, o->faces, p->faces, sizeof *o->face, &o->failed);
    o->link = grown(ctx, o->link, &o->link_room, o->links, p->faces, sizeof *o->link, &o->failed);
    if (vertices) {
        o->corner = grown(ctx, o->corner, &o->corner_room, o->corners, p->first[p->faces], sizeof *o->corner,
                          &o->failed);
        o->vertex =
            grown(ctx, o->vertex, &o->vertex_room, o->vertices, p->vertices, sizeof *o->vertex, &o->failed);
    }
    return !o->failed;
}

/* Twice the area vector and the centroid of a face, relative to the site: a fan from its
 * first corner, weighed along the plane's normal. */
static inline void measure(const voronoi_poly *p, uint32_t f, rill_vec3 *area2, rill_vec3 *centroid)
{
    const uint32_t *at = p->corner + p->first[f];
    const uint32_t n = p->first[f + 1] - p->first[f];
    const rill_vec3 o = v3(p->x[at[0]], p->y[at[0]], p->z[at[0]]);
    const rill_vec3 normal = v3(p->nx[f], p->ny[f], p->nz[f]);
    rill_vec3 sum = {0, 0, 0}, moment = {0, 0, 0};
    double weight = 0;
    rill_vec3 e = v3(p->x[at[1]] - o.x, p->y[at[1]] - o.y, p->z[at[1]] - o.z);
    for (uint32_t i = 2; i < n; i++) {
        const rill_vec3 g = v3(p->x[at[i]] - o.x, p->y[at[i]] - o.y, p->z[at[i]] - o.z);
        const rill_vec3 cross = v3_cross(e, g);
        const double w = v3_dot(cross, normal);
        sum = v3_add(sum, cross);
        moment = v3_madd(moment, w, v3_add(e, g));
        weight += w;
        e = g;
    }
    *area2 = sum;
    *centroid = weight > 0 ? v3_madd(o, 1 / (3 * weight), moment) : o;
}

static void emit_corners(voronoi_out *o, const voronoi_poly *p, uint32_t f, rill_vec3 site, uint32_t base,
                         uint32_t *place)
{
    for (uint32_t e = p->first[f]; e < p->first[f + 1]; e++) {
        const uint32_t u = p->corner[e];
        if (place[u] == UINT32_MAX) {
            place[u] = o->vertices - base;
            o->vertex[o->vertices++] = v3(site.x + p->x[u], site.y + p->y[u], site.z + p->z[u]);
        }
        o->corner[o->corners++] = base + place[u];
    }
}

uint32_t voronoi_emit(rill_ctx *ctx, const bins *b, uint32_t k, const voronoi_poly *p, bool vertices,
                      voronoi_out *o, voronoi_cell *cell)
{
    if (!reserve(ctx, o, p, vertices)) return 0;
    const uint32_t id = b->order[k], base = o->vertices;
    const rill_vec3 site = v3(b->x[k], b->y[k], b->z[k]);
    uint32_t few[2 * SMALL_VERTICES], *place = few; /* of vertices; then smaller neighbours */
    if (p->vertices > SMALL_VERTICES) place = mem_alloc(ctx, 2 * (size_t)p->vertices, sizeof *place);
    if (!place) {
        o->failed = true;
        return 0;
    }
    for (uint32_t i = 0; i < p->vertices && vertices; i++) place[i] = UINT32_MAX;
    uint32_t *smaller = place + p->vertices; /* a cell has fewer faces than vertices */
    double volume6 = 0;
    rill_vec3 moment = {0, 0, 0};
    uint32_t owned = 0, others = 0;
    uint32_t *link = o->link + o->links;
    for (uint32_t f = 0; f < p->faces; f++) {
        rill_vec3 area2, centroid;
        measure(p, f, &area2, &centroid);
        const double part = v3_dot(area2, centroid);
        volume6 += part;
        moment = v3_madd(moment, part, centroid);
        const uint32_t other = voronoi_is_cell(p->id[f]) ? b->order[p->id[f]] : p->id[f];
        if (!voronoi_is_cell(other) && v3_dot(area2, area2) <= 1e-30 * p->most2 * p->most2)
            continue; /* the wall touches a vertex or an edge */
        if (other < id) {
            smaller[others++] = other;
            continue;
        }
        link[owned++] = other;
        voronoi_face *face = &o->face[o->faces++];
        *face = (voronoi_face){.a = id,
                               .b = other,
                               .area = v3_scale(area2, 0.5),
                               .centroid = v3_add(site, centroid),
                               .first = o->corners};
        if (vertices) emit_corners(o, p, f, site, base, place);
        face->count = o->corners - face->first;
    }
    memcpy(link + owned, smaller, others * sizeof *smaller);
    if (place != few) mem_free(ctx, place);
    /* Cones over the faces with their tips at the site. */
    *cell = (voronoi_cell){.volume = volume6 / 6,
                           .centroid = volume6 > 0 ? v3_madd(site, 0.75 / volume6, moment) : site,
                           .begin = o->links,
                           .faces = owned + others};
    o->links += owned + others;
    return owned;
}

void voronoi_out_clear(rill_ctx *ctx, voronoi_out *o)
{
    mem_free(ctx, o->face);
    mem_free(ctx, o->link);
    mem_free(ctx, o->corner);
    mem_free(ctx, o->vertex);
    *o = (voronoi_out){0};
}
