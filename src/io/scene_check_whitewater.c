/* Checks of white water: there is a liquid that makes it, and lower bounds are below upper ones. */
#include "flow/method.h"
#include "io/scene_reader.h"

rill_status scene_check_whitewater(scene_reader *r, const json_value *root)
{
    const rill_scene *s = r->scene;
    const scene_whitewater *w = &s->whitewater;
    const json_value *block = scene_at(root, "whitewater");
    const struct {
        const char *key;
        const double *range;
    } ranges[] = {
        {"air_range", w->air_range}, {"crest_range", w->crest_range}, {"speed_range", w->speed_range}};
    if (!s->has_whitewater) return RILL_OK;
    if (s->fill || !(s->method->can & CAN_FREE_SURFACE))
        return scene_fail(r, block,
                          "white water comes from the surface of a liquid, and there is none: %s; leave "
                          "\"whitewater\" out",
                          s->fill ? "the fluid fills the domain" : "the method has no free surface");
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++)
        if (ranges[k].range[1] != 0 && !(ranges[k].range[1] > ranges[k].range[0]))
            return scene_fail(r, scene_at(block, ranges[k].key),
                              "\"%s\" goes from %s to %s; the second must be larger, or both 0",
                              ranges[k].key, scene_show_number(ranges[k].range[0]).text,
                              scene_show_number(ranges[k].range[1]).text);
    if (w->life_max < w->life_min)
        return scene_fail(r, scene_at(block, "life_max"),
                          "foam lasts at most %s s and at least %s s; swap \"life_min\" and \"life_max\"",
                          scene_show_number(w->life_max).text, scene_show_number(w->life_min).text);
    return RILL_OK;
}
