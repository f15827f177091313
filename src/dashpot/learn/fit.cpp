#include "dashpot/learn/fit.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <Eigen/Cholesky>

#include "dashpot/learn/fit_evaluation.hpp"

namespace dashpot::learn {
namespace {

constexpr double first_damping = 1e-4, least_damping = 1e-12;
constexpr double least_damping_of_a_start = 1e-9;  // a longer horizon is less linear than the one before
constexpr double damping_factor = 8;
constexpr int max_trials = 8;             // of one iteration
constexpr int max_retreats = 20;          // of a stage that cannot begin
constexpr double retreat = 0.8;           // of x - x_prior
constexpr double least_extension = 0.05;  // of a horizon: what cannot begin is not divided further
constexpr double lost = 100;              // mean square of residuals that a longer run may have, or gain
constexpr double promise = 0.1;           // of least_decrease: a step that promises less is not tried
constexpr int max_cut_rounds = 30;        // of half-spaces, until a step ends in the admissible set
constexpr int max_entries = 5;            // of a stage, into a set that its own motions change

/// The search itself; keeps the best x and what is known there.
class Search {
 public:
  Search(const FitProblem& problem, const FitOptions& options, const Vector& start)
      : problem_(problem), options_(options), evaluation_(problem) {
    result_.x = start.size() > 0 ? start : Vector(Vector::Zero(evaluation_.size()));
    evaluation_.clamp(result_.x);
  }

  FitResult search() {
    const std::size_t num_leading = set_moving(FitStage::Moves::leading);
    for (stage_ = 0; stage_ < options_.stages.size(); ++stage_) {
      const FitStage& stage = options_.stages[stage_];
      if (stage.moves == FitStage::Moves::leading && (num_leading == 0 || num_leading == problem_.unknowns.size()))
        continue;
      set_moving(stage.moves);
      if (!run_stage(stage)) break;
    }
    return finish();
  }

 private:
  std::size_t set_moving(FitStage::Moves moves) {
    moving_.clear();
    for (std::size_t k = 0; k < problem_.unknowns.size(); ++k)
      if (moves == FitStage::Moves::all || problem_.unknowns[k].leads) moving_.push_back(static_cast<Eigen::Index>(k));
    return moving_.size();
  }

  double prior_at(const Vector& x) const { return evaluation_.prior_at(x); }

  /// Of all runs; gradients with respect to x, zero for what does not move in this stage.
  Comparison evaluate(const FitStage& stage, const Vector& x, double give_up_above) {
    ++result_.num_simulations;
    FitEvaluation::Request request{stage};
    request.moving = moving_;
    request.give_up_above = give_up_above;
    request.should_stop = options_.should_stop;
    if (options_.on_progress) request.on_progress = [&](double share) { options_.on_progress(stage_, share); };
    if (options_.admissible) {
      options_.admissible->begin_trial();
      request.on_points = [&](std::size_t run, const std::vector<Vec3>& points) {
        options_.admissible->look(run, points);
      };
    }
    return evaluation_.at(x, request);
  }

  double value() const { return best_.chi2 + prior_at(result_.x); }

  /// Of F, below which this stage has converged: the last stage finds the answer, those before it only have to tell
  /// where the next one begins.
  double enough(const FitStage& stage) const {
    const bool is_last = stage_ + 1 == options_.stages.size() && stage.horizon >= options_.stages[stage_].horizon;
    return std::max(options_.least_decrease, (is_last ? options_.last_decrease : options_.early_decrease) * value());
  }

  enum class Step { better, none, stopped };

  /// False: the search is over.
  bool run_stage(const FitStage& stage) {
    int retreats = 0;
    for (Start start; (start = begin(stage)) != Start::made;) {
      if (start == Start::stopped) {
        result_.end = FitResult::End::stopped;
        return false;
      }
      if (stage.horizon - reached_ > least_extension) {
        FitStage shorter = stage;
        shorter.horizon = 0.5 * (reached_ + stage.horizon);
        if (!run_stage(shorter)) return false;
      } else if (++retreats > max_retreats) {
        result_.end = FitResult::End::failed;
        result_.explanation = result_.iterations.back().note;
        return false;
      } else {
        result_.x = evaluation_.prior() + retreat * (result_.x - evaluation_.prior());
      }
    }
    result_.end = FitResult::End::out_of_iterations;
    int entries = 0;
    Step step = enter(stage);
    for (int i = 0; i < stage.max_iterations && step != Step::stopped; ++i) {
      const double before = value();
      step = iterate(stage);
      if (step == Step::stopped || (step == Step::better && before - value() >= enough(stage))) continue;
      // What the motions of this stage visit is known now.
      step = entries++ < max_entries ? enter(stage) : Step::none;
      if (step != Step::none) continue;
      result_.end = FitResult::End::converged;
      break;
    }
    if (step == Step::stopped) {
      result_.end = FitResult::End::stopped;
      return false;
    }
    reached_ = stage.horizon;
    return true;
  }

  enum class Start { made, failed, stopped };
  /// The first run of a stage.
  Start begin(const FitStage& stage) {
    Comparison first = evaluate(stage, result_.x, std::numeric_limits<double>::infinity());
    if (!first.reached()) {
      report(stage, false, first.explanation);
      return first.end == Comparison::End::stopped ? Start::stopped : Start::failed;
    }
    const auto mean = [](const Comparison& c) { return c.chi2 / std::max(1, c.num_residuals); };
    if (reached_ > 0 && stage.horizon - reached_ > least_extension && mean(first) > lost &&
        mean(first) > lost * mean(best_)) {
      report(stage, false, "much worse than over the shorter horizon");
      return Start::failed;
    }
    best_ = std::move(first);
    if (options_.admissible) options_.admissible->keep_trial(true);
    damping_ = std::max(damping_, least_damping_of_a_start);
    report(stage, true, "");
    return Start::made;
  }

  /// Half the slope of F by what moves.
  Vector gradient_here() const {
    return (best_.Jtr + evaluation_.precision() * (result_.x - evaluation_.prior()))(moving_);
  }
  Matrix hessian_here() const { return (best_.JtJ + evaluation_.precision())(moving_, moving_); }

  /// To the least of the damped quadratic model, in the admissible set where that has a point within reach.
  Vector least_step(const Matrix& H, double damping, const Vector& gradient) const {
    Matrix damped = H;
    damped.diagonal().array() += damping;
    Vector step = -Eigen::LDLT<Matrix>(damped).solve(gradient);
    if (!options_.admissible) return step;
    std::vector<HalfSpace> known;  // of steps
    for (int round = 0; round < max_cut_rounds && step.allFinite(); ++round) {
      Vector x = result_.x;
      x(moving_) += step;
      const std::vector<HalfSpace> cuts = options_.admissible->cuts(x);
      if (cuts.empty()) break;
      for (const HalfSpace& cut : cuts) known.push_back({cut.normal(moving_), cut.bound - cut.normal.dot(result_.x)});
      const std::optional<Vector> inside = least_in(damped, gradient, known);
      if (!inside) break;
      step = *inside;
    }
    return step;
  }

  /// Brings x into the admissible set, on the way on which the model of F grows least. none: it is there, or cannot be
  /// brought there.
  Step enter(const FitStage& stage) {
    if (!options_.admissible || options_.admissible->cuts(result_.x).empty()) return Step::none;
    const Matrix H = hessian_here();
    Vector x = result_.x;
    x(moving_) += least_step(H, damping_ * H.trace() / static_cast<double>(H.rows()), gradient_here());
    evaluation_.clamp(x);
    if (!x.allFinite() || !options_.admissible->cuts(x).empty()) return Step::none;
    const Comparison other = evaluate(stage, x, std::numeric_limits<double>::infinity());
    if (other.end == Comparison::End::stopped) return Step::stopped;
    if (!other.reached()) {
      report(stage, false, other.explanation);
      return Step::none;
    }
    result_.x = x;
    best_ = other;
    options_.admissible->keep_trial(false);
    report(stage, true, "brought into what is admissible");
    return Step::better;
  }

  Step iterate(const FitStage& stage) {
    const double now = value();
    const Vector gradient = gradient_here();
    const Matrix H = hessian_here();
    const double size = H.trace() / static_cast<double>(H.rows());
    double factor = damping_factor;
    for (int trial = 0; trial < max_trials; ++trial, damping_ *= factor, factor *= 2) {
      const Vector step = least_step(H, damping_ * size, gradient);
      if (!step.allFinite()) continue;
      if (-step.dot(2 * gradient + H * step) < promise * enough(stage)) return Step::none;
      Vector x = result_.x;
      x(moving_) += step;
      evaluation_.clamp(x);
      const Comparison other = evaluate(stage, x, now - prior_at(x));
      if (other.end == Comparison::End::stopped) return Step::stopped;
      if (other.reached() && other.chi2 + prior_at(x) < now) {
        result_.x = x;
        best_ = other;
        if (options_.admissible) options_.admissible->keep_trial(false);
        damping_ = std::max(damping_ / damping_factor, least_damping);
        report(stage, true, "");
        return Step::better;
      }
      report(stage, false, other.end == Comparison::End::failed ? other.explanation : "no better");
    }
    return Step::none;  // nothing better along any step, however short
  }

  void report(const FitStage& stage, bool accepted, std::string note) {
    result_.iterations.push_back({stage_, best_.chi2, prior_at(result_.x), best_.num_residuals, damping_, accepted,
                                  std::move(note), stage.horizon});
    if (options_.on_iteration) options_.on_iteration(result_.iterations.back(), result_.x);
  }

  FitResult finish() {
    complete(problem_, evaluation_, best_, result_);
    return std::move(result_);
  }

  const FitProblem& problem_;
  const FitOptions& options_;
  const FitEvaluation evaluation_;
  FitResult result_;
  Comparison best_;
  double damping_ = first_damping;
  std::size_t stage_ = 0;
  std::vector<Eigen::Index> moving_;  ///< unknowns that this stage changes
  double reached_ = 0;                ///< horizon of the last stage that was fitted
};

}  // namespace

double Unknown::value(double x) const {
  if (map == Map::linear) return start + scale * x;
  if (map == Map::logarithmic) return start * std::exp(scale * x);
  // (theta - low)/(high - theta) = odds; the smaller of both parts is exact.
  const double odds = (start - low) / (high - start) * std::exp(scale * x);
  return odds < 1 ? low + (high - low) * odds / (1 + odds) : high - (high - low) / (1 + odds);
}

double Unknown::slope(double x) const {
  if (map == Map::linear) return scale;
  const double at = value(x);
  return map == Map::logarithmic ? scale * at : scale * (at - low) * (high - at) / (high - low);
}

double Unknown::x_of(double theta) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (map == Map::linear) return (theta - start) / scale;
  if (map == Map::logarithmic) return theta > 0 ? std::log(theta / start) / scale : -infinity;
  if (!(theta > low)) return -infinity;
  if (!(theta < high)) return infinity;
  return std::log((theta - low) / (high - theta) * ((high - start) / (start - low))) / scale;
}

std::string Unknown::name() const {
  return is_of_list || number > 0 ? fmt::format("{}[{}]", parameter, number) : parameter;
}

std::vector<double> FitProblem::values(const ObservedRun& run, const Vector& x) const {
  std::vector<double> values = run.scene->system->parameter_values();
  const ParameterLayout& layout = run.scene->system->parameters();
  for (std::size_t k = 0; k < unknowns.size(); ++k)
    values[static_cast<std::size_t>(layout.at(unknowns[k].parameter).first + unknowns[k].number)] =
        unknowns[k].value(x[static_cast<Eigen::Index>(k)]);
  return values;
}

void FitProblem::add_ridge(std::size_t first, std::size_t count, double weight) {
  const auto n = static_cast<Eigen::Index>(unknowns.size());
  if (precision.size() == 0) precision = Matrix::Zero(n, n);
  for (std::size_t k = first; k < first + count; ++k)
    precision(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(k)) += weight;
}

void FitProblem::add_flatness(std::size_t first, std::size_t count, double weight) {
  const auto n = static_cast<Eigen::Index>(unknowns.size());
  if (precision.size() == 0) precision = Matrix::Zero(n, n);
  const Eigen::Vector2d difference(1, -1);
  for (std::size_t k = first; k + 1 < first + count; ++k)
    precision.block<2, 2>(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(k)) +=
        weight * difference * difference.transpose();
}

void FitProblem::add_smoothness(std::size_t first, std::size_t count, double weight) {
  const auto n = static_cast<Eigen::Index>(unknowns.size());
  if (precision.size() == 0) precision = Matrix::Zero(n, n);
  const Eigen::Vector3d difference(1, -2, 1);
  for (std::size_t k = first; k + 2 < first + count; ++k)
    precision.block<3, 3>(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(k)) +=
        weight * difference * difference.transpose();
}

std::vector<FitStage> default_stages(bool robust) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr auto leading = FitStage::Moves::leading;
  if (!robust)
    return {{0.3, infinity, 20, leading}, {0.6, infinity, 20, leading}, {1, infinity, 20, leading},
            {0.3, infinity, 20},          {0.6, infinity, 20},          {1, infinity, 40}};
  return {{0.25, 30, 3}, {0.25, 5, 3}, {0.4, 10, 3}, {0.6, 10, 3}, {0.8, 10, 3}, {1, 10, 3}, {1, 5, 8}};
}

Matrix FitResult::covariance(const FitProblem& problem) const {
  Matrix H = JtJ;
  if (problem.precision.size() > 0) H += problem.precision;
  const auto n = H.rows();
  const double freedom = static_cast<double>(num_residuals) - static_cast<double>(n);
  const double spread = freedom > 0 ? std::max(1.0, chi2 / freedom) : 1;
  return spread * Eigen::LDLT<Matrix>(H).solve(Matrix::Identity(n, n));
}

Vector FitResult::determined(const FitProblem& problem) const {
  if (problem.precision.size() == 0) return Vector::Ones(JtJ.rows());
  return Eigen::LDLT<Matrix>(JtJ + problem.precision).solve(JtJ).diagonal();
}

FitResult fit(const FitProblem& problem, const FitOptions& options, const Vector& start) {
  return Search(problem, options, start).search();
}

}  // namespace dashpot::learn
