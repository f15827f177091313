#include "bent_beam.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/modes/system_modes.hpp"
#include "measures.hpp"
#include "scene_file.hpp"

namespace dashpot::cli::beam {
namespace {

constexpr double young = 1e5, poisson = 0.3, shear = young / (2 * (1 + poisson));  // [Pa], [1], [Pa]

}  // namespace

std::string scene_text(const Setup& setup, const std::string& material, const std::string& damping,
                       const std::string& start, double dt, double end) {
  return scene_file("bent_beam", {{"/time/dt", dt},
                                  {"/time/end", end},
                                  {"/bodies/0/mesh/bar/cells", setup.cells},
                                  {"/bodies/0/material", fmt::format(R"({{{}, "density": 1000}})", material)},
                                  {"/bodies/0/damping", list_of(damping)},
                                  {"/bodies/0/start", start},
                                  {"/record/every", end / 60}});
}

std::string isotropic() { return fmt::format(R"("model": "stvk", "young": {}, "poisson": {})", young, poisson); }

std::string orthotropic(double scale, double shear_31) {
  return fmt::format(
      R"("model": "orthotropic_stvk", "young": [{0}, {0}, {0}], "poisson": [{1}, {1}, {1}], "shear": [{2}, {2}, {3}])",
      scale * young, poisson, scale * shear, shear_31);
}
std::string spline(double stiff, double soft) {
  const double knee = 0.003, far = 0.1;
  const double at_knee = stiff * young * knee, at_far = at_knee + soft * young * (far - knee);
  return fmt::format(
      R"("model": "spline", "young": {}, "poisson": {}, "tension": [{{"stretch": {}, "stress": {}}}, {{"stretch": {}, "stress": {}}}],
      "compression": [{{"stretch": {}, "stress": {}}}, {{"stretch": {}, "stress": {}}}])",
      stiff * young, poisson, 1 + knee, at_knee, 1 + far, at_far, 1 - far, -at_far, 1 - knee, -at_knee);
}

std::string pull(int axis, double force) {
  return fmt::format(
      R"({{"from": "equilibrium", "loads": [{{"model": "force", "where": {{"box": [[0.599, -1, -1], [1, 1, 1]]}}, "force": [0, {}, {}]}}]}})",
      axis == 1 ? force : 0, axis == 2 ? force : 0);
}
std::string rayleigh(double beta) { return fmt::format(R"({{"model": "rayleigh", "beta": {}}})", beta); }

double bending_frequency(const Setup& setup, const std::string& material, int axis) {
  const CompiledScene scene = compile(parse_scene(scene_text(setup, material, "", R"("rest")", 0.01, 1)));
  const ModesResult modes = system_modes(*scene.system, scene.system->initial_state(), {.num_modes = 6});
  const int tip = scene.run.probes.at(0).points.at(0);
  for (int i = 0; i < modes.size(); ++i) {
    int largest = 0;
    modes.shapes.col(i).segment<3>(3 * tip).cwiseAbs().maxCoeff(&largest);
    // A degenerate pair may lie at any angle; both have the same frequency.
    if (largest == axis || (i + 1 < modes.size() && modes.lambda[i + 1] < 1.0001 * modes.lambda[i]))
      return modes.frequencies[i];
  }
  return 0;
}

double shear_for(const Setup& setup, double scale, double wanted) {
  double low = 1e-5 * shear, high = scale * shear;
  for (int i = 0; i < 24; ++i) {
    const double middle = std::sqrt(low * high);
    (bending_frequency(setup, orthotropic(scale, middle), 2) < wanted ? low : high) = middle;
  }
  return std::sqrt(low * high);
}

double decay_difference(const RecordedRun& a, const RecordedRun& b) {
  if (!is_complete(a) || !reaches(b, a.time.back()) || !(a.energy.front() > 0 && b.energy.front() > 0))
    return not_measured;
  double sum = 0;
  for (std::size_t i = 0; i < a.time.size(); ++i) {
    const auto at = std::lower_bound(b.time.begin(), b.time.end(), a.time[i] - 1e-9) - b.time.begin();
    const double left = b.energy[std::min(static_cast<std::size_t>(at), b.energy.size() - 1)] / b.energy.front();
    sum += std::pow(std::sqrt(std::max(0.0, a.energy[i] / a.energy.front())) - std::sqrt(std::max(0.0, left)), 2);
  }
  return std::sqrt(sum / static_cast<double>(a.time.size()));
}

}  // namespace dashpot::cli::beam
