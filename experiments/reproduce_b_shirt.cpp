// B-shirt: paper B, fig. 4, rows iii and iv. A shirt of St. Venant-Kirchhoff cloth on a character that moves, with
// medium and with low strain-rate damping of its stretch: with less damping it shows more folds. The shirt is cut from
// two panels, put on, and then walked in, with contact to the mannequin and to itself; backward Euler, one Newton
// iteration a step, as in the paper. Differences: the paper's cloth is remeshed while it moves, its character is
// another one, and it does not say how stiff the cloth is.
#include <numeric>

#include <fmt/format.h>

#include "dashpot/contact/edge_crossings.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/energy/hinge_bending.hpp"
#include "dashpot/shape/assets.hpp"
#include "experiment.hpp"
#include "interrupt.hpp"
#include "measures.hpp"

namespace dashpot::cli::b_shirt {
namespace {

constexpr double thickness = 1e-3, bending = 5e-6;  // [m], [J]

struct Setup {
  int triangles;
  double dt, putting_on, walking;  ///< [s]
  int mannequin_tets;
};

/// Viscosities of the sheet as the paper gives them, times thickness: lambda_d and mu_d [N s/m].
struct Damping {
  std::string name;
  double lambda, mu;
};
const Damping medium{"medium damping", 30, 20}, low{"low damping", 1.5, 1};

std::string scene_text(const Setup& setup, const Damping& damping, bool walks) {
  return fmt::format(
      R"({{
  "dashpot": 1,
  "title": "{title}",
  "gravity": [0, -9.81, 0],
  "time": {{"dt": {dt}, "end": {end}, "stepper": "backward_euler"}},
  "solver": {{"linear": "cg", "cg": {{"tolerance": 1e-5}}, "newton": {{"fixed_iterations": 1, "tangent": "projected"}}}},
  "bodies": [{{
    "name": "shirt",
    "mesh": {{"shape": {{"name": "t_shirt", "tets": {triangles}}}}},
    "material": {{"model": "cloth", "young": "500 kPa", "thickness": {h}, "density": 200, "bending": {bending},
                 "rest_bend": "straight"}},
    "damping": [{{"model": "strain_rate", "viscosity": {mu}, "second_viscosity": {lambda}, "tangent": "symmetric"}}],
    "start": {start}
  }}],
  "colliders": [{{"mesh": {{
    "name": "mannequin", "of": {{"shape": {{"name": "mannequin", "tets": {mannequin}}}}},
    "thickness": "4 mm", "onset": "4 mm", "stiffness": "300 kPa/m", "friction": 0.2, "slip_speed": "10 cm/s"{motion}
  }}}}],
  "contacts": [{{"between": ["shirt", "shirt"], "thickness": "4 mm", "friction": 0.2, "slip_speed": "10 cm/s"}}],
  "record": {{"every": "20 ms"}}
}}
)",
      fmt::arg("title", walks ? "Walking in a shirt" : "Putting on a shirt"), fmt::arg("dt", setup.dt),
      fmt::arg("end", walks ? setup.walking : setup.putting_on), fmt::arg("triangles", setup.triangles),
      fmt::arg("h", thickness), fmt::arg("bending", bending), fmt::arg("mu", damping.mu / thickness),
      fmt::arg("lambda", damping.lambda / thickness), fmt::arg("mannequin", setup.mannequin_tets),
      fmt::arg("start", walks ? R"({"from": "pose", "file": "put_on.txt"})"
                              : R"({"from": "opened", "lift": "17 cm", "rise": "18 cm"})"),
      fmt::arg("motion", walks ? R"(,
    "motion": {"skeleton": {"file": "mannequin_walk.json", "ramp": "0.3 s"}})"
                               : ""));
}

/// The last positions of the shirt.
void write_pose(const std::string& file, const RecordedRun& run) {
  std::string text;
  for (int i = 0; i < run.recording.bodies.at(0).mesh.num_nodes(); ++i) {
    const Vec3& x = run.recording.frames.back().points[static_cast<std::size_t>(i)];
    text += fmt::format("{} {} {}\n", x.x(), x.y(), x.z());
  }
  write_file_atomically(file, text);
}

/// Energy of bending at each frame [J]: how much the shirt is folded.
std::vector<double> folds(const RecordedRun& run) {
  if (!is_complete(run)) return {};
  const Mesh& mesh = run.recording.bodies.at(0).mesh;
  const std::vector<int>& triangles = mesh.group(ElementKind::triangle)->nodes;
  const std::vector<Bend> bends = hinges(triangles, mesh.nodes, std::vector<double>(triangles.size() / 3, bending));
  const HingeBending energy("shirt", bends, mesh.nodes, 0, RestBend::straight);
  std::vector<double> values;
  for (const Frame& frame : run.recording.frames) {
    Vector q(3 * mesh.num_nodes());
    for (int i = 0; i < mesh.num_nodes(); ++i) q.segment<3>(3 * i) = frame.points[static_cast<std::size_t>(i)];
    values.push_back(energy.evaluate({.q = q}));
  }
  return values;
}

/// Edges that go through triangles of the shirt, over all frames.
double crossings(const RecordedRun& run) {
  if (!is_complete(run)) return not_measured;
  const Mesh& mesh = run.recording.bodies.at(0).mesh;
  const contact::ClothSurface surface = contact::make_cloth_surface({{"shirt", &mesh, 0}});
  double count = 0;
  std::vector<Vec3> x(surface.points.size());
  for (const Frame& frame : run.recording.frames) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = frame.points[static_cast<std::size_t>(surface.points[i])];
    count += static_cast<double>(contact::find_crossings(surface, x, 100000).size());
  }
  return count;
}

/// Over the second half of the walk, when the start is forgotten.
double late_mean(const std::vector<double>& values) {
  if (values.size() < 4) return not_measured;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  return std::accumulate(middle, values.end(), 0.0) / static_cast<double>(values.end() - middle);
}

double milliseconds_a_step(const RecordedRun& run) {
  return of_complete(run, 1e3 * run.counters.wall_seconds / static_cast<double>(run.counters.steps));
}

std::vector<double> frame_times(const RecordedRun& run) {
  std::vector<double> times;
  for (const Frame& frame : run.recording.frames) times.push_back(frame.time);
  return times;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const bool quick = request.variant == ReproductionVariant::quick;
  const Setup setup = quick ? Setup{1500, 0.01, 0.3, 0.2, 6000} : Setup{20600, 0.0025, 0.5, 1.2, 20000};
  for (const char* track : {"mannequin", "mannequin_walk"})
    write_file_atomically(fmt::format("{}/{}.json", request.folder, track),
                          std::string(asset_text(fmt::format("tracks/{}", track))));
  const RecordedRun putting_on =
      run_scene(request, "putting it on", scene_text(setup, medium, false), "putting_on.json");
  if (interrupted()) return {};
  if (!is_complete(putting_on)) throw Error(Problem{"B-shirt", putting_on.explanation, "a shirt that is put on"});
  write_pose(request.folder + "/put_on.txt", putting_on);
  std::vector<RecordedRun> walks;
  for (const Damping& damping : {medium, low}) {
    walks.push_back(run_scene(request, damping.name, scene_text(setup, damping, true),
                              damping.mu == medium.mu ? "medium.json" : "low.json"));
    if (interrupted()) return {};
  }
  const std::vector<double> medium_folds = folds(walks[0]), low_folds = folds(walks[1]);
  const double through = crossings(putting_on) + crossings(walks[0]) + crossings(walks[1]);
  const double slowest = larger(milliseconds_a_step(walks[0]), milliseconds_a_step(walks[1]));
  const auto judged = [&](Claim claim) { return quick ? not_judged(std::move(claim), "the shirt is coarse") : claim; };
  const std::vector<Claim> claims = {
      judged(claim_at_least("low_over_medium_bending", "bending energy (folds) of low over medium damping",
                            "more folds", late_mean(low_folds) / late_mean(medium_folds), "1", 1.1)),
      claim_at_most("edges_through_triangles", "edges of the shirt that go through its triangles, in all frames", "",
                    through, "1", 0),
      judged(claim_at_most("step_time", "time of a step with contact and self-contact, the slower walk", 1450.0,
                           slowest, "ms", 250))};
  render::Report report;
  report.title = "B-shirt: a shirt with medium and low damping";
  report.subtitle = "S\u00e1nchez-Banderas & Otaduy 2018, fig. 4";
  report.summary = fmt::format(
      "A shirt of {} nodes, cut from two panels, is put on a mannequin and walked in for {:g} s. With low damping "
      "(\u03bb_d 1.5, \u03bc_d 1 N s/m) its bending energy is {:.2f} times that with medium damping (30, 20). Edges "
      "through triangles in {} frames: {:.0f}. A step of {:g} ms takes {:.0f} ms with medium and {:.0f} ms with low "
      "damping.",
      walks[0].recording.bodies.at(0).mesh.num_nodes(), setup.walking, std::get<double>(claims[0].ours),
      putting_on.recording.frames.size() + walks[0].recording.frames.size() + walks[1].recording.frames.size(), through,
      1e3 * setup.dt, milliseconds_a_step(walks[0]), milliseconds_a_step(walks[1]));
  render::Figure figure;
  figure.title = "Bending energy of the shirt";
  figure.description = "More folds, more energy.";
  render::Panel panel;
  panel.x = {"time", "s"};
  panel.y = {"bending energy", "mJ", false, 0.0};
  for (std::size_t i = 0; i < walks.size(); ++i) {
    std::vector<double> millijoules = i == 0 ? medium_folds : low_folds;
    for (double& value : millijoules) value *= 1e3;
    if (!millijoules.empty()) panel.series.push_back({walks[i].name, frame_times(walks[i]), millijoules});
  }
  figure.panels = {panel};
  report.sections.push_back({"Folds", {write_figure(request, "folds", figure)}});
  render::Look look;  // close to the shirt, whose folds are what differs
  look.azimuth = 20;
  look.elevation = 8;
  report.sections.push_back({"Pictures",
                             {picture_side_by_side(request, {&walks[0], &walks[1]}, {setup.walking / 2, setup.walking},
                                                   "Walking in a shirt", look, "shirt.png", true, 600)}});
  write_report(request, std::move(report), claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"B-shirt",
          "S\u00e1nchez-Banderas & Otaduy 2018, fig. 4",
          "a shirt cut from panels, on a walking mannequin: less damping, more folds",
          reproduce,
          "",
          true};
}

}  // namespace dashpot::cli::b_shirt
