/* The initial liquid: a lattice of one particle per cell of the domain's own lattice.
 *
 * Each liquid's bounds are walked row by row; a place is its when it is inside the shape
 * (by a millionth of a spacing, so that round-off does not decide what lies on the
 * surface), in no earlier liquid, and far enough from the walls. */
#include "base/parallel.h"
#include "flow/sources.h"

static const double most = 2147483648.0;

typedef struct {
    const rill_scene *scene;
    rill_vec3 origin; /* of the lattice: the middle of the first cell */
    double spacing;
} lattice;

typedef struct {
    int64_t begin[3], end[3];
} lattice_range;

static lattice lattice_of(const rill_scene *scene)
{
    const double spacing = scene_particle_spacing(scene), h = 0.5 * spacing;
    lattice l = {scene, v3_add(scene->domain.min, v3(h, h, h)), spacing};
    if (scene->dimensions == 2) l.origin.z = 0;
    return l;
}

static rill_vec3 place(const lattice *l, int64_t i, int64_t j, int64_t k)
{
    return v3(l->origin.x + (double)i * l->spacing, l->origin.y + (double)j * l->spacing,
              l->origin.z + (double)k * l->spacing);
}

/* The places within the liquid's bounds and the domain; false when there are none.
 * *count is their number, as a double: it may be beyond counting. */
static bool range_of(const lattice *l, const scene_liquid *liquid, lattice_range *out, double *count)
{
    const rill_box b = shape_bounds(&liquid->shape);
    const scene_domain *domain = &l->scene->domain;
    double first[3], last[3];
    *count = 1;
    for (int a = 0; a < 3; a++) {
        first[a] = last[a] = 0;
        if (a == 2 && l->scene->dimensions == 2) continue;
        const double lo = fmax(v3_axis(b.min, a), v3_axis(domain->min, a)),
                     hi = fmin(v3_axis(b.max, a), v3_axis(domain->max, a));
        if (!(lo < hi)) return false;
        first[a] = ceil((lo - v3_axis(l->origin, a)) / l->spacing - 1e-6);
        last[a] = floor((hi - v3_axis(l->origin, a)) / l->spacing + 1e-6);
        if (!(first[a] <= last[a])) return false;
        *count *= last[a] - first[a] + 1;
    }
    if (*count > most) return true; /* the caller refuses; the range might not fit */
    for (int a = 0; a < 3; a++) {
        out->begin[a] = (int64_t)first[a];
        out->end[a] = (int64_t)last[a] + 1;
    }
    return true;
}

static bool is_liquid(const rill_scene *scene, uint32_t liquid, const solids *walls, rill_vec3 x)
{
    const double spacing = scene_particle_spacing(scene), inside = -1e-6 * spacing;
    if (!(shape_distance(&scene->liquid[liquid].shape, x, NULL) < inside)) return false;
    for (uint32_t k = 0; k < liquid; k++)
        if (shape_distance(&scene->liquid[k].shape, x, NULL) < inside) return false;
    return solids_distance(walls, x, -scene->time.preroll, NULL) >= (0.5 - 1e-3) * spacing;
}

static rill_status check_size(rill_ctx *ctx, const rill_scene *scene)
{
    const lattice l = lattice_of(scene);
    double all = 0, count;
    lattice_range range;
    for (uint32_t i = 0; i < scene->liquid_count; i++)
        if (range_of(&l, &scene->liquid[i], &range, &count)) all += count;
    if (all <= most) return RILL_OK;
    const double factor = pow(all / most, scene->dimensions == 2 ? 0.5 : 1.0 / 3);
    return rill_fail(ctx, RILL_BAD_SCENE,
                     "spacing %g gives up to %.3g particles, more than the %.3g that can be run; spacing "
                     "%.3g would do",
                     scene->spacing, all, most, 1.02 * factor * scene->spacing);
}

typedef struct {
    const rill_scene *scene;
    const solids *walls;
    uint32_t liquid;
    lattice lattice;
    lattice_range range;
} count_job;

/* Rows along x, by number: counts are exact in double. */
static double count_some(void *arg, size_t begin, size_t end)
{
    const count_job *c = arg;
    const lattice_range *r = &c->range;
    const size_t across = (size_t)(r->end[1] - r->begin[1]);
    double count = 0;
    for (size_t row = begin; row < end; row++) {
        const int64_t k = r->begin[2] + (int64_t)(row / across), j = r->begin[1] + (int64_t)(row % across);
        for (int64_t i = r->begin[0]; i < r->end[0]; i++)
            count += is_liquid(c->scene, c->liquid, c->walls, place(&c->lattice, i, j, k));
    }
    return count;
}

static uint64_t count_rows(rill_ctx *ctx, const rill_scene *scene, const solids *walls)
{
    double count = 0, size;
    for (uint32_t q = 0; q < scene->liquid_count; q++) {
        count_job c = {.scene = scene, .walls = walls, .liquid = q, .lattice = lattice_of(scene)};
        if (!range_of(&c.lattice, &scene->liquid[q], &c.range, &size)) continue;
        const size_t rows =
            (size_t)((c.range.end[2] - c.range.begin[2]) * (c.range.end[1] - c.range.begin[1]));
        count += parallel_sum(ctx, rows, count_some, &c);
    }
    return (uint64_t)count;
}

/* One row of places, appended when it is full. */
typedef struct {
    rill_vec3 *position, *velocity;
    size_t capacity_x, capacity_v;
} lattice_row;

static rill_status fill_liquid(rill_ctx *ctx, const rill_scene *scene, const solids *walls, uint32_t q,
                               const lattice_range *r, lattice_row *row, particles *p)
{
    const lattice l = lattice_of(scene);
    const scene_liquid *liquid = &scene->liquid[q];
    const size_t length = (size_t)(r->end[0] - r->begin[0]);
    TRY(mem_grow(ctx, &row->position, sizeof *row->position, &row->capacity_x, length));
    TRY(mem_grow(ctx, &row->velocity, sizeof *row->velocity, &row->capacity_v, length));
    for (int64_t k = r->begin[2]; k < r->end[2]; k++)
        for (int64_t j = r->begin[1]; j < r->end[1]; j++) {
            size_t n = 0;
            for (int64_t i = r->begin[0]; i < r->end[0]; i++) {
                const rill_vec3 x = place(&l, i, j, k);
                if (!is_liquid(scene, q, walls, x)) continue;
                rill_vec3 v = velocity_field_at(&liquid->velocity, &scene->domain, x);
                if (scene->dimensions == 2) v.z = 0;
                row->position[n] = x;
                row->velocity[n++] = v;
            }
            TRY(particles_append(ctx, p, n, row->position, row->velocity));
        }
    return RILL_OK;
}

rill_status sources_fill(rill_ctx *ctx, const sources *s, const solids *walls, particles *p)
{
    const rill_scene *scene = s->scene;
    TRY(check_size(ctx, scene));
    const lattice l = lattice_of(scene);
    const size_t before = p->count;
    const uint64_t next_id = p->next_id;
    lattice_row row = {0};
    /* Exact: half the room of a growing array would stay empty. */
    rill_status st = particles_reserve(ctx, p, before + (size_t)count_rows(ctx, scene, walls));
    for (uint32_t q = 0; !st && q < scene->liquid_count; q++) {
        lattice_range r;
        double size;
        if (range_of(&l, &scene->liquid[q], &r, &size)) st = fill_liquid(ctx, scene, walls, q, &r, &row, p);
    }
    if (st) {
        p->count = before;
        p->next_id = next_id;
    }
    mem_free(ctx, row.position);
    mem_free(ctx, row.velocity);
    return st;
}

rill_status sources_count(rill_ctx *ctx, const rill_scene *scene, uint64_t *count)
{
    TRY(check_size(ctx, scene));
    solids walls;
    TRY(solids_create(ctx, scene, &walls));
    const uint64_t n = count_rows(ctx, scene, &walls);
    solids_clear(ctx, &walls);
    *count = n;
    return RILL_OK;
}
