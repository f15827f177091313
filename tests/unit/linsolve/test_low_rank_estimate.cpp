#include <gtest/gtest.h>

#include "dashpot/linsolve/low_rank_estimate.hpp"
#include "dashpot/linsolve/low_rank_solver.hpp"
#include "unit/linsolve/random_blocks.hpp"

namespace dashpot::test_low_rank_estimate {
namespace {

using testing::random_dense;
using testing::random_symmetric;
using testing::random_vector;
using testing::ring_pattern;

/// A + U S U^T (symmetric) + U N V^T (not), some dofs held.
struct Fixture {
  std::shared_ptr<const BlockPattern> pattern = ring_pattern(3, 12);
  int n = pattern->num_dofs();
  BlockMatrix A = random_symmetric(pattern, 1, 20);
  std::vector<std::uint8_t> is_free = std::vector<std::uint8_t>(static_cast<std::size_t>(n), 1);
  SharedMatrix U = random_dense(n, 2, 2), V = random_dense(n, 2, 4), reach;
  Matrix S, N = 3 * random_dense(2, 2, 9);
  Vector b = random_vector(n, 8);
  Vector exact;

  Fixture() {
    for (std::size_t i = 1; i < is_free.size(); i += 5) is_free[i] = 0, b[static_cast<Eigen::Index>(i)] = 0;
    S = random_dense(2, 2, 3);
    S = (S * S.transpose()).eval();
    const Matrix symmetric = A.dense() + *U * S * U->transpose();
    // What a force of U moves, and b itself: their span holds the solution exactly.
    Matrix Z(n, 3);
    Z.leftCols(2) = testing::dense_solution(symmetric, is_free, *U);
    Z.col(2) = testing::dense_solution(symmetric, is_free, b);
    reach = Z;
    exact = testing::dense_solution(symmetric + *U * N * V->transpose(), is_free, b);
  }
  std::vector<LowRank> parts() const { return {{U, S, U, reach}, {U, N, V, reach}}; }
  /// The direction found with symmetric parts only, for a right-hand side.
  Vector direction(const Vector& right) const {
    return testing::dense_solution(A.dense() + *U * S * U->transpose(), is_free, right);
  }
};

TEST(LowRankEstimate, MakesTheDirectionExactWhereTheReachHoldsIt) {
  const Fixture f;
  ASSERT_GT((f.direction(f.b) - f.exact).norm(), 0.1 * f.exact.norm());
  Vector right = f.b;
  LowRankEstimate().apply(f.A, f.is_free, f.parts(), right);
  EXPECT_LT((f.direction(right) - f.exact).norm(), 1e-10 * f.exact.norm());
}

TEST(LowRankEstimate, TakesTheSkewPartOfAPartThatIsElseKept) {
  const Fixture f;
  Matrix skew = Matrix::Zero(2, 2);
  skew(0, 1) = 4, skew(1, 0) = -4;
  const std::vector<LowRank> parts{{f.U, f.S + skew, f.U, f.reach}};
  const Vector exact = testing::dense_solution(f.A.dense() + *f.U * (f.S + skew) * f.U->transpose(), f.is_free, f.b);
  ASSERT_GT((f.direction(f.b) - exact).norm(), 0.01 * exact.norm());
  Vector right = f.b;
  LowRankEstimate().apply(f.A, f.is_free, parts, right);
  EXPECT_LT((f.direction(right) - exact).norm(), 1e-10 * exact.norm());
  std::vector<LowRank> kept = parts;
  keep_symmetric_parts(kept);
  EXPECT_LT((kept[0].S - f.S).norm(), 1e-14 * f.S.norm());
}

TEST(LowRankEstimate, FollowsNewSmallMatricesAndNewMatricesAfterAReset) {
  Fixture f;
  LowRankEstimate estimate;
  Vector right = f.b;
  estimate.apply(f.A, f.is_free, f.parts(), right);
  f.N *= -0.5;
  f.A = random_symmetric(f.pattern, 5, 20);
  Vector fresh = f.b, reused = f.b;
  LowRankEstimate().apply(f.A, f.is_free, f.parts(), fresh);
  ASSERT_GT((fresh - right).norm(), 1e-3 * f.b.norm());
  estimate.reset();
  estimate.apply(f.A, f.is_free, f.parts(), reused);
  EXPECT_EQ(reused, fresh);
}

TEST(LowRankEstimate, LeavesTheRightSideAloneWithoutReachOrWithoutAnythingLeftOut) {
  const Fixture f;
  for (const std::vector<LowRank>& parts : {std::vector<LowRank>{{f.U, f.S, f.U, f.reach}},
                                            std::vector<LowRank>{{f.U, f.N, f.V}}, std::vector<LowRank>{}}) {
    Vector right = f.b;
    LowRankEstimate().apply(f.A, f.is_free, parts, right);
    EXPECT_EQ(right, f.b);
  }
}

}  // namespace
}  // namespace dashpot::test_low_rank_estimate
