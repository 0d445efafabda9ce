/* Semi-Lagrangian advection of normal speeds onto the new mesh: [Brochu10] stage 3. */
#include "base/parallel.h"
#include "voronoi/emit.h"

typedef struct {
    const brochu *s;
    const brochu_diagram *from;
    brochu_diagram *d;
    double dt;
} job;

static void face_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    brochu_diagram *d = j->d;
    brochu_faces *f = &d->faces;
    for (uint32_t e = (uint32_t)begin; e < end; e++) {
        const uint32_t a = f->site[e][0], b = f->site[e][1];
        f->valid[e] = site_real(d, a) && site_real(d, b) && (d->sites.liquid[a] || d->sites.liquid[b]) &&
                      f->area[e] > 0;
        if (!f->valid[e]) continue;
        const rill_vec3 x = brochu_clamp(j->s, f->centroid[e]);
        uint32_t hint = SITE_NONE;
        rill_vec3 u = brochu_look(j->s, j->from, x, &hint);
        u = brochu_look(j->s, j->from, v3_madd(x, -0.5 * j->dt, u), &hint);
        u = brochu_look(j->s, j->from, v3_madd(x, -j->dt, u), &hint);
        u = brochu_blown(j->s, x, u);
        f->speed[e] = v3_dot(u, f->normal[e]);
    }
}

rill_status brochu_advect(brochu *s, const brochu_diagram *from, brochu_diagram *d, double dt)
{
    job j = {s, from, d, dt};
    parallel_for(s->sim.ctx, d->faces.count, 512, face_block, &j);
    return RILL_OK;
}
