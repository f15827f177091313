#include "dashpot/learn/identify_search.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <thread>

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "dashpot/core/parallel.hpp"
#include "dashpot/learn/identify_residuals.hpp"

namespace dashpot::learn {
namespace {

constexpr double log_difference = 1e-3;  // of logarithms, and of the first amplitude
constexpr double ring_first_damping = 1e-3, ring_damping_factor = 6;
constexpr int max_ring_trials = 6;
constexpr double least_ring_decrease = 1e-3;  // of chi2, relative: converged
constexpr double prior_weight = 1.0 / 9;      // a factor e^3 from where the search begins counts as one in chi2
constexpr double largest_step = 1.0;          // of a logarithm, in one iteration

class RingSearch {
 public:
  RingSearch(const SearchProblem& problem, const IdentifyOptions& options,
             const std::function<void(double)>& on_progress)
      : problem_(problem), options_(options), on_progress_(on_progress) {
    for (const PreparedRun& run : *problem.runs) {
      const double last = problem.whole ? run.measured.to : run.measured.middle;
      motions_.emplace_back(run, last, problem.horizon);
      envelopes_.emplace_back(run, last, options.model_error);
    }
    common_ = static_cast<Eigen::Index>(problem.start.common.size());
    block_ = 2 + (problem.start.own.empty() ? 0 : static_cast<Eigen::Index>(problem.start.own[0].size()));
    size_ = common_ + block_ * static_cast<Eigen::Index>(problem.runs->size());
  }

  SearchResult run(const SearchResult* from) {
    x_ = Vector::Zero(size_);
    if (from != nullptr) {
      for (Eigen::Index k = 0; k < common_; ++k) x_[k] = std::log(from->numbers.common[at(k)] / start().common[at(k)]);
      for (std::size_t r = 0; r < num_runs(); ++r) {
        for (Eigen::Index k = 2; k < block_ && r < from->numbers.own.size(); ++k)
          x_[start_of(r) + k] = std::log(from->numbers.own[r][at(k - 2)] / start().own[r][at(k - 2)]);
        if (r >= from->displacement.size()) continue;
        x_[start_of(r)] = from->displacement[r] / run_at(r).amplitude;
        x_[start_of(r) + 1] = from->velocity[r] / (run_at(r).amplitude * run_at(r).omega);
      }
    }
    std::vector<Vector> best;
    if (!evaluate(x_, best)) return finish(best);
    double chi2 = total(best) + prior(x_);
    for (int i = 0; i < problem_.max_iterations; ++i) {
      if (on_progress_) on_progress_(1 - std::exp2(-0.5 * i));
      if (!differentiate(best)) return finish(best);
      Vector gradient(size_);
      Matrix H = normal_equations(best, gradient);
      for (Eigen::Index k = 0; k < size_; ++k)
        if (has_prior(k)) H(k, k) += prior_weight, gradient[k] += prior_weight * x_[k];
      bool improved = false;
      for (int trial = 0; trial < max_ring_trials && !improved; ++trial) {
        Matrix damped = H;
        damped.diagonal() += damping_ * H.diagonal() + Vector::Constant(size_, 1e-9 * H.trace());
        Vector step = -Eigen::LDLT<Matrix>(damped).solve(gradient);
        double longest = common_ > 0 ? step.head(common_).cwiseAbs().maxCoeff() : 0;
        for (std::size_t r = 0; r < num_runs() && block_ > 2; ++r)
          longest = std::max(longest, step.segment(start_of(r) + 2, block_ - 2).cwiseAbs().maxCoeff());
        if (longest > largest_step) step *= largest_step / longest;
        std::vector<Vector> there;
        failure_.clear();
        const bool simulated = evaluate(x_ + step, there);
        if (is_stopped()) return finish(best);
        const double value = simulated ? total(there) + prior(x_ + step) : chi2;
        if (value < chi2) {
          improved = true;
          x_ += step;
          result_.converged = chi2 - value < least_ring_decrease * chi2 + 1e-3;
          chi2 = value;
          best = std::move(there);
          damping_ = std::max(damping_ / ring_damping_factor, 1e-9);
        } else {
          damping_ *= ring_damping_factor;
        }
      }
      failure_.clear();
      if (!improved) result_.converged = true;  // nothing better along any step, however short
      if (result_.converged) break;
    }
    return finish(best);
  }

 private:
  std::size_t num_runs() const { return problem_.runs->size(); }
  const PreparedRun& run_at(std::size_t r) const { return (*problem_.runs)[r]; }
  Eigen::Index start_of(std::size_t r) const { return common_ + block_ * static_cast<Eigen::Index>(r); }
  static std::size_t at(Eigen::Index i) { return static_cast<std::size_t>(i); }
  const SearchNumbers& start() const { return problem_.start; }
  /// Weakly: numbers that nothing determines would run off to nothing, where no slope leads back.
  double prior(const Vector& x) const {
    double sum = 0;
    for (Eigen::Index k = 0; k < size_; ++k)
      if (has_prior(k)) sum += prior_weight * x[k] * x[k];
    return sum;
  }
  bool has_prior(Eigen::Index k) const { return k < common_ || (k - common_) % block_ >= 2; }
  bool by_envelope() const { return options_.objective == RingObjective::envelope; }
  Vector residuals(std::size_t r, const SimulatedRing& ring) const {
    return by_envelope() ? envelopes_[r].of(ring) : motions_[r].of(ring);
  }
  int count(std::size_t r) const { return by_envelope() ? envelopes_[r].count() : motions_[r].count(); }
  bool is_stopped() const { return options_.should_stop && options_.should_stop(); }
  static double total(const std::vector<Vector>& parts) {
    double sum = 0;
    for (const Vector& part : parts) sum += part.squaredNorm();
    return sum;
  }

  SearchNumbers numbers(const Vector& x) const {
    SearchNumbers numbers = start();
    for (Eigen::Index k = 0; k < common_; ++k) numbers.common[at(k)] *= std::exp(x[k]);
    for (std::size_t r = 0; r < numbers.own.size(); ++r)
      for (Eigen::Index k = 2; k < block_; ++k) numbers.own[r][at(k - 2)] *= std::exp(x[start_of(r) + k]);
    return numbers;
  }
  SimulatedRing simulated(std::size_t r, const Vector& x) const {
    const PreparedRun& run = run_at(r);
    const SearchNumbers now = numbers(x);
    const std::vector<double> own = now.own.empty() ? std::vector<double>() : now.own[r];
    return simulate_ring(run, problem_.overrides(now.common, own), x[start_of(r)] * run.amplitude,
                         x[start_of(r) + 1] * run.amplitude * run.omega, options_.should_stop);
  }

  /// Runs jobs on all cores; the first failure stays in failure_.
  void parallel(std::size_t count, const std::function<void(std::size_t)>& job) {
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i = next++; i < count; i = next++) job(i);
    };
    std::vector<std::thread> threads;
    const std::size_t others = std::min<std::size_t>(count, static_cast<std::size_t>(num_threads())) - 1;
    for (std::size_t t = 0; t < others; ++t) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
    result_.num_simulations += static_cast<int>(count);
  }
  void note_failure(const std::string& text) {
    const std::lock_guard<std::mutex> hold(mutex_);
    if (failure_.empty()) failure_ = text;
  }

  bool evaluate(const Vector& x, std::vector<Vector>& parts) {
    parts.assign(num_runs(), {});
    parallel(num_runs(), [&](std::size_t r) {
      const SimulatedRing ring = simulated(r, x);
      if (!ring.failure.empty()) return note_failure(ring.failure);
      parts[r] = residuals(r, ring);
      if (!parts[r].allFinite()) note_failure("the simulated motion is no number");
    });
    return failure_.empty();
  }

  bool differentiate(const std::vector<Vector>& best) {
    J_.clear();
    for (std::size_t r = 0; r < num_runs(); ++r) J_.push_back(Matrix::Zero(best[r].size(), common_ + block_));
    const auto columns = static_cast<std::size_t>(common_ + block_);
    parallel(num_runs() * columns, [&](std::size_t job) {
      const std::size_t r = job / columns;
      const auto k = static_cast<Eigen::Index>(job % columns);
      Vector x = x_;
      x[k < common_ ? k : start_of(r) + k - common_] += log_difference;
      const SimulatedRing ring = simulated(r, x);
      if (!ring.failure.empty()) return note_failure(ring.failure);
      J_[r].col(k) = (residuals(r, ring) - best[r]) / log_difference;
    });
    return failure_.empty();
  }

  Matrix normal_equations(const std::vector<Vector>& best, Vector& gradient) const {
    Matrix H = Matrix::Zero(size_, size_);
    gradient.setZero(size_);
    for (std::size_t r = 0; r < num_runs(); ++r) {
      const Matrix own = J_[r].transpose() * J_[r];
      const Vector slope = J_[r].transpose() * best[r];
      const Eigen::Index s = start_of(r);
      H.topLeftCorner(common_, common_) += own.topLeftCorner(common_, common_);
      H.block(0, s, common_, block_) += own.topRightCorner(common_, block_);
      H.block(s, 0, block_, common_) += own.bottomLeftCorner(block_, common_);
      H.block(s, s, block_, block_) += own.bottomRightCorner(block_, block_);
      gradient.head(common_) += slope.head(common_);
      gradient.segment(s, block_) += slope.tail(block_);
    }
    return H;
  }

  SearchResult finish(const std::vector<Vector>& best) {
    result_.failure = is_stopped() ? "stopped" : failure_;
    result_.numbers = numbers(x_);
    for (std::size_t r = 0; r < num_runs(); ++r) {
      result_.displacement.push_back(x_[start_of(r)] * run_at(r).amplitude);
      result_.velocity.push_back(x_[start_of(r) + 1] * run_at(r).amplitude * run_at(r).omega);
      result_.num_residuals += count(r);
    }
    if (!result_.failure.empty() || J_.empty()) return std::move(result_);
    result_.chi2 = total(best);
    double weighted = by_envelope() ? result_.num_residuals : 0;  // swings are independent
    for (std::size_t r = 0; r < num_runs() && !by_envelope(); ++r)
      weighted += correlation_of(best[r], motions_[r].instants()) * static_cast<double>(motions_[r].count());
    result_.correlation = weighted / std::max(1, result_.num_residuals);
    Vector gradient;
    const Matrix H = normal_equations(best, gradient);
    const double freedom = result_.num_residuals - static_cast<double>(size_);
    const double spread = freedom > 0 ? result_.chi2 / freedom : 1;
    result_.covariance = spread * result_.correlation *
                         Eigen::CompleteOrthogonalDecomposition<Matrix>(H).solve(Matrix::Identity(size_, size_));
    return std::move(result_);
  }

  const SearchProblem& problem_;
  const IdentifyOptions& options_;
  const std::function<void(double)>& on_progress_;
  std::vector<MotionResiduals> motions_;
  std::vector<EnvelopeResiduals> envelopes_;
  Eigen::Index common_ = 0, block_ = 2, size_ = 0;  ///< block: of the numbers of one run
  Vector x_;
  std::vector<Matrix> J_;
  double damping_ = ring_first_damping;
  SearchResult result_;
  std::mutex mutex_;
  std::string failure_;
};

}  // namespace

SearchResult search(const SearchProblem& problem, const SearchResult* from, const IdentifyOptions& options,
                    const std::function<void(double)>& on_progress) {
  return RingSearch(problem, options, on_progress).run(from);
}

}  // namespace dashpot::learn
