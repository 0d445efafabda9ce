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
    static const char *const of_scene[] = {NULL};
    static const char *const of_domain[] = {"periodic", NULL};
    if (table == scene_params) return among(of_scene, key);
    if (table == scene_domain_params) return among(of_domain, key);
    return false;
}

bool later_shape(const char *name)
{
    static const char *const shapes[] = {"heightfield", NULL};
    return among(shapes, name);
}

bool later_word(const char *word)
{
    static const char *const words[] = {NULL};
    return among(words, word);
}

bool later_method(const char *name)
{
    static const char *const methods[] = {NULL};
    return among(methods, name);
}

const char *replaced_key(const char *label, const char *key)
{
    static const struct {
        const char *label, *key, *now;
    } gone[] = {{"\"points\"", "no_slip", "give the domain \"slip\": \"none\" (domain.slip)"}};
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        if (strcmp(gone[i].label, label) == 0 && strcmp(gone[i].key, key) == 0) return gone[i].now;
    return NULL;
}
