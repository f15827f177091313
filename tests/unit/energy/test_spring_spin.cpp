#include "dashpot/energy/springs.hpp"

#include <gtest/gtest.h>

#include "dashpot/math/best_spin.hpp"

namespace dashpot::test_spring_spin {
namespace {

/// Few springs are visited one by one, many from both of their ends.
TEST(Springs, SpinForceIsTheRelativeVelocityAcrossFewAndManySprings) {
  for (const int nodes : {20, 3000}) {
    std::srand(7);
    std::vector<Vec3> X;
    for (int i = 0; i < nodes; ++i) X.push_back(Vec3(i, 0, 0) + 0.3 * Vec3::Random());
    std::vector<Spring> springs;
    for (int i = 0; i + 2 < nodes; ++i) {
      springs.push_back({i, i + 1, 2.0 + i % 3, 1});
      springs.push_back({i + 2, i, 5, 2});
    }
    const int first_block = 1;  // another body comes before
    const Springs term("chain", springs, X, first_block);
    const Vector q = 2 * Vector::Random(3 * (nodes + first_block)), v = Vector::Random(q.size());
    std::vector<double> scale;
    for (std::size_t e = 0; e < springs.size(); ++e) scale.push_back(0.5 + 0.1 * static_cast<double>(e % 4));
    Vector expected = Vector::Zero(q.size()), found = expected;
    for (std::size_t e = 0; e < springs.size(); ++e) {
      const int a = 3 * (springs[e].a + first_block), b = 3 * (springs[e].b + first_block);
      const Vec3 d = q.segment<3>(b) - q.segment<3>(a), rate = v.segment<3>(b) - v.segment<3>(a);
      const Vec3 across = scale[e] * springs[e].stiffness * (math::line_spin_dv(d) * rate);
      expected.segment<3>(b) += across;
      expected.segment<3>(a) -= across;
    }
    ASSERT_GT(expected.norm(), 1);
    term.add_spin_force(q, v, scale, found);
    EXPECT_LT((found - expected).norm(), 1e-13 * expected.norm());
  }
}

}  // namespace
}  // namespace dashpot::test_spring_spin
