#pragma once
// The front door for programs: a scene as a C++ value, filled in field by field, and then compiled, run and measured.
//
//   scene::Scene s;
//   s.time = {.dt = 1e-3, .end = 2};
//   scene::Body& bar = s.bodies.emplace_back();
//   bar.mesh = scene::mesh::bar{.size = Vec3(1, 0.1, 0.1), .cells = {12, 2, 2}};
//   bar.material = scene::material::stvk{.young = 1e6, .poisson = 0.3, .density = 1000};
//   const RunResult run = simulate(compile(s));
//
// Every model and section of the scene format is a struct of scene_models.hpp, with the names it has in a scene file.
// JSON is one reader and one writer of it.

#include <string>

#include "dashpot/scene/compile.hpp"
#include "dashpot/scene/format/scene_models.hpp"

namespace dashpot {

/// Everything known about a scene: the spec when it is usable, and every problem found, warnings included. `folder` is
/// where relative paths start. Problems are placed by pointers: "scene: /bodies/0/material/young".
CheckedScene check_scene(const scene::Scene& scene, const std::string& folder = {});
/// dashpot::Error with all problems when the scene cannot be used.
CompiledScene compile(const scene::Scene& scene, const std::string& folder = {});

/// As JSON that `dashpot run` accepts, in SI units; what is unset is left out.
std::string write_scene(const scene::Scene& scene);
/// A checked scene as a value to edit; every default is filled in. Relative paths start in its folder.
scene::Scene editable(const SceneSpec& spec);

}  // namespace dashpot
