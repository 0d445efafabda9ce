/* What may be seen of gas: its cells, velocity and pressure at places. */
#include "grid/gas/state.h"

void gas_view(const rill_sim *sim, rill_view *out)
{
    out->elements = gas_view_of(sim)->active;
}

double gas_max_speed(const rill_sim *sim, rill_vec3 *where)
{
    const gas *s = gas_view_of(sim);
    const grid_tiles *t = &s->grid.tiles;
    const size_t cells = (size_t)t->cells;
    double most = -1;
    for (size_t i = 0; i < grid_cell_count(t); i++) {
        if (!s->grid.field.active[i]) continue;
        double u2 = isfinite(s->soot[i] + s->heat[i]) ? 0 : NAN;
        for (int a = 0; a < t->dimensions; a++) u2 += (double)s->u[a][i] * (double)s->u[a][i];
        if (u2 <= most) continue;
        most = u2;
        *where = gas_place(t, (uint32_t)(i / cells), (int)(i % cells), -1);
        if (!isfinite(u2)) return u2;
    }
    return sqrt(fmax(most, 0));
}

static rill_status fill(const gas *s, particles *out)
{
    const grid_tiles *t = &s->grid.tiles;
    rill_ctx *ctx = s->grid.sim.ctx;
    const size_t n = grid_cell_count(t), cells = (size_t)t->cells;
    const bool smoky = s->grid.sim.scene->smoke_count > 0;
    const scene_domain *d = &s->grid.sim.scene->domain;
    size_t count = 0;
    for (size_t i = 0; i < n; i++) count += s->grid.field.active[i] != 0;
    TRY(particles_add_column(ctx, out, "pressure"));
    if (smoky) {
        TRY(particles_add_column(ctx, out, "soot"));
        TRY(particles_add_column(ctx, out, "heat"));
    }
    TRY(particles_reserve(ctx, out, count));
    float *pressure = particles_column(out, "pressure"), *soot = smoky ? particles_column(out, "soot") : NULL,
          *heat = smoky ? particles_column(out, "heat") : NULL;
    for (size_t i = 0; i < n; i++) {
        if (!s->grid.field.active[i]) continue;
        const size_t k = out->count++;
        /* Of a cell that a side of the domain cuts the middle may be outside. */
        rill_vec3 x = gas_place(t, (uint32_t)(i / cells), (int)(i % cells), -1);
        for (int a = 0; a < t->dimensions; a++)
            v3_set_axis(&x, a, fmin(fmax(v3_axis(x, a), v3_axis(d->min, a)), v3_axis(d->max, a)));
        out->position[k] = x;
        out->id[k] = k;
        pressure[k] = (float)((double)s->q[i] * s->grid.step.q_scale);
        if (!smoky) continue;
        soot[k] = s->soot[i];
        heat[k] = s->heat[i];
    }
    out->next_id = out->count;
    return grid_sample(&s->grid, out->count, out->position, out->velocity, NULL);
}

rill_status gas_cells(const rill_sim *sim, particles *out)
{
    particles made = {0};
    const rill_status st = fill(gas_view_of(sim), &made);
    if (!st)
        *out = made;
    else
        particles_clear(sim->ctx, &made);
    return st;
}

/* Whether a place is beyond the tiles, where the coarse gas knows. */
static bool is_far(const gas *s, rill_vec3 x)
{
    int32_t c[3];
    if (!s->far || !v3_finite(x)) return false;
    const scene_domain *d = &s->grid.sim.scene->domain;
    for (int a = 0; a < s->grid.tiles.dimensions; a++)
        v3_set_axis(&x, a, fmin(fmax(v3_axis(x, a), v3_axis(d->min, a)), v3_axis(d->max, a)));
    grid_cell_at(&s->grid.tiles, x, c);
    return block_map_find(&s->grid.tiles.map, c[0] >> 3, c[1] >> 3, c[2] >> 3) == BLOCK_NONE;
}

rill_status gas_velocity(const rill_sim *sim, size_t n, const rill_vec3 *x, rill_vec3 *u)
{
    const gas *s = gas_view_of(sim);
    TRY(grid_sample(&s->grid, n, x, u, NULL));
    for (size_t i = 0; i < n; i++)
        if (is_far(s, x[i])) TRY(grid_sample(&s->far->grid, 1, &x[i], &u[i], NULL));
    return RILL_OK;
}

rill_status gas_trace(const rill_sim *sim, size_t n, const rill_vec3 *x, uint32_t *part, rill_vec3 *u)
{
    const gas *s = gas_view_of(sim);
    TRY(grid_trace(&s->grid, n, x, part, u));
    for (size_t i = 0; i < n && s->far; i++) {
        if (part[i] != TRACE_NOWHERE || !is_far(s, x[i])) continue;
        TRY(grid_sample(&s->far->grid, 1, &x[i], &u[i], NULL));
        part[i] = 0;
    }
    return RILL_OK;
}

/* With the weight of the gas, from the highest corner of the domain on. */
rill_status gas_pressure(const rill_sim *sim, size_t n, const rill_vec3 *x, double *p)
{
    const gas *s = gas_view_of(sim);
    const rill_vec3 g = scene_gravity(sim->scene, sim->time);
    rill_vec3 top = sim->scene->domain.min;
    for (int a = 0; a < 3; a++)
        if (v3_axis(g, a) < 0) v3_set_axis(&top, a, v3_axis(sim->scene->domain.max, a));
    TRY(grid_sample(&s->grid, n, x, NULL, p));
    for (size_t i = 0; i < n; i++)
        if (is_far(s, x[i])) TRY(grid_sample(&s->far->grid, 1, &x[i], NULL, &p[i]));
    for (size_t i = 0; i < n; i++) p[i] += sim->scene->fluid.density * v3_dot(g, v3_sub(x[i], top));
    return RILL_OK;
}
