#include "tets/spots.h"

#include <string.h>

static uint32_t slot(const spots *s, int64_t i, int64_t j, int64_t k)
{
    return ((uint32_t)i * 73856093u ^ (uint32_t)j * 19349663u ^ (uint32_t)k * 83492791u) & s->mask;
}

static int64_t along(const spots *s, double x)
{
    return (int64_t)floor(x / s->cell);
}

rill_status spots_init(rill_ctx *ctx, spots *s, double cell, size_t expected)
{
    uint32_t slots = 1024;
    while (slots < 2 * expected && slots < 1u << 26) slots *= 2;
    *s = (spots){.ctx = ctx, .cell = cell, .mask = slots - 1};
    TRY(MEM_NEW(ctx, s->head, slots));
    memset(s->head, 0xff, slots * sizeof *s->head);
    return RILL_OK;
}

void spots_clear(spots *s)
{
    if (!s->ctx) return;
    mem_free(s->ctx, s->head);
    mem_free(s->ctx, s->x);
    mem_free(s->ctx, s->normal);
    mem_free(s->ctx, s->next);
    *s = (spots){0};
}

rill_status spots_add(spots *s, rill_vec3 x, rill_vec3 normal)
{
    const size_t need = (size_t)s->count + 1;
    if (need > s->capacity) TRY(mem_grow(s->ctx, &s->x, sizeof *s->x, &s->capacity, need));
    if (need > s->next_capacity) TRY(mem_grow(s->ctx, &s->next, sizeof *s->next, &s->next_capacity, need));
    if (need > s->normal_capacity)
        TRY(mem_grow(s->ctx, &s->normal, sizeof *s->normal, &s->normal_capacity, need));
    const uint32_t at = slot(s, along(s, x.x), along(s, x.y), along(s, x.z));
    s->x[s->count] = x;
    s->normal[s->count] = normal;
    s->next[s->count] = s->head[at];
    s->head[at] = s->count++;
    return RILL_OK;
}

uint32_t spots_nearest(const spots *s, rill_vec3 x, double r, rill_vec3 normal, double agree)
{
    const int64_t i0 = along(s, x.x - r), i1 = along(s, x.x + r), j0 = along(s, x.y - r),
                  j1 = along(s, x.y + r), k0 = along(s, x.z - r), k1 = along(s, x.z + r);
    double best = r * r;
    uint32_t found = SPOT_NONE;
    for (int64_t k = k0; k <= k1; k++)
        for (int64_t j = j0; j <= j1; j++)
            for (int64_t i = i0; i <= i1; i++)
                for (uint32_t p = s->head[slot(s, i, j, k)]; p != SPOT_NONE; p = s->next[p]) {
                    const rill_vec3 d = v3_sub(s->x[p], x);
                    const double d2 = v3_dot(d, d);
                    if (d2 > best || v3_dot(normal, s->normal[p]) < agree) continue;
                    if (d2 == best && (found == SPOT_NONE || p > found)) continue; /* the oldest of equals */
                    best = d2;
                    found = p;
                }
    return found;
}
