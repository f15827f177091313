#include "dashpot/learn/fit_evaluation.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"

namespace dashpot::learn {
namespace {

constexpr double inside_range = 1e-9;  // admissible values: this far inside, of the range or the value

const ParameterLayout::Entry& entry_for(const ObservedRun& run, const Unknown& unknown) {
  return run.scene->system->parameters().at(unknown.parameter);
}

void check_problem(const FitProblem& problem) {
  std::vector<Problem> problems;
  if (problem.runs.empty()) problems.push_back({"", "no run", "at least one run with measurements", ""});
  if (problem.unknowns.empty()) problems.push_back({"", "no unknown", "at least one parameter to look for", ""});
  for (const ObservedRun& run : problem.runs) {
    if (run.observations.empty()) problems.push_back({run.name, "no measurement", "something to compare with", ""});
    for (const Unknown& unknown : problem.unknowns) {
      const ParameterLayout::Entry* entry = run.scene->system->parameters().find(unknown.parameter);
      if (entry == nullptr)
        problems.push_back({run.name, fmt::format("no parameter '{}'", unknown.parameter),
                            "the same parameters in every run", "`dashpot parameters` lists those of a scene"});
      else if (unknown.number < 0 || unknown.number >= entry->size())
        problems.push_back(
            {run.name, fmt::format("'{}'", unknown.name()), fmt::format("{} numbers, from 0", entry->size()), ""});
      if (unknown.map == Unknown::Map::logarithmic && !(unknown.start > 0))
        problems.push_back({run.name, fmt::format("{} = {:.6g}", unknown.name(), unknown.start),
                            "a positive number to start from", ""});
      if (unknown.map == Unknown::Map::interval && !(unknown.low < unknown.start && unknown.start < unknown.high))
        problems.push_back({run.name, fmt::format("{} = {:.6g}", unknown.name(), unknown.start),
                            fmt::format("a start between {:g} and {:g}", unknown.low, unknown.high), ""});
    }
  }
  if (!problems.empty()) throw Error(std::move(problems));
}

}  // namespace

FitEvaluation::FitEvaluation(const FitProblem& problem) : problem_(problem) {
  check_problem(problem);
  const auto n = static_cast<Eigen::Index>(problem.unknowns.size());
  precision_ = problem.precision.size() > 0 ? problem.precision : Matrix(Matrix::Zero(n, n));
  prior_ = problem.prior.size() > 0 ? problem.prior : Vector(Vector::Zero(n));
  for (const ObservedRun& run : problem.runs) {
    std::vector<int>& indices = indices_.emplace_back();
    for (const Unknown& unknown : problem.unknowns) indices.push_back(entry_for(run, unknown).first + unknown.number);
  }
}

Vector FitEvaluation::slopes(const Vector& x) const {
  Vector slope(x.size());
  for (Eigen::Index k = 0; k < x.size(); ++k) slope[k] = problem_.unknowns[static_cast<std::size_t>(k)].slope(x[k]);
  return slope;
}

Comparison FitEvaluation::at(const Vector& x, const Request& request) const {
  Comparison sum;
  const auto num_runs = static_cast<double>(problem_.runs.size());
  std::vector<Eigen::Index> moving = request.moving;
  for (Eigen::Index k = 0; request.moving.empty() && k < size(); ++k) moving.push_back(k);
  for (std::size_t r = 0; r < problem_.runs.size(); ++r) {
    const ObservedRun& run = problem_.runs[r];
    CompareOptions options;
    options.values = problem_.values(run, x);
    if (request.derivatives)
      for (const Eigen::Index k : moving) options.parameters.push_back(indices_[r][static_cast<std::size_t>(k)]);
    const double from = run.scene->start.time, last = run.last_instant();
    options.until = request.stage.horizon >= 1 ? last : from + request.stage.horizon * (last - from);
    options.robust_scale = request.stage.robust_scale;
    options.give_up_above = request.give_up_above - sum.chi2;
    options.should_stop = request.should_stop;
    if (request.on_points)
      options.on_instant = [&, r](std::size_t, int, const std::vector<Vec3>& points, const ResidualRows&) {
        request.on_points(r, points);
      };
    if (request.on_progress)
      options.on_step = [&, r](double time) {
        const double done = (time - from) / std::max(options.until - from, 1e-300);
        request.on_progress((static_cast<double>(r) + done) / num_runs);
      };
    Comparison one = compare(run, options);
    if (request.derivatives) {
      const Vector slope = slopes(x)(moving);
      Matrix JtJ = Matrix::Zero(size(), size());
      Vector Jtr = Vector::Zero(size());
      if (one.JtJ.size() > 0) {
        JtJ(moving, moving) = slope.asDiagonal() * one.JtJ * slope.asDiagonal();
        Jtr(moving) = slope.asDiagonal() * one.Jtr;
      }
      one.JtJ = std::move(JtJ);
      one.Jtr = std::move(Jtr);
    }
    sum.add(one);
    if (!sum.reached()) break;
  }
  return sum;
}

std::pair<Vector, Vector> FitEvaluation::box() const {
  const double infinity = std::numeric_limits<double>::infinity();
  std::pair<Vector, Vector> box(Vector::Constant(size(), -infinity), Vector::Constant(size(), infinity));
  for (std::size_t k = 0; k < problem_.unknowns.size(); ++k) {
    const Unknown& unknown = problem_.unknowns[k];
    const ParameterInfo& info = entry_for(problem_.runs[0], unknown).info;
    const double margin = info.is_open ? inside_range * std::max(std::abs(unknown.start), unknown.scale) : 0;
    box.first[static_cast<Eigen::Index>(k)] = unknown.x_of(info.low + margin);
    box.second[static_cast<Eigen::Index>(k)] = unknown.x_of(info.high - margin);
  }
  return box;
}

void FitEvaluation::clamp(Vector& x) const {
  const auto [low, high] = box();
  for (std::size_t k = 0; k < problem_.unknowns.size(); ++k) {
    const Unknown& unknown = problem_.unknowns[k];
    double& at = x[static_cast<Eigen::Index>(k)];
    const ParameterInfo& info = entry_for(problem_.runs[0], unknown).info;
    const double value = unknown.value(at);
    if (!info.admits(value))
      at = value <= info.low ? low[static_cast<Eigen::Index>(k)] : high[static_cast<Eigen::Index>(k)];
  }
}

void complete(const FitProblem& problem, const FitEvaluation& evaluation, const Comparison& at_x, FitResult& result) {
  result.values.clear();
  for (std::size_t k = 0; k < problem.unknowns.size(); ++k)
    result.values.push_back(problem.unknowns[k].value(result.x[static_cast<Eigen::Index>(k)]));
  result.chi2 = at_x.chi2;
  result.prior = evaluation.prior_at(result.x);
  result.num_residuals = at_x.num_residuals;
  result.JtJ = at_x.JtJ;
}

}  // namespace dashpot::learn
