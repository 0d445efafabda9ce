/* Which film a vertex is a side of. A film is air between two sheets that are nearer than FILM edges, and the
 * seams where they are joined already: its vertices are connected on the surface, and have one number. Sheets
 * of one film are never joined a second time, which would leave a tunnel; they close from their seam. Sheets
 * of two films that are joined are one film from then on. Films are found when they are asked for, each once
 * a step. */
#include "tracker/merge.h"

#include "base/union_find.h"

static const double FILM =
    1;              /* edges; the waviness of a sheet, and the distance at which it merges, are less */
enum { APART = 8 }; /* edges between sheets that are not the two sides of one gap */

rill_status merge_films_init(merging *m)
{
    const uint32_t n = m->t->mesh.vertices;
    rill_ctx *ctx = m->t->ctx;
    films *f = &m->films;
    TRY(MEM_NEW_ZERO(ctx, f->side, n));
    TRY(MEM_NEW(ctx, f->film, n));
    TRY(MEM_NEW(ctx, f->queue, n));
    TRY(MEM_NEW(ctx, f->parent, n));
    TRY(MEM_NEW_ZERO(ctx, f->joined, n));
    for (uint32_t v = 0; v < n; v++) f->film[v] = TMESH_NONE;
    return RILL_OK;
}

void merge_films_clear(merging *m)
{
    rill_ctx *ctx = m->t->ctx;
    mem_free(ctx, m->films.side);
    mem_free(ctx, m->films.film);
    mem_free(ctx, m->films.queue);
    mem_free(ctx, m->films.parent);
    mem_free(ctx, m->films.joined);
}

static bool in_film(merging *m, uint32_t v)
{
    uint8_t *side = &m->films.side[v];
    if (m->mate[v] != TMESH_NONE) return true;
    if (!*side) *side = merge_mate(m->t, v, FILM * m->t->edge, NULL) == TMESH_NONE ? 1 : 2;
    return *side == 2;
}

/* In the film, or next to it: a seam faces along the film, not across. */
static bool near_film(merging *m, uint32_t v)
{
    const tmesh *mesh = &m->t->mesh;
    const uint32_t start = mesh->corner[v];
    uint32_t c = start;
    if (in_film(m, v)) return true;
    do {
        if (in_film(m, corner_vertex(mesh, corner_next(c)))) return true;
        c = corner_swing(mesh, c);
    } while (c != start);
    return false;
}

/* The film of v, which faces something. */
static uint32_t film_of(merging *m, uint32_t v)
{
    const tmesh *mesh = &m->t->mesh;
    films *f = &m->films;
    if (f->film[v] != TMESH_NONE) return union_find_root(f->parent, f->film[v]);
    const uint32_t film = f->count++;
    size_t begin = 0, end = 0;
    f->parent[film] = film;
    f->film[v] = film;
    f->queue[end++] = v;
    while (begin < end) {
        const uint32_t start = mesh->corner[f->queue[begin++]];
        uint32_t c = start;
        do {
            const uint32_t u = corner_vertex(mesh, corner_next(c));
            if (f->film[u] == TMESH_NONE && near_film(m, u)) f->film[u] = film, f->queue[end++] = u;
            c = corner_swing(mesh, c);
        } while (c != start);
    }
    return film;
}

/* Whether a vertex of the film, or w itself, is fewer than APART edges from v on the surface. */
static bool close_by(merging *m, uint32_t v, uint32_t w, uint32_t film)
{
    const tmesh *mesh = &m->t->mesh;
    films *f = &m->films;
    bool found = false;
    size_t begin = 0, end = 0, ring_end = 1;
    m->owner[v] = 3;
    f->queue[end++] = v;
    for (int ring = 0; !found && ring < APART && begin < end;
         begin == ring_end ? (ring++, ring_end = end) : 0) {
        const uint32_t start = mesh->corner[f->queue[begin++]];
        uint32_t c = start;
        do {
            const uint32_t u = corner_vertex(mesh, corner_next(c));
            found |= u == w || (f->film[u] != TMESH_NONE && union_find_root(f->parent, f->film[u]) == film);
            if (!m->owner[u]) m->owner[u] = 3, f->queue[end++] = u;
            c = corner_swing(mesh, c);
        } while (c != start);
    }
    for (size_t i = 0; i < end; i++) m->owner[f->queue[i]] = 0;
    return found;
}

bool merge_same_film(merging *m, uint32_t v, uint32_t w)
{
    const uint32_t a = film_of(m, v), b = film_of(m, w);
    return a == b || close_by(m, v, w, b);
}

void merge_join_films(merging *m, uint32_t v, uint32_t w)
{
    films *f = &m->films;
    const uint32_t a = film_of(m, v), b = film_of(m, w);
    union_find_join(f->parent, a, b);
    f->joined[a] = f->joined[b] = 1;
}

bool merge_film_joined(merging *m, uint32_t v)
{
    return m->films.joined[film_of(m, v)];
}
