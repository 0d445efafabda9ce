#include "voronoi/emit.h"

#include "voronoi/contour.h"

static const double DEPTH = 1.5;   /* spacings: of the plug */
static const double OUTLET = 0.5;  /* spacings before the plane where velocity is the emitter's */
static const double BESIDE = 0.1;  /* and so far outside of the cross-section */
static const double AROUND = 0.75; /* spacings: around a new slab; the samples in air are nearer */
static const double PLUG_SITES = 0.35, PLUG_SPACING = 0.6; /* spacings: behind the plane; between them */
static const double IN_PLUG = 0.2;   /* spacings: no other sites are so deep in a plug */
static const double IN_PLANE = 0.02; /* spacings: what counts as in the plane */
static const double CLEAR = 0.25;    /* spacings between a new slab and the liquid there is */

/* ---- shape ---- */

/* Distance from the cross-section, seen along the plane's normal; *out: the direction away from it. */
static double cross_distance(const brochu *s, uint32_t i, rill_vec3 x, rill_vec3 *out)
{
    const brochu_nozzle *z = &s->nozzle[i];
    const shape *form = &s->sim.scene->emitters[i].shape;
    if (s->flat) x.z = 0;
    const rill_vec3 away = v3_sub(x, z->center), in = v3_madd(away, -v3_dot(away, z->normal), z->normal);
    double d;
    rill_vec3 n = v3_unit(in);
    if (form->kind == SHAPE_DISC)
        d = v3_length(in) - form->flat.radius;
    else
        d = shape_distance(form, v3_add(z->center, in), out ? &n : NULL);
    if (out) *out = v3_unit(v3_madd(n, -v3_dot(n, z->normal), z->normal));
    return d;
}

static double along(const brochu_nozzle *z, rill_vec3 x)
{
    return v3_dot(v3_sub(x, z->center), z->normal);
}

double brochu_nozzle_room(const brochu *s, rill_vec3 x, solid_contact *contact)
{
    double least = INFINITY;
    for (uint32_t i = 0; i < s->sim.scene->emitter_count; i++) {
        const brochu_nozzle *z = &s->nozzle[i];
        if (!z->open) continue;
        rill_vec3 side;
        const double front = along(z, x), depth = DEPTH * s->h, beyond = fmax(front, -depth - front),
                     cross = cross_distance(s, i, x, &side);
        const rill_vec3 face = v3_scale(z->normal, front > -depth / 2 ? 1 : -1);
        const bool corner = beyond > 0 && cross > 0;
        const double d = corner ? hypot(beyond, cross) : fmax(beyond, cross);
        if (!(d < least)) continue;
        least = d;
        if (!contact) continue;
        *contact = (solid_contact){.distance = d,
                                   .normal = corner ? v3_unit(v3_madd(v3_scale(face, beyond), cross, side))
                                             : beyond > cross ? face
                                                              : side,
                                   .solid = UINT32_MAX};
        if (front > -depth / 4) contact->velocity = v3_scale(z->direction, z->speed);
    }
    return least;
}

bool brochu_in_plug(const brochu *s, rill_vec3 x)
{
    return s->nozzle && brochu_nozzle_room(s, x, NULL) < -IN_PLUG * s->h;
}

/* How many lie side by side, and where: over the extent of the cross-section in one direction. */
static uint32_t plug_row(const brochu *s, double half)
{
    return (uint32_t)fmax(1, fmin(ceil(2 * half / (PLUG_SPACING * s->h)), 4096));
}
static double plug_place(double half, uint32_t k, uint32_t n)
{
    return half * ((2 * k + 1.0) / n - 1);
}

rill_status brochu_plug_sites(brochu *s, rill_vec3 **x, uint32_t *count)
{
    const uint32_t emitters = s->nozzle ? s->sim.scene->emitter_count : 0;
    size_t most = 1;
    *count = 0;
    for (uint32_t i = 0; i < emitters; i++)
        most += (size_t)plug_row(s, s->nozzle[i].wide) * plug_row(s, s->nozzle[i].high);
    TRY(ARENA_NEW(&s->scratch, *x, most));
    for (uint32_t i = 0; i < emitters; i++) {
        const brochu_nozzle *z = &s->nozzle[i];
        const uint32_t n = plug_row(s, z->wide), m = plug_row(s, z->high);
        for (uint32_t a = 0; z->open && a < n; a++)
            for (uint32_t b = 0; b < m; b++) {
                rill_vec3 at = v3_madd(z->center, -PLUG_SITES * s->h, z->normal);
                at = v3_madd(at, plug_place(z->wide, a, n), z->u);
                at = brochu_snap(s, v3_madd(at, plug_place(z->high, b, m), z->v));
                bool inside = brochu_in_plug(s, at);
                for (int side = 0; side < SIDE_COUNT; side++)
                    inside = inside && brochu_wall_distance(s, at, side) > 0.1 * s->h;
                if (inside) (*x)[(*count)++] = at;
            }
    }
    return RILL_OK;
}

bool brochu_in_nozzle(const brochu *s, rill_vec3 x, const brochu_nozzle **onto)
{
    for (uint32_t i = 0; i < s->sim.scene->emitter_count; i++) {
        const brochu_nozzle *z = &s->nozzle[i];
        if (!z->open || fabs(along(z, x)) > IN_PLANE * s->h || cross_distance(s, i, x, NULL) > 0.25 * s->h)
            continue;
        *onto = z;
        return true;
    }
    return false;
}

rill_vec3 brochu_blown(const brochu *s, rill_vec3 x, rill_vec3 u)
{
    for (uint32_t i = 0; i < s->sim.scene->emitter_count; i++) {
        const brochu_nozzle *z = &s->nozzle[i];
        if (!z->open) continue;
        const double front = along(z, x);
        const double behind = z->fresh ? AROUND : IN_PLANE, beside = z->fresh ? AROUND : BESIDE;
        if (front >= -behind * s->h && front <= z->reach && cross_distance(s, i, x, NULL) < beside * s->h)
            return v3_scale(z->direction, z->speed);
    }
    return u;
}

uint32_t brochu_nozzle_part(const brochu *s, uint32_t i, const trimesh *mesh, const uint32_t *part)
{
    const brochu_nozzle *z = &s->nozzle[i];
    uint32_t best = SITE_NONE;
    double least = INFINITY;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        const rill_vec3 x = mesh->position[v];
        /* Those in the plane before all others. */
        const double d = v3_distance(x, z->center) + (fabs(along(z, x)) < IN_PLANE * s->h ? 0 : 1e6 * s->h);
        if (!(d < least)) continue;
        least = d;
        best = part[v];
    }
    return best;
}

/* ---- making them ---- */

static double half_extent(rill_box b, rill_vec3 u)
{
    const rill_vec3 h = v3_scale(box_size(b), 0.5);
    return fabs(u.x) * h.x + fabs(u.y) * h.y + fabs(u.z) * h.z;
}

/* A plane in or next to a closed side moves away from it: the plug's front is not the wall's. */
static void leave_walls(const brochu *s, brochu_nozzle *z)
{
    for (int side = 0; side < (s->flat ? 4 : SIDE_COUNT); side++) {
        const double toward = v3_axis(z->normal, side_axis(side)) * (side & 1 ? -1 : 1),
                     room = brochu_wall_distance(s, z->center, side);
        if (toward > 0.5 && room < s->h) z->center = v3_madd(z->center, (s->h - room) / toward, z->normal);
    }
}

static void set_nozzle(const brochu *s, uint32_t i, brochu_nozzle *z)
{
    const rill_scene *scene = s->sim.scene;
    const shape *form = &scene->emitters[i].shape;
    const source_layer *layer = &s->sim.sources.layer[i];
    const bool disc = form->kind == SHAPE_DISC;
    rill_box b = shape_bounds(form);
    b.min = v3_max(b.min, s->box.min);
    b.max = v3_min(b.max, s->box.max);
    z->direction = layer->direction;
    z->normal = disc ? shape_unit(form->flat.normal) : layer->direction;
    if (v3_dot(z->normal, z->direction) < 0) z->normal = v3_neg(z->normal);
    z->center = disc ? form->flat.point : box_center(b);
    span_plane(z->normal, scene->dimensions, &z->u, &z->v);
    z->wide = disc ? form->flat.radius : half_extent(b, z->u);
    z->high = disc ? form->flat.radius : half_extent(b, z->v);
    z->area = layer->count * s->h * s->h * s->h / layer->thickness;
    if (s->flat) {
        z->center.z = 0;
        z->v = v3(0, 0, 1);
        z->high = box_size(s->box).z / 2;
        z->area = layer->count * s->h * s->h / layer->thickness * 2 * z->high;
    }
    z->reach = OUTLET * s->h;
    leave_walls(s, z);
}

rill_status brochu_nozzles_create(brochu *s)
{
    const uint32_t n = s->sim.scene->emitter_count;
    if (!n) return RILL_OK;
    TRY(MEM_NEW_ZERO(s->sim.ctx, s->nozzle, n));
    for (uint32_t i = 0; i < n; i++) set_nozzle(s, i, &s->nozzle[i]);
    return RILL_OK;
}

void brochu_nozzles_clear(brochu *s)
{
    mem_free(s->sim.ctx, s->nozzle);
    s->nozzle = NULL;
}

/* ---- slabs ---- */

typedef struct {
    const brochu *s;
    uint32_t nozzle;
} slab;

static double slab_level(const void *user, rill_vec3 x)
{
    const slab *b = user;
    double phi = cross_distance(b->s, b->nozzle, x, NULL);
    for (int side = 0; side < (b->s->flat ? 4 : SIDE_COUNT); side++)
        phi = fmax(phi, 0.1 * b->s->h - brochu_wall_distance(b->s, x, side));
    return phi;
}

static rill_status make_slab(brochu *s, uint32_t i, trimesh *out)
{
    const brochu_nozzle *z = &s->nozzle[i];
    const double thick = z->owed / z->area, edge = s->flat ? 0 : s->h;
    const slab b = {s, i};
    brochu_frame f = {.origin = z->center,
                      .axis = {z->u, z->v, z->normal},
                      .lo = {-z->wide - s->h, -z->high - edge, 0},
                      .hi = {z->wide + s->h, z->high + edge, thick}};
    for (int k = 0; k < 3; k++) f.cells[k] = (uint32_t)fmax(1, fmin(rint((f.hi[k] - f.lo[k]) / s->h), 4096));
    TRY(brochu_contour(s, &f, slab_level, &b, out));
    for (size_t v = 0; v < out->vertex_count; v++) out->position[v] = brochu_clamp(s, out->position[v]);
    return RILL_OK;
}

static bool clear_of_liquid(const brochu *s, const trimesh *m)
{
    for (size_t v = 0; s->surface.distance && v < m->vertex_count; v++)
        if (mesh_distance_exact(s->surface.distance, m->position[v], NULL) < CLEAR * s->h) return false;
    return true;
}

/* The tracker with one part more, whose target is the volume owed. */
static rill_status join(brochu *s, trimesh *more, double volume)
{
    rill_ctx *ctx = s->sim.ctx;
    const trimesh view = tracker_view(s->tracker);
    const tracker_part *part;
    size_t parts;
    tracker_parts(s->tracker, &part, &parts);
    trimesh mesh = {0};
    double *target = NULL;
    tracker *t = NULL;
    const tracker_def def = brochu_tracker_def(s);
    rill_status st = MEM_NEW(ctx, target, parts + 1);
    if (!st) st = brochu_copy_mesh(s, &view, &mesh);
    if (!st) st = trimesh_append(ctx, &mesh, more);
    for (size_t k = 0; !st && k < parts; k++) target[k] = part[k].target;
    if (!st) target[parts] = volume;
    if (!st)
        st = tracker_restore(ctx, &def, &mesh, tracker_time(s->tracker), tracker_steps(s->tracker), target,
                             parts + 1, &t);
    if (!st) {
        tracker_destroy(s->tracker);
        s->tracker = t;
        s->view = tracker_view(t);
    }
    trimesh_clear(ctx, &mesh);
    mem_free(ctx, target);
    return st;
}

/* way: of the slab in this step. There was no liquid that its velocities could come from: all faces around it
 * take the emitter's. With those of its front at rest it would be pressed sideways. */
static rill_status give_slab(brochu *s, uint32_t i, double way)
{
    brochu_nozzle *z = &s->nozzle[i];
    trimesh m = {0};
    rill_status st = make_slab(s, i, &m);
    if (!st && m.triangle_count && clear_of_liquid(s, &m)) {
        const double thick = z->owed / z->area;
        st = join(s, &m, z->owed);
        if (!st) {
            z->owed = 0;
            z->reach = thick + way + AROUND * s->h;
            z->fresh = true;
            st = brochu_surface_measure(s, &s->view);
        }
        if (!st) st = brochu_surface_index(s);
    }
    trimesh_clear(s->sim.ctx, &m);
    return st;
}

rill_status brochu_emit(brochu *s, double t, double dt)
{
    for (uint32_t i = 0; i < s->sim.scene->emitter_count; i++) {
        const scene_emitter *e = &s->sim.scene->emitters[i];
        brochu_nozzle *z = &s->nozzle[i];
        const double from = fmax(t, e->start), to = fmin(t + dt, e->end);
        z->open = to > from;
        z->reach = OUTLET * s->h;
        z->fresh = false;
        z->speed = z->open ? emitter_way(e, from, to) / (to - from) : 0;
        if (!z->open) continue;
        const double comes = z->area * fabs(v3_dot(z->direction, z->normal)) * emitter_way(e, from, to);
        const rill_vec3 before = v3_madd(z->center, 0.3 * s->h, z->normal);
        z->wet = s->surface.distance && mesh_distance_exact(s->surface.distance, before, NULL) < 0;
        if (!z->wet && z->owed >= z->area * s->h) TRY(give_slab(s, i, emitter_way(e, from, to)));
        z->owed += comes;
    }
    return RILL_OK;
}
