/* Points of several sizes: fine at the surface, at solids, at emitters and in a chosen region, coarser away
 * from them ([Sin09] 5: "adaptive sampling seems the most useful", after Adams et al. 2007).
 *
 * A point stands for a whole number of the finest, its grains, and its ball is as much larger. Cells are
 * those of the power diagram whose weights are the radii squared: between two cells is the plane in which
 * their balls meet, so that every formula of the step holds as it stands (geom/voronoi/ball_cells.h).
 *
 * A point splits where it is less deep than `split` of its spacings, and two of one level merge where both
 * are deeper than MERGE times that for what they become. DEVIATES from Adams et al.: the depth alone decides,
 * not the feature size; sheets are thin where both sides are near. */
#include "base/parallel.h"
#include "geom/search/nearest.h"
#include "points/state.h"

#include <math.h>
#include <string.h>

static const double MERGE = 1.3;

rill_status points_sizes_init(points *s)
{
    const bool flat = s->dimensions == 2;
    const double radius = s->def.radius > 0 ? s->def.radius : flat ? 0.8 : 0.95;
    rill_ctx *ctx = s->sim.ctx;
    /* Half as much again: what is left over between coarsest points joins one of them. */
    s->sizes.most = s->def.levels ? 3u << s->def.levels >> 1 : 1;
    TRY(MEM_NEW(ctx, s->sizes.of, (size_t)s->sizes.most + 1));
    for (uint32_t m = 0; m <= s->sizes.most; m++) {
        const double share = m, h = m == 1 ? s->h : s->h * (flat ? sqrt(share) : cbrt(share));
        s->sizes.of[m] =
            (points_size){.h = h, .radius = h * radius, .whole = s->h * s->h * s->h * share, .share = share};
    }
    if (s->def.levels == 0) return RILL_OK;
    TRY(particles_add_column(ctx, &s->particles, "grains"));
    TRY(particles_add_column(ctx, &s->particles, "level"));
    TRY(particles_add_column(ctx, &s->particles, "spacing"));
    return particles_add_column(ctx, &s->particles, "surface_distance");
}

void points_sizes_columns(points *s)
{
    points_sizes *z = &s->sizes;
    z->grains = particles_column(&s->particles, "grains");
    z->level = particles_column(&s->particles, "level");
    z->spacing = particles_column(&s->particles, "spacing");
    z->depth = particles_column(&s->particles, "surface_distance");
    for (size_t i = 0; z->grains && i < s->particles.count; i++) {
        if (z->grains[i] == 0) z->grains[i] = 1; /* it has just come */
        if (!(z->grains[i] >= 1 && z->grains[i] <= (float)z->most))
            continue; /* of a file: points_sizes_load */
        z->level[i] = log2f(z->grains[i]);
        z->spacing[i] = (float)z->of[(uint32_t)z->grains[i]].h;
    }
}

rill_status points_sizes_load(points *s)
{
    for (size_t i = 0; i < s->particles.count && s->sizes.grains; i++) {
        const float m = s->sizes.grains[i];
        if (!(m >= 1 && m <= (float)s->sizes.most && m == floorf(m)))
            return rill_fail(s->sim.ctx, RILL_BAD_FILE,
                             "point %zu has %g grains, not a whole number up to %u", i, (double)m,
                             s->sizes.most);
    }
    return RILL_OK;
}

/* ---- depth ---- */

/* Balls of several sizes do not always meet: where points were split or merged holes would open between them.
 * Air without pressure there would draw the liquid in, and be surface, at which points split. Cells that were
 * deep a step ago are therefore not cut where they meet each other, unless they are much too large. */
bool points_is_deep(const points *s, size_t i)
{
    return s->sizes.grains && (double)s->sizes.depth[i] > 1.5 * points_size_of(s, i)->h;
}

/* A small gap towards a cell that is cut is a hole, a large one is air. */
bool points_is_hole(const points *s, size_t i, double air)
{
    const double r = points_size_of(s, i)->radius;
    return points_is_deep(s, i) && air < 0.15 * (s->dimensions == 2 ? 2 * M_PI * r * s->h : 4 * M_PI * r * r);
}

typedef struct {
    const points *s;
    const double *from;
    double *to;
} depth_job;

static double depth_block(void *arg, size_t begin, size_t end)
{
    const depth_job *j = arg;
    const points *s = j->s;
    double changed = 0;
    for (size_t i = begin; i < end; i++) {
        double least = j->from[i];
        for (uint32_t e = s->mesh.cell[i].begin; e < s->mesh.cell[i].end; e++) {
            if (s->mesh.link[e] >= s->mesh.inner_count) continue;
            const points_face *f = &s->mesh.face[s->mesh.link[e]];
            least = fmin(least, j->from[f->a == i ? f->b : f->a] + f->reach);
        }
        j->to[i] = least;
        if (least < j->from[i]) changed = 1;
    }
    return changed;
}

rill_status points_depths(points *s, double most, double **depth)
{
    const size_t n = s->particles.count;
    double *a, *b;
    TRY(ARENA_NEW(&s->scratch, a, n));
    TRY(ARENA_NEW(&s->scratch, b, n));
    uint8_t *airy; /* per component: it has a surface */
    TRY(ARENA_NEW(&s->scratch, airy, n + 1));
    memset(airy, 0, n + 1);
    for (size_t i = 0; i < n; i++) airy[(size_t)s->component[i]] |= s->mesh.cell[i].air > 0;
    for (size_t i = 0; i < n; i++) {
        /* Where nothing is air, the holes of what came loose are: pressure needs a surface. */
        const bool hole = s->mesh.cell[i].hole && !airy[(size_t)s->component[i]];
        a[i] = s->mesh.cell[i].air > 0 || hole ? 0 : most;
        if (s->room) a[i] = fmin(a[i], fmax(s->room[i], 0)); /* cells at solids are fine, too */
    }
    /* Each round goes a neighbour farther: all from the round before, in any order. */
    depth_job j = {s, a, b};
    while (parallel_max(s->sim.ctx, n, depth_block, &j) > 0) {
        double *t = j.to;
        j.to = (double *)j.from;
        j.from = t;
    }
    *depth = j.to;
    return RILL_OK;
}

/* ---- which change ---- */

/* The depth that counts: emitters give finest points, which go on as they came; a region bounds it. */
static double depth_that_counts(const points *s, rill_vec3 x, double depth, double t)
{
    const rill_scene *scene = s->sim.scene;
    for (uint32_t k = 0; k < scene->emitter_count; k++) {
        const scene_emitter *e = &scene->emitters[k];
        if (t < e->start || t > e->end) continue;
        depth = fmin(depth, fmax(shape_distance(&e->shape, x, NULL), 0));
    }
    if (s->def.region.kind != SHAPE_NONE) {
        /* Between what keeps points of that level and what would let them merge. */
        const double keeps = 1.1 * s->def.split * s->sizes.of[1u << s->def.region_level].h;
        depth = fmin(depth, keeps + fmax(shape_distance(&s->def.region, x, NULL), 0));
    }
    return depth;
}

typedef struct {
    points *s;
    double t;
    double *depth; /* that counts */
    uint8_t *keep;
    uint32_t merges, splits;
} change;

static void depth_at_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const change *c = arg;
    for (size_t i = begin; i < end; i++)
        c->depth[i] = depth_that_counts(c->s, c->s->particles.position[i], c->depth[i], c->t);
}

static bool must_split(const change *c, uint32_t i)
{
    const points_size *size = points_size_of(c->s, i);
    return size->share > 1 && c->depth[i] < c->s->def.split * size->h;
}

static bool may_merge(const change *c, uint32_t i, uint32_t o)
{
    const points *s = c->s;
    const uint32_t both = (uint32_t)(s->sizes.grains[i] + s->sizes.grains[o]);
    /* Beyond the coarsest only what is left over. */
    if (both > s->sizes.most ||
        (both > 1u << s->def.levels && 4 * fminf(s->sizes.grains[i], s->sizes.grains[o]) > both))
        return false;
    return fmin(c->depth[i], c->depth[o]) > MERGE * s->def.split * s->sizes.of[both].h;
}

/* The smallest neighbour that may merge with a point, of equal ones the nearest; none: UINT32_MAX. */
static uint32_t find_partner(const change *c, uint32_t i)
{
    const points *s = c->s;
    double nearest = INFINITY;
    uint32_t found = UINT32_MAX;
    for (uint32_t e = s->mesh.cell[i].begin; e < s->mesh.cell[i].end; e++) {
        if (s->mesh.link[e] >= s->mesh.inner_count) continue;
        const points_face *f = &s->mesh.face[s->mesh.link[e]];
        const uint32_t o = f->a == i ? f->b : f->a;
        if (c->keep[o] != 1 || !may_merge(c, i, o)) continue;
        const double d = v3_distance(s->particles.position[i], s->particles.position[o]);
        const float less = found == UINT32_MAX ? -1 : s->sizes.grains[o] - s->sizes.grains[found];
        if (less > 0 || (less == 0 && (d > nearest || (d == nearest && o > found)))) continue;
        nearest = d;
        found = o;
    }
    return found;
}

/* ---- the changes ---- */

static void merge_pair(change *c, uint32_t i, uint32_t o)
{
    points *s = c->s;
    particles *p = &s->particles;
    const float both = s->sizes.grains[i] + s->sizes.grains[o];
    const double part = (double)s->sizes.grains[o] / (double)both;
    p->position[i] = v3_mix(p->position[i], p->position[o], part);
    p->velocity[i] = v3_mix(p->velocity[i], p->velocity[o], part);
    for (uint32_t k = 0; k < p->column_count; k++) {
        float *value = p->column[k].value;
        value[i] += (float)part * (value[o] - value[i]);
    }
    s->sizes.grains[i] = both;
    c->keep[o] = 0;
    c->keep[i] = 2; /* as it is until the next step */
    c->merges++;
}

static void merge_points(change *c)
{
    const uint32_t n = (uint32_t)c->s->particles.count;
    for (uint32_t i = 0; i < n; i++) {
        if (c->keep[i] != 1) continue;
        const uint32_t o = find_partner(c, i);
        if (o != UINT32_MAX) merge_pair(c, i, o);
    }
}

/* A small point that came inside of a large ball has no cell, and nothing would hold it: the nearest takes it
 * in. */
static rill_status take_in(change *c)
{
    points *s = c->s;
    const uint32_t n = (uint32_t)s->particles.count;
    uint32_t *lost, *near, count = 0;
    rill_vec3 *x;
    for (uint32_t i = 0; i < n; i++) count += c->keep[i] == 1 && !(s->mesh.cell[i].volume > 0);
    if (count == 0) return RILL_OK;
    TRY(ARENA_NEW(&s->scratch, lost, count));
    TRY(ARENA_NEW(&s->scratch, x, count));
    TRY(ARENA_NEW(&s->scratch, near, 4 * (size_t)count));
    count = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (c->keep[i] != 1 || s->mesh.cell[i].volume > 0) continue;
        lost[count] = i;
        x[count++] = v3(s->average.bins.x[i], s->average.bins.y[i],
                        s->average.bins.z[i]); /* where all were when cells were made */
    }
    const nearest_query q = {
        .points = &s->average.bins, .x = x, .count = count, .k = 4, .within = points_coarsest(s)->radius};
    TRY(nearest_find(s->sim.ctx, &q, near, NULL, NULL));
    for (uint32_t k = 0; k < count; k++)
        for (uint32_t e = 0; e < 4; e++) {
            const uint32_t i = lost[k], o = near[4 * k + e];
            if (o == UINT32_MAX || o == i || c->keep[i] != 1 || c->keep[o] != 1 ||
                !(s->mesh.cell[o].volume > 0) ||
                s->sizes.grains[i] + s->sizes.grains[o] > (float)s->sizes.most)
                continue;
            merge_pair(c, o, i);
        }
    return RILL_OK;
}

/* The direction in which a cell is longest: that of the largest moment of its faces. */
static rill_vec3 long_axis(const points *s, uint32_t i)
{
    const points_cell *c = &s->mesh.cell[i];
    double m[3][3] = {{0}};
    for (uint32_t e = c->begin; e < c->end; e++) {
        const ball_face *b = points_shape(s, &s->mesh.face[s->mesh.link[e]]);
        const rill_vec3 d = v3_sub(b->centroid, c->centroid);
        const double w = v3_length(b->area), v[3] = {d.x, d.y, s->dimensions == 3 ? d.z : 0};
        for (int a = 0; a < 3; a++)
            for (int k = 0; k < 3; k++) m[a][k] += w * v[a] * v[k];
    }
    rill_vec3 axis = s->dimensions == 3 ? v3(0.6, 0.64, 0.48) : v3(0.6, 0.8, 0);
    for (int turn = 0; turn < 20; turn++) {
        const rill_vec3 next = {v3_dot(v3(m[0][0], m[0][1], m[0][2]), axis),
                                v3_dot(v3(m[1][0], m[1][1], m[1][2]), axis),
                                v3_dot(v3(m[2][0], m[2][1], m[2][2]), axis)};
        if (!(v3_length(next) > 0)) break;
        axis = v3_unit(next);
    }
    return axis;
}

/* Where the halves of a point go, from its place; false: walls leave no room. */
static bool halves_fit(const points *s, uint32_t i, double t, rill_vec3 *off)
{
    const rill_vec3 x = s->particles.position[i], axis = long_axis(s, i);
    const double h = points_size_of(s, i)->h, clear = 0.1 * h;
    for (int k = 0; k < 3; k++) {
        *off = v3_scale(axis, h * (0.3 - 0.08 * k));
        if (solids_distance(&s->sim.solids, v3_add(x, *off), t, NULL) > clear &&
            solids_distance(&s->sim.solids, v3_sub(x, *off), t, NULL) > clear)
            return true;
    }
    return false;
}

/* Halves move apart with what the averages differ by, one as much faster as the other is slower. Averages are
 * those of the points before any split. */
static void split_points(change *c, rill_vec3 *x, rill_vec3 *u, uint32_t *of)
{
    points *s = c->s;
    particles *p = &s->particles;
    for (uint32_t i = 0; i < p->count; i++) {
        rill_vec3 off;
        if (!must_split(c, i) || !halves_fit(s, i, c->t, &off)) continue;
        const rill_vec3 at = p->position[i];
        x[c->splits] = off;
        u[c->splits] = v3_scale(v3_sub(points_average_at(s, p->velocity, i, v3_add(at, off)),
                                       points_average_at(s, p->velocity, i, v3_sub(at, off))),
                                0.5);
        c->keep[i] = 2;
        of[c->splits++] = i;
    }
    for (uint32_t k = 0; k < c->splits; k++) {
        const uint32_t i = of[k];
        const float all = s->sizes.grains[i], more = ceilf(all / 2);
        const double a = 2 * (double)(all - more) / (double)all, b = 2 - a; /* ways, as the other's share */
        const rill_vec3 at = p->position[i], v = p->velocity[i];
        p->position[i] = v3_madd(at, -a, x[k]);
        p->velocity[i] = v3_madd(v, -a, u[k]);
        x[k] = v3_madd(at, b, x[k]);
        u[k] = v3_madd(v, b, u[k]);
        s->sizes.grains[i] = more;
    }
}

/* The second halves, whose grains are what the first ones do not have. */
static rill_status append_halves(change *c, uint32_t n, const rill_vec3 *x, const rill_vec3 *u,
                                 const uint32_t *of, const float *grains)
{
    points *s = c->s;
    particles *p = &s->particles;
    TRY(particles_append(s->sim.ctx, p, c->splits, x, u));
    for (uint32_t k = 0; k < c->splits; k++)
        for (uint32_t e = 0; e < p->column_count; e++) p->column[e].value[n + k] = p->column[e].value[of[k]];
    points_columns(s);
    for (uint32_t k = 0; k < c->splits; k++) s->sizes.grains[n + k] = grains[of[k]] - s->sizes.grains[of[k]];
    return RILL_OK;
}

rill_status points_sizes_change(points *s, double t)
{
    particles *p = &s->particles;
    const uint32_t n = (uint32_t)p->count;
    change c = {.s = s, .t = t};
    uint32_t *of;
    rill_vec3 *x, *u;
    float *grains;
    if (!s->sizes.grains) return RILL_OK;
    TRY(points_depths(s, 2 * MERGE * s->def.split * points_coarsest(s)->h, &c.depth));
    for (uint32_t i = 0; i < n; i++) s->sizes.depth[i] = (float)c.depth[i];
    TRY(ARENA_NEW(&s->scratch, grains, n));
    memcpy(grains, s->sizes.grains, n * sizeof *grains);
    parallel_for(s->sim.ctx, n, POINTS_BLOCK, depth_at_block, &c);
    uint32_t most = 0;
    for (uint32_t i = 0; i < n; i++) most += must_split(&c, i);
    TRY(ARENA_NEW(&s->scratch, c.keep, (size_t)n + most));
    TRY(ARENA_NEW(&s->scratch, x, most + 1));
    TRY(ARENA_NEW(&s->scratch, u, most + 1));
    TRY(ARENA_NEW(&s->scratch, of, most + 1));
    memset(c.keep, 1, (size_t)n + most);
    TRY(particles_reserve(s->sim.ctx, p, (size_t)n + most)); /* before anything changes */
    points_columns(s);
    split_points(&c, x, u, of);
    TRY(take_in(&c));
    merge_points(&c);
    if (c.splits) TRY(append_halves(&c, n, x, u, of, grains));
    if (c.merges) s->sim.sources.merged += particles_keep(p, c.keep);
    points_columns(s);
    return RILL_OK;
}

/* ---- the start ---- */

typedef struct {
    points *s;
    rill_vec3 *u;
    double t;
    bool merging; /* and centred; in the end volumes alone count, which centring does not quite keep */
} settling;

static void centre_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const settling *j = arg;
    points *s = j->s;
    for (size_t i = begin; i < end; i++)
        s->step[i] = j->merging ? points_centre(s, (uint32_t)i, 0.5) : v3(0, 0, 0);
}

/* The velocities of the places they go to. */
static void carry_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const settling *j = arg;
    const points *s = j->s;
    const rill_vec3 *x = s->particles.position, *u = s->particles.velocity;
    for (size_t i = begin; i < end; i++)
        j->u[i] = v3_add(u[i], v3_sub(points_average_at(s, u, (uint32_t)i, v3_add(x[i], s->step[i])),
                                      points_average_at(s, u, (uint32_t)i, x[i])));
}

static void settle_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const settling *j = arg;
    points *s = j->s;
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 from = s->particles.position[i];
        rill_vec3 u = j->u[i];
        s->particles.velocity[i] = u;
        s->particles.position[i] = v3_add(from, s->step[i]);
        solids_push_out(&s->sim.solids, j->t, j->t, 0.1 * points_size_of(s, i)->h, from,
                        &s->particles.position[i], &u);
    }
}

static rill_status settle(points *s, double t, bool merging)
{
    settling j = {.s = s, .t = t, .merging = merging};
    TRY(points_sort(s));
    TRY(points_diagram(s, t));
    TRY(points_clip(s, t));
    TRY(points_join(s, t));
    TRY(points_neighbours(s));
    const size_t n = s->particles.count;
    TRY(ARENA_NEW(&s->scratch, s->step, n));
    TRY(ARENA_NEW(&s->scratch, s->right, n));
    TRY(ARENA_NEW(&s->scratch, j.u, n));
    parallel_for(s->sim.ctx, n, POINTS_BLOCK, centre_block, &j);
    TRY(points_restore(s));
    parallel_for(s->sim.ctx, n, POINTS_BLOCK, carry_block, &j);
    parallel_for(s->sim.ctx, n, POINTS_BLOCK, settle_block, &j);
    return merging ? points_sizes_change(s, t) : RILL_OK;
}

rill_status points_sizes_start(points *s)
{
    enum { A_LEVEL = 12, LAST = 40 }; /* rounds */
    const double t = -s->sim.scene->time.preroll;
    rill_status st = RILL_OK;
    for (int k = 0; !st && s->sizes.grains && s->particles.count && k < A_LEVEL * s->def.levels + LAST; k++) {
        st = settle(s, t, k < A_LEVEL * s->def.levels);
        points_forget(s);
    }
    return st;
}
