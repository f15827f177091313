// `dashpot damping`: one amount of damping in all its names. Reads any of them, prints all the others, and what an
// integrator adds at a given time step.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "damping_request.hpp"
#include "dashpot/core/units.hpp"
#include "exit_codes.hpp"
#include "text_table.hpp"

namespace dashpot::cli {
namespace {

using analysis::DampingMeasures;
using nlohmann::ordered_json;

/// "0.0200", "3.14", "inf", "-" where the measure does not exist.
std::string percent(double share) { return std::isnan(share) ? "-" : fmt::format("{:.3g} %", 100 * share); }
std::string quantity(double value, Quantity kind) {
  return std::isfinite(value) ? describe_quantity(value, kind) : (std::isnan(value) ? "-" : "never");
}

struct Row {
  DampingMeasures measures;
  std::optional<analysis::NumericalDamping> numerical;  ///< of the integrator at this frequency
  double beta = 0;                                   ///< of strain_rate or of stiffness alone, for this ratio here [s]
  std::optional<analysis::Viscosities> viscosities;  ///< the same as viscosities of the material
};

std::vector<Row> make_rows(const DampingRequest& request) {
  std::vector<Row> rows;
  for (const double f : request.frequencies) {
    Row row;
    row.measures = analysis::damping_measures(request.zeta_at(f), f, request.settle_fraction);
    row.beta = row.measures.zeta / (M_PI * f);
    // Viscosities of the whole curve are told once, above the table.
    if (request.young > 0 && !request.viscosities)
      row.viscosities = analysis::viscosities_from_beta(row.beta, request.young, request.poisson);
    if (request.integrator && row.measures.zeta < 1)
      row.numerical = analysis::numerical_damping(*request.integrator, 2 * M_PI * f * request.dt, row.measures.zeta);
    rows.push_back(row);
  }
  return rows;
}

ordered_json viscosities_json(const analysis::Viscosities& viscosities) {
  return {{"lambda", viscosities.lambda}, {"mu", viscosities.mu}, {"bulk", viscosities.bulk()}};
}

ordered_json row_json(const Row& row) {
  const DampingMeasures& m = row.measures;
  ordered_json json = {{"frequency", m.frequency},
                       {"zeta", m.zeta},
                       {"damped_frequency", m.damped_frequency},
                       {"loss_factor", m.loss_factor},
                       {"quality_factor", m.quality_factor},
                       {"log_decrement", m.log_decrement},
                       {"amplitude_lost_per_cycle", m.amplitude_lost_per_cycle},
                       {"energy_lost_per_cycle", m.energy_lost_per_cycle},
                       {"decay_rate", m.decay_rate},
                       {"settle_time", m.settle_time},
                       {"half_life", m.half_life},
                       {"strain_rate_beta", row.beta}};
  if (row.viscosities) json["strain_rate_viscosities"] = viscosities_json(*row.viscosities);
  if (row.numerical)
    json["integrator"] = {{"numerical_zeta", row.numerical->numerical_zeta},
                          {"total_zeta", row.numerical->zeta},
                          {"period_elongation", row.numerical->period_elongation},
                          {"spectral_radius", row.numerical->spectral_radius},
                          {"stable", row.numerical->is_stable}};
  return json;
}

ordered_json request_json(const DampingRequest& request, const std::vector<Row>& rows) {
  ordered_json json;
  if (request.rayleigh) json["rayleigh"] = {{"alpha", request.rayleigh->alpha}, {"beta", request.rayleigh->beta}};
  if (request.fit)
    json["fit"] = {{"worst_error", request.fit->worst_error},
                   {"worst_error_frequency", request.fit->worst_error_frequency},
                   {"rms_error", request.fit->rms_error}};
  if (request.viscosities) json["viscosities"] = viscosities_json(*request.viscosities);
  if (request.motions)
    json["beta_by_motion"] = {
        {"stretch", request.motions->stretch}, {"shear", request.motions->shear}, {"volume", request.motions->volume}};
  if (request.integrator) json["integrator"] = {{"name", request.integrator->name()}, {"dt", request.dt}};
  json["settle_fraction"] = request.settle_fraction;
  json["table"] = ordered_json::array();
  for (const Row& row : rows) json["table"].push_back(row_json(row));
  return json;
}

std::string rayleigh_text(const analysis::RayleighCoefficients& rayleigh) {
  std::string text = fmt::format("Rayleigh damping  C = α M + β K   (ζ = α/2ω + βω/2)\n  α = {:.6g} /s\n  β = {}\n",
                                 rayleigh.alpha, quantity(rayleigh.beta, Quantity::time));
  if (rayleigh.alpha > 0 && rayleigh.beta > 0)
    text += fmt::format("  least damping ζ = {:.4g} at {}\n", std::sqrt(rayleigh.alpha * rayleigh.beta),
                        quantity(std::sqrt(rayleigh.alpha / rayleigh.beta) / (2 * M_PI), Quantity::frequency));
  return text;
}

std::string request_text(const DampingRequest& request) {
  std::string text;
  if (request.motions)
    text += fmt::format(
        "Viscosities λd = {:.5g} Pa s, μd = {:.5g} Pa s act as β K with ζ = πfβ,\n  {} in stretch and bend (the "
        "table), {} in shear, {} in change of volume\n",
        request.viscosities->lambda, request.viscosities->mu, quantity(request.motions->stretch, Quantity::time),
        quantity(request.motions->shear, Quantity::time), quantity(request.motions->volume, Quantity::time));
  else if (request.rayleigh)
    text += rayleigh_text(*request.rayleigh);
  if (request.fit)
    text += fmt::format("  misses what was asked by at most {} (at {})\n", percent(request.fit->worst_error),
                        quantity(request.fit->worst_error_frequency, Quantity::frequency));
  if (request.viscosities && !request.motions)
    text += fmt::format("Viscosities of the same material  λd = {:.5g} Pa s, μd = {:.5g} Pa s\n",
                        request.viscosities->lambda, request.viscosities->mu);
  return text.empty() ? text : text + "\n";
}

std::string rows_text(const DampingRequest& request, const std::vector<Row>& rows) {
  std::vector<std::string> header = {"frequency",       "ζ",
                                     "loss factor",     "Q",
                                     "lost per cycle",  fmt::format("settles to {}", percent(request.settle_fraction)),
                                     "β of strain_rate"};
  const bool has_viscosities = !rows.empty() && rows.front().viscosities;
  if (has_viscosities) header.insert(header.end(), {"λd", "μd"});
  if (request.integrator) header.insert(header.end(), {"ζ of integrator", "ζ you will see", "period longer by"});
  TextTable table(header);
  for (const Row& row : rows) {
    const DampingMeasures& m = row.measures;
    std::vector<std::string> cells = {quantity(m.frequency, Quantity::frequency),
                                      number_text(m.zeta),
                                      number_text(m.loss_factor),
                                      number_text(m.quality_factor),
                                      percent(m.amplitude_lost_per_cycle),
                                      quantity(m.settle_time, Quantity::time),
                                      quantity(row.beta, Quantity::time)};
    if (has_viscosities)
      cells.insert(cells.end(), {quantity(row.viscosities->lambda, Quantity::viscosity),
                                 quantity(row.viscosities->mu, Quantity::viscosity)});
    if (row.numerical && !row.numerical->is_stable)
      cells.insert(cells.end(), {"unstable", "grows", "-"});
    else if (row.numerical)
      cells.insert(cells.end(), {number_text(row.numerical->numerical_zeta), number_text(row.numerical->zeta),
                                 percent(row.numerical->period_elongation)});
    table.add(cells);
  }
  return table.text();
}

int damping(const DampingOptions& options, const Console& console) {
  const DampingRequest request = read_damping_request(options);
  const std::vector<Row> rows = make_rows(request);
  console.print(request_text(request) + rows_text(request, rows));
  if (request.integrator)
    console.print(
        fmt::format("\n'ζ of integrator' is what {} adds by itself at dt = {}; a smaller dt makes it smaller.",
                    request.integrator->name(), quantity(request.dt, Quantity::time)));
  console.print_json(request_json(request, rows));
  return exit_ok;
}

/// --rho-inf, --newmark-beta, ...: a parameter of several integrators is one option. It bears the integrators' names,
/// and its own where no other option has that.
void add_integrator_parameters(CLI::App& app, DampingOptions& options, const std::string& group) {
  struct Option {
    std::string names, owners, symbol;
  };
  std::map<std::string, Option> all;
  for (const IntegratorEntry& integrator : all_integrators())
    for (const IntegratorParameter& parameter : integrator.parameters) {
      Option& option = all[parameter.name];
      const char* separator = option.names.empty() ? "" : ",";
      option.names += fmt::format("{}--{}-{}", separator, integrator.name, parameter.name);
      option.owners += fmt::format("{} {}", separator, integrator.name);
      option.symbol = parameter.symbol;
    }
  for (auto& [name, option] : all) {
    if (app.get_option_no_throw("--" + name) == nullptr) option.names += ",--" + name;
    std::replace(option.names.begin(), option.names.end(), '_', '-');
    app.add_option(option.names, options.integrator_parameters[name], option.symbol + " of" + option.owners)
        ->group(group);
  }
}

}  // namespace

void setup_damping(CLI::App& app, Session& session) {
  auto o = std::make_shared<DampingOptions>();
  const std::string amount = "How much (one of)", where = "Where", more = "Converted as well";
  app.add_option("--zeta", o->zeta, "Damping ratio: '0.02' with --f, or points '2 Hz:0.02,20 Hz:0.03'")->group(amount);
  app.add_option("--alpha", o->alpha, "Rayleigh's mass coefficient, '0.1 /s'")->group(amount);
  app.add_option("--beta", o->beta, "Rayleigh's stiffness coefficient, '2 ms'")->group(amount);
  app.add_option("--loss-factor", o->loss_factor, "Loss factor η = 2ζ")->group(amount);
  app.add_option("--q-factor", o->quality_factor, "Quality factor Q = 1/2ζ")->group(amount);
  app.add_option("--decrement", o->log_decrement, "Logarithmic decrement")->group(amount);
  app.add_option("--lost-per-cycle", o->lost_per_cycle, "Amplitude lost in one cycle, '5 %'")->group(amount);
  app.add_option("--settle", o->settle_time, "Time to settle, '2 s' (needs --f)")->group(amount);
  app.add_option("--viscosity", o->viscosity, "Shear viscosity, '30 Pa s' (needs --young)")->group(amount);
  app.add_option("--second-viscosity", o->second_viscosity,
                 "λd beside --viscosity, where it is not in proportion to the material's λ")
      ->group(amount);
  app.add_option("--f", o->frequencies, "Frequency, or several: '3 Hz' or '1 Hz,3 Hz,10 Hz'")->group(where);
  app.add_option("--band", o->band, "Fit Rayleigh damping to a constant --zeta over a band, '2 Hz:20 Hz'")
      ->group(where);
  app.add_option("--share", o->share, "Rayleigh through one point: flattest (half each), stiffness or mass only")
      ->check(CLI::IsMember({"flattest", "stiffness", "mass"}))
      ->group(where);
  app.add_option("--settle-to", o->settle_to, "Share of the amplitude that counts as settled")->group(where);
  app.add_option("--young", o->young, "Young's modulus, to give viscosities, '1 MPa'")->group(more);
  app.add_option("--poisson", o->poisson, "Poisson's ratio")->group(more);
  app.add_option("--integrator", o->integrator, "Add the numerical damping of this stepper, e.g. bathe (needs --dt)")
      ->group(more);
  app.add_option("--dt", o->dt, "Time step, '5 ms'")->group(more);
  add_integrator_parameters(app, *o, more);
  app.footer(
      "Examples:\n  dashpot damping --zeta \"2 Hz:0.02,20 Hz:0.02\"\n"
      "  dashpot damping --lost-per-cycle \"10 %\" --f \"3 Hz\"\n"
      "  dashpot damping --loss-factor 0.1 --f \"3 Hz\" --young \"1 MPa\"\n"
      "  dashpot damping --viscosity \"300 Pa s\" --second-viscosity \"100 Pa s\" --young \"1 MPa\" --f \"3 Hz\"\n"
      "  dashpot damping --zeta 0.02 --band \"1 Hz:50 Hz\"\n"
      "  dashpot damping --alpha \"0.1 /s\" --beta \"2 ms\" --integrator bathe --dt \"5 ms\" --f \"3 Hz\"");
  app.callback([o, &session] { session.action = [o, &session] { return damping(*o, session.console); }; });
}

}  // namespace dashpot::cli
