/* Emitters and drains where the grid carries the liquid: its level set is joined with what an
 * emitter holds full, and cut by drains; faces in an emitter have its velocity.
 *
 * An emitter's liquid is the column it gives in a step, at least a cell and a half long: what
 * leaves it is cross-section times speed, whatever the step. The volume that is kept
 * (project.c) follows what came and went. */
#include "grid/eulerian.h"

typedef struct {
    grid *s;
    float *phi; /* NULL: the liquid is where its markers are */
    double t, dt;
    rill_vec3 gain; /* of velocity, by forces in the step */
    double *change; /* per tile: cells that became liquid, less those that ceased to be */
    double *gap;    /* per emitter: sources_gap */
} emit_job;

/* Distance of the emitter's column, negative inside. */
static double column_distance(const emit_job *j, uint32_t index, double speed, rill_vec3 x)
{
    const grid *s = j->s;
    const scene_emitter *e = &s->sim.scene->emitters[index];
    if (e->shape.kind != SHAPE_DISC) return shape_distance(&e->shape, x, NULL);
    const rill_vec3 way = s->sim.sources.layer[index].direction, from = v3_sub(x, e->shape.flat.point);
    const double ahead = v3_dot(from, way), along = ahead - j->gap[index],
                 length = fmax(1.5 * s->h, speed * j->dt + 0.5 * s->h);
    const double aside = v3_length(v3_madd(from, -ahead, way)) - e->shape.flat.radius;
    return fmax(aside, fmax(-along, along - length));
}

static bool active(const emit_job *j, const scene_emitter *e, double *speed)
{
    if (!(e->start < j->t + j->dt && e->end > j->t)) return false;
    *speed = emitter_speed(e, fmin(j->t + j->dt, e->end));
    return *speed > 0;
}

static float part_filled(float phi)
{
    return phi < -0.5f ? 1 : phi > 0.5f ? 0 : 0.5f - phi;
}

/* What emitters and drains make of the level set at a cell. */
static float level_with_sources(const emit_job *j, rill_vec3 x, float phi)
{
    const rill_scene *scene = j->s->sim.scene;
    for (uint32_t k = 0; k < scene->emitter_count; k++) {
        double speed;
        if (!active(j, &scene->emitters[k], &speed)) continue;
        phi = fminf(phi, (float)(column_distance(j, k, speed, x) / j->s->h));
    }
    for (uint32_t k = 0; k < scene->drain_count; k++)
        phi = fmaxf(phi, -(float)(shape_distance(&scene->drains[k].shape, x, NULL) / j->s->h));
    return phi;
}

/* Faces within half a cell of an emitter's column: the velocity that forces make the emitter's. */
static void give_velocity(const emit_job *j, size_t i, rill_vec3 center)
{
    grid *s = j->s;
    for (uint32_t k = 0; k < s->sim.scene->emitter_count; k++) {
        double speed;
        if (!active(j, &s->sim.scene->emitters[k], &speed)) continue;
        for (int a = 0; a < s->tiles.dimensions; a++) {
            rill_vec3 x = center;
            v3_set_axis(&x, a, v3_axis(x, a) - 0.5 * s->h);
            if (column_distance(j, k, speed, x) < 0.5 * s->h)
                s->field.u[a][i] =
                    (float)(speed * v3_axis(s->sim.sources.layer[k].direction, a) - v3_axis(j->gain, a));
        }
    }
}

static void emit_tiles(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const emit_job *j = arg;
    grid *s = j->s;
    const size_t cells = (size_t)s->tiles.cells;
    for (size_t t = begin; t < end; t++) {
        const rill_vec3 corner = grid_tile_corner(&s->tiles, (uint32_t)t);
        double change = 0;
        for (size_t c = 0; c < cells; c++) {
            const size_t i = t * cells + c;
            if (s->field.room[i] == 0) continue;
            const rill_vec3 x = v3_madd(corner, s->h,
                                        v3((double)(c % 8) + 0.5, (double)(c / 8 % 8) + 0.5,
                                           s->tiles.layers == 1 ? 0 : (double)(c / 64) + 0.5));
            give_velocity(j, i, x);
            if (!j->phi) continue;
            const float before = j->phi[i];
            j->phi[i] = level_with_sources(j, x, before);
            change += (double)(s->field.room[i] * (part_filled(j->phi[i]) - part_filled(before)));
        }
        j->change[t] = change;
    }
}

rill_status grid_emit(grid *s, float *phi, double t, double dt)
{
    const rill_scene *scene = s->sim.scene;
    if (scene->emitter_count == 0 && scene->drain_count == 0) return RILL_OK;
    const bool carried = s->def.surface == GRID_LEVEL_SET || s->def.surface == GRID_PARTICLE_SET;
    emit_job j = {.s = s, .phi = carried ? phi : NULL, .t = t, .dt = dt};
    j.gain = v3_scale(scene_gravity(scene, t + dt / 2), dt);
    TRY(ARENA_NEW(&s->scratch, j.change, s->tiles.count));
    TRY(ARENA_NEW(&s->scratch, j.gap, scene->emitter_count));
    for (uint32_t k = 0; k < scene->emitter_count; k++)
        j.gap[k] = sources_gap(&s->sim.sources, k, &s->sim.solids, t);
    parallel_for(s->sim.ctx, s->tiles.count, 8, emit_tiles, &j);
    double all = 0;
    for (uint32_t k = 0; k < s->tiles.count; k++) all += j.change[k];
    if (s->wanted > 0) s->wanted = fmax(s->wanted + all * pow(s->h, s->tiles.dimensions), 1e-300);
    return RILL_OK;
}
