/* A mesh sequence at a moment. */
#include "geom/distance/mesh_sequence_keys.h"

#include <string.h>

static rill_status make_span(rill_ctx *ctx, const mesh_sequence *s, size_t k, mesh_distance **out)
{
    trimesh m = s->mesh; /* borrowed */
    m.position = s->key[k].position;
    return mesh_distance_create_moving(ctx, &m, k + 1 < s->count ? s->key[k + 1].position : NULL,
                                       s->def.shell, out);
}

static bool prepared(const mesh_morph *m, size_t k)
{
    return k >= m->first && k - m->first < m->count;
}

rill_status mesh_morph_prepare(rill_ctx *ctx, mesh_morph *m, double from, double to)
{
    if (m->frames->count == 0) return RILL_OK;
    const size_t first = mesh_sequence_span(m->frames, from),
                 last = mesh_sequence_span(m->frames, fmax(from, to));
    if (prepared(m, first) && m->first == first && m->count == last - first + 1) return RILL_OK;
    const size_t count = last - first + 1;
    mesh_distance **span;
    TRY(MEM_NEW_ZERO(ctx, span, count));
    rill_status st = RILL_OK;
    for (size_t i = 0; !st && i < count; i++)
        if (!prepared(m, first + i)) st = make_span(ctx, m->frames, first + i, &span[i]);
    for (size_t i = 0; st && i < count; i++) mesh_distance_destroy(ctx, span[i]);
    if (st) {
        mem_free(ctx, span);
        return st;
    }
    for (size_t i = 0; i < count; i++) /* those that stay */
        if (prepared(m, first + i)) {
            span[i] = m->span[first + i - m->first];
            m->span[first + i - m->first] = NULL;
        }
    mesh_morph_clear(ctx, m);
    m->span = span;
    m->first = first;
    m->count = count;
    return RILL_OK;
}

void mesh_morph_clear(rill_ctx *ctx, mesh_morph *m)
{
    for (size_t i = 0; i < m->count; i++) mesh_distance_destroy(ctx, m->span[i]);
    mem_free(ctx, m->span);
    m->span = NULL;
    m->first = m->count = 0;
}

mesh_moment mesh_morph_at(const mesh_morph *m, double time)
{
    if (m->count == 0) return (mesh_moment){0};
    const mesh_sequence *s = m->frames;
    const size_t last = m->first + m->count - 1, wanted = mesh_sequence_span(s, time);
    const size_t k = wanted < m->first ? m->first : wanted > last ? last : wanted;
    mesh_moment at = {.span = m->span[k - m->first]};
    if (s->count == 1) return at;
    const double begin = s->key[k].time, end = s->key[k + 1].time;
    at.share = time <= begin ? 0 : time >= end ? 1 : (time - begin) / (end - begin);
    if (time >= s->key[0].time && time <= s->key[s->count - 1].time) at.rate = 1 / (end - begin);
    return at;
}

rill_vec3 mesh_moment_velocity(mesh_moment m, rill_vec3 x)
{
    if (!m.span || m.rate == 0) return v3(0, 0, 0);
    const mesh_closest c = mesh_distance_closest_at(m.span, m.share, x);
    return v3_scale(mesh_distance_way(m.span, &c), m.rate);
}

/* Three directions that go with a triangle. */
typedef struct {
    rill_vec3 along, across, up;
} frame;

static frame frame_of(mesh_moment m, uint32_t triangle)
{
    rill_vec3 p[3];
    for (int k = 0; k < 3; k++) {
        mesh_closest corner = {.triangle = triangle};
        corner.weight[k] = 1;
        p[k] = mesh_distance_point_at(m.span, m.share, &corner);
    }
    const rill_vec3 side = v3_sub(p[1], p[0]), normal = v3_cross(side, v3_sub(p[2], p[0]));
    if (!(v3_length(normal) > 0)) return (frame){v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1)};
    frame f = {.along = v3_unit(side), .up = v3_unit(normal)};
    f.across = v3_cross(f.up, f.along);
    return f;
}

rill_vec3 mesh_moment_carry(mesh_moment from, mesh_moment to, rill_vec3 x)
{
    if (!from.span || !to.span) return x;
    const mesh_closest c = mesh_distance_closest_at(from.span, from.share, x);
    const rill_vec3 off = v3_sub(x, c.point);
    const frame a = frame_of(from, c.triangle), b = frame_of(to, c.triangle);
    rill_vec3 y = mesh_distance_point_at(to.span, to.share, &c);
    y = v3_madd(y, v3_dot(off, a.along), b.along);
    y = v3_madd(y, v3_dot(off, a.across), b.across);
    return v3_madd(y, v3_dot(off, a.up), b.up);
}

/* The next key after a time; INFINITY when there is none. */
static double next_key(const mesh_sequence *s, double time)
{
    if (time < s->key[0].time) return s->key[0].time;
    return time < s->key[s->count - 1].time ? s->key[mesh_sequence_span(s, time) + 1].time : INFINITY;
}

/* Between keys everything goes straight; at most to the next one, then. */
double mesh_morph_free_share(const mesh_morph *m, double from, double to, rill_vec3 x, rill_vec3 step,
                             double margin)
{
    const mesh_sequence *s = m->frames;
    if (m->count == 0) return 1;
    double bound = next_key(s, from);
    while (bound - from <= 1e-9 * (to - from)) { /* as good as there */
        from = bound;
        bound = next_key(s, from);
    }
    const mesh_moment now = mesh_morph_at(m, from);
    const bool still = from < s->key[0].time || from >= s->key[s->count - 1].time;
    const double part = to > bound ? (bound - from) / (to - from) : 1;
    double share = now.share, way = 0;
    if (!still) {
        share = to >= bound ? 1 : mesh_morph_at(m, to).share;
        way = s->key[mesh_sequence_span(s, from)].speed * (fmin(to, bound) - from);
    }
    return part * mesh_distance_free_share(now.span, now.share, share, x, v3_scale(step, part), way, margin);
}
