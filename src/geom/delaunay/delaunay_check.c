/* The invariants of delaunay.h, exactly. Every face being Delaunay under the same ties
 * makes all of them (Delaunay's lemma). */
#include "geom/delaunay/delaunay_core.h"

enum { BLOCK = 1 << 12 };

typedef enum { FINE, VERTEX, NEIGHBOUR, FACE, ORIENTATION, SPHERE } trouble;

static const char *const trouble_text[] = {"",
                                           "has a vertex that is not a site",
                                           "has a neighbour that does not point back",
                                           "shares with a neighbour a face whose vertices differ",
                                           "is not positively oriented",
                                           "has a site inside its sphere"};

typedef struct {
    const delaunay *d;
    _Atomic uint64_t first; /* lowest tetrahedron with trouble, and which */
} checking;

static trouble check_tet(const delaunay *d, uint32_t k)
{
    const delaunay_tet *t = &d->tet[k];
    for (int i = 0; i < 4; i++) {
        const bool infinite = i == 3 && t->v[i] == DELAUNAY_INFINITE;
        if (!infinite && (t->v[i] >= d->sites || d->vertex_tet[t->v[i]] == DELAUNAY_INFINITE)) return VERTEX;
        for (int j = 0; j < i; j++)
            if (t->v[i] == t->v[j]) return VERTEX;
    }
    const bool finite = t->v[3] != DELAUNAY_INFINITE;
    const grid_site *s = d->site;
    if (finite && orient_sign(&s[t->v[0]], &s[t->v[1]], &s[t->v[2]], &s[t->v[3]]) <= 0) return ORIENTATION;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t next = t->neighbour[i] >> 2, place = t->neighbour[i] & 3;
        if (next >= d->tets || next == k) return NEIGHBOUR;
        const delaunay_tet *n = &d->tet[next];
        if (n->v[0] == DELAUNAY_DEAD || n->neighbour[place] != (k << 2 | i)) return NEIGHBOUR;
        /* The face is the same, seen from the other side: replacing the opposite vertex and
         * exchanging two of the others gives the neighbour, up to an even permutation. */
        uint32_t at[4] = {4, 4, 4, 4};
        for (uint32_t a = 0; a < 4; a++)
            for (uint32_t b = 0; b < 4; b++)
                if (a != i && b != place && t->v[a] == n->v[b]) at[a] = b;
        at[i] = place;
        int inversions = 0;
        for (int a = 0; a < 4; a++) {
            if (at[a] == 4) return FACE;
            for (int b = 0; b < a; b++) inversions += at[b] > at[a];
        }
        if (inversions % 2 == 0) return FACE;
        const uint32_t beyond = n->v[place];
        if (finite && beyond != DELAUNAY_INFINITE) {
            const grid_site *tet[4] = {&s[t->v[0]], &s[t->v[1]], &s[t->v[2]], &s[t->v[3]]};
            if (insphere_tie(tet, t->v, &s[beyond], beyond)) return SPHERE;
        }
        if (!finite && i < 3) { /* the hull is convex here, or the plane's triangles are Delaunay */
            const delaunay_core core = {.site = s, .tet = d->tet};
            if (core_conflict(&core, t, &s[beyond], beyond)) return SPHERE;
        }
    }
    return FINE;
}

static void check_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    checking *c = arg;
    for (size_t k = begin; k < end; k++) {
        if (c->d->tet[k].v[0] == DELAUNAY_DEAD) continue;
        const trouble found = check_tet(c->d, (uint32_t)k);
        if (!found) continue;
        const uint64_t mine = (uint64_t)k << 8 | found;
        uint64_t now = c->first;
        while (mine < now && !atomic_compare_exchange_weak(&c->first, &now, mine)) {
        }
    }
}

rill_status delaunay_check(const delaunay *d)
{
    checking c = {.d = d};
    c.first = UINT64_MAX;
    parallel_for(d->ctx, d->tets, BLOCK, check_block, &c);
    if (c.first != UINT64_MAX) {
        const uint32_t k = (uint32_t)(c.first >> 8);
        const uint32_t *v = d->tet[k].v;
        return rill_fail(d->ctx, RILL_BLEW_UP, "tetrahedron %u of sites %u, %u, %u and %d %s", k, v[0], v[1],
                         v[2], (int)v[3], trouble_text[c.first & 0xFF]);
    }
    uint32_t finite = 0, vertices = 0, dead = 0;
    for (uint32_t k = 0; k < d->tets; k++) {
        const bool is = delaunay_is_finite(&d->tet[k]);
        finite += is;
        dead += d->tet[k].v[0] == DELAUNAY_DEAD;
        if (d->tidy && is != (k < d->finite))
            return rill_fail(d->ctx, RILL_BLEW_UP, "tetrahedron %u is not in its place", k);
    }
    if (finite != d->finite || (d->tidy && dead))
        return rill_fail(d->ctx, RILL_BLEW_UP, "%u finite tetrahedra are counted as %u, and %u are dead",
                         finite, d->finite, dead);
    for (uint32_t i = 0; i < d->sites; i++) {
        const uint32_t k = d->vertex_tet[i];
        if (k == DELAUNAY_INFINITE) continue;
        vertices++;
        const uint32_t *v = k < d->tets ? d->tet[k].v : NULL;
        if (!v || v[0] == DELAUNAY_DEAD || (v[0] != i && v[1] != i && v[2] != i && v[3] != i))
            return rill_fail(d->ctx, RILL_BLEW_UP, "site %u is not in its tetrahedron", i);
    }
    if (vertices != d->vertices)
        return rill_fail(d->ctx, RILL_BLEW_UP, "%u vertices are counted as %u", vertices, d->vertices);
    return RILL_OK;
}
