/* Velocity and pressure at points, from the faces and cells of the last step.
 *
 * Before the first step the velocity is that of the particles around, and the pressure 0. */
#include "grid/interpolate.h"
#include "grid/state.h"

typedef struct {
    const grid *s;
    rill_vec3 x;
} probe;

static void probe_terms(void *arg, size_t begin, size_t end, double *out)
{
    const probe *q = arg;
    const particles *p = &q->s->particles;
    for (size_t i = begin; i < end; i++) {
        const double a = 1 - v3_distance(p->position[i], q->x) / q->s->h;
        if (!(a > 0)) continue;
        out[0] += a;
        out[1] += a * p->velocity[i].x;
        out[2] += a * p->velocity[i].y;
        out[3] += a * p->velocity[i].z;
    }
}

/* The tile a point is in, or GRID_NONE; `at`: in cells from its corner. */
static uint32_t tile_with(const grid *s, rill_vec3 x, double at[3])
{
    int32_t c[3];
    const rill_vec3 y = v3_scale(v3_sub(x, s->tiles.origin), 1 / s->h);
    if (!(fabs(y.x) < 0x1p28 && fabs(y.y) < 0x1p28 && fabs(y.z) < 0x1p28)) return GRID_NONE;
    grid_cell_at(&s->tiles, x, c);
    const uint32_t tile = block_map_find(&s->tiles.map, c[0] >> 3, c[1] >> 3, c[2] >> 3);
    for (int a = 0; a < 3; a++) at[a] = v3_axis(y, a) - (double)(c[a] >> 3) * GRID_SIDE;
    return tile;
}

typedef struct {
    const float *field;
    const uint8_t *use;  /* cells whose value counts; NULL: all there are */
    const uint8_t *skip; /* cells whose value does not; NULL: none */
    double offset[3];    /* of a value from its cell's corner, in cells */
    rill_vec3 slope;     /* the field's where it has no neighbours, per cell */
} field_at;

/* Linear between the values there are, each continued by the slope. */
static double interpolated(const grid *s, uint32_t tile, const double at[3], const field_at *f)
{
    int base[3] = {0};
    double part[3] = {0}, sum = 0, all = 0;
    for (int a = 0; a < s->tiles.dimensions; a++) {
        const double y = at[a] - f->offset[a];
        base[a] = (int)floor(y);
        part[a] = y - base[a];
    }
    for (int k = 0; k < 1 << s->tiles.dimensions; k++) {
        const int d[3] = {k & 1, k >> 1 & 1, k >> 2};
        const size_t c = grid_cell_near(&s->tiles, tile, base[0] + d[0], base[1] + d[1], base[2] + d[2]);
        if (c == SIZE_MAX || (f->use && !f->use[c]) || (f->skip && f->skip[c])) continue;
        double w = 1, value = f->field[c];
        for (int a = 0; a < s->tiles.dimensions; a++) {
            w *= d[a] ? part[a] : 1 - part[a];
            value += v3_axis(f->slope, a) * (part[a] - d[a]);
        }
        sum += w * value;
        all += w;
    }
    return all > 1e-9 ? sum / all : 0;
}

static rill_vec3 velocity_of(const grid *s, uint32_t tile, const double at[3])
{
    rill_vec3 v = s->frame;
    for (int a = 0; a < s->tiles.dimensions; a++) {
        const field_at f = {.field = s->field.u[a],
                            .offset = {a == 0 ? 0 : 0.5, a == 1 ? 0 : 0.5, a == 2 ? 0 : 0.5}};
        v3_set_axis(&v, a, v3_axis(s->frame, a) + interpolated(s, tile, at, &f));
    }
    return v;
}

/* Beyond the cells with a pressure (in walls, at the surface) it is continued with the gradient of rest. */
static double pressure_of(const grid *s, uint32_t tile, const double at[3])
{
    if (!(s->step.q_scale > 0)) return 0; /* before the first step, and of a loaded state */
    /* The level of a cell in a wall says nothing about the liquid in front of the wall. */
    const field_at level = {.field = s->field.phi, .skip = s->field.buried, .offset = {0.5, 0.5, 0.5}};
    if (s->field.phi && interpolated(s, tile, at, &level) > 0.5) return 0;
    const double rho = s->field.phi ? s->sim.scene->fluid.density : 0; /* gas: without its weight */
    const field_at f = {.field = s->field.q,
                        .use = s->field.active,
                        .offset = {0.5, 0.5, 0.5},
                        .slope =
                            v3_scale(scene_gravity(s->sim.scene, s->sim.time), rho * s->h / s->step.q_scale)};
    return interpolated(s, tile, at, &f) * s->step.q_scale;
}

rill_status grid_sample(const grid *s, size_t n, const rill_vec3 *x, rill_vec3 *u, double *p)
{
    for (size_t i = 0; i < n; i++)
        if (!v3_finite(x[i]))
            return rill_fail(s->sim.ctx, RILL_USAGE, "point %zu is not a finite position", i);
    for (size_t i = 0; i < n; i++) {
        double at[3];
        const uint32_t tile = s->tiles.count ? tile_with(s, x[i], at) : GRID_NONE;
        if (p) p[i] = tile == GRID_NONE ? 0 : pressure_of(s, tile, at);
        if (!u) continue;
        u[i] = v3(0, 0, 0);
        if (tile != GRID_NONE) {
            u[i] = velocity_of(s, tile, at);
        } else if (s->tiles.count == 0) {
            double sum[4];
            probe q = {s, x[i]};
            parallel_sums(s->sim.ctx, s->particles.count, probe_terms, &q, 4, sum);
            if (sum[0] > 0) u[i] = v3(sum[1] / sum[0], sum[2] / sum[0], sum[3] / sum[0]);
        }
    }
    return RILL_OK;
}

/* ---- for tracers: many at once, in parallel, in float ---- */

enum { TRACE_BLOCK = 1024 };
static const float in_the_air = 1.4f; /* cells from any particle: what is beyond flies by itself */

typedef struct {
    const grid *s;
    const rill_vec3 *x;
    uint32_t *part;
    rill_vec3 *u;
} tracing;

/* A place along one axis, for values at the cells' corners [0] and at their middles [1]. */
typedef struct {
    int base[2];
    float part[2];
} axis_place;

static axis_place place_along(double at)
{
    axis_place p;
    p.base[0] = (int)at;
    p.part[0] = (float)(at - p.base[0]);
    p.base[1] = (int)(at + 0.5) - 1;
    p.part[1] = (float)(at - 0.5 - p.base[1]);
    return p;
}

/* One component between its faces, where not all of them are in the tile. */
static float traced_across(const grid *s, uint32_t tile, const double at[3], int axis, const int base[3],
                           const float part[3])
{
    const grid_tiles *t = &s->tiles;
    const float *field = s->field.u[axis];
    float corner[8];
    for (int k = 0; k < 1 << t->dimensions; k++) {
        const size_t c =
            grid_cell_near(t, tile, base[0] + (k & 1), base[1] + (k >> 1 & 1), base[2] + (k >> 2));
        if (c == SIZE_MAX) { /* at the rim of all tiles: between those there are */
            const field_at f = {.field = field,
                                .offset = {axis == 0 ? 0 : 0.5, axis == 1 ? 0 : 0.5, axis == 2 ? 0 : 0.5}};
            return (float)interpolated(s, tile, at, &f);
        }
        corner[k] = field[c];
    }
    return t->dimensions == 2 ? linear2_from(corner, 2, part[0], part[1])
                              : linear3_from(corner, 2, part[0], part[1], part[2]);
}

/* A tile with the faces around it, so that no look leaves it. */
enum { NEAR_SIDE = GRID_SIDE + 2, WORTH_LOADING = 16 /* places in the same tile */ };
typedef struct {
    uint32_t tile;
    int seen; /* places since it is this one */
    bool loaded;
    float u[3][NEAR_SIDE * NEAR_SIDE * NEAR_SIDE];
} near_tile;

static void look_at_tile(const grid *s, near_tile *n)
{
    if (n->loaded || ++n->seen <= WORTH_LOADING) return;
    for (int a = 0; a < s->tiles.dimensions; a++)
        grid_block_load(&s->tiles, n->tile, s->field.u[a], 1, NAN, n->u[a]);
    n->loaded = true;
}

/* Velocity against the frame; each component is between corners along its own axis, middles along the
 * others. The same bits whether the tile is loaded or not. */
static rill_vec3 traced2(const grid *s, const near_tile *n, const double at[3])
{
    const axis_place x = place_along(at[0]), y = place_along(at[1]);
    double out[2];
    for (int axis = 0; axis < 2; axis++) {
        const int base[3] = {x.base[axis != 0], y.base[axis != 1], 0};
        const float part[3] = {x.part[axis != 0], y.part[axis != 1], 0};
        const float *b = n->u[axis] + (base[1] + 1) * NEAR_SIDE + base[0] + 1;
        out[axis] = n->loaded ? linear2_from(b, NEAR_SIDE, part[0], part[1]) : NAN;
        if (isnan(out[axis])) out[axis] = traced_across(s, n->tile, at, axis, base, part);
    }
    return v3(out[0], out[1], 0);
}

static inline double traced_axis(const grid *s, const near_tile *n, const double at[3], int axis, int bx,
                                 int by, int bz, float fx, float fy, float fz)
{
    if (n->loaded) {
        const float *b = n->u[axis] + ((bz + 1) * NEAR_SIDE + by + 1) * NEAR_SIDE + bx + 1;
        const float u = linear3_from(b, NEAR_SIDE, fx, fy, fz);
        if (!isnan(u)) return u;
    }
    const int base[3] = {bx, by, bz};
    const float part[3] = {fx, fy, fz};
    return traced_across(s, n->tile, at, axis, base, part);
}

static rill_vec3 traced3(const grid *s, const near_tile *n, const double at[3])
{
    const axis_place x = place_along(at[0]), y = place_along(at[1]), z = place_along(at[2]);
    return v3(traced_axis(s, n, at, 0, x.base[0], y.base[1], z.base[1], x.part[0], y.part[1], z.part[1]),
              traced_axis(s, n, at, 1, x.base[1], y.base[0], z.base[1], x.part[1], y.part[0], z.part[1]),
              traced_axis(s, n, at, 2, x.base[1], y.base[1], z.base[0], x.part[1], y.part[1], z.part[0]));
}

static void trace_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const tracing *j = arg;
    const grid *s = j->s;
    int32_t last[3] = {INT32_MIN, 0, 0};
    near_tile n;
    n.tile = GRID_NONE;
    const double inverse = 1 / s->h;
    for (size_t i = begin; i < end; i++) {
        if (j->part[i] == TRACE_NOWHERE) continue;
        const double y[3] = {(j->x[i].x - s->tiles.origin.x) * inverse,
                             (j->x[i].y - s->tiles.origin.y) * inverse,
                             s->tiles.dimensions == 2 ? 0 : (j->x[i].z - s->tiles.origin.z) * inverse};
        if (!(fabs(y[0]) < 0x1p28 && fabs(y[1]) < 0x1p28 && fabs(y[2]) < 0x1p28)) {
            j->part[i] = TRACE_NOWHERE;
            continue;
        }
        int32_t home[3];
        double at[3];
        for (int a = 0; a < 3; a++) {
            home[a] = (int32_t)floor(y[a] * (1.0 / GRID_SIDE));
            at[a] = y[a] - (double)home[a] * GRID_SIDE;
        }
        if (home[0] != last[0] || home[1] != last[1] || home[2] != last[2]) {
            n.tile = block_map_find(&s->tiles.map, home[0], home[1], home[2]);
            n.seen = 0;
            n.loaded = false;
            for (int a = 0; a < 3; a++) last[a] = home[a];
        }
        bool there = n.tile != GRID_NONE;
        if (there && s->field.phi && j->part[i] == TRACE_NEAREST) {
            const int cell = ((int)at[2] * 8 + (int)at[1]) * 8 + (int)at[0];
            there = s->field.phi[(size_t)n.tile * (size_t)s->tiles.cells + (size_t)cell] < in_the_air;
        }
        j->part[i] = there ? 0 : TRACE_NOWHERE;
        if (!there) continue;
        look_at_tile(s, &n);
        j->u[i] = v3_add(s->frame, s->tiles.dimensions == 2 ? traced2(s, &n, at) : traced3(s, &n, at));
    }
}

rill_status grid_trace(const grid *s, size_t n, const rill_vec3 *x, uint32_t *part, rill_vec3 *u)
{
    if (s->tiles.count == 0) { /* no step yet */
        for (size_t i = 0; i < n; i++) part[i] = TRACE_NOWHERE;
        return RILL_OK;
    }
    tracing j = {s, x, part, u};
    parallel_for(s->sim.ctx, n, TRACE_BLOCK, trace_block, &j);
    return RILL_OK;
}
