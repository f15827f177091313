#include "sitting_koala.hpp"

#include <array>

#include <fmt/format.h>

#include "measures.hpp"

namespace dashpot::cli {
namespace {

constexpr std::array names = {"belly_side", "belly_up_down", "ear_left", "ear_right"};

/// A vibration mode of the soft belly: let go from it, the belly swings in one frequency.
std::string swinging(const char* name, int mode, const std::string& gain) {
  return fmt::format(R"({{"name": "{}", "shape": {{"from": "mode", "mode": {}, "amplitude": "12 mm"}}, {}}})", name,
                     mode, gain);
}

std::string bent(const char* name, const char* axis, const std::string& gain) {
  return fmt::format(
      R"({{"name": "{}", "shape": {{"from": "bend", "where": {{"region": "{}"}}, "axis": {}, "angle": "25 deg"}}, {}}})",
      name, name, axis, gain);
}

}  // namespace

std::string sitting_koala(const KoalaSize& size, const std::string& more, const KoalaDrive& drive,
                          const KoalaGains& gains) {
  return fmt::format(
      R"({{
  "dashpot": 1,
  "title": "A sitting koala",
  "gravity": [0, -9.81, 0],
  "time": {{"dt": "4 ms", "end": "3 s", "stepper": "bathe"}},
  "bodies": [{{
    "name": "koala",
    "mesh": {{"shape": "koala", "tets": {tets}}},{reduced}
    "material": {{"model": "stvk", "young": "300 kPa", "poisson": 0.4, "density": 1000,
      "regions": {{"belly": {{"young": "2 kPa"}}, "ear_left": {{"young": "60 kPa"}}, "ear_right": {{"young": "60 kPa"}}}}}},
    "pins": {pins},{start}
    "damping": [{{
      "model": "example_based",
      "over": {{"model": "rayleigh", "zeta": [{{"f": "4 Hz", "zeta": 0.05}}, {{"f": "12 Hz", "zeta": 0.05}}]{stiffness}}},
      "examples": [
        {side},
        {up_down},
        {left},
        {right}
      ]
    }}]
  }}],
  "record": {{"every": "20 ms", "probes": [{{"name": "belly", "where": {{"nearest": [0, 0.105, 0.108]}}}}, {{"name": "ear", "where": {{"nearest": [0.15, 0.36, 0]}}}}]}}{more}
}}
)",
      fmt::arg("tets", size.tets),
      fmt::arg("reduced", drive.is_reduced ? fmt::format("\n    \"reduced\": {{\"modes\": {}, \"size\": {}}},",
                                                         size.modes, size.coordinates)
                                           : ""),
      fmt::arg("pins", drive.pins), fmt::arg("start", drive.moves ? "\n    \"start\": \"equilibrium\"," : ""),
      // A body that turns as a whole needs a stiffness that turns with it; a subspace has its own frame.
      fmt::arg("stiffness", drive.is_reduced ? ", \"stiffness\": \"rest\"" : ""),
      fmt::arg("side", swinging(names[0], drive.side_mode, gains.side_and_ears)),
      fmt::arg("up_down", swinging(names[1], drive.up_down_mode, gains.up_down)),
      fmt::arg("left", bent(names[2], "[1, 0, 0]", gains.side_and_ears)),
      fmt::arg("right", bent(names[3], "[1, 0, 0]", gains.side_and_ears)),
      fmt::arg("more", more.empty() ? "" : ",\n" + more));
}

double worst_error(const design::UnloadingDesign& design) {
  std::vector<double> errors;
  for (const design::UnloadingReached& entry : design.targets) errors.push_back(100 * entry.error);
  return largest(errors);
}

std::string koala_design(const std::vector<design::UnloadingTarget>& targets) {
  std::string text;
  for (const design::UnloadingTarget& target : targets)
    text += fmt::format("{}\n    {{\"example\": \"{}\", \"from\": {}, \"left\": {}}}", text.empty() ? "" : ",",
                        names[static_cast<std::size_t>(target.example)], target.amplitude, target.residual);
  return fmt::format("  \"design\": {{\"targets\": [{}\n  ]}}", text);
}

}  // namespace dashpot::cli
