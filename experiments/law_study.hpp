#pragma once
// A law that is hidden in a body, learned from the surface of one of its motions, and asked to predict others
// [WangEtAl2020, table 1]: what the reproductions of elastic laws and of dampings have in common.

#include <functional>
#include <string>
#include <vector>

#include "learning_trials.hpp"
#include "scene_file.hpp"

namespace dashpot::cli {

/// What is changed in the scene to make a motion: gravity, a moved part, the body itself. With a scene of its own the
/// law is carried over to another body: it may have another material than the study where damping alone is learned.
struct StudiedMotion {
  std::string name;  ///< of files too
  std::vector<SceneChange> changes = {};
  std::string scene = {};
};

struct StudySpec {
  std::string scene;                 ///< of experiments/scenes: one body
  std::vector<SceneChange> size;     ///< of the variant
  std::string truth, believed;       ///< materials, JSON
  bool truth_is_homogeneous = true;  ///< it has one stress-stretch curve
  std::string true_damping = "[]", believed_damping = "[]";
  std::vector<SceneChange> of_truth = {};  ///< what else is different in the truth: its step, its mesh
  std::vector<StudiedMotion> training, unseen;
  learn::LawRequest law = {};
  double sigma = 1e-4;       ///< standard deviation of what is seen, over the body's diagonal
  bool sees_inside = false;  ///< nodes inside are seen too
  int every = 1;             ///< steps between frames
};

/// One motion of a study.
struct StudiedTrial {
  LearningTrial trial;
  learn::SimulatedMotion predicted;                                                   ///< with what was learned
  double nominal_error() const { return 100 * trial.error_of(trial.nominal).worst; }  ///< [%]
  double error() const { return 100 * trial.error_of(predicted).worst; }              ///< [%]
  double rms() const { return 100 * trial.error_of(predicted).rms; }                  ///< [%]
};

struct Study {
  StudySpec spec;
  std::vector<StudiedTrial> training, unseen;
  LearnedTrial learned;  ///< from all training motions

  /// Largest error of a node over all motions [%]; not a number where one ends early, or there is none.
  static double worst(const std::vector<StudiedTrial>& trials);
  double max_error() const { return worst(training); }
  double unseen_error() const { return worst(unseen); }
};

/// Simulates the truth, learns from the surface nodes of the training motions, predicts all motions.
Study run_study(const ReproductionRequest& request, const StudySpec& spec);

/// Largest error of the first training motion with another material on the model that learns [%].
double law_error(const Study& study, const std::string& material);

/// Wall time of learning; the bar is that of the body's size [min].
Claim learning_time_claim(const Study& study);
/// The nominal law misses the first training motion by at least this [%]: there is something to learn.
Claim nominal_claim(const ReproductionRequest& request, const Study& study, double bar);
/// That the law is stiff over the strains it was learned from and a little beyond.
Claim definiteness_claim(const ReproductionRequest& request, const Study& study);

/// Stress over stretch of a bar with free sides: truth, nominal and learned law.
render::Figure stress_figure(const Study& study);
/// The coefficient of stiffness damping over the largest stretch: truth, nominal and learned.
render::Figure damping_figure(const Study& study);

/// Error by frame, pictures side by side, the law, tables of errors and unknowns.
render::Report study_report(const ReproductionRequest& request, const Study& study, const std::string& title,
                            const std::string& subtitle, const std::string& summary);
/// A second study's sections, their headings after `name`.
void add_sections(const ReproductionRequest& request, const Study& study, const std::string& name,
                  render::Report& report);
/// The table of errors alone.
render::Table error_table(const Study& study);

}  // namespace dashpot::cli
