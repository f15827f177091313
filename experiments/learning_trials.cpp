#include "learning_trials.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <set>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/file.hpp"
#include "dashpot/learn/data_spec.hpp"
#include "interrupt.hpp"
#include "measures.hpp"

namespace dashpot::cli {
namespace {

std::vector<Vec3> rest_points(const CompiledScene& scene) {
  std::vector<Vec3> x;
  scene.system->kinematics().positions(scene.system->rest(), x);
  return x;
}

/// The points of `scene` as points of the true bodies, body by body.
std::vector<learn::MaterialPoint> attached_points(const CompiledScene& scene, const CompiledScene& truth) {
  if (scene.bodies.size() != truth.bodies.size())
    throw Error(Problem{"", "a true scene with another number of bodies", "the same bodies in the same order", ""});
  std::vector<learn::MaterialPoint> points;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const Mesh &mesh = scene.bodies[b].mesh, &other = truth.bodies[b].mesh;
    if (mesh.nodes == other.nodes) {
      for (int i = 0; i < mesh.num_nodes(); ++i)
        points.push_back(learn::MaterialPoint::node(truth.bodies[b].first_block + i));
      continue;
    }
    const learn::Attachments found = learn::attach_to(other, truth.bodies[b].first_block, mesh.nodes);
    points.insert(points.end(), found.points.begin(), found.points.end());
  }
  return points;
}

Recording recording_of(const CompiledScene& scene, const std::vector<double>& times,
                       const learn::SimulatedMotion& motion) {
  Recording recording = scene.recording;
  recording.frames.clear();
  for (std::size_t i = 0; i < motion.positions.size(); ++i) {
    Frame& frame = recording.frames.emplace_back();
    frame.time = times[i];
    frame.points = motion.positions[i];
  }
  return recording;
}

/// The point that moves farthest, and the axis along which it does.
std::pair<std::size_t, int> liveliest(const LearningTrial& trial) {
  const std::vector<Vec3> rest = rest_points(*trial.scene);
  std::size_t point = 0;
  double farthest = -1;
  Vec3 along = Vec3::Zero();
  for (const std::vector<Vec3>& frame : trial.seen.positions)
    for (std::size_t p = 0; p < frame.size(); ++p)
      if ((frame[p] - rest[p]).norm() > farthest) {
        farthest = (frame[p] - rest[p]).norm();
        point = p;
        along = frame[p] - rest[p];
      }
  int axis = 0;
  along.cwiseAbs().maxCoeff(&axis);
  return {point, axis};
}

}  // namespace

learn::MotionError LearningTrial::error_of(const learn::SimulatedMotion& motion) const {
  return learn::motion_error(seen, motion, size);
}

learn::SimulatedMotion LearningTrial::motion_with(const std::vector<double>& values) const {
  const std::vector<double>& own = values.empty() ? scene->system->parameter_values() : values;
  return learn::simulated_motion(*scene, own, times, [] { return interrupted(); });
}

LearningTrial make_trial(const ReproductionRequest& request, const std::string& name, const std::string& truth,
                         const std::string& believed, const learn::LawRequest& law, int every, bool learnable) {
  LearningTrial trial;
  trial.name = name;
  write_file_atomically(fmt::format("{}/{}_truth.json", request.folder, name), truth);
  write_file_atomically(fmt::format("{}/{}_believed.json", request.folder, name), believed);
  trial.truth = std::make_shared<CompiledScene>(compile(parse_scene(truth, name + " (truth)", request.folder)));
  SceneSpec nominal = parse_scene(believed, name + " (believed)", request.folder);
  if (learnable)
    nominal = parse_scene(believed, name + " (believed)", request.folder, learn::learning_overrides(nominal, law));
  trial.scene = std::make_shared<CompiledScene>(compile(nominal));
  const RunSettings& run = trial.scene->run;
  const double begin = trial.scene->start.time;
  for (std::int64_t i = every; begin + static_cast<double>(i) * run.dt <= run.end + 1e-6 * run.dt; i += every)
    trial.times.push_back(begin + static_cast<double>(i) * run.dt);
  const auto stop = [] { return interrupted(); };
  trial.truth_motion = learn::simulated_motion(*trial.truth, {}, trial.times, stop);
  if (!trial.truth_motion.finished && !interrupted())
    throw Error(Problem{name, "the true motion cannot be simulated: " + trial.truth_motion.explanation, "", ""});
  const std::vector<learn::MaterialPoint> points = attached_points(*trial.scene, *trial.truth);
  for (const std::vector<Vec3>& frame : trial.truth_motion.positions) {
    std::vector<Vec3>& x = trial.seen.positions.emplace_back();
    for (const learn::MaterialPoint& point : points) x.push_back(point.at(frame));
  }
  trial.seen.finished = trial.truth_motion.finished;
  trial.nominal = trial.motion_with({});
  trial.size = learn::rest_diagonal(*trial.scene);
  return trial;
}

std::vector<int> surface_points(const LearningTrial& trial, double share) {
  std::set<int> on_surface;
  for (const learn::Triangle& triangle : learn::surface_of(*trial.scene, ""))
    on_surface.insert(triangle.begin(), triangle.end());
  const System& system = *trial.scene->system;
  std::vector<int> points;
  for (const int p : on_surface)
    if (!system.kinematics().is_node(p) ||
        system.is_free()[static_cast<std::size_t>(system.kinematics().node_dof(p))] != 0)
      points.push_back(p);
  if (share >= 1) return points;
  const std::vector<Vec3> rest = rest_points(*trial.scene);
  std::vector<Vec3> places;
  for (const int p : points) places.push_back(rest[static_cast<std::size_t>(p)]);
  const int count = std::max(1, static_cast<int>(std::lround(share * static_cast<double>(points.size()))));
  std::vector<int> chosen;
  for (const int i : learn::spread_out(places, count)) chosen.push_back(points[static_cast<std::size_t>(i)]);
  return chosen;
}

std::shared_ptr<const learn::Observation> see_nodes(const LearningTrial& trial, const std::vector<int>& points,
                                                    double sigma, unsigned seed) {
  learn::Tracks tracks;
  tracks.source = fmt::format("{} nodes of {}", points.size(), trial.name);
  tracks.times = trial.times;
  std::vector<learn::MaterialPoint> followed;
  for (const int p : points) {
    tracks.names.push_back(fmt::format("{}", p));
    followed.push_back(learn::MaterialPoint::node(p));
  }
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, sigma);
  for (const std::vector<Vec3>& frame : trial.seen.positions) {
    std::vector<Vec3>& x = tracks.positions.emplace_back();
    for (const int p : points) {
      x.push_back(frame[static_cast<std::size_t>(p)]);
      for (int axis = 0; seed != 0 && axis < 3; ++axis) x.back()[axis] += noise(random);
    }
  }
  return std::make_shared<learn::TrajectoryObservation>(std::move(tracks), std::move(followed), sigma);
}

std::shared_ptr<const learn::Observation> see_clouds(const LearningTrial& trial, const learn::ScanSettings& scan,
                                                     const learn::CloudOptions& options) {
  const Recording recording = recording_of(*trial.truth, trial.times, trial.truth_motion);
  learn::CloudSequence clouds = learn::scan_run(recording, scan);
  clouds.source = fmt::format("{} cameras at {}", scan.cameras.size(), trial.name);
  return std::make_shared<learn::CloudObservation>(std::move(clouds), learn::surface_of(*trial.scene, ""),
                                                   rest_points(*trial.scene), options);
}

learn::LearnTask task_of(const std::vector<SeenTrial>& training, const learn::LawRequest& law) {
  learn::LearnTask task;
  task.law = law;
  for (const auto& [trial, observation] : training) task.runs.push_back({trial->name, trial->scene, {observation}});
  task.fit.stages.clear();
  return task;
}

LearnedTrial learn_trial(const ReproductionRequest& request, const std::string& name, learn::LearnTask task,
                         const LearningTrial& trial) {
  LearnedTrial learned;
  learned.name = name;
  task.fit.should_stop = [] { return interrupted(); };
  const auto num_stages = static_cast<double>(learn::stages_of(task).size());
  Progress progress(request.console, name, 1, "of all stages");
  double done = 0;
  task.fit.on_progress = [&](std::size_t stage, double share) {
    if (task.estimator.kind != learn::Estimator::levenberg) return progress.update(share);
    done = std::max(done, static_cast<double>(stage) / num_stages);
    done +=
        0.02 * share * (static_cast<double>(stage + 1) / num_stages - done);  // how many runs are to come is unknown
    progress.update(done);
  };
  task.fit.on_iteration = [&](const learn::FitIteration& step, const Vector& x) {
    if (step.accepted || task.estimator.kind != learn::Estimator::levenberg) learned.iterates.push_back(x);
  };
  const auto start = std::chrono::steady_clock::now();
  learned.outcome = learn::learn(task);
  learned.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  progress.finish();
  learned.motion = trial.motion_with(learned.values_for(trial));
  learned.error = trial.error_of(learned.motion);
  return learned;
}

std::vector<double> LearnedTrial::values_for(const LearningTrial& trial) const {
  return outcome.problem.values({trial.name, trial.scene, {}}, outcome.fit.x);
}

std::vector<double> errors_by_iteration(const LearningTrial& trial, const LearnedTrial& learned) {
  std::vector<double> errors;
  const learn::ObservedRun run{trial.name, trial.scene, {}};
  for (const Vector& x : learned.iterates)
    errors.push_back(100 * trial.error_of(trial.motion_with(learned.outcome.problem.values(run, x))).worst);
  return errors;
}

render::Figure convergence_figure(const std::string& title, const LearningTrial& trial,
                                  const std::vector<const LearnedTrial*>& learned) {
  render::Figure figure;
  figure.title = title;
  figure.description = "Largest error of a node in a forward simulation with the law after each iteration.";
  render::Panel panel;
  panel.x = {"iteration", ""};
  panel.y = {"largest error of a node", "%", true};
  for (const LearnedTrial* one : learned) {
    render::Series series{one->name, {}, errors_by_iteration(trial, *one), {}, render::Mark::line_and_points};
    for (std::size_t i = 0; i < series.y.size(); ++i) series.x.push_back(static_cast<double>(i));
    panel.series.push_back(series);
  }
  figure.panels = {panel};
  return figure;
}

render::Figure error_figure(const LearningTrial& trial, const std::vector<NamedMotion>& motions) {
  render::Figure figure;
  figure.title = fmt::format("{}: largest distance of a node from the truth", trial.name);
  figure.description = "Over time, in percent of the diagonal of the body, logarithmic.";
  render::Panel panel;
  panel.x = {"time", "s"};
  panel.y = {"largest error of a node", "%", true};
  for (const NamedMotion& named : motions) {
    render::Series series{named.name, {}, {}};
    for (std::size_t i = 0; i < std::min(named.motion->positions.size(), trial.seen.positions.size()); ++i) {
      double worst = 0;
      for (std::size_t p = 0; p < trial.seen.positions[i].size(); ++p)
        worst = larger(worst, (named.motion->positions[i][p] - trial.seen.positions[i][p]).norm());
      series.x.push_back(trial.times[i]);
      series.y.push_back(100 * worst / trial.size);
    }
    panel.series.push_back(series);
  }
  figure.panels = {panel};
  return figure;
}

render::Figure path_figure(const LearningTrial& trial, const std::vector<NamedMotion>& motions) {
  const auto [point, axis] = liveliest(trial);
  const double rest = rest_points(*trial.scene)[point][axis];
  const auto series_of = [&, point = point, axis = axis](const std::string& name, const learn::SimulatedMotion& motion,
                                                         render::Mark mark) {
    render::Series series{name, {}, {}, {}, mark};
    for (std::size_t i = 0; i < motion.positions.size(); ++i) {
      series.x.push_back(trial.times[i]);
      series.y.push_back(1000 * (motion.positions[i][point][axis] - rest));
    }
    return series;
  };
  render::Figure figure;
  figure.title = fmt::format("{}: the node that moves most", trial.name);
  figure.description = fmt::format("Displacement along {} over time: measured, learned and nominal.", "xyz"[axis]);
  render::Panel panel;
  panel.x = {"time", "s"};
  panel.y = {fmt::format("displacement along {}", "xyz"[axis]), "mm"};
  for (const NamedMotion& named : motions)
    panel.series.push_back(series_of(named.name, *named.motion,
                                     named.motion == &trial.nominal ? render::Mark::dashed_line : render::Mark::line));
  panel.series.push_back(series_of("measured", trial.seen, render::Mark::points));
  figure.panels = {panel};
  return figure;
}

render::Picture trial_picture(const ReproductionRequest& request, const LearningTrial& trial,
                              const std::vector<NamedMotion>& motions, const std::vector<double>& times,
                              const render::Look& look, const std::string& file) {
  std::vector<RecordedRun> runs(motions.size() + 1);
  runs[0].name = "measured";
  runs[0].recording = recording_of(*trial.truth, trial.times, trial.truth_motion);
  for (std::size_t k = 0; k < motions.size(); ++k) {
    runs[k + 1].name = motions[k].name;
    runs[k + 1].recording = recording_of(*trial.scene, trial.times, *motions[k].motion);
  }
  std::vector<const RecordedRun*> shown;
  for (const RecordedRun& run : runs)
    if (!run.recording.frames.empty()) shown.push_back(&run);
  return picture_side_by_side(request, shown, times, trial.name, look, file);
}

std::string percent_text(double percent) { return std::isfinite(percent) ? fmt::format("{:.3g}", percent) : "-"; }

}  // namespace dashpot::cli
