#include "koala_examples.hpp"

#include <array>

#include <fmt/format.h>

#include "scene_file.hpp"

namespace dashpot::cli {
namespace {

struct Example {
  const char *name, *shape, *gain;
};

constexpr std::array<Example, max_koala_examples> examples = {{
    {"belly sideways",
     R"({"from": "equilibrium", "gravity": false, "loads": [{"model": "force", "where": {"region": "belly"}, "force": ["60 N", 0, 0]}]})",
     "soft_landing"},
    {"belly up and down",
     R"({"from": "equilibrium", "gravity": false, "loads": [{"model": "force", "where": {"region": "belly"}, "force": [0, "60 N", 0]}]})",
     "lively_when_small"},
    {"left ear", R"({"from": "bend", "where": {"region": "ear_left"}, "axis": [1, 0, 0], "angle": "30 deg"})",
     "lively_when_small"},
    {"right ear", R"({"from": "bend", "where": {"region": "ear_right"}, "axis": [1, 0, 0], "angle": "30 deg"})",
     "soft_landing"},
    {"left arm", R"({"from": "bend", "where": {"region": "arm_left"}, "axis": [1, 0, 0], "angle": "20 deg"})",
     "lively_when_small"},
    {"right arm", R"({"from": "bend", "where": {"region": "arm_right"}, "axis": [1, 0, 0], "angle": "20 deg"})",
     "soft_landing"},
    {"lean sideways", R"({"from": "formula", "x": "0.4*Y^2"})", "lively_when_small"},
    {"lean forward", R"({"from": "formula", "z": "0.4*Y^2"})", "soft_landing"},
    {"twist", R"({"from": "formula", "x": "2*Y*Z", "z": "-2*Y*X"})", "lively_when_small"},
    {"stretch", R"({"from": "formula", "y": "0.1*Y"})", "soft_landing"},
}};

}  // namespace

std::string koala_scene(int tets, int num_examples) {
  const std::string rayleigh =
      R"({"model": "rayleigh", "alpha": "0.1 /s", "beta": "2 ms", "stiffness": "projected_tangent"})";
  std::string damping = rayleigh;
  if (num_examples > 0) {
    std::string list;
    for (int i = 0; i < num_examples; ++i) {
      const Example& example = examples.at(static_cast<std::size_t>(i));
      list += fmt::format(
          "{}\n        {{\"name\": \"{}\", \"shape\": {},\n         \"preset\": {{\"name\": \"{}\", "
          "\"amplitude\": 1, \"strength\": 10}}}}",
          i ? "," : "", example.name, example.shape, example.gain);
    }
    damping =
        fmt::format("{{\"model\": \"example_based\", \"frame\": \"fixed\", \"over\": {},\n      \"examples\": [{}]}}",
                    rayleigh, list);
  }
  return scene_file(
      "pulled_koala",
      {{"/title",
        fmt::format(R"("A koala with {} damping examples, pulled at belly and head and let go")", num_examples)},
       {"/bodies/0/mesh/tets", tets},
       {"/bodies/0/damping", list_of(damping)}});
}

}  // namespace dashpot::cli
