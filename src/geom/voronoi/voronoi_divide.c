/* Whether a solid divides a cell into parts that do not hang together.
 *
 * What is kept of a cell hangs together along the kept edges of its faces, and across faces whose kept
 * corners are parted only along their outline. Faces of different owners have their own
 * copies of a vertex: they are one when their places are. */
#include "geom/voronoi/voronoi_cut.h"

#include "base/union_find.h"

enum { MOST = 384 }; /* kept corners of a cell; one with more is taken to be whole */
#define SAME 1e-9    /* of the cell's size: copies of a vertex */

typedef struct {
    rill_vec3 x[MOST];
    uint32_t parent[MOST]; /* base/union_find.h */
    uint32_t n;
} corners;

/* One face's corners: neighbours along its outline hang together; all of them when what cuts the face is
 * not there between its crossings, as in voronoi_cut.c. */
static bool add_face(const voronoi *v, const voronoi_clip_def *def, const double *value,
                     const voronoi_face *f, corners *c)
{
    const uint32_t begin = c->n;
    bool before = false, first = false;
    uint32_t runs = 0, gone = 0;
    rill_vec3 sum = {0, 0, 0};
    for (uint32_t e = 0; e < f->count; e++) {
        const uint32_t p = v->corner[f->first + e];
        const bool kept = value[p] > 0;
        if (!kept) {
            sum = v3_add(sum, v->vertex[p]);
            gone++;
        }
        if (kept) {
            if (c->n == MOST) return false;
            c->x[c->n] = v->vertex[p];
            c->parent[c->n] = c->n;
            if (before) union_find_join(c->parent, c->n, c->n - 1);
            if (!before) runs++;
            c->n++;
        }
        if (e == 0) first = kept;
        before = kept;
    }
    if (first && before && c->n > begin + 1) {
        if (runs > 1) runs--;
        union_find_join(c->parent, begin, c->n - 1);
    }
    double middle;
    if (runs < 2) return true;
    const rill_vec3 x = v3_scale(sum, 1.0 / gone);
    def->value(def->user, &f->a, &x, 1, &middle);
    for (uint32_t i = begin + 1; i < c->n && middle > 0; i++) union_find_join(c->parent, i, begin);
    return true;
}

bool cut_divides(const voronoi *v, const voronoi_clip_def *def, const double *value, uint32_t cell)
{
    const voronoi_cell *k = &v->cell[cell];
    corners c; /* large: only its used part is ever written */
    double size = 0;
    bool cut = false;
    for (uint32_t e = 0; e < k->faces && !cut; e++) { /* most cells are nowhere near */
        const voronoi_face *f = &v->face[v->link[k->begin + e]];
        for (uint32_t i = 0; i < f->count && !cut; i++) cut = !(value[v->corner[f->first + i]] > 0);
    }
    if (!cut) return false;
    c.n = 0;
    for (uint32_t e = 0; e < k->faces; e++)
        if (!add_face(v, def, value, &v->face[v->link[k->begin + e]], &c)) return false;
    for (uint32_t i = 0; i < c.n; i++) size = fmax(size, v3_distance(c.x[i], def->site[cell]));
    for (uint32_t i = 0; i < c.n; i++)
        for (uint32_t j = 0; j < i; j++)
            if (v3_distance(c.x[i], c.x[j]) <= SAME * size) union_find_join(c.parent, i, j);
    for (uint32_t i = 1; i < c.n; i++)
        if (union_find_root(c.parent, i) != union_find_root(c.parent, 0)) return true;
    return false;
}
