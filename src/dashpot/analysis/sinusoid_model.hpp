#pragma once
// Damped sinusoids on a drifting rest as a least-squares problem in their exponents and amplitudes.

#include <cstddef>

#include <Eigen/Core>

#include "dashpot/analysis/signal.hpp"

namespace dashpot::analysis {

/// Normal equations of the linearized model at one set of parameters.
struct Linearized {
  Eigen::MatrixXd normal;
  Eigen::VectorXd gradient;
};

/// Sum over modes of exp(-sigma t) (a cos(omega t) + b sin(omega t)), plus c0 + c1 t / duration.
/// Parameter order: (sigma, omega, a, b) per mode, then c0, c1. Times are measured from the start, c1 per duration.
class SinusoidModel {
 public:
  /// Of the first `count` samples, which must outlive the model.
  SinusoidModel(const Samples& samples, std::size_t count, std::size_t num_modes);
  double signal_squares() const { return signal_squares_; }
  Eigen::Index num_parameters() const { return 4 * num_modes_ + 2; }
  double span() const { return span_; }
  std::size_t count() const { return count_; }

  /// Residual sum of squares; with `linearized`, also J^T J and J^T r.
  double evaluate(const Eigen::VectorXd& p, Linearized* linearized) const;

  /// Best amplitudes, rest and drift for given exponents (linear least squares).
  void solve_linear(Eigen::VectorXd& p) const;

 private:
  /// Fills the derivative of the model in each parameter at time t; returns the model's value.
  double fill_row(const Eigen::VectorXd& p, double t, Eigen::VectorXd& row) const;

  const Samples& samples_;
  std::size_t count_;
  Eigen::Index num_modes_;
  double span_;
  double signal_squares_ = 0;
};

/// Levenberg-Marquardt with the diagonal as scale. Returns whether it converged; p holds the best parameters, `squares`
/// their residual sum of squares.
bool minimize(const SinusoidModel& model, Eigen::VectorXd& p, double& squares);

}  // namespace dashpot::analysis
