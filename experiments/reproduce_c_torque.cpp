// C-torque: section 4 of Schmedding, Gissler & Teschner 2009, which compares ways to take the torque out of damping
// forces by how the pictures look. Here by numbers: momenta and energy over random states, how far impulses are felt,
// and a body that spins freely.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "experiment.hpp"
#include "interrupt.hpp"
#include "measures.hpp"
#include "scene_file.hpp"
#include "torque_trials.hpp"

namespace dashpot::cli::c_torque {
namespace {

constexpr double gamma_per_step = 0.2;

std::string scene_text(const TorqueForm& form, int tets, double end) {
  return scene_file(
      "spinning_sneaker",
      {{"/time/end", end},
       {"/bodies/0/mesh/tets", tets},
       {"/bodies/0/damping/0/gamma_per_step", gamma_per_step},
       {"/bodies/0/damping/0/clusters", form.scope == TorqueForm::Scope::body ? R"("body")" : R"("elements")"},
       {"/bodies/0/damping/0/torque", fmt::format("\"{}\"", to_string(form.elimination))}});
}

/// Largest of a positive quantity, or of its relative change from the start.
double largest_energy(const RecordedRun& motion) {
  return *std::max_element(motion.energy.begin(), motion.energy.end()) / motion.energy.front();
}
double largest_spin_change(const RecordedRun& motion) {
  double change = 0;
  for (const Vec3& L : motion.spin) change = larger(change, (L - motion.spin[0]).norm());
  return change / motion.spin[0].norm();
}

std::string as_power(double value) { return value == 0 ? "0" : fmt::format("{:.1e}", value); }

render::Table trial_table(const std::vector<TorqueTrial>& trials) {
  render::Table table{
      "Random states of a cube of six tets",
      {"form", "grew", "worst", "equal m", "|dP|", "|dL|", "taken %", "far %"},
      {},
      fmt::format(
          "Grew: in how many of {} states the kinetic energy grew; worst: by how much, relative to it, and the same "
          "among bodies of equal masses. |dP| and |dL|: largest changes, relative to sum m|v| and sum m|x||v|. Taken: "
          "mean loss over the energy of what is not rigid motion, gamma 0.1, 0.5 and 1 alike. Far: share of the "
          "impulses in the half of a bar where nothing moves; idle: the factor c is zero there, because |f| is zero "
          "at some point, and nothing is damped at all.",
          trials.front().states)};
  const auto growth = [](double value) { return value > 1e-12 ? fmt::format("+{:.2g}", value) : "none"; };
  for (const TorqueTrial& trial : trials)
    table.rows.push_back({trial.form.name(), fmt::format("{}", trial.grew), growth(trial.worst_growth),
                          growth(trial.worst_growth_equal), as_power(trial.momentum_change),
                          as_power(trial.angular_change),
                          trial.form.is_safe() && trial.form.elimination != TorqueElimination::none
                              ? fmt::format("{:.0f}", 100 * trial.energy_taken)
                              : "-",
                          trial.far_share >= 0 ? fmt::format("{:.1f}", 100 * trial.far_share) : "idle"});
  return table;
}

render::Table spin_table(const std::vector<RecordedRun>& motions) {
  render::Table table{"A sneaker that spins freely",
                      {"form", "largest energy", "energy at the end", "largest change of L", "came to the end"},
                      {},
                      "Relative to the start. The body is at rest in itself when it begins to spin; what is lost by a "
                      "form that keeps L is the vibration this starts."};
  for (const RecordedRun& motion : motions)
    table.rows.push_back({motion.name, fmt::format("{:.5g}", largest_energy(motion)),
                          fmt::format("{:.5g}", motion.energy.back() / motion.energy.front()),
                          as_power(largest_spin_change(motion)),
                          motion.diverged ? fmt::format("no, {:.3f} s", motion.time.back()) : "yes"});
  return table;
}

render::Figure spin_figure(const std::vector<RecordedRun>& motions) {
  render::Figure figure;
  figure.title = "Energy and angular momentum of a spinning sneaker";
  figure.description = "Above: kinetic and elastic energy over time. Below: angular momentum.";
  render::Panel energy, spin;
  energy.x = spin.x = {"time", "s"};
  energy.y = {"energy / energy at the start", ""};
  spin.y = {"|L| / |L at the start|", "", false, 0.0};
  for (const RecordedRun& motion : motions) {
    render::Series e{motion.name, {}, {}}, l{motion.name, {}, {}};
    for (std::size_t i = 0; i < motion.time.size(); ++i) {
      if (motion.energy[i] > 1.5 * motion.energy[0]) break;  // off the plot; the table tells how far
      e.x.push_back(motion.time[i]), e.y.push_back(motion.energy[i] / motion.energy[0]);
      l.x.push_back(motion.time[i]), l.y.push_back(motion.spin[i].norm() / motion.spin[0].norm());
    }
    energy.series.push_back(e);
    spin.series.push_back(l);
  }
  figure.panels = {energy, spin};
  return figure;
}

template <class Wanted>
double worst(const std::vector<TorqueTrial>& trials, double TorqueTrial::*quantity, Wanted wanted) {
  std::vector<double> of_those;
  for (const TorqueTrial& trial : trials)
    if (wanted(trial.form)) of_those.push_back(trial.*quantity);
  return largest(of_those);
}

const TorqueTrial& trial_of(const std::vector<TorqueTrial>& trials, TorqueForm::Scope scope,
                            TorqueElimination elimination) {
  return *std::find_if(trials.begin(), trials.end(), [&](const TorqueTrial& trial) {
    return trial.form.scope == scope && trial.form.elimination == elimination;
  });
}

/// The forms on random states, and some of them on a body that spins freely.
struct Tried {
  std::vector<TorqueTrial> trials;
  std::vector<TorqueForm> spun;
  std::vector<RecordedRun> motions;  ///< as spun
  double end = 1;                    ///< of the longest motion [s]

  const TorqueTrial& of(TorqueForm::Scope scope, TorqueElimination elimination) const {
    return trial_of(trials, scope, elimination);
  }
};

bool keeps_spin(const TorqueForm& form) { return form.elimination != TorqueElimination::none; }

/// Ends early when interrupted.
Tried try_all(const ReproductionRequest& request, bool quick) {
  using enum TorqueForm::Scope;
  Tried tried;
  tried.trials = try_torque_forms(all_torque_forms(), quick ? 1000 : 10000);
  tried.spun = {{body, TorqueElimination::none},
                {body, TorqueElimination::rigid},
                {body, TorqueElimination::edges},
                {body, TorqueElimination::unsafe_edges_printed},
                {body, TorqueElimination::unsafe_linear_program},
                {tets, TorqueElimination::none},
                {tets, TorqueElimination::rigid},
                {tets, TorqueElimination::center}};
  if (!quick) tried.spun.push_back({tets, TorqueElimination::unsafe_linear_program});
  const int tets_wanted = quick ? 300 : 2000;
  if (quick) tried.end = 0.05;
  for (const TorqueForm& form : tried.spun) {
    // A program for every tet and step: seconds for small bodies only.
    const bool is_slow = form.elimination == TorqueElimination::unsafe_linear_program;
    tried.motions.push_back(run_scene(
        request, form.name(), scene_text(form, is_slow ? 300 : tets_wanted, is_slow ? tried.end / 4 : tried.end),
        form.elimination == TorqueElimination::rigid && form.scope == body ? "scene.json" : ""));
    if (interrupted()) break;
  }
  return tried;
}

std::vector<Claim> make_claims(const Tried& tried) {
  using enum TorqueForm::Scope;
  const auto is_safe_form = [](const TorqueForm& form) { return form.is_safe(); };
  double safe_spin = 0;
  for (std::size_t k = 0; k < tried.motions.size(); ++k)
    if (tried.spun[k].is_safe() && keeps_spin(tried.spun[k]))
      safe_spin = larger(safe_spin, tried.motions[k].diverged ? not_measured : largest_spin_change(tried.motions[k]));
  std::vector<Claim> claims;
  claims.push_back(claim_at_most(
      "safe_energy_growth", "worst relative growth of kinetic energy of the safe forms", "the forces do not overshoot",
      larger(0.0, worst(tried.trials, &TorqueTrial::worst_growth, is_safe_form)), "1", 1e-12));
  double least_taken = HUGE_VAL;  // a form that does nothing makes no energy, either
  for (const TorqueTrial& trial : tried.trials)
    if (trial.form.is_safe()) least_taken = -larger(-least_taken, -trial.energy_taken);
  claims.push_back(claim_at_least("safe_forms_damp",
                                  "least share of the energy of deformation that a safe form takes, on average", {},
                                  least_taken, "1", 0.1));
  const double printed = tried.of(body, TorqueElimination::unsafe_edges_printed).worst_growth;
  claims.push_back(claim_at_least("printed_energy_growth", "worst growth of the printed edge form, eq. (10)", {},
                                  printed, "1", 0.01));
  claims.push_back(
      refuted(claim_at_most("printed_never_overshoots", "the paper: its forces do not overshoot", "guaranteed", printed,
                            "1", 1e-12),
              "A state in which the printed form makes energy is a proof against a guarantee (reference ABCE, 3.1)"));
  claims.push_back(
      refuted(claim_at_most("program_never_overshoots", "the same for the linear program (14)", "guaranteed",
                            tried.of(body, TorqueElimination::unsafe_linear_program).worst_growth, "1", 1e-12),
              "A state in which the program makes energy is a proof against a guarantee (reference ABCE, 3.1)"));
  claims.push_back(claim_at_most(
      "momentum_change", "largest change of linear momentum, all forms", {},
      worst(tried.trials, &TorqueTrial::momentum_change, [](const TorqueForm&) { return true; }), "1", 1e-10));
  claims.push_back(claim_at_most("angular_change", "largest change of angular momentum, all forms but \"none\"", {},
                                 worst(tried.trials, &TorqueTrial::angular_change, keeps_spin), "1", 1e-10));
  claims.push_back(
      claim_at_most("spin_kept", "change of L of the spinning sneaker, safe forms", {}, safe_spin, "1", 1e-10));
  claims.push_back(claim_at_most("edges_stay_local", "impulses of edge forms felt in the part that does not move",
                                 "local conservation", tried.of(body, TorqueElimination::edges).far_share, "1", 1e-12));
  claims.push_back(claim_at_least("rigid_is_felt_everywhere", "the same for the global rigid form", "artifacts",
                                  tried.of(body, TorqueElimination::rigid).far_share, "1", 0.05));
  claims.push_back(claim_near("point_forces_work", "energy taken by torque-free point forces over global damping's", 1,
                              tried.of(point_forces, TorqueElimination::rigid).energy_taken /
                                  tried.of(body, TorqueElimination::rigid).energy_taken,
                              "1", 1e-9));
  return claims;
}

render::Report make_report(const ReproductionRequest& request, const Tried& tried) {
  using enum TorqueForm::Scope;
  const TorqueTrial& printed = tried.of(body, TorqueElimination::unsafe_edges_printed);
  render::Report report;
  report.title = "C-torque: damping without torque, by numbers";
  report.subtitle = "Schmedding, Gissler & Teschner 2009, sections 3.3 and 4";
  report.summary = fmt::format(
      "Over {} random states the kinetic energy never grew with a safe form, and grew with the printed edge form in {} "
      "of them, at worst to {:.1f} times with equal masses and to {:.0f} times with masses over six powers of ten; "
      "with the linear program in {}. Safe forms keep both momenta to round-off. Forms on edges and local damping act "
      "only where something moves; global forms of the other kinds are felt at the far end at once ({:.0f} % of the "
      "impulses of \"rigid\").",
      tried.trials.front().states, printed.grew, 1 + printed.worst_growth_equal, 1 + printed.worst_growth,
      tried.of(body, TorqueElimination::unsafe_linear_program).grew,
      100 * tried.of(body, TorqueElimination::rigid).far_share);
  report.sections.push_back({"Random states", {trial_table(tried.trials)}});
  report.sections.push_back({"A spinning body",
                             {write_figure(request, "spin", spin_figure(tried.motions)), spin_table(tried.motions),
                              render::Paragraph{fmt::format(
                                  "Symplectic Euler, steps of 0.25 ms, gamma {} per step. The linear program runs on a "
                                  "body of 300 tets for a quarter of the time.",
                                  gamma_per_step)}}});
  std::vector<const RecordedRun*> shown;
  for (const char* name : {"global, none", "global, rigid", "local, rigid"})
    shown.push_back(&*std::find_if(tried.motions.begin(), tried.motions.end(),
                                   [&](const RecordedRun& m) { return m.name == name; }));
  report.sections.push_back(
      {"Pictures",
       {picture_side_by_side(request, shown, {0, tried.end / 4, tried.end / 2, tried.end}, "A sneaker spins freely",
                             look_of(tried.motions[0]), "sneakers.png")}});
  return report;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const Tried tried = try_all(request, request.variant == ReproductionVariant::quick);
  if (interrupted()) return {};
  const std::vector<Claim> claims = make_claims(tried);
  write_report(request, make_report(request, tried), claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"C-torque", "Schmedding, Gissler & Teschner 2009, section 4",
          "ways to damp without torque: momenta, energy, reach, and a body that spins", reproduce};
}

}  // namespace dashpot::cli::c_torque
