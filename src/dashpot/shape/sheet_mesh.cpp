#include "dashpot/shape/sheet_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "dashpot/core/types.hpp"
#include "dashpot/mesh/geometry.hpp"
#include "dashpot/shape/roots.hpp"
#include "dashpot/shape/sewn_sheet.hpp"
#include "dashpot/shape/spacing_search.hpp"
#include "dashpot/shape/triangle_mesh.hpp"

namespace dashpot {
namespace {

constexpr double best_layer = 0.7;  // thickness of a layer over the side of a triangle
constexpr double max_lattice = 2e7;

class SheetMesher {
 public:
  explicit SheetMesher(const Shape& shape) : shape_(shape), sheet_(*shape.sheet) {
    if (sheet_.node >= 0) {
      const FieldBounds bounds = shape.field.bounds(sheet_.node);
      low_ = bounds.low.head<2>();
      high_ = bounds.high.head<2>();
      return;
    }
    low_ = high_ = sheet_.outline.front();
    for (const Eigen::Vector2d& p : sheet_.outline) {
      low_ = low_.cwiseMin(p);
      high_ = high_.cwiseMax(p);
    }
  }

  double width() const { return (high_ - low_).maxCoeff(); }

  TriangleMesh outline(double h) const {
    const Eigen::Vector2d count = (high_ - low_) / h;
    if (!((count.x() + 3) * (count.y() + 3) < max_lattice))
      throw Error(Problem{"", fmt::format("a lattice of {:.0f} triangles", 2 * count.x() * count.y()),
                          fmt::format("at most {:.0f}", 2 * max_lattice), "use fewer elements or a larger spacing"});
    const auto g = [this](const Vec3& x) { return shape_.value(x); };
    return cut(triangle_lattice(low_, high_, h), g);
  }

  int layers(double h) const {
    return sheet_.thickness > 0 ? std::max(1, static_cast<int>(std::lround(sheet_.thickness / (best_layer * h)))) : 0;
  }
  double count(double h) const {
    return static_cast<double>(outline(h).triangles.size()) * (sheet_.thickness > 0 ? 3 * layers(h)
                                                               : sheet_.is_sewn     ? 2
                                                                                    : 1);
  }

  Mesh with_spacing(double h) const {
    TriangleMesh flat = outline(h);
    regularize(flat, h);
    if (sheet_.is_sewn) return sewn(std::move(flat), h);
    Mesh mesh;
    const int num_layers = layers(h), n = static_cast<int>(flat.nodes.size());
    for (int layer = 0; layer <= num_layers; ++layer)
      for (const Vec3& x : flat.nodes)
        mesh.nodes.push_back(
            placed(x, num_layers > 0 ? sheet_.thickness * (static_cast<double>(layer) / num_layers - 0.5) : 0));
    if (num_layers == 0) {
      ElementGroup& group = mesh.group_or_new(ElementKind::triangle);
      for (const auto& t : flat.triangles) group.nodes.insert(group.nodes.end(), t.begin(), t.end());
      return mesh;
    }
    std::vector<int>& tets = mesh.group_or_new(ElementKind::tet4).nodes;
    for (int layer = 0; layer < num_layers; ++layer)
      for (std::array<int, 3> t : flat.triangles) {
        std::sort(t.begin(), t.end());
        const int a = t[0] + layer * n, b = t[1] + layer * n, c = t[2] + layer * n;
        add(mesh, tets, a, b, c, c + n);
        add(mesh, tets, a, b, b + n, c + n);
        add(mesh, tets, a, a + n, b + n, c + n);
      }
    return mesh;
  }

 private:
  Mesh sewn(TriangleMesh flat, double h) const {
    const auto is_open = [&](const Vec3& x) {
      return std::any_of(sheet_.open.begin(), sheet_.open.end(),
                         [&](int node) { return shape_.field.value(node, x) <= 1e-6 * h; });
    };
    Mesh mesh = sewn_sheets(std::move(flat), is_open);
    for (Vec3& x : mesh.nodes) x = placed(x, 0);
    return mesh;
  }

  static void add(const Mesh& mesh, std::vector<int>& tets, int a, int b, int c, int d) {
    const auto X = [&](int i) -> const Vec3& { return mesh.nodes[at(i)]; };
    if (tet_volume(X(a), X(b), X(c), X(d)) < 0) std::swap(c, d);
    tets.insert(tets.end(), {a, b, c, d});
  }

  /// A point of the flat sheet at height `above` its mid-surface, bent and moved.
  Vec3 placed(const Vec3& x, double above) const {
    const double eps = 1e-6 * width();
    const auto z = [this](double u, double v) { return sheet_.bend.height(u, v); };
    const Vec3 normal = Vec3((z(x.x() - eps, x.y()) - z(x.x() + eps, x.y())) / (2 * eps),
                             (z(x.x(), x.y() - eps) - z(x.x(), x.y() + eps)) / (2 * eps), 1)
                            .normalized();
    return sheet_.rotation * (Vec3(x.x(), x.y(), z(x.x(), x.y())) + above * normal) + sheet_.translation;
  }

  /// Corners of the outline become nodes, then everything else is made regular.
  void regularize(TriangleMesh& flat, double h) const {
    SmoothOptions options;
    options.is_fixed.assign(flat.nodes.size(), 0);
    pin_corners(flat, h, options.is_fixed);
    const auto g = [this](const Vec3& x) { return shape_.value(x); };
    const auto project = [&](const Vec3& x, bool is_on_rim) {
      Vec3 y = is_on_rim ? onto_surface(g, x, 1e-5 * h) : x;
      y.z() = 0;
      return y;
    };
    smooth(flat, project, options);
    flip_edges(flat);
    smooth(flat, project, options);
  }

  void pin_corners(TriangleMesh& flat, double h, std::vector<char>& is_fixed) const {
    const std::vector<Eigen::Vector2d>& p = sheet_.outline;
    const std::vector<int> rim = rim_nodes(flat);
    for (std::size_t i = 0; i < p.size(); ++i) {
      const Eigen::Vector2d in = (p[i] - p[(i + p.size() - 1) % p.size()]).normalized(),
                            out = (p[(i + 1) % p.size()] - p[i]).normalized();
      if (in.dot(out) > 0.9) continue;  // bends of less than 26 degrees are curves
      const Vec3 corner(p[i].x(), p[i].y(), 0);
      int nearest = -1;
      for (const int n : rim)
        if (is_fixed[at(n)] == 0 &&
            (nearest < 0 || (flat.nodes[at(n)] - corner).norm() < (flat.nodes[at(nearest)] - corner).norm()))
          nearest = n;
      if (nearest < 0 || (flat.nodes[at(nearest)] - corner).norm() > 0.8 * h) continue;
      flat.nodes[at(nearest)] = corner;
      is_fixed[at(nearest)] = 1;
    }
  }

  const Shape& shape_;
  const Sheet& sheet_;
  Eigen::Vector2d low_, high_;
};

}  // namespace

ShapeMesh mesh_sheet(const Shape& shape, const ShapeMeshOptions& options) {
  const SheetMesher mesher(shape);
  ShapeMesh result;
  const auto count = [&](double h) { return mesher.count(h); };
  result.spacing = options.spacing > 0 ? options.spacing
                                       : find_spacing(count, mesher.width(), options.elements, 2, options.on_trial);
  result.mesh = mesher.with_spacing(result.spacing);
  if (result.mesh.groups.empty() || result.mesh.groups.front().size() == 0)
    throw Error(Problem{"", fmt::format("no triangle of side {:.3g} m fits into '{}'", result.spacing, shape.name),
                        "an outline that holds at least one", "use a smaller spacing or a wider outline"});
  const double t = shape.sheet->thickness;
  if (t > 0 && t < 0.25 * result.spacing)
    result.warnings.push_back(
        {"",
         fmt::format("the sheet is {:.2g} m thick, its triangles have sides of {:.2g} m: flat tets", t, result.spacing),
         "", fmt::format("use at least {:.0f} tets or a thicker sheet", mesher.count(t / 0.3)),
         Problem::Severity::warning});
  return result;
}

}  // namespace dashpot
