/* A picture from a view: rays tile by tile, the sky's occlusion smoothed over the
 * picture, tone mapping.
 *
 * Random numbers are keyed by pixel and sample, a tile writes its own pixels only: the
 * picture is the same for any number of threads. */
#include "render/render.h"

#include "base/parallel.h"
#include "render/camera.h"
#include "render/look.h"
#include "render/mist.h"
#include "render/range.h"
#include "render/shade.h"
#include "render/smoke.h"

enum { TILE = 16, MAX_SIDE = 16384, MAX_SAMPLES = 1024, SMOOTH = 3 /* pixels to each side */ };
static const uint64_t seed = 0x72696c6c; /* any */

/* What the first pass leaves of a pixel. */
typedef struct pixel {
    float base[3], ambient[3];
    float open;                /* mean over its opaque samples */
    float weight;              /* how many of them */
    float point[3], normal[3]; /* of the first; point from the domain's middle */
} pixel;

typedef struct picture {
    const shader *shader;
    const camera *camera;
    int width, height, side, columns; /* side: strata along an axis of the pixel; columns of tiles */
    rill_vec3 origin;
    double near; /* how far from a plane still counts as on it */
    pixel *pixel;
    const mist_pixel *mist[2]; /* of tracers and of white water; NULL: none */
    uint8_t *rgb;
} picture;

render_def render_def_default(void)
{
    return (render_def){.width = 960, .height = 540, .samples = 4, .look = LOOK_SURFACE, .column = "speed"};
}

/* The speed after a fall from the top of the domain to its floor. */
static double fall_speed(const rill_scene *scene)
{
    return sqrt(2 * scene_gravity_most(scene) * (scene->domain.max.y - scene->domain.min.y));
}

render_def render_def_of_scene(const rill_scene *scene)
{
    static const char *const columns[] = {"speed", "density", "pressure"}; /* as scene_output.color counts */
    const int color = scene->output.color;
    render_def def = render_def_default();
    def.width = scene->output.width;
    def.height = scene->output.height;
    def.look = scene->output.look;
    def.column = columns[color > 0 && color < 3 ? color : 0];
    if (color == 0) def.high = fall_speed(scene);
    def.own = color == 0;
    if (scene->output.draft) render_def_draft(&def);
    return def;
}

void render_def_draft(render_def *def)
{
    enum { WIDE = 320 };
    def->draft = true;
    def->samples = 1;
    if (def->width <= WIDE) return;
    /* even numbers, for videos */
    def->height = (int)fmax(2, 2 * round(def->height * (double)WIDE / def->width / 2));
    def->width = WIDE;
}

void image_clear(rill_ctx *ctx, image *im)
{
    mem_free(ctx, im->rgb);
    *im = (image){0};
}

/* Two numbers in cell k of the side x side strata of the unit square, from the halves
 * of a random word. */
static void stratum(int k, int side, uint32_t word, double out[2])
{
    out[0] = (k % side + (word >> 16) * 0x1p-16) / side;
    out[1] = (k / side + (word & 0xffff) * 0x1p-16) / side;
}

static void store(float out[3], rill_vec3 v)
{
    out[0] = (float)v.x, out[1] = (float)v.y, out[2] = (float)v.z;
}

static void shade_pixel(const picture *p, int x, int y)
{
    const uint64_t id = (uint64_t)y * (uint64_t)p->width + (uint64_t)x;
    const int samples = p->side * p->side;
    /* The same strata in another order for each use, so that they do not go together. */
    const random4 turn = random_at(seed, id, 0, 0);
    rill_vec3 base = v3(0, 0, 0), ambient = v3(0, 0, 0);
    double open = 0, solid = 0;
    rill_vec3 o, d;
    camera_ray(p->camera, p->width, p->height, x + 0.5, y + 0.5, &o, &d);
    const shader *s = p->shader;
    const bool near_edge = s->edges && stage_edges(s->stage, o, d, INFINITY, 3 * s->edge_width, s->flat) > 0;
    pixel *out = &p->pixel[id];
    for (int k = 0; k < samples; k++) {
        const random4 a = random_at(seed, id, (uint32_t)k, 1);
        double at[2];
        shade_random r;
        stratum(k, p->side, a.v[0], at);
        stratum((k + (int)(turn.v[0] % 1024u)) % samples, p->side, a.v[1], r.sun);
        stratum((k + (int)(turn.v[1] % 1024u)) % samples, p->side, a.v[2], r.sky);
        camera_ray(p->camera, p->width, p->height, x + at[0], y + at[1], &o, &d);
        const shade_sample c = shade_ray(s, o, d, &r, near_edge);
        base = v3_add(base, c.base);
        if (!c.solid) continue;
        if (solid == 0) {
            store(out->point, v3_sub(c.point, p->origin));
            store(out->normal, c.normal);
        }
        ambient = v3_add(ambient, c.ambient);
        open += c.open;
        solid++;
    }
    store(out->base, v3_scale(base, 1.0 / samples));
    store(out->ambient, v3_scale(ambient, 1.0 / samples));
    out->open = solid > 0 ? (float)(open / solid) : 1;
    out->weight = (float)solid;
}

static void shade_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const picture *p = arg;
    (void)worker;
    for (size_t tile = begin; tile < end; tile++) {
        const int x0 = (int)(tile % (size_t)p->columns) * TILE, y0 = (int)(tile / (size_t)p->columns) * TILE;
        for (int y = y0; y < y0 + TILE && y < p->height; y++)
            for (int x = x0; x < x0 + TILE && x < p->width; x++) shade_pixel(p, x, y);
    }
}

/* The openness of a pixel, averaged with those around it that lie on the same plane. */
static double smooth_open(const picture *p, int x, int y)
{
    const pixel *c = &p->pixel[(size_t)y * (size_t)p->width + (size_t)x];
    double sum = 0, weight = 0;
    for (int j = y - SMOOTH; j <= y + SMOOTH; j++)
        for (int i = x - SMOOTH; i <= x + SMOOTH; i++) {
            if (i < 0 || j < 0 || i >= p->width || j >= p->height) continue;
            const pixel *q = &p->pixel[(size_t)j * (size_t)p->width + (size_t)i];
            if (!(q->weight > 0)) continue;
            double off = 0, facing = 0;
            for (int k = 0; k < 3; k++) {
                off += c->normal[k] * (q->point[k] - c->point[k]);
                facing += c->normal[k] * q->normal[k];
            }
            off /= p->near;
            const double w = facing > 0.8 ? q->weight * (facing - 0.8) / (1 + off * off * off * off) : 0;
            sum += w * q->open;
            weight += w;
        }
    return weight > 0 ? sum / weight : c->open;
}

static void finish_rows(void *arg, size_t begin, size_t end, int worker)
{
    const picture *p = arg;
    (void)worker;
    for (size_t y = begin; y < end; y++)
        for (int x = 0; x < p->width; x++) {
            const size_t id = y * (size_t)p->width + (size_t)x;
            const pixel *q = &p->pixel[id];
            const double open = q->weight > 0 ? smooth_open(p, x, (int)y) : 0;
            rill_vec3 c = v3(q->base[0] + open * q->ambient[0], q->base[1] + open * q->ambient[1],
                             q->base[2] + open * q->ambient[2]);
            for (int k = 0; k < 2; k++) {
                if (!p->mist[k] || !(p->mist[k][id].depth > 0)) continue;
                const float *m = p->mist[k][id].color;
                c = v3_mix(v3(m[0], m[1], m[2]), c, exp(-(double)p->mist[k][id].depth));
            }
            color_to_srgb(c, !p->shader->flat, &p->rgb[3 * id]);
        }
}

static rill_status check_def(rill_ctx *ctx, const render_def *def, int *side)
{
    if (def->width < 1 || def->height < 1 || def->width > MAX_SIDE || def->height > MAX_SIDE)
        return rill_fail(ctx, RILL_USAGE, "a picture of %d by %d pixels; each side must be from 1 to %d",
                         def->width, def->height, MAX_SIDE);
    int n = 1;
    while (n * n < def->samples) n++;
    if (def->samples < 1 || def->samples > MAX_SAMPLES || n * n != def->samples)
        return rill_fail(ctx, RILL_USAGE,
                         "%d samples a pixel; take a square number from 1 to %d: 1, 4, 9, 16, ...",
                         def->samples, MAX_SAMPLES);
    *side = n;
    return RILL_OK;
}

static rill_status draw(rill_ctx *ctx, picture *p, image *out)
{
    const size_t pixels = (size_t)p->width * (size_t)p->height;
    p->columns = (p->width + TILE - 1) / TILE;
    const size_t rows = (size_t)(p->height + TILE - 1) / TILE;
    rill_status st = MEM_NEW_ZERO(ctx, p->pixel, pixels);
    if (!st) st = MEM_NEW(ctx, p->rgb, 3 * pixels);
    if (!st) {
        parallel_for(ctx, rows * (size_t)p->columns, 1, shade_tiles, p);
        parallel_for(ctx, (size_t)p->height, 8, finish_rows, p);
        *out = (image){p->width, p->height, p->rgb};
        p->rgb = NULL;
    }
    mem_free(ctx, p->pixel);
    mem_free(ctx, p->rgb);
    return st;
}

static bool has_glass(const rill_scene *scene)
{
    for (uint32_t k = 0; k < scene->solid_count; k++)
        if (look_is_glass(&scene->solids[k].material)) return true;
    return false;
}

static rill_status render(rill_ctx *ctx, const rill_scene *scene, const rill_view *view,
                          const trimesh *surface, const level_grid *field, const render_def *def, image *out)
{
    int side = 1;
    TRY(check_def(ctx, def, &side));
    const bool only_tracers = def->look == LOOK_TRACERS && view->tracers;
    const bool as_smoke =
        def->look == LOOK_VOLUME && smoke_possible(view) && view->dimensions == 3 && !def->draft;
    rill_view shown = *view;
    if (only_tracers) shown.particles = NULL;

    stage set = {0};
    uint8_t(*rgb)[3] = NULL;
    mist_pixel *mist[2] = {NULL, NULL};
    smoke cloud = {0};
    rill_status st = stage_create(ctx, scene, &shown, surface, field, &set);
    if (!st && !surface && !field && shown.particles) {
        st = MEM_NEW(ctx, rgb, shown.particles->count);
        if (!st) st = range_colors(ctx, shown.particles, def, rgb);
    }
    const size_t pixels = (size_t)def->width * (size_t)def->height;
    if (!st && (view->tracers || as_smoke)) st = MEM_NEW(ctx, mist[0], pixels);
    if (!st && view->whitewater) st = MEM_NEW(ctx, mist[1], pixels);
    if (!st && as_smoke) st = smoke_create(ctx, scene, view, &set, &cloud);
    if (!st) {
        const scene_camera at = scene_camera_at(&scene->camera, view->time);
        const camera eye = camera_make(&at, set.domain, set.dimensions, def->width, def->height);
        const shader look = {.stage = &set,
                             .particle_color = rgb,
                             .smoke = as_smoke ? &cloud : NULL,
                             .edge_width = eye.pixel,
                             .tile = exp2(floor(log2(set.size / 6))),
                             .speed = fall_speed(scene),
                             .flat = eye.flat,
                             .draft = def->draft,
                             .has_glass = has_glass(scene),
                             .edges = (scene->render.edges || eye.flat) && !def->draft};
        picture p = {.shader = &look,
                     .camera = &eye,
                     .width = def->width,
                     .height = def->height,
                     .side = side,
                     .origin = box_center(set.domain),
                     .near = 0.01 * set.size};
        for (int k = 0; k < 2 && !st; k++) {
            if (!mist[k]) continue;
            p.mist[k] = mist[k];
            if (k == 0 && as_smoke) {
                st = smoke_draw(ctx, &cloud, &set, &eye, def->width, def->height, mist[k]);
                continue;
            }
            const mist_def dots =
                k == 0 ? mist_of_tracers(scene, view->tracers, &set) : mist_of_whitewater(view);
            st = mist_draw(ctx, &dots, &set, &eye, def->width, def->height, mist[k]);
        }
        if (!st) st = draw(ctx, &p, out);
    }
    smoke_clear(ctx, &cloud);
    mem_free(ctx, mist[0]);
    mem_free(ctx, mist[1]);
    mem_free(ctx, rgb);
    stage_clear(ctx, &set);
    return st;
}

rill_status render_view(rill_ctx *ctx, const rill_scene *scene, const rill_view *view, const trimesh *surface,
                        const render_def *def, image *out)
{
    const bool dots =
        (def->look == LOOK_PARTICLES && view->particles) || (def->look == LOOK_TRACERS && view->tracers);
    return render(ctx, scene, view, dots ? NULL : surface, NULL, def, out);
}

rill_status render_field(rill_ctx *ctx, const rill_scene *scene, const rill_view *view,
                         const level_grid *field, const render_def *def, image *out)
{
    return render(ctx, scene, view, NULL, field, def, out);
}
