#include "real_beam.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <numbers>

#include <fmt/format.h>

#include "dashpot/analysis/markers.hpp"
#include "dashpot/analysis/measurement.hpp"
#include "dashpot/math/nonnegative_least_squares.hpp"
#include "experiment.hpp"
#include "measures.hpp"

namespace dashpot::cli {
namespace {

struct BeamReading {
  std::string name;
  double frequency = 0, zeta = 0;  ///< [Hz]
};

/// Ring-downs of the recordings that are there, by frequency.
std::vector<BeamReading> read_beam() {
  std::vector<BeamReading> readings;
  const char* data = std::getenv("DASHPOT_DATA");
  if (data == nullptr) return readings;
  for (const auto& [file, name] :
       {std::pair{"beam_gravity_V2_a.csv", "own weight"}, std::pair{"beam_load52_V2_a.csv", "52 g"},
        std::pair{"beam_load101_V2_a.csv", "101 g"}}) {
    const std::filesystem::path path = std::filesystem::path(data) / "silicone_beam" / file;
    if (!std::filesystem::exists(path)) continue;
    const Table table = analysis::read_measurement(path.string());
    analysis::SignalRequest signal;
    signal.markers = {"Tip1", "Tip2", "Tip3"};
    signal.base = {"Base1", "Base2", "Base3"};
    std::vector<double> value = analysis::measured_signal(table, signal).value;
    for (double& v : value) v *= 1e3;
    const analysis::RingDown ring = analysis::measure_ring_down(analysis::measured_times(table), value);
    readings.push_back({name, ring.frequency, ring.zeta});
  }
  std::sort(readings.begin(), readings.end(),
            [](const BeamReading& a, const BeamReading& b) { return a.frequency < b.frequency; });
  return readings;
}

/// zeta = sum_k c_k b_k(omega) with c >= 0 and the least squares of relative errors.
struct BeamModel {
  std::string id, name;
  std::vector<std::function<double(double)>> basis;
  Vector c = {};
  double worst = 0;  ///< relative

  double zeta(double frequency) const {
    double sum = 0;
    for (std::size_t k = 0; k < basis.size(); ++k)
      sum += c[static_cast<Eigen::Index>(k)] * basis[k](2 * std::numbers::pi * frequency);
    return sum;
  }
  void fit(const std::vector<BeamReading>& readings) {
    const auto rows = static_cast<Eigen::Index>(readings.size()), columns = static_cast<Eigen::Index>(basis.size());
    Matrix A(rows, columns);
    for (Eigen::Index i = 0; i < rows; ++i)
      for (Eigen::Index k = 0; k < columns; ++k)
        A(i, k) = basis[at(k)](2 * std::numbers::pi * readings[at(i)].frequency) / readings[at(i)].zeta;
    // Columns of like size: alpha and beta differ by the square of a frequency.
    Vector size = A.colwise().norm();
    for (Eigen::Index k = 0; k < columns; ++k) A.col(k) /= size[k];
    c = math::nonnegative_least_squares(A, Vector::Ones(rows)).cwiseQuotient(size);
    for (const BeamReading& r : readings) worst = larger(worst, std::abs(zeta(r.frequency) / r.zeta - 1));
  }
};

std::vector<BeamModel> fitted_models(const std::vector<BeamReading>& readings) {
  const auto flat = [](double) { return 0.5; };
  const auto alpha = [](double omega) { return 0.5 / omega; };
  const auto beta = [](double omega) { return 0.5 * omega; };
  std::vector<BeamModel> models = {{"loss_factor", "one loss factor", {flat}},
                                   {"alpha", "\u03b1 alone", {alpha}},
                                   {"beta", "\u03b2 alone", {beta}},
                                   {"pair", "\u03b1 and \u03b2", {alpha, beta}}};
  for (BeamModel& model : models) model.fit(readings);
  return models;
}

render::Figure beam_figure(const std::vector<BeamReading>& readings, const std::vector<BeamModel>& models) {
  render::Panel panel;
  panel.x = {"frequency", "Hz"};
  panel.y = {"damping ratio", "", false, 0.0};
  render::Series measured{"measured", {}, {}, {}, render::Mark::points};
  for (const BeamReading& r : readings) measured.x.push_back(r.frequency), measured.y.push_back(r.zeta);
  panel.series.push_back(measured);
  const double low = 0.9 * readings.front().frequency, high = 1.1 * readings.back().frequency;
  for (const BeamModel& model : models) {
    render::Series line{model.name, {}, {}};
    for (int i = 0; i <= 60; ++i) {
      line.x.push_back(low + (high - low) * i / 60);
      line.y.push_back(model.zeta(line.x.back()));
    }
    panel.series.push_back(line);
  }
  render::Figure figure;
  figure.title = "A silicone beam under three loads";
  figure.description = "Points: ring-downs of motion capture. Lines: the best of each model.";
  figure.panels = {panel};
  return figure;
}

}  // namespace

void add_real_beam(const ReproductionRequest& request, render::Report& report, std::vector<Claim>& claims) {
  const std::vector<BeamReading> readings = read_beam();
  if (readings.size() < 3) {
    report.sections.push_back(
        {"A real beam", {render::Paragraph{"No recordings: set DASHPOT_DATA to a folder that holds silicone_beam."}}});
    return;
  }
  const std::vector<BeamModel> models = fitted_models(readings);
  render::Table table{"Damping ratios of a silicone beam under three loads",
                      {"load", "frequency [Hz]", "measured"},
                      {},
                      "Best in the sense of least squares of relative errors."};
  for (const BeamModel& model : models) table.columns.push_back(model.name);
  for (const BeamReading& r : readings) {
    table.rows.push_back({r.name, fmt::format("{:.3g}", r.frequency), fmt::format("{:.4f}", r.zeta)});
    for (const BeamModel& model : models) table.rows.back().push_back(fmt::format("{:.4f}", model.zeta(r.frequency)));
  }
  table.rows.push_back({"worst error", "", ""});
  for (const BeamModel& model : models) {
    table.rows.back().push_back(fmt::format("{:.0f} %", 100 * model.worst));
    claims.push_back(reported("beam_error_" + model.id,
                              fmt::format("real beam at three loads, worst error of \u03b6 with {}", model.name), {},
                              100 * model.worst, "%"));
  }
  report.sections.push_back({"A real beam", {write_figure(request, "beam", beam_figure(readings, models)), table}});
}

}  // namespace dashpot::cli
