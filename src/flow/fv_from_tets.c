#include "flow/fv_from_tets.h"

#include "base/parallel.h"
#include "base/union_find.h"

enum { BLOCK = 1 << 12 };

fv_tets_def fv_tets_def_default(void)
{
    return (fv_tets_def){.least = 1e-3, .merge = true};
}

typedef struct {
    const fv_tets_def *def;
    const delaunay *d;
    fv_mesh *mesh;
    rill_vec3 *centre; /* by tetrahedron */
    double *radius;
    uint32_t *cell;
    uint32_t *face;            /* by face */
    uint32_t *inner, *outer;   /* faces counted at a tetrahedron */
    uint64_t *first, *first_b; /* their places */
} building;

static bool is_fluid(const building *b, uint32_t tet)
{
    return tet < b->d->finite && (!b->def->fluid || b->def->fluid[tet]);
}

/* ---- geometry, in steps of the grid: exact up to the last product ---- */

/* The three vertices opposite `place`, turned so that their normal points outward. */
static const uint8_t face_of[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

static rill_vec3 steps(const grid_site *a, const grid_site *from)
{
    return v3(a->x - from->x, a->y - from->y, a->z - from->z);
}

static rill_vec3 face_area(const delaunay *d, uint32_t tet, uint32_t place)
{
    const uint32_t *v = d->tet[tet].v;
    const uint8_t *p = face_of[place];
    const grid_site *o = &d->site[v[p[0]]];
    const rill_vec3 a = steps(&d->site[v[p[1]]], o), c = steps(&d->site[v[p[2]]], o);
    return v3_scale(v3_cross(a, c), 0.5 * d->grid.step * d->grid.step);
}

static rill_vec3 face_centroid(const delaunay *d, uint32_t tet, uint32_t place)
{
    const uint32_t *v = d->tet[tet].v;
    const uint8_t *p = face_of[place];
    const grid_site *a = &d->site[v[p[0]]], *b = &d->site[v[p[1]]], *c = &d->site[v[p[2]]];
    const grid_site sum = {(a->x + b->x + c->x) / 3, (a->y + b->y + c->y) / 3, (a->z + b->z + c->z) / 3, 0};
    return site_position(&d->grid, &sum);
}

rill_vec3 fv_tet_face_centre(const delaunay *d, uint32_t tet, uint32_t place)
{
    const uint32_t *v = d->tet[tet].v;
    const uint8_t *p = face_of[place];
    const grid_site *o = &d->site[v[p[0]]];
    const rill_vec3 a = steps(&d->site[v[p[1]]], o), c = steps(&d->site[v[p[2]]], o), n = v3_cross(a, c);
    const rill_vec3 x =
        v3_add(v3_scale(v3_cross(c, n), v3_dot(a, a)), v3_scale(v3_cross(n, a), v3_dot(c, c)));
    return v3_madd(delaunay_site(d, v[p[0]]), d->grid.step * 0.5 / v3_dot(n, n), x);
}

/* Between two circumcentres along the normal from `tet` outward; not negative but for rounding. */
static double centre_distance(const building *b, uint32_t tet, uint32_t other, rill_vec3 area)
{
    return v3_dot(v3_sub(b->centre[other], b->centre[tet]), v3_unit(area));
}

static double least_distance(const building *b, uint32_t tet, uint32_t other)
{
    return b->def->least * fmin(b->radius[tet], b->radius[other]);
}

static void centres_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const building *b = arg;
    for (size_t k = begin; k < end; k++)
        if (is_fluid(b, (uint32_t)k)) b->centre[k] = delaunay_circumcentre(b->d, (uint32_t)k, &b->radius[k]);
}

/* ---- cells ---- */

/* Numbers cells by their lowest tetrahedron; returns how many. */
static uint32_t number_cells(const building *b)
{
    const delaunay *d = b->d;
    uint32_t *parent = b->cell, cells = 0;
    union_find_init(parent, d->finite);
    for (uint32_t k = 0; b->def->merge && k < d->finite; k++) {
        if (!is_fluid(b, k)) continue;
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t n = d->tet[k].neighbour[i] >> 2;
            if (n < k || !is_fluid(b, n)) continue;
            if (centre_distance(b, k, n, face_area(d, k, i)) >= least_distance(b, k, n)) continue;
            union_find_join(parent, k, n);
        }
    }
    for (uint32_t k = 0; k < d->finite; k++) { /* parents come before: they have their numbers */
        if (!is_fluid(b, k))
            parent[k] = FV_NONE;
        else
            parent[k] = parent[k] == k ? cells++ : parent[parent[k]];
    }
    return cells;
}

static void add_volumes(const building *b)
{
    fv_mesh *m = b->mesh;
    for (uint32_t c = 0; c < m->cell_count; c++) {
        m->volume[c] = 0;
        m->site[c] = v3(0, 0, 0);
    }
    for (uint32_t k = 0; k < b->d->finite; k++) {
        const uint32_t c = b->cell[k];
        if (c == FV_NONE) continue;
        const double before = m->volume[c], volume = delaunay_volume(b->d, k);
        m->volume[c] = before + volume;
        m->site[c] = before > 0
                         ? v3_madd(m->site[c], volume / (before + volume), v3_sub(b->centre[k], m->site[c]))
                         : b->centre[k];
    }
}

/* ---- faces ---- */

/* Of face `place` of a fluid tetrahedron: whether it is stored there, and as what. */
static bool owns_face(const building *b, uint32_t tet, uint32_t place, bool *inner)
{
    const uint32_t n = b->d->tet[tet].neighbour[place] >> 2;
    *inner = is_fluid(b, n);
    return !*inner || (tet < n && b->cell[tet] != b->cell[n]);
}

static void count_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const building *b = arg;
    for (size_t k = begin; k < end; k++) {
        b->inner[k] = b->outer[k] = 0;
        for (uint32_t i = 0; i < 4 && b->cell[k] != FV_NONE; i++) {
            bool inner;
            if (owns_face(b, (uint32_t)k, i, &inner)) ++*(inner ? &b->inner[k] : &b->outer[k]);
        }
    }
}

static fv_face make_face(const building *b, uint32_t tet, uint32_t place, bool inner)
{
    fv_face f = {.a = b->cell[tet],
                 .b = FV_NONE,
                 .area = face_area(b->d, tet, place),
                 .centroid = face_centroid(b->d, tet, place),
                 .open = 1,
                 .ghost = 1};
    if (!inner) {
        const double away = v3_dot(v3_sub(f.centroid, b->centre[tet]), v3_unit(f.area));
        f.distance = fmax(away, least_distance(b, tet, tet)); /* the centre may be outside */
        return f;
    }
    const uint32_t n = b->d->tet[tet].neighbour[place] >> 2;
    f.distance = fmax(centre_distance(b, tet, n, f.area), least_distance(b, tet, n));
    f.b = b->cell[n];
    if (f.b < f.a) { /* of merged cells: they count by their lowest */
        f.b = f.a;
        f.a = b->cell[n];
        f.area = v3_neg(f.area);
    }
    return f;
}

static void faces_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const building *b = arg;
    const fv_mesh *m = b->mesh;
    for (size_t k = begin; k < end; k++) {
        uint64_t at[2] = {m->inner_count + b->first_b[k], b->first[k]};
        for (uint32_t i = 0; i < 4 && b->cell[k] != FV_NONE; i++) {
            bool inner;
            if (!owns_face(b, (uint32_t)k, i, &inner)) continue;
            const uint64_t to = at[inner]++;
            m->face[to] = make_face(b, (uint32_t)k, i, inner);
            const uint32_t other = b->d->tet[k].neighbour[i];
            b->face[to] = m->face[to].a == b->cell[k] ? (uint32_t)k << 2 | i : other;
            if (!inner) m->boundary[to - m->inner_count] = (fv_boundary){.kind = FV_WALL};
        }
    }
}

rill_status fv_mesh_from_tets(rill_arena *arena, const fv_tets_def *def, fv_mesh *mesh, fv_tets *out)
{
    const delaunay *d = def->mesh;
    rill_ctx *ctx = d->ctx;
    building b = {.def = def, .d = d, .mesh = mesh};
    if (!d->tidy) return rill_fail(ctx, RILL_USAGE, "tetrahedra must be tidy to become a finite-volume mesh");
    TRY(ARENA_NEW(arena, b.centre, d->finite));
    TRY(ARENA_NEW(arena, b.radius, d->finite));
    TRY(ARENA_NEW(arena, b.cell, d->finite));
    TRY(ARENA_NEW(arena, b.inner, d->finite));
    TRY(ARENA_NEW(arena, b.outer, d->finite));
    TRY(ARENA_NEW(arena, b.first, (size_t)d->finite + 1));
    TRY(ARENA_NEW(arena, b.first_b, (size_t)d->finite + 1));
    parallel_for(ctx, d->finite, BLOCK, centres_block, &b);
    const uint32_t cells = number_cells(&b);
    if (!cells) return rill_fail(ctx, RILL_BLEW_UP, "none of %u tetrahedra is fluid", d->finite);
    parallel_for(ctx, d->finite, BLOCK, count_block, &b);
    scan_u32(ctx, b.inner, d->finite, b.first);
    scan_u32(ctx, b.outer, d->finite, b.first_b);
    const uint64_t inner = b.first[d->finite], outer = b.first_b[d->finite];
    TRY(ARENA_NEW(arena, b.face, inner + outer));
    TRY(fv_mesh_resize(mesh, cells, (uint32_t)inner, (uint32_t)outer));
    add_volumes(&b);
    parallel_for(ctx, d->finite, BLOCK, faces_block, &b);
    *out = (fv_tets){b.cell, b.face};
    return RILL_OK;
}
