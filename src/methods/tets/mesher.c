#include "tets/mesher.h"

#include "tets/place.h"
#include "tets/tuning.h"

mesher_def mesher_def_default(void)
{
    return (mesher_def){.rounds = 8};
}

rill_status mesher_create(rill_ctx *ctx, const mesher_def *def, const walls *w, mesher *out)
{
    mesher m = {.ctx = ctx, .def = *def, .wall_count = w->count};
    arena_init(&m.scratch, ctx);
    rill_status st = size_init(ctx, &m.size, &def->size, w);
    if (!st) st = MEM_NEW_ZERO(ctx, m.wall, w->count);
    if (st)
        mesher_clear(&m);
    else
        *out = m;
    return st;
}

void mesher_clear(mesher *m)
{
    if (!m->ctx) return;
    for (uint32_t k = 0; m->wall && k < m->wall_count; k++) samples_clear(m->ctx, &m->wall[k]);
    mem_free(m->ctx, m->wall);
    samples_clear(m->ctx, &m->box);
    samples_clear(m->ctx, &m->meet);
    size_clear(&m->size);
    arena_clear(&m->scratch);
    *m = (mesher){0};
}

/* ---- rounds ---- */

static rill_status relax(mesher *m, const walls *w, tet_mesh *out)
{
    TRY(mesh_stars(out));
    arena_reset(&m->scratch);
    return nodes_relax(out, &m->scratch, w, &m->size, m->def.circumcentres);
}

static rill_status correct(mesher *m, const walls *w, tet_mesh *out, bool insert)
{
    arena_reset(&m->scratch);
    return nodes_correct(out, &m->scratch, w, &m->size, insert);
}

/* Removes nodes in the way until there are none; the tetrahedra are up to date after it. */
static rill_status clear_way(mesher *m, const walls *w, tet_mesh *out)
{
    m->left = 0;
    for (int round = 0; round <= MESHER_ROUNDS && w->count; round++) {
        uint8_t *dead;
        TRY(mesh_stars(out));
        arena_reset(&m->scratch);
        TRY(ARENA_NEW(&m->scratch, dead, out->count));
        m->left = nodes_in_the_way(out, w, &m->size, round == MESHER_ROUNDS, dead);
        if (round == MESHER_ROUNDS) mesh_seal_nodes(out, w, &m->size, dead);
        if (m->left == 0 || round == MESHER_ROUNDS) break;
        m->removed += mesh_remove_nodes(out, dead);
        TRY(mesh_build(out, w, &m->size, false));
    }
    return RILL_OK;
}

/* Whether a wall has a sample near x, on the same side of it. One that has no place in this mesh counts. */
static bool has_sample(const samples *s, rill_vec3 x, rill_vec3 normal, double reach)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (v3_distance(s->at[i].x, x) < reach && v3_dot(s->at[i].normal, normal) > 0.2) return true;
    return false;
}

/* A sample that wall k keeps, with the index of its mate. */
static rill_status keep_sample(mesher *m, const walls *w, uint32_t k, rill_vec3 x, rill_vec3 normal,
                               uint32_t mate)
{
    const wall *a = &w->at[k];
    sample s = {.x = wall_local(w, k, x),
                .normal = solid_turned(&a->place.pose, normal),
                .mate = mate,
                .kind = NODE_FACE,
                .size = size_at(&m->size, x)};
    if (a->deforms && a->form.sequence.now.span)
        s.anchor = mesh_distance_closest_at(a->form.sequence.now.span, a->form.sequence.now.share, s.x);
    return samples_add(m->ctx, &m->wall[k], &s);
}

/* A sample found where a face is off its wall, with a mate where the wall is thin, stays with the wall. */
static rill_status adopt(mesher *m, const walls *w, rill_vec3 x, rill_vec3 normal, tet_mesh *out)
{
    uint32_t owner;
    (void)walls_distance(w, x, NULL, &owner);
    const double h = size_at(&m->size, x);
    /* a solid that reaches through a side has surface beyond it, and inside others */
    const uint32_t of = owner >= WALL_SIDE ? WALL_BOX : owner;
    if (!box_contains(w->box, x) || place_covered(w, of, x, h)) return RILL_OK;
    TRY(mesh_add_node(out, x, NODE_FACE, of));
    m->repaired++;
    if (owner >= WALL_SIDE) return RILL_OK;
    rill_vec3 behind, its_normal;
    const bool pair =
        samples_behind(w, owner, x, normal, h, &behind, &its_normal) && !place_covered(w, owner, behind, h);
    if (pair) TRY(mesh_add_node(out, behind, NODE_FACE, owner));
    const struct solid_pose *pose = &w->at[owner].place.pose;
    samples *all = &m->wall[owner];
    if (has_sample(all, wall_local(w, owner, x), solid_turned(pose, normal), 0.6 * h / pose->scale))
        return RILL_OK;
    TRY(keep_sample(m, w, owner, x, normal, pair ? all->count + 1 : UINT32_MAX));
    return pair ? keep_sample(m, w, owner, behind, its_normal, all->count - 1) : RILL_OK;
}

static rill_status repair_round(mesher *m, const walls *w, tet_mesh *out, uint32_t *found)
{
    spots bulges = {0};
    arena_reset(&m->scratch);
    rill_status st = spots_init(m->ctx, &bulges, m->size.def.finest, 1000);
    if (!st) st = mesh_bulges(out, &m->scratch, w, &m->size, TETS_BULGE, &bulges);
    for (uint32_t i = 0; !st && i < bulges.count; i++) st = adopt(m, w, bulges.x[i], bulges.normal[i], out);
    *found = bulges.count;
    spots_clear(&bulges);
    return st;
}

static rill_status repair(mesher *m, const walls *w, tet_mesh *out, int rounds)
{
    for (int round = 0; round < rounds && w->count; round++) {
        uint32_t found;
        TRY(repair_round(m, w, out, &found));
        if (!found) break;
        TRY(mesh_build(out, w, &m->size, false));
        TRY(correct(m, w, out, false)); /* nodes inside too near to the new samples */
        TRY(mesh_build(out, w, &m->size, false));
        TRY(clear_way(m, w, out));
    }
    return RILL_OK;
}

static rill_status no_room(const mesher *m)
{
    return rill_fail(m->ctx, RILL_BAD_SCENE, "\"solids\": they leave no room for fluid in the domain");
}

/* The first tetrahedra of a mesh whose first `samples_count` nodes are on walls. Without nodes inside there
 * may be none: samples of walls alone may all be in one plane. */
static rill_status build_first(mesher *m, const walls *w, tet_mesh *out, uint32_t samples_count)
{
    if (out->count < 5) return no_room(m);
    const rill_status st = mesh_build(out, w, &m->size, true);
    return st == RILL_BLEW_UP && out->count == samples_count ? no_room(m) : st;
}

static rill_status finish(mesher *m, const walls *w, tet_mesh *out)
{
    arena_reset(&m->scratch);
    if (w->count) TRY(mesh_drop_pockets(out, &m->scratch, TETS_POCKET));
    for (uint32_t t = 0; t < out->d.finite; t++)
        if (out->fluid[t]) return mesh_finish(out, w);
    return no_room(m);
}

rill_status mesher_first(mesher *m, const walls *w, tet_mesh *out)
{
    m->removed = m->repaired = 0;
    out->count = 0;
    size_update(&m->size, w);
    const double nodes = size_nodes(&m->size, w);
    if (nodes > DELAUNAY_MOST)
        return rill_fail(
            m->ctx, RILL_NO_MEMORY,
            "a mesh of this spacing would have about %.3g nodes, at most %d are possible; make \"spacing\" "
            "larger",
            nodes, (int)DELAUNAY_MOST);
    TRY(place_walls(m, w, out));
    const uint32_t samples_count = out->count;
    TRY(nodes_scatter(out, w, &m->size));
    TRY(build_first(m, w, out, samples_count));
    for (uint32_t round = 0; round < m->def.rounds; round++) {
        if (round % 2 == 0 && round + 1 < m->def.rounds) {
            TRY(correct(m, w, out, true));
            TRY(mesh_build(out, w, &m->size, true));
        }
        TRY(relax(m, w, out));
        TRY(mesh_build(out, w, &m->size, round + 1 < m->def.rounds));
    }
    TRY(clear_way(m, w, out));
    TRY(repair(m, w, out, MESHER_ROUNDS));
    return finish(m, w, out);
}

rill_status mesher_next(mesher *m, const walls *w, const tet_mesh *old, tet_mesh *out)
{
    m->removed = m->repaired = 0;
    out->count = 0;
    size_update(&m->size, w);
    TRY(place_walls(m, w, out));
    const uint32_t samples_count = out->count;
    TRY(mesh_reserve(out, (size_t)out->count + old->count));
    for (uint32_t i = 0; i < old->count; i++)
        if (old->kind[i] == NODE_INSIDE &&
            walls_near(w, old->x[i], 0.3 * m->size.def.finest) > 0.3 * m->size.def.finest)
            TRY(mesh_add_node(out, old->x[i], NODE_INSIDE, WALL_NONE));
    TRY(build_first(m, w, out, samples_count));
    TRY(relax(m, w, out));
    TRY(correct(m, w, out, true));
    TRY(mesh_build(out, w, &m->size, false));
    TRY(clear_way(m, w, out));
    TRY(repair(m, w, out, 1));
    return finish(m, w, out);
}
