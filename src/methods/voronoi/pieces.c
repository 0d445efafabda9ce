/* The part of a cell's surface that is a body's, as one or two plane faces.
 *
 * What closes the open faces of a cell has the area vector A = -sum A_f and the first moments
 *     M = V I - sum c_f A_f^T        (row: place, column: direction; c_f from the site)
 * because the integral of x n^T over the whole surface of the liquid in the cell is its volume V times the
 * identity. Contracted with a unit normal that only one plane piece has, M gives that piece's centroid. At an
 * edge of a body, pieces are two, at right angles: forces on a raft come from its bottom, and a single
 * face there would have its pressure at the height of its side. */
#include "voronoi/pieces.h"

static const double SMALL = 0.02; /* of the area: no piece of its own */

/* Sum over the cell's open faces of c (A . n), both from the cell outward; along t: of (c . t)(A . t). */
static rill_vec3 moment(const brochu_diagram *d, uint32_t i, rill_vec3 n)
{
    const brochu_faces *f = &d->faces;
    rill_vec3 sum = {0};
    for (uint32_t k = d->first[i]; k < d->first[i + 1]; k++) {
        const uint32_t e = d->link[k];
        const double through = (f->site[e][0] == i ? 1 : -1) * f->area[e] * v3_dot(f->normal[e], n);
        sum = v3_madd(sum, through, v3_sub(f->centroid[e], d->sites.x[i]));
    }
    return sum;
}

static brochu_piece piece(const brochu_diagram *d, uint32_t i, rill_vec3 area, double volume)
{
    const double size = v3_length(area), most = 2 * d->sites.reach[i];
    const rill_vec3 n = v3_scale(area, 1 / size);
    rill_vec3 c = v3_scale(v3_sub(v3_scale(n, volume), moment(d, i, n)), 1 / size);
    const double far = v3_length(c);
    if (!(far < most)) c = v3_scale(c, far > 0 ? most / far : 0);
    return (brochu_piece){area, v3_add(d->sites.x[i], c)};
}

int brochu_pieces(const brochu_diagram *d, uint32_t i, brochu_piece out[2])
{
    const rill_vec3 area = d->solid_area[i], to = v3_sub(d->solid_point[i], d->sites.x[i]);
    const double size = v3_length(area);
    if (d->sites.wall[i]) { /* half of the cell is beyond the wall */
        out[0] = (brochu_piece){area, d->solid_point[i]};
        return 1;
    }
    const rill_vec3 first = v3_unit(to), one = v3_scale(first, v3_dot(area, first)), two = v3_sub(area, one);
    if (v3_length(one) < SMALL * size || v3_length(two) < SMALL * size) {
        const rill_vec3 n = v3_scale(area, 1 / size);
        rill_vec3 u, v; /* a plane has no area along itself: the volume follows */
        span_plane(n, 3, &u, &v);
        out[0] = piece(d, i, area, 0.5 * (v3_dot(moment(d, i, u), u) + v3_dot(moment(d, i, v), v)));
        return 1;
    }
    const rill_vec3 along = v3_cross(first, v3_unit(two));
    const double volume = v3_dot(moment(d, i, along), along);
    out[0] = piece(d, i, one, volume);
    out[1] = piece(d, i, two, volume);
    return 2;
}
