#pragma once
// Finds parameters from measured motions: the least squares of all residuals of all runs plus a prior,
//
//     F(x) = chi2(theta(x)) + (x - x_prior)^T P (x - x_prior),
//
// by Levenberg and Marquardt through the simulator. [WangEtAl2020, eqs. 5-8 and their repair in reference D, section 5]
// What made it work there, and is done here:
//
//   * damping by the identity, scaled by trace(H) / n, and not by the diagonal of H: weights that nothing visits have
//     no diagonal and would fly off;
//   * unknowns x of order one (Unknown::Map);
//   * a horizon that grows in stages: a period that is a quarter off skips cycles when all is fitted at once. Stages
//     before the last one end early: they only have to tell where the next one begins;
//   * a few unknowns that lead (the tail of a law: a change of its moduli) are fitted over all horizons before the
//     others move: many weights meet a short horizon in ways that mean nothing beyond it;
//   * a trial whose run fails counts as infinitely bad, and one that is worse is ended before its end;
//   * a stage that cannot begin (its longer run fails, or is ten times worse than what was fitted) is divided: half of
//     the way to its horizon is fitted first. Where a short extension fails too x is pulled towards the prior;
//   * steps stay in a set that is known by half-spaces (Admissible), where one is given: each takes the least of its
//     quadratic model there. What the set is may hang on the runs, so it is asked again where a stage begins and ends;
//   * it ends on the absolute decrease of F: at the noise floor the last tenth of a percent holds the information.
//     Steps whose linear model promises less are not tried.

#include <functional>
#include <string>
#include <vector>

#include "dashpot/learn/half_spaces.hpp"
#include "dashpot/learn/observed_run.hpp"

namespace dashpot::learn {

/// A number that is looked for.
struct Unknown {
  /// theta = start + scale x; start exp(scale x); within an open interval: (theta - low)/(high - theta) is what it is
  /// at the start, times exp(scale x). The last is for numbers whose ends are limits of the model: Poisson's ratio near
  /// 0.5, where the bulk modulus goes as 1/(0.5 - theta), is a sliver of any search that goes by theta itself.
  enum class Map { linear, logarithmic, interval };
  std::string parameter;  ///< its name in the layout of every run's System: "/bodies/0/material/young"
  int number = 0;         ///< of a list: which one
  Map map = Map::linear;
  double start = 0;          ///< at x = 0
  double scale = 1;          ///< linear: in the parameter's unit; else 1 is a factor e
  bool is_of_list = false;   ///< named with its number
  bool leads = false;        ///< one of the few that say most, which are fitted first
  double low = 0, high = 0;  ///< of an interval

  double value(double x) const;
  double slope(double x) const;     ///< dvalue/dx
  double x_of(double theta) const;  ///< infinite where no x has this value
  std::string name() const;         ///< "/bodies/0/material/stretch[3]"
};

struct FitProblem {
  std::vector<ObservedRun> runs;
  std::vector<Unknown> unknowns;
  Matrix precision;  ///< P of the prior; empty: none
  Vector prior;      ///< x_prior; empty: zero

  /// All parameter values of a run's System at x.
  std::vector<double> values(const ObservedRun& run, const Vector& x) const;
  /// P grows by weight on x_first ... x_{first+count-1}: of their squares, of their differences (slopes of curves), or
  /// of their second differences (bends).
  void add_ridge(std::size_t first, std::size_t count, double weight);
  void add_flatness(std::size_t first, std::size_t count, double weight);
  void add_smoothness(std::size_t first, std::size_t count, double weight);
};

struct FitStage {
  /// Which unknowns move. Stages of those that lead are left out where none does, or all do.
  enum class Moves { leading, all };
  double horizon = 1;  ///< share of each run's measured time
  double robust_scale = std::numeric_limits<double>::infinity();
  int max_iterations = 20;
  Moves moves = Moves::all;
};
/// The stages of reference D, sections 5 and 9: growing horizons, for the leading unknowns first where there are any;
/// for robust residuals a scale that is tightened.
std::vector<FitStage> default_stages(bool robust);

struct FitIteration {
  std::size_t stage = 0;
  double chi2 = 0, prior = 0;  ///< after it
  int num_residuals = 0;
  double damping = 0;  ///< of Levenberg
  bool accepted = false;
  std::string note;    ///< why a trial was refused
  double horizon = 1;  ///< of a stage that was divided: less than that of the stage
};

/// A set that x is kept in: convex, or nearly so. What it is may hang on the motions that a search finds.
class Admissible {
 public:
  virtual ~Admissible() = default;
  /// The runs of another x begin.
  virtual void begin_trial() = 0;
  /// Where the points of a run's scene are at a measured instant.
  virtual void look(std::size_t run, const std::vector<Vec3>& points) = 0;
  /// That x is the best so far. `forgets`: the motions of those that were kept before are of no interest any more.
  virtual void keep_trial(bool forgets) = 0;
  /// Half-spaces that hold the set, and not x; none: x is in it.
  virtual std::vector<HalfSpace> cuts(const Vector& x) const = 0;
};

struct FitOptions {
  std::vector<FitStage> stages = default_stages(false);
  double least_decrease = 0.5;       ///< of F, below which the last stage has converged
  double early_decrease = 0.01;      ///< share of F, below which a stage before the last one has
  double last_decrease = 1e-4;       ///< share of F, below which the last stage has, too: it is stuck far from the data
  Admissible* admissible = nullptr;  ///< not owned
  std::function<bool()> should_stop;
  std::function<void(const FitIteration&, const Vector& x)> on_iteration;  ///< x: the best so far
  std::function<void(std::size_t stage, double share)> on_progress;        ///< of the run that is simulated
};

struct FitResult {
  enum class End { converged, out_of_iterations, stopped, failed };
  End end = End::converged;
  std::string explanation;
  Vector x;
  std::vector<double> values;  ///< of the unknowns, in their own units
  double chi2 = 0, prior = 0;
  int num_residuals = 0;
  Matrix JtJ;  ///< of the residuals at x
  std::vector<FitIteration> iterations;
  int num_simulations = 0;

  /// Covariance of x: (J^T J + P)^-1, times chi2 / (residuals - unknowns) where that is above one.
  Matrix covariance(const FitProblem& problem) const;
  /// Share of each unknown that the measurements decide; the prior decides the rest. 0 ... 1.
  Vector determined(const FitProblem& problem) const;
};

/// `start`: x to begin from; empty: zero. dashpot::Error where unknowns and runs do not fit together.
FitResult fit(const FitProblem& problem, const FitOptions& options, const Vector& start = {});

}  // namespace dashpot::learn
