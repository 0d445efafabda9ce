/* The fields of a frame: what there is of it, as the scene's "volume" wants it.
 *
 * density       of the tracers, 1/m^3; without tracers that of the soot, kg/m^3
 * soot          kg/m^3, where there are tracers as well
 * temperature   K, of cells with a column "heat" (K above 293.15), where there is density
 * velocity      m/s: mean of the tracers, or of the liquid's particles, or of the cells
 * level_set     m: signed distance of the surface, three cells to each side, in three dimensions
 */
#pragma once

#include "flow/method.h"
#include "volume/volume.h"

enum { VOLUME_SET_MOST = 5, VOLUME_BAND = 3 /* cells */ };

typedef struct volume_set {
    volume field[VOLUME_SET_MOST];
    int count;
} volume_set;

/* surface may be NULL. */
RILL_CHECKED rill_status volume_set_build(rill_ctx *ctx, const rill_scene *scene, const rill_view *view,
                                          const trimesh *surface, volume_set *out);
void volume_set_clear(rill_ctx *ctx, volume_set *s);

/* Whether the fields need the method's cells. */
bool volume_needs_cells(const rill_scene *scene);
/* Whether there will be any field at all. */
bool volume_set_possible(const rill_scene *scene);

/* The density of the tracers with the cells of the scene's "volume": what pictures show. */
RILL_CHECKED rill_status volume_of_tracers(rill_ctx *ctx, const rill_scene *scene, const particles *dots,
                                           volume *out);
/* Whether any source gives tracers: those of smoke may give soot alone. */
bool volume_has_tracers(const rill_scene *scene);
/* The soot of a method's cells; empty when they have none. */
RILL_CHECKED rill_status volume_of_soot(rill_ctx *ctx, const rill_scene *scene, const particles *cells,
                                        volume *out);
