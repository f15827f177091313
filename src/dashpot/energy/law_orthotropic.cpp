#include <fmt/format.h>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "dashpot/core/error.hpp"
#include "dashpot/energy/formula/green_strain.hpp"
#include "dashpot/energy/material_maker.hpp"
#include "dashpot/energy/materials.hpp"
#include "dashpot/energy/tet_elasticity_of.hpp"

namespace dashpot {
namespace {

struct OrthotropicLaw {
  static constexpr const char* name = "orthotropic_stvk";
  static constexpr bool is_quadratic = false;
  template <class T>
  using Parameters = formula::OrthotropicStiffness<T>;
  static formula::OrthotropicStiffness<math::Pack4> pack(const formula::OrthotropicStiffness<double> m[4]) {
    formula::OrthotropicStiffness<math::Pack4> result;
    for (int k = 0; k < 6; ++k) {
      result.normal.m[k] = {m[0].normal.m[k], m[1].normal.m[k], m[2].normal.m[k], m[3].normal.m[k]};
      result.shear.m[k] = {m[0].shear.m[k], m[1].shear.m[k], m[2].shear.m[k], m[3].shear.m[k]};
    }
    for (int k = 0; k < 9; ++k) result.Q.m[k] = {m[0].Q.m[k], m[1].Q.m[k], m[2].Q.m[k], m[3].Q.m[k]};
    return result;
  }
  template <class T>
  static void respond(const formula::OrthotropicStiffness<T>& m, const math::Matrix3<T>& F, formula::TangentKind kind,
                      formula::PointResponse<T>& out) {
    formula::orthotropic_response(m, F, kind, out);
  }
};

/// Normal part of the compliance [1/Pa].
Mat3 compliance(const Orthotropic& m) {
  Mat3 c;
  c << 1 / m.E1, -m.nu12 / m.E1, -m.nu31 / m.E3,  //
      -m.nu12 / m.E1, 1 / m.E2, -m.nu23 / m.E2,   //
      -m.nu31 / m.E3, -m.nu23 / m.E2, 1 / m.E3;
  return c;
}

void check(const Orthotropic& m, std::size_t index, std::vector<Problem>& problems) {
  const std::string place = fmt::format("material {}", index);
  const std::pair<const char*, double> moduli[] = {{"E1", m.E1},   {"E2", m.E2},   {"E3", m.E3},
                                                   {"G12", m.G12}, {"G23", m.G23}, {"G31", m.G31}};
  bool positive = true;
  for (const auto& [name, value] : moduli)
    if (!(value > 0) || !std::isfinite(value)) {
      problems.push_back({place, fmt::format("{} = {:.6g} Pa", name, value), fmt::format("{} > 0", name), ""});
      positive = false;
    }
  if (!((m.axes.transpose() * m.axes - Mat3::Identity()).norm() < 1e-6) || !(m.axes.determinant() > 0))
    problems.push_back(
        {place, "material axes that are not orthonormal and right-handed", "three orthogonal unit vectors", ""});
  if (!positive) return;
  // Scaled to a unit diagonal, so that the test does not depend on units.
  const Vec3 scale = Vec3(m.E1, m.E2, m.E3).cwiseSqrt();
  const Mat3 scaled = scale.asDiagonal() * compliance(m) * scale.asDiagonal();
  if (!scaled.allFinite() ||
      !(Eigen::SelfAdjointEigenSolver<Mat3>(scaled, Eigen::EigenvaluesOnly).eigenvalues()[0] > 1e-9))
    problems.push_back({place,
                        fmt::format("nu12 = {:.6g}, nu23 = {:.6g}, nu31 = {:.6g}: the material would create energy",
                                    m.nu12, m.nu23, m.nu31),
                        fmt::format("a positive definite compliance: |nu12| < {:.4g}, |nu23| < {:.4g}, |nu31| < "
                                    "{:.4g}, and all three together",
                                    std::sqrt(m.E1 / m.E2), std::sqrt(m.E2 / m.E3), std::sqrt(m.E3 / m.E1)),
                        "lower the Poisson ratios"});
}

formula::OrthotropicStiffness<double> stiffness(const Orthotropic& m) {
  const Mat3 C = compliance(m).inverse();
  formula::OrthotropicStiffness<double> result{};
  result.normal = {{C(0, 0), C(1, 1), C(2, 2), C(0, 1), C(0, 2), C(1, 2)}};
  result.shear = {{0, 0, 0, m.G12, m.G31, m.G23}};
  result.Q = math::from_eigen(m.axes);
  return result;
}

/// The upper triangle of the stiffness in the axes of the body, as Moduli::Kind::solid wants it.
std::vector<double> solid_moduli(const Orthotropic& m) {
  const Mat3 C = compliance(m).inverse();
  Mat3 G;  // shear moduli between two axes
  G << 0, m.G12, m.G31, m.G12, 0, m.G23, m.G31, m.G23, 0;
  constexpr int first[6] = {0, 1, 2, 0, 0, 1}, second[6] = {0, 1, 2, 1, 2, 2};
  std::vector<double> upper;
  for (int i = 0; i < 6; ++i)
    for (int k = i; k < 6; ++k) {
      Mat3 E = Mat3::Zero();  // the unit strain k: half in both places off the diagonal
      E(first[k], second[k]) = E(second[k], first[k]) = k < 3 ? 1 : 0.5;
      E = m.axes.transpose() * E * m.axes;
      Mat3 S = 2 * G.cwiseProduct(E);
      S.diagonal() = C * E.diagonal();
      S = m.axes * S * m.axes.transpose();
      upper.push_back(S(first[i], second[i]));
    }
  return upper;
}

/// All values of a parameter, of the whole body and of its regions.
void list_values(const Partwise<Vec3>& parts, const char* name, Quantity quantity, double low, ParameterList& list) {
  for (std::size_t k = 0; k < parts.values.size(); ++k) {
    const Vec3& v = parts.values[k];
    list.push_back(
        {parts.names[k] + name, quantity, {v[0], v[1], v[2]}, low, std::numeric_limits<double>::infinity(), true});
  }
}

}  // namespace

std::unique_ptr<TetElasticity> make_orthotropic_parts(std::string body, std::shared_ptr<TetBatch> batch,
                                                      const OrthotropicParts& parts) {
  const maker::Combinations found = maker::combinations(
      batch->num_tets(),
      {&parts.young.of_element, &parts.poisson.of_element, &parts.shear.of_element, &parts.axes.of_element});
  std::vector<Orthotropic> materials;
  std::vector<Problem> problems;
  for (const int e : found.element) {
    const Vec3 &E = parts.young.of(e), &nu = parts.poisson.of(e), &G = parts.shear.of(e);
    materials.push_back({E[0], E[1], E[2], nu[0], nu[1], nu[2], G[0], G[1], G[2], parts.axes.of(e)});
    check(materials.back(), materials.size() - 1, problems);
  }
  if (!problems.empty()) throw Error(problems);
  std::vector<formula::OrthotropicStiffness<double>> parameters;
  for (const Orthotropic& m : materials) parameters.push_back(stiffness(m));
  auto energy = std::make_unique<TetElasticityOf<OrthotropicLaw>>(body, batch, [&](int e) {
    return parameters[static_cast<std::size_t>(found.of_element[static_cast<std::size_t>(e)])];
  });
  energy->set_moduli([materials, of_element = found.of_element] {
    Moduli moduli{Moduli::Kind::solid, {}, {}};
    std::vector<std::vector<double>> of_material;
    for (const Orthotropic& m : materials) of_material.push_back(solid_moduli(m));
    for (const int k : of_element) {
      const std::vector<double>& numbers = of_material[static_cast<std::size_t>(k)];
      moduli.of_element.insert(moduli.of_element.end(), numbers.begin(), numbers.end());
    }
    return moduli;
  });
  ParameterList list;
  list_values(parts.young, "young", Quantity::pressure, 0, list);
  list_values(parts.poisson, "poisson", Quantity::number, -std::numeric_limits<double>::infinity(), list);
  list_values(parts.shear, "shear", Quantity::pressure, 0, list);
  energy->set_parameters(std::move(list), [body = std::move(body), batch, parts](const double* values) {
    OrthotropicParts others = parts;
    for (Partwise<Vec3>* each : {&others.young, &others.poisson, &others.shear})
      for (Vec3& value : each->values) {
        value = Vec3(values);
        values += 3;
      }
    return make_orthotropic_parts(body, batch, others);
  });
  return energy;
}

std::unique_ptr<TetElasticity> make_orthotropic(std::string body, std::shared_ptr<TetBatch> batch,
                                                const std::vector<Orthotropic>& materials,
                                                const std::vector<int>& of_element) {
  std::vector<Problem> problems;
  for (std::size_t k = 0; k < materials.size(); ++k) check(materials[k], k, problems);
  if (!problems.empty()) throw Error(problems);
  OrthotropicParts parts;
  parts.young.of_element = maker::checked_of_element(of_element, batch->num_tets(), materials.size());
  parts.young.values.clear();
  parts.young.names.clear();
  for (std::size_t k = 0; k < materials.size(); ++k)
    parts.young.names.push_back(k == 0 ? "" : fmt::format("materials/{}/", k));
  parts.poisson = parts.shear = parts.young;
  parts.axes = {{}, parts.young.names, parts.young.of_element};
  for (const Orthotropic& m : materials) {
    parts.young.values.emplace_back(m.E1, m.E2, m.E3);
    parts.poisson.values.emplace_back(m.nu12, m.nu23, m.nu31);
    parts.shear.values.emplace_back(m.G12, m.G23, m.G31);
    parts.axes.values.push_back(m.axes);
  }
  return make_orthotropic_parts(std::move(body), std::move(batch), parts);
}

}  // namespace dashpot
