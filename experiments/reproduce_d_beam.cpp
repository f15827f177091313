// D-beam: a real beam. Paper D learns materials from motion capture; here the captures are those of a silicone beam,
// released under its own weight and under two loads, and the few numbers that make it move are identified: the modulus
// from one run predicts the frequencies of the others, and damping from the first half of a ring-down its second half.
//
// Each run's modulus is its own where damping is judged, so that no error of phase passes for damping.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/learn/identify_report.hpp"
#include "experiment.hpp"
#include "interrupt.hpp"
#include "measures.hpp"
#include "silicone_beam.hpp"

namespace dashpot::cli::d_beam {
namespace {

using learn::DampingLaw;
using learn::Identification;
using learn::IdentifiedLaw;
using learn::LawUnknown;
using learn::RingFit;

constexpr double smallest = 1e-3;  // peaks that are judged [m]
// Where the search for the friction of the hook begins. The first number is near what the whole runs tell, so the
// second is tried too: a prediction that rests on the beginning of its search is none.
constexpr double first_friction = 0.01, other_first_friction = 0.003;
const std::string other_start = "hook_friction_other_start";

/// The law with a modulus of its own for every run.
DampingLaw with_own_modulus(DampingLaw law, double young) {
  const std::size_t count = law.unknowns.size();
  law.unknowns.push_back({"young", Quantity::pressure, young, true});
  law.json = [json = law.json, count](const std::vector<double>& v) {
    return json({v.begin(), v.begin() + static_cast<std::ptrdiff_t>(count)});
  };
  law.more = [more = law.more, count](const std::vector<double>& v) {
    auto list = more ? more({v.begin(), v.begin() + static_cast<std::ptrdiff_t>(count)})
                     : std::vector<std::pair<std::string, std::string>>();
    list.emplace_back("/bodies/0/material/young", fmt::format("{:.17g}", v[count]));
    return list;
  };
  return law;
}

DampingLaw owned(DampingLaw law, const std::string& id, const std::string& name) {
  for (LawUnknown& unknown : law.unknowns) unknown.is_own = true;
  law.id = id;
  law.name = name;
  return law;
}

/// Beside a damping that each run has for itself: dry friction where the load hangs, in proportion to it.
DampingLaw hook_friction(const DampingLaw& alpha) {
  DampingLaw law = owned(alpha, "hook_friction", "α of each run, friction of the hook");
  law.is_rayleigh = false;
  law.unknowns.push_back({"friction_over_load", Quantity::ratio, first_friction});
  law.json = [json = alpha.json](const std::vector<double>& v) { return json({v[0]}); };
  law.more = [](const std::vector<double>& v) {
    return std::vector<std::pair<std::string, std::string>>{
        {"/bodies/1/damping", fmt::format(R"([{{"model": "bouc_wen", "share": {:.17g}, "strain": {:.17g}}}])",
                                          hook_share(v[1]), hook_yield_strain())}};
  };
  return law;
}

/// What all runs' rings have in common.
learn::RingBand band_of(const std::vector<learn::RingRun>& runs, const learn::IdentifyOptions& options) {
  learn::RingBand band{1e300, 0, 0};
  for (const learn::RingRun& run : runs) {
    const learn::MeasuredRing ring = learn::measure_ring(run, options);
    band.lowest = std::min(band.lowest, ring.ring.natural_frequency);
    band.highest = std::max(band.highest, ring.ring.natural_frequency);
    band.zeta += ring.ring.zeta / static_cast<double>(runs.size());
    band.size = std::max(band.size, 0.4 * ring.ring.initial_amplitude);
    band.strain = std::max(band.strain, 3 * ring.ring.initial_amplitude);  // a tenth of a meter long
  }
  return band;
}

const DampingLaw& law_called(const std::vector<DampingLaw>& laws, const std::string& id) {
  return *std::ranges::find(laws, id, &DampingLaw::id);
}

/// The laws that are compared. `quick`: those that each run has for itself.
std::vector<DampingLaw> laws_of(const learn::RingBand& band, double young, bool quick) {
  const std::vector<DampingLaw> known = learn::default_laws(band);
  const DampingLaw alpha = law_called(known, "alpha");
  std::vector<DampingLaw> laws = {owned(alpha, "alpha_own", "Rayleigh, α of each run"), hook_friction(alpha),
                                  hook_friction(alpha)};
  laws.back().id = other_start;
  laws.back().name += ", searched from elsewhere";
  laws.back().unknowns.back().start = other_first_friction;
  if (!quick)
    for (const char* id : {"rayleigh", "structural", "curve"}) laws.push_back(law_called(known, id));
  for (DampingLaw& law : laws) law = with_own_modulus(law, young);
  return laws;
}

learn::IdentifyOptions options_for(const ReproductionRequest& request, const std::string& title, Progress& progress) {
  learn::IdentifyOptions options;
  options.smallest = smallest;
  options.should_stop = interrupted;
  options.refit = false;
  options.on_progress = [&request, &progress, title, last = std::string()](const std::string& what,
                                                                           double share) mutable {
    if (what != last) request.console.detail(title + ": " + what);
    last = what;
    progress.update(share);
  };
  return options;
}

Identification identified(const ReproductionRequest& request, const std::string& title,
                          const std::vector<learn::RingRun>& runs,
                          const std::function<void(learn::IdentifyOptions&)>& change) {
  Progress progress(request.console, title, 1, "of it");
  learn::IdentifyOptions options = options_for(request, title, progress);
  change(options);
  return learn::identify(runs, options);
}

/// Modulus of one run, all of its ring-down fitted.
double modulus_of(const ReproductionRequest& request, const learn::RingRun& run) {
  const Identification found = identified(request, "modulus of the free beam", {run}, [](auto& options) {
    options.ids = {"alpha"};
    options.fitted_share = 1;
  });
  return found.stopped ? not_measured : found.laws.front().common.at(0);
}

/// Frequencies with that modulus.
Identification frequencies(const ReproductionRequest& request, const std::vector<learn::RingRun>& loaded) {
  return identified(request, "frequencies of the loaded beam", loaded, [](auto& options) {
    options.ids = {"alpha"};
    options.fitted_share = 1;
    options.keeps_young = true;
  });
}

/// How far single markers are from their mean: envelopes over the second half, each scaled to the mean in the first.
double envelope_scatter(const learn::RingRun& run, const learn::MeasuredRing& measured,
                        const learn::IdentifyOptions& options) {
  double worst = not_measured;
  for (std::size_t k = 0; k < run.points.size(); ++k) {
    learn::RingRun one = run;
    one.points = {run.points[k]};
    for (auto& x : one.tracks.positions) x = {x[k]};
    one.tracks.names = {run.tracks.names[k]};
    analysis::RingDown own = learn::measure_ring(one, options).ring;
    std::vector<double> ratios;
    for (const analysis::RingCycle& a : own.cycles)
      for (const analysis::RingCycle& b : measured.ring.cycles)
        if (std::abs(a.time - b.time) < 0.1 / b.frequency && b.time <= measured.middle)
          ratios.push_back(a.amplitude / b.amplitude);
    if (ratios.empty()) continue;
    std::ranges::nth_element(ratios, ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2));
    for (analysis::RingCycle& cycle : own.cycles) cycle.amplitude /= ratios[ratios.size() / 2];
    const double error = learn::envelope_error(measured.ring, own, measured.middle, measured.to, smallest);
    worst = std::isnan(worst) ? error : larger(worst, error);
  }
  return worst;
}

/// Worst error of prediction over runs [%].
double predicted(const IdentifiedLaw& law, std::size_t first = 0) {
  std::vector<double> errors;
  for (std::size_t r = first; r < law.runs.size(); ++r) errors.push_back(100 * law.runs[r].held_error);
  return largest(errors);
}

/// The same; of friction the worse of the two searches.
double predicted_for_sure(const Identification& found, const IdentifiedLaw& law, std::size_t first = 0) {
  double worst = predicted(law, first);
  if (law.law.id != "hook_friction" && law.law.id != other_start) return worst;
  for (const IdentifiedLaw& other : found.laws)
    if (other.law.id == "hook_friction" || other.law.id == other_start)
      worst = other.usable() ? larger(worst, predicted(other, first)) : not_measured;
  return worst;
}

const IdentifiedLaw* best_of(const Identification& found, bool rayleigh, std::size_t first) {
  const IdentifiedLaw* best = nullptr;
  for (const IdentifiedLaw& law : found.laws)
    if (law.usable() && law.law.is_rayleigh == rayleigh && std::isfinite(predicted(law, first)) &&
        (best == nullptr || predicted(law, first) < predicted(*best, first)))
      best = &law;
  return best;
}

/// What one load's numbers predict of another: only the start and the modulus are the other run's own. Worst error of
/// its whole envelope [%].
double carried_over(const ReproductionRequest& request, const IdentifiedLaw& law, std::size_t from,
                    const learn::RingRun& to, double young) {
  DampingLaw fixed = law.law;
  fixed.id = "fixed";
  fixed.unknowns.clear();
  const std::vector<SceneOverride> settings = law.overrides[from];
  const auto value = [settings](const std::string& pointer) {
    std::string json;
    for (const SceneOverride& change : settings)
      if (change.pointer == pointer) json = change.json;
    return json;
  };
  fixed.json = [value](const std::vector<double>&) { return value("/bodies/0/damping"); };
  fixed.more = [value](const std::vector<double>&) {
    std::vector<std::pair<std::string, std::string>> list;
    if (const std::string hook = value("/bodies/1/damping"); !hook.empty())
      list.emplace_back("/bodies/1/damping", hook);
    return list;
  };
  const Identification found = identified(request, "carried over", {to}, [&](auto& options) {
    options.laws = {with_own_modulus(fixed, young)};
    options.objective = learn::RingObjective::envelope;
    options.keeps_young = true;
  });
  if (found.stopped) return not_measured;
  const RingFit& fit = found.laws.front().runs.front();
  return 100 * larger(fit.fitted_error, fit.held_error);
}

std::vector<Claim> without_recordings(const ReproductionRequest& request) {
  std::vector<Claim> claims;
  const auto add = [&](const char* id, const char* statement, const char* unit) {
    Claim claim{id, statement, {}, {}, unit, {}, Verdict::not_judged, "the recordings are not here"};
    claims.push_back(claim);
  };
  add("frequency_error", "elasticity of the gravity run predicts the frequencies of the loaded runs", "%");
  add("envelope_error", "damping of the first half of a run predicts the peaks of its second half", "%");
  add("best_law_over_rayleigh", "envelope error of the best law over the best Rayleigh damping, loaded runs", "1");
  render::Report report;
  report.title = "D-beam: a real beam";
  report.summary = "The recordings are not part of the project. Set DASHPOT_DATA to a folder that holds silicone_beam.";
  write_report(request, report, claims);
  return claims;
}

render::Table prediction_table(const Identification& found) {
  render::Table table{"Worst error of the predicted envelope [%]",
                      {"law"},
                      {},
                      "Peaks above 1 mm of the second half of each run; only the first halves were fitted."};
  for (const std::string& name : found.run_names) table.columns.push_back(name);
  for (const IdentifiedLaw& law : found.laws) {
    table.rows.push_back({law.law.name});
    for (std::size_t r = 0; r < found.run_names.size(); ++r)
      table.rows.back().push_back(law.usable() ? fmt::format("{:.1f}", 100 * law.runs[r].held_error) : "failed");
  }
  return table;
}

/// How much of the friction the first halves tell.
std::string friction_sentence(const IdentifiedLaw* law) {
  if (law != nullptr)
    for (const learn::IdentifiedValue& value : law->values)
      if (value.name == "friction_over_load")
        return fmt::format(
            "The first halves alone give that friction as {:.2g} ± {:.2g} of the load, from a search that begins at "
            "{:.2g}{}. The form of the law and where that search begins were chosen knowing the whole runs.",
            value.value, value.error, law->law.id == other_start ? other_first_friction : first_friction,
            value.error > 0.5 * value.value ? ": they hardly tell it, and the prediction rests on that beginning" : "");
  return "The form of the laws was chosen knowing the whole runs; their numbers were fitted to first halves alone.";
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const std::string folder = silicone_beam_folder();
  if (folder.empty()) return without_recordings(request);
  const bool quick = request.variant == ReproductionVariant::quick;
  BeamSize size;
  if (quick) size = {3, 0.01, size.young};
  const std::vector<BeamLoad>& loads = beam_loads();
  const double young = modulus_of(request, beam_run(loads[0], folder, size));
  if (interrupted()) return {};
  size.young = young;
  std::vector<learn::RingRun> runs;
  for (const BeamLoad& load : loads) runs.push_back(beam_run(load, folder, size));
  const Identification loaded = frequencies(request, {runs[1], runs[2]});
  if (interrupted()) return {};
  learn::IdentifyOptions reading;
  reading.smallest = smallest;
  const Identification found = identified(request, "damping", runs, [&](auto& options) {
    options.laws = laws_of(band_of(runs, reading), young, quick);
    options.keeps_young = true;
    options.objective = learn::RingObjective::envelope;
    if (quick) options.max_iterations = 1;
  });
  if (interrupted()) return {};

  std::vector<double> frequency_errors, scatter, deviations;
  for (const RingFit& fit : loaded.laws.front().runs) frequency_errors.push_back(100 * std::abs(fit.frequency_error));
  for (std::size_t r = 0; r < runs.size(); ++r) {
    scatter.push_back(100 * envelope_scatter(runs[r], found.measured[r], reading));
    deviations.push_back(100 * found.measured[r].ring.frequency_deviation / found.measured[r].ring.frequency);
  }
  const IdentifiedLaw *law = best_of(found, false, 0), *loaded_law = best_of(found, false, 1),
                      *rayleigh = best_of(found, true, 1);
  const double envelope = law != nullptr ? predicted_for_sure(found, *law) : not_measured;
  const double ratio = loaded_law != nullptr && rayleigh != nullptr
                           ? predicted_for_sure(found, *loaded_law, 1) / predicted(*rayleigh, 1)
                           : not_measured;
  std::vector<Claim> claims = {
      claim_at_most("frequency_error", "elasticity of the gravity run predicts the frequencies of the loaded runs", {},
                    largest(frequency_errors), "%", 3),
      claim_at_most("envelope_error",
                    "damping of the first half of a run predicts every peak above 1 mm of its second half, worst of "
                    "the runs, by the best law, wherever its search begins",
                    {}, envelope, "%", 10),
      claim_at_most("best_law_over_rayleigh",
                    "envelope error of the best law over the best Rayleigh damping, loaded runs", {}, ratio, "1", 0.8),
      reported("envelope_error_best_start", "the same error, from where the search does best", {},
               law != nullptr ? predicted(*law) : not_measured, "%"),
      reported("rayleigh_envelope_error", "the error with the best Rayleigh damping, loaded runs", {},
               rayleigh != nullptr ? predicted(*rayleigh, 1) : not_measured, "%"),
      reported("scatter_of_envelope", "single markers against their mean, over the same peaks, worst", {},
               largest(scatter), "%"),
      reported("scatter_of_frequency", "standard deviation of the frequencies read off the ring-downs, worst", {},
               largest(deviations), "%")};
  double carried = not_measured, carried_rayleigh = not_measured;
  if (!quick && law != nullptr && rayleigh != nullptr) {
    carried = carried_over(request, *law, 1, runs[2], young);
    carried_rayleigh = carried_over(request, *rayleigh, 1, runs[2], young);
    claims.push_back(
        reported("carried_over_best", "the best law's numbers of 52 g on the whole run of 101 g", {}, carried, "%"));
    claims.push_back(
        reported("carried_over_rayleigh", "those of the best Rayleigh damping", {}, carried_rayleigh, "%"));
  }
  if (interrupted()) return {};
  if (quick)
    for (Claim& claim : claims)
      if (claim.is_missed()) claim = not_judged(claim, "the quick variant's beam has three cells and large steps");
  render::Report report = learn::identify_report(found, reading);
  report.title = "D-beam: a real beam";
  report.subtitle = "motion capture of a silicone beam under three loads";
  report.summary = fmt::format(
      "The modulus found from the free beam, {}, predicts the frequencies of the loaded ones within {:.2g} %. Damping "
      "from the first half of each ring-down predicts the peaks of the second half within {:.2g} % by the best law, or "
      "within {:.2g} % where its search begins worst: "
      "{}; the best Rayleigh damping misses peaks of the loaded runs by {:.2g} %. Dry "
      "friction where a load hangs would make the damping ratio rise as the motion dies away, as one over the "
      "amplitude: "
      "see the ratios of the loaded runs below. {}",
      describe_quantity(young, Quantity::pressure, 4), largest(frequency_errors),
      law != nullptr ? predicted(*law) : not_measured, envelope, law != nullptr ? law->law.name : "none",
      rayleigh != nullptr ? predicted(*rayleigh, 1) : not_measured, friction_sentence(law));
  if (std::isfinite(carried) && std::isfinite(carried_rayleigh))
    report.summary += fmt::format(
        " From one load to another: the best law's numbers of 52 g miss peaks of the whole "
        "run of 101 g by {:.2g} %, those of the best Rayleigh damping by {:.2g} %.",
        carried, carried_rayleigh);
  report.sections.insert(report.sections.begin(), {"Prediction", {prediction_table(found)}});
  report.sections.push_back({"Frequencies", {learn::runs_table(loaded)}});
  write_figure(request, "motion", learn::motion_figure(found));
  write_figure(request, "envelope", learn::envelope_figure(found));
  write_figure(request, "damping", learn::zeta_figure(found));
  write_report(request, std::move(report), claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"D-beam", "Wang et al. 2020, on a real beam", "modulus and damping of a silicone beam from motion capture",
          reproduce};
}

}  // namespace dashpot::cli::d_beam
