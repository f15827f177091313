#include "dashpot/energy/tet_elasticity.hpp"

#include <algorithm>
#include <cassert>

#include "dashpot/energy/tet_kernel.hpp"
#include "dashpot/energy/tet_slope.hpp"

namespace dashpot {

using formula::TangentKind;

TetElasticity::TetElasticity(std::string body, std::shared_ptr<TetBatch> batch)
    : body_(std::move(body)), batch_(std::move(batch)) {}

void TetElasticity::couple(PatternBuilder& pattern) const {
  for (int i = 0; i < batch_->num_tets(); ++i) pattern.add_group(batch_->blocks(i), batch_->nodes_per_tet());
}

void TetElasticity::bind(const BlockPattern& pattern) { batch_->bind(pattern); }

double TetElasticity::evaluate(const EnergyRequest& request) const {
  Task task;
  task.q = request.q.data();
  task.gradient = request.gradient != nullptr ? request.gradient->data() : nullptr;
  task.stiffness = request.hessian;
  task.stiffness_scale = request.hessian_scale;
  if (request.hessian != nullptr)
    task.kind = request.projection == Projection::none ? TangentKind::exact : TangentKind::projected;
  const Company company(request.companions);
  if (!company.is_empty()) task.company = &company;
  return batch_->sum_over_chunks([&](int begin, int end) { return run(task, begin, end); });
}

void TetElasticity::add_stiffness(const Vector& q, StiffnessPart part, const std::vector<double>& element_scale,
                                  BlockMatrix& K) const {
  assert(static_cast<int>(element_scale.size()) == num_elements());
  Task task;
  task.q = part == StiffnessPart::rest ? nullptr : q.data();
  task.stiffness = &K;
  task.element_scale = element_scale.data();
  task.kind = kind_of(part);
  batch_->for_each_chunk([&](int begin, int end) { run(task, begin, end); });
}

void TetElasticity::set_parameters(ParameterList parameters, Remake remake) {
  parameters_ = std::move(parameters);
  remake_ = std::move(remake);
}

void TetElasticity::set_parameters(YoungPoisson parameters, Remake remake) {
  set_parameters(parameters.parameters(), std::move(remake));
  young_poisson_ = std::move(parameters);
}

int TetElasticity::add_parameter_gradient(const EnergyRequest& request, const Vector& weights, double* gradient) const {
  if (!young_poisson_) return 0;
  std::vector<double> by_lambda(static_cast<std::size_t>(num_elements()), 0.0), by_mu = by_lambda;
  batch_->for_each_chunk([&](int begin, int end) {
    add_lame_gradient(request.q.data(), weights.data(), begin, end, by_lambda.data(), by_mu.data());
  });
  young_poisson_->add_gradient(by_lambda, by_mu, gradient);
  return young_poisson_->num_values();
}

bool TetElasticity::add_parameter_forces(const EnergyRequest& request, std::span<const int> which,
                                         Matrix& columns) const {
  if (!young_poisson_) return false;
  std::vector<int> column_of_value(static_cast<std::size_t>(young_poisson_->num_values()), -1);
  for (std::size_t i = 0; i < which.size(); ++i)
    column_of_value[static_cast<std::size_t>(which[i])] = static_cast<int>(i);
  const std::vector<LameShare> shares = young_poisson_->shares(num_elements(), column_of_value);
  batch_->for_each_chunk(
      [&](int begin, int end) { add_lame_forces(request.q.data(), shares.data(), begin, end, columns); });
  return true;
}

bool TetElasticity::add_element_products(const Vector& q, StiffnessPart part, const Vector& w, const Vector& v,
                                         double* products) const {
  const double* at = part == StiffnessPart::rest ? nullptr : q.data();
  const TangentKind kind = kind_of(part);
  batch_->for_each_chunk([&](int begin, int end) { add_products(at, kind, w.data(), v.data(), begin, end, products); });
  return true;
}

bool TetElasticity::add_element_forces(const Vector& q, StiffnessPart part, const Vector& v, const ElementShare* shares,
                                       int per_element, Matrix& columns) const {
  const double* at = part == StiffnessPart::rest ? nullptr : q.data();
  const TangentKind kind = kind_of(part);
  batch_->for_each_chunk(
      [&](int begin, int end) { add_tangent_forces(at, kind, v.data(), shares, per_element, begin, end, columns); });
  return true;
}

std::shared_ptr<EnergyTerm> TetElasticity::remade(const double* values, const Replacements&) const {
  // Elasticity refers to no other part of the System.
  if (!remake_ || std::equal(values, values + values_of(parameters_).size(), values_of(parameters_).begin()))
    return nullptr;
  return remake_(values);
}

}  // namespace dashpot
