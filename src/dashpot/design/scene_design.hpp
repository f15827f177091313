#pragma once
// The "design" section of a scene: what a body's example-based damping shall do, as targets in plain words. The body is
// taken out of its world for it (no gravity, loads, contacts or moving pins: an unloading test on a bench), its gains
// are searched, and the scene is written back with the gains found.

#include <memory>
#include <string>
#include <vector>

#include "dashpot/design/envelope.hpp"
#include "dashpot/design/settle.hpp"
#include "dashpot/scene/compile.hpp"

namespace dashpot {
class ExampleBased;
}

namespace dashpot::design {

struct DesignTask {
  std::string body;         ///< name
  std::size_t damping = 0;  ///< index of the example_based entry among the body's dampings
  CompiledScene bench;      ///< the body alone
  Designable designable;    ///< refers to bench
  Gains start;              ///< as the scene has them
  std::vector<UnloadingTarget> unloading;
  std::vector<SettleTarget> settle;
  std::vector<EnvelopeTarget> envelopes;
  UnloadingOptions options;  ///< callbacks are the caller's to fill in
};

/// dashpot::Error with all problems of the section. Null when the hooks, which tell of the precomputation of a reduced
/// body, said stop.
std::unique_ptr<DesignTask> make_design_task(const SceneSpec& spec, const PrecomputeHooks& hooks = {});

/// The first damping of a compiled scene that has examples, of this body where it is named; dashpot::Error where none
/// can be designed.
const ExampleBased& examples_of(const CompiledScene& scene, const std::string& body = {});
/// Releases of the examples of that damping. Refers to `scene`.
Designable make_designable(const CompiledScene& scene, const std::string& body = {});

/// The scene's text with these gains in the example_based damping of the task's body. Comments are lost.
std::string with_gains(const std::string& scene_text, const DesignTask& task, const Gains& gains);

/// Everything that was found. Settle times are searched first, then envelopes, then unloading targets.
struct DesignOutcome {
  Gains gains;
  UnloadingDesign unloading;  ///< empty targets: none were asked for
  std::vector<SettleDesign> settle;
  std::vector<EnvelopeFit> envelopes;
  int simulations = 0;
  bool reached = false, stopped = false;
};
DesignOutcome run_design(const DesignTask& task);

}  // namespace dashpot::design
