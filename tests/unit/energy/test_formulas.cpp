// Material formulas with nine numbers and no mesh: tangents as 9 x 9 matrices over vec(F).
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include "dashpot/energy/formula/green_strain.hpp"
#include "dashpot/energy/formula/stretch_laws.hpp"
#include "dashpot/energy/formula/stretch_tangent.hpp"
#include "material_cases.hpp"
#include "support/derivative_slope.hpp"
#include "support/portable_noise.hpp"

namespace dashpot::testing::test_formulas {
namespace {

using formula::Lame;
using formula::PointResponse;
using formula::TangentKind;
using Mat9 = Eigen::Matrix<double, 9, 9>;
using Vec9 = Eigen::Matrix<double, 9, 1>;

constexpr Lame<double> material{576.9, 384.6};

/// dP/dF as a matrix over vec(F), from its frame form.
Mat9 dense(const formula::FrameTangent<double>& t) {
  const Mat3 L = to_eigen(t.L), R = to_eigen(t.R);
  const auto basis = [&](int i, int j) -> Vec9 { return Vec9::Map(Mat3(L.col(i) * R.col(j).transpose()).data()); };
  Mat9 C = Mat9::Zero();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      C += t.H(i, j) * basis(i, i) * basis(j, j).transpose();
      if (i == j) continue;
      C += t.same(i, j) * basis(i, j) * basis(i, j).transpose() + t.swap(i, j) * basis(i, j) * basis(j, i).transpose();
    }
  if (!t.has_stress) return C;
  const Mat3 S = R * to_eigen(t.S) * R.transpose();
  for (int j = 0; j < 3; ++j)
    for (int l = 0; l < 3; ++l) C.block<3, 3>(3 * j, 3 * l) += S(j, l) * Mat3::Identity();
  return C;
}

Mat9 clamped(const Mat9& C) {
  const Eigen::SelfAdjointEigenSolver<Mat9> eigen(C);
  return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
}

/// Deformation gradients: random ones, then chosen stretches between two rotations.
std::vector<Mat3> gradients() {
  std::vector<Mat3> result;
  for (int k = 0; k < 200; ++k) {
    Mat3 F;
    for (int i = 0; i < 9; ++i) F(i) = (i % 4 == 0 ? 1 : 0) + 0.6 * rnd(9 * k + i);
    result.push_back(F);
  }
  const Mat3 U = rotation({0.4, -0.9, 0.3}), V = rotation({-0.2, 0.5, 1.1});
  for (const Vec3& s : {Vec3(1, 1, 1), Vec3(1.2, 1.2, 0.8), Vec3(0.7, 0.7, 0.7), Vec3(1.2, 1.2 - 1e-6, 1.2 - 2e-6),
                        Vec3(1.3, 0.8, -0.5), Vec3(1.3, 0.8, -0.8), Vec3(1.3, 0.8, -0.8 + 1e-7), Vec3(0.5, 0.4, 0.3)})
    result.push_back(U * s.asDiagonal() * V.transpose());
  return result;
}

template <class Law>
class StretchLaws : public ::testing::Test {
 public:
  static bool is_defined(const Mat3& F) { return !std::is_same_v<Law, formula::NeoHookean> || F.determinant() > 1e-3; }
  static PointResponse<double> respond(const Mat3& F, TangentKind kind) {
    PointResponse<double> out;
    formula::stretch_response<Law>(material, math::from_eigen(F), kind, out);
    return out;
  }
};
using AllLaws = ::testing::Types<formula::Corotational, formula::Arap, formula::StVenantKirchhoff, formula::NeoHookean,
                                 formula::StableNeoHookean>;
TYPED_TEST_SUITE(StretchLaws, AllLaws);

TYPED_TEST(StretchLaws, ProjectionIsTheNearestPositiveSemidefiniteTangent) {
  int indefinite = 0;
  for (const Mat3& F : gradients()) {
    if (!this->is_defined(F)) continue;
    const Mat9 exact = dense(this->respond(F, TangentKind::exact).tangent), expected = clamped(exact);
    indefinite += (expected - exact).norm() > 1e-6 * exact.norm();
    EXPECT_LT((dense(this->respond(F, TangentKind::projected).tangent) - expected).norm(), 1e-11 * (1 + exact.norm()))
        << F;
  }
  EXPECT_GT(indefinite, 20);
}

TYPED_TEST(StretchLaws, StressAndTangentAreDerivatives) {
  Vector d(9);
  for (int i = 0; i < 9; ++i) d[i] = rnd(900 + i);
  for (const Mat3& F : gradients()) {
    if (!this->is_defined(F) || F.determinant() < 0.05) continue;
    const auto stress = [&](const Vector& f) {
      return Vector(Vec9::Map(this->respond(Mat3::Map(f.data()), TangentKind::none).P.m));
    };
    const PointResponse<double> out = this->respond(F, TangentKind::exact);
    const Vector x = Vec9::Map(F.data());
    const SlopeResult slope = derivative_slope(stress, x, d, dense(out.tangent) * d, 1e-4);
    EXPECT_TRUE(slope.ok()) << F << "\n" << slope.slope << " " << slope.relative_remainder;
    const auto energy = [&](const Vector& f) {
      return Vector::Constant(1, this->respond(Mat3::Map(f.data()), TangentKind::none).psi).eval();
    };
    if (std::abs(Vec9::Map(out.P.m).dot(d)) > 1e-9) {
      EXPECT_TRUE(derivative_slope(energy, x, d, Vector::Constant(1, Vec9::Map(out.P.m).dot(d)), 1e-3).ok()) << F;
    }
  }
}

TYPED_TEST(StretchLaws, GaussNewtonPartIsTheTangentWithoutTheStressTermWhereThatIsPositive) {
  int compared = 0;
  for (const Mat3& F : gradients()) {
    if (!this->is_defined(F) || F.determinant() < 0.1) continue;
    const PointResponse<double> out = this->respond(F, TangentKind::exact);
    const Mat3 S = F.inverse() * to_eigen(out.P);  // second Piola-Kirchhoff stress
    Mat9 geometric = Mat9::Zero();
    for (int j = 0; j < 3; ++j)
      for (int l = 0; l < 3; ++l) geometric.block<3, 3>(3 * j, 3 * l) = S(j, l) * Mat3::Identity();
    const Mat9 expected = dense(out.tangent) - geometric,
               actual = dense(this->respond(F, TangentKind::gauss_newton).tangent);
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Mat9>(actual).eigenvalues()[0], -1e-11 * actual.norm());
    if (Eigen::SelfAdjointEigenSolver<Mat9>(expected).eigenvalues()[0] < -1e-9 * expected.norm()) continue;
    EXPECT_LT((actual - expected).norm(), 1e-9 * expected.norm()) << F;
    ++compared;
  }
  EXPECT_GT(compared, 20);
}

TYPED_TEST(StretchLaws, TangentIsFiniteAndProjectedOneStaysBoundedWhereStretchesCancel) {
  for (const double gap : {1e-3, 1e-6, 1e-9, 0.0}) {
    const Mat3 F = Vec3(1.3, 0.8, -0.8 + gap).asDiagonal();
    if (!this->is_defined(F)) continue;
    EXPECT_TRUE(dense(this->respond(F, TangentKind::exact).tangent).allFinite());
    EXPECT_TRUE(dense(this->respond(F, TangentKind::gauss_newton).tangent).allFinite());
  }
}

TEST(StVenantKirchhoffFormula, DirectPathEqualsThePathThroughStretches) {
  for (const Mat3& F : gradients()) {
    for (const TangentKind kind : {TangentKind::exact, TangentKind::gauss_newton}) {
      PointResponse<double> direct, stretched;
      formula::stvk_response(material, math::from_eigen(F), kind, direct);
      formula::stretch_response<formula::StVenantKirchhoff>(material, math::from_eigen(F), kind, stretched);
      ASSERT_GE(direct.psi, 0);
      EXPECT_NEAR(direct.psi, stretched.psi, 1e-12 * (1 + direct.psi));
      EXPECT_LT((to_eigen(direct.P) - to_eigen(stretched.P)).norm(), 1e-11 * (1 + to_eigen(direct.P).norm()));
      EXPECT_LT((dense(direct.tangent) - dense(stretched.tangent)).norm(), 1e-9 * dense(direct.tangent).norm()) << F;
    }
  }
}

TEST(StVenantKirchhoffFormula, GaussNewtonPartIsTheStrainRateOperator) {
  // F (C : sym(F^T dF)): the same operator that strain-rate damping uses.
  for (const Mat3& F : gradients()) {
    PointResponse<double> out;
    formula::stvk_response(material, math::from_eigen(F), TangentKind::gauss_newton, out);
    Mat3 dF;
    for (int i = 0; i < 9; ++i) dF(i) = rnd(70 + i);
    const Mat3 rate = 0.5 * (F.transpose() * dF + dF.transpose() * F);
    const Mat3 expected = F * (material.lambda * rate.trace() * Mat3::Identity() + 2 * material.mu * rate);
    EXPECT_LT((dense(out.tangent) * Vec9::Map(dF.data()) - Vec9::Map(expected.data())).norm(), 1e-12 * expected.norm());
  }
}

TEST(StVenantKirchhoffFormula, ForcesOfTheReferenceTetAreThoseWrittenOutByHand) {
  // TET1 of the reference with lambda = 30, mu = 20: S = lambda tr(E) I + 2 mu E, f_a = V F S g_a.
  Mat3 F;
  F << 1.2, 0.1, -0.1, 0.1, 0.9, 0.05, 0, 0.2, 1.3;
  PointResponse<double> out;
  formula::stvk_response(Lame<double>{30, 20}, math::from_eigen(F), TangentKind::none, out);
  const Mat3 E = 0.5 * (F.transpose() * F - Mat3::Identity());
  const Mat3 P = F * (30 * E.trace() * Mat3::Identity() + 40 * E);
  EXPECT_GT(P.norm(), 1);
  EXPECT_LT((to_eigen(out.P) - P).norm(), 1e-13 * P.norm());
  EXPECT_NEAR(out.psi, 15 * E.trace() * E.trace() + 20 * E.squaredNorm(), 1e-12);
}

}  // namespace
}  // namespace dashpot::testing::test_formulas
