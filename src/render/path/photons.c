#include "render/path/photons.h"

#include "base/parallel.h"
#include "render/path/dice.h"
#include "render/path/photon_source.h"

enum { WANTED = 50, BLOCK = 1024, SEED = 0x9407 }; /* photons in the disc of an average place */
enum { CELL_BITS = 20 };                           /* of a key, per axis */

typedef struct {
    const studio *w;
    photon_sources from;
    photon *photon;
    uint64_t *key; /* UINT64_MAX: not kept */
    int bounces;
    photon_map *map;
} shot;

/* The box around what is clear. */
static rill_box clear_box(const studio *w)
{
    rill_box b = box_empty();
    if (studio_is_glass(w, studio_liquid(w)) && w->liquid.vertex_count > 0) b = trimesh_bounds(&w->liquid);
    for (uint32_t k = 0; k < w->solids.count; k++) {
        if (!studio_is_glass(w, k)) continue;
        solid_place room;
        const rill_box s = solids_place_at(&w->solids, k, w->time, &room)->bounds;
        b = box_with(box_with(b, v3_max(s.min, w->domain.min)), v3_min(s.max, w->domain.max));
    }
    return b;
}

/* Where the cell of a point is among all, from one corner far away. */
static uint64_t cell_of(const photon_map *m, rill_vec3 from_origin, int dx, int dy, int dz)
{
    const double side = 2 * m->radius, half = 1 << (CELL_BITS - 1);
    uint64_t key = 0;
    const int step[3] = {dx, dy, dz};
    for (int a = 2; a >= 0; a--) {
        const double at = floor(v3_axis(from_origin, a) / side) + step[a] + half;
        key = key << CELL_BITS | (uint64_t)fmin(fmax(at, 0), 2 * half - 1);
    }
    return key;
}

static void keep(const shot *s, size_t i, const studio_hit *h, rill_vec3 direction, rill_vec3 flux)
{
    const rill_vec3 p = v3_sub(h->point, s->map->origin);
    const double side = v3_dot(h->face, direction) < 0 ? 1 : -1;
    s->photon[i] = (photon){{(float)p.x, (float)p.y, (float)p.z},
                            {(float)(side * h->face.x), (float)(side * h->face.y), (float)(side * h->face.z)},
                            {(float)flux.x, (float)flux.y, (float)flux.z}};
    s->key[i] =
        cell_of(s->map, v3(s->photon[i].point[0], s->photon[i].point[1], s->photon[i].point[2]), 0, 0, 0);
}

static void send(const shot *s, size_t i)
{
    const studio *w = s->w;
    dice d = dice_of(0, (uint32_t)i, SEED);
    const photon_source *from = photon_source_of(&s->from, i);
    double random[4];
    dice_throw(&d, random);
    dice_throw(&d, random + 2);
    studio_ray r = {.to = INFINITY};
    rill_vec3 flux;
    if (!photon_start(&s->from, from, random, &r, &flux)) return;
    media m = from->start;
    bool bent = false;
    for (int bounce = 0; bounce < s->bounces; bounce++) {
        studio_hit h;
        r.share = 0.5;
        r.fade = 1;
        if (!studio_intersect(w, &r, &h) || studio_is_lamp(w, h.thing)) return;
        studio_see_tint(w, &h, &m);
        flux = v3_times(flux, studio_through(w, &m, h.t));
        if (!studio_is_glass(w, h.thing)) {
            /* paths carry radiance over the squared index of where they are: it does not change by refraction
             */
            const double index = studio_index(w, studio_medium(w, &m));
            if (bent) keep(s, i, &h, r.direction, v3_scale(flux, 1 / (index * index)));
            return;
        }
        random[0] = dice_one(&d);
        if (w->material[h.thing].look.frost > 0) dice_throw(&d, random + 1);
        bent |= studio_cross(w, &h, random, &m, &r.direction, &flux);
        r.origin = v3_madd(h.point, v3_dot(h.face, r.direction) > 0 ? w->skin : -w->skin, h.face);
    }
}

static void send_all(void *arg, size_t begin, size_t end, int worker)
{
    const shot *s = arg;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        s->key[i] = UINT64_MAX;
        send(s, i);
    }
}

/* The kept ones, in the order of their cells and numbers. */
static rill_status sort_kept(rill_ctx *ctx, const shot *s, size_t count, photon_map *out)
{
    uint64_t *spare_key = NULL;
    uint32_t *value = NULL, *spare = NULL;
    size_t kept = 0;
    rill_status st = MEM_NEW(ctx, value, count);
    if (!st) st = MEM_NEW(ctx, spare, count);
    if (!st) st = MEM_NEW(ctx, spare_key, count);
    for (size_t i = 0; !st && i < count; i++)
        if (s->key[i] != UINT64_MAX) {
            s->key[kept] = s->key[i];
            value[kept++] = (uint32_t)i;
        }
    if (!st) st = sort_by_key(ctx, kept, 3 * CELL_BITS, s->key, value, spare_key, spare);
    if (!st) st = MEM_NEW(ctx, out->photon, kept);
    for (size_t i = 0; !st && i < kept; i++) out->photon[i] = s->photon[value[i]];
    if (!st) {
        out->count = kept;
        out->key = s->key;
    }
    mem_free(ctx, value);
    mem_free(ctx, spare);
    mem_free(ctx, spare_key);
    return st;
}

rill_status photon_map_create(rill_ctx *ctx, const studio *w, const sky *k, size_t count, int bounces,
                              photon_map *out)
{
    const rill_box b = clear_box(w);
    photon_map map = {.origin = box_center(w->domain), .radius = w->size};
    *out = map;
    if (!(b.min.x < b.max.x) || count == 0) return RILL_OK;
    shot s = {.w = w, .bounces = bounces, .map = &map};
    const double disc = v3_length(box_size(b)) / 2;
    map.radius = disc * sqrt(WANTED / (double)count);
    rill_status st = photon_sources_create(ctx, w, k, box_center(b), disc, count, &s.from);
    if (st || s.from.count == 0) {
        photon_sources_clear(ctx, &s.from);
        return st;
    }
    st = MEM_NEW(ctx, s.photon, count);
    if (!st) st = MEM_NEW(ctx, s.key, count);
    if (!st) {
        parallel_for(ctx, count, BLOCK, send_all, &s);
        st = sort_kept(ctx, &s, count, &map);
    }
    photon_sources_clear(ctx, &s.from);
    mem_free(ctx, s.photon);
    if (st)
        mem_free(ctx, s.key);
    else
        *out = map;
    return st;
}

void photon_map_clear(rill_ctx *ctx, photon_map *m)
{
    mem_free(ctx, m->photon);
    mem_free(ctx, m->key);
    *m = (photon_map){0};
}

static size_t first_of(const photon_map *m, uint64_t key)
{
    size_t low = 0, high = m->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (m->key[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

rill_vec3 photon_map_light(const photon_map *m, rill_vec3 point, rill_vec3 face)
{
    rill_vec3 sum = v3(0, 0, 0);
    if (m->count == 0) return sum;
    const rill_vec3 p = v3_sub(point, m->origin);
    const double r2 = m->radius * m->radius, side = 2 * m->radius;
    /* The disc reaches into one neighbour cell at most along each axis: the nearer one. */
    int to[3];
    for (int a = 0; a < 3; a++) {
        const double at = v3_axis(p, a) / side;
        to[a] = at - floor(at) < 0.5 ? -1 : 1;
    }
    for (int k = 0; k < 8; k++) {
        const uint64_t key = cell_of(m, p, k & 1 ? to[0] : 0, k & 2 ? to[1] : 0, k & 4 ? to[2] : 0);
        for (size_t i = first_of(m, key); i < m->count && m->key[i] == key; i++) {
            const photon *q = &m->photon[i];
            const double x = q->point[0] - p.x, y = q->point[1] - p.y, z = q->point[2] - p.z,
                         d2 = x * x + y * y + z * z;
            if (d2 >= r2 || q->face[0] * face.x + q->face[1] * face.y + q->face[2] * face.z < 0.7) continue;
            const double share = 2 * (1 - d2 / r2); /* Epanechnikov's kernel */
            sum = v3_madd(sum, share, v3(q->flux[0], q->flux[1], q->flux[2]));
        }
    }
    return v3_scale(sum, 1 / (OPTICS_PI * r2));
}
