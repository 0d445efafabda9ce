/* Checks of the motion of solids: order of the keys, omitted values, two dimensions. */
#include "io/scene_reader.h"

static rill_status check_keys(scene_reader *r, const json_value *list, scene_motion *m)
{
    TRY(scene_check_times(r, list, &m->key[0].t, sizeof *m->key));
    uint32_t k = 0;
    for (const json_value *e = list->child; e; e = e->next, k++) {
        scene_motion_key *key = &m->key[k];
        if (r->scene->dimensions == 2 && (key->rotate.x != 0 || key->rotate.y != 0))
            return scene_fail(r, json_find(e, "rotate"),
                              "in two dimensions everything turns about z; give [0, 0, %s]",
                              scene_show_number(key->rotate.z).text);
        if (k > 0 && !json_find(e, "translate")) key->translate = key[-1].translate;
        if (k > 0 && !json_find(e, "rotate")) key->rotate = key[-1].rotate;
    }
    return RILL_OK;
}

rill_status scene_check_motion(scene_reader *r, const json_value *root)
{
    rill_scene *s = r->scene;
    const json_value *entry = scene_first(root, "solids");
    for (uint32_t i = 0; i < s->solid_count; i++, entry = entry->next)
        if (s->solids[i].motion.count)
            TRY(check_keys(r, json_find(json_find(entry, "motion"), "keyframes"), &s->solids[i].motion));
    return RILL_OK;
}
