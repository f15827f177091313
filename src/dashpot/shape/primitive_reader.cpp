#include <fmt/format.h>

#include <algorithm>

#include "dashpot/shape/node_reader.hpp"
#include "dashpot/shape/placement.hpp"

namespace dashpot {
namespace {

using Kind = FieldNode::Kind;

}  // namespace

bool NodeReader::read_primitive(const std::string& kind, const JsonValue& body, FieldNode& node) {
  ObjectReader object(values_, body, fmt::format("the {}", kind));
  if (!body.is(JsonValue::Kind::object)) return false;
  bool good = true;
  if (node.kind == Kind::tube)
    good = read_tube(object, node);
  else if (node.kind == Kind::capsule || node.kind == Kind::cylinder)
    good = read_between(kind, object, node);
  else
    good = read_sphere_like(kind, object, node);
  object.finish();
  return good;
}

bool NodeReader::read_sphere_like(const std::string&, ObjectReader& object, FieldNode& node) {
  bool good = true;
  const auto check = [&](bool is_set) { good = good && is_set; };
  const auto need_size = [&](const char* name, const char* example, double& out) {
    const JsonValue* value = object.need(name, example);
    check(value != nullptr && values_.size(*value, name, out));
  };
  const auto need_sizes = [&](const char* name, const char* example, Vec3& out) {
    const JsonValue* value = object.need(name, example);
    check(value != nullptr && values_.sizes(*value, name, out));
  };
  if (node.kind == Kind::plane) {
    node.a = Vec3::UnitY();
    if (const JsonValue* normal = object.need("normal", "[0, 1, 0]"))
      check(values_.direction(*normal, "normal", node.a));
    if (const JsonValue* offset = object.find("offset"))
      check(values_.number(*offset, "offset", Quantity::length, -1e5, 1e5, node.r));
    return good;
  }
  if (const JsonValue* center = object.find("center"))
    check(values_.vector(*center, "center", Quantity::length, node.a));
  if (node.kind == Kind::sphere) need_size("radius", "\"3 cm\"", node.r);
  if (node.kind == Kind::ellipsoid) {
    need_sizes("radii", "[0.03, 0.05, 0.02]", node.b);
    if (good && node.b.maxCoeff() > 1000 * node.b.minCoeff())
      check(
          (values_.problem(*object.find("radii"),
                           fmt::format("radii of ratio {:.3g}", node.b.maxCoeff() / node.b.minCoeff()), "at most 1000"),
           false));
  }
  if (node.kind == Kind::torus) {
    need_size("radius", "\"5 cm\"", node.r);
    need_size("tube", "\"1 cm\"", node.s);
    node.b = Vec3::UnitY();
    if (const JsonValue* axis = object.find("axis")) check(values_.direction(*axis, "axis", node.b));
  }
  if (node.kind == Kind::box) {
    need_sizes("size", "[0.2, 0.1, 0.1]", node.b);
    node.b *= 0.5;
    if (const JsonValue* round = object.find("round"); round != nullptr && good)
      check(values_.number(*round, "round", Quantity::length, 0, node.b.minCoeff(), node.r));
  }
  return good;
}

bool NodeReader::read_between(const std::string& kind, ObjectReader& object, FieldNode& node) {
  bool good = true;
  const auto check = [&](bool is_set) { good = good && is_set; };
  const JsonValue *from = object.need("from", "[0, 0, 0]"), *to = object.need("to", "[0, 0.1, 0]");
  check(from != nullptr && values_.vector(*from, "from", Quantity::length, node.a));
  check(to != nullptr && values_.vector(*to, "to", Quantity::length, node.b));
  const JsonValue* radius = object.need("radius", "\"3 cm\"");
  check(radius != nullptr && values_.size(*radius, "radius", node.r));
  node.s = node.r;
  if (const JsonValue* end = object.find("radius_end"))
    check(values_.number(*end, "radius_end", Quantity::length, 0, 1e5, node.s));
  if (good && (node.b - node.a).norm() < 1e-6) {
    values_.problem(*to, fmt::format("a {} whose ends \"from\" and \"to\" coincide", kind), "two different points",
                    "a ball is {\"sphere\": {\"center\": [x, y, z], \"radius\": r}}");
    good = false;
  }
  return good;
}

bool NodeReader::read_tube(ObjectReader& object, FieldNode& node) {
  const JsonValue *points = object.need("points", "[[0, 0, 0], [0, 0.1, 0], [0.1, 0.2, 0]]"),
                  *radius = object.need("radius", "\"1 cm\"");
  const JsonValue* spline = object.find("spline");
  if (points == nullptr || radius == nullptr) return false;
  const std::size_t n = points->items.size();
  if (n < 2 || n > 200) {
    values_.problem(*points, fmt::format("{} points of a tube", n), "a list of 2 to 200 points");
    return false;
  }
  const bool one_radius = !radius->is(JsonValue::Kind::array);
  if (!one_radius && radius->items.size() != n) {
    values_.problem(*radius, fmt::format("{} radii for {} points", radius->items.size(), n),
                    "one radius, or one for each point");
    return false;
  }
  bool good = spline == nullptr || spline->is(JsonValue::Kind::boolean);
  if (!good)
    values_.problem(*spline, "spline is " + describe(spline->kind), "true (a smooth curve, the default) or false");
  std::vector<Eigen::Vector4d> knots;
  for (std::size_t i = 0; i < n; ++i) {
    Vec3 x = Vec3::Zero();
    double r = 0;
    good = values_.vector(points->items[i], "point", Quantity::length, x) && good;
    if (i == 0 || !one_radius) good = values_.size(one_radius ? *radius : radius->items[i], "radius", r) && good;
    knots.emplace_back(x.x(), x.y(), x.z(), one_radius && i > 0 ? knots[0][3] : r);
  }
  if (!good) return false;
  const int pieces = n > 2 && (spline == nullptr || spline->boolean) ? spline_pieces : 1;
  std::vector<TubePoint>& out = shape_.field.tube_points;
  node.first = static_cast<int>(out.size());
  for (std::size_t i = 0; i + 1 < n; ++i)
    for (int k = 0; k < pieces; ++k) {
      // Ends continue straight on.
      const Eigen::Vector4d &p1 = knots[i], &p2 = knots[i + 1];
      const Eigen::Vector4d p0 = i > 0 ? knots[i - 1] : Eigen::Vector4d(2 * p1 - p2);
      const Eigen::Vector4d p3 = i + 2 < n ? knots[i + 2] : Eigen::Vector4d(2 * p2 - p1);
      const Eigen::Vector4d p = catmull_rom(p0, p1, p2, p3, static_cast<double>(k) / pieces);
      out.push_back({p.head<3>(), std::max(p[3], 0.0)});
    }
  out.push_back({knots.back().head<3>(), knots.back()[3]});
  node.count = static_cast<int>(out.size()) - node.first;
  return true;
}

}  // namespace dashpot
