// The rotation that global Laplacian damping leaves free, of bodies large and far away.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include "dashpot/dissipation/laplacian_body_spin.hpp"
#include "dashpot/math/best_spin.hpp"
#include "dashpot/mesh/generate.hpp"
#include "support/elastic_body.hpp"
#include "support/portable_noise.hpp"

namespace dashpot::testing::test_body_spin {
namespace {

/// A block of so many cells along an edge, with a graph Laplacian of uneven weights.
struct Block {
  std::shared_ptr<const System> system;
  std::vector<double> L;
  std::vector<int> blocks;
  Vector q, v;

  explicit Block(int cells) {
    system = elastic_body(make_bar({1, 1, 1}, {cells, cells, cells}), {});
    const BlockPattern& pattern = *system->pattern();
    L.assign(static_cast<std::size_t>(pattern.num_slots()), 0.0);
    for (int i = 0; i < pattern.num_blocks(); ++i) {
      blocks.push_back(i);
      for (int s = pattern.row_start()[static_cast<std::size_t>(i)];
           s < pattern.row_start()[static_cast<std::size_t>(i) + 1]; ++s) {
        const int j = pattern.column()[static_cast<std::size_t>(s)];
        const double weight = i == j ? 0 : 1 + 0.5 * rnd(i + j) * rnd(i * j % 97);
        L[static_cast<std::size_t>(s)] -= weight;
        L[static_cast<std::size_t>(pattern.diagonal_slot(i))] += weight;
      }
    }
    q = system->rest();
    v = Vector::Zero(q.size());
    for (int i = 0; i < q.size(); ++i) q[i] += 0.01 * rnd(i), v[i] = rnd(3 * i + 1);
  }
  BodySpin spin() const { return find_body_spin(*system->pattern(), L.data(), blocks, q, v); }
};

/// The same by plain sums over all nodes.
Vec3 plain_spin(const Block& block, Vector& y) {
  const BlockPattern& pattern = *block.system->pattern();
  y = Vector::Zero(block.q.size());
  Mat3 S = Mat3::Zero();
  Vec3 moment = Vec3::Zero();
  for (int i = 0; i < pattern.num_blocks(); ++i) {
    for (int s = pattern.row_start()[static_cast<std::size_t>(i)];
         s < pattern.row_start()[static_cast<std::size_t>(i) + 1]; ++s)
      y.segment<3>(3 * i) +=
          block.L[static_cast<std::size_t>(s)] *
          (block.q.segment<3>(3 * pattern.column()[static_cast<std::size_t>(s)]) - block.q.segment<3>(3 * i));
    const Vec3 y_i = y.segment<3>(3 * i), v_i = block.v.segment<3>(3 * i);
    S += (block.q.segment<3>(3 * i) - block.q.head<3>()) * y_i.transpose();
    moment += y_i.cross(v_i);
  }
  return math::spin_matrix(0.5 * (S + S.transpose())).inverse() * moment;
}

TEST(BodySpin, OfABodyOfManyNodesIsTheSumOverAllOfThem) {
  for (const int cells : {2, 15}) {  // the second is summed in several ranges
    const Block block(cells);
    Vector y;
    const Vec3 expected = plain_spin(block, y);
    ASSERT_GT(expected.norm(), 1e-4);
    const BodySpin found = block.spin();
    EXPECT_LT((found.omega - expected).norm(), 1e-10 * expected.norm()) << cells;
    EXPECT_LT((found.y - y).norm(), 1e-12 * y.norm()) << cells;
  }
}

TEST(BodySpin, OfABodyThatTurnsIsItsRate) {
  Block block(15);
  const Vec3 rate(0.3, -2, 0.7);
  for (int i = 0; i < block.q.size(); i += 3)
    block.v.segment<3>(i) = rate.cross(Vec3(block.q.segment<3>(i))) + Vec3(5, 6, 7);
  EXPECT_LT((block.spin().omega - rate).norm(), 1e-10);
}

TEST(BodySpin, IsAsExactFarFromTheOrigin) {
  Block block(3);
  for (Eigen::Index i = 0; i < block.q.size(); ++i)
    block.q[i] = std::ldexp(std::round(std::ldexp(block.q[i], 20)), -20);
  const Vec3 near_by = block.spin().omega;
  ASSERT_GT(near_by.norm(), 1e-3);
  block.q.array() += 0x1p20;  // a thousand kilometers, exactly
  EXPECT_LT((block.spin().omega - near_by).norm(), 1e-11 * near_by.norm());
}

}  // namespace
}  // namespace dashpot::testing::test_body_spin
