/* A program that embeds Rill, compiled as C and as C++ against what was installed: two
 * contexts in two threads at once give what each gives alone; a saved state goes on to the
 * same bits; allocations of the host's own; numbers under the host's locale.
 *     host SCENE VERSION */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* posix_memalign */
#endif
#include <rill/rill.h>

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
#define CHECK(condition)                                           \
    do {                                                           \
        if (!(condition)) {                                        \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            failures++;                                            \
        }                                                          \
    } while (0)

static void *count_allocate(void *user, size_t bytes, size_t alignment)
{
    void *p = NULL;
    if (posix_memalign(&p, alignment, bytes) != 0) return NULL;
    __atomic_fetch_add((long *)user, 1, __ATOMIC_RELAXED);
    return p;
}

static void count_release(void *user, void *memory)
{
    if (memory) __atomic_fetch_sub((long *)user, 1, __ATOMIC_RELAXED);
    free(memory);
}

static void on_log(void *user, rill_log_level level, const char *message)
{
    (void)user;
    (void)level;
    fprintf(stderr, "%s\n", message);
}

typedef struct job {
    const char *scene;
    int frames, threads;
    const char *save;       /* NULL: straight through; else saved and taken on by another in the middle */
    unsigned long long sum; /* of all bits of the end */
    size_t particles;
    long live;
    rill_status status;
} job;

static unsigned long long mix(unsigned long long h, const void *data, size_t bytes)
{
    const unsigned char *c = (const unsigned char *)data;
    for (size_t i = 0; i < bytes; i++) h = (h ^ c[i]) * 1099511628211ull;
    return h;
}

static rill_status play(rill_ctx *ctx, job *j, rill_scene **scene, rill_sim **sim)
{
    rill_status st = rill_scene_read(ctx, j->scene, scene);
    if (!st) st = rill_sim_create(ctx, *scene, sim);
    for (int k = 1; k <= j->frames && !st; k++) {
        st = rill_sim_advance(*sim, k / rill_scene_fps(*scene));
        if (j->save && k == 1 && !st) {
            st = rill_sim_save(*sim, j->save);
            rill_sim_destroy(*sim);
            *sim = NULL;
            if (!st) st = rill_sim_create(ctx, *scene, sim);
            if (!st) st = rill_sim_load(*sim, j->save);
        }
    }
    return st;
}

static void *work(void *arg)
{
    job *j = (job *)arg;
    rill_ctx_def def = rill_ctx_def_default();
    def.allocator.allocate = count_allocate;
    def.allocator.release = count_release;
    def.allocator.user = &j->live;
    def.log = on_log;
    def.threads = j->threads;
    rill_ctx *ctx = NULL;
    rill_scene *scene = NULL;
    rill_sim *sim = NULL;
    rill_mesh *mesh = NULL;
    j->status = rill_ctx_create(&def, &ctx);
    if (j->status) return NULL;
    j->status = play(ctx, j, &scene, &sim);
    if (!j->status) j->status = rill_sim_surface(sim, &mesh);
    if (!j->status) {
        rill_particles p;
        rill_sim_view(sim, &p);
        j->particles = p.count;
        j->sum = mix(14695981039346656037ull, p.position, p.count * sizeof *p.position);
        j->sum = mix(j->sum, p.velocity, p.count * sizeof *p.velocity);
        j->sum = mix(j->sum, p.id, p.count * sizeof *p.id);
        j->sum = mix(j->sum, mesh->position, mesh->vertex_count * sizeof *mesh->position);
        j->sum = mix(j->sum, mesh->triangle, mesh->triangle_count * sizeof *mesh->triangle);
    } else {
        printf("%s: %s\n", rill_status_text(j->status), rill_ctx_message(ctx));
    }
    rill_mesh_destroy(mesh);
    rill_sim_destroy(sim);
    rill_scene_destroy(scene);
    rill_ctx_destroy(ctx);
    return NULL;
}

/* A tetrahedron turns once, tracked; then with a hole it is refused. */
static rill_status swirl(void *user, double time, size_t n, const rill_vec3 *point, rill_vec3 *velocity)
{
    (void)user;
    (void)time;
    for (size_t i = 0; i < n; i++) {
        velocity[i].x = -point[i].y;
        velocity[i].y = point[i].x;
        velocity[i].z = 0;
    }
    return RILL_OK;
}

static void track(void)
{
    static const rill_vec3 position[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    static const uint32_t triangle[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
    rill_ctx_def ctx_def = rill_ctx_def_default();
    rill_ctx *ctx = NULL;
    rill_tracker *t = NULL;
    rill_tracker_def def = rill_tracker_def_default();
    rill_mesh mesh, now;
    rill_tracker_part part;
    memset(&mesh, 0, sizeof mesh);
    memset(&part, 0, sizeof part);
    mesh.vertex_count = mesh.triangle_count = 4;
    mesh.position = position;
    mesh.triangle = triangle;
    def.edge = 0.5;
    CHECK(rill_ctx_create(&ctx_def, &ctx) == RILL_OK);
    CHECK(rill_tracker_create(ctx, &def, &mesh, &t) == RILL_OK);
    for (int i = 0; t && i < 20; i++)
        CHECK(rill_tracker_advance(t, 3.14159265358979 / 10, swirl, NULL, NULL) == RILL_OK);
    if (t) {
        rill_tracker_view(t, &now);
        CHECK(now.triangle_count > 50);
        CHECK(rill_tracker_part_count(t) == 1);
        CHECK(rill_tracker_part_at(t, 0, &part) == RILL_OK);
        CHECK(part.genus == 0 && fabs(part.volume - 8.0 / 3) < 0.05);
    }
    rill_tracker_destroy(t);
    t = NULL;
    mesh.triangle_count = 3;
    CHECK(rill_tracker_create(ctx, &def, &mesh, &t) == RILL_BAD_FILE && t == NULL);
    CHECK(strstr(rill_ctx_message(ctx), "near (") != NULL);
    rill_ctx_destroy(ctx);
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    setlocale(LC_ALL, "");
    CHECK(strcmp(rill_version(), argv[2]) == 0);
    CHECK(strcmp(RILL_VERSION, argv[2]) == 0);

    track();

    job alone[2], both[2], saved, serial;
    memset(alone, 0, sizeof alone);
    for (int i = 0; i < 2; i++) {
        alone[i].scene = argv[1];
        alone[i].frames = 2 + i;
        alone[i].threads = 2;
    }
    memcpy(both, alone, sizeof both);
    serial = saved = alone[1];
    serial.threads = 1;
    saved.save = "host.state";

    pthread_t thread[2];
    for (int i = 0; i < 2; i++) CHECK(pthread_create(&thread[i], NULL, work, &both[i]) == 0);
    for (int i = 0; i < 2; i++) CHECK(pthread_join(thread[i], NULL) == 0);
    for (int i = 0; i < 2; i++) work(&alone[i]);
    work(&serial);
    work(&saved);
    for (int i = 0; i < 2; i++) {
        CHECK(alone[i].status == RILL_OK && both[i].status == RILL_OK);
        CHECK(alone[i].particles > 100);
        CHECK(alone[i].sum == both[i].sum);
        CHECK(alone[i].live == 0 && both[i].live == 0);
    }
    CHECK(alone[0].sum != alone[1].sum);
    CHECK(serial.sum == alone[1].sum);
    CHECK(saved.status == RILL_OK && saved.sum == alone[1].sum && saved.live == 0);
    remove("host.state");
    printf("%d failures\n", failures);
    return failures != 0;
}
