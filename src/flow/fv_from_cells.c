#include "flow/fv_from_cells.h"

#include "base/parallel.h"

enum { BLOCK = 4096 };

typedef struct {
    uint32_t inner, boundary;
} tally;

typedef struct {
    const fv_cells_def *def;
    fv_mesh *mesh;
    fv_cells out;
    tally *block;
    bool write;
} job;

static bool is_air(const fv_cells_def *def, uint32_t b)
{
    if (b == VORONOI_AIR || voronoi_is_cap(b)) return true;
    return b >= VORONOI_WALL && b < VORONOI_CAP && (def->open >> (b - VORONOI_WALL) & 1);
}

static void write_face(const job *j, uint32_t k, uint32_t at, bool inner)
{
    const fv_cells_def *def = j->def;
    const voronoi_face *f = &def->cells->face[k];
    const bool back = j->out.cell[f->a] == FV_NONE; /* a has no volume: b's wall */
    const uint32_t a = back ? f->b : f->a;
    fv_face *to = &j->mesh->face[at];
    *to = (fv_face){.a = j->out.cell[a],
                    .b = inner ? j->out.cell[f->b] : FV_NONE,
                    .area = back ? v3_neg(f->area) : f->area,
                    .centroid = f->centroid,
                    .open = 1,
                    .ghost = 1};
    j->out.face[at] = k;
    if (inner) {
        to->distance = v3_distance(def->site[f->a], def->site[f->b]);
        return;
    }
    const rill_vec3 n = v3_unit(to->area);
    to->distance = fmax(v3_dot(v3_sub(f->centroid, def->site[a]), n), def->least);
    j->mesh->boundary[at - j->mesh->inner_count] =
        (fv_boundary){.body = FV_NONE, .kind = is_air(def, f->b) ? FV_SURFACE : FV_WALL};
}

static void face_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    const voronoi *v = j->def->cells;
    tally t = j->write ? j->block[begin / BLOCK] : (tally){0, 0};
    for (size_t k = begin; k < end; k++) {
        const voronoi_face *f = &v->face[k];
        const bool a = j->out.cell[f->a] != FV_NONE,
                   b = voronoi_is_cell(f->b) && j->out.cell[f->b] != FV_NONE;
        if (!a && !b) continue;
        if (j->write)
            write_face(j, (uint32_t)k, a && b ? t.inner : j->mesh->inner_count + t.boundary, a && b);
        t.inner += a && b;
        t.boundary += !(a && b);
    }
    if (!j->write) j->block[begin / BLOCK] = t;
}

static uint32_t number_cells(const voronoi *v, uint32_t *cell)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < v->count; i++) cell[i] = v->cell[i].volume > 0 ? n++ : FV_NONE;
    return n;
}

rill_status fv_mesh_from_cells(rill_arena *arena, const fv_cells_def *def, fv_mesh *mesh, fv_cells *out)
{
    const voronoi *v = def->cells;
    if (!(def->least > 0))
        return rill_fail(mesh->ctx, RILL_USAGE, "the least distance from a surface must be positive");
    job j = {.def = def, .mesh = mesh};
    const size_t blocks = v->face_count / BLOCK + 1;
    TRY(ARENA_NEW(arena, j.out.cell, v->count));
    TRY(ARENA_NEW(arena, j.out.face, v->face_count));
    TRY(ARENA_NEW(arena, j.block, blocks));
    const uint32_t cells = number_cells(v, j.out.cell);
    TRY(ARENA_NEW(arena, j.out.point, cells));
    j.block[blocks - 1] = (tally){0, 0};
    parallel_for(mesh->ctx, v->face_count, BLOCK, face_block, &j);
    tally sum = {0, 0};
    for (size_t i = 0; i < blocks; i++) {
        const tally t = j.block[i];
        j.block[i] = sum;
        sum.inner += t.inner;
        sum.boundary += t.boundary;
    }
    TRY(fv_mesh_resize(mesh, cells, sum.inner, sum.boundary));
    j.write = true;
    parallel_for(mesh->ctx, v->face_count, BLOCK, face_block, &j);
    for (uint32_t i = 0; i < v->count; i++) {
        const uint32_t c = j.out.cell[i];
        if (c == FV_NONE) continue;
        j.out.point[c] = i;
        mesh->volume[c] = v->cell[i].volume;
        mesh->site[c] = def->site[i];
    }
    *out = j.out;
    return RILL_OK;
}
