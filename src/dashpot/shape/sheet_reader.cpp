#include "dashpot/shape/sheet_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dashpot/shape/placement.hpp"

namespace dashpot {
namespace {

bool crosses(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& c, const Eigen::Vector2d& d) {
  const auto side = [](const Eigen::Vector2d& p, const Eigen::Vector2d& q, const Eigen::Vector2d& x) {
    return (q - p).x() * (x - p).y() - (q - p).y() * (x - p).x();
  };
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

void check_crossings(ValueReader& values, const JsonValue& at, const std::vector<Eigen::Vector2d>& p) {
  const std::size_t n = p.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 2; j < n; ++j)
      if (crosses(p[i], p[(i + 1) % n], p[j], p[(j + 1) % n])) {
        values.problem(at, fmt::format("an outline that crosses itself near ({:.3g}, {:.3g})", p[i].x(), p[i].y()),
                       "a simple closed curve", "list the points in order around the outline");
        return;
      }
}

std::vector<Eigen::Vector2d> read_outline(ValueReader& values, const JsonValue& list, bool is_spline) {
  std::vector<Eigen::Vector2d> knots;
  if (!list.is(JsonValue::Kind::array) || list.items.size() < 3 || list.items.size() > 200) {
    values.problem(list, fmt::format("an outline of {} points", list.items.size()), "a list of 3 to 200 points [x, y]");
    return knots;
  }
  bool good = true;
  for (const JsonValue& item : list.items) {
    Eigen::Vector2d p = Eigen::Vector2d::Zero();
    if (!item.is(JsonValue::Kind::array) || item.items.size() != 2) {
      values.problem(item, "a point of the outline that is not a pair", "[x, y]");
      good = false;
      continue;
    }
    for (int i = 0; i < 2; ++i)
      good = values.number(item.items[static_cast<std::size_t>(i)], "point", Quantity::length, -1e5, 1e5, p[i]) && good;
    knots.push_back(p);
  }
  if (!good) return {};
  std::vector<Eigen::Vector2d> curve;
  const std::size_t n = knots.size();
  for (std::size_t i = 0; i < n; ++i)
    for (int k = 0; k < (is_spline ? spline_pieces : 1); ++k)
      curve.push_back(catmull_rom(knots[(i + n - 1) % n], knots[i], knots[(i + 1) % n], knots[(i + 2) % n],
                                  static_cast<double>(k) / spline_pieces));
  check_crossings(values, list, curve);
  return curve;
}

void read_bend(ValueReader& values, const JsonValue& value, SheetBend& bend) {
  ObjectReader object(values, value, "\"bend\"");
  constexpr double radian = std::numbers::pi / 180;
  double angle = 0;
  if (const JsonValue* fold = object.find("fold");
      fold != nullptr && values.number(*fold, "fold (degrees)", Quantity::number, -80, 80, angle))
    bend.fold = std::tan(angle * radian);
  if (const JsonValue* round = object.find("fold_round"))
    values.number(*round, "fold_round", Quantity::length, 0, 1e5, bend.fold_round);
  if (const JsonValue* x = object.find("arch_x"))
    values.number(*x, "arch_x (1/m)", Quantity::number, -1e6, 1e6, bend.arch[0]);
  if (const JsonValue* y = object.find("arch_y"))
    values.number(*y, "arch_y (1/m)", Quantity::number, -1e6, 1e6, bend.arch[1]);
  if (const JsonValue* wave = object.find("wave")) {
    values.number(*wave, "wave", Quantity::length, -1e5, 1e5, bend.wave);
    if (const JsonValue* length = object.need("wave_length", "\"2 cm\""))
      values.size(*length, "wave_length", bend.wave_length);
  }
  object.find("wave_length");
  object.finish();
}

void read_sewn(ValueReader& values, NodeReader& nodes, const JsonValue& value, Sheet& sheet) {
  sheet.is_sewn = true;
  if (sheet.thickness > 0)
    values.problem(value, "two sheets with a thickness, sewn together", "a sheet without \"thickness\"",
                   "cloth has its thickness from its material");
  ObjectReader object(values, value, "\"sewn\"");
  if (const JsonValue* open = object.find("open")) {
    if (!open->is(JsonValue::Kind::array))
      values.problem(*open, "open is " + describe(open->kind), "a list of nodes inside which the rim is not sewn");
    for (const JsonValue& node : open->items) sheet.open.push_back(nodes.read(node));
  }
  object.finish();
}

}  // namespace

Sheet read_sheet(ValueReader& values, NodeReader& nodes, const JsonValue& value) {
  Sheet sheet;
  ObjectReader object(values, value, "\"sheet\"");
  if (!value.is(JsonValue::Kind::object)) return sheet;
  const JsonValue *outline = object.find("outline"), *node = object.find("node"), *spline = object.find("spline");
  if ((outline == nullptr) == (node == nullptr))
    values.problem(value, outline == nullptr ? "a sheet without an outline" : "a sheet with two outlines",
                   "\"outline\": [[x, y], ...], or \"node\": {node}, cut at z = 0");
  if (spline != nullptr && !spline->is(JsonValue::Kind::boolean))
    values.problem(*spline, "spline is " + describe(spline->kind), "true or false (corners, the default)");
  if (outline != nullptr) sheet.outline = read_outline(values, *outline, spline != nullptr && spline->boolean);
  if (node != nullptr) sheet.node = nodes.read(*node);
  if (const JsonValue* t = object.find("thickness"))
    values.number(*t, "thickness", Quantity::length, 0, 1e5, sheet.thickness);
  if (const JsonValue* sewn = object.find("sewn")) read_sewn(values, nodes, *sewn, sheet);
  if (const JsonValue* bend = object.find("bend")) read_bend(values, *bend, sheet.bend);
  Vec3 turn = Vec3::Zero();
  if (const JsonValue* rotate = object.find("rotate")) values.degrees(*rotate, "rotate", turn);
  if (const JsonValue* translate = object.find("translate"))
    values.vector(*translate, "translate", Quantity::length, sheet.translation);
  sheet.rotation = rotation_of(turn);
  Vec3 color;
  if (const JsonValue* c = object.find("color"); c != nullptr && values.color(*c, color)) sheet.color = color;
  object.finish();
  return sheet;
}

}  // namespace dashpot
