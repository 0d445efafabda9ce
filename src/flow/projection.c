#include "flow/projection.h"

#include "base/parallel.h"
#include "flow/body_faces.h"
#include "linalg/low_rank.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4096 };

typedef double matrix6[BODY_FREEDOMS][BODY_FREEDOMS];

typedef struct body_state {
    matrix6 root; /* of the inverse mass, with the layer of fluid */
} body_state;

struct projection {
    rill_ctx *ctx;
    projection_def def;
    const fv_mesh *mesh;
    rigid_body *body;
    uint32_t body_count;
    body_faces faces;
    float *weight; /* per face */
    laplacian matrix;
    solver *solver;
    uint32_t *start, *link; /* faces of a cell: 2 face + (0: it is a, 1: it is b), ascending */
    double *right;          /* scratch, per cell */
    low_rank coupling;
    uint32_t *group_start;
    low_rank_entry *entry;
    body_state *state; /* per body */
};

projection_def projection_def_default(void)
{
    return (projection_def){.solver = solver_def_default(), .density = 1000, .ghost_least = 0.01};
}

rill_status projection_create(rill_ctx *ctx, const projection_def *def, projection **out)
{
    projection *p;
    TRY(MEM_NEW_ZERO(ctx, p, 1));
    p->ctx = ctx;
    p->def = *def;
    const rill_status st = solver_create(ctx, &def->solver, &p->solver);
    if (st) {
        mem_free(ctx, p);
        return st;
    }
    *out = p;
    return RILL_OK;
}

static void clear_mesh(projection *p)
{
    laplacian_clear(p->ctx, &p->matrix);
    body_faces_clear(p->ctx, &p->faces);
    mem_free(p->ctx, p->weight);
    mem_free(p->ctx, p->start);
    mem_free(p->ctx, p->link);
    mem_free(p->ctx, p->right);
    mem_free(p->ctx, p->group_start);
    mem_free(p->ctx, p->entry);
    mem_free(p->ctx, p->state);
    p->mesh = NULL;
    p->weight = NULL;
    p->start = p->link = p->group_start = NULL;
    p->right = NULL;
    p->entry = NULL;
    p->state = NULL;
    p->body = NULL;
    p->body_count = 0;
}

void projection_destroy(projection *p)
{
    if (!p) return;
    clear_mesh(p);
    solver_destroy(p->solver);
    mem_free(p->ctx, p);
}

const float *projection_weights(const projection *p)
{
    return p->weight;
}

uint32_t projection_closed_count(const projection *p)
{
    return solver_singular_count(p->solver);
}

/* ---- assembly ---- */

static bool is_surface(const fv_mesh *m, uint32_t face)
{
    return face >= m->inner_count && m->boundary[face - m->inner_count].kind == FV_SURFACE;
}

static void weigh_faces(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const projection *p = arg;
    for (size_t k = begin; k < end; k++) {
        const fv_face *f = &p->mesh->face[k];
        const bool surface = is_surface(p->mesh, (uint32_t)k);
        const double ghost = surface ? fmax(f->ghost, p->def.ghost_least) : 1;
        const bool joins = surface || k < p->mesh->inner_count;
        p->weight[k] = joins ? (float)(f->open * v3_length(f->area) / (ghost * f->distance)) : 0;
    }
}

typedef struct {
    const projection *p;
    laplacian_edge *edge;
    double *extra;
} assembly;

static void fill_edges(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const assembly *s = arg;
    for (size_t k = begin; k < end; k++) {
        const fv_face *f = &s->p->mesh->face[k];
        s->edge[k] = (laplacian_edge){f->a, f->b, s->p->weight[k]};
    }
}

static rill_status assemble(projection *p)
{
    const fv_mesh *m = p->mesh;
    assembly s = {.p = p};
    rill_status st = MEM_NEW(p->ctx, p->weight, m->face_count);
    if (!st) st = MEM_NEW(p->ctx, s.edge, m->inner_count);
    if (!st) st = MEM_NEW_ZERO(p->ctx, s.extra, m->cell_count);
    if (!st) {
        parallel_for(p->ctx, m->face_count, BLOCK, weigh_faces, p);
        parallel_for(p->ctx, m->inner_count, BLOCK, fill_edges, &s);
        for (uint32_t k = m->inner_count; k < m->face_count; k++) s.extra[m->face[k].a] += p->weight[k];
        st = laplacian_build(p->ctx, m->cell_count, m->inner_count, s.edge, s.extra, &p->matrix);
    }
    mem_free(p->ctx, s.edge);
    mem_free(p->ctx, s.extra);
    return st;
}

static rill_status link_faces(projection *p)
{
    const fv_mesh *m = p->mesh;
    uint32_t *cursor;
    TRY(MEM_NEW_ZERO(p->ctx, p->start, (size_t)m->cell_count + 2));
    TRY(MEM_NEW(p->ctx, p->link, (size_t)m->face_count + m->inner_count));
    cursor = p->start + 1; /* counts, one further along; then cursors that end as starts */
    for (uint32_t k = 0; k < m->face_count; k++) {
        cursor[m->face[k].a + 1]++;
        if (k < m->inner_count) cursor[m->face[k].b + 1]++;
    }
    for (uint32_t i = 0; i < m->cell_count; i++) cursor[i + 1] += cursor[i];
    for (uint32_t k = 0; k < m->face_count; k++) {
        p->link[cursor[m->face[k].a]++] = 2 * k;
        if (k < m->inner_count) p->link[cursor[m->face[k].b]++] = 2 * k + 1;
    }
    return RILL_OK;
}

static rill_status check_mesh(projection *p, const fv_mesh *m)
{
    if (m->face_count > UINT32_MAX / 2)
        return rill_fail(p->ctx, RILL_NO_MEMORY, "a mesh of %u faces is more than fits", m->face_count);
    for (uint32_t k = m->inner_count; k < m->face_count; k++) {
        const fv_boundary *b = &m->boundary[k - m->inner_count];
        if (b->kind == FV_BODY && b->body >= p->body_count)
            return rill_fail(p->ctx, RILL_BLEW_UP, "face %u of cell %u belongs to body %u of %u", k,
                             m->face[k].a, b->body, p->body_count);
        if (!v3_finite(b->velocity) || !isfinite(b->pressure))
            return rill_fail(p->ctx, RILL_BLEW_UP, "the boundary at face %u of cell %u is not finite", k,
                             m->face[k].a);
    }
    return fv_mesh_check(m, INFINITY);
}

/* ---- bodies ---- */

static bool is_body_face(const fv_mesh *m, uint32_t face, uint32_t body)
{
    const fv_boundary *b = &m->boundary[face - m->inner_count];
    return b->kind == FV_BODY && b->body == body;
}

/* The layer's mass for a unit of flux through a body's face: density times the distance from the
 * pressure site, over the area. A site beyond the face, as flat tetrahedra have them, has none. */
static double layer_mass(const projection *p, const fv_face *f)
{
    const double area = v3_length(f->area),
                 distance = v3_dot(v3_sub(f->centroid, p->mesh->site[f->a]), f->area) / (area * area);
    return area > 0 && distance > 0 ? p->def.density * distance : 0;
}

/* Of the body with the fluid that moves with it. */
static void mass_with_layer(const projection *p, uint32_t body, matrix6 mass)
{
    const fv_mesh *m = p->mesh;
    rigid_body_mass(&p->body[body], mass);
    for (uint32_t k = m->inner_count; k < m->face_count; k++) {
        double motion[BODY_FREEDOMS];
        if (!is_body_face(m, k, body)) continue;
        body_face_motion(&p->faces, k, motion);
        const double layer = layer_mass(p, &m->face[k]);
        for (int r = 0; r < BODY_FREEDOMS; r++)
            for (int c = 0; c < BODY_FREEDOMS; c++) mass[r][c] += layer * motion[r] * motion[c];
    }
}

static int by_row(const void *a, const void *b)
{
    const low_rank_entry *x = a, *y = b;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* The vectors of one body: root^T times what flows, root(density) folded in; a cell's faces
 * become one entry. Faces come in order, so the sums are always the same. */
static uint32_t body_entries(const projection *p, uint32_t body,
                             const double root[BODY_FREEDOMS][BODY_FREEDOMS], low_rank_entry *out)
{
    const fv_mesh *m = p->mesh;
    const double scale = sqrt(p->def.density);
    uint32_t n = 0, kept = 0;
    for (uint32_t k = m->inner_count; k < m->face_count; k++) {
        if (!is_body_face(m, k, body)) continue;
        double motion[BODY_FREEDOMS];
        body_face_motion(&p->faces, k, motion);
        low_rank_entry e = {.row = m->face[k].a};
        for (int c = 0; c < BODY_FREEDOMS; c++)
            for (int r = 0; r < BODY_FREEDOMS; r++) e.v[c] += scale * root[r][c] * motion[r];
        out[n++] = e;
    }
    qsort(out, n, sizeof *out, by_row);
    for (uint32_t k = 0; k < n; k++) {
        if (kept && out[kept - 1].row == out[k].row)
            for (int c = 0; c < BODY_FREEDOMS; c++) out[kept - 1].v[c] += out[k].v[c];
        else
            out[kept++] = out[k];
    }
    return kept;
}

static rill_status couple_bodies(projection *p)
{
    const fv_mesh *m = p->mesh;
    uint32_t faces = 0;
    TRY(body_faces_find(p->ctx, m, p->body, p->body_count, &p->faces));
    for (uint32_t k = 0; k < m->face_count - m->inner_count; k++) faces += m->boundary[k].kind == FV_BODY;
    TRY(MEM_NEW(p->ctx, p->entry, faces));
    TRY(MEM_NEW(p->ctx, p->group_start, (size_t)p->body_count + 1));
    p->group_start[0] = 0;
    TRY(MEM_NEW(p->ctx, p->state, p->body_count));
    for (uint32_t b = 0; b < p->body_count; b++) {
        matrix6 mass;
        mass_with_layer(p, b, mass);
        if (!(p->body[b].mass > 0) || !rigid_body_root(&p->body[b], mass, p->state[b].root))
            return rill_fail(p->ctx, RILL_USAGE,
                             "body %u has a mass of %g or an inertia that is not positive", b,
                             p->body[b].mass);
        p->group_start[b + 1] =
            p->group_start[b] + body_entries(p, b, p->state[b].root, p->entry + p->group_start[b]);
    }
    p->coupling = (low_rank){p->body_count, p->group_start, p->entry};
    return RILL_OK;
}

rill_status projection_prepare(projection *p, const fv_mesh *mesh, rigid_body *body, uint32_t body_count,
                               bool keep)
{
    clear_mesh(p);
    p->mesh = mesh;
    p->body = body;
    p->body_count = body_count;
    rill_status st = check_mesh(p, mesh);
    if (!st) st = assemble(p);
    if (!st) st = link_faces(p);
    if (!st) st = MEM_NEW(p->ctx, p->right, mesh->cell_count);
    if (!st) st = couple_bodies(p);
    if (!st) st = solver_prepare(p->solver, &p->matrix, body_count ? &p->coupling : NULL, keep);
    if (st) clear_mesh(p);
    return st;
}

/* ---- fluxes ---- */

/* The body's motion after a push in its own freedoms. */
static void move_body(projection *p, uint32_t body, const double push[BODY_FREEDOMS], bool add)
{
    double motion[BODY_FREEDOMS] = {0};
    if (add) rigid_body_motion(&p->body[body], motion);
    for (int r = 0; r < BODY_FREEDOMS; r++)
        for (int c = 0; c < BODY_FREEDOMS; c++) motion[r] += p->state[body].root[r][c] * push[c];
    rigid_body_set_motion(&p->body[body], motion);
}

/* Body and layer become one: (M + layer) v = M v* + momentum of the layer. */
static void join_layer(projection *p, uint32_t body, const double *flux)
{
    const fv_mesh *m = p->mesh;
    matrix6 mass;
    double motion[BODY_FREEDOMS], momentum[BODY_FREEDOMS] = {0}, push[BODY_FREEDOMS] = {0};
    rigid_body_mass(&p->body[body], mass);
    rigid_body_motion(&p->body[body], motion);
    for (int r = 0; r < BODY_FREEDOMS; r++)
        for (int c = 0; c < BODY_FREEDOMS; c++) momentum[r] += mass[r][c] * motion[c];
    for (uint32_t k = m->inner_count; k < m->face_count; k++) {
        double through[BODY_FREEDOMS];
        if (!is_body_face(m, k, body)) continue;
        body_face_motion(&p->faces, k, through);
        const double layer = layer_mass(p, &m->face[k]) * flux[k];
        for (int r = 0; r < BODY_FREEDOMS; r++) momentum[r] += layer * through[r];
    }
    for (int c = 0; c < BODY_FREEDOMS; c++)
        for (int r = 0; r < BODY_FREEDOMS; r++) push[c] += p->state[body].root[r][c] * momentum[r];
    move_body(p, body, push, false);
}

void projection_boundary_flux(projection *p, double *flux)
{
    const fv_mesh *m = p->mesh;
    for (uint32_t b = 0; b < p->body_count; b++) join_layer(p, b, flux);
    for (uint32_t k = m->inner_count; k < m->face_count; k++) {
        const fv_face *f = &m->face[k];
        const fv_boundary *b = &m->boundary[k - m->inner_count];
        if (b->kind == FV_WALL) flux[k] = v3_dot(b->velocity, f->area);
        if (b->kind == FV_BODY) flux[k] = body_face_flux(&p->faces, k);
    }
}

typedef struct {
    const projection *p;
    const double *in;
    double *out, *change;
    rill_vec3 *velocity;
    double dt;
} sweep;

static void divergence_cells(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sweep *s = arg;
    for (size_t i = begin; i < end; i++) {
        double sum = 0;
        for (uint32_t k = s->p->start[i]; k < s->p->start[i + 1]; k++) {
            const uint32_t link = s->p->link[k];
            sum += link & 1 ? -s->in[link >> 1] : s->in[link >> 1];
        }
        s->out[i] = sum;
    }
}

void projection_divergence(const projection *p, const double *flux, double *out)
{
    sweep s = {.p = p, .in = flux, .out = out};
    parallel_for(p->ctx, p->mesh->cell_count, BLOCK, divergence_cells, &s);
}

/* q behind a surface face. */
static double surface_q(const projection *p, uint32_t face, double dt)
{
    return p->mesh->boundary[face - p->mesh->inner_count].pressure * dt / p->def.density;
}

void projection_solve_with(projection *p, const double *right, double *q, solver_report *report)
{
    solver_solve(p->solver, right, q, report);
}

void projection_solve(projection *p, const double *flux, double dt, double *q, solver_report *report)
{
    const fv_mesh *m = p->mesh;
    projection_divergence(p, flux, p->right);
    for (uint32_t i = 0; i < m->cell_count; i++) p->right[i] = -p->right[i];
    for (uint32_t k = m->inner_count; k < m->face_count; k++)
        if (is_surface(m, k)) p->right[m->face[k].a] += p->weight[k] * surface_q(p, k, dt);
    solver_solve(p->solver, p->right, q, report);
}

static void update_inner(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sweep *s = arg;
    for (size_t k = begin; k < end; k++) {
        const fv_face *f = &s->p->mesh->face[k];
        const double gain = s->p->weight[k] * (s->in[f->a] - s->in[f->b]);
        s->out[k] += gain;
        if (s->change) s->change[k] = gain;
    }
}

/* The impulse of the pressures, q density = p dt, on each body. */
static void push_bodies(projection *p, const double *q)
{
    for (uint32_t b = 0; b < p->body_count; b++) {
        double push[BODY_FREEDOMS] = {0};
        for (uint32_t k = p->group_start[b]; k < p->group_start[b + 1]; k++)
            for (int c = 0; c < BODY_FREEDOMS; c++)
                push[c] += sqrt(p->def.density) * p->entry[k].v[c] * q[p->entry[k].row];
        move_body(p, b, push, true);
    }
}

void projection_update(projection *p, const double *q, double dt, double *flux, double *change)
{
    const fv_mesh *m = p->mesh;
    sweep s = {.p = p, .in = q, .out = flux, .change = change};
    parallel_for(p->ctx, m->inner_count, BLOCK, update_inner, &s);
    push_bodies(p, q);
    for (uint32_t k = m->inner_count; k < m->face_count; k++) {
        const fv_face *f = &m->face[k];
        const fv_boundary *b = &m->boundary[k - m->inner_count];
        double gain = 0;
        if (b->kind == FV_SURFACE) gain = p->weight[k] * (q[f->a] - surface_q(p, k, dt));
        if (b->kind == FV_BODY) gain = body_face_flux(&p->faces, k) - flux[k];
        flux[k] += gain;
        if (change) change[k] = gain;
    }
}

void projection_body_impulse(const projection *p, uint32_t body, const double *q, const double *before,
                             const double *after, rill_vec3 *impulse, rill_vec3 *torque)
{
    const fv_mesh *m = p->mesh;
    rill_vec3 sum = {0, 0, 0}, turning = {0, 0, 0};
    for (uint32_t k = m->inner_count; k < m->face_count; k++) {
        double motion[BODY_FREEDOMS];
        if (!is_body_face(m, k, body)) continue;
        const fv_face *f = &m->face[k];
        const double push = p->def.density * q[f->a] + layer_mass(p, f) * (before[k] - after[k]);
        body_face_motion(&p->faces, k, motion);
        sum = v3_madd(sum, push, v3(motion[0], motion[1], motion[2]));
        turning = v3_madd(turning, push, v3(motion[3], motion[4], motion[5]));
    }
    *impulse = sum;
    *torque = turning;
}

static void cell_velocities(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const sweep *s = arg;
    const fv_mesh *m = s->p->mesh;
    for (size_t i = begin; i < end; i++) {
        rill_vec3 sum = v3(0, 0, 0);
        for (uint32_t k = s->p->start[i]; k < s->p->start[i + 1]; k++) {
            const uint32_t link = s->p->link[k];
            const double out = link & 1 ? -s->in[link >> 1] : s->in[link >> 1];
            sum = v3_madd(sum, out, v3_sub(m->face[link >> 1].centroid, m->site[i]));
        }
        s->velocity[i] = v3_madd(s->velocity[i], 1 / m->volume[i], sum);
    }
}

void projection_cells(const projection *p, const double *change, rill_vec3 *velocity)
{
    sweep s = {.p = p, .in = change, .velocity = velocity};
    parallel_for(p->ctx, p->mesh->cell_count, BLOCK, cell_velocities, &s);
}

typedef struct {
    const double *advected, *projected;
    double *out;
} reflection;

static void reflect_some(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const reflection *r = arg;
    for (size_t i = begin; i < end; i++) r->out[i] = 2 * r->projected[i] - r->advected[i];
}

void projection_reflect(rill_ctx *ctx, size_t count, const double *advected, const double *projected,
                        double *out)
{
    reflection r = {advected, projected, out};
    parallel_for(ctx, count, BLOCK, reflect_some, &r);
}
