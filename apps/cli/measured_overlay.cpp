#include "measured_overlay.hpp"

#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "dashpot/analysis/markers.hpp"
#include "dashpot/analysis/measurement.hpp"
#include "dashpot/core/error.hpp"
#include "dashpot/core/units.hpp"
#include "dashpot/render/standard_figures.hpp"
#include "dashpot/render/ticks.hpp"

namespace dashpot::cli {
namespace {

render::Decay decay_from(const std::string& name, const analysis::RingDown& ring) {
  render::Decay decay{name, {}, {}};
  for (const analysis::RingCycle& cycle : ring.cycles) {
    decay.time.push_back(cycle.time - ring.start_time);
    decay.amplitude.push_back(cycle.amplitude);
  }
  return decay;
}

render::DampingCurve curve_from(const std::string& name, const analysis::RingDown& ring) {
  render::DampingCurve curve{name, {}, {}, {}};
  for (const analysis::AmplitudeBin& bin : ring.by_amplitude) {
    curve.amplitude.push_back(bin.amplitude);
    curve.zeta.push_back(bin.zeta);
    curve.spread.push_back(bin.zeta_spread);
  }
  return curve;
}

/// About the rest position, from the release on, with the first turning point upwards.
render::Series motion_from(const std::string& name, const std::vector<double>& time, const std::vector<double>& value,
                           const analysis::RingDown& ring, render::Mark mark) {
  render::Series series{name, {}, {}, {}, mark};
  double sign = 1;
  if (!ring.extrema.empty() && ring.extrema.front().value < ring.rest) sign = -1;
  for (std::size_t i = 0; i < time.size(); ++i) {
    if (time[i] < ring.start_time) continue;
    series.x.push_back(time[i] - ring.start_time);
    series.y.push_back(1e3 * sign * (value[i] - ring.rest));
  }
  return series;
}

}  // namespace

MeasuredOverlay read_overlay(const std::string& text) {
  MeasuredOverlay overlay;
  std::string file = text, column;
  if (const std::size_t colon = text.rfind(':'); colon != std::string::npos && !std::filesystem::exists(text)) {
    file = text.substr(0, colon);
    column = text.substr(colon + 1);
  }
  const Table table = analysis::read_measurement(file);
  analysis::SignalRequest request;
  request.column = column.empty() ? table.columns[table.liveliest()] : column;
  const analysis::MeasuredSignal signal = analysis::measured_signal(table, request);
  overlay.name = fmt::format("{}, {}", std::filesystem::path(file).filename().string(), signal.name);
  overlay.time = analysis::measured_times(table);
  overlay.value = signal.value;
  if (signal.unit.empty()) {
    overlay.has_unit = false;
  } else {
    const ParsedQuantity one = parse_quantity("1 " + signal.unit, Quantity::length);
    if (!one.error.empty())
      throw Error(Problem{text, fmt::format("a signal in '{}'", signal.unit), "a displacement: m, cm, mm, in",
                          "name another column, FILE:COLUMN"});
    for (double& value : overlay.value) value *= one.value;
  }
  overlay.ring = analysis::measure_ring_down(overlay.time, overlay.value);
  if (!(overlay.ring.frequency > 0) || overlay.ring.cycles.empty())
    throw Error(Problem{text, "no ring-down was found", "a motion that rings",
                        "look at it with 'dashpot measure', and name the column: FILE:COLUMN"});
  return overlay;
}

render::Section overlay_section(const MeasuredOverlay& measured, const std::vector<ComparedRun>& runs) {
  using render::plain_number;
  render::Table table{"",
                      {"run", "f [Hz]", "off by [%]", "\u03b6", "\u00b1", "off by [%]", "amplitude [mm]"},
                      {},
                      "The amplitude is that of the release. Off by: simulated over measured."};
  const analysis::RingDown& truth = measured.ring;
  table.rows.push_back({"measured: " + measured.name, plain_number(truth.frequency, 4), "", plain_number(truth.zeta, 3),
                        plain_number(truth.zeta_deviation, 2), "", plain_number(1e3 * truth.initial_amplitude, 3)});
  render::Panel panel;
  panel.x = {"time since the release", "s"};
  panel.y = {"displacement", "mm"};
  std::vector<render::Decay> decays;
  std::vector<render::DampingCurve> curves;
  for (const ComparedRun& run : runs) {
    if (run.outcome->rings.empty()) continue;
    const ProbeRing& ring = run.outcome->rings.front();
    const RunResult& result = run.outcome->run;
    table.rows.push_back({run.name, plain_number(ring.ring.frequency, 4),
                          plain_number(100 * (ring.ring.frequency / truth.frequency - 1), 2),
                          plain_number(ring.ring.zeta, 3), plain_number(ring.ring.zeta_deviation, 2),
                          plain_number(100 * (ring.ring.zeta / truth.zeta - 1), 2),
                          plain_number(1e3 * ring.ring.initial_amplitude, 3)});
    panel.series.push_back(motion_from(run.name, result.probes.column("time"), result.probes.column(ring.column),
                                       ring.ring, render::Mark::line));
    decays.push_back(decay_from(run.name, ring.ring));
    curves.push_back(curve_from(run.name, ring.ring));
  }
  panel.series.push_back(motion_from("measured", measured.time, measured.value, truth, render::Mark::points));
  if (panel.series.size() > 1) {  // as long as the longest run
    double end = 0;
    for (std::size_t i = 0; i + 1 < panel.series.size(); ++i)
      if (!panel.series[i].x.empty()) end = std::max(end, panel.series[i].x.back());
    panel.x.max = end;
  }
  decays.push_back(decay_from("measured", truth));
  curves.push_back(curve_from("measured", truth));
  render::Figure motion{"Motion, measured and simulated",
                        "Releases and rest lines are put on top of each other; the first turning point is upwards.",
                        {panel}};
  return {"Against the measurement",
          {motion, render::decay_figure(decays, "amplitude", "m"), render::damping_curve_figure(curves, "m"), table}};
}

}  // namespace dashpot::cli
