#include "dashpot/shape/node_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dashpot/core/types.hpp"
#include "dashpot/shape/placement.hpp"

namespace dashpot {
namespace {

using Kind = FieldNode::Kind;

struct KindName {
  const char* name;
  Kind kind;
  bool is_operator;
};
const KindName kinds[] = {{"sphere", Kind::sphere, false},      {"ellipsoid", Kind::ellipsoid, false},
                          {"capsule", Kind::capsule, false},    {"box", Kind::box, false},
                          {"torus", Kind::torus, false},        {"plane", Kind::plane, false},
                          {"cylinder", Kind::cylinder, false},  {"tube", Kind::tube, false},
                          {"union", Kind::unite, true},         {"intersection", Kind::intersect, true},
                          {"difference", Kind::subtract, true}, {"mirror", Kind::mirror, true},
                          {"repeat", Kind::repeat, true},       {"use", Kind::unite, false}};

/// The member that says what kind of node this is; nullptr with a problem when there is none or several.
const JsonMember* kind_member(ValueReader& values, const JsonValue& value) {
  std::vector<std::string> names;
  for (const KindName& k : kinds) names.emplace_back(k.name);
  const JsonMember* found = nullptr;
  for (const JsonMember& member : value.members) {
    if (std::find(names.begin(), names.end(), member.key) == names.end()) continue;
    if (found != nullptr) {
      values.problem(member.value, fmt::format("a node that is both \"{}\" and \"{}\"", found->key, member.key),
                     "one kind a node", "put both into a union");
      return nullptr;
    }
    found = &member;
  }
  if (found == nullptr) {
    std::string near;
    for (const JsonMember& member : value.members)
      if (near.empty()) near = nearest_name(member.key, names);
    values.problem(
        value, value.is(JsonValue::Kind::object) ? "a node without a kind" : "a node that is " + describe(value.kind),
        fmt::format("an object with one of {}", fmt::join(names, ", ")),
        near.empty() ? "" : fmt::format("did you mean \"{}\"?", near));
  }
  return found;
}

}  // namespace

void NodeReader::define(const JsonValue& definitions) {
  if (!definitions.is(JsonValue::Kind::object)) {
    values_.problem(definitions, "define is " + describe(definitions.kind), R"(an object: {"leg": {node}})");
    return;
  }
  for (const JsonMember& member : definitions.members) definitions_[member.key].value = &member.value;
}

void NodeReader::read_definitions() {
  for (auto& [name, definition] : definitions_) {
    if (definition.state != Definition::State::unread) continue;
    values_.warn(*definition.value, fmt::format("\"{}\" is defined and not used", name), "");
    definition.state = Definition::State::reading;
    definition.node = read(*definition.value);
    definition.state = Definition::State::read;
  }
}

int NodeReader::add(FieldNode node, const JsonValue& place) {
  double cost = node.kind == Kind::tube ? node.count : 1;
  int depth = 0;
  if (!node.children.empty()) {
    cost = 0;
    for (const int child : node.children) {
      cost += cost_[at(child)];
      depth = std::max(depth, depth_[at(child)] + 1);
    }
    if (node.kind == Kind::mirror) cost *= 2;
    if (node.kind == Kind::repeat) cost *= node.count;
  }
  if (!(cost <= max_field_cost) || depth > max_field_depth) {
    values_.problem(
        place,
        cost > max_field_cost ? fmt::format("a node made of {:.0f} primitives", cost)
                              : fmt::format("nodes nested {} deep", depth),
        fmt::format("at most {:.0f} primitives, every copy counted, and {} levels", max_field_cost, max_field_depth),
        "repeat less (\"repeat\" in \"repeat\" multiplies), or mesh one copy and place it as several bodies of a "
        "scene");
    return -1;
  }
  node.line = place.line;
  node.column = place.column;
  shape_.field.nodes.push_back(std::move(node));
  cost_.push_back(cost);
  depth_.push_back(depth);
  return static_cast<int>(cost_.size()) - 1;
}

int NodeReader::read(const JsonValue& value) {
  const JsonMember* chosen = kind_member(values_, value);
  if (chosen == nullptr) return -1;
  const KindName& kind =
      *std::find_if(std::begin(kinds), std::end(kinds), [&](const KindName& k) { return chosen->key == k.name; });
  ObjectReader object(values_, value, fmt::format("\"{}\"", chosen->key));
  object.find(chosen->key);
  FieldNode node;
  node.kind = kind.kind;
  bool good = false;
  if (chosen->key == "use")
    good = read_use(chosen->value, node);
  else if (kind.is_operator)
    good = read_children(chosen->value, node);
  else
    good = read_primitive(chosen->key, chosen->value, node);
  if (kind.is_operator)
    if (const JsonValue* smooth = object.find("smooth"))
      good = values_.number(*smooth, "smooth", Quantity::length, 0, 1e5, node.smooth) && good;
  if (node.kind == Kind::mirror) {
    node.a = Vec3::UnitX();
    if (const JsonValue* axis = object.find("axis")) good = values_.direction(*axis, "axis", node.a) && good;
  }
  if (node.kind == Kind::repeat) good = read_repeat(object, node) && good;
  const std::size_t before = values_.problems.size();
  read_placement(object, node);
  read_tags(object, node);
  object.finish();
  return good && values_.problems.size() == before ? add(std::move(node), value) : -1;
}

bool NodeReader::read_use(const JsonValue& body, FieldNode& node) {
  std::string name;
  if (!values_.text(body, "use", name)) return false;
  const auto found = definitions_.find(name);
  if (found == definitions_.end()) {
    std::vector<std::string> known;
    for (const auto& [key, definition] : definitions_) known.push_back(key);
    const std::string near = nearest_name(name, known);
    values_.problem(
        body, fmt::format("\"use\": \"{}\"", name.substr(0, 40)),
        known.empty() ? "a name of \"define\", which is not there" : fmt::format("one of {}", fmt::join(known, ", ")),
        near.empty() ? "" : fmt::format("did you mean \"{}\"?", near));
    return false;
  }
  Definition& definition = found->second;
  if (definition.state == Definition::State::reading) {
    values_.problem(body, fmt::format("\"{}\" uses itself", name), "definitions without a circle");
    return false;
  }
  if (definition.state == Definition::State::unread) {
    definition.state = Definition::State::reading;
    definition.node = read(*definition.value);
    definition.state = Definition::State::read;
  }
  if (definition.node < 0) return false;
  node.children = {definition.node};
  return true;
}

bool NodeReader::read_children(const JsonValue& body, FieldNode& node) {
  const bool single = node.kind == Kind::mirror || node.kind == Kind::repeat;
  if (single && body.is(JsonValue::Kind::object)) {
    const int child = read(body);
    if (child >= 0) node.children = {child};
    return child >= 0;
  }
  if (!body.is(JsonValue::Kind::array) || body.items.empty()) {
    values_.problem(
        body, body.is(JsonValue::Kind::array) ? "an empty list of nodes" : "children that are " + describe(body.kind),
        single ? "a node, or a list of nodes (their union)" : "a list of at least one node");
    return false;
  }
  bool good = true;
  FieldNode group;
  group.kind = Kind::unite;
  std::vector<int>& children = single ? group.children : node.children;
  for (const JsonValue& item : body.items) {
    const int child = read(item);
    good = good && child >= 0;
    if (child >= 0) children.push_back(child);
  }
  if (!good) return false;
  if (single) node.children = {add(std::move(group), body)};
  return node.children[0] >= 0;
}

bool NodeReader::read_repeat(ObjectReader& object, FieldNode& node) {
  bool good = false;
  if (const JsonValue* count = object.need("count", "5")) good = values_.integer(*count, "count", 1, 1000, node.count);
  if (const JsonValue* step = object.find("step"))
    good = values_.vector(*step, "step", Quantity::length, node.step_offset) && good;
  Vec3 turn = Vec3::Zero();
  if (const JsonValue* angles = object.find("turn")) good = values_.degrees(*angles, "turn", turn) && good;
  node.step_inverse = rotation_of(turn).transpose();
  return good;
}

void NodeReader::read_placement(ObjectReader& object, FieldNode& node) {
  Vec3 sizes = Vec3::Ones(), turn = Vec3::Zero();
  if (const JsonValue* scale = object.find("scale")) {
    if (scale->is(JsonValue::Kind::array)) {
      if (values_.vector(*scale, "scale", Quantity::number, sizes) &&
          (sizes.minCoeff() < 1e-3 || sizes.maxCoeff() > 1e3))
        values_.problem(*scale, "a scale out of range", "numbers from 0.001 to 1000",
                        "mirror with \"mirror\", not with a negative scale");
    } else if (double s = 1; values_.number(*scale, "scale", Quantity::number, 1e-3, 1e3, s)) {
      sizes = Vec3::Constant(s);
    }
    sizes = sizes.cwiseMax(1e-3);
  }
  if (const JsonValue* rotate = object.find("rotate")) values_.degrees(*rotate, "rotate", turn);
  if (const JsonValue* translate = object.find("translate"))
    values_.vector(*translate, "translate", Quantity::length, node.offset);
  if (const JsonValue* grow = object.find("grow"))
    values_.number(*grow, "grow", Quantity::length, -1e5, 1e5, node.grow);
  node.inverse = sizes.cwiseInverse().asDiagonal() * rotation_of(turn).transpose();
  node.scale = sizes.minCoeff();
  node.is_placed = sizes != Vec3::Ones() || turn != Vec3::Zero() || node.offset != Vec3::Zero();
}

void NodeReader::read_tags(ObjectReader& object, FieldNode& node) {
  if (const JsonValue* region = object.find("region")) {
    std::string name;
    if (values_.text(*region, "region", name)) {
      if (name.empty() || name.size() > 64)
        values_.problem(*region, "a region's name of " + std::to_string(name.size()) + " characters",
                        "1 to 64 characters");
      const auto known = std::find(shape_.regions.begin(), shape_.regions.end(), name);
      node.region = static_cast<int>(known - shape_.regions.begin());
      if (known == shape_.regions.end()) shape_.regions.push_back(name);
    }
  }
  Vec3 color;
  if (const JsonValue* value = object.find("color"); value != nullptr && values_.color(*value, color)) {
    std::vector<Vec3>& colors = shape_.field.colors;
    const auto known = std::find(colors.begin(), colors.end(), color);
    node.color = static_cast<int>(known - colors.begin());
    if (known == colors.end()) colors.push_back(color);
  }
}

}  // namespace dashpot
