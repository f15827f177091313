#pragma once
// Several mass or stiffness sources seen as one: the elements of the first, then those of the second, ... So one
// damping term acts on a body made of tets, springs and point masses.

#include <vector>

#include "dashpot/model/terms.hpp"

namespace dashpot {

class CombinedStiffness final : public StiffnessSource {
 public:
  /// Sources must outlive this object.
  explicit CombinedStiffness(std::vector<const StiffnessSource*> sources) : sources_(std::move(sources)) {}
  int num_elements() const override;
  void add_stiffness(const Vector& q, StiffnessPart part, const std::vector<double>& element_scale,
                     BlockMatrix& K) const override;

 private:
  std::vector<const StiffnessSource*> sources_;
};

class CombinedMass final : public MassSource {
 public:
  /// Sources must outlive this object.
  explicit CombinedMass(std::vector<const MassSource*> sources) : sources_(std::move(sources)) {}
  int num_elements() const override;
  void add_mass(const std::vector<double>& element_scale, BlockMatrix& M) const override;

 private:
  std::vector<const MassSource*> sources_;
};

}  // namespace dashpot
