#include "dashpot/gradients/parameter_slopes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "dashpot/core/error.hpp"

namespace dashpot {
namespace {

/// Central differences: of the size of the number. Round-off leaves 1e-16 / 1e-6 of a force.
constexpr double relative_change = 1e-6;

const ParameterLayout::Entry& entry_of(const System& system, int value) {
  for (const ParameterLayout::Entry& entry : system.parameters().entries())
    if (entry.first <= value && value < entry.first + entry.size()) return entry;
  throw Error(Problem{"parameters", fmt::format("number {}", value),
                      fmt::format("0 to {}", system.parameter_values().size() - 1), ""});
}

/// The place of `value` among those of a term; -1: it is none of them.
int own_index(const std::vector<ParameterLayout::Range>& ranges, int value) {
  int before = 0;
  for (const ParameterLayout::Range& range : ranges) {
    if (range.first <= value && value < range.first + range.size) return before + value - range.first;
    before += range.size;
  }
  return -1;
}

bool contains(const std::vector<std::size_t>& list, std::size_t i) {
  return std::find(list.begin(), list.end(), i) != list.end();
}

void append_once(std::vector<std::size_t>& list, std::size_t i) {
  if (!contains(list, i)) list.push_back(i);
}

}  // namespace

ParameterSlopes::ParameterSlopes(const System& system, const std::vector<int>& values) : columns_(values.size()) {
  for (std::size_t k = 0; k < values.size(); ++k) make_column(system, values[k], columns_[k]);
  choose_direct(system, values);
  choose_together(system);
}

void ParameterSlopes::choose_together(const System& system) {
  const State rest = system.initial_state();
  Workspace workspace = system.make_workspace();
  system.begin_step(rest, workspace);
  for (std::size_t j = 0; j < system.dissipations().size(); ++j) {
    const DissipationTerm& term = *system.dissipations()[j];
    const ViscousOperator* viscous = term.capabilities().viscous;
    if (viscous == nullptr || term.num_internal_variables() > 0) continue;
    Together group{j, {}};
    for (std::size_t k = 0; k < columns_.size(); ++k)
      if (contains(columns_[k].dissipations, j))
        for (const Neighbor& near : columns_[k].neighbors)
          group.neighbors.push_back(
              {near.system->dissipations()[j]->capabilities().viscous, near.weight, static_cast<int>(k)});
    Matrix trial = Matrix::Zero(system.num_dofs(), static_cast<Eigen::Index>(columns_.size()));
    if (group.neighbors.empty() ||
        !viscous->add_near_forces(workspace.dissipation[j].get(), rest.v, group.neighbors, trial))
      continue;
    for (Column& column : columns_) std::erase(column.dissipations, j);
    together_.push_back(std::move(group));
  }
}

void ParameterSlopes::make_column(const System& system, int value, Column& column) const {
  const ParameterLayout::Entry& entry = entry_of(system, value);
  const auto at = static_cast<std::size_t>(value);
  const std::vector<double>& values = system.parameter_values();
  double typical = 0;  // of a list: a zero among other numbers is of their kind
  for (int i = entry.first; i < entry.first + entry.size(); ++i)
    typical = std::max(typical, std::abs(values[static_cast<std::size_t>(i)]));
  const double h = relative_change * (typical > 0 ? typical : 1);
  // At a border of its range a parameter can be moved to one side only; that is of second order too.
  const auto moved_by = [&](double shift) {
    std::vector<double> other = values;
    other[at] += shift;
    return system.with(other);
  };
  const auto admits = [&](double shift) {
    if (!entry.info.admits(values[at] + shift)) return false;
    try {
      moved_by(shift);  // several values together may have borders that no single one has
    } catch (const Error&) {
      return false;
    }
    return true;
  };
  std::vector<std::pair<double, double>> points = {{h, 0.5 / h}, {-h, -0.5 / h}};
  if (!admits(-h)) points = {{0, -1.5 / h}, {h, 2 / h}, {2 * h, -0.5 / h}};
  if (!admits(h)) points = {{0, 1.5 / h}, {-h, -2 / h}, {-2 * h, 0.5 / h}};
  for (const auto& [shift, weight] : points) {
    Neighbor& neighbor = column.neighbors.emplace_back();
    neighbor.system = moved_by(shift);
    neighbor.workspace = neighbor.system->make_workspace();
    neighbor.weight = weight;
    const System& near = *neighbor.system;
    for (std::size_t i = 0; i < system.energies().size(); ++i)
      if (near.energies()[i] != system.energies()[i]) append_once(column.energies, i);
    for (std::size_t j = 0; j < system.dissipations().size(); ++j)
      if (near.dissipations()[j] != system.dissipations()[j]) {
        append_once(column.dissipations, j);
        if (system.dissipations()[j]->num_internal_variables() > 0) append_once(column.remembering, j);
      }
    for (std::size_t j = 0; j < system.filters().size(); ++j)
      if (near.filters()[j] != system.filters()[j])
        throw Error(Problem{entry.info.name, fmt::format("a parameter of '{}'", system.filters()[j]->model()),
                            "a parameter of forces: velocity filters are not differentiated", ""});
    column.inertia |= &near.inertia() != &system.inertia();
    column.loads |= near.loads() != system.loads();
  }
}

void ParameterSlopes::choose_direct(const System& system, const std::vector<int>& values) {
  const auto gather = [&](auto member, std::size_t term, const std::vector<ParameterLayout::Range>& ranges) {
    Direct direct{term, 0, {}, {}};
    for (const ParameterLayout::Range& range : ranges) direct.num_values += range.size;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const auto& changed = columns_[k].*member;
      const int own = own_index(ranges, values[k]);
      if (own < 0 || !contains(changed, term)) continue;
      direct.which.push_back(own);
      direct.columns.push_back(static_cast<int>(k));
    }
    return direct;
  };
  const auto settle = [&](auto member, Direct direct, bool offered, std::vector<Direct>& list) {
    if (!offered) return;
    for (const int k : direct.columns) std::erase(columns_[static_cast<std::size_t>(k)].*member, direct.term);
    list.push_back(std::move(direct));
  };
  // Terms are asked at rest whether they offer it.
  const State rest = system.initial_state();
  Workspace workspace = system.make_workspace();
  system.begin_step(rest, workspace);
  for (std::size_t i = 0; i < system.energies().size(); ++i) {
    Direct direct = gather(&Column::energies, i, system.energy_ranges(i));
    if (direct.which.empty()) continue;
    Matrix trial = Matrix::Zero(system.num_dofs(), static_cast<Eigen::Index>(direct.which.size()));
    EnergyRequest request{rest.q};
    request.scratch = workspace.of_energy(i);
    const bool offered = system.energies()[i]->add_parameter_forces(request, direct.which, trial);
    settle(&Column::energies, std::move(direct), offered, energies_);
  }
  for (std::size_t j = 0; j < system.dissipations().size(); ++j) {
    Direct direct = gather(&Column::dissipations, j, system.dissipation_ranges(j));
    if (direct.which.empty()) continue;
    Matrix trial = Matrix::Zero(system.num_dofs(), static_cast<Eigen::Index>(direct.which.size()));
    const DissipationRequest request{rest.q, rest.v, rest.internal_variables[j], 0, workspace.dissipation[j].get()};
    const bool offered = system.dissipations()[j]->add_parameter_forces(request, direct.which, trial);
    settle(&Column::dissipations, std::move(direct), offered, dissipations_);
  }
}

void ParameterSlopes::begin_step(const State& state) {
  for (Column& column : columns_)
    for (Neighbor& neighbor : column.neighbors)
      for (std::size_t j = 0; j < neighbor.workspace.dissipation.size(); ++j)
        if (contains(column.dissipations, j) ||
            (!column.remembering.empty() && neighbor.system->dissipations()[j]->num_internal_variables() > 0))
          neighbor.system->dissipations()[j]->begin_step(state, neighbor.workspace.dissipation[j].get());
}

void ParameterSlopes::add_difference(const Neighbor& neighbor, const Column& column,
                                     const std::vector<Vector>& internal_variables, const StageState& motion,
                                     const Instant& instant, Vector& sum) const {
  const System& system = *neighbor.system;
  for (const std::size_t i : column.energies) {
    EnergyRequest request{motion.q};
    request.gradient = &sum;
    request.time = instant.time;
    request.scratch = neighbor.workspace.of_energy(i);
    system.energies()[i]->evaluate(request);
  }
  for (const std::size_t j : column.dissipations) {
    DissipationRequest request{motion.q, motion.v, internal_variables[j], instant.elapsed,
                               neighbor.workspace.dissipation[j].get()};
    request.force = &sum;
    request.time = instant.time;
    system.dissipations()[j]->evaluate(request);
  }
  if (column.inertia) system.inertia().add_force(motion.q, motion.v, motion.a, sum);
  if (column.loads) {
    Vector external = Vector::Zero(sum.size());
    system.add_external_force(instant.time, external);
    sum -= external;
  }
}

EnergyRequest ParameterSlopes::Point::of_energy(std::size_t i) const {
  EnergyRequest request{motion.q};
  request.time = instant.time;
  request.scratch = workspace.of_energy(i);
  return request;
}

DissipationRequest ParameterSlopes::Point::of_dissipation(std::size_t j) const {
  DissipationRequest request{motion.q, motion.v, internal_variables[j], instant.elapsed,
                             workspace.dissipation[j].get()};
  request.time = instant.time;
  return request;
}

void ParameterSlopes::add_told(const Point& at, const Direct& direct, bool is_energy, Matrix& slopes) const {
  Matrix told = Matrix::Zero(slopes.rows(), static_cast<Eigen::Index>(direct.which.size()));
  if (is_energy)
    at.system.energies()[direct.term]->add_parameter_forces(at.of_energy(direct.term), direct.which, told);
  else
    at.system.dissipations()[direct.term]->add_parameter_forces(at.of_dissipation(direct.term), direct.which, told);
  for (std::size_t i = 0; i < direct.columns.size(); ++i)
    slopes.col(direct.columns[i]) += told.col(static_cast<Eigen::Index>(i));
}

bool ParameterSlopes::add_told_products(const Point& at, const Direct& direct, bool is_energy, const Matrix& mu,
                                        Matrix& products) const {
  Matrix told = Matrix::Zero(direct.num_values, mu.cols());
  Vector weights;
  for (Eigen::Index i = 0; i < mu.cols(); ++i) {
    weights = mu.col(i);
    double* const gradient = told.col(i).data();
    const int count = is_energy ? at.system.energies()[direct.term]->add_parameter_gradient(at.of_energy(direct.term),
                                                                                            weights, gradient)
                                : at.system.dissipations()[direct.term]->add_parameter_gradient(
                                      at.of_dissipation(direct.term), weights, gradient);
    if (count < direct.num_values) return false;
  }
  for (std::size_t k = 0; k < direct.columns.size(); ++k)
    products.col(direct.columns[k]) += told.row(direct.which[k]).transpose();
  return true;
}

void ParameterSlopes::add_together(const Point& at, const Together& group, Matrix& slopes) const {
  at.system.dissipations()[group.term]->capabilities().viscous->add_near_forces(
      at.workspace.dissipation[group.term].get(), at.motion.v, group.neighbors, slopes);
}

bool ParameterSlopes::add_together_products(const Point& at, const Together& group, const Matrix& mu,
                                            Matrix& products) const {
  Matrix told = Matrix::Zero(products.cols(), mu.cols());
  Vector weights;
  for (Eigen::Index i = 0; i < mu.cols(); ++i) {
    weights = mu.col(i);
    if (!at.system.dissipations()[group.term]->capabilities().viscous->add_near_products(
            at.workspace.dissipation[group.term].get(), at.motion.v, weights, group.neighbors,
            static_cast<int>(products.cols()), told.col(i).data()))
      return false;
  }
  products += told.transpose();
  return true;
}

void ParameterSlopes::add_differences(const Point& at, std::size_t k, Vector& slope) const {
  const Column& column = columns_[k];
  slope.setZero(at.motion.q.size());
  Vector sum;
  for (const Neighbor& neighbor : column.neighbors) {
    sum.setZero(slope.size());
    add_difference(neighbor, column, at.internal_variables, at.motion, at.instant, sum);
    slope += neighbor.weight * sum;
  }
}

void ParameterSlopes::add(const System& system, const Workspace& workspace,
                          const std::vector<Vector>& internal_variables, const StageState& motion,
                          const Instant& instant, Matrix& slopes) const {
  const Point at{system, workspace, internal_variables, motion, instant};
  for (const Direct& direct : energies_) add_told(at, direct, true, slopes);
  for (const Direct& direct : dissipations_) add_told(at, direct, false, slopes);
  for (const Together& group : together_) add_together(at, group, slopes);
  Vector slope;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    if (!columns_[k].has_differences()) continue;
    add_differences(at, k, slope);
    slopes.col(static_cast<Eigen::Index>(k)) += slope;
  }
}

void ParameterSlopes::add_products(const System& system, const Workspace& workspace,
                                   const std::vector<Vector>& internal_variables, const StageState& motion,
                                   const Instant& instant, const Matrix& mu, Matrix& products) const {
  const Point at{system, workspace, internal_variables, motion, instant};
  Matrix columns;  // of terms that tell no products
  const auto by_columns = [&](const auto& add) {
    columns.setZero(mu.rows(), products.cols());
    add(columns);
    products += mu.transpose() * columns;
  };
  for (const Direct& direct : energies_)
    if (!add_told_products(at, direct, true, mu, products))
      by_columns([&](Matrix& slopes) { add_told(at, direct, true, slopes); });
  for (const Direct& direct : dissipations_)
    if (!add_told_products(at, direct, false, mu, products))
      by_columns([&](Matrix& slopes) { add_told(at, direct, false, slopes); });
  for (const Together& group : together_)
    if (!add_together_products(at, group, mu, products))
      by_columns([&](Matrix& slopes) { add_together(at, group, slopes); });
  Vector slope;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    if (!columns_[k].has_differences()) continue;
    add_differences(at, k, slope);
    products.col(static_cast<Eigen::Index>(k)) += mu.transpose() * slope;
  }
}

}  // namespace dashpot
