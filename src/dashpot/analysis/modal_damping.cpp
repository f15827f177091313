#include "dashpot/analysis/modal_damping.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "dashpot/core/error.hpp"
#include "dashpot/model/oscillation_response.hpp"

namespace dashpot::analysis {
namespace {

/// Power [W] of damping j at q and v, with what it holds taken at q.
double power_at(const System& system, std::size_t j, State state, const Vector& q, const Vector& v, double dt,
                Workspace& workspace) {
  const DissipationTerm& term = *system.dissipations()[j];
  state.q = q;
  state.v = v;
  term.begin_step(state, workspace.dissipation[j].get());
  Vector force = Vector::Zero(q.size());
  term.evaluate({.q = state.q,
                 .v = state.v,
                 .internal_variables = state.internal_variables[j],
                 .dt = dt,
                 .scratch = workspace.dissipation[j].get(),
                 .force = &force,
                 .time = state.time});
  return v.dot(force);
}

/// Over one cycle. The integrand is periodic: equal weights converge faster than any power of the number of points,
/// where it is smooth.
double mean_power(const System& system, std::size_t j, const State& at, const Vector& shape, double omega, double dt,
                  double amplitude, Workspace& workspace) {
  constexpr int points = 64;
  double sum = 0;
  for (int k = 0; k < points; ++k) {
    const double angle = 2 * std::numbers::pi * (k + 0.5) / points;
    sum += power_at(system, j, at, at.q + amplitude * std::sin(angle) * shape,
                    amplitude * omega * std::cos(angle) * shape, dt, workspace);
  }
  return sum / points;
}

/// So small that nothing depends on it, so large that positions resolve it.
double vanishing_amplitude(const State& at, const Vector& shape) {
  const double extent = at.q.size() > 0 ? at.q.cwiseAbs().maxCoeff() : 0;
  return 1e-6 * (extent > 0 ? extent : 1) / shape.cwiseAbs().maxCoeff();
}

/// phi . M phi.
double modal_mass(const System& system, const State& at, const Vector& shape) {
  Vector momentum = Vector::Zero(shape.size());
  system.inertia().add_force(at.q, Vector::Zero(shape.size()), shape, momentum);
  return shape.dot(momentum);
}

/// s of the mode, with what the memories of dampings answer.
std::complex<double> mode_rate(const System& system, const State& at, const Vector& shape, double omega,
                               double amplitude) {
  std::complex<double> s(0, omega);
  const double mass = modal_mass(system, at, shape);
  const bool remembers = std::any_of(system.dissipations().begin(), system.dissipations().end(),
                                     [](const auto& term) { return term->capabilities().oscillation != nullptr; });
  // s = i sqrt((K + W(s)) / M) contracts, by about half the loss factor: W changes little with s.
  for (int iteration = 0; remembers && iteration < 60; ++iteration) {
    std::complex<double> square = omega * omega;
    for (const auto& term : system.dissipations())
      if (const OscillationResponse* memory = term->capabilities().oscillation)
        square += memory->oscillation_work(at.q, shape, s, amplitude) / mass;
    const std::complex<double> next = std::complex<double>(0, 1) * std::sqrt(square);
    const double change = std::abs(next - s);
    s = next;
    if (change <= 1e-12 * std::abs(s)) break;
  }
  return s;
}

}  // namespace

double omega_with_memory(const System& system, const State& at, const Vector& shape, double omega, double amplitude) {
  return std::abs(mode_rate(system, at, shape, omega, amplitude));
}

std::vector<ModalDamping> modal_damping(const System& system, const State& at, const Vector& shape, double omega,
                                        double dt, double amplitude) {
  if (shape.size() != system.num_dofs() || !(omega > 0) || !(dt > 0) || !(amplitude >= 0) || shape.isZero(0))
    throw Error(Problem{"", "a mode shape, frequency, step or amplitude that does not fit the system",
                        "one entry per degree of freedom, positive frequency and step", ""});
  const Vector zero = Vector::Zero(shape.size());
  Vector momentum = zero;
  system.inertia().add_force(at.q, zero, shape, momentum);
  const double mass = shape.dot(momentum);
  const std::complex<double> s = mode_rate(system, at, shape, omega, amplitude);
  omega = std::abs(s);

  Workspace workspace = system.make_workspace();
  std::vector<ModalDamping> result;
  for (std::size_t j = 0; j < system.dissipations().size(); ++j) {
    const DissipationTerm& term = *system.dissipations()[j];
    const DissipationTraits traits = term.traits();
    double zeta = 0;
    if (const OscillationResponse* memory = term.capabilities().oscillation) {
      zeta = memory->oscillation_work(at.q, shape, s, amplitude).imag() / (2 * omega * s.imag() * mass);
    } else if (traits.constant || traits.has_memory || (traits.linear_in_velocity && amplitude == 0)) {
      zeta = power_at(system, j, at, at.q, shape, dt, workspace) / (2 * omega * mass);
    } else {
      const double a = amplitude > 0 ? amplitude : vanishing_amplitude(at, shape);
      zeta = mean_power(system, j, at, shape, omega, dt, a, workspace) / (a * a * omega * omega * omega * mass);
    }
    result.push_back({term.body() + "." + term.model(), zeta});
  }
  for (const auto& filter : system.filters()) {
    Vector filtered = shape;
    filter->apply(at.q, dt, filtered);
    result.push_back(
        {filter->body() + "." + filter->model(), momentum.dot(shape - filtered) / dt / (2 * omega * mass)});
  }
  return result;
}

bool depends_on_amplitude(const System& system) {
  return std::any_of(system.dissipations().begin(), system.dissipations().end(), [](const auto& term) {
    const DissipationTraits traits = term->traits();
    return !traits.constant && !(traits.has_memory && traits.linear_in_velocity) && !term->is_contact();
  });
}

}  // namespace dashpot::analysis
