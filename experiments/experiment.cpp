#include "experiment.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

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

Frame make_frame(const System& system, const RunSettings& settings, const State& state) {
  Frame frame;
  frame.time = state.time;
  system.kinematics().positions(state.q, frame.points);
  system.kinematics().velocities(state.q, state.v, frame.velocities);
  for (const Scenery& scenery : settings.scenery) scenery.append(state.time, frame.points, frame.velocities);
  frame.power.resize(frame.points.size(), 0);
  return frame;
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

std::string claim_text(const ClaimValue& value, const std::string& unit) {
  const std::string shown = unit.empty() || unit == "1" ? "" : " " + unit;
  if (const double* number = std::get_if<double>(&value)) return fmt::format("{:.4g}{}", *number, shown);
  if (const bool* truth = std::get_if<bool>(&value)) return *truth ? "yes" : "no";
  if (const std::string* word = std::get_if<std::string>(&value)) return *word;
  return "-";
}

}  // namespace

std::vector<double> Motion::coordinate(std::size_t probe, int axis) const {
  std::vector<double> values;
  for (const Vec3& x : probes.at(probe)) values.push_back(x[axis]);
  return values;
}

analysis::RingDown Motion::ring(std::size_t probe, const analysis::RingDownOptions& options) const {
  return analysis::measure_ring_down(time, coordinate(probe, main_axis(probes.at(probe))), options);
}

int main_axis(const std::vector<Vec3>& path) {
  Vec3 low = Vec3::Constant(1e300), high = -low;
  for (const Vec3& x : path) low = low.cwiseMin(x), high = high.cwiseMax(x);
  int axis = 0;
  (high - low).maxCoeff(&axis);
  return axis;
}

Motion run_scene(const ReproductionRequest& request, const std::string& name, const std::string& text,
                 const std::string& file, int max_halvings) {
  if (!file.empty()) write_file_atomically(request.folder + "/" + file, text);
  Motion motion;
  motion.name = name;
  motion.scene = compile(parse_scene(text, file.empty() ? name : file, request.folder));
  const System& system = *motion.scene.system;
  RunSettings settings = motion.scene.run;
  const double frames_every = settings.record_every;
  settings.record_every = 0;  // samples are taken at every step
  settings.max_halvings = max_halvings;
  motion.recording = motion.scene.recording;
  motion.recording.title = name;
  motion.probes.resize(settings.probes.size());

  const auto stepper = make_stepper(motion.scene.spec);
  State state = motion.scene.start;
  EnergyLedger ledger(system, state);
  motion.dampings = ledger.dampings();
  motion.taken.resize(motion.dampings.size());
  std::vector<Vec3> rest, points;
  system.kinematics().positions(system.rest(), rest);
  Progress progress(request.console, name, settings.end, "s");
  RunHooks hooks;
  hooks.should_stop = [] { return interrupted(); };
  hooks.on_step = [&](double now, double) { progress.update(now); };
  double next_frame = 0;
  hooks.on_record = [&](const State& now) {
    motion.time.push_back(now.time);
    motion.energy.push_back(ledger.total_energy());
    motion.external.push_back(ledger.external());
    const Wrench momentum = system.inertia().momentum(now.q, now.v);
    motion.momentum.push_back(momentum.linear);
    motion.spin.push_back(momentum.angular);
    motion.damped.push_back(std::accumulate(ledger.damping().begin(), ledger.damping().end(), 0.0));
    for (std::size_t i = 0; i < motion.taken.size(); ++i) motion.taken[i].push_back(ledger.damping()[i]);
    system.kinematics().positions(now.q, points);
    for (std::size_t i = 0; i < settings.probes.size(); ++i)
      motion.probes[i].push_back(probe_position(settings.probes[i], points) - probe_position(settings.probes[i], rest));
    if (now.time < next_frame - 1e-9 * settings.end) return;
    motion.recording.frames.push_back(make_frame(system, settings, now));
    next_frame += frames_every;
  };
  const RunResult result = run(system, state, *stepper, ledger, settings, hooks);
  motion.counters = result.counters;
  motion.diverged = result.status == RunStatus::diverged;
  motion.explanation = result.explanation;
  return motion;
}

Motion beginning(const Motion& motion, double end) {
  Motion shown;
  shown.name = motion.name;
  shown.recording = motion.recording;
  std::erase_if(shown.recording.frames, [&](const Frame& frame) { return frame.time > end + 1e-9; });
  return shown;
}

render::Series probe_series(const Motion& motion, int axis, render::Mark mark) {
  render::Series series{motion.name, motion.time, motion.coordinate(0, axis), {}, mark};
  for (double& value : series.y) value *= 1000;
  return series;
}

render::Series vertex_difference(const std::string& name, const Motion& a, const Motion& b) {
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

render::Picture picture_side_by_side(const ReproductionRequest& request, const std::vector<const Motion*>& motions,
                                     const std::vector<double>& times, const std::string& title,
                                     const render::Look& look, const std::string& file, bool follows) {
  std::vector<render::ShownRun> runs;
  for (const Motion* motion : motions) runs.push_back({&motion->recording, motion->name});
  render::RunPictureSettings settings;
  settings.look = look;
  settings.follow = follows;
  const int width = std::clamp(1200 / static_cast<int>(runs.size()), 200, 400), height = width;
  const render::RunPainter painter(runs, settings, 1.0);
  const render::Image image = painter.side_by_side(times, title, render::DrawSettings::draft(width, height));
  render::write_png(request.folder + "/" + file, image, {{"Title", title}});
  return {title, "image/png", render::to_png(image)};
}

render::Look look_of(const Motion& motion) {
  for (const RecordedBody& body : motion.recording.bodies)
    if (body.shape) return render::shape_look(parse_shape(body.shape->text, body.name).shape);
  return {};
}

Claim claim_at_most(const std::string& id, const std::string& statement, ClaimValue paper, double ours,
                    const std::string& unit, double bar) {
  return {
      id,   statement, std::move(paper), ours, unit, fmt::format("<= {:g}", bar), std::isfinite(ours) && ours <= bar,
      false};
}

Claim claim_at_least(const std::string& id, const std::string& statement, ClaimValue paper, double ours,
                     const std::string& unit, double bar) {
  return {
      id,   statement, std::move(paper), ours, unit, fmt::format(">= {:g}", bar), std::isfinite(ours) && ours >= bar,
      false};
}

Claim claim_near(const std::string& id, const std::string& statement, double target, double ours,
                 const std::string& unit, double tolerance) {
  return {id,
          statement,
          target,
          ours,
          unit,
          fmt::format("{:g} %", 100 * tolerance),
          std::abs(ours / target - 1) <= tolerance,
          false};
}

Claim claim_true(const std::string& id, const std::string& statement, bool ours) {
  return {id, statement, true, ours, "", std::string("true"), ours, false};
}

Claim refuted(Claim claim) {
  const double* number = std::get_if<double>(&claim.ours);
  claim.refuted = !claim.holds && (number == nullptr || std::isfinite(*number));
  return claim;
}

render::Figure write_figure(const ReproductionRequest& request, const std::string& file, render::Figure figure) {
  write_file_atomically(request.folder + "/" + file + ".svg", render::to_svg(figure));
  return figure;
}

void write_report(const ReproductionRequest& request, render::Report report, const std::vector<Claim>& claims) {
  render::Table table{"What is claimed and what we measured", {"claim", "paper", "ours", "asked", "verdict"}, {}, {}};
  for (const Claim& claim : claims)
    table.rows.push_back({claim.statement, claim_text(claim.paper, claim.unit), claim_text(claim.ours, claim.unit),
                          claim_text(claim.tolerance, ""),
                          claim.holds     ? "holds"
                          : claim.refuted ? "refuted"
                                          : "not met"});
  report.sections.insert(report.sections.begin(), {"Claims", {table}});
  write_file_atomically(request.folder + "/report.html", render::to_html(report));
}

}  // namespace dashpot::cli
