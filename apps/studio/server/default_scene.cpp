#include "default_scene.hpp"

namespace dashpot::studio {

std::string default_scene() {
  // Shapes made by hand are relaxed: their slow part is what is seen to vibrate, and what a gain can act on.
  return R"json({
  "dashpot": 1,
  "title": "A koala with four damping examples",
  "time": {"dt": "10 ms", "end": "5 s", "stepper": "bathe"},
  "bodies": [{
    "name": "koala",
    "mesh": {"shape": "koala", "tets": 8000},
    "material": {"model": "stvk", "young": "50 kPa", "poisson": 0.4, "density": 1000},
    "damping": [{
      "model": "example_based",
      "over": {"model": "rayleigh", "alpha": "0.1 /s", "beta": "2 ms", "stiffness": "projected_tangent"},
      "examples": [
        {"name": "left ear", "relaxed": true, "curve": [[0.1, 1], [0.5, 1], [1.5, 1]],
         "shape": {"from": "bend", "where": {"region": "ear_left"}, "axis": [0, 0, 1], "angle": "30 deg"}},
        {"name": "right ear", "relaxed": true, "curve": [[0.1, 1], [0.5, 1], [1.5, 1]],
         "shape": {"from": "bend", "where": {"region": "ear_right"}, "axis": [0, 0, 1], "angle": "30 deg"}},
        {"name": "belly sideways", "curve": [[0.1, 1], [0.5, 3], [1.5, 10]],
         "shape": {"from": "equilibrium", "gravity": false, "loads": [
           {"model": "force", "where": {"region": "belly"}, "force": ["60 N", 0, 0]}]}},
        {"name": "lean forward", "relaxed": true, "curve": [[0.1, 3], [0.5, 1], [1.5, 1]],
         "shape": {"from": "formula", "z": "0.4*Y^2"}}
      ],
      "frame": "fixed"
    }],
    "pins": [{"where": {"region": "seat"}}],
    "start": {"from": "equilibrium", "loads": [
      {"model": "force", "where": {"region": "belly"}, "force": ["30 N", "15 N", 0]},
      {"model": "force", "where": {"region": "head"}, "force": ["6 N", 0, "-6 N"]}]},
    "reduced": {"modes": 16, "size": 48}
  }],
  "record": {"every": "20 ms", "probes": [
    {"name": "left_ear", "where": {"region": "ear_left"}},
    {"name": "belly", "where": {"region": "belly"}}]}
})json";
}

}  // namespace dashpot::studio
