#include "measure_text.hpp"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "dashpot/analysis/damping_units.hpp"
#include "dashpot/render/standard_figures.hpp"
#include "dashpot/render/ticks.hpp"
#include "text_table.hpp"

namespace dashpot::cli {

using analysis::RingDown;
using nlohmann::ordered_json;

namespace {}  // namespace

ordered_json ring_json(const RingDown& ring) {
  ordered_json bins = ordered_json::array(), cycles = ordered_json::array(), modes = ordered_json::array(),
               settle = ordered_json::array(), flags = ordered_json::array();
  for (const auto& bin : ring.by_amplitude)
    bins.push_back({{"amplitude", bin.amplitude},
                    {"amplitude_low", bin.amplitude_low},
                    {"amplitude_high", bin.amplitude_high},
                    {"zeta", bin.zeta},
                    {"zeta_spread", bin.zeta_spread},
                    {"frequency", bin.frequency},
                    {"num_cycles", bin.num_cycles}});
  for (const auto& cycle : ring.cycles)
    cycles.push_back(
        {{"time", cycle.time}, {"amplitude", cycle.amplitude}, {"zeta", cycle.zeta}, {"frequency", cycle.frequency}});
  for (const auto& mode : ring.fit.modes)
    modes.push_back({{"frequency", mode.frequency()}, {"zeta", mode.zeta()}, {"amplitude", mode.amplitude()}});
  for (const auto& time : ring.settle)
    settle.push_back({{"fraction", time.fraction}, {"measured", time.measured}, {"predicted", time.predicted}});
  for (const auto flag : ring.flags) flags.push_back({{"name", flag_name(flag)}, {"meaning", flag_text(flag)}});
  return {{"start_time", ring.start_time},
          {"initial_amplitude", ring.initial_amplitude},
          {"frequency", ring.frequency},
          {"frequency_deviation", ring.frequency_deviation},
          {"natural_frequency", ring.natural_frequency},
          {"peak_frequency", ring.peak_frequency},
          {"zeta", ring.zeta},
          {"zeta_deviation", ring.zeta_deviation},
          {"loss_factor", 2 * ring.zeta},
          {"decay_rate", ring.decay_rate},
          {"noise", ring.noise},
          {"rest", ring.rest},
          {"samples_per_cycle", ring.samples_per_cycle},
          {"settle", settle},
          {"by_amplitude", bins},
          {"modes", modes},
          {"cycles", cycles},
          {"flags", flags}};
}

std::string ring_text(const RingDown& ring, const std::string& unit) {
  std::string text = fmt::format("  released at       {} s, {}{} from rest\n", number_text(ring.start_time),
                                 number_text(ring.initial_amplitude), unit.empty() ? "" : " " + unit);
  text += fmt::format("  frequency         {} ± {} Hz\n", number_text(ring.frequency),
                      number_text(ring.frequency_deviation));
  text += fmt::format("  damping ratio ζ   {} ± {}\n", number_text(ring.zeta), number_text(ring.zeta_deviation));
  if (ring.zeta > 0 && ring.zeta < 1 && ring.natural_frequency > 0) {
    const auto measures = analysis::damping_measures(ring.zeta, ring.natural_frequency);
    text += fmt::format("  loss factor       {}\n  lost per cycle    {:.3g} % of the amplitude\n",
                        number_text(measures.loss_factor), 100 * measures.amplitude_lost_per_cycle);
  }
  for (const auto& settle : ring.settle)
    text += fmt::format(
        "  settles to {:.0f} %    {}, {}\n", 100 * settle.fraction,
        std::isfinite(settle.measured) ? number_text(settle.measured) + " s measured" : "not in this record",
        std::isfinite(settle.predicted) ? number_text(settle.predicted) + " s from the fit" : "never by the fit");
  if (ring.fit.modes.size() > 1) {
    TextTable modes({"mode", "frequency [Hz]", "ζ", "amplitude"});
    for (std::size_t i = 0; i < ring.fit.modes.size(); ++i) {
      const auto& mode = ring.fit.modes[i];
      modes.add({fmt::format("{}", i + 1), number_text(mode.frequency()), number_text(mode.zeta()),
                 number_text(mode.amplitude())});
    }
    text += "\n" + modes.text();
  }
  if (!ring.by_amplitude.empty()) {
    TextTable bins({"amplitude", "from", "to", "ζ", "scatter", "frequency [Hz]", "readings"});
    for (const auto& bin : ring.by_amplitude)
      bins.add({number_text(bin.amplitude), number_text(bin.amplitude_low), number_text(bin.amplitude_high),
                number_text(bin.zeta), number_text(bin.zeta_spread), number_text(bin.frequency),
                fmt::format("{}", bin.num_cycles)});
    text += "\n" + bins.text();
  }
  return text;
}

render::Report ring_report(const RingDown& ring, const std::string& name, const std::string& unit,
                           const std::vector<double>& time, const std::vector<double>& value) {
  using render::plain_number;
  render::Report report;
  report.title = "Ring-down of " + name;
  report.summary = fmt::format("{} rings at {} Hz and loses its motion with a damping ratio of {}.", name,
                               plain_number(ring.frequency, 4), plain_number(ring.zeta, 3));
  report.key_figures = {
      {"frequency", plain_number(ring.frequency, 4), "Hz", "± " + plain_number(ring.frequency_deviation, 2)},
      {"damping ratio", plain_number(ring.zeta, 3), "", "± " + plain_number(ring.zeta_deviation, 2)},
      {"loss factor", plain_number(2 * ring.zeta, 3)}};
  for (const auto flag : ring.flags) report.warnings.push_back(flag_text(flag));
  render::Panel panel;
  panel.x = {"time", "s"};
  panel.y = {name, unit};
  panel.series.push_back({"measured", time, value});
  std::vector<double> fitted;
  for (const double t : time) fitted.push_back(t >= ring.fit.start_time ? ring.fit.value(t) : NAN);
  panel.series.push_back({"fitted", time, fitted, {}, render::Mark::dashed_line});
  render::Figure motion;
  motion.title = "Motion";
  motion.description = "The signal and the damped sinusoids fitted to it.";
  motion.panels = {panel};
  render::Decay decay{"cycles", {}, {}};
  for (const auto& cycle : ring.cycles) decay.time.push_back(cycle.time), decay.amplitude.push_back(cycle.amplitude);
  render::DampingCurve curve{"by amplitude", {}, {}, {}};
  for (const auto& bin : ring.by_amplitude) {
    curve.amplitude.push_back(bin.amplitude);
    curve.zeta.push_back(bin.zeta);
    curve.spread.push_back(bin.zeta_spread);
  }
  report.sections.push_back({"How it rings",
                             {motion, render::decay_figure({decay}, "amplitude", unit),
                              render::damping_curve_figure({curve}, unit, ring.zeta, "whole record")}});
  return report;
}

std::string forced_text(const analysis::ForcedResponse& r) {
  return fmt::format(
      "  driven at         {} Hz\n  force             {} N\n  displacement      {} m\n  loss angle        {} degrees\n"
      "  loss factor       {}   (as damping ratio at resonance: {})\n  stiffness         {} N/m stored, {} N/m lost\n"
      "  lost per cycle    {} J   (equivalent dashpot {} N s/m)\n  distortion        {}\n",
      number_text(r.frequency), number_text(r.force_amplitude), number_text(r.displacement_amplitude),
      number_text(r.loss_angle * 180 / M_PI), number_text(r.loss_factor), number_text(r.loss_factor / 2),
      number_text(r.storage_stiffness), number_text(r.loss_stiffness), number_text(r.energy_lost_per_cycle),
      number_text(r.equivalent_dashpot), number_text(r.distortion));
}

ordered_json forced_json(const analysis::ForcedResponse& r) {
  return {{"frequency", r.frequency},
          {"force_amplitude", r.force_amplitude},
          {"displacement_amplitude", r.displacement_amplitude},
          {"loss_angle", r.loss_angle},
          {"loss_factor", r.loss_factor},
          {"storage_stiffness", r.storage_stiffness},
          {"loss_stiffness", r.loss_stiffness},
          {"energy_lost_per_cycle", r.energy_lost_per_cycle},
          {"equivalent_dashpot", r.equivalent_dashpot},
          {"distortion", r.distortion}};
}

std::string resonance_text(const analysis::ResonanceFit& fit) {
  return fmt::format(
      "  resonance         {} Hz, {} m/N\n  half power        {} to {} Hz\n  damping ratio     {} by half power, {} "
      "fitted, {} by "
      "circle\n  loss factor       {}\n  natural frequency {} Hz   (stiffness {} N/m, mass {} kg, dashpot {} N s/m)\n",
      number_text(fit.resonance_frequency), number_text(fit.peak_response), number_text(fit.half_power_low),
      number_text(fit.half_power_high), number_text(fit.zeta_half_power), number_text(fit.zeta_fit),
      number_text(fit.zeta_circle), number_text(2 * fit.zeta_fit), number_text(fit.natural_frequency),
      number_text(fit.stiffness), number_text(fit.mass), number_text(fit.dashpot));
}

ordered_json resonance_json(const analysis::ResonanceFit& fit, const std::vector<analysis::FrfPoint>& response) {
  ordered_json points = ordered_json::array();
  for (const analysis::FrfPoint& point : response)
    points.push_back({point.frequency, point.response.real(), point.response.imag()});
  return {{"resonance_frequency", fit.resonance_frequency},
          {"peak_response", fit.peak_response},
          {"half_power_low", fit.half_power_low},
          {"half_power_high", fit.half_power_high},
          {"zeta_half_power", fit.zeta_half_power},
          {"zeta_fit", fit.zeta_fit},
          {"zeta_circle", fit.zeta_circle},
          {"loss_factor", 2 * fit.zeta_fit},
          {"natural_frequency", fit.natural_frequency},
          {"methods_agree", fit.methods_agree},
          {"response_columns", {"frequency [Hz]", "real [m/N]", "imaginary [m/N]"}},
          {"response", points}};
}

render::Report resonance_report(const analysis::ResonanceFit& fit, const std::vector<analysis::FrfPoint>& response,
                                const std::string& name) {
  render::Report report;
  report.title = "Frequency response of " + name;
  report.summary =
      fmt::format("{} resonates at {} Hz with a damping ratio of {} (half power: {}).", name,
                  number_text(fit.resonance_frequency), number_text(fit.zeta_fit), number_text(fit.zeta_half_power));
  render::Series magnitude{"measured"}, phase{"phase"};
  for (const analysis::FrfPoint& point : response) {
    magnitude.x.push_back(point.frequency);
    magnitude.y.push_back(std::abs(point.response));
    phase.x.push_back(point.frequency);
    phase.y.push_back(std::arg(point.response) * 180 / M_PI);
  }
  render::Panel size{"Displacement per force", {"frequency", "Hz"}, {"receptance", "m/N", true}, {magnitude}, {}};
  size.guides = {{fit.half_power_low, "half power", true}, {fit.half_power_high, "", true}};
  render::Panel angle{"Phase", {"frequency", "Hz"}, {"phase", "degrees"}, {phase}, {}, false, 180};
  render::Figure figure{"Frequency response", "Receptance and phase over frequency.", {size, angle}};
  report.sections.push_back({"Response", {figure}});
  return report;
}

}  // namespace dashpot::cli
