/* Bricks: the initial liquid in particles of several sizes; see bricks.h.
 *
 * A brick of class l consists of 2^l sites; its particle is at its centre with exactly their mass and
 * momentum. In three dimensions classes 3k are cubes of u = 2^k sites; those of the next class are two cubes
 * along x, laid as bricks are, every row and layer shifted by half a brick, so that their centres are a
 * face-centred lattice; those of the next again are two by two cubes, every layer shifted by half a brick
 * along both: a body-centred lattice. In two dimensions classes 2k are squares, and those between are two
 * squares along x, whose centres are a square lattice turned by 45 degrees. Particles of any class are then
 * as evenly distributed as the finest.
 *
 * Coarse bricks are laid first. Where two classes meet, gaps are filled by bricks up to two classes finer.
 */
#include "sph/resample/bricks.h"

#include "flow/colors.h"

#include <math.h>
#include <string.h>

enum { BATCH = 256, SPARSE = 64 };

typedef struct {
    sph *s;
    source_sites sites;
    cell_sizes sizes;
    bool coarse;    /* there are coarse particles */
    place_at *left; /* sites not covered by bricks */
    size_t left_count, left_capacity;
    bool one_way; /* the velocity is the same everywhere */
    rill_vec3 velocity;
    size_t count; /* in the batch */
    rill_vec3 x[BATCH], v[BATCH];
    float size_class[BATCH], depth[BATCH];
} laying;

typedef struct {
    uint32_t at[3], wide[3]; /* first site, and sites along each axis */
} brick;

static rill_status flush(laying *a)
{
    sph *s = a->s;
    const size_t before = s->particles.count;
    TRY(particles_append(s->sim.ctx, &s->particles, a->count, a->x, a->v));
    sph_columns(s);
    for (size_t i = 0; i < a->count; i++) {
        s->sized->class_number[before + i] = a->size_class[i];
        s->sized->spacing[before + i] = (float)s->sized->size_class[(int)a->size_class[i]].spacing;
        s->sized->distance[before + i] = a->depth[i];
    }
    a->count = 0;
    return RILL_OK;
}

static rill_vec3 place_of(const source_sites *t, double i, double j, double k)
{
    return v3_madd(t->origin, t->spacing, v3(i, j, k));
}

static rill_vec3 middle_of(const source_sites *t, const brick *b)
{
    return place_of(t, b->at[0] + 0.5 * (b->wide[0] - 1), b->at[1] + 0.5 * (b->wide[1] - 1),
                    b->at[2] + 0.5 * (b->wide[2] - 1));
}

static rill_vec3 velocity_at(const laying *a, rill_vec3 x)
{
    const rill_scene *scene = a->s->sim.scene;
    rill_vec3 v = velocity_field_at(&scene->liquid[a->sites.liquid].velocity, &scene->domain, x);
    if (scene->dimensions == 2) v.z = 0;
    return v;
}

/* The mean velocity of its sites. */
static rill_vec3 velocity_of(const laying *a, const brick *b)
{
    if (a->one_way) return a->velocity;
    rill_vec3 sum = {0, 0, 0};
    for (uint32_t k = 0; k < b->wide[2]; k++)
        for (uint32_t j = 0; j < b->wide[1]; j++)
            for (uint32_t i = 0; i < b->wide[0]; i++)
                sum = v3_add(sum,
                             velocity_at(a, place_of(&a->sites, b->at[0] + i, b->at[1] + j, b->at[2] + k)));
    return v3_scale(sum, 1 / ((double)b->wide[0] * b->wide[1] * b->wide[2]));
}

static uint8_t *row_of(const source_sites *t, const brick *b, uint32_t j, uint32_t k)
{
    return &t->taken[((size_t)(b->at[2] + k) * t->size[1] + b->at[1] + j) * t->size[0] + b->at[0]];
}

static bool all_there(const source_sites *t, const brick *b)
{
    for (uint32_t k = 0; k < b->wide[2]; k++)
        for (uint32_t j = 0; j < b->wide[1]; j++)
            if (memchr(row_of(t, b, j, k), 0, b->wide[0])) return false;
    return true;
}

/* A particle of class l there would have been merged from two of the next finer, and would not be split
 * again. */
static bool large_enough(const laying *a, rill_vec3 x, int l)
{
    const sph *s = a->s;
    const size_class *of = s->sized->size_class;
    const double size = criteria_size_at(s, x, cell_sizes_at(&a->sizes, x));
    return size > merge_ratio(s) * of[l - 1].kernel.support && size >= s->def.split * of[l].kernel.support;
}

static rill_status add(laying *a, rill_vec3 x, rill_vec3 v, int l)
{
    const double least = 0.25 * a->s->sized->size_class[l].spacing;
    a->depth[a->count] = (float)(a->coarse ? fmax(cell_sizes_depth(&a->sizes, x), least) : least);
    a->x[a->count] = x;
    a->v[a->count] = v;
    a->size_class[a->count++] = (float)l;
    return a->count == BATCH ? flush(a) : RILL_OK;
}

static rill_status lay(laying *a, const brick *b, int l)
{
    for (uint32_t k = 0; k < b->wide[2]; k++)
        for (uint32_t j = 0; j < b->wide[1]; j++) memset(row_of(&a->sites, b, j, k), 0, b->wide[0]);
    return add(a, middle_of(&a->sites, b), velocity_of(a, b), l);
}

static rill_status lay_level(laying *a, int l)
{
    const int dimensions = a->s->sim.scene->dimensions, part = l % dimensions;
    const uint32_t u = 1u << l / dimensions, *size = a->sites.size;
    brick b = {.wide = {u, u, dimensions == 2 ? 1 : u}};
    if (part > 0) b.wide[0] *= 2;
    if (part > 1) b.wide[1] *= 2;
    uint32_t row[3] = {0};
    for (b.at[2] = 0; b.at[2] + b.wide[2] <= size[2]; b.at[2] += b.wide[2], row[2]++) {
        row[1] = 0;
        for (b.at[1] = part == 2 && row[2] % 2 ? u : 0; b.at[1] + b.wide[1] <= size[1];
             b.at[1] += b.wide[1], row[1]++) {
            const bool shifted = part == 1 ? (row[1] + row[2]) % 2 : part == 2 && row[2] % 2;
            for (b.at[0] = shifted ? u : 0; b.at[0] + b.wide[0] <= size[0]; b.at[0] += b.wide[0])
                if (large_enough(a, middle_of(&a->sites, &b), l) && all_there(&a->sites, &b))
                    TRY(lay(a, &b, l));
        }
    }
    return RILL_OK;
}

/* -- sites not covered by bricks --------------------------------------------------------------------- */

/* One particle per site where the finest class is required; the other sites are collected for clusters. */
static rill_status lay_rest(laying *a)
{
    const uint32_t *size = a->sites.size;
    size_t n = 0;
    for (uint32_t k = 0; k < size[2]; k++)
        for (uint32_t j = 0; j < size[1]; j++)
            for (uint32_t i = 0; i < size[0]; i++, n++) {
                if (!a->sites.taken[n]) continue;
                const rill_vec3 x = place_of(&a->sites, i, j, k);
                if (!a->coarse || !large_enough(a, x, 1)) {
                    TRY(add(a, x, velocity_at(a, x), 0));
                    continue;
                }
                TRY(mem_grow(a->s->sim.ctx, &a->left, sizeof *a->left, &a->left_capacity, a->left_count + 1));
                a->left[a->left_count++] = (place_at){{i, j, k}};
            }
    return RILL_OK;
}

static rill_vec3 cluster_middle(const laying *a, const place_at *p, int l)
{
    double sum[3] = {0};
    for (size_t i = 0; i < (size_t)1 << l; i++)
        for (int k = 0; k < 3; k++) sum[k] += p[i].at[k];
    const double share = ldexp(1, -l);
    return place_of(&a->sites, share * sum[0], share * sum[1], share * sum[2]);
}

/* As for bricks: not wider than 8 / 5 of the spacing. */
static bool cluster_large_enough(const void *arg, const place_at *p, int l, uint32_t extent)
{
    const laying *a = arg;
    const size_class *of = a->s->sized->size_class;
    return extent * of[0].spacing < 1.65 * of[l].spacing && large_enough(a, cluster_middle(a, p, l), l);
}

static rill_status lay_cluster(void *arg, const place_at *p, int l)
{
    laying *a = arg;
    rill_vec3 v = a->velocity;
    if (!a->one_way) {
        v = v3(0, 0, 0);
        for (size_t i = 0; i < (size_t)1 << l; i++)
            v = v3_add(v, velocity_at(a, place_of(&a->sites, p[i].at[0], p[i].at[1], p[i].at[2])));
        v = v3_scale(v, ldexp(1, -l));
    }
    return add(a, cluster_middle(a, p, l), v, l);
}

/* Vorticity bounds sizes, and is only known for particles: rotating liquid starts fine. */
static bool may_be_coarse(const laying *a)
{
    return cell_sizes_possible(&a->sites) && (a->one_way || !(a->s->def.split_vorticity > 0));
}

static rill_status lay_liquid(laying *a)
{
    sph *s = a->s;
    const velocity_field *field = &s->sim.scene->liquid[a->sites.liquid].velocity;
    a->one_way = !field->function && !field->named;
    a->velocity = velocity_at(a, a->sites.origin);
    a->coarse = may_be_coarse(a);
    if (!a->coarse) s->sized->started = false; /* distances from the surface are unknown */
    if (a->coarse) TRY(cell_sizes_build(s->sim.ctx, &a->sites, s->sim.scene->dimensions, &a->sizes));
    for (int l = s->sized->class_count - 1; l > 0 && a->coarse; l--) TRY(lay_level(a, l));
    TRY(lay_rest(a));
    TRY(clusters_lay(a->left, a->left_count, s->sized->class_count - 1, cluster_large_enough, lay_cluster,
                     a));
    a->left_count = 0;
    return flush(a);
}

rill_status bricks_fill(sph *s)
{
    rill_ctx *ctx = s->sim.ctx;
    rill_status st = RILL_OK;
    laying *a;
    TRY(MEM_NEW_ZERO(ctx, a, 1));
    a->s = s;
    s->sized->started = true;
    st = colors_add_columns(ctx, s->sim.scene, &s->particles);
    for (uint32_t q = 0; q < s->sim.scene->liquid_count && !st; q++) {
        if (s->sim.scene->liquid[q].start > 0) continue; /* joins later, of the finest size */
        st = sources_sites(ctx, &s->sim.sources, &s->sim.solids, q, SPARSE, &a->sites);
        if (st) break;
        if (!a->sites.taken) s->sized->started = false;
        const size_t before = s->particles.count;
        st = a->sites.taken ? lay_liquid(a)
                            : sources_fill_liquid(ctx, &s->sim.sources, &s->sim.solids, q, &s->particles);
        colors_set(&s->particles, before, colors_of_liquid(&s->sim.scene->liquid[q]));
        cell_sizes_clear(ctx, &a->sizes);
        source_sites_clear(ctx, &a->sites);
    }
    mem_free(ctx, a->left);
    mem_free(ctx, a);
    return st;
}
