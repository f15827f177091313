// St. Venant-Kirchhoff sheets and bending by dihedral angles.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <numbers>

#include "dashpot/core/error.hpp"
#include "dashpot/energy/hinge_bending.hpp"
#include "dashpot/energy/stvk_membrane.hpp"
#include "support/derivative_slope.hpp"
#include "support/rolled_cloth.hpp"

namespace dashpot::testing::test_cloth_energies {
namespace {

using std::numbers::pi;

std::unique_ptr<EnergyTerm> membrane(const RolledCloth& cloth) {
  std::vector<SheetStiffness> C;
  for (std::size_t e = 0; e < cloth.num_triangles(); ++e)
    C.push_back(turned(woven_sheet(3000, 800, 200, 0.2, 0.01), 0.3 * rnd(static_cast<int>(e))));
  return std::make_unique<StvkMembrane>(
      "cloth", std::make_shared<TriangleBatch>(cloth.X(), cloth.triangles(), RolledCloth::first_block), C, cloth.X(),
      RolledCloth::first_block);
}
std::unique_ptr<EnergyTerm> bending(const RolledCloth& cloth, RestBend rest) {
  return std::make_unique<HingeBending>(
      "cloth", hinges(cloth.triangles(), cloth.X(), std::vector<double>(cloth.num_triangles(), 0.02)), cloth.X(),
      RolledCloth::first_block, rest);
}

class EveryClothEnergy : public ::testing::TestWithParam<int> {
 protected:
  RolledCloth cloth;
  std::unique_ptr<EnergyTerm> energy =
      GetParam() == 0 ? membrane(cloth) : bending(cloth, GetParam() == 1 ? RestBend::as_mesh : RestBend::straight);
  void SetUp() override { cloth.bind(*energy); }
  Vector gradient(const Vector& q) const {
    Vector g = Vector::Zero(q.size());
    EnergyRequest request{q};
    request.gradient = &g;
    energy->evaluate(request);
    return g;
  }
  Matrix hessian(Projection projection) const {
    BlockMatrix H(cloth.pattern);
    EnergyRequest request{cloth.q};
    request.hessian = &H;
    request.projection = projection;
    energy->evaluate(request);
    return H.dense();
  }
};

TEST_P(EveryClothEnergy, GradientAndHessianAreDerivatives) {
  const Vector d = cloth.direction();
  const auto psi = [&](const Vector& q) { return Vector::Constant(1, energy->evaluate(EnergyRequest{q})); };
  EXPECT_TRUE(derivative_slope(psi, cloth.q, d, Vector::Constant(1, gradient(cloth.q).dot(d)), 1e-3).ok());
  const Matrix H = hessian(Projection::none);
  EXPECT_TRUE(derivative_slope([&](const Vector& q) { return gradient(q); }, cloth.q, d, H * d, 1e-3).ok());
  EXPECT_LT((H - H.transpose()).norm(), 1e-12 * H.norm());
}

TEST_P(EveryClothEnergy, ProjectedHessiansAreSemidefiniteAndTheExactOneIsNot) {
  const Matrix H = hessian(Projection::positive_semidefinite), exact = hessian(Projection::none);
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<Matrix>(H, Eigen::EigenvaluesOnly).eigenvalues()[0], -1e-10 * H.norm());
  EXPECT_LT(Eigen::SelfAdjointEigenSolver<Matrix>(exact, Eigen::EigenvaluesOnly).eigenvalues()[0], -1e-6 * H.norm());
}

TEST_P(EveryClothEnergy, RigidMotionChangesNothing) {
  const double before = energy->evaluate(EnergyRequest{cloth.q});
  const Mat3 R = Eigen::AngleAxisd(1.3, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
  Vector moved = cloth.q;
  for (Eigen::Index i = 3 * RolledCloth::first_block; i < moved.size(); i += 3)
    moved.segment<3>(i) = R * Vec3(cloth.q.segment<3>(i)) + Vec3(3, 1, -2);
  EXPECT_NEAR(energy->evaluate(EnergyRequest{moved}), before, 1e-10 * before);
  const Vector g = gradient(cloth.q);
  Vec3 sum = Vec3::Zero(), torque = Vec3::Zero();
  for (Eigen::Index i = 3 * RolledCloth::first_block; i < g.size(); i += 3) {
    sum += g.segment<3>(i);
    torque += Vec3(cloth.q.segment<3>(i)).cross(Vec3(g.segment<3>(i)));
  }
  EXPECT_LT(sum.norm() + torque.norm(), 1e-12 * g.norm());
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryClothEnergy, ::testing::Values(0, 1, 2));

/// A flat sheet of 6 x 4 cells in the plane y = 0, moved by a function.
struct FlatSheet {
  Mesh mesh = make_cloth(0.6, 0.4, {6, 4});
  template <class Move>
  Vector moved(const Move& move) const {
    Vector q(3 * mesh.num_nodes());
    for (int i = 0; i < mesh.num_nodes(); ++i) q.segment<3>(3 * i) = move(mesh.nodes[static_cast<std::size_t>(i)]);
    return q;
  }
  const std::vector<int>& triangles() const { return mesh.group(ElementKind::triangle)->nodes; }
};

TEST(StvkMembrane, StretchAndShearOfAWovenSheetCostWhatItsModuliSay) {
  const FlatSheet sheet;
  const auto batch = std::make_shared<TriangleBatch>(sheet.mesh.nodes, sheet.triangles(), 0);
  const double warp = 3000, weft = 800, shear = 200, nu = 0.2, h = 0.01, area = 0.6 * 0.4;
  std::vector<SheetStiffness> C;
  for (std::size_t e = 0; 3 * e < sheet.triangles().size(); ++e) {
    const auto x = [&](std::size_t a) {
      return sheet.mesh.nodes[static_cast<std::size_t>(sheet.triangles()[3 * e + a])];
    };
    C.push_back(turned(woven_sheet(warp, weft, shear, nu, h), angle_in_triangle({1, 0, 0}, x(0), x(1), x(2))));
  }
  const StvkMembrane energy("cloth", batch, C, sheet.mesh.nodes, 0);
  const auto psi = [&](const Mat3& F) {
    return energy.evaluate(EnergyRequest{sheet.moved([&](const Vec3& x) -> Vec3 { return F * x; })});
  };
  const double a = warp * h / (1 - nu * nu * weft / warp), b = weft * h / (1 - nu * nu * weft / warp);
  const auto green = [](double s) { return 0.5 * (s * s - 1); };
  EXPECT_NEAR(psi(Vec3(1.1, 1, 1).asDiagonal()), area / 2 * a * green(1.1) * green(1.1), 1e-12);
  EXPECT_NEAR(psi(Vec3(1, 1, 0.9).asDiagonal()), area / 2 * b * green(0.9) * green(0.9), 1e-12);
  Mat3 sheared = Mat3::Identity();
  sheared(0, 2) = 0.2;  // x += 0.2 z: E_xz = 0.1, E_zz = 0.02
  EXPECT_NEAR(psi(sheared), area / 2 * (shear * h * 0.04 + b * 0.02 * 0.02), 1e-12);
  EXPECT_NEAR(psi(Mat3::Identity()), 0, 1e-18);
  // Pulled along the warp, free across: contraction nu, energy of the warp's own modulus.
  const double E1 = green(1.02), across = -nu * E1;
  EXPECT_NEAR(psi(Vec3(1.02, 1, std::sqrt(1 + 2 * across)).asDiagonal()), area / 2 * warp * h * E1 * E1, 1e-12);
}

TEST(StvkMembrane, StiffnessesThatCouldCreateEnergyAreRefused) {
  const FlatSheet sheet;
  const auto batch = std::make_shared<TriangleBatch>(sheet.mesh.nodes, sheet.triangles(), 0);
  const std::size_t count = sheet.triangles().size() / 3;
  const auto make = [&](const SheetStiffness& C) {
    StvkMembrane("cloth", batch, std::vector<SheetStiffness>(count, C), sheet.mesh.nodes, 0);
  };
  EXPECT_NO_THROW(make(isotropic_sheet(1000, 0.3, 0.01)));
  EXPECT_THROW(make({1, 2, 0, 1, 0, 1}), Error);
  EXPECT_THROW(make({1, 0, 0, 1, 0, std::nan("")}), Error);
}

TEST(HingeBending, ASheetRolledUpHasTheEnergyOfACylinder) {
  const FlatSheet sheet;
  const double k = 0.03, R = 1.5, area = 0.6 * 0.4;
  const HingeBending energy(
      "cloth", hinges(sheet.triangles(), sheet.mesh.nodes, std::vector<double>(sheet.triangles().size() / 3, k)),
      sheet.mesh.nodes, 0, RestBend::straight);
  const Vector rolled = sheet.moved([&](const Vec3& x) -> Vec3 {
    return {R * std::sin(x.x() / R), R * (1 - std::cos(x.x() / R)), x.z()};
  });
  // Cells at the two ends have no hinge outside: 5 of 6 rows bend.
  EXPECT_NEAR(energy.evaluate(EnergyRequest{rolled}), 5.0 / 6 * k * area / (2 * R * R), 0.03 * k * area / (2 * R * R));
  EXPECT_NEAR(energy.evaluate(EnergyRequest{sheet.moved([](const Vec3& x) { return x; })}), 0, 1e-18);
}

TEST(HingeBending, ACurvedRestShapeIsNotItsMirrorImage) {
  RolledCloth cloth(0);
  const auto energy = bending(cloth, RestBend::as_mesh);
  EXPECT_NEAR(energy->evaluate(EnergyRequest{cloth.q}), 0, 1e-18);
  Vector mirrored = cloth.q;
  for (Eigen::Index i = 1; i < mirrored.size(); i += 3) mirrored[i] = -mirrored[i];
  EXPECT_GT(energy->evaluate(EnergyRequest{mirrored}), 1e-3);
}

TEST(HingeBending, AngleIsTheOneBetweenTheNormals) {
  for (const double angle : {-2.5, -0.4, 0.0, 0.3, 1.2, 3.0}) {
    const double folded = dihedral_angle({0, 0, 0}, {2, 0, 0}, {0.3, std::cos(angle), std::sin(angle)}, {1, -1.5, 0});
    EXPECT_NEAR(folded, angle, 1e-12);
  }
}

}  // namespace
}  // namespace dashpot::testing::test_cloth_energies
