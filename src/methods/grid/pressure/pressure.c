#include "grid/pressure/pressure.h"

#include "base/text.h"
#include "grid/pressure/bodies.h"
#include "grid/pressure/components.h"

#include <math.h>

const char *const pressure_method_words[PRESSURE_METHODS + 1] = {"multigrid", "mic0",   "cg",
                                                                 "sor",       "jacobi", NULL};

pressure_def pressure_def_default(void)
{
    return (pressure_def){.method = PRESSURE_MULTIGRID, .tolerance = 1e-6};
}

void pressure_solver_init(pressure_solver *s, rill_ctx *ctx)
{
    *s = (pressure_solver){.ctx = ctx};
    arena_init(&s->memory, ctx);
    arena_init(&s->scratch, ctx);
}

void pressure_solver_clear(pressure_solver *s)
{
    arena_clear(&s->memory);
    arena_clear(&s->scratch);
}

/* Forgets the last solve. A liquid that grows from step to step would outgrow its memory each
 * time, and fresh pages cost more than the solve's set-up: a quarter to spare, which takes no
 * pages until it is used. */
static void forget(rill_arena *arena, size_t *room)
{
    const size_t used = arena->used;
    arena_reset(arena);
    if (used <= *room) return;
    *room = used + used / 4;
    (void)arena_alloc(arena, *room, 1); /* if there is no more, the solve will say so */
    arena_reset(arena);
}

rill_status solve_remove_means(const solve *s, double *v, double *largest_sum)
{
    double *sum, largest = 0;
    uint32_t *count;
    if (largest_sum) *largest_sum = 0;
    if (!s->labels) return RILL_OK;
    const size_t n = (size_t)s->grid->level[0].tiles * s->grid->level[0].cells;
    TRY(ARENA_NEW(s->scratch, sum, s->labels));
    TRY(ARENA_NEW(s->scratch, count, s->labels));
    memset(sum, 0, s->labels * sizeof *sum);
    memset(count, 0, s->labels * sizeof *count);
    for (size_t i = 0; i < n; i++)
        if (s->label[i] != NO_NODE) {
            sum[s->label[i]] += v[i];
            count[s->label[i]]++;
        }
    for (uint32_t k = 0; k < s->labels; k++) {
        if (fabs(sum[k]) > largest) largest = fabs(sum[k]);
        sum[k] /= count[k];
    }
    for (size_t i = 0; i < n; i++)
        if (s->label[i] != NO_NODE) v[i] -= sum[s->label[i]];
    if (largest_sum) *largest_sum = largest;
    return RILL_OK;
}

static uint64_t count_active(const level *l)
{
    uint64_t n = 0;
    for (uint32_t t = 0; t < l->tiles; t++) {
        const uint8_t *active = l->active + (size_t)l->source[t] * l->cells;
        uint32_t in_tile = 0;
        for (uint32_t i = 0; i < l->cells; i++) in_tile += active[i] != 0;
        n += in_tile;
    }
    return n;
}

static rill_status check_def(rill_ctx *ctx, const pressure_system *system, const pressure_def *def)
{
    if (!(def->tolerance > 0 && def->tolerance < 1))
        return rill_fail(ctx, RILL_USAGE, "pressure: tolerance %g must be above 0 and below 1",
                         def->tolerance);
    if (!(def->omega >= 0 && def->omega < 2))
        return rill_fail(ctx, RILL_USAGE, "pressure: omega %g must be above 0 and below 2, or 0 for the best",
                         def->omega);
    if (system->bodies && system->bodies->count &&
        (def->method == PRESSURE_SOR || def->method == PRESSURE_JACOBI))
        return rill_fail(ctx, RILL_USAGE, "pressure: \"%s\" cannot move bodies; take multigrid, mic0 or cg",
                         pressure_method_words[def->method]);
    if ((uint64_t)system->tiles * 512 >= INT32_MAX / 2)
        return rill_fail(ctx, RILL_NO_MEMORY,
                         "pressure: %u tiles are too many for 32-bit indices; use a larger spacing",
                         system->tiles);
    return RILL_OK;
}

/* b = the caller's right side, compatible with the singular parts, and x the start. */
static rill_status make_right_side(solve *s, const pressure_system *system, const double *p)
{
    const level *l = &s->grid->level[0];
    TRY(double_vector(s->memory, l, s->def->warm, &s->x));
    TRY(double_vector(s->memory, l, true, &s->b));
    double_gather(s->ctx, l, system->b, s->b);
    if (s->def->warm) double_gather(s->ctx, l, p, s->x);
    TRY(solve_remove_means(s, s->b, &s->report->net_flux));
    s->norm = s->report->norm = sqrt(double_dot(s->ctx, l, s->b, s->b));
    return RILL_OK;
}

double solve_residual(const solve *s, const double *x, double scale, float *r)
{
    const level *l = &s->grid->level[0];
    if (x) solve_bodies_apply(s, x, -1, s->b); /* b is put back */
    const double sum = double_residual(s->ctx, l, x, s->b, scale, r);
    if (x) solve_bodies_apply(s, x, 1, s->b);
    return sum;
}

static rill_status run(solve *s)
{
    pressure_report *r = s->report;
    if (s->norm == 0) {
        memset(s->x, 0, (size_t)s->grid->level[0].tiles * s->grid->level[0].cells * sizeof *s->x);
        solve_bodies_constants(s, s->x);
        return RILL_OK;
    }
    if (!isfinite(s->norm)) {
        r->end = PRESSURE_DIVERGED;
        r->residual = INFINITY;
        memset(s->x, 0, (size_t)s->grid->level[0].tiles * s->grid->level[0].cells * sizeof *s->x);
        return RILL_OK;
    }
    r->residual = -1;
    switch (s->def->method) {
    case PRESSURE_MIC0:
    case PRESSURE_CG: TRY(solve_gradients(s)); break;
    case PRESSURE_SOR:
    case PRESSURE_JACOBI: TRY(solve_relaxation(s)); break;
    default: TRY(solve_multigrid(s));
    }
    if (r->residual < 0) /* the solver does not know it */
        r->residual = sqrt(solve_residual(s, s->x, 1, NULL)) / s->norm;
    if (r->end == PRESSURE_CONVERGED && !(r->residual <= 1.01 * s->def->tolerance)) r->end = PRESSURE_STALLED;
    if (!isfinite(r->residual)) {
        r->end = PRESSURE_DIVERGED;
        r->residual = INFINITY;
        memset(s->x, 0, (size_t)s->grid->level[0].tiles * s->grid->level[0].cells * sizeof *s->x);
    }
    TRY(solve_remove_means(s, s->x, NULL));
    solve_bodies_constants(s, s->x);
    return RILL_OK;
}

rill_status pressure_solve(pressure_solver *solver, const pressure_system *system, const pressure_def *def,
                           double *p, pressure_report *report)
{
    rill_ctx *ctx = solver->ctx;
    TRY(check_def(ctx, system, def));
    forget(&solver->memory, &solver->room[0]);
    forget(&solver->scratch, &solver->room[1]);
    const double start = clock_seconds();
    pressure_report r = {.end = PRESSURE_CONVERGED, .levels = 1};
    multigrid grid = {.ctx = ctx};
    level *l = &grid.level[0];
    TRY(level_from_system(&solver->memory, system, l));
    TRY(level_build(&solver->memory, l));
    solve s = {ctx, &solver->memory, &solver->scratch, def, &grid, .report = &r};
    if (def->method == PRESSURE_MULTIGRID) {
        TRY(multigrid_build(&solver->memory, &solver->scratch, &grid));
        TRY(multigrid_labels(&solver->memory, &solver->scratch, &grid, &s.label, &s.labels));
        r.levels = (uint32_t)grid.levels;
    } else
        TRY(components_label(&solver->memory, &solver->scratch, l, &s.label, &s.labels));
    r.singular = s.labels;
    r.cells = count_active(l);
    TRY(make_right_side(&s, system, p));
    TRY(solve_bodies_make(&s, system));
    r.setup_seconds = clock_seconds() - start;
    TRY(run(&s));
    if (l->tiles < system->tiles) memset(p, 0, (size_t)system->tiles * l->cells * sizeof *p);
    double_scatter(ctx, l, s.x, p);
    r.solve_seconds = clock_seconds() - start - r.setup_seconds;
    *report = r;
    return RILL_OK;
}
