#include "dashpot/learn/damping_laws.hpp"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace dashpot::learn {
namespace {

std::string rayleigh_json(double alpha, double beta) {
  return fmt::format(R"({{"model": "rayleigh", "alpha": {:.17g}, "beta": {:.17g}}})", alpha, beta);
}

}  // namespace

std::vector<DampingLaw> default_laws(const RingBand& band) {
  const double f = std::sqrt(band.lowest * band.highest), omega = 2 * std::numbers::pi * f, zeta = band.zeta;
  const double eta = std::min(2 * zeta, 0.9), root = std::sqrt(1 + eta * eta), share = 2 * eta * (eta + root);
  const double tau = 1 / (omega * std::sqrt(1 + share));
  const LawUnknown alpha{"alpha", Quantity::rate, 2 * zeta * omega}, beta{"beta", Quantity::time, 2 * zeta / omega};
  const LawUnknown half_alpha{"alpha", Quantity::rate, zeta * omega}, half_beta{"beta", Quantity::time, zeta / omega};
  const LawUnknown yield_share{"hysteresis_share", Quantity::ratio, 0.05},
      yield{"yield_strain", Quantity::ratio, 0.1 * band.strain};
  const auto memory = [f](const std::vector<std::pair<double, double>>& branches) {
    std::string list;
    for (const auto& [g, t] : branches)
      list += fmt::format(R"({}{{"share": {:.17g}, "tau": {:.17g}}})", list.empty() ? "" : ", ", g, t);
    return fmt::format(R"({{"model": "prony", "branches": [{}], "at": {:.17g}}})", list, f);
  };
  const auto structural = [f, band](double loss_factor) {
    return fmt::format(
        R"({{"model": "structural", "loss_factor": {:.17g}, "from": {:.6g}, "to": {:.6g}, "at": {:.17g}}})",
        std::min(loss_factor, 0.95), band.lowest / 3, band.highest * 3, f);
  };
  const auto dahl = [](double g, double strain) {
    return fmt::format(R"({{"model": "bouc_wen", "share": {:.17g}, "strain": {:.17g}}})", g, strain);
  };
  std::vector<DampingLaw> laws;
  laws.push_back({"alpha",
                  "Rayleigh, α alone",
                  {alpha},
                  [](const auto& v) { return fmt::format("[{}]", rayleigh_json(v[0], 0)); },
                  true});
  laws.push_back({"beta",
                  "Rayleigh, β alone",
                  {beta},
                  [](const auto& v) { return fmt::format("[{}]", rayleigh_json(0, v[0])); },
                  true});
  laws.push_back({"rayleigh",
                  "Rayleigh, α and β",
                  {half_alpha, half_beta},
                  [](const auto& v) { return fmt::format("[{}]", rayleigh_json(v[0], v[1])); },
                  true});
  laws.push_back({"structural", "one loss factor", {{"loss_factor", Quantity::ratio, eta}}, [=](const auto& v) {
                    return fmt::format("[{}]", structural(v[0]));
                  }});
  laws.push_back({"prony",
                  "Prony, one branch",
                  {{"share", Quantity::ratio, share}, {"tau", Quantity::time, tau}},
                  [=](const auto& v) {
                    return fmt::format("[{}]", memory({{v[0], v[1]}}));
                  }});
  laws.push_back({"prony_2",
                  "Prony, two branches",
                  {{"share_1", Quantity::ratio, 0.7 * share},
                   {"tau_1", Quantity::time, 0.5 * tau},
                   {"share_2", Quantity::ratio, 0.5 * share},
                   {"tau_2", Quantity::time, 5 * tau}},
                  [=](const auto& v) {
                    return fmt::format("[{}]", memory({{v[0], v[1]}, {v[2], v[3]}}));
                  }});
  // Gains of everything over the size of the displacement: this at rest, one at large motion. The model wants an
  // example; one that changes nothing.
  laws.push_back({"curve",
                  "Rayleigh α, β times a curve",
                  {half_alpha, half_beta, {"gain_at_rest", Quantity::number, 1.2}},
                  [band](const auto& v) {
                    return fmt::format(
                        R"([{{"model": "example_based", "over": {}, "examples": [{{"name": "neutral", "gamma": 1,
                       "shape": {{"from": "formula", "x": "0.01*Z", "y": "0.01*X", "z": "0.01*Y"}}}}],
                     "isotropic": {{"interpolation": "linear",
                       "curve": [{{"size": 0, "gamma": {:.17g}}}, {{"size": {:.6g}, "gamma": {:.17g}}},
                                 {{"size": {:.6g}, "gamma": 1}}]}}}}])",
                        rayleigh_json(v[0], v[1]), v[2], 0.1 * band.size, std::sqrt(v[2]), 0.5 * band.size);
                  }});
  laws.push_back({"hysteresis", "Rayleigh α and dry hysteresis", {alpha, yield_share, yield}, [=](const auto& v) {
                    return fmt::format("[{}, {}]", rayleigh_json(v[0], 0), dahl(v[1], v[2]));
                  }});
  laws.push_back({"loss_hysteresis",
                  "one loss factor and dry hysteresis",
                  {{"loss_factor", Quantity::ratio, eta}, yield_share, yield},
                  [=](const auto& v) { return fmt::format("[{}, {}]", structural(v[0]), dahl(v[1], v[2])); }});
  laws.push_back({"air_drag",
                  "Rayleigh α, β and drag of the air",
                  {half_alpha, half_beta, {"drag_coefficient", Quantity::number, 1}},
                  [](const auto& v) {
                    return fmt::format(R"([{}, {{"model": "air_drag", "normal": {:.17g}}}])", rayleigh_json(v[0], v[1]),
                                       v[2]);
                  }});
  return laws;
}

}  // namespace dashpot::learn
