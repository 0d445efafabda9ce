/* Semi-Lagrangian advection of normal speeds onto the new mesh: [Brochu10] stage 3. */
#include "base/parallel.h"
#include "voronoi/correct.h"
#include "voronoi/emit.h"

typedef struct {
    const brochu *s;
    const brochu_diagram *from;
    const brochu_diagram *carried; /* the same mesh with the velocities that are carried */
    brochu_diagram *d;
    brochu_origin *origin; /* [face] NULL: not wanted */
    double dt;
} job;

static const double LAYER = 0.5; /* spacings: of the liquid that a wall rubs */

/* Coulomb's law at walls and solids: the wall takes friction times the pressure of the step before out of
 * the layer of liquid next to it. Without viscosity nothing sticks. */
static rill_vec3 rubbed(const job *j, rill_vec3 x, uint32_t site, rill_vec3 u)
{
    const brochu *s = j->s;
    const double wide = LAYER * s->h,
                 push = fmax(j->from->pressure[site], 0) * j->dt / (s->sim.scene->fluid.density * wide);
    solid_contact c;
    if (s->cut && brochu_room(s, x, s->motion.time + j->dt, &c) < wide && c.friction > 0)
        u = solid_rubbed(&c, u, c.friction * push);
    for (int side = 0; side < (s->flat ? 4 : SIDE_COUNT); side++) {
        if (s->sim.scene->domain.open >> side & 1 || brochu_wall_distance(s, x, side) > wide) continue;
        c = (solid_contact){.friction = s->sim.scene->domain.friction};
        v3_set_axis(&c.normal, side_axis(side), 1);
        if (c.friction > 0) u = solid_rubbed(&c, u, c.friction * push);
    }
    return u;
}

static void face_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    brochu_diagram *d = j->d;
    brochu_faces *f = &d->faces;
    uint32_t last = SITE_NONE; /* the old site nearest to the face before, which is not far away */
    for (uint32_t e = (uint32_t)begin; e < end; e++) {
        const uint32_t a = f->site[e][0], b = f->site[e][1];
        f->valid[e] = site_real(d, a) && site_real(d, b) && (d->sites.liquid[a] || d->sites.liquid[b]) &&
                      f->area[e] > 0;
        if (!f->valid[e]) continue;
        const rill_vec3 x = brochu_clamp(j->s, f->centroid[e]);
        rill_vec3 u = brochu_look(j->s, j->from, x, &last);
        uint32_t hint = last;
        u = brochu_look(j->s, j->from, v3_madd(x, -0.5 * j->dt, u), &hint);
        const rill_vec3 origin = v3_madd(x, -j->dt, u);
        u = brochu_look(j->s, j->carried, origin, &hint);
        if (j->origin) j->origin[e] = (brochu_origin){origin, hint};
        if (j->s->rubs && hint != SITE_NONE) u = rubbed(j, x, hint, u);
        u = brochu_blown(j->s, x, u);
        f->speed[e] = v3_dot(u, f->normal[e]);
    }
}

rill_status brochu_advect(brochu *s, brochu_diagram *from, brochu_diagram *d, double dt)
{
    const arena_mark mark = arena_mark_of(&s->scratch);
    brochu_diagram carried = *from;
    if (from->mirror) carried.field = *from->mirror;
    job j = {.s = s, .from = from, .carried = &carried, .d = d, .dt = dt};
    const bool corrects = s->def.correction && from->sites.real;
    if (corrects) TRY(ARENA_NEW(&s->scratch, j.origin, d->faces.count + 1));
    parallel_for(s->sim.ctx, d->faces.count, 512, face_block, &j);
    if (corrects) TRY(brochu_correct(s, from, j.origin, d, dt));
    arena_back(&s->scratch, mark);
    return RILL_OK;
}
