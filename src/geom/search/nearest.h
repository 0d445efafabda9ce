/* The nearest points of many places at once.
 *
 * Bins are searched in rings around the place until the farthest of the found is nearer than
 * anything outside. Found points come nearest first, of equal ones the smaller id; results
 * do not depend on threads. With labels only points of the place's own label count: [Sin09]
 * 3.4 takes neighbours from the same connected component alone. */
#pragma once

#include "geom/search/bins.h"

enum { NEAREST_MOST = 256 }; /* neighbours of one place */

typedef struct nearest_query {
    const bins *points;
    const rill_vec3 *x; /* places, finite */
    size_t count;
    uint32_t k;               /* 1 .. NEAREST_MOST */
    double within;            /* points at this distance or beyond do not count; INFINITY for all */
    const uint32_t *label;    /* per point, NULL: none */
    const uint32_t *label_of; /* per place, when there are labels */
} nearest_query;

/* Per place: ids in out[i * k ...], how many in found[i] (NULL: not wanted), the rest
 * UINT32_MAX; squared distances in d2 alike (NULL: not wanted), the rest INFINITY. RILL_USAGE
 * for k out of range, RILL_BLEW_UP with its index for a place that is not finite; nothing is
 * written then. */
RILL_CHECKED rill_status nearest_find(rill_ctx *ctx, const nearest_query *q, uint32_t *out, uint32_t *found,
                                      double *d2);
