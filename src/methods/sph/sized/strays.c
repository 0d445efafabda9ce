/* Strays: particles that leave those around them, as a drop that falls past others, or one squeezed out of a
 * crack.
 *
 * Lists remain valid while the particles of a leaf stay together (kept.c). The few that do not, some dozens
 * of tens of thousands, would force the lists of all leaves around them to be rebuilt every few steps. They
 * are left out of the bounds of their leaf; instead their neighbours are searched in every step, and both
 * are added to each other's lists where they are missing (joins.c), until the lists of their leaf are
 * rebuilt. A leaf with many candidates has none: it becomes stale as a whole. */
#include "sph/sized/sized.h"

#include <math.h>
#include <string.h>

enum { STRAYS_OF_LEAF = 8 };
static const double ASTRAY = 0.5; /* fraction of the skin; a larger deviation would make the leaf stale */

rill_status sized_begin_strays(sph *s)
{
    sized_state *a = s->sized;
    const size_t most = s->particles.count / 32 + 16;
    TRY(ARENA_NEW(&s->step.arena, a->strays.is_stray, s->particles.count + 1));
    TRY(ARENA_NEW(&s->step.arena, a->strays.particle, most));
    memset(a->strays.is_stray, 0, s->particles.count);
    a->strays.count = 0;
    a->strays.capacity = most;
    return RILL_OK;
}

void sized_release_strays(sph *s, leaf_set some)
{
    sized_state *a = s->sized;
    for (size_t n = 0; n < some.count; n++) {
        const sized_node *c = sized_leaf(&a->points, leaf_at(&some, n));
        memset(a->strays.is_stray + c->begin, 0, c->end - c->begin);
    }
    size_t left = 0;
    for (size_t n = 0; n < a->strays.count; n++)
        if (a->strays.is_stray[a->strays.particle[n]]) a->strays.particle[left++] = a->strays.particle[n];
    a->strays.count = left;
}

static double off2(const sph *s, const leaf_motion *w, const leaf_shape *f, size_t i)
{
    const rill_vec3 listed = s->sized->kept.position[i];
    const rill_vec3 way = v3_sub(v3_sub(s->particles.position[i], listed), w->mean);
    const rill_vec3 e = v3_sub(way, v3_cross(w->turn, v3_sub(listed, f->middle)));
    return v3_dot(e, e);
}

static double stray_limit2(const leaf_shape *f)
{
    const double limit = ASTRAY * LIST_SKIN * f->radius;
    return limit * limit;
}

void sized_leaf_spread(sph *s, size_t k)
{
    sized_state *a = s->sized;
    const sized_node *n = sized_leaf(&a->points, k);
    const leaf_shape *f = &a->kept.shape[k];
    leaf_motion *w = &a->kept.motion[k];
    const double limit2 = stray_limit2(f);
    double most = 0, without = 0;
    w->strays = 0;
    for (uint32_t i = n->begin; i < n->end; i++) {
        if (a->strays.is_stray[i]) continue;
        const double e2 = off2(s, w, f, i);
        if (e2 > limit2)
            w->strays++;
        else if (e2 > without)
            without = e2;
        if (e2 > most) most = e2;
    }
    w->off = sqrt(most);
    w->off_without = sqrt(without);
}

void sized_admit_strays(sph *s)
{
    sized_state *a = s->sized;
    for (size_t k = 0; k < a->points.leaves; k++) {
        leaf_motion *w = &a->kept.motion[k];
        if (w->strays == 0 || w->strays > STRAYS_OF_LEAF || a->strays.count + w->strays > a->strays.capacity)
            continue;
        const sized_node *n = sized_leaf(&a->points, k);
        const double limit2 = stray_limit2(&a->kept.shape[k]);
        for (uint32_t i = n->begin; i < n->end; i++) {
            if (a->strays.is_stray[i] || !(off2(s, w, &a->kept.shape[k], i) > limit2)) continue;
            a->strays.is_stray[i] = 1;
            a->strays.particle[a->strays.count++] = i;
        }
        w->off = w->off_without;
    }
}
