#include "geom/voronoi/voronoi_emit.h"

#include <immintrin.h>
#include <string.h>

static void *grown(rill_ctx *ctx, void *old, uint32_t *capacity, uint32_t used, uint32_t more, size_t size,
                   bool *failed)
{
    if (*capacity - used >= more) return old;
    const uint32_t wanted = (*capacity + more) * 2;
    void *fresh = mem_alloc(ctx, wanted, size);
    if (!fresh) {
        *failed = true;
        return old;
    }
    if (used) memcpy(fresh, old, used * size);
    mem_free(ctx, old);
    *capacity = wanted;
    return fresh;
}

static bool reserve(rill_ctx *ctx, voronoi_out *o, const voronoi_poly *p, bool vertices)
{
    o->face = grown(ctx, o->face, &o->face_capacity, o->faces, p->faces, sizeof *o->face, &o->failed);
    o->link = grown(ctx, o->link, &o->link_capacity, o->links, p->faces, sizeof *o->link, &o->failed);
    if (vertices) {
        o->corner = grown(ctx, o->corner, &o->corner_capacity, o->corners, p->first[p->faces],
                          sizeof *o->corner, &o->failed);
        o->vertex = grown(ctx, o->vertex, &o->vertex_capacity, o->vertices, p->vertices, sizeof *o->vertex,
                          &o->failed);
        o->owner =
            grown(ctx, o->owner, &o->owner_capacity, o->vertices, p->vertices, sizeof *o->owner, &o->failed);
    }
    return !o->failed;
}

/* (x, y, z, 0) to (y, z, x, 0). */
static inline __m256d turned(__m256d a)
{
    return _mm256_permute4x64_pd(a, _MM_SHUFFLE(3, 0, 2, 1));
}

static inline __m256d dot_all(__m256d a, __m256d b) /* in every lane */
{
    const __m256d p = _mm256_mul_pd(a, b), q = _mm256_add_pd(p, _mm256_permute_pd(p, 5));
    return _mm256_add_pd(q, _mm256_permute2f128_pd(q, q, 1));
}

/* Twice the area vector and the centroid of a face, relative to the site: a fan from its
 * first corner, weighed along the plane's normal. Returns their product, six times the
 * volume of the cone over the face. */
static inline double measure(const voronoi_poly *p, uint32_t f, __m256d *area2, __m256d *centroid)
{
    const uint32_t *at = p->corner + p->first[f];
    const uint32_t n = p->first[f + 1] - p->first[f];
    const __m256d o = _mm256_loadu_pd(p->vertex[at[0]]);
    /* Cross products are summed before their last turn: (a x b) = turned(a turned(b) - turned(a) b). */
    const __m256d normal = turned(turned(_mm256_loadu_pd(p->normal[f])));
    __m256d sum = _mm256_setzero_pd(), moment = sum, weight = sum;
    __m256d e = _mm256_sub_pd(_mm256_loadu_pd(p->vertex[at[1]]), o), et = turned(e);
    for (uint32_t i = 2; i < n; i++) {
        const __m256d g = _mm256_sub_pd(_mm256_loadu_pd(p->vertex[at[i]]), o), gt = turned(g);
        const __m256d cross = _mm256_fmsub_pd(e, gt, _mm256_mul_pd(et, g));
        const __m256d w = dot_all(cross, normal);
        sum = _mm256_add_pd(sum, cross);
        moment = _mm256_fmadd_pd(w, _mm256_add_pd(e, g), moment);
        weight = _mm256_add_pd(weight, w);
        e = g;
        et = gt;
    }
    const double w = _mm256_cvtsd_f64(weight);
    *area2 = turned(sum);
    *centroid = w > 0 ? _mm256_fmadd_pd(_mm256_set1_pd(1 / (3 * w)), moment, o) : o;
    return _mm256_cvtsd_f64(dot_all(*area2, *centroid));
}

static inline rill_vec3 vector_of(__m256d a)
{
    double v[4];
    _mm256_storeu_pd(v, a);
    return v3(v[0], v[1], v[2]);
}

static void emit_corners(voronoi_out *o, const voronoi_poly *p, uint32_t f, uint32_t id, rill_vec3 site,
                         uint32_t base, uint32_t *place)
{
    for (uint32_t e = p->first[f]; e < p->first[f + 1]; e++) {
        const uint32_t u = p->corner[e];
        if (place[u] == UINT32_MAX) {
            place[u] = o->vertices - base;
            o->owner[o->vertices] = id;
            o->vertex[o->vertices++] = v3_add(site, v3(p->vertex[u][0], p->vertex[u][1], p->vertex[u][2]));
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
    __m256d moment = _mm256_setzero_pd();
    uint32_t owned = 0, others = 0;
    uint32_t *link = o->link + o->links;
    for (uint32_t f = 0; f < p->faces; f++) {
        __m256d area2, centroid;
        const double part = measure(p, f, &area2, &centroid);
        volume6 += part;
        moment = _mm256_fmadd_pd(_mm256_set1_pd(part), centroid, moment);
        const bool cell_there = voronoi_is_cell(p->id[f]);
        const uint32_t other = cell_there ? b->order[p->id[f]] : p->id[f];
        smaller[others] = p->id[f];
        others += other < id;
        if (other < id) continue;
        const rill_vec3 a2 = vector_of(area2);
        if (!cell_there && v3_dot(a2, a2) <= 1e-30 * p->most2 * p->most2)
            continue; /* the wall touches a vertex or an edge */
        link[owned++] = p->id[f];
        voronoi_face *face = &o->face[o->faces++];
        *face = (voronoi_face){.a = id,
                               .b = other,
                               .area = v3_scale(a2, 0.5),
                               .centroid = v3_add(site, vector_of(centroid)),
                               .first = o->corners};
        if (vertices) emit_corners(o, p, f, id, site, base, place);
        face->count = o->corners - face->first;
    }
    memcpy(link + owned, smaller, others * sizeof *smaller);
    if (place != few) mem_free(ctx, place);
    /* Cones over the faces with their tips at the site. */
    *cell = (voronoi_cell){.volume = volume6 / 6,
                           .centroid = volume6 > 0 ? v3_madd(site, 0.75 / volume6, vector_of(moment)) : site,
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
    mem_free(ctx, o->owner);
    *o = (voronoi_out){0};
}
