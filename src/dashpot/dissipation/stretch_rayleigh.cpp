#include "dashpot/dissipation/stretch_rayleigh.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/dissipation/coefficients.hpp"
#include "dashpot/dissipation/held_matrix.hpp"
#include "dashpot/element/tet_stretches.hpp"
#include "dashpot/model/stiffness_slope.hpp"

namespace dashpot {
namespace {

/// C for this step, and where it was made.
struct StretchScratch final : TermScratch {
  BlockMatrix C;
  std::vector<double> stretches;  ///< three of each tet
  std::vector<double> alpha, beta;
  Vector q;  ///< on the blocks that C has
};

void check_coefficient(const StretchCoefficient& c, const std::string& name, int num_elements,
                       std::vector<Problem>& problems) {
  const int count = static_cast<int>(c.weights.size());
  if (c.knots.count != count || (count > 0 && count < 4))
    problems.push_back(
        {name, fmt::format("{} weights for {} splines", count, c.knots.count), "one for each, none or at least 4", ""});
  if (count > 0 && !(c.knots.low < c.knots.high && std::isfinite(c.knots.high - c.knots.low)))
    problems.push_back({name, fmt::format("a curve on [{:g}, {:g}]", c.knots.low, c.knots.high), "low < high", ""});
  if (!(c.scale > 0) || !std::isfinite(c.scale))
    problems.push_back({name, fmt::format("scale {:g}", c.scale), "scale > 0", ""});
  for (const double w : c.weights)
    if (!std::isfinite(w)) problems.push_back({name, fmt::format("weight {}", w), "finite numbers", ""});
  const StretchKernels& kernels = c.kernels;
  if (kernels.centers.size() != kernels.weights.size() || !(kernels.width > 0))
    problems.push_back({name,
                        fmt::format("{} kernels of width {:g} at {} centers", kernels.weights.size(), kernels.width,
                                    kernels.centers.size()),
                        "one weight of each center, width > 0", ""});
  for (std::size_t k = 0; k < std::min(kernels.centers.size(), kernels.weights.size()); ++k) {
    const std::array<double, 3>& s = kernels.centers[k];
    if (!(s[0] >= s[1] && s[1] >= s[2]) || !std::isfinite(s[0] + s[2] + kernels.weights[k]))
      problems.push_back({name, fmt::format("a kernel at ({:g}, {:g}, {:g})", s[0], s[1], s[2]),
                          "a finite weight, stretches in descending order", "sort them"});
  }
  check_elements("coefficients", c.nominal, num_elements, name);
}

double kernel_at(const StretchKernels& kernels, std::size_t k, const double s[3]) {
  double r2 = 0;
  for (std::size_t i = 0; i < 3; ++i) r2 += (s[i] - kernels.centers[k][i]) * (s[i] - kernels.centers[k][i]);
  return math::sample(kernels.kind, r2, kernels.width).value;
}

}  // namespace

bool StretchCoefficient::any_weight_positive() const { return any_positive(weights) || any_positive(kernels.weights); }

double StretchCoefficient::sum(int e, const double s[3]) const {
  double correction = 0;
  for (int k = 0; k < knots.count; ++k)
    correction += weights[static_cast<std::size_t>(k)] * math::uniform_basis(knots, k, s[0], true);
  for (std::size_t k = 0; k < kernels.weights.size(); ++k) correction += kernels.weights[k] * kernel_at(kernels, k, s);
  return nominal.of(e) + scale * correction;
}

ElementShare StretchCoefficient::nominal_share(int e, const std::vector<int>& column_of_value) const {
  const auto i = static_cast<std::size_t>(e);
  const std::size_t own = nominal.of_element.empty() ? 0 : static_cast<std::size_t>(nominal.of_element[i]);
  return {column_of_value[own], nominal.factors.empty() ? 1 : nominal.factors[i]};
}

void StretchCoefficient::add_shares(int e, const double s[3], const std::vector<int>& column_of_value,
                                    ElementShare* shares) const {
  if (sum(e, s) < 0) return;  // cut there: nothing changes
  *shares++ = nominal_share(e, column_of_value);
  const int* column = column_of_value.data() + nominal.values.size();
  for (int k = 0; k < knots.count; ++k, ++column)
    if (const double basis = math::uniform_basis(knots, k, s[0], true); basis != 0)
      *shares++ = {*column, scale * basis};
  for (std::size_t k = 0; k < kernels.weights.size(); ++k) *shares++ = {*column++, scale * kernel_at(kernels, k, s)};
}

ParameterList StretchCoefficient::parameters(const std::string& name, Quantity quantity) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  ParameterList list = nominal.parameters(name, quantity);
  const auto add = [&](const char* what, const std::vector<double>& values) {
    if (!values.empty()) list.push_back({name + what, Quantity::number, values, -infinity, infinity, true});
  };
  add("_curve", weights);
  add("_kernels", kernels.weights);
  return list;
}

StretchCoefficient StretchCoefficient::with(const double*& values) const {
  StretchCoefficient result = *this;
  result.nominal = nominal.with(values);
  std::copy_n(values, weights.size(), result.weights.begin());
  values += weights.size();
  std::copy_n(values, kernels.weights.size(), result.kernels.weights.begin());
  values += kernels.weights.size();
  return result;
}

StretchRayleigh::StretchRayleigh(std::string body, StretchRayleighSources sources, StretchCoefficient alpha,
                                 StretchCoefficient beta, StiffnessPart part)
    : body_(std::move(body)),
      sources_(std::move(sources)),
      alpha_(std::move(alpha)),
      beta_(std::move(beta)),
      part_(part),
      touched_(hull(sources_.mass->mass_blocks(), sources_.stiffness->stiffness_blocks())) {
  std::vector<Problem> problems;
  check_coefficient(alpha_, "alpha", sources_.mass->num_elements(), problems);
  check_coefficient(beta_, "beta", sources_.stiffness->num_elements(), problems);
  if (part == StiffnessPart::rest)
    problems.push_back({"stiffness", "that of the rest shape", "projected_tangent or gauss_newton",
                        "the rest stiffness brakes rotation"});
  if (!problems.empty()) throw Error(problems);
}

ParameterList StretchRayleigh::parameters() const {
  ParameterList list = alpha_.parameters("alpha", Quantity::rate);
  for (ParameterInfo& info : beta_.parameters("beta", Quantity::time)) list.push_back(std::move(info));
  return list;
}

std::shared_ptr<DissipationTerm> StretchRayleigh::remade(const double* values, const Replacements& replacements) const {
  StretchRayleighSources sources = sources_;
  sources.mass = replacements.of(sources_.mass);
  sources.stiffness = replacements.of(sources_.stiffness);
  const StretchCoefficient alpha = alpha_.with(values), beta = beta_.with(values);
  auto successor = std::make_shared<StretchRayleigh>(body_, std::move(sources), alpha, beta, part_);
  successor->bind(*pattern_);
  return successor;
}

DissipationTraits StretchRayleigh::traits() const {
  const bool has_mass_part = any_positive(alpha_.nominal.values) || alpha_.any_weight_positive();
  DissipationTraits traits;
  traits.objective = traits.keeps_angular_momentum = false;  // C belongs to the start of the step
  traits.keeps_linear_momentum = !has_mass_part;
  traits.symmetric = true;
  return traits;
}

void StretchRayleigh::bind(const BlockPattern& pattern) { pattern_ = pattern.shared_from_this(); }

std::unique_ptr<TermScratch> StretchRayleigh::make_scratch_beside(std::span<const EnergyScratch>) const {
  return std::make_unique<StretchScratch>();
}

std::vector<double> StretchRayleigh::values_at(const StretchCoefficient& coefficient,
                                               const std::vector<double>& stretches, int num_elements) const {
  const int num_tets = sources_.tets->num_tets();
  std::vector<double> values(static_cast<std::size_t>(num_elements));
  parallel_for(num_elements, 256, [&](int begin, int end) {
    for (int e = begin; e < end; ++e)
      values[static_cast<std::size_t>(e)] =
          e < num_tets ? std::max(0.0, coefficient.sum(e, stretches.data() + 3 * static_cast<std::size_t>(e)))
                       : coefficient.nominal.of(e);
  });
  return values;
}

void StretchRayleigh::begin_step(const State& state, TermScratch* scratch) const {
  auto& mine = static_cast<StretchScratch&>(*scratch);
  if (mine.q.size() == 0) mine.C = BlockMatrix(pattern_, touched_);
  const DofRange own = pattern_->layout().dofs(mine.C.rows());
  mine.q = state.q.segment(own.begin, own.size());
  principal_stretches(*sources_.tets, state.q, mine.stretches);
  mine.alpha = values_at(alpha_, mine.stretches, sources_.mass->num_elements());
  mine.beta = values_at(beta_, mine.stretches, sources_.stiffness->num_elements());
  mine.C.set_zero();
  if (any_positive(mine.alpha)) sources_.mass->add_mass(mine.alpha, mine.C);
  if (any_positive(mine.beta)) sources_.stiffness->add_stiffness(state.q, part_, mine.beta, mine.C);
}

double StretchRayleigh::evaluate(const DissipationRequest& request) const {
  return evaluate_held(static_cast<const StretchScratch&>(*request.scratch).C, *pattern_, request);
}

void StretchRayleigh::apply(const TermScratch* scratch, const Eigen::Ref<const Matrix>& X, Matrix& CX) const {
  multiply_columns(static_cast<const StretchScratch&>(*scratch).C, X, CX);
}

bool StretchRayleigh::has_held_slope() const {
  const StiffnessSlope* slope = slope_of(sources_.stiffness);
  return alpha_.weights.empty() && alpha_.kernels.weights.empty() && slope != nullptr && slope->has_slope_of_scales();
}

std::vector<double> StretchRayleigh::slopes_of_beta(const std::vector<double>& stretches) const {
  constexpr double difference = 1e-6;  // of stretches, for the derivative of curves
  std::vector<double> by_stretches(3 * static_cast<std::size_t>(sources_.stiffness->num_elements()), 0.0);
  parallel_for(sources_.tets->num_tets(), 256, [&](int begin, int end) {
    for (int e = begin; e < end; ++e) {
      const double* s = stretches.data() + 3 * static_cast<std::size_t>(e);
      for (int i = 0; i < 3; ++i) {
        double above[3] = {s[0], s[1], s[2]}, below[3] = {s[0], s[1], s[2]};
        above[i] += difference;
        below[i] -= difference;
        by_stretches[static_cast<std::size_t>(3 * e + i)] =
            (std::max(0.0, beta_.sum(e, above)) - std::max(0.0, beta_.sum(e, below))) / (2 * difference);
      }
    }
  });
  return by_stretches;
}

void StretchRayleigh::add_held_slope(const TermScratch* scratch, const Vector& v, BlockMatrix& G) const {
  const auto& mine = static_cast<const StretchScratch&>(*scratch);
  const std::vector<double> by_stretches = slopes_of_beta(mine.stretches);
  slope_of(sources_.stiffness)
      ->add_stiffness_slope(held_positions(scratch, v), part_, v, mine.beta, by_stretches.data(), G);
}

bool StretchRayleigh::add_held_product(const TermScratch* scratch, const Vector& v, const Vector& w, Vector& g) const {
  const auto& mine = static_cast<const StretchScratch&>(*scratch);
  const std::vector<double> by_stretches = slopes_of_beta(mine.stretches);
  return slope_of(sources_.stiffness)
      ->add_slope_product(held_positions(scratch, v), part_, v, w, mine.beta, by_stretches.data(), g);
}

Vector StretchRayleigh::held_positions(const TermScratch* scratch, const Vector& elsewhere) const {
  const auto& mine = static_cast<const StretchScratch&>(*scratch);
  Vector q = elsewhere;
  q.segment(pattern_->layout().dofs(mine.C.rows()).begin, mine.q.size()) = mine.q;
  return q;
}

std::vector<ElementShare> StretchRayleigh::shares_of(const StretchCoefficient& coefficient,
                                                     const std::vector<double>& stretches, int num_elements,
                                                     const std::vector<int>& column_of_value) const {
  const int num_tets = sources_.tets->num_tets(), per_element = coefficient.num_shares();
  std::vector<ElementShare> shares(static_cast<std::size_t>(num_elements * per_element));
  for (int e = 0; e < num_elements; ++e) {
    ElementShare* own = shares.data() + static_cast<std::size_t>(e * per_element);
    if (e < num_tets)
      coefficient.add_shares(e, stretches.data() + 3 * static_cast<std::size_t>(e), column_of_value, own);
    else
      *own = coefficient.nominal_share(e, column_of_value);
  }
  return shares;
}

bool StretchRayleigh::add_parameter_forces(const DissipationRequest& request, std::span<const int> which,
                                           Matrix& columns) const {
  const auto& mine = static_cast<const StretchScratch&>(*request.scratch);
  const int num_alphas = alpha_.num_values();
  std::vector<int> of_alpha(static_cast<std::size_t>(num_alphas), -1),
      of_beta(static_cast<std::size_t>(beta_.num_values()), -1);
  bool any_alpha = false, any_beta = false;
  for (std::size_t i = 0; i < which.size(); ++i)
    if (which[i] < num_alphas)
      of_alpha[static_cast<std::size_t>(which[i])] = static_cast<int>(i), any_alpha = true;
    else
      of_beta[static_cast<std::size_t>(which[i] - num_alphas)] = static_cast<int>(i), any_beta = true;
  const Vector& v = request.v;
  const auto add_beta = [&] {
    const auto shares = shares_of(beta_, mine.stretches, sources_.stiffness->num_elements(), of_beta);
    return sources_.stiffness->add_element_forces(held_positions(request.scratch, request.q), part_, v, shares.data(),
                                                  beta_.num_shares(), columns);
  };
  const auto add_alpha = [&] {
    const auto shares = shares_of(alpha_, mine.stretches, sources_.mass->num_elements(), of_alpha);
    return sources_.mass->add_element_forces(v, shares.data(), alpha_.num_shares(), columns);
  };
  // Stiffness first: what it does not offer must leave the columns as they are.
  return (!any_beta || add_beta()) && (!any_alpha || add_alpha());
}

int StretchRayleigh::add_parameter_gradient(const DissipationRequest& request, const Vector& weights,
                                            double* gradient) const {
  const auto& mine = static_cast<const StretchScratch&>(*request.scratch);
  const int num_masses = sources_.mass->num_elements(), num_elements = sources_.stiffness->num_elements();
  std::vector<double> of_mass(static_cast<std::size_t>(num_masses), 0.0),
      of_stiffness(static_cast<std::size_t>(num_elements), 0.0);
  if (!sources_.mass->add_element_products(weights, request.v, of_mass.data()) ||
      !sources_.stiffness->add_element_products(held_positions(request.scratch, request.q), part_, weights, request.v,
                                                of_stiffness.data()))
    return 0;
  const auto add = [&](const StretchCoefficient& coefficient, const std::vector<double>& products) {
    std::vector<int> places(static_cast<std::size_t>(coefficient.num_values()));
    std::iota(places.begin(), places.end(), 0);
    const auto shares = shares_of(coefficient, mine.stretches, static_cast<int>(products.size()), places);
    const auto per_element = static_cast<std::size_t>(coefficient.num_shares());
    for (std::size_t k = 0; k < shares.size(); ++k)
      if (shares[k].column >= 0) gradient[shares[k].column] += shares[k].factor * products[k / per_element];
    gradient += places.size();
  };
  add(alpha_, of_mass);
  add(beta_, of_stiffness);
  return alpha_.num_values() + beta_.num_values();
}

}  // namespace dashpot
