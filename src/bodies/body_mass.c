#include "bodies/body_mass.h"

#include <string.h>

static const double pi = 3.14159265358979323846;

/* The integrals a body is made of: 1, x and x x^T over the volume, about `origin`. */
typedef struct moments {
    rill_vec3 origin;
    double volume, first[3], second[3][3];
} moments;

static bool finish(const moments *m, mass_moments *out)
{
    if (!(m->volume > 0) || !isfinite(m->volume)) return false;
    double c[3], trace = 0;
    for (int k = 0; k < 3; k++) c[k] = m->first[k] / m->volume;
    for (int k = 0; k < 3; k++) trace += m->second[k][k] - m->volume * c[k] * c[k];
    *out = (mass_moments){.volume = m->volume, .center = v3_add(m->origin, v3(c[0], c[1], c[2]))};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out->inertia[i][j] = (i == j ? trace : 0) - (m->second[i][j] - m->volume * c[i] * c[j]);
    return true;
}

/* ---- triangles ---- */

bool mass_of_mesh(const trimesh *m, mass_moments *out)
{
    if (m->vertex_count == 0) return false;
    moments sum = {.origin = m->position[0]}; /* near: no digits are lost far from the coordinates' origin */
    for (size_t t = 0; t < m->triangle_count; t++) {
        double x[3][3];
        rill_vec3 corner[3];
        for (int k = 0; k < 3; k++) {
            corner[k] = v3_sub(m->position[m->triangle[t][k]], sum.origin);
            x[k][0] = corner[k].x, x[k][1] = corner[k].y, x[k][2] = corner[k].z;
        }
        const double six =
            v3_dot(corner[0], v3_cross(corner[1], corner[2])); /* of the tetrahedron's volume */
        sum.volume += six / 6;
        for (int i = 0; i < 3; i++) {
            const double s = x[0][i] + x[1][i] + x[2][i];
            sum.first[i] += six / 24 * s;
            for (int j = 0; j < 3; j++) {
                const double squares = x[0][i] * x[0][j] + x[1][i] * x[1][j] + x[2][i] * x[2][j];
                sum.second[i][j] += six / 120 * (squares + s * (x[0][j] + x[1][j] + x[2][j]));
            }
        }
    }
    return finish(&sum, out);
}

/* ---- formulas ---- */

/* `along` about the unit axis, `across` about the others. */
static void axial_inertia(double along, double across, rill_vec3 axis, double out[3][3])
{
    const double a[3] = {axis.x, axis.y, axis.z};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out[i][j] = (i == j ? across : 0) + (along - across) * a[i] * a[j];
}

static bool box_mass(const shape_box *b, int dimensions, mass_moments *out)
{
    const rill_vec3 size = v3_sub(b->max, b->min);
    const double x = size.x * size.x, y = size.y * size.y, z = dimensions == 2 ? 0 : size.z * size.z;
    const double volume = size.x * size.y * (dimensions == 2 ? 1 : size.z);
    if (!(volume > 0) || !isfinite(volume)) return false;
    *out = (mass_moments){.volume = volume, .center = v3_mix(b->min, b->max, 0.5)};
    if (dimensions == 2) out->center.z = 0;
    out->inertia[0][0] = volume * (y + z) / 12;
    out->inertia[1][1] = volume * (x + z) / 12;
    out->inertia[2][2] = volume * (x + y) / 12;
    return true;
}

static bool ball_mass(const shape_sphere *s, int dimensions, mass_moments *out)
{
    const double r = s->radius, volume = dimensions == 2 ? pi * r * r : 4 * pi / 3 * r * r * r;
    if (!(volume > 0) || !isfinite(volume)) return false;
    *out = (mass_moments){.volume = volume, .center = s->center};
    if (dimensions == 2) out->center.z = 0;
    const double about = dimensions == 2 ? 0.5 * volume * r * r : 0.4 * volume * r * r;
    axial_inertia(about, dimensions == 2 ? about / 2 : about, v3(0, 0, 1), out->inertia);
    return true;
}

static bool rod_mass(const shape *s, mass_moments *out)
{
    const rill_vec3 axis = v3_sub(s->rod.to, s->rod.from);
    const double r = s->rod.radius, l = v3_length(axis), tube = pi * r * r * l;
    double volume = tube, along = 0.5 * tube * r * r, across = tube * (l * l / 12 + r * r / 4);
    if (s->kind == SHAPE_CAPSULE) {
        /* two half balls, their centres 3/8 of the radius beyond the ends */
        const double ball = 4 * pi / 3 * r * r * r, off = l / 2 + 0.375 * r;
        volume += ball;
        along += 0.4 * ball * r * r;
        across += ball * (83.0 / 320 * r * r + off * off);
    }
    if (!(volume > 0) || !isfinite(volume)) return false;
    *out = (mass_moments){.volume = volume, .center = v3_mix(s->rod.from, s->rod.to, 0.5)};
    axial_inertia(along, across, v3_unit(axis), out->inertia);
    return true;
}

/* ---- quadrature ---- */

/* The share of a cell of width h that is inside, from the distance of its middle: a plane through it. */
static double inside_share(double distance, double h)
{
    const double share = 0.5 - distance / h;
    return share < 0 ? 0 : share > 1 ? 1 : share;
}

static bool sampled_mass(const shape *s, int dimensions, mass_moments *out)
{
    const int cells = dimensions == 2 ? 1024 : 128;
    rill_box b = shape_bounds(s);
    if (dimensions == 2) b.min.z = b.max.z = 0;
    const rill_vec3 size = box_size(b);
    const double longest = fmax(size.x, fmax(size.y, size.z)), h = longest / cells;
    if (!(longest > 0) || !isfinite(longest) || !v3_finite(b.min)) return false;
    const int nz = dimensions == 2 ? 1 : (int)ceil(size.z / h) + 1;
    const int nx = (int)ceil(size.x / h) + 1, ny = (int)ceil(size.y / h) + 1;
    moments sum = {.origin = box_center(b)};
    for (int k = 0; k < nz; k++)
        for (int j = 0; j < ny; j++)
            for (int i = 0; i < nx; i++) {
                const rill_vec3 x =
                    v3(b.min.x + i * h, b.min.y + j * h, dimensions == 2 ? 0 : b.min.z + k * h);
                const double w = inside_share(shape_distance(s, x, NULL), h);
                if (w == 0) continue;
                const rill_vec3 r = v3_sub(x, sum.origin);
                const double e[3] = {r.x, r.y, r.z}, v = w * h * h * (dimensions == 2 ? 1 : h);
                sum.volume += v;
                for (int p = 0; p < 3; p++) {
                    sum.first[p] += v * e[p];
                    for (int q = 0; q < 3; q++) sum.second[p][q] += v * e[p] * e[q];
                }
            }
    return finish(&sum, out);
}

bool mass_of_shape(const shape *s, int dimensions, mass_moments *out)
{
    switch (s->kind) {
    case SHAPE_BOX: return box_mass(&s->box, dimensions, out);
    case SHAPE_SPHERE: return ball_mass(&s->sphere, dimensions, out);
    case SHAPE_CYLINDER:
    case SHAPE_CAPSULE: return dimensions == 2 ? sampled_mass(s, 2, out) : rod_mass(s, out);
    case SHAPE_MESH:
        if (!s->mesh.owned) return false;
        if (dimensions == 2 || mesh_distance_is_shell(s->mesh.owned)) return sampled_mass(s, dimensions, out);
        return mass_of_mesh(mesh_distance_surface(s->mesh.owned), out);
    case SHAPE_UNION:
    case SHAPE_INTERSECTION:
    case SHAPE_DIFFERENCE:
    case SHAPE_FUNCTION: return sampled_mass(s, dimensions, out);
    default: return false;
    }
}
