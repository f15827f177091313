#include <gtest/gtest.h>

#include <cmath>

#include "dashpot/core/error.hpp"
#include "dashpot/model/terms.hpp"
#include "dashpot/model/ties.hpp"

namespace dashpot::test_ties {
namespace {

constexpr int num_blocks = 6;

/// Block 5 follows 4 and 0; 4 follows 1 and 2: a chain.
Ties chained() {
  const Tie on_chain{5, {4, 0}, {0.25, 0.75}, Vector::Constant(2, 0.5)};
  return Ties(DofLayout(2, num_blocks), {on_chain, {4, {1, 2}, {0.6, 0.4}, Vector::Constant(2, 2.0)}});
}

/// T of q = T q~ + offset, over all blocks; columns of tied blocks are zero.
Matrix elimination(const Ties& ties) {
  Matrix T = Matrix::Identity(2 * num_blocks, 2 * num_blocks);
  for (const int block : ties.blocks()) T.middleCols(2 * block, 2).setZero();
  ties.follow(T);
  return T;
}

BlockMatrix random_matrix(std::shared_ptr<const BlockPattern> pattern, const BlockPattern& filled) {
  BlockMatrix A(std::move(pattern));
  std::srand(3);
  for (int row = 0; row < num_blocks; ++row)
    for (int column = 0; column < num_blocks; ++column)
      if (filled.slot(row, column) >= 0) Eigen::Map<Matrix>(A.block(A.pattern().slot(row, column)), 2, 2).setRandom();
  return A;
}

TEST(Ties, ChainsFollowWhatTheirMastersFollow) {
  const Ties ties = chained();
  Vector q = Vector::LinSpaced(2 * num_blocks, 1, 12);
  ties.place(q);
  const Vector x0 = q.segment(0, 2), x1 = q.segment(2, 2), x2 = q.segment(4, 2);
  EXPECT_NEAR((q.segment(8, 2) - (0.6 * x1 + 0.4 * x2).array().matrix() - Vector::Constant(2, 2.0)).norm(), 0, 1e-14);
  EXPECT_NEAR((q.segment(10, 2) - 0.25 * q.segment(8, 2) - 0.75 * x0 - Vector::Constant(2, 0.5)).norm(), 0, 1e-14);
  EXPECT_EQ(ties.masters(), (std::vector<int>{0, 1, 2}));
}

TEST(Ties, ForcesAndMatricesFoldAsTheTransposedElimination) {
  Ties ties = chained();
  PatternBuilder couplings;
  const int groups[][3] = {{0, 3, 4}, {2, 4, 5}, {1, 3, 5}};
  for (const auto& group : groups) couplings.add_group(group, 3);
  const auto before = couplings.build(2, num_blocks);
  ties.couple(*before, couplings);
  const auto pattern = couplings.build(2, num_blocks);
  ties.bind(*pattern);
  const Matrix T = elimination(ties);

  Vector f = Vector::Random(2 * num_blocks);
  const Vector folded = T.transpose() * f;
  ties.condense(f);
  EXPECT_GT(folded.norm(), 0.1);
  EXPECT_NEAR((f - folded).norm(), 0, 1e-14);

  BlockMatrix A = random_matrix(pattern, *before);
  const Matrix expected = T.transpose() * A.dense() * T;
  ties.condense(A);
  Matrix found = A.dense();
  for (const int block : ties.blocks()) {
    found.middleRows(2 * block, 2).setZero();
    found.middleCols(2 * block, 2).setZero();
  }
  EXPECT_GT(expected.norm(), 1);
  EXPECT_NEAR((found - expected).norm(), 0, 1e-13);
}

TEST(Ties, FoldingGainIsTheDifferenceOfSquares) {
  const Ties ties = chained();
  std::vector<std::uint8_t> is_free(2 * num_blocks, 1);
  for (const int dof : {2, 8, 9, 10, 11}) is_free[static_cast<std::size_t>(dof)] = 0;  // one master dof is pinned
  const auto squares = [&](const Vector& f) {
    double sum = 0;
    for (int i = 0; i < f.size(); ++i) sum += is_free[static_cast<std::size_t>(i)] ? f[i] * f[i] : 0;
    return sum;
  };
  const Vector f = Vector::Random(2 * num_blocks);
  Vector folded = f;
  ties.condense(folded);
  EXPECT_GT(std::abs(squares(folded) - squares(f)), 1e-3);
  EXPECT_NEAR(ties.condensed_norm_gain(f, is_free), squares(folded) - squares(f), 1e-14);
}

std::string refusal(const std::vector<Tie>& ties) {
  try {
    Ties(DofLayout(2, num_blocks), ties);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Ties, CirclesDoublesAndWrongWeightsAreRefusedByName) {
  EXPECT_NE(refusal({{3, {4}, {1}, {}}, {4, {5}, {1}, {}}, {5, {3}, {1}, {}}}).find("circle"), std::string::npos);
  EXPECT_NE(refusal({{3, {3}, {1}, {}}}).find("circle"), std::string::npos);
  EXPECT_NE(refusal({{3, {1}, {1}, {}}, {3, {2}, {1}, {}}}).find("tied twice"), std::string::npos);
  EXPECT_NE(refusal({{3, {1, 2}, {0.5, 0.6}, {}}}).find("sum to 1.1"), std::string::npos);
  EXPECT_NE(refusal({{3, {1, 2}, {0.5, std::nan("")}, {}}}).find("sum to nan"), std::string::npos);
  EXPECT_NE(refusal({{3, {17}, {1}, {}}}).find("block 17"), std::string::npos);
  EXPECT_NE(refusal({{3, {1}, {1}, Vector::Zero(5)}}).find("offset"), std::string::npos);
  EXPECT_EQ(refusal({{3, {1, 2}, {0.5, 0.5}, {}}}), "");
}

}  // namespace
}  // namespace dashpot::test_ties
