#pragma once
// Thin sheets of triangles that resist stretch and shear in their plane, as rigid as possible:
//
//     Psi = sum_e w_e/2 |F - R|^2 = sum_e w_e/2 [ (s1 - 1)^2 + (s2 - 1)^2 ],     w_e = 2 mu A h  [J],
//
// F (3 x 2) maps the plane of the triangle at rest into space, s are its singular values, R = U V^T is the nearest
// matrix of orthonormal columns; mu [Pa] shear modulus, h [m] thickness, A [m^2] area at rest. Small strain: a sheet of
// Young's modulus 2 mu without lateral contraction. Strain limits add a second distance,
//
//     sum_e w'_e/2 [ (s1 - clamp(s1))^2 + (s2 - clamp(s2))^2 ],     w'_e = 2 mu' A h,  clamp to [least, most].
//
// Hessian: eigenvalues w (stretch), flip (p1 - p2)/(s1 - s2), twist (p1 + p2)/(s1 + s2), and p_i/s_i out of the plane;
// p_i = dPsi/ds_i. Compressed sheets have negative ones (they buckle); the projection clamps each at zero, which is the
// nearest positive semidefinite matrix. Near s = 0 the quotients are kept finite by a floor of 1e-6 under s.
//
// The sheet has no bending stiffness (energy/bending.hpp) and no inside-out. Projections of ProjectiveForm are R and
// U clamp(s) V^T, always in double precision, and need no scratch. [Chao2010, Bouaziz2014]

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "dashpot/energy/proportional_parameter.hpp"
#include "dashpot/energy/rest_positions.hpp"
#include "dashpot/model/moduli_source.hpp"
#include "dashpot/model/projective_form.hpp"
#include "dashpot/model/terms.hpp"
#include "dashpot/model/triangle_batch.hpp"

namespace dashpot {

template <class Kind>
struct SheetTask;

struct MembraneMaterial {
  double shear_modulus = 0;                                       ///< mu [Pa] >= 0
  double thickness = 0;                                           ///< h [m] > 0
  double limit_modulus = 0;                                       ///< mu' [Pa] >= 0; 0: no limits
  double least_stretch = 0;                                       ///< 0 <= least <= 1
  double most_stretch = std::numeric_limits<double>::infinity();  ///< >= 1
};

class TriangleMembrane final : public EnergyTerm, public StiffnessSource, public ModuliSource, public ProjectiveForm {
 public:
  /// triangles: three nodes each, indices into the rest positions X [m]; node i is block first_block + i. Triangle e is
  /// made of materials[of_triangle[e]]. Throws Error naming triangles without area, nodes out of range and bad numbers.
  TriangleMembrane(std::string body, const std::vector<int>& triangles, const std::vector<Vec3>& X, int first_block,
                   const std::vector<MembraneMaterial>& materials, const std::vector<int>& of_triangle);

  const std::string& body() const override { return body_; }
  /// Its triangles, for dampings that act on them too.
  const std::shared_ptr<TriangleBatch>& batch() const { return batch_; }
  BlockRange touched_blocks() const override { return batch_->touched_blocks(); }
  void couple(PatternBuilder& pattern) const override { batch_->couple(pattern); }
  void bind(const BlockPattern& pattern) override { batch_->bind(pattern); }
  double evaluate(const EnergyRequest& request) const override;
  EnergyCapabilities capabilities() const override {
    EnergyCapabilities offers;
    offers.stiffness = this;
    offers.laplacian = this;
    offers.projective = this;
    offers.moduli = this;
    offers.batch = batch_.get();
    return offers;
  }

  int num_elements() const override { return batch_->num_elements(); }
  BlockRange stiffness_blocks() const override { return touched_blocks(); }
  void add_stiffness(const Vector& q, StiffnessPart part, const std::vector<double>& element_scale,
                     BlockMatrix& K) const override;

  void add_laplacian(const std::vector<double>& element_scale, std::vector<double>& of_slot) const override;
  void add_spin_force(const Vector& q, const Vector& v, const std::vector<double>& element_scale,
                      Vector& f) const override;
  void add_spin_tangent(const Vector& q, const Vector& v, const std::vector<double>& element_scale, double dv_scale,
                        double dq_scale, BlockMatrix& tangent) const override;
  std::unique_ptr<TermScratch> make_projection_scratch(ProjectionPrecision) const override { return nullptr; }
  void begin_projection(const Vector&, TermScratch*) const override {}
  void add_projection(const Vector& q, TermScratch* scratch, Vector& f) const override;
  /// Small strains: w/2 e:e, without lateral contraction. Strain limits have no part in it.
  Moduli moduli() const override;
  std::shared_ptr<ElementBatch> shared_batch() const override { return batch_; }
  /// Says what the stiffness of its elements is proportional to, which becomes its parameter.
  void set_parameter(ProportionalParameter parameter) { parameter_ = std::move(parameter); }
  ParameterList parameters() const override { return parameter_.parameters(); }
  std::shared_ptr<EnergyTerm> remade(const double* values, const Replacements& replacements) const override;

 private:
  enum class Tangent { exact, projected, gauss_newton };
  double run(const SheetTask<Tangent>& task) const;
  /// w + w' of element i.
  double weight(int i) const { return packs_[pack_of(i)] + packs_[pack_of(i) + 4]; }
  /// Where w of element i stands in packs_; w', least and most stretch are 4, 8 and 12 numbers behind.
  static std::size_t pack_of(int i) { return at(16 * (i / 4) + i % 4); }

  std::string body_;
  std::shared_ptr<TriangleBatch> batch_;
  std::vector<double> packs_;  ///< w, w', least and most stretch of four triangles, lane by lane; zero in surplus lanes
  RestPositions rest_;
  bool has_limits_ = false;
  ProportionalParameter parameter_;
};

}  // namespace dashpot
