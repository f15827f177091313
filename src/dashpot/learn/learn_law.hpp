#pragma once
// Learns the law of a body from measured motions, judges it, and gives it back as a file and as a scene.
//
//   1. the weights (law_unknowns.hpp), and other parameters that are asked for, are fitted to the training runs
//   (estimator.hpp);
//   2. every run, those held out too, is simulated with the nominal and with the learned law: error by instant;
//   3. the law is checked over the strains that were visited, and a little beyond: it must be stiff everywhere
//      (definiteness.hpp). Where it is not the prior is raised and the last stage fitted again [reference D, section
//      7].
//
// A held-out run is never fitted: it is what tells whether the law can be trusted.

#include <optional>
#include <string>
#include <vector>

#include "dashpot/learn/definiteness.hpp"
#include "dashpot/learn/estimator.hpp"
#include "dashpot/learn/fit.hpp"
#include "dashpot/learn/law_unknowns.hpp"
#include "dashpot/scene/format/law_file.hpp"

namespace dashpot::learn {

struct LearnTask {
  std::vector<ObservedRun> runs, held_out;
  LawRequest law;
  /// Parameters that are learned beside the law, or in its place: "/bodies/0/damping/0/beta". Positive ones by their
  /// logarithm.
  std::vector<std::string> parameters = {};
  bool learns_law = true;
  FitOptions fit;  ///< stages are those of stages_of() where there are none
  EstimatorOptions estimator = {};
};

/// How well a run is met, by instant.
struct RunQuality {
  std::string name;
  bool held_out = false;
  std::vector<double> time;                 ///< [s]
  std::vector<double> nominal, learned;     ///< rms residual at these instants, in standard deviations
  double nominal_rms = 0, learned_rms = 0;  ///< over the run; not a number where the simulation failed
  int num_residuals = 0;
  std::string explanation;  ///< why a simulation failed
};

/// The law of one body.
struct LearnedBody {
  std::string name;
  int index = 0;                             ///< in the scene
  std::optional<LearnedParts> law = {};      ///< of elastic laws
  VisitedStrains visited;                    ///< by the training runs, simulated with the learned law
  std::optional<Definiteness> definiteness;  ///< of elastic laws
};

struct LearnOutcome {
  FitProblem problem;
  FitResult fit;
  std::vector<double> values;  ///< all parameters of the first run's scene
  std::vector<RunQuality> quality;
  std::vector<LearnedBody> bodies;
  std::vector<std::string> warnings;  ///< what is not to be trusted, in words

  bool stopped() const { return fit.end == FitResult::End::stopped; }
};

/// The stages of a task: those that are given, else default_stages().
std::vector<FitStage> stages_of(const LearnTask& task);
/// The problem of a task; dashpot::Error where there is nothing to learn.
FitProblem make_problem(const LearnTask& task);
LearnOutcome learn(const LearnTask& task);

/// The first run's scene with what was learned, as JSON that `dashpot run` accepts.
std::string learned_scene(const LearnTask& task, const LearnOutcome& outcome);
/// The law of a body, with what it was learned from.
LawFile learned_law(const LearnTask& task, const LearnOutcome& outcome, const LearnedBody& body);

}  // namespace dashpot::learn
