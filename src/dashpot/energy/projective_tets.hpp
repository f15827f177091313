#pragma once
// Elastic energies of tets as sources of Laplacians and as projective forms, which they offer as capabilities. For .cpp
// files of energy/ only.
//
//   ARAP, corotational on 4-node tets   ProjectiveForm, w = (2 mu + 3 lambda) V (lambda = 0 for ARAP)
//   the same on 10-node tets            LaplacianSource with the same w: their rotations would need four searches a tet
//   other laws with a shear modulus     LaplacianSource, w = 2 mu V
//   strain and volume limits            ProjectiveForm, w = modulus V, on 4- and 10-node tets (law_limits.cpp)
//   spline and orthotropic materials    neither: they have no one shear modulus

#include <type_traits>

#include "dashpot/energy/material_maker.hpp"
#include "dashpot/energy/tet_laplacian.hpp"
#include "dashpot/energy/tet_projection.hpp"

namespace dashpot::maker {

/// Lame parameters in the order of the batch.
inline std::vector<formula::Lame<double>> in_batch_order(const LameInput& input) {
  std::vector<formula::Lame<double>> lame;
  for (int i = 0; i < input.batch->num_tets(); ++i)
    lame.push_back(
        input
            .materials[static_cast<std::size_t>(input.of_element[static_cast<std::size_t>(input.batch->original(i))])]);
  return lame;
}

/// bulk_share: how much of 3 lambda the modulus 2 mu + bulk_share 3 lambda holds.
inline std::vector<double> moduli(const LameInput& input, double bulk_share) {
  std::vector<double> modulus;
  for (const formula::Lame<double>& m : in_batch_order(input)) modulus.push_back(2 * m.mu + bulk_share * 3 * m.lambda);
  return modulus;
}

/// Adds an interface Source (LaplacianSource or one derived from it) to an elastic energy. modulus [Pa]: of the
/// Laplacian, in the order of the batch.
template <class Elasticity, class Source>
class WithSource : public Elasticity, public Source {
 public:
  template <class OfElement>
  WithSource(std::string body, const std::shared_ptr<TetBatch>& shared, const OfElement& of_element,
             std::vector<double> modulus)
      : Elasticity(std::move(body), shared, of_element), laplacian_(shared, std::move(modulus)) {}
  template <class OfElement>
  WithSource(const LameInput& input, const OfElement& of_element, double bulk_share)
      : WithSource(input.body, input.batch, of_element, moduli(input, bulk_share)) {}

  EnergyCapabilities capabilities() const override {
    EnergyCapabilities offers = Elasticity::capabilities();
    offers.laplacian = this;
    if constexpr (std::is_base_of_v<ProjectiveForm, Source>) offers.projective = this;
    return offers;
  }
  int num_elements() const override { return Elasticity::batch().num_tets(); }
  void add_laplacian(const std::vector<double>& element_scale, std::vector<double>& of_slot) const override {
    laplacian_.add(element_scale, of_slot);
  }
  void add_spin_force(const Vector& q, const Vector& v, const std::vector<double>& element_scale,
                      Vector& f) const override {
    laplacian_.add_spin_force(q, v, element_scale, f);
  }
  void add_spin_tangent(const Vector& q, const Vector& v, const std::vector<double>& element_scale, double dv_scale,
                        double dq_scale, BlockMatrix& tangent) const override {
    laplacian_.add_spin_tangent(q, v, element_scale, dv_scale, dq_scale, tangent);
  }

 private:
  TetLaplacian laplacian_;
};

template <class Elasticity>
class WithProjection final : public WithSource<Elasticity, ProjectiveForm> {
 public:
  template <class OfElement>
  WithProjection(const LameInput& input, const OfElement& of_element, double bulk_share)
      : WithSource<Elasticity, ProjectiveForm>(input, of_element, bulk_share) {
    int i = 0;
    for (const formula::Lame<double>& m : in_batch_order(input)) {
      const double volume = input.batch->volume(i++);
      moduli_.push_back({2 * m.mu * volume, bulk_share * m.lambda * volume});
    }
  }

  std::unique_ptr<TermScratch> make_projection_scratch(ProjectionPrecision precision) const override {
    return make_tet_projection(Elasticity::batch(), moduli_, precision);
  }
  void begin_projection(const Vector&, TermScratch* scratch) const override {
    static_cast<TetProjection*>(scratch)->begin();
  }
  void add_projection(const Vector& q, TermScratch* scratch, Vector& f) const override {
    static_cast<TetProjection*>(scratch)->add(q, f);
  }

 private:
  std::vector<TetShearBulk> moduli_;
};

template <class Instance>
std::unique_ptr<TetElasticity> make_with(const LameInput& input, double bulk_share) {
  return std::make_unique<Instance>(
      input,
      [&](int e) { return input.materials[static_cast<std::size_t>(input.of_element[static_cast<std::size_t>(e)])]; },
      bulk_share);
}

/// A law that gives a Laplacian of 2 mu.
template <class Elasticity>
std::unique_ptr<TetElasticity> make_source(const LameInput& input) {
  return make_with<WithSource<Elasticity, LaplacianSource>>(input, 0);
}

/// A law that is a projective form on 4-node tets, of modulus 2 mu + 3 lambda or 2 mu.
template <class Elasticity, bool has_bulk>
std::unique_ptr<TetElasticity> make_projective(const LameInput& input) {
  constexpr double bulk_share = has_bulk ? 1 : 0;
  return input.batch->nodes_per_tet() == 4 ? make_with<WithProjection<Elasticity>>(input, bulk_share)
                                           : make_with<WithSource<Elasticity, LaplacianSource>>(input, bulk_share);
}

}  // namespace dashpot::maker
