// The module of src/vdb/vdb_module.h. OpenVDB reports by exceptions and writes to C++ streams: both end here. Files
// are made in memory and handed out as bytes, because a stream would not say that a disk is full.
#include "vdb_module.h"

#include <openvdb/io/Archive.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/SignedFloodFill.h>

#include <cstdio>
#include <mutex>
#include <sstream>

namespace
{

// The archive itself, whose way to write to a stream that can be searched is not public.
class archive : public openvdb::io::Archive
{
  public:
    void write_to(std::ostream &os, const openvdb::GridCPtrVec &grids, const openvdb::MetaMap &meta) const
    {
        openvdb::io::Archive::write(os, grids, /*seekable=*/true, meta);
    }
};

openvdb::math::Transform::Ptr transform_of(const rill_vdb_grid &g)
{
    auto t = openvdb::math::Transform::createLinearTransform(g.cell);
    t->postTranslate(openvdb::Vec3d(g.origin[0], g.origin[1], g.origin[2]));
    return t;
}

float scalar_at(const float *v, float *)
{
    return v[0];
}
openvdb::Vec3s scalar_at(const float *v, openvdb::Vec3s *)
{
    return openvdb::Vec3s(v[0], v[1], v[2]);
}

bool inside_band(float v, float band)
{
    return v > -band && v < band;
}
bool inside_band(const openvdb::Vec3s &, const openvdb::Vec3s &)
{
    return true;
} // vectors have none

// Blocks are leaves of the tree: both are 8 samples wide, and leaves have z fastest.
template <typename Grid> typename Grid::Ptr make(const rill_vdb_grid &g)
{
    using Value = typename Grid::ValueType;
    using Leaf = typename Grid::TreeType::LeafNodeType;
    static_assert(Leaf::DIM == 8, "a leaf is a block");
    const Value background(g.background);
    auto grid = Grid::create(background);
    for (size_t b = 0; b < g.blocks; b++) {
        const openvdb::Coord at(8 * g.block[b][0], 8 * g.block[b][1], 8 * g.block[b][2]);
        auto *leaf = new Leaf(at, background, false);
        bool any = false;
        for (int s = 0; s < 512; s++) {
            const Value v = scalar_at(g.value + (512 * b + s) * g.width, static_cast<Value *>(nullptr));
            const auto offset = Leaf::coordToOffset(openvdb::Coord(s % 8, s / 8 % 8, s / 64));
            const bool on = g.level_set ? inside_band(v, background) : v != background;
            any = any || on || g.level_set;
            if (on)
                leaf->setValueOn(offset, v);
            else
                leaf->setValueOff(offset, v);
        }
        if (any)
            grid->tree().addLeaf(leaf);
        else
            delete leaf;
    }
    return grid;
}

openvdb::GridBase::Ptr grid_of(const rill_vdb_grid &g)
{
    openvdb::GridBase::Ptr grid;
    if (g.width == 3) {
        auto vectors = make<openvdb::Vec3SGrid>(g);
        vectors->setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);
        grid = vectors;
    } else {
        auto scalars = make<openvdb::FloatGrid>(g);
        scalars->setGridClass(g.level_set ? openvdb::GRID_LEVEL_SET : openvdb::GRID_FOG_VOLUME);
        if (g.level_set) openvdb::tools::signedFloodFill(scalars->tree(), false);
        grid = scalars;
    }
    grid->setName(g.name);
    grid->setTransform(transform_of(g));
    return grid;
}

int write(const rill_vdb_grid *grid, int count, double time, rill_vdb_sink *sink, void *user, char *message,
          size_t room)
{
    try {
        openvdb::GridCPtrVec grids;
        for (int k = 0; k < count; k++) grids.push_back(grid_of(grid[k]));
        openvdb::MetaMap meta;
        meta.insertMeta("creator", openvdb::StringMetadata("rill"));
        meta.insertMeta("time", openvdb::DoubleMetadata(time));
        std::ostringstream bytes(std::ios_base::binary);
        archive().write_to(bytes, grids, meta);
        if (!bytes) throw std::runtime_error("the file does not fit into memory");
        const std::string all = bytes.str();
        return sink(user, all.data(), all.size());
    } catch (const std::exception &e) {
        std::snprintf(message, room, "%s", e.what());
    } catch (...) {
        std::snprintf(message, room, "an unknown failure");
    }
    return 1;
}

} // namespace

const rill_vdb_module *rill_vdb(void)
{
    static std::once_flag once;
    static char library[64];
    static const rill_vdb_module module = {RILL_VDB_INTERFACE, library, write};
    try {
        std::call_once(once, [] {
            openvdb::initialize();
            std::snprintf(library, sizeof library, "OpenVDB %s", openvdb::getLibraryVersionString());
        });
    } catch (...) {
        return nullptr;
    }
    return &module;
}
