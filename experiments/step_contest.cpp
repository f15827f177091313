#include "step_contest.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/dissipation/edge_graph.hpp"
#include "dashpot/integrate/explicit_limit.hpp"
#include "dashpot/mesh/topology.hpp"
#include "interrupt.hpp"
#include "measures.hpp"

namespace dashpot::cli {
namespace {

std::string relative(double gamma, const char* clusters, const char* torque, int iterations = 1) {
  return fmt::format(
      R"({{"model": "relative", "gamma_per_step": {:.6g}, "clusters": "{}", "torque": "{}", "iterations": {}}})", gamma,
      clusters, torque, iterations);
}

StepMethod relative_method(const std::string& id, const std::string& name, const std::vector<double>& grid,
                           const std::function<std::string(double)>& text) {
  return {id, name, grid, false, [text](const DampedBody&, double gamma, double) { return text(gamma); }};
}

/// The border for small motions about the start; 0: filters that are not linear or not self-adjoint.
double theoretical_step(const CompiledScene& scene) {
  const ExplicitLimit limit = explicit_limit(*scene.system, scene.start, "symplectic_euler");
  return limit.filters == FilteredLimit::Kind::not_linear ? 0 : limit.dt;
}

}  // namespace

DampingOf damping_of(const StepMethod& method, const std::vector<DampedBody>& bodies, double gamma, double dt) {
  return [method, bodies, gamma, dt](const std::string& name) {
    for (const DampedBody& body : bodies)
      if (body.name == name) return method.text(body, gamma, dt);
    return std::string();
  };
}

std::vector<StepMethod> paper_c_methods(const std::vector<double>& grid) {
  const double least = grid.front(), most = grid.back();
  const auto global = [](double gamma) { return relative(gamma, "parts", "rigid"); };
  const auto local = [](double gamma) { return relative(gamma, "elements", "rigid"); };
  const auto spring = [](const char* more) {
    return [more](const DampedBody& body, double gamma, double dt) {
      return fmt::format(R"({{"model": "spring", "coefficient": {:.9g}{}}})", gamma / (body.lambda * dt), more);
    };
  };
  std::vector<StepMethod> methods;
  methods.push_back({"none", "none", {0}, false, [](const DampedBody&, double, double) { return std::string(); }});
  methods.push_back({"point", "point", {least, most}, true, [](const DampedBody& body, double gamma, double dt) {
                       return fmt::format(R"({{"model": "point", "coefficient": {:.9g}}})", gamma * body.lightest / dt);
                     }});
  // More than 1: the bound is that of dashpots in all directions; along the edges they do not overshoot yet.
  methods.push_back({"spring", "spring", {least, 1, 1.4}, true, spring("")});
  methods.push_back({"spring_10", "spring, 10 times a step", {1, 1.4}, true, spring(", \"iterations\": 10")});
  methods.push_back(relative_method("global", "global", grid, global));
  methods.push_back(relative_method("local", "local", {least, 1}, local));
  methods.push_back(relative_method("ours", "global, then local", grid,
                                    [=](double gamma) { return global(gamma) + ", " + local(gamma); }));
  methods.push_back(relative_method("ours_printed", "the same, to edges and centers", {least, most}, [](double gamma) {
    return relative(gamma, "parts", "edges") + ", " + relative(gamma, "elements", "center");
  }));
  methods.push_back(relative_method("local_printed", "local, to centers", {1},
                                    [](double gamma) { return relative(gamma, "elements", "center"); }));
  methods.push_back(relative_method("local_free", "local, no projection", {least, 1},
                                    [](double gamma) { return relative(gamma, "elements", "none"); }));
  methods.push_back(relative_method("local_8", "local, 8 times a step", {least, 0.7, 0.9, 1},
                                    [](double gamma) { return relative(gamma, "elements", "rigid", 8); }));
  return methods;
}

std::vector<StepMethod> only(const std::vector<StepMethod>& methods, const std::vector<std::string>& ids) {
  std::vector<StepMethod> chosen;
  for (const StepMethod& method : methods)
    if (std::find(ids.begin(), ids.end(), method.id) != ids.end()) chosen.push_back(method);
  return chosen;
}

std::vector<DampedBody> damped_bodies(const CompiledScene& scene) {
  const System& system = *scene.system;
  const Vector zero = Vector::Zero(system.num_dofs());
  Vector masses = zero;
  system.inertia().add_force(scene.start.q, zero, Vector::Ones(zero.size()), masses);
  std::vector<DampedBody> bodies;
  for (const CompiledBody& body : scene.bodies) {
    std::vector<double> mass;
    for (int i = 0; i < body.mesh.num_nodes(); ++i) mass.push_back(masses[3 * (body.first_block + i)]);
    bodies.push_back({body.name, *std::min_element(mass.begin(), mass.end()),
                      EdgeGraph(unique_edges(body.mesh), mass).lambda_max()});
  }
  return bodies;
}

const StepEntry* StepContest::best(const std::string& id, double least_motion) const {
  const StepEntry* found = nullptr;
  for (const StepEntry& entry : entries)
    if (methods[entry.method].id == id && entry.dt() > 0 && entry.motion_left >= least_motion &&
        (found == nullptr || entry.dt() > found->dt()))
      found = &entry;
  return found;
}

const StepEntry* StepContest::best_relative(double least_motion) const {
  const StepEntry* found = nullptr;
  for (const char* id : {"global", "local", "ours", "ours_printed", "local_printed", "local_free", "local_8"})
    if (const StepEntry* entry = best(id, least_motion); entry != nullptr)
      if (found == nullptr || entry->dt() > found->dt()) found = entry;
  return found;
}

double step_ratio(const StepEntry* a, const StepEntry* b) {
  return a == nullptr || b == nullptr ? not_measured : a->dt() / b->dt();
}

namespace {

/// One damping at one amount: its largest step, and the comparison there.
class StepSearch {
 public:
  StepSearch(const ReproductionRequest& request, const StepContestSetup& setup, const StepMethod& method,
             const std::vector<DampedBody>& bodies, double gamma)
      : request_(request), setup_(setup), method_(method), bodies_(bodies), gamma_(gamma) {}

  StepEntry find(double start) {
    scene_ = compiled(start);
    analysis::LargestStepOptions search = setup_.search;
    search.start = start;
    const double theory = method_.depends_on_dt ? 0 : theoretical_step(scene_);
    if (theory > 0 && theory < search.longest) search.start = 0.97 * theory, search.ladder = 1.08;
    search.start = std::clamp(search.start, search.shortest, search.longest);
    TrialOptions trial = setup_.trial;
    StepEntry entry;
    entry.gamma = gamma_;
    entry.found = analysis::largest_stable_step(
        [&](double dt) {
          if (method_.depends_on_dt) scene_ = compiled(dt);
          ++trial.seed;  // every trial is another start
          const TrialResult result = try_step(scene_, dt, trial, interrupted);
          request_.console.detail(fmt::format("{}, γ = {:g}, {} us: {}", method_.name, gamma_, microseconds(dt),
                                              result.is_stable ? "stable" : result.reason));
          return result.is_stable;
        },
        search, interrupted);
    // The comparison is a trial, too, and a longer one: what fails there is not stable.
    while (entry.dt() > 0 && !interrupted() && !compare(entry)) {
      entry.is_shortened = true;
      entry.found.unstable_dt = entry.found.dt;
      entry.found.dt = entry.found.dt * 0.94 > search.shortest ? entry.found.dt * 0.94 : 0;
    }
    return entry;
  }

 private:
  CompiledScene compiled(double dt) const {
    return compile(
        parse_scene(setup_.scene(damping_of(method_, bodies_, gamma_, dt), dt), method_.id, request_.folder));
  }

  /// False: the comparison fails at the step found.
  bool compare(StepEntry& entry) {
    if (method_.depends_on_dt) scene_ = compiled(entry.dt());
    entry.theory = theoretical_step(scene_);
    entry.motion = run_scene(request_, fmt::format("{}, step {} us", method_.name, step_text(entry)),
                             setup_.comparison(damping_of(method_, bodies_, gamma_, entry.dt()), entry.dt()));
    entry.motion_left = setup_.motion_left(entry.motion);
    entry.energy_lost = setup_.energy_lost(entry.motion);
    return !entry.motion.diverged &&
           largest(entry.motion.energy) <= entry.motion.energy.front() + setup_.trial.allowed_gain;
  }

  const ReproductionRequest& request_;
  const StepContestSetup& setup_;
  const StepMethod& method_;
  const std::vector<DampedBody>& bodies_;
  double gamma_;
  CompiledScene scene_;
};

}  // namespace

StepContest run_step_contest(const ReproductionRequest& request, const StepContestSetup& setup,
                             const std::vector<StepMethod>& methods) {
  StepContest contest{methods, {}};
  const auto none = [](const std::string&) { return std::string(); };
  const std::vector<DampedBody> bodies =
      damped_bodies(compile(parse_scene(setup.scene(none, setup.search.start), "undamped", request.folder)));
  double total = 0, undamped = setup.search.start;
  for (const StepMethod& method : methods) total += static_cast<double>(method.grid.size());
  for (std::size_t m = 0; m < methods.size(); ++m) {
    double start = undamped;
    for (const double gamma : methods[m].grid) {
      if (interrupted()) return contest;
      Progress progress(request.console, "searching largest steps", total, "searches");
      progress.update(static_cast<double>(contest.entries.size()));
      StepEntry entry = StepSearch(request, setup, methods[m], bodies, gamma).find(start);
      if (interrupted()) return contest;
      entry.method = m;
      if (entry.dt() > 0) start = entry.dt();  // more damping rarely allows less
      if (methods[m].id == "none") undamped = start;
      contest.entries.push_back(std::move(entry));
      const StepEntry& done = contest.entries.back();
      request.console.detail(fmt::format("{}, γ = {:g}: {} us, theory {} us, motion left {:.3f}, energy lost {:.3f}",
                                         methods[m].name, gamma, step_text(done), microseconds(done.theory),
                                         done.motion_left, done.energy_lost));
    }
  }
  return contest;
}

}  // namespace dashpot::cli
