/* A checkpoint from bytes: refused with its name, or handed to its method, which refuses it
 * or steps on. The first byte says whether hashes are made right first: without that hardly
 * anything would get past them. */
#include "fuzz.h"

#include "base/memory.h"
#include "checkpoint_bytes.h"
#include "io/checkpoint.h"
#include "method_scenes.h"
#include "run/run.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void step_on(rill_ctx *ctx, const checkpoint_head *head, snapshot *state)
{
    const rill_method *method = rill_method_find(head->method);
    if (!method) return;
    const method_scene which = {method, method->can & CAN_TWO_DIMENSIONS ? 2 : 3, NULL, NULL};
    rill_scene scene = method_scene_read(ctx, &which, NULL);
    rill_sim *sim = method_create(ctx, &scene);
    rill_status st = method->load(sim, &state->reader);
    fuzz_require(st == RILL_OK || st == RILL_BAD_FILE || st == RILL_NO_MEMORY);
    for (int k = 0; k < 2 && !st; k++) {
        if (!(method->max_dt(sim) > 0)) break;
        const run_before before = check_before(sim);
        st = method_step(sim);
        if (!st) st = check_after(sim, &before, 1e4);
        fuzz_require(st == RILL_OK || st == RILL_BLEW_UP || st == RILL_NO_MEMORY);
    }
    method->destroy(sim);
    scene_clear(ctx, &scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    measured_allocator memory = {.limit = (size_t)1 << 30};
    rill_ctx *ctx = fuzz_ctx(&memory);
    const size_t before = memory.held;
    uint8_t *bytes = mem_alloc(ctx, size - 1, 1);
    fuzz_require(bytes != NULL);
    memcpy(bytes, data + 1, size - 1);
    if (data[0] & 1) checkpoint_repair(bytes, size - 1);

    const int fd = memfd_create("checkpoint", MFD_CLOEXEC);
    fuzz_require(fd >= 0 && write(fd, bytes, size - 1) == (ssize_t)(size - 1));
    mem_free(ctx, bytes);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    snapshot state;
    snapshot_init(&state, ctx);
    checkpoint_head head;
    const rill_status st = checkpoint_read(ctx, path, &head, &state);
    if (st == RILL_OK) {
        fuzz_require(memchr(head.method, 0, sizeof head.method) != NULL);
        step_on(ctx, &head, &state);
    } else {
        fuzz_require(st == RILL_BAD_FILE || st == RILL_NO_MEMORY);
        fuzz_require(state.count == 0);
        if (st == RILL_BAD_FILE) fuzz_require(strncmp(rill_ctx_message(ctx), path, strlen(path)) == 0);
    }
    snapshot_clear(&state);
    close(fd);
    fuzz_require(memory.held == before);
    rill_ctx_destroy(ctx);
    return 0;
}
