#include "dashpot/energy/young_poisson.hpp"

#include <limits>
#include <utility>

#include "dashpot/energy/materials.hpp"

namespace dashpot {
namespace {

struct LameDerivatives {
  double lambda_young, mu_young, lambda_poisson, mu_poisson;
};

LameDerivatives derivatives(const Isotropic& m) {
  const double p = 1 + m.poisson, r = 1 - 2 * m.poisson;
  return {m.lambda() / m.young, m.mu() / m.young, m.young * (1 + 2 * m.poisson * m.poisson) / (p * p * r * r),
          -m.young / (2 * p * p)};
}

/// Which of its values element e has, and what that is multiplied by there.
std::pair<int, double> place_of(const PartwiseValue& value, int e) {
  const auto i = static_cast<std::size_t>(e);
  return {value.of_element.empty() ? 0 : value.of_element[i], value.factors.empty() ? 1 : value.factors[i]};
}

}  // namespace

ParameterList YoungPoisson::parameters() const {
  ParameterList list = young.parameters("young", Quantity::pressure, 0, std::numeric_limits<double>::infinity(), true);
  for (ParameterInfo& info : poisson.parameters("poisson", Quantity::number, -1, 0.5, true))
    list.push_back(std::move(info));
  return list;
}

YoungPoisson YoungPoisson::with(const double*& values) const {
  YoungPoisson result;
  result.young = young.with(values);
  result.poisson = poisson.with(values);
  return result;
}

void YoungPoisson::add_gradient(const std::vector<double>& by_lambda, const std::vector<double>& by_mu,
                                double*& gradient) const {
  std::vector<double> by_young(by_mu.size()), by_poisson(by_mu.size());
  for (std::size_t e = 0; e < by_mu.size(); ++e) {
    const LameDerivatives d = derivatives({young.of(static_cast<int>(e)), poisson.of(static_cast<int>(e))});
    by_young[e] = by_lambda[e] * d.lambda_young + by_mu[e] * d.mu_young;
    by_poisson[e] = by_lambda[e] * d.lambda_poisson + by_mu[e] * d.mu_poisson;
  }
  young.add_gradient(by_young, gradient);
  poisson.add_gradient(by_poisson, gradient);
}

std::vector<LameShare> YoungPoisson::shares(int num_elements, std::span<const int> column_of_value) const {
  std::vector<LameShare> result;
  result.reserve(2 * static_cast<std::size_t>(num_elements));
  const std::size_t first_poisson = young.values.size();
  for (int e = 0; e < num_elements; ++e) {
    const LameDerivatives d = derivatives({young.of(e), poisson.of(e)});
    const auto [of_young, young_factor] = place_of(young, e);
    const auto [of_poisson, poisson_factor] = place_of(poisson, e);
    result.push_back({column_of_value[static_cast<std::size_t>(of_young)], young_factor * d.lambda_young,
                      young_factor * d.mu_young});
    result.push_back({column_of_value[first_poisson + static_cast<std::size_t>(of_poisson)],
                      poisson_factor * d.lambda_poisson, poisson_factor * d.mu_poisson});
  }
  return result;
}

}  // namespace dashpot
