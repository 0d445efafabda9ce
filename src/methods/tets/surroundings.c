/* The scene as the mesher sees it: its solids as walls, its smoke and vorticity as sizes. */
#include "base/parallel.h"
#include "tets/state.h"

#include <string.h>

/* Meshes that do not deform have one grid of sides in their own coordinates for the whole run. */
static rill_status rigid_sides(tets *s)
{
    for (uint32_t k = 0; k < s->past.count && !s->flat; k++) {
        const wall *a = &s->past.at[k];
        if (a->form.kind != SHAPE_MESH || !a->form.mesh.owned) continue;
        const double h = TETS_SIZE * s->h / a->place.pose.scale;
        TRY(side_grid_fill(s->sim.ctx, &s->sides[k], (mesh_moment){.span = a->form.mesh.owned},
                           box_grown(shape_bounds(&a->form), h), h));
    }
    return RILL_OK;
}

static void place_walls_at(const tets *s, double t, walls *out)
{
    const solids *from = &s->sim.solids;
    for (uint32_t k = 0; k < from->count; k++) {
        solid_place place;
        shape form;
        const side_grid *sides = &s->sides[k];
        out->at[k] = (wall){.form = *solids_form_at(from, k, t, &form),
                            .place = *solids_place_at(from, k, t, &place),
                            .moves = solid_moves(from, k),
                            .deforms = solid_deforms(from, k),
                            .refined = from->scene->solids[k].refine,
                            .sides = sides->n[0] && !solid_deforms(from, k) ? sides : NULL,
                            .body = s->sim.bodies.count ? s->sim.bodies.of_solid[k] : BODY_NONE};
    }
}

/* The domain as the wall sees it. */
static rill_box domain_of(const walls *w, uint32_t k)
{
    rill_box out = box_empty();
    for (int c = 0; c < 8; c++)
        out = box_with(out,
                       wall_local(w, k,
                                  v3(c & 1 ? w->box.max.x : w->box.min.x, c & 2 ? w->box.max.y : w->box.min.y,
                                     c & 4 ? w->box.max.z : w->box.min.z)));
    return out;
}

/* The grid of a mesh that deforms, for the place of the wall. */
static rill_status deforming_sides(const tets *s, const walls *w, uint32_t k, side_grid *out)
{
    const wall *a = &w->at[k];
    const double h = TETS_SIZE * s->h / a->place.pose.scale;
    const rill_box own = box_grown(shape_bounds(&a->form), h), domain = domain_of(w, k);
    rill_box both;
    for (int i = 0; i < 3; i++) {
        v3_set_axis(&both.min, i, fmax(v3_axis(own.min, i), v3_axis(domain.min, i)));
        v3_set_axis(&both.max, i, fmin(v3_axis(own.max, i), v3_axis(domain.max, i)));
    }
    return side_grid_fill(s->sim.ctx, out, a->form.sequence.now, both, h);
}

/* The grids of one moment. known: they are filled, though the mesh may be kept elsewhere by now. */
static rill_status walls_at(tets *s, double t, walls *w, side_grid *sides, bool known)
{
    place_walls_at(s, t, w);
    for (uint32_t k = 0; k < w->count; k++) {
        wall *a = &w->at[k];
        if (!a->deforms || s->flat) continue;
        if (known)
            sides[k].now = a->form.sequence.now;
        else
            TRY(deforming_sides(s, w, k, &sides[k]));
        if (sides[k].n[0]) a->sides = &sides[k];
    }
    return RILL_OK;
}

/* Before a step things are as they were after the last one, but for retries and resumed runs. A grid is a
 * function of the time alone, so that it does not matter whether it is kept or filled again. */
rill_status tets_walls_go(tets *s, double t, double dt)
{
    const bool known = s->sides_time == t;
    s->sides_time = NAN;
    for (uint32_t k = 0; k < s->walls.count && known; k++) {
        if (!s->walls.at[k].deforms) continue;
        const side_grid swap = s->sides[k];
        s->sides[k] = s->sides_before[k];
        s->sides_before[k] = swap;
    }
    TRY(walls_at(s, t, &s->past, s->sides_before, known));
    TRY(walls_at(s, t + dt, &s->walls, s->sides, false));
    s->sides_time = t + dt;
    return RILL_OK;
}

rill_status tets_walls_create(tets *s)
{
    const rill_scene *scene = s->sim.scene;
    rill_box box = {scene->domain.min, scene->domain.max};
    if (s->flat) {
        box.min.z = -0.5 * TETS_SLAB * s->h;
        box.max.z = 0.5 * TETS_SLAB * s->h;
    }
    s->thick = s->flat ? box.max.z - box.min.z : 1;
    s->sides_time = NAN;
    s->walls = s->past = (walls){.box = box, .flat = s->flat, .count = s->sim.solids.count};
    TRY(MEM_NEW_ZERO(s->sim.ctx, s->walls.at, s->walls.count));
    TRY(MEM_NEW_ZERO(s->sim.ctx, s->past.at, s->past.count));
    TRY(MEM_NEW_ZERO(s->sim.ctx, s->sides, s->walls.count));
    TRY(MEM_NEW_ZERO(s->sim.ctx, s->sides_before, s->walls.count));
    place_walls_at(s, s->sim.time, &s->past);
    TRY(rigid_sides(s));
    return tets_walls_go(s, s->sim.time, 0);
}

void tets_walls_clear(tets *s)
{
    for (uint32_t k = 0; s->sides && k < s->walls.count; k++) side_grid_clear(s->sim.ctx, &s->sides[k]);
    for (uint32_t k = 0; s->sides_before && k < s->walls.count; k++)
        side_grid_clear(s->sim.ctx, &s->sides_before[k]);
    mem_free(s->sim.ctx, s->sides);
    mem_free(s->sim.ctx, s->sides_before);
    mem_free(s->sim.ctx, s->walls.at);
    mem_free(s->sim.ctx, s->past.at);
}

/* ---- sizes ---- */

typedef struct {
    const tets_state *a;
    double *curl; /* by tetrahedron */
} curling;

/* Vorticity of the linear field in a tetrahedron: sum of the gradients of its barycentric coordinates times
 * the corners' velocities. */
double tets_curl_in(const tets_state *a, uint32_t t)
{
    const uint32_t *v = a->mesh.d.tet[t].v;
    rill_vec3 sum = {0, 0, 0};
    for (int i = 0; i < 4; i++) {
        const uint8_t *f = tet_face_corners[i];
        const rill_vec3 p = a->mesh.x[v[f[0]]];
        const rill_vec3 area = v3_cross(v3_sub(a->mesh.x[v[f[1]]], p), v3_sub(a->mesh.x[v[f[2]]], p));
        const rill_vec3 gradient = v3_scale(area, -1 / (6 * a->mesh.volume[t]));
        sum = v3_add(sum, v3_cross(gradient, a->u.node[v[i]]));
    }
    return v3_length(sum);
}

static void curl_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const curling *c = arg;
    for (size_t t = begin; t < end; t++)
        c->curl[t] = c->a->mesh.fluid[t] ? tets_curl_in(c->a, (uint32_t)t) : 0;
}

static void square_terms(void *arg, size_t begin, size_t end, double *out)
{
    const curling *c = arg;
    for (size_t t = begin; t < end; t++) {
        if (!c->a->mesh.fluid[t]) continue;
        out[0] += c->curl[t] * c->curl[t] * c->a->mesh.volume[t];
        out[1] += c->a->mesh.volume[t];
    }
}

/* Full refinement where the vorticity is three times its root mean square (errata E-K5: the paper does not
 * say how it is scaled). */
static rill_status gather_curl(tets *s, const tets_state *from)
{
    curling c = {.a = from};
    arena_reset(&s->scratch);
    TRY(ARENA_NEW(&s->scratch, c.curl, from->mesh.d.finite));
    parallel_for(s->sim.ctx, from->mesh.d.finite, TETS_BLOCK, curl_block, &c);
    double sum[2] = {0, 0};
    parallel_sums(s->sim.ctx, from->mesh.d.finite, square_terms, &c, 2, sum);
    const double rms = sum[1] > 0 ? sqrt(sum[0] / sum[1]) : 0;
    if (!(rms > 0)) return RILL_OK;
    for (uint32_t t = 0; t < from->mesh.d.finite; t++)
        if (from->mesh.fluid[t])
            size_add_curl(&s->mesher.size, mesh_middle(&from->mesh, t), c.curl[t] / (3 * rms));
    return RILL_OK;
}

static void gather_smoke(tets *s, const tets_state *from)
{
    const rill_scene *scene = s->sim.scene;
    double most = 0;
    for (uint32_t k = 0; k < scene->smoke_count; k++) {
        most = fmax(most, scene->smoke[k].density);
        size_add_smoke(&s->mesher.size, box_center(shape_bounds(&scene->smoke[k].shape)), 1);
    }
    for (uint32_t i = 0; i < from->mesh.count && most > 0; i++)
        if (from->soot[i] > 0.02 * most)
            size_add_smoke(&s->mesher.size, from->mesh.x[i], 2 * from->soot[i] / most);
    const particles *dots = &s->sim.tracers.dots;
    for (size_t i = 0; i < dots->count; i++) size_add_smoke(&s->mesher.size, dots->position[i], 1);
}

rill_status tets_gather_sizes(tets *s, const tets_state *from)
{
    if (size_uniform(&s->mesher.size)) return RILL_OK;
    size_forget(&s->mesher.size);
    if (s->def.vorticity > 0) TRY(gather_curl(s, from));
    if (s->def.smoke > 0) gather_smoke(s, from);
    return RILL_OK;
}
