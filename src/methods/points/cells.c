/* The cells: Voronoi diagram ([Sin09] 3.1), cut to solids and balls (3.2), and what joins them. */
#include "base/parallel.h"
#include "flow/cells_solids.h"
#include "geom/voronoi/voronoi_clip.h"
#include "linalg/components.h"
#include "points/state.h"

#include <string.h>

/* Sorted in space, so that what is near is near in memory. */
rill_status points_sort(points *s)
{
    rill_ctx *ctx = s->sim.ctx;
    TRY(bins_build(ctx, &s->scratch, s->particles.position, (uint32_t)s->particles.count, &s->average.bins));
    TRY(particles_permute(ctx, &s->particles, s->average.bins.order));
    points_columns(s);
    for (uint32_t i = 0; i < s->average.bins.count; i++)
        s->average.bins.order[i] = i; /* they are in that order now */
    return RILL_OK;
}

/* The domain; of liquid beyond its open sides as far as there are points. */
static rill_box cells_box(const points *s)
{
    const scene_domain *d = &s->sim.scene->domain;
    const uint32_t open = s->def.filled ? 0 : d->open;
    rill_box box = {d->min, d->max}, all = box;
    for (size_t i = 0; i < s->particles.count; i++) all = box_with(all, s->particles.position[i]);
    all = box_grown(all, 4 * s->h);
    for (int side = 0; side < 2 * s->dimensions; side++) {
        if (!(open >> side & 1)) continue;
        const int axis = side_axis(side);
        if (side & 1)
            v3_set_axis(&box.max, axis, v3_axis(all.max, axis));
        else
            v3_set_axis(&box.min, axis, v3_axis(all.min, axis));
    }
    if (s->dimensions == 2) {
        box.min.z = -0.5 * s->h;
        box.max.z = 0.5 * s->h;
    }
    return box;
}

typedef struct {
    const points *s;
    solids walls; /* without the domain's sides */
    double t;
    rill_vec3 *away;
    double *room;
} wall_job;

/* Which way solids near the points face: plates between two points part their cells. */
static void wall_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const wall_job *j = arg;
    for (size_t i = begin; i < end; i++) {
        solid_contact c;
        const double d = solids_distance(&j->walls, j->s->particles.position[i], j->t, &c);
        j->room[i] = fmin(d, 1e9 * j->s->h);
        j->away[i] = d < 2 * points_size_of(j->s, i)->radius ? c.normal : v3(0, 0, 0);
    }
}

static rill_status find_walls(points *s, double t, voronoi_def *def)
{
    if (s->sim.solids.count == 0) return RILL_OK;
    wall_job j = {.s = s, .walls = s->sim.solids, .t = t};
    j.walls.domain.open = ~0u;
    TRY(ARENA_NEW(&s->scratch, j.away, s->particles.count));
    TRY(ARENA_NEW(&s->scratch, j.room, s->particles.count));
    parallel_for(s->sim.ctx, s->particles.count, POINTS_BLOCK, wall_block, &j);
    def->away = j.away;
    s->room = j.room;
    return RILL_OK;
}

/* As published (3.2): cells are cut where their edges meet the balls, and the cuts are joined. */
static bool polyhedral(const points *s)
{
    return s->def.scheme == POINTS_PAPER && s->def.clipping == POINTS_POLYHEDRA && !s->def.filled;
}

/* Points of several sizes have a power diagram: cells meet where their balls do. */
static rill_status weigh_points(points *s, voronoi_def *def)
{
    double *weight;
    s->sizes.radius = NULL;
    if (!s->sizes.grains) return RILL_OK;
    TRY(ARENA_NEW(&s->scratch, weight, s->particles.count));
    TRY(ARENA_NEW(&s->scratch, s->sizes.radius, s->particles.count));
    for (size_t i = 0; i < s->particles.count; i++) {
        const double r = s->sizes.radius[i] = points_size_of(s, i)->radius;
        weight[i] = r * r;
    }
    def->weight = weight;
    return RILL_OK;
}

rill_status points_diagram(points *s, double t)
{
    voronoi_def def = voronoi_def_default(cells_box(s));
    const rill_vec3 size = box_size(def.box);
    if (!(v3_length(size) < 1e9 * s->h))
        return rill_fail(s->sim.ctx, RILL_BLEW_UP, "points are %.3g m apart", v3_length(size));
    /* Nothing of a cell is beyond its ball: it need not be found. */
    if (!s->def.filled && !polyhedral(s))
        def.cap = (s->sizes.grains ? 1.5 : 1.001) * points_coarsest(s)->radius;
    TRY(weigh_points(s, &def));
    TRY(find_walls(s, t, &def));
    def.merge = true;
    def.vertices = true;
    return voronoi_build(&s->diagram, &def, s->particles.position, (uint32_t)s->particles.count);
}

/* The two diagrams take turns. */
static voronoi *cells_of(points *s)
{
    return (s->sim.solids.count > 0) != polyhedral(s) ? &s->clipped : &s->diagram;
}

/* How far a place of a cell is inside of its point's ball, in two dimensions of its cylinder. */
static void ball_value(void *user, const uint32_t *cell, const rill_vec3 *x, size_t n, double *value)
{
    const points *s = user;
    for (size_t i = 0; i < n; i++) {
        rill_vec3 d = v3_sub(x[i], s->particles.position[cell[i]]);
        if (s->dimensions == 2) d.z = 0;
        value[i] = points_size_of(s, cell[i])->radius - v3_length(d);
    }
}

static rill_status clip_polyhedra(points *s)
{
    const voronoi_clip_def def = {
        .value = ball_value, .user = s, .kind = VORONOI_AIR, .site = s->particles.position};
    voronoi *from = s->sim.solids.count ? &s->clipped : &s->diagram;
    const rill_status st = voronoi_clip(from, &def, cells_of(s));
    voronoi_forget(from);
    return st;
}

rill_status points_clip(points *s, double t)
{
    const rill_vec3 *x = s->particles.position;
    /* A ball around everything cuts nothing. */
    const rill_vec3 size = box_size(s->diagram.box);
    const double radius = s->def.filled || polyhedral(s) ? v3_length(size) : s->sizes.of[1].radius;
    if (s->sim.solids.count) {
        const rill_status st = cells_clip_solids(&s->diagram, &s->sim.solids, t, x, s->room, &s->clipped);
        voronoi_forget(&s->diagram);
        if (st) return st;
    }
    if (polyhedral(s)) TRY(clip_polyhedra(s));
    if (s->sizes.radius) {
        uint8_t *closed;
        TRY(ARENA_NEW(&s->scratch, closed, s->particles.count));
        for (size_t i = 0; i < s->particles.count; i++)
            closed[i] =
                points_is_deep(s, i) && cells_of(s)->cell[i].volume < 1.4 * points_size_of(s, i)->whole;
        TRY(ball_cells_build_sized(&s->balls, cells_of(s), x, s->sizes.radius, closed, s->dimensions == 2));
    } else
        TRY(ball_cells_build(&s->balls, cells_of(s), x, radius, s->dimensions == 2));
    /* A third of the memory, and a hundredth of the time to have it again in the next step. */
    voronoi_forget_corners(cells_of(s));
    return RILL_OK;
}

/* ---- faces ---- */

/* Smaller than this, in spacings squared, is rounding: four cells of a lattice meet at an edge. */
static const double small_face = 1e-9, small_patch = 1e-7;

static bool is_flat(const points *s, const voronoi_face *f)
{
    return s->dimensions == 2 && fabs(f->area.z) > 0.5 * v3_length(f->area);
}

typedef struct {
    points *s;
    const voronoi *v;
    double t;
    uint32_t *place; /* per face of the diagram: inner, wall or none; then its place */
} face_job;
enum { NOTHING, INNER, WALL };

static void choose_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const face_job *j = arg;
    const points *s = j->s;
    const double least = small_face * s->h * s->h;
    for (size_t k = begin; k < end; k++) {
        const voronoi_face *f = &j->v->face[k];
        const rill_vec3 area = s->balls.face[k].area;
        j->place[k] = NOTHING;
        if (v3_dot(area, area) <= least * least || voronoi_is_cap(f->b) || f->b == VORONOI_AIR ||
            is_flat(s, f))
            continue;
        j->place[k] = voronoi_is_cell(f->b) ? INNER : WALL;
    }
}

static void fill_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const face_job *j = arg;
    points *s = j->s;
    const rill_vec3 *x = s->particles.position;
    /* eq. 5: epsilon keeps points that are nearly in one place apart (errata E-S8). */
    const double epsilon = 1e-3 * s->sizes.of[1].radius;
    for (size_t k = begin; k < end; k++) {
        if (j->place[k] == UINT32_MAX) continue;
        const voronoi_face *f = &j->v->face[k];
        const ball_face *b = &s->balls.face[k];
        points_face to = {.a = f->a, .b = f->b, .shape = (uint32_t)k};
        if (voronoi_is_cell(f->b)) {
            to.reach = v3_distance(x[f->a], x[f->b]);
            /* Outside of open sides the pressure is that of rest exactly, and so it has to be within. */
            const double away = s->gas.open ? fmax(to.reach, epsilon) : to.reach + epsilon;
            to.weight = (float)(v3_length(b->area) / away);
        } else if (points_side_of(s, &to, j->t, NULL) == SIDE_OPEN) {
            to.reach = fmax(v3_dot(v3_sub(b->centroid, x[f->a]), v3_unit(b->area)), 0.25 * s->h);
            to.weight = (float)(v3_length(b->area) / to.reach);
        }
        s->mesh.face[j->place[k]] = to;
    }
}

static bool nearer_to_another(const face_job *j, uint32_t i, rill_vec3 x)
{
    const rill_vec3 *site = j->s->particles.position;
    const voronoi_cell *c = &j->v->cell[i];
    for (uint32_t e = 0; e < c->faces; e++) {
        const voronoi_face *f = &j->v->face[j->v->link[c->begin + e]];
        const uint32_t o = f->a == i ? f->b : f->a;
        if (voronoi_is_cell(f->b) && v3_distance(x, site[o]) < points_size_of(j->s, o)->radius) return true;
    }
    return false;
}

/* Whether a place is between two walls that are less than two and a half spacings apart. */
static bool in_a_gap(const face_job *j, rill_vec3 x)
{
    const points *s = j->s;
    solid_contact wall;
    const double d = solids_distance(&s->sim.solids, x, j->t, &wall), beyond = 2.5 * s->h - d;
    if (!(beyond > 0)) return false;
    for (int k = 1; k <= 4; k++) /* a plate may be thin */
        if (solids_distance(&s->sim.solids, v3_madd(x, beyond * k / 4, wall.normal), j->t, NULL) < 0)
            return true;
    return false;
}

/* Whether all air that a cell sees is slits between its ball and the walls of a gap. In two dimensions a gap
 * of less than two spacings has one row of cells, whose balls do not reach its walls everywhere; air without
 * pressure deep in the liquid would draw it in. Looked at around the ball. */
static bool sees_slits_alone(const face_job *j, uint32_t i)
{
    enum { DIRECTIONS = 32 };
    const points *s = j->s;
    const double slit = 0.4 * s->h;
    const rill_vec3 x = s->particles.position[i];
    if (!in_a_gap(j, x)) return false;
    for (int k = 0; k < DIRECTIONS; k++) {
        const double turn = 2 * M_PI * k / DIRECTIONS;
        const rill_vec3 p = v3_madd(x, points_size_of(s, i)->radius, v3(cos(turn), sin(turn), 0));
        if (solids_distance(&s->sim.solids, p, j->t, NULL) > slit && !nearer_to_another(j, i, p))
            return false;
    }
    return true;
}

/* The air of a cell as published: eq. 11 of its facets, one for each loop of the cut. */
static void add_facets(const face_job *j, uint32_t i, points_cell *c)
{
    const points *s = j->s;
    for (uint32_t e = 0; e < j->v->cell[i].faces; e++) {
        const uint32_t k = j->v->link[j->v->cell[i].begin + e];
        if (j->v->face[k].b != VORONOI_AIR) continue;
        const ball_face *b = &s->balls.face[k];
        const double area = v3_length(b->area);
        if (!(area > small_patch * s->h * s->h)) continue;
        const double away = v3_dot(v3_sub(b->centroid, s->particles.position[i]), b->area) / area;
        c->air += area;
        c->air_area = v3_add(c->air_area, b->area);
        c->air_weight += area / (2 * fmax(away, 0.1 * points_size_of(s, i)->radius));
        c->air_middle = v3_madd(c->air_middle, area, b->centroid);
    }
    if (c->air > 0) c->air_middle = v3_scale(c->air_middle, 1 / c->air);
    if (!(c->volume > 0)) c->air_weight = s->h; /* all its corners are outside: it flies, without pressure */
}

static void cell_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const face_job *j = arg;
    points *s = j->s;
    /* The surface is a radius away: p is that of the air there. DEVIATES from eq. 11, which has it twice as
     * far (errata E-S3). */
    const bool slits = s->dimensions == 2 && s->def.scheme == POINTS_VOLUME;
    for (size_t i = begin; i < end; i++) {
        const ball_cell *b = &s->balls.cell[i];
        points_cell *c = &s->mesh.cell[i];
        const double radius = points_size_of(s, i)->radius,
                     away = s->def.scheme == POINTS_PAPER ? 2 * radius : radius;
        const bool airy = !s->def.filled && b->air > small_patch * s->h * s->h;
        *c = (points_cell){.volume = b->volume, .centroid = b->centroid, .begin = j->v->cell[i].begin};
        if (polyhedral(s))
            add_facets(j, (uint32_t)i, c);
        else if (airy) {
            c->hole = points_is_hole(s, i, b->air);
            c->air = c->hole || (slits && sees_slits_alone(j, (uint32_t)i)) ? 0 : b->air;
            c->air_area = b->air_area;
            c->air_weight = c->air / away;
            c->air_middle = s->particles.position[i];
            if (c->air > 0) c->air_middle = v3_madd(c->air_middle, radius / c->air, c->air_area);
        }
        c->end = c->begin;
        for (uint32_t e = 0; e < j->v->cell[i].faces; e++) {
            const uint32_t place = j->place[j->v->link[c->begin + e]];
            if (place == UINT32_MAX) continue;
            s->mesh.link[c->end++] = place;
            c->joined += place < s->mesh.inner_count;
            if (place >= s->mesh.inner_count)
                c->edge |= points_side_of(s, &s->mesh.face[place], j->t, NULL) != SIDE_WALL;
        }
    }
}

static rill_status collect_faces(points *s, double t)
{
    rill_ctx *ctx = s->sim.ctx;
    const voronoi *v = cells_of(s);
    face_job j = {.s = s, .v = v, .t = t};
    TRY(ARENA_NEW(&s->scratch, j.place, v->face_count));
    TRY(ARENA_NEW(&s->scratch, s->mesh.cell, v->count));
    TRY(ARENA_NEW(&s->scratch, s->mesh.link, v->link_count));
    parallel_for(ctx, v->face_count, POINTS_BLOCK, choose_block, &j);
    uint32_t count[3] = {0};
    for (uint32_t k = 0; k < v->face_count; k++) count[j.place[k]]++;
    s->mesh.inner_count = count[INNER];
    s->mesh.face_count = count[INNER] + count[WALL];
    TRY(ARENA_NEW(&s->scratch, s->mesh.face, s->mesh.face_count));
    uint32_t next[3] = {0, 0, s->mesh.inner_count};
    for (uint32_t k = 0; k < v->face_count; k++)
        j.place[k] = j.place[k] == NOTHING ? UINT32_MAX : next[j.place[k]]++;
    parallel_for(ctx, v->face_count, POINTS_BLOCK, fill_block, &j);
    parallel_for(ctx, v->count, POINTS_BLOCK, cell_block, &j);
    return RILL_OK;
}

/* ---- matrix and components ---- */

static rill_status build_matrix(points *s)
{
    rill_ctx *ctx = s->sim.ctx;
    const uint32_t n = (uint32_t)s->particles.count;
    double *extra;
    TRY(ARENA_NEW(&s->scratch, s->mesh.edge, s->mesh.inner_count));
    TRY(ARENA_NEW(&s->scratch, extra, n));
    for (uint32_t k = 0; k < s->mesh.inner_count; k++)
        s->mesh.edge[k] = (laplacian_edge){s->mesh.face[k].a, s->mesh.face[k].b, s->mesh.face[k].weight};
    for (uint32_t i = 0; i < n; i++) extra[i] = s->mesh.cell[i].air_weight;
    for (uint32_t k = s->mesh.inner_count; k < s->mesh.face_count; k++)
        extra[s->mesh.face[k].a] += s->mesh.face[k].weight;
    laplacian_clear(ctx, &s->matrix);
    solver_destroy(s->solver);
    s->solver = NULL;
    solver_def def = solver_def_default();
    def.tolerance = s->def.tolerance;
    TRY(solver_create(ctx, &def, &s->solver));
    TRY(laplacian_build(ctx, n, s->mesh.inner_count, s->mesh.edge, extra, &s->matrix));
    return solver_prepare(s->solver, &s->matrix, NULL, false);
}

/* 3.4: cells hang together through faces of the diagram, never through what cut them. */
static rill_status label_components(points *s)
{
    components c = {0};
    TRY(components_build(s->sim.ctx, &s->matrix, &c));
    for (size_t i = 0; i < s->particles.count; i++) s->component[i] = (float)(1 + c.label[i]);
    components_clear(s->sim.ctx, &c);
    return RILL_OK;
}

rill_status points_join(points *s, double t)
{
    TRY(collect_faces(s, t));
    voronoi_forget(cells_of(s)); /* all that is used from here on is in the faces and the balls */
    TRY(build_matrix(s));
    return label_components(s);
}

/* Between steps nothing of the cells is kept: a diagram takes the room of the last one's solve. */
void points_forget(points *s)
{
    solver_destroy(s->solver);
    s->solver = NULL;
    laplacian_clear(s->sim.ctx, &s->matrix);
    ball_cells_clear(&s->balls);
    if (s->scratch.used > POINTS_LITTLE)
        arena_clear(&s->scratch);
    else
        arena_reset(&s->scratch);
}
