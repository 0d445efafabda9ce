#include "voronoi/tension.h"

#include "linalg/gradients.h"

enum { MOST_ITERATIONS = 2000 };
static const double LARGEST_COTANGENT = 5; /* of slivers, whose own would stiffen all around them */
static const double TOLERANCE = 1e-8;
static const double MARGIN = 2; /* dt^2 w^2 stays below it; 4 is the limit of stability */

typedef struct {
    const trimesh *mesh;
    double (*cotangent)[3]; /* [triangle] at each corner, halved */
    double *area;           /* [vertex] S; 0: of no triangle */
    double *diagonal;       /* of the matrix, about */
    double *x, *r, *z, *p, *q, *k;
    double b2;
    size_t n;
} softening;

double brochu_soft_length2(double density, double tension, double dt)
{
    /* 1 + x^4 >= c x^3 with c = 4 / 3^(3/4), x = sqrt(b) k: c b^(3/2) = dt^2 tension / (MARGIN density). */
    const double c = 1.7547654;
    return pow(dt * dt * tension / (MARGIN * density * c), 2.0 / 3);
}

static void measure(softening *s)
{
    const trimesh *m = s->mesh;
    double *stiff = s->k; /* the diagonal of K */
    for (size_t v = 0; v < s->n; v++) s->area[v] = stiff[v] = 0;
    for (size_t t = 0; t < m->triangle_count; t++) {
        const uint32_t *v = m->triangle[t];
        const rill_vec3 cross = v3_cross(v3_sub(m->position[v[1]], m->position[v[0]]),
                                         v3_sub(m->position[v[2]], m->position[v[0]]));
        const double twice = v3_length(cross) + 1e-300;
        for (int i = 0; i < 3; i++) {
            const rill_vec3 o = m->position[v[i]];
            const double dot =
                v3_dot(v3_sub(m->position[v[(i + 1) % 3]], o), v3_sub(m->position[v[(i + 2) % 3]], o));
            s->cotangent[t][i] = fmax(-LARGEST_COTANGENT, fmin(LARGEST_COTANGENT, dot / twice)) / 2;
            s->area[v[i]] += twice / 6;
        }
        for (int i = 0; i < 3; i++)
            for (int k = 1; k < 3; k++) stiff[v[(i + k) % 3]] += fabs(s->cotangent[t][i]);
    }
    for (size_t v = 0; v < s->n; v++)
        s->diagonal[v] = s->area[v] > 0 ? s->area[v] + s->b2 * stiff[v] * stiff[v] / s->area[v] : 1;
}

/* out = K in. */
static void stiffness(const softening *s, const double *in, double *out)
{
    for (size_t v = 0; v < s->n; v++) out[v] = 0;
    for (size_t t = 0; t < s->mesh->triangle_count; t++) {
        const uint32_t *v = s->mesh->triangle[t];
        for (int i = 0; i < 3; i++) {
            const uint32_t a = v[(i + 1) % 3], b = v[(i + 2) % 3];
            const double flow = s->cotangent[t][i] * (in[a] - in[b]);
            out[a] += flow;
            out[b] -= flow;
        }
    }
}

/* out = (S + b^2 K S^-1 K) in. */
static void apply_matrix(const softening *s, const double *in, double *out)
{
    stiffness(s, in, s->k);
    for (size_t v = 0; v < s->n; v++) s->k[v] = s->area[v] > 0 ? s->k[v] / s->area[v] : 0;
    stiffness(s, s->k, out);
    for (size_t v = 0; v < s->n; v++) out[v] = s->area[v] * in[v] + s->b2 * out[v];
}

static void precondition(void *arg, double dots[2])
{
    softening *s = arg;
    dots[0] = 0;
    for (size_t v = 0; v < s->n; v++) {
        s->z[v] = s->r[v] / s->diagonal[v];
        dots[0] += s->r[v] * s->z[v];
    }
}

static void direct(void *arg, double beta)
{
    softening *s = arg;
    for (size_t v = 0; v < s->n; v++) s->p[v] = s->z[v] + beta * s->p[v];
}

static double apply(void *arg)
{
    softening *s = arg;
    double pq = 0;
    apply_matrix(s, s->p, s->q);
    for (size_t v = 0; v < s->n; v++) pq += s->p[v] * s->q[v];
    return pq;
}

static double residual(const softening *s)
{
    double sum = 0;
    for (size_t v = 0; v < s->n; v++)
        if (s->area[v] > 0) sum += s->r[v] * s->r[v] / s->area[v];
    return sqrt(sum);
}

static double advance(void *arg, double alpha)
{
    softening *s = arg;
    for (size_t v = 0; v < s->n; v++) {
        s->x[v] += alpha * s->p[v];
        s->r[v] -= alpha * s->q[v];
    }
    return residual(s);
}

static rill_status reserve(rill_arena *arena, softening *s)
{
    TRY(ARENA_NEW(arena, s->cotangent, s->mesh->triangle_count + 1));
    TRY(ARENA_NEW(arena, s->area, s->n + 1));
    TRY(ARENA_NEW(arena, s->diagonal, s->n + 1));
    TRY(ARENA_NEW(arena, s->r, s->n + 1));
    TRY(ARENA_NEW(arena, s->z, s->n + 1));
    TRY(ARENA_NEW(arena, s->p, s->n + 1));
    TRY(ARENA_NEW(arena, s->q, s->n + 1));
    return ARENA_NEW(arena, s->k, s->n + 1);
}

rill_status brochu_soften_values(rill_arena *arena, const trimesh *mesh, double b, double *value)
{
    static const gradients_system steps = {
        .precondition = precondition, .direct = direct, .apply = apply, .advance = advance};
    const arena_mark mark = arena_mark_of(arena);
    softening s = {.mesh = mesh, .x = value, .b2 = b * b, .n = mesh->vertex_count};
    TRY(reserve(arena, &s));
    measure(&s);
    double size = 0;
    apply_matrix(&s, value, s.q);
    for (size_t v = 0; v < s.n; v++) {
        s.r[v] = s.area[v] * value[v] - s.q[v];
        s.p[v] = 0;
        size += s.area[v] * value[v] * value[v];
    }
    gradients g = {.system = &steps, .arg = &s};
    double left = residual(&s);
    const double target = TOLERANCE * sqrt(size);
    while (left > target && g.iterations < MOST_ITERATIONS && !gradients_step(&g, &left)) {
    }
    arena_back(arena, mark);
    return RILL_OK;
}

rill_status brochu_soften(brochu *s, double dt)
{
    const scene_fluid *fluid = &s->sim.scene->fluid;
    const double b = brochu_soft_length2(fluid->density, fluid->surface_tension, dt);
    return brochu_soften_values(&s->scratch, &s->surface.open, b, s->surface.curvature);
}
