#include "grid/pressure/components.h"

typedef struct walk {
    const level *l;
    uint32_t *label; /* while walking: number of the part, plus 1; 0 not seen */
    uint32_t *stack; /* indices */
} walk;

/* Walks over the part of `seed`; true when none of its cells has air. */
static bool walk_part(walk *w, uint32_t seed, uint32_t number, uint32_t *size)
{
    const level *l = w->l;
    bool closed = true;
    uint32_t n = 0;
    w->stack[n++] = seed;
    w->label[seed] = number;
    *size = 0;
    while (*size < n) { /* the stack keeps all it has held */
        const place p = level_place(l, w->stack[(*size)++]);
        const size_t cell = (size_t)l->source[p.tile] * l->cells + cell_of(p);
        closed &= l->e[cell] == 0;
        const int at[3] = {p.x, p.y, p.z}, side[3] = {8, 8, l->planes};
        for (int d = 0; d < (l->planes == 1 ? 4 : 6); d++) {
            const int axis = d / 2, up = d & 1;
            int q[3] = {at[0], at[1], at[2]};
            uint32_t tile = p.tile;
            q[axis] += up ? 1 : -1;
            if (q[axis] < 0 || q[axis] == side[axis]) {
                tile = l->near[p.tile][d];
                q[axis] = up ? 0 : side[axis] - 1;
            }
            if (tile == l->tiles) continue;
            const size_t other = (size_t)l->source[tile] * l->cells + (size_t)((q[2] * 8 + q[1]) * 8 + q[0]);
            if (!l->active[other] || !(l->plus[axis][up ? cell : other] > 0)) continue;
            const uint32_t index = level_index(l, tile, q[0], q[1], q[2]);
            if (w->label[index]) continue;
            w->label[index] = number;
            w->stack[n++] = index;
        }
    }
    return closed;
}

rill_status components_label(rill_arena *memory, rill_arena *scratch, const level *l, uint32_t **label,
                             uint32_t *count)
{
    walk w = {.l = l};
    TRY(ARENA_NEW(memory, w.label, l->length));
    TRY(ARENA_NEW(scratch, w.stack, l->length));
    memset(w.label, 0, l->length * sizeof *w.label);
    const uint32_t open = NO_NODE; /* part with air */
    uint32_t parts = 0;
    for (uint32_t t = 0; t < l->tiles; t++)
        for (uint32_t k = 0; k < l->cells; k++) {
            if (!l->active[(size_t)l->source[t] * l->cells + k]) continue;
            const uint32_t index = level_index(l, t, (int)(k & 7), (int)(k >> 3 & 7), (int)(k >> 6));
            if (w.label[index]) continue;
            uint32_t size;
            if (walk_part(&w, index, parts + 1, &size)) {
                parts++;
                continue;
            }
            for (uint32_t i = 0; i < size; i++) w.label[w.stack[i]] = open;
        }
    for (size_t i = 0; i < l->length; i++)
        w.label[i] = w.label[i] == 0 || w.label[i] == open ? NO_NODE : w.label[i] - 1;
    *label = parts ? w.label : NULL;
    *count = parts;
    return RILL_OK;
}
