#include "dashpot/model/combined_sources.hpp"

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
