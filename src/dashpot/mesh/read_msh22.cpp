#include <fmt/format.h>

#include <cstdlib>

#include "dashpot/mesh/msh_format.hpp"

namespace dashpot {
namespace {

void read_nodes_22(MshCursor& cursor, MshBuilder& builder) {
  RawMesh& raw = cursor.raw();
  if (builder.has_nodes()) raw.fail(cursor.place(), "a second $Nodes section", "one");
  const std::int64_t claim = cursor.text_integer();
  const std::size_t count =
      raw.claimed(claim, cursor.least_bytes(1, 0, 3), cursor.remaining(), cursor.place(), "nodes");
  if (cursor.is_binary) cursor.end_line();
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t tag = cursor.integer();
    const RawMesh::Place place = cursor.place();
    Vec3 x;
    for (int c = 0; c < 3; ++c) x[c] = cursor.real();
    builder.add_node(tag, x, place);
  }
  builder.nodes_complete();
}

/// Tags of an element: the first is its physical group (0: none).
int read_tags(MshCursor& cursor, MshBuilder& builder, std::int64_t num_tags) {
  std::vector<int> physical;
  for (std::int64_t t = 0; t < num_tags; ++t) {
    const std::int64_t tag = cursor.integer();
    if (t == 0 && tag != 0) physical.push_back(static_cast<int>(std::abs(tag % 2147483647)));
  }
  return builder.physical_list(physical);
}

void read_element(MshCursor& cursor, MshBuilder& builder, const MshElementType& type, std::int64_t number,
                  std::int64_t num_tags) {
  std::array<std::int64_t, 10> nodes{};
  const int list = read_tags(cursor, builder, num_tags);
  const RawMesh::Place place = cursor.place();
  for (int a = 0; a < type.num_nodes; ++a) nodes[static_cast<std::size_t>(a)] = cursor.integer();
  builder.add_element(type, number, nodes.data(), list, place);
}

std::int64_t read_num_tags(MshCursor& cursor) {
  const std::int64_t num_tags = cursor.integer();
  if (num_tags < 0 || num_tags > 100000)
    cursor.raw().fail(cursor.place(), fmt::format("{} tags", num_tags), "0 to 100000");
  return num_tags;
}

void read_elements_22(MshCursor& cursor, MshBuilder& builder) {
  RawMesh& raw = cursor.raw();
  if (!builder.has_nodes()) raw.fail(cursor.place(), "$Elements before $Nodes", "$Nodes first");
  const std::int64_t claim = cursor.text_integer();
  const std::size_t count =
      raw.claimed(claim, cursor.least_bytes(2, 0, 0), cursor.remaining(), cursor.place(), "elements");
  if (cursor.is_binary) cursor.end_line();
  for (std::size_t done = 0; done < count;) {
    std::int64_t in_block = 1, num_tags = 0;
    std::int64_t number = cursor.is_binary ? 0 : cursor.integer();
    const MshElementType& type = builder.require_type(cursor.integer(), cursor.place());
    if (cursor.is_binary) in_block = cursor.integer();
    num_tags = read_num_tags(cursor);
    if (in_block < 1 || static_cast<std::size_t>(in_block) > count - done)
      raw.fail(cursor.place(), fmt::format("a block of {} elements", in_block), fmt::format("1 to {}", count - done));
    for (std::int64_t i = 0; i < in_block; ++i) {
      if (cursor.is_binary) number = cursor.integer();
      read_element(cursor, builder, type, number, num_tags);
    }
    done += static_cast<std::size_t>(in_block);
  }
}

}  // namespace

void read_msh22_section(std::string_view section, MshCursor& cursor, MshBuilder& builder) {
  section == "Nodes" ? read_nodes_22(cursor, builder) : read_elements_22(cursor, builder);
  cursor.expect_end(section);
}

}  // namespace dashpot
