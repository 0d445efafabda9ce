/* Whether a solid is between two points, however thin it is. */
#include "flow/solids.h"

enum { PIECES = 64 };

static rill_vec3 local_of(const solids *s, const solid_place *p, rill_vec3 x)
{
    return solid_to_local(&p->pose, s->dimensions == 2 ? v3(x.x, x.y, 0) : x);
}

/* Not fmax, which is a call: these are asked for every pair of particles near a plate. */
static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Squared distance from the box. */
static double box_gap(const rill_box *b, rill_vec3 x, int dimensions)
{
    double sum = 0;
    for (int k = 0; k < dimensions; k++) {
        const double out = larger(v3_axis(b->min, k) - v3_axis(x, k), v3_axis(x, k) - v3_axis(b->max, k));
        if (out > 0) sum += out * out;
    }
    return sum;
}

double solids_room(const solids *s, uint32_t i, rill_vec3 x, double t, double most)
{
    solid_place storage;
    shape form;
    const solid_place *p = solids_place_at(s, i, t, &storage);
    if (box_gap(&p->bounds, x, s->dimensions) >= most * most) return INFINITY;
    return fmax(p->pose.scale * shape_clearance(solids_form_at(s, i, t, &form), local_of(s, p, x)), 0);
}

double solids_room_away(const solids *s, uint32_t i, rill_vec3 x, double t, rill_vec3 *away)
{
    solid_place place;
    shape form;
    const solid_place *p = solids_place_at(s, i, t, &place);
    rill_vec3 normal;
    const double clearance = shape_clearance_away(solids_form_at(s, i, t, &form), local_of(s, p, x), &normal);
    *away = solid_turned_back(&p->pose, normal);
    return fmax(p->pose.scale * clearance, 0);
}

/* Whether balls that hold nothing of the shape, as far as its cache knows, cover the line from x to x + to
 * direction from `from` on: the middle first, then what its ball leaves of the two ends. Most lines that run
 * along a mesh are done with after one or two. */
static bool covered(const shape *form, rill_vec3 x, rill_vec3 direction, double from, double to,
                    double margin, int *balls)
{
    if (!(from < to)) return true;
    if ((*balls)-- == 0) return false;
    const double middle = 0.5 * (from + to);
    const double clearance = shape_clearance_quick(form, v3_madd(x, middle, direction)) - 2 * margin;
    if (!(clearance * 16 > to - from)) return false;
    return covered(form, x, direction, from, middle - clearance, margin, balls) &&
           covered(form, x, direction, middle + clearance, to, margin, balls);
}

static bool surely_free(const shape *form, rill_vec3 x, rill_vec3 direction, double length, double margin)
{
    int balls = 16;
    return covered(form, x, direction, 0, length, margin, &balls);
}

bool solids_surely_free(const solids *s, uint32_t i, rill_vec3 from, double clearance, rill_vec3 to,
                        double other_clearance, double t, double margin)
{
    solid_place place;
    shape form;
    const solid_place *p = solids_place_at(s, i, t, &place);
    const double scale = p->pose.scale, near = larger(clearance - 2 * margin, 0),
                 far = larger(other_clearance - 2 * margin, 0);
    const rill_vec3 x = local_of(s, p, from), way = v3_sub(local_of(s, p, to), x);
    const double length = v3_length(way), left = length - (near + far) / scale;
    if (!(left > 0)) return true;
    const rill_vec3 direction = v3_scale(way, 1 / length);
    return surely_free(solids_form_at(s, i, t, &form), v3_madd(x, near / scale, direction), direction, left,
                       margin / scale);
}

bool solids_between(const solids *s, uint32_t i, rill_vec3 from, rill_vec3 to, double t, double margin)
{
    solid_place storage;
    const solid_place *p = solids_place_at(s, i, t, &storage);
    shape form_storage;
    const shape *form = solids_form_at(s, i, t, &form_storage);
    rill_vec3 x = local_of(s, p, from);
    const rill_vec3 way = v3_sub(local_of(s, p, to), x);
    const double length = v3_length(way);
    if (!(length > 0)) return false;
    const rill_vec3 direction = v3_scale(way, 1 / length);
    margin /= p->pose.scale;
    if (surely_free(form, x, direction, length, margin)) return false;
    double left = length - 2 * margin;
    for (int piece = 0; piece < PIECES && left > 0; piece++) {
        const double go = shape_free(form, x, direction, margin, left);
        if (go <= margin) return true;
        x = v3_madd(x, go, direction);
        left -= go;
    }
    return left > 0; /* it is never far from the line */
}
