/* Nothing is ignored in silence: every key of the scene's common blocks, given another value than its
 * default, changes what a run of any method leaves, or is refused with its place. */
#include "folders.h"
#include "support.h"

#include "base/hash.h"
#include "io/file.h"
#include "io/scene_file.h"
#include "run/driver.h"
#include "run/registry.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char scene_text[] =
    "{ \"rill\": 1, \"name\": \"keys\", \"method\": \"sph\", \"spacing\": 0.1,\n"
    "  \"domain\": { \"min\": [0,0,0], \"max\": [1,0.8,0.5], \"open\": [\"+y\"] },\n"
    "  \"time\": { \"frames\": 2, \"fps\": 25 },\n"
    "  \"fluid\": { \"viscosity\": 1 },\n"
    "  \"liquid\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": [0.6,0.5,0.5] } }, \"velocity\": "
    "[0.5,0,0] } ],\n"
    "  \"emitters\": [ { \"shape\": { \"disc\": { \"center\": [0.8,0.7,0.25], \"normal\": [0,-1,0], "
    "\"radius\": 0.15 } }, \"speed\": 4 } ],\n"
    "  \"drains\": [ { \"shape\": { \"box\": { \"min\": [0,0,0], \"max\": [0.2,0.2,0.5] } } } ],\n"
    "  \"tracers\": [ { \"shape\": { \"box\": { \"min\": [0.1,0.2,0.1], \"max\": [0.5,0.4,0.4] } }, "
    "\"count\": "
    "40, \"rate\": 500 } ],\n"
    "  \"solids\": [ { \"name\": \"ball\", \"shape\": { \"box\": { \"min\": [0.5,0,0.1], \"max\": "
    "[0.8,0.3,0.4] } },\n"
    "      \"motion\": { \"keyframes\": [ { \"t\": 0 }, { \"t\": 0.1, \"translate\": [0.02,0,0], \"rotate\": "
    "[0,0,10] } ] } } ],\n"
    "  \"gauges\": [ { \"name\": \"P\", \"pressure\": [0.3,0.1,0.25] } ],\n"
    "  \"output\": { \"width\": 32, \"height\": 24, \"checkpoint\": 1, \"video\": false } }\n";

#define SMOKE(more) "smoke=[{\"shape\":{\"sphere\":{\"center\":[0.3,0.2,0.25],\"radius\":0.1}}" more "}]"

/* So that this slow liquid gives some. */
#define THROWN         "whitewater={\"speed_range\":[0,0.1],\"air_range\":[0,0.1],\"buoyancy\":500,\"drag\":1}"
#define WHITE          "whitewater={\"speed_range\":[0,0.1],\"air_range\":[0,0.1]}"
#define BODY(keys)     "solids[0].body={" keys "}"
#define HINGE(x, more) BODY("\"mass\": 500, \"hinge\": {\"point\": [" x ",0,0]" more "}")

/* What a key is set to; lists stand for their first entry. `with`: other keys it needs. */
static const struct alternative {
    const char *key, *set, *with;
} alternatives[] = {
    {"domain.min", "domain.min=[-0.1,0,0]", NULL},
    {"domain.max", "domain.max=[0.9,0.8,0.5]", NULL},
    {"domain.open", "domain.open=[\"-x\"]", NULL},
    {"domain.slip", "domain.slip=none", NULL},
    {"domain.friction", "domain.friction=2", "emitters[0].speed=12"},
    {"spacing", "spacing=0.09", NULL},
    {"liquid[0].start", "liquid[0].start=0.02", NULL},
    {"gravity", "gravity=[0,-5,0]", NULL},
    {"time.frames", "time.frames=3", NULL},
    {"time.fps", "time.fps=30", NULL},
    {"time.preroll", "time.preroll=0.02", NULL},
    {"fluid.density", "fluid.density=500", NULL},
    {"fluid.viscosity", "fluid.viscosity=20", NULL},
    {"fluid.surface_tension", "fluid.surface_tension=5", NULL},
    {"liquid[0].shape", "liquid[0].shape={\"box\":{\"min\":[0,0,0],\"max\":[0.5,0.5,0.5]}}", NULL},
    {"liquid[0].velocity", "liquid[0].velocity=[0,0,1]", NULL},
    {"liquid[0].start", "liquid[0].start=0.02", NULL},
    {"liquid[0].color", "liquid[0].color=[1,0,0]", NULL},
    {"emitters[0].shape",
     "emitters[0].shape={\"disc\":{\"center\":[0.8,0.7,0.25],\"normal\":[0,-1,0],\"radius\":0.2}}", NULL},
    {"output.draft", "output.draft=true", NULL},
    {"liquid[0].color", "liquid[0].color=[1,0,0]", NULL},
    {"emitters[0].color", "emitters[0].color=[1,0,0]", NULL},
    {"emitters[0].direction", "emitters[0].direction=[0.5,-1,0]", NULL},
    {"emitters[0].speed", "emitters[0].speed=6", NULL},
    {"emitters[0].start", "emitters[0].start=0.03", NULL},
    {"emitters[0].end", "emitters[0].end=0.04", NULL},
    {"emitters[0].color", "emitters[0].color=[1,0,0]", NULL},
    {"drains[0].shape", "drains[0].shape={\"box\":{\"min\":[0,0,0],\"max\":[0.3,0.4,0.5]}}", NULL},
    {"tracers[0].shape", "tracers[0].shape={\"box\":{\"min\":[0.1,0.2,0.1],\"max\":[0.4,0.4,0.4]}}", NULL},
    {"tracers[0].count", "tracers[0].count=30", NULL},
    {"tracers[0].rate", "tracers[0].rate=700", NULL},
    {"tracers[0].start", "tracers[0].start=0.02", NULL},
    {"tracers[0].end", "tracers[0].end=0.05", NULL},
    {"tracers[0].life", "tracers[0].life=0.03", NULL},
    {"tracers[0].most", "tracers[0].most=50", NULL},
    {"solids[0].shape", "solids[0].shape={\"box\":{\"min\":[0.5,0,0.1],\"max\":[0.8,0.25,0.4]}}", NULL},
    {"solids[0].transform.translate", "solids[0].transform.translate=[0.05,0,0]", NULL},
    {"solids[0].transform.rotate", "solids[0].transform.rotate=[0,0,5]", NULL},
    {"solids[0].transform.scale", "solids[0].transform.scale=0.9", NULL},
    {"solids[0].motion.keyframes",
     "solids[0].motion.keyframes=[{\"t\":0},{\"t\":0.1,\"translate\":[0.05,0,0]}]", NULL},
    {"solids[0].motion.keyframes[1].t", "solids[0].motion.keyframes[1].t=0.05", NULL},
    {"solids[0].motion.keyframes[1].translate", "solids[0].motion.keyframes[1].translate=[0.04,0,0]", NULL},
    {"solids[0].motion.keyframes[1].rotate", "solids[0].motion.keyframes[1].rotate=[0,0,20]", NULL},
    {"solids[0].motion.smooth", "solids[0].motion.smooth=true", NULL},
    {"solids[0].motion.pivot", "solids[0].motion.pivot=[0.6,0.1,0.2]", NULL},
    {"solids[0].slip", "solids[0].slip=none", NULL},
    {"solids[0].friction", "solids[0].friction=2", NULL},
    {"domain.contact.friction", "domain.contact.friction=1", NULL},
    {"domain.contact.restitution", "domain.contact.restitution=1", NULL},
    {"solids[0].contact.friction", "solids[0].contact.friction=1", NULL},
    {"solids[0].contact.restitution", "solids[0].contact.restitution=1", NULL},
    {"solids[0].body.density", BODY("\"density\": 500"), NULL},
    {"solids[0].body.mass", BODY("\"mass\": 500"), NULL},
    {"solids[0].body.inertia", BODY("\"mass\": 500, \"inertia\": [1,2,3]"), NULL},
    {"solids[0].body.velocity", BODY("\"mass\": 500, \"velocity\": [1,2,3]"), NULL},
    {"solids[0].body.spin", BODY("\"mass\": 500, \"spin\": [1,2,3]"), NULL},
    {"solids[0].body.hinge.point", HINGE("0.1", ""), NULL},
    {"solids[0].body.hinge.axis", HINGE("0", ", \"axis\": [1,0,0]"), NULL},
    {"solids[0].body.hinge.limits", HINGE("0", ", \"limits\": [-10,10]"), NULL},
    {"solids[0].body.pin.point", BODY("\"mass\": 500, \"pin\": {\"point\": [0,0,0]}"), NULL},
    {"solids[0].body.slide.axis", BODY("\"mass\": 500, \"slide\": {\"axis\": [1,0,0]}"), NULL},
    {"solids[0].body.slide.limits", BODY("\"mass\": 500, \"slide\": {\"axis\": [1,0,0], \"limits\": [0,1]}"),
     NULL},
    {"solids[0].refine", "solids[0].refine=false", NULL},
    {"fill", "fill=true", NULL},
    {"smoke[0].shape", SMOKE(""), NULL},
    {"smoke[0].velocity", SMOKE(", \"velocity\": [0,1,0]"), NULL},
    {"smoke[0].density", SMOKE(", \"density\": 1"), NULL},
    {"smoke[0].temperature", SMOKE(", \"temperature\": 400"), NULL},
    {"smoke[0].rate", SMOKE(", \"rate\": 10"), NULL},
    {"gas.cooling", "gas.cooling=1", NULL},
    {"gas.dissipation", "gas.dissipation=1", NULL},
    {"smoke[0].tracers_per_second", SMOKE(", \"tracers_per_second\": 100"), NULL},
    {"smoke[0].start", SMOKE(", \"start\": 0.01"), NULL},
    {"smoke[0].end", SMOKE(", \"end\": 0.02"), NULL},
    {"whitewater.trapped_air", "whitewater.trapped_air=9000", WHITE},
    {"whitewater.wave_crests", "whitewater.wave_crests=90000", WHITE},
    {"whitewater.air_range", "whitewater.air_range=[0,1]", WHITE},
    {"whitewater.crest_range", "whitewater.crest_range=[0,1]", WHITE},
    {"whitewater.speed_range", "whitewater.speed_range=[0,1]", WHITE},
    {"whitewater.buoyancy", "whitewater.buoyancy=1", WHITE},
    {"whitewater.drag", "whitewater.drag=1", WHITE},
    {"whitewater.air_drag", "whitewater.air_drag=1", THROWN},
    {"whitewater.life_min", "whitewater.life_min=2", WHITE},
    {"whitewater.life_max", "whitewater.life_max=2", WHITE},
    {"whitewater.most", "whitewater.most=2", WHITE},
    {"whitewater.seed", "whitewater.seed=2", WHITE},
    {"gauges[0].name", "gauges[0].name=Q", NULL},
    {"gauges[0].pressure", "gauges[0].pressure=[0.3,0.2,0.25]", NULL},
    {"gauges[0].height", "gauges=[{\"name\":\"P\",\"height\":[0.3,0.25]}]", NULL},
    {"gauges[0].velocity", "gauges=[{\"name\":\"P\",\"velocity\":[0.3,0.1,0.25]}]", NULL},
    {"gauges[0].flow",
     "gauges=[{\"name\":\"P\",\"flow\":{\"center\":[0.3,0.2,0.25],\"normal\":[1,0,0],\"radius\":0.2}}]",
     NULL},
    {"gauges[0].force", "gauges=[{\"name\":\"P\",\"force\":\"ball\"}]", NULL},
    {"gauges[0].with", "gauges[0].with=ball", NULL},
    {"camera.eye", "camera.eye=[3,2,4]", NULL},
    {"camera.target", "camera.target=[3,2,4]", NULL},
    {"camera.fov", "camera.fov=50", "camera.eye=[3,2,4]"},
    {"output.particles", "output.particles=false", NULL},
    {"output.surface", "output.surface=false", NULL},
    {"output.tracers", "output.tracers=false", NULL},
    {"output.whitewater", "output.whitewater=false", "whitewater={}"},
    {"output.cells", "output.cells=true", NULL},
    {"output.images", "output.images=false", NULL},
    {"output.formats", "output.formats=[\"vtk\"]", NULL},
    {"output.width", "output.width=40", NULL},
    {"output.draft", "output.draft=true", NULL},
    {"output.height", "output.height=30", NULL},
    {"output.checkpoint", "output.checkpoint=2", NULL},
    {"output.look", "output.look=particles", NULL},
    {"output.color", "output.color=pressure", "output.look=particles"},
    {"output.volume", "output.volume=true", NULL},
    {"volume.cell", "volume.cell=2", "output.look=volume"},
    {"volume.fields", "volume.fields=[\"velocity\"]", "output.volume=true"},
    {"volume.thickness", "volume.thickness=2", "output.look=volume"},
    {"surface.definition", "surface.definition=zhu_bridson", NULL},
    {"surface.cell", "surface.cell=1", NULL},
    {"surface.radius", "surface.radius=3", NULL},
    {"surface.columns", "surface.columns=density", NULL},
    {"surface.smooth", "surface.smooth=3", NULL},
    {"surface.smallest", "surface.smallest=3000", NULL},
    {"surface.slivers", "surface.slivers=0.3", NULL},
    {"surface.clip_min", "surface.clip_min=[0.1,0.1,0.1]", "surface.clip_max=[0.4,0.4,0.4]"},
    {"surface.clip_max", "surface.clip_max=[0.4,0.4,0.4]", NULL},
};

/* Keys that are not about what a run computes. */
static const char *const names_only[] = {"rill",           "name",       "method",
                                         "solids[0].name", "dimensions", "output.video"};
/* Those of final pictures, which rill render makes and no run (tests/unit/test_path.c). */
static const char *const final_only[] = {"render.", "solids[0].material.", "camera.aperture", "camera.focus"};

/* ---- the keys of the tables ---- */

enum { MOST_KEYS = 256 };
static char keys[MOST_KEYS][96];
static int key_count;

static void list_keys(const rill_param *table, const char *prefix)
{
    for (const rill_param *row = table; row->kind; row++) {
        char key[96];
        if (row->kind == PARAM_NAMED_POINT) {
            for (int k = 0; row->words[k]; k++) {
                assert_true(key_count < MOST_KEYS);
                snprintf(keys[key_count++], sizeof keys[0], "%s%s", prefix, row->words[k]);
            }
            continue;
        }
        snprintf(key, sizeof key, "%s%s", prefix, row->name);
        if (row->kind == PARAM_BLOCK) {
            strcat(key, ".");
            list_keys(row->table, key);
        } else if (row->kind == PARAM_LIST) {
            strcat(key, table == scene_motion_params ? "[1]." : "[0].");
            list_keys(row->table, key);
        } else {
            assert_true(key_count < MOST_KEYS);
            snprintf(keys[key_count++], sizeof keys[0], "%s", key);
        }
    }
}

/* ---- what a run leaves ---- */

static void strip_clock(char *s)
{
    char *to = s;
    for (const char *c = s; *c;) {
        if (strncmp(c, "\"wall_s\":", 9) == 0)
            c += strcspn(c, ",");
        else if (strncmp(c, "\"stage_s\":{", 11) == 0)
            c += strcspn(c, "}");
        else
            *to++ = *c++;
    }
    *to = 0;
}

/* Names and contents, whatever the order of the folder. */
static uint64_t hash_folder(rill_ctx *ctx, const char *folder, const char *part, bool contents)
{
    char *path = path_join(ctx, folder, part);
    DIR *d = opendir(path);
    uint64_t sum = 0;
    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
        char *file = path_join(ctx, path, e->d_name), *bytes = NULL;
        size_t length = 0;
        if (e->d_name[0] != '.') {
            if (contents) assert_ok(ctx, file_read_all(ctx, file, 1 << 30, &bytes, &length));
            sum += hash_bytes(bytes, length, hash_bytes(e->d_name, strlen(e->d_name), 0));
        }
        mem_free(ctx, bytes);
        mem_free(ctx, file);
    }
    if (d) closedir(d);
    mem_free(ctx, path);
    return sum;
}

static uint64_t hash_text(rill_ctx *ctx, const char *folder, const char *name)
{
    char *path = path_join(ctx, folder, name), *bytes = NULL;
    size_t length = 0;
    assert_ok(ctx, file_read_all(ctx, path, 1 << 30, &bytes, &length));
    strip_clock(bytes);
    const uint64_t hash = hash_bytes(bytes, strlen(bytes), 0);
    mem_free(ctx, bytes);
    mem_free(ctx, path);
    return hash;
}

/* What a method cannot do is left out of its scene, by key and by what the refusal names. */
static const char *const lists[] = {"emitters", "drains", "tracers", "gauges", "domain.open"};
enum { LISTS = sizeof lists / sizeof *lists, MOST_SETS = LISTS + 4 };

typedef struct changed_scene {
    const rill_method *method;
    const char *set[MOST_SETS];
    int set_count;
    uint32_t left_out; /* bits by list */
} changed_scene;

static rill_status parse_scene(rill_ctx *ctx, const changed_scene *c, rill_scene *out)
{
    const scene_changes changes = {.method = c->method->name, .set = c->set, .set_count = c->set_count};
    return scene_parse(ctx, "keys.json", scene_text, strlen(scene_text), rill_methods, rill_method_count,
                       &changes, out);
}

/* The scene with what the method can do of it. */
static changed_scene scene_for(rill_ctx *ctx, const rill_method *method)
{
    static const char *const none[LISTS] = {"emitters=[]", "drains=[]", "tracers=[]", "gauges=[]",
                                            "domain.open=[]"};
    static const char *const named[LISTS] = {"emitters", "drains", "tracers", "gauges", "\"open\""};
    changed_scene c = {.method = method};
    if (!method->has_particles)
        c.set[c.set_count++] = "spacing=0.14"; /* elements of it cost ten times as much */
    if (!(method->can & CAN_VISCOSITY)) c.set[c.set_count++] = "fluid.viscosity=0";
    for (int round = 0; round < LISTS; round++) {
        rill_scene scene = {0};
        if (parse_scene(ctx, &c, &scene) == RILL_OK) {
            scene_clear(ctx, &scene);
            break;
        }
        for (int k = 0; k < LISTS; k++) {
            if (c.left_out >> k & 1 || !strstr(rill_ctx_message(ctx), named[k])) continue;
            c.left_out |= 1u << k;
            c.set[c.set_count++] = none[k];
            break;
        }
    }
    return c;
}

static bool left_out(const changed_scene *c, const char *key)
{
    for (int k = 0; k < LISTS; k++)
        if (c->left_out >> k & 1 && strncmp(key, lists[k], strlen(lists[k])) == 0) return true;
    return false;
}

/* RILL_OK and the hash of what a run leaves, or why there is none. */
static rill_status run_keys(rill_ctx *ctx, const changed_scene *base, const char *set, const char *with,
                            uint64_t *hash)
{
    changed_scene c = *base;
    rill_scene scene = {0};
    if (with) c.set[c.set_count++] = with;
    if (set) c.set[c.set_count++] = set;
    TRY(parse_scene(ctx, &c, &scene));
    const char *out = in_own_folder("run");
    const run_options options = {.out = out, .force = true};
    run_result result;
    const rill_status st = run_start(ctx, &scene, &options, &result);
    if (!st)
        *hash = hash_folder(ctx, out, "frames", true) + 3 * hash_folder(ctx, out, "images", true) +
                5 * hash_folder(ctx, out, "checkpoints", false) + 7 * hash_text(ctx, out, "stats.jsonl") +
                11 * (left_out(base, "gauges") ? 0 : hash_text(ctx, out, "gauges.csv"));
    scene_clear(ctx, &scene);
    return st;
}

static const struct alternative *alternative_of(const char *key)
{
    for (size_t k = 0; k < sizeof alternatives / sizeof *alternatives; k++)
        if (strcmp(alternatives[k].key, key) == 0) return &alternatives[k];
    return NULL;
}

static bool is_name(const char *key)
{
    for (size_t k = 0; k < sizeof names_only / sizeof *names_only; k++)
        if (strcmp(names_only[k], key) == 0) return true;
    for (size_t k = 0; k < sizeof final_only / sizeof *final_only; k++)
        if (strncmp(final_only[k], key, strlen(final_only[k])) == 0) return true;
    return false;
}

static void every_key_has_an_alternative(void **state)
{
    (void)state;
    list_keys(scene_params, "");
    assert_true(key_count > 60);
    int without = 0;
    for (int k = 0; k < key_count; k++) {
        if (is_name(keys[k]) || alternative_of(keys[k])) continue;
        print_error("test_keys has no value for %s\n", keys[k]);
        without++;
    }
    assert_int_equal(without, 0);
}

/* Whether the method computes as if the key were not there. */
static bool ignores(rill_ctx *ctx, const changed_scene *base, uint64_t usual, const struct alternative *a)
{
    uint64_t before = usual, hash = 0;
    if (left_out(base, a->key)) return false;
    if (!base->method->has_particles && strcmp(a->key, "output.particles") == 0)
        return false; /* none, as asked */
    const bool with = a->with && !left_out(base, a->with);
    if (with && run_keys(ctx, base, NULL, a->with, &before)) return false; /* that alone is refused */
    const rill_status st = run_keys(ctx, base, a->set, with ? a->with : NULL, &hash);
    const bool refused = st == RILL_BAD_SCENE || st == RILL_USAGE;
    if (st && !refused) fail_msg("%s, %s: %s", base->method->name, a->set, rill_ctx_message(ctx));
    return !refused && hash == before;
}

/* In gas that fills its domain, keys of the surface are refused where the method has none, and the slip of
 * walls where it has no viscosity. */
static void gas_has_no_surface_and_no_slip(void **state)
{
    (void)state;
    static const char gas[] = "{ \"rill\": 1, \"spacing\": 0.1, \"fill\": true,\n"
                              "  \"domain\": { \"min\": [0,0,0], \"max\": [1,1,1] } }";
    rill_ctx *ctx = test_ctx(1);
    int refused = 0;
    for (const rill_method *const *m = rill_methods; *m; m++)
        for (size_t k = 0; k < sizeof alternatives / sizeof *alternatives; k++) {
            const struct alternative *a = &alternatives[k];
            const char *const set[] = {a->set, a->with};
            scene_changes changes = {.method = (*m)->name};
            rill_scene scene = {0};
            const bool slip = strcmp(a->key, "domain.slip") == 0;
            if (!slip && strncmp(a->key, "surface.", 8) != 0) continue;
            if (scene_parse(ctx, "gas", gas, strlen(gas), rill_methods, rill_method_count, &changes, &scene))
                continue; /* it cannot */
            const bool has = slip ? scene.method->can & CAN_VISCOSITY : method_has_surface(scene.method);
            scene_clear(ctx, &scene);
            if (has) continue;
            changes.set = set;
            changes.set_count = a->with ? 2 : 1;
            assert_int_equal(
                scene_parse(ctx, "gas", gas, strlen(gas), rill_methods, rill_method_count, &changes, &scene),
                RILL_BAD_SCENE);
            assert_non_null(strstr(rill_ctx_message(ctx), "has no use for"));
            refused++;
        }
    rill_ctx_destroy(ctx);
    assert_true(refused >= 20);
}

static void no_key_is_ignored(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    int ignored = 0;
    const int stride = (int)test_stride(3); /* of the keys of each method; another third of the next one's */
    for (const rill_method *const *m = rill_methods; *m; m++) {
        if (!((*m)->can & CAN_FREE_SURFACE)) continue; /* the scene has liquid */
        const changed_scene base = scene_for(ctx, *m);
        uint64_t usual = 0;
        assert_ok(ctx, run_keys(ctx, &base, NULL, NULL, &usual));
        for (int k = (int)(m - rill_methods) % stride; k < key_count; k += stride) {
            const struct alternative *a = alternative_of(keys[k]);
            if (!a || !ignores(ctx, &base, usual, a)) continue;
            print_error("%s ignores %s\n", (*m)->name, a->set);
            ignored++;
        }
    }
    rill_ctx_destroy(ctx);
    assert_int_equal(ignored, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_key_has_an_alternative),
                                       cmocka_unit_test(gas_has_no_surface_and_no_slip),
                                       cmocka_unit_test(no_key_is_ignored)};
    return cmocka_run_group_tests_name("keys", tests, own_folder_make, own_folder_remove);
}
