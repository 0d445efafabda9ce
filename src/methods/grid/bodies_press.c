/* What pressure does to bodies: bodies.h. */
#include "grid/bodies.h"

#include <string.h>

rill_status grid_bodies_await(grid *s, double dt)
{
    if (s->sim.bodies.count == 0) return RILL_OK;
    return bodies_lean(&s->sim.bodies, dt, 1);
}

rill_status grid_bodies_release(grid *s, double t, double dt)
{
    rill_sim *sim = &s->sim;
    if (sim->bodies.count == 0) return RILL_OK;
    if (sim->bodies.late) {
        TRY(bodies_move(&sim->bodies, &sim->solids, sim->scene, t, dt));
        return solids_prepare(sim->ctx, &sim->solids, t, dt);
    }
    bodies_stand(&sim->bodies, &sim->solids, t + dt);
    return solids_prepare(sim->ctx, &sim->solids, t + dt, 0);
}

/* ---- rows ---- */

/* What a unit of each of a body's velocities does at a face of axis a, times its closed part. */
static void face_motion(const grid *s, const rigid_body *b, uint32_t tile, const int at[3], int a,
                        double part, double out[BODY_FREEDOMS])
{
    rill_vec3 n = {0, 0, 0},
              x = v3_madd(grid_tile_corner(&s->tiles, tile), s->h,
                          v3(at[0] + 0.5, at[1] + 0.5, s->tiles.layers == 1 ? 0 : at[2] + 0.5));
    v3_set_axis(&x, a, v3_axis(x, a) - 0.5 * s->h);
    v3_set_axis(&n, a, part);
    rill_vec3 r = v3_sub(x, b->center);
    if (b->planar) r.z = 0;
    const rill_vec3 turning = v3_cross(r, n);
    for (int k = 0; k < 3; k++) {
        out[k] = v3_axis(n, k);
        out[3 + k] = v3_axis(turning, k);
    }
}

/* The part of a face that its body closes: what detach.c opened is not. */
static double closed_part(const grid *s, int a, size_t face)
{
    return (double)fminf(s->coupling.shut[a][face], 1 - s->field.open[a][face]);
}

typedef struct {
    grid *s;
    const uint8_t *active;
    pressure_bodies *rows;
    uint32_t *end; /* per body: where its next entry goes */
    double (*displaced)[BODY_FREEDOMS][BODY_FREEDOMS];
    bool counting;
} rows_job;

/* Adds the faces of a cell to the entries of their bodies. */
static void cell_rows(const rows_job *j, uint32_t tile, int c)
{
    const grid *s = j->s;
    const size_t i = (size_t)tile * (size_t)s->tiles.cells + (size_t)c;
    for (int b = 0; b < 2 * s->tiles.dimensions; b++) {
        const int a = b / 2, up = b % 2;
        int at[3] = {c % 8, c / 8 % 8, c / 64};
        at[a] += up;
        const size_t face = grid_cell_near(&s->tiles, tile, at[0], at[1], at[2]);
        if (face == SIZE_MAX || !(s->coupling.shut[a][face] > 0)) continue;
        const double part = closed_part(s, a, face);
        const uint32_t body = s->coupling.owner[a][face];
        if (!(part > 0)) continue;
        if (j->counting) {
            j->end[body]++; /* at most */
            continue;
        }
        low_rank_entry *e = j->rows->entry + j->end[body];
        if (j->end[body] == j->rows->start[body] || e[-1].row != i)
            *e = (low_rank_entry){.row = (uint32_t)i}, j->end[body]++;
        else
            e--;
        double motion[BODY_FREEDOMS];
        face_motion(s, &s->sim.bodies.world.body[body], tile, at, a, up ? part : -part, motion);
        for (int k = 0; k < BODY_FREEDOMS; k++) e->v[k] += motion[k];
    }
}

/* The mass of the fluid that a body displaces, as the faces see it. */
static void add_displaced(const rows_job *j, uint32_t tile, int c)
{
    const grid *s = j->s;
    const int at[3] = {c % 8, c / 8 % 8, c / 64};
    const size_t i = (size_t)tile * (size_t)s->tiles.cells + (size_t)c;
    for (int a = 0; a < s->tiles.dimensions; a++) {
        const double part = (double)s->coupling.shut[a][i];
        if (!(part > 0)) continue;
        const uint32_t body = s->coupling.owner[a][i];
        double m[BODY_FREEDOMS];
        face_motion(s, &s->sim.bodies.world.body[body], tile, at, a, 1, m);
        for (int r = 0; r < BODY_FREEDOMS; r++)
            for (int k = 0; k < BODY_FREEDOMS; k++) j->displaced[body][r][k] += part * m[r] * m[k];
    }
}

static void each_cell(const rows_job *j)
{
    const grid *s = j->s;
    for (uint32_t t = 0; t < s->tiles.count; t++) {
        /* faces of the next tile belong to cells of this one */
        bool near = s->coupling.near[t];
        for (int a = 0; a < s->tiles.dimensions && !near; a++) {
            const uint32_t next = s->tiles.near[t][grid_near_index(a == 0, a == 1, a == 2)];
            near = next != GRID_NONE && s->coupling.near[next];
        }
        if (!near) continue;
        for (int c = 0; c < s->tiles.cells; c++) {
            if (j->counting) add_displaced(j, t, c);
            if (j->active[(size_t)t * (size_t)s->tiles.cells + (size_t)c]) cell_rows(j, t, c);
        }
    }
}

/* Mass of a cell full of liquid. */
static double cell_mass(const grid *s)
{
    return s->sim.scene->fluid.density * pow(s->h, s->tiles.dimensions);
}

/* The root of the inverse mass, and whether the fluid in the body's place would weigh several times as
 * much. */
static bool find_root(const grid *s, const rigid_body *b,
                      const double displaced[BODY_FREEDOMS][BODY_FREEDOMS],
                      double root[BODY_FREEDOMS][BODY_FREEDOMS])
{
    const double scale = sqrt(cell_mass(s)), several = 3;
    double mass[BODY_FREEDOMS][BODY_FREEDOMS], most = 0;
    rigid_body_mass(b, mass);
    if (!rigid_body_root(b, (const double(*)[BODY_FREEDOMS])mass, root))
        memset(root, 0, sizeof(double[BODY_FREEDOMS][BODY_FREEDOMS]));
    for (int c = 0; c < BODY_FREEDOMS; c++) {
        double sum = 0;
        for (int r = 0; r < BODY_FREEDOMS; r++) root[r][c] *= scale;
        for (int r = 0; r < BODY_FREEDOMS; r++)
            for (int k = 0; k < BODY_FREEDOMS; k++) sum += root[r][c] * displaced[r][k] * root[k][c];
        most = fmax(most, sum);
    }
    return most > several;
}

rill_status grid_bodies_rows(grid *s, const uint8_t *active, pressure_bodies *out)
{
    const body_set *bodies = &s->sim.bodies;
    const uint32_t n = bodies->count;
    *out = (pressure_bodies){0};
    if (n == 0) return RILL_OK;
    rows_job j = {.s = s, .active = active, .rows = out, .counting = true};
    TRY(ARENA_NEW(&s->sorting, out->start, (size_t)n + 1));
    TRY(ARENA_NEW(&s->sorting, out->root, n));
    TRY(ARENA_NEW(&s->sorting, out->light, n));
    TRY(ARENA_NEW(&s->sorting, out->heavier, n));
    TRY(ARENA_NEW(&s->sorting, out->motion, n));
    TRY(ARENA_NEW(&s->sorting, j.end, n));
    TRY(ARENA_NEW(&s->sorting, j.displaced, n));
    memset(j.end, 0, n * sizeof *j.end);
    memset(j.displaced, 0, n * sizeof *j.displaced);
    each_cell(&j);
    uint32_t total = 0;
    for (uint32_t b = 0; b < n; b++) {
        out->light[b] = find_root(s, &bodies->world.body[b], (const double(*)[BODY_FREEDOMS])j.displaced[b],
                                  out->root[b]);
        rigid_body_motion(&bodies->world.body[b], out->motion[b]);
        out->start[b] = total;
        total += j.end[b];
        j.end[b] = out->start[b];
    }
    out->start[n] = total;
    TRY(ARENA_NEW(&s->sorting, out->entry, total));
    TRY(ARENA_NEW(&s->sorting, out->end, n));
    j.counting = false;
    each_cell(&j);
    memcpy(out->end, j.end, n * sizeof *out->end);
    out->count = n;
    return RILL_OK;
}

void grid_bodies_flux(const grid *s, const pressure_bodies *rows, bool moving, double *flux)
{
    for (uint32_t b = 0; b < rows->count; b++) {
        double motion[BODY_FREEDOMS] = {0};
        if (moving) rigid_body_motion(&s->sim.bodies.world.body[b], motion);
        for (uint32_t k = rows->start[b]; k < rows->end[b]; k++) {
            const low_rank_entry *e = &rows->entry[k];
            double sum = 0;
            for (int c = 0; c < BODY_FREEDOMS; c++) sum += e->v[c] * motion[c];
            /* the cell's other solids move the closed part in outflow() */
            for (int a = 0; a < s->tiles.dimensions; a++) sum -= e->v[a] * (double)s->field.moving[e->row][a];
            flux[e->row] -= sum;
        }
    }
}

void grid_bodies_press(grid *s, const pressure_bodies *rows, const double *q, double dt)
{
    for (uint32_t b = 0; b < rows->count; b++) {
        double push[BODY_FREEDOMS] = {0};
        for (uint32_t k = rows->start[b]; k < rows->end[b]; k++)
            for (int c = 0; c < BODY_FREEDOMS; c++) push[c] += rows->entry[k].v[c] * q[rows->entry[k].row];
        for (int c = 0; c < BODY_FREEDOMS; c++) push[c] *= cell_mass(s);
        s->sim.bodies.world.heavier[b] = fmax(1, 0.7 * rows->heavier[b]); /* a cycle's estimate */
        bodies_push(&s->sim.bodies, b, v3(push[0], push[1], push[2]), v3(push[3], push[4], push[5]), dt);
    }
}
