#include "dashpot/learn/identify.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"
#include "dashpot/core/json_document.hpp"
#include "dashpot/learn/identify_fit.hpp"
#include "dashpot/learn/identify_start.hpp"

namespace dashpot::learn {
namespace {

/// A number of the body's material, where the scene gives it.
double material_number(const CompiledScene& scene, int body, const char* key) {
  const JsonValue* value = at_pointer(scene.spec.document->value, fmt::format("/bodies/{}/material/{}", body, key));
  return value != nullptr && value->is(JsonValue::Kind::number) ? value->number : nan;
}

class Identifier {
 public:
  Identifier(const std::vector<RingRun>& runs, const IdentifyOptions& options) : runs_(runs), options_(options) {}

  Identification identify() {
    if (runs_.empty()) throw Error(Problem{"", "no capture", "at least one ring-down", ""});
    measure();
    const CompiledScene nominal = runs_[0].scene({});
    result_.body_index = identified_body(nominal, options_.body);
    result_.body = nominal.spec.bodies[at(result_.body_index)].name;
    young_ = material_number(nominal, result_.body_index, "young");
    density_ = material_number(nominal, result_.body_index, "density");
    StartingModulus start = starting_modulus(runs_, result_.measured, result_.body_index, young_, options_);
    first_young_ = start.young;
    runs_prepared_ = std::move(start.runs);
    result_.num_simulations += start.num_simulations;
    result_.warnings = std::move(start.warnings);
    if (stopped()) return std::move(result_);
    std::vector<DampingLaw> laws = options_.laws.empty() ? default_laws(band()) : options_.laws;
    if (!options_.ids.empty()) choose(laws);
    check_unknowns(laws);
    for (std::size_t i = 0; i < laws.size() && !stopped(); ++i) {
      const double first = 0.05 + 0.8 * static_cast<double>(i) / static_cast<double>(laws.size());
      result_.laws.push_back(fitted(laws[i], runs_prepared_, false, nullptr, [&](double share) {
        tell(laws[i].name, first + 0.8 * share / static_cast<double>(laws.size()));
      }));
    }
    if (stopped()) return std::move(result_);
    rank();
    refit();
    warn();
    tell("done", 1);
    return std::move(result_);
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  bool stopped() {
    if (options_.should_stop && options_.should_stop()) result_.stopped = true;
    return result_.stopped;
  }
  void tell(const std::string& what, double share) const {
    if (options_.on_progress) options_.on_progress(what, share);
  }

  void measure() {
    std::vector<Problem> problems;
    for (const RingRun& run : runs_) {
      result_.run_names.push_back(run.name);
      try {
        result_.measured.push_back(measure_ring(run, options_));
      } catch (const Error& error) {
        problems.insert(problems.end(), error.problems().begin(), error.problems().end());
      }
    }
    if (!problems.empty()) throw Error(std::move(problems));
  }

  RingBand band() const {
    RingBand band{1e300, 0, 0};
    for (const MeasuredRing& ring : result_.measured) {
      band.lowest = std::min(band.lowest, ring.ring.natural_frequency);
      band.highest = std::max(band.highest, ring.ring.natural_frequency);
      band.zeta += std::clamp(ring.ring.zeta, 1e-4, 0.4) / static_cast<double>(result_.measured.size());
      band.size = std::max(band.size, 0.4 * ring.ring.initial_amplitude);
    }
    double largest = 0, length = 0;
    for (const MeasuredRing& ring : result_.measured) largest = std::max(largest, ring.ring.initial_amplitude);
    const CompiledScene scene = runs_[0].scene({});
    for (const Vec3& x : scene.bodies[at(result_.body_index)].mesh.nodes)
      length = std::max(length, (x - scene.bodies[at(result_.body_index)].mesh.nodes[0]).norm());
    band.size = 0.4 * largest;
    band.strain = std::max(1e-4, 0.3 * largest / std::max(length, 1e-12));
    return band;
  }

  void choose(std::vector<DampingLaw>& laws) const {
    std::vector<Problem> problems;
    std::vector<std::string> known;
    for (const DampingLaw& law : laws) known.push_back(law.id);
    for (const std::string& id : options_.ids)
      if (std::ranges::find(known, id) == known.end())
        problems.push_back({"laws", fmt::format("'{}'", id), fmt::format("some of {}", fmt::join(known, ", ")), ""});
    if (!problems.empty()) throw Error(std::move(problems));
    std::erase_if(laws,
                  [&](const DampingLaw& law) { return std::ranges::find(options_.ids, law.id) == options_.ids.end(); });
  }

  /// Each turning point tells two numbers, when and how far; laws with more unknowns than that are left out.
  void check_unknowns(std::vector<DampingLaw>& laws) {
    double numbers = 0;
    for (const MeasuredRing& ring : result_.measured) numbers += 4 * (ring.middle - ring.from) * ring.ring.frequency;
    std::vector<std::string> too_many;
    std::erase_if(laws, [&](const DampingLaw& law) {
      const double unknowns = static_cast<double>(num_numbers(law) + num_material() + 2 * runs_.size());
      if (unknowns <= numbers) return false;
      too_many.push_back(law.name);
      return true;
    });
    if (laws.empty())
      throw Error(Problem{runs_[0].name,
                          fmt::format("about {:.0f} independent numbers in what is fitted, fewer than any law has "
                                      "unknowns",
                                      numbers),
                          "more cycles, or more runs",
                          "a longer capture, a smaller --smallest, or --fit-all where nothing is to be predicted"});
    if (!too_many.empty())
      result_.warnings.push_back(fmt::format("left out, more unknowns than the {:.0f} numbers that were measured: {}",
                                             numbers, fmt::join(too_many, ", ")));
  }

  std::size_t num_numbers(const DampingLaw& law) const {
    std::size_t count = 0;
    for (const LawUnknown& unknown : law.unknowns) count += unknown.is_own ? runs_.size() : 1;
    return count;
  }
  std::size_t num_material() const { return (options_.keeps_young ? 0 : 1) + (options_.density ? 1 : 0); }

  IdentifiedLaw fitted(const DampingLaw& law, std::vector<PreparedRun>& runs, bool whole, const IdentifiedLaw* from,
                       const std::function<void(double)>& on_progress) {
    IdentifiedLaw found =
        fit_law({result_.body_index, first_young_, density_}, law, runs, whole, from, options_, on_progress);
    result_.num_simulations += found.num_simulations;
    return found;
  }

  void rank() {
    const bool by_prediction = options_.fitted_share < 1;
    std::ranges::stable_sort(result_.laws, [&](const IdentifiedLaw& a, const IdentifiedLaw& b) {
      const double ea = by_prediction ? a.held_error : a.bic, eb = by_prediction ? b.held_error : b.bic;
      const bool good_a = a.usable() && std::isfinite(ea), good_b = b.usable() && std::isfinite(eb);
      return good_a != good_b ? good_a : good_a && ea < eb;
    });
    if (result_.laws.empty() || !result_.laws.front().usable())
      throw Error(Problem{
          runs_[0].name,
          fmt::format("no law could be fitted; {}: {}", result_.laws.empty() ? "" : result_.laws.front().law.name,
                      result_.laws.empty() ? "" : result_.laws.front().failure),
          "a scene that can be simulated", ""});
    for (std::size_t i = 0; i < result_.laws.size() && result_.rayleigh < 0; ++i)
      if (result_.laws[i].law.is_rayleigh && result_.laws[i].usable()) result_.rayleigh = static_cast<int>(i);
  }

  /// Values from all that was measured; the errors of prediction stay those of the first fit.
  void refit() {
    if (!options_.refit) return;
    std::vector<int> chosen{0};
    if (result_.rayleigh > 0) chosen.push_back(result_.rayleigh);
    for (const int i : chosen) {
      IdentifiedLaw& law = result_.laws[at(i)];
      const auto quiet = [&](double share) { tell("all of the capture: " + law.law.name, 0.86 + 0.05 * share); };
      if (stopped()) return;
      if (options_.fitted_share < 1) {
        IdentifiedLaw all = fitted(law.law, runs_prepared_, true, &law, quiet);
        if (!all.usable()) continue;
        all.held_error = law.held_error;
        for (std::size_t r = 0; r < all.runs.size(); ++r) {
          all.runs[r].held_error = law.runs[r].held_error;
          all.runs[r].fitted_error = law.runs[r].fitted_error;
        }
        all.chi2 = law.chi2, all.bic = law.bic, all.num_residuals = law.num_residuals;
        all.is_refitted = true;
        law = std::move(all);
      }
      if (runs_.size() > 1 && i == 0) scatter(law);
    }
  }

  /// Each run alone: how far apart runs are is an error that no covariance knows of.
  void scatter(IdentifiedLaw& law) {
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      if (stopped()) return;
      tell("each run alone", 0.92 + 0.08 * static_cast<double>(r) / static_cast<double>(runs_.size()));
      std::vector<PreparedRun> one{runs_prepared_[r]};
      IdentifiedLaw joint = law;
      joint.runs = {law.runs[r]};
      if (!joint.own.empty()) joint.own = {law.own[r]};
      const IdentifiedLaw alone = fitted(law.law, one, true, &joint, {});
      for (std::size_t k = 0; k < law.common.size(); ++k)
        law.values[k].alone.push_back(alone.usable() ? alone.values[k].value : nan);
    }
    for (IdentifiedValue& value : law.values) {
      double sum = 0, squares = 0, count = 0;
      for (const double v : value.alone)
        if (std::isfinite(v)) sum += v, squares += v * v, count += 1;
      if (count > 1) value.scatter = std::sqrt(std::max(0.0, (squares - sum * sum / count) / (count - 1)));
    }
  }

  void warn() {
    const IdentifiedLaw& best = result_.laws.front();
    for (const IdentifiedValue& value : best.values) {
      if (value.error > 0.5 * value.value)
        result_.warnings.push_back(fmt::format("{} is hardly determined by what was measured: {} ± {}", value.name,
                                               describe_quantity(value.value, value.quantity, 3),
                                               describe_quantity(value.error, value.quantity, 2)));
      if (value.scatter > 3 * value.error && value.scatter > 0.02 * value.value)
        result_.warnings.push_back(
            fmt::format("{} differs between the runs by {} (standard deviation), far more than the noise explains "
                        "({}): the law is not the whole truth",
                        value.name, describe_quantity(value.scatter, value.quantity, 2),
                        describe_quantity(value.error, value.quantity, 2)));
    }
    if (!options_.keeps_young && std::abs(std::log(best.common[0] / young_)) > std::log(4.0))
      result_.warnings.push_back(fmt::format("the modulus found, {}, is {:.3g} times that of the scene",
                                             describe_quantity(best.values[0].value, Quantity::pressure, 3),
                                             best.values[0].value / young_));
    for (const IdentifiedLaw& law : result_.laws)
      if (!law.usable()) result_.warnings.push_back(fmt::format("{}: {}", law.law.name, law.failure));
  }

  const std::vector<RingRun>& runs_;
  const IdentifyOptions& options_;
  Identification result_;
  std::vector<PreparedRun> runs_prepared_;
  double young_ = nan, density_ = nan, first_young_ = nan;
};

}  // namespace

int identified_body(const CompiledScene& scene, const std::string& name) {
  std::vector<std::string> names;
  int found = -1;
  const std::string& file = scene.spec.document->file;
  for (std::size_t i = 0; i < scene.spec.bodies.size(); ++i) {
    const bool has_modulus = std::isfinite(material_number(scene, static_cast<int>(i), "young"));
    if (!has_modulus) continue;
    names.push_back(scene.spec.bodies[i].name);
    if (name.empty() || scene.spec.bodies[i].name == name) found = static_cast<int>(i);
  }
  if (scene.reduced)
    throw Error(Problem{file, "a reduced body", "a body in full", "leave \"reduced\" out while it is identified"});
  if (found < 0 || (name.empty() && names.size() > 1))
    throw Error(Problem{file,
                        names.empty()  ? "no body whose material has a Young's modulus"
                        : name.empty() ? fmt::format("{} bodies with a modulus, and none is named", names.size())
                                       : fmt::format("no body '{}' with a Young's modulus", name),
                        names.empty() ? "a material with \"young\"" : fmt::format("one of {}", fmt::join(names, ", ")),
                        names.empty() ? "" : "name it with --body"});
  return found;
}

Identification identify(const std::vector<RingRun>& runs, const IdentifyOptions& options) {
  return Identifier(runs, options).identify();
}

}  // namespace dashpot::learn
