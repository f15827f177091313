#include "dashpot/model/combined_sources.hpp"

#include <algorithm>
#include <cassert>

namespace dashpot {
namespace {

template <class Source>
int total_elements(const std::vector<const Source*>& sources) {
  int count = 0;
  for (const Source* source : sources) count += source->num_elements();
  return count;
}

/// Calls action(source, its part of the scales) for every source.
template <class Source, class Action>
void for_each_part(const std::vector<const Source*>& sources, const std::vector<double>& element_scale, Action action) {
  assert(static_cast<int>(element_scale.size()) == total_elements(sources));
  auto begin = element_scale.begin();
  for (const Source* source : sources) {
    const auto end = begin + source->num_elements();
    action(*source, std::vector<double>(begin, end));
    begin = end;
  }
}

/// add(source, its part of the shares) for every source; where one refuses, the columns are as before.
template <class Source, class Add>
bool add_all_or_nothing(const std::vector<const Source*>& sources, const ElementShare* shares, int per_element,
                        Matrix& columns, Add add) {
  if (sources.size() == 1) return add(*sources[0], shares);
  const Matrix before = columns;
  for (const Source* source : sources) {
    if (!add(*source, shares)) {
      columns = before;
      return false;
    }
    shares += static_cast<std::ptrdiff_t>(source->num_elements()) * per_element;
  }
  return true;
}

/// The same sum of the sources' successors; null: none was replaced.
template <class Combined, class Source>
std::shared_ptr<const KeptPart> sum_of_successors(const Combined& old, const std::vector<const Source*>& sources,
                                                  Replacements& replacements) {
  std::vector<const Source*> successors;
  for (const Source* source : sources) successors.push_back(replacements.of(source));
  if (successors == sources) return nullptr;
  auto sum = std::make_shared<const Combined>(std::move(successors));
  replacements.add<Source>(&old, sum.get());
  return sum;
}

}  // namespace

std::shared_ptr<const KeptPart> CombinedStiffness::remade(Replacements& replacements) const {
  return sum_of_successors(*this, sources_, replacements);
}
std::shared_ptr<const KeptPart> CombinedMass::remade(Replacements& replacements) const {
  return sum_of_successors(*this, sources_, replacements);
}
std::shared_ptr<const KeptPart> CombinedLaplacian::remade(Replacements& replacements) const {
  return sum_of_successors(*this, sources_, replacements);
}

int CombinedStiffness::num_elements() const { return total_elements(sources_); }

BlockRange CombinedStiffness::stiffness_blocks() const {
  BlockRange range;
  for (const StiffnessSource* source : sources_) range = hull(range, source->stiffness_blocks());
  return range;
}

void CombinedStiffness::add_stiffness(const Vector& q, StiffnessPart part, const std::vector<double>& element_scale,
                                      BlockMatrix& K) const {
  for_each_part(sources_, element_scale, [&](const StiffnessSource& source, const std::vector<double>& scale) {
    source.add_stiffness(q, part, scale, K);
  });
}

bool CombinedStiffness::has_stiffness_slope() const {
  return std::all_of(sources_.begin(), sources_.end(), [](const auto* source) { return slope_of(source) != nullptr; });
}

void CombinedStiffness::add_stiffness_slope(const Vector& q, StiffnessPart part, const Vector& v,
                                            const std::vector<double>& element_scale, const double* by_stretches,
                                            BlockMatrix& G) const {
  for_each_part(sources_, element_scale, [&](const StiffnessSource& source, const std::vector<double>& scale) {
    slope_of(&source)->add_stiffness_slope(q, part, v, scale, by_stretches, G);
    if (by_stretches != nullptr) by_stretches += 3 * static_cast<std::ptrdiff_t>(source.num_elements());
  });
}

std::vector<NearStiffness> CombinedStiffness::neighbors_of(std::size_t i, std::ptrdiff_t first,
                                                           std::span<const NearStiffness> neighbors,
                                                           std::vector<std::vector<double>>& scales) const {
  const std::ptrdiff_t count = sources_[i]->num_elements();
  std::vector<NearStiffness> of_source;
  scales.clear();
  scales.reserve(neighbors.size());
  for (const NearStiffness& near : neighbors) {
    const auto& other = static_cast<const CombinedStiffness&>(*near.source);  // remade() made it of this one
    const auto begin = near.element_scale->begin() + first;
    scales.emplace_back(begin, begin + count);
    of_source.push_back({other.sources_[i], &scales.back(), near.weight, near.column});
  }
  return of_source;
}

bool CombinedStiffness::add_near_forces(const Vector& q, StiffnessPart part, const Vector& v,
                                        std::span<const NearStiffness> neighbors, Matrix& columns) const {
  if (!has_stiffness_slope()) return false;
  Matrix sum = Matrix::Zero(columns.rows(), columns.cols());  // a later source may refuse
  std::ptrdiff_t first = 0;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    std::vector<std::vector<double>> scales;
    if (!slope_of(sources_[i])->add_near_forces(q, part, v, neighbors_of(i, first, neighbors, scales), sum))
      return false;
    first += sources_[i]->num_elements();
  }
  columns += sum;
  return true;
}

bool CombinedStiffness::add_slope_product(const Vector& q, StiffnessPart part, const Vector& v, const Vector& w,
                                          const std::vector<double>& element_scale, const double* by_stretches,
                                          Vector& g) const {
  if (!has_stiffness_slope()) return false;
  Vector sum = Vector::Zero(g.size());  // a later source may refuse
  bool offered = true;
  for_each_part(sources_, element_scale, [&](const StiffnessSource& source, const std::vector<double>& scale) {
    offered = offered && slope_of(&source)->add_slope_product(q, part, v, w, scale, by_stretches, sum);
    if (by_stretches != nullptr) by_stretches += 3 * static_cast<std::ptrdiff_t>(source.num_elements());
  });
  if (offered) g += sum;
  return offered;
}

bool CombinedStiffness::add_near_products(const Vector& q, StiffnessPart part, const Vector& v, const Vector& w,
                                          std::span<const NearStiffness> neighbors, int num_columns,
                                          double* products) const {
  if (!has_stiffness_slope()) return false;
  Vector sum = Vector::Zero(num_columns);  // a later source may refuse
  std::ptrdiff_t first = 0;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    std::vector<std::vector<double>> scales;
    if (!slope_of(sources_[i])
             ->add_near_products(q, part, v, w, neighbors_of(i, first, neighbors, scales), num_columns, sum.data()))
      return false;
    first += sources_[i]->num_elements();
  }
  Vector::Map(products, num_columns) += sum;
  return true;
}

bool CombinedStiffness::add_element_products(const Vector& q, StiffnessPart part, const Vector& w, const Vector& v,
                                             double* products) const {
  bool offered = true;
  for (const StiffnessSource* source : sources_) {
    offered &= source->add_element_products(q, part, w, v, products);
    products += source->num_elements();
  }
  return offered;
}

bool CombinedMass::add_element_products(const Vector& w, const Vector& v, double* products) const {
  bool offered = true;
  for (const MassSource* source : sources_) {
    offered &= source->add_element_products(w, v, products);
    products += source->num_elements();
  }
  return offered;
}

bool CombinedStiffness::add_element_forces(const Vector& q, StiffnessPart part, const Vector& v,
                                           const ElementShare* shares, int per_element, Matrix& columns) const {
  return add_all_or_nothing(sources_, shares, per_element, columns,
                            [&](const StiffnessSource& source, const ElementShare* own) {
                              return source.add_element_forces(q, part, v, own, per_element, columns);
                            });
}

bool CombinedMass::add_element_forces(const Vector& v, const ElementShare* shares, int per_element,
                                      Matrix& columns) const {
  return add_all_or_nothing(sources_, shares, per_element, columns,
                            [&](const MassSource& source, const ElementShare* own) {
                              return source.add_element_forces(v, own, per_element, columns);
                            });
}

int CombinedMass::num_elements() const { return total_elements(sources_); }

BlockRange CombinedMass::mass_blocks() const {
  BlockRange range;
  for (const MassSource* source : sources_) range = hull(range, source->mass_blocks());
  return range;
}

void CombinedMass::add_mass(const std::vector<double>& element_scale, BlockMatrix& M) const {
  for_each_part(sources_, element_scale,
                [&](const MassSource& source, const std::vector<double>& scale) { source.add_mass(scale, M); });
}

int CombinedLaplacian::num_elements() const { return total_elements(sources_); }

void CombinedLaplacian::add_laplacian(const std::vector<double>& element_scale, std::vector<double>& of_slot) const {
  for_each_part(sources_, element_scale, [&](const LaplacianSource& source, const std::vector<double>& scale) {
    source.add_laplacian(scale, of_slot);
  });
}

void CombinedLaplacian::add_spin_force(const Vector& q, const Vector& v, const std::vector<double>& element_scale,
                                       Vector& f) const {
  for_each_part(sources_, element_scale, [&](const LaplacianSource& source, const std::vector<double>& scale) {
    source.add_spin_force(q, v, scale, f);
  });
}

void CombinedLaplacian::add_spin_tangent(const Vector& q, const Vector& v, const std::vector<double>& element_scale,
                                         double dv_scale, double dq_scale, BlockMatrix& tangent) const {
  for_each_part(sources_, element_scale, [&](const LaplacianSource& source, const std::vector<double>& scale) {
    source.add_spin_tangent(q, v, scale, dv_scale, dq_scale, tangent);
  });
}

}  // namespace dashpot
