#include "dashpot/energy/stvk_membrane.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>

#include "dashpot/core/error.hpp"

namespace dashpot {
namespace {

Mat3 matrix_of(const SheetStiffness& C) {
  Mat3 full;
  full << C[0], C[1], C[2], C[1], C[3], C[4], C[2], C[4], C[5];
  return full;
}

void check_stiffness(const std::string& body, const std::vector<SheetStiffness>& C, int num_triangles) {
  std::vector<Problem> problems;
  if (static_cast<int>(C.size()) != num_triangles)
    throw Error(Problem{body, fmt::format("stiffness of {} triangles", C.size()),
                        fmt::format("of each of {} triangles", num_triangles), ""});
  for (std::size_t e = 0; e < C.size() && problems.size() < 10; ++e) {
    const Mat3 full = matrix_of(C[e]);
    const bool good =
        full.allFinite() &&
        Eigen::SelfAdjointEigenSolver<Mat3>(full, Eigen::EigenvaluesOnly).eigenvalues()[0] >= -1e-12 * full.norm();
    if (!good)
      problems.push_back({fmt::format("{}: triangle {}", body, e), "a stiffness that would create energy",
                          "a positive semidefinite matrix", "lower Poisson's ratio"});
  }
  if (!problems.empty()) throw Error(problems);
}

}  // namespace

SheetStiffness isotropic_sheet(double young, double poisson, double thickness) {
  const double along = young * thickness / (1 - poisson * poisson);
  return {along, poisson * along, 0, along, 0, young * thickness / (2 * (1 + poisson))};
}

SheetStiffness woven_sheet(double warp, double weft, double shear, double poisson, double thickness) {
  const double scale = thickness / (1 - poisson * poisson * weft / warp);
  return {warp * scale, poisson * weft * scale, 0, weft * scale, 0, shear * thickness};
}

SheetStiffness turned(const SheetStiffness& C, double angle) {
  // Strains (E11, E22, 2 E12) in the material's axes from those in the triangle's: C' = T^T C T.
  const double c = std::cos(angle), s = std::sin(angle);
  Mat3 T;
  T << c * c, s * s, c * s, s * s, c * c, -c * s, -2 * c * s, 2 * c * s, c * c - s * s;
  const Mat3 full = T.transpose() * matrix_of(C) * T;
  return {full(0, 0), full(0, 1), full(0, 2), full(1, 1), full(1, 2), full(2, 2)};
}

double angle_in_triangle(const Vec3& direction, const Vec3& x0, const Vec3& x1, const Vec3& x2) {
  const Vec3 first = (x1 - x0).normalized(), normal = first.cross(x2 - x0), second = normal.cross(first).normalized();
  return std::atan2(direction.dot(second), direction.dot(first));
}

StvkMembrane::StvkMembrane(std::string body, std::shared_ptr<TriangleBatch> batch, const std::vector<SheetStiffness>& C,
                           const std::vector<Vec3>& X, int first_block)
    : body_(std::move(body)), batch_(std::move(batch)), rest_(X, first_block) {
  set_stiffness(C);
}

void StvkMembrane::set_stiffness(const std::vector<SheetStiffness>& C) {
  check_stiffness(body_, C, num_elements());
  packs_.assign(at(24 * batch_->num_packs()), 0.0);
  for (int i = 0; i < num_elements(); ++i)
    for (int k = 0; k < 6; ++k)
      packs_[at(24 * (i / 4) + 4 * k + i % 4)] = batch_->area(i) * C[at(batch_->original(i))][at(k)];
}

Moduli StvkMembrane::moduli() const {
  Moduli result;
  result.kind = Moduli::Kind::sheet;
  result.of_element.resize(at(6 * num_elements()));
  for (int i = 0; i < num_elements(); ++i)
    for (int k = 0; k < 6; ++k)
      result.of_element[at(6 * batch_->original(i) + k)] = packs_[at(24 * (i / 4) + 4 * k + i % 4)] / batch_->area(i);
  return result;
}

void StvkMembrane::set_parameters(ParameterList parameters, Stiffnesses stiffnesses) {
  parameters_ = std::move(parameters);
  stiffnesses_ = std::move(stiffnesses);
}

std::shared_ptr<EnergyTerm> StvkMembrane::remade(const double* values, const Replacements&) const {
  if (!stiffnesses_) return nullptr;
  auto successor = std::make_shared<StvkMembrane>(*this);
  successor->set_stiffness(stiffnesses_(values));
  for (ParameterInfo& info : successor->parameters_)
    for (double& value : info.values) value = *values++;
  return successor;
}

}  // namespace dashpot
