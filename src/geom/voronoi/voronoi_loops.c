#include "geom/voronoi/voronoi_loops.h"

#include <string.h>

static double distance2(const voronoi *v, uint32_t p, uint32_t q)
{
    const rill_vec3 d = v3_sub(v->vertex[p], v->vertex[q]);
    return v3_dot(d, d);
}

void loops_find(const voronoi *v, loop_scratch *scratch)
{
    const uint32_t n = scratch->chords;
    memset(scratch->taken, 0, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t best = UINT32_MAX;
        double least = INFINITY;
        for (uint32_t j = 0; j < n; j++) {
            if (scratch->taken[j]) continue;
            const double d = distance2(v, scratch->chord[i].end, scratch->chord[j].start);
            if (best == UINT32_MAX || d < least) best = j, least = d;
        }
        scratch->next[i] = best;
        scratch->taken[best] = 1;
    }
    scratch->loops = 0;
    memset(scratch->taken, 0, n);
    for (uint32_t i = 0; i < n; i++) {
        if (scratch->taken[i]) continue;
        scratch->loops++;
        for (uint32_t j = i; !scratch->taken[j]; j = scratch->next[j]) scratch->taken[j] = 1;
    }
}

uint32_t loops_write(voronoi *v, loop_scratch *scratch, uint32_t cell, uint32_t kind, uint32_t first,
                     uint32_t corner)
{
    uint32_t n = 0;
    memset(scratch->taken, 0, scratch->chords);
    for (uint32_t i = 0; i < scratch->chords; i++) {
        if (scratch->taken[i]) continue;
        voronoi_face *f = &v->face[first + n++];
        *f = (voronoi_face){.a = cell, .b = kind, .first = corner};
        rill_vec3 sum = {0, 0, 0};
        for (uint32_t j = i; !scratch->taken[j]; j = scratch->next[j]) {
            scratch->taken[j] = 1;
            v->corner[corner++] = scratch->chord[j].start;
            sum = v3_add(sum, v->vertex[scratch->chord[j].start]);
            f->count++;
        }
        f->centroid = v3_scale(sum, 1.0 / f->count);
        for (uint32_t e = 0; e < f->count; e++) {
            const rill_vec3 p = v3_sub(v->vertex[v->corner[f->first + e]], f->centroid);
            const rill_vec3 q = v3_sub(v->vertex[v->corner[f->first + (e + 1) % f->count]], f->centroid);
            f->area = v3_madd(f->area, 0.5, v3_cross(p, q));
        }
    }
    return n;
}
