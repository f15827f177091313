#include "damping_request.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "option_values.hpp"

namespace dashpot::cli {
namespace {

using analysis::DampingPoint;

/// Frequencies 1-2-5 a decade, from a little below `low` to a little above `high`.
std::vector<double> decade_steps(double low, double high) {
  std::vector<double> f;
  for (int decade = static_cast<int>(std::floor(std::log10(low))) - 1; decade < 12 && f.size() < 60; ++decade)
    for (const double step : {1.0, 2.0, 5.0})
      if (const double value = step * std::pow(10.0, decade); value > low / 2.1 && value < high * 2.1)
        f.push_back(value);
  return f;
}

void set_table(DampingRequest& request, const std::vector<double>& wanted, const std::vector<double>& mentioned) {
  request.frequencies = wanted;
  if (wanted.empty() && !mentioned.empty()) {
    const auto [low, high] = std::minmax_element(mentioned.begin(), mentioned.end());
    request.frequencies = decade_steps(*low, *high);
    request.frequencies.insert(request.frequencies.end(), mentioned.begin(), mentioned.end());
  } else if (wanted.empty()) {
    request.frequencies = decade_steps(1, 50);
  }
  std::sort(request.frequencies.begin(), request.frequencies.end());
  request.frequencies.erase(std::unique(request.frequencies.begin(), request.frequencies.end(),
                                        [](double a, double b) { return std::abs(a - b) < 1e-9 * b; }),
                            request.frequencies.end());
}

/// The options that state an amount; exactly one family may be given.
std::vector<std::string> amounts_given(const DampingOptions& o) {
  std::vector<std::string> given;
  const std::pair<const char*, bool> all[] = {{"--zeta", !o.zeta.empty()},
                                              {"--alpha/--beta", !o.alpha.empty() || !o.beta.empty()},
                                              {"--loss-factor", !o.loss_factor.empty()},
                                              {"--q-factor", !o.quality_factor.empty()},
                                              {"--decrement", !o.log_decrement.empty()},
                                              {"--lost-per-cycle", !o.lost_per_cycle.empty()},
                                              {"--settle", !o.settle_time.empty()},
                                              {"--viscosity", !o.viscosity.empty()}};
  for (const auto& [name, is_given] : all)
    if (is_given) given.emplace_back(name);
  return given;
}

/// A value that must be readable before it can be converted.
double must_read(OptionReader& reader, const std::string& option, const std::string& text, Quantity quantity) {
  const double value = reader.quantity(option, text, quantity);
  reader.finish();
  return value;
}

/// A single damping ratio, from whichever of its names was given.
double read_ratio(const DampingOptions& o, double frequency, double settle_fraction, OptionReader& reader) {
  using namespace analysis;
  const auto read = [&](const char* option, const std::string& text, Quantity quantity) {
    return must_read(reader, option, text, quantity);
  };
  if (!o.zeta.empty()) return read("--zeta", o.zeta, Quantity::ratio);
  if (!o.loss_factor.empty()) return zeta_from_loss_factor(read("--loss-factor", o.loss_factor, Quantity::ratio));
  if (!o.quality_factor.empty())
    return zeta_from_quality_factor(read("--q-factor", o.quality_factor, Quantity::number));
  if (!o.log_decrement.empty()) return zeta_from_log_decrement(read("--decrement", o.log_decrement, Quantity::number));
  if (!o.lost_per_cycle.empty())
    return zeta_from_amplitude_lost_per_cycle(read("--lost-per-cycle", o.lost_per_cycle, Quantity::ratio));
  if (!o.settle_time.empty())
    return zeta_from_settle_time(read("--settle", o.settle_time, Quantity::time), frequency, settle_fraction);
  return 0;  // an integrator alone: no physical damping
}

void fit_band(const DampingOptions& o, DampingRequest& request, std::vector<double>& mentioned, OptionReader& reader) {
  const auto band = reader.pairs("--band", o.band, Quantity::frequency, Quantity::frequency);
  if (band.size() != 1) reader.add_problem({"--band", fmt::format("found '{}'", o.band), "one band, '2 Hz:20 Hz'", ""});
  reader.finish();
  request.fit =
      rayleigh_over_band(request.zeta, band[0].first, band[0].second, analysis::BandCriterion::smallest_worst_error);
  request.rayleigh = request.fit->coefficients;
  mentioned = {band[0].first, band[0].second};
}

void read_points(const DampingOptions& o, DampingRequest& request, std::vector<double>& mentioned,
                 OptionReader& reader) {
  const auto pairs = reader.pairs("--zeta", o.zeta, Quantity::frequency, Quantity::ratio);
  reader.finish();
  std::vector<DampingPoint> points;
  for (const auto& [f, zeta] : pairs) points.push_back({f, zeta}), mentioned.push_back(f);
  const auto share = o.share == "stiffness" ? analysis::RayleighShare::stiffness_only
                     : o.share == "mass"    ? analysis::RayleighShare::mass_only
                                            : analysis::RayleighShare::flattest;
  if (points.size() == 1) {
    request.rayleigh = rayleigh_from_point(points[0], share);
  } else if (points.size() == 2) {
    request.rayleigh = rayleigh_from_two_points(points[0], points[1]);
  } else {
    request.fit = rayleigh_least_squares(points);
    request.rayleigh = request.fit->coefficients;
  }
}

void read_integrator(const DampingOptions& o, DampingRequest& request, OptionReader& reader) {
  if (o.integrator.empty()) return;
  ParameterValues values;
  for (const auto& [name, text] : o.integrator_parameters)
    if (!text.empty()) values[name] = must_read(reader, name + " of " + o.integrator, text, Quantity::number);
  if (o.dt.empty())
    reader.add_problem({"--integrator", "no time step", "--dt, for example --dt \"5 ms\"", ""});
  else
    request.dt = reader.quantity("--dt", o.dt, Quantity::time);
  request.integrator.emplace(o.integrator, values);
}

/// Options that are missing or contradict each other.
void check_combination(const DampingOptions& o, OptionReader& reader) {
  const std::vector<std::string> given = amounts_given(o);
  if (given.empty() && o.integrator.empty())
    reader.add_problem({"dashpot damping", "no amount of damping was given", "for example --zeta 0.02 --f \"3 Hz\"",
                        "'dashpot damping --help' lists all ways to say it"});
  if (given.size() > 1)
    reader.add_problem({"dashpot damping",
                        fmt::format("{} amounts of damping were given ({})", given.size(), fmt::join(given, ", ")),
                        "one", "leave out all but one"});
  if (!o.settle_time.empty() && o.frequencies.empty())
    reader.add_problem({"--settle", "no frequency", "--f, for example --f \"3 Hz\"", ""});
  if (!o.viscosity.empty() && o.young.empty())
    reader.add_problem({"--viscosity", "no stiffness to compare with", "--young, for example --young \"1 MPa\"", ""});
  if (!o.second_viscosity.empty() && o.viscosity.empty())
    reader.add_problem(
        {"--second-viscosity", "no shear viscosity", "--viscosity, for example --viscosity \"30 Pa s\"", ""});
  if (!o.band.empty() && o.zeta.find(':') != std::string::npos)
    reader.add_problem({"--band", "points and a band", "one ratio with a band", "write --zeta 0.02"});
}

/// One viscosity stands for the pair in proportion to the moduli; of two, the table is of stretch and bend.
void read_viscosities(const DampingOptions& o, DampingRequest& request, OptionReader& reader) {
  const double viscosity = must_read(reader, "--viscosity", o.viscosity, Quantity::viscosity);
  request.rayleigh.emplace();
  if (o.second_viscosity.empty()) {
    request.rayleigh->beta = analysis::beta_from_shear_viscosity(viscosity, request.young, request.poisson);
    request.viscosities = analysis::viscosities_from_beta(request.rayleigh->beta, request.young, request.poisson);
    return;
  }
  const double second = must_read(reader, "--second-viscosity", o.second_viscosity, Quantity::viscosity);
  request.viscosities = analysis::Viscosities{second, viscosity};
  request.motions = analysis::betas_by_motion(*request.viscosities, request.young, request.poisson);
  request.rayleigh->beta = request.motions->stretch;
}

/// The damping itself: a Rayleigh curve or one ratio.
void read_amount(const DampingOptions& o, double first_frequency, DampingRequest& request,
                 std::vector<double>& mentioned, OptionReader& reader) {
  if (o.zeta.find(':') != std::string::npos) {
    read_points(o, request, mentioned, reader);
  } else if (!o.alpha.empty() || !o.beta.empty()) {
    request.rayleigh.emplace();
    if (!o.alpha.empty()) request.rayleigh->alpha = reader.quantity("--alpha", o.alpha, Quantity::rate);
    if (!o.beta.empty()) request.rayleigh->beta = reader.quantity("--beta", o.beta, Quantity::time);
  } else if (!o.viscosity.empty()) {
    read_viscosities(o, request, reader);
  } else {
    request.zeta = read_ratio(o, first_frequency, request.settle_fraction, reader);
  }
  reader.finish();
  if (!o.band.empty()) fit_band(o, request, mentioned, reader);
}

}  // namespace

DampingRequest read_damping_request(const DampingOptions& o) {
  OptionReader reader;
  DampingRequest request;
  check_combination(o, reader);
  std::vector<double> wanted, mentioned;
  if (!o.frequencies.empty()) wanted = reader.list("--f", o.frequencies, Quantity::frequency);
  request.settle_fraction = reader.quantity("--settle-to", o.settle_to, Quantity::ratio);
  request.young = o.young.empty() ? 0 : reader.quantity("--young", o.young, Quantity::pressure);
  request.poisson = reader.quantity("--poisson", o.poisson, Quantity::number);
  read_integrator(o, request, reader);
  read_amount(o, wanted.empty() ? 0 : wanted.front(), request, mentioned, reader);
  if (request.rayleigh && request.young > 0 && !request.viscosities)
    request.viscosities = analysis::viscosities_from_beta(request.rayleigh->beta, request.young, request.poisson);
  set_table(request, wanted, mentioned);
  return request;
}

}  // namespace dashpot::cli
