#include "dashpot/design/identify.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "dashpot/core/error.hpp"

namespace dashpot::design {
namespace {

double largest_where(const Vector& values, const Vector& weight, bool weighted) {
  double largest = 0;
  for (Eigen::Index i = 0; i < values.size(); ++i)
    if ((weight[i] > 0) == weighted) largest = std::max(largest, std::abs(values[i]));
  return largest;
}

/// One curve with its knots, fitted.
class Fit {
 public:
  Fit(LoadTest& test, const IdentifyOptions& options, const ElasticCurve& curve, Identified& result)
      : test_(test), options_(options), curve_(curve), result_(result) {
    measured_.resize(test.num_points());
    scale_.resize(test.num_points());
    weight_.resize(test.num_points());
    Eigen::Index row = 0;
    for (const LoadCase& load : test.cases()) {
      double largest = 0;
      for (const LoadPoint& point : load.points) largest = std::max(largest, std::abs(point.displacement));
      for (const LoadPoint& point : load.points) {
        measured_[row] = point.displacement;
        scale_[row] = std::max(std::abs(point.displacement), 0.05 * largest);
        weight_[row++] = point.held_out ? 0 : 1;
      }
    }
    prior_ = Vector::Zero(curve.num_parameters());
    for (int j = 1; j < curve.num_parameters(); ++j) {
      const double weight = options.prior * std::max(1.0, 0.1 / curve.interval(j));
      prior_[j] = weight * weight;
    }
  }

  void run(Vector start) {
    theta = std::move(start);
    curve_.clamp(theta);
    if (!try_at(theta, displacement)) {
      if (result_.stopped) return;
      throw Error(Problem{"fit", "no balance under the loads with the first guess: " + why_,
                          "a first guess of \"young\" with which the body bears its loads", "raise \"young\""});
    }
    double lambda = 1e-3, cost = cost_at(theta, displacement);
    for (int i = 0; i < options_.max_iterations && !result_.stopped; ++i) {
      linearize();
      const double before = cost;
      const double moved = step(lambda, cost);
      ++result_.iterations;
      if (options_.on_iteration) options_.on_iteration(result_.iterations, largest_where(errors(), weight_, true));
      if (moved == 0 || before - cost < 1e-3 * before || cost < 1e-16) break;
    }
    if (!result_.stopped) linearize();
  }

  Vector errors() const { return (displacement - measured_).cwiseQuotient(scale_); }
  const Vector& weight() const { return weight_; }
  /// J^T J of the data alone, and of data and prior.
  Matrix data_matrix() const { return J_.transpose() * weight_.asDiagonal() * J_; }
  Matrix full_matrix() const { return data_matrix() + Matrix(prior_.asDiagonal()); }
  const Matrix& jacobian() const { return J_; }

  Vector theta, displacement;

 private:
  bool try_at(const Vector& at, Vector& found) {
    const LoadTest::Answer answer = test_.solve(curve_.points(at));
    result_.balances += test_.num_points() + 1;
    result_.stopped = result_.stopped || (options_.should_stop && options_.should_stop());
    why_ = answer.explanation;
    if (answer.found) found = answer.displacement;
    return answer.found && !result_.stopped;
  }
  double cost_at(const Vector& at, const Vector& u) const {
    const Vector r = (u - measured_).cwiseQuotient(scale_);
    return r.dot(weight_.cwiseProduct(r)) + at.dot(prior_.cwiseProduct(at));
  }
  void linearize() { J_ = scale_.cwiseInverse().asDiagonal() * test_.sensitivities(curve_, theta); }

  /// Tries damped steps until one lowers the cost; returns how far it went, 0 when none does.
  double step(double& lambda, double& cost) {
    const Matrix A = full_matrix();
    const Vector slope = J_.transpose() * weight_.cwiseProduct(errors()) + prior_.cwiseProduct(theta);
    for (int attempt = 0; attempt < 8 && !result_.stopped; ++attempt, lambda = std::max(1e-4, 10 * lambda)) {
      Matrix damped = A;
      damped.diagonal() += lambda * A.diagonal() + Vector::Constant(A.rows(), 1e-14);
      const Vector wanted = -damped.ldlt().solve(slope);
      Vector trial = theta + wanted / std::max(1.0, wanted.cwiseAbs().maxCoeff());
      curve_.clamp(trial);
      Vector found;
      if (!try_at(trial, found)) continue;
      const double value = cost_at(trial, found);
      if (value >= cost) continue;
      const double moved = (trial - theta).cwiseAbs().maxCoeff();
      theta = trial;
      displacement = found;
      cost = value;
      lambda = lambda / 10;
      return moved;
    }
    if (!result_.stopped) try_at(theta, displacement);  // the test keeps the balances of what it solved last
    return 0;
  }

  LoadTest& test_;
  const IdentifyOptions& options_;
  const ElasticCurve& curve_;
  Identified& result_;
  Vector measured_, scale_, weight_, prior_;
  Matrix J_;
  std::string why_;
};

/// Knots evenly between rest and the outermost stretch; none on a side that is hardly strained.
std::vector<double> spread_knots(double outermost, int count) {
  std::vector<double> knots;
  if (std::abs(outermost - 1) < 1e-3) return knots;
  for (int i = 1; i <= count; ++i) knots.push_back(1 + (outermost - 1) * i / count);
  return knots;
}

void describe_parameters(const Fit& fit, const ElasticCurve& curve, Identified& result) {
  const Matrix full = fit.full_matrix() + 1e-14 * Matrix::Identity(fit.theta.size(), fit.theta.size());
  const Matrix inverse = full.ldlt().solve(Matrix::Identity(full.rows(), full.cols()));
  const Matrix resolution = inverse * fit.data_matrix();
  const Matrix hat = fit.jacobian() * inverse * fit.jacobian().transpose();
  const Vector errors = fit.errors();
  const double freedom = std::max(1.0, fit.weight().sum() - resolution.trace());
  const double variance = errors.dot(fit.weight().cwiseProduct(errors)) / freedom;
  // ln slope is a sum of parameters: from rest outwards to the knot.
  const int num_tension = static_cast<int>(curve.tension().size());
  for (int j = 0; j < curve.num_parameters(); ++j) {
    Vector along = Vector::Zero(curve.num_parameters());
    along[0] = 1;
    for (int k = j <= num_tension ? 1 : num_tension + 1; k <= j; ++k) along[k] = 1;
    const double modulus = 1 / (1 + result.curve.rest.poisson);
    result.parameters.push_back({curve.name(j), modulus * std::exp(along.dot(fit.theta)),
                                 std::clamp(resolution(j, j), 0.0, 1.0),
                                 std::sqrt(variance * along.dot(inverse * fit.data_matrix() * inverse * along))});
  }
  for (Eigen::Index i = 0; i < errors.size(); ++i) {
    IdentifiedPoint& point = result.points[static_cast<std::size_t>(i)];
    point.simulated = fit.displacement[i];
    point.error = errors[i];
    point.leverage = fit.weight()[i] * hat(i, i);
  }
}

std::string explain(const Identified& result, double tolerance) {
  if (result.fitted_error > tolerance)
    return fmt::format(
        "the fitted loads are off by up to {:.2g} %: no rising stress curve of these knots explains them; give more "
        "knots, or look at Poisson's ratio, the pins and the table",
        100 * result.fitted_error);
  return fmt::format(
      "the fitted loads are met within {:.2g} %, the held-out ones only within {:.2g} %: they reach stretches that the "
      "fitted ones say too little about",
      100 * result.fitted_error, 100 * result.held_out_error);
}

/// The best material of constant stiffness; false: stopped.
bool fit_straight(LoadTest& test, const IdentifyOptions& options, Identified& result) {
  const ElasticCurve line(options.start.poisson, {}, {});
  Fit straight(test, options, line, result);
  straight.run(line.straight(options.start.young));
  result.straight_young = std::exp(straight.theta[0]);
  result.curve = line.points(straight.theta);
  if (result.stopped) return false;
  result.straight_error = straight.errors().cwiseAbs().maxCoeff();
  for (std::size_t i = 0; i < result.points.size(); ++i)
    result.points[i].straight = straight.displacement[static_cast<Eigen::Index>(i)];
  result.stretches = test.stretches();
  return true;
}

}  // namespace

Identified identify_elasticity(LoadTest& test, const IdentifyOptions& options) {
  Identified result;
  test.should_stop = options.should_stop;
  for (std::size_t c = 0; c < test.cases().size(); ++c)
    for (const LoadPoint& point : test.cases()[c].points) result.points.push_back({c, point});

  const bool choose = options.tension.empty() && options.compression.empty();
  const bool begins_straight = choose || options.first.size() == 0;
  if (begins_straight && !fit_straight(test, options, result)) return result;
  const int count = std::max(2, options.knots_per_side);
  const ElasticCurve curve(options.start.poisson, choose ? spread_knots(result.stretches.high, count) : options.tension,
                           choose ? spread_knots(result.stretches.low, count) : options.compression);
  Fit fit(test, options, curve, result);
  fit.run(begins_straight ? curve.straight(result.straight_young) : options.first);
  result.theta = fit.theta;
  result.curve = curve.points(fit.theta);
  if (result.stopped) return result;
  describe_parameters(fit, curve, result);
  result.stretches = test.stretches();
  result.fitted_error = largest_where(fit.errors(), fit.weight(), true);
  result.held_out_error = largest_where(fit.errors(), fit.weight(), false);
  result.reached = std::max(result.fitted_error, result.held_out_error) <= options.tolerance;
  if (!result.reached) result.explanation = explain(result, options.tolerance);
  return result;
}

}  // namespace dashpot::design
