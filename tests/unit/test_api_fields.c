/* What a host reads besides particles: volumes and white water; and forces of a host on bodies, which are
 * part of what is saved. */
#include "folders.h"
#include "support.h"

#include "flow/method.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A drop that falls into a pool with tracers and a ball. */
static const char basin[] =
    "{ \"rill\": 1, \"method\": \"%s\", \"spacing\": 0.08,\n"
    "  \"domain\": { \"min\": [0,0,0], \"max\": [0.96,0.96,0.64] }, \"time\": { \"frames\": 8, \"fps\": 40 "
    "},\n"
    "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": [0.96,0.32,0.64] } } },\n"
    "                { \"shape\": { \"sphere\": { \"center\": [0.3,0.64,0.32], \"radius\": 0.15 } },\n"
    "                  \"velocity\": [0,-5,0] } ],\n"
    "  \"tracers\": [ { \"shape\": { \"box\": { \"min\": [0.1,0.1,0.1], \"max\": [0.5,0.3,0.5] } }, "
    "\"count\": 80 } ],\n"
    "  \"solids\": [ { \"name\": \"ball\", \"shape\": { \"sphere\": { \"center\": [0.7,0.4,0.32], "
    "\"radius\": 0.12 } },\n"
    "                  \"body\": { \"density\": 500 } } ]%s }\n";

typedef struct {
    rill_ctx *ctx;
    rill_scene *scene;
    rill_sim *sim;
} fixture;

static fixture start(const char *method, const char *more)
{
    fixture f = {.ctx = test_ctx(2)};
    char text[sizeof basin + 200];
    snprintf(text, sizeof text, basin, method, more);
    assert_ok(f.ctx, rill_scene_parse(f.ctx, "pool.json", text, strlen(text), &f.scene));
    assert_ok(f.ctx, rill_sim_create(f.ctx, f.scene, &f.sim));
    return f;
}

static void stop(fixture *f)
{
    rill_sim_destroy(f->sim);
    rill_scene_destroy(f->scene);
    rill_ctx_destroy(f->ctx);
}

/* ---- volumes ---- */

static const rill_volume *find(const rill_volumes *all, const char *name)
{
    for (uint32_t k = 0; k < all->count; k++)
        if (strcmp(all->volume[k].name, name) == 0) return &all->volume[k];
    return NULL;
}

static double sum(const rill_volume *v)
{
    double s = 0;
    for (size_t i = 0; i < 512 * v->block_count * v->width; i++) s += (double)v->value[i];
    return s;
}

/* The level set against the surface that the library makes, at every sample of the band. */
static void assert_distances(const rill_volume *v, const rill_mesh *m)
{
    for (size_t b = 0; b < v->block_count; b += 3)
        for (int i = 0; i < 512; i += 37) {
            const rill_vec3 x = {v->origin.x + v->cell * (8.0 * v->block[b][0] + i % 8),
                                 v->origin.y + v->cell * (8.0 * v->block[b][1] + i / 8 % 8),
                                 v->origin.z + v->cell * (8.0 * v->block[b][2] + i / 64)};
            double nearest = INFINITY; /* of the corners: at most an edge more than the distance */
            for (size_t k = 0; k < m->vertex_count; k++)
                nearest = fmin(nearest, v3_distance(x, m->position[k]));
            const double d = fabs((double)v->value[512 * b + (size_t)i]);
            assert_true(d <= nearest + 1e-6);
            if (d < (double)v->background * 0.999) assert_true(nearest <= d + 2 * v->cell);
        }
}

static void volumes_hold_what_there_is(void **state)
{
    (void)state;
    fixture f = start("sph", "");
    rill_volumes *all = NULL;
    rill_mesh *mesh = NULL;
    assert_ok(f.ctx, rill_sim_advance(f.sim, 0.025));
    assert_ok(f.ctx, rill_sim_volumes(f.sim, &all));
    const rill_volume *density = find(all, "density"), *velocity = find(all, "velocity"),
                      *level = find(all, "level_set");
    assert_non_null(density);
    assert_non_null(velocity);
    assert_non_null(level);
    assert_int_equal(density->width, 1);
    assert_int_equal(velocity->width, 3);
    assert_true(fabs(sum(density) * pow(density->cell, 3) - 80) < 1e-3);
    assert_ok(f.ctx, rill_sim_surface(f.sim, &mesh));
    assert_distances(level, mesh);
    rill_mesh_destroy(mesh);

    /* They stay as they are while the simulation goes on. */
    const double before = sum(velocity);
    assert_ok(f.ctx, rill_sim_advance(f.sim, 0.05));
    assert_true(sum(velocity) == before);
    rill_volumes_destroy(all);
    rill_volumes_destroy(NULL);
    assert_int_equal(rill_sim_volumes(f.sim, NULL), RILL_USAGE);
    assert_int_equal(rill_sim_volumes(NULL, &all), RILL_USAGE);
    stop(&f);
}

/* ---- white water ---- */

static void white_water_is_shown(void **state)
{
    (void)state;
    fixture f = start("sph", ", \"whitewater\": {}"), none = start("points", "");
    rill_particles p, q;
    rill_sim_whitewater(none.sim, &q);
    assert_int_equal(q.count, 0);
    assert_null(rill_sim_whitewater_column_name(none.sim, 0));
    assert_null(rill_sim_whitewater_column(none.sim, "age"));
    assert_ok(f.ctx, rill_sim_advance(f.sim, 0.1));
    rill_sim_whitewater(f.sim, &p);
    rill_view view;
    sim_view(f.sim, &view);
    assert_non_null(view.whitewater);
    assert_int_equal(p.count, view.whitewater->count);
    assert_true(p.count > 0);
    assert_ptr_equal(p.position, view.whitewater->position);
    for (uint32_t k = 0; k < p.column_count; k++)
        assert_non_null(rill_sim_whitewater_column(f.sim, rill_sim_whitewater_column_name(f.sim, k)));
    rill_sim_whitewater(NULL, &p);
    assert_int_equal(p.count, 0);
    stop(&none);
    stop(&f);
}

/* ---- forces on bodies ---- */

static void assert_same_body(const rill_sim *a, const rill_sim *b)
{
    rill_pose p, q;
    rill_vec3 u[2], v[2];
    assert_int_equal(rill_sim_body_pose(a, 0, &p), RILL_OK);
    assert_int_equal(rill_sim_body_pose(b, 0, &q), RILL_OK);
    assert_int_equal(rill_sim_body_velocity(a, 0, &u[0], &u[1]), RILL_OK);
    assert_int_equal(rill_sim_body_velocity(b, 0, &v[0], &v[1]), RILL_OK);
    assert_memory_equal(&p, &q, sizeof p);
    assert_memory_equal(u, v, sizeof u);
}

/* A state that was saved while a host pushed a body goes on being pushed; one from before takes it back. */
static void forces_on_bodies_are_saved(void **state)
{
    (void)state;
    static const char *const methods[] = {"sph", "grid", "points"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        fixture a = start(methods[m], ""), b = start(methods[m], ""), c = start(methods[m], "");
        const char *path = in_own_folder("pushed.rill");
        assert_ok(a.ctx, rill_sim_step(a.sim, INFINITY, NULL));
        assert_ok(a.ctx, rill_sim_body_apply(a.sim, 0, (rill_vec3){20, 90, 0}, (rill_vec3){0, 0, 1}));
        assert_ok(a.ctx, rill_sim_step(a.sim, INFINITY, NULL));
        assert_ok(a.ctx, rill_sim_save(a.sim, path));
        assert_ok(b.ctx, rill_sim_load(b.sim, path));
        for (int k = 0; k < 4; k++) {
            assert_ok(a.ctx, rill_sim_step(a.sim, INFINITY, NULL));
            assert_ok(b.ctx, rill_sim_step(b.sim, INFINITY, NULL));
        }
        assert_same_body(a.sim, b.sim);

        assert_ok(c.ctx, rill_sim_save(c.sim, path));
        assert_ok(b.ctx, rill_sim_load(b.sim, path));
        for (int k = 0; k < 3; k++) {
            assert_ok(b.ctx, rill_sim_step(b.sim, INFINITY, NULL));
            assert_ok(c.ctx, rill_sim_step(c.sim, INFINITY, NULL));
        }
        assert_same_body(b.sim, c.sim);
        stop(&a);
        stop(&b);
        stop(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volumes_hold_what_there_is),
        cmocka_unit_test(white_water_is_shown),
        cmocka_unit_test(forces_on_bodies_are_saved),
    };
    return cmocka_run_group_tests(tests, own_folder_make, own_folder_remove);
}
