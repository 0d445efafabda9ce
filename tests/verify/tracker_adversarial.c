/* Random meshes under random motions, everything on, the mesh checked after every step. Motions: every point
 * for itself, by up to four edges; two halves driven into each other; a fold. 10,000 of them in two steps,
 * and 500 in eight shorter ones, where more of what comes near can merge; with --quick 200 and 10. */
#include "base/hash.h"
#include "base/random.h"
#include "geom/mesh/geodesic.h"
#include "verify/tracker_case.h"

#include <math.h>

typedef struct {
    uint64_t seed;
    double speed;
    int kind;
} motion;

static double unit(uint32_t word)
{
    return random_unit(word, 0) - 0.5;
}

static rill_status shake(void *user, double time, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    const motion *s = user;
    (void)time;
    for (size_t i = 0; i < n; i++) {
        const random4 r = random_at(s->seed, hash_bytes(&x[i], sizeof x[i], 1), 0, 0);
        const rill_vec3 any = v3_scale(v3(unit(r.v[0]), unit(r.v[1]), unit(r.v[2])), s->speed);
        u[i] = s->kind == 0   ? any
               : s->kind == 1 ? v3(x[i].x > 0 ? -s->speed : s->speed, 0.3 * any.y, 0)
                              : v3(0, -s->speed * sin(6 * x[i].x), s->speed * cos(5 * x[i].y));
    }
    return RILL_OK;
}

/* A sphere with bumps, or two of them with little between. */
static rill_status random_mesh(verify *v, uint64_t seed, trimesh *out)
{
    const random4 r = random_at(99, seed, 0, 0);
    trimesh a = {0}, b = {0};
    TRY(geodesic_sphere(v->ctx, v3(0, 0, 0), 0.3, 2 + r.v[0] % 3, &a));
    for (size_t i = 0; i < a.vertex_count; i++) {
        const rill_vec3 d = v3_scale(a.position[i], 1 / 0.3);
        a.position[i] =
            v3_scale(a.position[i], 1 + 0.4 * sin(5 * d.x + unit(r.v[1])) * sin(4 * d.y) * cos(5 * d.z));
    }
    rill_status st = RILL_OK;
    if (r.v[2] % 2) {
        st = geodesic_sphere(v->ctx, v3(0.75 + 0.1 * unit(r.v[3]), 0.02, 0.01), 0.3, 2 + r.v[3] % 3, &b);
        if (!st) st = trimesh_append(v->ctx, &a, &b);
    }
    if (!st) *out = trimesh_take(&a);
    trimesh_clear(v->ctx, &a);
    return st;
}

/* What a number of them came to. */
typedef struct {
    size_t faults, held, merges;
} tally;

static rill_status one(verify *v, uint64_t seed, int steps, tally *sum)
{
    const random4 r = random_at(98, seed, 0, 0);
    tracker_def def = tracker_def_default();
    trimesh mesh = {0};
    tracker_run run = {0};
    TRY(random_mesh(v, seed, &mesh));
    rill_status st = tracker_run_start(v, &def, &mesh, &run);
    if (!st) {
        motion s = {.seed = seed, .kind = (int)(r.v[0] % 3)};
        s.speed = tracker_edge(run.t) * 8 * random_unit(r.v[1], 0) * random_unit(r.v[2], 0);
        st = tracker_run_to(v, &run, 2, 2.0 / steps, 1, shake, &s);
    }
    sum->faults += run.faults;
    sum->held += run.held;
    sum->merges += run.merges;
    tracker_run_end(&run);
    return st;
}

static rill_status adversarial(verify *v)
{
    const uint64_t count = v->full ? 10000 : 200, slow = v->full ? 500 : 10;
    tally sum = {0};
    for (uint64_t i = 0; i < count; i++) TRY(one(v, i, 2, &sum));
    for (uint64_t i = 0; i < slow; i++) TRY(one(v, count + i, 8, &sum));
    verify_figure(v, "meshes and motions", (double)(count + slow), REPORT, 0);
    verify_figure(v, "vertices held back", (double)sum.held, REPORT, 0);
    verify_figure(v, "merges", (double)sum.merges, REPORT, 0);
    verify_figure(v, "faults", (double)sum.faults, AT_MOST, 0);
    return RILL_OK;
}

const verify_case tracker_adversarial = {
    "tracker-adversarial", "Random meshes and motions, checked after every step", NULL, adversarial};
