#include <fmt/format.h>

#include <cstdlib>

#include "dashpot/mesh/msh_format.hpp"

namespace dashpot {
namespace {

std::size_t claimed_sizes(MshCursor& cursor, std::size_t least_bytes, std::string_view what) {
  const std::int64_t count = cursor.size();
  return cursor.raw().claimed(count, least_bytes, cursor.remaining(), cursor.place(), what);
}

/// Points: tag, position, physical tags. Curves, surfaces, volumes: tag, bounding box, physical tags, bounding
/// entities.
void read_entities(MshCursor& cursor, MshEntities& entities) {
  std::array<std::int64_t, 4> claims{};
  for (std::int64_t& claim : claims) claim = cursor.size();
  for (std::size_t dimension = 0; dimension < 4; ++dimension) {
    const std::size_t reals = dimension == 0 ? 3 : 6, lists = dimension == 0 ? 1 : 2;
    const std::size_t count = cursor.raw().claimed(claims[dimension], cursor.least_bytes(1, lists, reals),
                                                   cursor.remaining(), cursor.place(), "entities");
    for (std::size_t i = 0; i < count; ++i) {
      const std::int64_t tag = cursor.integer();
      for (std::size_t r = 0; r < reals; ++r) cursor.real();
      std::vector<int> physical;
      const std::size_t num_physical = claimed_sizes(cursor, cursor.least_bytes(1, 0, 0), "physical tags");
      // Every element of the entity joins each of its groups: bound the product.
      if (num_physical > 256)
        cursor.raw().fail(cursor.place(), fmt::format("{} physical tags", num_physical), "at most 256");
      for (std::size_t p = 0; p < num_physical; ++p)
        physical.push_back(static_cast<int>(std::abs(cursor.integer() % 2147483647)));
      if (dimension > 0) {
        const std::size_t num_bounding = claimed_sizes(cursor, cursor.least_bytes(1, 0, 0), "bounding entities");
        for (std::size_t b = 0; b < num_bounding; ++b) cursor.integer();
      }
      entities[{static_cast<std::int64_t>(dimension), tag}] = std::move(physical);
    }
  }
}

void read_nodes_41(MshCursor& cursor, MshBuilder& builder) {
  RawMesh& raw = cursor.raw();
  if (builder.has_nodes()) raw.fail(cursor.place(), "a second $Nodes section", "one");
  const std::size_t num_blocks = claimed_sizes(cursor, cursor.least_bytes(3, 1, 0), "blocks of nodes");
  const std::size_t total = claimed_sizes(cursor, cursor.least_bytes(0, 1, 3), "nodes");
  cursor.size(), cursor.size();  // smallest and largest tag: not needed, not trusted
  std::size_t done = 0;
  std::vector<std::int64_t> tags;
  for (std::size_t b = 0; b < num_blocks; ++b) {
    const std::int64_t dimension = cursor.integer();
    cursor.integer();  // entity tag
    const std::int64_t parametric = cursor.integer();
    if (dimension < 0 || dimension > 3 || (parametric != 0 && parametric != 1))
      raw.fail(cursor.place(), fmt::format("a block of dimension {}, parametric {}", dimension, parametric),
               "0 to 3, and 0 or 1");
    const std::size_t count = claimed_sizes(cursor, cursor.least_bytes(0, 1, 3), "nodes");
    tags.clear();
    for (std::size_t i = 0; i < count; ++i) tags.push_back(cursor.size());
    for (std::size_t i = 0; i < count; ++i) {
      Vec3 x;
      x[0] = cursor.real();
      const RawMesh::Place place = cursor.place();
      x[1] = cursor.real();
      x[2] = cursor.real();
      for (std::int64_t p = 0; p < parametric * dimension; ++p) cursor.real();
      builder.add_node(tags[i], x, place);
    }
    done += count;
  }
  if (done != total)
    raw.problem(cursor.place(), fmt::format("{} nodes in {} blocks", done, num_blocks),
                fmt::format("{} as the header says", total));
  builder.nodes_complete();
}

void read_elements_41(MshCursor& cursor, MshBuilder& builder, const MshEntities& entities) {
  RawMesh& raw = cursor.raw();
  if (!builder.has_nodes()) raw.fail(cursor.place(), "$Elements before $Nodes", "$Nodes first");
  const std::size_t num_blocks = claimed_sizes(cursor, cursor.least_bytes(3, 1, 0), "blocks of elements");
  const std::size_t total = claimed_sizes(cursor, cursor.least_bytes(0, 2, 0), "elements");
  cursor.size(), cursor.size();
  std::size_t done = 0;
  for (std::size_t b = 0; b < num_blocks; ++b) {
    const std::int64_t dimension = cursor.integer(), entity = cursor.integer();
    const MshElementType& type = builder.require_type(cursor.integer(), cursor.place());
    const auto n = static_cast<std::size_t>(type.num_nodes);
    const std::size_t count = claimed_sizes(cursor, cursor.least_bytes(0, 1 + n, 0), "elements");
    const auto found = entities.find({dimension, entity});
    const int list = builder.physical_list(found == entities.end() ? std::vector<int>{} : found->second);
    for (std::size_t i = 0; i < count; ++i) {
      const std::int64_t tag = cursor.size();
      const RawMesh::Place place = cursor.place();
      std::array<std::int64_t, 10> nodes{};
      for (std::size_t a = 0; a < n; ++a) nodes[a] = cursor.size();
      builder.add_element(type, tag, nodes.data(), list, place);
    }
    done += count;
  }
  if (done != total)
    raw.problem(cursor.place(), fmt::format("{} elements in {} blocks", done, num_blocks),
                fmt::format("{} as the header says", total));
}

}  // namespace

void read_msh41_section(std::string_view section, MshCursor& cursor, MshBuilder& builder, MshEntities& entities) {
  if (section == "Entities")
    read_entities(cursor, entities);
  else if (section == "Nodes")
    read_nodes_41(cursor, builder);
  else
    read_elements_41(cursor, builder, entities);
  cursor.expect_end(section);
}

}  // namespace dashpot
