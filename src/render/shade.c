/* One sun, a sky, and water that reflects, refracts and absorbs.
 *
 * Water: at the first surface the light splits by Fresnel's law. The reflected ray
 * sees sky, ground and solids once. The refracted ray goes through the liquid, loses
 * light by Beer's law and gains the scattered blue, and leaves where it can; at a
 * surface too slanted it is reflected inside, a few times. Water behind the first is gone through straight.
 * Where it reaches the floor it sees the ground as if in contact. Absorption is per size of the domain, not
 * per metre: a preview of a bucket and of a lake read alike. */
#include "render/shade.h"

#include "render/look.h"

static const double pi = 3.14159265358979323846;
static const double water_index = 1.33;
static const double far = 1e4; /* in sizes of the domain */

const rill_vec3 shade_sun = {-0.5230, 0.7472, 0.4097};
static const rill_vec3 sun_light = {2.45, 2.28, 2.02};
static const double sun_radius = 0.018; /* wider than the real one's 0.0047: softer shadows */
static const rill_vec3 sky_zenith = {0.10, 0.22, 0.47}, sky_horizon = {0.42, 0.50, 0.58};
static const rill_vec3 ambient_up = {0.48, 0.58, 0.74}, ambient_down = {0.26, 0.25, 0.24};
static const rill_vec3 ground_light = {0.222, 0.218, 0.212}, ground_dark = {0.194, 0.191, 0.187};
static const rill_vec3 edge_color = {0.06, 0.08, 0.11};
static const double edge_strength = 0.55;
static const rill_vec3 absorption = {9.5, 2.9, 1.4}; /* per size of the domain */
static const int most_reflections = 5;               /* inside the first piece of water */
static const int most_pieces = 16;                   /* surfaces that a ray goes through */
static const rill_vec3 scattered = {0.010, 0.105, 0.200};
static const rill_vec3 water_shadow = {0.50, 0.70, 0.78}; /* of sunlight that came through water */

static rill_vec3 times(rill_vec3 a, rill_vec3 b)
{
    return v3(a.x * b.x, a.y * b.y, a.z * b.z);
}

static rill_vec3 mix(rill_vec3 a, rill_vec3 b, double t)
{
    return v3_madd(v3_scale(a, 1 - t), t, b);
}

static double step_between(double low, double high, double x)
{
    const double t = x <= low ? 0 : x >= high ? 1 : (x - low) / (high - low);
    return t * t * (3 - 2 * t);
}

static rill_vec3 sky(rill_vec3 d)
{
    return mix(sky_horizon, sky_zenith, d.y > 0 ? sqrt(d.y) : 0);
}

static rill_vec3 ambient(rill_vec3 n)
{
    return mix(ambient_down, ambient_up, 0.5 + 0.5 * n.y);
}

/* Two directions across a unit vector, Duff et al. 2017. */
static void across(rill_vec3 n, rill_vec3 *a, rill_vec3 *b)
{
    const double sign = n.z >= 0 ? 1 : -1, p = -1 / (sign + n.z), q = n.x * n.y * p;
    *a = v3(1 + sign * n.x * n.x * p, sign * q, -sign * n.x);
    *b = v3(q, sign + n.y * n.y * p, -n.y);
}

/* Around `axis`: uniform over a disc of the given radius at distance 1, or (radius 1,
 * lifted) weighted by the cosine over the hemisphere. */
static rill_vec3 toward(rill_vec3 axis, const double random[2], double radius, bool hemisphere)
{
    rill_vec3 a, b;
    across(axis, &a, &b);
    const double r = radius * sqrt(random[0]), turn = 2 * pi * random[1];
    const double lift = hemisphere ? sqrt(fmax(0, 1 - r * r)) : 1;
    return v3_unit(v3_madd(v3_madd(v3_scale(axis, lift), r * cos(turn), a), r * sin(turn), b));
}

/* The share of the sun's light that reaches a point. */
static rill_vec3 sun_through(const shader *s, rill_vec3 point, rill_vec3 normal, const shade_random *random)
{
    const stage *g = s->stage;
    const rill_vec3 d = toward(shade_sun, random->sun, sun_radius, false);
    const rill_vec3 o = v3_madd(point, g->nudge, normal);
    if (stage_solid_blocks(g, o, d, 0, far * g->size)) return v3(0, 0, 0);
    const double share = s->smoke ? smoke_shadow(s->smoke, o, d) : 1;
    if (stage_liquid_blocks(g, o, d, g->nudge, far * g->size))
        return stage_is_clear(g) ? v3_scale(water_shadow, share) : v3(0, 0, 0);
    return v3(share, share, share);
}

static rill_vec3 sun_on(const shader *s, rill_vec3 point, rill_vec3 normal, const shade_random *random)
{
    const double facing = v3_dot(normal, shade_sun);
    if (facing <= 0) return v3(0, 0, 0);
    return v3_scale(times(sun_light, sun_through(s, point, normal, random)), facing);
}

static double openness(const shader *s, rill_vec3 point, rill_vec3 normal, const shade_random *random)
{
    const stage *g = s->stage;
    const rill_vec3 d = toward(normal, random->sky, 1, true);
    const rill_vec3 o = v3_madd(point, g->nudge, normal);
    const double reach = 0.4 * g->size;
    if (stage_solid_blocks(g, o, d, 0, reach)) return 0;
    if (stage_liquid_blocks(g, o, d, g->nudge, reach)) return stage_is_clear(g) ? 0.6 : 0;
    return 1;
}

/* The ground: faint tiles for the eye to measure by, less with distance. */
static rill_vec3 ground_color(const shader *s, rill_vec3 point, rill_vec3 eye)
{
    const stage *g = s->stage;
    const double x = (point.x - g->domain.min.x) / s->tile, z = (point.z - g->domain.min.z) / s->tile;
    const bool odd = ((long)floor(x) + (long)floor(z)) & 1;
    const double away = v3_distance(point, eye) / g->size;
    const rill_vec3 plain = mix(ground_light, ground_dark, 0.5);
    return mix(odd ? ground_dark : ground_light, plain, step_between(2, 5, away));
}

static double ground_fade(const shader *s, rill_vec3 point)
{
    const rill_vec3 c = box_center(s->stage->domain);
    return step_between(0.9, 4.5, hypot(point.x - c.x, point.z - c.z) / s->stage->size);
}

static rill_vec3 albedo(const shader *s, const stage_hit *h, rill_vec3 eye)
{
    if (h->kind == HIT_GROUND) return ground_color(s, h->point, eye);
    if (h->kind == HIT_PARTICLE) return color_from_srgb(s->particle_color[h->element]);
    return look_color(&s->stage->look[h->element].material, h->point);
}

/* Something opaque seen by a second ray: no occlusion of the sky. */
static rill_vec3 opaque(const shader *s, const stage_hit *h, rill_vec3 eye, rill_vec3 d,
                        const shade_random *random)
{
    const rill_vec3 light =
        v3_add(sun_on(s, h->point, h->normal, random), v3_scale(ambient(h->normal), 0.85));
    const rill_vec3 c = times(albedo(s, h, eye), light);
    return h->kind == HIT_GROUND ? mix(c, sky(v3(d.x, 0, d.z)), ground_fade(s, h->point)) : c;
}

/* Reflectance of a smooth surface; index: of the far side over the near one. 1: total. */
static double fresnel(double cosine, double index)
{
    const double sine2 = (1 - cosine * cosine) / (index * index);
    if (sine2 >= 1) return 1;
    const double c2 = sqrt(1 - sine2);
    const double s = (cosine - index * c2) / (cosine + index * c2),
                 p = (index * cosine - c2) / (index * cosine + c2);
    return (s * s + p * p) / 2;
}

/* n against d. */
static rill_vec3 refracted(rill_vec3 d, rill_vec3 n, double index)
{
    const double c = -v3_dot(d, n), k = 1 - (1 - c * c) / (index * index);
    return v3_unit(v3_madd(v3_scale(d, 1 / index), c / index - sqrt(fmax(k, 0)), n));
}

static rill_vec3 reflected(rill_vec3 d, rill_vec3 n)
{
    return v3_madd(d, -2 * v3_dot(d, n), n);
}

/* What water ends at without air between where a ray leaves it: the floor, or a solid whose face lies along
 * its surface, within a spacing. The surface of particles is bumpy there, partly inside the solid: light
 * would be thrown back in patches. */
/* *clear: it is glass, which the ray goes through. */
static bool in_contact(const stage *g, const stage_hit *h, stage_hit *solid, bool *clear)
{
    *clear = false;
    solid_contact c;
    if (h->point.y < g->domain.min.y + g->spacing && h->face.y < -0.5) {
        *solid = (stage_hit){.kind = HIT_GROUND, .point = h->point, .normal = v3(0, 1, 0)};
        solid->point.y = g->domain.min.y;
        return true;
    }
    if (g->solids.count == 0) return false;
    const double d = solids_distance(&g->solids, h->point, g->time, &c);
    if (!(d < g->spacing) || c.solid >= SOLID_DOMAIN || v3_dot(c.normal, h->face) > -0.5) return false;
    const scene_material *m = &g->look[c.solid].material;
    if (m->hidden || (look_is_cut(m) && look_beyond(m, h->point) > 0)) return false;
    *clear = look_is_glass(m);
    *solid = (stage_hit){
        .kind = HIT_SOLID, .point = v3_madd(h->point, -d, c.normal), .normal = c.normal, .element = c.solid};
    return true;
}

/* Light that a ray has gathered, and the share of what is farther on that still comes through. */
typedef struct gathered {
    rill_vec3 color, through;
    const stage *stage;
    rill_vec3 absorption, scattered; /* of the water the ray is in */
} gathered;

static gathered gathering(const stage *g)
{
    return (gathered){.through = {1, 1, 1}, .stage = g, .absorption = absorption, .scattered = scattered};
}

/* A ray goes into water: liquid with a colour of its own takes away what is not of it, and scatters the rest.
 */
static void gather_enter(gathered *g, const stage_hit *h)
{
    rill_vec3 c;
    g->absorption = absorption, g->scattered = scattered;
    if (!stage_color(g->stage, h, &c)) return;
    const double thick = 7;
    g->absorption = v3(1 + thick * (1 - c.x), 1 + thick * (1 - c.y), 1 + thick * (1 - c.z));
    g->scattered = v3_scale(c, 0.28);
}

static void gather(gathered *g, rill_vec3 light, double share)
{
    g->color = v3_add(g->color, v3_scale(times(g->through, light), share));
    g->through = v3_scale(g->through, 1 - share);
}

/* A way through water, in sizes of the domain: Beer's law. */
static void gather_water(gathered *g, double way)
{
    const rill_vec3 a = g->absorption, kept = v3(exp(-a.x * way), exp(-a.y * way), exp(-a.z * way));
    g->color = v3_add(g->color, times(times(g->through, v3_sub(v3(1, 1, 1), kept)), g->scattered));
    g->through = times(g->through, kept);
}

static rill_vec3 gather_last(const gathered *g, rill_vec3 light)
{
    return v3_add(g->color, times(g->through, light));
}

/* What a ray in the air sees. Water in its way reflects the sky and absorbs, but does not bend the ray: thin
 * sheets and drops behind others are as clear as those in front. */
static rill_vec3 glance(const shader *s, rill_vec3 o, rill_vec3 d, const shade_random *random)
{
    const stage *g = s->stage;
    gathered sum = gathering(g);
    int depth = 0; /* pieces of water the ray is in */
    for (int leg = 0; leg < most_pieces; leg++) {
        const stage_hit h = stage_intersect(g, o, d, g->nudge, far * g->size);
        if (h.kind == HIT_NOTHING) return gather_last(&sum, sky(d));
        const bool enters = h.kind == HIT_LIQUID && v3_dot(h.face, d) < 0;
        if (depth > 0 || (h.kind == HIT_LIQUID && !enters)) gather_water(&sum, h.t / g->size);
        if (h.kind != HIT_LIQUID) return gather_last(&sum, opaque(s, &h, o, d, random));
        stage_hit solid;
        bool clear;
        if (enters) {
            gather_enter(&sum, &h);
            const rill_vec3 n = v3_dot(h.normal, d) < 0 ? h.normal : h.face;
            gather(&sum, sky(reflected(d, n)), fresnel(fmin(1, -v3_dot(n, d)), water_index));
            depth++;
        } else {
            if (in_contact(g, &h, &solid, &clear) && !clear)
                return gather_last(&sum, opaque(s, &solid, o, d, random));
            if (depth > 0) depth--;
        }
        o = h.point;
    }
    return gather_last(&sum, sum.scattered);
}

/* What a ray inside the water sees; entered: where it went in, NULL: the eye is in it. */
static rill_vec3 inside(const shader *s, const stage_hit *entered, rill_vec3 o, rill_vec3 d,
                        const shade_random *random)
{
    const stage *g = s->stage;
    gathered sum = gathering(g);
    if (entered) gather_enter(&sum, entered);
    for (int leg = 0;; leg++) {
        const stage_hit h = stage_intersect(g, o, d, g->nudge, far * g->size);
        if (h.kind == HIT_NOTHING) return gather_last(&sum, sky(d));
        gather_water(&sum, h.t / g->size);
        if (h.kind != HIT_LIQUID) return gather_last(&sum, opaque(s, &h, o, d, random));
        o = h.point;
        if (v3_dot(h.face, d) < 0) { /* another piece begins where this one is: go on */
            if (leg >= most_pieces) return gather_last(&sum, sum.scattered);
            continue;
        }
        stage_hit solid;
        bool clear;
        if (in_contact(g, &h, &solid, &clear))
            return gather_last(&sum, clear ? glance(s, o, d, random) : opaque(s, &solid, o, d, random));
        const rill_vec3 n = v3_neg(v3_dot(h.normal, d) > 0 ? h.normal : h.face);
        const double f = fresnel(fmin(1, -v3_dot(n, d)), 1 / water_index);
        if (f < 1 && (f < 0.5 || leg >= most_reflections)) {
            const rill_vec3 seen = glance(s, o, refracted(d, n, 1 / water_index), random);
            return gather_last(&sum, mix(seen, sum.scattered, f));
        }
        if (leg >= most_reflections)
            return gather_last(&sum, mix(sum.scattered, sky(v3(d.x, fabs(d.y), d.z)), 0.3));
        d = reflected(d, n);
    }
}

static rill_vec3 water(const shader *s, const stage_hit *h, rill_vec3 d, const shade_random *random)
{
    const stage *g = s->stage;
    if (v3_dot(h->face, d) > 0)
        return inside(s, NULL, v3_madd(h->point, -h->t, d), d, random); /* the eye is in it */
    const rill_vec3 n = v3_dot(h->normal, d) < 0 ? h->normal : h->face;
    const double f = fresnel(fmin(1, -v3_dot(n, d)), water_index);
    const rill_vec3 mirrored = reflected(d, n);
    rill_vec3 reflection = f > 0.03 ? glance(s, h->point, mirrored, random) : sky(mirrored);

    /* The sun's image on a surface slightly rough. */
    const double shine = v3_dot(mirrored, shade_sun);
    if (shine > 0.9) {
        const rill_vec3 o = v3_madd(h->point, g->nudge, n);
        if (!stage_solid_blocks(g, o, shade_sun, 0, far * g->size))
            reflection = v3_madd(reflection, 14 * pow(shine, 600) + 0.8 * pow(shine, 60), sun_light);
    }
    return mix(inside(s, h, h->point, refracted(d, n, water_index), random), reflection, f);
}

/* Two dimensions: the colour as it is, a little relief on spheres and solids. */
static shade_sample shade_plain(const shader *s, const stage_hit *h, rill_vec3 o)
{
    static const rill_vec3 light = {-0.42, 0.56, 0.714};
    static const rill_vec3 paper_top = {0.93, 0.94, 0.96}, paper_bottom = {0.80, 0.83, 0.87};
    static const rill_vec3 calm = {0.030, 0.20, 0.46}, fast = {0.45, 0.78, 0.93};
    const stage *g = s->stage;
    const double height = (o.y - g->domain.min.y) / (g->domain.max.y - g->domain.min.y);
    rill_vec3 c = mix(paper_bottom, paper_top, fmin(1, fmax(0, height)));
    if (h->kind == HIT_LIQUID) {
        double speed = 0;
        for (uint32_t k = 0; g->surface && k < g->surface->column_count; k++) {
            const trimesh_column *column = &g->surface->column[k];
            if (column->width != 3 || column->name[0] != 'v') continue;
            const uint32_t *corner = g->surface->triangle[h->element];
            const double w[3] = {1 - (double)h->u - (double)h->v, h->u, h->v};
            rill_vec3 v = v3(0, 0, 0);
            for (int i = 0; i < 3; i++) {
                const float *at = &column->value[3 * (size_t)corner[i]];
                v = v3_madd(v, w[i], v3(at[0], at[1], at[2]));
            }
            speed = v3_length(v);
        }
        const double quick = fmin(1, s->speed > 0 ? speed / s->speed : 0);
        rill_vec3 own;
        c = stage_color(g, h, &own) ? mix(own, v3(1, 1, 1), 0.35 * quick) : mix(calm, fast, quick);
    } else if (h->kind != HIT_NOTHING) {
        const double facing = fmax(0, v3_dot(h->normal, light));
        c = v3_scale(albedo(s, h, o), h->kind == HIT_SOLID ? 1 : 0.45 + 0.75 * facing);
    }
    return (shade_sample){.base = c};
}

/* Without second rays: light from the sun's side and the sky, no shadows; water as a coloured body. */
static shade_sample shade_draft(const shader *s, const stage_hit *h, rill_vec3 o, rill_vec3 d)
{
    static const rill_vec3 body = {0.05, 0.22, 0.42};
    if (h->kind == HIT_NOTHING) return (shade_sample){.base = sky(d)};
    const rill_vec3 n = v3_dot(h->normal, d) < 0 ? h->normal : v3_neg(h->normal);
    const rill_vec3 light = v3_madd(ambient(n), 0.7 * fmax(0, v3_dot(n, shade_sun)), sun_light);
    if (h->kind == HIT_LIQUID) {
        rill_vec3 own;
        const rill_vec3 c = times(stage_color(s->stage, h, &own) ? own : body, light);
        return (shade_sample){.base =
                                  mix(c, sky(reflected(d, n)), fresnel(fmin(1, -v3_dot(n, d)), water_index))};
    }
    const rill_vec3 c = times(albedo(s, h, o), light);
    const double fade = h->kind == HIT_GROUND ? ground_fade(s, h->point) : 0;
    return (shade_sample){.base = mix(c, sky(v3(d.x, 0, d.z)), fade)};
}

/* Glass before `to`: every wall reflects the sky by Fresnel's law and dims what is behind a little. */
static void add_glass(const shader *s, rill_vec3 o, rill_vec3 d, double to, shade_sample *out)
{
    enum { WALLS = 8 };
    const stage *g = s->stage;
    rill_vec3 in_front = v3(0, 0, 0);
    double through = 1, from = 0, end;
    stage_hit h;
    for (int k = 0; k < WALLS && stage_glass(g, o, d, from, to, &h, &end); k++) {
        const rill_vec3 n = v3_dot(h.normal, d) < 0 ? h.normal : v3_neg(h.normal);
        const double f = fresnel(fmin(1, -v3_dot(n, d)), g->look[h.element].material.index);
        in_front = v3_madd(in_front, through * f, sky(reflected(d, n)));
        through *= 0.96 * (1 - f);
        from = end + g->nudge;
    }
    if (through == 1) return;
    out->base = v3_madd(in_front, through, out->base);
    out->ambient = v3_scale(out->ambient, through);
}

shade_sample shade_ray(const shader *s, rill_vec3 origin, rill_vec3 direction, const shade_random *random,
                       bool near_edge)
{
    const stage *g = s->stage;
    const stage_hit h = stage_intersect(g, origin, direction, 0, far * g->size);
    shade_sample out = {.base = v3(0, 0, 0)};
    if (s->flat) {
        out = shade_plain(s, &h, origin);
    } else if (s->draft) {
        out = shade_draft(s, &h, origin, direction);
    } else if (h.kind == HIT_NOTHING) {
        out.base = sky(direction);
    } else if (h.kind == HIT_LIQUID) {
        out.base = water(s, &h, direction, random);
    } else {
        const rill_vec3 color = albedo(s, &h, origin);
        const double fade = h.kind == HIT_GROUND ? ground_fade(s, h.point) : 0;
        out.base = mix(times(color, sun_on(s, h.point, h.normal, random)),
                       sky(v3(direction.x, 0, direction.z)), fade);
        out.ambient = v3_scale(times(color, ambient(h.normal)), 1 - fade);
        out.open = fade < 1 ? openness(s, h.point, h.normal, random) : 1;
        out.solid = true;
        out.point = h.point;
        out.normal = h.normal;
    }
    if (s->has_glass && !s->flat) add_glass(s, origin, direction, h.t, &out);
    if (!near_edge) return out;
    const double cover = edge_strength * stage_edges(g, origin, direction, h.t, s->edge_width, s->flat);
    out.base = mix(out.base, edge_color, cover);
    out.ambient = v3_scale(out.ambient, 1 - cover);
    return out;
}
