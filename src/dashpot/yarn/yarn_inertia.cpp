#include "dashpot/yarn/yarn_inertia.hpp"

#include <Eigen/Geometry>

#include "dashpot/math/dual.hpp"
#include "dashpot/yarn/family_parameters.hpp"
#include "dashpot/yarn/segment_elements.hpp"

namespace dashpot {

using formula::MaterialEnds;
using formula::Segment;
using formula::SegmentMotion;

YarnInertia::YarnInertia(std::string body, std::shared_ptr<YarnBatch> segments, PerFamily density,
                         YarnInertiaTangent tangent)
    : body_(std::move(body)), segments_(std::move(segments)), density_(density), tangent_(tangent) {
  check_family_values(body_, family_parameters("density", Quantity::linear_density, density_, 0, true));
}

void YarnInertia::add_force(const Vector& q, const Vector& v, const Vector& a, Vector& f) const {
  const YarnBatch& batch = *segments_;
  batch.for_each_chunk([&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const double rho = density_[batch.family(i)];
      const Segment<double> s = segment_at(batch, q, i);
      add_motion(batch, i, formula::segment_mass_times(rho, s, motion_of(batch, a, i)), f);
      add_motion(batch, i, formula::segment_convective_force(rho, s, motion_of(batch, v, i)), f);
    }
  });
}

namespace {

/// Blocks of 4 x 4, column-major, of the first and the second crossing.
struct SegmentBlocks {
  double block[2][2][16] = {};
};

/// scale M: rho D/6 (2 1; 1 2) in material ends, which are xdot - w udot.
void add_mass(double scale, double rho, const Segment<double>& s, SegmentBlocks& out) {
  const double sixth = scale * rho * s.D / 6;
  const double w[3] = {s.e.x / s.D, s.e.y / s.D, s.e.z / s.D}, square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b) {
      const double m = a == b ? 2 * sixth : sixth;
      double* block = out.block[a][b];
      for (int c = 0; c < 3; ++c) {
        block[4 * c + c] += m;
        block[4 * c + 3] -= m * w[c];
        block[12 + c] -= m * w[c];
      }
      block[15] += m * square;
    }
}

using D12 = math::Dual<12>;

/// Columns of a Jacobian in e, D and the eight velocities.
struct ForceSlopes {
  double of_difference[8][4] = {}, of_velocity[8][8] = {};
};

template <class T>
SegmentMotion<T> constants(const SegmentMotion<double>& m) {
  return {{T(m.x0.x), T(m.x0.y), T(m.x0.z)}, {T(m.x1.x), T(m.x1.y), T(m.x1.z)}, T(m.u0), T(m.u1)};
}

ForceSlopes inertial_slopes(double rho, const Segment<double>& s, const SegmentMotion<double>& v,
                            const SegmentMotion<double>& a) {
  const auto x = [](double value, int k) { return D12::variable(value, k); };
  const Segment<D12> at{{x(s.e.x, 0), x(s.e.y, 1), x(s.e.z, 2)}, x(s.D, 3)};
  const SegmentMotion<D12> moving{
      {x(v.x0.x, 4), x(v.x0.y, 5), x(v.x0.z, 6)}, {x(v.x1.x, 8), x(v.x1.y, 9), x(v.x1.z, 10)}, x(v.u0, 7), x(v.u1, 11)};
  const SegmentMotion<D12> f = formula::segment_convective_force(D12(rho), at, moving),
                           g = formula::segment_mass_times(D12(rho), at, constants<D12>(a));
  ForceSlopes slopes;
  for (int r = 0; r < 8; ++r) {
    const auto of = [r](const SegmentMotion<D12>& m) -> const D12& {
      return r < 3 ? m.x0[r] : r == 3 ? m.u0 : r < 7 ? m.x1[r - 4] : m.u1;
    };
    for (std::size_t c = 0; c < 4; ++c) slopes.of_difference[r][c] = of(f).d[c] + of(g).d[c];
    for (std::size_t c = 0; c < 8; ++c) slopes.of_velocity[r][c] = of(f).d[4 + c];
  }
  return slopes;
}

void add_slopes(const ForceSlopes& slopes, double velocity_scale, double position_scale, SegmentBlocks& out) {
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b)
      for (int c = 0; c < 4; ++c)
        for (int r = 0; r < 4; ++r)
          out.block[a][b][4 * c + r] +=
              velocity_scale * slopes.of_velocity[4 * a + r][4 * b + c] +
              (b == 0 ? -position_scale : position_scale) * slopes.of_difference[4 * a + r][c];
}

}  // namespace

void YarnInertia::add_tangent(const Vector& q, const Vector& v, const Vector& a, double mass_scale,
                              double velocity_scale, double position_scale, BlockMatrix& matrix) const {
  const YarnBatch& batch = *segments_;
  const bool is_whole = tangent_ == YarnInertiaTangent::exact && (velocity_scale != 0 || position_scale != 0);
  batch.for_each_chunk([&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const double rho = density_[batch.family(i)];
      const Segment<double> s = segment_at(batch, q, i);
      SegmentBlocks blocks;
      add_mass(mass_scale, rho, s, blocks);
      if (is_whole)
        add_slopes(inertial_slopes(rho, s, motion_of(batch, v, i), motion_of(batch, a, i)), velocity_scale,
                   position_scale, blocks);
      const int label = label_of(batch.family(i)), *slots = batch.slots(i);
      for (int r = 0; r < 2; ++r)
        for (int c = 0; c < 2; ++c) add_to_block(matrix.block(slots[2 * r + c]), label, label, blocks.block[r][c]);
    }
  });
}

double YarnInertia::kinetic_energy(const Vector& q, const Vector& v) const {
  const YarnBatch& batch = *segments_;
  return batch.sum_over_chunks([&](int begin, int end) {
    double sum = 0;
    for (int i = begin; i < end; ++i)
      sum +=
          formula::segment_kinetic_energy(density_[batch.family(i)], segment_at(batch, q, i), motion_of(batch, v, i));
    return sum;
  });
}

LinearAngular YarnInertia::momentum(const Vector& q, const Vector& v) const {
  const YarnBatch& batch = *segments_;
  LinearAngular total;
  for (int i = 0; i < batch.num_elements(); ++i) {
    const formula::MaterialEnds<double> p =
        formula::segment_momenta(density_[batch.family(i)], segment_at(batch, q, i), motion_of(batch, v, i));
    const Vec3 p0(p.a0.x, p.a0.y, p.a0.z), p1(p.a1.x, p.a1.y, p.a1.z);
    total += {p0 + p1, Vec3(Vec3::Map(q.data() + batch.offset(i, 0))).cross(p0) +
                           Vec3(Vec3::Map(q.data() + batch.offset(i, 1))).cross(p1)};
  }
  return total;
}

}  // namespace dashpot
