#include "render/camera.h"

static const double pi = 3.14159265358979323846;
static const double margin = 0.06;            /* of the frame, on each side */
static const double fitted_fov = 30;          /* degrees */
static const double azimuth = 28, above = 19; /* degrees from the front to the right, and up */

static rill_vec3 corner(rill_box b, int k)
{
    return v3(k & 1 ? b.max.x : b.min.x, k & 2 ? b.max.y : b.min.y, k & 4 ? b.max.z : b.min.z);
}

static void look_along(camera *c, rill_vec3 forward)
{
    c->forward = v3_unit(forward);
    const rill_vec3 pole = fabs(c->forward.y) > 0.999 ? v3(0, 0, -1) : v3(0, 1, 0); /* straight down */
    c->right = v3_unit(v3_cross(c->forward, pole));
    c->up = v3_cross(c->right, c->forward);
}

/* Along one axis of the frame, a point at a (across) and z (ahead) is inside when
 * |a - e| <= (z + d) k for an eye at e, moved back by d. The corners' largest a - z k
 * and -a - z k give the middle e and the least d at once. */
static double fit_axis(camera *c, rill_box b, rill_vec3 axis, double k, double *e)
{
    double high = -INFINITY, low = -INFINITY;
    for (int i = 0; i < 8; i++) {
        const rill_vec3 p = v3_sub(corner(b, i), box_center(b));
        const double a = v3_dot(p, axis), z = v3_dot(p, c->forward);
        high = fmax(high, a - z * k);
        low = fmax(low, -a - z * k);
    }
    *e = (high - low) / 2;
    return (high + low) / (2 * k);
}

static void fit_space(camera *c, rill_box b, double aspect)
{
    const double turn = azimuth * pi / 180, rise = above * pi / 180;
    look_along(c, v3(-sin(turn) * cos(rise), -sin(rise), -cos(turn) * cos(rise)));
    c->half_height = tan(fitted_fov * pi / 360);
    c->half_width = c->half_height * aspect;
    double across, along;
    const double dx = fit_axis(c, b, c->right, c->half_width * (1 - 2 * margin), &across);
    const double dy = fit_axis(c, b, c->up, c->half_height * (1 - 2 * margin), &along);
    rill_vec3 eye = v3_madd(box_center(b), across, c->right);
    eye = v3_madd(eye, along, c->up);
    c->eye = v3_madd(eye, -fmax(dx, dy), c->forward);
}

static void fit_plane(camera *c, rill_box b, double aspect)
{
    const rill_vec3 size = box_size(b);
    const double half = fmax(size.y, size.x / aspect) / 2 / (1 - 2 * margin);
    look_along(c, v3(0, 0, -1));
    c->flat = true;
    c->half_height = half;
    c->half_width = half * aspect;
    c->eye = v3_add(box_center(b), v3(0, 0, size.z / 2 + fmax(size.x, size.y)));
}

camera camera_make(const scene_camera *def, rill_box domain, int dimensions, int width, int height)
{
    camera c = {0};
    const double aspect = (double)width / height;
    if (def->fov > 0) {
        look_along(&c, v3_distance(def->eye, def->target) > 0 ? v3_sub(def->target, def->eye) : v3(0, 0, -1));
        c.eye = def->eye;
        c.half_height = tan(def->fov * pi / 360);
        c.half_width = c.half_height * aspect;
    } else if (dimensions == 2) {
        fit_plane(&c, domain, aspect);
    } else {
        fit_space(&c, domain, aspect);
    }
    c.pixel = 2 * c.half_height / height;
    return c;
}

void camera_ray(const camera *c, int width, int height, double x, double y, rill_vec3 *origin,
                rill_vec3 *direction)
{
    const double a = (2 * x / width - 1) * c->half_width, b = (1 - 2 * y / height) * c->half_height;
    const rill_vec3 offset = v3_add(v3_scale(c->right, a), v3_scale(c->up, b));
    *origin = c->flat ? v3_add(c->eye, offset) : c->eye;
    *direction = c->flat ? c->forward : v3_unit(v3_add(c->forward, offset));
}

bool camera_project(const camera *c, int width, int height, rill_vec3 point, double *x, double *y)
{
    const rill_vec3 p = v3_sub(point, c->eye);
    const double ahead = v3_dot(p, c->forward), scale = c->flat ? 1 : ahead;
    if (ahead <= 0) return false;
    *x = (v3_dot(p, c->right) / (scale * c->half_width) + 1) / 2 * width;
    *y = (1 - v3_dot(p, c->up) / (scale * c->half_height)) / 2 * height;
    return true;
}
