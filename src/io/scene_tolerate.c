/* Reading a scene as far as it can be understood: the run of another version, or one whose meshes were
 * left behind, can still be looked at.
 *
 * The strict reader says where it stopped. That value is taken out of the text, the nearest one that can
 * be missing, and the scene is read again, until it is understood. What a picture cannot do without,
 * the domain and the spacing, is never taken out. */
#include "io/scene_reader.h"

#include <string.h>

enum { MOST = 200 }; /* parts to do without: each costs another reading */

/* The link that points to a value, and the value it is inside of; NULL: not in this tree. */
static json_value **find_link(json_value *inside, const json_value *wanted, json_value **parent)
{
    for (json_value **link = &inside->child; *link; link = &(*link)->next) {
        if (*link == wanted) {
            *parent = inside;
            return link;
        }
        json_value **deeper = find_link(*link, wanted, parent);
        if (deeper) return deeper;
    }
    return NULL;
}

static bool holds(const json_value *outer, const json_value *inner)
{
    if (outer == inner) return true;
    for (const json_value *v = outer->child; v; v = v->next)
        if (holds(v, inner)) return true;
    return false;
}

/* Whether the value is, or is in, something a picture needs. */
static bool needed(const json_value *root, const json_value *v)
{
    static const char *const keys[] = {"domain", "spacing", "dimensions"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const json_value *at = json_find(root, keys[k]);
        if (at && holds(at, v)) return true;
    }
    return false;
}

bool scene_leave_out(scene_reader *r, json_value *root)
{
    const json_value *fault = r->fault;
    json_value *parent = NULL;
    if (!fault || fault == root || needed(root, fault) || ++r->left_out > MOST) return false;
    json_value **link = find_link(root, fault, &parent);
    if (!link) return false;
    /* A value that fails because a part of it was removed gets no second warning. */
    if (r->healed != fault) rill_log(r->ctx, RILL_LOG_WARNING, "%s (left out)", rill_ctx_message(r->ctx));
    if (parent == root && strcmp(fault->key, "rill") == 0) { /* without it nothing is a scene */
        if ((*link)->kind == JSON_NUMBER && (*link)->number == 1) return false;
        (*link)->kind = JSON_NUMBER;
        (*link)->number = 1;
        return true;
    }
    *link = (*link)->next;
    parent->count--;
    r->healed = parent;
    return true;
}
