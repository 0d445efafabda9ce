#include "render/path/sky.h"

#include "render/path/optics.h"

enum { SKY_WIDTH = 512, SKY_HEIGHT = 256 };
static const double white = 38; /* kcd/m^2 of the picture's white, unless it is exposed otherwise */

/* ---- a clear sky ---- */

/* Perez' function of the angles from the zenith and from the sun, with the five numbers of a quantity. */
static double perez(const double k[5], double zenith_cosine, double sun_angle)
{
    const double c = cos(sun_angle);
    return (1 + k[0] * exp(k[1] / zenith_cosine)) * (1 + k[2] * exp(k[3] * sun_angle) + k[4] * c * c);
}

typedef struct {
    double numbers[3][5]; /* of Y, x, y; table 2 of the paper */
    double zenith[3];     /* over perez there */
    rill_vec3 sun;
} clear_sky;

/* Preetham et al. 1999, appendix A.2. A sun below the horizon counts as on it. */
static clear_sky clear_sky_of(rill_vec3 sun, double turbidity)
{
    const double t = turbidity, a = acos(fmin(fmax(sun.y, 0.02), 1)), a2 = a * a, a3 = a2 * a;
    clear_sky s = {.numbers = {{0.1787 * t - 1.4630, -0.3554 * t + 0.4275, -0.0227 * t + 5.3251,
                                0.1206 * t - 2.5771, -0.0670 * t + 0.3703},
                               {-0.0193 * t - 0.2592, -0.0665 * t + 0.0008, -0.0004 * t + 0.2125,
                                -0.0641 * t - 0.8989, -0.0033 * t + 0.0452},
                               {-0.0167 * t - 0.2608, -0.0950 * t + 0.0092, -0.0079 * t + 0.2102,
                                -0.0441 * t - 1.6537, -0.0109 * t + 0.0529}},
                   .sun = sun};
    const double chi = (4.0 / 9 - t / 120) * (OPTICS_PI - 2 * a);
    const double value[3] = {fmax((4.0453 * t - 4.9710) * tan(chi) - 0.2155 * t + 2.4192, 0.05),
                             t * t * (0.00166 * a3 - 0.00375 * a2 + 0.00209 * a) +
                                 t * (-0.02903 * a3 + 0.06377 * a2 - 0.03202 * a + 0.00394) +
                                 (0.11693 * a3 - 0.21196 * a2 + 0.06052 * a + 0.25886),
                             t * t * (0.00275 * a3 - 0.00610 * a2 + 0.00317 * a) +
                                 t * (-0.04214 * a3 + 0.08970 * a2 - 0.04153 * a + 0.00516) +
                                 (0.15346 * a3 - 0.26756 * a2 + 0.06670 * a + 0.26688)};
    for (int k = 0; k < 3; k++) s.zenith[k] = value[k] / perez(s.numbers[k], 1, a);
    return s;
}

static rill_vec3 clear_sky_at(const clear_sky *s, rill_vec3 d)
{
    const double angle = acos(fmin(fmax(v3_dot(d, s->sun), -1), 1)), up = fmax(d.y, 0.01);
    double q[3];
    for (int k = 0; k < 3; k++) q[k] = s->zenith[k] * perez(s->numbers[k], up, angle);
    const double y = q[0] / white, x = q[1] / q[2] * y, z = (1 - q[1] - q[2]) / q[2] * y;
    /* XYZ to linear sRGB. */
    const rill_vec3 c = v3(3.2406 * x - 1.5372 * y - 0.4986 * z, -0.9689 * x + 1.8758 * y + 0.0415 * z,
                           0.0557 * x - 0.2040 * y + 1.0570 * z);
    return v3_max(c, v3(0, 0, 0));
}

/* Sunlight after its way through the air: extinction by air and haze at 610, 550 and 465 nm times
 * the air mass (Kasten and Young 1989). */
static rill_vec3 sunlight(rill_vec3 sun, double turbidity)
{
    const double up = fmax(sun.y, 0), degrees = 90 - asin(fmin(up, 1)) * 180 / OPTICS_PI;
    const double mass = 1 / (up + 0.50572 * pow(96.07995 - degrees, -1.6364));
    const double haze = 0.04608 * turbidity - 0.04586; /* Angstrom's beta, as in the paper */
    const double air[3] = {0.063, 0.098, 0.196}, length[3] = {0.61, 0.55, 0.465};
    double e[3];
    for (int k = 0; k < 3; k++) e[k] = 128 / white * exp(-mass * (air[k] + haze * pow(length[k], -1.3)));
    return v3(e[0], e[1], e[2]);
}

/* ---- the map ---- */

static rill_vec3 direction_of(double across, double down)
{
    const double turn = 2 * OPTICS_PI * across, fall = OPTICS_PI * down;
    return v3(sin(fall) * cos(turn), cos(fall), sin(fall) * sin(turn));
}

static void place_of(rill_vec3 d, double *across, double *down)
{
    const double turn = atan2(d.z, d.x) / (2 * OPTICS_PI);
    *across = turn < 0 ? turn + 1 : turn;
    *down = acos(fmin(fmax(d.y, -1), 1)) / OPTICS_PI;
}

static rill_vec3 texel(const path_picture *p, int x, int y)
{
    const float *c = &p->rgb[3 * ((size_t)y * (size_t)p->width + (size_t)x)];
    return v3(c[0], c[1], c[2]);
}

/* Cumulated brightness, for sampling. */
static rill_status cumulate(rill_ctx *ctx, sky *s)
{
    const int w = s->map.width, h = s->map.height;
    TRY(MEM_NEW(ctx, s->row, (size_t)h + 1));
    TRY(MEM_NEW(ctx, s->column, (size_t)h * ((size_t)w + 1)));
    s->row[0] = 0;
    for (int y = 0; y < h; y++) {
        double *c = &s->column[(size_t)y * ((size_t)w + 1)];
        c[0] = 0;
        for (int x = 0; x < w; x++) c[x + 1] = c[x] + v3_luminance(texel(&s->map, x, y));
        s->row[y + 1] = s->row[y] + c[w] * (cos(OPTICS_PI * y / h) - cos(OPTICS_PI * (y + 1) / h));
    }
    s->dark = !(s->row[h] > 0);
    return RILL_OK;
}

static rill_status draw_clear_sky(rill_ctx *ctx, const scene_sky *def, sky *s)
{
    const rill_vec3 sun = v3_length(def->sun) > 0 ? v3_unit(def->sun) : v3(0, 0.7, 0.7);
    const clear_sky air = clear_sky_of(sun, def->turbidity);
    TRY(picture_create(ctx, SKY_WIDTH, SKY_HEIGHT, &s->map));
    for (int y = 0; y < SKY_HEIGHT; y++)
        for (int x = 0; x < SKY_WIDTH; x++) {
            rill_vec3 d = direction_of((x + 0.5) / SKY_WIDTH, (y + 0.5) / SKY_HEIGHT);
            const double below = d.y < 0 ? fmin(-4 * d.y, 1) : 0;
            d.y = fmax(d.y, 0);
            /* below the horizon a haze that darkens: the ground reaches there only where it fades */
            rill_vec3 c = clear_sky_at(&air, v3_unit(d));
            c = v3_mix(c, v3_scale(v3(0.5, 0.5, 0.5), 0.5 * v3_luminance(c)), below);
            float *out = &s->map.rgb[3 * ((size_t)y * SKY_WIDTH + (size_t)x)];
            out[0] = (float)(def->strength * c.x), out[1] = (float)(def->strength * c.y),
            out[2] = (float)(def->strength * c.z);
        }
    return RILL_OK;
}

static void set_sun(const scene_sky *def, sky *s)
{
    if (!(v3_length(def->sun) > 0) || !(def->sun_strength > 0)) return;
    s->sun = v3_unit(def->sun);
    if (!(s->sun.y > 0)) return; /* below the horizon */
    s->sun_light = v3_scale(sunlight(s->sun, def->turbidity), def->sun_strength);
    s->sun_cosine = cos(def->sun_size * OPTICS_PI / 360);
}

rill_status sky_create(rill_ctx *ctx, const scene_sky *def, sky *out)
{
    sky s = {.sun_cosine = 1};
    rill_status st = RILL_OK;
    if (def->environment && def->environment[0]) {
        st = picture_read(ctx, def->environment, &s.map);
        for (size_t i = 0; !st && i < 3 * (size_t)s.map.width * (size_t)s.map.height; i++)
            s.map.rgb[i] = (float)fmin(s.map.rgb[i] * def->strength, 1e30);
    } else {
        st = draw_clear_sky(ctx, def, &s);
        if (!st) set_sun(def, &s);
    }
    if (!st) st = cumulate(ctx, &s);
    if (!st && s.dark && def->environment && def->environment[0] && def->strength > 0)
        rill_log(ctx, RILL_LOG_WARNING, "%s has no light: none of its values is a number above 0",
                 def->environment);
    if (st)
        sky_clear(ctx, &s);
    else
        *out = s;
    return st;
}

rill_status sky_uniform(rill_ctx *ctx, rill_vec3 radiance, sky *out)
{
    sky s = {.sun_cosine = 1};
    rill_status st = picture_create(ctx, 8, 4, &s.map);
    for (size_t i = 0; !st && i < 32; i++) {
        float *c = &s.map.rgb[3 * i];
        c[0] = (float)radiance.x, c[1] = (float)radiance.y, c[2] = (float)radiance.z;
    }
    if (!st) st = cumulate(ctx, &s);
    if (st)
        sky_clear(ctx, &s);
    else
        *out = s;
    return st;
}

void sky_clear(rill_ctx *ctx, sky *s)
{
    picture_clear(ctx, &s->map);
    mem_free(ctx, s->row);
    mem_free(ctx, s->column);
    *s = (sky){0};
}

/* ---- asked by a path ---- */

rill_vec3 sky_radiance(const sky *s, rill_vec3 d)
{
    const path_picture *p = &s->map;
    double a, b;
    place_of(d, &a, &b);
    a = a * p->width - 0.5, b = fmin(fmax(b * p->height - 0.5, 0), p->height - 1);
    const double fa = a - floor(a), fb = b - floor(b);
    const int x = ((int)floor(a) + p->width) % p->width, y = (int)b, x1 = (x + 1) % p->width,
              y1 = y + 1 < p->height ? y + 1 : y;
    return v3_mix(v3_mix(texel(p, x, y), texel(p, x1, y), fa), v3_mix(texel(p, x, y1), texel(p, x1, y1), fa),
                  fb);
}

double sky_pdf(const sky *s, rill_vec3 d)
{
    if (s->dark) return 0;
    double a, b;
    place_of(d, &a, &b);
    const int w = s->map.width, h = s->map.height;
    const int x = a < 1 ? (int)(a * w) : w - 1, y = b < 1 ? (int)(b * h) : h - 1;
    return v3_luminance(texel(&s->map, x, y)) / s->row[h] * w / (2 * OPTICS_PI);
}

/* The interval of the ascending sums that holds the value, and where in it. */
static int interval_of(const double *sum, int count, double value, double *share)
{
    int low = 0, high = count;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (sum[middle] <= value)
            low = middle;
        else
            high = middle;
    }
    const double width = sum[low + 1] - sum[low];
    *share = width > 0 ? fmin(fmax((value - sum[low]) / width, 0), 1) : 0.5;
    return low;
}

rill_vec3 sky_sample(const sky *s, double u, double v, double *pdf)
{
    const int w = s->map.width, h = s->map.height;
    double down, across;
    const int y = interval_of(s->row, h, v * s->row[h], &down);
    const double *c = &s->column[(size_t)y * ((size_t)w + 1)];
    const int x = interval_of(c, w, u * c[w], &across);
    /* even in the solid angle of the row: in the cosine */
    const double top = cos(OPTICS_PI * y / h), bottom = cos(OPTICS_PI * (y + 1) / h),
                 up = top + down * (bottom - top), flat = sqrt(fmax(0, 1 - up * up)),
                 turn = 2 * OPTICS_PI * (x + across) / w;
    *pdf = v3_luminance(texel(&s->map, x, y)) / s->row[h] * w / (2 * OPTICS_PI);
    return v3(flat * cos(turn), up, flat * sin(turn));
}

bool sky_has_sun(const sky *s)
{
    return v3_luminance(s->sun_light) > 0;
}

/* 1 over the solid angle of the sun. */
double sky_sun_pdf(const sky *s)
{
    return s->sun_cosine < 1 ? 1 / (2 * OPTICS_PI * (1 - s->sun_cosine)) : 0;
}

rill_vec3 sky_sun_radiance(const sky *s, rill_vec3 d)
{
    if (!sky_has_sun(s) || s->sun_cosine >= 1 || v3_dot(d, s->sun) < s->sun_cosine) return v3(0, 0, 0);
    return v3_scale(s->sun_light, sky_sun_pdf(s));
}

rill_vec3 sky_sun_sample(const sky *s, double u, double v)
{
    const optics_frame f = optics_frame_of(s->sun);
    return v3_unit(optics_world(&f, optics_cone(s->sun_cosine, u, v)));
}
