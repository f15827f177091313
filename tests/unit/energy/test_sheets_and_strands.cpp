// Laws that every energy of springs, sheets and strands obeys.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <functional>

#include "dashpot/core/parallel.hpp"
#include "dashpot/energy/bending.hpp"
#include "dashpot/energy/springs.hpp"
#include "dashpot/energy/triangle_membrane.hpp"
#include "dashpot/mesh/generate.hpp"
#include "dashpot/mesh/topology.hpp"
#include "support/derivative_slope.hpp"
#include "support/portable_noise.hpp"

namespace dashpot::testing::test_sheets_and_strands {
namespace {

constexpr int first_block = 2;

struct Energy {
  std::unique_ptr<EnergyTerm> term;
  const StiffnessSource* stiffness = nullptr;
  const ProjectiveForm* form = nullptr;
};
template <class Term>
Energy of(std::unique_ptr<Term> term) {
  const Term* plain = term.get();
  return {std::move(term), plain, plain};
}

struct Case {
  const char* name;
  std::function<Energy(const Mesh&)> make;
};

Mesh cloth(int cells_x = 4, int cells_z = 3) { return make_cloth(0.4, 0.3, {cells_x, cells_z}); }
/// The same sheet rolled onto a cylinder about z.
Mesh rolled(Mesh mesh, double radius) {
  for (Vec3& x : mesh.nodes) x = {radius * std::sin(x.x() / radius), radius * (1 - std::cos(x.x() / radius)), x.z()};
  return mesh;
}
const std::vector<int>& triangles_of(const Mesh& mesh) { return mesh.group(ElementKind::triangle)->nodes; }

Energy springs(const Mesh& mesh) {
  std::vector<int> edges;
  for (const auto& edge : unique_edges(mesh)) edges.insert(edges.end(), edge.begin(), edge.end());
  return of(std::make_unique<Springs>("s", Springs::along_edges(edges, mesh.nodes, 40), mesh.nodes, first_block));
}
Energy membrane(const Mesh& mesh, MembraneMaterial material) {
  const std::vector<int>& triangles = triangles_of(mesh);
  std::vector<int> of_triangle(triangles.size() / 3, 0);
  for (std::size_t e = 0; e < of_triangle.size(); e += 2) of_triangle[e] = 1;
  MembraneMaterial soft = material;
  soft.shear_modulus *= 0.5;
  return of(std::make_unique<TriangleMembrane>("s", triangles, mesh.nodes, first_block,
                                               std::vector<MembraneMaterial>{material, soft}, of_triangle));
}
Energy bending(const Mesh& mesh, RestBend rest) {
  const std::vector<int>& triangles = triangles_of(mesh);
  std::vector<double> stiffness(triangles.size() / 3, 0.02);
  stiffness[0] = 0.05;
  return of(std::make_unique<Bending>("s", 4, hinges(triangles, mesh.nodes, stiffness, rest), mesh.nodes, first_block));
}
Energy strands(const Mesh& mesh, RestBend rest) {
  std::vector<int> edges;  // rows of the cloth
  for (int i = 0; i + 4 < mesh.num_nodes(); ++i) edges.insert(edges.end(), {i, i + 4});
  return of(std::make_unique<Bending>("s", 3, strand_bends(edges, mesh.nodes, 0.02, rest), mesh.nodes, first_block));
}

const Case cases[] = {
    {"springs", springs},
    {"membrane",
     [](const Mesh& mesh) {
       return membrane(mesh, {2000, 0.01});
     }},
    {"membrane_with_strain_limits",
     [](const Mesh& mesh) {
       return membrane(mesh, {2000, 0.01, 9000, 0.95, 1.05});
     }},
    {"flat_bending", [](const Mesh& mesh) { return bending(mesh, RestBend::straight); }},
    {"curved_bending", [](const Mesh& mesh) { return bending(rolled(mesh, 0.08), RestBend::as_mesh); }},
    {"straight_strands", [](const Mesh& mesh) { return strands(mesh, RestBend::straight); }},
    {"curled_strands", [](const Mesh& mesh) { return strands(rolled(mesh, 0.2), RestBend::as_mesh); }},
};

class EverySheetOrStrand : public ::testing::TestWithParam<Case> {
 protected:
  EverySheetOrStrand() : EverySheetOrStrand(cloth()) {}
  explicit EverySheetOrStrand(const Mesh& flat) : mesh(flat), energy(GetParam().make(flat)) {
    PatternBuilder builder;
    energy.term->couple(builder);
    pattern = builder.build(3, first_block + mesh.num_nodes());
    energy.term->bind(*pattern);
  }
  int size() const { return pattern->num_dofs(); }
  Vector positions(const Mesh& shape) const {
    Vector q = Vector::Zero(size());
    for (int i = 0; i < shape.num_nodes(); ++i)
      q.segment<3>(3 * (first_block + i)) = shape.nodes[static_cast<std::size_t>(i)];
    return q;
  }
  Vector noise(int seed) const {
    Vector result = Vector::Zero(size());
    for (int i = 3 * first_block; i < size(); ++i) result[i] = rnd(seed + i);
    return result;
  }
  /// Bent, stretched and shaken: springs and triangles in tension and in compression.
  Vector shaken() const { return positions(rolled(mesh, 0.3)) + 0.02 * noise(7); }
  Vector gradient(const Vector& q) const {
    Vector g = Vector::Zero(size());
    EnergyRequest request{q};
    request.gradient = &g;
    energy.term->evaluate(request);
    return g;
  }
  void expect_same_forces(const Vector& q, double tolerance) const {
    BlockMatrix K(pattern);
    Vector g = Vector::Zero(size());
    EnergyRequest request{q};
    request.gradient = &g;
    request.hessian = &K;
    const double psi = energy.term->evaluate(request);
    ASSERT_GT(g.norm(), 0);
    EXPECT_LT((gradient(q) - g).norm(), tolerance * (g.norm() + laplacian(q).norm()));
    EXPECT_NEAR(energy.term->evaluate({q}), psi, tolerance * psi);
  }
  Matrix hessian(const Vector& q, Projection projection = Projection::none) const {
    BlockMatrix K(pattern);
    EnergyRequest request{q};
    request.hessian = &K;
    request.projection = projection;
    energy.term->evaluate(request);
    return K.dense();
  }
  std::vector<double> ones() const {
    return std::vector<double>(static_cast<std::size_t>(energy.form->num_elements()), 1.0);
  }
  /// L on vectors.
  Vector laplacian(const Vector& x) const {
    std::vector<double> of_slot(static_cast<std::size_t>(pattern->num_slots()), 0.0);
    energy.form->add_laplacian(ones(), of_slot);
    Vector result = Vector::Zero(size());
    for (int row = 0; row < pattern->num_blocks(); ++row)
      for (int s = pattern->row_start()[static_cast<std::size_t>(row)];
           s < pattern->row_start()[static_cast<std::size_t>(row) + 1]; ++s)
        result.segment<3>(3 * row) +=
            of_slot[static_cast<std::size_t>(s)] * x.segment<3>(3 * pattern->column()[static_cast<std::size_t>(s)]);
    return result;
  }
  Vector projection(const Vector& q) const {
    Vector f = Vector::Zero(size());
    const auto scratch = energy.form->make_projection_scratch(ProjectionPrecision::double_precision);
    energy.form->begin_projection(q, scratch.get());
    energy.form->add_projection(q, scratch.get(), f);
    return f;
  }
  /// L v without local rotation.
  Vector spinless(const Vector& q, const Vector& v) const {
    Vector spin = Vector::Zero(size());
    energy.form->add_spin_force(q, v, ones(), spin);
    return laplacian(v) - spin;
  }
  static Vec3 torque(const Vector& q, const Vector& f) {
    Vec3 sum = Vec3::Zero();
    for (int i = 0; i < q.size(); i += 3) sum += Vec3(q.segment<3>(i)).cross(Vec3(f.segment<3>(i)));
    return sum;
  }
  Vector spinning(const Vector& q) const {
    Vector spin(size());
    for (int i = 0; i < size(); i += 3) spin.segment<3>(i) = Vec3(0.3, -0.7, 0.2).cross(Vec3(q.segment<3>(i)));
    return spin;
  }
  static double least_eigenvalue(const Matrix& K) { return Eigen::SelfAdjointEigenSolver<Matrix>(K).eigenvalues()[0]; }

  Mesh mesh;
  Energy energy;
  std::shared_ptr<const BlockPattern> pattern;
};

TEST_P(EverySheetOrStrand, ForceAndStiffnessAreDerivativesOfTheEnergy) {
  const Vector q = shaken(), d = noise(50) * 0.05;
  const auto psi = [&](const Vector& x) { return Vector::Constant(1, energy.term->evaluate({x})).eval(); };
  EXPECT_TRUE(derivative_slope(psi, q, d, Vector::Constant(1, gradient(q).dot(d))).ok());
  EXPECT_TRUE(derivative_slope([&](const Vector& x) { return gradient(x); }, q, d, hessian(q) * d).ok());
}

TEST_P(EverySheetOrStrand, ProjectedAndGaussNewtonStiffnessHaveNoNegativeEigenvalue) {
  const Vector q = shaken();
  const Matrix exact = hessian(q), projected = hessian(q, Projection::positive_semidefinite);
  BlockMatrix K(pattern);
  energy.stiffness->add_stiffness(q, StiffnessPart::gauss_newton, ones(), K);
  ASSERT_GT(K.dense().norm(), 1e-3 * exact.norm());
  EXPECT_GT(least_eigenvalue(projected), -1e-12 * exact.norm());
  EXPECT_GT(least_eigenvalue(K.dense()), -1e-12 * exact.norm());
  if (energy.term->is_quadratic())
    EXPECT_EQ((projected - exact).norm(), 0);
  else
    EXPECT_LT(least_eigenvalue(exact), -1e-4 * exact.norm()) << "something is compressed";
}

TEST_P(EverySheetOrStrand, QuadraticEnergiesHaveOneHessian) {
  const Matrix here = hessian(shaken()), there = hessian(positions(mesh));
  ASSERT_GT(here.norm(), 0);
  EXPECT_EQ(energy.term->is_quadratic(), (here - there).norm() < 1e-12 * here.norm());
}

TEST_P(EverySheetOrStrand, GaussNewtonStiffnessDoesNotResistRotation) {
  const Vector q = shaken();
  BlockMatrix K(pattern);
  energy.stiffness->add_stiffness(q, StiffnessPart::gauss_newton, ones(), K);
  ASSERT_GT(K.dense().norm(), 0);
  EXPECT_LT((K.dense() * spinning(q)).norm(), 1e-12 * K.dense().norm() * q.norm());
  EXPECT_GT((K.dense() * noise(3)).norm(), 1e-3 * K.dense().norm());
}

TEST_P(EverySheetOrStrand, RestStiffnessIgnoresThePose) {
  BlockMatrix K(pattern), other(pattern);
  energy.stiffness->add_stiffness(shaken(), StiffnessPart::rest, ones(), K);
  energy.stiffness->add_stiffness(Vector::Zero(size()), StiffnessPart::rest, ones(), other);
  ASSERT_GT(K.dense().norm(), 0);
  EXPECT_EQ((K.dense() - other.dense()).norm(), 0);
}

TEST_P(EverySheetOrStrand, RigidMotionChangesNothingButTheDirectionOfForces) {
  const Vector q = shaken();
  const Mat3 R = Eigen::AngleAxisd(1.1, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
  Vector moved(size()), turned(size());
  const Vector g = gradient(q);
  for (int i = 0; i < size(); i += 3) {
    moved.segment<3>(i) = R * q.segment<3>(i) + Vec3(3, 2, -1);
    turned.segment<3>(i) = R * g.segment<3>(i);
  }
  const double psi = energy.term->evaluate({q});
  ASSERT_GT(psi, 0);
  EXPECT_NEAR(energy.term->evaluate({moved}), psi, 1e-12 * psi);
  EXPECT_LT((gradient(moved) - turned).norm(), 1e-12 * g.norm());
}

TEST_P(EverySheetOrStrand, ForcesAndTorquesSumToZero) {
  const Vector q = shaken(), g = gradient(q);
  ASSERT_GT(g.norm(), 0);
  Vec3 total = Vec3::Zero();
  for (int i = 0; i < size(); i += 3) total += g.segment<3>(i);
  EXPECT_LT(total.norm(), 1e-13 * g.norm());
  EXPECT_LT(torque(q, g).norm(), 1e-13 * g.norm());
  EXPECT_EQ(g.head(3 * first_block).norm(), 0) << "blocks of other bodies";
}

TEST_P(EverySheetOrStrand, LaplacianTimesPositionsMinusProjectionsIsTheForce) {
  const Vector q = shaken(), g = gradient(q);
  ASSERT_GT(g.norm(), 0);
  EXPECT_LT((laplacian(q) - projection(q) - g).norm(), 1e-12 * g.norm());
}

TEST_P(EverySheetOrStrand, TheLaplacianIsABoundOnTheStiffness) {
  const Vector q = shaken(), d = noise(5);
  ASSERT_GT(d.dot(laplacian(d)), 0);
  for (int trial = 0; trial < 20; ++trial) {
    const Vector x = noise(100 + 31 * trial);
    EXPECT_GE(x.dot(laplacian(x)) * (1 + 1e-12), x.dot(hessian(q) * x));
  }
}

TEST_P(EverySheetOrStrand, WithoutLocalRotationTheLaplacianExertsNoTorqueAndIgnoresRigidMotion) {
  const Vector q = shaken(), v = noise(11);
  const Vector f = spinless(q, v);
  ASSERT_GT(f.norm(), 1e-3 * laplacian(v).norm());
  EXPECT_GT(torque(q, laplacian(v)).norm(), 1e-6 * f.norm()) << "the plain Laplacian does";
  EXPECT_LT(torque(q, f).norm(), 1e-12 * f.norm());
  EXPECT_GT(v.dot(f), 0);
  EXPECT_LT((spinless(q, q) - laplacian(q)).norm(), 1e-12 * laplacian(q).norm()) << "growing is no rotation";
  ASSERT_GT(laplacian(spinning(q)).norm(), 0);
  EXPECT_LT(spinless(q, spinning(q)).norm(), 1e-11 * laplacian(spinning(q)).norm());
}

TEST_P(EverySheetOrStrand, CollapsedShapesGiveFiniteNumbers) {
  Vector line = positions(mesh), folded = line;
  for (int i = 0; i < size(); i += 3) line.segment<3>(i) = Vec3(line[i], 0, 0);
  for (int i = 0; i < size(); i += 3) folded[i] = std::abs(folded[i] - 0.2);
  for (const Vector& q : {Vector::Zero(size()).eval(), line, folded}) {
    EXPECT_TRUE(std::isfinite(energy.term->evaluate({q})));
    EXPECT_TRUE(gradient(q).allFinite());
    EXPECT_TRUE(hessian(q, Projection::positive_semidefinite).allFinite());
    EXPECT_TRUE(projection(q).allFinite());
    EXPECT_TRUE(spinless(q, noise(3)).allFinite());
    BlockMatrix K(pattern);
    energy.stiffness->add_stiffness(q, StiffnessPart::gauss_newton, ones(), K);
    EXPECT_TRUE(K.dense().allFinite());
    EXPECT_LT((laplacian(q) - projection(q) - gradient(q)).norm(), 1e-12 * (1 + projection(q).norm()));
  }
}

// Forces alone take packs of four elements and formulas of their own, forces with the stiffness singular values.
TEST_P(EverySheetOrStrand, ForcesAloneAndWithTheStiffnessAreTheSame) {
  expect_same_forces(shaken(), 1e-13);
  expect_same_forces(shaken() + 0.2 * noise(9), 1e-13);  // far beyond every limit
  for (const double width : {1e-2, 1e-3, 1e-4, 1e-5}) {  // the direction across is known to 1e-16 / width
    Vector thin = shaken();
    for (int i = 2; i < size(); i += 3) thin[i] *= width;
    for (int i = 1; i < size(); i += 3) thin[i] *= width;
    const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, -1).normalized()).toRotationMatrix();
    for (int i = 0; i < size(); i += 3) thin.segment<3>(i) = turn * thin.segment<3>(i);
    expect_same_forces(thin, 1e-14 / width);
  }
}

/// The same laws on a sheet of several chunks and ranges.
class LargeSheetOrStrand : public EverySheetOrStrand {
 protected:
  LargeSheetOrStrand() : EverySheetOrStrand(cloth(100, 6)) {}
};

TEST_P(LargeSheetOrStrand, ForcesAloneAndWithTheStiffnessAreTheSame) { expect_same_forces(shaken(), 1e-13); }

TEST_P(LargeSheetOrStrand, WithoutLocalRotationTheLaplacianExertsNoForceOnASpinningSheet) {
  const Vector q = shaken();
  Vector v(size());
  for (int i = 0; i < size(); i += 3) v.segment<3>(i) = Vec3(1, -2, 0.5).cross(q.segment<3>(i));
  ASSERT_GT(laplacian(v).norm(), 1e-3);
  EXPECT_LT(spinless(q, v).norm(), 1e-12 * laplacian(v).norm());
}

TEST_P(LargeSheetOrStrand, BitsDoNotDependOnTheNumberOfThreads) {
  const Vector q = shaken();
  const int before = num_threads();
  set_num_threads(1);
  const Vector one = gradient(q), projected = projection(q), spin = spinless(q, noise(4));
  const double psi = energy.term->evaluate({q});
  set_num_threads(before);
  ASSERT_GT(one.norm(), 0);
  EXPECT_EQ((gradient(q) - one).norm(), 0);
  EXPECT_EQ((projection(q) - projected).norm(), 0);
  EXPECT_EQ((spinless(q, noise(4)) - spin).norm(), 0);
  EXPECT_EQ(energy.term->evaluate({q}), psi);
  EXPECT_LT((laplacian(q) - projected - one).norm(), 1e-11 * one.norm());
}

const auto case_name = [](const auto& info) { return std::string(info.param.name); };
INSTANTIATE_TEST_SUITE_P(Energies, EverySheetOrStrand, ::testing::ValuesIn(cases), case_name);
INSTANTIATE_TEST_SUITE_P(Energies, LargeSheetOrStrand, ::testing::ValuesIn(cases), case_name);

}  // namespace
}  // namespace dashpot::testing::test_sheets_and_strands
