#pragma once
// Elasticity and damping of a body from captures of its ring-downs: the common small case of learning, in which a few
// numbers are looked for. Several laws of damping are fitted, each together with Young's modulus, to all runs at once,
// and are ranked by how well they predict what they were not fitted to: the second half of every ring-down.
//
// Residuals are those of learn (observation.hpp) along the main direction d of the measured motion, of each followed
// point,
//
//     r = P d.(x - s) / sigma(t),     sigma(t)^2 = sigma^2 + (e A(t))^2,
//
//   sigma the noise, A the measured envelope, e the share by which even the right model is off (2 %): so every cycle
//   counts alike until it drowns in noise. P takes a constant and a steady drift of each point out: rest positions
//   creep and frames are not exact, and neither says anything about damping.
//
// Or the envelope alone: of each swing y = x_k - 2 x_{k+1} + x_{k+2} of turning points, which no offset or drift
// enters,
//
//     r = ln |y_simulated / y_measured| / e,
//
// and one residual each for the mean frequency (to e / 4) and for the phase of the first turning point (to e cycles).
// Damping that depends on the amplitude is found so: in the motion its trace is small beside that of a phase which is
// off by little.
//
// The release by hand is never what a scene says. So two numbers a run are looked for beside: a displacement and a
// velocity along the mode that is seen, added to the start of the scene; and what comes before the first turning point
// after the release is not looked at.
//
// Unknowns are looked for by their logarithm (Levenberg-Marquardt; derivatives by differences of whole runs, because
// laws that hold, remember or are drawn as curves are among them, and because settings of a scene are more than its
// parameters: one loss factor makes a whole Prony series).

#include <functional>
#include <string>
#include <vector>

#include "dashpot/analysis/ring_down.hpp"
#include "dashpot/learn/damping_laws.hpp"
#include "dashpot/learn/material_point.hpp"
#include "dashpot/learn/tracks.hpp"
#include "dashpot/scene/compile.hpp"

namespace dashpot::learn {

/// A ring-down that was captured, and the scene of it.
struct RingRun {
  std::string name;  ///< "load52.csv", for messages and reports
  /// The scene of the run with values put in place of its own.
  std::function<CompiledScene(const std::vector<SceneOverride>&)> scene;
  Tracks tracks;                      ///< [m], in the frame and on the clock of the scene
  std::vector<MaterialPoint> points;  ///< one for each track
  double sigma = 0;                   ///< noise of a coordinate [m]; 0: read off the capture
};

/// What is compared of a ring-down.
enum class RingObjective {
  motion,   ///< all instants
  envelope  ///< sizes of the swings, one period, one phase: what a law does to the phase does not matter
};

struct IdentifyOptions {
  RingObjective objective = RingObjective::motion;
  std::string body = {};              ///< whose material and damping are looked for; empty: the only one with a modulus
  std::vector<DampingLaw> laws;       ///< none: default_laws()
  std::vector<std::string> ids = {};  ///< of those, only these; none: all
  double smallest = 0;  ///< cycles of a smaller amplitude are not looked at [m]; 0: 3 % of the first, 8 times noise
  double fitted_share = 0.5;  ///< of the time that is looked at: it is fitted, the rest is predicted; 1: all is fitted
  bool refit = true;          ///< the best law and the best Rayleigh damping are fitted to everything at the end
  double model_error = 0.02;  ///< e
  bool density = false;       ///< is looked for too: needs runs with other masses
  /// Of the modulus: it stays the scene's own.
  bool keeps_young = false;
  int max_iterations = 12;
  std::function<bool()> should_stop;
  std::function<void(const std::string& what, double share)> on_progress;  ///< 0...1 of everything
};

/// What is read off a ring-down that was measured, and what of it is looked at.
struct MeasuredRing {
  Vec3 direction = Vec3::Zero();        ///< d, in the scene
  std::vector<double> time, signal;     ///< mean of the points along d [s, m], about their mean
  analysis::RingDown ring;              ///< of `signal` from `from` on
  double from = 0, middle = 0, to = 0;  ///< [s]: first turning point, end of what is fitted, last cycle looked at
  double smallest = 0;                  ///< cycles of a smaller amplitude are not looked at [m]
};

/// How a law meets one run.
struct RingFit {
  std::vector<double> time, signal;         ///< as simulated, at the measured instants [s, m], about the same rest line
  analysis::RingDown ring;                  ///< of the simulated signal
  double frequency_error = 0;               ///< simulated over measured, less one
  double fitted_error = 0, held_error = 0;  ///< worst relative error of the envelope in the fitted, predicted part
  double displacement = 0, velocity = 0;    ///< added to the start along the mode [m, m/s]
};

struct IdentifiedValue {
  std::string name;  ///< "young", "alpha"
  Quantity quantity = Quantity::number;
  double value = 0;
  double error = 0;                ///< standard error, from the covariance
  double scatter = 0;              ///< standard deviation between runs fitted alone; 0: not known
  std::vector<double> alone = {};  ///< by run: fitted to it alone
};

struct IdentifiedLaw {
  DampingLaw law;
  /// Modulus first (and density), then those of the damping, then those that runs have for themselves.
  std::vector<IdentifiedValue> values;
  std::vector<RingFit> runs;
  double chi2 = 0, bic = 0;  ///< Bayesian information criterion, with the residuals that are independent
  int num_residuals = 0, num_unknowns = 0;
  double independent = 0;  ///< residuals that are, by their correlation in time
  double held_error = 0;   ///< worst of the runs
  bool converged = false;
  bool is_refitted = false;  ///< values are from everything, errors of the predicted part from the first fit
  std::string failure = {};  ///< why there is no result
  int num_simulations = 0;   ///< that this fit took
  std::vector<std::vector<SceneOverride>> overrides = {};  ///< by run: that make a scene of it
  std::vector<double> common = {};                         ///< modulus, density, numbers of the damping, as looked for
  std::vector<std::vector<double>> own = {};               ///< by run: those that each has for itself

  bool usable() const { return failure.empty(); }
};

struct Identification {
  std::string body;
  int body_index = 0;
  std::vector<std::string> run_names;
  std::vector<MeasuredRing> measured;  ///< by run
  std::vector<IdentifiedLaw> laws;     ///< the best first; those that failed last
  int rayleigh = -1;                   ///< the best of the Rayleigh dampings
  std::vector<std::string> notes, warnings;
  int num_simulations = 0;
  bool stopped = false;
};

/// dashpot::Error where the captures cannot be those of the scenes: units, frame rate, axes, too few cycles.
Identification identify(const std::vector<RingRun>& runs, const IdentifyOptions& options);

/// The body and its place in the scene that options name; dashpot::Error where there is none with a modulus.
int identified_body(const CompiledScene& scene, const std::string& name);
/// What is measured alone, without any simulation.
MeasuredRing measure_ring(const RingRun& run, const IdentifyOptions& options);
/// Largest |simulated / measured - 1| of the envelopes over the measured cycles in a window, of amplitudes above
/// `smallest`; not a number where there is no cycle.
double envelope_error(const analysis::RingDown& measured, const analysis::RingDown& simulated, double from, double to,
                      double smallest);

}  // namespace dashpot::learn
