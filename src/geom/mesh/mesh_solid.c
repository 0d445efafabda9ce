#include "geom/mesh/mesh_solid.h"

#include <stdio.h>

void trimesh_flip(trimesh *mesh)
{
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t kept = mesh->triangle[i][1];
        mesh->triangle[i][1] = mesh->triangle[i][2];
        mesh->triangle[i][2] = kept;
    }
    for (size_t i = 0; mesh->normal && i < mesh->vertex_count; i++)
        for (int k = 0; k < 3; k++) mesh->normal[i][k] = -mesh->normal[i][k];
}

static void print_fault(char *text, size_t size, size_t count, const char *one, const char *many, rill_vec3 x)
{
    if (count == 1)
        snprintf(text, size, "%s, near (%.4g, %.4g, %.4g)", one, x.x, x.y, x.z);
    else
        snprintf(text, size, many, count, x.x, x.y, x.z);
}

/* Opposite ways come first: of the three faults it is the one that only a shell gets over. */
void trimesh_describe(const trimesh_report *r, char *text, size_t size)
{
    if (r->misoriented_edges)
        print_fault(text, size, r->misoriented_edges, "has an edge whose two triangles face opposite ways",
                    "has %zu edges whose two triangles face opposite ways, the first near (%.4g, %.4g, %.4g)",
                    r->first_misoriented);
    else if (r->open_edges)
        print_fault(text, size, r->open_edges, "is open at one edge",
                    "is open at %zu edges, the first near (%.4g, %.4g, %.4g)", r->first_open);
    else if (r->nonmanifold_edges)
        print_fault(text, size, r->nonmanifold_edges, "has an edge with more than two triangles",
                    "has %zu edges with more than two triangles, the first near (%.4g, %.4g, %.4g)",
                    r->first_nonmanifold);
    else
        snprintf(text, size, "is closed");
}

static rill_status refuse(rill_ctx *ctx, const char *name, const trimesh_report *r)
{
    char fault[256];
    trimesh_describe(r, fault, sizeof fault);
    const char *remedy =
        r->misoriented_edges ? "turn the triangles the same way, or make it a shell with \"shell\": THICKNESS"
        : r->open_edges      ? "make it a wall with \"shell\": THICKNESS, close it, or accept small "
                               "holes with \"holes\": true"
                             : "part it there, or accept it with \"holes\": true";
    return rill_fail(ctx, RILL_BAD_FILE, "%s %s; %s", name, fault, remedy);
}

rill_status mesh_check_solid(rill_ctx *ctx, const char *name, trimesh *mesh, bool holes_allowed,
                             double shell_thickness)
{
    trimesh_report r;
    if (mesh->triangle_count == 0) return rill_fail(ctx, RILL_BAD_FILE, "%s has no triangles", name);
    TRY(trimesh_check(ctx, mesh, &r));
    if (shell_thickness > 0) return RILL_OK;
    if (r.misoriented_edges || (!holes_allowed && (r.open_edges || r.nonmanifold_edges)))
        return refuse(ctx, name, &r);
    if (!(fabs(r.volume) > 1e-9 * r.area * sqrt(r.area))) /* rounding: a flat one need not give 0 */
        return rill_fail(ctx, RILL_BAD_FILE,
                         "%s encloses nothing (volume %.3g m3, area %.3g m2); "
                         "make it a shell with \"shell\": THICKNESS",
                         name, r.volume, r.area);
    if (r.volume < 0) {
        rill_log(ctx, RILL_LOG_WARNING, "%s is inside out (volume %.4g m3); its triangles are turned over",
                 name, r.volume);
        trimesh_flip(mesh);
    }
    return RILL_OK;
}
