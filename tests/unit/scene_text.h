/* What tests of scenes share: a scene as text, and memory that runs out while one is made. */
#pragma once

#include "support.h"

#include "base/text.h"
#include "io/scene_file.h"

text scene_printed(rill_ctx *ctx, const rill_scene *scene);

/* Makes a scene with the first, the second, the third ... allocation failing, until it is
 * made: each time RILL_NO_MEMORY, out untouched and nothing held. Returns how often. */
typedef rill_status scene_maker(rill_ctx *ctx, const void *user, rill_scene *out);
uint64_t scene_survives(rill_ctx *ctx, failing_allocator *f, scene_maker *make, const void *user);
