#include "scene_text.h"

text scene_printed(rill_ctx *ctx, const rill_scene *scene)
{
    text t;
    text_init(&t, ctx);
    scene_print(scene, &t);
    assert_ok(ctx, text_check(&t));
    return t;
}

uint64_t scene_survives(rill_ctx *ctx, failing_allocator *f, scene_maker *make, const void *user)
{
    const uint64_t before = f->live;
    rill_status st = RILL_NO_MEMORY;
    uint64_t n = 0;
    while (st != RILL_OK) {
        rill_scene s = {.version = 77};
        f->calls = 0;
        f->fail_at = ++n;
        st = make(ctx, user, &s);
        if (st == RILL_OK) {
            scene_clear(ctx, &s);
            if (f->calls >= n) st = RILL_NO_MEMORY; /* one that could be done without */
        } else {
            assert_int_equal(st, RILL_NO_MEMORY);
            assert_int_equal(s.version, 77);
        }
        assert_int_equal(f->live, before);
        assert_true(n < 100000);
    }
    f->fail_at = 0;
    return n;
}
