/* New white water: how many come from each sample of the liquid, and where, [Ihmsen12] section 3.1. */
#include "base/random.h"
#include "whitewater/potentials.h"
#include "whitewater/whitewater.h"

enum { BLOCK = 512, STREAM_COUNT = 0, STREAM_PLACE = 1 };
static const double spread = 0.1; /* speed away from the axis of the cylinder, over that along it */

typedef struct {
    const whitewater *w;
    const sample_cells *liquid;
    const drift *way;
    potentials p;
    double share; /* of the rate: less than 1 when there is no room for all */
    uint32_t *number;
    uint64_t *first;
    uint64_t most; /* in all */
    rill_vec3 *position, *velocity;
    float *life;
} job;

static uint64_t seed_of(const whitewater *w)
{
    return 0x77617465ull << 32 | (uint32_t)w->scene->whitewater.seed;
}

static double unit(uint32_t word)
{
    return word * 0x1p-32;
}

static double sum_rates(void *arg, size_t begin, size_t end)
{
    const job *j = arg;
    double sum = 0;
    for (size_t i = begin; i < end; i++) sum += (double)j->p.rate[i];
    return sum;
}

/* A whole number whose mean is rate * dt. */
static void count(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    for (size_t i = begin; i < end; i++) {
        j->number[i] = 0;
        if (!(j->p.rate[i] > 0)) continue;
        const random4 r = random_at(seed_of(j->w), j->liquid->id[i], (uint32_t)j->w->steps, STREAM_COUNT);
        const double wanted = (double)j->p.rate[i] * j->way->dt * j->share + unit(r.v[0]);
        j->number[i] = (uint32_t)fmin(wanted, 1e6);
    }
}

/* Two unit vectors across v. */
static void across(rill_vec3 v, int dimensions, rill_vec3 e[2])
{
    if (dimensions == 2) {
        e[0] = v3(-v.y, v.x, 0);
        e[1] = v3(0, 0, 0);
        return;
    }
    const rill_vec3 other = fabs(v.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0);
    e[0] = v3_unit(v3_cross(v, other));
    e[1] = v3_cross(v, e[0]);
}

/* Evenly in the cylinder that the sample swept in the step, eq. 9: as wide as its volume, as long as its
 * way. DEVIATES: the velocity across, which eq. 10 takes from the place as it is, is a share of the speed. */
static void place_one(const job *j, size_t i, uint32_t k, uint64_t to)
{
    const sample_cells *c = j->liquid;
    const scene_whitewater *def = &j->w->scene->whitewater;
    const random4 r = random_at(seed_of(j->w), c->id[i], (uint32_t)j->w->steps, STREAM_PLACE + k);
    const rill_vec3 v = c->velocity[i], along = v3_unit(v);
    const double speed = v3_length(v), radius = 0.5 * (double)c->spacing[i];
    rill_vec3 e[2];
    across(along, c->dimensions, e);
    const double angle = 2 * M_PI * unit(r.v[1]);
    const double a = c->dimensions == 2 ? 2 * unit(r.v[0]) - 1 : sqrt(unit(r.v[0])) * cos(angle);
    const double b = c->dimensions == 2 ? 0 : sqrt(unit(r.v[0])) * sin(angle);
    const rill_vec3 off = v3_madd(v3_scale(e[0], a), b, e[1]);
    rill_vec3 u = v3_madd(v, spread * speed, off);
    const rill_vec3 x =
        v3_madd(v3_madd(c->position[i], radius, off), -unit(r.v[2]) * speed * j->way->dt, along);
    rill_vec3 at = c->position[i];
    const bool near = drift_near(j->way, 1, &at, &x);
    drift_point(j->way, near, 0, x, &at, &u);
    j->position[to] = at;
    j->velocity[to] = u;
    j->life[to] = (float)(def->life_min + unit(r.v[3]) * fmax(def->life_max - def->life_min, 0));
}

static void place(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    for (size_t i = begin; i < end; i++)
        for (uint32_t k = 0; k < j->number[i] && j->first[i] + k < j->most; k++)
            place_one(j, i, k, j->first[i] + k);
}

rill_status whitewater_spawn(rill_ctx *ctx, whitewater *w, const sample_cells *liquid, const drift *way,
                             size_t *first)
{
    job j = {.w = w, .liquid = liquid, .way = way, .share = 1};
    const uint64_t limit = (uint64_t)w->scene->whitewater.most, alive = w->dots.count;
    const uint64_t room = limit > alive ? limit - alive : 0;
    *first = w->dots.count;
    TRY(potentials_build(ctx, &w->scratch, w->scene, liquid, &j.p));
    const double wanted = parallel_sum(ctx, liquid->count, sum_rates, &j) * way->dt;
    if (wanted > (double)room) j.share = (double)room / wanted; /* evenly from all, not from the first */
    TRY(ARENA_NEW(&w->scratch, j.number, liquid->count));
    TRY(ARENA_NEW(&w->scratch, j.first, liquid->count + 1));
    parallel_for(ctx, liquid->count, BLOCK, count, &j);
    scan_u32(ctx, j.number, liquid->count, j.first);
    j.most = j.first[liquid->count] < room ? j.first[liquid->count] : room;
    TRY(ARENA_NEW(&w->scratch, j.position, j.most));
    TRY(ARENA_NEW(&w->scratch, j.velocity, j.most));
    TRY(ARENA_NEW(&w->scratch, j.life, j.most));
    parallel_for(ctx, liquid->count, BLOCK, place, &j);
    const size_t need = w->dots.count + (size_t)j.most;
    if (need > w->dots.capacity) {
        const size_t wanted_capacity = w->dots.capacity + w->dots.capacity / 2;
        TRY(particles_reserve(ctx, &w->dots, wanted_capacity > need ? wanted_capacity : need));
    }
    TRY(particles_append(ctx, &w->dots, (size_t)j.most, j.position, j.velocity));
    for (uint64_t k = 0; k < j.most; k++) w->dots.column[WHITEWATER_LIFE].value[*first + k] = j.life[k];
    w->made += j.most;
    return RILL_OK;
}
