#pragma once
// Bending of sheets by the angles of their hinges (discrete shells):
//
//     Psi = sum_e w_e/2 (theta_e - r_e)^2,     w_e = k_b l^2 / (A0 + A1)  [J],     k_b = E h^3 / (12 (1 - nu^2))  [J],
//
// l the edge, A0 and A1 the triangles at rest, theta the angle between them (element/dihedral_angle.hpp), r its rest
// value. Stretching the sheet changes no angle, and a curved rest shape is known from its mirror image, which the
// second differences of bending.hpp do not tell apart; near flat both are the same, and so is what is said there about
// meshes (one third of [Grinspun2003]'s weights, so that a cylinder has k_b A / (2 R^2)). Differences of angles are
// taken on the short way around.
//
// Hessian: w g g^T + w (theta - r) d2theta/dq2. The second part is indefinite; the projection leaves it out, which is
// the Gauss-Newton matrix. Not for projective dynamics: theta is not linear in positions. [Grinspun2003,
// TamstorfGrinspun2013]

#include <memory>
#include <string>
#include <vector>

#include "dashpot/energy/bending.hpp"
#include "dashpot/energy/proportional_parameter.hpp"
#include "dashpot/energy/rest_positions.hpp"
#include "dashpot/model/hinge_batch.hpp"
#include "dashpot/model/moduli_source.hpp"
#include "dashpot/model/terms.hpp"

namespace dashpot {

struct HingeTask;

class HingeBending final : public EnergyTerm, public StiffnessSource, public ModuliSource {
 public:
  /// `bends` are hinges as bending.hpp makes them, of which nodes and weights are read. X: rest positions [m]; node i
  /// is block first_block + i. Throws Error for nodes out of range and weights that are negative or not finite.
  HingeBending(std::string body, const std::vector<Bend>& bends, const std::vector<Vec3>& X, int first_block,
               RestBend rest);

  const std::string& body() const override { return body_; }
  const std::shared_ptr<HingeBatch>& batch() const { return batch_; }
  BlockRange touched_blocks() const override { return batch_->touched_blocks(); }
  void couple(PatternBuilder& pattern) const override { batch_->couple(pattern); }
  void bind(const BlockPattern& pattern) override { batch_->bind(pattern); }
  double evaluate(const EnergyRequest& request) const override;
  EnergyCapabilities capabilities() const override {
    EnergyCapabilities offers;
    offers.stiffness = this;
    offers.moduli = this;
    offers.batch = batch_.get();
    return offers;
  }

  int num_elements() const override { return batch_->num_elements(); }
  BlockRange stiffness_blocks() const override { return touched_blocks(); }
  void add_stiffness(const Vector& q, StiffnessPart part, const std::vector<double>& element_scale,
                     BlockMatrix& K) const override;
  Moduli moduli() const override;
  std::shared_ptr<ElementBatch> shared_batch() const override { return batch_; }

  /// Says what the stiffness of its elements is proportional to, which becomes its parameter.
  void set_parameter(ProportionalParameter parameter) { parameter_ = std::move(parameter); }
  ParameterList parameters() const override { return parameter_.parameters(); }
  std::shared_ptr<EnergyTerm> remade(const double* values, const Replacements& replacements) const override;

 private:
  double run(const HingeTask& task) const;
  /// Where w of hinge i stands in packs_; r is four numbers behind.
  static std::size_t pack_of(int i) { return at(8 * (i / 4) + i % 4); }

  std::string body_;
  std::shared_ptr<HingeBatch> batch_;
  std::vector<double> packs_;  ///< w and r of four hinges, lane by lane; w = 0 of surplus lanes
  RestPositions rest_;
  ProportionalParameter parameter_;
};

}  // namespace dashpot
