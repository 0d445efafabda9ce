#include "verify/verify.h"

#include "io/file.h"
#include "render/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* One line each, here and below. */
/* clang-format off */
extern const verify_case v01_closed_cells;
extern const verify_case v02_cells;
extern const verify_case v02_grid;
extern const verify_case v02_tets;
extern const verify_case v03_grid;
extern const verify_case v03_points;
extern const verify_case v04_solvers;
extern const verify_case v05_kernels;
extern const verify_case v08_carried;
extern const verify_case v08_zalesak;
extern const verify_case v09_vortex;
extern const verify_case v10_enright;
extern const verify_case v11_normal_flow;
extern const verify_case v11_curvature;
extern const verify_case v12_hydrostatic;
extern const verify_case v12_tets;
extern const verify_case v12_walls;
extern const verify_case v13_taylor_green;
extern const verify_case v13_tets;
extern const verify_case v13_gas, gas_start, gas_bubble, gas_kept, gas_rest, gas_tiles, gas_wind, gas_rings, gas_rings_fine;
extern const verify_case v14_cavity;
extern const verify_case v14_cavity_fast;
extern const verify_case v15_rotation;
extern const verify_case v16_sloshing;
extern const verify_case v17_dam_break;
extern const verify_case v20_added_mass;
extern const verify_case v19_grid;
extern const verify_case v20_grid;
extern const verify_case v20_tets;
extern const verify_case v21_density;
extern const verify_case v22_free_fall;
extern const verify_case v22_tets;
extern const verify_case tets_walls_case;
extern const verify_case tets_refined_case;
extern const verify_case tets_pump_case;
extern const verify_case v23_splash;
extern const verify_case v25_drop;
extern const verify_case v26_drop;
extern const verify_case flow_rate;
extern const verify_case force_gauges;
extern const verify_case body_energy_case;
extern const verify_case viscous_bodies_case;
extern const verify_case v19_points;
extern const verify_case u_tube;
extern const verify_case v19_sph;
extern const verify_case v20_sph;
extern const verify_case sph_flows;
extern const verify_case start_volume;
extern const verify_case thick_points;
extern const verify_case points_gas;
extern const verify_case adams_figure_3;
extern const verify_case adams_figure_3_armadillo;
extern const verify_case adams_figure_5;
extern const verify_case adams_figure_6;
extern const verify_case adams_front;
extern const verify_case v12_levels;
extern const verify_case v12_levels_3d;
extern const verify_case v16_levels;
extern const verify_case v17_levels;
extern const verify_case v21_levels;
extern const verify_case v22_levels;
extern const verify_case v23_levels;
extern const verify_case viscosity_case;
extern const verify_case surface_dam_break;
extern const verify_case surface_flicker;
extern const verify_case surface_sizes;
extern const verify_case surface_in_glass;
extern const verify_case surface_moving_mesh;
extern const verify_case surface_popping;
extern const verify_case surface_scenes;
extern const verify_case tracker_topology;
extern const verify_case v10_enright_fine;
extern const verify_case v10_grid;
extern const verify_case v11_curl_noise;
extern const verify_case tracker_adversarial;
extern const verify_case points_volume;
extern const verify_case points_pressure;
extern const verify_case v27_cube;
extern const verify_case v13_voronoi;
extern const verify_case v24_curvature;
extern const verify_case voronoi_sight;
extern const verify_case voronoi_paddle;
extern const verify_case v29_capillary;
extern const verify_case voronoi_stretching;
extern const verify_case voronoi_figures;
extern const verify_case voronoi_floating;

const verify_case *const verify_cases[] = {
    &v01_closed_cells,
    &v02_cells,
    &v02_grid,
    &v02_tets,
    &v03_grid,
    &v03_points,
    &v04_solvers,
    &v05_kernels,
    &v08_carried,
    &v08_zalesak,
    &v09_vortex,
    &v10_enright,
    &v11_normal_flow,
    &v11_curvature,
    &v12_hydrostatic,
    &v12_tets,
    &v12_walls,
    &v13_taylor_green,
    &v13_tets,
    &v13_gas,
    &gas_start,
    &gas_bubble,
    &gas_kept,
    &gas_rest,
    &gas_tiles,
    &gas_wind,
    &gas_rings,
    &v14_cavity,
    &v15_rotation,
    &v16_sloshing,
    &v17_dam_break,
    &v20_added_mass,
    &v20_tets,
    &v19_grid,
    &v20_grid,
    &v21_density,
    &v22_free_fall,
    &v22_tets,
    &tets_walls_case,
    &tets_refined_case,
    &tets_pump_case,
    &v23_splash,
    &v25_drop,
    &v26_drop,
    &v27_cube,
    &v13_voronoi,
    &v24_curvature,
    &voronoi_sight,
    &v29_capillary,
    &voronoi_stretching,
    &voronoi_figures,
    &voronoi_floating,
    &flow_rate,
    &body_energy_case,
    &viscous_bodies_case,
    &force_gauges,
    &u_tube,
    &start_volume,
    &thick_points,
    &points_gas,
    &adams_figure_3,
    &adams_figure_3_armadillo,
    &adams_figure_5,
    &adams_figure_6,
    &adams_front,
    &v12_levels,
    &v16_levels,
    &v17_levels,
    &v21_levels,
    &v22_levels,
    &viscosity_case,
    &surface_dam_break,
    &surface_flicker,
    &surface_sizes,
    &surface_in_glass,
    &surface_moving_mesh,
    &surface_popping,
    &surface_scenes,
    &tracker_topology,
    NULL,
};

const verify_case *const verify_long_cases[] = {
    &v10_enright_fine,
    &v10_grid,
    &v11_curl_noise,
    &v12_levels_3d,
    &v19_sph,
    &v19_points,
    &v20_sph,
    &sph_flows,
    &v14_cavity_fast,
    &v23_levels,
    &tracker_adversarial,
    &points_volume,
    &points_pressure,
    &voronoi_paddle,
    &gas_rings_fine,
    NULL,
};
/* clang-format on */

const verify_case *verify_find(const char *id)
{
    for (const verify_case *const *c = verify_cases; *c; c++)
        if (strcasecmp((*c)->id, id) == 0) return *c;
    for (const verify_case *const *c = verify_long_cases; *c; c++)
        if (strcasecmp((*c)->id, id) == 0) return *c;
    return NULL;
}

bool verify_applies(const verify_case *c, const char *method)
{
    for (const char *const *m = c->methods; m && *m; m++)
        if (strcmp(*m, method) == 0) return true;
    return false;
}

void verify_figure(verify *v, const char *name, double value, verify_kind kind, double target)
{
    verify_line line = {.id = v->current->id,
                        .method = v->method,
                        .figure = name,
                        .value = value,
                        .target = kind == REPORT ? NAN : target,
                        .kind = kind};
    line.pass = kind == AT_MOST ? value <= target : kind == AT_LEAST ? value >= target : isfinite(value);
    if (line.pass)
        v->passed++;
    else
        v->failed++;
    v->sink(v->user, &line);
}

rill_status verify_run_case(verify *v, const verify_case *c, const char *method)
{
    v->current = c;
    v->method = method;
    const rill_status st = c->run(v);
    if (st == RILL_CANCELLED) return st;
    if (st) {
        (void)rill_fail_prefix(v->ctx, st, "%s%s%s: ", c->id, method ? " with " : "", method ? method : "");
        verify_figure(v, "completes", 0, AT_LEAST, 1);
    }
    return RILL_OK;
}

rill_status verify_plot(const verify *v, const struct plot_def *def)
{
    if (!v->plots) return RILL_OK;
    char name[64];
    image picture = {0};
    snprintf(name, sizeof name, "%s.svg", v->current->id);
    char *svg = path_join(v->ctx, v->plots, name);
    snprintf(name, sizeof name, "%s.png", v->current->id);
    char *png = path_join(v->ctx, v->plots, name);
    rill_status st = svg && png ? folder_create(v->ctx, v->plots) : mem_failed(v->ctx, strlen(v->plots), 1);
    if (!st) st = plot_write_svg(v->ctx, svg, def);
    if (!st) st = plot_draw(v->ctx, def, &picture);
    if (!st) st = image_write_png(v->ctx, png, &picture);
    image_clear(v->ctx, &picture);
    mem_free(v->ctx, svg);
    mem_free(v->ctx, png);
    return st;
}
