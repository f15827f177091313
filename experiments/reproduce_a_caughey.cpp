// A-caughey: paper A, sec. 4.1.2. With vibration modes as examples and gains gamma_i = sum_j a_j omega_i^2j / (alpha +
// beta omega_i^2), damping by examples has the damping ratios of Caughey's series C = M sum_j a_j (M^-1 K)^j, without
// its dense matrix; with all modes it is that matrix. Gains may also give what no short series can: one ratio over a
// band.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <Eigen/Eigenvalues>

#include "dashpot/analysis/modal_damping.hpp"
#include "dashpot/dissipation/modal.hpp"
#include "dashpot/modes/system_modes.hpp"
#include "experiment.hpp"
#include "interrupt.hpp"
#include "measures.hpp"

namespace dashpot::cli::a_caughey {
namespace {

const std::string bunny = R"({"shape": "bunny", "tets": 1500})", feet = R"({"region": "feet"})";
const std::string bar = R"({"bar": {"size": [1, 0.3, 0.3], "cells": [3, 1, 1]}})";
const std::string bar_end = R"({"box": [[-1, -1, -1], [1e-6, 1, 1]]})";

struct Body {
  std::string mesh, held;
};

std::string scene_text(const Body& body, const std::string& damping, const std::string& start, const Vec3& probe,
                       double dt, double end) {
  return fmt::format(R"({{
  "dashpot": 1,
  "title": "A body damped mode by mode",
  "time": {{"dt": {dt}, "end": {end}, "stepper": "bathe"}},
  "bodies": [{{
    "name": "body",
    "mesh": {mesh},
    "material": {{"model": "linear", "young": "60 kPa", "poisson": 0.4, "density": 300}},
    "damping": [{damping}],
    "pins": [{{"where": {held}}}],
    "start": {start}
  }}],
  "record": {{"every": {end}, "probes": [{{"name": "point", "where": {{"nearest": [{x}, {y}, {z}]}}}}]}}
}}
)",
                     fmt::arg("dt", dt), fmt::arg("end", end), fmt::arg("mesh", body.mesh), fmt::arg("held", body.held),
                     fmt::arg("damping", damping), fmt::arg("start", start), fmt::arg("x", probe[0]),
                     fmt::arg("y", probe[1]), fmt::arg("z", probe[2]));
}

constexpr double alpha = 0.5, beta = 1e-3;  // the default damping [1/s], [s]
double rayleigh_ratio(double omega) { return 0.5 * (alpha / omega + beta * omega); }

std::string damping_of(const Vector& gamma) {
  std::vector<std::string> examples;
  for (Eigen::Index i = 0; i < gamma.size(); ++i)
    examples.push_back(fmt::format(
        R"({{"name": "mode {0}", "shape": {{"from": "mode", "mode": {0}, "amplitude": "1 cm"}}, "gamma": {1}}})", i + 1,
        gamma[i]));
  return fmt::format(
      R"({{"model": "example_based", "over": {{"model": "rayleigh", "alpha": {}, "beta": {}, "stiffness": "rest"}},
      "examples": [{}]}})",
      alpha, beta, fmt::join(examples, ",\n        "));
}

/// Vibration modes of the body at rest; sizes agree.
struct Modes {
  CompiledScene scene;
  Matrix shapes;
  Vector omega;  ///< [rad/s]
};

Modes modes_with(const Body& body, const std::string& damping, int count) {
  Modes modes;
  modes.scene = compile(parse_scene(scene_text(body, damping, R"("rest")", Vec3::Zero(), 1e-3, 1)));
  const System& system = *modes.scene.system;
  const ModesResult result = system_modes(system, system.initial_state(), {.num_modes = count});
  modes.shapes = result.shapes.rightCols(count);
  modes.omega = result.lambda.tail(count).cwiseSqrt();
  return modes;
}

/// zeta of every mode, from the damping forces themselves.
Vector ratios(const Modes& modes) {
  Vector zeta(modes.omega.size());
  for (Eigen::Index i = 0; i < zeta.size(); ++i)
    zeta[i] = analysis::modal_damping(*modes.scene.system, modes.scene.system->initial_state(), modes.shapes.col(i),
                                      modes.omega[i], 1e-3)
                  .at(0)
                  .zeta;
  return zeta;
}

Vector gains_for(const Vector& zeta, const Vector& omega) {
  return zeta.cwiseQuotient(omega.unaryExpr([](double w) { return rayleigh_ratio(w); }));
}

double worst_error(const Vector& ours, const Vector& wanted) {
  double worst = 0;  // Eigen's maxCoeff may drop what is not a number
  for (Eigen::Index i = 0; i < wanted.size(); ++i) worst = larger(worst, std::abs(ours[i] / wanted[i] - 1));
  return ours.size() == wanted.size() && wanted.size() > 0 ? worst : not_measured;
}

/// Columns f(e_j) over the free dofs of a linear map f.
Matrix dense(const System& system, const std::function<Vector(const Vector&)>& map) {
  std::vector<int> free;
  for (int i = 0; i < system.num_dofs(); ++i)
    if (system.is_free()[static_cast<std::size_t>(i)] != 0) free.push_back(i);
  Matrix all(static_cast<Eigen::Index>(free.size()), static_cast<Eigen::Index>(free.size()));
  for (std::size_t j = 0; j < free.size(); ++j) {
    const Vector column = map(Vector::Unit(system.num_dofs(), free[j]));
    for (std::size_t i = 0; i < free.size(); ++i)
      all(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = column[free[i]];
  }
  return all;
}

/// Positive, so that every ratio is: each term gives 2 %, 1 %, 0.7 %, ... at the frequency `middle` [rad/s].
std::vector<double> series_coefficients(const std::vector<int>& powers, double middle) {
  std::vector<double> coefficients;
  for (std::size_t j = 0; j < powers.size(); ++j)
    coefficients.push_back(2 * 0.02 / (1 + static_cast<double>(j)) * std::pow(middle, 1 - 2 * powers[j]));
  return coefficients;
}

/// Relative difference between Caughey's dense matrix and examples that span everything, on a small bar.
double matrix_difference(const std::vector<int>& powers) {
  const Body small{bar, bar_end};
  const Modes plain = modes_with(small, damping_of(Vector::Ones(1)), 36);
  const Vector& omega = plain.omega;
  const std::vector<double> coefficients = series_coefficients(powers, std::sqrt(omega[0] * omega[35]));
  const Modes designed =
      modes_with(small, damping_of(gains_for(caughey_ratios(coefficients, powers, omega), omega)), 36);
  const System& system = *designed.scene.system;
  State state = system.initial_state();
  Workspace workspace = system.make_workspace();
  system.begin_step(state, workspace);
  const Matrix ours = dense(system, [&](const Vector& v) {
    Vector f = Vector::Zero(v.size());
    system.dissipations()[0]->evaluate({.q = state.q,
                                        .v = v,
                                        .internal_variables = state.q,
                                        .dt = 1e-3,
                                        .scratch = workspace.dissipation[0].get(),
                                        .force = &f});
    return f;
  });
  const Matrix M = dense(system, [&](const Vector& a) {
    Vector f = Vector::Zero(a.size());
    system.inertia().add_force(state.q, Vector::Zero(a.size()), a, f);
    return f;
  });
  const Matrix K = dense(system, [&](const Vector& u) {
    Vector f = Vector::Zero(u.size());
    for (const auto& energy : system.energies()) energy->evaluate({.q = state.q + u, .gradient = &f});
    return f;
  });
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> all(0.5 * (K + K.transpose()), M);
  const Vector w = all.eigenvalues().cwiseSqrt();
  const Vector rates = 2 * caughey_ratios(coefficients, powers, w).cwiseProduct(w);
  const Matrix MPhi = M * all.eigenvectors();
  const Matrix caughey = MPhi * rates.asDiagonal() * MPhi.transpose();
  return (ours - caughey).norm() / caughey.norm();
}

/// zeta that a release from mode `number` shows, read where the mode moves most.
double measured_ratio(const ReproductionRequest& request, const Body& body, const Modes& modes,
                      const std::string& damping, int number) {
  const Vector shape = modes.shapes.col(number - 1);
  Eigen::Index node = 0;
  for (Eigen::Index i = 0; i < shape.size() / 3; ++i)
    if (shape.segment<3>(3 * i).norm() > shape.segment<3>(3 * node).norm()) node = i;
  const double period = 2 * std::numbers::pi / modes.omega[number - 1];
  const Vec3 where = modes.scene.system->rest().segment<3>(3 * node);
  const std::string start = fmt::format(R"({{"from": "mode", "mode": {}, "amplitude": "1 cm"}})", number);
  const RecordedRun motion =
      run_scene(request, fmt::format("mode {}", number),
                scene_text(body, damping, start, where, period / 80, 10 * period), number == 1 ? "scene.json" : "");
  return is_complete(motion) ? motion.ring().zeta : not_measured;
}

std::vector<Claim> reproduce(const ReproductionRequest& request) {
  const bool quick = request.variant == ReproductionVariant::quick;
  const Body body{bunny, feet};
  const int count = quick ? 8 : 20;
  const std::vector<int> powers = {0, 1, 2, 3};
  const Modes plain = modes_with(body, damping_of(Vector::Ones(1)), count);
  const Vector& omega = plain.omega;
  const Eigen::Index last = omega.size() - 1;
  const std::vector<double> coefficients = series_coefficients(powers, omega[last / 2]);
  const Vector wanted = caughey_ratios(coefficients, powers, omega);
  const std::string damping = damping_of(gains_for(wanted, omega));
  const Vector ours = ratios(modes_with(body, damping, count));
  const Vector flat =
      ratios(modes_with(body, damping_of(gains_for(Vector::Constant(omega.size(), 0.03), omega)), count));

  double worst_measured = 0;
  render::Series rung{"measured in ring-downs", {}, {}, {}, render::Mark::points};
  for (const int number : quick ? std::vector<int>{1, 4, 8} : std::vector<int>{1, 3, 6, 10, 15, 20}) {
    const double zeta = measured_ratio(request, body, plain, damping, number);
    if (interrupted()) return {};
    worst_measured = larger(worst_measured, std::abs(zeta / wanted[number - 1] - 1));
    rung.x.push_back(omega[number - 1] / (2 * std::numbers::pi));
    rung.y.push_back(100 * zeta);
  }

  std::vector<Claim> claims;
  claims.push_back(claim_at_most("worst_ratio_error", "relative error of ζ per mode against Caughey's series",
                                 std::string("equal"), worst_error(ours, wanted), "1", 1e-9));
  claims.push_back(claim_at_most("matrix_difference", "with all modes as examples the matrix is Caughey's (36 dofs)",
                                 std::string("equal"), matrix_difference(powers), "1", 1e-9));
  claims.push_back(claim_at_most("measured_ratio_error", "the same ζ, read from ring-downs of single modes",
                                 ClaimValue{}, 100 * worst_measured, "%", 1));
  claims.push_back(claim_at_most("flat_band_error", "one ζ over all these modes: worst relative deviation from 3 %",
                                 ClaimValue{}, worst_error(flat, Vector::Constant(omega.size(), 0.03)), "1", 1e-9));

  render::Panel panel{"Damping ratio of each mode", {"frequency", "Hz"}, {"damping ratio", "%", false, 0.0}, {}, {}};
  render::Series series{"Caughey's series, 4 terms"}, default_line{"default (Rayleigh)"};
  for (double w = omega[0]; w <= omega[last]; w += (omega[last] - omega[0]) / 200) {
    series.x.push_back(w / (2 * std::numbers::pi));
    series.y.push_back(100 * caughey_ratios(coefficients, powers, Vector::Constant(1, w))[0]);
    default_line.x.push_back(series.x.back());
    default_line.y.push_back(100 * rayleigh_ratio(w));
  }
  render::Series by_examples{"by examples", {}, {}, {}, render::Mark::points},
      band{"by examples: flat", {}, {}, {}, render::Mark::points};
  for (Eigen::Index i = 0; i <= last; ++i) {
    by_examples.x.push_back(omega[i] / (2 * std::numbers::pi));
    by_examples.y.push_back(100 * ours[i]);
    band.x.push_back(by_examples.x.back());
    band.y.push_back(100 * flat[i]);
  }
  panel.series = {series, default_line, by_examples, rung, band};
  render::Report report;
  report.title = "A-caughey: modes as examples are Caughey damping without its dense matrix";
  report.subtitle = "Xu & Barbič 2017, section 4.1.2";
  report.summary = fmt::format(
      "A bunny on pinned feet (linear, {} dofs) with its first {} modes as examples. Gains taken from a four-term "
      "Caughey "
      "series give each mode that series' damping ratio to {:.1e}. Caughey's own matrix would hold {:.1f} million "
      "numbers; the examples hold {:.0f} thousand. Gains need not follow a series: one ratio for all of the band is "
      "as easy.",
      plain.scene.system->num_dofs(), count, worst_error(ours, wanted),
      std::pow(plain.scene.system->num_dofs(), 2) / 1e6, plain.scene.system->num_dofs() * count / 1e3);
  report.sections.push_back(
      {"Damping ratios", {write_figure(request, "ratios", {"Damping ratio over frequency", "Four laws.", {panel}})}});
  write_report(request, report, claims);
  return claims;
}

}  // namespace

Reproduction reproduction() {
  return {"A-caughey", "Xu & Barbic 2017, sec. 4.1.2", "modes as examples have the ratios of Caughey's series",
          reproduce};
}

}  // namespace dashpot::cli::a_caughey
