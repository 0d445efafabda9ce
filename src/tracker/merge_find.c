#include "base/parallel.h"
#include "tracker/merge.h"
#include "tracker/quality.h"

typedef struct {
    const tmesh *m;
    uint32_t v, mate;
    rill_vec3 x, normal;
    double square; /* of the distance so far */
} facing;

/* Across air: each lies in front of the other, and they look at each other. */
static void look(void *arg, uint32_t triangle)
{
    facing *f = arg;
    const uint32_t *u = f->m->triangle[triangle];
    if (u[0] == f->v || u[1] == f->v || u[2] == f->v) return;
    const rill_vec3 n = tmesh_area2(f->m, triangle);
    if (!(v3_dot(n, f->normal) < -0.3 * v3_length(n))) return;
    const rill_vec3 x[4] = {f->x, f->m->x[u[0]], f->m->x[u[1]], f->m->x[u[2]]};
    rill_vec3 between; /* from the triangle to the vertex */
    double weight[4];
    const double square = gap_closest(x, false, &between, weight);
    if (!(square < f->square) || !(v3_dot(between, f->normal) < 0) || !(v3_dot(between, n) > 0)) return;
    f->square = square;
    f->mate = triangle;
}

rill_vec3 merge_normal(const tmesh *m, uint32_t v)
{
    rill_vec3 sum = {0};
    uint32_t c = m->corner[v];
    do {
        sum = v3_add(sum, tmesh_area2(m, c / 3));
        c = corner_swing(m, c);
    } while (c != m->corner[v]);
    return v3_unit(sum);
}

uint32_t merge_mate(const tracker *t, uint32_t v, double reach, float *distance)
{
    facing f = {.m = &t->mesh,
                .v = v,
                .mate = TMESH_NONE,
                .x = t->mesh.x[v],
                .normal = merge_normal(&t->mesh, v),
                .square = reach * reach};
    const boxes_range range =
        boxes_range_of(&t->boxes, v3_sub(f.x, v3(reach, reach, reach)), v3_add(f.x, v3(reach, reach, reach)));
    boxes_query(&t->boxes, &range, look, &f);
    if (distance) *distance = (float)sqrt(f.square);
    return f.mate;
}

static void find_block(void *arg, size_t begin, size_t end, int worker)
{
    merging *g = arg;
    const tracker *t = g->t;
    (void)worker;
    for (uint32_t v = (uint32_t)begin; v < end; v++)
        g->mate[v] =
            tmesh_vertex_live(&t->mesh, v) ? merge_mate(t, v, g->reach, &g->distance[v]) : TMESH_NONE;
}

void merge_find(merging *m)
{
    parallel_for(m->t->ctx, m->t->mesh.vertices, 256, find_block, m);
}
