#include "experiment.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/file.hpp"
#include "dashpot/render/mesh_picture.hpp"
#include "dashpot/render/png.hpp"
#include "dashpot/render/run_painter.hpp"
#include "dashpot/render/svg_plot.hpp"
#include "dashpot/shape/shape.hpp"
#include "interrupt.hpp"
#include "measures.hpp"

namespace dashpot::cli {
namespace {

/// The sum of some columns, row by row.
std::vector<double> sum_of(const Table& table, const std::vector<std::string>& columns) {
  std::vector<double> sum(table.num_rows(), 0.0);
  for (const std::string& column : columns)
    for (std::size_t row = 0; row < sum.size(); ++row) sum[row] += table.column(column)[row];
  return sum;
}

std::vector<Vec3> vectors_of(const Table& table, const std::array<std::string, 3>& columns) {
  std::vector<Vec3> vectors(table.num_rows());
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t row = 0; row < vectors.size(); ++row)
      vectors[row][static_cast<Eigen::Index>(axis)] = table.column(columns[axis])[row];
  return vectors;
}

Vec3 probe_position(const Probe& probe, const std::vector<Vec3>& points) {
  Vec3 x = Vec3::Zero();
  for (std::size_t i = 0; i < probe.points.size(); ++i)
    x += probe.weights[i] * points[static_cast<std::size_t>(probe.points[i])];
  return x;
}

double diameter(const RecordedBody& body) {
  Vec3 low = Vec3::Constant(1e300), high = -low;
  for (const Vec3& x : body.mesh.nodes) low = low.cwiseMin(x), high = high.cwiseMax(x);
  return (high - low).norm();
}

}  // namespace

std::vector<double> RecordedRun::coordinate(std::size_t probe, int axis) const {
  std::vector<double> values;
  for (const Vec3& x : probes.at(probe)) values.push_back(x[axis]);
  return values;
}

analysis::RingDown RecordedRun::ring(std::size_t probe, const analysis::RingDownOptions& options) const {
  return analysis::measure_ring_down(time, coordinate(probe, main_axis(probes.at(probe))), options);
}

int main_axis(const std::vector<Vec3>& path) {
  Vec3 low = Vec3::Constant(1e300), high = -low;
  for (const Vec3& x : path) low = low.cwiseMin(x), high = high.cwiseMax(x);
  int axis = 0;
  (high - low).maxCoeff(&axis);
  return axis;
}

RecordedRun recorded(const std::string& name, CompiledScene scene, RunResult run) {
  RecordedRun result;
  result.name = name;
  Table& ledger = run.ledger;  // of a run that was stopped for the energy it made, one row longer than the samples
  for (std::vector<double>& column : ledger.values) column.resize(run.probes.num_rows());
  result.time = ledger.column("time");
  std::vector<std::string> stored = {"kinetic", "gravity"}, lost = ledger.columns_beginning("damping.");
  for (const std::string& column : lost) result.dampings.push_back(column.substr(std::string("damping.").size()));
  for (const std::string& column : ledger.columns_beginning("elastic.")) stored.push_back(column);
  lost.push_back("contact");
  result.energy = sum_of(ledger, stored);
  result.damped = sum_of(ledger, lost);
  result.external = ledger.column("external");
  result.momentum = vectors_of(ledger, {"px", "py", "pz"});
  result.spin = vectors_of(ledger, {"lx", "ly", "lz"});
  std::vector<Vec3> rest;
  scene.system->kinematics().positions(scene.system->rest(), rest);
  for (const Probe& probe : scene.run.probes) {
    result.probes.push_back(vectors_of(run.probes, {probe.name + ".x", probe.name + ".y", probe.name + ".z"}));
    for (Vec3& x : result.probes.back()) x -= probe_position(probe, rest);
  }
  result.recording = std::move(run.recording);
  result.recording.title = name;
  result.counters = run.counters;
  result.diverged = run.status == RunStatus::diverged;
  result.explanation = std::move(run.explanation);
  result.ledger = std::move(run.ledger);
  result.scene = std::move(scene);
  return result;
}

RecordedRun run_scene(const ReproductionRequest& request, const std::string& name, const std::string& text,
                      const std::string& file, int max_halvings) {
  if (!file.empty()) write_file_atomically(request.folder + "/" + file, text);
  CompiledScene scene = compile(parse_scene(text, file.empty() ? name : file, request.folder));
  scene.run.frames_every = scene.run.record_every;
  scene.run.record_every = 0;  // samples are taken at every step
  scene.run.touching.clear();
  scene.run.max_halvings = max_halvings;
  Progress progress(request.console, name, scene.run.end, "s");
  RunHooks hooks;
  hooks.should_stop = [] { return interrupted(); };
  hooks.on_step = [&](double now, double) { progress.update(now); };
  RunResult run = simulate(scene, hooks);
  return recorded(name, std::move(scene), std::move(run));
}

RecordedRun beginning(const RecordedRun& motion, double end) {
  RecordedRun shown;
  shown.name = motion.name;
  shown.recording = motion.recording;
  std::erase_if(shown.recording.frames, [&](const Frame& frame) { return frame.time > end + 1e-9; });
  return shown;
}

render::Series probe_series(const RecordedRun& motion, int axis, render::Mark mark) {
  render::Series series{motion.name, motion.time, motion.coordinate(0, axis), {}, mark};
  for (double& value : series.y) value *= 1000;
  return series;
}

render::Series vertex_difference(const std::string& name, const RecordedRun& a, const RecordedRun& b) {
  const RecordedBody& body = a.recording.bodies.at(0);
  const double size = diameter(body);
  render::Series series{name, {}, {}};
  for (std::size_t f = 0; f < std::min(a.recording.frames.size(), b.recording.frames.size()); ++f) {
    double worst = 0;
    for (int i = 0; i < body.mesh.num_nodes(); ++i) {
      const auto point = static_cast<std::size_t>(body.first_point + i);
      worst = larger(worst, (a.recording.frames[f].points[point] - b.recording.frames[f].points[point]).norm());
    }
    series.x.push_back(a.recording.frames[f].time);
    series.y.push_back(100 * worst / size);
  }
  return series;
}

double largest_difference(const RecordedRun& a, const RecordedRun& b) {
  const bool comparable = !a.diverged && !b.diverged && a.recording.frames.size() == b.recording.frames.size();
  return comparable ? largest(vertex_difference("", a, b).y) : not_measured;
}

render::Picture picture_side_by_side(const ReproductionRequest& request, const std::vector<const RecordedRun*>& motions,
                                     const std::vector<double>& times, const std::string& title,
                                     const render::Look& look, const std::string& file, bool follows, int largest) {
  std::vector<render::ShownRun> runs;
  for (const RecordedRun* motion : motions) runs.push_back({&motion->recording, motion->name});
  render::RunPictureSettings settings;
  settings.look = look;
  settings.follow = follows;
  const int width = std::clamp(1200 / static_cast<int>(runs.size()), 200, largest), height = width;
  const render::RunPainter painter(runs, settings, 1.0);
  const render::Image image = painter.side_by_side(times, title, render::DrawSettings::draft(width, height));
  render::write_png(request.folder + "/" + file, image, {{"Title", title}});
  return {title, "image/png", render::to_png(image)};
}

render::Look look_of(const RecordedRun& motion) {
  for (const RecordedBody& body : motion.recording.bodies)
    if (body.shape) return render::shape_look(parse_shape(body.shape->text, body.name).shape);
  return {};
}

render::Figure write_figure(const ReproductionRequest& request, const std::string& file, render::Figure figure) {
  write_file_atomically(request.folder + "/" + file + ".svg", render::to_svg(figure));
  return figure;
}

void write_report(const ReproductionRequest& request, render::Report report, const std::vector<Claim>& claims) {
  render::Table table{
      "What is claimed and what we measured", {"claim", "paper", "ours", "asked", "verdict", "why"}, {}, {}};
  for (const Claim& claim : claims)
    table.rows.push_back({claim.statement, value_text(claim.paper, claim.unit), value_text(claim.ours, claim.unit),
                          value_text(claim.tolerance, ""), verdict_text(claim.verdict), claim.reason});
  report.sections.insert(report.sections.begin(), {"Claims", {table}});
  write_file_atomically(request.folder + "/report.html", render::to_html(report));
}

}  // namespace dashpot::cli
