/* The parts of faces and cells that bodies close: bodies.h. */
#include "grid/bodies.h"
#include "grid/cut.h"
#include "grid/walls.h"

#include <string.h>

enum { SUB = 2 * GRID_SIDE + 1 }; /* halves of cells along an axis: a tile's, and one before it */

static const float least_open = 0.01f;  /* as walls.c */
static const double least_part = 1e-4;  /* less of a cube is not closed */
static const double near_centre = 0.88; /* cells: farther from a cell's centre than its corners are */

typedef struct {
    grid *s;
    double t;
} close_job;

typedef struct {
    float half[SUB * SUB * SUB]; /* part of each half cell in the body */
    double distance[GRID_CELLS]; /* at the cells' centres, in cells */
} body_parts;

/* A body in its place. */
typedef struct {
    const shape *form;
    const solid_place *place;
    double inverse; /* 1 / h */
} placed;

static double distance_of(const placed *b, rill_vec3 x)
{
    return b->place->pose.scale * shape_distance(b->form, solid_to_local(&b->place->pose, x), NULL) *
           b->inverse;
}

/* The halves of a cell with its lowest corner at x, of which `out` has those that are in range. */
static void split_cell(const placed *b, bool flat, double h, rill_vec3 x, const int cell[3], float *out)
{
    double node[27];
    const int deep = flat ? 1 : 3;
    for (int k = 0; k < 9 * deep; k++)
        node[k] = distance_of(b, v3_madd(x, 0.5 * h, v3(k % 3, k / 3 % 3, k / 9)));
    for (int k = 0; k < (flat ? 4 : 8); k++) {
        const int at[3] = {2 * cell[0] + 1 + (k & 1), 2 * cell[1] + 1 + (k >> 1 & 1),
                           flat ? 0 : 2 * cell[2] + 1 + (k >> 2)};
        if (at[0] < 0 || at[1] < 0 || at[2] < 0) continue;
        double corner[8];
        const int first = (k & 1) + 3 * (k >> 1 & 1) + 9 * (k >> 2);
        for (int c = 0; c < (flat ? 4 : 8); c++)
            corner[c] = node[first + (c & 1) + 3 * (c >> 1 & 1) + 9 * (c >> 2)];
        out[(at[2] * SUB + at[1]) * SUB + at[0]] = 1 - (float)cut_part(flat, corner);
    }
}

static void fill_cell(bool flat, float part, const int cell[3], float *out)
{
    for (int k = 0; k < (flat ? 4 : 8); k++) {
        const int at[3] = {2 * cell[0] + 1 + (k & 1), 2 * cell[1] + 1 + (k >> 1 & 1),
                           flat ? 0 : 2 * cell[2] + 1 + (k >> 2)};
        if (at[0] < 0 || at[1] < 0 || at[2] < 0) continue;
        out[(at[2] * SUB + at[1]) * SUB + at[0]] = part;
    }
}

/* One cell: all of it, nothing, or halves. */
static bool measure_cell(const placed *b, bool flat, double h, rill_vec3 corner, const int cell[3],
                         body_parts *p)
{
    const rill_vec3 low = v3_madd(corner, h, v3(cell[0], cell[1], flat ? 0 : cell[2]));
    const double d = distance_of(b, v3_madd(low, 0.5 * h, v3(1, 1, flat ? 0 : 1)));
    if (cell[0] >= 0 && cell[1] >= 0 && cell[2] >= 0) p->distance[(cell[2] * 8 + cell[1]) * 8 + cell[0]] = d;
    if (fabs(d) < near_centre)
        split_cell(b, flat, h, low, cell, p->half);
    else
        fill_cell(flat, d < 0, cell, p->half);
    return d < near_centre;
}

/* Parts of all halves of a tile and of those before it, by blocks of three cells a side: where the surface
 * cannot be in one, the distance of its middle cell says enough of all. False: the body is not near. */
static bool measure(const placed *b, bool flat, double h, rill_vec3 corner, body_parts *p)
{
    bool any = false;
    const int deep = flat ? 1 : 3, per_block = 9 * deep;
    for (int block = 0; block < per_block; block++) {
        const int first[3] = {3 * (block % 3) - 1, 3 * (block / 3 % 3) - 1, flat ? 0 : 3 * (block / 9) - 1};
        const double d =
            distance_of(b, v3_madd(corner, h, v3(first[0] + 1.5, first[1] + 1.5, flat ? 0 : first[2] + 1.5)));
        const bool plain = fabs(d) > near_centre + 1.7321; /* no cell's centre is farther from the middle */
        any |= plain && d < 0;
        for (int k = 0; k < per_block; k++) {
            const int cell[3] = {first[0] + k % 3, first[1] + k / 3 % 3, flat ? 0 : first[2] + k / 9};
            if (!plain) {
                any |= measure_cell(b, flat, h, corner, cell, p);
                continue;
            }
            if (cell[0] >= 0 && cell[1] >= 0 && cell[2] >= 0)
                p->distance[(cell[2] * 8 + cell[1]) * 8 + cell[0]] = d;
            fill_cell(flat, d < 0, cell, p->half);
        }
    }
    return any;
}

/* The mean over the halves around a face's centre (axis a), or over a cell's own (axis -1). */
static double part_of(bool flat, const body_parts *p, int x, int y, int z, int axis)
{
    int first[3] = {2 * x + 1, 2 * y + 1, flat ? 0 : 2 * z + 1};
    if (axis >= 0) first[axis]--;
    double sum = 0;
    for (int k = 0; k < (flat ? 4 : 8); k++)
        sum +=
            (double)
                p->half[((first[2] + (k >> 2)) * SUB + first[1] + (k >> 1 & 1)) * SUB + first[0] + (k & 1)];
    return sum / (flat ? 4 : 8);
}

/* Closes what is left open of a tile's faces by the parts of one body. */
static void take_parts(grid *s, uint32_t tile, uint32_t body, const body_parts *p)
{
    const bool flat = s->tiles.layers == 1;
    for (int c = 0; c < s->tiles.cells; c++) {
        const size_t i = (size_t)tile * (size_t)s->tiles.cells + (size_t)c;
        const int x = c % 8, y = c / 8 % 8, z = c / 64;
        for (int a = 0; a < s->tiles.dimensions; a++) {
            const double part = part_of(flat, p, x, y, z, a);
            if (part < least_part || s->field.open[a][i] == 0) continue;
            const float open = s->field.open[a][i] * (float)(1 - part), left = open < least_open ? 0 : open;
            const float closed = s->field.open[a][i] - left;
            if (closed >= s->coupling.shut[a][i]) s->coupling.owner[a][i] = body;
            s->coupling.shut[a][i] += closed;
            s->field.open[a][i] = left;
        }
        s->field.room[i] *= (float)(1 - part_of(flat, p, x, y, z, -1));
        if (s->field.room[i] < 1e-4f) s->field.room[i] = 0;
        if (p->distance[c] < (double)WALLS_BURIED) s->field.buried[i] = 1;
    }
}

/* Bodies thinner than a cell close whole faces; the nearest of them owns a face. */
static bool part_thin(const close_job *j, uint32_t tile, const uint32_t *thin, uint32_t count)
{
    grid *s = j->s;
    const rill_vec3 corner = grid_tile_corner(&s->tiles, tile);
    const size_t base = (size_t)tile * (size_t)s->tiles.cells;
    float before[3][GRID_CELLS];
    for (int a = 0; a < s->tiles.dimensions; a++)
        memcpy(before[a], s->field.open[a] + base, (size_t)s->tiles.cells * sizeof(float));
    if (!walls_part(s, &s->sim.solids, j->t, tile, corner)) return false;
    for (int c = 0; c < s->tiles.cells; c++)
        for (int a = 0; a < s->tiles.dimensions; a++) {
            const size_t i = base + (size_t)c;
            if (!(before[a][c] > s->field.open[a][i])) continue;
            rill_vec3 x = v3_madd(corner, s->h,
                                  v3(c % 8 + 0.5, c / 8 % 8 + 0.5, s->tiles.layers == 1 ? 0 : c / 64 + 0.5));
            v3_set_axis(&x, a, v3_axis(x, a) - 0.5 * s->h);
            double nearest = INFINITY;
            for (uint32_t k = 0; k < count; k++) {
                const uint32_t solid = s->sim.bodies.solid[thin[k]];
                solid_place spare;
                const placed b = {&s->sim.scene->solids[solid].shape,
                                  solids_place_at(&s->sim.solids, solid, j->t, &spare), 1 / s->h};
                const double d = fabs(distance_of(&b, x));
                if (d < nearest) nearest = d, s->coupling.owner[a][i] = thin[k];
            }
            s->coupling.shut[a][i] += before[a][c] - s->field.open[a][i];
        }
    return true;
}

static bool boxes_meet(const rill_box *a, rill_vec3 corner, double side, double margin, int dimensions)
{
    for (int k = 0; k < dimensions; k++)
        if (v3_axis(a->min, k) > v3_axis(corner, k) + side + margin ||
            v3_axis(a->max, k) < v3_axis(corner, k) - margin)
            return false;
    return true;
}

static void close_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const close_job *j = arg;
    grid *s = j->s;
    const bool flat = s->tiles.layers == 1;
    const body_set *bodies = &s->sim.bodies;
    enum { MOST_THIN = 64 };
    body_parts parts;
    for (size_t t = begin; t < end; t++) {
        const size_t base = t * (size_t)s->tiles.cells, size = (size_t)s->tiles.cells * sizeof(float);
        const rill_vec3 corner = grid_tile_corner(&s->tiles, (uint32_t)t);
        uint32_t thin[MOST_THIN], count = 0;
        for (int a = 0; a < s->tiles.dimensions; a++) memset(s->coupling.shut[a] + base, 0, size);
        s->coupling.near[t] = 0;
        for (uint32_t k = 0; k < bodies->count; k++) {
            const uint32_t solid = bodies->solid[k];
            solid_place spare;
            const placed b = {&s->sim.scene->solids[solid].shape,
                              solids_place_at(&s->sim.solids, solid, j->t, &spare), 1 / s->h};
            if (!boxes_meet(&b.place->bounds, corner, GRID_SIDE * s->h, 1.5 * s->h, s->tiles.dimensions))
                continue;
            if (s->walls.thin && s->walls.thin[solid]) {
                if (count < MOST_THIN) thin[count++] = k;
                continue;
            }
            if (!measure(&b, flat, s->h, corner, &parts)) continue;
            take_parts(s, (uint32_t)t, k, &parts);
            s->coupling.near[t] = 1;
        }
        if (count && part_thin(j, (uint32_t)t, thin, count)) s->coupling.near[t] = 1;
        if (s->coupling.near[t]) s->field.walled[t] |= 2;
    }
}

rill_status grid_bodies_close(grid *s, double t)
{
    const size_t n = grid_cell_count(&s->tiles);
    close_job j = {s, t};
    if (s->sim.bodies.count == 0) return RILL_OK;
    for (int a = 0; a < s->tiles.dimensions; a++) {
        TRY(ARENA_NEW(&s->scratch, s->coupling.shut[a], n));
        TRY(ARENA_NEW(&s->scratch, s->coupling.owner[a], n));
    }
    TRY(ARENA_NEW(&s->scratch, s->coupling.near, s->tiles.count));
    parallel_for(s->sim.ctx, s->tiles.count, 4, close_tiles, &j);
    return RILL_OK;
}

rill_status grid_bodies_find(grid *s)
{
    const rill_scene *scene = s->sim.scene;
    if (s->sim.bodies.count == 0) return RILL_OK;
    TRY(MEM_NEW_ZERO(s->sim.ctx, s->coupling.body, scene->solid_count));
    for (uint32_t i = 0; i < scene->solid_count; i++) s->coupling.body[i] = scene->solids[i].is_body;
    /* Particles are moved after the solve that changes the bodies' motion, level sets before. */
    s->sim.bodies.late = s->def.surface == GRID_PARTICLES;
    return RILL_OK;
}
