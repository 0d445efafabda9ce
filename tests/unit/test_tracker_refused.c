/* What cannot be joined is parted: the vertex that is too near goes back until it no longer begins a merge,
 * and only as far as nothing is in its way. */
#include "tracker_support.h"

#include "tracker/merge.h"

/* Two balls with a gap between them, and behind the first a third, `behind` from it. */
static tracker *make_balls(rill_ctx *ctx, double gap, double behind)
{
    const double radius = 0.5, centre[3] = {-radius, radius + gap, -3 * radius - behind};
    trimesh ball = make_icosphere(ctx, radius, 3), m = {0};
    const size_t n = ball.vertex_count, k = ball.triangle_count;
    m.vertex_count = 3 * n;
    m.triangle_count = 3 * k;
    assert_ok(ctx, MEM_NEW(ctx, m.position, 3 * n));
    assert_ok(ctx, MEM_NEW(ctx, m.triangle, 3 * k));
    for (size_t b = 0; b < 3; b++) {
        for (size_t v = 0; v < n; v++)
            m.position[b * n + v] = v3_add(ball.position[v], v3(centre[b], 0.01 * (double)b, 0));
        for (size_t t = 0; t < k; t++)
            for (int i = 0; i < 3; i++) m.triangle[b * k + t][i] = ball.triangle[t][i] + (uint32_t)(b * n);
    }
    trimesh_clear(ctx, &ball);
    const tracker_def def = tracker_def_default();
    return make(ctx, &def, &m);
}

/* Parts what begins a merge; returns how many vertices did, and hands out how many still do. */
static int part_all(rill_ctx *ctx, tracker *t, int *left)
{
    merging m = {.t = t, .reach = t->def.merge * t->edge};
    const float begins = (float)(0.5 * m.reach);
    int first = 0;
    *left = 0;
    assert_ok(ctx, tracker_fill_boxes(t, NULL, 0));
    assert_ok(ctx, MEM_NEW(ctx, m.mate, t->mesh.vertices));
    assert_ok(ctx, MEM_NEW(ctx, m.distance, t->mesh.vertices));
    merge_find(&m);
    for (uint32_t v = 0; v < t->mesh.vertices; v++) {
        if (m.mate[v] == TMESH_NONE || !(m.distance[v] < begins)) continue;
        first++;
        assert_ok(ctx, merge_part(&m, v));
    }
    merge_find(&m);
    for (uint32_t v = 0; v < t->mesh.vertices; v++)
        *left += m.mate[v] != TMESH_NONE && m.distance[v] < begins;
    mem_free(ctx, m.mate);
    mem_free(ctx, m.distance);
    return first;
}

static void what_is_refused_is_parted(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    tracker *t = make_balls(ctx, 0.004, 1);
    int left;
    assert_true(part_all(ctx, t, &left) >= 2); /* a vertex of either side */
    assert_int_equal(left, 0);
    assert_sound(ctx, t);
    tracker_destroy(t);
    rill_ctx_destroy(ctx);
}

/* Nothing passes through what is behind it. */
static void parting_stops_at_obstacles(void **state)
{
    (void)state;
    rill_ctx *ctx = test_ctx(1);
    tracker *t = make_balls(ctx, 0.004, 0.004);
    int left;
    assert_true(part_all(ctx, t, &left) >= 4);
    assert_sound(ctx, t);
    tracker_destroy(t);
    rill_ctx_destroy(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_refused_is_parted),
                                       cmocka_unit_test(parting_stops_at_obstacles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
