/* V-08, V-09 and V-10, level set rows: a level set, alone and corrected by particles, carried
 * by a velocity that is given.
 *
 * V-08: Zalesak's slotted disk, one turn on 100 x 100 cells. V-09: a disk drawn out by a
 * vortex and back, T = 8, on 128 x 128 cells. V-10: a ball drawn out to a film and back, T = 3,
 * on 100 x 100 x 100 cells. What is stated is the area or volume lost; it is that of the level
 * set, each cell full by its distance. Published ([Enright02]): 0.31, 0.71 and 2.6 percent with
 * particles; 39.8 and 49 percent of V-09 and V-10 without. */
#include "grid/eulerian.h"
#include "verify/verify.h"

#include <math.h>

static const char *const methods[] = {"grid", NULL};

typedef struct {
    int dimensions;
    double size, until, dt;
    int cells;
    rill_vec3 (*velocity)(rill_vec3 x, double t);
    rill_status (*liquid)(rill_ctx *ctx, shape *out);
} carried_case;

static rill_vec3 turning(rill_vec3 x, double t)
{
    (void)t;
    return v3(M_PI / 314 * (50 - x.y), M_PI / 314 * (x.x - 50), 0);
}

static rill_vec3 vortex(rill_vec3 x, double t)
{
    const double swing = cos(M_PI * t / 8), sx = sin(M_PI * x.x), sy = sin(M_PI * x.y);
    return v3(-sx * sx * sin(2 * M_PI * x.y) * swing, sy * sy * sin(2 * M_PI * x.x) * swing, 0);
}

static rill_vec3 deforming(rill_vec3 x, double t)
{
    const double swing = cos(M_PI * t / 3), sx = sin(M_PI * x.x), sy = sin(M_PI * x.y), sz = sin(M_PI * x.z);
    const double tx = sin(2 * M_PI * x.x), ty = sin(2 * M_PI * x.y), tz = sin(2 * M_PI * x.z);
    return v3(2 * sx * sx * ty * tz * swing, -tx * sy * sy * tz * swing, -tx * ty * sz * sz * swing);
}

static rill_status slotted_disk(rill_ctx *ctx, shape *out)
{
    *out = (shape){.kind = SHAPE_DIFFERENCE};
    TRY(MEM_NEW_ZERO(ctx, out->parts.part, 2));
    out->parts.count = 2;
    out->parts.part[0] = (shape){.kind = SHAPE_SPHERE, .sphere = {{50, 75, 0}, 15}};
    out->parts.part[1] = (shape){.kind = SHAPE_BOX, .box = {{47.5, 50, -20}, {52.5, 85, 20}}};
    return RILL_OK;
}

static rill_status small_disk(rill_ctx *ctx, shape *out)
{
    (void)ctx;
    *out = (shape){.kind = SHAPE_SPHERE, .sphere = {{0.5, 0.75, 0}, 0.15}};
    return RILL_OK;
}

static rill_status small_ball(rill_ctx *ctx, shape *out)
{
    (void)ctx;
    *out = (shape){.kind = SHAPE_SPHERE, .sphere = {{0.35, 0.35, 0.35}, 0.15}};
    return RILL_OK;
}

static void set_velocity(grid *s, const carried_case *c, double t)
{
    for (size_t i = 0; i < grid_cell_count(&s->tiles); i++) {
        const int k = (int)(i % (size_t)s->tiles.cells);
        const rill_vec3 low = v3_madd(grid_tile_corner(&s->tiles, (uint32_t)(i / (size_t)s->tiles.cells)),
                                      s->h, v3(k % 8, k / 8 % 8, k / 64));
        for (int a = 0; a < c->dimensions; a++) {
            rill_vec3 x = v3_madd(low, s->h / 2, v3(1, 1, c->dimensions == 2 ? 0 : 1));
            v3_set_axis(&x, a, v3_axis(low, a));
            s->field.u[a][i] = (float)v3_axis(c->velocity(x, t), a);
        }
    }
}

static double area_of(const grid *s)
{
    double sum = 0;
    for (size_t i = 0; i < grid_cell_count(&s->tiles); i++)
        sum += fmin(fmax(0.5 - (double)s->field.phi[i], 0), 1);
    return sum * pow(s->h, s->tiles.dimensions);
}

static rill_status carry(verify *v, const carried_case *c, int surface, double *lost)
{
    rill_scene scene = {0};
    rill_sim *sim = NULL;
    scene_liquid *liquid;
    rill_status st = verify_scene(v, c->dimensions, (rill_box){{0, 0, 0}, {c->size, c->size, c->size}},
                                  c->size / c->cells, &scene);
    if (!st) st = scene_add_liquid(v->ctx, &scene, &liquid);
    if (!st) st = c->liquid(v->ctx, &liquid->shape);
    if (!st) {
        grid_def *def = scene_method_def_of(&scene, "grid");
        def->surface = surface;
        def->integrator = GRID_RALSTON;
        st = verify_create(v, &scene, &sim);
    }
    if (!st) {
        grid *s = grid_of(sim);
        const double before = area_of(s);
        const int steps = (int)ceil(c->until / c->dt);
        for (int k = 0; k < steps && !st; k++) {
            rill_step_stats stats = step_stats_none();
            set_velocity(s, c, (k + 0.5) * c->until / steps);
            st = grid_eulerian_carry(s, sim->time, c->until / steps, NULL, &stats);
            sim->time += c->until / steps;
            sim->step++;
        }
        *lost = fabs(1 - area_of(s) / before);
    }
    verify_destroy(sim);
    scene_clear(v->ctx, &scene);
    return st;
}

static rill_status run_case(verify *v, const carried_case *c, double level_limit, double held_limit)
{
    double lost;
    const bool flat = c->dimensions == 2;
    TRY(carry(v, c, GRID_LEVEL_SET, &lost));
    verify_figure(v, flat ? "level set: area, change" : "level set: volume, change", lost,
                  isnan(level_limit) ? REPORT : AT_MOST, level_limit);
    TRY(carry(v, c, GRID_PARTICLE_SET, &lost));
    verify_figure(v, flat ? "with particles: area, change" : "with particles: volume, change", lost, AT_MOST,
                  held_limit);
    return RILL_OK;
}

static rill_status zalesak(verify *v)
{
    const carried_case c = {2, 100, 628, 1, 100, turning, slotted_disk};
    return run_case(v, &c, 0.10, 0.005);
}

static rill_status drawn_out(verify *v)
{
    const carried_case c = {2, 1, 8, 1.0 / 128, 128, vortex, small_disk};
    return run_case(v, &c, NAN, 0.01);
}

static rill_status to_a_film(verify *v)
{
    const int cells = v->full ? 100 : 40;
    const carried_case c = {3, 1, 3, 1.0 / cells, cells, deforming, small_ball};
    return run_case(v, &c, NAN, v->full ? 0.05 : 0.2);
}

const verify_case v08_carried = {"V-08", "Zalesak's disk", methods, zalesak};
const verify_case v09_vortex = {"V-09", "Vortex in a box", methods, drawn_out};
const verify_case v10_grid = {"V-10-grid", "Enright's field, level set", methods, to_a_film};
