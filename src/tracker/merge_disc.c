#include "tracker/merge.h"

static rill_status add(merging *m, int which, uint32_t triangle)
{
    disc *d = &m->disc[which - 1];
    TRY(mem_grow(m->t->ctx, &d->triangle, sizeof *d->triangle, &d->room, d->count + 1));
    d->triangle[d->count++] = triangle;
    m->side[triangle] = (uint8_t)which;
    for (int i = 0; i < 3; i++) m->owner[m->t->mesh.triangle[triangle][i]] = (uint8_t)which;
    return RILL_OK;
}

/* Whether the triangle faces something with all its corners, and adding it leaves a disc: it shares one edge
 * and brings a new vertex, or it shares two. */
static bool can_add(const merging *m, int which, uint32_t triangle)
{
    const tmesh *mesh = &m->t->mesh;
    const uint32_t *v = mesh->triangle[triangle];
    int edges = 0;
    bool fresh = false, near = false;
    if (m->side[triangle]) return false;
    for (uint32_t k = 0; k < 3; k++) {
        if (m->owner[v[k]] && m->owner[v[k]] != which) return false;
        near |= m->mate[v[k]] != TMESH_NONE;
        const bool shared = m->side[mesh->opposite[3 * triangle + k] / 3] == which;
        edges += shared;
        if (shared) fresh = m->owner[v[k]] != which; /* the corner across from a shared edge */
    }
    return near && (edges == 2 || (edges == 1 && fresh));
}

static rill_status grow(merging *m, int which, int rings)
{
    const tmesh *mesh = &m->t->mesh;
    disc *d = &m->disc[which - 1];
    size_t begin = 0;
    for (int ring = 0; ring < rings; ring++) {
        const size_t end = d->count;
        for (int pass = 0; pass < 2; pass++) /* the second adds what now shares two edges */
            for (size_t i = pass ? 0 : begin; i < (pass ? d->count : end); i++)
                for (uint32_t k = 0; k < 3; k++) {
                    const uint32_t next = mesh->opposite[3 * d->triangle[i] + k] / 3;
                    if (can_add(m, which, next)) {
                        if (pass == 1) { /* only such: the rings stay rings */
                            int edges = 0;
                            for (uint32_t j = 0; j < 3; j++)
                                edges += m->side[mesh->opposite[3 * next + j] / 3] == which;
                            if (edges < 2) continue;
                        }
                        TRY(add(m, which, next));
                    }
                }
        if (d->count == end) break;
        begin = end;
    }
    return RILL_OK;
}

/* The rim, walked from one of its edges; false when it is too long. */
static bool walk_rim(merging *m, int which)
{
    const tmesh *mesh = &m->t->mesh;
    disc *d = &m->disc[which - 1];
    uint32_t first = TMESH_NONE;
    for (size_t i = 0; i < d->count && first == TMESH_NONE; i++)
        for (uint32_t c = 3 * d->triangle[i]; c < 3 * d->triangle[i] + 3; c++)
            if (m->side[mesh->opposite[c] / 3] != which) {
                first = c;
                break;
            }
    d->rims = 0;
    if (first == TMESH_NONE) return false; /* a closed part: it has no rim */
    uint32_t c = first;
    do {
        if (d->rims == RIM_MOST) return false;
        d->rim[d->rims] = corner_vertex(mesh, corner_next(c));
        d->rim_corner[d->rims++] = c;
        /* On to the edge that leaves the end of this one: around that vertex, inside the disc. */
        c = corner_next(c);
        while (m->side[mesh->opposite[c] / 3] == which) c = corner_next(mesh->opposite[c]);
    } while (c != first);
    return true;
}

rill_status merge_disc(merging *m, int which, uint32_t v, int rings, bool *usable)
{
    const tmesh *mesh = &m->t->mesh;
    disc *d = &m->disc[which - 1];
    *usable = false;
    d->count = 0;
    uint32_t c = mesh->corner[v];
    do {
        const uint32_t *u = mesh->triangle[c / 3];
        for (int k = 0; k < 3; k++)
            if (m->owner[u[k]] && m->owner[u[k]] != which) return RILL_OK;
        TRY(add(m, which, c / 3));
        c = corner_swing(mesh, c);
    } while (c != mesh->corner[v]);
    TRY(grow(m, which, rings));
    *usable = walk_rim(m, which);
    return RILL_OK;
}

void merge_forget(merging *m)
{
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < m->disc[k].count; i++) {
            const uint32_t t = m->disc[k].triangle[i];
            m->side[t] = 0;
            if (!tmesh_triangle_live(&m->t->mesh, t)) continue;
            for (int j = 0; j < 3; j++) m->owner[m->t->mesh.triangle[t][j]] = 0;
        }
        m->disc[k].count = 0;
    }
}
