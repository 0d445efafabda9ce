#include "render/path/path.h"

#include "base/parallel.h"
#include "render/mist.h"
#include "render/path/film.h"
#include "render/range.h"
#include "render/shade.h"
#include "render/smoke.h"
#include "render/stage.h"

enum { LARGEST = 16384, PHOTONS = 1 << 20 };
static const rill_vec3 edge_color = {0.06, 0.08, 0.11};
static const double edge_strength = 0.55;

path_def path_def_of_scene(const rill_scene *scene)
{
    const render_def look = render_def_of_scene(scene);
    return (path_def){.width = look.width,
                      .height = look.height,
                      .samples = scene->render.samples,
                      .noise = scene->render.noise,
                      .denoise = scene->render.denoise,
                      .column = look.column,
                      .low = look.low,
                      .high = look.high,
                      .own = look.own};
}

static rill_status check_def(rill_ctx *ctx, const path_def *def, const rill_view *view)
{
    if (view->dimensions != 3)
        return rill_fail(ctx, RILL_USAGE,
                         "pictures of final quality need three dimensions; take --quality preview");
    if (def->width < 1 || def->height < 1 || def->width > LARGEST || def->height > LARGEST)
        return rill_fail(ctx, RILL_USAGE, "a picture of %d by %d pixels; each side must be from 1 to %d",
                         def->width, def->height, LARGEST);
    if (def->samples < 1)
        return rill_fail(ctx, RILL_USAGE, "%d samples a pixel; take 1 or more", def->samples);
    return RILL_OK;
}

/* What is drawn over the picture. */
typedef struct {
    const rill_scene *scene;
    const studio *studio;
    const camera *eye;
    const stage *set;
    const mist_pixel *mist[2]; /* of tracers and of white water; NULL: none */
    bool edges;
    path_picture *picture;
} overlay;

static void overlay_rows(void *arg, size_t begin, size_t end, int worker)
{
    const overlay *v = arg;
    const path_picture *p = v->picture;
    (void)worker;
    for (size_t y = begin; y < end; y++)
        for (int x = 0; x < p->width; x++) {
            const size_t i = y * (size_t)p->width + (size_t)x;
            float *c = &p->rgb[3 * i];
            rill_vec3 color = v3(c[0], c[1], c[2]);
            for (int k = 0; k < 2; k++) {
                if (!v->mist[k] || !(v->mist[k][i].depth > 0)) continue;
                const float *m = v->mist[k][i].color;
                color = v3_mix(v3(m[0], m[1], m[2]), color, exp(-(double)v->mist[k][i].depth));
            }
            if (v->edges) {
                studio_ray r = {.to = INFINITY, .share = 0.5, .fade = 0.5};
                studio_hit h = {.t = INFINITY};
                camera_ray(v->eye, p->width, p->height, x + 0.5, (double)y + 0.5, &r.origin, &r.direction);
                if (!studio_intersect(v->studio, &r, &h)) h.t = INFINITY;
                color = v3_mix(color, edge_color,
                               edge_strength * stage_edges(v->set, r.origin, r.direction, h.t, v->eye->pixel,
                                                           v->eye->flat));
            }
            c[0] = (float)color.x, c[1] = (float)color.y, c[2] = (float)color.z;
        }
}

/* Whether tracers are smoke in the picture. Those of several sources have colours of their own, and are drawn
 * over it as in previews. */
static bool has_smoke(const rill_scene *scene, const rill_view *view)
{
    if (scene->output.look == LOOK_VOLUME) return smoke_possible(view);
    return view->tracers && scene_tracer_sources(scene) <= 1;
}

/* What is no part of the picture itself: tracers and white water as in previews; the edges of the domain. */
static rill_status draw_over(rill_ctx *ctx, const rill_view *view, overlay *v)
{
    rill_view alone = *view;
    mist_pixel *mist[2] = {NULL, NULL};
    stage set = {0};
    if (has_smoke(v->scene, view)) alone.tracers = NULL;
    if (v->scene->render.bead > 0) alone.whitewater = NULL;
    if (!v->edges && !alone.tracers && !alone.whitewater) return RILL_OK;
    alone.particles = NULL;
    rill_status st = stage_create(ctx, v->scene, &alone, NULL, NULL, &set);
    const path_picture *p = v->picture;
    const size_t pixels = (size_t)p->width * (size_t)p->height;
    if (!st && alone.tracers) st = MEM_NEW(ctx, mist[0], pixels);
    if (!st && alone.whitewater) st = MEM_NEW(ctx, mist[1], pixels);
    for (int k = 0; k < 2 && !st; k++) {
        if (!mist[k]) continue;
        const mist_def dots =
            k == 0 ? mist_of_tracers(v->scene, alone.tracers, &set) : mist_of_whitewater(&alone);
        st = mist_draw(ctx, &dots, &set, v->eye, p->width, p->height, mist[k]);
        v->mist[k] = mist[k];
    }
    if (!st) {
        v->set = &set;
        parallel_for(ctx, (size_t)p->height, 8, overlay_rows, v);
    }
    mem_free(ctx, mist[0]);
    mem_free(ctx, mist[1]);
    stage_clear(ctx, &set);
    return st;
}

/* The picture of a studio under a sky. */
static rill_status draw_studio(rill_ctx *ctx, const rill_scene *scene, const studio *w, const sky *k,
                               const haze *air, const path_def *def, const camera *eye, path_picture *out)
{
    photon_map photons = {0};
    glow shining = {0};
    film f = {0};
    tracer t = {.studio = w,
                .sky = k,
                .haze = air,
                .glow = &shining,
                .caustics = scene->render.caustics,
                .bounces = scene->render.bounces,
                .start = studio_media_at(w, eye->eye)};
    const scene_camera at = scene_camera_at(&scene->camera, w->time), *c = &at;
    const film_def how = {.tracer = &t,
                          .camera = eye,
                          .aperture = c->aperture,
                          .focus = c->focus > 0 ? c->focus
                                   : c->fov > 0 ? v3_distance(c->eye, c->target)
                                                : v3_distance(eye->eye, box_center(w->domain)),
                          .samples = def->samples,
                          .noise = def->noise};
    rill_status st = glow_create(ctx, w, &shining);
    if (!st && t.caustics == CAUSTICS_PHOTONS) {
        st = photon_map_create(ctx, w, k, PHOTONS, t.bounces, &photons);
        t.photons = &photons;
    }
    if (!st) st = film_expose(ctx, &how, def->width, def->height, &f);
    if (!st) st = def->denoise ? film_denoised(ctx, &f, out) : film_picture(ctx, &f, out);
    film_clear(ctx, &f);
    glow_clear(ctx, &shining);
    photon_map_clear(ctx, &photons);
    return st;
}

rill_status path_draw(rill_ctx *ctx, const rill_scene *scene, const rill_view *view, const trimesh *surface,
                      const path_def *def, path_picture *out)
{
    TRY(check_def(ctx, def, view));
    studio w = {0};
    sky k = {0};
    haze air = {0};
    path_picture p = {0};
    uint8_t(*rgb)[3] = NULL;
    const scene_camera at = scene_camera_at(&scene->camera, view->time);
    const camera eye = camera_make(&at, view->domain, view->dimensions, def->width, def->height);
    rill_status st = sky_create(ctx, &scene->render.sky, &k);
    if (!st && !surface && view->particles) {
        const render_def colors = {
            .column = def->column, .low = def->low, .high = def->high, .own = def->own};
        st = MEM_NEW(ctx, rgb, view->particles->count);
        if (!st) st = range_colors(ctx, view->particles, &colors, rgb);
    }
    if (!st) st = studio_create(ctx, scene, view, surface, (const uint8_t(*)[3])rgb, &w);
    if (!st) studio_step_out(&w, eye.eye);
    if (!st && has_smoke(scene, view)) st = haze_create(ctx, scene, view, &air);
    if (!st) st = draw_studio(ctx, scene, &w, &k, air.most ? &air : NULL, def, &eye, &p);
    if (!st) {
        overlay v = {.scene = scene, .studio = &w, .eye = &eye, .edges = scene->render.edges, .picture = &p};
        st = draw_over(ctx, view, &v);
    }
    studio_clear(ctx, &w);
    haze_clear(ctx, &air);
    sky_clear(ctx, &k);
    mem_free(ctx, rgb);
    if (st)
        picture_clear(ctx, &p);
    else
        *out = p;
    return st;
}

rill_status path_develop(rill_ctx *ctx, const path_picture *p, double exposure, image *out)
{
    const size_t pixels = (size_t)p->width * (size_t)p->height;
    const double factor = exp2(exposure);
    uint8_t *rgb = NULL;
    TRY(MEM_NEW(ctx, rgb, 3 * pixels));
    for (size_t i = 0; i < pixels; i++)
        color_to_srgb(v3_scale(v3(p->rgb[3 * i], p->rgb[3 * i + 1], p->rgb[3 * i + 2]), factor), true,
                      &rgb[3 * i]);
    *out = (image){p->width, p->height, rgb};
    return RILL_OK;
}
