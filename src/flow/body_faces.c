#include "flow/body_faces.h"

#include "base/union_find.h"

#include <math.h>

/* Of one body, or of one body in one part of the fluid. */
typedef struct {
    double motion[BODY_FREEDOMS]; /* sum over the faces */
    double area;                  /* sum of the sizes */
} face_sum;

static double missing(const face_sum *s)
{
    return v3_length(v3(s->motion[0], s->motion[1], s->motion[2]));
}

static uint32_t body_of(const fv_mesh *m, uint32_t face)
{
    const fv_boundary *b = &m->boundary[face - m->inner_count];
    return b->kind == FV_BODY ? b->body : UINT32_MAX;
}

static void whole_motion(const body_faces *b, uint32_t face, double motion[BODY_FREEDOMS])
{
    const fv_face *f = &b->mesh->face[face];
    const rill_vec3 moment = v3_cross(v3_sub(f->centroid, b->body[body_of(b->mesh, face)].center), f->area);
    for (int k = 0; k < 3; k++) {
        motion[k] = v3_axis(f->area, k);
        motion[3 + k] = v3_axis(moment, k);
    }
}

/* part_of NULL: all cells are one part. */
static void add_faces(const body_faces *b, const uint32_t *part_of, uint32_t parts, face_sum *sum)
{
    const fv_mesh *m = b->mesh;
    for (uint32_t k = m->inner_count; k < m->face_count; k++) {
        const uint32_t body = body_of(m, k);
        if (body == UINT32_MAX) continue;
        face_sum *s = &sum[(size_t)body * parts + (part_of ? part_of[m->face[k].a] : 0)];
        double motion[BODY_FREEDOMS];
        whole_motion(b, k, motion);
        for (int c = 0; c < BODY_FREEDOMS; c++) s->motion[c] += motion[c];
        s->area += v3_length(m->face[k].area);
    }
}

/* Whether the faces of some body are not closed. */
static rill_status anything_missing(rill_ctx *ctx, const body_faces *b, uint32_t count, bool *found)
{
    face_sum *sum;
    *found = false;
    TRY(MEM_NEW_ZERO(ctx, sum, count));
    add_faces(b, NULL, 1, sum);
    for (uint32_t i = 0; i < count; i++) *found |= missing(&sum[i]) > 1e-9 * sum[i].area;
    mem_free(ctx, sum);
    return RILL_OK;
}

static rill_status find_patches(rill_ctx *ctx, uint32_t count, body_faces *b)
{
    const fv_mesh *m = b->mesh;
    face_sum *sum = NULL;
    bool *open = NULL;
    const size_t pairs = (size_t)count * b->parts;
    rill_status st = MEM_NEW_ZERO(ctx, b->patch, pairs);
    if (!st) st = MEM_NEW_ZERO(ctx, sum, pairs);
    if (!st) st = MEM_NEW_ZERO(ctx, open, b->parts);
    if (!st) {
        add_faces(b, b->part_of, b->parts, sum);
        for (uint32_t k = m->inner_count; k < m->face_count; k++)
            if (m->boundary[k - m->inner_count].kind == FV_SURFACE) open[b->part_of[m->face[k].a]] = true;
    }
    for (size_t i = 0; !st && i < pairs; i++) {
        if (open[i % b->parts] || !(missing(&sum[i]) < BODY_PATCH * sum[i].area)) continue;
        for (int c = 0; c < BODY_FREEDOMS; c++) b->patch[i][c] = sum[i].motion[c] / sum[i].area;
    }
    mem_free(ctx, sum);
    mem_free(ctx, open);
    return st;
}

rill_status body_faces_find(rill_ctx *ctx, const fv_mesh *mesh, const rigid_body *body, uint32_t count,
                            body_faces *out)
{
    body_faces b = {.mesh = mesh, .body = body};
    bool found = false;
    rill_status st = count ? anything_missing(ctx, &b, count, &found) : RILL_OK;
    if (!st && found) st = MEM_NEW(ctx, b.part_of, mesh->cell_count);
    if (!st && found) {
        union_find_init(b.part_of, mesh->cell_count);
        for (uint32_t k = 0; k < mesh->inner_count; k++)
            (void)union_find_join(b.part_of, mesh->face[k].a, mesh->face[k].b);
        b.parts = union_find_number(b.part_of, mesh->cell_count);
        st = find_patches(ctx, count, &b);
    }
    if (st)
        body_faces_clear(ctx, &b);
    else
        *out = b;
    return st;
}

void body_faces_clear(rill_ctx *ctx, body_faces *b)
{
    mem_free(ctx, b->part_of);
    mem_free(ctx, b->patch);
    *b = (body_faces){0};
}

void body_face_motion(const body_faces *b, uint32_t face, double motion[BODY_FREEDOMS])
{
    whole_motion(b, face, motion);
    if (!b->patch) return;
    const fv_face *f = &b->mesh->face[face];
    const double *patch = b->patch[(size_t)body_of(b->mesh, face) * b->parts + b->part_of[f->a]];
    for (int c = 0; c < BODY_FREEDOMS; c++) motion[c] -= v3_length(f->area) * patch[c];
}

double body_face_flux(const body_faces *b, uint32_t face)
{
    double through[BODY_FREEDOMS], motion[BODY_FREEDOMS], sum = 0;
    body_face_motion(b, face, through);
    rigid_body_motion(&b->body[body_of(b->mesh, face)], motion);
    for (int c = 0; c < BODY_FREEDOMS; c++) sum += through[c] * motion[c];
    return sum;
}
