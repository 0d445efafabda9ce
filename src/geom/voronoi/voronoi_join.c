/* A face belongs to the cell with the smaller id. The other cell looks for itself among the
 * owner's neighbours. Where only one of the two has seen the other the face is of the size
 * of rounding; it is left out, so that every remaining face is in the lists of both its cells. */
#include "geom/voronoi/voronoi_join.h"

#include <string.h>

typedef struct {
    voronoi *v;
    const voronoi_place *place;
    uint8_t *seen; /* per face: by its other cell */
} join;

/* Links to smaller cells become faces; UINT32_MAX where there is none. */
static double find_block(void *arg, size_t begin, size_t end)
{
    const join *j = arg;
    voronoi *v = j->v;
    uint32_t missing = 0;
    for (size_t k = begin; k < end; k++) {
        const voronoi_place self = j->place[k];
        for (uint32_t e = self.owned; e < self.faces; e++) {
            const voronoi_place other = j->place[v->link[self.begin + e]];
            const uint32_t *list = v->link + other.begin;
            uint32_t at = 0;
            while (at < other.owned && list[at] != k) at++;
            if (at < other.owned) {
                v->link[self.begin + e] = other.face + at;
                j->seen[other.face + at] = 1;
            } else {
                v->link[self.begin + e] = UINT32_MAX;
                missing++;
            }
        }
    }
    return missing;
}

/* Links a cell to its own faces; returns how many of these the other cell lacks. */
static double own_block(void *arg, size_t begin, size_t end)
{
    const join *j = arg;
    uint32_t unseen = 0;
    for (size_t k = begin; k < end; k++) {
        const voronoi_place self = j->place[k];
        uint32_t *link = j->v->link + self.begin;
        for (uint32_t e = 0; e < self.owned; e++) {
            unseen += voronoi_is_cell(link[e]) && !j->seen[self.face + e];
            link[e] = self.face + e;
        }
    }
    return unseen;
}

/* Takes the faces out that are not seen from both sides. Rare, so plain. */
static rill_status leave_out(join *j)
{
    voronoi *v = j->v;
    uint32_t *place, faces = 0;
    TRY(ARENA_NEW(&v->scratch, place, (size_t)v->face_count + 1));
    for (uint32_t f = 0; f < v->face_count; f++) {
        const bool keep = !voronoi_is_cell(v->face[f].b) || j->seen[f];
        place[f] = keep ? faces : UINT32_MAX;
        if (keep)
            v->face[faces++] = v->face[f]; /* corners stay where they are */
        else
            v->one_sided_area = fmax(v->one_sided_area, v3_length(v->face[f].area));
    }
    v->face_count = faces;
    for (uint32_t i = 0; i < v->count; i++) {
        voronoi_cell *c = &v->cell[i];
        uint32_t n = 0;
        for (uint32_t e = 0; e < c->faces; e++) {
            const uint32_t f = v->link[c->begin + e];
            if (f != UINT32_MAX && place[f] != UINT32_MAX) v->link[c->begin + n++] = place[f];
        }
        c->faces = n;
        if (n == 0) c->volume = 0; /* no neighbour has a face with it */
    }
    return RILL_OK;
}

rill_status voronoi_join(voronoi *v, const bins *b, const voronoi_place *place)
{
    join j = {.v = v, .place = place};
    TRY(ARENA_NEW(&v->scratch, j.seen, v->face_count));
    memset(j.seen, 0, v->face_count);
    const double missing = parallel_sum(v->ctx, b->count, find_block, &j);
    const double unseen = parallel_sum(v->ctx, b->count, own_block, &j);
    v->one_sided = (uint32_t)(missing + unseen);
    return v->one_sided ? leave_out(&j) : RILL_OK;
}
