/* Faces, then cells, each twice in blocks: once to count, once to write to the places that
 * follow from the counts. What a block does depends on nothing but its own faces or cells. */
#include "geom/voronoi/voronoi_clip.h"

#include "base/parallel.h"
#include "geom/voronoi/voronoi_cut.h"
#include "geom/voronoi/voronoi_loops.h"

#include <string.h>

enum { VERTEX_BLOCK = 1024, FACE_BLOCK = 512, CELL_BLOCK = 128 };

/* Counts of the elements before a block, or in it. */
typedef struct {
    uint32_t faces, corners, vertices, chords, links;
} tally;

typedef struct {
    const voronoi *in;
    voronoi *giver; /* in, when its vertices are taken; NULL: they are copied */
    const voronoi_clip_def *def;
    voronoi *out;
    double *value;        /* per vertex */
    uint8_t *thin;        /* per face: a thin solid crosses its edges */
    uint8_t *divided;     /* per cell: a thin solid crosses it */
    uint32_t *face_first; /* per face and the end: its pieces in the result */
    uint32_t *chord_first;
    loop_chord *chord;    /* as cell a of the face sees them */
    cut_scratch *scratch; /* per worker */
    loop_scratch *loops;  /* per worker */
    tally *block;
    uint32_t pieces; /* faces of the result that are not the boundary's */
    bool write;
} clip;

/* -- values ---------------------------------------------------------------------------- */

static void value_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const clip *c = arg;
    c->def->value(c->def->user, c->in->owner + begin, c->in->vertex + begin, end - begin, c->value + begin);
}

static void thin_block(void *arg, size_t begin, size_t end, int worker)
{
    const clip *c = arg;
    for (size_t f = begin; f < end; f++) {
        bool thin;
        (void)cut_face(c->in, c->def, c->value, (uint32_t)f, false, &c->scratch[worker], &thin);
        c->thin[f] = thin;
    }
}

static void divide_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const clip *c = arg;
    for (size_t i = begin; i < end; i++)
        if (!c->divided[i]) c->divided[i] = cut_divides(c->in, c->def, c->value, (uint32_t)i);
}

/* -- faces ----------------------------------------------------------------------------- */

/* Area vector and centroid of a polygon; of a boundary's the average of its corners. */
static void measure(const rill_vec3 *x, uint32_t n, bool average, rill_vec3 *area, rill_vec3 *centroid)
{
    rill_vec3 sum = {0, 0, 0}, moment = {0, 0, 0}, mean = {0, 0, 0};
    for (uint32_t i = 0; i < n; i++) mean = v3_madd(mean, 1.0 / n, x[i]);
    for (uint32_t i = 2; i < n; i++)
        sum = v3_madd(sum, 0.5, v3_cross(v3_sub(x[i - 1], x[0]), v3_sub(x[i], x[0])));
    double weight = 0;
    for (uint32_t i = 2; i < n && !average; i++) {
        const rill_vec3 e = v3_sub(x[i - 1], x[0]), g = v3_sub(x[i], x[0]);
        const double w = v3_dot(v3_cross(e, g), sum);
        moment = v3_madd(moment, w, v3_add(e, g));
        weight += w;
    }
    *area = sum;
    *centroid = weight > 0 ? v3_madd(x[0], 1 / (3 * weight), moment) : mean;
}

static bool seen_by_both(const clip *c, const voronoi_face *f, rill_vec3 x)
{
    if (c->divided[f->a] && !cut_sees(c->def, f->a, x)) return false;
    return !voronoi_is_cell(f->b) || !c->divided[f->b] || cut_sees(c->def, f->b, x);
}

/* One polygon of n corners in scratch->x and scratch->id; new corners, which have no id yet, come
 * in pairs: out of what is kept and back into it. */
static void piece(const clip *c, const voronoi_face *f, cut_scratch *scratch, uint32_t n, tally *t)
{
    const bool divided = c->divided[f->a] || (voronoi_is_cell(f->b) && c->divided[f->b]);
    if (c->write || divided) {
        rill_vec3 area, centroid;
        measure(scratch->x, n, !voronoi_is_cell(f->b) && f->b >= VORONOI_SOLID, &area, &centroid);
        if (divided && !seen_by_both(c, f, centroid)) return;
        if (c->write) c->out->face[t->faces] = (voronoi_face){f->a, f->b, area, centroid, t->corners, n};
    }
    t->faces++;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t id = scratch->id[i];
        if (id == UINT32_MAX) {
            id = c->in->vertex_count + t->vertices++;
            if (c->write) {
                c->out->vertex[id] = scratch->x[i];
                c->out->owner[id] = f->a;
            }
            /* The boundary runs the other way: from where the face comes in. */
            if (i + 1 < n && scratch->id[i + 1] == UINT32_MAX) {
                scratch->id[i + 1] = UINT32_MAX - 1; /* the second of the pair */
                if (c->write) c->chord[t->chords].end = id;
            }
        } else if (id == UINT32_MAX - 1) {
            id = c->in->vertex_count + t->vertices++;
            if (c->write) {
                c->out->vertex[id] = scratch->x[i];
                c->out->owner[id] = f->a;
                c->chord[t->chords].start = id;
            }
            t->chords++;
        }
        if (c->write) c->out->corner[t->corners] = id;
        t->corners++;
    }
}

static void add_point(cut_scratch *scratch, uint32_t *n, rill_vec3 x, uint32_t id)
{
    scratch->x[*n] = x;
    scratch->id[(*n)++] = id;
}

static void face_pass(const clip *c, uint32_t face, cut_scratch *scratch, tally *t)
{
    const voronoi_face *f = &c->in->face[face];
    const bool divided = c->divided[f->a] || (voronoi_is_cell(f->b) && c->divided[f->b]);
    bool thin;
    const cut_kind kind = cut_face(c->in, c->def, c->value, face, c->write || divided, scratch, &thin);
    if (kind == CUT_ALL) return;
    if (kind == CUT_NOTHING) {
        if (divided && !seen_by_both(c, f, f->centroid)) return;
        if (c->write) {
            c->out->face[t->faces] = *f;
            c->out->face[t->faces].first = t->corners;
            memcpy(c->out->corner + t->corners, c->in->corner + f->first, f->count * sizeof *c->in->corner);
        }
        t->faces++;
        t->corners += f->count;
        return;
    }
    uint32_t n = 0;
    for (uint32_t r = 0; r < scratch->runs; r++) {
        const cut_run *run = &scratch->run[r];
        for (uint32_t i = 0; i < run->count; i++) {
            const cut_corner *corner = &scratch->corner[(run->first + i) % scratch->corners];
            add_point(scratch, &n, corner->x, corner->id);
        }
        add_point(scratch, &n, run->leave, UINT32_MAX);
        add_point(scratch, &n, scratch->run[kind == CUT_BAND ? (r + 1) % scratch->runs : r].entry,
                  UINT32_MAX);
        if (kind == CUT_BAND && r + 1 < scratch->runs) continue;
        piece(c, f, scratch, n, t);
        n = 0;
    }
}

static void face_block(void *arg, size_t begin, size_t end, int worker)
{
    const clip *c = arg;
    tally t = c->write ? c->block[begin / FACE_BLOCK] : (tally){0};
    for (size_t f = begin; f < end; f++) {
        if (c->write) {
            c->face_first[f] = t.faces;
            c->chord_first[f] = t.chords;
        }
        face_pass(c, (uint32_t)f, &c->scratch[worker], &t);
    }
    if (!c->write) c->block[begin / FACE_BLOCK] = t;
}

/* From the blocks' own counts to what is before them; returns the whole. */
static tally add_up(tally *block, size_t blocks, tally sum)
{
    for (size_t i = 0; i < blocks; i++) {
        const tally t = block[i];
        block[i] = sum;
        sum.faces += t.faces;
        sum.corners += t.corners;
        sum.vertices += t.vertices;
        sum.chords += t.chords;
        sum.links += t.links;
    }
    return sum;
}

/* -- cells ----------------------------------------------------------------------------- */

static bool untouched(const clip *c, const voronoi_cell *cell)
{
    for (uint32_t e = 0; e < cell->faces; e++) {
        const uint32_t f = c->in->link[cell->begin + e];
        if (c->face_first[f + 1] - c->face_first[f] != 1 || c->chord_first[f + 1] != c->chord_first[f])
            return false;
    }
    return true;
}

/* The chords of a cell, each the way the boundary runs around that cell. */
static void gather_chords(const clip *c, uint32_t i, loop_scratch *scratch)
{
    const voronoi_cell *cell = &c->in->cell[i];
    scratch->chords = 0;
    for (uint32_t e = 0; e < cell->faces; e++) {
        const uint32_t f = c->in->link[cell->begin + e];
        for (uint32_t k = c->chord_first[f]; k < c->chord_first[f + 1]; k++) {
            const loop_chord h = c->chord[k];
            scratch->chord[scratch->chords++] = c->in->face[f].a == i ? h : (loop_chord){h.end, h.start};
        }
    }
}

static void write_boundary(const clip *c, uint32_t i, loop_scratch *scratch, tally *t)
{
    const voronoi_cell *cell = &c->in->cell[i];
    voronoi *out = c->out;
    rill_vec3 sum = {0, 0, 0}, lost = {0, 0, 0};
    double surface = 0;
    uint32_t lost_faces = 0;
    for (uint32_t e = 0; e < cell->faces; e++) {
        const uint32_t f = c->in->link[cell->begin + e];
        for (uint32_t p = c->face_first[f]; p < c->face_first[f + 1]; p++) {
            sum = v3_sub(sum, voronoi_outward(&out->face[p], i));
            surface += v3_length(out->face[p].area);
        }
        if (c->face_first[f] == c->face_first[f + 1]) {
            lost = v3_add(lost, c->in->face[f].centroid);
            lost_faces++;
        }
    }
    const uint32_t first = c->pieces + t->faces;
    uint32_t faces = loops_write(out, scratch, i, c->def->kind, first, t->corners);
    if (faces == 0 && lost_faces &&
        v3_length(sum) > 1e-12 * surface) /* closed off by a thin wall, no cut seen */
        out->face[first + faces++] = (voronoi_face){
            .a = i, .b = c->def->kind, .centroid = v3_scale(lost, 1.0 / lost_faces), .first = t->corners};
    /* What the loops leave open goes to the largest: the cell is closed. */
    uint32_t largest = 0;
    for (uint32_t k = 0; k < faces; k++) {
        sum = v3_sub(sum, out->face[first + k].area);
        if (v3_length(out->face[first + k].area) > v3_length(out->face[first + largest].area)) largest = k;
    }
    if (faces) out->face[first + largest].area = v3_add(out->face[first + largest].area, sum);
}

static uint32_t count_boundary(const clip *c, uint32_t i, const loop_scratch *scratch)
{
    if (scratch->loops) return scratch->loops;
    const voronoi_cell *cell = &c->in->cell[i];
    rill_vec3 sum = {0, 0, 0};
    double surface = 0;
    bool lost = false;
    for (uint32_t e = 0; e < cell->faces; e++) {
        const uint32_t f = c->in->link[cell->begin + e];
        lost = lost || c->face_first[f] == c->face_first[f + 1];
        for (uint32_t p = c->face_first[f]; p < c->face_first[f + 1]; p++) {
            sum = v3_sub(sum, voronoi_outward(&c->out->face[p], i));
            surface += v3_length(c->out->face[p].area);
        }
    }
    return lost && v3_length(sum) > 1e-12 * surface;
}

static void write_cell(const clip *c, uint32_t i, bool same, uint32_t boundary, tally *t)
{
    const voronoi_cell *cell = &c->in->cell[i];
    voronoi *out = c->out;
    voronoi_cell made = {.begin = t->links};
    for (uint32_t e = 0; e < cell->faces; e++) {
        const uint32_t f = c->in->link[cell->begin + e];
        for (uint32_t p = c->face_first[f]; p < c->face_first[f + 1]; p++)
            out->link[t->links + made.faces++] = p;
    }
    for (uint32_t k = 0; k < boundary; k++) out->link[t->links + made.faces++] = c->pieces + t->faces + k;
    const rill_vec3 site = c->def->site[i];
    rill_vec3 moment = {0, 0, 0};
    for (uint32_t e = 0; e < made.faces && !same; e++) {
        const voronoi_face *f = &out->face[out->link[made.begin + e]];
        rill_vec3 m;
        const double sign = f->a == i ? 1 : -1;
        made.volume += sign * voronoi_cone(out, f, site, &m);
        moment = v3_madd(moment, sign, m);
    }
    made.centroid = made.volume > 0 ? v3_madd(site, 1 / made.volume, moment) : site;
    if (same) made.volume = cell->volume, made.centroid = cell->centroid;
    if (!(made.volume > 0)) made.volume = 0;
    out->cell[i] = made;
}

static void cell_block(void *arg, size_t begin, size_t end, int worker)
{
    const clip *c = arg;
    loop_scratch *scratch = &c->loops[worker];
    tally t = c->write ? c->block[begin / CELL_BLOCK] : (tally){0};
    for (size_t k = begin; k < end; k++) {
        const uint32_t i = (uint32_t)k;
        const voronoi_cell *cell = &c->in->cell[i];
        const bool same = untouched(c, cell);
        uint32_t boundary = 0, pieces = 0;
        for (uint32_t e = 0; e < cell->faces; e++) {
            const uint32_t f = c->in->link[cell->begin + e];
            pieces += c->face_first[f + 1] - c->face_first[f];
        }
        scratch->chords = scratch->loops = 0;
        if (!same && pieces) {
            gather_chords(c, i, scratch);
            loops_find(c->out, scratch);
            boundary = count_boundary(c, i, scratch);
            if (c->write) write_boundary(c, i, scratch, &t);
        }
        if (c->write) write_cell(c, i, same, boundary, &t);
        t.links += pieces + boundary;
        t.faces += boundary;
        t.corners += scratch->chords;
    }
    if (!c->write) c->block[begin / CELL_BLOCK] = t;
}

/* -- the whole ------------------------------------------------------------------------- */

static double most_corners(void *arg, size_t begin, size_t end)
{
    const clip *c = arg;
    uint32_t most = 0;
    for (size_t f = begin; f < end; f++)
        if (c->in->face[f].count > most) most = c->in->face[f].count;
    return most;
}

static double most_chords(void *arg, size_t begin, size_t end)
{
    const clip *c = arg;
    uint32_t most = 0;
    for (size_t i = begin; i < end; i++) {
        uint32_t n = 0;
        for (uint32_t e = 0; e < c->in->cell[i].faces; e++) {
            const uint32_t f = c->in->link[c->in->cell[i].begin + e];
            n += c->chord_first[f + 1] - c->chord_first[f];
        }
        if (n > most) most = n;
    }
    return most;
}

static rill_status make_rooms(clip *c)
{
    rill_arena *a = &c->out->scratch;
    const size_t workers = (size_t)parallel_workers(c->out->ctx);
    const double most = c->in->face_count ? parallel_max(c->out->ctx, c->in->face_count, most_corners, c) : 0;
    const size_t n = cut_scratch_corners((uint32_t)most);
    TRY(ARENA_NEW(a, c->scratch, workers));
    for (size_t w = 0; w < workers; w++) {
        TRY(ARENA_NEW(a, c->scratch[w].corner, n));
        TRY(ARENA_NEW(a, c->scratch[w].run, n));
        TRY(ARENA_NEW(a, c->scratch[w].x, 3 * n));
        TRY(ARENA_NEW(a, c->scratch[w].id, 3 * n));
    }
    return RILL_OK;
}

/* The result's vertices: those of `in`, and capacity for new ones. */
static rill_status have_vertices(clip *c, size_t count)
{
    const voronoi *in = c->in;
    voronoi *out = c->out, *from = c->giver;
    rill_ctx *ctx = out->ctx;
    if (!from) {
        TRY(mem_grow(ctx, &out->vertex, sizeof *out->vertex, &out->capacity.vertex, count));
        TRY(mem_grow(ctx, &out->owner, sizeof *out->owner, &out->capacity.owner, count));
        if (in->vertex_count) memcpy(out->vertex, in->vertex, in->vertex_count * sizeof *in->vertex);
        if (in->vertex_count) memcpy(out->owner, in->owner, in->vertex_count * sizeof *in->owner);
        return RILL_OK;
    }
    TRY(mem_grow(ctx, &from->vertex, sizeof *from->vertex, &from->capacity.vertex, count));
    TRY(mem_grow(ctx, &from->owner, sizeof *from->owner, &from->capacity.owner, count));
    mem_free(ctx, out->vertex);
    mem_free(ctx, out->owner);
    /* Both have them while faces are cut; then the giver has none (voronoi_clip_taking). */
    out->vertex = from->vertex;
    out->owner = from->owner;
    out->capacity.vertex = from->capacity.vertex;
    out->capacity.owner = from->capacity.owner;
    return RILL_OK;
}

static rill_status clip_faces(clip *c)
{
    const voronoi *in = c->in;
    voronoi *out = c->out;
    rill_ctx *ctx = out->ctx;
    rill_arena *a = &out->scratch;
    const size_t blocks = in->face_count / FACE_BLOCK + 1;
    TRY(ARENA_NEW(a, c->value, in->vertex_count));
    TRY(ARENA_NEW(a, c->divided, in->count));
    TRY(ARENA_NEW(a, c->thin, in->face_count));
    TRY(ARENA_NEW(a, c->face_first, (size_t)in->face_count + 1));
    TRY(ARENA_NEW(a, c->chord_first, (size_t)in->face_count + 1));
    TRY(ARENA_NEW(a, c->block, blocks));
    TRY(make_rooms(c));
    memset(c->block, 0, blocks * sizeof *c->block);
    memset(c->divided, 0, in->count);
    parallel_for(ctx, in->vertex_count, VERTEX_BLOCK, value_block, c);
    if (c->def->distance) {
        parallel_for(ctx, in->face_count, FACE_BLOCK, thin_block, c);
        for (uint32_t f = 0; f < in->face_count; f++) {
            if (!c->thin[f]) continue;
            c->divided[in->face[f].a] = 1;
            if (voronoi_is_cell(in->face[f].b)) c->divided[in->face[f].b] = 1;
        }
        parallel_for(ctx, in->count, CELL_BLOCK, divide_block, c);
    }
    parallel_for(ctx, in->face_count, FACE_BLOCK, face_block, c);
    const tally sum = add_up(c->block, blocks, (tally){0});
    const size_t vertices = (size_t)in->vertex_count + sum.vertices;
    if (vertices > UINT32_MAX - 16 || sum.corners > UINT32_MAX - 16)
        return rill_fail(ctx, RILL_NO_MEMORY, "too many vertices for clipped cells");
    TRY(have_vertices(c, vertices));
    /* Includes the boundary's faces, each of which has at least one chord: growing later would copy the
     * arrays. */
    TRY(mem_grow(ctx, &out->face, sizeof *out->face, &out->capacity.face, (size_t)sum.faces + sum.chords));
    TRY(mem_grow(ctx, &out->corner, sizeof *out->corner, &out->capacity.corner,
                 sum.corners + 2 * sum.chords));
    TRY(ARENA_NEW(a, c->chord, sum.chords));
    c->write = true;
    parallel_for(ctx, in->face_count, FACE_BLOCK, face_block, c);
    c->write = false;
    c->face_first[in->face_count] = sum.faces;
    c->chord_first[in->face_count] = sum.chords;
    c->pieces = sum.faces;
    out->corner_count = sum.corners;
    out->vertex_count = (uint32_t)vertices;
    return RILL_OK;
}

static rill_status clip_cells(clip *c)
{
    const voronoi *in = c->in;
    voronoi *out = c->out;
    rill_ctx *ctx = out->ctx;
    rill_arena *a = &out->scratch;
    const size_t blocks = in->count / CELL_BLOCK + 1, workers = (size_t)parallel_workers(ctx);
    TRY(ARENA_NEW(a, c->block, blocks));
    memset(c->block, 0, blocks * sizeof *c->block);
    const size_t n = in->count ? (size_t)parallel_max(ctx, in->count, most_chords, c) : 0;
    TRY(ARENA_NEW(a, c->loops, workers));
    for (size_t w = 0; w < workers; w++) {
        TRY(ARENA_NEW(a, c->loops[w].chord, n));
        TRY(ARENA_NEW(a, c->loops[w].next, n));
        TRY(ARENA_NEW(a, c->loops[w].taken, n));
    }
    parallel_for(ctx, in->count, CELL_BLOCK, cell_block, c);
    const tally sum = add_up(c->block, blocks, (tally){.corners = out->corner_count});
    const size_t faces = (size_t)c->pieces + sum.faces;
    TRY(mem_grow(ctx, &out->face, sizeof *out->face, &out->capacity.face, faces));
    TRY(mem_grow(ctx, &out->corner, sizeof *out->corner, &out->capacity.corner, sum.corners));
    TRY(mem_grow(ctx, &out->link, sizeof *out->link, &out->capacity.link, sum.links));
    TRY(mem_grow(ctx, &out->cell, sizeof *out->cell, &out->capacity.cell, in->count));
    c->write = true;
    parallel_for(ctx, in->count, CELL_BLOCK, cell_block, c);
    out->count = in->count;
    out->face_count = (uint32_t)faces;
    out->corner_count = sum.corners;
    out->link_count = sum.links;
    return RILL_OK;
}

static rill_status clip_all(const voronoi *in, voronoi *giver, const voronoi_clip_def *def, voronoi *out)
{
    if (in == out || !in->vertices)
        return rill_fail(out->ctx, RILL_USAGE,
                         "clipping needs the vertices of the cells, and another place for the result");
    arena_reset(&out->scratch);
    out->count = out->face_count = out->link_count = out->corner_count = out->vertex_count = 0;
    out->box = in->box;
    out->cap = in->cap;
    out->vertices = true;
    out->clipped = true;
    out->merged = in->merged;
    out->one_sided = in->one_sided;
    out->one_sided_area = in->one_sided_area;
    clip c = {.in = in, .giver = giver, .def = def, .out = out};
    rill_status st = clip_faces(&c);
    if (!st) st = clip_cells(&c);
    if (st) out->count = out->face_count = out->link_count = out->corner_count = out->vertex_count = 0;
    return st;
}

rill_status voronoi_clip(const voronoi *in, const voronoi_clip_def *def, voronoi *out)
{
    return clip_all(in, NULL, def, out);
}

rill_status voronoi_clip_taking(voronoi *in, const voronoi_clip_def *def, voronoi *out)
{
    if (in != out && in->scratch.used > 1 << 20) arena_clear(&in->scratch); /* of its making */
    const rill_status st = clip_all(in, in, def, out);
    if (in != out && in->vertex == out->vertex) in->vertex = NULL, in->capacity.vertex = 0;
    if (in != out && in->owner == out->owner) in->owner = NULL, in->capacity.owner = 0;
    if (in != out) voronoi_forget_corners(in);
    return st;
}
