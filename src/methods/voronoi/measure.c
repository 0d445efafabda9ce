/* Areas and centroids of Voronoi faces, and the parts of them that solids leave open: [Brochu10] section 4,
 * figure 3 (d). A face is divided into triangles around its centroid; the part of each that is outside
 * of solids follows from the distances at its corners, taken as linear in it.
 *
 * The rest of a cell's surface is the solid's: what closes the area vectors of its faces. */
#include "base/parallel.h"
#include "voronoi/emit.h"

typedef struct {
    brochu *s;
    brochu_diagram *d;
    double t;
    double *room; /* [real] distance from solids; NULL: none */
} job;

static const double FLUSH = 0.05; /* spacings: a surface so near to a solid lies against it */

/* Area (along the normal) and first moment about `from` of the polygon's triangles. */
static double whole_area(const brochu_diagram *d, uint32_t f, rill_vec3 from, rill_vec3 *moment)
{
    const uint32_t *ring = d->faces.ring + d->faces.ring_first[f];
    const uint32_t n = d->faces.ring_first[f + 1] - d->faces.ring_first[f];
    double area = 0;
    *moment = v3(0, 0, 0);
    for (uint32_t i = 1; i + 1 < n; i++) {
        const rill_vec3 p = v3_sub(d->centre[ring[i]], from), q = v3_sub(d->centre[ring[i + 1]], from);
        const double a = 0.5 * v3_dot(v3_cross(p, q), d->faces.normal[f]);
        area += a;
        *moment = v3_madd(*moment, a / 3, v3_add(p, q));
    }
    if (area >= 0) return area;
    *moment = v3_neg(*moment);
    return -area;
}

/* Of a triangle with distances at its corners: the area where they are positive, and its first moment. */
static double open_part(const rill_vec3 x[3], const double phi[3], rill_vec3 *moment)
{
    rill_vec3 p[4];
    int n = 0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        if (phi[i] >= 0) p[n++] = x[i];
        if ((phi[i] >= 0) != (phi[j] >= 0)) p[n++] = v3_mix(x[i], x[j], phi[i] / (phi[i] - phi[j]));
    }
    double area = 0;
    *moment = v3(0, 0, 0);
    for (int i = 1; i + 1 < n; i++) {
        const double a = 0.5 * v3_length(v3_cross(v3_sub(p[i], p[0]), v3_sub(p[i + 1], p[0])));
        area += a;
        *moment = v3_madd(*moment, a / 3, v3_add(p[0], v3_add(p[i], p[i + 1])));
    }
    return area;
}

/* The open share of a face, and the centroid of that part. */
static double open_share(const job *j, uint32_t f, double area, rill_vec3 *centroid)
{
    const brochu_diagram *d = j->d;
    const uint32_t *ring = d->faces.ring + d->faces.ring_first[f];
    const uint32_t n = d->faces.ring_first[f + 1] - d->faces.ring_first[f];
    const rill_vec3 middle = *centroid;
    const double at_middle = brochu_room(j->s, middle, j->t, NULL);
    double open = 0, whole = 0, last = brochu_room(j->s, d->centre[ring[n - 1]], j->t, NULL);
    rill_vec3 sum = {0};
    for (uint32_t i = 0; i < n; i++) {
        const rill_vec3 x[3] = {middle, d->centre[ring[(i + n - 1) % n]], d->centre[ring[i]]};
        const double phi[3] = {at_middle, last, brochu_room(j->s, x[2], j->t, NULL)};
        rill_vec3 moment;
        open += open_part(x, phi, &moment);
        whole += 0.5 * v3_length(v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0])));
        sum = v3_add(sum, moment);
        last = phi[2];
    }
    if (!(whole > 0) || !(open > 1e-9 * whole) || !(area > 0)) return 0;
    *centroid = v3_scale(sum, 1 / open);
    return fmin(open / whole, 1);
}

/* Whether a solid may reach the face: its corners are farther from the site than the solid. */
static bool near_solid(const job *j, uint32_t f)
{
    const brochu_diagram *d = j->d;
    const uint32_t site = site_real(d, d->faces.site[f][0]) ? d->faces.site[f][0] : d->faces.site[f][1];
    for (uint32_t k = d->faces.ring_first[f]; k < d->faces.ring_first[f + 1]; k++)
        if (v3_distance(d->centre[d->faces.ring[k]], d->sites.x[site]) > j->room[site]) return true;
    return false;
}

/* A face of a buried site is inside of the solid, or was meant to be. */
static bool beside_buried(const job *j, uint32_t f)
{
    const brochu_diagram *d = j->d;
    for (int k = 0; k < 2; k++) {
        const uint32_t site = d->sites.of[d->faces.site[f][k]];
        if (!site_real(d, site)) continue;
        if (brochu_buried(j->s, j->room[site])) return true;
        if (j->room[site] < 0 && brochu_in_plug(j->s, d->sites.x[site])) return true;
    }
    return false;
}

static bool solid_between(const brochu *s, double t, rill_vec3 from, rill_vec3 to)
{
    for (uint32_t k = 0; k < s->walls.count; k++)
        if (solids_between(&s->walls, k, from, to, t, 1e-3 * s->h)) return true;
    return false;
}

/* Whether the face's sites are on the two sides of a plate, and the plate is between one of them and the
 * open part of the face: nothing passes. At the edge of a plate the open part is beyond the edge, and at
 * the corner of a solid its sides do not face away from each other. */
static bool behind_plate(const job *j, uint32_t f)
{
    const brochu *s = j->s;
    const brochu_diagram *d = j->d;
    const uint32_t a = d->faces.site[f][0], b = d->faces.site[f][1];
    if (!s->walls.count || !site_real(d, a) || !site_real(d, b) || !(j->room[a] > 0) || !(j->room[b] > 0) ||
        j->room[a] + j->room[b] > d->faces.length[f])
        return false;
    solid_contact at_a, at_b;
    (void)solids_distance(&s->walls, d->sites.x[a], j->t, &at_a);
    (void)solids_distance(&s->walls, d->sites.x[b], j->t, &at_b);
    if (!brochu_faces_away(at_a.normal, at_b.normal)) return false;
    const rill_vec3 middle = d->faces.centroid[f];
    return solid_between(s, j->t, d->sites.x[a], middle) || solid_between(s, j->t, d->sites.x[b], middle);
}

/* Whether the line from a liquid site to one in air leaves the liquid where it lies against a solid. The
 * pressure there is the solid's matter, not that of air: liquid level with the edge of a solid would
 * flow for ever. */
static bool leaves_into_solid(const job *j, uint32_t f)
{
    const brochu *s = j->s;
    const brochu_diagram *d = j->d;
    const brochu_surface *u = &s->surface;
    const uint32_t *v = d->faces.site[f];
    if (!site_real(d, v[0]) || !site_real(d, v[1]) || !u->rays) return false;
    const int first = d->sites.liquid[v[0]] ? 0 : 1;
    if (!d->sites.liquid[v[first]] || d->sites.liquid[v[1 - first]]) return false;
    if (j->room[v[first]] > d->faces.length[f]) return false;
    const rill_vec3 from = d->sites.x[v[first]], way = v3_scale(d->faces.normal[f], first ? -1 : 1);
    rays_hit hit;
    if (!rays_intersect(u->rays, from, way, 0, d->faces.length[f], &hit)) return false;
    solid_contact c;
    if (brochu_room(s, v3_madd(from, hit.t, way), j->t, &c) > FLUSH * s->h) return false;
    const uint32_t *t = u->open.triangle[hit.element];
    const rill_vec3 a = u->mesh.position[t[0]],
                    n = v3_cross(v3_sub(u->mesh.position[t[1]], a), v3_sub(u->mesh.position[t[2]], a));
    return v3_dot(v3_unit(n), c.normal) < -0.5;
}

static void face_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    brochu_diagram *d = j->d;
    brochu_faces *f = &d->faces;
    const double h2 = j->s->h * j->s->h;
    for (uint32_t i = (uint32_t)begin; i < end; i++) {
        const uint32_t a = f->site[i][0], b = f->site[i][1];
        const rill_vec3 way = v3_sub(d->sites.x[b], d->sites.x[a]);
        f->length[i] = v3_length(way);
        f->normal[i] = v3_scale(way, 1 / f->length[i]);
        f->speed[i] = f->area[i] = 0;
        f->valid[i] = 0;
        f->centroid[i] = v3_madd(d->sites.x[a], 0.5, way);
        if (!f->closed[i]) continue;
        const rill_vec3 from = d->centre[f->ring[f->ring_first[i]]];
        rill_vec3 moment;
        double area = whole_area(d, i, from, &moment);
        f->centroid[i] = area > 1e-9 * h2 ? v3_madd(from, 1 / area, moment) : from;
        if (j->room && area > 1e-9 * h2 && near_solid(j, i)) area *= open_share(j, i, area, &f->centroid[i]);
        if (j->room && area > 0 && (behind_plate(j, i) || leaves_into_solid(j, i))) area = 0;
        /* Of a face between two sites in a wall half is inside the box. */
        if (site_real(d, a) && site_real(d, b))
            for (int side = 0; side < SIDE_COUNT; side++)
                if ((d->sites.wall[a] & d->sites.wall[b]) >> side & 1) area *= 0.5;
        f->area[i] = j->room && beside_buried(j, i) ? 0 : area;
    }
}

static void room_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    for (size_t i = begin; i < end; i++) j->room[i] = brochu_room(j->s, j->d->sites.x[i], j->t, NULL);
}

/* What closes the cells that solids cut. Sides of the box have no part in it. */
static void solid_block(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const job *j = arg;
    brochu_diagram *d = j->d;
    for (uint32_t i = (uint32_t)begin; i < end; i++) {
        d->solid_area[i] = d->solid_velocity[i] = d->solid_point[i] = v3(0, 0, 0);
        d->solid_body[i] = BODY_NONE;
        bool cut = false;
        rill_vec3 sum = {0};
        for (uint32_t k = d->first[i]; k < d->first[i + 1]; k++) {
            const uint32_t f = d->link[k], *v = d->faces.site[f];
            cut |= near_solid(j, f);
            if (d->sites.wall[i] && !(site_real(d, v[0]) && site_real(d, v[1])))
                continue; /* beyond the wall */
            sum = v3_madd(sum, v[0] == i ? -d->faces.area[f] : d->faces.area[f], d->faces.normal[f]);
        }
        if (!cut || !d->sites.liquid[i]) continue;
        for (int side = 0; side < SIDE_COUNT; side++)
            if (d->sites.wall[i] >> side & 1) v3_set_axis(&sum, side_axis(side), 0);
        if (v3_length(sum) < 1e-6 * j->s->h * j->s->h) continue;
        solid_contact c;
        if (!isfinite(brochu_room(j->s, d->sites.x[i], j->t, &c))) continue;
        d->solid_area[i] = sum;
        d->solid_velocity[i] = c.velocity;
        d->solid_point[i] = v3_madd(d->sites.x[i], -c.distance, c.normal);
        if (j->s->sim.bodies.count && c.solid < j->s->sim.scene->solid_count)
            d->solid_body[i] = j->s->sim.bodies.of_solid[c.solid];
    }
}

rill_status brochu_measure(brochu *s, brochu_diagram *d, double t)
{
    brochu_faces *f = &d->faces;
    job j = {.s = s, .d = d, .t = t};
    TRY(ARENA_NEW(&d->arena, f->normal, f->count));
    TRY(ARENA_NEW(&d->arena, f->centroid, f->count));
    TRY(ARENA_NEW(&d->arena, f->length, f->count));
    TRY(ARENA_NEW(&d->arena, f->area, f->count));
    TRY(ARENA_NEW(&d->arena, f->speed, f->count));
    TRY(ARENA_NEW(&d->arena, f->valid, f->count));
    if (s->cut) {
        TRY(ARENA_NEW(&d->arena, j.room, d->sites.real));
        TRY(ARENA_NEW(&d->arena, d->solid_area, d->sites.real));
        TRY(ARENA_NEW(&d->arena, d->solid_velocity, d->sites.real));
        TRY(ARENA_NEW(&d->arena, d->solid_point, d->sites.real));
        TRY(ARENA_NEW(&d->arena, d->solid_body, d->sites.real));
        parallel_for(s->sim.ctx, d->sites.real, BROCHU_BLOCK, room_block, &j);
    }
    parallel_for(s->sim.ctx, f->count, 1024, face_block, &j);
    if (s->cut) parallel_for(s->sim.ctx, d->sites.real, BROCHU_BLOCK, solid_block, &j);
    return RILL_OK;
}
