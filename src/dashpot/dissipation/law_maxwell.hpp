#pragma once
// The point law of a Maxwell element (maxwell.hpp). For .cpp files of kernels only.

#include <memory>
#include <vector>

#include "dashpot/element/tet_law.hpp"
#include "dashpot/model/parameters.hpp"

namespace dashpot {

class MaxwellLaw final : public TetLaw {
 public:
  /// Shear modulus G [Pa] of the tets of the mesh, relaxation time tau [s].
  MaxwellLaw(std::shared_ptr<const TetBatch> batch, const PartwiseValue& modulus, double tau);

  const TetBatch& batch() const override { return *batch_; }
  TangentForm tangent_form() const override { return TangentForm::green; }
  bool has_symmetric_tangent(const DissipationRequest&) const override { return true; }
  void respond(const DissipationRequest& request, const PackPoint& at, math::Matrix3<math::Pack4>& P,
               GreenTangent<math::Pack4>& green, StiffnessPacks blocks) const override;

  /// Six numbers at every point of every tet, lane by lane; packs are filled up.
  int num_internal_variables() const { return 24 * batch_->num_packs() * batch_->num_points(); }
  std::unique_ptr<TermScratch> make_scratch() const;
  void begin_step(const Vector& q, TermScratch& scratch) const;
  /// Energy of the springs [J].
  double stored_energy(const Vector& internal_variables) const;

 private:
  struct Scratch final : TermScratch {
    std::vector<math::Symmetric3<math::Pack4>> deviator;  ///< dev(E_n), by pack, then quadrature point
  };
  template <int N>
  void hold(const double* q, int begin, int end, std::vector<math::Symmetric3<math::Pack4>>& deviator) const;

  std::shared_ptr<const TetBatch> batch_;
  std::vector<math::Pack4> modulus_;
  double tau_;
};

}  // namespace dashpot
