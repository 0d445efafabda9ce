/* V-02: Poisson's equation on Voronoi cells, by the projection's matrix: orders of
 * convergence over three resolutions, of the pressure and of its slope across faces.
 *
 * (a) a box with closed walls, p = cos 2 pi x cos 2 pi y cos 2 pi z;
 * (b) a ball with p = 0 on it (free surface, ghost fluid), p = R^2 - r^2;
 * (c) a ball of walls with given flux, p = e^x cos y, its faces open in part.
 * Negative control: (b) without the ghost-fluid fraction must be of first order. */
#include "base/random.h"
#include "flow/projection.h"
#include "geom/voronoi/voronoi.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEVELS = 3 };
static const double radius = 0.3;
static const rill_vec3 center = {0.5, 0.5, 0.5};

typedef enum { RANDOM_SITES, BCC_SITES } sites_kind;
typedef enum { CLOSED_BOX, SURFACE_BALL, STAIRS_BALL, WALL_BALL } problem_kind;

/* ---- sites ---- */

static double unit_random(uint64_t i, uint32_t k)
{
    const random4 r = random_at(11, i, k, 0);
    return random_unit(r.v[0], r.v[1]);
}

/* About one site in h^3, at random but not in heaps: one in each cube, anywhere in it. */
static uint32_t random_sites(int n, rill_vec3 *x)
{
    uint32_t count = 0;
    const double h = 1.0 / n;
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++, count++)
                x[count] = v3((i + unit_random(count, 0)) * h, (j + unit_random(count, 1)) * h,
                              (k + unit_random(count, 2)) * h);
    return count;
}

/* Two cubic lattices of 2^(1/3) h, one in the middles of the other, shaken by a hundredth. */
static uint32_t bcc_sites(int n, rill_vec3 *x)
{
    uint32_t count = 0;
    const int m = (int)round(n / cbrt(2));
    const double h = 1.0 / m;
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < m; k++)
            for (int j = 0; j < m; j++)
                for (int i = 0; i < m; i++, count++)
                    x[count] = v3((i + 0.25 + 0.5 * s + 0.01 * (unit_random(count, 0) - 0.5)) * h,
                                  (j + 0.25 + 0.5 * s + 0.01 * (unit_random(count, 1) - 0.5)) * h,
                                  (k + 0.25 + 0.5 * s + 0.01 * (unit_random(count, 2) - 0.5)) * h);
    return count;
}

/* ---- what is exact ---- */

static double ball(rill_vec3 x)
{
    return v3_distance(x, center) - radius;
}

static double exact_p(problem_kind kind, rill_vec3 x)
{
    const rill_vec3 d = v3_sub(x, center);
    if (kind == CLOSED_BOX) return cos(2 * M_PI * x.x) * cos(2 * M_PI * x.y) * cos(2 * M_PI * x.z);
    return kind == WALL_BALL ? exp(d.x) * cos(d.y) : radius * radius - v3_dot(d, d);
}

static rill_vec3 exact_slope(problem_kind kind, rill_vec3 x)
{
    const rill_vec3 d = v3_sub(x, center);
    const double t = 2 * M_PI;
    if (kind == CLOSED_BOX)
        return v3(-t * sin(t * x.x) * cos(t * x.y) * cos(t * x.z),
                  -t * cos(t * x.x) * sin(t * x.y) * cos(t * x.z),
                  -t * cos(t * x.x) * cos(t * x.y) * sin(t * x.z));
    return kind == WALL_BALL ? v3(exp(d.x) * cos(d.y), -exp(d.x) * sin(d.y), 0) : v3_scale(d, -2);
}

/* Minus the Laplacian. */
static double source(problem_kind kind, rill_vec3 x)
{
    return kind == CLOSED_BOX ? 12 * M_PI * M_PI * exact_p(kind, x) : kind == WALL_BALL ? 0 : 6;
}

/* ---- the mesh of a problem ---- */

typedef struct {
    problem_kind kind;
    const voronoi *v;
    const rill_vec3 *x;
    uint32_t *row; /* cell of the mesh, FV_NONE: not in the problem */
    fv_mesh mesh;
    double *right;
} problem;

typedef struct {
    double fraction;
    rill_vec3 area, centroid; /* of the part inside the ball */
} part;

/* The polygon's part where the ball's distance, linear along its edges, is negative. */
static part part_inside(const voronoi *v, const voronoi_face *f)
{
    rill_vec3 corner[128];
    int n = 0;
    for (uint32_t k = 0; k < f->count && n < 126; k++) {
        const rill_vec3 a = v->vertex[v->corner[f->first + k]],
                        b = v->vertex[v->corner[f->first + (k + 1) % f->count]];
        const double s = ball(a), t = ball(b);
        if (s < 0) corner[n++] = a;
        if ((s < 0) != (t < 0)) corner[n++] = v3_madd(a, s / (s - t), v3_sub(b, a));
    }
    part p = {0, {0, 0, 0}, f->centroid};
    rill_vec3 sum = {0, 0, 0};
    double size = 0;
    for (int k = 1; k + 1 < n; k++) {
        const rill_vec3 t =
            v3_scale(v3_cross(v3_sub(corner[k], corner[0]), v3_sub(corner[k + 1], corner[0])), 0.5);
        const double w = v3_dot(t, v3_unit(f->area));
        p.area = v3_add(p.area, t);
        sum = v3_madd(sum, w / 3, v3_add(corner[0], v3_add(corner[k], corner[k + 1])));
        size += w;
    }
    if (size > 0) p.centroid = v3_scale(sum, 1 / size);
    p.fraction = fmin(1, fmax(0, size / v3_length(f->area)));
    return p;
}

/* A cell is in: always in the box; under the surface when its site is; between walls when
 * any of its faces is open. */
static uint32_t number_cells(problem *p)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->v->count; i++)
        p->row[i] = p->kind == CLOSED_BOX || (p->kind != WALL_BALL && ball(p->x[i]) < 0) ? 0 : FV_NONE;
    if (p->kind == WALL_BALL)
        for (uint32_t k = 0; k < p->v->face_count; k++)
            if (voronoi_is_cell(p->v->face[k].b) && part_inside(p->v, &p->v->face[k]).fraction > 1e-6)
                p->row[p->v->face[k].a] = p->row[p->v->face[k].b] = 0;
    for (uint32_t i = 0; i < p->v->count; i++)
        if (p->row[i] == 0) p->row[i] = count++;
    return count;
}

static bool is_inner(const problem *p, const voronoi_face *f)
{
    return voronoi_is_cell(f->b) && p->row[f->a] != FV_NONE && p->row[f->b] != FV_NONE;
}

/* A face of the surface: from a cell inside to a site outside. */
static bool is_surface(const problem *p, const voronoi_face *f)
{
    return (p->kind == SURFACE_BALL || p->kind == STAIRS_BALL) && voronoi_is_cell(f->b) &&
           (p->row[f->a] == FV_NONE) != (p->row[f->b] == FV_NONE);
}

static fv_face make_face(const problem *p, const voronoi_face *f)
{
    const bool turned = p->row[f->a] == FV_NONE || (p->row[f->b < VORONOI_WALL ? f->b : f->a] < p->row[f->a]);
    const uint32_t a = turned ? f->b : f->a, b = turned ? f->a : f->b;
    fv_face out = {.a = p->row[a],
                   .b = p->row[b],
                   .area = turned ? v3_neg(f->area) : f->area,
                   .centroid = f->centroid,
                   .distance = v3_distance(p->x[a], p->x[b]),
                   .open = 1,
                   .ghost = 1};
    if (p->kind == WALL_BALL) {
        const part inside = part_inside(p->v, f);
        out.open = (float)inside.fraction;
        out.centroid = inside.centroid;
    }
    if (out.b == FV_NONE && p->kind == SURFACE_BALL)
        out.ghost = (float)(ball(p->x[a]) / (ball(p->x[a]) - ball(p->x[b])));
    return out;
}

/* What flows through the wall of each cell: its patch closes the open faces; its middle is
 * theirs, put on the ball. */
static rill_status wall_fluxes(verify *v, problem *p)
{
    rill_vec3 *area, *middle;
    double *weight;
    rill_status st = MEM_NEW_ZERO(v->ctx, area, p->mesh.cell_count);
    if (st) return st;
    st = MEM_NEW_ZERO(v->ctx, middle, p->mesh.cell_count);
    if (!st) st = MEM_NEW_ZERO(v->ctx, weight, p->mesh.cell_count);
    if (!st) {
        for (uint32_t k = 0; k < p->mesh.inner_count; k++) {
            const fv_face *f = &p->mesh.face[k];
            const double cut = f->open < 1 ? v3_length(f->area) * (1 - f->open) + 1e-9 : 0;
            for (int s = 0; s < 2; s++) {
                const uint32_t i = s ? f->b : f->a;
                area[i] = v3_madd(area[i], (s ? 1.0 : -1.0) * f->open, f->area);
                middle[i] = v3_madd(middle[i], cut, f->centroid);
                weight[i] += cut;
            }
        }
        for (uint32_t i = 0; i < p->mesh.cell_count; i++) {
            if (!(weight[i] > 0)) continue;
            const rill_vec3 d = v3_unit(v3_sub(v3_scale(middle[i], 1 / weight[i]), center));
            p->right[i] += v3_dot(area[i], exact_slope(p->kind, v3_madd(center, radius, d)));
        }
        mem_free(v->ctx, weight);
    }
    mem_free(v->ctx, area);
    mem_free(v->ctx, middle);
    return st;
}

static rill_status make_mesh(verify *v, problem *p)
{
    const uint32_t cells = number_cells(p);
    uint32_t inner = 0, surface = 0;
    for (uint32_t k = 0; k < p->v->face_count; k++) {
        inner += is_inner(p, &p->v->face[k]);
        surface += is_surface(p, &p->v->face[k]);
    }
    TRY(fv_mesh_resize(&p->mesh, cells, inner, surface));
    TRY(MEM_NEW(v->ctx, p->right, cells));
    for (uint32_t i = 0; i < p->v->count; i++) {
        if (p->row[i] == FV_NONE) continue;
        p->mesh.volume[p->row[i]] = p->v->cell[i].volume;
        p->mesh.site[p->row[i]] = p->x[i];
        p->right[p->row[i]] = p->v->cell[i].volume * source(p->kind, p->v->cell[i].centroid);
    }
    inner = 0;
    surface = 0;
    for (uint32_t k = 0; k < p->v->face_count; k++) {
        const voronoi_face *f = &p->v->face[k];
        if (is_inner(p, f)) p->mesh.face[inner++] = make_face(p, f);
        if (is_surface(p, f)) {
            p->mesh.boundary[surface] = (fv_boundary){.kind = FV_SURFACE};
            p->mesh.face[p->mesh.inner_count + surface++] = make_face(p, f);
        }
    }
    return p->kind == WALL_BALL ? wall_fluxes(v, p) : RILL_OK;
}

/* ---- errors ---- */

typedef struct {
    double l2, most, slope; /* of the pressure, relative to the largest; of the slope, l2 over the faces */
} errors;

static errors measure(const problem *p, const projection *solved, const double *q)
{
    const fv_mesh *m = &p->mesh;
    errors e = {0};
    double volume = 0, shift = 0, size = 0, slopes = 0, faces = 0;
    for (uint32_t i = 0; i < m->cell_count; i++) {
        if (p->kind == WALL_BALL && ball(m->site[i]) >= 0) continue;
        volume += m->volume[i];
        shift += m->volume[i] * (q[i] - exact_p(p->kind, m->site[i]));
    }
    shift = p->kind == CLOSED_BOX || p->kind == WALL_BALL ? shift / volume : 0;
    for (uint32_t i = 0; i < m->cell_count; i++) {
        if (p->kind == WALL_BALL && ball(m->site[i]) >= 0) continue;
        const double d = fabs(q[i] - shift - exact_p(p->kind, m->site[i]));
        e.l2 += m->volume[i] * d * d;
        e.most = fmax(e.most, d);
        size = fmax(size, fabs(exact_p(p->kind, m->site[i])));
    }
    const float *w = projection_weights(solved);
    for (uint32_t k = 0; k < m->inner_count; k++) {
        const fv_face *f = &m->face[k];
        const double area = v3_length(f->area) * f->open;
        if (!(area > 0)) continue;
        const double slope = w[k] * (q[f->b] - q[f->a]) / area,
                     exact = v3_dot(exact_slope(p->kind, f->centroid), v3_unit(f->area));
        slopes += area * f->distance * (slope - exact) * (slope - exact);
        faces += area * f->distance;
    }
    e.l2 = sqrt(e.l2 / volume) / size;
    e.most /= size;
    e.slope = sqrt(slopes / faces);
    return e;
}

static rill_status solve(verify *v, problem *p, errors *out)
{
    projection_def def = projection_def_default();
    projection *matrix = NULL;
    double *q = NULL;
    solver_report report;
    def.solver.tolerance = 1e-10;
    def.ghost_least = 1e-3;
    rill_status st = projection_create(v->ctx, &def, &matrix);
    if (!st) st = projection_prepare(matrix, &p->mesh, NULL, 0, false);
    if (!st) st = MEM_NEW_ZERO(v->ctx, q, p->mesh.cell_count);
    if (!st) {
        projection_solve_with(matrix, p->right, q, &report);
        if (report.outcome != SOLVER_CONVERGED)
            st = rill_fail(v->ctx, RILL_BLEW_UP, "the solve %s", solver_outcome_text(report.outcome));
    }
    if (!st) *out = measure(p, matrix, q);
    mem_free(v->ctx, q);
    projection_destroy(matrix);
    return st;
}

static rill_status one_problem(verify *v, problem_kind kind, const voronoi *cells, const rill_vec3 *x,
                               errors *out)
{
    problem p = {.kind = kind, .v = cells, .x = x};
    fv_mesh_init(&p.mesh, v->ctx);
    rill_status st = MEM_NEW(v->ctx, p.row, cells->count);
    if (!st) st = make_mesh(v, &p);
    if (!st) st = solve(v, &p, out);
    mem_free(v->ctx, p.row);
    mem_free(v->ctx, p.right);
    fv_mesh_clear(&p.mesh);
    return st;
}

static rill_status one_level(verify *v, sites_kind sites, int n, int problems, errors *out)
{
    rill_vec3 *x;
    voronoi cells;
    voronoi_def def = voronoi_def_default((rill_box){{0, 0, 0}, {1, 1, 1}});
    def.vertices = true;
    TRY(MEM_NEW(v->ctx, x, (size_t)2 * (size_t)n * (size_t)n * (size_t)n));
    voronoi_init(&cells, v->ctx);
    const uint32_t count = sites == BCC_SITES ? bcc_sites(n, x) : random_sites(n, x);
    rill_status st = voronoi_build(&cells, &def, x, count);
    for (int k = 0; !st && k < problems; k++) st = one_problem(v, (problem_kind)k, &cells, x, &out[k]);
    voronoi_clear(&cells);
    mem_free(v->ctx, x);
    return st;
}

/* ---- the case ---- */

static void state(verify *v, const char *sites, const char *which, const char *what, const double *h,
                  const errors *e, size_t offset, verify_kind kind, double target)
{
    double error[LEVELS];
    char name[96];
    for (int k = 0; k < LEVELS; k++) memcpy(&error[k], (const char *)&e[k] + offset, sizeof *error);
    snprintf(name, sizeof name, "%s, %s: order of %s", sites, which, what);
    verify_figure(v, name, verify_order(h, error, LEVELS), kind, target);
    snprintf(name, sizeof name, "%s, %s: %s at the finest", sites, which, what);
    verify_figure(v, name, error[LEVELS - 1], REPORT, 0);
}

static rill_status poisson(verify *v)
{
    enum { PROBLEMS = 4 };
    static const char *const sites_name[] = {"random", "bcc"};
    static const char *const problem_name[] = {"closed box", "surface", "stairs", "walls"};
    const int n[LEVELS] = {16, 32, 64}; /* coarser ones do not show the order at curved walls */
    double h[LEVELS];
    for (int k = 0; k < LEVELS; k++) h[k] = 1.0 / n[k];
    for (int s = RANDOM_SITES; s <= BCC_SITES; s++) {
        errors level[LEVELS][PROBLEMS], e[LEVELS];
        for (int k = 0; k < LEVELS; k++) TRY(one_level(v, (sites_kind)s, n[k], PROBLEMS, level[k]));
        for (int p = 0; p < PROBLEMS; p++) {
            const bool control = p == STAIRS_BALL;
            for (int k = 0; k < LEVELS; k++) e[k] = level[k][p];
            state(v, sites_name[s], problem_name[p], "pressure, l2", h, e, offsetof(errors, l2),
                  control ? AT_MOST : AT_LEAST, control ? 1.4 : 1.8);
            if (control) continue;
            state(v, sites_name[s], problem_name[p], "pressure, largest", h, e, offsetof(errors, most),
                  AT_LEAST, 1.5);
            state(v, sites_name[s], problem_name[p], "slope, l2", h, e, offsetof(errors, slope), AT_LEAST,
                  0.9);
        }
    }
    return RILL_OK;
}

const verify_case v02_cells = {"V-02-cells", "Poisson's equation on Voronoi cells", NULL, poisson};
