#include "flow/cells_solids.h"

#include "base/parallel.h"
#include "geom/voronoi/voronoi_clip.h"

enum { BLOCK = 256 };

/* The scene's solids in a domain without walls. */
static solids without_sides(const solids *s)
{
    solids out = *s;
    out.domain.open = ~0u;
    return out;
}

typedef struct {
    const solids *s;
    double t;
    const rill_vec3 *site;
    const double *clearance;
} moment;

static void distances(void *user, const uint32_t *cell, const rill_vec3 *x, size_t n, double *value)
{
    const moment *m = user;
    for (size_t i = 0; i < n; i++) {
        const double clearance = m->clearance ? m->clearance[cell[i]] : 0,
                     away = v3_distance(x[i], m->site[cell[i]]);
        /* Less than the distance, and enough for edges to be seen to be free: two such values add up to more
         * than the vertices' own distance. */
        value[i] = clearance > 2 * away ? clearance - away : solids_distance(m->s, x[i], m->t, NULL);
    }
}

rill_status cells_clip_solids(voronoi *in, const solids *s, double t, const rill_vec3 *site,
                              const double *clearance, voronoi *out)
{
    const solids alone = without_sides(s);
    moment m = {&alone, t, site, clearance};
    const voronoi_clip_def def = {
        .value = distances, .user = &m, .kind = VORONOI_SOLID, .distance = true, .site = site};
    return voronoi_clip_taking(in, &def, out);
}

typedef struct {
    const voronoi *cells;
    const solids *s;
    double t;
    const fv_cells *map;
    fv_mesh *mesh;
    uint32_t *owner;
} job;

static void wall_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    for (size_t k = begin; k < end; k++) {
        const uint32_t f = j->mesh->inner_count + (uint32_t)k;
        if (j->owner) j->owner[k] = FV_NONE;
        if (j->cells->face[j->map->face[f]].b != VORONOI_SOLID) continue;
        solid_contact c;
        if (solids_distance(j->s, j->mesh->face[f].centroid, j->t, &c) == INFINITY) continue;
        j->mesh->boundary[k].velocity = c.velocity;
        if (j->owner) j->owner[k] = c.solid;
    }
}

void cells_move_walls(const voronoi *cells, const solids *s, double t, const fv_cells *map, fv_mesh *mesh,
                      uint32_t *owner)
{
    const solids alone = without_sides(s);
    job j = {cells, &alone, t, map, mesh, owner};
    parallel_for(mesh->ctx, mesh->face_count - mesh->inner_count, BLOCK, wall_block, &j);
}
