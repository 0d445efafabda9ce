/* Tracers: births, deaths, their order in memory, and their state. The way is in tracer_walk.c. */
#include "flow/tracers.h"

#include "base/parallel.h"
#include "flow/drift.h"
#include "flow/method.h"

enum {
    SORT_EVERY = 16,          /* steps */
    KEY_BITS = 10,            /* of an axis, in the order of places */
    START_PATIENCE = 1 << 22, /* occupied places in a row before a source gives up */
    LATER_PATIENCE = 1 << 12
};

/* ---- order ---- */

typedef struct {
    const particles *p;
    rill_vec3 origin;
    double scale;
    uint64_t *key;
    uint32_t *order;
} sorting;

/* Two zeros between any two of the low ten bits. */
static uint64_t spread(uint64_t x)
{
    x = (x | x << 16) & 0x030000ff;
    x = (x | x << 8) & 0x0300f00f;
    x = (x | x << 4) & 0x030c30c3;
    return (x | x << 2) & 0x09249249;
}

static void make_keys(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sorting *s = arg;
    const double most = (1 << KEY_BITS) - 1;
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 c = v3_scale(v3_sub(s->p->position[i], s->origin), s->scale);
        uint64_t key = 0;
        for (int a = 0; a < 3; a++) key |= spread((uint64_t)fmin(fmax(v3_axis(c, a), 0), most)) << a;
        s->key[i] = key;
        s->order[i] = (uint32_t)i;
    }
}

/* Neighbours in space become neighbours in memory: look-ups then find what they need in the cache,
 * and a whole block can be found to be far from solids. */
static rill_status sort_in_space(rill_ctx *ctx, tracers *t)
{
    const rill_vec3 size = v3_sub(t->scene->domain.max, t->scene->domain.min);
    const double longest = fmax(fmax(size.x, size.y), size.z);
    const double cell = fmax(t->scene->spacing, longest / (1 << KEY_BITS));
    sorting s = {.p = &t->dots, .origin = t->scene->domain.min, .scale = 1 / cell};
    const size_t n = t->dots.count;
    uint64_t *spare_key;
    uint32_t *spare_order;
    arena_reset(&t->scratch);
    TRY(ARENA_NEW(&t->scratch, s.key, n));
    TRY(ARENA_NEW(&t->scratch, s.order, n));
    TRY(ARENA_NEW(&t->scratch, spare_key, n));
    TRY(ARENA_NEW(&t->scratch, spare_order, n));
    parallel_for(ctx, n, 4096, make_keys, &s);
    TRY(sort_by_key(ctx, n, 3 * KEY_BITS, s.key, s.order, spare_key, spare_order));
    TRY(particles_permute(ctx, &t->dots, s.order));
    particles_free_spares(ctx, &t->dots);
    return RILL_OK;
}

/* ---- from the start ---- */

rill_status tracers_create(rill_ctx *ctx, const rill_scene *scene, const solids *walls, tracers *out)
{
    static const char *const column[TRACER_COLUMNS] = {"age", "source"};
    tracers t = {.scene = scene};
    arena_init(&t.scratch, ctx);
    const uint32_t n = scene_tracer_sources(scene);
    if (n == 0) { /* nothing to hold */
        *out = t;
        return RILL_OK;
    }
    rill_status st = MEM_NEW_ZERO(ctx, t.made, n);
    if (!st) st = MEM_NEW_ZERO(ctx, t.tried, n);
    if (!st) st = MEM_NEW_ZERO(ctx, t.alive, n);
    for (int c = 0; c < TRACER_COLUMNS && !st; c++) st = particles_add_column(ctx, &t.dots, column[c]);
    for (uint32_t k = 0; k < n && !st; k++) {
        const scene_tracers source = scene_tracer_source(scene, k);
        const int32_t count = source.count, most = source.most;
        const uint64_t wanted = (uint64_t)(count < most ? count : most);
        st = particles_reserve(ctx, &t.dots, t.dots.count + wanted);
        if (!st) st = tracers_make(ctx, &t, k, walls, -scene->time.preroll, wanted, START_PATIENCE);
        if (!st && wanted && t.alive[k] == 0)
            st = rill_fail(ctx, RILL_BAD_SCENE,
                           "tracers[%u]: no tracer fits into its shape: solids cover it, it lies outside "
                           "the domain, or it is too thin; move or enlarge it",
                           k);
    }
    if (!st) st = sort_in_space(ctx, &t);
    if (st)
        tracers_clear(ctx, &t);
    else
        *out = t;
    return st;
}

void tracers_clear(rill_ctx *ctx, tracers *t)
{
    particles_clear(ctx, &t->dots);
    mem_free(ctx, t->made);
    mem_free(ctx, t->tried);
    mem_free(ctx, t->alive);
    if (t->scratch.ctx) arena_clear(&t->scratch);
    *t = (tracers){0};
}

double tracers_most(const rill_scene *scene)
{
    double sum = 0;
    const double duration = scene->time.frames / scene->time.fps;
    for (uint32_t k = 0; k < scene_tracer_sources(scene); k++) {
        const scene_tracers source = scene_tracer_source(scene, k), *s = &source;
        double many = s->count;
        if (s->life >= duration + scene->time.preroll)
            many += tracer_source_due(scene, k, duration);
        else /* as many as come in one life, at the highest rate */
            many += fmin(s->life * (s->rate_keys.count ? keyframes_longest(&s->rate_keys) : s->rate),
                         tracer_source_due(scene, k, duration));
        sum += fmin(ceil(many) + 1, s->most);
    }
    return sum;
}

/* ---- births ---- */

/* Those due of one source; the j-th of them is born when the count passes made + j + 1. */
static rill_status bear(rill_ctx *ctx, tracers *t, uint32_t k, const solids *walls, double time, double dt,
                        tracers_new *born, uint64_t due)
{
    const scene_tracers own = scene_tracer_source(t->scene, k), *source = &own;
    const uint64_t most = (uint64_t)source->most;
    const uint64_t free_slots = most > t->alive[k] ? most - t->alive[k] : 0, all = due - t->made[k];
    const size_t before = t->dots.count;
    TRY(tracers_make(ctx, t, k, walls, time + dt, all < free_slots ? all : free_slots, LATER_PATIENCE));
    const double begun = tracer_source_due(t->scene, k, time),
                 done = tracer_source_due(t->scene, k, time + dt);
    const double from = fmax(time, source->start), until = fmin(time + dt, source->end);
    for (size_t i = before; i < t->dots.count; i++) {
        const double number = (double)t->made[k] + (double)(i - before) + 1;
        const double share = fmin(fmax((number - begun) / fmax(done - begun, 1e-300), 0), 1);
        born->left[i - born->first] = (float)fmin((time + dt - (from + share * (until - from))) / dt, 1);
    }
    t->made[k] = due;
    return RILL_OK;
}

static rill_status bear_all(rill_ctx *ctx, tracers *t, const solids *walls, double time, double dt,
                            tracers_new *born)
{
    const uint32_t n = scene_tracer_sources(t->scene);
    uint64_t *due, all = 0;
    TRY(ARENA_NEW(&t->scratch, due, n));
    for (uint32_t k = 0; k < n; k++) {
        const double d = tracer_source_due(t->scene, k, time + dt) + 1e-9;
        due[k] = d > (double)t->made[k] ? (uint64_t)fmin(d, 1e15) : t->made[k];
        all += due[k] - t->made[k];
    }
    born->first = t->dots.count;
    if (all >= UINT32_MAX - 1 - t->dots.count)
        return rill_fail(ctx, RILL_NO_MEMORY,
                         "%llu tracers in a step are more than can be held; lower \"rate\"",
                         (unsigned long long)all);
    TRY(ARENA_NEW(&t->scratch, born->left, all));
    const size_t need = t->dots.count + (size_t)all;
    if (need > t->dots.capacity) { /* at once, so that none of the sources fails half-way */
        size_t wanted = t->dots.capacity + t->dots.capacity / 2;
        if (wanted < need) wanted = need;
        TRY(particles_reserve(ctx, &t->dots, wanted < UINT32_MAX - 1 ? wanted : UINT32_MAX - 1));
    }
    for (uint32_t k = 0; k < n; k++) TRY(bear(ctx, t, k, walls, time, dt, born, due[k]));
    return RILL_OK;
}

/* ---- deaths ---- */

static void bury(tracers *t, uint8_t *fate)
{
    uint64_t gone[FATES] = {0};
    const float *source = t->dots.column[TRACER_SOURCE].value;
    for (size_t i = 0; i < t->dots.count; i++) {
        gone[fate[i]]++;
        if (fate[i] != FATE_STAYS) t->alive[(uint32_t)source[i]]--;
        fate[i] = fate[i] == FATE_STAYS;
    }
    t->drained += gone[FATE_DRAINED];
    t->left += gone[FATE_LEFT];
    t->ended += gone[FATE_ENDED];
    particles_keep(&t->dots, fate);
}

/* ---- a step ---- */

rill_status tracers_step(rill_sim *sim, double time, double dt)
{
    tracers *t = &sim->tracers;
    rill_ctx *ctx = sim->ctx;
    if (scene_tracer_sources(sim->scene) == 0) return RILL_OK;
    /* By the steps of the simulation, so that a resumed run sorts when an uninterrupted one does. */
    if (sim->step % SORT_EVERY == 0) TRY(sort_in_space(ctx, t));
    arena_reset(&t->scratch);
    tracers_new born;
    TRY(bear_all(ctx, t, &sim->solids, time, dt, &born));
    uint8_t *fate;
    TRY(ARENA_NEW(&t->scratch, fate, t->dots.count));
    TRY(tracers_walk(sim, time, dt, &born, fate));
    bury(t, fate);
    return RILL_OK;
}

/* ---- state ---- */

rill_status tracers_save(const tracers *t, rill_writer *w)
{
    const uint64_t gone[3] = {t->drained, t->left, t->ended};
    TRY(particles_save(&t->dots, "tracers", w));
    TRY(save_chunk(w, "tracers.made", SAVE_U64, scene_tracer_sources(t->scene), t->made));
    TRY(save_chunk(w, "tracers.tried", SAVE_U64, scene_tracer_sources(t->scene), t->tried));
    return save_chunk(w, "tracers.gone", SAVE_U64, 3, gone);
}

/* Positions lie inside, but for round-off. */
static bool in_domain(const rill_scene *scene, rill_vec3 x)
{
    for (int a = 0; a < scene->dimensions; a++)
        if (!(v3_axis(x, a) > v3_axis(scene->domain.min, a) - scene->spacing &&
              v3_axis(x, a) < v3_axis(scene->domain.max, a) + scene->spacing))
            return false;
    return v3_finite(x);
}

static rill_status check_loaded(rill_ctx *ctx, tracers *t)
{
    const particles *p = &t->dots;
    for (uint32_t k = 0; k < scene_tracer_sources(t->scene); k++) t->alive[k] = 0;
    for (size_t i = 0; i < p->count; i++) {
        const float source = p->column[TRACER_SOURCE].value[i];
        if (!in_domain(t->scene, p->position[i]) || !v3_finite(p->velocity[i]) ||
            !(source >= 0 && source < (float)scene_tracer_sources(t->scene)))
            return rill_fail(ctx, RILL_BAD_FILE,
                             "saved state: tracer %zu is not one of this scene; it is damaged", i);
        t->alive[(uint32_t)source]++;
    }
    return RILL_OK;
}

rill_status tracers_load(rill_ctx *ctx, tracers *t, rill_reader *r)
{
    uint64_t gone[3];
    TRY(load_chunk(r, "tracers.gone", SAVE_U64, 3, gone));
    TRY(load_chunk(r, "tracers.made", SAVE_U64, scene_tracer_sources(t->scene), t->made));
    TRY(load_chunk(r, "tracers.tried", SAVE_U64, scene_tracer_sources(t->scene), t->tried));
    TRY(particles_load(ctx, &t->dots, "tracers", r));
    t->drained = gone[0];
    t->left = gone[1];
    t->ended = gone[2];
    return check_loaded(ctx, t);
}
