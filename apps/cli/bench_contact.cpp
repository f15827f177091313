// What contact adds to a backward-Euler step of a soft body that falls on the ground. Three runs of the same body at
// the same speed: it hits the ground (contact); its underside is held from the start, so that it is squeezed and rings
// as hard but without contact (held); it flies past (flight). Newton iterates to its tolerance in all of them. The bar
// is against "held", which deforms as much; flight is nearly linear, and what the difference to it costs is stated too.
//
// Floor: a plane costs some 5 ns for each surface node and evaluation, 10 us a step at 11k tets. What can cost is more
// Newton iterations, because nodes come into contact within a step; they are counted.
#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "benchmarks.hpp"
#include "dashpot/scene/compile.hpp"
#include "interrupt.hpp"
#include "stopwatch.hpp"

namespace dashpot::cli {
namespace {

/// A ball of about `tets` tets, 1 cm above the ground at 3 m/s.
CompiledScene falling_ball(int tets, const std::string& more_of_body, const std::string& colliders) {
  const int layers = std::max(1, static_cast<int>(std::lround(std::cbrt(tets / 20.0))));
  return compile(parse_scene(fmt::format(R"({{
    "dashpot": 1, "gravity": [0, -9.81, 0],
    "time": {{"dt": "5 ms", "end": "1 s", "stepper": "backward_euler"}},
    "bodies": [{{"name": "ball", "mesh": {{"sphere": {{"radius": "15 cm", "layers": {}}}}},
      "place": {{"translate": [0, "16 cm", 0]}},
      "material": {{"model": "stable_neo_hookean", "young": "0.1 MPa", "poisson": 0.4, "density": 1000}},
      "start": {{"from": "rest", "velocity": [0, "-3 m/s", 0]}}{}}}]{}}})",
                                         layers, more_of_body, colliders)));
}

struct Cost {
  double milliseconds = 0, iterations = 0, factorizations = 0;  ///< a step
};

Cost play(const CompiledScene& scene, int steps) {
  State state = scene.start;
  Workspace workspace = scene.system->make_workspace();
  const std::unique_ptr<Stepper> stepper = make_stepper(scene.spec);
  Cost cost;
  advance(*stepper, *scene.system, state, workspace, scene.run.dt);  // symbolic analysis
  for (int i = 0; i < steps && !interrupted(); ++i) {
    const auto start = std::chrono::steady_clock::now();
    const StepReport report = advance(*stepper, *scene.system, state, workspace, scene.run.dt);
    cost.milliseconds += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    cost.iterations += report.newton_iterations;
    cost.factorizations += report.factorizations;
  }
  return {cost.milliseconds / steps, cost.iterations / steps, cost.factorizations / steps};
}

}  // namespace

std::vector<Measurement> bench_contact(const BenchRequest& request) {
  std::vector<Measurement> results;
  constexpr int steps = 40;  // 0.2 s: the impact, the squeeze and the way back
  for (const int wanted : request.sizes) {
    const CompiledScene hit = falling_ball(wanted, "", R"(, "colliders": [{"plane": {"name": "floor"}}])");
    const CompiledScene held =
        falling_ball(wanted, R"(, "pins": [{"where": {"box": [[-1, -1, -1], [1, 0.03, 1]]}}])", "");
    const CompiledScene flight = falling_ball(wanted, "", "");
    const int tets = hit.bodies[0].mesh.tets()->size();
    std::vector<double> contact_ms, held_ms, flight_ms, ratio, added, flight_ratio, flight_added;
    Cost contact_cost, held_cost, flight_cost;
    for (int i = 0; i < std::min(request.repeats, 3) && !interrupted(); ++i) {
      contact_cost = play(hit, steps);
      held_cost = play(held, steps);
      contact_ms.push_back(contact_cost.milliseconds);
      held_ms.push_back(held_cost.milliseconds);
      flight_cost = play(flight, steps);
      flight_ms.push_back(flight_cost.milliseconds);
      ratio.push_back(contact_ms.back() / held_ms.back());
      added.push_back(contact_ms.back() - held_ms.back());
      flight_ratio.push_back(contact_ms.back() / flight_ms.back());
      flight_added.push_back(contact_ms.back() - flight_ms.back());
    }
    if (ratio.empty()) break;
    results.push_back({"step with contact", tets, median(contact_ms), "ms", {}, {}});
    results.push_back({"step held", tets, median(held_ms), "ms", {}, {}});
    results.push_back({"step in flight", tets, median(flight_ms), "ms", {}, {}});
    results.push_back({"Newton iterations with contact", tets, contact_cost.iterations, "1", {}, {}});
    results.push_back({"Newton iterations held", tets, held_cost.iterations, "1", {}, {}});
    results.push_back({"Newton iterations in flight", tets, flight_cost.iterations, "1", {}, {}});
    results.push_back({"step with contact / held", tets, median(ratio), "1", 1.3, {}});
    results.push_back({"contact adds to held", tets, median(added), "ms", 10.0, {}});
    results.push_back({"step with contact / in flight", tets, median(flight_ratio), "1", {}, {}});
    results.push_back({"contact adds to flight", tets, median(flight_added), "ms", {}, {}});
  }
  return results;
}

}  // namespace dashpot::cli
