#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dashpot/core/types.hpp"
#include "dashpot/mesh/surface.hpp"
#include "dashpot/shape/roots.hpp"
#include "dashpot/shape/sheet_mesh.hpp"
#include "dashpot/shape/solid_mesh.hpp"
#include "dashpot/shape/spacing_search.hpp"
#include "dashpot/shape/triangle_mesh.hpp"

namespace dashpot {
namespace {

class ShellMesher {
 public:
  explicit ShellMesher(const Shape& shape) : shape_(shape), solid_(shape) { solid_.expect_inside(); }

  double count(double a) const { return static_cast<double>(opened(skin(a)).triangles.size()); }
  double width() const { return solid_.width(); }

  TriangleMesh with_spacing(double a) const {
    TriangleMesh mesh = skin(a);
    regularize(mesh, a);
    if (shape_.open.empty()) return mesh;
    mesh = opened(mesh);
    regularize(mesh, a);
    return mesh;
  }

 private:
  /// The boundary of the tet mesh; the nodes of the surface only.
  TriangleMesh skin(double a) const {
    const Mesh solid = solid_.at(a, CutSearch::exact);
    TriangleMesh mesh;
    mesh.triangles = boundary_surface(solid).triangles;
    std::vector<int> new_of_old(solid.nodes.size(), -1);
    for (auto& t : mesh.triangles)
      for (int& n : t) {
        int& renamed = new_of_old[at(n)];
        if (renamed < 0) {
          renamed = static_cast<int>(mesh.nodes.size());
          mesh.nodes.push_back(solid.nodes[at(n)]);
        }
        n = renamed;
      }
    return mesh;
  }

  /// Negative where the shell stays.
  double opening(const Vec3& x) const {
    double deepest = 1e300;
    for (const int node : shape_.open) deepest = std::min(deepest, shape_.field.value(node, x));
    return -deepest;
  }

  TriangleMesh opened(const TriangleMesh& mesh) const {
    if (shape_.open.empty()) return mesh;
    return cut(mesh, [this](const Vec3& x) { return opening(x); });
  }

  void regularize(TriangleMesh& mesh, double a) const {
    const auto f = [this](const Vec3& x) { return shape_.value(x); };
    const auto g = [this](const Vec3& x) { return opening(x); };
    const auto project = [&](const Vec3& x, bool is_on_rim) {
      Vec3 y = onto_surface(f, x, 1e-5 * a);
      for (int k = 0; k < 3 && is_on_rim; ++k) y = onto_surface(f, onto_surface(g, y, 1e-5 * a), 1e-5 * a);
      return y;
    };
    SmoothOptions options;
    options.sweeps = 5;
    smooth(mesh, project, options);
    flip_edges(mesh);
    smooth(mesh, project, options);
    flip_edges(mesh);
  }

  const Shape& shape_;
  SolidMesher solid_;
};

}  // namespace

ShapeMesh mesh_shell(const Shape& shape, const ShapeMeshOptions& options) {
  const ShellMesher mesher(shape);
  ShapeMesh result;
  const auto count = [&](double a) { return mesher.count(a); };
  result.spacing = options.spacing > 0 ? options.spacing
                                       : find_spacing(count, mesher.width(), options.elements, 2, options.on_trial);
  TriangleMesh skin = mesher.with_spacing(result.spacing);
  if (skin.triangles.empty())
    throw Error(
        Problem{"", fmt::format("the shell '{}' has no triangle at a spacing of {:.3g} m", shape.name, result.spacing),
                "a body larger than the spacing and not wholly inside \"open\"", "use a smaller spacing"});
  result.mesh.nodes = std::move(skin.nodes);
  ElementGroup& group = result.mesh.group_or_new(ElementKind::triangle);
  for (const auto& t : skin.triangles) group.nodes.insert(group.nodes.end(), t.begin(), t.end());
  return result;
}

}  // namespace dashpot
