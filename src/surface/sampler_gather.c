/* Those near a block or a home block; see sampler.h. */
#include "base/parallel.h"
#include "surface/sampler.h"

static size_t padded(size_t n)
{
    return (n + 7) & ~(size_t)7;
}

rill_status sampler_near_init(rill_ctx *ctx, const sampler *s, sampler_near *near)
{
    sampler_near n = {0};
    const size_t room = padded(s->most) + 8; /* for stores of whole eights */
    TRY(MEM_NEW(ctx, n.x, (5 + (size_t)s->values) * room));
    n.y = n.x + room;
    n.z = n.y + room;
    n.reach = n.z + room;
    for (int v = 0; v < s->values; v++) n.value[v] = n.x + (size_t)(4 + v) * room;
    n.place = (uint32_t *)(n.x + (size_t)(4 + s->values) * room);
    *near = n;
    return RILL_OK;
}

void sampler_near_clear(rill_ctx *ctx, sampler_near *near)
{
    mem_free(ctx, near->x);
    *near = (sampler_near){0};
}

static float beyond(float x, float width)
{
    const float over = x - width;
    const float out = over > -x ? over : -x;
    return out > 0 ? out : 0;
}

/* Particles i to i + 7, by the same sums as one at a time: those that come near are appended at n. */
static size_t gather_eight(const sampler *s, uint32_t i, const float shift[3], float width, float margin,
                           size_t n, sampler_near *near)
{
    const __m256 wide = _mm256_set1_ps(width), zero = _mm256_setzero_ps(), r = _mm256_loadu_ps(s->reach + i);
    const float *const from[3] = {s->x + i, s->y + i, s->z + i};
    __m256 at[3], d2 = zero;
    for (int a = 0; a < 3; a++) {
        at[a] = _mm256_add_ps(_mm256_loadu_ps(from[a]), _mm256_set1_ps(shift[a]));
        const __m256 out = _mm256_max_ps(_mm256_sub_ps(at[a], wide), _mm256_sub_ps(zero, at[a]));
        const __m256 d = _mm256_max_ps(out, zero);
        d2 = _mm256_add_ps(d2, _mm256_mul_ps(d, d));
    }
    const __m256 far = _mm256_add_ps(r, _mm256_set1_ps(margin));
    const unsigned mask =
        (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(d2, _mm256_mul_ps(far, far), _CMP_LT_OQ));
    if (!mask) return n;
    const __m256i front = compress8_front(&s->front, mask);
    _mm256_storeu_ps(near->x + n, _mm256_permutevar8x32_ps(at[0], front));
    _mm256_storeu_ps(near->y + n, _mm256_permutevar8x32_ps(at[1], front));
    _mm256_storeu_ps(near->z + n, _mm256_permutevar8x32_ps(at[2], front));
    _mm256_storeu_ps(near->reach + n, _mm256_permutevar8x32_ps(r, front));
    _mm256_storeu_si256((__m256i *)(near->place + n), _mm256_add_epi32(front, _mm256_set1_epi32((int)i)));
    for (int v = 0; v < s->values; v++) compress8_move(front, s->value[v] + i, near->value[v] + n);
    return n + (size_t)__builtin_popcount(mask);
}

/* Appends those of home block h, whose corner lies `shift` away, that come within `margin` of a cube. */
static void gather_home(const sampler *s, const sampler_group *group, uint32_t h, const float shift[3],
                        float width, float margin, sampler_near *near)
{
    const uint32_t end = group->first[h + 1];
    size_t n = near->count;
    uint32_t i = group->first[h];
    for (; i + 8 <= end; i += 8) n = gather_eight(s, i, shift, width, margin, n, near);
    for (; i < end; i++) {
        const float x = s->x[i] + shift[0], y = s->y[i] + shift[1], z = s->z[i] + shift[2], r = s->reach[i];
        const float dx = beyond(x, width), dy = beyond(y, width), dz = beyond(z, width);
        near->x[n] = x;
        near->y[n] = y;
        near->z[n] = z;
        near->reach[n] = r;
        near->place[n] = i;
        for (int v = 0; v < s->values; v++) near->value[v][n] = s->value[v][i];
        n += dx * dx + dy * dy + dz * dz < (r + margin) * (r + margin);
    }
    near->count = n;
}

/* Those of a group that come within `margin` of the cube of `width` blocks at a block. */
static void gather_group(const sampler *s, int g, const int32_t block[3], int width, float margin,
                         sampler_near *near)
{
    const sampler_group *group = &s->group[g];
    const int32_t wide = 1 << g, ring = 1 + (int32_t)ceilf(margin / (float)(LEVEL_BLOCK << g));
    int32_t low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (int axis = 0; axis < (s->layers == 1 ? 2 : 3); axis++) {
        low[axis] = (block[axis] >> g) - ring;
        high[axis] = ((block[axis] + width - 1) >> g) + ring;
    }
    for (int32_t c = low[2]; c <= high[2]; c++)
        for (int32_t b = low[1]; b <= high[1]; b++)
            for (int32_t a = low[0]; a <= high[0]; a++) {
                const uint32_t h = block_map_find(&group->home, a, b, c);
                if (h == BLOCK_NONE) continue;
                const float shift[3] = {(float)(LEVEL_BLOCK * (wide * a - block[0])),
                                        (float)(LEVEL_BLOCK * (wide * b - block[1])),
                                        (float)(LEVEL_BLOCK * (wide * c - block[2]))};
                gather_home(s, group, h, shift, (float)(LEVEL_BLOCK * width), margin, near);
            }
}

static void gather_cube(const sampler *s, const int32_t block[3], int width, float margin, sampler_near *near)
{
    near->count = 0;
    for (int g = 0; g < s->groups; g++)
        if (s->group[g].home.count) gather_group(s, g, block, width, margin, near);
    for (size_t i = near->count; i < padded(near->count); i++) {
        near->x[i] = near->y[i] = near->z[i] = 1e9f;
        near->reach[i] = 1;
        near->place[i] = 0;
        for (int v = 0; v < s->values; v++) near->value[v][i] = 0;
    }
}

void sampler_gather(const sampler *s, const int32_t block[3], sampler_near *near)
{
    gather_cube(s, block, 1, 0, near);
}

size_t sampler_homes(const sampler *s)
{
    size_t count = 0;
    for (int g = 0; g < s->groups; g++) count += s->group[g].home.count;
    return count;
}

typedef struct {
    const sampler *s;
    sampler_body *body;
    void *arg;
    sampler_near near[PARALLEL_MAX_THREADS];
} each_arg;

static void each_home(void *arg, size_t begin, size_t end, int worker)
{
    each_arg *a = arg;
    for (size_t k = begin; k < end; k++) {
        int g = 0;
        size_t h = k;
        for (; h >= a->s->group[g].home.count; g++) h -= a->s->group[g].home.count;
        const uint32_t *first = a->s->group[g].first + h;
        sampler_work work = {a->s, g, (uint32_t)h, first[0], first[1], worker, k, &a->near[worker]};
        a->body(a->arg, &work);
    }
}

void sampler_work_gather_wide(sampler_work *work, float margin)
{
    const int32_t *home = work->s->group[work->group].home.block[work->home];
    const int wide = 1 << work->group;
    const int32_t block[3] = {home[0] * wide, home[1] * wide, home[2] * wide};
    gather_cube(work->s, block, wide, margin, work->near);
}

void sampler_work_gather(sampler_work *work)
{
    sampler_work_gather_wide(work, 0);
}

bool sampler_work_any(const sampler_work *work, const uint8_t *mark)
{
    const sampler *s = work->s;
    const int32_t *home = s->group[work->group].home.block[work->home];
    size_t before = 0;
    for (int g = 0; g < s->groups; before += s->group[g++].home.count) {
        int32_t low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
        for (int axis = 0; axis < (s->layers == 1 ? 2 : 3); axis++) {
            const int32_t at = home[axis] * (1 << work->group);
            low[axis] = (at >> g) - 1;
            high[axis] = ((at + (1 << work->group) - 1) >> g) + 1;
        }
        for (int32_t c = low[2]; c <= high[2]; c++)
            for (int32_t b = low[1]; b <= high[1]; b++)
                for (int32_t a = low[0]; a <= high[0]; a++) {
                    const uint32_t h = block_map_find(&s->group[g].home, a, b, c);
                    if (h != BLOCK_NONE && mark[before + h]) return true;
                }
    }
    return false;
}

rill_status sampler_each(rill_ctx *ctx, const sampler *s, sampler_body *body, void *arg)
{
    each_arg a = {.s = s, .body = body, .arg = arg};
    rill_status st = RILL_OK;
    for (int w = 0; w < parallel_workers(ctx) && !st; w++) st = sampler_near_init(ctx, s, &a.near[w]);
    if (!st) parallel_for(ctx, sampler_homes(s), 16, each_home, &a);
    for (int w = 0; w < parallel_workers(ctx); w++) sampler_near_clear(ctx, &a.near[w]);
    return st;
}
