#pragma once
// Nodes of a shape file into the tree of a Field. Internal to the shape reader.

#include <map>
#include <string>

#include "dashpot/shape/shape.hpp"
#include "dashpot/shape/value_reader.hpp"

namespace dashpot {

/// One evaluation may visit this many primitives, and a tree may be this deep: what a person draws has a tenth of it.
inline constexpr double max_field_cost = 1000;
inline constexpr int max_field_depth = 100;

class NodeReader {
 public:
  NodeReader(ValueReader& values, Shape& shape) : values_(values), shape_(shape) {}

  /// Declares the reusable nodes; each is read when first used, and by read_definitions() at the latest.
  void define(const JsonValue& definitions);
  void read_definitions();
  /// Index of the node in the field; -1 when it is broken (a problem says why).
  int read(const JsonValue& value);

 private:
  struct Definition {
    const JsonValue* value = nullptr;
    int node = -1;
    enum class State { unread, reading, read } state = State::unread;
  };
  int add(FieldNode node, const JsonValue& at);
  bool read_primitive(const std::string& kind, const JsonValue& body, FieldNode& node);
  bool read_sphere_like(const std::string& kind, ObjectReader& object, FieldNode& node);
  bool read_between(const std::string& kind, ObjectReader& object, FieldNode& node);
  bool read_tube(ObjectReader& object, FieldNode& node);
  bool read_children(const JsonValue& body, FieldNode& node);
  bool read_use(const JsonValue& body, FieldNode& node);
  bool read_repeat(ObjectReader& object, FieldNode& node);
  void read_placement(ObjectReader& object, FieldNode& node);
  void read_tags(ObjectReader& object, FieldNode& node);

  ValueReader& values_;
  Shape& shape_;
  std::map<std::string, Definition> definitions_;
  std::vector<double> cost_;  ///< primitives visited below each node
  std::vector<int> depth_;
};

}  // namespace dashpot
