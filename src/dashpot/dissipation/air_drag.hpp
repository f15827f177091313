#pragma once
// Drag of the air on the triangles of a surface, separate from what a material damps in itself. With the velocity
// u = v - w of the middle of a triangle against the wind w, its normal n and its area A as it is now,
//     f = 1/2 rho A ( c_n |u_n| u_n + c_t |u_t| u_t ),      u_n = (n . u) n,  u_t = u - u_n,
// a third at each corner: quadratic in the speed, pressure across and friction along. A sheet has one such force for
// both of its sides, a solid one for each triangle of its skin. No lift, no wake: neighbors do not shelter each other.
//
// w(t) = wind (1 + gust sin(2 pi t / period)). What the wind does to the body, f . w, is external work; what is lost is
// f . u >= 0.
//
// Claims: none of a damping's invariances; df/dv is exact, symmetric and positive semidefinite. df/dq (the turning of
// normals) is left out: more Newton iterations, the same solution.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "dashpot/model/terms.hpp"
#include "dashpot/model/triangle_batch.hpp"

namespace dashpot {

struct AirDragOptions {
  double density = 1.2;               ///< rho of the air [kg/m^3] >= 0
  double normal = 1, tangential = 0;  ///< c_n, c_t >= 0
  Vec3 wind = Vec3::Zero();           ///< [m/s]
  double gust = 0;                    ///< share of the wind that comes and goes, >= 0
  double period = 1;                  ///< of the gusts [s] > 0
};

class AirDrag final : public DissipationTerm {
 public:
  /// dashpot::Error for numbers out of range.
  AirDrag(std::string body, std::shared_ptr<TriangleBatch> surface, const AirDragOptions& options);

  const std::string& body() const override { return body_; }
  std::string model() const override { return "air_drag"; }
  DissipationTraits traits() const override;
  BlockRange touched_blocks() const override { return surface_->touched_blocks(); }
  void couple(PatternBuilder& pattern) const override { surface_->couple(pattern); }
  void bind(const BlockPattern& pattern) override { surface_->bind(pattern); }
  double evaluate(const DissipationRequest& request) const override;
  ParameterList parameters() const override;
  std::shared_ptr<DissipationTerm> remade(const double* values, const Replacements& replacements) const override;

  Vec3 wind(double time) const;

 private:
  std::string body_;
  std::shared_ptr<TriangleBatch> surface_;
  AirDragOptions options_;
};

}  // namespace dashpot
