/* The keys of a scene that are about pictures of final quality: materials, light, effort.
 *
 * One list of rows describes a material; the solids, the liquid and the ground have it with
 * defaults of their own. */
#include "flow/scene.h"

#define COLOR(key, type, member, r, g, b, most, unit_, help_)                                              \
    {                                                                                                      \
        .name = key, .kind = PARAM_POINT3, .offset = offsetof(type, member), .point = {r, g, b}, .min = 0, \
        .max = most, .unit = unit_, .help = help_                                                          \
    }

static const char *const kinds[] = {"diffuse", "plastic", "metal", "glass", NULL};
static const char *const qualities[] = {"preview", "final", NULL};
static const char *const caustics[] = {"none", "straight", "photons", NULL};

#define MATERIAL_ROWS(kind_, r, g, b, r2, g2, b2, checker_, rough_, index_, ar, ag, ab, priority_)          \
    RILL_CHOICE("kind", scene_material, kind, kind_, kinds,                                                 \
                "diffuse; plastic: a clear coat on it; metal; glass: clear, also water and other liquids"), \
        COLOR("color", scene_material, color, r, g, b, 1, "",                                               \
              "share of red, green and blue light that it reflects; of glass: that a surface lets "         \
              "through, all of it unless given"),                                                           \
        COLOR("second", scene_material, second, r2, g2, b2, 1, "", "colour of every other square"),         \
        RILL_NUMBER("checker", scene_material, checker, checker_, 0, 1e6, "m",                              \
                    "side of squares of two colours; 0: one colour"),                                       \
        RILL_NUMBER("roughness", scene_material, roughness, rough_, 0, 1, "",                               \
                    "of plastic and metal: 0 a mirror, 1 dull"),                                            \
        RILL_NUMBER("frost", scene_material, frost, 0, 0, 1, "",                                            \
                    "roughness of the surface of glass: 0 clear, 1 frosted"),                               \
        RILL_NUMBER("index", scene_material, index, index_, 1, 4, "",                                       \
                    "index of refraction of glass and of the coat of plastic; water has 1.333"),            \
        COLOR("absorption", scene_material, absorption, ar, ag, ab, 1e6, "1/m",                             \
              "of glass: light is less by the factor 1/e on a way of 1 over it, by red, green and blue"),   \
        COLOR("emission", scene_material, emission, 0, 0, 0, 1e9, "",                                       \
              "light it gives off itself; 1 is the white of the picture"),                                  \
        RILL_INTEGER("priority", scene_material, priority, priority_, -1000, 1000, "",                      \
                     "of glass: where two overlap, the one with the higher number is there")

/* Of what is not liquid. */
#define TEXTURE_ROWS                                                                                        \
    {.name = "texture",                                                                                     \
     .kind = PARAM_TEXT,                                                                                    \
     .offset = offsetof(scene_material, texture),                                                           \
     .text = "",                                                                                            \
     .sparse = true,                                                                                        \
     .help = "an image, PNG, .hdr or .pfm, whose colours multiply \"color\"; laid on from the side that a " \
             "face looks to most, and repeated; a path that is not absolute starts at the scene file's "    \
             "folder"},                                                                                     \
        RILL_POSITIVE("texture_size", scene_material, texture_size, 1, 1e6, "m",                            \
                      "width of the texture's image on the surface")

const rill_param scene_cut_params[] = {
    {.name = "point",
     .kind = PARAM_POINT3,
     .offset = offsetof(struct scene_cut, point),
     .min = -1e6,
     .max = 1e6,
     .unit = "m",
     .required = true,
     .help = "a point of the plane, where the scene has it"},
    {.name = "normal",
     .kind = PARAM_POINT3,
     .offset = offsetof(struct scene_cut, normal),
     .point = {0, 0, 1},
     .min = -1e6,
     .max = 1e6,
     .required = true,
     .help = "to the side that is not drawn, any length"},
    {0},
};

const rill_param scene_material_params[] = {
    MATERIAL_ROWS("plastic", 0.46, 0.24, 0.14, 0.2, 0.2, 0.2, 0, 0.35, 1.5, 0, 0, 0, 10),
    TEXTURE_ROWS,
    RILL_BOOL("hidden", scene_material, hidden, false, "the solid is not drawn, in previews neither"),
    {.name = "cut",
     .kind = PARAM_BLOCK,
     .offset = offsetof(scene_material, cut),
     .count_offset = offsetof(scene_material, has_cut),
     .optional = true,
     .table = scene_cut_params,
     .help = "pictures leave the solid out beyond this plane, so that one sees into a vessel"},
    {0},
};

static const rill_param liquid_look[] = {
    MATERIAL_ROWS("glass", 1, 1, 1, 1, 1, 1, 0, 0.1, 1.333, 0.9, 0.16, 0.07, 0),
    {0},
};

static const rill_param ground_look[] = {
    MATERIAL_ROWS("diffuse", 0.3, 0.28, 0.26, 0.2, 0.19, 0.18, 0.25, 0.5, 1.5, 0, 0, 0, 10),
    TEXTURE_ROWS,
    {0},
};

static const rill_param sky_params[] = {
    RILL_TEXT("environment", scene_sky, environment, "",
              "a Radiance .hdr or a .pfm file, all directions by longitude and latitude; a path that is not "
              "absolute starts at the scene file's folder; empty: a clear sky"),
    RILL_NUMBER("turbidity", scene_sky, turbidity, 2.6, 1.7, 10, "", "haze of the sky: 2 is clear, 6 hazy"),
    RILL_NUMBER("strength", scene_sky, strength, 1, 0, 1e6, "", "factor of the light of sky or environment"),
    {.name = "sun",
     .kind = PARAM_POINT3,
     .offset = offsetof(scene_sky, sun),
     .point = {-0.523, 0.7472, 0.4097},
     .min = -1e6,
     .max = 1e6,
     .help = "direction the sun shines from, any length; zeros: there is none"},
    RILL_NUMBER("sun_size", scene_sky, sun_size, 1, 0, 45, "degrees",
                "angle across the sun; the real one has 0.53; 0: shadows are sharp, and it is not seen"),
    RILL_NUMBER("sun_strength", scene_sky, sun_strength, 1, 0, 1e6, "", "factor of its light"),
    {0},
};

static const rill_param lamp_params[] = {
    {.name = "center",
     .kind = PARAM_POINT3,
     .offset = offsetof(scene_lamp, center),
     .min = -1e6,
     .max = 1e6,
     .unit = "m",
     .required = true,
     .help = "its middle"},
    {.name = "normal",
     .kind = PARAM_POINT3,
     .offset = offsetof(scene_lamp, normal),
     .point = {0, -1, 0},
     .min = -1e6,
     .max = 1e6,
     .help = "side it shines to, any length"},
    RILL_NUMBER("radius", scene_lamp, radius, 0.1, 0, 1e6, "m",
                "of the disc; 0: a point that shines to all sides and is not seen itself"),
    RILL_NUMBER(
        "power", scene_lamp, power, 10, 0, 1e12, "",
        "light it gives: 3.14 on each square metre of white make it as bright as the picture's white"),
    COLOR("color", scene_lamp, color, 1, 1, 1, 1, "", "colour of its light"),
    {0},
};

static const rill_param haze_params[] = {
    COLOR("color", scene_haze, color, 0.94, 0.95, 0.97, 1, "",
          "share of light that smoke scatters where it meets it; the rest is absorbed"),
    RILL_NUMBER("forward", scene_haze, forward, 0.25, -0.95, 0.95, "",
                "mean cosine of the angle it is scattered by: 0 to all sides alike, 0.8 mostly onwards"),
    {0},
};

const rill_param scene_render_params[] = {
    RILL_CHOICE("quality", scene_render, quality, "preview", qualities,
                "what rill render makes unless --quality is given; runs always draw previews"),
    RILL_INTEGER("samples", scene_render, samples, 256, 1, 1000000, "", "most paths of light a pixel"),
    RILL_NUMBER("noise", scene_render, noise, 0.02, 0, 1, "",
                "a pixel is done when the standard error of its brightness is below this share of it; 0: all "
                "samples are taken"),
    RILL_INTEGER("bounces", scene_render, bounces, 32, 1, 1000, "", "surfaces a path meets at most"),
    RILL_BOOL("denoise", scene_render, denoise, true, "smooth the noise that is left"),
    RILL_NUMBER("exposure", scene_render, exposure, 0, -30, 30, "stops", "1 more: twice as bright"),
    RILL_NUMBER(
        "shutter", scene_render, shutter, 0, 0, 1, "frames",
        "how long the shutter is open, around the time of the frame: motion is blurred; film has 0.5"),
    RILL_BOOL("edges", scene_render, edges, false,
              "draw the edges of the domain, in previews too; two-dimensional ones always have them"),
    RILL_CHOICE("caustics", scene_render, caustics, "photons", caustics,
                "light of the sun and the lamps through liquid and glass: photons: bent, into bright lines; "
                "straight: sunlight is dimmed without bending; none: no sunlight. Without photons, paths "
                "find lamps by chance"),
    {.name = "sky",
     .kind = PARAM_BLOCK,
     .offset = offsetof(scene_render, sky),
     .table = sky_params,
     .help = "light from far away"},
    {.name = "lamps",
     .kind = PARAM_LIST,
     .offset = offsetof(scene_render, lamps),
     .count_offset = offsetof(scene_render, lamp_count),
     .table = lamp_params,
     .size = sizeof(scene_lamp),
     .min = 0,
     .max = 1000,
     .help = "round lamps"},
    {.name = "liquid_material",
     .kind = PARAM_BLOCK,
     .offset = offsetof(scene_render, liquid),
     .table = liquid_look,
     .help = "the liquid's material"},
    {.name = "ground_material",
     .kind = PARAM_BLOCK,
     .offset = offsetof(scene_render, ground),
     .table = ground_look,
     .help = "the material of the plane the domain stands on"},
    {.name = "smoke",
     .kind = PARAM_BLOCK,
     .offset = offsetof(scene_render, smoke),
     .table = haze_params,
     .help = "tracers as smoke, with the look \"volume\""},
    RILL_NUMBER("whitewater_size", scene_render, bead, 0.35, 0, 4, "spacings",
                "diameter of the spheres that white water is drawn as; 0: a mist over the picture, without "
                "shadows"),
    {0},
};
