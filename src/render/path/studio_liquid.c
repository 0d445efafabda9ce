/* The liquid's surface as it is drawn: in touch with what it lies on.
 *
 * A surface made of particles ends on walls or a little before them. The layer of air between, thinner
 * than anything in the picture, would reflect like a mirror. Vertices that are nearer to a solid or
 * the floor than `reach` and face it are moved a little into it. */
#include "base/parallel.h"
#include "render/path/studio.h"

#include <string.h>

static const double reach = 0.35, depth = 0.03; /* in spacings */
static const double facing = -0.4;              /* cosine of the normals of liquid and solid, at most */

typedef struct {
    studio *w;
    double spacing;
    const float (*velocity)[3]; /* per vertex; NULL: not known */
} taking;

static rill_vec3 normal_of(const trimesh *m, size_t i)
{
    return m->normal ? v3(m->normal[i][0], m->normal[i][1], m->normal[i][2]) : v3(0, 0, 0);
}

static rill_vec3 in_touch(const taking *t, size_t i)
{
    const studio *w = t->w;
    const rill_vec3 n = normal_of(&w->liquid, i);
    rill_vec3 x = w->liquid.position[i];
    solid_contact c;
    if (w->solids.count > 0 && v3_finite(x)) {
        const double d = solids_distance(&w->solids, x, w->time, &c);
        const bool near = d < reach * t->spacing && d > -depth * t->spacing && c.solid < SOLID_DOMAIN;
        if (near && (v3_dot(n, c.normal) < facing || d < depth * t->spacing))
            x = v3_madd(x, -(d + depth * t->spacing), c.normal);
    }
    const double up = x.y - w->ground;
    if (w->has_ground && up < reach * t->spacing && (n.y < facing || up < depth * t->spacing))
        x.y = fmin(x.y, w->ground - depth * t->spacing);
    return x;
}

static void touch_all(void *arg, size_t begin, size_t end, int worker)
{
    const taking *t = arg;
    studio *w = t->w;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 x = in_touch(t, i);
        w->liquid.position[i] = x;
        if (!w->end) continue;
        const rill_vec3 v = v3(t->velocity[i][0], t->velocity[i][1], t->velocity[i][2]);
        w->liquid.position[i] = v3_madd(x, -w->shutter / 2, v);
        w->end[i] = v3_madd(x, w->shutter / 2, v);
    }
}

static rill_status copy_of(rill_ctx *ctx, const trimesh *m, trimesh *out)
{
    *out = (trimesh){.vertex_count = m->vertex_count, .triangle_count = m->triangle_count};
    TRY(MEM_NEW(ctx, out->position, m->vertex_count));
    TRY(MEM_NEW(ctx, out->triangle, m->triangle_count));
    memcpy(out->position, m->position, m->vertex_count * sizeof *m->position);
    memcpy(out->triangle, m->triangle, m->triangle_count * sizeof *m->triangle);
    if (!m->normal) return RILL_OK;
    TRY(MEM_NEW(ctx, out->normal, m->vertex_count));
    memcpy(out->normal, m->normal, m->vertex_count * sizeof *m->normal);
    return RILL_OK;
}

static rill_status take_tint(rill_ctx *ctx, studio *w, const trimesh *m)
{
    static const char *const names[3] = {"red", "green", "blue"};
    const float *from[3] = {NULL, NULL, NULL};
    for (uint32_t k = 0; k < m->column_count; k++)
        for (int c = 0; c < 3; c++)
            if (m->column[k].width == 1 && strcmp(m->column[k].name, names[c]) == 0)
                from[c] = m->column[k].value;
    if (!from[0] || !from[1] || !from[2]) return RILL_OK;
    TRY(MEM_NEW(ctx, w->tint, m->vertex_count));
    for (size_t i = 0; i < m->vertex_count; i++)
        for (int c = 0; c < 3; c++) w->tint[i][c] = from[c][i];
    return RILL_OK;
}

rill_status studio_take_liquid(rill_ctx *ctx, studio *w, const trimesh *surface, double spacing)
{
    taking t = {.w = w, .spacing = spacing};
    for (uint32_t k = 0; k < surface->column_count; k++)
        if (surface->column[k].width == 3 && strcmp(surface->column[k].name, "velocity") == 0)
            t.velocity = (const float(*)[3])surface->column[k].value;
    TRY(copy_of(ctx, surface, &w->liquid));
    TRY(take_tint(ctx, w, surface));
    if (t.velocity && w->shutter > 0) TRY(MEM_NEW(ctx, w->end, surface->vertex_count));
    parallel_for(ctx, surface->vertex_count, 2048, touch_all, &t);
    return RILL_OK;
}
