#include "dashpot/design/fit_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dashpot/core/units.hpp"
#include "dashpot/render/body_skin.hpp"
#include "dashpot/render/contact_sheet.hpp"
#include "dashpot/render/png.hpp"
#include "dashpot/render/rasterizer.hpp"

namespace dashpot::design {
namespace {

struct Row {
  double load, measured, simulated, straight;
  bool held_out;
};

/// Points of a case by load, with the unloaded body among them.
std::vector<Row> rows_of(const Identified& found, std::size_t load_case) {
  std::vector<Row> rows{{0, 0, 0, 0, false}};
  for (const IdentifiedPoint& point : found.points)
    if (point.load_case == load_case)
      rows.push_back(
          {point.measured.load, point.measured.displacement, point.simulated, point.straight, point.measured.held_out});
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.load < b.load; });
  return rows;
}

std::string percent(double value) { return fmt::format("{:+.2f} %", 100 * value); }

}  // namespace

std::vector<render::Panel> load_panels(const std::vector<LoadCase>& cases, const Identified& found) {
  std::vector<render::Panel> panels;
  for (std::size_t c = 0; c < cases.size(); ++c) {
    render::Series fitted{"fitted curve", {}, {}}, straight{"best constant stiffness", {}, {}};
    render::Series measured{"measured", {}, {}}, held_out{"measured, held out", {}, {}};
    straight.mark = render::Mark::dashed_line;
    measured.mark = held_out.mark = render::Mark::points;
    for (const Row& row : rows_of(found, c)) {
      fitted.x.push_back(row.simulated);
      straight.x.push_back(row.straight);
      fitted.y.push_back(row.load);
      straight.y.push_back(row.load);
      if (row.load == 0) continue;
      render::Series& data = row.held_out ? held_out : measured;
      data.x.push_back(row.measured);
      data.y.push_back(row.load);
    }
    render::Panel panel;
    panel.title = cases[c].name;
    panel.x = {"displacement", "m"};
    panel.y = {"load", "N"};
    panel.series = {fitted, straight, measured};
    if (!held_out.x.empty()) panel.series.push_back(held_out);
    panels.push_back(std::move(panel));
  }
  return panels;
}

render::Series stress_series(const std::string& name, const math::Curve& stretch, const StretchRange& reached) {
  render::Series series{name, {}, {}};
  const double low = 1 - 1.25 * (1 - reached.low), high = 1 + 1.25 * (reached.high - 1);
  for (int i = 0; i <= 200; ++i) {
    const double s = low + (high - low) * i / 200;
    series.x.push_back(s);
    series.y.push_back(stretch.value(s) - stretch.value(1));
  }
  return series;
}

render::Panel stress_panel(const ElasticPoints& curve, const StretchRange& reached) {
  render::Panel panel;
  panel.title = "stress curve of the material";
  panel.x = {"stretch", ""};
  panel.y = {"stress", "Pa"};
  panel.series.push_back(stress_series("found", curve.material().stretch, reached));
  render::Series knots{"knots", {}, {}};
  knots.mark = render::Mark::points;
  for (const auto* side : {&curve.compression, &curve.tension})
    for (const auto& [stretch, stress] : *side) {
      if (stretch < panel.series[0].x.front() || stretch > panel.series[0].x.back()) continue;
      knots.x.push_back(stretch);
      knots.y.push_back(stress);
    }
  panel.series.push_back(std::move(knots));
  panel.guides = {{reached.low, "", true}, {reached.high, "loads reach", true}};
  return panel;
}

render::Table load_table(const std::vector<LoadCase>& cases, const Identified& found) {
  render::Table table{
      "Loads",
      {"case", "load [N]", "measured [mm]", "simulated [mm]", "error", "constant stiffness", "weight in the fit"},
      {},
      {}};
  for (const IdentifiedPoint& point : found.points) {
    const double measured = point.measured.displacement;
    table.rows.push_back({cases[point.load_case].name, fmt::format("{:.5g}", point.measured.load),
                          fmt::format("{:.4g}", 1e3 * measured), fmt::format("{:.4g}", 1e3 * point.simulated),
                          percent(point.error), measured != 0 ? percent(point.straight / measured - 1) : "",
                          point.measured.held_out ? "held out" : fmt::format("{:.2f}", point.leverage)});
  }
  table.note =
      "Weight in the fit: 1 means that the curve follows this load whatever the others say, 0 that it adds "
      "nothing to them.";
  return table;
}

render::Table curve_table(const Identified& found) {
  render::Table table{"Curve", {"part", "slope", "standard error", "determined by the loads"}, {}, {}};
  for (const IdentifiedParameter& part : found.parameters)
    table.rows.push_back({part.name, describe_quantity(part.value, Quantity::pressure, 3),
                          fmt::format("{:.1f} %", 100 * part.spread), fmt::format("{:.0f} %", 100 * part.resolution)});
  table.note =
      "The rest is prior: where the loads determine little, the slope follows that of the part nearer to rest.";
  return table;
}

render::Image rest_picture(const Mesh& mesh, const std::vector<Vec3>& pose, const std::vector<Vec3>& rest,
                           const render::Look& look, int width, int height) {
  render::Stage stage;
  const render::BodySkin skin(mesh);
  render::BodyStyle pale, green;
  pale.color = {222, 214, 200};
  green.color = {88, 148, 82};
  skin.add_to(stage, pose, green);
  skin.add_to(stage, rest, pale);
  std::vector<Vec3> points = pose;
  points.insert(points.end(), rest.begin(), rest.end());
  render::add_ground(stage, points);
  render::DrawSettings settings;
  settings.width = width;
  settings.height = height;
  const render::Camera camera = render::frame_points(points, look, static_cast<double>(width) / height, 0.12);
  render::Image image = render::draw(stage, camera, settings);
  render::annotate(image, "green: pose; pale: rest shape", "", "", std::nullopt);
  return image;
}

render::Report fit_report(const FitTask& task, const FitOutcome& outcome) {
  render::Report report;
  report.title = fmt::format("Fit of \"{}\"", task.body_spec().name);
  report.subtitle = task.spec.title;
  if (outcome.elasticity && !outcome.elasticity->points.empty() && !outcome.elasticity->parameters.empty()) {
    const Identified& found = *outcome.elasticity;
    report.summary = fmt::format(
        "Young's modulus at rest is {}; the fitted loads are met within {:.2g} %. With a constant stiffness ({}) the "
        "best fit is off by up to {:.2g} %. Loads strain the body between stretches {:.3f} and {:.3f}.",
        describe_quantity(found.curve.rest.young, Quantity::pressure, 4), 100 * found.fitted_error,
        describe_quantity(found.straight_young, Quantity::pressure, 4), 100 * found.straight_error, found.stretches.low,
        found.stretches.high);
    report.key_figures = {{"largest error, fitted loads", fmt::format("{:.2f}", 100 * found.fitted_error), "%"},
                          {"largest error, held-out loads", fmt::format("{:.2f}", 100 * found.held_out_error), "%"},
                          {"constant stiffness", fmt::format("{:.2f}", 100 * found.straight_error), "%"}};
    if (!found.explanation.empty()) report.warnings.push_back(found.explanation);
    render::Figure figure{"Load against displacement", "Measured, fitted and predicted displacements under load.",
                          load_panels(task.cases, found)};
    figure.panels.push_back(stress_panel(found.curve, found.stretches));
    report.sections.push_back({"Loads and displacements", {figure}});
    report.sections.push_back({"Numbers", {load_table(task.cases, found), curve_table(found)}});
  }
  if (outcome.rest) {
    const RestShape& shape = *outcome.rest;
    if (!shape.explanation.empty()) report.warnings.push_back(shape.explanation);
    const std::string text =
        shape.found
            ? fmt::format(
                  "The rest shape lies up to {} from the pose. Let go at rest, the body sags into the "
                  "pose within {:.1g} of its size ({} iterations).",
                  describe_quantity(shape.sag, Quantity::length, 3), shape.forward_error / shape.size, shape.iterations)
            : "No rest shape was found; the picture shows the nearest.";
    render::Picture picture{"pose and rest shape of the body", "image/png",
                            to_png(rest_picture(*task.body_spec().built, task.pose, shape.rest, {}, 900, 600))};
    report.sections.push_back({"Rest shape", {render::Paragraph{text}, picture}});
  }
  return report;
}

}  // namespace dashpot::design
