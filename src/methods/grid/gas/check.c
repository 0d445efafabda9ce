/* What a scene asks that gas in the grid cannot do. */
#include "grid/gas/state.h"
#include "grid/params.h"

#include <string.h>

/* Keys of the block that gas has a use for. */
static const char *const used[] = {"advection", "reflection", "integrator",  "cfl",   "pressure",
                                   "tolerance", "iterations", "confinement", "follow"};

static bool is_used(const char *name)
{
    for (size_t k = 0; k < sizeof used / sizeof *used; k++)
        if (strcmp(used[k], name) == 0) return true;
    return false;
}

static bool is_default(const rill_param *row, const grid_def *def)
{
    const void *at = (const char *)def + row->offset;
    switch (row->kind) {
    case PARAM_NUMBER: return *(const double *)at == row->value;
    case PARAM_INTEGER: return *(const int32_t *)at == (int32_t)row->value;
    case PARAM_BOOL: return *(const bool *)at == (row->value != 0);
    case PARAM_CHOICE: return strcmp(row->words[*(const int *)at], row->text) == 0;
    default: return true;
    }
}

rill_status gas_check(rill_ctx *ctx, const rill_scene *scene)
{
    const grid_def *def = scene_method_def_of(scene, "grid");
    bool bodies = false;
    if (!def) return RILL_OK;
    for (const rill_param *row = grid_params; row->kind; row++)
        if (!is_used(row->name) && !is_default(row, def))
            return rill_fail(ctx, RILL_BAD_SCENE,
                             "\"%s\" is about liquid, and here gas fills the domain; leave it out",
                             row->name);
    for (uint32_t i = 0; i < scene->solid_count; i++) {
        bodies |= scene->solids[i].is_body;
        if (scene->solids[i].friction > 0)
            return rill_fail(
                ctx, RILL_BAD_SCENE,
                "solids[%u]: \"friction\" is about liquid, and here gas fills the domain; leave it "
                "out",
                i);
    }
    if (!bodies) return RILL_OK;
    if (def->solver == PRESSURE_SOR || def->solver == PRESSURE_JACOBI)
        return rill_fail(ctx, RILL_BAD_SCENE,
                         "\"pressure\": \"%s\" cannot move bodies; take \"multigrid\", \"mic0\" or \"cg\"",
                         pressure_method_words[def->solver]);
    if (def->reflection)
        return rill_fail(ctx, RILL_BAD_SCENE,
                         "\"reflection\" is not for scenes with bodies: their motion has no half step that "
                         "could be reflected; leave it out");
    return RILL_OK;
}
