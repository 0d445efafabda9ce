/* Where rigid pieces touch: the places at which their surfaces are near, with normals.
 *
 * A piece is a shape in its place: a body, or an obstacle that no force moves. Pairs whose boxes are near
 * are found by sorting along x. Each piece of a pair is sampled (body_samples.h) and its samples are asked
 * for their distance from the other, both ways round; of what is near at most CONTACTS_A_PAIR are kept:
 * the deepest, and those that span the largest area. Contacts come in the order of the pieces, so that
 * results do not depend on anything else. */
#pragma once

#include "bodies/body_samples.h"
#include "bodies/pose.h"

enum { CONTACT_FIXED = UINT32_MAX, CONTACTS_A_PAIR = 6 };

typedef struct body_piece {
    const shape *shape; /* borrowed, in its own coordinates */
    struct solid_pose pose;
    rill_box bounds;                  /* world */
    rill_vec3 velocity, spin, center; /* x of it moves at velocity + spin x (x - center) */
    uint32_t body;                    /* CONTACT_FIXED: an obstacle */
    contact_samples samples;          /* owned by the creator of the piece */
    double friction, restitution;
    double thickness; /* m: the smallest extent; INFINITY: a half space */
    double reach;     /* m: farthest point from the centre */
} body_piece;

typedef struct body_contact {
    uint32_t a, b;       /* pieces; a is a body's */
    uint32_t key;        /* of the sample, the same from step to step */
    rill_vec3 x, normal; /* world; the normal points from b to a */
    double gap;          /* m; negative where they overlap */
    double friction, restitution;
    double impulse[3]; /* N s: along the normal and two tangents, as solved last */
} body_contact;

typedef struct contact_list {
    body_contact *contact; /* owned */
    uint32_t count;
    size_t capacity;
    uint32_t *order; /* owned: scratch of the search */
    size_t order_capacity;
    double nearest; /* smallest gap between any two pieces within the margin; INFINITY: none */
} contact_list;

rill_vec3 piece_velocity(const body_piece *p, rill_vec3 x);
/* Boxes, thickness and reach from shape and pose; after every change of the pose. */
void piece_measure(body_piece *p, int dimensions);

/* Every contact with a gap below the margin. Impulses of `list` as it is are carried over to contacts that
 * are found again. */
RILL_CHECKED rill_status body_contacts_find(rill_ctx *ctx, const body_piece *piece, uint32_t count,
                                            int dimensions, double margin, contact_list *list);

/* How long the pieces can go on before two that are apart may meet: no longer than dt. Motion by less
 * than a quarter of the thinner one's thickness is not checked. */
RILL_CHECKED rill_status body_contacts_safe_time(rill_ctx *ctx, const body_piece *piece, uint32_t count,
                                                 int dimensions, double touching, double dt,
                                                 contact_list *scratch, double *out);
void body_contacts_clear(rill_ctx *ctx, contact_list *list);
