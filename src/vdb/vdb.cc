// The module of src/vdb/vdb_module.h. OpenVDB reports by exceptions and writes to C++ streams: both end here.
// Files are made in memory and handed out as bytes, because a stream would not say that a disk is full.
#include "vdb_module.h"

#include <openvdb/io/Archive.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/SignedFloodFill.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <ostream>
#include <streambuf>

namespace
{

// A file in memory: OpenVDB goes back in it to write the lengths of what follows. A stringstream would copy
// all of it once more.
class memory_file : public std::streambuf
{
  public:
    explicit memory_file(size_t expected) { reserve(expected); }
    memory_file(const memory_file &) = delete;
    memory_file &operator=(const memory_file &) = delete;
    ~memory_file() override { std::free(data_); }
    const char *data() const { return data_; }
    size_t size() const { return size_; }

  protected:
    std::streamsize xsputn(const char *from, std::streamsize count) override
    {
        const size_t end = at_ + static_cast<size_t>(count);
        if (end > capacity_) reserve(std::max(end, 2 * capacity_));
        std::memcpy(data_ + at_, from, static_cast<size_t>(count));
        at_ = end;
        size_ = std::max(size_, at_);
        return count;
    }
    int_type overflow(int_type c) override
    {
        const char byte = traits_type::to_char_type(c);
        if (!traits_type::eq_int_type(c, traits_type::eof())) xsputn(&byte, 1);
        return traits_type::not_eof(c);
    }
    pos_type seekoff(off_type by, std::ios_base::seekdir from, std::ios_base::openmode) override
    {
        const size_t base = from == std::ios_base::beg ? 0 : from == std::ios_base::cur ? at_ : size_;
        return seekpos(static_cast<off_type>(base) + by, std::ios_base::out);
    }
    pos_type seekpos(pos_type to, std::ios_base::openmode) override
    {
        const off_type at = to;
        if (at < 0 || static_cast<size_t>(at) > size_) return pos_type(off_type(-1));
        at_ = static_cast<size_t>(at);
        return to;
    }

  private:
    void reserve(size_t bytes)
    {
        char *more = static_cast<char *>(std::realloc(data_, std::max<size_t>(bytes, 4096)));
        if (!more) throw std::bad_alloc();
        data_ = more;
        capacity_ = std::max<size_t>(bytes, 4096);
    }
    char *data_ = nullptr;
    size_t size_ = 0, capacity_ = 0, at_ = 0;
};

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

// Blocks are leaves of the tree: both are 8 samples wide. Leaves have z fastest, blocks x; a word of a leaf's
// mask is a plane across x.
template <typename Grid> typename Grid::Ptr make(const rill_vdb_grid &g)
{
    using Value = typename Grid::ValueType;
    using Leaf = typename Grid::TreeType::LeafNodeType;
    static_assert(Leaf::DIM == 8, "a leaf is a block");
    const Value background(g.background);
    auto grid = Grid::create(background);
    auto accessor = grid->getAccessor();
    for (size_t b = 0; b < g.blocks; b++) {
        const openvdb::Coord at(8 * g.block[b][0], 8 * g.block[b][1], 8 * g.block[b][2]);
        auto leaf = std::make_unique<Leaf>(at, background, false);
        Value *to = leaf->buffer().data();
        const float *from = g.value + 512 * b * g.width;
        typename Leaf::NodeMaskType mask;
        bool any = g.level_set;
        for (unsigned x = 0; x < 8; x++) {
            uint64_t word = 0;
            for (unsigned y = 0; y < 8; y++)
                for (unsigned z = 0; z < 8; z++) {
                    const Value v =
                        scalar_at(from + (64 * z + 8 * y + x) * g.width, static_cast<Value *>(nullptr));
                    const bool on = g.level_set ? inside_band(v, background) : v != background;
                    to[64 * x + 8 * y + z] = v;
                    word |= static_cast<uint64_t>(on) << (8 * y + z);
                }
            mask.template getWord<uint64_t>(x) = word;
            any = any || word;
        }
        leaf->setValueMask(mask);
        if (any) accessor.addLeaf(leaf.release());
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
        size_t expected = 1 << 20;
        for (int k = 0; k < count; k++) expected += grid[k].blocks * 512 * sizeof(float) * grid[k].width;
        memory_file file(expected);
        std::ostream bytes(&file);
        bytes.exceptions(std::ios_base::badbit | std::ios_base::failbit);
        archive().write_to(bytes, grids, meta);
        return sink(user, file.data(), file.size());
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
