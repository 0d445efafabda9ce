/* What the tests that loop over the registry share: scenes every method runs, states that
 * can be compared, and steps as the driver takes them. */
#pragma once

#include "flow/snapshot.h"
#include "io/scene_file.h"
#include "run/registry.h"

/* Liquid, tracers, an emitter, a drain, a solid that turns the flow, an open top, gauges; in three
 * dimensions also gravity and a speed that vary and a solid that moves, and for methods
 * that can, in two. Some hundred elements. */
typedef struct method_scene {
    const rill_method *method;
    int dimensions;
    const char *solver; /* of a method that has several; NULL: its default */
    const char *more;   /* other keys of its block, after a comma; NULL: none */
} method_scene;

/* Whether it has emitters and drains; where not, its scene has none. */
bool method_has_sources(const rill_method *method);
/* One entry per method, dimension and solver; the last has no method. RILL_METHOD names the only one wanted. */
const method_scene *method_scenes(void);
/* The scene as a file; the caller's to text_clear. */
void method_scene_text(rill_ctx *ctx, const method_scene *which, text *out);
/* Read, with changes as --set takes them (NULL at the end, or none). Fails the test when
 * the method refuses it: then it needs a scene of its own here. */
rill_scene method_scene_read(rill_ctx *ctx, const method_scene *which, const char *const *set);

rill_sim *method_create(rill_ctx *ctx, const rill_scene *scene); /* fails the test when it cannot */
/* One step as the driver takes it: as long as the method allows, and the clock set. */
RILL_CHECKED rill_status method_step(rill_sim *sim);
void method_steps(rill_sim *sim, int count); /* fails the test when one fails */
uint64_t method_hash(const rill_sim *sim);   /* of everything it would save */
