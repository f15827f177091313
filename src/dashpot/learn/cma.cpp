#include "dashpot/learn/cma.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include <Eigen/Eigenvalues>

namespace dashpot::learn {
namespace {

/// Strategy parameters of [Hansen2016, table 1] for n unknowns and lambda points.
struct Strategy {
  int lambda, mu;
  Vector weights;  ///< of the mu best, sum 1
  double mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu, chi_n;

  Strategy(double n, int num_points) : lambda(num_points), mu(num_points / 2), weights(mu) {
    for (int i = 0; i < mu; ++i) weights[i] = std::log(0.5 * (lambda + 1.0)) - std::log(i + 1.0);
    weights /= weights.sum();
    mu_eff = 1 / weights.squaredNorm();
    c_sigma = (mu_eff + 2) / (n + mu_eff + 5);
    d_sigma = 1 + 2 * std::max(0.0, std::sqrt((mu_eff - 1) / (n + 1)) - 1) + c_sigma;
    c_c = (4 + mu_eff / n) / (n + 4 + 2 * mu_eff / n);
    c_1 = 2 / ((n + 1.3) * (n + 1.3) + mu_eff);
    c_mu = std::min(1 - c_1, 2 * (mu_eff - 2 + 1 / mu_eff) / ((n + 2) * (n + 2) + mu_eff));
    chi_n = std::sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
  }
};

class Evolution {
 public:
  Evolution(const BoxedFunction& function, const SearchBudget& budget, CountedFunction& counted, std::mt19937& random)
      : function_(function), budget_(budget), counted_(counted), random_(random) {}

  /// Until the distribution is narrow, nothing gets better, or the budget is used up.
  void search(const Vector& start, int num_points) {
    const Eigen::Index n = start.size();
    const Strategy s(static_cast<double>(n), num_points);
    Vector mean = start, path_sigma = Vector::Zero(n), path_c = Vector::Zero(n);
    Matrix C = Matrix::Identity(n, n), B = C;
    Vector D = Vector::Ones(n);
    double sigma = budget_.first_size, best = std::numeric_limits<double>::infinity();
    const int patience = 10 + static_cast<int>(std::ceil(30.0 * static_cast<double>(n) / s.lambda));
    for (int generation = 1, idle = 0; idle < patience; ++generation) {
      draw(mean, sigma, B, D, s.lambda);
      if (counted_.is_over()) return;
      const double before = best;
      best = std::min(best, points_.front().value);
      idle = best < before - budget_.least_decrease ? 0 : idle + 1;
      // Mean and paths; y are steps in units of sigma.
      Vector y_mean = Vector::Zero(n);
      Matrix rank_mu = Matrix::Zero(n, n);
      for (int i = 0; i < s.mu; ++i) {
        const Vector& y = points_[static_cast<std::size_t>(i)].y;
        y_mean += s.weights[i] * y;
        rank_mu += s.weights[i] * y * y.transpose();
      }
      mean = function_.into_box(mean + sigma * y_mean);
      path_sigma = (1 - s.c_sigma) * path_sigma +
                   std::sqrt(s.c_sigma * (2 - s.c_sigma) * s.mu_eff) * B * (B.transpose() * y_mean).cwiseQuotient(D);
      const double length = path_sigma.norm() / std::sqrt(1 - std::pow(1 - s.c_sigma, 2.0 * generation));
      const bool is_steady = length < (1.4 + 2 / (static_cast<double>(n) + 1)) * s.chi_n;
      path_c = (1 - s.c_c) * path_c;
      if (is_steady) path_c += std::sqrt(s.c_c * (2 - s.c_c) * s.mu_eff) * y_mean;
      const double forgotten = is_steady ? 0 : s.c_1 * s.c_c * (2 - s.c_c);
      C = (1 - s.c_1 - s.c_mu + forgotten) * C + s.c_1 * path_c * path_c.transpose() + s.c_mu * rank_mu;
      sigma *= std::exp(std::min(1.0, s.c_sigma / s.d_sigma * (path_sigma.norm() / s.chi_n - 1)));
      const Eigen::SelfAdjointEigenSolver<Matrix> eigen(C);
      B = eigen.eigenvectors();
      D = eigen.eigenvalues().cwiseMax(1e-20).cwiseSqrt();
      if (sigma * D.maxCoeff() < budget_.least_size) return;
    }
  }

 private:
  struct Point {
    Vector y;
    double value;  ///< with what is paid for lying outside
  };

  /// Points of a generation, best first.
  void draw(const Vector& mean, double sigma, const Matrix& B, const Vector& D, int count) {
    std::normal_distribution<double> normal;
    points_.clear();
    for (int i = 0; i < count && !counted_.is_over(); ++i) {
      Vector z(mean.size());
      for (Eigen::Index k = 0; k < z.size(); ++k) z[k] = normal(random_);
      const Vector y = B * D.cwiseProduct(z), x = mean + sigma * y, inside = function_.into_box(x);
      const double value = counted_(inside), outside = (x - inside).squaredNorm() / (sigma * sigma);
      points_.push_back({y, value + outside * std::max(1.0, std::abs(value)) * 1e-3});
    }
    std::stable_sort(points_.begin(), points_.end(), [](const Point& a, const Point& b) { return a.value < b.value; });
  }

  const BoxedFunction& function_;
  const SearchBudget& budget_;
  CountedFunction& counted_;
  std::mt19937& random_;
  std::vector<Point> points_;
};

}  // namespace

SearchOutcome cma(const BoxedFunction& function, const Vector& start, const SearchBudget& budget) {
  check_box(function, start);
  CountedFunction counted(function, budget);
  std::mt19937 random(budget.seed);
  Evolution evolution(function, budget, counted, random);
  int num_points = 4 + static_cast<int>(3 * std::log(static_cast<double>(start.size())));
  const Vector inside = function.into_box(start);
  counted(inside);
  evolution.search(inside, num_points);
  for (SearchOutcome& outcome = counted.outcome(); !counted.is_over() && outcome.num_restarts < budget.max_restarts;) {
    num_points *= 2;
    ++outcome.num_restarts;
    evolution.search(inside, num_points);
  }
  return counted.outcome();
}

}  // namespace dashpot::learn
