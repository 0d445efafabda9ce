/* Surface tension and adhesion after Akinci et al. 2013, "Versatile surface tension and
 * adhesion for SPH fluids", sections 3 to 5:
 *
 *   cohesion   -A c(r/R) e_ij, their spline: attraction, and repulsion of the nearest
 *   area       -B (n_i - n_j), n_i = R C V sum_j grad W: flattens the surface
 *   both times K_ij = 2 rho_0 / (rho_i + rho_j), which is larger at the surface.
 *
 * All of it acts in pairs and is antisymmetric: linear momentum is kept to rounding.
 *
 * DEVIATES: their coefficient has no unit one could measure. Here A and B give fixed shares
 * of fluid.surface_tension, in N/m: the tension of a pair force at a flat surface is the
 * integral of normal less tangential stress (Kirkwood and Buff 1949), summed over a half
 * space of lattice. That leaves out what the pressure solver's own pairs add, and what a round,
 * disordered surface changes. Measured by the frequency of drops, with dfsph: 1.00 and 1.05 of it
 * in three dimensions with radii of 6 and 8 spacings; in two between 1.1 and 1.5 with 8 to 16,
 * scattered: a drop in two dimensions is a crystal that yields by jumps, and half periods of the same drop
 * give from 0.55 to 1.05. 1.03 and 1.2 are divided out. Take what is left as 10 percent in three dimensions,
 * and 40 in two.
 *
 * Walls are the mirror potential's: layers of the same liquid, `adhesion` times as
 * attractive, the first as far behind the wall as the particle is in front, and as much of
 * the wall counts as liquid in n. By Young and Dupre the cosine of the contact angle would
 * be 2 adhesion - 1; only its direction is tested.
 *
 * Explicit: the capillary limit of errata E-R4 bounds the step. */
#include "sph/uniform/pass.h"

#include <math.h>

/* Share of the tension that is due to B. Cohesion presses the whole liquid together, and with half
 * of the tension it makes drops stiff like jelly: their frequency is twice what it should be. */
static const double area_share = 0.9;

static const double measured_flat = 1.2, measured_solid = 1.03; /* see above */

/* -- calibration ---------------------------------------------------------------------- */

/* Their spline times pi R^3 / 32, eq. 2. */
double tension_cohesion(double q)
{
    if (q >= 1 || q <= 0) return 0;
    const double a = (1 - q) * (1 - q) * (1 - q) * q * q * q;
    return q > 0.5 ? a : 2 * a - 1.0 / 64;
}

typedef struct {
    double density, normal; /* density ratio; component of n out of the liquid */
} layer;

enum { MOST_LAYERS = 10 }; /* the support is at most 4 spacings */

/* Calls with every lattice vector shorter than the support. */
typedef void lattice_visit(void *arg, rill_vec3 d, double r);
static void visit_lattice(const kernel *k, double spacing, lattice_visit *visit, void *arg)
{
    const int most = (int)(k->support / spacing) + 1, deep = k->dimensions == 2 ? 0 : most;
    for (int z = -deep; z <= deep; z++)
        for (int y = -most; y <= most; y++)
            for (int x = -most; x <= most; x++) {
                const rill_vec3 d = v3(x * spacing, y * spacing, z * spacing);
                const double r = v3_length(d);
                if (r < k->support) visit(arg, d, r);
            }
}

typedef struct {
    const kernel *k;
    double spacing, unit; /* C V */
    int at;               /* layer of the particle, from the surface */
    layer *layers;
    double cohesion, area; /* sums of stress times height */
} half_space;

/* A neighbour d below the particle (y is up) is there when it is not above the surface. */
static int layer_of(const half_space *s, rill_vec3 d)
{
    return s->at + (int)lround(d.y / s->spacing);
}

static void visit_layer(void *arg, rill_vec3 d, double r)
{
    half_space *s = arg;
    if (layer_of(s, d) < 0) return;
    s->layers[s->at].density += s->unit * kernel_w(s->k, r);
    if (r > 0) s->layers[s->at].normal += s->k->support * s->unit * kernel_dw_over_r(s->k, r) * d.y;
}

static void visit_stress(void *arg, rill_vec3 d, double r)
{
    half_space *s = arg;
    const int other = layer_of(s, d);
    if (other < 0 || r <= 0) return;
    const layer full = {1, 0}, a = s->at < MOST_LAYERS ? s->layers[s->at] : full,
                b = other < MOST_LAYERS ? s->layers[other] : full;
    const double K = 2 / (a.density + b.density);
    const double along = s->k->dimensions == 2 ? d.x * d.x : 0.5 * (d.x * d.x + d.z * d.z);
    s->cohesion -= 0.5 * K * tension_cohesion(r / s->k->support) / r * (d.y * d.y - along);
    s->area -= 0.5 * K * (a.normal - b.normal) * d.y;
}

/* What A = 1 and B = 1 give, in N/m. With y down into the liquid. */
static void tension_of_units(const sph *s, double *cohesion, double *area)
{
    layer layers[MOST_LAYERS] = {{0}};
    const double D = s->sim.scene->spacing;
    half_space half = {.k = &s->model.kernel,
                       .spacing = D,
                       .unit = s->model.calibration * s->model.volume,
                       .layers = layers};
    for (half.at = 0; half.at < MOST_LAYERS; half.at++)
        visit_lattice(&s->model.kernel, D, visit_layer, &half);
    for (half.at = 0; half.at < 2 * MOST_LAYERS; half.at++)
        visit_lattice(&s->model.kernel, D, visit_stress, &half);
    const double per_area = s->model.mass / (s->model.kernel.dimensions == 2 ? D : D * D);
    *cohesion = half.cohesion * per_area;
    *area = half.area * per_area;
}

/* Cohesion of a plane of lattice at the given distance, along the normal. */
static double pull_of_plane(const kernel *k, double spacing, double z)
{
    enum { PIECES = 200 };
    double sum = 0;
    const double most = sqrt(fmax(k->support * k->support - z * z, 0)); /* along the plane */
    for (int i = 0; i < PIECES; i++) {
        const double a = most * (i + 0.5) / PIECES, r = sqrt(a * a + z * z);
        const double size = most / PIECES * (k->dimensions == 2 ? 2 : 2 * M_PI * a);
        sum += size * tension_cohesion(r / k->support) * z / r;
    }
    return sum / (k->dimensions == 2 ? spacing : spacing * spacing);
}

/* By the share B of the wall in density, which falls with distance: no second search for
 * the walls is needed. */
static void make_pull(const sph *s, tension *out)
{
    const double D = s->sim.scene->spacing;
    out->most_share = walls_value(&s->model.walls, 0, NULL);
    for (int i = 0; i <= PULL_CELLS; i++) {
        const double share = out->most_share * i / PULL_CELLS;
        double near = 0, far = s->model.walls.reach;
        for (int n = 0; n < 60; n++) {
            const double mid = 0.5 * (near + far);
            *(walls_value(&s->model.walls, mid, NULL) > share ? &near : &far) = mid;
        }
        double sum = 0;
        for (double z = fmax(2 * near, 1e-6 * D); z < s->model.kernel.support; z += D)
            sum += pull_of_plane(&s->model.kernel, D, z);
        out->pull[i] = (float)sum;
    }
}

void tension_make(const sph *s, tension *out)
{
    const double gamma = s->sim.scene->fluid.surface_tension;
    *out = (tension){0};
    if (!(gamma > 0)) return;
    double cohesion, area;
    tension_of_units(s, &cohesion, &area);
    const double nominal = gamma / (s->model.kernel.dimensions == 2 ? measured_flat : measured_solid);
    out->cohesion = (1 - area_share) * nominal / cohesion;
    out->area = area_share * nominal / area;
    make_pull(s, out);
}

double tension_step(const rill_scene *scene)
{
    const double gamma = scene->fluid.surface_tension, D = scene->spacing;
    return gamma > 0 ? sqrt(scene->fluid.density * D * D * D / (2 * M_PI * gamma)) : INFINITY;
}

double tension_limit(const sph *s)
{
    return tension_step(s->sim.scene);
}

/* -- normals -------------------------------------------------------------------------- */

typedef struct {
    sph *s;
    float (*normal)[4]; /* and density ratio */
} tension_job;

SPH_INLINE void normal_tile(void *arg, uint32_t index, const halo_copy *copy, sph_kernel kind)
{
    const tension_job *j = arg;
    const sph *s = j->s;
    const kernel8 k = kernel8_make(&s->model.kernel);
    const float scale = (float)(s->model.kernel.support * s->model.calibration * s->model.volume * k.g_scale);
    const float wall = (float)(s->model.kernel.support * s->model.calibration * s->def.adhesion);
    const float rest = (float)(1 / s->sim.scene->fluid.density);
    const __m256 tiny = _mm256_set1_ps((float)(1e-10 * s->model.kernel.support * s->model.kernel.support));
    for (own o = own_first(s, index); o.i < o.last; own_next(s, &o)) {
        const vec8 at = same8(s->uniform->position[o.i]);
        vec8 sum = zero8();
        for (const uint16_t *l = o.list; l < o.end; l += NEIGHBOUR_LANES) {
            const pair8 p = pair_apart(at, load8((const float(*)[4])copy->position, l), tiny);
            add8(&sum, pair_gradient(kind, &k, &p), p.x, p.y, p.z);
        }
        const float *b = s->step.wall[o.i];
        float *n = j->normal[o.i];
        n[0] = scale * sum8(sum.x) + wall * b[0];
        n[1] = scale * sum8(sum.y) + wall * b[1];
        n[2] = scale * sum8(sum.z) + wall * b[2];
        n[3] = rest * s->density[o.i];
    }
}

static void normal_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const tension_job *j = arg;
    pass_kernel_tiles(j->s, (pass_from){.position = (const float(*)[4])j->s->uniform->position}, begin, end,
                      worker, normal_tile, arg);
}

/* -- forces --------------------------------------------------------------------------- */

SPH_INLINE __m256 cohesion8(__m256 q)
{
    const __m256 one = _mm256_set1_ps(1);
    const __m256 b = _mm256_mul_ps(positive8(_mm256_sub_ps(one, q)), q);
    const __m256 far = _mm256_mul_ps(b, _mm256_mul_ps(b, b));
    const __m256 near = _mm256_sub_ps(_mm256_add_ps(far, far), _mm256_set1_ps(1.0f / 64));
    return _mm256_blendv_ps(near, far, _mm256_cmp_ps(q, _mm256_set1_ps(0.5f), _CMP_GT_OQ));
}

static float pull_at(const tension *t, float share)
{
    const float at = share / (float)t->most_share * PULL_CELLS;
    if (!(at < PULL_CELLS)) return t->pull[PULL_CELLS];
    const int i = at > 0 ? (int)at : 0;
    return t->pull[i] + (at - (float)i) * (t->pull[i + 1] - t->pull[i]);
}

SPH_INLINE void force_tile(void *arg, uint32_t index, const halo_copy *copy, sph_kernel kind)
{
    (void)kind;
    const tension_job *j = arg;
    const sph *s = j->s;
    const double support = s->model.kernel.support;
    const __m256 per_length = _mm256_set1_ps((float)(1 / support));
    const __m256 cohesion = _mm256_set1_ps((float)-s->uniform->tension.cohesion),
                 area = _mm256_set1_ps((float)-s->uniform->tension.area);
    const __m256 tiny = _mm256_set1_ps((float)(1e-10 * support * support)), one = _mm256_set1_ps(1);
    const float wall = (float)(s->def.adhesion * s->uniform->tension.cohesion);
    const float(*x)[4] = (const float(*)[4])copy->position, (*n)[4] = (const float(*)[4])copy->vector;
    for (own o = own_first(s, index); o.i < o.last; own_next(s, &o)) {
        const vec8 at = same8(s->uniform->position[o.i]), normal = same8(j->normal[o.i]);
        vec8 sum = zero8();
        for (const uint16_t *l = o.list; l < o.end; l += NEIGHBOUR_LANES) {
            const vec8 q = load8(n, l);
            const pair8 p = pair_apart(at, load8(x, l), tiny);
            const __m256 d = _mm256_sqrt_ps(p.d2), ratio = _mm256_mul_ps(d, per_length);
            __m256 K = _mm256_div_ps(_mm256_set1_ps(2), _mm256_add_ps(normal.w, q.w));
            K = _mm256_and_ps(K, _mm256_cmp_ps(ratio, one, _CMP_LT_OQ)); /* padding lanes */
            const __m256 f = _mm256_mul_ps(_mm256_mul_ps(K, cohesion), _mm256_div_ps(cohesion8(ratio), d));
            add8(&sum, f, p.x, p.y, p.z);
            add8(&sum, _mm256_mul_ps(K, area), _mm256_sub_ps(normal.x, q.x), _mm256_sub_ps(normal.y, q.y),
                 _mm256_sub_ps(normal.z, q.z));
        }
        float a[3] = {sum8(sum.x), sum8(sum.y), sum8(sum.z)};
        const float *g = s->step.wall[o.i]; /* towards the wall */
        const float g2 = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
        if (wall > 0 && g2 > 0) {
            const float f = wall * pull_at(&s->uniform->tension, g[3]) / sqrtf(g2);
            for (int c = 0; c < 3; c++) a[c] += f * g[c];
        }
        for (int c = 0; c < 3; c++) s->step.force[o.i][c] += a[c];
    }
}

static void force_tiles(void *arg, size_t begin, size_t end, int worker)
{
    const tension_job *j = arg;
    const pass_from from = {.position = (const float(*)[4])j->s->uniform->position,
                            .vector = (const float(*)[4])j->normal};
    pass_tiles(j->s, from, begin, end, worker, force_tile, arg);
}

rill_status uniform_tension(sph *s)
{
    if (!(s->uniform->tension.cohesion > 0)) return RILL_OK;
    tension_job j = {.s = s};
    TRY(ARENA_NEW(&s->step.arena, j.normal, s->particles.count));
    parallel_for(s->sim.ctx, s->uniform->tiles.count, 2, normal_tiles, &j);
    parallel_for(s->sim.ctx, s->uniform->tiles.count, 2, force_tiles, &j);
    return RILL_OK;
}
