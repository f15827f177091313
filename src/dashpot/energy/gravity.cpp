#include "dashpot/energy/gravity.hpp"

#include <limits>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/parallel.hpp"

namespace dashpot {

Gravity::Gravity(std::string body, std::vector<double> masses, std::vector<Vec3> X, int first_block, const Vec3& g)
    : body_(std::move(body)), masses_(std::move(masses)), X_(std::move(X)), first_block_(first_block), g_(g) {
  if (masses_.size() != X_.size())
    throw Error(
        Problem{body_, fmt::format("{} masses for {} nodes", masses_.size(), X_.size()), "one mass per node", ""});
}

double Gravity::evaluate(const EnergyRequest& request) const {
  double* gradient = request.gradient != nullptr ? request.gradient->data() : nullptr;
  return parallel_sum(static_cast<int>(masses_.size()), 4096, [&](int begin, int end) {
    double energy = 0;
    for (int i = begin; i < end; ++i) {
      const Vec3 weight = masses_[static_cast<std::size_t>(i)] * g_;
      const Eigen::Index dof = 3 * static_cast<Eigen::Index>(first_block_ + i);
      energy -= weight.dot(request.q.segment<3>(dof) - X_[static_cast<std::size_t>(i)]);
      if (gradient != nullptr) Vec3::Map(gradient + dof) -= weight;
    }
    return energy;
  });
}

ParameterList Gravity::parameters() const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (parameter_name_.empty()) return {};
  return {{parameter_name_, Quantity::acceleration, {g_[0], g_[1], g_[2]}, -infinity, infinity, true}};
}

std::shared_ptr<EnergyTerm> Gravity::remade(const double* values, const Replacements& replacements) const {
  const Vec3 g = parameter_name_.empty() ? g_ : Vec3(values);
  const bool has_new_masses = replacements.has_masses() && !sources_.empty();
  if (g == g_ && !has_new_masses) return nullptr;
  auto successor = std::make_shared<Gravity>(*this);
  successor->g_ = g;
  if (!has_new_masses) return successor;
  Vector total = Vector::Zero(first_block_ + static_cast<int>(masses_.size()));
  for (std::shared_ptr<const ElementMass>& source : successor->sources_) {
    source = successor_of(source, replacements);
    source->add_nodal_mass(total);
  }
  successor->masses_.assign(total.data() + first_block_, total.data() + total.size());
  return successor;
}

}  // namespace dashpot
