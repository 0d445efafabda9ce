#include "flow/scene.h"

#include "flow/method.h"
#include "geom/distance/mesh_distance.h"

#include <string.h>

static bool word_is(const char *word, const char *text, size_t length)
{
    return strlen(word) == length && strncmp(word, text, length) == 0;
}

/* Bits of the words, separated by spaces, of a default. */
static uint32_t flags_of(const char *const *words, const char *text)
{
    uint32_t flags = 0;
    while (*text) {
        const size_t length = strcspn(text, " ");
        for (uint32_t k = 0; words[k]; k++)
            if (word_is(words[k], text, length)) flags |= 1u << k;
        text += length;
        text += strspn(text, " ");
    }
    return flags;
}

static int choice_of(const char *const *words, const char *text)
{
    for (int k = 0; words[k]; k++)
        if (strcmp(words[k], text) == 0) return k;
    return 0;
}

/* A failed copy leaves NULL and RILL_NO_MEMORY; everything else is set all the same, so
 * that params_clear may follow. */
static rill_status row_default(rill_ctx *ctx, const rill_param *row, char *at, void *block)
{
    if (row->varies) *(keyframes *)((char *)block + row->keys_offset) = (keyframes){0};
    if (row->optional) *(bool *)((char *)block + row->count_offset) = false;
    switch (row->kind) {
    case PARAM_END: break;
    case PARAM_NUMBER: *(double *)at = row->value; break;
    case PARAM_INTEGER: *(int32_t *)at = (int32_t)row->value; break;
    case PARAM_BOOL: *(bool *)at = row->value != 0; break;
    case PARAM_CHOICE: *(int *)at = choice_of(row->words, row->text); break;
    case PARAM_FLAGS: *(uint32_t *)at = flags_of(row->words, row->text); break;
    case PARAM_TEXT:
        *(char **)at = mem_text(ctx, row->text);
        if (!*(char **)at) return mem_failed(ctx, strlen(row->text) + 1, 1);
        break;
    case PARAM_POINT:
    case PARAM_POINT3: *(rill_vec3 *)at = row->point; break;
    case PARAM_SHAPE: *(shape *)at = (shape){0}; break;
    case PARAM_VELOCITY: *(velocity_field *)at = (velocity_field){0}; break;
    case PARAM_BLOCK: return params_default(ctx, row->table, at);
    case PARAM_PAIR: ((double *)at)[0] = ((double *)at)[1] = 0; break;
    case PARAM_LIST:
        *(void **)at = NULL;
        *(uint32_t *)((char *)block + row->count_offset) = 0;
        break;
    case PARAM_NAMED_POINT:
        *(rill_vec3 *)at = v3(0, 0, 0);
        *(gauge_kind *)((char *)block + row->count_offset) = GAUGE_PRESSURE;
        *(char **)((char *)block + row->keys_offset) = NULL;
        break;
    case PARAM_METHOD: *(const rill_method **)at = NULL; break;
    }
    return RILL_OK;
}

rill_status params_default(rill_ctx *ctx, const rill_param *table, void *block)
{
    rill_status st = RILL_OK;
    for (const rill_param *row = table; row->kind; row++) {
        const rill_status one = row_default(ctx, row, (char *)block + row->offset, block);
        if (!st) st = one;
    }
    if (st) params_clear(ctx, table, block);
    return st;
}

void params_clear(rill_ctx *ctx, const rill_param *table, void *block)
{
    for (const rill_param *row = table; row->kind; row++) {
        char *at = (char *)block + row->offset;
        if (row->varies) {
            keyframes *keys = (keyframes *)((char *)block + row->keys_offset);
            mem_free(ctx, keys->key);
            *keys = (keyframes){0};
        }
        if (row->kind == PARAM_TEXT || row->kind == PARAM_NAMED_POINT) {
            if (row->kind == PARAM_NAMED_POINT) at = (char *)block + row->keys_offset;
            mem_free(ctx, *(char **)at);
            *(char **)at = NULL;
        } else if (row->kind == PARAM_SHAPE) {
            shape_clear(ctx, (shape *)at);
            *(shape *)at = (shape){0};
        } else if (row->kind == PARAM_BLOCK) {
            params_clear(ctx, row->table, at);
        } else if (row->kind == PARAM_LIST) {
            uint32_t *count = (uint32_t *)((char *)block + row->count_offset);
            for (uint32_t i = 0; i < *count; i++) params_clear(ctx, row->table, *(char **)at + i * row->size);
            mem_free(ctx, *(void **)at);
            *(void **)at = NULL;
            *count = 0;
        }
    }
}

static rill_status methods_default(rill_ctx *ctx, const rill_method *const *methods, uint32_t count,
                                   rill_scene *scene)
{
    scene->methods = mem_zero(ctx, count, sizeof *scene->methods);
    if (!scene->methods) return mem_failed(ctx, count, sizeof *scene->methods);
    for (uint32_t k = 0; k < count; k++) {
        void *def = mem_zero(ctx, 1, methods[k]->def_size);
        if (!def) return mem_failed(ctx, 1, methods[k]->def_size);
        scene->methods[k] = (scene_method_def){methods[k], def};
        scene->method_count = k + 1;
        TRY(params_default(ctx, methods[k]->params, def));
    }
    scene->method = count ? methods[0] : NULL;
    return RILL_OK;
}

rill_status scene_default(rill_ctx *ctx, const rill_method *const *methods, uint32_t count, rill_scene *out)
{
    rill_scene scene = {0};
    rill_status st = params_default(ctx, scene_params, &scene);
    if (!st) st = methods_default(ctx, methods, count, &scene);
    if (st)
        scene_clear(ctx, &scene);
    else
        *out = scene;
    return st;
}

void scene_clear(rill_ctx *ctx, rill_scene *scene)
{
    params_clear(ctx, scene_params, scene);
    for (uint32_t k = 0; k < scene->method_count; k++) {
        params_clear(ctx, scene->methods[k].method->params, scene->methods[k].def);
        mem_free(ctx, scene->methods[k].def);
    }
    mem_free(ctx, scene->methods);
    for (uint32_t k = 0; k < scene->mesh_count; k++) {
        params_clear(ctx, scene_mesh_params, &scene->meshes[k]);
        mesh_distance_destroy(ctx, scene->meshes[k].distance);
    }
    mem_free(ctx, scene->meshes);
    for (uint32_t k = 0; k < scene->sequence_count; k++) {
        params_clear(ctx, scene_sequence_params, &scene->sequences[k]);
        mesh_sequence_destroy(ctx, scene->sequences[k].frames);
    }
    mem_free(ctx, scene->sequences);
    *scene = (rill_scene){0};
}

/* A list grows by one; an array of the new length, since a scene keeps no spare capacity. */
static rill_status list_add(rill_ctx *ctx, void *list, uint32_t *count, size_t size, const rill_param *table,
                            void *out)
{
    char *old;
    memcpy(&old, list, sizeof old); /* the list is a pointer to structs of any type */
    char *fresh = mem_alloc(ctx, (size_t)*count + 1, size);
    if (!fresh) return mem_failed(ctx, (size_t)*count + 1, size);
    char *element = fresh + *count * size;
    memset(element, 0, size);
    const rill_status st = params_default(ctx, table, element);
    if (st) {
        mem_free(ctx, fresh);
        return st;
    }
    if (*count) memcpy(fresh, old, *count * size);
    mem_free(ctx, old);
    memcpy(list, &fresh, sizeof fresh);
    memcpy(out, &element, sizeof element);
    *count += 1;
    return RILL_OK;
}

rill_status scene_add_liquid(rill_ctx *ctx, rill_scene *scene, scene_liquid **out)
{
    return list_add(ctx, &scene->liquid, &scene->liquid_count, sizeof **out, scene_liquid_params, out);
}

rill_status scene_add_emitter(rill_ctx *ctx, rill_scene *scene, scene_emitter **out)
{
    return list_add(ctx, &scene->emitters, &scene->emitter_count, sizeof **out, scene_emitter_params, out);
}

rill_status scene_add_drain(rill_ctx *ctx, rill_scene *scene, scene_drain **out)
{
    return list_add(ctx, &scene->drains, &scene->drain_count, sizeof **out, scene_drain_params, out);
}

uint32_t scene_tracer_sources(const rill_scene *scene)
{
    return scene->tracers_count + scene->smoke_count;
}

scene_tracers scene_tracer_source(const rill_scene *scene, uint32_t k)
{
    if (k < scene->tracers_count) return scene->tracers[k];
    const scene_smoke *s = &scene->smoke[k - scene->tracers_count];
    return (scene_tracers){.shape = s->shape,
                           .most = 1000000000,
                           .rate = s->tracers,
                           .start = s->start,
                           .end = s->end,
                           .life = SCENE_FOREVER};
}

rill_status scene_add_smoke(rill_ctx *ctx, rill_scene *scene, scene_smoke **out)
{
    return list_add(ctx, &scene->smoke, &scene->smoke_count, sizeof **out, scene_smoke_params, out);
}

rill_status scene_add_tracers(rill_ctx *ctx, rill_scene *scene, scene_tracers **out)
{
    return list_add(ctx, &scene->tracers, &scene->tracers_count, sizeof **out, scene_tracers_params, out);
}

rill_status scene_add_solid(rill_ctx *ctx, rill_scene *scene, scene_solid **out)
{
    return list_add(ctx, &scene->solids, &scene->solid_count, sizeof **out, scene_solid_params, out);
}

rill_status scene_add_gauge(rill_ctx *ctx, rill_scene *scene, scene_gauge **out)
{
    return list_add(ctx, &scene->gauges, &scene->gauge_count, sizeof **out, scene_gauge_params, out);
}

uint32_t scene_find_solid(const rill_scene *scene, const char *name)
{
    for (uint32_t i = 0; name && name[0] && i < scene->solid_count; i++)
        if (scene->solids[i].name && strcmp(scene->solids[i].name, name) == 0) return i;
    return UINT32_MAX;
}

void *scene_method_def_of(const rill_scene *scene, const char *method)
{
    for (uint32_t k = 0; k < scene->method_count; k++)
        if (strcmp(scene->methods[k].method->name, method) == 0) return scene->methods[k].def;
    return NULL;
}
