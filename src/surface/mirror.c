#include "surface/mirror.h"

#include "base/parallel.h"

#include <string.h>

enum { PLANES = 3, IMAGES = 7, BATCH = 65536 };

typedef struct {
    const mirror_def *def;
    const float *spacing;
    uint8_t *near;           /* per particle */
    const uint32_t *which;   /* particles of this batch */
    rill_vec3 (*at)[IMAGES]; /* per particle of the batch */
    uint8_t *count, *beyond; /* of its images; which of them are in the open, bits */
    mirror_image *made;      /* per image so far */
    size_t images, capacity;
    bool any;
} mirroring;

static double reach_of(const mirroring *a, size_t i)
{
    return a->def->reach * (a->spacing ? (double)a->spacing[i] : a->def->spacing);
}

static void find_near(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const mirroring *a = arg;
    for (size_t i = begin; i < end; i++) {
        const rill_vec3 x = a->def->from->position[i];
        a->near[i] = v3_finite(x) && solids_distance(a->def->walls, x, a->def->time, NULL) < reach_of(a, i);
    }
}

/* One image for every set of the planes; those in the open, bits of *beyond, need a plate between. */
static int images_of(const mirroring *a, size_t i, rill_vec3 out[IMAGES], uint8_t *beyond)
{
    *beyond = 0;
    solid_contact face[SOLID_MAX_CONTACTS];
    const rill_vec3 x = a->def->from->position[i];
    const double reach = reach_of(a, i);
    int faces = solids_contacts(a->def->walls, x, a->def->time, reach, face), count = 0;
    if (faces > PLANES) faces = PLANES;
    for (int set = 1; set < 1 << faces; set++) {
        rill_vec3 y = x;
        for (int k = 0; k < faces; k++) {
            if (!(set >> k & 1)) continue;
            const rill_vec3 foot = v3_madd(x, -face[k].distance, face[k].normal);
            const double d = v3_dot(v3_sub(y, foot), face[k].normal);
            y = v3_madd(y, -2 * d, face[k].normal);
        }
        if (!v3_finite(y)) continue;
        const bool open = solids_distance(a->def->walls, y, a->def->time, NULL) >= 0;
        const uint32_t solid = face[__builtin_ctz((unsigned)set)].solid;
        if (open && (solid >= SOLID_DOMAIN || !solids_between(a->def->walls, solid, x, y, a->def->time, 0)))
            continue;
        *beyond |= (uint8_t)(open << count);
        out[count++] = y;
    }
    return count;
}

static void make_images(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const mirroring *a = arg;
    for (size_t k = begin; k < end; k++)
        a->count[k] = (uint8_t)images_of(a, a->which[k], a->at[k], &a->beyond[k]);
}

static rill_status copy_all(rill_ctx *ctx, const particles *p, size_t room, particles *out)
{
    TRY(MEM_NEW(ctx, out->position, room));
    TRY(MEM_NEW(ctx, out->velocity, room));
    memcpy(out->position, p->position, p->count * sizeof *p->position);
    memcpy(out->velocity, p->velocity, p->count * sizeof *p->velocity);
    for (uint32_t c = 0; c < p->column_count; c++) {
        TRY(MEM_NEW(ctx, out->column[c].value, room));
        memcpy(out->column[c].name, p->column[c].name, PARTICLE_NAME);
        memcpy(out->column[c].value, p->column[c].value, p->count * sizeof(float));
        out->column_count++;
    }
    out->count = p->count;
    out->capacity = room;
    return RILL_OK;
}

static rill_status make_room(rill_ctx *ctx, particles *p, size_t more)
{
    const size_t need = p->count + more;
    size_t capacity = p->capacity;
    if (need <= capacity) return RILL_OK;
    TRY(mem_grow(ctx, &p->position, sizeof *p->position, &capacity, need));
    capacity = p->capacity;
    TRY(mem_grow(ctx, &p->velocity, sizeof *p->velocity, &capacity, need));
    for (uint32_t c = 0; c < p->column_count; c++) {
        capacity = p->capacity;
        TRY(mem_grow(ctx, &p->column[c].value, sizeof(float), &capacity, need));
    }
    p->capacity = capacity;
    return RILL_OK;
}

static rill_status append(rill_ctx *ctx, mirroring *a, size_t n, particles *out)
{
    size_t all = 0;
    for (size_t k = 0; k < n; k++) all += a->count[k];
    TRY(make_room(ctx, out, all));
    TRY(mem_grow(ctx, &a->made, sizeof *a->made, &a->capacity, a->images + all));
    for (size_t k = 0; k < n; k++)
        for (int e = 0; e < a->count[k]; e++) {
            const size_t to = out->count++, from = a->which[k];
            const bool open = a->beyond[k] >> e & 1;
            a->made[a->images++] = (mirror_image){a->which[k], open};
            a->any |= open;
            out->position[to] = a->at[k][e];
            out->velocity[to] = out->velocity[from];
            for (uint32_t c = 0; c < out->column_count; c++)
                out->column[c].value[to] = out->column[c].value[from];
        }
    return RILL_OK;
}

rill_status mirror_particles(rill_ctx *ctx, const mirror_def *def, particles *out, mirror_image **images)
{
    mirroring a = {.def = def, .spacing = particles_column(def->from, "spacing")};
    particles all = {0};
    uint32_t *which = NULL;
    const size_t n = def->from->count;
    size_t count = 0;
    rill_status st = MEM_NEW(ctx, a.near, n);
    if (!st) st = MEM_NEW(ctx, which, n);
    if (!st) parallel_for(ctx, n, 1024, find_near, &a);
    for (size_t i = 0; i < n && !st; i++)
        if (a.near[i]) which[count++] = (uint32_t)i;
    if (!st) st = MEM_NEW(ctx, a.at, count < BATCH ? count : BATCH);
    if (!st) st = MEM_NEW(ctx, a.count, count < BATCH ? count : BATCH);
    if (!st) st = MEM_NEW(ctx, a.beyond, count < BATCH ? count : BATCH);
    if (!st) st = copy_all(ctx, def->from, n + count + count / 4, &all);
    for (size_t done = 0; done < count && !st; done += BATCH) {
        const size_t some = count - done < BATCH ? count - done : BATCH;
        a.which = which + done;
        parallel_for(ctx, some, 256, make_images, &a);
        st = append(ctx, &a, some, &all);
    }
    if (!st)
        *out = all;
    else
        particles_clear(ctx, &all);
    *images = NULL;
    if (!st && a.any)
        *images = a.made;
    else
        mem_free(ctx, a.made);
    mem_free(ctx, a.at);
    mem_free(ctx, a.count);
    mem_free(ctx, a.beyond);
    mem_free(ctx, a.near);
    mem_free(ctx, which);
    return st;
}
