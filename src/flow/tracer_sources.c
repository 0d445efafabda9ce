/* Where tracers come from.
 *
 * The places of a source are an additive sequence of low discrepancy in the box around its shape
 * (Roberts' R_3, from the root of g^4 = g + 1; in the plane R_2), shaken by a random number within the
 * distance of neighbours, of which those inside count: an even density without the clots of
 * independent random numbers, and without a pattern. The sequence goes on where it stopped, so that what
 * comes does not depend on the steps. */
#include "base/parallel.h"
#include "base/random.h"
#include "flow/sources.h"
#include "flow/tracers.h"

enum { BLOCK = 1024, BATCH = 16384 };
static const uint64_t seed = 0x74726163; /* any */

/* A place of the unit cube: number n of source k's sequence. */
static rill_vec3 sequence(uint32_t k, uint64_t n, int dimensions, double shake)
{
    /* 2^64 / g^a, exact by wrapping around. */
    static const uint64_t three[3] = {0xd1b54a32d192ed03, 0xabc98388fb8fac03, 0x8cb92ba72f3d8dd7};
    static const uint64_t two[3] = {0xc13fa9a902a6328f, 0x91e10da5c79e7b1d, 0};
    const uint64_t *step = dimensions == 2 ? two : three;
    const random4 origin = random_at(seed, k, 0, 0), own = random_at(seed, n, k, 1);
    double out[3];
    for (int a = 0; a < 3; a++) {
        const uint64_t at = ((uint64_t)origin.v[a] << 32) + n * step[a];
        const double u = (double)(at >> 11) * 0x1p-53 + shake * ((double)own.v[a] * 0x1p-32 - 0.5);
        out[a] = u - floor(u);
    }
    return v3(out[0], out[1], out[2]);
}

typedef struct {
    scene_tracers source;
    const solids *walls;
    double time, clearance, shake;
    uint32_t k;
    uint64_t first; /* of the sequence */
    rill_box box;   /* of the shape, in the domain */
    rill_vec3 u, v; /* of a disc, times its radius */
    rill_vec3 *place;
    uint8_t *good;
} search;

static bool inside_domain(const solids *walls, rill_vec3 x)
{
    for (int a = 0; a < walls->dimensions; a++)
        if (!(v3_axis(x, a) >= v3_axis(walls->domain.min, a) &&
              v3_axis(x, a) <= v3_axis(walls->domain.max, a)))
            return false;
    return true;
}

static void try_places(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    search *s = arg;
    const shape *form = &s->source.shape;
    const int dimensions = s->walls->dimensions;
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 c = sequence(s->k, s->first + i, dimensions, s->shake);
        rill_vec3 x = v3(s->box.min.x + c.x * (s->box.max.x - s->box.min.x),
                         s->box.min.y + c.y * (s->box.max.y - s->box.min.y),
                         s->box.min.z + c.z * (s->box.max.z - s->box.min.z));
        bool good = true;
        if (form->kind == SHAPE_DISC) {
            const double a = 2 * c.x - 1, b = dimensions == 2 ? 0 : 2 * c.y - 1;
            good = a * a + b * b <= 1;
            x = v3_madd(v3_madd(form->flat.point, a, s->u), b, s->v);
        }
        if (dimensions == 2) x.z = 0;
        if (good && form->kind != SHAPE_DISC) good = shape_distance(form, x, NULL) <= 0;
        good =
            good && inside_domain(s->walls, x) && solids_distance(s->walls, x, s->time, NULL) >= s->clearance;
        s->place[i] = x;
        s->good[i] = good;
    }
}

static search search_make(const tracers *t, uint32_t k, const solids *walls, double time)
{
    const scene_tracers made = scene_tracer_source(t->scene, k), *source = &made;
    search s = {.source = made, .walls = walls, .time = time, .k = k, .first = t->tried[k]};
    s.clearance = tracers_clearance(t->scene);
    const rill_box own = shape_bounds(&source->shape);
    s.box = (rill_box){v3_max(own.min, t->scene->domain.min), v3_min(own.max, t->scene->domain.max)};
    const double many = fmax(fmax(source->count, source->rate), 1);
    s.shake = pow(many, -1.0 / walls->dimensions);
    if (source->shape.kind == SHAPE_DISC) {
        const double radius = source->shape.flat.radius;
        span_plane(shape_unit(source->shape.flat.normal), walls->dimensions, &s.u, &s.v);
        s.u = v3_scale(s.u, radius);
        s.v = v3_scale(s.v, radius);
        s.shake = pow(many, -0.5);
    }
    return s;
}

double tracer_source_due(const rill_scene *scene, uint32_t k, double t)
{
    const scene_tracers own = scene_tracer_source(scene, k), *source = &own;
    const double from = fmax(source->start, -scene->time.preroll), until = fmin(t, source->end);
    if (!(until > from)) return 0;
    return source->rate_keys.count ? keyframes_integral(&source->rate_keys, from, until).x
                                   : (until - from) * source->rate;
}

rill_status tracers_make(rill_ctx *ctx, tracers *t, uint32_t k, const solids *walls, double time,
                         uint64_t wanted, uint64_t patience)
{
    if (wanted == 0) return RILL_OK;
    search s = search_make(t, k, walls, time);
    uint64_t found = 0, missed = 0;
    uint64_t batch = wanted < BATCH / 4 ? 4 * wanted : BATCH;
    if (batch < 64) batch = 64;
    rill_status st = MEM_NEW(ctx, s.place, batch);
    if (!st) st = MEM_NEW(ctx, s.good, batch);
    while (!st && found < wanted && missed < patience) {
        parallel_for(ctx, batch, BLOCK, try_places, &s);
        uint64_t i = 0;
        for (; i < batch && !st && found < wanted && missed < patience; i++) {
            missed++;
            if (!s.good[i]) continue;
            st = particles_append(ctx, &t->dots, 1, &s.place[i], NULL);
            if (st) break;
            t->dots.column[TRACER_SOURCE].value[t->dots.count - 1] = (float)k;
            found++;
            missed = 0;
        }
        s.first += i;
    }
    if (!st) t->tried[k] = s.first;
    if (!st) t->alive[k] += found;
    mem_free(ctx, s.place);
    mem_free(ctx, s.good);
    return st;
}
