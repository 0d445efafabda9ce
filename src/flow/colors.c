#include "flow/colors.h"

static const char *const names[3] = {"red", "green", "blue"};

rill_vec3 colors_default(void)
{
    return v3(0.02, 0.2, 0.55);
}

bool scene_has_colors(const rill_scene *scene)
{
    for (uint32_t k = 0; k < scene->liquid_count; k++)
        if (scene->liquid[k].colored) return true;
    for (uint32_t k = 0; k < scene->emitter_count; k++)
        if (scene->emitters[k].colored) return true;
    return false;
}

rill_status colors_add_columns(rill_ctx *ctx, const rill_scene *scene, particles *p)
{
    if (!scene_has_colors(scene) || particles_column(p, names[0])) return RILL_OK;
    for (int k = 0; k < 3; k++) TRY(particles_add_column(ctx, p, names[k]));
    return RILL_OK;
}

void colors_set(particles *p, size_t first, rill_vec3 color)
{
    const double value[3] = {color.x, color.y, color.z};
    float *column[3];
    if (!colors_columns(p, column)) return;
    for (int k = 0; k < 3; k++)
        for (size_t i = first; i < p->count; i++) column[k][i] = (float)value[k];
}

bool colors_columns(const particles *p, float *column[3])
{
    for (int k = 0; k < 3; k++) column[k] = particles_column(p, names[k]);
    if (column[0] && column[1] && column[2]) return true;
    column[0] = column[1] = column[2] = NULL;
    return false;
}

void colors_copy(const particles *from, particles *p, size_t first)
{
    float *a[3], *b[3];
    if (!colors_columns(from, a) || !colors_columns(p, b)) return;
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < from->count; i++) b[k][first + i] = a[k][i];
}
