#include "dashpot/dissipation/strain_rate.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/coefficients.hpp"
#include "dashpot/dissipation/rate_law.hpp"

namespace dashpot {
namespace {

void check_options(const StrainRateOptions& options, const std::string& place) {
  const formula::PowerLaw& power = options.power;
  std::vector<Problem> problems;
  if (!(std::isfinite(power.exponent) && power.exponent > 0 && std::isfinite(power.reference_rate) &&
        power.reference_rate > 0))
    problems.push_back({place, fmt::format("exponent {} at the rate {} /s", power.exponent, power.reference_rate),
                        "both above 0", "1 is a viscosity that does not depend on the rate"});
  if (!(options.blend >= 0 && options.blend <= 0.1))
    problems.push_back({place, fmt::format("blend {} rad", options.blend), "from 0 to 0.1 rad",
                        "what is blended is not free under rotation"});
  if (options.blend > 0 && !options.is_newtonian())
    problems.push_back({place, "blended bends with a viscosity that depends on the rate", "one of the two", ""});
  if (options.curve != nullptr) {
    const std::vector<double>& knots = options.curve->knots();
    if (!(knots.front() >= 0))
      problems.push_back({place, fmt::format("a curve from the rate {} /s", knots.front()), "rates >= 0", ""});
    for (std::size_t k = 0; k + 1 < knots.size() && problems.empty(); ++k)
      for (int i = 0; i <= 16; ++i) {
        const double r = knots[k] + (knots[k + 1] - knots[k]) * i / 16;
        const math::Curve::Sample at_rate = options.curve->sample(r);
        if (at_rate.value >= 0 && at_rate.value + r * at_rate.derivative >= -1e-9 * at_rate.value) continue;
        problems.push_back(
            {place,
             fmt::format("factor {:.4g}, falling by {:.4g} s, at {:.4g} /s", at_rate.value, -at_rate.derivative, r),
             "factors >= 0 that fall at most as 1/rate, so that the stress does not",
             "a stress that falls with the rate has no stable motion"});
        break;
      }
  }
  if (!problems.empty()) throw Error(problems);
}

/// Whether the coefficients of an element take energy in every motion.
bool is_passive(Moduli::Kind kind, const double* c, bool newtonian) {
  const int n = Moduli::numbers(kind);
  for (int k = 0; k < n; ++k)
    if (!std::isfinite(c[k])) return false;
  if (kind == Moduli::Kind::lame) return c[1] >= 0 && c[0] >= ((newtonian ? -2.0 / 3 : 0) - 1e-12) * c[1];
  if (n == 1) return c[0] >= 0;
  const int size = n == 6 ? 3 : 6;
  Eigen::MatrixXd D(size, size);
  for (int i = 0, entry = 0; i < size; ++i)
    for (int k = i; k < size; ++k) D(i, k) = D(k, i) = c[entry++];
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(D, Eigen::EigenvaluesOnly).eigenvalues()[0] >=
         -1e-10 * D.norm();
}

/// What is_passive admits, in words of the parameters where they are a pair of viscosities.
std::string admissible(Moduli::Kind kind, const std::vector<RateParameter>& parameters, bool newtonian) {
  const bool is_pair = parameters.size() >= 2 && parameters[1].name == "second_viscosity";
  if (kind == Moduli::Kind::lame)
    return fmt::format("finite numbers, viscosity >= 0, second viscosity >= {:.3g} times it",
                       newtonian ? -2.0 / 3 : 0.0);
  if (kind == Moduli::Kind::sheet && is_pair)
    return "finite numbers, viscosity >= 0, second viscosity >= -1 times it (a sheet)";
  if (kind == Moduli::Kind::solid && is_pair)
    return "finite numbers >= 0; a second viscosity >= -2/3 of the viscosity too";
  return "finite numbers that make a positive semidefinite viscosity";
}

}  // namespace

void StrainRateOptions::draw(std::vector<std::pair<double, double>> through) {
  curve = std::make_shared<math::Curve>(math::Curve::monotone(through, math::Extrapolation::constant));
  points = std::move(through);
}

StrainRateDamping::StrainRateDamping(std::string model, std::string body, std::shared_ptr<ElementBatch> batch,
                                     Moduli::Kind kind, std::vector<RateParameter> parameters,
                                     RateCoefficients coefficients, const StrainRateOptions& options,
                                     const ModuliSource* source)
    : PointLawDamping(std::move(body), batch),
      model_(std::move(model)),
      batch_(std::move(batch)),
      kind_(kind),
      parameters_(std::move(parameters)),
      coefficients_(std::move(coefficients)),
      options_(options),
      source_(source) {
  const std::string place = fmt::format("{} damping of '{}'", model_, this->body());
  check_options(options_, place);
  for (const RateParameter& parameter : parameters_)
    check_elements(parameter.name.c_str(), parameter.value, batch_->num_elements(), place);
  const Moduli moduli = source_ != nullptr ? source_->moduli() : Moduli();
  Moduli result;
  result.kind = kind_;
  result.rest_size = moduli.rest_size;
  const int n = Moduli::numbers(kind_);
  result.of_element.resize(at(n * batch_->num_elements()));
  std::vector<double> values(parameters_.size());
  for (int e = 0; e < batch_->num_elements(); ++e) {
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = parameters_[k].value.of(e);
    double* out = result.of_element.data() + at(n * e);
    coefficients_(e, values.data(), source_ != nullptr ? moduli.of(e) : nullptr, out);
    if (is_passive(kind_, out, options_.is_newtonian())) continue;
    std::string found;
    for (std::size_t k = 0; k < values.size(); ++k)
      found += fmt::format("{}{} {} {}", k == 0 ? "" : " and ", parameters_[k].name, values[k],
                           quantity_info(parameters_[k].quantity).unit);
    throw Error(Problem{place, fmt::format("{} at element {}", found, e),
                        admissible(kind_, parameters_, options_.is_newtonian()),
                        "others would create energy in some motion"});
  }
  set_law(make_rate_law(batch_, result, options_));
}

ParameterList StrainRateDamping::parameters() const {
  ParameterList list;
  for (const RateParameter& parameter : parameters_)
    for (ParameterInfo& info :
         parameter.value.parameters(parameter.name, parameter.quantity, parameter.low, parameter.high))
      list.push_back(std::move(info));
  if (!options_.points.empty()) {
    ParameterInfo factors{"curve/factor", Quantity::number, {}, 0, std::numeric_limits<double>::infinity(), false};
    for (const auto& [rate, factor] : options_.points) factors.values.push_back(factor);
    list.push_back(std::move(factors));
  }
  return list;
}

std::shared_ptr<DissipationTerm> StrainRateDamping::remade(const double* values,
                                                           const Replacements& replacements) const {
  std::vector<RateParameter> others = parameters_;
  for (RateParameter& parameter : others) parameter.value = parameter.value.with(values);
  StrainRateOptions options = options_;
  for (auto& [rate, factor] : options.points) factor = *values++;
  if (!options.points.empty()) options.draw(options.points);
  return std::make_shared<StrainRateDamping>(model_, body(), batch_, kind_, std::move(others), coefficients_, options,
                                             replacements.of(source_));
}

DissipationTraits StrainRateDamping::traits() const {
  DissipationTraits traits;
  traits.keeps_linear_momentum = true;
  traits.objective = traits.keeps_angular_momentum = !is_blended();
  traits.symmetric = options_.tangent != RateTangent::exact;
  traits.exact_in_place = options_.tangent == RateTangent::exact;
  traits.linear_in_velocity = options_.is_newtonian();
  return traits;
}

std::unique_ptr<StrainRateDamping> make_strain_rate(std::string body, std::shared_ptr<TetBatch> batch,
                                                    PartwiseValue viscosity, PartwiseValue second_viscosity,
                                                    const StrainRateOptions& options) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return std::make_unique<StrainRateDamping>(
      "strain_rate", std::move(body), std::move(batch), Moduli::Kind::lame,
      std::vector<RateParameter>{
          {"viscosity", Quantity::viscosity, std::move(viscosity)},
          {"second_viscosity", Quantity::viscosity, std::move(second_viscosity), -infinity, infinity}},
      [](int, const double* values, const double*, double* out) { out[0] = values[1], out[1] = values[0]; }, options);
}

std::unique_ptr<StrainRateDamping> make_strain_rate_like(std::string body, const ModuliSource& source,
                                                         PartwiseValue beta, const StrainRateOptions& options,
                                                         std::string model, std::string name) {
  const Moduli::Kind kind = source.moduli().kind;
  const auto scaled = [n = Moduli::numbers(kind)](int, const double* values, const double* moduli, double* out) {
    for (int k = 0; k < n; ++k) out[k] = values[0] * moduli[k];
  };
  return std::make_unique<StrainRateDamping>(
      std::move(model), std::move(body), source.shared_batch(), kind,
      std::vector<RateParameter>{{std::move(name), Quantity::time, std::move(beta)}}, scaled, options, &source);
}

}  // namespace dashpot
