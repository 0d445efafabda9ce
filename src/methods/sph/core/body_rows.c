#include "sph/core/body_rows.h"

#include "base/parallel.h"
#include "linalg/dense.h"
#include "sph/core/operations.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 512, PAIRS = BODY_FREEDOMS * (BODY_FREEDOMS + 1) / 2 };

/* -- collecting ------------------------------------------------------------------------ */

typedef struct {
    sph *s;
    double t, dt;
    particle_sizes sizes;
    const uint32_t *near; /* particles that feel a wall */
    const rill_box *box;  /* of the bodies, and what is within the reach of their walls */
    wall_part (*part)[WALL_MOST_PARTS];
    uint8_t *parts; /* per particle of `near` */
} collect_job;

/* Whether a body can be near x: most particles next to a wall are next to another. */
static bool beside_body(const collect_job *j, rill_vec3 x)
{
    if (j->s->sim.solids.dimensions == 2) x.z = 0;
    for (uint32_t k = 0; k < j->s->sim.bodies.count; k++)
        if (box_contains(j->box[k], x)) return true;
    return false;
}

static void parts_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const collect_job *j = arg;
    sph *s = j->s;
    const rill_vec3 g = scene_gravity(s->sim.scene, j->t);
    for (size_t n = begin; n < end; n++) {
        const uint32_t i = j->near[n];
        j->parts[n] = 0;
        if (!beside_body(j, s->particles.position[i])) continue;
        const int class = j->sizes.class_number ? (int)j->sizes.class_number[i] : 0;
        j->parts[n] = (uint8_t)wall_parts_at(j->sizes.walls[class], &s->sim.solids, s->sim.bodies.of_solid, g,
                                             s->particles.position[i], s->particles.velocity[i], j->dt, j->t,
                                             j->part[n]);
        double closing = 0;
        for (int k = 0; k < j->parts[n]; k++) closing += j->part[n][k].closing;
        s->step.weight[i][3] -= (float)closing;
    }
}

/* Particles that feel any wall, in order. */
static rill_status find_near(sph *s, rill_arena *arena, uint32_t **out, size_t *count)
{
    size_t n = 0;
    for (size_t i = 0; i < s->particles.count; i++) n += s->step.wall[i][3] != 0;
    TRY(ARENA_NEW(arena, *out, n + 1));
    n = 0;
    for (size_t i = 0; i < s->particles.count; i++)
        if (s->step.wall[i][3] != 0) (*out)[n++] = (uint32_t)i;
    *count = n;
    return RILL_OK;
}

static rill_status find_boxes(collect_job *j, rill_arena *arena)
{
    const solids *all = &j->s->sim.solids;
    const double reach = 0.51 * j->s->model.widest; /* walls reach half a kernel's radius */
    rill_box *box;
    TRY(ARENA_NEW(arena, box, j->s->sim.bodies.count));
    for (uint32_t k = 0; k < j->s->sim.bodies.count; k++) box[k] = box_empty();
    for (uint32_t i = 0; i < all->count; i++) {
        const uint32_t body = j->s->sim.bodies.of_solid[i];
        solid_place room;
        if (body >= j->s->sim.bodies.count) continue;
        const rill_box grown = box_grown(solids_place_at(all, i, j->t, &room)->bounds, reach);
        box[body] = (rill_box){v3_min(box[body].min, grown.min), v3_max(box[body].max, grown.max)};
    }
    j->box = box;
    return RILL_OK;
}

static body_row row_of(const collect_job *j, uint32_t i, const wall_part *p)
{
    const sph *s = j->s;
    const double mass =
        j->sizes.class_number ? ldexp(s->model.mass, (int)j->sizes.class_number[i]) : s->model.mass;
    const double C = s->model.calibration;
    return (body_row){
        .particle = i,
        .mass = (float)mass,
        .gradient = {(float)p->gradient.x, (float)p->gradient.y, (float)p->gradient.z},
        .weight = {(float)(-C * p->weight.x), (float)(-C * p->weight.y), (float)(-C * p->weight.z)}};
}

/* Counting sort by body; within a body rows stay in the order of the particles. */
static rill_status sort_rows(const collect_job *j, size_t count, body_rows *b)
{
    const uint32_t bodies = j->s->sim.bodies.count;
    TRY(ARENA_NEW(&b->arena, b->first, (size_t)bodies + 2));
    memset(b->first, 0, ((size_t)bodies + 2) * sizeof *b->first);
    for (size_t n = 0; n < count; n++)
        for (int k = 0; k < j->parts[n]; k++) b->first[j->part[n][k].body + 2]++;
    for (uint32_t k = 0; k < bodies; k++) b->first[k + 2] += b->first[k + 1];
    b->count = b->first[bodies + 1];
    TRY(ARENA_NEW(&b->arena, b->row, b->count + 1));
    TRY(ARENA_NEW(&b->arena, b->u, b->count + 1));
    TRY(ARENA_NEW(&b->arena, b->value, b->count + 1));
    for (size_t n = 0; n < count; n++)
        for (int k = 0; k < j->parts[n]; k++)
            b->row[b->first[j->part[n][k].body + 1]++] = row_of(j, j->near[n], &j->part[n][k]);
    return RILL_OK;
}

rill_status body_rows_collect(sph *s, double t, double dt)
{
    body_rows *b = &s->bodies;
    b->count = 0;
    if (s->sim.bodies.count == 0) return RILL_OK;
    arena_reset(&b->arena);
    collect_job j = {.s = s, .t = t, .dt = dt, .sizes = s->ops->sizes(s)};
    uint32_t *near = NULL;
    size_t count = 0;
    TRY(find_near(s, &b->arena, &near, &count));
    j.near = near;
    TRY(find_boxes(&j, &b->arena));
    TRY(ARENA_NEW(&b->arena, j.part, count + 1));
    TRY(ARENA_NEW(&b->arena, j.parts, count + 1));
    parallel_for(s->sim.ctx, count, BLOCK, parts_block, &j);
    TRY(sort_rows(&j, count, b));
    return body_rows_roots(s);
}

rill_status body_rows_roots(sph *s)
{
    body_rows *b = &s->bodies;
    TRY(ARENA_NEW(&b->arena, b->root, s->sim.bodies.count));
    for (uint32_t k = 0; k < s->sim.bodies.count; k++) {
        const rigid_body *r = &s->sim.bodies.world.body[k];
        double mass[BODY_FREEDOMS][BODY_FREEDOMS];
        rigid_body_mass(r, mass);
        if (!rigid_body_root(r, (const double(*)[BODY_FREEDOMS])mass, b->root[k]))
            memset(b->root[k], 0, sizeof b->root[k]);
    }
    return RILL_OK;
}

/* -- rows ------------------------------------------------------------------------------- */

/* J of a row. */
static void row_moments(const body_row *r, const float *push, double out[BODY_FREEDOMS])
{
    const rill_vec3 p = v3((double)push[0], (double)push[1], (double)push[2]);
    const rill_vec3 turn = v3_cross(v3((double)r->arm[0], (double)r->arm[1], (double)r->arm[2]), p);
    const double all[BODY_FREEDOMS] = {p.x, p.y, p.z, turn.x, turn.y, turn.z};
    memcpy(out, all, sizeof all);
}

typedef struct {
    const sph *s;
    uint32_t body;
    const float *value; /* per particle */
} row_job;

static void finish_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const row_job *j = arg;
    const body_rows *b = &j->s->bodies;
    const rill_vec3 center = j->s->sim.bodies.before[j->body].center;
    for (size_t n = b->first[j->body] + begin; n < b->first[j->body] + end; n++) {
        body_row *r = &b->row[n];
        const rill_vec3 arm = v3_sub(j->s->particles.position[r->particle], center);
        double moments[BODY_FREEDOMS];
        r->arm[0] = (float)arm.x, r->arm[1] = (float)arm.y, r->arm[2] = (float)arm.z;
        row_moments(r, r->gradient, moments);
        for (int c = 0; c < BODY_FREEDOMS; c++) {
            double sum = 0;
            for (int k = 0; k < BODY_FREEDOMS; k++) sum += b->root[j->body][k][c] * moments[k];
            b->u[n][c] = (float)(j->s->model.calibration * sum);
        }
    }
}

static void weight_terms(void *arg, size_t begin, size_t end, double *out)
{
    const row_job *j = arg;
    const body_rows *b = &j->s->bodies;
    for (size_t n = b->first[j->body] + begin; n < b->first[j->body] + end; n++) {
        double moments[BODY_FREEDOMS];
        row_moments(&b->row[n], b->row[n].weight, moments);
        for (int c = 0; c < BODY_FREEDOMS; c++) out[c] -= (double)b->row[n].mass * moments[c];
    }
}

static size_t rows_of(const sph *s, uint32_t body)
{
    return s->bodies.first[body + 1] - s->bodies.first[body];
}

void body_rows_finish(sph *s, double dt)
{
    for (uint32_t k = 0; s->bodies.count && k < s->sim.bodies.count; k++) {
        row_job j = {.s = s, .body = k};
        double force[BODY_FREEDOMS];
        parallel_for(s->sim.ctx, rows_of(s, k), BLOCK, finish_block, &j);
        parallel_sums(s->sim.ctx, rows_of(s, k), weight_terms, &j, BODY_FREEDOMS, force);
        for (int c = 0; c < BODY_FREEDOMS; c++) force[c] *= dt;
        body_rows_push(s, k, force);
    }
}

static void force_terms(void *arg, size_t begin, size_t end, double *out)
{
    const row_job *j = arg;
    const body_rows *b = &j->s->bodies;
    for (size_t n = b->first[j->body] + begin; n < b->first[j->body] + end; n++) {
        const body_row *r = &b->row[n];
        const double push = j->s->model.calibration * (double)r->mass * (double)j->value[r->particle];
        double moments[BODY_FREEDOMS];
        row_moments(r, r->gradient, moments);
        for (int c = 0; c < BODY_FREEDOMS; c++) out[c] += push * moments[c];
    }
}

void body_rows_force(const sph *s, uint32_t body, const float *value, double out[BODY_FREEDOMS])
{
    row_job j = {s, body, value};
    parallel_sums(s->sim.ctx, rows_of(s, body), force_terms, &j, BODY_FREEDOMS, out);
}

static void reduced_terms(void *arg, size_t begin, size_t end, double *out)
{
    const row_job *j = arg;
    const body_rows *b = &j->s->bodies;
    for (size_t n = b->first[j->body] + begin; n < b->first[j->body] + end; n++) {
        const double push = (double)b->row[n].mass * (double)j->value[b->row[n].particle];
        for (int c = 0; c < BODY_FREEDOMS; c++) out[c] += push * (double)b->u[n][c];
    }
}

void body_rows_reduced(const sph *s, uint32_t body, const float *value, double out[BODY_FREEDOMS])
{
    row_job j = {s, body, value};
    parallel_sums(s->sim.ctx, rows_of(s, body), reduced_terms, &j, BODY_FREEDOMS, out);
}

void body_rows_push(sph *s, uint32_t body, const double i[BODY_FREEDOMS])
{
    bodies_push(&s->sim.bodies, body, v3(i[0], i[1], i[2]), v3(i[3], i[4], i[5]), s->step.dt);
}

/* -- the small system -------------------------------------------------------------------- */

typedef struct {
    int freedoms, from, width; /* entries of the upper triangle */
    const float (*u)[BODY_FREEDOMS];
    const float *weight;
} system_job;

static void system_terms(void *arg, size_t begin, size_t end, double *out)
{
    const system_job *j = arg;
    for (size_t n = begin; n < end; n++) {
        if (!(j->weight[n] > 0)) continue;
        int entry = -j->from;
        for (int a = 0; a < j->freedoms; a++) {
            const double left = (double)j->weight[n] * (double)j->u[n][a];
            for (int b = 0; b <= a; b++, entry++)
                if (entry >= 0 && entry < j->width) out[entry] += left * (double)j->u[n][b];
        }
    }
}

void body_system_solve(rill_ctx *ctx, int freedoms, size_t count, const float (*u)[BODY_FREEDOMS],
                       const float *weight, double x[BODY_FREEDOMS])
{
    double entry[PAIRS], m[BODY_FREEDOMS * BODY_FREEDOMS] = {0};
    const int entries = freedoms * (freedoms + 1) / 2;
    system_job j = {.freedoms = freedoms, .u = u, .weight = weight};
    for (; j.from < entries; j.from += j.width) {
        j.width = entries - j.from < PARALLEL_WIDTH ? entries - j.from : PARALLEL_WIDTH;
        parallel_sums(ctx, count, system_terms, &j, (size_t)j.width, entry + j.from);
    }
    int at = 0;
    for (int a = 0; a < freedoms; a++)
        for (int b = 0; b <= a; b++) m[a * freedoms + b] = entry[at++] + (a == b);
    dense_factor((uint32_t)freedoms, m, 1e-14);
    dense_solve((uint32_t)freedoms, m, x);
}
