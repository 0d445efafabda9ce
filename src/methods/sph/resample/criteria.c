/* What decides on the size of particles besides the liquid's feature size, [Adams] section 4.3.
 *
 * Every criterion becomes a length that replaces elfs: particles are split below `split` and merged above
 * `merge` kernel radii of it. The view adds to it. A region, eddies and emitters bound it: by the length at
 * which particles of one class are kept and those of the next coarser are split. */
#include "sph/resample/resample.h"

#include <math.h>

/* Distance of x from the camera's view pyramid, which has no far plane. */
static double outside_view(const rill_scene *scene, rill_vec3 x)
{
    const scene_camera *c = &scene->camera;
    if (!(c->fov > 0)) return 0; /* fitted to the domain */
    const rill_vec3 ahead = v3_unit(v3_sub(c->target, c->eye));
    const rill_vec3 up0 = fabs(ahead.y) > 0.99 ? v3(0, 0, 1) : v3(0, 1, 0);
    const rill_vec3 right = v3_unit(v3_cross(ahead, up0)), up = v3_cross(right, ahead);
    const double high = tan(c->fov * M_PI / 360), wide = high * scene->output.width / scene->output.height;
    const rill_vec3 d = v3_sub(x, c->eye);
    const double z = v3_dot(d, ahead);
    const double side = (fabs(v3_dot(d, right)) - wide * z) / sqrt(1 + wide * wide);
    const double top = (fabs(v3_dot(d, up)) - high * z) / sqrt(1 + high * high);
    return fmax(fmax(side, top), fmax(-z, 0));
}

/* A length between those at which this kernel radius and that of the next coarser class are split. */
static double size_to_keep(const sph *s, double radius)
{
    return s->def.split * radius * pow(2, 0.5 / s->sim.scene->dimensions);
}

/* Emitters add layers of the finest class behind the last layer: particles merged meanwhile would overlap the
 * next layer, and an equation of state answers with jets of ten metres a second. */
static double beside_emitters(const sph *s, rill_vec3 x)
{
    const rill_scene *scene = s->sim.scene;
    const double radius = s->model.kernel.support;
    double nearest = INFINITY;
    for (uint32_t k = 0; k < scene->emitter_count; k++) {
        const scene_emitter *e = &scene->emitters[k];
        if (s->sim.time < e->start || s->sim.time > e->end) continue;
        nearest = fmin(nearest, shape_distance(&e->shape, x, NULL));
    }
    return size_to_keep(s, radius) + fmax(nearest - 2 * radius, 0);
}

double criteria_size_at(const sph *s, rill_vec3 x, double elfs)
{
    double size = elfs;
    if (s->def.view_dependent) size += outside_view(s->sim.scene, x);
    if (s->def.region.kind != SHAPE_NONE) {
        const int l =
            s->def.region_level < s->sized->class_count ? s->def.region_level : s->sized->class_count - 1;
        size = fmin(size, size_to_keep(s, s->sized->size_class[l].kernel.support) +
                              fmax(shape_distance(&s->def.region, x, NULL), 0));
    }
    return fmin(size, beside_emitters(s, x));
}

double criteria_size(const criteria *c, size_t i, double elfs)
{
    const sph *s = c->s;
    double size = criteria_size_at(s, s->particles.position[i], elfs);
    if (c->vorticity && c->vorticity[i] > 0) {
        const double turn = fmin((double)c->vorticity[i] / s->def.split_vorticity, 1);
        size = fmin(size, size_to_keep(s, s->model.kernel.support / turn));
    }
    return size;
}

typedef struct {
    const sph *s;
    float *out;
} curl_job;

/* |curl v| = |sum_j V_j (v_j - v_i) x grad W_ij| / t with the mean of both kernels, where t = -sum_j V_j x_ij
 * . grad W_ij / dimensions would be 1 if the liquid were everywhere: a liquid that turns as one has its
 * vorticity at the surface, too. */
static void curl_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const curl_job *j = arg;
    const sph *s = j->s;
    const rill_vec3 *x = s->particles.position, *v = s->particles.velocity;
    for (size_t i = begin; i < end; i++) {
        const sized_list l = sized_list_of(&s->sized->lists, i);
        const kernel *ki = &size_class_of(s, i)->kernel;
        rill_vec3 sum = {0, 0, 0};
        double whole = 0;
        for (sized_walk w = sized_walk_over(l.at, l.end); sized_walk_on(&w);) {
            if (w.id == i) continue;
            const rill_vec3 d = v3_sub(x[i], x[w.id]), dv = v3_sub(v[w.id], v[i]);
            const double r = v3_length(d), mass = size_class_of(s, w.id)->mass;
            if (!(r > 0)) continue;
            const double g =
                0.5 * (kernel_dw_over_r(ki, r) + kernel_dw_over_r(&size_class_of(s, w.id)->kernel, r));
            sum = v3_madd(sum, mass * g, v3_cross(d, dv));
            whole -= mass * g * r * r;
        }
        j->out[i] = whole > 0 ? (float)(s->sim.scene->dimensions * v3_length(sum) / whole) : 0;
    }
}

rill_status criteria_begin(sph *s, rill_arena *arena, criteria *out)
{
    criteria c = {.s = s};
    if (s->def.split_vorticity > 0) {
        TRY(ARENA_NEW(arena, c.vorticity, s->particles.count));
        curl_job j = {s, c.vorticity};
        parallel_for(s->sim.ctx, s->particles.count, 256, curl_block, &j);
    }
    *out = c;
    return RILL_OK;
}
