#include "dashpot/energy/tet_elasticity.hpp"

#include <algorithm>
#include <cassert>

#include "dashpot/energy/tet_kernel.hpp"

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
  task.kind = part == StiffnessPart::rest      ? TangentKind::exact
              : part == StiffnessPart::tangent ? TangentKind::projected
                                               : TangentKind::gauss_newton;
  batch_->for_each_chunk([&](int begin, int end) { run(task, begin, end); });
}

void TetElasticity::set_parameters(ParameterList parameters, Remake remake) {
  parameters_ = std::move(parameters);
  remake_ = std::move(remake);
}

std::shared_ptr<EnergyTerm> TetElasticity::remade(const double* values, const Replacements&) const {
  // Elasticity refers to no other part of the System.
  if (!remake_ || std::equal(values, values + values_of(parameters_).size(), values_of(parameters_).begin()))
    return nullptr;
  return remake_(values);
}

}  // namespace dashpot
