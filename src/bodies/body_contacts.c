#include "bodies/body_contacts.h"

#include <stdlib.h>
#include <string.h>

#define BACK 0.05 /* of the thickness: where corners ask for normals */

rill_vec3 piece_velocity(const body_piece *p, rill_vec3 x)
{
    return v3_add(p->velocity, v3_cross(p->spin, v3_sub(x, p->center)));
}

void piece_measure(body_piece *p, int dimensions)
{
    const rill_box b = shape_bounds(p->shape);
    rill_box out = box_empty();
    double reach = 0;
    for (int k = 0; k < 8; k++) {
        const rill_vec3 corner = v3(k & 1 ? b.max.x : b.min.x, k & 2 ? b.max.y : b.min.y,
                                    dimensions == 2 ? 0
                                    : k & 4         ? b.max.z
                                                    : b.min.z);
        const rill_vec3 x = v3_finite(corner) ? solid_to_world(&p->pose, corner) : v3(NAN, NAN, NAN);
        if (!v3_finite(x)) { /* a half space, or a box without end */
            p->bounds = (rill_box){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
            p->thickness = p->reach = INFINITY;
            return;
        }
        out = box_with(out, x);
        reach = fmax(reach, v3_distance(x, p->center));
    }
    const rill_vec3 size = v3_scale(box_size(b), p->pose.scale);
    p->bounds = out;
    p->reach = reach;
    p->thickness = fmin(size.x, dimensions == 2 ? size.y : fmin(size.y, size.z));
}

/* ---- pairs ---- */

static bool boxes_meet(const rill_box *a, const rill_box *b, double margin)
{
    return a->min.x <= b->max.x + margin && b->min.x <= a->max.x + margin && a->min.y <= b->max.y + margin &&
           b->min.y <= a->max.y + margin && a->min.z <= b->max.z + margin && b->min.z <= a->max.z + margin;
}

/* Pieces by the lower end of their boxes along x; ties by number. Nearly sorted from step to step. */
static rill_status sort_pieces(rill_ctx *ctx, const body_piece *piece, uint32_t count, contact_list *list)
{
    TRY(mem_grow(ctx, &list->order, sizeof *list->order, &list->order_capacity, count));
    uint32_t *order = list->order;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i;
        for (; at > 0 && piece[order[at - 1]].bounds.min.x > piece[i].bounds.min.x; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return RILL_OK;
}

typedef struct pair_search {
    const body_piece *piece;
    int dimensions;
    double margin;
    contact_list *list; /* sorted */
} pair_search;

typedef rill_status pair_visit(void *arg, uint32_t a, uint32_t b);

/* Calls visit for every pair of pieces with a body whose boxes are within the margin; a is a body's. */
static rill_status each_pair(const pair_search *s, uint32_t count, pair_visit *visit, void *arg)
{
    const uint32_t *order = s->list->order;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++) {
            uint32_t a = order[i], b = order[j];
            if (s->piece[b].bounds.min.x > s->piece[a].bounds.max.x + s->margin) break;
            if (s->piece[a].body == CONTACT_FIXED || (b < a && s->piece[b].body != CONTACT_FIXED)) {
                const uint32_t swap = a;
                a = b;
                b = swap;
            }
            if (s->piece[a].body == CONTACT_FIXED || s->piece[a].body == s->piece[b].body) continue;
            if (boxes_meet(&s->piece[a].bounds, &s->piece[b].bounds, s->margin)) TRY(visit(arg, a, b));
        }
    return RILL_OK;
}

/* ---- the places of one pair ---- */

typedef struct candidate {
    rill_vec3 x, normal;
    double gap;
    uint32_t key;
} candidate;

static rill_vec3 flat(rill_vec3 v, int dimensions)
{
    return dimensions == 2 ? v3(v.x, v.y, 0) : v;
}

/* Sample k of `from` against `to`: the gap, and the normal of `to` there (world). Corners that meet have no
 * normal of their own: it is that a little way into `from`, where the nearest face is the one it lies on. */
static double sample_gap(const body_piece *from, uint32_t k, const body_piece *to, int dimensions,
                         rill_vec3 *x, rill_vec3 *normal)
{
    const contact_sample *s = &from->samples.sample[k];
    const double radius = s->radius * from->pose.scale, back = radius > 0 ? 0 : BACK * from->thickness;
    const rill_vec3 at = solid_to_world(&from->pose, s->x),
                    inward = solid_turned_back(&from->pose, s->inward);
    rill_vec3 n;
    const double d =
        to->pose.scale * shape_distance(to->shape, solid_to_local(&to->pose, v3_madd(at, back, inward)), &n);
    *normal = v3_unit(flat(solid_turned_back(&to->pose, n), dimensions));
    *x = v3_madd(at, -radius, *normal);
    return d - radius - back * v3_dot(inward, *normal);
}

/* Keeps the deepest and those that are farthest from what is kept already: at most CONTACTS_A_PAIR. */
static uint32_t reduce(candidate *c, uint32_t count)
{
    if (count <= CONTACTS_A_PAIR) return count;
    for (uint32_t kept = 0; kept < CONTACTS_A_PAIR; kept++) {
        uint32_t best = kept;
        double score = -INFINITY;
        for (uint32_t i = kept; i < count; i++) {
            double s = -c[i].gap;
            if (kept > 0) {
                s = INFINITY;
                for (uint32_t k = 0; k < kept; k++) s = fmin(s, v3_distance(c[i].x, c[k].x));
                if (s == 0) s = -1;
                s -= 10 * fmax(c[i].gap - c[0].gap, 0); /* what hardly touches supports little */
            }
            if (s > score) score = s, best = i;
        }
        const candidate swap = c[kept];
        c[kept] = c[best];
        c[best] = swap;
    }
    return CONTACTS_A_PAIR;
}

enum { CANDIDATES = 256 };

static void gather(const body_piece *from, const body_piece *to, bool turned, int dimensions, double margin,
                   candidate *c, uint32_t *count)
{
    const rill_box near = box_grown(to->bounds, margin);
    for (uint32_t k = 0; k < from->samples.count; k++) {
        const rill_vec3 center = solid_to_world(&from->pose, from->samples.sample[k].x);
        if (!box_contains(box_grown(near, from->samples.sample[k].radius * from->pose.scale), center))
            continue;
        candidate it = {.key = 2 * k + turned};
        it.gap = sample_gap(from, k, to, dimensions, &it.x, &it.normal);
        if (!(it.gap < margin)) continue;
        if (turned) it.normal = v3_neg(it.normal);
        if (*count == CANDIDATES) { /* in place of the one that is least near */
            uint32_t worst = 0;
            for (uint32_t i = 1; i < CANDIDATES; i++)
                if (c[i].gap > c[worst].gap) worst = i;
            if (it.gap < c[worst].gap) c[worst] = it;
        } else {
            c[(*count)++] = it;
        }
    }
}

typedef struct finding {
    rill_ctx *ctx;
    const pair_search *search;
    const body_contact *old;
    uint32_t old_count;
    body_contact *found; /* owned until it becomes the list */
    uint32_t count;
    size_t capacity;
    double nearest;
} finding;

static int compare_contacts(const void *p, const void *q)
{
    const body_contact *c = p, *d = q;
    if (c->a != d->a) return c->a < d->a ? -1 : 1;
    if (c->b != d->b) return c->b < d->b ? -1 : 1;
    return c->key < d->key ? -1 : c->key > d->key;
}

/* What a contact was pushed with when it was solved last. */
static void carry_impulse(const finding *f, body_contact *c)
{
    const body_contact *old =
        f->old_count ? bsearch(c, f->old, f->old_count, sizeof *c, compare_contacts) : NULL;
    if (old) memcpy(c->impulse, old->impulse, sizeof c->impulse);
}

static rill_status find_pair(void *arg, uint32_t a, uint32_t b)
{
    finding *f = arg;
    const pair_search *s = f->search;
    const body_piece *pa = &s->piece[a], *pb = &s->piece[b];
    candidate c[CANDIDATES];
    uint32_t count = 0;
    gather(pa, pb, false, s->dimensions, s->margin, c, &count);
    gather(pb, pa, true, s->dimensions, s->margin, c, &count);
    count = reduce(c, count);
    TRY(mem_grow(f->ctx, &f->found, sizeof *f->found, &f->capacity, (size_t)f->count + count));
    for (uint32_t k = 0; k < count; k++) {
        body_contact *to = &f->found[f->count++];
        *to = (body_contact){.a = a,
                             .b = b,
                             .key = c[k].key,
                             .x = c[k].x,
                             .normal = c[k].normal,
                             .gap = c[k].gap,
                             .friction = sqrt(pa->friction * pb->friction),
                             .restitution = fmax(pa->restitution, pb->restitution)};
        carry_impulse(f, to);
        f->nearest = fmin(f->nearest, to->gap);
    }
    return RILL_OK;
}

rill_status body_contacts_find(rill_ctx *ctx, const body_piece *piece, uint32_t count, int dimensions,
                               double margin, contact_list *list)
{
    TRY(sort_pieces(ctx, piece, count, list));
    const pair_search search = {piece, dimensions, margin, list};
    finding f = {
        .ctx = ctx, .search = &search, .old = list->contact, .old_count = list->count, .nearest = INFINITY};
    const rill_status st = each_pair(&search, count, find_pair, &f);
    if (st) {
        mem_free(ctx, f.found);
        return st;
    }
    if (f.count) qsort(f.found, f.count, sizeof *f.found, compare_contacts); /* the order of the pieces */
    mem_free(ctx, list->contact);
    list->contact = f.found;
    list->count = f.count;
    list->capacity = f.capacity;
    list->nearest = f.nearest;
    return RILL_OK;
}

/* ---- continuous in time ---- */

typedef struct timing {
    const pair_search *search;
    double touching, safe;
} timing;

/* The fastest that any point of one comes at any point of the other. */
static double approach(const body_piece *a, const body_piece *b)
{
    const double turning = v3_length(a->spin) * a->reach;
    double speed = v3_length(v3_sub(a->velocity, piece_velocity(b, a->center))) + turning;
    const double other = v3_length(b->spin);
    if (other > 0) speed += other * a->reach;
    return speed;
}

static rill_status time_pair(void *arg, uint32_t a, uint32_t b)
{
    timing *w = arg;
    const pair_search *s = w->search;
    const body_piece *pa = &s->piece[a], *pb = &s->piece[b];
    const double speed = approach(pa, pb), least = 0.25 * fmin(pa->thickness, pb->thickness);
    if (speed * w->safe <= least) return RILL_OK;
    double gap = INFINITY;
    rill_vec3 x, normal;
    for (uint32_t k = 0; k < pa->samples.count; k++)
        gap = fmin(gap, sample_gap(pa, k, pb, s->dimensions, &x, &normal));
    for (uint32_t k = 0; k < pb->samples.count; k++)
        gap = fmin(gap, sample_gap(pb, k, pa, s->dimensions, &x, &normal));
    w->safe = fmin(w->safe, fmax(gap - w->touching, least) / speed);
    return RILL_OK;
}

rill_status body_contacts_safe_time(rill_ctx *ctx, const body_piece *piece, uint32_t count, int dimensions,
                                    double touching, double dt, contact_list *scratch, double *out)
{
    double fastest = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double turning = v3_length(piece[i].spin);
        fastest = fmax(fastest, v3_length(piece[i].velocity) + (turning > 0 ? turning * piece[i].reach : 0));
    }
    TRY(sort_pieces(ctx, piece, count, scratch));
    const pair_search search = {piece, dimensions, 2 * fastest * dt, scratch};
    timing w = {&search, touching, dt};
    TRY(each_pair(&search, count, time_pair, &w));
    *out = w.safe;
    return RILL_OK;
}

void body_contacts_clear(rill_ctx *ctx, contact_list *list)
{
    mem_free(ctx, list->contact);
    mem_free(ctx, list->order);
    *list = (contact_list){0};
}
