#pragma once
// Elements that keep the size of a difference of their nodes (model/line_batch.hpp):
//
//     Psi = sum_e w_e/2 (|y_e| - r_e)^2,      y_e = sum_a c_ea x_a.
//
// Springs (springs.hpp) and the bends of sheets and strands (bending.hpp) say what y, w and r are. With s = |y|, n =
// y/s: force along y w (1 - r/s) y, Hessian block w [ n n^T + (1 - r/s)(I - n n^T) ]. A compressed element (s < r) has
// negative lateral stiffness: the projection clamps 1 - r/s at zero. Gauss-Newton part: only the component along y,
// which rotation does not see. Where y has no direction the force is zero (w y where r = 0) and the block is w I.
//
// ProjectiveForm: G x = y, p = r n; without a direction p = y, so that the force vanishes there too. Always in double
// precision; needs no scratch.

#include <memory>
#include <string>
#include <vector>

#include "dashpot/energy/proportional_parameter.hpp"
#include "dashpot/energy/rest_positions.hpp"
#include "dashpot/model/line_batch.hpp"
#include "dashpot/model/moduli_source.hpp"
#include "dashpot/model/projective_form.hpp"
#include "dashpot/model/terms.hpp"

namespace dashpot {

struct LineTask;

class LineElasticity : public EnergyTerm, public StiffnessSource, public ModuliSource, public ProjectiveForm {
 public:
  const std::string& body() const override { return body_; }
  /// Its elements, for dampings that act on them too.
  const std::shared_ptr<LineBatch>& batch() const { return batch_; }
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
  bool is_quadratic() const override { return is_quadratic_; }

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
  Moduli moduli() const override;
  std::shared_ptr<ElementBatch> shared_batch() const override { return batch_; }
  /// Says what the stiffness of its elements is proportional to, which becomes its parameter.
  void set_parameter(ProportionalParameter parameter) { parameter_ = std::move(parameter); }
  ParameterList parameters() const override { return parameter_.parameters(); }

 protected:
  /// Weights w [J or N/m] and rest sizes r, by mesh element. X: rest positions [m], read for StiffnessPart::rest.
  LineElasticity(std::string body, std::shared_ptr<LineBatch> batch, const std::vector<double>& weights,
                 const std::vector<double>& rest, const std::vector<Vec3>& X, int first_block);
  bool changes(const double* values) const { return parameter_.changes(values); }
  /// Takes other values of its parameter.
  void set_values(const double* values);

 private:
  double run(const LineTask& task) const;
  double weight(int i) const { return packs_[pack_of(i)]; }
  /// Where w of element i stands in packs_; r is four numbers behind.
  static std::size_t pack_of(int i) { return at(8 * (i / 4) + i % 4); }

  std::string body_;
  std::shared_ptr<LineBatch> batch_;
  std::vector<double> packs_;  ///< w and r of four elements, lane by lane; w = 0 of surplus lanes
  RestPositions rest_;
  bool is_quadratic_ = true;
  ProportionalParameter parameter_;
};

}  // namespace dashpot
