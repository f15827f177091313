#pragma once
// Inertia of yarns that slide: T = sum over segments of rho D (a_0.a_0 + a_0.a_1 + a_1.a_1)/6, a = xdot - w udot
// (formula/segment.hpp), mass spread evenly along the yarn. M depends on where crossings and labels are, and yarn that
// slides round a bend needs a force c. At a crossing of two yarns that are not parallel M is positive definite.
// [reference ABCE, section 2.6]

#include "dashpot/model/terms.hpp"
#include "dashpot/yarn/yarn_topology.hpp"

namespace dashpot {

/// What a Newton matrix has of the inertia besides M: all of it, exact and not symmetric; or nothing, which changes how
/// fast Newton converges and not to what.
enum class YarnInertiaTangent { exact, mass };

class YarnInertia final : public Inertia {
 public:
  /// rho [kg/m] > 0 of each family. Throws Error for others.
  YarnInertia(std::string body, std::shared_ptr<YarnBatch> segments, PerFamily density, YarnInertiaTangent tangent);

  void couple(PatternBuilder& pattern) const override { segments_->couple(pattern); }
  void bind(const BlockPattern& pattern) override { segments_->bind(pattern); }
  bool is_constant() const override { return false; }
  bool has_symmetric_tangent() const override { return tangent_ == YarnInertiaTangent::mass; }
  void add_force(const Vector& q, const Vector& v, const Vector& a, Vector& f) const override;
  void add_tangent(const Vector& q, const Vector& v, const Vector& a, double mass_scale, double velocity_scale,
                   double position_scale, BlockMatrix& matrix) const override;
  double kinetic_energy(const Vector& q, const Vector& v) const override;
  LinearAngular momentum(const Vector& q, const Vector& v) const override;

 private:
  std::string body_;
  std::shared_ptr<YarnBatch> segments_;
  PerFamily density_;
  YarnInertiaTangent tangent_;
};

}  // namespace dashpot
