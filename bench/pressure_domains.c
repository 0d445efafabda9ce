#include "bench/pressure_domains.h"

#include "base/random.h"

#include <math.h>
#include <string.h>

const char *const pressure_domain_words[DOMAINS + 1] = {"flat",   "tilted", "spheres", "splash", "maze",
                                                        "closed", "random", "full",    NULL};

enum { SPHERES = 20, DROPLETS = 200, SHEETS = 8, PITCH = 7, OCTAVES = 5 };

typedef struct domain {
    pressure_domain kind;
    int n, dimensions;
    double sphere[SPHERES][4], droplet[DROPLETS][4], sheet[SHEETS][7];
    uint8_t *door; /* maze: room * 3 + axis: a door towards +axis */
    int rooms;     /* a side */
} domain;

static double number(uint64_t id, uint32_t stream)
{
    const random4 r = random_at(8, id, 0, stream);
    return random_unit(r.v[0], r.v[1]);
}

static double distance(const domain *d, const double *c, double x, double y, double z)
{
    const double a = x - c[0], b = y - c[1], e = d->dimensions == 2 ? 0 : z - c[2];
    return sqrt(a * a + b * b + e * e);
}

static double noise(const domain *d, double x, double z, uint32_t octave)
{
    const double i = floor(x), k = floor(z);
    double s = x - i, t = z - k, corner[2][2];
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
            corner[a][b] =
                number((uint64_t)((i + a) * 4096 + (d->dimensions == 2 ? 0 : k + b)), 100 + octave);
    s = s * s * (3 - 2 * s);
    t = t * t * (3 - 2 * t);
    return (1 - s) * ((1 - t) * corner[0][0] + t * corner[0][1]) +
           s * ((1 - t) * corner[1][0] + t * corner[1][1]) - 0.5;
}

static double splash(const domain *d, double x, double y, double z)
{
    double height = 0.35 * d->n;
    for (int o = 0, q = 4; o < OCTAVES; o++, q *= 2)
        height += 0.35 * d->n / q * noise(d, x * q / d->n, z * q / d->n, (uint32_t)o);
    double f = y - height;
    for (int i = 0; i < DROPLETS; i++) {
        const double *c = d->droplet[i];
        if (fabs(x - c[0]) > 8 || fabs(y - c[1]) > 8) continue;
        const double away = distance(d, c, x, y, z) - c[3];
        if (away < f) f = away;
    }
    for (int i = 0; i < SHEETS; i++) {
        const double *s = d->sheet[i];
        const double across =
            s[4] * (x - s[0]) + s[5] * (y - s[1]) + (d->dimensions == 2 ? 0 : s[6] * (z - s[2]));
        f = fmin(f, fmax(fabs(across) - 0.5, distance(d, s, x, y, z) - s[3]));
    }
    return f;
}

static double phi(const void *user, int i, int j, int k)
{
    const domain *d = user;
    const double x = i + 0.5, y = j + 0.5, z = k + 0.5, middle = 0.5 * d->n;
    const uint64_t id = ((uint64_t)k * 4096 + (uint64_t)j) * 4096 + (uint64_t)i;
    switch (d->kind) {
    case DOMAIN_FLAT: return y - middle;
    case DOMAIN_TILTED:
    case DOMAIN_SPHERES: {
        const double tilt = d->dimensions == 2 ? 0 : 0.15;
        return (0.25 * (x - middle) + (y - middle) + tilt * (z - middle)) / sqrt(1 + 0.0625 + tilt * tilt);
    }
    case DOMAIN_SPLASH: return splash(d, x, y, z);
    case DOMAIN_MAZE: return y - 0.75 * d->n - 0.3;
    case DOMAIN_RANDOM: return number(id, 1) < 0.75 ? -number(id, 2) - 1e-4 : number(id, 2) + 1e-4;
    default: return -1;
    }
}

static double solid_at(const domain *d, double x, double y, double z)
{
    double f = 1e9;
    for (int i = 0; i < SPHERES; i++) f = fmin(f, distance(d, d->sphere[i], x, y, z) - d->sphere[i][3]);
    if (d->kind != DOMAIN_CLOSED) return f;
    const double centre[3] = {0.52 * d->n, 0.48 * d->n, 0.5 * d->n};
    const double r = distance(d, centre, x, y, z) - 0.2 * d->n, shell = fabs(r) - 2;
    return r < 0 ? shell : fmin(f, shell); /* inside the shell is liquid again */
}

/* Open part of a face from the distances at its corners, bilinear between them. */
static double open_part(const domain *d, int axis, int i, int j, int k)
{
    enum { SAMPLES = 8 };
    double c[2][2];
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double far = solid_at(d, i + 0.5 * (axis != 0), j + 0.5 * (axis != 1), k + 0.5 * (axis != 2));
    if (fabs(far) > 1) return far > 0;
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) {
            double at[3] = {i, j, d->dimensions == 2 ? 0.5 : k};
            at[u] += u == 2 && d->dimensions == 2 ? 0 : a;
            at[v] += v == 2 && d->dimensions == 2 ? 0 : b;
            c[a][b] = solid_at(d, at[0], at[1], at[2]);
        }
    int n = 0;
    for (int a = 0; a < SAMPLES; a++)
        for (int b = 0; b < SAMPLES; b++) {
            const double s = (a + 0.5) / SAMPLES, t = (b + 0.5) / SAMPLES;
            n += (1 - s) * ((1 - t) * c[0][0] + t * c[0][1]) + s * ((1 - t) * c[1][0] + t * c[1][1]) >= 0;
        }
    return (double)n / (SAMPLES * SAMPLES);
}

static bool wall(const domain *d, const int at[3])
{
    int on = -1, room[3] = {0};
    for (int axis = 0; axis < d->dimensions; axis++) {
        if (at[axis] >= d->rooms * PITCH) return true;
        room[axis] = at[axis] / PITCH;
        if (at[axis] % PITCH) continue;
        if (on >= 0 || at[axis] == 0) return true; /* an edge, or the outer wall */
        on = axis;
    }
    if (on < 0) return false;
    room[on]--; /* whose +on wall it is */
    const size_t r = (size_t)((room[2] * d->rooms + room[1]) * d->rooms + room[0]);
    if (!d->door[r * 3 + (size_t)on]) return true;
    for (int axis = 0; axis < d->dimensions; axis++)
        if (axis != on && (at[axis] % PITCH < 2 || at[axis] % PITCH > 4)) return true;
    return false;
}

static double open_face(const void *user, int axis, int i, int j, int k)
{
    const domain *d = user;
    if (d->kind == DOMAIN_SPHERES || d->kind == DOMAIN_CLOSED) return open_part(d, axis, i, j, k);
    if (d->kind == DOMAIN_MAZE) {
        const int here[3] = {i, j, k};
        int there[3] = {i, j, k};
        there[axis]--;
        return wall(d, here) || wall(d, there) ? 0 : 1;
    }
    if (d->kind == DOMAIN_RANDOM) {
        const double f =
            pow(number(((uint64_t)k * 4096 + (uint64_t)j) * 4096 + (uint64_t)i, 10 + (uint32_t)axis), 4);
        return f < 1e-3 ? 0 : f;
    }
    return 1;
}

/* A random spanning tree of the rooms, by a walk that goes back where it is stuck. */
static rill_status make_maze(rill_ctx *ctx, domain *d)
{
    d->rooms = (d->n - 1) / PITCH;
    const size_t m = (size_t)d->rooms, rooms = d->dimensions == 2 ? m * m : m * m * m;
    uint32_t *stack = NULL;
    uint8_t *seen = NULL;
    rill_status st = MEM_NEW_ZERO(ctx, d->door, rooms * 3);
    if (!st) st = MEM_NEW(ctx, stack, rooms);
    if (!st) st = MEM_NEW_ZERO(ctx, seen, rooms);
    size_t depth = 0;
    uint64_t draw = 0;
    if (!st && rooms) {
        stack[depth++] = 0;
        seen[0] = 1;
    }
    while (depth) {
        const size_t r = stack[depth - 1], step[3] = {1, m, m * m}, at[3] = {r % m, r / m % m, r / m / m};
        size_t choice[6], choices = 0;
        for (int dir = 0; dir < 2 * d->dimensions; dir++) {
            if (dir & 1 ? at[dir / 2] == 0 : at[dir / 2] + 1 == m) continue;
            if (!seen[dir & 1 ? r - step[dir / 2] : r + step[dir / 2]]) choice[choices++] = (size_t)dir;
        }
        if (!choices) {
            depth--;
            continue;
        }
        const size_t dir = choice[(size_t)(number(draw++, 20) * (double)choices)];
        const size_t next = dir & 1 ? r - step[dir / 2] : r + step[dir / 2];
        d->door[(dir & 1 ? next : r) * 3 + dir / 2] = 1;
        seen[next] = 1;
        stack[depth++] = (uint32_t)next;
    }
    mem_free(ctx, stack);
    mem_free(ctx, seen);
    return st;
}

static void make_shapes(domain *d)
{
    const double n = d->n;
    for (uint32_t i = 0; i < SPHERES; i++) {
        for (uint32_t k = 0; k < 3; k++)
            d->sphere[i][k] = n * (k == 1 && d->kind == DOMAIN_SPHERES ? 0.6 : 1) * number(i, 30 + k);
        d->sphere[i][3] = n * (0.04 + 0.08 * number(i, 33));
    }
    for (uint32_t i = 0; i < DROPLETS; i++) {
        for (uint32_t k = 0; k < 3; k++) d->droplet[i][k] = n * number(i, 40 + k);
        d->droplet[i][1] = n * (0.4 + 0.55 * number(i, 41));
        d->droplet[i][3] = 1 + 2 * number(i, 43);
    }
    for (uint32_t i = 0; i < SHEETS; i++) {
        double *s = d->sheet[i], length = 0;
        for (uint32_t k = 0; k < 3; k++) s[k] = n * (0.2 + 0.6 * number(i, 50 + k));
        s[1] = n * (0.35 + 0.4 * number(i, 51));
        s[3] = n * (0.12 + 0.15 * number(i, 53));
        for (uint32_t k = 0; k < 3; k++) s[4 + k] = number(i, 54 + k) - 0.5;
        s[5] *= 0.4;
        for (int k = 0; k < 3; k++) length += d->dimensions == 2 && k == 2 ? 0 : s[4 + k] * s[4 + k];
        for (int k = 0; k < 3; k++) s[4 + k] /= sqrt(length);
    }
}

static void fill_right_side(const domain *d, pressure_cells *c)
{
    for (size_t i = 0; i < c->count; i++) {
        int at[3];
        pressure_cells_place(c, i, at);
        const double x = M_PI * (at[0] + 0.5) / d->n, y = M_PI * (at[1] + 0.5) / d->n,
                     z = M_PI * (at[2] + 0.5) / d->n;
        const uint64_t id = ((uint64_t)at[2] * 4096 + (uint64_t)at[1]) * 4096 + (uint64_t)at[0];
        c->b[i] = c->active[i]
                      ? cos(x) * cos(2 * y) * cos(z) + 0.5 * cos(3 * x) + number(id, 60) - 0.5 + (at[1] == 0)
                      : 0;
    }
}

rill_status pressure_domain_make(rill_ctx *ctx, pressure_domain kind, int dimensions, int n,
                                 pressure_cells *out)
{
    domain d = {.kind = kind, .n = n, .dimensions = dimensions};
    make_shapes(&d);
    if (kind == DOMAIN_MAZE) TRY(make_maze(ctx, &d));
    const pressure_cells_def def = {.dimensions = dimensions,
                                    .n = {n, n, dimensions == 2 ? 1 : n},
                                    .phi = phi,
                                    .open = kind == DOMAIN_FLAT || kind == DOMAIN_FULL ? NULL : open_face,
                                    .user = &d};
    const rill_status st = pressure_cells_make(ctx, &def, out);
    mem_free(ctx, d.door);
    TRY(st);
    fill_right_side(&d, out);
    out->def.user = NULL; /* gone with this call */
    return RILL_OK;
}
