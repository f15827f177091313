#include "dashpot/analysis/sinusoid_model.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/QR>

namespace dashpot::analysis {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

SinusoidModel::SinusoidModel(const Samples& samples, std::size_t count, std::size_t num_modes)
    : samples_(samples), count_(count), num_modes_(static_cast<Index>(num_modes)) {
  span_ = samples.time[count - 1] - samples.time[0];
  for (std::size_t i = 0; i < count; ++i) signal_squares_ += samples.value[i] * samples.value[i];
}

double SinusoidModel::evaluate(const VectorXd& p, Linearized* linearized) const {
  VectorXd row(num_parameters());
  if (linearized) {
    linearized->normal.setZero(row.size(), row.size());
    linearized->gradient.setZero(row.size());
  }
  double squares = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const double r = samples_.value[i] - fill_row(p, samples_.time[i] - samples_.time[0], row);
    squares += r * r;
    if (linearized) {
      linearized->normal.selfadjointView<Eigen::Lower>().rankUpdate(row);
      linearized->gradient += r * row;
    }
  }
  if (linearized) linearized->normal = MatrixXd(linearized->normal.selfadjointView<Eigen::Lower>());
  return squares;
}

void SinusoidModel::solve_linear(VectorXd& p) const {
  const Index unknowns = 2 * num_modes_ + 2;
  MatrixXd normal = MatrixXd::Zero(unknowns, unknowns);
  VectorXd rhs = VectorXd::Zero(unknowns), row(num_parameters()), basis(unknowns);
  for (std::size_t i = 0; i < count_; ++i) {
    fill_row(p, samples_.time[i] - samples_.time[0], row);
    for (Index m = 0; m < num_modes_; ++m) basis.segment<2>(2 * m) = row.segment<2>(4 * m + 2);
    basis.tail<2>() = row.tail<2>();
    normal.selfadjointView<Eigen::Lower>().rankUpdate(basis);
    rhs += samples_.value[i] * basis;
  }
  normal = MatrixXd(normal.selfadjointView<Eigen::Lower>());
  // Columns of one size: a fast-decaying mode must not drown in the tolerance of the others.
  const VectorXd scale = normal.diagonal().cwiseSqrt().cwiseMax(1e-300);
  const MatrixXd scaled = scale.cwiseInverse().asDiagonal() * normal * scale.cwiseInverse().asDiagonal();
  const VectorXd x = scaled.completeOrthogonalDecomposition().solve(rhs.cwiseQuotient(scale)).cwiseQuotient(scale);
  for (Index m = 0; m < num_modes_; ++m) p.segment<2>(4 * m + 2) = x.segment<2>(2 * m);
  p.tail<2>() = x.tail<2>();
}

double SinusoidModel::fill_row(const VectorXd& p, double t, VectorXd& row) const {
  double value = 0;
  for (Index m = 0; m < num_modes_; ++m) {
    const double decay = std::exp(-p[4 * m] * t);
    const double c = decay * std::cos(p[4 * m + 1] * t), s = decay * std::sin(p[4 * m + 1] * t);
    const double a = p[4 * m + 2], b = p[4 * m + 3];
    row[4 * m] = -t * (a * c + b * s);
    row[4 * m + 1] = t * (b * c - a * s);
    row[4 * m + 2] = c;
    row[4 * m + 3] = s;
    value += a * c + b * s;
  }
  row[4 * num_modes_] = 1;
  row[4 * num_modes_ + 1] = t / span_;
  return value + p[4 * num_modes_] + p[4 * num_modes_ + 1] * t / span_;
}

bool minimize(const SinusoidModel& model, VectorXd& p, double& squares) {
  double damping = 1e-6;
  Linearized at;
  squares = model.evaluate(p, &at);
  for (int iteration = 0; iteration < 60; ++iteration) {
    const VectorXd scale = at.normal.diagonal().cwiseSqrt().cwiseMax(1e-300);
    MatrixXd scaled = scale.cwiseInverse().asDiagonal() * at.normal * scale.cwiseInverse().asDiagonal();
    scaled.diagonal().array() += damping;
    const VectorXd scaled_step = scaled.ldlt().solve(at.gradient.cwiseQuotient(scale));
    const VectorXd trial = p + scaled_step.cwiseQuotient(scale);
    Linearized next;
    const double trial_squares = trial.allFinite() ? model.evaluate(trial, &next) : INFINITY;
    // The scaled step is the change of the modeled signal: below round-off nothing more can be gained.
    const bool is_tiny = scaled_step.squaredNorm() <= 1e-28 * model.signal_squares();
    if (std::isfinite(trial_squares) && trial_squares <= squares) {
      const double gain = squares - trial_squares;
      p = trial;
      squares = trial_squares;
      at = std::move(next);
      damping = std::max(damping / 10, 1e-15);
      if (is_tiny || gain <= 1e-13 * squares) return true;
    } else {
      if (is_tiny || damping > 1e8) return is_tiny || squares == 0;
      damping *= 10;
    }
  }
  return false;
}

}  // namespace dashpot::analysis
