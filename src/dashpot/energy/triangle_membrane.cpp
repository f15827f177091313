#include "dashpot/energy/triangle_membrane.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "dashpot/core/error.hpp"
#include "dashpot/core/types.hpp"
#include "dashpot/energy/triangle_packs.hpp"
#include "dashpot/math/best_spin.hpp"

namespace dashpot {
namespace {

using Eigen::Vector2d;
using math::Mat32;
using math::ThinSvd;

constexpr double least_denominator = 1e-6;

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

/// Entries of the tangent in the frame (u1, u2, n) x (v1, v2) for a triangle of unit weight; see the header.
struct FrameTangent {
  double h1, h2;              ///< u1 v1, u2 v2
  double m11, m12, m22;       ///< the plane of u1 v2 and u2 v1
  double out1 = 0, out2 = 0;  ///< n v1, n v2
};

}  // namespace

struct TriangleMembrane::Task {
  const double* q;
  Vector* gradient = nullptr;
  BlockMatrix* stiffness = nullptr;
  const double* element_scale = nullptr;
  double scale = 1;
  Tangent tangent = Tangent::exact;
};

TriangleMembrane::TriangleMembrane(std::string body, const std::vector<int>& triangles, const std::vector<Vec3>& X,
                                   int first_block, const std::vector<MembraneMaterial>& materials,
                                   const std::vector<int>& of_triangle)
    : body_(std::move(body)), rest_(X, first_block), chunks_([&] {
        std::vector<Problem> problems;
        check_materials(body_, materials, problems);
        check_triangles(body_, triangles, X, materials.size(), of_triangle, problems);
        if (!problems.empty()) throw Error(problems);
        return ElementChunks(3, triangles, static_cast<int>(X.size()), first_block);
      }()) {
  for (std::size_t e = 0; e < of_triangle.size(); ++e) {
    const int* t = triangles.data() + 3 * e;
    const Vec3 a = X[at(t[1])] - X[at(t[0])], b = X[at(t[2])] - X[at(t[0])];
    const Vec3 along = a.normalized(), across = (b - along * along.dot(b)).normalized();
    Eigen::Matrix2d edges;
    edges << along.dot(a), along.dot(b), 0, across.dot(b);
    const Eigen::Matrix2d inverse = edges.inverse();
    const MembraneMaterial& m = materials[at(of_triangle[e])];
    const double volume = 0.5 * edges.determinant() * m.thickness;
    elements_.push_back({inverse.row(0), inverse.row(1), 2 * m.shear_modulus * volume, 2 * m.limit_modulus * volume,
                         m.least_stretch, m.most_stretch});
  }
}

inline Mat32 TriangleMembrane::deformation(const double* q, int e) const {
  const int* b = chunks_.blocks(e);
  const Vec3 x0 = Vec3::Map(q + 3 * b[0]);
  const MembraneElement& t = elements_[at(e)];
  return (Vec3::Map(q + 3 * b[1]) - x0) * t.g1.transpose() + (Vec3::Map(q + 3 * b[2]) - x0) * t.g2.transpose();
}

inline void TriangleMembrane::scatter(int e, const Mat32& wP, Vector& f) const {
  const int* b = chunks_.blocks(e);
  const Vec3 f1 = wP * elements_[at(e)].g1, f2 = wP * elements_[at(e)].g2;
  f.segment<3>(3 * b[1]) += f1;
  f.segment<3>(3 * b[2]) += f2;
  f.segment<3>(3 * b[0]) -= f1 + f2;
}

void TriangleMembrane::add_element_stiffness(const Task& task, int e, const ThinSvd& svd) const {
  const MembraneElement& t = elements_[at(e)];
  FrameTangent k{};
  Vector2d p, slope, over;  // p_i, dp_i/ds_i, p_i / s_i
  for (int i = 0; i < 2; ++i) {
    const double s = svd.s[i], beyond = s - std::clamp(s, t.least, t.most);
    p[i] = t.stretch * (s - 1) + t.limit * beyond;
    slope[i] = t.stretch + (beyond != 0 ? t.limit : 0);
    over[i] = p[i] / std::max(s, least_denominator);
  }
  const double gap = svd.s[0] - svd.s[1], sum = std::max(svd.s[0] + svd.s[1], least_denominator);
  double flip = gap > 1e-9 * sum ? (p[0] - p[1]) / gap : 0.5 * (slope[0] + slope[1]), twist = (p[0] + p[1]) / sum;
  if (task.tangent == Tangent::gauss_newton) {
    const double c = std::max(0.0, (2 * flip - over[0] - over[1]) / (sum * sum));
    k = {std::max(0.0, slope[0] - over[0]), std::max(0.0, slope[1] - over[1]), c * svd.s[0] * svd.s[0],
         c * svd.s[0] * svd.s[1], c * svd.s[1] * svd.s[1]};
  } else {
    if (task.tangent == Tangent::projected) {
      twist = std::max(0.0, twist);
      over = over.cwiseMax(0.0);
    }
    k = {slope[0], slope[1], 0.5 * (flip + twist), 0.5 * (flip - twist), 0.5 * (flip + twist), over[0], over[1]};
  }
  const double scale = task.scale * (task.element_scale != nullptr ? task.element_scale[e] : 1.0);
  Vector2d g[3];
  for (int a = 0; a < 3; ++a) g[a] = svd.V.transpose() * t.gradient(a);
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      const double g11 = scale * g[a][0] * g[b][0], g22 = scale * g[a][1] * g[b][1];
      Mat3 local = Mat3::Zero();
      local(0, 0) = k.h1 * g11 + k.m11 * g22;
      local(1, 1) = k.h2 * g22 + k.m22 * g11;
      local(0, 1) = k.m12 * scale * g[a][1] * g[b][0];
      local(1, 0) = k.m12 * scale * g[a][0] * g[b][1];
      local(2, 2) = k.out1 * g11 + k.out2 * g22;
      Mat3::Map(task.stiffness->block(chunks_.slots(e)[3 * a + b])) += svd.U * local * svd.U.transpose();
    }
}

double TriangleMembrane::run(const Task& task) const {
  return chunks_.sum([&](int begin, int end) {
    double energy = 0;
    for (int e = begin; e < end; ++e) {
      const MembraneElement& t = elements_[at(e)];
      const ThinSvd svd = math::thin_svd(deformation(task.q, e));
      Vector2d p;
      for (int i = 0; i < 2; ++i) {
        const double s = svd.s[i], beyond = s - std::clamp(s, t.least, t.most);
        energy += 0.5 * (t.stretch * (s - 1) * (s - 1) + t.limit * beyond * beyond);
        p[i] = t.stretch * (s - 1) + t.limit * beyond;
      }
      if (task.gradient != nullptr)
        scatter(e, svd.U.leftCols<2>() * p.asDiagonal() * svd.V.transpose(), *task.gradient);
      if (task.stiffness != nullptr) add_element_stiffness(task, e, svd);
    }
    return energy;
  });
}

double TriangleMembrane::evaluate(const EnergyRequest& request) const {
  if (request.hessian == nullptr) {
    double energy = 0;
    with_packs([&](TrianglePacks& packs) { energy = packs.evaluate(request.q, request.gradient); });
    return energy;
  }
  return run({request.q.data(), request.gradient, request.hessian, nullptr, request.hessian_scale,
              request.projection == Projection::none ? Tangent::exact : Tangent::projected});
}

void TriangleMembrane::add_stiffness(const Vector& q, StiffnessPart part, const std::vector<double>& element_scale,
                                     BlockMatrix& K) const {
  run({part == StiffnessPart::rest ? rest_.data() : q.data(), nullptr, &K, element_scale.data(), 1,
       part == StiffnessPart::gauss_newton ? Tangent::gauss_newton : Tangent::projected});
}

void TriangleMembrane::add_laplacian(const std::vector<double>& element_scale, std::vector<double>& of_slot) const {
  chunks_.add_to_slots(
      [&](int e, int a, int b) {
        const MembraneElement& t = elements_[at(e)];
        return element_scale[at(e)] * (t.stretch + t.limit) * t.gradient(a).dot(t.gradient(b));
      },
      of_slot);
}

std::unique_ptr<TrianglePacks> TriangleMembrane::make_packs() const {
  std::vector<Vec3> places;
  std::vector<int> blocks;
  for (int e = 0; e < num_elements(); ++e) {
    const int* b = chunks_.blocks(e);
    blocks.insert(blocks.end(), b, b + 3);
    places.emplace_back((rest_.of_block(b[0]) + rest_.of_block(b[1]) + rest_.of_block(b[2])) / 3);
  }
  return std::make_unique<TrianglePacks>(elements_, blocks, places);
}

template <class Use>
void TriangleMembrane::with_packs(const Use& use) const {
  std::unique_ptr<TrianglePacks> packs = packs_.take();
  if (!packs) packs = make_packs();
  use(*packs);
  packs_.give(std::move(packs));
}

void TriangleMembrane::add_spin_force(const Vector& q, const Vector& v, const std::vector<double>& element_scale,
                                      Vector& f) const {
  with_packs([&](TrianglePacks& packs) { packs.add_spin_force(q, v, element_scale, f); });
}

void TriangleMembrane::add_projection(const Vector& q, TermScratch*, Vector& f) const {
  with_packs([&](TrianglePacks& packs) { packs.add_projection(q, f); });
}

void TriangleMembrane::add_spin_tangent(const Vector& q, const Vector& v, const std::vector<double>& element_scale,
                                        double dv_scale, double dq_scale, BlockMatrix& tangent) const {
  chunks_.sum([&](int begin, int end) {
    for (int e = begin; e < end; ++e) {
      const MembraneElement& t = elements_[at(e)];
      Mat3 F = Mat3::Zero(), Fdot = Mat3::Zero();  // a third column of zeros takes no part
      F.leftCols<2>() = deformation(q.data(), e);
      Fdot.leftCols<2>() = deformation(v.data(), e);
      const math::ElementSpin spin = math::element_spin(F, Fdot);
      const Mat3 strain_rate = Fdot - math::cross_matrix(spin.omega) * F;
      const double w = element_scale[at(e)] * (t.stretch + t.limit);
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
          const Vec3 ga(t.gradient(a)[0], t.gradient(a)[1], 0), gb(t.gradient(b)[0], t.gradient(b)[1], 0);
          Mat3::Map(tangent.block(chunks_.slots(e)[3 * a + b])) +=
              w * (dv_scale * math::spin_force_dv(spin, F * ga, F * gb) +
                   dq_scale * math::spin_force_dq(spin, F * ga, F * gb, strain_rate * gb, ga.dot(gb)));
        }
    }
    return 0.0;
  });
}

std::shared_ptr<EnergyTerm> TriangleMembrane::remade(const double* values, const Replacements&) const {
  if (!parameter_.changes(values)) return nullptr;
  auto successor = std::make_shared<TriangleMembrane>(*this);
  successor->parameter_ = parameter_.with(values);
  for (int e = 0; e < num_elements(); ++e)
    successor->elements_[at(e)].stretch *= successor->parameter_.ratio(parameter_, e);
  return successor;
}

}  // namespace dashpot
