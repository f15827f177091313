#pragma once
// Several dampings or integrators, one scene, one report: what `compare` and `demo` share.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "dashpot/scene/report/run_report.hpp"
#include "measured_overlay.hpp"

namespace dashpot::cli {

/// One run of a comparison.
struct DampingCase {
  std::string name;                    ///< shown in tables and legends
  std::vector<SceneOverride> changes;  ///< of the scene
  double asked_zeta = 0;               ///< damping ratio asked for at the first frequency; 0: none stated
};

/// The JSON of a list of dampings from text: "none"; "rayleigh beta=2 ms"; "rayleigh zeta=2 Hz:0.02,20 Hz:0.02";
/// "rayleigh zeta=0.02" (first mode); "ether_drag rate=1 /s"; or JSON itself. UsageError when it has no such form.
std::string damping_json(const std::string& text);
/// Replaces the damping of every body.
DampingCase damping_case(const std::string& text, std::size_t num_bodies);
/// Replaces the stepper: "bathe", "newmark gamma=0.6", or JSON.
DampingCase stepper_case(const std::string& text);

struct ComparisonRequest {
  std::string title;
  std::string folder;            ///< each run gets a folder of its own in it
  bool may_hold_others = false;  ///< write into the folder even if it holds other things than a comparison
  Provenance provenance;
  std::vector<DampingCase> cases;
  std::function<SceneSpec(const std::vector<SceneOverride>&)> load;
  std::optional<MeasuredOverlay> measured = {};  ///< shown beside the runs
};
/// Runs all cases, prints the table, writes folder/report.html; returns the exit code.
int run_comparison(const ComparisonRequest& request, const Console& console);

}  // namespace dashpot::cli
