/* What each particle of white water is, and its way in a step: [Ihmsen12] sections 3.2 and 3.3.
 *
 * Places are gone through in the order of the liquid's cells, so that the samples around a cell are gathered
 * once for all that are in it. Each result depends on its own particle and the liquid alone. */
#include "whitewater/whitewater.h"

#include <string.h>

enum { BLOCK = 512, SORT_EVERY = 16 /* steps */ };

typedef struct {
    whitewater *w;
    const sample_cells *liquid;
    const drift *way;
    size_t first_new;
    uint8_t *fate;
    uint64_t *key;
    uint32_t *order;
    near_samples near[PARALLEL_MAX_THREADS];
    rill_vec3 gravity;
    double full; /* samples within reach, in full liquid */
} job;

/* ---- order ---- */

/* The cell in the order of the liquid's samples; 0 where there are no blocks. */
static void make_keys(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    const sample_cells *c = j->liquid;
    uint32_t block = BLOCK_NONE;
    int32_t last[3] = {INT32_MIN, 0, 0}, cell[3];
    for (size_t i = begin; i < end; i++) {
        j->key[i] = 0;
        j->order[i] = (uint32_t)i;
        if (!sample_cell_at(c, j->w->dots.position[i], cell)) continue;
        if (cell[0] >> 3 != last[0] || cell[1] >> 3 != last[1] || cell[2] >> 3 != last[2]) {
            for (int a = 0; a < 3; a++) last[a] = cell[a] >> 3;
            block = block_map_find(&c->blocks, last[0], last[1], last[2]);
        }
        if (block == BLOCK_NONE) continue;
        const int at = ((cell[2] & 7) * 8 + (cell[1] & 7)) * 8 + (cell[0] & 7);
        j->key[i] = ((uint64_t)block + 1) * SAMPLE_BLOCK_CELLS + (uint64_t)at;
    }
}

static rill_status sort(rill_ctx *ctx, job *j)
{
    const size_t n = j->w->dots.count;
    rill_arena *arena = &j->w->scratch;
    uint64_t *spare_key;
    uint32_t *spare_order;
    int bits = 1;
    while (bits < 63 && ((uint64_t)j->liquid->blocks.count + 1) * SAMPLE_BLOCK_CELLS >> bits) bits++;
    TRY(ARENA_NEW(arena, j->key, n));
    TRY(ARENA_NEW(arena, j->order, n));
    TRY(ARENA_NEW(arena, spare_key, n));
    TRY(ARENA_NEW(arena, spare_order, n));
    parallel_for(ctx, n, 4096, make_keys, j);
    return sort_by_key(ctx, n, bits, j->key, j->order, spare_key, spare_order);
}

/* Neighbours in space become neighbours in memory. By the steps taken, which are saved, so that a resumed run
 * does it when an uninterrupted one does. */
static rill_status reorder(rill_ctx *ctx, job *j)
{
    const size_t n = j->w->dots.count;
    uint8_t *fate;
    TRY(ARENA_NEW(&j->w->scratch, fate, n));
    TRY(particles_permute(ctx, &j->w->dots, j->order));
    particles_free_spares(ctx, &j->w->dots);
    for (size_t k = 0; k < n; k++) fate[k] = j->fate[j->order[k]];
    memcpy(j->fate, fate, n);
    return RILL_OK;
}

/* ---- the liquid at a place ---- */

/* How many samples reach it, and their mean velocity with the weight (1 - q^2)^3, q = distance / reach: eq.
 * 11 with a kernel that takes no root. */
static double look(const near_samples *n, const float at[3], rill_vec3 *u)
{
    f8 count = {0}, all = {0}, x = {0}, y = {0}, z = {0};
    const f8 one = {1, 1, 1, 1, 1, 1, 1, 1};
    for (size_t i = 0; i < n->padded; i += 8) {
        const f8 dx = f8_at(n->x + i) - at[0], dy = f8_at(n->y + i) - at[1], dz = f8_at(n->z + i) - at[2];
        const f8 rest = 1 - (dx * dx + dy * dy + dz * dz) * f8_at(n->inverse2 + i);
        const i8 inside = rest > 0;
        const f8 t = (f8)((i8)rest & inside), k = t * t * t;
        count += (f8)((i8)one & inside);
        all += k;
        x += k * f8_at(n->u + i);
        y += k * f8_at(n->v + i);
        z += k * f8_at(n->w + i);
    }
    const double weight = (double)f8_sum(all);
    if (weight > 0)
        *u = v3((double)f8_sum(x) / weight, (double)f8_sum(y) / weight, (double)f8_sum(z) / weight);
    return (double)f8_sum(count);
}

/* The share of the reach around x that closed sides of the domain leave: nothing is missing there. */
static double open_share(const rill_scene *scene, rill_vec3 x, double reach)
{
    double share = 1;
    for (int a = 0; a < scene->dimensions; a++) {
        const double low = v3_axis(x, a) - v3_axis(scene->domain.min, a),
                     high = v3_axis(scene->domain.max, a) - v3_axis(x, a);
        double part = 0;
        part += scene->domain.open >> (2 * a) & 1 ? 0.5 : fmin(fmax(low / reach, 0), 1) / 2;
        part += scene->domain.open >> (2 * a + 1) & 1 ? 0.5 : fmin(fmax(high / reach, 0), 1) / 2;
        share *= part;
    }
    return fmax(share, 1.0 / 64);
}

/* ---- ways ---- */

/* dv/dt = rate (to - v) + push, exactly, and the way of it. Returns the new place. */
static rill_vec3 relax(rill_vec3 x, rill_vec3 *v, rill_vec3 to, double rate, rill_vec3 push, double dt)
{
    if (!(rate * dt > 1e-6)) { /* a parabola */
        const rill_vec3 end = v3_madd(v3_madd(x, dt, *v), 0.5 * dt * dt, push);
        *v = v3_madd(*v, dt, push);
        return end;
    }
    const rill_vec3 last = v3_madd(to, 1 / rate, push), off = v3_sub(*v, last);
    const double left = exp(-rate * dt);
    *v = v3_madd(last, left, off);
    return v3_madd(v3_madd(x, dt, last), (1 - left) / rate, off);
}

/* Where it heads: section 3.3. DEVIATES: drag is a rate, not a share of a step, and its equation is solved
 * exactly, so that bubbles rise at buoyancy * gravity / drag whatever the step. */
static rill_vec3 heading(const job *j, int kind, rill_vec3 x, rill_vec3 u, rill_vec3 *v)
{
    const scene_whitewater *def = &j->w->scene->whitewater;
    const double dt = j->way->dt;
    if (kind == WATER_SPRAY) return relax(x, v, v3(0, 0, 0), def->air_drag, j->gravity, dt);
    if (kind == WATER_BUBBLE)
        return relax(x, v, u, def->drag, v3_scale(j->gravity, -def->buoyancy), dt); /* eq. 12 */
    *v = u; /* foam goes with the liquid: eq. 11 */
    return v3_madd(x, dt, u);
}

typedef struct {
    rill_vec3 from[BLOCK], to[BLOCK], v[BLOCK];
    uint8_t kind[BLOCK];
} block;

static void look_at_block(const job *j, size_t begin, size_t end, near_samples *near, block *b)
{
    const sample_cells *c = j->liquid;
    const particles *p = &j->w->dots;
    int32_t last[3] = {INT32_MIN, 0, 0}, cell[3];
    for (size_t k = begin; k < end; k++) {
        const uint32_t i = j->order[k];
        const rill_vec3 x = p->position[i];
        rill_vec3 u = v3(0, 0, 0);
        double share = 0;
        if (sample_cell_at(c, x, cell)) {
            if (cell[0] != last[0] || cell[1] != last[1] || cell[2] != last[2]) {
                near_samples_gather(c, cell, NULL, near);
                for (int a = 0; a < 3; a++) last[a] = cell[a];
            }
            float at[3];
            near_samples_place(c, cell, x, at);
            if (near->count) share = look(near, at, &u) / (j->full * open_share(j->w->scene, x, c->reach));
        }
        b->kind[k - begin] = (uint8_t)whitewater_kind(share);
        b->from[k - begin] = x;
        b->v[k - begin] = p->velocity[i];
        b->to[k - begin] = i < j->first_new ? heading(j, b->kind[k - begin], x, u, &b->v[k - begin])
                                            : x; /* it has just been put where it is at the end of the step */
    }
}

static void carry(void *arg, size_t begin, size_t end, int worker)
{
    job *j = arg;
    particles *p = &j->w->dots;
    const double dt = j->way->dt;
    block b;
    if (end <= begin) return; /* never; the compiler wants to know */
    look_at_block(j, begin, end, &j->near[worker], &b);
    const bool near = drift_near(j->way, end - begin, b.from, b.to);
    for (size_t k = 0; k < end - begin; k++) {
        const uint32_t i = j->order[begin + k];
        rill_vec3 x = b.from[k];
        const bool old = i < j->first_new;
        uint8_t fate = drift_point(j->way, near && old, old ? dt : 0, b.to[k], &x, &b.v[k]);
        /* DEVIATES: spray that lies on a wall dries as foam does; the paper keeps it. */
        const bool lies = b.kind[k] == WATER_SPRAY && v3_distance(x, b.to[k]) > 0;
        float *life = &p->column[WHITEWATER_LIFE].value[i];
        if (old && (b.kind[k] == WATER_FOAM || lies)) *life -= (float)dt;
        if (fate == FATE_STAYS && !(*life > 0)) fate = FATE_ENDED;
        p->column[WHITEWATER_TYPE].value[i] = (float)b.kind[k];
        p->position[i] = x;
        p->velocity[i] = b.v[k];
        j->fate[i] = fate;
    }
}

rill_status whitewater_carry(rill_ctx *ctx, whitewater *w, const sample_cells *liquid, const drift *way,
                             size_t first_new, uint8_t *fate)
{
    const bool flat = w->scene->dimensions == 2;
    job j = {.w = w, .liquid = liquid, .way = way, .first_new = first_new, .fate = fate};
    j.gravity = scene_gravity(w->scene, way->time);
    if (flat) j.gravity.z = 0;
    j.full =
        flat ? M_PI * SAMPLE_REACH * SAMPLE_REACH : 4 * M_PI / 3 * SAMPLE_REACH * SAMPLE_REACH * SAMPLE_REACH;
    for (int k = 0; k < parallel_workers(ctx); k++) TRY(near_samples_init(&w->scratch, liquid, &j.near[k]));
    TRY(sort(ctx, &j));
    parallel_for(ctx, w->dots.count, BLOCK, carry, &j);
    return w->steps % SORT_EVERY == 0 ? reorder(ctx, &j) : RILL_OK;
}
