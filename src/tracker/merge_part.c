#include "tracker/merge.h"

static const double APART = 0.6; /* of the reach; nearer than half of it something begins a merge */

rill_status merge_part(merging *m, uint32_t v)
{
    tracker *t = m->t;
    tmesh *mesh = &t->mesh;
    const rill_vec3 x = mesh->x[v];
    rill_vec3 to = v3_madd(x, m->distance[v] - APART * m->reach, merge_normal(mesh, v));
    star s = star_none();
    if (!tracker_placed(t, TRACKER_MOVE, x, x, &to)) return RILL_OK;
    star_point(&s, v, x, to);
    if (!star_fan(mesh, &s, v, TMESH_NONE) || !star_free(t, &s)) return RILL_OK;
    mesh->x[v] = to;
    uint32_t c = mesh->corner[v];
    do {
        TRY(tracker_update_box(t, c / 3));
        c = corner_swing(mesh, c);
    } while (c != mesh->corner[v]);
    return RILL_OK;
}
