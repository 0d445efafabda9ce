/* The initial liquid: a lattice of one particle per cell of the domain's own lattice, and cut cells as the
 * plan has them (fill_plan.h). */
#include "base/parallel.h"
#include "flow/colors.h"
#include "flow/fill_plan.h"

/* ---- sites ---- */

typedef struct {
    const fill_lattice *lattice;
    uint32_t liquid;
    fill_range range;
    uint8_t *taken;
} site_job;

/* A cut cell whose middle is liquid, half a spacing from walls: particles of the sites stay where they are.
 */
static bool is_site(const site_job *j, rill_vec3 x)
{
    const fill_lattice *l = j->lattice;
    return shape_distance(&l->scene->liquid[j->liquid].shape, x, NULL) < -1e-6 * l->spacing &&
           solids_distance(l->walls, x, l->time, NULL) >= (0.5 - 1e-3) * l->spacing;
}

static double full_rows(void *arg, size_t begin, size_t end)
{
    const site_job *j = arg;
    const size_t length = fill_length(&j->range);
    double count = 0;
    for (size_t row = begin; row < end; row++)
        for (size_t i = 0; i < length; i++) {
            int64_t at[3];
            fill_cell(&j->range, row * length + i, at);
            const bool full =
                fill_kind_of(j->lattice, j->liquid, fill_place(j->lattice, at[0], at[1], at[2])) == FILL_FULL;
            j->taken[row * length + i] = full;
            count += full;
        }
    return count;
}

/* Without the outermost cells whose middles are beyond the liquid's bounds: false when nothing is left. */
static bool site_range(const fill_plan *plan, uint32_t liquid, fill_range *r)
{
    const rill_scene *scene = plan->lattice.scene;
    const rill_box b = shape_bounds(&scene->liquid[liquid].shape);
    const double slack = 1e-6 * plan->lattice.spacing;
    *r = plan->part[liquid].range;
    for (int a = 0; a < scene->dimensions; a++) {
        const double low = fmax(v3_axis(b.min, a), v3_axis(scene->domain.min, a)) - slack,
                     high = fmin(v3_axis(b.max, a), v3_axis(scene->domain.max, a)) + slack;
        const rill_vec3 first = fill_place(&plan->lattice, r->begin[0], r->begin[1], r->begin[2]),
                        last = fill_place(&plan->lattice, r->end[0] - 1, r->end[1] - 1, r->end[2] - 1);
        if (v3_axis(first, a) < low) r->begin[a]++;
        if (v3_axis(last, a) > high) r->end[a]--;
        if (r->begin[a] >= r->end[a]) return false;
    }
    return fill_rows(r) > 0 && fill_length(r) > 0;
}

static rill_status take_sites(rill_ctx *ctx, const fill_plan *plan, const fill_range *r, source_sites *sites)
{
    const fill_part *part = &plan->part[sites->liquid];
    site_job j = {.lattice = &plan->lattice, .liquid = sites->liquid, .range = *r};
    const size_t length = fill_length(r), across = (size_t)(r->end[1] - r->begin[1]);
    TRY(MEM_NEW(ctx, sites->taken, fill_rows(r) * length));
    j.taken = sites->taken;
    sites->count = (uint64_t)parallel_sum(ctx, fill_rows(r), full_rows, &j);
    for (size_t k = 0; k < part->cuts; k++) {
        int64_t at[3];
        bool within = true;
        fill_cell(&part->range, part->cut[k].place, at);
        for (int a = 0; a < 3; a++) within &= at[a] >= r->begin[a] && at[a] < r->end[a];
        if (!within || !is_site(&j, fill_place(j.lattice, at[0], at[1], at[2]))) continue;
        sites->taken[((size_t)(at[2] - r->begin[2]) * across + (size_t)(at[1] - r->begin[1])) * length +
                     (size_t)(at[0] - r->begin[0])] = 1;
        sites->count++;
    }
    sites->origin = fill_place(j.lattice, r->begin[0], r->begin[1], r->begin[2]);
    for (int a = 0; a < 3; a++) sites->size[a] = (uint32_t)(r->end[a] - r->begin[a]);
    return RILL_OK;
}

rill_status sources_sites(rill_ctx *ctx, const sources *s, const solids *walls, uint32_t liquid,
                          uint32_t sparse, source_sites *out)
{
    enum { MANY = 1 << 26 }; /* too many to have them all without looking first */
    fill_plan plan;
    const fill_lattice lattice = fill_lattice_of(s->scene, walls);
    TRY(fill_plan_build(ctx, &lattice, &plan));
    const fill_part *part = &plan.part[liquid];
    source_sites sites = {.liquid = liquid, .spacing = plan.lattice.spacing};
    fill_range range;
    rill_status st = RILL_OK;
    if (site_range(&plan, liquid, &range)) {
        const double size = (double)fill_rows(&range) * (double)fill_length(&range);
        if (size <= MANY || (double)(part->full + part->taken) * sparse >= size)
            st = take_sites(ctx, &plan, &range, &sites);
    }
    fill_plan_clear(ctx, &plan);
    if (!st) *out = sites;
    return st;
}

void source_sites_clear(rill_ctx *ctx, source_sites *s)
{
    mem_free(ctx, s->taken);
    *s = (source_sites){0};
}

/* ---- particles ---- */

/* One row of places, appended when it is full. */
typedef struct {
    rill_vec3 *position, *velocity;
    size_t capacity_x, capacity_v, count;
} lattice_row;

static void put(const fill_plan *plan, const fill_shifts *shifts, uint32_t q, const int64_t at[3],
                lattice_row *row)
{
    const rill_scene *scene = plan->lattice.scene;
    const rill_vec3 x = fill_shifted(plan, shifts, at);
    rill_vec3 v = velocity_field_at(&scene->liquid[q].velocity, &scene->domain, x);
    if (scene->dimensions == 2) v.z = 0;
    row->position[row->count] = x;
    row->velocity[row->count++] = v;
}

static rill_status fill_liquid(rill_ctx *ctx, const fill_plan *plan, const fill_shifts *shifts, uint32_t q,
                               lattice_row *row, particles *p)
{
    const fill_part *part = &plan->part[q];
    const fill_lattice *l = &plan->lattice;
    const size_t length = fill_length(&part->range), rows = fill_rows(&part->range), before = p->count;
    size_t next = 0; /* cut cell */
    TRY(mem_grow(ctx, &row->position, sizeof *row->position, &row->capacity_x, length));
    TRY(mem_grow(ctx, &row->velocity, sizeof *row->velocity, &row->capacity_v, length));
    for (size_t k = 0; k < rows; k++) {
        row->count = 0;
        for (size_t i = 0; i < length; i++) {
            int64_t at[3];
            fill_cell(&part->range, k * length + i, at);
            const bool cut = next < part->cuts && part->cut[next].place == k * length + i;
            if (cut ? part->cut[next].taken
                    : fill_kind_of(l, q, fill_place(l, at[0], at[1], at[2])) == FILL_FULL)
                put(plan, shifts, q, at, row);
            next += cut;
        }
        TRY(particles_append(ctx, p, row->count, row->position, row->velocity));
    }
    colors_set(p, before, colors_of_liquid(&l->scene->liquid[q]));
    return RILL_OK;
}

/* The number of particles is a whole one: of few of them the volume cannot be right. */
static void tell_volume(rill_ctx *ctx, const fill_plan *plan)
{
    const double count = (double)fill_plan_count(plan), volume = fill_plan_volume(plan),
                 h = plan->lattice.spacing, one = plan->lattice.scene->dimensions == 2 ? h * h : h * h * h;
    if (fabs(count - volume) <= 0.02 * volume) return;
    rill_log(ctx, RILL_LOG_WARNING,
             "the liquid starts with %.4g m%d where its shapes hold %.4g; a smaller spacing is closer",
             count * one, plan->lattice.scene->dimensions, volume * one);
}

/* Those from liquid `from` up to `to`. */
static rill_status fill(rill_ctx *ctx, const fill_lattice *lattice, uint32_t from, uint32_t to, particles *p)
{
    const size_t before = p->count;
    const uint64_t next_id = p->next_id;
    uint64_t count = 0;
    lattice_row row = {0};
    fill_plan plan;
    fill_shifts shifts = {0};
    TRY(colors_add_columns(ctx, lattice->scene, p));
    TRY(fill_plan_build(ctx, lattice, &plan));
    for (uint32_t q = from; q < to; q++) count += plan.part[q].full + plan.part[q].taken;
    rill_status st = fill_spread(ctx, &plan, &shifts);
    /* The exact capacity: half of a growing array would stay empty. */
    if (!st) st = particles_reserve(ctx, p, before + (size_t)count);
    for (uint32_t q = from; !st && q < to; q++) st = fill_liquid(ctx, &plan, &shifts, q, &row, p);
    if (st) {
        p->count = before;
        p->next_id = next_id;
    } else
        tell_volume(ctx, &plan);
    mem_free(ctx, row.position);
    mem_free(ctx, row.velocity);
    fill_shifts_clear(ctx, &shifts);
    fill_plan_clear(ctx, &plan);
    return st;
}

/* A domain that fluid fills: what the liquids leave of it is fluid at rest, the last of them. *own: to be
 * freed. */
static rill_status whole_domain(rill_ctx *ctx, const rill_scene *scene, rill_scene *out, scene_liquid **own)
{
    *out = *scene; /* borrows */
    *own = NULL;
    if (!scene->fill) return RILL_OK;
    TRY(MEM_NEW_ZERO(ctx, *own, (size_t)scene->liquid_count + 1));
    for (uint32_t i = 0; i < scene->liquid_count; i++) (*own)[i] = scene->liquid[i];
    shape_box whole = {scene->domain.min, scene->domain.max};
    if (scene->dimensions == 2) whole.min.z = -1, whole.max.z = 1;
    (*own)[scene->liquid_count].shape = (shape){.kind = SHAPE_BOX, .box = whole};
    out->liquid = *own;
    out->liquid_count++;
    return RILL_OK;
}

rill_status sources_fill(rill_ctx *ctx, const sources *s, const solids *walls, particles *p)
{
    rill_scene whole;
    scene_liquid *own;
    TRY(whole_domain(ctx, s->scene, &whole, &own));
    const fill_lattice lattice = fill_lattice_of(&whole, walls);
    const rill_status st = fill(ctx, &lattice, 0, whole.liquid_count, p);
    mem_free(ctx, own);
    return st;
}

rill_status sources_fill_liquid(rill_ctx *ctx, const sources *s, const solids *walls, uint32_t liquid,
                                particles *p)
{
    const fill_lattice lattice = fill_lattice_of(s->scene, walls);
    return fill(ctx, &lattice, liquid, liquid + 1, p);
}

rill_status sources_fill_later(rill_ctx *ctx, const sources *s, const solids *walls, double after,
                               double until, particles *p)
{
    fill_lattice lattice = fill_lattice_of(s->scene, walls);
    lattice.after = fmax(after, 0);
    lattice.until = lattice.time = until;
    return fill(ctx, &lattice, 0, s->scene->liquid_count, p);
}

rill_status sources_count(rill_ctx *ctx, const rill_scene *scene, uint64_t *count)
{
    solids walls = {0};
    uint64_t all = 0;
    rill_scene whole;
    scene_liquid *own;
    TRY(whole_domain(ctx, scene, &whole, &own));
    fill_lattice lattice = fill_lattice_of(&whole, NULL);
    rill_status st = fill_check_size(ctx, &lattice); /* before meshes are prepared */
    if (!st) st = solids_create(ctx, scene, &walls);
    lattice = fill_lattice_of(&whole, &walls);
    for (int later = 0; later < (sources_later(scene) ? 2 : 1) && !st; later++) {
        fill_plan plan;
        if (later) lattice.after = 0, lattice.until = INFINITY;
        st = fill_plan_build(ctx, &lattice, &plan);
        if (st) break;
        all += fill_plan_count(&plan);
        fill_plan_clear(ctx, &plan);
    }
    if (!st) *count = all;
    solids_clear(ctx, &walls);
    mem_free(ctx, own);
    return st;
}
