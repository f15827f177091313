#pragma once
// The point law of strain-rate damping on tets (strain_rate.hpp). For .cpp files of kernels only.

#include <memory>
#include <vector>

#include "dashpot/dissipation/formula/strain_metric.hpp"
#include "dashpot/dissipation/strain_rate.hpp"
#include "dashpot/element/tet_law.hpp"

namespace dashpot {

class StrainRateLaw final : public TetLaw {
 public:
  /// Viscosities [Pa s] of each tet of the mesh.
  StrainRateLaw(std::shared_ptr<const TetBatch> batch, const std::vector<formula::Viscosities<double>>& viscosities,
                const StrainRateOptions& options);

  const TetBatch& batch() const override { return *batch_; }
  /// Newtonian laws in the Green strain are as cheap as elasticity's own tangent.
  TangentForm tangent_form() const override {
    return options_.metric == StrainMetric::green && options_.power.exponent == 1 ? TangentForm::green
                                                                                  : TangentForm::blocks;
  }
  bool has_symmetric_tangent(const DissipationRequest& request) const override {
    return request.dq_scale == 0 || options_.tangent == RateTangent::symmetric;
  }
  void respond(const DissipationRequest& request, const PackPoint& at, math::Matrix3<math::Pack4>& P,
               GreenTangent<math::Pack4>& green, StiffnessPacks blocks) const override;

 private:
  void add_green(const DissipationRequest& request, const PackPoint& at, const math::Symmetric3<math::Pack4>& S,
                 GreenTangent<math::Pack4>& green) const;
  template <bool corotational>
  void respond_in_blocks(const DissipationRequest& request, const PackPoint& at, math::Matrix3<math::Pack4>& P,
                         StiffnessPacks blocks) const;

  std::shared_ptr<const TetBatch> batch_;
  std::vector<formula::Viscosities<math::Pack4>> viscosities_;  ///< of four tets
  StrainRateOptions options_;
};

}  // namespace dashpot
