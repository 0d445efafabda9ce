/* Particles that go their own way: a drop that falls past others, one squeezed out of a crack.
 *
 * Lists serve as long as the particles of a leaf stay together (kept.c). A few that do not would have the
 * lists of all leaves around them made anew every few steps, and are some dozens of tens of thousands. They
 * are left out of what is said of their leaf; instead, in every step, their neighbours are looked for, and
 * the two are put into each other's lists where they are not (joins.c). That holds until their leaf is listed
 * again. Where many of a leaf go astray, it is the leaf that does. */
#include "sph/levels.h"

#include <math.h>
#include <string.h>

enum { STRAYS_OF_LEAF = 8 };
static const double ASTRAY = 0.5; /* of the skin: what its leaf would be listed anew for */

rill_status levels_begin_strays(sph *s)
{
    struct levels *a = s->levels;
    const size_t most = s->particles.count / 32 + 16;
    TRY(ARENA_NEW(&s->scratch, a->astray, s->particles.count + 1));
    TRY(ARENA_NEW(&s->scratch, a->stray, most));
    memset(a->astray, 0, s->particles.count);
    a->strays = 0;
    a->strays_most = most;
    return RILL_OK;
}

void levels_release_strays(sph *s, leaf_choice some)
{
    struct levels *a = s->levels;
    for (size_t n = 0; n < some.count; n++) {
        const sized_node *c = sized_leaf(&a->points, leaf_chosen(&some, n));
        memset(a->astray + c->begin, 0, c->end - c->begin);
    }
    size_t left = 0;
    for (size_t n = 0; n < a->strays; n++)
        if (a->astray[a->stray[n]]) a->stray[left++] = a->stray[n];
    a->strays = left;
}

static double off2(const sph *s, const leaf_way *w, const leaf_form *f, size_t i)
{
    const rill_vec3 listed = s->levels->listed[i];
    const rill_vec3 way = v3_sub(v3_sub(s->particles.position[i], listed), w->mean);
    const rill_vec3 e = v3_sub(way, v3_cross(w->turn, v3_sub(listed, f->middle)));
    return v3_dot(e, e);
}

static double stray_limit2(const leaf_form *f)
{
    const double limit = ASTRAY * LEVELS_SKIN * f->radius;
    return limit * limit;
}

void levels_off(sph *s, size_t k)
{
    struct levels *a = s->levels;
    const sized_node *n = sized_leaf(&a->points, k);
    const leaf_form *f = &a->leaf_form[k];
    leaf_way *w = &a->leaf_way[k];
    const double limit2 = stray_limit2(f);
    double most = 0, without = 0;
    w->strays = 0;
    for (uint32_t i = n->begin; i < n->end; i++) {
        if (a->astray[i]) continue;
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

void levels_admit_strays(sph *s)
{
    struct levels *a = s->levels;
    for (size_t k = 0; k < a->points.leaves; k++) {
        leaf_way *w = &a->leaf_way[k];
        if (w->strays == 0 || w->strays > STRAYS_OF_LEAF || a->strays + w->strays > a->strays_most) continue;
        const sized_node *n = sized_leaf(&a->points, k);
        const double limit2 = stray_limit2(&a->leaf_form[k]);
        for (uint32_t i = n->begin; i < n->end; i++) {
            if (a->astray[i] || !(off2(s, w, &a->leaf_form[k], i) > limit2)) continue;
            a->astray[i] = 1;
            a->stray[a->strays++] = i;
        }
        w->off = w->off_without;
    }
}
