#include "dashpot/linsolve/scalar_product.hpp"

#include <gtest/gtest.h>

#include "dashpot/core/parallel.hpp"
#include "unit/linsolve/random_blocks.hpp"

namespace dashpot::test_scalar_product {
namespace {

using testing::random_vector;
using testing::ring_pattern;

/// One number per slot, from -1 to 1, not symmetric.
std::vector<double> random_slots(const BlockPattern& pattern) {
  const Vector numbers = random_vector(pattern.num_slots(), 3);
  return {numbers.data(), numbers.data() + numbers.size()};
}

TEST(ScalarProduct, IsTheBlockProductWithMultiplesOfTheUnitMatrix) {
  for (const int nodes : {1, 2, 7, 9000}) {  // the last one is shared by threads
    const auto pattern = ring_pattern(3, nodes);
    const std::vector<double> of_slot = random_slots(*pattern);
    BlockMatrix blocks(pattern);
    for (int s = 0; s < pattern->num_slots(); ++s)
      for (int c = 0; c < 3; ++c) blocks.block(s)[4 * c] = of_slot[static_cast<std::size_t>(s)];
    const Vector x = random_vector(3 * nodes, 1), start = random_vector(3 * nodes, 2);
    Vector expected = -0.5 * start, y = start;
    blocks.multiply_add(2, x, expected);
    ASSERT_GT(expected.norm(), 0.1);
    const double square = scalar_product(*pattern, of_slot.data(), 2, x.data(), -0.5, y.data());
    EXPECT_LE((y - expected).norm(), 1e-14 * expected.norm());
    EXPECT_NEAR(square, x.dot(expected + 0.5 * start), 1e-12 * x.squaredNorm());
  }
}

TEST(ScalarProduct, DoesNotReadWhatItDoesNotKeep) {
  const auto pattern = ring_pattern(3, 5);
  const Vector x = random_vector(15, 1);
  Vector y = Vector::Constant(15, std::numeric_limits<double>::quiet_NaN());
  scalar_product(*pattern, random_slots(*pattern).data(), 1, x.data(), 0, y.data());
  EXPECT_TRUE(y.allFinite());
}

TEST(ScalarProduct, WritesNothingBehindItsVectorAndUsesNothingBehindTheOther) {
  const double guard = std::numeric_limits<double>::quiet_NaN();
  for (const double keep : {0.0, 1.0}) {
    const auto pattern = ring_pattern(3, 5);
    Vector x(16), y(16);
    x << random_vector(15, 1), guard;
    y << random_vector(15, 2), 7.0;
    EXPECT_TRUE(std::isfinite(scalar_product(*pattern, random_slots(*pattern).data(), 1, x.data(), keep, y.data())));
    EXPECT_TRUE(y.allFinite());
    EXPECT_EQ(y[15], 7.0);
  }
}

TEST(ScalarProduct, HasTheSameBitsForEveryThreadCount) {
  const int nodes = 20000, threads = num_threads();
  const auto pattern = ring_pattern(3, nodes);
  const std::vector<double> of_slot = random_slots(*pattern);
  const Vector x = random_vector(3 * nodes, 1);
  Vector one(3 * nodes), many(3 * nodes);
  const double square = scalar_product(*pattern, of_slot.data(), 1, x.data(), 0, many.data());
  set_num_threads(1);
  EXPECT_EQ(scalar_product(*pattern, of_slot.data(), 1, x.data(), 0, one.data()), square);
  set_num_threads(threads);
  EXPECT_EQ(one, many);
}

}  // namespace
}  // namespace dashpot::test_scalar_product
