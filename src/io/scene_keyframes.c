/* Values that vary in time: keyframes in the place of a number or a vector.
 *
 * Their tables are made from the row of the value itself, so that ranges and dimensions
 * hold for every key. Zero is allowed where the value alone must be above it: an emitter
 * may pause. */
#include "io/scene_reader.h"

#include <stdio.h>
#include <string.h>

rill_status scene_check_times(scene_reader *r, const json_value *list, const double *t, size_t stride)
{
    const char *at = (const char *)t;
    double before = 0;
    for (const json_value *e = list->child; e; e = e->next, at += stride) {
        double now;
        memcpy(&now, at, sizeof now);
        if (e != list->child && !(now > before))
            return scene_fail(r, scene_at(e, "t"),
                              "each key must be later than the one before it: %s s is not after %s s",
                              scene_show_number(now).text, scene_show_number(before).text);
        before = now;
    }
    return RILL_OK;
}

rill_status scene_read_keyframes(scene_reader *r, const rill_param *row, const json_value *v, void *block)
{
    rill_param value = *row;
    value.name = "value";
    value.offset = offsetof(keyframe, value); /* a number is its x */
    value.varies = value.above_min = false;
    value.required = true;
    const rill_param key[] = {
        {.name = "t",
         .kind = PARAM_NUMBER,
         .offset = offsetof(keyframe, t),
         .min = -SCENE_FOREVER,
         .max = SCENE_FOREVER,
         .unit = "s",
         .required = true,
         .help = "when"},
        value,
        {0},
    };
    const rill_param keys[] = {
        {.name = "keyframes",
         .kind = PARAM_LIST,
         .offset = offsetof(keyframes, key),
         .count_offset = offsetof(keyframes, count),
         .table = key,
         .size = sizeof(keyframe),
         .min = 1,
         .max = 100000,
         .required = true,
         .help = "a list of {\"t\": seconds, \"value\": ...}"},
        RILL_BOOL("smooth", keyframes, smooth, false, "a smooth curve"),
        {0},
    };
    char label[64];
    snprintf(label, sizeof label, "\"%s\" with keyframes", row->name);
    keyframes *out = (keyframes *)((char *)block + row->keys_offset); /* the block's to clear */
    TRY(scene_read_block(r, keys, label, v, out));
    TRY(scene_check_times(r, json_find(v, "keyframes"), &out->key[0].t, sizeof *out->key));
    char *at = (char *)block + row->offset;
    if (row->kind == PARAM_NUMBER)
        *(double *)at = out->key[0].value.x;
    else
        *(rill_vec3 *)at = out->key[0].value;
    return RILL_OK;
}
