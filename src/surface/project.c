/* See project.h. */
#include "surface/project.h"

void projector_init(projector *p, const surface_def *def, bool carried)
{
    p->radius = (float)def->radius;
    p->ball = (float)averages_ball(def->dimensions);
    p->spray = spray_weights_make(def->radius, 1, def->dimensions);
    p->carried = carried;
    compress8_make(&p->compress);
}

static void pad(sampler_near *near)
{
    for (size_t i = near->count; i & 7; i++) {
        near->x[i] = near->y[i] = near->z[i] = 1e9f;
        near->reach[i] = 1;
        near->value[0][i] = 0;
    }
}

/* Those that reach the segment of `length` from x along `way`; without their place. */
static void narrow(const compress8 *c, const sampler_near *from, const float x[3], const float way[3],
                   float length, sampler_near *to)
{
    const f8 *px = (const f8 *)from->x, *py = (const f8 *)from->y, *pz = (const f8 *)from->z;
    const f8 *reach = (const f8 *)from->reach, zero = {0};
    const f8 all = zero + length, x0 = zero + x[0], y0 = zero + x[1], z0 = zero + x[2];
    const f8 wx = zero + way[0], wy = zero + way[1], wz = zero + way[2];
    /* stores may write anything, for all the compiler knows: these stay in registers */
    const float *const column[5] = {from->x, from->y, from->z, from->reach, from->value[0]};
    float *const out[5] = {to->x, to->y, to->z, to->reach, to->value[0]};
    size_t n = 0;
    const size_t eights = (from->count + 7) / 8;
    for (size_t i = 0; i < eights; i++) {
        const f8 dx = px[i] - x0, dy = py[i] - y0, dz = pz[i] - z0;
        const f8 along = f8_positive(dx * wx + dy * wy + dz * wz), s = f8_pick(along < all, along, all);
        const f8 ex = dx - s * wx, ey = dy - s * wy, ez = dz - s * wz;
        const unsigned mask = f8_mask(ex * ex + ey * ey + ez * ez < reach[i] * reach[i]);
        if (!mask) continue;
        const __m256i front = compress8_front(c, mask);
        for (int k = 0; k < 5; k++) compress8_move(front, column[k] + 8 * i, out[k] + n);
        n += (size_t)__builtin_popcount(mask);
    }
    to->count = n;
    pad(to);
}

/* How much liquid a particle sees, spray.h. */
static float seen_from(const sampler_near *near, const float x[3])
{
    const f8 *px = (const f8 *)near->x, *py = (const f8 *)near->y, *pz = (const f8 *)near->z;
    const f8 *r = (const f8 *)near->reach;
    f8 sum = {0};
    for (size_t i = 0; i < (near->count + 7) / 8; i++) {
        const f8 dx = px[i] - x[0], dy = py[i] - x[1], dz = pz[i] - x[2];
        const f8 t = f8_positive(1 - (dx * dx + dy * dy + dz * dz) / (r[i] * r[i]));
        sum += t * t * t;
    }
    return f8_sum(sum);
}

static float floor_of(const projector *a, float seen, float spacing)
{
    const float edge = 1.5f * a->spray.body; /* between what a corner and what an edge of liquid sees */
    const float lack = (edge - seen) / (edge - a->spray.alone);
    const float share = lack > 0 ? lack < 1 ? lack : 1 : 0;
    return spacing * (0.25f + share * (a->ball - 0.25f));
}

/* How far along the way phi changes its sign: s = 0, half the length and the whole, two halvings, and a line;
 * negative: not at all. */
static float crossing(const sampler_near *near, const float x[3], const float way[3], float r, float phi0)
{
    float s0 = 0, s1 = 0.5f * r,
          phi1 = averages_at(near, x[0] + s1 * way[0], x[1] + s1 * way[1], x[2] + s1 * way[2], NULL);
    if (phi1 > 0) {
        s0 = s1, phi0 = phi1, s1 = r;
        phi1 = averages_at(near, x[0] + s1 * way[0], x[1] + s1 * way[1], x[2] + s1 * way[2], NULL);
        if (phi1 > 0) return -1;
    }
    for (int halving = 0; halving < 2; halving++) {
        const float s = 0.5f * (s0 + s1),
                    phi = averages_at(near, x[0] + s * way[0], x[1] + s * way[1], x[2] + s * way[2], NULL);
        if (phi > 0)
            s0 = s, phi0 = phi;
        else
            s1 = s, phi1 = phi;
    }
    return s0 + (s1 - s0) * phi0 / (phi0 - phi1);
}

void project_begin(const projector *p, const sampler_near *around, sampler_near *near, const float x[3],
                   float reach, float value, projection *out)
{
    const float nowhere[3] = {0, 0, 0};
    narrow(&p->compress, around, x, nowhere, 0, near);
    rill_vec3 gradient;
    const float phi = averages_at(near, x[0], x[1], x[2], &gradient);
    const double steep = v3_length(gradient);
    const rill_vec3 n = steep > 1e-4 ? v3_scale(gradient, -1 / steep) : v3(0, 1, 0);
    *out = (projection){.x = {x[0], x[1], x[2]},
                        .way = {(float)n.x, (float)n.y, (float)n.z},
                        .length = projector_way(p, reach, value),
                        .reach = reach,
                        .phi = phi,
                        .least = floor_of(p, seen_from(near, x), reach / p->radius),
                        .goes = phi > 0 && steep > 1e-4,
                        .outward = n};
}

bool project_end(const projector *p, const sampler_near *around, sampler_near *near, const projection *from,
                 foot_disk *out, float *distance)
{
    const float *x = from->x, *way = from->way;
    float found = from->least;
    rill_vec3 n = from->outward;
    if (from->goes) {
        narrow(&p->compress, around, x, way, from->length, near);
        found = crossing(near, x, way, from->length, from->phi);
        if (found < 0) return false;
        found = found > from->least ? found : from->least;
        rill_vec3 gradient;
        averages_at(near, x[0] + found * way[0], x[1] + found * way[1], x[2] + found * way[2], &gradient);
        const double at_foot = v3_length(gradient);
        if (at_foot > 1e-4) n = v3_scale(gradient, -1 / at_foot);
    }
    for (int k = 0; k < 3; k++) {
        out->at[k] = x[k] + found * way[k];
        out->normal[k] = (float)v3_axis(n, k);
    }
    out->radius = from->reach;
    *distance = found;
    return true;
}
