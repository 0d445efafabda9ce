/* VTK's XML files, for ParaView and VisIt: .vtp with particles or a surface, and the .pvd that
 * lists them by time. Data are appended raw, little endian. */
#pragma once

#include "flow/particles.h"
#include "geom/mesh/trimesh.h"

RILL_CHECKED rill_status vtk_write_particles(rill_ctx *ctx, const char *path, const particles *p,
                                             double time);
RILL_CHECKED rill_status vtk_write_mesh(rill_ctx *ctx, const char *path, const trimesh *m, double time);

/* The index of frames 0 .. count - 1: name is a format with one %u, "surface_%04u.vtp"; time[k] of each;
 * frame[k] its number. */
RILL_CHECKED rill_status vtk_write_index(rill_ctx *ctx, const char *path, const char *name, uint32_t count,
                                         const uint32_t *frame, const double *time);
