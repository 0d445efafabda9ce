/* Velocities beyond the liquid, and at faces and sites: [Brochu10] section 6, steps 2 to 4. Breadth first
 * over tetrahedra: what is unknown takes the mean of its neighbours that are known from the layers before. */
#include "base/parallel.h"
#include "voronoi/fit.h"
#include "voronoi/state.h"

enum { LAYERS = 24, UNKNOWN = 0, KNOWN = 1, QUEUED = 2 };

typedef struct {
    brochu *s;
    brochu_diagram *d;
    const uint32_t *front;
    bool linear;
} job;

/* Axes along which every site off the wall is an image: the velocity there is the mirrored one. */
static uint8_t beyond(const brochu_diagram *d, uint32_t t)
{
    const uint32_t *v = d->tets.tet[t].v;
    uint8_t axes = 0;
    for (int i = 0; i < 4; i++) axes |= d->sites.turned[v[i]];
    for (int i = 0; axes && i < 4; i++) {
        const uint32_t r = d->sites.of[v[i]];
        if (!site_real(d, r)) continue;
        for (int axis = 0; axis < 3; axis++)
            if (!(d->sites.turned[v[i]] >> axis & 1) && !(d->sites.wall[r] >> (2 * axis) & 3))
                axes &= (uint8_t) ~(1 << axis);
    }
    return axes;
}

static bool has_real(const brochu_diagram *d, uint32_t t)
{
    for (int i = 0; i < 4; i++)
        if (site_real(d, d->tets.tet[t].v[i])) return true;
    return false;
}

/* Air between liquid and a wall takes the liquid's velocity, the part toward the wall as well: with that part
 * zero, falling liquid would slow down above the floor, and lose volume. Beyond a wall velocities are the
 * mirrored ones: means are taken on the inner side. */
static void layer_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    brochu_diagram *d = j->d;
    for (size_t k = begin; k < end; k++) {
        const uint32_t t = j->front[k];
        rill_vec3 sum = {0};
        int n = 0;
        for (int i = 0; i < 4; i++) {
            const uint32_t b = d->tets.tet[t].neighbour[i] >> 2;
            if (b >= d->tet_count || d->field.known[b] != KNOWN) continue;
            sum = v3_add(sum, turned(d->field.vertex[b], beyond(d, b)));
            n++;
        }
        d->field.vertex[t] = turned(v3_scale(sum, n ? 1.0 / n : 0), beyond(d, t));
    }
}

static uint32_t first_front(brochu_diagram *d, uint32_t *front)
{
    uint32_t n = 0;
    for (uint32_t t = 0; t < d->tet_count; t++) {
        if (d->field.known[t] != UNKNOWN || !has_real(d, t)) continue;
        for (int i = 0; i < 4; i++) {
            const uint32_t b = d->tets.tet[t].neighbour[i] >> 2;
            if (b >= d->tet_count || d->field.known[b] != KNOWN) continue;
            d->field.known[t] = QUEUED;
            front[n++] = t;
            break;
        }
    }
    return n;
}

static uint32_t next_front(brochu_diagram *d, const uint32_t *front, uint32_t count, uint32_t *next)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < count; k++) d->field.known[front[k]] = KNOWN;
    for (uint32_t k = 0; k < count; k++)
        for (int i = 0; i < 4; i++) {
            const uint32_t b = d->tets.tet[front[k]].neighbour[i] >> 2;
            if (b >= d->tet_count || d->field.known[b] != UNKNOWN || !has_real(d, b)) continue;
            d->field.known[b] = QUEUED;
            next[n++] = b;
        }
    return n;
}

/* At the centroid: the mean of the corners, brought there by the gradient; E-R11. */
static void face_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    brochu_diagram *d = j->d;
    const brochu_faces *f = &d->faces;
    for (uint32_t e = (uint32_t)begin; e < end; e++) {
        rill_vec3 u = {0}, place = {0};
        uint32_t n = 0;
        for (uint32_t k = f->ring_first[e]; k < f->ring_first[e + 1]; k++) {
            if (d->field.known[f->ring[k]] != KNOWN) continue;
            u = v3_add(u, d->field.vertex[f->ring[k]]);
            place = v3_add(place, d->centre[f->ring[k]]);
            n++;
        }
        if (n) u = v3_scale(u, 1.0 / n);
        int liquid = 0;
        rill_vec3 change = {0}, way = n ? v3_sub(f->centroid[e], v3_scale(place, 1.0 / n)) : place;
        const double far = v3_length(way), most = 2 * j->s->h;
        if (far > most) way = v3_scale(way, most / far);
        for (int i = 0; i < 2; i++) {
            const uint32_t q = f->site[e][i];
            if (!site_real(d, q) || !d->sites.liquid[q]) continue;
            liquid++;
            change = v3_add(change, gradient_along(d->field.gradient[q], way));
        }
        if (j->linear && liquid && n) u = v3_madd(u, 1.0 / liquid, change);
        const bool wall = brochu_wall_face(d, e) && liquid;
        if (wall || (f->valid[e] && (liquid == 2 || !j->linear)))
            u = v3_madd(u, (f->valid[e] ? f->speed[e] : 0) - v3_dot(u, f->normal[e]), f->normal[e]);
        d->field.face[e] = u;
    }
}

static void site_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    brochu_diagram *d = j->d;
    for (uint32_t i = (uint32_t)begin; i < end; i++) {
        if (j->linear && d->sites.liquid[i]) {
            d->field.site[i] = d->field.fit[i];
            continue;
        }
        rill_vec3 sum = {0};
        uint32_t n = 0; /* every corner is in three faces: it counts three times */
        for (uint32_t k = d->first[i]; k < d->first[i + 1]; k++) {
            const uint32_t e = d->link[k];
            for (uint32_t r = d->faces.ring_first[e]; r < d->faces.ring_first[e + 1]; r++) {
                if (d->field.known[d->faces.ring[r]] != KNOWN) continue;
                sum = v3_add(sum, d->field.vertex[d->faces.ring[r]]);
                n++;
            }
        }
        d->field.site[i] = v3_scale(sum, n ? 1.0 / n : 0);
    }
}

rill_status brochu_extrapolate(brochu *s, brochu_diagram *d)
{
    rill_ctx *ctx = s->sim.ctx;
    const arena_mark mark = arena_mark_of(&s->scratch);
    uint32_t *front, *next;
    TRY(ARENA_NEW(&s->scratch, front, d->tet_count));
    TRY(ARENA_NEW(&s->scratch, next, d->tet_count));
    job j = {.s = s, .d = d, .linear = s->def.interpolant == BROCHU_LINEAR};
    uint32_t count = first_front(d, front);
    for (int layer = 0; layer < LAYERS && count; layer++) {
        j.front = front;
        parallel_for(ctx, count, 512, layer_block, &j);
        count = next_front(d, front, count, next);
        uint32_t *swap = front;
        front = next;
        next = swap;
    }
    parallel_for(ctx, d->faces.count, 1024, face_block, &j);
    parallel_for(ctx, d->sites.real, BROCHU_BLOCK, site_block, &j);
    arena_back(&s->scratch, mark);
    return RILL_OK;
}
