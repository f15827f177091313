#include "dashpot/projective/momentum_restoration.hpp"

#include <Eigen/Eigenvalues>

#include "dashpot/projective/free_parts.hpp"

namespace dashpot {
namespace {

constexpr double round_off = 1e-10;  // of the momenta of nodes: more than this is no round-off

/// Angular momentum of forces or momenta `p` about `center`, over some blocks.
Vec3 moment(const std::vector<int>& blocks, const Vector& q, const Vec3& center, const Vector& p) {
  Vec3 sum = Vec3::Zero();
  for (const int i : blocks) sum += (q.segment<3>(3 * i) - center).cross(p.segment<3>(3 * i));
  return sum;
}

/// Sum of forces or momenta over some blocks.
Vec3 sum(const std::vector<int>& blocks, const Vector& p) {
  Vec3 total = Vec3::Zero();
  for (const int i : blocks) total += p.segment<3>(3 * i);
  return total;
}

double sum_of_sizes(const std::vector<int>& blocks, const Vector& p) {
  double total = 0;
  for (const int i : blocks) total += p.segment<3>(3 * i).norm();
  return total;
}

/// Least solution of I omega = L where I may be singular (a point, a straight line).
Vec3 rate_for(const Mat3& I, const Vec3& L) {
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(I);
  const double smallest = 1e-12 * eigen.eigenvalues()[2];
  Vec3 omega = Vec3::Zero();
  for (int k = 0; k < 3; ++k)
    if (eigen.eigenvalues()[k] > smallest)
      omega += eigen.eigenvectors().col(k) * (eigen.eigenvectors().col(k).dot(L) / eigen.eigenvalues()[k]);
  return omega;
}

}  // namespace

MomentumRestoration::MomentumRestoration(const System& system) : system_(system) {
  const BlockPattern& pattern = *system.pattern();
  const Vector zero = Vector::Zero(system.num_dofs());
  Vector row_sum = zero;
  system.inertia().add_force(system.rest(), zero, Vector::Ones(system.num_dofs()), row_sum);
  for (int i = 0; i < pattern.num_blocks(); ++i) mass_.push_back(row_sum[3 * i]);
  parts_ = free_parts(system);
}

double MomentumRestoration::apply(const State& before, const Vector& q_stage, const Vector& f_stage, double dt,
                                  State& next) const {
  if (parts_.empty()) return 0;
  const double energy = system_.inertia().kinetic_energy(next.q, next.v);
  const auto times_mass = [&](const Vector& v) {
    Vector p = Vector::Zero(v.size());
    system_.inertia().add_force(next.q, Vector::Zero(v.size()), v, p);
    return p;
  };
  const Vector p_before = times_mass(before.v), p_after = times_mass(next.v);
  for (const std::vector<int>& part : parts_) {
    Vec3 center_before = Vec3::Zero(), center_after = Vec3::Zero(), center_stage = Vec3::Zero();
    double mass = 0;
    for (const int i : part) {
      const double m = mass_[static_cast<std::size_t>(i)];
      mass += m;
      center_before += m * before.q.segment<3>(3 * i);
      center_after += m * next.q.segment<3>(3 * i);
      center_stage += m * q_stage.segment<3>(3 * i);
    }
    if (!(mass > 0)) continue;
    center_before /= mass, center_after /= mass, center_stage /= mass;
    const Vec3 missing = moment(part, before.q, center_before, p_before) +
                         dt * moment(part, q_stage, center_stage, f_stage) -
                         moment(part, next.q, center_after, p_after);
    Mat3 I;
    Vector spin = Vector::Zero(next.v.size());
    for (int axis = 0; axis < 3; ++axis) {
      for (const int i : part) spin.segment<3>(3 * i) = Vec3::Unit(axis).cross(next.q.segment<3>(3 * i) - center_after);
      I.col(axis) = moment(part, next.q, center_after, times_mass(spin));
    }
    const Vec3 omega = rate_for(0.5 * (I + I.transpose()), missing);
    // Linear momentum too: what round-off takes of it turns up in the angular momentum about a far origin. What
    // unfinished iterations of a contact leave is far more, and stays: velocities belong to the positions reached.
    const Vec3 lost = sum(part, p_before) + dt * sum(part, f_stage) - sum(part, p_after);
    const double size = sum_of_sizes(part, p_before) + dt * sum_of_sizes(part, f_stage);
    const Vec3 shift = lost.norm() <= round_off * size ? Vec3(lost / mass) : Vec3(Vec3::Zero());
    for (const int i : part) next.v.segment<3>(3 * i) += shift + omega.cross(next.q.segment<3>(3 * i) - center_after);
  }
  return system_.inertia().kinetic_energy(next.q, next.v) - energy;
}

}  // namespace dashpot
