/* Velocity reconstruction: [Brochu10] section 6, steps 1 and 2.
 *
 * DEVIATES (E-R9): the paper's least squares at Voronoi vertices are exact for constant fields only, so that
 * advection is wrong to zeroth order. Here every liquid cell first fits a velocity and, from its neighbours,
 * a gradient G; what the fits at vertices and faces take in is brought to the place of the fit by G. Fields
 * that are linear come back exactly. "paper" does without.
 * DEVIATES (E-R11): the stored normal speed replaces that of the average only between two liquid sites.
 * At ghost faces it keeps noise alive that neither pressure nor advection sees. */
#include "voronoi/fit.h"

#include "base/parallel.h"
#include "voronoi/state.h"

static const double WALL_ROW = 4; /* weight of "no flow into the wall", in mean eigenvalues */
static const double FLAT = 0.1;   /* det / mean^3 below which a tetrahedron's fit is drawn to its sites' */
static const double FLAT_PULL = 0.09; /* at most, in mean eigenvalues */

static const double THIN = 0.2; /* det / mean^3 of the neighbours below which a cell's gradient is damped */
static const double THIN_PULL = 0.1;
static const double NEAR =
    0.25; /* spacings: nearer neighbours, images beyond a film's wall, say little of it */

typedef struct {
    brochu *s;
    brochu_diagram *d;
    bool linear;
} job;

/* Where directions hardly span space, a fit may be any number of times its rows: no velocity is more than so
 * many times the fastest of them. Of directions that do, it is at most sqrt(3). */
static const double MOST = 2.5;
static const double COUNTS = 0.05; /* of the largest face's area */

static rill_vec3 bounded(rill_vec3 u, double top)
{
    const double speed = v3_length(u);
    return speed > MOST * top ? v3_scale(u, MOST * top / speed) : u;
}

/* ---- cells ---- */

/* Of faces that count: one of hardly any area may have any speed. */
static double fastest_row(const brochu_diagram *d, uint32_t i)
{
    double top = d->solid_area ? v3_length(d->solid_velocity[i]) : 0, largest = 0;
    for (uint32_t k = d->first[i]; k < d->first[i + 1]; k++)
        if (d->faces.valid[d->link[k]]) largest = fmax(largest, d->faces.area[d->link[k]]);
    for (uint32_t k = d->first[i]; k < d->first[i + 1]; k++) {
        const uint32_t e = d->link[k];
        if (d->faces.valid[e] && d->faces.area[e] >= COUNTS * largest)
            top = fmax(top, fabs(d->faces.speed[e]));
    }
    return top;
}

/* Rows of all faces of a liquid cell, less what the gradient explains, and of the walls. */
static brochu_rows cell_rows(const brochu_diagram *d, uint32_t i, const rill_vec3 g[3])
{
    const brochu_faces *f = &d->faces;
    brochu_rows r = {0};
    for (uint32_t k = d->first[i]; k < d->first[i + 1]; k++) {
        const uint32_t e = d->link[k];
        if (!f->valid[e] && !brochu_wall_face(d, e)) continue;
        const double speed = f->valid[e] ? f->speed[e] : 0;
        const rill_vec3 along = gradient_along(g, v3_sub(f->centroid[e], d->sites.x[i]));
        rows_add(&r, f->normal[e], f->area[e], speed - v3_dot(f->normal[e], along));
    }
    if (d->solid_area && v3_dot(d->solid_area[i], d->solid_area[i]) > 0) {
        const rill_vec3 n = v3_unit(d->solid_area[i]);
        rill_vec3 u = d->solid_velocity[i]; /* that of a body is the mean over its faces in the cell */
        if (d->solid_body[i] == BODY_NONE)
            u = v3_sub(u, gradient_along(g, v3_sub(d->solid_point[i], d->sites.x[i])));
        rows_add(&r, n, v3_length(d->solid_area[i]), v3_dot(n, u));
    }
    const double mean = rows_mean(&r);
    for (int side = 0; side < SIDE_COUNT; side++) {
        rill_vec3 n = {0};
        v3_set_axis(&n, side_axis(side), 1);
        if (d->sites.wall[i] >> side & 1) rows_add(&r, n, WALL_ROW * mean, 0);
    }
    return r;
}

static void cell_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    brochu_diagram *d = j->d;
    for (uint32_t i = (uint32_t)begin; i < end; i++) {
        d->field.fit[i] = v3(0, 0, 0);
        if (!d->sites.liquid[i]) continue;
        const brochu_rows r = cell_rows(d, i, d->field.gradient[i]);
        if (!rows_solve(&r, r.right, &d->field.fit[i]) && rows_mean(&r) > 0) { /* thin: what there is */
            brochu_rows q = r;
            rows_toward(&q, 1e-3 * rows_mean(&r), v3(0, 0, 0));
            (void)rows_solve(&q, q.right, &d->field.fit[i]);
        }
        d->field.fit[i] = bounded(d->field.fit[i], fastest_row(d, i));
    }
}

/* Across a sheet or a film, where neighbours hardly differ, the gradient is what makes it free of divergence:
 * a film that spreads by so much becomes thinner by as much. What the pull left out of the directions, its
 * share of the inverse, says which are across. */
static void close_gradient(const brochu_rows *r, double pull, rill_vec3 g[3])
{
    rill_vec3 across[3];
    for (int c = 0; c < 3; c++) {
        rill_vec3 unit = {0};
        v3_set_axis(&unit, c, pull);
        if (!rows_solve(r, unit, &across[c])) return;
    }
    const double all = across[0].x + across[1].y + across[2].z, trace = g[0].x + g[1].y + g[2].z;
    for (int c = 0; c < 3; c++) g[c] = v3_madd(g[c], -trace / fmax(all, 1), across[c]);
}

/* A cell's fit without gradient is the velocity at the mean of its faces, not at its site: how far beyond the
 * site that is along n. In a film the site is next to the surface, and the face toward air beyond it:
 * with the velocity taken as that of the site, thin films became thinner too slowly. */
static double fit_ahead(const brochu_diagram *d, uint32_t i, rill_vec3 n)
{
    double sum = 0, all = 0;
    for (uint32_t k = d->first[i]; k < d->first[i + 1]; k++) {
        const uint32_t e = d->link[k];
        if (!d->faces.valid[e] && !brochu_wall_face(d, e)) continue;
        const double c = v3_dot(d->faces.normal[e], n), w = d->faces.area[e] * c * c;
        sum += w * v3_dot(v3_sub(d->faces.centroid[e], d->sites.x[i]), n);
        all += w;
    }
    return all > 0 ? sum / all : 0;
}

/* From differences to the liquid neighbours, mirrored beyond walls. */
static void gradient_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    brochu_diagram *d = j->d;
    const brochu_sites *n = &d->sites;
    const double near2 = NEAR * NEAR * j->s->h * j->s->h;
    for (uint32_t i = (uint32_t)begin; i < end; i++) {
        if (!n->liquid[i]) continue;
        brochu_rows r = {0};
        rill_vec3 right[3] = {{0}};
        for (uint32_t k = d->first[i]; k < d->first[i + 1]; k++) {
            const uint32_t e = d->link[k], *v = d->faces.site[e], b = v[0] == i ? v[1] : v[0],
                           real = n->of[b];
            if (!site_real(d, real) || !n->liquid[real]) continue;
            const rill_vec3 du = v3_sub(turned(d->field.fit[real], n->turned[b]), d->field.fit[i]);
            rill_vec3 way = v3_sub(n->x[b], n->x[i]);
            if (real == i) { /* its own image */
                const double length = v3_length(way), ahead = fit_ahead(d, i, v3_scale(way, 1 / length));
                way = v3_scale(way, fmax(0.05, 1 - 2 * ahead / length));
            }
            const double w = d->faces.area[e] / (v3_dot(way, way) + near2);
            rows_add(&r, way, w, 0);
            for (int c = 0; c < 3; c++) right[c] = v3_madd(right[c], w * v3_axis(du, c), way);
        }
        const double size = rows_mean(&r), volume = rows_det(&r) / (size * size * size);
        const double thin = volume < THIN ? THIN_PULL * (1 - volume / THIN) : 0, pull = (3e-3 + thin) * size;
        rows_toward(&r, pull, v3(0, 0, 0));
        for (int c = 0; c < 3; c++) (void)rows_solve(&r, right[c], &d->field.gradient[i][c]);
        if (thin > 0) close_gradient(&r, pull, d->field.gradient[i]);
    }
}

/* ---- Voronoi vertices ---- */

/* A tetrahedron at the walls: its real sites, and which axes are mirrored in it or whole of images. */
typedef struct {
    uint8_t turned; /* axes along which some site is an image */
    uint8_t beyond; /* axes along which all off the wall are: its velocity is the mirrored one */
    uint8_t wet;    /* axes along which liquid is at the wall: its image, or a liquid site in the wall */
    int real, liquid;
    bool images;
} tet_kind;

static tet_kind kind_of(const brochu_diagram *d, const uint32_t *v)
{
    tet_kind k = {0};
    for (int i = 0; i < 4; i++) {
        const uint32_t r = d->sites.of[v[i]];
        k.real += site_real(d, v[i]);
        k.images |= !site_real(d, v[i]);
        k.turned |= d->sites.turned[v[i]];
        if (!site_real(d, r) || !d->sites.liquid[r]) continue;
        k.liquid++;
        k.wet |= d->sites.turned[v[i]];
        for (int axis = 0; axis < 3; axis++)
            if (d->sites.wall[r] >> (2 * axis) & 3) k.wet |= (uint8_t)(1 << axis);
    }
    for (int axis = 0; axis < 3; axis++) {
        bool inside = false;
        for (int i = 0; i < 4; i++) {
            const uint32_t r = d->sites.of[v[i]];
            if (!(d->sites.turned[v[i]] >> axis & 1) && site_real(d, r) &&
                !(d->sites.wall[r] >> (2 * axis) & 3))
                inside = true;
        }
        if (k.turned >> axis & 1 && !inside) k.beyond |= (uint8_t)(1 << axis);
    }
    return k;
}

/* A vertex seen from the real side of the walls. */
static rill_vec3 folded(const brochu *s, rill_vec3 x, uint8_t axes)
{
    for (int k = 0; k < 3; k++) {
        if (!(axes >> k & 1)) continue;
        const double lo = v3_axis(s->box.min, k), hi = v3_axis(s->box.max, k), at = v3_axis(x, k);
        v3_set_axis(&x, k, at < lo ? 2 * lo - at : at > hi ? 2 * hi - at : at);
    }
    return x;
}

/* The sites' own velocities and gradients, brought to x. */
static rill_vec3 sites_mean(const brochu_diagram *d, const uint32_t *v, int liquid, rill_vec3 x,
                            rill_vec3 g[3])
{
    rill_vec3 mean = {0};
    for (int c = 0; c < 3; c++) g[c] = v3(0, 0, 0);
    for (int i = 0; i < 4; i++) {
        const uint32_t r = d->sites.of[v[i]];
        if (!site_real(d, r) || !d->sites.liquid[r]) continue;
        const rill_vec3 way = v3_sub(x, d->sites.x[r]);
        /* The centre of a flat tetrahedron may be anywhere. */
        const double far = v3_length(way), most = (liquid < 4 ? 1 : 2) * d->sites.reach[r];
        const rill_vec3 change =
            v3_scale(gradient_along(d->field.gradient[r], way), far > most ? most / far : 1);
        mean = v3_madd(mean, 1.0 / liquid, v3_add(d->field.fit[r], change));
        for (int c = 0; c < 3; c++) g[c] = v3_madd(g[c], 1.0 / liquid, d->field.gradient[r][c]);
    }
    return mean;
}

/* Returns how far the row is from the sites' mean. */
static double add_face(const brochu_diagram *d, brochu_rows *r, uint32_t face, rill_vec3 x,
                       const rill_vec3 g[3], rill_vec3 mean)
{
    const brochu_faces *f = &d->faces;
    if (face == SITE_NONE || !f->valid[face]) return 0;
    const rill_vec3 change = gradient_along(g, v3_sub(x, f->centroid[face]));
    const double speed = f->speed[face] + v3_dot(f->normal[face], change);
    rows_add(r, f->normal[face], 1, speed);
    return fabs(speed - v3_dot(f->normal[face], mean));
}

static void vertex_fit(const job *j, uint32_t t)
{
    brochu_diagram *d = j->d;
    const uint32_t *v = d->tets.tet[t].v;
    const tet_kind k = kind_of(d, v);
    d->field.vertex[t] = v3(0, 0, 0);
    d->field.known[t] = 0;
    if (!k.real || !k.liquid) return;
    const rill_vec3 x = folded(j->s, d->centre[t], k.turned);
    rill_vec3 g[3], mean = sites_mean(d, v, k.liquid, x, g);
    brochu_rows r = {0};
    double apart = 0; /* of a row from the mean */
    if (!k.images)
        for (int e = 0; e < 6; e++) apart = fmax(apart, add_face(d, &r, d->tet_face[t][e], x, g, mean));
    else
        for (int a = 0; a < 4; a++)
            for (int b = a + 1; b < 4; b++) {
                const uint32_t p = d->sites.of[v[a]], q = d->sites.of[v[b]];
                if (p != q && site_real(d, p) && site_real(d, q))
                    apart = fmax(apart, add_face(d, &r, brochu_find_face(d, p, q), x, g, mean));
            }
    for (int axis = 0; axis < 3; axis++) { /* with air at the wall the liquid does not feel it */
        if (!((k.turned & ~k.beyond & k.wet) >> axis & 1)) continue;
        rill_vec3 n = {0};
        v3_set_axis(&n, axis, 1);
        rows_add(&r, n, WALL_ROW, 0);
        v3_set_axis(&mean, axis, 0);
    }
    const double size = rows_mean(&r);
    if (!(size > 0)) return;
    const double volume = rows_det(&r) / (size * size * size);
    if (volume < FLAT) rows_toward(&r, FLAT_PULL * size * (1 - volume / FLAT), mean);
    rill_vec3 u;
    if (!rows_solve(&r, r.right, &u)) u = mean;
    d->field.vertex[t] = turned(v3_add(mean, bounded(v3_sub(u, mean), apart)), k.beyond);
    d->field.known[t] = 1;
}

static void vertex_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (uint32_t t = (uint32_t)begin; t < end; t++) vertex_fit(arg, t);
}

rill_status brochu_fit(brochu *s, brochu_diagram *d)
{
    rill_ctx *ctx = s->sim.ctx;
    brochu_field *u = &d->field;
    job j = {s, d, s->def.interpolant == BROCHU_LINEAR};
    TRY(ARENA_NEW(&d->arena, u->fit, d->sites.real));
    TRY(ARENA_NEW(&d->arena, u->gradient, d->sites.real));
    TRY(ARENA_NEW(&d->arena, u->site, d->sites.real));
    TRY(ARENA_NEW(&d->arena, u->vertex, d->tet_count));
    TRY(ARENA_NEW(&d->arena, u->known, d->tet_count));
    TRY(ARENA_NEW(&d->arena, u->face, d->faces.count));
    for (uint32_t i = 0; i < d->sites.real; i++)
        for (int c = 0; c < 3; c++) u->gradient[i][c] = v3(0, 0, 0);
    parallel_for(ctx, d->sites.real, BROCHU_BLOCK, cell_block, &j);
    if (j.linear) {
        parallel_for(ctx, d->sites.real, BROCHU_BLOCK, gradient_block, &j);
        parallel_for(ctx, d->sites.real, BROCHU_BLOCK, cell_block, &j);
    }
    parallel_for(ctx, d->tet_count, 512, vertex_block, &j);
    return RILL_OK;
}
