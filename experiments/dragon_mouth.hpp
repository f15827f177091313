#pragma once
// The mouth of a rubber dragon, pulled open and let go: the scene, what a camera reads of it, and the searches for
// dampings that make it close as asked.
#include <cmath>
#include <string>
#include <vector>

#include "compass_search.hpp"
#include "dashpot/math/gain_curve.hpp"
#include "experiment.hpp"
#include "scene_file.hpp"

namespace dashpot::cli::dragon {

constexpr double tau = 0.3;                                                   ///< [s]
inline const std::vector<double> knots = {0.06, 0.15, 0.3, 0.5, 0.75, 0.95};  ///< of the gain curve

/// What is asked for, in units of the opening at the release: Kohlrausch's law of recovery with the exponent 1/2, found
/// on threads that creep and used for polymers since. (The paper has a video; its numbers are not published.)
inline double recovery(double time) { return std::exp(-std::sqrt(time / tau)); }

struct Setup {
  int tets = 2500;
  double rate = 30;         ///< steps a second
  double end = 3;           ///< [s]
  int camera = 30;          ///< pictures a second of the camera that reads the opening; divides the rate
  double precision = 0.02;  ///< of the searches for linear dampings, in log10
  double tolerance = 1e-3;  ///< of the design's least squares, rms
  int rounds = 3;           ///< of the design, at most

  int num_pictures() const { return static_cast<int>(std::lround(end * camera)); }
  double picture(int i) const { return static_cast<double>(i) / camera; }  ///< time of picture i, from 1 [s]
};

/// Dampings, and the scene with one; `share` of the pull.
std::string rayleigh(double alpha, double beta);
std::string constant(double gain);
std::string along(const math::GainCurve& gain);
std::string scene_text(const Setup& setup, const std::string& damping, double share = 1,
                       const std::vector<SceneChange>& more = {});

/// A run, with what the camera sees of it.
struct Recovery {
  RecordedRun motion;
  std::vector<double> time, share;  ///< at each picture: opening over that at the release

  /// How far the jaw is from the snout, along the pull and beyond rest, at every step [m].
  std::vector<double> opening() const;
  /// Root mean square of (simulated - asked) over the pictures from `from` to `until` [s]. This and what follows are
  /// not a number where the run or its pictures end before.
  double error(double from = 0, double until = 1e9) const;
  /// Root mean square of (simulated - wanted) over the pictures, of which there are as many.
  double error_against(const std::vector<double>& wanted) const;
  double at(double time) const;  ///< share at the first picture from then on
  double half_time() const;      ///< from the release until half of the opening is left [s]
};
Recovery record(const ReproductionRequest& request, const Setup& setup, const std::string& name,
                const std::string& text, const std::string& file = {});

/// Name and recording alone, with `factor` times the displacement from rest: for pictures.
RecordedRun exaggerated(const RecordedRun& motion, double factor);

/// Shares that are asked for at the pictures: those of recovery().
std::vector<double> asked_shares(const Setup& setup);

/// A gain curve along the open mouth for which it closes as asked, by least squares.
struct Designed {
  math::GainCurve gain;
  int simulations = 0;
  double share_error = 0;  ///< rms of what the design sees: the share of the example
};
Designed design_opening(const ReproductionRequest& request, const Setup& setup, const std::vector<double>& wanted);

struct Linear {
  Lowest gain;                                          ///< one constant gain along the open mouth
  Lowest rayleigh;                                      ///< alpha [1/s], beta [s], without an example
  Lowest at_first, at_last;                             ///< gains that are right until 0.1 s, and from 0.5 s on
  bool has_all() const { return !rayleigh.x.empty(); }  ///< the quick variant searches the gain alone
};
Linear search_linear(const ReproductionRequest& request, const Setup& setup);

}  // namespace dashpot::cli::dragon
