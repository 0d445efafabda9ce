/* Distances made anew from a level set, [Braley] 4.3.3: fast marching and fast sweeping.
 *
 * Cells next to the surface keep their place of it: the value over the length of its
 * gradient (docs/grid.md E-B8). From them the distance is carried on by the upwind eikonal
 * update; marching takes cells nearest first, by a heap (O(n log n)), sweeping goes over all
 * cells in every direction until nothing changes (O(n); docs/grid.md E-B9). Both solve the
 * same equations. Beyond the band the distance stays at the band's width. */
#include "grid/redistance.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    float distance;
    uint32_t cell;
} heap_entry;

typedef struct {
    const grid_tiles *t;
    const float *room;     /* 0: a wall, no part of this; NULL: no walls */
    const uint8_t *parted; /* bit a: a thin wall is on the cell's minus face of axis a; NULL: no such walls */
    const float *phi;      /* what was given: signs, and the surface */
    float *d;              /* distance, positive */
    uint8_t *state;        /* of a cell */
    float band;
    heap_entry *heap; /* every cell may enter once per neighbour */
    size_t size;
} distance_job;

enum { FAR, SURFACE, DONE };

static size_t neighbour(const distance_job *j, size_t cell, int axis, int step)
{
    const grid_tiles *t = j->t;
    const uint32_t tile = (uint32_t)(cell / (size_t)t->cells);
    const int c = (int)(cell % (size_t)t->cells);
    int at[3] = {c % 8, c / 8 % 8, c / 64};
    at[axis] += step;
    const size_t n = grid_cell_near(t, tile, at[0], at[1], at[2]);
    if (n == SIZE_MAX || (j->room && j->room[n] == 0)) return SIZE_MAX;
    return j->parted && j->parted[step < 0 ? cell : n] & 1u << axis ? SIZE_MAX : n;
}

/* Distance of a cell next to the surface; negative: it is not next to it. */
static float surface_distance(const distance_job *j, size_t i)
{
    const float here = j->phi[i];
    bool crossed = false;
    float slope2 = 0;
    for (int a = 0; a < j->t->dimensions; a++) {
        float most = 0;
        for (int step = -1; step <= 1; step += 2) {
            const size_t n = neighbour(j, i, a, step);
            if (n == SIZE_MAX) continue;
            const bool other = (j->phi[n] < 0) != (here < 0);
            const float difference = fabsf(j->phi[n] - here);
            crossed |= other;
            if (difference > most) most = difference;
        }
        slope2 += most * most;
    }
    if (!crossed) return -1;
    /* Near enough to a distance it is kept: its neighbours farther out are of first order only,
     * and a liquid at rest would see the surface move. */
    if (slope2 > 0.64f && slope2 < 1.5625f) return fabsf(here);
    return fabsf(here) / (slope2 > 1e-8f ? sqrtf(slope2) : 1e-4f);
}

/* The upwind eikonal update from the smaller neighbour along each axis, on the same side. */
static float updated(const distance_job *j, size_t i, uint8_t least_state)
{
    float v[3];
    int n = 0;
    for (int a = 0; a < j->t->dimensions; a++) {
        float low = INFINITY;
        for (int step = -1; step <= 1; step += 2) {
            const size_t k = neighbour(j, i, a, step);
            if (k == SIZE_MAX || j->state[k] < least_state || (j->phi[k] < 0) != (j->phi[i] < 0)) continue;
            if (j->d[k] < low) low = j->d[k];
        }
        if (low == INFINITY) continue;
        int at = n++;
        for (; at > 0 && v[at - 1] > low; at--) v[at] = v[at - 1];
        v[at] = low;
    }
    if (n == 0) return INFINITY;
    float d = v[0] + 1;
    if (n > 1 && d > v[1]) {
        const float b = v[0] + v[1], c = v[0] - v[1];
        d = 0.5f * (b + sqrtf(fmaxf(2 - c * c, 0)));
        if (n > 2 && d > v[2]) {
            const float sum = b + v[2], squares = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
            d = (sum + sqrtf(fmaxf(sum * sum - 3 * (squares - 1), 0))) / 3;
        }
    }
    return d;
}

/* --- marching --- */

static bool before(heap_entry a, heap_entry b)
{
    return a.distance < b.distance || (a.distance == b.distance && a.cell < b.cell);
}

static void heap_push(distance_job *j, heap_entry e)
{
    size_t at = j->size++;
    for (; at > 0 && before(e, j->heap[(at - 1) / 2]); at = (at - 1) / 2) j->heap[at] = j->heap[(at - 1) / 2];
    j->heap[at] = e;
}

static heap_entry heap_pop(distance_job *j)
{
    const heap_entry top = j->heap[0], e = j->heap[--j->size];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= j->size) break;
        if (child + 1 < j->size && before(j->heap[child + 1], j->heap[child])) child++;
        if (!before(j->heap[child], e)) break;
        j->heap[at] = j->heap[child];
        at = child;
    }
    j->heap[at] = e;
    return top;
}

static void offer_neighbours(distance_job *j, size_t i)
{
    for (int a = 0; a < j->t->dimensions; a++)
        for (int step = -1; step <= 1; step += 2) {
            const size_t n = neighbour(j, i, a, step);
            if (n == SIZE_MAX || j->state[n] != FAR || (j->phi[n] < 0) != (j->phi[i] < 0)) continue;
            const float d = updated(j, n, SURFACE);
            if (!(d < j->d[n]) || d > j->band) continue;
            j->d[n] = d;
            heap_push(j, (heap_entry){d, (uint32_t)n});
        }
}

static void march(distance_job *j, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (j->state[i] == SURFACE) offer_neighbours(j, i);
    while (j->size) {
        const heap_entry e = heap_pop(j);
        if (j->state[e.cell] != FAR || e.distance > j->d[e.cell]) continue; /* known better since */
        j->state[e.cell] = DONE;
        offer_neighbours(j, e.cell);
    }
}

/* --- sweeping --- */

typedef struct {
    int32_t key[3];
    uint32_t tile;
} swept;

static int by_key(const void *a, const void *b)
{
    const swept *p = a, *q = b;
    for (int k = 2; k >= 0; k--)
        if (p->key[k] != q->key[k]) return p->key[k] < q->key[k] ? -1 : 1;
    return 0;
}

/* All cells once, along the signs; the largest change. */
static float sweep(distance_job *j, const int sign[3], swept *order)
{
    const grid_tiles *t = j->t;
    for (uint32_t i = 0; i < t->count; i++) {
        for (int a = 0; a < 3; a++) order[i].key[a] = sign[a] * t->map.block[i][a];
        order[i].tile = i;
    }
    qsort(order, t->count, sizeof *order, by_key);
    float change = 0;
    for (uint32_t k = 0; k < t->count; k++)
        for (int c = 0; c < t->cells; c++) {
            const int x = sign[0] > 0 ? c % 8 : 7 - c % 8, y = sign[1] > 0 ? c / 8 % 8 : 7 - c / 8 % 8,
                      z = sign[2] > 0 ? c / 64 : t->layers - 1 - c / 64;
            const size_t i = (size_t)order[k].tile * (size_t)t->cells + (size_t)((z * 8 + y) * 8 + x);
            if (j->state[i] == SURFACE) continue;
            const float d = updated(j, i, FAR);
            if (!(d < j->d[i]) || d > j->band) continue;
            change = fmaxf(change, j->d[i] - d);
            j->d[i] = d;
        }
    return change;
}

static rill_status sweep_all(distance_job *j, rill_arena *scratch, int rounds)
{
    swept *order;
    TRY(ARENA_NEW(scratch, order, j->t->count));
    for (int round = 0; round < rounds; round++) {
        float change = 0;
        for (int k = 0; k < 1 << j->t->dimensions; k++) {
            const int sign[3] = {k & 1 ? -1 : 1, k & 2 ? -1 : 1, k & 4 ? -1 : 1};
            change = fmaxf(change, sweep(j, sign, order));
        }
        if (change < 1e-6f) break;
    }
    return RILL_OK;
}

rill_status grid_redistance_field(const grid_tiles *t, rill_arena *scratch, int how, float band,
                                  const float *room, const uint8_t *parted, float *phi)
{
    const size_t n = grid_cell_count(t);
    distance_job j = {.t = t, .room = room, .parted = parted, .phi = phi, .band = band};
    TRY(ARENA_NEW(scratch, j.d, n));
    TRY(ARENA_NEW(scratch, j.state, n));
    if (how == GRID_MARCHING) TRY(ARENA_NEW(scratch, j.heap, 2 * (size_t)t->dimensions * n));
    for (size_t i = 0; i < n; i++) {
        const float d = room && room[i] == 0 ? -1 : surface_distance(&j, i);
        j.state[i] = d >= 0 ? SURFACE : FAR;
        j.d[i] = d >= 0 ? d : how == GRID_MARCHING ? INFINITY : band + 1;
    }
    if (how == GRID_MARCHING)
        march(&j, n);
    else
        TRY(sweep_all(&j, scratch, 100));
    for (size_t i = 0; i < n; i++) {
        if (room && room[i] == 0) continue;
        const float d = j.d[i] < band ? j.d[i] : band;
        phi[i] = phi[i] < 0 ? -d : d;
    }
    return RILL_OK;
}
