#pragma once
// How long a step symplectic Euler can take with each of several dampings, each at several amounts, and what is then
// left of the motion: a body that hardly moves any more is stable at any step (paper C, fig. 3 and abstract).

#include <functional>
#include <string>
#include <vector>

#include "dashpot/analysis/largest_step.hpp"
#include "dashpot/scene/stability_trial.hpp"
#include "experiment.hpp"

namespace dashpot::cli {

/// What the amount of a damping may depend on.
struct DampedBody {
  std::string name;
  double lightest = 0;  ///< mass of its lightest node [kg]
  double lambda = 0;    ///< largest eigenvalue of dashpots on its edges, see EdgeGraph [1/kg]
};

/// A damping of velocities, in amounts 0 < gamma.
struct StepMethod {
  std::string id;                                                      ///< "global"
  std::string name;                                                    ///< in tables and legends
  std::vector<double> grid;                                            ///< amounts to try
  bool depends_on_dt = false;                                          ///< its text does
  std::function<std::string(const DampedBody&, double, double)> text;  ///< entries of a scene from (body, gamma, dt)
};

/// No damping, point, spring, and the forms of relative damping. `grid` is for global damping, 0 < gamma < 1; the
/// others are tried at its first amount and at the most they can take.
std::vector<StepMethod> paper_c_methods(const std::vector<double>& grid);
/// Those with the given ids.
std::vector<StepMethod> only(const std::vector<StepMethod>& methods, const std::vector<std::string>& ids);

/// Damping of a body by name: the entries of its list.
using DampingOf = std::function<std::string(const std::string& body)>;
DampingOf damping_of(const StepMethod& method, const std::vector<DampedBody>& bodies, double gamma, double dt);

/// The experiment: what is tried, and what is looked at beside it.
struct StepContestSetup {
  std::function<std::string(const DampingOf&, double dt)> scene;  ///< whose largest step is sought
  std::function<std::string(const DampingOf&, double dt)> comparison;
  TrialOptions trial;
  analysis::LargestStepOptions search;
  /// What is left of the motion of the comparison, 1: all, and the energy lost in it, of all that could be; both [1].
  /// The first method's comparison is measured first.
  std::function<double(const RecordedRun&)> motion_left, energy_lost;
};

/// One damping at one amount.
struct StepEntry {
  std::size_t method = 0;
  double gamma = 0;
  analysis::LargestStep found;
  double motion_left = 0, energy_lost = 0;  ///< of the comparison at the step found [1]
  double theory = 0;                        ///< border by explicit_limit at the step found [s]; 0: it knows none
  bool is_shortened = false;                ///< the comparison failed at the step that short trials had found
  RecordedRun motion;                       ///< the comparison
  double dt() const { return found.dt; }
};

struct StepContest {
  std::vector<StepMethod> methods;
  std::vector<StepEntry> entries;  ///< method by method

  /// The entry of a method (by id) with the longest step among those that leave at least so much of the motion; null:
  /// none.
  const StepEntry* best(const std::string& id, double least_motion = -1) const;
  /// The same over all methods of relative damping.
  const StepEntry* best_relative(double least_motion = -1) const;
  const std::string& name(const StepEntry& entry) const { return methods[entry.method].name; }
};

/// Searches begin at the border that theory gives, where it does, and next to that of the amount before elsewhere. Ends
/// early when interrupted.
StepContest run_step_contest(const ReproductionRequest& request, const StepContestSetup& setup,
                             const std::vector<StepMethod>& methods);

/// Ratio of two steps [1]; not a number where one is missing.
double step_ratio(const StepEntry* a, const StepEntry* b);

/// The bodies of a scene, as amounts of damping see them. Masses must be lumped.
std::vector<DampedBody> damped_bodies(const CompiledScene& scene);

std::string microseconds(double seconds);
/// "local, γ = 1, 62 % left of the motion"; "there is none" for null.
std::string describe(const StepContest& contest, const StepEntry* entry);
/// Largest step [us]; "over" where no longer one was tried.
std::string step_text(const StepEntry& entry);
/// Largest step and motion left over gamma, a line a method.
render::Figure step_figure(const StepContest& contest, const std::string& title, double least_motion);
/// All methods at all amounts.
render::Table step_table(const StepContest& contest, const std::string& caption);
/// Every method at the amount that allows the longest step of those that leave at least so much of the motion.
render::Table best_table(const StepContest& contest, const std::string& caption, double least_motion = -1);

}  // namespace dashpot::cli
