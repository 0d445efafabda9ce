#include "render/path/studio.h"

#include "flow/body_poses.h"
#include "render/shade.h"

#include <string.h>

static const double far = 1e4;                   /* in sizes of the domain */
static const double fade_from = 6, fade_to = 16; /* of the ground, likewise, from the domain's middle */

/* Reads the image of a material, each file once. */
static rill_status find_texture(rill_ctx *ctx, studio *w, material *m, const char **file)
{
    const char *path = m->look.texture;
    if (!path || !path[0]) return RILL_OK;
    uint32_t k = 0;
    while (k < w->texture_count && strcmp(file[k], path) != 0) k++;
    if (k == w->texture_count) {
        TRY(picture_read(ctx, path, &w->texture[k]));
        file[w->texture_count++] = path;
    }
    m->texture = &w->texture[k];
    return RILL_OK;
}

static rill_status find_textures(rill_ctx *ctx, studio *w)
{
    const uint32_t things = w->solids.count + 3;
    const char **file = NULL;
    TRY(MEM_NEW(ctx, w->texture, things));
    rill_status st = MEM_NEW(ctx, file, things);
    for (uint32_t k = 0; k < things && !st; k++) st = find_texture(ctx, w, &w->material[k], file);
    mem_free(ctx, file);
    return st;
}

static rill_status make_materials(rill_ctx *ctx, const rill_scene *scene, studio *w)
{
    TRY(MEM_NEW(ctx, w->material, (size_t)w->solids.count + 3));
    for (uint32_t k = 0; k < w->solids.count; k++) {
        const scene_material *look = &scene->solids[k].material;
        const bool again = k > 0 && memcmp(look, &scene->solids[k - 1].material, sizeof *look) == 0;
        w->material[k] = again ? w->material[k - 1] : material_of(look);
    }
    const scene_material beads = {
        .kind = MATERIAL_PLASTIC, .color = {0.5, 0.5, 0.5}, .roughness = 0.4, .index = 1.5};
    w->material[studio_liquid(w)] = material_of(&scene->render.liquid);
    w->material[studio_ground(w)] = material_of(&scene->render.ground);
    w->material[studio_particles(w)] = material_of(&beads);
    return find_textures(ctx, w);
}

/* A ground of glass has nothing below it: it is diffuse then. */
static void check_ground(studio *w)
{
    material *m = &w->material[studio_ground(w)];
    if (material_is_glass(m)) m->look.kind = MATERIAL_DIFFUSE;
}

/* The spheres: particles where there is no surface, then white water. */
typedef struct {
    rill_vec3 *position; /* owned, as are they all */
    float *diameter;
    size_t count;
} beads;

static void beads_clear(rill_ctx *ctx, beads *b)
{
    mem_free(ctx, b->position);
    mem_free(ctx, b->diameter);
}

static void add_beads(beads *b, const particles *p, const float *own, double diameter)
{
    for (size_t i = 0; i < p->count; i++) {
        b->position[b->count] = p->position[i];
        b->diameter[b->count++] = own ? own[i] : (float)diameter;
    }
}

static rill_status make_beads(rill_ctx *ctx, const rill_scene *scene, const rill_view *view,
                              bool particles_too, studio *w, beads *out)
{
    const particles *p = particles_too ? view->particles : NULL;
    const particles *white = scene->render.bead > 0 ? view->whitewater : NULL;
    const size_t count = (p ? p->count : 0) + (white ? white->count : 0);
    beads b = {0};
    rill_status st = MEM_NEW(ctx, b.position, count);
    if (!st) st = MEM_NEW(ctx, b.diameter, count);
    if (!st && p) add_beads(&b, p, particles_column(p, "spacing"), view->spacing);
    w->particle_count = (uint32_t)b.count;
    if (!st && white) add_beads(&b, white, NULL, scene->render.bead * view->spacing);
    if (st)
        beads_clear(ctx, &b);
    else
        *out = b;
    return st;
}

rill_status studio_create(rill_ctx *ctx, const rill_scene *scene, const rill_view *view,
                          const trimesh *surface, const uint8_t (*particle_color)[3], studio *out)
{
    studio w = {.particle_color = particle_color,
                .scene = scene,
                .lamp = scene->render.lamps,
                .lamp_count = scene->render.lamp_count,
                .domain = view->domain,
                .time = view->time,
                .shutter = scene->render.shutter / scene->time.fps,
                .ground = view->domain.min.y,
                .has_ground = true};
    beads spheres = {0};
    w.size = v3_length(box_size(w.domain));
    w.skin = 1e-5 * w.size;
    w.around = UINT32_MAX;
    rill_status st = solids_create(ctx, scene, &w.solids);
    if (!st) solids_follow(&w.solids, view->rides);
    if (!st) st = solids_prepare(ctx, &w.solids, w.time - w.shutter / 2, w.shutter);
    if (!st) st = make_materials(ctx, scene, &w);
    if (!st) check_ground(&w);
    if (!st && surface) st = studio_take_liquid(ctx, &w, surface, view->spacing);
    if (!st) st = make_beads(ctx, scene, view, !surface && view->particles, &w, &spheres);
    /* The mesh is borrowed by the rays: its struct must not move any more. */
    *out = w;
    if (!st) {
        const rays_def def = {.origin = box_center(w.domain),
                              .mesh = surface ? &out->liquid : NULL,
                              .end = w.end,
                              .position = spheres.position,
                              .count = spheres.count,
                              .radius = view->spacing / 2,
                              .diameter = spheres.diameter};
        st = rays_create(ctx, &def, &out->rays);
    }
    beads_clear(ctx, &spheres);
    if (st) studio_clear(ctx, out);
    return st;
}

void studio_clear(rill_ctx *ctx, studio *w)
{
    rays_destroy(ctx, w->rays);
    trimesh_clear(ctx, &w->liquid);
    mem_free(ctx, w->end);
    mem_free(ctx, w->tint);
    mem_free(ctx, w->material);
    for (uint32_t k = 0; k < w->texture_count; k++) picture_clear(ctx, &w->texture[k]);
    mem_free(ctx, w->texture);
    solids_clear(ctx, &w->solids);
    *w = (studio){0};
}

/* ---- the liquid and the particles ---- */

static rill_vec3 corner_at(const studio *w, uint32_t vertex, double share)
{
    const rill_vec3 p = w->liquid.position[vertex];
    return w->end ? v3_mix(p, w->end[vertex], share) : p;
}

/* The point in double, the smooth normal where there is one that does not contradict the triangle. */
static void finish_liquid(const studio *w, const rays_hit *h, double share, studio_hit *out)
{
    const trimesh *m = &w->liquid;
    const uint32_t *c = m->triangle[h->element];
    const double weight[3] = {1 - (double)h->u - (double)h->v, h->u, h->v};
    rill_vec3 p = v3(0, 0, 0), n = v3(0, 0, 0);
    for (int k = 0; k < 3; k++) {
        p = v3_madd(p, weight[k], corner_at(w, c[k], share));
        if (m->normal)
            n = v3_madd(n, weight[k], v3(m->normal[c[k]][0], m->normal[c[k]][1], m->normal[c[k]][2]));
    }
    n = v3_unit(n);
    *out = (studio_hit){.t = h->t,
                        .point = p,
                        .face = h->normal,
                        .thing = studio_liquid(w),
                        .element = h->element,
                        .u = h->u,
                        .v = h->v};
    out->normal = v3_dot(n, h->normal) > 0.1 ? n : h->normal;
}

static bool meet_rays(const studio *w, const studio_ray *r, double to, studio_hit *out)
{
    rays_hit h;
    if (!rays_intersect_at(w->rays, w->end ? r->share : 0, r->origin, r->direction, 0, to, &h)) return false;
    if (!h.sphere) {
        finish_liquid(w, &h, r->share, out);
        return v3_length(h.normal) > 0.5; /* not of a triangle without area */
    }
    *out = (studio_hit){.t = h.t,
                        .point = v3_madd(r->origin, h.t, r->direction),
                        .face = h.normal,
                        .normal = h.normal,
                        .thing = studio_particles(w),
                        .element = h.element};
    return true;
}

bool studio_in_liquid(const studio *w, rill_vec3 x)
{
    static const rill_vec3 ways[3] = {{0.03, 0.9988, 0.04}, {0.7, 0.51, 0.5}, {-0.4, 0.6, -0.69}};
    int votes = 0;
    if (w->liquid.triangle_count == 0) return false;
    for (int k = 0; k < 3; k++) {
        int inside = 0;
        rill_vec3 o = x;
        const rill_vec3 d = v3_unit(ways[k]);
        rays_hit h;
        for (int i = 0; i < 1000 && rays_intersect(w->rays, o, d, 0, far * w->size, &h); i++) {
            inside += v3_dot(h.normal, d) > 0 ? 1 : -1;
            o = v3_madd(o, h.t + w->skin, d);
        }
        votes += inside > 0;
    }
    return votes >= 2;
}

/* ---- ground and lamps ---- */

/* How far the ground has faded at a point: 0 to 1. */
static double faded(const studio *w, rill_vec3 p)
{
    const rill_vec3 c = box_center(w->domain);
    const double r = hypot(p.x - c.x, p.z - c.z) / w->size, s = (r - fade_from) / (fade_to - fade_from);
    return s <= 0 ? 0 : s >= 1 ? 1 : s * s * (3 - 2 * s);
}

/* From above only, so that a camera below it sees something. */
static bool meet_ground(const studio *w, const studio_ray *r, double to, studio_hit *out)
{
    if (!w->has_ground || !(r->direction.y < 0) || !(r->origin.y > w->ground)) return false;
    const double t = (w->ground - r->origin.y) / r->direction.y;
    if (!(t < to)) return false;
    rill_vec3 p = v3_madd(r->origin, t, r->direction);
    p.y = w->ground;
    if (r->fade < faded(w, p)) return false;
    *out = (studio_hit){
        .t = t, .point = p, .face = v3(0, 1, 0), .normal = v3(0, 1, 0), .thing = studio_ground(w)};
    return true;
}

/* The side that shines; from behind it is not there. */
static bool meet_lamp(const studio *w, uint32_t k, const studio_ray *r, double to, studio_hit *out)
{
    const scene_lamp *l = &w->lamp[k];
    const rill_vec3 n = v3_unit(l->normal);
    const double down = v3_dot(r->direction, n);
    if (!(down < 0)) return false;
    const double t = v3_dot(v3_sub(l->center, r->origin), n) / down;
    if (!(t > 0 && t < to)) return false;
    const rill_vec3 p = v3_madd(r->origin, t, r->direction);
    if (!studio_is_disc(w, l) || !(v3_distance(p, l->center) < l->radius)) return false;
    *out = (studio_hit){.t = t, .point = p, .face = n, .normal = n, .thing = studio_lamps(w) + k};
    return true;
}

bool studio_intersect(const studio *w, const studio_ray *r, studio_hit *out)
{
    bool any = false;
    double to = fmin(r->to, far * w->size);
    studio_hit h;
    if (meet_rays(w, r, to, &h)) *out = h, to = h.t, any = true;
    if (meet_ground(w, r, to, &h)) *out = h, to = h.t, any = true;
    for (uint32_t k = 0; k < w->solids.count; k++)
        if (studio_meet_solid(w, k, r, to, &h)) *out = h, to = h.t, any = true;
    for (uint32_t k = 0; k < w->lamp_count; k++)
        if (meet_lamp(w, k, r, to, &h)) *out = h, to = h.t, any = true;
    return any;
}

rill_vec3 studio_color(const studio *w, const studio_hit *hit)
{
    static const rill_vec3 foam = {0.9, 0.92, 0.93};
    if (hit->thing == studio_particles(w) && hit->element >= w->particle_count) return foam;
    if (hit->thing == studio_particles(w) && w->particle_color)
        return color_from_srgb(w->particle_color[hit->element]);
    if (hit->thing == studio_liquid(w) && w->tint) {
        const uint32_t *c = w->liquid.triangle[hit->element];
        const float share[3] = {1 - hit->u - hit->v, hit->u, hit->v};
        rill_vec3 sum = v3(0, 0, 0);
        for (int i = 0; i < 3; i++)
            sum = v3_madd(sum, share[i], v3(w->tint[c[i]][0], w->tint[c[i]][1], w->tint[c[i]][2]));
        return v3_min(v3_max(sum, v3(0, 0, 0)), v3(1, 1, 1));
    }
    const bool solid = hit->thing < w->solids.count;
    return material_color(&w->material[hit->thing], solid ? hit->at : hit->point,
                          solid ? hit->side : hit->face);
}

rill_vec3 studio_emission(const studio *w, uint32_t thing)
{
    if (!studio_is_lamp(w, thing)) return w->material[thing].look.emission;
    const scene_lamp *l = &w->lamp[thing - studio_lamps(w)];
    return v3_scale(l->color, l->power / (OPTICS_PI * OPTICS_PI * l->radius * l->radius));
}

void studio_step_out(studio *w, rill_vec3 eye)
{
    w->around = UINT32_MAX;
    for (uint32_t k = 0; k < w->solids.count && w->around == UINT32_MAX; k++)
        if (!studio_is_glass(w, k) && studio_in_solid(w, k, eye)) w->around = k;
}
