#include "dashpot/learn/observed_run.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/integrate/static_solver.hpp"
#include "dashpot/integrate/stepper.hpp"

namespace dashpot::learn {
namespace {

constexpr int max_halvings = 3;
constexpr double same_instant = 1e-6;  // of a step

/// Positions of the material points at both ends of a step, and how they change with the parameters.
struct PointsAt {
  double time = 0;
  std::vector<Vec3> x, v;
  Matrix dx, dv;  ///< a row a parameter, three columns a point: what one residual reads stands together

  void set(const System& system, const State& state, const std::vector<StateDirection>& columns) {
    time = state.time;
    system.kinematics().positions(state.q, x);
    system.kinematics().velocities(state.q, state.v, v);
    const auto coordinates = static_cast<Eigen::Index>(3 * x.size());
    dx.resize(static_cast<Eigen::Index>(columns.size()), coordinates);
    dv.resize(dx.rows(), coordinates);
    std::vector<Vec3> slope;
    for (Eigen::Index k = 0; k < dx.rows(); ++k) {
      const StateDirection& column = columns[static_cast<std::size_t>(k)];
      const auto store = [&](const Vector& rates, Matrix& into) {
        system.kinematics().velocities(state.q, rates, slope);
        into.row(k) = Eigen::Map<const Vector>(slope.data()->data(), coordinates).transpose();
      };
      store(column.q, dx);
      store(column.v, dv);
    }
  }
};

/// Cubic in time through positions and velocities at both ends.
struct Hermite {
  double x0, v0, x1, v1;
  Hermite(double from, double to, double time) {
    const double h = to - from, s = h > 0 ? (time - from) / h : 1, t = 1 - s;
    x0 = t * t * (1 + 2 * s);
    x1 = s * s * (1 + 2 * t);
    v0 = h * s * t * t;
    v1 = -h * s * s * t;
  }
};

class Comparer {
 public:
  Comparer(const ObservedRun& run, const CompareOptions& options, Comparison& result)
      : run_(run), options_(options), result_(result), next_(run.observations.size(), 0) {
    const auto m = static_cast<Eigen::Index>(options.parameters.size());
    result.JtJ = Matrix::Zero(m, m);
    result.Jtr = Vector::Zero(m);
  }

  /// Compares what was measured after `before` and until `after`, both included where they are.
  void look(const PointsAt& before, const PointsAt& after) {
    const double slack = same_instant * std::max(after.time - before.time, 1e-12);
    for (std::size_t i = 0; i < run_.observations.size(); ++i) {
      const std::vector<double>& times = run_.observations[i]->times();
      for (int& at = next_[i]; at < static_cast<int>(times.size()); ++at) {
        const double time = times[static_cast<std::size_t>(at)];
        if (time > after.time + slack || time > options_.until) break;
        if (time < before.time - slack) continue;  // measured before the run begins
        look_at(i, at, Hermite(before.time, after.time, std::clamp(time, before.time, after.time)), before, after);
      }
    }
  }

 private:
  void look_at(std::size_t observation, int instant, const Hermite& w, const PointsAt& before, const PointsAt& after) {
    points_.resize(after.x.size());
    for (std::size_t p = 0; p < points_.size(); ++p)
      points_[p] = w.x0 * before.x[p] + w.v0 * before.v[p] + w.x1 * after.x[p] + w.v1 * after.v[p];
    rows_.clear();
    run_.observations[observation]->add_residuals(instant, points_, options_.robust_scale, rows_);
    if (options_.on_instant) options_.on_instant(observation, instant, points_, rows_);
    result_.num_residuals += rows_.size();
    for (const double r : rows_.values) result_.chi2 += r * r;
    const auto m = static_cast<Eigen::Index>(options_.parameters.size());
    if (m == 0 || rows_.size() == 0) return;
    slopes_ = w.x0 * before.dx + w.v0 * before.dv + w.x1 * after.dx + w.v1 * after.dv;
    J_.setZero(m, rows_.size());
    for (int row = 0; row < rows_.size(); ++row)
      for (int e = rows_.first_entry[static_cast<std::size_t>(row)];
           e < rows_.first_entry[static_cast<std::size_t>(row) + 1]; ++e) {
        const ResidualRows::Entry& entry = rows_.entries[static_cast<std::size_t>(e)];
        const Eigen::Index p = 3 * Eigen::Index{entry.point};
        for (int axis = 0; axis < 3; ++axis)
          if (entry.slope[axis] != 0) J_.col(row) += entry.slope[axis] * slopes_.col(p + axis);
      }
    result_.JtJ.noalias() += J_ * J_.transpose();
    result_.Jtr.noalias() += J_ * Eigen::Map<const Vector>(rows_.values.data(), rows_.size());
  }

  const ObservedRun& run_;
  const CompareOptions& options_;
  Comparison& result_;
  std::vector<int> next_;  ///< by observation: its first instant that was not looked at
  std::vector<Vec3> points_;
  ResidualRows rows_;
  Matrix slopes_;  ///< of all points at the instant, as in PointsAt
  Matrix J_;       ///< transposed: a column a residual
};

/// A step, or shorter ones where it fails.
StepReport advance(const System& system, State& state, Workspace& workspace, Stepper& stepper, double dt,
                   int halvings) {
  StepReport report = stepper.step(system, state, workspace, dt);
  if (report.status != StepStatus::failed || halvings == 0) return report;
  for (int half = 0; half < 2; ++half) {
    report = advance(system, state, workspace, stepper, 0.5 * dt, halvings - 1);
    if (report.status == StepStatus::failed) return report;
  }
  return report;
}

}  // namespace

double ObservedRun::last_instant() const {
  double last = -std::numeric_limits<double>::infinity();
  for (const auto& observation : observations)
    if (!observation->times().empty()) last = std::max(last, observation->times().back());
  return last;
}

void Comparison::add(const Comparison& other) {
  if (static_cast<int>(other.end) > static_cast<int>(end)) {
    end = other.end;
    explanation = other.explanation;
  }
  chi2 += other.chi2;
  num_residuals += other.num_residuals;
  worst_residual = std::max(worst_residual, other.worst_residual);
  if (JtJ.size() == 0) {
    JtJ = other.JtJ;
    Jtr = other.Jtr;
  } else if (other.JtJ.size() > 0) {
    JtJ += other.JtJ;
    Jtr += other.Jtr;
  }
}

SensitivityStepper::Start start_kind(const CompiledScene& scene) {
  const auto& bodies = scene.spec.bodies;
  const auto num_balanced = std::count_if(bodies.begin(), bodies.end(),
                                          [](const BodySpec& body) { return body.start.name() == "equilibrium"; });
  if (num_balanced == 0) return SensitivityStepper::Start::given;
  std::vector<Problem> problems;
  if (num_balanced != static_cast<std::ptrdiff_t>(bodies.size()))
    problems.push_back({scene.spec.document->file,
                        fmt::format("{} of {} bodies start in equilibrium", num_balanced, bodies.size()),
                        "all bodies, or none: the equilibrium of some of them is not differentiated",
                        "start the others in equilibrium too, or these from a pose"});
  for (const BodySpec& body : bodies)
    if (body.start.name() == "equilibrium" && !body.start.settings.flag("gravity"))
      problems.push_back({scene.spec.document->file,
                          fmt::format("body '{}' starts in an equilibrium without gravity", body.name),
                          "the balance of all forces: this one is not differentiated",
                          "leave \"gravity\" out of its start, or start from a pose"});
  if (!problems.empty()) throw Error(std::move(problems));
  return SensitivityStepper::Start::equilibrium;
}

State start_with(const CompiledScene& scene, const System& system) {
  State state = scene.start;
  if (system.id() == scene.system->id()) return state;
  Workspace workspace = system.make_workspace();
  if (start_kind(scene) == SensitivityStepper::Start::equilibrium) {
    // What is out of balance at the scene's own start is a load that was let go there: it is held until the start.
    Balance balance;
    Workspace before = scene.system->make_workspace();
    scene.system->begin_step(state, before);
    const StageState resting{state.q, state.v, Vector::Zero(state.q.size())};
    evaluate_balance(*scene.system, before, state.internal_variables, resting, {state.time, 0}, nullptr, balance);
    Vector held = balance.residual;
    scene.system->reduce(held);
    if (free_norm(system, held) <= 1e-7 * balance.force_scale) held.setZero();
    const StaticReport found = solve_static(system, state, held, {});
    if (!found.converged)
      throw Error(Problem{scene.spec.document->file, "no equilibrium to start from: " + found.explanation,
                          "parameters with which the body stands", ""});
  }
  if (!make_consistent(system, state, workspace))
    throw Error(Problem{scene.spec.document->file, "no accelerations balance the forces at the start", "", ""});
  return state;
}

Comparison compare(const ObservedRun& run, const CompareOptions& options) {
  const CompiledScene& scene = *run.scene;
  Comparison result;
  Comparer comparer(run, options, result);
  const auto system = scene.system->with(options.values);
  State state;
  try {
    state = start_with(scene, *system);
  } catch (const Error& error) {
    result.end = Comparison::End::failed;
    result.explanation = error.what();
    return result;
  }
  std::unique_ptr<SensitivityStepper> followed;  // without parameters every stepper will do, explicit ones too
  std::unique_ptr<Stepper> plain;
  if (!options.parameters.empty()) {
    followed = std::make_unique<SensitivityStepper>(scene.spec.time.stepper, scene.spec.newton, scene.spec.linear,
                                                    options.parameters);
    followed->begin(*system, state, start_kind(scene));
  } else {
    plain = make_stepper(scene.spec);
  }
  Stepper& stepper = followed ? static_cast<Stepper&>(*followed) : *plain;
  const std::vector<StateDirection> none;
  const auto columns = [&]() -> const std::vector<StateDirection>& { return followed ? followed->columns() : none; };

  Workspace workspace = system->make_workspace();
  const double dt = scene.run.dt, end = std::min(run.last_instant(), options.until);
  const std::int64_t num_steps =
      std::max<std::int64_t>(0, static_cast<std::int64_t>(std::ceil((end - state.time) / dt - same_instant)));
  const double begin = state.time;
  PointsAt before, after;
  after.set(*system, state, columns());
  comparer.look(after, after);
  for (std::int64_t i = 0; i < num_steps; ++i) {
    if (options.should_stop && options.should_stop()) {
      result.end = Comparison::End::stopped;
      return result;
    }
    const StepReport report = advance(*system, state, workspace, stepper, dt, max_halvings);
    if (report.status == StepStatus::failed) {
      result.end = Comparison::End::failed;
      result.explanation = report.explanation;
      return result;
    }
    state.time = begin + static_cast<double>(i + 1) * dt;  // no drift of the clock
    std::swap(before, after);
    after.set(*system, state, columns());
    comparer.look(before, after);
    if (options.on_step) options.on_step(state.time);
    if (!(result.chi2 <= options.give_up_above)) {
      result.end = Comparison::End::worse;
      return result;
    }
  }
  if (followed) result.worst_residual = followed->worst_residual();
  return result;
}

}  // namespace dashpot::learn
