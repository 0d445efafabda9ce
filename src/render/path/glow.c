#include "render/path/glow.h"

void glow_clear(rill_ctx *ctx, glow *g)
{
    mem_free(ctx, g->source);
    mem_free(ctx, g->areas);
    *g = (glow){0};
}

static double triangle_area(const trimesh *m, uint32_t k)
{
    const uint32_t *c = m->triangle[k];
    const rill_vec3 a = m->position[c[0]];
    return 0.5 * v3_length(v3_cross(v3_sub(m->position[c[1]], a), v3_sub(m->position[c[2]], a)));
}

/* The solid's pose and shape at a share of the shutter's time. */
typedef struct {
    solid_place place_room;
    shape form_room;
    const solid_place *place;
    const shape *form;
} standing;

static void stand(const studio *w, uint32_t k, double share, standing *s)
{
    const double time = w->time + (w->shutter > 0 ? (share - 0.5) * w->shutter : 0);
    s->place = solids_place_at(&w->solids, k, time, &s->place_room);
    s->form = solids_form_at(&w->solids, k, time, &s->form_room);
}

/* What of a thing can be sampled; area 0: nothing. */
static glow_source source_of(const studio *w, uint32_t thing)
{
    glow_source g = {.thing = thing};
    if (thing == studio_liquid(w)) {
        g.mesh = w->liquid.triangle_count > 0 ? &w->liquid : NULL;
        return g;
    }
    standing s;
    stand(w, thing, 0.5, &s);
    const double scale = s.place->pose.scale * s.place->pose.scale;
    if (studio_solid_is_cut(w, thing, s.place)) return g;
    if (s.form->kind == SHAPE_SPHERE)
        g.area = 4 * OPTICS_PI * s.form->sphere.radius * s.form->sphere.radius * scale;
    if (s.form->kind == SHAPE_BOX) {
        const rill_vec3 d = v3_sub(s.form->box.max, s.form->box.min);
        g.area = 2 * (d.x * d.y + d.y * d.z + d.z * d.x) * scale;
    }
    if (s.form->kind == SHAPE_MESH && s.form->mesh.owned && !mesh_distance_is_shell(s.form->mesh.owned))
        g.mesh = mesh_distance_surface(s.form->mesh.owned);
    return g;
}

/* Areas of a mesh's triangles, added up; their sum. */
static double add_up(const trimesh *m, double *out)
{
    double sum = 0;
    for (uint32_t k = 0; k < m->triangle_count; k++) {
        const double area = triangle_area(m, k);
        out[k] = sum += isfinite(area) ? area : 0;
    }
    return sum;
}

static bool shines(const studio *w, uint32_t thing)
{
    const rill_vec3 e = studio_emission(w, thing);
    return e.x > 0 || e.y > 0 || e.z > 0;
}

rill_status glow_create(rill_ctx *ctx, const studio *w, glow *out)
{
    glow g = {0};
    size_t triangles = 0, used = 0;
    double all = 0;
    rill_status st = MEM_NEW(ctx, g.source, (size_t)w->solids.count + 1);
    for (uint32_t k = 0; k <= studio_liquid(w) && !st; k++) {
        if (!shines(w, k) || (k < w->solids.count && studio_is_hidden(w, k))) continue;
        const glow_source s = source_of(w, k);
        if (!(s.area > 0) && !s.mesh) continue;
        g.source[g.count++] = s;
        triangles += s.mesh ? s.mesh->triangle_count : 0;
    }
    if (!st) st = MEM_NEW(ctx, g.areas, triangles);
    for (uint32_t k = 0; k < g.count && !st; k++) {
        glow_source *s = &g.source[k];
        if (s->mesh) {
            double scale = 1;
            standing at;
            if (s->thing < w->solids.count) {
                stand(w, s->thing, 0.5, &at);
                scale = at.place->pose.scale;
            }
            s->area = scale * scale * add_up(s->mesh, g.areas + used);
            s->to_area = g.areas + used;
            used += s->mesh->triangle_count;
        }
        s->share = s->area * v3_luminance(studio_emission(w, s->thing));
        all += s->share;
    }
    for (uint32_t k = 0; k < g.count; k++) g.source[k].share = all > 0 ? g.source[k].share / all : 0;
    if (st)
        glow_clear(ctx, &g);
    else
        *out = g;
    return st;
}

/* ---- points ---- */

static void on_triangle(const studio *w, const glow_source *s, double share, const double random[3],
                        rill_vec3 *point, rill_vec3 *normal)
{
    const trimesh *m = s->mesh;
    const double want = random[0] * s->to_area[m->triangle_count - 1];
    uint32_t low = 0, high = m->triangle_count - 1;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (s->to_area[middle] > want)
            high = middle;
        else
            low = middle + 1;
    }
    rill_vec3 c[3];
    for (int k = 0; k < 3; k++) {
        const uint32_t v = m->triangle[low][k];
        c[k] = m->position[v];
        if (s->thing == studio_liquid(w) && w->end) c[k] = v3_mix(c[k], w->end[v], share);
    }
    const double root = sqrt(random[1]), a = 1 - root, b = root * (1 - random[2]);
    *point = v3_madd(v3_madd(v3_scale(c[0], a), b, c[1]), 1 - a - b, c[2]);
    *normal = v3_unit(v3_cross(v3_sub(c[1], c[0]), v3_sub(c[2], c[0])));
}

static void on_box(const shape_box *b, const double random[3], rill_vec3 *point, rill_vec3 *normal)
{
    const rill_vec3 d = v3_sub(b->max, b->min);
    const double face[3] = {d.y * d.z, d.z * d.x, d.x * d.y};
    double want = random[0] * (face[0] + face[1] + face[2]);
    int axis = 0;
    while (axis < 2 && want >= face[axis]) want -= face[axis++];
    const bool up = 2 * want >= face[axis]; /* what is left of the number chooses the side */
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    *point = b->min;
    v3_set_axis(point, axis, v3_axis(up ? b->max : b->min, axis));
    v3_set_axis(point, u, v3_axis(b->min, u) + random[1] * v3_axis(d, u));
    v3_set_axis(point, v, v3_axis(b->min, v) + random[2] * v3_axis(d, v));
    *normal = v3(0, 0, 0);
    v3_set_axis(normal, axis, up ? 1 : -1);
}

static void on_sphere(const shape_sphere *s, const double random[2], rill_vec3 *point, rill_vec3 *normal)
{
    const double z = 1 - 2 * random[0], r = sqrt(fmax(0, 1 - z * z)), turn = 2 * OPTICS_PI * random[1];
    *normal = v3(r * cos(turn), r * sin(turn), z);
    *point = v3_madd(s->center, s->radius, *normal);
}

bool glow_sample(const glow *g, const studio *w, double share, const double random[4], glow_point *out)
{
    double want = random[0];
    uint32_t k = 0;
    if (g->count == 0) return false;
    while (k + 1 < g->count && want >= g->source[k].share) want -= g->source[k++].share;
    const glow_source *s = &g->source[k];
    if (!(s->area > 0 && s->share > 0)) return false;
    *out = (glow_point){.thing = s->thing, .pdf = s->share / s->area};
    if (s->thing == studio_liquid(w)) {
        on_triangle(w, s, share, random + 1, &out->point, &out->normal);
        return true;
    }
    standing at;
    stand(w, s->thing, share, &at);
    if (s->mesh)
        on_triangle(w, s, share, random + 1, &out->point, &out->normal);
    else if (at.form->kind == SHAPE_BOX)
        on_box(&at.form->box, random + 1, &out->point, &out->normal);
    else
        on_sphere(&at.form->sphere, random + 1, &out->point, &out->normal);
    out->point = solid_to_world(&at.place->pose, out->point);
    out->normal = v3_unit(solid_turned_back(&at.place->pose, out->normal));
    return true;
}

double glow_pdf(const glow *g, uint32_t thing)
{
    for (uint32_t k = 0; k < g->count; k++)
        if (g->source[k].thing == thing)
            return g->source[k].area > 0 ? g->source[k].share / g->source[k].area : 0;
    return 0;
}
