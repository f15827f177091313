#include "dashpot/modes/vibration_modes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "dashpot/core/error.hpp"
#include "dashpot/core/parallel.hpp"
#include "dashpot/modes/shift_invert.hpp"
#include "support/tet_bar.hpp"

namespace dashpot::test_vibration_modes {
namespace {

using testing::make_tet_bar;
using testing::TetBar;
using testing::TetBarOptions;

struct Chain {
  BlockMatrix K, M;
  std::vector<std::uint8_t> is_free;
};

/// Masses joined by springs [N/m]; spring i joins mass i-1 and i, spring 0 the wall (0: floating).
Chain make_chain(const std::vector<double>& mass, const std::vector<double>& spring) {
  const int n = static_cast<int>(mass.size());
  std::vector<int> start{0}, couplings;
  for (int i = 1; i < n; ++i) {
    couplings.insert(couplings.end(), {i - 1, i});
    start.push_back(2 * i);
  }
  const auto pattern = std::make_shared<BlockPattern>(1, n, start, couplings);
  Chain chain{BlockMatrix(pattern), BlockMatrix(pattern), std::vector<std::uint8_t>(mass.size(), 1)};
  for (int i = 0; i < n; ++i) {
    const double k = spring[static_cast<std::size_t>(i)];
    chain.M.block(pattern->diagonal_slot(i))[0] = mass[static_cast<std::size_t>(i)];
    chain.K.block(pattern->diagonal_slot(i))[0] += k;
    if (i == 0) continue;
    chain.K.block(pattern->diagonal_slot(i - 1))[0] += k;
    chain.K.block(pattern->slot(i, i - 1))[0] -= k;
    chain.K.block(pattern->slot(i - 1, i))[0] -= k;
  }
  return chain;
}

ModesOptions modes(int count) {
  ModesOptions options;
  options.num_modes = count;
  return options;
}

void expect_good_modes(const BlockMatrix& M, const std::vector<std::uint8_t>& is_free, const ModesResult& result,
                       double tolerance) {
  EXPECT_TRUE(result.converged);
  EXPECT_LT(result.residuals.maxCoeff(), tolerance);
  Matrix M_shapes(result.shapes.rows(), result.shapes.cols());
  for (int i = 0; i < result.size(); ++i) {
    M.multiply(result.shapes.col(i), M_shapes.col(i));
    EXPECT_TRUE(i == 0 || result.lambda[i - 1] <= result.lambda[i]);
    Eigen::Index largest = 0;
    result.shapes.col(i).cwiseAbs().maxCoeff(&largest);
    EXPECT_GT(result.shapes(largest, i), 0.0);
  }
  const Matrix gram = result.shapes.transpose() * M_shapes;
  EXPECT_LT((gram - Matrix::Identity(result.size(), result.size())).cwiseAbs().maxCoeff(), 1e-8);
  for (std::size_t dof = 0; dof < is_free.size(); ++dof)
    EXPECT_TRUE(is_free[dof] || result.shapes.row(static_cast<Eigen::Index>(dof)).norm() == 0.0);
}

TEST(VibrationModes, OfTheFiveMassChainAreThoseOfTableA6) {
  const Chain chain = make_chain({1, 1.5, 2, 1, 0.5}, {100, 80, 60, 40, 20});
  const ModesResult result = vibration_modes(chain.K, chain.M, chain.is_free, modes(5));
  const double omega[5] = {2.346601781679, 5.506543689079, 8.40997790216, 10, 14.723350219872};
  ASSERT_EQ(result.size(), 5);
  EXPECT_EQ(result.num_rigid, 0);
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(2 * std::numbers::pi * result.frequencies[i], omega[i], 1e-10);
  expect_good_modes(chain.M, chain.is_free, result, 1e-12);
}

// n equal masses on equal springs, fixed at the left, free at the right: omega_j = 2 sqrt(k/m) sin((2j-1) pi / (2
// (2n+1))).
TEST(VibrationModes, OfALongUniformChainFollowTheClosedFormThroughLanczos) {
  const int n = 800;
  const Chain chain = make_chain(std::vector<double>(n, 0.5), std::vector<double>(n, 200.0));
  const ModesResult result = vibration_modes(chain.K, chain.M, chain.is_free, modes(12));
  EXPECT_NE(result.solver, "dense");
  ASSERT_EQ(result.size(), 12);
  for (int j = 1; j <= 12; ++j) {
    const double omega = 2 * 20 * std::sin((2 * j - 1) * std::numbers::pi / (2 * (2 * n + 1)));
    EXPECT_NEAR(2 * std::numbers::pi * result.frequencies[j - 1], omega, 1e-8 * omega);
  }
  expect_good_modes(chain.M, chain.is_free, result, 1e-6);
}

TEST(VibrationModes, NearAFrequencyAreTheNearestOnesInsideTheSpectrum) {
  const int n = 800;
  const Chain chain = make_chain(std::vector<double>(n, 0.5), std::vector<double>(n, 200.0));
  const auto omega = [&](int j) { return 2 * 20 * std::sin((2 * j - 1) * std::numbers::pi / (2 * (2 * n + 1))); };
  ModesOptions options = modes(5);
  options.near_frequency = (omega(100) + 1e-3) / (2 * std::numbers::pi);
  const ModesResult result = vibration_modes(chain.K, chain.M, chain.is_free, options);
  ASSERT_EQ(result.size(), 5);
  for (int j = 98; j <= 102; ++j)
    EXPECT_NEAR(2 * std::numbers::pi * result.frequencies[j - 98], omega(j), 1e-8 * omega(j));
}

TEST(VibrationModes, OfAClampedSquareBarComeInBendingPairs) {
  TetBarOptions options;
  options.cells = {20, 3, 3};
  for (const bool lumped : {false, true}) {
    options.lumped_mass = lumped;
    const TetBar bar = make_tet_bar(options);
    const auto is_free = bar.free_dofs(true);
    const ModesResult result = vibration_modes(bar.K, bar.M, is_free, modes(8));
    ASSERT_EQ(result.size(), 8);
    EXPECT_EQ(result.num_rigid, 0);
    EXPECT_GT(result.frequencies[0], 0.5);
    // First bending in y and in z: the diagonals of the cells tell the two apart a little.
    EXPECT_NEAR(result.frequencies[1], result.frequencies[0], 0.2 * result.frequencies[0]);
    EXPECT_GT(result.frequencies[2], 2 * result.frequencies[0]);
    expect_good_modes(bar.M, is_free, result, 1e-7);
  }
}

TEST(VibrationModes, OfAFloatingBodyBeginWithSixRigidOnes) {
  TetBarOptions options;
  options.cells = {16, 3, 3};
  const TetBar bar = make_tet_bar(options);
  const auto is_free = bar.free_dofs(false);
  const ModesResult result = vibration_modes(bar.K, bar.M, is_free, modes(6));
  ASSERT_EQ(result.num_rigid, 6);
  EXPECT_EQ(result.num_unstable, 0) << "round-off below zero is not buckling";
  ASSERT_EQ(result.size(), 12);
  EXPECT_LT(result.frequencies.head(6).cwiseAbs().maxCoeff(), 1e-3 * result.frequencies[6]);
  expect_good_modes(bar.M, is_free, result, 1e-6);
  // The rigid shapes span the three translations: projecting a translation on them loses nothing.
  Vector translation = Vector::Zero(bar.pattern->num_dofs()), M_translation(translation.size());
  for (Eigen::Index i = 0; i < translation.size(); i += 3) translation[i] = 1;
  bar.M.multiply(translation, M_translation);
  const Matrix rigid = result.shapes.leftCols(6);
  EXPECT_LT((translation - rigid * (rigid.transpose() * M_translation)).norm(), 1e-6 * translation.norm());
}

/// A mesh copied `copies` times without any connection.
TetBar copies_of(const TetBar& one, int copies) {
  TetBar all;
  const int n = static_cast<int>(one.nodes.size());
  std::vector<int> start{0}, couplings;
  for (int copy = 0; copy < copies; ++copy)
    for (const auto& tet : one.tets) {
      for (const int node : tet) couplings.push_back(node + copy * n);
      start.push_back(static_cast<int>(couplings.size()));
    }
  all.pattern = std::make_shared<BlockPattern>(3, n * copies, start, couplings);
  all.K = BlockMatrix(all.pattern);
  all.M = BlockMatrix(all.pattern);
  for (int copy = 0; copy < copies; ++copy) {
    std::copy(one.K.values(), one.K.values() + one.K.num_values(),
              all.K.values() + one.K.num_values() * static_cast<std::size_t>(copy));
    std::copy(one.M.values(), one.M.values() + one.M.num_values(),
              all.M.values() + one.M.num_values() * static_cast<std::size_t>(copy));
  }
  return all;
}

TEST(VibrationModes, OfThreeSeparateEqualBodiesHaveEighteenRigidOnesAndEveryElasticOneThrice) {
  TetBarOptions options;
  options.cells = {8, 2, 2};
  options.size = {1.0, 0.2, 0.3};  // no pairs of its own
  const TetBar one = make_tet_bar(options), three = copies_of(one, 3);
  const ModesResult single = vibration_modes(
      one.K, one.M, std::vector<std::uint8_t>(static_cast<std::size_t>(one.pattern->num_dofs()), 1), modes(3));
  const std::vector<std::uint8_t> is_free(static_cast<std::size_t>(three.pattern->num_dofs()), 1);
  const ModesResult result = vibration_modes(three.K, three.M, is_free, modes(9));
  EXPECT_NE(result.solver, "dense");
  ASSERT_EQ(single.num_rigid, 6);
  ASSERT_EQ(result.num_rigid, 18);
  ASSERT_EQ(result.size(), 27);
  for (int i = 0; i < 9; ++i)
    EXPECT_NEAR(result.frequencies[18 + i], single.frequencies[6 + i / 3], 1e-6 * single.frequencies[6]) << i;
  expect_good_modes(three.M, is_free, result, 1e-6);
}

// Two different eigenvalues only: a single Krylov space has two dimensions and cannot hold the copies.
TEST(VibrationModes, OfManyEqualOscillatorsAreAllFound) {
  const int n = 400;
  const auto pattern = std::make_shared<BlockPattern>(1, n, std::vector<int>{0}, std::vector<int>{});
  BlockMatrix K(pattern), M(pattern);
  for (int i = 0; i < n; ++i) {
    M.values()[i] = 2;
    K.values()[i] = i % 40 == 7 ? 8.0 : 18.0;  // ten of the slow kind
  }
  const std::vector<std::uint8_t> is_free(n, 1);
  const ModesResult result = vibration_modes(K, M, is_free, modes(12));
  ASSERT_EQ(result.size(), 12);
  EXPECT_EQ(result.num_rigid, 0);
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(result.lambda[i], i < 10 ? 4.0 : 9.0, 1e-9) << i;
  expect_good_modes(M, is_free, result, 1e-9);
}

TEST(ShiftInvert, FindsWhatIsLeftWhenModesAreProjectedOut) {
  const Chain chain = make_chain(std::vector<double>(200, 0.5), std::vector<double>(200, 200.0));
  ShiftInvert problem(chain.K, chain.M, chain.is_free, -1e-3, false);
  ASSERT_EQ(problem.status(), SolveStatus::ok);
  const Matrix all = problem.nearest(5, Matrix(200, 0), 1e-12);
  ASSERT_EQ(all.cols(), 5);
  Matrix found(200, 2);  // Spectra sorts by |1 / (lambda - sigma)|: the lowest modes come first
  found << all.col(0), all.col(2);
  const Matrix rest = problem.nearest(3, found, 1e-12);
  ASSERT_EQ(rest.cols(), 3);
  for (const int i : {1, 3, 4}) {
    Vector M_phi(200);
    problem.multiply_mass(all.col(i).data(), M_phi.data());
    EXPECT_NEAR((rest.transpose() * M_phi).cwiseAbs().maxCoeff(), 1.0, 1e-8) << i;
  }
}

TEST(VibrationModes, OfLanczosAgreeWithTheDenseSolution) {
  TetBarOptions options;
  options.cells = {8, 2, 2};
  const TetBar bar = make_tet_bar(options);
  const auto is_free = bar.free_dofs(true);
  const ModesResult sparse = vibration_modes(bar.K, bar.M, is_free, modes(10));
  const ModesResult dense = vibration_modes(bar.K, bar.M, is_free, modes(100));
  EXPECT_NE(sparse.solver, "dense");
  EXPECT_EQ(dense.solver, "dense");
  for (int i = 0; i < 10; ++i) EXPECT_NEAR(sparse.lambda[i], dense.lambda[i], 1e-8 * dense.lambda[i]);
}

TEST(VibrationModes, OfAnUnstableStateHaveNegativeFrequencies) {
  Chain chain = make_chain(std::vector<double>(300, 1.0), std::vector<double>(300, 100.0));
  chain.K.block(chain.K.pattern().diagonal_slot(299))[0] -= 150;  // a spring that pushes
  const ModesResult result = vibration_modes(chain.K, chain.M, chain.is_free, modes(3));
  EXPECT_LT(result.frequencies[0], -0.5);
  EXPECT_GT(result.frequencies[1], 0.0);
  EXPECT_LT(result.residuals.maxCoeff(), 1e-6);
}

TEST(VibrationModes, HaveTheSameBitsForEveryThreadCount) {
  TetBarOptions options;
  options.cells = {12, 4, 4};
  const TetBar bar = make_tet_bar(options);
  const int threads = num_threads();
  set_num_threads(1);
  const ModesResult one = vibration_modes(bar.K, bar.M, bar.free_dofs(true), modes(4));
  set_num_threads(3);
  const ModesResult three = vibration_modes(bar.K, bar.M, bar.free_dofs(true), modes(4));
  set_num_threads(threads);
  EXPECT_GT(one.shapes.norm(), 0.0);
  EXPECT_TRUE((one.shapes.array() == three.shapes.array()).all());
}

TEST(VibrationModes, RefuseMoreThanThereAreDofsMasslessNodesAndBadOptions) {
  const Chain chain = make_chain({1, 1, 1}, {1, 1, 1});
  EXPECT_THROW(vibration_modes(chain.K, chain.M, chain.is_free, modes(4)), Error);
  const Chain floating = make_chain({1, 1, 1}, {0, 1, 1});
  EXPECT_EQ(vibration_modes(floating.K, floating.M, floating.is_free, modes(2)).num_rigid, 1);
  EXPECT_THROW(vibration_modes(floating.K, floating.M, floating.is_free, modes(3)), Error);
  const Chain massless = make_chain({1, 0, 1}, {1, 1, 1});
  EXPECT_THROW(vibration_modes(massless.K, massless.M, massless.is_free, modes(1)), Error);
  EXPECT_THROW(vibration_modes(chain.K, chain.M, {0, 0, 0}, modes(1)), Error);
  ModesOptions bad;
  bad.num_modes = 0;
  bad.tolerance = -1;
  try {
    vibration_modes(chain.K, chain.M, chain.is_free, bad);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().size(), 2u);
  }
}

}  // namespace
}  // namespace dashpot::test_vibration_modes
