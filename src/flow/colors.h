/* Colours of liquid: what the scene gives to its liquids and emitters, [Braley] section 5.2, as three columns
 * of the particles, "red", "green" and "blue", in linear light.
 *
 * The columns exist only where the scene gives a colour; liquid without one is then blue. A method carries
 * them as it carries every column; one that makes a particle gives it the colour of a particle nearby. */
#pragma once

#include "flow/particles.h"
#include "flow/scene.h"

#define COLORS_COLUMNS "red green blue"

/* The colour of liquid without one of its own. */
rill_vec3 colors_default(void);

/* Adds the columns, when the scene has colours and they are not there yet. */
RILL_CHECKED rill_status colors_add_columns(rill_ctx *ctx, const rill_scene *scene, particles *p);
/* Colours the particles from `first` on; nothing where there are no columns. */
void colors_set(particles *p, size_t first, rill_vec3 color);
/* Gives those from `first` on the colours of all of `from`; nothing where either has none. */
void colors_copy(const particles *from, particles *p, size_t first);
static inline rill_vec3 colors_of_liquid(const scene_liquid *q)
{
    return q->colored ? q->color : colors_default();
}
static inline rill_vec3 colors_of_emitter(const scene_emitter *e)
{
    return e->colored ? e->color : colors_default();
}

/* The columns; false and NULLs: there are none. */
bool colors_columns(const particles *p, float *column[3]);
