#include "static_specimens.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include <fmt/format.h>

#include "dashpot/core/file.hpp"
#include "dashpot/integrate/static_solver.hpp"
#include "interrupt.hpp"
#include "measures.hpp"

namespace dashpot::cli {
namespace {

constexpr double reading_noise = 0.005;  ///< standard deviation of a reading, relative

/// Normal numbers that are the same on every machine.
class Noise {
 public:
  explicit Noise(unsigned seed) : engine_(seed) {}
  double operator()() {
    const double u = (static_cast<double>(engine_()) + 1) / 4294967297.0,
                 w = static_cast<double>(engine_()) / 4294967296.0;
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * w);
  }

 private:
  std::mt19937 engine_;
};

std::string scene_text(const Specimen& specimen, const std::string& mesh, const std::string& material,
                       const std::string& points, bool rest_shape) {
  return fmt::format(R"({{
  "dashpot": 1,
  "title": "{title}",
  "gravity": {gravity},
  "time": {{"dt": "10 ms", "end": "1 s"}},
  "bodies": [{{
    "name": "specimen",
    "mesh": {mesh},
    "material": {{{material}, "density": {density}}},
    "pins": [{{"where": {pins}}}]
  }}],
  "fit": {{
    "rest_shape": {rest},
    "cases": [{{"name": "{title}", "where": {where}, "direction": {direction}, "points": [{points}]}}]
  }}
}}
)",
                     fmt::arg("title", specimen.title), fmt::arg("gravity", specimen.gravity), fmt::arg("mesh", mesh),
                     fmt::arg("material", material), fmt::arg("density", specimen.density),
                     fmt::arg("pins", specimen.pins), fmt::arg("where", specimen.where),
                     fmt::arg("direction", specimen.direction), fmt::arg("points", points),
                     fmt::arg("rest", rest_shape ? "true" : "false"));
}

std::string points_text(const std::vector<design::LoadPoint>& points) {
  std::string text;
  for (const design::LoadPoint& point : points)
    text += fmt::format(R"({}{{"load": {}, "displacement": {}, "held_out": {}}})", text.empty() ? "" : ", ", point.load,
                        point.displacement, point.held_out);
  return text;
}

/// The balance of a body under its gravity and an extra force, from a start.
Vector balance(const System& system, const Vector& start, const Vector& force) {
  State state = system.initial_state();
  if (start.size() > 0) state.q = start;
  StaticOptions options;
  options.tolerance = 1e-10;
  const StaticReport report = solve_static(system, state, force, options);
  if (!report.converged) throw Error(Problem{"A-static", report.explanation, "a specimen that bears its loads"});
  return state.q;
}

void follow(design::FitTask& task, const ReproductionRequest& request, const std::string& name) {
  task.identify.should_stop = task.sag.should_stop = [] { return interrupted(); };
  task.identify.on_iteration = [&request, name](int iteration, double error) {
    request.console.detail(fmt::format("{}: iteration {}, loads met within {:.3g} %", name, iteration, 100 * error));
  };
}

}  // namespace

Specimen dragon_specimen(ReproductionVariant variant, const std::string& title, bool is_truth) {
  const int fitted = variant == ReproductionVariant::quick ? 900 : variant == ReproductionVariant::full ? 8252 : 3500;
  return {title,
          fmt::format(R"({{"shape": {{"name": "dragon_head", "tets": {}}}}})", is_truth ? 5 * fitted / 2 : fitted),
          R"({"region": "neck"})",
          "[0, 0, 0]",
          R"({"sphere": {"center": [0, 0.1, 0.14], "radius": 0.05}})",
          "[0, -0.9, -0.4]",
          1008};
}

Specimen leaf_specimen(ReproductionVariant variant) {
  const int tets = variant == ReproductionVariant::quick ? 1400 : variant == ReproductionVariant::full ? 6210 : 3000;
  return {"leaf with weights at its tip",
          fmt::format(R"({{"shape": {{"name": "leaf", "tets": {}}}}}, "place": {{"rotate": ["-90 deg", 0, 0]}})", tets),
          R"({"box": [[-1, -1, -0.03], [1, 1, 1]]})",
          "[0, -9.81, 0]",
          R"({"sphere": {"center": [0, -0.185, -0.175], "radius": 0.02}})",
          "[0, -1, 0]",
          135};
}

std::string stiffening(double young, double poisson, double b, double reach) {
  const double slope = young / (1 + poisson);
  std::string sides[2];
  for (int side = 0; side < 2; ++side)
    for (int i = 1; i <= 24; ++i) {
      const double e = reach * i / 24, k = side == 0 ? b : 0.5 * b;
      const double stress = slope * std::expm1(k * e) / k;
      std::string& text = sides[side];
      const std::string point =
          fmt::format(R"({{"stretch": {}, "stress": {}}})", side == 0 ? 1 + e : 1 - e, side == 0 ? stress : -stress);
      text = text.empty() ? point : side == 0 ? text + ", " + point : point + ", " + text;
    }
  return fmt::format(R"("model": "spline", "young": {}, "poisson": {}, "tension": [{}], "compression": [{}])", young,
                     poisson, sides[0], sides[1]);
}

SpecimenReadings read_specimen(const Specimen& specimen, const std::string& hidden, const std::vector<Load>& loads,
                               unsigned seed) {
  const std::string dummy = R"({"load": 1, "displacement": 1})";
  SceneSpec spec = parse_scene(scene_text(specimen, specimen.mesh, hidden, dummy, false), "A-static");
  // Any law may hide in the specimen, so the section is read as of a spline material.
  SpecimenReadings result;
  result.truth.spec = spec;
  result.truth.pose = spec.bodies[0].built->nodes;
  const SceneSpec twin = parse_scene(
      scene_text(specimen, specimen.mesh, R"("model": "spline", "young": 1e5, "poisson": 0.3)", dummy, false));
  result.truth.cases = design::make_fit_task(twin).cases;
  const design::LoadCase& load = result.truth.cases[0];
  const auto system = design::fit_body(result.truth, nullptr, {}).system;
  result.unloaded = spec.gravity.isZero(0) ? system->initial_state().q : balance(*system, {}, {});
  Vector q = result.unloaded;
  for (const Load& wanted : loads) {
    q = balance(*system, q, wanted.newtons * load.pattern);
    result.exact.push_back({wanted.newtons, load.probe.dot(q - result.unloaded), wanted.held_out});
  }
  result.draw(seed);
  return result;
}

void SpecimenReadings::draw(unsigned seed) {
  Noise reading(seed);
  readings = exact;
  for (design::LoadPoint& point : readings) point.displacement *= 1 + reading_noise * reading();
}

void DrawnErrors::add(const FittedSpecimen& fit) {
  const bool is_found = fit.outcome.elasticity.has_value();
  within.push_back(is_found ? fit.held_out(false) : not_measured);
  beyond.push_back(is_found ? fit.held_out(true) : not_measured);
  fitted.push_back(is_found ? fit.found().fitted_error : not_measured);
  straight.push_back(is_found ? fit.found().straight_error : not_measured);
}

math::Curve SpecimenReadings::hidden_curve() const {
  const Settings& material = truth.body_spec().material->settings;
  design::ElasticPoints points{{material.number("young"), material.number("poisson")}, {}, {}};
  for (const Settings& point : material.sections("tension"))
    points.tension.emplace_back(point.number("stretch"), point.number("stress"));
  for (const Settings& point : material.sections("compression"))
    points.compression.emplace_back(point.number("stretch"), point.number("stress"));
  return points.material().stretch;
}

double FittedSpecimen::held_out(bool beyond) const {
  double fitted = 0;
  std::vector<double> errors;
  for (const design::IdentifiedPoint& point : found().points)
    if (!point.measured.held_out) fitted = std::max(fitted, point.measured.load);
  for (const design::IdentifiedPoint& point : found().points)
    if (point.measured.held_out && (point.measured.load > fitted) == beyond) errors.push_back(std::abs(point.error));
  return largest(errors);
}

FittedSpecimen fit_specimen(const Specimen& specimen, const std::string& mesh, const std::string& guess,
                            const SpecimenReadings& data, bool rest_shape, const std::string& file,
                            const ReproductionRequest& request) {
  const std::string text = scene_text(specimen, mesh, guess, points_text(data.readings), rest_shape);
  write_file_atomically(request.folder + "/" + file, text);
  FittedSpecimen result;
  result.name = specimen.title;
  result.task = design::make_fit_task(parse_scene(text, file, request.folder));
  follow(result.task, request, specimen.title);
  result.outcome = design::run_fit(result.task);
  return result;
}

}  // namespace dashpot::cli
