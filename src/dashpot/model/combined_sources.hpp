#pragma once
// Several mass, stiffness or Laplacian sources seen as one: the elements of the first, then those of the second, ... So
// one damping term acts on a body made of tets, springs and point masses.

#include <memory>
#include <vector>

#include "dashpot/model/projective_form.hpp"
#include "dashpot/model/stiffness_slope.hpp"
#include "dashpot/model/terms.hpp"

namespace dashpot {

class CombinedStiffness final : public StiffnessSource, public StiffnessSlope, public KeptPart {
 public:
  /// Sources must outlive this object.
  explicit CombinedStiffness(std::vector<const StiffnessSource*> sources) : sources_(std::move(sources)) {}
  std::shared_ptr<const KeptPart> remade(Replacements& replacements) const override;
  int num_elements() const override;
  BlockRange stiffness_blocks() const override;
  void add_stiffness(const Vector& q, StiffnessPart part, const std::vector<double>& element_scale,
                     BlockMatrix& K) const override;
  bool has_stiffness_slope() const override;
  void add_stiffness_slope(const Vector& q, StiffnessPart part, const Vector& v,
                           const std::vector<double>& element_scale, const double* by_stretches,
                           BlockMatrix& G) const override;
  bool add_near_forces(const Vector& q, StiffnessPart part, const Vector& v, std::span<const NearStiffness> neighbors,
                       Matrix& columns) const override;
  bool add_slope_product(const Vector& q, StiffnessPart part, const Vector& v, const Vector& w,
                         const std::vector<double>& element_scale, const double* by_stretches,
                         Vector& g) const override;
  bool add_near_products(const Vector& q, StiffnessPart part, const Vector& v, const Vector& w,
                         std::span<const NearStiffness> neighbors, int num_columns, double* products) const override;
  bool add_element_products(const Vector& q, StiffnessPart part, const Vector& w, const Vector& v,
                            double* products) const override;
  bool add_element_forces(const Vector& q, StiffnessPart part, const Vector& v, const ElementShare* shares,
                          int per_element, Matrix& columns) const override;

 private:
  /// What neighbors have of the i-th source, whose elements begin at `first`; `scales` keeps their parts of the scales.
  std::vector<NearStiffness> neighbors_of(std::size_t i, std::ptrdiff_t first, std::span<const NearStiffness> neighbors,
                                          std::vector<std::vector<double>>& scales) const;

  std::vector<const StiffnessSource*> sources_;
};

class CombinedMass final : public MassSource, public KeptPart {
 public:
  /// Sources must outlive this object.
  explicit CombinedMass(std::vector<const MassSource*> sources) : sources_(std::move(sources)) {}
  std::shared_ptr<const KeptPart> remade(Replacements& replacements) const override;
  int num_elements() const override;
  BlockRange mass_blocks() const override;
  void add_mass(const std::vector<double>& element_scale, BlockMatrix& M) const override;
  bool add_element_products(const Vector& w, const Vector& v, double* products) const override;
  bool add_element_forces(const Vector& v, const ElementShare* shares, int per_element, Matrix& columns) const override;

 private:
  std::vector<const MassSource*> sources_;
};

class CombinedLaplacian final : public LaplacianSource, public KeptPart {
 public:
  /// Sources must outlive this object.
  explicit CombinedLaplacian(std::vector<const LaplacianSource*> sources) : sources_(std::move(sources)) {}
  std::shared_ptr<const KeptPart> remade(Replacements& replacements) const override;
  int num_elements() const override;
  void add_laplacian(const std::vector<double>& element_scale, std::vector<double>& of_slot) const override;
  void add_spin_force(const Vector& q, const Vector& v, const std::vector<double>& element_scale,
                      Vector& f) const override;
  void add_spin_tangent(const Vector& q, const Vector& v, const std::vector<double>& element_scale, double dv_scale,
                        double dq_scale, BlockMatrix& tangent) const override;

 private:
  std::vector<const LaplacianSource*> sources_;
};

}  // namespace dashpot
