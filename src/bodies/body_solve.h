/* What contacts do to motions: impulses by projected Gauss-Seidel, in the order of the contacts.
 *
 * Along the normal a contact pushes and never pulls, until the pieces part with `restitution` times the
 * speed they met at; gaps may close within the step, but not more than that. Across it Coulomb's law:
 * at most friction times the push. Bodies on hinges, pins and slides are pushed in the freedoms they have
 * left, so that they stay on them exactly; limits of hinges and slides are contacts of their own.
 * Impulses of the step before are the first guess: a stack at rest takes a sweep or two.
 * Where bodies move fluid with them, the impulses that are kept for the next step's guess are those that
 * would stop both: with the body's own mass the guess of a body of almost no mass would take thousands of
 * steps. */
#pragma once

#include "bodies/body_contacts.h"
#include "bodies/rigid_body.h"

/* The limits of a hinge (rad, turned since the start) or a slide (m). lower > upper: none. */
typedef struct body_limits {
    double lower, upper, at;
    double impulse; /* of the step before: positive at the lower limit */
} body_limits;

typedef struct impulse_def {
    double dt;             /* s: gaps may close within it */
    double threshold;      /* m/s: slower meetings do not bounce */
    uint32_t sweeps;       /* at most */
    double tolerance;      /* m/s: ends when a sweep changes less */
    const double *heavier; /* per body: how many times heavier what moves with it makes it; NULL: 1 */
    bool leaning;          /* the motions have the impulses of the guess already */
} impulse_def;

typedef struct impulse_report {
    uint32_t sweeps;
    double change; /* m/s, of the last sweep */
} impulse_report;

/* Changes the motions of the bodies; `pieces` gives the body of each contact and the motion of obstacles. */
RILL_CHECKED rill_status body_contacts_solve(rill_ctx *ctx, const body_piece *piece, contact_list *list,
                                             rigid_body *body, body_limits *limits, uint32_t bodies,
                                             const impulse_def *def, impulse_report *report);

/* Moves that take away `share` of what overlaps by more than `allowed`: per body, six numbers to be added to
 * its place and turn. */
RILL_CHECKED rill_status body_contacts_part(rill_ctx *ctx, const body_piece *piece, const contact_list *list,
                                            const rigid_body *body, uint32_t bodies, double allowed,
                                            double share, double (*move)[BODY_FREEDOMS]);

/* Multiplies the impulses that contacts and limits had when they were solved last by `factor`, and changes
 * the motions by them: a guess of what will hold the bodies, for a solve that comes before that of the
 * contacts. A negative factor takes them off the motions again, as they are. */
RILL_CHECKED rill_status body_contacts_lean(rill_ctx *ctx, const body_piece *piece, contact_list *list,
                                            rigid_body *body, body_limits *limits, uint32_t bodies,
                                            double factor);
