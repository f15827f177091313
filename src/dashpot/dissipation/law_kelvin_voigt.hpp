#pragma once
// The point law of Kelvin-Voigt damping (kelvin_voigt.hpp). For .cpp files of kernels only.

#include <memory>
#include <vector>

#include "dashpot/dissipation/formula/green_rate.hpp"
#include "dashpot/element/tet_law.hpp"

namespace dashpot {

class KelvinVoigtLaw final : public TetLaw {
 public:
  /// Viscosities [Pa s] of each tet of the mesh.
  KelvinVoigtLaw(std::shared_ptr<const TetBatch> batch, const std::vector<formula::Viscosities<double>>& viscosities);

  const TetBatch& batch() const override { return *batch_; }
  TangentForm tangent_form() const override { return TangentForm::green; }
  bool has_symmetric_tangent(const DissipationRequest& request) const override { return request.dq_scale == 0; }
  void respond(const DissipationRequest& request, const PackPoint& at, math::Matrix3<math::Pack4>& P,
               GreenTangent<math::Pack4>& green, StiffnessPacks blocks) const override;

 private:
  std::shared_ptr<const TetBatch> batch_;
  std::vector<formula::Viscosities<math::Pack4>> viscosities_;  ///< of four tets
};

}  // namespace dashpot
