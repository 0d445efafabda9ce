#include "serve_runs.h"

#include "base/random.h"
#include "io/file.h"
#include "io/ply.h"

#include <stdio.h>
#include <string.h>

static const char scene[] =
    "{ \"rill\": 1, \"name\": \"small\", \"method\": \"sph\", \"spacing\": 0.05,\n"
    "  \"domain\": { \"min\": [0, 0, 0], \"max\": [1, 1, 1] }, \"time\": { \"frames\": 1, \"fps\": 30 },\n"
    "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0, 0, 0], \"max\": [0.4, 0.4, 1] } } } ],\n"
    "  \"solids\": [ { \"name\": \"ball\", \"shape\": { \"sphere\": { \"center\": [0.7, 0.5, 0.5], "
    "\"radius\": 0.1 } } },\n"
    "    { \"shape\": { \"difference\": [ { \"box\": { \"min\": [0.6, 0, 0], \"max\": [0.8, 0.2, 0.3] } },\n"
    "      { \"cylinder\": { \"from\": [0.7, -1, 0.1], \"to\": [0.7, 1, 0.1], \"radius\": 0.05 } } ] },\n"
    "      \"motion\": { \"keyframes\": [ { \"t\": 0 }, { \"t\": 1, \"translate\": [0, 0.3, 0] } ] } } ] }\n";

static rill_status write_particles(rill_ctx *ctx, const char *path)
{
    particles p = {0};
    rill_vec3 x[SERVE_RUN_POINTS], v[SERVE_RUN_POINTS];
    for (uint32_t i = 0; i < SERVE_RUN_POINTS; i++) {
        const random4 r = random_at(7, i, 0, 0);
        x[i] = (rill_vec3){random_unit(r.v[0], r.v[1]), random_unit(r.v[1], r.v[2]),
                           random_unit(r.v[2], r.v[3])};
        v[i] = (rill_vec3){x[i].y, -x[i].x, 0.5};
    }
    static const char *const names[] = {"pressure", "red", "green", "blue"};
    rill_status st = RILL_OK;
    for (int k = 0; k < 4 && !st; k++) st = particles_add_column(ctx, &p, names[k]);
    if (!st) st = particles_append(ctx, &p, SERVE_RUN_POINTS, x, v);
    for (size_t i = 0; !st && i < p.count; i++) {
        p.column[0].value[i] = (float)(1000 * x[i].y);
        p.column[1].value[i] = (float)x[i].x;
        p.column[2].value[i] = 0.25f;
        p.column[3].value[i] = i % 3 ? 7 : -1; /* brighter and darker than there is */
    }
    if (!st) st = ply_write_particles(ctx, path, &p, 0.5, 0);
    particles_clear(ctx, &p);
    return st;
}

/* A strip of triangles. */
static rill_status write_surface(rill_ctx *ctx, const char *path)
{
    trimesh m = {.vertex_count = SERVE_RUN_VERTICES, .triangle_count = SERVE_RUN_TRIANGLES};
    rill_status st = MEM_NEW(ctx, m.position, SERVE_RUN_VERTICES);
    if (!st) st = MEM_NEW(ctx, m.normal, SERVE_RUN_VERTICES);
    if (!st) st = MEM_NEW(ctx, m.triangle, SERVE_RUN_TRIANGLES);
    for (uint32_t i = 0; !st && i < SERVE_RUN_VERTICES; i++) {
        const float normal[3] = {0.6f, -0.64f, i & 1 ? 0.48f : -0.48f};
        m.position[i] = (rill_vec3){i / 600.0, (i & 1) / 10.0, 0.3};
        memcpy(m.normal[i], normal, sizeof normal);
    }
    for (uint32_t i = 0; !st && i < SERVE_RUN_TRIANGLES; i++) {
        const uint32_t first = i % (SERVE_RUN_VERTICES - 2), corner[3] = {first, first + 1, first + 2};
        memcpy(m.triangle[i], corner, sizeof corner);
    }
    if (!st) st = ply_write_mesh(ctx, path, &m, 0.5, 0);
    trimesh_clear(ctx, &m);
    return st;
}

bool serve_run_make(rill_ctx *ctx, const char *folder)
{
    char path[512];
    rill_status st = RILL_OK;
    snprintf(path, sizeof path, "%s/frames", folder);
    st = folder_create(ctx, path);
    for (int frame = 0; frame < 2 && !st; frame++) {
        snprintf(path, sizeof path, "%s/frames/particles_%04d.ply", folder, frame);
        st = write_particles(ctx, path);
        snprintf(path, sizeof path, "%s/frames/surface_%04d.ply", folder, frame);
        if (!st) st = write_surface(ctx, path);
    }
    static const char *const names[] = {"scene.json", "run.json", "stats.jsonl", "gauges.csv"};
    static const char *const texts[] = {scene, "{}", "{\"t\":0.1,\"kinetic\":2}\n{\"t\":0.2,\"kinetic\":3}\n",
                                        "t,P1\n0.1,5\n0.2,6\n"};
    for (int k = 0; k < 4 && !st; k++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[k]);
        st = file_write_all(ctx, path, texts[k], strlen(texts[k]));
    }
    return st == RILL_OK;
}
