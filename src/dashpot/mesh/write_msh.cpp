#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>

#include "dashpot/core/types.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/write.hpp"

namespace dashpot {
namespace {

int msh_type(ElementKind kind) {
  static constexpr int types[] = {15, 1, 2, 4, 11};
  return types[static_cast<std::size_t>(kind)];
}

/// Elements of one kind in one region, or the points of a node set: one entity of the file.
struct Entity {
  ElementKind kind = ElementKind::point;
  int tag = 0;  ///< entity tag and physical tag, unique in its dimension
  std::string name;
  std::vector<int> nodes;
};

/// Groups elements by (dimension, region); physical tags count from 1 in each dimension, node sets after the point
/// regions.
std::vector<Entity> entities_of(const Mesh& mesh) {
  std::vector<Entity> entities;
  const int num_regions = std::max<int>(1, static_cast<int>(mesh.regions.size()));
  for (const ElementGroup& group : mesh.groups) {
    const auto n = at(nodes_per_element(group.kind));
    std::vector<Entity> by_region(at(num_regions));
    for (int e = 0; e < group.size(); ++e) {
      std::vector<int>& nodes = by_region[at(group.region_of(e))].nodes;
      nodes.insert(nodes.end(), group.element(e), group.element(e) + n);
    }
    for (int r = 0; r < num_regions; ++r) {
      if (by_region[at(r)].nodes.empty()) continue;
      by_region[at(r)].kind = group.kind;
      by_region[at(r)].tag = r + 1;
      by_region[at(r)].name = mesh.regions.empty() ? "" : mesh.regions[at(r)];
      entities.push_back(std::move(by_region[at(r)]));
    }
  }
  int tag = num_regions;
  for (const auto& [name, set] : mesh.node_sets)
    if (!set.empty()) entities.push_back({ElementKind::point, ++tag, name, set});
  return entities;
}

class MshWriter {
 public:
  MshWriter(const Mesh& mesh, MshDialect dialect)
      : mesh_(mesh),
        is_binary_(dialect == MshDialect::v41_binary || dialect == MshDialect::v22_binary),
        is_41_(dialect == MshDialect::v41_ascii || dialect == MshDialect::v41_binary),
        entities_(entities_of(mesh)) {}

  std::string write() {
    text("$MeshFormat\n{} {} 8\n", is_41_ ? "4.1" : "2.2", is_binary_ ? 1 : 0);
    if (is_binary_) {
      integer(1);
      line_end();
    }
    text("$EndMeshFormat\n");
    write_names();
    if (is_41_) {
      write_entities();
      write_nodes_41();
      write_elements_41();
    } else {
      write_nodes_22();
      write_elements_22();
    }
    return std::move(out_);
  }

 private:
  template <class... Args>
  void text(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }
  template <class T>
  void raw(T value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    out_.append(bytes, sizeof(T));
  }
  void integer(std::int64_t value) { is_binary_ ? raw(static_cast<std::int32_t>(value)) : text("{} ", value); }
  void size(std::size_t value) { is_binary_ ? raw(static_cast<std::uint64_t>(value)) : text("{} ", value); }
  void real(double value) { is_binary_ ? raw(value) : text("{} ", value); }
  void record_end() {
    if (!is_binary_) line_end();
  }
  void line_end() {
    if (!out_.empty() && out_.back() == ' ' && !is_binary_) out_.pop_back();
    out_ += '\n';
  }
  void position(const Vec3& x) {
    for (int c = 0; c < 3; ++c) real(x[c]);
  }
  bool has_physical(const Entity& entity) const { return !entity.name.empty() || mesh_.regions.size() > 1; }

  void write_names() {
    std::vector<std::string> lines;
    for (const Entity& entity : entities_)
      if (!entity.name.empty()) {
        std::string name = entity.name;
        std::replace_if(
            name.begin(), name.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
        lines.push_back(fmt::format("{} {} \"{}\"\n", dimension(entity.kind), entity.tag, name));
      }
    if (lines.empty()) return;
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    text("$PhysicalNames\n{}\n", lines.size());
    for (const std::string& line : lines) out_ += line;
    text("$EndPhysicalNames\n");
  }

  /// tet4 and tet10 of one region are one entity: each (dimension, tag) once.
  std::vector<const Entity*> distinct(int dim) const {
    std::map<int, const Entity*> by_tag;
    for (const Entity& entity : entities_)
      if (dimension(entity.kind) == dim) by_tag.try_emplace(entity.tag, &entity);
    std::vector<const Entity*> found;
    for (const auto& [tag, entity] : by_tag) found.push_back(entity);
    return found;
  }

  void write_entities() {
    text("$Entities\n");
    for (int dim = 0; dim < 4; ++dim) size(distinct(dim).size());
    record_end();
    const BoundingBox box = bounding_box(mesh_.nodes);
    for (int dim = 0; dim < 4; ++dim)
      for (const Entity* entity : distinct(dim)) {
        integer(entity->tag);
        position(dim == 0 ? mesh_.nodes[at(entity->nodes[0])] : box.min);
        if (dim > 0) position(box.max);
        size(has_physical(*entity) ? 1 : 0);
        if (has_physical(*entity)) integer(entity->tag);
        if (dim > 0) size(0);
        record_end();
      }
    if (is_binary_) line_end();
    text("$EndEntities\n");
  }

  void write_nodes_41() {
    const std::size_t count = mesh_.nodes.size();
    text("$Nodes\n");
    size(1), size(count), size(1), size(count);
    record_end();
    // All nodes belong to the first entity: Dashpot keeps no finer record.
    integer(entities_.empty() ? 0 : dimension(entities_[0].kind)), integer(entities_.empty() ? 0 : entities_[0].tag),
        integer(0);
    size(count);
    record_end();
    for (std::size_t i = 1; i <= count; ++i) {
      size(i);
      record_end();
    }
    for (const Vec3& x : mesh_.nodes) {
      position(x);
      record_end();
    }
    if (is_binary_) line_end();
    text("$EndNodes\n");
  }

  std::size_t num_elements() const {
    std::size_t count = 0;
    for (const Entity& entity : entities_) count += entity.nodes.size() / at(nodes_per_element(entity.kind));
    return count;
  }

  void write_elements_41() {
    text("$Elements\n");
    size(entities_.size()), size(num_elements()), size(1), size(num_elements());
    record_end();
    std::size_t number = 0;
    for (const Entity& entity : entities_) {
      const auto n = at(nodes_per_element(entity.kind));
      integer(dimension(entity.kind)), integer(entity.tag), integer(msh_type(entity.kind));
      size(entity.nodes.size() / n);
      record_end();
      for (std::size_t i = 0; i < entity.nodes.size(); i += n) {
        size(++number);
        for (std::size_t a = 0; a < n; ++a) size(at(entity.nodes[i + a]) + 1);
        record_end();
      }
    }
    if (is_binary_) line_end();
    text("$EndElements\n");
  }

  void write_nodes_22() {
    text("$Nodes\n{}\n", mesh_.nodes.size());
    for (std::size_t i = 0; i < mesh_.nodes.size(); ++i) {
      integer(static_cast<std::int64_t>(i) + 1);
      position(mesh_.nodes[i]);
      record_end();
    }
    if (is_binary_) line_end();
    text("$EndNodes\n");
  }

  void write_elements_22() {
    text("$Elements\n{}\n", num_elements());
    std::int64_t number = 0;
    for (const Entity& entity : entities_) {
      const auto n = at(nodes_per_element(entity.kind));
      const int physical = has_physical(entity) ? entity.tag : 0;
      if (is_binary_)
        integer(msh_type(entity.kind)), integer(static_cast<std::int64_t>(entity.nodes.size() / n)), integer(2);
      for (std::size_t i = 0; i < entity.nodes.size(); i += n) {
        integer(++number);
        if (!is_binary_) integer(msh_type(entity.kind)), integer(2);
        integer(physical), integer(entity.tag);
        for (std::size_t a = 0; a < n; ++a) integer(entity.nodes[i + a] + 1);
        record_end();
      }
    }
    if (is_binary_) line_end();
    text("$EndElements\n");
  }

  const Mesh& mesh_;
  bool is_binary_, is_41_;
  std::vector<Entity> entities_;
  std::string out_;
};

}  // namespace

std::string msh_bytes(const Mesh& mesh, MshDialect dialect) { return MshWriter(mesh, dialect).write(); }

}  // namespace dashpot
