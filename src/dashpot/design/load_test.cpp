#include "dashpot/design/load_test.hpp"

#include <fmt/format.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "dashpot/core/csv.hpp"
#include "dashpot/core/error.hpp"
#include "dashpot/core/units.hpp"
#include "dashpot/model/tet_batch.hpp"

namespace dashpot::design {
namespace {

void check_cases(const std::vector<LoadCase>& cases) {
  std::vector<Problem> problems;
  int num_fitted = 0;
  for (const LoadCase& load : cases) {
    const auto report = [&](std::string found, std::string expected, std::string remedy = {}) {
      problems.push_back({load.name, std::move(found), std::move(expected), std::move(remedy)});
    };
    if (load.points.empty()) report("no loads", "a table of loads and displacements");
    if (!(load.pattern.norm() > 0)) report("a load without direction", "a direction that is not zero");
    if (!(load.probe.norm() > 0)) report("a probe without direction", "a direction that is not zero");
    for (const LoadPoint& point : load.points) {
      if (!std::isfinite(point.load) || !std::isfinite(point.displacement))
        report("a load or displacement that is missing or not finite", "a number in every row");
      else if (point.load == 0)
        report(fmt::format("load 0 with displacement {:.4g} m", point.displacement), "loads other than 0",
               "displacements count from the unloaded body: leave that row out");
      else if (point.displacement == 0 && !point.held_out)
        report(fmt::format("load {:.4g} N with displacement 0", point.load), "displacements other than 0",
               "probe a part that moves");
      num_fitted += point.held_out ? 0 : 1;
    }
  }
  if (problems.empty() && num_fitted == 0)
    problems.push_back({"fit", "every load is held out", "at least one load to fit"});
  if (!problems.empty()) throw Error(std::move(problems));
}

/// dPsi_elastic/dq at q for a material.
Vector elastic_force(const TestedBody& body, const ElasticPoints& points, const Vector& q) {
  Vector force = Vector::Zero(q.size());
  make_spline(body.name, body.batch, {points.material()})->evaluate({.q = q, .gradient = &force});
  return force;
}

/// K at q, factorized; exact where it is positive definite, as it is at a stable balance, else by LU.
std::unique_ptr<LinearSolver> factor_tangent(const System& system, const Vector& q, LinearSolverOptions options) {
  BlockMatrix K(system.pattern());
  DynamicBlocks couplings;
  couplings.clear(*system.pattern());
  EnergyRequest request{q};
  request.hessian = &K;
  request.couplings = &couplings;
  K.set_zero();
  for (const auto& term : system.energies()) term->evaluate(request);
  couplings.finish();
  auto solver = make_linear_solver(options, system.num_dofs(), false, true);
  solver->analyze(system.pattern(), system.is_free());
  if (solver->factorize_coupled(K, couplings) == SolveStatus::ok) return solver;
  options.kind = LinearSolverKind::lu;
  solver = make_linear_solver(options, system.num_dofs(), false, false);
  solver->analyze(system.pattern(), system.is_free());
  solver->factorize_coupled(K, couplings);
  return solver;
}

/// dPsi/dq - f_ext of everything at q, on the free dofs [N].
Vector residual(const System& system, const Vector& q) {
  Vector force = Vector::Zero(q.size());
  system.add_external_force(0, force);
  force = -force;
  for (const auto& term : system.energies()) term->evaluate({.q = q, .gradient = &force});
  system.reduce(force);
  return force;
}

/// The least force on a node that any load puts on those it acts on [N].
double smallest_load(const std::vector<LoadCase>& cases) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const LoadCase& load : cases)
    for (const LoadPoint& point : load.points)
      smallest = std::min(smallest, std::abs(point.load) * load.pattern.cwiseAbs().maxCoeff());
  return smallest;
}

/// [SI per written unit] of a column, or NaN when the unit is none of its kind.
double column_scale(const Table& table, std::size_t column, Quantity quantity) {
  const std::string unit = column < table.units.size() ? table.units[column] : "";
  if (unit.empty()) return 1;
  if (quantity == Quantity::force && (unit == "g" || unit == "kg")) return (unit == "g" ? 1e-3 : 1) * 9.80665;
  const ParsedQuantity parsed = parse_quantity("1 " + unit, quantity);
  return parsed.error.empty() ? parsed.value : std::nan("");
}

}  // namespace

std::vector<LoadPoint> read_load_table(const std::string& path) {
  const Table table = read_csv(path);
  std::vector<Problem> problems;
  const auto scaled = [&](const char* name, Quantity quantity, const char* expected) {
    const std::size_t column = table.find(name);
    const double scale = column_scale(table, column, quantity);
    if (!std::isfinite(scale)) problems.push_back({path, fmt::format("{} in {}", name, table.units[column]), expected});
    std::vector<double> values = table.values[column];
    for (double& value : values) value *= scale;
    return values;
  };
  const std::vector<double> load = scaled("load", Quantity::force, "a unit of force such as N or mN, or g of weight");
  const std::vector<double> moved = scaled("displacement", Quantity::length, "a unit of length such as m or mm");
  if (!problems.empty()) throw Error(std::move(problems));
  const int held_out = table.index_of("held_out");
  std::vector<LoadPoint> points;
  for (std::size_t i = 0; i < load.size(); ++i)
    points.push_back({load[i], moved[i], held_out >= 0 && table.values[static_cast<std::size_t>(held_out)][i] == 1});
  return points;
}

LoadTest::LoadTest(TestedBody body, std::vector<LoadCase> cases) : body_(std::move(body)), cases_(std::move(cases)) {
  check_cases(cases_);
  for (const LoadCase& load : cases_) num_points_ += static_cast<int>(load.points.size());
}

bool LoadTest::balance_at(const System& system, const Vector& force, Vector& q, std::string& why) const {
  State state = system.initial_state();
  StaticOptions options;
  options.linear = body_.linear;
  if (should_stop) options.on_iteration = [this](int, double) { return !should_stop(); };
  if (q.size() == state.q.size()) state.q = q;
  StaticReport report = solve_static(system, state, force, options);
  if (!report.converged && q.size() == state.q.size()) {  // a start from another material may be a bad one
    state = system.initial_state();
    report = solve_static(system, state, force, options);
  }
  if (!report.converged) return why = report.explanation, false;
  q = state.q;
  return true;
}

bool LoadTest::find_unloaded(const System& system, Vector& q, std::string& why) const {
  if (body_.unloaded.size() > 0) {
    q = body_.unloaded;
    return true;
  }
  // Without gravity and loads rest is in balance; forces are round-off there, and a solver finds no scale for its
  // tolerance.
  const Vector rest = system.initial_state().q;
  if (residual(system, rest).cwiseAbs().maxCoeff() <= 1e-9 * smallest_load(cases_)) {
    q = rest;
    return true;
  }
  return balance_at(system, Vector::Zero(system.num_dofs()), q, why);
}

LoadTest::Answer LoadTest::solve(const ElasticPoints& material) {
  Answer answer;
  const std::shared_ptr<const System> system = body_.with_material(material);
  std::vector<Vector> loaded = loaded_;
  loaded.resize(static_cast<std::size_t>(num_points_));
  Vector unloaded = unloaded_;
  if (!find_unloaded(*system, unloaded, answer.explanation)) {
    answer.explanation = "without load: " + answer.explanation;
    return answer;
  }
  const bool is_known = body_.unloaded.size() > 0;
  const Vector held = is_known ? residual(*system, unloaded) : Vector::Zero(unloaded.size());
  answer.displacement.resize(num_points_);
  std::size_t first = 0;
  for (const LoadCase& load : cases_) {
    std::vector<std::size_t> order(load.points.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::abs(load.points[a].load) < std::abs(load.points[b].load);
    });
    Vector previous = unloaded;
    for (const std::size_t i : order) {
      Vector& q = loaded[first + i];
      if (q.size() == 0) q = previous;
      if (!balance_at(*system, load.points[i].load * load.pattern + held, q, answer.explanation)) {
        answer.explanation = fmt::format("{}, {:.4g} N: {}", load.name, load.points[i].load, answer.explanation);
        return answer;
      }
      previous = q;
      answer.displacement[static_cast<Eigen::Index>(first + i)] = load.probe.dot(q - unloaded);
    }
    first += load.points.size();
  }
  system_ = system;
  unloaded_ = std::move(unloaded);
  loaded_ = std::move(loaded);
  answer.found = true;
  return answer;
}

Matrix LoadTest::sensitivities(const ElasticCurve& curve, const Vector& theta) const {
  const int num = curve.num_parameters();
  std::vector<ElasticPoints> above, below;
  constexpr double h = 1e-5;  // theta are logarithms
  for (int j = 0; j < num; ++j) {
    Vector moved = theta;
    moved[j] += h;
    above.push_back(curve.points(moved));
    moved[j] -= 2 * h;
    below.push_back(curve.points(moved));
  }
  const auto force_slopes = [&](const Vector& q) {
    Matrix slopes(q.size(), num);
    for (int j = 0; j < num; ++j) {
      const std::size_t k = static_cast<std::size_t>(j);
      slopes.col(j) = (elastic_force(body_, above[k], q) - elastic_force(body_, below[k], q)) / (2 * h);
    }
    return slopes;
  };
  Matrix J(num_points_, num);
  const Matrix unloaded_slopes = force_slopes(unloaded_);
  const bool is_known = body_.unloaded.size() > 0;
  const auto at_rest = is_known ? nullptr : factor_tangent(*system_, unloaded_, body_.linear);
  int row = 0;
  for (const LoadCase& load : cases_) {
    Matrix lambda = Matrix::Zero(load.probe.size(), 1), lambda_0 = lambda;
    if (at_rest) at_rest->solve(load.probe, lambda_0);
    for (std::size_t i = 0; i < load.points.size(); ++i, ++row) {
      const Vector& q = loaded_[static_cast<std::size_t>(row)];
      factor_tangent(*system_, q, body_.linear)->solve(load.probe, lambda);
      J.row(row) = (is_known ? lambda : lambda_0).transpose() * unloaded_slopes - lambda.transpose() * force_slopes(q);
    }
  }
  return J;
}

StretchRange LoadTest::stretches() const {
  std::vector<std::pair<double, double>> found;  // stretch, volume
  const TetBatch& batch = *body_.batch;
  for (const Vector& q : loaded_)
    for (int e = 0; e < batch.num_tets(); ++e)
      for (int p = 0; p < batch.num_points(); ++p) {
        Mat3 F = Mat3::Zero();
        for (int a = 0; a < batch.nodes_per_tet(); ++a)
          F += q.segment<3>(3 * batch.blocks(e)[a]) * batch.gradient(e, p, a).transpose();
        const Vec3 s = Eigen::JacobiSVD<Mat3>(F).singularValues();
        found.emplace_back(s[0], batch.weight(e, p));
        found.emplace_back(s[2], batch.weight(e, p));
      }
  std::sort(found.begin(), found.end());
  StretchRange range{found.front().first, found.back().first};
  const auto weight = [](const std::pair<double, double>& entry, bool above) {
    const double strain = entry.first - 1;
    return (strain > 0) == above ? strain * strain * entry.second : 0;
  };
  double total[2] = {0, 0}, sum[2] = {0, 0};  // compression, tension
  for (const auto& entry : found)
    for (const bool above : {false, true}) total[above] += weight(entry, above);
  for (const auto& entry : found) {
    if (sum[0] <= 0.02 * total[0]) range.low = std::min(entry.first, 1.0);
    if (sum[1] <= 0.98 * total[1]) range.high = std::max(entry.first, 1.0);
    for (const bool above : {false, true}) sum[above] += weight(entry, above);
  }
  return range;
}

}  // namespace dashpot::design
