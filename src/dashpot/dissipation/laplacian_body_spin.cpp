#include "dashpot/dissipation/laplacian_body_spin.hpp"

#include <algorithm>
#include <array>

#include <Eigen/Geometry>

#include "dashpot/core/spin_team.hpp"
#include "dashpot/math/best_spin.hpp"
#include "dashpot/math/pack.hpp"

namespace dashpot {
namespace {

using math::Pack4;

constexpr int slots_per_range = 16384;  // some ten microseconds of work
constexpr int max_ranges = 16;

struct Sums {
  Mat3 S = Mat3::Zero();
  Vec3 moment = Vec3::Zero();
};

/// The nodes blocks[begin .. end). A node is loaded with the first number of the next one, which is never used; the
/// last node has no next one, and can only stand at the end of a row.
Sums visit(const BlockPattern& pattern, const double* L, const int* blocks, int count, const Vec3& origin,
           const double* q, const double* v, double* y) {
  const int* const start = pattern.row_start().data();
  const int* const column = pattern.column().data();
  const auto exactly = [&](const double* x, int block) {
    return Pack4(x[3 * block], x[3 * block + 1], x[3 * block + 2], 0.0);
  };
  Pack4 rows[3] = {0.0, 0.0, 0.0};  // of S
  Sums sums;
  for (int k = 0; k < count; ++k) {
    const int i = blocks[k], last = start[i + 1] - 1;
    const Pack4 here = exactly(q, i);
    Pack4 sum(0.0);
    for (int s = start[i]; s < last; ++s) sum += Pack4(L[s]) * (Pack4::load(q + 3 * column[s]) - here);
    sum += Pack4(L[last]) * (exactly(q, column[last]) - here);
    const Vec3 y_i(sum[0], sum[1], sum[2]);
    Vec3::Map(y + 3 * i) = y_i;
    for (int c = 0; c < 3; ++c) rows[c] += Pack4(here[c] - origin[c]) * sum;
    sums.moment += y_i.cross(Vec3(Vec3::Map(v + 3 * i)));
  }
  for (int a = 0; a < 3; ++a)
    for (int c = 0; c < 3; ++c) sums.S(a, c) = rows[a][c];
  return sums;
}

}  // namespace

BodySpin find_body_spin(const BlockPattern& pattern, const double* L, const std::vector<int>& blocks, const Vector& q,
                        const Vector& v) {
  BodySpin spin{Vector(q.size()), Mat3::Zero(), Vec3::Zero()};
  if (blocks.empty()) return spin;
  const int ranges = std::clamp(pattern.num_slots() / slots_per_range, 1, max_ranges);
  const int count = static_cast<int>(blocks.size());
  const Vec3 origin = q.segment<3>(3 * blocks.front());  // a near one: S is a sum of small numbers
  std::array<Sums, max_ranges> parts;
  const auto work = [&](int r) {
    const auto piece = [&](int k) { return static_cast<int>(static_cast<long>(count) * k / ranges); };
    parts[static_cast<std::size_t>(r)] =
        visit(pattern, L, blocks.data() + piece(r), piece(r + 1) - piece(r), origin, q.data(), v.data(), spin.y.data());
  };
  if (ranges == 1)
    work(0);
  else
    spin_parallel_for(ranges, work);
  for (std::size_t r = 1; r < static_cast<std::size_t>(ranges); ++r) {
    parts[0].S += parts[r].S;
    parts[0].moment += parts[r].moment;
  }
  const Mat3& S = parts[0].S;
  spin.inverse = math::symmetric_pseudo_inverse(math::spin_matrix(0.5 * (S + S.transpose())));
  spin.omega = spin.inverse * parts[0].moment;
  return spin;
}

}  // namespace dashpot
