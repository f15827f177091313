#include "dashpot/dissipation/point_damping.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/frozen_masses.hpp"

namespace dashpot {

PointDamping::PointDamping(std::string body, const std::vector<double>& masses, int first_block, double c)
    : body_(std::move(body)), first_block_(first_block), coefficient_(c), masses_(masses) {
  const std::string place = fmt::format("point damping of '{}'", body_);
  if (!(std::isfinite(c) && c >= 0))
    throw Error(Problem{place, fmt::format("coefficient = {} kg/s", c), "a coefficient >= 0", ""});
  for (const double m : masses) {
    if (!(m >= 0 && std::isfinite(m)))
      throw Error(Problem{place, fmt::format("a node of mass {} kg", m), "a finite mass >= 0", ""});
    rate_.push_back(m > 0 ? c / m : 0);
    largest_rate_ = std::max(largest_rate_, rate_.back());
  }
}

double PointDamping::longest_step() const {
  return largest_rate_ > 0 ? 2 / largest_rate_ : std::numeric_limits<double>::infinity();
}

std::string PointDamping::refusal_reason(double dt) const {
  if (dt < longest_step()) return {};
  const double least_mass = coefficient_ / largest_rate_;
  return fmt::format(
      "point damping of '{}' with coefficient {:.4g} kg/s would add energy: {:.4g} kg/s is the bound at this dt "
      "(2 m_min/dt, m_min = {:.4g} kg); take a smaller coefficient, dt < {:.4g} s, or ether_drag, which has no bound",
      body_, coefficient_, 2 * least_mass / dt, least_mass, longest_step());
}

void PointDamping::apply(const Vector&, double dt, Vector& v) const {
  for (std::size_t i = 0; i < rate_.size(); ++i)
    v.segment<3>(3 * (first_block_ + static_cast<int>(i))) *= 1 - rate_[i] * dt;
}

ParameterList PointDamping::parameters() const { return {{"coefficient", Quantity::damper, {coefficient_}}}; }

std::shared_ptr<VelocityFilter> PointDamping::remade(const double* values, const Replacements& replacements) const {
  refuse_new_masses(replacements, model(), body_);
  return std::make_shared<PointDamping>(body_, masses_, first_block_, values[0]);
}

}  // namespace dashpot
