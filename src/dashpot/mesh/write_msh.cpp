#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <set>

#include "dashpot/core/types.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/mesh/msh_entities.hpp"
#include "dashpot/mesh/write.hpp"

namespace dashpot {
namespace {

int msh_type(ElementKind kind) {
  static constexpr int types[] = {15, 1, 2, 4, 11};
  return types[static_cast<std::size_t>(kind)];
}

std::string one_line(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return name;
}

class MshWriter {
 public:
  MshWriter(const Mesh& mesh, MshDialect dialect)
      : mesh_(mesh),
        is_binary_(dialect == MshDialect::v41_binary || dialect == MshDialect::v22_binary),
        is_41_(dialect == MshDialect::v41_ascii || dialect == MshDialect::v41_binary),
        entities_(msh_entities_of(mesh)) {}

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
    std::set<std::string> names;
    for (const ElementGroup& group : mesh_.groups)
      for (const ElementField& field : group.fields) names.insert(field.name);
    for (const std::string& name : names) write_field(name);
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
  bool has_physical(const MshEntity& entity) const { return !entity.name.empty() || mesh_.regions.size() > 1; }

  void write_names() {
    std::vector<std::string> lines;
    for (const MshEntity& entity : entities_)
      if (!entity.name.empty())
        lines.push_back(fmt::format("{} {} \"{}\"\n", dimension(entity.kind), entity.tag, one_line(entity.name)));
    if (lines.empty()) return;
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    text("$PhysicalNames\n{}\n", lines.size());
    for (const std::string& line : lines) out_ += line;
    text("$EndPhysicalNames\n");
  }

  /// tet4 and tet10 of one region are one entity: each (dimension, tag) once.
  std::vector<const MshEntity*> distinct(int dim) const {
    std::map<int, const MshEntity*> by_tag;
    for (const MshEntity& entity : entities_)
      if (dimension(entity.kind) == dim) by_tag.try_emplace(entity.tag, &entity);
    std::vector<const MshEntity*> found;
    for (const auto& [tag, entity] : by_tag) found.push_back(entity);
    return found;
  }

  void write_entities() {
    text("$Entities\n");
    for (int dim = 0; dim < 4; ++dim) size(distinct(dim).size());
    record_end();
    const BoundingBox box = bounding_box(mesh_.nodes);
    for (int dim = 0; dim < 4; ++dim)
      for (const MshEntity* entity : distinct(dim)) {
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
    for (const MshEntity& entity : entities_) count += entity.nodes.size() / at(nodes_per_element(entity.kind));
    return count;
  }

  void write_elements_41() {
    text("$Elements\n");
    size(entities_.size()), size(num_elements()), size(1), size(num_elements());
    record_end();
    std::size_t number = 0;
    for (const MshEntity& entity : entities_) {
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
    for (const MshEntity& entity : entities_) {
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

  /// All groups that have a field of this name, as one section; elements are numbered as above.
  void write_field(const std::string& name) {
    std::vector<std::pair<std::int64_t, double>> values;
    std::int64_t number = 0;
    for (const MshEntity& entity : entities_) {
      const ElementField* field = entity.group != nullptr ? entity.group->field(name) : nullptr;
      for (std::size_t i = 0; field != nullptr && i < entity.elements.size(); ++i)
        values.emplace_back(number + static_cast<std::int64_t>(i) + 1, field->values[at(entity.elements[i])]);
      number += static_cast<std::int64_t>(entity.nodes.size()) / nodes_per_element(entity.kind);
    }
    text("$ElementData\n1\n\"{}\"\n1\n0\n3\n0\n1\n{}\n", one_line(name), values.size());
    for (const auto& [element, value] : values) {
      integer(element), real(value);
      record_end();
    }
    if (is_binary_) line_end();
    text("$EndElementData\n");
  }

  const Mesh& mesh_;
  bool is_binary_, is_41_;
  std::vector<MshEntity> entities_;
  std::string out_;
};

}  // namespace

std::string msh_bytes(const Mesh& mesh, MshDialect dialect) { return MshWriter(mesh, dialect).write(); }

}  // namespace dashpot
