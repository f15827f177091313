#include "dashpot/energy/triangle_membrane.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "dashpot/core/error.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/math/best_spin.hpp"

namespace dashpot {
namespace {

void check_materials(const std::string& body, const std::vector<MembraneMaterial>& materials,
                     std::vector<Problem>& problems) {
  for (std::size_t i = 0; i < materials.size(); ++i) {
    const MembraneMaterial& m = materials[i];
    const auto expect = [&](bool good, const char* name, double value, const char* expected) {
      if (!good)
        problems.push_back(
            {fmt::format("{}: membrane {}", body, i), fmt::format("{} = {:.6g}", name, value), expected, ""});
    };
    expect(m.shear_modulus >= 0 && std::isfinite(m.shear_modulus), "shear modulus [Pa]", m.shear_modulus, ">= 0");
    expect(m.thickness > 0 && std::isfinite(m.thickness), "thickness [m]", m.thickness, "> 0");
    expect(m.limit_modulus >= 0 && std::isfinite(m.limit_modulus), "limit modulus [Pa]", m.limit_modulus, ">= 0");
    expect(m.least_stretch >= 0 && m.least_stretch <= 1, "least stretch", m.least_stretch, "from 0 to 1");
    expect(m.most_stretch >= 1, "most stretch", m.most_stretch, ">= 1");
  }
}

/// Nodes out of range, materials out of range, triangles without area; a few are enough.
void check_triangles(const std::string& body, const std::vector<int>& triangles, const std::vector<Vec3>& X,
                     std::size_t num_materials, const std::vector<int>& of_triangle, std::vector<Problem>& problems) {
  if (of_triangle.size() * 3 != triangles.size())
    problems.push_back({body,
                        fmt::format("{} materials for {} nodes of triangles", of_triangle.size(), triangles.size()),
                        "one material for each three nodes", ""});
  for (std::size_t e = 0; e < of_triangle.size() && 3 * e + 2 < triangles.size() && problems.size() < 10; ++e) {
    const int* t = triangles.data() + 3 * e;
    const std::string place = fmt::format("{}: triangle {}", body, e);
    if (std::any_of(t, t + 3, [&](int node) { return node < 0 || at(node) >= X.size(); })) {
      problems.push_back({place, fmt::format("nodes {}, {}, {}", t[0], t[1], t[2]),
                          fmt::format("nodes from 0 to {}", static_cast<long>(X.size()) - 1), ""});
      continue;
    }
    if (of_triangle[e] < 0 || at(of_triangle[e]) >= num_materials)
      problems.push_back(
          {place, fmt::format("material {}", of_triangle[e]), fmt::format("a material below {}", num_materials), ""});
    const Vec3 a = X[at(t[1])] - X[at(t[0])], b = X[at(t[2])] - X[at(t[0])];
    if (!(a.cross(b).norm() > 1e-12 * a.norm() * b.norm()))
      problems.push_back({place, "no area at rest", "three nodes that are not on one line", "repair the mesh"});
  }
}

/// The same triangles, if all is well.
const std::vector<int>& checked_triangles(const std::string& body, const std::vector<int>& triangles,
                                          const std::vector<Vec3>& X, const std::vector<MembraneMaterial>& materials,
                                          const std::vector<int>& of_triangle) {
  std::vector<Problem> problems;
  check_materials(body, materials, problems);
  check_triangles(body, triangles, X, materials.size(), of_triangle, problems);
  if (!problems.empty()) throw Error(problems);
  return triangles;
}

}  // namespace

TriangleMembrane::TriangleMembrane(std::string body, const std::vector<int>& triangles, const std::vector<Vec3>& X,
                                   int first_block, const std::vector<MembraneMaterial>& materials,
                                   const std::vector<int>& of_triangle)
    : body_(std::move(body)),
      batch_(std::make_shared<TriangleBatch>(X, checked_triangles(body_, triangles, X, materials, of_triangle),
                                             first_block)),
      rest_(X, first_block) {
  packs_.assign(at(16 * batch_->num_packs()), 0.0);
  for (int i = 0; i < num_elements(); ++i) {
    const MembraneMaterial& m = materials[at(of_triangle[at(batch_->original(i))])];
    const double volume = batch_->area(i) * m.thickness;
    double* out = packs_.data() + pack_of(i);
    out[0] = 2 * m.shear_modulus * volume;
    out[4] = 2 * m.limit_modulus * volume;
    out[8] = m.least_stretch;
    out[12] = m.most_stretch;
    has_limits_ = has_limits_ || m.limit_modulus > 0;
  }
}

Moduli TriangleMembrane::moduli() const {
  Moduli result{Moduli::Kind::sheet, std::vector<double>(at(6 * num_elements())), {}};
  for (int i = 0; i < num_elements(); ++i) {
    const double w = packs_[pack_of(i)] / batch_->area(i);
    double* C = result.of_element.data() + at(6 * batch_->original(i));
    C[0] = C[3] = w, C[5] = w / 2;
  }
  return result;
}

void TriangleMembrane::add_laplacian(const std::vector<double>& element_scale, std::vector<double>& of_slot) const {
  for (int i = 0; i < num_elements(); ++i)
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        of_slot[at(batch_->slots(i)[3 * a + b])] +=
            element_scale[at(batch_->original(i))] * weight(i) * batch_->gradient(i, a).dot(batch_->gradient(i, b));
}

void TriangleMembrane::add_spin_tangent(const Vector& q, const Vector& v, const std::vector<double>& element_scale,
                                        double dv_scale, double dq_scale, BlockMatrix& tangent) const {
  batch_->for_each_chunk([&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      Mat3 F = Mat3::Zero(), Fdot = Mat3::Zero();  // a third column of zeros takes no part
      F.leftCols<2>() = batch_->deformation(q, i);
      Fdot.leftCols<2>() = batch_->deformation(v, i);
      const math::ElementSpin spin = math::element_spin(F, Fdot);
      const Mat3 strain_rate = Fdot - math::cross_matrix(spin.omega) * F;
      const double w = element_scale[at(batch_->original(i))] * weight(i);
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
          Vec3 ga = Vec3::Zero(), gb = Vec3::Zero();
          ga.head<2>() = batch_->gradient(i, a);
          gb.head<2>() = batch_->gradient(i, b);
          Mat3::Map(tangent.block(batch_->slots(i)[3 * a + b])) +=
              w * (dv_scale * math::spin_force_dv(spin, F * ga, F * gb) +
                   dq_scale * math::spin_force_dq(spin, F * ga, F * gb, strain_rate * gb, ga.dot(gb)));
        }
    }
  });
}

std::shared_ptr<EnergyTerm> TriangleMembrane::remade(const double* values, const Replacements&) const {
  if (!parameter_.changes(values)) return nullptr;
  auto successor = std::make_shared<TriangleMembrane>(*this);
  successor->parameter_ = parameter_.with(values);
  for (int i = 0; i < num_elements(); ++i)
    successor->packs_[pack_of(i)] *= successor->parameter_.ratio(parameter_, batch_->original(i));
  return successor;
}

}  // namespace dashpot
