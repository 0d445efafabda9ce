#include "geom/mesh/rays.h"

#include "geom/mesh/triangle.h"

#if RILL_EMBREE == 4
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif
#include <stdio.h>
#include <string.h>

enum { MESH = 0, SPHERES = 1, RESERVE = 40 << 20 };

struct rays {
    RTCDevice device;
    RTCScene scene;
    rill_vec3 origin;
    const trimesh *mesh;  /* borrowed */
    const rill_vec3 *end; /* borrowed; where its vertices are at share 1; NULL: it stands still */
    double extent;        /* largest coordinate of the mesh relative to the origin */
    float *vertex;        /* three a vertex; those at the end after them */
    float (*ball)[4];     /* around each triangle: centre and radius; NULL: no closest points */
    float *sphere;        /* four a sphere: centre, radius */
    size_t limit;
    bool quick;
    atomic_size_t held;  /* bytes of Embree's own */
    enum RTCError error; /* the first */
    char message[160];
};

static void on_error(void *user, enum RTCError error, const char *message)
{
    rays *e = user;
    if (e->error != RTC_ERROR_NONE) return;
    e->error = error;
    snprintf(e->message, sizeof e->message, "%s", message ? message : "");
}

/* Embree's memory monitor: called before each allocation and after each release. */
static bool on_memory(void *user, ssize_t bytes, bool post)
{
    rays *e = user;
    (void)post;
    if (bytes < 0) {
        atomic_fetch_sub(&e->held, (size_t)-bytes);
        return true;
    }
    const size_t held = atomic_fetch_add(&e->held, (size_t)bytes) + (size_t)bytes;
    return e->limit == 0 || held <= e->limit;
}

static rill_status failed(rill_ctx *ctx, enum RTCError error, const char *message)
{
    if (error == RTC_ERROR_OUT_OF_MEMORY)
        return rill_fail(ctx, RILL_NO_MEMORY,
                         "out of memory for the tree of a mesh; close other programs or use a coarser mesh");
    if (error == RTC_ERROR_UNSUPPORTED_CPU)
        return rill_fail(ctx, RILL_USAGE,
                         "Embree does not run on this processor (%s); leave out images and meshes", message);
    return rill_fail(ctx, RILL_USAGE, "Embree failed with error %d: %s", (int)error, message);
}

static rill_status check(rill_ctx *ctx, rays *e)
{
    const enum RTCError pending = rtcGetDeviceError(e->device);
    if (e->error == RTC_ERROR_NONE) e->error = pending;
    return e->error == RTC_ERROR_NONE ? RILL_OK : failed(ctx, e->error, e->message);
}

static rill_status check_mesh(rill_ctx *ctx, const trimesh *m)
{
    if (m->vertex_count > UINT32_MAX || m->triangle_count > UINT32_MAX)
        return rill_fail(ctx, RILL_USAGE, "a mesh of %zu triangles is too large; at most 2^32 are possible",
                         m->triangle_count);
    for (size_t i = 0; i < m->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            if (m->triangle[i][k] >= m->vertex_count)
                return rill_fail(ctx, RILL_BAD_FILE, "mesh: triangle %zu names vertex %u, there are %zu", i,
                                 m->triangle[i][k], m->vertex_count);
    return RILL_OK;
}

static RTCGeometry new_geometry(rays *e, enum RTCGeometryType type)
{
    RTCGeometry g = rtcNewGeometry(e->device, type);
    if (g) rtcSetGeometryBuildQuality(g, e->quick ? RTC_BUILD_QUALITY_LOW : RTC_BUILD_QUALITY_MEDIUM);
    return g;
}

static void attach(rays *e, RTCGeometry g, unsigned id)
{
    rtcCommitGeometry(g);
    rtcAttachGeometryByID(e->scene, g, id);
    rtcReleaseGeometry(g); /* the scene holds it now */
}

/* Embree reads 16 bytes at the last vertex. */
enum { SPARE = 4 };

static void put_vertices(rays *e, const rill_vec3 *position, size_t count, float *out)
{
    for (size_t i = 0; i < count; i++) {
        const rill_vec3 p = v3_sub(position[i], e->origin);
        const double largest = fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z)));
        if (largest > e->extent && isfinite(largest)) e->extent = largest;
        out[3 * i] = (float)p.x, out[3 * i + 1] = (float)p.y, out[3 * i + 2] = (float)p.z;
    }
}

static rill_status add_mesh(rill_ctx *ctx, rays *e, const trimesh *m, const rill_vec3 *end)
{
    TRY(check_mesh(ctx, m));
    const size_t floats = 3 * m->vertex_count + SPARE;
    TRY(MEM_NEW(ctx, e->vertex, (end ? 2 : 1) * floats));
    put_vertices(e, m->position, m->vertex_count, e->vertex);
    if (end) put_vertices(e, end, m->vertex_count, e->vertex + floats);
    RTCGeometry g = new_geometry(e, RTC_GEOMETRY_TYPE_TRIANGLE);
    if (!g) return check(ctx, e);
    if (end) rtcSetGeometryTimeStepCount(g, 2);
    for (unsigned k = 0; k < (end ? 2u : 1u); k++)
        rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, k, RTC_FORMAT_FLOAT3, e->vertex + k * floats, 0,
                                   12, m->vertex_count);
    rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, m->triangle, 0, 12,
                               m->triangle_count);
    attach(e, g, MESH);
    e->mesh = m;
    e->end = end;
    return check(ctx, e);
}

static rill_status add_spheres(rill_ctx *ctx, rays *e, const rays_def *def)
{
    if (def->count > UINT32_MAX)
        return rill_fail(ctx, RILL_USAGE, "%zu particles are too many for a picture", def->count);
    TRY(MEM_NEW(ctx, e->sphere, 4 * def->count));
    for (size_t i = 0; i < def->count; i++) {
        const rill_vec3 p = v3_sub(def->position[i], e->origin);
        float *s = &e->sphere[4 * i];
        s[0] = (float)p.x, s[1] = (float)p.y, s[2] = (float)p.z,
        s[3] = def->diameter ? def->diameter[i] / 2 : (float)def->radius;
    }
    RTCGeometry g = new_geometry(e, RTC_GEOMETRY_TYPE_SPHERE_POINT);
    if (!g) return check(ctx, e);
    rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, e->sphere, 0, 16, def->count);
    attach(e, g, SPHERES);
    return check(ctx, e);
}

/* Balls around the triangles and their motion, so that most of those that Embree offers
 * are known to be too far without looking at their corners. */
static rill_status make_balls(rill_ctx *ctx, rays *e)
{
    const trimesh *m = e->mesh;
    const int points = e->end ? 6 : 3;
    TRY(MEM_NEW(ctx, e->ball, m->triangle_count));
    for (size_t i = 0; i < m->triangle_count; i++) {
        rill_vec3 p[6], low = v3(INFINITY, INFINITY, INFINITY), high = v3_neg(low);
        for (int k = 0; k < points; k++) {
            const uint32_t corner = m->triangle[i][k % 3];
            p[k] = v3_sub(k < 3 ? m->position[corner] : e->end[corner], e->origin);
            low = v3_min(low, p[k]), high = v3_max(high, p[k]);
        }
        const rill_vec3 c = v3_scale(v3_add(low, high), 0.5);
        e->ball[i][0] = (float)c.x, e->ball[i][1] = (float)c.y, e->ball[i][2] = (float)c.z;
        double radius = 0;
        for (int k = 0; k < points; k++) radius = fmax(radius, v3_distance(c, p[k]));
        e->ball[i][3] = (float)radius;
    }
    return RILL_OK;
}

/* The first build on a thread makes TBB allocate its state for it. When that fails, TBB
 * ends the process or waits for ever as the scene is released. So it happens here, for
 * one triangle, right after a check that enough memory is free (address space that
 * is never touched). */
static rill_status warm_up(rill_ctx *ctx, rays *e)
{
    void *reserve = mem_alloc(ctx, RESERVE, 1);
    if (!reserve) return mem_failed(ctx, RESERVE, 1);
    mem_free(ctx, reserve);

    static const float vertex[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint32_t corner[3] = {0, 1, 2};
    RTCScene scene = rtcNewScene(e->device);
    RTCGeometry g = scene ? rtcNewGeometry(e->device, RTC_GEOMETRY_TYPE_TRIANGLE) : NULL;
    if (g) {
        rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, vertex, 0, 12, 3);
        rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, corner, 0, 12, 1);
        rtcCommitGeometry(g);
        rtcAttachGeometryByID(scene, g, MESH);
        rtcReleaseGeometry(g);
        rtcCommitScene(scene);
    }
    if (scene) rtcReleaseScene(scene);
    return check(ctx, e);
}

static rill_status build(rill_ctx *ctx, const rays_def *def, rays *e)
{
    e->device = rtcNewDevice("threads=1,user_threads=1");
    if (!e->device) return failed(ctx, rtcGetDeviceError(NULL), "no device");
    rtcSetDeviceErrorFunction(e->device, on_error, e);
    rtcSetDeviceMemoryMonitorFunction(e->device, on_memory, e);
    TRY(warm_up(ctx, e));
    e->scene = rtcNewScene(e->device);
    TRY(check(ctx, e));
    if (def->mesh && def->mesh->triangle_count > 0) TRY(add_mesh(ctx, e, def->mesh, def->end));
    if (def->closest && e->mesh) TRY(make_balls(ctx, e));
    if (def->count > 0) TRY(add_spheres(ctx, e, def));
    if (def->quick) rtcSetSceneBuildQuality(e->scene, RTC_BUILD_QUALITY_LOW);
    rtcSetSceneFlags(e->scene, RTC_SCENE_FLAG_ROBUST); /* no light through the edges of triangles */
    rtcCommitScene(e->scene);
    return check(ctx, e);
}

rill_status rays_create(rill_ctx *ctx, const rays_def *def, rays **out)
{
    rays *e = NULL;
    rill_status st = MEM_NEW_ZERO(ctx, e, 1);
    if (!st) {
        e->origin = def->origin;
        e->limit = def->limit;
        e->quick = def->quick;
        st = build(ctx, def, e);
    }
    if (st)
        rays_destroy(ctx, e);
    else
        *out = e;
    return st;
}

void rays_destroy(rill_ctx *ctx, rays *e)
{
    if (!e) return;
    if (e->scene) rtcReleaseScene(e->scene);
    if (e->device) rtcReleaseDevice(e->device);
    mem_free(ctx, e->vertex);
    mem_free(ctx, e->ball);
    mem_free(ctx, e->sphere);
    mem_free(ctx, e);
}

static struct RTCRay make_ray(const rays *e, double share, rill_vec3 origin, rill_vec3 d, double from,
                              double to)
{
    const rill_vec3 o = v3_sub(origin, e->origin);
    struct RTCRay ray = {0};
    ray.org_x = (float)o.x, ray.org_y = (float)o.y, ray.org_z = (float)o.z;
    ray.dir_x = (float)d.x, ray.dir_y = (float)d.y, ray.dir_z = (float)d.z;
    ray.tnear = (float)from, ray.tfar = (float)to;
    ray.time = (float)share;
    ray.mask = 0xffffffffu;
    return ray;
}

bool rays_intersect(const rays *e, rill_vec3 origin, rill_vec3 direction, double from, double to,
                    rays_hit *hit)
{
    return rays_intersect_at(e, 0, origin, direction, from, to, hit);
}

/* Version 4 of Embree has arguments that may be left out in place of a context. */
static void intersect(const rays *e, struct RTCRayHit *r)
{
#if RILL_EMBREE == 4
    rtcIntersect1(e->scene, r, NULL);
#else
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(e->scene, &context, r);
#endif
}

static void occlude(const rays *e, struct RTCRay *r)
{
#if RILL_EMBREE == 4
    rtcOccluded1(e->scene, r, NULL);
#else
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1(e->scene, &context, r);
#endif
}

bool rays_intersect_at(const rays *e, double share, rill_vec3 origin, rill_vec3 direction, double from,
                       double to, rays_hit *hit)
{
    struct RTCRayHit r = {0};
    r.ray = make_ray(e, share, origin, direction, from, to);
    r.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    intersect(e, &r);
    if (r.hit.geomID == RTC_INVALID_GEOMETRY_ID) return false;
    hit->t = r.ray.tfar;
    hit->normal = v3_unit(v3(r.hit.Ng_x, r.hit.Ng_y, r.hit.Ng_z));
    hit->u = r.hit.u, hit->v = r.hit.v;
    hit->element = r.hit.primID;
    hit->sphere = r.hit.geomID == SPHERES;
    return true;
}

bool rays_occluded(const rays *e, rill_vec3 origin, rill_vec3 direction, double from, double to)
{
    struct RTCRay ray = make_ray(e, 0, origin, direction, from, to);
    occlude(e, &ray);
    return ray.tfar < 0; /* minus infinity when blocked */
}

/* --- closest points --- */

/* Embree prunes in single precision. What it may get wrong, roundings of the point, the
 * vertices and its box distances, are a few units in the last place of the largest
 * coordinate (6e-8 of it each): searching this much farther misses no triangle. */
static double slack_at(const rays *r, rill_vec3 local)
{
    return 1e-6 * (fabs(local.x) + fabs(local.y) + fabs(local.z) + r->extent);
}

static rill_vec3 corner_at(const rays *r, uint32_t vertex, double share)
{
    const rill_vec3 p = r->mesh->position[vertex];
    return r->end ? v3_mix(p, r->end[vertex], share) : p;
}

static rays_near near_triangle(const rays *r, uint32_t i, double share, rill_vec3 x)
{
    const uint32_t *c = r->mesh->triangle[i];
    const triangle_near t =
        triangle_closest(x, corner_at(r, c[0], share), corner_at(r, c[1], share), corner_at(r, c[2], share));
    return (rays_near){t.square, {t.weight[0], t.weight[1], t.weight[2]}, i}; /* square for now */
}

typedef struct {
    const rays *rays;
    rill_vec3 x;
    double share, slack;
    rays_near best; /* distance squared */
} search;

/* Whether the ball around a triangle is out of the query's radius, which is larger than
 * what is asked by the slack. */
static bool ball_outside(const rays *r, const struct RTCPointQuery *q, uint32_t i)
{
    const float *b = r->ball[i], dx = b[0] - q->x, dy = b[1] - q->y, dz = b[2] - q->z;
    const float reach = q->radius + b[3];
    return dx * dx + dy * dy + dz * dz > reach * reach;
}

static bool on_closest(struct RTCPointQueryFunctionArguments *args)
{
    search *s = args->userPtr;
    if (args->geomID != MESH || ball_outside(s->rays, args->query, args->primID)) return false;
    const rays_near n = near_triangle(s->rays, args->primID, s->share, s->x);
    if (n.distance > s->best.distance || (n.distance == s->best.distance && n.triangle >= s->best.triangle))
        return false;
    s->best = n;
    const float radius = (float)(sqrt(n.distance) + s->slack);
    if (!(radius < args->query->radius)) return false;
    args->query->radius = radius;
    return true;
}

static struct RTCPointQuery make_query(rill_vec3 local, double share, double radius)
{
    return (struct RTCPointQuery){(float)local.x, (float)local.y, (float)local.z, (float)share,
                                  (float)radius};
}

bool rays_closest(const rays *r, rill_vec3 x, double most, uint32_t hint, rays_near *out)
{
    return rays_closest_at(r, 0, x, most, hint, out);
}

bool rays_closest_at(const rays *r, double share, rill_vec3 x, double most, uint32_t hint, rays_near *out)
{
    if (!r->ball || !v3_finite(x)) return false;
    const rill_vec3 local = v3_sub(x, r->origin);
    search s = {r, x, share, slack_at(r, local), {most * most, {0}, UINT32_MAX}};
    if (hint < r->mesh->triangle_count) {
        const rays_near n = near_triangle(r, hint, share, x);
        if (n.distance <= s.best.distance) s.best = n;
    }
    struct RTCPointQuery query = make_query(local, share, sqrt(s.best.distance) + s.slack);
    struct RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    rtcPointQuery(r->scene, &query, &context, on_closest, &s);
    if (s.best.triangle == UINT32_MAX) return false;
    *out = s.best;
    out->distance = sqrt(s.best.distance);
    return true;
}

typedef struct {
    const rays *rays;
    rill_vec3 x;
    double share, most;
    rays_visit *visit;
    void *user;
} gathering;

static bool on_within(struct RTCPointQueryFunctionArguments *args)
{
    gathering *g = args->userPtr;
    if (args->geomID != MESH || ball_outside(g->rays, args->query, args->primID)) return false;
    rays_near n = near_triangle(g->rays, args->primID, g->share, g->x);
    n.distance = sqrt(n.distance);
    if (n.distance <= g->most) g->visit(g->user, &n);
    return false;
}

void rays_within(const rays *r, rill_vec3 x, double most, rays_visit *visit, void *user)
{
    rays_within_at(r, 0, x, most, visit, user);
}

void rays_within_at(const rays *r, double share, rill_vec3 x, double most, rays_visit *visit, void *user)
{
    if (!r->ball || !v3_finite(x)) return;
    const rill_vec3 local = v3_sub(x, r->origin);
    gathering g = {r, x, share, most, visit, user};
    struct RTCPointQuery query = make_query(local, share, most + slack_at(r, local));
    struct RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    rtcPointQuery(r->scene, &query, &context, on_within, &g);
}
