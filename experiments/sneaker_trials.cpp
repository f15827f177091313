#include "sneaker_trials.hpp"

#include <fmt/format.h>

#include "interrupt.hpp"
#include "rest_distance.hpp"

namespace dashpot::cli::sneaker {
namespace {

std::vector<DampingFamily> families(const PulledSneaker& setup, bool quick) {
  std::vector<DampingFamily> list{
      {"point damping", " g/s", 1000, 0.5 * setup.lightest / setup.dt, R"({"model": "point", "coefficient": {}})"},
      {"spring damping", " %", 100 * setup.dt * setup.lambda, setup.spring_share / (setup.dt * setup.lambda),
       R"({"model": "spring", "coefficient": {}})"},
      {"ours, global", " % a step", 100, 0.64, R"({"model": "relative", "gamma_per_step": {}})"}};
  if (quick) return list;
  list.push_back({"ether drag", " % a step", 100, 0.64, R"({"model": "ether_drag", "gamma_per_step": {}})"});
  list.push_back({"ours, local", " % a step", 100, 0.96,
                  R"({"model": "relative", "gamma_per_step": {}, "clusters": "elements"})"});
  return list;
}

/// Strong dampings at longer and longer steps.
std::vector<LongerSteps> climb(const ReproductionRequest& request, const PulledSneaker& setup) {
  const std::vector<double> ladder{1.02, 1.05, 1.1, 1.25, 1.5, 2, 3};
  const auto relative = [](double gamma, const char* more) {
    return fmt::format(R"({{"model": "relative", "gamma_per_step": {}{}}})", gamma, more);
  };
  const std::string elements = R"(, "clusters": "elements")";
  const std::vector<std::pair<std::string, std::string>> list{
      {"spring damping 100 %", R"({"model": "spring", "gamma_per_step": 1})"},
      {"spring damping 100 %, 10 times a step", R"({"model": "spring", "gamma_per_step": 1, "iterations": 10})"},
      {"ours, global 50 % a step", relative(0.5, "")},
      {"ours, global 90 % a step", relative(0.9, "")},
      {"ours, local 100 % a step", relative(1, elements.c_str())},
      {"ours, global 50 %, local 100 % a step", relative(0.5, "") + ", " + relative(1, elements.c_str())}};
  Progress progress(request.console, "longer steps", static_cast<double>(list.size()), "dampings");
  std::vector<LongerSteps> found;
  for (const auto& [name, entry] : list) {
    found.push_back({name, 0});
    for (const double times : ladder) {
      PulledSneaker longer = setup;
      longer.dt = times * setup.undamped_limit;
      if (interrupted() || !try_sneaker(longer, entry).is_stable) break;
      found.back().times = times;
    }
    progress.update(static_cast<double>(found.size()));
  }
  return found;
}

}  // namespace

double Experiment::shape(std::size_t i) const {
  if (!is_stable(i)) return not_measured;
  const render::Series d = rest_distance_series("", found[i].motion.recording, 0);
  double pulled = 0;
  for (std::size_t f = 0; f < d.x.size(); ++f)
    if (d.x[f] < setup.release) pulled = d.y[f];
  return 100 * d.y.back() / pulled;
}
Experiment run_all(const ReproductionRequest& request, const PulledSneaker& setup, bool quick) {
  Experiment all;
  all.setup = setup;
  all.undamped_outcome = try_sneaker(all.setup, "");
  // Every step is kept, up to the failure: what comes after cannot be drawn.
  all.undamped = run_scene(request, "no damping", sneaker_scene(all.setup, "", all.setup.dt), "scene_undamped.json", 0);
  const char* files[] = {"scene_point.json", "scene_spring.json", "scene_ours.json", "scene_ether.json",
                         "scene_local.json"};
  const std::vector<DampingFamily> list = families(all.setup, quick);
  Progress progress(request.console, "least dampings", static_cast<double>(list.size()), "dampings");
  for (std::size_t i = 0; i < list.size() && !interrupted(); ++i) {
    const auto attempt = [&](const std::string&, const std::string& entry) { return try_sneaker(all.setup, entry); };
    all.found.push_back(find_least(list[i], quick ? 0 : 3, attempt));
    progress.update(static_cast<double>(i + 1));
  }
  for (std::size_t i = 0; i < all.found.size() && !interrupted(); ++i) {
    LeastDamping& least = all.found[i];
    const double amount = least.amount > 0 ? least.amount : least.family.much;
    least.motion = run_scene(request, least.text(), sneaker_scene(all.setup, least.family.entry(amount)), files[i], 0);
  }
  if (!quick) all.longer = climb(request, all.setup);
  return all;
}

}  // namespace dashpot::cli::sneaker
