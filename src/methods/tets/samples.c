#include "tets/samples.h"

#include "base/parallel.h"
#include "base/random.h"

static const rill_vec3 no_normal = {0, 0, 0};

typedef struct {
    rill_ctx *ctx;
    const walls *w;
    uint32_t k;
    const size_field *size;
    candidates c;
    spots s;        /* the samples, in the world */
    uint8_t *kind;  /* by sample */
    uint32_t *mate; /* by sample */
    size_t kind_capacity, mate_capacity;
    uint32_t fixed;    /* corners and creases come first */
    uint32_t *nearest; /* by candidate */
} sampling;

void samples_clear(rill_ctx *ctx, samples *s)
{
    mem_free(ctx, s->at);
    *s = (samples){0};
}

rill_status samples_add(rill_ctx *ctx, samples *s, const sample *a)
{
    if ((size_t)s->count + 1 > s->capacity)
        TRY(mem_grow(ctx, &s->at, sizeof *s->at, &s->capacity, (size_t)s->count + 1));
    s->at[s->count++] = *a;
    return RILL_OK;
}

bool samples_project(const walls *w, uint32_t k, rill_vec3 *x, rill_vec3 *normal)
{
    if (k != WALL_BOX) return wall_project(w, k, x, normal);
    int axis = 0;
    for (int a = 1; a < 3; a++)
        if (fabs(v3_axis(*normal, a)) > fabs(v3_axis(*normal, axis))) axis = a;
    v3_set_axis(x, axis, v3_axis(v3_axis(*normal, axis) > 0 ? w->box.min : w->box.max, axis));
    return true;
}

static rill_status add(sampling *m, rill_vec3 x, rill_vec3 normal, uint8_t kind)
{
    const size_t need = (size_t)m->s.count + 1;
    if (need > m->kind_capacity) TRY(mem_grow(m->ctx, &m->kind, sizeof *m->kind, &m->kind_capacity, need));
    if (need > m->mate_capacity) TRY(mem_grow(m->ctx, &m->mate, sizeof *m->mate, &m->mate_capacity, need));
    m->kind[m->s.count] = kind;
    m->mate[m->s.count] = UINT32_MAX;
    return spots_add(&m->s, x, normal);
}

bool samples_behind(const walls *w, uint32_t k, rill_vec3 x, rill_vec3 normal, double h, rill_vec3 *behind,
                    rill_vec3 *its_normal)
{
    const double most = SAMPLES_THIN * h, least = 1e-3 * h;
    double depth = least;
    while (depth < most) {
        const double d = wall_distance(w, k, v3_madd(x, -depth, normal), NULL);
        if (d > 0) break;
        depth += fmax(-d, least);
    }
    if (!(depth < most)) return false;
    rill_vec3 y = v3_madd(x, -depth, normal), n;
    if (!samples_project(w, k, &y, &n) || v3_dot(n, normal) > -0.5 || !box_contains(w->box, y)) return false;
    *behind = y;
    *its_normal = n;
    return true;
}

/* The sample straight behind x, where the wall is thin. */
static rill_status add_mate(sampling *m, rill_vec3 x, rill_vec3 normal, double h)
{
    rill_vec3 behind, n;
    if (!samples_behind(m->w, m->k, x, normal, h, &behind, &n)) return RILL_OK;
    if (spots_nearest(&m->s, behind, 0.5 * h, n, -0.2) != SPOT_NONE) return RILL_OK;
    TRY(add(m, behind, n, NODE_FACE));
    m->mate[m->s.count - 1] = m->s.count - 2;
    m->mate[m->s.count - 2] = m->s.count - 1;
    return RILL_OK;
}

/* Greedy discs: falling radii come close to taking the farthest candidate each time. */
static rill_status choose(sampling *m)
{
    static const double radius[] = {0.98, 0.9, 0.82, 0.76};
    uint32_t *order;
    const size_t n = m->c.count;
    TRY(MEM_NEW(m->ctx, order, n));
    for (size_t i = 0; i < n; i++) order[i] = (uint32_t)i;
    for (size_t i = n; i > 1; i--) {
        const random4 r = random_at(11, i, m->k, 0);
        const size_t j = (size_t)(random_unit(r.v[0], r.v[1]) * (double)i);
        const uint32_t swap = order[i - 1];
        order[i - 1] = order[j];
        order[j] = swap;
    }
    rill_status st = RILL_OK;
    for (int r = 0; r < 4; r++)
        for (size_t k = 0; !st && k < n; k++) {
            const size_t i = order[k];
            const double h = size_at(m->size, m->c.x[i]);
            if (spots_nearest(&m->s, m->c.x[i], radius[r] * h, m->c.normal[i], -0.2) != SPOT_NONE) continue;
            st = add(m, m->c.x[i], m->c.normal[i], NODE_FACE);
            if (!st && m->k != WALL_BOX) st = add_mate(m, m->c.x[i], m->c.normal[i], h);
        }
    mem_free(m->ctx, order);
    return st;
}

/* ---- Lloyd ---- */

static void nearest_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sampling *m = arg;
    for (size_t i = begin; i < end; i++)
        m->nearest[i] =
            spots_nearest(&m->s, m->c.x[i], 1.3 * size_at(m->size, m->c.x[i]), m->c.normal[i], -0.2);
}

/* A pair moves as one, along the wall. */
static void move_pair(sampling *m, rill_vec3 *to, const rill_vec3 *sum, const uint32_t *count, uint32_t i)
{
    const uint32_t j = m->mate[i];
    const rill_vec3 n = m->s.normal[i];
    rill_vec3 d = v3_sub(v3_scale(sum[i], 1.0 / count[i]), m->s.x[i]);
    if (count[j]) {
        const rill_vec3 e = v3_sub(v3_scale(sum[j], 1.0 / count[j]), m->s.x[j]);
        d = v3_scale(v3_add(d, e), 0.5);
    }
    d = v3_madd(d, -v3_dot(d, n), n);
    rill_vec3 p = v3_add(m->s.x[i], d), q = v3_add(m->s.x[j], d), np = n, nq = m->s.normal[j];
    if (!samples_project(m->w, m->k, &p, &np) || !samples_project(m->w, m->k, &q, &nq)) return;
    if (v3_dot(np, n) < 0.7 || v3_dot(nq, m->s.normal[j]) < 0.7) return;
    to[i] = p;
    to[j] = q;
}

static void move_samples(sampling *m, rill_vec3 *to, const rill_vec3 *sum, const uint32_t *count)
{
    for (uint32_t i = m->fixed; i < m->s.count; i++) {
        if (!count[i]) continue;
        if (m->mate[i] != UINT32_MAX) {
            if (m->mate[i] > i) move_pair(m, to, sum, count, i);
            continue;
        }
        rill_vec3 p = v3_scale(sum[i], 1.0 / count[i]), n = m->s.normal[i];
        if (!samples_project(m->w, m->k, &p, &n) || v3_dot(n, m->s.normal[i]) < 0) continue;
        if (!box_contains(m->w->box, p)) continue;
        to[i] = p;
        m->s.normal[i] = n;
    }
}

static rill_status rebuild(sampling *m, const rill_vec3 *x)
{
    spots s = {0};
    rill_status st = spots_init(m->ctx, &s, m->s.cell, m->s.count);
    for (uint32_t i = 0; !st && i < m->s.count; i++) st = spots_add(&s, x[i], m->s.normal[i]);
    if (st) {
        spots_clear(&s);
        return st;
    }
    spots_clear(&m->s);
    m->s = s;
    return RILL_OK;
}

static rill_status lloyd_round(sampling *m, rill_vec3 *to, rill_vec3 *sum, uint32_t *count)
{
    parallel_for(m->ctx, m->c.count, 256, nearest_block, m);
    for (uint32_t i = 0; i < m->s.count; i++) {
        sum[i] = no_normal;
        count[i] = 0;
        to[i] = m->s.x[i];
    }
    for (size_t i = 0; i < m->c.count; i++) {
        const uint32_t f = m->nearest[i];
        if (f == SPOT_NONE || f < m->fixed) continue;
        sum[f] = v3_add(sum[f], m->c.x[i]);
        count[f]++;
    }
    move_samples(m, to, sum, count);
    return rebuild(m, to);
}

static rill_status even_out(sampling *m)
{
    enum { ROUNDS = 6 };
    rill_vec3 *to = NULL, *sum = NULL;
    uint32_t *count = NULL;
    rill_status st = MEM_NEW(m->ctx, to, m->s.count);
    if (!st) st = MEM_NEW(m->ctx, sum, m->s.count);
    if (!st) st = MEM_NEW(m->ctx, count, m->s.count);
    if (!st) st = MEM_NEW(m->ctx, m->nearest, m->c.count);
    for (int r = 0; !st && r < ROUNDS; r++) st = lloyd_round(m, to, sum, count);
    mem_free(m->ctx, to);
    mem_free(m->ctx, sum);
    mem_free(m->ctx, count);
    mem_free(m->ctx, m->nearest);
    return st;
}

/* ---- all of it ---- */

static rill_status hand_out(const sampling *m, samples *out)
{
    samples made = {0};
    const struct solid_pose *pose = m->k == WALL_BOX ? NULL : &m->w->at[m->k].place.pose;
    const wall *a = m->k == WALL_BOX ? NULL : &m->w->at[m->k];
    rill_status st = RILL_OK;
    for (uint32_t i = 0; !st && i < m->s.count; i++) {
        sample s = {.x = m->s.x[i], .normal = m->s.normal[i], .mate = m->mate[i], .kind = m->kind[i]};
        s.size = size_at(m->size, s.x);
        if (pose) {
            s.x = solid_to_local(pose, s.x);
            s.normal = solid_turned(pose, s.normal);
        }
        if (a && a->deforms && a->form.sequence.now.span)
            s.anchor = mesh_distance_closest_at(a->form.sequence.now.span, a->form.sequence.now.share, s.x);
        st = samples_add(m->ctx, &made, &s);
    }
    if (st) {
        samples_clear(m->ctx, &made);
        return st;
    }
    samples_clear(m->ctx, out);
    *out = made;
    return RILL_OK;
}

rill_status samples_make(rill_ctx *ctx, const walls *w, uint32_t k, const size_field *size, samples *out)
{
    sampling m = {.ctx = ctx, .w = w, .k = k, .size = size};
    rill_status st = candidates_make(ctx, w, k, size, CANDIDATES_PER_SAMPLE, &m.c);
    if (!st) st = spots_init(ctx, &m.s, 2 * size->def.finest, m.c.count / 16 + 1000);
    if (!st) st = creases_add(ctx, w, k, size, &m.s);
    m.fixed = m.s.count;
    if (!st) st = mem_grow(ctx, &m.kind, sizeof *m.kind, &m.kind_capacity, (size_t)m.fixed + 1);
    if (!st) st = mem_grow(ctx, &m.mate, sizeof *m.mate, &m.mate_capacity, (size_t)m.fixed + 1);
    for (uint32_t i = 0; !st && i < m.fixed; i++) {
        m.kind[i] = NODE_CREASE;
        m.mate[i] = UINT32_MAX;
    }
    if (!st) st = choose(&m);
    if (!st) st = even_out(&m);
    if (!st) st = hand_out(&m, out);
    candidates_clear(ctx, &m.c);
    spots_clear(&m.s);
    mem_free(ctx, m.kind);
    mem_free(ctx, m.mate);
    return st;
}

/* ---- where walls meet ---- */

static rill_status meet_wall(rill_ctx *ctx, const walls *w, uint32_t a, const size_field *size, bool moving,
                             spots *found)
{
    candidates of_a = {0};
    rill_status st = RILL_OK;
    const rill_box mine = box_grown(w->at[a].place.bounds, size->def.coarsest);
    bool made = false;
    for (uint32_t j = 0; !st && j < w->count + SIDE_COUNT; j++) {
        const bool is_side = j >= w->count;
        const uint32_t b = is_side ? WALL_SIDE + (j - w->count) : j;
        if (!is_side && b <= a) continue;
        if ((w->at[a].moves || (!is_side && w->at[b].moves)) != moving) continue;
        rill_box other = is_side ? w->box : w->at[b].place.bounds;
        if (is_side) { /* the plane of the side */
            const int side = (int)(b - WALL_SIDE), axis = side_axis(side);
            const double at = v3_axis(side % 2 ? w->box.max : w->box.min, axis);
            v3_set_axis(&other.min, axis, at);
            v3_set_axis(&other.max, axis, at);
        }
        bool apart = false;
        for (int x = 0; x < 3; x++)
            apart |=
                v3_axis(other.min, x) > v3_axis(mine.max, x) || v3_axis(other.max, x) < v3_axis(mine.min, x);
        if (apart) continue;
        if (!made) st = candidates_make(ctx, w, a, size, CANDIDATES_PER_SAMPLE / 2, &of_a);
        made = true;
        if (!st) st = creases_meet(ctx, w, a, b, w, size, &of_a, found);
    }
    candidates_clear(ctx, &of_a);
    return st;
}

rill_status samples_meet(rill_ctx *ctx, const walls *w, const size_field *size, bool moving, samples *out)
{
    spots found = {0};
    rill_status st = spots_init(ctx, &found, 2 * size->def.finest, 1000);
    if (!st) st = creases_pierce(w, size, moving, &found);
    for (uint32_t a = 0; !st && a < w->count; a++) st = meet_wall(ctx, w, a, size, moving, &found);
    for (uint32_t i = 0; !st && i < found.count; i++)
        st = samples_add(
            ctx, out,
            &(sample){
                .x = found.x[i], .mate = UINT32_MAX, .kind = NODE_CREASE, .size = size_at(size, found.x[i])});
    spots_clear(&found);
    return st;
}
