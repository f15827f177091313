#pragma once
// What is looked for when a law is learned: the weights of `learned` materials and of `stretch_rayleigh` dampings, with
// the priors of reference D, section 5: a ridge on all weights, and second differences of curves, in units of chi2.
//
// Curves of elastic laws have one prior more: from knot to knot the slope that they add is zero, with a standard
// deviation of three times that of the known law (2 mu of f, lambda of h). Second differences alone let a curve go on
// where nothing was measured with the slope that it had at the last strain that was, and there it is determined worst:
// a bend that the knots cannot follow made it tens of times as steep as the law. The ridge does not help, it is on the
// values of curves and not on their slopes. With this prior what was not measured is the known law, with its moduli
// corrected (the tail).
//
// A scene with ordinary materials becomes one that can learn by learning_overrides(): its materials are the known laws
// that are corrected, and every weight is zero.

#include <string>
#include <vector>

#include "dashpot/learn/fit.hpp"
#include "dashpot/scene/read_scene.hpp"

namespace dashpot::learn {

struct LawRequest {
  std::vector<std::string> bodies = {};  ///< empty: all whose material can be corrected
  bool elasticity = true;                ///< tail and curves
  bool curves = true;                    ///< false: the tail alone, two numbers (a change of the Lame parameters)
  bool damping = false;                  ///< curves of stretch_rayleigh
  double ridge = 0.01;                   ///< noise-free; 0.3 to 1 where what was measured is noisy
  double smoothness = 1;                 ///< of bends and slopes of curves
};

/// Changes that turn materials into `learned` ones, and Rayleigh damping into `stretch_rayleigh` where damping is to be
/// learned. dashpot::Error, naming bodies, where a material cannot be corrected.
std::vector<SceneOverride> learning_overrides(const SceneSpec& spec, const LawRequest& request);

/// Adds the weights that the System of the first run has. dashpot::Error where it has none.
void add_law_unknowns(FitProblem& problem, const LawRequest& request);

/// The groups of weights that a material or a damping may have.
enum class WeightKind { tail, curve, kernel, damping };
struct WeightGroup {
  std::string parameter;  ///< "/bodies/0/material/stretch"
  int body = 0;
  WeightKind kind = WeightKind::tail;
  int size = 0;
};
std::vector<WeightGroup> weight_groups(const System& system);

}  // namespace dashpot::learn
