// `dashpot demo`: a bar is bent and let go, under several dampings and one careless integrator. Ends with a report.
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "damping_cases.hpp"
#include "dashpot/core/hash.hpp"

namespace dashpot::cli {
namespace {

// Part of the program, so that the demo runs from any folder. Two cells through the thickness make the mirrored mesh
// symmetric: the bar swings in one plane and in one mode, so that the ratio asked for is the ratio measured.
constexpr const char* demo_scene = R"json({
  "dashpot": 1,
  "title": "A bar rings: the same motion under six dampings",
  "time": {"dt": "4 ms", "end": "3 s", "stepper": "bathe"},
  "bodies": [{
    "name": "bar",
    "mesh": {"bar": {"size": [1, 0.1, 0.1], "cells": [24, 2, 2]}},
    "material": {"model": "stvk", "young": "20 MPa", "poisson": 0.4, "density": "1000 kg/m3"},
    "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}],
    "start": {"from": "equilibrium", "loads": [
      {"model": "force", "where": {"box": [[0.999, -1, -1], [1.001, 1, 1]]}, "force": [0, "-5 N", 0]}]}
  }],
  "record": {"probes": [{"name": "tip", "body": "bar", "where": {"nearest": [1, 0.05, 0.05]}}]}
})json";

}  // namespace

void setup_demo(CLI::App& app, Session& session) {
  auto folder = std::make_shared<std::string>("out/demo");
  app.add_option("--out", *folder, "Folder for the report and one folder per run")
      ->capture_default_str()
      ->type_name("DIR");
  auto force = std::make_shared<bool>(false);
  app.add_flag("--force", *force, "Write into DIR even if it holds other things than a comparison");
  app.footer("Example: dashpot demo, then open the report it names in a browser");
  app.callback([folder, force, &session] {
    session.action = [folder, force, &session] {
      ComparisonRequest request;
      request.title = "A bar rings: where every joule went";
      request.folder = *folder;
      request.may_hold_others = *force;
      request.provenance = {"dashpot demo --out " + *folder, "the demo's own scene", Hash().text(demo_scene).hex()};
      for (const char* damping : {"none", "rayleigh zeta=0.01", "rayleigh zeta=0.05 share=stiffness_only",
                                  "rayleigh zeta=0.05 share=mass_only", "ether_drag rate=1 /s"})
        request.cases.push_back(damping_case(damping, 1));
      request.cases.push_back(stepper_case("backward_euler"));
      request.cases.front().name = "no damping";
      request.cases.back().name = "no damping, backward_euler";
      request.load = [](const std::vector<SceneOverride>& changes) {
        return parse_scene(demo_scene, "demo scene", "", changes);
      };
      session.console.message("A rubber bar, one meter long, is bent by a weight and let go, six times.");
      return run_comparison(request, session.console);
    };
  });
}

}  // namespace dashpot::cli
