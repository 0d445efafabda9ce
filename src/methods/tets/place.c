/* Nodes on walls: samples in their places of this moment. */
#include "tets/place.h"

#include "tets/pairs.h"

static rill_vec3 sample_place(const walls *w, uint32_t k, const sample *s)
{
    if (k == WALL_BOX) return s->x;
    const mesh_moment *now = &w->at[k].form.sequence.now;
    if (w->at[k].deforms && now->span)
        return wall_world(w, k, mesh_distance_point_at(now->span, now->share, &s->anchor));
    return wall_world(w, k, s->x);
}

/* Whether the size where the samples are is no longer the one they were made for. */
static bool out_of_date(const mesher *m, const walls *w, uint32_t k, const samples *s)
{
    uint32_t off = 0;
    if (s->count == 0) return true;
    if (size_uniform(&m->size)) return false;
    for (uint32_t i = 0; i < s->count; i++) {
        const double ratio = size_at(&m->size, sample_place(w, k, &s->at[i])) / s->at[i].size;
        off += ratio < 0.75 || ratio > 1.35;
    }
    return off > s->count / 50;
}

static rill_status refresh_samples(mesher *m, const walls *w)
{
    if (out_of_date(m, w, WALL_BOX, &m->box)) TRY(samples_make(m->ctx, w, WALL_BOX, &m->size, &m->box));
    bool fixed = false;
    for (uint32_t k = 0; k < w->count; k++) {
        if (!out_of_date(m, w, k, &m->wall[k])) continue;
        TRY(samples_make(m->ctx, w, k, &m->size, &m->wall[k]));
        fixed |= !w->at[k].moves;
    }
    if (fixed || (m->meet.count && out_of_date(m, w, WALL_BOX, &m->meet))) {
        samples_clear(m->ctx, &m->meet);
        TRY(samples_meet(m->ctx, w, &m->size, false, &m->meet));
    }
    return RILL_OK;
}

/* Whether there is no fluid around x, where walls meet: faces of solids that lie on each other meet
 * everywhere. */
static bool buried(const walls *w, rill_vec3 x, double h)
{
    if (walls_distance(w, x, NULL, NULL) < -1e-4 * h) return true;
    for (int k = 0; k < 27; k++) {
        const rill_vec3 way = v3(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
        if (k != 13 && walls_near(w, v3_madd(x, 5e-3 * h, way), h) > 1e-5 * h) return false;
    }
    return true;
}

/* Whether a sample of wall k is inside another wall, or outside of the box. Of walls that share a surface the
 * first has its samples there, as long as there is fluid before it. */
bool place_covered(const walls *w, uint32_t k, rill_vec3 x, double h)
{
    if (!box_contains(w->box, x)) return true;
    int side;
    if (k != WALL_BOX && walls_nearest_side(w, x, &side) < 1e-6 * h) return true;
    bool touches = false;
    for (uint32_t j = 0; j < w->count; j++) {
        if (j == k) continue;
        const double d = wall_within(w, j, x, 1e-6 * h);
        if (d < -1e-6 * h || (d < 1e-6 * h && (k == WALL_BOX || j < k))) return true;
        touches |= d < 1e-6 * h;
    }
    return touches && buried(w, x, h);
}

static bool at_meeting(const spots *meet, rill_vec3 x, double reach)
{
    return meet->count && spots_nearest(meet, x, reach, v3(0, 0, 0), -2) != SPOT_NONE;
}

/* ---- nodes on walls ---- */

typedef struct {
    mesher *m;
    const walls *w;
    tet_mesh *out;
    spots meet;  /* where walls meet */
    pairs pairs; /* nodes next to several solids */
} placing;

/* Next to where walls meet both of a pair go: tetrahedra would reach through a thin wall from a sample
 * without its mate. A mate that another wall covers, as under a plate on the floor, is not missed. Edges of
 * thin solids that lie on each other stay, a fifth of a size from where these meet. */
static bool left_out(const placing *p, uint32_t k, const samples *s, uint32_t i, rill_vec3 x, double h)
{
    const bool edge = s->at[i].kind != NODE_FACE && pairs_concern(p->w, x, k, h);
    if (place_covered(p->w, k, x, h) || at_meeting(&p->meet, x, (edge ? 0.02 : 0.45) * h)) return true;
    if (k == WALL_BOX || s->at[i].mate >= s->count) return false;
    const rill_vec3 mate = sample_place(p->w, k, &s->at[s->at[i].mate]);
    return v3_distance(x, mate) < 0.5 * h && at_meeting(&p->meet, mate, 0.45 * h);
}

/* Those on faces, or the rest. */
static rill_status place_samples(placing *p, uint32_t k, const samples *s, bool faces)
{
    for (uint32_t i = 0; i < s->count; i++) {
        if ((s->at[i].kind == NODE_FACE) != faces) continue;
        const rill_vec3 x = sample_place(p->w, k, &s->at[i]);
        const double h = size_at(&p->m->size, x);
        if (left_out(p, k, s, i, x, h)) continue;
        if (faces) {
            TRY(pairs_place(&p->pairs, p->w, x, NODE_FACE, k, h, p->out));
        } else {
            if (pairs_concern(p->w, x, k, h)) TRY(pairs_take(&p->pairs, x));
            TRY(mesh_add_node(p->out, x, s->at[i].kind, k));
        }
    }
    return RILL_OK;
}

/* A node behind one where walls meet is on such a curve as well. */
static rill_status place_meetings(placing *p, const samples *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const rill_vec3 x = s->at[i].x;
        if (buried(p->w, x, p->m->size.def.finest)) continue;
        const uint32_t before = p->out->count;
        TRY(pairs_place(&p->pairs, p->w, x, NODE_CREASE, WALL_NONE, size_at(&p->m->size, x), p->out));
        for (uint32_t k = before; k < p->out->count; k++) TRY(spots_add(&p->meet, p->out->x[k], v3(0, 0, 0)));
    }
    return RILL_OK;
}

/* Corners and creases of all walls before faces: a node that another asks for behind it may be one of them.
 */
static rill_status place_all(placing *p, const samples *moving)
{
    const mesher *m = p->m;
    TRY(place_meetings(p, &m->meet));
    TRY(place_meetings(p, moving));
    const uint32_t creases = p->out->count;
    TRY(place_samples(p, WALL_BOX, &m->box, false));
    for (uint32_t k = 0; k < p->w->count; k++) TRY(place_samples(p, k, &m->wall[k], false));
    const uint32_t faces = p->out->count;
    for (uint32_t i = creases; i < faces; i++) {
        const rill_vec3 x = p->out->x[i];
        const double h = size_at(&m->size, x);
        if (pairs_concern(p->w, x, p->out->owner[i], h))
            TRY(pairs_complete(&p->pairs, p->w, x, NODE_CREASE, h, p->out));
    }
    TRY(place_samples(p, WALL_BOX, &m->box, true));
    for (uint32_t k = 0; k < p->w->count; k++) TRY(place_samples(p, k, &m->wall[k], true));
    return RILL_OK;
}

rill_status place_walls(mesher *m, const walls *w, tet_mesh *out)
{
    placing p = {.m = m, .w = w, .out = out};
    samples moving = {0};
    rill_status st = refresh_samples(m, w);
    if (!st) st = samples_meet(m->ctx, w, &m->size, true, &moving);
    if (!st) st = spots_init(m->ctx, &p.meet, 2 * m->size.def.finest, moving.count + m->meet.count);
    if (!st) st = pairs_init(m->ctx, m->size.def.finest, &p.pairs);
    if (!st) st = place_all(&p, &moving);
    pairs_clear(&p.pairs);
    spots_clear(&p.meet);
    samples_clear(m->ctx, &moving);
    return st;
}
