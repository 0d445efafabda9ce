#include "render/mist.h"

#include "base/parallel.h"
#include "render/shade.h"

#include <stdatomic.h>
#include <string.h>

enum { GRID = 80 /* cells along the longest side */, BLOCK = 8192 };
static const double unit = 0x1p24; /* of the integers that are summed */
static const double thickness =
    1.6; /* optical depth of all tracers spread over a quarter of the largest face */

typedef struct {
    const particles *p;
    mist_def def;
    const stage *set;
    const camera *eye;
    int width, height;
    float *far; /* per pixel: the way to the nearest solid or the ground */
    _Atomic uint64_t (*sum)[4];
    /* The grid that light goes through: */
    int n[3];
    double cell;
    _Atomic uint32_t *count;
    float *light; /* share of the sun's light */
    mist_pixel *out;
} mist;

static size_t cell_at(const mist *m, rill_vec3 x)
{
    const double at[3] = {(x.x - m->set->domain.min.x) / m->cell, (x.y - m->set->domain.min.y) / m->cell,
                          (x.z - m->set->domain.min.z) / m->cell};
    size_t index = 0;
    for (int a = 2; a >= 0; a--) {
        const int i = !(at[a] > 0) ? 0 : at[a] < m->n[a] ? (int)at[a] : m->n[a] - 1;
        index = index * (size_t)m->n[a] + (size_t)i;
    }
    return index;
}

static void count_cells(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const mist *m = arg;
    for (size_t i = begin; i < end; i++)
        atomic_fetch_add_explicit(&m->count[cell_at(m, m->p->position[i])], 1, memory_order_relaxed);
}

/* Along the way to the sun, cell by cell. */
static void light_cells(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const mist *m = arg;
    const double per_cell = m->def.area / (m->cell * m->cell) * m->def.shade;
    for (size_t c = begin; c < end; c++) {
        if (m->count[c] == 0) continue; /* nobody asks */
        const size_t nx = (size_t)m->n[0], ny = (size_t)m->n[1];
        rill_vec3 at = v3((double)(c % nx) + 0.5, (double)(c / nx % ny) + 0.5, (double)(c / nx / ny) + 0.5);
        const rill_vec3 start = v3_madd(m->set->domain.min, m->cell, at);
        double depth = 0.5 * m->count[c] * per_cell;
        for (;;) {
            at = v3_add(at, shade_sun);
            if (!(at.x >= 0 && at.y >= 0 && at.z >= 0 && at.x < m->n[0] && at.y < m->n[1] && at.z < m->n[2]))
                break;
            depth += m->count[((size_t)at.z * ny + (size_t)at.y) * nx + (size_t)at.x] * per_cell;
        }
        const bool dark = stage_solid_blocks(m->set, start, shade_sun, m->cell, 4 * m->set->size);
        m->light[c] = dark ? 0 : (float)exp(-depth);
    }
}

static void find_far(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const mist *m = arg;
    for (size_t i = begin; i < end; i++) {
        rill_vec3 o, d;
        camera_ray(m->eye, m->width, m->height, (double)(i % (size_t)m->width) + 0.5,
                   (double)(i / (size_t)m->width) + 0.5, &o, &d);
        m->far[i] = (float)stage_solid_way(m->set, o, d);
    }
}

static void add(const mist *m, int x, int y, double way, double weight, rill_vec3 color)
{
    if (x < 0 || y < 0 || x >= m->width || y >= m->height) return;
    const size_t i = (size_t)y * (size_t)m->width + (size_t)x;
    if (way > (double)m->far[i] + m->set->nudge) return;
    const double value[4] = {weight, weight * color.x, weight * color.y, weight * color.z};
    for (int k = 0; k < 4; k++)
        atomic_fetch_add_explicit(&m->sum[i][k], (uint64_t)(value[k] * unit), memory_order_relaxed);
}

static void splat(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const mist *m = arg;
    const rill_vec3 ambient = v3(0.20, 0.23, 0.28), sun = v3(0.95, 0.89, 0.80);
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 p = m->p->position[i];
        double x, y;
        if (!camera_project(m->eye, m->width, m->height, p, &x, &y)) continue;
        if (!(x > -1 && y > -1 && x < m->width + 1 && y < m->height + 1)) continue;
        const double way =
            m->eye->flat ? v3_dot(v3_sub(p, m->eye->eye), m->eye->forward) : v3_distance(p, m->eye->eye);
        const double pixel = m->eye->flat ? m->eye->pixel : m->eye->pixel * way;
        const double weight = fmin(m->def.area / (pixel * pixel), 1e3);
        const int index = m->def.index ? (int)m->def.index[i] : 0;
        rill_vec3 color = m->def.tint[index >= 0 ? index % m->def.tints : 0];
        const rill_vec3 light =
            m->eye->flat ? v3(0.75, 0.75, 0.75) : v3_madd(ambient, (double)m->light[cell_at(m, p)], sun);
        color = v3(color.x * light.x, color.y * light.y, color.z * light.z);
        const int left = (int)floor(x - 0.5), top = (int)floor(y - 0.5);
        const double fx = x - 0.5 - left, fy = y - 0.5 - top;
        add(m, left, top, way, weight * (1 - fx) * (1 - fy), color);
        add(m, left + 1, top, way, weight * fx * (1 - fy), color);
        add(m, left, top + 1, way, weight * (1 - fx) * fy, color);
        add(m, left + 1, top + 1, way, weight * fx * fy, color);
    }
}

static void finish(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const mist *m = arg;
    for (size_t i = begin; i < end; i++) {
        const double all = (double)m->sum[i][0];
        m->out[i] = (mist_pixel){.depth = (float)(all / unit)};
        for (int k = 0; k < 3 && all > 0; k++) m->out[i].color[k] = (float)((double)m->sum[i][k + 1] / all);
    }
}

mist_def mist_of_tracers(const rill_scene *scene, const particles *dots, const stage *set)
{
    static const rill_vec3 tint[] = {
        {0.86, 0.87, 0.90}, {0.88, 0.42, 0.16}, {0.22, 0.66, 0.30}, {0.70, 0.26, 0.62}};
    const rill_vec3 s = box_size(set->domain);
    const double face = fmax(s.x * s.y, fmax(s.x * s.z, s.y * s.z));
    return (mist_def){.dots = dots,
                      .area = thickness * 0.25 * face / fmax(tracers_most(scene), 1),
                      .shade = 0.9,
                      .index = particles_column(dots, "source"),
                      .tint = tint,
                      .tints = sizeof tint / sizeof *tint};
}

mist_def mist_of_whitewater(const rill_view *view)
{
    static const rill_vec3 tint[] = {{1.0, 1.0, 1.0}, {0.95, 0.97, 0.98}, {0.55, 0.78, 0.84}};
    const double radius = 0.2 * view->spacing;
    return (mist_def){.dots = view->whitewater,
                      .area = M_PI * radius * radius,
                      .shade = 0.05, /* foam is lit from all sides by itself */
                      .index = particles_column(view->whitewater, "type"),
                      .tint = tint,
                      .tints = sizeof tint / sizeof *tint};
}

rill_status mist_draw(rill_ctx *ctx, const mist_def *def, const stage *set, const camera *eye, int width,
                      int height, mist_pixel *out)
{
    const particles *dots = def->dots;
    const size_t pixels = (size_t)width * (size_t)height;
    mist m = {.p = dots, .def = *def, .set = set, .eye = eye, .width = width, .height = height, .out = out};
    const rill_vec3 size = box_size(set->domain);
    m.cell = fmax(size.x, fmax(size.y, size.z)) / GRID;
    size_t cells = 1;
    for (int a = 0; a < 3; a++) {
        m.n[a] = (int)fmax(ceil(v3_axis(size, a) / m.cell - 1e-9), 1);
        cells *= (size_t)m.n[a];
    }
    rill_status st = MEM_NEW(ctx, m.far, pixels);
    if (!st) st = MEM_NEW_ZERO(ctx, m.sum, pixels);
    if (!st) st = MEM_NEW_ZERO(ctx, m.count, cells);
    if (!st) st = MEM_NEW_ZERO(ctx, m.light, cells);
    if (!st) {
        parallel_for(ctx, dots->count, BLOCK, count_cells, &m);
        if (!eye->flat) parallel_for(ctx, cells, 1024, light_cells, &m);
        parallel_for(ctx, pixels, 2048, find_far, &m);
        parallel_for(ctx, dots->count, BLOCK, splat, &m);
        parallel_for(ctx, pixels, 4096, finish, &m);
    }
    mem_free(ctx, m.far);
    mem_free(ctx, m.sum);
    mem_free(ctx, m.count);
    mem_free(ctx, m.light);
    return st;
}
