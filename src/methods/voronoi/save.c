/* Checkpoints: the surface with its parts, and the sites with the speeds on their faces. The mesh of cells
 * follows from the sites; with solids also its areas are saved, because solids move. */
#include "voronoi/save.h"

#include "voronoi/emit.h"

enum { SCALARS = 4 };

static rill_status save_nozzles(const brochu *s, rill_writer *w)
{
    const uint32_t n = s->sim.scene->emitter_count;
    double *owed;
    if (!n) return RILL_OK;
    TRY(MEM_NEW(s->sim.ctx, owed, n));
    for (uint32_t i = 0; i < n; i++) owed[i] = s->nozzle[i].owed;
    const rill_status st = save_chunk(w, "nozzles owed", SAVE_F64, n, owed);
    mem_free(s->sim.ctx, owed);
    return st;
}

rill_status brochu_save(const rill_sim *sim, rill_writer *w)
{
    const brochu *s = brochu_view_of(sim);
    const brochu_diagram *d = &s->diagram[s->now];
    const trimesh m = tracker_view(s->tracker);
    const tracker_part *part;
    size_t parts;
    tracker_parts(s->tracker, &part, &parts);
    double *target;
    TRY(MEM_NEW(sim->ctx, target, parts));
    for (size_t i = 0; i < parts; i++) target[i] = part[i].target;
    const uint64_t counts[2] = {tracker_steps(s->tracker), d->sites.real};
    const double scalars[SCALARS] = {s->max_speed, s->volume, tracker_time(s->tracker), s->displaced};
    rill_status st = save_chunk(w, "voronoi counts", SAVE_U64, 2, counts);
    if (!st) st = save_chunk(w, "voronoi", SAVE_F64, SCALARS, scalars);
    if (!st) st = save_chunk(w, "surface x", SAVE_F64, 3 * m.vertex_count, m.position);
    if (!st) st = save_chunk(w, "surface triangles", SAVE_U32, 3 * m.triangle_count, m.triangle);
    if (!st) st = save_chunk(w, "surface targets", SAVE_F64, parts, target);
    if (!st) st = save_chunk(w, "sites x", SAVE_F64, 3 * (uint64_t)d->sites.real, d->sites.x);
    if (!st) st = save_chunk(w, "sites liquid", SAVE_U8, d->sites.real, d->sites.liquid);
    if (!st) st = save_chunk(w, "sites reach", SAVE_F32, d->sites.real, d->sites.reach);
    if (!st) st = save_chunk(w, "sites pressure", SAVE_F64, d->sites.real, d->pressure);
    if (!st) st = save_chunk(w, "faces velocity", SAVE_F64, d->faces.count, d->faces.speed);
    if (!st) st = save_chunk(w, "faces valid", SAVE_U8, d->faces.count, d->faces.valid);
    if (!st && s->cut) st = save_chunk(w, "faces area", SAVE_F64, d->faces.count, d->faces.area);
    if (!st && s->cut)
        st = save_chunk(w, "faces centroid", SAVE_F64, 3 * (uint64_t)d->faces.count, d->faces.centroid);
    if (!st && s->cut) st = save_chunk(w, "solid area", SAVE_F64, 3 * (uint64_t)d->sites.real, d->solid_area);
    if (!st && s->cut)
        st = save_chunk(w, "solid motion", SAVE_F64, 3 * (uint64_t)d->sites.real, d->solid_velocity);
    if (!st && s->cut)
        st = save_chunk(w, "solid points", SAVE_F64, 3 * (uint64_t)d->sites.real, d->solid_point);
    mem_free(sim->ctx, target);
    if (!st) st = save_nozzles(s, w);
    return st;
}

/* ---- loading ---- */

static rill_status load_tracker(brochu *s, rill_reader *r, uint64_t steps, double time, tracker **out)
{
    rill_ctx *ctx = s->sim.ctx;
    uint64_t coordinates, corners, parts;
    trimesh m = {0};
    double *target = NULL;
    TRY(load_count(r, "surface x", SAVE_F64, &coordinates));
    TRY(load_count(r, "surface triangles", SAVE_U32, &corners));
    TRY(load_count(r, "surface targets", SAVE_F64, &parts));
    rill_status st = MEM_NEW(ctx, m.position, coordinates / 3);
    if (!st) st = MEM_NEW(ctx, m.triangle, corners / 3);
    if (!st) st = MEM_NEW(ctx, target, parts);
    m.vertex_count = coordinates / 3;
    m.triangle_count = corners / 3;
    if (!st && (coordinates % 3 || corners % 3))
        st = rill_fail(ctx, RILL_BAD_FILE, "the saved surface is cut off");
    if (!st) st = load_chunk(r, "surface x", SAVE_F64, coordinates, m.position);
    if (!st) st = load_chunk(r, "surface triangles", SAVE_U32, corners, m.triangle);
    if (!st) st = load_chunk(r, "surface targets", SAVE_F64, parts, target);
    for (uint64_t k = 0; !st && k < corners; k++)
        if ((&m.triangle[0][0])[k] >= m.vertex_count)
            st = rill_fail(ctx, RILL_BAD_FILE, "the saved surface names a vertex that is not there");
    const tracker_def def = brochu_tracker_def(s);
    if (!st) st = tracker_restore(ctx, &def, &m, time, steps, target, parts, out);
    mem_free(ctx, m.position);
    mem_free(ctx, m.triangle);
    mem_free(ctx, target);
    return st;
}

static rill_status load_sites(brochu *s, rill_reader *r, uint64_t count, brochu_diagram *d)
{
    rill_ctx *ctx = s->sim.ctx;
    if (count > DELAUNAY_MOST) return rill_fail(ctx, RILL_BAD_FILE, "too many saved sites");
    d->sites.count = d->sites.real = d->sites.liquids = 0;
    for (uint64_t i = 0; i < count; i++) TRY(brochu_site_add(ctx, &d->sites, v3(0, 0, 0), false, s->h));
    d->sites.real = (uint32_t)count;
    TRY(load_chunk(r, "sites x", SAVE_F64, 3 * count, d->sites.x));
    TRY(load_chunk(r, "sites liquid", SAVE_U8, count, d->sites.liquid));
    TRY(load_chunk(r, "sites reach", SAVE_F32, count, d->sites.reach));
    for (uint32_t i = 0; i < count; i++) {
        if (!v3_finite(d->sites.x[i]) || !box_contains(s->box, d->sites.x[i]) || d->sites.liquid[i] > 1 ||
            !(d->sites.reach[i] > 0 && isfinite(d->sites.reach[i])))
            return rill_fail(ctx, RILL_BAD_FILE, "saved site %u is not one", i);
        d->sites.wall[i] = brochu_walls_at(s, d->sites.x[i]);
        d->sites.liquids += d->sites.liquid[i];
    }
    return RILL_OK;
}

static rill_status load_faces(brochu *s, rill_reader *r, brochu_diagram *d)
{
    brochu_faces *f = &d->faces;
    const uint64_t n = f->count, sites = d->sites.real;
    TRY(ARENA_NEW(&d->arena, d->pressure, sites));
    TRY(load_chunk(r, "sites pressure", SAVE_F64, sites, d->pressure));
    TRY(load_chunk(r, "faces velocity", SAVE_F64, n, f->speed));
    TRY(load_chunk(r, "faces valid", SAVE_U8, n, f->valid));
    if (s->cut) {
        TRY(load_chunk(r, "faces area", SAVE_F64, n, f->area));
        TRY(load_chunk(r, "faces centroid", SAVE_F64, 3 * n, f->centroid));
        TRY(load_chunk(r, "solid area", SAVE_F64, 3 * sites, d->solid_area));
        TRY(load_chunk(r, "solid motion", SAVE_F64, 3 * sites, d->solid_velocity));
        TRY(load_chunk(r, "solid points", SAVE_F64, 3 * sites, d->solid_point));
    }
    for (uint64_t i = 0; i < n; i++)
        if (!isfinite(f->speed[i]) || !isfinite(f->area[i]) || f->valid[i] > 1)
            return rill_fail(s->sim.ctx, RILL_BAD_FILE, "a saved speed is not a number");
    return RILL_OK;
}

/* owed is the caller's. */
static rill_status load_nozzles(brochu *s, rill_reader *r, double *owed)
{
    const uint32_t n = s->sim.scene->emitter_count;
    if (!n) return RILL_OK;
    TRY(load_chunk(r, "nozzles owed", SAVE_F64, n, owed));
    for (uint32_t i = 0; i < n; i++)
        if (!(owed[i] >= 0 && isfinite(owed[i])))
            return rill_fail(s->sim.ctx, RILL_BAD_FILE, "what emitter %u has given is not a number", i + 1);
    return RILL_OK;
}

/* The diagram that is not in use is filled, and taken when all of it is there. */
rill_status brochu_load(rill_sim *sim, rill_reader *r)
{
    brochu *s = brochu_of(sim);
    brochu_diagram *d = &s->diagram[1 - s->now];
    uint64_t counts[2];
    double scalars[SCALARS];
    tracker *loaded = NULL;
    const arena_mark mark = arena_mark_of(&s->scratch);
    double *owed;
    TRY(ARENA_NEW(&s->scratch, owed, sim->scene->emitter_count + 1));
    TRY(load_chunk(r, "voronoi counts", SAVE_U64, 2, counts));
    TRY(load_chunk(r, "voronoi", SAVE_F64, SCALARS, scalars));
    TRY(load_tracker(s, r, counts[0], scalars[2], &loaded));
    rill_status st = load_sites(s, r, counts[1], d);
    if (!st) st = brochu_diagram_build(s, d);
    if (!st) st = brochu_measure(s, d, sim->time);
    if (!st) st = load_faces(s, r, d);
    if (!st) st = load_nozzles(s, r, owed);
    if (!st) st = brochu_fit(s, d);
    if (!st) st = brochu_extrapolate(s, d);
    if (!st) st = brochu_bodies(d);
    if (!st && !(scalars[0] >= 0 && isfinite(scalars[0]) && isfinite(scalars[1]) && isfinite(scalars[3])))
        st = rill_fail(sim->ctx, RILL_BAD_FILE, "the saved speed or volume is not a number");
    if (st) {
        tracker_destroy(loaded);
        return st;
    }
    tracker_destroy(s->tracker);
    s->tracker = loaded;
    s->view = tracker_view(s->tracker);
    s->now = 1 - s->now;
    s->max_speed = scalars[0];
    s->volume = scalars[1];
    s->displaced = scalars[3];
    for (uint32_t i = 0; i < sim->scene->emitter_count; i++) s->nozzle[i].owed = owed[i];
    arena_back(&s->scratch, mark);
    TRY(brochu_surface_measure(s, &s->view));
    return brochu_surface_index(s);
}
