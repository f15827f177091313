// Work that takes long, on copies: modes of the scene, gains that meet unloading targets.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "dashpot/analysis/damping_units.hpp"
#include "dashpot/analysis/modal_damping.hpp"
#include "dashpot/analysis/numerical_damping.hpp"
#include "dashpot/analysis/rayleigh_fit.hpp"
#include "dashpot/design/scene_design.hpp"
#include "dashpot/modes/system_modes.hpp"
#include "json_build.hpp"
#include "studio_core.hpp"
#include "studio_document.hpp"

namespace dashpot::studio {
namespace {

/// Rayleigh damping nearest to the ratios of all modes.
void fit_rayleigh(std::vector<ModeInfo>& modes) {
  std::vector<analysis::DampingPoint> points;
  for (const ModeInfo& mode : modes)
    if (mode.zeta > 0) points.push_back({mode.frequency, mode.zeta});
  if (points.empty()) return;
  const analysis::RayleighCoefficients fitted = analysis::rayleigh_least_squares(points).coefficients;
  for (ModeInfo& mode : modes) mode.alpha = fitted.alpha, mode.beta = fitted.beta;
}

std::vector<ModeInfo> modes_of(const CompiledScene& scene, const System& system, int count) {
  const State rest = system.initial_state();
  const auto most = static_cast<int>(std::count(system.is_free().begin(), system.is_free().end(), 1)) - 1;
  const ModesResult found = system_modes(system, rest, {.num_modes = std::min(count, most)});
  std::vector<ModeInfo> modes;
  for (int i = found.num_unstable + found.num_rigid; i < found.size(); ++i) {
    if (!(found.lambda[i] > 0)) continue;
    ModeInfo mode;
    const double omega = std::sqrt(found.lambda[i]);
    const Vector shape = found.shapes.col(i);
    mode.frequency = found.frequencies[i];
    for (const analysis::ModalDamping& part : analysis::modal_damping(system, rest, shape, omega, scene.run.dt))
      mode.zeta += part.zeta;
    mode.zeta_integrator =
        analysis::numerical_damping(scene.spec.time.stepper, omega * scene.run.dt, std::clamp(mode.zeta, 0.0, 0.999))
            .numerical_zeta;
    system.kinematics().velocities(rest.q, shape, mode.shape);
    double largest = 0;
    for (const Vec3& u : mode.shape) largest = std::max(largest, u.norm());
    for (Vec3& u : mode.shape) u /= largest > 0 ? largest : 1;
    modes.push_back(std::move(mode));
  }
  fit_rayleigh(modes);
  return modes;
}

JsonValue modes_json(const std::vector<ModeInfo>& modes) {
  JsonValue list = JsonValue::array();
  for (const ModeInfo& mode : modes)
    list.push(object({{"frequency", json(mode.frequency)},
                      {"zeta", json(mode.zeta)},
                      {"zeta_integrator", json(mode.zeta_integrator)},
                      {"alpha", json(mode.alpha)},
                      {"beta", json(mode.beta)}}));
  return object({{"modes", list}});
}

JsonValue design_event(int job) {
  return object({{"type", json("event")}, {"kind", json("design")}, {"job", json(job)}});
}

JsonValue results_json(const design::DesignTask& task, const design::UnloadingDesign& outcome) {
  JsonValue list = JsonValue::array();
  for (const design::UnloadingReached& entry : outcome.targets)
    list.push(object({{"example", json(task.designable.names[static_cast<std::size_t>(entry.target.example)])},
                      {"from", json(entry.target.amplitude)},
                      {"asked", json(entry.target.residual)},
                      {"achieved", json(entry.left)},
                      {"reached", json(entry.reached)},
                      {"reason", json(entry.explanation)}}));
  return list;
}

JsonValue failed(int job, const Error& error) {
  JsonValue event = design_event(job);
  event.add("done", json(true));
  event.add("ok", json(false));
  event.add("text", json(error.problems().front().text()));
  return event;
}

struct Search {
  int job;
  JsonValue document;
  SceneSite site;
  std::vector<command::Target> targets;
  StopFlag stop;
};

/// The document with these targets and no others.
JsonValue with_targets(JsonValue document, const std::vector<command::Target>& targets) {
  JsonValue list = JsonValue::array();
  for (const command::Target& target : targets)
    list.push(object({{"example", json(target.example)}, {"from", json(target.from)}, {"left", json(target.left)}}));
  JsonValue* section = document.find("design");
  if (section == nullptr) section = &document.add("design", JsonValue::object());
  put_member(*section, "targets", list);
  return document;
}

void search(const Search& what, const std::function<void(std::function<void(StudioCore&)>)>& later) {
  JsonValue event = design_event(what.job);
  std::map<std::string, math::GainCurve> gains;
  try {
    const JsonValue document = with_targets(what.document, what.targets);
    const std::string file = what.site.path.empty() ? "scene" : what.site.path;
    const SceneSpec spec = parse_scene(write_json(document), file, what.site.folder.string());
    PrecomputeHooks hooks;
    hooks.should_stop = [&] { return what.stop->load(); };
    const std::unique_ptr<design::DesignTask> task = design::make_design_task(spec, hooks);
    if (task) {
      const double expected = 6 * static_cast<double>(what.targets.size());
      task->options.should_stop = hooks.should_stop;
      task->options.on_simulation = [&](const design::UnloadingTarget& target, int simulations, double gain,
                                        double left) {
        JsonValue progress = design_event(what.job);
        progress.add("progress", json(simulations / (simulations + expected)));
        progress.add("text", json(fmt::format("{} from {:.3g}: gain {:.3g} leaves {:.3g} ({} simulations)",
                                              task->designable.names[static_cast<std::size_t>(target.example)],
                                              target.amplitude, gain, left, simulations)));
        later([job = what.job, progress](StudioCore& core) { core.end_job(-job, progress); });
      };
      const design::DesignOutcome outcome = design::run_design(*task);
      if (!outcome.stopped) {
        for (std::size_t i = 0; i < outcome.gains.size(); ++i) gains[task->designable.names[i]] = outcome.gains[i];
        event.add("results", results_json(*task, outcome.unloading));
      }
      event.add("ok", json(outcome.reached));
      event.add("simulations", json(outcome.simulations));
    }
  } catch (const Error& error) {
    event = failed(what.job, error);
  } catch (const std::exception& error) {
    event = failed(what.job, Error(Problem{"design", error.what(), "a search that comes to its end", ""}));
  }
  if (event.find("done") == nullptr) event.add("done", json(true));
  if (what.stop->load()) put_member(event, "text", json("Cancelled; the gains are as they were."));
  later([job = what.job, event, gains](StudioCore& core) {
    if (!gains.empty()) core.take_gains(gains);
    core.end_job(job, event);
  });
}

}  // namespace

void StudioCore::find_modes(int count, const Answer& answer) {
  require_scene("modes");
  const auto stop = std::make_shared<std::atomic<bool>>(false);
  jobs_.add(stop, [this, count, answer, scene = built_->scene, later = later_,
                   system = built_->designed->with(designed().state().parameters)] {
    std::vector<ModeInfo> modes;
    std::string obstacle;
    try {
      modes = modes_of(*scene, *system, count);
    } catch (const Error& error) {
      obstacle = error.problems().front().text();
    }
    later([scene, answer, modes, obstacle](StudioCore& core) {
      if (!obstacle.empty()) {
        core.tell("note", "Modes: " + obstacle);
        return answer(object({{"modes", JsonValue::array()}}));
      }
      if (core.built_ && core.built_->scene == scene) core.modes_ = modes;
      answer(modes_json(modes));
    });
  });
}

int StudioCore::design(const command::Design& design) {
  require_scene("design");
  for (const command::Target& target : design.targets)
    if (built_->example(target.example) == nullptr)
      throw Error(Problem{"targets", fmt::format("no example \"{}\"", target.example), "an example of the scene", ""});
  if (jobs_.size() > 8) throw Error(Problem{"design", "too many searches wait already", "fewer at once", "cancel one"});
  const auto stop = std::make_shared<std::atomic<bool>>(false);
  const int job = ++last_job_;
  running_jobs_[job] = stop;
  jobs_.add(stop, [what = Search{job, built_->document, site(), design.targets, stop}, later = later_] {
    search(what, later);
  });
  return job;
}

void StudioCore::cancel(int job) {
  const auto found = running_jobs_.find(job);
  if (found == running_jobs_.end())
    throw Error(Problem{"job", fmt::format("{}", job), "a search that is under way", "it may have ended"});
  found->second->store(true);
}

void StudioCore::take_gains(const std::map<std::string, math::GainCurve>& gains) {
  if (!built_) return;
  // The scene may have changed since the search began: gains go to the examples that still have their name.
  std::vector<command::Change> changes;
  for (const ExampleInfo& example : built_->examples) {
    const auto found = gains.find(example.name);
    const JsonValue* written = at_pointer(built_->document, example.at);
    if (found == gains.end() || written == nullptr) continue;
    JsonValue next = *written;
    for (const char* key : {"gamma", "curve", "interpolation", "preset"}) remove_member(next, key);
    if (found->second.is_constant() && written->find("gamma") != nullptr) {
      next.add("gamma", json(found->second.value(0)));
    } else {
      JsonValue rows = JsonValue::array();
      for (const math::GainCurve::Point& point : found->second.knots())
        rows.push(json(std::vector<double>{point.x, point.gamma}));
      next.add("curve", rows);
      next.add("interpolation", json(to_string(found->second.kind())));
    }
    changes.push_back({example.at, next});
  }
  try {
    adopt(build_scene(changed(built_->document, changes), site(), built_.get()), true);
  } catch (const Error& error) {
    tell("failure", "the gains that were found do not fit the scene any more: " + error.problems().front().text());
  }
}

void StudioCore::end_job(int job, JsonValue event) {
  if (job > 0) running_jobs_.erase(job);
  events_.push_back(std::move(event));
}

JsonValue StudioCore::equivalent(const command::Equivalent& what) const {
  double frequency = what.frequency;
  if (what.mode > 0) {
    if (static_cast<std::size_t>(what.mode) > modes_.size())
      throw Error(Problem{"mode", fmt::format("{} of {} that were found", what.mode, modes_.size()),
                          "a mode that was found", "find the modes first"});
    frequency = modes_[static_cast<std::size_t>(what.mode) - 1].frequency;
  }
  using Measure = command::Equivalent::Measure;
  const double zeta = what.measure == Measure::zeta ? what.value
                      : what.measure == Measure::lost_per_cycle
                          ? analysis::zeta_from_amplitude_lost_per_cycle(what.value)
                          : analysis::zeta_from_settle_time(what.value, frequency);
  const analysis::DampingMeasures all = analysis::damping_measures(zeta, frequency);
  const double omega = 2 * std::numbers::pi * frequency;
  return object({{"zeta", json(zeta)},
                 {"lost_per_cycle", json(all.amplitude_lost_per_cycle)},
                 {"settle_time", json(all.settle_time)},
                 {"alpha", json(2 * zeta * omega)},
                 {"beta", json(2 * zeta / omega)}});
}

}  // namespace dashpot::studio
