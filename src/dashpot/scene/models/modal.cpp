#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "dashpot/dissipation/modal.hpp"
#include "dashpot/modes/vibration_modes.hpp"
#include "dashpot/scene/assembly/body_assembly.hpp"
#include "dashpot/scene/assembly/damping_base.hpp"
#include "dashpot/scene/format/registry.hpp"
#include "dashpot/scene/format/settings.hpp"
#include "dashpot/scene/format/with_location.hpp"

namespace dashpot {
namespace {

/// zeta at a frequency [Hz], straight between points in log f, constant outside.
double ratio_at(const std::vector<Settings>& points, double frequency) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double f = points[i].number("f"), zeta = points[i].number("zeta");
    if (frequency > f) continue;
    if (i == 0) return zeta;
    const double f0 = points[i - 1].number("f"), zeta0 = points[i - 1].number("zeta");
    return zeta0 + (zeta - zeta0) * std::log(frequency / f0) / std::log(f / f0);
  }
  return points.back().number("zeta");
}

void check_modal(const Settings& settings, std::vector<Problem>& problems) {
  const int ways = settings.has("ratios") + settings.has("curve") + settings.has("band") + settings.has("caughey");
  if (ways != 1)
    problems.push_back({settings.place(), ways == 0 ? "no damping ratios" : "several ways of giving damping ratios",
                        "one of \"ratios\", \"curve\", \"band\" and \"caughey\""});
  if (settings.has("curve")) {
    const std::vector<Settings> points = settings.sections("curve");
    for (std::size_t i = 1; i < points.size(); ++i)
      if (!(points[i].number("f") > points[i - 1].number("f")))
        problems.push_back({points[i].place("f"), "a frequency that does not rise", "frequencies that rise"});
  }
  if (settings.has("band") && !(settings.section("band").number("low") < settings.section("band").number("high")))
    problems.push_back({settings.place("band"), "a band whose low end is not below its high end", "low < high"});
  if (settings.has("caughey")) {
    const Settings caughey = settings.section("caughey");
    if (caughey.numbers("coefficients").size() != caughey.integers("powers").size())
      problems.push_back({caughey.place(), "as many coefficients as powers are needed", "one coefficient a power"});
  }
}

/// Ratios asked for, by number of the mode from 0; NaN: not damped by us.
Vector wanted_ratios(const Settings& settings, const Vector& omega) {
  const double none = std::nan("");
  Vector zeta = Vector::Constant(omega.size(), none);
  if (settings.has("ratios"))
    for (const Settings& ratio : settings.sections("ratios")) zeta[ratio.integer("mode") - 1] = ratio.number("zeta");
  else if (settings.has("curve"))
    for (Eigen::Index i = 0; i < omega.size(); ++i)
      zeta[i] = ratio_at(settings.sections("curve"), omega[i] / (2 * std::numbers::pi));
  else if (settings.has("band")) {
    const Settings band = settings.section("band");
    zeta = flat_ratios(omega, 2 * std::numbers::pi * band.number("low"), 2 * std::numbers::pi * band.number("high"),
                       band.number("zeta"), none);
  } else {
    const Settings caughey = settings.section("caughey");
    zeta = caughey_ratios(caughey.numbers("coefficients"), caughey.integers("powers"), omega);
  }
  return zeta;
}

int num_modes(const Settings& settings) {
  int count = settings.integer("modes");
  if (settings.has("ratios")) {
    count = 1;
    for (const Settings& ratio : settings.sections("ratios")) count = std::max(count, ratio.integer("mode"));
  }
  return count;
}

std::unique_ptr<DissipationTerm> make_modal(const Settings& settings, BodyAssembly& body) {
  DampingBase base;
  if (settings.has("over")) base = make_damping_base(settings, body);
  const int count = num_modes(settings);
  const ModesResult& modes = with_location(settings.place(), [&]() -> const ModesResult& { return body.modes(count); });
  const int first = modes.num_unstable + modes.num_rigid;
  const int available = std::min(count, modes.size() - first);
  Vector omega(available);
  for (int i = 0; i < available; ++i) omega[i] = std::sqrt(modes.lambda[first + i]);
  const Vector zeta = wanted_ratios(settings, omega);
  std::vector<DampedMode> damped;
  for (int i = 0; i < available; ++i) {
    if (std::isnan(zeta[i])) continue;
    Vector shape = Vector::Zero(body.system_dofs());
    shape.segment(3 * body.first_block(), 3 * body.num_nodes()) = modes.shapes.col(first + i);
    damped.push_back({std::move(shape), omega[i], zeta[i]});
  }
  if (damped.empty())
    throw Error(Problem{settings.place(), "no mode is damped", "at least one mode in the band",
                        fmt::format("the {} modes looked at lie between {:.4g} and {:.4g} Hz; raise \"modes\"",
                                    available, modes.frequencies[first], modes.frequencies[first + available - 1])});
  body.note(fmt::format("modal, {} modes up to {:.4g} Hz{}", damped.size(),
                        damped.back().omega / (2 * std::numbers::pi), base.term ? " on the line above" : ""));
  return with_location(settings.place(), [&] {
    return std::make_unique<ModalDamping>(body.name(), std::move(base.term), base.C, body.mass_source(), rest_of(body),
                                          std::move(damped));
  });
}

Parameter ratio() {
  return parameter::real("zeta", "\u03b6", Quantity::ratio, "damping ratio").at_least(0).below(1).advise("2 % is 0.02");
}

}  // namespace

namespace models {

void modal(Registry& registry) {
  const ValueType by_mode = parameter::object_type(
      {parameter::integer("mode", "", "number, from 1, rigid motions not counted").at_least(1), ratio()});
  const ValueType by_frequency =
      parameter::object_type({parameter::real("f", "f", Quantity::frequency, "frequency").above(0), ratio()});
  ValueType number = parameter::real_type(Quantity::number), power = parameter::integer_type(-10);
  registry.add(
      {Category::damping,
       "modal",
       "a damping ratio for each vibration mode, low-rank over an optional damping",
       "WilsonPenzien1972",
       {parameter::model("over", Category::damping, "damping of everything that is not one of the modes, e.g. rayleigh")
            .may_be_absent(),
        parameter::list("ratios", by_mode, "mode by mode").sized(1, 1000).may_be_absent(),
        parameter::list("curve", by_frequency, "\u03b6(f): straight in log f between the points, constant outside")
            .sized(1, 1000)
            .may_be_absent(),
        parameter::object("band",
                          {parameter::real("low", "", Quantity::frequency, "from").at_least(0),
                           parameter::real("high", "", Quantity::frequency, "to"), ratio()},
                          "one ratio for all modes of a band")
            .may_be_absent(),
        parameter::object(
            "caughey",
            {parameter::list("coefficients", number, "a_j of C = M \u03a3 a_j (M\u207b\u00b9K)^p_j [SI]").sized(1, 20),
             parameter::list("powers", power, "p_j; 0 and 1 are Rayleigh's").sized(1, 20)},
            "Caughey's series")
            .may_be_absent(),
        parameter::integer("modes", "", "how many modes a curve, a band or a series damps")
            .at_least(1)
            .at_most(1000)
            .or_else("20")},
       one_damping(make_modal),
       "",
       check_modal,
       {R"({"model": "modal", "ratios": [{"mode": 1, "zeta": "2 %"}, {"mode": 3, "zeta": "5 %"}]})",
        R"({"model": "modal", "band": {"low": 0, "high": "1 kHz", "zeta": "3 %"}, "modes": 6})",
        R"({"model": "modal", "over": {"model": "rayleigh", "beta": "0.1 ms", "stiffness": "rest"},
            "curve": [{"f": "1 Hz", "zeta": "30 %"}, {"f": "100 Hz", "zeta": "40 %"}], "modes": 3})",
        R"({"model": "modal", "caughey": {"coefficients": [0.1, 1e-4], "powers": [0, 1]}, "modes": 5})"}});
}

}  // namespace models
}  // namespace dashpot
