#include "dashpot/constraint/loads.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

namespace dashpot {

double TimeCourse::evaluate(double time) const {
  if (time < start || time > end) return 0;
  double factor = 1;
  if (ramp > 0) factor = std::clamp(std::min((time - start) / ramp, (end - time) / ramp), 0.0, 1.0);
  if (harmonic) factor *= std::sin(2 * std::numbers::pi * frequency * (time - start) + phase);
  return factor;
}

NodeForce::NodeForce(std::vector<int> blocks, std::vector<double> weights, Vec3 force, TimeCourse course)
    : blocks_(std::move(blocks)), weights_(std::move(weights)), force_(std::move(force)), course_(course) {
  assert(blocks_.size() == weights_.size());
}

void NodeForce::add_force(double time, Vector& f) const {
  const double factor = course_.evaluate(time);
  if (factor == 0) return;
  for (std::size_t i = 0; i < blocks_.size(); ++i) f.segment<3>(3 * blocks_[i]) += factor * weights_[i] * force_;
}

ParameterList NodeForce::parameters() const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {{"force", Quantity::force, {force_[0], force_[1], force_[2]}, -infinity, infinity, true}};
}

std::shared_ptr<ExternalLoad> NodeForce::remade(const double* values, const Replacements&) const {
  auto successor = std::make_shared<NodeForce>(*this);
  successor->force_ = Vec3(values);
  return successor;
}

}  // namespace dashpot
