#include "render/path/material.h"

#include "render/look.h"

/* Mean over directions of what the GGX lobe reflects from `out`, for the Fresnel term of the kind. */
static double lobe_albedo(const material *m, double cosine)
{
    enum { SIDE = 24 };
    const rill_vec3 out = v3(sqrt(1 - cosine * cosine), 0, cosine);
    double sum = 0;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            const rill_vec3 half = optics_ggx_sample(out, m->alpha, (i + 0.5) / SIDE, (j + 0.5) / SIDE);
            const rill_vec3 in = optics_reflect(v3_neg(out), half);
            if (!(in.z > 0)) continue;
            const double f =
                m->look.kind == MATERIAL_PLASTIC ? optics_fresnel(v3_dot(out, half), m->look.index) : 1;
            sum += f * optics_ggx_both(out, in, m->alpha) / optics_ggx_lit(out, m->alpha);
        }
    return sum / (SIDE * SIDE);
}

static double albedo_at(const material *m, double cosine)
{
    const double at = fmin(fmax(cosine, 0), 1) * MATERIAL_ALBEDOS;
    const int i = at < MATERIAL_ALBEDOS ? (int)at : MATERIAL_ALBEDOS - 1;
    return m->albedo[i] + (at - i) * (m->albedo[i + 1] - m->albedo[i]);
}

material material_of(const scene_material *look)
{
    material m = {.look = *look};
    m.alpha = fmax(look->roughness * look->roughness, OPTICS_SMOOTHEST);
    if (look->kind != MATERIAL_PLASTIC && look->kind != MATERIAL_METAL) return m;
    for (int i = 0; i <= MATERIAL_ALBEDOS; i++)
        m.albedo[i] = lobe_albedo(&m, fmax((double)i / MATERIAL_ALBEDOS, 1e-3));
    /* 2 integral of E(c) c dc, exactly for the piecewise linear table. */
    for (int i = 0; i < MATERIAL_ALBEDOS; i++) {
        const double a = (double)i / MATERIAL_ALBEDOS, h = 1.0 / MATERIAL_ALBEDOS, e = m.albedo[i],
                     slope = (m.albedo[i + 1] - e) / h;
        m.mean_albedo += 2 * (e * a * h + (e + slope * a) * h * h / 2 + slope * h * h * h / 3);
    }
    return m;
}

static rill_vec3 texel(const path_picture *p, int x, int y)
{
    const float *c = &p->rgb[3 * ((size_t)y * (size_t)p->width + (size_t)x)];
    return v3(c[0], c[1], c[2]);
}

/* Between four pixels, repeated; u to the right and v upwards, in widths of the image. */
static rill_vec3 texture_at(const path_picture *p, double u, double v)
{
    const double x = u * p->width - 0.5, y = -v * p->width - 0.5, left = floor(x), top = floor(y);
    const double fx = x - left, fy = y - top;
    const double column = left - p->width * floor(left / p->width),
                 row = top - p->height * floor(top / p->height);
    const int x0 = column < p->width ? (int)column : 0, y0 = row < p->height ? (int)row : 0;
    const int x1 = x0 + 1 < p->width ? x0 + 1 : 0, y1 = y0 + 1 < p->height ? y0 + 1 : 0;
    return v3_mix(v3_mix(texel(p, x0, y0), texel(p, x1, y0), fx),
                  v3_mix(texel(p, x0, y1), texel(p, x1, y1), fx), fy);
}

rill_vec3 material_color(const material *m, rill_vec3 p, rill_vec3 n)
{
    const rill_vec3 color = look_color(&m->look, p);
    if (!m->texture || !v3_finite(p)) return color;
    /* laid on along the axis that the face looks to most, so that it is not mirrored */
    const double k = 1 / m->look.texture_size, x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    const rill_vec3 at = v3_scale(p, k);
    rill_vec3 t;
    if (y >= x && y >= z)
        t = texture_at(m->texture, at.x, n.y > 0 ? -at.z : at.z);
    else if (x >= z)
        t = texture_at(m->texture, n.x > 0 ? -at.z : at.z, at.y);
    else
        t = texture_at(m->texture, n.z > 0 ? at.x : -at.x, at.y);
    return v3_min(v3_times(color, t), v3(1, 1, 1));
}

/* D G / (4 out.z), of the lobe without Fresnel; *half: the normal between the two. */
static double lobe(const material *m, rill_vec3 out, rill_vec3 in, rill_vec3 *half)
{
    *half = v3_unit(v3_add(out, in));
    return optics_ggx(*half, m->alpha) * optics_ggx_both(out, in, m->alpha) / (4 * out.z);
}

/* What is left over by the lobe, spread evenly so that nothing is lost. */
static double rest(const material *m, rill_vec3 out, rill_vec3 in)
{
    const double whole = 1 - m->mean_albedo;
    if (!(whole > 1e-9)) return 0;
    return (1 - albedo_at(m, out.z)) * (1 - albedo_at(m, in.z)) / (OPTICS_PI * whole) * in.z;
}

/* Colour of metal after more than one reflection in its roughness. */
static rill_vec3 metal_rest(const material *m, rill_vec3 color)
{
    const double e = m->mean_albedo;
    double f[3] = {color.x, color.y, color.z};
    for (int k = 0; k < 3; k++) {
        const double mean = (20 * f[k] + 1) / 21;
        f[k] = mean * mean * e / (1 - mean * (1 - e));
    }
    return v3(f[0], f[1], f[2]);
}

rill_vec3 material_diffuse(const material *m, rill_vec3 color, double cosine)
{
    if (m->look.kind == MATERIAL_METAL) return v3(0, 0, 0);
    return m->look.kind == MATERIAL_PLASTIC ? v3_scale(color, 1 - albedo_at(m, cosine)) : color;
}

rill_vec3 material_eval(const material *m, rill_vec3 color, rill_vec3 out, rill_vec3 in)
{
    if (!(out.z > 0 && in.z > 0)) return v3(0, 0, 0);
    if (m->look.kind == MATERIAL_DIFFUSE) return v3_scale(color, in.z / OPTICS_PI);
    rill_vec3 half;
    const double d = lobe(m, out, in, &half), c = v3_dot(out, half);
    if (m->look.kind == MATERIAL_METAL)
        return v3_madd(v3_scale(optics_metal(c, color), d), rest(m, out, in), metal_rest(m, color));
    const double shine = d * optics_fresnel(c, m->look.index);
    return v3_madd(v3(shine, shine, shine), rest(m, out, in), color);
}

/* How often the lobe is sampled rather than what is under it. */
static double lobe_share(const material *m, rill_vec3 color, double cosine)
{
    if (m->look.kind == MATERIAL_DIFFUSE) return 0;
    const double e = albedo_at(m, cosine), under = (1 - e) * fmax(color.x, fmax(color.y, color.z));
    return fmin(fmax(e / (e + under + 1e-9), 0.05), 0.95);
}

double material_pdf(const material *m, rill_vec3 color, rill_vec3 out, rill_vec3 in)
{
    if (!(out.z > 0 && in.z > 0)) return 0;
    const double share = lobe_share(m, color, out.z), even = in.z / OPTICS_PI;
    if (share == 0) return even;
    const rill_vec3 half = v3_unit(v3_add(out, in));
    const double shine = optics_ggx(half, m->alpha) * optics_ggx_lit(out, m->alpha) / (4 * out.z);
    return share * shine + (1 - share) * even;
}

bool material_sample(const material *m, rill_vec3 color, rill_vec3 out, const double random[3], rill_vec3 *in,
                     rill_vec3 *weight, double *pdf)
{
    if (!(out.z > 0)) return false;
    if (random[2] < lobe_share(m, color, out.z))
        *in = optics_reflect(v3_neg(out), optics_ggx_sample(out, m->alpha, random[0], random[1]));
    else
        *in = optics_cosine(random[0], random[1]);
    *pdf = material_pdf(m, color, out, *in);
    if (!(*pdf > 0)) return false;
    *weight = v3_scale(material_eval(m, color, out, *in), 1 / *pdf);
    return v3_finite(*weight);
}
