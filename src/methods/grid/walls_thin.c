/* Walls thinner than a cell.
 *
 * Corners of cells may all lie outside of a thin wall, or some of them inside with open parts of
 * faces on both sides of it: a cell cut by the wall would connect the two sides. Each cell belongs
 * to one side instead, the one its centre is on or nearest to, and a face is closed where the wall
 * is between the two cells. Any path of cells from one side to the other crosses such a face, so
 * that nothing leaks, however thin the wall is. */
#include "grid/walls.h"

/* The point that stands for a cell is at least this far from the solids, in cells. Chords between
 * two such points next to a convex wall do not touch it while its radius is above half a cell. */
static const double apart = 0.25;

rill_status walls_find_thin(grid *s)
{
    const rill_scene *scene = s->sim.scene;
    /* a wall thicker than a cell's diagonal has no cell with corners on both sides */
    const double diagonal = 1.05 * s->h * sqrt(scene->dimensions);
    uint8_t *thin;
    bool any = false;
    if (scene->solid_count == 0) return RILL_OK;
    TRY(MEM_NEW_ZERO(s->sim.ctx, thin, scene->solid_count));
    for (uint32_t i = 0; i < scene->solid_count; i++) {
        const double scale = scene->solids[i].transform.scale > 0 ? scene->solids[i].transform.scale : 1;
        thin[i] = shape_thinner(&scene->solids[i].shape, diagonal / scale);
        any |= thin[i];
    }
    if (any)
        s->walls.thin = thin;
    else
        mem_free(s->sim.ctx, thin);
    return RILL_OK;
}

void walls_find_soft(grid *s)
{
    static const double thickness[] = {1.75, 1, 0.5}; /* cells */
    const rill_scene *scene = s->sim.scene;
    bool meshes = false;
    for (uint32_t i = 0; i < scene->solid_count; i++) meshes |= scene->solids[i].shape.kind == SHAPE_MESH;
    s->walls.soft = 0;
    if (!meshes || s->sim.solids.moving) return;
    for (size_t k = 0; k < sizeof thickness / sizeof *thickness && s->walls.soft == 0; k++) {
        bool thinner = false;
        for (uint32_t i = 0; i < scene->solid_count && !thinner; i++) {
            const double scale = scene->solids[i].transform.scale > 0 ? scene->solids[i].transform.scale : 1;
            thinner = shape_thinner(&scene->solids[i].shape, thickness[k] * s->h / scale);
        }
        if (!thinner) s->walls.soft = 0.5 * thickness[k] * s->h;
    }
}

/* The point that stands for a cell, and its distance from the solids. */
typedef struct {
    rill_vec3 at;
    double distance, centre; /* of the point, and of the cell's centre */
} side_point;

static side_point side_of(const grid *s, const solids *within, double t, rill_vec3 x)
{
    enum { ROUNDS = 3 };
    solid_contact c;
    side_point p = {.at = x, .centre = solids_distance(within, x, t, &c)};
    p.distance = p.centre;
    for (int round = 0; round < ROUNDS && p.distance < apart * s->h; round++) {
        p.at = v3_madd(p.at, apart * s->h * (1 + 1e-6) - p.distance, c.normal);
        p.distance = solids_distance(within, p.at, t, &c);
    }
    return p;
}

rill_vec3 walls_side(const grid *s, const solids *within, double t, rill_vec3 x)
{
    return side_of(s, within, t, x).at;
}

bool walls_between(const grid *s, const solids *within, double t, rill_vec3 from, rill_vec3 to)
{
    for (uint32_t i = 0; i < within->count; i++)
        if (s->walls.thin[i] && !(within->without && within->without[i]) &&
            solids_between(within, i, from, to, t, 1e-4 * s->h))
            return true;
    return false;
}

static bool separated(const grid *s, const solids *within, double t, const side_point *a, const side_point *b)
{
    const double way = v3_distance(a->at, b->at);
    if (fmax(a->distance, 0) + fmax(b->distance, 0) > way) return false; /* two free balls cover the way */
    return walls_between(s, within, t, a->at, b->at);
}

/* The part of a cell that solids leave, from the middles of its halves along every axis. */
static float room_of(const grid *s, const solids *within, double t, rill_vec3 middle)
{
    const int d = s->tiles.dimensions;
    float sum = 0;
    for (int k = 0; k < 1 << d; k++) {
        const rill_vec3 x = v3_madd(middle, 0.25 * s->h,
                                    v3(k & 1 ? 1 : -1, k & 2 ? 1 : -1,
                                       d == 2  ? 0
                                       : k & 4 ? 1
                                               : -1));
        const float part = 0.5f + (float)(2 * solids_distance(within, x, t, NULL) / s->h);
        sum += part < 0 ? 0 : part > 1 ? 1 : part;
    }
    return sum / (float)(1 << d);
}

bool walls_part(grid *s, const solids *within, double t, uint32_t tile, rill_vec3 corner)
{
    enum { N = GRID_SIDE + 1 }; /* the cells before the tile's first as well */
    const bool flat = s->tiles.layers == 1;
    side_point point[N * N * N];
    bool any = false;
    for (int z = flat ? 0 : -1, i = 0; z < s->tiles.layers; z++)
        for (int y = -1; y < GRID_SIDE; y++)
            for (int x = -1; x < GRID_SIDE; x++, i++) {
                const rill_vec3 middle = v3_madd(corner, s->h, v3(x + 0.5, y + 0.5, flat ? 0 : z + 0.5));
                point[i] = side_of(s, within, t, middle);
                any |= point[i].distance < s->h;
            }
    if (!any) return false;
    const int stride[3] = {1, N, N * N};
    for (int c = 0; c < s->tiles.cells; c++) {
        const int x = c % 8, y = c / 8 % 8, z = c / 64;
        const size_t cell = (size_t)tile * (size_t)s->tiles.cells + (size_t)c;
        const side_point *p = &point[((flat ? 0 : z + 1) * N + y + 1) * N + x + 1];
        for (int a = 0; a < s->tiles.dimensions; a++) {
            if (!(s->field.parted || s->field.open[a][cell] > 0)) continue;
            if (!separated(s, within, t, p, p - stride[a])) continue;
            s->field.open[a][cell] = 0;
            if (s->field.parted) s->field.parted[cell] |= (uint8_t)(1u << a);
        }
        s->field.buried[cell] = p->centre < (double)WALLS_BURIED * s->h;
        if (p->distance < 0.75 * s->h && s->field.room[cell] == 1)
            s->field.room[cell] =
                room_of(s, within, t, v3_madd(corner, s->h, v3(x + 0.5, y + 0.5, flat ? 0 : z + 0.5)));
    }
    return true;
}
