/* What the vertices of a particle surface learn from the particles around them; see field.h. */
#include "base/parallel.h"
#include "flow/colors.h"
#include "surface/field.h"
#include "surface/window.h"

#include <string.h>

enum { MOST_COLUMNS = TRIMESH_MAX_COLUMNS + 2 }; /* floats a vertex: a velocity and the other columns */

typedef struct {
    const field *f;
    const level_grid *samples;
    const level_patches *patches;
    trimesh *mesh;
    int columns;                     /* floats of a vertex: velocity first */
    const float *from[MOST_COLUMNS]; /* the particles' columns, from the fourth on */
    sampler_near near[PARALLEL_MAX_THREADS];
    float *flow[PARALLEL_MAX_THREADS]; /* columns of the gathered particles, one after the other */
} dresser;

/* No particle reaches the vertex (a cell as wide as the kernel can do that): the
 * nearest one of those gathered stands in. */
static rill_vec3 nearest_one(const dresser *a, const sampler_near *near, const float *flow, size_t room,
                             rill_vec3 at, float out[MOST_COLUMNS])
{
    double least = INFINITY;
    rill_vec3 slope = {0};
    for (size_t i = 0; i < near->count; i++) {
        const rill_vec3 away = v3_sub(at, v3(near->x[i], near->y[i], near->z[i]));
        if (v3_dot(away, away) >= least) continue;
        least = v3_dot(away, away);
        slope = away;
        for (int c = 0; c < a->columns; c++) out[c] = flow[(size_t)c * room + i];
    }
    return slope;
}

/* Means at a vertex, weighted by (1 - s^2)^3; false when no particle reaches it. */
static bool means_at(const dresser *a, const sampler_near *near, const float *flow, size_t room, rill_vec3 at,
                     float out[MOST_COLUMNS])
{
    const f8 *px = (const f8 *)near->x, *py = (const f8 *)near->y, *pz = (const f8 *)near->z;
    const f8 *reach = (const f8 *)near->reach;
    const float x = (float)at.x, y = (float)at.y, z = (float)at.z;
    const size_t eights = (near->count + 7) / 8;
    f8 weight = {0}, sum[MOST_COLUMNS];
    memset(sum, 0, sizeof sum);
    for (size_t i = 0; i < eights; i++) {
        const f8 dx = x - px[i], dy = y - py[i], dz = z - pz[i];
        const f8 t = f8_positive(1 - (dx * dx + dy * dy + dz * dz) / (reach[i] * reach[i])), k = t * t * t;
        weight += k;
        for (int c = 0; c < a->columns; c++) sum[c] += k * ((const f8 *)(flow + (size_t)c * room))[i];
    }
    const float total = f8_sum(weight);
    if (!(total > 0)) return false;
    for (int c = 0; c < a->columns; c++) out[c] = f8_sum(sum[c]) / total;
    return true;
}

static void load_columns(const dresser *a, const sampler_near *near, float *flow, size_t room)
{
    const sampler *s = a->f->s;
    for (size_t i = 0; i < room; i++) {
        const uint32_t p = s->particle[near->place[i]];
        const rill_vec3 u = s->from->velocity[p];
        flow[i] = (float)u.x;
        flow[room + i] = (float)u.y;
        flow[2 * room + i] = (float)u.z;
        for (int c = 3; c < a->columns; c++) flow[(size_t)c * room + i] = a->from[c][p];
    }
}

static rill_vec3 flat_normal(rill_vec3 n, double side, bool cap)
{
    /* caps are flat; at their rim, wall and cap share a vertex and halve the angle */
    n.z = side;
    if (cap) n.x = n.y = 0;
    return v3_unit(n);
}

static void dress_patch(dresser *a, const level_patch *patch, int worker)
{
    const sampler *s = a->f->s;
    sampler_near *near = &a->near[worker];
    float *flow = a->flow[worker], mean[MOST_COLUMNS] = {0};
    sampler_gather(s, patch->block, near);
    const size_t room = (near->count + 7) & ~(size_t)7;
    load_columns(a, near, flow, room);
    level_window window;
    if (!a->f->slope) level_window_load(a->samples, patch->block, &window);
    const double wide = LEVEL_BLOCK;
    const rill_vec3 corner = v3_scale(v3(patch->block[0], patch->block[1], patch->block[2]), wide);
    trimesh_column *column = a->mesh->column;
    for (uint32_t i = patch->first; i < patch->first + patch->count; i++) {
        rill_vec3 at = v3_sub(v3_scale(v3_sub(a->mesh->position[i], s->origin), 1 / s->cell), corner);
        const double side = at.z > 0 ? 1 : -1; /* in two dimensions: which cap */
        if (s->layers == 1) at.z = 0;
        rill_vec3 slope = {0};
        if (!means_at(a, near, flow, room, at, mean))
            slope = nearest_one(a, near, flow, room, at, mean);
        else if (a->f->slope)
            slope = a->f->slope(a->f, near, at);
        if (!a->f->slope) slope = level_window_slope(&window, at);
        rill_vec3 n = v3_unit(slope);
        if (v3_dot(n, n) < 0.5) n = v3(0, 1, 0); /* a level field has no slope; any direction will do */
        if (s->layers == 1) n = flat_normal(n, side, i - patch->first < patch->flat);
        float *normal = a->mesh->normal[i];
        normal[0] = (float)n.x, normal[1] = (float)n.y, normal[2] = (float)n.z;
        memcpy(column[0].value + 3 * (size_t)i, mean, 3 * sizeof *mean);
        for (int c = 3; c < a->columns; c++) column[c - 2].value[i] = mean[c];
    }
}

static void dress_patches(void *arg, size_t begin, size_t end, int worker)
{
    dresser *a = arg;
    for (size_t i = begin; i < end; i++) dress_patch(a, &a->patches->patch[i], worker);
}

static rill_status add_column(rill_ctx *ctx, trimesh *m, const char *name, size_t length, int width)
{
    trimesh_column *c = &m->column[m->column_count];
    TRY(MEM_NEW(ctx, c->value, (size_t)width * m->vertex_count));
    memcpy(c->name, name, length);
    c->name[length] = 0;
    c->width = width;
    m->column_count++;
    return RILL_OK;
}

static rill_status check_room(rill_ctx *ctx, const trimesh *m)
{
    if (m->column_count < TRIMESH_MAX_COLUMNS) return RILL_OK;
    return rill_fail(ctx, RILL_USAGE, "surface: a mesh has room for %d columns; name fewer of them",
                     TRIMESH_MAX_COLUMNS);
}

/* The columns that are named, each once, "velocity" being there anyway. */
static rill_status add_named(rill_ctx *ctx, dresser *a, const char *names)
{
    static const char between[] = " ,";
    const particles *p = a->f->s->from;
    for (const char *at = names + strspn(names, between); *at; at += strspn(at, between)) {
        const size_t length = strcspn(at, between);
        char name[PARTICLE_NAME] = {0};
        if (length < sizeof name) memcpy(name, at, length);
        bool there = false;
        for (uint32_t c = 0; c < a->mesh->column_count; c++) there |= !strcmp(a->mesh->column[c].name, name);
        const float *value = particles_column(p, name);
        if (!there && !value)
            return rill_fail(ctx, RILL_USAGE,
                             "surface: the particles have no column \"%.*s\" to interpolate; rill info tells "
                             "what they have",
                             (int)length, at);
        if (!there) {
            TRY(check_room(ctx, a->mesh));
            TRY(add_column(ctx, a->mesh, name, length, 1));
            a->from[a->columns++] = value;
        }
        at += length;
    }
    return RILL_OK;
}

rill_status field_dress(rill_ctx *ctx, const field *f, const level_grid *samples,
                        const level_patches *patches, const char *names, const float *weight, trimesh *mesh)
{
    dresser a = {.f = f, .samples = samples, .patches = patches, .mesh = mesh, .columns = 3};
    float *color[3];
    rill_status st = MEM_NEW(ctx, mesh->normal, mesh->vertex_count);
    if (!st) st = add_column(ctx, mesh, "velocity", 8, 3);
    if (!st && names) st = add_named(ctx, &a, names);
    if (!st && colors_columns(f->s->from, color)) st = add_named(ctx, &a, COLORS_COLUMNS);
    if (!st && weight) st = check_room(ctx, mesh);
    if (!st && weight) st = add_column(ctx, mesh, "", 0, 1);
    if (!st && weight) a.from[a.columns++] = weight;
    for (int w = 0; w < parallel_workers(ctx) && !st; w++) {
        st = sampler_near_init(ctx, f->s, &a.near[w]);
        if (!st) st = MEM_NEW(ctx, a.flow[w], (size_t)a.columns * (f->s->most + 8));
    }
    if (!st) parallel_for(ctx, patches->count, 4, dress_patches, &a);
    for (int w = 0; w < parallel_workers(ctx); w++) {
        mem_free(ctx, a.flow[w]);
        sampler_near_clear(ctx, &a.near[w]);
    }
    return st;
}
