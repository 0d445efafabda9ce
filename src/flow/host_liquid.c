/* Liquid that a host adds: places on the domain's lattice that are free. */
#include "flow/host.h"

static const double apart = 0.9; /* spacings between a new particle and any other */

/* Places of the lattice in the shape's bounds and the domain. */
typedef struct places {
    rill_vec3 origin; /* the middle of the domain's first cell */
    double h;
    int64_t begin[3], size[3];
    uint8_t *taken; /* owned: 1 where another particle is too near */
} places;

static rill_vec3 place(const places *l, int64_t i, int64_t j, int64_t k)
{
    return v3_add(l->origin, v3((double)(l->begin[0] + i) * l->h, (double)(l->begin[1] + j) * l->h,
                                (double)(l->begin[2] + k) * l->h));
}

static rill_status places_init(rill_sim *sim, const shape *form, places *out)
{
    const scene_domain *d = &sim->scene->domain;
    const rill_box b = shape_bounds(form);
    const double h = scene_particle_spacing(sim->scene);
    places l = {.origin = v3_add(d->min, v3(h / 2, h / 2, h / 2)), .h = h};
    double count = 1;
    for (int k = 0; k < 3; k++) {
        const double from = fmax(v3_axis(b.min, k), v3_axis(d->min, k)),
                     to = fmin(v3_axis(b.max, k), v3_axis(d->max, k));
        const double first = floor((from - v3_axis(l.origin, k)) / h),
                     last = ceil((to - v3_axis(l.origin, k)) / h);
        if (k == 2 && sim->scene->dimensions == 2) {
            l.origin.z = 0;
            l.size[2] = 1;
            continue;
        }
        if (!(last >= first)) {
            count = 0;
            continue;
        }
        count *= last - first + 1;
        if (!(count < 2147483648.0))
            return rill_fail(sim->ctx, RILL_BAD_SCENE,
                             "the added liquid has room for %.3g particles; give a smaller shape", count);
        l.begin[k] = (int64_t)first;
        l.size[k] = (int64_t)(last - first) + 1;
    }
    if (count == 0) l.size[0] = l.size[1] = l.size[2] = 0;
    TRY(MEM_NEW_ZERO(sim->ctx, l.taken, (size_t)(l.size[0] * l.size[1] * l.size[2])));
    *out = l;
    return RILL_OK;
}

/* The place of a lattice nearest to x along an axis, among those of the range. */
static void near_range(const places *l, rill_vec3 x, int axis, int64_t *from, int64_t *to)
{
    const double at = (v3_axis(x, axis) - v3_axis(l->origin, axis)) / l->h - (double)l->begin[axis];
    *from = *to = 0;
    if (!(at > -2 && at < (double)l->size[axis] + 1)) {
        *to = -1;
        return;
    }
    *from = (int64_t)fmax(ceil(at - apart), 0);
    *to = (int64_t)fmin(floor(at + apart), (double)(l->size[axis] - 1));
}

static void take_near(places *l, const particles *p)
{
    const double reach = apart * l->h;
    for (size_t n = 0; n < p->count; n++) {
        int64_t from[3], to[3];
        for (int a = 0; a < 3; a++) near_range(l, p->position[n], a, &from[a], &to[a]);
        for (int64_t k = from[2]; k <= to[2]; k++)
            for (int64_t j = from[1]; j <= to[1]; j++)
                for (int64_t i = from[0]; i <= to[0]; i++)
                    if (v3_distance(place(l, i, j, k), p->position[n]) < reach)
                        l->taken[i + l->size[0] * (j + l->size[1] * k)] = 1;
    }
}

static bool is_free(const rill_sim *sim, const places *l, const shape *form, rill_vec3 x)
{
    return shape_distance(form, x, NULL) < 0 &&
           solids_distance(&sim->solids, x, sim->time, NULL) >= (0.5 - 1e-9) * l->h;
}

rill_status host_add_liquid(rill_sim *sim, const scene_liquid *liquid, uint64_t *added)
{
    host *h = sim->host;
    rill_view view = {0};
    sim_view(sim, &view);
    places l = {0};
    TRY(places_init(sim, &liquid->shape, &l));
    if (view.particles) take_near(&l, view.particles);
    take_near(&l, &h->liquid);
    const size_t before = h->liquid.count;
    rill_status st = RILL_OK;
    for (int64_t k = 0; k < l.size[2]; k++)
        for (int64_t j = 0; j < l.size[1]; j++)
            for (int64_t i = 0; !st && i < l.size[0]; i++) {
                if (l.taken[i + l.size[0] * (j + l.size[1] * k)]) continue;
                const rill_vec3 x = place(&l, i, j, k);
                if (!is_free(sim, &l, &liquid->shape, x)) continue;
                const rill_vec3 v = velocity_field_at(&liquid->velocity, &sim->scene->domain, x);
                st = particles_append(sim->ctx, &h->liquid, 1, &x, &v);
            }
    mem_free(sim->ctx, l.taken);
    if (st) {
        h->liquid.count = before;
        return st;
    }
    *added = h->liquid.count - before;
    h->added += *added;
    h->changed |= *added > 0;
    return RILL_OK;
}
