#pragma once
// The five-mass chain CH5 with damping designed by examples, small enough to see every matrix.

#include <initializer_list>

#include <fmt/format.h>

#include "dashpot/dissipation/example_based.hpp"
#include "support/small_systems.hpp"

namespace dashpot::testing {

/// Columns of five numbers.
inline Matrix columns(std::initializer_list<std::initializer_list<double>> list) {
  Matrix X(5, static_cast<Eigen::Index>(list.size()));
  Eigen::Index k = 0;
  for (const auto& column : list) {
    Eigen::Index i = 0;
    for (const double x : column) X(i++, k) = x;
    ++k;
  }
  return X;
}

inline Vector numbers(std::initializer_list<double> list) {
  Vector x(static_cast<Eigen::Index>(list.size()));
  std::copy(list.begin(), list.end(), x.data());
  return x;
}

inline Matrix chain_examples() { return columns({{1, 2, 3, 4, 5}, {1, 0, -1, 0, 1}, {0, 1, 2, 1, 0}}); }

struct ExampleChain {
  std::shared_ptr<const System> system;
  const ExampleBased* term = nullptr;
  std::unique_ptr<TermScratch> scratch;

  ExampleChain(const Matrix& X, const std::vector<math::GainCurve>& gains, const ExampleBasedOptions& options,
               std::unique_ptr<DenseDamping> base = std::make_unique<DenseDamping>(chain_ch5().C)) {
    const Chain chain = chain_ch5();
    const auto mass = std::make_shared<DenseMass>(chain.M);
    std::vector<DampingExample> examples;
    for (Eigen::Index i = 0; i < X.cols(); ++i)
      examples.push_back({fmt::format("x{}", i + 1), X.col(i), gains[static_cast<std::size_t>(i)]});
    const DenseDamping* C = base.get();
    auto made = std::make_unique<ExampleBased>("chain", std::move(base), C, *mass, Vector::Zero(5), 0, 5,
                                               std::move(examples), options);
    term = made.get();
    system = linear_system(chain.M, std::move(made), chain.K, mass);
    begin_step(Vector::Zero(5));
  }
  void begin_step(const Vector& q) {
    State state = system->initial_state();
    state.q = q;
    if (!scratch) scratch = term->make_scratch();
    term->begin_step(state, scratch.get());
  }
  Vector force(const Vector& q, const Vector& v, double* power = nullptr) const {
    Vector f = Vector::Zero(5);
    const Vector xi;
    DissipationRequest request{q, v, xi, 0, scratch.get()};
    request.force = &f;
    const double p = term->evaluate(request);
    if (power) *power = p;
    return f;
  }
  /// dv df/dv + dq df/dq, dense.
  Matrix tangent(const Vector& q, const Vector& v, double dv, double dq) const {
    BlockMatrix matrix(system->pattern());
    std::vector<LowRank> parts;
    const Vector xi;
    DissipationRequest request{q, v, xi, 0, scratch.get()};
    request.tangent = &matrix;
    request.low_rank = &parts;
    request.dv_scale = dv;
    request.dq_scale = dq;
    term->evaluate(request);
    Matrix dense = matrix.dense();
    for (const LowRank& part : parts) dense += *part.U * part.S * part.V->transpose();
    return dense;
  }
  /// Chat where gains are constant.
  Matrix matrix() const { return tangent(Vector::Zero(5), Vector::Zero(5), 1, 0); }
};

inline std::vector<math::GainCurve> constant_gains(std::initializer_list<double> values) {
  std::vector<math::GainCurve> gains;
  for (const double gamma : values) gains.push_back(math::GainCurve::constant(gamma));
  return gains;
}

inline ExampleBasedOptions with_coupling(Coupling coupling) {
  ExampleBasedOptions options;
  options.coupling = coupling;
  return options;
}

}  // namespace dashpot::testing
