/* Delaunay tetrahedra of n uniform random points, all stages; beside it the same number
 * of points of a cubic lattice, where every sphere has eight points on it, and of a BCC
 * lattice. Peers for the same points: bench/peers. */
#include "base/random.h"
#include "base/text.h"
#include "bench/bench.h"
#include "geom/delaunay/delaunay.h"

#include <math.h>
#include <time.h>

typedef struct {
    delaunay_def def;
    delaunay d;
    double processor; /* seconds of all threads together, least of the repetitions: what a busy machine still
                         tells */
} meshing;

static rill_vec3 random_point(size_t i)
{
    const random4 a = random_at(1, i, 0, 0), b = random_at(1, i, 1, 0);
    return v3(random_unit(a.v[0], a.v[1]), random_unit(a.v[2], a.v[3]), random_unit(b.v[0], b.v[1]));
}

static rill_status build_body(void *arg)
{
    meshing *m = arg;
    const clock_t start = clock();
    TRY(delaunay_build(&m->d, &m->def, NULL));
    m->processor = fmin(m->processor, (double)(clock() - start) / CLOCKS_PER_SEC);
    return RILL_OK;
}

/* Cubic, or with a point in the middle of each cell. */
static void make_lattice(rill_vec3 *x, size_t n, size_t per_cell)
{
    const size_t side = (size_t)ceil(cbrt((double)n / (double)per_cell) - 1e-9);
    for (size_t i = 0; i < n; i++) {
        const size_t c = i / per_cell;
        const double shift = i % per_cell ? 0.5 : 0;
        x[i] = v3((double)(c % side) + shift, (double)(c / side % side) + shift,
                  (double)(c / side / side) + shift);
    }
}

/* Queries elsewhere than the sites, in no order, and in that of the tetrahedra they were found in. */
static rill_status time_location(bench_run *b, const meshing *m)
{
    rill_vec3 *point = NULL;
    uint32_t *tet = NULL;
    rill_status st = MEM_NEW(b->ctx, point, b->n);
    if (!st) st = MEM_NEW(b->ctx, tet, b->n);
    for (int ordered = 0; ordered < 2 && !st; ordered++) {
        for (size_t i = 0; i < b->n; i++)
            point[i] = ordered ? delaunay_circumcentre(&m->d, (uint32_t)(i * m->d.finite / b->n), NULL)
                               : random_point(i + b->n);
        const double start = clock_seconds();
        st = delaunay_locate(&m->d, point, b->n, tet);
        const double seconds = clock_seconds() - start;
        if (!st)
            bench_number(b, ordered ? "locate_ordered_per_s" : "locate_random_per_s", (double)b->n / seconds);
    }
    mem_free(b->ctx, point);
    mem_free(b->ctx, tet);
    return st;
}

static rill_status delaunay_run(bench_run *b)
{
    meshing m = {.def = {.count = b->n}};
    rill_vec3 *x;
    delaunay_init(&m.d, b->ctx);
    TRY(MEM_NEW(b->ctx, x, b->n));
    m.def.position = x;

    rill_status st = RILL_OK;
    double seconds[3] = {0}, processor[3] = {0};
    for (int k = 2; k >= 0 && !st; k--) { /* the random points last: their figure stays in b */
        if (k > 0)
            make_lattice(x, b->n, (size_t)k);
        else
            for (size_t i = 0; i < b->n; i++) x[i] = random_point(i);
        m.processor = INFINITY;
        st = bench_time(b, NULL, build_body, &m);
        seconds[k] = b->seconds;
        processor[k] = m.processor;
    }
    if (!st) {
        bench_rate(b, 1e-6 * (double)b->n, "M points/s");
        bench_number(b, "tets_per_point", (double)m.d.finite / (double)b->n);
        bench_number(b, "cubic_seconds", seconds[1]);
        bench_number(b, "bcc_seconds", seconds[2]);
        bench_number(b, "cubic_times_random", seconds[1] / seconds[0]);
        bench_number(b, "bcc_times_random", seconds[2] / seconds[0]);
        bench_number(b, "ns_per_point", 1e9 * seconds[0] / (double)b->n);
        bench_number(b, "processor_ns_per_point", 1e9 * processor[0] / (double)b->n);
        bench_number(b, "processor_cubic_times_random", processor[1] / processor[0]);
        bench_number(b, "processor_bcc_times_random", processor[2] / processor[0]);
        st = time_location(b, &m);
    }
    mem_free(b->ctx, x);
    delaunay_clear(&m.d);
    return st;
}

const bench_case bench_delaunay = {"delaunay", 100000,
                                   "Delaunay tetrahedra of n random points, and of lattices", delaunay_run};
