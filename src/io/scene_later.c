#include "io/scene_later.h"

#include "flow/scene.h"

#include <string.h>

static bool among(const char *const *words, const char *given)
{
    for (; *words; words++)
        if (strcmp(*words, given) == 0) return true;
    return false;
}

bool later_key(const rill_param *table, const char *key)
{
    static const char *const of_scene[] = {"fill", "smoke", NULL};
    static const char *const of_gauge[] = {"force", NULL};
    static const char *const of_output[] = {"volume", NULL};
    if (table == scene_params) return among(of_scene, key);
    if (table == scene_gauge_params) return among(of_gauge, key);
    if (table == scene_output_params) return among(of_output, key);
    return false;
}

bool later_shape(const char *name)
{
    static const char *const shapes[] = {"heightfield", NULL};
    return among(shapes, name);
}

bool later_word(const char *word)
{
    static const char *const words[] = {"vdb", NULL};
    return among(words, word);
}

bool later_method(const char *name)
{
    static const char *const methods[] = {"voronoi", "tets", NULL};
    return among(methods, name);
}
