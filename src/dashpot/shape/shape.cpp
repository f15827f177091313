#include "dashpot/shape/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "dashpot/core/file.hpp"
#include "dashpot/mesh/read.hpp"
#include "dashpot/shape/assets.hpp"

namespace dashpot {
namespace {

/// Signed distance to a closed polygon, negative inside (even-odd rule).
double polygon_distance(const std::vector<Eigen::Vector2d>& polygon, const Eigen::Vector2d& x) {
  double squares = std::numeric_limits<double>::infinity();
  bool inside = false;
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
    const Eigen::Vector2d &a = polygon[j], edge = polygon[i] - a, ax = x - a;
    const double length = edge.squaredNorm();
    const double t = length > 0 ? std::clamp(ax.dot(edge) / length, 0.0, 1.0) : 0;
    squares = std::min(squares, (ax - t * edge).squaredNorm());
    if ((polygon[i].y() > x.y()) != (a.y() > x.y()) && x.x() < a.x() + edge.x() * (x.y() - a.y()) / edge.y())
      inside = !inside;
  }
  return inside ? -std::sqrt(squares) : std::sqrt(squares);
}

/// A point of a bent sheet back in the flat one. Bending only lifts points, so the height is dropped.
Vec3 flat_point(const Sheet& sheet, const Vec3& x) {
  const Vec3 local = sheet.rotation.transpose() * (x - sheet.translation);
  return {local.x(), local.y(), 0};
}

/// A mesh is not a shape; its first line would only look like broken JSON.
void refuse_meshes(const std::string& path) {
  const std::vector<std::string> readable = readable_mesh_extensions();
  const std::string extension = std::filesystem::path(path).extension().string();
  if (std::find(readable.begin(), readable.end(), extension) != readable.end())
    throw Error(Problem{path, fmt::format("a mesh ({}), not a shape", extension), "a shape file (.json) or an asset",
                        "'dashpot info' measures a mesh, 'dashpot convert' rewrites it; scenes take it with \"file\""});
}

}  // namespace

double SheetBend::height(double x, double y) const {
  double z = fold * (std::hypot(x, fold_round) - fold_round) + 0.5 * arch[0] * x * x + 0.5 * arch[1] * y * y;
  if (wave != 0) z += wave * (x / half_width) * (x / half_width) * std::sin(2 * std::numbers::pi * y / wave_length);
  return z;
}

double Shape::value(const Vec3& x) const {
  if (!sheet) return field.value(root, x);
  return sheet->node >= 0 ? field.value(sheet->node, {x.x(), x.y(), 0}) : polygon_distance(sheet->outline, x.head<2>());
}

double Shape::node_value(int node, const Vec3& x) const { return field.value(node, sheet ? flat_point(*sheet, x) : x); }

int Shape::region(const Vec3& x) const {
  if (!sheet) return field.sample(root, x).region;
  return sheet->node >= 0 ? field.sample(sheet->node, flat_point(*sheet, x)).region : -1;
}

Vec3 Shape::color(const Vec3& x) const {
  if (!sheet && field.colors.empty()) return default_shape_color();
  const Vec3 at = sheet ? flat_point(*sheet, x) : x;
  Vec3 color = sheet && sheet->color ? *sheet->color : default_shape_color();
  if (const int node = sheet ? sheet->node : root; node >= 0) color = field.sample(node, at).color;
  for (const int node : paint)
    if (const FieldSample patch = field.sample(node, at); patch.value < 0) color = patch.color;
  return color;
}

Shape load_shape(const std::string& name_or_path, std::vector<Problem>* warnings, const FileReader& read) {
  const bool is_path = name_or_path.find('/') != std::string::npos || name_or_path.find('.') != std::string::npos;
  ParsedShape parsed;
  if (const std::string_view asset = asset_text(name_or_path); !asset.empty()) {
    parsed = parse_shape(asset, name_or_path + ".json");
  } else if (is_path || std::filesystem::is_regular_file(name_or_path)) {
    refuse_meshes(name_or_path);
    parsed = parse_shape(read(name_or_path), name_or_path);
  } else {
    const std::string near = nearest_name(name_or_path, asset_names());
    throw Error(Problem{"", "there is no shape '" + name_or_path.substr(0, 60) + "'", "the name of an asset or a file",
                        near.empty() ? "'dashpot mesh --list' shows the assets" : "did you mean '" + near + "'?"});
  }
  parsed.shape.name = std::filesystem::path(name_or_path).stem().string();
  std::vector<Problem> errors;
  for (Problem& problem : parsed.problems)
    if (problem.severity == Problem::Severity::error)
      errors.push_back(std::move(problem));
    else if (warnings != nullptr)
      warnings->push_back(std::move(problem));
  if (!errors.empty()) throw Error(std::move(errors));
  return std::move(parsed.shape);
}

}  // namespace dashpot
