#include "dashpot/learn/probe_sensitivity.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/gradients/adjoint_run.hpp"
#include "dashpot/gradients/sensitivity.hpp"
#include "dashpot/learn/observed_run.hpp"

namespace dashpot::learn {
namespace {

struct Output {
  const Probe* probe;
  int axis;
};

std::vector<std::string> all_outputs(const CompiledScene& scene) {
  std::vector<std::string> names;
  for (const Probe& probe : scene.run.probes)
    for (const char* axis : {".x", ".y", ".z"}) names.push_back(probe.name + axis);
  return names;
}

std::vector<Output> read_outputs(const CompiledScene& scene, const std::vector<std::string>& names) {
  const std::vector<std::string> known = all_outputs(scene);
  std::vector<Output> outputs;
  std::vector<Problem> problems;
  if (known.empty())
    problems.push_back({scene.spec.document->file, "no probe in \"record\"", "a probe whose motion is looked at",
                        "add \"probes\": [{\"name\": \"tip\", \"body\": ..., \"where\": {\"nearest\": [x, y, z]}}]"});
  for (const std::string& name : names) {
    const auto at = std::find(known.begin(), known.end(), name);
    if (at != known.end()) {
      const auto k = static_cast<std::size_t>(at - known.begin());
      outputs.push_back({&scene.run.probes[k / 3], static_cast<int>(k % 3)});
    } else if (!known.empty()) {
      const std::string near = nearest_name(name, known);
      problems.push_back({"", fmt::format("'{}' is no coordinate of a probe", name),
                          fmt::format("one of {}", fmt::join(known, ", ")),
                          near.empty() ? "" : fmt::format("did you mean '{}'?", near)});
    }
  }
  if (!problems.empty()) throw Error(std::move(problems));
  return outputs;
}

double along(const Probe& probe, int axis, const std::vector<Vec3>& points) {
  double sum = 0;
  for (std::size_t i = 0; i < probe.points.size(); ++i)
    sum += probe.weights[i] * points[static_cast<std::size_t>(probe.points[i])][axis];
  return sum;
}

ProbeSensitivities begin_result(const CompiledScene& scene, const std::vector<std::string>& outputs,
                                const std::vector<ParameterNumber>& parameters) {
  if (scene.spec.projective)
    throw Error(Problem{scene.spec.document->file, "the projective solver",
                        "Newton's method: sensitivities need stages that are solved to the end",
                        "leave \"projective\" out of \"solver\""});
  ProbeSensitivities result;
  result.outputs = outputs.empty() ? all_outputs(scene) : outputs;
  result.parameters = parameters;
  result.table.add_column("time", "s");
  for (const std::string& output : result.outputs) {
    result.table.add_column(output, "m");
    for (const ParameterNumber& number : parameters)
      result.table.add_column(fmt::format("d({})/d({})", output, number.name), number.slope_unit());
  }
  return result;
}

std::vector<int> indices_of(const std::vector<ParameterNumber>& parameters) {
  std::vector<int> values;
  for (const ParameterNumber& number : parameters) values.push_back(number.index);
  return values;
}

}  // namespace

std::string ParameterNumber::slope_unit() const {
  const std::string unit = quantity_info(quantity).unit;
  return unit.empty() ? "m" : fmt::format("m/({})", unit);
}

std::vector<ParameterNumber> parameter_numbers(const System& system, const std::vector<std::string>& names) {
  const ParameterLayout& layout = system.parameters();
  std::vector<ParameterNumber> numbers;
  std::vector<Problem> problems;
  const auto add = [&](const ParameterLayout::Entry& entry, int i) {
    const int index = entry.first + i;
    numbers.push_back({index, entry.size() == 1 ? entry.info.name : fmt::format("{}[{}]", entry.info.name, i),
                       entry.info.quantity, system.parameter_values()[static_cast<std::size_t>(index)]});
  };
  if (names.empty())
    for (const ParameterLayout::Entry& entry : layout.entries())
      for (int i = 0; i < entry.size(); ++i) add(entry, i);
  for (const std::string& name : names) {
    std::string_view place = name;
    int chosen = -1;
    const std::size_t bracket = name.find('[');
    if (bracket != std::string::npos && name.back() == ']') {
      place = place.substr(0, bracket);
      const char* end = name.data() + name.size() - 1;
      const auto [stop, problem] = std::from_chars(name.data() + bracket + 1, end, chosen);
      if (problem != std::errc() || stop != end || chosen < 0) chosen = -2;
    }
    try {
      const ParameterLayout::Entry& entry = layout.at(place);
      if (chosen == -2 || chosen >= entry.size()) {
        problems.push_back({"", fmt::format("'{}'", name),
                            entry.size() == 1
                                ? fmt::format("{}, which is one number", entry.info.name)
                                : fmt::format("{}[0] to {}[{}]", entry.info.name, entry.info.name, entry.size() - 1),
                            ""});
        continue;
      }
      for (int i = 0; i < entry.size(); ++i)
        if (chosen < 0 || chosen == i) add(entry, i);
    } catch (const Error& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  if (!problems.empty()) throw Error(std::move(problems));
  return numbers;
}

const std::vector<double>& ProbeSensitivities::slope(std::size_t output, std::size_t parameter) const {
  return table.column(fmt::format("d({})/d({})", outputs[output], parameters[parameter].name));
}

ProbeSensitivities probe_sensitivities(const CompiledScene& scene, const std::vector<std::string>& outputs,
                                       const std::vector<ParameterNumber>& parameters, const RunHooks& hooks) {
  ProbeSensitivities result = begin_result(scene, outputs, parameters);
  const std::vector<Output> read = read_outputs(scene, result.outputs);
  const std::vector<int> values = indices_of(parameters);

  SensitivityStepper stepper(scene.spec.time.stepper, scene.spec.newton, scene.spec.linear, values);
  const System& system = *scene.system;
  stepper.begin(system, scene.start, start_kind(scene));
  RunHooks recording = hooks;
  std::vector<Vec3> points;
  std::vector<std::vector<Vec3>> slopes(parameters.size());
  recording.on_record = [&](const State& state) {
    if (hooks.on_record) hooks.on_record(state);
    system.kinematics().positions(state.q, points);
    for (std::size_t k = 0; k < parameters.size(); ++k)
      system.kinematics().velocities(state.q, stepper.columns()[k].q, slopes[k]);
    std::vector<double> row = {state.time};
    for (const Output& output : read) {
      row.push_back(along(*output.probe, output.axis, points));
      for (const std::vector<Vec3>& slope : slopes) row.push_back(along(*output.probe, output.axis, slope));
    }
    result.table.add_row(row);
  };
  State state = scene.start;
  EnergyLedger ledger(system, state);
  RunSettings settings = scene.run;
  settings.keep_frames = false;
  const RunResult run = dashpot::run(system, state, stepper, ledger, settings, recording);
  result.status = run.status;
  result.explanation = run.explanation;
  result.worst_residual = stepper.worst_residual();
  return result;
}

bool backwards_is_cheaper(const CompiledScene& scene, const std::vector<std::string>& outputs,
                          std::size_t num_parameters) {
  // Backwards an output costs a right side of each step, forwards a parameter does, and backwards is a pass more.
  constexpr std::size_t parameters_an_output = 24;
  // What remembers is evaluated twice a parameter forwards, and about a thousand times a stage backwards.
  constexpr std::size_t parameters_of_memory = 500;
  const auto& dampings = scene.system->dissipations();
  const bool remembers = std::any_of(dampings.begin(), dampings.end(),
                                     [](const auto& term) { return term->num_internal_variables() > 0; });
  const std::size_t num_outputs = outputs.empty() ? all_outputs(scene).size() : outputs.size();
  return num_parameters > parameters_an_output * num_outputs && (!remembers || num_parameters > parameters_of_memory) &&
         AdjointSweep::refusals(*scene.system, scene.spec.time.stepper).empty();
}

ProbeSensitivities probe_gradients_at_end(const CompiledScene& scene, const std::vector<std::string>& outputs,
                                          const std::vector<ParameterNumber>& parameters, const RunHooks& hooks,
                                          const std::function<void(std::int64_t)>& on_step_back) {
  ProbeSensitivities result = begin_result(scene, outputs, parameters);
  result.is_of_end = true;
  const std::vector<Output> read = read_outputs(scene, result.outputs);
  const System& system = *scene.system;
  const SensitivityStepper::Start start = start_kind(scene);
  if (std::vector<Problem> problems = AdjointSweep::refusals(system, scene.spec.time.stepper); !problems.empty())
    throw Error(std::move(problems));  // before the run, which may be long
  RecordingStepper stepper(scene.spec.time.stepper, scene.spec.newton, scene.spec.linear);
  State state = scene.start;
  EnergyLedger ledger(system, state);
  RunSettings settings = scene.run;
  settings.keep_frames = false;
  const RunResult run = dashpot::run(system, state, stepper, ledger, settings, hooks);
  result.status = run.status;
  result.explanation = run.explanation;
  std::vector<Vec3> points;
  system.kinematics().positions(state.q, points);
  std::vector<double> row = {state.time};
  const auto add_row = [&](const Matrix& gradient) {
    for (std::size_t i = 0; i < read.size(); ++i) {
      row.push_back(along(*read[i].probe, read[i].axis, points));
      for (Eigen::Index k = 0; k < static_cast<Eigen::Index>(parameters.size()); ++k)
        row.push_back(gradient(static_cast<Eigen::Index>(i), k));
    }
    result.table.add_row(row);
  };
  const Matrix unknown =
      Matrix::Zero(static_cast<Eigen::Index>(read.size()), static_cast<Eigen::Index>(parameters.size()));
  if (run.status != RunStatus::finished) {
    add_row(unknown);
    return result;
  }
  GradientOptions options;
  options.values = indices_of(parameters);
  options.num_objectives = static_cast<int>(read.size());
  options.start = start;
  options.linear = scene.spec.linear;
  options.should_stop = hooks.should_stop;
  options.on_step = on_step_back;
  const std::int64_t last = state.step;
  const auto objective = [&](const State& at, StateAdjoint& adjoint) {
    if (at.step != last) return;
    for (std::size_t i = 0; i < read.size(); ++i)
      for (std::size_t p = 0; p < read[i].probe->points.size(); ++p)
        add_point_slope(system, at, read[i].probe->points[p], read[i].probe->weights[p] * Vec3::Unit(read[i].axis),
                        Vec3::Zero(), static_cast<int>(i), adjoint);
  };
  const RunGradient found = gradient_of_run(system, scene.spec.time.stepper, stepper, state, objective, options);
  if (!found.is_complete) result.status = RunStatus::interrupted;
  add_row(found.of_parameters);
  result.worst_residual = found.worst_mismatch;
  result.num_steps = found.num_steps;
  result.num_steps_again = found.num_steps_again;
  result.checkpoint_bytes = found.peak_bytes;
  return result;
}

}  // namespace dashpot::learn
