#include "voronoi/near.h"

#include <string.h>

typedef struct {
    int64_t i, j, k;
} place;

static place place_of(const brochu_near *n, rill_vec3 x)
{
    return (place){(int64_t)floor(x.x / n->cell), (int64_t)floor(x.y / n->cell),
                   (int64_t)floor(x.z / n->cell)};
}

static uint32_t slot(const brochu_near *n, place p)
{
    return ((uint32_t)p.i * 73856093u ^ (uint32_t)p.j * 19349663u ^ (uint32_t)p.k * 83492791u) & n->mask;
}

rill_status brochu_near_init(rill_arena *arena, double cell, uint32_t most, brochu_near *out)
{
    uint32_t slots = 1024;
    while (slots < most && slots < 1u << 28) slots *= 2;
    *out = (brochu_near){.cell = cell, .mask = slots - 1, .room = most};
    TRY(ARENA_NEW(arena, out->head, slots));
    TRY(ARENA_NEW(arena, out->next, most));
    memset(out->head, 255, slots * sizeof *out->head);
    return RILL_OK;
}

void brochu_near_add(brochu_near *n, const brochu_sites *sites, uint32_t i)
{
    const uint32_t k = slot(n, place_of(n, sites->x[i]));
    n->next[i] = n->head[k];
    n->head[k] = i;
}

bool brochu_near_any(const brochu_near *n, const brochu_sites *sites, rill_vec3 x, bool liquid, double same,
                     double other)
{
    const place p = place_of(n, x);
    const double same2 = same * same, other2 = other * other;
    for (int64_t i = p.i - 1; i <= p.i + 1; i++)
        for (int64_t j = p.j - 1; j <= p.j + 1; j++)
            for (int64_t k = p.k - 1; k <= p.k + 1; k++)
                for (uint32_t c = n->head[slot(n, (place){i, j, k})]; c != SITE_NONE; c = n->next[c]) {
                    const rill_vec3 d = v3_sub(sites->x[c], x);
                    if (v3_dot(d, d) < ((sites->liquid[c] != 0) == liquid ? same2 : other2)) return true;
                }
    return false;
}
