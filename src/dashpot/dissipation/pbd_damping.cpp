#include "dashpot/dissipation/pbd_damping.hpp"

#include <Eigen/Geometry>

#include "dashpot/math/best_spin.hpp"

namespace dashpot {

DissipationTraits PbdDamping::traits() const {
  DissipationTraits traits;
  traits.objective = traits.keeps_linear_momentum = traits.keeps_angular_momentum = true;
  return traits;
}

void PbdDamping::apply(const Vector& q, double dt, Vector& v) const {
  const double gamma = gain_.over(dt);
  // A body's mass does not couple it to others, so whole vectors may be multiplied.
  Vector ones = Vector::Zero(q.size()), m = ones, p = ones, r = ones, Mr = ones;
  ones.segment(3 * first_block_, 3 * num_blocks_).setOnes();
  for (const auto& mass : masses_) {
    mass->add_product(ones, m);
    mass->add_product(v, p);
  }
  double total = 0;
  Vec3 center = Vec3::Zero(), momentum = Vec3::Zero();
  const int end = first_block_ + num_blocks_;
  for (int i = first_block_; i < end; ++i) {
    total += m[3 * i];
    center += m[3 * i] * q.segment<3>(3 * i);
    momentum += p.segment<3>(3 * i);
  }
  if (!(total > 0)) return;
  center /= total;
  for (int i = first_block_; i < end; ++i) r.segment<3>(3 * i) = q.segment<3>(3 * i) - center;
  for (const auto& mass : masses_) mass->add_product(r, Mr);
  Mat3 S = Mat3::Zero();
  Vec3 spin = Vec3::Zero();
  for (int i = first_block_; i < end; ++i) {
    S += r.segment<3>(3 * i) * Mr.segment<3>(3 * i).transpose();
    spin += Vec3(r.segment<3>(3 * i)).cross(Vec3(p.segment<3>(3 * i)));
  }
  const Vec3 omega = math::symmetric_pseudo_solve(math::spin_matrix(0.5 * (S + S.transpose())), spin);
  for (int i = first_block_; i < end; ++i)
    v.segment<3>(3 * i) +=
        gamma * (momentum / total + omega.cross(Vec3(r.segment<3>(3 * i))) - Vec3(v.segment<3>(3 * i)));
}

std::shared_ptr<VelocityFilter> PbdDamping::remade(const double* values, const Replacements& replacements) const {
  auto successor = std::make_shared<PbdDamping>(*this);
  successor->gain_ = gain_.with(values[0]);
  for (std::shared_ptr<const ElementMass>& mass : successor->masses_) mass = successor_of(mass, replacements);
  return successor;
}

}  // namespace dashpot
