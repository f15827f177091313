#pragma once
// What the reproductions of [WangEtAl2020] share: a true body whose motion is seen, a scene that is believed and has to
// learn it, and how far a forward simulation with the learned law is from the truth. Errors are distances of nodes in
// percent of the diagonal of the body's bounding box at rest, over all nodes and frames, hidden ones too (the paper's
// "object size" is not defined; reference D, E12).
//
//   const LearningTrial trial = make_trial(request, "bar", truth_text, believed_text, {});
//   learn::LearnTask task = task_of({{&trial, see_nodes(trial, surface_points(trial, 0.13), sigma)}});
//   const LearnedTrial learned = learn_trial(request, "13 % of the nodes", task, trial);

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dashpot/learn/cloud_observation.hpp"
#include "dashpot/learn/learn_law.hpp"
#include "dashpot/learn/scan.hpp"
#include "dashpot/learn/simulated_motion.hpp"
#include "dashpot/learn/trajectory_observation.hpp"
#include "experiment.hpp"

namespace dashpot::cli {

/// A true motion and the scene that is believed. Where the true body has another mesh or another step, its motion is
/// looked at where the nodes of the scene are attached to it, at the instants of the scene's steps.
struct LearningTrial {
  std::string name;
  std::shared_ptr<const CompiledScene> truth, scene;  ///< scene: weights of its law are zero
  std::vector<double> times;                          ///< of frames [s]
  learn::SimulatedMotion truth_motion;                ///< of the points of `truth`
  learn::SimulatedMotion seen;                        ///< the same at the points of `scene`
  learn::SimulatedMotion nominal;                     ///< of `scene`, as believed
  double size = 0;                                    ///< diagonal of the bounding box of the scene at rest [m]

  /// Largest and rms distance to the truth, in percent; not a number where the motion ends early.
  learn::MotionError error_of(const learn::SimulatedMotion& motion) const;
  /// Of the scene with other parameter values (LearnedTrial::values_for); empty: its own.
  learn::SimulatedMotion motion_with(const std::vector<double>& values) const;
};

/// Simulates truth and believed scene, a frame every `every` steps of the believed scene until its end. `law` says what
/// of the believed scene can be learned; not `learnable`: the scene stays as it is written. Both are written to the
/// folder as <name>_truth.json and <name>_believed.json. dashpot::Error where the truth cannot be simulated.
LearningTrial make_trial(const ReproductionRequest& request, const std::string& name, const std::string& truth,
                         const std::string& believed, const learn::LawRequest& law, int every = 1,
                         bool learnable = true);

/// Nodes on the surface that can move, as points of the scene; `share` < 1: that share of them, evenly spread.
std::vector<int> surface_points(const LearningTrial& trial, double share = 1);

/// Points of the scene followed over time, with normal noise where seed is not zero. sigma: of a coordinate [m].
std::shared_ptr<const learn::Observation> see_nodes(const LearningTrial& trial, const std::vector<int>& points,
                                                    double sigma, unsigned seed = 0);
/// The true surface as clouds of virtual cameras.
std::shared_ptr<const learn::Observation> see_clouds(const LearningTrial& trial, const learn::ScanSettings& scan,
                                                     const learn::CloudOptions& options = {});

using SeenTrial = std::pair<const LearningTrial*, std::shared_ptr<const learn::Observation>>;
/// What fits the law of the first trial's scene to all of them.
learn::LearnTask task_of(const std::vector<SeenTrial>& training, const learn::LawRequest& law = {});

struct LearnedTrial {
  std::string name;
  learn::LearnOutcome outcome;
  learn::SimulatedMotion motion;  ///< of the trial with the learned law
  learn::MotionError error;       ///< of it
  double seconds = 0;             ///< wall time of the search
  std::vector<Vector> iterates;   ///< x after each step of the search; the first is where it began

  /// Parameter values of a trial's scene with what was learned: loads and gravity are its own.
  std::vector<double> values_for(const LearningTrial& trial) const;
  double worst() const { return 100 * error.worst; }  ///< [%]
  double rms() const { return 100 * error.rms; }      ///< [%]
};
/// Learns, with progress and Ctrl-C, and simulates `trial` with what was learned.
LearnedTrial learn_trial(const ReproductionRequest& request, const std::string& name, learn::LearnTask task,
                         const LearningTrial& trial);

/// Largest error of a forward simulation with each iterate [%]: the paper's convergence plots. Not a number where a law
/// on the way cannot be simulated to the end.
std::vector<double> errors_by_iteration(const LearningTrial& trial, const LearnedTrial& learned);
/// Those of several searches, on a logarithmic axis.
render::Figure convergence_figure(const std::string& title, const LearningTrial& trial,
                                  const std::vector<const LearnedTrial*>& learned);

/// A motion with its name, for plots and pictures.
struct NamedMotion {
  std::string name;
  const learn::SimulatedMotion* motion;
};
/// Largest error over time of each, in percent, on a logarithmic axis.
render::Figure error_figure(const LearningTrial& trial, const std::vector<NamedMotion>& motions);
/// The path of the point that moves most along the axis it moves most: measured over all others.
render::Figure path_figure(const LearningTrial& trial, const std::vector<NamedMotion>& motions);
/// Truth, then each motion, side by side at some instants; written to folder/<file>.
render::Picture trial_picture(const ReproductionRequest& request, const LearningTrial& trial,
                              const std::vector<NamedMotion>& motions, const std::vector<double>& times,
                              const render::Look& look, const std::string& file);
/// "0.0123", or "-" where it is no number.
std::string percent_text(double percent);

}  // namespace dashpot::cli
