#include "voronoi/displaced.h"

#include "base/parallel.h"

enum { TRIED = 8192 };

static rill_status make_probe(brochu *s, uint32_t solid, brochu_probe *out)
{
    const shape *form = &s->sim.scene->solids[solid].shape;
    rill_box b = shape_bounds(form);
    solid_place room;
    const struct solid_pose *pose = &solids_place_at(&s->sim.solids, solid, s->sim.time, &room)->pose;
    if (s->flat) { /* of the slab */
        b.min.z = s->box.min.z / pose->scale;
        b.max.z = s->box.max.z / pose->scale;
    }
    const rill_vec3 size = box_size(b);
    if (!v3_finite(b.min) || !v3_finite(b.max)) return RILL_OK;
    TRY(MEM_NEW(s->sim.ctx, out->point, TRIED));
    out->share = size.x * size.y * size.z * pose->scale * pose->scale * pose->scale / TRIED;
    for (int i = 0; i < TRIED; i++) { /* the golden ratio's sequence in three dimensions */
        const double k = i + 0.5;
        const rill_vec3 x = v3(b.min.x + size.x * fmod(k * 0.8191725133961645, 1),
                               b.min.y + size.y * fmod(k * 0.6710436067037893, 1),
                               b.min.z + size.z * fmod(k * 0.5497004779019703, 1));
        const rill_vec3 at = s->flat ? v3(x.x, x.y, 0) : x;
        if (shape_distance(form, at, NULL) < 0) out->point[out->count++] = x;
    }
    return RILL_OK;
}

rill_status brochu_probes_create(brochu *s)
{
    const uint32_t n = s->sim.scene->solid_count;
    if (!s->sim.solids.moving && !s->sim.bodies.count) return RILL_OK;
    TRY(MEM_NEW_ZERO(s->sim.ctx, s->probe, n));
    for (uint32_t i = 0; i < n; i++) {
        const bool body = s->sim.bodies.count && s->sim.bodies.of_solid[i] != BODY_NONE;
        if ((body || solid_moves(&s->sim.solids, i)) && !solid_deforms(&s->sim.solids, i))
            TRY(make_probe(s, i, &s->probe[i]));
    }
    return RILL_OK;
}

void brochu_probes_clear(brochu *s)
{
    for (uint32_t i = 0; s->probe && i < s->sim.scene->solid_count; i++)
        mem_free(s->sim.ctx, s->probe[i].point);
    mem_free(s->sim.ctx, s->probe);
    s->probe = NULL;
}

typedef struct {
    const brochu *s;
    const brochu_probe *probe;
    const struct solid_pose *pose;
} job;

static double inside_block(void *arg, size_t begin, size_t end)
{
    const job *j = arg;
    double n = 0;
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 x = solid_to_world(j->pose, j->probe->point[i]);
        if (box_contains(j->s->box, x)) n += mesh_distance_exact(j->s->surface.distance, x, NULL) < 0;
    }
    return n;
}

double brochu_displaced(const brochu *s, double t)
{
    double volume = 0;
    if (!s->probe || !s->surface.distance) return 0;
    const rill_box near = trimesh_bounds(&s->surface.mesh);
    for (uint32_t i = 0; i < s->sim.scene->solid_count; i++) {
        solid_place room;
        if (!s->probe[i].count) continue;
        const solid_place *place = solids_place_at(&s->walls, i, t, &room);
        const rill_vec3 gap =
            v3_max(v3_sub(near.min, place->bounds.max), v3_sub(place->bounds.min, near.max));
        if (gap.x > 0 || gap.y > 0 || (gap.z > 0 && !s->flat)) continue;
        job j = {s, &s->probe[i], &place->pose};
        volume += s->probe[i].share * parallel_sum(s->sim.ctx, s->probe[i].count, inside_block, &j);
    }
    return volume;
}

void brochu_displace(brochu *s, double t)
{
    if (!s->probe) return;
    const double now = brochu_displaced(s, t), change = now - s->displaced;
    const tracker_part *part;
    size_t count, most = 0;
    tracker_parts(s->tracker, &part, &count);
    for (size_t p = 0; p < count; p++)
        if (part[p].volume > part[most].volume) most = p;
    if (count && change != 0) tracker_set_target(s->tracker, most, part[most].target + change);
    s->displaced = now;
}
