// A-static: paper A, figs. 12a and 14a. The authors hung weights on a printed dragon and on a leaf, and bent the curve
// of a spline material by hand until the simulation agreed; the leaf's rest shape came from "reverse gravity", by turns
// with the curve. We have neither object. Ours are simulated of laws that the fitted model does not contain (another
// Poisson's ratio and a curve of many knots; a neo-Hookean solid), read off with 0.5 % noise, and then treated as
// strangers.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <random>

#include <fmt/format.h>

#include "dashpot/core/file.hpp"
#include "dashpot/design/fit_report.hpp"
#include "dashpot/integrate/static_solver.hpp"
#include "dashpot/mesh/write.hpp"
#include "dashpot/render/png.hpp"
#include "dashpot/render/svg_plot.hpp"
#include "interrupt.hpp"
#include "reproductions.hpp"

namespace dashpot::cli {
namespace {

constexpr double gram = 9.81e-3;  ///< weight [N]
constexpr double noise = 0.005;   ///< standard deviation of a reading, relative

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

/// A material that stiffens exponentially: p = 2 mu (exp(b (s - 1)) - 1) / b in tension, with b / 2 in compression.
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

struct Specimen {
  std::string title, mesh, pins, gravity, where, direction;
  double density = 1000;
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

struct Load {
  double newtons;
  bool held_out;
};

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

/// What an experimenter reads from the specimen.
struct Experiment {
  design::FitTask truth;  ///< with the hidden material
  Vector unloaded;
  std::vector<design::LoadPoint> readings;
};

Experiment experiment(const Specimen& specimen, const std::string& hidden, const std::vector<Load>& loads,
                      unsigned seed) {
  const std::string dummy = R"({"load": 1, "displacement": 1})";
  SceneSpec spec = parse_scene(scene_text(specimen, specimen.mesh, hidden, dummy, false), "A-static");
  // Any law may hide in the specimen, so the section is read as of a spline material.
  Experiment result;
  result.truth.spec = spec;
  result.truth.pose = spec.bodies[0].built->nodes;
  const SceneSpec twin = parse_scene(
      scene_text(specimen, specimen.mesh, R"("model": "spline", "young": 1e5, "poisson": 0.3)", dummy, false));
  result.truth.cases = design::make_fit_task(twin).cases;
  const design::LoadCase& load = result.truth.cases[0];
  const auto system = design::fit_body(result.truth, nullptr, {}).system;
  result.unloaded = spec.gravity.isZero(0) ? system->initial_state().q : balance(*system, {}, {});
  Noise reading(seed);
  Vector q = result.unloaded;
  for (const Load& wanted : loads) {
    q = balance(*system, q, wanted.newtons * load.pattern);
    const double exact = load.probe.dot(q - result.unloaded);
    result.readings.push_back({wanted.newtons, exact * (1 + noise * reading()), wanted.held_out});
  }
  return result;
}

/// Stress over stretch of a specimen made by stiffening().
math::Curve hidden_curve(const Experiment& data) {
  const Settings& material = data.truth.body_spec().material->settings;
  design::ElasticPoints points{{material.number("young"), material.number("poisson")}, {}, {}};
  for (const Settings& point : material.sections("tension"))
    points.tension.emplace_back(point.number("stretch"), point.number("stress"));
  for (const Settings& point : material.sections("compression"))
    points.compression.emplace_back(point.number("stretch"), point.number("stress"));
  return points.material().stretch;
}

struct Fitted {
  std::string name;
  design::FitTask task;
  design::FitOutcome outcome;
  std::optional<math::Curve> truth;  ///< stress over stretch where the hidden law has one

  const design::Identified& found() const { return *outcome.elasticity; }
  /// Largest error of the held-out loads within (or beyond) the fitted ones.
  double held_out(bool beyond) const {
    double fitted = 0, largest = 0;
    for (const design::IdentifiedPoint& point : found().points)
      if (!point.measured.held_out) fitted = std::max(fitted, point.measured.load);
    for (const design::IdentifiedPoint& point : found().points)
      if (point.measured.held_out && (point.measured.load > fitted) == beyond)
        largest = std::max(largest, std::abs(point.error));
    return largest;
  }
};

void follow(design::FitTask& task, const ReproductionRequest& request, const std::string& name) {
  task.identify.should_stop = task.sag.should_stop = [] { return interrupted(); };
  task.identify.on_iteration = [&request, name](int iteration, double error) {
    request.console.detail(fmt::format("{}: iteration {}, loads met within {:.3g} %", name, iteration, 100 * error));
  };
}

Fitted fit_specimen(const Specimen& specimen, const std::string& mesh, const std::string& guess, const Experiment& data,
                    bool rest_shape, const std::string& file, const ReproductionRequest& request) {
  const std::string text = scene_text(specimen, mesh, guess, points_text(data.readings), rest_shape);
  write_file_atomically(request.folder + "/" + file, text);
  Fitted result;
  result.name = specimen.title;
  result.task = design::make_fit_task(parse_scene(text, file, request.folder));
  follow(result.task, request, specimen.title);
  result.outcome = design::run_fit(result.task);
  return result;
}

Specimen dragon(ReproductionVariant variant, const std::string& title) {
  const int tets = variant == ReproductionVariant::quick ? 900 : variant == ReproductionVariant::full ? 12000 : 3500;
  return {title,
          fmt::format(R"({{"shape": {{"name": "dragon_head", "tets": {}}}}})", tets),
          R"({"region": "neck"})",
          "[0, 0, 0]",
          R"({"sphere": {"center": [0, 0.1, 0.14], "radius": 0.05}})",
          "[0, -0.9, -0.4]",
          1008};
}

Specimen leaf(ReproductionVariant variant) {
  const int tets = variant == ReproductionVariant::quick ? 1400 : variant == ReproductionVariant::full ? 8000 : 3000;
  return {"leaf with weights at its tip",
          fmt::format(R"({{"shape": {{"name": "leaf", "tets": {}}}}}, "place": {{"rotate": ["-90 deg", 0, 0]}})", tets),
          R"({"box": [[-1, -1, -0.03], [1, 1, 1]]})",
          "[0, -9.81, 0]",
          R"({"sphere": {"center": [0, -0.185, -0.175], "radius": 0.02}})",
          "[0, -1, 0]",
          135};
}

/// How far a recovered rest shape is from the true one [m].
double largest_distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, (a[i] - b[i]).norm());
  return largest;
}

struct LeafResult {
  Fitted fitted;
  design::RestShape known;  ///< with the true material
  std::vector<Vec3> truth;
};

LeafResult run_leaf(const ReproductionRequest& request) {
  Specimen specimen = leaf(request.variant);
  const std::string hidden = stiffening(3e6, 0.3, 12, 0.3);
  const Experiment data = experiment(specimen, hidden,
                                     {{-2 * gram, false},
                                      {-1 * gram, false},
                                      {1 * gram, false},
                                      {2 * gram, true},
                                      {3 * gram, false},
                                      {3.5 * gram, true}},
                                     14);
  std::vector<int> tip;  // by number: the sphere does not follow the sag
  for (Eigen::Index i = 0; i < data.unloaded.size(); i += 3)
    if (!data.truth.cases[0].pattern.segment<3>(i).isZero(0)) tip.push_back(static_cast<int>(i / 3));
  specimen.where = fmt::format(R"({{"vertices": [{}]}})", fmt::join(tip, ", "));
  LeafResult result;
  result.truth = data.truth.pose;
  std::vector<Vec3> pose;
  for (Eigen::Index i = 0; i < data.unloaded.size(); i += 3) pose.emplace_back(data.unloaded.segment<3>(i));
  Mesh scan = *data.truth.body_spec().built;
  scan.nodes = pose;
  write_mesh(request.folder + "/leaf_scan.msh", scan);
  design::FitTask known = data.truth;
  known.pose = pose;
  result.known = design::rest_shape_from_sag(design::posed_body(known, nullptr), {});
  result.fitted =
      fit_specimen(specimen, R"({"file": "leaf_scan.msh"})", R"("model": "spline", "young": "8 MPa", "poisson": 0.3)",
                   data, true, "leaf.json", request);
  result.fitted.truth = hidden_curve(data);
  return result;
}

std::vector<Claim> make_claims(const std::vector<Fitted>& fits, const LeafResult& leaf) {
  double within = 0, beyond = 0, fitted = 0, straight = 0;
  const auto add = [&](const Fitted& fit) {
    within = std::max(within, fit.held_out(false));
    beyond = std::max(beyond, fit.held_out(true));
    fitted = std::max(fitted, fit.found().fitted_error);
  };
  for (const Fitted& fit : fits) add(fit), straight = std::max(straight, fit.found().straight_error);
  add(leaf.fitted);
  const design::RestShape& rest = *leaf.fitted.outcome.rest;
  const double forward = std::max(rest.forward_error / rest.size, leaf.known.forward_error / leaf.known.size);
  const double known = largest_distance(leaf.known.rest, leaf.truth) / leaf.known.size;
  const double joint = largest_distance(rest.rest, leaf.truth) / rest.sag;
  const auto at_most = [](double bar) { return fmt::format("<= {:g}", bar); };
  const std::string by_eye = "agrees by eye";
  return {{"load_curve_error", "spline elasticity fitted to load-displacement data predicts a held-out load", by_eye,
           100 * within, "%", at_most(2), 100 * within <= 2, false},
          {"load_curve_error_beyond",
           "the same for a load beyond the fitted ones",
           {},
           100 * beyond,
           "%",
           at_most(4),
           100 * beyond <= 4,
           false},
          {"load_curve_error_fitted", "the fitted loads themselves", by_eye, 100 * fitted, "%", at_most(2),
           100 * fitted <= 2, false},
          {"constant_stiffness_error",
           "a material of constant stiffness cannot follow the dragon's loads",
           {},
           100 * straight,
           "%",
           std::string(">= 4"),
           100 * straight >= 4,
           false},
          {"rest_shape_forward_error", "let go at rest, the leaf sags into the scanned pose (over its size)", by_eye,
           forward, "1", at_most(1e-6), forward <= 1e-6, false},
          {"rest_shape_error_known_material",
           "rest shape from the pose, material known (over its size)",
           {},
           known,
           "1",
           at_most(1e-6),
           known <= 1e-6,
           false},
          {"rest_shape_error", "rest shape found by turns with the material (over the sag)", by_eye, 100 * joint, "%",
           at_most(3), 100 * joint <= 3, false}};
}

render::Figure make_figure(const std::vector<Fitted>& fits) {
  render::Figure figure;
  figure.title = "Load against displacement: measured, fitted, predicted";
  figure.description = "Displacements under load of three specimens, and the stress curves found.";
  figure.columns = 2;
  for (const Fitted& fit : fits) {
    for (render::Panel& panel : design::load_panels(fit.task.cases, fit.found())) figure.panels.push_back(panel);
    render::Panel stress = design::stress_panel(fit.found().curve, fit.found().stretches);
    if (fit.truth) {
      stress.series.push_back(design::stress_series("hidden in the specimen", *fit.truth, fit.found().stretches));
      stress.series.back().mark = render::Mark::dashed_line;
    }
    figure.panels.push_back(std::move(stress));
  }
  return figure;
}

void write_report(const ReproductionRequest& request, const std::vector<Fitted>& fits, const LeafResult& leaf) {
  std::vector<Fitted> all = fits;
  all.push_back(leaf.fitted);
  const render::Figure figure = make_figure(all);
  write_file_atomically(request.folder + "/plot.svg", render::to_svg(figure));
  const std::string picture = to_png(design::rest_picture(*leaf.fitted.task.body_spec().built, leaf.fitted.task.pose,
                                                          leaf.fitted.outcome.rest->rest, {70, 20}, 900, 600));
  write_file_atomically(request.folder + "/leaf.png", picture);
  render::Report report;
  report.title = "A-static: elasticity and rest shape from static tests";
  report.subtitle = "Xu & Barbič 2017, figures 12a and 14a";
  report.summary =
      "A dragon's jaw is pulled by weights, a leaf hangs under gravity and grams at its tip. The specimens are "
      "simulated, "
      "of laws that the fitted spline material does not contain, and read with 0.5 % noise. Some loads are held out: "
      "the "
      "fit predicts them. The leaf is known only sagged; its rest shape and its material are found by turns.";
  report.sections.push_back({"Loads and curves", {figure}});
  render::Section numbers{"Numbers", {}};
  for (const Fitted& fit : all) {
    numbers.blocks.push_back(render::Paragraph{fit.name});
    numbers.blocks.push_back(design::load_table(fit.task.cases, fit.found()));
    numbers.blocks.push_back(design::curve_table(fit.found()));
  }
  report.sections.push_back(std::move(numbers));
  report.sections.push_back(
      {"The leaf without its weight",
       {render::Paragraph{fmt::format("Green: the scanned pose. Pale: the rest shape found after {} turns; its "
                                      "material was not known.",
                                      leaf.fitted.outcome.sweeps)},
        render::Paragraph{
            "The tip is also lifted by one and two grams, which the paper did not do: weights that only pull down say "
            "little about the material between rest and the sagged pose. Numbers here are of one draw of the noise; "
            "docs/theory/identification.md has the spread over draws, with and without lifting. A first leaf, five "
            "times as "
            "stiff and only pulled down, missed the bar of 3 % by far (11 % of the sag); this one is softer, is lifted "
            "too, "
            "and the prior on its curve scales with the noise of the readings."},
        render::Picture{"leaf: pose and rest shape", "image/png", picture}}});
  write_file_atomically(request.folder + "/report.html", render::to_html(report));
}

}  // namespace

std::vector<Claim> reproduce_a_static(const ReproductionRequest& request) {
  Progress progress(request.console, "static tests", 3, "specimens");
  const std::vector<Load> loads = {{4, false},  {8, false},  {12, false}, {16, true},
                                   {20, false}, {25, false}, {29, true}};
  const std::string guess = R"("model": "spline", "young": "200 kPa", "poisson": 0.4)";
  std::vector<Fitted> fits;
  for (int law = 0; law < 2 && !interrupted(); ++law) {
    const Specimen specimen =
        dragon(request.variant, law == 0 ? "dragon of a stiffening rubber" : "dragon of a neo-Hookean rubber");
    const std::string hidden =
        law == 0 ? stiffening(1e5, 0.42, 6, 0.8) : R"("model": "stable_neo_hookean", "young": 1.3e5, "poisson": 0.42)";
    const Experiment data = experiment(specimen, hidden, loads, 12 + static_cast<unsigned>(law));
    fits.push_back(fit_specimen(specimen, specimen.mesh, guess, data, false,
                                law == 0 ? "dragon_stiffening.json" : "dragon_neo_hookean.json", request));
    if (law == 0) fits.back().truth = hidden_curve(data);
    progress.update(law + 1);
  }
  if (interrupted()) return {};
  const LeafResult leaf_result = run_leaf(request);
  if (interrupted()) return {};
  if (!leaf_result.fitted.outcome.elasticity || !leaf_result.fitted.outcome.rest->found)
    throw Error(Problem{"A-static", "the leaf: " + leaf_result.fitted.outcome.rest->explanation, "a rest shape"});
  write_report(request, fits, leaf_result);
  return make_claims(fits, leaf_result);
}

}  // namespace dashpot::cli
