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
    uint8_t *taken; /* NULL: they are counted only */
} row_job;

static size_t rows_of(const lattice_range *r)
{
    return (size_t)((r->end[2] - r->begin[2]) * (r->end[1] - r->begin[1]));
}

/* Rows along x, by number: counts are exact in double. */
static double look_at_rows(void *arg, size_t begin, size_t end)
{
    const row_job *c = arg;
    const lattice_range *r = &c->range;
    const size_t across = (size_t)(r->end[1] - r->begin[1]), length = (size_t)(r->end[0] - r->begin[0]);
    double count = 0;
    for (size_t row = begin; row < end; row++) {
        const int64_t k = r->begin[2] + (int64_t)(row / across), j = r->begin[1] + (int64_t)(row % across);
        for (size_t i = 0; i < length; i++) {
            const bool is =
                is_liquid(c->scene, c->liquid, c->walls, place(&c->lattice, r->begin[0] + (int64_t)i, j, k));
            if (c->taken) c->taken[row * length + i] = is;
            count += is;
        }
    }
    return count;
}

static uint64_t count_liquid(rill_ctx *ctx, const rill_scene *scene, const solids *walls, uint32_t q)
{
    double size;
    row_job c = {.scene = scene, .walls = walls, .liquid = q, .lattice = lattice_of(scene)};
    if (!range_of(&c.lattice, &scene->liquid[q], &c.range, &size)) return 0;
    return (uint64_t)parallel_sum(ctx, rows_of(&c.range), look_at_rows, &c);
}

static uint64_t count_all(rill_ctx *ctx, const rill_scene *scene, const solids *walls)
{
    uint64_t count = 0;
    for (uint32_t q = 0; q < scene->liquid_count; q++) count += count_liquid(ctx, scene, walls, q);
    return count;
}

rill_status sources_sites(rill_ctx *ctx, const sources *s, const solids *walls, uint32_t liquid,
                          uint32_t sparse, source_sites *out)
{
    enum { MANY = 1 << 26 }; /* too many to have them all without looking first */
    const rill_scene *scene = s->scene;
    row_job c = {.scene = scene, .walls = walls, .liquid = liquid, .lattice = lattice_of(scene)};
    source_sites sites = {.liquid = liquid, .spacing = c.lattice.spacing};
    double size;
    TRY(check_size(ctx, scene));
    const bool any = range_of(&c.lattice, &scene->liquid[liquid], &c.range, &size);
    if (any && (size <= MANY || (double)count_liquid(ctx, scene, walls, liquid) * sparse >= size)) {
        TRY(MEM_NEW(ctx, sites.taken, (size_t)size));
        c.taken = sites.taken;
        sites.count = (uint64_t)parallel_sum(ctx, rows_of(&c.range), look_at_rows, &c);
        sites.origin = place(&c.lattice, c.range.begin[0], c.range.begin[1], c.range.begin[2]);
        for (int a = 0; a < 3; a++) sites.size[a] = (uint32_t)(c.range.end[a] - c.range.begin[a]);
    }
    *out = sites;
    return RILL_OK;
}

void source_sites_clear(rill_ctx *ctx, source_sites *s)
{
    mem_free(ctx, s->taken);
    *s = (source_sites){0};
}

/* One row of places, appended when it is full. */
typedef struct {
    rill_vec3 *position, *velocity;
    size_t capacity_x, capacity_v;
} lattice_row;

static rill_status fill_liquid(rill_ctx *ctx, const rill_scene *scene, const solids *walls, uint32_t q,
                               lattice_row *row, particles *p)
{
    const lattice l = lattice_of(scene);
    const scene_liquid *liquid = &scene->liquid[q];
    lattice_range r;
    double size;
    if (!range_of(&l, liquid, &r, &size)) return RILL_OK;
    const size_t length = (size_t)(r.end[0] - r.begin[0]);
    TRY(mem_grow(ctx, &row->position, sizeof *row->position, &row->capacity_x, length));
    TRY(mem_grow(ctx, &row->velocity, sizeof *row->velocity, &row->capacity_v, length));
    for (int64_t k = r.begin[2]; k < r.end[2]; k++)
        for (int64_t j = r.begin[1]; j < r.end[1]; j++) {
            size_t n = 0;
            for (int64_t i = r.begin[0]; i < r.end[0]; i++) {
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

/* Those from liquid `from` up to `to`. */
static rill_status fill(rill_ctx *ctx, const rill_scene *scene, const solids *walls, uint32_t from,
                        uint32_t to, particles *p)
{
    TRY(check_size(ctx, scene));
    const size_t before = p->count;
    const uint64_t next_id = p->next_id;
    uint64_t count = 0;
    lattice_row row = {0};
    for (uint32_t q = from; q < to; q++) count += count_liquid(ctx, scene, walls, q);
    /* Exact: half the room of a growing array would stay empty. */
    rill_status st = particles_reserve(ctx, p, before + (size_t)count);
    for (uint32_t q = from; !st && q < to; q++) st = fill_liquid(ctx, scene, walls, q, &row, p);
    if (st) {
        p->count = before;
        p->next_id = next_id;
    }
    mem_free(ctx, row.position);
    mem_free(ctx, row.velocity);
    return st;
}

rill_status sources_fill(rill_ctx *ctx, const sources *s, const solids *walls, particles *p)
{
    return fill(ctx, s->scene, walls, 0, s->scene->liquid_count, p);
}

rill_status sources_fill_liquid(rill_ctx *ctx, const sources *s, const solids *walls, uint32_t liquid,
                                particles *p)
{
    return fill(ctx, s->scene, walls, liquid, liquid + 1, p);
}

rill_status sources_count(rill_ctx *ctx, const rill_scene *scene, uint64_t *count)
{
    TRY(check_size(ctx, scene));
    solids walls;
    TRY(solids_create(ctx, scene, &walls));
    const uint64_t n = count_all(ctx, scene, &walls);
    solids_clear(ctx, &walls);
    *count = n;
    return RILL_OK;
}
